//! Drawing of what lies over the screen.

mod setup;

use super::app::App;
use super::composer::Composer;
use super::draw::put;
use super::layout::Areas;
use super::overlay::Overlay;
use super::style::Look;
use super::text::{Piece, line, one_line, wrap};
use crate::engine::view;
use kit::human::Stance;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};

/// Draws the overlay over everything but the status line.
pub fn draw(app: &App, frame: &mut Frame<'_>, a: Areas) {
    let Some(overlay) = &app.overlay else { return };
    let (w, h) = app.size;
    let bottom = if a.status.height > 0 { a.status.y } else { h };
    let wide = if w > 104 { 100 } else { w };
    let area = Rect::new((w - wide) / 2, 0, wide, bottom);
    if area.width < 4 || area.height < 3 {
        return;
    }
    let title = match overlay {
        Overlay::Words { title, .. } | Overlay::Ask { title, .. } => title.clone(),
        Overlay::Pick(p) => p.title.clone(),
        Overlay::Find { .. } => "find in all cases".to_owned(),
        Overlay::Reading { .. } => "what the message authorizes".to_owned(),
        Overlay::Setup(s) => s.title(),
    };
    let inner_width = usize::from(area.width.saturating_sub(4));
    let (lines, input) = content(
        app,
        overlay,
        inner_width,
        usize::from(area.height.saturating_sub(2)),
    );
    let height = match overlay {
        Overlay::Ask { .. } => u16::try_from(lines.len() + 2)
            .unwrap_or(u16::MAX)
            .min(area.height),
        _ => area.height,
    };
    let area = Rect { height, ..area };
    frame.render_widget(Clear, area);
    let block = Block::bordered()
        .border_style(Look::Dim.style())
        .title(Line::from(Span::styled(
            format!(" {} ", one_line(view::screen(&title).as_str(), inner_width)),
            Look::Bold.style(),
        )));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let inner = Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    };
    put(frame, inner, lines);
    if let Some(input) = input {
        let (_, column) = input.place(usize::from(inner.width).saturating_sub(2).max(2));
        let x = inner.x + 2 + u16::try_from(column).unwrap_or(0);
        frame.set_cursor_position(Position::new(x.min(inner.right()), inner.y));
    }
}

fn typed(input: &Composer, wide: usize) -> Line<'static> {
    // One line: what is left of the cursor shows, from its end.
    let lines = input.lines(wide.saturating_sub(2).max(2));
    let (row, _) = input.place(wide.saturating_sub(2).max(2));
    let text = lines.get(row).map_or("", |l| l.text.as_str());
    line(&[Piece::new("> ", Look::Bold), Piece::plain(text)], wide)
}

fn selected(l: Line<'static>, yes: bool) -> Line<'static> {
    if yes {
        l.style(Look::Selected.style())
    } else {
        l
    }
}

fn content<'a>(
    app: &'a App,
    overlay: &'a Overlay,
    wide: usize,
    height: usize,
) -> (Vec<Line<'static>>, Option<&'a Composer>) {
    match overlay {
        Overlay::Words { lines, scroll, .. } => {
            let all: Vec<Line<'static>> = lines
                .iter()
                .flat_map(|(look, words)| {
                    let indent: String = words.chars().take_while(|c| *c == ' ').collect();
                    let inner = format!("{indent}  ");
                    wrap(&[Piece::new(words, *look)], wide, "", &inner)
                })
                .collect();
            let most = all.len().saturating_sub(height);
            (all.into_iter().skip((*scroll).min(most)).collect(), None)
        }
        Overlay::Pick(p) => {
            let mut out = vec![typed(&p.input, wide)];
            let shown = p.shown();
            let room = height.saturating_sub(1);
            let from = (p.selected + 1).saturating_sub(room);
            for (i, (label, about, _)) in shown.iter().enumerate().skip(from).take(room) {
                let l = line(
                    &[
                        Piece::new(if i == p.selected { "› " } else { "  " }, Look::Bold),
                        Piece::new(one_line(label, wide), Look::Plain),
                        Piece::dim(format!("  {}", one_line(about, wide))),
                    ],
                    wide,
                );
                out.push(selected(l, i == p.selected));
            }
            if shown.is_empty() {
                out.push(line(&[Piece::dim("  nothing fits")], wide));
            }
            (out, Some(&p.input))
        }
        Overlay::Find {
            input,
            hits,
            selected: at,
        } => {
            let mut out = vec![typed(input, wide)];
            let room = (height.saturating_sub(1) / 2).max(1);
            let from = (*at + 1).saturating_sub(room);
            for (i, h) in hits.iter().enumerate().skip(from).take(room) {
                let place = match (h.kind.as_str(), h.n) {
                    ("evidence", n) => format!("E{n}"),
                    ("proposal", n) => format!("proposal {n}"),
                    (kind, 0) => kind.to_owned(),
                    (kind, n) => format!("turn {n}, {kind}"),
                };
                let d = view::Defang::plain();
                let first = line(
                    &[
                        Piece::new(format!("{} ", h.case.short()), Look::Name),
                        Piece::new(format!("{place} "), Look::Link),
                        Piece::plain(one_line(&d.text(h.title.as_str()), wide)),
                    ],
                    wide,
                );
                let second = line(
                    &[Piece::dim(format!(
                        "  {}",
                        one_line(&d.text(h.snippet.as_str()), wide)
                    ))],
                    wide,
                );
                out.push(selected(first, i == *at));
                out.push(second);
            }
            if hits.is_empty() {
                let words = if input.text().trim().is_empty() {
                    "words, or an indicator in any writing; all must occur"
                } else {
                    "nothing found"
                };
                out.push(line(&[Piece::dim(words)], wide));
            }
            (out, Some(input))
        }
        Overlay::Reading { selected: at } => {
            let room = app.room();
            let mut out = wrap(
                &[Piece::dim(
                    "space changes one, a authorizes all that are listed, enter is done. Only what is authorized is looked up.",
                )],
                wide,
                "",
                "",
            );
            let space = height.saturating_sub(out.len()).max(1);
            let from = (*at + 1).saturating_sub(space);
            for (i, m) in room.reading.iter().enumerate().skip(from).take(space) {
                let (word, look) = match room.stance(m) {
                    Stance::Authorize => ("looked up  ", Look::Good),
                    Stance::Deny => ("refused    ", Look::Bad),
                    Stance::Red => ("at home    ", Look::Bad),
                    Stance::Listed => ("only listed", Look::Dim),
                };
                let why = if room.stances.contains_key(&m.indicator) {
                    "your choice"
                } else {
                    &m.why
                };
                let l = line(
                    &[
                        Piece::new(if i == *at { "› " } else { "  " }, Look::Bold),
                        Piece::new(word, look),
                        Piece::plain(format!("  {} ", m.indicator.defanged())),
                        Piece::dim(format!("({}, {why})", m.indicator.kind())),
                    ],
                    wide,
                );
                out.push(selected(l, i == *at));
            }
            (out, None)
        }
        Overlay::Ask { input, problem, .. } => {
            let mut out = vec![
                typed(input, wide),
                line(&[Piece::dim("enter: done, esc: back")], wide),
            ];
            if !problem.is_empty() {
                out.extend(wrap(&[Piece::new(problem, Look::Bad)], wide, "! ", "  "));
            }
            (out, Some(input))
        }
        Overlay::Setup(s) => (setup::lines(app, s, wide, height), None),
    }
}
