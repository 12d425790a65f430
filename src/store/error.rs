//! Errors of the store: each says what failed, why, and what to do.

use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// Why the store could not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Nothing has this name or number.
    #[error("there is no {0}")]
    NotFound(String),
    /// A prefix that fits several cases.
    #[error("{prefix} fits several cases")]
    Ambiguous {
        /// What was typed.
        prefix: String,
        /// Ids that it fits, at most ten.
        matches: Vec<String>,
    },
    /// Another process held the database for longer than the wait (5 s).
    #[error("the database is busy")]
    Busy,
    /// A turn of this case runs in another process (or elsewhere in this one).
    #[error("a turn of case {case} is running")]
    CaseBusy {
        /// Case id.
        case: String,
        /// The process that holds it, where it could be read.
        pid: Option<u32>,
    },
    /// The file was written by a newer program.
    #[error("the database is of format {found}, this program knows formats up to {known}")]
    Newer {
        /// Format of the file.
        found: u32,
        /// Newest format known.
        known: u32,
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged or is no database of this program. It is left as it is.
    #[error("{} is damaged or is no database of this program", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The file, its directory or this opening of it is read-only.
    #[error("the database is read-only")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// No room on the disk.
    #[error("the disk is full")]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{} cannot be opened", path.display())]
    Permission {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// Asked for something that is not allowed in this state; one sentence.
    #[error("{0}")]
    Refused(String),
    /// Anything else.
    #[error("the database failed")]
    Other(String),
}

impl StoreError {
    /// Why, in one sentence; empty where [`std::fmt::Display`] says it all.
    #[must_use]
    pub fn why(&self) -> String {
        match self {
            Self::NotFound(_) | Self::Refused(_) | Self::Newer { .. } => String::new(),
            Self::Ambiguous { matches, .. } => format!("it fits {}", matches.join(", ")),
            Self::Busy => "another process has been writing to it for more than 20 seconds".into(),
            Self::CaseBusy { pid: Some(pid), .. } => format!("process {pid} is working on it"),
            Self::CaseBusy { pid: None, .. } => "another process is working on it".into(),
            Self::Corrupt { detail, .. } | Self::Permission { detail, .. } => detail.clone(),
            Self::ReadOnly { path } => {
                format!("{} or its directory may not be written", path.display())
            }
            Self::Full { path } => format!("{} could not grow", path.display()),
            Self::Other(detail) => detail.clone(),
        }
    }

    /// What to do about it, in one sentence.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound(what) => not_found_hint(what),
            Self::Ambiguous { .. } => {
                "give more of the id, or the 8-character short id that `case list` shows".into()
            }
            Self::Busy => "try again; if it stays, look for a process that hangs".into(),
            Self::CaseBusy { .. } => {
                "wait for it to end, or work on another case; approving and denying is possible meanwhile".into()
            }
            Self::Newer { path, .. } => format!(
                "use the newer program, or restore a backup from before the update (beside {})",
                path.display()
            ),
            Self::Corrupt { .. } => {
                "the file is kept as it is; restore a backup with `rmm-analyst db restore FILE`, or name another directory with --data-dir".into()
            }
            Self::ReadOnly { .. } => "make it writable, or name another directory with --data-dir".into(),
            Self::Full { .. } => {
                "make room; nothing that was stored before is lost; `rmm-analyst db size` shows what takes space".into()
            }
            Self::Permission { .. } => "check the owner and the rights, or name another directory with --data-dir".into(),
            Self::Refused(_) => String::new(),
            Self::Other(_) => "`rmm-analyst db check` examines the file".into(),
        }
    }

    /// The stable name of the kind, for JSON.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Busy => "busy",
            Self::CaseBusy { .. } => "case_busy",
            Self::Newer { .. } => "newer",
            Self::Corrupt { .. } => "corrupt",
            Self::ReadOnly { .. } => "read_only",
            Self::Full { .. } => "full",
            Self::Permission { .. } => "permission",
            Self::Refused(_) => "refused",
            Self::Other(_) => "database",
        }
    }

    /// Puts the file's path into errors that were made where it was not known.
    #[must_use]
    pub(crate) fn at(mut self, file: &Path) -> Self {
        match &mut self {
            Self::Corrupt { path, .. }
            | Self::ReadOnly { path }
            | Self::Full { path }
            | Self::Permission { path, .. }
                if path.as_os_str().is_empty() =>
            {
                *path = file.to_path_buf();
            }
            _ => {}
        }
        self
    }

    /// A stored value that this program cannot have written.
    pub(crate) fn damaged(detail: impl Into<String>) -> Self {
        Self::Corrupt {
            path: PathBuf::new(),
            detail: detail.into(),
        }
    }

    /// An error of the operating system about a path.
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind as K;
        let path = path.to_path_buf();
        match error.kind() {
            K::StorageFull | K::QuotaExceeded | K::FileTooLarge => Self::Full { path },
            K::ReadOnlyFilesystem => Self::ReadOnly { path },
            _ => Self::Permission {
                path,
                detail: error.to_string(),
            },
        }
    }
}

/// What shows the names and numbers that there are. `what` is of this program's own words: "evidence E9 in
/// case 1a2b3c4d", "turn 9 in case …", "proposal 9", "case …".
fn not_found_hint(what: &str) -> String {
    let case = what
        .split_once(" in case ")
        .and_then(|(_, rest)| rest.split(|c: char| !c.is_ascii_hexdigit()).next())
        .filter(|case| !case.is_empty());
    match (what.split(' ').next(), case) {
        (Some("evidence"), Some(case)) => {
            format!("`rmm-analyst evidence {case}` lists the evidence of the case")
        }
        (Some("turn"), Some(case)) => format!("`rmm-analyst case show {case}` shows its turns"),
        (Some("proposal"), _) => "`rmm-analyst proposals --all` lists them".into(),
        _ => "`rmm-analyst case list --all` shows the cases".into(),
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let path = PathBuf::new();
        match &error {
            rusqlite::Error::SqliteFailure(e, message) => {
                let detail = message.clone().unwrap_or_else(|| e.to_string());
                match e.code {
                    ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Busy,
                    ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                        Self::Corrupt { path, detail }
                    }
                    ErrorCode::ReadOnly => Self::ReadOnly { path },
                    ErrorCode::DiskFull => Self::Full { path },
                    ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                        Self::Permission { path, detail }
                    }
                    // The file could not be extended or written: a limit on file size, a quota, a dying disk.
                    ErrorCode::SystemIoFailure
                        if e.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE
                            || e.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE =>
                    {
                        Self::Full { path }
                    }
                    _ => Self::Other(detail),
                }
            }
            rusqlite::Error::QueryReturnedNoRows => Self::NotFound("such row".into()),
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => Self::damaged(error.to_string()),
            _ => Self::Other(error.to_string()),
        }
    }
}
