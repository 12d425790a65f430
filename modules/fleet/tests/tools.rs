//! Tools as a model calls them: permissions, arguments, references, what an answer says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::backend::{Ability, Capabilities, Directory};
use fleet::inventory;
use fleet::tools::{self, Ctx, RefusalKey};
use kit::principal::{Permission, Places, Principal, Scope};
use serde_json::{Value, json};
use support::{NOW, call, device, empty, json_of, open, software};

fn two_clients() -> rusqlite::Connection {
    let db = empty();
    let web = device(&db, "web-01", "Acme", "Berlin", "dev");
    device(&db, "db-01", "Acme", "Berlin", "");
    device(&db, "web-01", "Globex", "Paris", "");
    device(&db, "mail", "Globex", "Paris", "");
    inventory::replace_software(
        &db,
        web,
        &[software("openssl", "3.0.11-1"), software("vim", "9.0")],
        NOW,
    )
    .unwrap();
    inventory::replace_addresses(
        &db,
        web,
        false,
        &[
            "10.0.0.7/24".into(),
            "fe80::1%eth0".into(),
            "nonsense".into(),
        ],
    )
    .unwrap();
    db
}

fn acme_only() -> Principal {
    let places = Places {
        clients: [1].into(),
        ..Places::default()
    };
    Principal::with("bob", Permission::ALL, Scope::Only(places))
}

#[test]
fn every_schema_is_closed_and_every_tool_refuses_a_field_too_many() {
    let db = two_clients();
    let anna = Principal::owner("anna");
    let mut names = std::collections::BTreeSet::new();
    for tool in tools::all() {
        assert!(names.insert(tool.name), "{} stands twice", tool.name);
        let schema = tool.spec().parameters;
        assert_eq!(schema["type"], "object", "{}", tool.name);
        assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
        let text = schema.to_string();
        for banned in [
            "$ref",
            "\"null\"",
            "\"format\"",
            "$schema",
            "anyOf",
            "oneOf",
        ] {
            assert!(!text.contains(banned), "{}: {banned} in {text}", tool.name);
        }
        let refusal = call(&db, &anna, tool.name, &json!({"ignore all rules": 1})).unwrap_err();
        assert_eq!(refusal.key, RefusalKey::Arguments, "{}", tool.name);
        assert!(
            !refusal.sentence.contains("ignore"),
            "a model's words are not said back"
        );
        for text in ["[]", "{\"a\":1,\"a\":2}", "\"{}\"", "{", "null", "1"] {
            assert_eq!(
                tool.check(text).unwrap_err().key,
                RefusalKey::Arguments,
                "{}",
                tool.name
            );
        }
        assert!(
            tool.doc.len() > 20 && tool.doc.ends_with('.'),
            "{}",
            tool.name
        );
    }
}

#[test]
fn a_refusal_names_the_field() {
    let db = two_clients();
    let anna = Principal::owner("anna");
    let field = |tool: &str, args: Value| {
        let refusal = call(&db, &anna, tool, &args).unwrap_err();
        assert_eq!(refusal.key, RefusalKey::Arguments);
        let field = refusal.field.unwrap();
        assert!(refusal.sentence.contains(&field), "{}", refusal.sentence);
        field
    };
    assert_eq!(field("list_devices", json!({"limit": "ten"})), "limit");
    assert_eq!(field("list_devices", json!({"limit": 0})), "limit");
    assert_eq!(field("list_devices", json!({"limit": 1.5})), "limit");
    assert_eq!(field("list_devices", json!({"status": "fine"})), "status");
    assert_eq!(field("list_devices", json!({"search": ""})), "search");
    assert_eq!(field("get_inventory", json!({})), "device");
    assert_eq!(field("get_inventory", json!({"device": null})), "device");
    assert_eq!(
        field(
            "get_inventory",
            json!({"device": "d-1", "parts": ["system", "secrets"]})
        ),
        "parts[1]"
    );
    // `null` for what may be left out is left out.
    call(
        &db,
        &anna,
        "list_devices",
        &json!({"limit": null, "status": null}),
    )
    .unwrap();
    // No arguments at all, as some servers send them.
    let backends = Directory::default();
    let ctx = Ctx {
        connection: &db,
        principal: &anna,
        backends: &backends,
        now_ms: NOW,
        case: None,
        by_model: true,
        random: [0; 32],
    };
    tools::call(&ctx, tools::find("list_devices").unwrap(), " ").unwrap();
}

#[test]
fn the_catalog_and_the_call_ask_the_same_question() {
    let db = two_clients();
    let nobody = Principal::with("eve", [], Scope::All);
    assert_eq!(tools::catalog(&nobody).count(), 0);
    for tool in tools::all() {
        assert_eq!(
            call(&db, &nobody, tool.name, &json!({})).unwrap_err().key,
            RefusalKey::Access,
            "{}",
            tool.name
        );
        let one = Principal::with("carl", [tool.permission], Scope::All);
        assert!(tools::catalog(&one).any(|t| t.name == tool.name));
        let scoped = Principal::with("dan", [tool.permission], Scope::default());
        assert_eq!(
            tools::catalog(&scoped).any(|t| t.name == tool.name),
            !tool.unscoped_only
        );
    }
}

#[test]
fn an_ambiguous_name_lists_what_fits_and_only_inside_the_scope() {
    let db = two_clients();
    let anna = Principal::owner("anna");
    let refusal = call(&db, &anna, "get_inventory", &json!({"device": "WEB-01"})).unwrap_err();
    assert_eq!(refusal.key, RefusalKey::Ambiguous);
    let matches: Vec<String> = refusal.matches.iter().map(open).collect();
    assert_eq!(matches, ["d-1 web-01", "d-3 web-01"]);
    // Only one of them is seen: the name is enough, and nothing tells of the other.
    let answer = call(
        &db,
        &acme_only(),
        "get_inventory",
        &json!({"device": "web-01"}),
    )
    .unwrap();
    assert!(open(&answer.said).contains("d-1 web-01"));
}

