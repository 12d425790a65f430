//! A device as a proposal sees it, and what became of it since.
//!
//! With each target stands a short text of its state: the place, whether it was online, and a hash over what
//! identifies it. A target whose state no longer fits is not touched.

use super::digest::Print;
use crate::model::{DeviceId, DeviceStatus, Platform};
use crate::sql::list;
use kit::text::Untrusted;
use rusqlite::types::Value;
use rusqlite::{Connection, Row};

/// A device with the names of its place. The names come from monitored machines and other people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its id.
    pub id: DeviceId,
    /// The backend that reaches it.
    pub backend: String,
    /// How the backend names it.
    pub external_id: String,
    /// Host name as it stands in the table: shown only by way of [`Device::name`].
    pub(crate) hostname: String,
    /// Client.
    pub client: i64,
    pub(crate) client_name: String,
    /// Site.
    pub site: i64,
    pub(crate) site_name: String,
    /// Department, where it is in one.
    pub department: Option<i64>,
    pub(crate) department_name: String,
    /// The family of its operating system.
    pub platform: Platform,
    /// As its backend last saw it.
    pub status: DeviceStatus,
    /// How the executor reaches it; empty: not at all.
    pub connection: String,
    /// When it was deleted.
    pub deleted_ms: Option<i64>,
}

const SELECT: &str =
    "SELECT d.id, d.backend, d.external_id, d.hostname, d.client_id, c.name, d.site_id, s.name,
            d.department_id, ifnull(u.name, ''), d.platform, d.status, d.connection, d.deleted_ms
     FROM devices d JOIN clients c ON c.id = d.client_id JOIN sites s ON s.id = d.site_id
     LEFT JOIN departments u ON u.id = d.department_id";

fn read(row: &Row<'_>) -> rusqlite::Result<Device> {
    Ok(Device {
        id: row.get(0)?,
        backend: row.get(1)?,
        external_id: row.get(2)?,
        hostname: row.get(3)?,
        client: row.get(4)?,
        client_name: row.get(5)?,
        site: row.get(6)?,
        site_name: row.get(7)?,
        department: row.get(8)?,
        department_name: row.get(9)?,
        platform: row.get(10)?,
        status: row.get(11)?,
        connection: row.get(12)?,
        deleted_ms: row.get(13)?,
    })
}

/// The devices with these ids, deleted ones too, by id. No scope: the caller has looked at it.
///
/// # Errors
/// SQLite's.
pub fn devices(connection: &Connection, ids: &[i64]) -> rusqlite::Result<Vec<Device>> {
    let sql = format!("{SELECT} WHERE d.id IN (SELECT value FROM json_each(?1)) ORDER BY d.id");
    connection
        .prepare_cached(&sql)?
        .query_map([list(ids)], read)?
        .collect()
}

impl Device {
    /// `d-12 web-01`.
    #[must_use]
    pub fn name(&self) -> Untrusted {
        Untrusted::new(self.plain_name())
    }

    pub(crate) fn plain_name(&self) -> String {
        format!("{} {}", self.id, self.hostname)
    }

    /// `Contoso / Berlin / Lab`.
    #[must_use]
    pub fn place(&self) -> Untrusted {
        Untrusted::new(self.plain_place())
    }

    pub(crate) fn plain_place(&self) -> String {
        let mut out = format!("{} / {}", self.client_name, self.site_name);
        if !self.department_name.is_empty() {
            out.push_str(" / ");
            out.push_str(&self.department_name);
        }
        out
    }

    /// The name of its client.
    #[must_use]
    pub fn client_name(&self) -> Untrusted {
        Untrusted::new(self.client_name.clone())
    }

    /// The state as it is kept with a target.
    #[must_use]
    pub fn state(&self) -> String {
        State::of(self).to_string()
    }

    /// What changed since this state was kept, worst first; empty: nothing that matters.
    #[must_use]
    pub fn drift(&self, then: &str, act: Act) -> Vec<Drift> {
        if self.deleted_ms.is_some() {
            return vec![Drift::Deleted];
        }
        let now = State::of(self);
        let Some(then) = State::parse(then) else {
            return vec![Drift::Changed];
        };
        let mut out = Vec::new();
        if then.place != now.place {
            out.push(Drift::Moved);
        }
        if then.identity != now.identity {
            out.push(Drift::Changed);
        }
        match (then.online, now.online) {
            (true, false) => out.push(Drift::WentOffline),
            (false, true) if act == Act::Delete => out.push(Drift::CameOnline),
            _ => {}
        }
        out
    }
}

/// What would be done to a device: what counts as a change depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Something runs on it.
    Run,
    /// It is moved.
    Move,
    /// It is deleted: one that is back online is in use after all.
    Delete,
}

/// What became of a target since the proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drift {
    /// It was deleted.
    Deleted,
    /// It stands in another place now.
    Moved,
    /// Name, platform, backend or connection changed.
    Changed,
    /// It was online and is not any more.
    WentOffline,
    /// It was not online and is now.
    CameOnline,
}

impl Drift {
    /// In words, after a device's name.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Deleted => "was deleted since",
            Self::Moved => "was moved since",
            Self::Changed => "was renamed or is reached in another way since",
            Self::WentOffline => "went offline since",
            Self::CameOnline => "came back online since",
        }
    }

    /// Whether only this device is left out, where others remain. Everything else makes the whole proposal
    /// one of things that are not so any more.
    #[must_use]
    pub const fn skips_only(self) -> bool {
        matches!(self, Self::WentOffline)
    }
}

#[derive(Debug, PartialEq, Eq)]
struct State {
    place: String,
    online: bool,
    identity: String,
}

impl State {
    fn of(device: &Device) -> Self {
        let mut print = Print::new("device");
        print
            .value(&Value::Integer(device.id.0))
            .bytes(device.backend.as_bytes())
            .bytes(device.external_id.as_bytes())
            .bytes(device.hostname.as_bytes())
            .bytes(device.platform.name().as_bytes())
            .bytes(device.connection.as_bytes());
        let mut identity = print.hex();
        identity.truncate(32);
        Self {
            place: format!(
                "{}.{}.{}",
                device.client,
                device.site,
                device.department.unwrap_or(0)
            ),
            online: device.status == DeviceStatus::Online,
            identity,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let state = Self {
            place: parts.next()?.to_owned(),
            online: match parts.next()? {
                "on" => true,
                "off" => false,
                _ => return None,
            },
            identity: parts.next()?.to_owned(),
        };
        parts.next().is_none().then_some(state)
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let online = if self.online { "on" } else { "off" };
        write!(f, "{}/{online}/{}", self.place, self.identity)
    }
}
