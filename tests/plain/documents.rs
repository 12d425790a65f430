//! What is generated from the table is what stands in the document.

use rmm_analyst::surface::commands;

#[test]
fn docs_hold_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/terminal.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (open, close) = (
        "<!-- plain commands -->\n",
        "<!-- end of plain commands -->",
    );
    let (before, rest) = text.split_once(open).expect("the mark is there");
    let (_, after) = rest.split_once(close).expect("the mark is there");
    let wanted = format!("{before}{open}{}{close}{after}", commands::plain_markdown());
    if std::env::var_os("RMM_ANALYST_BLESS").is_some() {
        std::fs::write(path, &wanted).unwrap();
    }
    assert!(
        text == wanted,
        "docs/terminal.md is not what the table says: RMM_ANALYST_BLESS=1 writes it"
    );
}

#[test]
fn no_command_stands_twice() {
    let mut seen = std::collections::BTreeSet::new();
    for c in commands::plain() {
        assert!(seen.insert(c.name), "/{} stands twice", c.name);
    }
    assert!(seen.contains("stop") && !seen.contains("print"));
}
