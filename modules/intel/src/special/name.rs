//! Names: public suffix, registrable domain, special use, readable form.

use super::{Fact, table_rows};
use std::net::{Ipv4Addr, Ipv6Addr};

static NAMES: &str = include_str!("../../data/special-names.txt");
static LIST: &str = "public suffix list";

/// What is known of a host name (lower case, A-labels, no trailing dot).
pub(super) fn facts(name: &str) -> Vec<Fact> {
    let mut out = Vec::new();
    out.extend(special_use(name));
    if !name.contains('.') {
        out.push(Fact::new(
            "Labels",
            "one: not a name of the public DNS tree below a top-level domain",
            "",
        ));
    }
    out.extend(suffix(name));
    out.extend(readable(name));
    out.extend(reverse(name));
    out
}

/// The longest special-use name that `name` is or stands under.
fn special_use(name: &str) -> Option<Fact> {
    let (suffix, what, document) = table_rows(NAMES)
        .filter_map(|row| match row.as_slice() {
            [suffix, what, document] => Some((*suffix, *what, *document)),
            _ => None,
        })
        .filter(|(suffix, ..)| under(name, suffix))
        .max_by_key(|(suffix, ..)| suffix.len())?;
    Some(Fact::new(
        "Special use",
        format!("{what} ({suffix})"),
        document,
    ))
}

/// Whether `name` is `suffix` or a name below it.
fn under(name: &str, suffix: &str) -> bool {
    name.strip_suffix(suffix)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn suffix(name: &str) -> Vec<Fact> {
    let Some(found) = psl::suffix(name.as_bytes()) else {
        return Vec::new();
    };
    let suffix = String::from_utf8_lossy(found.as_bytes()).into_owned();
    let section = match found.typ() {
        Some(psl::Type::Icann) => "ICANN section",
        Some(psl::Type::Private) => {
            "private section: names below it belong to different customers of one operator"
        }
        None => "not on the list: the last label counts as the suffix",
    };
    let mut out = vec![Fact::new(
        "Public suffix",
        format!("{suffix}, {section}"),
        LIST,
    )];
    match psl::domain_str(name) {
        Some(domain) => {
            out.push(Fact::new("Registrable domain", domain, LIST));
            if let Some(below) = name.strip_suffix(domain).and_then(|s| s.strip_suffix('.')) {
                out.push(Fact::new("Labels below it", below, ""));
            }
        }
        None => {
            let why = if found.is_known() {
                "none: the name is itself a public suffix"
            } else {
                "none"
            };
            out.push(Fact::new("Registrable domain", why, LIST));
        }
    }
    out
}

/// The readable form, where it differs, with a note on letters of several scripts.
fn readable(name: &str) -> Vec<Fact> {
    if !name.contains("xn--") {
        return Vec::new();
    }
    let (unicode, errors) = idna::domain_to_unicode(name);
    if errors.is_err() {
        return vec![Fact::new(
            "Readable form",
            "none: not a valid internationalised name",
            "IDNA, UTS 46",
        )];
    }
    if unicode == name {
        return Vec::new();
    }
    let mut out = vec![Fact::new("Readable form", unicode.clone(), "IDNA, UTS 46")];
    for label in unicode.split('.') {
        if let Some(note) = disguise(label) {
            out.push(Fact::new("Letters", format!("{label}: {note}"), ""));
        }
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
}

impl Script {
    const fn name(self) -> &'static str {
        match self {
            Self::Latin => "Latin",
            Self::Greek => "Greek",
            Self::Cyrillic => "Cyrillic",
            Self::Armenian => "Armenian",
        }
    }

    /// The script of a letter, among those that look alike (Unicode blocks).
    const fn of(c: char) -> Option<Self> {
        match c {
            'a'..='z'
            | 'A'..='Z'
            | '\u{c0}'..='\u{24f}'
            | '\u{250}'..='\u{2af}'
            | '\u{1e00}'..='\u{1eff}' => Some(Self::Latin),
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some(Self::Greek),
            '\u{400}'..='\u{52f}'
            | '\u{1c80}'..='\u{1c8f}'
            | '\u{2de0}'..='\u{2dff}'
            | '\u{a640}'..='\u{a69f}' => Some(Self::Cyrillic),
            '\u{530}'..='\u{58f}' => Some(Self::Armenian),
            _ => None,
        }
    }
}

/// Letters of other scripts that most fonts draw like Latin ones.
static LATIN_LOOK: &str = "асеорхуѕіјһԁӏԛԝ\u{261}ανορτυικ";

/// Whether a label mixes scripts that look alike, or consists of letters that look Latin and are not.
fn disguise(label: &str) -> Option<String> {
    let mut scripts: Vec<Script> = Vec::new();
    for script in label.chars().filter_map(Script::of) {
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    match scripts.as_slice() {
        [] => None,
        [one] => {
            let foreign = *one != Script::Latin
                && label
                    .chars()
                    .all(|c| LATIN_LOOK.contains(c) || c.is_ascii_digit() || c == '-');
            foreign.then(|| format!("every letter is {} and looks like Latin", one.name()))
        }
        several => {
            let mut names: Vec<&str> = several.iter().map(|s| s.name()).collect();
            names.sort_unstable_by_key(|n| (*n != "Latin", *n));
            Some(format!("mixes {}", names.join(" and ")))
        }
    }
}

/// The address that a whole reverse name stands for.
fn reverse(name: &str) -> Option<Fact> {
    if let Some(labels) = name.strip_suffix(".in-addr.arpa") {
        let mut octets: Vec<&str> = labels.split('.').collect();
        octets.reverse();
        let ip: Ipv4Addr = octets.join(".").parse().ok()?;
        return Some(Fact::new("Reverse name of", ip.to_string(), "RFC 1035"));
    }
    let labels = name.strip_suffix(".ip6.arpa")?;
    let mut value: u128 = 0;
    let nibbles: Vec<&str> = labels.split('.').collect();
    if nibbles.len() != 32 {
        return None;
    }
    for nibble in nibbles.iter().rev() {
        let digit = if nibble.len() == 1 {
            u128::from_str_radix(nibble, 16).ok()?
        } else {
            return None;
        };
        value = (value << 4) | digit;
    }
    Some(Fact::new(
        "Reverse name of",
        Ipv6Addr::from(value).to_string(),
        "RFC 3596",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_names_is_read() {
        for row in table_rows(NAMES) {
            assert_eq!(row.len(), 3, "{row:?}");
            assert!(row.iter().all(|c| !c.is_empty()), "{row:?}");
            assert_eq!(row[0], row[0].to_ascii_lowercase());
        }
    }

    #[test]
    fn a_name_that_only_ends_alike_is_not_under_it() {
        assert!(under("a.test", "test"));
        assert!(under("test", "test"));
        assert!(!under("mytest", "test"));
        assert!(special_use("notexample.com").is_none());
    }
}
