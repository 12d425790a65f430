//! Drawing: a pure function of the state. It only remembers what was on screen (rendered lines, and that
//! a card was shown).

use super::app::{App, Focus, Phase, Room};
use super::evidence::{self, Shows};
use super::keys::Place;
use super::layout::{self, Areas};
use super::style::Look;
use super::text::{Piece, cut, fit, line, one_line, width, wrap};
use super::{card, completion, hidden, narrative, popup};
use crate::engine::view::{self, Mode};
use kit::human::{Mention, Reply, Stance};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

/// Draws everything.
pub fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    app.size = (area.width, area.height);
    let a = layout::areas(app);
    cases(app, frame, a.cases);
    story(app, frame, a.narrative);
    pane(app, frame, a.evidence);
    approval(app, frame, a.card);
    composer(app, frame, a.composer);
    put(
        frame,
        a.reading,
        reading_lines(app, usize::from(a.reading.width)),
    );
    put(
        frame,
        a.status,
        vec![status(app, usize::from(a.status.width))],
    );
    put(frame, a.bar, vec![bar(app, usize::from(a.bar.width))]);
    completions(app, frame, a.completion);
    if app.overlay.is_some() {
        app.room_mut().card.hidden();
        popup::draw(app, frame, a);
    } else {
        cursor(app, frame, a);
    }
    if !app.settings.color {
        let buffer = frame.buffer_mut();
        for cell in &mut buffer.content {
            cell.fg = ratatui::style::Color::Reset;
            cell.bg = ratatui::style::Color::Reset;
        }
    }
}

/// Puts lines into an area, from its top.
pub fn put(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'static>>) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// A heading over a pane, and what is left for its content.
fn headed(frame: &mut Frame<'_>, area: Rect, title: &str, focused: bool) -> Rect {
    if area.height < 2 || area.width == 0 {
        return area;
    }
    let mark = if focused { "▸ " } else { "  " };
    let look = if focused { Look::Bold } else { Look::Dim };
    let title = cut(&format!("{mark}{title} "), usize::from(area.width));
    let rule = "─".repeat(usize::from(area.width).saturating_sub(width(&title)));
    let head = Line::from(vec![
        Span::styled(title, look.style()),
        Span::styled(rule, Look::Dim.style()),
    ]);
    put(frame, Rect { height: 1, ..area }, vec![head]);
    Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    }
}

/// Columns beside each other keep one cell between them.
fn inset(area: Rect) -> Rect {
    Rect {
        width: area.width.saturating_sub(1),
        ..area
    }
}

