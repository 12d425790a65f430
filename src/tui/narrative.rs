//! The story of a case as lines: turns, notes, the running turn. A block that is finished is rendered
//! once for each width; only what shows is rendered at all.

use super::app::{App, Note, NoteBody, Phase, Room};
use super::style::Look;
use super::text::{Piece, line, wrap};
use super::{evidence, markdown, table};
use crate::engine::view::{
    self, Call, CallVerdict, Defang, Mode, Planner, ProposalState, Status, Turn, TurnStatus,
};
use ratatui::text::Line;
use std::collections::HashMap;
use std::fmt::Write as _;
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
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Width in cells.
    pub width: usize,
    /// Defang.
    pub defang: bool,
    /// Reasoning unfolded.
    pub reasoning: bool,
    /// The screen's clock.
    pub now: u64,
}

/// Moves the view by lines; negative is up.
pub fn scroll_by(room: &mut Room, options: Options, height: usize, by: isize) {
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
fn top(room: &mut Room, all: &[Block], options: Options, height: usize) -> (usize, usize) {
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

fn count(room: &mut Room, block: Block, options: Options) -> usize {
    with_lines(room, block, options, <[Line<'_>]>::len)
}

/// The lines that show.
pub fn view(room: &mut Room, options: Options, height: usize) -> Vec<Line<'static>> {
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
pub fn whole(room: &mut Room, options: Options) -> Vec<String> {
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
    options: Options,
    f: impl FnOnce(&[Line<'static>]) -> T,
) -> T {
    if room.narrative.width != options.width {
        room.narrative.width = options.width;
        room.narrative.done.clear();
        room.narrative.open = (0, Vec::new());
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
                    .map(|t| turn(room, t, options, defang.as_ref()))
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
fn defang(room: &mut Room, turn: usize, options: Options) -> Option<Defang> {
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
fn key(room: &Room, block: Block, options: Options) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    options.defang.hash(&mut h);
    match block {
        Block::Turn(i) => {
            if let Some(t) = room.state.turns.get(i) {
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

/// Evidence that is drawn inside the narrative: placed by the answer, or all in full mode.
#[must_use]
pub fn shown_evidence(room: &Room, t: &Turn) -> Vec<u32> {
    let mut out = t
        .answer
        .as_ref()
        .map(|a| view::placed(a.as_str()))
        .unwrap_or_default();
    if room.state.mode == Mode::Full {
        for e in t.calls.iter().filter_map(|c| c.evidence) {
            if !out.contains(&e) {
                out.push(e);
            }
        }
    }
    out
}

fn text(s: &str, defang: Option<&Defang>) -> String {
    defang.map_or_else(|| s.to_owned(), |d| d.text(s))
}

fn turn(room: &Room, t: &Turn, options: Options, defang: Option<&Defang>) -> Vec<Line<'static>> {
    let width = options.width;
    let mut out = Vec::new();
    let who = match (&t.planner, &t.model) {
        (Planner::Model, Some(model)) => model.clone(),
        _ => "rules".to_owned(),
    };
    let head = [
        Piece::new(format!("── {} ", t.n), Look::Bold),
        Piece::dim(format!("{}  {who} ", view::local(t.at_ms))),
    ];
    out.push(line(&head, width));
    if t.text.as_str().is_empty() {
        let words = if t.root == t.n {
            "(standard input)".to_owned()
        } else {
            format!("(goes on with turn {} after a decision)", t.root)
        };
        out.extend(wrap(&[Piece::dim(words)], width, "> ", "  "));
    } else {
        let said = text(t.text.as_str(), defang);
        out.extend(wrap(&[Piece::new(said, Look::Bold)], width, "> ", "  "));
    }
    for a in &t.attachments {
        let words = format!("[{}: {} bytes]", a.name, a.bytes);
        out.extend(wrap(&[Piece::dim(words)], width, "  ", "  "));
    }
    if !t.calls.is_empty() {
        out.push(Line::default());
    }
    let mut said: Option<&str> = None;
    for c in &t.calls {
        let why = c
            .detail
            .as_deref()
            .filter(|_| c.verdict == CallVerdict::Refuse);
        let again = why.is_some() && why == said;
        said = why;
        out.extend(ledger(c, t.status.is_some(), again, width, options.defang));
    }
    if t.refused_more > 0 {
        let words = format!("and {} more calls were refused", t.refused_more);
        out.extend(wrap(&[Piece::dim(words)], width, "  ", "  "));
    }
    if t.answer.is_some() {
        out.push(Line::default());
        out.extend(answer(room, t, width, defang));
    }
    let foot = view::footer(&t.calls);
    if !foot.is_empty() && t.status.is_some() {
        out.push(Line::default());
        for l in foot.lines() {
            out.extend(wrap(&[Piece::dim(l)], width, "", "  "));
        }
    }
    for n in &t.proposals {
        if let Some(p) = room.state.proposals.get(n) {
            let (word, look) = match p.state {
                ProposalState::Open => ("waits for you", Look::Warn),
                ProposalState::Approved => ("approved", Look::Good),
                ProposalState::Denied => ("denied", Look::Bad),
                ProposalState::Expired => ("expired", Look::Dim),
            };
            let value = if options.defang {
                p.indicator.defanged()
            } else {
                p.indicator.value().to_owned()
            };
            let mut pieces = vec![
                Piece::new(format!("proposal {n} "), Look::Bold),
                Piece::plain(format!("{value} ({}) ", p.indicator.kind())),
                Piece::new(word, look),
            ];
            if let Some(e) = p.found_in {
                pieces.push(Piece::new(format!(" E{e}"), Look::Link));
            }
            if p.not_in_evidence {
                pieces.push(Piece::new(" not in evidence", Look::Warn));
            }
            if let Some(reason) = &p.reason {
                pieces.push(Piece::dim(format!(": {}", text(reason.as_str(), defang))));
            }
            out.extend(wrap(&pieces, width, "", "  "));
        }
    }
    for w in &t.warnings {
        out.extend(wrap(
            &[
                Piece::new("note: ", Look::Warn),
                Piece::plain(text(w, defang)),
            ],
            width,
            "",
            "  ",
        ));
    }
    // How a stopped turn ended is said below, in better words than the log's.
    if let Some(e) = t
        .error
        .as_ref()
        .filter(|_| t.status != Some(TurnStatus::Interrupted))
    {
        out.extend(wrap(
            &[
                Piece::new("error: ", Look::Bad),
                Piece::plain(text(e, defang)),
            ],
            width,
            "",
            "  ",
        ));
    }
    match t.status {
        Some(TurnStatus::Interrupted) => out.extend(wrap(
            &[
                Piece::new("stopped", Look::Warn),
                Piece::plain(
                    "; what was found so far is kept. /continue goes on, /retry asks again",
                ),
            ],
            width,
            "",
            "  ",
        )),
        Some(TurnStatus::Budget) => out.extend(wrap(
            &[Piece::new("the budget of look-ups is spent", Look::Warn)],
            width,
            "",
            "  ",
        )),
        _ => {}
    }
    out.push(Line::default());
    out
}

fn answer(room: &Room, t: &Turn, width: usize, defang: Option<&Defang>) -> Vec<Line<'static>> {
    let text = view::answer(t, defang);
    let mut out = Vec::new();
    // `[[E7]]` on a line of its own, or anywhere: the table stands behind the paragraph that places it.
    let mut rest = text.as_str();
    while let Some(at) = rest.find("[[E") {
        let Some((digits, _)) = rest[at + 3..].split_once("]]") else {
            break;
        };
        let Ok(n) = digits.parse::<u32>() else {
            let (before, after) = rest.split_at(at + 3);
            out.extend(markdown::render(before, width));
            rest = after;
            continue;
        };
        let after = at + 3 + digits.len() + 2;
        out.extend(markdown::render(&rest[..at], width));
        if out.last().is_some_and(|l: &Line<'_>| l.width() > 0) {
            out.push(Line::default());
        }
        out.extend(placed(room, n, width, defang));
        out.push(Line::default());
        rest = &rest[after..];
    }
    if !rest.trim().is_empty() {
        out.extend(markdown::render(rest, width));
    }
    if room.state.mode == Mode::Full {
        let already = view::placed(&text);
        for e in shown_evidence(room, t)
            .into_iter()
            .filter(|e| !already.contains(e))
        {
            out.push(Line::default());
            out.extend(placed(room, e, width, defang));
        }
    }
    out
}

fn placed(room: &Room, n: u32, width: usize, defang: Option<&Defang>) -> Vec<Line<'static>> {
    match room.evidence.rows.get(&n) {
        Some(row) => evidence::inline(row, width, defang),
        None if room.state.evidence.iter().any(|e| e.n == n) => {
            vec![line(
                &[Piece::new(format!("E{n}"), Look::Link), Piece::dim(" …")],
                width,
            )]
        }
        None => wrap(
            &[Piece::new(
                format!("E{n}: there is no such evidence in this case"),
                Look::Warn,
            )],
            width,
            "",
            "  ",
        ),
    }
}

/// One line of the ledger.
fn ledger(c: &Call, over: bool, again: bool, width: usize, defang: bool) -> Vec<Line<'static>> {
    let value = match &c.subject {
        Some(i) if defang => i.defanged(),
        Some(i) => i.value().to_owned(),
        None => c.argument.as_str().chars().take(80).collect(),
    };
    let mut pieces = vec![
        Piece::dim(format!("{:>2} ", c.n)),
        Piece::new(c.tool.as_str(), Look::Name),
        Piece::plain(format!(" {value}  ")),
    ];
    match c.verdict {
        CallVerdict::Permit => pieces.push(Piece::dim("permitted ")),
        CallVerdict::Cached => pieces.push(Piece::dim("from memory, free ")),
        CallVerdict::Ask => pieces.push(Piece::new("proposed ", Look::Warn)),
        CallVerdict::Refuse => {
            pieces.push(Piece::new("refused ", Look::Bad));
            let why = c.detail.as_deref().or(c.reason.as_deref()).unwrap_or("");
            let why = if defang {
                Defang::plain().text(why)
            } else {
                why.to_owned()
            };
            let why = if again { "(as above)" } else { &why };
            pieces.push(Piece::plain(why));
        }
    }
    if matches!(c.verdict, CallVerdict::Permit | CallVerdict::Cached) {
        match c.status {
            None if over => pieces.push(Piece::new("could not look: interrupted", Look::Warn)),
            None => pieces.push(Piece::new("asking …", Look::Warn)),
            Some(Status::Found) => pieces.push(Piece::new("found", Look::Good)),
            Some(Status::NotFound) => pieces.push(Piece::new("not found", Look::Bold)),
            Some(Status::CouldNotLook) => pieces.push(Piece::new(
                format!(
                    "could not look: {}",
                    kit::outcome::plain_reason(c.detail.as_deref().unwrap_or("?"))
                ),
                Look::Warn,
            )),
        }
        if let Some(v) = c.source_verdict.filter(|v| v.name() != "unknown") {
            let look = match v.name() {
                "harmless" => Look::Good,
                _ => Look::Bad,
            };
            pieces.push(Piece::new(format!(" {}", v.name()), look));
        }
        if let Some(e) = c.evidence {
            pieces.push(Piece::plain(" "));
            pieces.push(Piece::new(format!("E{e}"), Look::Link));
        }
        if c.status.is_some() {
            let mut tail = format!("  {}.{} s", c.ms / 1000, c.ms % 1000 / 100);
            if c.verdict == CallVerdict::Cached {
                let _ = write!(tail, ", {} old", view::age(c.age_s));
            }
            pieces.push(Piece::dim(tail));
        }
    }
    wrap(&pieces, width, "", "   ")
}

fn note(n: &Note, width: usize) -> Vec<Line<'static>> {
    let mut out = vec![line(
        &[
            Piece::new("── ", Look::Dim),
            Piece::new(&n.title, Look::Name),
            Piece::dim(" (not part of the case)"),
        ],
        width,
    )];
    match &n.body {
        NoteBody::Words(lines) => {
            for (look, words) in lines {
                out.extend(wrap(&[Piece::new(words, *look)], width, "", "  "));
            }
        }
        NoteBody::Table(head, rows) => out.extend(table::table(head, rows, width, "")),
    }
    out.push(Line::default());
    out
}

fn live(room: &mut Room, options: Options) -> Vec<Line<'static>> {
    let width = options.width;
    let Some(l) = &room.live else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for p in &l.progress {
        let words = if options.defang {
            Defang::plain().text(p)
        } else {
            p.clone()
        };
        out.extend(wrap(&[Piece::dim(words.trim())], width, "· ", "  "));
    }
    if !l.reasoning.is_empty() {
        if options.reasoning {
            let words = Defang::plain().text(l.reasoning.trim());
            out.extend(wrap(&[Piece::new(words, Look::Italic)], width, "  ", "  "));
        } else {
            let words = format!(
                "reasoning, {} words (ctrl-g shows it)",
                l.reasoning.split_whitespace().count()
            );
            out.extend(wrap(&[Piece::dim(words)], width, "▸ ", "  "));
        }
    }
    if !l.text.is_empty() {
        // Finished blocks are rendered once; only the open one again.
        let done = markdown::finished(&l.text);
        let defanged = |s: &str| {
            if options.defang {
                Defang::plain().text(&view::unmarked(s))
            } else {
                view::unmarked(s)
            }
        };
        if done < room.narrative.open.0 {
            room.narrative.open = (0, Vec::new());
        }
        if done > room.narrative.open.0 {
            let fresh = l.text.get(room.narrative.open.0..done).unwrap_or_default();
            let mut lines = markdown::render(&defanged(fresh), width);
            lines.push(Line::default());
            room.narrative.open.1.extend(lines);
            room.narrative.open.0 = done;
        }
        out.extend(room.narrative.open.1.iter().cloned());
        let open = l.text.get(done..).unwrap_or_default();
        out.extend(markdown::render(&defanged(open), width));
    }
    let seconds = options.now.saturating_sub(l.phase_since) / 1000;
    let look = if l.phase == Phase::Stopping {
        Look::Warn
    } else {
        Look::Dim
    };
    out.push(line(
        &[Piece::new(
            format!("… {} {seconds} s", l.phase.words()),
            look,
        )],
        width,
    ));
    out
}

fn queue(room: &Room, width: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    let (word, look) = if room.parked {
        (
            "parked (alt-down sends it, alt-up takes it back)",
            Look::Warn,
        )
    } else {
        ("waits for the turn (alt-up takes it back)", Look::Dim)
    };
    for q in &room.queue {
        let pieces = [
            Piece::new(format!("{word}: "), look),
            Piece::new(if q.as_is { "as it is: " } else { "" }, Look::Bad),
            Piece::plain(super::text::one_line(&q.text, 200)),
        ];
        out.extend(wrap(&pieces, width, "» ", "  "));
    }
    out
}

/// Options for the narrative of this screen.
#[must_use]
pub fn options(app: &App, width: usize) -> Options {
    Options {
        width,
        defang: app.settings.defang,
        reasoning: app.reasoning,
        now: app.now,
    }
}
