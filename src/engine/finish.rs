//! The end of a turn: the answer with what it asks for and claims without ground, and how it ended, in
//! one transaction.

use super::calls::Running;
use super::with_model::answer_text;
use super::{Draft, Engine, EngineError, Pivot};
use crate::agent::{grounding, questions};
use crate::case::{Body, CaseState, ProposalFrom, ProposalState, TurnStatus, Usage};
use crate::model::ModelError;
use crate::store::{CaseId, EvidenceRow};
use std::time::Instant;

impl Engine {
    pub(super) fn end_without_model(
        &self,
        end: &End<'_>,
        state: &mut CaseState,
        status: TurnStatus,
        why: &str,
    ) -> Result<(), EngineError> {
        let body = Body::TurnEnded {
            turn: end.turn,
            status,
            usage: end.usage(),
            warnings: end.warnings.clone(),
            error: Some(self.redacted(why).as_str().to_owned()),
        };
        self.append(end.case, vec![Draft::Body(body)])?;
        self.sync(end.case, state)?;
        Ok(())
    }

    /// Records the answer, what it asks for, and the end of the turn, in one transaction.
    pub(super) fn finish(
        &self,
        end: &mut End<'_>,
        state: &mut CaseState,
        running: &Running<'_>,
        answer: Option<String>,
        why: Option<String>,
        by_model: bool,
    ) -> Result<(), EngineError> {
        self.sync(end.case, state)?;
        let mut drafts = Vec::new();
        let mut status = TurnStatus::Answered;
        let mut error = None;
        match &answer {
            Some(text) => {
                let text = answer_text(self, text);
                let mut unsupported = Vec::new();
                if by_model {
                    let mut shadow = state.clone();
                    for indicator in questions::asked_for(text.as_str()) {
                        if !self.worth_proposing(&indicator, &shadow, running) {
                            continue;
                        }
                        let found_in = shadow.seen.get(&indicator).copied();
                        let pivot = Pivot {
                            turn: end.turn,
                            not_in_evidence: found_in.is_none() && !shadow.knows(&indicator),
                            why: self.redacted("the answer asks for it"),
                            indicator,
                            found_in,
                            from: ProposalFrom::Question,
                        };
                        let provisional = u64::MAX - drafts.len() as u64;
                        let event = crate::case::Event {
                            seq: shadow.seq,
                            at_ms: 0,
                            body: pivot.clone().body(provisional),
                        };
                        shadow.apply(&event);
                        drafts.push(Draft::Propose(pivot));
                    }
                    let evidence = self.evidence_of(end.case)?;
                    unsupported = grounding::unsupported(text.as_str(), state, end.turn, &evidence);
                    unsupported.extend(grounding::unknown_references(text.as_str(), state));
                }
                let mentioned = grounding::mentioned(
                    text.as_str(),
                    state,
                    self.config.ai.authorize_url_host,
                    50,
                );
                drafts.push(Draft::Body(Body::Answer {
                    turn: end.turn,
                    text,
                    unsupported,
                    mentioned,
                }));
            }
            None => {
                let spent = state.used_in_turn(end.turn) >= self.config.limits.calls_per_turn
                    || state.used >= self.config.limits.calls_per_case;
                status = if spent {
                    TurnStatus::Budget
                } else {
                    TurnStatus::Error
                };
                error = Some(why.unwrap_or_else(|| "the model gave no answer".to_owned()));
            }
        }
        let open_here = state
            .proposals
            .values()
            .any(|p| p.turn == end.turn && p.state == ProposalState::Open)
            || state.open_actions().any(|a| a.proposed.turn == end.turn);
        if status == TurnStatus::Answered
            && (open_here || drafts.iter().any(|d| matches!(d, Draft::Propose(_))))
        {
            status = TurnStatus::Waiting;
        }
        let warnings = end
            .warnings
            .iter()
            .map(|w| self.redacted(w).as_str().to_owned())
            .collect();
        drafts.push(Draft::Body(Body::TurnEnded {
            turn: end.turn,
            status,
            usage: end.usage(),
            warnings,
            error,
        }));
        self.append(end.case, drafts)?;
        self.sync(end.case, state)?;
        Ok(())
    }
}

impl Engine {
    /// The evidence of a case in the form that the check of answers reads.
    fn evidence_of(&self, case: &CaseId) -> Result<grounding::Evidence, EngineError> {
        let rows = self.store.read(|r| {
            let list = r.evidence_list(case)?;
            // Rows about which nothing was found hold no text worth reading again.
            list.into_iter()
                .map(|meta| match meta.status {
                    crate::case::Status::Found => r.evidence(case, meta.n),
                    _ => Ok(EvidenceRow {
                        meta,
                        raw: kit::text::Redacted::default(),
                    }),
                })
                .collect::<Result<Vec<_>, _>>()
        })?;
        Ok(grounding::Evidence::new(
            rows.into_iter().map(piece).collect(),
        ))
    }
}

fn piece(row: EvidenceRow) -> grounding::Piece {
    let meta = row.meta;
    let mut notes = meta.verdict_basis.as_str().to_owned();
    let more = meta.columns.iter().map(String::as_str);
    let date = meta.source_date.iter().map(|d| d.as_str());
    for text in more.chain(date).chain([meta.source_url.as_str()]) {
        notes.push('\n');
        notes.push_str(text);
    }
    grounding::Piece {
        n: meta.n,
        turn: meta.turn,
        tool: meta.tool,
        subject: meta.subject,
        status: meta.status,
        verdict: meta.verdict,
        notes,
        rows: meta
            .rows
            .iter()
            .map(|r| r.iter().map(|c| c.as_str().to_owned()).collect())
            .collect(),
        total_rows: meta.total_rows,
        raw: row.raw.as_str().to_owned(),
    }
}

/// A turn that is about to end.
pub(super) struct End<'a> {
    pub(super) case: &'a CaseId,
    pub(super) turn: u32,
    pub(super) started: Instant,
    pub(super) usage: Usage,
    pub(super) warnings: Vec<String>,
}

impl End<'_> {
    fn usage(&self) -> Usage {
        Usage {
            ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..self.usage
        }
    }
}

pub(super) fn model_error(e: &ModelError) -> String {
    format!("{e}. {}", e.hint())
}
