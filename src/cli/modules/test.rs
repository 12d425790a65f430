//! `modules test`: one look-up through the runner, with what to do next where it fails.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::output::{Output, Own, Style, Text};
use crate::cli::registry;
use crate::cli::session::Session;
use crate::engine::Engine;
use crate::engine::lookup::Looked;
use kit::{Activity, CouldNot, Indicator, ModuleSpec};
use serde_json::{Value, json};

/// Rows of an answer that are shown.
const ROWS: usize = 3;

/// Runs the command.
///
/// # Errors
/// An unknown module or value; a source that could not be asked is in the result and the exit code.
pub(super) fn run(
    name: Option<&str>,
    value: Option<&str>,
    json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let asks = asks(name, value, &engine)?;
    if asks.is_empty() {
        return Err(Error::user("no module is enabled and has what it needs")
            .hint("rmm-analyst doctor says what each one needs"));
    }
    // A module's own example may be a reserved address; asking about it gives nothing away.
    let anyway = value.is_none();
    let runtime = open::runtime()?;
    let mut all = Vec::new();
    for (spec, subject) in &asks {
        session.out.progress(Own(format!("asking {}", spec.name)));
        let one = [*spec];
        let looked = runtime.block_on(async {
            tokio::select! {
                biased;
                () = open::interrupted() => Err(Error::interrupted()),
                looked = engine.look_up(&one, false, std::slice::from_ref(subject), true, anyway) => Ok(looked),
            }
        })?;
        for l in looked {
            if !json {
                print(&l, spec, &mut session.out)?;
            }
            all.push((*spec, l));
        }
    }
    let failed = all
        .iter()
        .filter(|(_, l)| l.done.outcome.could_not.is_some())
        .count();
    if json {
        let rows: Vec<Value> = all.iter().map(|(spec, l)| row(spec, l)).collect();
        session.out.json(&rows)?;
    } else if all.len() > 1 {
        session.out.line(Own(format!(
            "{} answered, {failed} could not be asked",
            all.len() - failed
        )))?;
    }
    Ok(if failed > 0 {
        Exit::AllSourcesFailed
    } else {
        Exit::Ok
    })
}

fn asks(
    name: Option<&str>,
    value: Option<&str>,
    engine: &Engine,
) -> Result<Vec<(&'static ModuleSpec, Indicator)>, Error> {
    let example =
        |spec: &'static ModuleSpec| kit::classify(spec.help.example).map(|subject| (spec, subject));
    let Some(name) = name else {
        return Ok(registry::specs()
            .into_iter()
            .filter(|s| s.activity != Activity::Active)
            .filter(|s| engine.catalog.get(s.name).is_some_and(|t| t.enabled))
            .filter(|s| engine.runner().ready(s))
            .filter_map(example)
            .collect());
    };
    let spec = super::find(name)?;
    // Switched off is an error with the way to switch it on.
    engine.modules_for(spec.name)?;
    let Some(value) = value else {
        return example(spec).map(|ask| vec![ask]).ok_or_else(|| {
            Error::user(format!(
                "{} has no example that can be asked about",
                spec.name
            ))
            .hint(format!(
                "name a value: rmm-analyst modules test {} VALUE",
                spec.name
            ))
        });
    };
    let shown: String = value.chars().take(80).collect();
    let types = || {
        let names: Vec<&str> = spec.types.iter().map(|t| t.name()).collect();
        format!("{} takes {}", spec.name, names.join(", "))
    };
    let Some(subject) = kit::classify(value) else {
        return Err(
            Error::user(format!("`{shown}` is no indicator that can be looked up"))
                .why(types())
                .hint(format!(
                    "rmm-analyst modules test {} '{}'",
                    spec.name, spec.help.example
                )),
        );
    };
    if !spec.takes(subject.kind()) {
        return Err(Error::user(format!(
            "{} does not take {} ({subject})",
            spec.name,
            subject.kind()
        ))
        .why(types())
        .hint(format!(
            "rmm-analyst modules test {} '{}'",
            spec.name, spec.help.example
        )));
    }
    Ok(vec![(spec, subject)])
}

