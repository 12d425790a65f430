//! What each module reads out of an answer: rows, verdict and what it rests on, page, date.

use super::*;

async fn found(name: &str, kind: T, value: &str, file: &str) -> kit::Report {
    let (_, outcome) = sent(name, kind, value, &[answer(&format!("{name}/{file}"))]).await;
    report(&outcome).clone()
}

#[tokio::test]
async fn abuseipdb() {
    let r = found("abuseipdb", T::Ip, "203.0.113.7", "found.json").await;
    assert_eq!(
        (r.verdict, r.verdict_basis.as_str()),
        (Verdict::Malicious, "abuseConfidenceScore 100")
    );
    assert_eq!(r.source_url, "https://www.abuseipdb.com/check/203.0.113.7");
    assert_eq!(r.source_date.as_deref(), Some("2026-11-29T18:04:11Z"));
    assert_eq!(
        cell(&r, 0, "Reported for"),
        "SSH (2), Port Scan (1), Brute-Force (1)"
    );
    assert_eq!(
        cell(&r, 0, "Hostnames"),
        "a7.hosting.example, b7.hosting.example"
    );
    assert_eq!(
        (cell(&r, 0, "Reports"), cell(&r, 0, "Country")),
        ("3".into(), "NL".into())
    );

    let r = found("abuseipdb", T::Ip, "203.0.113.8", "whitelisted.json").await;
    assert_eq!(
        (r.verdict, cell(&r, 0, "Whitelisted").as_str()),
        (Verdict::Harmless, "yes")
    );

    let r = found("abuseipdb", T::Cidr, "203.0.113.0/24", "block.json").await;
    assert_eq!(r.verdict, Verdict::Suspicious);
    assert_eq!(
        r.verdict_basis,
        "2 reported addresses, highest abuseConfidenceScore 90"
    );
    assert_eq!(
        r.source_url,
        "https://www.abuseipdb.com/check-block/203.0.113.0/24"
    );
    assert_eq!(
        cell(&r, 0, "Reported address"),
        "203.0.113.7",
        "the newest first"
    );
    assert_eq!(cell(&r, 1, "Country"), "");

    for (score, verdict) in [
        (0, Verdict::Unknown),
        (24, Verdict::Unknown),
        (25, Verdict::Suspicious),
        (74, Verdict::Suspicious),
        (75, Verdict::Malicious),
    ] {
        let body = format!(
            r#"{{"data":{{"ipAddress":"203.0.113.7","abuseConfidenceScore":{score},"totalReports":9}}}}"#
        );
        let (_, outcome) = sent("abuseipdb", T::Ip, "203.0.113.7", &[Answer::json(body)]).await;
        assert_eq!(report(&outcome).verdict, verdict, "{score}");
    }
}

#[tokio::test]
async fn abuseipdb_asks_again_without_reports_when_they_are_too_many() {
    let huge = Answer::json(vec![b' '; BODY_CAP + 1]);
    let (seen, outcome) = sent(
        "abuseipdb",
        T::Ip,
        "203.0.113.7",
        &[huge, answer("abuseipdb/found.json")],
    )
    .await;
    assert!(matches!(outcome, Outcome::Found(_)), "{outcome:?}");
    let targets: Vec<&str> = seen.iter().map(|s| s.target.as_str()).collect();
    assert_eq!(
        targets,
        [
            "/api/v2/check?ipAddress=203.0.113.7&maxAgeInDays=90&verbose=true",
            "/api/v2/check?ipAddress=203.0.113.7&maxAgeInDays=90",
        ]
    );
}

#[tokio::test]
async fn values_that_a_source_does_not_take_are_unsupported() {
    let cases = [
        (
            "abuseipdb",
            T::Cidr,
            "203.0.0.0/16",
            Answer::new(402, fixture("abuseipdb/too_wide.json")),
        ),
        (
            "abuseipdb",
            T::Ip,
            "203.0.113.7",
            Answer::new(422, "{\"errors\":[]}"),
        ),
        (
            "ipinfo",
            T::Ip,
            "203.0.113.7",
            Answer::new(404, fixture("ipinfo/wrong_ip.json")),
        ),
        (
            "malwarebazaar",
            T::Md5,
            MD5,
            answer("malwarebazaar/illegal.json"),
        ),
        (
            "threatfox",
            T::Url,
            "http://evil.example.com/a",
            answer("threatfox/illegal.json"),
        ),
        (
            "urlhaus",
            T::Url,
            "http://evil.example.com/a",
            answer("urlhaus/illegal.json"),
        ),
    ];
    for (name, kind, value, answer) in cases {
        let (_, outcome) = sent(name, kind, value, &[answer]).await;
        assert!(
            matches!(could_not(&outcome), CouldNot::Unsupported { .. }),
            "{name}: {outcome:?}"
        );
    }
}

