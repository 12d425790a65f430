//! The modules that need no key: `rdap` and `internetdb` against a local server over real sockets,
//! `dns`, `cases`, `special` and `unfurl` through their ports.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking; clippy knows only functions marked as tests"
)]

mod support;

use intel::cases::Cases;
use intel::dns::Dns;
use intel::internetdb::InternetDb;
use intel::rdap::Rdap;
use intel::special::Special;
use intel::unfurl::Unfurl;
use kit::ports::{DnsAnswer, DnsError, DnsPort, DnsRecord, Fut, HistoryPort, RecordType, Sighting};
use kit::{Activity, Context, CouldNot, Indicator, IndicatorType, Module, Outcome, Verdict};
use proptest::prelude::*;
use rmm_analyst::config::settings::NetworkConfig;
use rmm_analyst::runner::ports::http::BoundHttp;
use rmm_analyst::runner::ports::{HostRule, HttpClient};
use std::path::Path;
use std::time::Duration;
use support::http::{Answer, Server};
use support::ports::{Nothing, cell, context, indicator, open, report, rows};

fn fixture(path: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/intel")
        .join(path);
    std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn client() -> HttpClient {
    HttpClient::new(&NetworkConfig {
        proxy: Some(String::new()),
        ..NetworkConfig::default()
    })
    .unwrap()
}

fn reaching(servers: &[&Server]) -> BoundHttp {
    let rule = servers.iter().fold(HostRule::new(), |rule, s| {
        rule.allow_configured(&s.url()).unwrap()
    });
    client().bound(rule)
}

/// Runs a module against one server as the configured base URL, with a short deadline as the runner has.
async fn run(module: &dyn Module, subject: &Indicator, server: &Server) -> Option<Outcome> {
    let http = reaching(&[server]);
    let base = server.url();
    let cx = context(&http, &base, None);
    tokio::time::timeout(Duration::from_secs(30), module.lookup(subject, &cx))
        .await
        .ok()
}

async fn answered(module: &dyn Module, subject: &Indicator, answer: Answer) -> Outcome {
    let server = Server::start();
    server.on("*", answer);
    run(module, subject, &server)
        .await
        .expect("an outcome before the deadline")
}

fn could_not(outcome: Outcome) -> CouldNot {
    match outcome {
        Outcome::CouldNotLook(why) => why,
        other => panic!("{other:?}"),
    }
}

/// The value of a field in a two-column table.
fn field(outcome: &Outcome, name: &str) -> String {
    rows(report(outcome))
        .into_iter()
        .find(|r| r[0] == name)
        .map(|r| r[1].clone())
        .unwrap_or_default()
}

fn ip() -> Indicator {
    indicator(IndicatorType::Ip, "203.0.113.7")
}

fn domain() -> Indicator {
    indicator(IndicatorType::Domain, "example-shop.com")
}

/// A module, a subject and the file of a good answer.
type Case = (&'static dyn Module, Indicator, &'static str);

/// What every source can do wrong, and what it must be called.
fn troubled() -> [Case; 2] {
    [
        (&InternetDb, ip(), "internetdb/found.json"),
        (&Rdap, domain(), "rdap/domain.json"),
    ]
}

#[tokio::test]
async fn trouble_is_never_read_as_an_answer() {
    for (module, subject, good) in troubled() {
        let name = module.spec().name;
        let good = fixture(good);
        let limited = answered(
            module,
            &subject,
            Answer::new(429, "{}").header("retry-after", "17"),
        )
        .await;
        assert_eq!(
            could_not(limited),
            CouldNot::RateLimited { retry_s: Some(17) },
            "{name}"
        );
        for status in [500, 502, 503, 504, 400, 403, 418] {
            let why = could_not(answered(module, &subject, Answer::html(status)).await);
            assert!(
                matches!(why, CouldNot::Upstream { status: s, .. } if s == status),
                "{name} {status}: {why:?}"
            );
        }
        // A page of a proxy or of a wrong base URL, with 200 and with 404.
        for status in [200, 404] {
            let why = could_not(answered(module, &subject, Answer::html(status)).await);
            assert!(
                matches!(why, CouldNot::Upstream { status: s, .. } if s == status),
                "{name} {status}: {why:?}"
            );
        }
        for body in [
            "",
            "   ",
            "null",
            "[]",
            "{}",
            "1",
            "\"x\"",
            "{\"ip\":\"203.0.113.8\",\"ports\":[1]}",
            "{\"objectClassName\":\"entity\"}",
        ] {
            let why = could_not(answered(module, &subject, Answer::json(body)).await);
            assert!(
                matches!(why, CouldNot::Upstream { .. }),
                "{name} {body}: {why:?}"
            );
        }
        // Cut off in four ways.
        let half = good.len() / 2;
        for cut in [
            Answer::json(good.clone()).cut_after(half),
            Answer::json(good.clone()).cut_chunked_after(half),
            Answer::json(good.clone()).cut_close_after(half),
            Answer::json(good[..half].to_vec()),
        ] {
            let why = could_not(answered(module, &subject, cut).await);
            assert!(
                matches!(
                    &why,
                    CouldNot::Upstream { .. } | CouldNot::Unreachable { .. }
                ),
                "{name}: {why:?}"
            );
        }
        // Too large, and without an end.
        let mut huge = good.clone();
        huge.extend(vec![b' '; 9 * 1024 * 1024]);
        let why = could_not(answered(module, &subject, Answer::json(huge)).await);
        assert!(matches!(why, CouldNot::Upstream { .. }), "{name}: {why:?}");
        let why =
            could_not(answered(module, &subject, Answer::json(vec![b' '; 65_536]).endless()).await);
        assert!(matches!(why, CouldNot::Upstream { .. }), "{name}: {why:?}");
        // Closed without an answer; nobody there.
        let why = could_not(answered(module, &subject, Answer::close()).await);
        assert!(
            matches!(
                &why,
                CouldNot::Unreachable { .. } | CouldNot::Upstream { .. }
            ),
            "{name}: {why:?}"
        );
        let gone = Server::start();
        let base = gone.url();
        drop(gone);
        let http = client().bound(HostRule::new().allow_configured(&base).unwrap());
        let why = could_not(module.lookup(&subject, &context(&http, &base, None)).await);
        assert!(
            matches!(why, CouldNot::Unreachable { .. }),
            "{name}: {why:?}"
        );
        // Slow: the deadline of the caller counts, and the connection is given up.
        let slow = Server::start();
        slow.on("*", Answer::silence());
        let http = reaching(&[&slow]);
        let base = slow.url();
        let cx = context(&http, &base, None);
        let late =
            tokio::time::timeout(Duration::from_millis(300), module.lookup(&subject, &cx)).await;
        assert!(late.is_err(), "{name}");
        // An answer in small pieces is whole all the same.
        let pieces = answered(module, &subject, Answer::json(good).chunked(7)).await;
        assert!(matches!(pieces, Outcome::Found(_)), "{name}");
    }
}

#[tokio::test]
async fn internetdb_found() {
    let server = Server::start();
    server.on(
        "/203.0.113.7",
        Answer::json(fixture("internetdb/found.json")),
    );
    let got = run(&InternetDb, &ip(), &server).await.unwrap();
    assert_eq!(field(&got, "Open ports"), "22, 80, 443");
    assert_eq!(
        field(&got, "Host names"),
        "host7.example.net, www.example.org"
    );
    assert_eq!(field(&got, "Tags"), "eol-product, self-signed");
    assert!(field(&got, "Vulnerabilities (by version, not tested)").contains("CVE-2021-23017"));
    let r = report(&got);
    assert_eq!(r.verdict, Verdict::Unknown);
    assert_eq!(r.source_url, format!("{}/203.0.113.7", server.url()));
    assert_eq!(open(&r.raw).as_bytes(), fixture("internetdb/found.json"));
    let seen = server.seen();
    assert_eq!(
        (seen.len(), seen[0].method.as_str(), seen[0].target.as_str()),
        (1, "GET", "/203.0.113.7")
    );

    let got = answered(
        &InternetDb,
        &ip(),
        Answer::json(fixture("internetdb/c2.json")),
    )
    .await;
    assert_eq!(report(&got).verdict, Verdict::Suspicious);
    assert_eq!(report(&got).verdict_basis, "tags c2");
    assert_eq!(field(&got, "Software (CPE)"), "none");
}

#[tokio::test]
async fn internetdb_not_found() {
    let body = fixture("internetdb/not_found.json");
    let got = answered(
        &InternetDb,
        &ip(),
        Answer::new(404, body).header("content-type", "application/json"),
    )
    .await;
    assert!(matches!(got, Outcome::NotFound));
    // A value that it does not take is no answer about it.
    let got = answered(
        &InternetDb,
        &ip(),
        Answer::new(422, fixture("internetdb/invalid.json")),
    )
    .await;
    assert_eq!(
        could_not(got),
        CouldNot::Upstream {
            status: 422,
            detail: String::new()
        }
    );
    let v6 = indicator(IndicatorType::Ipv6, "2001:db8::1");
    assert!(matches!(
        could_not(answered(&InternetDb, &v6, Answer::json("{}")).await),
        CouldNot::Unsupported { .. }
    ));
    assert!(!InternetDb.spec().takes(IndicatorType::Ipv6));
}

#[tokio::test]
async fn rdap_of_a_domain() {
    let server = Server::start();
    server.on(
        "/domain/example-shop.com",
        Answer::json(fixture("rdap/domain.json")),
    );
    let got = run(&Rdap, &domain(), &server).await.unwrap();
    for (name, value) in [
        ("Name", "EXAMPLE-SHOP.COM"),
        ("Handle", "2336799_DOMAIN_COM-VRSN"),
        ("Registrar", "Example Registrar, Inc. (IANA 9998)"),
        ("Abuse contact", "abuse@registrar.example +1.5555550100"),
        (
            "Status",
            "client delete prohibited, client transfer prohibited",
        ),
        ("Created", "2026-11-27T04:00:00Z (3 days ago)"),
        ("Changed", "2026-11-28T10:11:12Z (2 days ago)"),
        ("Expires", "2027-11-27T04:00:00Z (in 361 days)"),
        ("Name servers", "a.ns.example.net, b.ns.example.net"),
        ("DNSSEC", "not signed"),
    ] {
        assert_eq!(field(&got, name), value, "{name}");
    }
    let r = report(&got);
    assert_eq!(r.verdict, Verdict::Unknown);
    assert_eq!(r.source_date.as_deref(), Some("2026-11-30T16:59:46Z"));
    assert_eq!(
        r.source_url,
        format!("{}/domain/example-shop.com", server.url())
    );
    assert!(
        server.seen()[0]
            .header("accept")
            .unwrap()
            .contains("application/rdap+json")
    );

    // A name below it: the registered one is another indicator that nobody named. Nothing is sent.
    let below = indicator(IndicatorType::Domain, "login.example-shop.com");
    let CouldNot::Unsupported { detail } = could_not(run(&Rdap, &below, &server).await.unwrap())
    else {
        panic!("asked about a name that nobody named");
    };
    assert!(detail.contains("only example-shop.com"), "{detail}");
    assert_eq!(server.seen().len(), 1);

    // A public suffix is nobody's: nothing is sent.
    let suffix = indicator(IndicatorType::Domain, "co.uk");
    assert!(matches!(
        could_not(run(&Rdap, &suffix, &server).await.unwrap()),
        CouldNot::Unsupported { .. }
    ));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn rdap_of_numbers() {
    let server = Server::start();
    server.on("/ip/203.0.113.7", Answer::json(fixture("rdap/ip.json")));
    server.on("/ip/203.0.113.0/24", Answer::json(fixture("rdap/ip.json")));
    server.on("/ip/2001:db8::1", Answer::json(fixture("rdap/ip6.json")));
    server.on("/autnum/64500", Answer::json(fixture("rdap/autnum.json")));
    for subject in [ip(), indicator(IndicatorType::Cidr, "203.0.113.0/24")] {
        let got = run(&Rdap, &subject, &server).await.unwrap();
        for (name, value) in [
            ("Name", "EXAMPLE-NET"),
            ("Handle", "NET-203-0-113-0-1"),
            ("Range", "203.0.113.0 – 203.0.113.255"),
            ("CIDR", "203.0.113.0/24"),
            ("Organisation", "Example Hosting LLC (United States)"),
            (
                "Abuse contact",
                "network-abuse@hosting.example +1-555-555-0101",
            ),
            ("Type", "DIRECT ALLOCATION"),
        ] {
            assert_eq!(field(&got, name), value, "{name}");
        }
        assert!(field(&got, "Created").starts_with("2023-12-28T22:24:33Z ("));
    }
    let got = run(
        &Rdap,
        &indicator(IndicatorType::Ipv6, "2001:db8::1"),
        &server,
    )
    .await
    .unwrap();
    assert_eq!(field(&got, "Country"), "NL");
    assert_eq!(field(&got, "Organisation"), "EX-MNT");
    assert_eq!(field(&got, "CIDR"), "2001:db8::/32");
    assert_eq!(field(&got, "Abuse contact"), "abuse@v6.example");
    let got = run(&Rdap, &indicator(IndicatorType::Asn, "AS64500"), &server)
        .await
        .unwrap();
    assert_eq!(field(&got, "AS numbers"), "AS64500");
    assert_eq!(field(&got, "Organisation"), "Example Hosting LLC (US)");
    // An answer about something else than was asked for.
    let got = answered(&Rdap, &ip(), Answer::json(fixture("rdap/domain.json"))).await;
    assert!(matches!(
        could_not(got),
        CouldNot::Upstream { status: 200, .. }
    ));
}

#[tokio::test]
async fn rdap_not_found_and_limits() {
    let body = || fixture("rdap/not_found.json");
    let rdap = |status| Answer::new(status, body()).header("content-type", "application/rdap+json");
    assert!(matches!(
        answered(&Rdap, &domain(), rdap(404)).await,
        Outcome::NotFound
    ));
    assert!(matches!(
        answered(&Rdap, &domain(), rdap(200)).await,
        Outcome::NotFound
    ));
    assert!(matches!(
        answered(&Rdap, &domain(), Answer::new(404, "")).await,
        Outcome::NotFound
    ));
    let limited = answered(
        &Rdap,
        &domain(),
        Answer::json(fixture("rdap/rate_limited.json")),
    )
    .await;
    assert_eq!(could_not(limited), CouldNot::RateLimited { retry_s: None });
}

/// A resolver and a memory with answers of the test.
struct Scripted {
    dns: Result<DnsAnswer, DnsError>,
    history: Result<Vec<Sighting>, String>,
}

impl DnsPort for Scripted {
    fn query<'a>(
        &'a self,
        name: &'a str,
        rtype: RecordType,
    ) -> Fut<'a, Result<DnsAnswer, DnsError>> {
        let named = matches!(rtype, RecordType::A | RecordType::Ptr);
        Box::pin(async move {
            match &self.dns {
                Ok(DnsAnswer::Records(records)) if named => Ok(DnsAnswer::Records(
                    records
                        .iter()
                        .map(|r| DnsRecord {
                            name: name.to_owned(),
                            ..r.clone()
                        })
                        .collect(),
                )),
                Ok(DnsAnswer::Records(_)) => Ok(DnsAnswer::Records(vec![])),
                other => other.clone(),
            }
        })
    }
}

