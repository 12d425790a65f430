//! Lines that a machine wrote: a pasted alert, a log, mail headers, a table. They are not the person's own words,
//! however short. Read by their form, line by line; a sentence that holds one `key=value` stays a sentence.

use super::regions::lines;
use regex::Regex;
use std::sync::LazyLock;

/// What a stretch of machine text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    /// A log line, a header, JSON.
    Log,
    /// A row of a table. Notes in it (`don't query`) still refuse.
    Table,
}

/// `start..end` in bytes, and what it is.
pub(super) type Stretch = (usize, usize, Machine);

fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// A line that begins with a date or time to the second, as logs do.
static STAMP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r#"(?x)^\s*(?:<\d{1,3}>\d?\s*)?["\[(]?(?:
            \d{4}[-/]\d\d[-/]\d\d(?:[T\ ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?\s?(?:Z|[+-]\d\d:?\d\d|UTC)?)
          | (?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\s)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}\d{1,2}\s(?:\d{4}\s)?\d\d:\d\d:\d\d
          | \d{1,2}/(?:\d\d|[A-Z][a-z]{2})/\d{4}[:\ ]\d\d:\d\d(?::\d\d)?(?:\s?[+-]\d{4})?
          | \d\d:\d\d:\d\d(?:[.,]\d+)?
          | \d{10}(?:[.,]\d{1,6}|\d{3})?
        )["\])]?[,:;|]?(?:\s|$)"#,
    )
});
/// What stands behind a stamp in a log: a process with a colon, a level, a firewall's word.
static AFTER_STAMP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r#"(?x)^\s*(?:\S+\s+){0,3}?(?:
            [A-Za-z][\w./-]*(?:\[\d+\])?:(?:\s|$)
          | [\[(<|]?(?:TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|CRIT|CRITICAL|FATAL|ALERT|EMERG|SEVERE)[\])>|:]?(?:\s|$)
          | [\[(]?(?:ALLOW|DENY|DENIED|DROP|BLOCK|BLOCKED|ACCEPT|REJECT|TCP_\w+|GET|POST|PUT|HEAD|CONNECT|QUERY|query(?:\[\w+\])?)[\])]?\s
          | \[\d+(?::\d+)?\]
          | \d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\s*(?:->|→|>)
        )"#,
    )
});
static FORMATS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r#"(?x)
            \b(?:CEF|LEEF):\d(?:\.\d)?\|
          | ^\s*<\d{1,3}>
          | "(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|CONNECT|PATCH|PROPFIND)\s\S+(?:\sHTTP/\d[.\d]*)?"
          | ^(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|CONNECT|PATCH)\s\S+\sHTTP/\d
          | ^\s*(?:alert|drop|reject|pass)\s(?:tcp|udp|icmp|ip|http|dns|tls)\s\S+\s\S+\s(?:->|<>)
          | \[\*\*\]\s*\[\d+:\d+:\d+\]
          | ^\s*"[^"]{1,80}"\s*:\s*(?:["\[{\d-]|true|false|null)
          | ^\s*<(?:Event|EventData|Data\sName|System)\b
        "#,
    )
});
/// Header lines that nobody writes by hand.
static STRONG_HEADER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:Received|Return-Path|Message-ID|DKIM-Signature|Authentication-Results|ARC-[\w-]+|Received-SPF|Delivered-To|Reply-To|In-Reply-To|References|MIME-Version|Content-(?:Type|Transfer-Encoding|Disposition)|List-Unsubscribe|X-[A-Za-z][\w-]+|User-Agent|Referer|Set-Cookie|Errors-To|Envelope-To|Thread-Topic)\s*:(?:\s|$)",
    )
});
/// Header lines that a person may begin a line with too.
static WEAK_HEADER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:From|To|Cc|Bcc|Subject|Date|Sent|Sender|Host|Cookie|Accept|Origin|Importance|Priority)\s*:\s*\S",
    )
});
/// `From: Name <a@b>`.
static MAILBOX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r#"(?i)^(?:From|To|Cc|Bcc|Sender)\s*:\s*[^<]*<[^<>\s]+@[^<>\s]+>\s*(?:,.*)?$"#)
});
/// `key=value`; the group is the key without its first character. How long it may be is counted ([`KEY`]): as a
/// bounded repetition of what a word is made of, the pattern would take megabytes.
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r#"(?:^|[\s,;|(\[{"'])[A-Za-z_@]([\w.@-]*)=(?:"[^"]*"|'[^']*'|[^\s,;|]+)"#)
});
/// `Source IP: 198.51.100.7`, as alerts list their fields; the group is the name without its first character.
static FIELD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r"^\s*(?:[-*•]\s+)?\*{0,2}[A-Za-z]([\w /().-]+?)\*{0,2}\s*:\*{0,2}\s+\S")
});

