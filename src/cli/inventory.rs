//! `inventory`: what a device has.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::session::Session;
use clap::Args;
use serde_json::{Value, json};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst inventory d-12
  rmm-analyst inventory web-01 --software --match openssl
  rmm-analyst inventory web-01 --hardware --network --json";

/// Show the inventory of a device: system, hardware, network, software, patches
///
/// Every part says when it was read. A part that was never read is unknown, not empty.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct InventoryArgs {
    /// The device (id or host name)
    pub device: String,
    /// Operating system, place, user, times
    #[arg(long)]
    pub system: bool,
    /// Processor, memory, disks
    #[arg(long)]
    pub hardware: bool,
    /// Addresses
    #[arg(long)]
    pub network: bool,
    /// Installed software
    #[arg(long)]
    pub software: bool,
    /// How many patches are in which state
    #[arg(long)]
    pub patches: bool,
    /// Only software whose name has this part
    #[arg(long = "match", value_name = "TEXT")]
    pub matching: Option<String>,
    /// Rows of software at most
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// The device is not there, or a permission is missing.
pub fn run(args: &InventoryArgs, session: &mut Session) -> Result<Exit, Error> {
    let parts: Vec<&str> = [
        (args.system, "system"),
        (args.hardware, "hardware"),
        (args.network, "network"),
        (args.software || args.matching.is_some(), "software"),
        (args.patches, "patches"),
    ]
    .into_iter()
    .filter_map(|(wanted, part)| wanted.then_some(part))
    .collect();
    let parts = if parts.is_empty() {
        Value::Null
    } else {
        json!(parts)
    };
    let (engine, _) = session.engine(&[])?;
    let shown = engine.runner().fleet_read(
        "get_inventory",
        &json!({
            "device": args.device, "parts": parts, "software_match": args.matching, "software_limit": args.limit,
        }),
    )?;
    if args.json {
        fleet_table::print_json(&mut session.out, &shown, &[])?;
    } else {
        fleet_table::print(&mut session.out, &shown, None)?;
    }
    Ok(Exit::Ok)
}
