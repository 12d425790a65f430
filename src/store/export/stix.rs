//! A STIX 2.1 bundle (OASIS, stix-v2.1-os) of the indicators that the case looked at.
//!
//! Identifiers are UUIDv5, so that the same export has the same ids every time: of observables as
//! section 2.9 of the standard lays down, of the rest in a name space of this program with the case. What
//! no object type of the standard expresses, and what is TLP:RED, stays out; the grouping says how many.

use super::markdown::verdicts;
use super::{Whole, screen_str};
use crate::store::StoreError;
use kit::indicator::{Indicator, IndicatorType as T};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

/// The name space of the standard for deterministic identifiers of observables (section 2.9).
const OBSERVABLES: Uuid = Uuid::from_u128(0x00ab_edb4_aa42_466c_9c01_fed2_3315_a9b7);
/// The name space of this program, drawn once at random.
const OURS: Uuid = Uuid::from_u128(0x7d0c_52e4_3b1f_4a86_9d57_c1f0_8e6a_2b93);

pub(crate) fn render(whole: &Whole) -> Result<String, StoreError> {
    let (created, modified) = (
        stamp(whole.summary.created_ms),
        stamp(whole.summary.last_ms),
    );
    let verdicts = verdicts(&whole.state);
    let mut objects: Vec<Value> = Vec::new();
    let mut left_out = 0_u32;
    for (indicator, authorized) in &whole.state.authorized {
        if whole.state.is_red(indicator) {
            left_out += 1;
            continue;
        }
        let first = whole
            .state
            .turn(authorized.turn)
            .map_or(whole.summary.created_ms, |t| t.at_ms);
        let said = verdicts.get(indicator).cloned().unwrap_or_default();
        let common = Common {
            case: whole.summary.id.as_str(),
            created: &created,
            modified: &modified,
            valid_from: stamp(first),
            said,
        };
        let Some(made) = express(indicator, &common) else {
            left_out += 1;
            continue;
        };
        objects.extend(made);
    }
    left_out += u32::try_from(
        whole
            .state
            .red
            .iter()
            .filter(|r| !whole.state.authorized.contains_key(*r))
            .count(),
    )
    .unwrap_or(u32::MAX);
    let refs: Vec<String> = objects
        .iter()
        .filter_map(|o| o.get("id")?.as_str().map(str::to_owned))
        .collect();
    if !refs.is_empty() {
        let description = match left_out {
            0 => "Indicators looked at in one case.".to_owned(),
            n => format!(
                "Indicators looked at in one case. {n} more are left out: TLP:RED, or of a type that STIX does not express."
            ),
        };
        objects.push(json!({
            "type": "grouping", "spec_version": "2.1",
            "id": ours("grouping", whole.summary.id.as_str()),
            "created": created, "modified": modified,
            "name": screen_str(&whole.summary.title),
            "description": description,
            "context": "unspecified",
            "object_refs": refs,
        }));
    }
    let mut bundle = json!({ "type": "bundle", "id": ours("bundle", whole.summary.id.as_str()) });
    // The standard wants no empty list.
    if !objects.is_empty() {
        bundle["objects"] = Value::Array(objects);
    }
    let mut text = serde_json::to_string_pretty(&bundle)
        .map_err(|e| StoreError::Other(format!("the export cannot be written: {e}")))?;
    text.push('\n');
    Ok(text)
}

struct Common<'a> {
    case: &'a str,
    created: &'a str,
    modified: &'a str,
    valid_from: String,
    /// `tool: verdict`, one a source.
    said: BTreeSet<String>,
}

impl Common<'_> {
    /// The id holds the case: an object keeps the time of its creation for ever, and two cases have two.
    fn id(&self, kind: &str, indicator: &Indicator) -> String {
        let (what, value) = (indicator.kind().name(), indicator.value());
        ours(kind, &format!("{}|{what}|{value}", self.case))
    }
}

fn stamp(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms)
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .strftime("%Y-%m-%dT%H:%M:%S.%3fZ")
        .to_string()
}

fn ours(kind: &str, name: &str) -> String {
    let id = Uuid::new_v5(&OURS, format!("{kind}|{name}").as_bytes());
    format!("{kind}--{id}")
}

