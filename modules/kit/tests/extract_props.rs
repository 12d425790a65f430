//! What holds for every text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use kit::{Found, Indicator, IndicatorType, classify, extract, parse_strict};
use proptest::prelude::*;

/// Pieces that the readers care about, in every order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "192.0.2.7",
        "2001:db8::1",
        "::ffff:192.0.2.7",
        "kit-panel.shop",
        "mail-gate[.]online",
        "hxxp://",
        "https://",
        "http:\\\\",
        "boss@kit-panel.shop",
        "münchen.de",
        "пример.рф",
        "テスト",
        "CVE-2021-44228",
        "CVE 2024 3094",
        "AS64500",
        "ASN",
        "T1059.003",
        "44d88612fea8a8f36de82e1278abb02f",
        "0x4936c9199b4ef9fbb62e06b94fe40c3973463102",
        "96:PzA2OzqHbHCX:PzA1OHbH",
        "00:11:22:33:44:55",
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        "[.]",
        "(.)",
        "[.",
        ".]",
        " dot ",
        " at ",
        " AT ",
        " DOT ",
        "[:]",
        "[://]",
        "[at]",
        "\\.",
        "\\/",
        "\\[.\\]",
        "\\n",
        "%2F",
        ".",
        "..",
        ":",
        "::",
        "@",
        "/",
        "//",
        "\\",
        "-",
        "_",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "\"",
        "'",
        "`",
        "|",
        ",",
        ";",
        "=",
        "?",
        "#",
        "%",
        "&",
        "&quot;",
        "!",
        "*",
        "$",
        "+",
        " ",
        "\n",
        "\t",
        "\u{200b}",
        "\u{ad}",
        "\u{202e}",
        "。",
        "．",
        "：",
        "１９２",
        "“",
        "…",
        "–",
        "é",
        "e\u{301}",
        "😀",
        "\u{e0041}",
        "a",
        "1",
        "x",
        "sha256:",
        "version ",
        "commit ",
        "ja3: ",
        "domain: ",
        "report.zip",
        "System.IO",
        "com",
        "www.",
        "/24",
        "/255.255.255.0",
        ":8080",
        "%eth0",
        "deadbeef",
        "0.0",
        "\0",
        "\u{1b}[31m",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|p| p.concat())
}

fn check_spans(text: &str, found: &[Found]) {
    let mut last = 0;
    for f in found {
        assert!(
            f.start < f.end
                && f.end <= text.len()
                && text.is_char_boundary(f.start)
                && text.is_char_boundary(f.end),
            "{f:?} in {text:?}"
        );
        assert!(f.start >= last, "{f:?} overlaps in {text:?}");
        assert_eq!(&text[f.start..f.end], f.text, "{text:?}");
        last = f.end;
    }
}

/// The canonical form is a fixed point of every reader.
fn check_canonical(indicator: &Indicator) {
    let labelled = matches!(indicator.kind(), IndicatorType::Ja3 | IndicatorType::Ja3s);
    // `[[.]]` inside a path is a mark only at the second reading.
    let marks = [
        "[.", ".]", "(.", "{.", "[:", "[/", "[at", "[dot", "(at", "(dot", "\\",
    ]
    .iter()
    .any(|m| indicator.value().contains(m));
    if labelled || marks {
        return;
    }
    assert_eq!(
        classify(indicator.value()).as_ref(),
        Some(indicator),
        "classify {:?}",
        indicator.value()
    );
    assert_eq!(
        classify(&indicator.defanged()).as_ref(),
        Some(indicator),
        "classify {:?}",
        indicator.defanged()
    );
    let user = indicator.kind() == IndicatorType::Url
        && indicator
            .value()
            .split('/')
            .nth(2)
            .is_some_and(|a| a.contains('@'));
    if user || !indicator.value().is_ascii() {
        return;
    }
    assert_eq!(
        parse_strict(indicator.value()).as_ref(),
        Ok(indicator),
        "strict {:?}",
        indicator.value()
    );
    assert_eq!(
        parse_strict(&indicator.defanged()).as_ref(),
        Ok(indicator),
        "strict {:?}",
        indicator.defanged()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_text_gives_ordered_spans(text in "\\PC{0,120}") {
        check_spans(&text, &extract(&text));
        let _ = classify(&text);
    }

    #[test]
    fn any_bytes_give_ordered_spans(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        check_spans(&text, &extract(&text));
        let _ = classify(&text);
    }

    #[test]
    fn pieces_give_ordered_spans_and_canonical_values(text in pieces()) {
        let found = extract(&text);
        check_spans(&text, &found);
        for f in &found {
            check_canonical(&f.indicator);
        }
        if let Some(indicator) = classify(&text) {
            check_canonical(&indicator);
        }
    }

    #[test]
    fn addresses_are_found_in_every_dress(a in any::<[u8; 4]>(), dress in prop::sample::select(vec!["{}", "({}).", "\"{}\",", "src={} ", "{}:443", "[{}]:22", "<{}>", "| {} |", "x {}\ny", "`{}`"])) {
        let value = std::net::Ipv4Addr::from(a).to_string();
        let found = extract(&dress.replace("{}", &value));
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found[0].indicator.value(), &value);
    }

    #[test]
    fn ipv6_is_found_and_canonical(a in any::<[u16; 8]>(), upper in any::<bool>()) {
        let address = std::net::Ipv6Addr::from(a);
        prop_assume!(address.to_ipv4_mapped().is_none());
        let full: Vec<String> = a.iter().map(|g| if upper { format!("{g:04X}") } else { format!("{g:x}") }).collect();
        let found = extract(&format!("src=[{}]:443", full.join(":")));
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found[0].indicator.value(), address.to_string());
    }

    #[test]
    fn text_around_changes_nothing(text in pieces()) {
        // What is found in a line is found in it when other lines stand around.
        let text = text.replace("\\n", "").replace('\n', " ");
        let alone: Vec<_> = extract(&text).into_iter().map(|f| (f.indicator, f.start)).collect();
        let around: Vec<_> = extract(&format!("---\n\n{text}\n\n---\n")).into_iter().map(|f| (f.indicator, f.start - 5)).collect();
        prop_assert_eq!(alone, around);
    }

    #[test]
    fn repeating_a_text_repeats_what_is_found(text in pieces(), times in 2usize..20) {
        // Linear by construction shows as linear output: nothing is read twice or across.
        let text = text.replace("\\n", "").replace('\n', " ");
        let once = extract(&format!("{text}\n\n---\n")).len();
        prop_assert_eq!(extract(&format!("{text}\n\n---\n").repeat(times)).len(), once * times);
    }
}

/// Texts made to be slow for readers that look back and forth give nothing and end.
#[test]
fn long_runs_end() {
    for unit in [
        "a.",
        "1.",
        "[.]",
        "http://",
        ":",
        "::",
        "@",
        "a@",
        "deadbeef",
        "\u{200b}",
        "a-",
        "a_",
        "(.",
        " dot ",
        "\\.",
        "cve-",
        "aa:",
        "[.a",
        "1.1.1.1.",
        "１．",
        "hxxp://a.b/",
        "http://a.b:99999/",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        let found = extract(&text);
        assert!(found.is_empty(), "{unit:?}: {:?}", found.first());
    }
    let long = format!("{}@", "A".repeat(200_000));
    assert!(extract(&long).is_empty());
}
