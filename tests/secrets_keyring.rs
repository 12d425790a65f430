//! The OS keyring against a real Secret Service (Debian's gnome-keyring on a D-Bus session of its own) and without
//! one. Each test runs its other half (an ignored test of this same file) in a child process, because bus and home
//! directory come from the process's environment. Needs `gnome-keyring` and `dbus` (`dbus-run-session`).

#![cfg(target_os = "linux")]

use rmm_analyst::secrets::{Env, Origin, Secrets, Where};
use secrecy::{ExposeSecret, SecretString};
use std::time::{Duration, Instant};

const VALUE: &str = "q7Zx9QwErTy7Lk4kuw2g";

#[cfg(test)]
mod run {
    use super::VALUE;
    use std::path::Path;
    use std::process::{Command, Output};

    /// Runs one of the ignored tests below under `sh -c "<setup> exec <this test>"`.
    pub(super) fn child(
        test: &str,
        wrapper: &[&str],
        setup: &str,
        home: &Path,
        env: &[(&str, &str)],
    ) -> Output {
        let exe = std::env::current_exe().expect("this test's own program");
        let run = home.join("run");
        std::fs::create_dir_all(&run).expect("a directory");
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o700)).expect("chmod");
        }
        let script = format!(
            "{setup} exec '{}' --exact {test} --ignored --nocapture",
            exe.display()
        );
        let mut command = match wrapper.split_first() {
            Some((program, rest)) => {
                let mut c = Command::new(program);
                c.args(rest).args(["sh", "-c", &script]);
                c
            }
            None => {
                let mut c = Command::new("sh");
                c.args(["-c", &script]);
                c
            }
        };
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home)
            .env("XDG_RUNTIME_DIR", &run)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("SECRETS_TEST_FILE", home.join("secrets.toml"))
            .envs(env.iter().copied());
        command.output().unwrap_or_else(|e| {
            panic!("{wrapper:?} does not start ({e}): apt-get install gnome-keyring dbus")
        })
    }

    pub(super) fn assert_child_passed(out: &Output) {
        let text = format!(
            "{}\n{}",
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        );
        assert!(
            out.status.success() && text.contains("1 passed"),
            "apt-get install gnome-keyring dbus, where they are missing\n{text}"
        );
        assert!(!text.contains(VALUE), "a value was printed");
    }
}

use run::{assert_child_passed, child};

const UNLOCK: &str = "printf 'test' | gnome-keyring-daemon --unlock --components=secrets >/dev/null || { echo 'gnome-keyring-daemon does not start'; exit 9; };";

fn real() -> Secrets {
    Secrets::with_layers(
        Env::empty(),
        true,
        std::env::var_os("SECRETS_TEST_FILE").map(Into::into),
    )
}

#[test]
fn an_unlocked_secret_service_keeps_secrets() {
    let home = tempfile::tempdir().expect("a directory");
    assert_child_passed(&child(
        "in_an_unlocked_session",
        &["dbus-run-session", "--"],
        UNLOCK,
        home.path(),
        &[],
    ));
}

#[test]
#[ignore = "the child half of an_unlocked_secret_service_keeps_secrets"]
fn in_an_unlocked_session() {
    let s = real();
    let status = s.store_status();
    assert!(status.works, "{status:?}");
    assert!(s.get("abuseipdb").expect("readable").is_none());
    assert_eq!(
        s.set("abuseipdb", &SecretString::from(VALUE), Where::Auto)
            .expect("set"),
        Origin::Keyring
    );
    // The one that wrote it, and one that never saw it.
    for secrets in [s.clone(), real()] {
        let (v, origin) = secrets.get("abuseipdb").expect("readable").expect("set");
        assert!(v.expose_secret() == VALUE && origin == Origin::Keyring);
        assert_eq!(
            secrets.list(&["abuseipdb"])[0].origin,
            Some(Origin::Keyring)
        );
    }
    // Keyring over file, environment over both; the redactor gets all three.
    s.set(
        "abuseipdb",
        &SecretString::from("older value in the file"),
        Where::File,
    )
    .expect("set");
    let env = Secrets::with_layers(
        Env::given([("RMM_ANALYST_SECRET_ABUSEIPDB", "in the environment")]),
        true,
        std::env::var_os("SECRETS_TEST_FILE").map(Into::into),
    );
    assert_eq!(
        real().get("abuseipdb").expect("readable").expect("set").1,
        Origin::Keyring
    );
    assert_eq!(
        env.get("abuseipdb").expect("readable").expect("set").1,
        Origin::Environment
    );
    let (all, errors) = env.all_known(&["abuseipdb"]);
    assert!(all.len() == 3 && errors.is_empty());
    // Changed, removed.
    let changed = SecretString::from("another value");
    assert_eq!(
        s.set("abuseipdb", &changed, Where::Keyring).expect("set"),
        Origin::Keyring
    );
    assert!(
        real()
            .get("abuseipdb")
            .expect("readable")
            .expect("set")
            .0
            .expose_secret()
            == "another value"
    );
    assert_eq!(
        s.remove("abuseipdb").expect("removed"),
        [Origin::Keyring, Origin::File]
    );
    assert!(s.get("abuseipdb").expect("readable").is_none());
    assert!(real().get("abuseipdb").expect("readable").is_none());
}

