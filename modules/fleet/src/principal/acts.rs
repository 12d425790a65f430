//! Making and changing principals, with the audit row that tells of it. A refusal is the inner error and has its
//! audit row too: commit in both cases.

use super::{Change, New, PrincipalError, Stored, edit};
use crate::model::ActResult;
use crate::proposals::{Acting, Note, ProposalError};
use crate::scope;
use crate::sql::{Query, list};
use kit::principal::{Permission, Principal, Scope};
use kit::text::Untrusted;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// Makes a principal.
///
/// # Errors
/// The store failed: roll back.
pub fn make(
    acting: &Acting<'_>,
    new: &New,
) -> Result<Result<Stored, PrincipalError>, ProposalError> {
    let details = serde_json::json!({
        "kind": new.kind, "permissions": names(&new.permissions), "scope": new.scope, "users": new.users,
    });
    let ctx = &acting.ctx;
    let done = super::add(ctx.connection, ctx.principal, new, ctx.now_ms);
    told(acting, "principal.add", &new.name, done, details)
}

/// Changes a principal.
///
/// # Errors
/// The store failed: roll back.
pub fn change(
    acting: &Acting<'_>,
    name: &str,
    change: &Change,
) -> Result<Result<Stored, PrincipalError>, ProposalError> {
    let mut details = serde_json::Map::new();
    if let Some(permissions) = &change.permissions {
        details.insert("permissions".into(), names(permissions).into());
    }
    if let Some(scope) = &change.scope {
        details.insert("scope".into(), serde_json::json!(scope));
    }
    if let Some(users) = &change.users {
        details.insert("users".into(), serde_json::json!(users));
    }
    if let Some(disabled) = change.disabled {
        details.insert("disabled".into(), disabled.into());
    }
    let ctx = &acting.ctx;
    let done = edit::edit(ctx.connection, ctx.principal, name, change);
    told(acting, "principal.edit", name, done, details.into())
}

fn names(permissions: &BTreeSet<Permission>) -> Vec<&'static str> {
    permissions.iter().map(|p| p.name()).collect()
}

fn told(
    acting: &Acting<'_>,
    action: &str,
    name: &str,
    done: Result<Stored, PrincipalError>,
    details: serde_json::Value,
) -> Result<Result<Stored, PrincipalError>, ProposalError> {
    let target: String = name.chars().take(64).collect();
    match done {
        Err(PrincipalError::Sql(e)) => Err(e.into()),
        Ok(stored) => {
            acting.audit(&Note::new(action, ActResult::Ok, &target, details))?;
            Ok(Ok(stored))
        }
        Err(refusal) => {
            acting.audit(&Note::new(
                action,
                ActResult::Refused,
                &target,
                serde_json::json!({ "why": refusal.to_string() }),
            ))?;
            Ok(Err(refusal))
        }
    }
}

/// The places of a scope by id and name, as far as the one who asks may see them; the others are counted only.
///
/// # Errors
/// SQLite's.
pub fn places_named(
    connection: &Connection,
    asking: &Principal,
    of: &Scope,
) -> rusqlite::Result<(Vec<Untrusted>, usize)> {
    let Scope::Only(places) = of else {
        return Ok((Vec::new(), 0));
    };
    let levels = [
        ("SELECT 'c-' || x.id || ' ' || x.name FROM clients x WHERE", scope::clients(&asking.scope, "x"), &places.clients),
        (
            "SELECT 's-' || x.id || ' ' || c.name || ' / ' || x.name FROM sites x JOIN clients c ON c.id = x.client_id WHERE",
            scope::sites(&asking.scope, "x"),
            &places.sites,
        ),
        (
            "SELECT 'u-' || x.id || ' ' || c.name || ' / ' || s.name || ' / ' || x.name FROM departments x
             JOIN sites s ON s.id = x.site_id JOIN clients c ON c.id = s.client_id WHERE",
            scope::departments(&asking.scope, "x"),
            &places.departments,
        ),
    ];
    let mut named = Vec::new();
    let mut all = 0_usize;
    for (select, inside, ids) in levels {
        all = all.saturating_add(ids.len());
        let mut query = Query::new(select);
        query.append(&inside).push(
            "AND x.id IN (SELECT value FROM json_each(?)) ORDER BY x.id",
            [list(ids)],
        );
        named.extend(query.rows(connection, |r| r.get::<_, String>(0).map(Untrusted::new))?);
    }
    let hidden = all.saturating_sub(named.len());
    Ok((named, hidden))
}
