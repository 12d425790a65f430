//! `find_on_fleet`: which devices have this address, name, software or file. The bridge between a look-up and
//! the fleet.

use crate::backend::Ability;
use crate::inventory::sortable;
use crate::model::{DeviceId, DeviceStatus, SoftwareSource};
use crate::scope;
use crate::sql::{Query, anywhere, int, list, text};
use crate::tools::args::when;
use crate::tools::refer::label;
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use crate::versions::{Range, Scheme};
use kit::indicator::{Indicator, IndicatorType};
use kit::principal::Permission;
use kit::strict::parse_strict;
use kit::tool::Effect;
use rusqlite::types::Value;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// Arguments: either `indicator` or `software`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// An address, a range of addresses, a host name, a URL (its host is looked for), or the hash of a file.
    #[schemars(length(min = 1, max = 2000))]
    pub indicator: Option<String>,
    /// A part of the name of a software title.
    #[schemars(length(min = 1, max = 200))]
    pub software: Option<String>,
    /// Only these versions of the software: `<3.0.13`, `>=1.2 <2.0`, `1.2.3`. Compared as the packager of each title compares.
    #[schemars(length(min = 1, max = 200))]
    pub versions: Option<String>,
    /// Most rows, 50 unless given.
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
}

/// The tool.
pub struct FindOnFleet;

impl FleetTool for FindOnFleet {
    const NAME: &'static str = "find_on_fleet";
    const DOC: &'static str = "Which devices have this address, host name, file hash, or software in a range of versions. Looks in the inventory, not on the devices: says of how many devices nothing is known.";
    const PERMISSION: Permission = Permission::DevicesView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let limit = args.limit.unwrap_or(50).clamp(1, 1000);
        match (args.indicator.as_deref(), args.software.as_deref()) {
            (Some(given), None) => {
                if args.versions.is_some() {
                    return Err(Refusal::value("versions", "it goes with \"software\" only"));
                }
                indicator(ctx, given, limit)
            }
            (None, Some(name)) => software(ctx, name, args.versions.as_deref(), limit),
            (None, None) => Err(Refusal::value(
                "indicator",
                "it is missing, or \"software\" is",
            )),
            (Some(_), Some(_)) => Err(Refusal::value(
                "software",
                "either it or \"indicator\" is given, not both",
            )),
        }
    }
}

/// What is looked for, as a condition on `d`, with the columns that say what was found.
struct Wanted {
    /// `JOIN`s and conditions behind `FROM devices d`.
    from: Query,
    /// SQL of the matched value.
    matched: &'static str,
    /// When it was seen.
    seen: &'static str,
    /// What is unknown of which devices.
    unread: &'static str,
    /// The same in words.
    unread_words: &'static str,
    /// What a backend must be able to do for a device to be known here.
    ability: Option<Ability>,
    /// What an empty answer does not say.
    caveat: &'static str,
}

fn indicator(ctx: &Ctx<'_>, given: &str, limit: u32) -> Result<Answer, Refusal> {
    let wanted = match parse_strict(given.trim()) {
        Ok(indicator) => {
            let host = match indicator.kind() {
                IndicatorType::Url => indicator.host(),
                _ => None,
            };
            wanted(host.as_ref().unwrap_or(&indicator))?
        }
        // A machine's short name is no indicator (it has no public suffix), but it is a name in the fleet.
        Err(_) if is_host(given.trim()) => by_name(given.trim()),
        Err(e) => {
            return Err(Refusal::value("indicator", e.to_string()));
        }
    };
    answer(ctx, &wanted, limit, "")
}

fn is_host(text: &str) -> bool {
    (1..=253).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'))
        && text.bytes().any(|b| b.is_ascii_alphabetic())
}

fn wanted(indicator: &Indicator) -> Result<Wanted, Refusal> {
    match indicator.kind() {
        IndicatorType::Ip | IndicatorType::Ipv6 => {
            let address: IpAddr = indicator
                .value()
                .parse()
                .map_err(|_| Refusal::value("indicator", "an address is expected"))?;
            let at = sortable(address.to_canonical());
            Ok(by_address(at, at))
        }
        IndicatorType::Cidr => {
            let (low, high) = range(indicator.value())
                .ok_or_else(|| Refusal::value("indicator", "a range of addresses is expected"))?;
            Ok(by_address(low, high))
        }
        IndicatorType::Domain => Ok(by_name(indicator.value())),
        kind if kind.is_hash() => Ok(by_hash(indicator.value())),
        _ => Err(Refusal::value(
            "indicator",
            "an address, a range, a host name, a URL or the hash of a file is expected",
        )),
    }
}

