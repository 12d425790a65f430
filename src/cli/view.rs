//! What the commands over stored cases share: the store and who looks, screen text, tables, JSON, times,
//! exit codes of its errors.

use crate::store::export::{Defang, time};
use crate::store::{CaseId, Reader, Store, StoreError};
use kit::indicator::Indicator;
use kit::principal::Principal;
use kit::text::{Redacted, Redactor, ScreenText};
use serde::Serialize;
use serde::de::IntoDeserializer as _;
use std::io::{self, Write};
use std::sync::Arc;
use unicode_width::UnicodeWidthStr as _;

/// The store, and how to show what is in it.
pub struct View<'a> {
    /// The store.
    pub store: &'a Store,
    /// Who looks.
    pub principal: &'a Principal,
    /// Milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// Indicators are shown defanged (`[ui] defang`).
    pub defang: bool,
    /// What takes secrets out of words that a person wants kept.
    pub redact: Arc<dyn Redactor>,
    /// Columns of the terminal; `None` where the output is no terminal: tables stay as wide as they are.
    pub width: Option<usize>,
}

impl View<'_> {
    /// The case that a person means by an id, a short id or a unique beginning of either.
    ///
    /// # Errors
    /// No such case, or several.
    pub fn find(&self, text: &str) -> Result<CaseId, StoreError> {
        self.store.read(|r| r.find_case(text, self.principal))
    }

    /// Runs `f` on the case that `text` means, in one snapshot.
    ///
    /// # Errors
    /// No such case, or what `f` returns.
    pub fn with<T>(
        &self,
        text: &str,
        f: impl FnOnce(&Reader<'_>, &CaseId) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.store.read(|r| {
            let case = r.find_case(text, self.principal)?;
            f(r, &case)
        })
    }

    /// An indicator as the person wants to see it.
    #[must_use]
    pub fn indicator(&self, indicator: &Indicator) -> String {
        let text = if self.defang {
            indicator.defanged()
        } else {
            indicator.value().to_owned()
        };
        screen(&text)
    }

    /// Stored text, fit for the screen.
    #[must_use]
    pub fn text(&self, defang: &Defang, text: &str) -> String {
        if self.defang {
            screen(&defang.text(text))
        } else {
            screen(text)
        }
    }

    /// Stored text in one line, at most `width` characters of it.
    #[must_use]
    pub fn line(&self, defang: &Defang, text: &str, width: usize) -> String {
        let one = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let one = self.text(defang, &one);
        if one.chars().count() <= width {
            return one;
        }
        let cut: String = one.chars().take(width.saturating_sub(1)).collect();
        format!("{cut}…")
    }

    /// Rows under a head, as [`table`]; where the terminal is too narrow for it, as [`records`].
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn table(
        &self,
        out: &mut dyn Write,
        head: &[&str],
        rows: &[Vec<String>],
    ) -> io::Result<()> {
        fit(out, head, rows, self.width)
    }
}

/// Rows under a head, as [`table`]; where the terminal is too narrow for it, as [`records`].
///
/// # Errors
/// The output cannot be written.
pub fn fit(
    out: &mut dyn Write,
    head: &[&str],
    rows: &[Vec<String>],
    width: Option<usize>,
) -> io::Result<()> {
    let wide = widths(head, rows)
        .iter()
        .map(|w| w.saturating_add(2))
        .sum::<usize>()
        .saturating_sub(2);
    match width {
        Some(width) if wide > width => records(out, head, rows, width),
        _ => table(out, head, rows),
    }
}

/// Stored text (redacted before it was stored), fit for the screen.
#[must_use]
pub fn screen(text: &str) -> String {
    ScreenText::from(&stored(text)).as_str().to_owned()
}

fn stored(text: &str) -> Redacted {
    use serde::Deserialize as _;
    let from: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
        text.into_deserializer();
    Redacted::deserialize(from).unwrap_or_default()
}

/// A time in the local zone, to the minute.
#[must_use]
pub fn local(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| time(ms),
        |t| {
            t.to_zoned_datetime(jiff::tz::TimeZone::system())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        },
    )
}

/// Bytes in words.
#[must_use]
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut tenths = n.saturating_mul(10);
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    let name = UNITS.get(unit).unwrap_or(&"bytes");
    if unit == 0 {
        format!("{n} {name}")
    } else {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    }
}

