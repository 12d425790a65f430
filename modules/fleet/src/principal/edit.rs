//! Making and changing principals: nobody oneself, nobody beyond what one has.

use super::{PrincipalError, Stored, find};
use crate::model::PrincipalKind;
use kit::principal::{Permission, Places, Principal, Scope};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeSet;

/// A principal to be made.
#[derive(Clone, Debug)]
pub struct New {
    /// Name: 1 to 64 letters, digits and `. _ - @`.
    pub name: String,
    /// Person or connector.
    pub kind: PrincipalKind,
    /// What it may do.
    pub permissions: BTreeSet<Permission>,
    /// Where.
    pub scope: Scope,
    /// Users of the operating system that may act as it.
    pub users: BTreeSet<String>,
}

/// What changes; `None` stays as it is.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// All permissions from now on.
    pub permissions: Option<BTreeSet<Permission>>,
    /// The scope from now on.
    pub scope: Option<Scope>,
    /// The users that may act as it from now on.
    pub users: Option<BTreeSet<String>>,
    /// Disabled or not.
    pub disabled: Option<bool>,
}

/// Makes a principal. The caller writes the audit row (`principal.add`) in the same transaction.
///
/// # Errors
/// The permission is missing, the name is bad or taken, or more would be given than `by` has.
pub fn add(
    connection: &Connection,
    by: &Principal,
    new: &New,
    now_ms: i64,
) -> Result<Stored, PrincipalError> {
    may_manage(connection, by)?;
    let good = (1..=64).contains(&new.name.chars().count())
        && new
            .name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '@'));
    if !good {
        return Err(PrincipalError::BadName(new.name.clone()));
    }
    if find(connection, &new.name)?.is_some() {
        return Err(PrincipalError::Taken);
    }
    may_give(connection, by, &new.permissions, &new.scope)?;
    connection.execute(
        "INSERT INTO principals (name, kind, scope_all, created_by, created_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![new.name, new.kind, new.scope.is_all(), by.name, now_ms],
    )?;
    let id = connection.last_insert_rowid();
    put_permissions(connection, id, new.permissions.iter().copied())?;
    put_scope(connection, id, &new.scope)?;
    put_users(connection, id, &new.users)?;
    find(connection, &new.name)?.ok_or(PrincipalError::Unknown)
}

/// Changes a principal. The caller writes the audit row (`principal.edit`) in the same transaction.
///
/// # Errors
/// The permission is missing, it is oneself (the first owner excepted) or the first owner, or more would be
/// given than `by` has. What the principal has afterwards must lie within what `by` has, switched off or not.
pub fn edit(
    connection: &Connection,
    by: &Principal,
    name: &str,
    change: &Change,
) -> Result<Stored, PrincipalError> {
    may_manage(connection, by)?;
    let stored = find(connection, name)?.ok_or(PrincipalError::Unknown)?;
    let oneself = stored.principal.name.to_lowercase() == by.name.to_lowercase();
    if stored.principal.first_owner && !oneself {
        return Err(PrincipalError::FirstOwner);
    }
    if oneself && !stored.principal.first_owner {
        return Err(PrincipalError::Oneself);
    }
    if !oneself {
        // What the principal has after the change must lie within what `by` has: else a disabled or unused
        // principal with more rights could be handed to a user of one's own choice.
        let permissions = change.permissions.clone();
        let after = permissions.unwrap_or_else(|| stored.principal.allowed().collect());
        let scope = change.scope.as_ref().unwrap_or(&stored.principal.scope);
        // Switching somebody off counts too: who manages one client may not shut out the rest of the house.
        may_give(connection, by, &after, scope)?;
    }
    if let Some(permissions) = &change.permissions {
        connection.execute(
            "DELETE FROM principal_permissions WHERE principal_id = ?1",
            [stored.id],
        )?;
        put_permissions(connection, stored.id, permissions.iter().copied())?;
    }
    if let Some(scope) = &change.scope {
        put_scope(connection, stored.id, scope)?;
    }
    if let Some(users) = &change.users {
        put_users(connection, stored.id, users)?;
    }
    if let Some(disabled) = change.disabled {
        if stored.principal.first_owner && disabled {
            return Err(PrincipalError::FirstOwner);
        }
        connection.execute(
            "UPDATE principals SET disabled = ?2 WHERE id = ?1",
            params![stored.id, disabled],
        )?;
    }
    find(connection, name)?.ok_or(PrincipalError::Unknown)
}

