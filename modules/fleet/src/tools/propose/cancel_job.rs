//! `cancel_job`: takes back a job of this case that nobody decided yet, or asks a running one of this case to
//! stop. A job of anybody else is only asked about: that makes a proposal.

use super::{Plan, Proposes};
use crate::model::{JobId, JobStatus};
use crate::proposals::draft;
use crate::scope;
use crate::sql::{Query, int};
use crate::tools::{Ctx, Refusal, RefusalKey};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The job (`j-7`).
    #[schemars(length(min = 3, max = 24))]
    pub job: String,
    /// Why it should stop.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// A job that the asking case started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Own {
    pub(crate) job: JobId,
    pub(crate) why: String,
}

/// The tool.
pub struct CancelJob;

impl Proposes for CancelJob {
    const NAME: &'static str = "cancel_job";
    const DOC: &'static str = "Takes back a job of this case that waits for approval, or asks a running job of this case to stop. For any other job it makes a proposal.";
    const PERMISSION: Permission = Permission::JobsManage;
    const EFFECT: Effect = Effect::Control;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let id = JobId::parse(args.job.trim())
            .ok_or_else(|| Refusal::value("job", "an id such as j-7 is expected"))?;
        let mut query = Query::new(
            "SELECT j.case_id, j.status, j.title, j.digest, j.target_count, j.cancel_by FROM jobs j WHERE",
        );
        query.append(&scope::jobs(&ctx.principal.scope, "j"));
        query.push("AND j.id = ?", [int(id.0)]);
        let found = query.first(ctx.connection, |r| {
            Ok((
                r.get::<_, Option<String>>(0)?,
                r.get::<_, JobStatus>(1)?,
                r.get::<_, String>(2)?,
                r.get::<_, String>(3)?,
                r.get::<_, u32>(4)?,
                r.get::<_, String>(5)?,
            ))
        })?;
        let Some((case, status, title, digest, devices, cancel_by)) = found else {
            return Err(Refusal::field(
                RefusalKey::Scope,
                "job",
                "There is no such job here (field \"job\").",
            ));
        };
        if status.is_final() {
            return Err(Refusal::field(
                RefusalKey::Conflict,
                "job",
                format!("{id} has ended already: it is {status}."),
            ));
        }
        if !cancel_by.is_empty() {
            return Err(Refusal::field(
                RefusalKey::Conflict,
                "job",
                format!("{id} was asked to stop already."),
            ));
        }
        if ctx.case.is_some() && case.as_deref() == ctx.case {
            return Ok(Plan::Cancel(Own {
                job: id,
                why: args.why.unwrap_or_default().trim().to_owned(),
            }));
        }
        let draft = draft::cancel(id.0, &title, &digest, devices).why(args.why.as_deref());
        Ok(Plan::AskCancel(Box::new(draft)))
    }
}
