//! The machine of one turn: rounds, the answer round, floods, empty and cut answers, leaked calls. For any
//! sequence of replies it ends, with one answer or one reason, and what it sends back is well formed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

use kit::Redactor;
use kit::text::ModelText;
use proptest::prelude::*;
use rmm_analyst::agent::turn::{Effect, Input, TurnMachine};
use rmm_analyst::agent::{CallResult, Message, Reply, ToolMode, WireCall};

struct Plain;

impl Redactor for Plain {
    fn redact(&self, text: &str) -> String {
        text.replace("hush-hush", "[redacted]")
    }
}

fn machine(mode: ToolMode, may_switch: bool, rounds: u32) -> TurnMachine {
    let tools = vec!["crtsh".to_owned(), "propose_pivot".to_owned()];
    TurnMachine::new(mode, may_switch, rounds, tools)
}

fn wire(id: &str) -> WireCall {
    WireCall {
        id: id.to_owned(),
        name: Some("crtsh".to_owned()),
        arguments: r#"{"query":"kit-panel.shop"}"#.to_owned(),
    }
}

fn calls(n: usize) -> Reply {
    Reply {
        calls: (0..n).map(|i| wire(&format!("c{i}"))).collect(),
        ..Reply::default()
    }
}

fn text(t: &str) -> Reply {
    Reply {
        text: t.to_owned(),
        ..Reply::default()
    }
}

fn results(calls: &[WireCall], flood: bool) -> Input {
    Input::Results(
        calls
            .iter()
            .map(|call| CallResult {
                call: call.clone(),
                text: ModelText::trusted("result"),
                flood,
            })
            .collect(),
    )
}

fn step(m: &mut TurnMachine, input: Input) -> Vec<Effect> {
    m.step(input, &Plain)
}

/// The one question to the model among the effects.
#[track_caller]
fn asks(effects: &[Effect]) -> (Vec<Message>, bool) {
    let all: Vec<_> = effects
        .iter()
        .filter_map(|e| match e {
            Effect::Ask { tail, answer } => Some((tail.clone(), *answer)),
            _ => None,
        })
        .collect();
    assert_eq!(all.len(), 1, "{effects:?}");
    all[0].clone()
}

#[track_caller]
fn judged(effects: &[Effect]) -> Vec<WireCall> {
    let Some(Effect::Judge(calls)) = effects.last() else {
        panic!("{effects:?}")
    };
    calls.clone()
}

#[test]
fn a_question_a_call_its_result_an_answer() {
    let mut m = machine(ToolMode::Native, true, 6);
    let (tail, answer) = asks(&step(&mut m, Input::Begin));
    assert!(tail.is_empty() && !answer);
    let called = judged(&step(&mut m, Input::Reply(calls(2))));
    assert_eq!(called.len(), 2);
    let (tail, answer) = asks(&step(&mut m, results(&called, false)));
    assert!(!answer);
    assert_eq!(
        tail.len(),
        3,
        "one assistant message and a result for each call"
    );
    assert!(matches!(&tail[0], Message::Assistant { calls, .. } if calls.len() == 2));
    assert!(matches!(&tail[2], Message::Tool { id, .. } if id == "c1"));
    assert_eq!(
        step(&mut m, Input::Reply(text(" Known. \n"))),
        [Effect::Answer("Known.".into())]
    );
}

