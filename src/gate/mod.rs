//! The gate: the only way from "the model wants X" to "X happens". PURE.
//!
//! The checks stand in order, one file each; the first that objects decides:
//!
//! | # | check | refusal key | file |
//! |---|---|---|---|
//! | 0 | refusals this turn | `refusals` | [`volume`] |
//! | 1, 2 | calls this turn, this case | `turn-budget`, `case-budget` | [`budget`] |
//! | 3 | tool known, allowed, not blocked, `ai_tool` in code | `not-a-tool` | [`known`] |
//! | 4 | this principal may use it | `access` | [`access`] |
//! | 5 | arguments parse to exactly one strict indicator | `arguments`, `unclassifiable` | [`arguments`] |
//! | 6 | denied by a person | `denied` | [`denied`] |
//! | 7 | may leave the machine | `reach` | [`reach`] |
//! | 8 | authorized by a person | `unauthorized` | [`authorized`] |
//! | 9 | the module takes this type | `type` | [`takes`] |
//! | 10 | fleet: inside the scope | `scope` | [`fleet_call`] |
//! | 11 | fleet: effect | `not-approved` | [`fleet_call`] |
//! | – | third identical call | `repeated` | [`volume`] |
//!
//! [`Permit`] and [`FleetPermit`] have no constructor outside this module, and the runner takes nothing else.

pub mod access;
pub mod arguments;
pub mod authorized;
pub mod budget;
pub mod denied;
pub mod fleet_call;
pub mod known;
pub mod reach;
pub mod takes;
pub mod volume;

pub use fleet_call::FleetPermit;

use crate::case::CaseState;
use crate::config::settings::Limits;
use kit::indicator::Indicator;
use kit::module::ModuleSpec;
use kit::principal::Principal;
use kit::reach::ReachPolicy;
use kit::tool::{Examined, FleetTool};
use std::collections::BTreeMap;

/// The name of the tool with which a model proposes a new indicator.
pub const PROPOSE_PIVOT: &str = "propose_pivot";

/// The name of the tool with which a model asks for another group of fleet tools; changes nothing but the list.
pub const MORE_TOOLS: &str = "more_tools";

/// A call as a model made it; nothing in it is trusted, not even that there is a name.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The tool's name, where one came as a string.
    pub name: Option<&'a str>,
    /// The arguments as JSON text, exactly as they came.
    pub arguments: &'a str,
    /// What the fleet says of it, where the name is that of a fleet tool.
    pub examined: Option<&'a Examined>,
}

/// A tool as the operator left it.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Facts in code.
    pub spec: &'static ModuleSpec,
    /// Switched on in the configuration.
    pub enabled: bool,
    /// Not subtracted by `[ai] modules` or `blocked_modules`.
    pub allowed: bool,
}

/// The tools of this installation by name.
pub type Catalog = BTreeMap<&'static str, Tool>;

/// The fleet tools of this installation by name.
pub type FleetCatalog = BTreeMap<String, FleetTool>;

/// What the gate sees when it judges a call.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The case at this moment.
    pub state: &'a CaseState,
    /// The turn that runs.
    pub turn: u32,
    /// Budgets.
    pub limits: &'a Limits,
    /// Tools.
    pub tools: &'a Catalog,
    /// Who asks.
    pub principal: &'a Principal,
    /// What may leave the machine.
    pub reach: &'a ReachPolicy,
    /// The host of an authorized URL counts as authorized.
    pub url_host: bool,
    /// The model runs on another machine: nothing of the case memory goes there.
    pub model_remote: bool,
    /// Handles (`I3`) that stand for indicators whose text a redactor would change.
    pub handles: &'a BTreeMap<String, Indicator>,
    /// Fleet tools of this installation by name.
    pub fleet: &'a FleetCatalog,
    /// Fleet tools may be offered to a model on another machine.
    pub fleet_remote: bool,
}

