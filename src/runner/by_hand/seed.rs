//! Made-up fleets, for trials and measurements. Never beside real data.

use super::ByHandError;
use crate::runner::Runner;
use crate::store::StoreError;
use fleet::seed::{self, Plan};

pub use fleet::seed::{Made, Size};

impl Runner {
    /// Makes a fleet in a database that has no devices.
    ///
    /// # Errors
    /// There are devices already, this is no first owner, or the store failed.
    pub fn seed_fleet(&self, size: Size, seed: u64, audit_rows: u64) -> Result<Made, ByHandError> {
        if !self.principal.first_owner {
            return Err(ByHandError::refused(
                "a made-up fleet is made by the first owner only",
                "use a data directory of its own: --data-dir DIR",
            ));
        }
        let empty = self.store.read(|r| {
            let n = fleet::sql::Query::new("SELECT count(*) FROM (SELECT 1 FROM devices UNION ALL SELECT 1 FROM clients UNION ALL SELECT 1 FROM patches LIMIT 1)")
                .count(r.fleet())?;
            Ok(n == 0)
        })?;
        if !empty {
            return Err(ByHandError::refused(
                "there are devices in this database already",
                "use a data directory of its own: --data-dir DIR",
            ));
        }
        let plan = Plan {
            size,
            seed,
            audit_rows,
            now_ms: (self.now_ms)(),
        };
        let made = self.store.write(move |tx| {
            seed::generate(tx.fleet(), tx.fleet_chain(), &plan)
                .map_err(|e| StoreError::Other(e.to_string()))
        })?;
        Ok(made)
    }
}
