//! `devices`: the devices of the fleet.

use crate::cli::confirm::Confirm;
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::output::Own;
use crate::cli::session::Session;
use crate::engine::by_hand::devices::Act;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst devices list --client Contoso --status offline
  rmm-analyst devices show d-12
  rmm-analyst devices move web-01 web-02 --site s-4
  rmm-analyst devices remove d-12 --count 1 --yes";

/// List, show, move and remove devices
///
/// A device is named by its id (d-12) or by a host name that only one device has. What is outside the scope of the principal that acts does not exist.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DevicesArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DevicesCommand,
}

/// The verbs of `devices`.
#[derive(Clone, Debug, Subcommand)]
pub enum DevicesCommand {
    /// List devices by name, a page at a time
    #[command(
        after_long_help = "Examples:\n  rmm-analyst devices list --search web --limit 20 --page 2\n  rmm-analyst devices list --site Berlin --platform windows --all --json"
    )]
    List(ListArgs),
    /// Show what is known of one device, and from when
    #[command(
        after_long_help = "Examples:\n  rmm-analyst devices show d-12\n  rmm-analyst devices show web-01 --json"
    )]
    Show {
        /// The device (id or host name)
        device: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Move devices to a site
    ///
    /// Asks for the number of devices at a terminal; without one, --count and --yes confirm it.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst devices move web-01 --site s-4\n  rmm-analyst devices move d-12 d-13 --site Berlin --department Lab --count 2 --yes"
    )]
    Move {
        /// The devices (ids or host names)
        #[arg(required = true, value_name = "DEVICE")]
        devices: Vec<String>,
        /// The site they go to (id or name)
        #[arg(long, value_name = "SITE")]
        site: String,
        /// A department of that site (id or name)
        #[arg(long, value_name = "DEPARTMENT")]
        department: Option<String>,
        /// Why; it stands in the audit
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
        /// How it is confirmed
        #[command(flatten)]
        confirm: Confirm,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Remove devices and what is known of them
    #[command(
        after_long_help = "Examples:\n  rmm-analyst devices remove d-12\n  rmm-analyst devices remove d-12 d-13 --count 2 --yes"
    )]
    Remove(RemoveArgs),
}

/// What `devices list` shows.
#[derive(Clone, Debug, Default, Args)]
pub struct ListArgs {
    /// Only of this client (id or name)
    #[arg(long, value_name = "CLIENT")]
    pub client: Option<String>,
    /// Only of this site (id or name)
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,
    /// Only of this department (id or name)
    #[arg(long, value_name = "DEPARTMENT")]
    pub department: Option<String>,
    /// Only devices that answer, or do not
    #[arg(long, value_enum)]
    pub status: Option<Status>,
    /// Only this family of operating systems
    #[arg(long, value_enum)]
    pub platform: Option<Platform>,
    /// Only servers, or only workstations
    #[arg(long, value_enum)]
    pub kind: Option<Kind>,
    /// Only devices that wait for a restart
    #[arg(long)]
    pub needs_reboot: bool,
    /// A part of the host name, operating system, tag, serial number or address
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,
    /// Devices on a page
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: u32,
    /// Which page, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub page: u32,
    /// Every page
    #[arg(long, conflicts_with_all = ["limit", "page"])]
    pub all: bool,
    /// Every column
    #[arg(long)]
    pub wide: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Whether a device answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Status {
    /// Answers
    Online,
    /// Does not answer
    Offline,
    /// Not seen for longer than expected
    Overdue,
    /// Nobody looked yet
    Unknown,
}

/// A family of operating systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Platform {
    /// Linux
    Linux,
    /// Windows
    Windows,
    /// macOS
    Macos,
    /// Anything else
    Other,
}

/// What a device is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A server
    Server,
    /// A workstation or laptop
    Workstation,
}

/// The name of a value on the command line, which is also its name in the store.
pub(crate) fn word<T: ValueEnum>(value: Option<T>) -> Option<String> {
    value
        .and_then(|v| v.to_possible_value())
        .map(|v| v.get_name().to_owned())
}

