//! `internetdb`: what Shodan's scanners last saw of an address. Keyless, IPv4 only, renewed weekly; free
//! for non-commercial use. <https://internetdb.shodan.io/>
//!
//! `GET /{ip}` gives `{"ip":…, "ports":[…], "hostnames":[…], "cpes":[…], "tags":[…], "vulns":[…]}`, or 404
//! with `{"detail":"No information available"}` for an address that the scanners have not seen answering.

use crate::common::{
    ask, check_status, json, outcome, path_segment, report, wrong_shape, wrong_type,
};
use kit::ports::{Fut, HttpRequest, HttpResponse};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, RateLimit, Verdict,
};
use serde_json::Value;

/// Items of one list that are shown; the rest is counted and stands in the raw answer.
const MAX_ITEMS: usize = 40;

/// Tags that Shodan's crawlers give to a host because of what it runs or what was done to it: command
/// and control servers and malware that answered as such, and hosts that were taken over. All others
/// (`cloud`, `cdn`, `vpn`, `honeypot`, `self-signed`, `eol-product`, …) describe, and accuse nobody.
const SUSPICIOUS_TAGS: [&str; 6] = [
    "c2",
    "malware",
    "compromised",
    "doublepulsar",
    "botnet",
    "ransomware",
];

/// The module.
pub struct InternetDb;

static SPEC: ModuleSpec = ModuleSpec {
    name: "internetdb",
    types: &[IndicatorType::Ip],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::None,
    secrets: &[],
    base_url: "https://internetdb.shodan.io",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    rate: &[RateLimit {
        calls: 60,
        per_s: 60,
    }],
    ttl_s: 86_400,
    help: Help {
        what: "Open ports, host names, software, tags and version-based vulnerabilities from Shodan's weekly scan.",
        example: "8.8.8.8",
        get_key: "",
    },
};

impl Module for InternetDb {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move { outcome(look_up(subject, cx).await) })
    }
}

async fn look_up(subject: &Indicator, cx: &Context<'_>) -> Result<Outcome, CouldNot> {
    if subject.kind() != IndicatorType::Ip {
        return Err(wrong_type(subject));
    }
    let url = format!("{}/{}", cx.base_url, path_segment(subject.value()));
    let response = ask(cx, HttpRequest::get(url.clone())).await?;
    read(&response, subject.value(), url, cx.now_ms)
}

fn read(
    response: &HttpResponse,
    asked: &str,
    url: String,
    now_ms: i64,
) -> Result<Outcome, CouldNot> {
    if response.status == 404 {
        // A proxy's or a wrong base URL's 404 is not the source's "no information".
        if json(&response.body).is_ok_and(|v| v.get("detail").is_some_and(Value::is_string)) {
            return Ok(Outcome::NotFound);
        }
    }
    check_status(response, false, false, now_ms)?;
    let body = json(&response.body)?;
    let same = body.get("ip").and_then(Value::as_str) == Some(asked);
    if !same || !body.get("ports").is_some_and(Value::is_array) {
        return Err(wrong_shape());
    }
    let mut out = report(&["Field", "Value"], &response.body, url);
    for (field, label) in [
        ("ports", "Open ports"),
        ("hostnames", "Host names"),
        ("tags", "Tags"),
        ("cpes", "Software (CPE)"),
        ("vulns", "Vulnerabilities (by version, not tested)"),
    ] {
        let items = items(&body, field);
        let value = match items.len() {
            0 => "none".to_owned(),
            n if n > MAX_ITEMS => {
                format!(
                    "{} and {} more",
                    items.get(..MAX_ITEMS).unwrap_or_default().join(", "),
                    n - MAX_ITEMS
                )
            }
            _ => items.join(", "),
        };
        out.table.push([label.to_owned(), value]);
    }
    let found: Vec<String> = items(&body, "tags")
        .into_iter()
        .filter(|t| SUSPICIOUS_TAGS.iter().any(|s| t.eq_ignore_ascii_case(s)))
        .map(|t| t.to_ascii_lowercase())
        .collect();
    if found.is_empty() {
        out.verdict_basis = "no tag of malware or compromise".into();
    } else {
        out.verdict = Verdict::Suspicious;
        out.verdict_basis = format!("tags {}", found.join(", "));
    }
    Ok(Outcome::Found(out))
}

fn items(body: &Value, field: &str) -> Vec<String> {
    let list = body
        .get(field)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    list.iter()
        .map(crate::common::plain)
        .filter(|s| !s.is_empty())
        .collect()
}
