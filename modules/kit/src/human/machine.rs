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
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r#"(?:^|[\s,;|(\[{"'])([A-Za-z_@][\w.@-]{0,60})=(?:"[^"]*"|'[^']*'|[^\s,;|]+)"#)
});
/// `Source IP: 198.51.100.7`, as alerts list their fields.
static FIELD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r"^\s*(?:[-*•]\s+)?\*{0,2}[A-Za-z][\w /().-]{1,40}?\*{0,2}\s*:\*{0,2}\s+\S")
});
/// The first key of a JSON object (or of its Python and log forms), or the first string of an array.
static JSON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r#"\{\s*\\?["'][^"'\n]{1,120}\\?["']\s*:|\[\s*\{\s*\\?["']|\[\s*"[^"\n]{1,2000}"\s*[,\]]"#,
    )
});

fn is(re: &LazyLock<Option<Regex>>, text: &str) -> bool {
    re.as_ref().is_some_and(|r| r.is_match(text))
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
    if is(&FORMATS, line) || is(&STRONG_HEADER, line) || is(&MAILBOX, line) {
        return Some(Machine::Log);
    }
    if let Some(stamp) = STAMP.as_ref().and_then(|r| r.find(line)) {
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
    let Some(re) = PAIR.as_ref().filter(|_| line.contains('=')) else {
        return (0, 0);
    };
    let (mut n, mut others, mut end) = (0, 0, 0);
    for m in re.find_iter(line) {
        others += line
            .get(end..m.start())
            .map_or(0, |s| s.split_whitespace().count());
        n += 1;
        end = m.end();
    }
    others += line.get(end..).map_or(0, |s| s.split_whitespace().count());
    (n, others)
}

/// Two headers that a person could have begun a line with are headers; so is the folded line behind one.
fn headers(all: &[(usize, &str)], kinds: &mut [Option<Machine>]) {
    let weak: Vec<bool> = all.iter().map(|(_, l)| is(&WEAK_HEADER, head(l))).collect();
    let strong = |n: usize| {
        all.get(n)
            .is_some_and(|(_, l)| is(&STRONG_HEADER, head(l)) || is(&MAILBOX, head(l)))
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

/// Blocks of labelled fields.
fn fields(all: &[(usize, &str)], kinds: &mut [Option<Machine>]) {
    let is_field: Vec<bool> = all.iter().map(|(_, l)| is(&FIELD, head(l))).collect();
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
    let Some(re) = JSON.as_ref() else { return };
    let mut at = 0;
    while let Some(m) = re.find_at(text, at) {
        let end = closing(text, m.start());
        out.push((m.start(), end, Machine::Log));
        at = end;
    }
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
            &JSON,
        ] {
            assert!(re.is_some());
        }
    }
}
