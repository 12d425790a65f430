//! Work of the fleet in a person's hands: lists, a job that is stopped, monitoring that is made, switched and
//! removed. Whatever of it concerns a proposal of a case is told to that case's log in the same transaction.

use super::{ActionDone, kind_name, reconcile};
use crate::runner::Runner;
use crate::runner::by_hand::{ByHandError, Shown};
use crate::store::{CaseId, StoreError};
use fleet::approvals;
use fleet::hand::{self, ByHand, SwitchError};
use fleet::model::{CheckId, JobId, OperationId, PolicyId, TaskId};
use fleet::proposals::Kind;
use fleet::tools::read::{Review, work};
use fleet::tools::{self, Answer, Ctx, Refusal, RefusalKey};
use kit::text::{Redacted, Untrusted};
use std::sync::Arc;

/// What a list is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Jobs.
    Jobs,
    /// Moves and deletions.
    Operations,
    /// Scheduled tasks.
    Tasks,
    /// Checks.
    Checks,
    /// Policies.
    Policies,
}

impl Work {
    const fn kind(self) -> Kind {
        match self {
            Self::Jobs => Kind::Job,
            Self::Operations => Kind::Operation,
            Self::Tasks => Kind::Task,
            Self::Checks => Kind::Check,
            Self::Policies => Kind::Policy,
        }
    }

    /// One of it, as a word.
    #[must_use]
    pub const fn one(self) -> &'static str {
        match self {
            Self::Jobs => "job",
            Self::Operations => "operation",
            Self::Tasks => "task",
            Self::Checks => "check",
            Self::Policies => "policy",
        }
    }

    /// The command.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Jobs => "jobs",
            Self::Operations => "ops",
            Self::Tasks => "tasks",
            Self::Checks => "checks",
            Self::Policies => "policies",
        }
    }

    fn id(self, text: &str) -> Result<i64, ByHandError> {
        let text = text.trim();
        let (id, like) = match self {
            Self::Jobs => (JobId::parse(text).map(|i| i.0), "j-7"),
            Self::Operations => (OperationId::parse(text).map(|i| i.0), "o-3"),
            Self::Tasks => (TaskId::parse(text).map(|i| i.0), "t-2"),
            Self::Checks => (CheckId::parse(text).map(|i| i.0), "k-4"),
            Self::Policies => (PolicyId::parse(text).map(|i| i.0), "p-1"),
        };
        id.ok_or_else(|| {
            ByHandError::refused(
                format!(
                    "{text:?} is no {}: an id of the form {like} is expected",
                    self.one()
                ),
                format!("rmm-analyst {} list shows them", self.command()),
            )
        })
    }
}

/// Which rows of a list; see the fleet's own filter.
#[derive(Clone, Debug, Default)]
pub struct WorkFilter {
    /// Only with this status.
    pub status: Option<String>,
    /// Only of this client.
    pub client: Option<String>,
    /// Only from this case.
    pub case: Option<CaseId>,
    /// Only monitoring that stands like this: `awaiting_review`, `enabled`, `disabled`.
    pub state: Option<String>,
    /// Removed and rejected monitoring too.
    pub gone: bool,
    /// Rows on a page.
    pub limit: u32,
    /// Which page, from 1.
    pub page: u32,
}

/// A job whose canary has ended.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Canary {
    /// Number of the proposal.
    pub n: u64,
    /// The job.
    pub id: String,
    /// One line: what, on what.
    pub title: Redacted,
    /// The digest that releases the rest.
    pub digest: String,
    /// Devices that wait.
    pub devices: u32,
    /// Their number must be typed.
    pub count: bool,
    /// Devices of the canary that ended well.
    pub well: u32,
    /// Devices of the canary.
    pub of: u32,
    /// The rest can be released.
    pub ready: bool,
}

