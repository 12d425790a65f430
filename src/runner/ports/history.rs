//! The memory of cases, for the `cases` module.

use crate::store::{CaseId, Store};
use kit::indicator::Indicator;
use kit::ports::{Fut, HistoryPort, Sighting};
use kit::principal::Principal;

/// The memory of cases as one principal may read it.
pub struct History<'a> {
    /// The store.
    pub store: &'a Store,
    /// The case that asks: what it knows itself is no news to it.
    pub except: Option<&'a CaseId>,
    /// Who asks.
    pub principal: &'a Principal,
}

impl HistoryPort for History<'_> {
    fn sightings<'a>(&'a self, indicator: &'a Indicator) -> Fut<'a, Result<Vec<Sighting>, String>> {
        Box::pin(async move {
            self.store
                .read(|r| r.sightings(indicator, self.except, self.principal))
                .map_err(|e| e.to_string())
        })
    }
}
