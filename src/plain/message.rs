//! What a typed line does: it answers a question, is a command, a look-up of one's own, or a message.

use super::desk::{Desk, Live, Question, Queued};
use super::paper::one_line;
use super::{action, card, commands, menu};
use crate::engine::connect::ModelWish;
use crate::engine::session::Order;
use crate::engine::view::{Proposal, ProposalKind};
use crate::engine::{AskInput, CaseChoice, Choices, RawAttachment};
use kit::human::{self, BareYes, Mention, OpenPivot, ReadOptions, Reply, Stance};

/// A paste of more lines than this is attached to the next message.
const PASTE_LINES: usize = 10;

/// Takes what came: one typed line, or several that were pasted at once. `epoch` tells before which
/// question it was typed.
pub fn line(desk: &mut Desk, lines: &[String], epoch: u64) {
    desk.leave_asked = false;
    if let [one] = lines {
        typed(desk, one.trim(), epoch);
    } else {
        pasted(desk, lines);
    }
    desk.settle();
}

/// What was pasted is never a command, never a choice and never a decision.
fn pasted(desk: &mut Desk, lines: &[String]) {
    if desk.question.since().is_some() {
        desk.away = true;
    }
    desk.question = Question::None;
    desk.answered = false;
    let text = lines.join("\n");
    if text.trim().is_empty() {
        return;
    }
    if lines.len() > PASTE_LINES {
        let n = desk.attached.len() + 1;
        desk.paper.say(format!(
            "{} pasted lines are attached to your next message as paste {n}; what they name is only listed. /drop takes the paste away.",
            lines.len()
        ));
        desk.attached.push(RawAttachment {
            name: format!("paste {n}"),
            text,
        });
        return;
    }
    desk.paper.say(format!(
        "{} lines came at once and are one message.",
        lines.len()
    ));
    submit(desk, text, Vec::new());
}

fn typed(desk: &mut Desk, text: &str, epoch: u64) {
    let question = std::mem::take(&mut desk.question);
    let lone = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let late = std::mem::take(&mut desk.answered) && matches!(question, Question::None);
    if late && lone {
        desk.complain(format!(
            "No question is open: {text} was not sent. /proposals asks about what waits."
        ));
        desk.answered = true;
        return;
    }
    // Until the line turns out to be something else than an answer.
    desk.answered = !matches!(question, Question::None) || late && text.is_empty();
    match question {
        Question::None => {}
        Question::Card {
            n,
            listed,
            epoch: since,
        } => {
            if card::answer(desk, text, n, listed, since, epoch) {
                return;
            }
        }
        Question::Count { n, epoch: since } => {
            // A command is a command; the action stays open meanwhile.
            if text.starts_with(['/', '@']) {
                desk.away = true;
            } else {
                action::count(desk, text, n, since.is_some_and(|s| epoch >= s));
                return;
            }
        }
        Question::Reason(n) => {
            if text.is_empty() {
                desk.paper
                    .say(format!("No reason was given; proposal {n} stays open."));
                desk.printed.remove(&n);
            } else {
                desk.order(Order::Decide {
                    room: desk.room,
                    numbers: vec![n],
                    approve: false,
                    reason: Some(text.to_owned()),
                });
            }
            return;
        }
        Question::Menu(m) => {
            if menu::choose(desk, m, text) {
                return;
            }
        }
        Question::Value(key) => {
            if text.is_empty() {
                desk.paper.say(format!("{key} stays as it is."));
            } else {
                commands::set(desk, &key, text);
            }
            return;
        }
    }
    if text.is_empty() && desk.attached.is_empty() {
        return;
    }
    desk.answered = false;
    if let Some(command) = text.strip_prefix('/') {
        commands::run(desk, command);
        return;
    }
    if let Some((module, value)) = direct(desk, text) {
        let (module, value) = (module.to_owned(), value.to_owned());
        look_up(desk, module, &value);
        return;
    }
    let shown = visible(desk, epoch);
    submit(desk, text.to_owned(), shown);
}

/// The pivots that a typed yes may cover: those that a terminal showed before it was typed.
fn visible(desk: &Desk, epoch: u64) -> Vec<u64> {
    if !desk.settings.decides || epoch < desk.armed {
        return Vec::new();
    }
    pivots(desk)
        .filter(|p| desk.printed.contains(&p.n))
        .map(|p| p.n)
        .collect()
}

fn pivots(desk: &Desk) -> impl Iterator<Item = &Proposal> {
    desk.state
        .open_proposals()
        .filter(|p| p.kind == ProposalKind::Pivot)
}

/// A person's own look-up: `@module value`.
fn direct<'t>(desk: &Desk, text: &'t str) -> Option<(&'t str, &'t str)> {
    let (module, value) = text.strip_prefix('@')?.split_once(char::is_whitespace)?;
    let known = module == "ioc" || desk.modules.iter().any(|m| m.name == module);
    known.then_some((module, value.trim()))
}

