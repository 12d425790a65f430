//! One running turn a case, over all processes: an operating-system file lock that dies with its process.

use super::Store;
use super::error::StoreError;
use super::id::CaseId;
use super::open::private_dir;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Held for as long as a turn runs; dropping it, or the end of the process, lets go.
#[derive(Debug)]
pub struct TurnLock {
    file: File,
}

impl Drop for TurnLock {
    fn drop(&mut self) {
        // The file stays: removing it would let two processes lock two different files of one name.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

impl Store {
    /// Takes the case's lock for a turn.
    ///
    /// # Errors
    /// [`StoreError::CaseBusy`] when a turn of the case runs, in this process or another.
    pub fn lock_turn(&self, case: &CaseId) -> Result<TurnLock, StoreError> {
        if self.is_read_only() {
            return Err(StoreError::ReadOnly {
                path: self.path().to_path_buf(),
            });
        }
        let path = lock_path(self.shared().dir(), case);
        if let Some(dir) = path.parent() {
            private_dir(dir)?;
        }
        let mut file = open_lock(&path, true).map_err(|e| StoreError::io(&path, &e))?;
        // A look by `is_running` holds the lock for an instant; it must not count as a turn.
        for attempt in 0..5 {
            match file.try_lock() {
                Ok(()) => {
                    let pid = std::process::id().to_string();
                    let noted = file
                        .set_len(0)
                        .and_then(|()| file.seek(SeekFrom::Start(0)))
                        .and_then(|_| file.write_all(pid.as_bytes()));
                    // The number is for the message of others only; a full disk must not stop a turn here.
                    drop(noted);
                    return Ok(TurnLock { file });
                }
                Err(TryLockError::WouldBlock) if attempt < 4 => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(e)) => return Err(StoreError::io(&path, &e)),
            }
        }
        Err(StoreError::CaseBusy {
            case: case.short().to_owned(),
            pid: holder(&mut file),
        })
    }

    /// True while a turn of the case runs, in this process or another.
    #[must_use]
    pub fn is_running(&self, case: &CaseId) -> bool {
        locked(self.shared().dir(), case)
    }
}

/// Whether somebody holds the lock of a case.
pub(crate) fn locked(dir: &Path, case: &CaseId) -> bool {
    let Ok(file) = open_lock(&lock_path(dir, case), false) else {
        return false;
    };
    match file.try_lock_shared() {
        Ok(()) => {
            let _ = file.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

/// Takes the lock file of a purged case away. The caller holds the lock.
pub(crate) fn remove(dir: &Path, case: &CaseId) {
    let _ = std::fs::remove_file(lock_path(dir, case));
}

fn lock_path(dir: &Path, case: &CaseId) -> PathBuf {
    dir.join("locks").join(format!("{case}.lock"))
}

fn open_lock(path: &Path, create: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(create).create(create);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(16).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
