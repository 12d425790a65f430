//! The second layer: tokens that vendors gave a shape. One well-kept engine behind our own trait, asked only about
//! the lines in which a vendor's prefix stands (its own speed is half of what this program needs), and a short table
//! of prefixes for what it leaves out. PURE.

use super::class::{Class, Span};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use redact_secret::{Action, BuiltInRegistry, DefaultPolicy};

/// An engine that knows vendors' tokens.
pub(super) trait VendorEngine: Send + Sync {
    /// The secrets in `text` as byte ranges. `None`: it gave up, and nothing may be concluded.
    fn scan(&self, text: &str) -> Option<Vec<(usize, usize, Class)>>;
}

/// The crate `redact-secret`.
pub(super) struct RedactSecret(BuiltInRegistry);

impl RedactSecret {
    /// The built-in detectors.
    ///
    /// # Errors
    /// Its table is malformed, which a released version rules out.
    pub(super) fn new() -> Result<Self, String> {
        BuiltInRegistry::with_built_in()
            .map(Self)
            .map_err(|e| format!("the vendor engine does not start: {e}"))
    }
}

impl VendorEngine for RedactSecret {
    fn scan(&self, text: &str) -> Option<Vec<(usize, usize, Class)>> {
        let findings = self.0.scan(text, &DefaultPolicy).ok()?;
        Some(
            findings
                .iter()
                .filter(|f| matches!(f.action(), Action::Redact | Action::Block))
                .map(|f| {
                    let class = match f.type_name() {
                        "private_key" => Class::PrivateKey,
                        "connection_string_password" => Class::Password,
                        "bearer_token" | "authorization_credential" => Class::Auth,
                        name if name.contains("key") => Class::Key,
                        _ => Class::Token,
                    };
                    (f.range().start(), f.range().end(), class)
                })
                .collect(),
        )
    }
}

/// A prefix that makes a token, with the least number of characters behind it. Sources: the vendors' own
/// documentation of their token formats.
struct Prefix {
    text: &'static str,
    least: usize,
    kind: Tail,
}

/// What may stand behind a prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// Letters, digits and `_ - . =`; nothing of a word in front.
    Any,
    /// Letters and digits only, for prefixes that also begin ordinary names (`sk-learn-...`).
    Plain,
    /// Letters and digits only, exactly as many, for prefixes that words and hashes begin with.
    Exact,
    /// Capitals and digits, exactly as many.
    Capitals,
    /// Letters and digits, exactly as many; so distinctive that it may be glued to a word.
    Glued,
}

const fn p(text: &'static str, least: usize) -> Prefix {
    Prefix {
        text,
        least,
        kind: Tail::Any,
    }
}

const fn w(text: &'static str, least: usize) -> Prefix {
    Prefix {
        text,
        least,
        kind: Tail::Plain,
    }
}

const fn x(text: &'static str, least: usize) -> Prefix {
    Prefix {
        text,
        least,
        kind: Tail::Exact,
    }
}

const fn caps(text: &'static str) -> Prefix {
    Prefix {
        text,
        least: 16,
        kind: Tail::Capitals,
    }
}

const fn glued(text: &'static str, least: usize) -> Prefix {
    Prefix {
        text,
        least,
        kind: Tail::Glued,
    }
}

