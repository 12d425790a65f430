//! The state of a case: a pure fold over its log.

use super::action::Action;
use super::event::{Body, Event, Mode, ProposalKind, ProposalState};
use super::parts::{Authorized, Call, EvidenceRef, Proposal, Turn};
use kit::human::Stance;
use kit::indicator::{Indicator, IndicatorType};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The state of a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseState {
    /// Sequence number of the last event folded.
    pub seq: u64,
    /// Title.
    pub title: String,
    /// Owner.
    pub principal: String,
    /// Tags.
    pub tags: BTreeSet<String>,
    /// Closed.
    pub closed: bool,
    /// Deleted (tombstone).
    pub deleted: bool,
    /// Evidence mode.
    pub mode: Mode,
    /// May be looked up.
    pub authorized: BTreeMap<Indicator, Authorized>,
    /// Refused by a person: beats everything.
    pub denied: BTreeSet<Indicator>,
    /// Taken back by a person: the host of an authorized URL does not count any more either.
    pub revoked: BTreeSet<Indicator>,
    /// `TLP:RED`: stays at home.
    pub red: BTreeSet<Indicator>,
    /// Everything that stands in a person's words, attachments excluded.
    pub said: BTreeSet<Indicator>,
    /// First evidence in which an indicator stands.
    pub seen: HashMap<Indicator, u32>,
    /// Proposals by number.
    pub proposals: BTreeMap<u64, Proposal>,
    /// Numbers of those that are open, so that a decision need not look at all that ever were.
    pub open: BTreeSet<u64>,
    /// Actions by number.
    pub actions: BTreeMap<u64, Action>,
    /// Evidence in ascending order of its numbers.
    pub evidence: Vec<EvidenceRef>,
    /// Turns in order.
    pub turns: Vec<Turn>,
    /// Calls charged in the whole case.
    pub used: u32,
    /// Tools offered to the model so far, in order.
    pub offered: Vec<String>,
}

impl CaseState {
    /// Folds a whole log.
    #[must_use]
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    /// The turn with this number.
    #[must_use]
    pub fn turn(&self, n: u32) -> Option<&Turn> {
        // Turns are numbered from 1 without gaps, so the place is known; a damaged log may differ.
        let at = (n as usize).checked_sub(1)?;
        self.turns
            .get(at)
            .filter(|t| t.n == n)
            .or_else(|| self.turns.iter().find(|t| t.n == n))
    }

    fn turn_mut(&mut self, n: u32, at_ms: i64) -> &mut Turn {
        let at = match self.turns.iter().rposition(|t| t.n == n) {
            Some(at) => at,
            None => {
                self.turns.push(Turn {
                    n,
                    root: n,
                    at_ms,
                    ..Turn::default()
                });
                self.turns.len() - 1
            }
        };
        &mut self.turns[at]
    }

    /// The turn that is running, or that a dead process left.
    #[must_use]
    pub fn open_turn(&self) -> Option<&Turn> {
        self.turns.last().filter(|t| t.status.is_none())
    }

    /// The number that the next turn gets.
    #[must_use]
    pub fn next_turn(&self) -> u32 {
        self.turns
            .iter()
            .map(|t| t.n)
            .max()
            .unwrap_or(0)
            .saturating_add(1)
    }

    /// Calls charged in the chain of turns that shares a budget with `turn`.
    #[must_use]
    pub fn used_in_turn(&self, turn: u32) -> u32 {
        let root = self.turn(turn).map_or(turn, |t| t.root);
        let charged = |t: &Turn| {
            u32::try_from(t.calls.iter().filter(|c| c.charged).count()).unwrap_or(u32::MAX)
        };
        self.turns
            .iter()
            .filter(|t| t.root == root)
            .map(charged)
            .fold(0, u32::saturating_add)
    }

    /// Open proposals in ascending order.
    pub fn open_proposals(&self) -> impl Iterator<Item = &Proposal> {
        self.open.iter().filter_map(|n| self.proposals.get(n))
    }