/// Characters of a key behind its first one.
const KEY: usize = 60;
/// Characters of a field's name behind its first one.
const FIELD_NAME: usize = 40;
/// Characters of the first key of an object, and of the first string of an array.
const JSON_KEY: usize = 120;
const JSON_STRING: usize = 2000;

fn is(re: &LazyLock<Option<Regex>>, text: &str) -> bool {
    re.as_ref().is_some_and(|r| r.is_match(text))
}

/// As [`is`], for a pattern that holds a colon: most lines have none, and then it is not even built.
fn with_colon(re: &LazyLock<Option<Regex>>, text: &str) -> bool {
    text.contains(':') && is(re, text)
}

/// A line that [`STAMP`] may match, by its first character.
fn may_be_stamped(line: &str) -> bool {
    line.trim_start()
        .starts_with(|c: char| c.is_numeric() || "<\"[(MTWFSJAOND".contains(c))
}

/// Fields in a row that make a block an alert's.
const FIELDS: usize = 4;
/// Bytes of a line that are looked at: forms show at its beginning.
const HEAD: usize = 4096;

/// The stretches of `text` that a machine wrote, ascending and disjoint. Linear.
pub(super) fn stretches(text: &str) -> Vec<Stretch> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let mut kinds: Vec<Option<Machine>> = all.iter().map(|(_, l)| line(head(l))).collect();
    headers(&all, &mut kinds);
    fields(&all, &mut kinds);
    columns(&all, &mut kinds);
    let mut out: Vec<Stretch> = all
        .iter()
        .zip(&kinds)
        .filter_map(|((start, l), kind)| kind.map(|k| (*start, start + l.len(), k)))
        .collect();
    json(text, &mut out);
    out.sort_by_key(|s| (s.0, s.1));
    let mut merged: Vec<Stretch> = Vec::with_capacity(out.len());
    for s in out {
        match merged.last_mut() {
            Some(last) if s.0 < last.1 => {
                last.1 = last.1.max(s.1);
                if s.2 == Machine::Log {
                    last.2 = Machine::Log;
                }
            }
            _ => merged.push(s),
        }
    }
    merged
}

/// What a byte stands in.
pub(super) fn at(stretches: &[Stretch], byte: usize) -> Option<Machine> {
    let n = stretches.partition_point(|s| s.0 <= byte).checked_sub(1)?;
    stretches.get(n).filter(|s| byte < s.1).map(|s| s.2)
}

