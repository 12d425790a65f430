//! Clients, sites and departments by hand. A new client belongs to nobody's scope yet, so that only principals of
//! the whole fleet make one.

use crate::approvals;
use crate::model::{ActResult, ClientId, DepartmentId, SiteId};
use crate::proposals::{Acting, Note, ProposalError};
use kit::principal::{Permission, Principal};
use rusqlite::{OptionalExtension, params};

/// Characters of a name at most.
const NAME_MAX: usize = 120;

/// A client, a site or a department.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A client.
    Client(ClientId),
    /// A site.
    Site(SiteId),
    /// A department.
    Department(DepartmentId),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Client(id) => id.fmt(f),
            Self::Site(id) => id.fmt(f),
            Self::Department(id) => id.fmt(f),
        }
    }
}

/// Why a place was not made or renamed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrgError {
    /// Not a person of this database.
    #[error("this is done by a person, with an account here that is not disabled")]
    NotAPerson,
    /// The permission is missing.
    #[error("this needs the permission clients.manage, which you do not have")]
    Denied,
    /// Only for principals of the whole fleet.
    #[error("clients are made by principals of the whole fleet: yours has a scope")]
    Scoped,
    /// No such place, or not the whole of it in this principal's scope: the same answer for both.
    #[error("there is no {0} here, or you do not have the whole of it")]
    Unknown(String),
    /// Not a name.
    #[error("a name is 1 to 120 characters, without control characters")]
    BadName,
    /// In use already.
    #[error("this name is in use already")]
    Taken,
}

impl OrgError {
    const fn key(&self) -> &'static str {
        match self {
            Self::NotAPerson => "not-a-person",
            Self::Denied => "denied",
            Self::Scoped => "scoped",
            Self::Unknown(_) => "unknown",
            Self::BadName => "bad-name",
            Self::Taken => "taken",
        }
    }
}

/// Makes a client. Commit in both cases: a refusal has its audit row.
///
/// # Errors
/// The store failed. A refusal is the inner one.
pub fn add_client(
    acting: &Acting<'_>,
    name: &str,
) -> Result<Result<ClientId, OrgError>, ProposalError> {
    let ready = may(acting)?.and_then(|by| {
        if by.is_scoped() {
            Err(OrgError::Scoped)
        } else {
            named(name)
        }
    });
    let sql = "INSERT INTO clients (name, created_ms) VALUES (?1, ?2)";
    let done = insert(acting, sql, ready, None)?.map(ClientId);
    told(acting, "client.add", name, &done.clone().map(Place::Client))?;
    Ok(done)
}

/// Makes a site of a client.
///
/// # Errors
/// As [`add_client`].
pub fn add_site(
    acting: &Acting<'_>,
    client: ClientId,
    name: &str,
) -> Result<Result<SiteId, OrgError>, ProposalError> {
    let ready = inside(acting, Place::Client(client))?.and_then(|()| named(name));
    let sql = "INSERT INTO sites (name, created_ms, client_id) VALUES (?1, ?2, ?3)";
    let done = insert(acting, sql, ready, Some(client.0))?.map(SiteId);
    told(acting, "site.add", name, &done.clone().map(Place::Site))?;
    Ok(done)
}

/// Makes a department of a site.
///
/// # Errors
/// As [`add_client`].
pub fn add_department(
    acting: &Acting<'_>,
    site: SiteId,
    name: &str,
) -> Result<Result<DepartmentId, OrgError>, ProposalError> {
    let ready = inside(acting, Place::Site(site))?.and_then(|()| named(name));
    let sql = "INSERT INTO departments (name, created_ms, site_id) VALUES (?1, ?2, ?3)";
    let done = insert(acting, sql, ready, Some(site.0))?.map(DepartmentId);
    told(
        acting,
        "department.add",
        name,
        &done.clone().map(Place::Department),
    )?;
    Ok(done)
}

