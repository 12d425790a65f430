//! The third layer, our own: names, syntaxes, headers, URLs, connection strings, private keys. One automaton finds
//! words that can begin such a thing; what stands around each is then read by hand. Linear: every reader is bounded
//! or moves forward. PURE.

use super::class::{Class, Span};
use super::keys::{self, Name};
use super::value::{self, How, Value};
use super::{headers, pem, urls};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// What a word of the automaton may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    /// Part of a name.
    Name,
    Scheme,
    Jwt,
    UserInfo,
    Hooks,
    Teams,
    Telegram,
    GoDsn,
    PemBegin,
    PemEnd,
    IdentifiedBy,
    Putty,
    Curl,
}

const WORDS: &[(&str, Hint)] = &[
    ("pass", Hint::Name),
    ("pwd", Hint::Name),
    ("psk", Hint::Name),
    ("wachtwoord", Hint::Name),
    ("contrasena", Hint::Name),
    ("secret", Hint::Name),
    ("token", Hint::Name),
    ("key", Hint::Name),
    ("auth", Hint::Name),
    ("cookie", Hint::Name),
    ("credential", Hint::Name),
    ("sess", Hint::Name),
    ("sid=", Hint::Name),
    ("sid\":", Hint::Name),
    ("sig=", Hint::Name),
    ("signature", Hint::Name),
    ("jwt", Hint::Name),
    ("_pw", Hint::Name),
    ("bearer", Hint::Scheme),
    ("basic ", Hint::Scheme),
    ("eyj", Hint::Jwt),
    ("://", Hint::UserInfo),
    ("hooks", Hint::Hooks),
    ("webhookb2", Hint::Teams),
    (":aa", Hint::Telegram),
    ("@tcp(", Hint::GoDsn),
    ("-----begin", Hint::PemBegin),
    ("-----end", Hint::PemEnd),
    ("identified by", Hint::IdentifiedBy),
    ("private-lines:", Hint::Putty),
    ("curl ", Hint::Curl),
    ("wget ", Hint::Curl),
];

/// The layer.
pub(super) struct Structural {
    words: AhoCorasick,
}

