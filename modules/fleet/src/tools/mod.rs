//! What a model may ask of the fleet. One file per tool, one line in `LIST`.
//!
//! A tool is offered only where its permission is there ([`catalog`]), and the same check runs again when the
//! call arrives ([`call`]): a catalog is a courtesy, not a guard. Arguments are read strictly; a refusal names
//! the field. Everything a tool says is untrusted text, like that of any tool: names come from the machines.

pub mod args;
mod perform;
pub mod propose;
pub mod read;
pub mod refer;
mod schema;
mod sheet;

pub use perform::{Performed, examine, export, perform, refused};
pub use sheet::{Answer, Proposed, ProposedKind, Sheet};

use crate::backend::{BackendError, Directory};
use kit::json::parse_strict_object;
use kit::principal::{Permission, Principal};
use kit::text::Untrusted;
use kit::tool::{Effect, ToolSpec};
use rusqlite::Connection;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Every tool, in the order in which a model sees them.
const LIST: &[Tool] = &[
    Tool::of::<read::list_devices::ListDevices>(),
    Tool::of::<read::list_org::ListOrg>(),
    Tool::of::<read::get_inventory::GetInventory>(),
    Tool::of::<read::get_job_status::GetJobStatus>(),
    Tool::of::<read::fleet_summary::FleetSummary>(),
    Tool::of::<read::inventory_report::InventoryReport>(),
    Tool::of::<read::find_on_fleet::FindOnFleet>(),
    Tool::of::<read::list_patches::ListPatches>(),
    Tool::of::<read::list_tasks::ListTasks>(),
    Tool::of::<read::list_checks::ListChecks>(),
    Tool::of::<read::list_policies::ListPolicies>(),
    Tool::of::<read::query_audit::QueryAudit>(),
    Tool::proposing::<read::export_inventory::ExportInventory>(),
    Tool::proposing::<read::export_audit::ExportAudit>(),
    Tool::proposing::<propose::propose_script::ProposeScript>(),
    Tool::proposing::<propose::propose_bulk_deploy::ProposeBulkDeploy>(),
    Tool::proposing::<propose::intents::InstallSoftware>(),
    Tool::proposing::<propose::intents::UninstallSoftware>(),
    Tool::proposing::<propose::intents::RestartService>(),
    Tool::proposing::<propose::intents::InstallPrinter>(),
    Tool::proposing::<propose::intents::FlushDns>(),
    Tool::proposing::<propose::intents::RebootDevice>(),
    Tool::proposing::<propose::propose_task::ProposeTask>(),
    Tool::proposing::<propose::propose_check::ProposeCheck>(),
    Tool::proposing::<propose::propose_policy::ProposePolicy>(),
    Tool::proposing::<propose::propose_move_devices::ProposeMoveDevices>(),
    Tool::proposing::<propose::propose_delete_devices::ProposeDeleteDevices>(),
    Tool::proposing::<propose::install_patches::InstallPatches>(),
    Tool::proposing::<propose::cancel_job::CancelJob>(),
];

/// What a call runs with.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    /// The store; an open transaction for a tool that proposes or acts.
    pub connection: &'a Connection,
    /// Who asks.
    pub principal: &'a Principal,
    /// What each backend can do.
    pub backends: &'a Directory,
    /// Now, milliseconds since 1970.
    pub now_ms: i64,
    /// The case in which it is asked.
    pub case: Option<&'a str>,
    /// The call comes from a model, not from a person by hand.
    pub by_model: bool,
    /// Fresh random bytes, for a token.
    pub random: [u8; 32],
}

/// Why a call was refused; the names are stable. They map to the keys of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKey {
    /// The permission is missing, or a scope is in the way.
    Access,
    /// The arguments have the wrong shape, or a value does not fit.
    Arguments,
    /// There is no such device, site, client, job: unknown and out of scope read alike.
    Scope,
    /// More than one fits.
    Ambiguous,
    /// The backend cannot do this.
    Unsupported,
    /// No person approved it.
    NotApproved,
    /// Things are not as the call expects (already decided, changed meanwhile).
    Conflict,
    /// The store could not be read or written.
    Internal,
}

