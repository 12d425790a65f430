//! The scope of a principal as a part of every query: conditions in SQL with their parameters, never a filter
//! over rows that were already read. What is outside is neither listed nor counted.
//!
//! Each function gives a condition in parentheses for a table under an alias. A condition is true or false,
//! never NULL, so that `NOT` of it is safe too.

use crate::sql::{Query, list};
use kit::principal::{Places, Scope};

fn whole(scope: &Scope) -> Result<&Places, Query> {
    match scope {
        Scope::All => Err(Query::new("(1)")),
        Scope::Only(places) if places.is_empty() => Err(Query::new("(0)")),
        Scope::Only(places) => Ok(places),
    }
}

fn any(parts: Vec<(String, Query)>) -> Query {
    let mut query = Query::new("(");
    if parts.is_empty() {
        query.push("0", []);
    }
    for (at, (head, part)) in parts.into_iter().enumerate() {
        query.push(if at > 0 { "OR" } else { "" }, []);
        query.push(&head, []);
        query.append(&part);
    }
    query.push(")", []);
    query
}

fn among<'a>(ids: impl IntoIterator<Item = &'a i64>) -> Query {
    let mut query = Query::default();
    query.push("(SELECT value FROM json_each(?))", [list(ids)]);
    query
}

/// Rows with `client_id`, `site_id` and `department_id` (NULL or 0: none) of their own: devices.
#[must_use]
pub fn devices(scope: &Scope, alias: &str) -> Query {
    columns(
        scope,
        &format!("{alias}.client_id"),
        &format!("{alias}.site_id"),
        &format!("{alias}.department_id"),
    )
}

/// A place given by three columns.
#[must_use]
pub fn columns(scope: &Scope, client: &str, site: &str, department: &str) -> Query {
    let places = match whole(scope) {
        Ok(places) => places,
        Err(query) => return query,
    };
    let mut parts = Vec::new();
    if !places.clients.is_empty() {
        parts.push((format!("{client} IN"), among(&places.clients)));
    }
    if !places.sites.is_empty() {
        parts.push((format!("{site} IN"), among(&places.sites)));
    }
    if !places.departments.is_empty() {
        parts.push((
            format!("{department} IS NOT NULL AND {department} IN"),
            among(&places.departments),
        ));
    }
    any(parts)
}

/// A device by its id, where the devices are not joined.
#[must_use]
pub fn device_id(scope: &Scope, column: &str) -> Query {
    if scope.is_all() {
        return Query::new("(1)");
    }
    let mut query = Query::new("(EXISTS (SELECT 1 FROM devices scoped WHERE scoped.id =");
    query.push(column, []).push("AND", []);
    query.append(&devices(scope, "scoped")).push("))", []);
    query
}

/// Clients that are inside, or that hold something that is: their names must be shown to say where it stands.
#[must_use]
pub fn clients(scope: &Scope, alias: &str) -> Query {
    let places = match whole(scope) {
        Ok(places) => places,
        Err(query) => return query,
    };
    let mut sites = Query::new("(SELECT client_id FROM sites WHERE id IN");
    sites.append(&among(&places.sites)).push(")", []);
    let mut departments = Query::new(
        "(SELECT s.client_id FROM departments x JOIN sites s ON s.id = x.site_id WHERE x.id IN",
    );
    departments
        .append(&among(&places.departments))
        .push(")", []);
    any(vec![
        (format!("{alias}.id IN"), among(&places.clients)),
        (format!("{alias}.id IN"), sites),
        (format!("{alias}.id IN"), departments),
    ])
}

/// Sites that are inside, or that hold a department that is.
#[must_use]
pub fn sites(scope: &Scope, alias: &str) -> Query {
    let places = match whole(scope) {
        Ok(places) => places,
        Err(query) => return query,
    };
    let mut departments = Query::new("(SELECT site_id FROM departments WHERE id IN");
    departments
        .append(&among(&places.departments))
        .push(")", []);
    any(vec![
        (format!("{alias}.client_id IN"), among(&places.clients)),
        (format!("{alias}.id IN"), among(&places.sites)),
        (format!("{alias}.id IN"), departments),
    ])
}

