//! The state of the screen. No clock, no terminal, no engine: time comes in with each message, and what
//! is to be done goes out as effects.

mod room;

pub use room::{Chip, Live, Note, NoteBody, Queued, Room};

use super::keys::Keymap;
use super::overlay::Overlay;
use super::setup::Trial;
use crate::engine::own_words::OwnWords;
use crate::engine::server::ServerLine;
use crate::engine::session::{Edit, Order, RoomId, Update};
pub use crate::engine::view::ModuleFact;
use crate::engine::view::{CaseId, CaseSummary};
use crate::engine::{AskInput, Choices};
use crossterm::event::KeyEvent;
use kit::human::Stance;
use kit::indicator::Indicator;
use std::collections::{BTreeMap, HashMap};

/// What reaches the screen.
#[derive(Debug)]
pub enum Msg {
    /// A key.
    Key(KeyEvent),
    /// Bracketed paste.
    Paste(String),
    /// Mouse or focus: never decides anything.
    Other,
    /// New size, columns and rows.
    Resize(u16, u16),
    /// Something of the engine.
    Update(Box<Update>),
    /// Time passed.
    Tick,
    /// SIGINT: the same as Ctrl-C.
    Interrupt,
}

/// What the screen wants done.
#[derive(Debug)]
pub enum Effect {
    /// An order to the engine.
    Order(Order),
    /// Bytes for the terminal (clipboard).
    Terminal(Vec<u8>),
    /// Tell the person that a case wants them.
    Ring(String),
    /// Go to the background.
    Suspend,
    /// Draw everything anew.
    Clear,
    /// End.
    Quit,
}

/// Where keys go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The message.
    #[default]
    Composer,
    /// The story.
    Narrative,
    /// The evidence.
    Evidence,
    /// The list of cases.
    Cases,
}

/// What a running turn does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The message is read and recorded.
    Starting,
    /// The server loads its model.
    Loading,
    /// The model works (round).
    Thinking(u32),
    /// Look-ups are out.
    Calling(String),
    /// The model writes its answer.
    Answering,
    /// It was told to stop.
    Stopping,
}

impl Phase {
    /// In words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Starting => "starting".into(),
            Self::Loading => "loading the model".into(),
            Self::Thinking(round) => format!("thinking (round {round})"),
            Self::Calling(what) => format!("calling {what}"),
            Self::Answering => "answering".into(),
            Self::Stopping => "stopping".into(),
        }
    }
}

/// The list of cases.
#[derive(Clone, Debug, Default)]
pub struct CasesPane {
    /// All, newest first.
    pub all: Vec<CaseSummary>,
    /// Last event that was seen, by case.
    pub seen: HashMap<String, i64>,
    /// Selected line of what is shown.
    pub selected: usize,
    /// Filter.
    pub filter: String,
    /// The filter takes keys.
    pub filtering: bool,
    /// The case that was deleted last.
    pub deleted: Option<CaseId>,
}

/// Settings that the screen itself uses.
#[derive(Clone, Debug)]
pub struct ScreenSettings {
    /// Indicators are written defanged.
    pub defang: bool,
    /// `none`, `bell`, `desktop`.
    pub notify: String,
    /// Colours may be used.
    pub color: bool,
    /// Inside tmux.
    pub tmux: bool,
    /// `[ai] authorize_pasted = "yes"`.
    pub paste_authorizes: bool,
    /// Look-ups a turn.
    pub turn_max: u32,
    /// Look-ups a case.
    pub case_max: u32,
    /// Settings as `key = value`, secrets as set or unset.
    pub all: Vec<(String, String)>,
    /// Nothing is configured yet: the first start is guided.
    pub first_run: bool,
    /// The configuration file, for people.
    pub config_file: String,
}

impl Default for ScreenSettings {
    fn default() -> Self {
        Self {
            defang: true,
            notify: "bell".into(),
            color: true,
            tmux: false,
            paste_authorizes: false,
            turn_max: 8,
            case_max: 40,
            all: Vec::new(),
            first_run: false,
            config_file: String::new(),
        }
    }
}

/// The copy of the cases in another place, as the status line tells of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mirror {
    /// There is none.
    #[default]
    Off,
    /// Everything is there.
    On,
    /// So many entries wait to be sent.
    Waiting(u32),
}

impl Mirror {
    /// In words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Off => "mirror off".into(),
            Self::On => "mirror on".into(),
            Self::Waiting(n) => format!("mirror: {n} waiting"),
        }
    }
}

