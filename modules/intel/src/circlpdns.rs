//! CIRCL Passive DNS: what names an address had and what addresses a name had, and when.
//!
//! `GET /pdns/query/<value>` with HTTP basic authentication; one JSON object a line in the Common Output
//! Format (<https://www.circl.lu/services/passive-dns/>, draft-dulaunoy-dnsop-passive-dns-cof). Networks
//! are not supported there. Since version 2 the service resolves the name itself unless the header
//! `dribble-disable-active-query` is set (PyPDNS, `disable_active_query`); it is always set here, since
//! otherwise the target's name servers would see the question.
//!
//! 404, and 200 without a line, mean that there is no record. The verdict is always unknown: the source
//! gives facts and no judgement.

use crate::common::{
    self, ask, check_status, epoch, fill, instant, json, number, outcome, path_segment, plain,
    report, text, unreadable, wrong_shape, wrong_type,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kit::ports::{Fut, HttpRequest, HttpResponse};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, RateLimit, Verdict,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// The module.
pub struct CirclPdns;

static SPEC: ModuleSpec = ModuleSpec {
    name: "circlpdns",
    types: &[
        IndicatorType::Ip,
        IndicatorType::Ipv6,
        IndicatorType::Domain,
    ],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::Free,
    secrets: &["circlpdns"],
    base_url: "https://www.circl.lu",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    // No figures are published; accounts are for reasonable use. One a second is our own courtesy.
    rate: &[RateLimit {
        calls: 60,
        per_s: 60,
    }],
    ttl_s: 3_600,
    help: Help {
        what: "Historical DNS records of a domain or address, with the times when they were first and last seen.",
        example: "example.com",
        get_key: "Ask CIRCL for an account (https://www.circl.lu/services/passive-dns/); the secret is USER:PASSWORD.",
    },
};

impl Module for CirclPdns {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move { outcome(look(subject, cx).await) })
    }
}

async fn look(subject: &Indicator, cx: &Context<'_>) -> Result<Outcome, CouldNot> {
    if !SPEC.takes(subject.kind()) {
        return Err(wrong_type(subject));
    }
    let key = common::required_key(cx)?;
    if !key.expose_secret().contains(':') {
        return Err(CouldNot::BadKey);
    }
    let basic = SecretString::from(format!("Basic {}", STANDARD.encode(key.expose_secret())));
    let path = format!("/pdns/query/{}", path_segment(subject.value()));
    let request = HttpRequest::get(format!("{}{path}", cx.base_url))
        .header("accept", "application/x-ndjson, application/json")
        .header("dribble-disable-active-query", "1")
        .secret_header("authorization", &basic);
    let response = ask(cx, request).await?;
    if response.status == 404 {
        return Ok(Outcome::NotFound);
    }
    check_status(&response, true, true, cx.now_ms)?;
    read(&response, format!("{}{path}", SPEC.base_url))
}

fn read(response: &HttpResponse, page: String) -> Result<Outcome, CouldNot> {
    let mut records = records(&response.body)?;
    if records.is_empty() {
        return Ok(Outcome::NotFound);
    }
    records.sort_by_key(|r| std::cmp::Reverse(seconds(r, "time_last")));
    let mut out = report(
        &["First seen", "Last seen", "Type", "Name", "Data", "Count"],
        &response.body,
        page,
    );
    out.verdict = Verdict::Unknown;
    out.verdict_basis = "records only, no judgement".into();
    out.source_date = records.first().and_then(|r| time(r, "time_last"));
    fill(
        &mut out,
        records
            .iter()
            .map(|r| {
                vec![
                    time(r, "time_first").unwrap_or_default(),
                    time(r, "time_last").unwrap_or_default(),
                    text(r, "rrtype"),
                    text(r, "rrname"),
                    text(r, "rdata"),
                    text(r, "count"),
                ]
            })
            .collect(),
    );
    Ok(Outcome::Found(out))
}

/// The records of an answer; each is an object with a name and data.
fn records(body: &[u8]) -> Result<Vec<Value>, CouldNot> {
    let body = body.trim_ascii();
    match body.first() {
        None => return Ok(Vec::new()),
        // One array instead of lines.
        Some(b'[') => {
            return json(body).and_then(|all| sound(all.as_array().cloned().unwrap_or_default()));
        }
        Some(b'<') => return Err(unreadable("HTML instead of JSON")),
        Some(_) => {}
    }
    let lines: Vec<&[u8]> = body
        .split(|b| *b == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|l| !l.is_empty())
        .collect();
    let parsed: Result<Vec<Value>, CouldNot> = lines.iter().map(|line| json(line)).collect();
    sound(parsed?)
}

/// One unreadable record makes the whole answer unreadable: what is left out could be what matters.
fn sound(records: Vec<Value>) -> Result<Vec<Value>, CouldNot> {
    let whole = |r: &Value| {
        ["rrname", "rdata"]
            .iter()
            .all(|f| r.get(*f).is_some_and(|v| !plain(v).is_empty()))
    };
    if records.iter().all(whole) {
        Ok(records)
    } else {
        Err(wrong_shape())
    }
}

fn seconds(record: &Value, field: &str) -> u64 {
    number(record, field)
        .or_else(|| instant(&text(record, field)).and_then(|t| u64::try_from(t.as_second()).ok()))
        .unwrap_or(0)
}

fn time(record: &Value, field: &str) -> Option<String> {
    epoch(record, field).or_else(|| common::date(&text(record, field)))
}
