//! One turn: a message comes in, is read and recorded, look-ups run, an answer goes out. A turn never
//! waits for a decision: it ends as `waiting`, and a continuation shares its budget.

use super::calls::{Dealt, Running, cut};
use super::connect::{ModelWish, NoModel, Planning};
use super::open_ends::unlooked;
use super::report::TurnReport;
use super::with_model::answer_text;
use super::{Draft, Engine, EngineError, OnProgress, Pivot, Progress, now_ms};
use crate::agent::{grounding, leaked, prompt, questions};
use crate::case::{
    Attachment, Body, CaseState, Mode, Planner, ProposalFrom, ProposalKind, ProposalState,
    TurnStatus, Usage,
};
use crate::config::settings::{ApproveBareYes, AuthorizePasted};
use crate::model::ModelError;
use crate::store::{CaseId, TurnLock};
use kit::extract::extract;
use kit::human::{self, BareYes, OpenPivot, ReadOptions, Reading, Reply, Stance};
use kit::indicator::Indicator;
use std::future::Future;
use std::time::Instant;

/// Bytes of an attachment that are kept.
const ATTACHMENT_KEPT: usize = 64 * 1024;

/// Indicators of an attachment that are remembered besides those proposed.
const ATTACHMENT_MENTIONED: usize = 500;

/// Longest question, in bytes; longer text belongs into an attachment.
pub const QUESTION_MAX: usize = 256 * 1024;

/// Which case a message belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseChoice {
    /// A new one.
    New,
    /// The one with this id or unique prefix.
    Id(String),
    /// The one that was used last.
    Last,
}

/// Text that came with a message.
#[derive(Clone, Debug)]
pub struct RawAttachment {
    /// `stdin` or a file's name.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A message to the engine.
#[derive(Clone, Debug)]
pub struct AskInput {
    /// Which case.
    pub case: CaseChoice,
    /// The person's own words; empty for a continuation.
    pub text: String,
    /// What came with it: never the person's own words.
    pub attachments: Vec<RawAttachment>,
    /// The person authorizes what stands in the attachments and in pasted or quoted parts.
    pub authorize_input: bool,
    /// Go on with what was approved, without a new message.
    pub continuation: bool,
    /// Evidence mode from here on.
    pub mode: Option<Mode>,
    /// Go past the cache.
    pub fresh: bool,
    /// The model.
    pub model: ModelWish,
    /// `cli`, `tui`, …
    pub surface: &'static str,
}

/// What was decided by the message before any look-up.
struct Begun {
    case: CaseId,
    lock: TurnLock,
    state: CaseState,
    turn: u32,
    continues: Option<u32>,
    /// Indicators that this turn is about.
    subjects: Vec<Indicator>,
    /// A fixed answer that needs no look-up (a decision was typed).
    fixed: Option<String>,
}

impl Engine {
    /// Runs one turn. When `cancel` resolves first, the running requests are dropped, the turn is marked
    /// interrupted, and the report says so.
    ///
    /// # Errors
    /// What keeps a turn from starting (no such case, busy, database) or being recorded.
    pub async fn ask(
        &self,
        input: AskInput,
        cancel: impl Future<Output = ()>,
        on: OnProgress<'_>,
    ) -> Result<TurnReport, EngineError> {
        let started = Instant::now();
        let mut begun = self.begin(&input)?;
        on(Progress::Started {
            case: begun.case.clone(),
            turn: begun.turn,
        });
        let (case, turn) = (begun.case.clone(), begun.turn);
        let ran = {
            let run = self.run(&input, &mut begun, started, on);
            tokio::pin!(run);
            tokio::pin!(cancel);
            tokio::select! {
                biased;
                () = &mut cancel => None,
                ran = &mut run => Some(ran),
            }
        };
        match ran {
            Some(Ok(())) => {}
            Some(Err(e)) => {
                // The turn must not stay open; what it cost stays charged.
                let now = now_ms();
                let id = case.clone();
                if let Err(second) = self.store.write(move |tx| tx.recover(&id, now)) {
                    tracing::error!(error = %second, "a turn that failed could not be closed");
                }
                return Err(e);
            }
            None => {
                let now = now_ms();
                let id = case.clone();
                self.store.write(move |tx| tx.recover(&id, now))?;
            }
        }
        drop(begun.lock);
        let state = self.store.read(|r| r.case(&case))?;
        Ok(TurnReport::new(&self.config, &case, &state, turn))
    }

