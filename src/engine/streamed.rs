//! Text of a model while it comes, redacted so that a secret which arrives in pieces is not shown in pieces.
//! A word is held back until it has ended, and is redacted together with the block that it stands in.

use kit::text::{Redacted, Redactor, Untrusted};

/// Longest block that is redacted again with each new word, in bytes; a longer one begins anew at a line break.
const BLOCK: usize = 4096;

/// Longest word that is held back, in bytes: what is longer is no secret that a person would miss seeing late.
const WORD: usize = 2048;

/// The text of one reply on its way to the screen.
#[derive(Debug, Default)]
pub(crate) struct Streamed {
    /// The block so far, as it came.
    block: String,
    /// What was shown of it.
    shown: String,
}

impl Streamed {
    /// Takes a piece and gives what can be shown now.
    pub(crate) fn push(&mut self, piece: &str, redactor: &dyn Redactor) -> Option<Redacted> {
        self.block.push_str(piece);
        let ended = self.block.rfind(char::is_whitespace).map_or(0, |at| {
            at + self.block[at..].chars().next().map_or(1, char::len_utf8)
        });
        let open = self.block.len() - ended;
        let until = if open > WORD { self.block.len() } else { ended };
        let out = self.show(until, redactor);
        let over = self.block[..until].ends_with("\n\n")
            || until > BLOCK && self.block[..until].ends_with('\n');
        if over {
            self.block.drain(..until);
            self.shown.clear();
        }
        out
    }

    /// What was held back, at the end of the reply.
    pub(crate) fn end(&mut self, redactor: &dyn Redactor) -> Option<Redacted> {
        let out = self.show(self.block.len(), redactor);
        self.block.clear();
        self.shown.clear();
        out
    }

    fn show(&mut self, until: usize, redactor: &dyn Redactor) -> Option<Redacted> {
        let text = self.block.get(..until).unwrap_or_default().to_owned();
        let whole = Untrusted::new(text).redact(redactor);
        // Where a new word made something that was shown a secret, nothing more of this block is shown: the
        // answer, which is redacted as a whole, replaces it.
        let new = whole.as_str().strip_prefix(self.shown.as_str())?;
        if new.is_empty() {
            return None;
        }
        let new = Untrusted::new(new.to_owned()).redact(redactor);
        self.shown = whole.as_str().to_owned();
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redact;
    use proptest::prelude::*;
    use secrecy::SecretString;

    const SECRET: &str = "c0nfigured-Secret-9f2a7";

    fn redact() -> Redact {
        Redact::new(&[("model".to_owned(), SecretString::from(SECRET))], &[]).unwrap()
    }

    fn streamed(text: &str, cuts: &[usize]) -> String {
        let redact = redact();
        let mut s = Streamed::default();
        let mut out = String::new();
        let mut last = 0;
        let mut at: Vec<usize> = cuts
            .iter()
            .map(|c| c % (text.len() + 1))
            .filter(|c| text.is_char_boundary(*c))
            .collect();
        at.sort_unstable();
        at.push(text.len());
        for cut in at {
            let piece = &text[last..cut];
            last = cut;
            out.extend(s.push(piece, &redact).map(|r| r.as_str().to_owned()));
        }
        out.extend(s.end(&redact).map(|r| r.as_str().to_owned()));
        out
    }

    proptest! {
        #[test]
        fn a_secret_in_pieces_is_never_shown(before in "[a-z \n]{0,40}", after in "[a-z \n]{0,40}", cuts in prop::collection::vec(any::<usize>(), 0..40)) {
            let out = streamed(&format!("{before} {SECRET} {after}"), &cuts);
            prop_assert!(!out.contains(SECRET), "{}", out);
            for part in 6..SECRET.len() {
                prop_assert!(!out.contains(&SECRET[..part]), "{}", out);
            }
        }

        #[test]
        fn plain_text_comes_whole(text in "[a-zäß .,\n]{0,300}", cuts in prop::collection::vec(any::<usize>(), 0..60)) {
            prop_assert_eq!(streamed(&text, &cuts), text);
        }
    }
}
