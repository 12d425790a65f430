//! A small fleet with people around it, and the steps from a call to a decision, each in its own transaction.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "each test file uses a part of it, and helpers of tests fail like tests"
)]

use crate::support::{NOW, Open, device};
use fleet::approvals::{self, Ask, Decision, Denial, Outcome};
use fleet::audit::Plain;
use fleet::backend::Directory;
use fleet::model::{DeviceId, PrincipalKind};
use fleet::principal::{self, New};
use fleet::proposals::{Acting, ProposalError, Proposed};
use fleet::tools::{self, Ctx, Performed, Refusal};
use kit::principal::{Permission, Places, Principal, Scope};
use kit::tool::Examined;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde_json::{Value, json};

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const CASE: &str = "case-1";

/// Two clients: A with sites S (departments dev, ops) and T, B with site U.
pub(crate) struct Desk {
    pub(crate) db: Connection,
    pub(crate) backends: Directory,
    pub(crate) now: i64,
    pub(crate) web: DeviceId,
    pub(crate) sql: DeviceId,
    pub(crate) mail: DeviceId,
    pub(crate) other: DeviceId,
}

pub(crate) fn desk() -> Desk {
    let db = Connection::open_in_memory().unwrap();
    fill(db)
}

pub(crate) fn fill(db: Connection) -> Desk {
    fleet::schema::create(&db).unwrap();
    let web = device(&db, "web", "A", "S", "dev");
    let sql = device(&db, "sql", "A", "S", "ops");
    let mail = device(&db, "mail", "A", "T", "");
    let other = device(&db, "other", "B", "U", "");
    db.execute(
        "UPDATE devices SET connection = 'ssh://root@' || hostname, status = 'online', platform = 'linux', os = 'Debian GNU/Linux'",
        [],
    )
    .unwrap();
    principal::acting(&db, "olga", None, NOW).unwrap();
    Desk {
        db,
        backends: Directory::default(),
        now: NOW,
        web,
        sql,
        mail,
        other,
    }
}

pub(crate) fn owner() -> Principal {
    Principal::owner("olga")
}

/// The whole of client A.
pub(crate) fn of_a() -> Scope {
    Scope::Only(Places {
        clients: [1].into(),
        ..Places::default()
    })
}

/// Department dev of site S of client A.
pub(crate) fn of_dev() -> Scope {
    Scope::Only(Places {
        departments: [1].into(),
        ..Places::default()
    })
}

/// Client B.
pub(crate) fn of_b() -> Scope {
    Scope::Only(Places {
        clients: [2].into(),
        ..Places::default()
    })
}

pub(crate) fn script(devices: &[DeviceId]) -> Value {
    json!({
        "devices": devices, "name": "Clean the cache", "shell": "sh", "script": "apt-get clean\n",
        "expected_effect": "Some disk space is free again.", "why": "The disk is full.",
    })
}

pub(crate) fn task(device: DeviceId) -> Value {
    json!({
        "name": "nightly", "schedule": "30 2 * * *", "shell": "sh", "script": "apt-get clean\n", "device": device,
    })
}

impl Desk {
    pub(crate) fn person(&self, name: &str, permissions: &[Permission], scope: Scope) -> Principal {
        self.principal(name, PrincipalKind::Person, permissions, scope)
    }

    pub(crate) fn principal(
        &self,
        name: &str,
        kind: PrincipalKind,
        permissions: &[Permission],
        scope: Scope,
    ) -> Principal {
        let new = New {
            name: name.into(),
            kind,
            permissions: permissions.iter().copied().collect(),
            scope,
            users: [name.to_owned()].into(),
        };
        principal::add(&self.db, &owner(), &new, NOW)
            .unwrap()
            .principal
    }

