//! The high-level tools: an intent for devices of any system. Each system gets its own vetted command, and a job
//! has one command: devices of more than one client, backend or system make one proposal for each, as a batch.

use super::{Plan, Proposes, propose_bulk_deploy, script, targets};
use crate::model::{JobKind, Shell};
use crate::proposals::Device;
use crate::proposals::draft::Job;
use crate::templates::{self, Intent, Platform};
use crate::tools::{Ctx, Refusal, RefusalKey};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;

/// How long a package manager may take, seconds.
const TIMEOUT_S: u32 = 1_800;

/// Words of the templates for the Linux of a device. The inventory keeps the name for people, from which the
/// words of `/etc/os-release` are read; one distribution spells itself out.
fn system(device: &Device, os: &str) -> Option<Platform> {
    let os = os
        .to_lowercase()
        .replace("red hat enterprise linux", "rhel");
    Platform::of_device(device.platform.name(), &os)
}

fn os_of(ctx: &Ctx<'_>, device: &Device) -> Result<String, Refusal> {
    let mut query = crate::sql::Query::new("SELECT os FROM devices");
    query.push("WHERE id = ?", [crate::sql::int(device.id.0)]);
    Ok(query
        .first(ctx.connection, |r| r.get(0))?
        .unwrap_or_default())
}

fn shell(of: templates::Shell) -> Shell {
    match of {
        templates::Shell::Sh => Shell::Sh,
        templates::Shell::PowerShell => Shell::Powershell,
    }
}

/// The plan of an intent.
fn plan(
    ctx: &Ctx<'_>,
    given: &[String],
    intent: &Intent,
    what: &str,
    why: Option<&str>,
) -> Result<Plan, Refusal> {
    let devices = targets::listed(ctx, given, "devices")?;
    let mut known = Vec::with_capacity(devices.len());
    let mut unknown = Vec::new();
    for device in devices {
        match system(&device, &os_of(ctx, &device)?) {
            Some(platform) => known.push((platform, device)),
            None => unknown.push(device),
        }
    }
    if !unknown.is_empty() {
        return Err(Refusal::field(
            RefusalKey::Unsupported,
            "devices",
            format!(
                "There is no vetted command for the system of {}: use propose_script.",
                targets::named(&unknown)
            ),
        ));
    }
    let order = |p: Platform| Platform::ALL.iter().position(|q| *q == p).unwrap_or(0);
    let mut groups: std::collections::BTreeMap<(i64, String, usize), (Platform, Vec<Device>)> =
        std::collections::BTreeMap::new();
    for (platform, device) in known {
        groups
            .entry((device.client, device.backend.clone(), order(platform)))
            .or_insert_with(|| (platform, Vec::new()))
            .1
            .push(device);
    }
    let many = groups.len() > 1;
    let mut drafts = Vec::with_capacity(groups.len());
    for (platform, devices) in groups.into_values() {
        let command = templates::build(intent, platform).map_err(|refusal| {
            Refusal::field(
                RefusalKey::Arguments,
                refusal.field,
                format!("{}: {refusal}.", platform.name()),
            )
        })?;
        let body = command.text();
        let shell = shell(command.shell);
        let batch = if many {
            propose_bulk_deploy::batch(ctx, what, &body_of_all(intent))
        } else {
            String::new()
        };
        let params = serde_json::json!({ "intent": intent, "needs_root": command.needs_root });
        let draft = Job {
            kind: JobKind::Script,
            what,
            shell: Some(shell),
            body: &body,
            params,
            effect: &command.effect,
            timeout_s: TIMEOUT_S,
            canary: 0,
            batch: &batch,
            bulk: false,
            targets: &devices,
        }
        .draft()
        .why(why)
        .findings(script::findings(shell, &body));
        drafts.push(draft);
    }
    Ok(Plan::Propose(drafts))
}

fn body_of_all(intent: &Intent) -> String {
    serde_json::to_string(intent).unwrap_or_default()
}

