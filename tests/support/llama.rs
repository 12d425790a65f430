//! The real llama.cpp server with a real small model (`tests/servers/install.sh`). One server at a time on
//! the machine, one thread. Without it the tests fail: they never pass by being skipped.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "each test binary uses its part"
)]

use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The real server; killed when dropped.
pub(crate) struct Real {
    child: Child,
    pub(crate) port: u16,
    _one_at_a_time: File,
}

fn servers() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let dir = target.join("test-servers");
    for needed in ["site/xllamacpp", "SmolLM2-135M-Instruct.Q4_1.gguf"] {
        assert!(
            dir.join(needed).exists(),
            "the real llama.cpp server is not installed ({needed} is missing): run tests/servers/install.sh {}",
            dir.display()
        );
    }
    dir
}

impl Real {
    /// Spawned; does not wait until it listens.
    pub(crate) fn spawn(options: &[&str]) -> (Self, mpsc::Receiver<()>) {
        let dir = servers();
        let lock = File::create(dir.join("lock")).unwrap();
        let end = Instant::now() + Duration::from_secs(600);
        while lock.try_lock().is_err() {
            assert!(
                Instant::now() < end,
                "another test kept the server for ten minutes"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut child = Command::new(std::env::var("PYTHON").unwrap_or_else(|_| "python3".into()))
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/llama.py"))
            .arg(&dir)
            .arg(port.to_string())
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (listening, heard) = mpsc::channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if line.starts_with("listening") {
                    let _ = listening.send(());
                }
            }
        });
        (
            Self {
                child,
                port,
                _one_at_a_time: lock,
            },
            heard,
        )
    }

    pub(crate) fn start(options: &[&str]) -> Self {
        let (server, heard) = Self::spawn(options);
        heard
            .recv_timeout(Duration::from_secs(120))
            .expect("the server did not start within two minutes");
        server
    }

    /// A GET without our client: status and body.
    pub(crate) fn get(&self, path: &str) -> Option<(u16, String)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .ok()?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        )
        .ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let status = text.split(' ').nth(1)?.parse().ok()?;
        Some((status, text.split_once("\r\n\r\n")?.1.to_owned()))
    }

    pub(crate) fn is_processing(&self) -> bool {
        let (_, body) = self.get("/slots").unwrap();
        serde_json::from_str::<Value>(&body).unwrap()[0]["is_processing"]
            .as_bool()
            .unwrap()
    }
}

impl Drop for Real {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