impl Structural {
    /// The layer.
    ///
    /// # Errors
    /// The table of words does not compile.
    pub(super) fn new() -> Result<Self, String> {
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostFirst)
            .kind(Some(AhoCorasickKind::DFA))
            .build(WORDS.iter().map(|(w, _)| *w))
            .map_err(|e| e.to_string())?;
        Ok(Self { words })
    }

    /// Secrets in `text`.
    pub(super) fn find(&self, text: &str, spans: &mut Vec<Span>) {
        let t = text.as_bytes();
        // Names and blocks that an earlier word has read to the end.
        let (mut name_done, mut block_done, mut command_done, mut scheme_done) = (0, 0, 0, 0);
        for hit in self.words.find_iter(t) {
            let (start, end) = (hit.start(), hit.end());
            if start < block_done {
                continue;
            }
            let Some((_, hint)) = WORDS.get(hit.pattern().as_usize()) else {
                continue;
            };
            match hint {
                Hint::Name => {
                    if start >= name_done {
                        name_done = self.name(text, start, end, spans).max(name_done);
                    }
                }
                Hint::Scheme => {
                    if start >= scheme_done {
                        scheme_done = scheme(text, start, end, spans);
                    }
                }
                Hint::Jwt => jwt(text, start, spans),
                Hint::UserInfo => urls::userinfo(text, start, spans),
                Hint::Hooks => urls::webhook(text, end, spans),
                Hint::Teams => urls::teams(text, end, spans),
                Hint::Telegram => urls::telegram(text, start, spans),
                Hint::GoDsn => urls::go_dsn(text, start, spans),
                Hint::PemBegin => {
                    if let Some(end) = pem::begin(text, start, spans) {
                        block_done = end;
                    }
                }
                Hint::PemEnd => pem::end(text, start, spans),
                Hint::IdentifiedBy => {
                    if let Some(v) = value::behind(text, end, end, true) {
                        accept(text, v, Name::Password, "identified by", spans);
                    }
                }
                Hint::Putty => putty(text, end, spans),
                Hint::Curl => {
                    if start >= command_done {
                        command_done = curl(text, end, spans);
                    }
                }
            }
        }
    }

    /// A name around `start..end`; gives where it ends.
    fn name(&self, text: &str, start: usize, end: usize, spans: &mut Vec<Span>) -> usize {
        let t = text.as_bytes();
        let of_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
        let from = start
            - t.get(..start)
                .unwrap_or_default()
                .iter()
                .rev()
                .take(64)
                .take_while(|b| of_name(b))
                .count();
        // A hint may hold the separator (`sig=`); the name ends in front of it.
        let mut to = start
            + t.get(start..end)
                .unwrap_or_default()
                .iter()
                .take_while(|b| of_name(b))
                .count();
        to += t
            .iter()
            .skip(to)
            .take(64)
            .take_while(|b| of_name(b))
            .count();
        // `password.` at the end of a sentence, `api_key-` in a table.
        while to > end.min(to) && matches!(t.get(to - 1), Some(b'.' | b'-')) {
            to -= 1;
        }
        let Some(mut name) = text.get(from..to) else {
            return end;
        };
        // What follows decides cheaply whether this can be a name at all.
        let dashed = name.starts_with('-');
        let slash = from > 0
            && t.get(from - 1) == Some(&b'/')
            && (from == 1 || t.get(from - 2).is_some_and(u8::is_ascii_whitespace));
        let flag = dashed || slash || after_login(t, from);
        let Some(v) = value::behind(text, from, to, flag) else {
            return to;
        };
        if t.get(from..to)
            .is_some_and(|n| n.iter().all(|b| matches!(b, b'-' | b'.' | b'_')))
        {
            return to;
        }
        // `api key: x`, `client secret: x`: the word in front belongs to the name.
        let spaced;
        if let Some(front) = word_in_front(text, from) {
            spaced = format!("{front}{name}");
            let joined = keys::classify(&spaced);
            match (joined, keys::classify(name)) {
                // `public key`, `session key` of a protocol: harmless together.
                (None, Some(Name::Weak(Class::Key))) if v.how != How::Assigned => return to,
                (Some(Name::Strong(_) | Name::Password), _) => name = &spaced,
                _ => {}
            }
        }
        let Some(kind) = keys::classify(name) else {
            return to;
        };
        // A row of the ADO kind or a test summary: `pass: 12`, `PWD=/home/x`.
        if kind == Name::Password
            && name.eq_ignore_ascii_case("pwd")
            && t.get(v.start) == Some(&b'/')
        {
            return to;
        }
        // `Signature: Trojan.Generic.12` is a detection's name; only a signed URL's parameter is a credential.
        let parameter = v.how == How::Assigned
            && from
                .checked_sub(1)
                .and_then(|i| t.get(i))
                .is_none_or(|b| matches!(b, b'?' | b'&' | b';' | b' ' | b'"'));
        if kind == Name::Weak(Class::Signature) && !parameter {
            return to;
        }
        match kind {
            Name::Authorization => headers::authorization(text, v, v.how == How::Quoted, spans),
            // Its pairs are read there; one long line of cookies is read once.
            Name::Cookie => return headers::cookies(text, v, v.how == How::Quoted, spans).max(to),
            other => accept(text, v, other, name, spans),
        }
        to
    }
}

/// `machine h login u password x` (netrc): there a blank is the separator.
fn after_login(t: &[u8], from: usize) -> bool {
    let low = from.saturating_sub(96);
    t.get(low..from).is_some_and(|s| {
        let line = s
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(s, |i| s.get(i + 1..).unwrap_or_default());
        line.windows(7).any(|w| w == b" login ") || line.starts_with(b"login ")
    })
}

/// The word in front of a name, one blank between.
fn word_in_front(text: &str, from: usize) -> Option<&str> {
    let t = text.as_bytes();
    if from < 2 || t.get(from - 1) != Some(&b' ') {
        return None;
    }
    let len = t
        .get(..from - 1)?
        .iter()
        .rev()
        .take(24)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        .count();
    if len == 0 {
        None
    } else {
        text.get(from - 1 - len..from - 1)
    }
}

