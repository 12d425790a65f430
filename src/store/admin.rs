//! Backup, restore, check and size of the file, all through SQLite's own means.

use super::chain::hex;
use super::error::StoreError;
use super::open::{self, beside, private_dir, private_file};
use super::verify::{self, Problem, ProblemKind};
use super::{Store, StoreOptions, uint};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `db check` found.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// What SQLite's integrity check says; empty when it is content.
    pub integrity: Vec<String>,
    /// Rows whose reference leads nowhere, as `table → table`.
    pub foreign_keys: Vec<String>,
    /// What the chains and the derived tables show.
    pub problems: Vec<Problem>,
    /// Cases looked at.
    pub cases: u64,
    /// Events looked at.
    pub events: u64,
}

impl CheckReport {
    /// True when nothing is wrong; notices do not count.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.integrity.is_empty()
            && self.foreign_keys.is_empty()
            && self.problems.iter().all(|p| p.kind == ProblemKind::Notice)
    }
}

/// What takes space.
#[derive(Clone, Debug, Serialize)]
pub struct SizeReport {
    /// Bytes of the file.
    pub file: u64,
    /// Bytes of the write-ahead log beside it.
    pub wal: u64,
    /// Bytes of free pages inside the file.
    pub free: u64,
    /// Bytes of the backups beside it.
    pub backups: u64,
    /// Cases.
    pub cases: u64,
    /// Events and the bytes of their bodies.
    pub events: (u64, u64),
    /// Pieces of evidence and the bytes of their raw forms.
    pub evidence: (u64, u64),
    /// Answers kept and their bytes.
    pub cache: (u64, u64),
    /// Rows of the full-text search and the bytes of their text.
    pub search: (u64, u64),
}

/// Copies a database into a new file of mode 0600. The name must be free.
fn copy_out(from: &Connection, to: &Path) -> Result<(), StoreError> {
    private_file(to)?;
    let copied = (|| {
        let mut target = open::connect(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        copy(from, &mut target)?;
        // A backup is one file: no write-ahead log beside it.
        target.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()))?;
        target.close().map_err(|(_, e)| StoreError::from(e))
    })();
    if copied.is_err() {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let _ = std::fs::remove_file(beside(to, suffix));
        }
    }
    copied.map_err(|e: StoreError| e.at(to))
}

/// Copies all pages in one step, so that what is copied is one state; waits for others up to 5 s.
fn copy(from: &Connection, to: &mut Connection) -> Result<(), StoreError> {
    let backup = Backup::new(from, to)?;
    for _ in 0..100 {
        match backup.step(-1)? {
            StepResult::Done => return Ok(()),
            _ => std::thread::sleep(Duration::from_millis(50)),
        }
    }
    Err(StoreError::Busy)
}

/// A backup into `backups/` beside the file, under a name that says what it is of.
pub(crate) fn backup_beside(
    connection: &Connection,
    path: &Path,
    label: &str,
) -> Result<PathBuf, StoreError> {
    let dir = backups_dir(path);
    private_dir(&dir)?;
    let stem = path
        .file_stem()
        .map_or_else(|| "database".into(), |s| s.to_string_lossy().into_owned());
    // A clock that no calendar reaches is no reason to have no backup.
    let now = jiff::Timestamp::try_from(std::time::SystemTime::now())
        .unwrap_or(jiff::Timestamp::MAX)
        .strftime("%Y%m%dT%H%M%SZ");
    let mut random = [0_u8; 2];
    getrandom::fill(&mut random)
        .map_err(|e| StoreError::Other(format!("no random numbers: {e}")))?;
    let to = dir.join(format!("{stem}-{label}-{now}-{}.db", hex(&random)));
    copy_out(connection, &to)?;
    Ok(to)
}

fn backups_dir(path: &Path) -> PathBuf {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir.join("backups"),
        _ => PathBuf::from("backups"),
    }
}