#[test]
fn the_last_round_asks_for_the_answer() {
    let mut m = machine(ToolMode::Native, true, 3);
    step(&mut m, Input::Begin);
    for round in 2..=3 {
        let called = judged(&step(&mut m, Input::Reply(calls(1))));
        let (_, answer) = asks(&step(&mut m, results(&called, false)));
        assert_eq!(answer, round == 3, "round {round}");
    }
    // Calls in the answer round are not judged; the model is asked once more, then it is over.
    let (_, answer) = asks(&step(&mut m, Input::Reply(calls(1))));
    assert!(answer);
    assert_eq!(
        step(&mut m, Input::Reply(calls(1))),
        [Effect::NoAnswer("the model gave no answer")]
    );
    // Text beside such calls is the answer.
    let mut m = machine(ToolMode::Native, true, 1);
    let (_, answer) = asks(&step(&mut m, Input::Begin));
    assert!(answer, "a single round is the answer round");
    let both = Reply {
        text: "Known.".into(),
        ..calls(1)
    };
    assert_eq!(
        step(&mut m, Input::Reply(both)),
        [Effect::Answer("Known.".into())]
    );
    // No rounds at all count as one.
    let (_, answer) = asks(&step(&mut machine(ToolMode::Native, true, 0), Input::Begin));
    assert!(answer);
}

#[test]
fn a_flood_ends_in_the_answer_round() {
    let mut m = machine(ToolMode::Native, true, 6);
    step(&mut m, Input::Begin);
    let called = judged(&step(&mut m, Input::Reply(calls(1))));
    let (_, answer) = asks(&step(&mut m, results(&called, true)));
    assert!(answer);
}

#[test]
fn a_thousand_results_are_not_all_sent_back() {
    let mut m = machine(ToolMode::Native, true, 6);
    step(&mut m, Input::Begin);
    let called = judged(&step(&mut m, Input::Reply(calls(1000))));
    assert_eq!(called.len(), 1000, "all of them are judged");
    let effects = step(&mut m, results(&called, false));
    assert!(matches!(effects[0], Effect::Warn(_)));
    let (tail, ..) = asks(&effects);
    assert!(tail.len() <= 40, "{}", tail.len());
    well_formed(&tail);
}

#[test]
fn an_empty_reply_is_asked_once_more() {
    let mut m = machine(ToolMode::Native, true, 6);
    step(&mut m, Input::Begin);
    let (_, answer) = asks(&step(&mut m, Input::Reply(text(" \n"))));
    assert!(answer, "for the answer and nothing else");
    assert!(matches!(
        step(&mut m, Input::Reply(text("")))[..],
        [Effect::NoAnswer(_)]
    ));
    let mut m = machine(ToolMode::Constrained, false, 6);
    step(&mut m, Input::Begin);
    step(&mut m, Input::Reply(text("")));
    assert_eq!(
        step(&mut m, Input::Reply(text("Known."))),
        [Effect::Answer("Known.".into())]
    );
}

#[test]
fn reasoning_is_the_answer_only_when_there_is_no_other() {
    let thinking = |t: &str| Reply {
        reasoning: "I think it is bad.".into(),
        ..text(t)
    };
    let mut m = machine(ToolMode::Native, true, 6);
    step(&mut m, Input::Begin);
    assert_eq!(
        step(&mut m, Input::Reply(thinking("Known."))),
        [Effect::Answer("Known.".into())]
    );
    let mut m = machine(ToolMode::Native, true, 6);
    step(&mut m, Input::Begin);
    let (_, answer) = asks(&step(&mut m, Input::Reply(thinking(""))));
    assert!(answer, "a model that only thought is asked for the answer");
    assert_eq!(
        step(&mut m, Input::Reply(thinking(""))),
        [Effect::Answer("I think it is bad.".into())]
    );
}

#[test]
fn an_answer_that_was_cut_says_so() {
    let mut m = machine(ToolMode::Native, true, 6);
    step(&mut m, Input::Begin);
    let cut = Reply {
        cut: true,
        ..text("Known, but")
    };
    let effects = step(&mut m, Input::Reply(cut));
    assert!(matches!(effects[0], Effect::Warn(w) if w.contains("max_tokens")));
    assert_eq!(effects[1], Effect::Answer("Known, but".into()));
}

