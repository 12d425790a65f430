//! Running work that several processes share: answers kept, rate limits, calls in flight, notes.

use super::error::StoreError;
use super::{Reader, Tx, int};
use crate::case::Status;
use kit::module::RateLimit;
use rusqlite::{OptionalExtension as _, params};

/// An answer kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheRow {
    /// When it came, milliseconds since the Unix epoch.
    pub stored_ms: i64,
    /// Which key it was got with: a prefix of a hash, never the key; empty without one.
    pub key_fingerprint: String,
    /// The outcome as JSON, after redaction.
    pub outcome_json: String,
}

/// Whether a call fits the rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateTake {
    /// It fits and is counted.
    Ok {
        /// How many more fit now.
        remaining: u32,
    },
    /// It does not fit and is not counted.
    Wait {
        /// Milliseconds until it may.
        ms: u64,
    },
}

impl Reader<'_> {
    /// The kept answer of a module about a value. Age and key are for the caller to judge.
    ///
    /// # Errors
    /// The database failed.
    pub fn cache_get(&self, module: &str, value: &str) -> Result<Option<CacheRow>, StoreError> {
        Ok(self
            .conn
            .prepare_cached(
                "SELECT stored_ms, key_fingerprint, outcome FROM cache WHERE module = ?1 AND value = ?2",
            )?
            .query_row([module, value], |r| {
                Ok(CacheRow {
                    stored_ms: r.get(0)?,
                    key_fingerprint: r.get(1)?,
                    outcome_json: r.get(2)?,
                })
            })
            .optional()?)
    }

    /// How many calls fit now; `None` without limits.
    ///
    /// # Errors
    /// The database failed.
    pub fn rate_left(
        &self,
        bucket: &str,
        limits: &[RateLimit],
        now_ms: i64,
    ) -> Result<Option<u32>, StoreError> {
        let mut left = None;
        for limit in limits {
            let used = self.used(bucket, *limit, now_ms)?;
            let free = limit.calls.saturating_sub(used);
            left = Some(left.map_or(free, |l: u32| l.min(free)));
        }
        Ok(left)
    }

    fn used(&self, bucket: &str, limit: RateLimit, now_ms: i64) -> Result<u32, StoreError> {
        Ok(self
            .conn
            .prepare_cached("SELECT count(*) FROM rate WHERE bucket = ?1 AND at_ms > ?2")?
            .query_row(
                params![bucket, now_ms.saturating_sub(window_ms(limit))],
                |r| r.get(0),
            )?)
    }

    /// The process that asks this question now and until when it may take; `None` when nobody does.
    ///
    /// # Errors
    /// The database failed.
    pub fn flight(
        &self,
        module: &str,
        value: &str,
        now_ms: i64,
    ) -> Result<Option<(u32, i64)>, StoreError> {
        Ok(self
            .conn
            .prepare_cached(
                "SELECT pid, deadline_ms FROM flights
                 WHERE module = ?1 AND value = ?2 AND deadline_ms > ?3 AND begun_ms <= ?3",
            )?
            .query_row(params![module, value, now_ms], |r| {
                Ok((r.get(0)?, r.get(1)?))
            })
            .optional()?)
    }

    /// A note kept between runs (what a probe found, per URL, model and build).
    ///
    /// # Errors
    /// The database failed.
    pub fn kv_get(&self, key: &str) -> Result<Option<String>, StoreError> {
        Ok(self
            .conn
            .prepare_cached("SELECT value FROM kv WHERE key = ?1")?
            .query_row([key], |r| r.get(0))
            .optional()?)
    }
}

fn window_ms(limit: RateLimit) -> i64 {
    int(limit.per_s.saturating_mul(1000))
}

