//! Text on its way to the screen: pieces that are fit for it by construction, and lines of a given width.

use super::style::Look;
use crate::engine::view;
use kit::text::{Redacted, ScreenText};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// A run of text in one look. Every way of making one goes through [`ScreenText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    text: String,
    look: Look,
}

impl Piece {
    /// The program's own words, numbers, or text that was redacted before.
    #[must_use]
    pub fn new(text: impl AsRef<str>, look: Look) -> Self {
        let text = view::screen(text.as_ref()).as_str().replace('\t', "    ");
        Self { text, look }
    }

    /// Running text.
    #[must_use]
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::new(text, Look::Plain)
    }

    /// Less important text.
    #[must_use]
    pub fn dim(text: impl AsRef<str>) -> Self {
        Self::new(text, Look::Dim)
    }

    /// Text of a tool or model.
    #[must_use]
    pub fn of(text: &Redacted, look: Look) -> Self {
        let text = ScreenText::from(text).as_str().replace('\t', "    ");
        Self { text, look }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The look.
    #[must_use]
    pub const fn look(&self) -> Look {
        self.look
    }

    /// The same text in another look.
    #[must_use]
    pub fn with(mut self, look: Look) -> Self {
        self.look = look;
        self
    }
}

/// Width of text in cells, as it will be drawn.
#[must_use]
pub fn width(text: &str) -> usize {
    text.graphemes(true).map(cells).sum()
}

/// Width of one grapheme in cells; what has none is not drawn.
#[must_use]
pub fn cells(grapheme: &str) -> usize {
    grapheme.width()
}

/// Text cut to `most` cells, `…` standing for what was cut.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut at = 0;
    for g in text.graphemes(true) {
        let w = cells(g);
        if at + w + 1 > most {
            break;
        }
        out.push_str(g);
        at += w;
    }
    if most > 0 {
        out.push('…');
    }
    out
}

/// Text in one line of at most `most` cells.
#[must_use]
pub fn one_line(text: &str, most: usize) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// Text filled up to `to` cells, cut where it is longer.
#[must_use]
pub fn fit(text: &str, to: usize) -> String {
    let mut out = cut(text, to);
    let missing = to.saturating_sub(width(&out));
    out.push_str(&" ".repeat(missing));
    out
}

struct Wrapper {
    width: usize,
    rest: String,
    lines: Vec<Line<'static>>,
    spans: Vec<(String, Look)>,
    used: usize,
    /// Where the last blank of the current line ends: index of span, byte in it, cells before.
    blank: Option<(usize, usize, usize)>,
    indent: usize,
}

impl Wrapper {
    fn begin(&mut self, prefix: &str) {
        self.spans = vec![(prefix.to_owned(), Look::Plain)];
        self.used = width(prefix);
        self.indent = self.used;
        self.blank = None;
    }

    fn end(&mut self) {
        let spans: Vec<Span<'static>> = std::mem::take(&mut self.spans)
            .into_iter()
            .filter(|(t, _)| !t.is_empty())
            .map(|(t, look)| Span::styled(t, look.style()))
            .collect();
        self.lines.push(Line::from(spans));
    }

    fn next(&mut self) {
        self.end();
        let rest = self.rest.clone();
        self.begin(&rest);
    }

    fn put(&mut self, grapheme: &str, look: Look) {
        let w = cells(grapheme);
        if w == 0 && grapheme != " " {
            return;
        }
        if self.used + w > self.width {
            if grapheme == " " {
                self.next();
                return;
            }
            match self.blank.take() {
                Some((span, byte, at)) if at > self.indent => {
                    // The word that does not fit moves to the next line whole.
                    let mut moved: Vec<(String, Look)> = Vec::new();
                    if let Some((text, look)) = self.spans.get_mut(span) {
                        let tail = text.split_off(byte.min(text.len()));
                        moved.push((tail, *look));
                    }
                    moved.extend(self.spans.drain((span + 1).min(self.spans.len())..));
                    if let Some((text, _)) = self.spans.last_mut() {
                        let kept = text.trim_end().len();
                        text.truncate(kept);
                    }
                    self.next();
                    for (text, look) in moved {
                        self.used += width(&text);
                        self.spans.push((text, look));
                    }
                }
                _ => self.next(),
            }
            // The word that moved may fill the new line by itself.
            if self.used + w > self.width && self.used > self.indent {
                self.next();
            }
            if self.used + w > self.width {
                // Not even an empty line has room.
                if self.used < self.width {
                    self.push("…", look);
                    self.used += 1;
                }
                return;
            }
        }
        self.push(grapheme, look);
        self.used += w;
        if grapheme == " " {
            let span = self.spans.len() - 1;
            let byte = self.spans.last().map_or(0, |(t, _)| t.len());
            self.blank = Some((span, byte, self.used));
        }
    }

    fn push(&mut self, text: &str, look: Look) {
        match self.spans.last_mut() {
            Some((t, l)) if *l == look => t.push_str(text),
            _ => self.spans.push((text.to_owned(), look)),
        }
    }
}

/// Lines of at most `width` cells. `first` and `rest` are put before the first line and the others.
#[must_use]
pub fn wrap(pieces: &[Piece], width: usize, first: &str, rest: &str) -> Vec<Line<'static>> {
    let width = width.max(1);
    // A prefix that leaves no room is left out.
    let roomy = |p: &str| {
        if self::width(p) + 2 > width {
            String::new()
        } else {
            p.to_owned()
        }
    };
    let mut w = Wrapper {
        width,
        rest: roomy(rest),
        lines: Vec::new(),
        spans: Vec::new(),
        used: 0,
        blank: None,
        indent: 0,
    };
    w.begin(&roomy(first));
    for piece in pieces {
        for g in piece.text.graphemes(true) {
            if g == "\n" {
                w.next();
            } else {
                w.put(g, piece.look);
            }
        }
    }
    w.end();
    w.lines
}

/// One line, cut to `width`.
#[must_use]
pub fn line(pieces: &[Piece], most: usize) -> Line<'static> {
    let mut left = most;
    let mut spans = Vec::new();
    for p in pieces {
        if left == 0 {
            break;
        }
        let text = cut(&p.text.replace('\n', "␊"), left);
        left = left.saturating_sub(width(&text));
        let cut_off = width(&text) < width(&p.text);
        spans.push(Span::styled(text, p.look.style()));
        if cut_off {
            break;
        }
    }
    Line::from(spans)
}
