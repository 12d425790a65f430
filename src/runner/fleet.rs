//! Fleet tools: what is offered, what the fleet says of a call before the gate judges it, and the run of a
//! permitted call. Whatever a call writes (a proposal, its audit row) and the event that tells of it are one
//! transaction.

use super::{Runner, StoredOutcome};
use crate::case::{Body, ProposalKind, ProposedAction, Status};
use crate::gate::{self, FleetCatalog, FleetPermit, Key};
use crate::redact::Redact;
use crate::store::{CaseId, EvidenceMeta, EvidenceRow, Reader, StoreError, Tx};
use fleet::backend::Directory;
use fleet::proposals::{Acting, Kind, ProposalError, Proposed};
use fleet::tools::{self, Answer, Ctx, Performed, Refusal, RefusalKey};
use kit::extract::extract;
use kit::indicator::Indicator;
use kit::outcome::{CouldNot, Outcome, Report, Verdict};
use kit::principal::{Permission, Principal};
use kit::tool::{Effect, Examined, FleetTool};
use std::sync::Arc;
use std::time::Instant;

/// Indicators of one piece of evidence that the log remembers.
const SEEN: usize = 200;

/// Words of a message that are looked up as names of devices.
const WORDS: usize = 200;

/// The call of a case that runs.
#[derive(Clone, Copy, Debug)]
pub struct Of<'a> {
    /// Case.
    pub case: &'a CaseId,
    /// Turn.
    pub turn: u32,
    /// Number in the turn's ledger.
    pub n: u32,
}

/// What came of a fleet call.
#[derive(Clone, Debug)]
pub struct Done {
    /// What it said, redacted.
    pub outcome: StoredOutcome,
    /// Evidence number, where it read something.
    pub evidence: Option<u32>,
    /// Numbers of the proposals that it made.
    pub proposed: Vec<u64>,
}

impl Runner {
    /// The fleet tools that this principal may use and the operator left to models. Configuration only
    /// subtracts: `[ai] modules`, where it lists anything, must name a fleet tool or `fleet`.
    #[must_use]
    pub fn fleet_catalog(&self) -> FleetCatalog {
        let ai = &self.config.ai;
        let named = |list: &[String], tool: &str| list.iter().any(|n| n == tool || n == "fleet");
        tools::catalog(&self.principal)
            .filter(|t| ai.modules.is_empty() || named(&ai.modules, t.name))
            .filter(|t| !named(&ai.blocked_modules, t.name))
            .map(|t| {
                let tool = FleetTool {
                    spec: t.spec(),
                    group: group(t.permission, t.effect),
                };
                (t.name.to_owned(), tool)
            })
            .collect()
    }

    /// Whether this principal sees any device at all.
    ///
    /// # Errors
    /// The database failed.
    pub fn has_devices(&self) -> Result<bool, StoreError> {
        self.store
            .read(|r| Ok(fleet::report::any_device(r.fleet(), &self.principal.scope)?))
    }

    /// Whether a text names a device that this principal may see, by alias or host name.
    ///
    /// # Errors
    /// The database failed.
    pub fn names_a_device(&self, text: &str) -> Result<bool, StoreError> {
        Ok(self.device_named(text)?.is_some())
    }

    /// The first word of the text that names a device of the fleet, or several.
    ///
    /// # Errors
    /// The fleet cannot be read.
    pub fn device_named(&self, text: &str) -> Result<Option<String>, StoreError> {
        self.store.read(|r| {
            let directory = Directory::default();
            let ctx = self.context(r, &directory, None);
            Ok(text
                .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')))
                .map(|w| w.trim_matches(['.', '-']))
                .filter(|w| w.len() >= 3)
                .take(WORDS)
                .find(|word| match tools::refer::device(&ctx, word, "device") {
                    Ok(_) => true,
                    Err(refusal) => refusal.key == RefusalKey::Ambiguous,
                })
                .map(str::to_owned))
        })
    }

    /// What the fleet says of a call. Reads only.
    #[must_use]
    pub fn examine_fleet(&self, case: &CaseId, name: &str, arguments: &str) -> Examined {
        let unread = |why: String| Examined {
            effect: Effect::Read,
            access: Err(why),
            arguments: Err(String::new()),
            scope: Ok(()),
            approved: Ok(()),
        };
        let Some(tool) = tools::find(name) else {
            return unread("There is no such tool.".into());
        };
        self.store
            .read(|r| {
                let directory = Directory::default();
                let ctx = self.context(r, &directory, Some(case));
                Ok(tools::examine(&ctx, tool, arguments))
            })
            .unwrap_or_else(|e| unread(format!("The store could not be read: {e}.")))
    }

