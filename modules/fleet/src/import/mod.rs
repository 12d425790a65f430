//! Devices, their software and their missing patches from files that a person brings.
//!
//! Rows stream: whatever the size of a file, what is held is one row (at most [`ROW_MAX`] bytes), a few small
//! tables of names, and what SQLite keeps on the disk. Everything happens in the caller's transaction, which
//! the caller rolls back when a row is bad: a file is taken whole or not at all.
//!
//! * `rows` – CSV and JSON as rows of known columns.
//! * `devices`, `software`, `patches` – what a row of each kind means.

mod devices;
mod patches;
mod rows;
mod software;

use crate::model::{ActResult, ClientId, DepartmentId, DeviceId, SiteId};
use crate::proposals::{Acting, Note, ProposalError};
use crate::scope;
use crate::sql::{Query, int, text};
use kit::principal::Permission;
use rows::{Next, Row};
use rusqlite::{OptionalExtension, params};
use std::collections::HashMap;
use std::io::Read;

/// The longest row of a file, bytes: what is longer is a quote that nobody closed.
pub const ROW_MAX: usize = 1 << 20;

/// How many bad rows are told in words; all are counted.
pub const BAD_SHOWN: usize = 20;

/// How many names a table in memory holds before it is emptied.
const NAMES_MAX: usize = 50_000;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A header, then rows; separated by comma, semicolon or tab.
    Csv,
    /// An array of objects, or one object after another.
    Json,
}

/// What the rows of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Devices.
    Devices,
    /// Installed software; replaces what is known of the devices that occur.
    Software,
    /// Missing patches; replaces what is known of the devices that occur.
    Patches,
}

impl What {
    /// The columns; those that a file must have come first.
    #[must_use]
    pub const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Devices => devices::COLUMNS,
            Self::Software => software::COLUMNS,
            Self::Patches => patches::COLUMNS,
        }
    }

    const fn required(self) -> usize {
        match self {
            Self::Devices => 1,
            Self::Software | Self::Patches => 2,
        }
    }

    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Devices => "devices",
            Self::Software => "software",
            Self::Patches => "patches",
        }
    }
}

/// A file to be taken in.
pub struct Input<'a> {
    /// What its rows are.
    pub what: What,
    /// How it is written.
    pub format: Format,
    /// Its bytes.
    pub read: Box<dyn Read + 'a>,
}

/// A row that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// In which file.
    pub what: What,
    /// Line of a CSV file, number of the entry of a JSON file; from 1.
    pub at: u64,
    /// `line` or `entry`.
    pub unit: &'static str,
    /// Why not. May hold text of the file: untrusted.
    pub why: String,
}

/// What a file of devices came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows of devices that were taken.
    pub devices: u64,
    /// Devices made.
    pub created: u64,
    /// Devices of which something changed.
    pub updated: u64,
    /// Clients, sites and departments made.
    pub places: u64,
    /// Rows of software that were taken.
    pub software: u64,
    /// Installations that are new.
    pub software_added: u64,
    /// Installations that are gone.
    pub software_removed: u64,
    /// Rows of patches that were taken.
    pub patches: u64,
    /// Patches that are newly missing on a device.
    pub patches_added: u64,
    /// Bad rows.
    pub bad: u64,
    /// The first of them.
    pub bad_rows: Vec<BadRow>,
}

/// Why a file cannot be taken at all.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The permission is missing.
    #[error("importing needs the permission {0}, which you do not have")]
    Denied(Permission),
    /// A column that nothing reads. Holds text of the file.
    #[error("the file of {} has a column `{column}` that is not known", what.name())]
    UnknownColumn {
        /// Which file.
        what: What,
        /// The column.
        column: String,
    },
    /// A column stands in the header twice. Holds text of the file.
    #[error("the file of {} has the column `{column}` twice", what.name())]
    TwiceColumn {
        /// Which file.
        what: What,
        /// The column.
        column: String,
    },
    /// A column is missing.
    #[error("the file of {} has no column `{column}`", what.name())]
    MissingColumn {
        /// Which file.
        what: What,
        /// The column.
        column: &'static str,
    },
    /// The file cannot be read on. May hold text of the file.
    #[error("the file of {} cannot be read{}: {why}", what.name(), if *at > 0 { format!(" after {unit} {at}") } else { String::new() })]
    Broken {
        /// Which file.
        what: What,
        /// The last row that was read; 0: none.
        at: u64,
        /// `line` or `entry`.
        unit: &'static str,
        /// Why not.
        why: String,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] ProposalError),
}

