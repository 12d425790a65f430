//! A turn whose look-ups the built-in rules choose, through the same gate, budget and runner.

use super::calls::{Dealt, Running};
use super::{Engine, EngineError, OnProgress};
use crate::agent::WireCall;
use crate::agent::planner::{self, Looked};
use crate::case::CaseState;
use kit::indicator::Indicator;

/// New indicators that an answer lists; `mentioned` has them all.
const NEW: usize = 10;

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
        let wanted = self.fleet_by_rules(running, state, subjects)?;
        let notice = wanted.notice;
        let fleet = wanted
            .calls
            .into_iter()
            .take(budget as usize)
            .enumerate()
            .map(|(i, (tool, arguments))| WireCall {
                id: format!("fleet_{i}"),
                name: Some(tool),
                arguments: arguments.to_string(),
            });
        let calls = plan
            .calls
            .into_iter()
            .enumerate()
            .map(|(i, (tool, subject))| WireCall {
                id: format!("rule_{i}"),
                name: Some(tool),
                arguments: serde_json::json!({"query": subject.value()}).to_string(),
            })
            .chain(fleet)
            .collect();
        let dealt = self.deal(running, state, calls, on).await?;
        let looked = looked(&dealt);
        let on_fleet = on_the_fleet(&notice, &dealt);
        let nothing_named = subjects.is_empty() && unplanned.is_empty() && on_fleet.is_empty();
        let mut answer = planner::compose(&looked, &unplanned, nothing_named);
        answer.push_str(&on_fleet);
        answer.push_str(&self.new_in_evidence(running, state, &dealt));
        Ok((answer, dealt))
    }

    /// What the evidence of these calls names that is worth a look-up and that nobody decided on.
    fn new_in_evidence(&self, running: &Running<'_>, state: &CaseState, dealt: &[Dealt]) -> String {
        let mut found: Vec<(u32, &Indicator)> = state
            .seen
            .iter()
            .filter(|(_, e)| dealt.iter().any(|d| d.evidence == Some(**e)))
            .filter(|(i, _)| self.worth_proposing(i, state, running))
            .map(|(i, e)| (*e, i))
            .collect();
        found.sort();
        if found.is_empty() {
            return String::new();
        }
        let names: Vec<String> = found
            .iter()
            .take(NEW)
            .map(|(e, i)| format!("{} ({}, E{e})", i.value(), i.kind()))
            .collect();
        let more = match found.len().saturating_sub(NEW) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!(
            "\nNew in the evidence, not looked up: {}{more}. To look one up, name it in the next question.\n",
            names.join(", ")
        )
    }
}

/// What the fleet said, for an answer by rules. What was not understood comes first: an answer to another
/// question must not look like one to this.
fn on_the_fleet(notice: &[&str], dealt: &[Dealt]) -> String {
    let mut out = String::new();
    for sentence in notice {
        out.push_str(&format!("\n\n{sentence}"));
    }
    if !notice.is_empty() {
        out.push('\n');
    }
    let mut headed = false;
    for d in dealt.iter().filter(|d| d.subject.is_none()) {
        let said = match (&d.outcome, &d.refusal) {
            (Some(outcome), _) => match (outcome.detail(), d.evidence) {
                (Some(why), _) => format!("could not say: {why}"),
                (None, Some(e)) => format!("{} [E{e}]\n\n[[E{e}]]", outcome.basis.as_str()),
                (None, None) => outcome.basis.as_str().to_owned(),
            },
            (None, Some(refusal)) => format!("could not say: {}", refusal.sentence),
            (None, None) => continue,
        };
        if !headed {
            headed = true;
            out.push_str("\nOn the fleet:\n");
        }
        out.push_str(&format!("- {}: {said}\n", d.tool));
    }
    out
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
