//! The evidence: the list, one piece as table, raw form or difference, and what it mentions.

use super::app::Room;
use super::style::Look;
use super::table;
use super::text::{Piece, line, wrap};
use crate::engine::view::{self, Defang, EvidenceRow, Status};
use crate::surface::raw::{self, pretty};
use kit::indicator::Indicator;
use ratatui::text::{Line, Span};
use std::collections::HashMap;

/// Lines of a raw form that are drawn; the rest is in the file that copying makes.
const RAW_LINES: usize = 20_000;

/// What the pane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shows {
    /// The list.
    #[default]
    List,
    /// One piece.
    Piece,
    /// Mentioned indicators.
    Mentioned,
}

/// How one piece is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As a table.
    #[default]
    Table,
    /// As it came.
    Raw,
    /// Against the look-up before.
    Difference,
}

/// The pane of a room.
#[derive(Debug, Default)]
pub struct EvidencePane {
    /// What shows.
    pub shows: Shows,
    /// Form.
    pub form: Form,
    /// Selected line of the list (from the newest, 0) or of the mentioned.
    pub selected: usize,
    /// The piece that is open.
    pub open: Option<u32>,
    /// First line of the piece that shows.
    pub scroll: usize,
    /// Words looked for in the piece.
    pub search: String,
    /// Rows that came.
    pub rows: HashMap<u32, EvidenceRow>,
    cache: Option<Cached>,
}

#[derive(Debug)]
struct Cached {
    key: (u32, Form, usize, bool),
    lines: Vec<Line<'static>>,
}

/// The evidence before this one about the same thing from the same tool.
#[must_use]
pub fn earlier(room: &Room, n: u32) -> Option<u32> {
    let this = room.state.evidence.iter().find(|e| e.n == n)?;
    room.state
        .evidence
        .iter()
        .rev()
        .find(|e| e.n < n && e.tool == this.tool && e.subject == this.subject)
        .map(|e| e.n)
}

/// Indicators that the last answers mention and that wait for nobody, newest turn first.
#[must_use]
pub fn mentioned(room: &Room) -> Vec<(Indicator, Option<u32>)> {
    crate::surface::mentioned(&room.state)
}

fn status(s: Status) -> (&'static str, Look) {
    match s {
        Status::Found => ("found", Look::Good),
        Status::NotFound => ("not found", Look::Bold),
        Status::CouldNotLook => ("could not look", Look::Warn),
    }
}

/// The lines of the list, newest first, and the one that is selected.
#[must_use]
pub fn list(
    room: &Room,
    width: usize,
    wall: i64,
    defang: bool,
    focused: bool,
) -> Vec<Line<'static>> {
    room.state
        .evidence
        .iter()
        .rev()
        .enumerate()
        .map(|(i, e)| {
            let (word, look) = status(e.status);
            let value = match &e.subject {
                Some(s) if defang => s.defanged(),
                Some(s) => s.value().to_owned(),
                None => String::new(),
            };
            let age = u64::try_from(wall.saturating_sub(e.at_ms).max(0) / 1000).unwrap_or(0);
            let selected = i == room.evidence.selected;
            let mark = if selected { "›" } else { " " };
            let pieces = [
                Piece::plain(mark),
                Piece::new(format!("E{} ", e.n), Look::Link),
                Piece::new(format!("{} ", e.tool), Look::Name),
                Piece::new(format!("{word} "), look),
                Piece::plain(format!("{value} ")),
                Piece::dim(format!("{} ago", view::age(age))),
            ];
            let l = line(&pieces, width);
            if selected && focused {
                l.style(Look::Selected.style())
            } else {
                l
            }
        })
        .collect()
}

/// The lines of the mentioned indicators.
#[must_use]
pub fn mentioned_lines(
    room: &Room,
    width: usize,
    defang: bool,
    focused: bool,
) -> Vec<Line<'static>> {
    mentioned(room)
        .into_iter()
        .enumerate()
        .map(|(i, (indicator, found))| {
            let value = if defang {
                indicator.defanged()
            } else {
                indicator.value().to_owned()
            };
            let selected = i == room.evidence.selected;
            let mut pieces = vec![
                Piece::plain(if selected { "›" } else { " " }),
                Piece::plain(format!("{value} ")),
                Piece::dim(format!("({})", indicator.kind())),
            ];
            if let Some(e) = found {
                pieces.push(Piece::new(format!(" E{e}"), Look::Link));
            }
            let l = line(&pieces, width);
            if selected && focused {
                l.style(Look::Selected.style())
            } else {
                l
            }
        })
        .collect()
}

