//! Deciding proposals: what is open, what a card shows, and the one place where a proposal becomes an act.
//!
//! An approval runs with the approver's authority. Everything is looked at again inside the transaction that
//! decides: who the approver is now, permission, scope, digest, expiry, the typed count, what became of the
//! targets. Only then is the proposal claimed, by one `UPDATE … WHERE status = 'awaiting_approval'`. The
//! proposer's rights give nothing.
//!
//! A refusal is an answer with an audit row, not an error: the caller commits in both cases, and rolls back on
//! `Err` only. No function here is reached by a typed yes or by "all": each takes one number and one digest.
//!
//! * `card` – what is on screen when somebody decides.
//! * `changed` – what became of the targets since.
//! * `act` – what an approval does, by kind.
//! * `canary` – the second approval.
//! * `every` – lists, decided ones too, and what ends with its case.
//! * `patches` – the one way into the fleet for a patch.

mod act;
mod canary;
mod card;
mod changed;
mod every;
mod patches;

pub use act::executor;
pub use canary::{Waiting, release_canary, waiting_canaries};
pub use card::{Card, CardDevice, Section, card};
pub use changed::{Change, Changes};
pub use every::{Listed, digest_of, every, expire_these, one, overdue};
pub(crate) use patches::install;
pub use patches::{Installing, PatchDecision, decide_patches};

use crate::model::{ActResult, ActorKind, JobId, PrincipalKind};
use crate::principal;
use crate::proposals::digest::Content;
use crate::proposals::ledger::{self, Entry};
use crate::proposals::{Acting, COUNT_FROM, Kind, Note, ProposalError, Status, shown_id};
use kit::principal::{Permission, Principal};
use kit::text::Untrusted;
use rusqlite::Connection;

/// The name under which the program itself acts in the audit.
pub(crate) const PROGRAM: &str = "rmm-analyst";

/// What stands in `rejected_by` of a monitoring row that expired. No principal can be called so.
const BY_EXPIRY: &str = "(expired)";

/// Why a decision was refused. No text of a model or of a machine is in here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// No such number, or nothing that this principal may see: the same answer for both.
    #[error("there is no proposal {0} here that you may decide")]
    Unknown(u64),
    /// The permission is missing.
    #[error("deciding this needs the permission {0}, which you do not have")]
    Denied(Permission),
    /// Only for principals of the whole fleet.
    #[error("policies are decided by principals of the whole fleet: yours has a scope")]
    Scoped,
    /// A model, a connector, or a principal that is not there any more.
    #[error("proposals are decided by a person, with an account here that is not disabled")]
    NotAPerson,
    /// Somebody was first.
    #[error("{by} was first: proposal {n} is {status} already")]
    Decided {
        /// Number.
        n: u64,
        /// Who.
        by: String,
        /// When, milliseconds since 1970.
        at_ms: i64,
        /// What it became.
        status: Status,
    },
    /// Its time was over, which is a no.
    #[error("proposal {0} has expired: have it proposed again")]
    Expired(u64),
    /// The rows are not what was proposed.
    #[error(
        "proposal {0} is not what was proposed any more: its rows were changed, and it is refused for good"
    )]
    Tampered(u64),
    /// What was on screen is something else.
    #[error("proposal {0} is not the one that was shown: look at it again")]
    NotShown(u64),
    /// The number of devices was not typed, or a wrong one.
    #[error("type the number of devices to confirm: {expected} would be touched{}", typed.map_or_else(String::new, |n| format!(", not {n}")))]
    Count {
        /// The right number.
        expected: u32,
        /// What was typed.
        typed: Option<u32>,
    },
    /// What it was about has changed.
    #[error("things have changed since the proposal: {}. Have it proposed again", .0.join("; "))]
    Changed(Vec<String>),
}

impl Denial {
    /// The stable name, for JSON and for the audit.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "unknown",
            Self::Denied(_) => "denied",
            Self::Scoped => "scoped",
            Self::NotAPerson => "not-a-person",
            Self::Decided { .. } => "decided",
            Self::Expired(_) => "expired",
            Self::Tampered(_) => "tampered",
            Self::NotShown(_) => "not-shown",
            Self::Count { .. } => "count",
            Self::Changed(_) => "changed",
        }
    }
}

/// What became of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Number.
    pub n: u64,
    /// What it would change.
    pub kind: Kind,
    /// The id of its row, as shown.
    pub id: String,
    /// The case that made it.
    pub case: Option<String>,
    /// One line: what, on what. Holds text from models and machines.
    pub title: Untrusted,
    /// Where it stands now: a status of its kind (`approved`, `failed`, `succeeded`, `enabled`, `rejected`,
    /// `expired`, `stopping`).
    pub status: &'static str,
    /// In words, where there is more to say; empty otherwise. The program's own words and ids only.
    pub detail: String,
}

