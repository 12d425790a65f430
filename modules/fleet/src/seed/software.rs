//! Installed software: each family of systems has a pool half as large again as what a machine has; sites lag
//! behind each other in versions.

use super::devices::Fleet;
use super::rng::{Rng, mix};
use crate::inventory::software::{title, version};
use crate::model::{Platform, SoftwareSource};
use rusqlite::{Connection, params};

const REAL: &[&str] = &[
    "openssl",
    "curl",
    "openssh-server",
    "libc6",
    "bash",
    "sudo",
    "nginx",
    "postgresql",
    "python3",
    "7-Zip",
    "Mozilla Firefox",
    "Google Chrome",
    "VLC media player",
    "Notepad++",
    "Zoom",
];

struct Pool {
    /// Title with its versions, oldest first.
    titles: Vec<(i64, Vec<i64>)>,
}

fn pool(
    connection: &Connection,
    rng: &mut Rng,
    source: SoftwareSource,
    n: u64,
) -> rusqlite::Result<Pool> {
    let mut titles = Vec::new();
    for at in 0..n {
        let name = usize::try_from(at)
            .ok()
            .and_then(|i| REAL.get(i))
            .map_or_else(
                || format!("{}-package-{at:04}", source.name()),
                |n| (*n).to_owned(),
            );
        let publisher = format!("Publisher {:02}", at % 40);
        let id = title(connection, &name, &publisher, source)?;
        let major = 1 + rng.below(9);
        let mut versions = Vec::new();
        for minor in 0..=rng.below(6) {
            let text = match source {
                SoftwareSource::Dpkg => format!("{major}.{minor}.{}-1+deb12u{minor}", at % 20),
                SoftwareSource::Rpm => format!("{major}.{minor}.{}-{minor}.el9", at % 20),
                _ => format!("{major}.{minor}.{}", at % 20),
            };
            versions.push(version(connection, id, &text)?);
        }
        titles.push((id, versions));
    }
    Ok(Pool { titles })
}

pub(super) fn make(
    connection: &Connection,
    rng: &mut Rng,
    fleet: &Fleet,
    packages: u64,
    now_ms: i64,
) -> rusqlite::Result<u64> {
    let size = packages + packages / 2;
    let linux = pool(connection, rng, SoftwareSource::Dpkg, size)?;
    let windows = pool(connection, rng, SoftwareSource::Winget, size)?;
    let macos = pool(connection, rng, SoftwareSource::Brew, size)?;
    let mut insert = connection.prepare(
        "INSERT INTO device_software (device_id, title_id, version_id, first_ms) VALUES (?1, ?2, ?3, ?4)",
    )?;
    let mut rows = 0_u64;
    for machine in &fleet.machines {
        let pool = match machine.platform {
            Platform::Windows => &windows,
            Platform::Macos => &macos,
            Platform::Linux | Platform::Other => &linux,
        };
        let site = machine.place.site.0.unsigned_abs();
        // Exactly so many of the pool, in the order of their ids, which is how the table lies.
        let (mut left, mut of) = (packages, pool.titles.len() as u64);
        for (title, versions) in &pool.titles {
            let takes = rng.below(of) < left;
            of = of.saturating_sub(1);
            if !takes {
                continue;
            }
            left -= 1;
            // Most machines of a site have the same version; some lag behind.
            let usual = mix(site.wrapping_mul(7919) ^ title.unsigned_abs()) % versions.len() as u64;
            let at = if rng.chance(85) {
                usual
            } else {
                rng.below(versions.len() as u64)
            };
            if let Some(version) = usize::try_from(at).ok().and_then(|at| versions.get(at)) {
                insert.execute(params![machine.id, title, version, now_ms])?;
                rows += 1;
            }
        }
    }
    connection.execute("UPDATE devices SET software_ms = inventory_ms", [])?;
    Ok(rows)
}
