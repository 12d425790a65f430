//! The fleet's tables in the same file: its functions get the open transaction, so that a proposal and its
//! event, an approval and its claim are written together or not at all.

use super::error::StoreError;
use super::{Reader, Tx};
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
}

impl Tx<'_> {
    /// Tries something and takes back whatever it wrote: how a call is examined before it is judged.
    ///
    /// # Errors
    /// The database failed.
    pub fn tried<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> Result<T, StoreError> {
        self.conn.execute_batch("SAVEPOINT tried")?;
        let result = f(self);
        self.conn
            .execute_batch("ROLLBACK TO tried; RELEASE tried")?;
        Ok(result)
    }
}
