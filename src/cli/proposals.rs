//! `proposals`: what waits for a person.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst proposals
      What waits, in every case.
  rmm-analyst proposals 0198f2 --all --json
      Every proposal of one case, decided ones too, as JSON.";

/// Show what waits for a decision
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ProposalsArgs {
    /// Only this case (id or unique prefix)
    pub case: Option<String>,

    /// Decided and expired ones too
    #[arg(long)]
    pub all: bool,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// Always, until the body is there.
pub fn run(_args: ProposalsArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("proposals"))
}
