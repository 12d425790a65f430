//! Numbers that an answer gives as facts: how many, how high, which port.

use super::evidence::Numbers;
use super::words::{Kind, Sentence, Token};

/// Things that are counted in evidence.
const THINGS: &[&str] = &[
    "time",
    "report",
    "reporter",
    "user",
    "certificate",
    "cert",
    "entry",
    "record",
    "row",
    "hit",
    "detection",
    "engine",
    "vendor",
    "url",
    "domain",
    "subdomain",
    "host",
    "hostname",
    "ip",
    "address",
    "sample",
    "file",
    "hash",
    "hashe",
    "port",
    "vulnerability",
    "vulnerabilitie",
    "vuln",
    "cve",
    "tag",
    "name",
    "sighting",
    "case",
    "resolution",
    "country",
    "incident",
    "attempt",
    "attack",
    "match",
    "matche",
    "result",
    "payload",
    "nameserver",
    "device",
    "campaign",
    "indicator",
    "ioc",
    "alert",
    "issuer",
    "observation",
    "listing",
    "submission",
    "source",
    "lookup",
    "look-up",
    "module",
    "query",
    "feed",
    "pivot",
    "proposal",
    "machine",
    "endpoint",
    "victim",
    "complaint",
    "connection",
    "customer",
    "confidence",
    "score",
    "percent",
    "point",
    "login",
    "scan",
    "network",
    "prefix",
    "prefixe",
    "service",
    "san",
    "category",
    "categorie",
    "family",
    "familie",
    "countrie",
    "entrie",
    "querie",
    "addresse",
    "database",
    "provider",
    "subject",
    "download",
    "visit",
    "abuse",
    "comment",
    "signature",
];

/// Things whose number follows from the ledger or from the answer itself.
const OWN_COUNTS: &[&str] = &[
    "source",
    "lookup",
    "look-up",
    "module",
    "query",
    "querie",
    "feed",
    "pivot",
    "proposal",
    "indicator",
    "ioc",
    "database",
    "provider",
    "service",
    "address",
    "addresse",
    "ip",
    "domain",
    "url",
    "hash",
    "hashe",
    "host",
    "hostname",
    "name",
    "file",
    "result",
    "entrie",
    "entry",
    "match",
    "matche",
    "subject",
    "time",
    "subdomain",
    "cve",
    "port",
    "vulnerability",
    "vulnerabilitie",
    "sample",
    "case",
];

/// Words after which a number is a measure.
const MEASURES: &[&str] = &[
    "score",
    "scored",
    "scores",
    "confidence",
    "rating",
    "rated",
    "cvss",
    "epss",
    "severity",
    "count",
    "total",
    "totalreports",
    "abuseconfidencescore",
    "reputation",
    "probability",
    "likelihood",
];

/// Words that may stand between a measure or a thing and its number.
const BETWEEN: &[&str] = &[
    "of",
    "is",
    "was",
    "are",
    "at",
    "a",
    "an",
    "the",
    "level",
    "score",
    "value",
    "currently",
    "with",
    "it",
    "reached",
    "reaches",
    "has",
    "confidence",
    "abuse",
    "as",
    "in",
    "evidence",
    "stands",
    "this",
    "now",
    "high",
    "very",
    "around",
    "about",
    "roughly",
    "over",
    "only",
    "just",
    "rating",
    "to",
    "count",
    "total",
    "number",
    "approximately",
    "nearly",
    "almost",
    "base",
    "than",
    "more",
    "least",
];

/// A number that an answer claims.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// Byte range of the number with what it counts.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Value.
    pub(super) value: f64,
    /// How exact it is meant.
    pub(super) about: About,
    /// The thing or measure.
    pub(super) thing: String,
}

/// How a number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// So many.
    Exactly,
    /// `about`, `nearly`: a tenth more or less.
    Roughly,
    /// `more than`, `at least`: up to twice as many.
    AtLeast,
    /// `fewer than`, `at most`: down to half.
    AtMost,
}

