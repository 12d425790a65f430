//! Which server answers, which models it has, and how large its window is.

use super::error::ModelError;
use super::http::{Answer, Http, Progress};
use super::info::{ContextSource, ServerInfo, ServerKind};
use super::ollama::Fixed;
use super::ollama_guard::{self, ASK};
use super::server_error::{ServerError, is_loading};
use super::types::Delta;
use crate::config::settings::{Dialect, ModelConfig};
use reqwest::Method;
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The window asked of Ollama when nobody sets one: its own default can be 4,096, which a case outgrows
/// in a few turns, and its largest would take more memory than most machines have.
const DEFAULT_NUM_CTX: u32 = 16_384;

/// What was found out.
#[derive(Debug)]
pub(super) struct Detected {
    pub(super) info: ServerInfo,
    /// For Ollama: what every native request has in common.
    pub(super) fixed: Option<Fixed>,
    /// For Ollama: the server itself refuses to forward this model.
    pub(super) enforced: bool,
}

/// Finds out everything that the client needs.
pub(super) async fn detect(
    http: &Http,
    settings: &ModelConfig,
    remote: bool,
    on: Progress<'_>,
) -> Result<Detected, ModelError> {
    let version = http.ask(Method::GET, "/api/version", None, ASK).await?;
    let version = ollama_version(&version);
    match version {
        Some(version) => ollama(http, settings, remote, version).await,
        None if settings.dialect == Dialect::Ollama => Err(ModelError::NotAModelServer {
            url: http.root.clone(),
            why: "[model] dialect is ollama, but /api/version does not answer as Ollama does"
                .into(),
        }),
        None => openai(http, settings, remote, on).await,
    }
}

/// The version, when the answer is Ollama's.
pub(super) fn ollama_version(answer: &Answer) -> Option<String> {
    if answer.status != 200 {
        return None;
    }
    answer
        .json()?
        .get("version")?
        .as_str()
        .map(|v| v.chars().take(60).collect())
}

// ---- Ollama

async fn ollama(
    http: &Http,
    settings: &ModelConfig,
    remote: bool,
    version: String,
) -> Result<Detected, ModelError> {
    let mut warnings = Vec::new();
    let name = match settings
        .name
        .as_deref()
        .map(str::trim)
        .filter(|n| !n.is_empty())
    {
        Some(name) => name.to_owned(),
        None => match ollama_tags(http).await?.into_iter().find(|t| t.usable) {
            Some(tag) => tag.name,
            None => {
                return Err(ModelError::NoSuchModel {
                    name: String::new(),
                    have: Vec::new(),
                });
            }
        },
    };
    let shown = match ollama_guard::show(http, &name, settings.allow_remote).await {
        Err(ModelError::NoSuchModel { name, .. }) => {
            let have = ollama_tags(http)
                .await
                .unwrap_or_default()
                .into_iter()
                .map(|t| t.name)
                .collect();
            return Err(ModelError::NoSuchModel { name, have });
        }
        other => other?,
    };
    if !shown.chats {
        return Err(ModelError::Setting {
            key: "[model] name",
            why: format!("{name} is not a chat model"),
        });
    }
    if !shown.enforced && shown.remote.is_none() {
        warnings.push(
            "this Ollama does not know the :local form of names; that the model runs on this machine was checked \
             before use, but the server does not enforce it"
                .to_owned(),
        );
    }
    if let Some(host) = &shown.remote {
        warnings.push(format!("prompts are forwarded to {host}"));
    }
    let native = settings.dialect != Dialect::Openai;
    let wanted = settings
        .context
        .or_else(|| extra_num_ctx(settings))
        .or(shown.num_ctx);
    let largest = shown.trained.unwrap_or(u32::MAX);
    let num_ctx = wanted.unwrap_or(DEFAULT_NUM_CTX).clamp(4, largest.max(4));
    if let Some(asked) = settings.context.filter(|c| *c > num_ctx) {
        warnings.push(format!(
            "[model] context is {asked}, but the model was trained with {num_ctx} tokens"
        ));
    }
    let (context, context_source) = if native {
        (
            Some(num_ctx),
            if settings.context.is_some() {
                ContextSource::Setting
            } else {
                ContextSource::Requested
            },
        )
    } else {
        warnings.push(
            "over /v1 Ollama's window cannot be set, and a prompt that is too long is cut without a sign; use [model] \
             dialect = \"ollama\""
                .to_owned(),
        );
        let ps = http
            .ask(Method::GET, "/api/ps", None, ASK)
            .await
            .ok()
            .and_then(|a| a.json());
        match ps
            .and_then(|ps| ollama_guard::loaded_context(&ps, &name))
            .flatten()
        {
            Some(n) => (
                Some(settings.context.map_or(n, |c| c.min(n))),
                ContextSource::Server,
            ),
            None if settings.context.is_some() => (settings.context, ContextSource::Setting),
            None => (None, ContextSource::Unknown),
        }
    };
    let status = http
        .ask(Method::GET, "/api/status", None, ASK)
        .await
        .ok()
        .and_then(|a| a.json());
    let cloud_off = status
        .as_ref()
        .and_then(|s| s.get("cloud"))
        .and_then(|c| c.get("disabled"))
        .and_then(Value::as_bool);
    Ok(Detected {
        fixed: Some(Fixed {
            model: shown.wire_name,
            num_ctx,
            thinking: shown.thinking == Some(true),
        }),
        enforced: shown.enforced,
        info: ServerInfo {
            kind: ServerKind::Ollama,
            version,
            base_url: http.root.clone(),
            native_ollama: native,
            model: name,
            context,
            context_source,
            remote: remote || shown.remote.is_some(),
            tools_template: shown.tools,
            thinking: shown.thinking,
            cloud_off,
            warnings,
        },
    })
}

