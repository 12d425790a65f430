//! URLhaus (abuse.ch): URLs that served malware, the hosts that served them, and what they served.
//!
//! `POST /v1/url/` (`url=`), `/v1/host/` (`host=`: domain or IPv4 address), `/v1/payload/` (`md5_hash=` or
//! `sha256_hash=`; SHA-1 is not taken), as forms, with the header `Auth-Key`
//! (<https://urlhaus-api.abuse.ch/#urlinfo>, `#hostinfo`, `#payloadinfo`). `query_status` is `ok`,
//! `no_results` or a complaint.
//!
//! Verdict:
//! * URL: listed means that it served malware: malicious, online or not;
//! * host: malicious when the Spamhaus DBL entry that the source shows names the domain itself
//!   (`botnet_cc_domain`, `malware_domain`, `phishing_domain`, `spammer_domain`), or, for an address, when
//!   a listed URL is online; else suspicious, since the rest are often abused file hosts and broken-into
//!   sites (`abused_legit_…`);
//! * payload: malicious with a `signature` (a named family), else suspicious.

use crate::abusech::{self, Said};
use crate::common::{
    self, date, fill, instant, number, objects, outcome, query_value, report, text, word,
    wrong_shape, wrong_type,
};
use kit::ports::{Fut, HttpRequest};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, Verdict,
};
use secrecy::SecretString;
use serde_json::Value;

/// The module.
pub struct UrlHaus;

static SPEC: ModuleSpec = ModuleSpec {
    name: "urlhaus",
    types: &[
        IndicatorType::Ip,
        IndicatorType::Domain,
        IndicatorType::Url,
        IndicatorType::Md5,
        IndicatorType::Sha256,
    ],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::Free,
    secrets: &["urlhaus", "abusech"],
    base_url: "https://urlhaus-api.abuse.ch",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    rate: abusech::RATE,
    ttl_s: 3_600,
    help: Help {
        what: "Whether a URL, host or file hash was seen in the distribution of malware: status, payloads, tags.",
        example: "http://evil.example.com/a.exe",
        get_key: abusech::GET_KEY,
    },
};

impl Module for UrlHaus {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move { outcome(look(subject, cx).await) })
    }
}

async fn look(subject: &Indicator, cx: &Context<'_>) -> Result<Outcome, CouldNot> {
    let (path, field) = match subject.kind() {
        IndicatorType::Url => ("url", "url"),
        IndicatorType::Domain | IndicatorType::Ip => ("host", "host"),
        IndicatorType::Md5 => ("payload", "md5_hash"),
        IndicatorType::Sha256 => ("payload", "sha256_hash"),
        _ => return Err(wrong_type(subject)),
    };
    let key = common::required_key(cx)?;
    let form = vec![(field.to_owned(), subject.value().to_owned())];
    let request = HttpRequest::post_form(format!("{}/v1/{path}/", cx.base_url), form);
    let Said::Data(value, response) = abusech::ask(cx, request, &key).await? else {
        return Ok(Outcome::NotFound);
    };
    match path {
        "url" => url(subject, &value, &response.body, &key),
        "host" => host(subject, &value, &response.body, &key),
        _ => payload(subject, &value, &response.body, &key),
    }
}

/// The page that the source names, when it is one of its own; else its search.
fn page(subject: &Indicator, value: &Value) -> String {
    let named = text(value, "urlhaus_reference");
    let own = named
        .strip_prefix("https://urlhaus.abuse.ch/")
        .is_some_and(|rest| {
            rest.len() < 300
                && rest
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"/-._".contains(&b))
        });
    if own {
        named
    } else {
        format!(
            "https://urlhaus.abuse.ch/browse.php?search={}",
            query_value(subject.value())
        )
    }
}

/// The objects of a newest first by this field.
fn newest<'a>(value: &'a Value, field: &str, by: &str) -> Vec<&'a Value> {
    let mut all = objects(value, field);
    all.sort_by_key(|v| std::cmp::Reverse(instant(&text(v, by))));
    all
}

fn url(
    subject: &Indicator,
    value: &Value,
    body: &[u8],
    key: &SecretString,
) -> Result<Outcome, CouldNot> {
    let (status, threat) = (text(value, "url_status"), text(value, "threat"));
    if status.is_empty() && threat.is_empty() {
        return Err(wrong_shape());
    }
    let mut out = report(
        &[
            "Added",
            "Status",
            "Threat",
            "Tags",
            "Reporter",
            "Payload first seen",
            "File name",
            "Type",
            "Family",
            "SHA-256",
        ],
        body,
        page(subject, value),
    );
    out.verdict = Verdict::Malicious;
    out.verdict_basis = basis(
        "listed",
        &[("threat", &threat), ("url_status", &status)],
        key,
    );
    out.source_date = date(&text(value, "date_added"));
    let head = [
        text(value, "date_added"),
        status,
        threat,
        text(value, "tags"),
        text(value, "reporter"),
    ];
    let payloads = newest(value, "payloads", "firstseen");
    let rows = if payloads.is_empty() {
        vec![head.to_vec()]
    } else {
        payloads
            .iter()
            .map(|p| {
                let served = [
                    "firstseen",
                    "filename",
                    "file_type",
                    "signature",
                    "response_sha256",
                ]
                .map(|f| text(p, f));
                head.iter().cloned().chain(served).collect()
            })
            .collect()
    };
    fill(&mut out, rows);
    Ok(Outcome::Found(out))
}

