//! Lists of proposals for a person, decided ones too; and proposals that end because what made them has.

use super::{Outcome, expire_one, may_decide};
use crate::model::ActorKind;
use crate::proposals::ledger::{self, Entry};
use crate::proposals::{Acting, Kind, ProposalError, Status, shown_id};
use kit::principal::Principal;
use kit::text::Untrusted;
use rusqlite::{Connection, OptionalExtension, params};

/// Most rows of a list.
const MOST: u32 = 1_000;

/// A proposal of a list, decided or not.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Number.
    pub n: u64,
    /// What it would change.
    pub kind: Kind,
    /// The id of its row, as shown.
    pub id: String,
    /// The tool that made it.
    pub tool: String,
    /// One line: what, on what. Holds text from models and machines.
    pub title: Untrusted,
    /// The proposer's reason; empty where none was given.
    pub why: Untrusted,
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
    /// Where it stands between its maker and a person.
    pub status: Status,
    /// Who decided it; empty while it is open.
    pub decided_by: String,
    /// When, milliseconds since 1970.
    pub decided_ms: Option<i64>,
    /// The reason given with the decision.
    pub reason: Untrusted,
    /// What became of it where it was approved: the status of its job or operation, and why. Empty otherwise.
    pub became: (String, Untrusted),
}

/// Proposals that this principal may look at, oldest first; of one case where one is given, and only open ones
/// unless `decided` says otherwise. The newest thousand where there are more. What touches anything outside the
/// scope is not listed.
///
/// # Errors
/// SQLite's.
pub fn every(
    connection: &Connection,
    principal: &Principal,
    case: Option<&str>,
    decided: bool,
    now_ms: i64,
) -> Result<Vec<Listed>, ProposalError> {
    let mut entries = if decided {
        ledger::every(connection, principal, case, MOST)?
    } else {
        ledger::open(connection, principal, case, now_ms)?
    };
    entries.sort_by_key(|e| e.n);
    entries
        .into_iter()
        .map(|entry| listed(connection, principal, entry))
        .collect()
}

/// The proposal with this number, decided or not, whoever may see it: for the program's own books.
///
/// # Errors
/// SQLite's.
pub fn one(connection: &Connection, n: u64) -> Result<Option<Listed>, ProposalError> {
    let program = Principal::owner(super::PROGRAM);
    ledger::visible(connection, &program, n)?
        .map(|entry| listed(connection, &program, entry))
        .transpose()
}

fn listed(
    connection: &Connection,
    principal: &Principal,
    entry: Entry,
) -> Result<Listed, ProposalError> {
    Ok(Listed {
        n: entry.number(),
        kind: entry.kind,
        id: shown_id(entry.kind, entry.subject),
        may_decide: may_decide(connection, principal, &entry)?.is_none(),
        became: became(connection, &entry)?,
        tool: entry.tool,
        title: Untrusted::new(entry.title),
        why: Untrusted::new(entry.why),
        devices: entry.devices,
        count: entry.count,
        digest: entry.digest,
        proposed_by: entry.proposed_by,
        proposer: entry.proposer,
        case: entry.case,
        proposed_ms: entry.proposed_ms,
        expires_ms: entry.expires_ms,
        status: entry.status,
        decided_by: entry.decided_by,
        decided_ms: entry.decided_ms,
        reason: Untrusted::new(entry.reason),
    })
}

fn became(connection: &Connection, entry: &Entry) -> rusqlite::Result<(String, Untrusted)> {
    let nothing = || (String::new(), Untrusted::new(String::new()));
    if entry.status != Status::Approved {
        return Ok(nothing());
    }
    let sql = match entry.kind {
        Kind::Job | Kind::Cancel => "SELECT status, reason FROM jobs WHERE id = ?1",
        Kind::Operation => "SELECT status, reason FROM device_operations WHERE id = ?1",
        Kind::Task => "SELECT iif(enabled, 'enabled', 'disabled'), '' FROM tasks WHERE id = ?1",
        Kind::Check => "SELECT iif(enabled, 'enabled', 'disabled'), '' FROM checks WHERE id = ?1",
        Kind::Policy => {
            "SELECT iif(enabled, 'enabled', 'disabled'), '' FROM policies WHERE id = ?1"
        }
    };
    let found = connection
        .prepare_cached(sql)?
        .query_row(params![entry.subject], |r| {
            Ok((r.get(0)?, Untrusted::new(r.get::<_, String>(1)?)))
        })
        .optional()?;
    Ok(found.unwrap_or_else(nothing))
}

/// Whether something waits past its time, so that a sweep has something to do.
///
/// # Errors
/// SQLite's.
pub fn overdue(connection: &Connection, now_ms: i64) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM fleet_proposals WHERE status = 'awaiting_approval' AND expires_ms <= ?1)",
        )?
        .query_row([now_ms], |r| r.get(0))
}

/// Expires these where they are open, whatever their time: the case that made them was closed or purged. It is a
/// rejection by the program.
///
/// # Errors
/// The store failed.
pub fn expire_these(acting: &Acting<'_>, numbers: &[u64]) -> Result<Vec<Outcome>, ProposalError> {
    let numbers: Vec<i64> = numbers
        .iter()
        .filter_map(|n| i64::try_from(*n).ok())
        .collect();
    let mut out = Vec::new();
    for entry in ledger::open_among(acting.connection(), &numbers)? {
        out.extend(expire_one(acting, &entry)?);
    }
    Ok(out)
}

/// The digest of the proposal with this number, whoever asks: for a person who gave only its first digits.
///
/// # Errors
/// SQLite's.
pub fn digest_of(connection: &Connection, n: u64) -> rusqlite::Result<Option<String>> {
    let Ok(n) = i64::try_from(n) else {
        return Ok(None);
    };
    connection
        .prepare_cached("SELECT digest FROM fleet_proposals WHERE n = ?1")?
        .query_row([n], |r| r.get(0))
        .optional()
}
