//! The approval card: what it says, and when a key on it counts.
//!
//! A key counts when the card has been on screen, and no key was pressed, for [`ARM`] milliseconds, while
//! the message is empty or has not the focus, and the end of the card was seen. The decision itself takes
//! effect [`HOLD`] milliseconds after the key; a key within that time was typing, and takes it back.

mod action;

pub use action::exact;

use super::app::{ModuleFact, Room};
use super::style::Look;
use super::text::{Piece, wrap};
use crate::engine::view::{Defang, Proposal, ProposalFrom, ProposalKind};
use ratatui::text::Line;

/// Milliseconds without a key before a card can be decided.
pub const ARM: u64 = 600;

/// Milliseconds between the key and the decision.
pub const HOLD: u64 = 150;

/// A decision that a key asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// These are approved.
    Approve(Vec<u64>),
    /// This action is approved: number, digest of what was on screen, the count that was typed.
    Act(u64, String, Option<u32>),
    /// This one is denied.
    Deny(u64),
    /// A reason is asked for first.
    Reason(u64),
}

/// The card of a room.
#[derive(Clone, Debug, Default)]
pub struct Card {
    /// The proposals that it lists, the first being the one it is about.
    listed: Vec<u64>,
    /// When it last changed, or a key was pressed.
    quiet_since: u64,
    /// Since when exactly this card is drawn.
    drawn: Option<u64>,
    /// First line shown.
    pub scroll: usize,
    /// Its end was on screen, and every line before it.
    end_seen: bool,
    /// Lines in all, and up to which one they were on screen without a gap.
    seen: (usize, usize),
    /// Lines that fit.
    height: usize,
    /// Cells of a line.
    width: usize,
    /// A key of the card came before it was ready: what follows without a pause belongs to it.
    deaf: bool,
    /// The count typed so far, for an action that asks for one.
    count: String,
    /// Stands for what the card says besides the numbers.
    stamp: u64,
    /// What was decided and still can be typing: the decision, the character, when.
    pending: Option<(Decision, char, u64)>,
    /// Put away with Esc until something new is proposed.
    pub away: bool,
}

impl Card {
    /// Takes over what is open now. Anything new arms anew.
    /// `stamp` stands for the content: when it changes, that is new too.
    pub fn sync(&mut self, open: &[u64], stamp: u64, now: u64) {
        if self.listed != open || self.stamp != stamp {
            let new = open.iter().any(|n| !self.listed.contains(n));
            let first = open.first() != self.listed.first() || self.stamp != stamp;
            self.stamp = stamp;
            self.count.clear();
            self.seen = (0, 0);
            self.listed = open.to_vec();
            self.pending = None;
            self.quiet_since = now;
            self.drawn = None;
            self.end_seen = false;
            if new {
                self.away = false;
            }
            if first {
                self.scroll = 0;
            }
        }
    }

    /// The proposal that it is about.
    #[must_use]
    pub fn current(&self) -> Option<u64> {
        self.listed.first().copied().filter(|_| !self.away)
    }

    /// Every proposal that it lists.
    #[must_use]
    pub fn listed(&self) -> &[u64] {
        &self.listed
    }

    /// A key, a paste or a click came.
    pub fn disturbed(&mut self, now: u64) {
        self.quiet_since = now;
    }

    /// It left the screen: it arms anew when it comes back.
    pub fn hidden(&mut self) {
        self.drawn = None;
        self.pending = None;
        self.count.clear();
    }

    /// It was drawn: `height` of its `total` lines fit, `width` cells wide. Its end counts as seen once
    /// every line was on screen at this size.
    pub fn was_drawn(&mut self, total: usize, (width, height): (usize, usize), now: u64) {
        if (self.seen.0, self.width, self.height) != (total, width, height) {
            // Other lines, or another size: what was seen cannot be told from its number.
            self.seen = (total, 0);
            (self.width, self.height) = (width, height);
            self.end_seen = false;
            self.scroll = 0;
            self.drawn = None;
        }
        self.drawn.get_or_insert(now);
        if self.scroll <= self.seen.1 {
            self.seen.1 = self.seen.1.max(self.scroll + height);
        }
        self.end_seen |= self.seen.1 >= total;
    }

    /// The screen has another size: what was seen of it at the one before does not count.
    pub fn resized(&mut self) {
        self.hidden();
        self.seen = (0, 0);
        self.end_seen = false;
    }

