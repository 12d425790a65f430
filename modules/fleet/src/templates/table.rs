//! The templates for the documentation, made by building each of them with example parameters.

use super::windows::FIND_WINGET;
use super::{Family, Intent, Platform, build, params};

/// One intent with examples that the platform takes.
fn example(tool: usize, platform: Platform) -> Option<Intent> {
    let windows = platform == Platform::Windows;
    let package = match platform {
        Platform::Windows => "7zip.7zip",
        Platform::MacOs => "openssl@3",
        Platform::Linux(_) => "python3.11",
    }
    .to_owned();
    Some(match tool {
        0 => Intent::InstallSoftware { package },
        1 => Intent::UninstallSoftware { package },
        2 => Intent::RestartService {
            service: match platform {
                Platform::Windows => "Spooler",
                Platform::MacOs => "com.openssh.sshd",
                Platform::Linux(_) => "nginx",
            }
            .to_owned(),
        },
        3 => Intent::InstallPrinter {
            name: if windows { "Front desk" } else { "front-desk" }.to_owned(),
            host: "192.0.2.5".to_owned(),
            port: None,
            driver: None,
        },
        4 => Intent::FlushDns,
        5 => Intent::RebootDevice {
            delay_minutes: Some(5),
        },
        _ => return None,
    })
}

/// One line of the table, with `{on}` for the names of the systems.
fn row(intent: &Intent, platform: Platform) -> String {
    let tool = intent.tool();
    match build(intent, platform) {
        Ok(command) => {
            let lines: Vec<String> = command
                .steps
                .iter()
                .map(|s| format!("`{}`", s.line(command.shell)))
                .collect();
            let account = match (platform, command.needs_root) {
                (Platform::Windows, _) => "administrator",
                (_, true) => "root",
                (_, false) => "Homebrew's owner",
            };
            format!(
                "| `{tool}` | {{on}} | {account} | {} | {} |\n",
                lines.join("<br>"),
                command.effect
            )
        }
        Err(refusal) => format!("| `{tool}` | {{on}} | – | refused | {refusal} |\n"),
    }
}

fn names(platforms: &[Platform]) -> String {
    let linux = platforms
        .iter()
        .filter(|p| matches!(p, Platform::Linux(_)))
        .count();
    let mut names: Vec<&str> = Vec::new();
    for platform in platforms {
        match platform {
            Platform::Linux(_) if linux > 1 => {
                if !names.contains(&"Linux") {
                    names.push("Linux");
                }
            }
            other => names.push(other.name()),
        }
    }
    names.join(", ")
}

/// The section "What the high-level tools run" of `docs/fleet.md`, without its heading.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| tool | on | as | runs | afterwards |\n|---|---|---|---|---|\n");
    for tool in 0.. {
        if example(tool, Platform::Windows).is_none() {
            break;
        }
        // Systems in a row that run the same share a line.
        let mut rows: Vec<(Vec<Platform>, String)> = Vec::new();
        for platform in Platform::ALL {
            // Without a package manager the rest is as on the other distributions.
            if platform == Platform::Linux(Family::Other) {
                continue;
            }
            let Some(intent) = example(tool, platform) else {
                continue;
            };
            let row = row(&intent, platform);
            match rows.last_mut() {
                Some((platforms, last)) if *last == row => platforms.push(platform),
                _ => rows.push((vec![platform], row)),
            }
        }
        for (platforms, row) in rows {
            out.push_str(&row.replacen("{on}", &names(&platforms), 1));
        }
    }
    out.push_str("\nOn Linux without apt, dnf or zypper the package tools are refused; the others run as above.\n");
    out.push_str("Before every winget command stand these lines, which no parameter reaches:\n\n```powershell\n");
    out.push_str(FIND_WINGET);
    out.push_str(
        "```\n\nWhat the parameters may be:\n\n| parameter | where | allowed |\n|---|---|---|\n",
    );
    for (parameter, place, allowed) in [
        ("package", "Windows", params::WINGET_PACKAGE.allowed),
        ("package", "apt", params::APT_PACKAGE.allowed),
        ("package", "dnf, zypper", params::RPM_PACKAGE.allowed),
        ("package", "macOS", params::BREW_PACKAGE.allowed),
        ("service", "Windows", params::WINDOWS_SERVICE.allowed),
        ("service", "Linux", params::SYSTEMD_SERVICE.allowed),
        ("service", "macOS", params::LAUNCHD_LABEL.allowed),
        ("name", "Windows", params::WINDOWS_PRINTER.allowed),
        ("name", "Linux, macOS", params::CUPS_PRINTER.allowed),
        ("host", "everywhere", params::HOST),
        ("port", "everywhere", params::PORT),
        ("driver", "Windows", params::WINDOWS_DRIVER.allowed),
        ("delay_minutes", "everywhere", params::DELAY),
    ] {
        out.push_str(&format!("| `{parameter}` | {place} | {allowed} |\n"));
    }
    out
}
