//! `principal`: who may do what, and where.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::session::Session;
use crate::engine::by_hand::people::{NewPerson, Person, PersonChange, Where};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst principal list
  rmm-analyst principal add berta --allow technician --client Contoso --os-user berta
  rmm-analyst principal edit berta --allow reports.view --revoke jobs.approve
  rmm-analyst --as berta devices list";

const ADD_HELP: &str = "\
Examples:
  rmm-analyst principal add berta --allow technician --client Contoso --os-user berta
  rmm-analyst principal add bot --connector --allow read-only,lookups.run --whole-fleet

Presets:
  read-only   sees devices, clients, jobs, reports, patches, tasks and checks
  analyst     read-only, and lookups.run
  technician  analyst, and proposes and approves jobs, patches, tasks and checks, and moves devices
  manager     technician, and devices.delete, policies, audit.view and principals.manage
  all         every permission

Permissions:
  devices.view devices.delete clients.view clients.manage jobs.view jobs.create jobs.approve jobs.manage
  reports.view audit.view patches.view patches.approve patches.manage tasks.view tasks.manage checks.view
  checks.manage policies.view policies.manage principals.manage cases.view_all lookups.run
  A family is written devices.* (all that begin so). A scoped principal never sees audit and policies.";

/// Who may do what, and where
///
/// The first start makes the first owner, for the user of the operating system that started it. Nobody changes their own permissions or scope except the first owner, and nobody gives what they do not have. A principal is disabled, not deleted: cases and audit name it.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct PrincipalArgs {
    /// What to do
    #[command(subcommand)]
    pub command: PrincipalCommand,
}

