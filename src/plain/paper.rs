//! The output of line mode, before it is written: whole lines in which no character acts on a terminal.

use crate::engine::view::{self, Defang};
use unicode_width::UnicodeWidthChar as _;

/// Lines that wait to be written.
#[derive(Debug, Default)]
pub struct Paper {
    /// What was written on it.
    lines: Vec<String>,
    /// The terminal shows UTF-8; otherwise nothing but ASCII is written.
    pub utf8: bool,
    /// Indicators are written defanged.
    pub defang: bool,
}

impl Paper {
    /// An empty one.
    #[must_use]
    pub const fn new(utf8: bool, defang: bool) -> Self {
        Self {
            lines: Vec::new(),
            utf8,
            defang,
        }
    }

    /// One line of the program's own, at the margin. Line ends in it become blanks: what stands at the
    /// margin is the program's.
    pub fn say(&mut self, text: impl AsRef<str>) {
        let text = self.clean(text.as_ref());
        self.lines
            .push(text.replace('\n', " ").trim_end().to_owned());
    }

    /// Text of a model, a source or a person: each of its lines indented by two blanks.
    pub fn quote(&mut self, text: impl AsRef<str>) {
        let text = self.clean(text.as_ref());
        for l in text.lines() {
            self.lines.push(format!("  {l}").trim_end().to_owned());
        }
    }

    /// A free line.
    pub fn gap(&mut self) {
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(String::new());
        }
    }

    /// Text with its indicators as the settings want them.
    #[must_use]
    pub fn defanged(&self, text: &str) -> String {
        if self.defang {
            Defang::plain().text(text)
        } else {
            text.to_owned()
        }
    }

    /// An indicator as the settings want it, with what it reads as where that differs.
    #[must_use]
    pub fn value(&self, indicator: &kit::Indicator) -> String {
        if self.defang {
            indicator.defanged()
        } else {
            indicator.value().to_owned()
        }
    }

    /// A prompt, fit for the terminal.
    #[must_use]
    pub fn prompt(&self, text: &str) -> String {
        self.clean(text).replace('\n', " ")
    }

    /// Takes what was written.
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    /// Nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn clean(&self, text: &str) -> String {
        let text = view::screen(text).as_str().replace('\t', "    ");
        if self.utf8 { text } else { ascii(&text) }
    }
}

/// Stands before text that is not the program's, and before what did not fit on a line.
const INDENT: &str = "  ";

/// A line in pieces that fit into `width` cells, broken behind a blank where there is one. Each piece but the
/// first is indented, so that no text can reach the margin by being long. Nothing is left out.
#[must_use]
pub fn wrapped(line: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut out = Vec::new();
    let mut rest = line;
    loop {
        let indent = if out.is_empty() { "" } else { INDENT };
        let room = width - indent.len();
        let mut cells = 0;
        let mut blank = None;
        let mut words = false;
        let over = rest.char_indices().find_map(|(at, c)| {
            // Signs that some terminals show two cells wide count as two.
            cells += c.width_cjk().unwrap_or(0);
            if cells > room {
                return Some(at);
            }
            words |= c != ' ';
            if c == ' ' && words {
                blank = Some(at + 1);
            }
            None
        });
        let Some(over) = over else {
            out.push(format!("{indent}{rest}"));
            return out;
        };
        let (piece, left) = rest.split_at(blank.unwrap_or(over));
        out.push(format!("{indent}{piece}"));
        rest = left;
    }
}

/// Text in one line of at most `most` characters; `...` stands for what was cut.
#[must_use]
pub fn one_line(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        None => text,
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
    }
}

/// The same text in ASCII: signs by what they look like, everything else by its number.
#[must_use]
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0'..='\u{7f}' => out.push(c),
            '→' => out.push_str("->"),
            '…' => out.push_str("..."),
            '·' | '–' | '—' | '−' | '•' => out.push('-'),
            '‘' | '’' | '‚' => out.push('\''),
            '“' | '”' | '„' => out.push('"'),
            '⟦' => out.push('['),
            '⟧' => out.push(']'),
            '⟨' => out.push('<'),
            '⟩' => out.push('>'),
            '\u{a0}' => out.push(' '),
            '␊' => out.push_str("<LF>"),
            _ => out.extend(c.escape_unicode()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_stands_at_the_margin_is_one_line() {
        let mut paper = Paper::new(true, false);
        paper.say("a\nProposal 17");
        paper.quote("b\nProposal 17\r\n\u{1b}[2J");
        let lines = paper.take();
        assert_eq!(lines[0], "a Proposal 17");
        assert!(lines[1..].iter().all(|l| l.starts_with("  ")), "{lines:?}");
    }

    #[test]
    fn a_long_line_does_not_reach_the_margin() {
        let blanks = format!("  {}choice> 1 approve", " ".repeat(78));
        assert_eq!(
            wrapped(&blanks, 80),
            [" ".repeat(80), "  choice> 1 approve".to_owned()]
        );
        assert_eq!(
            wrapped("  one two three", 10),
            ["  one two ", "  three"],
            "words stay whole"
        );
        assert_eq!(wrapped("short", usize::MAX), ["short"]);
    }

    proptest! {
        #[test]
        fn pieces_fit_are_indented_and_leave_nothing_out(text in "[ a-z1>.äあ🦀]{0,200}", width in 8_usize..100) {
            let pieces = wrapped(&text, width);
            let mut whole = String::new();
            for (i, p) in pieces.iter().enumerate() {
                prop_assert!(unicode_width::UnicodeWidthStr::width(p.as_str()) <= width, "{p:?}");
                if i == 0 {
                    whole.push_str(p);
                } else {
                    prop_assert!(p.starts_with("  "), "{p:?}");
                    whole.push_str(&p[2..]);
                }
            }
            prop_assert_eq!(whole, text);
        }

        #[test]
        fn nothing_acts_on_a_terminal(text in any::<String>(), utf8 in any::<bool>()) {
            let mut paper = Paper::new(utf8, true);
            paper.say(&text);
            paper.quote(&text);
            for l in paper.take() {
                prop_assert!(!l.chars().any(char::is_control), "{l:?}");
                prop_assert!(utf8 || l.is_ascii());
            }
        }
    }
}
