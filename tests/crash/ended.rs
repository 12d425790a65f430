//! One case a world, ended again and again.

use super::model::{Mode, Model, Say, answer, wire_call};
use super::scores;
use super::sound;
use super::source::{Source, usual};
use super::support_model::Reply;
use super::world::{Config, Ran, World, base, finish, modelled, signal, sources};
use rmm_analyst::store::CaseId;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Rounds that one case lives through: few enough that no source's rate limit is reached.
const A_CASE: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Kill,
    Terminate,
    DiskFull,
    ReadOnly,
    ClockBack,
}

const ENDS: [End; 10] = [
    End::Kill,
    End::Terminate,
    End::Kill,
    End::DiskFull,
    End::Kill,
    End::Terminate,
    End::ReadOnly,
    End::Kill,
    End::DiskFull,
    End::ClockBack,
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

fn seed() -> u64 {
    std::env::var("RMM_ANALYST_SEED")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or_else(|| {
            let since = std::time::UNIX_EPOCH.elapsed().unwrap();
            u64::from(since.subsec_nanos()) | 1
        })
}

/// Answers after a while, so that a process can die in the middle.
fn slow() -> Source {
    Source::start(|l| {
        std::thread::sleep(Duration::from_millis(15));
        Some(usual(l))
    })
}

/// Looks up all that the last message names, in two rounds; answers when it has results.
fn model() -> Model {
    Model::start(Mode::Native, |r| {
        let body = r.asked.json();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let asked = messages
            .iter()
            .rposition(|m| m["role"] == "user")
            .unwrap_or(0);
        let text = messages[asked]["content"].as_str().unwrap_or_default();
        let results = messages.len() - asked - 1;
        // The person's own line; what is authorized from earlier turns stands below it.
        let line = text
            .lines()
            .find_map(|l| l.split_once("look at ").map(|(_, names)| names))
            .unwrap_or_default();
        let names: Vec<&str> = line.split(" and ").filter(|n| !n.is_empty()).collect();
        match (results, names.as_slice()) {
            (0, [first, ..]) => Say::Calls(vec![wire_call("crtsh", first)]),
            (1..=2, [_, rest @ ..]) if !rest.is_empty() => {
                Say::Calls(rest.iter().map(|n| wire_call("crtsh", n)).collect())
            }
            _ => answer("What stands stands."),
        }
    })
}

fn config(source: &Source, model: Option<&Model>) -> Config {
    let config = sources(base(), source)
        .set("modules.dns", "enabled", "false")
        .set("limits", "calls_per_case", "1000");
    match model {
        Some(model) => modelled(config, model),
        None => config,
    }
}

/// Builds a shared object that shifts the clock; the C compiler is there, since SQLite needs it.
fn clock() -> std::path::PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clock.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&out)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crash/clock.c"))
        .arg("-ldl")
        .status()
        .expect("a C compiler");
    assert!(built.success());
    out
}