const PREFIXES: &[Prefix] = &[
    glued("ghp_", 36),
    glued("gho_", 36),
    glued("ghu_", 36),
    glued("ghs_", 36),
    glued("ghr_", 36),
    p("github_pat_", 22),
    p("glpat-", 20),
    p("glrt-", 20),
    p("glptt-", 20),
    p("gldt-", 20),
    p("glcbt-", 20),
    p("glsoat-", 20),
    p("gloas-", 20),
    p("glft-", 20),
    p("glimt-", 20),
    p("glagent-", 20),
    p("glffct-", 20),
    p("glrtr-", 20),
    p("glwt-", 20),
    caps("AKIA"),
    caps("ASIA"),
    caps("ABIA"),
    caps("ACCA"),
    p("ABSK", 40),
    p("AIza", 35),
    p("ya29.", 20),
    p("GOCSPX-", 20),
    p("1//0", 30),
    p("xoxb-", 20),
    p("xoxp-", 20),
    p("xoxa-", 20),
    p("xoxr-", 20),
    p("xoxs-", 20),
    p("xoxc-", 20),
    p("xoxd-", 20),
    p("xoxe-", 20),
    p("xoxe.xox", 20),
    p("xapp-", 20),
    p("sk-proj-", 20),
    p("sk-svcacct-", 20),
    p("sk-admin-", 20),
    p("sk-ant-", 20),
    p("sk-or-v1-", 32),
    p("sk-lf-", 20),
    w("sk-", 32),
    w("hf_", 30),
    p("api_org_", 30),
    w("gsk_", 40),
    p("nvapi-", 40),
    w("r8_", 37),
    p("xai-", 60),
    p("pplx-", 40),
    p("AGE-SECRET-KEY-1", 40),
    w("npm_", 36),
    p("pypi-", 60),
    x("cio", 32),
    w("crates_", 32),
    p("rubygems_", 48),
    p("dckr_pat_", 20),
    p("dckr_oat_", 20),
    p("sk_live_", 16),
    p("sk_test_", 16),
    p("rk_live_", 16),
    p("rk_test_", 16),
    p("whsec_", 24),
    p("SG.", 40),
    p("dop_v1_", 40),
    p("doo_v1_", 40),
    p("dor_v1_", 40),
    p("hvs.", 20),
    p("hvb.", 20),
    p("hvr.", 20),
    p("shpat_", 32),
    p("shpss_", 32),
    p("shpca_", 32),
    p("shppa_", 32),
    p("sq0atp-", 20),
    p("sq0csp-", 40),
    w("key-", 32),
    p("ntn_", 40),
    w("secret_", 40),
    p("lin_api_", 32),
    x("dapi", 32),
    p("PMAK-", 40),
    p("NRAK-", 24),
    p("glsa_", 32),
    p("sntrys_", 40),
    p("sntryu_", 60),
    p("phx_", 40),
    p("dp.pt.", 40),
    p("dp.st.", 40),
    p("ATATT", 60),
    p("ATCTT", 60),
    p("HRKU-", 36),
    p("pat-na1-", 36),
    p("fo1_", 40),
    p("fm2_", 60),
    p("tskey-", 20),
    p("pscale_", 30),
    p("sbp_", 40),
    p("sb_secret_", 20),
    p("napi_", 40),
    p("tfp_", 40),
    p("FLWSECK", 30),
    p("dt0c01.", 60),
    p("EZAK", 54),
    p("lsv2_", 32),
    p("pul-", 40),
    p("figd_", 36),
    p("CFPAT-", 40),
    p("apify_api_", 36),
    p("tvly-", 20),
    w("fc-", 32),
    p("rpa_", 40),
    p("bkua_", 36),
    p("nfp_", 36),
    p("ops_eyJ", 60),
    p("pcsk_", 40),
    p("v1.0-", 140),
];

/// Other text that makes a line worth the engine's time: shapes that have no prefix of their own.
const HINTS: &[&str] = &[
    "Q~",
    ".atlasv1.",
    "AZDO",
    "otpauth://",
    "T3BlbkFJ",
    "SSWS",
    ":AA",
    "/bot",
    "curl",
    "aws_secret",
    "0.3:",
    "-us1",
    "-us2",
    "bedrock-api-key-",
    "CCIPAT_",
];

/// No vendor's token is longer.
const LONGEST: usize = 512;

/// Bytes of a line that the engine is shown around a hit.
const WINDOW: usize = 2048;

/// The layer.
pub(super) struct Vendor {
    engine: Box<dyn VendorEngine>,
    hints: AhoCorasick,
}

