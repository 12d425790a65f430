//! `dev`: for people who work on the program or choose a model for it.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst dev eval
  rmm-analyst dev eval --base-url http://127.0.0.1:8080/v1 --json";

/// Tools for people who work on the program or choose a model
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DevArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DevCommand,
}

/// The verbs of `dev`.
#[derive(Clone, Debug, Subcommand)]
pub enum DevCommand {
    /// Run small scripted investigations with the configured model and score them
    ///
    /// The sources are answered by a local server that the command starts itself: nothing leaves the machine but the requests to the model. It prints right look-ups made, wrong ones refused, answers with unsupported claims, tokens and seconds.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst dev eval --only 3\n  rmm-analyst dev eval --model qwen3:8b --json"
    )]
    Eval {
        /// Only the investigation with this number
        #[arg(long, value_name = "N")]
        only: Option<u32>,
        /// Use this model instead of the configured one
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Use this model server instead of the configured one
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// Always, until the body is there.
pub fn run(_args: DevArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("dev eval"))
}