impl RefusalKey {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Arguments => "arguments",
            Self::Scope => "scope",
            Self::Ambiguous => "ambiguous",
            Self::Unsupported => "unsupported",
            Self::NotApproved => "not-approved",
            Self::Conflict => "conflict",
            Self::Internal => "internal",
        }
    }
}

/// A refusal. The sentence is the program's own words and holds no text of a model or of a machine; what
/// fits an ambiguous name stands apart.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Stable key.
    pub key: RefusalKey,
    /// The field of the arguments, where one is to blame.
    pub field: Option<String>,
    /// One sentence.
    pub sentence: String,
    /// What fits, as `d-12 web-01`: for [`RefusalKey::Ambiguous`].
    pub matches: Vec<Untrusted>,
}

impl Refusal {
    /// A refusal of the call as a whole.
    #[must_use]
    pub fn new(key: RefusalKey, sentence: impl Into<String>) -> Self {
        Self {
            key,
            field: None,
            sentence: sentence.into(),
            matches: Vec::new(),
        }
    }

    /// A refusal because of one field.
    #[must_use]
    pub fn field(key: RefusalKey, field: &str, sentence: impl Into<String>) -> Self {
        Self {
            field: Some(field.to_owned()),
            ..Self::new(key, sentence)
        }
    }

    /// A wrong value of one field; the sentence says what is expected.
    #[must_use]
    pub fn value(field: &str, expected: impl AsRef<str>) -> Self {
        Self::field(
            RefusalKey::Arguments,
            field,
            format!("The field \"{field}\" is wrong: {}.", expected.as_ref()),
        )
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::new(
            RefusalKey::Internal,
            format!("The store could not be used: {error}."),
        )
    }
}

impl From<BackendError> for Refusal {
    fn from(error: BackendError) -> Self {
        let key = match &error {
            BackendError::Denied => RefusalKey::Access,
            BackendError::OutOfScope | BackendError::NotFound => RefusalKey::Scope,
            BackendError::Unsupported { .. } => RefusalKey::Unsupported,
            BackendError::Ambiguous(_) => RefusalKey::Ambiguous,
            BackendError::Conflict(_) | BackendError::Busy | BackendError::Offline => {
                RefusalKey::Conflict
            }
            BackendError::Timeout | BackendError::Transport(_) => RefusalKey::Internal,
        };
        Self::new(key, format!("Not done: {error}."))
    }
}

/// One tool, as its author writes it.
pub trait FleetTool {
    /// Its name.
    const NAME: &'static str;
    /// One or two sentences for the model.
    const DOC: &'static str;
    /// What its caller needs.
    const PERMISSION: Permission;
    /// What it does.
    const EFFECT: Effect;
    /// Only for principals of the whole fleet.
    const UNSCOPED_ONLY: bool = false;
    /// Its arguments; `#[serde(deny_unknown_fields)]`.
    type Args: DeserializeOwned + JsonSchema;

    /// Runs it. Permission and shape were checked; scope is the tool's: in every query and every reference.
    ///
    /// # Errors
    /// The refusal that says why not.
    fn run(ctx: &Ctx<'_>, args: Self::Args) -> Result<Answer, Refusal>;
}

/// A tool of the list.
#[derive(Clone, Copy)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// One or two sentences for the model.
    pub doc: &'static str,
    /// What its caller needs.
    pub permission: Permission,
    /// What it does.
    pub effect: Effect,
    /// Only for principals of the whole fleet.
    pub unscoped_only: bool,
    /// Leaves a trail, so that it needs an open transaction and [`perform`]: whatever proposes or acts, and
    /// exports.
    pub trail: bool,
    schema: fn() -> Value,
    parse: fn(&str) -> Result<(), Refusal>,
    run: fn(&Ctx<'_>, &str) -> Result<Answer, Refusal>,
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tool({})", self.name)
    }
}