    /// Leaves the trail of a fleet call that the gate refused.
    ///
    /// # Errors
    /// The database failed.
    pub fn fleet_refused(
        &self,
        case: &CaseId,
        tool: &str,
        refusal: &gate::Refusal,
    ) -> Result<(), StoreError> {
        let key = match refusal.key {
            Key::Access => RefusalKey::Access,
            Key::Arguments => RefusalKey::Arguments,
            Key::Scope => RefusalKey::Scope,
            Key::NotApproved => RefusalKey::NotApproved,
            _ => RefusalKey::Conflict,
        };
        let refusal = Refusal::new(key, refusal.sentence.clone());
        let (case, tool) = (case.clone(), tool.to_owned());
        let hand = self.hand();
        self.store.write(move |tx| {
            hand.acting(tx, Some(&case), true, |acting| {
                tools::refused(acting, &tool, &refusal)
            })
        })
    }

    /// Runs a permitted call: the fleet's part, the evidence of what was read, the events of what was
    /// proposed, and the end of the call in the ledger, in one transaction.
    ///
    /// # Errors
    /// The database failed; then nothing happened.
    pub fn run_fleet(&self, permit: FleetPermit, of: Of<'_>) -> Result<Done, StoreError> {
        let started = Instant::now();
        let hand = self.hand();
        let redact = Arc::clone(&self.redact);
        let (case, turn, n) = (of.case.clone(), of.turn, of.n);
        self.store.write(move |tx| {
            let Some(tool) = tools::find(permit.tool()) else {
                return Err(StoreError::Other(format!("no tool {}", permit.tool())));
            };
            let arguments = permit.arguments().to_string();
            let performed = hand.acting(tx, Some(&case), true, |acting| {
                tools::perform(acting, tool, &arguments)
            })?;
            let (outcome, proposals) = match performed {
                Performed::Answer { answer, proposals } => (found(*answer, &redact), proposals),
                Performed::Refused(refusal) => (could_not(refusal, &redact), Vec::new()),
            };
            let outcome = StoredOutcome::redact(&outcome, &*redact);
            let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            let mut bodies: Vec<Body> = Vec::new();
            let proposed: Vec<u64> = proposals.iter().map(|p| p.n).collect();
            for p in &proposals {
                bodies.push(Body::ActionProposed {
                    action: event_of(p, turn, &redact),
                });
            }
            let mut evidence = None;
            if proposals.is_empty() {
                if outcome.status == Status::Found {
                    evidence = Some(
                        tx.put_evidence(&case, &row(&outcome, tool.name, turn, ms, hand.now_ms))?,
                    );
                }
                bodies.push(Body::CallDone {
                    turn,
                    n,
                    status: outcome.status,
                    detail: outcome.detail(),
                    evidence,
                    verdict: None,
                    seen: seen(&outcome),
                    age_s: 0,
                    ms,
                });
            }
            tx.append(&case, hand.now_ms, &bodies)?;
            // A tool that stops a job may have withdrawn a proposal of this case.
            if tool.effect != Effect::Read && proposals.is_empty() {
                super::actions::reconcile(tx, &case, hand.now_ms, &*redact)?;
            }
            Ok(Done {
                outcome,
                evidence,
                proposed,
            })
        })
    }

    fn context<'a>(
        &'a self,
        r: &'a Reader<'_>,
        directory: &'a Directory,
        case: Option<&'a CaseId>,
    ) -> Ctx<'a> {
        Ctx {
            connection: r.fleet(),
            principal: &self.principal,
            backends: directory,
            now_ms: (self.now_ms)(),
            case: case.map(CaseId::as_str),
            by_model: true,
            random: [0; 32],
        }
    }

    /// What an act on the fleet needs besides the transaction, ready to go to the writer's thread.
    #[must_use]
    pub fn hand(&self) -> Hand {
        Hand {
            principal: self.principal.clone(),
            redact: Arc::clone(&self.redact),
            now_ms: (self.now_ms)(),
            expiry_ms: i64::try_from(self.config.proposals.expire_hours)
                .unwrap_or(24)
                .saturating_mul(3_600_000),
        }
    }
}

