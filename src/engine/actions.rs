//! Deciding actions: what waits, what a card says, and one decision at a time, from any surface and any process.
//! No typed yes and no "all" comes through here: each decision names one number, and an approval the digest of
//! what was read.

use super::action::{ActionView, DeviceView, ScriptView};
use super::{Engine, EngineError};
use crate::runner::actions::{Choice, NotDecided};
use crate::store::CaseId;
use kit::text::{Redacted, Untrusted};

pub use crate::runner::actions::card::{ActionCard, CardDevice, CardSection};
pub use crate::runner::actions::work::{Canary, Work, WorkFilter};
pub use crate::runner::actions::{ActionDone, ActionRow, DIGEST_MIN};

/// Cells that a label of a card may have.
const LABEL: usize = 9;

impl From<NotDecided> for EngineError {
    fn from(e: NotDecided) -> Self {
        Self::User {
            message: e.message,
            hint: e.hint,
        }
    }
}

impl Engine {
    /// Actions that this principal may look at, oldest first; of one case where one is given, and only open ones
    /// unless `decided` says otherwise. What has expired is closed first.
    ///
    /// # Errors
    /// The database failed.
    pub fn actions(
        &self,
        case: Option<&CaseId>,
        decided: bool,
    ) -> Result<Vec<ActionRow>, EngineError> {
        self.sweep_actions()?;
        Ok(self.runner().actions(case, decided)?)
    }

    /// The card of an action; `None` where there is none of this number that this principal may look at.
    ///
    /// # Errors
    /// The database failed.
    pub fn action_card(&self, n: u64) -> Result<Option<ActionCard>, EngineError> {
        Ok(self.runner().action_card(n)?)
    }

    /// The card of an open action in the form that screens draw.
    ///
    /// # Errors
    /// The database failed.
    pub fn action_view(&self, n: u64) -> Result<Option<ActionView>, EngineError> {
        Ok(self
            .action_card(n)?
            .filter(|c| c.state == "open")
            .map(|card| self.view_of(&card)))
    }

    /// Closes what waits past its time, and what waits in a case that was closed. Gives how many there were.
    ///
    /// # Errors
    /// The database failed.
    pub fn sweep_actions(&self) -> Result<usize, EngineError> {
        Ok(self.runner().sweep_actions()?)
    }

    /// Approves one action, as the card with this digest showed it; `count` is what the person typed. `case`
    /// restricts to the actions of one case.
    ///
    /// # Errors
    /// Why it does not count: unknown (or out of scope), wrong digest or count, expired, decided by somebody
    /// before, changed since, a missing permission. Nothing has happened then.
    pub fn approve_action(
        &self,
        case: Option<&CaseId>,
        n: u64,
        digest: &str,
        count: Option<u32>,
        surface: &str,
    ) -> Result<ActionDone, EngineError> {
        self.of_case(case, n)?;
        let choice = Choice::Approve {
            digest: digest.to_owned(),
            count,
        };
        Ok(self.runner().decide_action(n, choice, surface)??)
    }

    /// Denies one action. Whoever could approve it may, and whoever proposed it.
    ///
    /// # Errors
    /// As [`Engine::approve_action`].
    pub fn deny_action(
        &self,
        case: Option<&CaseId>,
        n: u64,
        reason: &str,
        surface: &str,
    ) -> Result<ActionDone, EngineError> {
        self.of_case(case, n)?;
        let choice = Choice::Deny {
            reason: reason.to_owned(),
        };
        Ok(self.runner().decide_action(n, choice, surface)??)
    }

    /// Lets a job go on to the devices behind its canary.
    ///
    /// # Errors
    /// As [`Engine::approve_action`].
    pub fn release_canary(
        &self,
        n: u64,
        digest: &str,
        count: Option<u32>,
        surface: &str,
    ) -> Result<ActionDone, EngineError> {
        let choice = Choice::Release {
            digest: digest.to_owned(),
            count,
        };
        Ok(self.runner().decide_action(n, choice, surface)??)
    }