/// How wide each column is: as its longest cell.
fn widths(head: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    let width = |i: usize| {
        rows.iter()
            .filter_map(|r| r.get(i))
            .map(|c| c.width())
            .chain(head.get(i).map(|h| h.width()))
            .max()
            .unwrap_or(0)
    };
    (0..head.len()).map(width).collect()
}

/// Rows under a head, in columns as wide as their longest cell (the last as it is). Cells are screen text.
///
/// # Errors
/// The output cannot be written.
pub fn table(out: &mut dyn Write, head: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let widths = widths(head, rows);
    let head: Vec<String> = head.iter().map(|h| (*h).to_owned()).collect();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width.saturating_sub(cell.width()).saturating_add(2)));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Rows one below the other, a line for each cell that holds something, folded between words. A word that
/// is wider than the terminal stays whole: an address with a break in it cannot be copied.
///
/// # Errors
/// The output cannot be written.
pub fn records(
    out: &mut dyn Write,
    head: &[&str],
    rows: &[Vec<String>],
    width: usize,
) -> io::Result<()> {
    let label = head.iter().map(|h| h.width()).max().unwrap_or(0);
    let indent = label.saturating_add(2);
    let room = width.saturating_sub(indent).max(8);
    for (i, row) in rows.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        for (name, cell) in head.iter().zip(row).filter(|(_, c)| !c.is_empty()) {
            let mut shown = *name;
            for line in folded(cell, room) {
                let blanks = " ".repeat(indent.saturating_sub(shown.width()));
                writeln!(out, "{shown}{blanks}{line}")?;
                shown = "";
            }
        }
    }
    Ok(())
}

/// Text in lines of at most `room` columns, broken between words only.
fn folded(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let wide = line.width().saturating_add(1).saturating_add(word.width());
        if !line.is_empty() && wide > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// One JSON value and a line end; characters that could act on a terminal or hide are written as `\uXXXX`,
/// which is the same value.
///
/// # Errors
/// The output cannot be written.
pub fn json(out: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    writeln!(out, "{}", crate::store::export::visible_json(&text))
}

/// The exit code for an error of the store: 9 case busy, 2 a wrong name, 3 the database.
#[must_use]
pub const fn exit_code(error: &StoreError) -> u8 {
    match error {
        StoreError::CaseBusy { .. } => 9,
        StoreError::NotFound(_) | StoreError::Ambiguous { .. } | StoreError::Refused(_) => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_words() {
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(8 << 20), "8.0 MiB");
    }

    fn cells() -> (Vec<&'static str>, Vec<Vec<String>>) {
        let rows = vec![
            vec![
                "17".into(),
                "hxxps://bad[.]example/a/very/long/path/that/is/wider".into(),
                "the log names it as the server".into(),
            ],
            vec!["18".into(), String::new(), "short".into()],
        ];
        (vec!["n", "what", "why"], rows)
    }

    #[test]
    fn a_narrow_terminal_gets_records_with_whole_words() {
        let (head, rows) = cells();
        let mut out = Vec::new();
        records(&mut out, &head, &rows, 24).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "n     17\nwhat  hxxps://bad[.]example/a/very/long/path/that/is/wider\n\
             why   the log names it\n      as the server\n\nn     18\nwhy   short\n"
        );
    }

    proptest::proptest! {
        #[test]
        fn folding_loses_nothing_and_breaks_no_word(text in "[a-z]{1,12}( [a-z]{1,12}){0,9}", room in 8_usize..40) {
            let lines = folded(&text, room);
            proptest::prop_assert_eq!(lines.join(" "), text);
            for line in lines {
                proptest::prop_assert!(line.width() <= room || !line.contains(' '));
            }
        }
    }

    #[test]
    fn json_hides_nothing() {
        let mut out = Vec::new();
        json(&mut out, "a\u{1b}[2J\u{9b}b\u{202e}c\u{e0041}").unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "\"a\\u001b[2J\\u009bb\\u202ec\\udb40\\udc41\"\n");
        assert_eq!(
            serde_json::from_str::<String>(&text).unwrap(),
            "a\u{1b}[2J\u{9b}b\u{202e}c\u{e0041}"
        );
    }
}