impl Runner {
    /// A page of this work, inside the scope.
    ///
    /// # Errors
    /// The permission is missing, a value that is none, or the store failed.
    pub fn work(&self, of: Work, filter: &WorkFilter) -> Result<Shown, ByHandError> {
        let state = match filter.state.as_deref() {
            None => None,
            Some("awaiting_review") => Some(Review::AwaitingReview),
            Some("enabled") => Some(Review::Enabled),
            Some("disabled") => Some(Review::Disabled),
            Some(other) => {
                return Err(ByHandError::refused(
                    format!("{other:?} is no state"),
                    "awaiting_review, enabled or disabled",
                ));
            }
        };
        let filter = work::Filter {
            status: filter.status.clone(),
            client: filter.client.clone(),
            case: filter.case.as_ref().map(|c| c.as_str().to_owned()),
            state,
            gone: filter.gone,
            limit: filter.limit,
            page: filter.page,
        };
        self.listed(&format!("{} list", of.command()), |ctx| match of {
            Work::Jobs => work::jobs(ctx, &filter),
            Work::Operations => work::operations(ctx, &filter),
            Work::Tasks | Work::Checks | Work::Policies => {
                work::monitoring(ctx, of.kind(), &filter)
            }
        })
    }

    /// The number of the proposal that made this row.
    ///
    /// # Errors
    /// Not an id, no such row, or the store failed.
    pub fn work_proposal(&self, of: Work, id: &str) -> Result<u64, ByHandError> {
        let row = of.id(id)?;
        let found = self.fleet_look(|ctx| Ok(work::proposal_of(ctx, of.kind(), row)?))?;
        found.ok_or_else(|| none(of, id))
    }

    /// How a job or an operation went, device by device; nothing for monitoring.
    ///
    /// # Errors
    /// As [`Runner::work`].
    pub fn work_devices(&self, of: Work, id: &str) -> Result<Option<Shown>, ByHandError> {
        let row = of.id(id)?;
        match of {
            Work::Jobs => self
                .listed("jobs show", |ctx| work::job_targets(ctx, JobId(row)))
                .map(Some),
            Work::Operations => self
                .listed("ops show", |ctx| work::operation(ctx, OperationId(row)))
                .map(Some),
            Work::Tasks | Work::Checks | Work::Policies => Ok(None),
        }
    }

