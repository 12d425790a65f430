//! The guided setup, drawn.

use super::selected;
use crate::engine::view::{Ability, Defang};
use crate::tui::app::App;
use crate::tui::setup::{KeyEntry, Setup, Step, Trial, wanted};
use crate::tui::style::Look;
use crate::tui::text::{Piece, line, one_line, wrap};
use ratatui::text::Line;

/// Dots shown for a key that is typed; a longer one shows as many.
const DOTS: usize = 40;

/// The lines of the step.
pub(super) fn lines(app: &App, s: &Setup, wide: usize, height: usize) -> Vec<Line<'static>> {
    let mut foot = Vec::new();
    if let Some(problem) = &s.problem {
        foot.extend(wrap(&[Piece::new(problem, Look::Bad)], wide, "! ", "  "));
    }
    foot.extend(wrap(&[Piece::new(keys(s), Look::Name)], wide, "", "  "));
    let space = height.saturating_sub(foot.len() + 1);
    let mut out = match &s.step {
        Step::Model => model(s, wide, space),
        Step::Trial => trial(app, s, wide),
        Step::Keys => sources(app, s, wide, space),
        Step::Key(k) => key(k, wide),
        Step::Done => done(app, s, wide),
    };
    out.truncate(space);
    out.push(Line::default());
    out.extend(foot);
    out
}

/// What the keys do in this step.
fn keys(s: &Setup) -> String {
    let all = "esc skips all of it";
    match &s.step {
        Step::Model if s.servers.is_none() => format!("s skip this step · {all}"),
        Step::Model if s.models().is_empty() => {
            format!("enter go on without a model · l look again · {all}")
        }
        Step::Model => {
            format!("number or ↑ ↓, then enter: use it · s skip this step · l look again · {all}")
        }
        Step::Trial => match &s.trial {
            Trial::Running(..) => {
                format!("s use it without the trial · b another model · {all}")
            }
            Trial::Done(Ability::Native | Ability::Constrained) => {
                format!("enter use it · b another model · t try again · {all}")
            }
            _ => format!("enter go on without it · b another model · t try again · {all}"),
        },
        Step::Keys => format!("number or ↑ ↓, then enter · s skip this step · {all}"),
        Step::Key(k) if k.storing => "storing it …".to_owned(),
        Step::Key(_) if s.alone => "enter store it · ctrl-u clear · esc back".to_owned(),
        Step::Key(_) => format!("enter store it (empty: back) · ctrl-u clear · {all}"),
        Step::Done => "any key begins".to_owned(),
    }
}

