//! What a turn cannot look up, and what earlier turns left to be looked up.

use super::Engine;
use crate::case::{CaseState, ProposalKind, ProposalState, TurnStatus};
use kit::indicator::Indicator;

impl Engine {
    /// Indicators of the message for which no enabled module is marked for this kind of use.
    pub(super) fn unplanned(
        &self,
        state: &CaseState,
        subjects: &[Indicator],
    ) -> Vec<(Indicator, String)> {
        let mut out: Vec<(Indicator, String)> = subjects
            .iter()
            .filter(|s| {
                !self
                    .catalog
                    .values()
                    .any(|t| t.enabled && t.allowed && t.spec.takes(s.kind()))
            })
            .map(|s| (s.clone(), format!("no look-up module takes {}", s.kind())))
            .collect();
        let red = state
            .red
            .iter()
            .filter(|i| state.turns.last().is_some_and(|_| state.said.contains(*i)));
        out.extend(red.map(|i| (i.clone(), "it is TLP:RED and stays at home".to_owned())));
        out
    }

    /// What a turn says that names nothing in the person's own words and lists what the input holds.
    pub(super) fn listed_answer(&self, state: &CaseState, turn: u32) -> String {
        let mut out = String::from(
            "Nothing was looked up: the indicators stand in the input, and nobody named them.",
        );
        let listed: Vec<_> = state
            .proposals
            .values()
            .filter(|p| p.turn == turn)
            .collect();
        if !listed.is_empty() {
            out.push_str("\n\nThey wait as numbered proposals:");
        }
        for p in listed {
            out.push_str(&format!(
                "\n{}  {} ({})",
                p.n,
                p.indicator.value(),
                p.indicator.kind()
            ));
        }
        let rest: Vec<String> = state
            .turn(turn)
            .into_iter()
            .flat_map(|t| &t.attachments)
            .flat_map(|a| &a.mentioned)
            .map(|i| match kit::reach::check(i, &self.reach) {
                Err(why) => format!("{} ({}): stays here, {why}", i.value(), i.kind()),
                Ok(()) => format!("{} ({})", i.value(), i.kind()),
            })
            .collect();
        if !rest.is_empty() {
            out.push_str(&format!("\n\nAlso mentioned:\n- {}", rest.join("\n- ")));
        }
        out
    }
}

/// Approved indicators that no look-up of this case was about since.
pub(super) fn unlooked(state: &CaseState) -> Vec<Indicator> {
    let looked = |i: &Indicator, since: u32| {
        state.turns.iter().filter(|t| t.n >= since).any(|t| {
            t.calls
                .iter()
                .any(|c| c.subject.as_ref() == Some(i) && c.status.is_some())
        })
    };
    let mut out: Vec<(u64, Indicator)> = state
        .proposals
        .values()
        .filter(|p| p.kind == ProposalKind::Pivot && p.state == ProposalState::Approved)
        .filter(|p| state.authorized.contains_key(&p.indicator) && !looked(&p.indicator, p.turn))
        .map(|p| (p.n, p.indicator.clone()))
        .collect();
    out.sort_by_key(|(n, _)| *n);
    let mut out: Vec<Indicator> = out.into_iter().map(|(_, i)| i).collect();
    // What a person named in a turn that was stopped before anything was looked up is still to be done.
    if let Some(last) = state
        .turns
        .last()
        .filter(|t| t.status == Some(TurnStatus::Interrupted))
    {
        out.extend(
            last.named
                .iter()
                .filter(|i| state.authorized.contains_key(*i) && !looked(i, last.n))
                .cloned(),
        );
    }
    out.dedup();
    out
}
