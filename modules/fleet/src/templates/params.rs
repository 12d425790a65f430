//! What a parameter may be. Each kind is an allow-list of plain ASCII characters, so that control, bidirectional
//! and look-alike characters, blanks, quotes, wildcards and every shell's special characters are out before any
//! quoting begins; the first character is a letter or a digit, so that no parameter is an option.

use std::net::IpAddr;

/// Why a parameter is not taken. Fit for a person and for a model; what was given is not repeated, except for
/// the one character that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}; allowed is {allowed}")]
pub struct Refusal {
    /// The name of the field in the tool's arguments.
    pub field: &'static str,
    /// What is wrong with it.
    pub problem: String,
    /// What would be taken.
    pub allowed: &'static str,
}

/// The shape of one kind of parameter.
#[derive(Debug)]
pub struct Rule {
    /// In words, for refusals and for the documentation.
    pub allowed: &'static str,
    /// The first character.
    first: fn(char) -> bool,
    /// Every other one.
    rest: fn(char) -> bool,
    /// The longest, in characters.
    max: usize,
    /// What it must not end with.
    not_at_the_end: &'static [&'static str],
}

fn lower_or_digit(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

fn letter_or_digit(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// A package of Debian and its children. A hyphen at the end would mean "remove" to apt-get.
pub const APT_PACKAGE: Rule = Rule {
    allowed: "a package name such as `python3.11`: lower-case letters, digits, + . -, at most 128, not ending in -",
    first: lower_or_digit,
    rest: |c| lower_or_digit(c) || matches!(c, '+' | '.' | '-'),
    max: 128,
    not_at_the_end: &["-"],
};

/// A package of dnf or zypper. A name that ends in `.rpm` would be read as a file or an address.
pub const RPM_PACKAGE: Rule = Rule {
    allowed: "a package name such as `python3.11`: letters, digits, + . _ -, at most 128, not a .rpm file",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, '+' | '.' | '_' | '-'),
    max: 128,
    not_at_the_end: &[".rpm", ".RPM"],
};

/// An identifier of winget's own source.
pub const WINGET_PACKAGE: Rule = Rule {
    allowed: "a winget identifier such as `Mozilla.Firefox`: letters, digits, + . _ -, at most 128",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, '+' | '.' | '_' | '-'),
    max: 128,
    not_at_the_end: &[],
};

/// A formula or cask of Homebrew's own taps. Files and archives would run somebody else's code.
pub const BREW_PACKAGE: Rule = Rule {
    allowed: "a formula or cask such as `openssl@3`: lower-case letters, digits, @ + . _ -, at most 128, no tap, no file",
    first: lower_or_digit,
    rest: |c| lower_or_digit(c) || matches!(c, '@' | '+' | '.' | '_' | '-'),
    max: 128,
    not_at_the_end: &[".rb", ".json", ".gz"],
};

/// A service of systemd, with or without `.service`.
pub const SYSTEMD_SERVICE: Rule = Rule {
    allowed: "the name of a service such as `nginx` or `postgresql@15-main`: letters, digits, : _ . @ -, at most 200",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, ':' | '_' | '.' | '@' | '-'),
    max: 200,
    not_at_the_end: &[
        ".target",
        ".socket",
        ".mount",
        ".automount",
        ".timer",
        ".path",
        ".slice",
        ".scope",
        ".swap",
        ".device",
    ],
};

/// A label of launchd in the system domain.
pub const LAUNCHD_LABEL: Rule = Rule {
    allowed: "a launchd label such as `com.openssh.sshd`: letters, digits, . _ -, at most 128",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, '.' | '_' | '-'),
    max: 128,
    not_at_the_end: &[],
};

/// The short name of a Windows service. No `*`, `?`, `[`: the cmdlet takes wildcards.
pub const WINDOWS_SERVICE: Rule = Rule {
    allowed: "the short name of a service such as `Spooler` or `MSSQL$SQLEXPRESS`: letters, digits, single blanks, . _ $ @ -, at most 200",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, ' ' | '.' | '_' | '$' | '@' | '-'),
    max: 200,
    not_at_the_end: &[" "],
};

/// A queue of CUPS.
pub const CUPS_PRINTER: Rule = Rule {
    allowed: "a printer name such as `front-desk`: letters, digits, . _ -, at most 64",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, '.' | '_' | '-'),
    max: 64,
    not_at_the_end: &[],
};

/// A printer of Windows.
pub const WINDOWS_PRINTER: Rule = Rule {
    allowed: "a printer name such as `Front desk`: letters, digits, single blanks, . _ -, at most 64",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, ' ' | '.' | '_' | '-'),
    max: 64,
    not_at_the_end: &[" "],
};

/// A printer driver that Windows has in its store.
pub const WINDOWS_DRIVER: Rule = Rule {
    allowed: "a driver that the device has, such as `Microsoft PCL6 Class Driver`: letters, digits, single blanks, . _ ( ) / + -, at most 128",
    first: letter_or_digit,
    rest: |c| letter_or_digit(c) || matches!(c, ' ' | '.' | '_' | '(' | ')' | '/' | '+' | '-'),
    max: 128,
    not_at_the_end: &[" "],
};