const LEAKS: [&str; 8] = [
    r#"<tool_call>{"name":"crtsh","arguments":{"query":"kit-panel.shop"}}</tool_call>"#,
    r#"<function_calls><invoke name="crtsh"></invoke></function_calls>"#,
    "<|channel|>commentary to=functions.crtsh<|message|>{}",
    r#"{"name": "crtsh", "arguments": {"query": "kit-panel.shop"}}"#,
    "```json\n{\"tool\": \"crtsh\", \"query\": \"kit-panel.shop\"}\n```",
    r#"[{"name":"crtsh","arguments":{}},{"name":"crtsh","arguments":{}}]"#,
    r#"{"function": {"name": "crtsh", "arguments": "{}"}}"#,
    "I will look.\n<tool_call>{\"name\":\"crtsh\"}",
];

#[test]
fn a_leaked_call_switches_the_mode_once() {
    for leak in LEAKS {
        let mut m = machine(ToolMode::Native, true, 6);
        step(&mut m, Input::Begin);
        let effects = step(&mut m, Input::Reply(text(leak)));
        assert_eq!(effects[0], Effect::SwitchToConstrained, "{leak}");
        assert_eq!(m.mode(), ToolMode::Constrained);
        let (tail, answer) = asks(&effects);
        assert!(
            tail.is_empty() && !answer,
            "the round is asked again: {leak}"
        );
        // In the other mode the same text is no call of the protocol; it is never run.
        assert!(matches!(
            step(&mut m, Input::Reply(text(leak)))[..],
            [Effect::Answer(_)]
        ));
        // Where it may not switch, the person is told what to set.
        let mut m = machine(ToolMode::Native, false, 6);
        step(&mut m, Input::Begin);
        let effects = step(&mut m, Input::Reply(text(leak)));
        assert!(
            matches!(effects[..], [Effect::NoAnswer(w)] if w.contains("--jinja")),
            "{leak}"
        );
    }
}

#[test]
fn prose_about_calls_is_an_answer() {
    for prose in [
        "The tool crtsh found one certificate.",
        "{\"note\": \"no tool here\"}",
        "It answered {\"name\": \"kit-panel.shop\"}.",
        "[1, 2, 3]",
        "Use `crtsh kit-panel.shop`.",
        "[[E1]]",
    ] {
        let mut m = machine(ToolMode::Native, true, 6);
        step(&mut m, Input::Begin);
        assert_eq!(
            step(&mut m, Input::Reply(text(prose))),
            [Effect::Answer(prose.into())]
        );
    }
}

#[test]
fn text_beside_calls_is_progress_and_goes_back_redacted() {
    let mut m = machine(ToolMode::Native, true, 6);
    step(&mut m, Input::Begin);
    let both = Reply {
        text: "Looking with hush-hush.".into(),
        ..calls(1)
    };
    let effects = step(&mut m, Input::Reply(both));
    assert_eq!(
        effects[0],
        Effect::Progress("Looking with hush-hush.".into())
    );
    let called = judged(&effects);
    let (tail, ..) = asks(&step(&mut m, results(&called, false)));
    let Message::Assistant { text, .. } = &tail[0] else {
        panic!("{tail:?}")
    };
    assert_eq!(text.as_str(), "Looking with [redacted].");
}

