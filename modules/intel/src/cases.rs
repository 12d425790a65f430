//! `cases`: what this program's own cases know of an indicator. Never leaves the machine, and is never
//! given to a model that is not local.

use kit::ports::{Fut, Sighting};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, Report, Table, Untrusted, Verdict,
};

/// Rows shown; the newest.
const MAX_ROWS: usize = 50;

/// The module.
pub struct Cases;

static SPEC: ModuleSpec = ModuleSpec {
    name: "cases",
    types: &IndicatorType::ALL,
    ai_tool: true,
    activity: Activity::Offline,
    local_model_only: true,
    key: KeyNeed::None,
    secrets: &[],
    base_url: "",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    rate: &[],
    // Every turn adds to the memory.
    ttl_s: 0,
    help: Help {
        what: "In which earlier cases of this program the value was seen, when, in what role, and what was concluded.",
        example: "203.0.113.7",
        get_key: "",
    },
};

impl Module for Cases {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move {
            match cx.history.sightings(subject).await {
                Ok(sightings) if sightings.is_empty() => Outcome::NotFound,
                Ok(sightings) => Outcome::Found(report(&sightings)),
                Err(detail) => Outcome::CouldNotLook(CouldNot::Unreachable { detail }),
            }
        })
    }
}

fn report(sightings: &[Sighting]) -> Report {
    let mut table = Table::new(&[
        "Case",
        "Title",
        "First seen",
        "Last seen",
        "Role",
        "Concluded",
    ]);
    for s in sightings.iter().take(MAX_ROWS) {
        table.push([
            s.case.clone(),
            s.title.clone(),
            date(s.first_ms),
            date(s.last_ms),
            s.role.clone(),
            s.concluded.clone(),
        ]);
    }
    let lines: Vec<String> = sightings
        .iter()
        .filter_map(|s| serde_json::to_string(s).ok())
        .collect();
    let newest = sightings.iter().map(|s| s.last_ms).max();
    Report {
        table,
        raw: Untrusted::new(lines.join("\n")),
        verdict: Verdict::Unknown,
        verdict_basis: "own memory, no judgement of its own".into(),
        source_url: String::new(),
        source_date: newest.map(date),
        total_rows: u64::try_from(sightings.len())
            .ok()
            .filter(|n| *n > MAX_ROWS as u64),
    }
}

/// RFC 3339 in UTC, to the second.
fn date(ms: i64) -> String {
    match jiff::Timestamp::from_second(ms.div_euclid(1000)) {
        Ok(t) => t.to_string(),
        Err(_) => "unknown".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sighting(n: i64) -> Sighting {
        Sighting {
            case: format!("C{n}"),
            title: "phish".into(),
            first_ms: 1_700_000_000_000,
            last_ms: 1_700_000_000_999 + n,
            role: "denied".into(),
            concluded: String::new(),
        }
    }

    #[test]
    fn the_newest_are_shown_and_all_are_counted() {
        let all: Vec<Sighting> = (0..60).map(sighting).collect();
        let r = report(&all);
        assert_eq!(r.table.rows.len(), MAX_ROWS);
        assert_eq!(r.total_rows, Some(60));
        assert_eq!(r.source_date.as_deref(), Some("2023-11-14T22:13:21Z"));
        assert_eq!(report(&all[..3]).total_rows, None);
    }

    #[test]
    fn dates_far_out_do_no_harm() {
        for ms in [i64::MIN, -1, 0, i64::MAX] {
            assert!(!date(ms).is_empty());
        }
    }
}