    fn begin(&self, input: &AskInput) -> Result<Begun, EngineError> {
        if input.text.len() > QUESTION_MAX {
            return Err(EngineError::User {
                message: format!(
                    "the question is {} bytes long; at most {QUESTION_MAX} are read",
                    input.text.len()
                ),
                hint: "give long text on standard input: rmm-analyst ask \"what is this?\" < FILE"
                    .into(),
            });
        }
        let (case, lock) = self.choose(input)?;
        let mut state = self.store.read(|r| r.case(&case))?;
        if state.deleted {
            return Err(EngineError::User {
                message: "this case is deleted".into(),
                hint: format!(
                    "take that back with: rmm-analyst case delete --undo {}",
                    case.short()
                ),
            });
        }
        if state.closed {
            return Err(EngineError::User {
                message: "this case is closed".into(),
                hint: format!(
                    "open it again with: rmm-analyst case reopen {}",
                    case.short()
                ),
            });
        }
        if state.open_turn().is_some() {
            let (id, now) = (case.clone(), now_ms());
            self.store.write(move |tx| tx.recover(&id, now))?;
            self.sync(&case, &mut state)?;
        }
        let begun = Begun {
            case,
            lock,
            state,
            turn: 0,
            continues: None,
            subjects: Vec::new(),
            fixed: None,
        };
        if input.continuation {
            self.begin_continuation(begun)
        } else {
            self.begin_message(input, begun)
        }
    }

    fn choose(&self, input: &AskInput) -> Result<(CaseId, TurnLock), EngineError> {
        let found = match &input.case {
            CaseChoice::New => None,
            CaseChoice::Id(prefix) => {
                Some(self.store.read(|r| r.find_case(prefix, &self.principal))?)
            }
            CaseChoice::Last => Some(
                self.store
                    .read(|r| r.last_case(&self.principal))?
                    .ok_or_else(|| EngineError::User {
                        message: "there is no case to continue".into(),
                        hint: "start one with: rmm-analyst ask \"QUESTION\"".into(),
                    })?,
            ),
        };
        if let Some(case) = found {
            let lock = self.store.lock_turn(&case)?;
            return Ok((case, lock));
        }
        let words = if input.text.trim().is_empty() {
            "standard input"
        } else {
            input.text.trim()
        };
        let one_line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = self.redacted(&cut(&one_line, 72)).as_str().to_owned();
        let (principal, now) = (self.principal.name.clone(), now_ms());
        let case = self
            .store
            .write(move |tx| tx.create_case(now, &title, &principal))?;
        let lock = self.store.lock_turn(&case)?;
        Ok((case, lock))
    }

    fn begin_continuation(&self, mut begun: Begun) -> Result<Begun, EngineError> {
        let subjects = unlooked(&begun.state);
        let Some(last) = begun
            .state
            .turns
            .last()
            .map(|t| t.n)
            .filter(|_| !subjects.is_empty())
        else {
            let open = begun.state.open_proposals().count();
            return Err(EngineError::User {
                message: "there is nothing to continue: no approved indicator is without a look-up"
                    .into(),
                hint: if open > 0 {
                    format!(
                        "{open} proposals are open; decide with: rmm-analyst approve N, or deny N"
                    )
                } else {
                    format!(
                        "ask something: rmm-analyst ask --case {} \"QUESTION\"",
                        begun.case.short()
                    )
                },
            });
        };
        begun.turn = begun.state.next_turn();
        begun.continues = Some(last);
        begun.subjects = subjects;
        Ok(begun)
    }

