//! Layers of secrets: environment over file, the file's permissions, what never shows.

use rmm_analyst::secrets::{Env, Origin, Secrets, Where};
use secrecy::{ExposeSecret, SecretString};
use std::path::Path;

fn secrets(dir: &Path, env: &[(&str, &str)]) -> Secrets {
    Secrets::with_layers(
        Env::given(env.iter().copied()),
        false,
        Some(dir.join("conf/secrets.toml")),
    )
}

#[cfg(test)]
mod read {
    use super::{Origin, Secrets};
    use secrecy::ExposeSecret;

    pub(super) fn value(s: &Secrets, name: &str) -> Option<(String, Origin)> {
        s.get(name)
            .expect("readable")
            .map(|(v, o)| (v.expose_secret().to_owned(), o))
    }
}

use read::value;

#[test]
fn the_environment_wins_over_the_file() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = secrets(dir.path(), &[]);
    assert_eq!(value(&file, "abuseipdb"), None);
    assert_eq!(
        file.set(
            "abuseipdb",
            &SecretString::from("from-the-file"),
            Where::Auto
        )
        .expect("set"),
        Origin::File
    );
    assert_eq!(
        value(&file, "abuseipdb"),
        Some(("from-the-file".into(), Origin::File))
    );

    let both = secrets(
        dir.path(),
        &[
            ("RMM_ANALYST_SECRET_ABUSEIPDB", "from-the-environment"),
            ("RMM_ANALYST_SECRET_MY_KEY", "x1"),
            ("RMM_ANALYST_SECRET_IPINFO", ""),
        ],
    );
    assert_eq!(
        value(&both, "abuseipdb"),
        Some(("from-the-environment".into(), Origin::Environment))
    );
    assert_eq!(
        value(&both, "my-key"),
        Some(("x1".into(), Origin::Environment))
    );
    assert_eq!(value(&both, "ipinfo"), None, "an empty variable is not set");

    // The redactor gets both values.
    let (all, errors) = both.all_known(&["abuseipdb", "ipinfo"]);
    assert!(errors.is_empty());
    let values: Vec<&str> = all.iter().map(|(_, v)| v.expose_secret()).collect();
    assert_eq!(values, ["from-the-environment", "from-the-file"]);

    let list = both.list(&["abuseipdb", "ipinfo"]);
    assert_eq!(list[0].origin, Some(Origin::Environment));
    assert_eq!(list[1].origin, None);

    assert_eq!(file.remove("abuseipdb").expect("removed"), [Origin::File]);
    assert_eq!(file.remove("abuseipdb").expect("nothing to remove"), []);
    assert_eq!(value(&file, "abuseipdb"), None);
}

#[test]
fn values_with_odd_characters_come_back_as_they_were() {
    let dir = tempfile::tempdir().expect("a directory");
    let s = secrets(dir.path(), &[]);
    for odd in [
        "a\"b\\c'd",
        "line\nbreak",
        "tab\there",
        "käse漢字",
        " blanks ",
        "#no comment",
        "'''",
        "\"\"\"",
    ] {
        s.set("odd", &SecretString::from(odd), Where::File)
            .expect("set");
        assert_eq!(value(&s, "odd").map(|v| v.0).as_deref(), Some(odd));
    }
    s.set("other", &SecretString::from("stays"), Where::File)
        .expect("set");
    s.set("odd", &SecretString::from("again"), Where::File)
        .expect("set");
    assert_eq!(value(&s, "other").map(|v| v.0).as_deref(), Some("stays"));
    assert!(s.set("odd", &SecretString::from(""), Where::File).is_err());
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_is_refused_with_the_command_that_fixes_it() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a directory");
    let s = secrets(dir.path(), &[]);
    s.set("ipinfo", &SecretString::from("zx9qwerty7"), Where::File)
        .expect("set");
    let path = dir.path().join("conf/secrets.toml");
    let mode = |p: &Path| std::fs::metadata(p).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(&dir.path().join("conf")), 0o700);
    for bad in [0o640, 0o604, 0o660, 0o644, 0o620] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(bad)).expect("chmod");
        let e = s.get("ipinfo").expect_err("refused");
        assert!(
            e.why.contains("chmod 600") && e.why.contains("secrets.toml"),
            "{e}"
        );
        assert!(!format!("{e} {e:?}").contains("zx9qwerty7"));
        assert!(
            s.set("ipinfo", &SecretString::from("new"), Where::File)
                .is_err(),
            "no silent repair: others may have read it"
        );
        assert!(s.list(&["ipinfo"])[0].error.is_some());
        assert_eq!(s.all_known(&["ipinfo"]).1.len(), 1);
    }
    // The environment still works.
    let env = secrets(dir.path(), &[("RMM_ANALYST_SECRET_IPINFO", "zx9qwerty8")]);
    assert_eq!(
        value(&env, "ipinfo").map(|v| v.1),
        Some(Origin::Environment)
    );
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("chmod");
    assert!(s.get("ipinfo").expect("readable").is_some());
    assert!(
        std::fs::read_dir(dir.path().join("conf"))
            .expect("there")
            .all(|f| !f
                .expect("entry")
                .file_name()
                .to_string_lossy()
                .contains(".new-")),
        "no temporary file stays"
    );
}

#[test]
fn a_broken_file_tells_the_line_and_never_the_value() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("s.toml");
    let s = Secrets::with_layers(Env::empty(), false, Some(path.clone()));
    for (text, line) in [
        ("a = \"zx9qwerty7\"\nb = zx9qwerty7 x\n", Some("line 2")),
        ("ipinfo = 12345678\n", None),
        ("ipinfo zx9qwerty7", Some("line 1")),
    ] {
        std::fs::write(&path, text).expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("chmod");
        }
        let e = s.get("ipinfo").expect_err("refused");
        assert!(!format!("{e} {e:?}").contains("zx9qwerty7"), "{e}");
        assert!(line.is_none_or(|l| e.why.contains(l)), "{e}");
    }
}

#[test]
fn nothing_shows_in_debug_or_in_a_bad_name() {
    let dir = tempfile::tempdir().expect("a directory");
    let s = secrets(dir.path(), &[("RMM_ANALYST_SECRET_A", "zx9qwerty7")]);
    let (v, _) = s.get("a").expect("readable").expect("set");
    assert!(!format!("{s:?} {v:?} {:?}", Env::given([("X", "zx9qwerty7")])).contains("zx9qwerty7"));
    for bad in ["", "Zx9QwErTy7+/=", "a b", "a/b", &"x".repeat(65)] {
        let e = s.get(bad).expect_err("refused");
        assert!(bad.is_empty() || !e.to_string().contains(bad));
        assert!(s.set(bad, &SecretString::from("v"), Where::File).is_err());
        assert!(s.remove(bad).is_err());
    }
}

/// Two writers at once lose nothing.
#[test]
fn two_writers_keep_one_anothers_values() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().to_owned();
    let writers: Vec<_> = (0..4)
        .map(|n| {
            let path = path.clone();
            std::thread::spawn(move || {
                secrets(&path, &[]).set(
                    &format!("k{n}"),
                    &SecretString::from(format!("v{n}")),
                    Where::File,
                )
            })
        })
        .collect();
    for w in writers {
        w.join().expect("joined").expect("set");
    }
    let s = secrets(dir.path(), &[]);
    for n in 0..4 {
        assert_eq!(
            value(&s, &format!("k{n}")).map(|v| v.0),
            Some(format!("v{n}"))
        );
    }
}
