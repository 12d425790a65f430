//! The data sets on disk, downloaded from a local server over real sockets, and `rdap` on top of them.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking; clippy knows only functions marked as tests"
)]

mod support;

use intel::rdap::Rdap;
use kit::ports::{DataPort, DataSet, DataSpec};
use kit::{Context, CouldNot, Indicator, IndicatorType, Module, Outcome};
use rmm_analyst::config::settings::NetworkConfig;
use rmm_analyst::runner::ports::data::{DataStore, UpdateError, sets_of};
use rmm_analyst::runner::ports::http::BoundHttp;
use rmm_analyst::runner::ports::{HostRule, HttpClient};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use support::http::{Answer, Server};
use support::ports::{NOW_MS, Nothing, indicator, report, rows};

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

/// Data sets of the test: RDAP's names with the URLs of a local server. Leaked, because a spec is static.
fn specs(server: &Server) -> Vec<DataSpec> {
    let at = |name: &str| -> &'static str {
        Box::leak(format!("{}/{name}", server.url()).into_boxed_str())
    };
    ["dns", "ipv4", "ipv6", "asn"]
        .into_iter()
        .zip([
            "rdap-dns.json",
            "rdap-ipv4.json",
            "rdap-ipv6.json",
            "rdap-asn.json",
        ])
        .map(|(file, name)| DataSpec {
            name,
            url: at(file),
            fresh_s: 3600,
            about: "test",
        })
        .collect()
}

fn store(dir: &Path, specs: Vec<DataSpec>) -> DataStore {
    let client = client();
    let http_for = move |url: &str| -> Arc<dyn kit::ports::HttpPort> {
        Arc::new(client.bound(HostRule::new().allow_configured(url).unwrap()))
    };
    DataStore::new(dir, specs, Box::new(http_for))
}

fn bootstrap(entry: &str, base: &str) -> String {
    format!(
        r#"{{"version":"1.0","publication":"2026-11-01T00:00:00Z","services":[[["{entry}"],["{base}"]]]}}"#
    )
}

async fn run_bootstrapped(subject: &Indicator, data: &DataStore, http: &BoundHttp) -> Outcome {
    let cx = Context {
        http,
        dns: &Nothing,
        data,
        history: &Nothing,
        now_ms: NOW_MS,
        key: None,
        base_url: Rdap.spec().base_url,
        base_url_configured: false,
    };
    tokio::time::timeout(Duration::from_secs(30), Rdap.lookup(subject, &cx))
        .await
        .expect("an end")
}

#[tokio::test]
async fn rdap_finds_its_server_through_the_bootstrap_files() {
    let (iana, arin, ripe, evil) = (
        Server::start(),
        Server::start(),
        Server::start(),
        Server::start(),
    );
    iana.on(
        "/dns",
        Answer::json(bootstrap("com", &format!("{}/com/v1/", arin.url()))),
    );
    iana.on(
        "/ipv4",
        Answer::json(bootstrap(
            "203.0.0.0/8",
            &format!("{}/registry/", arin.url()),
        )),
    );
    iana.on(
        "/ipv6",
        Answer::json(bootstrap("2001:db8::/32", &ripe.url())),
    );
    iana.on("/asn", Answer::html(503));
    arin.on(
        "/com/v1/domain/example-shop.com",
        Answer::json(fixture("rdap/domain.json")),
    );
    // The address was moved to another registry, as happens every day.
    arin.on(
        "/registry/ip/203.0.113.7",
        Answer::redirect(301, &format!("{}/ip/203.0.113.7", ripe.url())),
    );
    arin.on(
        "/registry/ip/203.0.113.8",
        Answer::redirect(302, &format!("{}/ip/203.0.113.8", evil.url())),
    );
    ripe.on("/ip/203.0.113.7", Answer::json(fixture("rdap/ip.json")));
    evil.on("*", Answer::json(fixture("rdap/ip.json")));
    let dir = tempfile::tempdir().unwrap();
    let data = store(dir.path(), specs(&iana));

    // The hosts that the files name are the ones that may be asked.
    let named = data.hosts_for(Rdap.spec()).await;
    for server in [&arin, &ripe] {
        assert!(named.contains(&server.addr().to_string()), "{named:?}");
    }
    assert!(!named.contains(&evil.addr().to_string()));

    let http = reaching(&[&arin, &ripe]);
    let got = run_bootstrapped(&domain(), &data, &http).await;
    assert_eq!(field(&got, "Name"), "EXAMPLE-SHOP.COM");
    let got = run_bootstrapped(&ip(), &data, &http).await;
    assert_eq!(field(&got, "Name"), "EXAMPLE-NET");
    let got = run_bootstrapped(&indicator(IndicatorType::Ip, "203.0.113.8"), &data, &http).await;
    assert!(matches!(could_not(got), CouldNot::Unreachable { .. }));
    assert!(evil.seen().is_empty(), "a host outside the files was asked");

    // No registry is listed for it; the list cannot be had.
    let got = run_bootstrapped(
        &indicator(IndicatorType::Domain, "example.de"),
        &data,
        &http,
    )
    .await;
    assert!(matches!(could_not(got), CouldNot::Unsupported { .. }));
    let got = run_bootstrapped(&indicator(IndicatorType::Asn, "AS64500"), &data, &http).await;
    assert!(matches!(could_not(got), CouldNot::Unreachable { .. }));
    // Each file was fetched once, however often it was used.
    assert_eq!(iana.seen().iter().filter(|s| s.target == "/dns").count(), 1);
}

