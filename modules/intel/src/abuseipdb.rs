//! AbuseIPDB: who reported an address, and how sure the source is that it is abusive.
//!
//! `GET /api/v2/check` for an address, `GET /api/v2/check-block` for a network, key in the header `Key`
//! (<https://docs.abuseipdb.com/#check-endpoint>, `#check-block-endpoint`). Reports of the last 90 days.
//!
//! Verdict of an address, from `abuseConfidenceScore` and `isWhitelisted`: 75 and more malicious (what the
//! source recommends for blocking), 25 to 74 suspicious, white-listed below 25 harmless, else unknown. Of
//! a network: suspicious when at least one of its addresses has 75 or more, else unknown; a neighbour's
//! deeds say nothing final about a network.
//! An address with no report, no score, no white-list entry and no Tor mark is one that the source does
//! not know.

use crate::common::{
    self, TOO_LARGE, ask, check_status, date, fill, flag, json, number, objects, outcome,
    path_segment, query_value, report, text, unreadable, unsupported, wrong_shape, wrong_type,
};
use kit::ports::{Fut, HttpRequest, HttpResponse};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, RateLimit, Verdict,
};
use secrecy::SecretString;
use serde_json::Value;
use std::collections::BTreeMap;

/// The module.
pub struct AbuseIpDb;

static SPEC: ModuleSpec = ModuleSpec {
    name: "abuseipdb",
    types: &[IndicatorType::Ip, IndicatorType::Ipv6, IndicatorType::Cidr],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::Free,
    secrets: &["abuseipdb"],
    base_url: "https://api.abuseipdb.com",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    // 1,000 checks a day on the free plan: https://docs.abuseipdb.com/#api-daily-rate-limits
    rate: &[
        RateLimit {
            calls: 60,
            per_s: 60,
        },
        RateLimit {
            calls: 1_000,
            per_s: 86_400,
        },
    ],
    ttl_s: 3_600,
    help: Help {
        what: "Abuse reports about an address or network: score, number of reports, what for, provider.",
        example: "203.0.113.7",
        get_key: "Make a free account at https://www.abuseipdb.com/register and create an APIv2 key.",
    },
};

const MAX_AGE_DAYS: u32 = 90;
const MALICIOUS: u64 = 75;
const SUSPICIOUS: u64 = 25;

impl Module for AbuseIpDb {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move { outcome(look(subject, cx).await) })
    }
}

async fn look(subject: &Indicator, cx: &Context<'_>) -> Result<Outcome, CouldNot> {
    let key = common::required_key(cx)?;
    let value = query_value(subject.value());
    match subject.kind() {
        IndicatorType::Ip | IndicatorType::Ipv6 => {
            let url = format!(
                "{}/api/v2/check?ipAddress={value}&maxAgeInDays={MAX_AGE_DAYS}",
                cx.base_url
            );
            let response = match get(cx, format!("{url}&verbose=true"), &key).await {
                // Up to 10,000 reports with their comments can be longer than any answer may be; the
                // figures alone never are.
                Err(why) if why == unreadable(TOO_LARGE) => get(cx, url, &key).await?,
                other => other?,
            };
            address(subject, &response)
        }
        IndicatorType::Cidr => {
            let url = format!(
                "{}/api/v2/check-block?network={value}&maxAgeInDays={MAX_AGE_DAYS}",
                cx.base_url
            );
            network(subject, &get(cx, url, &key).await?)
        }
        _ => Err(wrong_type(subject)),
    }
}

async fn get(cx: &Context<'_>, url: String, key: &SecretString) -> Result<HttpResponse, CouldNot> {
    let response = ask(cx, HttpRequest::get(url).secret_header("key", key)).await?;
    match response.status {
        402 => {
            return Err(unsupported(
                "the network is wider than the key's plan allows",
            ));
        }
        422 => return Err(unsupported("the source does not take this value")),
        _ => {}
    }
    check_status(&response, true, true, cx.now_ms)?;
    Ok(response)
}

