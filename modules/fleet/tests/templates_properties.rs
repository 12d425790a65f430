//! No parameter adds an argument or a command on any system: it is refused, or it arrives as one argument.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod templates_support;

use std::cell::Cell;
use std::path::PathBuf;

use fleet::templates::{Command, Intent, Platform, Shell, build};
use proptest::prelude::*;
use templates_support::{Stage, powershell_words_of_our_subset, shells};

/// What must run, written out a second time and without the code under test: fixed words, and where the
/// parameters stand.
fn wanted(intent: &Intent, platform: Platform) -> Vec<Vec<String>> {
    use fleet::templates::Family::{Debian, Other, RedHat, Suse};
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let with = |text: &str, value: String| {
        let mut w = words(text);
        w.push(value);
        w
    };
    let exactly = |p: &str| format!("^{}$", p.replace('.', "\\.").replace('+', "\\+"));
    let apt = "env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold";
    let brew = "env PATH=/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin NONINTERACTIVE=1 HOMEBREW_NO_ANALYTICS=1 brew";
    match (intent, platform) {
        (Intent::InstallSoftware { package: p }, Platform::Linux(Debian)) => {
            vec![with(
                &format!("{apt} install --no-install-recommends --"),
                exactly(p),
            )]
        }
        (Intent::UninstallSoftware { package: p }, Platform::Linux(Debian)) => {
            vec![with(&format!("{apt} remove --"), exactly(p))]
        }
        (Intent::InstallSoftware { package: p }, Platform::Linux(RedHat)) => {
            vec![with("dnf install -y", p.clone())]
        }
        (Intent::UninstallSoftware { package: p }, Platform::Linux(RedHat)) => {
            vec![with("dnf remove -y", p.clone())]
        }
        (Intent::InstallSoftware { package: p }, Platform::Linux(Suse)) => {
            vec![with(
                "zypper --non-interactive install --name --",
                p.clone(),
            )]
        }
        (Intent::UninstallSoftware { package: p }, Platform::Linux(Suse)) => {
            vec![with("zypper --non-interactive remove --name --", p.clone())]
        }
        (
            Intent::InstallSoftware { .. } | Intent::UninstallSoftware { .. },
            Platform::Linux(Other),
        ) => {
            panic!("must be refused")
        }
        (Intent::InstallSoftware { package: p }, Platform::MacOs) => {
            vec![with(&format!("{brew} install --"), p.clone())]
        }
        (Intent::UninstallSoftware { package: p }, Platform::MacOs) => {
            vec![with(&format!("{brew} uninstall --"), p.clone())]
        }
        (Intent::InstallSoftware { package: p }, Platform::Windows) => {
            let mut w = with("& $winget install --id", p.clone());
            w.extend(words("--exact --source winget --silent --disable-interactivity --accept-package-agreements --accept-source-agreements"));
            vec![w]
        }
        (Intent::UninstallSoftware { package: p }, Platform::Windows) => {
            let mut w = with("& $winget uninstall --id", p.clone());
            w.extend(words(
                "--exact --silent --disable-interactivity --accept-source-agreements",
            ));
            vec![w]
        }
        (Intent::RestartService { service: s }, Platform::Linux(_)) => {
            let unit = if s.ends_with(".service") {
                s.clone()
            } else {
                format!("{s}.service")
            };
            vec![with("systemctl restart --", unit)]
        }
        (Intent::RestartService { service: s }, Platform::MacOs) => {
            vec![with("launchctl kickstart -k", format!("system/{s}"))]
        }
        (Intent::RestartService { service: s }, Platform::Windows) => {
            vec![with("Restart-Service -Name", s.clone())]
        }
        (Intent::FlushDns, Platform::Linux(_)) => vec![words("resolvectl flush-caches")],
        (Intent::FlushDns, Platform::MacOs) => vec![
            words("dscacheutil -flushcache"),
            words("killall -HUP mDNSResponder"),
        ],
        (Intent::FlushDns, Platform::Windows) => vec![words("Clear-DnsClientCache")],
        (Intent::RebootDevice { delay_minutes: d }, Platform::Windows) => {
            let seconds = d.unwrap_or(1) * 60;
            vec![words(&format!(
                "& \"$env:SystemRoot\\System32\\shutdown.exe\" /r /t {seconds} /d p:4:1"
            ))]
        }
        (Intent::RebootDevice { delay_minutes: d }, _) => {
            vec![words(&format!("shutdown -r +{}", d.unwrap_or(1)))]
        }
        (
            Intent::InstallPrinter {
                name,
                host,
                port,
                driver,
            },
            Platform::Windows,
        ) => {
            let (port, host) = (port.unwrap_or(9100), canonical(host));
            let driver = driver
                .clone()
                .unwrap_or("Microsoft PCL6 Class Driver".to_owned());
            let port_name = format!("TCP_{}_{port}", host.replace(':', "-"));
            let list = |w: &[&str]| w.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
            vec![
                list(&["Add-PrinterDriver", "-Name", &driver]),
                list(&[
                    "Add-PrinterPort",
                    "-Name",
                    &port_name,
                    "-PrinterHostAddress",
                    &host,
                    "-PortNumber",
                    &port.to_string(),
                    "-ErrorAction",
                    "SilentlyContinue",
                ]),
                list(&[
                    "Add-Printer",
                    "-Name",
                    name,
                    "-DriverName",
                    &driver,
                    "-PortName",
                    &port_name,
                ]),
            ]
        }
        (
            Intent::InstallPrinter {
                name, host, port, ..
            },
            _,
        ) => {
            let host = canonical(host);
            let host = if host.contains(':') {
                format!("[{host}]")
            } else {
                host
            };
            let port = port.unwrap_or(631);
            let (uri, model) = if port == 631 {
                (format!("ipp://{host}:631/ipp/print"), "everywhere")
            } else {
                (
                    format!("socket://{host}:{port}"),
                    "drv:///sample.drv/generpcl.ppd",
                )
            };
            vec![
                ["lpadmin", "-p", name, "-E", "-v", &uri, "-m", model]
                    .map(str::to_owned)
                    .to_vec(),
            ]
        }
    }
}

