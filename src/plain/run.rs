//! The loop: lines, updates, time and signals in; lines out.

use super::card;
use super::commands;
use super::desk::{Desk, Question, Settings};
use super::input::{Entry, Input};
use super::message;
use super::paper::wrapped;
use crate::engine::Engine;
use crate::engine::session::{Rebuild, Session, Update};
use std::io::{self, Write as _};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// How often the terminal's queue is looked at while a card is being armed.
const LOOK: Duration = Duration::from_millis(50);

/// A turn that says nothing for so long is said to run still.
const STILL: Duration = Duration::from_secs(30);

/// What the caller knows.
#[derive(Clone, Debug)]
pub struct Start {
    /// Settings. Whether proposals can be decided is found out here.
    pub settings: Settings,
    /// What is written goes to a terminal.
    pub shown: bool,
}

/// Runs line mode until the person leaves or the input ends. Gives the exit code.
///
/// # Errors
/// The output or the operating system failed.
pub fn run(engine: Engine, rebuild: Rebuild, start: Start) -> io::Result<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let words = engine.own_words();
    let mut settings = start.settings;
    let input = Input::start(settings.terminal)?;
    settings.decides = settings.terminal && start.shown && input.can_discard();
    let (session, updates) = Session::start(engine, rebuild, "plain")?;
    let mut line = LineMode {
        desk: Desk::new(settings, words),
        input,
        prompted: false,
        arming: None,
        dropped: 0,
        shown: start.shown,
    };
    let local = tokio::task::LocalSet::new();
    let result = local.block_on(&runtime, line.serve(&session, updates));
    // Running turns are closed before the process ends.
    drop(session);
    result
}

/// A card whose answer does not count yet.
struct Arming {
    quiet_since: Instant,
}

struct LineMode {
    desk: Desk,
    input: Input,
    /// A prompt stands at the end of the output.
    prompted: bool,
    arming: Option<Arming>,
    /// Characters that were typed before the question.
    dropped: usize,
    /// What is written goes to a terminal, which breaks what is too long for it.
    shown: bool,
}

impl LineMode {
    async fn serve(
        &mut self,
        session: &Session,
        mut updates: UnboundedReceiver<Update>,
    ) -> io::Result<u8> {
        let mut signals = Signals::new()?;
        let mut ended = false;
        let mut heard = Instant::now();
        let mut begun: Option<Instant> = None;
        loop {
            for order in std::mem::take(&mut self.desk.orders) {
                session.order(order);
            }
            if self.desk.arm {
                self.dropped = 0;
                self.arming = Some(Arming {
                    quiet_since: Instant::now(),
                });
            }
            if self.write()? {
                heard = Instant::now();
            }
            if std::mem::take(&mut self.desk.arm)
                && let Some(a) = &mut self.arming
            {
                // The time runs from when it can be read.
                a.quiet_since = Instant::now();
            }
            if self.desk.live.is_some() {
                begun.get_or_insert_with(Instant::now);
            } else {
                begun = None;
            }
            let terminal = self.desk.settings.terminal;
            if self.desk.leave || ended && (terminal || self.desk.idle()) {
                if self.prompted {
                    self.end_line()?;
                }
                return Ok(if terminal { 0 } else { self.desk.exit_code() });
            }
            // A pipe is read line by line, each when the one before is over; a person is always heard.
            let takes = !ended && self.desk.greeted() && (terminal || self.desk.idle());
            let armed = self.arming.is_some();
            let runs = self.desk.live.is_some();
            let still = heard + STILL;
            tokio::select! {
                biased;
                signal = signals.next() => match signal {
                    Signal::Interrupt if terminal => self.interrupt()?,
                    Signal::Interrupt => {
                        self.desk.codes.insert(130);
                        return Ok(130);
                    }
                    Signal::End => return Ok(if terminal { 0 } else { 130 }),
                },
                Some(first) = updates.recv() => {
                    self.desk.update(first);
                    let mut n = 0;
                    while n < 512 && let Ok(more) = updates.try_recv() {
                        self.desk.update(more);
                        n += 1;
                    }
                }
                entry = self.input.next(), if takes => match entry {
                    Some(entry) => self.entry(&entry),
                    None => ended = true,
                },
                () = tokio::time::sleep(LOOK), if armed => self.look(),
                () = tokio::time::sleep_until(still.into()), if runs => {
                    let seconds = begun.map_or(0, |b| b.elapsed().as_secs());
                    if let Some(l) = &self.desk.live {
                        let words = format!("Still running after {seconds} s: {}.", l.phase);
                        self.desk.paper.say(words);
                    }
                    heard = Instant::now();
                }
            }
        }
    }

