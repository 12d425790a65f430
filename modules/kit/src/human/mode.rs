//! The words in front of a message: whom it addresses, and whether it switches the evidence mode.

use super::lex::{Kind, Token, lex};

/// Reads the evidence mode that a message switches to. The rule is narrow on purpose, so that prose such as
/// `full scan finished` switches nothing:
///
/// * `/full` or `/brief` as the first word, or the first after `@ai`;
/// * `full` or `brief` right after `@ai` (`@ai full what is evil.com?`);
/// * without `@ai`: `full` or `brief` as the whole message, or followed by `,` or `:` or a plain yes
///   (`full: what is evil.com?`, `full yes`).
#[must_use]
pub fn mode_word(text: &str) -> Option<&'static str> {
    // Only the front decides; a long paste behind it is not read.
    let mut end = text.len().min(400);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let tokens = lex(&text[..end], &[]);
    let (rest, addressed) = after_bind(&tokens);
    let (slash, rest) = match rest.split_first() {
        Some((t, more))
            if t.kind == Kind::Sep('/') && more.first().is_some_and(|m| m.start == t.end) =>
        {
            (true, more)
        }
        _ => (false, rest),
    };
    let (first, more) = rest.split_first()?;
    let mode = mode_of(first)?;
    let glued = more.first().is_some_and(|t| {
        t.start == first.end && !matches!(t.kind, Kind::Sep(',' | ':') | Kind::Stop(_))
    });
    if glued {
        return None;
    }
    let plain = match more.first().map(|t| &t.kind) {
        None | Some(Kind::Sep(',' | ':') | Kind::Newline) => true,
        Some(Kind::Stop(c)) => more.len() == 1 && *c != '?',
        Some(Kind::Word(w)) => {
            more.len() == 1 && matches!(w.as_str(), "please" | "yes" | "yep" | "mode")
        }
        _ => false,
    };
    (slash || addressed || plain).then_some(mode)
}

fn mode_of(token: &Token) -> Option<&'static str> {
    match token.word()? {
        "full" => Some("full"),
        "brief" => Some("brief"),
        _ => None,
    }
}

/// The tokens behind a leading `@ai` (with a greeting before it, or a comma or colon behind it), and whether
/// there was one.
fn after_bind(tokens: &[Token]) -> (&[Token], bool) {
    let mut at = 0;
    if tokens
        .first()
        .and_then(Token::word)
        .is_some_and(|w| matches!(w, "hey" | "hi" | "hello" | "ok" | "dear"))
    {
        at = 1;
        if tokens.get(1).is_some_and(|t| t.kind == Kind::Sep(',')) {
            at = 2;
        }
    }
    let named = tokens.get(at).is_some_and(|t| t.kind == Kind::Sep('@'))
        && tokens.get(at + 1).and_then(Token::word) == Some("ai");
    if !named {
        return (tokens, false);
    }
    at += 2;
    while tokens.get(at).is_some_and(|t| {
        matches!(
            t.kind,
            Kind::Sep(',' | ':' | '-' | '–' | '—') | Kind::Newline
        )
    }) {
        at += 1;
    }
    (&tokens[at..], true)
}

/// The tokens behind address and mode word: what the message itself says.
pub(super) fn after_address(tokens: &[Token]) -> &[Token] {
    let (rest, _) = after_bind(tokens);
    let skip = match rest {
        [slash, word, ..] if slash.kind == Kind::Sep('/') && mode_of(word).is_some() => 2,
        [word, _, ..] if mode_of(word).is_some() => 1,
        _ => 0,
    };
    let rest = &rest[skip..];
    match rest.first() {
        Some(t) if skip > 0 && matches!(t.kind, Kind::Sep(',' | ':')) => &rest[1..],
        _ => rest,
    }
}