/// First and last address of `a.b.c.d/n`.
fn range(cidr: &str) -> Option<([u8; 16], [u8; 16])> {
    let (address, length) = cidr.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let mut bits: u32 = length.parse().ok()?;
    if address.is_ipv4() {
        bits = bits.checked_add(96)?;
    }
    let host = 128_u32.checked_sub(bits)?;
    let mask = if host == 128 {
        u128::MAX
    } else {
        (1_u128 << host) - 1
    };
    let at = u128::from_be_bytes(sortable(address));
    Some(((at & !mask).to_be_bytes(), (at | mask).to_be_bytes()))
}

fn by_address(low: [u8; 16], high: [u8; 16]) -> Wanted {
    let mut from = Query::new("JOIN device_addresses a ON a.device_id = d.id");
    from.push(
        "WHERE a.sort BETWEEN ? AND ?",
        [Value::Blob(low.to_vec()), Value::Blob(high.to_vec())],
    );
    Wanted {
        from,
        matched: "a.address || ' (' || a.origin || ')'",
        seen: "ifnull(d.inventory_ms, d.updated_ms)",
        unread: "NOT EXISTS (SELECT 1 FROM device_addresses a WHERE a.device_id = d.id)",
        unread_words: "have no address in the inventory",
        ability: None,
        caveat: "Addresses change: the inventory knows those of its last collection.",
    }
}

fn by_name(name: &str) -> Wanted {
    let mut from = Query::default();
    from.push(
        "WHERE (d.hostname = ? OR (d.fqdn <> '' AND d.fqdn = ?))",
        [text(name), text(name)],
    );
    Wanted {
        from,
        matched: "CASE d.fqdn WHEN '' THEN d.hostname ELSE d.fqdn END",
        seen: "ifnull(d.inventory_ms, d.updated_ms)",
        unread: "0",
        unread_words: "",
        ability: None,
        caveat: "",
    }
}

fn by_hash(hash: &str) -> Wanted {
    let mut from = Query::new("JOIN device_files f ON f.device_id = d.id");
    from.push("WHERE f.hash = ?", [text(hash.to_ascii_lowercase())]);
    Wanted {
        from,
        matched: "f.path",
        seen: "f.seen_ms",
        unread: "NOT EXISTS (SELECT 1 FROM device_files f WHERE f.device_id = d.id)",
        unread_words: "have no file hash in the inventory",
        ability: Some(Ability::Files),
        caveat: "Hashes are known only of files that somebody asked for: not found does not mean that no device has it.",
    }
}

fn software(
    ctx: &Ctx<'_>,
    name: &str,
    versions: Option<&str>,
    limit: u32,
) -> Result<Answer, Refusal> {
    let mut query = Query::new(
        "SELECT v.id, v.version, t.source FROM software_titles t JOIN software_versions v ON v.title_id = t.id",
    );
    query.push("WHERE t.name LIKE ? ESCAPE '\\'", [anywhere(name.trim())]);
    let known = query.rows(ctx.connection, |r| {
        Ok((
            r.get::<_, i64>(0)?,
            r.get::<_, String>(1)?,
            r.get::<_, SoftwareSource>(2)?,
        ))
    })?;
    let (ids, unreadable, upstream) = match versions {
        None => (
            known.into_iter().map(|(id, ..)| id).collect(),
            Vec::new(),
            false,
        ),
        Some(range) => in_range(&known, range)?,
    };
    let mut from = Query::new(
        "JOIN device_software i ON i.device_id = d.id JOIN software_versions v ON v.id = i.version_id JOIN software_titles t ON t.id = v.title_id",
    );
    from.push(
        "WHERE i.version_id IN (SELECT value FROM json_each(?))",
        [list(&ids)],
    );
    let wanted = Wanted {
        from,
        matched: "t.name || ' ' || v.version || ' (' || t.source || ')'",
        seen: "d.software_ms",
        unread: "d.software_ms IS NULL",
        unread_words: "were never read for software",
        ability: Some(Ability::Software),
        caveat: "",
    };
    let mut uncompared = Query::new(
        "SELECT count(*) FROM devices d WHERE d.id IN (SELECT i.device_id FROM device_software i",
    );
    uncompared.push(
        "WHERE i.version_id IN (SELECT value FROM json_each(?))) AND d.deleted_ms IS NULL AND",
        [list(&unreadable)],
    );
    uncompared.append(&scope::devices(&ctx.principal.scope, "d"));
    let mut note = match uncompared.count(ctx.connection)? {
        0 => String::new(),
        n => format!(
            " {n} devices have it in versions that cannot be compared with this range: look at them without \"versions\"."
        ),
    };
    if upstream {
        note.push_str(UPSTREAM);
    }
    answer(ctx, &wanted, limit, &note)
}

/// Said where a bound without a revision was held against packages of a distribution.
const UPSTREAM: &str = " Distributions carry fixes back without changing the upstream version: a package that is listed may be fixed all the same; a bound with its revision (<3.0.11-1~deb12u3) knows it.";

