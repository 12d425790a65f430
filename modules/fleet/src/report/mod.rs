//! Reports over the inventory: counts that are grouped in the database, and rows. Tools, commands and exports
//! share these queries, so that they agree on what is inside a scope.

mod machines;
mod software;

use crate::model::names;
use crate::scope;
use crate::sql::{Query, int};
use kit::principal::Scope;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

names! {
    /// What a report is of.
    Kind {
        /// Installed software.
        Software = "software",
        /// Processors, memory, disks.
        Hardware = "hardware",
        /// Operating systems, status, models.
        Machines = "machines",
    }
}

names! {
    /// By what a report is grouped.
    GroupBy {
        /// Software title.
        Title = "title",
        /// Software title and version.
        Version = "version",
        /// Publisher of software.
        Publisher = "publisher",
        /// Package manager, or list of programs.
        Source = "source",
        /// Client.
        Client = "client",
        /// Site.
        Site = "site",
        /// Department.
        Department = "department",
        /// Family of the operating system.
        Platform = "platform",
        /// Operating system with its version.
        Os = "os",
        /// Server or workstation.
        MachineKind = "kind",
        /// Whether it answers.
        Status = "status",
        /// Maker and model.
        Model = "model",
        /// Processor.
        Processor = "processor",
        /// Memory, in whole GiB.
        Memory = "memory",
    }
}

impl GroupBy {
    /// What a kind of report is grouped by when nothing is said.
    #[must_use]
    pub const fn usual(kind: Kind) -> Self {
        match kind {
            Kind::Software => Self::Title,
            Kind::Hardware => Self::Model,
            Kind::Machines => Self::Os,
        }
    }

    /// Whether a kind of report can be grouped like this.
    #[must_use]
    pub const fn fits(self, kind: Kind) -> bool {
        match self {
            Self::Client | Self::Site | Self::Department => true,
            Self::Title | Self::Version | Self::Publisher | Self::Source => {
                matches!(kind, Kind::Software)
            }
            Self::Platform
            | Self::Os
            | Self::MachineKind
            | Self::Status
            | Self::Model
            | Self::Processor
            | Self::Memory => !matches!(kind, Kind::Software),
        }
    }

    /// Those that fit a kind.
    pub fn of(kind: Kind) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |g| g.fits(kind))
    }
}

/// Which part of the inventory. Ids, so that a stored filter means the same place for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// What it is of.
    pub kind: Kind,
    /// A part of the title (software), or of host name, operating system, model or processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matching: Option<String>,
    /// Only this client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<i64>,
    /// Only this site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<i64>,
    /// Only this department.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub department: Option<i64>,
}

impl Filter {
    /// Everything of one kind.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        Self {
            kind,
            matching: None,
            client: None,
            site: None,
            department: None,
        }
    }
}

/// One group of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it is called.
    pub name: String,
    /// Devices in it; `None` where counting them would read the whole fleet.
    pub devices: Option<i64>,
    /// Installations (software).
    pub installs: Option<i64>,
    /// Cores, memory and disk in bytes over the devices whose hardware was read (hardware).
    pub sums: Option<[i64; 3]>,
}

/// Grouped counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The largest groups.
    pub groups: Vec<Group>,
    /// How many groups there are.
    pub total: u64,
}

/// Counts by group, largest first.
///
/// # Errors
/// SQLite's.
pub fn summary(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
    by: GroupBy,
    limit: u32,
) -> rusqlite::Result<Summary> {
    match filter.kind {
        Kind::Software => software::summary(connection, scope, filter, by, limit),
        Kind::Hardware | Kind::Machines => machines::summary(connection, scope, filter, by, limit),
    }
}

/// How many rows [`selection`] has; does not read them all.
///
/// # Errors
/// SQLite's.
pub fn total(connection: &Connection, scope: &Scope, filter: &Filter) -> rusqlite::Result<u64> {
    match filter.kind {
        Kind::Software => software::total(connection, scope, filter),
        Kind::Hardware | Kind::Machines => machines::total(connection, scope, filter),
    }
}

/// The heads of the columns of [`selection`].
#[must_use]
pub const fn columns(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Software => software::COLUMNS,
        Kind::Hardware => machines::HARDWARE,
        Kind::Machines => machines::MACHINES,
    }
}

/// Every row, for a page or for an export that streams. The values are texts, numbers or NULL.
#[must_use]
pub fn selection(scope: &Scope, filter: &Filter) -> Query {
    match filter.kind {
        Kind::Software => software::selection(scope, filter),
        Kind::Hardware | Kind::Machines => machines::selection(scope, filter),
    }
}

/// Devices inside the filter's places, and how many of them were never read for this kind: what is unknown of
/// them is not zero.
///
/// # Errors
/// SQLite's.
pub fn coverage(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
) -> rusqlite::Result<(i64, i64)> {
    let read = match filter.kind {
        Kind::Software => "d.software_ms IS NOT NULL",
        Kind::Hardware => "EXISTS (SELECT 1 FROM hardware h WHERE h.device_id = d.id)",
        Kind::Machines => "1",
    };
    let mut query = Query::new(&format!(
        "SELECT count(*), count(*) - total({read}) FROM devices d WHERE d.deleted_ms IS NULL AND"
    ));
    query.append(&scope::devices(scope, "d"));
    places(
        &mut query,
        filter,
        ["d.client_id", "d.site_id", "d.department_id"],
    );
    Ok(query
        .first(connection, |r| {
            Ok((r.get::<_, i64>(0)?, r.get::<_, f64>(1)? as i64))
        })?
        .unwrap_or_default())
}

fn places(query: &mut Query, filter: &Filter, [client, site, department]: [&str; 3]) {
    for (column, id) in [
        (client, filter.client),
        (site, filter.site),
        (department, filter.department),
    ] {
        if let Some(id) = id {
            query.push(&format!("AND {column} = ?"), [int(id)]);
        }
    }
}

/// Whether this scope holds any device.
///
/// # Errors
/// SQLite's.
pub fn any_device(connection: &Connection, scope: &Scope) -> rusqlite::Result<bool> {
    let mut query = Query::new("SELECT 1 FROM devices d WHERE d.deleted_ms IS NULL AND");
    query.append(&crate::scope::devices(scope, "d"));
    query.push("LIMIT 1", []);
    Ok(query.first(connection, |_| Ok(()))?.is_some())
}