impl HistoryPort for Scripted {
    fn sightings<'a>(
        &'a self,
        _indicator: &'a Indicator,
    ) -> Fut<'a, Result<Vec<Sighting>, String>> {
        Box::pin(async { self.history.clone() })
    }
}

async fn offline(module: &dyn Module, subject: &Indicator, world: &Scripted) -> Outcome {
    let cx = Context {
        dns: world,
        history: world,
        base_url_configured: false,
        ..context(&Nothing, "", None)
    };
    module.lookup(subject, &cx).await
}

fn world(dns: Result<DnsAnswer, DnsError>, history: Result<Vec<Sighting>, String>) -> Scripted {
    Scripted { dns, history }
}

#[tokio::test]
async fn dns_three_outcomes() {
    let record = DnsRecord {
        name: String::new(),
        rtype: "A".into(),
        ttl_s: 60,
        data: "192.0.2.1".into(),
    };
    let found = world(Ok(DnsAnswer::Records(vec![record])), Ok(vec![]));
    let got = offline(&Dns, &domain(), &found).await;
    assert_eq!(
        rows(report(&got)),
        [["A", "example-shop.com", "192.0.2.1", "60 s"]]
    );
    assert_eq!(report(&got).source_url, "dns:example-shop.com");
    let got = offline(&Dns, &ip(), &found).await;
    assert_eq!(cell(report(&got), 0, "Name"), "7.113.0.203.in-addr.arpa");
    let got = offline(&Dns, &indicator(IndicatorType::Ipv6, "2001:db8::1"), &found).await;
    assert!(cell(report(&got), 0, "Name").ends_with(".8.b.d.0.1.0.0.2.ip6.arpa"));

    let got = offline(
        &Dns,
        &domain(),
        &world(Ok(DnsAnswer::NoSuchName), Ok(vec![])),
    )
    .await;
    assert!(matches!(got, Outcome::NotFound));
    let got = offline(&Dns, &domain(), &world(Err(DnsError::TimedOut), Ok(vec![]))).await;
    assert_eq!(could_not(got), CouldNot::TimedOut);
    let got = offline(
        &Dns,
        &domain(),
        &world(Err(DnsError::Refused("SERVFAIL".into())), Ok(vec![])),
    )
    .await;
    assert_eq!(
        could_not(got),
        CouldNot::Unreachable {
            detail: "the resolver answered SERVFAIL".into()
        }
    );
}

