//! The words of the reply grammar, and the values of open proposals in a message.

use super::reply::OpenPivot;
use crate::extract::extract;
use crate::indicator::IndicatorType;

/// A yes that stands even beside an exception.
pub(super) const YES: &[&str] = &[
    "yes",
    "y",
    "yep",
    "yup",
    "yeah",
    "yea",
    "yess",
    "aye",
    "affirmative",
    "absolutely",
    "definitely",
    "certainly",
    "of course",
    "approved",
    "i approve",
    "confirm",
    "confirmed",
    "i confirm",
    "granted",
    "permission granted",
    "go ahead",
    "go for it",
    "do it",
    "do that",
    "do so",
    "please do",
    "proceed",
    "by all means",
    "look it up",
    "look them up",
    "you may",
    "you can",
    "let's do it",
    "lets do it",
    "let's do that",
    "sounds good",
    "sounds good to me",
    "works for me",
    "lgtm",
    "approve it",
    "approve them",
    "approve that",
    "approve this",
    "please look it up",
    "that's approved",
    "it's approved",
    "i'm ok with that",
    "i'm fine with that",
    "ok with me",
    "okay with me",
    "fine with me",
    "fine by me",
    "ok by me",
    "okay by me",
    "ja",
    "oui",
    "sí",
    "si",
    "👍",
    "yes do it",
    "yes do that",
    "yes you can",
    "yes you may",
    "yes go ahead",
    "yes please do",
    "yes go for it",
    "yes check it",
    "yes look it up",
    "yes approve it",
    "yes i approve",
    "you have my approval",
    "you have my ok",
];

/// A yes that gives way to a denial in the same message (`okay, reject`).
pub(super) const WEAK_YES: &[&str] = &[
    "ok",
    "okay",
    "okey",
    "k",
    "sure",
    "sure thing",
    "alright",
    "all right",
];

/// Words that take note, and decide nothing without another word.
pub(super) const NOTED: &[&str] = &[
    "fine",
    "ok fine",
    "okay fine",
    "noted",
    "ok noted",
    "got it",
    "understood",
];

/// A yes that becomes a mere answer by courtesy behind it: `ok thanks`, `okay, great`.
pub(super) const OKS: &[&str] = &["ok", "okay", "okey", "k", "alright", "all right"];

/// Courtesy that turns an `ok` into `I have read it`.
pub(super) const COURTESY: &[&str] = &[
    "thanks",
    "thank you",
    "thx",
    "ty",
    "cheers",
    "many thanks",
    "thanks a lot",
    "thank you very much",
    "thanks very much",
    "much appreciated",
    "no problem",
    "no problem at all",
    "no worries",
    "np",
    "great",
    "perfect",
    "cool",
    "good",
    "nice",
    "excellent",
];

/// Verbs that approve what they name; alone they say nothing (except `approve`).
pub(super) const YES_VERBS: &[&str] = &[
    "approve",
    "i approve",
    "allow",
    "look up",
    "lookup",
    "look at",
    "look into",
    "check",
    "query",
    "search",
    "run",
    "do",
    "investigate",
    "pivot on",
    "pivot to",
    "go with",
    "go ahead with",
    "go ahead and check",
    "go ahead and look up",
    "go ahead and query",
    "proceed with",
    "go for",
    "you can look up",
    "you may look up",
    "you can check",
    "you may check",
    "you can query",
    "confirm",
    "i confirm",
    "ask about",
    "ok to look up",
    "ok to check",
    "go ahead and approve",
    "include",
    "yes check",
    "yes look up",
    "yes query",
    "yes run",
    "yes do",
    "yes approve",
    "yes look at",
];

