//! Ways out of the screen and back: a panic, the background, a keyring that hangs, the story in the
//! scrollback. After each the terminal is compared with what it was before.

use crate::store_support::{T0, answer, ended, human, ip, open, started};
use crate::support_pty::{FRAME_END, Pty, text};
use rmm_analyst::case::TurnStatus;
use std::path::Path;
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rmm-analyst");

/// The database is at its place, so that no welcome covers the screen.
fn with_case(dir: &Path, answers: u32) {
    let store = open(&dir.join("data/rmm-analyst.db"));
    let written = store.write(move |tx| {
        let case = tx.create_case(T0, "the mail relay", "anna")?;
        for turn in 1..=answers {
            tx.append(
                &case,
                T0,
                &[
                    human(turn, &format!("question number {turn}?"), &[ip(1)]),
                    started(turn),
                    answer(turn, &format!("answer number {turn}.")),
                    ended(turn, TurnStatus::Answered),
                ],
            )?;
        }
        Ok(())
    });
    written.unwrap();
}

/// The program with a case on screen.
fn in_a_case(dir: &Path, cols: u16, rows: u16, variables: &[(&str, &str)]) -> Pty {
    with_case(dir, 40);
    let mut pty = Pty::start_with(PROGRAM, &[], variables, dir, cols, rows);
    pty.wait_for("no model, by rules");
    pty.send(b"\x0f");
    pty.wait_for("the mail relay");
    pty.send(b"\r");
    pty.wait_for("answer number 40.");
    pty.wait_quiet(Duration::from_millis(200));
    pty
}

/// A screen of 100 columns shows no ages, which change while one looks.
const COLS: u16 = 100;

#[test]
fn a_panic_gives_the_terminal_back_and_then_says_what_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = in_a_case(dir.path(), COLS, 30, &[("RMM_ANALYST_TEST_PANIC", "1")]);
    pty.send(b"\x1b[24~");
    let status = pty.wait_end();
    pty.as_before().unwrap();
    assert!(!status.success());
    let left = pty.screen();
    // On the normal screen, where it stays readable; and in whole lines, so the terminal was cooked again.
    assert!(left.contains("panicked at"), "{left}");
    assert!(left.contains("provoked by a test"), "{left}");
    let column = left.lines().find_map(|l| l.find("provoked by a test"));
    assert_eq!(column, Some(0), "{left}");
}

#[test]
fn signals_that_end_it_give_the_terminal_back() {
    for signal in ["TERM", "HUP"] {
        let dir = tempfile::tempdir().unwrap();
        let mut pty = in_a_case(dir.path(), COLS, 30, &[]);
        pty.signal(signal);
        let status = pty.wait_end();
        pty.as_before().unwrap_or_else(|e| panic!("{signal}: {e}"));
        assert!(status.success(), "{signal}: {status}");
    }
}

#[test]
fn the_background_has_the_terminal_as_it_was_and_coming_back_draws_everything() {
    for way in ["ctrl-z", "SIGTSTP"] {
        let dir = tempfile::tempdir().unwrap();
        let mut pty = in_a_case(dir.path(), COLS, 30, &[]);
        let before = pty.screen();
        if way == "ctrl-z" {
            pty.send(b"\x1a");
        } else {
            pty.signal("TSTP");
        }
        pty.wait_state('T');
        pty.wait_quiet(Duration::from_millis(100));
        pty.as_before().unwrap_or_else(|e| panic!("{way}: {e}"));
        let mark = pty.mark();
        pty.signal("CONT");
        pty.wait_bytes(mark, FRAME_END);
        pty.wait_quiet(Duration::from_millis(300));
        assert_eq!(pty.screen(), before, "{way}");
        // Nothing of the old screen was relied on: the new bytes alone make the same one.
        let mut fresh = crate::support_pty::emulator(COLS, 30);
        fresh.process(&pty.since(mark));
        assert_eq!(text(fresh.screen()), before, "{way}");
        assert!(fresh.screen().alternate_screen() && fresh.screen().bracketed_paste());
        // And it still takes keys.
        pty.send("grüß".as_bytes());
        pty.wait_for("> grüß");
        pty.send(b"\x11");
        assert!(pty.wait_end().success());
        pty.as_before().unwrap_or_else(|e| panic!("{way}: {e}"));
    }
}

