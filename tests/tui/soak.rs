//! The whole program under load: a large case, a large piece of evidence, a model that writes 500 tokens
//! a second, a window that is dragged all the time, and keys in between. Ten seconds; a minute with
//! `RMM_ANALYST_DEEP=1`.

use crate::store_support::anna;
use crate::support_large::{LAST_ANSWER, database};
use crate::support_pty::{FRAME_END, LIMIT, Pty, emulator, text};
use crate::support_stream::{model, token};
use rmm_analyst::store::{Store, StoreOptions};
use std::time::{Duration, Instant};

/// Frames a second that a stream alone may cause.
const RATE: usize = 30;

/// What the program may need above what it had before the stream, in kB: the engine's own state of the
/// large case for the time of the turn, the lines of 2 MB of evidence, the answer, frames. Without a bound
/// somewhere it would be some MB a second.
const MORE: u64 = 80_000;

#[test]
fn a_stream_into_a_large_case_loses_nothing_while_the_window_is_dragged() {
    let deep = std::env::var_os("RMM_ANALYST_DEEP").is_some();
    let (seconds, events) = if deep { (60, 100_000) } else { (10, 100_000) };
    let tokens = seconds * 500;
    let server = model(tokens);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("data/rmm-analyst.db");
    let case = database(&file, events, 2_000_000);
    let config = dir.path().join("rmm-analyst.toml");
    let settings = format!(
        "[model]\nbase_url = \"{}\"\nmax_tokens = 65536\n",
        server.url()
    );
    std::fs::write(&config, settings).unwrap();
    let program = env!("CARGO_BIN_EXE_rmm-analyst");
    let arguments = ["--config", config.to_str().unwrap()];
    let mut pty = Pty::start_with(program, &arguments, &[], dir.path(), 140, 40);

    pty.wait_for("large");
    pty.send(b"\x0f");
    pty.wait_for("▸ cases");
    pty.send(b"\r");
    pty.wait_for(LAST_ANSWER);
    pty.send(b"/evidence 1\r");
    pty.wait_for("E1 as table");
    pty.send(b"v");
    pty.wait_for("a host among others");
    pty.send(b"\x05and what now?\r");
    pty.wait_for("w000001");
    let before = pty.kilobytes("VmRSS");

    // Nobody touches anything: only the stream draws.
    let (mark, began) = (pty.mark(), Instant::now());
    std::thread::sleep(Duration::from_millis(2_500));
    let (frames, took) = (pty.frames(mark), began.elapsed());
    let most = usize::try_from(took.as_millis()).unwrap() * RATE / 1_000 + 2;
    assert!(frames <= most, "{frames} frames in {took:?}");
    assert!(frames > 0, "the stream shows");

    // Now everything at once, until the last token came.
    let sizes = [
        (140, 40),
        (80, 24),
        (40, 12),
        (20, 6),
        (200, 60),
        (119, 30),
        (70, 50),
    ];
    let keys: [&[u8]; 8] = [
        b"\x05",
        "字👩‍👩‍👧‍👦e\u{301}".as_bytes(),
        b"\x1b[5~",
        b"\x1b[6~",
        b"\x1b[200~pasted words\x1b[201~",
        b"\x0f",
        b"\x0f",
        b"\x7f",
    ];
    let last = format!("w{tokens:06}");
    let over = || {
        let store = Store::open(
            &file,
            StoreOptions {
                read_only: true,
                ..StoreOptions::default()
            },
        );
        let summary = store.and_then(|s| s.read(|r| r.summary(&case)));
        summary.is_ok_and(|s| !s.running)
    };
    let limit = Instant::now() + Duration::from_secs(seconds as u64 * 6 + 60);
    let mut n = 0;
    while n % 25 != 24 || !over() {
        let (cols, rows) = sizes[n % sizes.len()];
        pty.resize(cols, rows);
        pty.send(keys[n % keys.len()]);
        std::thread::sleep(Duration::from_millis(40));
        n += 1;
        assert!(
            Instant::now() < limit,
            "the turn does not end:\n{}",
            pty.screen()
        );
    }

    // The view goes to the end, the panes beside it close, the draft goes.
    let mark = pty.mark();
    pty.resize(100, 40);
    pty.wait_bytes(mark, FRAME_END);
    pty.wait_quiet(Duration::from_millis(400));
    settle(&mut pty, &last);
    let shown = pty.screen();
    let mark = pty.mark();
    pty.send(b"\x0c");
    pty.wait_bytes(mark, FRAME_END);
    pty.wait_quiet(Duration::from_millis(300));
    assert_eq!(pty.screen(), shown, "a fresh draw is the same");
    let mut fresh = emulator(100, 40);
    fresh.process(&pty.since(mark));
    assert_eq!(
        text(fresh.screen()),
        shown,
        "and needs nothing of what was there"
    );

    let peak = pty.kilobytes("VmHWM");
    assert!(
        peak < before + MORE,
        "{before} kB before the stream, {peak} kB at most"
    );

    pty.send(b"/print\r");
    pty.wait_for("printed when you leave");
    let mark = pty.mark();
    pty.send(b"\x11");
    let status = pty.wait_end();
    pty.as_before().unwrap();
    assert!(status.success(), "{status}");

    // Every token, once and in order: in the log, and in what went to the scrollback.
    let store = Store::open(&file, StoreOptions::default()).unwrap();
    let state = store.read(|r| r.case(&case)).unwrap();
    let answer = state.turns.last().unwrap().answer.clone().unwrap();
    let wanted: Vec<String> = (1..=tokens).map(|n| token(n).trim().to_owned()).collect();
    assert_eq!(
        answer.as_str().split_whitespace().collect::<Vec<_>>(),
        wanted
    );
    let printed = String::from_utf8(pty.since(mark)).unwrap();
    let printed = printed.rsplit("\x1b[?1049l").next().unwrap();
    let words: Vec<&str> = printed
        .split_whitespace()
        .filter(|w| w.len() == 7 && w.starts_with("w0"))
        .collect();
    assert_eq!(words, wanted);
    assert!(!printed.contains("panicked"));
    assert!(store.read(|r| r.visible(&case, &anna())).unwrap());
}

/// Brings the composer empty and in focus, the drawer shut and the end of the story into view.
fn settle(pty: &mut Pty, last: &str) {
    let done =
        |s: &str| s.contains(last) && s.contains("ask, or / for commands") && !s.contains("▸ ");
    let end = Instant::now() + LIMIT;
    while !done(&pty.screen()) {
        let screen = pty.screen();
        assert!(Instant::now() < end, "it does not settle:\n{screen}");
        if screen.contains("a message now waits for the turn") {
            pty.wait_quiet(Duration::from_millis(400));
            continue;
        }
        // Another pane has the keys, or the message holds something, or the view stands higher up.
        let key: &[u8] = if screen.contains("▸ cases") {
            b"\x0f"
        } else if screen.contains("▸ E") || screen.contains("▸ evidence") {
            b"\x05"
        } else if !screen.contains("ask, or / for commands") {
            b"\x03"
        } else {
            b"\t\x1b[F\t"
        };
        let mark = pty.mark();
        pty.send(key);
        pty.wait_bytes(mark, FRAME_END);
        pty.wait_quiet(Duration::from_millis(400));
    }
}
