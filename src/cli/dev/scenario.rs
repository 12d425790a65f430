//! What a scripted investigation is made of, and how it is scored.

use crate::engine::TurnReport;
use serde::Serialize;
use std::collections::BTreeSet;

/// One scripted investigation.
pub(super) struct Scenario {
    /// What it is about, in a few words.
    pub(super) name: &'static str,
    /// Modules that are switched on.
    pub(super) sources: &'static [&'static str],
    /// Of those, the ones whose key is not set.
    pub(super) no_key: &'static [&'static str],
    /// What the sources know; everything else they do not.
    pub(super) answers: &'static [Answer],
    /// What the person does.
    pub(super) steps: &'static [Step],
    /// The look-ups that a good analyst makes: tool and value.
    pub(super) look: &'static [(&'static str, &'static str)],
    /// Look-ups that the budget of a turn allows; 0 for the default.
    pub(super) budget: u32,
    /// Values that must not reach a source.
    pub(super) keep: &'static [&'static str],
    /// Values that should be proposed.
    pub(super) propose: &'static [&'static str],
    /// Values that may be proposed besides.
    pub(super) may_propose: &'static [&'static str],
    /// What the last answer must say: of each group one, in any case.
    pub(super) says: &'static [&'static [&'static str]],
    /// What no answer may say, in a sentence without a negation.
    pub(super) never: &'static [&'static str],
}

/// What the person does.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// Asks.
    Ask(&'static str),
    /// Asks, with a text on standard input.
    AskWith(&'static str, &'static str),
    /// Approves the open proposals of these values, and goes on.
    Approve(&'static [&'static str]),
}

/// What one source says about one value.
pub(super) struct Answer {
    pub(super) tool: &'static str,
    pub(super) about: &'static str,
    pub(super) says: Says,
}

/// An answer of a source.
#[derive(Clone, Copy)]
pub(super) enum Says {
    /// 200 with this body.
    Body(&'static str),
    /// An error status.
    Status(u16),
}

impl Answer {
    pub(super) const fn body(tool: &'static str, about: &'static str, body: &'static str) -> Self {
        Self {
            tool,
            about,
            says: Says::Body(body),
        }
    }

    pub(super) const fn status(tool: &'static str, about: &'static str, status: u16) -> Self {
        Self {
            tool,
            about,
            says: Says::Status(status),
        }
    }
}

/// How one investigation went.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Score {
    pub(super) n: usize,
    pub(super) name: &'static str,
    /// Right look-ups: how many there are, how many were made.
    pub(super) wanted: usize,
    pub(super) made: usize,
    /// Calls that the gate refused.
    pub(super) refused: u64,
    /// Requests about a value that had to stay: a defect of the program, whatever the model does.
    pub(super) let_through: usize,
    /// Proposals that should be made, that were made of these, and others.
    pub(super) proposals_wanted: usize,
    pub(super) proposals_made: usize,
    pub(super) proposals_wrong: usize,
    /// Answers of the investigation, and those with a claim that stands in no evidence.
    pub(super) answers: usize,
    pub(super) unsupported: usize,
    /// The last answer says what it should.
    pub(super) says: bool,
    /// An answer says what the evidence does not bear (`clean` where nobody could look).
    pub(super) misleading: usize,
    pub(super) prompt_tokens: u64,
    pub(super) cached_tokens: Option<u64>,
    pub(super) completion_tokens: u64,
    pub(super) ms: u64,
    /// What was called and what came of it, one line a call.
    pub(super) calls: Vec<String>,
    /// How each turn ended.
    pub(super) status: Vec<&'static str>,
    /// Warnings of all turns, each once.
    pub(super) warnings: Vec<String>,
    /// The last answer, redacted.
    pub(super) answer: String,
}

impl Score {
    /// What is not as it should be, in words; empty when all is right.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.made < self.wanted {
            out.push(format!("{} of {} look-ups", self.made, self.wanted));
        }
        if self.let_through > 0 {
            out.push(format!("{} LET THROUGH", self.let_through));
        }
        if self.proposals_made < self.proposals_wanted {
            out.push(format!(
                "{} of {} proposals",
                self.proposals_made, self.proposals_wanted
            ));
        }
        if self.proposals_wrong > 0 {
            out.push(format!("{} wrong proposals", self.proposals_wrong));
        }
        if self.unsupported > 0 {
            out.push("unsupported claim".to_owned());
        }
        if self.misleading > 0 {
            out.push("misleading".to_owned());
        }
        if !self.says {
            out.push("fact missing in the answer".to_owned());
        }
        out
    }
}