/// The verbs of `principal`.
#[derive(Clone, Debug, Subcommand)]
pub enum PrincipalCommand {
    /// List principals: all with principals.manage, else only the one that acts
    #[command(
        after_long_help = "Examples:\n  rmm-analyst principal list\n  rmm-analyst principal list --json"
    )]
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show a principal; the one that acts unless named
    #[command(
        after_long_help = "Examples:\n  rmm-analyst principal show\n  rmm-analyst principal show berta --json"
    )]
    Show {
        /// Name
        name: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Make a principal
    #[command(after_long_help = ADD_HELP)]
    Add {
        /// Name: letters, digits and . _ - @
        name: String,
        /// What it may do: permissions, families and presets, with commas
        #[arg(long, value_name = "LIST", value_delimiter = ',', required = true)]
        allow: Vec<String>,
        /// Where
        #[command(flatten)]
        place: PlaceArgs,
        /// A user of the operating system that may act as it; several times for more
        #[arg(long, value_name = "USER")]
        os_user: Vec<String>,
        /// A program that acts for people, not a person: it decides nothing
        #[arg(long)]
        connector: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Change a principal
    #[command(
        after_long_help = "Examples:\n  rmm-analyst principal edit berta --allow reports.view --revoke jobs.approve\n  rmm-analyst principal edit berta --client Contoso --client Fabrikam\n  rmm-analyst principal edit berta --enable"
    )]
    Edit {
        /// Name
        name: String,
        /// What it may do besides: permissions, families and presets, with commas
        #[arg(long, value_name = "LIST", value_delimiter = ',')]
        allow: Vec<String>,
        /// What it may not do any more
        #[arg(long, value_name = "LIST", value_delimiter = ',')]
        revoke: Vec<String>,
        /// Where from now on, instead of where it could before
        #[command(flatten)]
        place: PlaceArgs,
        /// A user of the operating system that may act as it too
        #[arg(long, value_name = "USER")]
        os_user: Vec<String>,
        /// A user of the operating system that may not any more
        #[arg(long, value_name = "USER")]
        remove_os_user: Vec<String>,
        /// May be used again
        #[arg(long)]
        enable: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Keep a principal from being used
    #[command(after_long_help = "Examples:\n  rmm-analyst principal disable berta")]
    Disable {
        /// Name
        name: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Where a principal may act.
#[derive(Clone, Debug, Default, Args)]
pub struct PlaceArgs {
    /// At this client (id or name); several times for more
    #[arg(long, value_name = "CLIENT")]
    pub client: Vec<String>,
    /// At this site (id or name); several times for more
    #[arg(long, value_name = "SITE")]
    pub site: Vec<String>,
    /// At this department (id or name); several times for more
    #[arg(long, value_name = "DEPARTMENT")]
    pub department: Vec<String>,
    /// Everywhere
    #[arg(long, conflicts_with_all = ["client", "site", "department"])]
    pub whole_fleet: bool,
}

impl From<PlaceArgs> for Where {
    fn from(args: PlaceArgs) -> Self {
        Self {
            whole_fleet: args.whole_fleet,
            clients: args.client,
            sites: args.site,
            departments: args.department,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// There is no such principal, permission or place; nobody may give what they lack or change themselves.
pub fn run(args: PrincipalArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let runner = engine.runner();
    let (person, as_json) = match args.command {
        PrincipalCommand::List { json } => return list(&runner.people()?, json, session),
        PrincipalCommand::Show { name, json } => (runner.person(name.as_deref())?, json),
        PrincipalCommand::Add {
            name,
            allow,
            place,
            os_user,
            connector,
            json,
        } => {
            let place = Where::from(place);
            if place.is_empty() {
                return Err(Error::user("it is not said where this principal may act")
                    .why("without a place it would see nothing")
                    .hint("add --client CLIENT, --site SITE or --department DEPARTMENT, or --whole-fleet"));
            }
            let new = NewPerson {
                name,
                connector,
                allow,
                place,
                users: os_user,
            };
            (runner.add_person(&new)?, json)
        }
        PrincipalCommand::Edit {
            name,
            allow,
            revoke,
            place,
            os_user,
            remove_os_user,
            enable,
            json,
        } => {
            let change = PersonChange {
                allow,
                revoke,
                place: place.into(),
                add_users: os_user,
                remove_users: remove_os_user,
                disabled: enable.then_some(false),
            };
            (runner.edit_person(&name, &change)?, json)
        }
        PrincipalCommand::Disable { name, json } => {
            let change = PersonChange {
                disabled: Some(true),
                ..PersonChange::default()
            };
            (runner.edit_person(&name, &change)?, json)
        }
    };
    show(&person, as_json, session)
}

fn as_value(p: &Person) -> Value {
    json!({
        "name": p.name, "kind": p.kind, "first_owner": p.first_owner, "disabled": p.disabled, "acting": p.acting,
        "permissions": p.permissions, "whole_fleet": p.whole_fleet, "places": p.places,
        "hidden_places": p.hidden_places, "os_users": p.users,
    })
}

fn state(p: &Person) -> String {
    let mut words = Vec::new();
    if p.acting {
        words.push("acting");
    }
    if p.first_owner {
        words.push("first owner");
    }
    if p.disabled {
        words.push("disabled");
    }
    words.join(", ")
}

fn place(p: &Person) -> String {
    if p.whole_fleet {
        return "the whole fleet".to_owned();
    }
    let mut places: Vec<String> = p.places.iter().map(fleet_table::cell).collect();
    if p.hidden_places > 0 {
        places.push(format!("{} outside your scope", p.hidden_places));
    }
    if places.is_empty() {
        return "nowhere".to_owned();
    }
    places.join(", ")
}

/// Names of principals and of users hold what their makers typed.
fn own(text: &str, session: &Session) -> String {
    session.out.outside_line(text).as_str().to_owned()
}

fn list(people: &[Person], as_json: bool, session: &mut Session) -> Result<Exit, Error> {
    if as_json {
        let all: Vec<Value> = people.iter().map(as_value).collect();
        session.out.json(&all)?;
        return Ok(Exit::Ok);
    }
    let rows: Vec<Vec<String>> = people
        .iter()
        .map(|p| {
            vec![
                own(&p.name, session),
                p.kind.to_owned(),
                state(p),
                place(p),
                p.permissions.len().to_string(),
                own(&p.users.join(", "), session),
            ]
        })
        .collect();
    let head = ["name", "kind", "state", "where", "permissions", "os users"];
    fleet_table::rows(&mut session.out, &head, &rows)?;
    Ok(Exit::Ok)
}

fn show(p: &Person, as_json: bool, session: &mut Session) -> Result<Exit, Error> {
    if as_json {
        session.out.json(&as_value(p))?;
        return Ok(Exit::Ok);
    }
    let cells = [
        ("name", own(&p.name, session)),
        ("kind", p.kind.to_owned()),
        ("state", state(p)),
        ("where", place(p)),
        ("permissions", p.permissions.join(" ")),
        ("os users", own(&p.users.join(", "), session)),
    ];
    let rows: Vec<Vec<String>> = cells
        .into_iter()
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(name, cell)| vec![name.to_owned(), cell])
        .collect();
    fleet_table::rows(&mut session.out, &["", ""], &rows)?;
    Ok(Exit::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::by_hand::people::PRESETS;
    use kit::principal::Permission;

    #[test]
    fn the_help_names_every_permission_and_every_preset() {
        for p in Permission::ALL {
            assert!(ADD_HELP.split_whitespace().any(|w| w == p.name()), "{p}");
        }
        for p in PRESETS {
            assert!(ADD_HELP.contains(&format!("\n  {} ", p.name)), "{}", p.name);
        }
    }
}