/// The versions inside a range, and those that the rules of their source cannot compare with it; whether some
/// inside were compared by their upstream version only.
fn in_range(
    known: &[(i64, String, SoftwareSource)],
    range: &str,
) -> Result<(Vec<i64>, Vec<i64>, bool), Refusal> {
    let mut ranges: BTreeMap<SoftwareSource, Result<Range, String>> = BTreeMap::new();
    // A range that no rule can read is refused, whether or not a title was found.
    let general = Range::parse(Scheme::Semver, range).map_err(|e| e.to_string());
    let (mut inside, mut unreadable, mut upstream) = (Vec::new(), Vec::new(), false);
    for (id, version, source) in known {
        let range = ranges.entry(*source).or_insert_with(|| {
            Range::parse(Scheme::of_source(source.name()), range).map_err(|e| e.to_string())
        });
        match range.as_ref().ok().and_then(|r| r.contains(version).ok()) {
            Some(true) => {
                upstream |= range.as_ref().is_ok_and(Range::speaks_of_upstream_only);
                inside.push(*id);
            }
            Some(false) => {}
            None => unreadable.push(*id),
        }
    }
    let readable = ranges.values().any(Result::is_ok) || (ranges.is_empty() && general.is_ok());
    if !readable {
        return Err(Refusal::value(
            "versions",
            "a range is expected, such as <3.0.14, >=1.1 <2, 3.0.* or 1.2.3",
        ));
    }
    Ok((inside, unreadable, upstream))
}

fn answer(ctx: &Ctx<'_>, wanted: &Wanted, limit: u32, note: &str) -> Result<Answer, Refusal> {
    let mut inside = Query::new("AND d.deleted_ms IS NULL AND");
    inside.append(&scope::devices(&ctx.principal.scope, "d"));
    let mut count = Query::new("SELECT count(*), count(DISTINCT d.id) FROM devices d");
    count.append(&wanted.from).append(&inside);
    let (rows, devices) = count
        .first(ctx.connection, |r| {
            Ok((r.get::<_, i64>(0)?, r.get::<_, i64>(1)?))
        })?
        .unwrap_or_default();
    // The conditions end `from`: the places are joined in front of it.
    let mut query = Query::new(&format!(
        "SELECT d.id, d.hostname, c.name, s.name, d.status, {}, {} FROM clients c JOIN sites s ON s.client_id = c.id
         JOIN devices d ON d.site_id = s.id",
        wanted.matched, wanted.seen
    ));
    query
        .append(&wanted.from)
        .append(&inside)
        .push("ORDER BY d.hostname, d.id, 6 LIMIT ?", [int(limit)]);
    let mut sheet = Sheet::new(&["device", "client", "site", "status", "has", "read"]);
    for row in query.rows(ctx.connection, |r| {
        Ok([
            json!(label(r.get::<_, DeviceId>(0)?, &r.get::<_, String>(1)?)),
            json!(r.get::<_, String>(2)?),
            json!(r.get::<_, String>(3)?),
            json!(r.get::<_, DeviceStatus>(4)?),
            json!(r.get::<_, String>(5)?),
            when(r.get(6)?),
        ])
    })? {
        sheet.row(row);
    }
    sheet.total(u64::try_from(rows).unwrap_or(0));
    let mut said = match devices {
        0 => "No device in the inventory has it.".to_owned(),
        1 => "1 device has it.".to_owned(),
        n => format!("{n} devices have it."),
    };
    said.push_str(note);
    unknown(ctx, wanted, &mut said)?;
    if !wanted.caveat.is_empty() {
        said.push(' ');
        said.push_str(wanted.caveat);
    }
    Ok(Answer::new(said, sheet))
}

/// Of which devices nothing is known: not having it and not being known are two things.
fn unknown(ctx: &Ctx<'_>, wanted: &Wanted, said: &mut String) -> Result<(), Refusal> {
    let mut query = Query::new(&format!(
        "SELECT d.backend, count(*), total({}) FROM devices d WHERE d.deleted_ms IS NULL AND",
        wanted.unread
    ));
    query
        .append(&scope::devices(&ctx.principal.scope, "d"))
        .push("GROUP BY 1", []);
    for (backend, devices, unread) in query.rows(ctx.connection, |r| {
        Ok((
            r.get::<_, String>(0)?,
            r.get::<_, i64>(1)?,
            r.get::<_, f64>(2)? as i64,
        ))
    })? {
        let able = wanted
            .ability
            .map_or(Ok(()), |a| ctx.backends.need(&backend, a));
        match able {
            Err(e) => said.push_str(&format!(" Nothing is known of {devices} devices: {e}.")),
            Ok(()) if unread > 0 => said.push_str(&format!(
                " Nothing is known of {unread} devices: they {}.",
                wanted.unread_words
            )),
            Ok(()) => {}
        }
    }
    Ok(())
}
