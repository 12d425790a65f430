//! Ranges of versions: `<3.0.14`, `>=1.1 <2`, `3.0.*`, `1.2.3`, `<1.1 || >=2 <2.3`.
//!
//! Blanks or commas mean "and", `||` means "or". `<<` and `>>` are read as dpkg means them.
//!
//! **A bound speaks only of what is written in it.** An advisory says "fixed in 3.0.14" and means the code of
//! that release, whoever packed it. Debian may call it `3.0.14-1~deb12u2`, and vim is `2:9.0.1378-2` there. So:
//! * a bound without an epoch (`2:`) is compared without the epoch of the installed package,
//! * a bound without a revision (`-1~deb12u2`, `-4.el9`, Homebrew's `_1`) is compared without that one too, and
//!   Debian's marks of a repacked archive (`+dfsg1`, `+really1.9`) are looked through,
//! * a bound that has them is compared to the letter.
//!
//! What a range over upstream versions cannot know: distributions fix holes without a new upstream version. A
//! machine with `3.0.11-1~deb12u2` is in `<3.0.14` and may have the fix. Whoever shows such a result says so
//! ([`Range::speaks_of_upstream_only`]).
//!
//! `3.0.*` (also `3.0.x`) is every version whose first numbers are 3 and 0, those before the release included.

use std::cmp::Ordering;

use super::{Number, Scheme, Version, VersionError, shortened};

/// The longest range that is read, in bytes.
pub const MAX_RANGE_LEN: usize = 512;
/// How many comparisons one range may have.
pub const MAX_COMPARISONS: usize = 16;

/// A range, read for one scheme.
#[derive(Clone, Debug)]
pub struct Range {
    scheme: Scheme,
    /// Any of these holds when all comparisons in it hold.
    any: Vec<Vec<Comparison>>,
}

#[derive(Clone, Debug)]
enum Comparison {
    /// `*`
    Every,
    /// `3.0.*`
    Under(Vec<Number>),
    Bound(Op, Version),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Less,
    AtMost,
    Equal,
    Not,
    AtLeast,
    More,
}

/// Longer ones first.
const OPS: &[(&str, Op)] = &[
    ("<<", Op::Less),
    ("<=", Op::AtMost),
    ("<", Op::Less),
    (">>", Op::More),
    (">=", Op::AtLeast),
    (">", Op::More),
    ("==", Op::Equal),
    ("=", Op::Equal),
    ("!=", Op::Not),
];

impl Op {
    const fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Equal => order.is_eq(),
            Self::Not => order.is_ne(),
            Self::AtLeast => order.is_ge(),
            Self::More => order.is_gt(),
        }
    }
}

impl Range {
    /// Reads a range whose bounds are versions of this scheme.
    ///
    /// # Errors
    /// When it is empty, too long, has an operator that is not known or a bound that is no version.
    pub fn parse(scheme: Scheme, text: &str) -> Result<Self, VersionError> {
        let fail = |why| VersionError::Range {
            text: shortened(text),
            why,
        };
        if text.len() > MAX_RANGE_LEN {
            return Err(fail("it is longer than 512 bytes"));
        }
        let mut any = Vec::new();
        let mut count = 0;
        for alternative in text.split("||") {
            let mut all = Vec::new();
            // An operator may stand apart from its version.
            let mut op: Option<Op> = None;
            for word in alternative.split(|c: char| c == ',' || c.is_whitespace()) {
                if word.is_empty() {
                    continue;
                }
                let found = OPS
                    .iter()
                    .find_map(|(sign, op)| word.strip_prefix(sign).map(|rest| (*op, rest)));
                let version = match (op, found) {
                    (Some(_), Some(_)) => {
                        return Err(fail("two operators stand before one version"));
                    }
                    (None, Some((o, rest))) => {
                        op = Some(o);
                        rest
                    }
                    (_, None) => word,
                };
                if version.is_empty() {
                    continue;
                }
                all.push(comparison(scheme, op.take(), version, text)?);
                count += 1;
            }
            if op.is_some() {
                return Err(fail("an operator has no version after it"));
            }
            if all.is_empty() {
                return Err(fail("it, or one side of \"||\", is empty"));
            }
            let exact = |c: &&Comparison| matches!(c, Comparison::Bound(Op::Equal, _));
            if all.iter().filter(exact).count() > 1 {
                return Err(fail(
                    "no version is two versions at once, put || between them",
                ));
            }
            any.push(all);
        }
        if count > MAX_COMPARISONS {
            return Err(fail("it has more than 16 comparisons"));
        }
        Ok(Self { scheme, any })
    }

