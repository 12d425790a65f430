//! What stands beside a value: labels, words in front, versions.

/// How far to the left a reader looks for a label, in bytes.
const REACH: usize = 40;

/// A word of ASCII letters, digits and `_.-` in lower case, kept without allocating: every address in a log
/// asks for the word in front of it.
pub(super) struct Word {
    lower: [u8; REACH],
    length: usize,
}

impl Word {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.lower[..self.length]).unwrap_or_default()
    }
}

fn is_label_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-')
}

fn is_glue(b: u8) -> bool {
    matches!(
        b,
        b' ' | b'"' | b'\'' | b'`' | b':' | b'=' | b'(' | b'[' | b'*' | b'|' | b'\t' | b'>' | b'#'
    )
}

/// The word in front of `at`, lower case, and whether `:` or `=` stands between.
pub(super) fn word_before(b: &[u8], at: usize) -> Option<(Word, usize, bool)> {
    word_over(b, at, |_| false)
}

/// [`word_before`], stepping over more bytes than blanks and signs.
fn word_over(b: &[u8], at: usize, more: fn(u8) -> bool) -> Option<(Word, usize, bool)> {
    let floor = at.saturating_sub(REACH);
    let mut end = at;
    let mut labels = false;
    while end > floor && at - end < 5 && (is_glue(b[end - 1]) || more(b[end - 1])) {
        labels |= matches!(b[end - 1], b':' | b'=');
        end -= 1;
    }
    let mut start = end;
    while start > floor && is_label_byte(b[start - 1]) {
        start -= 1;
    }
    if start == end {
        return None;
    }
    let mut word = Word {
        lower: [0; REACH],
        length: end - start,
    };
    for (to, from) in word.lower.iter_mut().zip(&b[start..end]) {
        *to = from.to_ascii_lowercase();
    }
    Some((word, start, labels))
}

/// Labels that say "this is a host" and so stand in for a real top-level domain.
const NAME_LABELS: &[&str] = &[
    "ioc",
    "iocs",
    "indicator",
    "domain",
    "domains",
    "host",
    "hostname",
    "fqdn",
    "c2",
    "sni",
    "rdns",
    "dns_name",
    "dnsname",
    "server_name",
    "hosts",
    "domain_name",
    "domainname",
    "host_name",
    "dst_host",
    "dest_host",
    "src_host",
    "dest_domain",
    "dst_domain",
    "src_domain",
];

/// Whether a label names what stands at `at` as a host.
pub(super) fn is_labelled_name(b: &[u8], at: usize) -> bool {
    matches!(word_before(b, at), Some((word, _, true)) if NAME_LABELS.contains(&word.as_str()))
}

/// What a label in front of a hash says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HashLabel {
    None,
    Ja3,
    Ja3s,
    /// A commit id, an import hash: not the hash of a file.
    Other,
    /// The label names a hash with this many hex digits.
    Digits(usize),
}

/// Labels of hex values that are not the hash of a file.
const OTHER_HASHES: &[&str] = &[
    "commit",
    "tree",
    "parent",
    "blob",
    "revision",
    "rev",
    "imphash",
    "richhash",
    "rich_hash",
    "jarm",
    "telfhash",
    "vhash",
    "dhash",
    "pehash",
    "uuid",
    "guid",
    "serial",
    "ski",
    "aki",
    "keyid",
];

