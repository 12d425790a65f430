//! The calls of one round, judged one after the other before anything is sent: what each may do, what the log says of
//! it, what it costs.

use super::calls::Running;
use super::{Draft, Engine, OnProgress, Pivot, Progress, marker};
use crate::agent::WireCall;
use crate::case::{Body, CallVerdict, CaseState, Event, ProposalFrom, Status};
use crate::gate::{self, Asked, FleetPermit, Key, Permit, Refusal, Verdict, View};
use crate::runner::Plan;
use kit::indicator::Indicator;
use kit::text::ModelText;

/// Longest argument that the log keeps of a call that could not be read, in characters.
const ARGUMENT: usize = 300;

/// What is to be done about a call that was judged.
pub(super) enum Next {
    Say(Option<Refusal>, ModelText),
    Run {
        n: u32,
        permit: Permit,
        plan: Plan,
        marker: String,
    },
    FromEvidence {
        n: u32,
        evidence: u32,
        age_s: u64,
        marker: String,
    },
    /// A fleet tool; those of a round run one after the other, in call order.
    Fleet {
        n: u32,
        permit: FleetPermit,
        marker: String,
    },
    /// The same look-up as an earlier call of this round: it shares that call's answer and costs nothing.
    Same {
        n: u32,
        of: usize,
    },
}

impl Engine {
    fn view<'a>(&'a self, state: &'a CaseState, running: &'a Running<'_>) -> View<'a> {
        View {
            state,
            turn: running.turn,
            limits: &self.config.limits,
            tools: &self.catalog,
            principal: &self.principal,
            reach: &self.reach,
            url_host: self.config.ai.authorize_url_host,
            model_remote: running.model_remote,
            handles: &running.handles,
            fleet: &self.fleet,
            fleet_remote: self.config.fleet.remote_models,
        }
    }

    /// Whether an indicator may become a proposal now.
    pub(crate) fn worth_proposing(
        &self,
        subject: &Indicator,
        state: &CaseState,
        running: &Running<'_>,
    ) -> bool {
        gate::worth_proposing(subject, &self.view(state, running)).is_ok()
    }

