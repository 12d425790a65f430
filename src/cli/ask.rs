//! `ask`: one question, one investigated answer.

use crate::case::{Mode, TurnStatus};
use crate::cli::error::{Error, ErrorJson};
use crate::cli::exit::Exit;
use crate::cli::output::{Output, Own, Style, Text};
use crate::cli::session::Session;
use crate::cli::view::View;
use crate::cli::{input, open, render};
use crate::engine::connect::ModelWish;
use crate::engine::own_words::MODEL_ELSEWHERE;
use crate::engine::{AskInput, CaseChoice, Engine, Progress, RawAttachment, TurnReport};
use clap::Args;
use std::future::Future;
use std::io::IsTerminal as _;
use std::pin::Pin;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst ask \"what do you make of 203.0.113.7?\"
      Looks up what the question names and answers from the evidence.
  cat alert.txt | rmm-analyst ask \"check these\" --json
      Attaches the alert as evidence; its indicators become open pivots (exit 6).
  cat alert.txt | rmm-analyst ask \"check these\" --authorize-input
      The same, and the indicators of the alert may be looked up.
  rmm-analyst ask --case 0198 --continue
      Goes on with a case after its proposals were decided.
  while read -r host; do rmm-analyst ask --no-input \"is $host known?\"; done < hosts.txt
      In a loop, --no-input keeps `ask` from reading the list itself.
  rmm-analyst ask --send-unredacted \"is token=tok-4f9c2e71 in this log line ours?\"
      The model gets these words as they stand, token included.";

/// Ask a question and get an answer that rests on evidence
///
/// Indicators that the question names may be looked up; what turns up on the way becomes a numbered proposal that waits for `approve` or `deny`. Without a model the answer is made by rules, through the same gate.
///
/// When standard input is a pipe or a file it is read too and attached to the case as evidence text. Its indicators are listed as open pivots (the first 10; the rest are mentioned) and none is looked up, unless --authorize-input says so.
///
/// Exit codes, first that applies: 130 interrupted, 1 internal, 2 usage, 3 configuration, secret or database, 4 model unreachable (only with fallback_to_rules = false), 5 model cannot call tools, 9 case busy in another process, 6 proposals of this turn are open, 7 budget spent and no answer, 8 every source failed, 0 answered.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct AskArgs {
    /// The question; `-` reads it from standard input
    pub question: Option<String>,

    /// Ask in this case (id or unique prefix)
    #[arg(long, value_name = "ID", conflicts_with = "new")]
    pub case: Option<String>,

    /// Open a new case
    ///
    /// This is also what happens when neither --case nor --continue is given.
    #[arg(long, conflicts_with = "continue_turn")]
    pub new: bool,

    /// Go on with the last turn of the case, with what was approved since
    ///
    /// Without --case it is the case that was worked on last.
    #[arg(long = "continue")]
    pub continue_turn: bool,

    /// Show the evidence of each source as it comes; kept for the case
    #[arg(long, conflicts_with = "brief")]
    pub full: bool,

    /// Show the narrative and the footer only; kept for the case
    #[arg(long)]
    pub brief: bool,

    /// Print one JSON object, whatever happens
    #[arg(long)]
    pub json: bool,

    /// Do not read standard input
    #[arg(long)]
    pub no_input: bool,

    /// Indicators in standard input may be looked up as if the question named them
    #[arg(long)]
    pub authorize_input: bool,

    /// Send the question to the model as you wrote it, secrets in it included
    ///
    /// Without it, what looks like a password, a key or a token in the question is hidden from the model, and a line on standard error says so. It holds for this one question, not for standard input. Never sent: the secrets of this program (`secret list`) and what `[redact] extra_patterns` match. Refused when the model runs on another machine. The case keeps the question as it was sent, so that the model sees the same in later turns; screens and exports show it redacted.
    #[arg(long, conflicts_with = "no_model")]
    pub send_unredacted: bool,

    /// Answer by rules even where a model is configured
    #[arg(long, conflicts_with_all = ["model", "base_url"])]
    pub no_model: bool,

    /// Use this model instead of the configured one
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,

    /// Use this model server instead of the configured one
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
}

