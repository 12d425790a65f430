//! `propose_policy`: settings for a part of the fleet, or for all of it. Only for principals without a scope.

use super::{Plan, Proposes, targets};
use crate::sql::{Query, text};
use crate::tools::{Ctx, Refusal, RefusalKey};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Settings in one policy at most.
const SETTINGS_MAX: usize = 50;

/// Arguments: at most one of client, site and device; none is the whole fleet.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Name of the policy, not in use yet.
    #[schemars(length(min = 1, max = 120))]
    pub name: String,
    /// Settings by name, each a text, a number or yes or no.
    pub settings: Map<String, Value>,
    /// Only this client (`c-3`).
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// Only this site (`s-4`).
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// Only this device (`d-12`).
    #[schemars(length(max = 300))]
    pub device: Option<String>,
    /// Why it should be done.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// The tool.
pub struct ProposePolicy;

fn settings(given: &Map<String, Value>) -> Result<Value, Refusal> {
    if given.is_empty() || given.len() > SETTINGS_MAX {
        return Err(Refusal::value(
            "settings",
            format!("1 to {SETTINGS_MAX} settings are expected"),
        ));
    }
    // In one order, so that the same settings are the same proposal.
    let mut sorted: Vec<(&String, &Value)> = given.iter().collect();
    sorted.sort_by_key(|(name, _)| name.as_str());
    for (name, value) in &sorted {
        let named = (1..=64).contains(&name.len())
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
        if !named {
            return Err(Refusal::value(
                "settings",
                "the name of a setting is 1 to 64 letters, digits, and . _ -",
            ));
        }
        let plain = match value {
            Value::String(text) => text.len() <= 1_000,
            Value::Number(_) | Value::Bool(_) => true,
            _ => false,
        };
        if !plain {
            return Err(Refusal::value(
                &format!("settings.{name}"),
                "a text of at most 1000 bytes, a number, true or false is expected",
            ));
        }
    }
    Ok(Value::Object(
        sorted
            .into_iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect(),
    ))
}

impl Proposes for ProposePolicy {
    const NAME: &'static str = "propose_policy";
    const DOC: &'static str = "Proposes a policy: settings for a client, a site, a device or the whole fleet. It is disabled until a person has reviewed and enabled it.";
    const PERMISSION: Permission = Permission::PoliciesManage;
    const UNSCOPED_ONLY: bool = true;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let settings = settings(&args.settings)?;
        let places = (
            args.client.as_deref(),
            args.site.as_deref(),
            args.device.as_deref(),
        );
        let aim = if places == (None, None, None) {
            targets::everywhere(ctx)?
        } else {
            targets::aim(ctx, places)?
        };
        let name = args.name.trim();
        let mut taken = Query::new("SELECT count(*) FROM policies");
        taken.push("WHERE name = ?", [text(name)]);
        if taken.count(ctx.connection)? > 0 {
            return Err(Refusal::field(
                RefusalKey::Conflict,
                "name",
                "A policy of this name exists already (field \"name\").",
            ));
        }
        let draft = crate::proposals::draft::policy(name, &settings, &aim).why(args.why.as_deref());
        Ok(Plan::Propose(vec![draft]))
    }
}
