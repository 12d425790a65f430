//! [`ScreenText`]: text in which no character moves a cursor, reorders what is shown, or hides.

use super::Redacted;
use super::hidden::{Class, class, takes_face_selector};
use crate::indicator::Indicator;
use std::fmt::{self, Write};

/// Combining marks that one character may carry; scripts need up to three or four, attacks use hundreds.
const MARKS_MAX: usize = 4;

/// Text that is safe to draw or print: of the characters below U+0020 only `\n` and `\t` occur, and no
/// DEL, C1 control, bidirectional control, tag, zero-width or other invisible character. What was there
/// shows as a symbol (`␛`, `⟨U+202E⟩`), so that nothing vanishes silently. Joined emoji come out as their
/// parts with the joiner shown: terminals disagree on their width, and a wrong width draws outside a pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScreenText(String);

impl ScreenText {
    /// The program's own words.
    #[must_use]
    pub fn trusted(text: &'static str) -> Self {
        Self(clean(text))
    }

    /// A number.
    #[must_use]
    pub fn number(n: impl Into<u64>) -> Self {
        Self(n.into().to_string())
    }

    /// One line of at most `max_chars` characters: line ends show as `␊`, tabs as a blank, and `…` stands
    /// for what was cut.
    #[must_use]
    pub fn line(text: &Redacted, max_chars: usize) -> Self {
        Self::from(text).to_line(max_chars)
    }

    /// This text as one line, as [`line`](Self::line) does it.
    #[must_use]
    pub fn to_line(&self, max_chars: usize) -> Self {
        let mut out = String::with_capacity(self.0.len().min(max_chars.saturating_mul(4)));
        let mut chars = self.0.trim_end_matches('\n').chars();
        for n in 0..max_chars {
            let Some(c) = chars.next() else {
                return Self(out);
            };
            if n + 1 == max_chars && chars.clone().next().is_some() {
                out.push('…');
                return Self(out);
            }
            out.push(match c {
                '\n' => '␊',
                '\t' => ' ',
                c => c,
            });
        }
        Self(out)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends.
    pub fn push(&mut self, more: &Self) {
        self.0.push_str(&more.0);
    }

    /// Appends the program's own words.
    pub fn push_trusted(&mut self, more: &'static str) {
        self.0.push_str(&clean(more));
    }

    /// All parts, one after the other.
    #[must_use]
    pub fn concat<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        Self(parts.into_iter().map(Self::as_str).collect())
    }

    /// All parts with the program's own `separator` between them.
    #[must_use]
    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Self>, separator: &'static str) -> Self {
        let separator = clean(separator);
        let mut out = String::new();
        for (n, part) in parts.into_iter().enumerate() {
            if n > 0 {
                out.push_str(&separator);
            }
            out.push_str(&part.0);
        }
        Self(out)
    }
}

impl fmt::Display for ScreenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&Redacted> for ScreenText {
    fn from(text: &Redacted) -> Self {
        Self(clean(text.as_str()))
    }
}

impl From<&Indicator> for ScreenText {
    fn from(indicator: &Indicator) -> Self {
        Self(clean(indicator.value()))
    }
}

impl Extend<Self> for ScreenText {
    fn extend<T: IntoIterator<Item = Self>>(&mut self, parts: T) {
        for part in parts {
            self.push(&part);
        }
    }
}

impl FromIterator<Self> for ScreenText {
    fn from_iter<T: IntoIterator<Item = Self>>(parts: T) -> Self {
        let mut out = Self::default();
        out.extend(parts);
        out
    }
}

/// Makes everything visible. Idempotent, linear.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    // The character that a mark or a face selector would attach to; none at the start of a line, where
    // it would attach to whatever was drawn before.
    let mut base: Option<char> = None;
    let mut marks = 0_usize;
    while let Some(c) = chars.next() {
        match class(c) {
            Class::Plain => {
                out.push(c);
                base = (c != '\n' && c != '\t').then_some(c);
                marks = 0;
            }
            Class::Picture(_) if c == '\r' && chars.peek() == Some(&'\n') => {}
            Class::Picture(picture) => {
                out.push(picture);
                base = Some(picture);
                marks = 0;
            }
            Class::FaceSelector if base.is_some_and(takes_face_selector) && marks == 0 => {
                base = Some('\u{fffd}')
            }
            Class::Mark if base.is_some() && marks < MARKS_MAX => {
                out.push(c);
                marks += 1;
            }
            Class::Mark if base.is_some() => {
                let mut more = 1_usize;
                while chars.next_if(|c| class(*c) == Class::Mark).is_some() {
                    more += 1;
                }
                let _ = write!(out, "⟨{more} more marks⟩");
                base = Some('⟩');
                marks = 0;
            }
            Class::Hidden | Class::FaceSelector | Class::Mark => {
                let _ = write!(out, "⟨U+{:04X}⟩", c as u32);
                base = Some('⟩');
                marks = 0;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn controls_become_pictures() {
        assert_eq!(clean("\u{1b}[31mred\u{7}\u{8}\u{7f}"), "␛[31mred␇␈␡");
        assert_eq!(clean("a\r\nb\rc"), "a\nb␍c");
        assert_eq!(clean("\u{9b}2J"), "⟨U+009B⟩2J");
    }

    #[test]
    fn marks_are_kept_in_reason() {
        assert_eq!(clean("e\u{301}"), "e\u{301}");
        assert_eq!(clean("\u{301}x"), "⟨U+0301⟩x");
        assert_eq!(
            clean(&format!("x{}y", "\u{301}".repeat(50))),
            format!("x{}⟨46 more marks⟩y", "\u{301}".repeat(4))
        );
    }

    #[test]
    fn a_face_selector_after_a_symbol_goes_and_others_show() {
        assert_eq!(clean("✔\u{fe0f} a\u{fe0f}"), "✔ a⟨U+FE0F⟩");
        assert_eq!(clean("✔\u{fe0f}\u{fe0f}"), "✔⟨U+FE0F⟩");
    }
}
