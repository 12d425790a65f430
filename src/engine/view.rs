//! What a screen draws: the folded state of a case and the few words that are made for the eye.
//! Surfaces name these types through here, because they may import nothing but the engine.

pub use super::action::{ActionView, DeviceView, ScriptView};
pub use super::setup::{Ability, FoundServer, TrialStep};
pub use crate::agent::footer::{age, footer};
pub use crate::case::{
    Action as CaseAction, Attachment, Body, Call, CallVerdict, CaseState, Event, EvidenceRef,
    Marked, Mode, Planner, Proposal, ProposalFrom, ProposalKind, ProposalState, ProposedAction,
    Seen, Status, Turn, TurnStatus, Usage,
};
pub use crate::gate::PROPOSE_PIVOT;
pub use crate::store::export::Defang;
pub use crate::store::{CaseId, CaseSummary, EvidenceMeta, EvidenceRow, Hit};
pub use kit::ports::Sighting;

use kit::extract::extract;
use kit::text::{Redacted, ScreenText};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use std::collections::BTreeSet;

/// Facts about a look-up module, for completion, `/modules` and the card.
#[derive(Clone, Debug, Default)]
pub struct ModuleFact {
    /// Name.
    pub name: String,
    /// What the source knows.
    pub what: String,
    /// Types it takes.
    pub types: Vec<kit::IndicatorType>,
    /// The host it asks; empty: it stays on the machine.
    pub host: String,
    /// A model may use it, and the operator allows it.
    pub for_model: bool,
    /// It is switched on.
    pub enabled: bool,
    /// Its key is there, or none is needed.
    pub ready: bool,
    /// How to get a key.
    pub get_key: String,
    /// The secret that it wants; empty: none.
    pub secret: String,
    /// It asks without its secret too, only less.
    pub optional: bool,
}

/// Text of the program itself, of the person at the keyboard, or text that was redacted before: fit for
/// the screen. It is no way out for text of tools and models, which come as [`Redacted`] already.
#[must_use]
pub fn screen(text: &str) -> ScreenText {
    ScreenText::from(&own(text))
}

fn own(text: &str) -> Redacted {
    let from: serde::de::value::StrDeserializer<'_, serde::de::value::Error> =
        text.into_deserializer();
    Redacted::deserialize(from).unwrap_or_default()
}

/// The mark behind a claim without ground, in the program's own brackets.
pub const NOT_IN_EVIDENCE: &str = "⟦not in evidence⟧";

/// The answer of a turn with claims without ground marked and indicators defanged, still markdown.
/// The brackets of the mark are the program's: those in the text itself are written otherwise.
#[must_use]
pub fn answer(turn: &Turn, defang: Option<&Defang>) -> String {
    let text = turn.answer.as_ref().map_or("", Redacted::as_str);
    let text = unmarked(text);
    let unsupported: BTreeSet<&str> = turn.unsupported.iter().map(|m| m.text.as_str()).collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let defanged = |part: &str| defang.map_or_else(|| part.to_owned(), |d| d.text(part));
    for f in extract(&text) {
        if !unsupported.contains(f.text.as_str()) {
            continue;
        }
        out.push_str(&defanged(text.get(at..f.end).unwrap_or_default()));
        out.push(' ');
        out.push_str(NOT_IN_EVIDENCE);
        at = f.end;
    }
    out.push_str(&defanged(text.get(at..).unwrap_or_default()));
    let mut found = false;
    for m in &turn.unsupported {
        if m.why != "not in evidence" || extract(&m.text).is_empty() {
            if !found {
                out.push('\n');
            }
            found = true;
            out.push_str(&format!(
                "\n- ⟦{}⟧ {}",
                unmarked(&m.why),
                defanged(&unmarked(&m.text).replace(['\n', '\r'], " "))
            ));
        }
    }
    out
}

/// Text in which nothing imitates the program's own mark.
#[must_use]
pub fn unmarked(text: &str) -> String {
    text.replace('⟦', "[").replace('⟧', "]")
}

/// Evidence numbers that an answer places with `[[E7]]`, in order, each once.
#[must_use]
pub fn placed(text: &str) -> Vec<u32> {
    let mut out = Vec::new();
    for part in text.split("[[E").skip(1) {
        if let Some((digits, _)) = part.split_once("]]")
            && let Ok(n) = digits.parse::<u32>()
            && !out.contains(&n)
        {
            out.push(n);
        }
    }
    out
}

/// A time in the local zone, to the minute.
#[must_use]
pub fn local(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| String::from("?"),
        |t| {
            t.to_zoned_datetime(jiff::tz::TimeZone::system())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        },
    )
}
