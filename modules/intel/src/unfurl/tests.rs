use super::*;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::prelude::*;

/// 30 November 2026.
const NOW: i64 = 1_796_058_000_000;

fn lines(url: &str) -> Vec<String> {
    let (rows, _) = unfurl(&Url::parse(url).unwrap(), NOW);
    rows.into_iter()
        .map(|r| format!("{} = {} [{}]", r.part, r.value, r.meaning))
        .collect()
}

fn has(url: &str, wanted: &[&str]) {
    let got = lines(url);
    for w in wanted {
        assert!(
            got.iter().any(|l| l.contains(w)),
            "{url}: no {w:?} in\n{}",
            got.join("\n")
        );
    }
}

fn has_not(url: &str, unwanted: &[&str]) {
    let got = lines(url);
    for w in unwanted {
        assert!(
            !got.iter().any(|l| l.contains(w)),
            "{url}: {w:?} in\n{}",
            got.join("\n")
        );
    }
}

#[test]
fn the_parts() {
    has(
        "https://bob:secret@www.xn--bcher-kva.example:8443/a%20b/c.php?q=1&q=2&flag#top",
        &[
            "scheme = https",
            "user = bob",
            "password = (not shown)",
            "host = www.xn--bcher-kva.example [readable form: www.bücher.example]",
            "domain = xn--bcher-kva.example",
            "port = 8443 [not the scheme's own]",
            "path 1 = a b",
            "path 2 = c.php",
            "query q = 1",
            "query q = 2",
            "query flag = ",
            "fragment = top",
        ],
    );
    assert!(
        !lines("https://bob:secret@a.example/")
            .join("\n")
            .contains("secret")
    );
    has(
        "http://192.0.2.1/x",
        &[
            "host = 192.0.2.1 [an address instead of a name]",
            "port = 80",
        ],
    );
    has(
        "mailto:a@b.example",
        &["scheme = mailto", "path = a@b.example"],
    );
    has(
        "https://a.example/#/cb?code=7&state=https%3A%2F%2Fb.example%2F",
        &["fragment code = 7", "host = b.example"],
    );
}

#[test]
fn urls_inside() {
    has(
        "https://www.google.com/url?q=https%3A%2F%2Fevil.example%2Flogin%3Fu%3D1&sa=D",
        &[
            "query q = https://evil.example/login?u=1",
            "query q › host = evil.example",
            "query q › query u = 1",
        ],
    );
    // Encoded twice, in base64, in hexadecimal, without a scheme, inside other text.
    has(
        "https://a.example/?u=https%253A%252F%252Fb.example%252Fx",
        &["query u › host = b.example"],
    );
    let b64 = STANDARD.encode("https://evil.example/pay");
    has(
        &format!("https://a.example/?u={b64}"),
        &["query u › host = evil.example", "query u › path 1 = pay"],
    );
    has(
        &format!(
            "https://a.example/r/{}",
            URL_SAFE_NO_PAD.encode("https://evil.example/?a=b")
        ),
        &["path 2 › host = evil.example"],
    );
    has(
        "https://a.example/?u=68747470733a2f2f6576696c2e6578616d706c652f",
        &["query u › host = evil.example"],
    );
    has(
        "https://a.example/?u=//evil.example/x",
        &["query u › host = evil.example"],
    );
    has(
        "https://web.archive.org/web/2020/https://evil.example/x",
        &["path 3 = https:"],
    );
    has(
        "https://a.example/?x=go:https://evil.example/y",
        &["query x › host = evil.example"],
    );
    // Microsoft Safe Links and Proofpoint URL Defense 2 and 3.
    has(
        "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example%2F&data=05",
        &["query url › host = evil.example"],
    );
    has(
        "https://urldefense.proofpoint.com/v2/url?u=https-3A__evil.example_a-5Fb&d=DwMF",
        &["URL Defense target › host = evil.example", "path 1 = a_b"],
    );
    has(
        "https://urldefense.com/v3/__https://evil.example/x__;!!abc!def$",
        &["› host = evil.example"],
    );
}

