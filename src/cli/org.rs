//! `org`: clients, their sites and departments.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::output::Own;
use crate::cli::session::Session;
use crate::engine::by_hand::devices::NewPlace;
use clap::{Args, Subcommand};
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst org list
  rmm-analyst org add client Contoso
  rmm-analyst org add site Berlin --client Contoso
  rmm-analyst org add department Lab --site Berlin";

/// List and make clients, sites and departments
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct OrgArgs {
    /// What to do
    #[command(subcommand)]
    pub command: OrgCommand,
}

/// The verbs of `org`.
#[derive(Clone, Debug, Subcommand)]
pub enum OrgCommand {
    /// List places with their ids and how many devices stand there
    #[command(
        after_long_help = "Examples:\n  rmm-analyst org list\n  rmm-analyst org list --client Contoso --json"
    )]
    List {
        /// Only this client (id or name)
        #[arg(long, value_name = "CLIENT")]
        client: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a client, a site or a department
    #[command(
        after_long_help = "Examples:\n  rmm-analyst org add client Contoso\n  rmm-analyst org add site Berlin --client Contoso"
    )]
    Add {
        /// What is made
        #[command(subcommand)]
        place: AddPlace,
    },
}

/// What `org add` makes.
#[derive(Clone, Debug, Subcommand)]
pub enum AddPlace {
    /// Make a client
    #[command(after_long_help = "Examples:\n  rmm-analyst org add client Contoso")]
    Client {
        /// Name
        name: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a site of a client
    #[command(after_long_help = "Examples:\n  rmm-analyst org add site Berlin --client Contoso")]
    Site {
        /// Name
        name: String,
        /// Its client (id or name)
        #[arg(long, value_name = "CLIENT")]
        client: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a department of a site
    #[command(
        after_long_help = "Examples:\n  rmm-analyst org add department Lab --client Contoso --site Berlin"
    )]
    Department {
        /// Name
        name: String,
        /// Its site (id or name)
        #[arg(long, value_name = "SITE")]
        site: String,
        /// The client of the site (id or name), where several sites have its name
        #[arg(long, value_name = "CLIENT")]
        client: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// A place that is not there, a missing permission, a name that is taken.
pub fn run(args: OrgArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let place = match args.command {
        OrgCommand::List { client, json } => {
            let shown = engine
                .runner()
                .fleet_read("list_org", &json!({ "client": client }))?;
            if json {
                let ids = [
                    ("client", "client_name"),
                    ("site", "site_name"),
                    ("department", "department_name"),
                ];
                fleet_table::print_json(&mut session.out, &shown, &ids)?;
            } else {
                fleet_table::print(&mut session.out, &shown, None)?;
            }
            return Ok(Exit::Ok);
        }
        OrgCommand::Add { place } => place,
    };
    let (new, as_json) = match place {
        AddPlace::Client { name, json } => (NewPlace::Client { name }, json),
        AddPlace::Site { name, client, json } => (NewPlace::Site { client, name }, json),
        AddPlace::Department {
            name,
            site,
            client,
            json,
        } => (NewPlace::Department { client, site, name }, json),
    };
    let made = engine.runner().add_place(&new)?;
    if as_json {
        let (id, name) = made.as_str().split_once(' ').unwrap_or((made.as_str(), ""));
        session.out.json(&json!({ "id": id, "name": name }))?;
    } else {
        session
            .out
            .line(Own(format!("{} was made.", fleet_table::cell(&made))))?;
    }
    Ok(Exit::Ok)
}
