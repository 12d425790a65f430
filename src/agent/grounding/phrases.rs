//! The words in which models speak of verdicts, and what a clause says by them.

/// What a clause says of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    Malicious,
    /// Flagged, detected, black-listed: malicious or suspicious.
    Flagged,
    Suspicious,
    Clean,
    Listed,
    Unlisted,
    /// Not called malicious; it may be listed, or suspicious.
    NotMalicious,
    CouldNotLook,
}

pub(super) const ADMISSIONS: &[&str] = &[
    " no key ",
    " no api key ",
    " without a key ",
    " without an api key ",
    " needs a key ",
    " missing key ",
    " timed out ",
    " timeout ",
    " rate limited ",
    " rate-limited ",
    " rate limit ",
    " unreachable ",
    " unavailable ",
    " upstream error ",
    " did not answer ",
    " didn't answer ",
    " did not respond ",
    " didn't respond ",
    " no answer ",
    " no response ",
    " says nothing about ",
    " say nothing about ",
    " said nothing about ",
    " bad key ",
    " interrupted ",
    " unanswered ",
    " not queried ",
    " not asked ",
    " not checked ",
    " not consulted ",
    " wasn't asked ",
    " weren't asked ",
    " wasn't queried ",
    " skipped ",
    " not available ",
    " not reachable ",
    " failed ",
    " was down ",
    " is down ",
    " an error ",
    " not be asked ",
    " not be reached ",
    " not be queried ",
    " not be checked ",
    " not look ",
    " key missing ",
    " lacks a key ",
    " not configured ",
    " unable to query ",
    " unable to reach ",
    " unable to check ",
    " unable to ask ",
    " refused the key ",
    " could not answer ",
    " couldn't answer ",
    " not answer ",
    " inconclusive ",
    " could not be consulted ",
    " nothing can be said ",
    " nothing can be concluded ",
    " nothing follows ",
    " have no access ",
    " no access to ",
];

pub(super) fn admission(norm: &str) -> bool {
    let plain = [
        " failed to find ",
        " failed to detect ",
        " failed to identify ",
    ]
    .iter()
    .fold(norm.to_owned(), |n, w| n.replace(w, " "));
    has(&plain, ADMISSIONS)
}

/// Words that make a statement a supposition, a rule or a caution.
pub(super) const NOT_STATED: &[&str] = &[
    " if ",
    " whether ",
    " unless ",
    " would ",
    " should ",
    " threshold ",
    " not mean ",
    "n't mean ",
    " not prove ",
    "n't prove ",
    " not imply ",
    "n't imply ",
    " cannot conclude ",
    " can't conclude ",
    " cannot be called ",
    " cannot say ",
    " can't say ",
    " not the same ",
    " rather than ",
    " no proof ",
    " not proof ",
    " not evidence ",
    " no verdict ",
    " no judgement ",
    " no judgment ",
    " gives no ",
    " until ",
    " must not ",
    " cannot tell ",
    " can't tell ",
    " not safe to ",
    " safe to ",
    " not enough ",
    " cannot be taken ",
    " not a sign ",
    " not a clean bill ",
    " nor that ",
    " not that it ",
    " not establish ",
    "n't establish ",
    " not confirm ",
    "n't confirm ",
    " let me ",
    " let us ",
    " could ",
    " depends ",
    " not be read ",
    " not be treated ",
    " not be taken ",
    " don't read ",
    " do not read ",
    " far from ",
    " cannot be ruled ",
    " not clean ",
    "n't clean ",
    " not harmless ",
    " not benign ",
    " not safe ",
    " not a verdict ",
];

pub(super) fn has(norm: &str, list: &[&str]) -> bool {
    list.iter().any(|w| norm.contains(w))
}

