//! The same acts by hand: a person proposes and decides in one step, with both rights, in one transaction.
//!
//! There is no second path into the tables. What a person does by hand goes through the same plan, the same rows,
//! the same checks and the same audit as a proposal that somebody approved; only nobody waits.
//!
//! * [`act`] – moves, deletions, jobs, tasks, checks and policies.
//! * `switch` – monitoring on and off; jobs that are stopped. `retire` – monitoring out of use for good.
//! * `org` – clients, sites, departments.

mod org;
mod retire;
mod switch;

pub use org::{OrgError, Place, add_client, add_department, add_site, rename};
pub use retire::retire;
pub use switch::{SwitchError, cancel_job, set_enabled};

use crate::approvals::{self, Ask, Decision, Denial, Outcome};
use crate::model::ActResult;
use crate::proposals::{self, Acting, Note, ProposalError};
use crate::tools::propose::{self, Plan};
use crate::tools::{self, Ctx, Refusal, RefusalKey, Tool};

/// What an act by hand came to. Commit in every case: a refusal has its audit row.
#[derive(Clone, Debug)]
pub enum ByHand {
    /// Done; one outcome for each job or operation.
    Done(Vec<Outcome>),
    /// The call does not fit.
    Refused(Refusal),
    /// The person may not do it, or did not confirm it.
    Denied(Denial),
}

/// Does by hand what the tool of this name would propose. `typed_count` is the number of all devices, which
/// deletions and jobs on many devices want.
///
/// # Errors
/// The store failed, or a part could not be done: roll back.
pub fn act(
    acting: &Acting<'_>,
    tool: &Tool,
    arguments: &str,
    typed_count: Option<u32>,
) -> Result<ByHand, ProposalError> {
    let Some(by) = approvals::person(acting)? else {
        return denied(acting, tool, Denial::NotAPerson);
    };
    let ctx = Ctx {
        principal: &by,
        ..acting.ctx
    };
    let planned = tool
        .access(&by)
        .and_then(|()| match propose::find(tool.name) {
            Some(plan) => plan(&ctx, arguments),
            None => Err(not_so(tool)),
        });
    let drafts = match planned {
        Ok(Plan::Propose(drafts)) => Ok(drafts),
        Ok(_) => Err(not_so(tool)),
        Err(refusal) => Err(refusal),
    };
    let drafts = match drafts {
        Ok(drafts) => drafts,
        Err(refusal) => {
            tools::refused(acting, tool.name, &refusal)?;
            return Ok(ByHand::Refused(refusal));
        }
    };
    // Rights and confirmation first: nothing is written that could not be finished.
    for draft in &drafts {
        let permission = draft.permission();
        if !by.allow(permission) {
            return denied(acting, tool, Denial::Denied(permission));
        }
    }
    let expected = drafts
        .iter()
        .fold(0_u32, |n, d| n.saturating_add(d.devices));
    if (drafts.iter().any(|d| d.count) || typed_count.is_some()) && typed_count != Some(expected) {
        let denial = Denial::Count {
            expected,
            typed: typed_count,
        };
        return denied(acting, tool, denial);
    }
    let mut done = Vec::with_capacity(drafts.len());
    for draft in &drafts {
        let made = proposals::write(acting, tool.name, draft)?;
        let ask = Ask {
            n: made.n,
            digest: &made.digest,
            typed_count: draft.count.then_some(made.devices),
        };
        match approvals::approve(acting, &ask)? {
            Decision::Done(outcome) => done.push(outcome),
            Decision::Refused(denial) => return Err(ProposalError::NotDone(denial.to_string())),
        }
    }
    Ok(ByHand::Done(done))
}

fn not_so(tool: &Tool) -> Refusal {
    Refusal::new(
        RefusalKey::Unsupported,
        format!("{} proposes nothing that could be done by hand.", tool.name),
    )
}

fn denied(acting: &Acting<'_>, tool: &Tool, denial: Denial) -> Result<ByHand, ProposalError> {
    acting.audit(&Note::new(
        &format!("tool.{}", tool.name),
        ActResult::Refused,
        "",
        serde_json::json!({ "refusal": denial.key(), "why": denial.to_string() }),
    ))?;
    Ok(ByHand::Denied(denial))
}