/// How long standard input may be silent before a line says what is waited for.
const SILENCE: Duration = Duration::from_secs(2);

/// Runs the command.
///
/// # Errors
/// What kept the turn from running; how the turn itself ended is the exit code.
pub fn run(args: AskArgs, session: &mut Session) -> Result<Exit, Error> {
    // From here on Ctrl-C ends the turn, not the process, so that `--json` has its object and the case its end.
    let runtime = open::runtime()?;
    let stop = {
        let _inside = runtime.enter();
        open::interrupted()
    };
    let mut stop = std::pin::pin!(stop);
    let (text, attachments) = runtime.block_on(question(&args, stop.as_mut(), &mut session.out))?;
    let continuation = args.continue_turn && text.trim().is_empty() && attachments.is_empty();
    if text.trim().is_empty() && attachments.is_empty() && !continuation {
        return Err(Error::user("there is no question")
            .why("it is empty or blank")
            .hint("for example: rmm-analyst ask \"what do you make of 203.0.113.7?\""));
    }
    if args.send_unredacted && text.trim().is_empty() {
        return Err(Error::user("--send-unredacted has nothing to send")
            .why("it is for the question's own words; standard input is always redacted")
            .hint(
                "give the question as an argument: rmm-analyst ask --send-unredacted \"QUESTION\"",
            ));
    }
    if let Some(url) = &args.base_url {
        open::check_base_url(url)?;
    }
    let (engine, loaded) = session.engine(&[])?;
    engine.sweep_actions()?;
    let hidden = engine.own_words().hidden(&text);
    let input = AskInput {
        case: match &args.case {
            Some(id) => CaseChoice::Id(id.clone()),
            None if args.continue_turn => CaseChoice::Last,
            None => CaseChoice::New,
        },
        text,
        attachments,
        authorize_input: args.authorize_input,
        continuation,
        mode: match (args.full, args.brief) {
            (true, _) => Some(Mode::Full),
            (_, true) => Some(Mode::Brief),
            _ => None,
        },
        fresh: false,
        as_is: args.send_unredacted,
        model: ModelWish {
            no_model: args.no_model,
            name: args.model.clone(),
            base_url: args.base_url.clone(),
        },
        surface: "cli",
    };
    let out = &mut session.out;
    let report = runtime.block_on(async {
        let mut on = |p: Progress| progress(out, &p);
        engine.ask(input, stop, &mut on).await
    })?;
    if args.json {
        session.out.json(&report.json())?;
    } else {
        print(&engine, &report, loaded.config.ui.defang, &mut session.out)?;
    }
    let elsewhere = |w: &String| w.starts_with(MODEL_ELSEWHERE);
    if !args.send_unredacted
        && hidden.may_be_sent()
        && report.turn.model.is_some()
        && !report.turn.warnings.iter().any(elsewhere)
    {
        session.out.note(Own(format!(
            "hidden from the model in your question: {}; to ask with your words as they stand: rmm-analyst ask --send-unredacted",
            hidden.words()
        )));
    }
    Ok(Exit::from_code(report.exit_code()))
}

/// The question and what comes with it. `ask -` takes standard input as the question: still not the
/// person's own words, so it authorizes nothing by itself.
async fn question(
    args: &AskArgs,
    stop: Pin<&mut impl Future<Output = ()>>,
    out: &mut Output,
) -> Result<(String, Vec<RawAttachment>), Error> {
    let attach = |text: String| RawAttachment {
        name: "stdin".to_owned(),
        text,
    };
    let (question, read) = match args.question.as_deref() {
        Some("-") if args.no_input => {
            return Err(Error::user("`-` and --no-input contradict each other")
                .hint("leave one of them out"));
        }
        Some("-") => (String::new(), true),
        question => {
            let leave_alone = args.no_input || args.continue_turn && question.is_none();
            (
                question.unwrap_or_default().to_owned(),
                !leave_alone && input::is_pipe_or_file(),
            )
        }
    };
    let mut attachments = Vec::new();
    if read {
        let text = standard_input(stop, out).await?;
        if !text.trim().is_empty() {
            attachments.push(attach(text));
        }
    }
    Ok((question, attachments))
}

