//! Answers of a model against the evidence of a case: what is marked though it is grounded, and what is not
//! marked though it is not. Two sets: `answers.jsonl` was at hand while the rules were written,
//! `heldout.jsonl` was written afterwards. Prints its scores; `docs/grounding.md` quotes them.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "helpers of tests fail like tests, and scores are printed"
)]

use kit::extract::extract;
use kit::indicator::Indicator;
use kit::outcome::Verdict;
use kit::text::{Redacted, Redactor, Untrusted};
use rmm_analyst::agent::grounding::{Evidence, Piece, places, unsupported};
use rmm_analyst::agent::planner::{Looked, ROWS, compose};
use rmm_analyst::case::{Attachment, Call, CallVerdict, CaseState, Marked, Status, Turn};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Case {
    case: String,
    human: String,
    #[serde(default)]
    attachment: Option<String>,
    calls: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    tool: String,
    subject: String,
    status: Status,
    #[serde(default)]
    detail: Option<String>,
    #[serde(default)]
    verdict: Option<Verdict>,
    #[serde(default)]
    basis: String,
    #[serde(default)]
    columns: Vec<String>,
    #[serde(default)]
    rows: Vec<Vec<String>>,
    #[serde(default)]
    raw: String,
    #[serde(default)]
    total_rows: Option<u64>,
    #[serde(default)]
    source_url: String,
}

#[derive(Deserialize)]
struct Answer {
    id: String,
    case: String,
    answer: String,
    marks: Vec<String>,
}

struct Plain;