/// The answer to a decision. In both cases there is an audit row to commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It counts.
    Done(Outcome),
    /// It does not.
    Refused(Denial),
}

/// An approval as a person gave it.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Number of the proposal.
    pub n: u64,
    /// The digest of what was on screen.
    pub digest: &'a str,
    /// The number of devices, where the person typed one.
    pub typed_count: Option<u32>,
}

/// An open proposal, for a list.
#[derive(Clone, Debug)]
pub struct Open {
    /// Number.
    pub n: u64,
    /// What it would change.
    pub kind: Kind,
    /// The id of its row, as shown.
    pub id: String,
    /// One line: what, on what. Holds text from models and machines.
    pub title: Untrusted,
    /// Devices that it concerns.
    pub devices: u32,
    /// The approver types the number of devices.
    pub count: bool,
    /// The digest.
    pub digest: String,
    /// Who proposed it.
    pub proposed_by: String,
    /// A model or a person.
    pub proposer: ActorKind,
    /// In which case.
    pub case: Option<String>,
    /// When it was proposed, milliseconds since 1970.
    pub proposed_ms: i64,
    /// When it expires, milliseconds since 1970.
    pub expires_ms: i64,
    /// Whether this principal could decide it.
    pub may_decide: bool,
}

/// Open proposals that this principal may look at, oldest first; only of one case where one is given. What
/// touches anything outside the scope is not listed.
///
/// # Errors
/// SQLite's.
pub fn open(
    connection: &Connection,
    principal: &Principal,
    case: Option<&str>,
    now_ms: i64,
) -> Result<Vec<Open>, ProposalError> {
    let mut out = Vec::new();
    for entry in ledger::open(connection, principal, case, now_ms)? {
        out.push(Open {
            n: entry.number(),
            kind: entry.kind,
            id: shown_id(entry.kind, entry.subject),
            may_decide: may_decide(connection, principal, &entry)?.is_none(),
            title: Untrusted::new(entry.title),
            devices: entry.devices,
            count: entry.count,
            digest: entry.digest,
            proposed_by: entry.proposed_by,
            proposer: entry.proposer,
            case: entry.case,
            proposed_ms: entry.proposed_ms,
            expires_ms: entry.expires_ms,
        });
    }
    Ok(out)
}

/// Why this principal may not decide it; nothing where it may.
fn may_decide(
    connection: &Connection,
    principal: &Principal,
    entry: &Entry,
) -> rusqlite::Result<Option<Denial>> {
    let permission = entry.permission(connection)?;
    if !principal.allow(permission) {
        return Ok(Some(Denial::Denied(permission)));
    }
    if entry.kind == Kind::Policy && principal.is_scoped() {
        return Ok(Some(Denial::Scoped));
    }
    Ok(None)
}

/// The approver as it is now: a person that is stored, not disabled, with the permissions of this moment.
/// `None` for anybody else.
pub(crate) fn person(acting: &Acting<'_>) -> Result<Option<Principal>, ProposalError> {
    if acting.ctx.by_model {
        return Ok(None);
    }
    let stored = principal::find(acting.connection(), &acting.ctx.principal.name)?;
    Ok(stored
        .filter(|s| !s.disabled && s.kind == PrincipalKind::Person)
        .map(|s| s.principal))
}

/// What both answers begin with: who decides, and what.
fn looked_up(
    acting: &Acting<'_>,
    n: u64,
    withdraws: bool,
) -> Result<Result<Entry, Denial>, ProposalError> {
    let Some(by) = person(acting)? else {
        return Ok(Err(Denial::NotAPerson));
    };
    let Some(entry) = ledger::visible(acting.connection(), &by, n)? else {
        return Ok(Err(Denial::Unknown(n)));
    };
    // Whoever proposed something may take it back.
    let own = withdraws && entry.proposed_by == by.name;
    if !own && let Some(denial) = may_decide(acting.connection(), &by, &entry)? {
        return Ok(Err(denial));
    }
    if let Some(denial) = decided(&entry) {
        return Ok(Err(denial));
    }
    if acting.ctx.now_ms >= entry.expires_ms {
        expire_one(acting, &entry)?;
        return Ok(Err(Denial::Expired(n)));
    }
    Ok(Ok(entry))
}

