//! No command: the full-screen terminal, or line mode.

use crate::cli::Globals;
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::Own;
use crate::cli::registry;
use crate::cli::session::{Session, secret_names};
use crate::config::{Loaded, edit, example};
use crate::engine::session::Rebuild;
use crate::engine::{Engine, Parts};
use crate::plain;
use crate::redact::Redact;
use crate::surface::settings_of;
use crate::tui::app::ScreenSettings;
use crate::tui::keys::Keymap;
use crate::tui::run::{Broken, Opened, Start, run};
use std::ffi::OsStr;
use std::io::IsTerminal as _;
use std::sync::{Arc, OnceLock};

/// Opens the screen, where there is one, or line mode.
///
/// # Errors
/// There is no terminal, or it failed; configuration, secrets or the database.
pub fn open(session: &mut Session) -> Result<Exit, Error> {
    let (typed, shown) = (
        std::io::stdin().is_terminal(),
        std::io::stdout().is_terminal(),
    );
    if session.globals.plain || typed && shown && dumb(std::env::var_os("TERM").as_deref()) {
        return line_mode(session, typed, shown);
    }
    if !typed || !shown {
        return Err(Error::user("there is no terminal to open the screen on")
            .hint("ask in one shot: rmm-analyst ask \"…\"; line by line: rmm-analyst --plain; all commands: rmm-analyst --help"));
    }
    let loaded = session.config(&[])?;
    let config = &loaded.config;
    let settings = ScreenSettings {
        defang: config.ui.defang,
        notify: config.ui.notify.clone(),
        color: std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            && !matches!(session.globals.color, crate::cli::output::Color::Never),
        tmux: std::env::var_os("TMUX").is_some_and(|v| !v.is_empty()),
        paste_authorizes: config.ai.authorize_pasted
            == crate::config::settings::AuthorizePasted::Yes,
        turn_max: config.limits.calls_per_turn,
        case_max: config.limits.calls_per_case,
        all: settings_of(config),
        first_run: false,
        config_file: session
            .paths()?
            .config_file()
            .map_or_else(String::new, |p| p.display().to_string()),
    };
    let keys = Keymap::new(&config.ui.keys);
    let redact: Arc<OnceLock<Arc<Redact>>> = Arc::default();
    let (globals, known) = (session.globals.clone(), redact.clone());
    let open = move || behind(globals, &known);
    let printed = run(Start { settings, keys }, open).map_err(|e| match e {
        Broken::Open(e) => e,
        Broken::Terminal(e) => Error::internal("the terminal failed").why(e.to_string()),
    })?;
    if let Some(redact) = redact.get() {
        session.out.set_redactor(redact.clone());
    }
    for line in printed {
        session.out.line(Own(line))?;
    }
    Ok(Exit::Ok)
}

/// Whether a terminal says that it can do nothing but show lines. On Windows there is no such variable.
fn dumb(term: Option<&OsStr>) -> bool {
    match term {
        Some(term) => term == "dumb" || term.is_empty() && cfg!(unix),
        None => cfg!(unix),
    }
}

/// Whether the locale's encoding is UTF-8, from the variable that counts.
fn utf8(get: impl Fn(&str) -> Option<String>) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(get)
        .find(|v| !v.is_empty());
    match set {
        Some(locale) => {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        }
        None => cfg!(windows),
    }
}

/// Line mode: also in a pipe, where nothing is asked and nothing is decided.
fn line_mode(session: &mut Session, typed: bool, shown: bool) -> Result<Exit, Error> {
    use crate::config::settings::{ApproveBareYes, AuthorizePasted};
    let (engine, loaded) = session.engine(&[])?;
    let config = &loaded.config;
    let settings = plain::desk::Settings {
        program: format!("rmm-analyst {}", env!("CARGO_PKG_VERSION")),
        defang: config.ui.defang,
        utf8: utf8(|name| std::env::var(name).ok()),
        paste_authorizes: config.ai.authorize_pasted == AuthorizePasted::Yes,
        bare_all: config.ai.approve_bare_yes == ApproveBareYes::All,
        turn_max: config.limits.calls_per_turn,
        case_max: config.limits.calls_per_case,
        all: settings(&engine, &loaded),
        terminal: typed,
        decides: false,
    };
    let rebuild = rebuild(session, &engine);
    let code = plain::run(engine, rebuild, plain::Start { settings, shown })
        .map_err(|e| Error::output(&e))?;
    Ok(Exit::from_code(code))
}

