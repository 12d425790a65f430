//! One finished or running turn as lines: what was said, the ledger, the answer, the sources, the proposals.

use super::Options;
use super::live::reasoning;
use crate::engine::view::{
    self, Call, CallVerdict, CaseAction, Defang, Mode, Planner, ProposalState, Status, Turn,
    TurnStatus,
};
use crate::tui::app::Room;
use crate::tui::style::Look;
use crate::tui::text::{Piece, line, wrap};
use crate::tui::{evidence, markdown};
use ratatui::text::Line;
use std::fmt::Write as _;

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

/// The lines of a turn.
pub(super) fn lines(
    room: &Room,
    t: &Turn,
    options: &Options,
    defang: Option<&Defang>,
) -> Vec<Line<'static>> {
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
    if let Some(thoughts) = room.thoughts.get(&t.n) {
        let thoughts: Vec<&str> = thoughts.iter().map(String::as_str).collect();
        out.extend(reasoning(&thoughts, options));
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
        out.extend(answer(room, t, options, defang));
    }
    let foot = view::footer(&t.calls);
    if !foot.is_empty() && t.status.is_some() {
        out.push(Line::default());
        for l in foot.lines() {
            out.extend(wrap(&[Piece::dim(l)], width, "", "  "));
        }
    }
    for n in &t.proposals {
        if let Some(a) = room.state.actions.get(n) {
            out.extend(action(a, width, defang));
        }
        if let Some(p) = room.state.proposals.get(n) {
            let (word, look) = standing(p.state);
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

fn answer(room: &Room, t: &Turn, options: &Options, defang: Option<&Defang>) -> Vec<Line<'static>> {
    let width = options.width;
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
            out.extend(markdown::guarded(before, width, &options.words));
            rest = after;
            continue;
        };
        let after = at + 3 + digits.len() + 2;
        out.extend(markdown::guarded(&rest[..at], width, &options.words));
        if out.last().is_some_and(|l: &Line<'_>| l.width() > 0) {
            out.push(Line::default());
        }
        out.extend(placed(room, n, width, defang));
        out.push(Line::default());
        rest = &rest[after..];
    }
    if !rest.trim().is_empty() {
        out.extend(markdown::guarded(rest, width, &options.words));
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

/// Where a proposal stands, in words.
const fn standing(state: ProposalState) -> (&'static str, Look) {
    match state {
        ProposalState::Open => ("waits for you", Look::Warn),
        ProposalState::Approved => ("approved", Look::Good),
        ProposalState::Denied => ("denied", Look::Bad),
        ProposalState::Expired => ("expired", Look::Dim),
    }
}

/// An action of the turn and what became of it.
fn action(a: &CaseAction, width: usize, defang: Option<&Defang>) -> Vec<Line<'static>> {
    let (word, look) = standing(a.state);
    let mut pieces = vec![
        Piece::new(format!("action {} ", a.proposed.n), Look::Bold),
        Piece::plain(format!("{} ", text(a.proposed.title.as_str(), defang))),
        Piece::new(word, look),
    ];
    if let Some(reason) = &a.reason {
        pieces.push(Piece::dim(format!(": {}", text(reason.as_str(), defang))));
    }
    if let Some(news) = &a.news {
        if news.status != word {
            let look = match news.status.as_str() {
                "failed" | "timed_out" | "lost" => Look::Bad,
                "succeeded" | "enabled" => Look::Good,
                _ => Look::Plain,
            };
            pieces.push(Piece::plain(", "));
            pieces.push(Piece::new(news.status.replace('_', " "), look));
        }
        if !news.detail.as_str().is_empty() {
            let detail = text(news.detail.as_str(), defang);
            pieces.push(Piece::dim(format!(": {detail}")));
        }
    }
    wrap(&pieces, width, "", "  ")
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
