//! `doctor`: what works, what is missing, how to fix it.
//!
//! * `local` – configuration, directories, database, secrets, terminal, log
//! * `sources` – network, modules, data sets
//!
//! It never writes, prompts, asks a source or prints a secret, and every step has a limit.

mod local;
mod sources;

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::output::{Output, Own, Style, Text};
use crate::cli::registry;
use crate::cli::session::Session;
use crate::config::{self, Loaded, Problem};
use crate::engine::doctor::{self as engine, Check, State};
use clap::Args;
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst doctor
  rmm-analyst doctor --json";

/// Show what works, what is missing and how to fix it
///
/// Exit code 0 when nothing fails; a warning is no failure.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DoctorArgs {
    /// Print one JSON array: check, state (ok, warn, fail, skip), message, hint
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// The output cannot be written; what is wrong with the installation is the result.
pub fn run(args: &DoctorArgs, session: &mut Session) -> Result<Exit, Error> {
    let checks = examine(session)?;
    let failed = checks.iter().any(|c| c.state == State::Fail);
    if args.json {
        let rows: Vec<Row> = checks.iter().map(|c| Row::new(c, &session.out)).collect();
        session.out.json(&rows)?;
    } else {
        print(&checks, &mut session.out)?;
    }
    Ok(if failed { Exit::Config } else { Exit::Ok })
}

fn examine(session: &mut Session) -> Result<Vec<Check>, Error> {
    let mut checks = Vec::new();
    let paths = match session.paths() {
        Ok(paths) => paths,
        Err(e) => {
            // Without a place for files nothing else can be looked at.
            let check = Check::new("directories", State::Fail, e.what());
            checks.push(check.hint(e.advice().unwrap_or_default()));
            checks.extend(local::terminal(&session.out));
            return Ok(checks);
        }
    };
    let loaded = config::load(&paths, std::env::vars_os(), &[], &registry::known());
    checks.extend(local::configuration(&paths, &loaded));
    let loaded: Option<Loaded> = loaded.ok();
    // The redactor first: it knows what may not be printed.
    let pattern = loaded.as_ref().and_then(|l| session.redactor(l).err());
    if let Some(e) = pattern {
        checks.push(of_error("redaction", &e));
    }
    checks.push(local::data_dir(&paths));
    session.out.progress("looking at the database");
    let store = match session.chain_key(false) {
        Ok(key) => {
            let (found, store) = engine::database(&paths.db_file(), key);
            checks.extend(found);
            store
        }
        Err(e) => {
            checks.push(of_error("database", &e));
            None
        }
    };
    let secrets = session.secrets()?;
    checks.extend(local::secrets(&paths, &secrets));
    let Some(loaded) = loaded else {
        for name in ["model", "network", "modules", "data sets"] {
            checks.push(Check::new(
                name,
                State::Skip,
                "not looked at: the configuration cannot be read",
            ));
        }
        checks.push(local::log(&paths, None));
        checks.extend(local::terminal(&session.out));
        return Ok(checks);
    };
    session.out.progress("looking for the model server");
    let runtime = open::runtime()?;
    let asked = runtime.block_on(async {
        tokio::select! {
            biased;
            () = open::interrupted() => Err(Error::interrupted()),
            both = async {
                tokio::join!(
                    engine::model(&loaded.config.model, &loaded.config.network, &secrets, store.as_ref()),
                    engine::resolver(),
                )
            } => Ok(both),
        }
    });
    // A name that the system still looks up must not hold the program.
    runtime.shutdown_background();
    let (model, resolver) = asked?;
    checks.extend(model);
    checks.extend(sources::network(&loaded));
    checks.push(sources::resolver(resolver));
    checks.extend(sources::modules(&loaded, &secrets));
    checks.extend(sources::data_sets(&paths));
    checks.push(local::log(&paths, Some(&loaded)));
    checks.extend(local::terminal(&session.out));
    Ok(checks)
}

fn of_error(check: &str, e: &Error) -> Check {
    let message = match e.reason() {
        Some(why) => format!("{}: {why}", e.what()),
        None => e.what().to_owned(),
    };
    Check::new(check, State::Fail, message).hint(e.advice().unwrap_or_default())
}

fn of_problem(check: &str, state: State, p: &Problem) -> Check {
    Check::new(check, state, format!("{}: {}", p.place, p.what))
        .hint(p.hint.clone().unwrap_or_default())
}

/// One check as the contract gives it.
#[derive(Serialize)]
struct Row {
    check: String,
    state: &'static str,
    message: String,
    hint: Option<String>,
}

impl Row {
    fn new(c: &Check, out: &Output) -> Self {
        let clean = |text: &str| out.outside_line(text).as_str().to_owned();
        Self {
            check: c.check.clone(),
            state: c.state.name(),
            message: clean(&c.message),
            hint: (!c.hint.is_empty()).then(|| clean(&c.hint)),
        }
    }
}

fn print(checks: &[Check], out: &mut Output) -> Result<(), Error> {
    let width = checks.iter().map(|c| c.check.len()).max().unwrap_or(0);
    for c in checks {
        let style = match c.state {
            State::Ok => Style::Green,
            State::Warn => Style::Yellow,
            State::Fail => Style::Red,
            State::Skip => Style::Dim,
        };
        let line = Text::new()
            .styled(style, Own(format!("{:4}", c.state.name())))
            .then(Own(format!("  {:width$}  ", c.check)))
            .then(out.outside_line(c.message.as_str()));
        out.line(line)?;
        if !c.hint.is_empty() {
            let line = Text::new()
                .then(Own(format!("{:4}  {:width$}  ", "", "")))
                .styled(Style::Dim, "hint: ")
                .then(out.outside_line(c.hint.as_str()));
            out.line(line)?;
        }
    }
    let count = |state: State| checks.iter().filter(|c| c.state == state).count();
    let counts = [State::Ok, State::Warn, State::Fail, State::Skip]
        .map(|s| format!("{} {}", count(s), s.name()))
        .join(", ");
    out.line("")?;
    let verdict = if count(State::Fail) > 0 {
        "something does not work"
    } else if count(State::Warn) > 0 {
        "nothing fails; the warnings say what would do more"
    } else {
        "all is well"
    };
    out.line(Own(format!("{counts}: {verdict}")))
}
