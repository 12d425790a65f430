//! The profile for a model's argument: exactly one indicator, nothing cleaned, or a refusal.

use crate::classify::{self, address, web};
use crate::indicator::{Indicator, IndicatorType};
use crate::refang::is_invisible;
use unicode_normalization::UnicodeNormalization;

/// Why a model's argument is not one indicator. The text is fit to send back to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrictError {
    /// Nothing but blanks.
    #[error("the value is empty")]
    Empty,
    /// Longer than any indicator.
    #[error("the value is too long to be an indicator")]
    TooLong,
    /// Control, format, bidirectional, tag or zero-width characters inside.
    #[error("the value holds control or invisible characters")]
    Hidden,
    /// An address form that readers disagree on (octal, hex, decimal, short, zone id).
    #[error("the value is an ambiguous address form")]
    Ambiguous,
    /// None of the known types.
    #[error("the value is not exactly one indicator")]
    NotOne,
}

/// Marks that a model may copy from the text it read; nothing else is undone here.
const MARKS: [(&str, &str); 16] = [
    ("[://]", "://"),
    ("[:]", ":"),
    ("[::]", "::"),
    ("[.]", "."),
    ("(.)", "."),
    ("{.}", "."),
    ("[dot]", "."),
    ("(dot)", "."),
    ("{dot}", "."),
    ("[DOT]", "."),
    ("[@]", "@"),
    ("(@)", "@"),
    ("[at]", "@"),
    ("(at)", "@"),
    ("[AT]", "@"),
    ("[/]", "/"),
];

/// Reads a model's argument. Only outer blanks, letter case, one trailing dot, IDNA dots and defang
/// marks are cleaned; everything else must already be exactly one indicator.
///
/// # Errors
/// [`StrictError`] with the reason; the caller refuses the call.
pub fn parse_strict(text: &str) -> Result<Indicator, StrictError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(StrictError::Empty);
    }
    if text.len() > web::MAX_URL {
        return Err(StrictError::TooLong);
    }
    if text.chars().any(is_hidden) {
        return Err(StrictError::Hidden);
    }
    // A URL reader would turn these into something else: quotes and brackets everywhere, backslashes and
    // backticks in front of the query.
    let head = text.split(['?', '#']).next().unwrap_or(text);
    if text.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>'))
        || head.contains(['\\', '`'])
    {
        return Err(StrictError::NotOne);
    }
    let plain = undo_marks(text);
    // A mark inside a mark (`[[:]]`): undone once or twice it is two values.
    if MARKS.iter().any(|(mark, _)| plain.contains(mark)) {
        return Err(StrictError::NotOne);
    }
    if !plain.is_ascii() && !plain.nfkc().eq(plain.chars()) {
        // Full-width digits, ligatures and the like would be folded into another string.
        return Err(StrictError::NotOne);
    }
    if web::split_scheme(&plain).is_some() {
        return strict_url(&plain);
    }
    if plain.starts_with('[') || plain.contains('@') && plain.contains([':', '/']) {
        return Err(StrictError::NotOne);
    }
    let otherwise = if address::is_ambiguous(&plain) {
        StrictError::Ambiguous
    } else {
        StrictError::NotOne
    };
    classify::exact(&plain).ok_or(otherwise)
}

/// Characters that a reader does not see, private use and unassigned-looking ones included.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || is_invisible(c)
        || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

fn undo_marks(text: &str) -> String {
    let mut plain = text.to_owned();
    if plain.contains(['[', '(', '{']) {
        for (mark, sign) in MARKS {
            if plain.contains(mark) {
                plain = plain.replace(mark, sign);
            }
        }
    }
    if plain.is_ascii() {
        return plain;
    }
    // The dots of UTS 46: ideographic, full-width, half-width ideographic.
    plain.replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".")
}

/// A URL whose parts mean the same to every reader: no user part, no host that a URL reader would turn into
/// another one, no percent signs in the host.
fn strict_url(text: &str) -> Result<Indicator, StrictError> {
    let Some((_, rest)) = web::split_scheme(text) else {
        return Err(StrictError::NotOne);
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    if authority.contains('@') || authority.contains('%') || authority.is_empty() {
        return Err(StrictError::NotOne);
    }
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(v6),
        None => authority.split(':').next().unwrap_or(authority),
    };
    if address::is_ambiguous(host) {
        return Err(StrictError::Ambiguous);
    }
    let found = web::url(text).ok_or(StrictError::NotOne)?;
    if found.kind() == IndicatorType::Url {
        Ok(found)
    } else {
        Err(StrictError::NotOne)
    }
}
