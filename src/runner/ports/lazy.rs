//! The HTTP client, made at the first use: reading certificates takes time that offline work need not pay.

use super::{HostRule, HttpClient, Nothing};
use crate::config::settings::NetworkConfig;
use kit::outcome::CouldNot;
use kit::ports::HttpPort;
use std::sync::{Arc, OnceLock};

/// An HTTP client that may not be there yet.
pub struct LazyHttp {
    network: NetworkConfig,
    client: OnceLock<Result<HttpClient, String>>,
}

impl LazyHttp {
    /// For these settings.
    #[must_use]
    pub const fn new(network: NetworkConfig) -> Self {
        Self {
            network,
            client: OnceLock::new(),
        }
    }

    /// The client.
    ///
    /// # Errors
    /// Settings that no client can be made of (a certificate file that is none, for example).
    pub fn get(&self) -> Result<&HttpClient, CouldNot> {
        self.client
            .get_or_init(|| HttpClient::new(&self.network).map_err(|e| e.to_string()))
            .as_ref()
            .map_err(|e| CouldNot::Unreachable { detail: e.clone() })
    }

    /// A port for one download: only the URL's own host is reached.
    #[must_use]
    pub fn for_download(&self, url: &str) -> Arc<dyn HttpPort> {
        let host = url::Url::parse(url)
            .ok()
            .and_then(|u| u.host_str().map(str::to_owned));
        match (self.get(), host) {
            (Ok(client), Some(host)) => Arc::new(client.bound(HostRule::new().allow(&host))),
            _ => Arc::new(Nothing),
        }
    }
}
