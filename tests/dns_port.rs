//! The resolver port against a real name server (BIND's `named` or Knot's `knotd` from Debian) on
//! loopback, and against servers that misbehave.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail by panicking; clippy knows only functions marked as tests"
)]

mod support;

use intel::dns::Dns;
use kit::ports::{DnsAnswer, DnsError, DnsPort, DnsRecord, RecordType};
use kit::{Context, CouldNot, IndicatorType, Module, Outcome};
use rmm_analyst::runner::ports::dns::Resolver;
use std::net::{SocketAddr, TcpListener, UdpSocket as StdUdp};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::ports::{Nothing, context, indicator, report, rows};

const ZONE: &str = r#"$ORIGIN example.test.
$TTL 300
@        IN SOA ns1 hostmaster 2026113001 3600 600 86400 60
@        IN NS  ns1
@        IN MX  10 mail
@        IN MX  20 backup.example.net.
@        IN A   192.0.2.10
@        IN AAAA 2001:db8::10
@        IN TXT "v=spf1 -all" "second \"string\""
ns1      IN A   192.0.2.53
mail     IN A   192.0.2.25
www      IN CNAME @
dangling IN CNAME gone.example.test.
_dmarc   IN TXT "v=DMARC1; p=reject"
*.wild   IN A 192.0.2.99
sub.empty IN A 192.0.2.77
"#;

const REVERSE: &str = "$ORIGIN 2.0.192.in-addr.arpa.\n$TTL 300\n@ IN SOA ns1.example.test. hostmaster.example.test. 1 3600 600 86400 60\n\
                       @ IN NS ns1.example.test.\n10 IN PTR host10.example.test.\n";

/// A name server that ends with the test.
struct NameServer {
    child: Child,
    address: SocketAddr,
    _dir: tempfile::TempDir,
}

impl Drop for NameServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    dirs.extend(["/usr/sbin", "/usr/local/sbin", "/sbin"].map(PathBuf::from));
    dirs.iter().map(|d| d.join(name)).find(|p| p.is_file())
}

