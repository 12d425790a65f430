//! `list_tasks`: scheduled tasks, and which of them nobody has reviewed.

use super::monitoring::{Review, TARGET, review, target};
use crate::model::{Shell, TaskId};
use crate::scope;
use crate::sql::{Query, int};
use crate::tools::args::when;
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Arguments.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only rows that stand like this.
    pub state: Option<Review>,
    /// Most rows, 50 unless given.
    #[schemars(range(min = 1, max = 500))]
    pub limit: Option<u32>,
}

/// The tool.
pub struct ListTasks;

impl FleetTool for ListTasks {
    const NAME: &'static str = "list_tasks";
    const DOC: &'static str = "Scheduled tasks with target, schedule and last run, and which are proposals that nobody reviewed: those do nothing yet.";
    const PERMISSION: Permission = Permission::TasksView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let mut from = Query::new("FROM tasks m WHERE");
        from.append(&scope::monitoring(&ctx.principal.scope, "m"));
        if let Some(state) = args.state {
            from.push(state.condition(), []);
        }
        let mut count = Query::new("SELECT count(*)");
        let total = count.append(&from).count(ctx.connection)?;
        let mut query = Query::new(&format!(
            "SELECT m.id, m.name, m.schedule, m.shell, m.enabled, m.proposed_by, m.approved_by, m.rejected_by,
                    m.last_run_ms, m.last_status, m.next_run_ms, {TARGET}"
        ));
        query.append(&from).push(
            "ORDER BY m.id LIMIT ?",
            [int(args.limit.unwrap_or(50).clamp(1, 500))],
        );
        let mut sheet = Sheet::new(&[
            "task",
            "name",
            "target",
            "schedule (UTC)",
            "shell",
            "enabled",
            "review",
            "last run",
            "result",
            "next run",
        ]);
        for row in query.rows(ctx.connection, |r| {
            let enabled = r.get(4)?;
            let (proposed, approved, rejected): (String, String, String) =
                (r.get(5)?, r.get(6)?, r.get(7)?);
            Ok([
                json!(r.get::<_, TaskId>(0)?),
                json!(r.get::<_, String>(1)?),
                json!(target(r, 11)?),
                json!(r.get::<_, String>(2)?),
                json!(r.get::<_, Shell>(3)?),
                json!(enabled),
                json!(review(enabled, &proposed, &approved, &rejected)),
                when(r.get(8)?),
                json!(r.get::<_, String>(9)?),
                when(r.get(10)?),
            ])
        })? {
            sheet.row(row);
        }
        sheet.total(total);
        Ok(Answer::new(format!("{total} tasks."), sheet))
    }
}
