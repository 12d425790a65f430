//! `case`: the investigations. Here the arguments and which part carries them out:
//!
//! * `list` – finding cases; `show` – the story of one
//! * `keep` – what changes a case; `check` – its hash chain

mod check;
mod keep;
mod list;
mod show;

use crate::cli::view::View;
use crate::store::CaseFilter;
use crate::store::export::Format;
use clap::{Args, Subcommand, ValueEnum};
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
/// A store error, or the output cannot be written.
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
            list::list(&filter, *json, view, out)
        }
        CaseCommand::Show { case, json } => show::show(case, *json, view, out),
        CaseCommand::Search { words, limit, json } => {
            list::search(&words.join(" "), *limit, *json, view, out)
        }
        CaseCommand::Export {
            case,
            format,
            out: file,
        } => keep::export(case, format.form(), file.as_deref(), view, out),
        CaseCommand::Verify { case, json } => check::verify(case.as_deref(), *json, view, out),
        CaseCommand::Fork { case, turn, title } => {
            keep::fork(case, *turn, title.as_deref(), view, out)
        }
        CaseCommand::Rename { case, title } => keep::rename(case, title, view),
        CaseCommand::Tag { case, tags, remove } => keep::tag(case, tags, *remove, view),
        CaseCommand::Close { case } => keep::close(case, view),
        CaseCommand::Reopen { case } => keep::reopen(case, view),
        CaseCommand::Delete { case, undo } => keep::delete(case, *undo, view, out),
        CaseCommand::Purge { case, yes } => keep::purge(case, *yes, view, out),
    }
}

impl CaseArgs {
    /// Whether something is written, perhaps words of a person: then every secret of the installation must
    /// be known first, and the log says what was done.
    #[must_use]
    pub const fn writes(&self) -> bool {
        !matches!(
            self.command,
            CaseCommand::List { .. }
                | CaseCommand::Show { .. }
                | CaseCommand::Search { .. }
                | CaseCommand::Export { .. }
                | CaseCommand::Verify { .. }
        )
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