/// The same command inside a shell script that ends in `exec "$@"`.
fn within(command: &Command, front: &[&str], script: &str) -> Command {
    let mut outer = Command::new(front[0]);
    outer
        .args(&front[1..])
        .args(["sh", "-c", script, "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(command.get_envs().filter_map(|(k, v)| Some((k, v?))))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    outer
}

/// Arguments of unshare(1) for mounts of one's own: as root at once, else in a namespace of users too.
fn private_mounts() -> Vec<&'static str> {
    let works = |args: &[&str]| {
        Command::new("unshare")
            .args(args)
            .arg("true")
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    for args in [vec!["-m"], vec!["-r", "-m"]] {
        if works(&args) {
            return [vec!["unshare"], args].concat();
        }
    }
    panic!(
        "unshare(1) cannot make private mounts here: rounds on a read-only file cannot be played"
    );
}

fn no_panic(ran: &Ran, what: &str) {
    let err = ran.stderr();
    assert!(
        !err.contains("panicked") && ran.code() != 101,
        "{what}: {err}"
    );
}

/// The end of one turn; what is said about it.
fn ended(end: End, world: &World, args: &[&str], whole: u64, random: &mut Random) -> Ran {
    let command = world.command(args);
    match end {
        End::Kill | End::Terminate => {
            let mut command = command;
            let mut child = command.spawn().unwrap();
            std::thread::sleep(Duration::from_millis(random.below(whole * 5 / 4)));
            if child.try_wait().unwrap().is_none() {
                signal(&child, if end == End::Kill { "KILL" } else { "TERM" });
            }
            let began = Instant::now();
            let ran = finish(child);
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "{end:?} was not heard"
            );
            ran
        }
        End::DiskFull => {
            // A limit on the length of files (blocks of 512 bytes) acts as a full disk and needs no rights.
            let blocks = 40 + random.below(900);
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
            let ran = finish(within(&command, &["env"], &script).spawn().unwrap());
            assert!(ran.status.code().is_some(), "killed: {}", ran.stderr());
            if ran.code() == 3 {
                assert!(
                    ran.stderr().contains("full") || ran.stdout().contains("full"),
                    "{}",
                    ran.stderr()
                );
            }
            ran
        }
        End::ReadOnly => {
            let before = std::fs::read(world.db()).unwrap();
            let dir = world.data_dir();
            let dir = dir.display();
            let script = format!(
                "mount --bind {dir} {dir} && mount -o remount,bind,ro {dir} && exec \"$@\""
            );
            let ran = finish(
                within(&command, &private_mounts(), &script)
                    .spawn()
                    .unwrap(),
            );
            assert_eq!(ran.code(), 3, "{} {}", ran.stdout(), ran.stderr());
            assert!(
                ran.stderr().contains("read-only") || ran.stdout().contains("read-only"),
                "{}",
                ran.stderr()
            );
            assert_eq!(std::fs::read(world.db()).unwrap(), before);
            ran
        }
        End::ClockBack => {
            let mut command = command;
            let back = 1 + random.below(400 * 86_400);
            let child = command
                .env("LD_PRELOAD", clock())
                .env("CLOCK_SHIFT_S", format!("-{back}"))
                .spawn()
                .unwrap();
            let ran = finish(child);
            // Every source may have to wait for its rate limit anew: then nobody could look.
            assert!(
                [0, 8].contains(&ran.code()),
                "{} {}",
                ran.stdout(),
                ran.stderr()
            );
            ran
        }
    }
}

#[derive(Default)]
struct Tally {
    rounds: u64,
    in_turn: u64,
    in_flight: usize,
}

#[test]
fn turns_that_are_ended_at_any_moment() {
    let (seed, rounds) = (seed(), if scores::deep() { 500 } else { 50 });
    println!("RMM_ANALYST_SEED={seed}");
    let mut random = Random(seed);
    let (source, model) = (slow(), model());
    let mut tallies: BTreeMap<End, Tally> = BTreeMap::new();
    for world_n in 0..rounds / A_CASE {
        let with_model = world_n / 2 % 2 == 1;
        let world = World::new(&config(&source, with_model.then_some(&model)));
        let mode: &[&str] = if with_model { &[] } else { &["--no-model"] };
        // The case, and the time that a turn takes here.
        let began = Instant::now();
        let first = world.run(
            &[
                &["ask", "--json", "--no-input"],
                mode,
                &[&format!("look at s{seed}-{world_n}.kit-panel.shop")],
            ]
            .concat(),
        );
        assert_eq!(first.code(), 0, "{} {}", first.stdout(), first.stderr());
        let whole = u64::try_from(began.elapsed().as_millis()).unwrap().max(60);
        let id: CaseId = sound::cases(&world).remove(0);
        for n in 0..A_CASE {
            let round = world_n * A_CASE + n;
            let end = ENDS[usize::try_from(round).unwrap() % ENDS.len()];
            let names: Vec<String> = (0..3)
                .map(|k| format!("s{seed}-r{round}-{k}.kit-panel.shop"))
                .collect();
            let (events_before, before) = sound::case(&world, &id);
            let sent_before = source.list().len();
            let message = format!("look at {}", names.join(" and "));
            let args = [
                &["ask", "--json", "--no-input"],
                mode,
                &["--case", id.as_str(), &message],
            ]
            .concat();
            let ran = ended(end, &world, &args, whole, &mut random);
            let what = format!("round {round} ({end:?}, seed {seed})");
            no_panic(&ran, &what);
            // What the dead process had sent has arrived.
            std::thread::sleep(Duration::from_millis(30));
            let (events, state) = sound::case(&world, &id);
            assert_eq!(
                events[..events_before.len()],
                events_before,
                "{what}: the log lost or changed something"
            );
            assert!(state.used >= before.used, "{what}: the budget grew back");
            let sent = source.list()[sent_before..].to_vec();
            let charged = (state.used - before.used) as usize;
            assert!(
                charged >= sent.len(),
                "{what}: {sent:?} sent, {charged} charged"
            );
            assert!(charged <= 9, "{what}: {charged} charged");
            let open = state.open_turn().is_some();
            if open
                && state
                    .turns
                    .iter()
                    .flat_map(|t| &t.calls)
                    .any(|c| c.in_flight())
            {
                let shown = world.run(&["case", "show", id.as_str()]).exits(0).stdout();
                assert!(shown.contains("interrupted"), "{what}: {shown}");
            }
            // The next turn goes on, and asks no source for anything.
            let next = world.run(
                &[
                    &["ask", "--json", "--no-input"],
                    mode,
                    &["--case", id.as_str(), "what stands now?"],
                ]
                .concat(),
            );
            assert!(
                [0, 6, 8].contains(&next.code()),
                "{what}: exit {} {} {}",
                next.code(),
                next.stdout(),
                next.stderr()
            );
            let (_, after) = sound::case(&world, &id);
            assert_eq!(
                source.list().len(),
                sent_before + sent.len(),
                "{what}: something was repeated unasked"
            );
            assert_eq!(after.used, state.used, "{what}: the budget changed");
            assert_eq!(after.authorized, state.authorized, "{what}");
            assert_eq!(after.proposals.len(), state.proposals.len(), "{what}");
            let interrupted = sound::closed(&state, &after);
            let tally = tallies.entry(end).or_default();
            tally.rounds += 1;
            tally.in_turn += u64::from(open);
            tally.in_flight += interrupted;
        }
    }
    let mut report = format!("Crash rounds: {rounds}, 0 losses (RMM_ANALYST_SEED={seed})\n");
    report += &format!(
        "  {:<12} {:>6} {:>14} {:>16}\n",
        "ended by", "rounds", "within a turn", "calls in flight"
    );
    for (end, t) in &tallies {
        report += &format!(
            "  {:<12} {:>6} {:>14} {:>16}\n",
            format!("{end:?}"),
            t.rounds,
            t.in_turn,
            t.in_flight
        );
    }
    scores::write("crash", &report);
    let killed = &tallies[&End::Kill];
    assert!(
        killed.in_turn * 5 >= killed.rounds,
        "too few kills fell into a turn: {report}"
    );
}

/// A real small disk: the program says that it is full, and goes on when there is room.
#[test]
fn a_disk_that_is_really_full() {
    let source = Source::start(|l| {
        let names: Vec<String> = (0..4000).map(|n| format!("n{n}.{}", l.value)).collect();
        let body = super::source::certificate(&l.value, &names.join("\n"));
        (l.module == "crtsh").then(|| Reply::json(200, &body.to_string()))
    });
    let world = World::new(&config(&source, None));
    std::fs::create_dir_all(world.data_dir()).unwrap();
    let dir = world.data_dir();
    let dir = dir.display();
    let out = world.config_file().with_file_name("out");
    std::fs::create_dir_all(&out).unwrap();
    let o = out.display();
    // All in one namespace, since the disk is gone with it.
    let script = format!(
        r#"mount -t tmpfs -o size=1500k tmpfs {dir} || exit 77
        for n in 1 2 3 4 5 6 7 8 9; do
          "$@" ask --no-model --json --no-input "look at f$n.kit-panel.shop" >{o}/$n.out 2>{o}/$n.err
          echo $? >{o}/$n.code
        done
        mount -o remount,size=64m {dir} || exit 77
        "$@" ask --no-model --json --no-input "look at last.kit-panel.shop" >{o}/last.out 2>{o}/last.err
        echo $? >{o}/last.code
        "$@" db check >{o}/check.out 2>{o}/check.err; echo $? >{o}/check.code
        "$@" case list --json >{o}/list.out 2>{o}/list.err
        for c in $(sed -n 's/.*"\(case\|id\)": *"\([0-9a-f-]*\)".*/\2/p' {o}/list.out | sort -u); do
          "$@" case verify "$c" >>{o}/verify.out 2>&1 || echo "FAILED $c" >>{o}/verify.out
        done"#
    );
    let ran = finish(
        within(&world.command(&[]), &private_mounts(), &script)
            .spawn()
            .unwrap(),
    );
    assert_ne!(
        ran.code(),
        77,
        "a small disk cannot be mounted: {}",
        ran.stderr()
    );
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap_or_default();
    let codes: Vec<String> = (1..=9)
        .map(|n| read(&format!("{n}.code")).trim().to_owned())
        .collect();
    assert!(
        codes.iter().all(|c| c == "0" || c == "3"),
        "{codes:?}: {}",
        (1..=9)
            .map(|n| read(&format!("{n}.err")))
            .collect::<String>()
    );
    let full = codes.iter().position(|c| c == "3").expect("never full") + 1;
    let said = read(&format!("{full}.err")) + &read(&format!("{full}.out"));
    assert!(said.contains("full"), "{said}");
    assert_eq!(
        (read("last.code").trim(), read("check.code").trim()),
        ("0", "0"),
        "{} {}",
        read("last.err"),
        read("check.out")
    );
    let verified = read("verify.out");
    assert!(
        !verified.is_empty() && !verified.contains("FAILED"),
        "{verified} {}",
        read("list.out")
    );
}
