//! Reading the whole chain again. Constant memory; for `audit verify`.

use super::chain::{Chain, Fields, Hash, START, head_parts};
use rusqlite::{Connection, OptionalExtension};

/// What does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A number is missing, or there is one too many.
    Gap,
    /// The row is not the one that was written, or not behind that row.
    Hash,
    /// Rows are missing at the end, or the head was changed.
    Head,
    /// The kept days of the summary do not say what the rows say. The rows count; `rebuild_days` mends it.
    Days,
}

impl Fault {
    /// One sentence for a person.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Gap => "a row is missing before this one",
            Self::Hash => "this row was changed, or a row before it",
            Self::Head => "the end of the trail was cut or changed",
            Self::Days => "the kept counts of days differ from the rows",
        }
    }
}

/// What reading found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Rows read.
    pub entries: u64,
    /// Rows whose key is not at hand: their hash could not be looked at.
    pub unread: u64,
    /// Rows that were written without a key: whoever can write the file could have hashed them anew.
    pub unkeyed: u64,
    /// The first thing that does not fit, with the row's number.
    pub fault: Option<(i64, Fault)>,
}

/// Reads every row and compares.
///
/// # Errors
/// SQLite's.
pub fn verify(connection: &Connection, chain: &dyn Chain) -> rusqlite::Result<Verified> {
    let mut found = Verified {
        entries: 0,
        unread: 0,
        unkeyed: 0,
        fault: None,
    };
    let mut last = START;
    let mut expected = 1_i64;
    let mut statement = connection.prepare(
        "SELECT seq, at_ms, actor, actor_kind, family, verb, result, target, client_id, case_id, details, key_id, hash
         FROM fleet_audit ORDER BY seq",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let text = |at: usize| row.get_ref(at).and_then(|v| Ok(v.as_str()?));
        let fields = Fields {
            seq,
            at_ms: row.get(1)?,
            actor: text(2)?,
            actor_kind: text(3)?,
            family: text(4)?,
            verb: text(5)?,
            result: text(6)?,
            target: text(7)?,
            client: row.get(8)?,
            case: row.get_ref(9)?.as_str_or_null()?,
            details: text(10)?,
        };
        let key = row.get_ref(11)?.as_str_or_null()?;
        let hash: Hash = row.get(12)?;
        found.entries += 1;
        found.unkeyed += u64::from(key.is_none());
        if seq != expected {
            found.fault = Some((seq, Fault::Gap));
            return Ok(found);
        }
        match fields.hashed(&last, |parts| chain.hash_as(key, parts)) {
            Some(right) if right == hash => {}
            Some(_) => {
                found.fault = Some((seq, Fault::Hash));
                return Ok(found);
            }
            None => found.unread += 1,
        }
        last = hash;
        expected = expected.saturating_add(1);
    }
    drop(rows);
    if !head_fits(connection, chain, expected.saturating_sub(1), &last)? {
        found.fault = Some((expected.saturating_sub(1), Fault::Head));
    } else if days_differ(connection)? {
        found.fault = Some((expected.saturating_sub(1), Fault::Days));
    }
    Ok(found)
}

fn head_fits(
    connection: &Connection,
    chain: &dyn Chain,
    entries: i64,
    last: &Hash,
) -> rusqlite::Result<bool> {
    let head = connection
        .query_row(
            "SELECT entries, hash, key_id, mac FROM fleet_audit_head WHERE id = 1",
            [],
            |r| {
                Ok((
                    r.get::<_, i64>(0)?,
                    r.get::<_, Hash>(1)?,
                    r.get::<_, Option<String>>(2)?,
                    r.get::<_, Hash>(3)?,
                ))
            },
        )
        .optional()?;
    Ok(match head {
        None => entries == 0,
        Some((n, hash, key, mac)) => {
            let right = chain.hash_as(key.as_deref(), &head_parts(&n.to_be_bytes(), &hash));
            n == entries && hash == *last && right.is_none_or(|r| r == mac)
        }
    })
}

fn days_differ(connection: &Connection) -> rusqlite::Result<bool> {
    let by_rows = "SELECT (at_ms - ((at_ms % 86400000) + 86400000) % 86400000) / 86400000, actor, actor_kind, family, result, count(*)
                   FROM fleet_audit GROUP BY 1, 2, 3, 4, 5";
    let kept = "SELECT day, actor, actor_kind, family, result, entries FROM fleet_audit_days";
    connection.query_row(
        &format!(
            "SELECT EXISTS (SELECT * FROM ({by_rows}) EXCEPT SELECT * FROM ({kept}))
                 OR EXISTS (SELECT * FROM ({kept}) EXCEPT SELECT * FROM ({by_rows}))"
        ),
        [],
        |r| r.get(0),
    )
}
