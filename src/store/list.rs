//! Finding cases and proposals.

use super::error::StoreError;
use super::id::{CaseId, SHORT};
use super::index::stored;
use super::{Reader, int, lock, small, uint};
use kit::indicator::Indicator;
use kit::ports::Sighting;
use kit::principal::Principal;
use rusqlite::{OptionalExtension as _, params};
use serde::Serialize;

/// Which cases to list.
#[derive(Clone, Debug, Default)]
pub struct CaseFilter {
    /// Only the cases that this principal may read; `None`: all.
    pub principal: Option<Principal>,
    /// Deleted ones too.
    pub deleted: bool,
    /// Leave closed ones out.
    pub open_only: bool,
    /// Only with this tag.
    pub tag: Option<String>,
    /// At most so many, newest first; 0: no limit.
    pub limit: u32,
}

/// One line of a list of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseSummary {
    /// Id.
    pub id: CaseId,
    /// Short id.
    pub short: String,
    /// Title.
    pub title: String,
    /// Owner.
    pub principal: String,
    /// Begun, milliseconds since the Unix epoch.
    pub created_ms: i64,
    /// Last event.
    pub last_ms: i64,
    /// Turns.
    pub turns: u32,
    /// Open proposals, pivots and actions.
    pub open_proposals: u32,
    /// Tags, sorted.
    pub tags: Vec<String>,
    /// Closed.
    pub closed: bool,
    /// Deleted (tombstone).
    pub deleted: bool,
    /// A turn runs now.
    pub running: bool,
    /// The last turn has no end and nothing runs: its process died.
    pub interrupted: bool,
}

/// Which proposals to list.
#[derive(Clone, Debug, Default)]
pub struct ProposalFilter {
    /// Only of this case.
    pub case: Option<CaseId>,
    /// Only of cases that this principal may read; `None`: all.
    pub principal: Option<Principal>,
    /// Decided and expired ones too.
    pub all: bool,
}

/// A proposal as the index over all cases knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalRow {
    /// Number.
    pub n: u64,
    /// Its case.
    pub case: CaseId,
    /// Turn that made it.
    pub turn: u32,
    /// `pivot`, `job`, …
    pub kind: String,
    /// What would be looked up.
    pub indicator: Indicator,
    /// `open`, `approved`, `denied` or `expired`.
    pub state: String,
    /// When it was made, milliseconds since the Unix epoch.
    pub at_ms: i64,
}

/// The owner name that a query filters by; `None` when the principal reads all cases.
fn owner(principal: Option<&Principal>) -> Option<&str> {
    principal
        .filter(|p| !p.reads_all_cases())
        .map(|p| p.name.as_str())
}

pub(crate) fn case_id(text: &str) -> Result<CaseId, StoreError> {
    CaseId::parse(text).ok_or_else(|| StoreError::damaged(format!("{text:?} is no case id")))
}

