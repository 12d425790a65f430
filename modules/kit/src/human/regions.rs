//! Which bytes of a message are not the person's own words, and which carry `TLP:RED` or `TLP:AMBER+STRICT`.

use crate::extract::Found;
use regex::Regex;
use std::sync::LazyLock;

/// Whose words a byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// The person's own.
    Own,
    /// A line that starts with `>`.
    QuotedLine,
    /// Between code fences, or between triple backticks inside a line. An indented block is no code here:
    /// people indent lists. Single backticks are how people mark a value, so they change nothing.
    Code,
    /// Inside quotation marks together with other words.
    Quotation,
}

/// Regions as ascending `(start, region)` pairs; each reaches to the next one's start.
pub(super) struct Map(Vec<(usize, Region)>);

impl Map {
    /// The region of a byte.
    pub(super) fn at(&self, byte: usize) -> Region {
        let n = self.0.partition_point(|(start, _)| *start <= byte);
        n.checked_sub(1)
            .and_then(|n| self.0.get(n))
            .map_or(Region::Own, |(_, r)| *r)
    }

    fn push(&mut self, start: usize, region: Region) {
        if self.0.last().is_none_or(|(_, r)| *r != region) {
            self.0.push((start, region));
        }
    }
}

/// The lines of a text with their byte offset, without line ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// Maps quoted lines, code and quotations.
pub(super) fn map(text: &str, found: &[Found]) -> Map {
    let mut map = Map(Vec::new());
    // The fence that is open: its character and length.
    let mut fence: Option<(char, usize)> = None;
    let mut next = 0;
    for (start, line) in lines(text) {
        let first = next;
        while found
            .get(next)
            .is_some_and(|f| f.start < start + line.len())
        {
            next += 1;
        }
        let inner = line.trim_start();
        let marker = inner.chars().next().filter(|c| matches!(c, '`' | '~'));
        let run = marker.map_or(0, |c| inner.chars().take_while(|x| *x == c).count());
        if let Some((c, n)) = fence {
            map.push(start, Region::Code);
            let fence_line =
                marker == Some(c) && run >= n && inner.trim_matches(c).trim().is_empty();
            if fence_line || (c == '`' && inner.trim_end().ends_with("```")) {
                fence = None;
            }
            continue;
        }
        if inner.starts_with('>') || inner.starts_with("&gt;") || inner.starts_with('＞') {
            map.push(start, Region::QuotedLine);
            continue;
        }
        if let Some(c) = marker
            && run >= 3
            && !(c == '`' && inner[run..].contains("```"))
        {
            map.push(start, Region::Code);
            fence = Some((c, run));
            continue;
        }
        map.push(start, Region::Own);
        if let Some(open) = inline(
            &mut map,
            start,
            line,
            found.get(first..next).unwrap_or_default(),
        ) {
            fence = Some(open);
        }
    }
    map
}

/// Triple backticks and quotations inside one line. Returns a fence that the line leaves open.
fn inline(map: &mut Map, start: usize, line: &str, found: &[Found]) -> Option<(char, usize)> {
    let mut at = 0;
    while let Some(open) = line[at..].find("```").map(|n| at + n) {
        map.push(start + open, Region::Code);
        let Some(close) = line[open + 3..].find("```").map(|n| open + 3 + n) else {
            return Some(('`', 3));
        };
        at = close + 3;
        map.push(start + at, Region::Own);
    }
    if at > 0 {
        return None;
    }
    quotations(map, start, line, found);
    None
}

/// Marks what stands between a pair of quotation marks, when it is more than a list of values.
fn quotations(map: &mut Map, start: usize, line: &str, found: &[Found]) {
    // Where the quotation began, its closing mark, and the found item that is next.
    let mut open: Option<(usize, char)> = None;
    let mut words = 0_usize;
    let mut before = ' ';
    let mut next = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((n, c)) = chars.next() {
        while found.get(next).is_some_and(|f| f.end <= start + n) {
            next += 1;
        }
        if found.get(next).is_some_and(|f| f.start <= start + n) {
            before = 'x';
            continue;
        }
        let after = chars.peek().map_or(' ', |(_, c)| *c);
        match open {
            Some((from, close))
                if c == close && !(matches!(c, '\'' | '\u{2019}') && after.is_alphanumeric()) =>
            {
                if words >= 2 {
                    map.push(start + from, Region::Quotation);
                    map.push(start + n, Region::Own);
                }
                open = None;
            }
            Some(_) => words += usize::from(c.is_alphanumeric() && !before.is_alphanumeric()),
            None => {
                let close = match c {
                    '"' => Some('"'),
                    '\u{201c}' | '\u{201e}' => Some('\u{201d}'),
                    '«' => Some('»'),
                    '\u{2018}' => Some('\u{2019}'),
                    '\'' if !before.is_alphanumeric() && !after.is_whitespace() => Some('\''),
                    _ => None,
                };
                open = close.map(|close| (n + c.len_utf8(), close));
                words = 0;
            }
        }
        before = c;
    }
}

/// `TLP` markings: 1 holds the colour.
static TLP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\bTLP[\s\x{200b}]?[:：=\-_ ]?[\s\x{200b}]?(RED|AMBER[\s+\-_]{1,3}STRICT|AMBER|GREEN|WHITE|CLEAR)\b")
        .ok()
});

/// Words directly before a marking that take it back.
static NOT_RED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:not|n['’]t|no longer|isn['’]?t|was|never|nothing|without)(?:\s+(?:marked|a|as|anymore|longer|is|be))*\s*[\[(]?$").ok()
});

