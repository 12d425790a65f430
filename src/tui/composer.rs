//! The editor of a message. The cursor is a byte offset that always stands between two graphemes.

use super::text::cells;
use crate::engine::view;
use unicode_segmentation::UnicodeSegmentation as _;

/// A paste of more lines than this becomes an attachment.
pub const PASTE_LINES: usize = 10;

/// A paste of more bytes than this becomes an attachment too.
pub const PASTE_BYTES: usize = 4096;

/// Text with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composer {
    text: String,
    at: usize,
    undo: Vec<(String, usize)>,
}

/// A line on screen: its text, and the byte range that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Text fit for the screen.
    pub text: String,
    /// First byte.
    pub start: usize,
    /// Byte behind the last.
    pub end: usize,
}

impl Composer {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the cursor stands, in bytes.
    #[must_use]
    pub const fn cursor(&self) -> usize {
        self.at
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Replaces everything; the cursor goes to the end.
    pub fn set(&mut self, text: impl Into<String>) {
        self.keep();
        self.text = text.into();
        self.at = self.text.len();
    }

    /// Takes everything out.
    pub fn take(&mut self) -> String {
        self.undo.clear();
        self.at = 0;
        std::mem::take(&mut self.text)
    }

    fn keep(&mut self) {
        if self.undo.last().is_none_or(|(t, _)| *t != self.text) {
            self.undo.push((self.text.clone(), self.at));
            if self.undo.len() > 100 {
                self.undo.remove(0);
            }
        }
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> bool {
        while let Some((text, at)) = self.undo.pop() {
            if text != self.text {
                self.text = text;
                self.at = at.min(self.text.len());
                self.snap();
                return true;
            }
        }
        false
    }

    /// A joined cluster may form around the cursor; it then stands behind it.
    fn snap(&mut self) {
        let at = self.at;
        self.at = self
            .text
            .grapheme_indices(true)
            .map(|(i, g)| i + g.len())
            .find(|end| *end >= at)
            .unwrap_or(self.text.len());
        if at == 0 {
            self.at = 0;
        }
    }

    /// Puts text in at the cursor. Line ends become `\n`.
    pub fn insert(&mut self, text: &str) {
        let one_letter = text.chars().count() == 1 && text != " " && text != "\n";
        if !one_letter || self.undo.is_empty() {
            self.keep();
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.text.insert_str(self.at, &text);
        self.at += text.len();
        self.snap();
    }

    fn before(&self) -> usize {
        self.text[..self.at]
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |(i, _)| i)
    }

    fn after(&self) -> usize {
        self.text[self.at..]
            .graphemes(true)
            .next()
            .map_or(self.at, |g| self.at + g.len())
    }

    /// Deletes what is left of the cursor.
    pub fn backspace(&mut self) {
        let from = self.before();
        self.cut(from, self.at);
    }

    /// Deletes what is right of the cursor.
    pub fn delete(&mut self) {
        let to = self.after();
        self.cut(self.at, to);
    }

    fn cut(&mut self, from: usize, to: usize) {
        if from < to {
            self.keep();
            self.text.replace_range(from..to, "");
            self.at = from;
            self.snap();
        }
    }

    /// One grapheme left.
    pub fn left(&mut self) {
        self.at = self.before();
    }

    /// One grapheme right.
    pub fn right(&mut self) {
        self.at = self.after();
    }

    fn word_before(&self) -> usize {
        self.text[..self.at]
            .split_word_bound_indices()
            .rev()
            .find(|(_, w)| !w.trim().is_empty())
            .map_or(0, |(i, _)| i)
    }

    fn word_after(&self) -> usize {
        self.text[self.at..]
            .split_word_bound_indices()
            .find(|(_, w)| !w.trim().is_empty())
            .map_or(self.text.len(), |(i, w)| self.at + i + w.len())
    }

    /// One word left.
    pub fn word_left(&mut self) {
        self.at = self.word_before();
    }

    /// One word right.
    pub fn word_right(&mut self) {
        self.at = self.word_after();
    }

    /// Deletes the word left of the cursor.
    pub fn cut_word(&mut self) {
        let from = self.word_before();
        self.cut(from, self.at);
    }

    /// To the begin of the line.
    pub fn home(&mut self) {
        self.at = self.text[..self.at].rfind('\n').map_or(0, |i| i + 1);
    }

    /// To the end of the line.
    pub fn end(&mut self) {
        self.at = self.text[self.at..]
            .find('\n')
            .map_or(self.text.len(), |i| self.at + i);
    }

    /// Deletes to the end of the line.
    pub fn cut_to_end(&mut self) {
        let to = self.text[self.at..]
            .find('\n')
            .map_or(self.text.len(), |i| self.at + i);
        let to = if to == self.at { self.after() } else { to };
        self.cut(self.at, to);
    }

    /// Deletes to the begin of the line.
    pub fn cut_to_home(&mut self) {
        let from = self.text[..self.at].rfind('\n').map_or(0, |i| i + 1);
        self.cut(from, self.at);
    }

    /// Replaces the bytes from `from` to the cursor (a completion).
    pub fn replace_before(&mut self, from: usize, with: &str) {
        if from <= self.at && self.text.is_char_boundary(from) {
            self.keep();
            self.text.replace_range(from..self.at, with);
            self.at = from + with.len();
            self.snap();
        }
    }

    /// The lines on a screen of this width.
    #[must_use]
    pub fn lines(&self, width: usize) -> Vec<Shown> {
        let width = width.max(2);
        let mut out = vec![Shown {
            text: String::new(),
            start: 0,
            end: 0,
        }];
        let mut used = 0;
        for (i, g) in self.text.grapheme_indices(true) {
            let end = i + g.len();
            if g == "\n" {
                out.push(Shown {
                    text: String::new(),
                    start: end,
                    end,
                });
                used = 0;
                continue;
            }
            let shown = visible(g);
            let w = super::text::width(&shown);
            if used + w > width && used > 0 {
                out.push(Shown {
                    text: String::new(),
                    start: i,
                    end: i,
                });
                used = 0;
            }
            if let Some(last) = out.last_mut() {
                last.text.push_str(&super::text::cut(&shown, width));
                last.end = end;
            }
            used += w.min(width);
        }
        out
    }

    /// Line and column of the cursor on a screen of this width.
    #[must_use]
    pub fn place(&self, width: usize) -> (usize, usize) {
        let lines = self.lines(width);
        let row = lines
            .iter()
            .rposition(|l| l.start <= self.at)
            .unwrap_or_default();
        let start = lines.get(row).map_or(0, |l| l.start);
        let column = self
            .text
            .get(start..self.at)
            .unwrap_or_default()
            .graphemes(true)
            .map(|g| super::text::width(&visible(g)))
            .sum::<usize>();
        (row, column.min(width.max(2)))
    }

    /// One line up on a screen of this width; false when it is the first.
    pub fn up(&mut self, width: usize) -> bool {
        let (row, column) = self.place(width);
        row.checked_sub(1)
            .is_some_and(|row| self.to(row, column, width))
    }

    /// One line down; false when it is the last.
    pub fn down(&mut self, width: usize) -> bool {
        let (row, column) = self.place(width);
        self.to(row + 1, column, width)
    }

    fn to(&mut self, row: usize, column: usize, width: usize) -> bool {
        let lines = self.lines(width);
        let Some(line) = lines.get(row) else {
            return false;
        };
        let mut used = 0;
        let mut at = line.start;
        let text = self.text.get(line.start..line.end).unwrap_or_default();
        let last = lines.len() == row + 1;
        for (i, g) in text.grapheme_indices(true) {
            let w = super::text::width(&visible(g));
            let next = line.start + i + g.len();
            if used + w > column
                || (next == line.end && !last && self.text.as_bytes().get(next) != Some(&b'\n'))
            {
                break;
            }
            used += w;
            at = next;
        }
        self.at = at;
        true
    }
}

/// A grapheme as it is drawn.
fn visible(g: &str) -> String {
    if g == "\t" {
        return "    ".to_owned();
    }
    let shown = view::screen(g);
    if cells(shown.as_str()) == 0 && shown.as_str().graphemes(true).count() <= 1 {
        return "·".to_owned();
    }
    shown.as_str().to_owned()
}
