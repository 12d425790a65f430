//! The guided setup: a model, what it can do, keys. Every step can be skipped, and all of it with one key.

use super::app::ModuleFact;
use crate::engine::view::{Ability, FoundServer, TrialStep};
use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use std::fmt;

/// The state of the setup.
#[derive(Debug, Default)]
pub struct Setup {
    /// It came by itself, because nothing is configured.
    pub first: bool,
    /// Only a key is asked for; there is nothing to go on to.
    pub alone: bool,
    /// Where it stands.
    pub step: Step,
    /// Servers found; none: still looking.
    pub servers: Option<Vec<FoundServer>>,
    /// Selected line of the list.
    pub selected: usize,
    /// Digits typed to select a line.
    pub number: String,
    /// The chosen model: address and name.
    pub chosen: Option<(String, String)>,
    /// The trial of the model.
    pub trial: Trial,
    /// Number of the last trial, so that an answer to an earlier one is not taken for it.
    pub stamp: u64,
    /// Settings are being written.
    pub writing: bool,
    /// The model was written to the configuration.
    pub written: bool,
    /// Secrets stored: name and place.
    pub stored: Vec<(String, String)>,
    /// What went wrong last.
    pub problem: Option<String>,
}

/// A step.
#[derive(Debug, Default)]
pub enum Step {
    /// Which model.
    #[default]
    Model,
    /// What it can do.
    Trial,
    /// Which key.
    Keys,
    /// The value of a key.
    Key(KeyEntry),
    /// What was done.
    Done,
}

/// The trial of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Trial {
    /// Not begun.
    #[default]
    None,
    /// Since when, and where it stands.
    Running(u64, TrialStep),
    /// What was found.
    Done(Ability),
}

/// A key being typed.
#[derive(Debug)]
pub struct KeyEntry {
    /// Name of the secret.
    pub name: String,
    /// How to get one.
    pub get_key: String,
    /// What was typed.
    pub value: Hidden,
    /// It is being stored.
    pub storing: bool,
}

/// Text that is never shown, logged or kept: its memory is wiped when it goes.
#[derive(Default)]
pub struct Hidden(Zeroizing<String>);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden(…)")
    }
}

impl Hidden {
    /// Longest value in bytes.
    const MOST: usize = 4096;

    /// Adds text; control characters are no part of a key.
    pub fn push(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            if self.0.len() < Self::MOST {
                // A string that grows leaves its old memory behind unwiped: the room is taken at once.
                if self.0.capacity() == 0 {
                    self.0.reserve_exact(Self::MOST + 4);
                }
                self.0.push(c);
            }
        }
    }

    /// Takes the last character back.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Takes everything back.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// How many characters it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.chars().count()
    }

    /// Nothing was typed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// The value, for the secret store; nothing stays here.
    pub fn take(&mut self) -> SecretString {
        let value = SecretString::from(self.0.trim().to_owned());
        self.clear();
        value
    }
}

/// A secret that modules want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Name of the secret.
    pub secret: String,
    /// Modules that use it.
    pub modules: Vec<String>,
    /// What the first of them knows.
    pub what: String,
    /// How to get it.
    pub get_key: String,
    /// It is there, or not needed.
    pub ready: bool,
    /// None of its modules needs it.
    pub optional: bool,
}

/// The secrets that the modules which are switched on want, each once.
#[must_use]
pub fn wanted(modules: &[ModuleFact]) -> Vec<Wanted> {
    let mut out: Vec<Wanted> = Vec::new();
    for m in modules.iter().filter(|m| m.enabled && !m.secret.is_empty()) {
        match out.iter_mut().find(|w| w.secret == m.secret) {
            Some(w) => {
                w.modules.push(m.name.clone());
                w.ready &= m.ready;
                w.optional &= m.optional;
            }
            None => out.push(Wanted {
                secret: m.secret.clone(),
                modules: vec![m.name.clone()],
                what: m.what.clone(),
                get_key: m.get_key.clone(),
                ready: m.ready,
                optional: m.optional,
            }),
        }
    }
    out
}

impl Setup {
    /// One that asks only for the value of this secret.
    #[must_use]
    pub fn key_only(name: &str, get_key: &str) -> Self {
        Self {
            alone: true,
            step: Step::Key(KeyEntry::new(name, get_key)),
            ..Self::default()
        }
    }

    /// Every model of every server: server and name, in the order of the list.
    #[must_use]
    pub fn models(&self) -> Vec<(&FoundServer, &str)> {
        self.servers
            .iter()
            .flatten()
            .flat_map(|s| s.models.iter().map(move |m| (s, m.as_str())))
            .collect()
    }

    /// Pasted text: a part of a key, or nothing.
    pub fn paste(&mut self, text: &str) {
        if let Step::Key(k) = &mut self.step {
            k.value.push(text);
        }
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> String {
        let step = match &self.step {
            _ if self.alone => return "a key".to_owned(),
            Step::Model => "1 of 3, a model",
            Step::Trial => "2 of 3, what the model can do",
            Step::Keys | Step::Key(_) => "3 of 3, keys for sources",
            Step::Done => "done",
        };
        let word = if self.first { "welcome" } else { "setup" };
        format!("{word}: {step}")
    }
}

impl KeyEntry {
    /// An empty one.
    #[must_use]
    pub fn new(name: &str, get_key: &str) -> Self {
        Self {
            name: name.to_owned(),
            get_key: get_key.to_owned(),
            value: Hidden::default(),
            storing: false,
        }
    }
}