    /// Whether it takes what is typed though it is not ready: from its key that came too early on, until a
    /// pause.
    #[must_use]
    pub const fn deaf(&self) -> bool {
        self.deaf
    }

    /// Says whether it takes what is typed though it is not ready.
    pub fn set_deaf(&mut self, deaf: bool) {
        self.deaf = deaf;
    }

    /// It is on screen.
    #[must_use]
    pub fn on_screen(&self) -> bool {
        self.drawn.is_some() && self.current().is_some()
    }

    /// Scrolls by a page, one line staying; false: there is nothing to scroll.
    pub fn page(&mut self, down: bool) -> bool {
        if self.current().is_none() || self.seen.0 <= self.height {
            return false;
        }
        let by = self.height.saturating_sub(1).max(1);
        self.scroll = if down {
            self.scroll + by
        } else {
            self.scroll.saturating_sub(by)
        };
        true
    }

    /// A digit of the count.
    pub fn count_digit(&mut self, digit: char) {
        if self.count.len() < 6 && digit.is_ascii_digit() {
            self.count.push(digit);
        }
    }

    /// Takes the last digit of the count back.
    pub fn count_back(&mut self) {
        self.count.pop();
    }

    /// The digits of the count typed so far.
    #[must_use]
    pub fn count(&self) -> &str {
        &self.count
    }

    /// The digits were something else.
    pub fn forget_count(&mut self) -> String {
        std::mem::take(&mut self.count)
    }

    /// Whether a key counts now.
    #[must_use]
    pub fn armed(&self, composer_free: bool, now: u64) -> bool {
        self.current().is_some()
            && composer_free
            && self.pending.is_none()
            && self
                .drawn
                .is_some_and(|d| now.saturating_sub(d.max(self.quiet_since)) >= ARM)
    }

    /// Whether an approval counts now: armed, and nothing of it was left unseen.
    #[must_use]
    pub fn approvable(&self, composer_free: bool, now: u64) -> bool {
        self.armed(composer_free, now) && self.end_seen
    }

    /// Whether the end was on screen.
    #[must_use]
    pub const fn end_seen(&self) -> bool {
        self.end_seen
    }

    /// Asks for a decision.
    pub fn ask(&mut self, decision: Decision, typed: char, now: u64) {
        self.pending = Some((decision, typed, now));
    }

    /// A further key came: what was asked for was typing. Gives back what was typed.
    pub fn take_back(&mut self) -> Option<String> {
        let (_, c, _) = self.pending.take()?;
        let mut typed = self.forget_count();
        typed.push(c);
        Some(typed)
    }

    /// What is being decided.
    #[must_use]
    pub fn pending(&self) -> Option<&Decision> {
        self.pending.as_ref().map(|(d, ..)| d)
    }

    /// The decision that counts now, once.
    pub fn due(&mut self, now: u64) -> Option<Decision> {
        let (_, _, at) = self.pending.as_ref()?;
        if now.saturating_sub(*at) < HOLD {
            return None;
        }
        self.count.clear();
        self.pending.take().map(|(d, ..)| d)
    }

    /// When to look again.
    #[must_use]
    pub fn wake(&self, composer_free: bool, now: u64) -> Option<u64> {
        if let Some((_, _, at)) = &self.pending {
            return Some(at + HOLD);
        }
        self.current()?;
        let since = self.drawn?.max(self.quiet_since);
        (composer_free && now < since + ARM).then_some(since + ARM)
    }
}

