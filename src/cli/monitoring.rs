//! `tasks`, `checks` and `policies`: what the program does by itself, again and again.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::jobs::{self, ShowArgs};
use crate::cli::output::{Own, Text};
use crate::cli::session::Session;
use crate::engine::actions::{Work, WorkFilter};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Largest script that is read from a file, bytes.
const SCRIPT_MAX: u64 = 65_536;

/// List, show, add, switch and remove scheduled tasks
///
/// A task that a model proposed is off until a person approved its proposal: that is the review.
#[derive(Clone, Debug, Args)]
#[command(
    after_long_help = "Examples:\n  rmm-analyst tasks list --state awaiting_review\n  rmm-analyst tasks add \"clean tmp\" --schedule \"30 2 * * 1\" --shell sh --script clean.sh --site Berlin\n  rmm-analyst tasks disable t-2"
)]
pub struct TasksArgs {
    /// What to do
    #[command(subcommand)]
    pub command: TaskVerb,
}

/// List, show, add, switch and remove checks
///
/// A check that a model proposed is off until a person approved its proposal: that is the review.
#[derive(Clone, Debug, Args)]
#[command(
    after_long_help = "Examples:\n  rmm-analyst checks list --client Contoso\n  rmm-analyst checks add \"root disk\" --kind disk --target / --warning 80 --error 95 --client Contoso\n  rmm-analyst checks remove k-4"
)]
pub struct ChecksArgs {
    /// What to do
    #[command(subcommand)]
    pub command: CheckVerb,
}

/// List, show, add, switch and remove policies
///
/// Only for principals of the whole fleet. A policy that a model proposed is off until a person approved its proposal.
#[derive(Clone, Debug, Args)]
#[command(
    after_long_help = "Examples:\n  rmm-analyst policies list\n  rmm-analyst policies add \"patch window\" --set window=02:00 --set reboot=true --client Contoso\n  rmm-analyst policies disable p-1"
)]
pub struct PoliciesArgs {
    /// What to do
    #[command(subcommand)]
    pub command: PolicyVerb,
}

/// What is done.
enum Verb<A> {
    List(ListArgs),
    Show(ShowArgs),
    Add(Box<A>),
    Enable(OneArgs),
    Disable(OneArgs),
    Remove(OneArgs),
}

/// The verbs of one command, with its own examples.
macro_rules! verbs {
    ($name:ident, $add:ty, $command:literal, $id:literal, $added:literal) => {
        /// The verbs.
        #[derive(Clone, Debug, Subcommand)]
        pub enum $name {
            /// List them, oldest first, a page at a time
            #[command(after_long_help = concat!("Examples:\n  rmm-analyst ", $command, " list --state awaiting_review\n  rmm-analyst ", $command, " list --client Contoso --json"))]
            List(ListArgs),
            /// Show one: everything that was approved, and by whom
            #[command(after_long_help = concat!("Examples:\n  rmm-analyst ", $command, " show ", $id, "\n  rmm-analyst ", $command, " show ", $id, " --json"))]
            Show(ShowArgs),
            /// Add one; it is on at once
            #[command(after_long_help = concat!("Examples:\n  rmm-analyst ", $command, " add ", $added))]
            Add(Box<$add>),
            /// Switch one on that a person reviewed before
            #[command(after_long_help = concat!("Examples:\n  rmm-analyst ", $command, " enable ", $id))]
            Enable(OneArgs),
            /// Switch one off
            #[command(after_long_help = concat!("Examples:\n  rmm-analyst ", $command, " disable ", $id))]
            Disable(OneArgs),
            /// Take one out of use for good; its row is kept
            #[command(after_long_help = concat!("Examples:\n  rmm-analyst ", $command, " remove ", $id))]
            Remove(OneArgs),
        }

        impl From<$name> for Verb<$add> {
            fn from(verb: $name) -> Self {
                match verb {
                    $name::List(a) => Self::List(a),
                    $name::Show(a) => Self::Show(a),
                    $name::Add(a) => Self::Add(a),
                    $name::Enable(a) => Self::Enable(a),
                    $name::Disable(a) => Self::Disable(a),
                    $name::Remove(a) => Self::Remove(a),
                }
            }
        }
    };
}

verbs!(
    TaskVerb,
    AddTask,
    "tasks",
    "t-2",
    "\"clean tmp\" --schedule \"30 2 * * 1\" --shell sh --script clean.sh --site Berlin"
);
verbs!(
    CheckVerb,
    AddCheck,
    "checks",
    "k-4",
    "\"root disk\" --kind disk --target / --warning 80 --error 95 --client Contoso"
);
verbs!(
    PolicyVerb,
    AddPolicy,
    "policies",
    "p-1",
    "\"patch window\" --set window=02:00 --set reboot=true --client Contoso"
);

