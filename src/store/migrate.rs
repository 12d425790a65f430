//! Migrations by `user_version`: numbered SQL files, each in its own transaction, a backup first.

use super::chain::ChainKey;
use super::error::StoreError;
use super::{admin, index, open};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// One step of the format.
struct Migration {
    sql: &'static str,
    /// The tables derived from the log are built anew after the last step.
    reindex: bool,
}

const MIGRATIONS: [Migration; 3] = [
    Migration {
        sql: include_str!("migrations/0001_log.sql"),
        reindex: false,
    },
    Migration {
        sql: include_str!("migrations/0002_index_and_work.sql"),
        reindex: true,
    },
    Migration {
        sql: fleet::MIGRATIONS[0],
        reindex: false,
    },
];

/// The format that this program writes.
pub const KNOWN_VERSION: u32 = MIGRATIONS.len() as u32;

/// Brings the file up to [`KNOWN_VERSION`]. With `path`, a file of an older format is first copied into
/// `backups/` beside it.
pub(crate) fn run(
    connection: &mut Connection,
    path: Option<&Path>,
    key: &ChainKey,
) -> Result<(), StoreError> {
    let from = version(connection)?;
    if from >= KNOWN_VERSION {
        return Ok(());
    }
    if let Some(path) = path
        && from > 0
    {
        admin::backup_beside(connection, path, &format!("format{from}"))?;
    }
    let mut reindex = false;
    for (at, migration) in (1_u32..).zip(&MIGRATIONS) {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read again under the lock: another process may have been faster.
        if version(&tx)? >= at {
            continue;
        }
        tx.execute_batch(migration.sql)?;
        tx.pragma_update(None, "user_version", at)?;
        if at == 1 {
            tx.pragma_update(None, "application_id", open::APPLICATION_ID)?;
            super::log::put_head(&tx, key, super::log::AUDIT, &super::log::Head::empty())?;
        }
        reindex |= migration.reindex && from > 0;
        if at == KNOWN_VERSION && reindex {
            index::rebuild_all(&tx)?;
        }
        tx.commit()?;
    }
    Ok(())
}

fn version(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |r| r.get(0))?)
}
