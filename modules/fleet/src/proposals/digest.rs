//! The fingerprint over everything that would happen. It is computed from the values that are written, and
//! again from the rows for the card and when a person approves: a row that was changed in between, by whatever
//! path, gives another.

use super::ledger::Kind;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// A SHA-256 over values, each behind a mark and its length, so that no two inputs give the same bytes.
pub(crate) struct Print(Sha256);

impl Print {
    pub(crate) fn new(what: &str) -> Self {
        let mut print = Self(Sha256::new());
        print
            .bytes(b"rmm-analyst proposal 1")
            .bytes(what.as_bytes());
        print
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update([b't']);
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
        self
    }

    pub(crate) fn value(&mut self, value: &Value) -> &mut Self {
        match value {
            Value::Null => self.0.update([b'0']),
            Value::Integer(n) => {
                self.0.update([b'n']);
                self.0.update(n.to_be_bytes());
            }
            Value::Real(x) => {
                self.0.update([b'r']);
                self.0.update(x.to_bits().to_be_bytes());
            }
            Value::Text(text) => {
                self.bytes(text.as_bytes());
            }
            Value::Blob(bytes) => {
                self.0.update([b'b']);
                self.bytes(bytes);
            }
        }
        self
    }

    fn row(&mut self, row: &[Value]) {
        self.0.update([b'(']);
        for value in row {
            self.value(value);
        }
        self.0.update([b')']);
    }

    pub(crate) fn hex(self) -> String {
        let mut out = String::with_capacity(64);
        for byte in self.0.finalize() {
            let _ = write!(out, "{byte:02x}");
        }
        out
    }
}

/// Where the rows of a kind stand: the table, the columns that say what would happen, and the same of its
/// targets.
struct Place {
    table: &'static str,
    columns: &'static str,
    targets: Option<(&'static str, &'static str, &'static str)>,
}

const fn place(kind: Kind) -> Place {
    match kind {
        Kind::Job => Place {
            table: "jobs",
            columns: "backend, client_id, kind, title, shell, body, params, effect, timeout_s, canary, target_count, batch",
            targets: Some(("job_targets", "job_id", "device_id, stage, state_hash")),
        },
        Kind::Operation => Place {
            table: "device_operations",
            columns: "backend, kind, dest_site_id, dest_department_id, device_count",
            targets: Some((
                "device_operation_targets",
                "operation_id",
                "device_id, state_hash",
            )),
        },
        Kind::Task => Place {
            table: "tasks",
            columns: "name, client_id, site_id, device_id, schedule, shell, body, timeout_s",
            targets: None,
        },
        Kind::Check => Place {
            table: "checks",
            columns: "name, client_id, site_id, device_id, kind, settings, warning, error, fails_before_alert, every_s",
            targets: None,
        },
        Kind::Policy => Place {
            table: "policies",
            columns: "name, client_id, site_id, device_id, settings",
            targets: None,
        },
        // What would be stopped, and what it would have run.
        Kind::Cancel => Place {
            table: "jobs",
            columns: "id, digest",
            targets: None,
        },
    }
}

/// Everything that a proposal is about, as values: what is hashed is what is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    kind: Kind,
    /// The columns of the row, in the order of its table here.
    head: Vec<Value>,
    /// The same of each target, by device.
    targets: Vec<Vec<Value>>,
}

impl Content {
    /// `targets` begin with the device's id.
    pub(crate) fn new(kind: Kind, head: Vec<Value>, mut targets: Vec<Vec<Value>>) -> Self {
        targets.sort_by_key(|t| match t.first() {
            Some(Value::Integer(id)) => *id,
            _ => 0,
        });
        Self {
            kind,
            head,
            targets,
        }
    }

    /// The rows as they stand now; `None` where there is none.
    ///
    /// # Errors
    /// SQLite's.
    pub(crate) fn read(
        connection: &Connection,
        kind: Kind,
        subject: i64,
    ) -> rusqlite::Result<Option<Self>> {
        let place = place(kind);
        let read = |row: &rusqlite::Row<'_>, n: usize| (0..n).map(|at| row.get(at)).collect();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {} FROM {} WHERE id = ?1",
            place.columns, place.table
        ))?;
        let n = statement.column_count();
        let head: Option<Vec<Value>> = statement
            .query_row([subject], |row| read(row, n))
            .optional()?;
        let Some(head) = head else { return Ok(None) };
        let mut targets = Vec::new();
        if let Some((table, key, columns)) = place.targets {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {columns} FROM {table} WHERE {key} = ?1 ORDER BY device_id"
            ))?;
            let n = statement.column_count();
            targets = statement
                .query_map([subject], |row| read(row, n))?
                .collect::<Result<_, _>>()?;
        }
        Ok(Some(Self {
            kind,
            head,
            targets,
        }))
    }

    /// How many targets there are.
    pub(crate) const fn targets(&self) -> usize {
        self.targets.len()
    }

    /// Whether it is a device operation that deletes.
    pub(crate) fn deletes(&self) -> bool {
        self.kind == Kind::Operation
            && matches!(self.head.get(1), Some(Value::Text(kind)) if kind == "delete")
    }

    /// The digest, hex.
    pub(crate) fn digest(&self) -> String {
        let mut print = Print::new(self.kind.name());
        print.row(&self.head);
        for target in &self.targets {
            print.row(target);
        }
        print.hex()
    }

    /// Writes the row with these columns besides, and its targets; gives its id.
    pub(crate) fn write(
        &self,
        connection: &Connection,
        more: &[(&str, Value)],
    ) -> rusqlite::Result<i64> {
        let place = place(self.kind);
        let mut columns = place.columns.to_owned();
        let mut values = self.head.clone();
        for (name, value) in more {
            columns.push_str(", ");
            columns.push_str(name);
            values.push(value.clone());
        }
        let marks = vec!["?"; values.len()].join(", ");
        connection
            .prepare_cached(&format!(
                "INSERT INTO {} ({columns}) VALUES ({marks})",
                place.table
            ))?
            .execute(params_from_iter(&values))?;
        let id = connection.last_insert_rowid();
        if let Some((table, key, columns)) = place.targets {
            let marks = vec!["?"; columns.split(',').count()].join(", ");
            let mut statement = connection.prepare_cached(&format!(
                "INSERT INTO {table} ({key}, {columns}) VALUES (?, {marks})"
            ))?;
            for target in &self.targets {
                statement.execute(params_from_iter(
                    std::iter::once(&Value::Integer(id)).chain(target),
                ))?;
            }
        }
        Ok(id)
    }
}
