//! Choosing who plans the look-ups of a turn: a connected model in one of two tool modes, or the rules.

use super::{Engine, EngineError, OnProgress, Progress};
use crate::agent::ToolMode;
use crate::config::settings::{ModelConfig, ToolsMode};
use crate::model::{ModelClient, ModelError};
use secrecy::SecretString;

/// What the command line says about the model, over the configuration.
#[derive(Clone, Debug, Default)]
pub struct ModelWish {
    /// Use no model.
    pub no_model: bool,
    /// Model name.
    pub name: Option<String>,
    /// Base URL.
    pub base_url: Option<String>,
}

/// Who plans.
pub enum Planning {
    /// A model.
    Model {
        /// The client.
        client: Box<ModelClient>,
        /// How it asks for tools.
        mode: ToolMode,
        /// A leaked call may switch the turn to constrained mode.
        may_switch: bool,
    },
    /// The rules, with what is to be said about it.
    Rules {
        /// Warnings.
        warnings: Vec<String>,
    },
}

/// Why there is no model where rules may not stand in.
#[derive(Debug)]
pub enum NoModel {
    /// Not reachable, not usable.
    Unreachable(ModelError),
    /// Neither calls tools nor keeps to a schema.
    NoTools(String),
}

impl Engine {
    fn model_settings(&self, wish: &ModelWish) -> ModelConfig {
        let mut settings = self.config.model.clone();
        if wish.base_url.is_some() {
            settings.base_url.clone_from(&wish.base_url);
        }
        if wish.name.is_some() {
            settings.name.clone_from(&wish.name);
        }
        settings
    }

    pub(super) fn model_key(
        &self,
        settings: &ModelConfig,
    ) -> Result<Option<SecretString>, EngineError> {
        let name = settings.api_key.as_deref().unwrap_or("model");
        let found = self.secrets.get(name).map_err(|e| EngineError::Config {
            message: e.to_string(),
            hint: "rmm-analyst secret list shows where each secret is looked for".into(),
        })?;
        match found {
            Some((key, _)) => Ok(Some(key)),
            None if settings.api_key.is_some() => Err(EngineError::Config {
                message: format!("[model] api_key names the secret {name}, which is not set"),
                hint: format!("set it with: rmm-analyst secret set {name}"),
            }),
            None => Ok(None),
        }
    }

    /// Connects to the model, or says why the rules plan.
    ///
    /// # Errors
    /// Only configuration errors; what the model server does wrong comes back as [`NoModel`] where
    /// `fallback_to_rules` is off.
    pub async fn planning(
        &self,
        wish: &ModelWish,
        on: OnProgress<'_>,
    ) -> Result<Result<Planning, NoModel>, EngineError> {
        if wish.no_model {
            return Ok(Ok(Planning::Rules {
                warnings: Vec::new(),
            }));
        }
        let mut settings = self.model_settings(wish);
        let configured = settings.base_url.is_some();
        if !configured {
            match ModelClient::discover(&settings, &self.config.network).await {
                Some(found) => settings.base_url = Some(found.base_url),
                None => {
                    let nothing = ModelError::NotConfigured;
                    if self.config.model.fallback_to_rules {
                        let warning = "no model: none is configured and no local server answers; rules chose the look-ups (rmm-analyst doctor says how to add one)";
                        return Ok(Ok(Planning::Rules {
                            warnings: vec![warning.to_owned()],
                        }));
                    }
                    return Ok(Err(NoModel::Unreachable(nothing)));
                }
            }
        }
        let key = self.model_key(&settings)?;
        let connected = {
            let mut loading = |delta: crate::model::Delta<'_>| {
                if matches!(delta, crate::model::Delta::Loading) {
                    on(Progress::Loading);
                }
            };
            ModelClient::connect_with(&settings, key, &self.config.network, &mut loading).await
        };
        let client = match connected {
            Ok(client) => client,
            Err(e) => return Ok(self.without(e)),
        };
        match self.mode_of(&client, &settings).await {
            Ok((mode, may_switch)) => Ok(Ok(Planning::Model {
                client: Box::new(client),
                mode,
                may_switch,
            })),
            Err(NoModel::Unreachable(e)) => Ok(self.without(e)),
            Err(no_tools) => Ok(Err(no_tools)),
        }
    }

    fn without(&self, error: ModelError) -> Result<Planning, NoModel> {
        if !self.config.model.fallback_to_rules {
            return Err(NoModel::Unreachable(error));
        }
        let warning = format!(
            "no model: {error}; rules chose the look-ups. {}",
            error.hint()
        );
        Ok(Planning::Rules {
            warnings: vec![self.redacted(&warning).as_str().to_owned()],
        })
    }

    /// The tool mode: what is configured, else what the probe found, which is remembered per address,
    /// model and server build.
    async fn mode_of(
        &self,
        client: &ModelClient,
        settings: &ModelConfig,
    ) -> Result<(ToolMode, bool), NoModel> {
        if settings.tools == ToolsMode::Constrained {
            return Ok((ToolMode::Constrained, false));
        }
        let memory = format!("probe:{}", client.info().probe_key());
        let remembered = self.store.read(|r| r.kv_get(&memory)).ok().flatten();
        // Where only native calls are allowed, one that leaked once is no reason not to try again.
        let usable = remembered
            .as_deref()
            .filter(|m| settings.tools != ToolsMode::Native || *m == "native");
        let found = match usable {
            Some("native") => Some(ToolMode::Native),
            Some("constrained") => Some(ToolMode::Constrained),
            _ => match client.probe().await {
                Ok(ToolsMode::Native) => Some(ToolMode::Native),
                Ok(_) => Some(ToolMode::Constrained),
                Err(ModelError::ToolsUnsupported { .. }) => None,
                Err(e) => return Err(NoModel::Unreachable(e)),
            },
        };
        if let Some(mode) = found.filter(|m| remembered.as_deref() != Some(m.name())) {
            self.remember(client, mode);
        }
        match (settings.tools, found) {
            (ToolsMode::Native, Some(ToolMode::Native)) => Ok((ToolMode::Native, false)),
            (ToolsMode::Native, _) => Err(NoModel::NoTools(
                "the model makes no native tool calls, and [model] tools = \"native\" allows nothing else".into(),
            )),
            (_, Some(mode)) => Ok((mode, true)),
            (_, None) => Err(NoModel::NoTools("the model neither calls tools nor keeps to a JSON schema".into())),
        }
    }

    /// Remembers the tool mode that works for this server and model.
    pub(crate) fn remember(&self, client: &ModelClient, mode: ToolMode) {
        let memory = format!("probe:{}", client.info().probe_key());
        if let Err(e) = self
            .store
            .write(move |tx| tx.kv_put(&memory, mode.name(), super::now_ms()))
        {
            tracing::warn!(error = %e, "the probe's result could not be remembered");
        }
    }
}
