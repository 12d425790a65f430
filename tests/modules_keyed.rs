//! The seven look-up modules of outside sources, over the real HTTP port and real sockets: for each the
//! request that goes out and the outcome of every kind of answer. No outcome holds the key.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking; clippy knows only functions marked as tests"
)]

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

mod requests {
    use super::*;

    /// The key went out in this header and nowhere else.
    fn keyed(seen: &Seen, header: &str, value: &str) {
        assert_eq!(seen.header(header), Some(value), "{}", seen.target);
        let raw = String::from_utf8_lossy(&seen.raw).into_owned();
        assert_eq!(raw.matches(value).count(), 1, "{raw}");
        assert!(!seen.target.contains(KEY), "{}", seen.target);
        assert!(
            seen.header("accept")
                .is_some_and(|a| a.contains("application/json"))
        );
    }

    #[tokio::test]
    async fn abuseipdb() {
        let (seen, _) = sent(
            "abuseipdb",
            T::Ipv6,
            "2001:db8::7",
            &[answer("abuseipdb/found.json")],
        )
        .await;
        assert_eq!(seen.len(), 1);
        assert_eq!(seen[0].method, "GET");
        assert_eq!(
            seen[0].target,
            "/api/v2/check?ipAddress=2001%3Adb8%3A%3A7&maxAgeInDays=90&verbose=true"
        );
        keyed(&seen[0], "key", KEY);
        let (seen, _) = sent(
            "abuseipdb",
            T::Cidr,
            "203.0.113.0/24",
            &[answer("abuseipdb/block.json")],
        )
        .await;
        assert_eq!(
            seen[0].target,
            "/api/v2/check-block?network=203.0.113.0%2F24&maxAgeInDays=90"
        );
        keyed(&seen[0], "key", KEY);
    }

    #[tokio::test]
    async fn circlpdns() {
        for (kind, value) in [
            (T::Domain, "example.com"),
            (T::Ip, "203.0.113.7"),
            (T::Ipv6, "2001:db8::7"),
        ] {
            let (seen, _) = sent(
                "circlpdns",
                kind,
                value,
                &[answer("circlpdns/found.ndjson")],
            )
            .await;
            assert_eq!((seen.len(), seen[0].method.as_str()), (1, "GET"));
            assert_eq!(seen[0].target, format!("/pdns/query/{value}"));
            keyed(&seen[0], "authorization", BASIC);
            assert_eq!(
                seen[0].header("dribble-disable-active-query"),
                Some("1"),
                "the target must not be asked"
            );
        }
    }

    #[tokio::test]
    async fn crtsh() {
        let (seen, _) = sent(
            "crtsh",
            T::Domain,
            "xn--bcher-kva.example",
            &[answer("crtsh/found.json")],
        )
        .await;
        assert_eq!((seen.len(), seen[0].method.as_str()), (1, "GET"));
        assert_eq!(seen[0].target, "/?q=xn--bcher-kva.example&output=json");
        assert!(
            !String::from_utf8_lossy(&seen[0].raw).contains(KEY),
            "a key for a source that takes none"
        );
    }

    #[tokio::test]
    async fn ipinfo() {
        for (kind, value) in [(T::Ip, "203.0.113.7"), (T::Ipv6, "2001:db8::7")] {
            let (seen, _) = sent("ipinfo", kind, value, &[answer("ipinfo/found.json")]).await;
            assert_eq!((seen.len(), seen[0].method.as_str()), (1, "GET"));
            assert_eq!(seen[0].target, format!("/{value}"));
            keyed(&seen[0], "authorization", &format!("Bearer {KEY}"));
        }
    }

    #[tokio::test]
    async fn malwarebazaar() {
        for (kind, value) in [(T::Md5, MD5), (T::Sha1, SHA1), (T::Sha256, SHA256)] {
            let (seen, _) = sent(
                "malwarebazaar",
                kind,
                value,
                &[answer("malwarebazaar/found.json")],
            )
            .await;
            assert_eq!(
                (seen.len(), seen[0].method.as_str(), seen[0].target.as_str()),
                (1, "POST", "/api/v1/")
            );
            assert_eq!(seen[0].text(), format!("query=get_info&hash={value}"));
            assert_eq!(
                seen[0].header("content-type"),
                Some("application/x-www-form-urlencoded")
            );
            keyed(&seen[0], "auth-key", KEY);
        }
    }

