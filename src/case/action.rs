//! Actions: proposals that would change something on machines or in what the program does by itself. They
//! have their own map beside the pivots, because no typed yes, no `--all` and no answer ever covers one.

use super::event::{ProposalKind, ProposalState};
use super::state::CaseState;
use kit::text::Redacted;
use serde::{Deserialize, Serialize};

/// An action as it was proposed. What exactly will run stands in the fleet's ledger under the same number;
/// `digest` binds the two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedAction {
    /// Number, once for the whole database.
    pub n: u64,
    /// Turn that made it.
    pub turn: u32,
    /// Kind; never a pivot.
    pub what: ProposalKind,
    /// The tool that made it.
    pub tool: String,
    /// One line: what, on what.
    pub title: Redacted,
    /// The proposer's reason; empty where none was given.
    pub why: Redacted,
    /// SHA-256 over everything that would run, hex.
    pub digest: String,
    /// Devices that it concerns.
    pub devices: u32,
    /// The approver must type the number of devices.
    pub count: bool,
    /// When it expires by itself, milliseconds since the Unix epoch.
    pub expires_ms: i64,
}

/// What an action came to after a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionNews {
    /// Number.
    pub n: u64,
    /// The ledger's status (`approved`, `failed`, `succeeded`, `done`, `expired`, …).
    pub status: String,
    /// In words, where there is more to say (`no executor`).
    pub detail: Redacted,
}

/// An action of a case and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// As proposed.
    pub proposed: ProposedAction,
    /// Where it stands between the proposal and a person.
    pub state: ProposalState,
    /// Reason of the decision.
    pub reason: Option<Redacted>,
    /// The last that is known of it.
    pub news: Option<ActionNews>,
    /// The newest turn when it was decided, or when the last news came: a model that was asked before that turn
    /// ended does not know of it.
    pub moved_in: Option<u32>,
}

impl Action {
    /// Where it stands, and what came of it, in words. Holds redacted text of people and machines.
    #[must_use]
    pub fn standing(&self) -> String {
        let mut out = match self.state {
            ProposalState::Open => "open, nothing has happened".to_owned(),
            state => state.name().to_owned(),
        };
        if let Some(reason) = &self.reason {
            out.push_str(&format!(" ({})", reason.as_str()));
        }
        if let Some(news) = &self.news {
            if news.status != self.state.name() {
                out.push_str(&format!(", {}", news.status.replace('_', " ")));
            }
            if !news.detail.as_str().is_empty() {
                out.push_str(&format!(": {}", news.detail.as_str()));
            }
        }
        out
    }
}

impl CaseState {
    /// Open actions in ascending order.
    pub fn open_actions(&self) -> impl Iterator<Item = &Action> {
        self.actions
            .values()
            .filter(|a| a.state == ProposalState::Open)
    }

    pub(super) fn propose_action(&mut self, proposed: &ProposedAction) {
        // A pivot with the same number was first, and a number stands for one proposal.
        if self.proposals.contains_key(&proposed.n) {
            return;
        }
        self.actions.entry(proposed.n).or_insert_with(|| Action {
            proposed: proposed.clone(),
            state: ProposalState::Open,
            reason: None,
            news: None,
            moved_in: None,
        });
    }

    pub(super) fn decide_action(&mut self, n: u64, approve: bool, reason: Option<&Redacted>) {
        let turn = self.turns.last().map(|t| t.n);
        let Some(a) = self
            .actions
            .get_mut(&n)
            .filter(|a| a.state == ProposalState::Open)
        else {
            return;
        };
        a.moved_in = turn;
        a.reason = reason.cloned();
        a.state = if approve {
            ProposalState::Approved
        } else {
            ProposalState::Denied
        };
    }

    pub(super) fn action_news(&mut self, news: &ActionNews) {
        let turn = self.turns.last().map(|t| t.n);
        let Some(a) = self.actions.get_mut(&news.n) else {
            return;
        };
        a.moved_in = turn;
        if news.status == "expired" && a.state == ProposalState::Open {
            a.state = ProposalState::Expired;
        }
        a.news = Some(news.clone());
    }

    pub(super) fn expire_actions(&mut self) {
        for a in self
            .actions
            .values_mut()
            .filter(|a| a.state == ProposalState::Open)
        {
            a.state = ProposalState::Expired;
        }
    }
}
