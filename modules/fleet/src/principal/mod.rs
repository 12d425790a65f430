//! Stored principals. The first start makes one unrestricted principal for the user of the operating system;
//! `principals.manage` makes and changes others, never beyond what its holder has, and never oneself.

mod acts;
mod edit;
pub mod presets;

pub use acts::{change, make, places_named};
pub use edit::{Change, New, add, edit, is_steward};

use crate::model::PrincipalKind;
use kit::principal::{Permission, Places, Principal, Scope};
use rusqlite::{Connection, OptionalExtension, params};

/// Why a principal cannot be used, made or changed.
#[derive(Debug, thiserror::Error)]
pub enum PrincipalError {
    /// No principal of this name, or none that this user may act as: the same answer for both.
    #[error(
        "there is no principal of this name that you may act as: see `rmm-analyst principal list`"
    )]
    Unknown,
    /// The user of the operating system has no principal here.
    #[error(
        "this user has no principal in this database: its owner makes one with `rmm-analyst principal add`"
    )]
    NoneForUser,
    /// Disabled.
    #[error("this principal is disabled: somebody with principals.manage can enable it again")]
    Disabled,
    /// The permission is missing.
    #[error("this needs the permission {0}, which you do not have")]
    Denied(Permission),
    /// Own permissions and scope are changed by somebody else.
    #[error(
        "nobody changes their own permissions or scope, except the first owner: ask somebody else with principals.manage"
    )]
    Oneself,
    /// The first owner is changed by nobody but itself.
    #[error("the first owner is changed by nobody else")]
    FirstOwner,
    /// Gives more than the giver has.
    #[error("you cannot give {0}, which you do not have yourself")]
    MoreThanOwn(String),
    /// A connector.
    #[error("a connector manages nobody: a person does")]
    NotAPerson,
    /// Not a name.
    #[error("`{0}` cannot be a name: 1 to 64 letters, digits, and . _ - @ are taken")]
    BadName(String),
    /// The name is in use.
    #[error("a principal of this name exists already")]
    Taken,
    /// A place that does not exist.
    #[error("there is no {0}")]
    NoPlace(String),
    /// SQLite.
    #[error("the store could not be used: {0}")]
    Sql(#[from] rusqlite::Error),
}

/// A principal as it is stored.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its row.
    pub id: i64,
    /// Name, permissions, scope.
    pub principal: Principal,
    /// Person or connector.
    pub kind: PrincipalKind,
    /// May not be used.
    pub disabled: bool,
    /// Users of the operating system that may act as it.
    pub users: Vec<String>,
}

/// The principal that this user acts as: the named one where the user may act as it, else the user's own. On
/// a database without principals, makes the first owner.
///
/// # Errors
/// [`PrincipalError::Unknown`], [`PrincipalError::NoneForUser`], [`PrincipalError::Disabled`].
pub fn acting(
    connection: &Connection,
    os_user: &str,
    name: Option<&str>,
    now_ms: i64,
) -> Result<Principal, PrincipalError> {
    if !any(connection)? {
        make_first_owner(connection, os_user, now_ms)?;
    }
    let found = connection
        .query_row(
            "SELECT p.id FROM principals p JOIN principal_users u ON u.principal_id = p.id
             WHERE u.os_user = ?1 AND (?2 IS NULL OR p.name = ?2)
             ORDER BY p.name = ?1 DESC, p.first_owner DESC, p.id LIMIT 1",
            params![os_user, name],
            |r| r.get::<_, i64>(0),
        )
        .optional()?;
    let id = found.ok_or(if name.is_some() {
        PrincipalError::Unknown
    } else {
        PrincipalError::NoneForUser
    })?;
    let stored = by_id(connection, id)?;
    if stored.disabled {
        return Err(PrincipalError::Disabled);
    }
    Ok(stored.principal)
}

/// Whether the database has principals at all.
///
/// # Errors
/// SQLite's.
pub fn any(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM principals)", [], |r| r.get(0))
}

