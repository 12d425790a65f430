//! Exports that wait to be opened: a query and the hash of its token, never a row of the answer.

use super::token::{Token, id_of};
use super::{EXPIRY_MS, Kind, Wanted};
use crate::model::ActResult;
use crate::proposals::{Acting, Note, ProposalError};
use kit::principal::Principal;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};

/// How long a row stays after it expired, in milliseconds: a day, for `export list`.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// An export that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// What opens it; it is nowhere stored.
    pub token: Token,
    /// What names it.
    pub id: String,
    /// Until when, milliseconds since 1970.
    pub expires_ms: i64,
}

/// An export as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// What names it.
    pub id: String,
    /// Inventory or audit.
    pub kind: Kind,
    /// Its query.
    pub query: Value,
    /// The case in which it was asked for.
    pub case: Option<String>,
    /// When it was made.
    pub created_ms: i64,
    /// Until when it can be opened.
    pub expires_ms: i64,
    /// When it was opened.
    pub opened_ms: Option<i64>,
}

/// Stores a query under a token made of the random bytes of the act. Permission and scope were checked by the
/// caller; they are checked again when it is opened.
///
/// # Errors
/// [`ProposalError::NotDone`] without random bytes, or the store cannot be written.
pub fn create(acting: &Acting<'_>, wanted: &Wanted) -> Result<Made, ProposalError> {
    let ctx = &acting.ctx;
    let token = Token::of(&ctx.random)
        .ok_or_else(|| ProposalError::NotDone("there is no randomness for a token".into()))?;
    let query = wanted
        .query()
        .map_err(|e| ProposalError::NotDone(e.to_string()))?;
    let expires_ms = ctx.now_ms.saturating_add(EXPIRY_MS);
    ctx.connection.execute(
        "DELETE FROM exports WHERE expires_ms < ?1",
        [ctx.now_ms.saturating_sub(KEPT_MS)],
    )?;
    ctx.connection.execute(
        "INSERT INTO exports (token_hash, principal, kind, query, case_id, created_ms, expires_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            token.hash(),
            ctx.principal.name,
            wanted.kind(),
            query,
            ctx.case,
            ctx.now_ms,
            expires_ms
        ],
    )?;
    acting.audit(&Note::new(
        "export.create",
        ActResult::Ok,
        &token.id(),
        json!({ "kind": wanted.kind(), "query": wanted }),
    ))?;
    Ok(Made {
        id: token.id(),
        token,
        expires_ms,
    })
}

/// The exports of this principal, newest first.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, principal: &Principal) -> rusqlite::Result<Vec<Stored>> {
    connection
        .prepare_cached(
            "SELECT token_hash, kind, query, case_id, created_ms, expires_ms, opened_ms
             FROM exports WHERE principal = ?1 ORDER BY created_ms DESC, token_hash",
        )?
        .query_map([&principal.name], |r| {
            Ok(Stored {
                id: id_of(&r.get::<_, String>(0)?),
                kind: r.get(1)?,
                query: serde_json::from_str(&r.get::<_, String>(2)?).unwrap_or_default(),
                case: r.get(3)?,
                created_ms: r.get(4)?,
                expires_ms: r.get(5)?,
                opened_ms: r.get(6)?,
            })
        })?
        .collect()
}

/// Takes an own export back, by its id or its token, and gives the id. `None` where this principal has none
/// of this name.
///
/// # Errors
/// The store cannot be written.
pub fn revoke(acting: &Acting<'_>, named: &str) -> Result<Option<String>, ProposalError> {
    let ctx = &acting.ctx;
    let named = named.trim();
    let hash: Option<String> = ctx
        .connection
        .query_row(
            "SELECT token_hash FROM exports WHERE principal = ?1 AND (token_hash = ?2 OR 'x-' || substr(token_hash, 1, 12) = ?3)",
            params![ctx.principal.name, Token::typed(named).hash(), named],
            |r| r.get(0),
        )
        .optional()?;
    let Some(hash) = hash else {
        return Ok(None);
    };
    ctx.connection
        .execute("DELETE FROM exports WHERE token_hash = ?1", [&hash])?;
    let id = id_of(&hash);
    acting.audit(&Note::new("export.revoke", ActResult::Ok, &id, json!({})))?;
    Ok(Some(id))
}
