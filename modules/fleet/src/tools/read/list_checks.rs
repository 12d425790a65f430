//! `list_checks`: checks with what they found last, and which of them nobody has reviewed.

use super::monitoring::{Review, TARGET, review, target};
use crate::model::{CheckId, CheckKind, CheckStatus};
use crate::scope;
use crate::sql::{Query, int, text};
use crate::tools::refer;
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Arguments; all that is given must fit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only rows that stand like this.
    pub state: Option<Review>,
    /// Only checks whose newest result on some device is this.
    pub result: Option<CheckStatus>,
    /// Only checks that cover this device: as listed (`d-12`).
    #[schemars(length(min = 1, max = 300))]
    pub device: Option<String>,
    /// Most rows, 50 unless given.
    #[schemars(range(min = 1, max = 500))]
    pub limit: Option<u32>,
}

/// The tool.
pub struct ListChecks;

/// The newest result of check `m` on each device that is there.
const NEWEST: &str = "FROM check_results r WHERE r.check_id = m.id AND r.at_ms = (SELECT max(x.at_ms) FROM check_results x
    WHERE x.check_id = r.check_id AND x.device_id = r.device_id)";

impl FleetTool for ListChecks {
    const NAME: &'static str = "list_checks";
    const DOC: &'static str = "Checks with target, thresholds and what they found last, and which are proposals that nobody reviewed: those do nothing yet.";
    const PERMISSION: Permission = Permission::ChecksView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let mut from = Query::new("FROM checks m WHERE");
        from.append(&scope::monitoring(&ctx.principal.scope, "m"));
        if let Some(state) = args.state {
            from.push(state.condition(), []);
        }
        if let Some(given) = args.device.as_deref() {
            let device = refer::device(ctx, given, "device")?;
            from.push(
                "AND (m.device_id = ? OR m.site_id = ? OR m.client_id = ?)",
                [int(device.id), int(device.site), int(device.client)],
            );
        }
        if let Some(result) = args.result {
            from.push(
                &format!("AND EXISTS (SELECT 1 {NEWEST} AND r.status = ?)"),
                [text(result.name())],
            );
        }
        let mut count = Query::new("SELECT count(*)");
        let total = count.append(&from).count(ctx.connection)?;
        let mut query = Query::new(&format!(
            "SELECT m.id, m.name, m.kind, m.warning, m.error, m.every_s, m.enabled, m.proposed_by, m.approved_by, m.rejected_by,
                    (SELECT group_concat(n || ' ' || status, ', ') FROM (SELECT r.status, count(*) AS n {NEWEST} GROUP BY 1 ORDER BY 1)),
                    {TARGET}"
        ));
        query.append(&from).push(
            "ORDER BY m.id LIMIT ?",
            [int(args.limit.unwrap_or(50).clamp(1, 500))],
        );
        let mut sheet = Sheet::new(&[
            "check",
            "name",
            "target",
            "kind",
            "warning at",
            "error at",
            "every s",
            "enabled",
            "review",
            "newest results",
        ]);
        for row in query.rows(ctx.connection, |r| {
            let enabled = r.get(6)?;
            let (proposed, approved, rejected): (String, String, String) =
                (r.get(7)?, r.get(8)?, r.get(9)?);
            let newest: Option<String> = r.get(10)?;
            Ok([
                json!(r.get::<_, CheckId>(0)?),
                json!(r.get::<_, String>(1)?),
                json!(target(r, 11)?),
                json!(r.get::<_, CheckKind>(2)?),
                json!(r.get::<_, Option<f64>>(3)?),
                json!(r.get::<_, Option<f64>>(4)?),
                json!(r.get::<_, i64>(5)?),
                json!(enabled),
                json!(review(enabled, &proposed, &approved, &rejected)),
                json!(newest.unwrap_or_else(|| "never ran".to_owned())),
            ])
        })? {
            sheet.row(row);
        }
        sheet.total(total);
        Ok(Answer::new(format!("{total} checks."), sheet))
    }
}