#[tokio::test]
async fn cases_three_outcomes() {
    let none = || Ok(DnsAnswer::NoSuchName);
    let sighting = Sighting {
        case: "C7".into(),
        title: "Phish at reception".into(),
        first_ms: 1_795_000_000_000,
        last_ms: 1_796_000_000_000,
        role: "approved".into(),
        concluded: "blocked".into(),
    };
    let got = offline(&Cases, &ip(), &world(none(), Ok(vec![sighting]))).await;
    assert_eq!(
        rows(report(&got)),
        [[
            "C7",
            "Phish at reception",
            "2026-11-18T11:06:40Z",
            "2026-11-30T00:53:20Z",
            "approved",
            "blocked"
        ]]
    );
    assert!(matches!(
        offline(&Cases, &ip(), &world(none(), Ok(vec![]))).await,
        Outcome::NotFound
    ));
    let got = offline(
        &Cases,
        &ip(),
        &world(none(), Err("the database is locked".into())),
    )
    .await;
    assert_eq!(
        could_not(got),
        CouldNot::Unreachable {
            detail: "the database is locked".into()
        }
    );
}

#[tokio::test]
async fn special_and_unfurl_need_nothing() {
    let nothing = world(Err(DnsError::TimedOut), Err("none".into()));
    let got = offline(&Special, &ip(), &nothing).await;
    assert!(cell(report(&got), 0, "Value").contains("TEST-NET-3"));
    let unknown = indicator(IndicatorType::Md5, "0123456789abcdef0123456789abcdef");
    assert!(matches!(
        offline(&Special, &unknown, &nothing).await,
        Outcome::NotFound
    ));
    let url = indicator(
        IndicatorType::Url,
        "https://a.example/?u=https%3A%2F%2Fb.example%2F",
    );
    let got = offline(&Unfurl, &url, &nothing).await;
    assert!(
        rows(report(&got))
            .iter()
            .any(|r| r[0] == "query u › host" && r[1] == "b.example")
    );
    assert_eq!(report(&got).verdict, Verdict::Unknown);
}

