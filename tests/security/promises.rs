//! SECURITY.md names a test for each promise: all of them exist.

use std::path::Path;

#[test]
fn every_test_that_is_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let (mut named, mut missing) = (0, Vec::new());
    for name in text.split('`').filter(|t| t.contains(".rs::")) {
        named += 1;
        let (file, test) = name.split_once("::").unwrap();
        let source = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        if !source.contains(&format!("fn {test}(")) {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(named > 40, "only {named} tests are named");
    // The fuzz targets, too.
    for line in text.lines().filter(|l| l.contains("fuzz target `")) {
        let target = line
            .split("fuzz target `")
            .nth(1)
            .and_then(|t| t.split('`').next())
            .unwrap();
        let file = root.join(format!("fuzz/fuzz_targets/{target}.rs"));
        assert!(file.exists(), "{target}");
        let known = super::entries::ENTRIES.iter().any(|(n, _)| *n == target);
        assert!(known, "{target}");
    }
}
