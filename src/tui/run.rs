//! The loop: keys, engine, time and signals in; frames out. A key is drawn at once; what streams is drawn
//! at most thirty times a second; with nothing to show the loop sleeps.

use super::app::{App, Effect, Msg, ScreenSettings};
use super::keys::Keymap;
use super::{draw, guard, update};
use super::{narrative, notify};
use crate::engine::Engine;
use crate::engine::session::{Order, Rebuild, Session, Update};
use crossterm::event::{Event, EventStream};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};
use futures_util::StreamExt as _;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io::{self, BufWriter, Stdout, Write as _};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// Milliseconds between two frames while text streams.
const FRAME: u64 = 33;

/// What the caller knows.
#[derive(Debug)]
pub struct Start {
    /// Settings of the screen.
    pub settings: ScreenSettings,
    /// Keys.
    pub keys: Keymap,
}

/// Runs the screen until the person leaves. Returns what is to be printed afterwards.
///
/// # Errors
/// The terminal failed.
pub fn run(engine: Engine, rebuild: Rebuild, start: Start) -> io::Result<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let size = crossterm::terminal::size()?;
    let words = engine.own_words();
    let (session, updates) = Session::start(engine, rebuild, "tui")?;
    let mut app = App::new(size, start.settings, start.keys);
    app.words = words;
    if let Some(problem) = app.keys.problems.first().cloned() {
        app.complain(problem);
    }
    if app.settings.first_run {
        for effect in update::first_start(&mut app) {
            if let Effect::Order(order) = effect {
                session.order(order);
            }
        }
    }
    session.order(Order::Cases);
    session.order(Order::Modules);
    session.order(Order::Server(
        app.ask_input(app.room(), String::new()).model,
    ));
    let guard = guard::Guard::new()?;
    let local = tokio::task::LocalSet::new();
    let result = local.block_on(&runtime, screen(&mut app, &session, updates));
    // Running turns are closed before the terminal goes back: no message may fall into the shell.
    drop(session);
    drop(guard);
    result?;
    if !app.print {
        return Ok(Vec::new());
    }
    let options = narrative::options(&app, usize::from(app.size.0).clamp(20, 100));
    Ok(narrative::whole(app.room_mut(), &options))
}

type Out = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

struct Clock(Instant);

impl Clock {
    fn now(&self) -> u64 {
        // The screen's clock begins above zero, so that "long ago" has room.
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX / 2) + 10_000
    }
}

async fn screen(
    app: &mut App,
    session: &Session,
    mut updates: UnboundedReceiver<Update>,
) -> io::Result<()> {
    let clock = Clock(Instant::now());
    let writer = BufWriter::with_capacity(64 * 1024, io::stdout());
    let mut terminal: Out = Terminal::new(CrosstermBackend::new(writer))?;
    let mut events = EventStream::new();
    let mut signals = Signals::new()?;
    let mut drawn = 0_u64;
    let mut dirty = false;
    app.now = clock.now();
    app.wall = crate::engine::now_ms();
    paint(&mut terminal, app)?;
    loop {
        let now = clock.now();
        let frame = dirty.then(|| (drawn + FRAME).max(now));
        let wake = [app.wake(), frame].into_iter().flatten().min();
        let timer = async {
            match wake {
                Some(at) => tokio::time::sleep(Duration::from_millis(at.saturating_sub(now))).await,
                None => std::future::pending().await,
            }
        };
        let mut at_once = false;
        let mut messages = Vec::new();
        tokio::select! {
            biased;
            event = events.next() => match event {
                // The terminal is gone: nobody is there to see anything.
                None | Some(Err(_)) => return Ok(()),
                Some(Ok(event)) => {
                    at_once = true;
                    messages.push(message(event));
                }
            },
            signal = signals.next() => match signal {
                Signal::End => return Ok(()),
                Signal::Interrupt => {
                    at_once = true;
                    messages.push(Msg::Interrupt);
                }
                Signal::Stop => {
                    suspend(&mut terminal)?;
                    at_once = true;
                    messages.push(Msg::Other);
                }
            },
            Some(first) = updates.recv() => {
                messages.push(Msg::Update(Box::new(first)));
                while messages.len() < 512 && let Ok(more) = updates.try_recv() {
                    messages.push(Msg::Update(Box::new(more)));
                }
            }
            () = timer => messages.push(Msg::Tick),
        }
        for msg in messages {
            let effects = update::update(app, clock.now(), crate::engine::now_ms(), msg);
            for effect in effects {
                match effect {
                    Effect::Order(order) => session.order(order),
                    Effect::Terminal(bytes) => {
                        let mut out = io::stdout();
                        out.write_all(&bytes)?;
                        out.flush()?;
                    }
                    Effect::Ring(words) => {
                        let s = &app.settings;
                        if let Some(bytes) = notify::bytes(&s.notify, &words, s.tmux) {
                            let mut out = io::stdout();
                            out.write_all(&bytes)?;
                            out.flush()?;
                        }
                    }
                    Effect::Suspend => suspend(&mut terminal)?,
                    Effect::Clear => terminal.clear()?,
                    Effect::Quit => return Ok(()),
                }
            }
        }
        dirty = true;
        let now = clock.now();
        if at_once || now >= drawn + FRAME {
            app.now = now;
            paint(&mut terminal, app)?;
            drawn = now;
            dirty = false;
        }
    }
}

fn message(event: Event) -> Msg {
    match event {
        Event::Key(key) => Msg::Key(key),
        Event::Paste(text) => Msg::Paste(text),
        Event::Resize(w, h) => Msg::Resize(w, h),
        Event::Mouse(_) | Event::FocusGained | Event::FocusLost => Msg::Other,
    }
}

fn paint(terminal: &mut Out, app: &mut App) -> io::Result<()> {
    queue!(terminal.backend_mut(), BeginSynchronizedUpdate)?;
    let drawn = terminal.draw(|frame| draw::draw(app, frame)).map(|_| ());
    execute!(terminal.backend_mut(), EndSynchronizedUpdate)?;
    drawn
}

/// Goes to the background, and takes the terminal again when it comes back.
#[cfg(unix)]
fn suspend(terminal: &mut Out) -> io::Result<()> {
    guard::restore();
    // SIGSTOP, because SIGTSTP is caught here: the shell sees the same.
    let stopped =
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
    guard::take()?;
    terminal.clear()?;
    stopped.map_err(io::Error::from)
}

#[cfg(not(unix))]
fn suspend(_terminal: &mut Out) -> io::Result<()> {
    Ok(())
}

enum Signal {
    /// SIGTERM, SIGHUP.
    End,
    /// SIGINT.
    Interrupt,
    /// SIGTSTP.
    Stop,
}

#[cfg(unix)]
struct Signals {
    term: tokio::signal::unix::Signal,
    hup: tokio::signal::unix::Signal,
    int: tokio::signal::unix::Signal,
    stop: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            hup: signal(SignalKind::hangup())?,
            int: signal(SignalKind::interrupt())?,
            stop: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.term.recv() => Signal::End,
            _ = self.hup.recv() => Signal::End,
            _ = self.int.recv() => Signal::Interrupt,
            _ = self.stop.recv() => Signal::Stop,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[allow(clippy::unnecessary_wraps, reason = "the same signature as on Unix")]
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Signal {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal::Interrupt
    }
}
