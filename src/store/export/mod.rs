//! Copies of a case for people and other programs. Nothing here reads a clock: the same case gives the
//! same bytes.

mod csv;
mod defang;
mod inert;
mod markdown;
mod stix;

pub use defang::Defang;
pub use inert::{block as inert_block, cell as inert_cell};
pub use markdown::outcome as outcome_words;

use super::error::StoreError;
use super::evidence::EvidenceMeta;
use super::id::CaseId;
use super::list::CaseSummary;
use super::{Reader, Verified};
use crate::case::{CaseState, Event};
use kit::text::{Redacted, ScreenText};
use serde::Serialize;

/// A form of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A report to read: indicators defanged, evidence as tables, nothing in it is live.
    Markdown,
    /// The whole case as one JSON object, evidence with its raw form.
    Json,
    /// The log, one event a line.
    Jsonl,
    /// The ledger, one call a line.
    Csv,
    /// A STIX 2.1 bundle of the indicators that the case looked at. Those marked TLP:RED stay out.
    Stix,
}

/// A case with everything that an export may need but the raw forms.
pub(crate) struct Whole {
    pub(crate) summary: CaseSummary,
    pub(crate) state: CaseState,
    pub(crate) evidence: Vec<EvidenceMeta>,
    pub(crate) verified: Verified,
}

#[derive(Serialize)]
struct JsonEvidence {
    #[serde(flatten)]
    meta: EvidenceMeta,
    raw: Redacted,
}

#[derive(Serialize)]
struct JsonCase<'a> {
    format: &'static str,
    case: &'a CaseSummary,
    verified: &'a Verified,
    events: Vec<Event>,
    evidence: Vec<JsonEvidence>,
}

impl Reader<'_> {
    /// A case in one of the forms.
    ///
    /// # Errors
    /// No such case, or it cannot be read.
    pub fn export(&self, case: &CaseId, format: Format) -> Result<String, StoreError> {
        if format == Format::Jsonl {
            let mut out = String::new();
            for event in self.events(case)? {
                out.push_str(&visible_json(&json(&event.for_export())?));
                out.push('\n');
            }
            return Ok(out);
        }
        let whole = Whole {
            summary: self.summary(case)?,
            state: self.case(case)?,
            evidence: self.evidence_list(case)?,
            verified: self.verify(Some(case))?,
        };
        match format {
            Format::Markdown => Ok(markdown::render(&whole)),
            Format::Csv => Ok(csv::render(&whole)),
            Format::Stix => Ok(visible_json(&stix::render(&whole)?)),
            Format::Json | Format::Jsonl => {
                let mut evidence = Vec::with_capacity(whole.evidence.len());
                for meta in whole.evidence {
                    let raw = self.evidence(case, meta.n)?.raw;
                    evidence.push(JsonEvidence { meta, raw });
                }
                let mut out = json(&JsonCase {
                    format: "rmm-analyst case 1",
                    case: &whole.summary,
                    verified: &whole.verified,
                    events: self
                        .events(case)?
                        .into_iter()
                        .map(Event::for_export)
                        .collect(),
                    evidence,
                })?;
                out.push('\n');
                Ok(visible_json(&out))
            }
        }
    }
}

fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value)
        .map_err(|e| StoreError::Other(format!("the export cannot be written: {e}")))
}

/// JSON whose characters that could act on a terminal or hide are written as `\uXXXX`, which is the same
/// value; line ends between values stay.
#[must_use]
pub fn visible_json(text: &str) -> String {
    use std::fmt::Write as _;
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        if hidden(c) && c != '\n' {
            let mut units = [0_u16; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(visible, "\\u{unit:04x}");
            }
        } else {
            visible.push(c);
        }
    }
    visible
}

fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Text that is safe to show.
pub(crate) fn screen(text: &Redacted) -> String {
    ScreenText::from(text).as_str().to_owned()
}

/// A stored string (a title, a tag) that is safe to show.
pub(crate) fn screen_str(text: &str) -> String {
    screen(&super::redacted(text.to_owned()))
}

/// A time as a person reads it: RFC 3339 in UTC, to the second.
#[must_use]
pub fn time(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| "unknown time".into(),
        |t| t.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    )
}