fn canonical(host: &str) -> String {
    host.parse::<std::net::IpAddr>()
        .map_or_else(|_| host.to_lowercase(), |a| a.to_string())
}

/// Good texts, good texts with one hostile piece somewhere, and plain hostility.
fn text() -> impl Strategy<Value = String> {
    let good = prop_oneof![
        "[a-z0-9][a-z0-9+.-]{0,12}[a-z0-9]",
        "[A-Za-z0-9][A-Za-z0-9+._@-]{0,12}",
        "[A-Za-z0-9][A-Za-z0-9 ._$@()/-]{0,14}",
        "[a-z]{2,8}(\\.service|\\.target|\\.rpm|@[a-z]{1,3})?",
    ];
    let piece = prop_oneof![
        "[ '\"\\\\$`;&|<>(){}\\[\\]*?~!#%^=,/\n\r\t-]{1,3}",
        "[\u{2018}\u{2019}\u{201b}\u{202e}\u{200b}\u{430}\u{ff0d}\u{2010}\u{0}\u{1b}\u{e0041}]",
        Just("$(touch x)".to_owned()),
        Just("';touch x;'".to_owned()),
        Just(" --allow-remove-essential ".to_owned()),
        Just("%COMSPEC%".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    prop_oneof![
        4 => good.clone(),
        4 => (good, piece.clone(), 0.0..1.0f64).prop_map(|(g, p, at)| {
            let n = (g.len() as f64 * at) as usize;
            format!("{}{p}{}", &g[..n], &g[n..])
        }),
        1 => piece.clone(),
        1 => "-{1,2}[a-z]{1,6}",
        1 => "[A-Za-z0-9]{120,260}",
        1 => any::<String>(),
    ]
}

fn host() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<std::net::Ipv4Addr>().prop_map(|a| a.to_string()),
        any::<std::net::Ipv6Addr>().prop_map(|a| a.to_string()),
        "[a-zA-Z0-9-]{1,8}(\\.[a-z]{2,4}){0,2}",
        "[0-9]{1,3}(\\.[0-9x]{1,4}){0,3}",
        text(),
    ]
}

fn intent() -> impl Strategy<Value = Intent> {
    let number = prop_oneof![3 => Just(None), 3 => (1i64..2000).prop_map(Some), 1 => Just(Some(631)), 1 => any::<i64>().prop_map(Some)];
    prop_oneof![
        text().prop_map(|package| Intent::InstallSoftware { package }),
        text().prop_map(|package| Intent::UninstallSoftware { package }),
        text().prop_map(|service| Intent::RestartService { service }),
        (
            text(),
            host(),
            number.clone(),
            prop_oneof![2 => Just(None), 1 => text().prop_map(Some)]
        )
            .prop_map(|(name, host, port, driver)| Intent::InstallPrinter {
                name,
                host,
                port,
                driver
            }),
        Just(Intent::FlushDns),
        number.prop_map(|delay_minutes| Intent::RebootDevice { delay_minutes }),
    ]
}

/// The words of a PowerShell text: its fixed lines are compared to the letter, its steps are read.
fn powershell_calls(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut rest = text
        .strip_prefix("# PowerShell, as administrator\n$ErrorActionPreference = 'Stop'\n")
        .ok_or("another head")?;
    let winget = fixed_winget_lines();
    rest = rest.strip_prefix(winget.as_str()).unwrap_or(rest);
    rest = rest.strip_suffix("exit $LASTEXITCODE\n").unwrap_or(rest);
    rest.lines().map(powershell_words_of_our_subset).collect()
}