/// The lines of the card about one proposal, without its frame and keys.
#[must_use]
pub fn lines(
    room: &Room,
    modules: &[ModuleFact],
    budget: (u32, u32),
    defang: bool,
    width: usize,
) -> Vec<Line<'static>> {
    let Some(n) = room.card.current() else {
        return Vec::new();
    };
    if let Some(a) = room.state.actions.get(&n) {
        let mut out = action::lines(&a.proposed, room.whole_action(n), width);
        out.extend(also_open(room, defang, width));
        return out;
    }
    let Some(p) = room.state.proposals.get(&n) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut field = |label: &str, pieces: Vec<Piece>| {
        let first = format!("{label:<10}");
        let rest = " ".repeat(10);
        out.extend(wrap(&pieces, width, &first, &rest));
    };
    let value = if defang {
        p.indicator.defanged()
    } else {
        p.indicator.value().to_owned()
    };
    let mut what = vec![
        Piece::new(value, Look::Bold),
        Piece::plain(format!("  ({})", p.indicator.kind())),
    ];
    let readable = p.indicator.readable();
    if readable != p.indicator.value() {
        what.push(Piece::new(format!("  reads as {readable}"), Look::Warn));
    }
    field("look up", what);
    let takes: Vec<&ModuleFact> = modules
        .iter()
        .filter(|m| m.enabled && m.for_model && m.types.contains(&p.indicator.kind()))
        .collect();
    let names: Vec<&str> = takes.iter().map(|m| m.name.as_str()).collect();
    let mut hosts: Vec<&str> = takes
        .iter()
        .filter(|m| m.ready && !m.host.is_empty())
        .map(|m| m.host.as_str())
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    field(
        "modules",
        vec![Piece::plain(if names.is_empty() {
            "none takes it".to_owned()
        } else {
            names.join(", ")
        })],
    );
    field(
        "asks",
        vec![Piece::plain(if hosts.is_empty() {
            "nothing outside of this machine".to_owned()
        } else {
            hosts.join(", ")
        })],
    );
    field(
        "effect",
        vec![Piece::plain(
            "these sources learn the value; nothing is changed anywhere",
        )],
    );
    field("named by", from(p));
    let found = match (p.found_in, p.not_in_evidence) {
        (Some(e), _) => vec![Piece::new(format!("E{e}"), Look::Link)],
        (None, true) => vec![Piece::new("not in evidence", Look::Warn)],
        (None, false) => vec![Piece::plain("in a person's message or input")],
    };
    field("found in", found);
    let used = room.state.used_in_turn(p.turn);
    field(
        "budget",
        vec![Piece::plain(format!(
            "{} of {} look-ups left in this turn, {} of {} in the case",
            budget.0.saturating_sub(used),
            budget.0,
            budget.1.saturating_sub(room.state.used),
            budget.1
        ))],
    );
    out.extend(also_open(room, defang, width));
    out
}

/// The proposals that the card lists besides the one it is about.
fn also_open(room: &Room, defang: bool, width: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    for (i, n) in room.card.listed().iter().skip(1).enumerate() {
        let mut pieces = vec![Piece::new(format!("{n} "), Look::Bold)];
        if let Some(a) = room.state.actions.get(n) {
            pieces.push(Piece::of(&a.proposed.title, Look::Plain));
            pieces.push(Piece::dim(" (action, decided on a card of its own)"));
        } else if let Some(o) = room.state.proposals.get(n) {
            let value = if defang {
                o.indicator.defanged()
            } else {
                o.indicator.value().to_owned()
            };
            pieces.push(Piece::plain(format!("{value} ({})", o.indicator.kind())));
            if o.not_in_evidence {
                pieces.push(Piece::new(" not in evidence", Look::Warn));
            }
        }
        let label = if i == 0 { "also open " } else { "          " };
        out.extend(wrap(&pieces, width, label, "          "));
    }
    out
}

fn from(p: &Proposal) -> Vec<Piece> {
    let who = match p.from {
        ProposalFrom::Model => "the model",
        ProposalFrom::Question => "the model's answer",
        ProposalFrom::Gate => "a look-up that the gate refused",
        ProposalFrom::Input => "your input",
        ProposalFrom::Rules => "the built-in rules",
    };
    // Indicators in the model's reason are written as everywhere else.
    let why = Defang::plain().text(p.why.as_str());
    vec![
        Piece::plain(format!("turn {}, {who}", p.turn)),
        Piece::dim(if why.is_empty() {
            String::new()
        } else {
            format!(": {why}")
        }),
    ]
}

/// The title of the card.
#[must_use]
pub fn title(room: &Room) -> String {
    let Some(n) = room.card.current() else {
        return String::new();
    };
    let action = room.state.actions.get(&n).map(|a| a.proposed.what);
    let kind = match action.unwrap_or(ProposalKind::Pivot) {
        ProposalKind::Pivot => "may this be looked up?",
        ProposalKind::Job => "may this job run?",
        ProposalKind::DeviceOperation => "may this be done to the device?",
        ProposalKind::Task => "may this task be scheduled?",
        ProposalKind::Check => "may this check be set up?",
        ProposalKind::Policy => "may this policy be set?",
    };
    let what = if action.is_some() {
        "Action"
    } else {
        "Proposal"
    };
    format!("{what} {n} (1 of {}): {kind}", room.card.listed().len())
}
