//! Lines of a person or of a pipe, read on a thread of their own.
//!
//! At a terminal the thread waits without holding anything, and takes a line only under the lock under
//! which [`Input::discard`] empties the terminal's queue. Each entry carries the number of discards before
//! it: what was typed before a question can so be told from what was typed after it, without a doubt.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Bytes of the longest line that is taken from a pipe; a longer one comes in parts.
const LINE_MAX: u64 = 256 * 1024;

/// Milliseconds within which further lines belong to the same paste. Nobody types a line in that time.
#[cfg(unix)]
const PASTE_MS: i64 = 40;

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The lines, without their ends: one that was typed, or several that were pasted at once.
    pub lines: Vec<String>,
    /// Discards before it.
    pub epoch: u64,
}

/// What was thrown away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Characters, line ends included.
    pub chars: usize,
    /// The key that ends the input was among them.
    pub end: bool,
}

#[derive(Debug, Default)]
struct Shared {
    epoch: u64,
    /// The beginning of a line that was pushed without its end.
    partial: Vec<u8>,
}

/// The input.
#[derive(Debug)]
pub struct Input {
    entries: Receiver<Entry>,
    shared: Arc<Mutex<Shared>>,
    terminal: bool,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Input {
    /// Begins to read standard input.
    ///
    /// # Errors
    /// The operating system gives no thread.
    pub fn start(terminal: bool) -> io::Result<Self> {
        // A pipe is read no further than the program has got; at a terminal a person is in no such hurry.
        let (send, entries) = channel(if terminal { 256 } else { 1 });
        let shared = Arc::new(Mutex::new(Shared::default()));
        let with = Arc::clone(&shared);
        // The thread may stay in its read for ever; it ends with the process.
        std::thread::Builder::new()
            .name("input".into())
            .spawn(move || {
                if terminal {
                    typed(&with, &send);
                } else {
                    piped(&send);
                }
            })?;
        Ok(Self {
            entries,
            shared,
            terminal,
        })
    }

    /// The next entry; `None` at the end.
    pub async fn next(&mut self) -> Option<Entry> {
        self.entries.recv().await
    }

    /// Whether what was typed before a question can be thrown away; otherwise no question is decided here.
    #[must_use]
    pub const fn can_discard(&self) -> bool {
        self.terminal && cfg!(unix)
    }

    /// Empties the terminal's queue, unfinished lines included. What comes from now on has a new epoch.
    pub fn discard(&self) -> Dropped {
        let mut shared = lock(&self.shared);
        shared.epoch += 1;
        let begun = std::mem::take(&mut shared.partial);
        let mut dropped = if self.terminal {
            emptied()
        } else {
            Dropped::default()
        };
        dropped.chars += String::from_utf8_lossy(&begun).chars().count();
        dropped
    }

    /// The number of discards so far.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        lock(&self.shared).epoch
    }
}