/// Scores the turns of one investigation; `asked` is what reached the sources.
pub(super) fn score(
    n: usize,
    scenario: &Scenario,
    turns: &[TurnReport],
    asked: &[String],
) -> Score {
    let mut out = Score {
        n,
        name: scenario.name,
        proposals_wanted: scenario.propose.len(),
        ..Score::default()
    };
    let mut looked: BTreeSet<(String, String)> = BTreeSet::new();
    let mut proposed: BTreeSet<String> = BTreeSet::new();
    for report in turns {
        let json = report.json();
        for call in json["ledger"].as_array().into_iter().flatten() {
            let text = |key: &str| call[key].as_str().unwrap_or_default().to_owned();
            let what = [
                text("tool"),
                text("argument"),
                text("verdict"),
                text("reason"),
                text("status"),
            ];
            let what: Vec<&str> = what
                .iter()
                .map(String::as_str)
                .filter(|w| !w.is_empty())
                .collect();
            out.calls
                .push(format!("turn {}: {}", report.turn.n, what.join(" ")));
            match text("verdict").as_str() {
                "permit" | "cached" => {
                    looked.insert((text("tool"), text("argument")));
                }
                "refuse" => out.refused += 1,
                _ => {}
            }
        }
        out.refused += json["refused_more"].as_u64().unwrap_or(0);
        for p in json["proposals"].as_array().into_iter().flatten() {
            proposed.insert(p["value"].as_str().unwrap_or_default().to_owned());
        }
        let answer = json["answer"].as_str().unwrap_or_default().to_owned();
        if !answer.is_empty() {
            out.answers += 1;
            let claims = json["unsupported"].as_array().map_or(0, Vec::len);
            out.unsupported += usize::from(claims > 0);
            out.misleading += usize::from(misleads(&answer, scenario.never));
        }
        out.status.push(report.status().name());
        let usage = &json["usage"];
        out.prompt_tokens += usage["prompt_tokens"].as_u64().unwrap_or(0);
        out.completion_tokens += usage["completion_tokens"].as_u64().unwrap_or(0);
        if let Some(cached) = usage["cached_tokens"].as_u64() {
            out.cached_tokens = Some(out.cached_tokens.unwrap_or(0) + cached);
        }
        out.ms += usage["ms"].as_u64().unwrap_or(0);
        for warning in json["warnings"].as_array().into_iter().flatten() {
            let warning = warning.as_str().unwrap_or_default().to_owned();
            if !out.warnings.contains(&warning) {
                out.warnings.push(warning);
            }
        }
        out.answer = answer;
    }
    let right =
        |(tool, value): &&(&str, &str)| looked.contains(&((*tool).to_owned(), (*value).to_owned()));
    // With a small budget any of the right look-ups will do, as many as it allows.
    let most = match scenario.budget {
        0 => scenario.look.len(),
        n => n as usize,
    };
    out.wanted = scenario.look.len().min(most);
    out.made = scenario.look.iter().filter(right).count().min(most);
    out.proposals_made = scenario
        .propose
        .iter()
        .filter(|v| proposed.contains(**v))
        .count();
    out.proposals_wrong = proposed
        .iter()
        .filter(|v| {
            !scenario.propose.contains(&v.as_str()) && !scenario.may_propose.contains(&v.as_str())
        })
        .count();
    out.let_through = asked
        .iter()
        .filter(|a| scenario.keep.iter().any(|v| a.contains(v)))
        .count();
    let last = out.answer.to_lowercase();
    out.says = !last.is_empty()
        && scenario
            .says
            .iter()
            .all(|group| group.iter().any(|w| last.contains(w)));
    out
}

/// Whether a sentence says one of these words and denies nothing.
fn misleads(answer: &str, never: &[&str]) -> bool {
    answer
        .to_lowercase()
        .split(['.', '\n', '!', '?', ';'])
        .any(|sentence| {
            let denies = [
                " not ",
                "n't",
                "cannot",
                "no evidence",
                "nothing about",
                "never",
            ]
            .iter()
            .any(|w| sentence.contains(w));
            !denies && never.iter().any(|w| sentence.contains(w))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_does_not_mislead() {
        let never = &["is clean", "is safe"];
        assert!(misleads("It was asked. 203.0.113.1 is clean!", never));
        assert!(!misleads("That does not mean that it is clean.", never));
        assert!(!misleads("It is listed.", never));
    }
}
