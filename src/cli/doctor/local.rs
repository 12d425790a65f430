//! What is on this machine: configuration, directories, secrets, terminal, log.

use super::of_problem;
use crate::cli::output::Output;
use crate::config::paths::Paths;
use crate::config::{Loaded, Origin, Problem};
use crate::engine::doctor::{Check, State, bytes};
use crate::secrets::Secrets;
use std::path::Path;

/// Problems of the configuration that are listed one by one.
const PROBLEMS: usize = 5;
/// Free space in bytes below which a database can soon not be written.
const LITTLE: u64 = 200_000_000;

/// Which file, how many values differ from the defaults, what is wrong.
pub(super) fn configuration(paths: &Paths, loaded: &Result<Loaded, Vec<Problem>>) -> Vec<Check> {
    let name = "configuration";
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(problems) => {
            let mut out: Vec<Check> = problems
                .iter()
                .take(PROBLEMS)
                .map(|p| of_problem(name, State::Fail, p))
                .collect();
            if problems.len() > PROBLEMS {
                let more = format!("and {} more problems", problems.len() - PROBLEMS);
                out.push(Check::new(name, State::Fail, more).hint("rmm-analyst config check"));
            }
            return out;
        }
    };
    let environment = loaded
        .origins
        .values()
        .filter(|o| matches!(o, Origin::Environment(_)))
        .count();
    let set = loaded.origins.len();
    let from = if environment > 0 {
        format!("{set} values set, {environment} of them by the environment")
    } else {
        format!("{set} values set")
    };
    let mut out = vec![match (&loaded.file, paths.config_file()) {
        (Some(file), _) => Check::new(name, State::Ok, format!("{}: {from}", file.display())),
        (None, Some(file)) => Check::new(
            name,
            State::Ok,
            format!("no file at {}: defaults, {from}", file.display()),
        )
        .hint("none is needed; rmm-analyst config init writes one with every key"),
        (None, None) => Check::new(name, State::Ok, format!("no file: defaults, {from}")),
    }];
    out.extend(
        loaded
            .warnings
            .iter()
            .map(|p| of_problem(name, State::Warn, p)),
    );
    out
}

/// The data directory: there, private, with room.
pub(super) fn data_dir(paths: &Paths) -> Check {
    let name = "data directory";
    let dir = paths.data_dir();
    let shown = dir.display();
    let meta = match std::fs::metadata(dir) {
        Ok(meta) => meta,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            if !may_be_made(dir) {
                return Check::new(
                    name,
                    State::Fail,
                    format!("{shown} is not there and cannot be made: nothing can be kept"),
                )
                .hint("name another one with --data-dir DIR, or make it and own it");
            }
            return Check::new(
                name,
                State::Skip,
                format!("{shown} is not there yet: the first question or look-up makes it"),
            );
        }
        Err(e) => {
            return Check::new(
                name,
                State::Fail,
                format!("{shown} cannot be looked at: {e}"),
            )
            .hint("check its permissions, or name another one with --data-dir DIR");
        }
    };
    if !meta.is_dir() {
        return Check::new(name, State::Fail, format!("{shown} is not a directory"))
            .hint("move it away, or name another place with --data-dir DIR");
    }
    if let Some(open) = open_to_others(&meta, 0o077) {
        return Check::new(
            name,
            State::Warn,
            format!("{shown} is open to others ({open})"),
        )
        .hint(format!("chmod 700 {}", quoted(dir)));
    }
    if !may_write(dir) {
        return Check::new(
            name,
            State::Fail,
            format!("{shown} cannot be written: nothing new can be kept"),
        )
        .hint(format!(
            "chown it to you: sudo chown -R \"$USER\" {}",
            quoted(dir)
        ));
    }
    match free(dir) {
        Some(n) if n < LITTLE => Check::new(
            name,
            State::Warn,
            format!("{shown}: only {} free", bytes(n)),
        )
        .hint("rmm-analyst db size says what takes space; make room, or move the directory"),
        Some(n) => Check::new(
            name,
            State::Ok,
            format!("{shown}: private, {} free", bytes(n)),
        ),
        None => Check::new(name, State::Ok, format!("{shown}: private")),
    }
}

/// Whether a directory can be made: below the nearest thing that is there.
fn may_be_made(dir: &Path) -> bool {
    let here = Path::new(".");
    let above = dir
        .ancestors()
        .skip(1)
        .map(|p| if p.as_os_str().is_empty() { here } else { p })
        .find(|p| p.exists());
    above.is_some_and(|p| p.is_dir() && may_write(p))
}

/// A path for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

#[cfg(unix)]
fn open_to_others(meta: &std::fs::Metadata, mask: u32) -> Option<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = meta.permissions().mode() & 0o777;
    (mode & mask != 0).then(|| format!("mode {mode:03o}"))
}

#[cfg(not(unix))]
fn open_to_others(_meta: &std::fs::Metadata, _mask: u32) -> Option<String> {
    None
}

