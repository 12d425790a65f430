//! What is skipped for speed is compared with the same without skipping, over random mixes.

use super::class::Span;
use super::known::Known;
use super::{encoded, starts};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use secrecy::SecretString;

/// A value with what escapes, gaps and base64 are made of in it.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-f0-9]{8,20}",
        "[A-Za-z0-9_-]{8,24}",
        "[ -~]{8,20}",
        "[a-c]{1,3}[\n\"',|<&%=+\\\\ ]{1,3}[a-cé]{8}",
        // Hardly longer than what is looked up at once, and shorter without its line breaks.
        "[ab]\n\n\n\n\n\n[bc]{1,4}\n",
    ]
}

/// How a character may be written, or what may stand between two.
fn written(c: char, how: u8) -> String {
    match how % 16 {
        0 => c.to_string().bytes().map(|b| format!("%{b:02X}")).collect(),
        1 => format!("\\u{:04x}", c as u32),
        2 => format!("&#{};", c as u32),
        3 => format!("&#x{:x}", c as u32),
        4 => c.to_string().bytes().map(|b| format!("={b:02X}")).collect(),
        5 => format!("{c}\u{200b}"),
        6 => format!("{c}\u{1b}[31m"),
        7 => format!("{c}\n> "),
        8 => format!("{c}\",<br>\n | "),
        9 if c.is_ascii_graphic() => char::from_u32(c as u32 + 0xFEE0).unwrap_or(c).to_string(),
        10 if c.is_ascii_graphic() => char::from_u32(c as u32 + 0xE0000).unwrap_or(c).to_string(),
        11 => c
            .to_string()
            .bytes()
            .map(|b| format!("%25{b:02x}"))
            .collect(),
        12 => format!("\\\\{c}"),
        // One escape inside another: alone, the first character is none.
        13 => c
            .to_string()
            .bytes()
            .map(|b| {
                let digits = format!("{b:02x}");
                format!("%&#{};{}", u32::from(digits.as_bytes()[0]), &digits[1..])
            })
            .collect(),
        _ => c.to_string(),
    }
}

/// The value, a part of it, or one of its forms; or what stands between.
#[derive(Clone, Debug)]
enum Piece {
    Of(prop::sample::Index, usize, usize, Vec<u8>),
    Form(prop::sample::Index, u8),
    Other(String),
}

fn piece() -> impl Strategy<Value = Piece> {
    let part = (
        any::<prop::sample::Index>(),
        0..6usize,
        0..30usize,
        prop::collection::vec(any::<u8>(), 1..8),
    );
    prop_oneof![
        4 => part.prop_map(|(i, from, len, how)| Piece::Of(i, from, len, how)),
        2 => (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(i, f)| Piece::Form(i, f)),
        3 => prop::sample::select(vec![
            " ", "=", "\"", "\\", "\\\\", "%", "&", "&amp;", "+", "<", "<br>", "\n", "\r\n", "|", ",", "'", "\t", "0x",
            "\u{1b}[0m", "\u{ad}", "é", "\u{ff21}", "\u{e0041}", "%2", "%4", "\\u00", "&#", "=3D", ": ", "a", "ab", "abc",
        ]).prop_map(|s| Piece::Other(s.to_owned())),
        1 => "[a-f0-9]{1,30}".prop_map(Piece::Other),
        1 => "\\PC{0,12}".prop_map(Piece::Other),
    ]
}

fn text(values: &[String], pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Of(i, from, len, how) => {
                let part = i.get(values).chars().skip(*from).take(*len);
                for (c, how) in part.zip(how.iter().cycle()) {
                    out.push_str(&written(c, *how));
                }
            }
            Piece::Form(i, form) => {
                let v = i.get(values);
                out.push_str(&match form % 5 {
                    0 => v.clone(),
                    1 => STANDARD.encode(v),
                    2 => STANDARD.encode(format!("a{v}")),
                    3 => v.bytes().map(|b| format!("{b:02X}")).collect(),
                    _ => STANDARD.encode(STANDARD.encode(v)),
                });
            }
            Piece::Other(s) => out.push_str(s),
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn places_that_are_skipped_hold_no_beginning(
        values in prop::collection::vec(value(), 1..4),
        pieces in prop::collection::vec(piece(), 1..14),
    ) {
        let secrets: Vec<(String, SecretString)> =
            values.iter().map(|v| (String::new(), SecretString::from(v.clone()))).collect();
        let known = Known::new(&secrets);
        let text = text(&values, &pieces);
        let (mut fast, mut full): (Vec<Span>, Vec<Span>) = (Vec::new(), Vec::new());
        known.find(&text, &mut fast);
        known.find_everywhere(&text, &mut full);
        prop_assert_eq!(fast, full, "{:?} in {:?}", values, text);
    }

    #[test]
    fn every_long_run_of_base64_is_found(t in "[ab+/_= .\n-]{0,90}|([a-z]{15,25}[ .]){0,6}") {
        let t = t.as_bytes();
        let (mut fast, mut at) = (Vec::new(), 0);
        while let Some((from, to)) = encoded::next_run(t, at) {
            fast.push((from, to));
            at = to;
        }
        let (mut full, mut at) = (Vec::new(), 0);
        for run in t.split(|b| !encoded::is64(*b)) {
            if run.len() >= encoded::MIN_RUN {
                full.push((at, at + run.len()));
            }
            at += run.len() + 1;
        }
        prop_assert_eq!(fast, full);
    }
}

#[test]
fn what_can_be_read_in_more_than_one_way() {
    for (t, places) in [
        ("a b, c", vec![]),
        ("a=4", vec![]),
        ("a=41", vec![1]),
        ("a \nb", vec![1, 2]),
        ("a\",<br>b", vec![1, 2, 3]),
        ("&b &lt; &", vec![3]),
        ("100% %41", vec![5]),
        ("\\n\u{200b}+", vec![0, 2, 5]),
        ("%&#52;1 %&", vec![0, 1]),
    ] {
        assert_eq!(starts::ambiguous(t.as_bytes()), places, "{t:?}");
    }
}
