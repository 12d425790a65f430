//! The gate: every check has a test that fails when the check is gone, and for any sequence of messages,
//! calls and decisions nothing is permitted that no person authorized.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

#[path = "gate/bench.rs"]
mod bench;
#[path = "gate/fleet.rs"]
mod fleet;

use bench::{Bench, indicator, query, redacted};
use kit::Indicator;
use kit::human::{ReadOptions, Stance, read};
use proptest::prelude::*;
use rmm_analyst::case::{Body, CallVerdict, ProposalState};
use rmm_analyst::config::Config;
use rmm_analyst::gate::{self, Asked, Key, PROPOSE_PIVOT, Verdict};
use rmm_analyst::runner::tools;
use std::collections::BTreeSet;

// ---- one check after the other

#[test]
fn what_a_person_named_is_permitted() {
    let bench = Bench::said("look up kit-panel.shop and 198.51.100.7");
    bench.permits("crtsh", "kit-panel.shop");
    bench.permits("crtsh", "KIT-PANEL[.]shop.");
    bench.permits("abuseipdb", "198.51.100.7");
    bench.permits("abuseipdb", "::ffff:198.51.100.7");
}

#[test]
fn calls_of_a_turn_and_of_a_case_are_counted_apart() {
    let mut bench = Bench::said("look up a.kit-panel.shop b.kit-panel.shop c.kit-panel.shop");
    bench.limits.calls_per_turn = 2;
    bench.limits.calls_per_case = 3;
    for name in ["a", "b"] {
        let verdict = bench.call("crtsh", &query(&format!("{name}.kit-panel.shop")));
        assert!(matches!(verdict, Verdict::Permit(_)));
    }
    bench.refuses("crtsh", &query("c.kit-panel.shop"), Key::TurnBudget);
    // Even a call that is wrong in every other way says so first.
    bench.refuses("nothing", "", Key::TurnBudget);
    bench.human("and c.kit-panel.shop?");
    bench.call("crtsh", &query("c.kit-panel.shop"));
    bench.refuses("crtsh", &query("a.kit-panel.shop"), Key::CaseBudget);
    // A proposal sends nothing: it is possible with a spent budget.
    assert!(matches!(
        bench.judge(PROPOSE_PIVOT, r#"{"indicator":"other.shop","reason":"r"}"#),
        Verdict::Ask(_)
    ));
}

#[test]
fn tools_that_a_model_does_not_have() {
    let mut bench = Bench::said("look up kit-panel.shop");
    for name in [
        "", "CRTSH", " crtsh", "crtsh\0", "@crtsh", "../crtsh", "сrtsh", "lookup", "shell",
    ] {
        bench.refuses(name, &query("kit-panel.shop"), Key::NotATool);
    }
    let nameless = Asked {
        name: None,
        arguments: &query("kit-panel.shop"),
        examined: None,
    };
    assert!(
        matches!(gate::judge(nameless, &bench.view()), Verdict::Refuse(r) if r.key == Key::NotATool)
    );
    // Active: it touches the target, so no model has it, whatever the configuration says.
    bench.refuses("dns", &query("kit-panel.shop"), Key::NotATool);
    bench.tools.get_mut("crtsh").unwrap().allowed = false;
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::NotATool);
    bench.tools.get_mut("crtsh").unwrap().allowed = true;
    bench.tools.get_mut("crtsh").unwrap().enabled = false;
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::NotATool);
    // The case memory stays with models on this machine.
    bench.permits("cases", "kit-panel.shop");
    bench.remote = true;
    bench.refuses("cases", &query("kit-panel.shop"), Key::NotATool);
}

#[test]
fn configuration_only_subtracts() {
    let mut config = Config::default();
    config.ai.modules = vec!["dns".into(), "crtsh".into(), "cases".into()];
    config.ai.blocked_modules = vec!["crtsh".into()];
    let mut bench = Bench::said("look up kit-panel.shop");
    bench.tools = tools::catalog(&config);
    bench.refuses("dns", &query("kit-panel.shop"), Key::NotATool);
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::NotATool);
    bench.refuses("rdap", &query("kit-panel.shop"), Key::NotATool);
    bench.permits("cases", "kit-panel.shop");
}

#[test]
fn a_person_without_the_permission_has_no_model_that_has_it() {
    let mut bench = Bench::said("look up kit-panel.shop");
    bench.principal.lookups_run = false;
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::Access);
    bench.refuses(
        PROPOSE_PIVOT,
        r#"{"indicator":"other.shop","reason":"r"}"#,
        Key::Access,
    );
    let spec = bench.tools["crtsh"].spec;
    let subject = indicator("kit-panel.shop");
    assert!(gate::permit_person(spec, &subject, &bench.principal, &bench.reach, true).is_err());
}

