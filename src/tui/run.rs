//! The loop: keys, engine, time and signals in; frames out. A key is drawn at once; what streams is drawn
//! at most thirty times a second; with nothing to show the loop sleeps.

use super::app::{App, Effect, Msg, ScreenSettings};
use super::keys::Keymap;
use super::{draw, guard, update};
use super::{narrative, notify};
use crate::engine::Engine;
use crate::engine::session::{Order, Rebuild, Session, Update};
use crate::engine::view::CaseId;
use crossterm::event::{Event, EventStream};
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};
use futures_util::StreamExt as _;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use std::io::{self, BufWriter, Stdout, Write as _};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

/// Milliseconds between two frames while text streams.
const FRAME: u64 = 33;

/// Messages that one frame may show at most.
const BATCH: usize = 512;

/// What the caller knows before anything is opened.
#[derive(Debug)]
pub struct Start {
    /// Settings of the screen.
    pub settings: ScreenSettings,
    /// Keys.
    pub keys: Keymap,
}

/// What stands behind the screen once the keyring was asked and the database opened.
pub struct Opened {
    /// The engine.
    pub engine: Engine,
    /// Makes it anew after a change of the configuration.
    pub rebuild: Rebuild,
    /// Settings that only now are known: each secret as set or unset.
    pub settings: Vec<(String, String)>,
    /// Nothing is configured yet: the first start is guided.
    pub first_run: bool,
    /// The case that was open last, shown again where nothing was begun meanwhile.
    pub last: Option<CaseId>,
    /// What is to be said at once (a secret that cannot be read).
    pub notices: Vec<String>,
}

/// Why the screen ended otherwise than by the person.
#[derive(Debug)]
pub enum Broken<E> {
    /// The terminal failed, or the operating system gives no thread.
    Terminal(io::Error),
    /// What stands behind it could not be opened.
    Open(E),
}

impl<E> From<io::Error> for Broken<E> {
    fn from(e: io::Error) -> Self {
        Self::Terminal(e)
    }
}

/// What the status line says until everything is open.
const OPENING: &str = "opening: asking the keyring for keys …";

/// Runs the screen until the person leaves. Returns what is to be printed afterwards. The first frame is
/// drawn before `open` is called, on a thread of its own, because a keyring may take a second to answer:
/// what is ordered until then waits.
///
/// # Errors
/// The terminal failed, or what `open` says.
pub fn run<E: Send + 'static>(
    start: Start,
    open: impl FnOnce() -> Result<Opened, E> + Send + 'static,
) -> Result<Vec<String>, Broken<E>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let size = crossterm::terminal::size()?;
    let mut app = App::new(size, start.settings, start.keys);
    app.toast = Some((OPENING.into(), false, u64::MAX / 2));
    if let Some(problem) = app.keys.problems.first().cloned() {
        app.complain(problem);
    }
    let guard = guard::Guard::new()?;
    let (tell, opened) = oneshot::channel();
    let mut behind = Behind {
        opening: Some(opened),
        session: None,
        updates: None,
        waiting: Vec::new(),
    };
    let open = move || {
        let opening = std::thread::Builder::new().name("opening".into());
        opening.spawn(move || drop(tell.send(open()))).map(drop)
    };
    let local = tokio::task::LocalSet::new();
    let result = local.block_on(&runtime, screen(&mut app, &mut behind, open));
    // Running turns are closed before the terminal goes back: no message may fall into the shell.
    drop(behind);
    drop(guard);
    result?;
    if !app.print {
        return Ok(Vec::new());
    }
    let options = narrative::options(&app, usize::from(app.size.0).clamp(20, 100));
    Ok(narrative::whole(app.room_mut(), &options))
}

/// What stands behind the screen: nothing yet, and then a session with the engine.
struct Behind<E> {
    opening: Option<oneshot::Receiver<Result<Opened, E>>>,
    session: Option<Session>,
    updates: Option<UnboundedReceiver<Update>>,
    /// Orders given before there was somebody to obey.
    waiting: Vec<Order>,
}

/// What comes from behind the screen.
enum Came<E> {
    Opened(Box<Result<Opened, E>>),
    Updates(Vec<Msg>),
    /// A thread ended by an internal error.
    Lost,
}

impl<E> Behind<E> {
    fn order(&mut self, order: Order) {
        match &self.session {
            Some(session) => session.order(order),
            None => self.waiting.push(order),
        }
    }

    /// The next thing that comes from behind; never, when nothing is there that could send it.
    async fn next(&mut self) -> Came<E> {
        if let Some(opening) = &mut self.opening {
            let opened = opening.await;
            self.opening = None;
            return opened.map_or(Came::Lost, |opened| Came::Opened(Box::new(opened)));
        }
        let Some(updates) = &mut self.updates else {
            return std::future::pending().await;
        };
        let Some(first) = updates.recv().await else {
            self.updates = None;
            return Came::Lost;
        };
        let mut messages = vec![Msg::Update(Box::new(first))];
        while messages.len() < BATCH
            && let Ok(more) = updates.try_recv()
        {
            messages.push(Msg::Update(Box::new(more)));
        }
        Came::Updates(messages)
    }