    #[tokio::test]
    async fn threatfox() {
        let none = answer("threatfox/not_found.json");
        let exact = |v: &str| serde_json::json!({ "query": "search_ioc", "search_term": v, "exact_match": true });
        let loose = |v: &str| serde_json::json!({ "query": "search_ioc", "search_term": v, "exact_match": false });
        let hash = |v: &str| serde_json::json!({ "query": "search_hash", "hash": v });
        let host = "http://evil.example.com/";
        let cases = [
            (
                T::Domain,
                "evil.example.com",
                vec![exact("evil.example.com")],
            ),
            (
                T::Url,
                "http://evil.example.com/a/",
                vec![exact("http://evil.example.com/a/")],
            ),
            (
                T::Url,
                host,
                vec![exact(host), exact("http://evil.example.com")],
            ),
            (
                T::Ip,
                "203.0.113.7",
                vec![exact("203.0.113.7"), loose("203.0.113.7")],
            ),
            (T::Sha1, SHA1, vec![exact(SHA1)]),
            (T::Md5, MD5, vec![hash(MD5), exact(MD5)]),
            (T::Sha256, SHA256, vec![hash(SHA256), exact(SHA256)]),
        ];
        for (kind, value, bodies) in cases {
            let (seen, outcome) = sent("threatfox", kind, value, std::slice::from_ref(&none)).await;
            assert!(matches!(outcome, Outcome::NotFound), "{kind}: {outcome:?}");
            let got: Vec<serde_json::Value> = seen
                .iter()
                .map(|s| serde_json::from_slice(&s.body).expect("JSON"))
                .collect();
            assert_eq!(got, bodies, "{kind}");
            for one in &seen {
                assert_eq!(
                    (one.method.as_str(), one.target.as_str()),
                    ("POST", "/api/v1/")
                );
                assert_eq!(one.header("content-type"), Some("application/json"));
                keyed(one, "auth-key", KEY);
            }
        }
    }

    #[tokio::test]
    async fn urlhaus() {
        let url = "http://evil.example.com/a.exe?x=1&y=ä";
        let cases = [
            (
                T::Url,
                url,
                "/v1/url/",
                "url=http%3A%2F%2Fevil.example.com%2Fa.exe%3Fx%3D1%26y%3D%C3%A4",
            ),
            (
                T::Domain,
                "evil.example.com",
                "/v1/host/",
                "host=evil.example.com",
            ),
            (T::Ip, "203.0.113.7", "/v1/host/", "host=203.0.113.7"),
            (
                T::Md5,
                MD5,
                "/v1/payload/",
                "md5_hash=0123456789abcdef0123456789abcdef",
            ),
            (
                T::Sha256,
                SHA256,
                "/v1/payload/",
                &format!("sha256_hash={SHA256}"),
            ),
        ];
        for (kind, value, path, body) in cases {
            let (seen, _) = sent("urlhaus", kind, value, &[answer("urlhaus/not_found.json")]).await;
            assert_eq!(
                (seen.len(), seen[0].method.as_str(), seen[0].target.as_str()),
                (1, "POST", path)
            );
            assert_eq!(seen[0].text(), body);
            keyed(&seen[0], "auth-key", KEY);
        }
    }
}

mod readings {
    use super::*;

    async fn found(name: &str, kind: T, value: &str, file: &str) -> kit::Report {
        let (_, outcome) = sent(name, kind, value, &[answer(&format!("{name}/{file}"))]).await;
        report(&outcome).clone()
    }

