//! Exports: who may open what, how often and until when; what comes out; that memory does not grow with it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::audit::{self, Filter as Trail, Page, Plain};
use fleet::backend::Directory;
use fleet::exports::{self, Opening, StreamError, Streamed, Token, Wanted};
use fleet::inventory;
use fleet::model::ActResult;
use fleet::principal::{self, Change};
use fleet::proposals::{Acting, ProposalError};
use fleet::report::{Filter, Kind};
use fleet::tools::{self, Ctx, Performed, Refusal, RefusalKey};
use kit::principal::{Permission, Places, Principal, Scope};
use kit::text::Redactor;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use support::{NOW, device, empty, json_of, software};

/// Hides one word, as the program's redactor hides a configured secret.
struct Hides(&'static str);

impl Redactor for Hides {
    fn redact(&self, text: &str) -> String {
        text.replace(self.0, "[hidden]")
    }
}

const NOTHING: Hides = Hides("\u{0}");

fn acting<T>(
    db: &Connection,
    who: &Principal,
    now_ms: i64,
    seed: u8,
    f: impl FnOnce(&Acting<'_>) -> Result<T, ProposalError>,
) -> Result<T, ProposalError> {
    let tx = db.unchecked_transaction().unwrap();
    let backends = Directory::default();
    let acting = Acting {
        ctx: Ctx {
            connection: &tx,
            principal: who,
            backends: &backends,
            now_ms,
            case: Some("c-1"),
            by_model: false,
            random: [seed; 32],
        },
        chain: &Plain,
        redactor: &NOTHING,
        expiry_ms: 1000,
    };
    let done = f(&acting)?;
    tx.commit().unwrap();
    Ok(done)
}

/// As a model asks for it.
fn ask(db: &Connection, who: &Principal, tool: &str, args: &Value) -> Result<Value, Refusal> {
    let tool = tools::find(tool).unwrap();
    let done = acting(db, who, NOW, 7, |a| {
        tools::perform(a, tool, &args.to_string())
    })
    .unwrap();
    match done {
        Performed::Answer { answer, proposals } => {
            assert!(proposals.is_empty());
            Ok(json_of(&answer))
        }
        Performed::Refused(refusal) => Err(refusal),
    }
}

fn token(answer: &Value) -> Token {
    let opens = answer["rows"][0]["opens with"].as_str().unwrap();
    let word = opens.split(' ').nth(3).unwrap();
    Token::typed(word)
}

fn claim(db: &Connection, who: &Principal, token: &Token, now_ms: i64) -> Result<Opening, Refusal> {
    acting(db, who, now_ms, 9, |a| exports::claim(a, token)).unwrap()
}

fn rows(
    db: &Connection,
    who: &Principal,
    wanted: &Wanted,
    redactor: &dyn Redactor,
) -> Result<(String, Streamed), StreamError> {
    let backends = Directory::default();
    let ctx = Ctx {
        connection: db,
        principal: who,
        backends: &backends,
        now_ms: NOW,
        case: None,
        by_model: false,
        random: [0; 32],
    };
    let mut out = Vec::new();
    let streamed = exports::stream(&ctx, wanted, redactor, &mut out, &mut |_| true)?;
    Ok((String::from_utf8(out).unwrap(), streamed))
}

/// A store with its first owner and a second principal, who may do the same.
fn store() -> (Connection, Principal, Principal) {
    let db = empty();
    let anna = principal::acting(&db, "anna", None, NOW).unwrap();
    let new = principal::New {
        name: "bob".into(),
        kind: fleet::model::PrincipalKind::Person,
        permissions: Permission::ALL.into_iter().collect(),
        scope: Scope::All,
        users: ["bob".to_owned()].into(),
    };
    principal::add(&db, &anna, &new, NOW).unwrap();
    for (host, client) in [("web-01", "North"), ("=web-02", "South")] {
        let id = device(&db, host, client, "Office", "");
        let found = [software("openssl", "3.0"), software("@SUM", "-1")];
        inventory::replace_software(&db, id, &found, NOW).unwrap();
    }
    let bob = principal::present(&db, "bob").unwrap();
    (db, anna, bob)
}

fn trail(db: &Connection) -> Vec<(String, ActResult, String)> {
    let page = Page {
        limit: 100,
        before: None,
    };
    let filter = Trail {
        action: Some("export".into()),
        ..Trail::default()
    };
    let mut rows: Vec<_> = audit::entries(db, &Principal::owner("x"), &filter, page)
        .unwrap()
        .into_iter()
        .map(|r| (r.action, r.result, r.target))
        .collect();
    rows.reverse();
    rows
}

#[test]
fn a_tool_stores_a_query_and_no_row_passes() {
    let (db, anna, _) = store();
    let answer = ask(
        &db,
        &anna,
        "export_inventory",
        &json!({"report_type": "software"}),
    )
    .unwrap();
    assert_eq!(answer["rows"][0]["rows"], 4);
    let text = answer.to_string();
    assert!(
        !text.contains("openssl") && !text.contains("web-01"),
        "{text}"
    );
    let token = token(&answer);
    assert_eq!(token.as_str().len(), 52);
    // What is kept does not open it.
    let kept: String = db
        .query_row("SELECT token_hash || query FROM exports", [], |r| r.get(0))
        .unwrap();
    assert!(kept.contains(&token.hash()) && !kept.contains(token.as_str()));
    let details: i64 = db
        .query_row(
            "SELECT count(*) FROM fleet_audit WHERE instr(details, ?1) OR instr(target, ?1)",
            [token.as_str()],
            |r| r.get(0),
        )
        .unwrap();
    assert_eq!(details, 0);
    assert_eq!(
        trail(&db),
        [("export.create".into(), ActResult::Ok, token.id())]
    );
    assert_eq!(audit::verify(&db, &Plain).unwrap().fault, None);
}

#[test]
fn a_plain_call_makes_no_export() {
    let (db, anna, _) = store();
    for (tool, args) in [
        ("export_inventory", json!({"report_type": "machines"})),
        ("export_audit", json!({})),
    ] {
        let refusal = support::call(&db, &anna, tool, &args).unwrap_err();
        assert_eq!(refusal.key, RefusalKey::Internal);
        assert!(tools::find(tool).unwrap().trail);
    }
    assert_eq!(exports::list(&db, &anna).unwrap(), []);
}

#[test]
fn it_is_opened_once_by_its_principal_until_it_expires() {
    let (db, anna, bob) = store();
    let answer = ask(
        &db,
        &anna,
        "export_inventory",
        &json!({"report_type": "machines"}),
    )
    .unwrap();
    let token = token(&answer);
    let other = claim(&db, &bob, &token, NOW).unwrap_err();
    let unknown = claim(&db, &bob, &Token::typed("nothing"), NOW).unwrap_err();
    assert_eq!(
        (other.key, &other.sentence),
        (unknown.key, &unknown.sentence)
    );
    let late = claim(&db, &anna, &token, NOW + exports::EXPIRY_MS).unwrap_err();
    assert!(late.sentence.contains("expired"), "{}", late.sentence);
    let opening = claim(&db, &anna, &token, NOW + exports::EXPIRY_MS - 1).unwrap();
    let again = claim(&db, &anna, &token, NOW).unwrap_err();
    assert!(
        again.sentence.contains("opened already"),
        "{}",
        again.sentence
    );
    // One that failed can be tried again.
    acting(&db, &anna, NOW, 9, |a| {
        exports::failed(a, &opening, "the disk is full")
    })
    .unwrap();
    let opening = claim(&db, &anna, &token, NOW).unwrap();
    acting(&db, &anna, NOW, 9, |a| {
        exports::finished(a, &opening, Streamed { rows: 2 })
    })
    .unwrap();
    assert!(claim(&db, &anna, &token, NOW).is_err());
    let kinds: Vec<(String, ActResult)> = trail(&db).into_iter().map(|(a, r, _)| (a, r)).collect();
    let open = "export.open".to_owned();
    let finish = "export.finish".to_owned();
    assert_eq!(
        kinds,
        [
            ("export.create".to_owned(), ActResult::Ok),
            (open.clone(), ActResult::Refused),
            (open.clone(), ActResult::Refused),
            (open.clone(), ActResult::Refused),
            (open.clone(), ActResult::Ok),
            (open.clone(), ActResult::Refused),
            (finish.clone(), ActResult::Failed),
            (open.clone(), ActResult::Ok),
            (finish, ActResult::Ok),
            (open, ActResult::Refused),
        ]
    );
}

fn change(db: &Connection, anna: &Principal, change: &Change) {
    principal::edit(db, anna, "bob", change).unwrap();
}

#[test]
fn permission_is_looked_at_again() {
    let (db, anna, bob) = store();
    for (tool, args, taken) in [
        (
            "export_inventory",
            json!({"report_type": "software"}),
            Permission::ReportsView,
        ),
        ("export_audit", json!({}), Permission::AuditView),
    ] {
        db.execute("DELETE FROM exports", []).unwrap();
        let token = token(&ask(&db, &bob, tool, &args).unwrap());
        let less: BTreeSet<Permission> = Permission::ALL
            .into_iter()
            .filter(|p| *p != taken)
            .collect();
        change(
            &db,
            &anna,
            &Change {
                permissions: Some(less),
                ..Change::default()
            },
        );
        // The caller still holds what was read before: the store counts.
        let refusal = claim(&db, &bob, &token, NOW).unwrap_err();
        assert_eq!(refusal.key, RefusalKey::Access, "{}", refusal.sentence);
        let wanted = if tool == "export_audit" {
            Wanted::Audit(Trail::default())
        } else {
            Wanted::Inventory(Filter::of(Kind::Software))
        };
        assert!(matches!(
            rows(&db, &bob, &wanted, &NOTHING),
            Err(StreamError::Refused(_))
        ));
        change(
            &db,
            &anna,
            &Change {
                permissions: Some(Permission::ALL.into_iter().collect()),
                ..Change::default()
            },
        );
        claim(&db, &bob, &token, NOW).unwrap();
    }
}

#[test]
fn a_narrowed_scope_narrows_the_rows_and_closes_the_audit() {
    let (db, anna, bob) = store();
    let ids: Vec<i64> = db
        .prepare("SELECT id FROM clients ORDER BY name")
        .unwrap()
        .query_map([], |r| r.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let (north, south) = (ids[0], ids[1]);
    let all = Wanted::Inventory(Filter::of(Kind::Machines));
    assert_eq!(rows(&db, &bob, &all, &NOTHING).unwrap().1.rows, 2);
    let whole = token(&ask(&db, &bob, "export_audit", &json!({})).unwrap());
    let places = Places {
        clients: [north].into(),
        ..Places::default()
    };
    change(
        &db,
        &anna,
        &Change {
            scope: Some(Scope::Only(places)),
            ..Change::default()
        },
    );
    // `bob` is as it was read before: the store counts.
    let (text, streamed) = rows(&db, &bob, &all, &NOTHING).unwrap();
    assert_eq!(streamed.rows, 1);
    assert!(
        text.contains("web-01") && !text.contains("web-02"),
        "{text}"
    );
    assert_eq!(
        claim(&db, &bob, &whole, NOW).unwrap_err().key,
        RefusalKey::Access
    );
    let trail = Wanted::Audit(Trail::default());
    assert!(matches!(
        rows(&db, &bob, &trail, &NOTHING),
        Err(StreamError::Refused(_))
    ));
    // A place outside reads like one that is not there.
    let gone = |client| {
        let filter = Filter {
            client: Some(client),
            ..Filter::of(Kind::Machines)
        };
        match rows(&db, &bob, &Wanted::Inventory(filter), &NOTHING) {
            Err(StreamError::Refused(refusal)) => refusal.sentence,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(gone(south), gone(999));
}

#[test]
fn a_disabled_principal_opens_nothing() {
    let (db, anna, bob) = store();
    let token = token(
        &ask(
            &db,
            &bob,
            "export_inventory",
            &json!({"report_type": "machines"}),
        )
        .unwrap(),
    );
    change(
        &db,
        &anna,
        &Change {
            disabled: Some(true),
            ..Change::default()
        },
    );
    assert_eq!(
        claim(&db, &bob, &token, NOW).unwrap_err().key,
        RefusalKey::Access
    );
}

#[test]
fn an_export_is_listed_and_taken_back_by_its_principal_only() {
    let (db, anna, bob) = store();
    let token = token(&ask(&db, &anna, "export_audit", &json!({"since": "7d"})).unwrap());
    let list = exports::list(&db, &anna).unwrap();
    assert_eq!(list.len(), 1);
    assert_eq!(
        (list[0].id.as_str(), list[0].case.as_deref()),
        (token.id().as_str(), Some("c-1"))
    );
    assert_eq!(exports::list(&db, &bob).unwrap(), []);
    let revoke = |who: &Principal, named: &str| {
        acting(&db, who, NOW, 9, |a| exports::revoke(a, named)).unwrap()
    };
    assert_eq!(revoke(&bob, &token.id()), None);
    assert_eq!(revoke(&anna, &token.id()), Some(token.id()));
    assert_eq!(revoke(&anna, &token.id()), None);
    assert!(claim(&db, &anna, &token, NOW).is_err());
}

#[test]
fn without_randomness_there_is_no_token() {
    let (db, anna, _) = store();
    let wanted = Wanted::Audit(Trail::default());
    let made = acting(&db, &anna, NOW, 0, |a| exports::create(a, &wanted));
    assert!(matches!(made, Err(ProposalError::NotDone(_))));
    assert_eq!(exports::list(&db, &anna).unwrap(), []);
}

#[test]
fn rows_are_whole_and_no_formula() {
    let (db, anna, _) = store();
    let wanted = Wanted::Inventory(Filter::of(Kind::Software));
    let (text, streamed) = rows(&db, &anna, &wanted, &NOTHING).unwrap();
    assert_eq!(streamed.rows, 4);
    assert_eq!(
        text,
        "device,hostname,client,site,department,title,version,publisher,source\n\
         d-1,web-01,North,Office,,openssl,3.0,,dpkg\n\
         d-1,web-01,North,Office,,'@SUM,'-1,,dpkg\n\
         d-2,'=web-02,South,Office,,openssl,3.0,,dpkg\n\
         d-2,'=web-02,South,Office,,'@SUM,'-1,,dpkg\n"
    );
    // A secret of this installation leaves in no cell.
    let (text, _) = rows(&db, &anna, &wanted, &Hides("openssl")).unwrap();
    assert!(!text.contains("openssl"));
    assert_eq!(text.matches("[hidden]").count(), 2);
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn the_trail_comes_out_in_its_order() {
    let (db, anna, _) = store();
    for _ in 0..3 {
        let _ = ask(
            &db,
            &anna,
            "export_inventory",
            &json!({"report_type": "tapes"}),
        );
    }
    for filter in [
        Trail::default(),
        Trail {
            actor: Some("anna".into()),
            ..Trail::default()
        },
        Trail {
            since_ms: Some(NOW - 1),
            action: Some("tool".into()),
            ..Trail::default()
        },
    ] {
        let wanted = Wanted::Audit(filter);
        let counted = exports::rows(&db, &anna, &wanted).unwrap();
        let (text, streamed) = rows(&db, &anna, &wanted, &NOTHING).unwrap();
        assert_eq!((streamed.rows, counted), (3, 3));
        let mut lines = text.lines();
        assert_eq!(
            lines.next().unwrap(),
            "entry,at,actor,by,action,result,target,client,case,details"
        );
        let entries: Vec<&str> = lines.map(|l| l.split(',').next().unwrap()).collect();
        assert_eq!(entries, ["1", "2", "3"]);
    }
}

#[test]
fn a_person_can_stop_it() {
    let db = many(2000);
    let anna = Principal::owner("anna");
    let backends = Directory::default();
    let ctx = Ctx {
        connection: &db,
        principal: &anna,
        backends: &backends,
        now_ms: NOW,
        case: None,
        by_model: false,
        random: [0; 32],
    };
    let mut seen = Vec::new();
    let wanted = Wanted::Inventory(Filter::of(Kind::Software));
    let stopped = exports::stream(&ctx, &wanted, &NOTHING, &mut std::io::sink(), &mut |n| {
        seen.push(n);
        seen.len() < 2
    });
    assert!(matches!(stopped, Err(StreamError::Stopped)));
    assert_eq!(seen.len(), 2);
}

/// A store with this many installations, 100 on each device.
fn many(rows: usize) -> Connection {
    let db = empty();
    let tx = db.unchecked_transaction().unwrap();
    let found: Vec<_> = (0..100)
        .map(|n| software(&format!("package-{n:04}"), "1.2.3-4ubuntu5"))
        .collect();
    for n in 0..rows / 100 {
        let id = device(&tx, &format!("host-{n:05}"), "North", "Office", "");
        inventory::replace_software(&tx, id, &found, NOW).unwrap();
    }
    tx.commit().unwrap();
    db
}
