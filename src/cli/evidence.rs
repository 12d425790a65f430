//! `evidence`: what the sources said.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst evidence 0198f2
      Lists the evidence of a case.
  rmm-analyst evidence 0198f2 7
      Shows E7 as a table, with its source, time and hash.
  rmm-analyst evidence 0198f2 7 --raw > e7.json
      The whole answer of the source, as it is stored (redacted).";

/// Show the evidence of a case
///
/// Without a number it lists what there is; with one (`7` or `E7`) it shows that evidence.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct EvidenceArgs {
    /// The case (id or unique prefix)
    pub case: String,

    /// The number of the evidence, `7` or `E7`
    #[arg(value_name = "N")]
    pub number: Option<String>,

    /// The stored answer of the source, whole
    #[arg(long, requires = "number", conflicts_with = "json")]
    pub raw: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// Always, until the body is there.
pub fn run(_args: EvidenceArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("evidence"))
}

/// stub
pub fn table(_row: &crate::store::EvidenceRow, _defang: bool, _out: &mut crate::cli::output::Output) -> Result<(), Error> { Ok(()) }
