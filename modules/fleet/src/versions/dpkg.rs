//! The order of Debian versions, `[epoch:]upstream[-revision]` (deb-version(7)).

use std::cmp::Ordering;

use super::Number;

/// A Debian version taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    epoch: Option<u32>,
    upstream: String,
    /// What follows the last hyphen.
    revision: Option<String>,
}

/// Marks of a repacked upstream archive: the code is the upstream version before them.
const REPACKED: &[&str] = &["+dfsg", "~dfsg", "+ds", "~ds", "+repack", "~repack"];

impl Parts {
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let (epoch, rest) = match text.split_once(':') {
            Some((epoch, rest)) => (Some(read_epoch(epoch)?), rest),
            None => (None, text),
        };
        let (upstream, revision) = match rest.rsplit_once('-') {
            Some((upstream, revision)) => (upstream, Some(revision)),
            None => (rest, None),
        };
        if upstream.is_empty() {
            return Err("nothing stands before the revision");
        }
        if revision == Some("") {
            return Err("nothing stands after the last hyphen");
        }
        let upstream_ok =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '~' | ':');
        let revision_ok = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '~');
        if !upstream.chars().all(upstream_ok)
            || !revision.is_none_or(|r| r.chars().all(revision_ok))
        {
            return Err("only letters, digits and . + - ~ : may stand in it");
        }
        Ok(Self {
            epoch,
            upstream: upstream.to_owned(),
            revision: revision.map(str::to_owned),
        })
    }

    pub(crate) fn upstream(&self) -> &str {
        &self.upstream
    }

    /// The order that `dpkg --compare-versions` has: no epoch is epoch 0, no revision is the empty one.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.epoch
            .unwrap_or(0)
            .cmp(&other.epoch.unwrap_or(0))
            .then_with(|| compare_part(&self.upstream, &other.upstream))
            .then_with(|| self.compare_revision(other))
    }

    fn compare_revision(&self, other: &Self) -> Ordering {
        compare_part(
            self.revision.as_deref().unwrap_or(""),
            other.revision.as_deref().unwrap_or(""),
        )
    }

    /// This installed version against the bound of a range (see [`super::range`]).
    pub(crate) fn against_bound(&self, bound: &Self) -> Ordering {
        let epoch = bound
            .epoch
            .map_or(Ordering::Equal, |e| self.epoch.unwrap_or(0).cmp(&e));
        let upstream = if bound.revision.is_none() && !bound.upstream.contains('+') {
            plain_upstream(&self.upstream)
        } else {
            &self.upstream
        };
        epoch
            .then_with(|| compare_part(upstream, &bound.upstream))
            .then_with(|| match bound.revision {
                Some(_) => self.compare_revision(bound),
                None => Ordering::Equal,
            })
    }
}

/// The version of the code that is inside: `2.0+really1.9` is 1.9, `1.2+dfsg1` is 1.2.
fn plain_upstream(upstream: &str) -> &str {
    let real = upstream
        .rsplit_once("+really")
        .map_or(upstream, |(_, real)| real);
    REPACKED
        .iter()
        .filter_map(|mark| real.find(mark))
        .min()
        .and_then(|at| real.get(..at))
        .filter(|plain| !plain.is_empty())
        .unwrap_or(real)
}

pub(super) fn read_epoch(text: &str) -> Result<u32, &'static str> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err("the epoch before the colon is not a number");
    }
    // The managers hold it in a signed word.
    text.parse::<u32>()
        .ok()
        .filter(|n| i32::try_from(*n).is_ok())
        .ok_or("the epoch before the colon is too large")
}

/// Compares upstream versions or revisions: in turn a run of other characters, then a run of digits. A tilde
/// sorts before the end, the end before letters, letters before the rest.
fn compare_part(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    while !a.is_empty() || !b.is_empty() {
        let (a_text, a_rest) = split_at_kind(a, false);
        let (b_text, b_rest) = split_at_kind(b, false);
        let (a_digits, a_next) = split_at_kind(a_rest, true);
        let (b_digits, b_next) = split_at_kind(b_rest, true);
        let order = compare_text(a_text, b_text)
            .then_with(|| Number::new(a_digits).cmp(&Number::new(b_digits)));
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (a_next, b_next);
    }
    Ordering::Equal
}

/// Splits off the longest start that is all digits, or all other characters.
fn split_at_kind(text: &str, digits: bool) -> (&str, &str) {
    let at = text
        .find(|c: char| c.is_ascii_digit() != digits)
        .unwrap_or(text.len());
    text.split_at(at)
}

fn compare_text(a: &str, b: &str) -> Ordering {
    let weight = |c: Option<u8>| match c {
        None => 0,
        Some(b'~') => -1,
        Some(c) if c.is_ascii_alphabetic() => i32::from(c),
        Some(c) => i32::from(c) + 256,
    };
    let (mut a, mut b) = (a.bytes(), b.bytes());
    loop {
        let (x, y) = (a.next(), b.next());
        if x.is_none() && y.is_none() {
            return Ordering::Equal;
        }
        let order = weight(x).cmp(&weight(y));
        if order != Ordering::Equal {
            return order;
        }
    }
}