    /// The authorization that covers this indicator: its own, or (when `url_host` is set) that of an
    /// authorized URL whose host it is. A denial or a withdrawal of the host itself beats the latter.
    #[must_use]
    pub fn authorization(&self, indicator: &Indicator, url_host: bool) -> Option<&Authorized> {
        if self.denied.contains(indicator) {
            return None;
        }
        if let Some(a) = self.authorized.get(indicator) {
            return Some(a);
        }
        if let Some(a) = twin(indicator)
            .filter(|t| !self.denied.contains(t))
            .and_then(|t| self.authorized.get(&t))
        {
            return Some(a);
        }
        let may_be_host = matches!(
            indicator.kind(),
            IndicatorType::Domain | IndicatorType::Ip | IndicatorType::Ipv6
        );
        if !url_host || !may_be_host || self.revoked.contains(indicator) {
            return None;
        }
        self.authorized
            .iter()
            .filter(|(i, _)| i.kind() == IndicatorType::Url && !self.denied.contains(*i))
            .find(|(i, _)| i.host().as_ref() == Some(indicator))
            .map(|(_, a)| a)
    }

    /// True when a person refused the indicator, or the network of one address that is the same thing.
    #[must_use]
    pub fn is_denied(&self, indicator: &Indicator) -> bool {
        self.denied.contains(indicator)
            || !self.denied.is_empty() && twin(indicator).is_some_and(|t| self.denied.contains(&t))
    }

    /// True when the indicator, or the URL whose host it is, is `TLP:RED`, or it is a URL on a red host.
    #[must_use]
    pub fn is_red(&self, indicator: &Indicator) -> bool {
        if self.red.is_empty() {
            return false;
        }
        self.red.contains(indicator)
            || twin(indicator).is_some_and(|t| self.red.contains(&t))
            || indicator.host().is_some_and(|h| self.red.contains(&h))
            || self
                .red
                .iter()
                .any(|r| r.host().as_ref() == Some(indicator))
    }

    /// Everything a person named, approved, refused or kept at home, plus what the evidence holds:
    /// the indicators this case can be said to rest on.
    #[must_use]
    pub fn knows(&self, indicator: &Indicator) -> bool {
        self.said.contains(indicator)
            || self.authorized.contains_key(indicator)
            || self.denied.contains(indicator)
            || self.seen.contains_key(indicator)
    }

    fn authorize(&mut self, indicator: &Indicator, turn: u32, how: &str) {
        self.denied.remove(indicator);
        self.revoked.remove(indicator);
        self.authorized.insert(
            indicator.clone(),
            Authorized {
                turn,
                how: how.to_owned(),
            },
        );
        // An open proposal for what is now authorized has nothing left to decide.
        self.settle(indicator, ProposalState::Approved);
    }

    /// Ends the open pivots to an indicator that a person decided about in another way.
    fn settle(&mut self, indicator: &Indicator, state: ProposalState) {
        let proposals = &mut self.proposals;
        self.open.retain(|n| {
            let Some(p) = proposals.get_mut(n) else {
                return false;
            };
            let settled = p.kind == ProposalKind::Pivot && &p.indicator == indicator;
            if settled {
                p.state = state;
            }
            !settled
        });
    }

    fn deny(&mut self, indicator: &Indicator) {
        self.authorized.remove(indicator);
        self.denied.insert(indicator.clone());
        self.settle(indicator, ProposalState::Denied);
    }

