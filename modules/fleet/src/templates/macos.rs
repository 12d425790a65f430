//! macOS: Homebrew, launchd, CUPS.

use super::params::{self, Refusal};
use super::{Command, Intent, Shell, Step, cups_printer, reboot_delay};

/// Homebrew refuses to be root, and is in the path of login shells only. Both places where it lives.
const BREW: &[&str] = &[
    "env",
    "PATH=/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    "NONINTERACTIVE=1",
    "HOMEBREW_NO_ANALYTICS=1",
    "brew",
];

pub(super) fn build(intent: &Intent) -> Result<Command, Refusal> {
    let mut needs_root = true;
    let mut reboot = false;
    let (steps, effect) = match intent {
        Intent::InstallSoftware { package } => {
            let package = params::BREW_PACKAGE.check("package", package)?;
            needs_root = false;
            let step = Step::new(BREW).fixed(&["install", "--"]).value(&package);
            (
                vec![step],
                format!("{package} and what it needs are installed with Homebrew."),
            )
        }
        Intent::UninstallSoftware { package } => {
            let package = params::BREW_PACKAGE.check("package", package)?;
            needs_root = false;
            let step = Step::new(BREW).fixed(&["uninstall", "--"]).value(&package);
            (
                vec![step],
                format!(
                    "{package} is removed from Homebrew; it stays when other packages need it."
                ),
            )
        }
        Intent::RestartService { service } => {
            let label = params::LAUNCHD_LABEL.check("service", service)?;
            let step =
                Step::new(&["launchctl", "kickstart", "-k"]).value(format!("system/{label}"));
            (
                vec![step],
                format!("The system service {label} is stopped and started again."),
            )
        }
        Intent::InstallPrinter {
            name,
            host,
            port,
            driver,
        } => {
            let (step, effect) = cups_printer(name, host, *port, driver.as_deref())?;
            (vec![step], effect)
        }
        Intent::FlushDns => (
            vec![
                Step::new(&["dscacheutil", "-flushcache"]),
                Step::new(&["killall", "-HUP", "mDNSResponder"]),
            ],
            "The name caches of the system are empty; names are asked for anew.".to_owned(),
        ),
        Intent::RebootDevice { delay_minutes } => {
            let (minutes, effect) = reboot_delay(*delay_minutes)?;
            reboot = true;
            let step = Step::new(&["shutdown", "-r"]).value(format!("+{minutes}"));
            (vec![step], effect)
        }
    };
    Ok(Command {
        shell: Shell::Sh,
        needs_root,
        before: "",
        steps,
        after: "",
        effect,
        reboot,
    })
}
