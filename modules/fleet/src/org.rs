//! Clients, sites and departments that a person makes by hand.

use crate::model::{ActResult, ClientId, DepartmentId, SiteId};
use crate::proposals::{Acting, Note, ProposalError};
use crate::sql::{Query, int, text};
use crate::tools::{Refusal, RefusalKey, refer};
use kit::principal::Permission;
use kit::text::Untrusted;

/// What is made.
#[derive(Clone, Copy, Debug)]
pub enum New<'a> {
    /// A client.
    Client {
        /// Its name.
        name: &'a str,
    },
    /// A site.
    Site {
        /// Its client, by id or name.
        client: &'a str,
        /// Its name.
        name: &'a str,
    },
    /// A department.
    Department {
        /// The client of its site, by id or name, where the name of the site alone does not say which.
        client: Option<&'a str>,
        /// Its site, by id or name.
        site: &'a str,
        /// Its name.
        name: &'a str,
    },
}

/// Makes a place and leaves its audit row; gives its id as shown and its name. A refusal is the inner error,
/// with an audit row too: commit in both cases.
///
/// # Errors
/// The store failed: roll back.
pub fn add(
    acting: &Acting<'_>,
    new: &New<'_>,
) -> Result<Result<Untrusted, Refusal>, ProposalError> {
    let (action, name) = match new {
        New::Client { name } => ("org.add_client", *name),
        New::Site { name, .. } => ("org.add_site", *name),
        New::Department { name, .. } => ("org.add_department", *name),
    };
    match made(acting, new) {
        Ok((id, client)) => {
            acting.audit(&Note {
                client: Some(client),
                ..Note::new(
                    action,
                    ActResult::Ok,
                    &id,
                    serde_json::json!({ "name": name }),
                )
            })?;
            let label = refer::label(&id, &crate::inventory::clean(name));
            Ok(Ok(Untrusted::new(label)))
        }
        Err(refusal) => {
            acting.audit(&Note::new(
                action,
                ActResult::Refused,
                "",
                serde_json::json!({ "refusal": refusal.key.name(), "why": refusal.sentence }),
            ))?;
            Ok(Err(refusal))
        }
    }
}

fn made(acting: &Acting<'_>, new: &New<'_>) -> Result<(String, i64), Refusal> {
    let ctx = &acting.ctx;
    let (connection, scope) = (ctx.connection, &ctx.principal.scope);
    if !ctx.principal.allow(Permission::ClientsManage) {
        return Err(Refusal::new(
            RefusalKey::Access,
            format!(
                "This needs the permission {}, which you do not have.",
                Permission::ClientsManage
            ),
        ));
    }
    match new {
        New::Client { name } => {
            if !scope.is_all() {
                return Err(Refusal::new(
                    RefusalKey::Access,
                    "Clients are made by principals of the whole fleet; yours has a scope.",
                ));
            }
            let name = named(name)?;
            let mut query = Query::new("INSERT INTO clients (name, created_ms) VALUES");
            query.push(
                "(?, ?) ON CONFLICT DO NOTHING RETURNING id",
                [text(name), int(ctx.now_ms)],
            );
            let id: ClientId = query
                .first(connection, |r| r.get(0))?
                .ok_or_else(|| taken("client"))?;
            Ok((id.to_string(), id.0))
        }
        New::Site { client, name } => {
            let client = refer::client(ctx, client, "client")?.id;
            if !scope.holds(client.0, 0, None) {
                return Err(outside("client"));
            }
            let name = named(name)?;
            let mut query = Query::new("INSERT INTO sites (client_id, name, created_ms) VALUES");
            query.push(
                "(?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
                [int(client.0), text(name), int(ctx.now_ms)],
            );
            let id: SiteId = query
                .first(connection, |r| r.get(0))?
                .ok_or_else(|| taken("site"))?;
            Ok((id.to_string(), client.0))
        }
        New::Department { client, site, name } => {
            let (site, client) = site_of(acting, *client, site)?;
            if !scope.holds(client, site, None) {
                return Err(outside("site"));
            }
            let name = named(name)?;
            let mut query =
                Query::new("INSERT INTO departments (site_id, name, created_ms) VALUES");
            query.push(
                "(?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
                [int(site), text(name), int(ctx.now_ms)],
            );
            let id: DepartmentId = query
                .first(connection, |r| r.get(0))?
                .ok_or_else(|| taken("department"))?;
            Ok((id.to_string(), client))
        }
    }
}

/// The site and its client; a name is looked for in the named client only.
fn site_of(acting: &Acting<'_>, client: Option<&str>, site: &str) -> Result<(i64, i64), Refusal> {
    let ctx = &acting.ctx;
    let given = match client {
        None => None,
        Some(client) => {
            let client = refer::client(ctx, client, "client")?.id;
            let mut query = Query::new("SELECT id FROM sites WHERE");
            query.push(
                "client_id = ? AND name = ?",
                [int(client.0), text(site.trim())],
            );
            query.first(ctx.connection, |r| r.get::<_, SiteId>(0))?
        }
    };
    let site = match given {
        Some(id) => refer::site(ctx, &id.to_string(), "site")?.id,
        None => refer::site(ctx, site, "site")?.id,
    };
    let mut query = Query::new("SELECT client_id FROM sites");
    query.push("WHERE id = ?", [int(site.0)]);
    let client = query
        .first(ctx.connection, |r| r.get(0))?
        .ok_or_else(|| outside("site"))?;
    Ok((site.0, client))
}

fn named(name: &str) -> Result<String, Refusal> {
    let name = crate::inventory::clean(name);
    let as_id = ClientId::parse(&name).is_some()
        || SiteId::parse(&name).is_some()
        || DepartmentId::parse(&name).is_some();
    if name.is_empty() || as_id {
        return Err(Refusal::value(
            "name",
            "a name is expected that is not empty and does not look like an id",
        ));
    }
    Ok(name)
}

fn taken(what: &str) -> Refusal {
    Refusal::field(
        RefusalKey::Conflict,
        "name",
        format!("A {what} of this name is there already."),
    )
}

fn outside(what: &str) -> Refusal {
    Refusal::field(
        RefusalKey::Scope,
        what,
        format!("Only a part of this {what} is in your scope: nothing can be made in it."),
    )
}