/// The same for the second approval of a job, whose proposal was decided already.
fn looked_up_job(acting: &Acting<'_>, n: u64) -> Result<Result<Entry, Denial>, ProposalError> {
    let Some(by) = person(acting)? else {
        return Ok(Err(Denial::NotAPerson));
    };
    let entry = ledger::visible(acting.connection(), &by, n)?
        .filter(|e| e.kind == Kind::Job && e.status == Status::Approved);
    let Some(entry) = entry else {
        return Ok(Err(Denial::Unknown(n)));
    };
    Ok(match may_decide(acting.connection(), &by, &entry)? {
        Some(denial) => Err(denial),
        None => Ok(entry),
    })
}

/// Stops a job that its own case started, or a person by hand; rights were looked at by the caller.
pub(crate) fn stop_job(
    acting: &Acting<'_>,
    job: JobId,
    why: &str,
) -> Result<(&'static str, String), ProposalError> {
    let (status, detail) = act::stop(acting, job.0)?;
    acting.audit(&Note::new(
        "job.cancel",
        ActResult::Ok,
        &job.to_string(),
        serde_json::json!({ "status": status, "why": why }),
    ))?;
    Ok((status, detail))
}

fn decided(entry: &Entry) -> Option<Denial> {
    match entry.status {
        Status::AwaitingApproval => None,
        Status::Expired => Some(Denial::Expired(entry.number())),
        status => Some(Denial::Decided {
            n: entry.number(),
            by: entry.decided_by.clone(),
            at_ms: entry.decided_ms.unwrap_or(0),
            status,
        }),
    }
}

/// Approves one proposal, and does what it says where the program itself does it.
///
/// # Errors
/// The store failed: roll back. A refusal is a [`Decision::Refused`].
pub fn approve(acting: &Acting<'_>, ask: &Ask<'_>) -> Result<Decision, ProposalError> {
    let entry = match looked_up(acting, ask.n, false)? {
        Ok(entry) => entry,
        Err(denial) => return refuse(acting, "approve", ask.n, denial),
    };
    let changes = match fit(acting, &entry, ask)? {
        Ok(changes) => changes,
        Err(denial) => return refuse(acting, "approve", ask.n, denial),
    };
    let by = &acting.ctx.principal.name;
    if !ledger::decide(
        acting.connection(),
        entry.n,
        Status::Approved,
        by,
        "",
        acting.ctx.now_ms,
    )? {
        return first_was(acting, "approve", &entry);
    }
    let Some((status, detail)) = act::carry_out(acting, &entry, ask.typed_count, &changes)? else {
        // The ledger was open and the row of its kind is not: somebody wrote past this module.
        return Err(ProposalError::NotDone(format!(
            "{} is not open any more, although its proposal is",
            shown_id(entry.kind, entry.subject)
        )));
    };
    let outcome = told(&entry, status, detail);
    note(acting, "approve", &entry, ActResult::Ok, &outcome)?;
    Ok(Decision::Done(outcome))
}

/// Digest, count and drift: what the approver saw is what is there.
fn fit(
    acting: &Acting<'_>,
    entry: &Entry,
    ask: &Ask<'_>,
) -> Result<Result<Changes, Denial>, ProposalError> {
    let connection = acting.connection();
    let n = entry.number();
    let Some(content) = Content::read(connection, entry.kind, entry.subject)? else {
        return Ok(Err(Denial::Tampered(n)));
    };
    let kept = act::kept_digest(connection, entry)?;
    if content.digest() != entry.digest || kept.is_some_and(|kept| kept != entry.digest) {
        return Ok(Err(Denial::Tampered(n)));
    }
    if ask.digest != entry.digest {
        return Ok(Err(Denial::NotShown(n)));
    }
    let expected = devices_of(entry, &content);
    if (needs_count(entry, &content) || ask.typed_count.is_some())
        && ask.typed_count != Some(expected)
    {
        return Ok(Err(Denial::Count {
            expected,
            typed: ask.typed_count,
        }));
    }
    let changes = changed::look(connection, entry)?;
    if changes.fatal() {
        return Ok(Err(Denial::Changed(changes.in_words())));
    }
    Ok(Ok(changes))
}

/// Counted from the rows that the digest covers where there are some, not taken from the ledger.
fn devices_of(entry: &Entry, content: &Content) -> u32 {
    match entry.kind {
        Kind::Job | Kind::Operation => crate::proposals::draft::count_of(content.targets()),
        _ => entry.devices,
    }
}

fn needs_count(entry: &Entry, content: &Content) -> bool {
    entry.count
        || match entry.kind {
            Kind::Operation => content.deletes(),
            Kind::Job => content.targets() >= COUNT_FROM,
            _ => false,
        }
}

