//! The state of line mode, and what the engine says. No clock, no terminal, no engine: lines and updates
//! come in, words go onto the [`Paper`], and orders go out.

use super::paper::{Paper, one_line};
pub use super::state::{Live, Question, Queued, Settings, Show};
use super::{action, card, commands, evidence, looked, message, story};
use crate::engine::own_words::OwnWords;
use crate::engine::server::ServerLine;
use crate::engine::session::{Failure, Order, RoomId, Update};
use crate::engine::view::{
    ActionView, Body, CaseId, CaseState, CaseSummary, Event, EvidenceRow, Mode, ModuleFact,
    ProposalState, TurnStatus,
};
use crate::engine::{Progress, RawAttachment, TurnReport};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Line mode.
#[derive(Debug)]
pub struct Desk {
    /// Settings.
    pub settings: Settings,
    /// The output.
    pub paper: Paper,
    /// What is to be ordered.
    pub orders: Vec<Order>,
    /// Tells what redaction hides.
    pub words: OwnWords,
    /// The number of the case on this desk; it changes with the case.
    pub room: RoomId,
    /// The case; none before the first message.
    pub case: Option<CaseId>,
    /// Its state.
    pub state: CaseState,
    /// The state is on its way.
    pub loading: bool,
    /// All cases, newest first.
    pub cases: Vec<CaseSummary>,
    /// The model server.
    pub server: Option<ServerLine>,
    /// The look-up modules.
    pub modules: Vec<ModuleFact>,
    /// The model chosen for this session.
    pub model: Option<String>,
    /// The running turn.
    pub live: Option<Live>,
    /// Waiting messages.
    pub queue: VecDeque<Queued>,
    /// They wait for the person after an interruption.
    pub parked: bool,
    /// Large pastes for the next message.
    pub attached: Vec<RawAttachment>,
    /// What the next line answers.
    pub question: Question,
    /// What there is to know about actions that wait, by number.
    pub actions: HashMap<u64, ActionView>,
    /// The action whose card was printed last, and what stands for its content.
    pub carded: Option<(u64, u64)>,
    /// Proposals that were printed whole.
    pub printed: BTreeSet<u64>,
    /// The discards of the terminal's queue before the last card could be answered.
    pub armed: u64,
    /// The person leaves the open ones open for now.
    pub away: bool,
    /// Proposals that the person left open one by one, until all are.
    pub left: BTreeSet<u64>,
    /// A question was open just before: a lone number now was meant for it.
    pub answered: bool,
    /// The deleted case that can be brought back.
    pub deleted: Option<CaseId>,
    /// Evidence that came.
    pub rows: HashMap<u32, EvidenceRow>,
    /// Evidence to be printed, in order.
    pub showing: VecDeque<Show>,
    /// Number of the last search.
    pub stamp: u64,
    /// Reasoning of the last round.
    pub reasoning: String,
    /// Ctrl-C was pressed on nothing.
    pub leave_asked: bool,
    /// The person leaves.
    pub leave: bool,
    /// What ended badly, as exit codes.
    pub codes: BTreeSet<u8>,
    /// The card was printed and is to be armed by the loop.
    pub arm: bool,
    /// A hit of a search to be shown when its case is there.
    pub jump: Option<(String, u32)>,
    greeted: bool,
    listed_cases: bool,
    listed_modules: bool,
    /// Answers that are on their way: fences and look-ups.
    fences: usize,
    looks: usize,
}

impl Desk {
    /// A desk without a case.
    #[must_use]
    pub fn new(settings: Settings, words: OwnWords) -> Self {
        let paper = Paper::new(settings.utf8, settings.defang);
        let mut desk = Self {
            settings,
            paper,
            orders: Vec::new(),
            words,
            room: 1,
            case: None,
            state: CaseState::default(),
            loading: false,
            cases: Vec::new(),
            server: None,
            modules: Vec::new(),
            model: None,
            live: None,
            queue: VecDeque::new(),
            parked: false,
            attached: Vec::new(),
            question: Question::None,
            actions: HashMap::new(),
            carded: None,
            printed: BTreeSet::new(),
            armed: 0,
            away: false,
            left: BTreeSet::new(),
            answered: false,
            deleted: None,
            rows: HashMap::new(),
            showing: VecDeque::new(),
            stamp: 0,
            reasoning: String::new(),
            leave_asked: false,
            leave: false,
            codes: BTreeSet::new(),
            arm: false,
            jump: None,
            greeted: false,
            listed_cases: false,
            listed_modules: false,
            fences: 0,
            looks: 0,
        };
        let program = desk.settings.program.clone();
        desk.paper.say(format!(
            "{program}, line mode. Looking for the model server."
        ));
        desk.orders.push(Order::Cases);
        desk.orders.push(Order::Modules);
        let wish = message::input(&desk, String::new()).model;
        desk.orders.push(Order::Server(wish));
        desk
    }