impl Claim {
    /// Whether one of `numbers` bears it out.
    pub(super) fn stands_in(&self, numbers: &Numbers) -> bool {
        let v = self.value;
        let near = match self.about {
            About::Exactly => false,
            About::Roughly => numbers.any_in(v * 0.9, v * 1.1),
            About::AtLeast => numbers.any_in(v, v * 2.0),
            About::AtMost => numbers.any_in(v / 2.0, v),
        };
        let percent = self.thing == "percent" && v < 100.0 && numbers.has(v / 100.0) && v > 0.0;
        // `1.234` is 1,234 in half of Europe.
        let grouped = v.fract() != 0.0 && v < 1000.0 && {
            let thousand = v * 1000.0;
            (thousand - thousand.round()).abs() < 1e-6
                && thousand.round() % 10.0 != 0.0
                && numbers.has(thousand.round())
        };
        near || numbers.has(v) || percent || grouped
    }

    /// Whether the program's own bookkeeping can bear it out: `three sources`, `both addresses`.
    pub(super) fn own_count(&self) -> bool {
        OWN_COUNTS.contains(&self.thing.as_str())
    }
}

/// A number as people and programs write it: `37`, `1,234`, `1 234` (unbreakable blanks), `7.5`.
pub(super) fn parse(text: &str) -> Option<f64> {
    let b = text.as_bytes();
    if b.is_empty() || b.len() > 24 || !b.first()?.is_ascii_digit() || !b.last()?.is_ascii_digit() {
        return None;
    }
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{202f}' | '\u{a0}' | '\u{2009}' | '_'))
        .collect();
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if !digits(fraction) {
        return None;
    }
    let groups: Vec<&str> = whole.split(',').collect();
    let grouped = groups.len() > 1
        && groups.first().is_some_and(|g| (1..=3).contains(&g.len()))
        && groups.iter().skip(1).all(|g| g.len() == 3);
    if !groups.iter().all(|g| !g.is_empty() && digits(g)) || (groups.len() > 1 && !grouped) {
        return None;
    }
    format!("{}.{fraction}0", groups.concat()).parse().ok()
}

/// `90th`, `1.2k`, `30d`: a number and what is glued to it. Thousands and millions are worked in.
pub(super) fn with_tail(text: &str) -> Option<(f64, &str)> {
    let cut = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))?;
    let (number, tail) = (text.get(..cut)?, text.get(cut..)?);
    let v = parse(number)?;
    match tail {
        "k" | "K" => Some((v * 1e3, "")),
        "M" => Some((v * 1e6, "")),
        "x" => Some((v, tail)),
        _ => None,
    }
}

/// Numbers as words up to twelve.
pub(super) fn spelled(word: &str) -> Option<f64> {
    let at = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ]
    .iter()
    .position(|w| *w == word)?;
    u32::try_from(at + 1).ok().map(f64::from)
}

/// Words with which advice, rules of thumb and suppositions begin.
const NO_FACT: &[&str] = &[
    "block",
    "check",
    "search",
    "look",
    "review",
    "consider",
    "isolate",
    "monitor",
    "collect",
    "run",
    "limit",
    "hunt",
    "pull",
    "export",
    "next",
    "recommend",
    "recommended",
    "recommendation",
    "suggest",
    "if",
    "add",
    "keep",
    "set",
    "use",
    "watch",
    "query",
    "verify",
    "confirm",
    "correlate",
    "rotate",
    "reset",
    "quarantine",
    "escalate",
    "wait",
    "retry",
    "raise",
    "start",
    "apply",
    "open",
    "treat",
];

