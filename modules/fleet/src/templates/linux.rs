//! Linux: apt, dnf, zypper, systemd, CUPS.

use super::params::{self, Refusal};
use super::{Command, Family, Intent, Shell, Step, cups_printer, reboot_delay};

pub(super) fn build(intent: &Intent, family: Family) -> Result<Command, Refusal> {
    let (step, effect, reboot) = match intent {
        Intent::InstallSoftware { package } => package_step(family, package, true)?,
        Intent::UninstallSoftware { package } => package_step(family, package, false)?,
        Intent::RestartService { service } => {
            let unit = params::systemd_unit("service", service)?;
            let step = Step::new(&["systemctl", "restart", "--"]).value(&unit);
            (step, format!("{unit} is stopped and started again."), false)
        }
        Intent::InstallPrinter {
            name,
            host,
            port,
            driver,
        } => {
            let (step, effect) = cups_printer(name, host, *port, driver.as_deref())?;
            (step, effect, false)
        }
        Intent::FlushDns => (
            Step::new(&["resolvectl", "flush-caches"]),
            "The name cache of systemd-resolved is empty; names are asked for anew.".to_owned(),
            false,
        ),
        Intent::RebootDevice { delay_minutes } => {
            let (minutes, effect) = reboot_delay(*delay_minutes)?;
            let step = Step::new(&["shutdown", "-r"]).value(format!("+{minutes}"));
            (step, effect, true)
        }
    };
    Ok(Command {
        shell: Shell::Sh,
        needs_root: true,
        before: "",
        steps: vec![step],
        after: "",
        effect,
        reboot,
    })
}

/// apt asks no questions, keeps changed configuration files and waits up to 5 minutes for another apt.
const APT: &[&str] = &[
    "env",
    "DEBIAN_FRONTEND=noninteractive",
    "apt-get",
    "-y",
    "-o",
    "DPkg::Lock::Timeout=300",
    "-o",
    "Dpkg::Options::=--force-confdef",
    "-o",
    "Dpkg::Options::=--force-confold",
];

fn package_step(
    family: Family,
    package: &str,
    install: bool,
) -> Result<(Step, String, bool), Refusal> {
    let (step, package) = match family {
        Family::Debian => {
            let package = params::APT_PACKAGE.check("package", package)?;
            let verb: &[&str] = if install {
                &["install", "--no-install-recommends", "--"]
            } else {
                &["remove", "--"]
            };
            let step = Step::new(APT).fixed(verb).value(apt_exactly(&package));
            (step, package)
        }
        Family::RedHat => {
            let package = params::RPM_PACKAGE.check("package", package)?;
            // dnf 5 knows no `--` and refuses it; the check of the first character stands in for it.
            let verb = if install { "install" } else { "remove" };
            (Step::new(&["dnf", verb, "-y"]).value(&package), package)
        }
        Family::Suse => {
            let package = params::RPM_PACKAGE.check("package", package)?;
            // `--name`: never a capability that other packages also provide.
            let verb = if install { "install" } else { "remove" };
            let step =
                Step::new(&["zypper", "--non-interactive", verb, "--name", "--"]).value(&package);
            (step, package)
        }
        Family::Other => {
            return Err(Refusal {
                field: "package",
                problem: "the device's distribution has no vetted package command".to_owned(),
                allowed: "a device with apt, dnf or zypper, or propose_script",
            });
        }
    };
    let effect = if install {
        format!(
            "The package {package} and what it needs are installed, or brought up to date when it already is."
        )
    } else {
        format!(
            "The package {package} and everything that needs it are removed; its configuration may stay."
        )
    };
    Ok((step, effect, false))
}

/// The name as an anchored expression. A bare name that no package has is taken by apt-get for an expression
/// (`remove ba.h` removes bash) or for a command (`install x-` removes x); anchored, it is that package or an error.
fn apt_exactly(package: &str) -> String {
    let escaped = package.replace('.', r"\.").replace('+', r"\+");
    format!("^{escaped}$")
}