fn piped(send: &Sender<Entry>) {
    use std::io::{BufRead as _, Read as _};
    let mut stdin = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        match stdin.by_ref().take(LINE_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let entry = Entry {
                    lines: vec![text(&bytes)],
                    epoch: 0,
                };
                if send.blocking_send(entry).is_err() {
                    return;
                }
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .trim_end_matches(['\n', '\r'])
        .to_owned()
}

#[cfg(unix)]
fn typed(shared: &Mutex<Shared>, send: &Sender<Entry>) {
    let mut lines: Vec<String> = Vec::new();
    let mut epoch = 0;
    if !waitable() {
        return;
    }
    loop {
        // Alone with an unfinished paste it waits only for what belongs to it.
        let more = ready(if lines.is_empty() {
            None
        } else {
            Some(PASTE_MS)
        });
        let mut ended = false;
        let mut came = None;
        if more {
            let mut s = lock(shared);
            // What was there may have been thrown away meanwhile.
            if ready(Some(0)) {
                let mut buffer = [0_u8; 8192];
                match rustix::io::read(io::stdin(), &mut buffer) {
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => ended = true,
                    Ok(0) if s.partial.is_empty() => ended = true,
                    Ok(0) => {}
                    Ok(n) => {
                        s.partial
                            .extend_from_slice(buffer.get(..n).unwrap_or_default());
                        if s.partial.contains(&b'\n') {
                            let bytes = std::mem::take(&mut s.partial);
                            came = Some((text(&bytes), s.epoch));
                        }
                    }
                }
            }
        }
        let joins = came.as_ref().is_some_and(|(_, e)| *e == epoch);
        // Nothing whole came, and the input goes on: the paste may too.
        let waits = more && came.is_none() && !ended;
        if !(lines.is_empty() || joins || waits) {
            let entry = Entry {
                lines: std::mem::take(&mut lines),
                epoch,
            };
            if send.blocking_send(entry).is_err() {
                return;
            }
        }
        if let Some((line, e)) = came {
            epoch = e;
            lines.push(line);
        }
        if ended {
            return;
        }
    }
}

/// Whether something can be read; waits so many milliseconds, or for ever.
#[cfg(unix)]
fn ready(wait: Option<i64>) -> bool {
    use rustix::event::PollFlags;
    polled(wait).intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)
}

/// Whether the system can wait for this input at all. Where it cannot, a read under the lock could take for
/// ever, so nothing is read.
#[cfg(unix)]
fn waitable() -> bool {
    let can = !polled(Some(0)).contains(rustix::event::PollFlags::NVAL);
    if !can {
        tracing::warn!("the system cannot wait for input at this terminal");
    }
    can
}

#[cfg(unix)]
fn polled(wait: Option<i64>) -> rustix::event::PollFlags {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = wait.map(|ms| Timespec {
        tv_sec: 0,
        tv_nsec: ms * 1_000_000,
    });
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) => fds
            .iter()
            .fold(PollFlags::empty(), |all, f| all | f.revents()),
        Err(_) => PollFlags::empty(),
    }
}

/// Reads everything that waits in the terminal's queue. Line editing is off for the moment that takes, so
/// that an unfinished line is part of it.
#[cfg(unix)]
fn emptied() -> Dropped {
    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};
    let stdin = io::stdin();
    let Ok(before) = tcgetattr(&stdin) else {
        return Dropped::default();
    };
    let mut raw = before.clone();
    raw.local_modes.remove(LocalModes::ICANON);
    raw.special_codes[SpecialCodeIndex::VMIN] = 0;
    raw.special_codes[SpecialCodeIndex::VTIME] = 0;
    let end = before.special_codes[SpecialCodeIndex::VEOF];
    if tcsetattr(&stdin, OptionalActions::Now, &raw).is_err() {
        return Dropped::default();
    }
    let mut bytes = Vec::new();
    let mut buffer = [0_u8; 4096];
    while let Ok(n) = rustix::io::read(&stdin, &mut buffer) {
        if n == 0 || bytes.len() > 4 * 1024 * 1024 {
            break;
        }
        bytes.extend_from_slice(buffer.get(..n).unwrap_or_default());
    }
    // A failure leaves line editing off; the next discard tries again.
    if let Err(e) = tcsetattr(&stdin, OptionalActions::Now, &before) {
        tracing::warn!(error = %e, "the terminal could not be put back");
    }
    Dropped {
        chars: String::from_utf8_lossy(&bytes).chars().count(),
        // Where a line was being edited the system keeps a zero in the place of the key.
        end: bytes.contains(&end) || bytes.contains(&0),
    }
}

#[cfg(not(unix))]
fn typed(shared: &Mutex<Shared>, send: &Sender<Entry>) {
    let stdin = io::stdin();
    loop {
        let mut line = String::new();
        match stdin.read_line(&mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let entry = Entry {
                    lines: vec![text(line.as_bytes())],
                    epoch: lock(shared).epoch,
                };
                if send.blocking_send(entry).is_err() {
                    return;
                }
            }
        }
    }
}

#[cfg(not(unix))]
fn emptied() -> Dropped {
    Dropped::default()
}
