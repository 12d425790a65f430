//! How many cases the property tests of the whole program run, read from their source: proptest runs as many as a
//! block's configuration says, or the test fails.

use std::path::{Path, PathBuf};

/// Cases of a block without a configuration (`ProptestConfig::default`).
const DEFAULT: u64 = 256;

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The first number in `text` that can stand for a count: `1_000` is one.
fn number(text: &str) -> Option<u64> {
    let digits: String = text
        .trim_start()
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '_')
        .filter(|c| *c != '_')
        .collect();
    digits.parse().ok()
}

/// The cases that a configuration asks for. `None` when it is written in a way that is not known here.
fn cases(config: &str) -> Option<u64> {
    let value = config
        .split_once("with_cases(")
        .or_else(|| config.split_once("cases: "))
        .map(|(_, v)| v)?;
    // `if super::scores::deep() { 20_000 } else { 800 }`
    match value.strip_prefix("if ") {
        Some(choice) => {
            let mut branches = choice.split('{').skip(1).map(number);
            let (long, short) = (branches.next()??, branches.next()??);
            let by_depth = choice.starts_with("super::scores::deep()")
                || choice.starts_with("std::env::var_os(\"RMM_ANALYST_DEEP\").is_some()");
            by_depth.then_some(())?;
            Some(if super::scores::deep() { long } else { short })
        }
        None => number(value),
    }
}

/// Properties and their cases in one source text: of each `proptest!` block the tests, and its cases for each.
fn count(source: &str) -> Result<(u64, u64), String> {
    let (mut properties, mut all) = (0, 0);
    let lines: Vec<&str> = source.lines().collect();
    for (n, line) in lines.iter().enumerate() {
        if line.trim() != "proptest! {" && !line.trim().ends_with("::proptest! {") {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let close = format!("{}}}", " ".repeat(indent));
        let block: Vec<&str> = lines
            .iter()
            .skip(n + 1)
            .take_while(|l| **l != close)
            .copied()
            .collect();
        let tests = block.iter().filter(|l| l.trim() == "#[test]").count() as u64;
        let config = block.iter().find(|l| l.contains("proptest_config"));
        let each = match config {
            None => DEFAULT,
            Some(config) => cases(config).ok_or_else(|| format!("unknown: {config}"))?,
        };
        if tests == 0 {
            return Err(format!("no test in the block of line {}", n + 1));
        }
        properties += tests;
        all += tests * each;
    }
    Ok((properties, all))
}

#[test]
fn property_cases_are_counted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for dir in ["src", "tests", "modules"] {
        files(&root.join(dir), &mut sources);
    }
    let (mut properties, mut all, mut places) = (0, 0, 0);
    for path in sources.iter().filter(|p| !p.ends_with(file!())) {
        let source = std::fs::read_to_string(path).unwrap();
        let (p, c) = count(&source).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        properties += p;
        all += c;
        places += u64::from(p > 0);
    }
    assert!(properties > 0);
    super::scores::write(
        "properties-all",
        &format!(
            "Property tests: {properties} in {places} files, {all} cases a run by their configuration; those at the \
             entry points are counted apart"
        ),
    );
}

#[test]
fn the_count_reads_what_is_written() {
    let block = |config: &str| {
        format!(
            "proptest! {{\n    {config}\n    #[test]\n    fn a(x in 0..1) {{\n    }}\n    #[test]\n    fn b(y in 0..1) {{}}\n}}\n"
        )
    };
    let at = "#![proptest_config(ProptestConfig";
    assert_eq!(count(&block("")), Ok((2, 2 * DEFAULT)));
    assert_eq!(
        count(&block(&format!("{at}::with_cases(1_500))]"))),
        Ok((2, 3000))
    );
    assert_eq!(
        count(&block(&format!("{at} {{ cases: 40, ..x }})]"))),
        Ok((2, 80))
    );
    let deep = format!("{at}::with_cases(if super::scores::deep() {{ 20 }} else {{ 8 }}))]");
    let each = if super::scores::deep() { 20 } else { 8 };
    assert_eq!(count(&block(&deep)), Ok((2, 2 * each)));
    assert!(count(&block(&format!("{at}::with_cases(many()))]"))).is_err());
    assert_eq!(count("fn proptest() {}"), Ok((0, 0)));
}
