//! The beginning of a turn: which case, what the message names, refuses, decides and brings along, and
//! all of it written in one transaction before anything else happens.

use super::calls::cut;
use super::turn::{AskInput, CaseChoice, Choices, QUESTION_MAX, RawAttachment};
use super::{Draft, Engine, EngineError, Pivot, now_ms};
use crate::case::{
    Attachment, Body, CaseState, Mode, ProposalFrom, ProposalKind, ProposalState, TurnStatus,
};
use crate::config::settings::{ApproveBareYes, AuthorizePasted};
use crate::store::{CaseId, TurnLock};
use kit::extract::extract;
use kit::human::{self, BareYes, OpenPivot, ReadOptions, Reading, Reply, Stance};
use kit::indicator::Indicator;

/// Cached answers older than this (30 days) are dropped when a new case begins.
const CACHE_KEPT_MS: i64 = 30 * 24 * 3600 * 1000;

/// Bytes of an attachment that are kept.
const ATTACHMENT_KEPT: usize = 64 * 1024;

/// How an indicator was authorized that a person chose with a key before sending.
const CHOSEN: &str = "chosen before sending";

/// Indicators of an attachment that are remembered besides those proposed.
const ATTACHMENT_MENTIONED: usize = 500;

/// What was decided by the message before any look-up.
pub(super) struct Begun {
    pub(super) case: CaseId,
    pub(super) lock: TurnLock,
    pub(super) state: CaseState,
    pub(super) turn: u32,
    pub(super) continues: Option<u32>,
    /// Indicators that this turn is about.
    pub(super) subjects: Vec<Indicator>,
    /// Indicators that the message refuses by name.
    pub(super) refused: Vec<Indicator>,
    /// What the person should know about their own message.
    pub(super) notes: Vec<String>,
    /// A fixed answer that needs no look-up (a decision was typed).
    pub(super) fixed: Option<String>,
}

