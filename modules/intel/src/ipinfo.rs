//! IPinfo: where an address is and whose network it belongs to.
//!
//! `GET /<address>` with `accept: application/json`; a token, where there is one, as
//! `Authorization: Bearer` (<https://ipinfo.io/developers#authentication>), never in the URL. Without a
//! token the service answers at a lower limit. A wrong token is 403 `Unknown token`, an address that it
//! does not take 404 `Wrong ip`, a used-up quota 429.
//!
//! Special-use space comes back as `bogon: true`; that is an answer and is shown as one. The verdict is
//! always unknown: where an address is says nothing about what it does.

use crate::common::{
    self, ask, check_status, fill, flag, json, outcome, path_segment, report, text, unsupported,
    wrong_shape, wrong_type,
};
use kit::ports::{Fut, HttpRequest, HttpResponse};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, RateLimit, Verdict,
};
use secrecy::{ExposeSecret, SecretString};

/// The module.
pub struct IpInfo;

static SPEC: ModuleSpec = ModuleSpec {
    name: "ipinfo",
    types: &[IndicatorType::Ip, IndicatorType::Ipv6],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::Optional,
    secrets: &["ipinfo"],
    base_url: "https://ipinfo.io",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    // About 1,000 a day without a token, more with one: https://ipinfo.io/developers#rate-limits
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
    ttl_s: 86_400,
    help: Help {
        what: "Where an address is and whose network it belongs to: city, country, organisation, host name.",
        example: "8.8.8.8",
        get_key: "Works without; a free token from https://ipinfo.io/signup raises the limit.",
    },
};

/// The facts, as the source names them, and their column heads.
const FACTS: [(&str, &str); 8] = [
    ("hostname", "Hostname"),
    ("city", "City"),
    ("region", "Region"),
    ("country", "Country"),
    ("loc", "GPS coordinates"),
    ("org", "Organization"),
    ("postal", "Postal code"),
    ("timezone", "Timezone"),
];

impl Module for IpInfo {
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
    let key = common::optional_key(cx)?;
    let address = path_segment(subject.value());
    let mut request = HttpRequest::get(format!("{}/{address}", cx.base_url));
    if let Some(key) = &key {
        let bearer = SecretString::from(format!("Bearer {}", key.expose_secret()));
        request = request.secret_header("authorization", &bearer);
    }
    let response = ask(cx, request).await?;
    if response.status == 404 && is_wrong_ip(&response) {
        return Err(unsupported("the source does not take this address"));
    }
    check_status(&response, key.is_some(), true, cx.now_ms)?;
    read(&response, format!("https://ipinfo.io/{address}"))
}

fn is_wrong_ip(response: &HttpResponse) -> bool {
    let title = json(&response.body)
        .ok()
        .and_then(|v| v.get("error").map(|e| text(e, "title")));
    title.is_some_and(|t| t.eq_ignore_ascii_case("wrong ip"))
}

fn read(response: &HttpResponse, page: String) -> Result<Outcome, CouldNot> {
    let value = json(&response.body)?;
    let address = text(&value, "ip");
    if address.is_empty() {
        return Err(wrong_shape());
    }
    let bogon = flag(&value, "bogon");
    let facts: Vec<String> = FACTS.iter().map(|(field, _)| text(&value, field)).collect();
    if !bogon && facts.iter().all(String::is_empty) {
        return Ok(Outcome::NotFound);
    }
    let heads: Vec<&'static str> = std::iter::once("IP address")
        .chain(FACTS.iter().map(|(_, head)| *head))
        .chain(["Note"])
        .collect();
    let note = match (bogon, flag(&value, "anycast")) {
        (true, _) => "bogon: not a public address",
        (false, true) => "anycast: answered from many places",
        (false, false) => "",
    };
    let mut out = report(&heads, &response.body, page);
    out.verdict = Verdict::Unknown;
    out.verdict_basis = if bogon {
        "bogon"
    } else {
        "location and network only, no judgement"
    }
    .into();
    fill(
        &mut out,
        vec![
            std::iter::once(address)
                .chain(facts)
                .chain([note.to_owned()])
                .collect(),
        ],
    );
    Ok(Outcome::Found(out))
}
