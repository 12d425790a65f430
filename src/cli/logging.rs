//! The log: files under the data directory, one a day, every line through the redactor. Never the terminal.

use crate::config::paths::Paths;
use crate::config::settings::LogConfig;
use crate::redact::Redact;
use kit::text::Redactor as _;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::fmt::MakeWriter;

/// Starts the log, once a process. A log that cannot be written is no reason to stop.
pub fn start(paths: &Paths, settings: &LogConfig, redact: Arc<Redact>) {
    // The appender looks for old files before it makes the directory.
    // It may be the first to make the data directory, which is nobody else's business either.
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    if builder.create(paths.log_dir()).is_err() {
        return;
    }
    let level = match settings.level.as_str() {
        "error" => tracing::Level::ERROR,
        "warn" => tracing::Level::WARN,
        "info" => tracing::Level::INFO,
        "debug" => tracing::Level::DEBUG,
        "trace" => tracing::Level::TRACE,
        _ => return,
    };
    let appender = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("rmm-analyst")
        .filename_suffix("log")
        .max_log_files(settings.keep_days.max(1) as usize)
        .build(paths.log_dir());
    let Ok(file) = appender else { return };
    private(paths);
    let writer = Lines {
        redact,
        file: Arc::new(Mutex::new(file)),
    };
    // Only this program's own events: a library at debug level could print request headers.
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(writer)
        .with_env_filter(tracing_subscriber::EnvFilter::new(format!(
            "off,rmm_analyst={level}"
        )))
        .finish();
    // A second start in one process keeps the first log.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

/// The log holds what was asked about: nobody else's business.
#[cfg(unix)]
fn private(paths: &Paths) {
    use std::os::unix::fs::PermissionsExt as _;
    let _ = std::fs::set_permissions(paths.log_dir(), std::fs::Permissions::from_mode(0o700));
}

#[cfg(not(unix))]
fn private(_paths: &Paths) {}

/// Writes whole events, redacted.
#[derive(Clone)]
struct Lines {
    redact: Arc<Redact>,
    file: Arc<Mutex<RollingFileAppender>>,
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
        let text = String::from_utf8_lossy(&self.buffer);
        let clean = self.to.redact.redact(&text);
        let mut file = self.to.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(clean.as_bytes());
    }
}
