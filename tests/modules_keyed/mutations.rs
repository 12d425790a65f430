//! No change of an answer, and no bytes, break a reader.

use super::*;
use kit::ports::{Fut, HttpError, HttpPort, HttpRequest, HttpResponse};
use proptest::prelude::*;
use rmm_analyst::redact::Redact;
use rmm_analyst::runner::StoredOutcome;
use serde_json::Value;

/// Answers every request with the same bytes: here the readers are under test, not the wire.
struct Canned(Vec<u8>);

impl HttpPort for Canned {
    fn send<'a>(&'a self, _request: HttpRequest) -> Fut<'a, Result<HttpResponse, HttpError>> {
        Box::pin(async {
            Ok(HttpResponse {
                status: 200,
                headers: Vec::new(),
                body: self.0.clone(),
            })
        })
    }
}

fn read(case: &Case, body: Vec<u8>) {
    let http = Canned(body);
    let key = SecretString::from(KEY);
    let subject = case.subject();
    let cx = context(&http, "http://127.0.0.1:1", Some(&key));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let outcome = runtime.block_on(module(case.name).lookup(&subject, &cx));
    no_key_in(&outcome, case.name);
    if let Outcome::Found(r) = &outcome {
        assert!(!r.table.rows.is_empty() && r.table.rows.len() <= 50);
        assert!(
            r.table
                .rows
                .iter()
                .all(|row| row.len() == r.table.columns.len())
        );
        let stored = StoredOutcome::redact(&outcome, &Redact::default());
        let fits = |c: &kit::Redacted| c.as_str().chars().count() <= 501 + 40;
        assert!(stored.rows.iter().flatten().all(fits));
        assert!(r.source_url.starts_with("https://") && r.verdict_basis.len() < 300);
        if let Some(date) = &r.source_date {
            assert!(date.parse::<jiff::Timestamp>().is_ok(), "{date}");
        }
    }
}

/// Any JSON, with the key among its strings.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(Value::from(KEY)),
        Just(Value::from("a".repeat(2_000))),
        Just(Value::from("\u{1b}[2J\u{202e}")),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{1,8}", inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Puts `new` at the place that the steps lead to; an odd last step takes the place away instead.
fn mutate(value: &mut Value, steps: &[usize], new: &Value) {
    let Some((first, rest)) = steps.split_first() else {
        *value = new.clone();
        return;
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let at = first % items.len();
            match items.get_mut(at) {
                Some(item) if !rest.is_empty() || first % 2 == 0 => mutate(item, rest, new),
                _ => {
                    items.remove(at);
                }
            }
        }
        Value::Object(map) if !map.is_empty() => {
            let name = map
                .keys()
                .nth(first % map.len())
                .cloned()
                .unwrap_or_default();
            match map.get_mut(&name) {
                Some(item) if !rest.is_empty() || first % 2 == 0 => mutate(item, rest, new),
                _ => {
                    map.remove(&name);
                }
            }
        }
        _ => *value = new.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_change_of_an_answer_breaks_a_reader(
        which in 0..CASES.len(),
        changes in prop::collection::vec((prop::collection::vec(any::<usize>(), 0..5), any_value()), 1..6),
    ) {
        let case = &CASES[which];
        let text = case.body(case.found);
        let mut lines: Vec<Value> = if case.name == "circlpdns" {
            text.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).expect("JSON")).collect()
        } else {
            vec![serde_json::from_slice(&text).expect("JSON")]
        };
        for (steps, new) in &changes {
            let at = steps.first().copied().unwrap_or(0) % lines.len();
            mutate(&mut lines[at], steps, new);
        }
        let body: Vec<String> = lines.iter().map(Value::to_string).collect();
        read(case, body.join("\n").into_bytes());
    }

    #[test]
    fn no_bytes_break_a_reader(which in 0..CASES.len(), cut in any::<prop::sample::Index>(), noise in prop::collection::vec(any::<u8>(), 0..40)) {
        let case = &CASES[which];
        let mut body = case.body(case.found);
        let at = cut.index(body.len());
        let end = (at + noise.len()).min(body.len());
        body.splice(at..end, noise);
        read(case, body);
    }
}
