//! The order of RPM versions, `[epoch:]version[-release]` (`rpmvercmp`).
//!
//! The order of rpm's loop over two strings is the alphabetical order over tokens, when the end of the string
//! counts as a token too: `~` < end < `^` < letters < numbers. Everything else only separates tokens.

use std::cmp::Ordering;

use super::{Number, dpkg::read_epoch};

/// An RPM version taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    epoch: Option<u32>,
    version: String,
    version_tokens: Vec<Token>,
    release: Option<Vec<Token>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    Tilde,
    End,
    Caret,
    Letters(String),
    Digits(Number),
}

impl Parts {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let (epoch, rest) = match text.split_once(':') {
            // rpm itself prints `(none):1.0-1` with some query formats.
            Some(("(none)", rest)) => (None, rest),
            Some((epoch, rest)) => (Some(read_epoch(epoch)?), rest),
            None => (None, text),
        };
        let (version, release) = match rest.rsplit_once('-') {
            Some((version, release)) => (version, Some(release)),
            None => (rest, None),
        };
        if version.is_empty() {
            return Err("nothing stands before the release");
        }
        if release == Some("") {
            return Err("nothing stands after the last hyphen");
        }
        if !rest.chars().all(|c| c.is_ascii_graphic()) {
            return Err("only printable ASCII may stand in it");
        }
        if !version.bytes().any(|b| b.is_ascii_alphanumeric()) {
            return Err("it has neither a digit nor a letter");
        }
        Ok(Self {
            epoch,
            version: version.to_owned(),
            version_tokens: tokens(version),
            release: release.map(tokens),
        })
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// No epoch is epoch 0; no release sorts before every release.
    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        self.epoch
            .unwrap_or(0)
            .cmp(&other.epoch.unwrap_or(0))
            .then_with(|| self.version_tokens.cmp(&other.version_tokens))
            .then_with(|| self.release.cmp(&other.release))
    }

    /// This installed version against the bound of a range (see [`super::range`]).
    pub(crate) fn against_bound(&self, bound: &Self) -> Ordering {
        let epoch = bound
            .epoch
            .map_or(Ordering::Equal, |e| self.epoch.unwrap_or(0).cmp(&e));
        epoch
            .then_with(|| self.version_tokens.cmp(&bound.version_tokens))
            .then_with(|| match bound.release {
                Some(_) => self.release.cmp(&bound.release),
                None => Ordering::Equal,
            })
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end_of = |kind: fn(&char) -> bool| rest.find(|c: char| !kind(&c)).unwrap_or(rest.len());
        let (token, len) = match c {
            '~' => (Some(Token::Tilde), 1),
            '^' => (Some(Token::Caret), 1),
            _ if c.is_ascii_digit() => {
                let end = end_of(char::is_ascii_digit);
                let digits = rest.get(..end).unwrap_or("");
                (Some(Token::Digits(Number::new(digits))), end)
            }
            _ if c.is_ascii_alphabetic() => {
                let end = end_of(char::is_ascii_alphabetic);
                let letters = rest.get(..end).unwrap_or("");
                (Some(Token::Letters(letters.to_owned())), end)
            }
            _ => (None, c.len_utf8()),
        };
        out.extend(token);
        rest = rest.get(len..).unwrap_or("");
    }
    out.push(Token::End);
    out
}
