//! What is known about the server.

/// Which server it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerKind {
    /// llama.cpp's `llama-server`.
    LlamaCpp,
    /// Ollama.
    Ollama,
    /// vLLM.
    Vllm,
    /// LM Studio.
    LmStudio,
    /// Another OpenAI-compatible server.
    Other,
}

impl ServerKind {
    /// The name for the screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama.cpp",
            Self::Ollama => "Ollama",
            Self::Vllm => "vLLM",
            Self::LmStudio => "LM Studio",
            Self::Other => "OpenAI-compatible server",
        }
    }
}

/// Where the size of the window is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextSource {
    /// `[model] context`.
    Setting,
    /// The server said so.
    Server,
    /// This program asks for it with every request (Ollama's `num_ctx`).
    Requested,
    /// Nobody said.
    Unknown,
}

/// What is known about the server and the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInfo {
    /// Which server.
    pub kind: ServerKind,
    /// Version or build; empty when it does not say.
    pub version: String,
    /// Base URL without `/v1`, trailing slash or credentials.
    pub base_url: String,
    /// True when requests go by Ollama's native `/api/chat`.
    pub native_ollama: bool,
    /// The model asked for.
    pub model: String,
    /// The window in tokens, prompt and answer together.
    pub context: Option<u32>,
    /// Where that is known from.
    pub context_source: ContextSource,
    /// True when prompts leave for a place outside loopback, private ranges and internal suffixes, or for
    /// a cloud behind a local server.
    pub remote: bool,
    /// Whether the model's template takes tools; `None` when the server does not say. A hint only: the
    /// probe decides.
    pub tools_template: Option<bool>,
    /// Whether the model thinks before it answers; `None` when the server does not say.
    pub thinking: Option<bool>,
    /// For Ollama: whether forwarding to its cloud is switched off altogether; `None` when it does not say.
    pub cloud_off: Option<bool>,
    /// What a person should know, one sentence each.
    pub warnings: Vec<String>,
}

impl ServerInfo {
    /// A key under which a probe's result may be remembered: the same address, model and build.
    #[must_use]
    pub fn probe_key(&self) -> String {
        format!(
            "{}\n{}\n{}\n{}",
            self.base_url,
            self.model,
            self.kind.name(),
            self.version
        )
    }
}
