//! A local Ollama can forward prompts to a cloud, by a name or by an alias of any name. This finds out
//! before a prompt leaves (Ollama, `server/cloud_proxy.go`, `internal/modelref`).

use super::address::is_cloud_name;
use super::error::ModelError;
use super::http::{Answer, Http};
use super::server_error::{ServerError, shorten};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// Limit for questions about a model; while a model loads Ollama holds a lock that they wait for.
pub(super) const ASK: Duration = Duration::from_secs(30);

/// What `/api/show` says of a model that may be used.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// The name for requests: with `:local` where the server knows that form, so that it refuses by
    /// itself instead of forwarding, whatever happens between this check and the use.
    pub(super) wire_name: String,
    /// The server enforces `:local`.
    pub(super) enforced: bool,
    /// Where prompts go, when that is another machine (only with `allow_remote`).
    pub(super) remote: Option<String>,
    pub(super) tools: Option<bool>,
    pub(super) thinking: Option<bool>,
    /// Whether it can chat at all.
    pub(super) chats: bool,
    /// The window that the model was trained with.
    pub(super) trained: Option<u32>,
    /// `num_ctx` of its Modelfile.
    pub(super) num_ctx: Option<u32>,
}

/// The other machine that an object of Ollama's names.
pub(super) fn remote_of(value: &Value) -> Option<String> {
    ["remote_host", "remote_model"]
        .iter()
        .find_map(|k| {
            value
                .get(*k)
                .and_then(Value::as_str)
                .filter(|s| !s.is_empty())
        })
        .map(|s| shorten(s, None))
}

/// The name with its tag, as Ollama lists it.
pub(super) fn with_tag(name: &str) -> String {
    let last = name.rsplit('/').next().unwrap_or(name);
    if last.contains(':') {
        name.to_owned()
    } else {
        format!("{name}:latest")
    }
}

/// The name without `:local`.
pub(super) fn without_local(name: &str) -> &str {
    let cut = name.len().saturating_sub(":local".len());
    match name.get(cut..) {
        Some(tail) if tail.eq_ignore_ascii_case(":local") && name[..cut].contains(':') => {
            &name[..cut]
        }
        _ => name,
    }
}

