//! From an RDAP object (RFC 9083) to a table of two columns.

use crate::common::{objects, plain, text};
use jiff::Timestamp;
use kit::Report;
use kit::ports::HttpResponse;
use serde_json::Value;
use std::collections::HashSet;

/// Depth to which entities stand in entities (the abuse contact is inside the registrar).
const MAX_DEPTH: usize = 4;
/// Entities looked at, at most.
const MAX_ENTITIES: usize = 200;

/// Makes the report.
pub(super) fn report(body: &Value, response: &HttpResponse, url: String, now_ms: i64) -> Report {
    let mut rows: Vec<(&str, String)> = Vec::new();
    let mut add = |field: &'static str, value: String| {
        if !value.is_empty() {
            rows.push((field, value));
        }
    };
    add("Name", either(text(body, "ldhName"), text(body, "name")));
    let readable = text(body, "unicodeName");
    if !readable.eq_ignore_ascii_case(&text(body, "ldhName")) {
        add("Readable name", readable);
    }
    add("Handle", text(body, "handle"));
    add("Range", range(body, "startAddress", "endAddress", ""));
    add("CIDR", cidrs(body));
    add("AS numbers", range(body, "startAutnum", "endAutnum", "AS"));
    add("Type", text(body, "type"));
    add("Country", text(body, "country"));

    let mut parties = Vec::new();
    collect(body, 0, &mut parties);
    for (role, field) in [("registrar", "Registrar"), ("registrant", "Organisation")] {
        add(
            field,
            join(parties.iter().filter(|p| p.has(role)).map(Party::shown)),
        );
    }
    add(
        "Abuse contact",
        join(
            parties
                .iter()
                .filter(|p| p.has("abuse"))
                .map(Party::contact),
        ),
    );
    if !parties
        .iter()
        .any(|p| p.has("registrar") || p.has("registrant"))
    {
        add(
            "Contacts",
            join(parties.iter().filter(|p| !p.has("abuse")).map(Party::shown)),
        );
    }
    add("Status", join(strings(body, "status")));

    let mut source_date = None;
    for event in objects(body, "events") {
        let (action, date) = (text(event, "eventAction"), text(event, "eventDate"));
        let when = date.parse::<Timestamp>().ok();
        // RFC 9083, 10.2.3: the names of the events.
        match action.as_str() {
            "registration" => add("Created", dated(&date, when, now_ms)),
            "last changed" => add("Changed", dated(&date, when, now_ms)),
            "expiration" => add("Expires", dated(&date, when, now_ms)),
            "registrar expiration" => add("Expires at the registrar", dated(&date, when, now_ms)),
            "transfer" => add("Transferred", dated(&date, when, now_ms)),
            "last update of RDAP database" => source_date = when.map(|t| t.to_string()),
            _ => {}
        }
    }
    add(
        "Name servers",
        join(
            objects(body, "nameservers")
                .into_iter()
                .map(|n| text(n, "ldhName").to_ascii_lowercase()),
        ),
    );
    if let Some(dnssec) = body
        .get("secureDNS")
        .and_then(|s| s.get("delegationSigned"))
        .and_then(Value::as_bool)
    {
        add(
            "DNSSEC",
            if dnssec { "signed" } else { "not signed" }.to_owned(),
        );
    }
    add("Parent", text(body, "parentHandle"));

    let mut out = crate::common::report(&["Field", "Value"], &response.body, url);
    for (field, value) in rows {
        out.table.push([field.to_owned(), value]);
    }
    out.verdict_basis = "registration facts, no judgement".into();
    out.source_date = source_date;
    out
}

fn either(first: String, second: String) -> String {
    if first.is_empty() { second } else { first }
}

/// Different non-empty values, in order, joined. All of them: a list that is cut here could leave a part
/// of a secret that runs over two of its values.
fn join(values: impl IntoIterator<Item = String>) -> String {
    let mut seen = HashSet::new();
    let mut out: Vec<String> = Vec::new();
    for value in values {
        if !value.is_empty() && seen.insert(value.clone()) {
            out.push(value);
        }
    }
    out.join(", ")
}

fn strings(value: &Value, field: &str) -> Vec<String> {
    match value.get(field) {
        Some(Value::Array(items)) => items.iter().map(plain).collect(),
        Some(one) => vec![plain(one)],
        None => Vec::new(),
    }
}

