//! A case on the screen, with what belongs to it and to nothing else.

use super::Phase;
use crate::engine::own_words::{Hidden, OwnWords};
use crate::engine::session::RoomId;
use crate::engine::view::{ActionView, CaseId, CaseState, ProposalKind, Sighting};
use crate::tui::card::Card;
use crate::tui::composer::Composer;
use crate::tui::evidence::EvidencePane;
use crate::tui::narrative::Narrative;
use crate::tui::style::Look;
use kit::human::{Mention, Reply, Stance};
use kit::indicator::Indicator;
use std::collections::{BTreeMap, HashMap};

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
    /// Reasoning of earlier rounds.
    pub thoughts: Vec<String>,
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
    Words(Vec<(Look, String)>),
    /// A table of answers of modules: head and rows.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// Bytes of reasoning that a room keeps; the oldest goes first.
const THOUGHTS: usize = 1 << 20;

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
    /// What there is to know about actions that wait, by number.
    pub actions: HashMap<u64, ActionView>,
    /// Reasoning of turns of this session, by turn and round. It is no part of the case.
    pub thoughts: BTreeMap<u32, Vec<String>>,
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
        let mut out: Vec<u64> = self.state.open_proposals().map(|p| p.n).collect();
        out.extend(self.state.open_actions().map(|a| a.proposed.n));
        out.sort_unstable();
        out
    }

    /// The whole content of an action, where it is here and is what was proposed.
    #[must_use]
    pub fn whole_action(&self, n: u64) -> Option<&ActionView> {
        let proposed = &self.state.actions.get(&n)?.proposed;
        self.actions.get(&n).filter(|a| a.is_of(proposed))
    }

    /// The number that a person types before approving this action; none: it is not asked for.
    #[must_use]
    pub fn wanted_count(&self, n: u64) -> Option<u32> {
        let proposed = &self.state.actions.get(&n)?.proposed;
        proposed.count.then_some(proposed.devices)
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

    /// Keeps the reasoning of a turn that ended, for as long as the program runs.
    pub fn remember_thoughts(&mut self, turn: u32, live: Live) {
        let mut thoughts = live.thoughts;
        if !live.reasoning.trim().is_empty() {
            thoughts.push(live.reasoning);
        }
        if thoughts.is_empty() {
            return;
        }
        self.thoughts.insert(turn, thoughts);
        let bytes = |t: &BTreeMap<u32, Vec<String>>| -> usize {
            t.values().flatten().map(String::len).sum()
        };
        while self.thoughts.len() > 1 && bytes(&self.thoughts) > THOUGHTS {
            self.thoughts.pop_first();
        }
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