#[test]
fn what_a_model_may_use_is_as_designed() {
    let facts = |m: &dyn Module| {
        (
            m.spec().ai_tool,
            m.spec().activity,
            m.spec().local_model_only,
        )
    };
    assert_eq!(facts(&Rdap), (true, Activity::Passive, false));
    assert_eq!(facts(&InternetDb), (true, Activity::Passive, false));
    assert_eq!(facts(&Dns), (false, Activity::Active, false));
    assert_eq!(facts(&Cases), (true, Activity::Offline, true));
    assert_eq!(facts(&Special), (true, Activity::Offline, false));
    assert_eq!(facts(&Unfurl), (true, Activity::Offline, false));
    for name in ["rdap", "internetdb", "dns", "cases", "special", "unfurl"] {
        assert_eq!(
            intel::registry()
                .iter()
                .filter(|m| m.spec().name == name)
                .count(),
            1,
            "{name}"
        );
    }
}

/// One place of a JSON text, changed.
#[derive(Clone, Debug)]
enum Change {
    Replace(usize, serde_json::Value),
    Cut(usize),
    Byte(usize, u8),
}

fn change() -> impl Strategy<Value = Change> {
    let value = prop_oneof![
        Just(serde_json::Value::Null),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
        Just(serde_json::json!([[[]], {}, "x", 1e300, -1])),
        any::<i64>().prop_map(serde_json::Value::from),
        "\\PC{0,20}".prop_map(serde_json::Value::from),
        Just(serde_json::json!("9".repeat(5000))),
    ];
    prop_oneof![
        (any::<usize>(), value).prop_map(|(at, v)| Change::Replace(at, v)),
        any::<usize>().prop_map(Change::Cut),
        (any::<usize>(), any::<u8>()).prop_map(|(at, b)| Change::Byte(at, b)),
    ]
}

