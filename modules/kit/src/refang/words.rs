//! Words that decide whether a spelled-out " dot " or " at " is a mark or just English.

/// Words in front of "dot" that make it a noun: "the dot", "polka dot".
const BEFORE_DOT: &[&str] = &[
    "a", "an", "the", "this", "that", "each", "every", "one", "another", "polka", "red", "green",
    "blue", "black", "white", "yellow", "big", "small", "little", "tiny", "single", "first",
    "last", "next", "same", "no", "any", "some", "is", "was", "and", "or", "by", "with", "to",
    "of", "on", "in", "my", "your", "his", "her", "its", "per", "trailing", "leading", "middle",
    "full", "extra", "missing", "connect", "see", "use", "add", "remove",
];

/// Top-level domains that are English words: "a dot in the log" is no name.
const WORD_TLDS: &[&str] = &[
    "in", "is", "it", "at", "to", "so", "me", "my", "no", "be", "by", "am", "as", "do", "us", "pm",
    "la", "an", "can", "now", "here", "here", "new", "for", "on", "or", "and", "st", "ad", "click",
    "here", "plus", "off", "one", "off", "off", "map", "can", "next",
];

/// Words in front of "at" that make it a preposition: "hosted at", "look at".
const BEFORE_AT: &[&str] = &[
    "connect",
    "connecting",
    "calls",
    "called",
    "calling",
    "hits",
    "hit",
    "pings",
    "dropped",
    "shown",
    "appears",
    "appeared",
    "resolving",
    "look",
    "looks",
    "looking",
    "looked",
    "point",
    "points",
    "pointing",
    "pointed",
    "host",
    "hosted",
    "hosting",
    "located",
    "available",
    "found",
    "seen",
    "live",
    "lives",
    "running",
    "runs",
    "registered",
    "resolves",
    "resolved",
    "served",
    "aimed",
    "arrive",
    "arrived",
    "arrives",
    "reachable",
    "resides",
    "is",
    "are",
    "was",
    "be",
    "were",
    "been",
    "being",
    "c2",
    "server",
    "site",
    "page",
    "panel",
    "domain",
    "stored",
    "beacon",
    "beacons",
    "beaconed",
    "beaconing",
    "connects",
    "connected",
    "landing",
    "landed",
    "lands",
    "ends",
    "it",
    "us",
    "them",
    "him",
    "her",
    "me",
    "you",
    "and",
    "up",
    "hosts",
    "sits",
    "stays",
    "began",
    "begins",
    "starts",
    "started",
    "visit",
    "visited",
    "go",
    "kit",
    "payload",
    "here",
    "there",
    "file",
    "files",
    "directed",
    "redirected",
    "check",
    "back",
    "listed",
    "that",
    "staged",
    "downloaded",
    "fetched",
    "contact",
    "download",
    "reach",
    "reached",
];

fn listed(list: &[&str], word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    list.contains(&lower.as_str())
}

/// Whether `left dot right` can be a name or an address written out. `more` says that another spelled-out
/// dot follows.
pub(super) fn is_dot(left: &str, right: &str, upper: bool, more: bool) -> bool {
    let digits = |t: &str| !t.is_empty() && t.len() <= 3 && t.bytes().all(|b| b.is_ascii_digit());
    let last = left.rsplit('.').next().unwrap_or(left);
    if digits(last) && digits(right) {
        return true;
    }
    if listed(BEFORE_DOT, left) {
        return false;
    }
    if more {
        return right
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-');
    }
    let known = psl::suffix(right.to_ascii_lowercase().as_bytes()).is_some_and(|s| s.is_known());
    known && (upper || !listed(WORD_TLDS, right))
}

/// Whether `left at host` can be a mail address written out.
pub(super) fn is_at(left: &str, upper: bool) -> bool {
    upper && !left.bytes().any(|b| b.is_ascii_uppercase()) || !listed(BEFORE_AT, left)
}
