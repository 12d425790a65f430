//! One function per shell that turns any text into exactly one argument. `tests/templates_quote.rs` proves them
//! against the shells themselves.
//!
//! There is none for `cmd.exe`, on purpose: its rules depend on the program that is called, and nothing here
//! ever goes through it.

/// Whether a word needs no quotes in a POSIX shell, wherever it stands after the program's name.
fn plain_in_sh(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '.' | '/' | ':' | '=' | '@' | '%' | '+' | ',' | '-')
}

/// A word for a POSIX shell (`sh`, `dash`, `bash`, `zsh`, `ksh`). The text may hold anything but NUL, which no
/// argument of a program can hold; it is left out.
#[must_use]
pub fn sh(text: &str) -> String {
    let text = text.replace('\0', "");
    // zsh reads `=name` as the path of a program.
    if !text.is_empty() && !text.starts_with('=') && text.chars().all(plain_in_sh) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The characters that PowerShell reads as a single quote.
const POWERSHELL_QUOTES: [char; 5] = ['\'', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'];

/// A string literal for PowerShell: nothing in it is expanded. Typographic quotes end such a literal too, so they
/// are doubled like the plain one. NUL is left out.
#[must_use]
pub fn powershell(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    for c in text.chars().filter(|c| *c != '\0') {
        if POWERSHELL_QUOTES.contains(&c) {
            out.push(c);
        }
        out.push(c);
    }
    out.push('\'');
    out
}