/// Every setting as key and value.
fn settings(engine: &Engine, loaded: &Loaded) -> Vec<(String, String)> {
    let mut all = settings_of(&loaded.config);
    // Keys show only as set or unset; asking where each one is would ask the keyring for every one.
    for name in secret_names(loaded) {
        let set = engine.secrets.get(&name).is_ok_and(|s| s.is_some());
        let word = if set { "set" } else { "unset" };
        all.push((format!("secret {name}"), word.to_owned()));
    }
    all
}

/// Opens what stands behind the screen, while it shows already: nothing here may write to the terminal.
fn behind(globals: Globals, redact: &OnceLock<Arc<Redact>>) -> Result<Opened, Error> {
    let mut session = Session::quiet(globals);
    let (engine, loaded) = session.engine(&[])?;
    let _ = redact.set(engine.redact.clone());
    let mut settings = Vec::new();
    let mut notices = Vec::new();
    // Keys show only as set or unset; asking where each one is would ask the keyring for every one.
    for name in &secret_names(&loaded) {
        let word = match engine.secrets.get(name) {
            Ok(Some(_)) => "set",
            Ok(None) => "unset",
            Err(e) => {
                notices.push(format!("{e}; it cannot be recognised in text either"));
                "unset"
            }
        };
        settings.push((format!("secret {name}"), word.to_owned()));
    }
    let last = engine
        .store
        .read(|r| r.last_case(&engine.principal))
        .unwrap_or_default();
    let first_run = loaded.file.is_none() && last.is_none() && !engine.setup_is_over();
    let rebuild = rebuild(&session, &engine);
    Ok(Opened {
        engine,
        rebuild,
        settings,
        first_run,
        last,
        notices,
    })
}

/// Makes the engine anew over the same database, after a change of the configuration file.
fn rebuild(session: &Session, engine: &Engine) -> Rebuild {
    let globals = session.globals.clone();
    let store = engine.store.clone();
    let principal = engine.principal.clone();
    Box::new(move |change| {
        let mut quiet = Session::quiet(globals.clone());
        let words = |e: Error| e.to_string();
        let paths = quiet.paths().map_err(words)?;
        if let Some((key, value)) = change {
            quiet
                .whole_installation("change the settings")
                .map_err(words)?;
            let file = paths
                .config_file()
                .ok_or("there is no configuration file")?
                .to_path_buf();
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => text,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => example::text(),
                Err(e) => return Err(format!("{} cannot be read: {e}", file.display())),
            };
            let changed = edit::change(&text, &file, key, value, &registry::known())
                .map_err(|p| p.first().map_or_else(String::new, ToString::to_string))?;
            if let Some(dir) = file.parent() {
                edit::create_private_dir(dir).map_err(|e| e.to_string())?;
            }
            edit::write(&file, &changed)
                .map_err(|e| format!("{} cannot be written: {e}", file.display()))?;
        }
        let loaded = quiet.config(&[]).map_err(words)?;
        let redact = quiet.redactor(&loaded).map_err(words)?;
        Engine::new(Parts {
            config: Arc::new(loaded.config),
            store: store.clone(),
            secrets: Arc::new(quiet.secrets().map_err(words)?),
            redact,
            principal: principal.clone(),
            data_dir: paths.data_dir().to_path_buf(),
        })
        .map_err(|e| e.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_and_the_locale_say_what_they_can() {
        let term = |t: &'static str| dumb(Some(OsStr::new(t)));
        assert!(term("dumb"));
        assert!(!term("xterm-256color"));
        assert_eq!(dumb(None), cfg!(unix));
        let locale = |set: &'static [(&str, &str)]| {
            utf8(|n| {
                set.iter()
                    .find(|(k, _)| *k == n)
                    .map(|(_, v)| (*v).to_owned())
            })
        };
        assert!(locale(&[("LANG", "C.UTF-8")]));
        assert!(locale(&[
            ("LC_ALL", ""),
            ("LC_CTYPE", "de_DE.utf8"),
            ("LANG", "C")
        ]));
        assert!(!locale(&[("LC_ALL", "C"), ("LANG", "C.UTF-8")]));
        assert_eq!(locale(&[]), cfg!(windows));
    }
}
