//! Approving and denying proposals, from any process. Pivots only; actions have a digest and their own way.

use super::{Draft, Engine, EngineError};
use crate::case::{Body, ProposalKind, ProposalState};
use crate::store::CaseId;

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
            let found = self
                .store
                .read(|r| r.proposal(n, &self.principal))?
                .ok_or_else(unknown)?;
            if only.as_ref().is_some_and(|c| *c != found.case) {
                return Err(unknown());
            }
            if found.proposal.kind != ProposalKind::Pivot {
                return Err(EngineError::User {
                    message: format!("proposal {n} is an action"),
                    hint: format!("approve it by its digest: rmm-analyst approve {n} --digest HEX"),
                });
            }
            let before = found.proposal.state != ProposalState::Open;
            out.push(Decision {
                n,
                case: found.case,
                indicator: found.proposal.indicator,
                state: found.proposal.state,
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
            if let Some(now) = self
                .store
                .read(|r| r.proposal(decision.n, &self.principal))?
            {
                decision.state = now.proposal.state;
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
}
