//! The answer of a step in constrained mode while it comes: the text inside the JSON object, as far as it is
//! there. Only for the screen; the whole step is read strictly when it has ended.

/// Reads the text of an answer out of JSON that is not complete yet.
#[derive(Debug, Default)]
pub(crate) struct StepText {
    head: String,
    /// The text has begun.
    inside: bool,
    over: bool,
    /// An escape that has not ended yet.
    escape: String,
    /// The first half of a pair of surrogates.
    high: Option<u32>,
}

/// Longest beginning that is looked at, in bytes: `{"action":"answer","text":"` and white space.
const HEAD: usize = 256;

impl StepText {
    /// Takes a piece of the reply and gives what it adds to the answer.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        let mut out = String::new();
        for c in piece.chars() {
            if self.over {
                break;
            }
            if self.inside {
                self.take(c, &mut out);
            } else {
                self.head.push(c);
                self.inside = begins_answer(&self.head);
                self.over = self.head.len() > HEAD;
            }
        }
        out
    }

    fn take(&mut self, c: char, out: &mut String) {
        if self.escape.is_empty() {
            match c {
                '"' => self.over = true,
                '\\' => self.escape.push(c),
                c => out.push(c),
            }
            return;
        }
        self.escape.push(c);
        let Some(read) = self.escape.get(1..) else {
            return;
        };
        let plain = match read {
            "n" => Some('\n'),
            "t" => Some('\t'),
            "r" | "b" | "f" => Some(' '),
            "\"" | "\\" | "/" => read.chars().next(),
            _ => None,
        };
        if let Some(plain) = plain {
            out.push(plain);
            self.escape.clear();
        } else if !read.starts_with('u') || read.len() > 5 {
            // No escape of JSON: the strict reader will say so.
            self.over = true;
        } else if read.len() == 5 {
            match read
                .get(1..)
                .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            {
                Some(unit) => self.unit(unit, out),
                None => self.over = true,
            }
            self.escape.clear();
        }
    }

    fn unit(&mut self, unit: u32, out: &mut String) {
        let whole = match (self.high.take(), unit) {
            (None, 0xd800..=0xdbff) => {
                self.high = Some(unit);
                return;
            }
            (Some(high), 0xdc00..=0xdfff) => 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00),
            (_, unit) => unit,
        };
        out.push(char::from_u32(whole).unwrap_or('\u{fffd}'));
    }
}

/// Whether this is the beginning of an answer step up to the quote that opens its text.
fn begins_answer(head: &str) -> bool {
    let squeezed: String = head.chars().filter(|c| !c.is_whitespace()).collect();
    squeezed.ends_with(r#"{"action":"answer","text":""#)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_text_comes_whole_however_it_is_cut(text in "\\PC{0,60}|[a-z\n\t\"\\\\😀]{0,60}", cuts in prop::collection::vec(any::<usize>(), 0..20)) {
            let json = serde_json::json!({"action": "answer", "text": text}).to_string();
            let mut at: Vec<usize> = cuts.iter().map(|c| c % (json.len() + 1)).filter(|c| json.is_char_boundary(*c)).collect();
            at.sort_unstable();
            at.push(json.len());
            let (mut step, mut out, mut last) = (StepText::default(), String::new(), 0);
            for cut in at {
                out.push_str(&step.push(&json[last..cut]));
                last = cut;
            }
            // What steers a terminal comes as a blank here; the answer itself is cleaned elsewhere.
            let wanted: String = text.chars().map(|c| if matches!(c, '\r' | '\u{8}' | '\u{c}') { ' ' } else { c }).collect();
            prop_assert_eq!(out, wanted);
        }

        #[test]
        fn any_reply_is_taken(pieces in prop::collection::vec("\\PC{0,20}", 0..10)) {
            let mut step = StepText::default();
            for p in pieces {
                step.push(&p);
            }
        }
    }

    #[test]
    fn a_call_shows_nothing() {
        let mut step = StepText::default();
        assert_eq!(
            step.push(r#"{"action":"call","tool":"crtsh","query":"a.example"}"#),
            ""
        );
        assert_eq!(StepText::default().push("I think that"), "");
    }
}