/// Reads up to three words in front of a hash.
pub(super) fn hash_label(b: &[u8], at: usize) -> HashLabel {
    let mut at = at;
    let further = |c| matches!(c, b'\n' | b'\r' | b'/');
    for _ in 0..3 {
        let Some((word, start, _)) = word_over(b, at, further) else {
            return HashLabel::None;
        };
        let word = word.as_str().trim_matches(['.', '-', '_']);
        if word.contains("ja3s") {
            return HashLabel::Ja3s;
        }
        if word.contains("ja3") {
            return HashLabel::Ja3;
        }
        if OTHER_HASHES.contains(&word) {
            return HashLabel::Other;
        }
        let digits = match word.strip_suffix("sum").unwrap_or(word) {
            "md5" => 32,
            "sha1" | "sha-1" => 40,
            "sha256" | "sha-256" | "sha2" => 64,
            "sha512" | "sha-512" => 128,
            _ => 0,
        };
        if digits > 0 {
            return HashLabel::Digits(digits);
        }
        let filler = matches!(
            word,
            "hash"
                | "fingerprint"
                | "digest"
                | "value"
                | "is"
                | "of"
                | "the"
                | "id"
                | "client"
                | "server"
                | "file"
        );
        if !filler {
            return HashLabel::None;
        }
        at = start;
    }
    HashLabel::None
}

const VERSION_WORDS: &[&str] = &[
    "version",
    "versions",
    "ver",
    "v",
    "build",
    "builds",
    "release",
    "releases",
    "firmware",
    "revision",
    "rev",
    "section",
    "sections",
    "chapter",
    "figure",
    "table",
    "clause",
    "oid",
    "oids",
    "fw",
    "driver",
    "patch",
    "appendix",
    "sec",
    "paragraph",
    "para",
    "versioned",
    "hotfix",
];

const UPGRADE_WORDS: &[&str] = &[
    "upgrade",
    "upgraded",
    "upgrading",
    "upgrades",
    "downgraded",
    "downgrade",
    "bumped",
    "bump",
];

/// Programs that write themselves in lower case in front of `/` and a version.
const PRODUCTS: &[&str] = &[
    "curl",
    "nginx",
    "python-requests",
    "okhttp",
    "go-http-client",
    "libwww-perl",
    "wget",
    "python-urllib",
    "axios",
    "lua-resty-http",
];

/// Whether the word behind an address says that it is a version: `1.7.12.3 Release Notes`.
pub(super) fn is_version_by_next(b: &[u8], end: usize) -> bool {
    let rest = b.get(end..).unwrap_or_default();
    ["release", "build", "version", "firmware"].iter().any(|w| {
        let next = rest.get(1 + w.len());
        rest.first() == Some(&b' ')
            && rest
                .get(1..1 + w.len())
                .is_some_and(|t| t.eq_ignore_ascii_case(w.as_bytes()))
            && !next.is_some_and(u8::is_ascii_alphanumeric)
    })
}

/// Whether four numbers at `start` are a version, a section or an object id by what stands before them.
pub(super) fn is_version(b: &[u8], start: usize) -> bool {
    if start >= 2 && b[start - 1] == b'/' {
        let from = start.saturating_sub(REACH);
        let mut at = start - 1;
        while at > from && (is_label_byte(b[at - 1])) {
            at -= 1;
        }
        let token = &b[at..start - 1];
        if token.first().is_some_and(u8::is_ascii_uppercase)
            && token.iter().any(u8::is_ascii_lowercase)
        {
            return true;
        }
        let lower = String::from_utf8_lossy(token).to_ascii_lowercase();
        return PRODUCTS.contains(&lower.as_str());
    }
    let Some((word, from, _)) = word_before(b, start) else {
        return false;
    };
    if says_version(word.as_str()) {
        return true;
    }
    if matches!(
        word.as_str(),
        "is" | "to" | "from" | "number" | "no" | "was" | "of"
    ) && let Some((second, _, _)) = word_before(b, from)
    {
        let upgrade =
            matches!(word.as_str(), "to" | "from") && UPGRADE_WORDS.contains(&second.as_str());
        return upgrade || says_version(second.as_str());
    }
    false
}

fn says_version(word: &str) -> bool {
    let word = word.trim_matches(['.', '_', '-']);
    let last = word.rsplit(['.', '_', '-']).next().unwrap_or(word);
    VERSION_WORDS.contains(&last) || last.ends_with("version")
}
