//! Markdown of an answer as lines. Text is made fit for the screen again after parsing, because an
//! entity (`&#27;`) is a control character only then. For the same reason a block is looked through for
//! secrets again: marks (`**`, `~~`, backticks) hide one from whoever reads the source of the text.

use super::style::Look;
use super::table;
use super::text::{Piece, wrap};
use crate::engine::own_words::OwnWords;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use ratatui::text::Line;

pub use crate::surface::blocks::finished;

struct List {
    next: Option<u64>,
}

struct Renderer {
    width: usize,
    lines: Vec<Line<'static>>,
    pieces: Vec<Piece>,
    looks: Vec<Look>,
    lists: Vec<List>,
    quotes: usize,
    item: Option<String>,
    code: Option<String>,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cell: Option<String>,
    links: Vec<String>,
    words: Option<OwnWords>,
}

/// Lines of at most `width` cells.
#[must_use]
pub fn render(text: &str, width: usize) -> Vec<Line<'static>> {
    rendered(text, width, None)
}

/// The same, with every block whose text holds a secret of the program once its marks are gone drawn
/// redacted, without looks.
#[must_use]
pub fn guarded(text: &str, width: usize, words: &OwnWords) -> Vec<Line<'static>> {
    rendered(text, width, Some(words.clone()))
}

fn rendered(text: &str, width: usize, words: Option<OwnWords>) -> Vec<Line<'static>> {
    let mut options = Options::empty();
    options.insert(Options::ENABLE_TABLES);
    options.insert(Options::ENABLE_STRIKETHROUGH);
    let mut r = Renderer {
        width: width.max(4),
        lines: Vec::new(),
        pieces: Vec::new(),
        looks: Vec::new(),
        lists: Vec::new(),
        quotes: 0,
        item: None,
        code: None,
        heads: Vec::new(),
        rows: Vec::new(),
        row: Vec::new(),
        cell: None,
        links: Vec::new(),
        words,
    };
    for event in Parser::new_ext(text, options) {
        r.event(event);
    }
    r.flush();
    while r.lines.last().is_some_and(|l| l.width() == 0) {
        r.lines.pop();
    }
    r.lines
}

impl Renderer {
    fn look(&self) -> Look {
        self.looks.last().copied().unwrap_or_default()
    }

    fn prefix(&self) -> String {
        let mut out = "│ ".repeat(self.quotes.min(4));
        out.push_str(&"  ".repeat(self.lists.len().saturating_sub(1).min(6)));
        out
    }

    /// What is drawn instead of this text; `None`: the text itself.
    fn mended(&self, text: &str) -> Option<String> {
        self.words.as_ref().and_then(|w| w.mended(text))
    }

    fn mend(&self, text: &mut String) {
        if let Some(safe) = self.mended(text) {
            *text = safe;
        }
    }

    fn text(&mut self, text: &str, look: Look) {
        if let Some(cell) = &mut self.cell {
            cell.push_str(text);
            return;
        }
        push_marked(&mut self.pieces, text, look);
    }

    fn flush(&mut self) {
        if self.pieces.is_empty() && self.item.is_none() {
            return;
        }
        let prefix = self.prefix();
        let (first, rest) = match self.item.take() {
            Some(mark) => {
                let blank = " ".repeat(super::text::width(&mark));
                (format!("{prefix}{mark}"), format!("{prefix}{blank}"))
            }
            None if !self.lists.is_empty() => (format!("{prefix}  "), format!("{prefix}  ")),
            None => (prefix.clone(), prefix),
        };
        let mut pieces = std::mem::take(&mut self.pieces);
        let whole: String = pieces.iter().map(Piece::as_str).collect();
        if let Some(safe) = self.mended(&whole) {
            pieces.clear();
            push_marked(&mut pieces, &safe, Look::Plain);
        }
        self.lines.extend(wrap(&pieces, self.width, &first, &rest));
    }

