//! The calls of one round: judged (`judging`), written and charged in one transaction before anything is sent,
//! run at the same time, recorded in call order.

use super::judging::Next;
use super::{Draft, Engine, EngineError, OnProgress, Progress};
use crate::agent::{CallResult, WireCall};
use crate::case::{Body, CaseState, Status};
use crate::gate::{Key, Refusal};
use crate::runner::{Done, Plan, StoredOutcome};
use crate::store::{CaseId, EvidenceMeta, EvidenceRow};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use kit::extract::extract;
use kit::indicator::Indicator;
use kit::text::{ModelText, Redacted, wrap_untrusted};
use std::collections::BTreeMap;

/// Indicators of one piece of evidence that the log remembers.
const SEEN: usize = 200;

/// The case and turn that run.
pub(crate) struct Running<'a> {
    pub(crate) case: &'a CaseId,
    pub(crate) turn: u32,
    pub(crate) model_remote: bool,
    pub(crate) fresh: bool,
    pub(crate) handles: BTreeMap<String, Indicator>,
    /// Characters of evidence that the model gets for one call.
    pub(crate) evidence_chars: usize,
}

/// What became of one call.
#[derive(Clone, Debug)]
pub(crate) struct Dealt {
    pub(crate) result: CallResult,
    pub(crate) tool: String,
    pub(crate) subject: Option<Indicator>,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) outcome: Option<StoredOutcome>,
    pub(crate) evidence: Option<u32>,
}

impl Engine {
    /// Deals with the calls of one round.
    pub(crate) async fn deal(
        &self,
        running: &Running<'_>,
        state: &mut CaseState,
        calls: Vec<WireCall>,
        on: OnProgress<'_>,
    ) -> Result<Vec<Dealt>, EngineError> {
        self.sync(running.case, state)?;
        let (drafts, nexts) = self.judge_all(running, state, &calls, on);
        if !drafts.is_empty() {
            self.append(running.case, drafts)?;
        }
        self.note_fleet_refusals(running.case, &calls, &nexts)?;
        self.sync(running.case, state)?;
        self.run_all(running, state, calls, nexts, on).await
    }

    /// What the gate refused of the fleet stands in the fleet's audit too. A flood past the cap does not.
    fn note_fleet_refusals(
        &self,
        case: &CaseId,
        calls: &[WireCall],
        nexts: &[Next],
    ) -> Result<(), EngineError> {
        for (call, next) in calls.iter().zip(nexts) {
            let (Some(tool), Next::Say(Some(refusal), _)) = (&call.name, next) else {
                continue;
            };
            if refusal.key != Key::Refusals && self.fleet.contains_key(tool) {
                self.runner().fleet_refused(case, tool, refusal)?;
            }
        }
        Ok(())
    }

