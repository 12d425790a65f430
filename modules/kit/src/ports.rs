//! How a module reaches the world. The traits stand here; the runner implements them, so that a module
//! can reach nothing else, and no host that its spec does not name.

use crate::indicator::Indicator;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A boxed future, as the ports return it.
pub type Fut<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// GET
    Get,
    /// POST
    Post,
}

/// A header value or form value; a secret one is never shown by `Debug`.
#[derive(Clone, Debug)]
pub enum Value {
    /// Not secret.
    Plain(String),
    /// A key. Marked sensitive on the wire client, never logged.
    Secret(SecretString),
}

/// What a request carries.
#[derive(Clone, Debug, Default)]
pub enum Body {
    /// Nothing.
    #[default]
    None,
    /// `application/x-www-form-urlencoded`.
    Form(Vec<(String, String)>),
    /// `application/json`, already serialised.
    Json(String),
}

/// One request. Keys go into headers, never into the URL.
#[derive(Clone, Debug)]
pub struct HttpRequest {
    /// Method.
    pub method: Method,
    /// Absolute URL; its host must be one that the module's spec (or its configured base URL) names.
    pub url: String,
    /// Header name and value.
    pub headers: Vec<(&'static str, Value)>,
    /// Body.
    pub body: Body,
}

impl HttpRequest {
    /// A GET with `accept: application/json`.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            url: url.into(),
            headers: vec![("accept", Value::Plain("application/json".into()))],
            body: Body::None,
        }
    }

    /// A POST with a form body and `accept: application/json`.
    #[must_use]
    pub fn post_form(url: impl Into<String>, form: Vec<(String, String)>) -> Self {
        Self {
            method: Method::Post,
            body: Body::Form(form),
            ..Self::get(url)
        }
    }

    /// A POST with a JSON body and `accept: application/json`.
    #[must_use]
    pub fn post_json(url: impl Into<String>, json: String) -> Self {
        Self {
            method: Method::Post,
            body: Body::Json(json),
            ..Self::get(url)
        }
    }

    /// Adds a secret header.
    #[must_use]
    pub fn secret_header(mut self, name: &'static str, key: &SecretString) -> Self {
        self.headers.push((name, Value::Secret(key.clone())));
        self
    }

    /// Adds a plain header, replacing one of the same name.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(n, _)| *n != name);
        self.headers.push((name, Value::Plain(value.into())));
        self
    }
}

/// One answer, read to its end and decompressed, never longer than the cap (8 MiB).
#[derive(Clone, Debug)]
pub struct HttpResponse {
    /// Status code.
    pub status: u16,
    /// Header names (lower case) and values.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// The first value of a header, by lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }
}

/// Why no answer came. Details never hold a key or a URL's query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// No answer before the module's deadline.
    #[error("timed out")]
    TimedOut,
    /// Name resolution, connection, TLS or proxy failed.
    #[error("unreachable: {0}")]
    Unreachable(String),
    /// The host is not one that the module may reach.
    #[error("the host {0} is not one that this module may reach")]
    HostRefused(String),
    /// A redirect to a host that the module may not reach, or too many redirects.
    #[error("refused a redirect to {0}")]
    RedirectRefused(String),
    /// The body is longer than the cap.
    #[error("the answer is longer than {0} bytes")]
    TooLarge(usize),
    /// The connection ended inside the body.
    #[error("the answer was cut off")]
    Truncated,
}

/// HTTP for one module call: knows which hosts it may reach, follows redirects among them only, caps
/// and decompresses bodies, verifies TLS always.
pub trait HttpPort: Send + Sync {
    /// Sends one request and reads the whole answer.
    fn send<'a>(&'a self, request: HttpRequest) -> Fut<'a, Result<HttpResponse, HttpError>>;
}

/// A DNS record type that the `dns` module asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordType {
    /// IPv4 address.
    A,
    /// IPv6 address.
    Aaaa,
    /// Mail exchangers.
    Mx,
    /// Name servers.
    Ns,
    /// Text.
    Txt,
    /// Start of authority.
    Soa,
    /// Canonical name.
    Cname,
    /// Reverse name.
    Ptr,
}

/// One record of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DnsRecord {
    /// Owner name without the trailing dot.
    pub name: String,
    /// Type, upper case.
    pub rtype: String,
    /// Time to live in seconds.
    pub ttl_s: u32,
    /// Data in presentation form.
    pub data: String,
}

/// What a resolver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DnsAnswer {
    /// Records, possibly none of the asked type (NODATA).
    Records(Vec<DnsRecord>),
    /// The name does not exist (NXDOMAIN).
    NoSuchName,
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DnsError {
    /// No answer in time.
    #[error("timed out")]
    TimedOut,
    /// No resolver configured or reachable.
    #[error("unreachable: {0}")]
    Unreachable(String),
    /// The resolver answered with an error code (SERVFAIL, REFUSED, …).
    #[error("the resolver answered {0}")]
    Refused(String),
}

/// The system's resolver.
pub trait DnsPort: Send + Sync {
    /// Asks for one record type of one name (for [`RecordType::Ptr`] the reverse name).
    fn query<'a>(
        &'a self,
        name: &'a str,
        rtype: RecordType,
    ) -> Fut<'a, Result<DnsAnswer, DnsError>>;
}

/// A data set kept on disk (`data update` brings it), or fetched once and kept.
#[derive(Clone, Debug)]
pub struct DataSet {
    /// The bytes as downloaded.
    pub bytes: Arc<[u8]>,
    /// When it was downloaded, milliseconds since the Unix epoch.
    pub fetched_ms: i64,
}

/// Data sets by name.
pub trait DataPort: Send + Sync {
    /// The set, downloading it if it is missing or older than its spec says and the network allows.
    /// An old copy is returned rather than nothing.
    fn get<'a>(&'a self, name: &'a str) -> Fut<'a, Result<DataSet, HttpError>>;
}

/// A data set that a module needs: its name, where it is from, how long it is fresh.
#[derive(Clone, Copy, Debug)]
pub struct DataSpec {
    /// Name, also the file name under the data directory.
    pub name: &'static str,
    /// Where it is downloaded.
    pub url: &'static str,
    /// Seconds for which a copy is fresh.
    pub fresh_s: u64,
    /// One line on what it is and under which terms.
    pub about: &'static str,
}

/// What this program's own cases know of an indicator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// Case id.
    pub case: String,
    /// Case title.
    pub title: String,
    /// First time it was seen there, milliseconds since the Unix epoch.
    pub first_ms: i64,
    /// Last time it was seen there.
    pub last_ms: i64,
    /// `named`, `approved`, `denied` or `mentioned`.
    pub role: String,
    /// The last answer of that case, shortened; empty when there is none.
    pub concluded: String,
}

/// The memory of cases.
pub trait HistoryPort: Send + Sync {
    /// Cases in which the indicator was seen, newest first, without the case that asks.
    fn sightings<'a>(&'a self, indicator: &'a Indicator) -> Fut<'a, Result<Vec<Sighting>, String>>;
}
