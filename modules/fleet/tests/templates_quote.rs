//! The two quoting functions against the shells: any text arrives as one argument, unchanged.

#![cfg(unix)]

mod templates_support;

use fleet::templates::quote;
use proptest::prelude::*;
use templates_support::{Stage, powershell_words_of_our_subset, shells};

/// Texts that shells do something with.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ '\"\\\\$`;&|<>(){}\\[\\]*?~!#%^=\n\r\t-]{0,12}",
        "[\u{2018}\u{2019}\u{201a}\u{201b}\u{201c}' ;a]{0,8}",
        Just("$(touch x)".to_owned()),
        Just("'; touch x; '".to_owned()),
        Just("`touch x`".to_owned()),
        Just("-rf".to_owned()),
        Just("=ls".to_owned()),
        "[=~%+@:,./a-]{1,5}",
    ]
    .prop_map(|s| s.replace('\0', ""))
}

#[test]
fn a_posix_word_arrives_unchanged_in_every_shell_here() {
    let (stage, shells) = (Stage::new(), shells());
    println!("shells: {shells:?}");
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 120,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&proptest::collection::vec(hostile(), 1..5), |words| {
            let line = words
                .iter()
                .map(|w| quote::sh(w))
                .collect::<Vec<_>>()
                .join(" ");
            let mut wanted = vec!["killall".to_owned()];
            wanted.extend(words);
            for shell in &shells {
                let calls = stage
                    .run(shell, &format!("killall {line}"))
                    .map_err(TestCaseError::fail)?;
                prop_assert_eq!(&calls, &vec![wanted.clone()], "{}", shell.display());
            }
            Ok(())
        })
        .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_powershell_literal_is_read_as_one_word(words in proptest::collection::vec(hostile(), 1..5)) {
        let line = words.iter().map(|w| quote::powershell(w)).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(powershell_words_of_our_subset(&line).map_err(TestCaseError::fail)?, words);
    }
}

#[test]
fn the_reader_of_powershell_is_no_yes_sayer() {
    for bad in [
        "'a'; rm",
        "'a' 'b",
        "a;b",
        "$(x)",
        "'a'b",
        "a|b",
        "`a",
        "\"$x\"",
        "'a' & 'b' ;",
        "@x",
        "a\nb",
    ] {
        assert!(powershell_words_of_our_subset(bad).is_err(), "{bad}");
    }
    assert_eq!(
        powershell_words_of_our_subset("Stop-It -Name 'it''s' 'a\u{2019}\u{2019}b'").unwrap(),
        ["Stop-It", "-Name", "it's", "a\u{2019}b"]
    );
}

#[test]
fn nul_is_left_out_because_no_argument_can_hold_it() {
    assert_eq!(quote::sh("a\0b"), "ab");
    assert_eq!(quote::powershell("a\0b"), "'ab'");
    assert_eq!(quote::sh(""), "''");
}
