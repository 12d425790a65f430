//! `redact`: a text as it would leave the program.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::input;
use crate::cli::session::Session;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst redact ticket.txt > clean.txt
  journalctl -u agent | rmm-analyst redact";

/// Print a text as it would leave the program
///
/// Configured secrets, well-known kinds of credentials and the operator's patterns (`redact.extra_patterns`) are replaced, and control characters are made visible.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct RedactArgs {
    /// The file; `-` or nothing reads standard input
    pub file: Option<String>,
}

/// Runs the command. The text is read whole, for a secret may stretch over lines.
///
/// # Errors
/// The input cannot be read or is too long; the configuration is wrong.
pub fn run(args: &RedactArgs, session: &mut Session) -> Result<Exit, Error> {
    let loaded = session.config(&[])?;
    session.redactor(&loaded)?;
    let bytes = input::whole(args.file.as_deref(), &mut session.out)?;
    let text = input::text(bytes, &mut session.out);
    let redacted = session.out.outside(text);
    session.out.part(redacted)?;
    Ok(Exit::Ok)
}
