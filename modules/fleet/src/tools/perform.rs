//! What the gate asks before it judges a call, and what runs after it let the call pass.
//!
//! [`examine`] only reads. [`perform`] runs inside the caller's transaction and looks at everything again: what
//! was examined may have changed. It leaves an audit row for every proposal, every act and every refusal.

use super::propose::{self, Plan, install_patches};
use super::{Answer, Ctx, Refusal, RefusalKey, Sheet, Tool};
use crate::approvals;
use crate::exports::{self, Made, Wanted};
use crate::model::ActResult;
use crate::proposals::draft::Draft;
use crate::proposals::{self, Acting, Note, ProposalError, Proposed};
use kit::json::parse_strict_object;
use kit::tool::Examined;
use serde_json::{Value, json};

/// What a call came to.
#[derive(Clone, Debug)]
pub enum Performed {
    /// It ran. Commit.
    Answer {
        /// For the model and the screen; says in words that a proposal has done nothing yet.
        answer: Box<Answer>,
        /// The proposals that it made, each with what its event needs.
        proposals: Vec<Proposed>,
    },
    /// It was refused, and the audit says so. Commit too.
    Refused(Refusal),
}

/// What the gate needs to know of a call.
///
/// # Errors
/// None: what cannot be read is a refusal of the arguments.
#[must_use]
pub fn examine(ctx: &Ctx<'_>, tool: &Tool, arguments: &str) -> Examined {
    let mut examined = Examined {
        effect: tool.effect,
        access: tool.access(ctx.principal).map_err(|r| r.sentence),
        arguments: fixed(tool, arguments).map_err(|r| r.sentence),
        scope: Ok(()),
        approved: Ok(()),
    };
    if examined.access.is_err() || examined.arguments.is_err() {
        return examined;
    }
    let Some(plan) = propose::find(tool.name) else {
        return examined;
    };
    match plan(ctx, arguments) {
        Ok(Plan::AskCancel(_)) => {
            examined.approved = Err(String::from(
                "This case did not start that job: a person decides whether it stops.",
            ));
        }
        Ok(_) => {}
        Err(refusal) => match refusal.key {
            RefusalKey::Access => examined.access = Err(refusal.sentence),
            RefusalKey::Scope | RefusalKey::Ambiguous => examined.scope = Err(refusal.sentence),
            RefusalKey::NotApproved => examined.approved = Err(refusal.sentence),
            RefusalKey::Arguments
            | RefusalKey::Unsupported
            | RefusalKey::Conflict
            | RefusalKey::Internal => examined.arguments = Err(refusal.sentence),
        },
    }
    examined
}

/// The arguments in one fixed form: names in order, nothing that says nothing.
fn fixed(tool: &Tool, arguments: &str) -> Result<Value, Refusal> {
    tool.check(arguments)?;
    let text = if arguments.trim().is_empty() {
        "{}"
    } else {
        arguments
    };
    let mut map = parse_strict_object(text).map_err(|e| {
        Refusal::new(
            RefusalKey::Arguments,
            format!("The arguments cannot be read: {e}."),
        )
    })?;
    map.retain(|_, v| !v.is_null());
    Ok(in_order(Value::Object(map)))
}

fn in_order(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = map.into_iter().collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().map(|(k, v)| (k, in_order(v))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(in_order).collect()),
        other => other,
    }
}

/// Runs a call that the gate let pass, of any effect. A transaction is open for those that read too: their
/// refusal is written down.
///
/// # Errors
/// The store failed: roll back. A refusal is [`Performed::Refused`].
pub fn perform(
    acting: &Acting<'_>,
    tool: &Tool,
    arguments: &str,
) -> Result<Performed, ProposalError> {
    let ctx = &acting.ctx;
    let done = tool
        .access(ctx.principal)
        .and_then(|()| match propose::find(tool.name) {
            None => super::call(ctx, tool, arguments).map(Err),
            Some(plan) => plan(ctx, arguments).map(Ok),
        });
    match done {
        Err(refusal) => {
            refused(acting, tool.name, &refusal)?;
            Ok(Performed::Refused(refusal))
        }
        Ok(Err(answer)) => Ok(Performed::Answer {
            answer: Box::new(answer),
            proposals: Vec::new(),
        }),
        Ok(Ok(plan)) => carry_out(acting, tool, plan),
    }
}

/// Leaves the audit row of a call that was refused, here or by the gate before.
///
/// # Errors
/// The audit could not be written.
pub fn refused(acting: &Acting<'_>, tool: &str, refusal: &Refusal) -> Result<(), ProposalError> {
    acting.audit(&Note::new(
        &format!("tool.{tool}"),
        ActResult::Refused,
        "",
        json!({ "refusal": refusal.key.name(), "field": refusal.field, "why": refusal.sentence }),
    ))?;
    Ok(())
}

