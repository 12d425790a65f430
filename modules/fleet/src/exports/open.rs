//! Opening: who asks, whether it is still theirs, and whether they may see now what they asked for then.

use super::token::Token;
use super::{Kind, Streamed, Wanted};
use crate::model::{ActResult, ClientId, DepartmentId, SiteId};
use crate::principal;
use crate::proposals::{Acting, Note, ProposalError};
use crate::tools::{Ctx, Refusal, RefusalKey, refer};
use kit::principal::{Permission, Principal};
use rusqlite::{OptionalExtension, params};
use serde_json::json;

/// An opening that was let through. Its rows are not read yet.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What names it.
    pub id: String,
    /// What is exported.
    pub wanted: Wanted,
    hash: String,
}

/// The principal as it is stored now. In a store without principals, the one that acts: it is the first owner
/// to be.
pub(super) fn present(ctx: &Ctx<'_>) -> Result<Principal, Refusal> {
    let none = || {
        Refusal::new(
            RefusalKey::Access,
            "This principal cannot be used any more: see `rmm-analyst principal list`.",
        )
    };
    match principal::find(ctx.connection, &ctx.principal.name) {
        Ok(Some(stored)) if stored.disabled => Err(none()),
        Ok(Some(stored)) => Ok(stored.principal),
        Ok(None) if !principal::any(ctx.connection)? => Ok(ctx.principal.clone()),
        Ok(None) => Err(none()),
        Err(e) => Err(Refusal::new(
            RefusalKey::Internal,
            format!("The store could not be used: {e}."),
        )),
    }
}

/// Whether the principal of `ctx` may see these rows now.
pub(super) fn check(ctx: &Ctx<'_>, wanted: &Wanted) -> Result<(), Refusal> {
    let needs = match wanted.kind() {
        Kind::Inventory => Permission::ReportsView,
        Kind::Audit => Permission::AuditView,
    };
    if !ctx.principal.allow(needs) {
        return Err(Refusal::new(
            RefusalKey::Access,
            format!("Opening this export needs the permission {needs}, which you do not have now."),
        ));
    }
    match wanted {
        Wanted::Audit(_) if ctx.principal.is_scoped() => Err(Refusal::new(
            RefusalKey::Access,
            "The audit is for principals of the whole fleet; yours has a scope.",
        )),
        Wanted::Audit(_) => Ok(()),
        Wanted::Inventory(filter) => {
            let gone = |_: Refusal| {
                Refusal::new(
                    RefusalKey::Scope,
                    "The client, site or department that this export is about is not there, or outside your scope now.",
                )
            };
            if let Some(id) = filter.client {
                refer::client(ctx, &ClientId(id).to_string(), "client").map_err(gone)?;
            }
            if let Some(id) = filter.site {
                refer::site(ctx, &SiteId(id).to_string(), "site").map_err(gone)?;
            }
            if let Some(id) = filter.department {
                refer::department(ctx, &DepartmentId(id).to_string(), "department")
                    .map_err(gone)?;
            }
            Ok(())
        }
    }
}

/// Lets an opening through, or says why not; the audit tells of both. Commit either way. A token that does not
/// exist and one of somebody else give the same answer.
///
/// # Errors
/// The store cannot be read or written.
pub fn claim(
    acting: &Acting<'_>,
    token: &Token,
) -> Result<Result<Opening, Refusal>, ProposalError> {
    let judged = judge(acting, token)?;
    let (result, target, details) = match &judged {
        Ok(opening) => (
            ActResult::Ok,
            opening.id.clone(),
            json!({ "kind": opening.wanted.kind(), "query": opening.wanted }),
        ),
        Err((refusal, target)) => (
            ActResult::Refused,
            target.clone(),
            json!({ "refusal": refusal.key.name(), "why": refusal.sentence }),
        ),
    };
    acting.audit(&Note::new("export.open", result, &target, details))?;
    Ok(judged.map_err(|(refusal, _)| refusal))
}

type Judged = Result<Opening, (Refusal, String)>;

fn judge(acting: &Acting<'_>, token: &Token) -> Result<Judged, ProposalError> {
    let ctx = &acting.ctx;
    let hash = token.hash();
    let row = ctx
        .connection
        .query_row(
            "SELECT principal, kind, query, expires_ms, opened_ms FROM exports WHERE token_hash = ?1",
            [&hash],
            |r| {
                Ok((
                    r.get::<_, String>(0)?,
                    r.get::<_, Kind>(1)?,
                    r.get::<_, String>(2)?,
                    r.get::<_, i64>(3)?,
                    r.get::<_, Option<i64>>(4)?,
                ))
            },
        )
        .optional()?;
    let unknown = "There is no such export of yours: it was taken back, it expired long ago, or it is somebody else's.";
    let Some((owner, kind, query, expires_ms, opened_ms)) = row else {
        return Ok(Err((
            Refusal::new(RefusalKey::Scope, unknown),
            String::new(),
        )));
    };
    let id = token.id();
    let refused = |key, sentence: &str| Ok(Err((Refusal::new(key, sentence), id.clone())));
    if owner != ctx.principal.name {
        return refused(RefusalKey::Scope, unknown);
    }
    if expires_ms <= ctx.now_ms {
        return refused(
            RefusalKey::Conflict,
            "This export has expired (15 minutes): ask for it again.",
        );
    }
    if opened_ms.is_some() {
        return refused(
            RefusalKey::Conflict,
            "This export was opened already; each is opened once: ask for it again.",
        );
    }
    let wanted = match Wanted::read(kind, &query) {
        Ok(wanted) => wanted,
        Err(e) => {
            return refused(
                RefusalKey::Internal,
                &format!("The stored query cannot be read: {e}."),
            );
        }
    };
    let allowed = present(ctx).and_then(|principal| {
        let now = Ctx {
            principal: &principal,
            ..*ctx
        };
        check(&now, &wanted)
    });
    if let Err(refusal) = allowed {
        return Ok(Err((refusal, id)));
    }
    let claimed = ctx.connection.execute(
        "UPDATE exports SET opened_ms = ?2 WHERE token_hash = ?1 AND opened_ms IS NULL",
        params![hash, ctx.now_ms],
    )?;
    if claimed != 1 {
        return refused(
            RefusalKey::Conflict,
            "This export was opened a moment ago: ask for it again.",
        );
    }
    Ok(Ok(Opening { id, wanted, hash }))
}

/// Says in the audit that the rows are out.
///
/// # Errors
/// The store cannot be written.
pub fn finished(
    acting: &Acting<'_>,
    opening: &Opening,
    streamed: Streamed,
) -> Result<(), ProposalError> {
    acting.audit(&Note::new(
        "export.finish",
        ActResult::Ok,
        &opening.id,
        json!({ "rows": streamed.rows }),
    ))?;
    Ok(())
}

/// Says in the audit that it did not come to an end, and gives the token back: it can be opened until it expires.
///
/// # Errors
/// The store cannot be written.
pub fn failed(acting: &Acting<'_>, opening: &Opening, why: &str) -> Result<(), ProposalError> {
    acting.ctx.connection.execute(
        "UPDATE exports SET opened_ms = NULL WHERE token_hash = ?1",
        [&opening.hash],
    )?;
    acting.audit(&Note::new(
        "export.finish",
        ActResult::Failed,
        &opening.id,
        json!({ "why": why }),
    ))?;
    Ok(())
}
