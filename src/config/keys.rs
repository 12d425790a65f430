//! Every key of the configuration: what it takes, what it means. The example file, the environment
//! variables, `config set` and the checks all come from this table; a test holds it against the settings.

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Any text that is not empty.
    Text,
    /// An `http` or `https` address without credentials, query or fragment.
    Url,
    /// A proxy (`http`, `https`, `socks5`, `socks5h`) or the empty string for none.
    Proxy,
    /// The name of a secret, never its value.
    SecretName,
    /// The path of a file.
    Path,
    /// True or false.
    Bool,
    /// A whole number in a range, both ends allowed.
    Int(u64, u64),
    /// A number in a range, both ends allowed.
    Float(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of any texts.
    Texts,
    /// A list of names of look-up modules.
    Modules,
    /// A list of name suffixes.
    Suffixes,
    /// A list of networks and name suffixes.
    Reach,
    /// A list of regular expressions.
    Patterns,
    /// A table that goes into the request body.
    Body,
    /// A table of texts.
    Map,
}

impl Kind {
    /// What is allowed, in words.
    #[must_use]
    pub fn allowed(self) -> String {
        match self {
            Self::Text => "a text".into(),
            Self::Url => "an address such as \"http://127.0.0.1:11434\"".into(),
            Self::Proxy => "an address such as \"http://proxy:3128\" or \"socks5://127.0.0.1:1080\", or \"\" for none".into(),
            Self::SecretName => "the name of a secret (letters, digits, - and _), not the secret itself".into(),
            Self::Path => "the path of a file".into(),
            Self::Bool => "true or false".into(),
            Self::Int(min, max) => format!("a whole number from {min} to {max}"),
            Self::Float(min, max) => format!("a number from {min} to {max}"),
            Self::Choice(words) => words.join(", "),
            Self::Texts => "a list of texts".into(),
            Self::Modules => "a list of module names (rmm-analyst modules list)".into(),
            Self::Suffixes => "a list of name suffixes such as \"corp.example\"".into(),
            Self::Reach => "a list of networks such as \"192.0.2.0/24\" and name suffixes such as \"lab.example\"".into(),
            Self::Patterns => "a list of regular expressions".into(),
            Self::Body => "a table such as { top_p = 0.9 }".into(),
            Self::Map => "a table of texts".into(),
        }
    }
}

/// One key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Section (`model`, `mattermost.bot`); [`MODULES`] stands for every `[modules.NAME]`.
    pub section: &'static str,
    /// Name inside the section.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What the example file shows where there is no default.
    pub sample: &'static str,
    /// What it means, in one line.
    pub about: &'static str,
}

/// The section name that stands for every `[modules.NAME]`.
pub const MODULES: &str = "modules.*";

const fn key(
    section: &'static str,
    name: &'static str,
    kind: Kind,
    sample: &'static str,
    about: &'static str,
) -> Key {
    Key {
        section,
        name,
        kind,
        sample,
        about,
    }
}

/// Sections in the order of the example file, with what they are about.
pub const SECTIONS: [(&str, &str); 12] = [
    (
        "model",
        "The model server. With no address the usual local ports are tried on loopback (Ollama 11434, llama.cpp 8080, vLLM 8000, LM Studio 1234).",
    ),
    ("limits", "Budgets and sizes."),
    (
        "ai",
        "What a model may use, and what counts as a person's word. This can only take away: what a module allows is a fact in code.",
    ),
    (
        MODULES,
        "One section for each module that differs from its defaults (rmm-analyst modules list).",
    ),
    ("network", "How the program reaches the outside."),
    (
        "redact",
        "What is taken out of text, besides configured secrets and well-known credentials.",
    ),
    ("proposals", "What waits for a person."),
    ("fleet", "The fleet of devices."),
    (
        "mattermost",
        "The mirror of cases in Mattermost (read and checked; not used yet).",
    ),
    (
        "mattermost.bot",
        "The bot in Mattermost (read and checked; not used yet).",
    ),
    ("ui", "The screen."),
    ("log", "The log file."),
];

