//! Exports: the rows themselves, for a person. A tool call stores a query under a random token and says how to
//! open it; no row passes through a model. Opening looks at permission and scope as they are then, and streams
//! from the database.
//!
//! * `token` – random bytes as text, and what is kept of them.
//! * `stored` – making, listing and taking back.
//! * `open` – the checks of an opening, the claim, and its end.
//! * `stream` – rows to CSV in constant memory.
//! * [`csv`] – cells that no spreadsheet takes for a formula.
//!
//! A token is opened once: the claim is one `UPDATE … WHERE opened_ms IS NULL`. An opening that failed (a full
//! disk, an interrupt) gives the token back until it expires.

pub mod csv;
mod open;
mod stored;
mod stream;
mod token;

pub use open::{Opening, claim, failed, finished};
pub use stored::{Made, Stored, create, list, revoke};
pub use stream::{StreamError, Streamed, rows, stream};
pub use token::Token;

use crate::audit;
use crate::model::names;
use crate::report;
use serde::Serialize;

/// How long a token can be opened, in milliseconds: 15 minutes.
pub const EXPIRY_MS: i64 = 15 * 60 * 1000;

names! {
    /// What is exported.
    Kind {
        /// Devices, hardware or software.
        Inventory = "inventory",
        /// The trail.
        Audit = "audit",
    }
}

/// A query whose rows a person gets. Ids and moments, so that it means the same when it is opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Wanted {
    /// Rows of the inventory.
    Inventory(report::Filter),
    /// Rows of the trail.
    Audit(audit::Filter),
}

impl Wanted {
    /// What kind it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Inventory(_) => Kind::Inventory,
            Self::Audit(_) => Kind::Audit,
        }
    }

    /// The heads of the columns.
    #[must_use]
    pub const fn columns(&self) -> &'static [&'static str] {
        match self {
            Self::Inventory(filter) => report::columns(filter.kind),
            Self::Audit(_) => stream::AUDIT,
        }
    }

    /// A few words for a list: `software`, `audit`.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        match self {
            Self::Inventory(filter) => filter.kind.name(),
            Self::Audit(_) => Kind::Audit.name(),
        }
    }

    fn query(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    fn read(kind: Kind, query: &str) -> serde_json::Result<Self> {
        match kind {
            Kind::Inventory => serde_json::from_str(query).map(Self::Inventory),
            Kind::Audit => serde_json::from_str(query).map(Self::Audit),
        }
    }
}
