//! The client.

use super::address::{self, Place};
use super::detect::{self, Detected};
use super::error::{ModelError, Phase};
use super::http::{self, Http, Progress};
use super::info::{ServerInfo, ServerKind};
use super::ollama::{self, Fixed};
use super::ollama_guard::{self, ASK};
use super::openai;
use super::probe;
use super::types::{ChatReply, ChatRequest, Delta, Message};
use crate::config::settings::{ModelConfig, NetworkConfig, ToolsMode};
use reqwest::{Method, Response};
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::time::{Instant, timeout, timeout_at};

/// Ports of Ollama, llama.cpp, vLLM and LM Studio.
const USUAL_PORTS: [u16; 4] = [11434, 8080, 8000, 1234];
/// How long [`ModelClient::discover`] may take in all.
const DISCOVER: Duration = Duration::from_millis(300);
/// After the model is done, how long to wait for token counts and the end of the stream.
const AFTER_FINISH: Duration = Duration::from_secs(5);

/// A model server found on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which server.
    pub kind: ServerKind,
    /// What to put into `base_url`.
    pub base_url: String,
    /// Models that it lists.
    pub models: Vec<String>,
}

/// A model server, connected. Dropping a future of it closes the connection, which makes the server stop.
#[derive(Debug)]
pub struct ModelClient {
    http: Http,
    info: ServerInfo,
    extra: Map<String, Value>,
    allow_remote: bool,
    fixed: Option<Fixed>,
    enforced: bool,
    /// Ollama's model has been loaded and seen to run there.
    ready: OnceCell<()>,
    /// The window with which Ollama really loaded it.
    loaded: OnceLock<u32>,
}