fn extra_num_ctx(settings: &ModelConfig) -> Option<u32> {
    let n = settings
        .extra
        .get("options")?
        .get("num_ctx")?
        .as_integer()?;
    u32::try_from(n).ok()
}

pub(super) async fn ollama_tags(http: &Http) -> Result<Vec<ollama_guard::Tag>, ModelError> {
    let answer = http.ask(Method::GET, "/api/tags", None, ASK).await?;
    match answer.json() {
        Some(value) if answer.ok() => Ok(ollama_guard::tags(&value)),
        _ => Err(ServerError::from_body(&answer.body).classify(answer.status, "", http.key())),
    }
}

// ---- the others

async fn openai(
    http: &Http,
    settings: &ModelConfig,
    remote: bool,
    on: Progress<'_>,
) -> Result<Detected, ModelError> {
    let answer = models_when_loaded(http, on).await?;
    let listed = match answer.json() {
        Some(value) if answer.ok() => listed_models(&value),
        _ => None,
    };
    let wanted = settings
        .name
        .as_deref()
        .map(str::trim)
        .filter(|n| !n.is_empty());
    let listed = match listed {
        Some(listed) => listed,
        None => match (answer.status, wanted) {
            (401 | 403, _) => {
                return Err(ModelError::BadKey {
                    sent: http.key().is_some(),
                });
            }
            // Some gateways have no list; a person who names dialect and model knows that.
            (404 | 405, Some(_)) if settings.dialect == Dialect::Openai => Vec::new(),
            _ => return Err(not_a_model_server(http, &answer)),
        },
    };
    let kind = kind_of(&answer, &listed);
    let mut warnings = Vec::new();
    let model = choose(wanted, &listed)?;
    let entry = listed.iter().find(|m| m.id == model);
    let mut facts = match kind {
        ServerKind::LlamaCpp => llamacpp_facts(http).await,
        ServerKind::Vllm => vllm_facts(http).await,
        ServerKind::LmStudio => lmstudio_facts(http, &model).await,
        ServerKind::Ollama | ServerKind::Other => Facts::default(),
    };
    facts.context = facts.context.or(entry.and_then(|m| m.context));
    let (context, context_source) = match (settings.context, facts.context) {
        (Some(set), Some(real)) if set > real => {
            warnings.push(format!(
                "[model] context is {set}, but the server says {real}; {real} is used"
            ));
            (Some(real), ContextSource::Server)
        }
        (Some(set), _) => (Some(set), ContextSource::Setting),
        (None, Some(real)) => (Some(real), ContextSource::Server),
        (None, None) => (None, ContextSource::Unknown),
    };
    Ok(Detected {
        fixed: None,
        enforced: false,
        info: ServerInfo {
            kind,
            version: facts.version,
            base_url: http.root.clone(),
            native_ollama: false,
            model,
            context,
            context_source,
            remote,
            tools_template: facts.tools,
            thinking: None,
            cloud_off: None,
            warnings,
        },
    })
}

