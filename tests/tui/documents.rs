//! What is generated from the tables is what stands in the documents.

use rmm_analyst::tui::{commands, keys};

#[test]
fn docs_hold_the_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/terminal.md");
    let text = std::fs::read_to_string(path).unwrap();
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
    let wanted = put(&text, "keys", &keys::markdown());
    let wanted = put(&wanted, "commands", &commands::markdown());
    if std::env::var_os("RMM_ANALYST_BLESS").is_some() {
        std::fs::write(path, &wanted).unwrap();
    }
    assert!(
        text == wanted,
        "docs/terminal.md is not what the tables say: RMM_ANALYST_BLESS=1 writes it"
    );
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
