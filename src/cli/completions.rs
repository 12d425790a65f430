//! `completions`: for the shell.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::Args;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst completions bash > ~/.local/share/bash-completion/completions/rmm-analyst
  rmm-analyst completions zsh > ~/.zfunc/_rmm-analyst
  rmm-analyst completions fish > ~/.config/fish/completions/rmm-analyst.fish";

/// Print a completion script for a shell
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// What completes names out of the database; the generated part knows only words of the program.
const NAMES: &[u8] = include_bytes!("completions_names.bash");

/// The script for one shell.
#[must_use]
pub fn script(shell: Shell) -> Vec<u8> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut crate::cli::command(), "rmm-analyst", &mut bytes);
    if shell == Shell::Bash {
        bytes.extend_from_slice(NAMES);
    }
    bytes
}

/// Runs the command.
///
/// # Errors
/// The output could not be written.
pub fn run(args: &CompletionsArgs, session: &mut Session) -> Result<Exit, Error> {
    session.out.generated(&script(args.shell))?;
    Ok(Exit::Ok)
}
