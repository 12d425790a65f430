//! What is refused says which field and what would be taken; digests follow the text; the documentation follows
//! the code.

use fleet::templates::{Family, Intent, Platform, build, table};

const DEBIAN: Platform = Platform::Linux(Family::Debian);

fn install(package: &str) -> Intent {
    Intent::InstallSoftware {
        package: package.to_owned(),
    }
}

fn restart(service: &str) -> Intent {
    Intent::RestartService {
        service: service.to_owned(),
    }
}

fn printer(name: &str, host: &str) -> Intent {
    Intent::InstallPrinter {
        name: name.to_owned(),
        host: host.to_owned(),
        port: None,
        driver: None,
    }
}

#[test]
fn refusals_name_the_field_and_what_is_allowed() {
    let cases: Vec<(Intent, Platform, &str)> = vec![
        (install(""), DEBIAN, "package: it is empty"),
        (install("-y"), DEBIAN, "package: it may not begin with `-`"),
        (
            install("/etc/passwd"),
            DEBIAN,
            "package: `/` may not stand in it",
        ),
        (
            install("vim; reboot"),
            DEBIAN,
            "package: `;` may not stand in it",
        ),
        (
            install("vim-"),
            DEBIAN,
            "package: it may not end with \"-\"",
        ),
        (install("Vim"), DEBIAN, "package: `V` may not stand in it"),
        (install("vim=1.0"), DEBIAN, "`=` may not stand"),
        (
            install("x.rpm"),
            Platform::Linux(Family::RedHat),
            "may not end with \".rpm\"",
        ),
        (
            install("ab*"),
            Platform::Linux(Family::RedHat),
            "`*` may not stand",
        ),
        (
            install("@core"),
            Platform::Linux(Family::RedHat),
            "`@` may not stand",
        ),
        (
            install("~vim"),
            Platform::Linux(Family::Suse),
            "`~` may not stand",
        ),
        (install("evil/tap/x"), Platform::MacOs, "`/` may not stand"),
        (install("x.rb"), Platform::MacOs, "may not end with \".rb\""),
        (install("vi\u{43c}"), DEBIAN, "U+043C may not stand"),
        (
            install("vim\u{202e}"),
            Platform::Windows,
            "U+202E may not stand",
        ),
        (install("vim\n"), Platform::MacOs, "U+000A may not stand"),
        (install("a b"), Platform::Windows, "a blank may not stand"),
        (
            install(&"a".repeat(129)),
            Platform::Windows,
            "it has 129 characters, at most 128",
        ),
        (
            install("vim"),
            Platform::Linux(Family::Other),
            "no vetted package command",
        ),
        (
            restart("reboot.target"),
            DEBIAN,
            "may not end with \".target\"",
        ),
        (restart("systemd-poweroff"), DEBIAN, "use reboot_device"),
        (
            restart("systemd-reboot.service"),
            DEBIAN,
            "use reboot_device",
        ),
        (restart("ngin?"), DEBIAN, "`?` may not stand"),
        (restart("*"), Platform::Windows, "`*` may not stand"),
        (restart("A  B"), Platform::Windows, "two blanks"),
        (restart("A "), Platform::Windows, "may not end with \" \""),
        (restart("user/501/x"), Platform::MacOs, "`/` may not stand"),
        (
            printer("front desk", "192.0.2.5"),
            DEBIAN,
            "name: a blank may not stand",
        ),
        (printer("p", "0.0.0.0"), DEBIAN, "host: no single device"),
        (
            printer("p", "224.0.0.1"),
            Platform::Windows,
            "host: no single device",
        ),
        (printer("p", "127.1"), DEBIAN, "host: it ends in a number"),
        (
            printer("p", "0x7f.0x1"),
            DEBIAN,
            "host: it ends in a number",
        ),
        (printer("p", "fe80::1%eth0"), DEBIAN, "host: it is neither"),
        (printer("p", "a@b"), DEBIAN, "host: it is neither"),
        (printer("p", "-h"), DEBIAN, "host: it is neither"),
        (printer("p", "h/../x"), DEBIAN, "host: it is neither"),
        (
            Intent::InstallPrinter {
                name: "p".to_owned(),
                host: "h".to_owned(),
                port: Some(65536),
                driver: None,
            },
            Platform::Windows,
            "port: 65536 is out of range; allowed is a whole number from 1 to 65535",
        ),
        (
            Intent::InstallPrinter {
                name: "p".to_owned(),
                host: "h".to_owned(),
                port: None,
                driver: Some("x".to_owned()),
            },
            Platform::MacOs,
            "driver: it is only taken on Windows",
        ),
        (
            Intent::RebootDevice {
                delay_minutes: Some(0),
            },
            DEBIAN,
            "delay_minutes: 0 is out of range",
        ),
        (
            Intent::RebootDevice {
                delay_minutes: Some(-1),
            },
            Platform::Windows,
            "delay_minutes: -1 is out of range",
        ),
    ];
    for (intent, platform, wanted) in cases {
        let said = build(&intent, platform).unwrap_err().to_string();
        assert!(said.contains(wanted), "{intent:?}: {said}");
        assert!(said.contains("allowed is"), "{said}");
    }
}

