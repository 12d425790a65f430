//! `complete`: names out of the database, one a line, for a shell's completion. Quick and silent: whatever is in
//! the way, it says nothing.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::Own;
use crate::cli::session::Session;
use crate::engine::by_hand::devices::NamesOf;
use clap::{Args, ValueEnum};

/// Print names that begin with a text, one a line, for a shell's completion
#[derive(Clone, Debug, Args)]
#[command(after_long_help = "Examples:\n  rmm-analyst complete devices web")]
pub struct CompleteArgs {
    /// Whose names
    #[arg(value_enum)]
    pub of: Of,
    /// What they begin with
    #[arg(default_value = "")]
    pub prefix: String,
}

/// Whose names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Of {
    /// Devices
    Devices,
    /// Clients
    Clients,
    /// Sites
    Sites,
    /// Principals
    Principals,
}

/// Runs the command.
///
/// # Errors
/// The output could not be written.
pub fn run(args: &CompleteArgs, session: &mut Session) -> Result<Exit, Error> {
    let mut quiet = Session::quiet(session.globals.clone());
    // A completion must not make a database.
    if !quiet.paths().is_ok_and(|p| p.db_file().exists()) {
        return Ok(Exit::Ok);
    }
    let names = found(args, &mut quiet).unwrap_or_default();
    // A name with a character that acts on a terminal or on a shell is typed by nobody.
    let plain = |n: &String| {
        n.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ' ' | '@' | '&' | '+'))
    };
    for name in names.into_iter().filter(plain) {
        session.out.line(Own(name))?;
    }
    Ok(Exit::Ok)
}

fn found(args: &CompleteArgs, session: &mut Session) -> Result<Vec<String>, Error> {
    let (engine, _) = session.engine(&[])?;
    let runner = engine.runner();
    let of = match args.of {
        Of::Devices => NamesOf::Devices,
        Of::Clients => NamesOf::Clients,
        Of::Sites => NamesOf::Sites,
        Of::Principals => {
            let people = runner.people()?;
            return Ok(people
                .into_iter()
                .map(|p| p.name)
                .filter(|n| n.starts_with(&args.prefix))
                .collect());
        }
    };
    let names = runner.names(of, &args.prefix)?;
    Ok(names.iter().map(|n| n.as_str().to_owned()).collect())
}
