//! The tables of the fleet. The program's store runs these steps, in order and each once, inside its own
//! numbered migrations; a step that was released is never edited, a new one is added at the end.

use rusqlite::Connection;

/// The steps.
pub const MIGRATIONS: &[&str] = &[concat!(
    include_str!("0001_org.sql"),
    include_str!("0002_software.sql"),
    include_str!("0003_work.sql"),
    include_str!("0004_people.sql"),
    include_str!("0005_proposals.sql"),
    include_str!("0006_kept.sql"),
)];

/// All steps at once, on a database that has none of them: for tests, benches and made-up fleets.
///
/// # Errors
/// SQLite refuses.
pub fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "foreign_keys", true)?;
    for step in MIGRATIONS {
        connection.execute_batch(step)?;
    }
    Ok(())
}