    async fn run_all(
        &self,
        running: &Running<'_>,
        state: &mut CaseState,
        calls: Vec<WireCall>,
        nexts: Vec<Next>,
        on: OnProgress<'_>,
    ) -> Result<Vec<Dealt>, EngineError> {
        let mut dealt: Vec<Option<Dealt>> = calls.iter().map(|_| None).collect();
        let mut flying = FuturesUnordered::new();
        let mut same: BTreeMap<usize, (u32, usize, WireCall)> = BTreeMap::new();
        for (at, (call, next)) in calls.into_iter().zip(nexts).enumerate() {
            match next {
                Next::Say(refusal, text) => {
                    let flood = refusal.as_ref().is_some_and(|r| {
                        matches!(
                            r.key,
                            Key::Refusals | Key::Repeated | Key::TurnBudget | Key::CaseBudget
                        )
                    });
                    let subject = refusal.as_ref().and_then(|r| r.subject.clone());
                    let tool = call.name.clone().unwrap_or_default();
                    let result = CallResult { call, text, flood };
                    if let Some(slot) = dealt.get_mut(at) {
                        *slot = Some(Dealt {
                            result,
                            tool,
                            subject,
                            refusal,
                            outcome: None,
                            evidence: None,
                        });
                    }
                }
                Next::FromEvidence {
                    n,
                    evidence,
                    age_s,
                    marker,
                } => {
                    let row = self.store.read(|r| r.evidence(running.case, evidence))?;
                    let done = Body::CallDone {
                        turn: running.turn,
                        n,
                        status: row.meta.status,
                        detail: None,
                        evidence: Some(evidence),
                        verdict: row.meta.verdict,
                        seen: Vec::new(),
                        age_s,
                        ms: 0,
                    };
                    self.append(running.case, vec![Draft::Body(done)])?;
                    self.sync(running.case, state)?;
                    let outcome = from_row(&row);
                    let subject = row.meta.subject.clone();
                    let tool = row.meta.tool.clone();
                    let text = self.for_model(running, &tool, subject.as_ref(), &marker, &outcome);
                    if let Some(slot) = dealt.get_mut(at) {
                        let result = CallResult {
                            call,
                            text,
                            flood: false,
                        };
                        *slot = Some(Dealt {
                            result,
                            tool,
                            subject,
                            refusal: None,
                            outcome: Some(outcome),
                            evidence: Some(evidence),
                        });
                    }
                }
                Next::Same { n, of } => {
                    same.insert(at, (n, of, call));
                }
                Next::Fleet { n, permit, marker } => {
                    let one = self.run_fleet(running, state, n, call, permit, &marker, on)?;
                    if let Some(slot) = dealt.get_mut(at) {
                        *slot = Some(one);
                    }
                }
                Next::Run {
                    n,
                    permit,
                    plan,
                    marker,
                } => {
                    let (tool, argument) = (
                        self.redacted(permit.spec().name),
                        self.redacted(permit.subject().value()),
                    );
                    if matches!(plan, Plan::Send) {
                        on(Progress::Calling { tool, argument });
                    }
                    let (spec, subject) = (permit.spec(), permit.subject().clone());
                    flying.push(async move {
                        (
                            at,
                            n,
                            call,
                            spec,
                            subject,
                            marker,
                            self.runner().run(permit, plan, Some(running.case)).await,
                        )
                    });
                }
            }
        }
        // Results are recorded in call order, each as soon as all before it are there, so that evidence
        // numbers follow the ledger.
        let mut waiting: BTreeMap<
            usize,
            (
                u32,
                WireCall,
                &'static kit::ModuleSpec,
                Indicator,
                String,
                Done,
            ),
        > = BTreeMap::new();
        while let Some((at, n, call, spec, subject, marker, done)) = flying.next().await {
            on(Progress::Called {
                tool: self.redacted(spec.name),
                argument: self.redacted(subject.value()),
                outcome: done
                    .outcome
                    .detail()
                    .unwrap_or_else(|| done.outcome.status.name().replace('_', " ")),
            });
            waiting.insert(at, (n, call, spec, subject, marker, done));
            while let Some(at) = dealt.iter().position(Option::is_none) {
                if let Some((n, of, call)) = same.remove(&at) {
                    let first = dealt.get(of).cloned().flatten();
                    let again = self.record_same(running, n, call, first)?;
                    self.sync(running.case, state)?;
                    if let Some(slot) = dealt.get_mut(at) {
                        *slot = Some(again);
                    }
                    continue;
                }
                let Some((n, call, spec, subject, marker, done)) = waiting.remove(&at) else {
                    break;
                };
                let evidence = self.record(running, n, spec.name, &subject, &done)?;
                self.sync(running.case, state)?;
                let text =
                    self.for_model(running, spec.name, Some(&subject), &marker, &done.outcome);
                if let Some(slot) = dealt.get_mut(at) {
                    *slot = Some(Dealt {
                        result: CallResult {
                            call,
                            text,
                            flood: false,
                        },
                        tool: spec.name.to_owned(),
                        subject: Some(subject),
                        refusal: None,
                        outcome: Some(done.outcome),
                        evidence,
                    });
                }
            }
        }
        Ok(dealt.into_iter().flatten().collect())
    }

    /// Ends a call that shares the answer of an earlier one of its round.
    fn record_same(
        &self,
        running: &Running<'_>,
        n: u32,
        call: WireCall,
        first: Option<Dealt>,
    ) -> Result<Dealt, EngineError> {
        let outcome = first.as_ref().and_then(|d| d.outcome.clone());
        let evidence = first.as_ref().and_then(|d| d.evidence);
        let status = outcome.as_ref().map_or(Status::CouldNotLook, |o| o.status);
        let done = Body::CallDone {
            turn: running.turn,
            n,
            status,
            detail: outcome.as_ref().and_then(StoredOutcome::detail),
            evidence,
            verdict: outcome
                .as_ref()
                .filter(|o| o.status == Status::Found)
                .map(|o| o.verdict),
            seen: Vec::new(),
            age_s: 0,
            ms: 0,
        };
        self.append(running.case, vec![Draft::Body(done)])?;
        let tool = first
            .as_ref()
            .map_or_else(|| call.name.clone().unwrap_or_default(), |d| d.tool.clone());
        Ok(Dealt {
            result: CallResult {
                call,
                text: ModelText::trusted(
                    "This is the same look-up as an earlier one of this round; its result stands above.",
                ),
                flood: false,
            },
            tool,
            subject: first.and_then(|d| d.subject),
            refusal: None,
            outcome,
            evidence,
        })
    }

