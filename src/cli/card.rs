//! The card of an action in words: everything that would happen, and the command that lets it.

use crate::cli::error::Error;
use crate::cli::output::{Output, Own, Style, Text};
use crate::engine::actions::{self, ActionCard};
use crate::engine::view::local;

/// Columns of a label.
const LABEL: usize = 11;

/// Prints the card, and on standard error what approves it. With JSON asked for, one object with every field of it
/// and `command`.
///
/// # Errors
/// The output cannot be written.
pub fn print(card: &ActionCard, as_json: bool, out: &mut Output) -> Result<(), Error> {
    if as_json {
        return out.json(&json(card)?);
    }
    lines(card, out)?;
    if let Some((_, message, hint)) = &card.refusal {
        let text = out.outside(format!("an approval would not count: {message}; {hint}"));
        out.warn(text);
    } else if open(card) {
        out.warn("nothing was approved: this is the card");
        out.note(Own(format!(
            "approve: {}   or: rmm-analyst deny {} [--reason TEXT]",
            command(card),
            card.n
        )));
    }
    Ok(())
}

/// Every field of the card.
///
/// # Errors
/// It cannot be written as JSON: a defect.
pub fn json(card: &ActionCard) -> Result<serde_json::Value, Error> {
    let mut value = serde_json::to_value(card)
        .map_err(|e| Error::internal("the card cannot be written").why(e.to_string()))?;
    value["refusal"] = card.refusal.as_ref().map_or(
        serde_json::Value::Null,
        |(key, message, hint)| serde_json::json!({ "key": key, "message": message, "hint": hint }),
    );
    value["command"] = serde_json::json!(open(card).then(|| command(card)));
    Ok(value)
}

/// The card, line by line.
///
/// # Errors
/// The output cannot be written.
pub fn lines(card: &ActionCard, out: &mut Output) -> Result<(), Error> {
    let heading = format!("{} {} ({})", kind_words(card), card.n, card.state);
    out.line(Text::new().styled(Style::Bold, Own(heading)))?;
    let field = |label: &str, text: &str, out: &mut Output| -> Result<(), Error> {
        for (i, line) in text.lines().enumerate() {
            let label = if i == 0 { label } else { "" };
            let text = out.outside(line);
            out.line(
                Text::new()
                    .then(Own(format!("  {label:<LABEL$}")))
                    .then(text),
            )?;
        }
        Ok(())
    };
    field("action", card.title.as_str(), out)?;
    field("through", &actions::through(card), out)?;
    if card.changes.is_empty() {
        field("changed", "nothing since it was proposed", out)?;
    }
    for (i, change) in card.changes.iter().enumerate() {
        field(if i == 0 { "changed" } else { "" }, change, out)?;
    }
    let n = card.device_count;
    field("devices", &format!("{n}"), out)?;
    for d in &card.devices {
        let note = actions::note(d);
        let note = if note.is_empty() {
            note
        } else {
            format!("  ({note})")
        };
        let line = format!("{}  client {}{note}", d.name.as_str(), d.client.as_str());
        field("", &line.replace('\n', " "), out)?;
    }
    field("effect", card.effect.as_str(), out)?;
    field("reason", card.why.as_str(), out)?;
    field("proposed", &actions::proposed(card), out)?;
    field("needs", &format!("the permission {}", card.permission), out)?;
    for finding in &card.findings {
        field("look at", finding.as_str(), out)?;
    }
    for label in &card.hidden {
        let words = format!(
            "a part of the {label} is not shown: it is a secret of this installation, and is approved unseen"
        );
        field("look at", &words, out)?;
    }
    for section in card.sections.iter().filter(|s| s.label != "script") {
        let one = !section.text.as_str().contains('\n') && section.label.len() < LABEL;
        if one {
            field(section.label, section.text.as_str(), out)?;
        } else {
            field("with", &format!("{}:", section.label), out)?;
            field("", section.text.as_str(), out)?;
        }
    }
    for section in card.sections.iter().filter(|s| s.label == "script") {
        let text = section.text.as_str();
        field(
            "script",
            &format!("{} lines, whole:", text.split('\n').count()),
            out,
        )?;
        for (i, line) in text.split('\n').enumerate() {
            // Blanks at the end of a line show.
            let kept = line.trim_end_matches(' ');
            let line = format!("{kept}{}", "·".repeat(line.len() - kept.len()));
            let line = out.outside(line);
            out.line(Text::new().then(Own(format!("  {:>4} ", i + 1))).then(line))?;
        }
    }
    field("digest", &card.digest, out)?;
    if !card.decided_by.is_empty() {
        field(
            "decided",
            &format!("{} by {}", card.state, card.decided_by),
            out,
        )?;
        field("", card.reason.as_str(), out)?;
    } else {
        field("expires", &local(card.expires_ms), out)?;
    }
    Ok(())
}

fn open(card: &ActionCard) -> bool {
    card.state == "open" && card.refusal.is_none()
}

/// The command that approves it.
#[must_use]
pub fn command(card: &ActionCard) -> String {
    let count = if card.count {
        format!(" --count {}", card.device_count)
    } else {
        String::new()
    };
    format!(
        "rmm-analyst approve {} --digest {}{count}",
        card.n, card.digest
    )
}

fn kind_words(card: &ActionCard) -> &'static str {
    match card.kind {
        "job" => "Job",
        "device_operation" => "Device operation",
        "task" => "Task",
        "check" => "Check",
        _ => "Policy",
    }
}
