//! A turn whose look-ups the built-in rules choose, through the same gate, budget and runner.

use super::calls::{Dealt, Running};
use super::{Engine, EngineError, OnProgress};
use crate::agent::WireCall;
use crate::agent::planner::{self, Looked};
use crate::case::CaseState;
use kit::indicator::Indicator;

impl Engine {
    /// Looks the subjects up and composes a factual answer.
    pub(crate) async fn by_rules(
        &self,
        running: &Running<'_>,
        state: &mut CaseState,
        subjects: &[Indicator],
        unplanned: &[(Indicator, String)],
        on: OnProgress<'_>,
    ) -> Result<(String, Vec<Dealt>), EngineError> {
        let has_key = |name: &str| {
            self.catalog
                .get(name)
                .is_some_and(|t| self.runner().ready(t.spec))
        };
        let limits = &self.config.limits;
        let budget = limits
            .calls_per_turn
            .saturating_sub(state.used_in_turn(running.turn))
            .min(limits.calls_per_case.saturating_sub(state.used));
        let url_host = self.config.ai.authorize_url_host;
        let plan = planner::plan(
            state,
            subjects,
            &self.catalog,
            url_host,
            budget as usize,
            &has_key,
        );
        let mut unplanned = unplanned.to_vec();
        for (subject, tools) in &plan.left_out {
            let why = format!(
                "no room in the budget ({budget} look-ups) for: {}",
                tools.join(", ")
            );
            unplanned.push((subject.clone(), why));
        }
        let calls = plan
            .calls
            .into_iter()
            .enumerate()
            .map(|(i, (tool, subject))| WireCall {
                id: format!("rule_{i}"),
                name: Some(tool),
                arguments: serde_json::json!({"query": subject.value()}).to_string(),
            })
            .collect();
        let dealt = self.deal(running, state, calls, on).await?;
        let looked = looked(&dealt);
        let nothing_named = subjects.is_empty() && unplanned.is_empty();
        Ok((planner::compose(&looked, &unplanned, nothing_named), dealt))
    }
}

/// What calls brought, for an answer by rules.
pub(crate) fn looked(dealt: &[Dealt]) -> Vec<Looked> {
    dealt
        .iter()
        .filter_map(|d| {
            let subject = d.subject.clone()?;
            let Some(outcome) = &d.outcome else {
                let refusal = d.refusal.as_ref()?;
                return Some(Looked {
                    tool: d.tool.clone(),
                    subject,
                    status: None,
                    detail: Some(refusal.sentence.clone()),
                    evidence: None,
                    verdict: None,
                    columns: Vec::new(),
                    first: Vec::new(),
                    rows: 0,
                });
            };
            let first = outcome
                .rows
                .iter()
                .take(planner::ROWS)
                .map(|row| row.iter().map(|c| c.as_str().to_owned()).collect())
                .collect();
            Some(Looked {
                tool: d.tool.clone(),
                subject,
                status: Some(outcome.status),
                detail: outcome.detail(),
                evidence: d.evidence,
                verdict: Some((outcome.verdict, outcome.basis.as_str().to_owned())),
                columns: outcome.columns.clone(),
                first,
                rows: outcome.total_rows.unwrap_or(outcome.rows.len() as u64),
            })
        })
        .collect()
}
