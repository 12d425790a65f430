//! Made-up fleets of fixed sizes, the same for the same seed: for benches and trials, never as real data.
//! Every name is invented, every address is from a private or a documentation range.

mod devices;
mod rng;
mod software;
mod work;

use crate::audit::{AuditError, Chain};
use crate::model::names;
use rng::Rng;
use rusqlite::Connection;

names! {
    /// How large.
    Size {
        /// 25 devices, 3 clients.
        S = "S",
        /// 1,500 devices, 25 clients, 150 packages each.
        M = "M",
        /// 10,000 devices, 120 clients, 300 packages each.
        L = "L",
    }
}

/// What is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How large.
    pub size: Size,
    /// The same seed makes the same fleet.
    pub seed: u64,
    /// Rows of the audit, spread over the last 100 days.
    pub audit_rows: u64,
    /// Now, milliseconds since 1970.
    pub now_ms: i64,
}

/// How much was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Clients.
    pub clients: u64,
    /// Devices.
    pub devices: u64,
    /// Installed software, rows.
    pub software: u64,
    /// Missing patches, rows.
    pub patches: u64,
    /// Audit rows.
    pub audit: u64,
}

struct Numbers {
    clients: u64,
    devices: u64,
    packages: u64,
}

impl Size {
    const fn numbers(self) -> Numbers {
        let (clients, devices, packages) = match self {
            Self::S => (3, 25, 40),
            Self::M => (25, 1500, 150),
            Self::L => (120, 10_000, 300),
        };
        Numbers {
            clients,
            devices,
            packages,
        }
    }
}

/// Makes a fleet in an empty store, inside the caller's transaction. Counts are built once at the end.
///
/// # Errors
/// The store is not empty, or SQLite refuses.
pub fn generate(
    connection: &Connection,
    chain: &dyn Chain,
    plan: &Plan,
) -> Result<Made, AuditError> {
    let numbers = plan.size.numbers();
    let mut rng = Rng::new(plan.seed);
    let mut made = Made {
        clients: numbers.clients,
        devices: numbers.devices,
        audit: plan.audit_rows,
        ..Made::default()
    };
    // The triggers that keep the counts stand still, and indices are built at the end: sorting once is faster
    // than three million searches.
    connection.execute("INSERT INTO bulk_loads (id) VALUES (1)", [])?;
    let aside = set_aside(connection)?;
    let fleet = devices::make(connection, &mut rng, &numbers, plan.now_ms)?;
    made.software = software::make(connection, &mut rng, &fleet, numbers.packages, plan.now_ms)?;
    made.patches = work::patches(connection, &mut rng, &fleet, plan.now_ms)?;
    work::monitoring(connection, &mut rng, &fleet, plan.now_ms)?;
    work::jobs(connection, &mut rng, &fleet, plan.now_ms)?;
    work::audit(connection, chain, &mut rng, &fleet, plan)?;
    for sql in aside {
        connection.execute_batch(&sql)?;
    }
    connection.execute("DELETE FROM bulk_loads", [])?;
    crate::inventory::rebuild_counts(connection)?;
    crate::audit::rebuild_days(connection)?;
    Ok(made)
}

/// Takes indices and guards of the two large tables away and gives the SQL that makes them again.
fn set_aside(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut found = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND
           ((type = 'index' AND tbl_name IN ('device_software', 'fleet_audit'))
            OR name IN ('device_software_alive', 'device_software_no_replace', 'device_software_added', 'fleet_audit_no_replace', 'fleet_audit_day'))",
    )?;
    let parts: Vec<(String, String, String)> = found
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (kind, name, _) in &parts {
        connection.execute_batch(&format!("DROP {kind} {name}"))?;
    }
    Ok(parts.into_iter().map(|(_, _, sql)| sql).collect())
}
