//! What is written to a case, as lines of the program's log: one an event, after the transaction that holds
//! it. Names, numbers and indicators only: no question, no answer, no reason in a person's words, no argument
//! of a call but the indicator that it is about. The log's own redactor goes over every line besides.

use super::id::CaseId;
use crate::case::{Body, CallVerdict};
use kit::indicator::Indicator;
use tracing::info;

/// Longest text from outside in a line, in characters.
const OUTSIDE: usize = 120;

/// The line of an event. Texts that a model, a server or a source chose are quoted (`?`), so that none of
/// them can look like a line of its own.
#[allow(clippy::too_many_lines)] // one arm an event kind
pub(super) fn event(case: &CaseId, body: &Body) {
    let case = case.short();
    match body {
        Body::Human {
            turn,
            mentions,
            attachments,
            surface,
            ..
        } => info!(
            case,
            turn,
            named = mentions.len(),
            attached = attachments.len(),
            surface = ?cut(surface),
            "question"
        ),
        Body::TurnStarted {
            turn,
            planner,
            model,
            tools_mode,
            ..
        } => info!(
            case,
            turn,
            planner = ?planner,
            model = ?cut(model.as_deref().unwrap_or_default()),
            tools = ?cut(tools_mode.as_deref().unwrap_or_default()),
            "turn started"
        ),
        Body::Call {
            turn,
            n,
            tool,
            subject,
            verdict,
            reason,
            ..
        } => {
            let (tool, about) = (cut(tool.as_str()), about(subject.as_ref()));
            match (verdict, reason) {
                (CallVerdict::Refuse, key) => info!(
                    case, turn, n, ?tool, ?about,
                    key = ?cut(key.as_deref().unwrap_or_default()),
                    "call refused"
                ),
                _ => info!(
                    case,
                    turn,
                    n,
                    ?tool,
                    ?about,
                    verdict = verdict.name(),
                    "call"
                ),
            }
        }
        Body::RefusedMore { turn, count } => info!(case, turn, count, "more calls refused"),
        Body::CallDone {
            turn,
            n,
            status,
            detail,
            evidence,
            verdict,
            age_s,
            ms,
            ..
        } => info!(
            case,
            turn,
            n,
            outcome = status.name(),
            detail = ?cut(detail.as_deref().unwrap_or_default()),
            evidence = evidence.unwrap_or_default(),
            verdict = verdict.map_or("", |v| v.name()),
            age_s,
            ms,
            "call ended"
        ),
        Body::Proposed {
            n,
            turn,
            what,
            indicator,
            found_in,
            from,
            ..
        } => info!(
            case,
            turn,
            n,
            kind = super::index::kind_name(*what),
            about = ?about(Some(indicator)),
            found_in = found_in.unwrap_or_default(),
            from = ?from,
            "proposed"
        ),
        Body::ActionProposed { action } => info!(
            case,
            turn = action.turn,
            n = action.n,
            kind = super::index::kind_name(action.what),
            about = ?cut(action.title.as_str()),
            devices = action.devices,
            digest = action.digest,
            "action proposed"
        ),
        Body::ActionNews { news } => info!(
            case,
            n = news.n,
            status = ?cut(&news.status),
            detail = ?cut(news.detail.as_str()),
            "action"
        ),
        Body::Decided {
            n,
            approve,
            principal,
            surface,
            ..
        } => info!(
            case, n, approve,
            by = ?cut(principal), surface = ?cut(surface), "proposal decided"
        ),
        Body::Authorized {
            indicators, how, ..
        } => info!(case, count = indicators.len(), how = ?cut(how), "authorized"),
        Body::Revoked {
            indicator,
            principal,
        } => {
            info!(case, about = ?about(Some(indicator)), by = ?cut(principal), "authorization revoked")
        }
        Body::Answer {
            turn,
            text,
            unsupported,
            ..
        } => info!(
            case,
            turn,
            chars = text.as_str().chars().count(),
            unsupported = unsupported.len(),
            "answer"
        ),
        Body::TurnEnded {
            turn,
            status,
            usage,
            warnings,
            error,
        } => info!(
            case,
            turn,
            status = status.name(),
            prompt_tokens = usage.prompt_tokens,
            completion_tokens = usage.completion_tokens,
            ms = usage.ms,
            warnings = warnings.len(),
            error = ?cut(error.as_deref().unwrap_or_default()),
            "turn ended"
        ),
        Body::Opened { .. } => info!(case, "case opened"),
        Body::Forked { turn, .. } => info!(case, turn, "case forked"),
        Body::Renamed { .. } => info!(case, "case renamed"),
        Body::Tagged { add, remove } => {
            info!(
                case,
                added = add.len(),
                removed = remove.len(),
                "case tagged"
            );
        }
        Body::Closed => info!(case, "case closed"),
        Body::Reopened => info!(case, "case reopened"),
        Body::Deleted => info!(case, "case deleted"),
        Body::Undeleted => info!(case, "case undeleted"),
        Body::ModeSet { mode } => info!(case, mode = ?mode, "evidence mode set"),
        Body::Offered { .. } | Body::Progress { .. } => {}
    }
}

fn about(indicator: Option<&Indicator>) -> String {
    indicator.map_or_else(String::new, |i| {
        format!("{} {}", i.kind().name(), cut(i.value()))
    })
}

fn cut(text: &str) -> String {
    text.chars().take(OUTSIDE).collect()
}