/// Redacts a value when its name and its look allow.
fn accept(text: &str, v: Value, name: Name, raw_name: &str, spans: &mut Vec<Span>) {
    let Some(s) = text.get(v.start..v.end) else {
        return;
    };
    if keys::is_placeholder(s) {
        return;
    }
    // `token: token: x`: the inner name reads its own value.
    if s.ends_with(':') || (v.how == How::Colon && text.as_bytes().get(v.end) == Some(&b':')) {
        return;
    }
    let class = match name {
        Name::Password => Class::Password,
        Name::Strong(c) | Name::Weak(c) => c,
        Name::Authorization | Name::Cookie => Class::Auth,
    };
    let (mut end, secret) = match (name, v.how) {
        (Name::Password, How::Colon) if keys::starts_prose(s) => (v.end, false),
        (Name::Password, How::Colon) => (value::more_words(text, v), true),
        (Name::Password, How::Assigned | How::Quoted) => (v.end, true),
        (Name::Password, How::Blank) => (v.end, !keys::starts_prose(s)),
        (Name::Strong(_), How::Quoted | How::Assigned) => (
            v.end,
            s.len() >= 4 && !s.contains(' ') && !(keys::is_plain_word(s) && v.how == How::Quoted),
        ),
        (Name::Strong(_), How::Colon | How::Blank) => (
            v.end,
            s.len() >= 6 && !keys::is_plain_word(s) && !keys::starts_prose(s),
        ),
        // `secret` with an equals sign is as strong as `client_secret`.
        (Name::Weak(Class::Key), How::Assigned)
            if raw_name.to_ascii_lowercase().ends_with("secret") =>
        {
            (
                v.end,
                s.len() >= 6 && (!keys::is_plain_word(s) || keys::looks_secret(s, class)),
            )
        }
        (Name::Weak(Class::Password), How::Quoted | How::Assigned) => {
            (v.end, !s.bytes().all(|b| b.is_ascii_digit() || b == b'%'))
        }
        (Name::Weak(c), _) => (v.end, keys::looks_secret(s, c)),
        (Name::Authorization | Name::Cookie, _) => (v.end, false),
    };
    if !secret {
        return;
    }
    // A header of several tokens (`X-Auth: Bearer x`): the scheme stays, the credential goes.
    if v.how == How::Colon
        && matches!(class, Class::Auth | Class::Token)
        && s.eq_ignore_ascii_case("bearer")
    {
        return;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    spans.push(Span::new(v.start, end, class));
}

/// `Bearer x`, `Basic x` outside a header; gives where reading stopped.
fn scheme(text: &str, start: usize, end: usize, spans: &mut Vec<Span>) -> usize {
    let t = text.as_bytes();
    if start > 0
        && t.get(start - 1)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    {
        return end;
    }
    let word = text.get(start..end).unwrap_or_default().trim_end();
    let mut p = start + word.len();
    let from = p;
    while p < from + 8 && matches!(t.get(p), Some(b' ' | b'\t' | b':' | b'=' | b'"' | b'\'')) {
        p += 1;
    }
    if p == from {
        return end;
    }
    let len = t
        .iter()
        .skip(p)
        .take(4096)
        .take_while(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
        })
        .count();
    let Some(v) = text.get(p..p + len) else {
        return end;
    };
    let v = v.trim_end_matches('.');
    let basic = word.eq_ignore_ascii_case("basic");
    let secret = if basic {
        v.len() >= 12 && is_basic_pair(v)
    } else {
        keys::looks_secret(v, Class::Auth)
            || (v.len() >= 20 && v.bytes().any(|b| b.is_ascii_digit()))
    };
    if secret && !keys::is_placeholder(v) {
        spans.push(Span::new(p, p + v.len(), Class::Auth));
    }
    p + len
}

/// True when base64 holds `user:password`.
fn is_basic_pair(v: &str) -> bool {
    use base64::Engine;
    let engine = base64::engine::general_purpose::STANDARD_NO_PAD;
    engine.decode(v.trim_end_matches('=')).is_ok_and(|b| {
        b.contains(&b':') && b.iter().all(|c| (0x20..0x7F).contains(c) || *c >= 0x80)
    })
}

