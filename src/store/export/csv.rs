//! The ledger as CSV (RFC 4180), one call a line.

use super::{Whole, screen, screen_str, time};

const HEAD: [&str; 14] = [
    "turn",
    "at",
    "n",
    "tool",
    "argument",
    "type",
    "verdict",
    "reason",
    "status",
    "detail",
    "source_verdict",
    "evidence",
    "age_s",
    "ms",
];

pub(crate) fn render(whole: &Whole) -> String {
    let mut out = String::new();
    line(&mut out, HEAD.map(str::to_owned));
    for turn in &whole.state.turns {
        for call in &turn.calls {
            let status = match call.status {
                Some(status) => status.name(),
                None if call.in_flight() && !whole.summary.running => "could_not_look",
                None => "",
            };
            let detail = match &call.detail {
                Some(detail) => screen_str(detail),
                None if call.in_flight() && whole.summary.running => "in flight".into(),
                None if call.in_flight() => "interrupted".into(),
                None => String::new(),
            };
            line(
                &mut out,
                [
                    turn.n.to_string(),
                    time(turn.at_ms),
                    call.n.to_string(),
                    screen(&call.tool),
                    screen(&call.argument),
                    call.subject.as_ref().map_or("", |s| s.kind().name()).into(),
                    call.verdict.name().into(),
                    call.reason.as_deref().map(screen_str).unwrap_or_default(),
                    status.into(),
                    detail,
                    call.source_verdict.map_or("", |v| v.name()).into(),
                    call.evidence.map(|e| format!("E{e}")).unwrap_or_default(),
                    call.age_s.to_string(),
                    call.ms.to_string(),
                ],
            );
        }
    }
    out
}

fn line(out: &mut String, cells: [String; 14]) {
    let quoted: Vec<String> = cells.iter().map(|c| cell(c)).collect();
    out.push_str(&quoted.join(","));
    out.push_str("\r\n");
}

/// A quoted cell. What a spreadsheet would run as a formula gets an apostrophe before it.
fn cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        "'"
    } else {
        ""
    };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_and_quotes_are_text() {
        assert_eq!(cell("=cmd|'/c calc'!A1"), "\"'=cmd|'/c calc'!A1\"");
        assert_eq!(cell("a\"b\nc"), "\"a\"\"b\nc\"");
    }
}
