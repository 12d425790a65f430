//! `case`: the investigations.

use crate::case::{CaseState, Turn};
use crate::cli::view::{View, bytes, json, local, screen, table};
use crate::store::export::{Defang, Format, outcome_words};
use crate::store::{CaseFilter, CaseId, CaseSummary, StoreError};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json as value};
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst case list
  rmm-analyst case search evil.example.com
  rmm-analyst case show 0198f2
  rmm-analyst case export 0198f2 --format markdown --out report.md
  rmm-analyst case verify";

/// List, read and keep cases
///
/// A case is named by its id, by its short id (the last 8 characters, as `case list` shows it), or by as many first characters of either as make it unique.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CaseArgs {
    /// What to do
    #[command(subcommand)]
    pub command: CaseCommand,
}

/// The verbs of `case`.
#[derive(Clone, Debug, Subcommand)]
pub enum CaseCommand {
    /// List cases, newest first
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case list --limit 10\n  rmm-analyst case list --all --tag phishing --json"
    )]
    List {
        /// Closed and deleted ones too
        #[arg(long)]
        all: bool,
        /// Only cases with this tag
        #[arg(long, value_name = "TAG")]
        tag: Option<String>,
        /// At most this many
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show the story of a case: what was asked, what ran, what was answered
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case show 0198f2\n  rmm-analyst case show 0198f2 --json"
    )]
    Show {
        /// The case (id or unique prefix)
        case: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Search questions, answers, evidence and indicators of all cases
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case search 'evil[.]example[.]com'\n  rmm-analyst case search phishing invoice --limit 5 --json"
    )]
    Search {
        /// Words or an indicator; all must occur
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// At most this many hits
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Write a case as a report or as data
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case export 0198f2 > report.md\n  rmm-analyst case export 0198f2 --format json --out case.json"
    )]
    Export {
        /// The case (id or unique prefix)
        case: String,
        /// The form
        #[arg(long, value_enum, default_value_t = ExportFormat::Markdown)]
        format: ExportFormat,
        /// Write to this file instead of standard output; an existing file is kept
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Check the hash chain of one case or of all
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case verify\n  rmm-analyst case verify 0198f2 --json"
    )]
    Verify {
        /// The case (id or unique prefix); without it, all
        case: Option<String>,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Start a new case from what is known in another one
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case fork 0198f2 --turn 3 --title \"the second host\""
    )]
    Fork {
        /// The case (id or unique prefix)
        case: String,
        /// Up to and with this turn; without it, all of it
        #[arg(long, value_name = "N")]
        turn: Option<u32>,
        /// Title of the new case
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
    },
    /// Give a case another title
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case rename 0198f2 \"Phishing at the front desk\""
    )]
    Rename {
        /// The case (id or unique prefix)
        case: String,
        /// The title
        title: String,
    },
    /// Add tags to a case, or remove them
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case tag 0198f2 phishing tlp-amber\n  rmm-analyst case tag 0198f2 phishing --remove"
    )]
    Tag {
        /// The case (id or unique prefix)
        case: String,
        /// The tags
        #[arg(required = true, value_name = "TAG")]
        tags: Vec<String>,
        /// Remove them
        #[arg(long)]
        remove: bool,
    },
    /// Close a case; its open proposals expire
    #[command(after_long_help = "Examples:\n  rmm-analyst case close 0198f2")]
    Close {
        /// The case (id or unique prefix)
        case: String,
    },
    /// Open a closed case again
    #[command(after_long_help = "Examples:\n  rmm-analyst case reopen 0198f2")]
    Reopen {
        /// The case (id or unique prefix)
        case: String,
    },
    /// Hide a case; nothing is erased and --undo brings it back
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case delete 0198f2\n  rmm-analyst case delete 0198f2 --undo"
    )]
    Delete {
        /// The case (id or unique prefix)
        case: String,
        /// Bring it back
        #[arg(long)]
        undo: bool,
    },
    /// Erase a case for ever, with its evidence; that it was done is kept in the audit
    #[command(
        after_long_help = "Examples:\n  rmm-analyst case purge 0198f2ab-1c2d-7e3f-8a4b-5c6d7e8f9a0b --yes"
    )]
    Purge {
        /// The whole id of the case
        case: String,
        /// Do it without asking; needed where there is no terminal to ask on
        #[arg(long)]
        yes: bool,
    },
}

/// The forms of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A report to read
    Markdown,
    /// The case with its evidence as one JSON object
    Json,
    /// The event log, one event a line
    Jsonl,
    /// The ledger of look-ups as a table
    Csv,
    /// A STIX 2.1 bundle of the indicators, without TLP:RED ones
    Stix,
}