fn cases(app: &App, frame: &mut Frame<'_>, area: Rect) {
    if area.width == 0 {
        return;
    }
    let focused = app.focus == Focus::Cases;
    let area = headed(frame, inset(area), "cases", focused);
    let shown = shown_cases(app);
    let wide = usize::from(area.width);
    let height = usize::from(area.height);
    let mut lines = Vec::new();
    if app.cases.filtering || !app.cases.filter.is_empty() {
        let text = format!("/{}", app.cases.filter);
        lines.push(line(&[Piece::new(text, Look::Name)], wide));
    }
    if shown.is_empty() {
        let words = if app.cases.all.is_empty() {
            "none yet: ask something"
        } else {
            "none fits the filter"
        };
        lines.extend(wrap(&[Piece::dim(words)], wide, "  ", "  "));
    }
    let open = app.room().case.clone();
    let per = height.saturating_sub(lines.len()) / 2;
    let from = (app.cases.selected + 1).saturating_sub(per.max(1));
    for (i, c) in shown.iter().enumerate().skip(from).take(per.max(1)) {
        let here = open.as_ref() == Some(&c.id);
        let unread = !here
            && app
                .cases
                .seen
                .get(c.id.as_str())
                .is_some_and(|s| *s < c.last_ms);
        let room = app.rooms.values().find(|r| r.case.as_ref() == Some(&c.id));
        let runs = c.running || room.is_some_and(|r| r.live.is_some());
        let mark = match (here, runs, unread) {
            (_, true, _) => "◌ ",
            (true, ..) => "● ",
            (_, _, true) => "• ",
            _ => "  ",
        };
        let look = if unread { Look::Bold } else { Look::Plain };
        let title = one_line(
            &view::Defang::plain().text(&c.title),
            wide.saturating_sub(2),
        );
        let mut first = line(&[Piece::plain(mark), Piece::new(title, look)], wide);
        let age = u64::try_from((app.wall - c.last_ms).max(0) / 1000).unwrap_or(0);
        let mut about = format!("  {} {} ago", c.short, view::age(age));
        for (yes, word) in [
            (runs, " running"),
            (c.closed, " closed"),
            (unread, " new"),
            (c.interrupted && !runs, " interrupted"),
        ] {
            if yes {
                about.push_str(word);
            }
        }
        let mut second = Vec::new();
        if c.open_proposals > 0 {
            second.push(Piece::new(
                format!("  {} waiting", c.open_proposals),
                Look::Warn,
            ));
        }
        second.push(Piece::dim(about));
        for t in &c.tags {
            second.push(Piece::new(format!(" #{t}"), Look::Name));
        }
        let mut second = line(&second, wide);
        if focused && i == app.cases.selected {
            first = first.style(Look::Selected.style());
            second = second.style(Look::Selected.style());
        }
        lines.push(first);
        lines.push(second);
    }
    put(frame, area, lines);
}

/// The cases that the filter leaves, in order.
#[must_use]
pub fn shown_cases(app: &App) -> Vec<&view::CaseSummary> {
    let all = &app.cases.all;
    if app.cases.filter.trim().is_empty() {
        return all.iter().collect();
    }
    let texts: Vec<String> = all
        .iter()
        .map(|c| format!("{} {} {}", c.title, c.short, c.tags.join(" ")))
        .collect();
    super::overlay::fuzzy(&app.cases.filter, &texts)
        .into_iter()
        .filter_map(|i| all.get(i))
        .collect()
}

fn story(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    let focused = app.focus == Focus::Narrative;
    let title = title(app);
    let beside = area.right() < app.size.0;
    let area = headed(
        frame,
        if beside { inset(area) } else { area },
        &title,
        focused,
    );
    let options = narrative::options(app, usize::from(area.width));
    let height = usize::from(area.height);
    let room = app.room_mut();
    let lines = narrative::view(room, options, height);
    if lines.is_empty() {
        let words = empty(app, usize::from(area.width));
        put(frame, area, words);
        return;
    }
    let below = room.narrative.scroll != narrative::Scroll::Follow;
    put(frame, area, lines);
    if below && area.height > 2 {
        let at = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        frame.render_widget(Clear, at);
        let words = line(
            &[Piece::new("… more below (end)", Look::Warn)],
            usize::from(area.width),
        );
        put(frame, at, vec![words]);
    }
}

fn title(app: &App) -> String {
    let room = app.room();
    let title = match &room.case {
        None => "new case".to_owned(),
        Some(_) if !room.loaded => "opening …".to_owned(),
        Some(_) => view::Defang::plain().text(&room.state.title),
    };
    let mut out = view::screen(&one_line(&title, 60)).as_str().to_owned();
    if room.state.closed {
        out.push_str(" (closed)");
    }
    for t in &room.state.tags {
        out.push_str(&format!(" #{}", view::screen(t)));
    }
    out
}

