//! What is hidden of a person's own words before a model gets them, and how a person sends them as they
//! are: for one message, to a model nearby, never with the program's own secrets.

use super::connect::{NoModel, Planning};
use super::{AskInput, Engine, EngineError, OnProgress};
use crate::redact::{Class, Redact};
use kit::human::{self, Stance};
use kit::text::{Redacted, Untrusted};
use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

/// The first words of the warning that the model runs elsewhere.
pub const MODEL_ELSEWHERE: &str = "the model runs on another machine";

/// Tells what of a text would be hidden. Cheap to clone; a screen asks it with every key.
#[derive(Clone, Default)]
pub struct OwnWords(Arc<Redact>);

impl fmt::Debug for OwnWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnWords")
    }
}

impl OwnWords {
    /// With this redactor.
    #[must_use]
    pub const fn new(redact: Arc<Redact>) -> Self {
        Self(redact)
    }

    /// What of this text is hidden from a model, unless the person sends it as it is.
    #[must_use]
    pub fn hidden(&self, text: &str) -> Hidden {
        let choice = self.0.choice(text);
        Hidden {
            pieces: choice.lifted.iter().map(|(_, t)| (*t).to_owned()).collect(),
            lifted: choice.lifted.iter().map(|(c, _)| *c).collect(),
            always: choice.always,
        }
    }

    /// The text without any secret. What streams comes redacted piece by piece; a secret that lay across two
    /// pieces is found here, in the whole.
    #[must_use]
    pub fn redacted(&self, text: &str) -> Redacted {
        Untrusted::new(text.to_owned()).redact(&*self.0)
    }

    /// The text without what is always hidden, where it holds any: for text that comes together only when it
    /// is drawn, its markup gone. `None`: it holds none.
    #[must_use]
    pub fn mended(&self, drawn: &str) -> Option<String> {
        let safe = self.as_is(drawn);
        (safe.as_str() != drawn).then(|| safe.as_str().to_owned())
    }

    /// The text as a model gets it that is sent as it is: without what stays hidden whatever a person
    /// chooses.
    #[must_use]
    pub fn as_is(&self, text: &str) -> Redacted {
        Untrusted::new(text.to_owned()).redact_always(&*self.0)
    }
}

/// What of a text is hidden from a model. `Debug` shows counts, never a secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Hidden {
    lifted: Vec<Class>,
    always: Vec<Class>,
    pieces: BTreeSet<String>,
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hidden")
            .field("lifted", &self.lifted)
            .field("always", &self.always)
            .finish_non_exhaustive()
    }
}

impl Hidden {
    /// Something is hidden that a person may choose to send.
    #[must_use]
    pub const fn may_be_sent(&self) -> bool {
        !self.lifted.is_empty()
    }

    /// Something is hidden that stays so: a secret of the program, or what an operator's pattern matches.
    #[must_use]
    pub const fn stays(&self) -> bool {
        !self.always.is_empty()
    }

    /// How many stretches a person may choose to send.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.lifted.len()
    }

    /// What a person may choose to send, in words: `1 token, 2 passwords`.
    #[must_use]
    pub fn words(&self) -> String {
        counted(&self.lifted)
    }

    /// What stays hidden, in words: `1 configured key`.
    #[must_use]
    pub fn words_always(&self) -> String {
        counted(&self.always)
    }

    /// Everything that is hidden while nothing is chosen, in words.
    #[must_use]
    pub fn words_all(&self) -> String {
        let all: Vec<Class> = self.lifted.iter().chain(&self.always).copied().collect();
        counted(&all)
    }

    /// True when a choice that was made for `self` holds for `later` too: nothing looks like a secret in it
    /// that was not seen when it was made.
    #[must_use]
    pub fn covers(&self, later: &Self) -> bool {
        later.lifted.len() <= self.lifted.len() && later.pieces.is_subset(&self.pieces)
    }
}

