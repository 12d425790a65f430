//! What each module sends: method, path, body, and the key in its header and nowhere else.

use super::*;

/// The key went out in this header and nowhere else.
fn keyed(seen: &Seen, header: &str, value: &str) {
    assert_eq!(seen.header(header), Some(value), "{}", seen.target);
    let raw = String::from_utf8_lossy(&seen.raw).into_owned();
    assert_eq!(raw.matches(value).count(), 1, "{raw}");
    assert!(!seen.target.contains(KEY), "{}", seen.target);
    assert!(
        seen.header("accept")
            .is_some_and(|a| a.contains("application/json"))
    );
}

#[tokio::test]
async fn abuseipdb() {
    let (seen, _) = sent(
        "abuseipdb",
        T::Ipv6,
        "2001:db8::7",
        &[answer("abuseipdb/found.json")],
    )
    .await;
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].method, "GET");
    assert_eq!(
        seen[0].target,
        "/api/v2/check?ipAddress=2001%3Adb8%3A%3A7&maxAgeInDays=90&verbose=true"
    );
    keyed(&seen[0], "key", KEY);
    let (seen, _) = sent(
        "abuseipdb",
        T::Cidr,
        "203.0.113.0/24",
        &[answer("abuseipdb/block.json")],
    )
    .await;
    assert_eq!(
        seen[0].target,
        "/api/v2/check-block?network=203.0.113.0%2F24&maxAgeInDays=90"
    );
    keyed(&seen[0], "key", KEY);
}

#[tokio::test]
async fn circlpdns() {
    for (kind, value) in [
        (T::Domain, "example.com"),
        (T::Ip, "203.0.113.7"),
        (T::Ipv6, "2001:db8::7"),
    ] {
        let (seen, _) = sent(
            "circlpdns",
            kind,
            value,
            &[answer("circlpdns/found.ndjson")],
        )
        .await;
        assert_eq!((seen.len(), seen[0].method.as_str()), (1, "GET"));
        assert_eq!(seen[0].target, format!("/pdns/query/{value}"));
        keyed(&seen[0], "authorization", BASIC);
        assert_eq!(
            seen[0].header("dribble-disable-active-query"),
            Some("1"),
            "the target must not be asked"
        );
    }
}

#[tokio::test]
async fn crtsh() {
    let (seen, _) = sent(
        "crtsh",
        T::Domain,
        "xn--bcher-kva.example",
        &[answer("crtsh/found.json")],
    )
    .await;
    assert_eq!((seen.len(), seen[0].method.as_str()), (1, "GET"));
    assert_eq!(seen[0].target, "/?q=xn--bcher-kva.example&output=json");
    assert!(
        !String::from_utf8_lossy(&seen[0].raw).contains(KEY),
        "a key for a source that takes none"
    );
}

#[tokio::test]
async fn ipinfo() {
    for (kind, value) in [(T::Ip, "203.0.113.7"), (T::Ipv6, "2001:db8::7")] {
        let (seen, _) = sent("ipinfo", kind, value, &[answer("ipinfo/found.json")]).await;
        assert_eq!((seen.len(), seen[0].method.as_str()), (1, "GET"));
        assert_eq!(seen[0].target, format!("/{value}"));
        keyed(&seen[0], "authorization", &format!("Bearer {KEY}"));
    }
}

#[tokio::test]
async fn malwarebazaar() {
    for (kind, value) in [(T::Md5, MD5), (T::Sha1, SHA1), (T::Sha256, SHA256)] {
        let (seen, _) = sent(
            "malwarebazaar",
            kind,
            value,
            &[answer("malwarebazaar/found.json")],
        )
        .await;
        assert_eq!(
            (seen.len(), seen[0].method.as_str(), seen[0].target.as_str()),
            (1, "POST", "/api/v1/")
        );
        assert_eq!(seen[0].text(), format!("query=get_info&hash={value}"));
        assert_eq!(
            seen[0].header("content-type"),
            Some("application/x-www-form-urlencoded")
        );
        keyed(&seen[0], "auth-key", KEY);
    }
}

#[tokio::test]
async fn threatfox() {
    let none = answer("threatfox/not_found.json");
    let exact = |v: &str| serde_json::json!({ "query": "search_ioc", "search_term": v, "exact_match": true });
    let loose = |v: &str| serde_json::json!({ "query": "search_ioc", "search_term": v, "exact_match": false });
    let hash = |v: &str| serde_json::json!({ "query": "search_hash", "hash": v });
    let host = "http://evil.example.com/";
    let cases = [
        (
            T::Domain,
            "evil.example.com",
            vec![exact("evil.example.com")],
        ),
        (
            T::Url,
            "http://evil.example.com/a/",
            vec![exact("http://evil.example.com/a/")],
        ),
        (
            T::Url,
            host,
            vec![exact(host), exact("http://evil.example.com")],
        ),
        (
            T::Ip,
            "203.0.113.7",
            vec![exact("203.0.113.7"), loose("203.0.113.7")],
        ),
        (T::Sha1, SHA1, vec![exact(SHA1)]),
        (T::Md5, MD5, vec![hash(MD5), exact(MD5)]),
        (T::Sha256, SHA256, vec![hash(SHA256), exact(SHA256)]),
    ];
    for (kind, value, bodies) in cases {
        let (seen, outcome) = sent("threatfox", kind, value, std::slice::from_ref(&none)).await;
        assert!(matches!(outcome, Outcome::NotFound), "{kind}: {outcome:?}");
        let got: Vec<serde_json::Value> = seen
            .iter()
            .map(|s| serde_json::from_slice(&s.body).expect("JSON"))
            .collect();
        assert_eq!(got, bodies, "{kind}");
        for one in &seen {
            assert_eq!(
                (one.method.as_str(), one.target.as_str()),
                ("POST", "/api/v1/")
            );
            assert_eq!(one.header("content-type"), Some("application/json"));
            keyed(one, "auth-key", KEY);
        }
    }
}

#[tokio::test]
async fn urlhaus() {
    let url = "http://evil.example.com/a.exe?x=1&y=ä";
    let cases = [
        (
            T::Url,
            url,
            "/v1/url/",
            "url=http%3A%2F%2Fevil.example.com%2Fa.exe%3Fx%3D1%26y%3D%C3%A4",
        ),
        (
            T::Domain,
            "evil.example.com",
            "/v1/host/",
            "host=evil.example.com",
        ),
        (T::Ip, "203.0.113.7", "/v1/host/", "host=203.0.113.7"),
        (
            T::Md5,
            MD5,
            "/v1/payload/",
            "md5_hash=0123456789abcdef0123456789abcdef",
        ),
        (
            T::Sha256,
            SHA256,
            "/v1/payload/",
            &format!("sha256_hash={SHA256}"),
        ),
    ];
    for (kind, value, path, body) in cases {
        let (seen, _) = sent("urlhaus", kind, value, &[answer("urlhaus/not_found.json")]).await;
        assert_eq!(
            (seen.len(), seen[0].method.as_str(), seen[0].target.as_str()),
            (1, "POST", path)
        );
        assert_eq!(seen[0].text(), body);
        keyed(&seen[0], "auth-key", KEY);
    }
}
