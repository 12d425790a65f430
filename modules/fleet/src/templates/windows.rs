//! Windows: winget, the service and printer cmdlets, shutdown.exe. All in PowerShell, never in cmd.exe.

use super::params::{self, Refusal};
use super::{Command, Intent, Shell, Step, reboot_delay};

/// Finds winget, which is not in the path of the system account.
pub(super) const FIND_WINGET: &str = r#"$winget = Get-Command -Name 'winget.exe' -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1 -ExpandProperty Source
if (-not $winget) { $winget = Get-ChildItem -Path "$env:ProgramFiles\WindowsApps\Microsoft.DesktopAppInstaller_*_8wekyb3d8bbwe\winget.exe" -ErrorAction SilentlyContinue | Sort-Object -Property LastWriteTime | Select-Object -Last 1 -ExpandProperty FullName }
if (-not $winget) { [Console]::Error.WriteLine('winget is not available on this device'); exit 127 }
"#;

/// A program's exit code is not an error to PowerShell; it becomes the script's.
const EXIT: &str = "exit $LASTEXITCODE\n";

/// In every Windows since 8; prints on what speaks PCL.
const DEFAULT_DRIVER: &str = "Microsoft PCL6 Class Driver";

pub(super) fn build(intent: &Intent) -> Result<Command, Refusal> {
    let (mut before, mut after) = ("", "");
    let mut reboot = false;
    let (steps, effect) = match intent {
        Intent::InstallSoftware { package } => {
            let package = params::WINGET_PACKAGE.check("package", package)?;
            (before, after) = (FIND_WINGET, EXIT);
            let step = Step::new(&["&", "$winget", "install", "--id"])
                .value(&package)
                .fixed(&[
                    "--exact",
                    "--source",
                    "winget",
                    "--silent",
                    "--disable-interactivity",
                    "--accept-package-agreements",
                    "--accept-source-agreements",
                ]);
            (
                vec![step],
                format!("{package} is installed from winget's own source, its licence accepted."),
            )
        }
        Intent::UninstallSoftware { package } => {
            let package = params::WINGET_PACKAGE.check("package", package)?;
            (before, after) = (FIND_WINGET, EXIT);
            let step = Step::new(&["&", "$winget", "uninstall", "--id"])
                .value(&package)
                .fixed(&[
                    "--exact",
                    "--silent",
                    "--disable-interactivity",
                    "--accept-source-agreements",
                ]);
            (
                vec![step],
                format!("{package} is removed by its own uninstaller."),
            )
        }
        Intent::RestartService { service } => {
            let service = params::WINDOWS_SERVICE.check("service", service)?;
            // Without -Force: a service that others depend on is left alone, and the job says so.
            let step = Step::new(&["Restart-Service", "-Name"]).value(&service);
            (
                vec![step],
                format!(
                    "The service {service} is stopped and started again, unless running services depend on it."
                ),
            )
        }
        Intent::InstallPrinter {
            name,
            host,
            port,
            driver,
        } => printer(name, host, *port, driver.as_deref())?,
        Intent::FlushDns => (
            vec![Step::new(&["Clear-DnsClientCache"])],
            "The name cache of Windows is empty; names are asked for anew.".to_owned(),
        ),
        Intent::RebootDevice { delay_minutes } => {
            let (minutes, effect) = reboot_delay(*delay_minutes)?;
            after = EXIT;
            reboot = true;
            let step = Step::new(&[
                "&",
                r#""$env:SystemRoot\System32\shutdown.exe""#,
                "/r",
                "/t",
            ])
            .value(u32::from(minutes) * 60)
            .fixed(&["/d", "p:4:1"]);
            (vec![step], effect)
        }
    };
    Ok(Command {
        shell: Shell::PowerShell,
        needs_root: true,
        before,
        steps,
        after,
        effect,
        reboot,
    })
}

fn printer(
    name: &str,
    host: &str,
    port: Option<i64>,
    driver: Option<&str>,
) -> Result<(Vec<Step>, String), Refusal> {
    let name = params::WINDOWS_PRINTER.check("name", name)?;
    let host = params::Host::check("host", host)?;
    let port = params::port("port", port.unwrap_or(9100))?;
    let driver = params::WINDOWS_DRIVER.check("driver", driver.unwrap_or(DEFAULT_DRIVER))?;
    // Colons of an IPv6 address would be read as parts of the port's name by older tools.
    let port_name = format!("TCP_{}_{port}", host.to_string().replace(':', "-"));
    let steps = vec![
        Step::new(&["Add-PrinterDriver", "-Name"]).value(&driver),
        // A port that already exists is fine; one that could not be made fails in the next step.
        Step::new(&["Add-PrinterPort", "-Name"])
            .value(&port_name)
            .fixed(&["-PrinterHostAddress"])
            .value(&host)
            .fixed(&["-PortNumber"])
            .value(port)
            .fixed(&["-ErrorAction", "SilentlyContinue"]),
        Step::new(&["Add-Printer", "-Name"])
            .value(&name)
            .fixed(&["-DriverName"])
            .value(&driver)
            .fixed(&["-PortName"])
            .value(&port_name),
    ];
    let effect = format!(
        "The printer {name} ({host}, port {port}, {driver}) can be used by everybody on the device."
    );
    Ok((steps, effect))
}