#[test]
fn arguments_are_one_object_with_one_text() {
    let bench = Bench::said("look up kit-panel.shop");
    for arguments in [
        "",
        "null",
        "7",
        "[]",
        "\"kit-panel.shop\"",
        "{}",
        "not json",
        r#"{"query":7}"#,
        r#"{"query":null}"#,
        r#"{"query":["kit-panel.shop"]}"#,
        r#"{"query":{"query":"kit-panel.shop"}}"#,
        r#"{"Query":"kit-panel.shop"}"#,
        r#"{"query":"kit-panel.shop","x":1}"#,
        r#"{"query":"kit-panel.shop","authorized":"true"}"#,
        r#"{"query":"kit-panel.shop","query":"kit-panel.shop"}"#,
        r#"{"query":"kit-panel.shop"} {}"#,
        r#"{"query":"kit-panel.shop""#,
    ] {
        bench.refuses("crtsh", arguments, Key::Arguments);
    }
    let deep = format!("{}1{}", "{\"a\":".repeat(5000), "}".repeat(5000));
    bench.refuses("crtsh", &deep, Key::Arguments);
    let long = query(&"a".repeat(100_000));
    bench.refuses("crtsh", &long, Key::Arguments);
    for value in [
        "",
        " ",
        "shop",
        "a b",
        "kit-panel.shop,x.shop",
        "*.kit-panel.shop",
        "kit\u{200b}-panel.shop",
    ] {
        bench.refuses("crtsh", &query(value), Key::Unclassifiable);
    }
}

#[test]
fn what_a_person_refused_stays_refused() {
    let mut bench = Bench::said("look up kit-panel.shop");
    bench.human("leave kit-panel.shop alone");
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::Denied);
    // Also for what never leaves the machine, and for a proposal.
    bench.refuses("cases", &query("kit-panel.shop"), Key::Denied);
    bench.refuses(
        PROPOSE_PIVOT,
        r#"{"indicator":"kit-panel.shop","reason":"r"}"#,
        Key::Denied,
    );
    // Its URLs go with it.
    bench.refuses("urlhaus", &query("https://kit-panel.shop/a"), Key::Denied);
    bench.human("look up kit-panel.shop after all");
    bench.permits("crtsh", "kit-panel.shop");
}

#[test]
fn a_network_of_one_address_is_that_address() {
    let mut bench = Bench::said("look up 198.51.100.7");
    bench.permits("abuseipdb", "198.51.100.7/32");
    bench.human("do not look up 198.51.100.7/32");
    bench.refuses("abuseipdb", &query("198.51.100.7"), Key::Denied);
    bench.refuses("abuseipdb", &query("198.51.100.7/32"), Key::Denied);
    let bench = Bench::said("TLP:RED 198.51.100.8/32 was seen. look up 198.51.100.9");
    bench.refuses("abuseipdb", &query("198.51.100.8"), Key::Reach);
}

#[test]
fn what_stays_at_home() {
    let bench = Bench::said(
        "look up 10.1.2.3, 203.0.113.5, 198.51.0.0/8, dc01.corp.local and mail.corp.shop",
    );
    for value in ["10.1.2.3", "203.0.113.5"] {
        bench.refuses("abuseipdb", &query(value), Key::Reach);
        bench.permits("special", value);
    }
    for value in ["dc01.corp.local", "mail.corp.shop"] {
        bench.refuses("crtsh", &query(value), Key::Reach);
    }
    let red = Bench::said("what is kit-panel.shop? TLP:RED");
    red.refuses("crtsh", &query("kit-panel.shop"), Key::Reach);
    red.refuses(
        PROPOSE_PIVOT,
        r#"{"indicator":"kit-panel.shop","reason":"r"}"#,
        Key::Reach,
    );
    // A person may go past reach, on their own look-ups only.
    let spec = bench.tools["abuseipdb"].spec;
    let subject = indicator("10.1.2.3");
    assert!(gate::permit_person(spec, &subject, &bench.principal, &bench.reach, false).is_err());
    assert!(gate::permit_person(spec, &subject, &bench.principal, &bench.reach, true).is_ok());
}

