//! The program in a pseudo-terminal of its own, without a shell between: what it writes, when it came,
//! what a terminal would show of it, and how the terminal's modes stand.
#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// What every frame ends with.
pub(crate) const FRAME_END: &[u8] = b"\x1b[?2026l";

/// How long anything may take on a machine where other work runs.
pub(crate) const LIMIT: Duration = Duration::from_secs(90);

/// What came so far.
struct Seen {
    bytes: Vec<u8>,
    /// Where each reading ended, and when it came.
    times: Vec<(usize, Instant)>,
    vt: vt100::Parser,
}

pub(crate) struct Pty {
    master: File,
    slave: OwnedFd,
    child: Child,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    before: String,
    pub(crate) started: Instant,
}

impl Pty {
    /// Starts the program as the leader of a new session on a terminal of this size. `dir` is its home
    /// and holds its data; there is no session bus, so no keyring.
    pub(crate) fn start(program: &str, dir: &Path, cols: u16, rows: u16) -> Self {
        Self::start_with(program, &[], &[], dir, cols, rows)
    }

    pub(crate) fn start_with(
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
        dir: &Path,
        cols: u16,
        rows: u16,
    ) -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        tcsetwinsize(&master, winsize(cols, rows)).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let open = || {
            let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
            rustix::fs::open(name.as_c_str(), flags, Mode::empty()).unwrap()
        };
        let slave = open();
        let before = modes(&tcgetattr(&slave).unwrap());
        // `setsid --ctty` makes the pseudo-terminal the controlling one and becomes the program.
        let mut command = Command::new("setsid");
        command
            .arg("--ctty")
            .arg(program)
            .args(arguments)
            .current_dir(dir)
            .env("HOME", dir)
            .env("XDG_CONFIG_HOME", dir)
            .env("RMM_ANALYST_DATA_DIR", dir.join("data"))
            .env("USER", "anna")
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::from(open()))
            .stdout(Stdio::from(open()))
            .stderr(Stdio::from(open()));
        for name in [
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
            "RMM_ANALYST_CONFIG",
            "NO_COLOR",
            "TMUX",
        ] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        let started = Instant::now();
        let child = command.spawn().expect("setsid (util-linux) is there");
        let seen = Arc::new((
            Mutex::new(Seen {
                bytes: Vec::new(),
                times: Vec::new(),
                vt: emulator(cols, rows),
            }),
            Condvar::new(),
        ));
        let master = File::from(master);
        let (mut from, sink) = (master.try_clone().unwrap(), seen.clone());
        std::thread::spawn(move || {
            let mut buffer = vec![0_u8; 64 * 1024];
            while let Ok(n) = from.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                let at = Instant::now();
                let mut seen = sink.0.lock().unwrap();
                seen.bytes.extend_from_slice(&buffer[..n]);
                let end = seen.bytes.len();
                seen.times.push((end, at));
                seen.vt.process(&buffer[..n]);
                sink.1.notify_all();
            }
        });
        Self {
            master,
            slave,
            child,
            seen,
            before,
            started,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.master.write_all(bytes).unwrap();
    }

    /// Changes the size, as a person who drags the window: the program gets SIGWINCH.
    pub(crate) fn resize(&self, cols: u16, rows: u16) {
        let mut seen = self.seen.0.lock().unwrap();
        let size = |n| NonZero::new(n).unwrap();
        seen.vt.screen_mut().set_size(size(rows), size(cols));
        tcsetwinsize(&self.master, winsize(cols, rows)).unwrap();
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.pid().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Where the bytes end now.
    pub(crate) fn mark(&self) -> usize {
        self.seen.0.lock().unwrap().bytes.len()
    }

    pub(crate) fn since(&self, mark: usize) -> Vec<u8> {
        self.seen.0.lock().unwrap().bytes[mark..].to_vec()
    }

    /// Waits until the screen holds what is asked for; tells when the bytes came with which it did.
    pub(crate) fn wait_screen(&self, what: &str, holds: impl Fn(&str) -> bool) -> Instant {
        let end = Instant::now() + LIMIT;
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            let text = text(seen.vt.screen());
            if holds(&text) {
                return seen.times.last().map_or(self.started, |t| t.1);
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{what} did not come:\n{text}");
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    pub(crate) fn wait_for(&self, words: &str) -> Instant {
        self.wait_screen(words, |text| text.contains(words))
    }

    /// Waits for bytes behind `mark`; where they end, and when they came.
    pub(crate) fn wait_bytes(&self, mark: usize, bytes: &[u8]) -> (usize, Instant) {
        let end = Instant::now() + LIMIT;
        let mut seen = self.seen.0.lock().unwrap();
        let mut from = mark;
        loop {
            let found = seen.bytes[from..]
                .windows(bytes.len())
                .position(|w| w == bytes);
            if let Some(at) = found {
                let stop = from + at + bytes.len();
                let place = seen.times.partition_point(|(end, _)| *end < stop);
                return (stop, seen.times[place].1);
            }
            from = seen.bytes.len().saturating_sub(bytes.len()).max(mark);
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "{:?} did not come",
                String::from_utf8_lossy(bytes)
            );
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// Waits until nothing came for this long.
    pub(crate) fn wait_quiet(&self, quiet: Duration) {
        let end = Instant::now() + LIMIT;
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            let had = seen.bytes.len();
            let (next, out) = self.seen.1.wait_timeout(seen, quiet).unwrap();
            seen = next;
            if out.timed_out() && seen.bytes.len() == had {
                return;
            }
            assert!(Instant::now() < end, "it never becomes quiet");
        }
    }

    /// The screen as text.
    pub(crate) fn screen(&self) -> String {
        text(self.seen.0.lock().unwrap().vt.screen())
    }

    /// The screen and everything that scrolled off above it, oldest first.
    pub(crate) fn history(&self) -> String {
        let mut seen = self.seen.0.lock().unwrap();
        let screen = seen.vt.screen_mut();
        let rows = usize::from(screen.size().0.get());
        let mut all = Vec::new();
        let mut above = screen.scrollback_len();
        // A window of the scrollback at a time, from the top.
        while above > 0 {
            screen.set_scrollback(above);
            let take = above.min(rows);
            all.extend(screen.rows(0, u16::MAX).take(take));
            above -= take;
        }
        screen.set_scrollback(0);
        all.push(text(screen));
        all.join("\n")
    }

    /// Frames that ended behind `mark`.
    pub(crate) fn frames(&self, mark: usize) -> usize {
        let seen = self.seen.0.lock().unwrap();
        seen.bytes[mark..]
            .windows(FRAME_END.len())
            .filter(|w| *w == FRAME_END)
            .count()
    }

    /// A line of `/proc/PID/status` in kB.
    pub(crate) fn kilobytes(&self, name: &str) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        text.lines()
            .find_map(|l| l.strip_prefix(name)?.strip_prefix(':'))
            .and_then(|l| l.split_whitespace().next()?.parse().ok())
            .unwrap_or_else(|| panic!("no {name} in {text}"))
    }

    /// Times that any thread of the program was put on a processor, by thread id and name.
    pub(crate) fn switches(&self) -> Vec<(String, u64)> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid())).unwrap();
        let mut out = Vec::new();
        for task in tasks.flatten() {
            let Ok(status) = std::fs::read_to_string(task.path().join("status")) else {
                continue;
            };
            let number = |l: &str| l.rsplit('\t').next().and_then(|n| n.parse::<u64>().ok());
            let count = status
                .lines()
                .filter(|l| l.contains("ctxt_switches"))
                .filter_map(number)
                .sum();
            let name = status.lines().next().unwrap_or("").replace("Name:\t", "");
            out.push((
                format!("{} {name}", task.file_name().to_string_lossy()),
                count,
            ));
        }
        out.sort();
        out
    }

    /// `T` while it is stopped, `S` while it sleeps.
    pub(crate) fn state(&self) -> Option<char> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).ok()?;
        stat.rsplit_once(')')?.1.trim_start().chars().next()
    }

    pub(crate) fn wait_state(&self, wanted: char) {
        let end = Instant::now() + LIMIT;
        while self.state() != Some(wanted) {
            assert!(Instant::now() < end, "it is {:?}", self.state());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end of the program.
    pub(crate) fn wait_end(&mut self) -> ExitStatus {
        let end = Instant::now() + LIMIT;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < end, "it does not end:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(5));
        };
        // What it wrote last is still on its way through the terminal.
        self.wait_quiet(Duration::from_millis(100));
        status
    }

    /// The terminal is as it was before the program: line discipline, screen, cursor, paste, mouse and
    /// keyboard reports. `Err` names everything that is not.
    pub(crate) fn as_before(&self) -> Result<(), String> {
        let mut wrong = Vec::new();
        let now = modes(&tcgetattr(&self.slave).unwrap());
        if now != self.before {
            wrong.push(format!("termios {} became {now}", self.before));
        }
        let seen = self.seen.0.lock().unwrap();
        let screen = seen.vt.screen();
        for (bad, words) in [
            (screen.alternate_screen(), "the alternate screen is on"),
            (screen.hide_cursor(), "the cursor is hidden"),
            (screen.bracketed_paste(), "bracketed paste is on"),
            (
                screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
                "the mouse is reported",
            ),
            (
                screen.application_cursor(),
                "cursor keys are in application mode",
            ),
            (
                screen.application_keypad(),
                "the keypad is in application mode",
            ),
            (
                count(&seen.bytes, b"\x1b[>") != count(&seen.bytes, b"\x1b[<"),
                "keyboard flags were pushed and not popped",
            ),
            (
                last(&seen.bytes, b"\x1b[?2026h") > last(&seen.bytes, b"\x1b[?2026l"),
                "a synchronised update is open",
            ),
            (
                last(&seen.bytes, b"\x1b[?1004h") > last(&seen.bytes, b"\x1b[?1004l"),
                "focus is reported",
            ),
        ] {
            if bad {
                wrong.push(words.to_owned());
            }
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(wrong.join("; "))
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn winsize(cols: u16, rows: u16) -> Winsize {
    Winsize {
        ws_row: rows,
        ws_col: cols,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

/// All of a terminal's modes, to be compared.
fn modes(t: &Termios) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?}",
        t.input_modes, t.output_modes, t.control_modes, t.local_modes, t.special_codes
    )
}

pub(crate) fn emulator(cols: u16, rows: u16) -> vt100::Parser {
    let size = |n| NonZero::new(n).unwrap();
    vt100::Parser::new(size(rows), size(cols), 10_000)
}

/// What a screen shows. A blank that was written and a cell that never was look the same.
pub(crate) fn text(screen: &vt100::Screen) -> String {
    let lines: Vec<String> = screen
        .rows(0, u16::MAX)
        .map(|l| l.trim_end().to_owned())
        .collect();
    lines.join("\n").trim_end().to_owned()
}

fn count(bytes: &[u8], what: &[u8]) -> usize {
    bytes.windows(what.len()).filter(|w| *w == what).count()
}

fn last(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).rposition(|w| w == what)
}
