//! The full screen as a person meets it: the program itself in a pseudo-terminal, with a case of 100,000
//! events and 2 MB of evidence. Prints one line a figure (docs/performance.md); `cargo bench --bench screen`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench prints, and one that cannot be set up has nothing to say"
)]

#[cfg(target_os = "linux")]
#[path = "../tests/store_support/mod.rs"]
mod store_support;
#[cfg(target_os = "linux")]
#[path = "../tests/support_large/mod.rs"]
mod support_large;
#[cfg(target_os = "linux")]
#[path = "../tests/support_model/mod.rs"]
mod support_model;
#[cfg(target_os = "linux")]
#[path = "../tests/support_pty/mod.rs"]
mod support_pty;
#[cfg(target_os = "linux")]
#[path = "../tests/support_stream/mod.rs"]
mod support_stream;

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("the bench of the screen needs /proc and a pseudo-terminal of Linux");
}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use super::support_large::{LAST_ANSWER, PER_TURN, database};
    use super::support_pty::{FRAME_END, Pty};
    use super::support_stream::model;
    use std::path::{Path, PathBuf};
    use std::time::{Duration, Instant};

    /// The program; another build of it with `RMM_ANALYST_BENCH_PROGRAM`, for a comparison.
    fn program() -> String {
        let built = env!("CARGO_BIN_EXE_rmm-analyst");
        std::env::var("RMM_ANALYST_BENCH_PROGRAM").unwrap_or_else(|_| built.to_owned())
    }

    const EVENTS: usize = 100_000;
    const EVIDENCE: usize = 2_000_000;
    const TOKENS: usize = 7_500;

    /// A home with its own copy of the large database, and a configuration that names this model server.
    struct Home(tempfile::TempDir);

    impl Home {
        fn new(url: &str) -> Self {
            let home = tempfile::tempdir().unwrap();
            std::fs::create_dir(home.path().join("data")).unwrap();
            std::fs::copy(large(), home.path().join("data/rmm-analyst.db")).unwrap();
            let text = format!("[model]\nbase_url = \"{url}\"\nmax_tokens = 65536\n");
            std::fs::write(home.path().join("config.toml"), text).unwrap();
            Self(home)
        }

        fn start(&self) -> Pty {
            let config = self.0.path().join("config.toml");
            let arguments = ["--config", config.to_str().unwrap()];
            Pty::start_with(&program(), &arguments, &[], self.0.path(), 140, 40)
        }
    }

    /// The large database, made once.
    fn large() -> PathBuf {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let file = dir.join(format!("bench-screen-{EVENTS}.db"));
        if !file.exists() {
            let fresh = tempfile::tempdir_in(dir).unwrap();
            database(&fresh.path().join("a.db"), EVENTS, EVIDENCE);
            std::fs::rename(fresh.path().join("a.db"), &file).unwrap();
        }
        file
    }

    fn say(what: &str, mut all: Vec<Duration>, target: &str) {
        all.sort();
        let at = |part: usize| all[(all.len() * part / 100).min(all.len() - 1)];
        println!(
            "{what}: median {:.1} ms, p99 {:.1} ms, most {:.1} ms of {} ({target})",
            ms(at(50)),
            ms(at(99)),
            ms(at(100)),
            all.len()
        );
    }

    fn ms(d: Duration) -> f64 {
        d.as_secs_f64() * 1_000.0
    }

    /// Opens the large case; how long from the key to the end of the story, and to the whole state.
    fn enter(pty: &mut Pty) -> (Duration, Duration) {
        pty.wait_for("large");
        pty.send(b"\x0f");
        pty.wait_for("▸ cases");
        pty.wait_quiet(Duration::from_millis(100));
        let pressed = Instant::now();
        pty.send(b"\r");
        let tail = pty.wait_for(LAST_ANSWER) - pressed;
        let count = format!("evidence ({})", EVENTS.div_ceil(PER_TURN) * 3);
        let whole = pty.wait_for(&count) - pressed;
        (tail, whole)
    }

    /// From a key to the end of the frame that shows it. Letters that no stream holds.
    fn press(pty: &mut Pty, n: usize) -> Duration {
        const LETTERS: &str = "абвгдежзиклмнопрстуфхцчшщыэюя";
        let letter = LETTERS.chars().nth(n % 29).unwrap().to_string();
        let mark = pty.mark();
        let pressed = Instant::now();
        pty.send(letter.as_bytes());
        let (shown, _) = pty.wait_bytes(mark, letter.as_bytes());
        let (_, at) = pty.wait_bytes(shown, FRAME_END);
        at - pressed
    }

    pub(super) fn main() {
        let server = model(TOKENS);
        let home = Home::new(&server.url());

        let (mut first, mut cases) = (Vec::new(), Vec::new());
        for _ in 0..20 {
            let mut pty = home.start();
            let (_, at) = pty.wait_bytes(0, FRAME_END);
            first.push(at - pty.started);
            cases.push(pty.wait_for("large") - pty.started);
            pty.send(b"\x11");
            pty.wait_end();
        }
        say("first frame", first, "target 50 ms");
        say("status and cases", cases, "target 50 ms");

        let (mut tails, mut wholes) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let mut pty = home.start();
            let (tail, whole) = enter(&mut pty);
            tails.push(tail);
            wholes.push(whole);
            pty.send(b"\x11");
            pty.wait_end();
        }
        say("a case of 100,000 events, its end", tails, "target 50 ms");
        say("the same, whole", wholes, "target 200 ms");

        let mut pty = home.start();
        pty.wait_for("large");
        pty.wait_quiet(Duration::from_millis(300));
        println!(
            "memory before a case is open: {:.1} MB",
            pty.kilobytes("VmRSS") as f64 / 1_000.0
        );
        enter(&mut pty);
        pty.send(b"/evidence 1\r");
        pty.wait_for("E1 as table");
        pty.send(b"v");
        pty.wait_for("a host among others");
        pty.wait_quiet(Duration::from_millis(500));
        println!(
            "memory with that case and its evidence open: {:.1} MB, at most {:.1} MB (target 60 MB)",
            pty.kilobytes("VmRSS") as f64 / 1_000.0,
            pty.kilobytes("VmHWM") as f64 / 1_000.0
        );

        pty.wait_quiet(Duration::from_secs(2));
        let (before, mark) = (pty.switches(), pty.mark());
        std::thread::sleep(Duration::from_secs(10));
        let woken: u64 = pty.switches().iter().map(|t| t.1).sum::<u64>()
            - before.iter().map(|t| t.1).sum::<u64>();
        println!(
            "idle for 10 s: {woken} times that any thread ran, {} bytes drawn (target 0)",
            pty.since(mark).len()
        );

        pty.send(b"\x05");
        pty.wait_quiet(Duration::from_millis(200));
        let still: Vec<_> = (0..200).map(|n| press(&mut pty, n)).collect();
        say("key to frame, nothing streams", still, "target 16 ms");
        pty.send(b"\x03");
        pty.wait_quiet(Duration::from_millis(200));

        pty.send(b"and what now?\r");
        let (began, mark) = (pty.wait_for("w000001"), pty.mark());
        let mut streaming = Vec::new();
        let limit = format!("w{:06}", TOKENS - 500);
        for n in 0.. {
            if n % 29 == 28 {
                pty.send(b"\x03");
            }
            streaming.push(press(&mut pty, n));
            std::thread::sleep(Duration::from_millis(7));
            if pty.screen().contains(&limit[..5]) || began.elapsed() > Duration::from_secs(40) {
                break;
            }
        }
        let took = began.elapsed();
        say(
            "key to frame, 500 tokens a second",
            streaming,
            "target 16 ms at p99",
        );
        println!(
            "  {} frames in {:.1} s; memory {:.1} MB, at most {:.1} MB",
            pty.frames(mark),
            took.as_secs_f64(),
            pty.kilobytes("VmRSS") as f64 / 1_000.0,
            pty.kilobytes("VmHWM") as f64 / 1_000.0
        );
    }
}