/// Why a call was refused; the names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// Calls of this turn are used up.
    TurnBudget,
    /// Calls of this case are used up.
    CaseBudget,
    /// No such tool for a model here.
    NotATool,
    /// This principal may not use it.
    Access,
    /// The arguments have the wrong shape.
    Arguments,
    /// The argument is not exactly one indicator.
    Unclassifiable,
    /// A person refused this indicator in this case.
    Denied,
    /// Stays on this machine.
    Reach,
    /// Nobody named or approved it.
    Unauthorized,
    /// The module does not take this type.
    Type,
    /// Outside the principal's scope (fleet).
    Scope,
    /// Not approved (fleet).
    NotApproved,
    /// Too many refusals this turn.
    Refusals,
    /// The same call for the third time.
    Repeated,
    /// Nothing to propose: caps reached, or already authorized.
    NotProposed,
}

impl Key {
    /// The stable name, as in JSON and in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TurnBudget => "turn-budget",
            Self::CaseBudget => "case-budget",
            Self::NotATool => "not-a-tool",
            Self::Access => "access",
            Self::Arguments => "arguments",
            Self::Unclassifiable => "unclassifiable",
            Self::Denied => "denied",
            Self::Reach => "reach",
            Self::Unauthorized => "unauthorized",
            Self::Type => "type",
            Self::Scope => "scope",
            Self::NotApproved => "not-approved",
            Self::Refusals => "refusals",
            Self::Repeated => "repeated",
            Self::NotProposed => "not-proposed",
        }
    }
}

/// A refusal. Its sentence is fit for the screen and for the model; it holds no text of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Stable key.
    pub key: Key,
    /// One sentence.
    pub sentence: String,
    /// The indicator, where one could be read.
    pub subject: Option<Indicator>,
    /// Evidence in which the refused indicator stands: then it is also worth a proposal.
    pub found_in: Option<u32>,
}

impl Refusal {
    pub(crate) fn new(key: Key, sentence: impl Into<String>) -> Self {
        Self {
            key,
            sentence: sentence.into(),
            subject: None,
            found_in: None,
        }
    }

    pub(crate) fn about(mut self, subject: &Indicator) -> Self {
        self.subject = Some(subject.clone());
        self
    }
}

/// Who may be answered by the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A model's call that passed every check.
    Model,
    /// A person's own look-up (`lookup`, `@crtsh example.com`).
    Person,
}

/// Leave to look one indicator up with one module, once. Only this module makes one.
#[derive(Debug)]
pub struct Permit {
    spec: &'static ModuleSpec,
    subject: Indicator,
    origin: Origin,
}

impl Permit {
    /// The module.
    #[must_use]
    pub const fn spec(&self) -> &'static ModuleSpec {
        self.spec
    }

    /// The indicator, canonical.
    #[must_use]
    pub const fn subject(&self) -> &Indicator {
        &self.subject
    }

    /// Who asked.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }
}

/// A wish to propose a pivot: becomes a proposal that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// What to look up.
    pub subject: Indicator,
    /// The model's reason, untrusted and unredacted; the caller redacts it.
    pub reason: String,
    /// Evidence in which it stands.
    pub found_in: Option<u32>,
    /// Stands in no evidence and no human text.
    pub not_in_evidence: bool,
}

/// The gate's answer.
#[derive(Debug)]
pub enum Verdict {
    /// May run.
    Permit(Permit),
    /// A fleet tool may run; where it `asks`, what it makes is a proposal.
    Fleet(FleetPermit),
    /// Waits for a person.
    Ask(Ask),
    /// Does not run.
    Refuse(Refusal),
}

/// Judges one call of a model.
#[must_use]
pub fn judge(asked: Asked<'_>, view: &View<'_>) -> Verdict {
    if let Some(answer) = fleet_call::check(asked, view) {
        return answer.map_or_else(Verdict::Refuse, Verdict::Fleet);
    }
    match look(asked, view) {
        Ok(verdict) => verdict,
        Err(refusal) => Verdict::Refuse(refusal),
    }
}