#[tokio::test]
async fn circlpdns() {
    let r = found("circlpdns", T::Domain, "example.com", "found.ndjson").await;
    assert_eq!(r.verdict, Verdict::Unknown);
    assert_eq!(
        rows(&r)[0],
        [
            "2023-11-14T22:13:20Z",
            "2026-11-18T11:06:40Z",
            "MX",
            "example.com",
            "10 mail.example.com, 20 backup.example.com",
            "4",
        ]
    );
    assert_eq!(
        (cell(&r, 1, "Type"), cell(&r, 2, "Type")),
        ("A".into(), "NS".into())
    );
    assert_eq!(r.source_date.as_deref(), Some("2026-11-18T11:06:40Z"));
    let many: String = (0..120)
        .map(|n| format!("{{\"rrtype\":\"A\",\"rrname\":\"a{n}.example\",\"rdata\":\"203.0.113.7\",\"time_first\":1,\"time_last\":{n}}}\n"))
        .collect();
    let (_, outcome) = sent("circlpdns", T::Ip, "203.0.113.7", &[Answer::json(many)]).await;
    let r = report(&outcome);
    assert_eq!(
        (r.table.rows.len(), r.total_rows, cell(r, 0, "Name")),
        (50, Some(120), "a119.example".into())
    );
}

#[tokio::test]
async fn crtsh() {
    let r = found("crtsh", T::Domain, "example.com", "found.json").await;
    assert_eq!(
        (r.verdict, r.source_url.as_str()),
        (Verdict::Unknown, "https://crt.sh/?q=example.com")
    );
    assert_eq!(
        r.table.rows.len(),
        2,
        "certificate and precertificate are one"
    );
    assert_eq!(cell(&r, 0, "Common name"), "vpn.example.com");
    assert_eq!(cell(&r, 1, "Names"), "example.com, www.example.com");
    assert_eq!(r.source_date.as_deref(), Some("2026-09-01T10:00:00.5Z"));
    assert_eq!(r.total_rows, None);

    let huge = Answer::json(vec![b' '; BODY_CAP + 1]);
    let (seen, outcome) = sent(
        "crtsh",
        T::Domain,
        "example.com",
        &[huge, answer("crtsh/found.json")],
    )
    .await;
    assert_eq!(
        seen[1].target,
        "/?q=example.com&output=json&exclude=expired&deduplicate=Y"
    );
    assert!(report(&outcome).verdict_basis.contains("not expired"));
}

#[tokio::test]
async fn ipinfo() {
    let r = found("ipinfo", T::Ip, "203.0.113.7", "found.json").await;
    assert_eq!(r.verdict, Verdict::Unknown);
    assert_eq!(
        rows(&r)[0],
        [
            "203.0.113.7",
            "a7.hosting.example",
            "Amsterdam",
            "North Holland",
            "NL",
            "52.3740,4.8897",
            "AS64500 Example Hosting B.V.",
            "1012",
            "Europe/Amsterdam",
            "anycast: answered from many places",
        ]
    );
    let r = found("ipinfo", T::Ip, "203.0.113.7", "bogon.json").await;
    assert_eq!(
        (r.verdict_basis.as_str(), cell(&r, 0, "City").as_str()),
        ("bogon", "")
    );
    assert!(cell(&r, 0, "Note").starts_with("bogon"));
}

#[tokio::test]
async fn malwarebazaar() {
    let r = found("malwarebazaar", T::Md5, MD5, "found.json").await;
    assert_eq!(
        (r.verdict, r.verdict_basis.as_str()),
        (Verdict::Malicious, "listed as a sample of ExampleBot")
    );
    assert_eq!(
        r.source_url,
        format!("https://bazaar.abuse.ch/sample/{SHA256}/")
    );
    assert_eq!(
        (cell(&r, 0, "Tags"), cell(&r, 0, "Size")),
        ("exe, ExampleBot".into(), "456704".into())
    );
    assert_eq!(r.source_date.as_deref(), Some("2026-05-26T15:00:34Z"));
}

#[tokio::test]
async fn threatfox() {
    let r = found("threatfox", T::Domain, "evil.example.com", "found.json").await;
    assert_eq!(
        (r.verdict, r.verdict_basis.as_str()),
        (
            Verdict::Malicious,
            "highest confidence_level 100 of 1 entries"
        )
    );
    assert_eq!(r.source_url, "https://threatfox.abuse.ch/ioc/1337/");
    assert_eq!(
        (cell(&r, 0, "Indicator"), cell(&r, 0, "Tags")),
        ("evil.example.com".into(), "ExampleBot, c2".into())
    );
    let r = found("threatfox", T::Sha256, SHA256, "found_hash.json").await;
    assert_eq!(
        (r.table.rows.len(), cell(&r, 0, "Indicator")),
        (2, "c2.example.net".into())
    );
}

