//! `propose_move_devices`: devices to another site, and a department of it.

use super::{Plan, Proposes, targets};
use crate::backend::Ability;
use crate::model::OperationKind;
use crate::proposals::draft::Operation;
use crate::sql::{Query, int};
use crate::tools::{Ctx, Refusal, RefusalKey, refer};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Devices as listed (`d-12`).
    #[schemars(length(min = 1, max = 500))]
    pub devices: Vec<String>,
    /// The site they go to (`s-4`).
    #[schemars(length(min = 1, max = 200))]
    pub site: String,
    /// A department of that site (`u-5`).
    #[schemars(length(max = 200))]
    pub department: Option<String>,
    /// Why it should be done.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// The tool.
pub struct ProposeMoveDevices;

/// Where devices go.
pub(crate) struct Destination {
    pub(crate) site: i64,
    pub(crate) department: Option<i64>,
    /// `Contoso / Berlin / Lab`.
    pub(crate) name: String,
}

/// The site, and the department of it, inside the scope as a whole.
pub(crate) fn destination(
    ctx: &Ctx<'_>,
    site: &str,
    department: Option<&str>,
) -> Result<Destination, Refusal> {
    let site = refer::site(ctx, site, "site")?;
    let client = targets::client_of_site(ctx, site.id.0)?;
    let client_name: String = {
        let mut query = Query::new("SELECT name FROM clients");
        query.push("WHERE id = ?", [int(client)]);
        query
            .first(ctx.connection, |r| r.get(0))?
            .unwrap_or_default()
    };
    let mut name = format!("{client_name} / {}", site.name);
    let department = match department {
        None => None,
        Some(given) => Some(department_of(ctx, given, site.id.0, &mut name)?),
    };
    if !ctx.principal.scope.holds(client, site.id.0, department) {
        return Err(targets::not_whole("site"));
    }
    Ok(Destination {
        site: site.id.0,
        department,
        name,
    })
}

fn department_of(ctx: &Ctx<'_>, given: &str, site: i64, name: &mut String) -> Result<i64, Refusal> {
    // A name is looked for in the site only: "Lab" may stand at many.
    let by_name = {
        let mut query = Query::new("SELECT x.id FROM departments x WHERE");
        query.append(&crate::scope::departments(&ctx.principal.scope, "x"));
        query.push(
            "AND x.site_id = ? AND x.name = ?",
            [int(site), crate::sql::text(given.trim())],
        );
        query.first(ctx.connection, |r| r.get::<_, i64>(0))?
    };
    let id = match by_name {
        Some(id) => id,
        None => refer::department(ctx, given, "department")?.id.0,
    };
    let mut query = Query::new("SELECT name FROM departments");
    query.push("WHERE id = ? AND site_id = ?", [int(id), int(site)]);
    let found: Option<String> = query.first(ctx.connection, |r| r.get(0))?;
    let found =
        found.ok_or_else(|| Refusal::value("department", "it is not a department of this site"))?;
    name.push_str(" / ");
    name.push_str(&found);
    Ok(id)
}

impl Proposes for ProposeMoveDevices {
    const NAME: &'static str = "propose_move_devices";
    const DOC: &'static str = "Proposes to move up to 500 devices to a site and, where given, a department of it. Nothing is moved until a person approves it.";
    const PERMISSION: Permission = Permission::ClientsManage;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let devices = targets::listed(ctx, &args.devices, "devices")?;
        let to = destination(ctx, &args.site, args.department.as_deref())?;
        targets::able(ctx, &devices, Ability::Move)?;
        let there: Vec<_> = devices
            .iter()
            .filter(|d| d.site == to.site && d.department == to.department)
            .collect();
        if !there.is_empty() {
            return Err(Refusal::field(
                RefusalKey::Conflict,
                "devices",
                format!("Already there: {}.", targets::named(there)),
            ));
        }
        let drafts = targets::grouped(devices, |d| d.backend.clone())
            .into_iter()
            .map(|(_, devices)| {
                Operation {
                    kind: OperationKind::Move,
                    destination: Some((to.site, to.department)),
                    destination_name: &to.name,
                    targets: &devices,
                }
                .draft()
                .why(args.why.as_deref())
            })
            .collect();
        Ok(Plan::Propose(drafts))
    }
}
