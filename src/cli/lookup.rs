//! `lookup`: a person asks one source, or all of them.

use crate::case::Status;
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::output::{Output, Own, Style, Text};
use crate::cli::session::Session;
use crate::engine::lookup::{Looked, every_source_failed};
use clap::Args;
use kit::indicator::Indicator;
use kit::outcome::{Verdict, plain_reason};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst lookup @ioc 198.51.100.7
      Asks every module that takes an address.
  rmm-analyst lookup crtsh example.com example.org --json
      Asks one module about two domains.
  rmm-analyst lookup rdap 'hxxps://evil[.]example[.]com/a' --fresh
      Defanged values are understood; --fresh does not use the cache.";

/// Look indicators up at one source or at all of them
///
/// `@ioc` (or `ioc`) asks every module that takes the type of the value; a module's name, with or without `@`, asks that one. A value that should not leave the machine (a private address, an internal name) is refused unless --anyway is given.
///
/// Exit codes: 0 found or not found, 8 when every source failed. A source that could not be asked is never shown as clean.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct LookupArgs {
    /// `@ioc` for every module that takes the value, or the name of one
    pub module: String,

    /// The values, plain or defanged
    #[arg(required = true, value_name = "VALUE")]
    pub values: Vec<String>,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,

    /// Ask the source even where a cached answer is still good
    #[arg(long)]
    pub fresh: bool,

    /// Ask although the value should not leave the machine
    #[arg(long)]
    pub anyway: bool,
}

/// Runs the command.
///
/// # Errors
/// An unknown module or value; what sources could not answer is in the result and the exit code.
pub fn run(args: LookupArgs, session: &mut Session) -> Result<Exit, Error> {
    let mut subjects: Vec<Indicator> = Vec::new();
    for value in &args.values {
        let Some(indicator) = kit::classify(value) else {
            let shown: String = value.chars().take(80).collect();
            return Err(
                Error::user(format!("`{shown}` is no indicator that can be looked up"))
                    .why(
                        "an address, network, domain, URL, hash, mail address, CVE or AS number is",
                    )
                    .hint("for example: rmm-analyst lookup @ioc 198.51.100.7"),
            );
        };
        if !subjects.contains(&indicator) {
            subjects.push(indicator);
        }
    }
    let (engine, loaded) = session.engine(&[])?;
    if let Some(secret) = subjects.iter().find(|s| engine.holds_secret(s.value())) {
        return Err(Error::user(format!(
            "a {} that holds a secret of this installation is not looked up",
            secret.kind()
        ))
        .hint("leave the secret out of the value"));
    }
    let specs = engine.modules_for(&args.module)?;
    let all = args
        .module
        .trim_start_matches('@')
        .eq_ignore_ascii_case("ioc");
    if let ([spec], false) = (specs.as_slice(), all)
        && let Some(wrong) = subjects.iter().find(|s| !spec.takes(s.kind()))
    {
        let types: Vec<&str> = spec.types.iter().map(|t| t.name()).collect();
        return Err(Error::user(format!(
            "{} does not take {} ({wrong})",
            spec.name,
            wrong.kind()
        ))
        .why(format!("it takes {}", types.join(", ")))
        .hint(format!(
            "ask every module that does: rmm-analyst lookup @ioc {wrong}"
        )));
    }
    let whom = match (all, specs.as_slice()) {
        (false, [spec]) => spec.name.to_owned(),
        _ => "every module that fits".to_owned(),
    };
    session.out.progress(Own(format!(
        "asking {whom} about {} indicators",
        subjects.len()
    )));
    let runtime = open::runtime()?;
    let looked = runtime.block_on(async {
        tokio::select! {
            biased;
            () = open::interrupted() => Err(Error::interrupted()),
            looked = engine.look_up(&specs, all, &subjects, args.fresh, args.anyway) => Ok(looked),
        }
    })?;
    if looked.is_empty() {
        let kinds: Vec<&str> = subjects.iter().map(|s| s.kind().name()).collect();
        return Err(Error::user(format!("no module takes {}", kinds.join(", ")))
            .hint("rmm-analyst modules list shows what each module takes"));
    }
    if args.json {
        let rows: Vec<serde_json::Value> = looked.iter().map(json).collect();
        session.out.json(&rows)?;
    } else {
        for subject in &subjects {
            table(subject, &looked, loaded.config.ui.defang, &mut session.out)?;
        }
    }
    let statuses = looked.iter().map(|l| {
        let offline = crate::cli::registry::find(l.module)
            .is_some_and(|s| s.activity == kit::Activity::Offline);
        (l.done.outcome.status, offline)
    });
    Ok(if every_source_failed(statuses) {
        Exit::AllSourcesFailed
    } else {
        Exit::Ok
    })
}