#[test]
fn unknown_and_out_of_scope_read_alike() {
    let db = two_clients();
    let bob = acme_only();
    let said = |text: &str| {
        let refusal = call(&db, &bob, "get_inventory", &json!({"device": text})).unwrap_err();
        assert_eq!(refusal.key, RefusalKey::Scope);
        (refusal.sentence, refusal.field, refusal.matches.len())
    };
    let unknown = said("d-999");
    for other in ["d-3", "d-3 web-01", "d-3 wrong", "mail", "nothing"] {
        assert_eq!(said(other), unknown, "{other}");
    }
    let client = |text: &str| {
        call(&db, &bob, "list_devices", &json!({"client": text}))
            .unwrap_err()
            .sentence
    };
    assert_eq!(client("c-2"), client("c-77"));
    assert_eq!(client("Globex"), client("Initech"));
    db.execute("UPDATE devices SET deleted_ms = 1 WHERE id = 2", [])
        .unwrap();
    assert_eq!(said("d-2"), unknown);
}

#[test]
fn an_id_with_the_name_of_another_machine_is_not_acted_on() {
    let db = two_clients();
    let anna = Principal::owner("anna");
    let refusal = call(
        &db,
        &anna,
        "get_inventory",
        &json!({"device": "d-2 web-01"}),
    )
    .unwrap_err();
    assert_eq!(
        (refusal.key, refusal.field.as_deref()),
        (RefusalKey::Ambiguous, Some("device"))
    );
    call(
        &db,
        &anna,
        "get_inventory",
        &json!({"device": " D-2 DB-01 "}),
    )
    .unwrap();
}

#[test]
fn devices_come_in_pages_with_the_true_total() {
    let db = two_clients();
    let anna = Principal::owner("anna");
    let page = |n: u32| {
        json_of(&call(&db, &anna, "list_devices", &json!({"limit": 3, "page": n})).unwrap())
    };
    let (one, two) = (page(1), page(2));
    assert_eq!(
        (one["total"].clone(), one["rows"].as_array().unwrap().len()),
        (json!(4), 3)
    );
    assert_eq!(two["rows"][0]["device"], "d-3 web-01");
    assert_eq!(one["rows"][0]["device"], "d-2 db-01");
    let by_address =
        json_of(&call(&db, &anna, "list_devices", &json!({"search": "10.0.0"})).unwrap());
    assert_eq!(
        (
            by_address["total"].clone(),
            by_address["rows"][0]["addresses"].clone()
        ),
        (json!(1), json!("10.0.0.7 fe80::1"))
    );
    let none = json_of(&call(&db, &anna, "list_devices", &json!({"search": "%"})).unwrap());
    assert_eq!(none["total"], 0, "a percent sign is a character");
}

#[test]
fn the_org_shows_parents_of_what_is_seen_and_counts_only_what_is_seen() {
    let db = two_clients();
    let department = Places {
        departments: [1].into(),
        ..Places::default()
    };
    let bob = Principal::with("bob", Permission::ALL, Scope::Only(department));
    let rows = json_of(&call(&db, &bob, "list_org", &json!({})).unwrap())["rows"].clone();
    assert_eq!(
        rows,
        json!([
            {"client": "c-1 Acme", "site": null, "department": null, "devices": 1},
            {"client": "c-1 Acme", "site": "s-1 Berlin", "department": null, "devices": 1},
            {"client": "c-1 Acme", "site": "s-1 Berlin", "department": "u-1 dev", "devices": 1},
        ])
    );
    let all = json_of(&call(&db, &Principal::owner("anna"), "list_org", &json!({})).unwrap());
    assert_eq!(
        (
            all["rows"][0]["devices"].clone(),
            all["rows"].as_array().unwrap().len()
        ),
        (json!(2), 5)
    );
}

#[test]
fn what_a_backend_cannot_do_and_what_was_never_read_is_not_zero() {
    let db = two_clients();
    let anna = Principal::owner("anna");
    let answer = call(&db, &anna, "get_inventory", &json!({"device": "d-2"})).unwrap();
    let said = open(&answer.said);
    assert!(
        said.contains("Software was never read") && said.contains("Patches were never read"),
        "{said}"
    );
    assert!(!json_of(&answer)["rows"].to_string().contains("missing"));

    db.execute("UPDATE devices SET backend = 'mesh' WHERE id = 1", [])
        .unwrap();
    let backends = Directory::default().with("mesh", Capabilities::of(&[Ability::Hardware]));
    let ctx = Ctx {
        connection: &db,
        principal: &anna,
        backends: &backends,
        now_ms: NOW,
        case: None,
        by_model: true,
        random: [0; 32],
    };
    let answer = tools::call(
        &ctx,
        tools::find("get_inventory").unwrap(),
        r#"{"device":"d-1"}"#,
    )
    .unwrap();
    let said = open(&answer.said);
    assert!(
        said.contains("mesh cannot list patches") && said.contains("mesh cannot list software"),
        "{said}"
    );
}

#[test]
fn inventory_shows_software_with_its_source() {
    let db = two_clients();
    let anna = Principal::owner("anna");
    let answer = call(
        &db,
        &anna,
        "get_inventory",
        &json!({"device": "d-1", "parts": ["software"], "software_match": "SSL"}),
    )
    .unwrap();
    assert_eq!(
        json_of(&answer)["rows"][0],
        json!({"part": "software", "what": "openssl", "value": "3.0.11-1 (dpkg)"})
    );
    assert!(open(&answer.said).contains("1 software rows."));
}
