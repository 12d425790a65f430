//! Opening the file: creation, checks before the first write, connection settings.
//!
//! The file is never opened with plain I/O: closing such a handle would drop SQLite's POSIX locks on it.

use super::chain::ChainKey;
use super::error::StoreError;
use super::migrate;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a statement waits for another process. SQLite keeps no queue: of fifty processes that begin at once on a
/// busy machine, the unlucky one waits longer than five seconds.
const BUSY: Duration = Duration::from_secs(20);

/// `RMMA`, in the file's header: tells our files from those of other programs.
pub(crate) const APPLICATION_ID: i32 = 0x524D_4D41;

/// An opened file.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) immutable: bool,
}

/// Opens, creating and migrating unless `read_only`.
pub(crate) fn open(path: &Path, read_only: bool, key: &ChainKey) -> Result<Opened, StoreError> {
    if read_only {
        return open_read_only(path);
    }
    let dir = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    private_dir(dir)?;
    if missing(path)? {
        create(path, dir, key)?;
    }
    look_at(path)?;
    tighten(path);
    let writable = || connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let connection = (|| {
        let connection = writable()?;
        // Until the file is known to be ours, closing it must not change it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        probe(&connection, path)?;
        if connection.is_readonly("main")? {
            return Err(StoreError::ReadOnly {
                path: path.to_path_buf(),
            });
        }
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        Ok(connection)
    })()
    .map_err(|e| read_only_dir(e, dir, path))?;
    let mut connection = connection;
    (|| {
        settle(&connection)?;
        migrate::run(&mut connection, Some(path), key)
    })()
    .map_err(|e| read_only_dir(e, dir, path))?;
    Ok(Opened {
        connection,
        immutable: false,
    })
}

/// A connection for [`super::Store::read`].
pub(crate) fn reader(
    path: &Path,
    read_only: bool,
    immutable: bool,
) -> Result<Connection, StoreError> {
    if immutable {
        return connect_immutable(path);
    }
    // A read-write handle that refuses to write: a read-only one could not repair a WAL left by a crash.
    let flags = if read_only {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    } else {
        OpenFlags::SQLITE_OPEN_READ_WRITE
    };
    let connection = connect(path, flags)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn open_read_only(path: &Path) -> Result<Opened, StoreError> {
    if missing(path)? {
        return Err(StoreError::NotFound(format!(
            "database at {}",
            path.display()
        )));
    }
    look_at(path)?;
    let first = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(|c| {
        let version = probe(&c, path)?;
        Ok((c, version, false))
    });
    let (connection, version, immutable) = match first {
        // WAL needs two files beside the database; where they cannot be made and none holds anything,
        // the file can be read as it stands.
        Err(StoreError::Permission { .. } | StoreError::ReadOnly { .. }) if !has_wal(path) => {
            let c = connect_immutable(path)?;
            let version = probe(&c, path)?;
            (c, version, true)
        }
        other => other?,
    };
    if version < migrate::KNOWN_VERSION {
        return Err(StoreError::Refused(format!(
            "the database is of the older format {version}; open it once with write access, so that it can be brought up to date"
        )));
    }
    connection.pragma_update(None, "query_only", true)?;
    Ok(Opened {
        connection,
        immutable,
    })
}

fn has_wal(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|m| m.len() > 0)
}

/// The path with something added to its last part.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn connect_immutable(path: &Path) -> Result<Connection, StoreError> {
    let text = path.to_string_lossy();
    let encoded = percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%2F", "/");
    let uri = PathBuf::from(format!("file:{encoded}?immutable=1"));
    connect(
        &uri,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
    )
}

pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Settings of a writing connection.
pub(crate) fn settle(connection: &Connection) -> Result<(), StoreError> {
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "wal", |r| r.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(StoreError::Other(format!(
            "the file system gives no write-ahead log (journal mode {mode})"
        )));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "recursive_triggers", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Purged text must not stay in free pages.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", 16 << 20, |_| Ok(()))?;
    Ok(())
}

/// Reads the header and the schema, and says whether the file is one of ours and its format.
pub(crate) fn probe(connection: &Connection, path: &Path) -> Result<u32, StoreError> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |r| r.get(0))?;
    let version: u32 = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
    if application != APPLICATION_ID {
        return Err(StoreError::Corrupt {
            path: path.to_path_buf(),
            detail: "it is a database of another program".into(),
        });
    }
    if version > migrate::KNOWN_VERSION {
        return Err(StoreError::Newer {
            found: version,
            known: migrate::KNOWN_VERSION,
            path: path.to_path_buf(),
        });
    }
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(version)
}

