//! The high-level tools: an intent with checked parameters becomes the vetted command of a device's system.
//!
//! ```text
//! Intent ─► params (allow-lists) ─► linux | macos | windows ─► Command { steps of words, effect } ─► one text
//! ```
//! A parameter can never become a second argument or a second command: it is checked against an allow-list, put
//! into a vector of arguments as one word, and quoted by the one function of the shell when the text is made.
//! Nothing here runs anything: the text goes into a proposal, and a person releases it.

mod command;
mod linux;
mod macos;
pub mod params;
pub mod quote;
pub mod table;
mod windows;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use command::{Command, Shell, Step, Word};
pub use params::Refusal;

/// The system of a device, as far as commands differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Windows 10, Server 2016 and later.
    Windows,
    /// Linux of some family.
    Linux(Family),
    /// macOS with or without Homebrew.
    MacOs,
}

/// The family of a Linux distribution: which package manager it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// apt: Debian, Ubuntu, Mint, Raspberry Pi OS.
    Debian,
    /// dnf: Fedora, RHEL 8 and later, Rocky, Alma, Oracle, Amazon Linux 2023.
    RedHat,
    /// zypper: SLES, openSUSE.
    Suse,
    /// Anything else: only the tools that need no package manager.
    Other,
}

impl Family {
    /// From `ID` and `ID_LIKE` of `/etc/os-release`, in any order, divided by blanks.
    #[must_use]
    pub fn of_os_release(words: &str) -> Self {
        let words = words.to_ascii_lowercase();
        let has = |names: &[&str]| {
            words
                .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ','))
                .any(|w| names.contains(&w))
        };
        if has(&["debian", "ubuntu", "linuxmint", "raspbian", "pop", "kali"]) {
            Self::Debian
        } else if has(&[
            "suse",
            "sles",
            "opensuse",
            "opensuse-leap",
            "opensuse-tumbleweed",
        ]) {
            Self::Suse
        } else if has(&[
            "fedora",
            "rhel",
            "centos",
            "rocky",
            "almalinux",
            "ol",
            "amzn",
        ]) {
            Self::RedHat
        } else {
            Self::Other
        }
    }
}

impl Platform {
    /// Every platform, in the order of the documentation.
    pub const ALL: [Self; 6] = [
        Self::Windows,
        Self::Linux(Family::Debian),
        Self::Linux(Family::RedHat),
        Self::Linux(Family::Suse),
        Self::Linux(Family::Other),
        Self::MacOs,
    ];

    /// From the words that a device record holds: `windows`, `linux`, `darwin` or `macos`, and for Linux the
    /// words of [`Family::of_os_release`]. `None` for a system that has no commands here.
    #[must_use]
    pub fn of_device(system: &str, os_release: &str) -> Option<Self> {
        match system.to_ascii_lowercase().as_str() {
            "windows" => Some(Self::Windows),
            "linux" => Some(Self::Linux(Family::of_os_release(os_release))),
            "darwin" | "macos" => Some(Self::MacOs),
            _ => None,
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows => "Windows",
            Self::Linux(Family::Debian) => "Linux with apt",
            Self::Linux(Family::RedHat) => "Linux with dnf",
            Self::Linux(Family::Suse) => "Linux with zypper",
            Self::Linux(Family::Other) => "other Linux",
            Self::MacOs => "macOS",
        }
    }
}

/// What somebody wants, before it is known on which system. The texts are what a model wrote: nothing of it is
/// trusted until [`build`] has checked it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "tool", rename_all = "snake_case", deny_unknown_fields)]
pub enum Intent {
    /// Install a package from the system's package manager.
    InstallSoftware {
        /// The package's name for that manager: winget identifier, apt, dnf or zypper package, formula or cask.
        package: String,
    },
    /// Remove an installed package.
    UninstallSoftware {
        /// The package's name for that manager.
        package: String,
    },
    /// Restart one service.
    RestartService {
        /// systemd service, Windows service (short name) or launchd label.
        service: String,
    },
    /// Add a network printer.
    InstallPrinter {
        /// What the printer will be called on the device.
        name: String,
        /// Address or host name of the printer.
        host: String,
        /// TCP port. On Windows raw printing, 9100 when left out. Elsewhere 631 (driverless IPP) when left out,
        /// any other port is raw printing with a generic PCL driver.
        #[serde(default)]
        #[schemars(range(min = 1, max = 65535))]
        port: Option<i64>,
        /// Windows only: a driver that the device has; `Microsoft PCL6 Class Driver` when left out.
        #[serde(default)]
        driver: Option<String>,
    },
    /// Empty the cache of the system's name resolver.
    FlushDns,
    /// Restart the device.
    RebootDevice {
        /// Minutes until it restarts, 1 when left out.
        #[serde(default)]
        #[schemars(range(min = 1, max = 1440))]
        delay_minutes: Option<i64>,
    },
}

impl Intent {
    /// The name of the tool.
    #[must_use]
    pub const fn tool(&self) -> &'static str {
        match self {
            Self::InstallSoftware { .. } => "install_software",
            Self::UninstallSoftware { .. } => "uninstall_software",
            Self::RestartService { .. } => "restart_service",
            Self::InstallPrinter { .. } => "install_printer",
            Self::FlushDns => "flush_dns",
            Self::RebootDevice { .. } => "reboot_device",
        }
    }
}

/// The command for one kind of device.
///
/// # Errors
/// [`Refusal`] when a parameter is not what that system takes, or when the system has no vetted command for the
/// intent. Nothing is repaired: a text is taken as it is or refused.
pub fn build(intent: &Intent, platform: Platform) -> Result<Command, Refusal> {
    match platform {
        Platform::Windows => windows::build(intent),
        Platform::Linux(family) => linux::build(intent, family),
        Platform::MacOs => macos::build(intent),
    }
}

/// Ports and drivers of printers as CUPS takes them, on Linux and macOS alike.
fn cups_printer(
    name: &str,
    host: &str,
    port: Option<i64>,
    driver: Option<&str>,
) -> Result<(Step, String), Refusal> {
    if driver.is_some() {
        return Err(Refusal {
            field: "driver",
            problem: "it is only taken on Windows".to_owned(),
            allowed: "to leave it out",
        });
    }
    let name = params::CUPS_PRINTER.check("name", name)?;
    let host = params::Host::check("host", host)?;
    let port = params::port("port", port.unwrap_or(631))?;
    // `-m everywhere` asks the printer itself over IPP; with a raw port there is nobody to ask.
    let (uri, model, how) = if port == 631 {
        (
            format!("ipp://{}:631/ipp/print", host.in_uri()),
            "everywhere",
            "driverless over IPP",
        )
    } else {
        (
            format!("socket://{}:{port}", host.in_uri()),
            "drv:///sample.drv/generpcl.ppd",
            "raw with a generic PCL driver",
        )
    };
    // `-E` after `-p` opens the queue; before it, it would ask for encryption.
    let step = Step::new(&["lpadmin", "-p"])
        .value(&name)
        .fixed(&["-E", "-v"])
        .value(uri)
        .fixed(&["-m", model]);
    Ok((
        step,
        format!("The printer {name} ({host}, port {port}, {how}) can be used on the device."),
    ))
}

/// The delay of a restart, and the sentence about it.
fn reboot_delay(minutes: Option<i64>) -> Result<(u16, String), Refusal> {
    let minutes = params::delay("delay_minutes", minutes.unwrap_or(1))?;
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    Ok((
        minutes,
        format!(
            "The device restarts {minutes} {unit} after the job has begun; who is logged in loses unsaved work."
        ),
    ))
}
