//! What a source of devices can do. One trait; capability flags; opaque ids; an answer per device; typed
//! errors. Proposals, approvals, audit and the copy of the inventory are always in the local store, whatever
//! the backend: tools read the store, and ask the flags before they call an empty list empty.

mod capabilities;
mod embedded;

pub use capabilities::{Ability, Capabilities, Directory, EMBEDDED};
pub use embedded::Embedded;

use crate::model::{DeviceId, DeviceStatus, JobId, Platform, Shell, SiteId, TargetStatus};
use kit::ports::Fut;
use serde_json::Value;

/// Why a backend did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The backend refuses this account.
    #[error("the backend refuses: the account may not do this")]
    Denied,
    /// The device is outside what the backend shows this account.
    #[error("the backend does not show this device to this account")]
    OutOfScope,
    /// No such thing.
    #[error("the backend does not know it")]
    NotFound,
    /// The device does not answer.
    #[error("the device is offline")]
    Offline,
    /// The device or the backend is doing something else.
    #[error("the device is busy with another job")]
    Busy,
    /// No answer in time; whether something happened is not known.
    #[error("no answer in time: it is not known whether anything happened")]
    Timeout,
    /// This backend cannot do this. Never shown as zero or empty.
    #[error("the backend {backend} cannot {what}")]
    Unsupported {
        /// The backend.
        backend: String,
        /// What it cannot do, as a verb with its object.
        what: &'static str,
    },
    /// What is there differs from what was expected.
    #[error("it has changed since it was proposed: {0}")]
    Conflict(String),
    /// More than one thing fits.
    #[error("more than one device fits: {}", .0.join(", "))]
    Ambiguous(Vec<String>),
    /// The way to the backend or to the device broke.
    #[error("the connection failed: {0}")]
    Transport(String),
}

impl BackendError {
    /// The stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::OutOfScope => "out_of_scope",
            Self::NotFound => "not_found",
            Self::Offline => "offline",
            Self::Busy => "busy",
            Self::Timeout => "timeout",
            Self::Unsupported { .. } => "unsupported",
            Self::Conflict(_) => "conflict",
            Self::Ambiguous(_) => "ambiguous",
            Self::Transport(_) => "transport",
        }
    }
}

impl From<rusqlite::Error> for BackendError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Transport(error.to_string())
    }
}

/// What a backend answers.
pub type Answer<T> = Result<T, BackendError>;

/// The answer for one device of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerDevice<T> {
    /// The device.
    pub device: DeviceId,
    /// How it went there.
    pub result: Answer<T>,
}

/// The answer for one patch of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerPatch {
    /// The patch.
    pub identifier: String,
    /// Whether its installation began.
    pub result: Answer<()>,
}

/// A device as a backend names it, with where it stands there. All text is untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteDevice {
    /// Opaque.
    pub external_id: String,
    /// Name of the machine.
    pub hostname: String,
    /// Client, site and department by name; what the backend does not have is empty.
    pub place: [String; 3],
    /// Family of the operating system.
    pub platform: Platform,
    /// Operating system.
    pub os: String,
    /// Its version.
    pub os_version: String,
    /// Whether it answers.
    pub status: DeviceStatus,
    /// Last time it was seen, milliseconds since 1970.
    pub last_seen_ms: Option<i64>,
    /// Addresses.
    pub addresses: Vec<String>,
}

/// One thing to run on one device. Made by the approval path from an approved job and by nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The approved job.
    pub job: JobId,
    /// Where.
    pub device: DeviceId,
    /// What runs the text.
    pub shell: Shell,
    /// The text that was approved.
    pub body: String,
    /// Seconds after which the endpoint stops it.
    pub timeout_s: u32,
    /// Marks this run where the backend has no job of its own.
    pub nonce: String,
}

/// How a run stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Status; `None` before anything is known.
    pub status: Option<TargetStatus>,
    /// Exit code, where the backend gives one.
    pub exit_code: Option<i64>,
    /// Standard output, capped. Untrusted.
    pub stdout: String,
    /// Standard error, capped; empty where the backend does not keep them apart. Untrusted.
    pub stderr: String,
    /// Something was cut off.
    pub truncated: bool,
}

/// A source of devices.
pub trait Backend {
    /// Its name, as in `devices.backend`.
    fn name(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Whether it can be reached.
    fn health(&self) -> Fut<'_, Answer<()>>;

    /// All devices that this account sees.
    fn devices(&self) -> Fut<'_, Answer<Vec<RemoteDevice>>>;

    /// Collects anew what is known of one device; `Value` is the backend's own form, for the importer.
    fn refresh(&self, device: DeviceId) -> Fut<'_, Answer<Value>>;

    /// Begins a run and gives the backend's own name for it.
    fn dispatch(&self, order: &Order) -> Fut<'_, Answer<String>>;

    /// How a run stands.
    fn poll(&self, job: JobId, device: DeviceId, reference: &str) -> Fut<'_, Answer<Run>>;

    /// Asks a run to stop. `Ok` says that it was asked.
    fn cancel(&self, job: JobId, device: DeviceId, reference: &str) -> Fut<'_, Answer<()>>;

    /// Installs these patches, which a person approved, and no others: a backend that would install more
    /// refuses with [`BackendError::Conflict`].
    fn install_patches(
        &self,
        device: DeviceId,
        identifiers: &[String],
    ) -> Fut<'_, Answer<Vec<PerPatch>>>;

    /// Moves devices to a site.
    fn move_devices(
        &self,
        devices: &[DeviceId],
        site: SiteId,
        department: Option<crate::model::DepartmentId>,
    ) -> Fut<'_, Answer<Vec<PerDevice<()>>>>;

    /// Deletes devices.
    fn delete_devices(&self, devices: &[DeviceId]) -> Fut<'_, Answer<Vec<PerDevice<()>>>>;
}