/// Every key, in the order of the example file. One line each: it is a table.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key("model", "base_url", Kind::Url, "\"http://127.0.0.1:11434\"", "Address of the server, with or without /v1."),
    key("model", "name", Kind::Text, "\"qwen3:8b\"", "Model; without it the only one, or the first, that the server lists."),
    key("model", "api_key", Kind::SecretName, "\"model\"", "Name of the secret that holds the API key (rmm-analyst secret set model)."),
    key("model", "dialect", Kind::Choice(&["auto", "openai", "ollama"]), "", "How to talk to the server: auto asks it; openai is /v1/chat/completions; ollama is /api/chat."),
    key("model", "tools", Kind::Choice(&["auto", "native", "constrained"]), "", "How the model asks for look-ups: native tool calls, or output constrained to a JSON Schema; auto probes."),
    key("model", "context", Kind::Int(512, 16_777_216), "32768", "Context window in tokens; without it the server is asked."),
    key("model", "allow_remote", Kind::Bool, "", "Allow a server outside loopback, private ranges and internal_suffixes. What you investigate is then sent there."),
    key("model", "extra", Kind::Body, "{ top_p = 0.9 }", "Merged into the request body; may not set messages, tools, stream and what else the program sets itself."),
    key("model", "connect_timeout", Kind::Int(1, 300), "", "Seconds to connect."),
    key("model", "first_byte_timeout", Kind::Int(1, 86_400), "", "Seconds until the answer begins; loading a large model takes minutes."),
    key("model", "idle_timeout", Kind::Int(1, 3600), "", "Seconds without a byte once the answer has begun."),
    key("model", "fallback_to_rules", Kind::Bool, "", "Answer by rules when no model can be reached; false: fail with exit code 4."),
    key("model", "temperature", Kind::Float(0.0, 2.0), "", "Sampling temperature."),
    key("model", "max_tokens", Kind::Int(16, 1_048_576), "", "Tokens that the model may write in one round."),
    key("limits", "calls_per_turn", Kind::Int(0, 1000), "", "Look-ups in one turn."),
    key("limits", "calls_per_case", Kind::Int(0, 100_000), "", "Look-ups in one case."),
    key("limits", "rounds", Kind::Int(1, 100), "", "Rounds with the model in one turn; the last one asks for the answer."),
    key("limits", "evidence_chars", Kind::Int(200, 1_000_000), "", "Characters of one look-up's evidence that the model gets; all of it is kept."),
    key("limits", "parallel", Kind::Int(1, 64), "", "Look-ups at the same time."),
    key("limits", "refusals_per_turn", Kind::Int(1, 1000), "", "Refused calls in one turn until the model must answer."),
    key("limits", "history_turns", Kind::Int(0, 1000), "", "Earlier turns that the model gets, in compact form."),
    key("limits", "proposals_per_turn", Kind::Int(0, 100), "", "New proposals in one turn."),
    key("limits", "proposals_open", Kind::Int(0, 1000), "", "Open proposals in one case."),
    key("ai", "modules", Kind::Modules, "", "Modules that a model may use; empty: all that are made for models."),
    key("ai", "blocked_modules", Kind::Modules, "", "Modules that a model may not use; stronger than modules."),
    key("ai", "authorize_url_host", Kind::Bool, "", "Naming a URL also authorizes its host."),
    key("ai", "authorize_pasted", Kind::Choice(&["ask", "yes"]), "", "Whether pasted and piped text authorizes: ask lists what it names, yes treats it as typed."),
    key("ai", "approve_bare_yes", Kind::Choice(&["single", "all"]), "", "What a bare yes approves: a single open pivot, or all that were shown."),
    key(MODULES, "enabled", Kind::Bool, "", "Whether it is used at all."),
    key(MODULES, "base_url", Kind::Url, "\"http://127.0.0.1:9000\"", "Mirror, proxy or test server; then the only host that the module may reach."),
    key(MODULES, "key", Kind::SecretName, "\"abuseipdb\"", "Name of the secret that holds its key; without it the module's own name."),
    key(MODULES, "ttl", Kind::Int(0, 31_536_000), "86400", "Seconds for which an answer is served from the cache; 0: never."),
    key(MODULES, "rate", Kind::Int(1, 1_000_000), "30", "Calls a minute."),
    key(MODULES, "timeout", Kind::Int(1, 600), "30", "Seconds until a call is given up."),
    key("network", "proxy", Kind::Proxy, "\"http://proxy.example:3128\"", "Proxy for look-ups and remote models; without it the usual environment variables; \"\": none."),
    key("network", "ca_file", Kind::Path, "\"/etc/ssl/corp.pem\"", "Certificate authorities (PEM) besides the system's."),
    key("network", "internal_suffixes", Kind::Suffixes, "", "Names under these suffixes are internal: never sent to a source outside; a model server there counts as local."),
    key("network", "reach_allow", Kind::Reach, "", "Networks and suffixes that may be sent to sources although they are special or internal."),
    key("redact", "extra_patterns", Kind::Patterns, "", "Regular expressions; what they match is redacted too."),
    key("proposals", "expire_hours", Kind::Int(1, 8760), "", "Hours until the proposal of an action expires."),
    key("fleet", "backend", Kind::Choice(&["embedded", "meshcentral", "tactical"]), "", "Where the fleet is kept."),
    key("fleet", "parallel", Kind::Int(1, 256), "", "Devices at the same time."),
    key("fleet", "scheduler_interval", Kind::Int(5, 86_400), "", "Seconds between two looks of the scheduler."),
    key("fleet", "remote_models", Kind::Bool, "", "Offer fleet tools to a model on another machine too (needs [model] allow_remote)."),
    key("mattermost", "url", Kind::Url, "\"https://chat.example\"", "Server."),
    key("mattermost", "team", Kind::Text, "\"soc\"", "Team."),
    key("mattermost", "channel", Kind::Text, "\"cases\"", "Channel of the mirror."),
    key("mattermost", "mirror", Kind::Bool, "", "Mirror cases to the channel."),
    key("mattermost.bot", "users", Kind::Map, "", "Who may talk to the bot: user id to principal."),
    key("mattermost.bot", "channels", Kind::Texts, "", "Channels that the bot listens in."),
    key("ui", "keys", Kind::Map, "", "Key bindings: action to key."),
    key("ui", "theme", Kind::Choice(&["auto", "light", "dark"]), "", "Colours."),
    key("ui", "notify", Kind::Choice(&["none", "bell", "desktop"]), "", "How the end of long work is announced."),
    key("ui", "defang", Kind::Bool, "", "Print indicators so that a click does not follow them (hxxp, [.])."),
    key("log", "level", Kind::Choice(&["off", "error", "warn", "info", "debug", "trace"]), "", "How much is logged."),
    key("log", "keep_days", Kind::Int(1, 3650), "", "Days for which log files are kept."),
];

