//! The profile for a model's argument: the look-alike families of the hostile cases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use kit::strict::StrictError;
use kit::{IndicatorType, parse_strict};
use proptest::prelude::*;

fn value(text: &str) -> Result<String, StrictError> {
    parse_strict(text).map(|i| i.value().to_owned())
}

#[test]
fn spellings_of_the_same_value_are_accepted() {
    for text in [
        "kit-panel.shop",
        " kit-panel.shop\t",
        "\r\nkit-panel.shop\n",
        "KIT-Panel.SHOP",
        "kit-panel.shop.",
        "kit-panel。shop",
        "kit-panel．shop",
        "kit-panel｡shop",
        "kit-panel[.]shop",
        "kit-panel(.)shop",
        "kit-panel{.}shop",
        "kit-panel[dot]shop",
    ] {
        assert_eq!(value(text), Ok("kit-panel.shop".into()), "{text:?}");
    }
    for text in [
        "198.51.100.77",
        "198[.]51[.]100[.]77",
        "::ffff:198.51.100.77",
        "::ffff:c633:644d",
        "::FFFF:C633:644D",
        "0:0:0:0:0:ffff:c633:644d",
    ] {
        let found = parse_strict(text).unwrap();
        assert_eq!(
            (found.kind(), found.value()),
            (IndicatorType::Ip, "198.51.100.77"),
            "{text:?}"
        );
    }
    for text in [
        "2001:db8::1",
        "2001:DB8::1",
        "2001:0db8:0000:0000:0000:0000:0000:0001",
        "2001:db8:0::1",
        "2001[:]db8::1",
    ] {
        assert_eq!(value(text), Ok("2001:db8::1".into()), "{text:?}");
    }
    for text in [
        "https://kit-panel.shop/a?b=1",
        "hxxps://kit-panel[.]shop/a?b=1",
        "HTTPS://KIT-PANEL.SHOP/a?b=1",
        "https://kit-panel.shop:443/a?b=1",
        "hxxps[:]//kit-panel[.]shop/a?b=1",
        "h**ps://kit-panel.shop/a?b=1",
    ] {
        assert_eq!(
            value(text),
            Ok("https://kit-panel.shop/a?b=1".into()),
            "{text:?}"
        );
    }
    // Characters that are good in a path stay good.
    assert_eq!(
        value("https://kit-panel.shop/a'b*(c)?q=`\\#x"),
        Ok("https://kit-panel.shop/a'b*(c)?q=`\\#x".into())
    );
    assert_eq!(
        value("o'brien@kit-panel.shop"),
        Ok("o'brien@kit-panel.shop".into())
    );
    assert_eq!(
        value("ja3:FA7130B8F947405294042C5B80DCE830"),
        Ok("fa7130b8f947405294042c5b80dce830".into())
    );
    assert_eq!(value("198.51.100.0/24"), Ok("198.51.100.0/24".into()));
    assert_eq!(value("cve-2024-3094"), Ok("CVE-2024-3094".into()));
    assert_eq!(value("as64500"), Ok("AS64500".into()));
    assert_eq!(
        value("44D88612FEA8A8F36DE82E1278ABB02F"),
        Ok("44d88612fea8a8f36de82e1278abb02f".into())
    );
    assert_eq!(
        value("http://[2001:DB8::1]:8080/x"),
        Ok("http://[2001:db8::1]:8080/x".into())
    );
}

#[test]
fn other_names_stay_other_names() {
    // Refusing these is the business of authorization: they are good indicators, but not the named one.
    for (text, other) in [
        ("www.kit-panel.shop", "www.kit-panel.shop"),
        ("kıt-panel.shop", "xn--kt-panel-tkb.shop"),
        (
            "https://kit-panel.shop/secret/path",
            "https://kit-panel.shop/secret/path",
        ),
        (
            "https://evil.net/?u=https://kit-panel.shop/a?b=1",
            "https://evil.net/?u=https://kit-panel.shop/a?b=1",
        ),
        ("boss+case42@kit-panel.shop", "boss+case42@kit-panel.shop"),
        ("2001:db8::11", "2001:db8::11"),
        ("64:ff9b::c633:644d", "64:ff9b::c633:644d"),
        ("::198.51.100.77", "::c633:644d"),
    ] {
        assert_eq!(value(text), Ok(other.into()), "{text:?}");
    }
}