    /// What was typed, or what a pipe holds.
    fn entry(&mut self, entry: &Entry) {
        // The person's Enter ended the line of the prompt.
        self.prompted = false;
        let late = self
            .desk
            .question
            .since()
            .is_some_and(|since| since.is_none_or(|e| entry.epoch < e));
        if late {
            self.dropped += entry
                .lines
                .iter()
                .map(|l| l.chars().count() + 1)
                .sum::<usize>();
            if let Some(a) = &mut self.arming {
                a.quiet_since = Instant::now();
            } else {
                self.note();
            }
            return;
        }
        message::line(&mut self.desk, &entry.lines, entry.epoch);
    }

    /// Empties the terminal's queue; when no key came for long enough the card can be answered.
    fn look(&mut self) {
        let Some(arming) = &mut self.arming else {
            return;
        };
        if self.desk.question.since().is_none() {
            self.arming = None;
            return;
        }
        let dropped = self.input.discard();
        if dropped.end {
            self.desk.leave = true;
        }
        if dropped.chars > 0 {
            self.dropped += dropped.chars;
            arming.quiet_since = Instant::now();
            return;
        }
        if arming.quiet_since.elapsed() < Duration::from_millis(card::ARM) {
            return;
        }
        self.arming = None;
        let now = self.input.epoch();
        self.desk.armed = now;
        self.desk.question.arm(now);
        self.note();
    }

    fn note(&mut self) {
        let n = std::mem::take(&mut self.dropped);
        if n > 0 {
            let s = if n == 1 { " was" } else { "s were" };
            self.desk.paper.say(format!(
                "{n} character{s} typed before this question and not taken as an answer."
            ));
        }
    }

    fn interrupt(&mut self) -> io::Result<()> {
        // The terminal showed the key behind the prompt.
        self.end_line()?;
        let desk = &mut self.desk;
        if desk.live.is_some() {
            commands::stop(desk);
            return Ok(());
        }
        match desk.question {
            Question::Reason(n) | Question::Count { n, .. } => {
                desk.printed.remove(&n);
                desk.question = Question::None;
                desk.paper.say("Nothing was decided.");
            }
            Question::Menu(_) | Question::Value(_) => {
                desk.question = Question::None;
                desk.paper.say("Nothing was chosen.");
            }
            Question::None | Question::Card { .. } if desk.leave_asked => desk.leave = true,
            Question::None | Question::Card { .. } => {
                desk.leave_asked = true;
                desk.paper.say("Ctrl-c again leaves.");
            }
        }
        desk.answered = true;
        desk.settle();
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.prompted = false;
        let mut out = io::stdout().lock();
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Writes what waits, and the prompt where one is due. True when lines were written.
    fn write(&mut self) -> io::Result<bool> {
        let lines = self.desk.paper.take();
        let any = !lines.is_empty();
        let mut text = String::new();
        if any && self.prompted {
            text.push('\n');
            self.prompted = false;
        }
        // What the terminal broke itself would go on at the margin, where only the program speaks.
        let width = if self.shown { columns() } else { usize::MAX };
        for l in lines.iter().flat_map(|l| wrapped(l, width)) {
            text.push_str(&l);
            text.push('\n');
        }
        let due = self.desk.settings.terminal
            && self.desk.idle()
            && self.arming.is_none()
            && !self.desk.leave
            && !self.prompted;
        if due {
            text.push_str(&self.desk.paper.prompt(self.desk.prompt()));
            self.prompted = true;
        }
        if !text.is_empty() {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        Ok(any)
    }
}

/// Columns of the terminal behind stdout.
fn columns() -> usize {
    /// Where the terminal does not say.
    const USUAL: usize = 80;
    #[cfg(unix)]
    let known = rustix::termios::tcgetwinsize(io::stdout()).map(|s| usize::from(s.ws_col));
    #[cfg(not(unix))]
    let known = crossterm::terminal::size().map(|(columns, _)| usize::from(columns));
    known.ok().filter(|n| *n > 0).unwrap_or(USUAL)
}

enum Signal {
    /// SIGTERM, SIGHUP.
    End,
    /// SIGINT.
    Interrupt,
}

#[cfg(unix)]
struct Signals {
    term: tokio::signal::unix::Signal,
    hup: tokio::signal::unix::Signal,
    int: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            hup: signal(SignalKind::hangup())?,
            int: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.term.recv() => Signal::End,
            _ = self.hup.recv() => Signal::End,
            _ = self.int.recv() => Signal::Interrupt,
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