/// The head of a piece: what it is, where from, how sure it is what it was.
fn head(row: &EvidenceRow, width: usize, defang: bool) -> Vec<Line<'static>> {
    let m = &row.meta;
    let (word, look) = status(m.status);
    let value = match &m.subject {
        Some(s) if defang => s.defanged(),
        Some(s) => s.value().to_owned(),
        None => String::new(),
    };
    let mut first = vec![
        Piece::new(format!("E{} ", m.n), Look::Link),
        Piece::new(format!("{} ", m.tool), Look::Name),
        Piece::plain(format!("{value} ")),
        Piece::new(word, look),
    ];
    if let Some(d) = &m.detail {
        first.push(Piece::new(format!(": {d}"), Look::Warn));
    }
    if let Some(v) = m.verdict.filter(|v| v.name() != "unknown") {
        let look = if v.name() == "harmless" {
            Look::Good
        } else {
            Look::Bad
        };
        first.push(Piece::new(format!(" {}", v.name()), look));
        if !m.verdict_basis.as_str().is_empty() {
            first.push(Piece::dim(format!(" ({})", m.verdict_basis.as_str())));
        }
    }
    let mut out = wrap(&first, width, "", "  ");
    let mut second = format!(
        "asked {}, {}.{} s, {} bytes, sha256 {}",
        view::local(m.asked_ms),
        m.took_ms / 1000,
        m.took_ms % 1000 / 100,
        m.bytes,
        m.sha256.get(..12).unwrap_or(&m.sha256)
    );
    if m.age_s > 0 {
        second.push_str(&format!(", {} old", view::age(m.age_s)));
    }
    if let Some(d) = &m.source_date {
        second.push_str(&format!(", data of {}", d.as_str()));
    }
    out.extend(wrap(&[Piece::dim(second)], width, "", "  "));
    if !m.source_url.as_str().is_empty() {
        let url = Defang::plain().text(m.source_url.as_str());
        out.extend(wrap(&[Piece::dim(url)], width, "", "  "));
    }
    out
}

fn rows(
    row: &EvidenceRow,
    width: usize,
    defang: Option<&Defang>,
    most: usize,
) -> Vec<Line<'static>> {
    let cells: Vec<Vec<String>> = row
        .meta
        .rows
        .iter()
        .take(most)
        .map(|r| {
            r.iter()
                .map(|c| defang.map_or_else(|| c.as_str().to_owned(), |d| d.text(c.as_str())))
                .collect()
        })
        .collect();
    let mut out = table::table(&row.meta.columns, &cells, width, "");
    let shown = cells.len() as u64;
    let all = row
        .meta
        .total_rows
        .unwrap_or(0)
        .max(row.meta.rows.len() as u64);
    if all > shown {
        out.push(line(&[Piece::dim(format!("{shown} of {all} rows"))], width));
    }
    out
}

/// A piece inside the narrative.
#[must_use]
pub fn inline(row: &EvidenceRow, width: usize, defang: Option<&Defang>) -> Vec<Line<'static>> {
    let mut out = head(row, width, defang.is_some());
    out.truncate(1);
    out.extend(rows(row, width, defang, 30));
    out
}

/// The lines of the open piece in its form.
pub fn piece(room: &mut Room, width: usize, defang: bool) -> &[Line<'static>] {
    let Some(n) = room.evidence.open else {
        return &[];
    };
    let form = room.evidence.form;
    let before = earlier(room, n);
    let came = room.evidence.rows.contains_key(&n)
        && (form != Form::Difference || before.is_none_or(|b| room.evidence.rows.contains_key(&b)));
    let key = (n, form, width, came);
    if room.evidence.cache.as_ref().is_none_or(|c| c.key != key) {
        let lines = match room.evidence.rows.get(&n) {
            None => vec![line(&[Piece::dim(format!("E{n} is being fetched"))], width)],
            Some(row) => {
                let mut out = head(row, width, defang);
                out.push(Line::default());
                match form {
                    Form::Table => {
                        let d = defang.then(Defang::plain);
                        let table = rows(row, width, d.as_ref(), usize::MAX);
                        if table.is_empty() {
                            out.push(line(&[Piece::dim("no rows; v shows the raw form")], width));
                        }
                        out.extend(table);
                    }
                    Form::Raw => out.extend(raw(row, width)),
                    Form::Difference => match before.and_then(|b| room.evidence.rows.get(&b)) {
                        Some(old) => out.extend(difference(old, row, width)),
                        None => out.push(line(
                            &[Piece::dim("there is no earlier look-up of the same thing")],
                            width,
                        )),
                    },
                }
                out
            }
        };
        room.evidence.cache = Some(Cached { key, lines });
    }
    room.evidence.cache.as_ref().map_or(&[], |c| &c.lines)
}

