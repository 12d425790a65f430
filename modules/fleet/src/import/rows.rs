//! CSV and JSON as rows of known columns, one at a time.

use super::{Format, ImportError, Input, ROW_MAX, What};
use serde::de::{DeserializeSeed, Deserializer as _, SeqAccess, Visitor};
use serde_json::Value;
use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

/// How much of a file is looked at to tell how it is written.
const HEAD: usize = 64 << 10;

/// A row: one cell for each known column, empty where the file has none.
pub(super) struct Row {
    /// Line or entry.
    pub(super) at: u64,
    pub(super) cells: Vec<String>,
}

impl Row {
    /// All cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(String::as_str)
    }

    /// The cell of this column, trimmed.
    pub(super) fn get(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }
}

/// The next thing in a file.
pub(super) enum Next {
    Row(Row),
    /// A row that is none, and why.
    Bad(u64, String),
}

/// Hears of every row, with the word for its place.
type OnRow<'f> = &'f mut dyn FnMut(&'static str, Next) -> Result<(), ImportError>;

/// Gives up where more than [`ROW_MAX`] bytes are read for one row.
struct Capped<R> {
    inner: R,
    left: Rc<Cell<usize>>,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        match self.left.get().checked_sub(n) {
            Some(left) => self.left.set(left),
            None => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "a row is longer than 1 MiB: a quote is not closed, or it is another kind of file",
                ));
            }
        }
        Ok(n)
    }
}

/// Calls `on` for every row.
pub(super) fn each(input: Input<'_>, on: OnRow<'_>) -> Result<(), ImportError> {
    let what = input.what;
    let unit = match input.format {
        Format::Csv => "line",
        Format::Json => "entry",
    };
    let broken = |why: String| ImportError::Broken {
        what,
        at: 0,
        unit,
        why,
    };
    let mut read = input.read;
    let mut head = Vec::new();
    read.by_ref()
        .take(HEAD as u64)
        .read_to_end(&mut head)
        .map_err(|e| broken(e.to_string()))?;
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
        return Err(broken(
            "it is written in UTF-16: save it as CSV in UTF-8".to_owned(),
        ));
    }
    if head.starts_with(&[0xef, 0xbb, 0xbf]) {
        head.drain(..3);
    }
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(broken("it is empty".to_owned()));
    }
    let left = Rc::new(Cell::new(ROW_MAX));
    match input.format {
        Format::Csv => {
            let separator = separator(&head);
            let read = Capped {
                inner: Cursor::new(head).chain(read),
                left: Rc::clone(&left),
            };
            csv(what, read, &left, separator, on)
        }
        Format::Json => {
            let array = head.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'[');
            let read = Capped {
                inner: BufReader::new(Cursor::new(head).chain(read)),
                left: Rc::clone(&left),
            };
            json(what, read, &left, array, on)
        }
    }
}

/// What separates the cells of the first line: spreadsheets of half the world write semicolons.
fn separator(head: &[u8]) -> u8 {
    let first = head
        .split(|b| *b == b'\n')
        .find(|l| !l.iter().all(u8::is_ascii_whitespace))
        .unwrap_or_default();
    let count = |c: u8| first.iter().filter(|b| **b == c).count();
    [b';', b'\t']
        .into_iter()
        .filter(|c| count(*c) > count(b','))
        .max_by_key(|c| count(*c))
        .unwrap_or(b',')
}

/// `OS Version` and `os-version` are `os_version`.
fn normal(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// The place of a column among the known ones.
fn column(what: What, name: &str) -> Result<usize, ImportError> {
    let wanted = normal(name);
    what.columns()
        .iter()
        .position(|c| *c == wanted)
        .ok_or_else(|| ImportError::UnknownColumn {
            what,
            column: name.trim().chars().take(60).collect(),
        })
}

fn csv<R: Read>(
    what: What,
    read: Capped<R>,
    left: &Cell<usize>,
    separator: u8,
    on: OnRow<'_>,
) -> Result<(), ImportError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(read);
    let mut record = csv::ByteRecord::new();
    let mut last = 0_u64;
    let mut header: Option<Vec<Option<usize>>> = None;
    loop {
        left.set(ROW_MAX);
        let more = reader
            .read_byte_record(&mut record)
            .map_err(|e| ImportError::Broken {
                what,
                at: last,
                unit: "line",
                why: plain_csv(&e),
            })?;
        if !more {
            break;
        }
        last = record.position().map_or(last, csv::Position::line);
        if record.iter().all(|c| c.iter().all(u8::is_ascii_whitespace)) {
            continue;
        }
        let Some(header) = &header else {
            header = Some(read_header(what, &record, last)?);
            continue;
        };
        on("line", cells(what, &record, header, last))?;
    }
    if header.is_none() {
        return Err(ImportError::Broken {
            what,
            at: 0,
            unit: "line",
            why: "it is empty".to_owned(),
        });
    }
    Ok(())
}