    /// Judges on a shadow of the state that already holds what earlier calls of the round used up.
    pub(super) fn judge_all(
        &self,
        running: &Running<'_>,
        state: &CaseState,
        calls: &[WireCall],
        on: OnProgress<'_>,
    ) -> (Vec<Draft>, Vec<Next>) {
        let mut shadow = state.clone();
        let mut drafts: Vec<Draft> = Vec::new();
        let mut nexts = Vec::with_capacity(calls.len());
        let mut more = 0_u32;
        let mut provisional = u64::MAX;
        let mut sent: Vec<(&'static str, Indicator, usize)> = Vec::new();
        for (at, call) in calls.iter().enumerate() {
            let examined = self.examine(running, call);
            let asked = Asked {
                name: call.name.as_deref(),
                arguments: &call.arguments,
                examined: examined.as_ref(),
            };
            // A call that carries a configured secret is refused as it stands: its indicator would take the
            // secret into the log, the next prompt and a source.
            let verdict = if self.holds_secret(&call.arguments) {
                Verdict::Refuse(gate::holds_secret())
            } else {
                gate::judge(asked, &self.view(&shadow, running))
            };
            let n = next_number(&shadow, running.turn);
            match verdict {
                Verdict::Refuse(refusal) if refusal.key == Key::Refusals => {
                    // Past the cap a refusal is only counted, so that a flood cannot fill the log.
                    more = more.saturating_add(1);
                    shadow_apply(
                        &mut shadow,
                        Body::RefusedMore {
                            turn: running.turn,
                            count: 1,
                        },
                    );
                    nexts.push(Next::Say(Some(refusal.clone()), self.say(&refusal)));
                }
                Verdict::Refuse(refusal) => {
                    let body = self.call_body(
                        running.turn,
                        n,
                        call,
                        refusal.subject.clone(),
                        CallVerdict::Refuse,
                        Some(&refusal),
                        false,
                        None,
                    );
                    shadow_apply(&mut shadow, body.clone());
                    drafts.push(Draft::Body(body));
                    if let (Some(subject), Some(found_in)) = (&refusal.subject, refusal.found_in)
                        && gate::worth_proposing(subject, &self.view(&shadow, running)).is_ok()
                    {
                        let why = self
                            .redacted(&format!("the model asked for it; it stands in E{found_in}"));
                        let pivot = Pivot {
                            turn: running.turn,
                            indicator: subject.clone(),
                            why,
                            found_in: Some(found_in),
                            not_in_evidence: false,
                            from: ProposalFrom::Gate,
                        };
                        shadow_apply(&mut shadow, pivot.clone().body(provisional));
                        provisional -= 1;
                        drafts.push(Draft::Propose(pivot));
                    }
                    on(Progress::Refused {
                        tool: self.redacted(call.name.as_deref().unwrap_or("?")),
                        key: refusal.key.name(),
                    });
                    nexts.push(Next::Say(Some(refusal.clone()), self.say(&refusal)));
                }
                Verdict::Ask(ask) => {
                    let body = self.call_body(
                        running.turn,
                        n,
                        call,
                        Some(ask.subject.clone()),
                        CallVerdict::Ask,
                        None,
                        false,
                        None,
                    );
                    shadow_apply(&mut shadow, body.clone());
                    drafts.push(Draft::Body(body));
                    let pivot = Pivot {
                        turn: running.turn,
                        indicator: ask.subject.clone(),
                        why: self.shortened(&ask.reason, ARGUMENT),
                        found_in: ask.found_in,
                        not_in_evidence: ask.not_in_evidence,
                        from: ProposalFrom::Model,
                    };
                    shadow_apply(&mut shadow, pivot.clone().body(provisional));
                    provisional -= 1;
                    drafts.push(Draft::Propose(pivot));
                    nexts.push(Next::Say(
                        None,
                        ModelText::trusted("Proposed. Nothing has happened: the person decides. Go on with what is authorized, or answer."),
                    ));
                }
                Verdict::Fleet(permit) => {
                    let marker = marker();
                    let body = self.fleet_call_body(running.turn, n, &permit, &marker);
                    shadow_apply(&mut shadow, body.clone());
                    drafts.push(Draft::Body(body));
                    nexts.push(Next::Fleet { n, permit, marker });
                }
                Verdict::Permit(permit) => {
                    let marker = marker();
                    let same = sent
                        .iter()
                        .find(|(tool, subject, _)| {
                            *tool == permit.spec().name && subject == permit.subject()
                        })
                        .map(|(_, _, of)| *of);
                    let earlier = self.earlier(&shadow, &permit, running.fresh);
                    let plan = self.runner().plan(&permit, running.fresh);
                    let free = same.is_some() || earlier.is_some() || !matches!(plan, Plan::Send);
                    let verdict =
                        if same.is_some() || earlier.is_some() || matches!(plan, Plan::Cached(_)) {
                            CallVerdict::Cached
                        } else {
                            CallVerdict::Permit
                        };
                    let subject = Some(permit.subject().clone());
                    let body = self.call_body(
                        running.turn,
                        n,
                        call,
                        subject,
                        verdict,
                        None,
                        !free,
                        Some(marker.clone()),
                    );
                    shadow_apply(&mut shadow, body.clone());
                    drafts.push(Draft::Body(body));
                    nexts.push(match (same, earlier) {
                        (Some(of), _) => Next::Same { n, of },
                        (None, Some((evidence, age_s))) => Next::FromEvidence {
                            n,
                            evidence,
                            age_s,
                            marker,
                        },
                        (None, None) => {
                            sent.push((permit.spec().name, permit.subject().clone(), at));
                            Next::Run {
                                n,
                                permit,
                                plan,
                                marker,
                            }
                        }
                    });
                }
            }
        }
        if more > 0 {
            drafts.push(Draft::Body(Body::RefusedMore {
                turn: running.turn,
                count: more,
            }));
        }
        (drafts, nexts)
    }

    /// Evidence of this case that answers the same look-up and is still fresh enough.
    fn earlier(&self, state: &CaseState, permit: &Permit, fresh: bool) -> Option<(u32, u64)> {
        if fresh || permit.spec().activity == kit::Activity::Offline {
            return None;
        }
        let e = state.evidence.iter().rev().find(|e| {
            e.tool == permit.spec().name
                && e.subject.as_ref() == Some(permit.subject())
                && e.status != Status::CouldNotLook
        })?;
        let age_s = u64::try_from((super::now_ms() - e.at_ms) / 1000).ok()?;
        (age_s < self.runner().ttl_s(permit.spec())).then_some((e.n, age_s))
    }

    fn say(&self, refusal: &Refusal) -> ModelText {
        ModelText::from(&self.redacted(&format!(
            "Refused ({}): {}",
            refusal.key.name(),
            refusal.sentence
        )))
    }

    #[allow(clippy::too_many_arguments)] // the fields of one event, in its order
    fn call_body(
        &self,
        turn: u32,
        n: u32,
        call: &WireCall,
        subject: Option<Indicator>,
        verdict: CallVerdict,
        refusal: Option<&Refusal>,
        charged: bool,
        marker: Option<String>,
    ) -> Body {
        let argument = subject.as_ref().map_or_else(
            || readable_argument(&call.arguments),
            |s| s.value().to_owned(),
        );
        Body::Call {
            turn,
            n,
            tool: self.shortened(call.name.as_deref().unwrap_or("(no name)"), 64),
            argument: self.shortened(&argument, ARGUMENT),
            subject,
            verdict,
            reason: refusal.map(|r| r.key.name().to_owned()),
            detail: refusal.map(|r| r.sentence.clone()),
            charged,
            marker,
            fingerprint: None,
            arguments: None,
        }
    }
}

fn readable_argument(arguments: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(arguments) {
        Ok(v) => v
            .get("query")
            .and_then(serde_json::Value::as_str)
            .map_or_else(|| arguments.to_owned(), str::to_owned),
        Err(_) => arguments.to_owned(),
    }
}

fn next_number(state: &CaseState, turn: u32) -> u32 {
    state
        .turn(turn)
        .and_then(|t| t.calls.last())
        .map_or(1, |c| c.n.saturating_add(1))
}

fn shadow_apply(shadow: &mut CaseState, body: Body) {
    let event = Event {
        seq: shadow.seq,
        at_ms: 0,
        body,
    };
    shadow.apply(&event);
}
