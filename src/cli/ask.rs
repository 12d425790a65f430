//! `ask`: one question, one investigated answer.

use crate::cli::error::{Error, ErrorJson};
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst ask \"what do you make of 203.0.113.7?\"
      Looks up what the question names and answers from the evidence.
  cat alert.txt | rmm-analyst ask \"check these\" --json
      Attaches the alert as evidence; its indicators become open pivots (exit 6).
  cat alert.txt | rmm-analyst ask \"check these\" --authorize-input
      The same, and the indicators of the alert may be looked up.
  rmm-analyst ask --case 0198 --continue
      Goes on with a case after its proposals were decided.
  while read -r host; do rmm-analyst ask --no-input \"is $host known?\"; done < hosts.txt
      In a loop, --no-input keeps `ask` from reading the list itself.";

/// Ask a question and get an answer that rests on evidence
///
/// Indicators that the question names may be looked up; what turns up on the way becomes a numbered proposal that waits for `approve` or `deny`. Without a model the answer is made by rules, through the same gate.
///
/// When standard input is a pipe or a file it is read too and attached to the case as evidence text. Its indicators are listed as open pivots (the first 10; the rest are mentioned) and none is looked up, unless --authorize-input says so.
///
/// Exit codes, first that applies: 130 interrupted, 1 internal, 2 usage, 3 configuration, secret or database, 4 model unreachable (only with fallback_to_rules = false), 5 model cannot call tools, 9 case busy in another process, 6 proposals of this turn are open, 7 budget spent and no answer, 8 every source failed, 0 answered.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct AskArgs {
    /// The question; `-` reads it from standard input
    pub question: Option<String>,

    /// Ask in this case (id or unique prefix)
    #[arg(long, value_name = "ID", conflicts_with = "new")]
    pub case: Option<String>,

    /// Open a new case
    ///
    /// This is also what happens when neither --case nor --continue is given.
    #[arg(long, conflicts_with = "continue_turn")]
    pub new: bool,

    /// Go on with the last turn of the case, with what was approved since
    ///
    /// Without --case it is the case that was worked on last.
    #[arg(long = "continue")]
    pub continue_turn: bool,

    /// Show the evidence of each source as it comes; kept for the case
    #[arg(long, conflicts_with = "brief")]
    pub full: bool,

    /// Show the narrative and the footer only; kept for the case
    #[arg(long)]
    pub brief: bool,

    /// Print one JSON object, whatever happens
    #[arg(long)]
    pub json: bool,

    /// Do not read standard input
    #[arg(long)]
    pub no_input: bool,

    /// Indicators in standard input may be looked up as if the question named them
    #[arg(long)]
    pub authorize_input: bool,

    /// Answer by rules even where a model is configured
    #[arg(long, conflicts_with_all = ["model", "base_url"])]
    pub no_model: bool,

    /// Use this model instead of the configured one
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,

    /// Use this model server instead of the configured one
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// Always, until the body is there.
pub fn run(_args: AskArgs, _session: &mut Session) -> Result<Exit, Error> {
    Err(Error::not_built_in("ask"))
}

/// The object of `ask --json` when the command failed before a turn could begin: every key of the
/// contract is there, and `error` says what happened.
#[must_use]
pub fn failed(error: &ErrorJson, cause: &Error) -> serde_json::Value {
    let status = match cause.exit() {
        Exit::Busy => "busy",
        Exit::Interrupted => "interrupted",
        Exit::ModelUnreachable => "model_unreachable",
        Exit::NoToolCalls => "no_tool_calls",
        _ => "error",
    };
    serde_json::json!({
        "case": null, "turn": null, "status": status,
        "planner": null, "model": null, "tools_mode": null,
        "answer": "", "unsupported": [], "ledger": [],
        "coverage": { "asked": 0, "found": 0, "not_found": 0, "could_not_look": 0 },
        "authorized": [], "denied": [], "mentioned": [], "proposals": [],
        "jobs_created": [], "mode": null, "budget": null, "usage": null,
        "warnings": [], "error": error,
    })
}