impl Tool {
    const fn of<T: FleetTool>() -> Self {
        Self {
            name: T::NAME,
            doc: T::DOC,
            permission: T::PERMISSION,
            effect: T::EFFECT,
            unscoped_only: T::UNSCOPED_ONLY,
            trail: false,
            schema: schema::of::<T::Args>,
            parse: |text| read_args::<T::Args>(text).map(drop),
            run: |ctx, text| T::run(ctx, read_args::<T::Args>(text)?),
        }
    }

    /// One that leaves a trail: a plain [`call`] refuses it, [`perform`] runs it.
    const fn proposing<T: propose::Proposes>() -> Self {
        Self {
            name: T::NAME,
            doc: T::DOC,
            permission: T::PERMISSION,
            effect: T::EFFECT,
            unscoped_only: T::UNSCOPED_ONLY,
            trail: true,
            schema: schema::of::<T::Args>,
            parse: |text| read_args::<T::Args>(text).map(drop),
            run: |_, text| {
                read_args::<T::Args>(text)?;
                Err(Refusal::new(
                    RefusalKey::Internal,
                    "This call leaves a trail in the audit: it is not made as a plain one.",
                ))
            },
        }
    }

    /// As a model sees it.
    #[must_use]
    pub fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            description: self.doc.to_owned(),
            parameters: (self.schema)(),
            effect: self.effect,
        }
    }

    /// Whether this principal may use it.
    #[must_use]
    pub fn open_to(&self, principal: &Principal) -> bool {
        principal.allow(self.permission) && !(self.unscoped_only && principal.is_scoped())
    }

    /// The check of [`Self::open_to`] with its reason.
    ///
    /// # Errors
    /// [`RefusalKey::Access`].
    pub fn access(&self, principal: &Principal) -> Result<(), Refusal> {
        if !principal.allow(self.permission) {
            return Err(Refusal::new(
                RefusalKey::Access,
                format!(
                    "This person may not use {} (permission {}).",
                    self.name, self.permission
                ),
            ));
        }
        if self.unscoped_only && principal.is_scoped() {
            return Err(Refusal::new(
                RefusalKey::Access,
                format!(
                    "{} is for principals of the whole fleet; this one has a scope.",
                    self.name
                ),
            ));
        }
        Ok(())
    }

    /// Whether the arguments have the right shape, without a look at the store: the gate's check 5.
    ///
    /// # Errors
    /// [`RefusalKey::Arguments`], with the field.
    pub fn check(&self, arguments: &str) -> Result<(), Refusal> {
        (self.parse)(arguments)
    }
}

fn read_args<A: DeserializeOwned + JsonSchema>(text: &str) -> Result<A, Refusal> {
    // A call without arguments comes as nothing at all from some servers.
    let text = if text.trim().is_empty() { "{}" } else { text };
    let mut map = parse_strict_object(text).map_err(|e| {
        Refusal::new(
            RefusalKey::Arguments,
            format!("The arguments cannot be read: {e}."),
        )
    })?;
    // `null` for a field that may be left out is how some models leave it out.
    map.retain(|_, v| !v.is_null());
    let value = Value::Object(map);
    schema::check(&schema::of::<A>(), &value)?;
    serde_json::from_value(value).map_err(|e| {
        Refusal::new(
            RefusalKey::Arguments,
            format!("The arguments do not fit: {e}."),
        )
    })
}

/// The tools that this principal may use.
pub fn catalog(principal: &Principal) -> impl Iterator<Item = &'static Tool> + '_ {
    LIST.iter().filter(|t| t.open_to(principal))
}

/// Every tool, whoever may use it.
pub fn all() -> impl Iterator<Item = &'static Tool> {
    LIST.iter()
}

/// The tool of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    LIST.iter().find(|t| t.name == name)
}

/// Runs a call that the gate let pass. Permission and arguments are checked here again.
///
/// # Errors
/// The refusal that says why not.
pub fn call(ctx: &Ctx<'_>, tool: &Tool, arguments: &str) -> Result<Answer, Refusal> {
    tool.access(ctx.principal)?;
    (tool.run)(ctx, arguments)
}
