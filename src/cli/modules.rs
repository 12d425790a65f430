//! `modules`: the sources, as facts.

mod test;

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::{Own, Style, Text};
use crate::cli::registry;
use crate::cli::secret::state;
use crate::cli::session::Session;
use crate::config::keys::did_you_mean;
use crate::config::{Loaded, check};
use crate::secrets::{SecretStatus, Secrets};
use clap::{Args, Subcommand};
use kit::{Activity, KeyNeed, ModuleSpec};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst modules list
  rmm-analyst modules show abuseipdb
  rmm-analyst modules test crtsh example.org";

/// Show the look-up modules: what they know, what they need, who may use them
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ModulesArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ModulesCommand,
}

/// The verbs of `modules`.
#[derive(Clone, Debug, Subcommand)]
pub enum ModulesCommand {
    /// List every module: types, who may use it, its key
    #[command(
        after_long_help = "Examples:\n  rmm-analyst modules list\n  rmm-analyst modules list --json"
    )]
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show one module: what it knows, how to get a key, hosts, limits
    #[command(
        after_long_help = "Examples:\n  rmm-analyst modules show abuseipdb\n  rmm-analyst modules show crtsh --json"
    )]
    Show {
        /// The module, with or without `@`
        module: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Ask a source once, to see whether key and network work
    ///
    /// Without a value the module is asked about its own example. Without a name every module is asked that is enabled and has what it needs, except active ones, which touch the target. Cached answers are not used.
    ///
    /// Exit codes: 0 when every source answered, 8 when one could not be asked.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst modules test\n  rmm-analyst modules test abuseipdb\n  rmm-analyst modules test crtsh example.org --json"
    )]
    Test {
        /// The module, with or without `@`; without one, all that are ready
        #[arg(value_name = "NAME")]
        name: Option<String>,
        /// What to ask about, plain or defanged; without it, the module's own example
        value: Option<String>,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// There is no such module, or the configuration is wrong.
pub fn run(args: &ModulesArgs, session: &mut Session) -> Result<Exit, Error> {
    match &args.command {
        ModulesCommand::List { json } => list(*json, session),
        ModulesCommand::Show { module, json } => show(module, *json, session),
        ModulesCommand::Test { name, value, json } => {
            test::run(name.as_deref(), value.as_deref(), *json, session)
        }
    }
}

/// A module as `modules list` and `modules show` give it.
#[derive(Serialize)]
struct View {
    name: &'static str,
    what: &'static str,
    types: Vec<&'static str>,
    activity: &'static str,
    ai_tool: bool,
    ai_allowed: bool,
    local_model_only: bool,
    enabled: bool,
    key: &'static str,
    key_set: Option<bool>,
    key_origin: Option<String>,
    key_error: Option<String>,
    secrets: Vec<String>,
    get_key: &'static str,
    base_url: String,
    hosts: Vec<&'static str>,
    data: Vec<&'static str>,
    rate: Vec<(u32, u64)>,
    ttl_s: u64,
    example: &'static str,
    #[serde(skip)]
    status: Option<SecretStatus>,
}

impl View {
    fn new(spec: &'static ModuleSpec, loaded: &Loaded, secrets: &Secrets) -> Self {
        let config = loaded
            .config
            .modules
            .get(spec.name)
            .cloned()
            .unwrap_or_default();
        let names: Vec<String> = match &config.key {
            Some(name) => vec![name.clone()],
            None => spec.secrets.iter().map(|s| (*s).to_owned()).collect(),
        };
        // The first name that is set is the one in use.
        let names_ref: Vec<&str> = names.iter().map(String::as_str).collect();
        let statuses = secrets.list(&names_ref);
        let set = |s: &&SecretStatus| s.origin.is_some() || s.error.is_some();
        let status = statuses.iter().find(set).or(statuses.first()).cloned();
        let ai = &loaded.config.ai;
        let listed = ai.modules.is_empty() || ai.modules.iter().any(|m| m == spec.name);
        let blocked = ai.blocked_modules.iter().any(|m| m == spec.name);
        Self {
            name: spec.name,
            what: spec.help.what,
            types: spec.types.iter().map(|t| t.name()).collect(),
            activity: match spec.activity {
                Activity::Passive => "passive",
                Activity::Active => "active",
                Activity::Offline => "offline",
            },
            ai_tool: spec.ai_tool,
            ai_allowed: spec.ai_tool && config.enabled && listed && !blocked,
            local_model_only: spec.local_model_only,
            enabled: config.enabled,
            key: match spec.key {
                KeyNeed::None => "none",
                KeyNeed::Optional => "optional",
                KeyNeed::Free => "free",
                KeyNeed::Paid => "paid",
            },
            key_set: (spec.key != KeyNeed::None).then(|| status.as_ref().is_some_and(|s| set(&s))),
            key_origin: status
                .as_ref()
                .and_then(|s| s.origin)
                .map(|o| o.to_string()),
            key_error: status.as_ref().and_then(|s| s.error.clone()),
            secrets: names,
            get_key: spec.help.get_key,
            base_url: config
                .base_url
                .clone()
                .unwrap_or_else(|| spec.base_url.to_owned()),
            hosts: if config.base_url.is_some() {
                Vec::new()
            } else {
                spec.hosts.to_vec()
            },
            data: spec.data.iter().map(|d| d.name).collect(),
            rate: match config.rate {
                Some(calls) => vec![(calls, 60)],
                None => spec.rate.iter().map(|r| (r.calls, r.per_s)).collect(),
            },
            ttl_s: config.ttl.unwrap_or(spec.ttl_s),
            example: spec.help.example,
            status,
        }
    }

    /// Whether it can be used, in one phrase.
    fn state(&self) -> Text {
        if !self.enabled {
            return Text::new().styled(Style::Dim, "switched off");
        }
        match (self.key, &self.status) {
            ("none", _) | (_, None) => Text::new()
                .styled(Style::Green, "ready")
                .then(", no key needed"),
            (_, Some(s)) if s.error.is_some() => Text::new()
                .styled(Style::Red, "off")
                .then(", key ")
                .then(state(s)),
            (_, Some(s)) if s.origin.is_some() => Text::new()
                .styled(Style::Green, "ready")
                .then(", key ")
                .then(state(s)),
            ("optional", _) => Text::new()
                .styled(Style::Green, "ready")
                .then(", better with a key"),
            _ => Text::new().styled(Style::Yellow, "needs a key"),
        }
    }

    fn who(&self) -> &'static str {
        match (self.ai_tool, self.ai_allowed, self.local_model_only) {
            (false, _, _) => "people",
            (true, false, _) => "people (not allowed to models)",
            (true, true, true) => "people, local models",
            (true, true, false) => "people, models",
        }
    }
}