fn places(value: &serde_json::Value) -> usize {
    1 + match value {
        serde_json::Value::Array(a) => a.iter().map(places).sum(),
        serde_json::Value::Object(o) => o.values().map(places).sum(),
        _ => 0,
    }
}

fn replace(value: &mut serde_json::Value, at: &mut usize, with: &serde_json::Value) {
    if *at == 0 {
        *value = with.clone();
        *at = usize::MAX;
        return;
    }
    *at -= 1;
    let inner: Vec<&mut serde_json::Value> = match value {
        serde_json::Value::Array(a) => a.iter_mut().collect(),
        serde_json::Value::Object(o) => o.values_mut().collect(),
        _ => return,
    };
    for v in inner {
        replace(v, at, with);
        if *at == usize::MAX {
            return;
        }
    }
}

fn changed(body: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut out = body.to_vec();
    for change in changes {
        match change {
            Change::Replace(at, with) => {
                let Ok(mut value) = serde_json::from_slice::<serde_json::Value>(&out) else {
                    continue;
                };
                let mut at = at % places(&value);
                replace(&mut value, &mut at, with);
                out = value.to_string().into_bytes();
            }
            Change::Cut(at) => out.truncate(at % (out.len() + 1)),
            Change::Byte(at, byte) if !out.is_empty() => {
                let at = at % out.len();
                out[at] = *byte;
            }
            Change::Byte(..) => {}
        }
    }
    out
}