/// Gives a place another name.
///
/// # Errors
/// As [`add_client`].
pub fn rename(
    acting: &Acting<'_>,
    place: Place,
    name: &str,
) -> Result<Result<(), OrgError>, ProposalError> {
    let (table, action, id) = match place {
        Place::Client(c) => ("clients", "client.rename", c.0),
        Place::Site(s) => ("sites", "site.rename", s.0),
        Place::Department(d) => ("departments", "department.rename", d.0),
    };
    let done = match inside(acting, place)?.and_then(|()| named(name)) {
        Err(e) => Err(e),
        Ok(name) => unique(
            acting
                .connection()
                .prepare_cached(&format!("UPDATE {table} SET name = ?2 WHERE id = ?1"))?
                .execute(params![id, name]),
        )?
        .map(|_| place),
    };
    told(acting, action, name, &done)?;
    Ok(done.map(|_| ()))
}

fn may(acting: &Acting<'_>) -> Result<Result<Principal, OrgError>, ProposalError> {
    Ok(match approvals::person(acting)? {
        None => Err(OrgError::NotAPerson),
        Some(by) if !by.allow(Permission::ClientsManage) => Err(OrgError::Denied),
        Some(by) => Ok(by),
    })
}

fn named(name: &str) -> Result<String, OrgError> {
    let name = name.trim();
    let good =
        (1..=NAME_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    good.then(|| name.to_owned()).ok_or(OrgError::BadName)
}

/// The place is there, and the whole of it is the person's.
fn inside(acting: &Acting<'_>, place: Place) -> Result<Result<(), OrgError>, ProposalError> {
    let by = match may(acting)? {
        Ok(by) => by,
        Err(e) => return Ok(Err(e)),
    };
    let (sql, id) = match place {
        Place::Client(id) => ("SELECT id, 0, NULL FROM clients WHERE id = ?1", id.0),
        Place::Site(id) => ("SELECT client_id, id, NULL FROM sites WHERE id = ?1", id.0),
        Place::Department(id) => (
            "SELECT s.client_id, s.id, u.id FROM departments u JOIN sites s ON s.id = u.site_id WHERE u.id = ?1",
            id.0,
        ),
    };
    let of: Option<(i64, i64, Option<i64>)> = acting
        .connection()
        .prepare_cached(sql)?
        .query_row([id], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
        .optional()?;
    let held =
        of.is_some_and(|(client, site, department)| by.scope.holds(client, site, department));
    Ok(if held {
        Ok(())
    } else {
        Err(OrgError::Unknown(place.to_string()))
    })
}

fn insert(
    acting: &Acting<'_>,
    sql: &str,
    name: Result<String, OrgError>,
    parent: Option<i64>,
) -> Result<Result<i64, OrgError>, ProposalError> {
    let name = match name {
        Ok(name) => name,
        Err(e) => return Ok(Err(e)),
    };
    let connection = acting.connection();
    let mut statement = connection.prepare_cached(sql)?;
    let done = match parent {
        Some(parent) => statement.execute(params![name, acting.ctx.now_ms, parent]),
        None => statement.execute(params![name, acting.ctx.now_ms]),
    };
    Ok(unique(done)?.map(|_| connection.last_insert_rowid()))
}

/// A name that is in use is an answer; anything else is an error.
fn unique<T>(done: rusqlite::Result<T>) -> rusqlite::Result<Result<T, OrgError>> {
    match done {
        Ok(value) => Ok(Ok(value)),
        Err(rusqlite::Error::SqliteFailure(e, _))
            if e.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE =>
        {
            Ok(Err(OrgError::Taken))
        }
        Err(e) => Err(e),
    }
}

fn told(
    acting: &Acting<'_>,
    action: &str,
    name: &str,
    done: &Result<Place, OrgError>,
) -> Result<(), ProposalError> {
    let (result, target, details) = match done {
        Ok(place) => (
            ActResult::Ok,
            place.to_string(),
            serde_json::json!({ "name": name }),
        ),
        Err(e) => (
            ActResult::Refused,
            String::new(),
            serde_json::json!({ "name": name, "refusal": e.key(), "why": e.to_string() }),
        ),
    };
    acting.audit(&Note::new(action, result, &target, details))?;
    Ok(())
}
