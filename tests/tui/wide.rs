//! Wide, joined and combining text on a screen: what a terminal's own cells and cursor say of it.

use crate::screen::{Screen, body, case};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;
use rmm_analyst::engine::session::Update;
use rmm_analyst::engine::view::CaseState;
use rmm_analyst::tui::app::Msg;
use rmm_analyst::tui::{table, text};
use serde_json::json;
use unicode_segmentation::UnicodeSegmentation as _;

/// Words of scripts that take two cells, none, or several code points for one.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,9}",
        Just("漢字かな交じり文".to_owned()),
        Just("한국어".to_owned()),
        Just("👩‍👩‍👧‍👦".to_owned()),
        Just("🇩🇪🇫🇷".to_owned()),
        Just("👍🏽✔️☎️".to_owned()),
        Just("e\u{301}o\u{308}\u{323}n\u{303}".to_owned()),
        Just("हिन्दी".to_owned()),
        Just("ｆｕｌｌ".to_owned()),
        Just("\u{301}\u{301}".to_owned()),
    ]
}

fn words(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..most).prop_map(|w| w.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The terminal's cursor stands where the composer says, whatever stands before it.
    #[test]
    fn the_cursor_is_where_the_text_ends(s in words(12), back in 0_usize..12, w in 20_u16..120) {
        let mut screen = Screen::new(w, 24);
        screen.lazy = true;
        screen.msg(Msg::Paste(s));
        for _ in 0..back {
            screen.msg(Msg::Key(KeyEvent::new(KeyCode::Left, KeyModifiers::NONE)));
        }
        screen.draw();
        let composer = &screen.app.room().composer;
        let wide = usize::from(w) - 2;
        let (row, column) = composer.place(wide);
        let shown = composer.lines(wide);
        // The row of the first line of the message: the one that begins with its mark.
        let (y, x) = screen.cursor();
        prop_assert_eq!(usize::from(x), (column + 2).min(usize::from(w) - 1));
        let on_screen = screen.text();
        let line = on_screen.lines().nth(usize::from(y)).unwrap_or("");
        // Letters only: which marks it joins to a picture is the emulator's own affair.
        let bare = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let here = shown.get(row).map_or("", |l| l.text.as_str());
        let end = bare(here);
        prop_assert!(bare(line).ends_with(&end), "{:?} is not at the end of {:?}", end, line);
    }

    /// No line of a story is wider than its pane, in the cells of the terminal itself: what would be is
    /// wrapped by the terminal, and everything below stands one line lower than it should.
    #[test]
    fn a_story_keeps_to_its_lines(question in words(20), answer in words(40), w in 20_u16..140) {
        let mut screen = Screen::new(w, 30);
        let mut state = CaseState::default();
        let all = [
            json!({"kind": "opened", "title": question, "principal": "ana"}),
            json!({"kind": "human", "turn": 1, "text": question, "attachments": [], "shown": [],
                "principal": "ana", "surface": "tui", "mentions": []}),
            json!({"kind": "turn_started", "turn": 1, "continues": null, "planner": "rules", "model": null, "tools_mode": null}),
            json!({"kind": "answer", "turn": 1, "text": answer, "unsupported": [], "mentioned": []}),
        ];
        for (i, value) in all.into_iter().enumerate() {
            state.apply(&rmm_analyst::engine::view::Event { seq: i as u64 + 1, at_ms: 0, body: body(value) });
        }
        let room = screen.app.current;
        screen.msg(Msg::Update(Box::new(Update::Loaded(room, case(), Box::new(state)))));
        let seen = screen.text();
        for l in seen.lines() {
            prop_assert!(text::width(l) <= usize::from(w), "{} cells: {:?}", text::width(l), l);
        }
        // The key bar and the status still stand at the bottom.
        let last = seen.lines().rev().take(2).collect::<Vec<_>>().join("\n");
        prop_assert!(last.contains("enter") && last.contains("looking for a model") || w < 40, "{}", seen);
    }

    /// Cutting and filling keep to their width and to whole graphemes.
    #[test]
    fn cut_text_is_the_beginning_of_it(s in words(8), most in 0_usize..40) {
        let cut = text::cut(&s, most);
        prop_assert!(text::width(&cut) <= most.max(1));
        let kept = cut.strip_suffix('…').unwrap_or(&cut);
        prop_assert!(s.starts_with(kept));
        let bounds: Vec<usize> = s.grapheme_indices(true).map(|(i, _)| i).chain([s.len()]).collect();
        prop_assert!(bounds.contains(&kept.len()));
        prop_assert_eq!(text::width(&text::fit(&s, most.max(1))), most.max(1));
    }

    /// A table loses no cell, however narrow: its columns, or the records it becomes, hold all of them.
    #[test]
    fn a_table_holds_every_cell(cells in prop::collection::vec(prop::collection::vec(word(), 3), 1..5), width in 12_usize..100) {
        let head: Vec<String> = ["source", "名前", "état"].map(str::to_owned).to_vec();
        let lines = table::table(&head, &cells, width, "");
        let all: String = lines.iter().flat_map(|l| l.spans.iter().map(|s| s.content.as_ref())).collect();
        // Wrapping may part a cell anywhere between graphemes, with the next column in between: what is
        // compared is how often each grapheme stands in it.
        let count = |t: &str, g: &str| t.graphemes(true).filter(|x| *x == g).count();
        let wanted: String = cells.iter().flatten().flat_map(|c| c.chars()).collect();
        for g in wanted.graphemes(true).filter(|g| text::cells(g) > 0 && g.chars().all(char::is_alphanumeric)) {
            prop_assert!(count(&all, g) >= count(&wanted, g), "{g:?} of {wanted:?} in {all:?}");
        }
        for l in &lines {
            prop_assert!(l.spans.iter().map(|s| text::width(&s.content)).sum::<usize>() <= width);
        }
    }
}
