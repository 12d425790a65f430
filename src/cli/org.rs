//! `org`: clients, their sites and departments.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::output::{Own, Text};
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
    /// Give a client, a site or a department another name
    #[command(
        after_long_help = "Examples:\n  rmm-analyst org rename --client Contoso 'Contoso AG'\n  rmm-analyst org rename --site s-4 Potsdam"
    )]
    Rename {
        /// The new name
        name: String,
        /// The client (id or name); with --site, the client of the site
        #[arg(long, value_name = "CLIENT", required_unless_present_any = ["site", "department"], conflicts_with = "department")]
        client: Option<String>,
        /// The site (id or name)
        #[arg(long, value_name = "SITE", conflicts_with = "department")]
        site: Option<String>,
        /// The department (id or name)
        #[arg(long, value_name = "DEPARTMENT")]
        department: Option<String>,
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
        OrgCommand::Rename {
            name,
            client,
            site,
            department,
            json,
        } => {
            let of = match (department, site) {
                (Some(name), _) => NewPlace::Department {
                    client: None,
                    site: String::new(),
                    name,
                },
                (None, Some(name)) => NewPlace::Site {
                    client: client.unwrap_or_default(),
                    name,
                },
                (None, None) => NewPlace::Client {
                    name: client.unwrap_or_default(),
                },
            };
            let id = engine.runner().rename_place(&of, &name)?;
            return told(&id, &name, "has this name now", json, session);
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
    let name = match &new {
        NewPlace::Client { name }
        | NewPlace::Site { name, .. }
        | NewPlace::Department { name, .. } => name.clone(),
    };
    let id = engine.runner().add_place(&new)?;
    told(&id, &name, "was made", as_json, session)
}

fn told(
    id: &str,
    name: &str,
    what: &'static str,
    as_json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    let name = session.out.outside_line(name.trim());
    if as_json {
        session
            .out
            .json(&json!({ "id": id, "name": name.as_str() }))?;
    } else {
        let line = Text::from(Own(format!("{id} ")))
            .then(name)
            .then(Own(format!(" {what}.")));
        session.out.line(line)?;
    }
    Ok(Exit::Ok)
}