/// Answers every request with the same body.
struct Always(u16, Vec<u8>);

impl kit::ports::HttpPort for Always {
    fn send<'a>(
        &'a self,
        _request: kit::ports::HttpRequest,
    ) -> Fut<'a, Result<kit::ports::HttpResponse, kit::ports::HttpError>> {
        let response = kit::ports::HttpResponse {
            status: self.0,
            headers: vec![],
            body: self.1.clone(),
        };
        Box::pin(async move { Ok(response) })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    // The sockets are tested above; this is about the readers.
    #[test]
    fn no_answer_makes_a_reader_panic(
        which in 0usize..6,
        status in prop_oneof![Just(200u16), Just(404), 100u16..600],
        changes in proptest::collection::vec(change(), 1..5),
    ) {
        let cases: [Case; 6] = [
            (&InternetDb, ip(), "internetdb/found.json"),
            (&InternetDb, ip(), "internetdb/not_found.json"),
            (&Rdap, domain(), "rdap/domain.json"),
            (&Rdap, ip(), "rdap/ip.json"),
            (&Rdap, indicator(IndicatorType::Asn, "AS64500"), "rdap/autnum.json"),
            (&Rdap, domain(), "rdap/not_found.json"),
        ];
        let (module, subject, file) = &cases[which];
        let http = Always(status, changed(&fixture(file), &changes));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let outcome = runtime.block_on(module.lookup(subject, &context(&http, "http://a.example", None)));
        if let Outcome::Found(report) = outcome {
            prop_assert!(report.table.rows.iter().all(|r| r.len() == report.table.columns.len()));
            prop_assert!(report.table.rows.len() < 60);
        }
    }
}
