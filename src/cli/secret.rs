//! `secret`: keys by name. A value is read, never shown and never an argument.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::{Own, Style, Text};
use crate::cli::session::{Session, secret_names};
use crate::cli::{prompt, registry};
use crate::config::check;
use crate::config::keys::did_you_mean;
use crate::secrets::{SecretError, SecretStatus, Secrets, Where};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst secret set abuseipdb
      Asks for the value at the terminal and does not show it.
  printf %s \"$KEY\" | rmm-analyst secret set abuseipdb
      Takes it from standard input.
  rmm-analyst secret list
      What is set, and where; never a value.
  RMM_ANALYST_SECRET_ABUSEIPDB=... rmm-analyst lookup abuseipdb 198.51.100.7
      The environment is stronger than both stores.";

/// Store keys by name
///
/// A secret is looked up in the environment (RMM_ANALYST_SECRET_NAME, upper case, other characters as `_`), then in the system's keyring (at most 1 s, never prompting), then in a file that only you can read. The default secret of a module is its own name; the three abuse.ch modules fall back to `abusech`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SecretArgs {
    /// What to do
    #[command(subcommand)]
    pub command: SecretCommand,
}

/// The verbs of `secret`.
#[derive(Clone, Debug, Subcommand)]
pub enum SecretCommand {
    /// Store a secret: typed at the terminal without echo, or piped in
    #[command(
        after_long_help = "Examples:\n  rmm-analyst secret set abuseipdb\n  rmm-analyst secret set model --store file < key.txt"
    )]
    Set {
        /// Name of the secret
        name: String,
        /// Where to store it
        #[arg(long, value_enum, default_value_t)]
        store: StoreChoice,
    },
    /// Show which secrets are set and where; never a value
    #[command(
        after_long_help = "Examples:\n  rmm-analyst secret list\n  rmm-analyst secret list --json"
    )]
    List {
        /// Print one JSON array: name, set, origin, error
        #[arg(long)]
        json: bool,
    },
    /// Remove a secret from the keyring and the file
    #[command(after_long_help = "Examples:\n  rmm-analyst secret remove abuseipdb")]
    Remove {
        /// Name of the secret
        name: String,
    },
}

/// Where a secret is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StoreChoice {
    /// The keyring where it works, else the file
    #[default]
    Auto,
    /// The system's keyring
    Keyring,
    /// A file that only you can read
    File,
}

/// Runs the command.
///
/// # Errors
/// No such name, nothing to store, or a store that does not work.
pub fn run(args: &SecretArgs, session: &mut Session) -> Result<Exit, Error> {
    if !matches!(args.command, SecretCommand::List { .. }) {
        session.whole_installation("change the secrets")?;
    }
    match &args.command {
        SecretCommand::Set { name, store } => set(name, *store, session),
        SecretCommand::List { json } => list(*json, session),
        SecretCommand::Remove { name } => remove(name, session),
    }
}

fn set(name: &str, store: StoreChoice, session: &mut Session) -> Result<Exit, Error> {
    known(name, session)?;
    let value = prompt::secret(name, &mut session.out)?;
    let store = match store {
        StoreChoice::Auto => Where::Auto,
        StoreChoice::Keyring => Where::Keyring,
        StoreChoice::File => Where::File,
    };
    let secrets = session.secrets()?;
    let origin = secrets
        .set(name, &value, store)
        .map_err(|e| store_error(&e))?;
    session
        .out
        .note(Own(format!("{name} is stored ({})", origin)));
    shadowed(name, session);
    Ok(Exit::Ok)
}

fn remove(name: &str, session: &mut Session) -> Result<Exit, Error> {
    check_name(name)?;
    let secrets = session.secrets()?;
    let gone = secrets.remove(name).map_err(|e| store_error(&e))?;
    if gone.is_empty() {
        session.out.note(Own(format!("{name} was in no store")));
    }
    for origin in gone {
        session
            .out
            .note(Own(format!("{name} is removed ({origin})")));
    }
    shadowed(name, session);
    Ok(Exit::Ok)
}

