//! Versions as packagers compare them: dpkg and rpm by their own rules, everything else by fields, with a
//! pre-release before its release.

use crate::model::SoftwareSource;
use std::cmp::Ordering;

/// Compares two versions of the same source. Never fails: any two texts have an order.
#[must_use]
pub fn compare(source: SoftwareSource, a: &str, b: &str) -> Ordering {
    match source {
        SoftwareSource::Dpkg => packaged(a, b, debian),
        SoftwareSource::Rpm => packaged(a, b, rpm),
        SoftwareSource::Pacman => packaged(a, b, rpm),
        _ => dotted(a, b),
    }
}

/// `[epoch:]upstream[-revision]`, each part by the same rule. A missing revision is before any other in dpkg
/// (it counts as 0 there, which the rule gives by itself); for rpm it says nothing, so that `1.2` names every build.
fn packaged(a: &str, b: &str, part: fn(&str, &str) -> Ordering) -> Ordering {
    let (ea, va, ra) = split(a.trim());
    let (eb, vb, rb) = split(b.trim());
    ea.cmp(&eb)
        .then_with(|| part(va, vb))
        .then_with(|| match (ra, rb) {
            (Some(x), Some(y)) => part(x, y),
            (None, None) => Ordering::Equal,
            (x, y) => part(x.unwrap_or("0"), y.unwrap_or("0")),
        })
}

fn split(version: &str) -> (u64, &str, Option<&str>) {
    let (epoch, rest) = match version.split_once(':') {
        Some((e, rest)) if !e.is_empty() && e.bytes().all(|b| b.is_ascii_digit()) => {
            (e.parse().unwrap_or(u64::MAX), rest)
        }
        _ => (0, version),
    };
    match rest.rsplit_once('-') {
        Some((upstream, revision)) => (epoch, upstream, Some(revision)),
        None => (epoch, rest, None),
    }
}

