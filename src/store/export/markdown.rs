//! A case as a report to read. Everything that came from people, tools and models is inert and defanged.

use super::inert::{block, cell};
use super::{Defang, Whole, screen, screen_str, time};
use crate::case::{Call, CallVerdict, CaseState, Status, Turn};
use crate::store::EvidenceMeta;
use kit::indicator::Indicator;
use kit::outcome::plain_reason;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Rows of one evidence that a report shows.
const ROWS: usize = 50;

/// Writing into a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { let _ = writeln!($out, $($arg)*); };
}

struct Report<'a> {
    whole: &'a Whole,
    defang: Defang,
    out: String,
}

pub(crate) fn render(whole: &Whole) -> String {
    let mut report = Report {
        whole,
        defang: Defang::of(&whole.state),
        out: String::new(),
    };
    report.head();
    report.indicators();
    for turn in &whole.state.turns {
        report.turn(turn);
    }
    if !whole.evidence.is_empty() {
        put!(report.out, "## Evidence\n");
        for meta in &whole.evidence {
            report.evidence(meta);
        }
    }
    report.out
}

/// What each source said about an indicator.
pub(crate) fn verdicts(state: &CaseState) -> BTreeMap<&Indicator, BTreeSet<String>> {
    let mut all: BTreeMap<&Indicator, BTreeSet<String>> = BTreeMap::new();
    for call in state.turns.iter().flat_map(|t| &t.calls) {
        if let (Some(subject), Some(verdict)) = (&call.subject, call.source_verdict) {
            all.entry(subject).or_default().insert(format!(
                "{}: {}",
                call.tool.as_str(),
                verdict.name()
            ));
        }
    }
    all
}