impl Key {
    /// The dotted path; `module` fills the place of a module's name.
    #[must_use]
    pub fn path(&self, module: Option<&str>) -> String {
        let section = match module {
            Some(name) if self.section == MODULES => format!("modules.{name}"),
            _ => self.section.to_owned(),
        };
        format!("{section}.{}", self.name)
    }

    /// The environment variable of a dotted path: upper case, everything else as `_`.
    #[must_use]
    pub fn variable(path: &str) -> String {
        let name: String = path
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_uppercase()
                } else {
                    '_'
                }
            })
            .collect();
        format!("RMM_ANALYST_{name}")
    }
}

/// The key with this dotted path, and the module's name where it has one.
#[must_use]
pub fn find(path: &str) -> Option<(&'static Key, Option<&str>)> {
    let (section, name) = path.rsplit_once('.')?;
    let module = section
        .strip_prefix("modules.")
        .filter(|m| !m.is_empty() && !m.contains('.'));
    let section = if module.is_some() { MODULES } else { section };
    KEYS.iter()
        .find(|k| k.section == section && k.name == name)
        .map(|k| (k, module))
}

/// The keys of one section.
pub fn of_section(section: &str) -> impl Iterator<Item = &'static Key> {
    let section = if section.starts_with("modules.") {
        MODULES
    } else {
        section
    };
    KEYS.iter().filter(move |k| k.section == section)
}

/// The word that was probably meant.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&word, &k.to_lowercase()), k))
        .filter(|(distance, k)| *distance <= 1.max(k.chars().count() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, k)| k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::config::settings::ModuleConfig;
    use std::collections::BTreeSet;

    /// Every leaf of the settings as serde sees it. Options must be filled in to show.
    fn leaves() -> BTreeSet<String> {
        let mut config = Config::default();
        config.model.base_url = Some("x".into());
        config.model.name = Some("x".into());
        config.model.api_key = Some("x".into());
        config.model.context = Some(1);
        config.network.proxy = Some("x".into());
        config.network.ca_file = Some("x".into());
        config.mattermost.url = Some("x".into());
        config.mattermost.team = Some("x".into());
        config.mattermost.channel = Some("x".into());
        let module = ModuleConfig {
            enabled: true,
            base_url: Some("x".into()),
            key: Some("x".into()),
            ttl: Some(1),
            rate: Some(1),
            timeout: Some(1),
        };
        config.modules.insert("*".into(), module);
        let mut out = BTreeSet::new();
        walk("", &toml::Value::try_from(config).unwrap(), &mut out);
        out
    }

    fn walk(path: &str, value: &toml::Value, out: &mut BTreeSet<String>) {
        let known = KEYS.iter().any(|k| k.path(None) == path);
        match value {
            toml::Value::Table(table) if !known => {
                for (name, value) in table {
                    let sub = if path.is_empty() {
                        name.clone()
                    } else {
                        format!("{path}.{name}")
                    };
                    walk(&sub, value, out);
                }
            }
            _ => {
                out.insert(path.to_owned());
            }
        }
    }

    #[test]
    fn the_table_names_exactly_the_settings() {
        let table: BTreeSet<String> = KEYS.iter().map(|k| k.path(None)).collect();
        assert_eq!(table, leaves());
        assert_eq!(table.len(), KEYS.len(), "a key is named twice");
        for k in KEYS {
            assert!(
                SECTIONS.iter().any(|(s, _)| *s == k.section),
                "{}",
                k.section
            );
            assert!(!k.about.is_empty() && !k.about.contains('\n'));
        }
    }

    #[test]
    fn paths_variables_and_suggestions() {
        assert_eq!(
            Key::variable("model.base_url"),
            "RMM_ANALYST_MODEL_BASE_URL"
        );
        assert_eq!(find("model.base_url").unwrap().0.name, "base_url");
        let (k, module) = find("modules.crtsh.ttl").unwrap();
        assert_eq!(
            (k.path(module), module),
            ("modules.crtsh.ttl".into(), Some("crtsh"))
        );
        assert!(
            find("modules.ttl").is_none()
                && find("model").is_none()
                && find("modules.*.ttl.x").is_none()
        );
        assert_eq!(
            did_you_mean("base_ulr", ["base_url", "name"]),
            Some("base_url")
        );
        assert_eq!(did_you_mean("NAME", ["base_url", "name"]), Some("name"));
        assert_eq!(did_you_mean("zzzz", ["base_url", "name"]), None);
    }
}