#[cfg(unix)]
fn may_write(dir: &Path) -> bool {
    rustix::fs::access(dir, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn may_write(dir: &Path) -> bool {
    std::fs::metadata(dir).is_ok_and(|m| !m.permissions().readonly())
}

/// Bytes that this user may still write there.
#[cfg(unix)]
fn free(dir: &Path) -> Option<u64> {
    let fs = rustix::fs::statvfs(dir).ok()?;
    fs.f_bavail.checked_mul(fs.f_frsize)
}

#[cfg(not(unix))]
fn free(_dir: &Path) -> Option<u64> {
    None
}

/// Which secret stores work, and why one does not.
pub(super) fn secrets(paths: &Paths, secrets: &Secrets) -> Vec<Check> {
    let mut out = Vec::new();
    let keyring = secrets.store_status();
    out.push(if keyring.works {
        Check::new("keyring", State::Ok, format!("works ({})", keyring.why))
    } else {
        // Not having one is how most servers are; a locked one keeps secrets away.
        Check::new("keyring", State::Warn, keyring.why).hint(keyring.hint)
    });
    let file = paths.secrets_file();
    let shown = file.display();
    let name = "secrets file";
    out.push(match std::fs::metadata(&file) {
        Ok(meta) => match open_to_others(&meta, 0o077) {
            Some(open) => Check::new(
                name,
                State::Fail,
                format!("{shown} is open to others ({open}); it is not read"),
            )
            .hint(format!("chmod 600 {}", quoted(&file))),
            None => Check::new(name, State::Ok, format!("{shown}: only you can read it")),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Check::new(
            name,
            State::Skip,
            "not there: secret set makes it where no keyring works",
        ),
        Err(e) => Check::new(
            name,
            State::Fail,
            format!("{shown} cannot be looked at: {e}"),
        )
        .hint("check the permissions of the data directory"),
    });
    let prefix = Secrets::variable("");
    let named = std::env::vars_os()
        .filter_map(|(k, v)| k.into_string().ok().filter(|_| !v.is_empty()))
        .filter(|k| k.starts_with(&prefix))
        .count();
    out.push(if named > 0 {
        Check::new(
            "secrets in environment",
            State::Ok,
            format!("{named} variables {prefix}… are set and go before the stores"),
        )
    } else {
        Check::new("secrets in environment", State::Skip, "none")
    });
    out
}

/// Whether the log can be written.
pub(super) fn log(paths: &Paths, loaded: Option<&Loaded>) -> Check {
    let name = "log";
    let dir = paths.log_dir();
    let level = loaded.map_or("info", |l| l.config.log.level.as_str());
    if level == "off" {
        return Check::new(name, State::Skip, "switched off ([log] level)")
            .hint("rmm-analyst config set log.level info");
    }
    match std::fs::metadata(&dir) {
        Ok(meta) if meta.is_dir() && may_write(&dir) => {
            Check::new(name, State::Ok, format!("{}: level {level}", dir.display()))
        }
        Ok(_) => Check::new(
            name,
            State::Warn,
            format!("{} cannot be written: there is no log", dir.display()),
        )
        .hint(format!("chmod 700 {}", quoted(&dir))),
        Err(_) => Check::new(
            name,
            State::Skip,
            format!("{} is not there yet (level {level})", dir.display()),
        ),
    }
}

/// What the terminal can show.
pub(super) fn terminal(out: &Output) -> Vec<Check> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .map(|v| v.to_string_lossy().into_owned())
            .filter(|v| !v.is_empty())
    };
    let term = variable("TERM");
    let screen = match (out.is_terminal(), term.as_deref()) {
        (false, _) => Check::new(
            "terminal",
            State::Skip,
            "the output is no terminal: nothing prompts, no colour",
        ),
        (true, None | Some("dumb")) => Check::new(
            "terminal",
            State::Warn,
            "TERM is not set or dumb: line mode only",
        )
        .hint("export TERM=xterm-256color, where the terminal is one"),
        (true, Some(term)) => Check::new("terminal", State::Ok, term.to_owned()),
    };
    // The first that is set counts (POSIX, 8.2 Internationalization Variables).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(variable);
    let utf8 = locale.as_deref().is_some_and(|l| {
        let l = l.to_lowercase();
        l.contains("utf-8") || l.contains("utf8")
    });
    let shown = locale.as_deref().unwrap_or("not set");
    let locale = if utf8 || cfg!(windows) {
        Check::new("locale", State::Ok, shown.to_owned())
    } else {
        Check::new(
            "locale",
            State::Warn,
            format!("{shown}: the output is UTF-8 all the same and may look odd"),
        )
        .hint("export LANG=C.UTF-8")
    };
    vec![screen, locale]
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_directory_that_others_can_read_is_named_with_the_command_that_closes_it() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("it's here");
        std::fs::create_dir(&dir).unwrap();
        let paths = Paths::find(None, Some(&dir)).unwrap();
        std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
        let check = data_dir(&paths);
        assert_eq!(check.state, State::Warn);
        assert!(check.hint.starts_with("chmod 700 '"), "{}", check.hint);
        let run = std::process::Command::new("sh")
            .args(["-c", &check.hint])
            .status()
            .unwrap();
        assert!(run.success());
        assert_eq!(data_dir(&paths).state, State::Ok, "{:?}", data_dir(&paths));
    }

    #[test]
    fn a_secrets_file_that_others_can_read_fails() {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths::find(None, Some(home.path())).unwrap();
        std::fs::write(paths.secrets_file(), "abuseipdb = \"x\"\n").unwrap();
        std::fs::set_permissions(paths.secrets_file(), std::fs::Permissions::from_mode(0o644))
            .unwrap();
        let store = Secrets::with_layers(crate::secrets::Env::empty(), false, None);
        let file = secrets(&paths, &store)
            .into_iter()
            .find(|c| c.check == "secrets file")
            .unwrap();
        assert_eq!(file.state, State::Fail);
        assert!(file.hint.starts_with("chmod 600 "));
    }
}
