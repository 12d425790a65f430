//! What the model server reads again in each turn of a growing case, as it counts it: the prompt is built
//! so that its beginning stays the same, and this shows whether the server's prefix cache can use that.

use super::bench::{Bench, Scratch};
use super::eval::head;
use super::scenario::Answer;
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::output::Own;
use crate::cli::session::Session;
use crate::engine::connect::ModelWish;
use crate::engine::{AskInput, CaseChoice, Progress};
use serde::Serialize;

/// More turns than this would leave the documentation range that the questions name.
const TURNS: u32 = 50;

/// One turn.
#[derive(Clone, Copy, Debug, Serialize)]
struct Turn {
    turn: u32,
    rounds: u32,
    /// Tokens of the first round's prompt: the case so far and the question.
    prompt: u32,
    /// Of those, from the cache.
    cached: Option<u32>,
    /// Of those, read anew.
    new: Option<u32>,
    /// Read anew in all rounds of the turn.
    new_all: Option<u32>,
    ms: u64,
}

const PORTS: &[Answer] = &[Answer::body(
    "internetdb",
    "203.0.113.",
    r#"{"cpes":["cpe:/a:openbsd:openssh:8.2p1"],"hostnames":["host.example.net"],"ip":"203.0.113.1","ports":[22,443],"tags":["self-signed"],"vulns":[]}"#,
)];

/// Runs the command.
///
/// # Errors
/// As [`super::run`].
pub(super) async fn run(
    turns: u32,
    wish: &ModelWish,
    json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    if turns == 0 || turns > TURNS {
        return Err(Error::user(format!("--prefix takes 1 to {TURNS} turns")));
    }
    let bench = Bench::start(wish, session).await?;
    bench.sources.script(PORTS);
    let scratch = Scratch::new()?;
    let engine = bench.engine(&["internetdb"], &[], 0, scratch.path())?;
    if !json {
        head(bench.server.as_ref(), &mut session.out)?;
        session
            .out
            .line("turn  rounds  prompt  cached     new  new in all rounds  seconds")?;
    }
    let mut rows: Vec<Turn> = Vec::new();
    let mut case = CaseChoice::New;
    for turn in 1..=turns {
        let input = AskInput {
            case,
            text: format!("What runs on 203.0.113.{turn}?"),
            attachments: Vec::new(),
            authorize_input: false,
            continuation: false,
            mode: None,
            fresh: false,
            as_is: false,
            model: bench.wish.clone(),
            surface: "cli",
        };
        let mut rounds: Vec<(u32, Option<u32>)> = Vec::new();
        let mut on = |p: Progress| {
            if let Progress::Round { prompt, cached, .. } = p {
                rounds.push((prompt, cached));
            }
        };
        let report = engine.ask(input, open::interrupted(), &mut on).await?;
        if report.exit_code() == Exit::Interrupted.code() {
            return Err(Error::interrupted());
        }
        case = CaseChoice::Id(report.case.as_str().to_owned());
        let new = |(prompt, cached): (u32, Option<u32>)| Some(prompt.saturating_sub(cached?));
        let Some(first) = rounds.first().copied() else {
            return Err(
                Error::model("the server counts no tokens, so nothing can be shown")
                    .hint("use a server that reports usage: llama.cpp, vLLM, Ollama"),
            );
        };
        let row = Turn {
            turn,
            rounds: u32::try_from(rounds.len()).unwrap_or(u32::MAX),
            prompt: first.0,
            cached: first.1,
            new: new(first),
            new_all: rounds
                .iter()
                .map(|r| new(*r))
                .try_fold(0_u32, |sum, n| Some(sum.saturating_add(n?))),
            ms: report.turn.usage.ms,
        };
        if !json {
            let number = |n: Option<u32>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
            session.out.line(Own(format!(
                "{turn:>4}  {:>6}  {:>6}  {:>6}  {:>6}  {:>17}  {:>7}",
                row.rounds,
                row.prompt,
                number(row.cached),
                number(row.new),
                number(row.new_all),
                format!("{}.{}", row.ms / 1000, row.ms % 1000 / 100),
            )))?;
            session.out.flush()?;
        }
        rows.push(row);
    }
    if json {
        let value = serde_json::json!({"model": bench.server, "turns": rows});
        session.out.json(&value)?;
    }
    Ok(Exit::Ok)
}
