//! What a module is given in a test besides the port under test: ports that have nothing, a redactor
//! that changes nothing, and indicators without the readers.

use kit::ports::{
    DataPort, DataSet, DnsAnswer, DnsError, DnsPort, Fut, HistoryPort, HttpError, HttpPort,
    HttpRequest, HttpResponse, RecordType, Sighting,
};
use kit::{Context, Indicator, IndicatorType, Outcome, Redactor, Report, Untrusted};
use secrecy::SecretString;

/// 2026-11-30T17:00:00Z
pub(crate) const NOW_MS: i64 = 1_796_058_000_000;

/// Has no network, no resolver, no data and no memory.
pub(crate) struct Nothing;

impl HttpPort for Nothing {
    fn send<'a>(&'a self, _request: HttpRequest) -> Fut<'a, Result<HttpResponse, HttpError>> {
        Box::pin(async { Err(HttpError::Unreachable("this test has no network".into())) })
    }
}

impl DnsPort for Nothing {
    fn query<'a>(
        &'a self,
        _name: &'a str,
        _rtype: RecordType,
    ) -> Fut<'a, Result<DnsAnswer, DnsError>> {
        Box::pin(async { Err(DnsError::Unreachable("this test has no resolver".into())) })
    }
}

impl DataPort for Nothing {
    fn get<'a>(&'a self, _name: &'a str) -> Fut<'a, Result<DataSet, HttpError>> {
        Box::pin(async { Err(HttpError::Unreachable("this test has no data".into())) })
    }
}

impl HistoryPort for Nothing {
    fn sightings<'a>(
        &'a self,
        _indicator: &'a Indicator,
    ) -> Fut<'a, Result<Vec<Sighting>, String>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// A context over `http`, with a configured base URL and perhaps a key.
pub(crate) fn context<'a>(
    http: &'a dyn HttpPort,
    base_url: &'a str,
    key: Option<&'a SecretString>,
) -> Context<'a> {
    Context {
        http,
        dns: &Nothing,
        data: &Nothing,
        history: &Nothing,
        now_ms: NOW_MS,
        key,
        base_url,
        base_url_configured: true,
    }
}

/// An indicator that is canonical already. Built as the program's log builds it.
pub(crate) fn indicator(kind: IndicatorType, value: &str) -> Indicator {
    serde_json::from_value(serde_json::json!({ "type": kind.name(), "value": value }))
        .expect("an indicator")
}

/// Changes nothing, so that a test sees what a module returned.
pub(crate) struct Plain;

impl Redactor for Plain {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// The text inside.
pub(crate) fn open(text: &Untrusted) -> String {
    text.redact(&Plain).as_str().to_owned()
}

/// The rows of a report as text.
pub(crate) fn rows(report: &Report) -> Vec<Vec<String>> {
    report
        .table
        .rows
        .iter()
        .map(|r| r.iter().map(open).collect())
        .collect()
}

/// The report of a found outcome.
pub(crate) fn report(outcome: &Outcome) -> &Report {
    match outcome {
        Outcome::Found(report) => report,
        other => panic!("not found: {other:?}"),
    }
}

/// The cell of a row under a column head.
pub(crate) fn cell(report: &Report, row: usize, column: &str) -> String {
    let at = report
        .table
        .columns
        .iter()
        .position(|c| *c == column)
        .unwrap_or_else(|| panic!("no column {column}"));
    report
        .table
        .rows
        .get(row)
        .and_then(|r| r.get(at))
        .map(open)
        .unwrap_or_else(|| panic!("no row {row}"))
}