fn head(line: &str) -> &str {
    let mut end = line.len().min(HEAD);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

fn line(line: &str) -> Option<Machine> {
    if is(&FORMATS, line) || with_colon(&STRONG_HEADER, line) || with_colon(&MAILBOX, line) {
        return Some(Machine::Log);
    }
    let stamp = may_be_stamped(line)
        .then(|| STAMP.as_ref().and_then(|r| r.find(line)))
        .flatten();
    if let Some(stamp) = stamp {
        let rest = &line[stamp.end()..];
        if is(&AFTER_STAMP, rest)
            || pairs(rest).0 >= 2
            || line.matches('|').count() >= 2
            || line.matches('\t').count() >= 2
        {
            return Some(Machine::Log);
        }
    }
    let (n, others) = pairs(line);
    if n >= 3 || (n == 2 && others <= 1) {
        return Some(Machine::Log);
    }
    let inner = line.trim();
    let boxed = inner.len() > 2
        && inner.starts_with(['|', '│', '┃', '║'])
        && inner.ends_with(['|', '│', '┃', '║']);
    if boxed || line.trim_matches(' ').matches('\t').count() >= 3 {
        return Some(Machine::Table);
    }
    None
}

/// How many `key=value` pairs a line holds, and how many other words.
fn pairs(line: &str) -> (usize, usize) {
    if !line.contains('=') {
        return (0, 0);
    }
    let Some(re) = PAIR.as_ref() else {
        return (0, 0);
    };
    let (mut n, mut others, mut end, mut at) = (0, 0, 0, 0);
    while let Some(found) = re.captures_at(line, at) {
        let (Some(m), Some(key)) = (found.get(0), found.get(1)) else {
            break;
        };
        if key.as_str().chars().count() > KEY {
            // No pair begins inside the key: nothing in it stands in front of one.
            at = key.end();
            continue;
        }
        others += line
            .get(end..m.start())
            .map_or(0, |s| s.split_whitespace().count());
        n += 1;
        (end, at) = (m.end(), m.end());
    }
    others += line.get(end..).map_or(0, |s| s.split_whitespace().count());
    (n, others)
}

/// Two headers that a person could have begun a line with are headers; so is the folded line behind one.
fn headers(all: &[(usize, &str)], kinds: &mut [Option<Machine>]) {
    let weak: Vec<bool> = all
        .iter()
        .map(|(_, l)| with_colon(&WEAK_HEADER, head(l)))
        .collect();
    let strong = |n: usize| {
        all.get(n).is_some_and(|(_, l)| {
            with_colon(&STRONG_HEADER, head(l)) || with_colon(&MAILBOX, head(l))
        })
    };
    for n in 0..all.len() {
        let beside = |k: Option<usize>| k.is_some_and(|k| weak.get(k) == Some(&true) || strong(k));
        if weak[n] && (beside(n.checked_sub(1)) || beside(Some(n + 1))) {
            kinds[n] = Some(Machine::Log);
        }
    }
    for n in 1..all.len() {
        let folded = all[n].1.starts_with([' ', '\t']) && !all[n].1.trim().is_empty();
        let behind_header = kinds[n - 1] == Some(Machine::Log)
            && (weak[n - 1] || strong(n - 1) || all[n - 1].1.starts_with([' ', '\t']));
        if folded && behind_header {
            kinds[n] = Some(Machine::Log);
        }
    }
}

fn is_field(line: &str) -> bool {
    line.contains(':')
        && FIELD
            .as_ref()
            .and_then(|r| r.captures(line))
            .and_then(|found| found.get(1))
            .is_some_and(|name| name.as_str().chars().count() <= FIELD_NAME)
}

/// Blocks of labelled fields.
fn fields(all: &[(usize, &str)], kinds: &mut [Option<Machine>]) {
    let is_field: Vec<bool> = all.iter().map(|(_, l)| is_field(head(l))).collect();
    let mut n = 0;
    while n < all.len() {
        let run = is_field[n..].iter().take_while(|f| **f).count();
        if run >= FIELDS {
            kinds[n..n + run].fill(Some(Machine::Log));
        }
        n += run.max(1);
    }
}

/// Rows with the same number of columns one below the other, under a head without values.
fn columns(all: &[(usize, &str)], kinds: &mut [Option<Machine>]) {
    for (mark, least) in [(',', 2), (';', 2), ('\t', 1), ('|', 2)] {
        let count = |n: usize| {
            all.get(n)
                .filter(|(_, l)| !head(l).trim().is_empty() && (mark != ',' || !l.contains(", ")))
                .map_or(0, |(_, l)| head(l).matches(mark).count())
        };
        let mut n = 0;
        while n < all.len() {
            let columns = count(n);
            let mut end = n + 1;
            if columns >= least {
                while count(end) == columns {
                    end += 1;
                }
                let has_head = crate::extract::extract(head(all[n].1)).is_empty();
                if end - n >= 2 && (has_head || mark == '\t' || mark == '|') {
                    for kind in &mut kinds[n..end] {
                        kind.get_or_insert(Machine::Table);
                    }
                }
            }
            n = end;
        }
    }
}

/// JSON anywhere, from its opening bracket to the closing one, or to the end of the text where none closes.
fn json(text: &str, out: &mut Vec<Stretch>) {
    let mut at = 0;
    while let Some(start) = text
        .get(at..)
        .and_then(|rest| rest.find(['{', '[']))
        .map(|n| at + n)
    {
        at = start + 1;
        if text.get(start..).is_some_and(opens_json) {
            at = closing(text, start);
            out.push((start, at, Machine::Log));
        }
    }
}

/// True when `s` begins with the first key of a JSON object (or of its Python and log forms), with an array of
/// objects, or with the first string of an array. By hand: a pattern with strings of so many characters takes
/// megabytes.
fn opens_json(s: &str) -> bool {
    let quote = |s: &str| -> Option<usize> {
        let escaped = usize::from(s.starts_with('\\'));
        s.get(escaped..)
            .is_some_and(|s| s.starts_with(['"', '\'']))
            .then_some(escaped + 1)
    };
    if let Some(object) = s.strip_prefix('{') {
        let object = object.trim_start();
        let Some(key) = quote(object).and_then(|n| object.get(n..)) else {
            return false;
        };
        let Some((len, end)) = string(key, &['"', '\'', '\n'], JSON_KEY) else {
            return false;
        };
        // A backslash in front of the closing quote is none of the key's characters.
        let len =
            len - usize::from(len > JSON_KEY && key.get(..end).is_some_and(|k| k.ends_with('\\')));
        return len <= JSON_KEY
            && key.get(end..).is_some_and(|rest| {
                rest.strip_prefix(['"', '\''])
                    .is_some_and(|rest| rest.trim_start().starts_with(':'))
            });
    }
    let Some(array) = s.strip_prefix('[').map(str::trim_start) else {
        return false;
    };
    if let Some(object) = array.strip_prefix('{') {
        return quote(object.trim_start()).is_some();
    }
    array
        .strip_prefix('"')
        .and_then(|first| {
            let (len, end) = string(first, &['"', '\n'], JSON_STRING)?;
            let rest = first.get(end..)?.strip_prefix('"')?;
            Some(len <= JSON_STRING && rest.trim_start().starts_with([',', ']']))
        })
        .unwrap_or(false)
}

/// How many characters, and bytes, stand in front of the first of `ends`. `None` when there is none of them within
/// `most` characters and one more, or nothing in front.
fn string(s: &str, ends: &[char], most: usize) -> Option<(usize, usize)> {
    s.char_indices()
        .take(most + 2)
        .enumerate()
        .find(|(_, (_, c))| ends.contains(c))
        .map(|(n, (at, _))| (n, at))
        .filter(|(n, _)| *n > 0)
}

fn closing(text: &str, start: usize) -> usize {
    let (mut depth, mut quote, mut escaped) = (0_usize, false, false);
    for (n, b) in text.bytes().enumerate().skip(start) {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quote = !quote,
            b'{' | b'[' if !quote => depth += 1,
            b'}' | b']' if !quote => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return n + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn patterns_compile() {
        for re in [
            &STAMP,
            &AFTER_STAMP,
            &FORMATS,
            &STRONG_HEADER,
            &WEAK_HEADER,
            &MAILBOX,
            &PAIR,
            &FIELD,
        ] {
            assert!(re.is_some());
        }
    }

    /// The forms as plain patterns, which take megabytes and 100 ms to build.
    fn plainly(pattern: &str) -> Regex {
        Regex::new(pattern).unwrap()
    }

    /// A line of pieces that such forms are made of, some of them about as long as one may be.
    fn mix() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            6 => prop::sample::select(vec![
                "{", "[", "\"", "'", "\\", ":", " ", "\n", "\t", ",", "]", "}", "=", "*", "**", "- ", "\u{2022} ", "a", "Ab", "é",
                "a=b", " c='d e'", "key", "\u{a0}", "(x)", ".", "/", "@", "_",
            ]).prop_map(str::to_owned),
            1 => (37..44usize).prop_map(|n| "n".repeat(n)),
            1 => (57..64usize).prop_map(|n| "é".repeat(n)),
            1 => (117..124usize).prop_map(|n| "k".repeat(n)),
            1 => (1997..2003usize).prop_map(|n| "s".repeat(n)),
            1 => Just("{\"".to_owned() + &"k".repeat(120) + "\\\":"),
        ];
        prop::collection::vec(piece, 0..10).prop_map(|p| p.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn small_forms_say_what_plain_patterns_say(text in mix()) {
            static PLAIN: LazyLock<(Regex, Regex, Regex)> = LazyLock::new(|| (
                plainly(r#"^(?:\{\s*\\?["'][^"'\n]{1,120}\\?["']\s*:|\[\s*\{\s*\\?["']|\[\s*"[^"\n]{1,2000}"\s*[,\]])"#),
                plainly(r"^\s*(?:[-*•]\s+)?\*{0,2}[A-Za-z][\w /().-]{1,40}?\*{0,2}\s*:\*{0,2}\s+\S"),
                plainly(r#"(?:^|[\s,;|(\[{"'])([A-Za-z_@][\w.@-]{0,60})=(?:"[^"]*"|'[^']*'|[^\s,;|]+)"#),
            ));
            let (json, field, pair) = &*PLAIN;
            for (at, _) in text.char_indices() {
                let s = &text[at..];
                prop_assert_eq!(opens_json(s), json.is_match(s), "{:?}", s);
            }
            prop_assert_eq!(is_field(&text), field.is_match(&text), "{:?}", text);
            prop_assert_eq!(pairs(&text).0, pair.find_iter(&text).count(), "{:?}", text);
            if let Some(stamp) = STAMP.as_ref() {
                prop_assert!(!stamp.is_match(&text) || may_be_stamped(&text), "{:?}", text);
            }
        }

        #[test]
        fn a_stamp_begins_as_one_may(
            start in "[ \t]{0,2}(<[0-9]{1,3}>)?[\"\\[(]?",
            stamp in "2026-11-30[T ]10:11:12|Mon, Nov 30 10:11:12|Nov  3 2026 10:11:12|30/Nov/2026:10:11:12|1{10}|1{13}|٢٠٢٦-١١-٣٠ ١٠:١١",
        ) {
            let line = format!("{start}{stamp} x");
            prop_assert!(is(&STAMP, &line), "{:?}", line);
            prop_assert!(may_be_stamped(&line), "{:?}", line);
        }
    }
}
