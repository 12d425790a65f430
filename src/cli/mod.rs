//! The command line: one file per command, whose doc comment is its help and its man page.
//!
//! * [`error`], [`exit`] – what a command fails with, and the exit codes
//! * [`output`] – the only place that prints
//! * [`session`] – what every command gets: global flags, output, and on demand paths, configuration,
//!   secrets, redactor
//! * [`registry`] – the look-up modules, as facts
//!
//! A new command is one file here, one `pub mod` line, one variant of [`Command`] and one arm of
//! `dispatch`; then `tests/run --bless` writes snapshots, man pages and completions.

pub mod approve;
pub mod ask;
pub mod audit;
pub mod card;
pub mod case;
pub mod complete;
pub mod completions;
pub mod config;
pub mod confirm;
pub mod data;
pub mod db;
pub mod dev;
pub mod device;
pub mod devices;
pub mod doctor;
pub mod error;
pub mod evidence;
pub mod exit;
pub mod export;
pub mod extract;
pub mod fleet_table;
pub mod input;
pub mod inventory;
pub mod jobs;
pub mod logging;
pub mod lookup;
pub mod man;
pub mod modules;
pub mod monitoring;
pub mod open;
pub mod org;
pub mod out_file;
pub mod output;
pub mod patches;
pub mod principal;
pub mod prompt;
pub mod proposals;
pub mod redact;
pub mod registry;
pub mod render;
pub mod report;
pub mod screen;
pub mod secret;
pub mod session;
pub mod target;
pub mod view;

use clap::{Args, CommandFactory, Parser, Subcommand};
use error::Error;
use exit::Exit;
use output::{Color, Output};
use session::Session;
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst ask \"what do you make of 203.0.113.7?\"
      An answer that rests on evidence, with a local model or without one.
  cat alert.txt | rmm-analyst ask \"check these\" --json
      The same in a pipe; what the alert names waits for approval.
  rmm-analyst lookup @ioc 198.51.100.7
      Ask every source directly.
  rmm-analyst --plain
      The full screen's powers line by line, for screen readers; by itself where TERM is dumb.
  echo \"@ioc evil.com\" | rmm-analyst --plain
      In a pipe each line is a message or a command, and nothing is approved.
  rmm-analyst doctor
      What works, what is missing, how to fix it.

Files: see `rmm-analyst config path --all` and man rmm-analyst.5.";

/// A terminal analyst for security and fleet people
///
/// rmm-analyst keeps an investigation as a case, asks a local model, lets it look indicators up through one gate in code, and waits for a person before anything new is looked up or changed. It works without a model, without keys and without a network, and says what is missing to do more.
///
/// Results go to standard output, progress and warnings to standard error. Without a terminal nothing prompts.
#[derive(Clone, Debug, Parser)]
#[command(name = "rmm-analyst", version, after_long_help = EXAMPLES, max_term_width = 100, infer_subcommands = false)]
pub struct Cli {
    /// Global flags.
    #[command(flatten)]
    pub globals: Globals,

    /// The command; none opens the full-screen terminal, or line mode with --plain.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Flags of every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Configuration file [env: RMM_ANALYST_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Directory for cases, secrets, logs and data sets [env: RMM_ANALYST_DATA_DIR]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Act as this principal
    #[arg(long = "as", global = true, value_name = "PRINCIPAL")]
    pub as_principal: Option<String>,

    /// Line mode: no full screen, no redrawing, states in words
    #[arg(long, global = true)]
    pub plain: bool,

    /// Only results and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// More detail on standard error; twice for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// When to colour; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: Color,
}

/// The commands.
#[allow(
    missing_docs,
    reason = "the doc comment of each argument struct is the help"
)]
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    Ask(ask::AskArgs),
    Lookup(lookup::LookupArgs),
    Proposals(proposals::ProposalsArgs),
    Approve(approve::ApproveArgs),
    Deny(approve::DenyArgs),
    Case(case::CaseArgs),
    Evidence(evidence::EvidenceArgs),
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Audit(audit::AuditArgs),
    Devices(devices::DevicesArgs),
    Device(device::DeviceArgs),
    Org(org::OrgArgs),
    Inventory(inventory::InventoryArgs),
    Patches(patches::PatchesArgs),
    Jobs(jobs::JobsArgs),
    Ops(jobs::OpsArgs),
    Tasks(monitoring::TasksArgs),
    Checks(monitoring::ChecksArgs),
    Policies(monitoring::PoliciesArgs),
    Principal(principal::PrincipalArgs),
    Extract(extract::ExtractArgs),
    Redact(redact::RedactArgs),
    Modules(modules::ModulesArgs),
    Data(data::DataArgs),
    Db(db::DbArgs),
    Doctor(doctor::DoctorArgs),
    Config(config::ConfigArgs),
    Secret(secret::SecretArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Dev(dev::DevArgs),
    #[command(hide = true)]
    Complete(complete::CompleteArgs),
}

/// The whole tree, for help, man pages and completions.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses, runs, prints an error, and says what to exit with.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(message) => return parse_failure(&message, &arguments),
    };
    let mut session = Session::new(cli.globals.clone());
    let json = wants_json(&arguments);
    let asked = matches!(cli.command, Some(Command::Ask(_)));
    let result =
        dispatch(cli.command, &mut session).and_then(|exit| session.out.flush().map(|()| exit));
    match result {
        Ok(exit) => exit,
        Err(error) => report(&error, json.then_some(asked), &mut session.out),
    }
}