/// Runs the command. Returns the exit code: 3 when `verify` finds something wrong or could not check it.
///
/// # Errors
/// [`StoreError`], or the output cannot be written.
pub fn run(args: &CaseArgs, view: &View<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    match &args.command {
        CaseCommand::List {
            all,
            tag,
            limit,
            json,
        } => {
            let filter = CaseFilter {
                principal: Some(view.principal.clone()),
                deleted: *all,
                open_only: !*all,
                tag: tag.clone(),
                limit: u32::try_from(*limit).unwrap_or(u32::MAX),
            };
            list(&filter, *json, view, out)
        }
        CaseCommand::Show { case, json } => show(case, *json, view, out),
        CaseCommand::Search { words, limit, json } => {
            search(&words.join(" "), *limit, *json, view, out)
        }
        CaseCommand::Export {
            case,
            format,
            out: file,
        } => {
            let text = view.with(case, |r, id| r.export(id, format.form()))?;
            match file {
                Some(file) => write_new(file, text.as_bytes())?,
                None => out.write_all(text.as_bytes())?,
            }
            Ok(0)
        }
        CaseCommand::Verify { case, json } => verify(case.as_deref(), *json, view, out),
        CaseCommand::Fork { case, turn, title } => {
            let id = view.find(case)?;
            let turn = match turn {
                Some(turn) => *turn,
                None => view.store.read(|r| r.summary(&id))?.turns,
            };
            let (title, who, now) = (title.clone(), view.principal.name.clone(), view.now_ms);
            let new = view
                .store
                .write(move |tx| tx.fork(&id, turn, title.as_deref(), &who, now))?;
            writeln!(out, "{new}")?;
            Ok(0)
        }
        CaseCommand::Rename { case, title } => {
            let title = title.clone();
            edit(view, case, move |tx, id, now| tx.rename(id, &title, now))?;
            Ok(0)
        }
        CaseCommand::Tag { case, tags, remove } => {
            let (add, off) = if *remove {
                (Vec::new(), tags.clone())
            } else {
                (tags.clone(), Vec::new())
            };
            edit(view, case, move |tx, id, now| tx.tag(id, &add, &off, now))?;
            Ok(0)
        }
        CaseCommand::Close { case } => {
            edit(view, case, |tx, id, now| tx.close(id, now))?;
            Ok(0)
        }
        CaseCommand::Reopen { case } => {
            edit(view, case, |tx, id, now| tx.reopen(id, now))?;
            Ok(0)
        }
        CaseCommand::Delete { case, undo } => {
            let (undo, who) = (*undo, view.principal.name.clone());
            let id = edit(view, case, move |tx, id, now| {
                if undo {
                    tx.undelete(id, &who, now)
                } else {
                    tx.delete(id, &who, now)
                }
            })?;
            if !undo {
                let short = id.short();
                writeln!(
                    out,
                    "Case {short} is deleted. It comes back with: rmm-analyst case delete {short} --undo"
                )?;
            }
            Ok(0)
        }
        CaseCommand::Purge { case, yes } => purge(case, *yes, view, out),
    }
}

impl ExportFormat {
    const fn form(self) -> Format {
        match self {
            Self::Markdown => Format::Markdown,
            Self::Json => Format::Json,
            Self::Jsonl => Format::Jsonl,
            Self::Csv => Format::Csv,
            Self::Stix => Format::Stix,
        }
    }
}

fn edit<T: Send + 'static>(
    view: &View<'_>,
    case: &str,
    f: impl FnOnce(&mut crate::store::Tx<'_>, &CaseId, i64) -> Result<T, StoreError> + Send + 'static,
) -> Result<CaseId, StoreError> {
    let (id, now) = (view.find(case)?, view.now_ms);
    let at = id.clone();
    view.store.write(move |tx| f(tx, &at, now))?;
    Ok(id)
}

fn write_new(file: &std::path::Path, text: &[u8]) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    // A case is nobody else's business until its owner passes it on.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let shown = file.display();
    let mut open = match options.open(file) {
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(StoreError::Refused(format!(
                "{shown} exists and is kept; name another file"
            )));
        }
        opened => {
            opened.map_err(|e| StoreError::Refused(format!("{shown} cannot be made: {e}")))?
        }
    };
    open.write_all(text).map_err(|e| {
        // Half a report is worse than none.
        let _ = std::fs::remove_file(file);
        StoreError::Refused(format!("{shown} cannot be written: {e}"))
    })
}

/// The state of a case in a word.
fn state_word(s: &CaseSummary) -> &'static str {
    match (s.deleted, s.running, s.closed, s.interrupted) {
        (true, ..) => "deleted",
        (_, true, ..) => "running",
        (_, _, true, _) => "closed",
        (_, _, _, true) => "interrupted",
        _ => "open",
    }
}

