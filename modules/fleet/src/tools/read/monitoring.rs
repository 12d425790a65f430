//! What `list_tasks`, `list_checks` and `list_policies` share: the target of a row, and whether a person has
//! looked at it.

use crate::model::{ClientId, DeviceId, SiteId};
use crate::tools::refer::label;
use rusqlite::Row;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Columns of a target, for a table under the alias `m`: three ids with their names.
pub(super) const TARGET: &str = "m.client_id, (SELECT name FROM clients WHERE id = m.client_id), m.site_id,
    (SELECT name FROM sites WHERE id = m.site_id), m.device_id, (SELECT hostname FROM devices WHERE id = m.device_id)";

/// Which rows by their review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Review {
    /// Proposed, and nobody decided.
    AwaitingReview,
    /// In force.
    Enabled,
    /// Not in force, for whatever reason.
    Disabled,
}

impl Review {
    pub(super) const fn condition(self) -> &'static str {
        match self {
            Self::AwaitingReview => {
                "AND m.proposed_by <> '' AND m.approved_by = '' AND m.rejected_by = ''"
            }
            Self::Enabled => "AND m.enabled = 1",
            Self::Disabled => "AND m.enabled = 0",
        }
    }
}

/// The target in words, from [`TARGET`] beginning at this column.
pub(super) fn target(r: &Row<'_>, at: usize) -> rusqlite::Result<String> {
    let name = |i: usize| r.get::<_, Option<String>>(i).map(Option::unwrap_or_default);
    if let Some(id) = r.get::<_, Option<ClientId>>(at)? {
        return Ok(label(id, &name(at + 1)?));
    }
    if let Some(id) = r.get::<_, Option<SiteId>>(at + 2)? {
        return Ok(label(id, &name(at + 3)?));
    }
    if let Some(id) = r.get::<_, Option<DeviceId>>(at + 4)? {
        return Ok(label(id, &name(at + 5)?));
    }
    Ok("the whole fleet".to_owned())
}

/// How a row stands with the people.
pub(super) fn review(enabled: bool, proposed: &str, approved: &str, rejected: &str) -> String {
    match (proposed, approved, rejected, enabled) {
        (p, _, r, _) if !r.is_empty() && !p.is_empty() => {
            format!("proposed by {p}, rejected by {r}")
        }
        (p, "", _, _) if !p.is_empty() => {
            format!("proposed by {p}, awaits review: it does nothing yet")
        }
        (p, a, _, true) if !p.is_empty() => format!("proposed by {p}, approved by {a}"),
        (p, a, _, false) if !p.is_empty() => {
            format!("proposed by {p}, approved by {a}, switched off")
        }
        (.., true) => "made by hand".to_owned(),
        (.., false) => "made by hand, switched off".to_owned(),
    }
}