/// The claims of a sentence.
pub(super) fn claims(sentence: &Sentence) -> Vec<Claim> {
    let t = &sentence.tokens;
    if sentence.question || is_advice(t) {
        return Vec::new();
    }
    let mut out: Vec<Claim> = Vec::new();
    let row = t.iter().filter(|t| t.is('|')).count() >= 2;
    for (i, token) in t.iter().enumerate() {
        let Kind::Number(value) = token.kind else {
            continue;
        };
        let spelled = token.letters;
        if numbers_something_else(t, i) {
            continue;
        }
        let claim = thing_after(t, i)
            .or_else(|| (!spelled).then(|| measure_before(t, i)).flatten())
            .or_else(|| (!spelled).then(|| port_before(t, i)).flatten())
            .or_else(|| {
                (row && !spelled && alone_in_cell(t, i))
                    .then(|| (token.start, token.end, "cell".to_owned()))
            });
        if let Some((start, end, thing)) = claim {
            // `one` is a pronoun more often than a count.
            if spelled && value < 2.0 {
                continue;
            }
            out.push(Claim {
                start: start.min(token.start),
                end: end.max(token.end),
                value,
                about: about(t, i),
                thing,
            });
        }
    }
    out
}

fn is_advice(t: &[Token]) -> bool {
    let mut words = t.iter().map(Token::word).filter(|w| !w.is_empty());
    let first = words.next().unwrap_or_default();
    NO_FACT.contains(&first)
        || t.iter().any(|t| {
            matches!(
                t.word(),
                "should"
                    | "recommend"
                    | "would"
                    | "threshold"
                    | "suggest"
                    | "whether"
                    | "scale"
                    | "could"
            )
        })
}

/// List numbers, evidence and proposal numbers, denominators, versions, spans of time.
fn numbers_something_else(t: &[Token], i: usize) -> bool {
    let before = i.checked_sub(1).and_then(|k| t.get(k));
    let word_before = before.map_or("", Token::word);
    let next = t.get(i + 1);
    if i == 0 && next.is_some_and(|n| n.is('.') || n.is(')')) {
        return true;
    }
    if before.is_some_and(|b| b.is('#') || b.is('$') || b.is('€') || b.is('/'))
        || (before.is_some_and(|b| b.is('[')) && next.is_some_and(|n| n.is(']')))
    {
        return true;
    }
    // A numbered list: `- 1)`, `**1.**`.
    if t.get(..i)
        .is_some_and(|b| b.iter().all(|b| matches!(b.kind, Kind::Mark(_))))
        && next.is_some_and(|n| n.is('.') || n.is(')'))
    {
        return true;
    }
    if matches!(
        word_before,
        "evidence"
            | "proposal"
            | "proposals"
            | "turn"
            | "item"
            | "step"
            | "option"
            | "tier"
            | "layer"
            | "section"
            | "figure"
            | "case"
            | "level"
            | "version"
            | "top"
            | "last"
            | "past"
            | "first"
            | "next"
            | "within"
            | "every"
            | "http"
            | "status"
            | "phase"
            | "page"
            | "line"
            | "windows"
            | "debian"
            | "ubuntu"
            | "error"
            | "code"
    ) {
        return true;
    }
    // `90 out of 100`, `scale of 0 to 100`: the second is no measure. `2 of 12` is.
    let two = i
        .checked_sub(2)
        .and_then(|k| t.get(k))
        .map_or("", Token::word);
    let Kind::Number(v) = t.get(i).map_or(Kind::Mark(' '), |t| t.kind.clone()) else {
        return true;
    };
    if v == 100.0
        && (word_before == "of" || word_before == "to")
        && (two == "out" || number_at(t, i, 2))
    {
        return true;
    }
    next.is_some_and(|n| {
        matches!(
            n.word(),
            "hour"
                | "hours"
                | "day"
                | "days"
                | "minute"
                | "minutes"
                | "second"
                | "seconds"
                | "s"
                | "ms"
                | "week"
                | "weeks"
                | "month"
                | "months"
                | "year"
                | "years"
                | "h"
                | "min"
                | "mb"
                | "kb"
                | "gb"
                | "bytes"
                | "bit"
                | "th"
        )
    }) || next.is_some_and(|n| n.is('-'))
        && t.get(i + 2).is_some_and(|n| {
            matches!(
                n.word(),
                "hour"
                    | "day"
                    | "minute"
                    | "second"
                    | "week"
                    | "month"
                    | "year"
                    | "bit"
                    | "character"
                    | "digit"
            )
        })
        || matches!(
            (
                next.map_or("", Token::word),
                t.get(i + 2).map_or("", Token::word)
            ),
            ("or", "more" | "higher" | "above" | "less")
        )
}