#[tokio::test]
async fn data_sets_are_kept_renewed_and_survive_a_dead_network() {
    let server = Server::start();
    server.on("/dns", Answer::json(r#"{"v":1}"#));
    server.on("/dns", Answer::html(200));
    server.on("/dns", Answer::new(500, ""));
    server.on("/dns", Answer::json(r#"{"v":2}"#));
    let dir = tempfile::tempdir().unwrap();
    let now = Arc::new(AtomicU64::new(1_796_058_000));
    let clock = {
        let now = Arc::clone(&now);
        move || -> Box<dyn Fn() -> SystemTime + Send + Sync> {
            let now = Arc::clone(&now);
            Box::new(move || UNIX_EPOCH + Duration::from_secs(now.load(Ordering::SeqCst)))
        }
    };
    let data = store(dir.path(), specs(&server)).with_clock(clock());
    assert!(
        data.list()
            .iter()
            .all(|i| i.fetched_ms.is_none() && !i.fresh)
    );
    let text = |set: DataSet| String::from_utf8(set.bytes.to_vec()).unwrap();

    let first = data.get("rdap-dns.json").await.unwrap();
    assert_eq!(first.fetched_ms, 1_796_058_000_000);
    assert_eq!(text(first), r#"{"v":1}"#);
    let info = &data.list()[0];
    assert_eq!(
        (info.bytes, info.fetched_ms, info.fresh),
        (7, Some(1_796_058_000_000), true)
    );
    // Fresh: no request, also not from another process.
    data.get("rdap-dns.json").await.unwrap();
    store(dir.path(), specs(&server))
        .with_clock(clock())
        .get("rdap-dns.json")
        .await
        .unwrap();
    assert_eq!(server.seen().len(), 1);

    // Old, and the source sends a login page: the old copy is used, and not asked for again at once.
    now.fetch_add(4000, Ordering::SeqCst);
    assert!(!data.list()[0].fresh);
    for _ in 0..3 {
        let old = data.get("rdap-dns.json").await.unwrap();
        assert_eq!(
            (old.fetched_ms, text(old)),
            (1_796_058_000_000, r#"{"v":1}"#.into())
        );
    }
    assert_eq!(server.seen().len(), 2);
    // Later it is tried again, in vain and then with success.
    now.fetch_add(700, Ordering::SeqCst);
    assert_eq!(text(data.get("rdap-dns.json").await.unwrap()), r#"{"v":1}"#);
    now.fetch_add(700, Ordering::SeqCst);
    assert_eq!(text(data.get("rdap-dns.json").await.unwrap()), r#"{"v":2}"#);
    assert_eq!(server.seen().len(), 4);
    let left: Vec<String> = std::fs::read_dir(dir.path().join("data"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["rdap-dns.json"], "no half file stays");

    // The clock was set back: the copy does not count as fresh until then.
    now.store(1_700_000_000, Ordering::SeqCst);
    assert!(!data.list()[0].fresh);
    // No name of a set leaves the directory.
    assert!(data.get("../../etc/passwd").await.is_err());
    assert!(data.get("").await.is_err());
}

#[tokio::test]
async fn data_update_brings_one_or_all_and_says_what_failed() {
    let server = Server::start();
    server.on("/dns", Answer::json(r#"{"v":1}"#));
    server.on("/ipv4", Answer::json(r#"{"v":1}"#).cut_after(3));
    server.on("/ipv6", Answer::json("{\"v\":"));
    server.on("/asn", Answer::json(""));
    let dir = tempfile::tempdir().unwrap();
    let data = store(dir.path(), specs(&server));
    let all = data.update(None).await.unwrap();
    let ok: Vec<bool> = all.iter().map(|(_, r)| r.is_ok()).collect();
    assert_eq!(ok, [true, false, false, false], "{all:?}");
    let one = data.update(Some("rdap-dns.json")).await.unwrap();
    assert!(one.len() == 1 && one[0].1.is_ok());
    assert_eq!(
        server.seen().iter().filter(|s| s.target == "/dns").count(),
        2,
        "an update downloads a fresh set too"
    );
    assert!(matches!(
        data.update(Some("nonsense")).await,
        Err(UpdateError::Unknown(_))
    ));
    // What failed left nothing behind that could be taken for the set.
    assert_eq!(
        data.list()
            .iter()
            .filter(|i| i.fetched_ms.is_some())
            .count(),
        1
    );
}

#[tokio::test]
async fn a_damaged_or_unwritable_copy_does_no_harm() {
    let server = Server::start();
    server.on("/dns", Answer::json(r#"{"v":1}"#));
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("data")).unwrap();
    std::fs::write(dir.path().join("data/rdap-dns.json"), "{\"v\":").unwrap();
    let data = store(dir.path(), specs(&server));
    assert_eq!(
        &data.get("rdap-dns.json").await.unwrap().bytes[..],
        br#"{"v":1}"#
    );
    // The directory's place is taken by a file: the set is used without being kept, and fetched once.
    let before = server.seen().len();
    let blocked = tempfile::tempdir().unwrap();
    std::fs::write(blocked.path().join("data"), "").unwrap();
    let data = store(blocked.path(), specs(&server));
    assert_eq!(
        &data.get("rdap-dns.json").await.unwrap().bytes[..],
        br#"{"v":1}"#
    );
    data.get("rdap-dns.json").await.unwrap();
    assert_eq!(server.seen().len(), before + 1);
}

#[tokio::test]
async fn a_dead_source_is_waited_for_once() {
    let server = Server::start();
    server.on("*", Answer::new(503, ""));
    let dir = tempfile::tempdir().unwrap();
    let now = Arc::new(AtomicU64::new(1_796_058_000));
    let clock = Arc::clone(&now);
    let data = store(dir.path(), specs(&server)).with_clock(Box::new(move || {
        UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::SeqCst))
    }));
    assert!(data.hosts_for(Rdap.spec()).await.is_empty());
    assert_eq!(server.seen().len(), 4);
    let why = data.get("rdap-dns.json").await.unwrap_err();
    assert!(why.to_string().contains("503"), "{why}");
    assert_eq!(
        server.seen().len(),
        4,
        "the same look-up does not ask again"
    );
    now.fetch_add(31, Ordering::SeqCst);
    assert!(data.get("rdap-dns.json").await.is_err());
    assert_eq!(server.seen().len(), 5, "the next one does");
}

#[test]
fn the_sets_of_the_program_are_each_named_once() {
    let sets = sets_of(intel::registry());
    let names: Vec<&str> = sets.iter().map(|s| s.name).collect();
    for name in [
        "rdap-dns.json",
        "rdap-ipv4.json",
        "rdap-ipv6.json",
        "rdap-asn.json",
    ] {
        assert_eq!(names.iter().filter(|n| **n == name).count(), 1, "{name}");
    }
    for set in sets {
        let plain = set
            .name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b));
        assert!(
            plain && !set.name.starts_with('.'),
            "{}: the name is a file name",
            set.name
        );
        assert!(set.fresh_s > 0 && !set.about.is_empty());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn data_sets_are_for_the_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start();
    server.on("/dns", Answer::json(r#"{"v":1}"#));
    let dir = tempfile::tempdir().unwrap();
    let data = store(dir.path(), specs(&server));
    data.get("rdap-dns.json").await.unwrap();
    let mode = |p: &Path| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.path().join("data")), 0o700);
    assert_eq!(mode(&dir.path().join("data/rdap-dns.json")), 0o600);
}

#[tokio::test]
async fn many_who_want_the_same_set_fetch_it_once() {
    let server = Server::start();
    server.on(
        "/dns",
        Answer::json(r#"{"v":1}"#).after(Duration::from_millis(200)),
    );
    let dir = tempfile::tempdir().unwrap();
    let data = Arc::new(store(dir.path(), specs(&server)));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let data = Arc::clone(&data);
            tokio::spawn(async move { data.get("rdap-dns.json").await.is_ok() })
        })
        .collect();
    for task in tasks {
        assert!(task.await.unwrap());
    }
    assert_eq!(server.seen().len(), 1);
}