/// Which rows.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    /// Only those that stand like this
    #[arg(long, value_enum)]
    pub state: Option<State>,
    /// Only of this client (id or name)
    #[arg(long, value_name = "CLIENT")]
    pub client: Option<String>,
    /// Only from this case (id or unique prefix)
    #[arg(long, value_name = "ID")]
    pub case: Option<String>,
    /// Removed and rejected ones too
    #[arg(long)]
    pub all: bool,
    /// Rows on a page
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub limit: u32,
    /// Which page, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub page: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum State {
    /// Proposed, and nobody decided
    AwaitingReview,
    /// On
    Enabled,
    /// Off, for whatever reason
    Disabled,
}

/// Which one.
#[derive(Clone, Debug, Args)]
pub struct OneArgs {
    /// Its id, as listed
    #[arg(value_name = "ID")]
    pub id: String,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Where it is aimed at.
#[derive(Clone, Debug, Args)]
pub struct Aim {
    /// Every device of this client, now and later (id or name)
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["site", "device"])]
    pub client: Option<String>,
    /// Every device of this site, now and later (id or name)
    #[arg(long, value_name = "SITE", conflicts_with = "device")]
    pub site: Option<String>,
    /// This device (id or host name)
    #[arg(long, value_name = "DEVICE")]
    pub device: Option<String>,
    /// Why; it stands in the audit
    #[arg(long, value_name = "TEXT")]
    pub why: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl Aim {
    fn put(&self, into: &mut Map<String, Value>) {
        for (name, value) in [
            ("client", &self.client),
            ("site", &self.site),
            ("device", &self.device),
            ("why", &self.why),
        ] {
            if let Some(value) = value {
                into.insert(name.to_owned(), json!(value));
            }
        }
    }
}

/// A new task.
#[derive(Clone, Debug, Args)]
pub struct AddTask {
    /// What it does, in a few words
    pub name: String,
    /// When, as in cron: minute, hour, day of month, month, day of week, in UTC
    #[arg(long, value_name = "CRON")]
    pub schedule: String,
    /// What runs it: sh, bash, python, powershell or cmd
    #[arg(long, value_name = "SHELL")]
    pub shell: String,
    /// A file with the script
    #[arg(long, value_name = "FILE")]
    pub script: PathBuf,
    /// Seconds that it may run
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub timeout: u32,
    /// Where
    #[command(flatten)]
    pub aim: Aim,
}

/// A new check.
#[derive(Clone, Debug, Args)]
pub struct AddCheck {
    /// What is watched, in a few words
    pub name: String,
    /// What is looked at: disk, cpu, memory, ping, service or script
    #[arg(long, value_name = "KIND")]
    pub kind: String,
    /// Of disk: the mount point or drive; of ping: the host; of service: its name
    #[arg(long, value_name = "TEXT")]
    pub target: Option<String>,
    /// Of script: what runs it
    #[arg(long, value_name = "SHELL", requires = "script")]
    pub shell: Option<String>,
    /// Of script: a file with it
    #[arg(long, value_name = "FILE", requires = "shell")]
    pub script: Option<PathBuf>,
    /// From this value on it is a warning
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub warning: Option<f64>,
    /// From this value on it fails
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub error: Option<f64>,
    /// Failures in a row before anybody is told
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub fails: u32,
    /// Seconds between two looks
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u32).range(30..=604_800))]
    pub every: u32,
    /// Where
    #[command(flatten)]
    pub aim: Aim,
}

/// A new policy.
#[derive(Clone, Debug, Args)]
pub struct AddPolicy {
    /// Its name, not in use yet
    pub name: String,
    /// A setting: a text, a number, true or false; several times for several
    #[arg(long = "set", value_name = "NAME=VALUE", required = true)]
    pub settings: Vec<String>,
    /// Where; without any: the whole fleet
    #[command(flatten)]
    pub aim: Aim,
}

/// Runs `tasks`.
///
/// # Errors
/// No such row, a missing permission, values that do not fit, or the database.
pub fn tasks(args: TasksArgs, session: &mut Session) -> Result<Exit, Error> {
    verb(Work::Tasks, args.command.into(), session, |a| {
        let mut map = Map::new();
        map.insert("name".into(), json!(a.name));
        map.insert("schedule".into(), json!(a.schedule));
        map.insert("shell".into(), json!(a.shell));
        map.insert("script".into(), json!(script(&a.script)?));
        map.insert("timeout_s".into(), json!(a.timeout));
        a.aim.put(&mut map);
        Ok(("propose_task", map, a.aim.json))
    })
}

/// Runs `checks`.
///
/// # Errors
/// As [`tasks`].
pub fn checks(args: ChecksArgs, session: &mut Session) -> Result<Exit, Error> {
    verb(Work::Checks, args.command.into(), session, |a| {
        let mut map = Map::new();
        map.insert("name".into(), json!(a.name));
        map.insert("kind".into(), json!(a.kind));
        map.insert("fails_before_alert".into(), json!(a.fails));
        map.insert("every_s".into(), json!(a.every));
        for (name, value) in [("target", &a.target), ("shell", &a.shell)] {
            if let Some(value) = value {
                map.insert(name.into(), json!(value));
            }
        }
        for (name, value) in [("warning", a.warning), ("error", a.error)] {
            if let Some(value) = value {
                map.insert(name.into(), json!(value));
            }
        }
        if let Some(file) = &a.script {
            map.insert("script".into(), json!(script(file)?));
        }
        a.aim.put(&mut map);
        Ok(("propose_check", map, a.aim.json))
    })
}

