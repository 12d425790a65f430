//! The settings and their defaults. Keys and meaning are a contract (`man rmm-analyst.5`).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All settings. Unknown keys are an error with a suggestion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The model.
    pub model: ModelConfig,
    /// Budgets and sizes.
    pub limits: Limits,
    /// What a model may use, and what counts as authorization.
    pub ai: AiConfig,
    /// Settings of single modules, by name.
    pub modules: BTreeMap<String, ModuleConfig>,
    /// Network.
    pub network: NetworkConfig,
    /// Redaction.
    pub redact: RedactConfig,
    /// Proposals.
    pub proposals: ProposalsConfig,
    /// Fleet (kept for later; read and checked).
    pub fleet: FleetConfig,
    /// Mattermost (kept for later; read and checked).
    pub mattermost: MattermostConfig,
    /// Screen.
    pub ui: UiConfig,
    /// Log.
    pub log: LogConfig,
}

/// How to talk to the model server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Found out by asking the server.
    #[default]
    Auto,
    /// OpenAI-compatible `/v1/chat/completions`.
    Openai,
    /// Ollama's native `/api/chat`.
    Ollama,
}

/// How the model asks for tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolsMode {
    /// Native where the probe finds it, else constrained.
    #[default]
    Auto,
    /// Native tool calls only.
    Native,
    /// Output constrained to a JSON Schema.
    Constrained,
}

/// `[model]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// Base URL of the server; unset: the usual local ports are tried on loopback.
    pub base_url: Option<String>,
    /// Model name; unset: the only one, or the first, that the server lists.
    pub name: Option<String>,
    /// The name of the secret that holds the API key.
    pub api_key: Option<String>,
    /// Dialect.
    pub dialect: Dialect,
    /// Tool mode.
    pub tools: ToolsMode,
    /// Context window in tokens; unset: asked of the server.
    pub context: Option<u32>,
    /// Allow a model endpoint outside loopback, private ranges and the internal suffixes.
    pub allow_remote: bool,
    /// Merged into the request body; may not override messages, tools or stream.
    pub extra: toml::Table,
    /// Seconds to connect.
    pub connect_timeout: u64,
    /// Seconds to the first byte (a cold load takes minutes).
    pub first_byte_timeout: u64,
    /// Seconds without a byte after the first.
    pub idle_timeout: u64,
    /// Without a reachable model, answer by rules.
    pub fallback_to_rules: bool,
    /// Sampling temperature.
    pub temperature: f64,
    /// Tokens the model may write in one round.
    pub max_tokens: u32,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            base_url: None,
            name: None,
            api_key: None,
            dialect: Dialect::Auto,
            tools: ToolsMode::Auto,
            context: None,
            allow_remote: false,
            extra: toml::Table::new(),
            connect_timeout: 5,
            first_byte_timeout: 600,
            idle_timeout: 60,
            fallback_to_rules: true,
            temperature: 0.0,
            max_tokens: 1024,
        }
    }
}

/// `[limits]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Look-ups a turn.
    pub calls_per_turn: u32,
    /// Look-ups a case.
    pub calls_per_case: u32,
    /// Model rounds a turn.
    pub rounds: u32,
    /// Characters of evidence to the model a call.
    pub evidence_chars: usize,
    /// Calls at the same time.
    pub parallel: usize,
    /// Refusals a turn.
    pub refusals_per_turn: u32,
    /// Earlier turns sent to the model.
    pub history_turns: usize,
    /// New proposals a turn.
    pub proposals_per_turn: usize,
    /// Open proposals a case.
    pub proposals_open: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            calls_per_turn: 8,
            calls_per_case: 40,
            rounds: 6,
            evidence_chars: 4000,
            parallel: 4,
            refusals_per_turn: 20,
            history_turns: 20,
            proposals_per_turn: 5,
            proposals_open: 10,
        }
    }
}

/// Whether a paste authorizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthorizePasted {
    /// Listed; a person decides.
    #[default]
    Ask,
    /// Like typed words.
    Yes,
}

/// What a bare yes covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApproveBareYes {
    /// A single open proposal.
    #[default]
    Single,
    /// All that were shown.
    All,
}