/// The observable and the pattern of an indicator, or the object that stands for it by itself.
fn express(indicator: &Indicator, common: &Common<'_>) -> Option<Vec<Value>> {
    let value = indicator.value();
    match indicator.kind() {
        T::Cve => {
            return Some(vec![json!({
                "type": "vulnerability", "spec_version": "2.1", "id": common.id("vulnerability", indicator),
                "created": common.created, "modified": common.modified, "name": value,
                "external_references": [{ "source_name": "cve", "external_id": value }],
            })]);
        }
        T::Attack => {
            return Some(vec![json!({
                "type": "attack-pattern", "spec_version": "2.1", "id": common.id("attack-pattern", indicator),
                "created": common.created, "modified": common.modified, "name": value,
                "external_references": [{ "source_name": "mitre-attack", "external_id": value }],
            })]);
        }
        _ => {}
    }
    let (kind, property, content) = observable(indicator)?;
    let quoted = value.replace('\\', "\\\\").replace('\'', "\\'");
    let pattern = match indicator.kind() {
        T::Cidr => format!("[{kind}:value ISSUBSET '{quoted}']"),
        T::Asn => format!("[autonomous-system:number = {}]", value.get(2..)?),
        _ => match content.as_object().and_then(|h| h.keys().next()) {
            Some(algorithm) => format!("[file:hashes.'{algorithm}' = '{quoted}']"),
            None => format!("[{kind}:value = '{quoted}']"),
        },
    };
    // Canonical JSON (RFC 8785) of the one contributing property.
    let name = json!({ property: content }).to_string();
    let id = format!("{kind}--{}", Uuid::new_v5(&OBSERVABLES, name.as_bytes()));
    let mut object = Map::new();
    object.insert("type".into(), json!(kind));
    object.insert("spec_version".into(), json!("2.1"));
    object.insert("id".into(), json!(id));
    object.insert(property.into(), content);
    let has = |word: &str| common.said.iter().any(|s| s.ends_with(word));
    // The worst that a source said; each source's own word is in the labels.
    let types = if has(": malicious") {
        "malicious-activity"
    } else if has(": suspicious") {
        "anomalous-activity"
    } else if has(": harmless") {
        "benign"
    } else {
        "unknown"
    };
    let mut sdo = json!({
        "type": "indicator", "spec_version": "2.1", "id": common.id("indicator", indicator),
        "created": common.created, "modified": common.modified,
        "name": value, "indicator_types": [types],
        "pattern": pattern, "pattern_type": "stix", "valid_from": common.valid_from,
    });
    if !common.said.is_empty() {
        sdo["labels"] = json!(common.said);
    }
    Some(vec![Value::Object(object), sdo])
}

/// The object type, the property that makes its id, and that property's value.
fn observable(indicator: &Indicator) -> Option<(&'static str, &'static str, Value)> {
    let value = indicator.value();
    let plain = |kind| Some((kind, "value", json!(value)));
    let hash = |algorithm: &str| {
        let mut hashes = Map::new();
        hashes.insert(algorithm.into(), json!(value));
        Some(("file", "hashes", Value::Object(hashes)))
    };
    match indicator.kind() {
        T::Ip => plain("ipv4-addr"),
        T::Ipv6 => plain("ipv6-addr"),
        T::Cidr if value.contains(':') => plain("ipv6-addr"),
        T::Cidr => plain("ipv4-addr"),
        T::Domain | T::Onion => plain("domain-name"),
        T::Url => plain("url"),
        T::Email => plain("email-addr"),
        T::Mac => plain("mac-addr"),
        T::Asn => {
            let number: u32 = value.get(2..)?.parse().ok()?;
            Some(("autonomous-system", "number", json!(number)))
        }
        T::Md5 => hash("MD5"),
        T::Sha1 => hash("SHA-1"),
        T::Sha256 => hash("SHA-256"),
        T::Sha512 => hash("SHA-512"),
        T::Ssdeep => hash("SSDEEP"),
        T::Cve | T::Attack | T::Btc | T::Eth | T::Ja3 | T::Ja3s => None,
    }
}
