//! The shared cases with right answers, and the score that the issue asks for.

use rmm_analyst::redact::Redact;
use serde_json::Value;

#[path = "support/scores.rs"]
mod scores;

#[cfg(test)]
mod read {
    use serde_json::Value;

    pub(super) fn lines(text: &str) -> Vec<Value> {
        text.lines()
            .filter(|l| !l.trim().is_empty())
            .map(|l| serde_json::from_str(l).expect("a JSON object a line"))
            .collect()
    }
}

use read::lines;

fn strings(v: &Value) -> Vec<String> {
    v.as_array()
        .map(|a| {
            a.iter()
                .filter_map(|s| s.as_str().map(str::to_owned))
                .collect()
        })
        .unwrap_or_default()
}

#[test]
fn shared_cases_reach_the_targets() {
    let redact = Redact::default();
    let (mut redacted, mut must, mut kept, mut keep, mut neighbours) = (0, 0, 0, 0, 0);
    for case in lines(include_str!("fixtures/redact/redact.jsonl")) {
        let text = case["text"].as_str().expect("text");
        let id = case["id"].as_str().expect("id");
        let (out, _) = redact.redact_counted(text);
        assert_eq!(redact.redact_counted(&out).0, out, "{id} is not stable");
        if case["optional"].as_bool().unwrap_or(false) {
            // Not scored.
            continue;
        }
        let lost: Vec<String> = strings(&case["keep"])
            .into_iter()
            .filter(|k| !out.contains(k.as_str()))
            .collect();
        if case["must"] == "redact" {
            let left: Vec<String> = strings(&case["secret"])
                .into_iter()
                .filter(|s| out.contains(s.as_str()))
                .collect();
            if left.is_empty() {
                redacted += 1;
            } else {
                println!("MISS {id}: {left:?}\n  {text}\n  {out}");
            }
            must += 1;
            if !lost.is_empty() {
                neighbours += 1;
                println!("LOST {id}: {lost:?}\n  {text}\n  {out}");
            }
        } else {
            keep += 1;
            if out == text {
                kept += 1;
            } else {
                println!("CHANGED {id}:\n  {text}\n  {out}");
            }
        }
    }
    scores::write(
        "redact",
        &format!(
            "Redaction: must-redact {redacted}/{must}, must-keep {kept}/{keep}, neighbours lost {neighbours}"
        ),
    );
    assert!(redacted * 100 >= must * 96, "must-redact {redacted}/{must}");
    assert!(kept * 100 >= keep * 98, "must-keep {kept}/{keep}");
    assert_eq!(neighbours, 0);
}

/// The peer's cases. Those about tags and template tokens belong to `ModelText`, not to redaction.
#[test]
fn peer_cases_reach_the_target() {
    let redact = Redact::default();
    let (mut right, mut all) = (0, 0);
    for case in lines(include_str!("fixtures/redact/peer.jsonl")) {
        let text = case["input"].as_str().expect("input");
        let gone = strings(&case["expected"]["must_not_contain"]);
        if gone.iter().any(|g| g.starts_with('<')) {
            continue;
        }
        let (out, _) = redact.redact_counted(text);
        let ok = gone.iter().all(|g| !out.contains(g.as_str()))
            && strings(&case["expected"]["must_contain"])
                .iter()
                .all(|k| out.contains(k.as_str()));
        all += 1;
        right += usize::from(ok);
        if !ok {
            println!("WRONG {}\n  {text}\n  {out}", case["why"]);
        }
    }
    scores::write(
        "redact-peer",
        &format!("Redaction, peer's lines: {right}/{all}"),
    );
    assert!(all >= 15);
    assert!(right * 100 >= all * 95, "{right}/{all}");
}

/// A tool answers with the module's own key in some encoding.
#[test]
fn configured_keys_of_the_hostile_cases() {
    let mut seen = 0;
    for case in lines(include_str!("fixtures/redact/hostile.jsonl")) {
        let (Some(output), Some(config)) = (
            case["tool_output"].as_str(),
            case["setup"]["config"].as_object(),
        ) else {
            continue;
        };
        let secrets: Vec<(String, secrecy::SecretString)> = config
            .iter()
            .filter_map(|(k, v)| {
                v.as_str()
                    .map(|v| (k.clone(), secrecy::SecretString::from(v)))
            })
            .collect();
        let redact = Redact::new(&secrets, &[]).expect("no patterns");
        let (out, classes) = redact.redact_counted(output);
        assert!(!classes.is_empty(), "{}: {out}", case["id"]);
        assert!(
            !out.contains("KONFIG") && !out.contains("S09ORklH"),
            "{out}"
        );
        seen += 1;
    }
    assert!(seen >= 2);
}
