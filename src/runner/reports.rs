//! What a person asks of the fleet by hand: a report, an export, the audit. The same tools that a model calls,
//! with the same checks; what was refused leaves its row in the audit.

use super::Runner;
use crate::store::StoreError;
use fleet::audit::{self, Filter, Page};
use fleet::backend::Directory;
use fleet::exports::{self, Opening, StreamError, Streamed, Token};
use fleet::report::{GroupBy, Kind};
use fleet::tools::{self, Refusal, RefusalKey};
use kit::text::{Redacted, Redactor, Untrusted};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

pub use fleet::exports::csv::{Csv, read as csv_rows};

/// What a tool answered, redacted.
#[derive(Clone, Debug)]
pub struct Asked {
    /// One or two sentences.
    pub said: Redacted,
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<Redacted>>,
    /// How many there are in all, where these are some.
    pub total: Option<u64>,
    /// Sentence, rows and total as one JSON object; numbers are numbers.
    pub raw: Redacted,
}

/// Why it was refused.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Stable name.
    pub key: &'static str,
    /// One sentence of the program.
    pub sentence: String,
    /// What fits an ambiguous name.
    pub matches: Vec<Redacted>,
}

impl Refused {
    fn of(refusal: Refusal, redactor: &dyn Redactor) -> Self {
        Self {
            key: refusal.key.name(),
            sentence: refusal.sentence,
            matches: refusal.matches.iter().map(|m| m.redact(redactor)).collect(),
        }
    }
}

/// An export that a person can open.
#[derive(Clone, Debug)]
pub struct Ready {
    /// What opens it.
    pub token: String,
    /// What names it in lists.
    pub id: String,
    /// Until when, milliseconds since 1970.
    pub expires_ms: i64,
}

/// An export in the list of its principal.
#[derive(Clone, Debug, Serialize)]
pub struct ExportRow {
    /// What names it.
    pub id: String,
    /// Inventory or audit.
    pub kind: &'static str,
    /// Its query.
    pub query: Value,
    /// The case in which it was asked for.
    pub case: Option<String>,
    /// When it was made, milliseconds since 1970.
    pub created_ms: i64,
    /// Until when it can be opened.
    pub expires_ms: i64,
    /// When it was opened.
    pub opened_ms: Option<i64>,
}

/// An export that was let through; its rows can be written once.
#[derive(Clone, Debug)]
pub struct Export {
    opening: Opening,
    /// How many rows it will have, as far as the database can say without reading them.
    pub rows: u64,
}

impl Export {
    /// What names it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.opening.id
    }
}

/// Why an export did not come to its end.
#[derive(Debug)]
pub enum ExportFailed {
    /// Not allowed any more.
    Refused(Refused),
    /// The output.
    Output(io::Error),
    /// The person stopped it.
    Stopped,
    /// The database.
    Store(StoreError),
}

/// Something that does not fit in the trail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// `gap`, `hash`, `head`, `days`.
    pub kind: &'static str,
    /// The number of the row.
    pub entry: i64,
    /// One sentence.
    pub what: &'static str,
    /// The row as it reads now: time, actor, action.
    pub row: Option<FaultRow>,
}

/// The row at which the chain does not fit, as it reads now. Nothing of it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// When, milliseconds since 1970.
    pub at_ms: i64,
    /// Who.
    pub actor: Redacted,
    /// What.
    pub action: Redacted,
}

/// What reading the whole trail found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Rows that were read.
    pub entries: u64,
    /// Rows whose key is not at hand.
    pub unread: u64,
    /// Rows that were written without a key.
    pub unkeyed: u64,
    /// The first thing that does not fit.
    pub fault: Option<Fault>,
}

impl Checked {
    /// Every row could be checked and fits.
    #[must_use]
    pub const fn ok(&self) -> bool {
        self.fault.is_none() && self.unread == 0
    }
}

/// Of what a report can be.
#[must_use]
pub fn report_types() -> Vec<&'static str> {
    Kind::ALL.iter().map(|k| k.name()).collect()
}

/// By what a report can be grouped.
#[must_use]
pub fn group_names() -> Vec<&'static str> {
    GroupBy::ALL.iter().map(|g| g.name()).collect()
}

