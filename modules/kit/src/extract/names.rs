//! Whether a dotted word in running text is the name of a host.

use super::words;

/// What stands around a dotted word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// The byte in front.
    pub(super) prev: Option<u8>,
    /// The byte behind, and the one behind that.
    pub(super) next: Option<u8>,
    pub(super) after: Option<u8>,
    /// It stands behind a backslash, in a path.
    pub(super) in_path: bool,
    /// It stands behind a call or an index: `f(x).name`.
    pub(super) chained: bool,
    /// It is the host of a mail address, which code is not.
    pub(super) mail: bool,
}

/// How sure a dotted word is a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likely {
    /// A real suffix and nothing against it.
    Host,
    /// A label in front or a defang mark inside must say so.
    IfNamed,
}

/// Judges `raw` (as written) with its canonical form `name`.
pub(super) fn judge(raw: &str, name: &str, around: Around) -> Likely {
    if looks_like_host(raw, name, around) {
        Likely::Host
    } else {
        Likely::IfNamed
    }
}

fn looks_like_host(raw: &str, name: &str, around: Around) -> bool {
    let labels = name.bytes().filter(|&b| b == b'.').count() + 1;
    let Some((rest, tld)) = name.rsplit_once('.') else {
        return false;
    };
    let first = name.split('.').next().unwrap_or(name);
    if !suffix_is_real(name, rest, tld, labels) {
        return false;
    }
    if around.in_path
        || (around.next == Some(b'!') && around.after.is_some_and(|b| b.is_ascii_alphanumeric()))
    {
        return false;
    }
    if raw.is_ascii() && !case_fits(raw, first, rest, tld) {
        return false;
    }
    if words::FILE_TLDS.has(tld) && !host_in_front(rest, first, tld, labels, around) {
        return false;
    }
    if !around.mail && is_code(rest, first, tld, labels, around) {
        return false;
    }
    let telling = rest.bytes().any(|b| b == b'-' || b.is_ascii_digit());
    if labels == 2 && words::SENTENCE_TLDS.has(tld) && words::SENTENCE_WORDS.has(rest) {
        return false;
    }
    // `com.example.app`: a package, unless the end is one that only names of hosts have.
    if labels >= 3
        && words::PACKAGE_ROOTS.has(first)
        && !telling
        && !matches!(
            tld,
            "com" | "net" | "org" | "ru" | "cn" | "br" | "uk" | "de" | "test"
        )
    {
        return false;
    }
    true
}

/// Members, calls and indexes of program text. Names of variables hold digits, but no hyphens.
fn is_code(rest: &str, first: &str, tld: &str, labels: usize, around: Around) -> bool {
    if rest.contains('-') {
        return false;
    }
    let member = words::MEMBER_TLDS.has(tld) || words::SENTENCE_TLDS.has(tld);
    let called = around.next == Some(b'(')
        && !around
            .after
            .is_some_and(|b| b.is_ascii_digit() || b == b' ');
    // `name.as_str`: the word goes on behind the underscore.
    let goes_on =
        around.next == Some(b'_') && around.after.is_some_and(|b| b.is_ascii_alphabetic());
    let own = matches!(first, "self" | "this" | "cls" | "super");
    if own
        || around.chained
        || goes_on
        || called && (member || tld == "test" || around.after == Some(b')'))
    {
        return true;
    }
    if !member || around.next == Some(b'/') {
        return false;
    }
    let indexed =
        around.next == Some(b'[') && around.after.is_some_and(|b| !b.is_ascii_whitespace());
    let variable =
        around.prev == Some(b'$') || around.prev == Some(b'%') && around.next == Some(b'%');
    around.next == Some(b'=') || indexed || variable || labels <= 3 && words::CODE_WORDS.has(first)
}

/// A public suffix, one of the reserved test names (RFC 2606, RFC 6761), or an internal suffix.
fn suffix_is_real(name: &str, rest: &str, tld: &str, labels: usize) -> bool {
    if let Some(suffix) = psl::suffix(name.as_bytes()).filter(psl::Suffix::is_known) {
        // `co.uk` alone is a suffix, `github.io` is a site as well.
        let bare = suffix.as_bytes().len() == name.len();
        return !(bare && suffix.typ() == Some(psl::Type::Icann));
    }
    if matches!(tld, "test" | "invalid" | "example") {
        return true;
    }
    if words::INTERNAL_TLDS.has(tld) {
        let telling = rest.bytes().any(|b| b == b'-' || b.is_ascii_digit());
        let first = rest.split('.').next().unwrap_or(rest);
        return labels >= 3
            || telling
            || (matches!(tld, "local" | "lan") && !words::CODE_WORDS.has(first));
    }
    false
}

/// A file extension may be a host when only hosts look like this: a known label or an address in front, a
/// longer suffix (`com.pl`), or several labels under a country.
fn host_in_front(rest: &str, first: &str, tld: &str, labels: usize, around: Around) -> bool {
    if around.prev == Some(b'@') || labels >= 3 && words::HOST_LABELS.has(first) {
        return true;
    }
    let second = rest.rsplit('.').next().unwrap_or(rest);
    labels >= 3
        && tld.len() == 2
        && !matches!(tld, "py" | "sh" | "so" | "ps")
        && matches!(
            second,
            "com" | "net" | "org" | "co" | "gov" | "gob" | "edu" | "waw" | "info" | "in" | "ac"
        )
}

/// Names are written in one case, or with capitals at the beginning of labels; `System.IO`, `done.In` and
/// `Agent.CA` are other things.
fn case_fits(raw: &str, first: &str, rest: &str, tld: &str) -> bool {
    if !raw.bytes().any(|b| b.is_ascii_uppercase()) {
        return true;
    }
    let raw_first = raw.as_bytes().first().copied().unwrap_or_default();
    if raw_first.is_ascii_uppercase() && words::MALWARE_WORDS.has(first)
        || rest
            .split('.')
            .any(|l| matches!(l, "win32" | "win64" | "msil" | "androidos"))
    {
        return false;
    }
    let raw_tld = raw.rsplit('.').next().unwrap_or(raw);
    let lower = raw.bytes().any(|b| b.is_ascii_lowercase());
    let telling = rest.bytes().any(|b| b == b'-' || b.is_ascii_digit()) || first == "www";
    let title = raw_tld.len() >= 2
        && raw_tld.as_bytes()[0].is_ascii_uppercase()
        && raw_tld.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    if title {
        return telling || matches!(tld, "com" | "org") && raw_first.is_ascii_uppercase();
    }
    let upper_tld = raw_tld.bytes().all(|b| b.is_ascii_uppercase());
    if upper_tld && lower {
        return telling || matches!(tld, "com" | "org");
    }
    // All capitals: a name, but not a product of that spelling.
    if !lower {
        return !(tld == "net" && matches!(rest, "asp" | "vb" | "ado" | "ml"));
    }
    // `fooBar.baz`: a capital inside a label is code, unless the end could not be a member.
    let camel = raw.split('.').any(|l| {
        let l = l.as_bytes();
        l.windows(2)
            .any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase())
    });
    !camel || telling || matches!(tld, "com" | "net" | "org")
}
