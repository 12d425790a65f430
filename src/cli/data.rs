//! `data`: data sets that modules use offline.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst data list
  rmm-analyst data update
  rmm-analyst data update rdap-dns";

/// List and update the data sets that modules keep on disk
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DataArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DataCommand,
}

/// The verbs of `data`.
#[derive(Clone, Debug, Subcommand)]
pub enum DataCommand {
    /// Show each data set: where it is from, how old it is, how large
    #[command(
        after_long_help = "Examples:\n  rmm-analyst data list\n  rmm-analyst data list --json"
    )]
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Download data sets again; an old copy stays where that fails
    #[command(
        after_long_help = "Examples:\n  rmm-analyst data update\n  rmm-analyst data update rdap-dns rdap-ipv4"
    )]
    Update {
        /// Names; without one, all
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// Always, until the body is there.
pub fn run(_args: DataArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("data"))
}
