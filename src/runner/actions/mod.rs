//! Actions between the fleet and a person: what waits, what its card says, and a decision. A decision and the
//! events that tell of it are one transaction, also where the case belongs to another process.
//!
//! * [`card`] – what a person reads before deciding.
//! * [`work`] – jobs, operations and monitoring in a person's hands.
//! * `words` – a refusal in words, with the next step.

pub mod card;
mod words;
pub mod work;

use super::Runner;
use super::fleet::Hand;
use crate::case::{Action, ActionNews, Body, ProposalState};
use crate::store::{CaseId, StoreError, Tx};
use fleet::approvals::{self, Ask, Decision, Denial, Listed, Outcome};
use fleet::proposals::{Kind, ProposalError, Status};
use kit::principal::Principal;
use kit::text::{Redacted, Redactor, Untrusted};
use std::sync::Arc;

pub use card::{ActionCard, CardDevice};

/// Fewest hex digits of a digest that a person may give. The number names the proposal, and nothing of it is ever
/// edited: the digits only show that it is the one that was read.
pub const DIGEST_MIN: usize = 8;

/// An action of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRow {
    /// Number.
    pub n: u64,
    /// `job`, `device_operation`, `task`, `check` or `policy`.
    pub kind: &'static str,
    /// The id of its row (`j-7`).
    pub id: String,
    /// The tool that made it.
    pub tool: String,
    /// One line: what, on what.
    pub title: Redacted,
    /// The proposer's reason.
    pub why: Redacted,
    /// Devices that it concerns.
    pub devices: u32,
    /// The number of devices must be typed.
    pub count: bool,
    /// The digest that an approval names.
    pub digest: String,
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
    /// Whether this principal could decide it.
    pub may_decide: bool,
    /// `open`, `approved`, `denied` or `expired`.
    pub state: &'static str,
    /// Who decided; empty while it is open.
    pub decided_by: String,
    /// When, milliseconds since 1970.
    pub decided_ms: Option<i64>,
    /// The reason given.
    pub reason: Redacted,
    /// What became of it; empty where nothing did.
    pub status: String,
    /// In words, where there is more to say.
    pub detail: Redacted,
}

/// A decision on one action.
#[derive(Clone, Debug)]
pub enum Choice {
    /// Yes, to what has this digest, with the count that was typed.
    Approve {
        /// The digest, or its first digits.
        digest: String,
        /// Devices.
        count: Option<u32>,
    },
    /// No.
    Deny {
        /// Why; empty: not said.
        reason: String,
    },
    /// The devices behind the canary of an approved job, with the count that was typed.
    Release {
        /// The digest, or its first digits.
        digest: String,
        /// Devices that wait.
        count: Option<u32>,
    },
}

/// What became of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionDone {
    /// Number.
    pub n: u64,
    /// `job`, …
    pub kind: &'static str,
    /// The id of its row.
    pub id: String,
    /// Its case.
    pub case: Option<CaseId>,
    /// One line: what, on what.
    pub title: Redacted,
    /// Where it stands now.
    pub status: &'static str,
    /// In words, where there is more to say.
    pub detail: Redacted,
}