    #[tokio::test]
    async fn abuseipdb() {
        let r = found("abuseipdb", T::Ip, "203.0.113.7", "found.json").await;
        assert_eq!(
            (r.verdict, r.verdict_basis.as_str()),
            (Verdict::Malicious, "abuseConfidenceScore 100")
        );
        assert_eq!(r.source_url, "https://www.abuseipdb.com/check/203.0.113.7");
        assert_eq!(r.source_date.as_deref(), Some("2026-11-29T18:04:11Z"));
        assert_eq!(
            cell(&r, 0, "Reported for"),
            "SSH (2), Port Scan (1), Brute-Force (1)"
        );
        assert_eq!(
            cell(&r, 0, "Hostnames"),
            "a7.hosting.example, b7.hosting.example"
        );
        assert_eq!(
            (cell(&r, 0, "Reports"), cell(&r, 0, "Country")),
            ("3".into(), "NL".into())
        );

        let r = found("abuseipdb", T::Ip, "203.0.113.8", "whitelisted.json").await;
        assert_eq!(
            (r.verdict, cell(&r, 0, "Whitelisted").as_str()),
            (Verdict::Harmless, "yes")
        );

        let r = found("abuseipdb", T::Cidr, "203.0.113.0/24", "block.json").await;
        assert_eq!(r.verdict, Verdict::Suspicious);
        assert_eq!(
            r.verdict_basis,
            "2 reported addresses, highest abuseConfidenceScore 90"
        );
        assert_eq!(
            r.source_url,
            "https://www.abuseipdb.com/check-block/203.0.113.0/24"
        );
        assert_eq!(
            cell(&r, 0, "Reported address"),
            "203.0.113.7",
            "the newest first"
        );
        assert_eq!(cell(&r, 1, "Country"), "");

        for (score, verdict) in [
            (0, Verdict::Unknown),
            (24, Verdict::Unknown),
            (25, Verdict::Suspicious),
            (74, Verdict::Suspicious),
            (75, Verdict::Malicious),
        ] {
            let body = format!(
                r#"{{"data":{{"ipAddress":"203.0.113.7","abuseConfidenceScore":{score},"totalReports":9}}}}"#
            );
            let (_, outcome) = sent("abuseipdb", T::Ip, "203.0.113.7", &[Answer::json(body)]).await;
            assert_eq!(report(&outcome).verdict, verdict, "{score}");
        }
    }

    #[tokio::test]
    async fn abuseipdb_asks_again_without_reports_when_they_are_too_many() {
        let huge = Answer::json(vec![b' '; BODY_CAP + 1]);
        let (seen, outcome) = sent(
            "abuseipdb",
            T::Ip,
            "203.0.113.7",
            &[huge, answer("abuseipdb/found.json")],
        )
        .await;
        assert!(matches!(outcome, Outcome::Found(_)), "{outcome:?}");
        let targets: Vec<&str> = seen.iter().map(|s| s.target.as_str()).collect();
        assert_eq!(
            targets,
            [
                "/api/v2/check?ipAddress=203.0.113.7&maxAgeInDays=90&verbose=true",
                "/api/v2/check?ipAddress=203.0.113.7&maxAgeInDays=90",
            ]
        );
    }

    #[tokio::test]
    async fn values_that_a_source_does_not_take_are_unsupported() {
        let cases = [
            (
                "abuseipdb",
                T::Cidr,
                "203.0.0.0/16",
                Answer::new(402, fixture("abuseipdb/too_wide.json")),
            ),
            (
                "abuseipdb",
                T::Ip,
                "203.0.113.7",
                Answer::new(422, "{\"errors\":[]}"),
            ),
            (
                "ipinfo",
                T::Ip,
                "203.0.113.7",
                Answer::new(404, fixture("ipinfo/wrong_ip.json")),
            ),
            (
                "malwarebazaar",
                T::Md5,
                MD5,
                answer("malwarebazaar/illegal.json"),
            ),
            (
                "threatfox",
                T::Url,
                "http://evil.example.com/a",
                answer("threatfox/illegal.json"),
            ),
            (
                "urlhaus",
                T::Url,
                "http://evil.example.com/a",
                answer("urlhaus/illegal.json"),
            ),
        ];
        for (name, kind, value, answer) in cases {
            let (_, outcome) = sent(name, kind, value, &[answer]).await;
            assert!(
                matches!(could_not(&outcome), CouldNot::Unsupported { .. }),
                "{name}: {outcome:?}"
            );
        }
    }

    #[tokio::test]
    async fn circlpdns() {
        let r = found("circlpdns", T::Domain, "example.com", "found.ndjson").await;
        assert_eq!(r.verdict, Verdict::Unknown);
        assert_eq!(
            rows(&r)[0],
            [
                "2023-11-14T22:13:20Z",
                "2026-11-18T11:06:40Z",
                "MX",
                "example.com",
                "10 mail.example.com, 20 backup.example.com",
                "4",
            ]
        );
        assert_eq!(
            (cell(&r, 1, "Type"), cell(&r, 2, "Type")),
            ("A".into(), "NS".into())
        );
        assert_eq!(r.source_date.as_deref(), Some("2026-11-18T11:06:40Z"));
        let many: String = (0..120)
            .map(|n| format!("{{\"rrtype\":\"A\",\"rrname\":\"a{n}.example\",\"rdata\":\"203.0.113.7\",\"time_first\":1,\"time_last\":{n}}}\n"))
            .collect();
        let (_, outcome) = sent("circlpdns", T::Ip, "203.0.113.7", &[Answer::json(many)]).await;
        let r = report(&outcome);
        assert_eq!(
            (r.table.rows.len(), r.total_rows, cell(r, 0, "Name")),
            (50, Some(120), "a119.example".into())
        );
    }

