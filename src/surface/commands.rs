//! The commands that begin with `/`: one table for completion, palette, help and documentation, of the
//! full screen and of line mode.

use std::fmt::Write as _;

/// A command.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Name without the slash.
    pub name: &'static str,
    /// Arguments, for the help.
    pub arguments: &'static str,
    /// One sentence.
    pub help: &'static str,
}

const fn c(name: &'static str, arguments: &'static str, help: &'static str) -> Command {
    Command {
        name,
        arguments,
        help,
    }
}

/// Every command.
pub const TABLE: &[Command] = &[
    c(
        "full",
        "",
        "show the evidence with each answer, from here on",
    ),
    c(
        "brief",
        "",
        "show the narrative and the sources only, from here on",
    ),
    c(
        "continue",
        "",
        "look up what was approved and not looked up yet",
    ),
    c("retry", "", "ask the last question again"),
    c(
        "fresh",
        "[QUESTION]",
        "ask again (the last question without one) past the cache",
    ),
    c(
        "revoke",
        "INDICATOR",
        "withdraw an authorization; later look-ups of it are refused",
    ),
    c(
        "propose",
        "INDICATOR",
        "make a proposal out of an indicator",
    ),
    c("proposals", "", "show the approval card again"),
    c(
        "cases",
        "[INDICATOR]",
        "go to the list of cases, or say which other cases know an indicator",
    ),
    c(
        "open",
        "CASE",
        "open a case by a part of its title, or by its id",
    ),
    c("new", "", "begin a new case"),
    c("rename", "TITLE", "give the case another title"),
    c("tag", "TAG…", "put tags on the case; -TAG takes one off"),
    c("close", "", "close the case; open proposals expire"),
    c("reopen", "", "open the case again"),
    c("delete", "", "hide the case; /undelete brings it back"),
    c("undelete", "", "bring the case back that was deleted last"),
    c(
        "fork",
        "[TURN]",
        "begin a new case from what is known up to a turn",
    ),
    c(
        "find",
        "[WORDS]",
        "search questions, answers, evidence and indicators of all cases",
    ),
    c("evidence", "[N]", "open evidence"),
    c("modules", "", "list the look-up modules"),
    c(
        "model",
        "[NAME]",
        "list the models of the server, or use another one",
    ),
    c(
        "settings",
        "[KEY [VALUE]]",
        "show the settings, or change one; it applies at once",
    ),
    c(
        "export",
        "[FORM] [FILE]",
        "write the case: markdown, json, jsonl, csv or stix",
    ),
    c(
        "print",
        "",
        "write the narrative to the terminal's own scrollback when leaving",
    ),
    c("copy", "", "copy the last answer"),
    c(
        "undo",
        "",
        "take the last change of a case back: deleted, renamed, tagged, closed",
    ),
    c("undo-draft", "", "bring the message back that was cleared"),
    c("setup", "", "set up model and keys, step by step"),
    c("help", "", "show the keys and commands"),
    c("quit", "", "quit"),
];

/// Commands that make sense on the full screen only: the terminal itself does what they do, or line mode has its own of
/// that name.
const SCREEN_ONLY: &[&str] = &["print", "copy", "undo", "undo-draft"];

/// Commands of line mode for what the full screen does with keys.
pub const LINE_ONLY: &[Command] = &[
    c("stop", "", "stop the running turn; ctrl-c does the same"),
    c("undo", "", "the same as /undelete"),
    c(
        "story",
        "[N]",
        "tell the case from its beginning, or turn N",
    ),
    c(
        "mentioned",
        "",
        "list the indicators that are mentioned, to propose one",
    ),
    c("queue", "", "list the messages that wait"),
    c("resume", "", "send the messages that were parked"),
    c(
        "drop",
        "",
        "take the attached paste, or else the last waiting message, away",
    ),
    c("reasoning", "", "print the reasoning of the model"),
    c(
        "as-is",
        "MESSAGE",
        "send this message as it is, with what looks like a secret in it",
    ),
];

/// What `/evidence` takes in line mode.
const EVIDENCE: Command = c(
    "evidence",
    "[N [raw|diff]]",
    "list the evidence, or print a piece as records, raw, or against the look-up before",
);

/// The commands of line mode, in the order of the help.
pub fn plain() -> impl Iterator<Item = &'static Command> {
    TABLE
        .iter()
        .filter(|c| !SCREEN_ONLY.contains(&c.name))
        .map(|c| {
            if c.name == EVIDENCE.name {
                &EVIDENCE
            } else {
                c
            }
        })
        .chain(LINE_ONLY)
}

/// The commands that line mode has besides those of the full screen, as markdown.
#[must_use]
pub fn plain_markdown() -> String {
    let mut out = String::from("| command | what it does |\n|---|---|\n");
    for c in std::iter::once(&EVIDENCE).chain(LINE_ONLY) {
        let blank = if c.arguments.is_empty() { "" } else { " " };
        let arguments = c.arguments.replace('|', "\\|");
        let _ = writeln!(out, "| `/{}{blank}{arguments}` | {} |", c.name, c.help);
    }
    out
}

/// The command with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Command> {
    TABLE.iter().find(|c| c.name == name)
}

/// The table of commands as markdown, for the documentation.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| command | what it does |\n|---|---|\n");
    for c in TABLE {
        let arguments = if c.arguments.is_empty() {
            String::new()
        } else {
            format!(" {}", c.arguments.replace('|', "\\|"))
        };
        let _ = writeln!(out, "| `/{}{arguments}` | {} |", c.name, c.help);
    }
    out.push_str("| `@MODULE VALUE` | one look-up of your own, also while a turn runs |\n");
    out.push_str("| `@ioc VALUE` | every module that takes the value |\n");
    out
}