fn address(subject: &Indicator, response: &HttpResponse) -> Result<Outcome, CouldNot> {
    let value = json(&response.body)?;
    let data = value
        .get("data")
        .filter(|d| d.is_object())
        .ok_or_else(wrong_shape)?;
    let score = number(data, "abuseConfidenceScore").ok_or_else(wrong_shape)?;
    let reports = number(data, "totalReports").ok_or_else(wrong_shape)?;
    let (listed, tor) = (flag(data, "isWhitelisted"), flag(data, "isTor"));
    if reports == 0 && score == 0 && !listed && !tor {
        return Ok(Outcome::NotFound);
    }
    let page = format!(
        "https://www.abuseipdb.com/check/{}",
        path_segment(subject.value())
    );
    let mut out = report(
        &[
            "IP address",
            "Abuse score",
            "Reports",
            "Reporters",
            "Last reported",
            "Reported for",
            "Country",
            "ISP",
            "Usage",
            "Domain",
            "Hostnames",
            "Tor",
            "Whitelisted",
        ],
        &response.body,
        page,
    );
    let yes_no = |b: bool| if b { "yes" } else { "no" }.to_owned();
    fill(
        &mut out,
        vec![vec![
            text(data, "ipAddress"),
            format!("{score} %"),
            reports.to_string(),
            text(data, "numDistinctUsers"),
            text(data, "lastReportedAt"),
            categories(data),
            text(data, "countryCode"),
            text(data, "isp"),
            text(data, "usageType"),
            text(data, "domain"),
            text(data, "hostnames"),
            yes_no(tor),
            yes_no(listed),
        ]],
    );
    out.verdict = match score {
        MALICIOUS.. => Verdict::Malicious,
        SUSPICIOUS..MALICIOUS => Verdict::Suspicious,
        _ if listed => Verdict::Harmless,
        _ => Verdict::Unknown,
    };
    out.verdict_basis = format!("abuseConfidenceScore {score}");
    if listed {
        out.verdict_basis.push_str(", isWhitelisted");
    }
    out.source_date = date(&text(data, "lastReportedAt"));
    Ok(Outcome::Found(out))
}

fn network(subject: &Indicator, response: &HttpResponse) -> Result<Outcome, CouldNot> {
    let value = json(&response.body)?;
    let data = value
        .get("data")
        .filter(|d| d.is_object())
        .ok_or_else(wrong_shape)?;
    if !data.get("reportedAddress").is_some_and(Value::is_array) {
        return Err(wrong_shape());
    }
    let mut reported = objects(data, "reportedAddress");
    if reported.is_empty() {
        return Ok(Outcome::NotFound);
    }
    reported.sort_by_key(|r| std::cmp::Reverse(common::instant(&text(r, "mostRecentReport"))));
    let page = format!("https://www.abuseipdb.com/check-block/{}", subject.value());
    let mut out = report(
        &[
            "Reported address",
            "Abuse score",
            "Reports",
            "Last reported",
            "Country",
            "Network",
            "Possible hosts",
            "Usage",
        ],
        &response.body,
        page,
    );
    let (network, hosts, usage) = (
        text(data, "networkAddress"),
        text(data, "numPossibleHosts"),
        text(data, "addressSpaceDesc"),
    );
    let highest = reported
        .iter()
        .filter_map(|r| number(r, "abuseConfidenceScore"))
        .max()
        .unwrap_or(0);
    out.source_date = reported
        .first()
        .and_then(|r| date(&text(r, "mostRecentReport")));
    out.verdict = if highest >= MALICIOUS {
        Verdict::Suspicious
    } else {
        Verdict::Unknown
    };
    out.verdict_basis = format!(
        "{} reported addresses, highest abuseConfidenceScore {highest}",
        reported.len()
    );
    fill(
        &mut out,
        reported
            .iter()
            .map(|r| {
                vec![
                    text(r, "ipAddress"),
                    format!("{} %", text(r, "abuseConfidenceScore")),
                    text(r, "numReports"),
                    text(r, "mostRecentReport"),
                    text(r, "countryCode"),
                    network.clone(),
                    hosts.clone(),
                    usage.clone(),
                ]
            })
            .collect(),
    );
    Ok(Outcome::Found(out))
}

/// What the reports are about, commonest first, with how many reports say so.
fn categories(data: &Value) -> String {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for one in objects(data, "reports") {
        for id in one
            .get("categories")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
        {
            *counts.entry(id).or_default() += 1;
        }
    }
    let mut counts: Vec<(u64, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(id, n)| (std::cmp::Reverse(*n), *id));
    let parts: Vec<String> = counts
        .into_iter()
        .take(12)
        .map(|(id, n)| match category(id) {
            Some(name) => format!("{name} ({n})"),
            None => format!("category {id} ({n})"),
        })
        .collect();
    parts.join(", ")
}

/// <https://www.abuseipdb.com/categories>
const fn category(id: u64) -> Option<&'static str> {
    Some(match id {
        1 => "DNS Compromise",
        2 => "DNS Poisoning",
        3 => "Fraud Orders",
        4 => "DDoS Attack",
        5 => "FTP Brute-Force",
        6 => "Ping of Death",
        7 => "Phishing",
        8 => "Fraud VoIP",
        9 => "Open Proxy",
        10 => "Web Spam",
        11 => "Email Spam",
        12 => "Blog Spam",
        13 => "VPN IP",
        14 => "Port Scan",
        15 => "Hacking",
        16 => "SQL Injection",
        17 => "Spoofing",
        18 => "Brute-Force",
        19 => "Bad Web Bot",
        20 => "Exploited Host",
        21 => "Web App Attack",
        22 => "SSH",
        23 => "IoT Targeted",
        _ => return None,
    })
}