    #[tokio::test]
    async fn crtsh() {
        let r = found("crtsh", T::Domain, "example.com", "found.json").await;
        assert_eq!(
            (r.verdict, r.source_url.as_str()),
            (Verdict::Unknown, "https://crt.sh/?q=example.com")
        );
        assert_eq!(
            r.table.rows.len(),
            2,
            "certificate and precertificate are one"
        );
        assert_eq!(cell(&r, 0, "Common name"), "vpn.example.com");
        assert_eq!(cell(&r, 1, "Names"), "example.com, www.example.com");
        assert_eq!(r.source_date.as_deref(), Some("2026-09-01T10:00:00.5Z"));
        assert_eq!(r.total_rows, None);

        let huge = Answer::json(vec![b' '; BODY_CAP + 1]);
        let (seen, outcome) = sent(
            "crtsh",
            T::Domain,
            "example.com",
            &[huge, answer("crtsh/found.json")],
        )
        .await;
        assert_eq!(
            seen[1].target,
            "/?q=example.com&output=json&exclude=expired&deduplicate=Y"
        );
        assert!(report(&outcome).verdict_basis.contains("not expired"));
    }

    #[tokio::test]
    async fn ipinfo() {
        let r = found("ipinfo", T::Ip, "203.0.113.7", "found.json").await;
        assert_eq!(r.verdict, Verdict::Unknown);
        assert_eq!(
            rows(&r)[0],
            [
                "203.0.113.7",
                "a7.hosting.example",
                "Amsterdam",
                "North Holland",
                "NL",
                "52.3740,4.8897",
                "AS64500 Example Hosting B.V.",
                "1012",
                "Europe/Amsterdam",
                "anycast: answered from many places",
            ]
        );
        let r = found("ipinfo", T::Ip, "203.0.113.7", "bogon.json").await;
        assert_eq!(
            (r.verdict_basis.as_str(), cell(&r, 0, "City").as_str()),
            ("bogon", "")
        );
        assert!(cell(&r, 0, "Note").starts_with("bogon"));
    }

    #[tokio::test]
    async fn malwarebazaar() {
        let r = found("malwarebazaar", T::Md5, MD5, "found.json").await;
        assert_eq!(
            (r.verdict, r.verdict_basis.as_str()),
            (Verdict::Malicious, "listed as a sample of ExampleBot")
        );
        assert_eq!(
            r.source_url,
            format!("https://bazaar.abuse.ch/sample/{SHA256}/")
        );
        assert_eq!(
            (cell(&r, 0, "Tags"), cell(&r, 0, "Size")),
            ("exe, ExampleBot".into(), "456704".into())
        );
        assert_eq!(r.source_date.as_deref(), Some("2026-05-26T15:00:34Z"));
    }

    #[tokio::test]
    async fn threatfox() {
        let r = found("threatfox", T::Domain, "evil.example.com", "found.json").await;
        assert_eq!(
            (r.verdict, r.verdict_basis.as_str()),
            (
                Verdict::Malicious,
                "highest confidence_level 100 of 1 entries"
            )
        );
        assert_eq!(r.source_url, "https://threatfox.abuse.ch/ioc/1337/");
        assert_eq!(
            (cell(&r, 0, "Indicator"), cell(&r, 0, "Tags")),
            ("evil.example.com".into(), "ExampleBot, c2".into())
        );
        let r = found("threatfox", T::Sha256, SHA256, "found_hash.json").await;
        assert_eq!(
            (r.table.rows.len(), cell(&r, 0, "Indicator")),
            (2, "c2.example.net".into())
        );
    }

