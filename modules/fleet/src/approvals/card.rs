//! What is on screen when a person decides: where it would run, by name; the whole of what would run; who
//! proposed it, in which case and why; and what has changed since.

use super::changed::{self, Change};
use super::{Denial, act, may_decide};
use crate::backend::{Ability, Directory};
use crate::model::{ActorKind, DeviceId, DeviceStatus, JobKind, Platform};
use crate::proposals::digest::Content;
use crate::proposals::ledger::{self, Entry};
use crate::proposals::{Kind, ProposalError, Status, shown_id};
use kit::principal::{Permission, Principal};
use kit::text::Untrusted;
use rusqlite::{Connection, OptionalExtension};

/// One device of a card.
#[derive(Clone, Debug)]
pub struct CardDevice {
    /// Its id.
    pub id: DeviceId,
    /// `d-12 web-01`.
    pub name: Untrusted,
    /// Its client.
    pub client: Untrusted,
    /// `Contoso / Berlin / Lab`.
    pub place: Untrusted,
    /// The family of its operating system.
    pub platform: Platform,
    /// Whether it answers now.
    pub status: DeviceStatus,
    /// It belongs to the canary.
    pub canary: bool,
    /// What became of it since, in words; empty: nothing.
    pub changed: Vec<&'static str>,
    /// Why nothing could run on it, where that is so.
    pub no_executor: Option<String>,
}

/// A part of what would happen.
#[derive(Clone, Debug)]
pub struct Section {
    /// The program's own word for it.
    pub label: &'static str,
    /// The whole text, never shortened.
    pub text: Untrusted,
}

/// A proposal as a person sees it. Everything from models and machines is [`Untrusted`].
#[derive(Clone, Debug)]
pub struct Card {
    /// Number.
    pub n: u64,
    /// What it would change.
    pub kind: Kind,
    /// The id of its row, as shown.
    pub id: String,
    /// The tool that made it.
    pub tool: String,
    /// One line: what, on what.
    pub title: Untrusted,
    /// The proposer's reason; empty where none was given.
    pub why: Untrusted,
    /// What the proposer expects; empty where it says nothing of it.
    pub effect: Untrusted,
    /// The backend that would do it; empty for monitoring, which its devices' backends do.
    pub backend: String,
    /// The devices, by id.
    pub devices: Vec<CardDevice>,
    /// How many devices it concerns: of monitoring for a place, how many stand there now.
    pub device_count: u32,
    /// Everything that would run or be set, whole.
    pub sections: Vec<Section>,
    /// What a look at the script found, in words.
    pub findings: Vec<Untrusted>,
    /// Who proposed it.
    pub proposed_by: String,
    /// A model or a person.
    pub proposer: ActorKind,
    /// In which case.
    pub case: Option<String>,
    /// When, milliseconds since 1970.
    pub proposed_ms: i64,
    /// When it expires, milliseconds since 1970.
    pub expires_ms: i64,
    /// The digest that an approval names.
    pub digest: String,
    /// The number of devices must be typed.
    pub count: bool,
    /// What deciding it needs.
    pub permission: Permission,
    /// Where it stands.
    pub status: Status,
    /// Who decided it; empty while it is open.
    pub decided_by: String,
    /// The reason given with the decision.
    pub reason: Untrusted,
    /// What has changed since, in words with ids.
    pub changes: Vec<String>,
    /// Every change by device.
    pub changed: Vec<Change>,
    /// Why an approval by this principal would be refused now; nothing: it would count.
    pub refusal: Option<Denial>,
}