    fn begin_message(&self, input: &AskInput, mut begun: Begun) -> Result<Begun, EngineError> {
        let state = &begun.state;
        let turn = state.next_turn();
        let (reading, reply, shown) = self.understand(input, state);
        let mut mentions = reading.mentions;
        if input.authorize_input {
            for m in mentions.iter_mut().filter(|m| m.stance == Stance::Listed) {
                m.stance = Stance::Authorize;
                m.why = "--authorize-input".into();
            }
        }
        // An indicator that holds a configured secret is not kept: it would carry the secret into the log.
        mentions.retain(|m| !self.holds_secret(m.indicator.value()));
        let mut from_input: Vec<Indicator> = mentions
            .iter()
            .filter(|m| m.stance == Stance::Listed)
            .map(|m| m.indicator.clone())
            .collect();
        let mut attachments = Vec::new();
        for raw in &input.attachments {
            attachments.push(self.attach(raw, &mut from_input));
        }
        let mut drafts = vec![Draft::Body(Body::Human {
            turn,
            text: self.redacted(&input.text),
            mentions: mentions.clone(),
            attachments: Vec::new(),
            shown,
            principal: self.principal.name.clone(),
            surface: input.surface.to_owned(),
        })];
        if let Some(mode) = input.mode.or_else(|| typed_mode(&input.text)) {
            drafts.push(Draft::Body(Body::ModeSet { mode }));
        }
        let mut fixed = None;
        let mut continues = None;
        let mut subjects: Vec<Indicator> = mentions
            .iter()
            .filter(|m| m.stance == Stance::Authorize)
            .map(|m| m.indicator.clone())
            .collect();
        if let Reply::Decide { approve, deny } = &reply {
            for (numbers, yes) in [(approve, true), (deny, false)] {
                for n in numbers {
                    drafts.push(Draft::Body(Body::Decided {
                        n: *n,
                        approve: yes,
                        reason: None,
                        principal: self.principal.name.clone(),
                        surface: input.surface.to_owned(),
                    }));
                    if let Some(p) = state.proposals.get(n) {
                        continues = continues.or(Some(p.turn));
                        if yes && !subjects.contains(&p.indicator) {
                            subjects.push(p.indicator.clone());
                        }
                    }
                }
            }
            if subjects.is_empty() {
                let names: Vec<String> = deny
                    .iter()
                    .filter_map(|n| state.proposals.get(n))
                    .map(|p| p.indicator.value().to_owned())
                    .collect();
                fixed = Some(format!(
                    "Denied, and not proposed again in this case: {}.",
                    names.join(", ")
                ));
            }
        } else if reply == Reply::AskWhich {
            let open: Vec<String> = state
                .open_proposals()
                .map(|p| format!("{} {}", p.n, p.indicator.value()))
                .collect();
            fixed = Some(format!(
                "Several proposals are open; which do you mean? {}. Answer with numbers, or \"yes all\".",
                open.join(", ")
            ));
        }
        if input.authorize_input {
            subjects.extend(
                from_input
                    .iter()
                    .filter(|i| !mentions.iter().any(|m| m.indicator == **i))
                    .cloned(),
            );
        }
        // The message is written whole, with what it names, in one transaction.
        let listed = self.list_input(
            input,
            state,
            turn,
            &mentions,
            &mut from_input,
            &mut attachments,
        );
        if let Some(Draft::Body(Body::Human {
            attachments: slot, ..
        })) = drafts.first_mut()
        {
            *slot = attachments;
        }
        drafts.extend(listed);
        self.append(&begun.case, drafts)?;
        self.sync(&begun.case, &mut begun.state)?;
        begun.turn = turn;
        begun.continues = continues;
        begun.subjects = subjects;
        begun.fixed = fixed;
        Ok(begun)
    }

    /// Reads the message as words, and as a reply to what was shown.
    fn understand(&self, input: &AskInput, state: &CaseState) -> (Reading, Reply, Vec<u64>) {
        let options = ReadOptions {
            authorize_pasted: self.config.ai.authorize_pasted == AuthorizePasted::Yes,
            ..ReadOptions::default()
        };
        let reading = human::read(&input.text, &options);
        let bare = match self.config.ai.approve_bare_yes {
            ApproveBareYes::Single => BareYes::Single,
            ApproveBareYes::All => BareYes::All,
        };
        let pivots: Vec<_> = state
            .open_proposals()
            .filter(|p| p.kind == ProposalKind::Pivot)
            .collect();
        let shown: Vec<u64> = pivots.iter().map(|p| p.n).collect();
        let last = state.turns.last().map_or(0, |t| t.n);
        let open = |of_last: bool| -> Vec<OpenPivot<'_>> {
            pivots
                .iter()
                .filter(|p| !of_last || p.turn == last)
                .map(|p| OpenPivot {
                    n: p.n,
                    indicator: &p.indicator,
                })
                .collect()
        };
        // A yes without a number or a name covers only what the last turn proposed: older proposals are
        // decided by number or by name.
        let reply = match human::parse_reply(&input.text, &open(true), bare) {
            Reply::NotAReply
                if input.text.chars().any(|c| c.is_ascii_digit())
                    || !reading.mentions.is_empty() =>
            {
                human::parse_reply(&input.text, &open(false), bare)
            }
            reply => reply,
        };
        (reading, reply, shown)
    }

