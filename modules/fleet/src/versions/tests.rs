//! Laws of the orders, the examples of each manager's own documentation, and dpkg itself as the judge.

use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::process::Command;

use proptest::prelude::*;

use super::{Range, Scheme, Version, VersionError, compare};

const SCHEMES: [Scheme; 4] = [Scheme::Dpkg, Scheme::Rpm, Scheme::Semver, Scheme::Windows];

/// Short strings over the characters that steer the orders, so that near-equal pairs are common.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,3}(\\.[0-9]{1,2}){0,3}(~rc[0-9]|-r[0-9]|\\+dfsg[0-9]|[a-z]|-rc\\.[0-9]{1,2}|~|\\^[0-9a-f]{2}|_[0-9]|p[0-9])?",
        "[0-9][0-9a-c.+~]{0,6}(-[0-9a-c.+~]{1,3})?",
        "([0-9]:)?[0-9][0-9a-zA-Z.+~-]{0,8}",
        "0{0,3}[0-9]{0,30}",
    ]
}

fn versions(text: &str) -> Vec<Version> {
    SCHEMES
        .iter()
        .filter_map(|s| Version::parse(*s, text).ok())
        .collect()
}

fn order(a: &Version, b: &Version) -> Option<Ordering> {
    a.partial_cmp(b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_scheme_is_a_total_order(a in piece(), b in piece(), c in piece()) {
        for s in SCHEMES {
            let (Ok(a), Ok(b), Ok(c)) = (Version::parse(s, &a), Version::parse(s, &b), Version::parse(s, &c)) else { continue };
            prop_assert_eq!(order(&a, &a), Some(Equal));
            let ab = order(&a, &b).unwrap();
            prop_assert_eq!(ab, order(&b, &a).unwrap().reverse());
            let (bc, ac) = (order(&b, &c).unwrap(), order(&a, &c).unwrap());
            if ab == bc || bc == Equal {
                prop_assert_eq!(ac, ab, "{:?} {:?} {:?}", a, b, c);
            } else if ab == Equal {
                prop_assert_eq!(ac, bc, "{:?} {:?} {:?}", a, b, c);
            }
        }
    }

    #[test]
    fn a_range_and_its_opposite_never_both_hold(v in piece(), bound in piece()) {
        for s in SCHEMES {
            let Ok(less) = Range::parse(s, &format!("<{bound}")) else { continue };
            let Ok(inside) = less.contains(&v) else { continue };
            let other = Range::parse(s, &format!(">={bound}")).unwrap().contains(&v).unwrap();
            prop_assert!(inside != other);
            let equal = Range::parse(s, &bound).unwrap().contains(&v).unwrap();
            let at_most = Range::parse(s, &format!("<= {bound}")).unwrap().contains(&v).unwrap();
            prop_assert_eq!(at_most, inside || equal);
            let either = Range::parse(s, &format!("<{bound} || {bound}")).unwrap().contains(&v).unwrap();
            prop_assert_eq!(either, at_most);
        }
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,40}", other in any::<String>()) {
        for s in SCHEMES {
            let _ = Version::parse(s, &text);
            let _ = Version::parse(s, &other);
            for range in [&text, &other] {
                if let Ok(r) = Range::parse(s, range) {
                    let _ = r.contains(&text);
                }
            }
        }
    }
}

/// Where there is a dpkg, it has the last word. Where there is none, the table below still holds.
#[test]
fn dpkg_itself_says_the_same() {
    let ask = |a: &str, op: &str, b: &str| {
        Command::new("dpkg")
            .args(["--compare-versions", a, op, b])
            .output()
            .map(|o| o.status.code())
    };
    if ask("1", "lt", "2").is_err() {
        eprintln!("there is no dpkg here: compared with the table only");
        return;
    }
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&(piece(), piece()), |(a, b)| {
            let Ok(order) = compare(Scheme::Dpkg, &a, &b) else {
                return Ok(());
            };
            let op = match order {
                Less => "lt",
                Equal => "eq",
                Greater => "gt",
            };
            let said = ask(&a, op, &b).expect("dpkg ran before");
            prop_assert_eq!(said, Some(0), "{} {} {}", a, op, b);
            Ok(())
        })
        .unwrap();
    for (a, sign, b) in DPKG {
        let op = match *sign {
            '<' => "lt",
            '=' => "eq",
            _ => "gt",
        };
        assert_eq!(ask(a, op, b).unwrap(), Some(0), "{a} {op} {b}");
    }
}