impl Tx<'_> {
    /// Keeps an answer. Only `found` and `not found` are kept; for a source that could not be asked
    /// nothing is stored and `false` returned. An answer got with another key empties the module first.
    ///
    /// # Errors
    /// The database failed.
    pub fn cache_put(
        &mut self,
        module: &str,
        value: &str,
        status: Status,
        row: &CacheRow,
    ) -> Result<bool, StoreError> {
        if status == Status::CouldNotLook {
            return Ok(false);
        }
        self.cache_key(module, &row.key_fingerprint)?;
        self.conn
            .prepare_cached(
                "INSERT INTO cache (module, value, stored_ms, key_fingerprint, status, outcome)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (module, value) DO UPDATE SET stored_ms = excluded.stored_ms,
                     key_fingerprint = excluded.key_fingerprint, status = excluded.status,
                     outcome = excluded.outcome",
            )?
            .execute(params![
                module,
                value,
                row.stored_ms,
                row.key_fingerprint,
                status.name(),
                row.outcome_json
            ])?;
        Ok(true)
    }

    /// Drops the module's answers that were got with another key. Returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub fn cache_key(&mut self, module: &str, key_fingerprint: &str) -> Result<usize, StoreError> {
        Ok(self
            .conn
            .prepare_cached("DELETE FROM cache WHERE module = ?1 AND key_fingerprint <> ?2")?
            .execute([module, key_fingerprint])?)
    }

    /// Drops the answers of a module, or of all. Returns how many.
    ///
    /// # Errors
    /// The database failed.
    pub fn cache_clear(&mut self, module: Option<&str>) -> Result<usize, StoreError> {
        Ok(self
            .conn
            .prepare_cached("DELETE FROM cache WHERE ?1 IS NULL OR module = ?1")?
            .execute([module])?)
    }

    /// Retention: drops answers stored before `before_ms`, and rows of rate limits and calls that ended
    /// before it. Returns how many answers.
    ///
    /// # Errors
    /// The database failed.
    pub fn cache_expire(&mut self, before_ms: i64) -> Result<usize, StoreError> {
        self.conn
            .execute("DELETE FROM rate WHERE at_ms < ?1", [before_ms])?;
        self.conn
            .execute("DELETE FROM flights WHERE deadline_ms < ?1", [before_ms])?;
        Ok(self
            .conn
            .execute("DELETE FROM cache WHERE stored_ms < ?1", [before_ms])?)
    }

    /// Counts one call against every window of the bucket, or says how long to wait. A sliding window:
    /// in no stretch of `per_s` seconds do more than `calls` calls go out. A clock that was set back
    /// costs at most one window of waiting.
    ///
    /// # Errors
    /// The database failed.
    pub fn rate_take(
        &mut self,
        bucket: &str,
        limits: &[RateLimit],
        now_ms: i64,
    ) -> Result<RateTake, StoreError> {
        let Some(longest) = limits.iter().map(|l| window_ms(*l)).max() else {
            return Ok(RateTake::Ok {
                remaining: u32::MAX,
            });
        };
        // Calls from the future: the clock went back. They count as made now.
        self.conn
            .prepare_cached("UPDATE rate SET at_ms = ?2 WHERE bucket = ?1 AND at_ms > ?2")?
            .execute(params![bucket, now_ms])?;
        self.conn
            .prepare_cached("DELETE FROM rate WHERE bucket = ?1 AND at_ms <= ?2")?
            .execute(params![bucket, now_ms.saturating_sub(longest)])?;
        let mut wait = 0_u64;
        let mut remaining = u32::MAX;
        for limit in limits {
            let used = self.used(bucket, *limit, now_ms)?;
            if used < limit.calls {
                remaining = remaining.min(limit.calls - used - 1);
                continue;
            }
            // The call whose leaving the window makes room: as many newer ones as are allowed, less one.
            let at: Option<i64> = if limit.calls == 0 {
                None
            } else {
                self.conn
                    .prepare_cached(
                        "SELECT at_ms FROM rate WHERE bucket = ?1 ORDER BY at_ms DESC LIMIT 1 OFFSET ?2",
                    )?
                    .query_row(params![bucket, limit.calls - 1], |r| r.get(0))
                    .optional()?
            };
            let window = window_ms(*limit);
            let ms = at.map_or(window, |at| {
                at.saturating_add(window).saturating_sub(now_ms)
            });
            wait = wait.max(u64::try_from(ms).unwrap_or(0).max(1));
        }
        if wait > 0 {
            return Ok(RateTake::Wait { ms: wait });
        }
        self.conn
            .prepare_cached("INSERT INTO rate (bucket, at_ms) VALUES (?1, ?2)")?
            .execute(params![bucket, now_ms])?;
        Ok(RateTake::Ok { remaining })
    }

    /// Takes the question on: `true` when nobody else asks it now. A taking whose deadline has passed
    /// (its process died) is void, and so is one from the future (the clock went back).
    ///
    /// # Errors
    /// The database failed.
    pub fn flight_begin(
        &mut self,
        module: &str,
        value: &str,
        pid: u32,
        now_ms: i64,
        deadline_ms: i64,
    ) -> Result<bool, StoreError> {
        self.conn
            .prepare_cached("DELETE FROM flights WHERE deadline_ms <= ?1 OR begun_ms > ?1")?
            .execute([now_ms])?;
        let new = self
            .conn
            .prepare_cached(
                "INSERT INTO flights (module, value, pid, begun_ms, deadline_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            )?
            .execute(params![module, value, pid, now_ms, deadline_ms])?;
        Ok(new == 1)
    }

    /// The question was answered, or given up.
    ///
    /// # Errors
    /// The database failed.
    pub fn flight_end(&mut self, module: &str, value: &str, pid: u32) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("DELETE FROM flights WHERE module = ?1 AND value = ?2 AND pid = ?3")?
            .execute(params![module, value, pid])?;
        Ok(())
    }

    /// Keeps a note, replacing one of the same name.
    ///
    /// # Errors
    /// The database failed.
    pub fn kv_put(&mut self, key: &str, value: &str, now_ms: i64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO kv (key, value, at_ms) VALUES (?1, ?2, ?3)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value, at_ms = excluded.at_ms",
            )?
            .execute(params![key, value, now_ms])?;
        Ok(())
    }
}
