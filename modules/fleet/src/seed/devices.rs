//! Clients, sites, departments, machines.

use super::Numbers;
use super::rng::Rng;
use crate::inventory::{self, Facts, Placed};
use crate::model::{DeviceId, DeviceKind, DeviceStatus, Platform};
use rusqlite::{Connection, params};

/// What was made.
pub(super) struct Fleet {
    pub(super) machines: Vec<Machine>,
}

pub(super) struct Machine {
    pub(super) id: DeviceId,
    pub(super) place: Placed,
    pub(super) platform: Platform,
}

const FIRST: &[&str] = &[
    "Alder", "Birch", "Cedar", "Dorn", "Elm", "Fjord", "Gable", "Hazel", "Ibis", "Juniper",
    "Kestrel", "Larch", "Maple", "Nettle", "Oak", "Pine", "Quarry", "Rowan", "Spruce", "Thorn",
];
const SECOND: &[&str] = &[
    "Logistics",
    "Dental",
    "Foods",
    "Legal",
    "Metals",
    "Print",
    "Care",
    "Optics",
];
const TOWNS: &[&str] = &[
    "North", "South", "Harbour", "Hill", "Mill", "Market", "Station", "Lake",
];
const TEAMS: &[&str] = &["Accounts", "Sales", "Workshop", "Design"];
const ROLES: &[&str] = &["web", "db", "file", "mail", "app", "dc"];
const MODELS: &[&str] = &[
    "Contoso Desk 5",
    "Contoso Book 14",
    "Fabrikam R2",
    "Fabrikam R4",
    "Northwind Mini",
];
const CPUS: &[&str] = &[
    "Example i5-1240",
    "Example i7-1365",
    "Sample 7 5800",
    "Sample 9 7950",
    "Demo N100",
];

pub(super) fn make(
    connection: &Connection,
    rng: &mut Rng,
    numbers: &Numbers,
    now_ms: i64,
) -> rusqlite::Result<Fleet> {
    let mut places: Vec<Vec<Placed>> = Vec::new();
    for n in 0..numbers.clients {
        let (a, b) = (
            n % FIRST.len() as u64,
            (n / FIRST.len() as u64) % SECOND.len() as u64,
        );
        let pick = |of: &[&'static str], at: u64| {
            usize::try_from(at)
                .ok()
                .and_then(|at| of.get(at).copied())
                .unwrap_or_default()
        };
        let client = format!("{} {}", pick(FIRST, a), pick(SECOND, b));
        let mut of_client = Vec::new();
        for s in 0..=rng.below(4) {
            let site = pick(TOWNS, (s + n) % TOWNS.len() as u64);
            of_client.push(inventory::place(connection, &client, site, "", now_ms)?);
            for team in TEAMS
                .iter()
                .take(usize::try_from(rng.below(3)).unwrap_or(0))
            {
                of_client.push(inventory::place(connection, &client, site, team, now_ms)?);
            }
        }
        places.push(of_client);
    }
    let mut machines = Vec::new();
    for n in 0..numbers.devices {
        // Clients of different sizes: half of the devices stand with a fifth of the clients.
        let client = if rng.chance(50) {
            rng.below(numbers.clients.div_ceil(5))
        } else {
            rng.below(numbers.clients)
        };
        let of_client = usize::try_from(client).ok().and_then(|c| places.get(c));
        let Some(place) = of_client.and_then(|p| {
            usize::try_from(rng.below(p.len() as u64))
                .ok()
                .and_then(|at| p.get(at).copied())
        }) else {
            continue;
        };
        machines.push(machine(connection, rng, n, place, now_ms)?);
    }
    Ok(Fleet { machines })
}

fn machine(
    connection: &Connection,
    rng: &mut Rng,
    n: u64,
    place: Placed,
    now_ms: i64,
) -> rusqlite::Result<Machine> {
    let server = rng.chance(25);
    let (platform, os, version) = match (server, rng.below(10)) {
        (true, 0..=5) => (Platform::Linux, "Debian GNU/Linux", "12"),
        (true, 6..=7) => (Platform::Linux, "Rocky Linux", "9.4"),
        (true, _) => (Platform::Windows, "Windows Server 2022", "20348"),
        (false, 0..=6) => (Platform::Windows, "Windows 11 Pro", "22631"),
        (false, 7) => (Platform::Windows, "Windows 10 Pro", "19045"),
        (false, 8) => (Platform::Macos, "macOS", "14.5"),
        (false, _) => (Platform::Linux, "Ubuntu", "24.04"),
    };
    let role = if server { rng.one(ROLES) } else { "ws" };
    let mut facts = Facts::named(format!("{role}-{n:05}"), place);
    facts.fqdn = format!("{}.fleet.example", facts.hostname);
    facts.platform = platform;
    facts.os = os.to_owned();
    facts.os_version = version.to_owned();
    facts.arch = "x86_64".to_owned();
    facts.kind = if server {
        DeviceKind::Server
    } else {
        DeviceKind::Workstation
    };
    facts.status = match rng.below(20) {
        0..=14 => DeviceStatus::Online,
        15..=18 => DeviceStatus::Offline,
        _ => DeviceStatus::Overdue,
    };
    let ago = if facts.status == DeviceStatus::Online {
        rng.below(300)
    } else {
        3600 + rng.below(2_000_000)
    };
    let seen = now_ms.saturating_sub(i64::try_from(ago).unwrap_or(0).saturating_mul(1000));
    facts.last_seen_ms = Some(seen);
    facts.serial = format!("SN{:010X}", rng.below(1 << 40));
    facts.user = if server {
        String::new()
    } else {
        format!("user{}", rng.below(5000))
    };
    facts.tags = if rng.chance(10) {
        vec!["pilot".to_owned()]
    } else {
        Vec::new()
    };
    let id = inventory::put_device(connection, &facts, false, now_ms)?;
    connection
        .prepare_cached(
            "UPDATE devices SET inventory_ms = ?2, needs_reboot = ?3, make_model = ?4, boot_ms = ?5, agent_version = '1.0.0' WHERE id = ?1",
        )?
        .execute(params![id, seen, rng.chance(8), rng.one(MODELS), seen.saturating_sub(86_400_000)])?;
    let local = format!("10.{}.{}.{}", (n >> 16) & 255, (n >> 8) & 255, n & 255);
    inventory::replace_addresses(connection, id, false, &[local])?;
    let public = format!("203.0.113.{}", place.site.0 % 254 + 1);
    inventory::replace_addresses(connection, id, true, &[public])?;
    let gib = 1_u64 << 30;
    let disk = (1 + rng.below(4)) * 256 * gib;
    connection
        .prepare_cached(
            "INSERT INTO hardware (device_id, cpu, cores, memory_bytes, disk_bytes, disk_free_bytes, collected_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            id,
            rng.one(CPUS),
            4_i64 << rng.below(3),
            i64::try_from((8 << rng.below(4)) * gib).unwrap_or(0),
            i64::try_from(disk).unwrap_or(0),
            i64::try_from(rng.below(disk)).unwrap_or(0),
            seen,
        ])?;
    Ok(Machine {
        id,
        place,
        platform,
    })
}
