//! Runs the investigations and prints how they went.

use super::bench::{Bench, Scratch, Server};
use super::cases::ALL;
use super::scenario::{Scenario, Score, Step, score};
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::output::{Output, Own, Style, Text};
use crate::cli::session::Session;
use crate::engine::connect::ModelWish;
use crate::engine::{AskInput, CaseChoice, Engine, RawAttachment, TurnReport};
use serde::Serialize;

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    prompt_version: &'static str,
    model: Option<&'a Server>,
    total: &'a Total,
    scenarios: &'a [Score],
}

/// Sums over the investigations that ran.
#[derive(Debug, Default, Serialize)]
struct Total {
    scenarios: usize,
    all_right: usize,
    look_ups_wanted: usize,
    look_ups_made: usize,
    refused: u64,
    let_through: usize,
    answers: usize,
    answers_unsupported: usize,
    answers_misleading: usize,
    answers_say_the_fact: usize,
    proposals_wanted: usize,
    proposals_made: usize,
    proposals_wrong: usize,
    prompt_tokens: u64,
    cached_tokens: Option<u64>,
    completion_tokens: u64,
    ms: u64,
}

impl Total {
    fn of(scores: &[Score]) -> Self {
        let mut out = Self::default();
        for s in scores {
            out.scenarios += 1;
            out.all_right += usize::from(s.faults().is_empty());
            out.look_ups_wanted += s.wanted;
            out.look_ups_made += s.made;
            out.refused += s.refused;
            out.let_through += s.let_through;
            out.answers += s.answers;
            out.answers_unsupported += s.unsupported;
            out.answers_misleading += s.misleading;
            out.answers_say_the_fact += usize::from(s.says);
            out.proposals_wanted += s.proposals_wanted;
            out.proposals_made += s.proposals_made;
            out.proposals_wrong += s.proposals_wrong;
            out.prompt_tokens += s.prompt_tokens;
            if let Some(cached) = s.cached_tokens {
                out.cached_tokens = Some(out.cached_tokens.unwrap_or(0) + cached);
            }
            out.completion_tokens += s.completion_tokens;
            out.ms += s.ms;
        }
        out
    }
}

/// Runs the command.
///
/// # Errors
/// As [`super::run`].
pub(super) async fn run(
    only: &[usize],
    wish: &ModelWish,
    json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    if let Some(n) = only.iter().find(|n| **n == 0 || **n > ALL.len()) {
        return Err(Error::user(format!("there is no investigation {n}"))
            .hint(format!("they are numbered 1 to {}", ALL.len())));
    }
    let bench = Bench::start(wish, session).await?;
    if !json {
        head(bench.server.as_ref(), &mut session.out)?;
    }
    let mut scores = Vec::new();
    for (i, scenario) in ALL.iter().enumerate() {
        let n = i + 1;
        if !only.is_empty() && !only.contains(&n) {
            continue;
        }
        session.out.progress(Own(format!("{n}: {}", scenario.name)));
        let turns = investigate(&bench, scenario).await?;
        let got = score(n, scenario, &turns, &bench.sources.asked());
        if !json {
            line(&got, &mut session.out)?;
            // A long run is read while it goes on.
            session.out.flush()?;
        }
        scores.push(got);
    }
    let total = Total::of(&scores);
    if json {
        session.out.json(&Report {
            prompt_version: crate::engine::PROMPT_VERSION,
            model: bench.server.as_ref(),
            total: &total,
            scenarios: &scores,
        })?;
    } else {
        sums(&total, &mut session.out)?;
    }
    Ok(if total.let_through > 0 {
        Exit::Internal
    } else {
        Exit::Ok
    })
}

async fn investigate(bench: &Bench, scenario: &Scenario) -> Result<Vec<TurnReport>, Error> {
    bench.sources.script(scenario.answers);
    let scratch = Scratch::new()?;
    let engine = bench.engine(
        scenario.sources,
        scenario.no_key,
        scenario.budget,
        scratch.path(),
    )?;
    let mut turns: Vec<TurnReport> = Vec::new();
    for step in scenario.steps {
        let case = turns.last().map_or(CaseChoice::New, |t| {
            CaseChoice::Id(t.case.as_str().to_owned())
        });
        let (text, attached, continuation) = match step {
            Step::Ask(text) => (*text, None, false),
            Step::AskWith(text, input) => (*text, Some(*input), false),
            Step::Approve(values) => {
                if !approve(&engine, turns.last(), values)? {
                    // What should be approved was never proposed: the score shows it.
                    break;
                }
                ("", None, true)
            }
        };
        let input = AskInput {
            case,
            text: text.to_owned(),
            attachments: attached
                .map(|text| RawAttachment {
                    name: "stdin".to_owned(),
                    text: text.to_owned(),
                })
                .into_iter()
                .collect(),
            authorize_input: false,
            continuation,
            mode: None,
            fresh: false,
            as_is: false,
            model: bench.wish.clone(),
            surface: "cli",
        };
        let report = engine.ask(input, open::interrupted(), &mut |_| {}).await?;
        if report.exit_code() == Exit::Interrupted.code() {
            return Err(Error::interrupted());
        }
        turns.push(report);
    }
    Ok(turns)
}

