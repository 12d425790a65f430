//! Numbered lists. The next line with one of the numbers chooses; any other line is what it always is.

use super::desk::{Desk, Question, capital};
use super::paper::one_line;
use super::{commands, evidence, story};
use crate::engine::session::Order;
use crate::engine::view::{self, CaseId, CaseSummary, Hit};
use kit::indicator::Indicator;

/// Entries of the longest list; a narrower question finds the rest.
const MOST: usize = 100;

/// What the numbers stand for.
#[derive(Clone, Debug)]
pub enum Menu {
    /// Cases, to open one.
    Cases(Vec<CaseId>),
    /// Hits of a search, to go to one.
    Hits(Vec<Hit>),
    /// Models of the server, to use one.
    Models(Vec<String>),
    /// Evidence, to read a piece.
    Evidence(Vec<u32>),
    /// Mentioned indicators, to propose one.
    Mentioned(Vec<(Indicator, Option<u32>)>),
    /// Settings, to change one.
    Settings(Vec<String>),
}

impl Menu {
    fn len(&self) -> usize {
        match self {
            Self::Cases(l) => l.len(),
            Self::Hits(l) => l.len(),
            Self::Models(l) | Self::Settings(l) => l.len(),
            Self::Evidence(l) => l.len(),
            Self::Mentioned(l) => l.len(),
        }
    }
}

/// Takes a line while a list is open. False: it is a command or a message.
pub fn choose(desk: &mut Desk, menu: Menu, text: &str) -> bool {
    if text.is_empty() {
        desk.paper.say("Nothing was chosen.");
        return true;
    }
    let Ok(number) = text.parse::<usize>() else {
        return false;
    };
    let at = number.wrapping_sub(1);
    if at >= menu.len() {
        desk.complain(format!("The list has the numbers 1 to {}.", menu.len()));
        desk.question = Question::Menu(menu);
        return true;
    }
    match menu {
        Menu::Cases(l) => {
            if let Some(id) = l.into_iter().nth(at) {
                commands::open_case(desk, id);
            }
        }
        Menu::Hits(l) => {
            if let Some(hit) = l.into_iter().nth(at) {
                go_to(desk, hit);
            }
        }
        Menu::Models(l) => {
            if let Some(name) = l.into_iter().nth(at) {
                commands::use_model(desk, &name);
            }
        }
        Menu::Evidence(l) => {
            if let Some(n) = l.into_iter().nth(at) {
                evidence::fetch(desk, n, evidence::Form::Table);
            }
        }
        Menu::Mentioned(l) => {
            if let Some((indicator, found)) = l.into_iter().nth(at) {
                desk.order(Order::Propose(desk.room, indicator, found));
            }
        }
        Menu::Settings(l) => {
            if let Some(key) = l.into_iter().nth(at) {
                desk.paper
                    .say(format!("New value of {key}; an empty line leaves it."));
                desk.question = Question::Value(key);
            }
        }
    }
    true
}

fn go_to(desk: &mut Desk, hit: Hit) {
    if desk.case.as_ref() != Some(&hit.case) {
        desk.jump = Some((hit.kind, hit.n));
        commands::open_case(desk, hit.case);
        return;
    }
    match hit.kind.as_str() {
        "evidence" if hit.n > 0 => evidence::fetch(desk, hit.n, evidence::Form::Table),
        "human" | "answer" | "attachment" if hit.n > 0 => story::tell(desk, Some(hit.n)),
        _ => desk.paper.say("It is in this case."),
    }
}

fn open(desk: &mut Desk, menu: Menu, what: &str) {
    let n = menu.len();
    desk.paper.say(format!(
        "Type a number from 1 to {n} to {what}; any other line is taken as always."
    ));
    desk.question = Question::Menu(menu);
}

/// One case in a line.
#[must_use]
pub fn case_words(desk: &Desk, c: &CaseSummary) -> String {
    let title = one_line(&desk.paper.defanged(&c.title), 70);
    let mut words = format!("{title}; case {}, {} turns", c.short, c.turns);
    if c.open_proposals > 0 {
        words.push_str(&format!(", {} proposals open", c.open_proposals));
    }
    for (is, word) in [
        (c.closed, "closed"),
        (c.running, "a turn runs"),
        (c.interrupted, "interrupted"),
        (desk.case.as_ref() == Some(&c.id), "open here"),
    ] {
        if is {
            words.push_str(&format!(", {word}"));
        }
    }
    if !c.tags.is_empty() {
        words.push_str(&format!(", tags {}", c.tags.join(" ")));
    }
    format!("{words}, last used {}", view::local(c.last_ms))
}