/// The card of a proposal that this principal may look at; `None` for any other.
///
/// # Errors
/// The store failed.
pub fn card(
    connection: &Connection,
    principal: &Principal,
    backends: &Directory,
    n: u64,
    now_ms: i64,
) -> Result<Option<Card>, ProposalError> {
    let Some(entry) = ledger::visible(connection, principal, n)? else {
        return Ok(None);
    };
    let content = Content::read(connection, entry.kind, entry.subject)?;
    let kept = act::kept_digest(connection, &entry)?;
    let whole = content.as_ref().is_some_and(|c| c.digest() == entry.digest)
        && kept.is_none_or(|kept| kept == entry.digest);
    let changes = changed::look(connection, &entry)?;
    let refusal = match may_decide(connection, principal, &entry)? {
        Some(denial) => Some(denial),
        None => super::decided(&entry)
            .or_else(|| (now_ms >= entry.expires_ms).then_some(Denial::Expired(n)))
            .or_else(|| (!whole).then_some(Denial::Tampered(n)))
            .or_else(|| changes.fatal().then(|| Denial::Changed(changes.in_words()))),
    };
    let parts = parts(connection, &entry)?;
    let devices = changes
        .targets
        .iter()
        .map(|t| CardDevice {
            id: t.device.id,
            name: t.device.name(),
            client: t.device.client_name(),
            place: t.device.place(),
            platform: t.device.platform,
            status: t.device.status,
            canary: parts.canary && t.stage == 1,
            changed: t.drift.iter().map(|d| d.in_words()).collect(),
            no_executor: parts
                .ability
                .and_then(|ability| act::executor(backends, &t.device, ability).err()),
        })
        .collect();
    Ok(Some(Card {
        n,
        kind: entry.kind,
        id: shown_id(entry.kind, entry.subject),
        permission: entry.permission(connection)?,
        tool: entry.tool,
        title: Untrusted::new(entry.title),
        why: Untrusted::new(entry.why),
        effect: Untrusted::new(parts.effect),
        backend: parts.backend,
        devices,
        device_count: entry.devices,
        sections: parts.sections,
        findings: entry.findings.into_iter().map(Untrusted::new).collect(),
        proposed_by: entry.proposed_by,
        proposer: entry.proposer,
        case: entry.case,
        proposed_ms: entry.proposed_ms,
        expires_ms: entry.expires_ms,
        digest: entry.digest,
        count: entry.count,
        status: entry.status,
        decided_by: entry.decided_by,
        reason: Untrusted::new(entry.reason),
        changes: changes.in_words(),
        changed: changes.changes,
        refusal,
    }))
}

#[derive(Default)]
struct Parts {
    backend: String,
    effect: String,
    canary: bool,
    ability: Option<Ability>,
    sections: Vec<Section>,
}

impl Parts {
    fn say(&mut self, label: &'static str, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.sections.push(Section {
                label,
                text: Untrusted::new(text),
            });
        }
    }
}

fn parts(connection: &Connection, entry: &Entry) -> rusqlite::Result<Parts> {
    let found = match entry.kind {
        Kind::Job | Kind::Cancel => job(connection, entry),
        Kind::Operation => operation(connection, entry.subject),
        Kind::Task => task(connection, entry.subject),
        Kind::Check => check(connection, entry.subject),
        Kind::Policy => policy(connection, entry.subject),
    };
    Ok(found.optional()?.unwrap_or_default())
}

fn job(connection: &Connection, entry: &Entry) -> rusqlite::Result<Parts> {
    connection
        .prepare_cached(
            "SELECT backend, kind, shell, body, params, effect, timeout_s, canary, batch, status FROM jobs WHERE id = ?1",
        )?
        .query_row([entry.subject], |r| {
            let kind: JobKind = r.get(1)?;
            let canary: u32 = r.get(7)?;
            let mut parts = Parts {
                backend: r.get(0)?,
                effect: r.get(5)?,
                canary: canary > 0,
                ability: match (entry.kind, kind) {
                    (Kind::Cancel, _) => None,
                    (_, JobKind::InstallPatches) => Some(Ability::PatchesInstall),
                    _ => Some(Ability::Run),
                },
                sections: Vec::new(),
            };
            if entry.kind == Kind::Cancel {
                parts.effect = format!("The job stops; it is {} now.", r.get::<_, String>(9)?);
            }
            parts.say("shell", r.get::<_, String>(2)?);
            parts.say("script", r.get::<_, String>(3)?);
            let params: String = r.get(4)?;
            if params != "{}" {
                parts.say("parameters", params);
            }
            parts.say("time limit", format!("{} seconds", r.get::<_, u32>(6)?));
            if canary > 0 {
                parts.say(
                    "canary",
                    format!("{canary} first, the rest after a second approval"),
                );
            }
            parts.say("batch", r.get::<_, String>(8)?);
            Ok(parts)
        })
}