/// What a host may be, in words.
pub const HOST: &str = "an IPv4 or IPv6 address of a device, or a host name of letters, digits, - and dots, at most 253";
/// What a port may be, in words.
pub const PORT: &str = "a whole number from 1 to 65535";
/// What a delay may be, in words. Not 0, so that the device can still say that the job began.
pub const DELAY: &str = "a whole number of minutes from 1 to 1440";

/// Services of systemd that switch the machine off, restart it or take it away from everybody.
const POWER: &[&str] = &[
    "emergency",
    "rescue",
    "systemd-exit",
    "systemd-halt",
    "systemd-hibernate",
    "systemd-hybrid-sleep",
    "systemd-kexec",
    "systemd-poweroff",
    "systemd-reboot",
    "systemd-soft-reboot",
    "systemd-suspend",
    "systemd-suspend-then-hibernate",
];

impl Rule {
    /// Checks a text against the shape.
    ///
    /// # Errors
    /// [`Refusal`] that names the field.
    pub fn check(&self, field: &'static str, text: &str) -> Result<String, Refusal> {
        let fail = |problem: String| {
            Err(Refusal {
                field,
                problem,
                allowed: self.allowed,
            })
        };
        let Some(first) = text.chars().next() else {
            return fail("it is empty".to_owned());
        };
        let length = text.chars().count();
        if length > self.max {
            return fail(format!(
                "it has {length} characters, at most {} are taken",
                self.max
            ));
        }
        if let Some(wrong) = text.chars().find(|c| !(self.first)(*c) && !(self.rest)(*c)) {
            return fail(format!("{} may not stand in it", shown(wrong)));
        }
        if !(self.first)(first) {
            return fail(format!("it may not begin with {}", shown(first)));
        }
        if text.contains("  ") {
            return fail("it has two blanks in a row".to_owned());
        }
        if let Some(end) = self.not_at_the_end.iter().find(|end| text.ends_with(**end)) {
            return fail(format!("it may not end with {end:?}"));
        }
        Ok(text.to_owned())
    }
}

/// A character for a message: itself when it is printable ASCII, its number otherwise.
fn shown(c: char) -> String {
    if c.is_ascii_graphic() {
        format!("`{c}`")
    } else if c == ' ' {
        "a blank".to_owned()
    } else {
        format!("U+{:04X}", u32::from(c))
    }
}

/// The unit `<name>.service`.
///
/// # Errors
/// [`Refusal`], also for services that would end the machine's work.
pub fn systemd_unit(field: &'static str, text: &str) -> Result<String, Refusal> {
    let name = SYSTEMD_SERVICE.check(field, text)?;
    let name = name.strip_suffix(".service").unwrap_or(&name);
    if name.is_empty() || POWER.contains(&name) {
        return Err(Refusal {
            field,
            problem: "that service stops or restarts the machine itself, use reboot_device"
                .to_owned(),
            allowed: SYSTEMD_SERVICE.allowed,
        });
    }
    Ok(format!("{name}.service"))
}

/// A host that a printer can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// An address in canonical form.
    Address(IpAddr),
    /// A name in lower case.
    Name(String),
}

impl Host {
    /// Reads a host.
    ///
    /// # Errors
    /// [`Refusal`] for anything that is neither, for addresses that no device has, and for names that resolvers
    /// read as addresses (`127.1`, `0x7f.1`).
    pub fn check(field: &'static str, text: &str) -> Result<Self, Refusal> {
        let fail = |problem: &str| {
            Err(Refusal {
                field,
                problem: problem.to_owned(),
                allowed: HOST,
            })
        };
        if let Ok(address) = text.parse::<IpAddr>() {
            let nobody = address.is_unspecified()
                || address.is_multicast()
                || matches!(address, IpAddr::V4(a) if a.is_broadcast());
            return if nobody {
                fail("no single device has that address")
            } else {
                Ok(Self::Address(address))
            };
        }
        if text.is_empty() || text.len() > 253 {
            return fail("it is empty or too long");
        }
        let label_ok = |label: &str| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        if !text.split('.').all(label_ok) {
            return fail("it is neither an address nor a host name");
        }
        let last = text.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        if last.starts_with("0x") || last.bytes().all(|b| b.is_ascii_digit()) {
            return fail("it ends in a number but is not an address");
        }
        Ok(Self::Name(text.to_ascii_lowercase()))
    }

    /// As it stands between `//` and the port of an address line.
    #[must_use]
    pub fn in_uri(&self) -> String {
        match self {
            Self::Address(IpAddr::V6(a)) => format!("[{a}]"),
            Self::Address(a) => a.to_string(),
            Self::Name(name) => name.clone(),
        }
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(a) => a.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// A TCP port.
///
/// # Errors
/// [`Refusal`] when it is out of range.
pub fn port(field: &'static str, number: i64) -> Result<u16, Refusal> {
    in_range(field, number, 65535, PORT)
}

/// A delay in minutes.
///
/// # Errors
/// [`Refusal`] when it is out of range.
pub fn delay(field: &'static str, minutes: i64) -> Result<u16, Refusal> {
    in_range(field, minutes, 1440, DELAY)
}

fn in_range(
    field: &'static str,
    number: i64,
    max: u16,
    allowed: &'static str,
) -> Result<u16, Refusal> {
    u16::try_from(number)
        .ok()
        .filter(|n| (1..=max).contains(n))
        .ok_or_else(|| Refusal {
            field,
            problem: format!("{number} is out of range"),
            allowed,
        })
}