    /// Keeps an attachment's text (redacted, capped) and collects its indicators.
    fn attach(&self, raw: &RawAttachment, found: &mut Vec<Indicator>) -> Attachment {
        for f in extract(&raw.text) {
            if !found.contains(&f.indicator)
                && found.len() < ATTACHMENT_MENTIONED
                && !self.holds_secret(f.indicator.value())
            {
                found.push(f.indicator);
            }
        }
        let text = self.redacted(&raw.text);
        let kept = cut_bytes(text.as_str(), ATTACHMENT_KEPT);
        Attachment {
            name: cut(&raw.name, 80),
            text: self.redacted(kept),
            bytes: raw.text.len() as u64,
            sha256: crate::store::sha256_hex(raw.text.as_bytes()),
            mentioned: Vec::new(),
        }
    }

    /// What stands in attachments and quotes becomes numbered open pivots (the first ten), the rest is
    /// mentioned; or, where the person said so, all of it is authorized.
    #[allow(clippy::too_many_arguments)] // parts of one message
    fn list_input(
        &self,
        input: &AskInput,
        state: &CaseState,
        turn: u32,
        mentions: &[human::Mention],
        from_input: &mut Vec<Indicator>,
        attachments: &mut [Attachment],
    ) -> Vec<Draft> {
        from_input.retain(|i| {
            let own_words = mentions
                .iter()
                .any(|m| m.indicator == *i && m.stance != Stance::Listed);
            !own_words
                && !state.denied.contains(i)
                && state
                    .authorization(i, self.config.ai.authorize_url_host)
                    .is_none()
        });
        if input.authorize_input {
            if from_input.is_empty() {
                return Vec::new();
            }
            return vec![Draft::Body(Body::Authorized {
                indicators: std::mem::take(from_input),
                how: "--authorize-input".into(),
                principal: self.principal.name.clone(),
            })];
        }
        let room = self
            .config
            .limits
            .proposals_open
            .saturating_sub(state.open_proposals().count());
        let mut out = Vec::new();
        let mut rest = Vec::new();
        for indicator in from_input.drain(..) {
            let takes = self
                .catalog
                .values()
                .any(|t| t.enabled && t.spec.takes(indicator.kind()));
            let open = state.open_proposals().any(|p| p.indicator == indicator);
            let home =
                kit::reach::check(&indicator, &self.reach).is_err() || state.is_red(&indicator);
            if out.len() < room && takes && !open && !home {
                let place = if mentions.iter().any(|m| m.indicator == indicator) {
                    "it stands in a quoted or pasted part"
                } else {
                    "it stands in the input"
                };
                out.push(Draft::Propose(Pivot {
                    turn,
                    indicator,
                    why: self.redacted(place),
                    found_in: None,
                    not_in_evidence: false,
                    from: ProposalFrom::Input,
                }));
            } else if !open {
                rest.push(indicator);
            }
        }
        if let Some(first) = attachments.first_mut() {
            first.mentioned = rest;
        }
        out
    }

