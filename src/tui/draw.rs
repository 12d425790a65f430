//! Drawing: a pure function of the state. It only remembers what was on screen (rendered lines, and that
//! a card was shown).

mod approval;
mod cases;
mod status;

pub use cases::shown_cases;

use super::app::{App, Focus, Room};
use super::evidence::{self, Shows};
use super::layout::{self, Areas};
use super::style::Look;
use super::text::{Piece, cut, fit, line, one_line, width, wrap};
use super::{completion, hidden, narrative, popup};
use crate::engine::view;
use kit::human::{Mention, Reply, Stance};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

/// Draws everything.
pub fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    app.size = (area.width, area.height);
    let a = layout::areas(app);
    cases::draw(app, frame, a.cases);
    story(app, frame, a.narrative);
    pane(app, frame, a.evidence);
    approval::draw(app, frame, a.card);
    composer(app, frame, a.composer);
    put(
        frame,
        a.reading,
        reading_lines(app, usize::from(a.reading.width)),
    );
    put(
        frame,
        a.status,
        vec![status::line_of(app, usize::from(a.status.width))],
    );
    put(
        frame,
        a.bar,
        vec![status::bar(app, usize::from(a.bar.width))],
    );
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
    let lines = narrative::view(room, &options, height);
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
