//! Properties: no configured secret survives, whatever its encoding and what stands around it; redacting twice is
//! redacting once; nothing panics; text without secrets comes out byte for byte.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use kit::text::Redactor as _;
use proptest::prelude::*;
use rmm_analyst::redact::{Class, Redact};
use secrecy::SecretString;

fn redactor(secret: &str) -> Redact {
    Redact::new(&[("test".into(), SecretString::from(secret))], &[]).unwrap_or_default()
}

/// Which characters of a partial encoding are encoded; from a seed, so that a failure shrinks.
struct Bits(u64);

impl Bits {
    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }
}

fn percent(s: &str, bits: &mut Bits, partial: bool) -> String {
    s.bytes()
        .map(|b| {
            let must = !b.is_ascii_alphanumeric();
            if must || !partial || bits.one_in(2) {
                if bits.one_in(2) {
                    format!("%{b:02X}")
                } else {
                    format!("%{b:02x}")
                }
            } else {
                (b as char).to_string()
            }
        })
        .collect()
}

fn json(s: &str, bits: &mut Bits) -> String {
    s.encode_utf16()
        .map(|u| match char::from_u32(u32::from(u)) {
            Some('"') => "\\\"".to_owned(),
            Some('\\') => "\\\\".to_owned(),
            Some('/') if bits.one_in(2) => "\\/".to_owned(),
            Some(c) if c.is_ascii() && !c.is_ascii_control() && !bits.one_in(3) => c.to_string(),
            _ => format!("\\u{u:04x}"),
        })
        .collect()
}

fn html(s: &str, bits: &mut Bits) -> String {
    s.chars()
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            '\'' => "&#39;".to_owned(),
            c => match bits.next() % 4 {
                0 => format!("&#{};", c as u32),
                1 => format!("&#x{:X};", c as u32),
                _ => c.to_string(),
            },
        })
        .collect()
}

fn hex(s: &[u8], upper: bool, separator: &str) -> String {
    s.iter()
        .map(|b| {
            if upper {
                format!("{b:02X}")
            } else {
                format!("{b:02x}")
            }
        })
        .collect::<Vec<_>>()
        .join(separator)
}

fn split(s: &str, with: &str, bits: &mut Bits) -> String {
    let mut out = String::new();
    let count = s.chars().count();
    let must = 1 + bits.next() as usize % (count - 1).max(1);
    for (i, c) in s.chars().enumerate() {
        if i > 0 && (i == must || bits.one_in(5)) {
            out.push_str(with);
        }
        out.push(c);
    }
    out
}

fn wrap(s: &str, width: usize, with: &str) -> String {
    s.as_bytes()
        .chunks(width)
        .map(|c| String::from_utf8_lossy(c).into_owned())
        .collect::<Vec<_>>()
        .join(with)
}

const ENCODINGS: u32 = 44;

