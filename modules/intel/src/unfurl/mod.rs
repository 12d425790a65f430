//! `unfurl`: takes a URL apart without asking anyone: host, path, query, and what hides in the values:
//! other URLs, base64, tokens, times in identifiers, who is being tracked. Everything is bounded: depth,
//! rows, length.

mod guess;
mod ids;
mod rewrap;
mod token;
mod track;

use kit::ports::Fut;
use kit::{
    Activity, Context, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec, Outcome,
    Report, Table, Untrusted, Verdict,
};
use percent_encoding::percent_decode_str;
use std::collections::VecDeque;
use url::{Host, Url};

/// Depth to which values are taken apart.
const MAX_DEPTH: usize = 6;
/// Rows of the table.
const MAX_ROWS: usize = 200;
/// Bytes of a parameter's name that stand in the place of what is below it. A longer one has its own row.
const MAX_NAME: usize = 600;
/// Bytes of all values. What is beyond is left out by the row: a value is never cut before secrets are out.
const MAX_BYTES: usize = 2_000_000;
/// Longest value that is taken apart, in bytes.
const MAX_INSPECTED: usize = 64 * 1024;
/// Times that percent encoding is undone for one value.
const MAX_DECODES: usize = 4;

/// The module.
pub struct Unfurl;

static SPEC: ModuleSpec = ModuleSpec {
    name: "unfurl",
    types: &[IndicatorType::Url],
    ai_tool: true,
    activity: Activity::Offline,
    local_model_only: false,
    key: KeyNeed::None,
    secrets: &[],
    base_url: "",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    rate: &[],
    ttl_s: 0,
    help: Help {
        what: "Takes a URL apart offline: parts, hidden URLs, base64, JWT claims, times in identifiers, mail addresses, trackers.",
        example: "https://example.com/r?u=aHR0cHM6Ly9leGFtcGxlLm9yZy8&utm_source=mail",
        get_key: "",
    },
};

impl Module for Unfurl {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        let outcome = match Url::parse(subject.value()) {
            Ok(url) => Outcome::Found(report(&url, cx.now_ms)),
            Err(_) => Outcome::CouldNotLook(kit::CouldNot::Unsupported {
                detail: "not an absolute URL".into(),
            }),
        };
        Box::pin(async move { outcome })
    }
}

/// One line of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    part: String,
    value: String,
    meaning: String,
}

/// Something inside a value that is worth a look of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Inner {
    /// A URL.
    Url(String),
    /// Text that may hold something; the second is what it was before.
    Text(String, &'static str),
}

/// What still has to be looked at.
struct Task {
    part: String,
    inner: Inner,
    depth: usize,
}

/// The work on one URL.
struct Walk {
    rows: Vec<Row>,
    left_out: usize,
    bytes: usize,
    tasks: VecDeque<Task>,
    now_ms: i64,
}