/// Says no to one proposal. Whoever could approve it may, and whoever proposed it.
///
/// # Errors
/// As [`approve`].
pub fn deny(acting: &Acting<'_>, n: u64, reason: &str) -> Result<Decision, ProposalError> {
    let entry = match looked_up(acting, n, true)? {
        Ok(entry) => entry,
        Err(denial) => return refuse(acting, "deny", n, denial),
    };
    let reason: String = reason.trim().chars().take(500).collect();
    if !reject(acting, &entry, &reason)? {
        return first_was(acting, "deny", &entry);
    }
    let outcome = told(&entry, "rejected", String::new());
    note(acting, "deny", &entry, ActResult::Ok, &outcome)?;
    Ok(Decision::Done(outcome))
}

/// Rejects without a look at rights: the caller has looked.
pub(crate) fn reject(
    acting: &Acting<'_>,
    entry: &Entry,
    reason: &str,
) -> Result<bool, ProposalError> {
    let by = &acting.ctx.principal.name;
    let done = ledger::decide(
        acting.connection(),
        entry.n,
        Status::Rejected,
        by,
        reason,
        acting.ctx.now_ms,
    )?;
    if done {
        act::close(
            acting.connection(),
            entry,
            Status::Rejected,
            by,
            reason,
            acting.ctx.now_ms,
        )?;
    }
    Ok(done)
}

/// Expires everything whose time is over, and tells what it was. Expiry is a rejection by the program.
///
/// # Errors
/// The store failed.
pub fn expire(acting: &Acting<'_>) -> Result<Vec<Outcome>, ProposalError> {
    let mut out = Vec::new();
    for entry in ledger::overdue(acting.connection(), acting.ctx.now_ms)? {
        out.extend(expire_one(acting, &entry)?);
    }
    Ok(out)
}

fn expire_one(acting: &Acting<'_>, entry: &Entry) -> Result<Option<Outcome>, ProposalError> {
    let now_ms = acting.ctx.now_ms;
    if !ledger::decide(
        acting.connection(),
        entry.n,
        Status::Expired,
        "",
        "",
        now_ms,
    )? {
        return Ok(None);
    }
    act::close(
        acting.connection(),
        entry,
        Status::Expired,
        BY_EXPIRY,
        "nobody decided in time",
        now_ms,
    )?;
    let outcome = told(entry, "expired", String::new());
    let id = shown_id(entry.kind, entry.subject);
    acting.audit(&Note {
        actor: Some(PROGRAM),
        kind: Some(ActorKind::System),
        case: entry.case.as_deref(),
        ..Note::new(
            &format!("{}.expire", entry.kind),
            ActResult::Ok,
            &id,
            serde_json::json!({ "proposal": entry.n, "title": entry.title, "digest": entry.digest }),
        )
    })?;
    Ok(Some(outcome))
}

fn told(entry: &Entry, status: &'static str, detail: String) -> Outcome {
    Outcome {
        n: entry.number(),
        kind: entry.kind,
        id: shown_id(entry.kind, entry.subject),
        case: entry.case.clone(),
        title: Untrusted::new(entry.title.clone()),
        status,
        detail,
    }
}

fn note(
    acting: &Acting<'_>,
    verb: &str,
    entry: &Entry,
    result: ActResult,
    outcome: &Outcome,
) -> Result<(), ProposalError> {
    let id = shown_id(entry.kind, entry.subject);
    acting.audit(&Note {
        case: entry.case.as_deref(),
        ..Note::new(
            &format!("{}.{verb}", entry.kind),
            result,
            &id,
            serde_json::json!({
                "proposal": entry.n, "title": entry.title, "digest": entry.digest, "devices": entry.devices,
                "status": outcome.status, "detail": outcome.detail, "proposed_by": entry.proposed_by,
            }),
        )
    })?;
    Ok(())
}

fn refuse(
    acting: &Acting<'_>,
    verb: &str,
    n: u64,
    denial: Denial,
) -> Result<Decision, ProposalError> {
    acting.audit(&Note::new(
        &format!("proposal.{verb}"),
        ActResult::Refused,
        &n.to_string(),
        serde_json::json!({ "proposal": n, "refusal": denial.key(), "why": denial.to_string() }),
    ))?;
    Ok(Decision::Refused(denial))
}

/// Lost the race: says who won it.
fn first_was(acting: &Acting<'_>, verb: &str, entry: &Entry) -> Result<Decision, ProposalError> {
    let now = ledger::about(acting.connection(), entry.kind, entry.subject)?;
    let denial = now
        .filter(|e| e.n == entry.n)
        .as_ref()
        .and_then(decided)
        .unwrap_or(Denial::Unknown(entry.number()));
    refuse(acting, verb, entry.number(), denial)
}
