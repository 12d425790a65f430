//! A case and everything that the gate sees, driven as the engine drives it.

use kit::human::{ReadOptions, read};
use kit::principal::Principal;
use kit::text::{Redacted, Untrusted};
use kit::{Indicator, Redactor};
use rmm_analyst::case::{
    Body, CallVerdict, CaseState, Event, Planner, ProposalFrom, ProposalKind, Status,
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

pub(crate) fn redacted(text: &str) -> Redacted {
    Untrusted::new(text.to_owned()).redact(&Plain)
}

pub(crate) fn indicator(text: &str) -> Indicator {
    kit::classify(text).unwrap_or_else(|| panic!("{text} is no indicator"))
}

pub(crate) fn query(value: &str) -> String {
    serde_json::json!({ "query": value }).to_string()
}

/// A case and everything that the gate sees, kept as the engine keeps it.
pub(crate) struct Bench {
    pub(crate) state: CaseState,
    pub(crate) turn: u32,
    pub(crate) limits: Limits,
    pub(crate) tools: Catalog,
    pub(crate) principal: Principal,
    pub(crate) reach: kit::reach::ReachPolicy,
    pub(crate) url_host: bool,
    pub(crate) remote: bool,
    pub(crate) handles: BTreeMap<String, Indicator>,
    pub(crate) fleet: rmm_analyst::gate::FleetCatalog,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            state: CaseState::default(),
            turn: 0,
            limits: Limits::default(),
            tools: tools::catalog(&Config::default()),
            principal: Principal::owner("analyst"),
            reach: kit::reach::ReachPolicy {
                allow_nets: vec!["198.51.100.0/24".parse().unwrap()],
                internal_suffixes: vec!["corp.shop".into()],
                ..Default::default()
            },
            url_host: true,
            remote: false,
            handles: BTreeMap::new(),
            fleet: BTreeMap::new(),
        }
    }

    /// A case in which this was said.
    pub(crate) fn said(text: &str) -> Self {
        let mut bench = Self::new();
        bench.human(text);
        bench
    }

    pub(crate) fn view(&self) -> View<'_> {
        View {
            state: &self.state,
            turn: self.turn,
            limits: &self.limits,
            tools: &self.tools,
            principal: &self.principal,
            reach: &self.reach,
            url_host: self.url_host,
            model_remote: self.remote,
            handles: &self.handles,
            fleet: &self.fleet,
            fleet_remote: false,
        }
    }

    pub(crate) fn apply(&mut self, body: Body) {
        let seq = self.state.seq + 1;
        self.state.apply(&Event {
            seq,
            at_ms: 0,
            body,
        });
    }

    pub(crate) fn human(&mut self, text: &str) {
        self.turn = self.state.next_turn();
        let turn = self.turn;
        self.apply(Body::Human {
            turn,
            text: redacted(text),
            sent: None,
            mentions: read(text, &ReadOptions::default()).mentions,
            attachments: Vec::new(),
            shown: Vec::new(),
            principal: "analyst".into(),
            surface: "cli".into(),
        });
        self.apply(Body::TurnStarted {
            turn,
            continues: None,
            planner: Planner::Model,
            model: None,
            tools_mode: None,
        });
    }

    pub(crate) fn judge(&self, name: &str, arguments: &str) -> Verdict {
        let asked = Asked {
            name: Some(name),
            arguments,
            examined: None,
        };
        gate::judge(asked, &self.view())
    }

    #[track_caller]
    pub(crate) fn refuses(&self, name: &str, arguments: &str, key: Key) {
        match self.judge(name, arguments) {
            Verdict::Refuse(r) => assert_eq!(r.key, key, "{name} {arguments}: {}", r.sentence),
            other => panic!("{name} {arguments}: {other:?}"),
        }
    }

    #[track_caller]
    pub(crate) fn permits(&self, name: &str, value: &str) {
        match self.judge(name, &query(value)) {
            Verdict::Permit(p) => assert_eq!(p.spec().name, name),
            other => panic!("{name} {value}: {other:?}"),
        }
    }

    /// Records a call as the engine does; a permitted one that goes out is charged.
    pub(crate) fn record(&mut self, name: &str, verdict: &Verdict) {
        let (subject, which, charged) = match verdict {
            Verdict::Permit(p) => (
                Some(p.subject().clone()),
                CallVerdict::Permit,
                p.spec().activity != kit::Activity::Offline,
            ),
            Verdict::Ask(a) => (Some(a.subject.clone()), CallVerdict::Ask, false),
            Verdict::Refuse(r) => (r.subject.clone(), CallVerdict::Refuse, false),
            Verdict::Fleet(p) => panic!("no fleet tool was examined: {p:?}"),
        };
        let n = self.state.turn(self.turn).map_or(0, |t| t.calls.len()) as u32 + 1;
        let turn = self.turn;
        self.apply(Body::Call {
            turn,
            n,
            tool: redacted(name),
            argument: redacted(subject.as_ref().map_or("?", Indicator::value)),
            subject,
            verdict: which,
            reason: None,
            detail: None,
            charged,
            marker: None,
            fingerprint: None,
            arguments: None,
        });
        if which == CallVerdict::Permit {
            self.done(n, None, &[]);
        }
        if let Verdict::Ask(a) = verdict {
            self.propose(a.subject.value());
        }
    }

    pub(crate) fn done(&mut self, n: u32, evidence: Option<u32>, seen: &[&str]) {
        let turn = self.turn;
        self.apply(Body::CallDone {
            turn,
            n,
            status: Status::NotFound,
            detail: None,
            evidence,
            verdict: None,
            seen: seen.iter().map(|s| indicator(s)).collect(),
            age_s: 0,
            ms: 0,
        });
    }

    pub(crate) fn propose(&mut self, value: &str) {
        let n = self.state.proposals.len() as u64 + 1;
        let turn = self.turn;
        self.apply(Body::Proposed {
            n,
            turn,
            what: ProposalKind::Pivot,
            indicator: indicator(value),
            why: redacted("r"),
            found_in: None,
            not_in_evidence: false,
            from: ProposalFrom::Model,
        });
    }

    pub(crate) fn revoke(&mut self, value: &str) {
        self.apply(Body::Revoked {
            indicator: indicator(value),
            principal: "tester".into(),
        });
    }

    pub(crate) fn decide(&mut self, n: u64, approve: bool) {
        self.apply(Body::Decided {
            n,
            approve,
            reason: None,
            principal: "analyst".into(),
            surface: "cli".into(),
        });
    }

    pub(crate) fn call(&mut self, name: &str, arguments: &str) -> Verdict {
        let verdict = self.judge(name, arguments);
        self.record(name, &verdict);
        verdict
    }
}
