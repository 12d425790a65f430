//! The state of the screen. No clock, no terminal, no engine: time comes in with each message, and what
//! is to be done goes out as effects.

use super::card::Card;
use super::composer::Composer;
use super::evidence::EvidencePane;
use super::keys::Keymap;
use super::narrative::Narrative;
use super::overlay::Overlay;
use crate::engine::own_words::{Hidden, OwnWords};
use crate::engine::server::ServerLine;
use crate::engine::session::{Order, RoomId, Update};
pub use crate::engine::view::ModuleFact;
use crate::engine::view::{CaseId, CaseState, CaseSummary, ProposalKind, Sighting};
use crate::engine::{AskInput, Choices};
use crossterm::event::KeyEvent;
use kit::human::{Mention, Reply, Stance};
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

/// A running turn.
#[derive(Clone, Debug)]
pub struct Live {
    /// When it began, milliseconds of the screen's clock.
    pub since: u64,
    /// Phase.
    pub phase: Phase,
    /// When the phase began.
    pub phase_since: u64,
    /// The text of this round so far, redacted.
    pub text: String,
    /// Reasoning so far, redacted.
    pub reasoning: String,
    /// Texts of earlier rounds: progress, not memory.
    pub progress: Vec<String>,
}

/// A message that waits for the running turn.
#[derive(Clone, Debug)]
pub struct Queued {
    /// Text.
    pub text: String,
    /// Attachments.
    pub chips: Vec<Chip>,
    /// Stances chosen.
    pub stances: Vec<(Indicator, Stance)>,
    /// Pivots on screen when it was sent off.
    pub shown: Vec<u64>,
    /// The words go to the model as they are.
    pub as_is: bool,
}

/// A large paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Name.
    pub name: String,
    /// The text.
    pub text: String,
    /// What it names (the first 50).
    pub found: Vec<Indicator>,
    /// What of it is hidden from a model; it always is.
    pub hidden: Hidden,
}

/// A line of the program outside of the log: a person's own look-up, an error.
#[derive(Clone, Debug)]
pub struct Note {
    /// Behind this turn.
    pub after: u32,
    /// Title.
    pub title: String,
    /// Lines.
    pub body: NoteBody,
}

/// What a note holds.
#[derive(Clone, Debug)]
pub enum NoteBody {
    /// Words.
    Words(Vec<(super::style::Look, String)>),
    /// A table of answers of modules: head and rows.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// A case on the screen.
#[derive(Debug, Default)]
pub struct Room {
    /// Its number.
    pub id: RoomId,
    /// The case; none before the first message.
    pub case: Option<CaseId>,
    /// Its state, folded here from its events.
    pub state: CaseState,
    /// The state came.
    pub loaded: bool,
    /// The running turn.
    pub live: Option<Live>,
    /// Waiting messages.
    pub queue: Vec<Queued>,
    /// The queue waits for a key after an interruption.
    pub parked: bool,
    /// The message.
    pub composer: Composer,
    /// Large pastes of the message.
    pub chips: Vec<Chip>,
    /// Stances chosen for the message.
    pub stances: HashMap<Indicator, Stance>,
    /// What of the message is hidden from the model.
    pub hidden: Hidden,
    /// The message goes as it is, with what was hidden of it when the person chose that.
    pub as_is: Option<Hidden>,
    /// The message that was cleared.
    pub stash: Option<(String, Vec<Chip>)>,
    /// How the message reads.
    pub reading: Vec<Mention>,
    /// What a typed reply decides.
    pub reply: Option<Reply>,
    /// Notes.
    pub notes: Vec<Note>,
    /// Sightings of named indicators in other cases.
    pub sightings: HashMap<Indicator, Vec<Sighting>>,
    /// The story as lines.
    pub narrative: Narrative,
    /// The evidence.
    pub evidence: EvidencePane,
    /// The card.
    pub card: Card,
    /// Something happened here while another case was on screen.
    pub unread: bool,
    /// Sent messages, oldest first.
    pub history: Vec<String>,
    /// Place in the history while going through it.
    pub history_at: Option<usize>,
    /// Jump here when the case is loaded.
    pub jump: Option<(String, u32)>,
    /// Selected completion.
    pub completion: usize,
    /// The person put the completion list away.
    pub completion_off: bool,
}

impl Room {
    /// An empty room.
    #[must_use]
    pub fn new(id: RoomId) -> Self {
        Self {
            id,
            ..Self::default()
        }
    }

    /// Open pivots and actions, in order.
    #[must_use]
    pub fn open_proposals(&self) -> Vec<u64> {
        self.state.open_proposals().map(|p| p.n).collect()
    }

    /// Open pivots.
    #[must_use]
    pub fn open_pivots(&self) -> Vec<u64> {
        self.state
            .open_proposals()
            .filter(|p| p.kind == ProposalKind::Pivot)
            .map(|p| p.n)
            .collect()
    }

    /// Reads the message anew: what it authorizes, refuses, lists, decides.
    pub fn read(&mut self, paste_authorizes: bool) {
        use kit::human::{self, BareYes, OpenPivot, ReadOptions};
        let text = self.composer.text();
        self.completion = 0;
        if text.starts_with('/') || text.starts_with('@') {
            self.reading.clear();
            self.reply = None;
            return;
        }
        let options = ReadOptions {
            authorize_pasted: paste_authorizes,
            ..ReadOptions::default()
        };
        self.reading = human::read(text, &options).mentions;
        for chip in &self.chips {
            for i in &chip.found {
                if !self.reading.iter().any(|m| m.indicator == *i) {
                    self.reading.push(Mention {
                        indicator: i.clone(),
                        stance: Stance::Listed,
                        why: chip.name.clone(),
                        start: 0,
                        end: 0,
                    });
                }
            }
        }
        let reading = &self.reading;
        self.stances
            .retain(|i, _| reading.iter().any(|m| m.indicator == *i));
        let last = self.state.turns.last().map_or(0, |t| t.n);
        let open = |of_last: bool| -> Vec<OpenPivot<'_>> {
            self.state
                .open_proposals()
                .filter(|p| p.kind == ProposalKind::Pivot && (!of_last || p.turn == last))
                .map(|p| OpenPivot {
                    n: p.n,
                    indicator: &p.indicator,
                })
                .collect()
        };
        let named = text.chars().any(|c| c.is_ascii_digit()) || !self.reading.is_empty();
        let reply = match human::parse_reply(text, &open(true), BareYes::Single) {
            Reply::NotAReply if named => human::parse_reply(text, &open(false), BareYes::Single),
            reply => reply,
        };
        self.reply = (reply != Reply::NotAReply).then_some(reply);
    }

    /// Weighs the message anew: what of it is hidden. True when it was to go as it is and does not any more,
    /// because it holds something new that looks like a secret.
    pub fn weigh(&mut self, words: &OwnWords) -> bool {
        let text = self.composer.text();
        self.hidden = if text.starts_with('/') || text.starts_with('@') {
            Hidden::default()
        } else {
            words.hidden(text)
        };
        let hidden = &self.hidden;
        let held = self
            .as_is
            .take_if(|chosen| !hidden.may_be_sent() || !chosen.covers(hidden));
        held.is_some() && hidden.may_be_sent()
    }

    /// The stance that counts: the chosen one, or what the words say.
    #[must_use]
    pub fn stance(&self, mention: &Mention) -> Stance {
        self.stances
            .get(&mention.indicator)
            .copied()
            .unwrap_or(mention.stance)
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
        let live = self
            .rooms
            .values()
            .any(|r| r.live.is_some())
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
