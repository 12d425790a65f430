//! What is generated from the tables is what stands in the documents.

use rmm_analyst::tui::{commands, keys};

/// Compares a document with what its tables are to be, or writes it.
fn holds(document: &str, tables: &[(&str, String)]) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let text = std::fs::read_to_string(&path).unwrap();
    let put = |text: &str, name: &str, table: &str| -> String {
        let (open, close) = (
            format!("<!-- {name} -->\n"),
            format!("<!-- end of {name} -->"),
        );
        let (before, rest) = text
            .split_once(&open)
            .expect("the mark stands in the document");
        let (_, after) = rest
            .split_once(&close)
            .expect("the mark stands in the document");
        format!("{before}{open}{table}{close}{after}")
    };
    let wanted = tables
        .iter()
        .fold(text.clone(), |text, (name, table)| put(&text, name, table));
    if std::env::var_os("RMM_ANALYST_BLESS").is_some() {
        std::fs::write(&path, &wanted).unwrap();
        return;
    }
    assert!(
        text == wanted,
        "{document} is not what the tables say: RMM_ANALYST_BLESS=1 writes it"
    );
}

#[test]
fn docs_hold_the_tables() {
    holds(
        "docs/terminal.md",
        &[
            ("keys", keys::markdown()),
            ("commands", commands::markdown()),
        ],
    );
}

#[test]
fn the_readme_holds_the_keys_of_the_bar() {
    holds("README.md", &[("keyboard", keys::short_markdown())]);
}

/// The manual is compared whole elsewhere; here, that no key is missing in it.
#[test]
fn the_manual_names_every_key() {
    let text = keys::manual();
    for e in keys::TABLE {
        assert!(text.contains(&format!("({})", e.name)), "{}", e.name);
        for k in e.keys {
            assert!(text.contains(k), "{k}");
        }
    }
}

#[test]
fn no_key_means_two_things_in_one_place() {
    let mut seen = std::collections::BTreeSet::new();
    for e in keys::TABLE {
        for k in e.keys {
            assert!(keys::Key::parse(k).is_some(), "{k}");
            assert!(
                seen.insert((e.place, *k)),
                "{k} twice in {}",
                e.place.name()
            );
        }
    }
}

#[test]
fn keys_can_be_changed_but_a_card_takes_no_careless_one() {
    let changes = [
        ("quit", "ctrl-x"),
        ("approve", "enter"),
        ("nonsense", "x"),
        ("help", "hyper-x"),
    ]
    .into_iter()
    .map(|(a, b)| (a.to_owned(), b.to_owned()))
    .collect();
    let map = keys::Keymap::new(&changes);
    assert_eq!(map.word(keys::Action::Quit), "ctrl-x");
    assert_eq!(map.word(keys::Action::Approve), "a");
    assert_eq!(map.problems.len(), 3, "{:?}", map.problems);
}