/// Who acts on the fleet, and with what.
#[derive(Clone)]
pub struct Hand {
    principal: Principal,
    redact: Arc<Redact>,
    /// Now, milliseconds since 1970.
    pub now_ms: i64,
    expiry_ms: i64,
}

impl Hand {
    /// Runs `f` with the fleet's view of an open transaction.
    ///
    /// # Errors
    /// What `f` returns, as an error of the store.
    pub fn acting<T>(
        &self,
        tx: &Tx<'_>,
        case: Option<&CaseId>,
        by_model: bool,
        f: impl FnOnce(&Acting<'_>) -> Result<T, ProposalError>,
    ) -> Result<T, StoreError> {
        let directory = Directory::default();
        let mut random = [0_u8; 32];
        getrandom::fill(&mut random)
            .map_err(|e| StoreError::Other(format!("no randomness: {e}")))?;
        let acting = Acting {
            ctx: Ctx {
                connection: tx.fleet(),
                principal: &self.principal,
                backends: &directory,
                now_ms: self.now_ms,
                case: case.map(CaseId::as_str),
                by_model,
                random,
            },
            chain: tx.fleet_chain(),
            redactor: &*self.redact,
            expiry_ms: self.expiry_ms,
        };
        f(&acting).map_err(|e| StoreError::Other(e.to_string()))
    }
}

/// The group of a tool, from what it needs: nobody has to remember to name it.
#[must_use]
pub fn group(permission: Permission, effect: Effect) -> &'static str {
    use Permission as P;
    match permission {
        P::ReportsView | P::AuditView => "reports",
        P::PatchesView | P::PatchesManage | P::PatchesApprove => "patches",
        P::TasksView
        | P::TasksManage
        | P::ChecksView
        | P::ChecksManage
        | P::PoliciesView
        | P::PoliciesManage => "monitoring",
        P::ClientsManage | P::DevicesDelete => "organisation",
        P::JobsView | P::JobsCreate | P::JobsApprove | P::JobsManage => "actions",
        _ if effect == Effect::Read => "devices",
        _ => "actions",
    }
}

fn found(answer: Answer, redact: &Redact) -> Outcome {
    Outcome::Found(Report {
        table: answer.table,
        verdict_basis: answer.said.redact(redact).as_str().to_owned(),
        raw: answer.raw,
        verdict: Verdict::Unknown,
        source_url: String::new(),
        source_date: None,
        total_rows: answer.total,
    })
}

fn could_not(refusal: Refusal, redact: &Redact) -> Outcome {
    let mut detail = refusal.sentence;
    if !refusal.matches.is_empty() {
        detail.push_str(" They are:");
        for m in &refusal.matches {
            detail.push(' ');
            detail.push_str(m.redact(redact).as_str());
            detail.push(';');
        }
    }
    Outcome::CouldNotLook(CouldNot::Unsupported { detail })
}

fn event_of(p: &Proposed, turn: u32, redact: &Redact) -> ProposedAction {
    ProposedAction {
        n: p.n,
        turn,
        what: match p.kind {
            Kind::Job | Kind::Cancel => ProposalKind::Job,
            Kind::Operation => ProposalKind::DeviceOperation,
            Kind::Task => ProposalKind::Task,
            Kind::Check => ProposalKind::Check,
            Kind::Policy => ProposalKind::Policy,
        },
        tool: p.tool.clone(),
        title: p.title.redact(redact),
        why: p.why.redact(redact),
        digest: p.digest.clone(),
        devices: p.devices,
        count: p.count,
        expires_ms: p.expires_ms,
    }
}

fn row(outcome: &StoredOutcome, tool: &str, turn: u32, ms: u64, now_ms: i64) -> EvidenceRow {
    let asked_ms = now_ms.saturating_sub(i64::try_from(ms).unwrap_or(0));
    let mut meta = EvidenceMeta::new(turn, tool, outcome.status, asked_ms);
    meta.took_ms = ms;
    meta.verdict_basis = outcome.basis.clone();
    meta.total_rows = outcome.total_rows;
    meta.columns.clone_from(&outcome.columns);
    meta.rows.clone_from(&outcome.rows);
    EvidenceRow {
        meta,
        raw: outcome.raw.clone(),
    }
}

fn seen(outcome: &StoredOutcome) -> Vec<Indicator> {
    let mut seen: Vec<Indicator> = Vec::new();
    for f in extract(&outcome.searchable()) {
        if !seen.contains(&f.indicator) {
            seen.push(f.indicator);
            if seen.len() >= SEEN {
                break;
            }
        }
    }
    seen
}