impl Runner {
    /// Asks a tool that reads, by hand.
    ///
    /// # Errors
    /// The database failed, or there is no such tool.
    pub fn ask_fleet(
        &self,
        tool: &str,
        arguments: &Value,
    ) -> Result<Result<Asked, Refused>, StoreError> {
        let found = known(tool)?;
        let answer = self.store.read(|r| {
            let directory = Directory::default();
            let ctx = self.hand_context(r, &directory);
            Ok(tools::call(&ctx, found, &arguments.to_string()))
        })?;
        match answer {
            Ok(answer) => Ok(Ok(Asked {
                said: answer.said.redact(&*self.redact),
                columns: answer
                    .table
                    .columns
                    .iter()
                    .map(|c| (*c).to_owned())
                    .collect(),
                rows: Untrusted::redact_rows(&answer.table.rows, &*self.redact),
                total: answer.total,
                raw: answer.raw.redact(&*self.redact),
            })),
            Err(refusal) => {
                if matches!(refusal.key, RefusalKey::Access | RefusalKey::Scope) {
                    self.refused_by_hand(found.name, &refusal)?;
                }
                Ok(Err(Refused::of(refusal, &*self.redact)))
            }
        }
    }

    /// The trail of a refusal. A database that cannot be written keeps none; reading it is still refused.
    fn refused_by_hand(&self, tool: &'static str, refusal: &Refusal) -> Result<(), StoreError> {
        let (hand, refusal) = (self.hand(), refusal.clone());
        match self.store.write(move |tx| {
            hand.acting(tx, None, false, |acting| {
                tools::refused(acting, tool, &refusal)
            })
        }) {
            Err(StoreError::ReadOnly { .. }) => Ok(()),
            done => done,
        }
    }

    /// Stores a query that a person opens with a token.
    ///
    /// # Errors
    /// The database failed, or the tool is none that exports.
    pub fn make_export(
        &self,
        tool: &str,
        arguments: &Value,
    ) -> Result<Result<Ready, Refused>, StoreError> {
        let found = known(tool)?;
        let (hand, arguments) = (self.hand(), arguments.to_string());
        let made = self.store.write(move |tx| {
            hand.acting(tx, None, false, |acting| {
                tools::export(acting, found, &arguments)
            })
        })?;
        Ok(made
            .map(|made| Ready {
                token: made.token.as_str().to_owned(),
                id: made.id,
                expires_ms: made.expires_ms,
            })
            .map_err(|r| Refused::of(r, &*self.redact)))
    }

    /// Lets an export through, where its token, its principal and present access fit.
    ///
    /// # Errors
    /// The database failed.
    pub fn open_export(&self, token: &str) -> Result<Result<Export, Refused>, StoreError> {
        let (hand, token) = (self.hand(), Token::typed(token));
        let claimed = self.store.write(move |tx| {
            hand.acting(tx, None, false, |acting| exports::claim(acting, &token))
        })?;
        let opening = match claimed {
            Ok(opening) => opening,
            Err(refusal) => return Ok(Err(Refused::of(refusal, &*self.redact))),
        };
        let rows = self
            .store
            .read(|r| Ok(exports::rows(r.fleet(), &self.principal, &opening.wanted)?))
            .unwrap_or(0);
        Ok(Ok(Export { opening, rows }))
    }

    /// Writes the rows of an export. `each` hears how many are out, now and then, and says whether to go on.
    ///
    /// # Errors
    /// [`ExportFailed`]; what was written is not whole then.
    pub fn write_export(
        &self,
        export: &Export,
        out: &mut dyn Write,
        each: &mut dyn FnMut(u64) -> bool,
    ) -> Result<u64, ExportFailed> {
        let streamed = self.store.read(|r| {
            let directory = Directory::default();
            let ctx = self.hand_context(r, &directory);
            let wanted = &export.opening.wanted;
            Ok(exports::stream(&ctx, wanted, &*self.redact, out, each))
        });
        match streamed.map_err(ExportFailed::Store)? {
            Ok(streamed) => Ok(streamed.rows),
            Err(StreamError::Refused(r)) => {
                Err(ExportFailed::Refused(Refused::of(r, &*self.redact)))
            }
            Err(StreamError::Output(e)) => Err(ExportFailed::Output(e)),
            Err(StreamError::Stopped) => Err(ExportFailed::Stopped),
            Err(StreamError::Sql(e)) => Err(ExportFailed::Store(e.into())),
        }
    }

