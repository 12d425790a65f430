//! What the guided setup asks of the engine: which servers are here, what a model can do, where a key went.

use super::{Engine, EngineError};
use crate::agent::ToolMode;
use crate::config::settings::ToolsMode;
use crate::model::{Delta, ModelClient, ModelError};
use crate::runner::by_hand::people;
use crate::secrets::{Origin, Where};
use secrecy::SecretString;

/// Under this key the store remembers that the setup was done or skipped.
pub const SETUP: &str = "tui-setup";

/// A model server that answers on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundServer {
    /// Which one, for people.
    pub kind: String,
    /// What goes into `[model] base_url`.
    pub base_url: String,
    /// Models that it lists.
    pub models: Vec<String>,
}

/// Where the trial of a model stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialStep {
    /// The server is asked what it is.
    Connecting,
    /// It loads the model.
    Loading,
    /// The model is asked for a call, then for output that keeps to a schema.
    Asking,
}

impl TrialStep {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Connecting => "connecting to the server",
            Self::Loading => "the server loads the model",
            Self::Asking => "the model is asked for a tool call",
        }
    }
}

/// What a model can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ability {
    /// It calls tools by itself.
    Native,
    /// It makes no native call, but keeps to a JSON schema.
    Constrained,
    /// Neither; with what to do.
    NoTools(String),
    /// It could not be tried: why, and what to do.
    Failed(String, String),
}

impl Engine {
    /// Every model server on the usual local ports of this machine. Sends no prompt and no key.
    pub async fn servers(&self) -> Vec<FoundServer> {
        ModelClient::discover_all(&self.config.model, &self.config.network)
            .await
            .into_iter()
            .map(|f| FoundServer {
                kind: f.kind.name().to_owned(),
                base_url: f.base_url,
                models: f.models,
            })
            .collect()
    }

    /// Tries what a model can do, whatever was found earlier, and remembers it for the turns.
    pub async fn try_model(
        &self,
        base_url: &str,
        model: &str,
        on: &mut (dyn FnMut(TrialStep) + Send),
    ) -> Ability {
        let mut settings = self.config.model.clone();
        settings.base_url = Some(base_url.to_owned());
        settings.name = Some(model.to_owned());
        on(TrialStep::Connecting);
        let failed = |message: String, hint: String| {
            Ability::Failed(
                self.redacted(&message).as_str().to_owned(),
                self.redacted(&hint).as_str().to_owned(),
            )
        };
        let key = match self.model_key(&settings) {
            Ok(key) => key,
            Err(e) => return failed(e.to_string(), String::new()),
        };
        let connected = {
            let mut loading = |delta: Delta<'_>| {
                if matches!(delta, Delta::Loading) {
                    on(TrialStep::Loading);
                }
            };
            ModelClient::connect_with(&settings, key, &self.config.network, &mut loading).await
        };
        let client = match connected {
            Ok(client) => client,
            Err(e) => return failed(e.to_string(), e.hint()),
        };
        on(TrialStep::Asking);
        match client.probe().await {
            Ok(ToolsMode::Native) => {
                self.remember(&client, ToolMode::Native);
                Ability::Native
            }
            Ok(_) => {
                self.remember(&client, ToolMode::Constrained);
                Ability::Constrained
            }
            Err(e @ ModelError::ToolsUnsupported { .. }) => Ability::NoTools(e.hint()),
            Err(e) => failed(e.to_string(), e.hint()),
        }
    }

    /// Stores a secret in the keyring, or where there is none in the 0600 file, and says where it is.
    ///
    /// # Errors
    /// A bad name, an empty value, a file that cannot be written.
    pub fn keep_secret(&self, name: &str, value: &SecretString) -> Result<String, EngineError> {
        let failed = |e: crate::secrets::SecretError| EngineError::Config {
            message: e.to_string(),
            hint: "rmm-analyst doctor says which store works".into(),
        };
        let may = people::is_steward(&self.store, &self.principal).unwrap_or(false);
        if !may {
            return Err(EngineError::User {
                message: format!("{} may not change the secrets", self.principal.name),
                hint: "it concerns the whole installation: its owner does it".into(),
            });
        }
        let place = match self.secrets.set(name, value, Where::Auto).map_err(failed)? {
            Origin::Keyring => "the system's keyring",
            Origin::File => "a file that only you can read (no keyring works here)",
            Origin::Environment => "the environment",
        };
        let hidden = matches!(self.secrets.get(name), Ok(Some((_, Origin::Environment))));
        tracing::info!(secret = name, place, "a secret was stored");
        Ok(if hidden {
            format!("{place}; the environment variable of the same name still wins")
        } else {
            place.to_owned()
        })
    }

    /// The guided setup was done or skipped before.
    #[must_use]
    pub fn setup_is_over(&self) -> bool {
        self.store
            .read(|r| r.kv_get(SETUP))
            .is_ok_and(|v| v.is_some())
    }
}