/// `[ai]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AiConfig {
    /// Allow list; empty: every module marked in code for models.
    pub modules: Vec<String>,
    /// Block list; wins over the allow list.
    pub blocked_modules: Vec<String>,
    /// The host of an authorized URL is authorized too.
    pub authorize_url_host: bool,
    /// Whether a paste authorizes.
    pub authorize_pasted: AuthorizePasted,
    /// What a bare yes covers.
    pub approve_bare_yes: ApproveBareYes,
}

impl Default for AiConfig {
    fn default() -> Self {
        Self {
            modules: Vec::new(),
            blocked_modules: Vec::new(),
            authorize_url_host: true,
            authorize_pasted: AuthorizePasted::Ask,
            approve_bare_yes: ApproveBareYes::Single,
        }
    }
}

/// `[modules.NAME]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModuleConfig {
    /// Switched on.
    pub enabled: bool,
    /// Mirror, proxy or test server; then the only host that the module may reach.
    pub base_url: Option<String>,
    /// The name of the secret, where it is not the module's own.
    pub key: Option<String>,
    /// Seconds for which an answer is served from the cache.
    pub ttl: Option<u64>,
    /// Calls a minute, instead of the module's own limit.
    pub rate: Option<u32>,
    /// Seconds until a call is given up.
    pub timeout: Option<u64>,
}

impl Default for ModuleConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            base_url: None,
            key: None,
            ttl: None,
            rate: None,
            timeout: None,
        }
    }
}

/// `[network]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// Proxy for look-ups and remote models (`http`, `https`, `socks5`); unset: the usual environment variables; empty: none.
    pub proxy: Option<String>,
    /// Extra certificate authorities (PEM), besides the system's.
    pub ca_file: Option<String>,
    /// Suffixes of internal names.
    pub internal_suffixes: Vec<String>,
    /// Networks and suffixes that may go out although they are special.
    pub reach_allow: Vec<String>,
}

/// `[redact]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RedactConfig {
    /// Regular expressions whose matches are redacted too.
    pub extra_patterns: Vec<String>,
}

/// `[proposals]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProposalsConfig {
    /// Hours until an action's proposal expires.
    pub expire_hours: u64,
}

impl Default for ProposalsConfig {
    fn default() -> Self {
        Self { expire_hours: 24 }
    }
}

/// `[fleet]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FleetConfig {
    /// Backend.
    pub backend: String,
    /// Devices at the same time.
    pub parallel: usize,
    /// Seconds between two looks of the scheduler.
    pub scheduler_interval: u64,
    /// A model on another machine may be offered fleet tools too (only where `[model] allow_remote` lets it
    /// run at all).
    pub remote_models: bool,
}

impl Default for FleetConfig {
    fn default() -> Self {
        Self {
            backend: "embedded".into(),
            parallel: 8,
            scheduler_interval: 30,
            remote_models: false,
        }
    }
}

/// `[mattermost]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MattermostConfig {
    /// Server.
    pub url: Option<String>,
    /// Team.
    pub team: Option<String>,
    /// Channel of the mirror.
    pub channel: Option<String>,
    /// Mirror cases.
    pub mirror: bool,
    /// The bot.
    pub bot: BotConfig,
}

/// `[mattermost.bot]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BotConfig {
    /// User id to principal.
    pub users: BTreeMap<String, String>,
    /// Channels it listens in.
    pub channels: Vec<String>,
}

/// `[ui]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UiConfig {
    /// Key bindings: action to key.
    pub keys: BTreeMap<String, String>,
    /// `auto`, `light` or `dark`.
    pub theme: String,
    /// `none`, `bell` or `desktop`.
    pub notify: String,
    /// Print indicators defanged.
    pub defang: bool,
}

impl Default for UiConfig {
    fn default() -> Self {
        Self {
            keys: BTreeMap::new(),
            theme: "auto".into(),
            notify: "bell".into(),
            defang: true,
        }
    }
}

/// `[log]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// `off`, `error`, `warn`, `info`, `debug` or `trace`.
    pub level: String,
    /// Days for which log files are kept.
    pub keep_days: u32,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self {
            level: "info".into(),
            keep_days: 14,
        }
    }
}
