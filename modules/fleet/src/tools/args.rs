//! Arguments that several tools share, and how numbers of time are shown.

use super::refer;
use super::{Ctx, Refusal};
use crate::sql::{Query, int};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the fleet by client, site or department; all that is given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// A client as listed (`c-3`) or by its exact name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// A site as listed (`s-4`) or by its exact name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// A department as listed (`u-5`) or by its exact name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub department: Option<String>,
}

/// Adds the conditions for a table with `client_id`, `site_id` and `department_id`, given as columns.
///
/// # Errors
/// A place that is not there.
pub fn within(
    ctx: &Ctx<'_>,
    query: &mut Query,
    (client, site, department): (Option<&str>, Option<&str>, Option<&str>),
    [client_column, site_column, department_column]: [&str; 3],
) -> Result<(), Refusal> {
    if let Some(given) = client {
        let place = refer::client(ctx, given, "client")?;
        query.push(&format!("AND {client_column} = ?"), [int(place.id.0)]);
    }
    if let Some(given) = site {
        let place = refer::site(ctx, given, "site")?;
        query.push(&format!("AND {site_column} = ?"), [int(place.id.0)]);
    }
    if let Some(given) = department {
        let place = refer::department(ctx, given, "department")?;
        query.push(&format!("AND {department_column} = ?"), [int(place.id.0)]);
    }
    Ok(())
}

/// Milliseconds since 1970 as RFC 3339 in UTC, to the second; nothing for a time that is none.
#[must_use]
pub fn when(ms: Option<i64>) -> serde_json::Value {
    ms.and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .map_or(serde_json::Value::Null, |t| {
            serde_json::Value::String(t.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
        })
}

/// Reads a moment: RFC 3339, a date, or a distance back such as `7d`, `24h`, `30m`.
///
/// # Errors
/// Not one of these.
pub fn moment(ctx: &Ctx<'_>, given: &str, field: &str) -> Result<i64, Refusal> {
    let given = given.trim();
    if let Ok(t) = given.parse::<jiff::Timestamp>() {
        return Ok(t.as_millisecond());
    }
    if let Ok(date) = given.parse::<jiff::civil::Date>()
        && let Ok(day) =
            jiff::tz::TimeZone::UTC.to_timestamp(date.to_datetime(jiff::civil::Time::midnight()))
    {
        return Ok(day.as_millisecond());
    }
    let unit = match given.chars().last() {
        Some('d') => 86_400_000,
        Some('h') => 3_600_000,
        Some('m') => 60_000,
        _ => 0_i64,
    };
    let back = given
        .get(..given.len().saturating_sub(1))
        .filter(|_| unit > 0)
        .and_then(|n| n.parse::<u32>().ok())
        .and_then(|n| i64::from(n).checked_mul(unit));
    back.map(|back| ctx.now_ms.saturating_sub(back)).ok_or_else(|| {
        Refusal::value(
            field,
            "a moment is expected: 2026-01-31T12:00:00Z, 2026-01-31, or back from now as 7d, 24h, 30m",
        )
    })
}