/// `/v1/models`, waiting while the server loads.
async fn models_when_loaded(http: &Http, on: Progress<'_>) -> Result<Answer, ModelError> {
    let deadline = http.first_byte_deadline();
    let mut wait = Duration::from_millis(200);
    loop {
        let answer = http.ask(Method::GET, "/v1/models", None, ASK).await?;
        if answer.status != 503 || !is_loading(&ServerError::from_body(&answer.body)) {
            return Ok(answer);
        }
        on(Delta::Loading);
        if Instant::now() + wait >= deadline {
            return Err(ModelError::Loading);
        }
        sleep(wait).await;
        wait = (wait * 2).min(Duration::from_secs(2));
    }
}

/// One entry of `/v1/models`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: String,
    aliases: Vec<String>,
    owner: String,
    context: Option<u32>,
    chats: bool,
}

/// Reads `/v1/models`: `None` when it is something else. `data` is null on an empty Ollama.
pub(super) fn listed_models(value: &Value) -> Option<Vec<Listed>> {
    let data = match value.get("data") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(Value::Null) if value.get("object").is_some() => &[],
        _ => return None,
    };
    let number = |v: Option<&Value>| {
        v.and_then(Value::as_u64)
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n > 0)
    };
    Some(
        data.iter()
            .filter_map(|m| {
                let id = m.get("id").and_then(Value::as_str)?.to_owned();
                let aliases =
                    m.get("aliases")
                        .and_then(Value::as_array)
                        .map_or_else(Vec::new, |list| {
                            list.iter()
                                .filter_map(Value::as_str)
                                .map(str::to_owned)
                                .collect()
                        });
                Some(Listed {
                    aliases,
                    owner: m
                        .get("owned_by")
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_owned(),
                    context: number(m.get("max_model_len"))
                        .or_else(|| number(m.get("meta").and_then(|meta| meta.get("n_ctx")))),
                    chats: !id.to_lowercase().contains("embed")
                        && !id.to_lowercase().contains("rerank"),
                    id,
                })
            })
            .collect(),
    )
}

pub(super) fn kind_of(answer: &Answer, listed: &[Listed]) -> ServerKind {
    let owned = |owner: &str| listed.iter().any(|m| m.owner == owner);
    if answer.server.eq_ignore_ascii_case("llama.cpp") || owned("llamacpp") {
        ServerKind::LlamaCpp
    } else if owned("vllm") {
        ServerKind::Vllm
    } else if owned("organization_owner") {
        ServerKind::LmStudio
    } else {
        ServerKind::Other
    }
}

/// The model to ask for. llama.cpp answers to any name, so the name is checked here.
fn choose(wanted: Option<&str>, listed: &[Listed]) -> Result<String, ModelError> {
    match wanted {
        None => listed
            .iter()
            .find(|m| m.chats)
            .or_else(|| listed.first())
            .map(|m| m.id.clone())
            .ok_or_else(|| ModelError::NoSuchModel {
                name: String::new(),
                have: Vec::new(),
            }),
        Some(name) if listed.is_empty() => Ok(name.to_owned()),
        Some(name) => listed
            .iter()
            .find(|m| {
                m.id == name || m.aliases.iter().any(|a| a == name) || file_stem(&m.id) == name
            })
            .map(|m| m.id.clone())
            .ok_or_else(|| ModelError::NoSuchModel {
                name: name.to_owned(),
                have: listed.iter().map(|m| m.id.clone()).collect(),
            }),
    }
}

/// Without an alias llama.cpp lists the path of the file.
fn file_stem(id: &str) -> &str {
    let file = id.rsplit(['/', '\\']).next().unwrap_or(id);
    file.strip_suffix(".gguf").unwrap_or(file)
}

