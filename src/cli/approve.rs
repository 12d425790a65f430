//! `approve` and `deny`: a person decides.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::Args;

const APPROVE_EXAMPLES: &str = "\
Examples:
  rmm-analyst proposals
      Shows what waits, with numbers and digests.
  rmm-analyst approve 17 18
      Approves two pivots; then: rmm-analyst ask --continue
  rmm-analyst approve 0198f2 --all
      Approves every open pivot of one case.
  rmm-analyst approve 23 --digest 9f2c41aa --count 12
      Approves an action: the digest that `proposals` shows, and how many devices it concerns.";

/// Approve proposals
///
/// A pivot is approved by its number. An action on machines also needs the digest that `proposals` shows, so that what is approved is what was read, and the number of devices where that is asked for. A first argument that is not a number is a case (id or unique prefix) and restricts to it.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = APPROVE_EXAMPLES)]
pub struct ApproveArgs {
    /// Numbers of proposals, after an optional case
    #[arg(required = true, value_name = "[CASE] N")]
    pub targets: Vec<String>,

    /// Every open pivot of the case (never an action)
    #[arg(long, conflicts_with_all = ["digest", "count"])]
    pub all: bool,

    /// The digest that `proposals` shows for an action
    #[arg(long, value_name = "HEX")]
    pub digest: Option<String>,

    /// How many devices the action concerns, where it asks for that
    #[arg(long, value_name = "K", requires = "digest")]
    pub count: Option<u64>,

    /// Print the decided proposals as JSON
    #[arg(long)]
    pub json: bool,
}

const DENY_EXAMPLES: &str = "\
Examples:
  rmm-analyst deny 18
      Keeps the indicator of proposal 18 out of this case.
  rmm-analyst deny 0198f2 17 18 --reason \"our own scanner\"
      Denies two proposals of one case; the model is told the reason.";

/// Deny proposals
///
/// What is denied stays out: the model is told, and asking again is refused.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = DENY_EXAMPLES)]
pub struct DenyArgs {
    /// Numbers of proposals, after an optional case
    #[arg(required = true, value_name = "[CASE] N")]
    pub targets: Vec<String>,

    /// Why; the model is told
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,

    /// Print the decided proposals as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs `approve`.
///
/// # Errors
/// Always, until the body is there.
pub fn approve(_args: ApproveArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("approve"))
}

/// Runs `deny`.
///
/// # Errors
/// Always, until the body is there.
pub fn deny(_args: DenyArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("deny"))
}
