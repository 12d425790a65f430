//! The story of a case as lines: turns, notes, the running turn. A block that is finished is rendered
//! once for each width; only what shows is rendered at all.

mod live;
mod turn;

pub use turn::shown_evidence;

use super::app::{App, Room};
use crate::engine::own_words::OwnWords;
use crate::engine::view::{Defang, Mode, TurnStatus};
use live::{live, note, queue};
use ratatui::text::Line;
use std::collections::HashMap;
use std::hash::{Hash as _, Hasher as _};

/// A part of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// A turn, by its place in the state.
    Turn(usize),
    /// A note, by its place.
    Note(usize),
    /// What runs now.
    Live,
    /// Waiting messages.
    Queue,
}

/// Where the view stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scroll {
    /// At the end, and stays there.
    #[default]
    Follow,
    /// The first line shown: block and line in it.
    At(usize, usize),
}

/// Rendered blocks and the place of the view.
#[derive(Debug, Default)]
pub struct Narrative {
    /// Place.
    pub scroll: Scroll,
    width: usize,
    done: HashMap<Block, (u64, Vec<Line<'static>>)>,
    defang: Option<(u64, usize, Defang)>,
    /// The finished part of the running text: bytes and lines.
    open: (usize, Vec<Line<'static>>),
}

impl Narrative {
    /// What was rendered is rendered anew.
    pub fn forget(&mut self) {
        self.done.clear();
        self.open = (0, Vec::new());
    }
}

impl std::fmt::Debug for Defang {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Defang")
    }
}

/// The blocks of a room in order.
#[must_use]
pub fn blocks(room: &Room) -> Vec<Block> {
    let mut out = Vec::with_capacity(room.state.turns.len() + room.notes.len() + 2);
    let mut notes = room.notes.iter().enumerate().peekable();
    for (i, t) in room.state.turns.iter().enumerate() {
        while let Some((n, _)) = notes.next_if(|(_, note)| note.after < t.n) {
            out.push(Block::Note(n));
        }
        out.push(Block::Turn(i));
    }
    if room.live.is_some() {
        out.push(Block::Live);
    }
    out.extend(notes.map(|(n, _)| Block::Note(n)));
    if !room.queue.is_empty() {
        out.push(Block::Queue);
    }
    out
}

/// What the rendering of a block depends on besides the log.
#[derive(Clone, Debug)]
pub struct Options {
    /// Width in cells.
    pub width: usize,
    /// Defang.
    pub defang: bool,
    /// Reasoning unfolded.
    pub reasoning: bool,
    /// The key that folds and unfolds it, in words.
    pub key: String,
    /// The screen's clock.
    pub now: u64,
    /// Finds secrets that come together only when they are drawn.
    pub words: OwnWords,
}

/// Moves the view by lines; negative is up.
pub fn scroll_by(room: &mut Room, options: &Options, height: usize, by: isize) {
    let all = blocks(room);
    let (mut block, mut at) = match room.narrative.scroll {
        Scroll::At(b, l) => (b.min(all.len()), l),
        Scroll::Follow => top(room, &all, options, height),
    };
    if by < 0 {
        let mut left = by.unsigned_abs();
        while left > 0 {
            if at >= left {
                at -= left;
                left = 0;
            } else {
                left -= at;
                if block == 0 {
                    at = 0;
                    break;
                }
                block -= 1;
                at = all.get(block).map_or(0, |b| count(room, *b, options));
            }
        }
        room.narrative.scroll = Scroll::At(block, at);
        return;
    }
    let mut left = by.unsigned_abs();
    while left > 0 && block < all.len() {
        let here = all.get(block).map_or(0, |b| count(room, *b, options));
        if at + left < here {
            at += left;
            left = 0;
        } else {
            left -= here.saturating_sub(at).min(left);
            block += 1;
            at = 0;
        }
    }
    let end = top(room, &all, options, height);
    room.narrative.scroll = if (block, at) >= end {
        Scroll::Follow
    } else {
        Scroll::At(block, at)
    };
}

/// The first line that shows when the end shows.
fn top(room: &mut Room, all: &[Block], options: &Options, height: usize) -> (usize, usize) {
    let mut left = height;
    for (i, b) in all.iter().enumerate().rev() {
        let here = count(room, *b, options);
        if here >= left {
            return (i, here - left);
        }
        left -= here;
    }
    (0, 0)
}

fn count(room: &mut Room, block: Block, options: &Options) -> usize {
    with_lines(room, block, options, <[Line<'_>]>::len)
}

/// The lines that show.
pub fn view(room: &mut Room, options: &Options, height: usize) -> Vec<Line<'static>> {
    let all = blocks(room);
    let (mut block, mut at) = match room.narrative.scroll {
        Scroll::Follow => top(room, &all, options, height),
        Scroll::At(b, l) => (b, l),
    };
    let mut out = Vec::with_capacity(height);
    while out.len() < height && block < all.len() {
        let Some(b) = all.get(block).copied() else {
            break;
        };
        let left = height - out.len();
        with_lines(room, b, options, |lines| {
            out.extend(lines.iter().skip(at).take(left).cloned());
        });
        block += 1;
        at = 0;
    }
    out
}

/// The whole story as plain lines, for the scrollback.
pub fn whole(room: &mut Room, options: &Options) -> Vec<String> {
    let mut out = Vec::new();
    for b in blocks(room) {
        with_lines(room, b, options, |lines| {
            out.extend(lines.iter().map(|l| {
                l.spans
                    .iter()
                    .map(|s| s.content.as_ref())
                    .collect::<String>()
                    .trim_end()
                    .to_owned()
            }));
        });
    }
    out
}

fn with_lines<T>(
    room: &mut Room,
    block: Block,
    options: &Options,
    f: impl FnOnce(&[Line<'static>]) -> T,
) -> T {
    if room.narrative.width != options.width {
        room.narrative.width = options.width;
        room.narrative.forget();
    }
    match block {
        Block::Live => {
            let lines = live(room, options);
            return f(&lines);
        }
        Block::Queue => return f(&queue(room, options.width)),
        Block::Turn(_) | Block::Note(_) => {}
    }
    let key = key(room, block, options);
    if room
        .narrative
        .done
        .get(&block)
        .is_none_or(|(k, _)| *k != key)
    {
        let lines = match block {
            Block::Turn(i) => {
                let defang = defang(room, i, options);
                let lines = room
                    .state
                    .turns
                    .get(i)
                    .map(|t| turn::lines(room, t, options, defang.as_ref()))
                    .unwrap_or_default();
                if let Some(d) = defang {
                    room.narrative.defang = Some((room.state.seq, i, d));
                }
                lines
            }
            Block::Note(i) => room
                .notes
                .get(i)
                .map(|n| note(n, options.width))
                .unwrap_or_default(),
            Block::Live | Block::Queue => Vec::new(),
        };
        room.narrative.done.insert(block, (key, lines));
    }
    match room.narrative.done.get(&block) {
        Some((_, lines)) => f(lines),
        None => f(&[]),
    }
}

/// The defanger of the case; while the turn runs the plain one, because the case's is dear to make.
fn defang(room: &mut Room, turn: usize, options: &Options) -> Option<Defang> {
    if !options.defang {
        return None;
    }
    let runs = room
        .state
        .turns
        .get(turn)
        .is_none_or(|t| t.status.is_none());
    if runs {
        return Some(Defang::plain());
    }
    match room.narrative.defang.take() {
        Some((seq, _, d)) if seq == room.state.seq => Some(d),
        _ => Some(Defang::of(&room.state)),
    }
}

/// A number that changes when the block looks different.
fn key(room: &Room, block: Block, options: &Options) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    options.defang.hash(&mut h);
    match block {
        Block::Turn(i) => {
            if let Some(t) = room.state.turns.get(i) {
                if let Some(thoughts) = room.thoughts.get(&t.n) {
                    (options.reasoning, thoughts.len()).hash(&mut h);
                }
                t.calls.len().hash(&mut h);
                t.calls
                    .iter()
                    .filter(|c| c.status.is_some())
                    .count()
                    .hash(&mut h);
                t.status.map(TurnStatus::name).hash(&mut h);
                t.text.as_str().len().hash(&mut h);
                t.answer.is_some().hash(&mut h);
                t.refused_more.hash(&mut h);
                for n in &t.proposals {
                    if let Some(a) = room.state.actions.get(n) {
                        let news = a
                            .news
                            .as_ref()
                            .map(|n| (n.status.as_str(), n.detail.as_str()));
                        (a.state.name(), news).hash(&mut h);
                    }
                    room.state
                        .proposals
                        .get(n)
                        .map(|p| p.state.name())
                        .hash(&mut h);
                }
                for e in shown_evidence(room, t) {
                    room.evidence.rows.contains_key(&e).hash(&mut h);
                }
                (room.state.mode == Mode::Full).hash(&mut h);
            }
        }
        Block::Note(_) | Block::Live | Block::Queue => {}
    }
    h.finish()
}

/// Options for the narrative of this screen.
#[must_use]
pub fn options(app: &App, width: usize) -> Options {
    Options {
        width,
        defang: app.settings.defang,
        reasoning: app.reasoning,
        key: app.keys.word(super::keys::Action::Reasoning).to_owned(),
        now: app.now,
        words: app.words.clone(),
    }
}