macro_rules! intent {
    ($(#[$meta:meta])* $tool:ident, $args:ident, $name:literal, $doc:literal,
     { $($(#[$fmeta:meta])* $field:ident: $type:ty,)* }, |$a:ident| $intent:expr, $what:expr) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $args {
            /// Devices as listed (`d-12`); each system gets its own command.
            #[schemars(length(min = 1, max = 500))]
            pub devices: Vec<String>,
            $($(#[$fmeta])* pub $field: $type,)*
            /// Why it should be done.
            #[schemars(length(max = 500))]
            pub why: Option<String>,
        }

        /// The tool.
        pub struct $tool;

        impl Proposes for $tool {
            const NAME: &'static str = $name;
            const DOC: &'static str = $doc;
            const PERMISSION: Permission = Permission::JobsCreate;
            type Args = $args;

            fn plan(ctx: &Ctx<'_>, $a: $args) -> Result<Plan, Refusal> {
                let what: String = $what;
                plan(ctx, &$a.devices, &$intent, &what, $a.why.as_deref())
            }
        }
    };
}

intent!(
    /// Arguments of `install_software`.
    InstallSoftware, InstallSoftwareArgs, "install_software",
    "Proposes to install a package with the package manager of each device's system (winget, apt, dnf, zypper, brew). Nothing is installed until a person approves it.",
    {
        /// The package's name for that manager.
        #[schemars(length(min = 1, max = 200))]
        package: String,
    },
    |a| Intent::InstallSoftware { package: a.package.clone() },
    format!("Install {}", a.package)
);

intent!(
    /// Arguments of `uninstall_software`.
    UninstallSoftware, UninstallSoftwareArgs, "uninstall_software",
    "Proposes to remove a package with the package manager of each device's system. Nothing is removed until a person approves it.",
    {
        /// The package's name for that manager.
        #[schemars(length(min = 1, max = 200))]
        package: String,
    },
    |a| Intent::UninstallSoftware { package: a.package.clone() },
    format!("Remove {}", a.package)
);

intent!(
    /// Arguments of `restart_service`.
    RestartService, RestartServiceArgs, "restart_service",
    "Proposes to restart one service. Nothing is restarted until a person approves it.",
    {
        /// systemd service, Windows service (short name) or launchd label.
        #[schemars(length(min = 1, max = 200))]
        service: String,
    },
    |a| Intent::RestartService { service: a.service.clone() },
    format!("Restart the service {}", a.service)
);

intent!(
    /// Arguments of `install_printer`.
    InstallPrinter, InstallPrinterArgs, "install_printer",
    "Proposes to add a network printer. Nothing is added until a person approves it.",
    {
        /// What the printer will be called on the device.
        #[schemars(length(min = 1, max = 200))]
        name: String,
        /// Address or host name of the printer.
        #[schemars(length(min = 1, max = 253))]
        host: String,
        /// TCP port; the usual one of the system when left out.
        #[schemars(range(min = 1, max = 65_535))]
        port: Option<u32>,
        /// Windows only: a driver that the device has.
        #[schemars(length(min = 1, max = 200))]
        driver: Option<String>,
    },
    |a| Intent::InstallPrinter {
        name: a.name.clone(),
        host: a.host.clone(),
        port: a.port.map(i64::from),
        driver: a.driver.clone(),
    },
    format!("Add the printer {}", a.name)
);

intent!(
    /// Arguments of `flush_dns`.
    FlushDns, FlushDnsArgs, "flush_dns",
    "Proposes to empty the cache of the system's name resolver. Nothing happens until a person approves it.",
    {},
    |a| Intent::FlushDns,
    String::from("Flush the DNS cache")
);

intent!(
    /// Arguments of `reboot_device`.
    RebootDevice, RebootDeviceArgs, "reboot_device",
    "Proposes to restart devices. Nothing is restarted until a person approves it.",
    {
        /// Minutes until it restarts, 1 when left out.
        #[schemars(range(min = 1, max = 1_440))]
        delay_minutes: Option<u32>,
    },
    |a| Intent::RebootDevice { delay_minutes: a.delay_minutes.map(i64::from) },
    String::from("Restart")
);
