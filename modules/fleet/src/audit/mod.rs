//! The trail of every act, refusal and approval in the fleet: append-only by triggers, hash-chained, keyed
//! where there is a key. Reading it needs `audit.view` and no scope: a scoped principal is refused.

mod bulk;
mod chain;
mod read;
mod verify;

pub(crate) use bulk::Bulk;
pub use chain::{Chain, Hash, Plain};
pub use read::{Filter, Group, Page, Row, count, entries, read, selection, summary};
pub use verify::{Fault, Verified, verify};

use crate::model::{ActResult, ActorKind};
use kit::principal::Permission;
use kit::text::Redacted;
use rusqlite::{Connection, OptionalExtension, params};

/// One day in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// Why the trail cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The permission is missing.
    #[error("reading the audit needs the permission {0}, which you do not have")]
    Denied(Permission),
    /// Scoped principals never read the trail: its rows speak of the whole fleet.
    #[error("the audit is for principals of the whole fleet: yours has a scope")]
    Scoped,
    /// Writing outside a transaction would let two writers continue the same chain.
    #[error("an audit row is written inside the transaction of what it tells: none is open")]
    NoTransaction,
    /// The action is not of the form `family.verb`.
    #[error("`{0}` is no action: family.verb in lower case is expected")]
    BadAction(String),
    /// SQLite.
    #[error("the audit could not be used: {0}")]
    Sql(#[from] rusqlite::Error),
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// When, milliseconds since 1970.
    pub at_ms: i64,
    /// The principal's name.
    pub actor: &'a str,
    /// A person by hand, a model for that person, or the program itself.
    pub actor_kind: ActorKind,
    /// `family.verb`: `job.propose`, `job.approve`, `device.delete`, `export.open`, `tool.list_devices`.
    pub action: &'a str,
    /// How it ended.
    pub result: ActResult,
    /// What it was done to, as an id (`d-12`, `j-7`); empty where nothing fits.
    pub target: &'a str,
    /// The client it concerns.
    pub client: Option<i64>,
    /// The case it was done in.
    pub case: Option<&'a str>,
    /// Anything more, as one JSON object or one sentence. Redacted by the caller.
    pub details: &'a Redacted,
}

/// Writes a row at the end of the chain and gives its number. Belongs into the transaction of what it tells.
///
/// # Errors
/// [`AuditError::NoTransaction`], [`AuditError::BadAction`], or SQLite's.
pub fn append(
    connection: &Connection,
    chain: &dyn Chain,
    entry: &Entry<'_>,
) -> Result<i64, AuditError> {
    let mut bulk = bulk::Bulk::begin(connection, chain)?;
    bulk.write(entry, entry.details.as_str())?;
    let seq = bulk.entries();
    bulk.finish()?;
    Ok(seq)
}

/// One row.
const INSERT: &str = "INSERT INTO fleet_audit (seq, at_ms, actor, actor_kind, family, verb, result, target, client_id, case_id, details, key_id, hash)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";

fn action(text: &str) -> Result<(&str, &str), AuditError> {
    let word = |w: &str| {
        !w.is_empty()
            && w.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'))
    };
    text.split_once('.')
        .filter(|(family, verb)| word(family) && word(verb))
        .ok_or_else(|| AuditError::BadAction(text.to_owned()))
}

fn head(connection: &Connection) -> rusqlite::Result<(i64, Hash)> {
    Ok(connection
        .prepare_cached("SELECT entries, hash FROM fleet_audit_head WHERE id = 1")?
        .query_row([], |r| Ok((r.get(0)?, r.get(1)?)))
        .optional()?
        .unwrap_or((0, chain::START)))
}

fn put_head(
    connection: &Connection,
    chain: &dyn Chain,
    entries: i64,
    hash: &Hash,
) -> rusqlite::Result<()> {
    let mac = chain.hash(&chain::head_parts(&entries.to_be_bytes(), hash));
    connection
        .prepare_cached(
            "INSERT INTO fleet_audit_head (id, entries, hash, key_id, mac) VALUES (1, ?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET entries = excluded.entries, hash = excluded.hash,
                                       key_id = excluded.key_id, mac = excluded.mac",
        )?
        .execute(params![
            entries,
            hash.as_slice(),
            chain.key_id(),
            mac.as_slice()
        ])?;
    Ok(())
}

/// Builds the kept days anew from the rows: after a bulk load, and where [`verify`] says that they drifted.
///
/// # Errors
/// SQLite's.
pub fn rebuild_days(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "DELETE FROM fleet_audit_days;
         INSERT INTO fleet_audit_days (day, actor, actor_kind, family, result, entries)
         SELECT (at_ms - ((at_ms % 86400000) + 86400000) % 86400000) / 86400000, actor, actor_kind, family, result, count(*)
         FROM fleet_audit GROUP BY 1, 2, 3, 4, 5;",
    )
}
