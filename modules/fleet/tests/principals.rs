//! Stored principals: nobody oneself, nobody beyond what one has.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::model::PrincipalKind;
use fleet::principal::{self, Change, New, PrincipalError};
use kit::principal::{Permission, Places, Principal, Scope};
use rusqlite::Connection;
use support::{NOW, device, empty};

fn start() -> (Connection, Principal) {
    let db = empty();
    device(&db, "web", "A", "S", "dev");
    device(&db, "db", "B", "T", "");
    let owner = principal::acting(&db, "anna", None, NOW).unwrap();
    (db, owner)
}

fn new(name: &str, permissions: &[Permission], scope: Scope) -> New {
    New {
        name: name.into(),
        kind: PrincipalKind::Person,
        permissions: permissions.iter().copied().collect(),
        scope,
        users: [format!("os-{name}")].into(),
    }
}

fn clients(ids: &[i64]) -> Scope {
    Scope::Only(Places {
        clients: ids.iter().copied().collect(),
        ..Places::default()
    })
}

#[test]
fn the_first_start_makes_one_owner_and_no_second() {
    let (db, owner) = start();
    assert_eq!(owner, Principal::owner("anna"));
    assert_eq!(principal::acting(&db, "anna", None, NOW).unwrap(), owner);
    assert!(matches!(
        principal::acting(&db, "eve", None, NOW),
        Err(PrincipalError::NoneForUser)
    ));
    assert!(matches!(
        principal::acting(&db, "eve", Some("anna"), NOW),
        Err(PrincipalError::Unknown)
    ));
    assert_eq!(principal::list(&db, &owner).unwrap().len(), 1);
    assert!(
        db.execute("UPDATE principals SET disabled = 1", [])
            .is_err()
    );
    assert!(db.execute("DELETE FROM principals", []).is_err());
}

#[test]
fn what_is_stored_comes_back() {
    let (db, owner) = start();
    let scope = Scope::Only(Places {
        clients: [1].into(),
        sites: [2].into(),
        departments: [1].into(),
    });
    let made = principal::add(
        &db,
        &owner,
        &new(
            "bob",
            &[Permission::DevicesView, Permission::LookupsRun],
            scope.clone(),
        ),
        NOW,
    )
    .unwrap();
    let bob = principal::acting(&db, "os-bob", None, NOW).unwrap();
    assert_eq!(bob, made.principal);
    assert_eq!(
        bob,
        Principal::with(
            "bob",
            [Permission::DevicesView, Permission::LookupsRun],
            scope
        )
    );
    assert!(
        !bob.first_owner && bob.allow(Permission::LookupsRun) && !bob.allow(Permission::AuditView)
    );
    assert!(matches!(
        principal::acting(&db, "anna", Some("bob"), NOW),
        Err(PrincipalError::Unknown)
    ));
    // Who may not manage sees itself only.
    assert_eq!(principal::list(&db, &bob).unwrap().len(), 1);
    // A permission of a newer program gives nothing here.
    db.execute(
        "INSERT INTO principal_permissions VALUES (?1, 'nukes.launch')",
        [made.id],
    )
    .unwrap();
    assert_eq!(principal::present(&db, "bob").unwrap(), bob);
}

#[test]
fn nobody_changes_oneself_except_the_first_owner() {
    let (db, owner) = start();
    principal::add(&db, &owner, &new("bob", &Permission::ALL, Scope::All), NOW).unwrap();
    let bob = principal::present(&db, "bob").unwrap();
    let less = Change {
        permissions: Some([Permission::DevicesView].into()),
        ..Change::default()
    };
    for name in ["bob", "BOB"] {
        assert!(matches!(
            principal::edit(&db, &bob, name, &less),
            Err(PrincipalError::Oneself)
        ));
    }
    assert!(matches!(
        principal::edit(&db, &bob, "anna", &less),
        Err(PrincipalError::FirstOwner)
    ));
    principal::edit(
        &db,
        &owner,
        "anna",
        &Change {
            scope: Some(clients(&[1])),
            ..Change::default()
        },
    )
    .unwrap();
    assert!(principal::present(&db, "anna").unwrap().is_scoped());
    principal::edit(
        &db,
        &owner,
        "anna",
        &Change {
            scope: Some(Scope::All),
            ..Change::default()
        },
    )
    .unwrap();
    let off = Change {
        disabled: Some(true),
        ..Change::default()
    };
    assert!(matches!(
        principal::edit(&db, &owner, "anna", &off),
        Err(PrincipalError::FirstOwner)
    ));
    principal::edit(&db, &owner, "bob", &off).unwrap();
    assert!(matches!(
        principal::acting(&db, "os-bob", None, NOW),
        Err(PrincipalError::Disabled)
    ));
    assert!(matches!(
        principal::present(&db, "bob"),
        Err(PrincipalError::Disabled)
    ));
}

#[test]
fn nobody_gives_more_than_they_have() {
    let (db, owner) = start();
    let manager = [Permission::PrincipalsManage, Permission::DevicesView];
    principal::add(&db, &owner, &new("mia", &manager, clients(&[1])), NOW).unwrap();
    principal::add(&db, &owner, &new("root", &Permission::ALL, Scope::All), NOW).unwrap();
    let mia = principal::present(&db, "mia").unwrap();
    let add = |who: New| principal::add(&db, &mia, &who, NOW);
    assert!(matches!(
        add(new("x", &[Permission::JobsApprove], clients(&[1]))),
        Err(PrincipalError::MoreThanOwn(_))
    ));
    assert!(matches!(
        add(new("x", &[Permission::DevicesView], Scope::All)),
        Err(PrincipalError::MoreThanOwn(_))
    ));
    // A client outside and one that does not exist read alike.
    let outside = add(new("x", &[], clients(&[2]))).unwrap_err().to_string();
    let unknown = add(new("x", &[], clients(&[99]))).unwrap_err().to_string();
    assert_eq!(outside.replace("c-2", "c-99"), unknown);
    let sites = Scope::Only(Places {
        sites: [1].into(),
        departments: [1].into(),
        ..Places::default()
    });
    add(new("ok", &[Permission::DevicesView], sites)).unwrap();
    // Handing a stronger principal to a user of one's own choice is giving too.
    let users = Change {
        users: Some(["mia".to_owned()].into()),
        ..Change::default()
    };
    assert!(matches!(
        principal::edit(&db, &mia, "root", &users),
        Err(PrincipalError::MoreThanOwn(_))
    ));
    let plain = principal::present(&db, "ok").unwrap();
    assert!(matches!(
        principal::add(&db, &plain, &new("y", &[], Scope::default()), NOW),
        Err(PrincipalError::Denied(_))
    ));
}

#[test]
fn names_are_names_and_unique() {
    let (db, owner) = start();
    for bad in [
        "",
        "a b",
        "a\nb",
        "x".repeat(65).as_str(),
        "../x",
        "\u{202e}x",
    ] {
        assert!(
            matches!(
                principal::add(&db, &owner, &new(bad, &[], Scope::default()), NOW),
                Err(PrincipalError::BadName(_))
            ),
            "{bad:?}"
        );
    }
    assert!(matches!(
        principal::add(&db, &owner, &new("ANNA", &[], Scope::default()), NOW),
        Err(PrincipalError::Taken)
    ));
}
