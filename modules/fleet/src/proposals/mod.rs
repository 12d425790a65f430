//! Proposals: what a person decides before anything changes. A proposal is a row that does nothing; this part
//! makes them, [`crate::approvals`] shows and decides them.
//!
//! ```text
//! tool call ─► Plan (reads only) ─► write: ledger row + row of its kind + audit row, one transaction
//! ```
//! * `digest` – the fingerprint over everything that would happen.
//! * `device` – a target's state when it was proposed, and what became of it.
//! * `ledger` – number, provenance, expiry and decision, the same for every kind.
//! * `draft` – what each kind is made of.

pub(crate) mod cron;
pub(crate) mod device;
pub(crate) mod digest;
pub(crate) mod draft;
pub(crate) mod ledger;

pub use device::{Act, Device, Drift, devices};
pub use ledger::{Kind, Status};

use crate::audit::{self, AuditError, Chain};
use crate::model::{
    ActResult, ActorKind, CheckId, JobId, OperationId, PolicyId, TaskId, draw_proposal_number,
};
use crate::principal::PrincipalError;
use crate::sql::{int, text};
use crate::tools::Ctx;
use draft::Draft;
use kit::text::{Redactor, Untrusted};
use rusqlite::Connection;
use rusqlite::types::Value;

/// Devices in one operation at most.
pub const DEVICES_MAX: usize = 500;

/// From this many devices on, the approver of a job types their number.
pub const COUNT_FROM: usize = 10;

/// Why a proposal could not be made or decided at all; a refusal is an answer, not one of these.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// SQLite.
    #[error("the store could not be used: {0}")]
    Sql(#[from] rusqlite::Error),
    /// The audit row could not be written; without it nothing is done.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The principal could not be read.
    #[error(transparent)]
    Principal(#[from] PrincipalError),
    /// An act could not be done whole; all of it is rolled back.
    #[error("nothing was changed: {0}")]
    NotDone(String),
}

/// Who acts, where, and with what: one for a whole transaction.
#[derive(Clone, Copy)]
pub struct Acting<'a> {
    /// The open transaction (`BEGIN IMMEDIATE`), the principal, the case, now.
    pub ctx: Ctx<'a>,
    /// Hashes the audit.
    pub chain: &'a dyn Chain,
    /// Takes secrets out of what the audit keeps.
    pub redactor: &'a dyn Redactor,
    /// How long a proposal waits for a person, milliseconds.
    pub expiry_ms: i64,
}

impl<'a> Acting<'a> {
    pub(crate) const fn connection(&self) -> &'a Connection {
        self.ctx.connection
    }

    /// Who is behind the act: a model or a person.
    #[must_use]
    pub const fn actor_kind(&self) -> ActorKind {
        if self.ctx.by_model {
            ActorKind::Ai
        } else {
            ActorKind::Human
        }
    }

    /// Writes an audit row.
    pub(crate) fn audit(&self, note: &Note<'_>) -> Result<(), AuditError> {
        let details = Untrusted::new(note.details.to_string()).redact(self.redactor);
        audit::append(
            self.connection(),
            self.chain,
            &audit::Entry {
                at_ms: self.ctx.now_ms,
                actor: note.actor.unwrap_or(&self.ctx.principal.name),
                actor_kind: note.kind.unwrap_or(self.actor_kind()),
                action: note.action,
                result: note.result,
                target: note.target,
                client: note.client,
                case: note.case.or(self.ctx.case),
                details: &details,
            },
        )?;
        Ok(())
    }
}

/// An audit row in the making.
pub(crate) struct Note<'a> {
    pub(crate) action: &'a str,
    pub(crate) result: ActResult,
    pub(crate) target: &'a str,
    pub(crate) client: Option<i64>,
    pub(crate) case: Option<&'a str>,
    pub(crate) actor: Option<&'a str>,
    pub(crate) kind: Option<ActorKind>,
    pub(crate) details: serde_json::Value,
}

impl<'a> Note<'a> {
    pub(crate) const fn new(
        action: &'a str,
        result: ActResult,
        target: &'a str,
        details: serde_json::Value,
    ) -> Self {
        Self {
            action,
            result,
            target,
            client: None,
            case: None,
            actor: None,
            kind: None,
            details,
        }
    }
}