#[test]
fn what_nobody_named_is_refused_and_proposed_where_evidence_holds_it() {
    let mut bench = Bench::said("look up kit-panel.shop");
    for value in [
        "other.shop",
        "www.kit-panel.shop",
        "kit-panel.shop.other.shop",
        "kit-pane1.shop",
    ] {
        bench.refuses("crtsh", &query(value), Key::Unauthorized);
    }
    bench.refuses(
        "urlhaus",
        &query("https://kit-panel.shop/"),
        Key::Unauthorized,
    );
    let Verdict::Refuse(r) = bench.judge("crtsh", &query("other.shop")) else {
        panic!()
    };
    assert_eq!(
        (r.found_in, r.subject),
        (None, Some(indicator("other.shop")))
    );
    let verdict = bench.judge("crtsh", &query("kit-panel.shop"));
    let n = bench.state.turn(1).unwrap().calls.len() as u32 + 1;
    assert!(matches!(verdict, Verdict::Permit(_)));
    let turn = bench.turn;
    bench.apply(Body::Call {
        turn,
        n,
        tool: redacted("crtsh"),
        argument: redacted("kit-panel.shop"),
        subject: Some(indicator("kit-panel.shop")),
        verdict: CallVerdict::Permit,
        reason: None,
        detail: None,
        charged: true,
        marker: None,
        fingerprint: None,
        arguments: None,
    });
    bench.done(n, Some(1), &["other.shop"]);
    let Verdict::Refuse(r) = bench.judge("crtsh", &query("other.shop")) else {
        panic!()
    };
    assert_eq!((r.key, r.found_in), (Key::Unauthorized, Some(1)));
}

#[test]
fn the_host_of_a_named_url_by_configuration() {
    let mut bench = Bench::said("look up https://kit-panel.shop/a?b=1");
    bench.permits("crtsh", "kit-panel.shop");
    bench.refuses("crtsh", &query("www.kit-panel.shop"), Key::Unauthorized);
    bench.refuses(
        "urlhaus",
        &query("https://kit-panel.shop/a?b=2"),
        Key::Unauthorized,
    );
    bench.url_host = false;
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::Unauthorized);
    bench.permits("urlhaus", "https://kit-panel.shop/a?b=1");
}

#[test]
fn a_module_gets_the_types_that_it_takes() {
    let bench = Bench::said("look up kit-panel.shop and d41d8cd98f00b204e9800998ecf8427e");
    bench.refuses("abuseipdb", &query("kit-panel.shop"), Key::Type);
    bench.refuses(
        "crtsh",
        &query("d41d8cd98f00b204e9800998ecf8427e"),
        Key::Type,
    );
    let spec = bench.tools["crtsh"].spec;
    let hash = indicator("d41d8cd98f00b204e9800998ecf8427e");
    assert!(gate::permit_person(spec, &hash, &bench.principal, &bench.reach, true).is_err());
}

#[test]
fn the_third_identical_call_is_refused() {
    let mut bench = Bench::said("look up kit-panel.shop");
    for _ in 0..2 {
        assert!(matches!(
            bench.call("crtsh", &query("kit-panel.shop")),
            Verdict::Permit(_)
        ));
    }
    bench.refuses("crtsh", &query("kit-panel[.]shop"), Key::Repeated);
    bench.permits("rdap", "kit-panel.shop");
    bench.human("kit-panel.shop again");
    bench.permits("crtsh", "kit-panel.shop");
}

#[test]
fn refusals_are_capped() {
    let mut bench = Bench::said("look up kit-panel.shop");
    for n in 0..20 {
        bench.call("crtsh", &query(&format!("n{n}.shop")));
    }
    bench.refuses("crtsh", &query("n.shop"), Key::Refusals);
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::Refusals);
    bench.refuses(
        PROPOSE_PIVOT,
        r#"{"indicator":"n.shop","reason":"r"}"#,
        Key::Refusals,
    );
    assert_eq!(bench.state.used, 0);
    bench.human("go on");
    bench.permits("crtsh", "kit-panel.shop");
}