fn operation(connection: &Connection, operation: i64) -> rusqlite::Result<Parts> {
    connection
        .prepare_cached(
            "SELECT o.backend, o.kind, ifnull(c.name, ''), ifnull(s.name, ''), ifnull(u.name, '')
             FROM device_operations o LEFT JOIN sites s ON s.id = o.dest_site_id
             LEFT JOIN clients c ON c.id = s.client_id LEFT JOIN departments u ON u.id = o.dest_department_id
             WHERE o.id = ?1",
        )?
        .query_row([operation], |r| {
            let deletes = r.get::<_, String>(1)? == "delete";
            let mut parts = Parts {
                backend: r.get(0)?,
                effect: String::from(if deletes {
                    "The devices and their inventory leave the fleet; a device that is enrolled again is a new one."
                } else {
                    "The devices stand in the new place; who sees them and which monitoring covers them follows the place."
                }),
                ..Parts::default()
            };
            let place: Vec<String> = [r.get::<_, String>(2)?, r.get(3)?, r.get(4)?]
                .into_iter()
                .filter(|p| !p.is_empty())
                .collect();
            parts.say("to", place.join(" / "));
            Ok(parts)
        })
}

fn place_sections(parts: &mut Parts, [client, site]: [Option<String>; 2]) {
    if let Some(client) = client {
        parts.say("every device of the client, now and later", client);
    }
    if let Some(site) = site {
        parts.say("every device of the site, now and later", site);
    }
}

fn task(connection: &Connection, task: i64) -> rusqlite::Result<Parts> {
    connection
        .prepare_cached(
            "SELECT t.name, t.schedule, t.shell, t.body, t.timeout_s, c.name, s.name FROM tasks t
             LEFT JOIN clients c ON c.id = t.client_id LEFT JOIN sites s ON s.id = t.site_id WHERE t.id = ?1",
        )?
        .query_row([task], |r| {
            let mut parts = Parts::default();
            parts.say("name", r.get::<_, String>(0)?);
            parts.say("schedule (UTC)", r.get::<_, String>(1)?);
            place_sections(&mut parts, [r.get(5)?, r.get(6)?]);
            parts.say("shell", r.get::<_, String>(2)?);
            parts.say("script", r.get::<_, String>(3)?);
            parts.say("time limit", format!("{} seconds", r.get::<_, u32>(4)?));
            Ok(parts)
        })
}

fn check(connection: &Connection, check: i64) -> rusqlite::Result<Parts> {
    connection
        .prepare_cached(
            "SELECT k.name, k.kind, k.settings, k.warning, k.error, k.fails_before_alert, k.every_s, c.name, s.name
             FROM checks k LEFT JOIN clients c ON c.id = k.client_id LEFT JOIN sites s ON s.id = k.site_id WHERE k.id = ?1",
        )?
        .query_row([check], |r| {
            let mut parts = Parts::default();
            parts.say("name", r.get::<_, String>(0)?);
            parts.say("looks at", r.get::<_, String>(1)?);
            place_sections(&mut parts, [r.get(7)?, r.get(8)?]);
            settings(&mut parts, &r.get::<_, String>(2)?);
            for (label, value) in [
                ("warning from", r.get::<_, Option<f64>>(3)?),
                ("failing from", r.get::<_, Option<f64>>(4)?),
            ] {
                parts.say(label, value.map_or_else(String::new, |v| v.to_string()));
            }
            parts.say("alert after", format!("{} in a row", r.get::<_, u32>(5)?));
            parts.say("every", format!("{} seconds", r.get::<_, u32>(6)?));
            Ok(parts)
        })
}

fn policy(connection: &Connection, policy: i64) -> rusqlite::Result<Parts> {
    connection
        .prepare_cached(
            "SELECT p.name, p.settings, c.name, s.name FROM policies p
             LEFT JOIN clients c ON c.id = p.client_id LEFT JOIN sites s ON s.id = p.site_id WHERE p.id = ?1",
        )?
        .query_row([policy], |r| {
            let mut parts = Parts::default();
            parts.say("name", r.get::<_, String>(0)?);
            place_sections(&mut parts, [r.get(2)?, r.get(3)?]);
            settings(&mut parts, &r.get::<_, String>(1)?);
            Ok(parts)
        })
}

/// A script among the settings is shown as it is, not as one line of JSON.
fn settings(parts: &mut Parts, json: &str) {
    let Ok(serde_json::Value::Object(map)) = serde_json::from_str(json) else {
        parts.say("settings", json);
        return;
    };
    let mut rest = Vec::new();
    for (name, value) in map {
        match (name.as_str(), value) {
            ("body", serde_json::Value::String(body)) => parts.say("script", body),
            (_, serde_json::Value::String(text)) => rest.push(format!("{name} = {text}")),
            (_, other) => rest.push(format!("{name} = {other}")),
        }
    }
    parts.say("settings", rest.join("\n"));
}
