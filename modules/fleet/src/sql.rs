//! Queries put together from parts that bring their own parameters. Values never become text of a query.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

/// A query under construction: text with anonymous `?`, and one value for each, in order.
#[derive(Clone, Debug, Default)]
pub struct Query {
    text: String,
    values: Vec<Value>,
}

impl Query {
    /// Begins with this text, which holds no `?`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            values: Vec::new(),
        }
    }

    /// A part with its values; a space is put before it.
    pub fn push<const N: usize>(&mut self, text: &str, values: [Value; N]) -> &mut Self {
        debug_assert_eq!(text.matches('?').count(), N, "{text}");
        self.text.push(' ');
        self.text.push_str(text);
        self.values.extend(values);
        self
    }

    /// Another query's text and values, at this place.
    pub fn append(&mut self, other: &Self) -> &mut Self {
        self.text.push(' ');
        self.text.push_str(&other.text);
        self.values.extend(other.values.iter().cloned());
        self
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values so far.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Every row.
    ///
    /// # Errors
    /// SQLite's.
    pub fn rows<T>(
        &self,
        connection: &Connection,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let mut statement = connection.prepare_cached(&self.text)?;
        statement
            .query_map(params_from_iter(&self.values), read)?
            .collect()
    }

    /// The first row, where there is one.
    ///
    /// # Errors
    /// SQLite's.
    pub fn first<T>(
        &self,
        connection: &Connection,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Option<T>> {
        let mut statement = connection.prepare_cached(&self.text)?;
        let mut rows = statement.query(params_from_iter(&self.values))?;
        rows.next()?.map(read).transpose()
    }

    /// The number in the first column of the first row; 0 without one.
    ///
    /// # Errors
    /// SQLite's.
    pub fn count(&self, connection: &Connection) -> rusqlite::Result<u64> {
        Ok(self
            .first(connection, |r| r.get::<_, i64>(0))?
            .and_then(|n| u64::try_from(n).ok())
            .unwrap_or(0))
    }
}

/// Text as a value.
#[must_use]
pub fn text(value: impl Into<String>) -> Value {
    Value::Text(value.into())
}

/// A number as a value.
#[must_use]
pub fn int(value: impl Into<i64>) -> Value {
    Value::Integer(value.into())
}

/// Numbers as a JSON array, for `IN (SELECT value FROM json_each(?))`: one parameter, however many.
#[must_use]
pub fn list<'a>(ids: impl IntoIterator<Item = &'a i64>) -> Value {
    let mut text = String::from("[");
    for (at, id) in ids.into_iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&id.to_string());
    }
    text.push(']');
    Value::Text(text)
}

/// The pattern of a `LIKE … ESCAPE '\'` that finds this text anywhere.
#[must_use]
pub fn anywhere(needle: &str) -> Value {
    let mut pattern = String::with_capacity(needle.len().saturating_add(2));
    pattern.push('%');
    for c in needle.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    Value::Text(pattern)
}
