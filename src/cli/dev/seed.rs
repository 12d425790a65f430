//! `dev seed-fleet`: a made-up fleet.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::Own;
use crate::cli::session::Session;
use crate::engine::by_hand::seed::Size;
use clap::ValueEnum;
use serde_json::json;

/// How large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SizeChoice {
    /// 25 devices
    #[default]
    S,
    /// 1,500 devices
    M,
    /// 10,000 devices
    L,
}

pub(super) fn run(
    size: SizeChoice,
    seed: u64,
    audit: u64,
    as_json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let size = match size {
        SizeChoice::S => Size::S,
        SizeChoice::M => Size::M,
        SizeChoice::L => Size::L,
    };
    session
        .out
        .progress("making devices, software, patches, jobs and audit rows");
    let made = engine.runner().seed_fleet(size, seed, audit)?;
    if as_json {
        session.out.json(&json!({
            "clients": made.clients, "devices": made.devices, "software": made.software,
            "patches": made.patches, "audit": made.audit,
        }))?;
    } else {
        session.out.line(Own(format!(
            "{} clients, {} devices, {} rows of software, {} missing patches, {} rows of audit",
            made.clients, made.devices, made.software, made.patches, made.audit
        )))?;
    }
    Ok(Exit::Ok)
}
