//! Properties of wrapping, tables, markdown and the editor.

use proptest::prelude::*;
use rmm_analyst::tui::composer::Composer;
use rmm_analyst::tui::style::Look;
use rmm_analyst::tui::text::{self, Piece};
use rmm_analyst::tui::{clipboard, markdown, table};
use unicode_segmentation::UnicodeSegmentation as _;

/// Text that terminals find hard.
fn hard() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-z ]{0,12}",
        Just("漢字かな".to_owned()),
        Just("👩‍👩‍👧‍👦🇩🇪✔️".to_owned()),
        Just("e\u{301}o\u{308}\u{323}".to_owned()),
        Just("שלום עולם".to_owned()),
        Just("\u{1b}[31m\u{202e}\u{200b}\u{9b}2J".to_owned()),
        Just("\t| a | b |\n".to_owned()),
        Just("https://evil.example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_owned()),
        Just("&#27;]52;c;AAAA&#7; `x` **b** [[E7]] E12\n\n- 1\n".to_owned()),
        any::<char>().prop_map(|c| c.to_string()),
    ];
    prop::collection::vec(part, 0..12).prop_map(|p| p.concat())
}

fn check(lines: &[ratatui::text::Line<'static>], width: usize) {
    for l in lines {
        let plain: String = l.spans.iter().map(|s| s.content.as_ref()).collect();
        assert!(
            text::width(&plain) <= width,
            "{} > {width}: {plain:?}",
            text::width(&plain)
        );
        assert!(
            !plain.chars().any(|c| c.is_control()
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}')),
            "{plain:?}"
        );
    }
}

#[test]
fn a_word_that_is_nearly_a_line_long_loses_nothing() {
    let lines = text::wrap(&[Piece::plain("漢字かな      a漢字かな")], 6, "", "");
    let all: String = lines
        .iter()
        .flat_map(|l| l.spans.iter().map(|s| s.content.to_string()))
        .collect();
    assert_eq!(all.replace(' ', ""), "漢字かなa漢字かな");
}

proptest! {
    #[test]
    fn wrapped_lines_fit_and_lose_nothing(s in hard(), width in 2_usize..60) {
        let piece = Piece::plain(&s);
        let lines = text::wrap(std::slice::from_ref(&piece), width, "", "");
        check(&lines, width);
        let letters = |t: &str| t.graphemes(true).filter(|g| !g.trim().is_empty() && text::cells(g) > 0).map(str::to_owned).collect::<Vec<_>>();
        let all: Vec<String> = lines.iter().flat_map(|l| l.spans.iter().map(|s| s.content.to_string())).collect();
        prop_assert_eq!(letters(piece.as_str()).concat(), letters(&all.concat()).concat());
    }

    #[test]
    fn markdown_fits(s in hard(), width in 4_usize..100) {
        check(&markdown::render(&s, width), width);
    }

    #[test]
    fn finished_blocks_stay_as_they_are(s in hard(), more in hard()) {
        let before = markdown::finished(&s);
        prop_assert!(s.is_char_boundary(before));
        let whole = format!("{s}{more}");
        prop_assert!(markdown::finished(&whole) >= before);
    }

    #[test]
    fn tables_fit(cells in prop::collection::vec(prop::collection::vec(hard(), 1..5), 0..6), width in 8_usize..120) {
        let head: Vec<String> = (0..4).map(|i| format!("column {i}")).collect();
        check(&table::table(&head, &cells, width, ""), width);
    }

    #[test]
    fn fair_widths_use_no_more_than_there_is(wanted in prop::collection::vec(1_usize..200, 1..12), room in 0_usize..300) {
        let got = table::fair(&wanted, room);
        prop_assert!(got.iter().sum::<usize>() <= room);
        prop_assert!(got.iter().zip(&wanted).all(|(g, w)| g <= w));
    }

    #[test]
    fn the_cursor_stands_between_graphemes(s in hard(), steps in prop::collection::vec(0_u8..14, 0..60), width in 2_usize..40) {
        let mut c = Composer::default();
        c.insert(&s);
        for step in steps {
            match step {
                0 => c.left(), 1 => c.right(), 2 => c.home(), 3 => c.end(),
                4 => { c.up(width); } 5 => { c.down(width); }
                6 => c.backspace(), 7 => c.delete(), 8 => c.word_left(), 9 => c.word_right(),
                10 => c.cut_word(), 11 => { c.undo(); } 12 => c.insert("\u{301}"), _ => c.insert("字"),
            }
            let at = c.cursor();
            let bounds: Vec<usize> = c.text().grapheme_indices(true).map(|(i, _)| i).chain([c.text().len()]).collect();
            prop_assert!(bounds.contains(&at), "{at} in {:?}", c.text());
            let (row, column) = c.place(width);
            let lines = c.lines(width);
            prop_assert!(row < lines.len());
            prop_assert!(column <= width.max(2));
            for l in &lines {
                prop_assert!(text::width(&l.text) <= width.max(2), "{:?}", l.text);
            }
        }
    }
}

#[test]
fn entities_cannot_act_on_the_terminal() {
    let lines = markdown::render("a &#27;[2J &#x202E;b &#155;x", 80);
    check(&lines, 80);
    let plain: String = lines[0].spans.iter().map(|s| s.content.as_ref()).collect();
    assert!(plain.contains('␛') && plain.contains("U+202E"), "{plain}");
}

#[test]
fn links_say_where_they_lead() {
    let lines = markdown::render("[your bank](http://evil.example.com/x)", 80);
    let plain: String = lines[0].spans.iter().map(|s| s.content.as_ref()).collect();
    assert_eq!(plain, "your bank (hxxp://evil[.]example.com/x)");
}

#[test]
fn long_words_break_and_short_ones_move() {
    let lines = text::wrap(&[Piece::new("one two three", Look::Bold)], 8, "> ", "  ");
    let plain: Vec<String> = lines
        .iter()
        .map(|l| l.spans.iter().map(|s| s.content.as_ref()).collect())
        .collect();
    assert_eq!(plain, ["> one", "  two", "  three"]);
}

#[test]
fn copies_are_wrapped_for_tmux_and_capped() {
    assert_eq!(
        clipboard::osc52("hi", false).unwrap(),
        b"\x1b]52;c;aGk=\x07"
    );
    assert_eq!(
        clipboard::osc52("hi", true).unwrap(),
        b"\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\"
    );
    assert_eq!(clipboard::osc52(&"x".repeat(80_000), false), None);
}

#[test]
fn a_word_that_moved_and_fills_its_line_loses_no_letter() {
    let piece = Piece::plain("      漢字かな");
    let lines = text::wrap(std::slice::from_ref(&piece), 3, "", "");
    check(&lines, 3);
    let all: String = lines
        .iter()
        .flat_map(|l| l.spans.iter().map(|s| s.content.trim().to_owned()))
        .collect();
    assert_eq!(all, "漢字かな");
}