#[test]
fn unknown_fields_and_tools_are_refused_before_anything_else() {
    for bad in [
        r#"{"tool":"install_software","package":"vim","options":"--force"}"#,
        r#"{"tool":"install_software"}"#,
        r#"{"tool":"install_software","package":["vim"]}"#,
        r#"{"tool":"format_disk"}"#,
        r#"{"tool":"reboot_device","delay_minutes":"5; rm"}"#,
    ] {
        assert!(serde_json::from_str::<Intent>(bad).is_err(), "{bad}");
    }
    let intent: Intent = serde_json::from_str(r#"{"tool":"reboot_device"}"#).unwrap();
    assert_eq!(intent.tool(), "reboot_device");
}

#[test]
fn the_digest_follows_every_part_of_the_text() {
    let all: Vec<String> = Platform::ALL
        .iter()
        .flat_map(|p| {
            [
                install("vim"),
                install("vim2"),
                restart("a"),
                Intent::FlushDns,
                Intent::RebootDevice {
                    delay_minutes: None,
                },
            ]
            .map(|i| build(&i, *p).map(|c| (c.text(), c.sha256())))
        })
        .filter_map(Result::ok)
        .map(|(text, digest)| format!("{digest} {text}"))
        .collect();
    let texts: std::collections::BTreeSet<_> =
        all.iter().map(|l| l.split_once(' ').unwrap().1).collect();
    let digests: std::collections::BTreeSet<_> =
        all.iter().map(|l| l.split_once(' ').unwrap().0).collect();
    assert_eq!(texts.len(), digests.len());
    let command = build(&restart("nginx"), DEBIAN).unwrap();
    assert_eq!(
        command.text(),
        "# sh, as root\nsystemctl restart -- nginx.service\n"
    );
    assert_eq!(command.sha256().len(), 64);
    assert!(command.needs_root && !command.reboot);
    assert!(
        build(
            &Intent::RebootDevice {
                delay_minutes: None
            },
            DEBIAN
        )
        .unwrap()
        .reboot
    );
    assert!(!build(&install("vim"), Platform::MacOs).unwrap().needs_root);
}

#[test]
fn distributions_are_known_by_what_they_say_of_themselves() {
    for (words, family) in [
        ("debian", Family::Debian),
        ("ubuntu debian", Family::Debian),
        ("zorin ubuntu debian", Family::Debian),
        ("rocky rhel centos fedora", Family::RedHat),
        ("\"amzn\" \"fedora\"", Family::RedHat),
        ("opensuse-leap suse opensuse", Family::Suse),
        ("alpine", Family::Other),
        ("", Family::Other),
    ] {
        assert_eq!(Family::of_os_release(words), family, "{words}");
    }
    assert_eq!(Platform::of_device("darwin", ""), Some(Platform::MacOs));
    assert_eq!(Platform::of_device("freebsd", ""), None);
}

/// Before the first run: a document with the two marks and nothing between them.
#[test]
fn the_documentation_holds_what_the_code_runs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/fleet.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (open, close) = (
        "<!-- high-level tools -->\n",
        "<!-- end of high-level tools -->",
    );
    let (before, rest) = text
        .split_once(open)
        .expect("the mark stands in the document");
    let (_, after) = rest
        .split_once(close)
        .expect("the mark stands in the document");
    let wanted = format!("{before}{open}{}{close}{after}", table::markdown());
    if std::env::var_os("RMM_ANALYST_BLESS").is_some() {
        std::fs::write(path, &wanted).unwrap();
        return;
    }
    assert!(
        text == wanted,
        "docs/fleet.md is not what the code runs: RMM_ANALYST_BLESS=1 writes it"
    );
}