    fn of_case(&self, case: Option<&CaseId>, n: u64) -> Result<(), EngineError> {
        let Some(case) = case else {
            return Ok(());
        };
        let here = self
            .action_card(n)?
            .is_some_and(|c| c.case.as_deref() == Some(case.as_str()));
        if here {
            return Ok(());
        }
        Err(EngineError::User {
            message: format!("there is no proposal {n} in case {}", case.short()),
            hint: "rmm-analyst proposals lists what is open".into(),
        })
    }

    fn own(&self, text: impl Into<String>) -> Redacted {
        // What only looks like a secret stays: a person approves what they can read.
        Untrusted::new(text.into()).redact_always(&*self.redact)
    }

    /// Everything of the card, in the fields that a screen draws beside what stands in the log.
    fn view_of(&self, card: &ActionCard) -> ActionView {
        let mut facts: Vec<(String, Redacted)> = Vec::new();
        let mut fact = |label: &str, text: &Redacted| {
            for (i, line) in text.as_str().lines().enumerate() {
                let label = if i == 0 { label } else { "" };
                facts.push((label.to_owned(), self.own(line)));
            }
        };
        fact("effect", &card.effect);
        let mut script = None;
        let mut language = String::new();
        let mut place = None;
        for section in &card.sections {
            match section.label {
                "shell" => section.text.as_str().clone_into(&mut language),
                "script" => script = Some(section.text.clone()),
                label if label.starts_with("every device of") => {
                    place = Some(self.own(format!(
                        "{label}: {} ({} now)",
                        section.text.as_str(),
                        card.device_count
                    )));
                }
                label if label.len() <= LABEL => fact(label, &section.text),
                label => {
                    let text = self.own(format!("{label}: {}", section.text.as_str()));
                    fact("with", &text);
                }
            }
        }
        if card.devices.is_empty() && place.is_none() {
            place = Some(self.own(format!(
                "the whole fleet ({} devices now)",
                card.device_count
            )));
        }
        for finding in &card.findings {
            fact("look at", finding);
        }
        for label in &card.hidden {
            let words = format!(
                "a part of the {label} is not shown: it is a secret of this installation, and is approved unseen"
            );
            fact("look at", &self.own(words));
        }
        fact("proposed", &self.own(proposed(card)));
        fact("expires", &self.own(super::view::local(card.expires_ms)));
        fact(
            "needs",
            &self.own(format!("the permission {}", card.permission)),
        );
        let mut changed: Vec<Redacted> = card.changes.iter().map(|c| self.own(c)).collect();
        if let Some((_, why, _)) = &card.refusal {
            changed.push(self.own(format!("an approval would not count: {why}")));
        }
        ActionView {
            n: card.n,
            backend: self.own(through(card)),
            facts,
            devices: card
                .devices
                .iter()
                .map(|d| DeviceView {
                    name: d.name.clone(),
                    client: d.client.clone(),
                    note: self.own(note(d)),
                })
                .collect(),
            place,
            script: script.map(|text| ScriptView { language, text }),
            changed,
            digest: card.digest.clone(),
        }
    }
}

/// Who proposed it, in which case.
#[must_use]
pub fn proposed(card: &ActionCard) -> String {
    let who = if card.by_model {
        format!("by a model in a case of {}", card.proposed_by)
    } else {
        format!("by {}", card.proposed_by)
    };
    let case = card
        .case
        .as_deref()
        .and_then(CaseId::parse)
        .map_or_else(String::new, |c| format!(", case {}", c.short()));
    format!("{who}{case}, {}", super::view::local(card.proposed_ms))
}

/// What would carry it out.
#[must_use]
pub fn through(card: &ActionCard) -> String {
    match (card.kind, card.backend.as_str()) {
        ("job" | "device_operation", backend) => format!("the backend {backend}"),
        (_, _) => "the scheduler, as long as it is enabled".to_owned(),
    }
}

/// What a person should see beside a device.
#[must_use]
pub fn note(d: &CardDevice) -> String {
    let mut words: Vec<String> = Vec::new();
    if d.status != "online" {
        words.push(d.status.to_owned());
    }
    if d.canary {
        words.push("canary: runs first".to_owned());
    }
    words.extend(d.changed.iter().map(|c| format!("it {c}")));
    if let Some(why) = &d.no_executor {
        words.push(why.as_str().to_owned());
    }
    words.join(", ")
}