fn not_a_model_server(http: &Http, answer: &Answer) -> ModelError {
    let what = if answer.content_type.contains("html")
        || answer.body.trim_ascii_start().starts_with(b"<")
    {
        format!("it answers /v1/models with a web page ({})", answer.status)
    } else if answer.ok() {
        "it answers /v1/models with something that is no list of models".to_owned()
    } else {
        format!("it answers /v1/models with status {}", answer.status)
    };
    ModelError::NotAModelServer {
        url: http.root.clone(),
        why: what,
    }
}

/// What a server says beyond its list of models.
#[derive(Debug, Default)]
struct Facts {
    version: String,
    context: Option<u32>,
    tools: Option<bool>,
}

/// llama.cpp's `/props`: the window of one slot, the build, what the template can do.
async fn llamacpp_facts(http: &Http) -> Facts {
    let Some(props) = json_of(http, "/props").await else {
        return Facts::default();
    };
    Facts {
        version: text(props.get("build_info")),
        context: number(
            props
                .get("default_generation_settings")
                .and_then(|s| s.get("n_ctx")),
        ),
        tools: props
            .get("chat_template_caps")
            .and_then(|c| c.get("supports_tools"))
            .and_then(Value::as_bool),
    }
}

async fn vllm_facts(http: &Http) -> Facts {
    let version = json_of(http, "/version").await;
    Facts {
        version: text(version.as_ref().and_then(|v| v.get("version"))),
        ..Facts::default()
    }
}

/// LM Studio's own API: the window that is loaded, else the largest one.
async fn lmstudio_facts(http: &Http, model: &str) -> Facts {
    let Some(value) = json_of(http, "/api/v0/models").await else {
        return Facts::default();
    };
    let entry = value
        .get("data")
        .and_then(Value::as_array)
        .and_then(|list| {
            list.iter()
                .find(|m| m.get("id").and_then(Value::as_str) == Some(model))
        });
    Facts {
        context: number(entry.and_then(|m| m.get("loaded_context_length"))),
        tools: entry
            .and_then(|m| m.get("capabilities"))
            .and_then(Value::as_array)
            .map(|list| list.iter().any(|c| c.as_str() == Some("tool_use"))),
        ..Facts::default()
    }
}

async fn json_of(http: &Http, path: &str) -> Option<Value> {
    let answer = http.ask(Method::GET, path, None, ASK).await.ok()?;
    answer.json().filter(|_| answer.ok())
}

fn number(value: Option<&Value>) -> Option<u32> {
    value
        .and_then(Value::as_u64)
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| *n > 0)
}

fn text(value: Option<&Value>) -> String {
    value
        .and_then(Value::as_str)
        .unwrap_or_default()
        .chars()
        .take(60)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_chat_model_is_taken_and_an_unknown_name_is_listed() {
        let listed = listed_models(&json!({"object":"list","data":[
            {"id":"nomic-embed-text","owned_by":"x"},
            {"id":"/models/Qwen3-8B.gguf","aliases":["qwen"],"owned_by":"llamacpp","meta":{"n_ctx":2048}},
            {"no":"id"}
        ]}))
        .unwrap();
        assert_eq!(
            choose(None, &listed).as_deref(),
            Ok("/models/Qwen3-8B.gguf")
        );
        assert_eq!(
            choose(Some("qwen"), &listed).as_deref(),
            Ok("/models/Qwen3-8B.gguf")
        );
        assert_eq!(
            choose(Some("Qwen3-8B"), &listed).as_deref(),
            Ok("/models/Qwen3-8B.gguf")
        );
        let Err(ModelError::NoSuchModel { name, have }) = choose(Some("nope"), &listed) else {
            panic!()
        };
        assert_eq!((name.as_str(), have.len()), ("nope", 2));
        assert_eq!(listed[1].context, Some(2048));
    }

    #[test]
    fn what_is_no_list_of_models() {
        for value in [
            json!({}),
            json!([]),
            json!("x"),
            json!({"data":7}),
            json!({"models":[]}),
        ] {
            assert_eq!(listed_models(&value), None, "{value}");
        }
        assert_eq!(
            listed_models(&json!({"object":"list","data":null})),
            Some(Vec::new())
        );
    }
}