#[test]
fn values_inside() {
    let mail = STANDARD.encode("victim@corp.example");
    has(
        &format!("https://a.example/?e={mail}"),
        &[
            "query e = victim@corp.example [base64]",
            "mail address = victim@corp.example",
        ],
    );
    has(
        "https://a.example/?e=victim%40corp.example",
        &["query e › mail address = victim@corp.example"],
    );
    for at in ["#", "?"] {
        let url = format!("https://a.example/{at}dmljdGltQGNvcnAuZXhhbXBsZQ==");
        has(&url, &["mail address = victim@corp.example"]);
        has(
            &format!("https://a.example/{at}victim@corp.example"),
            &["mail address = victim@corp.example"],
        );
    }
    has(
        "https://a.example/?d=%7B%22to%22%3A%22https%3A%2F%2Fb.example%2F%22%2C%22n%22%3A1%7D",
        &["› host = b.example", "query d = n: 1 [JSON]"],
    );
    has(
        "https://a.example/?h=d41d8cd98f00b204e9800998ecf8427e",
        &["looks like = an MD5 hash"],
    );
    has(
        "https://a.example/?ip=192.0.2.9",
        &["query ip › address = 192.0.2.9"],
    );
    has_not(
        "https://a.example/documentation/settings/password1",
        &["base64", "hexadecimal"],
    );
}

#[test]
fn lists() {
    let url = "https://a.example/?data=05%7C01%7Cbob%40corp.example%7C0%7CUnknown%7Chttps%3A%2F%2Fb.example%2F";
    has(
        url,
        &[
            "query data › mail address = bob@corp.example",
            "query data = Unknown [one of a list]",
            "query data › host = b.example",
        ],
    );
}

#[test]
fn trackers() {
    has(
        "https://youtu.be/x?si=abc",
        &["query si = abc [tracker: share (YouTube)]"],
    );
    has("https://a.example/?si=abc", &["query si = abc []"]);
    has(
        "https://a.example/?utm_source=mail&gclid=abc&mc_eid=77&FBCLID=z&id=1",
        &[
            "query utm_source = mail [tracker: campaign (UTM)]",
            "tracker: click (Google)",
            "(Mailchimp)",
            "(Facebook)",
            "query id = 1 []",
        ],
    );
}