impl Reader<'_> {
    /// The case that `text` means: a whole id, the short id (last 8 hex digits), or the beginning of
    /// either, as long as it fits exactly one case that `principal` may read. Deleted cases are found too.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] (also for a case of somebody else) or [`StoreError::Ambiguous`].
    pub fn find_case(&self, text: &str, principal: &Principal) -> Result<CaseId, StoreError> {
        let wanted = text.trim().to_ascii_lowercase();
        let not_found = || StoreError::NotFound(format!("case {:?}", text.trim()));
        if wanted.is_empty()
            || wanted.len() > 36
            || !wanted.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
        {
            return Err(not_found());
        }
        let bare: String = wanted.chars().filter(|c| *c != '-').collect();
        // Hex digits only, so that no character of a GLOB pattern can be in it.
        let mut statement = self.conn.prepare_cached(
            "SELECT id FROM cases
             WHERE (replace(id, '-', '') GLOB ?1 || '*' OR (length(?1) <= ?3 AND short GLOB ?1 || '*'))
                 AND (?2 IS NULL OR principal = ?2)
             ORDER BY created_ms DESC LIMIT 11",
        )?;
        let found: Vec<String> = statement
            .query_map(params![bare, owner(Some(principal)), SHORT as i64], |r| {
                r.get(0)
            })?
            .collect::<Result<_, _>>()?;
        match found.as_slice() {
            [] => Err(not_found()),
            [one] => case_id(one),
            several => Err(StoreError::Ambiguous {
                prefix: text.trim().to_owned(),
                matches: several.iter().take(10).cloned().collect(),
            }),
        }
    }

    /// Whether the principal may read the case (its own, or all).
    ///
    /// # Errors
    /// No such case.
    pub fn visible(&self, case: &CaseId, principal: &Principal) -> Result<bool, StoreError> {
        let name: String = self
            .conn
            .prepare_cached("SELECT principal FROM cases WHERE id = ?1")?
            .query_row([case.as_str()], |r| r.get(0))
            .optional()?
            .ok_or_else(|| StoreError::NotFound(format!("case {case}")))?;
        Ok(principal.reads_all_cases() || principal.name == name)
    }

    /// Cases by last event, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub fn list_cases(&self, filter: &CaseFilter) -> Result<Vec<CaseSummary>, StoreError> {
        self.summaries(filter, None)
    }

    /// The summary of one case.
    ///
    /// # Errors
    /// No such case.
    pub fn summary(&self, case: &CaseId) -> Result<CaseSummary, StoreError> {
        let all = CaseFilter {
            deleted: true,
            ..CaseFilter::default()
        };
        self.summaries(&all, Some(case))?
            .pop()
            .ok_or_else(|| StoreError::NotFound(format!("case {case}")))
    }

    fn summaries(
        &self,
        filter: &CaseFilter,
        only: Option<&CaseId>,
    ) -> Result<Vec<CaseSummary>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT c.id, c.short, s.title, c.principal, c.created_ms, s.last_ms, s.turns,
                    (SELECT count(*) FROM proposals p WHERE p.case_key = c.key AND p.state = 'open')
                    + (SELECT count(*) FROM fleet_proposals f WHERE f.case_id = c.id
                           AND f.status = 'awaiting_approval' AND s.closed = 0),
                    s.tags, s.closed, s.deleted, s.open_turn IS NOT NULL
             FROM cases c JOIN summaries s ON s.case_key = c.key
             WHERE (?1 IS NULL OR c.principal = ?1) AND (?2 OR s.deleted = 0) AND (NOT ?3 OR s.closed = 0)
                 AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(s.tags) t WHERE t.value = ?4))
                 AND (?6 IS NULL OR c.id = ?6)
             ORDER BY s.last_ms DESC, c.key DESC LIMIT ?5",
        )?;
        let limit = if filter.limit == 0 {
            -1
        } else {
            i64::from(filter.limit)
        };
        let mut rows = statement.query(params![
            owner(filter.principal.as_ref()),
            filter.deleted,
            filter.open_only,
            filter.tag,
            limit,
            only.map(CaseId::as_str),
        ])?;
        let mut list = Vec::new();
        while let Some(r) = rows.next()? {
            let id = case_id(&r.get::<_, String>(0)?)?;
            let tags: String = r.get(8)?;
            let open_turn: bool = r.get(11)?;
            let running = open_turn && lock::locked(self.shared.dir(), &id);
            list.push(CaseSummary {
                id,
                short: r.get(1)?,
                title: r.get(2)?,
                principal: r.get(3)?,
                created_ms: r.get(4)?,
                last_ms: r.get(5)?,
                turns: small(r.get(6)?),
                open_proposals: small(r.get(7)?),
                tags: serde_json::from_str(&tags).unwrap_or_default(),
                closed: r.get(9)?,
                deleted: r.get(10)?,
                running,
                interrupted: open_turn && !running,
            });
        }
        Ok(list)
    }

    /// The principal's own case with the newest event that is neither closed nor deleted.
    ///
    /// # Errors
    /// The database failed.
    pub fn last_case(&self, principal: &Principal) -> Result<Option<CaseId>, StoreError> {
        let id: Option<String> = self
            .conn
            .prepare_cached(
                "SELECT c.id FROM cases c JOIN summaries s ON s.case_key = c.key
                 WHERE c.principal = ?1 AND s.closed = 0 AND s.deleted = 0
                 ORDER BY s.last_ms DESC, c.key DESC LIMIT 1",
            )?
            .query_row([&principal.name], |r| r.get(0))
            .optional()?;
        id.as_deref().map(case_id).transpose()
    }

    /// The proposal with this number and its case. Whether the principal may see it is for the caller to
    /// ask ([`Reader::visible`]).
    ///
    /// # Errors
    /// No such proposal.
    pub fn proposal(&self, n: u64) -> Result<(CaseId, ProposalRow), StoreError> {
        let mut found = self.proposal_rows(
            &ProposalFilter {
                all: true,
                ..ProposalFilter::default()
            },
            Some(n),
        )?;
        match found.pop() {
            Some(row) => Ok((row.case.clone(), row)),
            None => Err(StoreError::NotFound(format!("proposal {n}"))),
        }
    }

    /// Proposals over all cases in ascending order; those of deleted cases are left out unless the filter
    /// names the case.
    ///
    /// # Errors
    /// The database failed.
    pub fn open_proposals(&self, filter: &ProposalFilter) -> Result<Vec<ProposalRow>, StoreError> {
        self.proposal_rows(filter, None)
    }

    fn proposal_rows(
        &self,
        filter: &ProposalFilter,
        only: Option<u64>,
    ) -> Result<Vec<ProposalRow>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT p.n, c.id, p.turn, p.kind, p.type, p.value, p.state, p.at_ms
             FROM proposals p JOIN cases c ON c.key = p.case_key JOIN summaries s ON s.case_key = c.key
             WHERE (?1 IS NULL OR c.id = ?1) AND (?2 IS NULL OR c.principal = ?2)
                 AND (?3 OR p.state = 'open') AND (?4 IS NULL OR p.n = ?4)
                 AND (s.deleted = 0 OR ?1 IS NOT NULL OR ?4 IS NOT NULL)
             ORDER BY p.n",
        )?;
        let mut rows = statement.query(params![
            filter.case.as_ref().map(CaseId::as_str),
            owner(filter.principal.as_ref()),
            filter.all,
            only.map(int),
        ])?;
        let mut list = Vec::new();
        while let Some(r) = rows.next()? {
            list.push(ProposalRow {
                n: uint(r.get(0)?),
                case: case_id(&r.get::<_, String>(1)?)?,
                turn: small(r.get(2)?),
                kind: r.get(3)?,
                indicator: stored(&r.get::<_, String>(4)?, &r.get::<_, String>(5)?)?,
                state: r.get(6)?,
                at_ms: r.get(7)?,
            });
        }
        Ok(list)
    }

    /// Cases that know the indicator, newest first, without `except` and without deleted ones. At most 100.
    ///
    /// # Errors
    /// The database failed.
    pub fn sightings(
        &self,
        indicator: &Indicator,
        except: Option<&CaseId>,
        principal: &Principal,
    ) -> Result<Vec<Sighting>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT c.id, s.title, i.first_ms, i.last_ms, i.role, s.answer
             FROM indicators i JOIN cases c ON c.key = i.case_key JOIN summaries s ON s.case_key = c.key
             WHERE i.value = ?1 AND i.type = ?2 AND s.deleted = 0
                 AND (?3 IS NULL OR c.id <> ?3) AND (?4 IS NULL OR c.principal = ?4)
             ORDER BY i.last_ms DESC, c.key DESC LIMIT 100",
        )?;
        let rows = statement.query_map(
            params![
                indicator.value(),
                indicator.kind().name(),
                except.map(CaseId::as_str),
                owner(Some(principal)),
            ],
            |r| {
                Ok(Sighting {
                    case: r.get(0)?,
                    title: r.get(1)?,
                    first_ms: r.get(2)?,
                    last_ms: r.get(3)?,
                    role: r.get(4)?,
                    concluded: r.get(5)?,
                })
            },
        )?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