/// Approves what is open of these values; false when nothing is.
fn approve(engine: &Engine, last: Option<&TurnReport>, values: &[&str]) -> Result<bool, Error> {
    let numbers: Vec<u64> = last
        .into_iter()
        .flat_map(|t| t.state.open_proposals())
        .filter(|p| values.contains(&p.indicator.value()))
        .map(|p| p.n)
        .collect();
    let decided = engine.decide(None, &numbers, true, None, "cli")?;
    Ok(!decided.is_empty())
}

/// Which model is measured.
pub(super) fn head(server: Option<&Server>, out: &mut Output) -> Result<(), Error> {
    let Some(s) = server else {
        return out.line("no model: the built-in rules choose the look-ups");
    };
    let window = s
        .context
        .map_or_else(|| "window unknown".to_owned(), |n| format!("{n} tokens"));
    let text = out.outside(format!(
        "{} {} · {} · {window} · {} tool calls · prompt {}",
        s.server,
        s.version,
        s.model,
        s.tools,
        crate::engine::PROMPT_VERSION
    ));
    out.line(text)
}

fn line(s: &Score, out: &mut Output) -> Result<(), Error> {
    let faults = s.faults();
    let (style, word) = match (faults.is_empty(), s.let_through) {
        (true, _) => (Style::Green, "ok  "),
        (false, 0) => (Style::Yellow, "weak"),
        (false, _) => (Style::Red, "FAIL"),
    };
    let cached = s
        .cached_tokens
        .map_or_else(|| "?".to_owned(), |c| c.to_string());
    let tokens = if s.prompt_tokens == 0 {
        String::new()
    } else {
        format!(
            ", {}/{cached}/{} tokens",
            s.prompt_tokens, s.completion_tokens
        )
    };
    let refused = match s.refused {
        0 => String::new(),
        n => format!(", {n} refused"),
    };
    let facts = format!(
        "look-ups {}/{}{refused}{tokens}, {}.{} s",
        s.made,
        s.wanted,
        s.ms / 1000,
        s.ms % 1000 / 100
    );
    let text = Text::new()
        .then(Own(format!("{:>2}  ", s.n)))
        .styled(style, word)
        .then(Own(format!("  {:32}  ", s.name)))
        .styled(Style::Dim, Own(facts));
    let text = if faults.is_empty() {
        text
    } else {
        text.then(Own(format!("  [{}]", faults.join("; "))))
    };
    out.line(text)
}

fn sums(t: &Total, out: &mut Output) -> Result<(), Error> {
    out.line("")?;
    let cached = t
        .cached_tokens
        .map_or_else(|| "not said".to_owned(), |c| c.to_string());
    let rows = [
        (
            "investigations all right",
            format!("{} of {}", t.all_right, t.scenarios),
        ),
        (
            "right look-ups made",
            format!("{} of {}", t.look_ups_made, t.look_ups_wanted),
        ),
        (
            "wrong look-ups",
            format!("{} refused, {} let through", t.refused, t.let_through),
        ),
        (
            "right proposals",
            format!(
                "{} of {}, {} wrong",
                t.proposals_made, t.proposals_wanted, t.proposals_wrong
            ),
        ),
        (
            "answers that say the fact",
            format!("{} of {}", t.answers_say_the_fact, t.scenarios),
        ),
        (
            "answers with unsupported claims",
            format!("{} of {}", t.answers_unsupported, t.answers),
        ),
        (
            "misleading answers",
            format!("{} of {}", t.answers_misleading, t.answers),
        ),
        (
            "tokens",
            format!(
                "{} prompt, of them cached {cached}; {} written",
                t.prompt_tokens, t.completion_tokens
            ),
        ),
        ("seconds", format!("{}.{}", t.ms / 1000, t.ms % 1000 / 100)),
    ];
    for (name, value) in rows {
        out.line(Own(format!("{name:32}  {value}")))?;
    }
    Ok(())
}