pub(super) const CLEAN: &[&str] = &[
    " clean ",
    " harmless ",
    " benign ",
    " safe ",
    " not malicious ",
    "n't malicious ",
    " non-malicious ",
    " trustworthy ",
    " whitelisted ",
    " allowlisted ",
    " innocuous ",
    " not a threat ",
    " good reputation ",
    " is legitimate ",
    " as legitimate ",
    " no threat ",
    " poses no ",
    " all-clear ",
    " all clear ",
    " nothing bad ",
];
pub(super) const NOT_CLEAN: &[&str] = &[
    " safe browsing ",
    " clean up ",
    " clean-up ",
    " clean install ",
];
pub(super) const MALICIOUS: &[&str] = &[
    " malicious ",
    " known bad ",
    " known-bad ",
    " confirmed bad ",
    " harmful ",
    " hostile ",
];
pub(super) const SUSPICIOUS: &[&str] = &[" suspicious ", " questionable "];
pub(super) const FLAGGED: &[&str] = &[
    " flags ",
    " flag ",
    " flagged ",
    " blacklisted ",
    " blacklists ",
    " blocklisted ",
    " detects ",
    " detected ",
    " classifies ",
    " classified ",
    " malware ",
    " convicts ",
];
pub(super) const REPORTS: &[&str] = &[" reports ", " records ", " hits ", " entries ", " results "];
pub(super) const LISTS: &[&str] = &[
    " lists ",
    " list ",
    " listed ",
    " knows ",
    " know ",
    " has a record ",
    " has records ",
    " has an entry ",
    " has entries ",
    " has a listing ",
    " known to ",
    " known by ",
    " appears in ",
    " appears on ",
    " found in ",
    " present in ",
    " tracks ",
    " found on ",
    " recorded in ",
    " is in ",
    " tags ",
    " tagged ",
    " hit on ",
    " hits on ",
    " hit in ",
    " confirms ",
];
pub(super) const UNLISTED: &[&str] = &[
    " unlisted ",
    " unknown to ",
    " unknown in ",
    " unknown on ",
    " unknown at ",
    " no record ",
    " no records ",
    " no result ",
    " no results ",
    " no hit ",
    " no hits ",
    " no entry ",
    " no entries ",
    " no match ",
    " no matches ",
    " no listing ",
    " no listings ",
    " no report ",
    " no reports ",
    " no detections ",
    " no detection ",
    " no data ",
    " no information ",
    " no sign ",
    " no signs ",
    " no trace ",
    " no mention ",
    " nothing ",
    " not found ",
    "n't found ",
    " not find ",
    "n't find ",
    " never seen ",
    " not seen ",
    " never been ",
    " not been ",
    " failed to find ",
    " failed to detect ",
    " failed to identify ",
    "n't been ",
    " unreported ",
    " absent from ",
    " empty ",
    " no abuse ",
    " no known ",
    " no malicious ",
    " no indication ",
    " zero reports ",
    " zero detections ",
    " zero hits ",
    " zero results ",
    " no evidence of ",
    " not appear ",
    "n't appear ",
    " not present ",
    " not in ",
    " isn't in ",
    " no flags ",
    " not aware ",
    " negative ",
];

/// What the words say, in the sense of [`Says`]; empty where they say nothing of the kind.
pub(super) fn says(norm: &str) -> Vec<Says> {
    let norm = &norm
        .replace(" could not find ", " not find ")
        .replace(" couldn't find ", " not find ");
    let mut out = Vec::new();
    if admission(norm) {
        out.push(Says::CouldNotLook);
    }
    // `… and one does not`: what it does not is said elsewhere.
    let left_open = norm.ends_with(" not ") || norm.ends_with("n't ");
    if has(norm, NOT_STATED) || left_open {
        return out;
    }
    let unlisted = has(norm, UNLISTED);
    let clean = has(norm, CLEAN) && !has(norm, NOT_CLEAN);
    let negated = |list: &[&str]| {
        list.iter().any(|w| {
            norm.find(w)
                .is_some_and(|at| negator(norm.get(..=at).unwrap_or_default()))
        })
    };
    if clean {
        if negated(&[" clean ", " harmless ", " benign ", " safe "]) {
            return out;
        }
        out.push(Says::Clean);
    }
    // Who says that a source could not look may say anything about what it lacks.
    if !out.is_empty() && !clean {
        return out;
    }
    if unlisted || negated(LISTS) || negated(FLAGGED) || negated(SUSPICIOUS) || negated(REPORTS) {
        out.push(Says::Unlisted);
        return out;
    }
    if negated(MALICIOUS) && !clean {
        out.push(Says::NotMalicious);
        return out;
    }
    if has(norm, MALICIOUS) && !clean {
        out.push(Says::Malicious);
    } else if has(norm, FLAGGED) {
        out.push(Says::Flagged);
    } else if has(norm, SUSPICIOUS) {
        out.push(Says::Suspicious);
    } else if has(norm, LISTS) {
        out.push(Says::Listed);
    }
    out
}

