//! `doctor`: what works, what is missing, how to fix it.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::Args;

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
/// Always, until the body is there.
pub fn run(_args: &DoctorArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("doctor"))
}
