//! The engine: carries out what the pure parts decide, and is the one thing that every surface talks to.
//!
//! * [`turn`] – a message and everything until the program waits for the person again; `begin` and
//!   `finish` are its two ends.
//! * [`calls`] – charging, running and recording the calls of one round; `judging` says what each may do.
//! * [`with_model`], [`by_rules`] – who chooses the look-ups; `offer` is what a constrained step may be, `wire` the
//!   forms of requests and replies.
//! * [`decide`] – approving and denying pivots; [`actions`] – the same for actions, by digest. [`lookup`] – a person's own look-ups, without a case.
//! * [`doctor`] – what `doctor` asks of the database, the model server and the resolver.
//! * [`own_words`] – what of a message is hidden from the model, and how a person sends it as it is.
//! * [`person`] – what a person changes by hand. [`session`] – the seam of the screens; [`view`] – what they draw.
//! * [`report`] – what a turn came to, in the shape of `ask --json`.
//! * [`reports`] – reports, exports and the audit of the fleet, asked by hand; [`tables`] – those in an answer.

pub mod action;
pub mod actions;
mod begin;
pub mod by_rules;
pub mod calls;
pub mod connect;
pub mod decide;
pub mod doctor;
mod finish;
pub mod fleet;
mod judging;
pub mod lookup;
mod offer;
pub mod own_words;
pub mod person;
pub mod report;
pub mod reports;
pub mod server;
pub mod session;
pub mod setup;
mod step_text;
mod streamed;
pub mod tables;
pub mod turn;
pub mod view;
mod wire;
pub mod with_model;

pub use crate::agent::footer::age;
pub use crate::agent::grounding::{NOT_IN_EVIDENCE, places};
pub use crate::agent::prompt::VERSION as PROMPT_VERSION;
pub use crate::runner::by_hand;
pub use crate::runner::registry as modules;
pub use report::TurnReport;
pub use turn::{AskInput, CaseChoice, Choices, RawAttachment};

use crate::case::{Body, CaseState, Event, ProposalFrom, ProposalKind};
use crate::config::Config;
use crate::gate::{Catalog, FleetCatalog};
use crate::model::ModelError;
use crate::redact::Redact;
use crate::runner::{Runner, tools};
use crate::secrets::Secrets;
use crate::store::{CaseId, Store, StoreError};
use kit::indicator::Indicator;
use kit::principal::Principal;
use kit::reach::ReachPolicy;
use kit::text::{Redacted, Untrusted};
use std::path::PathBuf;
use std::sync::Arc;

/// What a surface sees while a turn runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// The case and turn that run.
    Started {
        /// Case.
        case: CaseId,
        /// Turn.
        turn: u32,
    },
    /// The model server loads its model.
    Loading,
    /// The model works on a round.
    Thinking {
        /// Round, from 1.
        round: u32,
    },
    /// A round of the model ended, with the tokens that its server counted.
    Round {
        /// Tokens of the prompt.
        prompt: u32,
        /// Of those, from the server's cache; `None` where it does not say.
        cached: Option<u32>,
        /// Tokens of the reply.
        completion: u32,
    },
    /// A piece of the model's text, redacted.
    Text(Redacted),
    /// A piece of its reasoning, redacted.
    Reasoning(Redacted),
    /// A call goes out (tool, argument).
    Calling {
        /// Tool.
        tool: Redacted,
        /// Argument.
        argument: Redacted,
    },
    /// A call ended (tool, argument, outcome in words).
    Called {
        /// Tool.
        tool: Redacted,
        /// Argument.
        argument: Redacted,
        /// Outcome.
        outcome: String,
    },
    /// A call was refused (tool, key).
    Refused {
        /// Tool.
        tool: Redacted,
        /// Key.
        key: &'static str,
    },
    /// A warning.
    Warning(String),
}

/// Receives progress.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) + Send);