impl Vendor {
    /// The layer on an engine.
    ///
    /// # Errors
    /// The table of prefixes does not compile.
    pub(super) fn new(engine: Box<dyn VendorEngine>) -> Result<Self, String> {
        let words = PREFIXES.iter().map(|p| p.text).chain(HINTS.iter().copied());
        let hints = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words)
            .map_err(|e| e.to_string())?;
        Ok(Self { engine, hints })
    }

    /// Vendors' tokens in `text`.
    pub(super) fn find(&self, text: &str, spans: &mut Vec<Span>) {
        let t = text.as_bytes();
        let mut window: Option<(usize, usize)> = None;
        let mut taken = 0;
        for hit in self.hints.find_iter(t) {
            if hit.start() < taken {
                continue;
            }
            if let Some(prefix) = PREFIXES.get(hit.pattern().as_usize()) {
                let before = hit.start().checked_sub(1).and_then(|i| t.get(i));
                if prefix.kind != Tail::Glued
                    && before.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
                {
                    continue;
                }
                let run = run_of(t, hit.end(), prefix.kind);
                if run < prefix.least.min(16) {
                    continue;
                }
                let tail = text.get(hit.end()..hit.end() + run).unwrap_or_default();
                // Exactly as many: a longer run is a hash.
                let longer = matches!(prefix.kind, Tail::Capitals | Tail::Exact)
                    && t.get(hit.end() + prefix.least)
                        .is_some_and(|b| b.is_ascii_alphanumeric());
                if run >= prefix.least
                    && !longer
                    && (prefix.kind == Tail::Capitals || looks_random(tail))
                {
                    let exact = matches!(prefix.kind, Tail::Capitals | Tail::Exact | Tail::Glued);
                    spans.push(Span::new(
                        hit.start(),
                        hit.end() + if exact { prefix.least } else { run },
                        Class::Token,
                    ));
                    // The engine has nothing to add.
                    taken = hit.end() + if exact { prefix.least } else { run };
                    continue;
                }
            }
            // Lines with a hit go to the engine, neighbouring ones together.
            let (start, end) = around(text, hit.start(), hit.end());
            window = match window {
                Some((from, to)) if start <= to && end - from <= 8 * WINDOW => {
                    Some((from, end.max(to)))
                }
                Some((from, to)) => {
                    self.ask(text, from, to, spans);
                    Some((start.max(to), end.max(to)))
                }
                None => Some((start, end)),
            };
        }
        if let Some((from, to)) = window {
            self.ask(text, from, to, spans);
        }
    }

    fn ask(&self, text: &str, from: usize, to: usize, spans: &mut Vec<Span>) {
        let Some(part) = text.get(from..to) else {
            return;
        };
        match self.engine.scan(part) {
            Some(found) => spans.extend(
                // A hash is none of its business: what a name says about one is for the structural layer.
                found
                    .into_iter()
                    .filter(|(s, e, _)| !part.get(*s..*e).is_some_and(is_hash))
                    .map(|(s, e, class)| Span::new(from + s, from + e, class)),
            ),
            // It gave up (its own limits): nothing of this stretch may pass.
            None => spans.push(Span::new(from, to, Class::Token)),
        }
    }
}

/// The line around a hit, at most [`WINDOW`] bytes each way, on character boundaries.
fn around(text: &str, start: usize, end: usize) -> (usize, usize) {
    let t = text.as_bytes();
    let low = start.saturating_sub(WINDOW);
    let mut from = t
        .get(low..start)
        .and_then(|s| s.iter().rposition(|b| *b == b'\n'))
        .map_or(low, |i| low + i + 1);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let high = (end + WINDOW).min(t.len());
    let mut to = t
        .get(end..high)
        .and_then(|s| s.iter().position(|b| *b == b'\n'))
        .map_or(high, |i| end + i);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    (from, to)
}

/// How many characters behind a prefix can belong to its token.
fn run_of(t: &[u8], from: usize, kind: Tail) -> usize {
    let belongs = |b: &u8| match kind {
        Tail::Any => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'='),
        Tail::Plain | Tail::Glued | Tail::Exact => b.is_ascii_alphanumeric(),
        Tail::Capitals => b.is_ascii_uppercase() || b.is_ascii_digit(),
    };
    let run = t
        .iter()
        .skip(from)
        .take(LONGEST)
        .take_while(|b| belongs(b))
        .count();
    // A full stop ends a sentence, not a token.
    if t.get(from + run.saturating_sub(1)) == Some(&b'.') {
        run.saturating_sub(1)
    } else {
        run
    }
}

fn is_hash(s: &str) -> bool {
    matches!(s.len(), 32 | 40 | 48 | 56 | 64 | 96 | 128) && s.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Not a word, not a repeated letter: a digit beside letters, or both cases mixed.
fn looks_random(s: &str) -> bool {
    let digits = s.bytes().filter(u8::is_ascii_digit).count();
    let upper = s.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = s.bytes().filter(u8::is_ascii_lowercase).count();
    let distinct = {
        let mut seen = [false; 256];
        for b in s.bytes() {
            seen[usize::from(b)] = true;
        }
        seen.iter().filter(|x| **x).count()
    };
    distinct >= 6 && ((digits > 0 && upper + lower > 0) || (upper > 1 && lower > 1))
}