/// A JSON Web Token (RFC 7519): two or more base64url parts, the first of which begins with `{"`.
fn jwt(text: &str, start: usize, spans: &mut Vec<Span>) {
    let t = text.as_bytes();
    // The automaton ignores case; a token does not.
    if t.get(start..start + 3) != Some(b"eyJ")
        || (start > 0 && t.get(start - 1).is_some_and(|b| b.is_ascii_alphanumeric()))
    {
        return;
    }
    let part = |from: usize| {
        t.iter()
            .skip(from)
            .take(16_384)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
            .count()
    };
    let first = part(start);
    let mut end = start + first;
    if first < 10 || t.get(end) != Some(&b'.') {
        return;
    }
    let mut parts = 1;
    while t.get(end) == Some(&b'.') && parts < 5 {
        let n = part(end + 1);
        if n == 0 && parts == 1 {
            break;
        }
        // The full stop of a sentence is no part of the token.
        if n == 0 && t.get(end + 1) != Some(&b'.') && parts >= 2 {
            break;
        }
        end += 1 + n;
        parts += 1;
    }
    if parts >= 2 && end - start >= 24 {
        spans.push(Span::new(start, end, Class::Token));
    }
}

/// PuTTY's private key file: `Private-Lines: n`, then n lines of base64.
fn putty(text: &str, end: usize, spans: &mut Vec<Span>) {
    let t = text.as_bytes();
    let digits_at = end + t.iter().skip(end).take_while(|b| **b == b' ').count();
    let digits = t
        .iter()
        .skip(digits_at)
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count();
    let Some(lines) = text
        .get(digits_at..digits_at + digits)
        .and_then(|s| s.parse::<usize>().ok())
    else {
        return;
    };
    let mut p = digits_at + digits;
    let start = p;
    for _ in 0..=lines {
        p = t
            .get(p..)
            .and_then(|s| s.iter().position(|b| *b == b'\n'))
            .map_or(t.len(), |i| p + i + 1);
    }
    let from = t
        .get(start..p)
        .and_then(|s| s.iter().position(|b| *b == b'\n'))
        .map_or(p, |i| start + i + 1);
    if p > from {
        let end = if t.get(p - 1) == Some(&b'\n') {
            p - 1
        } else {
            p
        };
        spans.push(Span::new(from, end, Class::PrivateKey));
    }
}

/// `curl -u user:password`, `--user=user:password`; gives the end of the line.
fn curl(text: &str, from: usize, spans: &mut Vec<Span>) -> usize {
    let t = text.as_bytes();
    let stop = t
        .get(from..(from + 2048).min(t.len()))
        .and_then(|s| s.iter().position(|b| *b == b'\n'))
        .map_or((from + 2048).min(t.len()), |i| from + i);
    let Some(line) = t.get(from..stop) else {
        return from;
    };
    for flag in [
        &b"-u "[..],
        b"-u",
        b"--user ",
        b"--user=",
        b"--proxy-user ",
        b"-U ",
    ] {
        let Some(at) = line.windows(flag.len()).position(|w| w == flag) else {
            continue;
        };
        if at > 0 && line.get(at - 1).is_some_and(|b| !b.is_ascii_whitespace()) {
            continue;
        }
        let mut p = from + at + flag.len();
        let quote = t.get(p).copied().filter(|b| matches!(b, b'"' | b'\''));
        if quote.is_some() {
            p += 1;
        }
        let len = t
            .get(p..stop)
            .unwrap_or_default()
            .iter()
            .take_while(|b| quote.map_or(!b.is_ascii_whitespace(), |q| **b != q))
            .count();
        let Some(pair) = text.get(p..p + len) else {
            continue;
        };
        if let Some((user, password)) = pair.split_once(':')
            && !keys::is_placeholder(password)
        {
            spans.push(Span::new(p + user.len() + 1, p + len, Class::Password));
            break;
        }
    }
    stop
}
