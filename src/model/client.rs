//! The client.

use super::error::ModelError;
use super::info::{ServerInfo, ServerKind};
use super::types::{ChatReply, ChatRequest, Delta};
use crate::config::settings::{ModelConfig, NetworkConfig, ToolsMode};
use secrecy::SecretString;

/// A model server found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which server.
    pub kind: ServerKind,
    /// What to put into `base_url`.
    pub base_url: String,
}

/// A model server, connected. Dropping a future of it closes the connection, which makes the server stop.
#[derive(Debug)]
pub struct ModelClient {
    info: ServerInfo,
}

impl ModelClient {
    /// Finds out which server it is, which model and which window; waits while it loads
    /// (`first_byte_timeout`).
    ///
    /// # Errors
    /// Every kind of [`ModelError`] but those of a round.
    pub async fn connect(
        settings: &ModelConfig,
        key: Option<SecretString>,
        net: &NetworkConfig,
    ) -> Result<Self, ModelError> {
        Self::connect_with(settings, key, net, &mut |_| {}).await
    }

    /// As [`Self::connect`], and reports [`Delta::Loading`] while the server loads.
    ///
    /// # Errors
    /// As there.
    pub async fn connect_with(
        _settings: &ModelConfig,
        _key: Option<SecretString>,
        _net: &NetworkConfig,
        _on: &mut (dyn FnMut(Delta<'_>) + Send),
    ) -> Result<Self, ModelError> {
        Err(ModelError::NotConfigured)
    }

    /// Without `[model]`: looks for a server on the usual local ports (11434, 8080, 8000, 1234), on
    /// loopback only, without a key, for at most 300 ms in all.
    pub async fn discover(_settings: &ModelConfig, _net: &NetworkConfig) -> Option<Found> {
        None
    }

    /// What is known about the server.
    #[must_use]
    pub fn info(&self) -> &ServerInfo {
        &self.info
    }

    /// One round, streamed; `on` sees the pieces as they come. Drop the future to cancel.
    ///
    /// # Errors
    /// [`ModelError`]; after an error nothing that `on` saw counts as an answer.
    pub async fn chat(
        &self,
        _request: &ChatRequest,
        _on: &mut (dyn FnMut(Delta<'_>) + Send),
    ) -> Result<ChatReply, ModelError> {
        Err(ModelError::NotConfigured)
    }

    /// One round, not streamed.
    ///
    /// # Errors
    /// As [`Self::chat`].
    pub async fn chat_once(&self, _request: &ChatRequest) -> Result<ChatReply, ModelError> {
        Err(ModelError::NotConfigured)
    }

    /// Counts the tokens of a text with the server's own tokenizer (llama.cpp, vLLM); `None` elsewhere.
    pub async fn count_tokens(&self, _text: &str) -> Option<u32> {
        None
    }

    /// Whether the model calls tools natively, else whether its output can be held to a schema. Never
    /// answers [`ToolsMode::Auto`]. Remember it by [`ServerInfo::probe_key`].
    ///
    /// # Errors
    /// [`ModelError::ToolsUnsupported`] when neither works, else as [`Self::chat`].
    pub async fn probe(&self) -> Result<ToolsMode, ModelError> {
        Err(ModelError::NotConfigured)
    }

    /// The names of the models that the server has.
    ///
    /// # Errors
    /// [`ModelError`].
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        Err(ModelError::NotConfigured)
    }
}