fn views(session: &mut Session) -> Result<Vec<View>, Error> {
    let loaded = session.config(&[])?;
    let secrets = session.secrets()?;
    Ok(registry::specs()
        .into_iter()
        .map(|spec| View::new(spec, &loaded, &secrets))
        .collect())
}

fn list(json: bool, session: &mut Session) -> Result<Exit, Error> {
    let views = views(session)?;
    if json {
        session.out.json(&views)?;
        return Ok(Exit::Ok);
    }
    let width = views.iter().map(|v| v.name.len()).max().unwrap_or(0);
    for view in &views {
        let head = Text::new()
            .styled(Style::Bold, Own(format!("@{:width$}", view.name)))
            .then("  ")
            .then(view.state());
        session.out.line(head)?;
        session.out.line(Own(format!("   {}", view.what)))?;
        let facts = format!(
            "   {}; {}; for {}",
            view.types.join(" "),
            view.activity,
            view.who()
        );
        session
            .out
            .line(Text::new().styled(Style::Dim, Own(facts)))?;
    }
    Ok(Exit::Ok)
}

fn show(name: &str, json: bool, session: &mut Session) -> Result<Exit, Error> {
    let spec = find(name)?;
    let loaded = session.config(&[])?;
    let view = View::new(spec, &loaded, &session.secrets()?);
    if json {
        session.out.json(&view)?;
        return Ok(Exit::Ok);
    }
    let out = &mut session.out;
    let field = |name: &'static str, text: Text| {
        Text::new()
            .styled(Style::Bold, Own(format!("{name:<9}")))
            .then(text)
    };
    let own = |text: String| Text::from(Own(text));
    out.line(field("module", own(format!("@{}", view.name))))?;
    out.line(field("knows", own(view.what.to_owned())))?;
    out.line(field("takes", own(view.types.join(", "))))?;
    out.line(field(
        "kind",
        own(match view.activity {
            "active" => "active: it touches the target".to_owned(),
            "offline" => "offline: nothing leaves this machine".to_owned(),
            _ => "passive: it asks a third party, the target learns nothing".to_owned(),
        }),
    ))?;
    out.line(field("for", own(view.who().to_owned())))?;
    out.line(field("state", view.state()))?;
    if view.key != "none" {
        out.line(field("secret", own(view.secrets.join(", else "))))?;
        out.line(field("get key", own(view.get_key.to_owned())))?;
        if let Some(secret) = view.secrets.last() {
            out.line(field(
                "set key",
                own(format!("rmm-analyst secret set {secret}")),
            ))?;
        }
    }
    if !view.base_url.is_empty() {
        let address = out.outside_line(view.base_url.as_str());
        out.line(field("address", Text::from(address)))?;
    }
    if !view.hosts.is_empty() {
        out.line(field("hosts", own(view.hosts.join(", "))))?;
    }
    if !view.data.is_empty() {
        out.line(field("data", own(view.data.join(", "))))?;
    }
    if !view.rate.is_empty() {
        let rate: Vec<String> = view
            .rate
            .iter()
            .map(|(calls, s)| format!("{calls} calls in {s} s"))
            .collect();
        out.line(field("limit", own(rate.join(", "))))?;
    }
    out.line(field("cached", own(format!("{} s", view.ttl_s))))?;
    out.line(field(
        "example",
        own(format!(
            "rmm-analyst lookup {} '{}'",
            view.name, view.example
        )),
    ))?;
    Ok(Exit::Ok)
}

/// A module by name, with a suggestion where there is none.
///
/// # Errors
/// There is no such module.
pub fn find(name: &str) -> Result<&'static ModuleSpec, Error> {
    if let Some(spec) = registry::find(name) {
        return Ok(spec);
    }
    let specs = registry::specs();
    let bare = name.strip_prefix('@').unwrap_or(name);
    let (what, hint) = check::module_name(bare, &registry::known())
        .err()
        .unwrap_or_default();
    let hint = match did_you_mean(bare, specs.iter().map(|s| s.name)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => hint.unwrap_or_default(),
    };
    Err(Error::user(what).hint(hint))
}