/// Runs `policies`.
///
/// # Errors
/// As [`tasks`].
pub fn policies(args: PoliciesArgs, session: &mut Session) -> Result<Exit, Error> {
    verb(Work::Policies, args.command.into(), session, |a| {
        let mut settings = Map::new();
        for pair in &a.settings {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(Error::user(format!("{pair:?} is no setting"))
                    .hint("write it as --set NAME=VALUE"));
            };
            // true, false and numbers are what they look like; everything else is text.
            let value = match serde_json::from_str::<Value>(value) {
                Ok(v @ (Value::Bool(_) | Value::Number(_))) => v,
                _ => json!(value),
            };
            settings.insert(name.trim().to_owned(), value);
        }
        let mut map = Map::new();
        map.insert("name".into(), json!(a.name));
        map.insert("settings".into(), Value::Object(settings));
        a.aim.put(&mut map);
        Ok(("propose_policy", map, a.aim.json))
    })
}

fn verb<A>(
    of: Work,
    verb: Verb<A>,
    session: &mut Session,
    add: impl FnOnce(&A) -> Result<(&'static str, Map<String, Value>, bool), Error>,
) -> Result<Exit, Error> {
    match verb {
        Verb::List(a) => list(of, &a, session),
        Verb::Show(a) => jobs::show(of, &a, session),
        Verb::Add(a) => {
            let (tool, map, as_json) = add(&a)?;
            let (engine, _) = session.engine(&[])?;
            let done = engine
                .runner()
                .do_by_hand(tool, &Value::Object(map), None)?;
            if as_json {
                let all: Vec<Value> = done.iter().map(super::approve::done_json).collect();
                session.out.json(&all)?;
                return Ok(Exit::Ok);
            }
            for d in &done {
                let line = Text::new()
                    .then(Own(format!("{} {}: ", d.id, d.status)))
                    .then(session.out.outside_line(d.title.as_str()));
                session.out.line(line)?;
            }
            Ok(Exit::Ok)
        }
        Verb::Enable(a) => switched(of, &a, session, "enabled", |e, id| {
            Ok(e.runner().switch(of, id, true)?)
        }),
        Verb::Disable(a) => switched(of, &a, session, "disabled", |e, id| {
            Ok(e.runner().switch(of, id, false)?)
        }),
        Verb::Remove(a) => switched(of, &a, session, "removed", |e, id| {
            Ok(e.runner().retire(of, id)?)
        }),
    }
}

fn switched(
    of: Work,
    args: &OneArgs,
    session: &mut Session,
    word: &str,
    act: impl FnOnce(&crate::engine::Engine, &str) -> Result<bool, Error>,
) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let changed = act(&engine, &args.id)?;
    if args.json {
        session
            .out
            .json(&json!({ of.one(): args.id.trim(), "state": word, "changed": changed }))?;
    } else {
        let was = if changed {
            ""
        } else {
            " before; nothing changed"
        };
        let line = Text::new()
            .then(session.out.outside_line(args.id.trim()))
            .then(Own(format!(": {word}{was}")));
        session.out.line(line)?;
    }
    Ok(Exit::Ok)
}

fn list(of: Work, args: &ListArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    engine.sweep_actions()?;
    let case = args
        .case
        .as_deref()
        .map(|c| engine.store.read(|r| r.find_case(c, &engine.principal)))
        .transpose()?;
    let state = args.state.map(|s| {
        match s {
            State::AwaitingReview => "awaiting_review",
            State::Enabled => "enabled",
            State::Disabled => "disabled",
        }
        .to_owned()
    });
    let filter = WorkFilter {
        client: args.client.clone(),
        case,
        state,
        gone: args.all,
        limit: args.limit,
        page: args.page,
        ..WorkFilter::default()
    };
    let shown = engine.runner().work(of, &filter)?;
    if args.json {
        fleet_table::print_json(&mut session.out, &shown, &[])?;
    } else {
        fleet_table::print(&mut session.out, &shown, None)?;
    }
    Ok(Exit::Ok)
}

/// A script out of a file.
fn script(file: &std::path::Path) -> Result<String, Error> {
    let shown = file.display();
    let size = std::fs::metadata(file)
        .map_err(|e| Error::user(format!("{shown} cannot be read")).why(e.to_string()))?
        .len();
    if size > SCRIPT_MAX {
        return Err(Error::user(format!("{shown} is too long"))
            .why(format!(
                "a script has at most {SCRIPT_MAX} bytes, this has {size}"
            ))
            .hint("put the long part on the devices, and call it"));
    }
    std::fs::read_to_string(file).map_err(|e| {
        Error::user(format!("{shown} cannot be read"))
            .why(e.to_string())
            .hint("a script is text in UTF-8")
    })
}