/// A port that is free for UDP and TCP at this moment.
fn free_port() -> u16 {
    for _ in 0..50 {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port();
        if StdUdp::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free for both UDP and TCP");
}

fn zone_files(dir: &Path) {
    // 60 long strings: 15 kB, far beyond any UDP answer.
    let big: String = (0..60)
        .map(|n| format!("big IN TXT \"{n:03} {}\"\n", "x".repeat(240)))
        .collect();
    std::fs::write(dir.join("example.test.zone"), format!("{ZONE}{big}")).unwrap();
    std::fs::write(dir.join("2.0.192.in-addr.arpa.zone"), REVERSE).unwrap();
}

fn start(program: &Path) -> Option<NameServer> {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().display().to_string();
    zone_files(dir.path());
    let port = free_port();
    let knot = program.ends_with("knotd");
    let config = if knot {
        format!(
            "server:\n  rundir: \"{root}\"\n  listen: [\"127.0.0.1@{port}\"]\ndatabase:\n  storage: \"{root}/db\"\nlog:\n  - target: stderr\n    any: error\n\
             zone:\n  - domain: example.test\n    file: \"{root}/example.test.zone\"\n  - domain: 2.0.192.in-addr.arpa\n    file: \"{root}/2.0.192.in-addr.arpa.zone\"\n"
        )
    } else {
        format!(
            "options {{ directory \"{root}\"; listen-on port {port} {{ 127.0.0.1; }}; listen-on-v6 {{ none; }}; pid-file none; session-keyfile none;\n\
               recursion no; empty-zones-enable no; notify no; dnssec-validation no; }};\ncontrols {{ }};\n\
             zone \"example.test\" {{ type primary; file \"example.test.zone\"; }};\n\
             zone \"2.0.192.in-addr.arpa\" {{ type primary; file \"2.0.192.in-addr.arpa.zone\"; }};\n"
        )
    };
    let file = dir.path().join("server.conf");
    std::fs::write(&file, config).unwrap();
    let mut command = Command::new(program);
    if knot {
        command.arg("-c").arg(&file);
    } else {
        command.args(["-f", "-n", "1", "-c"]).arg(&file);
    }
    let log = std::fs::File::create(dir.path().join("log")).unwrap();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap_or_else(|e| panic!("{} does not start: {e}", program.display()));
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        if child.try_wait().unwrap().is_some() {
            let _ = child.wait();
            return None;
        }
        if answers(address) {
            return Some(NameServer {
                child,
                address,
                _dir: dir,
            });
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Whether the server has loaded its zone: a plain SOA question, written by hand.
fn answers(address: SocketAddr) -> bool {
    let socket = StdUdp::bind("127.0.0.1:0").unwrap();
    socket
        .set_read_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    let question = b"\x12\x34\0\0\0\x01\0\0\0\0\0\0\x07example\x04test\0\0\x06\0\x01";
    let mut reply = [0_u8; 512];
    socket.send_to(question, address).is_ok()
        && socket
            .recv(&mut reply)
            .is_ok_and(|n| n > 12 && reply[3] & 0x0f == 0 && reply[7] > 0)
}

/// Every name server that is installed; at least one.
fn programs() -> Vec<PathBuf> {
    let found: Vec<PathBuf> = ["named", "knotd"].into_iter().filter_map(find).collect();
    assert!(
        !found.is_empty(),
        "no name server is installed: this test needs BIND or Knot; tests/run installs bind9 (apt-get install bind9)"
    );
    found
}

fn name_server(program: &Path) -> NameServer {
    // Another process may take the port between choosing and binding it.
    (0..5)
        .find_map(|_| start(program))
        .unwrap_or_else(|| panic!("{} did not come up", program.display()))
}

fn rt() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

fn resolver(servers: Vec<SocketAddr>) -> Resolver {
    Resolver::with_servers(servers, Duration::from_secs(5))
}

fn records(answer: Result<DnsAnswer, DnsError>) -> Vec<DnsRecord> {
    match answer {
        Ok(DnsAnswer::Records(r)) => r,
        other => panic!("{other:?}"),
    }
}

fn data(answer: Result<DnsAnswer, DnsError>) -> Vec<String> {
    let mut out: Vec<String> = records(answer)
        .into_iter()
        .map(|r| format!("{} {} {}", r.name, r.rtype, r.data))
        .collect();
    out.sort();
    out
}

#[test]
fn a_real_name_server_is_read() {
    for program in programs() {
        read_from(&name_server(&program));
    }
}

fn read_from(server: &NameServer) {
    let dns = resolver(vec![server.address]);
    rt().block_on(async {
        use RecordType::{A, Aaaa, Cname, Mx, Ns, Ptr, Soa, Txt};
        assert_eq!(
            data(dns.query("example.test", A).await),
            ["example.test A 192.0.2.10"]
        );
        assert_eq!(
            data(dns.query("example.test", Aaaa).await),
            ["example.test AAAA 2001:db8::10"]
        );
        assert_eq!(
            data(dns.query("example.test", Mx).await),
            [
                "example.test MX 10 mail.example.test",
                "example.test MX 20 backup.example.net"
            ]
        );
        assert_eq!(
            data(dns.query("example.test", Ns).await),
            ["example.test NS ns1.example.test"]
        );
        let soa = data(dns.query("example.test", Soa).await);
        assert!(
            soa[0].contains("ns1.example.test") && soa[0].contains("2026113001"),
            "{soa:?}"
        );
        assert_eq!(
            data(dns.query("example.test", Txt).await),
            [r#"example.test TXT "v=spf1 -all" "second \"string\"""#]
        );
        assert_eq!(
            data(dns.query("_dmarc.example.test", Txt).await),
            [r#"_dmarc.example.test TXT "v=DMARC1; p=reject""#]
        );
        assert_eq!(
            data(dns.query("www.example.test", Cname).await),
            ["www.example.test CNAME example.test"]
        );
        assert_eq!(
            data(dns.query("WWW.Example.test", A).await),
            [
                "example.test A 192.0.2.10",
                "www.example.test CNAME example.test"
            ]
        );
        assert_eq!(
            data(dns.query("x.wild.example.test", A).await),
            ["x.wild.example.test A 192.0.2.99"]
        );
        assert_eq!(
            data(dns.query("10.2.0.192.in-addr.arpa", Ptr).await),
            ["10.2.0.192.in-addr.arpa PTR host10.example.test"]
        );
        let ttl = records(dns.query("example.test", A).await)[0].ttl_s;
        assert_eq!(ttl, 300);

        // An alias to nowhere exists; the name it points to does not.
        assert_eq!(
            data(dns.query("dangling.example.test", A).await),
            ["dangling.example.test CNAME gone.example.test"]
        );
        assert_eq!(
            dns.query("gone.example.test", A).await,
            Ok(DnsAnswer::NoSuchName)
        );
        // A name without records of this type, and one that only has names below it, exist.
        assert_eq!(
            dns.query("mail.example.test", Mx).await,
            Ok(DnsAnswer::Records(vec![]))
        );
        assert_eq!(
            dns.query("empty.example.test", A).await,
            Ok(DnsAnswer::Records(vec![]))
        );

        // Over TCP, because UDP cannot carry it.
        let big = records(dns.query("big.example.test", Txt).await);
        assert_eq!(big.len(), 60);
        assert!(big.iter().all(|r| r.data.len() > 240));

        // A zone it does not serve.
        assert_eq!(
            dns.query("example.org", A).await,
            Err(DnsError::Refused("REFUSED".into()))
        );
        // Names that DNS cannot carry.
        let long = format!("{}.test", "a".repeat(64));
        assert!(matches!(
            dns.query(&long, A).await,
            Err(DnsError::Unreachable(_))
        ));
        assert!(matches!(
            dns.query("a..test", A).await,
            Err(DnsError::Unreachable(_))
        ));
    });
}

#[test]
fn the_next_server_is_asked_when_one_is_silent_or_dead() {
    let server = name_server(&programs()[0]);
    let silent = StdUdp::bind("127.0.0.1:0").unwrap();
    let dead = {
        let gone = StdUdp::bind("127.0.0.1:0").unwrap();
        gone.local_addr().unwrap()
    };
    let dns = Resolver::with_servers(
        vec![silent.local_addr().unwrap(), dead, server.address],
        Duration::from_millis(1500),
    );
    rt().block_on(async {
        assert_eq!(
            data(dns.query("example.test", RecordType::A).await),
            ["example.test A 192.0.2.10"]
        );
    });
}

#[test]
fn silence_is_a_time_out_and_a_closed_port_is_unreachable() {
    let silent = StdUdp::bind("127.0.0.1:0").unwrap();
    let dns = Resolver::with_servers(
        vec![silent.local_addr().unwrap()],
        Duration::from_millis(100),
    );
    rt().block_on(async {
        assert_eq!(
            dns.query("example.test", RecordType::A).await,
            Err(DnsError::TimedOut)
        );
    });
    let mut buffer = [0_u8; 600];
    silent.set_nonblocking(true).unwrap();
    let mut ids = Vec::new();
    while let Ok(n) = silent.recv(&mut buffer) {
        assert!(n > 12);
        ids.push([buffer[0], buffer[1]]);
    }
    assert_eq!(ids.len(), 2, "two tries, no more");

    let closed = StdUdp::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let dns = Resolver::with_servers(vec![closed], Duration::from_secs(2));
    rt().block_on(async {
        assert!(matches!(
            dns.query("example.test", RecordType::A).await,
            Err(DnsError::Unreachable(_))
        ));
    });
    rt().block_on(async {
        let nothing = Resolver::with_servers(vec![], Duration::from_secs(2));
        assert!(matches!(
            nothing.query("example.test", RecordType::A).await,
            Err(DnsError::Unreachable(_))
        ));
    });
}

/// Answers each datagram with what `reply` makes of it.
fn liar(reply: impl Fn(&[u8]) -> Vec<Vec<u8>> + Send + 'static) -> SocketAddr {
    let socket = StdUdp::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    std::thread::spawn(move || {
        let mut buffer = [0_u8; 2048];
        for _ in 0..16 {
            let Ok((n, from)) = socket.recv_from(&mut buffer) else {
                return;
            };
            for datagram in reply(&buffer[..n]) {
                let _ = socket.send_to(&datagram, from);
            }
        }
    });
    address
}

/// An answer to `question` with one A record, without the OPT record.
fn answer(question: &[u8], address: [u8; 4]) -> Vec<u8> {
    let mut end = 12;
    while question[end] != 0 {
        end += usize::from(question[end]) + 1;
    }
    let mut out = question[..end + 5].to_vec();
    out[2] = 0x81;
    out[3] = 0x80;
    out[7] = 1;
    out[11] = 0;
    out.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
    out.extend(address);
    out
}

#[test]
fn forged_and_broken_answers_do_not_count() {
    // First a wrong id, a wrong question, noise and an echo; then the truth.
    let address = liar(|q| {
        let truth = answer(q, [192, 0, 2, 1]);
        let mut wrong_id = answer(q, [203, 0, 113, 66]);
        wrong_id[0] ^= 0xff;
        let mut wrong_name = answer(q, [203, 0, 113, 66]);
        wrong_name[13] = b'z';
        vec![
            wrong_id,
            wrong_name,
            b"noise".to_vec(),
            vec![],
            q.to_vec(),
            truth,
        ]
    });
    rt().block_on(async {
        let got = data(
            resolver(vec![address])
                .query("example.test", RecordType::A)
                .await,
        );
        assert_eq!(got, ["example.test A 192.0.2.1"]);
    });

    // Nothing but forged ones: a time-out, not an answer.
    let address = liar(|q| {
        let mut forged = answer(q, [203, 0, 113, 66]);
        forged[1] ^= 1;
        vec![forged]
    });
    rt().block_on(async {
        let dns = Resolver::with_servers(vec![address], Duration::from_millis(200));
        assert_eq!(
            dns.query("example.test", RecordType::A).await,
            Err(DnsError::TimedOut)
        );
    });

    // A record that runs past the end of the message.
    let address = liar(|q| {
        let mut cut = answer(q, [192, 0, 2, 1]);
        cut.truncate(cut.len() - 3);
        vec![cut]
    });
    rt().block_on(async {
        let dns = Resolver::with_servers(vec![address], Duration::from_secs(2));
        assert!(matches!(
            dns.query("example.test", RecordType::A).await,
            Err(DnsError::Refused(_))
        ));
    });
}

#[test]
fn a_server_from_before_edns_is_asked_again_without() {
    let address = liar(|q| {
        if q[11] == 1 {
            let mut formerr = q[..12].to_vec();
            formerr[2] |= 0x80;
            formerr[3] = 1;
            formerr[5] = 0;
            formerr[11] = 0;
            vec![formerr]
        } else {
            vec![answer(q, [192, 0, 2, 7])]
        }
    });
    rt().block_on(async {
        let got = data(
            resolver(vec![address])
                .query("example.test", RecordType::A)
                .await,
        );
        assert_eq!(got, ["example.test A 192.0.2.7"]);
    });
}

#[test]
fn servfail_is_no_answer() {
    let address = liar(|q| {
        let mut fail = answer(q, [192, 0, 2, 1]);
        fail[3] = 0x82;
        vec![fail]
    });
    rt().block_on(async {
        let got = resolver(vec![address])
            .query("example.test", RecordType::A)
            .await;
        assert_eq!(got, Err(DnsError::Refused("SERVFAIL".into())));
    });
}

#[test]
fn the_module_reads_a_real_name_server() {
    let server = name_server(&programs()[0]);
    let dns = resolver(vec![server.address]);
    let ask = |kind, value: &str| {
        let cx = Context {
            dns: &dns,
            base_url_configured: false,
            ..context(&Nothing, "", None)
        };
        rt().block_on(Dns.lookup(&indicator(kind, value), &cx))
    };
    let found = ask(IndicatorType::Domain, "example.test");
    let mut types: Vec<String> = rows(report(&found))
        .into_iter()
        .map(|r| r[0].clone())
        .collect();
    types.dedup();
    assert_eq!(types, ["A", "AAAA", "MX", "NS", "TXT", "SOA"]);
    let found = ask(IndicatorType::Ip, "192.0.2.10");
    assert_eq!(rows(report(&found))[0][2], "host10.example.test");
    // Where an alias points is worth seeing, also when it points to nothing.
    let found = ask(IndicatorType::Domain, "dangling.example.test");
    assert_eq!(rows(report(&found))[0][2], "gone.example.test");
    assert!(matches!(
        ask(IndicatorType::Domain, "gone.example.test"),
        Outcome::NotFound
    ));
    assert!(matches!(
        ask(IndicatorType::Ip, "192.0.2.11"),
        Outcome::NotFound
    ));
    let refused = ask(IndicatorType::Domain, "example.org");
    assert!(
        matches!(refused, Outcome::CouldNotLook(CouldNot::Unreachable { .. })),
        "{refused:?}"
    );
}