#[tokio::test]
async fn threatfox_keeps_neighbours_out() {
    // The exact question finds nothing, since addresses are stored with ports; the other finds more
    // than was asked for.
    let answers = [
        answer("threatfox/not_found.json"),
        answer("threatfox/found_ip.json"),
    ];
    let (seen, outcome) = sent("threatfox", T::Ip, "203.0.113.7", &answers).await;
    let r = report(&outcome);
    assert_eq!(
        (seen.len(), r.table.rows.len(), cell(r, 0, "Indicator")),
        (2, 1, "203.0.113.7:443".into())
    );
    assert_eq!(
        (r.verdict, r.source_url.as_str()),
        (Verdict::Suspicious, "https://threatfox.abuse.ch/ioc/41/")
    );
    // A source that ignores exact_match does not make a hit of a neighbour.
    for (kind, value) in [
        (T::Ip, "203.0.113.1"),
        (T::Domain, "example.com"),
        (T::Url, "http://203.0.113.7/A.exe"),
    ] {
        let body = if kind == T::Domain {
            "threatfox/found.json"
        } else {
            "threatfox/found_ip.json"
        };
        let (_, outcome) = sent("threatfox", kind, value, &[answer(body)]).await;
        assert!(matches!(outcome, Outcome::NotFound), "{value}: {outcome:?}");
    }
    let (_, outcome) = sent(
        "threatfox",
        T::Url,
        "http://203.0.113.7/a.exe",
        &[answer("threatfox/found_ip.json")],
    )
    .await;
    assert_eq!(report(&outcome).table.rows.len(), 1);
    // A failure of the second question is a failure, not a miss.
    let answers = [answer("threatfox/not_found.json"), Answer::html(503)];
    let (_, outcome) = sent("threatfox", T::Ip, "203.0.113.7", &answers).await;
    assert_eq!(could_not(&outcome), upstream(503, ""));
}

#[tokio::test]
async fn urlhaus() {
    let r = found(
        "urlhaus",
        T::Url,
        "http://evil.example.com/a.exe",
        "url.json",
    )
    .await;
    assert_eq!(r.verdict, Verdict::Malicious);
    assert_eq!(
        r.verdict_basis,
        "listed, threat malware_download, url_status offline"
    );
    assert_eq!(r.source_url, "https://urlhaus.abuse.ch/url/105821/");
    assert_eq!(
        (
            r.table.rows.len(),
            cell(&r, 1, "File name"),
            cell(&r, 1, "Family")
        ),
        (2, "a.exe".into(), "ExampleBot".into())
    );

    let r = found("urlhaus", T::Domain, "evil.example.com", "host.json").await;
    assert_eq!((r.verdict, r.total_rows), (Verdict::Suspicious, Some(120)));
    assert_eq!(
        r.verdict_basis,
        "url_count 120, 1 online, spamhaus_dbl abused_legit_malware"
    );
    assert_eq!(cell(&r, 0, "URL"), "http://evil.example.com/new.exe");
    let r = found("urlhaus", T::Ip, "203.0.113.7", "host.json").await;
    assert_eq!(
        r.verdict,
        Verdict::Malicious,
        "an address that serves malware now"
    );
    let own = String::from_utf8(fixture("urlhaus/host.json"))
        .expect("text")
        .replace("abused_legit_malware", "botnet_cc_domain");
    let (_, outcome) = sent(
        "urlhaus",
        T::Domain,
        "evil.example.com",
        &[Answer::json(own)],
    )
    .await;
    assert_eq!(report(&outcome).verdict, Verdict::Malicious);

    let r = found("urlhaus", T::Sha256, SHA256, "payload.json").await;
    assert_eq!(
        (r.verdict, r.verdict_basis.as_str()),
        (
            Verdict::Malicious,
            "served by listed URLs, signature ExampleBot"
        )
    );
    assert_eq!(
        (r.table.rows.len(), cell(&r, 0, "URL")),
        (2, "http://bad.example.net/b.exe".into())
    );
    assert_eq!(
        r.source_url,
        format!("https://urlhaus.abuse.ch/browse.php?search={SHA256}")
    );
}

#[tokio::test]
async fn a_page_that_a_source_names_is_its_own_or_not_used() {
    for named in [
        "https://evil.example/",
        "javascript:alert(1)",
        "https://urlhaus.abuse.ch@evil.example/",
        "https://urlhaus.abuse.ch/?k=k3y:of-the-test-0123456789abcdef",
    ] {
        let body = serde_json::json!({ "query_status": "ok", "url_status": "online", "urlhaus_reference": named });
        let (_, outcome) = sent(
            "urlhaus",
            T::Url,
            "http://evil.example.com/a b",
            &[Answer::json(body.to_string())],
        )
        .await;
        let page = &report(&outcome).source_url;
        assert_eq!(
            page,
            "https://urlhaus.abuse.ch/browse.php?search=http%3A%2F%2Fevil.example.com%2Fa%20b",
            "{named}"
        );
    }
}