    async fn run(
        &self,
        input: &AskInput,
        begun: &mut Begun,
        started: Instant,
        on: OnProgress<'_>,
    ) -> Result<(), EngineError> {
        let (case, turn) = (begun.case.clone(), begun.turn);
        let from_input =
            |t: &crate::case::Turn| !t.attachments.is_empty() || !t.proposals.is_empty();
        let only_listed =
            begun.subjects.is_empty() && begun.state.turn(turn).is_some_and(from_input);
        let planning = if begun.fixed.is_some() {
            Ok(Planning::Rules {
                warnings: Vec::new(),
            })
        } else {
            self.planning(&input.model, on).await?
        };
        let (planner, model, mode) = match &planning {
            Ok(Planning::Model { client, mode, .. }) => (
                Planner::Model,
                Some(client.info().model.clone()),
                Some(mode.name().to_owned()),
            ),
            _ => (Planner::Rules, None, None),
        };
        self.append(
            &case,
            vec![Draft::Body(Body::TurnStarted {
                turn,
                continues: begun.continues,
                planner,
                model,
                tools_mode: mode,
            })],
        )?;
        self.sync(&case, &mut begun.state)?;
        let mut end = End {
            case: &case,
            turn,
            started,
            usage: Usage::default(),
            warnings: Vec::new(),
        };
        match planning {
            Err(NoModel::Unreachable(e)) => self.end_without_model(
                &end,
                &mut begun.state,
                TurnStatus::ModelUnreachable,
                &model_error(&e),
            ),
            Err(NoModel::NoTools(why)) => {
                self.end_without_model(&end, &mut begun.state, TurnStatus::NoToolCalls, &why)
            }
            Ok(Planning::Rules { warnings }) => {
                for w in &warnings {
                    on(Progress::Warning(w.clone()));
                }
                end.warnings = warnings;
                let running = self.running(&case, turn, false, input.fresh, &begun.state);
                let answer = match begun.fixed.take() {
                    Some(fixed) => fixed,
                    None if only_listed => self.listed_answer(&begun.state, turn),
                    None => {
                        let unplanned = self.unplanned(&begun.state, &begun.subjects);
                        self.by_rules(
                            &running,
                            &mut begun.state,
                            &begun.subjects.clone(),
                            &unplanned,
                            on,
                        )
                        .await?
                        .0
                    }
                };
                self.finish(
                    &mut end,
                    &mut begun.state,
                    &running,
                    Some(answer),
                    None,
                    false,
                )
            }
            Ok(Planning::Model {
                client,
                mode,
                may_switch,
            }) => {
                let mut running =
                    self.running(&case, turn, client.info().remote, input.fresh, &begun.state);
                if client.info().remote {
                    end.warnings.push(format!(
                        "the model runs on another machine ({})",
                        client.info().base_url
                    ));
                }
                let subjects = begun.subjects.clone();
                let out = self
                    .with_model(
                        &mut running,
                        &mut begun.state,
                        &client,
                        mode,
                        may_switch,
                        &subjects,
                        on,
                    )
                    .await?;
                end.usage = out.usage;
                end.warnings.extend(out.warnings);
                let mut answer = out.answer;
                if answer.is_none() {
                    let why = out.why.clone().unwrap_or_else(|| "no answer".to_owned());
                    end.warnings.push(why.clone());
                    answer = self.answer_from_evidence(&why, &out.dealt);
                    let limits = &self.config.limits;
                    let spent = begun.state.used_in_turn(turn) >= limits.calls_per_turn
                        || begun.state.used >= limits.calls_per_case;
                    if answer.is_none() && why == leaked::ADVICE {
                        // Only where native calls alone are allowed: else the turn went on constrained.
                        return self.end_without_model(
                            &end,
                            &mut begun.state,
                            TurnStatus::NoToolCalls,
                            &why,
                        );
                    }
                    if answer.is_none()
                        && (out.failed || !spent)
                        && self.config.model.fallback_to_rules
                    {
                        let (text, _): (String, Vec<Dealt>) = self
                            .by_rules(&running, &mut begun.state, &subjects, &[], on)
                            .await?;
                        // Its first line says that no model was asked.
                        let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
                        answer = Some(format!(
                            "The model gave no answer ({why}), so rules chose the look-ups.\n{rest}"
                        ));
                    } else if answer.is_none() && out.failed {
                        return self.end_without_model(
                            &end,
                            &mut begun.state,
                            TurnStatus::ModelUnreachable,
                            &why,
                        );
                    }
                }
                if out.mode != mode {
                    self.remember(&client, out.mode);
                }
                self.finish(&mut end, &mut begun.state, &running, answer, out.why, true)
            }
        }
    }