    /// The scheme of its bounds.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Whether an installed version lies in the range.
    ///
    /// # Errors
    /// When the version cannot be read under the scheme of the range: then nobody knows, which is not "no".
    pub fn contains(&self, version: &str) -> Result<bool, VersionError> {
        let version = Version::parse(self.scheme, version)?;
        Ok(self
            .any
            .iter()
            .any(|all| all.iter().all(|c| c.holds(&version))))
    }

    /// Whether some bound leaves the revision of the distribution open, so that a fix which a distribution
    /// carried back would not show. Only dpkg and rpm have such revisions.
    #[must_use]
    pub fn speaks_of_upstream_only(&self) -> bool {
        matches!(self.scheme, Scheme::Dpkg | Scheme::Rpm)
            && self.any.iter().flatten().any(|c| match c {
                Comparison::Every => false,
                Comparison::Under(_) => true,
                Comparison::Bound(_, v) => !v.as_str().contains('-'),
            })
    }
}

fn comparison(
    scheme: Scheme,
    op: Option<Op>,
    version: &str,
    whole: &str,
) -> Result<Comparison, VersionError> {
    let fail = |why| VersionError::Range {
        text: shortened(whole),
        why,
    };
    if version.contains(['<', '>', '=', '!', '|']) {
        return Err(fail("an operator stands inside or after a version"));
    }
    if version.starts_with(['^', '~']) {
        return Err(fail("^ and ~ are not known here, write both bounds"));
    }
    if version == "-" {
        return Err(fail("write \">=1 <=2\" for \"1 - 2\""));
    }
    // What a person means by them; read to the letter they would be versions that nobody has.
    let version = version
        .strip_prefix(['v', 'V'])
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(version);
    let starred = version
        .strip_suffix(".x")
        .or_else(|| version.strip_suffix(".X"))
        .map(|start| format!("{start}.*"));
    let version = starred.as_deref().unwrap_or(version);
    if !version.contains('*') {
        // To dpkg and rpm, `before` in "before 3.0.14" is a version.
        if !version.contains(|c: char| c.is_ascii_digit()) {
            return Err(fail("a word in it is neither an operator nor a version"));
        }
        let bound = Version::parse(scheme, version)?;
        return Ok(Comparison::Bound(op.unwrap_or(Op::Equal), bound));
    }
    if op.is_some_and(|op| op != Op::Equal) {
        return Err(fail("a * takes no operator"));
    }
    if version == "*" {
        return Ok(Comparison::Every);
    }
    let numbers = version
        .strip_suffix(".*")
        .map(|start| start.split('.').map(digits).collect::<Option<Vec<_>>>());
    match numbers {
        Some(Some(numbers)) => Ok(Comparison::Under(numbers)),
        _ => Err(fail("a * stands only at the end, after numbers and dots")),
    }
}

fn digits(text: &str) -> Option<Number> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| Number::new(text))
}

impl Comparison {
    fn holds(&self, version: &Version) -> bool {
        match self {
            Self::Every => true,
            Self::Bound(op, bound) => version.against_bound(bound).is_some_and(|o| op.holds(o)),
            Self::Under(numbers) => begins_with(version.upstream(), numbers),
        }
    }
}

/// Whether the first numbers of a version are these; numbers that are missing are zero.
fn begins_with(upstream: &str, numbers: &[Number]) -> bool {
    let mut rest = Some(upstream);
    for wanted in numbers {
        let text = rest.unwrap_or("0");
        let end = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        let (found, after) = text.split_at(end);
        if found.is_empty() || Number::new(found) != *wanted {
            return false;
        }
        // Something else than a dot ends the numbers: `3-1` has no second one, so it is zero.
        rest = after
            .strip_prefix('.')
            .filter(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    }
    true
}
