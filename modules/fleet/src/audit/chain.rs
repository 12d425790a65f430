//! The hash of a row covers the row before it. Who holds a key keeps it outside this crate: the store gives
//! a [`Chain`] that is keyed; [`Plain`] is SHA-256 alone and shows slips, not a forger who hashes anew.

use sha2::{Digest, Sha256};

/// 32 bytes.
pub type Hash = [u8; 32];

/// The hash before the first row.
pub(super) const START: Hash = [0; 32];

/// How rows are hashed.
pub trait Chain {
    /// The name of the key; `None` without one.
    fn key_id(&self) -> Option<&str>;

    /// The hash of these parts, with the present key or without one. Every part is of fixed length or starts
    /// with its length, so that no two inputs give the same bytes.
    fn hash(&self, parts: &[&[u8]]) -> Hash;

    /// The hash as a row with this key name should have it; `None` when that key is not at hand.
    fn hash_as(&self, key_id: Option<&str>, parts: &[&[u8]]) -> Option<Hash>;
}

/// Without a key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Chain for Plain {
    fn key_id(&self) -> Option<&str> {
        None
    }

    fn hash(&self, parts: &[&[u8]]) -> Hash {
        let mut sha = Sha256::new_with_prefix(b"rmm-analyst fleet audit 1\0");
        for part in parts {
            sha.update(part);
        }
        sha.finalize().into()
    }

    fn hash_as(&self, key_id: Option<&str>, parts: &[&[u8]]) -> Option<Hash> {
        key_id.is_none().then(|| self.hash(parts))
    }
}

/// A row as it is hashed.
pub(super) struct Fields<'a> {
    pub(super) seq: i64,
    pub(super) at_ms: i64,
    pub(super) actor: &'a str,
    pub(super) actor_kind: &'a str,
    pub(super) family: &'a str,
    pub(super) verb: &'a str,
    pub(super) result: &'a str,
    pub(super) target: &'a str,
    pub(super) client: Option<i64>,
    pub(super) case: Option<&'a str>,
    pub(super) details: &'a str,
}

impl Fields<'_> {
    /// One buffer after the hash of the row before: numbers in eight bytes, texts behind their length, what
    /// is missing marked as such.
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.details.len().saturating_add(160));
        out.extend_from_slice(&self.seq.to_be_bytes());
        out.extend_from_slice(&self.at_ms.to_be_bytes());
        for text in [
            self.actor,
            self.actor_kind,
            self.family,
            self.verb,
            self.result,
            self.target,
            self.details,
        ] {
            put_text(&mut out, text);
        }
        match self.client {
            Some(client) => {
                out.push(1);
                out.extend_from_slice(&client.to_be_bytes());
            }
            None => out.push(0),
        }
        match self.case {
            Some(case) => {
                out.push(1);
                put_text(&mut out, case);
            }
            None => out.push(0),
        }
        out
    }

    /// What [`Chain::hash`] takes.
    pub(super) fn hashed<R>(&self, last: &Hash, with: impl FnOnce(&[&[u8]]) -> R) -> R {
        let bytes = self.bytes();
        with(&[b"row\0", last, &bytes])
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(&(text.len() as u64).to_be_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// The parts of the head.
pub(super) fn head_parts<'a>(entries: &'a [u8; 8], hash: &'a Hash) -> [&'a [u8]; 3] {
    [b"head", entries, hash]
}