/// A connector manages nobody, whatever it was given: it would make itself a person.
fn may_manage(connection: &Connection, by: &Principal) -> Result<(), PrincipalError> {
    if !by.allow(Permission::PrincipalsManage) {
        return Err(PrincipalError::Denied(Permission::PrincipalsManage));
    }
    match find(connection, &by.name)? {
        Some(stored) if stored.kind == PrincipalKind::Connector => Err(PrincipalError::NotAPerson),
        _ => Ok(()),
    }
}

/// Whether a principal may do what concerns the whole installation: copies of the database, its settings and
/// secrets. A person, of the whole fleet, who manages principals.
///
/// # Errors
/// The store failed.
pub fn is_steward(connection: &Connection, by: &Principal) -> Result<bool, PrincipalError> {
    Ok(by.first_owner || !by.is_scoped() && may_manage(connection, by).is_ok())
}

/// The first owner gives anything; others only what they have, and only inside their own scope.
fn may_give(
    connection: &Connection,
    by: &Principal,
    permissions: &BTreeSet<Permission>,
    scope: &Scope,
) -> Result<(), PrincipalError> {
    let places = match scope {
        Scope::All if by.scope.is_all() || by.first_owner => None,
        Scope::All => return Err(PrincipalError::MoreThanOwn("the whole fleet".into())),
        Scope::Only(places) => Some(places),
    };
    if let Some(places) = places {
        inside(connection, by, places)?;
    }
    if by.first_owner {
        return Ok(());
    }
    match permissions.iter().find(|p| !by.allow(**p)) {
        Some(p) => Err(PrincipalError::MoreThanOwn(p.to_string())),
        None => Ok(()),
    }
}

/// Every place exists and lies in the scope of `by`. One outside it and one that does not exist read alike.
fn inside(connection: &Connection, by: &Principal, places: &Places) -> Result<(), PrincipalError> {
    // No id is 0: a whole client is not inside because one of its sites is.
    for id in &places.clients {
        let there = connection
            .query_row("SELECT id FROM clients WHERE id = ?1", [id], |r| r.get(0))
            .optional()?;
        if !there.is_some_and(|client| by.scope.holds(client, 0, None)) {
            return Err(PrincipalError::NoPlace(format!("client c-{id}")));
        }
    }
    for id in &places.sites {
        let there = connection
            .query_row("SELECT client_id FROM sites WHERE id = ?1", [id], |r| {
                r.get(0)
            })
            .optional()?;
        if !there.is_some_and(|client| by.scope.holds(client, *id, None)) {
            return Err(PrincipalError::NoPlace(format!("site s-{id}")));
        }
    }
    for id in &places.departments {
        let there = connection
            .query_row(
                "SELECT s.client_id, s.id FROM departments u JOIN sites s ON s.id = u.site_id WHERE u.id = ?1",
                [id],
                |r| Ok((r.get(0)?, r.get(1)?)),
            )
            .optional()?;
        if !there.is_some_and(|(client, site)| by.scope.holds(client, site, Some(*id))) {
            return Err(PrincipalError::NoPlace(format!("department u-{id}")));
        }
    }
    Ok(())
}

pub(super) fn put_permissions(
    connection: &Connection,
    id: i64,
    permissions: impl Iterator<Item = Permission>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO principal_permissions (principal_id, permission) VALUES (?1, ?2)",
    )?;
    for permission in permissions {
        statement.execute(params![id, permission.name()])?;
    }
    Ok(())
}

fn put_scope(connection: &Connection, id: i64, scope: &Scope) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM principal_places WHERE principal_id = ?1", [id])?;
    connection.execute(
        "UPDATE principals SET scope_all = ?2 WHERE id = ?1",
        params![id, scope.is_all()],
    )?;
    let Scope::Only(places) = scope else {
        return Ok(());
    };
    let levels = [
        ("client_id", &places.clients),
        ("site_id", &places.sites),
        ("department_id", &places.departments),
    ];
    for (column, ids) in levels {
        let mut statement = connection.prepare_cached(&format!(
            "INSERT INTO principal_places (principal_id, {column}) VALUES (?1, ?2)"
        ))?;
        for place in ids {
            statement.execute(params![id, place])?;
        }
    }
    Ok(())
}

fn put_users(connection: &Connection, id: i64, users: &BTreeSet<String>) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM principal_users WHERE principal_id = ?1", [id])?;
    let mut statement = connection
        .prepare_cached("INSERT INTO principal_users (principal_id, os_user) VALUES (?1, ?2)")?;
    for user in users {
        statement.execute(params![id, user])?;
    }
    Ok(())
}