/// Standard input, whole. Says what is waited for when nothing comes for a while; Ctrl-C ends the wait.
async fn standard_input(
    mut stop: Pin<&mut impl Future<Output = ()>>,
    out: &mut Output,
) -> Result<String, Error> {
    let (send, mut receive) = tokio::sync::oneshot::channel();
    if std::io::stdin().is_terminal() {
        out.progress("reading standard input; end it with Ctrl-D");
    }
    // The thread may stay in its read for ever; it ends with the process.
    std::thread::spawn(move || {
        let _ = send.send(input::whole(None, &mut Output::silent()));
    });
    let failed = || Error::internal("standard input could not be read");
    let stopped = || {
        Error::interrupted()
            .hint("nothing was begun: ask again, or with --no-input to leave standard input alone")
    };
    let silence = tokio::time::sleep(SILENCE);
    let read = tokio::select! {
        biased;
        () = &mut stop => return Err(stopped()),
        read = &mut receive => read.map_err(|_| failed())?,
        () = silence => {
            out.warn("waiting for standard input to end; use --no-input to leave it alone");
            tokio::select! {
                biased;
                () = &mut stop => return Err(stopped()),
                read = receive => read.map_err(|_| failed())?,
            }
        }
    };
    Ok(input::text(read?, out))
}

fn progress(out: &mut Output, p: &Progress) {
    match p {
        Progress::Started { case, .. } => out.detail(Own(format!("case {case}"))),
        Progress::Loading => out.progress("the model is being loaded"),
        Progress::Thinking { round } => {
            out.progress(Own(format!("asking the model (round {round})")))
        }
        Progress::Calling { tool, argument } => {
            let line = out.outside(format!(
                "asking {} about {}",
                tool.as_str(),
                argument.as_str()
            ));
            out.progress(line);
        }
        Progress::Called {
            tool,
            argument,
            outcome,
        } => {
            let line = out.outside(format!(
                "{}({}): {outcome}",
                tool.as_str(),
                argument.as_str()
            ));
            out.progress(line);
        }
        Progress::Refused { tool, key } => {
            let line = out.outside(format!("refused {}: {key}", tool.as_str()));
            out.progress(line);
        }
        Progress::Round { .. }
        | Progress::Warning(_)
        | Progress::Text(_)
        | Progress::Reasoning(_) => {}
    }
}

