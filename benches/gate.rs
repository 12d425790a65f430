//! One call through the gate, on a case that has a history: 100 turns, 300 look-ups, 50 authorized
//! indicators. Target: under 10 µs a call (docs/performance.md).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a bench that cannot be set up has nothing to say"
)]

use kit::principal::Principal;
use kit::reach::ReachPolicy;
use rmm_analyst::case::{Body, CaseState, Event, TurnStatus};
use rmm_analyst::config::Config;
use rmm_analyst::gate::{Asked, Catalog, Verdict, View, judge};
use rmm_analyst::runner::tools;
use std::collections::BTreeMap;

#[path = "../tests/store_support/mod.rs"]
mod store_support;

use store_support::{answer, call, done, ended, human, ind, ip, started};

fn main() {
    divan::main();
}

/// The turn that runs.
const TURN: u32 = 101;

fn case() -> CaseState {
    let mut bodies = vec![Body::Opened {
        title: "bench".into(),
        principal: "anna".into(),
    }];
    for turn in 1..TURN {
        let subject = ip(u8::try_from(turn % 50).unwrap());
        bodies.push(human(turn, "and this one?", std::slice::from_ref(&subject)));
        bodies.push(started(turn));
        for n in 1..=3 {
            bodies.push(call(turn, n, &subject));
            let seen = [ip(u8::try_from(100 + turn % 100).unwrap())];
            bodies.push(done(turn, n, Some(turn * 3 + n), &seen));
        }
        bodies.push(answer(turn, "Listed nowhere."));
        bodies.push(ended(turn, TurnStatus::Answered));
    }
    let now = ind("domain", "evil.example.com");
    bodies.push(human(TURN, "and evil.example.com?", &[now]));
    bodies.push(started(TURN));
    let mut state = CaseState::default();
    for (seq, body) in bodies.into_iter().enumerate() {
        state.apply(&Event {
            seq: seq as u64 + 1,
            at_ms: 0,
            body,
        });
    }
    state
}

struct Bench {
    config: Config,
    catalog: Catalog,
    principal: Principal,
    reach: ReachPolicy,
    handles: BTreeMap<String, kit::Indicator>,
    fleet: rmm_analyst::gate::FleetCatalog,
    state: CaseState,
}

impl Bench {
    fn new() -> Self {
        let mut config = Config::default();
        // Room for the case's history, so that the budget is not what every call runs into.
        config.limits.calls_per_case = 10_000;
        let mut reach = ReachPolicy::default();
        reach.allow_nets.push("203.0.113.0/24".parse().unwrap());
        Self {
            catalog: tools::catalog(&config),
            config,
            principal: Principal::owner("anna".to_owned()),
            reach,
            handles: BTreeMap::new(),
            fleet: BTreeMap::new(),
            state: case(),
        }
    }

    fn view(&self) -> View<'_> {
        View {
            state: &self.state,
            turn: TURN,
            limits: &self.config.limits,
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
}

/// A call and what the gate has to say: a bench of something else would show nothing.
#[divan::bench(args = ["permit", "unauthorized", "not-a-tool", "arguments", "reach", "propose"])]
fn one_call(bencher: divan::Bencher<'_, '_>, which: &str) {
    let bench = Bench::new();
    let (name, arguments) = match which {
        "permit" => ("crtsh", r#"{"query":"evil.example.com"}"#),
        "unauthorized" => ("crtsh", r#"{"query":"www.evil.example.com"}"#),
        "not-a-tool" => ("shell", r#"{"query":"evil.example.com"}"#),
        "arguments" => ("crtsh", r#"["evil.example.com"]"#),
        "reach" => ("rdap", r#"{"query":"10.0.0.1"}"#),
        _ => (
            "propose_pivot",
            r#"{"indicator":"203.0.113.150","reason":"seen"}"#,
        ),
    };
    let asked = Asked {
        name: Some(name),
        arguments,
        examined: None,
    };
    let got = match judge(asked, &bench.view()) {
        Verdict::Permit(_) => "permit",
        Verdict::Fleet(_) => "fleet",
        Verdict::Ask(_) => "propose",
        Verdict::Refuse(r) => r.key.name(),
    };
    assert_eq!(got, which);
    bencher.bench_local(|| judge(divan::black_box(asked), &bench.view()));
}
