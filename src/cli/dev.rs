//! `dev`: for people who work on the program or choose a model for it.
//!
//! * `eval` – runs the investigations of `cases`, answered by `server`, scored by `scenario`
//! * `bench` – the installation of its own that they run in
//! * `seed` – made-up fleets
//! * `prefix` – what a model server reads again in a growing case

mod bench;
mod cases;
mod eval;
mod prefix;
mod scenario;
mod seed;
mod server;

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::session::Session;
use crate::engine::connect::ModelWish;
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
    /// The sources are answered by a local server that the command starts itself, in a temporary data directory: nothing leaves the machine but the requests to the model. It prints right look-ups made, wrong ones refused, answers with unsupported claims, proposals, tokens and seconds. docs/models.md says how to read it.
    ///
    /// Exit codes: 0 when it ran, whatever the model is worth; 1 when a look-up got past the gate.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst dev eval --only 1,3\n  rmm-analyst dev eval --model qwen3:8b --json\n  rmm-analyst dev eval --no-model\n  rmm-analyst dev eval --prefix 10"
    )]
    Eval {
        /// Only the investigations with these numbers (1 to 20)
        #[arg(long, value_name = "N", value_delimiter = ',')]
        only: Vec<usize>,
        /// Use this model instead of the configured one
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Use this model server instead of the configured one
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
        /// Let the built-in rules choose the look-ups
        #[arg(long, conflicts_with_all = ["model", "base_url"])]
        no_model: bool,
        /// Instead: TURNS turns of one growing case, and what the server reads again in each
        #[arg(long, value_name = "TURNS", conflicts_with_all = ["only", "no_model"])]
        prefix: Option<u32>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make up a fleet in a database that has none: for trials and measurements, never beside real data
    ///
    /// Every name is invented, every address is private or from a range for documentation. The same seed makes the same fleet.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst --data-dir /tmp/fleet dev seed-fleet --size S\n  rmm-analyst --data-dir /tmp/fleet dev seed-fleet --size M --seed 7 --audit 5000 --json"
    )]
    SeedFleet {
        /// S: 25 devices. M: 1,500 devices with 150 packages each. L: 10,000 devices with 300 packages each
        #[arg(long, value_enum, default_value_t, ignore_case = true)]
        size: seed::SizeChoice,
        /// Which of the fleets of this size
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Rows of the audit, spread over the last 100 days
        #[arg(long, value_name = "N", default_value_t = 1000)]
        audit: u64,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// The configuration, a model that cannot be used, or an interruption.
pub fn run(args: DevArgs, session: &mut Session) -> Result<Exit, Error> {
    let (only, model, base_url, no_model, prefix, json) = match args.command {
        DevCommand::Eval {
            only,
            model,
            base_url,
            no_model,
            prefix,
            json,
        } => (only, model, base_url, no_model, prefix, json),
        DevCommand::SeedFleet {
            size,
            seed,
            audit,
            json,
        } => return seed::run(size, seed, audit, json, session),
    };
    let wish = ModelWish {
        no_model,
        name: model,
        base_url,
    };
    let runtime = open::runtime()?;
    match prefix {
        Some(turns) => runtime.block_on(prefix::run(turns, &wish, json, session)),
        None => runtime.block_on(eval::run(&only, &wish, json, session)),
    }
}
