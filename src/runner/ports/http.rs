//! HTTP for look-up modules: one shared client, and for each module call a port that knows which hosts
//! the module may reach.
//!
//! What holds for every request, whatever a module or a source says:
//! * Only hosts of the [`HostRule`] are asked, redirects included; at most five redirects; never from
//!   https to http; key headers do not travel to another origin.
//! * An address of this machine or of a private network is asked only where the configuration names it.
//! * TLS is always verified, against the system's authorities and those of `[network] ca_file`.
//! * A body is read to its end and decompressed, and cut off at 8 MiB; a body that ends too early is an
//!   error and never a short answer.
//! * No error text holds a key, a path, a query or an address of this machine.
//!
//! There is no overall time limit here: the runner drops the future at its deadline, which closes the
//! connection.

use super::host_rule::{HostRule, is_loopback, shown_host};
use crate::config::settings::NetworkConfig;
use kit::ports::{Body, Fut, HttpError, HttpPort, HttpRequest, HttpResponse, Method, Value};
use reqwest::header::{
    AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue, LOCATION,
};
use secrecy::ExposeSecret;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

/// Longest body after decompression, in bytes.
pub const BODY_CAP: usize = 8 * 1024 * 1024;
/// Redirects followed for one request.
pub const MAX_REDIRECTS: usize = 5;
/// Time to connect, TLS included.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why no client could be made: a setting is wrong. The text names the setting and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// `[network] proxy` cannot be used.
    #[error("[network] proxy: {0}")]
    Proxy(String),
    /// `[network] ca_file` cannot be read or holds no certificate.
    #[error("[network] ca_file: {0}")]
    CaFile(String),
}

struct Inner {
    proxy: Option<String>,
    authorities: Vec<reqwest::Certificate>,
    outside: OnceLock<Result<reqwest::Client, String>>,
    loopback: OnceLock<Result<reqwest::Client, String>>,
}

/// The client that all modules share. Cheap to clone. TLS is set up at the first request, so that a run
/// that asks nobody does not pay for it.
#[derive(Clone)]
pub struct HttpClient {
    inner: Arc<Inner>,
}

impl HttpClient {
    /// Checks the settings and reads `ca_file`.
    ///
    /// # Errors
    /// [`SetupError`] when the proxy's address is unusable or the file of authorities cannot be read.
    pub fn new(network: &NetworkConfig) -> Result<Self, SetupError> {
        if let Some(proxy) = network.proxy.as_deref().filter(|p| !p.is_empty()) {
            check_proxy(proxy)?;
        }
        let authorities = match network.ca_file.as_deref().filter(|p| !p.is_empty()) {
            Some(path) => read_authorities(path)?,
            None => Vec::new(),
        };
        Ok(Self {
            inner: Arc::new(Inner {
                proxy: network.proxy.clone(),
                authorities,
                outside: OnceLock::new(),
                loopback: OnceLock::new(),
            }),
        })
    }

    /// A port for one module call, which reaches the hosts of `rule` and no other.
    #[must_use]
    pub fn bound(&self, rule: HostRule) -> BoundHttp {
        BoundHttp {
            client: self.clone(),
            rule,
        }
    }

    fn client_for(&self, url: &Url) -> Result<&reqwest::Client, HttpError> {
        // What runs on this machine is never asked through a proxy.
        let direct = is_loopback(url);
        let cell = if direct {
            &self.inner.loopback
        } else {
            &self.inner.outside
        };
        cell.get_or_init(|| self.build(direct))
            .as_ref()
            .map_err(|e| HttpError::Unreachable(e.clone()))
    }

    fn build(&self, direct: bool) -> Result<reqwest::Client, String> {
        // An error means that a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let with_system = self
            .builder(direct)?
            .tls_certs_merge(self.inner.authorities.iter().cloned())
            .build();
        match with_system {
            Ok(client) => Ok(client),
            // A machine without any authority (a bare container) can still ask a plain-http mirror; every
            // https server fails verification there, as it should.
            Err(_) => self
                .builder(direct)?
                .tls_certs_only(self.inner.authorities.iter().cloned())
                .build()
                .map_err(|_| "TLS could not be set up".to_owned()),
        }
    }