fn host(
    subject: &Indicator,
    value: &Value,
    body: &[u8],
    key: &SecretString,
) -> Result<Outcome, CouldNot> {
    if !value.get("urls").is_some_and(Value::is_array) {
        return Err(wrong_shape());
    }
    let urls = newest(value, "urls", "date_added");
    let count = number(value, "url_count")
        .unwrap_or(0)
        .max(u64::try_from(urls.len()).unwrap_or(0));
    if count == 0 {
        return Ok(Outcome::NotFound);
    }
    let online = urls
        .iter()
        .filter(|u| text(u, "url_status") == "online")
        .count();
    let dbl = value
        .get("blacklists")
        .map(|b| text(b, "spamhaus_dbl"))
        .unwrap_or_default();
    let own_domain = [
        "botnet_cc_domain",
        "malware_domain",
        "phishing_domain",
        "spammer_domain",
    ]
    .contains(&dbl.as_str());
    let mut out = report(
        &["Added", "Status", "Threat", "Tags", "Reporter", "URL"],
        body,
        page(subject, value),
    );
    out.verdict = if own_domain || (subject.kind() == IndicatorType::Ip && online > 0) {
        Verdict::Malicious
    } else {
        Verdict::Suspicious
    };
    out.verdict_basis = basis(
        &format!("url_count {count}, {online} online"),
        &[("spamhaus_dbl", &dbl)],
        key,
    );
    out.source_date = urls.first().and_then(|u| date(&text(u, "date_added")));
    let fields = [
        "date_added",
        "url_status",
        "threat",
        "tags",
        "reporter",
        "url",
    ];
    let lines: Vec<Vec<String>> = urls
        .iter()
        .map(|u| fields.iter().map(|f| text(u, f)).collect())
        .collect();
    // A count without URLs is still a hit.
    fill(
        &mut out,
        if lines.is_empty() {
            vec![vec![text(value, "firstseen")]]
        } else {
            lines
        },
    );
    // The source sends 100 URLs at most and counts them all.
    if count > u64::try_from(out.table.rows.len()).unwrap_or(0) {
        out.total_rows = Some(count);
    }
    Ok(Outcome::Found(out))
}

fn payload(
    subject: &Indicator,
    value: &Value,
    body: &[u8],
    key: &SecretString,
) -> Result<Outcome, CouldNot> {
    if text(value, "sha256_hash").is_empty() && text(value, "md5_hash").is_empty() {
        return Err(wrong_shape());
    }
    let signature = text(value, "signature");
    let mut out = report(
        &[
            "Added",
            "Status",
            "File name",
            "URL",
            "Type",
            "Size",
            "Family",
            "First seen",
            "Last seen",
            "SHA-256",
        ],
        body,
        page(subject, value),
    );
    out.verdict = if signature.is_empty() {
        Verdict::Suspicious
    } else {
        Verdict::Malicious
    };
    out.verdict_basis = basis("served by listed URLs", &[("signature", &signature)], key);
    out.source_date = date(&text(value, "lastseen")).or_else(|| date(&text(value, "firstseen")));
    let tail = [
        "file_type",
        "file_size",
        "signature",
        "firstseen",
        "lastseen",
        "sha256_hash",
    ]
    .map(|f| text(value, f));
    let urls = newest(value, "urls", "lastseen");
    let count = number(value, "url_count");
    let line = |u: &Value| -> Vec<String> {
        ["firstseen", "url_status", "filename", "url"]
            .iter()
            .map(|f| text(u, f))
            .chain(tail.iter().cloned())
            .collect()
    };
    let lines = if urls.is_empty() {
        vec![line(&Value::Null)]
    } else {
        urls.iter().map(|u| line(u)).collect()
    };
    fill(&mut out, lines);
    if let Some(count) =
        count.filter(|c| usize::try_from(*c).is_ok_and(|c| c > out.table.rows.len()))
    {
        out.total_rows = Some(count);
    }
    Ok(Outcome::Found(out))
}

/// What the verdict rests on: our words, and the source's where they are plain words.
fn basis(start: &str, fields: &[(&str, &str)], key: &SecretString) -> String {
    let mut basis = start.to_owned();
    for (name, value) in fields {
        let value = word(value, Some(key));
        if !value.is_empty() {
            basis.push_str(&format!(", {name} {value}"));
        }
    }
    basis
}
