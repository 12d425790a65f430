//! Secrets in URLs that no parameter name announces: user information, webhook paths, bot paths. PURE.

use super::class::{Class, Span};
use super::keys;

/// User information in the URL whose `://` begins at `at`.
pub(super) fn userinfo(text: &str, at: usize, spans: &mut Vec<Span>) {
    let t = text.as_bytes();
    let start = at + 3;
    let stop = (start + 1024).min(t.len());
    let ends =
        |b: u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'<' | b'>' | b'`' | b'|');
    let whole = t
        .get(start..stop)
        .and_then(|s| s.iter().position(|b| ends(*b)))
        .map_or(stop, |i| start + i);
    let Some(s) = t.get(start..whole) else { return };
    let authority = s
        .iter()
        .position(|b| matches!(b, b'/' | b'?' | b'#'))
        .unwrap_or(s.len());
    // The last `@` of the authority; where a password holds a slash, the last one of the token.
    let mark = match s
        .get(..authority)
        .and_then(|a| a.iter().rposition(|b| *b == b'@'))
    {
        Some(i) => i,
        None => {
            let head = s.get(..authority).unwrap_or_default();
            let port = head
                .iter()
                .position(|b| *b == b':')
                .map(|i| head.get(i + 1..).unwrap_or_default());
            let odd = port.is_some_and(|p| {
                !p.is_empty() && !p.iter().all(u8::is_ascii_digit) && !head.starts_with(b"[")
            });
            match s.iter().rposition(|b| *b == b'@') {
                Some(i) if odd => i,
                _ => return,
            }
        }
    };
    let Some(info) = text.get(start..start + mark) else {
        return;
    };
    match info.split_once(':') {
        Some((user, password)) => {
            if !keys::is_placeholder(password) {
                spans.push(Span::new(
                    start + user.len() + 1,
                    start + mark,
                    Class::Password,
                ));
            } else if keys::looks_secret(user, Class::Token) && user.len() >= 16 {
                spans.push(Span::new(start, start + user.len(), Class::Token));
            }
            // `https://<token>:x-oauth-basic@host`: the token is the user name.
            if user.len() >= 20 && keys::looks_secret(user, Class::Token) {
                spans.push(Span::new(start, start + user.len(), Class::Token));
            }
        }
        None if info.len() >= 16 && keys::looks_secret(info, Class::Token) => {
            spans.push(Span::new(start, start + mark, Class::Token))
        }
        None => {}
    }
}

/// `user:password@tcp(host)`, the form of Go's MySQL driver; `at` is where `@tcp(` begins.
pub(super) fn go_dsn(text: &str, at: usize, spans: &mut Vec<Span>) {
    let t = text.as_bytes();
    let low = at.saturating_sub(256);
    let start = t
        .get(low..at)
        .and_then(|s| {
            s.iter()
                .rposition(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'=' | b'`'))
        })
        .map_or(low, |i| low + i + 1);
    if let Some(colon) = t
        .get(start..at)
        .and_then(|s| s.iter().position(|b| *b == b':'))
    {
        let from = start + colon + 1;
        if text.get(from..at).is_some_and(|v| !keys::is_placeholder(v)) {
            spans.push(Span::new(from, at, Class::Password));
        }
    }
}

/// A path segment's end.
fn segment(t: &[u8], from: usize) -> usize {
    t.iter()
        .skip(from)
        .take(512)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'~' | b'%'))
        .count()
        + from
}

/// Webhook paths; `hooks_end` is the end of `hooks` in the text. Slack (`hooks.slack.com/services/T/B/secret`),
/// Mattermost (`/hooks/<26 characters>`), Discord (`/webhooks/<id>/<token>`), Teams (`/webhookb2/...`), Zapier.
pub(super) fn webhook(text: &str, hooks_end: usize, spans: &mut Vec<Span>) {
    let t = text.as_bytes();
    let rest = t.get(hooks_end..).unwrap_or_default();
    if let Some(tail) = [
        &b".slack.com/services/"[..],
        b".slack.com/workflows/",
        b".slack.com/triggers/",
        b".slack-gov.com/services/",
    ]
    .iter()
    .find(|p| rest.starts_with(p))
    {
        let start = hooks_end + tail.len();
        let end = t
            .iter()
            .skip(start)
            .take(512)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'%'))
            .count()
            + start;
        // Team and channel ids stay: they are what an analyst pivots on.
        let last = text
            .get(start..end)
            .and_then(|s| s.trim_end_matches('/').rfind('/'))
            .map_or(start, |i| start + i + 1);
        if end > last {
            spans.push(Span::new(last, end, Class::Webhook));
        }
        return;
    }
    if rest.starts_with(b".zapier.com/hooks/") {
        let start = hooks_end + b".zapier.com/hooks/".len();
        let end = t
            .iter()
            .skip(start)
            .take(256)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-'))
            .count()
            + start;
        spans.push(Span::new(start, end, Class::Webhook));
        return;
    }
    if rest.first() != Some(&b'/') {
        return;
    }
    // Discord: an id of digits, then the token. Mattermost, GitLab and others: the id itself is the secret.
    let first = hooks_end + 1;
    let mid = segment(t, first);
    let Some(id) = text.get(first..mid) else {
        return;
    };
    if !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()) && t.get(mid) == Some(&b'/') {
        let end = segment(t, mid + 1);
        if end >= mid + 1 + 16 {
            spans.push(Span::new(mid + 1, end, Class::Webhook));
        }
        return;
    }
    if id.len() >= 16 && keys::looks_secret(id, Class::Webhook) {
        spans.push(Span::new(first, mid, Class::Webhook));
    }
}

/// Microsoft Teams: `webhook.office.com/webhookb2/<guid>@<guid>/IncomingWebhook/<hex>/<guid>`; `at` is behind `webhookb2`.
pub(super) fn teams(text: &str, at: usize, spans: &mut Vec<Span>) {
    let t = text.as_bytes();
    if t.get(at) != Some(&b'/') {
        return;
    }
    let end = t
        .iter()
        .skip(at + 1)
        .take(512)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'@' | b'-' | b'_'))
        .count()
        + at
        + 1;
    if end > at + 40 {
        spans.push(Span::new(at + 1, end, Class::Webhook));
    }
}

/// Telegram: `<digits>:<35 characters>`, in `/bot<token>/` or alone; `colon` is where `:AA` begins.
pub(super) fn telegram(text: &str, colon: usize, spans: &mut Vec<Span>) {
    let t = text.as_bytes();
    let digits = t
        .get(..colon)
        .unwrap_or_default()
        .iter()
        .rev()
        .take(12)
        .take_while(|b| b.is_ascii_digit())
        .count();
    let tail = t
        .iter()
        .skip(colon + 1)
        .take(60)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        .count();
    if (8..=11).contains(&digits) && (33..=40).contains(&tail) {
        spans.push(Span::new(colon - digits, colon + 1 + tail, Class::Token));
    }
}