fn empty(app: &App, wide: usize) -> Vec<Line<'static>> {
    let room = app.room();
    if room.case.is_some() && !room.loaded {
        return wrap(&[Piece::dim("opening the case …")], wide, "", "");
    }
    let mut out = vec![Line::default()];
    let mut say = |look: Look, words: &str| {
        out.extend(wrap(&[Piece::new(words, look)], wide, "  ", "  "));
    };
    say(Look::Bold, "What are you looking at?");
    say(
        Look::Plain,
        "Ask in your own words, for example: what do you make of 203.0.113.7? What you name may be looked up; everything else waits for your key.",
    );
    say(
        Look::Plain,
        "@ioc 198.51.100.7 asks every source directly. / lists the commands, f1 the keys.",
    );
    if let Some(s) = &app.server {
        match (&s.model, &s.missing) {
            (Some(m), _) => say(Look::Dim, &format!("model: {m}")),
            (None, Some(why)) => say(Look::Warn, why),
            (None, None) => say(Look::Dim, "no model: rules choose the look-ups"),
        }
    } else {
        say(Look::Dim, "looking for a model server …");
    }
    out
}

fn pane(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    if area.width == 0 {
        return;
    }
    let focused = app.focus == Focus::Evidence;
    let (defang, wall) = (app.settings.defang, app.wall);
    let room = app.room_mut();
    let title = match room.evidence.shows {
        Shows::List => format!("evidence ({})", room.state.evidence.len()),
        Shows::Piece => format!(
            "E{} as {}",
            room.evidence.open.unwrap_or(0),
            match room.evidence.form {
                evidence::Form::Table => "table",
                evidence::Form::Raw => "raw",
                evidence::Form::Difference => "difference",
            }
        ),
        Shows::Mentioned => "mentioned, not authorized".to_owned(),
    };
    let area = headed(frame, area, &title, focused);
    let (wide, height) = (usize::from(area.width), usize::from(area.height));
    let lines = match room.evidence.shows {
        Shows::List => {
            let all = evidence::list(room, wide, wall, defang, focused);
            window(all, room.evidence.selected, height, "no evidence yet", wide)
        }
        Shows::Mentioned => {
            let all = evidence::mentioned_lines(room, wide, defang, focused);
            window(
                all,
                room.evidence.selected,
                height,
                "nothing is mentioned",
                wide,
            )
        }
        Shows::Piece => {
            let search = room.evidence.search.to_lowercase();
            let scroll = room.evidence.scroll;
            let all = evidence::piece(room, wide, defang);
            let scroll = scroll.min(all.len().saturating_sub(1));
            all.iter()
                .skip(scroll)
                .take(height)
                .map(|l| {
                    let hit =
                        !search.is_empty() && evidence::plain(l).to_lowercase().contains(&search);
                    if hit {
                        l.clone().style(Look::Selected.style())
                    } else {
                        l.clone()
                    }
                })
                .collect()
        }
    };
    put(frame, area, lines);
}

/// The part of a list around the selected line.
fn window(
    all: Vec<Line<'static>>,
    selected: usize,
    height: usize,
    none: &str,
    wide: usize,
) -> Vec<Line<'static>> {
    if all.is_empty() {
        return wrap(&[Piece::dim(none)], wide, "  ", "  ");
    }
    let from = (selected + 1).saturating_sub(height);
    all.into_iter().skip(from).take(height).collect()
}

