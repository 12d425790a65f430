//! Rows from the database to CSV. Memory does not grow with the rows: SQLite steps, a block of rows is looked
//! at by the redactor and written, and its buffers are used again.

use super::Wanted;
use super::csv::Csv;
use super::open::{check, present};
use crate::audit;
use crate::report;
use crate::sql::Query;
use crate::tools::{Ctx, Refusal};
use kit::principal::Principal;
use kit::text::{Redactor, Untrusted};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params_from_iter};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Heads of the rows of the trail.
pub(super) const AUDIT: &[&str] = &[
    "entry", "at", "actor", "by", "action", "result", "target", "client", "case", "details",
];

/// Rows that go through the redactor at once.
const BLOCK: usize = 512;

/// Why rows stopped coming.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// Not allowed any more.
    #[error("{}", .0.sentence)]
    Refused(Refusal),
    /// SQLite.
    #[error("the store could not be read: {0}")]
    Sql(#[from] rusqlite::Error),
    /// The output.
    #[error("the output could not be written: {0}")]
    Output(#[from] io::Error),
    /// The person stopped it.
    #[error("it was interrupted")]
    Stopped,
}

/// How much came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streamed {
    /// Rows, without the head.
    pub rows: u64,
}

/// How many rows there will be, for progress.
///
/// # Errors
/// SQLite's.
pub fn rows(
    connection: &Connection,
    principal: &Principal,
    wanted: &Wanted,
) -> rusqlite::Result<u64> {
    match wanted {
        Wanted::Inventory(filter) => report::total(connection, &principal.scope, filter),
        Wanted::Audit(filter) if *filter == audit::Filter::default() => {
            Query::new("SELECT entries FROM fleet_audit_head").count(connection)
        }
        Wanted::Audit(filter) => match audit::count(connection, principal, filter) {
            Ok(n) => Ok(n),
            Err(audit::AuditError::Sql(e)) => Err(e),
            Err(_) => Ok(0),
        },
    }
}

/// Looks at permission and scope once more, in the snapshot that is read, and writes every row. `each` is told
/// how many rows are out, now and then; it answers whether to go on.
///
/// # Errors
/// [`StreamError`]. What was written then is not whole.
pub fn stream(
    ctx: &Ctx<'_>,
    wanted: &Wanted,
    redactor: &dyn Redactor,
    out: &mut dyn Write,
    each: &mut dyn FnMut(u64) -> bool,
) -> Result<Streamed, StreamError> {
    let principal = present(ctx).map_err(StreamError::Refused)?;
    let now = Ctx {
        principal: &principal,
        ..*ctx
    };
    check(&now, wanted).map_err(StreamError::Refused)?;
    let query = query(&principal, wanted);
    let columns = wanted.columns();
    let audit = matches!(wanted, Wanted::Audit(_));
    let mut out = Csv::new(out, columns)?;
    let mut block = Block::default();
    let mut streamed = Streamed::default();
    let mut statement = ctx.connection.prepare(query.text())?;
    let mut rows = statement.query(params_from_iter(query.values()))?;
    while let Some(row) = rows.next()? {
        for at in 0..columns.len() {
            match (audit, at) {
                (true, 1) => block.moment(row, at)?,
                (true, 7) => block.client(row, at)?,
                _ => block.value(row, at)?,
            }
        }
        streamed.rows += 1;
        if streamed.rows.is_multiple_of(BLOCK as u64) {
            block.write(columns.len(), redactor, &mut out)?;
            if !each(streamed.rows) {
                return Err(StreamError::Stopped);
            }
        }
    }
    block.write(columns.len(), redactor, &mut out)?;
    out.flush()?;
    Ok(streamed)
}

/// The order is one that the tables give by themselves where there are millions of rows: sorting them would
/// take room.
fn query(principal: &Principal, wanted: &Wanted) -> Query {
    match wanted {
        Wanted::Inventory(filter) => {
            let mut query = report::selection(&principal.scope, filter);
            if filter.kind != report::Kind::Software {
                query.push("ORDER BY d.id", []);
            }
            query
        }
        Wanted::Audit(filter) => {
            let mut query = audit::selection(filter);
            let by_time = filter.actor.is_some()
                || filter.target.is_some()
                || filter.since_ms.is_some()
                || filter.until_ms.is_some();
            query.push(
                if by_time {
                    "ORDER BY at_ms, seq"
                } else {
                    "ORDER BY seq"
                },
                [],
            );
            query
        }
    }
}

/// Cells of some rows: their texts one after the other with a line end between, and where each ends.
#[derive(Default)]
struct Block {
    text: String,
    cells: Vec<(usize, bool)>,
}

impl Block {
    fn end(&mut self, number: bool) {
        self.cells.push((self.text.len(), number));
        self.text.push('\n');
    }

    fn value(&mut self, row: &Row<'_>, at: usize) -> rusqlite::Result<()> {
        let number = match row.get_ref(at)? {
            ValueRef::Text(text) => {
                match std::str::from_utf8(text) {
                    Ok(text) => self.text.push_str(text),
                    Err(_) => self.text.push_str(&String::from_utf8_lossy(text)),
                }
                false
            }
            ValueRef::Integer(n) => {
                let _ = write!(self.text, "{n}");
                true
            }
            ValueRef::Real(n) => {
                let _ = write!(self.text, "{n}");
                true
            }
            ValueRef::Null | ValueRef::Blob(_) => false,
        };
        self.end(number);
        Ok(())
    }

    fn moment(&mut self, row: &Row<'_>, at: usize) -> rusqlite::Result<()> {
        if let Ok(t) = jiff::Timestamp::from_millisecond(row.get(at)?) {
            let _ = write!(self.text, "{}", t.strftime("%Y-%m-%dT%H:%M:%S.%3fZ"));
        }
        self.end(false);
        Ok(())
    }

    fn client(&mut self, row: &Row<'_>, at: usize) -> rusqlite::Result<()> {
        if let Some(id) = row.get::<_, Option<i64>>(at)? {
            let _ = write!(self.text, "c-{id}");
        }
        self.end(false);
        Ok(())
    }

    /// Writes the rows and forgets them. Nearly always the redactor finds nothing in the whole block; only
    /// where it does, it looks at every cell by itself.
    fn write(
        &mut self,
        columns: usize,
        redactor: &dyn Redactor,
        out: &mut Csv<&mut dyn Write>,
    ) -> io::Result<()> {
        let clean = redactor.redact(&self.text) == self.text;
        let mut begin = 0;
        for (at, (end, number)) in self.cells.iter().enumerate() {
            let cell = self.text.get(begin..*end).unwrap_or_default();
            begin = end.saturating_add(1);
            match (clean, *number) {
                (true, true) => out.number(cell)?,
                (true, false) => out.text(cell)?,
                (false, number) => {
                    let shown = Untrusted::new(cell.to_owned()).redact(redactor);
                    if number && shown.as_str() == cell {
                        out.number(cell)?;
                    } else {
                        out.text(shown.as_str())?;
                    }
                }
            }
            if (at + 1).is_multiple_of(columns) {
                out.end_row()?;
            }
        }
        self.text.clear();
        self.cells.clear();
        Ok(())
    }
}