    /// The beginning was said: lines may come.
    #[must_use]
    pub const fn greeted(&self) -> bool {
        self.greeted
    }

    /// Nothing runs and nothing is on its way.
    #[must_use]
    pub fn idle(&self) -> bool {
        self.greeted
            && self.live.is_none()
            && !self.loading
            && self.fences == 0
            && self.looks == 0
            && self.showing.is_empty()
            && (self.queue.is_empty() || self.parked)
    }

    /// What stands before the cursor.
    #[must_use]
    pub fn prompt(&self) -> &'static str {
        match &self.question {
            Question::None => "analyst> ",
            Question::Card { .. } => "choice> ",
            Question::Count { .. } => "devices> ",
            Question::Reason(_) => "reason> ",
            Question::Menu(_) => "number> ",
            Question::Value(_) => "value> ",
        }
    }

    /// The exit code for a script: what went wrong first in the order of the contract, else 6 while
    /// something waits for a person.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let mut codes = self.codes.clone();
        if self.state.open_proposals().next().is_some()
            || self.state.open_actions().next().is_some()
        {
            codes.insert(6);
        }
        [130, 1, 2, 3, 4, 5, 9, 6, 7, 8]
            .into_iter()
            .find(|c| codes.contains(c))
            .unwrap_or(0)
    }

    /// Gives an order whose effects are over before the next line of a pipe is read.
    pub fn order(&mut self, order: Order) {
        self.orders.push(order);
        // The session obeys in order: when this is answered, the one before was obeyed.
        self.orders.push(Order::Modules);
        self.fences += 1;
    }

    /// Orders a person's own look-up.
    pub fn look(&mut self, order: Order) {
        self.orders.push(order);
        self.looks += 1;
    }

    /// Answers for a case that is left do not come any more.
    pub fn forget_looks(&mut self) {
        self.looks = 0;
    }

    /// Something that the person asked for cannot be done.
    pub fn complain(&mut self, text: impl AsRef<str>) {
        self.paper.say(text);
        self.codes.insert(2);
    }

    /// Takes what the engine says.
    pub fn update(&mut self, update: Update) {
        match update {
            Update::Cases(list, _) => self.cases_came(list),
            Update::Loaded(room, case, state) if room == self.room => self.loaded(case, *state),
            Update::Events(room, events) if room == self.room => self.events(&events),
            Update::Progress(room, p) if room == self.room => self.progress(p),
            Update::Ended(room, report) if room == self.room => self.ended(&report),
            Update::Failed(room, failure) if room.is_none_or(|r| r == self.room) => {
                self.failed(room.is_some(), failure);
            }
            Update::Looked(room, title, looked) if room == self.room => {
                self.looks = self.looks.saturating_sub(1);
                looked::print(&mut self.paper, &title, &looked);
            }
            Update::Evidence(room, row) if room == self.room => {
                if self.rows.len() > 200 {
                    self.rows.clear();
                }
                self.rows.insert(row.meta.n, *row);
                evidence::show(self);
            }
            Update::Hits(stamp, hits) if stamp == self.stamp => super::menu::hits(self, hits),
            Update::Action(room, view) if room == self.room => {
                self.actions.insert(view.n, *view);
                card::sync(self);
            }
            Update::Sightings(room, indicator, seen) if room == self.room => {
                if let Some(first) = seen.first() {
                    let value = self.paper.value(&indicator);
                    let title = one_line(&self.paper.defanged(&first.title), 60);
                    let (n, s) = (seen.len(), if seen.len() == 1 { "" } else { "s" });
                    self.paper
                        .say(format!("{value} is in {n} other case{s}: {title}"));
                }
            }
            Update::Modules(facts) => {
                self.modules = facts;
                self.listed_modules = true;
                self.fences = self.fences.saturating_sub(1);
            }
            Update::Server(line) => self.server_came(*line),
            Update::Made(case) => {
                self.paper.say(format!("Case {} was made.", case.short()));
                commands::open_case(self, case);
            }
            Update::OwnWords(words) => self.words = words,
            Update::Done(words) => self.paper.say(capital(&words)),
            Update::Settings(config) => self.settings_came(&config),
            Update::NotSet(key, why) => {
                self.complain(format!("{key} was not set: {}", why.message));
                self.paper.say(format!(
                    "It stays as it was; /settings {key} VALUE tries again."
                ));
            }
            Update::Kept(name, Ok(place)) => self
                .paper
                .say(format!("The secret {name} is stored: {place}.")),
            Update::Kept(name, Err(why)) => {
                self.complain(format!("The secret {name} was not stored: {}", why.message));
                if !why.hint.is_empty() {
                    self.paper.say(format!("What to do: {}", why.hint));
                }
            }
            // Of a case that is not on this desk any more, or an answer to the full screen's setup.
            _ => {}
        }
        self.settle();
    }

    /// Says the beginning once everything for it is there, and asks what waits once nothing runs.
    pub fn settle(&mut self) {
        let there = self.listed_cases && self.listed_modules && self.server.is_some();
        if !self.greeted && there && !self.loading {
            self.greeted = true;
            self.greet();
        }
        if self.idle() {
            card::ask(self);
        }
    }

    fn cases_came(&mut self, list: Vec<CaseSummary>) {
        self.cases = list;
        if !self.listed_cases {
            self.listed_cases = true;
            // A pipe says itself which case it means: the last one may be anybody's.
            let terminal = self.settings.terminal;
            let last = self
                .cases
                .iter()
                .find(|c| terminal && !c.closed && !c.deleted);
            if let Some(id) = last.map(|c| c.id.clone()) {
                self.loading = true;
                self.case = Some(id.clone());
                self.orders.push(Order::Follow(self.room, id));
            }
        }
    }

    fn greet(&mut self) {
        self.server_words();
        let on: Vec<&ModuleFact> = self.modules.iter().filter(|m| m.enabled).collect();
        let ready = on.iter().filter(|m| m.ready).count();
        let words = format!(
            "Look-up modules: {ready} of {} ready; /modules lists them.",
            on.len()
        );
        self.paper.say(words);
        story::opened(self);
        self.paper.say(if self.settings.terminal {
            "Type a question. /help lists the commands; /quit or ctrl-d leaves."
        } else {
            "Lines are read as messages and commands until the input ends; /open CASE goes on with an earlier case; nothing is asked and nothing is approved without a terminal."
        });
    }

    fn server_words(&mut self) {
        let Some(s) = self.server.clone() else { return };
        if let Some(model) = &s.model {
            let window = s.context.map_or_else(
                || "of unknown size".to_owned(),
                |c| format!("of {c} tokens"),
            );
            let place = if s.remote {
                ", on another machine"
            } else {
                ", on this machine"
            };
            self.paper
                .say(format!("Model: {model}, with a window {window}{place}."));
        } else {
            self.paper
                .say("Model: none; the built-in rules choose the look-ups.");
        }
        if let Some(missing) = &s.missing {
            self.paper.say(format!("Missing: {missing}"));
        }
    }

    fn server_came(&mut self, line: ServerLine) {
        let before = self.server.replace(line);
        if self.greeted && before != self.server {
            self.server_words();
        }
    }

    fn loaded(&mut self, case: CaseId, state: CaseState) {
        // A turn began a case that is new here, or the log was read anew.
        let known = self.case.as_ref() == Some(&case) && !self.loading;
        self.case = Some(case);
        self.state = state;
        if known || self.live.is_some() {
            self.loading = false;
            story::ledger(self);
            return;
        }
        self.loading = false;
        if self.greeted {
            story::opened(self);
        }
        if let Some((kind, n)) = self.jump.take() {
            match kind.as_str() {
                "evidence" if n > 0 => evidence::fetch(self, n, evidence::Form::Table),
                "human" | "answer" | "attachment" if n > 0 => story::tell(self, Some(n)),
                _ => {}
            }
        }
    }

    fn events(&mut self, events: &[Event]) {
        let open_before: Vec<u64> = self.state.open_proposals().map(|p| p.n).collect();
        let mut decided = Vec::new();
        for e in events {
            if e.seq <= self.state.seq {
                continue;
            }
            self.state.apply(e);
            match &e.body {
                Body::Decided { n, .. } => {
                    decided.push(*n);
                    card::decided(self, *n);
                }
                Body::ActionNews { news } => {
                    if let Some(a) = self.state.actions.get(&news.n).cloned() {
                        action::standing(self, &a);
                    }
                }
                Body::TurnEnded { turn, .. } if self.live.is_none() => self.paper.say(format!(
                    "Turn {turn} of another process ended; /story {turn} tells it."
                )),
                Body::Authorized { .. } | Body::Revoked { .. } => decided.extend(&open_before),
                _ => {}
            }
        }
        story::ledger(self);
        card::sync(self);
        // The last decision of a turn starts its continuation, when something was approved.
        let turns: Vec<u32> = decided
            .iter()
            .filter_map(|n| self.state.proposals.get(n))
            .map(|p| p.turn)
            .collect();
        let go = turns.iter().any(|t| {
            let of = || self.state.proposals.values().filter(|p| p.turn == *t);
            of().all(|p| p.state != ProposalState::Open)
                && of().any(|p| {
                    p.state == ProposalState::Approved
                        && self.state.authorized.contains_key(&p.indicator)
                })
        });
        if go && self.live.is_none() && self.state.open_turn().is_none() {
            message::go_on(self);
        }
    }

    fn progress(&mut self, p: Progress) {
        if let Progress::Started { case, turn } = &p {
            self.case = Some(case.clone());
            if let Some(l) = &mut self.live {
                l.turn = Some(*turn);
            }
            self.paper.say(format!("Turn {turn} begins."));
            return;
        }
        let Some(live) = &mut self.live else { return };
        if live.stopping {
            return;
        }
        match p {
            Progress::Loading => {
                live.phase = "the server loads the model".into();
                self.paper.say("The server loads the model.");
            }
            Progress::Thinking { round } => {
                story::meanwhile(self);
                if let Some(l) = &mut self.live {
                    l.phase = format!("the model works, round {round}");
                }
                self.paper.say(format!("The model works, round {round}."));
            }
            Progress::Text(t) => {
                live.phase = "the model answers".into();
                live.text.push_str(t.as_str());
                story::stream(self);
            }
            Progress::Reasoning(t) => live.reasoning.push_str(t.as_str()),
            Progress::Calling { tool, argument } => {
                let value = one_line(&self.paper.defanged(argument.as_str()), 200);
                let words = format!("calling {} for {value}", tool.as_str());
                live.phase.clone_from(&words);
                self.paper.say(words);
            }
            // These stand in the ledger and in the turn, with more to them.
            Progress::Called { .. }
            | Progress::Refused { .. }
            | Progress::Round { .. }
            | Progress::Started { .. }
            | Progress::Warning(_) => {}
        }
    }

    fn ended(&mut self, report: &TurnReport) {
        story::ledger(self);
        let live = self.live.take().unwrap_or_default();
        let status = report.status();
        if !live.reasoning.is_empty() {
            self.reasoning.clone_from(&live.reasoning);
        }
        let code = report.exit_code();
        if code != 0 && code != 6 {
            self.codes.insert(code);
        }
        story::end(self, report, &live);
        if status == TurnStatus::Interrupted && !self.queue.is_empty() {
            self.parked = true;
            story::parked(self);
        }
        let waits = self
            .state
            .turns
            .last()
            .is_some_and(|t| t.proposals.iter().any(|n| self.state.open.contains(n)));
        if !waits && self.queue.is_empty() && self.decided_meanwhile() {
            message::go_on(self);
        }
        message::next(self);
    }

    /// Something of the last turn was approved while the turn still ran: it goes on now.
    fn decided_meanwhile(&self) -> bool {
        let Some(t) = self.state.turns.last() else {
            return false;
        };
        if t.status != Some(TurnStatus::Waiting) && t.status != Some(TurnStatus::Answered) {
            return false;
        }
        t.proposals
            .iter()
            .filter_map(|n| self.state.proposals.get(n))
            .any(|p| {
                p.state == ProposalState::Approved
                    && !t
                        .calls
                        .iter()
                        .any(|c| c.subject.as_ref() == Some(&p.indicator) && c.status.is_some())
            })
    }

    fn failed(&mut self, here: bool, failure: Failure) {
        self.paper.say(format!("Error: {}", failure.message));
        if !failure.hint.is_empty() {
            self.paper.say(format!("What to do: {}", failure.hint));
        }
        self.codes.insert(2);
        if failure.turn {
            self.live = None;
            self.paper.say("The turn did not begin.");
            if !self.queue.is_empty() {
                self.parked = true;
                story::parked(self);
            }
            return;
        }
        if here {
            self.looks = self.looks.saturating_sub(1);
            self.showing.clear();
            if self.loading {
                self.loading = false;
                self.case = None;
            }
        }
    }

    fn settings_came(&mut self, config: &crate::config::Config) {
        self.settings.defang = config.ui.defang;
        self.paper.defang = config.ui.defang;
        self.settings.turn_max = config.limits.calls_per_turn;
        self.settings.case_max = config.limits.calls_per_case;
        self.settings.paste_authorizes =
            config.ai.authorize_pasted == crate::config::settings::AuthorizePasted::Yes;
        self.settings.bare_all =
            config.ai.approve_bare_yes == crate::config::settings::ApproveBareYes::All;
        let secrets: Vec<_> = self
            .settings
            .all
            .drain(..)
            .filter(|(k, _)| k.starts_with("secret "))
            .collect();
        self.settings.all = crate::surface::settings_of(config);
        self.settings.all.extend(secrets);
        self.paper.say("Set; it applies from now on.");
        let wish = message::input(self, String::new()).model;
        self.orders.push(Order::Server(wish));
    }

    /// Whether evidence is shown with each answer.
    #[must_use]
    pub fn full(&self) -> bool {
        self.state.mode == Mode::Full
    }
}

/// The text with a capital first letter.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|c| c.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
