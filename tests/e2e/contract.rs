//! `ask --json`, field by field as the contract of the command line names them.

use serde_json::Value;

type Check = fn(&Value) -> bool;

fn text(v: &Value) -> bool {
    v.is_string()
}
fn text_or_null(v: &Value) -> bool {
    v.is_string() || v.is_null()
}
fn number(v: &Value) -> bool {
    v.is_u64()
}
fn number_or_null(v: &Value) -> bool {
    v.is_u64() || v.is_null()
}
fn list(v: &Value) -> bool {
    v.is_array()
}
fn one_of<'a>(names: &'a [&'a str]) -> impl Fn(&Value) -> bool + 'a {
    move |v| v.as_str().is_some_and(|s| names.contains(&s))
}
fn evidence(v: &Value) -> bool {
    v.is_null()
        || v.as_str()
            .and_then(|s| s.strip_prefix('E'))
            .is_some_and(|n| n.parse::<u32>().is_ok_and(|n| n > 0))
}

/// Exactly these keys, each as it should be. `more` may be there too.
#[track_caller]
fn object(v: &Value, keys: &[(&str, Check)], more: &[&str]) {
    let object = v.as_object().unwrap_or_else(|| panic!("no object: {v}"));
    for (key, check) in keys {
        let value = object
            .get(*key)
            .unwrap_or_else(|| panic!("no {key} in {v}"));
        assert!(check(value), "{key} is wrong in {v}");
    }
    for key in object.keys() {
        let known = keys.iter().any(|(k, _)| k == key) || more.contains(&key.as_str());
        assert!(known, "{key} is not in the contract: {v}");
    }
}

fn items(v: &Value) -> impl Iterator<Item = &Value> {
    v.as_array().into_iter().flatten()
}

const INDICATOR: [(&str, Check); 2] = [("type", text), ("value", text)];

#[track_caller]
pub(crate) fn holds(v: &Value) {
    let failed = v["turn"].is_null();
    let filled: Check = if failed { Value::is_null } else { text };
    let counts: Check = if failed {
        Value::is_null
    } else {
        Value::is_object
    };
    object(
        v,
        &[
            ("case", filled),
            ("turn", if failed { Value::is_null } else { number }),
            ("status", text),
            ("planner", filled),
            ("model", text_or_null),
            ("tools_mode", text_or_null),
            ("answer", text),
            ("unsupported", list),
            ("ledger", list),
            ("coverage", Value::is_object),
            ("authorized", list),
            ("denied", list),
            ("mentioned", list),
            ("proposals", list),
            ("jobs_created", list),
            ("mode", filled),
            ("budget", counts),
            ("usage", counts),
            ("warnings", list),
            ("error", |v| v.is_null() || v.is_object()),
        ],
        // Refusals past those that are listed one by one.
        &["refused_more"],
    );
    let statuses = [
        "answered",
        "waiting",
        "budget",
        "model_unreachable",
        "no_tool_calls",
        "busy",
        "interrupted",
        "error",
    ];
    assert!(one_of(&statuses)(&v["status"]), "{v}");
    object(
        &v["coverage"],
        &[
            ("asked", number),
            ("found", number),
            ("not_found", number),
            ("could_not_look", number),
        ],
        &[],
    );
    for u in items(&v["unsupported"]) {
        object(u, &[("text", text), ("why", text)], &[]);
    }
    for i in items(&v["authorized"]).chain(items(&v["denied"])) {
        object(i, &INDICATOR, &[]);
    }
    for i in items(&v["mentioned"]) {
        object(
            i,
            &[("type", text), ("value", text), ("found_in", evidence)],
            &[],
        );
    }
    for w in items(&v["warnings"]) {
        assert!(w.is_string(), "{v}");
    }
    if !v["error"].is_null() {
        object(
            &v["error"],
            &[("kind", text), ("message", text), ("hint", text)],
            &[],
        );
        let kinds = ["user", "config", "model", "network", "internal"];
        assert!(one_of(&kinds)(&v["error"]["kind"]), "{v}");
        assert_ne!(v["error"]["hint"], "", "an error says what to do: {v}");
    }
    if failed {
        assert!(v["error"].is_object(), "{v}");
        return;
    }
    assert!(one_of(&["model", "rules"])(&v["planner"]), "{v}");
    assert!(one_of(&["brief", "full"])(&v["mode"]), "{v}");
    object(
        &v["budget"],
        &[
            ("turn_used", number),
            ("turn_max", number),
            ("case_used", number),
            ("case_max", number),
        ],
        &[],
    );
    object(
        &v["usage"],
        &[
            ("prompt_tokens", number),
            ("cached_tokens", number_or_null),
            ("completion_tokens", number),
            ("ms", number),
        ],
        &[],
    );
    ledger(v);
    proposals(v);
}

#[track_caller]
fn ledger(v: &Value) {
    let verdicts = ["permit", "cached", "ask", "refuse"];
    let statuses = ["found", "not_found", "could_not_look"];
    let mut counted = [0_u64; 4];
    for (at, l) in items(&v["ledger"]).enumerate() {
        object(
            l,
            &[
                ("n", number),
                ("tool", text),
                ("argument", text),
                ("arguments", Value::is_object),
                ("verdict", text),
                ("reason", text_or_null),
                ("status", text_or_null),
                ("detail", text_or_null),
                ("evidence", evidence),
                ("age_s", number),
                ("ms", number),
            ],
            &[],
        );
        assert_eq!(l["n"].as_u64(), Some(at as u64 + 1), "{v}");
        assert!(one_of(&verdicts)(&l["verdict"]), "{l}");
        let ran = one_of(&["permit", "cached"])(&l["verdict"]);
        assert_eq!(ran, one_of(&statuses)(&l["status"]), "{l}");
        assert_eq!(l["verdict"] == "refuse", l["reason"].is_string(), "{l}");
        if ran {
            counted[0] += 1;
            let which = statuses.iter().position(|s| l["status"] == *s).unwrap();
            counted[which + 1] += 1;
        }
    }
    let coverage = ["asked", "found", "not_found", "could_not_look"];
    for (key, n) in coverage.iter().zip(counted) {
        assert_eq!(v["coverage"][*key].as_u64(), Some(n), "{key}: {v}");
    }
}

#[track_caller]
fn proposals(v: &Value) {
    for p in items(&v["proposals"]) {
        let mut more = vec!["not_in_evidence"];
        if p["kind"] != "pivot" {
            more.extend(["devices", "count", "expires_ms", "status", "detail"]);
        }
        object(
            p,
            &[
                ("n", number),
                ("kind", text),
                ("state", text),
                ("type", text),
                ("value", text),
                ("why", text),
                ("found_in", evidence),
                ("digest", text_or_null),
            ],
            &more,
        );
        assert_eq!(p["kind"] == "pivot", p["digest"].is_null(), "{p}");
        let kinds = [
            "pivot",
            "job",
            "device_operation",
            "task",
            "check",
            "policy",
        ];
        assert!(one_of(&kinds)(&p["kind"]), "{p}");
        assert!(
            one_of(&["open", "approved", "denied", "expired"])(&p["state"]),
            "{p}"
        );
    }
}
