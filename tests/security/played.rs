//! A case in which a person speaks and a model calls, judged as the engine judges it (`engine::calls`) but
//! without a model, a source or a database, so that thousands of turns a second can be played. Shared with
//! the fuzz targets.

use kit::extract::extract;
use kit::human::{self, BareYes, OpenPivot, ReadOptions, Reply};
use kit::indicator::Indicator;
use kit::module::{Activity, ModuleSpec};
use kit::principal::Principal;
use kit::reach::ReachPolicy;
use kit::text::{Redacted, Redactor, Untrusted};
use rmm_analyst::case::{
    Body, CallVerdict, CaseState, Event, Planner, ProposalFrom, ProposalKind, Status, TurnStatus,
    Usage,
};
use rmm_analyst::config::Config;
use rmm_analyst::config::settings::Limits;
use rmm_analyst::gate::{self, Asked, Catalog, Key, Verdict, View};
use rmm_analyst::runner::tools;
use std::collections::BTreeMap;

struct Plain;

impl Redactor for Plain {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

fn red(text: &str) -> Redacted {
    Untrusted::new(text.to_owned()).redact(&Plain)
}

/// What the gate said to one call.
#[derive(Debug)]
pub(crate) enum Said {
    /// It would be sent, or answered from memory.
    Ran(&'static ModuleSpec, Indicator),
    /// It became a proposal with this number.
    Proposed(#[allow(dead_code, reason = "shown when a test fails")] u64),
    /// It was refused.
    Refused(Key),
}

/// The case.
pub(crate) struct Played {
    pub(crate) state: CaseState,
    pub(crate) events: Vec<Event>,
    pub(crate) limits: Limits,
    pub(crate) turn: u32,
    catalog: Catalog,
    principal: Principal,
    reach: ReachPolicy,
    handles: BTreeMap<String, Indicator>,
    fleet: rmm_analyst::gate::FleetCatalog,
    proposals: u64,
    evidence: u32,
}

impl Played {
    pub(crate) fn new() -> Self {
        let mut reach = ReachPolicy::default();
        for net in [
            "192.0.2.0/24",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "2001:db8::/32",
        ] {
            reach.allow_nets.extend(net.parse::<ipnet::IpNet>());
        }
        let mut played = Self {
            state: CaseState::default(),
            events: Vec::new(),
            limits: Limits::default(),
            turn: 0,
            catalog: tools::catalog(&Config::default()),
            principal: Principal::owner("analyst"),
            reach,
            handles: BTreeMap::new(),
            fleet: BTreeMap::new(),
            proposals: 0,
            evidence: 0,
        };
        played.log(Body::Opened {
            title: "played".into(),
            principal: "analyst".into(),
        });
        played
    }

    fn log(&mut self, body: Body) {
        let event = Event {
            seq: self.state.seq + 1,
            at_ms: 0,
            body,
        };
        self.state.apply(&event);
        self.events.push(event);
    }

    fn view(&self) -> View<'_> {
        View {
            state: &self.state,
            turn: self.turn,
            limits: &self.limits,
            tools: &self.catalog,
            principal: &self.principal,
            reach: &self.reach,
            url_host: true,
            model_remote: false,
            handles: &self.handles,
            fleet: &self.fleet,
            fleet_remote: false,
        }
    }

    /// A message of the person: ends the turn before it and begins one.
    pub(crate) fn say(&mut self, text: &str) {
        if self.turn > 0 {
            self.log(Body::TurnEnded {
                turn: self.turn,
                status: TurnStatus::Answered,
                usage: Usage::default(),
                warnings: Vec::new(),
                error: None,
            });
        }
        let reading = human::read(text, &ReadOptions::default());
        let open: Vec<(u64, Indicator)> = self
            .state
            .open_proposals()
            .map(|p| (p.n, p.indicator.clone()))
            .collect();
        let pivots: Vec<OpenPivot<'_>> = open
            .iter()
            .map(|(n, indicator)| OpenPivot { n: *n, indicator })
            .collect();
        let reply = human::parse_reply(text, &pivots, BareYes::Single);
        self.turn = self.state.next_turn();
        self.log(Body::Human {
            turn: self.turn,
            text: red(text),
            sent: None,
            mentions: reading.mentions,
            attachments: Vec::new(),
            shown: open.iter().map(|(n, _)| *n).collect(),
            principal: "analyst".into(),
            surface: "cli".into(),
        });
        if let Reply::Decide { approve, deny } = reply {
            for (n, yes) in approve
                .into_iter()
                .map(|n| (n, true))
                .chain(deny.into_iter().map(|n| (n, false)))
            {
                self.decide(n, yes);
            }
        }
        self.log(Body::TurnStarted {
            turn: self.turn,
            continues: None,
            planner: Planner::Model,
            model: None,
            tools_mode: None,
        });
    }

    /// A decision on a surface.
    pub(crate) fn decide(&mut self, n: u64, approve: bool) {
        self.log(Body::Decided {
            n,
            approve,
            reason: None,
            principal: "analyst".into(),
            surface: "cli".into(),
        });
    }

    fn propose(&mut self, indicator: &Indicator, found_in: Option<u32>, from: ProposalFrom) -> u64 {
        self.proposals += 1;
        let n = self.proposals;
        self.log(Body::Proposed {
            n,
            turn: self.turn,
            what: ProposalKind::Pivot,
            indicator: indicator.clone(),
            why: red("played"),
            found_in,
            not_in_evidence: found_in.is_none(),
            from,
        });
        n
    }

    /// One call of the model, written down with what it uses up.
    pub(crate) fn call(&mut self, name: Option<&str>, arguments: &str) -> Said {
        let verdict = gate::judge(
            Asked {
                name,
                arguments,
                examined: None,
            },
            &self.view(),
        );
        let n = self
            .state
            .turn(self.turn)
            .and_then(|t| t.calls.last())
            .map_or(1, |c| c.n + 1);
        let turn = self.turn;
        let body = |subject, verdict, reason: Option<Key>, charged| Body::Call {
            turn,
            n,
            tool: red(name.unwrap_or("(no name)")),
            argument: red(arguments),
            subject,
            verdict,
            reason: reason.map(|k| k.name().to_owned()),
            detail: None,
            charged,
            marker: None,
            fingerprint: None,
            arguments: None,
        };
        match verdict {
            Verdict::Refuse(r) if r.key == Key::Refusals => {
                self.log(Body::RefusedMore { turn, count: 1 });
                Said::Refused(r.key)
            }
            Verdict::Refuse(r) => {
                self.log(body(
                    r.subject.clone(),
                    CallVerdict::Refuse,
                    Some(r.key),
                    false,
                ));
                if let (Some(subject), Some(found_in)) = (&r.subject, r.found_in)
                    && gate::worth_proposing(subject, &self.view()).is_ok()
                {
                    self.propose(subject, Some(found_in), ProposalFrom::Gate);
                }
                Said::Refused(r.key)
            }
            Verdict::Ask(ask) => {
                self.log(body(
                    Some(ask.subject.clone()),
                    CallVerdict::Ask,
                    None,
                    false,
                ));
                Said::Proposed(self.propose(&ask.subject, ask.found_in, ProposalFrom::Model))
            }
            Verdict::Fleet(permit) => panic!("no fleet tool was examined: {permit:?}"),
            Verdict::Permit(permit) => {
                let (spec, subject) = (permit.spec(), permit.subject().clone());
                let charged = spec.activity != Activity::Offline;
                self.log(body(
                    Some(subject.clone()),
                    CallVerdict::Permit,
                    None,
                    charged,
                ));
                Said::Ran(spec, subject)
            }
        }
    }

    /// The answer to the last call: what stands in it is known to the case from here on.
    pub(crate) fn answered(&mut self, output: &str) {
        let Some(n) = self
            .state
            .turn(self.turn)
            .and_then(|t| t.calls.last())
            .map(|c| c.n)
        else {
            return;
        };
        self.evidence += 1;
        self.log(Body::CallDone {
            turn: self.turn,
            n,
            status: Status::Found,
            detail: None,
            evidence: Some(self.evidence),
            verdict: None,
            seen: extract(output)
                .into_iter()
                .map(|f| f.indicator)
                .take(200)
                .collect(),
            age_s: 0,
            ms: 1,
        });
    }
}