/// A proposal as it was made: everything that a case's event holds of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Number, once for the whole file.
    pub n: u64,
    /// What it would change.
    pub kind: Kind,
    /// The id of its row, as shown: `j-7`.
    pub id: String,
    /// Its row in the table of its kind; of a stop, the job.
    pub subject: i64,
    /// The tool that made it.
    pub tool: String,
    /// One line: what, on what. Holds text from models and machines.
    pub title: Untrusted,
    /// The proposer's reason; empty where none was given.
    pub why: Untrusted,
    /// SHA-256 over everything that would run, hex.
    pub digest: String,
    /// Devices that it concerns.
    pub devices: u32,
    /// The approver types the number of devices.
    pub count: bool,
    /// When it expires by itself, milliseconds since 1970.
    pub expires_ms: i64,
}

/// The id of a proposal's row as it is shown.
pub(crate) fn shown_id(kind: Kind, subject: i64) -> String {
    match kind {
        Kind::Job | Kind::Cancel => JobId(subject).to_string(),
        Kind::Operation => OperationId(subject).to_string(),
        Kind::Task => TaskId(subject).to_string(),
        Kind::Check => CheckId(subject).to_string(),
        Kind::Policy => PolicyId(subject).to_string(),
    }
}

/// Writes one proposal: its row, its targets, its place in the ledger, its audit row.
pub(crate) fn write(
    acting: &Acting<'_>,
    tool: &str,
    draft: &Draft,
) -> Result<Proposed, ProposalError> {
    let connection = acting.connection();
    let ctx = &acting.ctx;
    let n = draw_proposal_number(connection)?;
    let digest = draft.content.digest();
    let expires_ms = ctx.now_ms.saturating_add(acting.expiry_ms.max(1_000));
    let case = ctx.case.map_or(Value::Null, text);
    let by = || text(ctx.principal.name.clone());
    let subject = match draft.kind {
        Kind::Job | Kind::Operation => draft.content.write(
            connection,
            &[
                ("proposal", int(n)),
                ("digest", text(digest.clone())),
                ("proposed_by", by()),
                ("proposer", text(acting.actor_kind().name())),
                ("case_id", case),
                ("proposed_ms", int(ctx.now_ms)),
                ("expires_ms", int(expires_ms)),
            ],
        )?,
        Kind::Task | Kind::Check | Kind::Policy => draft.content.write(
            connection,
            &[
                ("proposal", int(n)),
                ("proposed_by", by()),
                ("case_id", case),
                ("created_by", by()),
                ("created_ms", int(ctx.now_ms)),
            ],
        )?,
        Kind::Cancel => draft.subject,
    };
    let entry = ledger::Entry {
        n,
        kind: draft.kind,
        subject,
        tool: tool.to_owned(),
        title: draft.title.clone(),
        why: draft.why.clone(),
        findings: draft.findings.clone(),
        devices: draft.devices,
        count: draft.count,
        state: draft.state.clone(),
        digest: digest.clone(),
        proposed_by: ctx.principal.name.clone(),
        proposer: acting.actor_kind(),
        case: ctx.case.map(str::to_owned),
        proposed_ms: ctx.now_ms,
        expires_ms,
        status: Status::AwaitingApproval,
        decided_by: String::new(),
        decided_ms: None,
        reason: String::new(),
    };
    ledger::insert(connection, &entry)?;
    let id = shown_id(draft.kind, subject);
    acting.audit(&Note {
        client: draft.client,
        ..Note::new(
            &format!("{}.propose", draft.kind),
            ActResult::Ok,
            &id,
            serde_json::json!({
                "proposal": n, "tool": tool, "title": draft.title, "devices": draft.devices, "digest": digest,
            }),
        )
    })?;
    Ok(Proposed {
        n: entry.number(),
        kind: draft.kind,
        id,
        subject,
        tool: tool.to_owned(),
        title: Untrusted::new(draft.title.clone()),
        why: Untrusted::new(draft.why.clone()),
        digest,
        devices: draft.devices,
        count: draft.count,
        expires_ms,
    })
}