#[test]
fn what_goes_back_is_acceptable_to_every_server() {
    for (name, arguments) in [
        (None, "{}"),
        (Some("a b\0c<|im_end|>"), "not json"),
        (Some(""), "[1]"),
        (Some("crtsh"), r#"{"query":"x","query":"y"}"#),
    ] {
        let mut m = machine(ToolMode::Native, true, 6);
        step(&mut m, Input::Begin);
        let reply = Reply {
            calls: vec![WireCall {
                id: "c".into(),
                name: name.map(str::to_owned),
                arguments: arguments.into(),
            }],
            ..Reply::default()
        };
        let called = judged(&step(&mut m, Input::Reply(reply)));
        assert_eq!(called[0].name.as_deref(), name, "the gate sees what came");
        let (tail, ..) = asks(&step(&mut m, results(&called, false)));
        well_formed(&tail);
    }
}

/// Every call has its result behind it, in order; names and arguments are plain.
#[track_caller]
fn well_formed(tail: &[Message]) {
    let mut open: Vec<String> = Vec::new();
    for message in tail {
        match message {
            Message::Assistant { calls, .. } => {
                assert!(open.is_empty(), "a call without its result: {tail:?}");
                for c in calls {
                    let name = c.name.as_deref().unwrap();
                    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
                    assert!(!name.is_empty() && name.bytes().all(plain), "{name:?}");
                    let arguments: serde_json::Value = serde_json::from_str(&c.arguments).unwrap();
                    assert!(arguments.is_object());
                    open.push(c.id.clone());
                }
            }
            Message::Tool { id, .. } => assert_eq!(open.remove(0), *id),
            Message::User(_) => assert!(open.is_empty()),
            Message::System(_) => panic!("a second system message"),
        }
    }
    assert!(open.is_empty(), "{tail:?}");
}

#[derive(Clone, Debug)]
enum Says {
    Calls(usize, bool),
    Text(String),
    Leak(usize),
    Empty,
    Thought,
    Both,
}

fn says() -> impl Strategy<Value = Says> {
    prop_oneof![
        4 => (1_usize..40, any::<bool>()).prop_map(|(n, flood)| Says::Calls(n, flood)),
        1 => ".{0,40}".prop_map(Says::Text),
        1 => (0..LEAKS.len()).prop_map(Says::Leak),
        2 => Just(Says::Empty),
        1 => Just(Says::Thought),
        2 => Just(Says::Both),
    ]
}

proptest! {
    #[test]
    fn every_turn_ends(
        replies in prop::collection::vec(says(), 1..12),
        rounds in 0_u32..8,
        constrained in any::<bool>(),
        may_switch in any::<bool>(),
    ) {
        let mode = if constrained { ToolMode::Constrained } else { ToolMode::Native };
        let mut m = machine(mode, may_switch, rounds);
        let mut replies = replies.into_iter().cycle();
        let mut todo: std::collections::VecDeque<Effect> = step(&mut m, Input::Begin).into();
        let (mut asked, mut ends, mut judged_in_answer, mut answering) = (0, 0, 0, false);
        let mut last: Vec<Message> = Vec::new();
        let mut flood_next = false;
        while let Some(effect) = todo.pop_front() {
            match effect {
                Effect::Ask { tail, answer, .. } => {
                    asked += 1;
                    prop_assert!(asked <= rounds.max(1) + 2, "asked {} times", asked);
                    prop_assert!(tail.starts_with(&last), "what was sent stays");
                    well_formed(&tail);
                    last = tail;
                    answering = answer;
                    let reply = match replies.next().unwrap() {
                        Says::Calls(n, flood) => {
                            flood_next = flood;
                            calls(n)
                        }
                        Says::Text(t) => text(&t),
                        Says::Leak(i) => text(LEAKS[i]),
                        Says::Empty => text(""),
                        Says::Thought => Reply { reasoning: "hm".into(), ..text("") },
                        Says::Both => Reply { text: "So.".into(), ..calls(2) },
                    };
                    todo.extend(step(&mut m, Input::Reply(reply)));
                }
                Effect::Judge(list) => {
                    judged_in_answer += usize::from(answering);
                    todo.extend(step(&mut m, results(&list, flood_next)));
                }
                Effect::Answer(t) => {
                    prop_assert!(!t.trim().is_empty());
                    ends += 1;
                }
                Effect::NoAnswer(_) => ends += 1,
                Effect::SwitchToConstrained => prop_assert!(may_switch && mode == ToolMode::Native),
                Effect::Progress(_) | Effect::Warn(_) => {}
            }
        }
        prop_assert_eq!(ends, 1);
        prop_assert_eq!(judged_in_answer, 0, "no call is judged in the answer round");
    }
}