/// A no to everything that is open.
pub(super) const NO: &[&str] = &[
    "no",
    "n",
    "nope",
    "nah",
    "nay",
    "negative",
    "no way",
    "none",
    "none of them",
    "none of these",
    "none of those",
    "neither",
    "neither of them",
    "deny",
    "denied",
    "i deny",
    "reject",
    "rejected",
    "refuse",
    "refused",
    "i refuse",
    "decline",
    "declined",
    "i decline",
    "don't",
    "do not",
    "dont",
    "don't do it",
    "do not do it",
    "don't do that",
    "do not do that",
    "absolutely not",
    "definitely not",
    "certainly not",
    "of course not",
    "better not",
    "rather not",
    "i'd rather not",
    "i don't approve",
    "i do not approve",
    "not approved",
    "don't approve",
    "do not approve",
    "nein",
    "non",
    "👎",
    "don't look them up",
    "do not look them up",
    "leave them",
    "leave them alone",
    "ignore them",
    "skip them",
    "ignore these",
    "ignore those",
    "skip these",
    "skip those",
    "reject them",
    "deny them",
    "decline them",
    "don't approve them",
    "do not approve them",
    "don't check them",
    "don't query them",
];

/// A no to the one that is open; with several it is unclear which.
pub(super) const NO_IT: &[&str] = &[
    "leave it",
    "leave it alone",
    "leave it out",
    "leave it be",
    "leave that",
    "leave that alone",
    "leave that one alone",
    "ignore it",
    "ignore that",
    "ignore this",
    "ignore that one",
    "skip it",
    "skip that",
    "skip this",
    "skip that one",
    "skip",
    "ignore",
    "reject it",
    "reject that",
    "deny it",
    "deny that",
    "decline it",
    "drop it",
    "don't look it up",
    "do not look it up",
    "dont look it up",
    "don't check it",
    "do not check it",
    "don't query it",
    "do not query it",
    "don't approve it",
    "do not approve it",
    "don't touch it",
    "do not touch it",
    "leave that out",
    "leave this out",
    "leave this alone",
];

/// Words that deny what they name.
pub(super) const NO_VERBS: &[&str] = &[
    "no",
    "nope",
    "nah",
    "no to",
    "nope to",
    "nah to",
    "not",
    "not to",
    "deny",
    "reject",
    "refuse",
    "decline",
    "i deny",
    "i reject",
    "i decline",
    "skip",
    "ignore",
    "exclude",
    "omit",
    "drop",
    "leave out",
    "leave alone",
    "don't approve",
    "do not approve",
    "dont approve",
    "don't look up",
    "do not look up",
    "dont look up",
    "don't check",
    "do not check",
    "dont check",
    "don't query",
    "do not query",
    "dont query",
    "don't touch",
    "do not touch",
    "dont touch",
    "don't do",
    "do not do",
    "don't run",
    "do not run",
    "don't include",
    "do not include",
    "don't search",
    "do not search",
    "don't ask about",
    "do not ask about",
    "never",
    "please not",
    "disregard",
    "avoid",
    "denied",
    "rejected",
    "n",
    "👎",
    "no approval for",
    "keep away from",
    "stay away from",
];

/// Words that except what they name from a yes; alone they say nothing.
pub(super) const EXCEPT: &[&str] = &[
    "except",
    "except for",
    "excepting",
    "excluding",
    "without",
    "other than",
    "apart from",
    "aside from",
    "minus",
    "save for",
    "bar",
];

/// Politeness that decides nothing.
pub(super) const FILLER: &[&str] = &[
    "please",
    "pls",
    "plz",
    "thanks",
    "thank you",
    "thx",
    "ty",
    "cheers",
    "many thanks",
    "thanks a lot",
    "thank you very much",
    "thanks very much",
    "no problem",
    "no problem at all",
    "no worries",
    "np",
    "now",
    "then",
    "hi",
    "hello",
    "hey",
    "if you would",
    "kindly",
    "right away",
    "good idea",
    "much appreciated",
    "great",
    "perfect",
    "cool",
    "good",
    "nice",
    "excellent",
];

/// Politeness behind a no: the thanks belong to the no (`no thanks`).
pub(super) const NO_THANKS: &[&str] = &[
    "no thanks",
    "no thank you",
    "no thx",
    "nope thanks",
    "nah thanks",
    "no ty",
];