fn print(
    engine: &Engine,
    report: &TurnReport,
    defang: bool,
    out: &mut Output,
) -> Result<(), Error> {
    for warning in &report.turn.warnings {
        let text = out.outside(warning.clone());
        out.warn(text);
    }
    let answer = render::answer(report, defang);
    if let Some(model) = report.turn.model.as_ref().filter(|_| !answer.is_empty()) {
        // What a model wrote stands between two lines that it cannot write itself.
        let line = out.outside(format!("--- answer of the model {model} ---"));
        out.line(Text::new().styled(Style::Dim, line))?;
        let inside = answer.replace("\n--- ", "\n-- ");
        out.line(out.outside(inside.strip_prefix("--- ").unwrap_or(&inside)))?;
        out.line(Text::new().styled(Style::Dim, "--- end of the model's answer ---"))?;
    } else if !answer.is_empty() {
        out.line(out.outside(answer.clone()))?;
    }
    let mut shown = render::placed(&answer);
    if report.state.mode == Mode::Full {
        let all = report.turn.calls.iter().filter_map(|c| c.evidence);
        shown.extend(all);
        shown.sort_unstable();
        shown.dedup();
    }
    let view = View {
        store: &engine.store,
        principal: &engine.principal,
        now_ms: crate::engine::now_ms(),
        defang,
        redact: out.redactor(),
        width: out.width(),
    };
    for n in shown {
        if let Ok(row) = engine.store.read(|r| r.evidence(&report.case, n)) {
            let mut text = b"\n".to_vec();
            let known = crate::store::export::Defang::of(&report.state);
            if crate::cli::evidence::show(&row.meta, &known, &view, &mut text).is_ok() {
                out.generated(&text)?;
            }
        }
    }
    let footer = report.footer();
    if !footer.is_empty() {
        out.line("")?;
        for line in footer.lines() {
            out.line(Text::new().styled(Style::Dim, out.outside(line)))?;
        }
    }
    let open: Vec<_> = report.open_here().cloned().collect();
    if !open.is_empty() {
        out.line("")?;
        out.line("Proposals (nothing was looked up for these; a person decides):")?;
        for p in &open {
            let line = render::proposal(p, defang, out);
            out.line(line)?;
        }
        let case = report.case.short();
        let numbers: Vec<String> = open.iter().map(|p| p.n.to_string()).collect();
        out.note(Own(format!(
            "decide: rmm-analyst approve {0}   or: rmm-analyst deny {0}   then: rmm-analyst ask --case {case} --continue",
            numbers.join(" ")
        )));
    }
    let actions: Vec<_> = report.actions_here().collect();
    if !actions.is_empty() {
        out.line("")?;
        out.line(
            "Actions (nothing has happened; each is decided by a person who reads its card):",
        )?;
        for a in &actions {
            let line = render::action(&a.proposed, out);
            out.line(line)?;
        }
        for a in &actions {
            let count = if a.proposed.count { " --count K" } else { "" };
            out.note(Own(format!(
                "read and decide: rmm-analyst approve {0}   then: rmm-analyst approve {0} --digest {1}{count}   or: rmm-analyst deny {0}",
                a.proposed.n, a.proposed.digest
            )));
        }
        out.note(Own(format!(
            "then tell the model: rmm-analyst ask --case {} --continue",
            report.case.short()
        )));
    }
    if report.status() == TurnStatus::Interrupted {
        out.warn("stopped; what was found so far is kept");
    }
    if let Some(error) = &report.error {
        let text = out.outside(error.message.clone());
        out.warn(
            Text::from(text)
                .then(". ")
                .then(out.outside(error.hint.clone())),
        );
    }
    let used = report.state.used_in_turn(report.turn.n);
    out.note(Own(format!(
        "case {} · look-ups {used} of {} this turn, {} of {} in the case",
        report.case.short(),
        report.turn_max,
        report.state.used,
        report.case_max
    )));
    Ok(())
}

/// The object of `ask --json` when the command failed before a turn could begin: every key of the
/// contract is there, and `error` says what happened.
#[must_use]
pub fn failed(error: &ErrorJson, cause: &Error) -> serde_json::Value {
    let status = match cause.exit() {
        Exit::Busy => "busy",
        Exit::Interrupted => "interrupted",
        Exit::ModelUnreachable => "model_unreachable",
        Exit::NoToolCalls => "no_tool_calls",
        _ => "error",
    };
    serde_json::json!({
        "case": null, "turn": null, "status": status,
        "planner": null, "model": null, "tools_mode": null,
        "answer": "", "unsupported": [], "ledger": [], "refused_more": 0,
        "coverage": { "asked": 0, "found": 0, "not_found": 0, "could_not_look": 0 },
        "authorized": [], "denied": [], "mentioned": [], "proposals": [],
        "jobs_created": [], "mode": null, "budget": null, "usage": null,
        "warnings": [], "error": error,
    })
}