#[test]
fn tokens() {
    let part = |s: &str| URL_SAFE_NO_PAD.encode(s);
    let jwt = format!(
        "{}.{}.c2lnbmF0dXJl",
        part(r#"{"alg":"HS256","typ":"JWT"}"#),
        part(r#"{"sub":"bob@corp.example","iat":1516239022,"exp":1516242622}"#)
    );
    has(
        &format!("https://a.example/cb?token={jwt}"),
        &[
            "JWT = signature not checked",
            "JWT header alg = HS256",
            "JWT claim sub = bob@corp.example",
            "JWT claim iat = 1516239022 = 2018-01-18T01:30:22Z",
            "JWT claim exp = 1516242622 = 2018-01-18T02:30:22Z (expired)",
        ],
    );
    has_not("https://a.example/?t=a.b.c", &["JWT"]);
}

#[test]
fn times_in_identifiers() {
    let one = |value: &str| lines(&format!("https://a.example/?t={value}")).join("\n");
    assert!(one("1700000000").contains("as Unix seconds = 2023-11-14T22:13:20Z"));
    assert!(one("1700000000123").contains("as Unix milliseconds = 2023-11-14T22:13:20.123Z"));
    assert!(one("1700000000123456").contains("as Unix microseconds = 2023-11-14T22:13:20.123Z"));
    assert!(one("13344473600000000").contains("as WebKit microseconds = 2023-11-14T22:13:20Z"));
    assert!(one("133444736000000000").contains("as Windows FILETIME = 2023-11-14T22:13:20Z"));
    assert!(one("638355968000000000").contains("as .NET ticks = 2023-11-14T22:13:20Z"));
    // The examples of the vendors' own documents.
    has(
        "https://x.com/a/status/1541815603606036480",
        &["X (Twitter) snowflake = 2022-06-28T16:07:40.105Z"],
    );
    has_not("https://x.com/a/status/1541815603606036480", &["Discord"]);
    has(
        "https://discord.com/channels/175928847299117063",
        &["Discord snowflake = 2016-04-30T11:18:25.796Z"],
    );
    has_not(
        "https://discord.com/channels/175928847299117063",
        &["Twitter"],
    );
    assert!(one("01ARZ3NDEKTSV4RRFFQ69G5FAV").contains("ULID = 2016-07-30T23:54:10.259Z"));
    assert!(one("0ujtsYcgvSTl8PAuAdqWYSMnLOv").contains("KSUID = 2017-10-10T04:00:47Z"));
    assert!(one("507f1f77bcf86cd799439011").contains("ObjectId = 2012-10-17T21:13:27Z"));
    // RFC 9562, appendix A.
    assert!(
        one("C232AB00-9414-11EC-B3C8-9F6BDECED846")
            .contains("version 1, made 2022-02-22T19:22:22Z, node 9f:6b:de:ce:d8:46")
    );
    assert!(
        one("1EC9414C-232A-6B00-B3C8-9F6BDECED846")
            .contains("version 6, made 2022-02-22T19:22:22Z")
    );
    assert!(
        one("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")
            .contains("version 7, made 2022-02-22T19:22:22Z")
    );
    assert!(one("919108f7-52d1-4320-9bac-f847db4148a8").contains("version 4, random"));
    // Not times.
    for number in ["0000000001", "9999999999", "12345678901234567890123"] {
        assert!(!one(number).contains("as "), "{number}");
    }
}

#[test]
fn everything_is_bounded() {
    // A URL in a URL in a URL …
    let mut nested = "https://end.example/".to_owned();
    for _ in 0..12 {
        nested = format!(
            "https://a.example/?u={}",
            percent_encoding::utf8_percent_encode(&nested, percent_encoding::NON_ALPHANUMERIC)
        );
    }
    let (rows, left_out) = unfurl(&Url::parse(&nested).unwrap(), NOW);
    assert!(
        rows.len() <= MAX_ROWS && left_out > 0,
        "{} rows, {left_out} left out",
        rows.len()
    );
    // Many parameters, and long ones.
    let many: String = (0..5000)
        .map(|n| format!("p{n}=https%3A%2F%2Fa.example%2F{n}&"))
        .collect();
    let report = report(
        &Url::parse(&format!("https://a.example/?{many}")).unwrap(),
        NOW,
    );
    assert_eq!(report.table.rows.len(), MAX_ROWS + 1);
    let long = format!("https://a.example/{}", "A".repeat(1_000_000));
    assert!(
        lines(&long).iter().any(|l| l.len() > 1_000_000),
        "cut before secrets are out"
    );
    let name = "n".repeat(100_000);
    let url = format!(
        "https://a.example/?{name}=https%3A%2F%2Fb.example%2F%3F{}",
        "x%3D1%26".repeat(500)
    );
    assert!(lines(&url).iter().map(String::len).sum::<usize>() < 2 * MAX_BYTES);
}

proptest! {
    #[test]
    fn no_url_makes_it_panic(tail in "\\PC{0,120}", host in "[a-z0-9.%@:\\[\\]-]{0,30}") {
        for text in [format!("https://{host}/{tail}"), format!("https://a.example/?{tail}"), format!("x:{tail}"), tail.clone()] {
            if let Ok(url) = Url::parse(&text) {
                let (rows, _) = unfurl(&url, NOW);
                prop_assert!(rows.len() <= MAX_ROWS);
            }
        }
    }

    #[test]
    fn no_value_makes_it_panic(
        value in prop_oneof![
            "[0-9]{1,40}", "[A-Za-z0-9_=-]{0,80}", "[0-9a-fA-F-]{30,40}", "[A-Za-z0-9]{24,27}",
            "[A-Za-z0-9_-]{0,20}\\.[A-Za-z0-9_-]{0,20}\\.[A-Za-z0-9_-]{0,20}", "%[0-9a-f%]{0,40}", "\\{\"a\":[0-9]{0,5}.{0,9}",
        ],
        now in any::<i64>(),
    ) {
        let mut url = Url::parse("https://discord.com/").unwrap();
        url.query_pairs_mut().append_pair("v", &value);
        url.path_segments_mut().unwrap().push(&value);
        url.set_fragment(Some(&value));
        let _ = unfurl(&url, now);
    }

    #[test]
    fn a_hidden_url_is_found(path in "[a-z]{1,12}") {
        let hidden = format!("https://evil.example/{path}");
        let url = format!("https://a.example/?u={}", URL_SAFE_NO_PAD.encode(&hidden));
        prop_assert!(lines(&url).iter().any(|l| l.contains("query u › host = evil.example")));
    }
}