fn number_at(t: &[Token], i: usize, back: usize) -> bool {
    i.checked_sub(back)
        .and_then(|k| t.get(k))
        .is_some_and(|t| matches!(t.kind, Kind::Number(_)))
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s')
        .filter(|w| w.len() >= 2)
        .unwrap_or(word)
}

fn thing(word: &str) -> Option<&'static str> {
    let one = singular(word);
    THINGS.iter().find(|t| **t == one || **t == word).copied()
}

/// `37 times`, `12 unexpired certificates`, `5 of the 12 certificates`, `90 %`, `64/72 engines`.
fn thing_after(t: &[Token], i: usize) -> Option<(usize, usize, String)> {
    counted(t, i, true)
}

fn counted(t: &[Token], i: usize, ratio: bool) -> Option<(usize, usize, String)> {
    let from = t.get(i)?.start;
    let mut k = i + 1;
    let mut words = 0;
    while let Some(token) = t.get(k) {
        match &token.kind {
            Kind::Mark('%') => return Some((from, token.end, "percent".to_owned())),
            Kind::Mark('-' | '+' | '*' | '_' | '`') => {}
            Kind::Mark('/') if k == i + 1 => {}
            Kind::Number(_) if ratio && k == i + 2 && t.get(i + 1).is_some_and(|m| m.is('/')) => {
                // A ratio: what stands behind it counts both.
                if counted(t, k, false).is_none() {
                    return Some((from, token.end, "score".to_owned()));
                }
            }
            Kind::Number(_) => {}
            Kind::Word(w) => {
                if let Some(found) = thing(w) {
                    return Some((from, token.end, found.to_owned()));
                }
                let of = w == "of" && words == 0;
                let filler = matches!(
                    w.as_str(),
                    "the" | "these" | "those" | "its" | "all" | "out"
                ) && t
                    .get(k - 1)
                    .is_some_and(|p| p.word() == "of" || p.word() == "out" || w == "out");
                let joins = matches!(
                    w.as_str(),
                    "in" | "on"
                        | "at"
                        | "by"
                        | "and"
                        | "or"
                        | "to"
                        | "from"
                        | "with"
                        | "for"
                        | "since"
                        | "that"
                        | "which"
                        | "is"
                        | "are"
                        | "was"
                        | "were"
                        | "has"
                        | "have"
                        | "of"
                        | "but"
                        | "because"
                        | "as"
                        | "it"
                        | "this"
                        | "so"
                        | "then"
                        | "when"
                        | "while"
                        | "after"
                        | "before"
                        | "the"
                );
                if !of && !filler && joins {
                    return None;
                }
                words += 1;
                if words > 4 {
                    return None;
                }
            }
            _ => return None,
        }
        k += 1;
    }
    None
}