impl From<rusqlite::Error> for ImportError {
    fn from(e: rusqlite::Error) -> Self {
        Self::Store(e.into())
    }
}

/// What becomes of one row.
enum RowError {
    Bad(String),
    Stop(ImportError),
}

impl From<rusqlite::Error> for RowError {
    fn from(e: rusqlite::Error) -> Self {
        Self::Stop(e.into())
    }
}

fn bad<T>(why: impl Into<String>) -> Result<T, RowError> {
    Err(RowError::Bad(why.into()))
}

/// A cell as a message repeats it.
fn cell(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if text.chars().nth(60).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

/// Takes files in, in the order given. The caller rolls back where [`Report::bad`] is not 0 and bad rows are
/// not to be skipped. `progress` hears of every thousandth row.
///
/// # Errors
/// [`ImportError`]: roll back.
pub fn run<'a>(
    acting: &Acting<'_>,
    inputs: impl IntoIterator<Item = Input<'a>>,
    progress: &mut dyn FnMut(What, u64),
) -> Result<Report, ImportError> {
    // Made by the people who make clients and move devices.
    if !acting.ctx.principal.allow(Permission::ClientsManage) {
        acting
            .audit(&Note::new(
                "device.import",
                ActResult::Refused,
                "",
                serde_json::json!({ "permission": Permission::ClientsManage.name() }),
            ))
            .map_err(ProposalError::from)?;
        return Err(ImportError::Denied(Permission::ClientsManage));
    }
    let places = count_places(acting)?;
    let mut import = Import {
        acting,
        report: Report::default(),
        found: HashMap::new(),
    };
    for input in inputs {
        import.file(input, progress)?;
    }
    let mut report = import.report;
    report.places = count_places(acting)?.saturating_sub(places);
    acting
        .audit(&Note::new(
            "device.import",
            ActResult::Ok,
            "",
            serde_json::json!({
                "devices": report.devices, "created": report.created, "updated": report.updated,
                "places": report.places, "software": report.software, "patches": report.patches,
                "bad_rows": report.bad,
            }),
        ))
        .map_err(ProposalError::from)?;
    Ok(report)
}

fn count_places(acting: &Acting<'_>) -> rusqlite::Result<u64> {
    Query::new("SELECT (SELECT count(*) FROM clients) + (SELECT count(*) FROM sites) + (SELECT count(*) FROM departments)")
        .count(acting.connection())
}

/// One run over one or more files.
struct Import<'a> {
    acting: &'a Acting<'a>,
    report: Report,
    /// Devices by client and host name as written, for files whose rows name the same device over and over.
    found: HashMap<(String, String), DeviceId>,
}