    /// Takes what was opened, and gives it the orders that wait.
    fn take(&mut self, app: &mut App, opened: Opened) -> io::Result<()> {
        let (session, updates) = Session::start(opened.engine, opened.rebuild, "tui")?;
        self.updates = Some(updates);
        session.order(Order::Cases);
        session.order(Order::Modules);
        session.order(Order::Server(
            app.ask_input(app.room(), String::new()).model,
        ));
        for order in self.waiting.drain(..) {
            session.order(order);
        }
        self.session = Some(session);
        app.settings.all.extend(opened.settings);
        if app.toast.as_ref().is_some_and(|(t, ..)| t == OPENING) {
            app.toast = None;
        }
        for notice in opened.notices {
            app.complain(notice);
        }
        // What was begun in the meantime goes before the welcome.
        let untouched = app.overlay.is_none()
            && app.room().composer.is_empty()
            && app.room().live.is_none()
            && app.room().case.is_none();
        if let Some(case) = opened.last.filter(|_| untouched) {
            for effect in update::open_last(app, case) {
                if let Effect::Order(order) = effect {
                    self.order(order);
                }
            }
        }
        if opened.first_run && untouched {
            app.settings.first_run = true;
            for effect in update::first_start(app) {
                if let Effect::Order(order) = effect {
                    self.order(order);
                }
            }
        }
        Ok(())
    }
}

type Out = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

struct Clock(Instant);

impl Clock {
    fn now(&self) -> u64 {
        // The screen's clock begins above zero, so that "long ago" has room.
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX / 2) + 10_000
    }
}

async fn screen<E>(
    app: &mut App,
    behind: &mut Behind<E>,
    open: impl FnOnce() -> io::Result<()>,
) -> Result<(), Broken<E>> {
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
    open()?;
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
                    // All that is there already goes before the next frame: a window that is dragged, or
                    // a held key, would else be drawn for longer than it lasts.
                    while messages.len() < BATCH && let Some(event) = ready(&mut events).await {
                        messages.push(message(event?));
                    }
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
                // Whoever stopped it may have drawn over it.
                Signal::Continue => {
                    guard::again()?;
                    blank(&mut terminal)?;
                    at_once = true;
                    messages.push(Msg::Other);
                }
            },
            from = behind.next() => match from {
                Came::Opened(opened) => {
                    let opened = opened.map_err(Broken::Open)?;
                    let words = opened.engine.own_words();
                    behind.take(app, opened)?;
                    messages.push(Msg::Update(Box::new(Update::OwnWords(words))));
                }
                Came::Updates(all) => {
                    at_once = all.iter().any(answers);
                    messages = all;
                }
                Came::Lost => app.complain(LOST),
            },
            () = timer => messages.push(Msg::Tick),
        }
        for msg in messages {
            let effects = update::update(app, clock.now(), crate::engine::now_ms(), msg);
            for effect in effects {
                match effect {
                    Effect::Order(order) => behind.order(order),
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
                    Effect::Clear => blank(&mut terminal)?,
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

/// What the status line says when nothing stands behind the screen any more.
const LOST: &str = "an internal error ended the work behind the screen; what was written is kept. Quit and start again";

/// A panic on demand, for the test that the terminal comes back whole from one: F12, in a build with
/// debug assertions, and only where the environment asks for it.
#[cfg(debug_assertions)]
#[allow(
    clippy::panic,
    reason = "the test of what happens on a panic needs one"
)]
fn provoked(event: &Event) {
    let f12 = crossterm::event::KeyCode::F(12);
    if let Event::Key(key) = event
        && key.code == f12
        && std::env::var_os("RMM_ANALYST_TEST_PANIC").is_some()
    {
        std::panic::panic_any("provoked by a test");
    }
}

#[cfg(not(debug_assertions))]
fn provoked(_event: &Event) {}

/// Whether it answers an order of the person, who waits for it; what streams by itself waits for its frame.
fn answers(message: &Msg) -> bool {
    let Msg::Update(update) = message else {
        return true;
    };
    !matches!(
        **update,
        Update::Progress(..) | Update::Events(..) | Update::Cases(..)
    )
}

/// The next event, when it is there.
async fn ready(events: &mut EventStream) -> Option<io::Result<Event>> {
    // Polled by this task, so that the stream wakes it later on; a poll by nobody would be its last.
    tokio::select! {
        biased;
        event = events.next() => event,
        () = std::future::ready(()) => None,
    }
}

fn message(event: Event) -> Msg {
    provoked(&event);
    match event {
        Event::Key(key) => Msg::Key(key),
        Event::Paste(text) => Msg::Paste(text),
        Event::Resize(w, h) => Msg::Resize(w, h),
        Event::Mouse(_) | Event::FocusGained | Event::FocusLost => Msg::Other,
    }
}

/// Empties the screen, so that the next frame draws every cell. Not `Terminal::clear`: that asks the
/// terminal where its cursor stands, and the answer, which some never give, is a key for the event stream.
fn blank(terminal: &mut Out) -> io::Result<()> {
    let size = terminal.size()?;
    terminal.resize(Rect::new(0, 0, size.width, size.height))
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
    blank(terminal)?;
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
    /// SIGCONT.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there is none there"))]
    Continue,
}

#[cfg(unix)]
struct Signals {
    term: tokio::signal::unix::Signal,
    hup: tokio::signal::unix::Signal,
    int: tokio::signal::unix::Signal,
    stop: tokio::signal::unix::Signal,
    cont: tokio::signal::unix::Signal,
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
            cont: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.term.recv() => Signal::End,
            _ = self.hup.recv() => Signal::End,
            _ = self.int.recv() => Signal::Interrupt,
            _ = self.stop.recv() => Signal::Stop,
            _ = self.cont.recv() => Signal::Continue,
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
