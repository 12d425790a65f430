//! Approving and denying proposals, from any process. Pivots only; actions have a digest and their own way.

use super::{Draft, Engine, EngineError};
use crate::case::{Body, Proposal, ProposalKind, ProposalState};
use crate::store::{CaseId, StoreError};

fn action(n: u64) -> EngineError {
    EngineError::User {
        message: format!("proposal {n} is an action on machines: those are decided one by one"),
        hint: format!(
            "rmm-analyst approve {n} shows its card and the digest that approves it; rmm-analyst deny {n} refuses it"
        ),
    }
}

/// What became of one decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Number.
    pub n: u64,
    /// Case.
    pub case: CaseId,
    /// What it proposes to look up.
    pub indicator: kit::Indicator,
    /// The state that it has now.
    pub state: ProposalState,
    /// True when it had been decided before; then nothing changed.
    pub before: bool,
}

impl Engine {
    /// Approves or denies proposals by number; `case` restricts to one case. All numbers are checked
    /// before any is decided.
    ///
    /// # Errors
    /// A number that does not exist (or belongs to another case or person), or a proposal of another kind.
    pub fn decide(
        &self,
        case: Option<&str>,
        numbers: &[u64],
        approve: bool,
        reason: Option<&str>,
        surface: &str,
    ) -> Result<Vec<Decision>, EngineError> {
        let only = case
            .map(|prefix| self.store.read(|r| r.find_case(prefix, &self.principal)))
            .transpose()?;
        let mut out: Vec<Decision> = Vec::new();
        for &n in numbers {
            if out.iter().any(|d| d.n == n) {
                continue;
            }
            let unknown = || EngineError::User {
                message: format!(
                    "there is no proposal {n}{}",
                    only.as_ref()
                        .map_or(String::new(), |c| format!(" in case {}", c.short()))
                ),
                hint: "rmm-analyst proposals lists what is open".into(),
            };
            let Some((at, found)) = self.proposal(n)? else {
                return Err(if self.runner().is_action(n)? {
                    action(n)
                } else {
                    unknown()
                });
            };
            if only.as_ref().is_some_and(|c| *c != at) {
                return Err(unknown());
            }
            if found.kind != ProposalKind::Pivot {
                return Err(action(n));
            }
            let before = found.state != ProposalState::Open;
            out.push(Decision {
                n,
                case: at,
                indicator: found.indicator,
                state: found.state,
                before,
            });
        }
        for decision in out.iter_mut().filter(|d| !d.before) {
            let body = Body::Decided {
                n: decision.n,
                approve,
                reason: reason.map(|r| self.redacted(r)),
                principal: self.principal.name.clone(),
                surface: surface.to_owned(),
            };
            self.append(&decision.case, vec![Draft::Body(body)])?;
            // Another process may have been first: what counts is what the log says now.
            if let Some((_, now)) = self.proposal(decision.n)? {
                decision.state = now.state;
                let wanted = if approve {
                    ProposalState::Approved
                } else {
                    ProposalState::Denied
                };
                decision.before = decision.state != wanted;
            }
        }
        Ok(out)
    }

    /// The proposal with this number and its case, where this principal may see it.
    fn proposal(&self, n: u64) -> Result<Option<(CaseId, Proposal)>, EngineError> {
        let found = self.store.read(|r| {
            let case = match r.proposal(n) {
                Ok((case, _)) => case,
                Err(StoreError::NotFound(_)) => return Ok(None),
                Err(e) => return Err(e),
            };
            if !r.visible(&case, &self.principal)? {
                return Ok(None);
            }
            let state = r.case(&case)?;
            Ok(state.proposals.get(&n).cloned().map(|p| (case, p)))
        })?;
        Ok(found)
    }
}
