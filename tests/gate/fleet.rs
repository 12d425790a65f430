//! Fleet calls: the order of the checks, what asks, what runs, and the caps.

use super::bench::Bench;
use kit::tool::{Effect, Examined, FleetTool, ToolSpec};
use proptest::prelude::*;
use rmm_analyst::case::{Body, CallVerdict, ProposalKind, ProposedAction};
use rmm_analyst::gate::{self, Asked, FleetPermit, Key, MORE_TOOLS, Verdict};
use serde_json::json;

fn bench() -> Bench {
    let mut bench = Bench::said("restart nginx on web-01");
    for (name, effect) in [
        ("list_devices", Effect::Read),
        ("restart_service", Effect::Propose),
        ("cancel_job", Effect::Control),
        ("install_patches", Effect::ActOnApproved),
    ] {
        let spec = ToolSpec {
            name: name.into(),
            description: "A tool.".into(),
            parameters: json!({"type": "object", "properties": {}, "additionalProperties": false}),
            effect,
        };
        bench.fleet.insert(
            name.into(),
            FleetTool {
                spec,
                group: "devices",
            },
        );
    }
    bench
}

fn fine(effect: Effect) -> Examined {
    Examined {
        effect,
        access: Ok(()),
        arguments: Ok(json!({"device": "d-1"})),
        scope: Ok(()),
        approved: Ok(()),
    }
}

fn judge(bench: &Bench, name: &str, examined: &Examined) -> Verdict {
    let asked = Asked {
        name: Some(name),
        arguments: "{}",
        examined: Some(examined),
    };
    gate::judge(asked, &bench.view())
}