/// Whether a colour keeps what it marks inside the organization: red, and amber with `STRICT` behind it (FIRST, TLP
/// 2.0, <https://www.first.org/tlp/>).
fn stays_home(colour: &str) -> bool {
    colour.eq_ignore_ascii_case("red") || colour.len() > "AMBER".len()
}

/// The marking of a text that keeps at home, as people write it.
pub(super) fn red_name(text: &str) -> &'static str {
    let red = TLP.as_ref().is_some_and(|re| {
        re.captures_iter(text).any(|c| {
            c.get(1)
                .is_some_and(|m| m.as_str().eq_ignore_ascii_case("red"))
        })
    });
    let strict = TLP.as_ref().is_some_and(|re| {
        re.captures_iter(text)
            .any(|c| c.get(1).is_some_and(|m| m.as_str().len() > "AMBER".len()))
    });
    if strict && !red {
        "TLP:AMBER+STRICT"
    } else {
        "TLP:RED"
    }
}

struct Mark {
    start: usize,
    end: usize,
    red: bool,
}

/// For each found indicator: whether `TLP:RED` stands beside it (in its sentence or line), or covers it from a
/// line of its own. Such a line as the first or last of the message covers all; elsewhere it covers what
/// follows, up to the next line that is only a marking.
pub(super) fn red(text: &str, found: &[Found]) -> Vec<bool> {
    let mut out = vec![false; found.len()];
    let Some(re) = TLP.as_ref() else {
        return vec![true; found.len()];
    };
    if !re.is_match(text) {
        return out;
    }
    let mut section = false;
    let mut whole = false;
    let mut seen_text = false;
    let mut last_was_red = false;
    let mut next = 0;
    for (start, line) in lines(text) {
        if line.trim().is_empty() {
            continue;
        }
        let first = next;
        while found
            .get(next)
            .is_some_and(|f| f.start < start + line.len())
        {
            next += 1;
        }
        let marks: Vec<Mark> = re
            .captures_iter(line)
            .filter_map(|c| {
                let all = c.get(0)?;
                let colour = c.get(1)?.as_str();
                let taken_back = NOT_RED
                    .as_ref()
                    .is_some_and(|n| n.is_match(tail(&line[..all.start()])));
                Some(Mark {
                    start: start + all.start(),
                    end: start + all.end(),
                    red: stays_home(colour) && !taken_back,
                })
            })
            .collect();
        // Beyond any sentence a person writes, the line is one unit; keeps the time linear.
        let long = line.len() > 8192 && marks.iter().any(|m| m.red);
        if !marks.is_empty() && first == next {
            section = marks.iter().any(|m| m.red);
            whole |= section && !seen_text;
            last_was_red = section;
        } else {
            last_was_red = false;
            let of_line = found.get(first..next).unwrap_or_default();
            let flags = if section || long {
                vec![true; of_line.len()]
            } else if marks.is_empty() {
                vec![false; of_line.len()]
            } else {
                line_red(&marks, line, start, of_line)
            };
            if let Some(slots) = out.get_mut(first..next) {
                slots.copy_from_slice(&flags);
            }
        }
        seen_text = true;
    }
    if whole || last_was_red {
        out.fill(true);
    }
    out
}

/// The last bytes of a text, enough for the words before a marking.
fn tail(text: &str) -> &str {
    let mut at = text.len().saturating_sub(60);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    &text[at..]
}

/// Which indicators of a line its markings make red. A sentence with one colour has it for all its
/// indicators. With several, each label covers what follows it, or what precedes it where the first
/// indicator stands before the first label. A red marking alone in its sentence covers the line.
fn line_red(marks: &[Mark], line: &str, line_start: usize, of_line: &[Found]) -> Vec<bool> {
    let ends = sentence_ends(line, line_start, of_line);
    let sentence = |at: usize| ends.partition_point(|e| *e <= at);
    let lonely_red = marks.iter().any(|m| {
        m.red
            && !of_line
                .iter()
                .any(|f| sentence(f.start) == sentence(m.start))
    });
    of_line
        .iter()
        .map(|item| {
            let n = sentence(item.start);
            let near: Vec<&Mark> = marks.iter().filter(|m| sentence(m.start) == n).collect();
            if near.is_empty() || near.iter().all(|m| m.red) {
                return lonely_red || !near.is_empty();
            }
            let first_item = of_line
                .iter()
                .find(|f| sentence(f.start) == n)
                .map_or(0, |f| f.start);
            let before = near.iter().rev().find(|m| m.end <= item.start);
            let after = near.iter().find(|m| m.start >= item.end);
            let label_first = near.first().is_some_and(|m| m.start < first_item);
            let mark = if label_first {
                before.or(after)
            } else {
                after.or(before)
            };
            lonely_red || mark.is_some_and(|m| m.red)
        })
        .collect()
}

/// Byte offsets behind the sentence ends of a line, those inside an indicator left out.
fn sentence_ends(line: &str, line_start: usize, of_line: &[Found]) -> Vec<usize> {
    let mut out = Vec::new();
    let mut next = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((n, c)) = chars.next() {
        let at = line_start + n;
        while of_line.get(next).is_some_and(|f| f.end <= at) {
            next += 1;
        }
        if of_line.get(next).is_some_and(|f| f.start <= at) {
            continue;
        }
        let full_stop = c == '.' && chars.peek().is_none_or(|(_, c)| c.is_whitespace());
        if full_stop || matches!(c, '!' | '?' | ';') {
            out.push(at + 1);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{NOT_RED, TLP};

    #[test]
    fn patterns_compile() {
        assert!(TLP.is_some() && NOT_RED.is_some());
    }
}
