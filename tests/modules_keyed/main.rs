//! The seven look-up modules of outside sources, over the real HTTP port and real sockets: for each the
//! request that goes out and the outcome of every kind of answer. No outcome holds the key.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking; clippy knows only functions marked as tests"
)]

mod mutations;
mod readings;
mod requests;
mod split;
#[path = "../support/mod.rs"]
mod support;

use kit::{Context, CouldNot, Indicator, IndicatorType as T, KeyNeed, Module, Outcome, Verdict};
use rmm_analyst::config::settings::NetworkConfig;
use rmm_analyst::runner::ports::http::BODY_CAP;
use rmm_analyst::runner::ports::{HostRule, HttpClient};
use secrecy::SecretString;
use std::time::Duration;
use support::http::{Answer, Seen, Server};
use support::ports::{cell, context, indicator, open, report, rows};

const KEY: &str = "k3y:of-the-test-0123456789abcdef";
/// Base64 of [`KEY`], as basic authentication sends it.
const BASIC: &str = "Basic azN5Om9mLXRoZS10ZXN0LTAxMjM0NTY3ODlhYmNkZWY=";
const SHA256: &str = "094fd325049b8a9cf6d3e5ef2a6d4cc6a567d7d49c35f8bb8dd9e3c6acf3d78d";
const SHA1: &str = "0123456789abcdef0123456789abcdef01234567";
const MD5: &str = "0123456789abcdef0123456789abcdef";

fn module(name: &str) -> &'static dyn Module {
    intel::registry()
        .iter()
        .copied()
        .find(|m| m.spec().name == name)
        .unwrap_or_else(|| panic!("no module {name}"))
}

