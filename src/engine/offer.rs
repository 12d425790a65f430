//! What one constrained step of a model may be.

use super::Engine;
use super::calls::Running;
use super::with_model::offered_tools;
use crate::agent::{Offer, prompt};
use crate::case::CaseState;
use kit::indicator::Indicator;

/// Indicators of the evidence that one constrained step may propose: a grammar of thousands is slow.
const PROPOSABLE: usize = 40;

impl Engine {
    /// What a constrained step may be: calls on values that the gate would permit and that were not
    /// looked up in this turn; only such calls while something that the turn is about was not looked up
    /// at all (a small model answers at once where it may); proposals of what stands in the evidence.
    pub(super) fn offer(
        &self,
        state: &CaseState,
        running: &Running<'_>,
        subjects: &[Indicator],
        answer: bool,
    ) -> Offer {
        let url_host = self.config.ai.authorize_url_host;
        let mut values: Vec<Indicator> = state
            .authorized
            .keys()
            .filter(|i| !state.denied.contains(*i))
            .cloned()
            .collect();
        if url_host {
            let hosts: Vec<Indicator> = values
                .iter()
                .filter_map(Indicator::host)
                .filter(|h| state.authorization(h, true).is_some())
                .collect();
            for host in hosts {
                if !values.contains(&host) {
                    values.push(host);
                }
            }
        }
        let done = |tool: &str, subject: &Indicator| {
            state.turn(running.turn).is_some_and(|t| {
                t.calls
                    .iter()
                    .any(|c| c.tool.as_str() == tool && c.subject.as_ref() == Some(subject))
            })
        };
        let spent = state.used_in_turn(running.turn) >= self.config.limits.calls_per_turn
            || state.used >= self.config.limits.calls_per_case;
        let mut tools: Vec<(&'static kit::ModuleSpec, Vec<&Indicator>)> = Vec::new();
        for tool in offered_tools(&state.offered, &self.catalog, running.model_remote) {
            let offline = tool.activity == kit::Activity::Offline;
            let takes: Vec<&Indicator> = values
                .iter()
                .filter(|i| tool.takes(i.kind()) && !done(tool.name, i))
                .filter(|i| {
                    offline || (!state.is_red(i) && kit::reach::check(i, &self.reach).is_ok())
                })
                .filter(|_| self.runner().ready(tool))
                .collect();
            if !takes.is_empty() {
                tools.push((tool, takes));
            }
        }
        let fleet = if answer || spent {
            Vec::new()
        } else {
            self.fleet_on_offer(state, running)
        };
        let nothing = tools.is_empty() && fleet.is_empty();
        let call = !(answer || spent || nothing);
        let looked = |i: &Indicator| {
            state.turn(running.turn).is_some_and(|t| {
                t.calls
                    .iter()
                    .any(|c| c.status.is_some() && c.subject.as_ref() == Some(i))
            })
        };
        // Of a URL that no tool takes, its host is what can be looked up.
        let on_offer = |i: &Indicator| tools.iter().any(|(_, takes)| takes.contains(&i));
        let still: Vec<Indicator> = subjects
            .iter()
            .filter(|s| !looked(s))
            .filter_map(|s| {
                if on_offer(s) {
                    return Some(s.clone());
                }
                s.host().filter(|h| !looked(h) && on_offer(h))
            })
            .collect();
        let must_look = call && !still.is_empty();
        let tools = tools
            .into_iter()
            .map(|(tool, takes)| {
                let takes: Vec<String> = takes
                    .into_iter()
                    .filter(|i| !must_look || still.contains(i))
                    .map(|i| prompt::written(i, &running.handles))
                    .collect();
                (tool.name.to_owned(), takes)
            })
            .filter(|(_, takes)| !takes.is_empty())
            .collect();
        let propose = if answer || must_look {
            Vec::new()
        } else {
            self.proposable(state, running)
        };
        Offer {
            tools,
            fleet: if must_look { Vec::new() } else { fleet },
            call,
            answer: !must_look,
            propose,
        }
    }

    /// What stands in the evidence and may become a proposal now, the newest evidence first.
    fn proposable(&self, state: &CaseState, running: &Running<'_>) -> Vec<String> {
        let mut seen: Vec<(u32, &Indicator)> = state
            .seen
            .iter()
            .filter(|(i, _)| self.worth_proposing(i, state, running))
            // What the redactor would change cannot be spelled by the model.
            .filter(|(i, _)| self.redacted(i.value()).as_str() == i.value())
            .map(|(i, e)| (*e, i))
            .collect();
        seen.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        seen.into_iter()
            .take(PROPOSABLE)
            .map(|(_, i)| i.value().to_owned())
            .collect()
    }
}