/// A negation among the last words of `before`.
pub(super) fn negator(before: &str) -> bool {
    let before = before.replace(" not only ", " ").replace(" no doubt ", " ");
    let words: Vec<&str> = before.split_whitespace().collect();
    words.iter().rev().take(7).any(|w| {
        matches!(
            *w,
            "not" | "never" | "no" | "neither" | "nor" | "none" | "without" | "nowhere" | "cannot"
        ) || w.ends_with("n't")
    })
}

/// Words that speak for every source.
pub(super) const EVERYWHERE: &[&str] = &[
    " source ",
    " sources ",
    " feed ",
    " feeds ",
    " anywhere ",
    " nowhere ",
    " everywhere ",
    " database ",
    " databases ",
    " blocklist ",
    " blocklists ",
    " blacklist ",
    " blacklists ",
    " intelligence ",
    " threat intel ",
    " services ",
    " across the board ",
    " any list ",
    " lookups ",
    " look-ups ",
    " lookup ",
    " vendors ",
    " any of the ",
    " everything came back ",
    " every check ",
    " all checks ",
    " none of them ",
    " all came back ",
    " all returned ",
    " all negative ",
    " all of them ",
];

/// Words with which an empty result is told without a source.
pub(super) const FINDING: &[&str] = &[
    " nothing was found ",
    " nothing found ",
    " nothing suspicious ",
    " nothing malicious ",
    " no hits ",
    " no threat ",
    " no threats ",
    " no detections ",
    " no reports ",
    " not listed ",
    " no listings ",
    " not known ",
    " no malicious ",
    " no records ",
    " no results ",
    " unlisted ",
    " no abuse ",
    " no signs ",
    " no sign ",
    " nothing bad ",
    " no known ",
    " no indication ",
    " no evidence of ",
];

/// Whether one of these words is what the sentence says of its subject: `is clean`, `verdict: benign`.
pub(super) fn predicate(norm: &str, list: &[&str]) -> bool {
    const BEFORE: &[&str] = &[
        "is",
        "are",
        "was",
        "were",
        "appears",
        "looks",
        "seems",
        "be",
        "being",
        "as",
        ":",
        "—",
        "remains",
        "considered",
        "called",
        "likely",
        "probably",
        "clearly",
        "definitely",
        "therefore",
        "thus",
        "entirely",
        "completely",
        "fully",
        "currently",
        "very",
        "most",
        "perfectly",
        "verdict",
        "assessment",
        "conclusion",
        "to",
        "it",
        "|",
        "that",
        "known",
        "confirmed",
        "totally",
        "both",
        "all",
        "also",
        "certainly",
        "generally",
    ];
    list.iter().any(|w| {
        norm.match_indices(w).any(|(at, _)| {
            let before = norm.get(..=at).unwrap_or_default();
            let last = before.split_whitespace().next_back().unwrap_or_default();
            let next = norm
                .get(at + w.len()..)
                .and_then(|r| r.split_whitespace().next())
                .unwrap_or_default();
            let copula = BEFORE.contains(&last) && (has(before, COPULA) || ends_in_label(before));
            let noun_follows = !next.is_empty() && !STOPS.contains(&next);
            copula && !noun_follows
        })
    })
}

pub(super) const COPULA: &[&str] = &[
    " is ",
    " are ",
    " was ",
    " were ",
    " appears ",
    " looks ",
    " seems ",
    " remains ",
    " considered ",
    " verdict ",
    " assessment ",
    " conclusion ",
    " be ",
    " being ",
    " overall ",
];

pub(super) fn ends_in_label(before: &str) -> bool {
    before.ends_with(": ")
}

/// Words that may follow a predicate.
pub(super) const STOPS: &[&str] = &[
    ",",
    ":",
    "—",
    "|",
    "in",
    "on",
    "at",
    "by",
    "and",
    "or",
    "according",
    "as",
    "for",
    "with",
    "from",
    "to",
    "this",
    "based",
    "because",
    "since",
    "overall",
    "here",
    "now",
    "today",
    "across",
    "everywhere",
    "too",
    "§",
    "so",
    "there",
    "per",
    "activity",
    "infrastructure",
    "address",
    "domain",
    "url",
    "host",
    "ip",
    "file",
    "site",
    "hash",
];
