//! `db`: the one database file.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::{Args, Subcommand};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst db backup before-upgrade.db
  rmm-analyst db check
  rmm-analyst db size
  rmm-analyst db restore before-upgrade.db --yes";

/// Back up, restore, check and measure the database
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DbArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DbCommand,
}

/// The verbs of `db`.
#[derive(Clone, Debug, Subcommand)]
pub enum DbCommand {
    /// Copy the database to a file, while the program is in use if need be
    #[command(after_long_help = "Examples:\n  rmm-analyst db backup before-upgrade.db")]
    Backup {
        /// The file; an existing one is kept and the command fails
        file: PathBuf,
    },
    /// Put a backup in the place of the database; what was there is kept beside it
    #[command(after_long_help = "Examples:\n  rmm-analyst db restore before-upgrade.db --yes")]
    Restore {
        /// The backup
        file: PathBuf,
        /// Do it without asking; needed where there is no terminal to ask on
        #[arg(long)]
        yes: bool,
    },
    /// Check the file, its indexes, references and hash chains
    #[command(after_long_help = "Examples:\n  rmm-analyst db check\n  rmm-analyst db check --json")]
    Check {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show how much room cases, evidence, cache and free pages take
    #[command(after_long_help = "Examples:\n  rmm-analyst db size\n  rmm-analyst db size --json")]
    Size {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// Always, until the body is there.
pub fn run(_args: DbArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("db"))
}