/// `score of 90`, `Reports: 37`, `| Score | 90 |`.
fn measure_before(t: &[Token], i: usize) -> Option<(usize, usize, String)> {
    let end = t.get(i)?.end;
    let mut k = i;
    let mut linked = false;
    for step in 0..8 {
        k = k.checked_sub(1)?;
        let token = t.get(k)?;
        match &token.kind {
            Kind::Mark(':' | '=' | '|' | '(') => linked = true,
            Kind::Mark('*' | '_' | '`' | ')' | '~' | '≈' | '>' | '"') | Kind::Indicator(_) => {}
            Kind::Word(w) => {
                if MEASURES.contains(&w.as_str()) {
                    return Some((token.start, end, "score".to_owned()));
                }
                // `Reports: 37` counts; `reports in 37 …` does not.
                if linked && thing(w).is_some() {
                    return Some((token.start, end, thing(w)?.to_owned()));
                }
                if step == 0 && matches!(w.as_str(), "scores" | "score") {
                    return Some((token.start, end, "score".to_owned()));
                }
                if !BETWEEN.contains(&w.as_str()) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    None
}

/// `port 4444`, `open ports 22, 80 and 443`.
fn port_before(t: &[Token], i: usize) -> Option<(usize, usize, String)> {
    let end = t.get(i)?.end;
    let mut k = i;
    for _ in 0..40 {
        k = k.checked_sub(1)?;
        let token = t.get(k)?;
        match &token.kind {
            Kind::Word(w) if matches!(w.as_str(), "port" | "ports") => {
                return Some((t.get(i)?.start, end, "port".to_owned()));
            }
            Kind::Word(w)
                if matches!(
                    w.as_str(),
                    "and" | "or" | "tcp" | "udp" | "open" | "are" | "like"
                ) => {}
            Kind::Word(w) if w.len() <= 12 && t.get(k + 1).is_some_and(|n| n.is(')')) => {}
            Kind::Number(_) => {}
            Kind::Mark(',' | ':' | '(' | ')' | '/' | '*' | '`' | '|' | '&') => {}
            _ => return None,
        }
    }
    None
}

fn alone_in_cell(t: &[Token], i: usize) -> bool {
    let side = |k: Option<usize>| {
        k.and_then(|k| t.get(k))
            .is_none_or(|t| t.is('|') || t.is('*') || t.is('%'))
    };
    side(i.checked_sub(1)) && side(Some(i + 1))
}

fn about(t: &[Token], i: usize) -> About {
    let back = |n: usize| i.checked_sub(n).and_then(|k| t.get(k));
    let w = |n: usize| back(n).map_or("", Token::word);
    if back(1).is_some_and(|b| b.is('~') || b.is('≈')) {
        return About::Roughly;
    }
    if back(1).is_some_and(|b| b.is('>') || b.is('≥')) || t.get(i + 1).is_some_and(|n| n.is('+'))
    {
        return About::AtLeast;
    }
    if back(1).is_some_and(|b| b.is('<') || b.is('≤')) {
        return About::AtMost;
    }
    match (w(2), w(1)) {
        ("at", "least") | ("more", "than") | (_, "over" | "above") => About::AtLeast,
        ("at", "most") | ("fewer" | "less", "than") | ("up", "to") | (_, "under" | "below") => {
            About::AtMost
        }
        ("close", "to")
        | (
            _,
            "about" | "around" | "roughly" | "nearly" | "almost" | "approximately" | "some"
            | "circa",
        ) => About::Roughly,
        _ => About::Exactly,
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, spelled, with_tail};

    #[test]
    fn numbers_compare_by_value() {
        for (text, want) in [
            ("37", Some(37.0)),
            ("1,234", Some(1234.0)),
            ("1\u{202f}234", Some(1234.0)),
            ("12,345,678", Some(12_345_678.0)),
            ("7.50", Some(7.5)),
            ("007", Some(7.0)),
            ("22,80", None),
            ("2.4.49", None),
            ("10:30", None),
            ("", None),
            ("1,", None),
        ] {
            assert_eq!(parse(text), want, "{text}");
        }
        assert_eq!(spelled("twelve"), Some(12.0));
        assert_eq!(spelled("thirteen"), None);
        assert_eq!(with_tail("1.2k"), Some((1200.0, "")));
        assert_eq!(with_tail("64bit"), None);
    }
}
