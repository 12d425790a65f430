//! The program in a pty: whatever ends it, the terminal is as it was.

#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// `script` gives a pty to a shell, in which the program runs and after which `stty -a` says how the
/// terminal was left.
struct Pty {
    child: Child,
    seen: Arc<Mutex<Vec<u8>>>,
    _dir: tempfile::TempDir,
    pid_file: std::path::PathBuf,
}

impl Pty {
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let pid_file = dir.path().join("pid");
        let program = env!("CARGO_BIN_EXE_rmm-analyst");
        let line = format!(
            "stty rows 24 cols 80; stty -a | tr ';' '\\n' | grep -E 'icanon|echo ' > before; (echo $BASHPID > pid; exec {program}); echo LEFT-$?; stty -a | tr ';' '\\n' | grep -E 'icanon|echo ' > after; echo CHECK-$(cmp -s before after && echo same || echo differs)-DONE",
        );
        let mut child = Command::new("script")
            .args([
                "-q",
                "-e",
                "-c",
                &format!("bash -c {}", quote(&line)),
                "/dev/null",
            ])
            .current_dir(dir.path())
            .env("HOME", dir.path())
            .env("XDG_CONFIG_HOME", dir.path())
            .env("RMM_ANALYST_DATA_DIR", dir.path().join("data"))
            .env("TERM", "xterm-256color")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("script (util-linux) is there");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut out, sink) = (child.stdout.take().unwrap(), seen.clone());
        std::thread::spawn(move || {
            let mut buffer = [0_u8; 4096];
            while let Ok(n) = out.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                sink.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        Self {
            child,
            seen,
            _dir: dir,
            pid_file,
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }

    fn wait_for(&self, words: &str) {
        let end = Instant::now() + Duration::from_secs(60);
        while !self.text().contains(words) {
            assert!(
                Instant::now() < end,
                "{words:?} did not come: {:?}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.child.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn signal(&self, name: &str) {
        let pid = std::fs::read_to_string(&self.pid_file).unwrap();
        let sent = Command::new("kill")
            .args([&format!("-{name}"), pid.trim()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// The terminal is cooked again, out of the alternate screen, without bracketed paste, with a cursor.
    fn is_sane(&mut self) {
        self.wait_for("-DONE");
        let text = self.text();
        assert!(text.contains("CHECK-same-DONE"), "{text:?}");
        let last = |on: &str, off: &str| text.rfind(off) > text.rfind(on);
        assert!(last("\x1b[?1049h", "\x1b[?1049l"), "{text:?}");
        assert!(last("\x1b[?2004h", "\x1b[?2004l"), "{text:?}");
        assert!(last("\x1b[?25l", "\x1b[?25h"), "{text:?}");
        assert!(!text.contains("\x1b[?1000h"), "the mouse stays off");
        let _ = self.child.wait();
    }
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn ended_by(signal: &str) {
    let mut pty = Pty::start();
    pty.wait_for("welcome");
    pty.signal(signal);
    pty.is_sane();
}

#[test]
fn sigterm_gives_the_terminal_back() {
    ended_by("TERM");
}

#[test]
fn sighup_gives_the_terminal_back() {
    ended_by("HUP");
}

#[test]
fn quitting_gives_the_terminal_back() {
    let mut pty = Pty::start();
    pty.wait_for("welcome");
    pty.send(b"\x11");
    pty.is_sane();
    assert!(pty.text().contains("LEFT-0"), "{:?}", pty.text());
}

#[test]
fn the_interrupt_signal_is_ctrl_c() {
    let mut pty = Pty::start();
    pty.wait_for("welcome");
    // The first closes the welcome, the second asks, the third quits.
    for _ in 0..3 {
        pty.signal("INT");
        std::thread::sleep(Duration::from_millis(200));
    }
    pty.is_sane();
}