    /// Stores what came back: the evidence row and the event that ends the call, in one transaction.
    /// A call that was not sent (no key) leaves a ledger line and no evidence.
    fn record(
        &self,
        running: &Running<'_>,
        n: u32,
        tool: &str,
        subject: &Indicator,
        done: &Done,
    ) -> Result<Option<u32>, EngineError> {
        let outcome = &done.outcome;
        let age_s = done.age_s.unwrap_or(0);
        let keep = outcome.status != Status::CouldNotLook;
        let now = super::now_ms();
        let seen: Vec<Indicator> = if outcome.status == Status::Found {
            seen_in(outcome, subject)
        } else {
            Vec::new()
        };
        let row = keep.then(|| {
            let age_ms = i64::try_from(age_s.saturating_mul(1000)).unwrap_or(0);
            let asked_ms = now
                .saturating_sub(i64::try_from(done.ms).unwrap_or(0))
                .saturating_sub(age_ms);
            let mut meta = EvidenceMeta::new(running.turn, tool, outcome.status, asked_ms);
            meta.subject = Some(subject.clone());
            meta.took_ms = done.ms;
            meta.age_s = age_s;
            meta.verdict = (outcome.status == Status::Found).then_some(outcome.verdict);
            meta.verdict_basis = outcome.basis.clone();
            meta.source_url = outcome.source_url.clone();
            meta.source_date = outcome.source_date.as_deref().map(|d| self.redacted(d));
            meta.total_rows = outcome.total_rows;
            meta.columns.clone_from(&outcome.columns);
            meta.rows.clone_from(&outcome.rows);
            EvidenceRow {
                meta,
                raw: outcome.raw.clone(),
            }
        });
        let case = running.case.clone();
        let turn = running.turn;
        let (status, detail, ms) = (outcome.status, outcome.detail(), done.ms);
        let verdict = (outcome.status == Status::Found).then_some(outcome.verdict);
        let evidence = self.store.write(move |tx| {
            let evidence = match row {
                Some(row) => Some(tx.put_evidence(&case, &row)?),
                None => None,
            };
            let body = Body::CallDone {
                turn,
                n,
                status,
                detail,
                evidence,
                verdict,
                seen,
                age_s,
                ms,
            };
            tx.append(&case, now, &[body])?;
            Ok(evidence)
        })?;
        Ok(evidence)
    }

    /// The model's copy of an outcome: capped, wrapped, for this turn only.
    fn for_model(
        &self,
        running: &Running<'_>,
        tool: &str,
        subject: Option<&Indicator>,
        marker: &str,
        outcome: &StoredOutcome,
    ) -> ModelText {
        let whole = outcome.for_model();
        let mut body = cut(&whole, running.evidence_chars);
        if body.len() < whole.len() {
            body.push_str("\n[cut here; the person has the whole evidence]");
        }
        let subject = subject
            .map(|s| crate::agent::prompt::written(s, &running.handles))
            .unwrap_or_default();
        wrap_untrusted(
            tool,
            self.redacted(&subject).as_str(),
            marker,
            &ModelText::from(&self.redacted(&body)),
        )
    }
}

fn seen_in(outcome: &StoredOutcome, subject: &Indicator) -> Vec<Indicator> {
    let mut seen: Vec<Indicator> = Vec::new();
    for f in extract(&outcome.searchable()) {
        if &f.indicator != subject && !seen.contains(&f.indicator) {
            seen.push(f.indicator);
            if seen.len() >= SEEN {
                break;
            }
        }
    }
    seen
}

fn from_row(row: &EvidenceRow) -> StoredOutcome {
    let meta = &row.meta;
    StoredOutcome {
        status: meta.status,
        could_not: None,
        verdict: meta.verdict.unwrap_or_default(),
        basis: meta.verdict_basis.clone(),
        columns: meta.columns.clone(),
        rows: meta.rows.clone(),
        raw: Redacted::default(),
        source_url: meta.source_url.clone(),
        source_date: meta.source_date.as_ref().map(|d| d.as_str().to_owned()),
        total_rows: meta.total_rows,
    }
}

/// At most `most` characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => text.get(..at).unwrap_or(text).to_owned(),
        None => text.to_owned(),
    }
}
