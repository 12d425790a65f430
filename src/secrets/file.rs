//! The file of last resort: TOML, `name = "value"`, mode 0600, replaced atomically.

use secrecy::{ExposeSecret, SecretString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml_edit::DocumentMut;

/// More than this is no secrets file.
const MAX_BYTES: u64 = 1024 * 1024;

/// The value of a name. `None`: no file, or no such name in it.
pub(super) fn get(path: &Path, name: &str) -> Result<Option<SecretString>, String> {
    let Some(doc) = load(path)? else {
        return Ok(None);
    };
    match doc.get(name) {
        None => Ok(None),
        Some(item) => match item.as_str() {
            Some("") => Ok(None),
            Some(value) => Ok(Some(SecretString::from(value))),
            None => Err(format!(
                "{name} in {} is not a string: write it as {name} = \"value\"",
                path.display()
            )),
        },
    }
}

/// Sets a name, creating file and directory when needed.
pub(super) fn set(path: &Path, name: &str, value: &SecretString) -> Result<(), String> {
    let _lock = lock(path)?;
    let mut doc = load(path)?.unwrap_or_else(|| {
        let mut new = DocumentMut::new();
        new.set_trailing("");
        new.decor_mut()
            .set_prefix("# Secrets of rmm-analyst. Keep this file private (mode 0600).\n");
        new
    });
    doc[name] = toml_edit::value(value.expose_secret());
    store(path, &doc)
}

/// Removes a name; false when it was not there.
pub(super) fn remove(path: &Path, name: &str) -> Result<bool, String> {
    if load(path)?.is_none_or(|doc| !doc.contains_key(name)) {
        return Ok(false);
    }
    let _lock = lock(path)?;
    let Some(mut doc) = load(path)? else {
        return Ok(false);
    };
    let gone = doc.remove(name).is_some();
    if gone {
        store(path, &doc)?;
    }
    Ok(gone)
}

fn load(path: &Path) -> Result<Option<DocumentMut>, String> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(format!("{} cannot be opened: {e}", path.display())),
    };
    // Asked of the open file, not of the path, so that nobody can swap it in between.
    let meta = file
        .metadata()
        .map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
    if !meta.is_file() {
        return Err(format!("{} is not a file", path.display()));
    }
    private(path, &meta)?;
    if meta.len() > MAX_BYTES {
        return Err(format!("{} is larger than 1 MiB", path.display()));
    }
    let mut text = String::new();
    file.take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
    let doc = text.parse::<DocumentMut>().map_err(|e| {
        // The parser's own message quotes the line, which may hold a value. Only the place is told.
        let line = e.span().map_or(1, |s| {
            text.get(..s.start)
                .map_or(1, |t| t.matches('\n').count() + 1)
        });
        format!(
            "{} line {line} is not valid: write name = \"value\"",
            path.display()
        )
    })?;
    Ok(Some(doc))
}

#[cfg(unix)]
fn private(path: &Path, meta: &fs::Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = meta.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(format!(
        "{} can be read by others (mode {mode:04o}): run chmod 600 '{}'",
        path.display(),
        path.display()
    ))
}

#[cfg(not(unix))]
fn private(_path: &Path, _meta: &fs::Metadata) -> Result<(), String> {
    // The directory of the user's profile is private on Windows.
    Ok(())
}

/// One writer at a time, so that two `secret set` do not lose one another's value. The lock dies with the process.
fn lock(path: &Path) -> Result<File, String> {
    let dir = parent(path);
    make_dir(dir)?;
    let lock = with_suffix(path, ".lock");
    let file = private_options()
        .create(true)
        .truncate(false)
        .open(&lock)
        .map_err(|e| format!("{} cannot be created: {e}", lock.display()))?;
    for _ in 0..100 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::Error(e)) => {
                return Err(format!("{} cannot be locked: {e}", lock.display()));
            }
        }
    }
    Err(format!("{} is in use by another process", path.display()))
}

fn store(path: &Path, doc: &DocumentMut) -> Result<(), String> {
    // A link (dotfiles kept elsewhere) stays a link: what it points at is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let temporary = with_suffix(&target, &format!(".new-{}", std::process::id()));
    let failed = |e: std::io::Error| format!("{} cannot be written: {e}", target.display());
    let _ = fs::remove_file(&temporary);
    let result = (|| {
        let mut file = private_options().create_new(true).open(&temporary)?;
        file.write_all(doc.to_string().as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, &target)?;
        // The rename itself must survive a power cut; not every platform can sync a directory.
        if let Ok(dir) = File::open(parent(&target)) {
            let _ = dir.sync_all();
        }
        Ok(())
    })();
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result.map_err(failed)
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

fn make_dir(dir: &Path) -> Result<(), String> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
        .create(dir)
        .map_err(|e| format!("{} cannot be created: {e}", dir.display()))
}