impl Engine {
    /// `as_is`: a model nearby is going to read the person's words as they wrote them.
    pub(super) fn begin(
        &self,
        input: &AskInput,
        choices: &Choices,
        as_is: bool,
    ) -> Result<Begun, EngineError> {
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
            refused: Vec::new(),
            notes: Vec::new(),
            fixed: None,
        };
        if input.continuation {
            self.begin_continuation(begun)
        } else {
            self.begin_message(input, choices, as_is, begun)
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
        let title = self.shortened(&one_line, 72).as_str().to_owned();
        let (principal, now) = (self.principal.name.clone(), now_ms());
        let case = self.store.write(move |tx| {
            // Retention: answers that no module would serve from the cache any more.
            tx.cache_expire(now.saturating_sub(CACHE_KEPT_MS))?;
            tx.create_case(now, &title, &principal)
        })?;
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
            .filter(|last| !subjects.is_empty() || untold(&begun.state, *last))
        else {
            let open = begun.state.open_proposals().count() + begun.state.open_actions().count();
            return Err(EngineError::User {
                message: "there is nothing to continue: no approved indicator is without a look-up, and no action was decided since"
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

    fn begin_message(
        &self,
        input: &AskInput,
        choices: &Choices,
        as_is: bool,
        mut begun: Begun,
    ) -> Result<Begun, EngineError> {
        let state = &begun.state;
        let turn = state.next_turn();
        let (reading, reply, shown) = self.understand(input, choices, state);
        let mut mentions = reading.mentions;
        if input.authorize_input {
            for m in mentions.iter_mut().filter(|m| m.stance == Stance::Listed) {
                m.stance = Stance::Authorize;
                m.why = "--authorize-input".into();
            }
        }
        for m in &mut mentions {
            if let Some((_, stance)) = choices.stances.iter().find(|(i, _)| *i == m.indicator) {
                m.stance = *stance;
                m.why = CHOSEN.into();
            }
        }
        // An indicator that holds a configured secret is not kept: it would carry the secret into the log.
        let secret_notes = self.secret_notes(&mentions);
        mentions.retain(|m| !self.holds_secret(m.indicator.value()));
        let mut from_input: Vec<Indicator> = mentions
            .iter()
            .filter(|m| m.stance == Stance::Listed)
            .map(|m| m.indicator.clone())
            .collect();
        let mut attachments = Vec::new();
        for raw in &input.attachments {
            attachments.push(self.attach(raw, &mut from_input));
            // Only a person's own words authorize, but a marking holds wherever it stands.
            for indicator in human::red_in(&raw.text) {
                mentions.retain(|m| m.indicator != indicator);
                mentions.push(human::Mention {
                    indicator,
                    stance: Stance::Red,
                    why: "TLP:RED".to_owned(),
                    start: 0,
                    end: 0,
                });
            }
        }
        // What a person picked out of what came with the message, before sending it.
        let mut picked = Vec::new();
        from_input.retain(|i| {
            let pick = choices
                .stances
                .iter()
                .any(|(c, stance)| c == i && *stance == Stance::Authorize);
            if pick {
                picked.push(i.clone());
            }
            !pick
        });
        let mut drafts = vec![Draft::Body(Body::Human {
            turn,
            text: self.redacted(&input.text),
            sent: None,
            mentions: mentions.clone(),
            attachments: Vec::new(),
            shown,
            principal: self.principal.name.clone(),
            surface: input.surface.to_owned(),
        })];
        if let Some(mode) = input.mode.or_else(|| typed_mode(&input.text)) {
            drafts.push(Draft::Body(Body::ModeSet { mode }));
        }
        let refused = mentions
            .iter()
            .filter(|m| m.stance == Stance::Deny)
            .map(|m| m.indicator.clone())
            .collect();
        let mut fixed = None;
        let mut continues = None;
        let mut subjects: Vec<Indicator> = mentions
            .iter()
            .filter(|m| m.stance == Stance::Authorize)
            .map(|m| m.indicator.clone())
            .collect();
        if !picked.is_empty() {
            subjects.extend(picked.iter().cloned());
            drafts.push(Draft::Body(Body::Authorized {
                indicators: picked,
                how: CHOSEN.into(),
                principal: self.principal.name.clone(),
            }));
        }
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
            let numbers: Vec<String> = state.open_proposals().map(|p| p.n.to_string()).collect();
            fixed = Some(format!(
                "Which proposals do you mean? Open: {}. Answer \"yes {}\" or \"no {}\" with the numbers you mean.",
                open.join(", "),
                numbers.join(","),
                numbers.join(",")
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
        // A message that only decides goes to no model.
        let as_is = as_is && fixed.is_none();
        if let Some(Draft::Body(Body::Human {
            attachments: slot,
            sent,
            ..
        })) = drafts.first_mut()
        {
            *slot = attachments;
            *sent = as_is.then(|| self.own_words().as_is(&input.text));
        }
        drafts.extend(listed);
        self.append(&begun.case, drafts)?;
        self.sync(&begun.case, &mut begun.state)?;
        begun.turn = turn;
        begun.continues = continues;
        begun.subjects = subjects;
        begun.refused = refused;
        begun.notes = self.redaction_notes(input, as_is);
        begun.notes.extend(secret_notes);
        begun.fixed = fixed;
        Ok(begun)
    }

    /// Reads the message as words, and as a reply to what was shown.
    fn understand(
        &self,
        input: &AskInput,
        choices: &Choices,
        state: &CaseState,
    ) -> (Reading, Reply, Vec<u64>) {
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
            .filter(|p| choices.shown.as_ref().is_none_or(|s| s.contains(&p.n)))
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
            // A plain yes or no to what an earlier turn proposed: the person is asked which.
            Reply::NotAReply if !pivots.is_empty() => {
                match human::parse_reply(&input.text, &open(false), BareYes::All) {
                    Reply::NotAReply => Reply::NotAReply,
                    Reply::Decide { .. } | Reply::AskWhich => Reply::AskWhich,
                }
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
}

/// Whether actions were decided, or came to something, since the model was last told: during the last turn, or
/// after it.
fn untold(state: &CaseState, last: u32) -> bool {
    state.actions.values().any(|a| a.moved_in == Some(last))
}

/// Approved indicators that no look-up of this case was about since.
fn unlooked(state: &CaseState) -> Vec<Indicator> {
    let looked = |i: &Indicator, since: u32| {
        state.turns.iter().filter(|t| t.n >= since).any(|t| {
            t.calls
                .iter()
                .any(|c| c.subject.as_ref() == Some(i) && c.status.is_some())
        })
    };
    let mut out: Vec<(u64, Indicator)> = state
        .proposals
        .values()
        .filter(|p| p.kind == ProposalKind::Pivot && p.state == ProposalState::Approved)
        .filter(|p| state.authorized.contains_key(&p.indicator) && !looked(&p.indicator, p.turn))
        .map(|p| (p.n, p.indicator.clone()))
        .collect();
    out.sort_by_key(|(n, _)| *n);
    let mut out: Vec<Indicator> = out.into_iter().map(|(_, i)| i).collect();
    // What a person named in a turn that was stopped before anything was looked up is still to be done.
    if let Some(last) = state
        .turns
        .last()
        .filter(|t| t.status == Some(TurnStatus::Interrupted))
    {
        out.extend(
            last.named
                .iter()
                .filter(|i| state.authorized.contains_key(*i) && !looked(i, last.n))
                .cloned(),
        );
    }
    out.dedup();
    out
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
