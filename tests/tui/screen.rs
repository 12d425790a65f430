//! A screen without a terminal: the application, an injected clock, and a VT emulator that gets the bytes
//! which a terminal would get.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use rmm_analyst::engine::session::{Order, Update};
use rmm_analyst::engine::view::{Body, CaseId, CaseState, Event, ModuleFact};
use rmm_analyst::tui::app::{App, Effect, Msg, ScreenSettings};
use rmm_analyst::tui::keys::Keymap;
use rmm_analyst::tui::{draw, notify, update};
use serde_json::json;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

#[derive(Clone, Default)]
struct Wire(Rc<RefCell<Vec<u8>>>);

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) struct Screen {
    pub(crate) app: App,
    pub(crate) now: u64,
    wire: Wire,
    terminal: Terminal<CrosstermBackend<Wire>>,
    vt: vt100::Parser,
    pub(crate) orders: Vec<Order>,
    pub(crate) quit: bool,
    /// Bytes that notifications wrote to the terminal.
    pub(crate) rings: Vec<Vec<u8>>,
    pub(crate) clipboard: Vec<Vec<u8>>,
    /// Draws only when asked to, for long streams of keys.
    pub(crate) lazy: bool,
}

/// A fixed time: 2026-01-02 03:04 UTC.
pub(crate) const WALL: i64 = 1_767_323_040_000;

pub(crate) const CASE: &str = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

impl Screen {
    pub(crate) fn new(w: u16, h: u16) -> Self {
        let wire = Wire::default();
        let mut app = App::new((w, h), ScreenSettings::default(), Keymap::default());
        app.modules = modules();
        let mut s = Self {
            app,
            now: 10_000,
            terminal: terminal(&wire, w, h),
            wire,
            vt: emulator(w, h),
            orders: Vec::new(),
            quit: false,
            rings: Vec::new(),
            clipboard: Vec::new(),
            lazy: false,
        };
        s.msg(Msg::Tick);
        s
    }

    pub(crate) fn resize(&mut self, w: u16, h: u16) {
        self.terminal = terminal(&self.wire, w, h);
        self.vt = emulator(w, h);
        self.msg(Msg::Resize(w, h));
    }

    /// Hands a message to the application and draws.
    pub(crate) fn msg(&mut self, msg: Msg) {
        let effects = update::update(&mut self.app, self.now, WALL, msg);
        for e in effects {
            match e {
                Effect::Order(o) => self.orders.push(o),
                Effect::Quit => self.quit = true,
                Effect::Ring(words) => {
                    let settings = &self.app.settings;
                    let bytes = notify::bytes(&settings.notify, &words, settings.tmux);
                    self.rings.extend(bytes);
                }
                Effect::Terminal(bytes) => self.clipboard.push(bytes),
                Effect::Suspend | Effect::Clear => {}
            }
        }
        if !self.lazy {
            self.draw();
        }
    }

    pub(crate) fn draw(&mut self) {
        self.app.now = self.now;
        self.terminal
            .draw(|f| draw::draw(&mut self.app, f))
            .unwrap();
        let bytes = std::mem::take(&mut *self.wire.0.borrow_mut());
        self.vt.process(&bytes);
    }

    /// Lets time pass, with the wake-ups that the application asks for.
    pub(crate) fn wait(&mut self, ms: u64) {
        let end = self.now + ms;
        while let Some(at) = self.app.wake().filter(|at| *at <= end) {
            self.now = at.max(self.now + 1).min(end);
            self.msg(Msg::Tick);
        }
        self.now = end;
        self.msg(Msg::Tick);
    }