    pub(crate) fn ctx<'a>(
        &'a self,
        connection: &'a Connection,
        who: &'a Principal,
        by_model: bool,
    ) -> Ctx<'a> {
        Ctx {
            connection,
            principal: who,
            backends: &self.backends,
            now_ms: self.now,
            case: by_model.then_some(CASE),
            by_model,
            random: [7; 32],
        }
    }

    /// Runs a step in a transaction of its own and commits it; an error rolls back.
    pub(crate) fn step<T>(
        &self,
        who: &Principal,
        by_model: bool,
        run: impl FnOnce(&Acting<'_>) -> Result<T, ProposalError>,
    ) -> Result<T, ProposalError> {
        let tx = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
        let out = {
            let acting = Acting {
                ctx: self.ctx(&tx, who, by_model),
                chain: &Plain,
                redactor: &Open,
                expiry_ms: 24 * HOUR,
            };
            run(&acting)
        }?;
        tx.commit()?;
        Ok(out)
    }

    pub(crate) fn try_call(
        &self,
        who: &Principal,
        tool: &str,
        args: &Value,
    ) -> Result<(String, Vec<Proposed>), Refusal> {
        let tool = tools::find(tool).expect(tool);
        let done = self
            .step(who, true, |acting| {
                tools::perform(acting, tool, &args.to_string())
            })
            .unwrap();
        match done {
            Performed::Answer { answer, proposals } => {
                Ok((crate::support::open(&answer.said), proposals))
            }
            Performed::Refused(refusal) => Err(refusal),
        }
    }

    pub(crate) fn propose(&self, who: &Principal, tool: &str, args: &Value) -> Proposed {
        let (said, mut made) = self.try_call(who, tool, args).unwrap();
        assert!(said.starts_with("Nothing has happened yet."), "{said}");
        assert_eq!(made.len(), 1);
        made.remove(0)
    }

    pub(crate) fn decide(
        &self,
        who: &Principal,
        proposed: &Proposed,
        typed_count: Option<u32>,
    ) -> Decision {
        let ask = Ask {
            n: proposed.n,
            digest: &proposed.digest,
            typed_count,
        };
        self.step(who, false, |acting| approvals::approve(acting, &ask))
            .unwrap()
    }

    pub(crate) fn approved(
        &self,
        who: &Principal,
        proposed: &Proposed,
        typed_count: Option<u32>,
    ) -> Outcome {
        match self.decide(who, proposed, typed_count) {
            Decision::Done(outcome) => outcome,
            Decision::Refused(denial) => panic!("{denial}"),
        }
    }

    pub(crate) fn refused(
        &self,
        who: &Principal,
        proposed: &Proposed,
        typed_count: Option<u32>,
    ) -> Denial {
        match self.decide(who, proposed, typed_count) {
            Decision::Refused(denial) => denial,
            Decision::Done(outcome) => panic!("{outcome:?}"),
        }
    }

    pub(crate) fn text(&self, sql: &str) -> String {
        self.db
            .query_row(sql, [], |r| {
                r.get::<_, rusqlite::types::Value>(0).map(|v| match v {
                    rusqlite::types::Value::Text(t) => t,
                    rusqlite::types::Value::Integer(n) => n.to_string(),
                    rusqlite::types::Value::Null => "NULL".to_owned(),
                    other => format!("{other:?}"),
                })
            })
            .unwrap()
    }

    pub(crate) fn run(&self, sql: &str) {
        self.db.execute_batch(sql).unwrap();
    }

    /// Actions of the audit with their results, in order.
    pub(crate) fn trail(&self) -> Vec<String> {
        self.db
            .prepare("SELECT family || '.' || verb || ' ' || result || ' ' || target FROM fleet_audit ORDER BY seq")
            .unwrap()
            .query_map([], |r| r.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    }

    /// The audit is whole after everything that a test did.
    pub(crate) fn audit_is_whole(&self) {
        let found = fleet::audit::verify(&self.db, &Plain).unwrap();
        assert!(found.fault.is_none(), "{found:?}");
    }
}

/// What the gate is told of a call by a model.
pub(crate) fn examine(desk: &Desk, who: &Principal, tool: &str, args: &Value) -> Examined {
    let ctx = desk.ctx(&desk.db, who, true);
    tools::examine(&ctx, tools::find(tool).unwrap(), &args.to_string())
}

/// A patch on a device, let in by this person; missing where the name is empty.
pub(crate) fn patch(desk: &Desk, device: DeviceId, id: i64, name: &str, approved_by: &str) {
    let state = if approved_by.is_empty() {
        "missing"
    } else {
        "approved"
    };
    desk.run(&format!(
        "INSERT OR IGNORE INTO patches (id, identifier) VALUES ({id}, '{name}');
         INSERT INTO device_patches (device_id, patch_id, state, approved_by, first_ms, changed_ms)
         VALUES ({}, {id}, '{state}', '{approved_by}', 1, 1);",
        device.0
    ));
}

/// The proposal that was made last.
pub(crate) fn last(desk: &Desk) -> fleet::proposals::Proposed {
    let open = approvals::open(&desk.db, &owner(), None, desk.now).unwrap();
    let last = open.last().unwrap();
    fleet::proposals::Proposed {
        n: last.n,
        kind: last.kind,
        id: last.id.clone(),
        subject: 0,
        tool: String::new(),
        title: last.title.clone(),
        why: kit::text::Untrusted::new(String::new()),
        digest: last.digest.clone(),
        devices: last.devices,
        count: last.count,
        expires_ms: last.expires_ms,
    }
}