#[test]
fn proposals_are_capped_and_never_of_what_is_settled() {
    let mut bench = Bench::said("look up kit-panel.shop");
    let wish = |v: &str| serde_json::json!({"indicator": v, "reason": "r"}).to_string();
    bench.refuses(PROPOSE_PIVOT, &wish("kit-panel.shop"), Key::NotProposed);
    bench.refuses(PROPOSE_PIVOT, r#"{"indicator":"a.shop"}"#, Key::Arguments);
    bench.refuses(PROPOSE_PIVOT, &wish("a b"), Key::Unclassifiable);
    for n in 0..5 {
        assert!(matches!(
            bench.call(PROPOSE_PIVOT, &wish(&format!("n{n}.shop"))),
            Verdict::Ask(_)
        ));
    }
    bench.refuses(PROPOSE_PIVOT, &wish("n5.shop"), Key::NotProposed);
    bench.human("go on");
    bench.refuses(PROPOSE_PIVOT, &wish("n0.shop"), Key::NotProposed);
    for n in 5..10 {
        assert!(matches!(
            bench.call(PROPOSE_PIVOT, &wish(&format!("n{n}.shop"))),
            Verdict::Ask(_)
        ));
    }
    bench.human("go on");
    bench.refuses(PROPOSE_PIVOT, &wish("n10.shop"), Key::NotProposed);
    bench.decide(1, true);
    bench.permits("crtsh", "n0.shop");
    bench.decide(2, false);
    bench.refuses("crtsh", &query("n1.shop"), Key::Denied);
    let Verdict::Ask(ask) = bench.judge(PROPOSE_PIVOT, &wish("n10.shop")) else {
        panic!("two are decided, so there is room")
    };
    assert!(ask.not_in_evidence);
}

#[test]
fn a_handle_stands_for_its_indicator_and_for_nothing_else() {
    let mut bench = Bench::said("look up https://kit-panel.shop/?token=abc");
    let url = indicator("https://kit-panel.shop/?token=abc");
    bench.handles.insert("I1".into(), url.clone());
    bench.handles.insert("I2".into(), indicator("other.shop"));
    match bench.judge("urlhaus", &query("I1")) {
        Verdict::Permit(p) => assert_eq!(p.subject(), &url),
        other => panic!("{other:?}"),
    }
    bench.refuses("crtsh", &query("I2"), Key::Unauthorized);
    bench.refuses("crtsh", &query("I3"), Key::Unclassifiable);
}

#[test]
fn a_withdrawn_indicator_is_refused() {
    let mut bench = Bench::said("look up kit-panel.shop");
    bench.apply(Body::Revoked {
        indicator: indicator("kit-panel.shop"),
        principal: "analyst".into(),
    });
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::Unauthorized);
}

// ---- any sequence

const POOL: [&str; 7] = [
    "kit-panel.shop",
    "www.kit-panel.shop",
    "https://kit-panel.shop/a",
    "198.51.100.7",
    "10.9.8.7",
    "d41d8cd98f00b204e9800998ecf8427e",
    "other-panel.shop",
];