fn raw(row: &EvidenceRow, width: usize) -> Vec<Line<'static>> {
    let text = pretty(row.raw.as_str());
    if text.is_empty() {
        return vec![line(&[Piece::dim("the source sent nothing")], width)];
    }
    let mut out = Vec::new();
    for l in text.lines() {
        if out.len() >= RAW_LINES {
            out.push(line(
                &[Piece::new("… the rest is in the copy (y)", Look::Warn)],
                width,
            ));
            break;
        }
        let indent: String = l.chars().take_while(|c| *c == ' ').take(24).collect();
        let inner = format!("{indent}  ");
        out.extend(wrap(&colour(l), width, "", &inner));
    }
    out
}

/// A line of JSON in colours: keys, text, numbers and words.
fn colour(l: &str) -> Vec<Piece> {
    let body = l.trim_start();
    let indent = &l[..l.len() - body.len()];
    let mut out = vec![Piece::plain(indent)];
    let mut rest = body;
    if let Some(end) = string_end(rest)
        && rest.get(end..).is_some_and(|r| r.starts_with(": "))
    {
        out.push(Piece::new(&rest[..end], Look::Name));
        out.push(Piece::plain(": "));
        rest = &rest[end + 2..];
    }
    let (value, comma) = match rest.strip_suffix(',') {
        Some(v) => (v, ","),
        None => (rest, ""),
    };
    let look = match value.chars().next() {
        Some('"') => Look::Good,
        Some('{' | '}' | '[' | ']') | None => Look::Plain,
        _ => Look::Code,
    };
    out.push(Piece::new(value, look));
    out.push(Piece::plain(comma));
    out
}

fn string_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    if chars.next()?.1 != '"' {
        return None;
    }
    let mut escaped = false;
    for (i, c) in chars {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(i + 1),
            _ => {}
        }
    }
    None
}

/// What is only in the old one and only in the new one.
fn difference(old: &EvidenceRow, new: &EvidenceRow, width: usize) -> Vec<Line<'static>> {
    let (a, b) = (pretty(old.raw.as_str()), pretty(new.raw.as_str()));
    let (removed, added) = raw::changes(&a, &b);
    let mut out = vec![line(
        &[Piece::dim(format!(
            "against E{} of {}",
            old.meta.n,
            view::local(old.meta.asked_ms)
        ))],
        width,
    )];
    if added.is_empty() && removed.is_empty() {
        out.push(line(&[Piece::new("nothing changed", Look::Good)], width));
    }
    for (mark, look, lines) in [("- ", Look::Bad, removed), ("+ ", Look::Good, added)] {
        for l in lines.into_iter().take(RAW_LINES) {
            out.extend(wrap(&[Piece::new(l.trim(), look)], width, mark, "  "));
        }
    }
    out
}

/// Lines with every place of `words` marked, and the numbers of the lines that hold them.
#[must_use]
pub fn hits(lines: &[Line<'static>], words: &str) -> Vec<usize> {
    let wanted = words.to_lowercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    lines
        .iter()
        .enumerate()
        .filter(|(_, l)| plain(l).to_lowercase().contains(&wanted))
        .map(|(i, _)| i)
        .collect()
}

/// The text of a line.
#[must_use]
pub fn plain(l: &Line<'_>) -> String {
    l.spans
        .iter()
        .map(|s: &Span<'_>| s.content.as_ref())
        .collect()
}

/// The piece as clean text, for copying: the table with tabs between its cells, or the raw form.
#[must_use]
pub fn copy(room: &Room) -> Option<String> {
    let row = room.evidence.rows.get(&room.evidence.open?)?;
    let text = match room.evidence.form {
        Form::Table => {
            let mut out = row.meta.columns.join("\t");
            for r in &row.meta.rows {
                out.push('\n');
                let cells: Vec<String> = r
                    .iter()
                    .map(|c| c.as_str().replace(['\t', '\n', '\r'], " "))
                    .collect();
                out.push_str(&cells.join("\t"));
            }
            out
        }
        Form::Raw | Form::Difference => pretty(row.raw.as_str()),
    };
    Some(view::screen(&text).as_str().to_owned())
}