fn look_up(desk: &mut Desk, module: String, value: &str) {
    let has = |name: &str| value.split_whitespace().any(|w| w == name);
    let (fresh, anyway) = (has("--fresh"), has("--anyway"));
    let value = value
        .split_whitespace()
        .filter(|w| !matches!(*w, "--fresh" | "--anyway"))
        .collect::<Vec<_>>()
        .join(" ");
    let room = desk.room;
    desk.paper.say(format!("asking @{module}"));
    desk.look(Order::LookUp {
        room,
        module,
        value,
        fresh,
        anyway,
    });
}

/// Sends a message, or puts it into the queue while a turn runs.
fn submit(desk: &mut Desk, text: String, shown: Vec<u64>) {
    let message = Queued {
        text,
        attachments: std::mem::take(&mut desk.attached),
        shown,
        as_is: false,
    };
    enqueue(desk, message);
}

fn enqueue(desk: &mut Desk, message: Queued) {
    if desk.live.is_some() || desk.parked || !desk.queue.is_empty() {
        let n = desk.queue.len() + 1 + usize::from(desk.live.is_some());
        let words = one_line(&desk.paper.defanged(&message.text), 60);
        desk.paper.say(format!("queued as message {n}: {words}"));
        desk.queue.push_back(message);
    } else {
        send(desk, message);
    }
}

/// The next waiting message, when nothing holds it.
pub fn next(desk: &mut Desk) {
    if desk.live.is_none()
        && !desk.parked
        && let Some(message) = desk.queue.pop_front()
    {
        let words = one_line(&desk.paper.defanged(&message.text), 60);
        desk.paper.say(format!("Next message: {words}"));
        send(desk, message);
    }
}

fn send(desk: &mut Desk, message: Queued) {
    reading(desk, &message);
    let mut input = input(desk, message.text);
    input.attachments = message.attachments;
    input.as_is = message.as_is;
    begin(desk, input, message.shown);
}

/// Goes on with what was approved.
pub fn go_on(desk: &mut Desk) {
    if desk.live.is_none() && desk.case.is_some() {
        desk.paper.say("Going on with what was approved.");
        let mut input = input(desk, String::new());
        input.continuation = true;
        begin(desk, input, Vec::new());
    }
}

/// Hands a turn to the engine.
pub fn begin(desk: &mut Desk, input: AskInput, shown: Vec<u64>) {
    desk.live = Some(Live {
        phase: "starting".into(),
        ..Live::default()
    });
    desk.answered |= !matches!(desk.question, Question::None);
    desk.question = Question::None;
    let stances = if piped(desk) {
        human::read(&input.text, &ReadOptions::default())
            .mentions
            .into_iter()
            .filter(|m| m.stance == Stance::Authorize)
            .map(|m| (m.indicator, Stance::Listed))
            .collect()
    } else {
        Vec::new()
    };
    let choices = Choices {
        shown: Some(shown),
        stances,
    };
    desk.orders
        .push(Order::Ask(desk.room, Box::new(input), choices));
}

/// The input of a turn of this case.
#[must_use]
pub fn input(desk: &Desk, text: String) -> AskInput {
    AskInput {
        case: desk
            .case
            .as_ref()
            .map_or(CaseChoice::New, |c| CaseChoice::Id(c.as_str().to_owned())),
        text,
        attachments: Vec::new(),
        authorize_input: false,
        continuation: false,
        mode: None,
        fresh: false,
        as_is: false,
        model: ModelWish {
            no_model: false,
            name: desk.model.clone(),
            base_url: None,
        },
        surface: "plain",
    }
}

/// Says what the message decides, authorizes, refuses and only lists, and what redaction hides.
fn reading(desk: &mut Desk, message: &Queued) {
    hidden(desk, message);
    let options = ReadOptions {
        authorize_pasted: desk.settings.paste_authorizes,
        ..ReadOptions::default()
    };
    let mut mentions = human::read(&message.text, &options).mentions;
    if piped(desk) {
        for m in mentions
            .iter_mut()
            .filter(|m| m.stance == Stance::Authorize)
        {
            m.stance = Stance::Listed;
            m.why = "standard input".into();
        }
    }
    if let Some(reply) = reply(desk, message, !mentions.is_empty()) {
        let list = |n: &[u64]| n.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        match reply {
            Reply::Decide { approve, deny } => {
                for (words, numbers) in [("approves", approve), ("denies", deny)] {
                    if !numbers.is_empty() {
                        desk.paper
                            .say(format!("This message {words} {}.", list(&numbers)));
                    }
                }
            }
            Reply::AskWhich => desk
                .paper
                .say("Several are open: name the numbers, or say yes all."),
            Reply::NotAReply => {}
        }
        return;
    }
    for a in &message.attachments {
        for f in kit::extract(&a.text).into_iter().take(50) {
            if !mentions.iter().any(|m| m.indicator == f.indicator) {
                mentions.push(Mention {
                    indicator: f.indicator,
                    stance: Stance::Listed,
                    why: a.name.clone(),
                    start: 0,
                    end: 0,
                });
            }
        }
    }
    for (stance, words) in [
        (Stance::Authorize, "Will be looked up"),
        (Stance::Deny, "Refused"),
        (Stance::Red, "Stays at home (TLP:RED)"),
        (Stance::Listed, "Only listed, not looked up"),
    ] {
        let names: Vec<String> = mentions
            .iter()
            .filter(|m| m.stance == stance)
            .map(|m| {
                if stance == Stance::Listed {
                    format!("{} ({})", desk.paper.value(&m.indicator), m.why)
                } else {
                    desk.paper.value(&m.indicator)
                }
            })
            .collect();
        if names.is_empty() {
            continue;
        }
        let more = names.len().saturating_sub(20);
        let mut text = names.into_iter().take(20).collect::<Vec<_>>().join(", ");
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        desk.paper.say(format!("{words}: {text}"));
    }
    if mentions.is_empty() {
        desk.paper.say("This message names nothing to look up.");
    }
    for m in mentions.into_iter().take(6) {
        desk.orders.push(Order::Sightings(desk.room, m.indicator));
    }
}