#[test]
fn what_is_not_exactly_one_value_is_refused() {
    use StrictError::{Ambiguous, Empty, Hidden, NotOne, TooLong};
    for (text, why) in [
        ("", Empty),
        (" \t\n", Empty),
        ("shop", NotOne),
        (".", NotOne),
        ("kit-panel.shop..", NotOne),
        (".kit-panel.shop", NotOne),
        ("kit\u{200b}-panel.shop", Hidden),
        ("kit\u{ad}-panel.shop", Hidden),
        ("kit-panel.shop\u{e0061}", Hidden),
        ("kit-panel.shop\u{fe0f}", Hidden),
        ("\u{202e}pohs.lenap-tik", Hidden),
        ("kit-panel.shop\u{0}.evil.net", Hidden),
        ("kit-panel.shop\u{1b}[2K", Hidden),
        ("kit-panel.shop\nother.shop", Hidden),
        ("\u{feff}kit-panel.shop", Hidden),
        ("kit-panel.shop,other-panel.shop", NotOne),
        ("other-panel.shop kit-panel.shop", NotOne),
        ("kit-panel.shop;other-panel.shop", NotOne),
        ("kit-panel.shop|other", NotOne),
        ("kit-panel.shop/?x=other-panel.shop", NotOne),
        ("kit-panel.shop?note=user-bob", NotOne),
        ("kit-panel.shop#x", NotOne),
        ("kit-panel.shop:443", NotOne),
        ("*.kit-panel.shop", NotOne),
        ("kit-panel.shop' OR '1'='1", NotOne),
        ("$(id).kit-panel.shop", NotOne),
        ("../kit-panel.shop", NotOne),
        ("kit-panel dot shop", NotOne),
        ("kit_panel.shop", NotOne),
        ("\"kit-panel.shop\"", NotOne),
        ("kit-panel.shop%00", NotOne),
        ("kit%2dpanel.shop", NotOne),
        ("198.51.100.077", Ambiguous),
        ("198.51.25677", Ambiguous),
        ("3325256781", Ambiguous),
        ("0xc633644d", Ambiguous),
        ("0306.063.0144.0115", Ambiguous),
        ("0xc6.0x33.0x64.0x4d", Ambiguous),
        ("198.51.100.77.1", Ambiguous),
        ("198.51.100.256", Ambiguous),
        ("2001:db8::1%eth0", Ambiguous),
        ("fe80::1%25eth0", Ambiguous),
        ("１９８.51.100.77", NotOne),
        ("198.51.100.77:80", NotOne),
        ("[2001:db8::1]", NotOne),
        ("[2001:db8::1]:443", NotOne),
        ("https://kit-panel.shop@evil.net/", NotOne),
        ("https://user:pass@kit-panel.shop/", NotOne),
        ("https://kit-panel.shop\\@evil.net/", NotOne),
        ("https:\\\\kit-panel.shop/a", NotOne),
        ("https://3325256781/", Ambiguous),
        ("https://0xc633644d/", Ambiguous),
        ("https://198.51.100.077/", Ambiguous),
        ("https://kit%2dpanel.shop/", NotOne),
        ("https://kit-panel.shop/a b", NotOne),
        ("https:///kit-panel.shop/", NotOne),
        ("javascript://kit-panel.shop/%0aalert(1)", NotOne),
        ("https://*.kit-panel.shop/", NotOne),
        ("https://kit-panel.shop/<script>", NotOne),
        ("https://kit-panel.shop/a\\..\\b", NotOne),
        ("http://", NotOne),
        ("a@b@kit-panel.shop", NotOne),
    ] {
        assert_eq!(parse_strict(text), Err(why), "{text:?}");
    }
    assert_eq!(parse_strict(&"a".repeat(9000)), Err(TooLong));
}

#[test]
fn marks_inside_marks_are_refused() {
    for text in ["https://a.com/x[[:]]y", "a[[.]]com", "https://a.com/[(.)]"] {
        let read = kit::parse_strict(text);
        let again = read.as_ref().map(|i| kit::parse_strict(i.value()));
        assert!(
            again.is_err()
                || again.as_ref().ok().and_then(|r| r.as_ref().ok()) == read.as_ref().ok(),
            "{text}: {read:?}"
        );
    }
    assert!(kit::parse_strict("https://a.com/x[[:]]y").is_err());
}

proptest! {
    #[test]
    fn never_panics_and_answers_canonically(text in ".{0,80}") {
        if let Ok(found) = parse_strict(&text) {
            prop_assert_eq!(parse_strict(found.value()), Ok(found.clone()));
        }
    }

    #[test]
    fn invisible_characters_are_always_refused(at in 0usize..14, c in prop::sample::select(vec!['\u{200b}', '\u{200d}', '\u{2060}', '\u{ad}', '\u{202e}', '\u{2066}', '\u{e0041}', '\u{7f}', '\u{0}', '\u{1b}', '\u{85}', '\u{fe00}'])) {
        let mut text = "kit-panel.shop".to_owned();
        text.insert(at, c);
        // In front, a control that is white space is an outer blank.
        prop_assume!(!(at == 0 && c.is_whitespace()));
        prop_assert_eq!(parse_strict(&text), Err(StrictError::Hidden));
    }
}