/// Why a decision did not count, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotDecided {
    /// The stable name of the reason.
    pub key: &'static str,
    /// What and why.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl Runner {
    /// Actions that this principal may look at, oldest first; of one case where one is given. What touches
    /// anything outside the scope is not in the list.
    ///
    /// # Errors
    /// The database failed.
    pub fn actions(
        &self,
        case: Option<&CaseId>,
        decided: bool,
    ) -> Result<Vec<ActionRow>, StoreError> {
        let now = (self.now_ms)();
        self.store.read(|r| {
            let who = present(r.fleet(), &self.principal)?;
            let list = approvals::every(r.fleet(), &who, case.map(CaseId::as_str), decided, now)
                .map_err(of_fleet)?;
            Ok(list.into_iter().map(|l| self.row(l)).collect())
        })
    }

    /// Whether there is an action of this number that this principal may look at.
    ///
    /// # Errors
    /// The database failed.
    pub fn is_action(&self, n: u64) -> Result<bool, StoreError> {
        self.action_card(n).map(|c| c.is_some())
    }

    fn row(&self, l: Listed) -> ActionRow {
        let redact = &*self.redact;
        let (status, detail) = l.became;
        ActionRow {
            n: l.n,
            kind: kind_name(l.kind),
            id: l.id,
            tool: l.tool,
            title: l.title.redact(redact),
            why: l.why.redact(redact),
            devices: l.devices,
            count: l.count,
            digest: l.digest,
            proposed_by: l.proposed_by,
            by_model: l.proposer == fleet::model::ActorKind::Ai,
            case: l.case,
            proposed_ms: l.proposed_ms,
            expires_ms: l.expires_ms,
            may_decide: l.may_decide,
            state: state_name(l.status),
            decided_by: l.decided_by,
            decided_ms: l.decided_ms,
            reason: l.reason.redact(redact),
            status,
            detail: detail.redact(redact),
        }
    }

    /// Ends what waits past its time, and what waits in a case that was closed; gives how many there were. Expiry
    /// is a no. Costs one look where there is nothing to do.
    ///
    /// # Errors
    /// The database failed.
    pub fn sweep_actions(&self) -> Result<usize, StoreError> {
        if self.store.is_read_only() {
            return Ok(0);
        }
        let now = (self.now_ms)();
        let due = self.store.read(|r| {
            Ok(approvals::overdue(r.fleet(), now)? || !r.actions_without_case()?.is_empty())
        })?;
        if !due {
            return Ok(0);
        }
        let hand = self.hand();
        let redact = Arc::clone(&self.redact);
        self.store.write(move |tx| sweep(tx, &hand, &*redact))
    }

    /// Takes a person's decision: everything is looked at again in the transaction that writes it.
    ///
    /// # Errors
    /// The database failed; then nothing happened. A decision that does not count is the inner error.
    pub fn decide_action(
        &self,
        n: u64,
        choice: Choice,
        surface: &str,
    ) -> Result<Result<ActionDone, NotDecided>, StoreError> {
        let hand = self.hand();
        let redact = Arc::clone(&self.redact);
        let principal = self.principal.name.clone();
        let surface = surface.to_owned();
        self.store.write(move |tx| {
            sweep(tx, &hand, &*redact)?;
            let decision = match &choice {
                Choice::Approve { digest, count } => {
                    let digest = whole_digest(tx.fleet(), n, digest)?;
                    hand.acting(tx, None, false, |acting| {
                        approvals::approve(acting, &ask(n, &digest, *count))
                    })?
                }
                Choice::Release { digest, count } => {
                    let digest = whole_digest(tx.fleet(), n, digest)?;
                    hand.acting(tx, None, false, |acting| {
                        approvals::release_canary(acting, &ask(n, &digest, *count))
                    })?
                }
                Choice::Deny { reason } => {
                    let reason = Untrusted::new(reason.clone()).redact(&*redact);
                    hand.acting(tx, None, false, |acting| {
                        approvals::deny(acting, n, reason.as_str())
                    })?
                }
            };
            let outcome = match decision {
                Decision::Done(outcome) => outcome,
                Decision::Refused(denial) => {
                    return Ok(Err(words::not_decided(&denial, n, &choice)));
                }
            };
            let mut bodies = Vec::new();
            if !matches!(choice, Choice::Release { .. }) {
                let reason = match &choice {
                    Choice::Deny { reason } if !reason.trim().is_empty() => {
                        Some(Untrusted::new(reason.clone()).redact(&*redact))
                    }
                    _ => None,
                };
                bodies.push(Body::Decided {
                    n,
                    approve: matches!(choice, Choice::Approve { .. }),
                    reason,
                    principal,
                    surface,
                });
            }
            if !matches!(choice, Choice::Deny { .. }) {
                bodies.push(news(&outcome, &*redact));
            }
            let case = tell(tx, outcome.case.as_deref(), hand.now_ms, &bodies)?;
            Ok(Ok(ActionDone {
                n,
                kind: kind_name(outcome.kind),
                title: outcome.title.redact(&*redact),
                detail: Untrusted::new(outcome.detail).redact(&*redact),
                id: outcome.id,
                case,
                status: outcome.status,
            }))
        })
    }
}

const fn ask(n: u64, digest: &str, typed_count: Option<u32>) -> Ask<'_> {
    Ask {
        n,
        digest,
        typed_count,
    }
}

/// The principal as it is stored now: what it sees is decided at the moment of looking. One that the database
/// does not know yet is taken as it came.
fn present(
    connection: &rusqlite::Connection,
    principal: &Principal,
) -> Result<Principal, StoreError> {
    Ok(fleet::principal::find(connection, &principal.name)
        .map_err(|e| StoreError::Other(e.to_string()))?
        .map_or_else(|| principal.clone(), |s| s.principal))
}