/// What to do about a source that could not be asked.
fn next_step(why: &CouldNot, spec: &ModuleSpec) -> String {
    let secret = spec.secrets.last().copied().unwrap_or(spec.name);
    match why {
        CouldNot::NoKey => format!("rmm-analyst secret set {secret}. {}", spec.help.get_key),
        CouldNot::BadKey => format!(
            "the source refused the key: set the right one with rmm-analyst secret set {secret}. {}",
            spec.help.get_key
        ),
        CouldNot::RateLimited { retry_s } => match retry_s {
            Some(s) => format!("wait {s} s, then try again"),
            None => "wait a while, then try again".to_owned(),
        },
        CouldNot::TimedOut => format!(
            "try again, or give it more time: rmm-analyst config set modules.{}.timeout 60",
            spec.name
        ),
        CouldNot::Unreachable { .. } => format!(
            "check network, proxy and certificates with rmm-analyst doctor; it must reach {}",
            if spec.base_url.is_empty() {
                "the network"
            } else {
                spec.base_url
            }
        ),
        CouldNot::Upstream { .. } => {
            "the source has a fault or its form changed: try again later".to_owned()
        }
        CouldNot::Unsupported { .. } => format!(
            "try its example: rmm-analyst modules test {} '{}'",
            spec.name, spec.help.example
        ),
        CouldNot::Interrupted => "try again".to_owned(),
    }
}

fn row(spec: &ModuleSpec, l: &Looked) -> Value {
    let o = &l.done.outcome;
    json!({
        "module": l.module, "type": l.subject.kind().name(), "value": l.subject.value(),
        "status": o.status.name(), "detail": o.detail(),
        "verdict": (o.status.name() == "found").then(|| o.verdict.name()),
        "rows": o.total_rows.unwrap_or(o.rows.len() as u64),
        "source": o.source_url.as_str(), "ms": l.done.ms,
        "hint": o.could_not.as_ref().map(|why| next_step(why, spec)),
    })
}

fn print(l: &Looked, spec: &ModuleSpec, out: &mut Output) -> Result<(), Error> {
    let o = &l.done.outcome;
    let head = out.outside_line(format!("@{} {}", l.module, l.subject.value()));
    let head = Text::new().styled(Style::Bold, head).then("  ");
    let Some(why) = &o.could_not else {
        let rows = o.total_rows.unwrap_or(o.rows.len() as u64);
        let status = match o.status.name() {
            "found" => format!("found, {}, {rows} rows, {} ms", o.verdict.name(), l.done.ms),
            _ => format!("not found (the source answered), {} ms", l.done.ms),
        };
        out.line(head.styled(Style::Green, Own(status)))?;
        if !o.basis.as_str().is_empty() {
            let basis = out.outside_line(format!("  {}", o.basis.as_str()));
            out.line(basis)?;
        }
        for row in o.rows.iter().take(ROWS) {
            let facts: Vec<String> = o
                .columns
                .iter()
                .zip(row)
                .filter(|(_, c)| !c.as_str().trim().is_empty())
                .map(|(c, v)| {
                    let words: Vec<&str> = v.as_str().split_whitespace().collect();
                    format!("{c}: {}", words.join(" "))
                })
                .collect();
            let line = out.outside_line(format!("  {}", facts.join(" · ")));
            out.line(Text::new().styled(Style::Dim, line))?;
        }
        return Ok(());
    };
    let why_text = why.to_string();
    let reason = kit::outcome::plain_reason(&why_text);
    let detail = out.outside_line(format!("could not look: {reason}"));
    out.line(
        head.styled(Style::Yellow, detail)
            .then(Own(format!(", {} ms", l.done.ms))),
    )?;
    let hint = out.outside_line(next_step(why, spec));
    out.line(Text::new().then("  hint: ").then(hint))
}