/// The part of a list around the selected line.
fn window(all: Vec<Line<'static>>, at: usize, space: usize) -> Vec<Line<'static>> {
    let space = space.max(1);
    let from = (at + 1).saturating_sub(space);
    all.into_iter().skip(from).take(space).collect()
}

fn say(out: &mut Vec<Line<'static>>, look: Look, words: &str, wide: usize) {
    out.extend(wrap(&[Piece::new(words, look)], wide, "", "  "));
}

fn model(s: &Setup, wide: usize, space: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    // On a small screen the news goes before the introduction.
    if s.first && (s.servers.is_none() || space > 16) {
        say(
            &mut out,
            Look::Bold,
            "An investigation is kept as a case, and sources are asked only about what you name or approve.",
            wide,
        );
    }
    let Some(servers) = &s.servers else {
        say(
            &mut out,
            Look::Dim,
            "Looking for a model server on this machine: Ollama (11434), llama.cpp (8080), vLLM (8000), LM Studio (1234) …",
            wide,
        );
        return out;
    };
    if servers.is_empty() {
        say(
            &mut out,
            Look::Warn,
            "No model server answers on this machine.",
            wide,
        );
        say(&mut out, Look::Plain, "To start one, elsewhere:", wide);
        for command in [
            "  ollama serve; ollama pull qwen3:8b",
            "  llama-server -m MODEL.gguf --jinja",
        ] {
            say(&mut out, Look::Code, command, wide);
        }
        say(
            &mut out,
            Look::Plain,
            "Without one: rules look up what you name, @ioc asks every source, and cases, search and export work. Only nobody puts it into words.",
            wide,
        );
        if space > 16 {
            say(
                &mut out,
                Look::Dim,
                "Asked were the usual ports: 11434 (Ollama), 8080 (llama.cpp), 8000 (vLLM), 1234 (LM Studio). One elsewhere: /settings model.base_url",
                wide,
            );
        }
        return out;
    }
    for server in servers.iter().filter(|f| f.models.is_empty()) {
        let words = format!(
            "{} answers at {} but has no model{}.",
            server.kind,
            address(&server.base_url),
            if server.kind == "Ollama" {
                ": ollama pull qwen3:8b"
            } else {
                ""
            }
        );
        say(&mut out, Look::Warn, &words, wide);
    }
    let models = s.models();
    if models.is_empty() {
        return out;
    }
    say(
        &mut out,
        Look::Plain,
        "Which model shall plan the look-ups?",
        wide,
    );
    let list = models
        .iter()
        .enumerate()
        .map(|(i, (server, name))| {
            let l = line(
                &[
                    Piece::new(format!("{:>3}  ", i + 1), Look::Name),
                    Piece::plain(one_line(name, wide)),
                    Piece::dim(format!(
                        "  {} at {}",
                        server.kind,
                        address(&server.base_url)
                    )),
                ],
                wide,
            );
            selected(l, i == s.selected)
        })
        .collect();
    let left = space.saturating_sub(out.len());
    out.extend(window(list, s.selected, left));
    out
}

/// An address of this machine as people know it.
fn address(url: &str) -> String {
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    url.trim_end_matches('/').to_owned()
}

fn trial(app: &App, s: &Setup, wide: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    if let Some((url, name)) = &s.chosen {
        say(
            &mut out,
            Look::Bold,
            &format!("{name} at {}", address(url)),
            wide,
        );
    }
    let mut tell = |look, words: &str| say(&mut out, look, words, wide);
    match &s.trial {
        Trial::None => tell(Look::Dim, "Not tried."),
        Trial::Running(since, step) => {
            let seconds = app.now.saturating_sub(*since) / 1000;
            tell(
                Look::Plain,
                "Whether it can call tools is found out by trying; a cold model may take a minute.",
            );
            tell(Look::Warn, &format!("… {} {seconds} s", step.words()));
        }
        Trial::Done(Ability::Native) => {
            tell(Look::Good, "It calls tools natively.");
            tell(
                Look::Plain,
                "It chooses the look-ups itself, inside what you name or approve.",
            );
        }
        Trial::Done(Ability::Constrained) => {
            tell(
                Look::Good,
                "No native tool calls, but it keeps to a given form (constrained output).",
            );
            tell(Look::Plain, "Look-ups work all the same, one at a time.");
        }
        Trial::Done(Ability::NoTools(hint)) => {
            tell(
                Look::Bad,
                "It cannot call tools: neither natively nor in a given form.",
            );
            tell(Look::Plain, hint);
        }
        Trial::Done(Ability::Failed(why, hint)) => {
            tell(
                Look::Bad,
                &format!("It could not be tried: {}", defanged(why)),
            );
            tell(Look::Plain, &defanged(hint));
        }
    }
    out
}

fn defanged(text: &str) -> String {
    Defang::plain().text(text)
}

fn sources(app: &App, s: &Setup, wide: usize, space: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    let ready = app.modules.iter().filter(|m| m.enabled && m.ready).count();
    say(
        &mut out,
        Look::Plain,
        &format!(
            "{ready} sources work now. These want a key of yours; it goes into the system's keyring, or a file that only you can read:"
        ),
        wide,
    );
    for (name, place) in &s.stored {
        say(
            &mut out,
            Look::Good,
            &format!("{name} is stored in {place}."),
            wide,
        );
    }
    let mut list = vec![selected(
        line(
            &[Piece::new("  0  ", Look::Name), Piece::plain("go on")],
            wide,
        ),
        s.selected == 0,
    )];
    for (i, w) in wanted(&app.modules).iter().enumerate() {
        let (word, look) = if w.optional {
            // Whether it is there cannot be told from what works.
            ("optional", Look::Dim)
        } else if w.ready {
            ("set", Look::Good)
        } else {
            ("no key", Look::Warn)
        };
        let of = if w.modules.len() > 1 {
            format!("for {}", w.modules.join(", "))
        } else {
            one_line(&w.what, wide)
        };
        let l = line(
            &[
                Piece::new(format!("{:>3}  ", i + 1), Look::Name),
                Piece::plain(format!("{}  ", w.secret)),
                Piece::new(word, look),
                Piece::dim(format!("  {of}")),
            ],
            wide,
        );
        list.push(selected(l, s.selected == i + 1));
    }
    let left = space.saturating_sub(out.len());
    out.extend(window(list, s.selected, left));
    out
}

fn key(k: &KeyEntry, wide: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    say(&mut out, Look::Bold, &format!("The key {}", k.name), wide);
    if !k.get_key.is_empty() {
        say(&mut out, Look::Dim, &k.get_key, wide);
    }
    let dots = "•".repeat(k.value.len().min(DOTS));
    out.push(line(
        &[
            Piece::new("> ", Look::Bold),
            Piece::plain(dots),
            Piece::dim("▏"),
        ],
        wide,
    ));
    say(
        &mut out,
        Look::Dim,
        "It does not show, and stands in no log, case or history.",
        wide,
    );
    out
}

fn done(app: &App, s: &Setup, wide: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    match (&s.chosen, s.written) {
        (Some((url, name)), true) => {
            say(
                &mut out,
                Look::Good,
                &format!("Model: {name} at {}", address(url)),
                wide,
            );
            if !app.settings.config_file.is_empty() {
                let words = format!("Written to {}", app.settings.config_file);
                say(&mut out, Look::Dim, &words, wide);
            }
        }
        (Some((_, name)), false) if s.writing => {
            say(
                &mut out,
                Look::Dim,
                &format!("Model: {name}, being written …"),
                wide,
            );
        }
        _ => say(
            &mut out,
            Look::Plain,
            "Model: none was written to the configuration; one that answers on this machine is used, else rules.",
            wide,
        ),
    }
    for (name, place) in &s.stored {
        say(
            &mut out,
            Look::Good,
            &format!("Key: {name} is in {place}"),
            wide,
        );
    }
    say(
        &mut out,
        Look::Plain,
        "Ask in your own words, naming an address, a domain, a URL or a hash: what you name may be looked up, everything else waits for your key.",
        wide,
    );
    say(
        &mut out,
        Look::Dim,
        "/setup comes back here, /settings has everything, f1 the keys.",
        wide,
    );
    out
}