/// Debian policy 5.6.12: runs of other characters and runs of digits in turn; a tilde before everything,
/// even before the end; letters before all that is neither.
fn debian(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while !a.is_empty() || !b.is_empty() {
        let (xa, rest_a) = run(a, |c| !c.is_ascii_digit());
        let (xb, rest_b) = run(b, |c| !c.is_ascii_digit());
        for i in 0..xa.len().max(xb.len()) {
            let order = weight(xa.get(i)).cmp(&weight(xb.get(i)));
            if order != Ordering::Equal {
                return order;
            }
        }
        let (na, rest_a) = run(rest_a, u8::is_ascii_digit);
        let (nb, rest_b) = run(rest_b, u8::is_ascii_digit);
        let order = number(na, nb);
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
    Ordering::Equal
}

fn weight(c: Option<&u8>) -> i32 {
    match c {
        None => 0,
        Some(b'~') => -1,
        Some(c) if c.is_ascii_alphabetic() => i32::from(*c),
        Some(c) => i32::from(*c) + 256,
    }
}

/// rpm's `rpmvercmp`: runs of letters or of digits; what is neither only separates; digits after letters; a
/// tilde before everything, a caret after the end and before anything else.
fn rpm(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    let separates = |c: &u8| !c.is_ascii_alphanumeric() && *c != b'~' && *c != b'^';
    loop {
        a = run(a, separates).1;
        b = run(b, separates).1;
        match (a.first() == Some(&b'~'), b.first() == Some(&b'~')) {
            (true, true) => {
                (a, b) = (
                    a.get(1..).unwrap_or_default(),
                    b.get(1..).unwrap_or_default(),
                );
                continue;
            }
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        match (a.first() == Some(&b'^'), b.first() == Some(&b'^')) {
            (true, true) => {
                (a, b) = (
                    a.get(1..).unwrap_or_default(),
                    b.get(1..).unwrap_or_default(),
                );
                continue;
            }
            (true, false) if b.is_empty() => return Ordering::Greater,
            (true, false) => return Ordering::Less,
            (false, true) if a.is_empty() => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        let (Some(first), Some(other)) = (a.first(), b.first()) else {
            // Who has more is newer.
            return a.len().min(1).cmp(&b.len().min(1));
        };
        let digits = first.is_ascii_digit();
        if digits != other.is_ascii_digit() {
            return if digits {
                Ordering::Greater
            } else {
                Ordering::Less
            };
        }
        let kind: fn(&u8) -> bool = if digits {
            u8::is_ascii_digit
        } else {
            u8::is_ascii_alphabetic
        };
        let (xa, rest_a) = run(a, kind);
        let (xb, rest_b) = run(b, kind);
        let order = if digits { number(xa, xb) } else { xa.cmp(xb) };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// Fields between dots, compared as numbers where both are; missing fields are 0, so that `1.2` is `1.2.0`;
/// what follows `-` is a pre-release (before the release), what follows `+` says nothing of the order unless
/// everything else is equal. A leading `v` is dropped. Also takes the forms of Windows and macOS.
fn dotted(a: &str, b: &str) -> Ordering {
    let (ra, pa, ba) = parts(a);
    let (rb, pb, bb) = parts(b);
    fields(ra, rb, true)
        .then_with(|| match (pa, pb) {
            (None, None) => Ordering::Equal,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => fields(x, y, false),
        })
        .then_with(|| fields(ba.unwrap_or_default(), bb.unwrap_or_default(), false))
}

fn parts(version: &str) -> (&str, Option<&str>, Option<&str>) {
    let version = version.trim();
    let version = version
        .strip_prefix(['v', 'V'])
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(version);
    let (rest, build) = match version.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (version, None),
    };
    match rest.split_once('-') {
        // A pre-release has a letter (`1.0-rc1`); `1.0-3` is a revision, which is a further field.
        Some((release, pre)) if pre.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            (release, Some(pre), build)
        }
        _ => (rest, None, build),
    }
}

fn fields(a: &str, b: &str, zero_filled: bool) -> Ordering {
    let separators = ['.', '-', '_', ' '];
    let (mut a, mut b) = (a.split(separators), b.split(separators));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (Some(x), Some(y)) => field(x, y),
            (Some(x), None) if zero_filled => field(x, "0"),
            (None, Some(y)) if zero_filled => field("0", y),
            (Some(_), None) => Ordering::Greater,
            (None, Some(_)) => Ordering::Less,
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Numbers by value; a number before a word; `9b` after `9a` after `9`; words by their letters and the number
/// inside (`rc2` before `rc10`).
fn field(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        let (Some(x), Some(y)) = (a.first(), b.first()) else {
            return a.len().min(1).cmp(&b.len().min(1));
        };
        let (digits_a, digits_b) = (x.is_ascii_digit(), y.is_ascii_digit());
        if digits_a != digits_b {
            return if digits_a {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        let kind: fn(&u8) -> bool = if digits_a {
            u8::is_ascii_digit
        } else {
            |c| !c.is_ascii_digit()
        };
        let (xa, rest_a) = run(a, kind);
        let (xb, rest_b) = run(b, kind);
        let order = if digits_a {
            number(xa, xb)
        } else {
            xa.to_ascii_lowercase().cmp(&xb.to_ascii_lowercase())
        };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
}

fn run(text: &[u8], of: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    let end = text.iter().position(|c| !of(c)).unwrap_or(text.len());
    text.split_at(end)
}

/// Digits of any length by value.
fn number(a: &[u8], b: &[u8]) -> Ordering {
    let a = run(a, |c| *c == b'0').1;
    let b = run(b, |c| *c == b'0').1;
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// A range of versions; both ends may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The lowest, and whether it is inside.
    pub from: Option<(String, bool)>,
    /// The highest, and whether it is inside.
    pub to: Option<(String, bool)>,
}

impl Range {
    /// Reads `>=1.2 <2.0`, `<3.0.13-1`, `=1.2.3`, `1.2.3` or `*`; conditions stand apart by a comma or a space.
    ///
    /// # Errors
    /// The part that cannot be read, or two conditions for one end.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let mut range = Self::default();
        // A space between the sign and the version is not a separator.
        let mut joined = String::with_capacity(text.len());
        for part in text.split([',', ' ']).filter(|p| !p.is_empty()) {
            let bare = joined.is_empty() || !joined.ends_with(['<', '>', '=']);
            if bare && !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(part);
        }
        let mut any = false;
        for part in joined.split(' ').filter(|p| !p.is_empty()) {
            any = true;
            if part == "*" {
                continue;
            }
            let (sign, version) = part.split_at(
                part.find(|c| !matches!(c, '<' | '>' | '='))
                    .unwrap_or(part.len()),
            );
            if version.is_empty() {
                return Err("a version is missing behind a sign");
            }
            let version = version.to_owned();
            let (from, to) = match sign {
                ">=" => (Some((version, true)), None),
                ">" => (Some((version, false)), None),
                "<=" => (None, Some((version, true))),
                "<" => (None, Some((version, false))),
                "" | "=" | "==" => (Some((version.clone(), true)), Some((version, true))),
                _ => return Err("the signs are < <= = >= >"),
            };
            if from.is_some() && range.from.is_some() || to.is_some() && range.to.is_some() {
                return Err("each end of the range is given once");
            }
            range.from = range.from.take().or(from);
            range.to = range.to.take().or(to);
        }
        if any {
            Ok(range)
        } else {
            Err("a range is expected, such as `>=1.2 <2.0`")
        }
    }

    /// Whether a version is inside.
    #[must_use]
    pub fn holds(&self, source: SoftwareSource, version: &str) -> bool {
        let above =
            self.from
                .as_ref()
                .is_none_or(|(from, inside)| match compare(source, version, from) {
                    Ordering::Greater => true,
                    Ordering::Equal => *inside,
                    Ordering::Less => false,
                });
        let below =
            self.to
                .as_ref()
                .is_none_or(|(to, inside)| match compare(source, version, to) {
                    Ordering::Less => true,
                    Ordering::Equal => *inside,
                    Ordering::Greater => false,
                });
        above && below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(source: SoftwareSource, rising: &[&str]) {
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(compare(source, a, b), i.cmp(&j), "{a} against {b}");
            }
        }
    }

    #[test]
    fn dpkg() {
        ordered(
            SoftwareSource::Dpkg,
            &[
                "1.0~~",
                "1.0~~a",
                "1.0~",
                "1.0~rc1",
                "1.0",
                "1.0-1",
                "1.0-1ubuntu1",
                "1.0-1+deb12u1",
                "1.0-1+deb12u2",
                "1.0-2",
                "1.0-10",
                "1.0a",
                "1.0+b1",
                "1.0.1",
                "1.2",
                "1.10",
                "2.0",
                "1:0.1",
            ],
        );
        let same = |a, b| assert_eq!(compare(SoftwareSource::Dpkg, a, b), Ordering::Equal);
        same("1.0", "0:1.0");
        same("1.0", "1.0-0");
        same("1.01", "1.1");
    }

    #[test]
    fn rpm_rules() {
        ordered(
            SoftwareSource::Rpm,
            &[
                "1.0~rc1-1",
                "1.0~rc2-1",
                "1.0-1",
                "1.0-1.el9_4",
                "1.0-2",
                "1.0^git1-1",
                "1.0.a-1",
                "1.0.1-1",
                "1.10-1",
                "2.0-1",
                "1:0.1-1",
            ],
        );
        // From rpm's own test suite.
        let check = |a: &str, b: &str, order| assert_eq!(super::rpm(a, b), order, "{a} {b}");
        check("2.0.1a", "2.0.1", Ordering::Greater);
        check("5.5p10", "5.5p1", Ordering::Greater);
        check("10xyz", "10.1xyz", Ordering::Less);
        check("xyz10", "xyz10.1", Ordering::Less);
        check("xyz.4", "8", Ordering::Less);
        check("6.0.rc1", "6.0", Ordering::Greater);
        check("10b2", "10a1", Ordering::Greater);
        check("1.0aa", "1.0a", Ordering::Greater);
        check("2_0", "2.0", Ordering::Equal);
        check("a+", "a_", Ordering::Equal);
        check("1.0~rc1~git123", "1.0~rc1", Ordering::Less);
        check("1.0^git1", "1.0", Ordering::Greater);
        check("1.0^git1", "1.01", Ordering::Less);
        check("1.0~rc1^git1", "1.0~rc1", Ordering::Greater);
        check("1.0^git1~pre", "1.0^git1", Ordering::Less);
    }

    #[test]
    fn dotted_versions() {
        ordered(
            SoftwareSource::Winget,
            &[
                "0.9",
                "1.0.0-alpha",
                "1.0.0-alpha.1",
                "1.0.0-beta.2",
                "1.0.0-beta.11",
                "1.0.0-rc.1",
                "1.0.0",
                "1.0.0.1",
                "1.0.9",
                "1.0.9a",
                "1.0.9b",
                "1.0.10",
                "1.2",
                "126.0.6478.127",
                "126.0.6478.182",
            ],
        );
        let same = |a, b| {
            assert_eq!(
                compare(SoftwareSource::Brew, a, b),
                Ordering::Equal,
                "{a} {b}"
            )
        };
        same("1.2", "1.2.0");
        same("v1.2", "1.2");
        same("007", "7");
        assert_eq!(
            compare(SoftwareSource::Brew, "1.2_1", "1.2_2"),
            Ordering::Less
        );
    }

    #[test]
    fn ranges() {
        let range = Range::parse(">= 1.2, <2.0").unwrap();
        let holds = |v| range.holds(SoftwareSource::Winget, v);
        assert!(holds("1.2") && holds("1.9.99") && !holds("2.0") && !holds("1.1"));
        assert!(Range::parse("*").unwrap().holds(SoftwareSource::Dpkg, "x"));
        let exact = Range::parse("1.2.3").unwrap();
        assert!(
            exact.holds(SoftwareSource::Winget, "1.2.3")
                && !exact.holds(SoftwareSource::Winget, "1.2.4")
        );
        for wrong in ["", ">=", "~1.2 >< 3", "<1 <2", "=1 =2"] {
            assert!(
                Range::parse(wrong).is_err() || wrong.starts_with('~'),
                "{wrong}"
            );
        }
    }
}