/// The environment is stronger than what was just stored or removed.
fn shadowed(name: &str, session: &mut Session) {
    let variable = Secrets::variable(name);
    if std::env::var_os(&variable).is_some_and(|v| !v.is_empty()) {
        session.out.warn(Own(format!(
            "{variable} is set and is used instead of the stores"
        )));
    }
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    set: bool,
    origin: Option<String>,
    error: Option<&'a str>,
}

fn list(json: bool, session: &mut Session) -> Result<Exit, Error> {
    let loaded = session.config(&[])?;
    let statuses = session.statuses(&secret_names(&loaded))?;
    if json {
        let rows: Vec<Row<'_>> = statuses
            .iter()
            .map(|s| Row {
                name: &s.name,
                set: s.origin.is_some() || s.error.is_some(),
                origin: s.origin.map(|o| o.to_string()),
                error: s.error.as_deref(),
            })
            .collect();
        session.out.json(&rows)?;
        return Ok(Exit::Ok);
    }
    let width = statuses.iter().map(|s| s.name.len()).max().unwrap_or(0);
    for status in &statuses {
        let name = format!("{:width$}  ", status.name);
        let users = users(&status.name);
        let line = Text::new()
            .then(Own(name))
            .then(state(status))
            .styled(Style::Dim, Own(users));
        session.out.line(line)?;
    }
    Ok(Exit::Ok)
}

/// Set or unset, and where; never a value.
#[must_use]
pub fn state(status: &SecretStatus) -> Text {
    match (status.origin, &status.error) {
        (_, Some(why)) => Text::new()
            .styled(Style::Red, "set, cannot be read: ")
            .then(Own(why.replace(['\n', '\r'], "␊"))),
        (Some(origin), None) => Text::new()
            .styled(Style::Green, "set")
            .then(Own(format!(" ({})", origin))),
        (None, None) => Text::new().styled(Style::Dim, "unset"),
    }
}

fn users(name: &str) -> String {
    let users: Vec<&str> = registry::specs()
        .iter()
        .filter(|s| s.secrets.contains(&name))
        .map(|s| s.name)
        .collect();
    match users.as_slice() {
        [] => String::new(),
        [one] if *one == name => String::new(),
        several => format!("  used by {}", several.join(", ")),
    }
}

fn check_name(name: &str) -> Result<(), Error> {
    if check::is_secret_name(name) {
        return Ok(());
    }
    // The argument is not repeated: somebody may have typed the key itself.
    Err(Error::user("this is not the name of a secret")
        .why("a name is lower-case letters, digits, - _ and ., at most 64 of them")
        .hint("rmm-analyst secret set NAME, then the value at the prompt or from a pipe"))
}

/// A name that nothing reads is probably a typing mistake: it is stored all the same, with a warning.
fn known(name: &str, session: &mut Session) -> Result<(), Error> {
    check_name(name)?;
    if check::looks_like_key(name) {
        return Err(
            Error::user("this looks like the key itself, not like the name of a secret")
                .why("what is typed here stands in the shell's history")
                .hint("rmm-analyst secret set NAME, then the value at the prompt or from a pipe"),
        );
    }
    let Ok(loaded) = session.config(&[]) else {
        return Ok(());
    };
    let names = secret_names(&loaded);
    if !names.iter().any(|n| n == name) {
        let meant = did_you_mean(name, names.iter().map(String::as_str));
        let meant = meant
            .map(|m| format!("; did you mean {m}?"))
            .unwrap_or_default();
        session
            .out
            .warn(Own(format!("nothing uses a secret called {name}{meant}")));
    }
    Ok(())
}

fn store_error(error: &SecretError) -> Error {
    Error::config(format!(
        "the secret {} cannot be stored or removed",
        error.name
    ))
    .why(error.why.clone())
    .hint(
        "rmm-analyst doctor says which store works; --store file needs none but the data directory",
    )
}