    #[tokio::test]
    async fn threatfox_keeps_neighbours_out() {
        // The exact question finds nothing, since addresses are stored with ports; the other finds more
        // than was asked for.
        let answers = [
            answer("threatfox/not_found.json"),
            answer("threatfox/found_ip.json"),
        ];
        let (seen, outcome) = sent("threatfox", T::Ip, "203.0.113.7", &answers).await;
        let r = report(&outcome);
        assert_eq!(
            (seen.len(), r.table.rows.len(), cell(r, 0, "Indicator")),
            (2, 1, "203.0.113.7:443".into())
        );
        assert_eq!(
            (r.verdict, r.source_url.as_str()),
            (Verdict::Suspicious, "https://threatfox.abuse.ch/ioc/41/")
        );
        // A source that ignores exact_match does not make a hit of a neighbour.
        for (kind, value) in [
            (T::Ip, "203.0.113.1"),
            (T::Domain, "example.com"),
            (T::Url, "http://203.0.113.7/A.exe"),
        ] {
            let body = if kind == T::Domain {
                "threatfox/found.json"
            } else {
                "threatfox/found_ip.json"
            };
            let (_, outcome) = sent("threatfox", kind, value, &[answer(body)]).await;
            assert!(matches!(outcome, Outcome::NotFound), "{value}: {outcome:?}");
        }
        let (_, outcome) = sent(
            "threatfox",
            T::Url,
            "http://203.0.113.7/a.exe",
            &[answer("threatfox/found_ip.json")],
        )
        .await;
        assert_eq!(report(&outcome).table.rows.len(), 1);
        // A failure of the second question is a failure, not a miss.
        let answers = [answer("threatfox/not_found.json"), Answer::html(503)];
        let (_, outcome) = sent("threatfox", T::Ip, "203.0.113.7", &answers).await;
        assert_eq!(could_not(&outcome), upstream(503, ""));
    }

    #[tokio::test]
    async fn urlhaus() {
        let r = found(
            "urlhaus",
            T::Url,
            "http://evil.example.com/a.exe",
            "url.json",
        )
        .await;
        assert_eq!(r.verdict, Verdict::Malicious);
        assert_eq!(
            r.verdict_basis,
            "listed, threat malware_download, url_status offline"
        );
        assert_eq!(r.source_url, "https://urlhaus.abuse.ch/url/105821/");
        assert_eq!(
            (
                r.table.rows.len(),
                cell(&r, 1, "File name"),
                cell(&r, 1, "Family")
            ),
            (2, "a.exe".into(), "ExampleBot".into())
        );

        let r = found("urlhaus", T::Domain, "evil.example.com", "host.json").await;
        assert_eq!((r.verdict, r.total_rows), (Verdict::Suspicious, Some(120)));
        assert_eq!(
            r.verdict_basis,
            "url_count 120, 1 online, spamhaus_dbl abused_legit_malware"
        );
        assert_eq!(cell(&r, 0, "URL"), "http://evil.example.com/new.exe");
        let r = found("urlhaus", T::Ip, "203.0.113.7", "host.json").await;
        assert_eq!(
            r.verdict,
            Verdict::Malicious,
            "an address that serves malware now"
        );
        let own = String::from_utf8(fixture("urlhaus/host.json"))
            .expect("text")
            .replace("abused_legit_malware", "botnet_cc_domain");
        let (_, outcome) = sent(
            "urlhaus",
            T::Domain,
            "evil.example.com",
            &[Answer::json(own)],
        )
        .await;
        assert_eq!(report(&outcome).verdict, Verdict::Malicious);

        let r = found("urlhaus", T::Sha256, SHA256, "payload.json").await;
        assert_eq!(
            (r.verdict, r.verdict_basis.as_str()),
            (
                Verdict::Malicious,
                "served by listed URLs, signature ExampleBot"
            )
        );
        assert_eq!(
            (r.table.rows.len(), cell(&r, 0, "URL")),
            (2, "http://bad.example.net/b.exe".into())
        );
        assert_eq!(
            r.source_url,
            format!("https://urlhaus.abuse.ch/browse.php?search={SHA256}")
        );
    }

    #[tokio::test]
    async fn a_page_that_a_source_names_is_its_own_or_not_used() {
        for named in [
            "https://evil.example/",
            "javascript:alert(1)",
            "https://urlhaus.abuse.ch@evil.example/",
            "https://urlhaus.abuse.ch/?k=k3y:of-the-test-0123456789abcdef",
        ] {
            let body = serde_json::json!({ "query_status": "ok", "url_status": "online", "urlhaus_reference": named });
            let (_, outcome) = sent(
                "urlhaus",
                T::Url,
                "http://evil.example.com/a b",
                &[Answer::json(body.to_string())],
            )
            .await;
            let page = &report(&outcome).source_url;
            assert_eq!(
                page,
                "https://urlhaus.abuse.ch/browse.php?search=http%3A%2F%2Fevil.example.com%2Fa%20b",
                "{named}"
            );
        }
    }
}

mod mutations {
    use super::*;
    use kit::ports::{Fut, HttpError, HttpPort, HttpRequest, HttpResponse};
    use proptest::prelude::*;
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
            assert!(r.table.rows.iter().flatten().all(|c| c.len() < 4_000));
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
}