/// Classes with how often each comes, in order of first appearance.
fn counted(classes: &[Class]) -> String {
    let mut seen: Vec<(Class, usize)> = Vec::new();
    for class in classes {
        match seen.iter_mut().find(|(c, _)| c == class) {
            Some((_, n)) => *n += 1,
            None => seen.push((*class, 1)),
        }
    }
    let words: Vec<String> = seen
        .iter()
        .map(|(class, n)| {
            let many = if *n == 1 { "" } else { "s" };
            format!("{n} {}{many}", class.describe())
        })
        .collect();
    words.join(", ")
}

impl Engine {
    /// Tells what of a text would be hidden; for screens and for notes.
    #[must_use]
    pub fn own_words(&self) -> OwnWords {
        OwnWords::new(Arc::clone(&self.redact))
    }

    /// Who plans a turn whose words are to be sent as they are.
    ///
    /// # Errors
    /// [`EngineError::User`] when the model runs on another machine, [`EngineError::Interrupted`] when
    /// `cancel` came first, and what keeps a model from being chosen.
    pub(super) async fn planned_as_is(
        &self,
        input: &AskInput,
        cancel: impl Future<Output = ()>,
        on: OnProgress<'_>,
    ) -> Result<Result<Planning, NoModel>, EngineError> {
        let planned = tokio::select! {
            biased;
            () = cancel => return Err(EngineError::Interrupted),
            planned = self.planning(&input.model, on) => planned?,
        };
        if let Ok(Planning::Model { client, .. }) = &planned
            && client.info().remote
        {
            return Err(EngineError::User {
                message: format!(
                    "the message is not sent as it is: {MODEL_ELSEWHERE} ({}), and what looks like a secret in your words would leave this one",
                    client.info().base_url
                ),
                hint: "send it redacted, or use a model on this machine or in your networks".into(),
            });
        }
        Ok(planned)
    }

    /// Says which kinds of secrets were taken out of a message before it is stored or sent, and which went
    /// to the model as the person wrote them.
    pub(super) fn redaction_notes(&self, input: &AskInput, as_is: bool) -> Vec<String> {
        let words = self.own_words().hidden(&input.text);
        let mut kinds: Vec<&'static str> = Vec::new();
        let mut add = |classes: &[Class]| {
            for class in classes {
                if !kinds.contains(&class.describe()) {
                    kinds.push(class.describe());
                }
            }
        };
        if as_is {
            add(&words.always);
        } else {
            add(&self.redact.redact_counted(&input.text).1);
        }
        for attachment in &input.attachments {
            add(&self.redact.redact_counted(&attachment.text).1);
        }
        let mut notes = Vec::new();
        if !kinds.is_empty() {
            notes.push(format!(
                "redacted from the text of your message before it was stored or sent to a model: {}",
                kinds.join(", ")
            ));
        }
        if as_is {
            notes.push(format!(
                "sent to the model as you wrote it, with {} in it; the case keeps it so for this model, screens and exports show it redacted",
                words.words()
            ));
        } else if input.as_is && words.may_be_sent() {
            notes.push(
                "no model was asked, so nothing of your message was sent as it is; the case keeps it redacted".into(),
            );
        }
        notes
    }

    /// What is to be said of indicators that hold a secret: those with a configured one are left out, those
    /// with another are asked about as the person wrote them.
    pub(super) fn secret_notes(&self, mentions: &[human::Mention]) -> Vec<String> {
        let mut notes = Vec::new();
        let dropped = mentions
            .iter()
            .filter(|m| self.holds_secret(m.indicator.value()))
            .count();
        if dropped > 0 {
            notes.push(format!(
                "{dropped} indicators of your message hold a secret of this installation: they were left out"
            ));
        }
        let kept: Vec<String> = mentions
            .iter()
            .filter(|m| m.stance == Stance::Authorize && !self.holds_secret(m.indicator.value()))
            .filter(|m| self.redacted(m.indicator.value()).as_str() != m.indicator.value())
            .map(|m| self.redacted(m.indicator.value()).as_str().to_owned())
            .collect();
        if !kept.is_empty() {
            notes.push(format!(
                "sources are asked about these as you wrote them, with what looks like a secret in them: {}",
                kept.join(", ")
            ));
        }
        notes
    }
}
