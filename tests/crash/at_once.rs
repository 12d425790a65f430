//! Several processes at the same time.

use super::scores;
use super::sound;
use super::source::Source;
use super::world::{World, base, finish, sources};

/// Two turns on one case: one runs, the other is told that the case is busy or waits its turn; both are whole.
#[test]
fn two_processes_on_one_case() {
    let source = Source::start(|l| {
        std::thread::sleep(std::time::Duration::from_millis(60));
        Some(super::source::usual(l))
    });
    let world = World::new(&sources(base(), &source).set("modules.dns", "enabled", "false"));
    world
        .run(&[
            "ask",
            "--no-model",
            "--no-input",
            "look at one.kit-panel.shop",
        ])
        .exits(0);
    let id = sound::cases(&world).remove(0);
    let mut busy = 0;
    for n in 0..6 {
        let before = sound::case(&world, &id).1.turns.len();
        let ask = |k: usize| {
            let text = format!("look at t{n}-{k}.kit-panel.shop");
            let args = ["ask", "--no-model", "--json", "--no-input", "--case"];
            world
                .command(&[&args[..], &[id.as_str(), &text]].concat())
                .spawn()
                .unwrap()
        };
        let children = [ask(0), ask(1)];
        let codes = children.map(|c| finish(c).code());
        let ran = codes.iter().filter(|c| **c == 0).count();
        assert!(
            ran >= 1 && codes.iter().all(|c| [0, 9].contains(c)),
            "{codes:?}"
        );
        busy += 2 - ran;
        let (_, state) = sound::case(&world, &id);
        assert_eq!(state.turns.len(), before + ran, "{codes:?}");
        assert!(state.turns.iter().all(|t| t.status.is_some()));
    }
    println!("{busy} of 12 turns found the case busy");
}

/// Many processes that find no database: all of them get their own case, and nothing is lost.
#[test]
fn many_processes_on_one_database() {
    let many = if scores::deep() { 50 } else { 8 };
    let source = Source::usual();
    let world = World::new(&sources(base(), &source).set("modules.dns", "enabled", "false"));
    let children: Vec<_> = (0..many)
        .map(|n| {
            let text = format!("look at m{n}.kit-panel.shop");
            world
                .command(&["ask", "--no-model", "--json", "--no-input", &text])
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let ran = finish(child);
        assert_eq!(ran.code(), 0, "{} {}", ran.stdout(), ran.stderr());
    }
    let cases = sound::cases(&world);
    assert_eq!(cases.len(), many);
    let mut used = 0;
    for id in &cases {
        let (_, state) = sound::case(&world, id);
        assert_eq!(state.turns.len(), 1);
        used += state.used as usize;
    }
    // With many of them the sources' rate limits, which all processes share, keep some from being sent.
    let sent = source.list().len();
    assert!(sent >= 8 && sent <= used, "{sent} sent, {used} charged");
    scores::write(
        "contention",
        &format!(
            "Contention: {many} processes on one new database, {many} cases whole, {sent} look-ups sent, {used} charged"
        ),
    );
}
