//! `propose_check`: something that is looked at again and again, with thresholds. Disabled until a person
//! enables it.

use super::{Plan, Proposes, script, targets};
use crate::backend::Ability;
use crate::model::{CheckKind, Shell};
use crate::proposals::{device, draft};
use crate::tools::{Ctx, Refusal};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Arguments: exactly one of client, site and device.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What is watched, in a few words.
    #[schemars(length(min = 1, max = 120))]
    pub name: String,
    /// What is looked at: disk, cpu and memory in percent used, ping in milliseconds, script by its exit code.
    pub kind: CheckKind,
    /// Of disk: the mount point or drive. Of ping: the host. Of service: its name.
    #[schemars(length(min = 1, max = 255))]
    pub target: Option<String>,
    /// Of script: what runs it.
    pub shell: Option<Shell>,
    /// Of script: the whole script.
    #[schemars(length(min = 1, max = 65_536))]
    pub script: Option<String>,
    /// From this value on it is a warning.
    pub warning: Option<f64>,
    /// From this value on it fails.
    pub error: Option<f64>,
    /// Failures in a row before anybody is told, 1 unless given.
    #[schemars(range(min = 1, max = 100))]
    pub fails_before_alert: Option<u32>,
    /// Seconds between two looks, 300 unless given.
    #[schemars(range(min = 30, max = 604_800))]
    pub every_s: Option<u32>,
    /// Every device of this client (`c-3`), also those that come later.
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// Every device of this site (`s-4`), also those that come later.
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// This device (`d-12`).
    #[schemars(length(max = 300))]
    pub device: Option<String>,
    /// Why it should be done.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// The tool.
pub struct ProposeCheck;

fn settings(args: &Args) -> Result<serde_json::Value, Refusal> {
    let target = |what: &str| {
        args.target
            .as_deref()
            .map(str::trim)
            .filter(|t| !t.is_empty() && !t.chars().any(char::is_control) && !t.starts_with('-'))
            .ok_or_else(|| Refusal::value("target", what))
    };
    let none = |field: &str, given: bool| {
        if given {
            Err(Refusal::value(field, "this kind of check takes none"))
        } else {
            Ok(())
        }
    };
    if args.kind != CheckKind::Script {
        none("script", args.script.is_some())?;
        none("shell", args.shell.is_some())?;
    }
    match args.kind {
        CheckKind::Disk => Ok(json!({ "path": target("a mount point or drive is expected")? })),
        CheckKind::Ping => Ok(json!({ "host": target("a host is expected")? })),
        CheckKind::Service => {
            Ok(json!({ "service": target("the name of a service is expected")? }))
        }
        CheckKind::Cpu | CheckKind::Memory => {
            none("target", args.target.is_some())?;
            Ok(json!({}))
        }
        CheckKind::Script => {
            none("target", args.target.is_some())?;
            let (Some(shell), Some(body)) = (args.shell, &args.script) else {
                return Err(Refusal::value(
                    "script",
                    "a check of this kind needs script and shell",
                ));
            };
            script::checked("script", body)?;
            Ok(json!({ "shell": shell, "body": body }))
        }
    }
}

fn thresholds(args: &Args) -> Result<(), Refusal> {
    let high = match args.kind {
        CheckKind::Disk | CheckKind::Cpu | CheckKind::Memory => 100.0,
        CheckKind::Ping => 60_000.0,
        CheckKind::Script => 255.0,
        CheckKind::Service => {
            return if args.warning.or(args.error).is_some() {
                Err(Refusal::value(
                    "warning",
                    "a service runs or not: this kind of check takes no thresholds",
                ))
            } else {
                Ok(())
            };
        }
    };
    for (field, value) in [("warning", args.warning), ("error", args.error)] {
        if value.is_some_and(|v| !(0.0..=high).contains(&v)) {
            return Err(Refusal::value(field, format!("0 to {high} is expected")));
        }
    }
    match (args.warning, args.error) {
        (Some(w), Some(e)) if w > e => {
            Err(Refusal::value("error", "it is reached before the warning"))
        }
        (None, None) if args.kind != CheckKind::Script => Err(Refusal::value(
            "error",
            "a threshold is expected: warning, error, or both",
        )),
        _ => Ok(()),
    }
}

impl Proposes for ProposeCheck {
    const NAME: &'static str = "propose_check";
    const DOC: &'static str = "Proposes a check with thresholds for a client, a site or a device. It is disabled until a person has reviewed and enabled it.";
    const PERMISSION: Permission = Permission::ChecksManage;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let settings = settings(&args)?;
        thresholds(&args)?;
        let places = (
            args.client.as_deref(),
            args.site.as_deref(),
            args.device.as_deref(),
        );
        let aim = targets::aim(ctx, places)?;
        if let Some(id) = aim.device {
            let device = device::devices(ctx.connection, &[id])?;
            targets::able(ctx, &device, Ability::Checks)?;
            if let Some(shell) = args.shell {
                targets::shell_fits(shell, &device)?;
            }
        }
        let findings = match (args.shell, &args.script) {
            (Some(shell), Some(body)) => script::findings(shell, body),
            _ => Vec::new(),
        };
        let draft = draft::Check {
            name: args.name.trim(),
            kind: args.kind,
            settings,
            warning: args.warning,
            error: args.error,
            fails_before_alert: args.fails_before_alert.unwrap_or(1),
            every_s: args.every_s.unwrap_or(300),
        }
        .draft(&aim)
        .why(args.why.as_deref())
        .findings(findings);
        Ok(Plan::Propose(vec![draft]))
    }
}