fn look(asked: Asked<'_>, view: &View<'_>) -> Result<Verdict, Refusal> {
    volume::refusals(view)?;
    if asked.name == Some(PROPOSE_PIVOT) {
        return propose(asked, view);
    }
    budget::check(view)?;
    let spec = known::check(asked.name, view)?;
    access::check(view)?;
    let subject = arguments::look_up(asked.arguments, view)?;
    denied::check(&subject, view)?;
    reach::check(&subject, spec, view)?;
    authorized::check(&subject, view)?;
    takes::check(&subject, spec)?;
    volume::repeated(spec, &subject, view)?;
    Ok(Verdict::Permit(Permit {
        spec,
        subject,
        origin: Origin::Model,
    }))
}

fn propose(asked: Asked<'_>, view: &View<'_>) -> Result<Verdict, Refusal> {
    access::check(view)?;
    let (subject, reason) = arguments::proposal(asked.arguments, view)?;
    worth_proposing(&subject, view)?;
    let found_in = view.state.seen.get(&subject).copied();
    let not_in_evidence =
        found_in.is_none() && !view.state.knows(&subject) && !stands_in_input(&subject, view.state);
    Ok(Verdict::Ask(Ask {
        subject,
        reason,
        found_in,
        not_in_evidence,
    }))
}

fn stands_in_input(subject: &Indicator, state: &CaseState) -> bool {
    state
        .turns
        .iter()
        .any(|t| t.attachments.iter().any(|a| a.mentioned.contains(subject)))
}

/// The refusal of a call whose arguments hold a configured secret, as the redactor found.
#[must_use]
pub fn holds_secret() -> Refusal {
    Refusal::new(
        Key::Arguments,
        "The arguments hold a secret of this installation: nothing was looked up or proposed.",
    )
}

/// Whether an indicator may become a new proposal: not denied, not authorized already, able to leave the
/// machine, not open already, and within the caps (`proposals_per_turn`, `proposals_open`).
///
/// # Errors
/// The refusal that says why not.
pub fn worth_proposing(subject: &Indicator, view: &View<'_>) -> Result<(), Refusal> {
    denied::check(subject, view)?;
    reach::outside(subject, view)?;
    if view.state.authorization(subject, view.url_host).is_some() {
        return Err(Refusal::new(
            Key::NotProposed,
            "This indicator is already authorized: look it up.",
        )
        .about(subject));
    }
    if view.state.open_proposals().any(|p| &p.indicator == subject) {
        return Err(Refusal::new(
            Key::NotProposed,
            "This indicator is already proposed and waits for the person.",
        )
        .about(subject));
    }
    let of_turn = view
        .state
        .proposals
        .values()
        .filter(|p| p.turn == view.turn && p.from != crate::case::ProposalFrom::Input);
    if of_turn.count() >= view.limits.proposals_per_turn {
        return Err(Refusal::new(
            Key::NotProposed,
            "No more proposals this turn: mention the indicator in the answer instead.",
        )
        .about(subject));
    }
    if view.state.open_proposals().count() >= view.limits.proposals_open {
        return Err(Refusal::new(
            Key::NotProposed,
            "Too many proposals are open in this case: mention the indicator in the answer instead.",
        )
        .about(subject));
    }
    Ok(())
}

/// Leave for a person's own look-up: access and reach only (`anyway` overrides reach), and the type.
///
/// # Errors
/// The refusal that says why not.
pub fn permit_person(
    spec: &'static ModuleSpec,
    subject: &Indicator,
    principal: &Principal,
    policy: &ReachPolicy,
    anyway: bool,
) -> Result<Permit, Refusal> {
    access::principal(principal)?;
    if !anyway {
        reach::policy(subject, spec, policy)?;
    }
    takes::check(subject, spec)?;
    Ok(Permit {
        spec,
        subject: subject.clone(),
        origin: Origin::Person,
    })
}
