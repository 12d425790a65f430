//! A source that gives a configured key back, whole or in parts, at any place of any cell.

use super::*;
use base64::Engine as _;
use kit::text::Redactor;
use kit::{Outcome, Report, Table, Untrusted, Verdict};
use rmm_analyst::redact::Redact;
use rmm_analyst::runner::StoredOutcome;
use secrecy::SecretString;

const SECRET: &str = "Zk8vQ2mTr5Lw9XyPb3Nc7HdGf4JsKe6A";

fn redactor(secret: &str) -> Redact {
    Redact::new(
        &[(
            "module.key".to_owned(),
            SecretString::from(secret.to_owned()),
        )],
        &[],
    )
    .expect("a redactor")
}

/// The outcome as stored holds no run of 8 characters of any of these.
fn assert_no_run(outcome: &StoredOutcome, secrets: &[&str], what: &str) {
    let json = serde_json::to_string(outcome).expect("JSON");
    for secret in secrets {
        let chars: Vec<char> = secret.chars().collect();
        for run in chars.windows(8) {
            let run: String = run.iter().collect();
            assert!(!json.contains(&run), "{what}: {run} stands in {json}");
        }
    }
}

fn found(rows: &[Vec<String>], raw: &str) -> Outcome {
    let mut table = Table::new(&["One", "Two", "Three"]);
    for row in rows {
        table.push(row.clone());
    }
    Outcome::Found(Report {
        table,
        raw: Untrusted::new(raw.to_owned()),
        verdict: Verdict::Unknown,
        verdict_basis: String::new(),
        source_url: String::new(),
        source_date: None,
        total_rows: None,
    })
}

#[test]
fn a_key_across_the_cut_leaves_nothing() {
    let redactor = redactor(SECRET);
    let base64 = base64::engine::general_purpose::STANDARD.encode(SECRET);
    for written in [SECRET, &base64] {
        for at in 440..510 {
            let cell = format!("{}\"{written}\"{}", "x".repeat(at), " y".repeat(400));
            let outcome = found(&[vec![cell.clone(), String::new(), cell.clone()]], &cell);
            let stored = StoredOutcome::redact(&outcome, &redactor);
            assert_no_run(&stored, &[SECRET, &base64], &format!("at {at}"));
            let shown = stored.rows[0][0].as_str();
            assert!(
                shown.ends_with('…') && shown.chars().count() <= 501 + 40,
                "{shown}"
            );
        }
    }
}

#[tokio::test]
async fn a_key_across_the_cut_of_a_real_module_leaves_nothing() {
    let redactor = redactor(SECRET);
    let domain = indicator(T::Domain, "example-shop.com");
    for at in [0, 300, 470, 480, 490, 495, 499, 500] {
        let body = serde_json::json!([{
            "id": 1, "issuer_name": format!("{}{SECRET}{}", "i ".repeat(at / 2), " tail".repeat(200)),
            "common_name": "a", "name_value": format!("{}{SECRET}", "n ".repeat(at / 2)), "entry_timestamp": "2026-11-30T00:00:00",
        }]);
        let server = Server::start();
        server.on("*", Answer::json(serde_json::to_vec(&body).unwrap()));
        let outcome = ask(&server, "crtsh", &domain, None).await;
        let stored = StoredOutcome::redact(&outcome, &redactor);
        assert_eq!(stored.rows.len(), 1);
        assert_no_run(&stored, &[SECRET], &format!("at {at}"));
    }
}

#[tokio::test]
async fn a_key_split_over_the_lines_of_a_field_leaves_nothing() {
    let redactor = redactor(SECRET);
    let domain = indicator(T::Domain, "example-shop.com");
    for at in 1..SECRET.len() {
        let (a, b) = SECRET.split_at(at);
        let body = serde_json::json!([{
            "id": 1, "issuer_name": "i", "common_name": "a", "entry_timestamp": "2026-11-30T00:00:00",
            "name_value": format!("www.example-shop.com\n{a}\n{b}\nexample-shop.com"),
        }]);
        let server = Server::start();
        server.on("*", Answer::json(serde_json::to_vec(&body).unwrap()));
        let stored = StoredOutcome::redact(&ask(&server, "crtsh", &domain, None).await, &redactor);
        let names = stored.rows[0][2].as_str();
        assert_no_run(&stored, &[SECRET], &format!("split at {at}"));
        assert!(
            names.contains("www.example-shop.com") && names.ends_with(", example-shop.com"),
            "the rest stays: {names}"
        );
        assert!(names.contains("[redacted:configured]"), "{names}");
    }
}