fn approval(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    if area.height < 4 || area.width < 12 {
        app.room_mut().card.hidden();
        return;
    }
    let (now, free) = (app.now, app.composer_free());
    let budget = (app.settings.turn_max, app.settings.case_max);
    let wide = usize::from(area.width.saturating_sub(4));
    let lines = card::lines(app.room(), &app.modules, budget, app.settings.defang, wide);
    let height = usize::from(area.height.saturating_sub(3));
    let most = lines.len().saturating_sub(height);
    let covered = app.overlay.is_some();
    let room = app.room_mut();
    room.card.scroll = room.card.scroll.min(most);
    let end = room.card.scroll >= most;
    if !covered {
        room.card.was_drawn(end, now);
    }
    let scroll = room.card.scroll;
    let title = card::title(room);
    let armed = room.card.armed(free, now);
    let approvable = room.card.approvable(free, now);
    let pending = room.card.pending().cloned();
    let listed = room.card.listed().len();
    let look = if armed { Look::Bold } else { Look::Dim };
    let block = Block::bordered()
        .border_style(look.style())
        .title(Line::from(Span::styled(
            cut(&format!(" {title} "), wide),
            Look::Warn.style(),
        )));
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    let body = Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        height: inner.height.saturating_sub(1),
        ..inner
    };
    put(
        frame,
        body,
        lines.into_iter().skip(scroll).take(height).collect(),
    );
    let foot = Rect {
        y: inner.bottom().saturating_sub(1),
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        height: 1,
    };
    let word = |action| app.keys.word(action).to_owned();
    use super::keys::Action;
    let words = match (&pending, armed) {
        (Some(card::Decision::Approve(n)), _) => format!("approving {n:?} …"),
        (Some(card::Decision::Deny(n) | card::Decision::Reason(n)), _) => format!("denying {n} …"),
        (None, _) if !free => {
            "the message has the keys: send or clear it to decide here".to_owned()
        }
        (None, false) => "wait …".to_owned(),
        (None, true) => {
            let mut out = if approvable {
                format!("{} approve", word(Action::Approve))
            } else {
                "↓ scroll to the end to approve".to_owned()
            };
            if listed > 1 && approvable {
                out.push_str(&format!(" · {} all {listed}", word(Action::ApproveAll)));
            }
            out.push_str(&format!(
                " · {} deny · {} deny with a reason · {} details · esc later",
                word(Action::Deny),
                word(Action::DenyReason),
                word(Action::Details)
            ));
            out
        }
    };
    put(
        frame,
        foot,
        vec![line(&[Piece::new(words, look)], usize::from(foot.width))],
    );
}

fn composer(app: &App, frame: &mut Frame<'_>, area: Rect) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    let room = app.room();
    let wide = usize::from(area.width).saturating_sub(2);
    let focused = app.focus == Focus::Composer && app.overlay.is_none();
    let mut lines = Vec::new();
    if !room.chips.is_empty() {
        let names: Vec<String> = room
            .chips
            .iter()
            .map(|c| {
                format!(
                    "[{}: {} bytes, {} named]",
                    c.name,
                    c.text.len(),
                    c.found.len()
                )
            })
            .collect();
        lines.push(line(&[Piece::new(names.join(" "), Look::Name)], wide + 2));
    }
    let mark = Span::styled("> ", if focused { Look::Bold } else { Look::Dim }.style());
    let shown = room.composer.lines(wide);
    let (row, _) = room.composer.place(wide);
    let height = usize::from(area.height).saturating_sub(lines.len());
    let from = (row + 1).saturating_sub(height.max(1));
    if room.composer.is_empty() && room.chips.is_empty() {
        let words = if room.live.is_some() {
            "a message now waits for the turn"
        } else {
            "ask, or / for commands"
        };
        lines.push(Line::from(vec![
            mark,
            Span::styled(cut(words, wide), Look::Dim.style()),
        ]));
    } else {
        for (i, l) in shown.iter().enumerate().skip(from).take(height) {
            let first = if i == 0 {
                mark.clone()
            } else {
                Span::raw("  ")
            };
            lines.push(Line::from(vec![first, Span::raw(l.text.clone())]));
        }
    }
    put(frame, area, lines);
}

/// The real cursor, so that input methods compose in the right place.
fn cursor(app: &App, frame: &mut Frame<'_>, a: Areas) {
    if app.focus != Focus::Composer || a.composer.width == 0 || a.composer.height == 0 {
        return;
    }
    let room = app.room();
    let wide = usize::from(a.composer.width).saturating_sub(2);
    let chips = u16::from(!room.chips.is_empty());
    let (row, column) = room.composer.place(wide);
    let height = usize::from(a.composer.height.saturating_sub(chips)).max(1);
    let from = (row + 1).saturating_sub(height);
    let x = a.composer.x + 2 + u16::try_from(column).unwrap_or(0);
    let y = a.composer.y + chips + u16::try_from(row - from.min(row)).unwrap_or(0);
    frame.set_cursor_position(Position::new(
        x.min(a.composer.right().saturating_sub(1)),
        y.min(a.composer.bottom().saturating_sub(1)),
    ));
}

