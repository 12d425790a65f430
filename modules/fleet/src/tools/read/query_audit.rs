//! `query_audit`: the trail of acts, as counts or as rows.

use crate::audit::{self, AuditError, Filter, Page};
use crate::tools::args::{moment, when};
use crate::tools::{Answer, Ctx, FleetTool, Refusal, RefusalKey, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How far back a summary looks unless told otherwise.
const USUAL_DAYS: i64 = 7;

/// Counts or rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Counts by actor and family of actions.
    #[default]
    Summary,
    /// Rows.
    Entries,
}

/// Arguments.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// `summary` (counts by actor and family of actions; unless given) or `entries`.
    pub mode: Option<Mode>,
    /// From when on: 2026-01-31T12:00:00Z, 2026-01-31, or back from now as `7d`, `24h`, `30m`. A summary begins 7 days back unless given.
    #[schemars(length(max = 40))]
    pub since: Option<String>,
    /// Until when, in the same forms.
    #[schemars(length(max = 40))]
    pub until: Option<String>,
    /// Who acted: a principal's name.
    #[schemars(length(max = 100))]
    pub actor: Option<String>,
    /// What was done: `job.approve`, or a family such as `job`.
    #[schemars(length(max = 100))]
    pub action: Option<String>,
    /// To what: an id such as `d-12` or `j-7`.
    #[schemars(length(max = 100))]
    pub target: Option<String>,
    /// Most rows, 50 unless given.
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
    /// Entries before this number: for the next page.
    #[schemars(range(min = 1))]
    pub before: Option<i64>,
}

/// The filter that these arguments name.
///
/// # Errors
/// A moment that cannot be read.
pub fn filter(ctx: &Ctx<'_>, args: &Args) -> Result<Filter, Refusal> {
    let summary = args.mode.unwrap_or_default() == Mode::Summary;
    let usual = || {
        summary.then(|| {
            ctx.now_ms
                .saturating_sub(USUAL_DAYS.saturating_mul(audit::DAY_MS))
        })
    };
    let given = |text: &Option<String>, field: &str| {
        text.as_deref().map(|t| moment(ctx, t, field)).transpose()
    };
    let until_ms = given(&args.until, "until")?;
    let since_ms = given(&args.since, "since")?;
    let filled = |text: &Option<String>| {
        text.as_deref()
            .map(str::trim)
            .filter(|t| !t.is_empty())
            .map(str::to_owned)
    };
    Ok(Filter {
        // Who gives an end only asks for everything before it.
        since_ms: since_ms.or_else(|| if until_ms.is_none() { usual() } else { None }),
        until_ms,
        actor: filled(&args.actor),
        action: filled(&args.action),
        target: filled(&args.target),
    })
}

/// The tool.
pub struct QueryAudit;

impl FleetTool for QueryAudit {
    const NAME: &'static str = "query_audit";
    const DOC: &'static str = "The audit trail of the fleet: counts by actor and family of actions for the last 7 days, or single entries, newest first. For every entry, use export_audit.";
    const PERMISSION: Permission = Permission::AuditView;
    const EFFECT: Effect = Effect::Read;
    const UNSCOPED_ONLY: bool = true;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let filter = filter(ctx, &args)?;
        match args.mode.unwrap_or_default() {
            Mode::Summary => summary(ctx, &filter),
            Mode::Entries => entries(ctx, &filter, &args),
        }
    }
}

impl From<AuditError> for Refusal {
    fn from(error: AuditError) -> Self {
        let key = match &error {
            AuditError::Denied(_) | AuditError::Scoped => RefusalKey::Access,
            AuditError::BadAction(_) => RefusalKey::Arguments,
            AuditError::NoTransaction | AuditError::Sql(_) => RefusalKey::Internal,
        };
        Self::new(key, format!("Not done: {error}."))
    }
}

fn summary(ctx: &Ctx<'_>, filter: &Filter) -> Result<Answer, Refusal> {
    let groups = audit::summary(ctx.connection, ctx.principal, filter)?;
    let all: i64 = groups.iter().map(|g| g.entries).sum();
    let mut sheet = Sheet::new(&["actor", "by", "family", "result", "entries"]);
    sheet.total(groups.len() as u64);
    for g in groups.into_iter().take(1000) {
        sheet.row([
            json!(g.actor),
            json!(g.actor_kind),
            json!(g.family),
            json!(g.result),
            json!(g.entries),
        ]);
    }
    let at = |ms: Option<i64>, otherwise: &str| {
        when(ms)
            .as_str()
            .map_or_else(|| otherwise.to_owned(), str::to_owned)
    };
    Ok(Answer::new(
        format!(
            "{all} entries from {} to {}.",
            at(filter.since_ms, "the beginning"),
            at(filter.until_ms, "now")
        ),
        sheet,
    ))
}

fn entries(ctx: &Ctx<'_>, filter: &Filter, args: &Args) -> Result<Answer, Refusal> {
    let page = Page {
        limit: args.limit.unwrap_or(50).clamp(1, 1000),
        before: args.before,
    };
    let rows = audit::entries(ctx.connection, ctx.principal, filter, page)?;
    let mut sheet = Sheet::new(&[
        "entry", "at", "actor", "by", "action", "result", "target", "client", "case", "details",
    ]);
    let full = rows.len() as u64 == u64::from(page.limit);
    let last = rows.last().map(|r| r.seq);
    for r in rows {
        sheet.row([
            json!(r.seq),
            when(Some(r.at_ms)),
            json!(r.actor),
            json!(r.actor_kind),
            json!(r.action),
            json!(r.result),
            json!(r.target),
            json!(r.client.map(|c| format!("c-{c}"))),
            json!(r.case),
            json!(r.details),
        ]);
    }
    let said = match (full, last) {
        (true, Some(last)) => format!(
            "The newest {} entries; there may be more: before {last}.",
            sheet.len()
        ),
        _ => format!("{} entries, and no more.", sheet.len()),
    };
    Ok(Answer::new(said, sheet))
}