/// What of the message, and of what comes with it, the model does not get.
fn hidden(desk: &mut Desk, message: &Queued) {
    let words = desk.words.hidden(&message.text);
    if message.as_is {
        let model = desk.server.as_ref().and_then(|s| s.model.clone());
        let model = model.map_or_else(|| "the model".to_owned(), |m| format!("the model {m}"));
        desk.paper.say(format!(
            "Sent as it is: {} visible to {model}.",
            words.words()
        ));
    } else if words.may_be_sent() {
        desk.paper.say(format!(
            "Hidden from the model: {}. /as-is MESSAGE sends a message as it is.",
            words.words()
        ));
    }
    if words.stays() {
        desk.paper
            .say(format!("Always hidden: {}.", words.words_always()));
    }
    for a in &message.attachments {
        let words = desk.words.hidden(&a.text).words_all();
        if !words.is_empty() {
            desk.paper.say(format!("Hidden in {}: {words}.", a.name));
        }
    }
}

/// Sends a message once as it is, with what looks like a secret in it, to a model on this machine.
pub fn as_is(desk: &mut Desk, text: &str) {
    let hidden = desk.words.hidden(text);
    let server = desk.server.clone().unwrap_or_default();
    if text.is_empty() {
        desk.complain("Name the message: /as-is MESSAGE");
    } else if !desk.settings.terminal {
        desk.complain("Without a terminal nothing is sent as it is.");
    } else if !hidden.may_be_sent() {
        desk.complain(if hidden.stays() {
            "What is hidden here always is: a secret of this program, or what [redact] extra_patterns match. Nothing was sent."
        } else {
            "Nothing of this message is hidden; send it without /as-is."
        });
    } else if server.remote {
        desk.complain("Not sent: the model runs on another machine, and what looks like a secret would leave this one.");
    } else if server.model.is_none() {
        desk.complain("Not sent: no model is asked, so there is nobody to send it to as it is.");
    } else {
        let message = Queued {
            text: text.to_owned(),
            attachments: std::mem::take(&mut desk.attached),
            shown: Vec::new(),
            as_is: true,
        };
        enqueue(desk, message);
    }
}

/// Lines of a pipe are nobody's own words: what they name is listed, as standard input of `ask` is.
fn piped(desk: &Desk) -> bool {
    !desk.settings.terminal && !desk.settings.paste_authorizes
}

/// How the message reads as a reply to what was shown when it was typed, as the engine reads it.
fn reply(desk: &Desk, message: &Queued, names: bool) -> Option<Reply> {
    let last = desk.state.turns.last().map_or(0, |t| t.n);
    let open = |of_last: bool| -> Vec<OpenPivot<'_>> {
        pivots(desk)
            .filter(|p| message.shown.contains(&p.n) && (!of_last || p.turn == last))
            .map(|p| OpenPivot {
                n: p.n,
                indicator: &p.indicator,
            })
            .collect()
    };
    let bare = if desk.settings.bare_all {
        BareYes::All
    } else {
        BareYes::Single
    };
    let text = message.text.as_str();
    let named = names || text.chars().any(|c| c.is_ascii_digit());
    let reply = match human::parse_reply(text, &open(true), bare) {
        Reply::NotAReply if named => human::parse_reply(text, &open(false), bare),
        // A plain yes or no to what an earlier turn proposed: the person is asked which.
        Reply::NotAReply if !message.shown.is_empty() => {
            match human::parse_reply(text, &open(false), BareYes::All) {
                Reply::NotAReply => Reply::NotAReply,
                Reply::Decide { .. } | Reply::AskWhich => Reply::AskWhich,
            }
        }
        reply => reply,
    };
    (reply != Reply::NotAReply).then_some(reply)
}