fn carry_out(acting: &Acting<'_>, tool: &Tool, plan: Plan) -> Result<Performed, ProposalError> {
    match plan {
        Plan::Propose(drafts) => {
            let mut made = Vec::with_capacity(drafts.len());
            for draft in &drafts {
                made.push(proposals::write(acting, tool.name, draft)?);
            }
            Ok(proposed(&drafts, made))
        }
        Plan::AskCancel(draft) => {
            let made = proposals::write(acting, tool.name, &draft)?;
            Ok(proposed(std::slice::from_ref(draft.as_ref()), vec![made]))
        }
        Plan::Cancel(own) => {
            let (status, detail) = approvals::stop_job(acting, own.job, &own.why)?;
            let said = match status {
                "rejected" => format!(
                    "{} was taken back: it was not approved yet, and it will not run.",
                    own.job
                ),
                "cancelled" => format!("{} was stopped before it had begun.", own.job),
                "stopping" => format!(
                    "{} was asked to stop; what has begun may still end by itself.",
                    own.job
                ),
                _ => format!("{}: {detail}.", own.job),
            };
            Ok(answered(said, Sheet::default()))
        }
        Plan::Export(wanted) => exported(acting, &wanted),
        Plan::Install(groups) => {
            let jobs = approvals::install(acting, tool.name, &groups)?;
            Ok(installed(&groups, jobs))
        }
    }
}

/// Makes the export that these arguments of an exporting tool name, for a person who asks by hand. A refusal
/// leaves its trail: commit either way.
///
/// # Errors
/// The store failed, or the tool is none that exports.
pub fn export(
    acting: &Acting<'_>,
    tool: &Tool,
    arguments: &str,
) -> Result<Result<Made, Refusal>, ProposalError> {
    let planned = tool
        .access(acting.ctx.principal)
        .and_then(|()| match propose::find(tool.name) {
            Some(plan) => plan(&acting.ctx, arguments),
            None => Err(Refusal::new(
                RefusalKey::Internal,
                "This tool makes no export.",
            )),
        });
    match planned {
        Ok(Plan::Export(wanted)) => Ok(Ok(exports::create(acting, &wanted)?)),
        Ok(_) => Err(ProposalError::NotDone(format!(
            "{} makes no export",
            tool.name
        ))),
        Err(refusal) => {
            refused(acting, tool.name, &refusal)?;
            Ok(Err(refusal))
        }
    }
}

/// How a person opens it; never a row.
fn exported(acting: &Acting<'_>, wanted: &Wanted) -> Result<Performed, ProposalError> {
    let ctx = &acting.ctx;
    let rows = exports::rows(ctx.connection, ctx.principal, wanted)?;
    let made = exports::create(acting, wanted)?;
    let opens = format!(
        "rmm-analyst export open {} --out FILE.csv",
        made.token.as_str()
    );
    let mut sheet = Sheet::new(&["export", "of", "rows", "expires", "opens with"]);
    sheet.row([
        json!(made.id),
        json!(wanted.what()),
        json!(rows),
        super::args::when(Some(made.expires_ms)),
        json!(opens),
    ]);
    let minutes = exports::EXPIRY_MS / 60_000;
    Ok(answered(
        format!(
            "The export of {rows} rows is ready for this person and no one else; no row passes through here. It is opened once, within {minutes} minutes, with: {opens}"
        ),
        sheet,
    ))
}

fn answered(said: String, sheet: Sheet) -> Performed {
    Performed::Answer {
        answer: Box::new(Answer::new(said, sheet)),
        proposals: Vec::new(),
    }
}

/// A tool's answer to a proposal: that nothing has happened yet comes first.
fn proposed(drafts: &[Draft], made: Vec<Proposed>) -> Performed {
    let mut sheet = Sheet::new(&["proposal", "id", "what", "devices", "expires"]);
    for (p, draft) in made.iter().zip(drafts) {
        sheet.row([
            json!(p.n),
            json!(p.id),
            json!(draft.title),
            json!(p.devices),
            super::args::when(Some(p.expires_ms)),
        ]);
    }
    let said = match made.as_slice() {
        [one] => format!(
            "Nothing has happened yet. Proposal {} waits for a person, who approves or denies it.",
            one.n
        ),
        several => format!(
            "Nothing has happened yet. {} proposals wait for a person, who approves or denies each of them.",
            several.len()
        ),
    };
    let kind = |k: proposals::Kind| match k {
        proposals::Kind::Operation => super::ProposedKind::Operation,
        proposals::Kind::Task => super::ProposedKind::Task,
        proposals::Kind::Check => super::ProposedKind::Check,
        proposals::Kind::Policy => super::ProposedKind::Policy,
        proposals::Kind::Job | proposals::Kind::Cancel => super::ProposedKind::Job,
    };
    let answer = Answer::new(said, sheet).proposing(
        made.iter()
            .map(|p| super::Proposed {
                kind: kind(p.kind),
                id: p.subject,
                number: i64::try_from(p.n).unwrap_or(i64::MAX),
            })
            .collect(),
    );
    Performed::Answer {
        answer: Box::new(answer),
        proposals: made,
    }
}

fn installed(groups: &[install_patches::Group], jobs: Vec<approvals::Installing>) -> Performed {
    let mut sheet = Sheet::new(&[
        "job",
        "devices",
        "patches",
        "approved by",
        "status",
        "detail",
    ]);
    let mut begun = 0_usize;
    for (group, job) in groups.iter().zip(&jobs) {
        begun += usize::from(job.status == "approved");
        sheet.row([
            json!(job.job.to_string()),
            json!(group.devices.len()),
            json!(group.patches.values().map(Vec::len).sum::<usize>()),
            json!(group.approved_by),
            json!(job.status),
            json!(job.detail),
        ]);
    }
    let said = if begun == jobs.len() {
        String::from(
            "The installation of patches that a person approved has been ordered; it has not ended yet. See get_job_status.",
        )
    } else {
        format!(
            "Of {} jobs that install approved patches, {} could not begin: see the detail.",
            jobs.len(),
            jobs.len() - begun
        )
    };
    answered(said, sheet)
}