fn json(l: &Looked) -> serde_json::Value {
    let o = &l.done.outcome;
    let rows: Vec<serde_json::Value> = o
        .rows
        .iter()
        .map(|row| {
            let cells = o
                .columns
                .iter()
                .zip(row)
                .map(|(c, v)| (c.clone(), serde_json::json!(v.as_str())));
            serde_json::Value::Object(cells.collect())
        })
        .collect();
    serde_json::json!({
        "module": l.module, "type": l.subject.kind().name(), "value": l.subject.value(),
        "status": o.status.name(), "detail": o.detail(),
        "verdict": (o.status == Status::Found).then(|| o.verdict.name()),
        "rows": rows, "source": o.source_url.as_str(),
        "age_s": l.done.age_s.unwrap_or(0), "ms": l.done.ms,
    })
}

/// One table a value: a line for each source, its facts below it.
fn table(
    subject: &Indicator,
    looked: &[Looked],
    defang: bool,
    out: &mut Output,
) -> Result<(), Error> {
    let value = if defang {
        subject.defanged()
    } else {
        subject.value().to_owned()
    };
    let own_form = |text: &str| {
        if defang {
            crate::cli::render::defanged(text)
        } else {
            text.to_owned()
        }
    };
    let head = out.outside(format!("{value} ({})", subject.kind()));
    out.line(Text::new().styled(Style::Bold, head))?;
    for l in looked.iter().filter(|l| &l.subject == subject) {
        let o = &l.done.outcome;
        let (word, style) = match (o.status, o.verdict) {
            (Status::Found, Verdict::Malicious) => ("found, malicious".to_owned(), Style::Red),
            (Status::Found, Verdict::Suspicious) => ("found, suspicious".to_owned(), Style::Yellow),
            (Status::Found, Verdict::Harmless) => ("found, harmless".to_owned(), Style::Green),
            (Status::Found, Verdict::Unknown) => ("found".to_owned(), Style::Plain),
            (Status::NotFound, _) => ("not found".to_owned(), Style::Plain),
            (Status::CouldNotLook, _) => (
                format!(
                    "could not look: {}",
                    plain_reason(&o.detail().unwrap_or_default())
                ),
                Style::Yellow,
            ),
        };
        let mut line = Text::new()
            .then(Own(format!("  {:<14} ", l.module)))
            .styled(style, out.outside(own_form(&word)));
        if !o.basis.as_str().is_empty() {
            line = line
                .then("  ")
                .then(out.outside(own_form(o.basis.as_str())));
        }
        if let Some(age) = l.done.age_s {
            line = line.styled(
                Style::Dim,
                Own(format!("  (from {} ago)", crate::cli::render::age(age))),
            );
        }
        out.line(line)?;
        for row in o.rows.iter().take(20) {
            let facts: Vec<String> = o
                .columns
                .iter()
                .zip(row)
                .filter(|(_, c)| !c.as_str().trim().is_empty())
                .map(|(c, v)| {
                    let text = v.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
                    format!("{c}: {}", own_form(&text))
                })
                .collect();
            let facts = out.outside(format!("{:17}{}", "", facts.join(" · ")));
            out.line(facts)?;
        }
        let rows = o.total_rows.unwrap_or(o.rows.len() as u64);
        if rows > 20 {
            out.line(Own(format!(
                "{:17}… {rows} rows in all; --json prints what came",
                ""
            )))?;
        }
    }
    Ok(())
}