    fn builder(&self, direct: bool) -> Result<reqwest::ClientBuilder, String> {
        let builder = reqwest::Client::builder()
            .tls_backend_rustls()
            .user_agent(concat!("rmm-analyst/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false);
        match self.inner.proxy.as_deref() {
            _ if direct => Ok(builder.no_proxy()),
            None => Ok(builder),
            Some("") => Ok(builder.no_proxy()),
            Some(url) => {
                let proxy = reqwest::Proxy::all(url)
                    .map_err(|_| "the proxy's address is unusable".to_owned())?;
                Ok(builder.no_proxy().proxy(proxy))
            }
        }
    }
}

fn check_proxy(proxy: &str) -> Result<(), SetupError> {
    // The text is not repeated: a proxy's address may hold a password.
    let url = Url::parse(proxy).map_err(|_| SetupError::Proxy("not a URL".into()))?;
    if !matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") {
        return Err(SetupError::Proxy(format!(
            "scheme {}: use http, https or socks5",
            url.scheme()
        )));
    }
    if url.host().is_none() {
        return Err(SetupError::Proxy("no host".into()));
    }
    reqwest::Proxy::all(proxy)
        .map(|_| ())
        .map_err(|_| SetupError::Proxy("unusable".into()))
}

fn read_authorities(path: &str) -> Result<Vec<reqwest::Certificate>, SetupError> {
    let pem =
        std::fs::read(path).map_err(|e| SetupError::CaFile(format!("{path}: {}", e.kind())))?;
    let list = reqwest::Certificate::from_pem_bundle(&pem)
        .map_err(|_| SetupError::CaFile(format!("{path}: not PEM certificates")))?;
    if list.is_empty() {
        return Err(SetupError::CaFile(format!("{path}: holds no certificate")));
    }
    Ok(list)
}

/// The port of one module call.
pub struct BoundHttp {
    client: HttpClient,
    rule: HostRule,
}

impl HttpPort for BoundHttp {
    fn send<'a>(&'a self, request: HttpRequest) -> Fut<'a, Result<HttpResponse, HttpError>> {
        Box::pin(self.follow(request))
    }
}

/// What goes out; built anew after each redirect.
struct Outgoing {
    url: Url,
    method: reqwest::Method,
    headers: HeaderMap,
    body: Option<Vec<u8>>,
}

impl BoundHttp {
    async fn follow(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let mut out = outgoing(request)?;
        let keys: Vec<HeaderValue> = out
            .headers
            .values()
            .filter(|v| v.is_sensitive())
            .cloned()
            .collect();
        if !self.rule.permits(&out.url) {
            return Err(HttpError::HostRefused(shown_host(&out.url)));
        }
        for _ in 0..=MAX_REDIRECTS {
            let response = self.once(&out).await?;
            let Some(next) = redirect(&out, &response)? else {
                return read(response).await;
            };
            if !self.rule.permits(&next.url) {
                return Err(HttpError::RedirectRefused(host_without(&next.url, &keys)));
            }
            out = next;
        }
        Err(HttpError::RedirectRefused(format!(
            "a {}th address",
            MAX_REDIRECTS + 1
        )))
    }

    async fn once(&self, out: &Outgoing) -> Result<reqwest::Response, HttpError> {
        let mut request = self
            .client
            .client_for(&out.url)?
            .request(out.method.clone(), out.url.clone())
            .headers(out.headers.clone());
        if let Some(body) = &out.body {
            request = request.body(body.clone());
        }
        request.send().await.map_err(|e| transport_error(&e))
    }
}

fn outgoing(request: HttpRequest) -> Result<Outgoing, HttpError> {
    let mut url = Url::parse(&request.url)
        .map_err(|_| HttpError::HostRefused("of an unreadable address".into()))?;
    url.set_fragment(None);
    let method = match request.method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
    };
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable())?;
        let value = match value {
            Value::Plain(text) => HeaderValue::from_str(text).map_err(|_| unsendable())?,
            Value::Secret(key) => {
                let mut value =
                    HeaderValue::from_str(key.expose_secret()).map_err(|_| unsendable())?;
                value.set_sensitive(true);
                value
            }
        };
        headers.append(name, value);
    }
    let body = match request.body {
        Body::None => None,
        Body::Form(pairs) => {
            headers.insert(
                CONTENT_TYPE,
                HeaderValue::from_static("application/x-www-form-urlencoded"),
            );
            Some(
                url::form_urlencoded::Serializer::new(String::new())
                    .extend_pairs(pairs)
                    .finish()
                    .into_bytes(),
            )
        }
        Body::Json(json) => {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            Some(json.into_bytes())
        }
    };
    Ok(Outgoing {
        url,
        method,
        headers,
        body,
    })
}

/// The host that a source wants to send us to, for an error text; unless the source wrote a key into it.
fn host_without(url: &Url, keys: &[HeaderValue]) -> String {
    let host = shown_host(url).to_ascii_lowercase();
    let holds_key = keys
        .iter()
        .filter_map(|k| k.to_str().ok())
        .flat_map(str::split_whitespace)
        .map(|k| k.trim_end_matches('=').to_ascii_lowercase())
        .any(|k| k.len() >= 4 && host.contains(&k));
    if holds_key {
        "another host".into()
    } else {
        host
    }
}

fn unsendable() -> HttpError {
    HttpError::Unreachable("a header holds characters that cannot be sent".into())
}