#[test]
fn a_locked_secret_service_is_an_error_and_no_prompt() {
    let home = tempfile::tempdir().expect("a directory");
    assert_child_passed(&child(
        "in_a_locked_session",
        &["dbus-run-session", "--"],
        UNLOCK,
        home.path(),
        &[],
    ));
}

#[test]
#[ignore = "the child half of a_locked_secret_service_is_an_error_and_no_prompt"]
fn in_a_locked_session() {
    real()
        .set("abuseipdb", &SecretString::from(VALUE), Where::Keyring)
        .expect("set");
    let service =
        secret_service::blocking::SecretService::connect(secret_service::EncryptionType::Plain)
            .expect("a Secret Service");
    let collection = service
        .get_default_collection()
        .expect("a default collection");
    collection.lock().expect("locked");
    assert!(collection.is_locked().expect("asked"));

    let s = real();
    let started = Instant::now();
    let e = s.get("abuseipdb").expect_err("locked");
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
    assert!(
        e.why.contains("locked") && e.why.contains("unlock it"),
        "{e}"
    );
    let status = s.store_status();
    assert!(
        !status.works && status.why.contains("locked") && !status.hint.is_empty(),
        "{status:?}"
    );
    assert!(s.list(&["abuseipdb"])[0].error.is_some());
    assert_eq!(s.all_known(&["abuseipdb"]).1.len(), 1);
    assert!(
        s.set("abuseipdb", &SecretString::from("x"), Where::Keyring)
            .is_err()
    );
    assert!(s.remove("abuseipdb").is_err());
    // A name that the keyring does not hold is looked for in the file.
    assert!(s.get("ipinfo").expect("readable").is_none());
    assert_eq!(
        s.set("ipinfo", &SecretString::from("in the file"), Where::Auto)
            .expect("set"),
        Origin::File
    );
    assert_eq!(
        s.get("ipinfo").expect("readable").expect("set").1,
        Origin::File
    );
    assert!(
        collection.is_locked().expect("asked"),
        "nothing unlocked it"
    );
}

/// A bus that nobody listens on, and none at all.
#[test]
fn without_a_bus_the_keyring_is_skipped_quietly() {
    for env in [
        &[("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")][..],
        &[],
    ] {
        let home = tempfile::tempdir().expect("a directory");
        assert_child_passed(&child("in_no_session", &[], "", home.path(), env));
    }
}

#[test]
#[ignore = "the child half of without_a_bus_the_keyring_is_skipped_quietly"]
fn in_no_session() {
    let s = real();
    let started = Instant::now();
    assert!(
        s.get("abuseipdb")
            .expect("no keyring is no error")
            .is_none()
    );
    assert!(s.get("ipinfo").expect("no keyring is no error").is_none());
    let status = s.store_status();
    assert!(
        !status.works
            && status.why.contains("no keyring on this machine")
            && !status.hint.is_empty(),
        "{status:?}"
    );
    assert_eq!(
        s.set("abuseipdb", &SecretString::from(VALUE), Where::Auto)
            .expect("set"),
        Origin::File
    );
    assert_eq!(
        s.get("abuseipdb").expect("readable").expect("set").1,
        Origin::File
    );
    let e = s
        .set("abuseipdb", &SecretString::from(VALUE), Where::Keyring)
        .expect_err("no keyring");
    assert!(e.why.contains("no keyring"), "{e}");
    assert_eq!(s.remove("abuseipdb").expect("removed"), [Origin::File]);
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
}

/// A bus on which nothing answers the calls: a socket that takes connections and says nothing.
#[test]
fn a_bus_that_hangs_costs_one_second_once() {
    let home = tempfile::tempdir().expect("a directory");
    let socket = home.path().join("mute");
    let listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let address = format!("unix:path={}", socket.display());
    let out = child(
        "on_a_mute_bus",
        &[],
        "",
        home.path(),
        &[("DBUS_SESSION_BUS_ADDRESS", &address)],
    );
    drop(listener);
    assert_child_passed(&out);
}

#[test]
#[ignore = "the child half of a_bus_that_hangs_costs_one_second_once"]
fn on_a_mute_bus() {
    let s = real();
    let started = Instant::now();
    let e = s.get("abuseipdb").expect_err("it may hold the secret");
    assert!(e.why.contains("did not answer within 1 s"), "{e}");
    for name in ["ipinfo", "urlhaus", "threatfox"] {
        assert!(s.get(name).is_err());
    }
    assert!(!s.store_status().works);
    assert!(
        started.elapsed() < Duration::from_secs(4),
        "{:?}",
        started.elapsed()
    );
}