fn plain_csv(e: &csv::Error) -> String {
    match e.kind() {
        csv::ErrorKind::Io(e) => e.to_string(),
        _ => e.to_string(),
    }
}

/// Which known column each cell of a row belongs to; `None` for a cell without a name.
fn read_header(
    what: What,
    record: &csv::ByteRecord,
    at: u64,
) -> Result<Vec<Option<usize>>, ImportError> {
    let mut header: Vec<Option<usize>> = Vec::with_capacity(record.len());
    for name in record {
        let name = std::str::from_utf8(name).map_err(|_| ImportError::Broken {
            what,
            at,
            unit: "line",
            why: "the header is not UTF-8: save the file as CSV in UTF-8".to_owned(),
        })?;
        if name.trim().is_empty() {
            header.push(None);
            continue;
        }
        let place = column(what, name)?;
        if header.contains(&Some(place)) {
            return Err(ImportError::TwiceColumn {
                what,
                column: name.trim().chars().take(60).collect(),
            });
        }
        header.push(Some(place));
    }
    for (place, name) in what.columns().iter().take(what.required()).enumerate() {
        if !header.contains(&Some(place)) {
            return Err(ImportError::MissingColumn { what, column: name });
        }
    }
    Ok(header)
}

fn cells(what: What, record: &csv::ByteRecord, header: &[Option<usize>], at: u64) -> Next {
    if record.len() != header.len() {
        return Next::Bad(
            at,
            format!(
                "it has {} cells, the header has {}",
                record.len(),
                header.len()
            ),
        );
    }
    let mut cells = vec![String::new(); what.columns().len()];
    for (bytes, place) in record.iter().zip(header) {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Next::Bad(at, "it is not UTF-8".to_owned());
        };
        let text = unescaped(text.trim());
        match place.and_then(|p| cells.get_mut(p)) {
            Some(cell) => text.clone_into(cell),
            None if text.is_empty() => {}
            None => return Next::Bad(at, "a cell stands under no column name".to_owned()),
        }
    }
    Next::Row(Row { at, cells })
}

/// Exports put a `'` before what a spreadsheet would take for a formula: it is not part of the value.
fn unescaped(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@']) => rest,
        _ => text,
    }
}

fn json<R: Read>(
    what: What,
    read: Capped<R>,
    left: &Cell<usize>,
    array: bool,
    on: OnRow<'_>,
) -> Result<(), ImportError> {
    let mut at = 0_u64;
    let mut failed = None;
    let mut de = serde_json::Deserializer::from_reader(read);
    let mut entry = |value: Value| -> Result<(), ()> {
        at += 1;
        left.set(ROW_MAX);
        object(what, at, value)
            .and_then(|next| on("entry", next))
            .map_err(|e| failed = Some(e))
    };
    let read = if array {
        (&mut de)
            .deserialize_seq(Entries { entry: &mut entry })
            .and_then(|()| de.end())
    } else {
        let mut read = Ok(());
        for value in de.into_iter::<Value>() {
            match value {
                Ok(value) => {
                    if entry(value).is_err() {
                        break;
                    }
                }
                Err(e) => {
                    read = Err(e);
                    break;
                }
            }
        }
        read
    };
    if let Some(e) = failed {
        return Err(e);
    }
    read.map_err(|e| ImportError::Broken {
        what,
        at,
        unit: "entry",
        why: e.to_string(),
    })
}

/// The entries of an array, each given away before the next is read.
struct Entries<'f> {
    entry: &'f mut dyn FnMut(Value) -> Result<(), ()>,
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element_seed(Whole)? {
            if (self.entry)(value).is_err() {
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

/// One entry as a value.
struct Whole;

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, de: D) -> Result<Value, D::Error> {
        serde::Deserialize::deserialize(de)
    }
}

fn object(what: What, at: u64, value: Value) -> Result<Next, ImportError> {
    let Value::Object(map) = value else {
        return Ok(Next::Bad(at, "it is not an object".to_owned()));
    };
    let mut cells = vec![String::new(); what.columns().len()];
    for (name, value) in map {
        let place = column(what, &name)?;
        let text = match value {
            Value::Null => String::new(),
            Value::String(text) => text,
            Value::Number(n) => n.to_string(),
            Value::Array(items) => {
                let mut parts = Vec::with_capacity(items.len());
                for item in items {
                    let Value::String(text) = item else {
                        return Ok(Next::Bad(
                            at,
                            format!(
                                "`{}` holds no texts",
                                what.columns().get(place).unwrap_or(&"")
                            ),
                        ));
                    };
                    parts.push(text);
                }
                parts.join(";")
            }
            Value::Bool(_) | Value::Object(_) => {
                return Ok(Next::Bad(
                    at,
                    format!("`{}` is no text", what.columns().get(place).unwrap_or(&"")),
                ));
            }
        };
        if let Some(cell) = cells.get_mut(place) {
            text.trim().clone_into(cell);
        }
    }
    Ok(Next::Row(Row { at, cells }))
}