/// Departments that are inside.
#[must_use]
pub fn departments(scope: &Scope, alias: &str) -> Query {
    let places = match whole(scope) {
        Ok(places) => places,
        Err(query) => return query,
    };
    let mut of_clients = Query::new("(SELECT id FROM sites WHERE client_id IN");
    of_clients.append(&among(&places.clients)).push(")", []);
    any(vec![
        (format!("{alias}.site_id IN"), of_clients),
        (format!("{alias}.site_id IN"), among(&places.sites)),
        (format!("{alias}.id IN"), among(&places.departments)),
    ])
}

/// Sites that are inside as a whole: where something may be put.
#[must_use]
pub fn whole_sites(scope: &Scope, alias: &str) -> Query {
    let places = match whole(scope) {
        Ok(places) => places,
        Err(query) => return query,
    };
    any(vec![
        (format!("{alias}.client_id IN"), among(&places.clients)),
        (format!("{alias}.id IN"), among(&places.sites)),
    ])
}

/// Jobs all of whose targets are inside. One target outside hides the whole job: its text, its status and
/// its count would say something of a device that is not seen.
#[must_use]
pub fn jobs(scope: &Scope, alias: &str) -> Query {
    targets(scope, alias, "job_targets", "job_id")
}

/// Device operations all of whose devices are inside, and whose destination is too.
#[must_use]
pub fn operations(scope: &Scope, alias: &str) -> Query {
    if scope.is_all() {
        return Query::new("(1)");
    }
    let mut query = Query::new("(");
    query.append(&targets(
        scope,
        alias,
        "device_operation_targets",
        "operation_id",
    ));
    query.push("AND (", []);
    query.push(&format!("{alias}.dest_site_id IS NULL OR EXISTS (SELECT 1 FROM sites dest WHERE dest.id = {alias}.dest_site_id AND"), []);
    query.append(&columns(
        scope,
        "dest.client_id",
        "dest.id",
        &format!("{alias}.dest_department_id"),
    ));
    query.push(")))", []);
    query
}

fn targets(scope: &Scope, alias: &str, table: &str, key: &str) -> Query {
    if scope.is_all() {
        return Query::new("(1)");
    }
    let mut query = Query::new("(");
    query.push(
        &format!("EXISTS (SELECT 1 FROM {table} t WHERE t.{key} = {alias}.id) AND NOT EXISTS (SELECT 1 FROM {table} t JOIN devices d ON d.id = t.device_id WHERE t.{key} = {alias}.id AND NOT"),
        [],
    );
    query.append(&devices(scope, "d")).push("))", []);
    query
}

/// Monitoring rows (`client_id`, `site_id`, `device_id`, exactly one set) whose whole target is inside.
#[must_use]
pub fn monitoring(scope: &Scope, alias: &str) -> Query {
    let places = match whole(scope) {
        Ok(places) => places,
        Err(query) => return query,
    };
    let mut site = Query::new("(SELECT scoped.id FROM sites scoped WHERE");
    site.append(&whole_sites(scope, "scoped")).push(")", []);
    let mut device = Query::new("(SELECT scoped.id FROM devices scoped WHERE");
    device.append(&devices(scope, "scoped")).push(")", []);
    any(vec![
        (
            format!("{alias}.client_id IS NOT NULL AND {alias}.client_id IN"),
            among(&places.clients),
        ),
        (
            format!("{alias}.site_id IS NOT NULL AND {alias}.site_id IN"),
            site,
        ),
        (
            format!("{alias}.device_id IS NOT NULL AND {alias}.device_id IN"),
            device,
        ),
    ])
}
