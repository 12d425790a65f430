//! The log: files under the data directory, one a day, every line through the redactor. Never the terminal.
//!
//! * `file` – the file of the day, its mode, how long files are kept
//!
//! Lines are written whole and at once, so that nothing is left to flush when the process ends.

mod file;

use crate::config::paths::Paths;
use crate::config::settings::LogConfig;
use crate::redact::Redact;
use file::{Clock, Daily};
use kit::text::Redactor as _;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tracing_subscriber::fmt::MakeWriter;

/// Starts the log, once a process. A log that cannot be written is no reason to stop.
pub fn start(paths: &Paths, settings: &LogConfig, redact: Arc<Redact>) {
    let level = match settings.level.as_str() {
        "error" => tracing::Level::ERROR,
        "warn" => tracing::Level::WARN,
        "info" => tracing::Level::INFO,
        "debug" => tracing::Level::DEBUG,
        "trace" => tracing::Level::TRACE,
        _ => return,
    };
    let Some(daily) = Daily::open(paths.log_dir(), settings.keep_days, file::now_ms()) else {
        return;
    };
    let writer = Lines {
        redact,
        file: Arc::new(Mutex::new(daily)),
    };
    // Only this program's own events: a library at debug level could print request headers.
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_timer(Clock)
        .with_writer(writer)
        .with_env_filter(tracing_subscriber::EnvFilter::new(format!(
            "off,rmm_analyst={level}"
        )))
        .finish();
    // A second start in one process keeps the first log.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

/// Writes whole events, redacted.
#[derive(Clone)]
struct Lines {
    redact: Arc<Redact>,
    file: Arc<Mutex<Daily>>,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line;
    fn make_writer(&'a self) -> Line {
        Line {
            to: self.clone(),
            buffer: Vec::new(),
        }
    }
}

/// One event; written when it is complete, so that a secret is never split over two writes.
struct Line {
    to: Lines,
    buffer: Vec<u8>,
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.buffer.is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(&self.buffer);
        let clean = self.to.redact.redact(&text);
        let mut file = self.to.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write(clean.as_bytes(), file::now_ms());
    }
}