#[track_caller]
fn permit(verdict: Verdict) -> FleetPermit {
    match verdict {
        Verdict::Fleet(permit) => permit,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(verdict: Verdict) -> Key {
    match verdict {
        Verdict::Refuse(refusal) => refusal.key,
        other => panic!("{other:?}"),
    }
}

fn called(bench: &mut Bench, name: &str, permit: &FleetPermit) {
    let verdict = if permit.asks() {
        CallVerdict::Ask
    } else {
        CallVerdict::Permit
    };
    let n = bench
        .state
        .turn(bench.turn)
        .map_or(1, |t| t.calls.len() as u32 + 1);
    let turn = bench.turn;
    bench.apply(Body::Call {
        turn,
        n,
        tool: super::bench::redacted(name),
        argument: super::bench::redacted("device d-1"),
        subject: None,
        verdict,
        reason: None,
        detail: None,
        charged: true,
        marker: None,
        fingerprint: Some(gate::fleet_call::fingerprint(permit.arguments())),
        arguments: None,
    });
}

fn proposed(bench: &mut Bench, n: u64) {
    let turn = bench.turn;
    bench.apply(Body::ActionProposed {
        action: ProposedAction {
            n,
            turn,
            what: ProposalKind::Job,
            tool: "restart_service".into(),
            title: super::bench::redacted("restart nginx"),
            why: super::bench::redacted(""),
            digest: "00".repeat(32),
            devices: 1,
            count: false,
            expires_ms: 1,
        },
    });
}

#[test]
fn each_effect_goes_its_own_way() {
    let bench = bench();
    assert!(!permit(judge(&bench, "list_devices", &fine(Effect::Read))).asks());
    assert!(permit(judge(&bench, "restart_service", &fine(Effect::Propose))).asks());
    assert!(!permit(judge(&bench, "cancel_job", &fine(Effect::Control))).asks());
    let mut of_another_case = fine(Effect::Control);
    of_another_case.approved = Err("This job belongs to another case.".into());
    assert!(permit(judge(&bench, "cancel_job", &of_another_case)).asks());
    assert!(
        !permit(judge(
            &bench,
            "install_patches",
            &fine(Effect::ActOnApproved)
        ))
        .asks()
    );
    let mut unapproved = fine(Effect::ActOnApproved);
    unapproved.approved = Err("KB1 is not approved.".into());
    assert_eq!(
        refused(judge(&bench, "install_patches", &unapproved)),
        Key::NotApproved
    );
}

#[test]
fn the_checks_stand_in_their_order() {
    let mut bench = bench();
    let mut all_wrong = fine(Effect::ActOnApproved);
    all_wrong.access = Err("No permission.".into());
    all_wrong.arguments = Err("device is missing.".into());
    all_wrong.scope = Err("There is no such device.".into());
    all_wrong.approved = Err("Not approved.".into());
    assert_eq!(
        refused(judge(&bench, "format_disks", &all_wrong)),
        Key::NotATool
    );
    for (key, mend) in [
        (
            Key::Access,
            (|e: &mut Examined| e.access = Ok(())) as fn(&mut Examined),
        ),
        (Key::Arguments, |e| e.arguments = Ok(json!({}))),
        (Key::Scope, |e| e.scope = Ok(())),
        (Key::NotApproved, |e| e.approved = Ok(())),
    ] {
        assert_eq!(refused(judge(&bench, "install_patches", &all_wrong)), key);
        mend(&mut all_wrong);
    }
    permit(judge(&bench, "install_patches", &all_wrong));
    bench.remote = true;
    assert_eq!(
        refused(judge(&bench, "list_devices", &fine(Effect::Read))),
        Key::NotATool
    );
    bench.remote = false;
    bench.limits.calls_per_turn = 0;
    assert_eq!(
        refused(judge(&bench, "list_devices", &fine(Effect::Read))),
        Key::TurnBudget
    );
}

#[test]
fn a_look_up_never_becomes_a_fleet_call_and_the_other_way_round() {
    let bench = bench();
    // A module's name with the fleet's word for it is no fleet tool.
    assert_eq!(
        refused(judge(&bench, "crtsh", &fine(Effect::Read))),
        Key::NotATool
    );
    // A fleet tool that nobody examined is no tool at all.
    bench.refuses("list_devices", "{}", Key::NotATool);
}

#[test]
fn floods_end() {
    let mut bench = bench();
    for _ in 0..2 {
        let p = permit(judge(&bench, "list_devices", &fine(Effect::Read)));
        called(&mut bench, "list_devices", &p);
    }
    assert_eq!(
        refused(judge(&bench, "list_devices", &fine(Effect::Read))),
        Key::Repeated
    );
    let p = permit(judge(&bench, "restart_service", &fine(Effect::Propose)));
    called(&mut bench, "restart_service", &p);
    assert_eq!(
        refused(judge(&bench, "restart_service", &fine(Effect::Propose))),
        Key::Repeated
    );
    let most = bench.limits.proposals_per_turn;
    for n in 0..most {
        proposed(&mut bench, n as u64 + 1);
    }
    let mut another = fine(Effect::Propose);
    another.arguments = Ok(json!({"device": "d-2"}));
    assert_eq!(
        refused(judge(&bench, "restart_service", &another)),
        Key::NotProposed
    );
    // Reading goes on, and so does asking for tools.
    let mut other = fine(Effect::Read);
    other.arguments = Ok(json!({"page": 2}));
    permit(judge(&bench, "list_devices", &other));
    permit(judge(&bench, MORE_TOOLS, &other));
}

fn any_result() -> impl Strategy<Value = Result<(), String>> {
    prop_oneof![Just(Ok(())), Just(Err("No.".to_owned()))]
}

proptest! {
    /// Whatever the fleet says of a call: it runs only if nothing objects, and only reading, stopping one's
    /// own and doing what was approved runs without a person.
    #[test]
    fn nothing_runs_that_something_objects_to(
        effect in prop_oneof![Just(Effect::Read), Just(Effect::Propose), Just(Effect::Control), Just(Effect::ActOnApproved)],
        access in any_result(), arguments in any_result(), scope in any_result(), approved in any_result(),
        name in prop_oneof![Just("list_devices"), Just("cancel_job"), Just("rm"), Just(MORE_TOOLS)],
    ) {
        let bench = bench();
        let examined = Examined { effect, access: access.clone(), arguments: arguments.clone().map(|()| json!({})), scope: scope.clone(), approved: approved.clone() };
        match judge(&bench, name, &examined) {
            Verdict::Fleet(p) => {
                prop_assert!(name != "rm" && access.is_ok() && arguments.is_ok() && scope.is_ok());
                match effect {
                    Effect::Read => prop_assert!(!p.asks()),
                    Effect::Propose => prop_assert!(p.asks()),
                    Effect::Control => prop_assert_eq!(p.asks(), approved.is_err()),
                    Effect::ActOnApproved => prop_assert!(approved.is_ok() && !p.asks()),
                }
            }
            Verdict::Refuse(_) => prop_assert!(
                name == "rm" || access.is_err() || arguments.is_err() || scope.is_err()
                    || (effect == Effect::ActOnApproved && approved.is_err())
            ),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