/// What a type word covers, and whether it speaks of several.
pub(super) fn type_word(word: &str) -> Option<(&'static [IndicatorType], bool)> {
    use IndicatorType as T;
    const IPS: &[T] = &[T::Ip, T::Ipv6];
    const HASHES: &[T] = &[T::Md5, T::Sha1, T::Sha256, T::Sha512];
    Some(match word {
        "ip" | "address" => (IPS, false),
        "ips" | "addresses" | "ip's" => (IPS, true),
        "ipv4" | "v4" => (&[T::Ip], false),
        "ipv4s" => (&[T::Ip], true),
        "ipv6" | "v6" => (&[T::Ipv6], false),
        "ipv6s" => (&[T::Ipv6], true),
        "domain" | "hostname" | "fqdn" => (&[T::Domain], false),
        "domains" | "hostnames" | "fqdns" => (&[T::Domain], true),
        "url" | "link" => (&[T::Url], false),
        "urls" | "links" => (&[T::Url], true),
        "hash" => (HASHES, false),
        "hashes" => (HASHES, true),
        "md5" => (&[T::Md5], false),
        "md5s" => (&[T::Md5], true),
        "sha1" | "sha-1" => (&[T::Sha1], false),
        "sha1s" => (&[T::Sha1], true),
        "sha256" | "sha-256" => (&[T::Sha256], false),
        "sha256s" => (&[T::Sha256], true),
        "sha512" | "sha-512" => (&[T::Sha512], false),
        "network" | "cidr" | "range" | "subnet" | "netblock" => (&[T::Cidr], false),
        "networks" | "cidrs" | "ranges" | "subnets" => (&[T::Cidr], true),
        "email" | "e-mail" | "mail" => (&[T::Email], false),
        "emails" | "e-mails" | "mails" => (&[T::Email], true),
        "cve" => (&[T::Cve], false),
        "cves" => (&[T::Cve], true),
        "asn" => (&[T::Asn], false),
        "asns" => (&[T::Asn], true),
        "onion" => (&[T::Onion], false),
        _ => return None,
    })
}

/// Byte spans of values, and for each the numbers that it names.
pub(super) type Marked = (Vec<(usize, usize)>, Vec<Vec<u64>>);

/// The spans of open values in `text`, ascending and disjoint, each with the numbers that it names. `None`
/// when the text names an indicator that is not open: such a message is an ordinary one.
pub(super) fn mark_values(text: &str, open: &[OpenPivot<'_>]) -> Option<Marked> {
    let mut marked: Vec<(usize, usize, Vec<u64>)> = Vec::new();
    let named = |is: &dyn Fn(&OpenPivot<'_>) -> bool| -> Vec<u64> {
        open.iter().filter(|p| is(p)).map(|p| p.n).collect()
    };
    // A value as the program showed it counts even where extraction would doubt it (a name without a known
    // suffix, a hash that wants its label).
    for chunk in text.split(|c: char| c.is_whitespace() || c == ',') {
        let chunk = chunk.trim_matches(|c: char| {
            matches!(
                c,
                '"' | '\'' | '`' | '(' | ')' | '<' | '>' | ';' | '!' | '“' | '”' | '‘' | '’'
            )
        });
        let chunk = chunk.trim_end_matches(['.', ':']);
        if chunk.len() < 3 {
            continue;
        }
        let numbers = named(&|p| {
            let value = p.indicator.value();
            chunk == value
                || chunk == p.indicator.defanged()
                || (p.indicator.kind() != IndicatorType::Url
                    && (chunk.eq_ignore_ascii_case(value)
                        || chunk.to_ascii_lowercase() == p.indicator.defanged()))
        });
        if !numbers.is_empty() {
            let start = chunk.as_ptr() as usize - text.as_ptr() as usize;
            marked.push((start, start + chunk.len(), numbers));
        }
    }
    for found in extract(text) {
        if marked
            .iter()
            .any(|(start, end, _)| found.start < *end && *start < found.end)
        {
            continue;
        }
        let numbers = named(&|p| *p.indicator == found.indicator);
        if numbers.is_empty() {
            return None;
        }
        marked.push((found.start, found.end, numbers));
    }
    marked.sort_by_key(|m| m.0);
    Some(
        marked
            .into_iter()
            .map(|(start, end, numbers)| ((start, end), numbers))
            .unzip(),
    )
}
