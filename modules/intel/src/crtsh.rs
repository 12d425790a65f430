//! crt.sh: certificates in the Certificate Transparency logs that name a domain.
//!
//! `GET /?q=<domain>&output=json` (<https://crt.sh/>): an array, one object for each logged certificate;
//! `[]` when there is none. The service is free, slow, and often answers 502 or 503 or a page of HTML.
//! A certificate and its precertificate are two entries with the same serial number and count once here.
//! Where all certificates are more than an answer may hold, those that have not expired are asked for
//! (`exclude=expired`, as the site's own advanced search sends it), and the outcome says so.
//!
//! The verdict is always unknown: that a certificate exists says nothing about its owner.

use crate::common::{
    TOO_LARGE, ask, check_status, date, fill, instant, json, objects_of, outcome, query_value,
    report, text, unreadable, wrong_shape, wrong_type,
};
use kit::ports::{Fut, HttpRequest, HttpResponse};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, RateLimit, Verdict,
};
use serde_json::Value;
use std::collections::HashSet;

/// The module.
pub struct CrtSh;

static SPEC: ModuleSpec = ModuleSpec {
    name: "crtsh",
    types: &[IndicatorType::Domain],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::None,
    secrets: &[],
    base_url: "https://crt.sh",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    // No figures are published; the service refuses many calls at once. Our own courtesy.
    rate: &[RateLimit {
        calls: 20,
        per_s: 60,
    }],
    ttl_s: 21_600,
    help: Help {
        what: "Certificates of the transparency logs that name a domain: names on them, issuer, validity.",
        example: "example.com",
        get_key: "",
    },
};

impl Module for CrtSh {
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
    let domain = query_value(subject.value());
    let url = format!("{}/?q={domain}&output=json", cx.base_url);
    let page = format!("https://crt.sh/?q={domain}");
    match get(cx, url.clone()).await {
        Err(why) if why == unreadable(TOO_LARGE) => {
            let response = get(cx, format!("{url}&exclude=expired&deduplicate=Y")).await?;
            read(
                &response,
                page,
                "certificates that have not expired, no judgement",
            )
        }
        response => read(&response?, page, "certificates only, no judgement"),
    }
}

async fn get(cx: &Context<'_>, url: String) -> Result<HttpResponse, CouldNot> {
    let response = ask(cx, HttpRequest::get(url)).await?;
    check_status(&response, false, false, cx.now_ms)?;
    Ok(response)
}

fn read(response: &HttpResponse, page: String, basis: &str) -> Result<Outcome, CouldNot> {
    let value = json(&response.body)?;
    let all = value.as_array().ok_or_else(wrong_shape)?;
    if all.is_empty() {
        return Ok(Outcome::NotFound);
    }
    let mut entries: Vec<&Value> = objects_of(&value)
        .into_iter()
        .filter(|e| !text(e, "name_value").is_empty() || !text(e, "common_name").is_empty())
        .collect();
    if entries.is_empty() {
        return Err(wrong_shape());
    }
    entries.sort_by_key(|e| std::cmp::Reverse(instant(&text(e, "entry_timestamp"))));
    let mut seen = HashSet::new();
    entries.retain(|e| {
        let serial = text(e, "serial_number");
        let identity = if serial.is_empty() {
            text(e, "id")
        } else {
            format!("{} {serial}", text(e, "issuer_name"))
        };
        identity.is_empty() || seen.insert(identity)
    });
    let mut out = report(
        &[
            "Logged",
            "Common name",
            "Names",
            "Issuer",
            "Valid from",
            "Valid to",
            "crt.sh id",
        ],
        &response.body,
        page,
    );
    out.verdict = Verdict::Unknown;
    out.verdict_basis = basis.into();
    out.source_date = entries
        .first()
        .and_then(|e| date(&text(e, "entry_timestamp")));
    fill(
        &mut out,
        entries
            .iter()
            .map(|e| {
                vec![
                    text(e, "entry_timestamp"),
                    text(e, "common_name"),
                    text(e, "name_value").lines().collect::<Vec<_>>().join(", "),
                    text(e, "issuer_name"),
                    text(e, "not_before"),
                    text(e, "not_after"),
                    text(e, "id"),
                ]
            })
            .collect(),
    );
    Ok(Outcome::Found(out))
}
