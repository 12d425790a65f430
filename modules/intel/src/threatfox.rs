//! ThreatFox (abuse.ch): indicators that people tied to malware.
//!
//! `POST /api/v1/` with JSON and the header `Auth-Key` (<https://threatfox.abuse.ch/api/#search-ioc>,
//! `#search-hash`). `search_ioc` finds parts of strings unless `exact_match` is set; it is set here, and
//! rows about something else are left out whatever the source sends (`1.1.1.1` stands in `11.1.1.1:80`).
//! What is asked, until one question has an answer:
//! * address: `search_ioc` exact; then not exact, because the source stores addresses as `address:port`,
//!   which an exact search for the address cannot find; of its rows only those of this very address count;
//! * domain and URL: `search_ioc` exact; for a URL that ends with its host's slash also without the slash;
//! * MD5 and SHA-256: `search_hash` (indicators seen with this sample); then `search_ioc` exact (the hash
//!   itself as an indicator); SHA-1: `search_ioc` only, the other takes no SHA-1.
//!
//! Verdict from `confidence_level`: 75 and more malicious, less suspicious.

use crate::abusech::{self, Said};
use crate::common::{
    self, date, fill, instant, number, objects, outcome, query_value, report, text, wrong_shape,
    wrong_type,
};
use kit::ports::{Fut, HttpRequest};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, Verdict,
};
use serde_json::{Value, json};

/// The module.
pub struct ThreatFox;

static SPEC: ModuleSpec = ModuleSpec {
    name: "threatfox",
    types: &[
        IndicatorType::Ip,
        IndicatorType::Domain,
        IndicatorType::Url,
        IndicatorType::Md5,
        IndicatorType::Sha1,
        IndicatorType::Sha256,
    ],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::Free,
    secrets: &["threatfox", "abusech"],
    base_url: "https://threatfox-api.abuse.ch",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    rate: abusech::RATE,
    ttl_s: 3_600,
    help: Help {
        what: "Whether an address, domain, URL or hash is a known indicator of malware: family, threat, confidence.",
        example: "evil.example.com",
        get_key: abusech::GET_KEY,
    },
};

const MALICIOUS: u64 = 75;

impl Module for ThreatFox {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move { outcome(look(subject, cx).await) })
    }
}

/// One question: the body, and whether a row must be about the subject itself.
struct Question {
    body: Value,
    itself: bool,
}

fn exact(term: &str) -> Question {
    Question {
        body: json!({ "query": "search_ioc", "search_term": term, "exact_match": true }),
        itself: true,
    }
}

fn questions(subject: &Indicator) -> Vec<Question> {
    let value = subject.value();
    let mut all = match subject.kind() {
        IndicatorType::Md5 | IndicatorType::Sha256 => {
            vec![Question {
                body: json!({ "query": "search_hash", "hash": value }),
                itself: false,
            }]
        }
        _ => Vec::new(),
    };
    all.push(exact(value));
    match subject.kind() {
        IndicatorType::Ip => all.push(Question {
            body: json!({ "query": "search_ioc", "search_term": value, "exact_match": false }),
            itself: true,
        }),
        IndicatorType::Url => {
            // The canonical form always has the slash after the host; people report URLs without it.
            let bare = value
                .strip_suffix('/')
                .filter(|v| v.matches('/').count() == 2);
            all.extend(bare.map(exact));
        }
        _ => {}
    }
    all
}

async fn look(subject: &Indicator, cx: &Context<'_>) -> Result<Outcome, CouldNot> {
    if !SPEC.takes(subject.kind()) {
        return Err(wrong_type(subject));
    }
    let key = common::required_key(cx)?;
    for question in questions(subject) {
        let request = HttpRequest::post_json(
            format!("{}/api/v1/", cx.base_url),
            question.body.to_string(),
        );
        let Said::Data(value, response) = abusech::ask(cx, request, &key).await? else {
            continue;
        };
        let all = value
            .get("data")
            .and_then(Value::as_array)
            .ok_or_else(wrong_shape)?;
        let mut rows = objects(&value, "data");
        rows.retain(|r| !text(r, "ioc").is_empty());
        if rows.is_empty() && !all.is_empty() {
            return Err(wrong_shape());
        }
        if question.itself {
            rows.retain(|r| is_about(subject, r));
        }
        if !rows.is_empty() {
            return Ok(found(subject, rows, &response.body));
        }
    }
    Ok(Outcome::NotFound)
}

/// Whether a row is about the subject: the same text, the same URL in another spelling, or `address:port`.
fn is_about(subject: &Indicator, row: &Value) -> bool {
    let Some(ioc) = row.get("ioc").and_then(Value::as_str).map(str::trim) else {
        return false;
    };
    if ioc.eq_ignore_ascii_case(subject.value()) {
        // A path may differ in case only and be another URL.
        return subject.kind() != IndicatorType::Url
            || ioc == subject.value()
            || same_url(ioc, subject.value());
    }
    match subject.kind() {
        IndicatorType::Url => same_url(ioc, subject.value()),
        IndicatorType::Ip => ioc.rsplit_once(':').is_some_and(|(host, port)| {
            host == subject.value() && !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit())
        }),
        _ => false,
    }
}

fn same_url(ioc: &str, canonical: &str) -> bool {
    url::Url::parse(ioc).is_ok_and(|u| u.as_str() == canonical)
}

fn found(subject: &Indicator, mut rows: Vec<&Value>, body: &[u8]) -> Outcome {
    rows.sort_by_key(|r| std::cmp::Reverse(instant(&text(r, "first_seen"))));
    let id = rows
        .first()
        .map(|r| text(r, "id"))
        .filter(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()));
    let page = match id {
        Some(id) if rows.len() == 1 => format!("https://threatfox.abuse.ch/ioc/{id}/"),
        _ => format!(
            "https://threatfox.abuse.ch/browse.php?search=ioc%3A{}",
            query_value(subject.value())
        ),
    };
    let mut out = report(
        &[
            "First seen",
            "Last seen",
            "Indicator",
            "Malware",
            "Threat",
            "Confidence",
            "Tags",
            "Reporter",
            "Compromised",
            "Id",
        ],
        body,
        page,
    );
    let confidence = rows
        .iter()
        .filter_map(|r| number(r, "confidence_level"))
        .max();
    out.verdict = match confidence {
        Some(MALICIOUS..) => Verdict::Malicious,
        _ => Verdict::Suspicious,
    };
    out.verdict_basis = match confidence {
        Some(level) => format!("highest confidence_level {level} of {} entries", rows.len()),
        None => format!("{} entries without confidence_level", rows.len()),
    };
    out.source_date = rows.first().and_then(|r| date(&text(r, "first_seen")));
    fill(
        &mut out,
        rows.iter()
            .map(|r| {
                let malware = text(r, "malware_printable");
                let threat = text(r, "threat_type_desc");
                vec![
                    text(r, "first_seen"),
                    text(r, "last_seen"),
                    text(r, "ioc"),
                    if malware.is_empty() {
                        text(r, "malware")
                    } else {
                        malware
                    },
                    if threat.is_empty() {
                        text(r, "threat_type")
                    } else {
                        threat
                    },
                    text(r, "confidence_level"),
                    text(r, "tags"),
                    text(r, "reporter"),
                    text(r, "is_compromised"),
                    text(r, "id"),
                ]
            })
            .collect(),
    );
    Outcome::Found(out)
}