fn list(
    filter: &CaseFilter,
    as_json: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let cases = view.store.read(|r| r.list_cases(filter))?;
    if as_json {
        json(out, &cases)?;
        return Ok(0);
    }
    if cases.is_empty() {
        writeln!(out, "No cases. `rmm-analyst ask \"…\"` opens one.")?;
        return Ok(0);
    }
    let defang = Defang::plain();
    let rows: Vec<Vec<String>> = cases
        .iter()
        .map(|c| {
            vec![
                c.short.clone(),
                local(c.last_ms),
                state_word(c).into(),
                c.turns.to_string(),
                c.open_proposals.to_string(),
                view.line(&defang, &c.tags.join(","), 30),
                view.line(&defang, &c.title, 70),
            ]
        })
        .collect();
    table(
        out,
        &["case", "last", "state", "turns", "waiting", "tags", "title"],
        &rows,
    )?;
    Ok(0)
}

fn search(
    query: &str,
    limit: usize,
    as_json: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut hits = view.store.read(|r| r.search(query, view.principal))?;
    hits.truncate(limit);
    if as_json {
        let all: Vec<Value> = hits
            .iter()
            .map(|h| {
                value!({
                    "case": h.case, "short": h.case.short(), "title": h.title,
                    "kind": h.kind, "n": if h.n == 0 { None } else { Some(h.n) },
                    "snippet": h.snippet, "matched": h.matched,
                })
            })
            .collect();
        json(out, &all)?;
        return Ok(0);
    }
    if hits.is_empty() {
        writeln!(out, "Nothing found.")?;
    }
    let defang = Defang::plain();
    for h in hits {
        let place = match (h.kind.as_str(), h.n) {
            ("evidence", n) => format!("E{n}"),
            ("proposal", n) => format!("proposal {n}"),
            (kind, 0) => kind.to_owned(),
            (kind, n) => format!("turn {n}, {kind}"),
        };
        let title = view.line(&defang, h.title.as_str(), 60);
        writeln!(out, "{}  {place}  {title}", h.case.short())?;
        writeln!(out, "    {}", view.line(&defang, h.snippet.as_str(), 160))?;
    }
    Ok(0)
}

fn verify(
    case: Option<&str>,
    as_json: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let found = match case {
        Some(case) => view.with(case, |r, id| r.verify(Some(id)))?,
        None => view.store.read(|r| r.verify(None))?,
    };
    let code = if found.ok() { 0 } else { 3 };
    if as_json {
        json(out, &found.problems)?;
        return Ok(code);
    }
    for p in &found.problems {
        let place = p.case.as_ref().map_or("file", CaseId::short);
        let label = if p.kind.is_damage() {
            "PROBLEM"
        } else if p.kind == crate::store::ProblemKind::Notice {
            "note"
        } else {
            "warning"
        };
        writeln!(out, "{label}  {place}  {}", screen(&p.what))?;
    }
    let verdict = match (code, found.problems.iter().any(|p| p.kind.is_damage())) {
        (0, _) => "intact",
        (_, true) => "NOT intact",
        _ => "not fully verified",
    };
    writeln!(
        out,
        "{verdict}: {} cases, {} events ({} keyed), {} pieces of evidence",
        found.cases, found.events, found.keyed, found.evidence
    )?;
    Ok(code)
}

fn purge(case: &str, yes: bool, view: &View<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    // Nothing brings a purged case back: a prefix is not enough.
    let Some(id) = CaseId::parse(case) else {
        return Err(StoreError::Refused(
            "`purge` needs the whole id of the case; `case show` prints it".into(),
        )
        .into());
    };
    let id = view.find(id.as_str())?;
    if !yes {
        return Err(StoreError::Refused(format!(
            "purging case {} erases it for ever; say --yes if that is meant",
            id.short()
        ))
        .into());
    }
    view.store.purge(&id, &view.principal.name, view.now_ms)?;
    writeln!(
        out,
        "Case {id} is erased. Backups and answers in the cache are not touched."
    )?;
    Ok(0)
}

fn show(case: &str, as_json: bool, view: &View<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    let (summary, state) = view.with(case, |r, id| Ok((r.summary(id)?, r.case(id)?)))?;
    if as_json {
        json(out, &case_json(&summary, &state))?;
        return Ok(0);
    }
    let defang = Defang::of(&state);
    writeln!(out, "{}", view.line(&defang, &summary.title, 200))?;
    writeln!(out, "case {} (short: {})", summary.id, summary.short)?;
    writeln!(
        out,
        "owner {}, opened {}, last {}, {}",
        screen(&summary.principal),
        local(summary.created_ms),
        local(summary.last_ms),
        state_word(&summary)
    )?;
    if !summary.tags.is_empty() {
        writeln!(out, "tags {}", screen(&summary.tags.join(", ")))?;
    }
    for turn in &state.turns {
        writeln!(out)?;
        show_turn(turn, &state, &defang, view, out)?;
    }
    let open: Vec<String> = state.open_proposals().map(|p| p.n.to_string()).collect();
    if !open.is_empty() {
        writeln!(
            out,
            "\nWaiting: approve with `rmm-analyst approve {}`, or deny",
            open.join(" ")
        )?;
    }
    Ok(0)
}