fn range(body: &Value, from: &str, to: &str, prefix: &str) -> String {
    let (from, to) = (text(body, from), text(body, to));
    match (from.is_empty(), to.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("{prefix}{from}"),
        (false, false) if from == to => format!("{prefix}{from}"),
        (false, false) => format!("{prefix}{from} – {prefix}{to}"),
    }
}

/// The `cidr0` extension of the address registries.
fn cidrs(body: &Value) -> String {
    join(objects(body, "cidr0_cidrs").into_iter().map(|c| {
        let net = either(text(c, "v4prefix"), text(c, "v6prefix"));
        let length = text(c, "length");
        if net.is_empty() || length.is_empty() {
            String::new()
        } else {
            format!("{net}/{length}")
        }
    }))
}

/// The date with its distance in days: a domain of yesterday is worth a second look.
fn dated(text: &str, when: Option<Timestamp>, now_ms: i64) -> String {
    let Some(when) = when else {
        return text.to_owned();
    };
    let days = now_ms.saturating_sub(when.as_millisecond()) / 86_400_000;
    match days {
        0 => format!("{when} (today)"),
        1 => format!("{when} (1 day ago)"),
        2.. => format!("{when} ({days} days ago)"),
        ..0 => format!("{when} (in {} days)", days.unsigned_abs()),
    }
}

/// One entity: its roles, and what its vCard says.
struct Party {
    roles: Vec<String>,
    name: String,
    handle: String,
    country: String,
    mail: String,
    phone: String,
    iana_id: String,
}

impl Party {
    fn has(&self, role: &str) -> bool {
        self.roles.iter().any(|r| r == role)
    }

    fn shown(&self) -> String {
        let mut out = if self.name.is_empty() {
            self.handle.clone()
        } else {
            self.name.clone()
        };
        if !self.iana_id.is_empty() {
            out.push_str(&format!(" (IANA {})", self.iana_id));
        }
        if !self.country.is_empty() && !out.is_empty() {
            out.push_str(&format!(" ({})", self.country));
        }
        out
    }

    fn contact(&self) -> String {
        let parts: Vec<&str> = [self.mail.as_str(), self.phone.as_str()]
            .into_iter()
            .filter(|s| !s.is_empty())
            .collect();
        if parts.is_empty() {
            self.shown()
        } else {
            parts.join(" ")
        }
    }
}

fn collect(value: &Value, depth: usize, out: &mut Vec<Party>) {
    if depth >= MAX_DEPTH {
        return;
    }
    for entity in objects(value, "entities") {
        if out.len() >= MAX_ENTITIES {
            return;
        }
        out.push(party(entity));
        collect(entity, depth + 1, out);
    }
}

fn party(entity: &Value) -> Party {
    let card = Card(
        entity
            .get("vcardArray")
            .and_then(|v| v.get(1))
            .and_then(Value::as_array),
    );
    let ids = objects(entity, "publicIds");
    let iana = ids
        .into_iter()
        .find(|p| text(p, "type").eq_ignore_ascii_case("IANA Registrar ID"));
    Party {
        roles: strings(entity, "roles")
            .into_iter()
            .map(|r| r.to_ascii_lowercase())
            .collect(),
        name: either(card.text("fn"), card.text("org")),
        handle: text(entity, "handle"),
        country: card.country(),
        mail: card.text("email"),
        phone: card.text("tel").trim_start_matches("tel:").to_owned(),
        iana_id: iana.map(|p| text(p, "identifier")).unwrap_or_default(),
    }
}

/// A jCard (RFC 7095): a list of `[name, parameters, type, value…]`.
struct Card<'a>(Option<&'a Vec<Value>>);

impl<'a> Card<'a> {
    fn property(&self, name: &str) -> Option<&'a [Value]> {
        self.0?
            .iter()
            .filter_map(Value::as_array)
            .map(Vec::as_slice)
            .find(|p| {
                p.first()
                    .and_then(Value::as_str)
                    .is_some_and(|n| n.eq_ignore_ascii_case(name))
            })
    }

    fn text(&self, name: &str) -> String {
        self.property(name)
            .and_then(|p| p.get(3))
            .map(plain)
            .unwrap_or_default()
            .trim()
            .to_owned()
    }

    /// The seventh part of the address, or the parameter `cc` (RFC 8605).
    fn country(&self) -> String {
        let Some(address) = self.property("adr") else {
            return String::new();
        };
        let code = address.get(1).map(|p| text(p, "cc")).unwrap_or_default();
        let part = address
            .get(3)
            .and_then(|v| v.get(6))
            .map(plain)
            .unwrap_or_default();
        either(code, part)
    }
}