impl Redactor for Plain {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

fn redacted(text: &str) -> Redacted {
    Untrusted::new(text.to_owned()).redact(&Plain)
}

fn lines<T: for<'d> Deserialize<'d>>(name: &str) -> Vec<T> {
    let path = format!(
        "{}/tests/fixtures/grounding/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn one(text: &str) -> Indicator {
    extract(text).into_iter().next().unwrap().indicator
}

/// The state and evidence that a turn with these look-ups leaves behind.
fn fold(case: &Case) -> (CaseState, Evidence) {
    let mut state = CaseState::default();
    let mut turn = Turn {
        n: 1,
        root: 1,
        at_ms: 1_796_000_000_000,
        text: redacted(&case.human),
        ..Turn::default()
    };
    state
        .said
        .extend(extract(&case.human).into_iter().map(|f| f.indicator));
    if let Some(text) = &case.attachment {
        turn.attachments.push(Attachment {
            name: "stdin".into(),
            text: redacted(text),
            bytes: text.len() as u64,
            sha256: String::new(),
            mentioned: extract(text).into_iter().map(|f| f.indicator).collect(),
        });
    }
    let mut pieces = Vec::new();
    for (i, a) in case.calls.iter().enumerate() {
        let n = u32::try_from(i + 1).unwrap();
        let kept = a.status != Status::CouldNotLook;
        turn.calls.push(Call {
            n,
            tool: redacted(&a.tool),
            argument: redacted(&a.subject),
            subject: Some(one(&a.subject)),
            verdict: CallVerdict::Permit,
            reason: None,
            detail: a.detail.clone(),
            fingerprint: None,
            arguments: None,
            charged: true,
            status: Some(a.status),
            evidence: kept.then_some(n),
            source_verdict: a.verdict,
            age_s: 0,
            ms: 1,
        });
        if kept {
            let notes = format!("{}\n{}\n{}", a.basis, a.columns.join("\n"), a.source_url);
            pieces.push(Piece {
                n,
                turn: 1,
                tool: a.tool.clone(),
                subject: Some(one(&a.subject)),
                status: a.status,
                verdict: a.verdict,
                notes,
                rows: a.rows.clone(),
                total_rows: a.total_rows,
                raw: a.raw.clone(),
            });
        }
    }
    state.turns.push(turn);
    (state, Evidence::new(pieces))
}

#[derive(Default, Debug)]
struct Score {
    grounded: usize,
    false_alarms: usize,
    claims: usize,
    missed: usize,
    answers_with_claims: usize,
    extra: usize,
}

fn score(name: &str) -> Score {
    let cases: BTreeMap<String, (CaseState, Evidence)> = lines::<Case>("evidence.jsonl")
        .iter()
        .map(|c| (c.case.clone(), fold(c)))
        .collect();
    let mut s = Score::default();
    for a in lines::<Answer>(name) {
        let (state, evidence) = &cases[&a.case];
        let got = unsupported(&a.answer, state, 1, evidence);
        for m in &got {
            assert!(
                a.answer.contains(&m.text),
                "{}: {:?} is not in the answer",
                a.id,
                m.text
            );
        }
        let meets = |want: &str, m: &Marked| m.text.contains(want) || want.contains(&m.text);
        if a.marks.is_empty() {
            s.grounded += 1;
            if !got.is_empty() {
                s.false_alarms += 1;
                println!("FALSE ALARM {} {got:?}\n   {}", a.id, a.answer);
            }
            continue;
        }
        s.answers_with_claims += 1;
        for want in &a.marks {
            s.claims += 1;
            if !got.iter().any(|m| meets(want, m)) {
                s.missed += 1;
                println!("MISSED {} {want:?}, got {got:?}\n   {}", a.id, a.answer);
            }
        }
        for m in got.iter().filter(|m| !a.marks.iter().any(|w| meets(w, m))) {
            s.extra += 1;
            println!("EXTRA {} {m:?}\n   {}", a.id, a.answer);
        }
    }
    let rate = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    println!(
        "{name}: {} grounded answers, {} marked ({:.1} %); {} wrong claims in {} answers, {} missed ({:.1} %); {} other marks in those",
        s.grounded,
        s.false_alarms,
        rate(s.false_alarms, s.grounded),
        s.claims,
        s.answers_with_claims,
        s.missed,
        rate(s.missed, s.claims),
        s.extra,
    );
    s
}

fn holds(s: &Score) {
    assert!(
        s.false_alarms * 20 <= s.grounded,
        "more than 5 % false alarms: {s:?}"
    );
    assert!(s.missed * 10 <= s.claims, "more than 10 % missed: {s:?}");
    assert!(
        s.extra * 20 <= s.claims,
        "marks beside the wrong claims: {s:?}"
    );
}

#[test]
fn answers_known_while_the_rules_were_written() {
    let s = score("answers.jsonl");
    assert!(s.grounded >= 40 && s.answers_with_claims >= 40, "{s:?}");
    holds(&s);
}

#[test]
fn answers_written_after_the_rules() {
    let s = score("heldout.jsonl");
    assert!(s.grounded >= 20 && s.answers_with_claims >= 20, "{s:?}");
    holds(&s);
}

#[test]
fn answers_written_after_the_second_look() {
    let s = score("third.jsonl");
    assert!(s.grounded >= 20 && s.answers_with_claims >= 20, "{s:?}");
    holds(&s);
}

#[test]
fn answers_written_last() {
    let s = score("fourth.jsonl");
    assert!(s.grounded >= 12 && s.answers_with_claims >= 12, "{s:?}");
    holds(&s);
}

/// The answer that the program itself composes without a model is grounded by construction.
#[test]
fn rule_based_answers_are_never_marked() {
    for case in lines::<Case>("evidence.jsonl") {
        let looked: Vec<Looked> = case
            .calls
            .iter()
            .zip(1..)
            .map(|(a, n)| Looked {
                tool: a.tool.clone(),
                subject: one(&a.subject),
                status: Some(a.status),
                detail: a.detail.clone(),
                evidence: (a.status != Status::CouldNotLook).then_some(n),
                verdict: a.verdict.map(|v| (v, a.basis.clone())),
                columns: a.columns.clone(),
                first: a.rows.iter().take(ROWS).cloned().collect(),
                rows: a.rows.len() as u64,
            })
            .collect();
        let (state, evidence) = fold(&case);
        let answer = compose(&looked, &[], false);
        assert_eq!(unsupported(&answer, &state, 1, &evidence), [], "{answer}");
    }
}

#[test]
fn places_are_in_order_and_do_not_overlap() {
    let mark = |text: &str| Marked {
        text: text.into(),
        why: "x".into(),
    };
    let marks = [mark("37 times"), mark("evil.example.net"), mark("7")];
    let text = "Seen 37 times at evil.example.net, 7 hosts; not 137 times.";
    let got: Vec<&str> = places(text, &marks)
        .iter()
        .map(|p| &text[p.0..p.1])
        .collect();
    assert_eq!(got, ["37 times", "evil.example.net", "7"]);
    let text = "Ports 10.7.0.1, 1,7 and 7.";
    let got: Vec<usize> = places(text, &marks).iter().map(|p| p.0).collect();
    assert_eq!(got, [24]);
}
