//! CSV that a spreadsheet opens as data: what would be read as a formula begins with an apostrophe.

use csv::{Writer, WriterBuilder};
use std::borrow::Cow;
use std::io::{self, Write};

/// Bytes that are gathered before they are written.
const BUFFER: usize = 64 * 1024;

/// A cell that no spreadsheet takes for a formula. Those begin with `=`, `+`, `-` or `@` (some programs also
/// take the wide forms), and a tab or a line end before them is skipped by some.
#[must_use]
pub fn cell(text: &str) -> Cow<'_, str> {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠') => {
            Cow::Owned(format!("'{text}"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Rows under a head, as they come.
pub struct Csv<W: Write>(Writer<W>);

impl<W: Write> std::fmt::Debug for Csv<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Csv")
    }
}

impl<W: Write> Csv<W> {
    /// Writes the head.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn new<S: AsRef<str>>(out: W, columns: &[S]) -> io::Result<Self> {
        let mut writer = WriterBuilder::new()
            .buffer_capacity(BUFFER)
            .from_writer(out);
        for column in columns {
            writer.write_field(cell(column.as_ref()).as_bytes())?;
        }
        end(&mut writer)?;
        Ok(Self(writer))
    }

    /// Writes a text as a cell.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        Ok(self.0.write_field(cell(text).as_bytes())?)
    }

    /// Writes a number: never a formula, whatever its sign.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn number(&mut self, digits: &str) -> io::Result<()> {
        Ok(self.0.write_field(digits.as_bytes())?)
    }

    /// Ends a row.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn end_row(&mut self) -> io::Result<()> {
        end(&mut self.0)
    }

    /// Writes a row of texts.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn row<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) -> io::Result<()> {
        for text in cells {
            self.text(text.as_ref())?;
        }
        self.end_row()
    }

    /// Writes what is still held.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn end<W: Write>(writer: &mut Writer<W>) -> io::Result<()> {
    Ok(writer.write_record(std::iter::empty::<&[u8]>())?)
}

/// What a text in CSV holds: its first row and the others. A text that is none gives what can be read.
#[must_use]
pub fn read(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows = reader
        .records()
        .map_while(Result::ok)
        .map(|r| r.iter().map(str::to_owned).collect::<Vec<_>>());
    let head = rows.next().unwrap_or_default();
    (head, rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(head: &[&str], rows: &[Vec<String>]) -> String {
        let mut out = Vec::new();
        let mut csv = Csv::new(&mut out, head).unwrap();
        for row in rows {
            csv.row(row).unwrap();
        }
        csv.flush().unwrap();
        drop(csv);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn formulas_are_escaped() {
        for (given, shown) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("＝1", "'＝1"),
            ("a=1", "a=1"),
            ("", ""),
            ("'=1", "'=1"),
        ] {
            assert_eq!(cell(given), shown);
        }
        let text = written(
            &["name", "=head"],
            &[vec![
                "=cmd|' /C calc'!A0,x".into(),
                "two\nlines \"q\"".into(),
            ]],
        );
        assert_eq!(
            text,
            "name,'=head\n\"'=cmd|' /C calc'!A0,x\",\"two\nlines \"\"q\"\"\"\n"
        );
    }

    #[test]
    fn a_number_keeps_its_sign() {
        let mut out = Vec::new();
        let mut csv = Csv::new(&mut out, &["n"]).unwrap();
        csv.number("-5").unwrap();
        csv.end_row().unwrap();
        csv.flush().unwrap();
        drop(csv);
        assert_eq!(out, b"n\n-5\n");
    }

    proptest! {
        /// Whatever stands in a cell, a reader gets it back, and nothing begins like a formula.
        #[test]
        fn what_is_written_is_read(rows in prop::collection::vec(prop::collection::vec(any::<String>(), 3), 0..8)) {
            let text = written(&["a", "b", "c"], &rows);
            let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
            let read: Vec<Vec<String>> = reader
                .records()
                .map(|r| r.unwrap().iter().map(str::to_owned).collect())
                .collect();
            prop_assert_eq!(read.len(), rows.len());
            for (row, was) in read.iter().zip(&rows) {
                for (cell, was) in row.iter().zip(was) {
                    prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']));
                    prop_assert!(cell == was || cell.strip_prefix('\'') == Some(was.as_str()));
                }
            }
        }
    }
}
