//! What a person sees of an action on devices before it is approved. Whoever proposes actions fills this;
//! the card shows all of it and asks for what it names.

use crate::case::ProposedAction;
use kit::Redacted;

/// One action that waits, as its card shows it beside what stands in the log. The text of devices and backends is redacted before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionView {
    /// Number of the proposal.
    pub n: u64,
    /// The system that carries it out, with its place where that matters.
    pub backend: Redacted,
    /// Further facts: label and text, in order (user, timeout, what can be taken back).
    pub facts: Vec<(String, Redacted)>,
    /// The devices that it acts on, all of them.
    pub devices: Vec<DeviceView>,
    /// Where it acts, where that is no list of devices: monitoring takes in what joins a place later.
    pub place: Option<Redacted>,
    /// The script that runs, whole.
    pub script: Option<ScriptView>,
    /// What is different from when it was proposed; empty: nothing.
    pub changed: Vec<Redacted>,
    /// The digest over all of it: what is approved. One that is not the proposal's own cannot be approved.
    pub digest: String,
}

/// A device of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceView {
    /// Its name.
    pub name: Redacted,
    /// The client that it belongs to.
    pub client: Redacted,
    /// Whatever a person should see beside it: offline, production.
    pub note: Redacted,
}

/// A script, whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptView {
    /// Its language or shell.
    pub language: String,
    /// Every line of it.
    pub text: Redacted,
}

impl ActionView {
    /// A number that differs when anything of it differs: what a person armed a card for is what is approved.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        use std::hash::{Hash as _, Hasher as _};
        let mut h = std::hash::DefaultHasher::new();
        // The text types hash as what they hold; their debug form is exactly that.
        format!("{self:?}").hash(&mut h);
        h.finish().max(1)
    }

    /// The clients that its devices belong to, each once, in order.
    #[must_use]
    pub fn clients(&self) -> Vec<&str> {
        let mut out: Vec<&str> = Vec::new();
        for d in &self.devices {
            if !out.contains(&d.client.as_str()) {
                out.push(d.client.as_str());
            }
        }
        out
    }

    /// Whether this is the whole of what was proposed: the same digest, and every device or the place.
    #[must_use]
    pub fn is_of(&self, proposed: &ProposedAction) -> bool {
        self.n == proposed.n
            && self.digest == proposed.digest
            && match self.place {
                Some(_) => self.devices.is_empty(),
                None => u32::try_from(self.devices.len()) == Ok(proposed.devices),
            }
    }
}