    fn gap(&mut self) {
        if self.lists.is_empty() && self.lines.last().is_some_and(|l| l.width() > 0) {
            self.lines.push(Line::default());
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(t) => match &mut self.code {
                Some(code) => code.push_str(&t),
                None => {
                    let look = self.look();
                    self.text(&t, look);
                }
            },
            Event::Code(t) => self.text(&t, Look::Code),
            // HTML is text: nothing interprets it.
            Event::Html(t) | Event::InlineHtml(t) => self.text(&t, Look::Plain),
            Event::SoftBreak => self.text(" ", Look::Plain),
            Event::HardBreak => self.text("\n", Look::Plain),
            Event::Rule => {
                self.flush();
                self.lines.push(Line::styled(
                    "─".repeat(self.width.min(24)),
                    Look::Dim.style(),
                ));
                self.gap();
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.flush();
                self.gap();
                self.looks.push(Look::Heading);
            }
            Tag::Strong => self.looks.push(Look::Bold),
            Tag::Emphasis => self.looks.push(Look::Italic),
            Tag::Strikethrough => self.looks.push(Look::Dim),
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::List(next) => {
                self.flush();
                self.lists.push(List { next });
            }
            Tag::Item => {
                self.flush();
                let mark = match self.lists.last_mut() {
                    Some(List { next: Some(n) }) => {
                        let mark = format!("{n}. ");
                        *n += 1;
                        mark
                    }
                    _ => "- ".to_owned(),
                };
                self.item = Some(mark);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                if let CodeBlockKind::Fenced(name) = kind
                    && !name.is_empty()
                {
                    let mut name = name.into_string();
                    self.mend(&mut name);
                    self.lines
                        .extend(wrap(&[Piece::dim(name)], self.width, "  ", "  "));
                }
                self.code = Some(String::new());
            }
            Tag::Table(_) => {
                self.flush();
                self.heads.clear();
                self.rows.clear();
            }
            Tag::TableHead | Tag::TableRow => self.row.clear(),
            Tag::TableCell => self.cell = Some(String::new()),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push(dest_url.into_string());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => {
                self.flush();
                self.gap();
            }
            TagEnd::Heading(_) => {
                self.flush();
                self.looks.pop();
            }
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough => {
                self.looks.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
                self.gap();
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.gap();
            }
            TagEnd::Item => self.flush(),
            TagEnd::CodeBlock => {
                let mut code = self.code.take().unwrap_or_default();
                self.mend(&mut code);
                let prefix = format!("{}  ", self.prefix());
                for line in code.trim_end_matches('\n').split('\n') {
                    let piece = Piece::new(line, Look::Code);
                    self.lines
                        .extend(wrap(&[piece], self.width, &prefix, &prefix));
                }
                self.gap();
            }
            TagEnd::TableCell => {
                let mut cell = self.cell.take().unwrap_or_default();
                self.mend(&mut cell);
                self.row.push(cell);
            }
            TagEnd::TableHead => self.heads = std::mem::take(&mut self.row),
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                self.rows.push(row);
            }
            TagEnd::Table => {
                let prefix = self.prefix();
                self.lines
                    .extend(table::table(&self.heads, &self.rows, self.width, &prefix));
                self.gap();
            }
            TagEnd::Link | TagEnd::Image => {
                if let Some(to) = self.links.pop() {
                    // Where a link leads is always said, and never as something that can be clicked.
                    let to = crate::engine::view::Defang::plain().text(&to);
                    let shown = self.pieces.last().is_some_and(|p| p.as_str() == to);
                    if !shown && !to.is_empty() {
                        self.text(&format!(" ({to})"), Look::Dim);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Splits text at `E7` references and the program's own marks.
fn push_marked(pieces: &mut Vec<Piece>, text: &str, look: Look) {
    let mut rest = text;
    loop {
        let mark = rest.find('⟦').and_then(|a| {
            rest[a..]
                .find('⟧')
                .map(|b| (a, a + b + '⟧'.len_utf8(), Look::Warn))
        });
        let reference = find_reference(rest).map(|(a, b)| (a, b, Look::Link));
        let Some((a, b, special)) = [mark, reference].into_iter().flatten().min_by_key(|m| m.0)
        else {
            break;
        };
        if a > 0 {
            pieces.push(Piece::new(&rest[..a], look));
        }
        pieces.push(Piece::new(&rest[a..b], special));
        rest = &rest[b..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::new(rest, look));
    }
}

/// The first `E12` that stands alone.
fn find_reference(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let word = |i: usize| {
        bytes
            .get(i)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('E') {
        let start = at + found;
        let mut end = start + 1;
        while bytes.get(end).is_some_and(u8::is_ascii_digit) && end - start < 8 {
            end += 1;
        }
        let alone = (start == 0 || !word(start - 1)) && !word(end);
        // Text that goes on with a dot is a name or a version, not a reference.
        let named = bytes.get(end) == Some(&b'.') && word(end + 1);
        if end > start + 1 && alone && !named {
            return Some((start, end));
        }
        at = start + 1;
    }
    None
}
