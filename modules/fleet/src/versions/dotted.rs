//! Numbers with dots, and what may follow them: semantic versions, Homebrew, Windows.
//!
//! ```text
//! v1.1.1k-rc.2_3+build5
//!  ╰─┬─╯│ ╰─┬╯ │ ╰──┬─╯
//!    │  │   │  │   left out of the order, as semver says
//!    │  │   │  Homebrew, or Alpine's `-r3`: packed again
//!    │  │   before the release (`-rc.2`, `rc2`, `.beta1`) or after it (`p1`, `.windows.2`)
//!    │  one letter alone: a later release, as OpenSSL numbered them
//!    numbers; missing ones are zero, any count
//! ```
//! Where semver compares `rc10` and `rc2` as text, these rules compare the numbers in them: inventories are full
//! of `rc10`, and nobody means it to be older than `rc2`. Everything else follows semver 2.0.0, clause 11.

use std::cmp::Ordering;

use super::Number;

/// A version of numbers and dots taken apart. The derived order is the order of versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Parts {
    /// Without zeros at the end, so that `1.0` and `1.0.0` are one.
    numbers: Vec<Number>,
    /// 0 for none, 1 for `a`.
    letter: u8,
    tail: Tail,
    /// Homebrew's `_1`. Zero is the same as none.
    rebuild: Option<Number>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tail {
    Before(Vec<Word>),
    None,
    After(Vec<Word>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Number(Number),
    Letters(String),
}

/// Words that say "before the release" wherever they stand.
const BEFORE: &[&str] = &[
    "a",
    "alpha",
    "b",
    "beta",
    "c",
    "canary",
    "cr",
    "dev",
    "ea",
    "insider",
    "insiders",
    "m",
    "milestone",
    "nightly",
    "pre",
    "prerelease",
    "preview",
    "rc",
    "snapshot",
];

/// Words that say "the release itself".
const RELEASE: &[&str] = &["final", "ga", "release", "stable"];

impl Parts {
    /// A semantic version or what looks like one: whatever follows a hyphen is before the release.
    pub(crate) fn semver(text: &str) -> Result<Self, &'static str> {
        Self::parse(text, true)
    }

    /// A version of a Windows program. Vendors also write `1, 2, 0, 4` and `10.0.1.2 (WinBuild.160101)`.
    pub(crate) fn windows(text: &str) -> Result<Self, &'static str> {
        let dots = if text.contains(',') {
            text.replace(", ", ".").replace(',', ".")
        } else {
            text.to_owned()
        };
        Self::parse(dots.split_whitespace().next().unwrap_or(""), false)
    }

    fn parse(text: &str, hyphen_is_before: bool) -> Result<Self, &'static str> {
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let allowed =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '~');
        if !text.chars().all(allowed) {
            return Err("only letters, digits and . - _ + ~ may stand in it");
        }
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("it does not begin with a number");
        }
        let text = text.split_once('+').map_or(text, |(before, _)| before);
        // Alpine's `-r4` is the same thing.
        let packed = ["-r", "_"].iter().find_map(|mark| {
            text.rsplit_once(mark)
                .filter(|(_, n)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        });
        let (text, rebuild) = match packed {
            Some((before, n)) => (before, Some(Number::new(n)).filter(|n| !n.is_zero())),
            None => (text, None),
        };
        let (mut numbers, mut rest) = read_numbers(text);
        while numbers.last().is_some_and(Number::is_zero) {
            numbers.pop();
        }
        let mut letter = 0;
        let mut chars = rest.chars();
        if let Some(c) = chars.next().filter(char::is_ascii_alphabetic)
            && !chars.next().is_some_and(|c| c.is_ascii_alphanumeric())
        {
            letter = (c.to_ascii_lowercase() as u8) - b'a' + 1;
            rest = rest.get(1..).unwrap_or("");
        }
        let hyphen = hyphen_is_before && rest.starts_with('-');
        Ok(Self {
            numbers,
            letter,
            tail: read_tail(rest, hyphen),
            rebuild,
        })
    }

    /// This installed version against the bound of a range: a bound without `_1` means every rebuild.
    pub(crate) fn against_bound(&self, bound: &Self) -> Ordering {
        if bound.rebuild.is_some() {
            return self.cmp(bound);
        }
        (&self.numbers, self.letter, &self.tail).cmp(&(&bound.numbers, bound.letter, &bound.tail))
    }
}

/// The numbers at the start, and what follows them.
fn read_numbers(text: &str) -> (Vec<Number>, &str) {
    let mut numbers = Vec::new();
    let mut rest = text;
    loop {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        numbers.push(Number::new(digits));
        match after.strip_prefix('.') {
            Some(next) if next.starts_with(|c: char| c.is_ascii_digit()) => rest = next,
            _ => return (numbers, after),
        }
    }
}

fn read_tail(text: &str, hyphen: bool) -> Tail {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digit = c.is_ascii_digit();
        let end = if c.is_ascii_alphanumeric() {
            rest.find(|c: char| !c.is_ascii_alphanumeric() || c.is_ascii_digit() != digit)
                .unwrap_or(rest.len())
        } else {
            1
        };
        let (run, after) = rest.split_at(end);
        if digit {
            words.push(Word::Number(Number::new(run)));
        } else if c.is_ascii_alphabetic() {
            words.push(Word::Letters(run.to_ascii_lowercase()));
        }
        rest = after;
    }
    let first = words.first();
    let says =
        |list: &[&str]| matches!(first, Some(Word::Letters(w)) if list.contains(&w.as_str()));
    if words.is_empty() || (says(RELEASE) && words.len() == 1) {
        Tail::None
    } else if hyphen || text.starts_with('~') || says(BEFORE) {
        Tail::Before(words)
    } else {
        Tail::After(words)
    }
}
