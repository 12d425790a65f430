//! The card of an action: everything that would happen, where, on whose word, and what changed since.

use super::{NotDecided, kind_name, present, refusal, state_name};
use crate::runner::Runner;
use crate::store::StoreError;
use fleet::approvals;
use fleet::backend::Directory;
use kit::text::{Redacted, Untrusted};
use serde::Serialize;

/// One device of a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CardDevice {
    /// `d-12`.
    pub id: String,
    /// `d-12 web-01`.
    pub name: Redacted,
    /// Its client.
    pub client: Redacted,
    /// `Contoso / Berlin / Lab`.
    pub place: Redacted,
    /// Family of its operating system.
    pub platform: &'static str,
    /// `online`, `offline`, `overdue` or `unknown`.
    pub status: &'static str,
    /// It belongs to the canary.
    pub canary: bool,
    /// What became of it since, in words.
    pub changed: Vec<&'static str>,
    /// Why nothing could run on it.
    pub no_executor: Option<Redacted>,
}

/// A part of what would happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CardSection {
    /// The program's own word for it.
    pub label: &'static str,
    /// The whole text.
    pub text: Redacted,
}

/// An action as a person sees it before deciding. All of it is redacted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionCard {
    /// Number.
    pub n: u64,
    /// `job`, `device_operation`, `task`, `check` or `policy`.
    pub kind: &'static str,
    /// The id of its row.
    pub id: String,
    /// The tool that made it.
    pub tool: String,
    /// One line: what, on what.
    pub title: Redacted,
    /// The proposer's reason.
    pub why: Redacted,
    /// What is expected of it.
    pub effect: Redacted,
    /// The backend that would do it; empty for monitoring, which the backends of its devices do.
    pub backend: String,
    /// The devices; none for monitoring of a place.
    pub devices: Vec<CardDevice>,
    /// How many devices it concerns: of monitoring for a place, how many stand there now.
    pub device_count: u32,
    /// Everything that would run or be set, whole.
    pub sections: Vec<CardSection>,
    /// What a look at the script found.
    pub findings: Vec<Redacted>,
    /// Labels of sections of which a part is hidden: a secret of this installation, or what the operator's patterns match.
    pub hidden: Vec<&'static str>,
    /// Who proposed it.
    pub proposed_by: String,
    /// A model did, in that person's name.
    pub by_model: bool,
    /// In which case.
    pub case: Option<String>,
    /// When, milliseconds since 1970.
    pub proposed_ms: i64,
    /// When it expires, milliseconds since 1970.
    pub expires_ms: i64,
    /// The digest that an approval names.
    pub digest: String,
    /// The number of devices must be typed.
    pub count: bool,
    /// What deciding it needs.
    pub permission: String,
    /// `open`, `approved`, `denied` or `expired`.
    pub state: &'static str,
    /// Who decided it.
    pub decided_by: String,
    /// The reason given.
    pub reason: Redacted,
    /// What has changed since, in words with ids.
    pub changes: Vec<String>,
    /// Why an approval would not count now: key, words, next step.
    pub refusal: Option<(&'static str, String, String)>,
}

/// How every marker of the redactor begins. A script that holds these words itself is warned of without need.
const MARK: &str = "[redacted:";

impl Runner {
    /// The card of an action that this principal may look at, decided or not; `None` for any other number.
    ///
    /// # Errors
    /// The database failed.
    pub fn action_card(&self, n: u64) -> Result<Option<ActionCard>, StoreError> {
        let now = (self.now_ms)();
        let directory = Directory::default();
        let card = self.store.read(|r| {
            let who = present(r.fleet(), &self.principal)?;
            approvals::card(r.fleet(), &who, &directory, n, now).map_err(super::of_fleet)
        })?;
        Ok(card.map(|card| self.redacted_card(card)))
    }

    fn redacted_card(&self, card: approvals::Card) -> ActionCard {
        let redact = &*self.redact;
        let mut hidden = Vec::new();
        let sections = card
            .sections
            .iter()
            .map(|s| {
                // What only looks like a secret stays: a person approves what they can read.
                let text = s.text.redact_always(redact);
                if text.as_str().contains(MARK) && !hidden.contains(&s.label) {
                    hidden.push(s.label);
                }
                CardSection {
                    label: s.label,
                    text,
                }
            })
            .collect();
        ActionCard {
            n: card.n,
            kind: kind_name(card.kind),
            id: card.id,
            tool: card.tool,
            title: card.title.redact(redact),
            why: card.why.redact(redact),
            effect: card.effect.redact(redact),
            backend: card.backend,
            devices: card
                .devices
                .into_iter()
                .map(|d| CardDevice {
                    id: d.id.to_string(),
                    name: d.name.redact(redact),
                    client: d.client.redact(redact),
                    place: d.place.redact(redact),
                    platform: d.platform.name(),
                    status: d.status.name(),
                    canary: d.canary,
                    changed: d.changed,
                    no_executor: d.no_executor.map(|why| Untrusted::new(why).redact(redact)),
                })
                .collect(),
            device_count: card.device_count,
            sections,
            findings: card.findings.iter().map(|f| f.redact(redact)).collect(),
            hidden,
            proposed_by: card.proposed_by,
            by_model: card.proposer == fleet::model::ActorKind::Ai,
            case: card.case,
            proposed_ms: card.proposed_ms,
            expires_ms: card.expires_ms,
            digest: card.digest,
            count: card.count,
            permission: card.permission.to_string(),
            state: state_name(card.status),
            decided_by: card.decided_by,
            reason: card.reason.redact(redact),
            changes: card.changes,
            refusal: card.refusal.map(|denial| {
                let NotDecided { key, message, hint } = refusal(&denial, card.n);
                (key, message, hint)
            }),
        }
    }
}
