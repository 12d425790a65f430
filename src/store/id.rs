//! The id of a case.

use super::error::StoreError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Length of the short form.
pub(crate) const SHORT: usize = 8;

/// A UUID v7 in lower case with dashes. Its beginning is the time of creation, which cases of the same
/// minute share, so the short form is its end: the last 8 hex digits, which are random, hold at least
/// one letter (a case is never taken for a proposal number) and are unique in the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CaseId(String);

impl CaseId {
    /// A new id for this time.
    ///
    /// # Errors
    /// The operating system has no random numbers.
    pub(crate) fn new(now_ms: i64) -> Result<Self, StoreError> {
        let ms = u64::try_from(now_ms).unwrap_or(0);
        // One in 43 has no letter at its end; 64 tries never miss in practice and bound the loop.
        for _ in 0..64 {
            let mut random = [0_u8; 10];
            getrandom::fill(&mut random)
                .map_err(|e| StoreError::Other(format!("no random numbers: {e}")))?;
            let id = Self(
                uuid::Builder::from_unix_timestamp_millis(ms, &random)
                    .into_uuid()
                    .to_string(),
            );
            if id.short().bytes().any(|b| b.is_ascii_alphabetic()) {
                return Ok(id);
            }
        }
        Err(StoreError::Other("no usable random numbers".into()))
    }

    /// Reads a whole id. `None` when it is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        uuid::Uuid::try_parse(text)
            .ok()
            .map(|u| Self(u.hyphenated().to_string()))
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last 8 hex digits.
    #[must_use]
    pub fn short(&self) -> &str {
        self.0
            .get(self.0.len().saturating_sub(SHORT)..)
            .unwrap_or(&self.0)
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