    /// Folds one event. Never panics; an event that refers to something unknown changes nothing else.
    #[allow(clippy::too_many_lines)] // one arm an event kind; splitting it would hide that all are here
    pub fn apply(&mut self, event: &Event) {
        self.seq = event.seq;
        match &event.body {
            Body::Opened { title, principal } => {
                self.title.clone_from(title);
                self.principal.clone_from(principal);
            }
            Body::Human {
                turn,
                text,
                sent,
                mentions,
                attachments,
                ..
            } => {
                for m in mentions {
                    self.said.insert(m.indicator.clone());
                    match m.stance {
                        Stance::Authorize => self.authorize(&m.indicator, *turn, "named"),
                        Stance::Deny => self.deny(&m.indicator),
                        Stance::Red => {
                            self.red.insert(m.indicator.clone());
                            self.authorized.remove(&m.indicator);
                            self.settle(&m.indicator, ProposalState::Expired);
                        }
                        Stance::Listed => {}
                    }
                }
                let t = self.turn_mut(*turn, event.at_ms);
                t.text = text.clone();
                t.sent.clone_from(sent);
                t.attachments.clone_from(attachments);
                t.named = mentions
                    .iter()
                    .filter(|m| m.stance == Stance::Authorize)
                    .map(|m| m.indicator.clone())
                    .collect();
            }
            Body::TurnStarted {
                turn,
                continues,
                planner,
                model,
                tools_mode,
            } => {
                let root = continues
                    .and_then(|c| self.turn(c).map(|t| t.root))
                    .unwrap_or(*turn);
                let t = self.turn_mut(*turn, event.at_ms);
                t.root = root;
                t.planner = *planner;
                t.model.clone_from(model);
                t.tools_mode.clone_from(tools_mode);
            }
            Body::Offered { tools } => {
                for tool in tools {
                    if !self.offered.contains(tool) {
                        self.offered.push(tool.clone());
                    }
                }
            }
            Body::Progress { .. } => {}
            Body::Call {
                turn,
                n,
                tool,
                argument,
                subject,
                verdict,
                reason,
                detail,
                charged,
                fingerprint,
                arguments,
                ..
            } => {
                let t = self.turn_mut(*turn, event.at_ms);
                if t.calls.iter().rev().any(|c| c.n == *n) {
                    return; // a number stands for one call; a second one changes nothing, the budget least
                }
                t.calls.push(Call {
                    n: *n,
                    tool: tool.clone(),
                    argument: argument.clone(),
                    subject: subject.clone(),
                    verdict: *verdict,
                    reason: reason.clone(),
                    detail: detail.clone(),
                    charged: *charged,
                    fingerprint: fingerprint.clone(),
                    arguments: arguments.clone(),
                    status: None,
                    evidence: None,
                    source_verdict: None,
                    age_s: 0,
                    ms: 0,
                });
                if *charged {
                    self.used = self.used.saturating_add(1);
                }
            }
            Body::RefusedMore { turn, count } => {
                let t = self.turn_mut(*turn, event.at_ms);
                t.refused_more = t.refused_more.saturating_add(*count);
            }
            Body::CallDone {
                turn,
                n,
                status,
                detail,
                evidence,
                verdict,
                seen,
                age_s,
                ms,
            } => {
                let t = self.turn_mut(*turn, event.at_ms);
                let Some(call) = t.calls.iter_mut().rev().find(|c| c.n == *n) else {
                    return;
                };
                if call.status.is_some() {
                    return;
                }
                call.status = Some(*status);
                if detail.is_some() {
                    call.detail.clone_from(detail);
                }
                call.evidence = *evidence;
                call.source_verdict = *verdict;
                call.age_s = *age_s;
                call.ms = *ms;
                let (tool, subject) = (call.tool.as_str().to_owned(), call.subject.clone());
                if let Some(e) = evidence {
                    if let Err(at) = self.evidence.binary_search_by_key(e, |r| r.n) {
                        let new = EvidenceRef {
                            n: *e,
                            turn: *turn,
                            tool,
                            subject,
                            status: *status,
                            at_ms: event.at_ms,
                        };
                        self.evidence.insert(at, new);
                    }
                    for i in seen {
                        self.seen.entry(i.clone()).or_insert(*e);
                    }
                }
            }
            Body::Proposed {
                n,
                turn,
                what,
                indicator,
                why,
                found_in,
                not_in_evidence,
                from,
            } => {
                self.turn_mut(*turn, event.at_ms).proposals.push(*n);
                self.proposals.entry(*n).or_insert_with(|| {
                    self.open.insert(*n);
                    Proposal {
                        n: *n,
                        turn: *turn,
                        kind: *what,
                        indicator: indicator.clone(),
                        why: why.clone(),
                        found_in: *found_in,
                        not_in_evidence: *not_in_evidence,
                        from: *from,
                        state: ProposalState::Open,
                        reason: None,
                    }
                });
            }
            Body::ActionProposed { action } => {
                self.turn_mut(action.turn, event.at_ms)
                    .proposals
                    .push(action.n);
                self.propose_action(action);
            }
            Body::ActionNews { news } => self.action_news(news),
            Body::Decided {
                n, approve, reason, ..
            } => {
                self.decide_action(*n, *approve, reason.as_ref());
                let Some(p) = self
                    .proposals
                    .get_mut(n)
                    .filter(|p| p.state == ProposalState::Open)
                else {
                    return;
                };
                self.open.remove(n);
                p.reason.clone_from(reason);
                p.state = if *approve {
                    ProposalState::Approved
                } else {
                    ProposalState::Denied
                };
                let (indicator, turn, kind) = (p.indicator.clone(), p.turn, p.kind);
                if kind == ProposalKind::Pivot {
                    if *approve {
                        self.authorize(&indicator, turn, &format!("proposal {n}"));
                    } else {
                        self.deny(&indicator);
                    }
                }
            }
            Body::Authorized {
                indicators, how, ..
            } => {
                let turn = self.turns.last().map_or(0, |t| t.n);
                for i in indicators {
                    self.authorize(i, turn, how);
                }
            }
            Body::Revoked { indicator, .. } => {
                self.authorized.remove(indicator);
                if let Some(twin) = twin(indicator) {
                    self.authorized.remove(&twin);
                }
                self.revoked.insert(indicator.clone());
            }
            Body::ModeSet { mode } => self.mode = *mode,
            Body::Answer {
                turn,
                text,
                unsupported,
                mentioned,
            } => {
                let t = self.turn_mut(*turn, event.at_ms);
                t.answer = Some(text.clone());
                t.unsupported.clone_from(unsupported);
                t.mentioned.clone_from(mentioned);
            }
            Body::TurnEnded {
                turn,
                status,
                usage,
                warnings,
                error,
            } => {
                let t = self.turn_mut(*turn, event.at_ms);
                t.status = Some(*status);
                t.usage = *usage;
                t.warnings.clone_from(warnings);
                t.error.clone_from(error);
            }
            Body::Renamed { title } => self.title.clone_from(title),
            Body::Tagged { add, remove } => {
                self.tags.extend(add.iter().cloned());
                for tag in remove {
                    self.tags.remove(tag);
                }
            }
            Body::Closed => {
                self.closed = true;
                for n in std::mem::take(&mut self.open) {
                    if let Some(p) = self.proposals.get_mut(&n) {
                        p.state = ProposalState::Expired;
                    }
                }
                self.expire_actions();
            }
            Body::Reopened => self.closed = false,
            Body::Deleted => self.deleted = true,
            Body::Undeleted => self.deleted = false,
            Body::Forked { .. } => {}
        }
    }
}

/// A network of one address and the address itself are the same thing (`192.0.2.1/32`, `192.0.2.1`).
fn twin(indicator: &Indicator) -> Option<Indicator> {
    match indicator.kind() {
        IndicatorType::Cidr => {
            let (address, bits) = indicator.value().split_once('/')?;
            let whole = if address.contains(':') { "128" } else { "32" };
            (bits == whole).then(|| kit::classify(address)).flatten()
        }
        IndicatorType::Ip => kit::classify(&format!("{}/32", indicator.value())),
        IndicatorType::Ipv6 => kit::classify(&format!("{}/128", indicator.value())),
        _ => None,
    }
}
