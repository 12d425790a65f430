//! The HTTP port against real sockets: which hosts it asks, what it does with redirects, keys, TLS and
//! bodies that are too long, too short or compressed.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking; clippy knows only functions marked as tests"
)]

mod support;

use kit::ports::{HttpError, HttpPort, HttpRequest, HttpResponse};
use rmm_analyst::config::settings::NetworkConfig;
use rmm_analyst::runner::ports::http::{BODY_CAP, BoundHttp, SetupError};
use rmm_analyst::runner::ports::{HostRule, HttpClient};
use secrecy::SecretString;
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;
use support::http::{Answer, Server};

const KEY: &str = "k3y-of-the-test-0123456789abcdef";
const SOON: Duration = Duration::from_secs(5);

fn network() -> NetworkConfig {
    NetworkConfig {
        proxy: Some(String::new()),
        ..NetworkConfig::default()
    }
}

fn client() -> HttpClient {
    HttpClient::new(&network()).expect("a client")
}

fn port(servers: &[&Server]) -> BoundHttp {
    let rule = servers.iter().fold(HostRule::new(), |rule, s| {
        rule.allow_configured(&s.url()).expect("a base URL")
    });
    client().bound(rule)
}

fn get(url: String) -> HttpRequest {
    HttpRequest::get(url)
}

fn keyed(url: String) -> HttpRequest {
    HttpRequest::get(url)
        .secret_header("auth-key", &SecretString::from(KEY))
        .secret_header(
            "authorization",
            &SecretString::from(format!("Bearer {KEY}")),
        )
        .header("x-plain", "stays")
}

async fn send(port: &BoundHttp, request: HttpRequest) -> Result<HttpResponse, HttpError> {
    tokio::time::timeout(Duration::from_secs(20), port.send(request))
        .await
        .expect("an end")
}

fn fixture(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/intel")
        .join(path)
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(fixture(path)).expect("a fixture")
}