impl Report<'_> {
    /// One line of outside text for a cell.
    fn cell(&self, text: &str) -> String {
        cell(&self.defang.text(&screen_str(text)))
    }

    fn head(&mut self) {
        let s = &self.whole.summary;
        let title = self.cell(&s.title);
        put!(self.out, "# {title}\n");
        put!(self.out, "| | |");
        put!(self.out, "| --- | --- |");
        put!(self.out, "| case | {} |", s.id);
        let owner = self.cell(&s.principal);
        put!(self.out, "| owner | {owner} |");
        put!(self.out, "| opened | {} |", time(s.created_ms));
        put!(self.out, "| last event | {} |", time(s.last_ms));
        let state = match (s.deleted, s.closed, s.running) {
            (true, _, _) => "deleted",
            (_, true, _) => "closed",
            (_, _, true) => "a turn is running",
            _ => "open",
        };
        put!(self.out, "| state | {state} |");
        if !s.tags.is_empty() {
            let tags = self.cell(&s.tags.join(", "));
            put!(self.out, "| tags | {tags} |");
        }
        let v = &self.whole.verified;
        let chain = if v.ok() {
            format!("verified, {} events", v.events)
        } else {
            format!(
                "**not intact**: {} problems; see `case verify`",
                v.problems.len()
            )
        };
        put!(self.out, "| log | {chain} |\n");
        put!(
            self.out,
            "Indicators are defanged. \"Could not look\" says nothing about an indicator.\n"
        );
    }

    fn indicators(&mut self) {
        let state = &self.whole.state;
        let mut all: BTreeSet<&Indicator> = state.said.iter().collect();
        all.extend(state.authorized.keys());
        all.extend(&state.denied);
        all.extend(&state.red);
        if all.is_empty() {
            return;
        }
        let verdicts = verdicts(state);
        put!(self.out, "## Indicators\n");
        put!(self.out, "| indicator | type | standing | sources |");
        put!(self.out, "| --- | --- | --- | --- |");
        for i in all {
            let standing = match (state.authorized.get(i), state.denied.contains(i)) {
                _ if state.red.contains(i) => "TLP:RED, kept at home".to_owned(),
                (_, true) => "denied".to_owned(),
                (Some(a), _) => a.how.clone(),
                (None, _) => "mentioned".to_owned(),
            };
            let said = verdicts
                .get(i)
                .map(|v| v.iter().cloned().collect::<Vec<_>>().join("; "))
                .unwrap_or_default();
            let row = [i.defanged(), i.kind().name().into(), standing, said];
            self.row(&row);
        }
        self.out.push('\n');
    }

    fn row(&mut self, cells: &[String]) {
        let cells: Vec<String> = cells.iter().map(|c| self.cell(c)).collect();
        put!(self.out, "| {} |", cells.join(" | "));
    }

    fn turn(&mut self, turn: &Turn) {
        put!(self.out, "## Turn {}, {}\n", turn.n, time(turn.at_ms));
        let text = screen(&turn.text);
        if text.is_empty() {
            put!(self.out, "_Continuation of turn {}._\n", turn.root);
        } else {
            for line in block(&self.defang.text(&text)).lines() {
                put!(self.out, "> {line}");
            }
            self.out.push('\n');
        }
        for a in &turn.attachments {
            let name = self.cell(&a.name);
            put!(
                self.out,
                "Attached: {name}, {} bytes, SHA-256 `{}`\n",
                a.bytes,
                cell(&a.sha256)
            );
        }
        self.ledger(turn);
        if let Some(answer) = &turn.answer {
            let answer = block(&self.defang.text(&screen(answer)));
            put!(self.out, "{answer}");
        }
        for m in &turn.unsupported {
            let (text, why) = (self.cell(&m.text), self.cell(&m.why));
            put!(self.out, "- **Not in evidence:** {text} ({why})");
        }
        for n in &turn.proposals {
            if let Some(a) = self.whole.state.actions.get(n) {
                let what = self.cell(a.proposed.title.as_str());
                let standing = self.cell(&a.standing());
                put!(self.out, "- Action {n}: {what}: {standing}");
            }
            let Some(p) = self.whole.state.proposals.get(n) else {
                continue;
            };
            let (what, why) = (
                self.cell(&p.indicator.defanged()),
                self.cell(p.why.as_str()),
            );
            put!(
                self.out,
                "- Proposal {n}, {}: {what} ({why})",
                p.state.name()
            );
        }
        for w in &turn.warnings {
            let w = self.cell(w);
            put!(self.out, "- Warning: {w}");
        }
        if let Some(error) = &turn.error {
            let error = self.cell(error);
            put!(self.out, "- Error: {error}");
        }
        let by = match (&turn.model, turn.planner) {
            (Some(model), _) => format!("model {}", self.cell(model)),
            (None, _) => "built-in rules".to_owned(),
        };
        let ended = match turn.status {
            Some(status) => format!("the turn ended as {}", status.name()),
            None if self.whole.summary.running => "the turn is running".to_owned(),
            None => "the turn ended as interrupted".to_owned(),
        };
        put!(self.out, "\n_Look-ups chosen by {by}; {ended}._\n");
    }

    fn ledger(&mut self, turn: &Turn) {
        if turn.calls.is_empty() {
            return;
        }
        put!(self.out, "| # | tool | argument | outcome | evidence |");
        put!(self.out, "| --- | --- | --- | --- | --- |");
        for call in &turn.calls {
            let row = [
                call.n.to_string(),
                call.tool.as_str().to_owned(),
                call.argument.as_str().to_owned(),
                if call.in_flight() && self.whole.summary.running {
                    "in flight".to_owned()
                } else {
                    outcome(call)
                },
                call.evidence.map(|e| format!("E{e}")).unwrap_or_default(),
            ];
            self.row(&row);
        }
        self.out.push('\n');
        if turn.refused_more > 0 {
            put!(self.out, "And {} more refused calls.\n", turn.refused_more);
        }
    }

    fn evidence(&mut self, meta: &EvidenceMeta) {
        let subject = meta
            .subject
            .as_ref()
            .map(Indicator::defanged)
            .unwrap_or_default();
        let head = self.cell(&format!("{} {subject}", meta.tool));
        put!(self.out, "### E{}: {head}\n", meta.n);
        let mut facts = vec![status(meta.status, meta.detail.as_deref())];
        if let Some(v) = meta.verdict {
            facts.push(match meta.verdict_basis.as_str() {
                "" => v.name().to_owned(),
                basis => format!("{} ({basis})", v.name()),
            });
        }
        facts.push(format!("asked {}", time(meta.asked_ms)));
        if let Some(date) = &meta.source_date {
            facts.push(format!("data of {}", date.as_str()));
        }
        if !meta.source_url.as_str().is_empty() {
            facts.push(format!("source {}", meta.source_url.as_str()));
        }
        facts.push(format!("{} bytes", meta.bytes));
        let facts = self.cell(&facts.join(", "));
        put!(self.out, "{facts}, SHA-256 `{}`\n", cell(&meta.sha256));
        if meta.columns.is_empty() || meta.rows.is_empty() {
            return;
        }
        self.row(&meta.columns);
        put!(self.out, "|{}", " --- |".repeat(meta.columns.len()));
        for cells in meta.rows.iter().take(ROWS) {
            let cells: Vec<String> = (0..meta.columns.len())
                .map(|i| {
                    cells
                        .get(i)
                        .map(|c| c.as_str().to_owned())
                        .unwrap_or_default()
                })
                .collect();
            self.row(&cells);
        }
        self.out.push('\n');
        let all = meta.total_rows.unwrap_or(0).max(meta.rows.len() as u64);
        let shown = meta.rows.len().min(ROWS) as u64;
        if all > shown {
            put!(self.out, "{shown} of {all} rows.\n");
        }
    }
}

fn status(status: Status, detail: Option<&str>) -> String {
    let name = match status {
        Status::Found => "found",
        Status::NotFound => "not found",
        Status::CouldNotLook => "could not look",
    };
    match detail.map(plain_reason) {
        Some(detail) => format!("{name}: {detail}"),
        None => name.to_owned(),
    }
}

/// The outcome of a call in words; holds stored text, so through `ScreenText` before printing.
#[must_use]
pub fn outcome(call: &Call) -> String {
    let mut words = match (call.verdict, call.status) {
        (CallVerdict::Refuse, _) => {
            let why = call.detail.as_deref().or(call.reason.as_deref());
            format!("refused: {}", why.unwrap_or("by the gate"))
        }
        (CallVerdict::Ask, _) => "proposed".to_owned(),
        (_, Some(s)) => status(s, call.detail.as_deref()),
        (_, None) => "could not look: interrupted".to_owned(),
    };
    if let Some(v) = call.source_verdict {
        let _ = write!(words, ", {}", v.name());
    }
    if call.verdict == CallVerdict::Cached {
        let _ = write!(words, ", {} s old", call.age_s);
    }
    words
}