impl Import<'_> {
    fn file(
        &mut self,
        input: Input<'_>,
        progress: &mut dyn FnMut(What, u64),
    ) -> Result<(), ImportError> {
        let what = input.what;
        // Nobody else reads these: they live and end with the connection's transaction.
        self.acting.connection().execute_batch(
            "DROP TABLE IF EXISTS temp.import_seen; DROP TABLE IF EXISTS temp.import_rows;
             CREATE TEMP TABLE import_seen (device_id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
             CREATE TEMP TABLE import_rows (device_id INTEGER, a INTEGER, b INTEGER, PRIMARY KEY (device_id, a, b)) WITHOUT ROWID;",
        )?;
        let mut names = software::Names::default();
        let mut n = 0_u64;
        rows::each(input, &mut |unit, next| {
            n += 1;
            if n.is_multiple_of(1000) {
                progress(what, n);
            }
            let (at, done) = match next {
                Next::Bad(at, why) => (at, Err(RowError::Bad(why))),
                Next::Row(row) => (row.at, self.row(what, &row, &mut names)),
            };
            match done {
                Ok(()) => Ok(()),
                Err(RowError::Stop(e)) => Err(e),
                Err(RowError::Bad(why)) => {
                    self.report.bad += 1;
                    if self.report.bad_rows.len() < BAD_SHOWN {
                        self.report.bad_rows.push(BadRow {
                            what,
                            at,
                            unit,
                            why,
                        });
                    }
                    Ok(())
                }
            }
        })?;
        progress(what, n);
        match what {
            What::Devices => {}
            What::Software => software::apply(self)?,
            What::Patches => patches::apply(self)?,
        }
        self.acting
            .connection()
            .execute_batch("DROP TABLE temp.import_seen; DROP TABLE temp.import_rows;")?;
        Ok(())
    }

    fn row(&mut self, what: What, row: &Row, names: &mut software::Names) -> Result<(), RowError> {
        // A value of the program's own configuration would stand in the inventory, the audit and every copy of them.
        let redactor = self.acting.redactor;
        if row.cells().any(|cell| redactor.redact_always(cell) != cell) {
            return bad("it holds a secret of this installation");
        }
        match what {
            What::Devices => devices::take(self, row),
            What::Software => software::take(self, row, names),
            What::Patches => patches::take(self, row),
        }
    }

    /// The device that a row of software or patches is about, inside the scope.
    fn device(&mut self, hostname: &str, client: &str) -> Result<DeviceId, RowError> {
        let key = (client.to_lowercase(), hostname.to_lowercase());
        if let Some(id) = self.found.get(&key) {
            return Ok(*id);
        }
        let found = self.devices_named(hostname, client)?;
        let [id] = found.as_slice() else {
            let name = cell(hostname);
            return bad(if found.is_empty() {
                format!("there is no device {name} here")
            } else {
                format!("several devices are called {name}: name the client")
            });
        };
        if self.found.len() >= NAMES_MAX {
            self.found.clear();
        }
        self.found.insert(key, *id);
        Ok(*id)
    }

    /// Living devices of this name inside the scope, of one client where it is named; two at most.
    fn devices_named(&self, hostname: &str, client: &str) -> rusqlite::Result<Vec<DeviceId>> {
        let mut query = Query::new("SELECT d.id FROM devices d WHERE d.deleted_ms IS NULL AND");
        query.append(&scope::devices(&self.acting.ctx.principal.scope, "d"));
        query.push(
            "AND d.hostname = ?",
            [text(crate::inventory::clean(hostname))],
        );
        if !client.is_empty() {
            query.push(
                "AND d.client_id = (SELECT id FROM clients WHERE name = ?)",
                [text(crate::inventory::clean(client))],
            );
        }
        query.push("ORDER BY d.id LIMIT 2", []);
        query.rows(self.acting.connection(), |r| r.get(0))
    }
}

/// Where somebody may put something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    client: ClientId,
    site: SiteId,
    department: Option<DepartmentId>,
}

/// The place of these names, made where it is missing and the scope holds what it is made in. What is outside
/// the scope does not exist.
fn spot(acting: &Acting<'_>, client: &str, site: &str, department: &str) -> Result<Spot, RowError> {
    let (connection, scope) = (acting.connection(), &acting.ctx.principal.scope);
    if !scope.is_all() {
        let or_unnamed = |name: &str| {
            let name = crate::inventory::clean(name);
            if name.is_empty() {
                crate::inventory::UNNAMED.to_owned()
            } else {
                name
            }
        };
        let known = |sql: &str, parent: i64, name: &str| -> rusqlite::Result<Option<i64>> {
            connection
                .prepare_cached(sql)?
                .query_row(params![name, parent], |r| r.get(0))
                .optional()
        };
        let client_name = or_unnamed(client);
        let Some(c) = known(
            "SELECT id FROM clients WHERE name = ?1 AND ?2 = 0",
            0,
            &client_name,
        )?
        else {
            return bad(format!("there is no client {} here", cell(&client_name)));
        };
        let mut seen = Query::new("SELECT count(*) FROM clients x WHERE");
        seen.append(&scope::clients(scope, "x"))
            .push("AND x.id = ?", [int(c)]);
        if seen.count(connection)? == 0 {
            return bad(format!("there is no client {} here", cell(&client_name)));
        }
        let site_name = or_unnamed(site);
        let s = known(
            "SELECT id FROM sites WHERE name = ?1 AND client_id = ?2",
            c,
            &site_name,
        )?;
        let department_name = crate::inventory::clean(department);
        let held = match s {
            None => scope.holds(c, 0, None),
            Some(s) => {
                let u = known(
                    "SELECT id FROM departments WHERE name = ?1 AND site_id = ?2",
                    s,
                    &department_name,
                )?;
                scope.holds(c, s, u)
            }
        };
        if !held {
            return bad(format!("there is no site {} here", cell(&site_name)));
        }
    }
    let placed = crate::inventory::place(connection, client, site, department, acting.ctx.now_ms)?;
    Ok(Spot {
        client: placed.client,
        site: placed.site,
        department: placed.department,
    })
}