    pub(crate) fn key(&mut self, code: KeyCode) {
        self.msg(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    pub(crate) fn ctrl(&mut self, c: char) {
        self.msg(Msg::Key(KeyEvent::new(
            KeyCode::Char(c),
            KeyModifiers::CONTROL,
        )));
    }

    /// Types, 30 ms a key.
    pub(crate) fn keys(&mut self, text: &str) {
        for c in text.chars() {
            self.now += 30;
            self.key(KeyCode::Char(c));
        }
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.keys(text);
        self.now += 30;
        self.key(KeyCode::Enter);
    }

    pub(crate) fn text(&self) -> String {
        let (rows, cols) = self.vt.screen().size();
        let mut out = String::new();
        for row in 0..rows.get() {
            let mut line = String::new();
            for col in 0..cols.get() {
                match self.vt.screen().cell(row, col) {
                    Some(c) if c.is_wide_continuation() => {}
                    Some(c) if c.has_contents() => line.push_str(c.contents()),
                    _ => line.push(' '),
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    pub(crate) fn cursor(&self) -> (u16, u16) {
        self.vt.screen().cursor_position()
    }

    /// Shows a case with these events.
    pub(crate) fn load(&mut self, bodies: Vec<Body>) {
        let mut state = CaseState::default();
        for (i, body) in bodies.into_iter().enumerate() {
            state.apply(&event(i as u64 + 1, body));
        }
        let room = self.app.current;
        self.msg(Msg::Update(Box::new(Update::Loaded(
            room,
            case(),
            Box::new(state),
        ))));
    }

    /// Further events of the case.
    pub(crate) fn events(&mut self, bodies: Vec<Body>) {
        let from = self.app.room().state.seq + 1;
        let events = bodies
            .into_iter()
            .enumerate()
            .map(|(i, b)| event(from + i as u64, b))
            .collect();
        let room = self.app.current;
        self.msg(Msg::Update(Box::new(Update::Events(room, events))));
    }

    /// An update of the engine.
    pub(crate) fn told(&mut self, update: Update) {
        self.msg(Msg::Update(Box::new(update)));
    }

    pub(crate) fn approvals(&self) -> usize {
        self.orders
            .iter()
            .filter(|o| matches!(o, Order::Decide { approve: true, .. } | Order::Act { .. }))
            .count()
    }
}

fn terminal(wire: &Wire, w: u16, h: u16) -> Terminal<CrosstermBackend<Wire>> {
    let options = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, w, h)),
    };
    Terminal::with_options(CrosstermBackend::new(wire.clone()), options).unwrap()
}

pub(crate) fn case() -> CaseId {
    CaseId::parse(CASE).unwrap()
}

fn event(seq: u64, body: Body) -> Event {
    Event {
        seq,
        at_ms: WALL - 60_000,
        body,
    }
}

/// A body in its stored form.
pub(crate) fn body(value: serde_json::Value) -> Body {
    serde_json::from_value(value).unwrap()
}

pub(crate) fn indicator(value: &str) -> serde_json::Value {
    serde_json::to_value(kit::classify(value).unwrap()).unwrap()
}

/// A turn with two look-ups, an answer and a proposal.
pub(crate) fn story(question: &str, answer: &str) -> Vec<Body> {
    let named = indicator("203.0.113.7");
    vec![
        body(json!({"kind": "opened", "title": question, "principal": "ana"})),
        body(
            json!({"kind": "human", "turn": 1, "text": question, "attachments": [], "shown": [], "principal": "ana", "surface": "tui",
            "mentions": [{"indicator": named, "stance": "authorize", "why": "named", "start": 0, "end": 1}]}),
        ),
        body(
            json!({"kind": "turn_started", "turn": 1, "continues": null, "planner": "model", "model": "qwen3:8b", "tools_mode": "native"}),
        ),
        body(
            json!({"kind": "call", "turn": 1, "n": 1, "tool": "abuseipdb", "argument": "203.0.113.7", "subject": named,
            "verdict": "permit", "reason": null, "detail": null, "charged": true}),
        ),
        body(
            json!({"kind": "call", "turn": 1, "n": 2, "tool": "threatfox", "argument": "203.0.113.7", "subject": named,
            "verdict": "permit", "reason": null, "detail": null, "charged": true}),
        ),
        body(
            json!({"kind": "call", "turn": 1, "n": 3, "tool": "crtsh", "argument": "evil.example.com", "subject": indicator("evil.example.com"),
            "verdict": "refuse", "reason": "unauthorized", "detail": "Nobody named or approved evil.example.com in this case.", "charged": false}),
        ),
        body(
            json!({"kind": "call_done", "turn": 1, "n": 1, "status": "found", "detail": null, "evidence": 1, "verdict": "malicious",
            "seen": [indicator("evil.example.com")], "age_s": 0, "ms": 812}),
        ),
        body(
            json!({"kind": "call_done", "turn": 1, "n": 2, "status": "could_not_look", "detail": "no key", "evidence": 2, "verdict": null,
            "seen": [], "age_s": 0, "ms": 0}),
        ),
        body(json!({"kind": "answer", "turn": 1, "text": answer,
            "unsupported": [{"text": "198.51.100.99", "why": "not in evidence"}], "mentioned": [{"indicator": indicator("198.51.100.50"), "found_in": 1}]})),
        propose(17, "evil.example.com", Some(1)),
        body(
            json!({"kind": "turn_ended", "turn": 1, "status": "waiting", "usage": {"prompt_tokens": 1200, "cached_tokens": null, "completion_tokens": 90, "ms": 4200},
            "warnings": [], "error": null}),
        ),
    ]
}

pub(crate) fn propose(n: u64, value: &str, found: Option<u32>) -> Body {
    body(
        json!({"kind": "proposed", "n": n, "turn": 1, "what": "pivot", "indicator": indicator(value),
        "why": "the same certificate", "found_in": found, "not_in_evidence": found.is_none(), "from": "model"}),
    )
}

fn modules() -> Vec<ModuleFact> {
    use kit::IndicatorType::{Domain, Ip};
    [
        ("crtsh", "crt.sh", vec![Domain], true),
        ("rdap", "rdap.org", vec![Domain, Ip], true),
        ("abuseipdb", "api.abuseipdb.com", vec![Ip], false),
        ("special", "", vec![Domain, Ip], true),
    ]
    .into_iter()
    .map(|(name, host, types, ready)| ModuleFact {
        name: name.into(),
        what: format!("what {name} knows"),
        types,
        host: host.into(),
        for_model: true,
        enabled: true,
        ready,
        get_key: "Make an account.".into(),
        secret: if ready { "" } else { name }.into(),
        optional: false,
    })
    .collect()
}

fn emulator(w: u16, h: u16) -> vt100::Parser {
    let size = |n: u16| std::num::NonZero::new(n).unwrap();
    vt100::Parser::new(size(h), size(w), 0)
}