#[tokio::test]
async fn sends_what_was_asked_and_reads_the_answer() {
    let server = Server::start();
    server.on("/a", Answer::json("{}").header("X-Some", "Thing"));
    server.on("/form", Answer::json("{}"));
    server.on("/json", Answer::json("{}"));
    let port = port(&[&server]);
    let answer = send(&port, keyed(format!("{}/a?b=c%20d#e", server.url())))
        .await
        .expect("an answer");
    assert_eq!(
        (answer.status, answer.body.as_slice()),
        (200, b"{}".as_slice())
    );
    assert_eq!(answer.header("x-some"), Some("Thing"));
    let form = vec![
        ("query".into(), "get_info".into()),
        ("hash".into(), "a b&c=é".into()),
    ];
    send(
        &port,
        HttpRequest::post_form(format!("{}/form", server.url()), form),
    )
    .await
    .expect("an answer");
    let json = r#"{"query":"search_ioc"}"#.to_owned();
    send(
        &port,
        HttpRequest::post_json(format!("{}/json", server.url()), json),
    )
    .await
    .expect("an answer");

    let seen = server.seen();
    assert_eq!(
        (seen[0].method.as_str(), seen[0].target.as_str()),
        ("GET", "/a?b=c%20d")
    );
    assert_eq!(seen[0].header("auth-key"), Some(KEY));
    assert_eq!(seen[0].header("accept"), Some("application/json"));
    assert_eq!(seen[0].header("accept-encoding"), Some("gzip"));
    assert_eq!(
        seen[0].header("user-agent"),
        Some(concat!("rmm-analyst/", env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(
        (seen[1].method.as_str(), seen[1].text().as_str()),
        ("POST", "query=get_info&hash=a+b%26c%3D%C3%A9")
    );
    assert_eq!(
        seen[1].header("content-type"),
        Some("application/x-www-form-urlencoded")
    );
    assert_eq!(seen[2].text(), r#"{"query":"search_ioc"}"#);
    assert_eq!(seen[2].header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn asks_no_host_that_is_not_named() {
    let (named, other) = (Server::start(), Server::start());
    named.on("*", Answer::json("{}"));
    other.on("*", Answer::json("{}"));
    let port = port(&[&named]);
    let refused = send(&port, keyed(format!("{}/{KEY}?k={KEY}", other.url())))
        .await
        .expect_err("a refusal");
    assert_eq!(refused, HttpError::HostRefused(other.addr().to_string()));
    for url in [
        "file:///etc/passwd",
        "nonsense",
        "",
        "ftp://127.0.0.1/",
        "http://",
    ] {
        let refused = send(&port, get(url.into())).await.expect_err(url);
        assert!(
            matches!(refused, HttpError::HostRefused(_)),
            "{url}: {refused:?}"
        );
    }
    // A host that code names is not asked where it is an address of this machine.
    let code = client().bound(HostRule::new().allow(&other.addr().to_string()));
    assert!(matches!(
        send(&code, get(other.url())).await,
        Err(HttpError::HostRefused(_))
    ));
    assert!(other.seen().is_empty() && named.seen().is_empty());
}

#[tokio::test]
async fn follows_five_redirects_and_no_sixth() {
    let server = Server::start();
    for n in 0..5 {
        server.on(
            &format!("/{n}"),
            Answer::redirect(302, &format!("/{}", n + 1)),
        );
    }
    server.on("/5", Answer::json("\"end\""));
    server.on("/round", Answer::redirect(301, "round"));
    let port = port(&[&server]);
    let answer = send(&port, keyed(format!("{}/0", server.url())))
        .await
        .expect("an answer");
    assert_eq!(answer.body, b"\"end\"");
    assert!(
        server
            .seen()
            .iter()
            .all(|s| s.header("auth-key") == Some(KEY)),
        "the same origin keeps the key"
    );
    let before = server.seen().len();
    assert!(matches!(
        send(&port, get(format!("{}/round", server.url()))).await,
        Err(HttpError::RedirectRefused(_))
    ));
    assert_eq!(server.seen().len() - before, 6, "the first and five more");
}

#[tokio::test]
async fn refuses_redirects_to_hosts_that_are_not_named() {
    let (server, other) = (Server::start(), Server::start());
    other.on("*", Answer::json("{}"));
    let places = [
        format!("{}/x?key={KEY}", other.url()),
        format!("//{}/", other.addr()),
        format!("http://{}@{}/", server.addr(), other.addr()),
        "http://169.254.169.254/latest/meta-data/".into(),
        "http://localhost/".into(),
        "http://[::1]/".into(),
        "file:///etc/passwd".into(),
        "javascript:alert(1)".into(),
        "http://[".into(),
    ];
    for (n, place) in places.iter().enumerate() {
        server.on(&format!("/{n}"), Answer::redirect(302, place));
    }
    let port = port(&[&server]);
    for (n, place) in places.iter().enumerate() {
        let refused = send(&port, keyed(format!("{}/{n}", server.url())))
            .await
            .expect_err(place);
        assert!(
            matches!(refused, HttpError::RedirectRefused(_)),
            "{place}: {refused:?}"
        );
        assert!(
            !format!("{refused:?} {refused}").contains(KEY),
            "{refused:?}"
        );
    }
    assert!(other.seen().is_empty());
    // Named by code only: still an address of this machine.
    let rule = HostRule::new()
        .allow_configured(&server.url())
        .expect("a URL")
        .allow(&other.addr().to_string());
    let refused = send(&client().bound(rule), get(format!("{}/0", server.url())))
        .await
        .expect_err("a refusal");
    assert_eq!(
        refused,
        HttpError::RedirectRefused(other.addr().to_string())
    );
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn keys_do_not_travel_to_another_origin() {
    let (first, second) = (Server::start(), Server::start());
    first.on(
        "*",
        Answer::redirect(307, &format!("http://user:pass@{}/next", second.addr())),
    );
    second.on("*", Answer::json("{}"));
    let port = port(&[&first, &second]);
    send(&port, keyed(format!("{}/a", first.url())))
        .await
        .expect("an answer");
    let seen = second.seen();
    assert_eq!(seen.len(), 1);
    let raw = String::from_utf8_lossy(&seen[0].raw).to_ascii_lowercase();
    assert!(
        !raw.contains(KEY) && !raw.contains("authorization") && !raw.contains("auth-key"),
        "{raw}"
    );
    assert_eq!(seen[0].header("x-plain"), Some("stays"));
}

#[tokio::test]
async fn a_redirected_post_repeats_or_becomes_a_get_as_the_status_says() {
    let server = Server::start();
    server.on("/end", Answer::json("{}"));
    let port = port(&[&server]);
    for (status, method, body) in [
        (301, "GET", ""),
        (302, "GET", ""),
        (303, "GET", ""),
        (307, "POST", "a=b"),
        (308, "POST", "a=b"),
    ] {
        let path = format!("/{status}");
        server.on(&path, Answer::redirect(status, "/end"));
        let form = vec![("a".into(), "b".into())];
        send(
            &port,
            HttpRequest::post_form(format!("{}{path}", server.url()), form),
        )
        .await
        .expect("an answer");
        let last = server.seen().pop().expect("a request");
        assert_eq!(
            (last.method.as_str(), last.text().as_str()),
            (method, body),
            "{status}"
        );
        assert_eq!(
            last.header("content-type").is_some(),
            method == "POST",
            "{status}"
        );
    }
    // A redirect without a place is the answer.
    server.on("/nowhere", Answer::new(302, "x"));
    assert_eq!(
        send(&port, get(format!("{}/nowhere", server.url())))
            .await
            .expect("an answer")
            .status,
        302
    );
}

#[tokio::test]
async fn bodies_are_capped_whatever_they_say_of_their_length() {
    let server = Server::start();
    server.on("/announced", Answer::new(200, vec![b'x'; BODY_CAP + 1]));
    server.on(
        "/endless",
        Answer::new(200, vec![b'x'; 64 * 1024]).endless(),
    );
    server.on(
        "/bomb",
        Answer::new(200, bytes("http/bomb.gz")).header("content-encoding", "gzip"),
    );
    server.on(
        "/bomb-chunked",
        Answer::new(200, bytes("http/bomb.gz"))
            .header("content-encoding", "gzip")
            .chunked(1_000),
    );
    server.on("/full", Answer::new(200, vec![b'x'; BODY_CAP]));
    server.on(
        "/full-chunked",
        Answer::new(200, vec![b'x'; BODY_CAP]).chunked(100_000),
    );
    let port = port(&[&server]);
    for path in ["announced", "endless", "bomb", "bomb-chunked"] {
        let error = send(&port, get(format!("{}/{path}", server.url())))
            .await
            .expect_err(path);
        assert_eq!(error, HttpError::TooLarge(BODY_CAP), "{path}");
    }
    assert!(
        server.gone(1, SOON).await,
        "the endless answer was not given up"
    );
    for path in ["full", "full-chunked"] {
        let answer = send(&port, get(format!("{}/{path}", server.url())))
            .await
            .expect(path);
        assert_eq!(answer.body.len(), BODY_CAP, "{path}");
    }
}

#[tokio::test]
async fn short_bodies_are_errors_and_never_short_answers() {
    let server = Server::start();
    let body = r#"{"query_status":"ok","data":[{"a":1}]}"#;
    let zipped = bytes("http/small.gz");
    server.on("/length", Answer::json(body).cut_after(body.len() - 1));
    server.on("/length-nothing", Answer::json(body).cut_after(0));
    server.on("/chunked", Answer::json(body).cut_chunked_after(10));
    server.on(
        "/chunked-all",
        Answer::json(body).cut_chunked_after(body.len()),
    );
    server.on(
        "/gzip",
        Answer::json(zipped.clone())
            .header("content-encoding", "gzip")
            .cut_close_after(zipped.len() / 2),
    );
    server.on(
        "/gzip-broken",
        Answer::json(&b"\x1f\x8b\x08\x00nonsense, not gzip"[..]).header("content-encoding", "gzip"),
    );
    server.on("/ok-close", Answer::json(body).until_close());
    server.on(
        "/ok-gzip",
        Answer::json(zipped.clone()).header("content-encoding", "gzip"),
    );
    let port = port(&[&server]);
    for path in [
        "length",
        "length-nothing",
        "chunked",
        "chunked-all",
        "gzip",
        "gzip-broken",
    ] {
        let error = send(&port, get(format!("{}/{path}", server.url())))
            .await
            .expect_err(path);
        assert_eq!(error, HttpError::Truncated, "{path}");
    }
    assert_eq!(
        send(&port, get(format!("{}/ok-close", server.url())))
            .await
            .expect("whole")
            .body,
        body.as_bytes()
    );
    let text = send(&port, get(format!("{}/ok-gzip", server.url())))
        .await
        .expect("whole")
        .body;
    assert!(
        text.starts_with(br#"{"query_status":"no_results""#) && text.ends_with(b"\"}"),
        "{}",
        text.len()
    );
}

#[tokio::test]
async fn dropping_the_call_closes_the_connection() {
    let server = Server::start();
    server.on("/silent", Answer::silence());
    server.on("/slow", Answer::json("{}").after(Duration::from_secs(30)));
    let port = port(&[&server]);
    for (n, path) in ["silent", "slow"].into_iter().enumerate() {
        let call = port.send(get(format!("{}/{path}", server.url())));
        assert!(
            tokio::time::timeout(Duration::from_millis(200), call)
                .await
                .is_err(),
            "{path}"
        );
        assert!(
            server.gone(n + 1, SOON).await,
            "{path}: the server did not see the end"
        );
    }
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn no_connection_and_no_answer_are_unreachable_without_details() {
    let free = TcpListener::bind(("127.0.0.1", 0))
        .expect("a port")
        .local_addr()
        .expect("its address");
    let dead = format!("http://{free}");
    let port = client().bound(HostRule::new().allow_configured(&dead).expect("a URL"));
    let error = send(&port, keyed(format!("{dead}/{KEY}?key={KEY}")))
        .await
        .expect_err("nobody");
    assert_eq!(error, HttpError::Unreachable("connection refused".into()));

    let server = Server::start();
    server.on("/close", Answer::close());
    let port = self::port(&[&server]);
    let error = send(&port, keyed(format!("{}/close?key={KEY}", server.url())))
        .await
        .expect_err("no answer");
    assert!(matches!(error, HttpError::Unreachable(_)), "{error:?}");
    assert_eq!(server.seen().len(), 1, "asked once, not again");
    for text in [format!("{error:?}"), error.to_string()] {
        assert!(!text.contains(KEY) && !text.contains("127.0.0.1"), "{text}");
    }
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_is_not_sent_and_not_shown() {
    let server = Server::start();
    let port = port(&[&server]);
    let bad = SecretString::from(format!("{KEY}\r\nx-injected: 1"));
    let request = get(server.url()).secret_header("auth-key", &bad);
    assert!(!format!("{request:?}").contains(KEY));
    let error = send(&port, request).await.expect_err("unsendable");
    assert!(!format!("{error:?} {error}").contains(KEY), "{error:?}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_proxy_is_used_for_hosts_outside_and_not_for_this_machine() {
    let (proxy, local) = (Server::start(), Server::start());
    proxy.on("http://api.example.com/x", Answer::json("\"by proxy\""));
    local.on("/x", Answer::json("\"direct\""));
    let client = HttpClient::new(&NetworkConfig {
        proxy: Some(proxy.url()),
        ..NetworkConfig::default()
    })
    .expect("a client");
    let port = client.bound(
        HostRule::new()
            .allow("api.example.com")
            .allow_configured(&local.url())
            .expect("a URL"),
    );
    let answer = send(&port, keyed("http://api.example.com/x".into()))
        .await
        .expect("an answer");
    assert_eq!(answer.body, b"\"by proxy\"");
    assert_eq!(
        send(&port, get(format!("{}/x", local.url())))
            .await
            .expect("an answer")
            .body,
        b"\"direct\""
    );
    // With TLS the proxy sees a CONNECT and no key.
    let error = send(&port, keyed("https://api.example.com/x".into()))
        .await
        .expect_err("no tunnel");
    assert!(matches!(error, HttpError::Unreachable(_)), "{error:?}");
    let seen = proxy.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(
        (seen[1].method.as_str(), seen[1].target.as_str()),
        ("CONNECT", "api.example.com:443")
    );
    assert!(!String::from_utf8_lossy(&seen[1].raw).contains(KEY));
    // The rule holds with a proxy too.
    assert!(matches!(
        send(&port, get("http://evil.example/".into())).await,
        Err(HttpError::HostRefused(_))
    ));
    assert_eq!(proxy.seen().len(), 2);
}

/// Runs itself again with a proxy in the environment, since a test must not change its own.
#[tokio::test]
async fn without_a_setting_the_proxy_of_the_environment_is_used() {
    const MARK: &str = "RMM_ANALYST_TEST_PROXY";
    if std::env::var_os(MARK).is_some() {
        let client = HttpClient::new(&NetworkConfig::default()).expect("a client");
        let port = client.bound(HostRule::new().allow("api.example.com"));
        let answer = send(&port, get("http://api.example.com/env".into()))
            .await
            .expect("an answer");
        assert_eq!(answer.body, b"\"by proxy\"");
        return;
    }
    let proxy = Server::start();
    proxy.on("http://api.example.com/env", Answer::json("\"by proxy\""));
    let name = "without_a_setting_the_proxy_of_the_environment_is_used";
    let run = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", name])
        .env_clear()
        .env(MARK, "1")
        .env("HTTP_PROXY", proxy.url())
        .env("http_proxy", proxy.url())
        .output()
        .expect("a run");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stdout)
    );
    assert_eq!(
        proxy.seen().len(),
        1,
        "the other run asked through the proxy"
    );
}

#[tokio::test]
async fn a_key_in_the_host_of_a_redirect_is_not_shown() {
    let server = Server::start();
    server.on(
        "/raw",
        Answer::redirect(302, &format!("http://{KEY}.evil.example/")),
    );
    server.on(
        "/upper",
        Answer::redirect(
            302,
            &format!("http://{}.evil.example/", KEY.to_ascii_uppercase()),
        ),
    );
    let port = port(&[&server]);
    for path in ["raw", "upper"] {
        let error = send(&port, keyed(format!("{}/{path}", server.url())))
            .await
            .expect_err(path);
        assert_eq!(error, HttpError::RedirectRefused("another host".into()));
    }
}

#[test]
fn bad_settings_are_refused_with_a_reason_and_without_passwords() {
    for proxy in [
        "nonsense",
        "ftp://proxy.example:21",
        "http://user:s3cr3tpw@",
        "gopher://s3cr3tpw@x",
    ] {
        let error = HttpClient::new(&NetworkConfig {
            proxy: Some(proxy.into()),
            ..NetworkConfig::default()
        })
        .err()
        .unwrap_or_else(|| panic!("{proxy} was taken"));
        assert!(matches!(error, SetupError::Proxy(_)), "{error}");
        assert!(!error.to_string().contains("s3cr3tpw"), "{error}");
    }
    for proxy in [
        "",
        "http://proxy.example:8080",
        "https://user:pw@proxy.example",
        "socks5://127.0.0.1:1080",
    ] {
        assert!(
            HttpClient::new(&NetworkConfig {
                proxy: Some(proxy.into()),
                ..NetworkConfig::default()
            })
            .is_ok(),
            "{proxy}"
        );
    }
    for file in [
        "/no/such/file.pem",
        "tests/fixtures/intel/README.md",
        "tests",
    ] {
        let error = HttpClient::new(&NetworkConfig {
            ca_file: Some(file.into()),
            ..NetworkConfig::default()
        })
        .err();
        assert!(
            matches!(error, Some(SetupError::CaFile(_))),
            "{file}: {error:?}"
        );
    }
}

mod tls {
    use super::*;
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use std::io::{Read, Write};
    use std::net::SocketAddr;
    use std::sync::{Arc, Mutex};
    use std::thread;

    type Heard = Arc<Mutex<Vec<u8>>>;

    /// Answers one TLS connection with `answer`; what it read is kept.
    fn serve_once(name: &str, answer: String) -> (SocketAddr, Heard) {
        let cert = CertificateDer::from_pem_file(fixture(&format!("tls/{name}.pem")))
            .expect("a certificate");
        let key =
            PrivateKeyDer::from_pem_file(fixture(&format!("tls/{name}.key"))).expect("its key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![cert], key)
            .expect("a server");
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let addr = listener.local_addr().expect("its address");
        let heard = Heard::default();
        let kept = Arc::clone(&heard);
        thread::spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else {
                return;
            };
            let Ok(mut connection) = rustls::ServerConnection::new(Arc::new(config)) else {
                return;
            };
            let mut tls = rustls::Stream::new(&mut connection, &mut stream);
            let mut buf = [0_u8; 8_192];
            if let Ok(n) = tls.read(&mut buf) {
                kept.lock().expect("a lock").extend_from_slice(&buf[..n]);
                let _ = tls.write_all(answer.as_bytes());
                connection.send_close_notify();
                let _ = connection.complete_io(&mut stream);
            }
        });
        (addr, heard)
    }

    fn ok() -> String {
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}".into()
    }

    fn trusting(file: Option<&str>) -> HttpClient {
        let ca_file = file.map(|f| fixture(f).to_string_lossy().into_owned());
        HttpClient::new(&NetworkConfig {
            ca_file,
            ..network()
        })
        .expect("a client")
    }

    async fn ask(client: &HttpClient, addr: SocketAddr) -> Result<HttpResponse, HttpError> {
        let base = format!("https://{addr}");
        let port = client.bound(HostRule::new().allow_configured(&base).expect("a URL"));
        send(&port, keyed(base)).await
    }

    #[tokio::test]
    async fn a_named_authority_is_trusted_and_an_unknown_one_is_not() {
        let (addr, heard) = serve_once("loopback", ok());
        assert_eq!(
            ask(&trusting(Some("tls/ca.pem")), addr)
                .await
                .expect("an answer")
                .body,
            b"{}"
        );
        assert!(String::from_utf8_lossy(&heard.lock().expect("a lock")).contains(KEY));

        let (addr, heard) = serve_once("loopback", ok());
        let error = ask(&trusting(None), addr).await.expect_err("untrusted");
        assert_eq!(
            error,
            HttpError::Unreachable("the certificate's authority is not trusted".into())
        );
        assert!(
            heard.lock().expect("a lock").is_empty(),
            "nothing is sent before the certificate is checked"
        );
    }

    #[tokio::test]
    async fn a_certificate_for_another_name_is_refused() {
        let (addr, heard) = serve_once("other", ok());
        let error = ask(&trusting(Some("tls/ca.pem")), addr)
            .await
            .expect_err("another name");
        assert_eq!(
            error,
            HttpError::Unreachable("the certificate is for another name".into())
        );
        assert!(heard.lock().expect("a lock").is_empty());
    }

    #[tokio::test]
    async fn no_redirect_from_https_to_http() {
        let plain = Server::start();
        plain.on("*", Answer::json("{}"));
        let (addr, _) = serve_once(
            "loopback",
            format!(
                "HTTP/1.1 302 Found\r\nlocation: {}/\r\ncontent-length: 0\r\n\r\n",
                plain.url()
            ),
        );
        let base = format!("https://{addr}");
        let rule = HostRule::new()
            .allow_configured(&base)
            .expect("a URL")
            .allow_configured(&plain.url())
            .expect("a URL");
        let error = send(&trusting(Some("tls/ca.pem")).bound(rule), keyed(base))
            .await
            .expect_err("a downgrade");
        assert!(
            matches!(&error, HttpError::RedirectRefused(to) if to.contains("without TLS")),
            "{error:?}"
        );
        assert!(plain.seen().is_empty());
    }

    #[tokio::test]
    async fn something_that_is_not_tls_is_unreachable() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let addr = listener.local_addr().expect("its address");
        thread::spawn(move || {
            if let Ok((mut stream, _)) = listener.accept() {
                let _ = stream.read(&mut [0_u8; 1_024]);
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
            }
        });
        let error = ask(&trusting(None), addr).await.expect_err("not TLS");
        assert!(matches!(error, HttpError::Unreachable(_)), "{error:?}");
    }
}