/// The cases that fit; `words` may be empty.
pub fn cases(desk: &mut Desk, list: Vec<CaseSummary>) {
    if list.is_empty() {
        desk.paper.say("There are no cases.");
        return;
    }
    let all = list.len();
    let ids: Vec<CaseId> = list.iter().take(MOST).map(|c| c.id.clone()).collect();
    for (i, c) in list.iter().take(MOST).enumerate() {
        let words = case_words(desk, c);
        desk.paper.say(format!("{} {words}", i + 1));
    }
    more(desk, all);
    open(desk, Menu::Cases(ids), "open the case");
}

fn more(desk: &mut Desk, all: usize) {
    if all > MOST {
        desk.paper
            .say(format!("and {} more; /find finds them", all - MOST));
    }
}

/// What a search found.
pub fn hits(desk: &mut Desk, hits: Vec<Hit>) {
    if hits.is_empty() {
        desk.paper.say("Nothing was found.");
        return;
    }
    let all = hits.len();
    for (i, h) in hits.iter().take(MOST).enumerate() {
        let title = one_line(&desk.paper.defanged(h.title.as_str()), 50);
        let place = match (h.kind.as_str(), h.n) {
            ("evidence", n) if n > 0 => format!("evidence E{n}"),
            (kind, 0) => capital(kind).to_lowercase(),
            ("human", n) => format!("your message of turn {n}"),
            (kind, n) => format!("{kind} {n}"),
        };
        desk.paper.say(format!(
            "{} {place}, in case {}, {title}:",
            i + 1,
            h.case.short()
        ));
        let snippet = one_line(&desk.paper.defanged(h.snippet.as_str()), 200);
        desk.paper.quote(snippet);
    }
    more(desk, all);
    let list: Vec<Hit> = hits.into_iter().take(MOST).collect();
    open(desk, Menu::Hits(list), "go there");
}

/// The models of the server.
pub fn models(desk: &mut Desk) {
    let server = desk.server.clone().unwrap_or_default();
    if server.offered.is_empty() {
        let why = server
            .missing
            .unwrap_or_else(|| "no server answered yet".into());
        desk.complain(capital(&why));
        return;
    }
    for (i, m) in server.offered.iter().enumerate() {
        let used = if server.model.as_ref() == Some(m) {
            ", in use"
        } else {
            ""
        };
        desk.paper.say(format!("{} {m}{used}", i + 1));
    }
    open(desk, Menu::Models(server.offered), "use the model");
}

/// The evidence of the case, newest first.
pub fn evidence_list(desk: &mut Desk) {
    let list: Vec<_> = desk
        .state
        .evidence
        .iter()
        .rev()
        .take(MOST)
        .cloned()
        .collect();
    if list.is_empty() {
        desk.paper.say("There is no evidence in this case yet.");
        return;
    }
    for (i, e) in list.iter().enumerate() {
        let value = e
            .subject
            .as_ref()
            .map_or_else(String::new, |s| format!(" for {}", desk.paper.value(s)));
        desk.paper.say(format!(
            "{} E{}, {}{value}: {}, {}",
            i + 1,
            e.n,
            e.tool,
            evidence::word(e.status),
            view::local(e.at_ms)
        ));
    }
    more(desk, desk.state.evidence.len());
    let numbers = list.iter().map(|e| e.n).collect();
    open(desk, Menu::Evidence(numbers), "read the evidence");
}

/// What the last answers mention and nobody asked about.
pub fn mentioned(desk: &mut Desk) {
    let list: Vec<_> = crate::surface::mentioned(&desk.state)
        .into_iter()
        .take(MOST)
        .collect();
    if list.is_empty() {
        desk.paper
            .say("Nothing is mentioned that was not decided already.");
        return;
    }
    for (i, (indicator, found)) in list.iter().enumerate() {
        let place = found.map_or_else(String::new, |e| format!(", in E{e}"));
        let value = desk.paper.value(indicator);
        desk.paper
            .say(format!("{} {value} ({}){place}", i + 1, indicator.kind()));
    }
    open(desk, Menu::Mentioned(list), "make a proposal of it");
}

/// The settings whose key holds a word.
pub fn settings(desk: &mut Desk, word: &str) {
    let list: Vec<_> = desk
        .settings
        .all
        .iter()
        .filter(|(k, _)| word.is_empty() || k.contains(word))
        .cloned()
        .collect();
    if list.is_empty() {
        desk.complain(format!("No setting has {word} in its name."));
        return;
    }
    let mut keys = Vec::new();
    for (k, v) in list {
        // Values of secrets are never here; they are set with a command of their own.
        if k.starts_with("secret ") {
            desk.paper.say(format!("{k}: {v}"));
            continue;
        }
        keys.push(k.clone());
        let v = if v.is_empty() { "not set".into() } else { v };
        desk.paper.say(format!("{} {k}: {v}", keys.len()));
    }
    if !keys.is_empty() {
        open(desk, Menu::Settings(keys), "change the setting");
    }
}
