//! Shared by the tests of the store.
#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use kit::human::{Mention, Stance};
use kit::indicator::Indicator;
use kit::principal::Principal;
use kit::text::{Redacted, Redactor, Untrusted};
use rmm_analyst::case::{
    Body, CallVerdict, Planner, ProposalFrom, ProposalKind, Status, TurnStatus, Usage,
};
use rmm_analyst::store::{EvidenceMeta, EvidenceRow, Store, StoreOptions};
use std::path::Path;

/// 2026-11-30T12:00:00Z.
pub(crate) const T0: i64 = 1_796_040_000_000;

struct Nothing;
impl Redactor for Nothing {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

pub(crate) fn red(text: &str) -> Redacted {
    Untrusted::new(text.to_owned()).redact(&Nothing)
}

pub(crate) fn ind(kind: &str, value: &str) -> Indicator {
    serde_json::from_value(serde_json::json!({"type": kind, "value": value})).unwrap()
}

pub(crate) fn ip(n: u8) -> Indicator {
    ind("ip", &format!("203.0.113.{n}"))
}

pub(crate) fn mention(indicator: &Indicator, stance: Stance) -> Mention {
    Mention {
        indicator: indicator.clone(),
        stance,
        why: "named".into(),
        start: 0,
        end: 0,
    }
}

pub(crate) fn human(turn: u32, text: &str, named: &[Indicator]) -> Body {
    Body::Human {
        turn,
        text: red(text),
        sent: None,
        mentions: named
            .iter()
            .map(|i| mention(i, Stance::Authorize))
            .collect(),
        attachments: Vec::new(),
        shown: Vec::new(),
        principal: "anna".into(),
        surface: "cli".into(),
    }
}

pub(crate) fn started(turn: u32) -> Body {
    Body::TurnStarted {
        turn,
        continues: None,
        planner: Planner::Rules,
        model: None,
        tools_mode: None,
    }
}

pub(crate) fn call(turn: u32, n: u32, subject: &Indicator) -> Body {
    Body::Call {
        turn,
        n,
        tool: red("internetdb"),
        argument: red(subject.value()),
        subject: Some(subject.clone()),
        verdict: CallVerdict::Permit,
        reason: None,
        detail: None,
        charged: true,
        marker: None,
    }
}

pub(crate) fn done(turn: u32, n: u32, evidence: Option<u32>, seen: &[Indicator]) -> Body {
    Body::CallDone {
        turn,
        n,
        status: if evidence.is_some() {
            Status::Found
        } else {
            Status::NotFound
        },
        detail: None,
        evidence,
        verdict: None,
        seen: seen.to_vec(),
        age_s: 0,
        ms: 12,
    }
}

pub(crate) fn proposed(n: u64, turn: u32, indicator: &Indicator, found_in: Option<u32>) -> Body {
    Body::Proposed {
        n,
        turn,
        what: ProposalKind::Pivot,
        indicator: indicator.clone(),
        why: red("stands beside the first one"),
        found_in,
        not_in_evidence: false,
        from: ProposalFrom::Model,
    }
}

pub(crate) fn decided(n: u64, approve: bool) -> Body {
    Body::Decided {
        n,
        approve,
        reason: None,
        principal: "anna".into(),
        surface: "cli".into(),
    }
}

pub(crate) fn answer(turn: u32, text: &str) -> Body {
    Body::Answer {
        turn,
        text: red(text),
        unsupported: Vec::new(),
        mentioned: Vec::new(),
    }
}

pub(crate) fn ended(turn: u32, status: TurnStatus) -> Body {
    Body::TurnEnded {
        turn,
        status,
        usage: Usage::default(),
        warnings: Vec::new(),
        error: None,
    }
}

pub(crate) fn evidence(turn: u32, subject: &Indicator, raw: &str) -> EvidenceRow {
    let mut meta = EvidenceMeta::new(turn, "internetdb", Status::Found, T0);
    meta.subject = Some(subject.clone());
    meta.columns = vec!["port".into(), "name".into()];
    meta.rows = vec![vec![red("443"), red("a|b ![x](http://evil.example/)")]];
    EvidenceRow {
        meta,
        raw: red(raw),
    }
}

pub(crate) fn anna() -> Principal {
    Principal::owner("anna")
}

pub(crate) fn bob_only_own() -> Principal {
    Principal {
        cases_view_all: false,
        ..Principal::owner("bob")
    }
}

pub(crate) fn open(path: &Path) -> Store {
    Store::open(path, StoreOptions::default()).unwrap()
}

pub(crate) fn keyed(path: &Path, key: &str) -> Store {
    Store::open(
        path,
        StoreOptions {
            chain_key: Some(key.to_owned().into()),
            read_only: false,
        },
    )
    .unwrap()
}