/// The whole digest where these are its first digits; otherwise what was given.
fn whole_digest(
    connection: &rusqlite::Connection,
    n: u64,
    given: &str,
) -> Result<String, StoreError> {
    let given = given.trim().to_ascii_lowercase();
    let hex = given.len() >= DIGEST_MIN && given.bytes().all(|b| b.is_ascii_hexdigit());
    Ok(approvals::digest_of(connection, n)?
        .filter(|kept| hex && kept.starts_with(&given))
        .unwrap_or(given))
}

fn sweep(tx: &mut Tx<'_>, hand: &Hand, redact: &dyn Redactor) -> Result<usize, StoreError> {
    let orphans = tx.actions_without_case()?;
    let (late, ended) = hand.acting(tx, None, false, |acting| {
        Ok((
            approvals::expire(acting)?,
            approvals::expire_these(acting, &orphans)?,
        ))
    })?;
    for outcome in &late {
        tell(
            tx,
            outcome.case.as_deref(),
            hand.now_ms,
            &[news(outcome, redact)],
        )?;
    }
    // The log of a closed case says already that its proposals expired.
    Ok(late.len() + ended.len())
}

/// Writes to the log of the case that made a proposal, where it is still there.
fn tell(
    tx: &mut Tx<'_>,
    case: Option<&str>,
    now_ms: i64,
    bodies: &[Body],
) -> Result<Option<CaseId>, StoreError> {
    let Some(case) = case.and_then(CaseId::parse) else {
        return Ok(None);
    };
    match tx.append(&case, now_ms, bodies) {
        Ok(_) => Ok(Some(case)),
        Err(StoreError::NotFound(_)) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Tells the log of a case what became of its actions elsewhere: a job that was stopped by hand or by a tool. Only what
/// the log does not know yet is written.
pub(super) fn reconcile(
    tx: &mut Tx<'_>,
    case: &CaseId,
    now_ms: i64,
    redact: &dyn Redactor,
) -> Result<(), StoreError> {
    let known: Vec<Action> = match tx.case(case) {
        Ok(state) => state.actions.into_values().collect(),
        Err(StoreError::NotFound(_)) => return Ok(()),
        Err(e) => return Err(e),
    };
    let mut bodies = Vec::new();
    for action in known {
        let n = action.proposed.n;
        let Some(now) = approvals::one(tx.fleet(), n).map_err(of_fleet)? else {
            continue;
        };
        let decided = matches!(now.status, Status::Rejected | Status::Approved);
        if decided && action.state == ProposalState::Open {
            let reason = now.reason.redact(redact);
            bodies.push(Body::Decided {
                n,
                approve: now.status == Status::Approved,
                reason: Some(reason).filter(|r| !r.as_str().trim().is_empty()),
                principal: now.decided_by,
                surface: "fleet".to_owned(),
            });
        }
        let (status, detail) = now.became;
        if !status.is_empty() && action.news.as_ref().is_none_or(|n| n.status != status) {
            bodies.push(Body::ActionNews {
                news: ActionNews {
                    n,
                    status,
                    detail: detail.redact(redact),
                },
            });
        }
    }
    if !bodies.is_empty() {
        tell(tx, Some(case.as_str()), now_ms, &bodies)?;
    }
    Ok(())
}

fn news(outcome: &Outcome, redact: &dyn Redactor) -> Body {
    Body::ActionNews {
        news: ActionNews {
            n: outcome.n,
            status: outcome.status.to_owned(),
            detail: Untrusted::new(outcome.detail.clone()).redact(redact),
        },
    }
}

/// The name of a kind in events and in JSON; a stop is about a job.
pub(super) const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Job | Kind::Cancel => "job",
        Kind::Operation => "device_operation",
        Kind::Task => "task",
        Kind::Check => "check",
        Kind::Policy => "policy",
    }
}

pub(super) const fn state_name(status: Status) -> &'static str {
    match status {
        Status::AwaitingApproval => "open",
        Status::Approved => "approved",
        Status::Rejected => "denied",
        Status::Expired => "expired",
    }
}

fn of_fleet(e: ProposalError) -> StoreError {
    StoreError::Other(e.to_string())
}

/// Why an approval by this principal would not count now, in words.
fn refusal(denial: &Denial, n: u64) -> NotDecided {
    words::not_decided(
        denial,
        n,
        &Choice::Approve {
            digest: String::new(),
            count: None,
        },
    )
}