/// Why a turn could not run, or could not end.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The person asked for something that cannot be done as asked.
    #[error("{message}")]
    User {
        /// What and why.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The configuration does not allow it.
    #[error("{message}")]
    Config {
        /// What and why.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The person stopped it before anything was written.
    #[error("interrupted")]
    Interrupted,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model, where rules may not stand in.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The engine of one process.
pub struct Engine {
    /// Settings.
    pub config: Arc<Config>,
    /// The database.
    pub store: Store,
    /// Secrets.
    pub secrets: Arc<Secrets>,
    /// The redactor.
    pub redact: Arc<Redact>,
    /// Who acts.
    pub principal: Principal,
    /// Tools.
    pub catalog: Catalog,
    /// Fleet tools that this principal may use.
    pub fleet: FleetCatalog,
    /// What may leave the machine.
    pub reach: ReachPolicy,
    runner: Runner,
}

/// What an engine is made of.
pub struct Parts {
    /// Settings.
    pub config: Arc<Config>,
    /// The database.
    pub store: Store,
    /// Secrets.
    pub secrets: Arc<Secrets>,
    /// The redactor.
    pub redact: Arc<Redact>,
    /// Who acts.
    pub principal: Principal,
    /// The data directory.
    pub data_dir: PathBuf,
}

impl Engine {
    /// An engine over these parts.
    ///
    /// # Errors
    /// [`EngineError::Config`] for a `reach_allow` entry that is neither a network nor a suffix.
    pub fn new(parts: Parts) -> Result<Self, EngineError> {
        let Parts {
            config,
            store,
            secrets,
            redact,
            principal,
            data_dir,
        } = parts;
        let reach = reach_policy(&config)?;
        let runner = Runner::new(
            Arc::clone(&config),
            store.clone(),
            Arc::clone(&secrets),
            Arc::clone(&redact),
            &data_dir,
            principal.clone(),
            now_ms,
        );
        let catalog = tools::catalog(&config);
        let fleet = runner.fleet_catalog();
        Ok(Self {
            config,
            store,
            secrets,
            redact,
            principal,
            catalog,
            fleet,
            reach,
            runner,
        })
    }

    /// The runner, for `modules test` and `data`.
    #[must_use]
    pub const fn runner(&self) -> &Runner {
        &self.runner
    }

    /// Redacts text from outside.
    #[must_use]
    pub fn redacted(&self, text: &str) -> Redacted {
        Untrusted::new(text.to_owned()).redact(&*self.redact)
    }

    /// Text from outside in one line, redacted first and cut then: a cut before could leave half a secret.
    #[must_use]
    pub fn shortened(&self, text: &str, most: usize) -> Redacted {
        let line = self.redacted(text);
        let line = line
            .as_str()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        self.redacted(&line).cap(most).0
    }

    /// Whether text holds a value of the program's own configuration. Such an indicator is not kept: it
    /// would carry the secret into the log.
    #[must_use]
    pub fn holds_secret(&self, text: &str) -> bool {
        let (_, classes) = self.redact.redact_counted(text);
        classes.contains(&crate::redact::Class::Configured)
    }

    /// Appends to a case in one transaction; proposals get their numbers inside it.
    pub(crate) fn append(
        &self,
        case: &CaseId,
        drafts: Vec<Draft>,
    ) -> Result<Vec<Event>, StoreError> {
        let case = case.clone();
        let at = now_ms();
        self.store.write(move |tx| {
            let mut bodies = Vec::with_capacity(drafts.len());
            for draft in drafts {
                bodies.push(match draft {
                    Draft::Body(body) => body,
                    Draft::Propose(p) => p.body(tx.next_proposal_number()?),
                });
            }
            tx.append(&case, at, &bodies)
        })
    }

    /// Brings a state up to date with the log: what another process decided counts at once.
    pub(crate) fn sync(&self, case: &CaseId, state: &mut CaseState) -> Result<(), StoreError> {
        let after = state.seq;
        let events = self.store.read(|r| r.events_after(case, after))?;
        for event in &events {
            state.apply(event);
        }
        Ok(())
    }
}

/// An event to be written, or a proposal that gets its number when it is written.
#[derive(Clone, Debug)]
pub(crate) enum Draft {
    /// An event.
    Body(Body),
    /// A pivot.
    Propose(Pivot),
}

/// A pivot that waits for its number.
#[derive(Clone, Debug)]
pub(crate) struct Pivot {
    pub(crate) turn: u32,
    pub(crate) indicator: Indicator,
    pub(crate) why: Redacted,
    pub(crate) found_in: Option<u32>,
    pub(crate) not_in_evidence: bool,
    pub(crate) from: ProposalFrom,
}

impl Pivot {
    pub(crate) fn body(self, n: u64) -> Body {
        Body::Proposed {
            n,
            turn: self.turn,
            what: ProposalKind::Pivot,
            indicator: self.indicator,
            why: self.why,
            found_in: self.found_in,
            not_in_evidence: self.not_in_evidence,
            from: self.from,
        }
    }
}

/// Milliseconds since the Unix epoch; 0 where the clock stands before it.
#[must_use]
pub fn now_ms() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .ok()
        .and_then(|d| i64::try_from(d.as_millis()).ok())
        .unwrap_or(0)
}

/// A random marker: 16 hex digits.
pub(crate) fn marker() -> String {
    let mut bytes = [0_u8; 8];
    if getrandom::fill(&mut bytes).is_err() {
        // Without randomness the marker still differs from call to call.
        bytes = now_ms().rotate_left(17).to_ne_bytes();
    }
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn reach_policy(config: &Config) -> Result<ReachPolicy, EngineError> {
    let mut policy = ReachPolicy {
        internal_suffixes: config
            .network
            .internal_suffixes
            .iter()
            .map(|s| suffix(s))
            .collect(),
        ..ReachPolicy::default()
    };
    for entry in &config.network.reach_allow {
        let entry = entry.trim();
        if let Ok(net) = entry.parse() {
            policy.allow_nets.push(net);
        } else if let Ok(address) = entry.parse::<std::net::IpAddr>() {
            policy.allow_nets.push(address.into());
        } else if entry.contains('/') || entry.is_empty() {
            return Err(EngineError::Config {
                message: format!(
                    "[network] reach_allow: {entry:?} is neither a network nor a name suffix"
                ),
                hint: "write networks as 192.0.2.0/24 and suffixes as corp.example".into(),
            });
        } else {
            policy.allow_suffixes.push(suffix(entry));
        }
    }
    Ok(policy)
}

fn suffix(text: &str) -> String {
    text.trim()
        .trim_start_matches("*.")
        .trim_matches('.')
        .to_lowercase()
}