    fn listed(
        &self,
        what: &str,
        read: impl FnOnce(&Ctx<'_>) -> Result<Answer, Refusal>,
    ) -> Result<Shown, ByHandError> {
        match self.fleet_look(|ctx| Ok(read(ctx)))? {
            Ok(answer) => Ok(self.shown(answer)),
            Err(refusal) => {
                if matches!(refusal.key, RefusalKey::Access | RefusalKey::Scope)
                    && !self.store.is_read_only()
                {
                    let (kept, what) = (refusal.clone(), what.replace(' ', "_"));
                    self.by_hand(move |acting| tools::refused(acting, &what, &kept))?;
                }
                Err(self.refusal(&refusal))
            }
        }
    }

    /// Stops a job: one that waits is rejected, one that has not begun is cancelled, a running one is asked to
    /// stop. Gives what it is now, and a sentence where there is more to say.
    ///
    /// # Errors
    /// No such job, a missing permission, it has ended, or the store failed.
    pub fn cancel_job(&self, id: &str, why: &str) -> Result<(&'static str, String), ByHandError> {
        let row = Work::Jobs.id(id)?;
        let n = self.fleet_look(|ctx| Ok(work::proposal_of(ctx, Kind::Job, row)?))?;
        let hand = self.hand();
        let redact = Arc::clone(&self.redact);
        let why = Untrusted::new(why.to_owned()).redact(&*redact);
        let done = self.store.write(move |tx| {
            let done = hand.acting(tx, None, false, |acting| {
                hand::cancel_job(acting, JobId(row), why.as_str())
            })?;
            let of = match n {
                Some(n) => approvals::one(tx.fleet(), n).map_err(super::of_fleet)?,
                None => None,
            };
            if done.is_ok()
                && let Some(case) = of.and_then(|l| l.case).as_deref().and_then(CaseId::parse)
            {
                reconcile(tx, &case, hand.now_ms, &*redact)?;
            }
            Ok(done)
        })?;
        done.map_err(|e| switch_error(&e, Work::Jobs))
    }

    /// Switches monitoring on or off; true where anything changed.
    ///
    /// # Errors
    /// No such row, a missing permission, nobody reviewed it, or the store failed.
    pub fn switch(&self, of: Work, id: &str, enabled: bool) -> Result<bool, ByHandError> {
        let row = of.id(id)?;
        self.by_hand(move |acting| hand::set_enabled(acting, of.kind(), row, enabled))?
            .map_err(|e| switch_error(&e, of))
    }

    /// Takes monitoring out of use for good; true where anything changed.
    ///
    /// # Errors
    /// As [`Runner::switch`].
    pub fn retire(&self, of: Work, id: &str) -> Result<bool, ByHandError> {
        let row = of.id(id)?;
        self.by_hand(move |acting| hand::retire(acting, of.kind(), row))?
            .map_err(|e| switch_error(&e, of))
    }

    /// Does by hand what the proposing tool of this name would propose: proposed and approved by the same person,
    /// in one transaction.
    ///
    /// # Errors
    /// The arguments do not fit, a permission is missing, a count is not confirmed, or the store failed.
    pub fn do_by_hand(
        &self,
        tool: &str,
        arguments: &serde_json::Value,
        count: Option<u32>,
    ) -> Result<Vec<ActionDone>, ByHandError> {
        let tool = tools::find(tool)
            .ok_or_else(|| StoreError::Other(format!("nothing is done by {tool}")))?;
        let arguments = arguments.to_string();
        let done = self.by_hand(move |acting| hand::act(acting, tool, &arguments, count))?;
        match done {
            ByHand::Done(outcomes) => Ok(outcomes
                .into_iter()
                .map(|o| ActionDone {
                    n: o.n,
                    kind: kind_name(o.kind),
                    id: o.id,
                    case: None,
                    title: o.title.redact(&*self.redact),
                    status: o.status,
                    detail: Untrusted::new(o.detail).redact(&*self.redact),
                })
                .collect()),
            ByHand::Refused(refusal) => Err(self.refusal(&refusal)),
            ByHand::Denied(denial) => Err(ByHandError::refused(
                denial.to_string(),
                "rmm-analyst principal show says what you may",
            )),
        }
    }

    /// Jobs whose canary has ended and whose rest waits.
    ///
    /// # Errors
    /// The store failed.
    pub fn canaries(&self) -> Result<Vec<Canary>, StoreError> {
        let found = self.store.read(|r| {
            let who = super::present(r.fleet(), &self.principal)?;
            approvals::waiting_canaries(r.fleet(), &who).map_err(super::of_fleet)
        })?;
        Ok(found
            .into_iter()
            .map(|w| Canary {
                n: w.n,
                id: w.id,
                title: w.title.redact(&*self.redact),
                digest: w.digest,
                devices: w.devices,
                count: w.count,
                well: w.canary.0,
                of: w.canary.1,
                ready: w.ready,
            })
            .collect())
    }
}

fn none(of: Work, id: &str) -> ByHandError {
    ByHandError::refused(
        format!("there is no {} {} here", of.one(), id.trim()),
        format!("rmm-analyst {} list shows them", of.command()),
    )
}

fn switch_error(e: &SwitchError, of: Work) -> ByHandError {
    let hint = match e {
        SwitchError::NotAPerson => "rmm-analyst principal list shows who is known here".to_owned(),
        SwitchError::Denied(_) | SwitchError::Scoped => {
            "rmm-analyst principal show says what you may".to_owned()
        }
        SwitchError::Unknown(_) => format!("rmm-analyst {} list shows them", of.command()),
        SwitchError::Unreviewed { n, .. } => {
            format!("rmm-analyst approve {n} shows its card; rmm-analyst deny {n} refuses it")
        }
        SwitchError::Rejected(_) => format!("rmm-analyst {} add makes a new one", of.command()),
        SwitchError::Ended(..) => "rmm-analyst jobs show says how it went".to_owned(),
    };
    ByHandError::refused(e.to_string(), hint)
}