#[test]
fn a_shell_with_job_control_gets_the_terminal_and_gives_it_back() {
    let dir = tempfile::tempdir().unwrap();
    with_case(dir.path(), 1);
    let shell = ["--norc", "--noprofile", "--noediting", "-i"];
    let variables = [("PS1", "ready> "), ("HISTFILE", "/dev/null")];
    let mut pty = Pty::start_with("bash", &shell, &variables, dir.path(), COLS, 30);
    pty.wait_for("ready>");
    pty.send(format!("{PROGRAM}\r").as_bytes());
    pty.wait_for("no model, by rules");
    pty.wait_quiet(Duration::from_millis(200));
    let before = pty.screen();
    pty.send(b"\x1a");
    // A prompt behind the message: only then does the shell read from the terminal again.
    pty.wait_screen("the prompt", |s| {
        s.contains("Stopped") && s.ends_with("ready>")
    });
    pty.send(b"echo typed-in-the-shell\r");
    pty.wait_screen("the shell's answer", |s| {
        s.matches("typed-in-the-shell").count() == 2 && s.ends_with("ready>")
    });
    let mark = pty.mark();
    pty.send(b"fg\r");
    pty.wait_bytes(mark, FRAME_END);
    pty.wait_quiet(Duration::from_millis(300));
    assert_eq!(pty.screen(), before);
    pty.send(b"\x11");
    pty.wait_screen("the prompt", |s| s.trim_end().ends_with("ready>"));
    pty.send(b"exit\r");
    pty.wait_end();
    pty.as_before().unwrap();
}

#[test]
fn the_first_frame_does_not_wait_for_the_keyring() {
    let dir = tempfile::tempdir().unwrap();
    // A session bus that takes connections and never says a word.
    let bus = dir.path().join("bus");
    let _listening = std::os::unix::net::UnixListener::bind(&bus).unwrap();
    let address = format!("unix:path={}", bus.display());
    let variables = [("DBUS_SESSION_BUS_ADDRESS", address.as_str())];
    let mut pty = Pty::start_with(PROGRAM, &[], &variables, dir.path(), COLS, 30);
    // Had the keyring been asked first, there would be no frame: without the key of the log nothing opens.
    pty.wait_bytes(0, "asking the keyring".as_bytes());
    let status = pty.wait_end();
    pty.as_before().unwrap();
    assert!(!status.success());
    let left = pty.screen();
    assert!(left.contains("keyring did not answer"), "{left}");
}

#[test]
fn what_is_typed_before_it_is_open_is_kept_and_it_can_be_left() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(PROGRAM, dir.path(), COLS, 30);
    // The terminal's own buffer holds these before the program reads the first one.
    pty.send(b"what now");
    pty.wait_for("> what now");
    pty.wait_for("no model, by rules");
    pty.wait_for("> what now");
    pty.send(b"\x11");
    assert!(pty.wait_end().success());
    pty.as_before().unwrap();
}

#[test]
fn the_story_goes_to_the_normal_scrollback_when_asked_to() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = in_a_case(dir.path(), COLS, 24, &[]);
    pty.send(b"/print\r");
    pty.wait_for("printed");
    pty.send(b"\x11");
    assert!(pty.wait_end().success());
    pty.as_before().unwrap();
    let history = pty.history();
    // Whole, in order, once: forty turns do not fit the screen, so most of it stands above.
    let mut at = 0;
    for turn in 1..=40 {
        for words in [
            format!("> question number {turn}?"),
            format!("answer number {turn}."),
        ] {
            let found = history[at..].find(&words);
            at += found.unwrap_or_else(|| panic!("{words:?} is missing in {history}"));
            assert_eq!(history.matches(&words).count(), 1, "{words}");
        }
    }
    assert!(!history.contains("ctrl-q"), "the key bar is no part of it");
}

#[test]
fn without_print_the_scrollback_holds_nothing_of_the_case() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = in_a_case(dir.path(), COLS, 24, &[]);
    pty.send(b"\x11");
    assert!(pty.wait_end().success());
    let history = pty.history();
    assert!(!history.contains("answer number"), "{history}");
}

#[test]
fn an_idle_screen_wakes_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = in_a_case(dir.path(), COLS, 30, &[]);
    // Helper threads of the start end by themselves; a second is more than they take.
    pty.wait_quiet(Duration::from_secs(2));
    let (before, mark) = (pty.switches(), pty.mark());
    pty.wait_quiet(Duration::from_secs(3));
    assert_eq!(pty.since(mark), b"", "nothing is drawn");
    assert_eq!(pty.switches(), before, "no thread ran");
    pty.send(b"\x11");
    assert!(pty.wait_end().success());
}
