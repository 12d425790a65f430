//! `get_job_status`: where a job stands, or the newest jobs.

use crate::model::{DeviceId, JobId, JobStatus, TargetStatus};
use crate::scope;
use crate::sql::{Query, int};
use crate::tools::args::when;
use crate::tools::refer::label;
use crate::tools::{Answer, Ctx, FleetTool, Refusal, RefusalKey, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Most characters of one stream of one device that are said: the end of it, where errors stand.
const OUTPUT_SHOWN: usize = 4000;

/// Arguments.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The job as listed (`j-7`); the newest jobs unless given.
    #[schemars(length(max = 30))]
    pub job: Option<String>,
    /// Most devices (or jobs), 50 unless given.
    #[schemars(range(min = 1, max = 500))]
    pub limit: Option<u32>,
}

/// The tool.
pub struct GetJobStatus;

impl FleetTool for GetJobStatus {
    const NAME: &'static str = "get_job_status";
    const DOC: &'static str = "Where a job stands, with the result of each device; or the newest jobs. A job that waits for approval has not run anywhere.";
    const PERMISSION: Permission = Permission::JobsView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let limit = args.limit.unwrap_or(50).clamp(1, 500);
        match args.job.as_deref() {
            Some(given) => {
                let id = JobId::parse(given.trim())
                    .ok_or_else(|| Refusal::value("job", "an id of the form j-7 is expected"))?;
                one(ctx, id, limit)
            }
            None => newest(ctx, limit),
        }
    }
}

fn newest(ctx: &Ctx<'_>, limit: u32) -> Result<Answer, Refusal> {
    let inside = scope::jobs(&ctx.principal.scope, "j");
    let mut count = Query::new("SELECT count(*) FROM jobs j WHERE");
    let total = count.append(&inside).count(ctx.connection)?;
    let mut query = Query::new(
        "SELECT j.id, j.title, j.status, j.target_count, j.proposed_by, j.approved_by, j.proposed_ms, j.finished_ms FROM jobs j WHERE",
    );
    query
        .append(&inside)
        .push("ORDER BY j.id DESC LIMIT ?", [int(limit)]);
    let mut sheet = Sheet::new(&[
        "job",
        "title",
        "status",
        "devices",
        "proposed by",
        "approved by",
        "proposed",
        "finished",
    ]);
    for row in query.rows(ctx.connection, |r| {
        Ok([
            json!(r.get::<_, JobId>(0)?),
            json!(r.get::<_, String>(1)?),
            json!(r.get::<_, JobStatus>(2)?),
            json!(r.get::<_, i64>(3)?),
            json!(r.get::<_, String>(4)?),
            json!(r.get::<_, String>(5)?),
            when(r.get(6)?),
            when(r.get(7)?),
        ])
    })? {
        sheet.row(row);
    }
    sheet.total(total);
    Ok(Answer::new(format!("{total} jobs, newest first."), sheet))
}

struct Job {
    title: String,
    status: JobStatus,
    devices: i64,
    approved_by: String,
    backend: String,
    cancel_by: String,
}

fn one(ctx: &Ctx<'_>, id: JobId, limit: u32) -> Result<Answer, Refusal> {
    let mut query = Query::new(
        "SELECT j.title, j.status, j.target_count, j.approved_by, j.backend, j.cancel_by FROM jobs j WHERE",
    );
    query
        .append(&scope::jobs(&ctx.principal.scope, "j"))
        .push("AND j.id = ?", [int(id)]);
    let job = query
        .first(ctx.connection, |r| {
            Ok(Job {
                title: r.get(0)?,
                status: r.get(1)?,
                devices: r.get(2)?,
                approved_by: r.get(3)?,
                backend: r.get(4)?,
                cancel_by: r.get(5)?,
            })
        })?
        .ok_or_else(|| {
            Refusal::field(
                RefusalKey::Scope,
                "job",
                "There is no such job here (field \"job\").",
            )
        })?;
    // Every target is inside: the job would not be seen otherwise.
    let mut query = Query::new(
        "SELECT d.id, d.hostname, t.status, t.exit_code, t.stdout, t.stderr, t.truncated, t.error, t.finished_ms
         FROM job_targets t JOIN devices d ON d.id = t.device_id",
    );
    query.push(
        "WHERE t.job_id = ? ORDER BY t.status IN ('succeeded', 'pending'), d.hostname, d.id LIMIT ?",
        [int(id), int(limit)],
    );
    let mut sheet = Sheet::new(&[
        "device",
        "status",
        "exit code",
        "output",
        "errors",
        "cut",
        "why",
        "finished",
    ]);
    for row in query.rows(ctx.connection, |r| {
        let (stdout, cut_out) = tail(r.get(4)?);
        let (stderr, cut_err) = tail(r.get(5)?);
        Ok([
            json!(label(r.get::<_, DeviceId>(0)?, &r.get::<_, String>(1)?)),
            json!(r.get::<_, TargetStatus>(2)?),
            json!(r.get::<_, Option<i64>>(3)?),
            json!(stdout),
            json!(stderr),
            json!(r.get::<_, bool>(6)? || cut_out || cut_err),
            json!(r.get::<_, String>(7)?),
            when(r.get(8)?),
        ])
    })? {
        sheet.row(row);
    }
    sheet.total(u64::try_from(job.devices).unwrap_or(0));
    let state = match job.status {
        JobStatus::AwaitingApproval => "waits for approval: nothing has run".to_owned(),
        JobStatus::Rejected => "was rejected: nothing has run".to_owned(),
        JobStatus::Expired => "expired without approval: nothing has run".to_owned(),
        JobStatus::Lost => {
            "is lost: the program was stopped in the middle, and what happened is not known"
                .to_owned()
        }
        status => format!("is {status}, approved by {}", job.approved_by),
    };
    let asked = if job.cancel_by.is_empty() || job.status.is_final() {
        String::new()
    } else {
        format!(" {} asked for it to stop.", job.cancel_by)
    };
    Ok(Answer::new(
        format!(
            "Job {id} \"{}\" on {} devices ({}) {state}.{asked}",
            job.title, job.devices, job.backend
        ),
        sheet,
    ))
}

fn tail(text: String) -> (String, bool) {
    let n = text.chars().count();
    if n <= OUTPUT_SHOWN {
        return (text, false);
    }
    (
        text.chars().skip(n.saturating_sub(OUTPUT_SHOWN)).collect(),
        true,
    )
}
