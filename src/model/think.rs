//! Takes reasoning that a model writes into its answer (`<think>…</think>`) out of it, also when a tag is
//! split over pieces.

/// Tags that models use: Qwen, DeepSeek and most others; some fine-tunes; Magistral.
const TAGS: [(&str, &str); 3] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
];

/// A piece of the answer, sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Answer.
    Text(&'a str),
    /// Reasoning.
    Reasoning(&'a str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing but white space so far (or since a block of reasoning).
    Start,
    /// Inside the answer.
    Text,
    /// Inside a block; which tag, and whether it opened in the middle of the answer.
    Think { tag: usize, middle: bool },
    /// The answer is JSON: what looks like a tag in it is content.
    Json,
}

/// Sorts an answer into text and reasoning.
#[derive(Debug)]
pub(super) struct ThinkSplitter {
    state: State,
    /// Not sorted yet: white space at the start, or what may be the beginning of a tag.
    pending: String,
    text: String,
    reasoning: String,
    /// The block that is open.
    block: String,
    /// A tag or a field of its own brought reasoning: a closing tag alone then means nothing.
    seen: bool,
}

impl Default for ThinkSplitter {
    fn default() -> Self {
        Self {
            state: State::Start,
            pending: String::new(),
            text: String::new(),
            reasoning: String::new(),
            block: String::new(),
            seen: false,
        }
    }
}

impl ThinkSplitter {
    /// Reasoning that came in a field of its own.
    pub(super) fn push_reasoning(&mut self, piece: &str) {
        self.seen = true;
        self.reasoning.push_str(piece);
    }

    /// Bytes kept so far.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.reasoning.len() + self.block.len() + self.pending.len()
    }

    /// A piece of the answer.
    pub(super) fn push(&mut self, piece: &str, mut each: impl FnMut(Piece<'_>)) {
        self.pending.push_str(piece);
        while self.step(&mut each) {}
    }

    /// The end: (text, reasoning).
    pub(super) fn end(mut self, mut each: impl FnMut(Piece<'_>)) -> (String, String) {
        let rest = std::mem::take(&mut self.pending);
        match self.state {
            State::Think { tag, middle: true } => {
                // Never closed, in the middle of an answer: somebody is quoting a tag.
                self.text.push_str(TAGS[tag].0);
                self.text.push_str(&self.block);
                self.text.push_str(&rest);
            }
            State::Think { middle: false, .. } => {
                each(Piece::Reasoning(&rest));
                self.reasoning.push_str(&self.block);
                self.reasoning.push_str(&rest);
            }
            State::Start if self.seen => {}
            State::Start | State::Text | State::Json => {
                if !rest.is_empty() {
                    each(Piece::Text(&rest));
                }
                self.text.push_str(&rest);
            }
        }
        (self.text, self.reasoning)
    }

    /// Sorts what can be sorted; true when the state changed and more may be possible.
    fn step(&mut self, each: &mut impl FnMut(Piece<'_>)) -> bool {
        match self.state {
            State::Json => {
                self.take_text(self.pending.len(), each);
                false
            }
            State::Start => self.step_start(),
            State::Text => self.step_text(each),
            State::Think { tag, .. } => self.step_think(TAGS[tag].1, each),
        }
    }

    fn step_start(&mut self) -> bool {
        let trimmed = self.pending.trim_start();
        if trimmed.is_empty() {
            return false;
        }
        if trimmed.starts_with('{') {
            self.drop_space_after_reasoning();
            self.state = State::Json;
            return true;
        }
        for (tag, (open, _)) in TAGS.iter().enumerate() {
            if let Some(rest) = trimmed.strip_prefix(open) {
                self.pending = rest.to_owned();
                self.state = State::Think { tag, middle: false };
                self.seen = true;
                return true;
            }
            if open.starts_with(trimmed) {
                return false;
            }
        }
        self.drop_space_after_reasoning();
        self.state = State::Text;
        true
    }

    fn drop_space_after_reasoning(&mut self) {
        if self.seen {
            self.pending = self.pending.trim_start().to_owned();
        }
    }

    fn step_text(&mut self, each: &mut impl FnMut(Piece<'_>)) -> bool {
        let opened = TAGS
            .iter()
            .enumerate()
            .filter_map(|(tag, (open, _))| self.find_at_line_start(open).map(|at| (at, tag)))
            .min();
        // Some templates put the opening tag into the prompt: then only the closing one is seen.
        let stray = if self.seen {
            None
        } else {
            self.pending.find(TAGS[0].1)
        };
        if let Some(at) = stray.filter(|at| opened.is_none_or(|(o, _)| *at < o)) {
            self.take_text(at, each);
            self.reasoning.push_str(&std::mem::take(&mut self.text));
            self.pending.drain(..TAGS[0].1.len());
            self.seen = true;
            self.state = State::Start;
            return true;
        }
        if let Some((at, tag)) = opened {
            self.take_text(at, each);
            self.pending.drain(..TAGS[tag].0.len());
            self.state = State::Think { tag, middle: true };
            return true;
        }
        let mut hold = if self.seen {
            0
        } else {
            partial(&self.pending, TAGS[0].1)
        };
        for (open, _) in TAGS {
            let n = partial(&self.pending, open);
            if self.at_line_start(self.pending.len() - n) {
                hold = hold.max(n);
            }
        }
        self.take_text(self.pending.len() - hold, each);
        false
    }

    fn step_think(&mut self, close: &str, each: &mut impl FnMut(Piece<'_>)) -> bool {
        if let Some(at) = self.pending.find(close) {
            self.take_block(at, each);
            self.pending.drain(..close.len());
            self.reasoning.push_str(&std::mem::take(&mut self.block));
            self.seen = true;
            self.state = if self.text.trim().is_empty() {
                State::Start
            } else {
                State::Text
            };
            return true;
        }
        let hold = partial(&self.pending, close);
        self.take_block(self.pending.len() - hold, each);
        false
    }

    fn take_text(&mut self, n: usize, each: &mut impl FnMut(Piece<'_>)) {
        if n > 0 {
            let piece: String = self.pending.drain(..n).collect();
            each(Piece::Text(&piece));
            self.text.push_str(&piece);
        }
    }

    fn take_block(&mut self, n: usize, each: &mut impl FnMut(Piece<'_>)) {
        if n > 0 {
            let piece: String = self.pending.drain(..n).collect();
            each(Piece::Reasoning(&piece));
            self.block.push_str(&piece);
        }
    }

    fn at_line_start(&self, at: usize) -> bool {
        match self.pending[..at].chars().next_back() {
            Some(c) => c == '\n',
            None => self.text.is_empty() || self.text.ends_with('\n'),
        }
    }

    fn find_at_line_start(&self, tag: &str) -> Option<usize> {
        self.pending
            .match_indices(tag)
            .map(|(at, _)| at)
            .find(|at| self.at_line_start(*at))
    }
}

/// Length of the longest end of `text` that is a proper beginning of `tag`.
fn partial(text: &str, tag: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|n| text.ends_with(&tag[..*n]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(pieces: &[&str]) -> (String, String) {
        let mut splitter = ThinkSplitter::default();
        for piece in pieces {
            splitter.push(piece, |_| {});
        }
        splitter.end(|_| {})
    }

    fn pair(text: &str, reasoning: &str) -> (String, String) {
        (text.into(), reasoning.into())
    }

    #[test]
    fn tags_in_all_the_places_they_come_in() {
        for (input, text, reasoning) in [
            ("plain", "plain", ""),
            ("  indented", "  indented", ""),
            ("<think>why</think>\n\nanswer", "answer", "why"),
            ("\n<think>\nwhy\n</think>answer", "answer", "\nwhy\n"),
            ("<think></think>answer", "answer", ""),
            ("<thinking>a</thinking>b", "b", "a"),
            ("[THINK]a[/THINK]b", "b", "a"),
            ("<think>a</think><think>b</think>c", "c", "ab"),
            // Only the closing tag: the opening one was in the prompt.
            ("why\n</think>\nanswer", "answer", "why\n"),
            // Cut off while thinking.
            ("<think>why", "", "why"),
            ("<think>why</thi", "", "why</thi"),
            // Quoted in an answer: stays.
            ("use the <think> tag", "use the <think> tag", ""),
            (
                "answer\n<think>never closed",
                "answer\n<think>never closed",
                "",
            ),
            ("answer\n<think>more</think>\nend", "answer\n\nend", "more"),
            (
                "<think>a</think>see </think> here",
                "see </think> here",
                "a",
            ),
            (
                "{\"text\":\"a</think>b\\n<think>\"}",
                "{\"text\":\"a</think>b\\n<think>\"}",
                "",
            ),
            (
                "<think>a</think>{\"x\":\"</think>\"}",
                "{\"x\":\"</think>\"}",
                "a",
            ),
            ("<th", "<th", ""),
            ("   ", "   ", ""),
        ] {
            assert_eq!(split(&[input]), pair(text, reasoning), "{input:?}");
        }
    }

    #[test]
    fn reasoning_in_a_field_makes_a_lone_closing_tag_content() {
        let mut splitter = ThinkSplitter::default();
        splitter.push_reasoning("why");
        splitter.push("the tag </think> closes", |_| {});
        assert_eq!(splitter.end(|_| {}), pair("the tag </think> closes", "why"));
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_result(
            parts in proptest::collection::vec("(<think>|</think>|<thinking>|\\[THINK\\]|<|\n| |a|é|\\{|</)", 0..14),
            cuts in proptest::collection::vec(0usize..200, 0..10),
        ) {
            let text = parts.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c % (text.len() + 1)).filter(|c| text.is_char_boundary(*c)).collect();
            cuts.push(text.len());
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut at = 0;
            for cut in cuts {
                pieces.push(&text[at..cut]);
                at = cut;
            }
            prop_assert_eq!(split(&pieces), split(&[&text]));
        }
    }
}