/// What `devices remove` and `device remove` are given.
#[derive(Clone, Debug, Args)]
pub struct RemoveArgs {
    /// The devices (ids or host names)
    #[arg(required = true, value_name = "DEVICE")]
    pub devices: Vec<String>,
    /// Why; it stands in the audit
    #[arg(long, value_name = "TEXT")]
    pub why: Option<String>,
    /// How it is confirmed
    #[command(flatten)]
    pub confirm: Confirm,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Columns of the usual table.
const NARROW: &[&str] = &["device", "client", "site", "os", "status", "last seen"];

/// Runs the command.
///
/// # Errors
/// A device or place that is not there, a missing permission, an act that was not confirmed.
pub fn run(args: DevicesArgs, session: &mut Session) -> Result<Exit, Error> {
    match args.command {
        DevicesCommand::List(args) => list(&args, session),
        DevicesCommand::Show { device, json } => show(&device, json, session),
        DevicesCommand::Move {
            devices,
            site,
            department,
            why,
            confirm,
            json,
        } => {
            let what = match &department {
                Some(department) => format!("moved to {department} of site {site}"),
                None => format!("moved to site {site}"),
            };
            let act = Act::Move { site, department };
            change(
                &devices,
                &act,
                &what,
                "moved",
                why.as_deref(),
                confirm,
                json,
                session,
            )
        }
        DevicesCommand::Remove(args) => remove(&args, session),
    }
}

fn list(args: &ListArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let wanted = |limit: u32, page: u32| {
        json!({
            "client": args.client, "site": args.site, "department": args.department,
            "status": word(args.status), "platform": word(args.platform), "kind": word(args.kind),
            "needs_reboot": args.needs_reboot.then_some(true), "search": args.search,
            "limit": limit, "page": page,
        })
    };
    let runner = engine.runner();
    let mut shown = if args.all {
        runner.fleet_read("list_devices", &wanted(200, 1))?
    } else {
        runner.fleet_read("list_devices", &wanted(args.limit, args.page))?
    };
    if args.all {
        let mut page = 1;
        loop {
            page += 1;
            let more = if (shown.rows.len() as u64) < shown.total {
                runner.fleet_read("list_devices", &wanted(200, page))?
            } else {
                break;
            };
            if more.rows.is_empty() {
                break;
            }
            shown.rows.extend(more.rows);
            shown.json.extend(more.json);
        }
        shown.said = engine.redacted(&format!("{} devices.", shown.rows.len()));
    }
    if args.json {
        fleet_table::print_json(&mut session.out, &shown, &[("device", "hostname")])?;
    } else {
        let columns = (!args.wide).then_some(NARROW);
        fleet_table::print(&mut session.out, &shown, columns)?;
    }
    Ok(Exit::Ok)
}

fn show(device: &str, as_json: bool, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let runner = engine.runner();
    let named = runner.named_devices(&[device.to_owned()])?;
    let shown = runner.fleet_read(
        "get_inventory",
        &json!({ "device": device, "parts": ["system", "hardware", "network", "patches"] }),
    )?;
    if as_json {
        let mut object = fleet_table::object(&shown, &[]);
        if let (Some(one), Value::Object(map)) = (named.first(), &mut object) {
            map.insert("device".into(), json!(one.id));
            map.insert("label".into(), json!(one.label));
            map.insert("place".into(), json!(one.place));
        }
        session.out.json(&object)?;
        return Ok(Exit::Ok);
    }
    for one in &named {
        let (label, place) = (fleet_table::cell(&one.label), fleet_table::cell(&one.place));
        session.out.line(Own(format!("{label}  {place}")))?;
    }
    fleet_table::print(&mut session.out, &shown, None)?;
    Ok(Exit::Ok)
}

/// Runs `devices remove` and `device remove`.
///
/// # Errors
/// As [`run`].
pub fn remove(args: &RemoveArgs, session: &mut Session) -> Result<Exit, Error> {
    change(
        &args.devices,
        &Act::Remove,
        "removed, with everything that is known of them",
        "removed",
        args.why.as_deref(),
        args.confirm,
        args.json,
        session,
    )
}

#[allow(
    clippy::too_many_arguments,
    reason = "the parts of two commands that differ in words only"
)]
fn change(
    given: &[String],
    act: &Act,
    what: &str,
    done: &str,
    why: Option<&str>,
    confirm: Confirm,
    as_json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let runner = engine.runner();
    let devices = runner.named_devices(given)?;
    let count = confirm.ask(what, &devices, &mut session.out)?;
    let n = runner.act_on(&devices, act, why, count)?;
    if as_json {
        let ids: Vec<&str> = devices.iter().map(|d| d.id.as_str()).collect();
        session.out.json(&json!({ done: n, "devices": ids }))?;
    } else {
        let noun = if n == 1 { "device was" } else { "devices were" };
        session.out.line(Own(format!("{n} {noun} {done}.")))?;
    }
    Ok(Exit::Ok)
}
