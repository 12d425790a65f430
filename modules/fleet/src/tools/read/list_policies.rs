//! `list_policies`: policies, and which of them nobody has reviewed. They speak of the whole fleet: a scoped
//! principal is refused.

use super::monitoring::{Review, TARGET, review, target};
use crate::model::PolicyId;
use crate::sql::{Query, int};
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
pub struct ListPolicies;

impl FleetTool for ListPolicies {
    const NAME: &'static str = "list_policies";
    const DOC: &'static str = "Policies with target and settings, and which are proposals that nobody reviewed: those do nothing yet.";
    const PERMISSION: Permission = Permission::PoliciesView;
    const EFFECT: Effect = Effect::Read;
    const UNSCOPED_ONLY: bool = true;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let mut from = Query::new("FROM policies m WHERE 1");
        if let Some(state) = args.state {
            from.push(state.condition(), []);
        }
        let mut count = Query::new("SELECT count(*)");
        let total = count.append(&from).count(ctx.connection)?;
        let mut query = Query::new(&format!(
            "SELECT m.id, m.name, m.settings, m.enabled, m.proposed_by, m.approved_by, m.rejected_by, {TARGET}"
        ));
        query.append(&from).push(
            "ORDER BY m.id LIMIT ?",
            [int(args.limit.unwrap_or(50).clamp(1, 500))],
        );
        let mut sheet = Sheet::new(&["policy", "name", "target", "settings", "enabled", "review"]);
        for row in query.rows(ctx.connection, |r| {
            let enabled = r.get(3)?;
            let (proposed, approved, rejected): (String, String, String) =
                (r.get(4)?, r.get(5)?, r.get(6)?);
            Ok([
                json!(r.get::<_, PolicyId>(0)?),
                json!(r.get::<_, String>(1)?),
                json!(target(r, 7)?),
                json!(r.get::<_, String>(2)?),
                json!(enabled),
                json!(review(enabled, &proposed, &approved, &rejected)),
            ])
        })? {
            sheet.row(row);
        }
        sheet.total(total);
        Ok(Answer::new(format!("{total} policies."), sheet))
    }
}