/// Asks about a model and refuses one that runs elsewhere.
///
/// # Errors
/// [`ModelError::CloudRefused`], [`ModelError::NoSuchModel`] (without the list), or no answer.
pub(super) async fn show(http: &Http, name: &str, allow_remote: bool) -> Result<Shown, ModelError> {
    let plain = without_local(name);
    if is_cloud_name(plain) {
        if !allow_remote {
            return Err(ModelError::CloudRefused {
                name: plain.to_owned(),
                why: "names that end in :cloud or -cloud are sent to Ollama's cloud".into(),
            });
        }
        let answer = ask(http, plain).await?;
        let value = found(&answer, http, plain)?;
        return Ok(Shown {
            remote: Some("Ollama's cloud".into()),
            ..read(&value, plain)
        });
    }
    let local = format!("{}:local", with_tag(plain));
    let answer = ask(http, &local).await?;
    if answer.ok() {
        let value = found(&answer, http, plain)?;
        // Said to be local and remote at once: do not believe it.
        if let Some(host) = remote_of(&value) {
            return refuse_or(plain, &host, allow_remote).map(|()| Shown {
                remote: Some(host),
                ..read(&value, plain)
            });
        }
        return Ok(Shown {
            enforced: true,
            ..read(&value, &local)
        });
    }
    // Not there, an alias of a remote model, or a server that does not know the form.
    let answer = ask(http, plain).await?;
    let value = found(&answer, http, plain)?;
    if let Some(host) = remote_of(&value) {
        return refuse_or(plain, &host, allow_remote).map(|()| Shown {
            remote: Some(host),
            ..read(&value, plain)
        });
    }
    let format = value
        .get("details")
        .and_then(|d| d.get("format"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    let here = matches!(format, "gguf" | "safetensors")
        || value
            .get("tensors")
            .and_then(Value::as_array)
            .is_some_and(|t| !t.is_empty());
    if !here && !allow_remote {
        return Err(ModelError::CloudRefused {
            name: plain.to_owned(),
            why: "the server does not say that the model is on this machine".into(),
        });
    }
    Ok(read(&value, plain))
}

fn refuse_or(name: &str, host: &str, allow_remote: bool) -> Result<(), ModelError> {
    if allow_remote {
        return Ok(());
    }
    Err(ModelError::CloudRefused {
        name: name.to_owned(),
        why: format!("it is an alias that forwards to {host}"),
    })
}

async fn ask(http: &Http, name: &str) -> Result<Answer, ModelError> {
    http.ask(
        Method::POST,
        "/api/show",
        Some(&json!({ "model": name })),
        ASK,
    )
    .await
}

fn found(answer: &Answer, http: &Http, name: &str) -> Result<Value, ModelError> {
    if answer.ok() {
        if let Some(value) = answer.json().filter(Value::is_object) {
            return Ok(value);
        }
        return Err(ModelError::NotAModelServer {
            url: http.root.clone(),
            why: "/api/show is not JSON".into(),
        });
    }
    if answer.status == 404 {
        return Err(ModelError::NoSuchModel {
            name: name.to_owned(),
            have: Vec::new(),
        });
    }
    Err(ServerError::from_body(&answer.body).classify(answer.status, name, http.key()))
}

fn read(value: &Value, wire_name: &str) -> Shown {
    let capabilities = value.get("capabilities").and_then(Value::as_array);
    let can = |what: &str| capabilities.map(|list| list.iter().any(|c| c.as_str() == Some(what)));
    let info = value.get("model_info");
    let architecture = info
        .and_then(|i| i.get("general.architecture"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    let trained = info
        .and_then(|i| i.get(format!("{architecture}.context_length")))
        .and_then(Value::as_u64)
        .and_then(|n| u32::try_from(n).ok())
        .filter(|n| *n > 0);
    let parameters = value
        .get("parameters")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let num_ctx = parameters
        .lines()
        .filter_map(|line| line.split_once(char::is_whitespace))
        .find(|(name, _)| *name == "num_ctx")
        .and_then(|(_, n)| n.trim().parse().ok());
    Shown {
        wire_name: wire_name.to_owned(),
        enforced: false,
        remote: None,
        tools: can("tools"),
        thinking: can("thinking"),
        chats: can("completion").unwrap_or(true),
        trained,
        num_ctx,
    }
}

/// One entry of `/api/tags`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    /// Runs on this machine and can chat.
    pub(super) usable: bool,
    /// Forwards to another machine.
    pub(super) remote: bool,
}

/// Reads `/api/tags`.
pub(super) fn tags(value: &Value) -> Vec<Tag> {
    let Some(models) = value.get("models").and_then(Value::as_array) else {
        return Vec::new();
    };
    models
        .iter()
        .filter_map(|m| {
            let name = m
                .get("name")
                .or_else(|| m.get("model"))
                .and_then(Value::as_str)?;
            let capabilities = m.get("capabilities").and_then(Value::as_array);
            let chats = match capabilities {
                Some(list) => list.iter().any(|c| c.as_str() == Some("completion")),
                None => !name.to_lowercase().contains("embed"),
            };
            let remote = remote_of(m).is_some() || is_cloud_name(name);
            Some(Tag {
                name: name.to_owned(),
                usable: chats && !remote,
                remote,
            })
        })
        .collect()
}

/// The window with which `/api/ps` says that the model is loaded: `None` when it is not listed.
pub(super) fn loaded_context(ps: &Value, name: &str) -> Option<Option<u32>> {
    let wanted = with_tag(without_local(name));
    ps.get("models")?.as_array()?.iter().find_map(|m| {
        let listed = m
            .get("name")
            .or_else(|| m.get("model"))
            .and_then(Value::as_str)?;
        with_tag(without_local(listed))
            .eq_ignore_ascii_case(&wanted)
            .then(|| {
                m.get("context_length")
                    .and_then(Value::as_u64)
                    .and_then(|n| u32::try_from(n).ok())
                    .filter(|n| *n > 0)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_their_local_form() {
        assert_eq!(with_tag("qwen3"), "qwen3:latest");
        assert_eq!(with_tag("host:5000/ns/qwen3"), "host:5000/ns/qwen3:latest");
        assert_eq!(with_tag("qwen3:8b"), "qwen3:8b");
        assert_eq!(without_local("qwen3:8b:local"), "qwen3:8b");
        assert_eq!(without_local("qwen3:8b:LOCAL"), "qwen3:8b");
        assert_eq!(without_local("qwen3:8b"), "qwen3:8b");
        assert_eq!(without_local("x"), "x");
        assert_eq!(without_local("日本"), "日本");
    }

    #[test]
    fn the_loaded_window() {
        let ps = json!({"models":[{"name":"other:1b","context_length":4096},{"name":"qwen3:8b","context_length":16384}]});
        assert_eq!(loaded_context(&ps, "qwen3:8b:local"), Some(Some(16384)));
        assert_eq!(loaded_context(&ps, "qwen3"), None);
        assert_eq!(
            loaded_context(&json!({"models":[{"name":"x:latest"}]}), "x"),
            Some(None)
        );
        assert_eq!(loaded_context(&json!({}), "x"), None);
    }
}