/// Where there is an rpm with its Lua, it is asked about upstream versions in one go.
#[test]
fn rpm_itself_says_the_same() {
    let mut pairs = Vec::new();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 600,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let collected = std::cell::RefCell::new(Vec::new());
    runner
        .run(&(piece(), piece()), |(a, b)| {
            collected.borrow_mut().push((a, b));
            Ok(())
        })
        .unwrap();
    for (a, b) in collected.into_inner() {
        if let Ok(order) = compare(Scheme::Rpm, &a, &b)
            && !a.contains(['-', ':'])
            && !b.contains(['-', ':'])
        {
            pairs.push((a, b, order as i32));
        }
    }
    assert!(pairs.len() > 100);
    let calls: String = pairs
        .iter()
        .map(|(a, b, _)| format!("print(rpm.vercmp('{a}','{b}')..' ')"))
        .collect();
    let Ok(output) = Command::new("rpm")
        .arg("--eval")
        .arg(format!("%{{lua:{calls}}}"))
        .output()
    else {
        eprintln!("there is no rpm here: compared with the table only");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(
        said.len(),
        pairs.len(),
        "{:?}",
        String::from_utf8_lossy(&output.stderr)
    );
    for ((a, b, ours), theirs) in pairs.iter().zip(said) {
        assert_eq!(&ours.to_string(), theirs, "{a} {b}");
    }
}

const DPKG: &[(&str, char, &str)] = &[
    ("1.0~rc1", '<', "1.0"),
    ("1.0~~", '<', "1.0~"),
    ("1.0~~a", '<', "1.0~"),
    ("1.0", '<', "1.0a"),
    ("1.0a", '<', "1.0+"),
    ("1.9", '<', "1.10"),
    ("1:1.0", '>', "2.0"),
    ("0:1.0", '=', "1.0"),
    ("1.0", '=', "1.0-0"),
    ("1.0", '<', "1.0-1"),
    ("1.00", '=', "1.0"),
    ("1.0-1", '<', "1.0-1+deb12u1"),
    ("3.0.11-1~deb12u2", '<', "3.0.11-1"),
    ("2.0+really1.9-1", '>', "1.9-1"),
    ("1.0.", '>', "1.0"),
    ("99999999999999999999999", '<', "100000000000000000000000"),
];

fn check(scheme: Scheme, table: &[(&str, char, &str)]) {
    for (a, sign, b) in table {
        let wanted = match sign {
            '<' => Less,
            '=' => Equal,
            _ => Greater,
        };
        assert_eq!(
            compare(scheme, a, b).unwrap(),
            wanted,
            "{scheme:?}: {a} {sign} {b}"
        );
    }
}

#[test]
fn dpkg_examples() {
    check(Scheme::Dpkg, DPKG);
}

/// From the tests of rpm's own source (`tests/rpmvercmp.at`) and its manual.
#[test]
fn rpm_examples() {
    check(
        Scheme::Rpm,
        &[
            ("1.0", '=', "1.0"),
            ("1.0", '<', "2.0"),
            ("2.0.1", '=', "2.0.1"),
            ("2.0", '<', "2.0.1"),
            ("2.0.1a", '>', "2.0.1"),
            ("5.5p1", '<', "5.5p2"),
            ("5.5p10", '>', "5.5p1"),
            ("10xyz", '<', "10.1xyz"),
            ("xyz10", '=', "xyz10"),
            ("xyz10", '<', "xyz10.1"),
            ("xyz.4", '<', "8"),
            ("5.5p2", '<', "5.6p1"),
            ("6.0.rc1", '>', "6.0"),
            ("10b2", '>', "10a1"),
            ("1.0aa", '>', "1.0a"),
            ("10.0001", '=', "10.1"),
            ("10.0001", '<', "10.0039"),
            ("4.999.9", '<', "5.0"),
            ("20101121", '=', "20101121"),
            ("2_0", '=', "2_0"),
            ("2.0", '=', "2_0"),
            ("a+", '=', "a_"),
            ("1.0~rc1", '<', "1.0"),
            ("1.0~rc1~git123", '<', "1.0~rc1"),
            ("1.0^", '>', "1.0"),
            ("1.0^git1", '<', "1.0.1"),
            ("1.0^git1", '<', "1.01"),
            ("1.0^20160101", '<', "1.0.1"),
            ("1.0~rc1^git1", '>', "1.0~rc1"),
            ("1.0^git1~pre", '<', "1.0^git1"),
            ("1:1.0-1", '>', "2.0-1"),
            ("3.0.7-24.el9", '<', "3.0.7-27.el9"),
            ("(none):1.0-1", '=', "0:1.0-1"),
        ],
    );
}

#[test]
fn semver_and_homebrew_examples() {
    check(
        Scheme::Semver,
        &[
            // semver.org, clause 11.
            ("1.0.0-alpha", '<', "1.0.0-alpha.1"),
            ("1.0.0-alpha.1", '<', "1.0.0-alpha.beta"),
            ("1.0.0-alpha.beta", '<', "1.0.0-beta"),
            ("1.0.0-beta", '<', "1.0.0-beta.2"),
            ("1.0.0-beta.2", '<', "1.0.0-beta.11"),
            ("1.0.0-beta.11", '<', "1.0.0-rc.1"),
            ("1.0.0-rc.1", '<', "1.0.0"),
            ("1.0.0-0.3.7", '<', "1.0.0"),
            ("1.0.0-x.7.z.92", '<', "1.0.0"),
            ("1.0.0+20130313144700", '=', "1.0.0"),
            ("2.1.0", '<', "2.1.1"),
            ("1.9.0", '<', "1.10.0"),
            // Like it.
            ("v1.2", '=', "1.2.0"),
            ("1.0rc2", '<', "1.0rc10"),
            ("1.0rc10", '<', "1.0"),
            ("1.1.1", '<', "1.1.1a"),
            ("1.1.1k", '<', "1.1.1l"),
            ("1.1.1w", '<', "1.1.2"),
            ("9.6", '<', "9.6p1"),
            ("3.0.13", '<', "3.0.13_1"),
            ("3.0.13_2", '<', "3.0.13_10"),
            ("3.0.13_1", '<', "3.0.14"),
            ("1.0.final", '=', "1.0"),
            // Alpine.
            ("1.2.3-r4", '>', "1.2.3"),
            ("1.2.3-r4", '<', "1.2.3-r10"),
            ("1.2.3_rc1-r9", '<', "1.2.3-r0"),
            ("1.2.3_p1-r0", '>', "1.2.3-r5"),
            ("1.1.1w-r1", '>', "1.1.1v-r2"),
            ("1.0.0-rc1", '<', "1.0.0"),
            ("1.0-rc1_2", '>', "1.0-rc1"),
            ("1.0-rc1_2", '<', "1.0"),
        ],
    );
}

#[test]
fn windows_examples() {
    check(
        Scheme::Windows,
        &[
            ("10.0.19041.1", '<', "10.0.19041.388"),
            ("10.0.19041", '=', "10.0.19041.0"),
            (
                "6.3.9600.16384 (winblue_rtm.130821-1623)",
                '=',
                "6.3.9600.16384",
            ),
            ("1, 2, 0, 4", '=', "1.2.0.4"),
            ("2.43.0.windows.1", '>', "2.43.0"),
            ("2.43.0.windows.1", '<', "2.43.1"),
            ("17.0.0-preview1", '<', "17.0.0"),
            ("8.0-x64", '>', "8.0"),
            ("115.6.0 ESR", '=', "115.6"),
            ("24.08", '=', "24.8"),
            ("120.0.6099.71", '<', "120.0.6099.130"),
        ],
    );
}

#[test]
fn ranges_mean_what_people_mean() {
    let table: &[(Scheme, &str, &[&str], &[&str])] = &[
        (
            Scheme::Dpkg,
            "<3.0.14",
            &[
                "3.0.11-1~deb12u2",
                "3.0.14~rc1-1",
                "1:3.0.13-1",
                "1.1.1w-0+deb11u1",
            ],
            &["3.0.14-1~deb12u1", "3.0.14", "3.0.15-1", "3.1-1"],
        ),
        (Scheme::Dpkg, "<9.0.1500", &["2:9.0.1378-2"], &["2:9.1.0-1"]),
        (
            Scheme::Dpkg,
            "<2:9.0.1378-2+deb12u1",
            &["2:9.0.1378-2"],
            &["2:9.0.1378-2+deb12u1"],
        ),
        (
            Scheme::Dpkg,
            "3.0.14",
            &["3.0.14-1", "3.0.14-1~deb12u1", "3.0.14+dfsg1-2"],
            &["3.0.140-1"],
        ),
        (Scheme::Dpkg, "<2", &["2.0+really1.9-1"], &["2.0+dfsg-1"]),
        (
            Scheme::Dpkg,
            "3.0.*",
            &["3.0-1", "3.0.11-1~deb12u2", "1:3.0.2-1", "3.0~rc1-1"],
            &["3.00a1.1:x", "3.1-1", "30.0-1", "3.1"],
        ),
        (
            Scheme::Rpm,
            ">=3.0.1, <3.0.8",
            &["3.0.7-24.el9", "1:3.0.1-1"],
            &["3.0.8-1.el9", "3.0.0-1"],
        ),
        (
            Scheme::Rpm,
            "<3.0.7-27.el9",
            &["3.0.7-24.el9"],
            &["1:3.0.7-27.el9", "3.0.7-28.el9"],
        ),
        (
            Scheme::Semver,
            ">=1.1 <2",
            &["1.1", "v1.9.9", "2.0.0-rc.1"],
            &["2.0", "1.0.9"],
        ),
        (Scheme::Semver, "<=1.2.3", &["1.2.3-r4"], &["1.2.4-r0"]),
        (Scheme::Semver, "<= 3.0.13", &["3.0.13_2"], &["3.0.14"]),
        (Scheme::Semver, "<3.0.13_1", &["3.0.13"], &["3.0.13_1"]),
        (
            Scheme::Windows,
            "120.0.6099.*",
            &["120.0.6099.71", "120.0.6099"],
            &["120.0.60991.1"],
        ),
        (
            Scheme::Windows,
            "<23.01",
            &["22.1.0.0", "16.04"],
            &["23.1", "24.08"],
        ),
        (
            Scheme::Windows,
            "<1.1 || >=2 <2.3",
            &["1.0.5", "2.2"],
            &["1.1", "2.3", "1.5"],
        ),
        (Scheme::Windows, "!=1.0 *", &["1.0.0.1"], &["1.0.0.0"]),
    ];
    for (scheme, range, inside, outside) in table {
        let r = Range::parse(*scheme, range).unwrap();
        for v in *inside {
            assert!(r.contains(v).unwrap(), "{v} in {range}");
        }
        for v in *outside {
            // `3.00a1.1:x` has no readable epoch: unknown, which is not inside.
            assert!(!r.contains(v).unwrap_or(false), "{v} not in {range}");
        }
    }
}

#[test]
fn what_is_no_range_or_version_says_why() {
    for (range, wanted) in [
        ("", "empty"),
        ("<", "no version after it"),
        ("<1 ||", "empty"),
        ("^1.2", "write both bounds"),
        ("~1.2", "write both bounds"),
        ("1 - 2", ">=1 <=2"),
        ("<1.*", "takes no operator"),
        ("1.*.2", "only at the end"),
        ("1.2*", "only at the end"),
        ("< > 1", "two operators"),
        ("1<2", "inside or after"),
        ("<bogus", "neither an operator nor a version"),
        ("<b1", "does not begin with a number"),
        ("before 3.0.14", "neither an operator nor a version"),
        ("1.2 1.3", "put || between"),
        ("<3.x", "takes no operator"),
        ("<1;rm -rf /", "only letters"),
    ] {
        let said = Range::parse(Scheme::Semver, range).unwrap_err().to_string();
        assert!(said.contains(wanted), "{range}: {said}");
    }
    let many = "<1 ".repeat(17);
    assert!(matches!(
        Range::parse(Scheme::Semver, &many),
        Err(VersionError::Range { .. })
    ));
    for range in ["before 3.0.14", "1.2, 1.3", "up to 2"] {
        for scheme in SCHEMES {
            assert!(Range::parse(scheme, range).is_err(), "{scheme:?} {range}");
        }
    }
    for scheme in SCHEMES {
        assert!(
            Range::parse(scheme, "v3.0.x")
                .unwrap()
                .contains("3.0.11-1")
                .unwrap()
        );
        assert!(
            Range::parse(scheme, "<v3.1")
                .unwrap()
                .contains("3.0.11-1")
                .unwrap()
        );
    }
    // Not known is not "no".
    assert!(
        Range::parse(Scheme::Windows, "<2")
            .unwrap()
            .contains("unknown")
            .is_err()
    );
    assert!(Version::parse(Scheme::Dpkg, "1.0\u{202e}").is_err());
    assert!(Version::parse(Scheme::Dpkg, &"1".repeat(129)).is_err());
}

#[test]
fn schemes_do_not_mix_and_say_what_they_cannot_know() {
    let a = versions("1.0");
    assert_eq!(a.len(), 4);
    assert!(a[0].partial_cmp(&a[1]).is_none() && a[0] != a[1]);
    assert_eq!(Scheme::of_source("apt"), Scheme::Dpkg);
    assert_eq!(Scheme::of_source("MSI"), Scheme::Windows);
    assert_eq!(Scheme::of_source("brew"), Scheme::Semver);
    assert!(
        Range::parse(Scheme::Dpkg, "<3.0.14")
            .unwrap()
            .speaks_of_upstream_only()
    );
    assert!(
        !Range::parse(Scheme::Dpkg, "<3.0.14-1")
            .unwrap()
            .speaks_of_upstream_only()
    );
    assert!(
        !Range::parse(Scheme::Windows, "<3")
            .unwrap()
            .speaks_of_upstream_only()
    );
}