/// The next request where the answer is a redirect; `None` where it is the answer.
fn redirect(out: &Outgoing, response: &reqwest::Response) -> Result<Option<Outgoing>, HttpError> {
    let status = response.status().as_u16();
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = response.headers().get(LOCATION) else {
        return Ok(None);
    };
    let unreadable = || HttpError::RedirectRefused("an unreadable address".into());
    let mut url = out
        .url
        .join(location.to_str().map_err(|_| unreadable())?)
        .map_err(|_| unreadable())?;
    url.set_fragment(None);
    if out.url.scheme() == "https" && url.scheme() != "https" {
        return Err(HttpError::RedirectRefused("an address without TLS".into()));
    }
    // A password in a location is the source's business and not sent.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let mut headers = out.headers.clone();
    if url.origin() != out.url.origin() {
        let keys: Vec<HeaderName> = headers
            .iter()
            .filter(|(_, value)| value.is_sensitive())
            .map(|(name, _)| name.clone())
            .collect();
        for name in keys.into_iter().chain([AUTHORIZATION, COOKIE]) {
            headers.remove(name);
        }
    }
    // RFC 9110 15.4: 303 becomes GET; so does a POST at 301 and 302, as all clients do. 307 and 308 repeat.
    let repeats =
        matches!(status, 307 | 308) || (out.method == reqwest::Method::GET && status != 303);
    let (method, body) = if repeats {
        (out.method.clone(), out.body.clone())
    } else {
        headers.remove(CONTENT_TYPE);
        (reqwest::Method::GET, None)
    };
    Ok(Some(Outgoing {
        url,
        method,
        headers,
        body,
    }))
}

async fn read(mut response: reqwest::Response) -> Result<HttpResponse, HttpError> {
    let status = response.status().as_u16();
    let headers = response
        .headers()
        .iter()
        .map(|(n, v)| {
            (
                n.as_str().to_owned(),
                String::from_utf8_lossy(v.as_bytes()).into_owned(),
            )
        })
        .collect();
    // A compressed body has no length here; the loop below bounds it.
    if response
        .content_length()
        .is_some_and(|n| n > BODY_CAP as u64)
    {
        return Err(HttpError::TooLarge(BODY_CAP));
    }
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|e| body_error(&e))? {
        if body.len() + part.len() > BODY_CAP {
            return Err(HttpError::TooLarge(BODY_CAP));
        }
        body.extend_from_slice(&part);
    }
    Ok(HttpResponse {
        status,
        headers,
        body,
    })
}

/// An error and everything below it. What an I/O error wraps is not its source and is looked into too;
/// the depth is bounded, since the chain is other crates' doing.
fn chain<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> Vec<&'a (dyn std::error::Error + 'static)> {
    let mut all = vec![error];
    while let Some(last) = all.last().filter(|_| all.len() < 16) {
        let wrapped = last
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        match wrapped
            .map(|e| e as &(dyn std::error::Error + 'static))
            .or_else(|| last.source())
        {
            Some(next) => all.push(next),
            None => break,
        }
    }
    all
}

/// What TLS had against a connection, if it was TLS.
fn tls_phrase(error: &reqwest::Error) -> Option<&'static str> {
    let tls = chain(error)
        .into_iter()
        .find_map(|e| e.downcast_ref::<rustls::Error>())?;
    Some(match tls {
        rustls::Error::InvalidCertificate(why) => certificate_phrase(why),
        _ => "TLS failed",
    })
}

fn certificate_phrase(why: &rustls::CertificateError) -> &'static str {
    use rustls::CertificateError as E;
    match why {
        E::UnknownIssuer => "the certificate's authority is not trusted",
        E::Expired | E::ExpiredContext { .. } => "the certificate has expired",
        E::NotValidYet | E::NotValidYetContext { .. } => {
            "the certificate is not valid yet (is the clock right?)"
        }
        E::NotValidForName | E::NotValidForNameContext { .. } => {
            "the certificate is for another name"
        }
        E::Revoked => "the certificate was revoked",
        _ => "the certificate is not valid",
    }
}

fn transport_error(error: &reqwest::Error) -> HttpError {
    use std::io::ErrorKind as K;
    if let Some(phrase) = tls_phrase(error) {
        return HttpError::Unreachable(phrase.into());
    }
    let phrase = if error.is_dns() {
        "the name was not resolved"
    } else if error.is_timeout() && error.is_connect() {
        "no connection in time"
    } else if error.is_timeout() {
        return HttpError::TimedOut;
    } else {
        match chain(error)
            .iter()
            .rev()
            .find_map(|e| e.downcast_ref::<std::io::Error>())
            .map(std::io::Error::kind)
        {
            Some(K::ConnectionRefused) => "connection refused",
            Some(K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe | K::UnexpectedEof) => {
                "connection reset"
            }
            Some(K::HostUnreachable | K::NetworkUnreachable | K::NetworkDown) => "no route",
            _ if error.is_connect() => "no connection",
            _ => "the connection ended before an answer",
        }
    };
    HttpError::Unreachable(phrase.into())
}

/// After the headers, whatever goes wrong means that the body is not whole.
fn body_error(error: &reqwest::Error) -> HttpError {
    if error.is_timeout() {
        HttpError::TimedOut
    } else {
        HttpError::Truncated
    }
}