fn show_turn(
    turn: &Turn,
    state: &CaseState,
    defang: &Defang,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "Turn {}, {}", turn.n, local(turn.at_ms))?;
    for line in turn.text.as_str().lines() {
        writeln!(out, "  > {}", view.text(defang, line))?;
    }
    for a in &turn.attachments {
        let name = view.line(defang, &a.name, 60);
        writeln!(out, "  attached: {name}, {}", bytes(a.bytes))?;
    }
    for c in &turn.calls {
        let evidence = c.evidence.map(|e| format!(" [E{e}]")).unwrap_or_default();
        writeln!(
            out,
            "  {}. {} {}: {}{evidence}",
            c.n,
            view.line(defang, c.tool.as_str(), 40),
            view.line(defang, c.argument.as_str(), 80),
            view.line(defang, &outcome_words(c), 120)
        )?;
    }
    if turn.refused_more > 0 {
        writeln!(out, "  and {} more refused calls", turn.refused_more)?;
    }
    if let Some(answer) = &turn.answer {
        writeln!(out)?;
        for line in answer.as_str().lines() {
            writeln!(out, "  {}", view.text(defang, line))?;
        }
    }
    for m in &turn.unsupported {
        let (text, why) = (
            view.line(defang, &m.text, 80),
            view.line(defang, &m.why, 80),
        );
        writeln!(out, "  not in evidence: {text} ({why})")?;
    }
    for n in &turn.proposals {
        let Some(p) = state.proposals.get(n) else {
            continue;
        };
        let why = view.line(defang, p.why.as_str(), 100);
        let what = view.indicator(&p.indicator);
        writeln!(out, "  proposal {n} ({}): {what}, {why}", p.state.name())?;
    }
    let mut end = turn.status.map_or("interrupted", |s| s.name()).to_owned();
    if let Some(error) = &turn.error {
        end.push_str(": ");
        end.push_str(&view.line(defang, error, 160));
    }
    writeln!(out, "  -- {end}")?;
    Ok(())
}

fn indicators<'a>(all: impl Iterator<Item = &'a kit::indicator::Indicator>) -> Vec<Value> {
    all.map(|i| value!({ "type": i.kind().name(), "value": i.value() }))
        .collect()
}

/// The names of `ask --json` where they mean the same.
fn case_json(summary: &CaseSummary, state: &CaseState) -> Value {
    let turns: Vec<Value> = state.turns.iter().map(turn_json).collect();
    let proposals: Vec<Value> = state
        .proposals
        .values()
        .map(super::proposals::proposal_json)
        .collect();
    value!({
        "case": summary.id, "short": summary.short, "title": summary.title,
        "principal": summary.principal, "created_ms": summary.created_ms, "last_ms": summary.last_ms,
        "tags": summary.tags, "closed": summary.closed, "deleted": summary.deleted,
        "running": summary.running, "interrupted": summary.interrupted,
        "mode": state.mode, "case_used": state.used,
        "authorized": indicators(state.authorized.keys()),
        "denied": indicators(state.denied.iter()),
        "red": indicators(state.red.iter()),
        "proposals": proposals, "turns": turns,
    })
}

fn turn_json(turn: &Turn) -> Value {
    let ledger: Vec<Value> = turn
        .calls
        .iter()
        .map(|c| {
            let status = match c.status {
                Some(status) => Some(status.name()),
                None if c.in_flight() => Some("could_not_look"),
                None => None,
            };
            let detail = match &c.detail {
                None if c.in_flight() => Some("interrupted"),
                detail => detail.as_deref(),
            };
            value!({
                "n": c.n, "tool": c.tool, "argument": c.argument, "verdict": c.verdict.name(),
                "reason": c.reason, "status": status, "detail": detail,
                "evidence": c.evidence.map(|e| format!("E{e}")), "age_s": c.age_s, "ms": c.ms,
            })
        })
        .collect();
    value!({
        "turn": turn.n, "continues": if turn.root == turn.n { None } else { Some(turn.root) },
        "at_ms": turn.at_ms, "text": turn.text,
        "status": turn.status.map_or("interrupted", |s| s.name()),
        "planner": turn.planner, "model": turn.model, "tools_mode": turn.tools_mode,
        "answer": turn.answer, "unsupported": turn.unsupported, "ledger": ledger,
        "refused_more": turn.refused_more, "proposals": turn.proposals,
        "usage": turn.usage, "warnings": turn.warnings, "error": turn.error,
    })
}