/// The whole screen.
#[derive(Debug)]
pub struct App {
    /// Columns and rows.
    pub size: (u16, u16),
    /// Milliseconds of the screen's own clock.
    pub now: u64,
    /// Milliseconds since the Unix epoch.
    pub wall: i64,
    /// Where keys go.
    pub focus: Focus,
    /// The evidence drawer is open where there is no column for it.
    pub drawer: bool,
    /// Reasoning is unfolded.
    pub reasoning: bool,
    /// Cases.
    pub cases: CasesPane,
    /// Cases on screen.
    pub rooms: BTreeMap<RoomId, Room>,
    /// The one that shows.
    pub current: RoomId,
    /// What lies over it.
    pub overlay: Option<Overlay>,
    /// One sentence, until a time.
    pub toast: Option<(String, bool, u64)>,
    /// Keys.
    pub keys: Keymap,
    /// Settings.
    pub settings: ScreenSettings,
    /// Modules.
    pub modules: Vec<ModuleFact>,
    /// The model server; none: not asked yet.
    pub server: Option<ServerLine>,
    /// Tells what of a message is hidden from the model.
    pub words: OwnWords,
    /// The mirror.
    pub mirror: Mirror,
    /// Changes of cases that can be taken back, the last one at the end.
    pub undo: Vec<(CaseId, Edit)>,
    /// The setting that was asked for last, with what was typed.
    pub asked_setting: Option<(String, String)>,
    /// The model that was chosen for this session.
    pub model: Option<String>,
    /// Ctrl-C was pressed once on nothing.
    pub quit_asked: Option<u64>,
    /// Print the narrative to the scrollback when leaving.
    pub print: bool,
    /// Number of the last search.
    pub stamp: u64,
}

impl App {
    /// A screen with one empty room.
    #[must_use]
    pub fn new(size: (u16, u16), settings: ScreenSettings, keys: Keymap) -> Self {
        let mut app = Self {
            size,
            now: 0,
            wall: 0,
            focus: Focus::Composer,
            drawer: false,
            reasoning: false,
            cases: CasesPane::default(),
            rooms: BTreeMap::new(),
            current: 0,
            overlay: None,
            toast: None,
            keys,
            settings,
            modules: Vec::new(),
            server: None,
            words: OwnWords::default(),
            mirror: Mirror::default(),
            undo: Vec::new(),
            asked_setting: None,
            model: None,
            quit_asked: None,
            print: false,
            stamp: 0,
        };
        app.add_room();
        app
    }

    /// Adds an empty room and goes there.
    pub fn add_room(&mut self) -> RoomId {
        let id = self.rooms.keys().next_back().map_or(1, |n| n + 1);
        self.rooms.insert(id, Room::new(id));
        self.current = id;
        id
    }

    /// The room that shows.
    #[must_use]
    pub fn room(&self) -> &Room {
        // `current` always names a room; an empty one stands in should that ever fail.
        static EMPTY: std::sync::OnceLock<Room> = std::sync::OnceLock::new();
        self.rooms
            .get(&self.current)
            .unwrap_or_else(|| EMPTY.get_or_init(Room::default))
    }

    /// The room that shows.
    pub fn room_mut(&mut self) -> &mut Room {
        let id = self.current;
        self.rooms.entry(id).or_insert_with(|| Room::new(id))
    }

    /// Says one sentence for some seconds.
    pub fn say(&mut self, text: impl Into<String>) {
        self.toast = Some((text.into(), false, self.now + 6_000));
    }

    /// Says what went wrong.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.toast = Some((text.into(), true, self.now + 12_000));
    }

    /// The composer takes no keys, or holds nothing: then a card may be decided.
    #[must_use]
    pub fn composer_free(&self) -> bool {
        let room = self.room();
        self.focus != Focus::Composer || room.composer.is_empty() && room.chips.is_empty()
    }

    /// When the screen must look again though nothing came, on its own clock. `None`: never.
    #[must_use]
    pub fn wake(&self) -> Option<u64> {
        let room = self.room();
        let tries = matches!(&self.overlay, Some(Overlay::Setup(s)) if matches!(s.trial, Trial::Running(..)));
        let live = (tries || self.rooms.values().any(|r| r.live.is_some()))
            .then(|| (self.now / 1000 + 1) * 1000);
        let toast = self.toast.as_ref().map(|(_, _, until)| *until);
        let quit = self.quit_asked.map(|t| t + 1_500);
        [
            room.card.wake(self.composer_free(), self.now),
            live,
            toast,
            quit,
        ]
        .into_iter()
        .flatten()
        .min()
        .map(|t| t.max(self.now + 1))
    }

    /// The input of a turn of the current room.
    #[must_use]
    pub fn ask_input(&self, room: &Room, text: String) -> AskInput {
        use crate::engine::CaseChoice;
        use crate::engine::connect::ModelWish;
        AskInput {
            case: room
                .case
                .as_ref()
                .map_or(CaseChoice::New, |c| CaseChoice::Id(c.as_str().to_owned())),
            text,
            attachments: Vec::new(),
            authorize_input: false,
            continuation: false,
            mode: None,
            fresh: false,
            as_is: false,
            model: ModelWish {
                no_model: false,
                name: self.model.clone(),
                base_url: None,
            },
            surface: "tui",
        }
    }

    /// Choices that say: this was on screen.
    #[must_use]
    pub fn choices(shown: Vec<u64>, stances: Vec<(Indicator, Stance)>) -> Choices {
        Choices {
            shown: Some(shown),
            stances,
        }
    }
}