fn encode(secret: &str, kind: u32, seed: u64, front: &str, back: &str) -> String {
    let mut bits = Bits(seed | 1);
    let b = &mut bits;
    let around = format!("{front}{secret}{back}");
    match kind {
        0 => secret.to_owned(),
        1 => percent(secret, b, false),
        2 => percent(secret, b, true),
        3 => percent(&percent(secret, b, true), b, false),
        4 => percent(&percent(secret, b, false), b, true),
        5 => percent(&percent(&percent(secret, b, true), b, true), b, true),
        6 => STANDARD.encode(secret),
        7 => STANDARD.encode(&around),
        8 => STANDARD_NO_PAD.encode(&around),
        9 => URL_SAFE.encode(&around),
        10 => URL_SAFE_NO_PAD.encode(&around),
        11 => STANDARD.encode(format!("user:{secret}")),
        12 => STANDARD.encode(STANDARD.encode(&around)),
        13 => percent(&STANDARD.encode(&around), b, true),
        14 => wrap(&STANDARD.encode(&around), 19, "\r\n"),
        15 => wrap(&STANDARD.encode(&around), 76, "\n"),
        16 => hex(secret.as_bytes(), false, ""),
        17 => hex(secret.as_bytes(), true, ""),
        18 => hex(secret.as_bytes(), true, ":"),
        19 => hex(secret.as_bytes(), false, " "),
        20 => json(secret, b),
        21 => json(&json(secret, b), b),
        22 => html(secret, b),
        23 => html(&html(secret, b), b),
        24 => split(secret, "\n", b),
        25 => split(secret, "\r\n    ", b),
        26 => split(secret, "\u{1b}[1;31m", b),
        27 => split(secret, "\u{1b}]8;;https://x.example/\u{7}", b),
        28 => split(secret, "\u{200B}", b),
        29 => split(secret, "\u{E0041}\u{FEFF}", b),
        30 => split(secret, "\\n", b),
        31 => split(secret, "\n> ", b),
        32 => split(secret, " |\n| ", b),
        33 => split(secret, "\"\n\"", b),
        34 => percent(&json(secret, b), b, true),
        35 => html(&json(secret, b), b),
        36 => json(&html(secret, b), b),
        37 => percent(&html(secret, b), b, false),
        38 => STANDARD.encode(json(&around, b)),
        39 => STANDARD.encode(
            around
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        ),
        40 => secret.bytes().map(|c| format!("\\x{c:02x}")).collect(),
        41 => secret
            .bytes()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    (c as char).to_string()
                } else {
                    format!("={c:02X}")
                }
            })
            .collect(),
        42 => secret
            .chars()
            .map(|c| {
                if ('!'..='~').contains(&c) {
                    char::from_u32(c as u32 + 0xFEE0).unwrap_or(c)
                } else {
                    c
                }
            })
            .collect(),
        _ => split(&percent(secret, b, false), "\n", b),
    }
}

/// Undoes everything that a reader could undo, independently of the program, and says whether the secret is there.
fn readable(out: &str, secret: &str) -> bool {
    let squeeze = |s: &str| -> String {
        s.chars()
            .filter(|c| {
                !c.is_whitespace() && !c.is_control() && *c != '\u{200B}' && *c != '\u{FEFF}'
            })
            .collect()
    };
    let wanted = squeeze(secret);
    let plain = squeeze(out);
    if plain.contains(&wanted) {
        return true;
    }
    let mut once = plain.clone();
    for _ in 0..4 {
        once = percent_encoding::percent_decode_str(&once)
            .decode_utf8_lossy()
            .into_owned();
        if squeeze(&once).contains(&wanted) {
            return true;
        }
    }
    let lower = plain.to_lowercase();
    if lower.contains(&hex(secret.as_bytes(), false, ""))
        || lower
            .replace([':', ' '], "")
            .contains(&hex(secret.as_bytes(), false, ""))
    {
        return true;
    }
    // Every base64 run at every offset.
    plain
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_')))
        .filter(|r| r.len() >= 8)
        .any(|run| {
            let run = run.replace('-', "+").replace('_', "/");
            (0..4).any(|skip| {
                let body = run.get(skip..).unwrap_or_default();
                let body = body.get(..body.len() / 4 * 4).unwrap_or_default();
                STANDARD
                    .decode(body)
                    .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(secret))
            })
        })
}

fn secrets() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[A-Za-z0-9]{8,48}",
        2 => "[A-Za-z0-9_-]{8,64}",
        2 => "[0-9a-f]{14,80}",
        3 => "[!-~]{8,40}",
        1 => "[ -~]{10,40}",
        1 => "[A-Za-z0-9éßñ漢字]{8,20}",
        1 => "[A-Za-z0-9+/]{20,43}=",
    ]
    .prop_filter("not a placeholder, no blanks at the ends", |s: &String| {
        s.trim() == s
            && !s
                .trim_matches(s.chars().next().unwrap_or_default())
                .is_empty()
            && !s.contains("  ")
            && !"[redacted:configured]".contains(s.as_str())
    })
}