    /// Writes down how an export ended: its rows, or why it did not come to its end. Then its token opens it
    /// again until it expires.
    ///
    /// # Errors
    /// The database failed.
    pub fn export_ended(
        &self,
        export: &Export,
        ended: Result<u64, &'static str>,
    ) -> Result<(), StoreError> {
        let (hand, opening) = (self.hand(), export.opening.clone());
        self.store.write(move |tx| {
            hand.acting(tx, None, false, |acting| match ended {
                Ok(rows) => exports::finished(acting, &opening, Streamed { rows }),
                Err(why) => exports::failed(acting, &opening, why),
            })
        })
    }

    /// The exports of this principal, newest first.
    ///
    /// # Errors
    /// The database failed.
    pub fn list_exports(&self) -> Result<Vec<ExportRow>, StoreError> {
        let found = self
            .store
            .read(|r| Ok(exports::list(r.fleet(), &self.principal)?))?;
        Ok(found
            .into_iter()
            .map(|e| ExportRow {
                id: e.id,
                kind: e.kind.name(),
                query: e.query,
                case: e.case,
                created_ms: e.created_ms,
                expires_ms: e.expires_ms,
                opened_ms: e.opened_ms,
            })
            .collect())
    }

    /// Takes an export back, by its id or token; `None` where this principal has none of that name.
    ///
    /// # Errors
    /// The database failed.
    pub fn revoke_export(&self, named: &str) -> Result<Option<String>, StoreError> {
        let (hand, named) = (self.hand(), named.to_owned());
        self.store
            .write(move |tx| hand.acting(tx, None, false, |acting| exports::revoke(acting, &named)))
    }

    /// Reads the whole trail and holds it against its hashes. `repair` makes the kept counts of days anew
    /// where only they do not fit: they are derived from the rows.
    ///
    /// # Errors
    /// The database failed.
    pub fn check_audit(&self, repair: bool) -> Result<Result<Checked, Refused>, StoreError> {
        let all = Filter::default();
        let last = Page {
            limit: 1,
            before: None,
        };
        let allowed = self
            .store
            .read(|r| Ok(audit::entries(r.fleet(), &self.principal, &all, last)))?;
        if let Err(e) = allowed {
            let refusal = Refusal::from(e);
            self.refused_by_hand("audit-verify", &refusal)?;
            return Ok(Err(Refused::of(refusal, &*self.redact)));
        }
        let mut checked = self.read_trail()?;
        if repair && checked.fault.as_ref().is_some_and(|f| f.kind == "days") {
            self.store
                .write(|tx| Ok(audit::rebuild_days(tx.fleet())?))?;
            checked = self.read_trail()?;
        }
        Ok(Ok(checked))
    }

    fn read_trail(&self) -> Result<Checked, StoreError> {
        self.store.read(|r| {
            let found = audit::verify(r.fleet(), r.fleet_chain())?;
            let fault = found.fault.map(|(entry, fault)| Fault {
                kind: match fault {
                    audit::Fault::Gap => "gap",
                    audit::Fault::Hash => "hash",
                    audit::Fault::Head => "head",
                    audit::Fault::Days => "days",
                },
                entry,
                what: fault.sentence(),
                row: self.row_at(r.fleet(), entry, fault),
            });
            Ok(Checked {
                entries: found.entries,
                unread: found.unread,
                unkeyed: found.unkeyed,
                fault,
            })
        })
    }

    fn row_at(
        &self,
        connection: &rusqlite::Connection,
        entry: i64,
        fault: audit::Fault,
    ) -> Option<FaultRow> {
        if fault == audit::Fault::Days {
            return None;
        }
        let page = Page {
            limit: 1,
            before: entry.checked_add(1),
        };
        let all = Filter::default();
        let own = |text: String| Untrusted::new(text).redact(&*self.redact);
        audit::entries(connection, &self.principal, &all, page)
            .ok()?
            .into_iter()
            .next()
            .filter(|row| row.seq == entry)
            .map(|row| FaultRow {
                at_ms: row.at_ms,
                actor: own(row.actor),
                action: own(row.action),
            })
    }
}

fn known(tool: &str) -> Result<&'static tools::Tool, StoreError> {
    tools::find(tool).ok_or_else(|| StoreError::Other(format!("no tool {tool}")))
}