fn fixture(path: &str) -> Vec<u8> {
    let at = format!("{}/tests/fixtures/intel/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&at).unwrap_or_else(|e| panic!("{at}: {e}"))
}

fn answer(path: &str) -> Answer {
    Answer::json(fixture(path))
}

/// A module, something it takes, and where its question goes.
struct Case {
    name: &'static str,
    kind: T,
    value: &'static str,
    path: &'static str,
    found: &'static str,
    not_found: &'static str,
}

const CASES: [Case; 14] = [
    case(
        "abuseipdb",
        T::Ip,
        "203.0.113.7",
        "/api/v2/check",
        "found.json",
        "not_found.json",
    ),
    case(
        "abuseipdb",
        T::Ipv6,
        "2001:db8::7",
        "/api/v2/check",
        "found.json",
        "not_found.json",
    ),
    case(
        "abuseipdb",
        T::Cidr,
        "203.0.113.0/24",
        "/api/v2/check-block",
        "block.json",
        "block_not_found.json",
    ),
    case(
        "circlpdns",
        T::Domain,
        "example.com",
        "/pdns/query/example.com",
        "found.ndjson",
        "not_found.ndjson",
    ),
    case(
        "crtsh",
        T::Domain,
        "example.com",
        "/",
        "found.json",
        "not_found.json",
    ),
    case(
        "ipinfo",
        T::Ip,
        "203.0.113.7",
        "/203.0.113.7",
        "found.json",
        "not_found.json",
    ),
    case(
        "malwarebazaar",
        T::Sha256,
        SHA256,
        "/api/v1/",
        "found.json",
        "not_found.json",
    ),
    case(
        "threatfox",
        T::Domain,
        "evil.example.com",
        "/api/v1/",
        "found.json",
        "not_found.json",
    ),
    case(
        "threatfox",
        T::Ip,
        "203.0.113.7",
        "/api/v1/",
        "found_ip.json",
        "not_found.json",
    ),
    case(
        "threatfox",
        T::Sha256,
        SHA256,
        "/api/v1/",
        "found_hash.json",
        "not_found.json",
    ),
    case(
        "urlhaus",
        T::Url,
        "http://evil.example.com/a.exe",
        "/v1/url/",
        "url.json",
        "not_found.json",
    ),
    case(
        "urlhaus",
        T::Domain,
        "evil.example.com",
        "/v1/host/",
        "host.json",
        "not_found.json",
    ),
    case(
        "urlhaus",
        T::Ip,
        "203.0.113.7",
        "/v1/host/",
        "host.json",
        "not_found.json",
    ),
    case(
        "urlhaus",
        T::Sha256,
        SHA256,
        "/v1/payload/",
        "payload.json",
        "not_found.json",
    ),
];

const fn case(
    name: &'static str,
    kind: T,
    value: &'static str,
    path: &'static str,
    found: &'static str,
    not_found: &'static str,
) -> Case {
    Case {
        name,
        kind,
        value,
        path,
        found,
        not_found,
    }
}

impl Case {
    fn subject(&self) -> Indicator {
        indicator(self.kind, self.value)
    }

    fn body(&self, file: &str) -> Vec<u8> {
        fixture(&format!("{}/{file}", self.name))
    }

    fn label(&self) -> String {
        format!("{} {}", self.name, self.kind)
    }

    /// Asks with this answer scripted for the module's path.
    async fn with(&self, answer: Answer) -> Outcome {
        let server = Server::start();
        server.on(self.path, answer);
        let outcome = ask(&server, self.name, &self.subject(), Some(KEY)).await;
        assert!(
            !server.seen().is_empty(),
            "{}: nothing was sent",
            self.label()
        );
        for seen in server.seen() {
            assert_eq!(seen.path(), self.path, "{}", self.label());
        }
        outcome
    }
}

/// One look-up over the real port, with the server as the configured base URL.
async fn ask(server: &Server, name: &str, subject: &Indicator, key: Option<&str>) -> Outcome {
    let outcome = tokio::time::timeout(Duration::from_secs(20), call(server, name, subject, key))
        .await
        .expect("an end");
    no_key_in(&outcome, name);
    outcome
}

async fn call(server: &Server, name: &str, subject: &Indicator, key: Option<&str>) -> Outcome {
    let base = server.url();
    let network = NetworkConfig {
        proxy: Some(String::new()),
        ..NetworkConfig::default()
    };
    let rule = HostRule::for_module(module(name).spec(), Some(&base)).expect("a base URL");
    let http = HttpClient::new(&network).expect("a client").bound(rule);
    let key = key.map(SecretString::from);
    let cx: Context<'_> = context(&http, &base, key.as_ref());
    module(name).lookup(subject, &cx).await
}

/// The parts of an outcome that are shown without going through the redactor.
fn no_key_in(outcome: &Outcome, what: &str) {
    let mut texts = vec![format!("{outcome:?}")];
    match outcome {
        Outcome::Found(r) => {
            texts.extend([
                r.verdict_basis.clone(),
                r.source_url.clone(),
                r.source_date.clone().unwrap_or_default(),
            ]);
        }
        Outcome::CouldNotLook(why) => texts.push(why.to_string()),
        Outcome::NotFound => {}
    }
    for text in texts {
        assert!(
            !text.contains(KEY) && !text.contains(&BASIC[6..]),
            "{what}: {text}"
        );
    }
}

fn could_not(outcome: &Outcome) -> CouldNot {
    match outcome {
        Outcome::CouldNotLook(why) => why.clone(),
        other => panic!("expected a reason, not {other:?}"),
    }
}

fn upstream(status: u16, detail: &str) -> CouldNot {
    CouldNot::Upstream {
        status,
        detail: detail.into(),
    }
}

#[tokio::test]
async fn found_and_not_found_are_told_apart() {
    for case in &CASES {
        let found = case.with(Answer::json(case.body(case.found))).await;
        let report = report(&found);
        assert!(!report.table.rows.is_empty(), "{}", case.label());
        assert!(
            report
                .table
                .rows
                .iter()
                .all(|r| r.len() == report.table.columns.len()),
            "{}",
            case.label()
        );
        assert_eq!(
            open(&report.raw).into_bytes(),
            case.body(case.found),
            "{}: the answer is kept whole",
            case.label()
        );
        assert!(
            report.source_url.starts_with("https://"),
            "{}",
            report.source_url
        );
        assert!(!report.verdict_basis.is_empty(), "{}", case.label());
        let none = case.with(Answer::json(case.body(case.not_found))).await;
        assert!(
            matches!(none, Outcome::NotFound),
            "{}: {none:?}",
            case.label()
        );
    }
}

#[tokio::test]
async fn chunked_and_compressed_answers_are_read_like_others() {
    for case in &CASES {
        let found = case
            .with(Answer::json(case.body(case.found)).chunked(7))
            .await;
        assert!(
            matches!(found, Outcome::Found(_)),
            "{}: {found:?}",
            case.label()
        );
    }
    let none = CASES[10]
        .with(Answer::json(fixture("http/small.gz")).header("content-encoding", "gzip"))
        .await;
    assert!(matches!(none, Outcome::NotFound), "{none:?}");
}

#[tokio::test]
async fn without_a_key_nothing_is_sent_where_one_is_needed() {
    for case in &CASES {
        for key in [None, Some(""), Some(" \n")] {
            let server = Server::start();
            server.on(case.path, Answer::json(case.body(case.found)));
            let outcome = ask(&server, case.name, &case.subject(), key).await;
            if module(case.name).spec().key.required() {
                assert_eq!(could_not(&outcome), CouldNot::NoKey, "{}", case.label());
                assert!(
                    server.seen().is_empty(),
                    "{}: something was sent",
                    case.label()
                );
            } else {
                assert!(
                    matches!(outcome, Outcome::Found(_)),
                    "{}: {outcome:?}",
                    case.label()
                );
                assert!(server.seen()[0].header("authorization").is_none());
            }
        }
    }
}

#[tokio::test]
async fn a_refused_key_is_a_bad_key_whatever_the_page_looks_like() {
    for case in CASES
        .iter()
        .filter(|c| module(c.name).spec().key != KeyNeed::None)
    {
        let body = match case.name {
            "circlpdns" => b"{\"message\":\"unauthorized\"}".to_vec(),
            name => fixture(&format!("{name}/bad_key.json")),
        };
        for answer in [
            Answer::new(401, body.clone()),
            Answer::new(403, body.clone()),
            Answer::html(401),
            Answer::html(403),
        ] {
            assert_eq!(
                could_not(&case.with(answer).await),
                CouldNot::BadKey,
                "{}",
                case.label()
            );
        }
        let blocked = case
            .with(Answer::html(403).header("cf-mitigated", "challenge"))
            .await;
        assert_eq!(
            could_not(&blocked),
            upstream(403, "stopped by the source's web filter"),
            "{}",
            case.label()
        );
    }
    // Status 200 and a complaint, as abuse.ch does.
    for case in CASES
        .iter()
        .filter(|c| ["malwarebazaar", "threatfox", "urlhaus"].contains(&c.name))
    {
        for status in [
            "unknown_auth_key",
            "no_api_key",
            "user_blacklisted",
            "unauthorized",
        ] {
            let outcome = case
                .with(Answer::json(format!("{{\"query_status\":\"{status}\"}}")))
                .await;
            assert_eq!(
                could_not(&outcome),
                CouldNot::BadKey,
                "{} {status}",
                case.label()
            );
        }
    }
    // Without a key the source that could take one says so, and the one that takes none refused us.
    let server = Server::start();
    server.on("*", Answer::json(fixture("ipinfo/bad_key.json")));
    server.on(
        "/203.0.113.7",
        Answer::new(403, fixture("ipinfo/bad_key.json")),
    );
    let outcome = ask(&server, "ipinfo", &indicator(T::Ip, "203.0.113.7"), None).await;
    assert_eq!(could_not(&outcome), CouldNot::NoKey);
    assert_eq!(
        could_not(&CASES[4].with(Answer::html(403)).await),
        upstream(403, "refused")
    );
}

#[tokio::test]
async fn an_unusable_key_is_a_bad_key_and_is_not_sent() {
    for (name, kind, value) in [
        ("abuseipdb", T::Ip, "203.0.113.7"),
        ("threatfox", T::Ip, "203.0.113.7"),
        ("ipinfo", T::Ip, "203.0.113.7"),
    ] {
        for key in ["two\r\nx-evil: 1", "schlüssel", "a\0b"] {
            let server = Server::start();
            server.on("*", Answer::json("{}"));
            assert_eq!(
                could_not(&ask(&server, name, &indicator(kind, value), Some(key)).await),
                CouldNot::BadKey,
                "{name}"
            );
            assert!(server.seen().is_empty(), "{name}");
        }
    }
    let server = Server::start();
    let outcome = ask(
        &server,
        "circlpdns",
        &indicator(T::Domain, "example.com"),
        Some("no-colon"),
    )
    .await;
    assert_eq!(could_not(&outcome), CouldNot::BadKey);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn limits_say_how_long_to_wait() {
    let limited = |s| CouldNot::RateLimited { retry_s: s };
    for case in &CASES {
        let page = || Answer::html(429);
        assert_eq!(
            could_not(&case.with(page().header("retry-after", "29241")).await),
            limited(Some(29_241)),
            "{}",
            case.label()
        );
        assert_eq!(
            could_not(&case.with(page()).await),
            limited(None),
            "{}",
            case.label()
        );
    }
    let case = &CASES[0];
    let body = || Answer::new(429, fixture("abuseipdb/rate_limited.json"));
    for (value, wait) in [
        ("Mon, 30 Nov 2026 17:02:00 GMT", Some(120)),
        ("Mon, 30 Nov 2020 17:02:00 GMT", Some(0)),
        ("99999999999999", Some(31 * 86_400)),
        ("soon", None),
        ("-5", None),
    ] {
        assert_eq!(
            could_not(&case.with(body().header("retry-after", value)).await),
            limited(wait),
            "{value}"
        );
    }
    let outcome = CASES[7]
        .with(Answer::json("{\"query_status\":\"rate_limited\"}"))
        .await;
    assert_eq!(could_not(&outcome), limited(None));
}

#[tokio::test]
async fn errors_of_the_source_say_nothing_about_the_indicator() {
    for case in &CASES {
        for status in [500, 502, 503, 504, 520] {
            assert_eq!(
                could_not(&case.with(Answer::html(status)).await),
                upstream(status, ""),
                "{}",
                case.label()
            );
            // Even where the body would be an answer.
            let outcome = case
                .with(Answer::new(status, case.body(case.not_found)))
                .await;
            assert_eq!(
                could_not(&outcome),
                upstream(status, ""),
                "{}",
                case.label()
            );
        }
        for status in [400, 405, 418, 451] {
            assert_eq!(
                could_not(&case.with(Answer::html(status)).await),
                upstream(status, ""),
                "{}",
                case.label()
            );
        }
        if case.name == "circlpdns" {
            assert!(
                matches!(case.with(Answer::html(404)).await, Outcome::NotFound),
                "no records"
            );
        } else {
            let outcome = case.with(Answer::html(404)).await;
            assert_eq!(
                could_not(&outcome),
                upstream(404, "no such address at the source"),
                "{}",
                case.label()
            );
        }
        let html = case.with(Answer::html(200)).await;
        assert_eq!(
            could_not(&html),
            upstream(200, "HTML instead of JSON"),
            "{}",
            case.label()
        );
    }
}

#[tokio::test]
async fn a_slow_source_is_given_up_when_the_call_is_dropped() {
    for case in &CASES {
        let server = Server::start();
        server.on(
            case.path,
            Answer::json(case.body(case.found)).after(Duration::from_secs(30)),
        );
        let subject = case.subject();
        let call = call(&server, case.name, &subject, Some(KEY));
        assert!(
            tokio::time::timeout(Duration::from_millis(100), call)
                .await
                .is_err(),
            "{}",
            case.label()
        );
        assert!(
            server.gone(1, Duration::from_secs(5)).await,
            "{}: the connection stays open",
            case.label()
        );
    }
}

#[tokio::test]
async fn huge_answers_are_refused() {
    for case in &CASES {
        let mut body = case.body(case.found);
        body.extend(vec![b' '; BODY_CAP]);
        let outcome = case.with(Answer::json(body)).await;
        assert_eq!(
            could_not(&outcome),
            upstream(200, "answer too large"),
            "{}",
            case.label()
        );
        let outcome = case.with(Answer::json(vec![b'['; 65_536]).endless()).await;
        assert_eq!(
            could_not(&outcome),
            upstream(200, "answer too large"),
            "{}",
            case.label()
        );
    }
}

#[tokio::test]
async fn short_answers_are_refused() {
    for case in &CASES {
        let body = case.body(case.found);
        // In the middle of the last line, so that lines of JSON end too early as well.
        let keep = body.len() - 20;
        for answer in [
            Answer::json(body.clone()).cut_after(keep),
            Answer::json(body.clone()).cut_chunked_after(keep),
            Answer::json(body.clone()).cut_close_after(keep),
        ] {
            assert_eq!(
                could_not(&case.with(answer).await),
                upstream(200, "answer was cut off"),
                "{}",
                case.label()
            );
        }
        if case.name != "circlpdns" {
            assert_eq!(
                could_not(&case.with(Answer::json("")).await),
                upstream(200, "empty answer"),
                "{}",
                case.label()
            );
        }
    }
}

#[tokio::test]
async fn json_of_another_shape_is_neither_found_nor_not_found() {
    let shapes = [
        "null",
        "true",
        "5",
        "\"text\"",
        "{}",
        "[1,2]",
        "[[]]",
        "[null]",
        "[{}]",
        "{\"data\":5}",
        "{\"data\":{}}",
        "{\"data\":[]}",
        "{\"query_status\":5}",
        "{\"query_status\":\"ok\"}",
        "{\"query_status\":null,\"data\":[]}",
        "{\"query_status\":\"ok\",\"data\":\"text\"}",
        "{\"query_status\":\"ok\",\"data\":[1,null]}",
        "{\"query_status\":\"ok\",\"data\":[{}]}",
        "{\"query_status\":\"ok\",\"urls\":{}}",
        "{\"error\":\"x\"}",
        "{\"query_status\":\"something_new\"}",
        "{\"query_status\":\"k3y:of-the-test-0123456789abcdef\"}",
        "not json at all",
        "{\"a\":1}}",
        "\u{feff}{}",
    ];
    for case in &CASES {
        for shape in shapes {
            let why = could_not(&case.with(Answer::json(shape)).await);
            assert!(
                matches!(why, CouldNot::Upstream { status: 200, .. }),
                "{} {shape}: {why:?}",
                case.label()
            );
        }
    }
    // So deep that a careless reader runs out of stack.
    let deep = "[".repeat(200_000);
    assert!(matches!(
        could_not(&CASES[4].with(Answer::json(deep)).await),
        CouldNot::Upstream { status: 200, .. }
    ));
}

#[tokio::test]
async fn a_redirect_elsewhere_is_not_followed() {
    let elsewhere = Server::start();
    elsewhere.on("*", Answer::json("[]"));
    for case in &CASES {
        let why = could_not(&case.with(Answer::redirect(302, &elsewhere.url())).await);
        assert!(
            matches!(why, CouldNot::Unreachable { .. }),
            "{}: {why:?}",
            case.label()
        );
    }
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_type_that_a_module_does_not_take_is_unsupported_and_nothing_is_sent() {
    for module in intel::registry()
        .iter()
        .filter(|m| CASES.iter().any(|c| c.name == m.spec().name))
    {
        for kind in T::ALL.into_iter().filter(|k| !module.spec().takes(*k)) {
            let server = Server::start();
            let outcome = ask(
                &server,
                module.spec().name,
                &indicator(kind, "x"),
                Some(KEY),
            )
            .await;
            assert!(
                matches!(could_not(&outcome), CouldNot::Unsupported { .. }),
                "{} {kind}",
                module.spec().name
            );
            assert!(server.seen().is_empty());
        }
    }
}

/// The requests of one look-up, with this answer.
async fn sent(name: &str, kind: T, value: &str, answers: &[Answer]) -> (Vec<Seen>, Outcome) {
    let server = Server::start();
    for answer in answers {
        server.on("*", answer.clone());
    }
    let outcome = ask(&server, name, &indicator(kind, value), Some(KEY)).await;
    (server.seen(), outcome)
}