fn surroundings() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[ -~]{0,40}",
        "\\PC{0,20}",
        "[A-Za-z0-9+/=]{0,30}",
        Just("Authorization: Bearer ".to_owned()),
        Just("{\"key\": \"".to_owned()),
        Just("https://x.example/?a=".to_owned()),
        Just("C:\\".to_owned()),
        Just("100%".to_owned()),
        Just("AT&".to_owned()),
        Just("\u{1b}[0m\n".to_owned()),
        Just("\n".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn no_configured_secret_survives(
        secret in secrets(), kind in 0..ENCODINGS, seed in any::<u64>(),
        inner in ("[ -~]{0,7}", "[ -~]{0,7}"), front in surroundings(), back in surroundings(),
    ) {
        // A backslash in front is part of the first escape: then the text holds another value.
        prop_assume!(!front.ends_with('\\'));
        let redact = redactor(&secret);
        let encoded = encode(&secret, kind, seed, &inner.0, &inner.1);
        let text = format!("{front}{encoded}{back}");
        let (out, classes) = redact.redact_counted(&text);
        prop_assert!(classes.contains(&Class::Configured), "kind {kind}: {text:?} -> {out:?}");
        prop_assert!(!out.contains(&encoded), "kind {kind}: {text:?} -> {out:?}");
        prop_assert!(!readable(&out, &secret), "kind {kind}: {text:?} -> {out:?}");
        let (again, _) = redact.redact_counted(&out);
        prop_assert_eq!(again, out);
    }

    /// The same where a person sends their words as they are: nobody's choice lifts it.
    #[test]
    fn no_configured_secret_is_sent_as_it_is(
        secret in secrets(), kind in 0..ENCODINGS, seed in any::<u64>(),
        inner in ("[ -~]{0,7}", "[ -~]{0,7}"), front in surroundings(), back in surroundings(),
    ) {
        prop_assume!(!front.ends_with('\\'));
        let redact = redactor(&secret);
        let encoded = encode(&secret, kind, seed, &inner.0, &inner.1);
        let text = format!("{front}{encoded}{back}");
        let out = redact.redact_always(&text);
        prop_assert!(!redact.choice(&text).always.is_empty(), "kind {kind}: {text:?}");
        prop_assert!(!out.contains(&encoded), "kind {kind}: {text:?} -> {out:?}");
        prop_assert!(!readable(&out, &secret), "kind {kind}: {text:?} -> {out:?}");
        prop_assert_eq!(redact.redact_always(&out), out);
    }

    /// What a choice lifts and what it does not are together what redaction changes.
    #[test]
    fn a_choice_names_all_that_is_hidden(text in prop_oneof!["\\PC{0,200}", "[ -~\n]{0,300}", "(password|token|api_key)[=:] ?[A-Za-z0-9]{8,20} (q7Zx9QwErTy7Lk4kuw2g )?[a-z ]{0,20}"]) {
        let redact = redactor("q7Zx9QwErTy7Lk4kuw2g");
        let choice = redact.choice(&text);
        let (out, _) = redact.redact_counted(&text);
        prop_assert_eq!(choice.lifted.is_empty() && choice.always.is_empty(), out == text);
        let sent = redact.redact_always(&text);
        prop_assert_eq!(choice.always.is_empty(), sent == text);
        prop_assert!(choice.lifted.iter().all(|(_, piece)| sent.contains(piece)), "{text:?} -> {sent:?}");
        // Redacted after all it is what it would have been without the choice.
        if choice.always.is_empty() {
            prop_assert_eq!(redact.redact_counted(&sent).0, out);
        }
    }

    #[test]
    fn any_text_is_safe_and_stable(text in prop_oneof!["\\PC{0,200}", "[ -~\n]{0,300}", any::<Vec<u8>>().prop_map(|b| String::from_utf8_lossy(&b).into_owned())]) {
        let redact = redactor("q7Zx9QwErTy7Lk4kuw2g");
        let (out, classes) = redact.redact_counted(&text);
        prop_assert_eq!(classes.is_empty(), out == text);
        let (again, more) = redact.redact_counted(&out);
        prop_assert_eq!(again, out);
        prop_assert!(more.is_empty());
    }

    /// Words of our own grammar thrown together: the texts on which layers meet.
    #[test]
    fn grammar_soup_is_stable(parts in prop::collection::vec(prop::sample::select(vec![
        "password", "token", "api_key", "key", "Authorization", "Cookie", "Set-Cookie", "Bearer ", "Basic ", ":", "=", ": ", " = ", "=>", "\"", "'", "\\\"", "\\", "&", "&quot;", "&#58;",
        "%22", "%3D", "%253A", "\n", "\r\n", " ", "|", ",", ";", "{", "}", "<", ">", "</", "://", "@", "/hooks/", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
        "q7Zx9QwErTy7Lk4kuw2g", "Zx9QwErTy7", "hunter2", "user", "x.example", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln", "[redacted:key]", "[redacted:", "]", "value", "name",
        "cGFzc3dvcmQ9aHVudGVyMg==", "ghp_39lpuGeG6gjOFjrj1auQ6WQFq7AyHsgnRiOH", "AKIAIDVWTFKTANGPVYQE", "\u{200B}", "\u{1b}[0m", "\u{FF1A}", "curl -u a:", "login ", "7hvOQa9t/EQ/RdnLo0Y9g0EwgzrvQdo2FPJzML4n6gHP0Kicr1n/ZR2QpFacXc1k",
    ]), 0..40)) {
        let redact = redactor("q7Zx9QwErTy7Lk4kuw2g");
        let text = parts.concat();
        let (out, _) = redact.redact_counted(&text);
        prop_assert!(!out.contains("q7Zx9QwErTy7Lk4kuw2g"), "{text:?} -> {out:?}");
        let (again, _) = redact.redact_counted(&out);
        prop_assert_eq!(&again, &out, "{:?}", text);
    }

    /// What analysts send around all day comes out as it went in.
    #[test]
    fn lists_of_indicators_stay(lines in prop::collection::vec(prop_oneof![
        "[0-9a-f]{32}", "[0-9a-f]{40}", "[0-9a-f]{64}", "[0-9A-F]{64}", "[0-9a-f]{128}", "sha256:[0-9a-f]{64}",
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "[1-9][0-9]{0,2}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}",
        "https://[a-z]{3,12}\\.example/[a-z0-9/]{0,30}", "0x[0-9a-fA-F]{40}", "[a-z2-7]{56}\\.onion", "CVE-20[0-9]{2}-[0-9]{4,5}",
        "[A-F0-9]{2}(:[A-F0-9]{2}){19}", "sha512-[A-Za-z0-9+/]{86}==", "[13][1-9A-HJ-NP-Za-km-z]{33}",
    ], 1..40)) {
        let text = lines.join("\n");
        let redact = redactor("q7Zx9QwErTy7Lk4kuw2g");
        let (out, classes) = redact.redact_counted(&text);
        prop_assert_eq!(out, text);
        prop_assert!(classes.is_empty());
    }
}

/// Hostile shapes: long runs of what begins something. Work is bounded, so this ends at once.
#[test]
fn stress_shapes_end() {
    let redact = redactor("q7Zx9QwErTy7Lk4kuw2g");
    for unit in [
        "q|\n",
        "q\u{200B}",
        "\\",
        "%25",
        "&amp;",
        "password=",
        "\"password\":\"",
        "://",
        "-----BEGIN PRIVATE KEY-----\n",
        "eyJ",
        "a:b@",
        "token token ",
        "q7\n>|+\"\n",
        "AAAA",
        "key: |\n",
        "=\n",
        "<password ",
        "Cookie: a=",
        "\u{1b}]",
        "curl -u ",
        "hvs.",
        "bearer=",
        "eyJhbGciOiJub25lIn0.",
        "-----END PRIVATE KEY-----\n",
        "[redacted:key]",
        "\\u005c",
        "q\n",
    ] {
        let text = unit.repeat(60_000 / unit.len());
        let (out, _) = redact.redact_counted(&text);
        assert!(!out.is_empty());
    }
}