fn make_first_owner(
    connection: &Connection,
    os_user: &str,
    now_ms: i64,
) -> Result<(), PrincipalError> {
    let owner = Principal::owner(os_user);
    connection.execute(
        "INSERT INTO principals (name, kind, scope_all, first_owner, created_by, created_ms)
         VALUES (?1, 'person', 1, 1, ?1, ?2)",
        params![os_user, now_ms],
    )?;
    let id = connection.last_insert_rowid();
    edit::put_permissions(connection, id, owner.allowed())?;
    connection.execute(
        "INSERT INTO principal_users (principal_id, os_user) VALUES (?1, ?2)",
        params![id, os_user],
    )?;
    Ok(())
}

/// The principal of this name as it is now: an approval and an export look again at the moment they happen.
///
/// # Errors
/// [`PrincipalError::Unknown`], [`PrincipalError::Disabled`].
pub fn present(connection: &Connection, name: &str) -> Result<Principal, PrincipalError> {
    let stored = find(connection, name)?.ok_or(PrincipalError::Unknown)?;
    if stored.disabled {
        return Err(PrincipalError::Disabled);
    }
    Ok(stored.principal)
}

/// The principal of this name, disabled ones too.
///
/// # Errors
/// SQLite's.
pub fn find(connection: &Connection, name: &str) -> Result<Option<Stored>, PrincipalError> {
    connection
        .query_row("SELECT id FROM principals WHERE name = ?1", [name], |r| {
            r.get::<_, i64>(0)
        })
        .optional()?
        .map(|id| by_id(connection, id))
        .transpose()
}

/// All principals by name. Needs `principals.manage`; without it, only oneself.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, asking: &Principal) -> Result<Vec<Stored>, PrincipalError> {
    let mut statement = connection
        .prepare_cached("SELECT id FROM principals WHERE ?1 OR name = ?2 ORDER BY name")?;
    let ids: Vec<i64> = statement
        .query_map(
            params![asking.allow(Permission::PrincipalsManage), asking.name],
            |r| r.get(0),
        )?
        .collect::<Result<_, _>>()?;
    ids.into_iter().map(|id| by_id(connection, id)).collect()
}

fn by_id(connection: &Connection, id: i64) -> Result<Stored, PrincipalError> {
    let (name, kind, scope_all, first_owner, disabled) = connection.query_row(
        "SELECT name, kind, scope_all, first_owner, disabled FROM principals WHERE id = ?1",
        [id],
        |r| {
            Ok((
                r.get::<_, String>(0)?,
                r.get::<_, PrincipalKind>(1)?,
                r.get::<_, bool>(2)?,
                r.get::<_, bool>(3)?,
                r.get::<_, bool>(4)?,
            ))
        },
    )?;
    let names: Vec<String> = column(
        connection,
        "SELECT permission FROM principal_permissions WHERE principal_id = ?1",
        id,
    )?;
    let scope = if scope_all {
        Scope::All
    } else {
        let ids = |what: &str| -> rusqlite::Result<std::collections::BTreeSet<i64>> {
            Ok(column::<i64>(
                connection,
                &format!(
                    "SELECT {what} FROM principal_places WHERE principal_id = ?1 AND {what} IS NOT NULL"
                ),
                id,
            )?
            .into_iter()
            .collect())
        };
        Scope::Only(Places {
            clients: ids("client_id")?,
            sites: ids("site_id")?,
            departments: ids("department_id")?,
        })
    };
    // A permission that this program does not know gives nothing.
    let permissions = names.iter().filter_map(|n| Permission::from_name(n));
    let mut principal = Principal::with(name, permissions, scope);
    principal.first_owner = first_owner;
    Ok(Stored {
        id,
        principal,
        kind,
        disabled,
        users: column(
            connection,
            "SELECT os_user FROM principal_users WHERE principal_id = ?1 ORDER BY os_user",
            id,
        )?,
    })
}

fn column<T: rusqlite::types::FromSql>(
    connection: &Connection,
    sql: &str,
    id: i64,
) -> rusqlite::Result<Vec<T>> {
    connection
        .prepare_cached(sql)?
        .query_map([id], |r| r.get(0))?
        .collect()
}