fn dispatch(command: Option<Command>, session: &mut Session) -> Result<Exit, Error> {
    match command {
        None => screen::open(session),
        Some(Command::Ask(a)) => ask::run(a, session),
        Some(Command::Lookup(a)) => lookup::run(a, session),
        Some(Command::Proposals(a)) => proposals::list(&a, session),
        Some(Command::Approve(a)) => approve::approve(a, session),
        Some(Command::Deny(a)) => approve::deny(a, session),
        Some(Command::Case(a)) => session.stored(a.writes(), |view, out| case::run(&a, view, out)),
        Some(Command::Evidence(a)) => {
            session.stored(false, |view, out| evidence::run(&a, view, out))
        }
        Some(Command::Report(a)) => report::run(a, session),
        Some(Command::Export(a)) => export::run(a, session),
        Some(Command::Audit(a)) => audit::run(a, session),
        Some(Command::Devices(a)) => devices::run(a, session),
        Some(Command::Device(a)) => device::run(a, session),
        Some(Command::Org(a)) => org::run(a, session),
        Some(Command::Inventory(a)) => inventory::run(&a, session),
        Some(Command::Patches(a)) => patches::run(a, session),
        Some(Command::Jobs(a)) => jobs::jobs(a, session),
        Some(Command::Ops(a)) => jobs::ops(a, session),
        Some(Command::Tasks(a)) => monitoring::tasks(a, session),
        Some(Command::Checks(a)) => monitoring::checks(a, session),
        Some(Command::Policies(a)) => monitoring::policies(a, session),
        Some(Command::Principal(a)) => principal::run(a, session),
        Some(Command::Extract(a)) => extract::run(&a, session),
        Some(Command::Redact(a)) => redact::run(&a, session),
        Some(Command::Modules(a)) => modules::run(&a, session),
        Some(Command::Data(a)) => data::run(a, session),
        Some(Command::Db(a)) => session.database(&a),
        Some(Command::Doctor(a)) => doctor::run(&a, session),
        Some(Command::Config(a)) => config::run(&a, session),
        Some(Command::Secret(a)) => secret::run(&a, session),
        Some(Command::Completions(a)) => completions::run(&a, session),
        Some(Command::Man(a)) => man::run(&a, session),
        Some(Command::Dev(a)) => dev::run(a, session),
        Some(Command::Complete(a)) => complete::run(&a, session),
    }
}

/// Help and version (exit 0), or a command line that cannot be read (exit 2).
fn parse_failure(message: &clap::Error, arguments: &[OsString]) -> Exit {
    let mut out = Output::system(early_color(arguments), false, 0);
    let complaint = message.use_stderr();
    if complaint && wants_json(arguments) {
        let text = message.to_string();
        let first = text.lines().next().unwrap_or_default();
        let what = first.strip_prefix("error: ").unwrap_or(first).to_owned();
        let error = Error::user(what).hint("rmm-analyst --help");
        let asked = arguments.iter().skip(1).any(|a| a == "ask");
        return report(&error, Some(asked), &mut out);
    }
    let printed = out.clap(message).and_then(|()| out.flush());
    match printed {
        Err(error) if !error.is_quiet() => error.exit(),
        _ if complaint => Exit::Usage,
        _ => Exit::Ok,
    }
}

/// Prints an error: always on stderr, and as JSON on stdout where JSON was asked for and nothing was
/// printed there yet.
fn report(error: &Error, json: Option<bool>, out: &mut Output) -> Exit {
    if error.is_quiet() {
        return error.exit();
    }
    tracing::error!(
        kind = ?error.kind(),
        exit = error.exit().code(),
        what = ?error.what(),
        "the command failed"
    );
    if let Some(asked) = json
        && !out.printed()
    {
        let form = out.error_json(error);
        let printed = if asked {
            out.json(&ask::failed(&form, error))
        } else {
            out.json(&serde_json::json!({ "error": form }))
        };
        if let Err(e) = printed.and_then(|()| out.flush())
            && e.is_quiet()
        {
            return error.exit();
        }
    } else {
        // What was printed before the error still goes out.
        let _ = out.flush();
    }
    out.error(error);
    error.exit()
}

fn wants_json(arguments: &[OsString]) -> bool {
    arguments
        .iter()
        .skip(1)
        .take_while(|a| *a != "--")
        .any(|a| a == "--json")
}

/// `--color` before the arguments could be parsed.
fn early_color(arguments: &[OsString]) -> Color {
    let words: Vec<&str> = arguments.iter().filter_map(|a| a.to_str()).collect();
    let value = words
        .iter()
        .enumerate()
        .find_map(|(i, w)| match w.strip_prefix("--color") {
            Some("") => words.get(i + 1).copied(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        });
    match value {
        Some("always") => Color::Always,
        Some("never") => Color::Never,
        _ => Color::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn color_is_known_before_parsing() {
        let args = |a: &[&str]| a.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(
            early_color(&args(&["x", "--color", "always"])),
            Color::Always
        );
        assert_eq!(
            early_color(&args(&["x", "--color=never", "nonsense"])),
            Color::Never
        );
        assert_eq!(early_color(&args(&["x", "--color"])), Color::Auto);
    }
}
