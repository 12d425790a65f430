//! `list_org`: clients, sites and departments with their ids and how many devices stand there.

use crate::model::{ClientId, DepartmentId, SiteId};
use crate::scope;
use crate::sql::{Query, int};
use crate::tools::refer::{self, label};
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Most rows.
const ROWS_MAX: usize = 1000;

/// Arguments.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only this client: as listed (`c-3`) or by its exact name.
    #[schemars(length(max = 200))]
    pub client: Option<String>,
}

/// The tool.
pub struct ListOrg;

impl FleetTool for ListOrg {
    const NAME: &'static str = "list_org";
    const DOC: &'static str = "Lists clients, their sites and departments, with ids and the number of devices that you may see there.";
    const PERMISSION: Permission = Permission::ClientsView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let scope = &ctx.principal.scope;
        let one = args
            .client
            .map(|given| refer::client(ctx, &given, "client"))
            .transpose()?;
        // Places that are seen; devices are counted by their own place, and only those inside.
        let mut query = Query::new(
            "WITH counted AS (SELECT d.client_id, d.site_id, d.department_id, count(*) AS n FROM devices d WHERE d.deleted_ms IS NULL AND",
        );
        query.append(&scope::devices(scope, "d")).push(
            "GROUP BY 1, 2, 3)
             SELECT c.id, c.name, s.id, s.name, u.id, u.name,
                    ifnull((SELECT sum(n) FROM counted k WHERE k.client_id = c.id AND (s.id IS NULL OR k.site_id = s.id) AND (u.id IS NULL OR k.department_id = u.id)), 0)
             FROM clients c
                  LEFT JOIN (SELECT s.id, s.client_id, s.name FROM sites s WHERE",
            [],
        );
        query
            .append(&scope::sites(scope, "s"))
            .push("UNION ALL SELECT NULL, x.id, NULL FROM clients x) s ON s.client_id = c.id LEFT JOIN (SELECT u.id, u.site_id, u.name FROM departments u WHERE", []);
        query.append(&scope::departments(scope, "u")).push(
            "UNION ALL SELECT NULL, x.id, NULL FROM sites x) u ON u.site_id = s.id WHERE",
            [],
        );
        query.append(&scope::clients(scope, "c"));
        if let Some(client) = &one {
            query.push("AND c.id = ?", [int(client.id.0)]);
        }
        query.push(
            "ORDER BY c.name, c.id, s.id IS NOT NULL, s.name, s.id, u.id IS NOT NULL, u.name, u.id",
            [],
        );
        let rows = query.rows(ctx.connection, |r| {
            let client = label(r.get::<_, ClientId>(0)?, &r.get::<_, String>(1)?);
            let site = r
                .get::<_, Option<SiteId>>(2)?
                .map(|id| Ok::<_, rusqlite::Error>(label(id, &r.get::<_, String>(3)?)))
                .transpose()?;
            let department = r
                .get::<_, Option<DepartmentId>>(4)?
                .map(|id| Ok::<_, rusqlite::Error>(label(id, &r.get::<_, String>(5)?)))
                .transpose()?;
            Ok((client, site, department, r.get::<_, i64>(6)?))
        })?;
        let mut sheet = Sheet::new(&["client", "site", "department", "devices"]);
        sheet.total(rows.len() as u64);
        let clients = rows.iter().filter(|r| r.1.is_none()).count();
        let sites = rows
            .iter()
            .filter(|r| r.1.is_some() && r.2.is_none())
            .count();
        let departments = rows.iter().filter(|r| r.2.is_some()).count();
        for (client, site, department, n) in rows.into_iter().take(ROWS_MAX) {
            sheet.row([json!(client), json!(site), json!(department), json!(n)]);
        }
        Ok(Answer::new(
            format!(
                "{clients} clients, {sites} sites, {departments} departments. A row without a site counts a whole client, one without a department a whole site."
            ),
            sheet,
        ))
    }
}
