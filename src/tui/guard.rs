//! The one owner of the terminal's state. What it switched on is switched off again on every way out:
//! return, error, panic, signal, and while the program is in the background.

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the terminal is in the program's hands now. Restoring is idempotent by this flag.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Holds the terminal; gives it back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal, and makes a panic of this thread give it back before its message is printed.
    /// Panics of other threads, which are caught where they happen, must not draw over the screen.
    ///
    /// # Errors
    /// The terminal cannot be put into raw mode.
    pub fn new() -> io::Result<Self> {
        let screen = std::thread::current().id();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().id() == screen {
                restore();
                before(info);
            } else if TAKEN.load(Ordering::SeqCst) {
                tracing::error!(panic = %info, "an internal error beside the screen");
            } else {
                before(info);
            }
        }));
        take()?;
        Ok(Self(()))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Takes the terminal (again).
///
/// # Errors
/// The terminal cannot be put into raw mode.
pub fn take() -> io::Result<()> {
    if TAKEN.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    let taken = enable_raw_mode()
        .and_then(|()| execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste));
    if taken.is_err() {
        restore();
    }
    taken
}

/// Says to the terminal once more what it is to be, where something else may have spoken to it since.
///
/// # Errors
/// The terminal does not take it.
pub fn again() -> io::Result<()> {
    if !TAKEN.load(Ordering::SeqCst) {
        return Ok(());
    }
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)
}

/// Gives the terminal back. Does nothing the second time. Errors have nowhere to go: a terminal that is
/// gone needs no restoring.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // A frame may have been cut short: the synchronised update ends first.
    let _ = execute!(
        out,
        crossterm::terminal::EndSynchronizedUpdate,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = out.flush();
    let _ = disable_raw_mode();
}