/// What the message will do, in words: first what of it the model does not get, then what it names.
#[must_use]
pub fn reading_lines(app: &App, wide: usize) -> Vec<Line<'static>> {
    let mut out = hidden::lines(app, wide);
    out.extend(named_lines(app, wide));
    out
}

fn named_lines(app: &App, wide: usize) -> Vec<Line<'static>> {
    let room = app.room();
    if let Some(reply) = &room.reply {
        let words = match reply {
            Reply::Decide { approve, deny } => {
                let list = |n: &[u64]| n.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
                let mut out = Vec::new();
                if !approve.is_empty() {
                    out.push(format!("approves {}", list(approve)));
                }
                if !deny.is_empty() {
                    out.push(format!("denies {}", list(deny)));
                }
                out.join(" · ")
            }
            Reply::AskWhich => "several are open: name the numbers, or say yes all".to_owned(),
            Reply::NotAReply => String::new(),
        };
        return wrap(&[Piece::new(words, Look::Warn)], wide, "  ", "  ");
    }
    let mut pieces = Vec::new();
    for (stance, word, look) in [
        (Stance::Authorize, "will be looked up: ", Look::Good),
        (Stance::Deny, "refused: ", Look::Bad),
        (Stance::Red, "stays at home: ", Look::Bad),
        (Stance::Listed, "only listed: ", Look::Dim),
    ] {
        let names: Vec<String> = room
            .reading
            .iter()
            .filter(|m| room.stance(m) == stance)
            .map(|m| name(app, m))
            .collect();
        if names.is_empty() {
            continue;
        }
        if !pieces.is_empty() {
            pieces.push(Piece::dim("  ·  "));
        }
        let more = names.len().saturating_sub(6);
        let mut text = names.into_iter().take(6).collect::<Vec<_>>().join(", ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        pieces.push(Piece::new(word, look));
        pieces.push(Piece::plain(text));
    }
    if pieces.is_empty() {
        return Vec::new();
    }
    if let Some((indicator, seen)) = room
        .reading
        .iter()
        .filter_map(|m| room.sightings.get(&m.indicator).map(|s| (&m.indicator, s)))
        .find(|(_, s)| !s.is_empty())
    {
        let first = seen.first().map_or("", |s| s.title.as_str());
        pieces.push(Piece::new(
            format!(
                "  ·  {} is in {} other case{}: {}",
                indicator.defanged(),
                seen.len(),
                if seen.len() == 1 { "" } else { "s" },
                one_line(&view::Defang::plain().text(first), 40)
            ),
            Look::Warn,
        ));
    }
    pieces.push(Piece::dim(format!(
        "  ({} chooses)",
        app.keys.word(super::keys::Action::Reading)
    )));
    wrap(&pieces, wide, "  ", "  ")
}

fn name(app: &App, m: &Mention) -> String {
    if app.settings.defang {
        m.indicator.defanged()
    } else {
        m.indicator.readable()
    }
}

