//! Asking a person at a terminal. Without one nothing is asked.

use crate::cli::error::Error;
use crate::cli::output::{Output, Own};
use secrecy::SecretString;
use std::io::{self, IsTerminal, Read};

/// The longest secret that is read.
const SECRET_MAX: u64 = 64 * 1024;

/// Reads a secret: hidden at a terminal, else all of standard input without its last line end.
///
/// # Errors
/// Nothing came, it is no text, or the person interrupted.
pub fn secret(name: &str, out: &mut Output) -> Result<SecretString, Error> {
    let value = if io::stdin().is_terminal() {
        out.ask(Own(format!("Value of {name} (not shown): ")));
        let value = hidden_line();
        out.ask("\n");
        value?
    } else {
        let mut bytes = Vec::new();
        io::stdin()
            .take(SECRET_MAX + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| crate::cli::input::read_error(&e))?;
        String::from_utf8(bytes).map_err(|_| Error::user("the value is not text (UTF-8)"))?
    };
    check(value)
}

/// Takes the line end away and refuses what can be no key.
fn check(value: String) -> Result<SecretString, Error> {
    let trimmed = value.trim_end_matches(['\n', '\r']);
    if trimmed.trim().is_empty() {
        return Err(Error::user("the value is empty")
            .hint("pipe it in: printf %s \"$KEY\" | rmm-analyst secret set NAME; to unset it: rmm-analyst secret remove NAME"));
    }
    if trimmed.len() > 16 * 1024 {
        return Err(Error::user("the value is too long for a key").why("more than 16 KiB"));
    }
    if trimmed.chars().any(char::is_control) {
        return Err(
            Error::user("the value holds line ends or control characters")
                .hint("a key is one line; is it the right file?"),
        );
    }
    Ok(SecretString::from(trimmed.to_owned()))
}

/// A line from the terminal without echo. The terminal is put back in every case: Ctrl-C is read as a
/// key here, because a signal would end the program with echo switched off.
#[cfg(unix)]
fn hidden_line() -> Result<String, Error> {
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    struct Restore(Termios);
    impl Drop for Restore {
        fn drop(&mut self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
        }
    }

    let failed = |e: rustix::io::Errno| {
        Error::config("the terminal cannot hide what is typed")
            .why(e.to_string())
            .hint("pipe the value in instead")
    };
    let before = tcgetattr(io::stdin()).map_err(failed)?;
    let mut hidden = before.clone();
    hidden
        .local_modes
        .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
    let _restore = Restore(before);
    tcsetattr(io::stdin(), OptionalActions::Flush, &hidden).map_err(failed)?;

    let mut line: Vec<u8> = Vec::new();
    let mut byte = [0_u8; 1];
    loop {
        let n = io::stdin()
            .read(&mut byte)
            .map_err(|e| crate::cli::input::read_error(&e))?;
        match (n, byte[0]) {
            (0, _) | (_, b'\r' | b'\n' | 0x04) => break,
            (_, 0x03 | 0x1c) => return Err(Error::interrupted()),
            (_, 0x15) => line.clear(),
            (_, 0x08 | 0x7f) => while line.pop().is_some_and(|b| b & 0xc0 == 0x80) {},
            (_, b) if line.len() < 16 * 1024 + 1 => line.push(b),
            _ => {}
        }
    }
    String::from_utf8(line).map_err(|_| Error::user("the value is not text (UTF-8)"))
}

/// Where typing cannot be hidden, nothing is typed.
#[cfg(not(unix))]
fn hidden_line() -> Result<String, Error> {
    Err(Error::user("typing cannot be hidden on this system")
        .hint("pipe the value in: type key.txt | rmm-analyst secret set NAME"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    #[test]
    fn one_line_end_goes_and_nonsense_is_refused() {
        assert_eq!(check("abc \r\n".into()).unwrap().expose_secret(), "abc ");
        assert!(check("\n".into()).is_err());
        assert!(check("  ".into()).is_err());
        assert!(check("a\nb".into()).is_err());
        assert!(check("x".repeat(20_000)).is_err());
    }
}