impl ModelClient {
    /// Finds out which server it is, which model and which window; waits while it loads
    /// (`first_byte_timeout`). Refuses a remote endpoint, and a cloud behind a local one, unless
    /// `allow_remote` is set.
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
        settings: &ModelConfig,
        key: Option<SecretString>,
        net: &NetworkConfig,
        on: &mut (dyn FnMut(Delta<'_>) + Send),
    ) -> Result<Self, ModelError> {
        let written = settings
            .base_url
            .as_deref()
            .ok_or(ModelError::NotConfigured)?;
        let root = address::normalize(written)?;
        let place = address::place(
            &root,
            net,
            settings.allow_remote,
            http::seconds(settings.connect_timeout),
        )
        .await?;
        if let Place::Remote(why) = &place
            && !settings.allow_remote
        {
            return Err(ModelError::RemoteRefused {
                url: address::root(&root),
                why: why.clone(),
            });
        }
        let remote = matches!(place, Place::Remote(_));
        let http = Http::new(&root, &place, settings, key, net)?;
        let Detected {
            mut info,
            fixed,
            enforced,
        } = detect::detect(&http, settings, remote, on).await?;
        let extra = match serde_json::to_value(&settings.extra) {
            Ok(Value::Object(extra)) => extra,
            _ => Map::new(),
        };
        for name in openai::PROTECTED
            .iter()
            .filter(|name| extra.contains_key(**name))
        {
            info.warnings
                .push(format!("[model] extra may not set {name}; it was left out"));
        }
        if remote && root.scheme() == "http" {
            info.warnings
                .push("prompts travel to the remote endpoint without encryption; use https".into());
        }
        tracing::info!(
            server = info.kind.name(),
            version = info.version,
            model = info.model,
            context = info.context,
            remote = info.remote,
            "model server"
        );
        Ok(Self {
            http,
            info,
            extra,
            allow_remote: settings.allow_remote,
            fixed,
            enforced,
            ready: OnceCell::new(),
            loaded: OnceLock::new(),
        })
    }

    /// Without `[model]`: looks for a server on the usual local ports (11434, 8080, 8000, 1234), on
    /// loopback only, without a key, for at most 300 ms in all. One that has models goes before one that
    /// has none.
    pub async fn discover(settings: &ModelConfig, net: &NetworkConfig) -> Option<Found> {
        Self::discover_on(&USUAL_PORTS, settings, net).await
    }

    /// As [`Self::discover`], on other ports of this machine.
    pub async fn discover_on(
        ports: &[u16],
        settings: &ModelConfig,
        net: &NetworkConfig,
    ) -> Option<Found> {
        let found = Self::discover_all_on(ports, settings, net).await;
        found
            .iter()
            .find(|f| !f.models.is_empty())
            .or(found.first())
            .cloned()
    }

    /// Every server on the usual local ports, in their order; as [`Self::discover`].
    pub async fn discover_all(settings: &ModelConfig, net: &NetworkConfig) -> Vec<Found> {
        Self::discover_all_on(&USUAL_PORTS, settings, net).await
    }

    /// As [`Self::discover_all`], on other ports of this machine.
    pub async fn discover_all_on(
        ports: &[u16],
        settings: &ModelConfig,
        net: &NetworkConfig,
    ) -> Vec<Found> {
        let deadline = Instant::now() + DISCOVER;
        let looks = ports.iter().map(|port| async move {
            let root = address::normalize(&format!("http://127.0.0.1:{port}")).ok()?;
            let http = Http::new(
                &root,
                &Place::Local { pinned: Vec::new() },
                settings,
                None,
                net,
            )
            .ok()?;
            timeout_at(deadline, look(&http)).await.ok().flatten()
        });
        futures_util::future::join_all(looks)
            .await
            .into_iter()
            .flatten()
            .collect()
    }

    /// What is known about the server.
    #[must_use]
    pub fn info(&self) -> &ServerInfo {
        &self.info
    }

    /// The window in tokens, as far as known now: Ollama may load a model with less than was asked for,
    /// which shows after the first round.
    #[must_use]
    pub fn context(&self) -> Option<u32> {
        self.loaded.get().copied().or(self.info.context)
    }

    /// One round, streamed; `on` sees the pieces as they come. Drop the future to cancel.
    ///
    /// # Errors
    /// [`ModelError`]; after an error nothing that `on` saw counts as an answer.
    pub async fn chat(
        &self,
        request: &ChatRequest,
        on: &mut (dyn FnMut(Delta<'_>) + Send),
    ) -> Result<ChatReply, ModelError> {
        self.round(request, true, on).await
    }

    /// One round, not streamed.
    ///
    /// # Errors
    /// As [`Self::chat`].
    pub async fn chat_once(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        self.round(request, false, &mut |_| {}).await
    }

    async fn round(
        &self,
        request: &ChatRequest,
        stream: bool,
        on: Progress<'_>,
    ) -> Result<ChatReply, ModelError> {
        let result = match &self.fixed {
            Some(fixed) if self.info.native_ollama => {
                self.ollama_round(request, fixed, stream, on).await
            }
            _ => self.openai_round(request, stream, on).await,
        };
        match result {
            Ok(mut reply) => {
                self.compare(request, &mut reply);
                Ok(reply)
            }
            Err(ModelError::NoSuchModel { name, have }) if have.is_empty() => {
                if self.became_remote(&name).await {
                    return Err(ModelError::CloudRefused {
                        name,
                        why: "it has become an alias that forwards".into(),
                    });
                }
                let have = self.list_models().await.unwrap_or_default();
                Err(ModelError::NoSuchModel { name, have })
            }
            Err(ModelError::ContextOverflow { prompt, window }) => {
                Err(ModelError::ContextOverflow {
                    prompt,
                    window: window.or(self.context()),
                })
            }
            Err(e) => Err(e),
        }
    }

    /// Whether a model that ran here when the client connected is now an alias of one elsewhere: the
    /// server then says of its `:local` form that there is no such model.
    async fn became_remote(&self, name: &str) -> bool {
        self.info.kind == ServerKind::Ollama
            && detect::ollama_tags(&self.http).await.is_ok_and(|tags| {
                let wanted = ollama_guard::with_tag(ollama_guard::without_local(name));
                tags.iter().any(|t| {
                    t.remote && ollama_guard::with_tag(&t.name).eq_ignore_ascii_case(&wanted)
                })
            })
    }

    async fn openai_round(
        &self,
        request: &ChatRequest,
        stream: bool,
        on: Progress<'_>,
    ) -> Result<ChatReply, ModelError> {
        // On Ollama `:local` works here too, and makes the server refuse instead of forwarding.
        let model = self
            .fixed
            .as_ref()
            .map_or(self.info.model.as_str(), |f| f.model.as_str());
        let body = openai::body(request, model, self.info.kind, stream, &self.extra);
        let deadline = self.http.first_byte_deadline();
        let response = self
            .http
            .open(
                "/v1/chat/completions",
                &body,
                &self.info.model,
                deadline,
                on,
            )
            .await?;
        let mut reader = openai::Reader::new(&self.info.model, self.http.key());
        if !stream {
            let body = self.http.read_capped(response).await?;
            return reader.whole_body(&body, on);
        }
        let mut chunks = Chunks::new(response, &self.http, deadline);
        while !reader.done() {
            match chunks.next(reader.begun(), reader.finished()).await? {
                Some(bytes) => reader.push(&bytes, on)?,
                None => break,
            }
        }
        reader.end(on)
    }

    async fn ollama_round(
        &self,
        request: &ChatRequest,
        fixed: &Fixed,
        stream: bool,
        on: Progress<'_>,
    ) -> Result<ChatReply, ModelError> {
        let deadline = self.http.first_byte_deadline();
        self.ready
            .get_or_try_init(|| self.load(fixed, deadline, on))
            .await?;
        let body = ollama::body(request, fixed, stream, &self.extra);
        let response = self
            .http
            .open("/api/chat", &body, &self.info.model, deadline, on)
            .await?;
        let mut reader = ollama::Reader::new(&self.info.model, self.http.key(), !self.allow_remote);
        let mut chunks = Chunks::new(response, &self.http, deadline);
        while !reader.done() {
            match chunks.next(reader.begun(), false).await? {
                Some(bytes) => reader.push(&bytes, on)?,
                None => break,
            }
        }
        reader.end(on)
    }

    /// Loads Ollama's model with the window that every request will ask for, before the first prompt
    /// leaves: loading shows as loading, and `/api/ps` shows that the model really runs there.
    async fn load(
        &self,
        fixed: &Fixed,
        deadline: Instant,
        on: Progress<'_>,
    ) -> Result<(), ModelError> {
        if self.info.remote && self.allow_remote && !self.enforced {
            return Ok(());
        }
        on(Delta::Loading);
        let body = ollama::load_body(fixed, &self.extra);
        let response = self
            .http
            .open("/api/chat", &body, &self.info.model, deadline, on)
            .await?;
        let answer = timeout_at(deadline, self.http.read_capped(response))
            .await
            .map_err(|_| ModelError::TimedOut {
                phase: Phase::FirstByte,
            })??;
        if let (Ok(value), false) = (serde_json::from_slice::<Value>(&answer), self.allow_remote)
            && let Some(host) = ollama_guard::remote_of(&value)
        {
            return Err(ModelError::CloudRefused {
                name: self.info.model.clone(),
                why: format!("the answer came from {host}"),
            });
        }
        let ps = self
            .http
            .ask(Method::GET, "/api/ps", None, ASK)
            .await
            .ok()
            .filter(|a| a.ok())
            .and_then(|a| a.json());
        match ps.map(|ps| ollama_guard::loaded_context(&ps, &fixed.model)) {
            Some(Some(context)) => {
                if let Some(n) = context {
                    let _ = self.loaded.set(n);
                }
                Ok(())
            }
            // A server that unloads at once (OLLAMA_KEEP_ALIVE=0) lists nothing; `:local` vouches then.
            _ if self.enforced || self.allow_remote => Ok(()),
            // An older server without /api/ps; /api/show has vouched.
            None => Ok(()),
            Some(None) => Err(ModelError::CloudRefused {
                name: self.info.model.clone(),
                why: "after loading it, the server does not list it among its running models"
                    .into(),
            }),
        }
    }

    /// Compares what the server counted with what was sent: a prompt that was cut shows only here.
    fn compare(&self, request: &ChatRequest, reply: &mut ChatReply) {
        if let (Some(real), Some(asked)) = (self.loaded.get(), self.info.context)
            && *real < asked
        {
            reply.warnings.push(format!(
                "Ollama loaded the model with a window of {real} tokens, not {asked}"
            ));
        }
        let Some(usage) = reply.usage else { return };
        let sent: usize = request.messages.iter().map(length).sum();
        // Text of any language is under 12 bytes a token on average; small prompts say nothing.
        if sent > 6000 && (usage.prompt as usize) < sent / 12 {
            reply.warnings.push(format!(
                "the server counted only {} prompt tokens for {sent} bytes: it may have cut the prompt",
                usage.prompt
            ));
        }
        let written = usage.prompt.saturating_add(usage.completion);
        if self.context().is_some_and(|window| written >= window)
            && reply.finish != super::types::Finish::Length
        {
            reply.warnings.push("the context window is full".into());
        }
    }

    /// Counts the tokens of a text with the server's own tokenizer (llama.cpp, vLLM); `None` elsewhere.
    pub async fn count_tokens(&self, text: &str) -> Option<u32> {
        let body = match self.info.kind {
            ServerKind::LlamaCpp => json!({ "content": text, "add_special": false }),
            ServerKind::Vllm => {
                json!({ "model": self.info.model, "prompt": text, "add_special_tokens": false })
            }
            _ => return None,
        };
        let answer = self
            .http
            .ask(Method::POST, "/tokenize", Some(&body), ASK)
            .await
            .ok()?;
        let value = answer.json().filter(|_| answer.ok())?;
        let count = match value.get("count").and_then(Value::as_u64) {
            Some(n) => n,
            None => value.get("tokens")?.as_array()?.len() as u64,
        };
        u32::try_from(count).ok()
    }

    /// Whether the model calls tools natively, else whether its output can be held to a schema. Never
    /// answers [`ToolsMode::Auto`]. Remember it by [`ServerInfo::probe_key`].
    ///
    /// # Errors
    /// [`ModelError::ToolsUnsupported`] when neither works, else as [`Self::chat`].
    pub async fn probe(&self) -> Result<ToolsMode, ModelError> {
        probe::probe(self).await
    }

    /// The names of the models that the server has.
    ///
    /// # Errors
    /// [`ModelError`].
    pub async fn list_models(&self) -> Result<Vec<String>, ModelError> {
        if self.info.kind == ServerKind::Ollama {
            return Ok(detect::ollama_tags(&self.http)
                .await?
                .into_iter()
                .map(|t| t.name)
                .collect());
        }
        let answer = self.http.ask(Method::GET, "/v1/models", None, ASK).await?;
        match answer.json().as_ref().and_then(detect::listed_models) {
            Some(listed) if answer.ok() => Ok(listed.into_iter().map(|m| m.id).collect()),
            _ => Err(
                super::server_error::ServerError::from_body(&answer.body).classify(
                    answer.status,
                    &self.info.model,
                    self.http.key(),
                ),
            ),
        }
    }
}

/// One look at a port: a server, and the models it lists without a key.
async fn look(http: &Http) -> Option<Found> {
    let version = http
        .ask(Method::GET, "/api/version", None, DISCOVER)
        .await
        .ok()?;
    if detect::ollama_version(&version).is_some() {
        let models = detect::ollama_tags(http).await.unwrap_or_default();
        let models = models
            .into_iter()
            .filter(|t| t.usable)
            .map(|t| t.name)
            .collect();
        return Some(Found {
            kind: ServerKind::Ollama,
            base_url: http.root.clone(),
            models,
        });
    }
    let answer = http
        .ask(Method::GET, "/v1/models", None, DISCOVER)
        .await
        .ok()?;
    let listed = answer
        .json()
        .as_ref()
        .filter(|_| answer.ok())
        .and_then(detect::listed_models);
    let kind = detect::kind_of(&answer, listed.as_deref().unwrap_or_default());
    // Other programs use these ports too: only a list of models, or llama.cpp's own header, counts.
    if listed.is_none() && kind != ServerKind::LlamaCpp {
        return None;
    }
    let models = listed
        .unwrap_or_default()
        .into_iter()
        .map(|m| m.id)
        .collect();
    Some(Found {
        kind,
        base_url: http.root.clone(),
        models,
    })
}

/// The pieces of a body, each with the time limit of its phase.
struct Chunks<'a> {
    response: Response,
    http: &'a Http,
    first_byte: Instant,
}

impl<'a> Chunks<'a> {
    fn new(response: Response, http: &'a Http, first_byte: Instant) -> Self {
        Self {
            response,
            http,
            first_byte,
        }
    }

    /// The next piece; `None` at the end. Until an answer has `begun`, keep-alive lines are not an answer
    /// and the limit is the first byte's; from then on each piece has `idle_timeout`. Once the model has
    /// `finished`, only token counts are missing, which are not worth a failure.
    async fn next(&mut self, begun: bool, finished: bool) -> Result<Option<Vec<u8>>, ModelError> {
        let chunk = self.response.chunk();
        let got = if finished {
            match timeout(AFTER_FINISH.min(self.http.idle), chunk).await {
                Ok(Ok(piece)) => return Ok(piece.map(|b| b.to_vec())),
                _ => return Ok(None),
            }
        } else if begun {
            timeout(self.http.idle, chunk)
                .await
                .map_err(|_| ModelError::TimedOut { phase: Phase::Idle })?
        } else {
            timeout_at(self.first_byte, chunk)
                .await
                .map_err(|_| ModelError::TimedOut {
                    phase: Phase::FirstByte,
                })?
        };
        got.map(|piece| piece.map(|b| b.to_vec()))
            .map_err(|e| self.http.failed(&e))
    }
}

fn length(message: &Message) -> usize {
    match message {
        Message::System(text) | Message::User(text) | Message::Tool { text, .. } => text.len(),
        Message::Assistant { text, calls } => {
            text.len()
                + calls
                    .iter()
                    .map(|c| c.arguments.to_text().len())
                    .sum::<usize>()
        }
    }
}