fn missing(path: &Path) -> Result<bool, StoreError> {
    match std::fs::metadata(path) {
        Ok(_) => Ok(false),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(e) => Err(StoreError::io(path, &e)),
    }
}

/// What can be told without opening the file. Ours is never empty: it is made whole under another name.
pub(crate) fn look_at(path: &Path) -> Result<(), StoreError> {
    let meta = std::fs::metadata(path).map_err(|e| StoreError::io(path, &e))?;
    let detail = if meta.is_dir() {
        "it is a directory"
    } else if meta.len() == 0 {
        "the file is empty (cut off, or made by something else)"
    } else {
        return Ok(());
    };
    Err(StoreError::Corrupt {
        path: path.to_path_buf(),
        detail: detail.into(),
    })
}

/// Makes a directory that only its owner may enter; one that exists is left as it is.
pub(crate) fn private_dir(dir: &Path) -> Result<(), StoreError> {
    if dir.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(|e| StoreError::io(dir, &e))
}

/// An empty file that only its owner may read. Fails when the name is taken.
pub(crate) fn private_file(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .map(drop)
        .map_err(|e| StoreError::io(path, &e))
}

/// Takes the rights of group and others away; what is not ours to change stays.
fn tighten(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if let Ok(meta) = std::fs::metadata(path)
            && meta.permissions().mode() & 0o077 != 0
        {
            let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Makes a whole new database under another name and links it into place, so that no process ever sees
/// half of one and two processes that start together end on the same file.
fn create(path: &Path, dir: &Path, key: &ChainKey) -> Result<(), StoreError> {
    let mut random = [0_u8; 8];
    getrandom::fill(&mut random)
        .map_err(|e| StoreError::Other(format!("no random numbers: {e}")))?;
    let fresh = beside(path, &format!(".new-{}", super::chain::hex(&random)));
    sweep(path, dir);
    private_file(&fresh)?;
    let made = (|| {
        let mut connection = connect(&fresh, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        settle(&connection)?;
        migrate::run(&mut connection, None, key)?;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.close().map_err(|(_, e)| StoreError::from(e))?;
        place(&fresh, path)
    })();
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(&fresh, suffix));
    }
    #[cfg(unix)]
    if let Ok(handle) = std::fs::File::open(dir) {
        let _ = handle.sync_all();
    }
    #[cfg(not(unix))]
    let _ = dir;
    made
}

/// Takes away what a process that was killed while it made a database left: older than an hour, so that
/// none that is being made is hit.
fn sweep(path: &Path, dir: &Path) {
    let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
        return;
    };
    let prefix = format!("{name}.new-");
    let old = |e: &std::fs::DirEntry| {
        let age = e.metadata().ok()?.modified().ok()?.elapsed().ok()?;
        Some(age > Duration::from_secs(3600))
    };
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let ours = entry
            .file_name()
            .to_str()
            .is_some_and(|n| n.starts_with(&prefix));
        if ours && old(&entry) == Some(true) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Gives `fresh` the name `path` unless that name is taken; then the other one stands.
pub(crate) fn place(fresh: &Path, path: &Path) -> Result<(), StoreError> {
    match std::fs::hard_link(fresh, path) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        // File systems without links: the window between the look and the rename is accepted.
        Err(_) if missing(path)? => {
            std::fs::rename(fresh, path).map_err(|e| StoreError::io(path, &e))
        }
        Err(_) => Ok(()),
    }
}

/// SQLite says "unable to open" where it cannot make its files beside the database.
fn read_only_dir(error: StoreError, dir: &Path, path: &Path) -> StoreError {
    if !matches!(error, StoreError::Permission { .. }) {
        return error;
    }
    let probe = dir.join(format!(".rmm-analyst-probe-{}", std::process::id()));
    match private_file(&probe) {
        Ok(()) => {
            let _ = std::fs::remove_file(&probe);
            error
        }
        Err(StoreError::Permission { .. } | StoreError::ReadOnly { .. }) if readable(path) => {
            StoreError::ReadOnly {
                path: path.to_path_buf(),
            }
        }
        Err(_) => error,
    }
}

/// True when the file can be read as it stands. Asked through SQLite, never with plain I/O.
fn readable(path: &Path) -> bool {
    connect_immutable(path).is_ok_and(|c| probe(&c, path).is_ok())
}
