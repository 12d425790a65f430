//! Many rows at once: the chain is continued in memory and its head written at the end. One row is the
//! same with one.

use super::chain::{Chain, Fields, Hash};
use super::{AuditError, Entry, action, head, put_head};
use rusqlite::{CachedStatement, Connection, params};

/// Writes rows at the end of the chain until [`Bulk::finish`].
pub(crate) struct Bulk<'a> {
    connection: &'a Connection,
    chain: &'a dyn Chain,
    insert: CachedStatement<'a>,
    entries: i64,
    last: Hash,
}

impl<'a> Bulk<'a> {
    pub(crate) fn begin(
        connection: &'a Connection,
        chain: &'a dyn Chain,
    ) -> Result<Self, AuditError> {
        if connection.is_autocommit() {
            return Err(AuditError::NoTransaction);
        }
        let (entries, last) = head(connection)?;
        Ok(Self {
            connection,
            chain,
            insert: connection.prepare_cached(super::INSERT)?,
            entries,
            last,
        })
    }

    pub(crate) fn write(&mut self, entry: &Entry<'_>, details: &str) -> Result<(), AuditError> {
        let (family, verb) = action(entry.action)?;
        let seq = self.entries.saturating_add(1);
        let fields = Fields {
            seq,
            at_ms: entry.at_ms,
            actor: entry.actor,
            actor_kind: entry.actor_kind.name(),
            family,
            verb,
            result: entry.result.name(),
            target: entry.target,
            client: entry.client,
            case: entry.case,
            details,
        };
        let hash = fields.hashed(&self.last, |parts| self.chain.hash(parts));
        self.insert.execute(params![
            seq,
            entry.at_ms,
            entry.actor,
            entry.actor_kind,
            family,
            verb,
            entry.result,
            entry.target,
            entry.client,
            entry.case,
            details,
            self.chain.key_id(),
            hash.as_slice(),
        ])?;
        self.entries = seq;
        self.last = hash;
        Ok(())
    }

    /// The number of the last row.
    pub(crate) const fn entries(&self) -> i64 {
        self.entries
    }

    pub(crate) fn finish(self) -> Result<(), AuditError> {
        put_head(self.connection, self.chain, self.entries, &self.last)?;
        Ok(())
    }
}
