//! `man`: the manual, one page a command, from the same tree as the help.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::Own;
use crate::cli::session::Session;
use clap::Args;
use clap_mangen::roff::{Roff, bold, roman};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst man | man -l -
  rmm-analyst man --dir ~/.local/share/man";

/// The hand-written page of the configuration, section 5.
const CONFIGURATION: &[u8] = include_bytes!("../../man/rmm-analyst.5");

const ENVIRONMENT: &str = "\
RMM_ANALYST_CONFIG              configuration file, as --config
RMM_ANALYST_DATA_DIR            data directory, as --data-dir
RMM_ANALYST_SECRET_<NAME>       the value of a secret
RMM_ANALYST_<SECTION>_<KEY>     a key of the configuration, see rmm-analyst(5)
NO_COLOR                        no colour, unless --color always";

/// Print the manual page, or write all of them to a directory
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ManArgs {
    /// Write one page a command, and rmm-analyst.5, to this directory
    ///
    /// Where it is the root of a manual (its name is `man`, or it has a man1), each page goes into man1 or man5 below it, where man(1) looks; else all of them go into the directory itself.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Every page: file name and content, in the order of the tree.
///
/// # Errors
/// Writing to memory failed.
pub fn pages() -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut root = crate::cli::command().disable_help_subcommand(true);
    root.build();
    let mut pages = Vec::new();
    collect(&root, "rmm-analyst", &mut pages)
        .map_err(|e| Error::internal("a manual page could not be made").why(e.to_string()))?;
    pages.push(("rmm-analyst.5".to_owned(), CONFIGURATION.to_vec()));
    Ok(pages)
}

fn collect(
    command: &clap::Command,
    name: &str,
    pages: &mut Vec<(String, Vec<u8>)>,
) -> std::io::Result<()> {
    pages.push((format!("{name}.1"), page(command, name)?));
    for sub in command.get_subcommands() {
        collect(sub, &format!("{name}-{}", sub.get_name()), pages)?;
    }
    Ok(())
}

fn page(command: &clap::Command, name: &str) -> std::io::Result<Vec<u8>> {
    let source = format!("rmm-analyst {}", env!("CARGO_PKG_VERSION"));
    let examples = command
        .get_after_long_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let titled = command.clone().display_name(name.to_owned());
    let man = clap_mangen::Man::new(titled)
        .source(source)
        .manual("rmm-analyst");
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    synopsis(&mut bytes, command, name)?;
    man.render_description_section(&mut bytes)?;
    man.render_options_section(&mut bytes)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut bytes)?;
    }
    if let Some(examples) = examples.strip_prefix("Examples:\n") {
        section(&mut bytes, "EXAMPLES", examples)?;
    }
    if name == "rmm-analyst" {
        section(&mut bytes, "KEYS", &crate::tui::keys::manual())?;
        section(&mut bytes, "EXIT STATUS", &exit_status())?;
        section(&mut bytes, "ENVIRONMENT", ENVIRONMENT)?;
    }
    see_also(&mut bytes, name)?;
    Ok(bytes)
}

/// The usage line of the help, for it names the values too.
fn synopsis(bytes: &mut Vec<u8>, command: &clap::Command, name: &str) -> std::io::Result<()> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let spoken = name.replacen("rmm-analyst-", "rmm-analyst ", 1);
    let rest = usage
        .split_once(['[', '<'])
        .map_or("", |(words, _)| &usage[words.len()..]);
    let words = usage.strip_suffix(rest).unwrap_or(usage).trim();
    let head = if words.is_empty() {
        spoken.as_str()
    } else {
        words
    };
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([bold(head), roman(" "), roman(rest)]);
    roff.to_writer(bytes)
}

/// The exit codes, in the order in which they apply.
fn exit_status() -> String {
    let meaning = |exit: Exit| match exit {
        Exit::Ok => "answered, done, nothing failed",
        Exit::Internal => "a defect of the program",
        Exit::Usage => "the command line or the input is wrong",
        Exit::Config => "configuration, secret or database",
        Exit::ModelUnreachable => "the model cannot be reached (with fallback_to_rules = false)",
        Exit::NoToolCalls => "the model cannot call tools",
        Exit::Waiting => "proposals of this turn are open",
        Exit::Budget => "the budget is spent and there is no answer",
        Exit::AllSourcesFailed => "there was something to look up and every source failed",
        Exit::Busy => "the case is busy in another process",
        Exit::Interrupted => "interrupted",
    };
    let mut text = String::from("The first that applies:\n");
    for exit in Exit::ORDER {
        text.push_str(&format!("  {:>3}  {}\n", exit.code(), meaning(exit)));
    }
    text
}

/// A section of lines that stay as they are.
fn section(bytes: &mut Vec<u8>, head: &str, text: &str) -> std::io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", [head]).control("nf", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.to_writer(bytes)
}

fn see_also(bytes: &mut Vec<u8>, name: &str) -> std::io::Result<()> {
    bytes.write_all(b".SH \"SEE ALSO\"\n")?;
    if name != "rmm-analyst" {
        bytes.write_all(b".BR rmm\\-analyst (1),\n")?;
    }
    bytes.write_all(b".BR rmm\\-analyst (5)\n")
}

/// Runs the command.
///
/// # Errors
/// The directory cannot be written, or the output.
pub fn run(args: &ManArgs, session: &mut Session) -> Result<Exit, Error> {
    let pages = pages()?;
    let Some(dir) = &args.dir else {
        if let Some((_, first)) = pages.first() {
            session.out.generated(first)?;
        }
        return Ok(Exit::Ok);
    };
    let failed = |e: std::io::Error| {
        Error::config(format!("the manual cannot be written to {}", dir.display()))
            .why(e.to_string())
            .hint("name a directory that you may write to")
    };
    let root = is_root(dir);
    for (name, page) in &pages {
        let place = match name.rsplit_once('.') {
            Some((_, section)) if root => dir.join(format!("man{section}")),
            _ => dir.clone(),
        };
        std::fs::create_dir_all(&place).map_err(failed)?;
        std::fs::write(place.join(name), page).map_err(failed)?;
    }
    session
        .out
        .note(Own(format!("{} pages in {}", pages.len(), dir.display())));
    Ok(Exit::Ok)
}

/// Whether a directory is the root of a manual, with a directory for each section.
fn is_root(dir: &Path) -> bool {
    dir.file_name().is_some_and(|name| name == "man") || dir.join("man1").is_dir()
}