fn status(app: &App, wide: usize) -> Line<'static> {
    if let Some((text, bad, _)) = &app.toast {
        let look = if *bad { Look::Bad } else { Look::Good };
        let words = if *bad { "! " } else { "" };
        return line(&[Piece::new(words, look), Piece::new(text, look)], wide);
    }
    if app.quit_asked.is_some() {
        return line(&[Piece::new("ctrl-c again quits", Look::Warn)], wide);
    }
    let room = app.room();
    let mut parts: Vec<Piece> = Vec::new();
    let case = room.case.as_ref().map_or("new case", |c| c.short());
    parts.push(Piece::new(case, Look::Bold));
    let waiting = app
        .rooms
        .values()
        .filter(|r| r.id != room.id && (r.unread || !r.open_proposals().is_empty()))
        .count();
    let server = match (&app.server, &room.live) {
        (_, Some(l)) => {
            let seconds = app.now.saturating_sub(l.phase_since) / 1000;
            (
                format!("{} {seconds} s", l.phase.words()),
                if l.phase == Phase::Stopping {
                    Look::Warn
                } else {
                    Look::Bold
                },
            )
        }
        (None, None) => ("looking for a model".to_owned(), Look::Dim),
        (Some(s), None) => match &s.model {
            Some(m) if s.remote => (format!("{m} ON ANOTHER MACHINE"), Look::Warn),
            Some(m) => (m.clone(), Look::Plain),
            None => ("no model, by rules".to_owned(), Look::Warn),
        },
    };
    let open = room.open_proposals().len();
    if open > 0 {
        parts.push(Piece::new(format!(" · {open} waiting"), Look::Warn));
    }
    parts.push(Piece::dim(" · "));
    parts.push(Piece::new(server.0, server.1));
    let last = room.state.turns.last();
    if let Some(t) = last {
        let tokens = t.usage.prompt_tokens + t.usage.completion_tokens;
        if tokens > 0 {
            let context = app.server.as_ref().and_then(|s| s.context);
            let mut words = format!(" · {tokens} tokens");
            if let Some(c) = context.filter(|c| *c > 0) {
                words.push_str(&format!(" of {c}"));
            }
            parts.push(Piece::dim(words));
        }
        let used = room.state.used_in_turn(t.n);
        parts.push(Piece::plain(format!(
            " · look-ups {used}/{} {}/{}",
            app.settings.turn_max, room.state.used, app.settings.case_max
        )));
    }
    parts.push(Piece::dim(match room.state.mode {
        Mode::Brief => " · brief",
        Mode::Full => " · full",
    }));
    if waiting > 0 {
        parts.push(Piece::new(
            format!(
                " · {waiting} other case{} new",
                if waiting == 1 { "" } else { "s" }
            ),
            Look::Warn,
        ));
    }
    let rest = line(&parts, wide);
    rest.patch_style(Style::new())
}

fn bar(app: &App, wide: usize) -> Line<'static> {
    let place = match app.focus {
        Focus::Composer => Place::Composer,
        Focus::Narrative => Place::Narrative,
        Focus::Evidence => Place::Evidence,
        Focus::Cases => Place::Cases,
    };
    let mut own: Vec<(String, &'static str)> = Vec::new();
    let mut everywhere = Vec::new();
    for entry in super::keys::TABLE.iter().filter(|e| !e.short.is_empty()) {
        let pair = (app.keys.word(entry.action).to_owned(), entry.short);
        if entry.place == place {
            own.push(pair);
        } else if entry.place == Place::Anywhere {
            everywhere.push(pair);
        }
    }
    own.extend(everywhere);
    let mut pieces = Vec::new();
    let mut used = 0;
    for (key, what) in own {
        let more = width(&key) + width(what) + 3;
        if used + more > wide {
            break;
        }
        used += more;
        pieces.push(Piece::new(key, Look::Name));
        pieces.push(Piece::dim(format!(" {what}  ")));
    }
    line(&pieces, wide)
}

fn completions(app: &App, frame: &mut Frame<'_>, area: Rect) {
    if area.width == 0 || area.height == 0 || app.focus != Focus::Composer {
        return;
    }
    let items = completion::items(app);
    let room: &Room = app.room();
    let selected = room.completion.min(items.len().saturating_sub(1));
    let height = usize::from(area.height);
    let from = (selected + 1).saturating_sub(height);
    let wide = usize::from(area.width);
    let lines: Vec<Line<'static>> = items
        .iter()
        .enumerate()
        .skip(from)
        .take(height)
        .map(|(i, item)| {
            let text = fit(
                view::screen(&format!(" {:<16} {}", item.insert.trim(), item.about)).as_str(),
                wide,
            );
            let look = if i == selected {
                Look::Selected
            } else {
                Look::Dim
            };
            Line::styled(text, look.style())
        })
        .collect();
    frame.render_widget(Clear, area);
    put(frame, area, lines);
}
