//! The fleet's tables in the same file: its functions get the open transaction, so that a proposal and its
//! event, an approval and its claim are written together or not at all.

use super::Reader;
use super::error::StoreError;
use fleet::audit::Chain;
use rusqlite::Connection;

impl Reader<'_> {
    /// The connection of this snapshot, for functions of the fleet that read.
    #[must_use]
    pub const fn fleet(&self) -> &Connection {
        self.conn
    }

    /// How rows of the fleet's audit are hashed in this file.
    #[must_use]
    pub fn fleet_chain(&self) -> &dyn Chain {
        &self.shared.key
    }

    /// Numbers of open proposals of the fleet whose case was closed or purged: they end with it.
    ///
    /// # Errors
    /// The database failed.
    pub fn actions_without_case(&self) -> Result<Vec<u64>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT p.n FROM fleet_proposals p
             WHERE p.status = 'awaiting_approval' AND p.case_id IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM cases c JOIN summaries s ON s.case_key = c.key
                               WHERE c.id = p.case_id AND s.closed = 0)
             ORDER BY p.n",
        )?;
        let rows = statement.query_map([], |r| r.get::<_, i64>(0))?;
        let numbers: Vec<i64> = rows.collect::<Result<_, _>>()?;
        Ok(numbers.into_iter().map(i64::unsigned_abs).collect())
    }
}
