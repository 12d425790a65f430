//! HTTP to one model server: timeouts, retries, the key, a cap on bodies. No redirects: a prompt goes to
//! the address that was judged and nowhere else.

use super::address::{self, Place};
use super::error::{ModelError, Phase};
use super::server_error::{ServerError, is_loading, shorten};
use super::types::Delta;
use crate::config::settings::{ModelConfig, NetworkConfig};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Method, Response, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};
use url::Url;

/// Longest body that is read, in bytes.
pub(super) const MAX_BODY: usize = 8 * 1024 * 1024;
/// Longest wait that a `Retry-After` may ask for.
const MAX_RETRY_AFTER: u64 = 30;
/// A timeout of 0 means none; a round still ends after a day.
const NO_LIMIT: u64 = 24 * 60 * 60;

/// Reports progress.
pub(super) type Progress<'a> = &'a mut (dyn FnMut(Delta<'_>) + Send);

/// One server.
pub(super) struct Http {
    client: reqwest::Client,
    /// Base without a slash at its end.
    pub(super) root: String,
    key: Option<SecretString>,
    first_byte: Duration,
    pub(super) idle: Duration,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http")
            .field("root", &self.root)
            .field("key", &self.key.as_ref().map(|_| "set"))
            .finish()
    }
}

/// A whole answer to a small question.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// The `Server` header.
    pub(super) server: String,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// The body as JSON, where it is.
    pub(super) fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    pub(super) fn ok(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// A limit of the settings; 0 means none.
pub(super) fn seconds(limit: u64) -> Duration {
    Duration::from_secs(if limit == 0 {
        NO_LIMIT
    } else {
        limit.min(NO_LIMIT)
    })
}

impl Http {
    pub(super) fn new(
        root: &Url,
        place: &Place,
        settings: &ModelConfig,
        key: Option<SecretString>,
        net: &NetworkConfig,
    ) -> Result<Self, ModelError> {
        // Another part of the program may have done it before: the result does not matter.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("rmm-analyst/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .connect_timeout(seconds(settings.connect_timeout))
            // A kept connection that the server closes at the same moment would fail a request that
            // may not be repeated; opening one costs nothing next to a model's answer.
            .pool_max_idle_per_host(0)
            .tcp_nodelay(true);
        builder = match place {
            Place::Local { pinned } => {
                let builder = builder.no_proxy();
                match root.domain() {
                    Some(name) if !pinned.is_empty() => builder.resolve_to_addrs(name, pinned),
                    _ => builder,
                }
            }
            Place::Remote(_) => match net.proxy.as_deref().map(str::trim) {
                None => builder,
                Some("") => builder.no_proxy(),
                Some(proxy) => {
                    builder.proxy(reqwest::Proxy::all(proxy).map_err(|_| ModelError::Setting {
                        key: "[network] proxy",
                        why: "it is no proxy address".into(),
                    })?)
                }
            },
        };
        let setting_ca = |why: String| ModelError::Setting {
            key: "[network] ca_file",
            why,
        };
        if root.scheme() == "http" {
            // No certificates are needed, and reading the system's store costs time at every start.
            builder = builder.tls_certs_only([]);
        } else if let Some(path) = &net.ca_file {
            let pem = std::fs::read(path).map_err(|e| setting_ca(e.to_string()))?;
            let certs = reqwest::Certificate::from_pem_bundle(&pem)
                .ok()
                .filter(|certs| !certs.is_empty())
                .ok_or_else(|| setting_ca("it holds no certificate in PEM form".into()))?;
            builder = builder.tls_certs_merge(certs);
        }
        let key = key.filter(|k| !k.expose_secret().trim().is_empty());
        if let Some(key) = &key {
            HeaderValue::from_str(&format!("Bearer {}", key.expose_secret().trim())).map_err(
                |_| ModelError::Setting {
                    key: "[model] api_key",
                    why: "the key holds characters no header may".into(),
                },
            )?;
        }
        let client = builder.build().map_err(|e| ModelError::Setting {
            key: "[network]",
            why: cause(&e),
        })?;
        Ok(Self {
            client,
            root: address::root(root),
            key,
            first_byte: seconds(settings.first_byte_timeout),
            idle: seconds(settings.idle_timeout),
        })
    }

    /// Whether a key is sent.
    pub(super) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(|k| k.expose_secret().trim())
    }

    /// When a round that starts now must have its first byte.
    pub(super) fn first_byte_deadline(&self) -> Instant {
        Instant::now() + self.first_byte
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Response, reqwest::Error> {
        let mut request = self.client.request(method, format!("{}{path}", self.root));
        if let Some(key) = self.key()
            && let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {key}"))
        {
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        if let Some(body) = body {
            request = request
                .header(CONTENT_TYPE, "application/json")
                .body(body.to_string());
        }
        request.send().await
    }

    /// A small question; the whole answer, whatever its status. Asked once more when no connection came
    /// about.
    pub(super) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        limit: Duration,
    ) -> Result<Answer, ModelError> {
        let deadline = Instant::now() + limit;
        let timed_out = |_| ModelError::TimedOut {
            phase: Phase::FirstByte,
        };
        let mut again = true;
        let response = loop {
            let sent = timeout_at(deadline, self.send(method.clone(), path, body))
                .await
                .map_err(timed_out)?;
            match sent {
                Ok(response) => break response,
                Err(e) if again && e.is_connect() && !e.is_timeout() => {
                    again = false;
                    sleep(Duration::from_millis(100)).await;
                }
                Err(e) => return Err(self.failed(&e)),
            }
        };
        let status = response.status().as_u16();
        let server = header(&response, "server");
        let content_type = header(&response, "content-type");
        tracing::debug!(path, status, "model server answered");
        let body = timeout_at(deadline, self.read_capped(response))
            .await
            .map_err(timed_out)??;
        Ok(Answer {
            status,
            server,
            content_type,
            body,
        })
    }

    /// Opens a round: retries once on connect failure, 429 and 5xx, waits while the server loads, all
    /// before the first byte and within `deadline`. The answer has a status of 2xx.
    pub(super) async fn open(
        &self,
        path: &str,
        body: &Value,
        model: &str,
        deadline: Instant,
        on: Progress<'_>,
    ) -> Result<Response, ModelError> {
        let mut again = true;
        let mut loading_wait = Duration::from_millis(200);
        loop {
            on(Delta::Waiting);
            let sent = timeout_at(deadline, self.send(Method::POST, path, Some(body)))
                .await
                .map_err(|_| ModelError::TimedOut {
                    phase: Phase::FirstByte,
                })?;
            let response = match sent {
                Ok(response) => response,
                Err(e) if again && e.is_connect() && !e.is_timeout() => {
                    again = false;
                    sleep(Duration::from_millis(250)).await;
                    continue;
                }
                Err(e) => return Err(self.failed(&e)),
            };
            let status = response.status().as_u16();
            tracing::debug!(path, status, "model server answered");
            if response.status().is_success() {
                return Ok(response);
            }
            let retry_after = retry_after(&response);
            if response.status().is_redirection() {
                return Err(ModelError::NotAModelServer {
                    url: self.root.clone(),
                    why: format!("it redirects elsewhere ({status}), which is not followed"),
                });
            }
            let text = timeout_at(deadline, self.read_capped(response))
                .await
                .unwrap_or_else(|_| Ok(Vec::new()))?;
            let error = ServerError::from_body(&text);
            let wait = match status {
                503 if is_loading(&error) => {
                    on(Delta::Loading);
                    let wait = loading_wait;
                    loading_wait = (loading_wait * 2).min(Duration::from_secs(2));
                    wait
                }
                429 => match retry_after {
                    Some(s) if s > MAX_RETRY_AFTER => {
                        return Err(ModelError::RateLimited { retry_s: Some(s) });
                    }
                    _ if !again => {
                        return Err(ModelError::RateLimited {
                            retry_s: retry_after,
                        });
                    }
                    _ => {
                        again = false;
                        Duration::from_secs(retry_after.unwrap_or(2))
                    }
                },
                500..=599 if again => {
                    again = false;
                    Duration::from_secs(retry_after.unwrap_or(1).min(MAX_RETRY_AFTER))
                }
                _ => return Err(error.classify(status, model, self.key())),
            };
            if Instant::now() + wait >= deadline {
                return Err(error.classify(status, model, self.key()));
            }
            sleep(wait).await;
        }
    }

    /// Reads a body to its end, up to the cap.
    pub(super) async fn read_capped(&self, mut response: Response) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        loop {
            let piece = tokio::time::timeout(self.idle, response.chunk())
                .await
                .map_err(|_| ModelError::TimedOut { phase: Phase::Idle })?
                .map_err(|e| self.failed(&e))?;
            let Some(piece) = piece else { return Ok(body) };
            if body.len() + piece.len() > MAX_BODY {
                return Err(ModelError::TooLarge(MAX_BODY));
            }
            body.extend_from_slice(&piece);
        }
    }

    /// The error of the HTTP client in our words, without a URL or a key.
    pub(super) fn failed(&self, e: &reqwest::Error) -> ModelError {
        let why = shorten(&cause(e), self.key());
        if e.is_connect() {
            if e.is_timeout() {
                return ModelError::TimedOut {
                    phase: Phase::Connect,
                };
            }
            return ModelError::Unreachable {
                url: self.root.clone(),
                why,
            };
        }
        if e.is_body() || e.is_decode() {
            return ModelError::BrokenStream { why };
        }
        // Bytes came, but they are no HTTP; or the server hung up before it said anything.
        if why.contains("invalid HTTP") || why.contains("parsed") {
            return ModelError::NotAModelServer {
                url: self.root.clone(),
                why: "it does not speak HTTP".into(),
            };
        }
        ModelError::BrokenStream { why }
    }
}

/// The innermost cause, which is the one that says something.
fn cause(e: &dyn std::error::Error) -> String {
    let mut innermost = e;
    while let Some(next) = innermost.source() {
        innermost = next;
    }
    innermost.to_string()
}

fn header(response: &Response, name: &str) -> String {
    response
        .headers()
        .get(name)
        .and_then(|v| v.to_str().ok())
        .unwrap_or_default()
        .to_owned()
}

/// `Retry-After` in seconds; a date counts as not given.
fn retry_after(response: &Response) -> Option<u64> {
    response
        .headers()
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()
}