#[derive(Clone, Debug)]
enum Step {
    Name(usize),
    Refuse(usize),
    Quote(usize),
    Red(usize),
    Call(usize, usize, usize),
    Propose(usize),
    Decide(u64, bool),
    Revoke(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let i = 0..POOL.len();
    prop_oneof![
        2 => i.clone().prop_map(Step::Name),
        1 => i.clone().prop_map(Step::Refuse),
        1 => i.clone().prop_map(Step::Quote),
        1 => i.clone().prop_map(Step::Red),
        8 => (i.clone(), 0_usize..10, 0_usize..6).prop_map(|(i, t, f)| Step::Call(i, t, f)),
        3 => i.clone().prop_map(Step::Propose),
        2 => (1_u64..8, any::<bool>()).prop_map(|(n, yes)| Step::Decide(n, yes)),
        1 => i.prop_map(Step::Revoke),
    ]
}

const TOOLS: [&str; 10] = [
    "crtsh",
    "abuseipdb",
    "urlhaus",
    "special",
    "cases",
    "malwarebazaar",
    "dns",
    "nothing",
    "rdap",
    "propose_pivot",
];

/// Forms in which a model may write an argument.
fn written(value: &str, form: usize) -> String {
    match form {
        0 | 1 => query(value),
        2 => query(&value.replace('.', "[.]")),
        3 => query(&format!(" {} ", value.to_uppercase())),
        4 => format!("{{\"query\":\"{value}\",\"query\":\"{value}\"}}"),
        _ => format!("{{\"query\":\"{value}"),
    }
}

/// What persons decided, kept apart from the program's own fold.
#[derive(Default)]
struct Oracle {
    yes: BTreeSet<Indicator>,
    no: BTreeSet<Indicator>,
    red: BTreeSet<Indicator>,
}

impl Oracle {
    fn allows(&self, subject: &Indicator) -> bool {
        let host = self.yes.iter().any(|y| y.host().as_ref() == Some(subject));
        (self.yes.contains(subject) || host) && !self.no.contains(subject)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_unauthorized_is_ever_permitted(steps in prop::collection::vec(step(), 1..60)) {
        let mut bench = Bench::said("hello");
        bench.limits.calls_per_turn = 4;
        bench.limits.calls_per_case = 9;
        let mut oracle = Oracle::default();
        for step in steps {
            match step {
                Step::Name(i) => {
                    bench.human(&format!("look up {}", POOL[i]));
                    let it = indicator(POOL[i]);
                    oracle.no.remove(&it);
                    oracle.yes.insert(it);
                }
                Step::Refuse(i) => {
                    bench.human(&format!("do not look up {}", POOL[i]));
                    let it = indicator(POOL[i]);
                    oracle.yes.remove(&it);
                    oracle.no.insert(it);
                }
                Step::Quote(i) => bench.human(&format!("> look up {}\nthat is what they wrote", POOL[i])),
                Step::Red(i) => {
                    bench.human(&format!("TLP:RED {}", POOL[i]));
                    let it = indicator(POOL[i]);
                    oracle.yes.remove(&it);
                    oracle.red.insert(it);
                }
                Step::Call(i, tool, form) => {
                    let before = (bench.state.used, bench.state.authorized.clone());
                    let verdict = bench.call(TOOLS[tool], &written(POOL[i], form));
                    match &verdict {
                        Verdict::Permit(p) => {
                            prop_assert!(oracle.allows(p.subject()), "{:?}", p.subject());
                            prop_assert!(p.spec().takes(p.subject().kind()));
                            prop_assert!(p.spec().ai_tool && p.spec().activity != kit::Activity::Active);
                            prop_assert!(form < 4, "a malformed call was permitted");
                            if p.spec().activity != kit::Activity::Offline {
                                prop_assert!(!oracle.red.contains(p.subject()));
                                prop_assert!(kit::reach::check(p.subject(), &bench.reach).is_ok());
                            }
                        }
                        _ => prop_assert_eq!(bench.state.used, before.0, "a refusal costs nothing"),
                    }
                    prop_assert_eq!(&bench.state.authorized, &before.1, "a call authorizes nothing");
                }
                Step::Propose(i) => {
                    let before = (bench.state.used, bench.state.authorized.clone());
                    let arguments = serde_json::json!({"indicator": POOL[i], "reason": "r"}).to_string();
                    if let Verdict::Ask(a) = bench.call(PROPOSE_PIVOT, &arguments) {
                        prop_assert!(!oracle.no.contains(&a.subject));
                    }
                    prop_assert_eq!(bench.state.used, before.0);
                    prop_assert_eq!(&bench.state.authorized, &before.1);
                }
                Step::Decide(n, yes) => {
                    let open = bench.state.proposals.get(&n).filter(|p| p.state == ProposalState::Open).map(|p| p.indicator.clone());
                    bench.decide(n, yes);
                    if let Some(it) = open {
                        if yes {
                            oracle.no.remove(&it);
                            oracle.yes.insert(it);
                        } else {
                            oracle.yes.remove(&it);
                            oracle.no.insert(it);
                        }
                    }
                }
                Step::Revoke(i) => {
                    let it = indicator(POOL[i]);
                    oracle.yes.remove(&it);
                    bench.apply(Body::Revoked { indicator: it, principal: "analyst".into() });
                }
            }
            prop_assert!(bench.state.used <= 9);
            prop_assert!(bench.state.used_in_turn(bench.turn) <= 4);
            prop_assert!(bench.state.open_proposals().count() <= 10);
        }
    }

    #[test]
    fn no_bytes_make_the_gate_panic_or_permit(name in any::<String>(), arguments in any::<String>()) {
        let bench = Bench::said("look up kit-panel.shop");
        let verdict = bench.judge(&name, &arguments);
        prop_assert!(matches!(verdict, Verdict::Refuse(_)));
        let verdict = bench.judge("crtsh", &arguments);
        prop_assert!(matches!(verdict, Verdict::Refuse(_)));
        if let Verdict::Permit(p) = bench.judge("crtsh", &query(&arguments)) {
            prop_assert_eq!(p.subject(), &indicator("kit-panel.shop"));
        }
    }

    #[test]
    fn a_message_that_only_quotes_authorizes_nothing(i in 0..POOL.len(), quote in prop::sample::select(vec!["> ", ">> ", "> > "])) {
        let reading = read(&format!("{quote}please look up {}", POOL[i]), &ReadOptions::default());
        prop_assert!(reading.mentions.iter().all(|m| m.stance != Stance::Authorize));
    }
}

#[test]
fn what_was_taken_back_is_refused_even_as_the_host_of_a_url() {
    let mut bench = Bench::said("look at https://kit-panel.shop/a and 198.51.100.7");
    bench.revoke("kit-panel.shop");
    bench.refuses("crtsh", &query("kit-panel.shop"), Key::Unauthorized);
    bench.revoke("198.51.100.7/32");
    bench.refuses("abuseipdb", &query("198.51.100.7"), Key::Unauthorized);
    bench.human("do look up kit-panel.shop");
    bench.permits("crtsh", "kit-panel.shop");
}
