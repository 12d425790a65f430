//! What can go wrong on the way to a model, in words for a person.

/// Where in a round the time ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Opening the connection (`connect_timeout`).
    Connect,
    /// Before the first word of the answer (`first_byte_timeout`); a cold load counts.
    FirstByte,
    /// Between two pieces of the answer (`idle_timeout`).
    Idle,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Connect => "while connecting",
            Self::FirstByte => "before the first word of the answer",
            Self::Idle => "in the middle of the answer",
        })
    }
}

/// Why there is no answer. `Display` says what happened and why; [`ModelError::hint`] what to do.
/// Neither ever holds a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Nothing answers at the address.
    #[error("no model server answers at {url}: {why}")]
    Unreachable {
        /// Base URL without credentials.
        url: String,
        /// One short phrase.
        why: String,
    },
    /// Something answers, but it is no model server.
    #[error("what answers at {url} is not a model server: {why}")]
    NotAModelServer {
        /// Base URL.
        url: String,
        /// What it answered.
        why: String,
    },
    /// `base_url` cannot be used.
    #[error("the base_url {url} cannot be used: {why}")]
    BadBaseUrl {
        /// The value without credentials.
        url: String,
        /// Why.
        why: String,
    },
    /// No `base_url` is set.
    #[error("no model server is configured")]
    NotConfigured,
    /// A setting of the model or of the network cannot be used.
    #[error("the setting {key} cannot be used: {why}")]
    Setting {
        /// Key, as in the configuration file.
        key: &'static str,
        /// Why.
        why: String,
    },
    /// The server still loads the model after `first_byte_timeout`.
    #[error("the model server was still loading the model when the time was up")]
    Loading,
    /// The server refused the key, or wants one.
    #[error("the model server refused the API key{}", if *.sent { "" } else { ": none was sent" })]
    BadKey {
        /// Whether a key was sent.
        sent: bool,
    },
    /// The server has no such model.
    #[error("the model server has no model named {name}")]
    NoSuchModel {
        /// The name asked for; empty when none was and the server lists none.
        name: String,
        /// The names it has.
        have: Vec<String>,
    },
    /// The address is outside of what counts as local, and `allow_remote` is not set.
    #[error("{url} is a remote model endpoint ({why}), and remote endpoints are not allowed")]
    RemoteRefused {
        /// Base URL.
        url: String,
        /// Why it counts as remote.
        why: String,
    },
    /// The local Ollama would forward this model to a cloud.
    #[error("the model {name} does not run on this server: {why}")]
    CloudRefused {
        /// Model name.
        name: String,
        /// How that was found out.
        why: String,
    },
    /// The prompt does not fit into the window.
    #[error("the prompt{} does not fit into the model's context window{}",
        .prompt.map(|n| format!(" ({n} tokens)")).unwrap_or_default(),
        .window.map(|n| format!(" ({n} tokens)")).unwrap_or_default())]
    ContextOverflow {
        /// Tokens of the prompt, where the server said.
        prompt: Option<u32>,
        /// Tokens of the window, where known.
        window: Option<u32>,
    },
    /// The server or the model cannot call tools.
    #[error("the model server does not take tool calls for this model")]
    ToolsUnsupported {
        /// What would change that.
        hint: String,
    },
    /// Too many requests, and waiting is not worth it.
    #[error("the model server is rate limited{}", .retry_s.map(|s| format!(" (retry in {s} s)")).unwrap_or_default())]
    RateLimited {
        /// Seconds that the server asked to wait.
        retry_s: Option<u64>,
    },
    /// The server answered with an error.
    #[error("the model server answered with an error {}: {message}",
        if *.status == 200 { "in the middle of the answer".to_owned() } else { format!("({})", .status) })]
    Server {
        /// HTTP status; 200 when the error came in the middle of a stream.
        status: u16,
        /// Its words, shortened, on one line, without the key.
        message: String,
    },
    /// The answer ended early or was unreadable. What came before it is not an answer.
    #[error("the answer of the model server broke off: {why}")]
    BrokenStream {
        /// One short phrase.
        why: String,
    },
    /// The time was up.
    #[error("the model server did not answer in time ({phase})")]
    TimedOut {
        /// Where.
        phase: Phase,
    },
    /// The answer is longer than the cap.
    #[error("the answer of the model server is longer than {0} bytes")]
    TooLarge(usize),
}

impl ModelError {
    /// What to do, in one sentence.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unreachable { why, .. } if why.contains("certificate") => {
                "Name the authority that signed the server's certificate in [network] ca_file (PEM).".into()
            }
            Self::Unreachable { .. } => {
                "Start the server, or correct [model] base_url; `rmm-analyst doctor` looks for one.".into()
            }
            Self::NotAModelServer { .. } => {
                "Point [model] base_url at Ollama, llama.cpp, vLLM or another OpenAI-compatible server.".into()
            }
            Self::BadBaseUrl { .. } => {
                "Write it like http://127.0.0.1:11434; a key belongs into a secret ([model] api_key).".into()
            }
            Self::NotConfigured => "Set [model] base_url, or start Ollama or llama.cpp on this machine.".into(),
            Self::Setting { key, why } if *key == "[network]" && why.contains("certificate") => {
                "Install the system's certificates (ca-certificates), or name a PEM file in [network] ca_file.".into()
            }
            Self::Setting { key, .. } => format!("Correct {key} in the configuration file."),
            Self::Loading => "Wait until the server has loaded the model, or raise [model] first_byte_timeout.".into(),
            Self::BadKey { sent: true } => "Set the secret that [model] api_key names to the server's key.".into(),
            Self::BadKey { sent: false } => {
                "Name the secret that holds the server's key in [model] api_key, and set it.".into()
            }
            Self::NoSuchModel { have, .. } if have.is_empty() => {
                "Load a model into the server first (with Ollama: ollama pull NAME).".into()
            }
            Self::NoSuchModel { have, .. } => {
                let mut names = have.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
                if have.len() > 20 {
                    names.push_str(", …");
                }
                format!("Set [model] name to one of: {names}.")
            }
            Self::RemoteRefused { .. } => {
                "If case data may go there, set [model] allow_remote = true; if it is your own network, add its \
                 suffix to [network] internal_suffixes."
                    .into()
            }
            Self::CloudRefused { .. } => {
                "Choose a model that is on this machine (ollama list); OLLAMA_NO_CLOUD=1 switches forwarding off; \
                 [model] allow_remote = true allows it."
                    .into()
            }
            Self::ContextOverflow { .. } => {
                "Start the server with a larger context, or set [model] context to what it really has.".into()
            }
            Self::ToolsUnsupported { hint } => hint.clone(),
            Self::RateLimited { retry_s: Some(s) } => format!("Try again in {s} s."),
            Self::RateLimited { retry_s: None } => "Try again later.".into(),
            Self::Server { status: 403, .. } => {
                "The server refuses this host name or origin: use its address (127.0.0.1) in [model] base_url.".into()
            }
            Self::Server { .. } => "See the log of the model server.".into(),
            Self::BrokenStream { .. } => "Ask again; if it keeps happening, see the log of the model server.".into(),
            Self::TimedOut { phase: Phase::Connect } => "Check the address, or raise [model] connect_timeout.".into(),
            Self::TimedOut { phase: Phase::FirstByte } => {
                "A cold start takes minutes on a slow machine: raise [model] first_byte_timeout.".into()
            }
            Self::TimedOut { phase: Phase::Idle } => "Raise [model] idle_timeout, or use a smaller model.".into(),
            Self::TooLarge(_) => "Lower [model] max_tokens.".into(),
        }
    }
}
