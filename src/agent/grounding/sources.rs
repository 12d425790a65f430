//! Names under which people and models speak of sources.

/// Module and the words for it, one token each or several joined with a blank, lower case.
const OURS: &[(&str, &[&str])] = &[
    ("abuseipdb", &["abuseipdb", "abuse ipdb", "abuseipdb.com"]),
    ("urlhaus", &["urlhaus", "url haus", "urlhaus.abuse.ch"]),
    (
        "threatfox",
        &["threatfox", "threat fox", "threatfox.abuse.ch"],
    ),
    (
        "malwarebazaar",
        &[
            "malwarebazaar",
            "malware bazaar",
            "bazaar",
            "bazaar.abuse.ch",
        ],
    ),
    (
        "circlpdns",
        &[
            "circlpdns",
            "circl",
            "circl pdns",
            "passive dns",
            "circl.lu",
        ],
    ),
    (
        "crtsh",
        &["crtsh", "crt.sh", "certificate transparency", "ct logs"],
    ),
    (
        "internetdb",
        &["internetdb", "shodan", "internetdb.shodan.io", "shodan.io"],
    ),
    ("ipinfo", &["ipinfo", "ipinfo.io"]),
    ("rdap", &["rdap", "whois"]),
    ("special", &[]),
    ("unfurl", &["unfurl"]),
    ("dns", &[]),
    ("cases", &[]),
];

/// Sources that this program does not ask, but models like to quote.
const OTHERS: &[&str] = &[
    "virustotal",
    "virus total",
    "greynoise",
    "otx",
    "alienvault",
    "spamhaus",
    "talos",
    "urlscan",
    "urlscan.io",
    "censys",
    "securitytrails",
    "hybrid analysis",
    "joe sandbox",
    "any.run",
    "phishtank",
    "openphish",
    "safe browsing",
    "x-force",
    "recorded future",
    "crowdstrike",
    "mandiant",
    "misp",
    "feodo tracker",
    "sslbl",
    "surbl",
    "barracuda",
    "emerging threats",
    "domaintools",
    "criminal ip",
    "pulsedive",
    "intezer",
    "kaspersky",
    "microsoft defender",
    "riskiq",
    "maltiverse",
    "opencti",
    "binaryedge",
    "zoomeye",
    "quad9",
    "cisco umbrella",
    "fortiguard",
    "project honeypot",
    "stopforumspam",
    "nvd",
];

/// Hosts that stand for a source, not for something found.
const HOMES: &[&str] = &[
    "abuse.ch",
    "crt.sh",
    "abuseipdb.com",
    "ipinfo.io",
    "shodan.io",
    "circl.lu",
    "virustotal.com",
    "urlscan.io",
    "greynoise.io",
    "rdap.org",
    "iana.org",
    "any.run",
    "spamhaus.org",
];

/// A source that a text names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Named {
    /// Module name, or the name of a source that is no module.
    pub(super) tool: String,
    /// Whether the program has a module for it.
    pub(super) ours: bool,
}

/// The sources that `norm` names (words joined with single blanks, a blank at both ends). `more` are tools of
/// the case that the table does not know.
pub(super) fn named(norm: &str, more: &[&str]) -> Vec<Named> {
    let blank = |at: Option<usize>| at.and_then(|at| norm.as_bytes().get(at)) == Some(&b' ');
    let says = |words: &str| {
        norm.match_indices(words)
            .any(|(at, _)| blank(at.checked_sub(1)) && blank(Some(at + words.len())))
    };
    let mut out: Vec<Named> = Vec::new();
    let mut add = |tool: &str, ours: bool| {
        if !out.iter().any(|n| n.tool == tool) {
            out.push(Named {
                tool: tool.to_owned(),
                ours,
            });
        }
    };
    for (tool, names) in OURS {
        if names.iter().any(|n| says(n)) {
            add(tool, true);
        }
    }
    for tool in more {
        // A short or everyday word (`dns`, `cases`, `special`) names a module only where it is all there is.
        if tool.len() >= 5 && !matches!(*tool, "cases" | "special") && says(tool) {
            add(tool, true);
        }
    }
    for name in OTHERS {
        if says(name) {
            add(name, false);
        }
    }
    out
}

/// Whether this is the host of a known source, or below it.
pub(super) fn is_home(host: &str) -> bool {
    HOMES
        .iter()
        .any(|h| host == *h || host.strip_suffix(h).is_some_and(|r| r.ends_with('.')))
}