#[test]
fn a_key_split_over_cells_rows_and_items_leaves_nothing() {
    let with_blank = "two words, and a third one 4711";
    for secret in [SECRET, with_blank] {
        let redactor = redactor(secret);
        for at in 1..secret.len() {
            let (a, b) = secret.split_at(at);
            let (a, b) = (a.to_owned(), b.to_owned());
            let x = || "plain".to_owned();
            for rows in [
                vec![vec![a.clone(), b.clone(), x()]],
                vec![vec![x(), x(), a.clone()], vec![b.clone(), x(), x()]],
                vec![vec![x(), a.clone(), x()], vec![x(), b.clone(), x()]],
                vec![vec![format!("{a}, {b}"), x(), x()]],
                vec![vec![format!("{a} {b}"), x(), format!("{a}\n{b}")]],
            ] {
                let stored = StoredOutcome::redact(&found(&rows, ""), &redactor);
                assert_no_run(&stored, &[secret], &format!("{rows:?}"));
                assert!(stored.rows.iter().flatten().any(|c| c.as_str() == "plain"));
            }
        }
    }
}

#[test]
fn a_marker_is_not_cut() {
    for at in 470..500 {
        let cell = format!("{}{SECRET} {}", "x ".repeat(at / 2), "y ".repeat(90));
        let stored = StoredOutcome::redact(&found(&[vec![cell]], ""), &redactor(SECRET));
        let shown = stored.rows[0][0].as_str();
        assert!(
            shown.matches("[redacted:").count() == shown.matches("[redacted:configured]").count()
        );
    }
}

/// What a program writes itself stays as it is, except for configured values.
#[test]
fn own_messages_lose_configured_values_only() {
    let redactor = redactor(SECRET);
    for own in [
        "error: unexpected argument '-1' found",
        "error: invalid value '-1' for '--password <PASSWORD>': password: '-1'",
        "tip: token=abc123def456",
    ] {
        assert_eq!(redactor.redact_configured(own), own);
    }
    for held in [
        format!("error: unexpected argument '{SECRET}' found"),
        format!("error: invalid value 'a\u{200b}{SECRET}'"),
    ] {
        let out = redactor.redact_configured(&held);
        assert!(
            !out.contains(SECRET) && out.contains("[redacted:configured]"),
            "{out}"
        );
    }
}

/// Tag characters (U+E0000 block) do not show, and models read them as the letters that they repeat.
#[test]
fn tag_characters_that_spell_a_key_go() {
    let redactor = redactor(SECRET);
    let tag = |c: char| char::from_u32(0xE0000 + c as u32).unwrap();
    let all: String = SECRET.chars().map(tag).collect();
    let mixed: String = SECRET
        .chars()
        .enumerate()
        .map(|(n, c)| if n % 3 == 0 { tag(c) } else { c })
        .collect();
    let escaped: String = all.encode_utf16().map(|u| format!("\\u{u:04x}")).collect();
    for text in [
        all.clone(),
        mixed,
        escaped,
        format!("{}\u{e0001}{all}", tag('x')),
    ] {
        let out = redactor.redact(&format!("before {text} after"));
        assert!(out.contains("[redacted:configured]"), "{text:?}: {out:?}");
        let left: String = out
            .chars()
            .map(|c| {
                char::from_u32((c as u32).wrapping_sub(0xE0000))
                    .filter(char::is_ascii)
                    .unwrap_or(c)
            })
            .collect();
        assert!(
            SECRET
                .as_bytes()
                .windows(8)
                .all(|w| !left.contains(std::str::from_utf8(w).unwrap())),
            "{left:?}"
        );
        assert!(
            out.starts_with("before ") && out.ends_with(" after"),
            "{out:?}"
        );
        assert_eq!(redactor.redact(&out), out);
    }
    // Between the letters of a key they split nothing.
    let split: String = SECRET.chars().flat_map(|c| [c, tag('q')]).collect();
    assert!(redactor.redact(&split).contains("[redacted:configured]"));
}