impl Walk {
    fn row(&mut self, part: impl Into<String>, value: &str, meaning: impl Into<String>) {
        let part = part.into();
        let bytes = self.bytes.saturating_add(part.len() + value.len());
        if self.rows.len() >= MAX_ROWS || bytes > MAX_BYTES {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.bytes = bytes;
        self.rows.push(Row {
            part,
            value: value.to_owned(),
            meaning: meaning.into(),
        });
    }

    fn later(&mut self, part: String, inner: Inner, depth: usize) {
        if depth > MAX_DEPTH || self.rows.len() >= MAX_ROWS || self.tasks.len() >= MAX_ROWS {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.tasks.push_back(Task { part, inner, depth });
    }

    fn run(&mut self) {
        while let Some(task) = self.tasks.pop_front() {
            match task.inner {
                Inner::Url(text) => match Url::parse(&text) {
                    Ok(url) => self.url(&url, &format!("{} › ", task.part), task.depth),
                    Err(_) => {
                        self.row(task.part, &text, "looks like a URL, but is not a valid one")
                    }
                },
                Inner::Text(text, was) => {
                    self.row(task.part.clone(), &text, was);
                    self.value(&task.part, &text, "", task.depth);
                }
            }
        }
    }

    /// The parts of a URL, each under the name of where the URL stood.
    fn url(&mut self, url: &Url, at: &str, depth: usize) {
        if depth > 0 {
            self.row(at.trim_end_matches(" › "), url.as_str(), "a URL inside");
        }
        self.row(format!("{at}scheme"), url.scheme(), "");
        if !url.username().is_empty() {
            self.row(
                format!("{at}user"),
                &decode(url.username()),
                "user name before the host; the host comes after the @",
            );
        }
        if url.password().is_some() {
            self.row(
                format!("{at}password"),
                "(not shown)",
                "a password before the host",
            );
        }
        self.host(url, at);
        match (url.port(), url.port_or_known_default()) {
            (Some(port), _) => self.row(
                format!("{at}port"),
                &port.to_string(),
                "not the scheme's own",
            ),
            (None, Some(port)) => {
                self.row(format!("{at}port"), &port.to_string(), "the scheme's own")
            }
            (None, None) => {}
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        match url.path_segments() {
            Some(segments) => {
                for (n, segment) in segments.filter(|s| !s.is_empty()).enumerate() {
                    self.leaf(format!("{at}path {}", n + 1), segment, "", &host, depth);
                }
            }
            None => self.leaf(format!("{at}path"), url.path(), "", &host, depth),
        }
        if let Some(query) = url.query() {
            self.pairs(&format!("{at}query "), query, &host, depth);
        }
        if let Some(fragment) = url.fragment() {
            // Single-page programs and OAuth keep a query in the fragment; the server never sees it.
            if fragment.trim_end_matches('=').contains('=') {
                let inner = fragment.split_once('?').map_or(fragment, |(_, q)| q);
                self.pairs(&format!("{at}fragment "), inner, &host, depth);
            } else {
                self.leaf(
                    format!("{at}fragment"),
                    fragment,
                    "not sent to the server",
                    &host,
                    depth,
                );
            }
        }
        if let Some((how, target)) = rewrap::target(url) {
            self.later(format!("{at}{how}"), Inner::Url(target), depth + 1);
        }
    }

    fn host(&mut self, url: &Url, at: &str) {
        let meaning = match url.host() {
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => "an address instead of a name".to_owned(),
            Some(Host::Domain(name)) => {
                let (readable, valid) = idna::domain_to_unicode(name);
                if readable != name && valid.is_ok() {
                    format!("readable form: {readable}")
                } else {
                    String::new()
                }
            }
            None => String::new(),
        };
        if let Some(host) = url.host_str() {
            self.row(format!("{at}host"), host, meaning);
        }
        if let Some(Host::Domain(name)) = url.host()
            && let Some(domain) = psl::domain_str(name)
            && domain != name
        {
            self.row(
                format!("{at}domain"),
                domain,
                "the registrable part of the host",
            );
        }
    }

    fn pairs(&mut self, at: &str, query: &str, host: &str, depth: usize) {
        for pair in query.split(['&', ';']).filter(|p| !p.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(&name.replace('+', " "));
            let meaning = track::tracker(&name, host).unwrap_or_default();
            let part = if name.len() > MAX_NAME {
                self.row(format!("{at}a long name"), &name, "");
                format!("{at}(long name)")
            } else {
                format!("{at}{name}")
            };
            if value.trim_end_matches('=').is_empty() {
                // A bare value: a base64 text's own padding looks like an empty one.
                self.row(part.clone(), "", meaning);
                self.value(&part, &decode(pair), host, depth);
            } else {
                self.leaf(part, &value.replace('+', " "), meaning, host, depth);
            }
        }
    }

    /// A value as it stands in the URL: shown decoded, then looked into.
    fn leaf(&mut self, part: String, encoded: &str, meaning: &str, host: &str, depth: usize) {
        let once = decode(encoded);
        self.row(part.clone(), &once, meaning);
        self.value(&part, &once, host, depth);
    }

    /// Looks into a value.
    fn value(&mut self, part: &str, value: &str, host: &str, depth: usize) {
        if value.len() < 4 || value.len() > MAX_INSPECTED {
            return;
        }
        if depth >= MAX_DEPTH {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        for (what, shown) in guess::notes(value, host, self.now_ms) {
            self.row(format!("{part} › {what}"), &shown, "");
        }
        for inner in guess::inside(value) {
            self.later(part.to_owned(), inner, depth + 1);
        }
        for (what, shown) in token::claims(value, self.now_ms) {
            self.row(format!("{part} › {what}"), &shown, "");
        }
    }
}

/// Undoes percent encoding once; what is not UTF-8 becomes U+FFFD.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Undoes percent encoding until nothing changes.
fn decode_all(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MAX_DECODES {
        let next = decode(&text);
        if next == text {
            break;
        }
        text = next;
    }
    text
}

fn unfurl(url: &Url, now_ms: i64) -> (Vec<Row>, usize) {
    let mut walk = Walk {
        rows: Vec::new(),
        left_out: 0,
        bytes: 0,
        tasks: VecDeque::new(),
        now_ms,
    };
    walk.url(url, "", 0);
    walk.run();
    (walk.rows, walk.left_out)
}

fn report(url: &Url, now_ms: i64) -> Report {
    let (rows, left_out) = unfurl(url, now_ms);
    let mut table = Table::new(&["Part", "Value", "Meaning"]);
    let mut raw = String::new();
    for row in rows {
        raw.push_str(&format!("{}: {}", row.part, row.value));
        if !row.meaning.is_empty() {
            raw.push_str(&format!(" ({})", row.meaning));
        }
        raw.push('\n');
        table.push([row.part, row.value, row.meaning]);
    }
    if left_out > 0 {
        let note = format!("{left_out} parts that stand deeper or further on");
        raw.push_str(&format!("left out: {note}\n"));
        table.push(["left out", note.as_str(), ""]);
    }
    Report {
        table,
        raw: Untrusted::new(raw),
        verdict: Verdict::Unknown,
        verdict_basis: "the parts of a URL, no judgement".into(),
        source_url: String::new(),
        source_date: None,
        total_rows: None,
    }
}

#[cfg(test)]
mod tests;
