//! `lookup`: a person asks one source, or all of them.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst lookup @ioc 198.51.100.7
      Asks every module that takes an address.
  rmm-analyst lookup crtsh example.com example.org --json
      Asks one module about two domains.
  rmm-analyst lookup rdap 'hxxps://evil[.]example[.]com/a' --fresh
      Defanged values are understood; --fresh does not use the cache.";

/// Look indicators up at one source or at all of them
///
/// `@ioc` (or `ioc`) asks every module that takes the type of the value; a module's name, with or without `@`, asks that one. A value that should not leave the machine (a private address, an internal name) is refused unless --anyway is given.
///
/// Exit codes: 0 found or not found, 8 when every source failed. A source that could not be asked is never shown as clean.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct LookupArgs {
    /// `@ioc` for every module that takes the value, or the name of one
    pub module: String,

    /// The values, plain or defanged
    #[arg(required = true, value_name = "VALUE")]
    pub values: Vec<String>,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,

    /// Ask the source even where a cached answer is still good
    #[arg(long)]
    pub fresh: bool,

    /// Ask although the value should not leave the machine
    #[arg(long)]
    pub anyway: bool,
}

/// Runs the command.
///
/// # Errors
/// Always, until the body is there.
pub fn run(_args: LookupArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("lookup"))
}