/// Opens a backup for reading and says whether it is whole and of a known format.
fn examine(from: &Path) -> Result<Connection, StoreError> {
    open::look_at(from)?;
    let connection = open::connect(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    open::probe(&connection, from)?;
    let found = integrity(&connection)?;
    if let Some(first) = found.first() {
        return Err(StoreError::Corrupt {
            path: from.to_path_buf(),
            detail: first.clone(),
        });
    }
    Ok(connection)
}

fn integrity(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
    let lines: Vec<String> = statement
        .query_map([], |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(lines.into_iter().filter(|l| l != "ok").collect())
}

impl Store {
    /// Copies the database into a new file while others work on it.
    ///
    /// # Errors
    /// The name is taken, or the copy failed (then nothing is left under the name).
    pub fn backup(&self, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Refused(format!(
                "{} exists; a backup never overwrites",
                to.display()
            )));
        }
        let shared = self.shared();
        let connection = open::reader(&shared.path, shared.read_only, false)?;
        copy_out(&connection, to)
    }

    /// Replaces the content by that of a backup, after checking it and after a backup of the present
    /// content, whose path is returned. Other processes see the change as one transaction.
    ///
    /// # Errors
    /// The backup is damaged or newer, a turn runs, or the copy failed.
    pub fn restore(
        &self,
        from: &Path,
        principal: &str,
        now_ms: i64,
    ) -> Result<PathBuf, StoreError> {
        let source = examine(from).map_err(|e| e.at(from))?;
        let running = self.read(|r| {
            let cases = r.list_cases(&super::CaseFilter {
                deleted: true,
                ..super::CaseFilter::default()
            })?;
            Ok(cases.into_iter().find(|c| c.running))
        })?;
        if let Some(case) = running {
            return Err(StoreError::CaseBusy {
                case: case.short,
                pid: None,
            });
        }
        let (path, key) = (self.path().to_path_buf(), self.shared().key.clone());
        self.drop_readers();
        let kept = self.on_writer(move |connection| {
            let kept = backup_beside(connection, &path, "before-restore")?;
            copy(&source, connection)?;
            open::settle(connection)?;
            super::migrate::run(connection, None, &key)?;
            Ok(kept)
        })?;
        let (from, principal) = (from.display().to_string(), principal.to_owned());
        self.write(move |tx| tx.audit(now_ms, "restore", None, &principal, &from))?;
        Ok(kept)
    }

    /// Examines the whole file: pages, references, chains, derived tables.
    ///
    /// # Errors
    /// The file cannot be read at all.
    pub fn check(&self) -> Result<CheckReport, StoreError> {
        self.read(|r| {
            let integrity = integrity(r.conn)?;
            let mut statement = r.conn.prepare("PRAGMA foreign_key_check")?;
            let foreign_keys: Vec<String> = statement
                .query_map([], |row| {
                    Ok(format!(
                        "{} → {}",
                        row.get::<_, String>(0)?,
                        row.get::<_, String>(2)?
                    ))
                })?
                .collect::<Result<_, _>>()?;
            let verified = verify::all(r)?;
            Ok(CheckReport {
                integrity,
                foreign_keys,
                problems: verified.problems,
                cases: verified.cases,
                events: verified.events,
            })
        })
    }

    /// What takes space.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn size(&self) -> Result<SizeReport, StoreError> {
        let path = self.path().to_path_buf();
        let length = |p: &Path| std::fs::metadata(p).map_or(0, |m| m.len());
        let backups = std::fs::read_dir(backups_dir(&path)).map_or(0, |entries| {
            entries
                .flatten()
                .filter_map(|e| e.metadata().ok())
                .map(|m| m.len())
                .sum()
        });
        self.read(|r| {
            let pair = |sql: &str| {
                r.conn
                    .query_row(sql, [], |row| Ok((uint(row.get(0)?), uint(row.get(1)?))))
            };
            let pragma = |name: &str| {
                r.conn
                    .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                    .map(uint)
            };
            Ok(SizeReport {
                file: length(&path),
                wal: length(&beside(&path, "-wal")),
                free: pragma("freelist_count")?.saturating_mul(pragma("page_size")?),
                backups,
                cases: pair("SELECT count(*), 0 FROM cases")?.0,
                events: pair("SELECT count(*), ifnull(sum(length(CAST(body AS BLOB))), 0) FROM events")?,
                evidence: pair(
                    "SELECT count(*), ifnull(sum(length(CAST(raw AS BLOB)) + length(CAST(meta AS BLOB))), 0) FROM evidence",
                )?,
                cache: pair("SELECT count(*), ifnull(sum(length(CAST(outcome AS BLOB))), 0) FROM cache")?,
                search: pair(
                    "SELECT count(*), ifnull(sum(length(CAST(c0 AS BLOB))), 0) FROM search_content",
                )?,
            })
        })
    }

    /// Moves everything out of the write-ahead log and gives free pages back to the disk.
    ///
    /// # Errors
    /// Another process reads or writes for longer than the wait.
    pub fn compact(&self) -> Result<(), StoreError> {
        self.drop_readers();
        self.on_writer(|connection| {
            connection.execute_batch("VACUUM")?;
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(())
        })
    }

    /// Moves everything out of the write-ahead log, so that what was purged is in no file any more. Best
    /// effort: a reader in another process may hold it until it ends.
    pub(crate) fn empty_wal(&self) -> Result<(), StoreError> {
        self.drop_readers();
        self.on_writer(|connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(())
        })
    }
}

/// Restores a backup where the present file may be damaged. A file that can be opened is replaced with
/// [`Store::restore`]; one that cannot is moved aside, never removed. Returns where the old content is now;
/// `None` when there was no file.
///
/// # Errors
/// The backup is damaged or newer, or the files cannot be written.
pub fn restore_file(
    path: &Path,
    from: &Path,
    options: StoreOptions,
    principal: &str,
    now_ms: i64,
) -> Result<Option<PathBuf>, StoreError> {
    let source = examine(from).map_err(|e| e.at(from))?;
    match Store::open(path, options.clone()) {
        Ok(store) => return store.restore(from, principal, now_ms).map(Some),
        Err(StoreError::Corrupt { .. } | StoreError::Newer { .. }) => {}
        Err(other) => return Err(other),
    }
    let mut random = [0_u8; 4];
    getrandom::fill(&mut random)
        .map_err(|e| StoreError::Other(format!("no random numbers: {e}")))?;
    let aside = beside(path, &format!(".damaged-{}", hex(&random)));
    let fresh = beside(path, &format!(".new-{}", hex(&random)));
    copy_out(&source, &fresh)?;
    for suffix in ["-wal", "-shm", ""] {
        let old = beside(path, suffix);
        if old.exists() {
            std::fs::rename(&old, beside(&aside, suffix)).map_err(|e| StoreError::io(&old, &e))?;
        }
    }
    open::place(&fresh, path)?;
    let _ = std::fs::remove_file(&fresh);
    let store = Store::open(path, options)?;
    let (from, principal) = (from.display().to_string(), principal.to_owned());
    store.write(move |tx| tx.audit(now_ms, "restore", None, &principal, &from))?;
    Ok(Some(aside))
}
