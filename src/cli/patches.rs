//! `patches`: what is missing, and what a person decides about it.

use crate::cli::confirm::Confirm;
use crate::cli::devices::word;
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::output::Own;
use crate::cli::session::Session;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst patches --missing --severity critical
      How many devices miss each patch.
  rmm-analyst patches web-01
  rmm-analyst patches approve KB5031234 --device web-01
  rmm-analyst patches ignore KB5031234 --client Contoso --count 12 --yes";

/// Show missing patches; let them in, or keep them out
///
/// With a device, what it misses; without one, how many devices miss each patch. Letting a patch in installs nothing yet: it may be installed from then on.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct PatchesArgs {
    /// The device (id or host name)
    pub device: Option<String>,
    /// Only patches about which nobody decided
    #[arg(long, conflicts_with = "state")]
    pub missing: bool,
    /// Only patches in this state; all that are not installed unless given
    #[arg(long, value_enum)]
    pub state: Option<State>,
    /// Only patches that mend this
    #[arg(long, value_enum)]
    pub class: Option<Class>,
    /// Only patches of this severity
    #[arg(long, value_enum)]
    pub severity: Option<Severity>,
    /// Only devices of this client (id or name)
    #[arg(long, value_name = "CLIENT", conflicts_with = "device")]
    pub client: Option<String>,
    /// Only devices of this site (id or name)
    #[arg(long, value_name = "SITE", conflicts_with = "device")]
    pub site: Option<String>,
    /// Rows at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// What to do instead
    #[command(subcommand)]
    pub command: Option<PatchesCommand>,
}

/// The verbs of `patches`.
#[derive(Clone, Debug, Subcommand)]
pub enum PatchesCommand {
    /// Let patches in on devices: they may be installed from then on
    #[command(
        after_long_help = "Examples:\n  rmm-analyst patches approve KB5031234 --device web-01\n  rmm-analyst patches approve openssl=3.0.15-1 --site Berlin --count 4 --yes"
    )]
    Approve(DecideArgs),
    /// Keep patches out on devices; an approval that was not used yet is taken back
    #[command(
        after_long_help = "Examples:\n  rmm-analyst patches ignore KB5031234 --device web-01 --device web-02 --count 2 --yes"
    )]
    Ignore(DecideArgs),
}

/// What `patches approve` and `patches ignore` are given.
#[derive(Clone, Debug, Args)]
pub struct DecideArgs {
    /// The patches, as `patches` shows them
    #[arg(required = true, value_name = "PATCH")]
    pub patches: Vec<String>,
    /// On this device (id or host name); several times for more
    #[arg(long, value_name = "DEVICE")]
    pub device: Vec<String>,
    /// On every device of this client that they concern (id or name)
    #[arg(long, value_name = "CLIENT", conflicts_with = "device")]
    pub client: Option<String>,
    /// On every device of this site that they concern (id or name)
    #[arg(long, value_name = "SITE", conflicts_with = "device")]
    pub site: Option<String>,
    /// On every device that they concern
    #[arg(long, conflicts_with_all = ["device", "client", "site"])]
    pub everywhere: bool,
    /// How it is confirmed where it is about more than one device
    #[command(flatten)]
    pub confirm: Confirm,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What a patch is for a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum State {
    /// Nobody decided
    Missing,
    /// Let in, not installed yet
    Approved,
    /// Kept out
    Ignored,
    /// Being installed
    Installing,
    /// Installed
    Installed,
    /// The installation failed
    Failed,
}

/// What a patch mends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Class {
    /// Security
    Security,
    /// Critical, not about security
    Critical,
    /// A feature
    Feature,
    /// A driver
    Driver,
    /// Anything else
    Other,
}

/// How grave it is, in the vendor's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Severity {
    /// Critical
    Critical,
    /// Important
    Important,
    /// Moderate
    Moderate,
    /// Low
    Low,
    /// The vendor does not say
    Unknown,
}

/// Runs the command.
///
/// # Errors
/// A device or place that is not there, a missing permission, a decision that was not confirmed.
pub fn run(args: PatchesArgs, session: &mut Session) -> Result<Exit, Error> {
    match args.command {
        Some(PatchesCommand::Approve(args)) => decide(&args, true, session),
        Some(PatchesCommand::Ignore(args)) => decide(&args, false, session),
        None => list(&args, session),
    }
}

fn list(args: &PatchesArgs, session: &mut Session) -> Result<Exit, Error> {
    let state = if args.missing {
        Some(State::Missing)
    } else {
        args.state
    };
    let (engine, _) = session.engine(&[])?;
    let shown = engine.runner().fleet_read(
        "list_patches",
        &json!({
            "device": args.device, "client": args.client, "site": args.site, "state": word(state),
            "classification": word(args.class), "severity": word(args.severity), "limit": args.limit,
        }),
    )?;
    if args.json {
        fleet_table::print_json(&mut session.out, &shown, &[])?;
    } else {
        fleet_table::print(&mut session.out, &shown, None)?;
    }
    Ok(Exit::Ok)
}

fn decide(args: &DecideArgs, approve: bool, session: &mut Session) -> Result<Exit, Error> {
    if args.device.is_empty() && args.client.is_none() && args.site.is_none() && !args.everywhere {
        return Err(Error::user("it is not said on which devices")
            .hint("add --device DEVICE, --client CLIENT, --site SITE, or --everywhere"));
    }
    let (engine, _) = session.engine(&[])?;
    let runner = engine.runner();
    let devices = if args.device.is_empty() {
        runner.devices_missing(&args.patches, args.client.as_deref(), args.site.as_deref())?
    } else {
        runner.named_devices(&args.device)?
    };
    let (what, done) = if approve {
        ("given leave to install these patches", "approved")
    } else {
        ("kept from installing these patches", "ignored")
    };
    if devices.len() > 1 {
        let count = args.confirm.ask(what, &devices, &mut session.out)?;
        if count != devices.len() {
            return Err(Error::user(format!(
                "{} devices would be {what}, not {count}: nothing was changed",
                devices.len()
            ))
            .hint("look at the list again and give the number that it has"));
        }
    }
    let n = runner.decide_patches(approve, &devices, &args.patches)?;
    if args.json {
        session
            .out
            .json(&json!({ done: n, "devices": devices.len() }))?;
    } else if n == 0 {
        session
            .out
            .line("Nothing changed: these patches do not wait there for a decision.")?;
    } else {
        let devices = devices.len();
        session.out.line(Own(format!(
            "{n} {done}, a patch on a device counted once; {devices} devices."
        )))?;
    }
    Ok(Exit::Ok)
}
