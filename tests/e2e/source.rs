//! A server that answers as the public sources do. Every module has its own path prefix on it, so that a
//! request tells by itself which module sent it and what about.

use super::support_model::{Asked, Reply, Scripted};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::time::Duration;

pub(crate) const MODULES: [&str; 9] = [
    "abuseipdb",
    "circlpdns",
    "crtsh",
    "internetdb",
    "ipinfo",
    "malwarebazaar",
    "rdap",
    "threatfox",
    "urlhaus",
];

/// One request of a module.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) module: String,
    /// What it is about, decoded.
    pub(crate) value: String,
    pub(crate) asked: Asked,
}

pub(crate) struct Source {
    server: Scripted,
}

impl Source {
    /// Answers as scripted, else as the source does that knows crt.sh names and bad addresses.
    pub(crate) fn start(script: impl Fn(&Lookup) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self {
            server: Scripted::start(move |asked| {
                let lookup = lookup(asked);
                script(&lookup).unwrap_or_else(|| usual(&lookup))
            }),
        }
    }

    pub(crate) fn usual() -> Self {
        Self::start(|_| None)
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn asked(&self) -> Vec<Lookup> {
        self.server.asked().iter().map(lookup).collect()
    }

    /// `module value` of every request.
    pub(crate) fn list(&self) -> Vec<String> {
        self.asked()
            .iter()
            .map(|l| format!("{} {}", l.module, l.value))
            .collect()
    }

    pub(crate) fn sees_hang_up(&self) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(self.server.wait_hung_up(Duration::from_secs(20)))
    }
}

fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " "))
        .decode_utf8_lossy()
        .into_owned()
}

fn field(form: &str, name: &str) -> Option<String> {
    form.split('&')
        .filter_map(|p| p.split_once('='))
        .find(|(n, _)| *n == name)
        .map(|(_, v)| decoded(v))
}

fn lookup(asked: &Asked) -> Lookup {
    let path = asked.path.trim_start_matches('/');
    let (module, rest) = path.split_once('/').unwrap_or((path, ""));
    let query = rest.split_once('?').map_or("", |(_, q)| q);
    let path = rest.split('?').next().unwrap_or_default();
    let value = match module {
        "crtsh" => field(query, "q"),
        "abuseipdb" => field(query, "ipAddress").or_else(|| field(query, "network")),
        "circlpdns" => path.strip_prefix("pdns/query/").map(decoded),
        "rdap" => path.split_once('/').map(|(_, v)| decoded(v)),
        "malwarebazaar" => field(&asked.body, "hash"),
        "urlhaus" => ["url", "host", "md5_hash", "sha256_hash"]
            .iter()
            .find_map(|n| field(&asked.body, n)),
        "threatfox" => ["search_term", "hash"]
            .iter()
            .find_map(|n| asked.json()[*n].as_str().map(str::to_owned)),
        _ => Some(decoded(path)),
    };
    Lookup {
        module: module.to_owned(),
        value: value.unwrap_or_else(|| format!("unreadable: {} {}", asked.path, asked.body)),
        asked: asked.clone(),
    }
}

/// One certificate whose names are these.
pub(crate) fn certificate(common: &str, names: &str) -> Value {
    json!([{
        "issuer_ca_id": 1, "issuer_name": "C=US, O=Test CA, CN=R1", "common_name": common,
        "name_value": names, "id": 77, "entry_timestamp": "2026-01-02T03:04:05.678",
        "not_before": "2026-01-01T00:00:00", "not_after": "2026-04-01T00:00:00",
        "serial_number": "0a0b", "result_count": 2
    }])
}

/// A much reported address.
pub(crate) fn reported(address: &str) -> Value {
    json!({"data": {
        "ipAddress": address, "isPublic": true, "ipVersion": 4, "isWhitelisted": false,
        "abuseConfidenceScore": 93, "countryCode": "NL", "usageType": "Data Center/Web Hosting/Transit",
        "isp": "Test Hosting", "domain": "hosting.example", "hostnames": [], "isTor": false,
        "totalReports": 41, "numDistinctUsers": 12, "lastReportedAt": "2026-02-03T04:05:06+00:00"
    }})
}

/// What the sources usually say.
pub(crate) fn usual(lookup: &Lookup) -> Reply {
    let json = |v: &Value| Reply::json(200, &v.to_string());
    match lookup.module.as_str() {
        "crtsh" => json(&certificate(&lookup.value, &lookup.value)),
        "abuseipdb" => json(&reported(&lookup.value)),
        "urlhaus" => json(&json!({"query_status": "no_results"})),
        "threatfox" => json(
            &json!({"query_status": "no_result", "data": "Your search did not yield any results"}),
        ),
        "malwarebazaar" => json(&json!({"query_status": "hash_not_found"})),
        "circlpdns" => Reply::body(200, "application/x-ndjson", ""),
        "internetdb" => Reply::json(404, r#"{"detail":"No information available"}"#),
        _ => Reply::json(404, r#"{"errorCode":404,"title":"not found"}"#),
    }
}