/// The fixed lines, taken from a command whose parameter is known.
fn fixed_winget_lines() -> String {
    let intent = Intent::InstallSoftware {
        package: "A.B".to_owned(),
    };
    let text = build(&intent, Platform::Windows).unwrap().text();
    let from = text.find("$winget = Get-Command").unwrap();
    let to = text.find("& $winget").unwrap();
    text[from..to].to_owned()
}

fn check(
    stage: &Stage,
    shells: &[PathBuf],
    intent: &Intent,
    platform: Platform,
    command: &Command,
) -> Result<(), TestCaseError> {
    let text = command.text();
    prop_assert!(
        text.is_ascii()
            && text
                .bytes()
                .all(|b| b == b'\n' || (b' '..=b'~').contains(&b)),
        "{}",
        text
    );
    let wanted = wanted(intent, platform);
    match command.shell {
        Shell::PowerShell => {
            let calls = powershell_calls(&text).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&calls, &wanted);
        }
        Shell::Sh => {
            let argv: Vec<Vec<&str>> = command.steps.iter().map(|s| s.argv()).collect();
            prop_assert_eq!(&argv, &wanted);
            for shell in shells {
                let calls = stage.run(shell, &text).map_err(TestCaseError::fail)?;
                prop_assert_eq!(&calls, &wanted, "{}", shell.display());
            }
        }
    }
    Ok(())
}

#[test]
fn a_parameter_is_refused_or_arrives_as_one_argument() {
    let (stage, shells) = (Stage::new(), shells());
    let (taken, refused) = (Cell::new(0u32), Cell::new(0u32));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&intent(), |intent| {
            for platform in Platform::ALL {
                match build(&intent, platform) {
                    Ok(command) => {
                        taken.set(taken.get() + 1);
                        check(&stage, &shells, &intent, platform, &command)?;
                    }
                    Err(refusal) => {
                        refused.set(refused.get() + 1);
                        let said = refusal.to_string();
                        prop_assert!(
                            said.starts_with(refusal.field) && said.contains("allowed is"),
                            "{}",
                            said
                        );
                        prop_assert!(said.is_ascii() && !said.contains('\n'), "{:?}", said);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    println!(
        "shells {shells:?}: {} commands taken, {} refused",
        taken.get(),
        refused.get()
    );
    assert!(
        taken.get() > 300 && refused.get() > 300,
        "the generator became one-sided"
    );
}

/// What the fake programs would not show: that apt itself takes the anchored name for exactly one package.
#[test]
fn apt_takes_the_name_for_that_package_or_for_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let installed = ["bash", "g++", "gxx", "lib.a", "libxa", "python3.11"];
    let status: String = installed
        .iter()
        .map(|p| format!("Package: {p}\nStatus: install ok installed\nMaintainer: a <a@example.org>\nArchitecture: all\nVersion: 1.0\nDescription: x\n\n"))
        .collect();
    std::fs::write(path("status"), status).unwrap();
    for d in ["lists/partial", "cache/archives/partial", "etc"] {
        std::fs::create_dir_all(dir.path().join(d)).unwrap();
    }
    let simulate = |package: &str| {
        let intent = Intent::UninstallSoftware {
            package: package.to_owned(),
        };
        let command = build(&intent, Platform::Linux(fleet::templates::Family::Debian)).unwrap();
        let argv: Vec<String> = command.steps[0]
            .argv()
            .into_iter()
            .map(str::to_owned)
            .collect();
        let mut process = std::process::Command::new(&argv[2]);
        process
            .env("LC_ALL", "C")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .arg("--simulate");
        for option in [
            format!("Dir::State::status={}", path("status")),
            format!("Dir::State::Lists={}", path("lists")),
            format!("Dir::Cache={}", path("cache")),
            format!("Dir::Etc={}", path("etc")),
            format!("Dir::State::extended_states={}", path("extended")),
            "APT::Architecture=amd64".to_owned(),
        ] {
            process.arg("-o").arg(option);
        }
        let output = process.args(&argv[3..]).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let gone: Vec<String> = text
            .lines()
            .filter_map(|l| {
                l.strip_prefix("Remv ")?
                    .split(' ')
                    .next()
                    .map(str::to_owned)
            })
            .collect();
        Some((output.status.code(), gone))
    };
    let Some((code, gone)) = simulate("g++") else {
        println!(
            "there is no apt-get here; the shape of its argument is checked by the other test"
        );
        return;
    };
    assert_eq!((code, gone), (Some(0), vec!["g++".to_owned()]));
    for exact in ["lib.a", "python3.11", "gxx"] {
        assert_eq!(simulate(exact), Some((Some(0), vec![exact.to_owned()])));
    }
    // Bare, apt-get would take these for expressions, or for "the other way round".
    for nobody in ["ba.h", "lib..", "b+", "bash+", "py.hon3.11", "li"] {
        assert_eq!(simulate(nobody), Some((Some(100), vec![])), "{nobody}");
    }
}
