//! The hash chains. Each row's hash covers the row before it; with a key it is an HMAC, so that who can
//! write the file but does not hold the key cannot make a chain that fits.

use super::error::StoreError;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// A hash of 32 bytes.
pub(crate) type Hash = [u8; 32];

/// The hash before the first row.
pub(crate) const START: Hash = [0; 32];

/// What a hash is for, so that one kind of row can never stand for another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Domain {
    /// An event.
    Event,
    /// A piece of evidence.
    Evidence,
    /// The head of a case.
    Head,
    /// An audit row.
    Audit,
    /// A row or the head of the fleet's audit.
    Fleet,
}

impl Domain {
    const fn tag(self) -> &'static [u8] {
        match self {
            Self::Event => b"rmm-analyst event 1\0",
            Self::Evidence => b"rmm-analyst evidence 1\0",
            Self::Head => b"rmm-analyst head 1\0",
            Self::Audit => b"rmm-analyst audit 1\0",
            // The same prefix as the fleet's own chain without a key.
            Self::Fleet => b"rmm-analyst fleet audit 1\0",
        }
    }
}

/// The key of the chains, where there is one.
#[derive(Clone)]
pub(crate) struct ChainKey {
    mac: Option<(Hmac<Sha256>, String)>,
}

impl ChainKey {
    /// With this secret, or without one.
    pub(crate) fn new(secret: Option<&SecretString>) -> Result<Self, StoreError> {
        let Some(secret) = secret else {
            return Ok(Self { mac: None });
        };
        let mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes())
            .map_err(|e| StoreError::Other(format!("the chain key cannot be used: {e}")))?;
        // The name of the key is a MAC of a constant: it tells keys apart and gives none away.
        let name = mac
            .clone()
            .chain_update(b"rmm-analyst chain key name\0")
            .finalize()
            .into_bytes();
        Ok(Self {
            mac: Some((mac, hex(&name[..8]))),
        })
    }

    /// The name of the key; `None` without one.
    pub(crate) fn id(&self) -> Option<&str> {
        self.mac.as_ref().map(|(_, id)| id.as_str())
    }

    /// The hash of these parts, with the present key or without one. All parts but the last are of fixed
    /// length or start with their length, so that no two inputs give the same bytes.
    pub(crate) fn hash(&self, domain: Domain, parts: &[&[u8]]) -> Hash {
        match &self.mac {
            Some((mac, _)) => {
                let mut mac = mac.clone().chain_update(domain.tag());
                for part in parts {
                    mac.update(part);
                }
                mac.finalize().into_bytes().into()
            }
            None => plain(domain, parts),
        }
    }

    /// The hash as a row with this key name should have it; `None` when that key is not at hand.
    pub(crate) fn hash_as(
        &self,
        key_id: Option<&str>,
        domain: Domain,
        parts: &[&[u8]],
    ) -> Option<Hash> {
        match key_id {
            None => Some(plain(domain, parts)),
            Some(id) if self.id() == Some(id) => Some(self.hash(domain, parts)),
            Some(_) => None,
        }
    }
}

impl fleet::audit::Chain for ChainKey {
    fn key_id(&self) -> Option<&str> {
        self.id()
    }

    fn hash(&self, parts: &[&[u8]]) -> Hash {
        self.hash(Domain::Fleet, parts)
    }

    fn hash_as(&self, key_id: Option<&str>, parts: &[&[u8]]) -> Option<Hash> {
        self.hash_as(key_id, Domain::Fleet, parts)
    }
}

fn plain(domain: Domain, parts: &[&[u8]]) -> Hash {
    let mut sha = Sha256::new_with_prefix(domain.tag());
    for part in parts {
        sha.update(part);
    }
    sha.finalize().into()
}

/// SHA-256 as lower-case hex.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(
        String::with_capacity(bytes.len().saturating_mul(2)),
        |mut s, b| {
            let _ = write!(s, "{b:02x}");
            s
        },
    )
}