    fn running<'a>(
        &self,
        case: &'a CaseId,
        turn: u32,
        model_remote: bool,
        fresh: bool,
        state: &CaseState,
    ) -> Running<'a> {
        Running {
            case,
            turn,
            model_remote,
            fresh,
            handles: prompt::handles(state, &*self.redact),
            evidence_chars: self.config.limits.evidence_chars,
        }
    }

    fn end_without_model(
        &self,
        end: &End<'_>,
        state: &mut CaseState,
        status: TurnStatus,
        why: &str,
    ) -> Result<(), EngineError> {
        let body = Body::TurnEnded {
            turn: end.turn,
            status,
            usage: end.usage(),
            warnings: end.warnings.clone(),
            error: Some(self.redacted(why).as_str().to_owned()),
        };
        self.append(end.case, vec![Draft::Body(body)])?;
        self.sync(end.case, state)?;
        Ok(())
    }

    /// Records the answer, what it asks for, and the end of the turn, in one transaction.
    fn finish(
        &self,
        end: &mut End<'_>,
        state: &mut CaseState,
        running: &Running<'_>,
        answer: Option<String>,
        why: Option<String>,
        by_model: bool,
    ) -> Result<(), EngineError> {
        self.sync(end.case, state)?;
        let mut drafts = Vec::new();
        let mut status = TurnStatus::Answered;
        let mut error = None;
        match &answer {
            Some(text) => {
                let text = answer_text(self, text);
                let mut unsupported = Vec::new();
                if by_model {
                    let mut shadow = state.clone();
                    for indicator in questions::asked_for(text.as_str()) {
                        if !self.worth_proposing(&indicator, &shadow, running) {
                            continue;
                        }
                        let found_in = shadow.seen.get(&indicator).copied();
                        let pivot = Pivot {
                            turn: end.turn,
                            not_in_evidence: found_in.is_none() && !shadow.knows(&indicator),
                            why: self.redacted("the answer asks for it"),
                            indicator,
                            found_in,
                            from: ProposalFrom::Question,
                        };
                        let provisional = u64::MAX - drafts.len() as u64;
                        let event = crate::case::Event {
                            seq: shadow.seq,
                            at_ms: 0,
                            body: pivot.clone().body(provisional),
                        };
                        shadow.apply(&event);
                        drafts.push(Draft::Propose(pivot));
                    }
                    unsupported = grounding::unsupported(text.as_str(), state, end.turn);
                }
                let mentioned = grounding::mentioned(
                    text.as_str(),
                    state,
                    self.config.ai.authorize_url_host,
                    50,
                );
                drafts.push(Draft::Body(Body::Answer {
                    turn: end.turn,
                    text,
                    unsupported,
                    mentioned,
                }));
            }
            None => {
                let spent = state.used_in_turn(end.turn) >= self.config.limits.calls_per_turn
                    || state.used >= self.config.limits.calls_per_case;
                status = if spent {
                    TurnStatus::Budget
                } else {
                    TurnStatus::Error
                };
                error = Some(why.unwrap_or_else(|| "the model gave no answer".to_owned()));
            }
        }
        let open_here = state
            .proposals
            .values()
            .any(|p| p.turn == end.turn && p.state == ProposalState::Open);
        if status == TurnStatus::Answered
            && (open_here || drafts.iter().any(|d| matches!(d, Draft::Propose(_))))
        {
            status = TurnStatus::Waiting;
        }
        let warnings = end
            .warnings
            .iter()
            .map(|w| self.redacted(w).as_str().to_owned())
            .collect();
        drafts.push(Draft::Body(Body::TurnEnded {
            turn: end.turn,
            status,
            usage: end.usage(),
            warnings,
            error,
        }));
        self.append(end.case, drafts)?;
        self.sync(end.case, state)?;
        Ok(())
    }
}

struct End<'a> {
    case: &'a CaseId,
    turn: u32,
    started: Instant,
    usage: Usage,
    warnings: Vec<String>,
}

impl End<'_> {
    fn usage(&self) -> Usage {
        Usage {
            ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..self.usage
        }
    }
}

fn model_error(e: &ModelError) -> String {
    format!("{e}. {}", e.hint())
}

fn typed_mode(text: &str) -> Option<Mode> {
    match human::mode_word(text)? {
        "full" => Some(Mode::Full),
        _ => Some(Mode::Brief),
    }
}

fn cut_bytes(text: &str, most: usize) -> &str {
    let mut at = text.len().min(most);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text.get(..at).unwrap_or_default()
}
