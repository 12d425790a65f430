//! A model asks for every tool of the catalog, in both tool modes, under five principals. What becomes of each
//! call is computed from the tool's permission, its effect and the rules of scope, and compared.

use super::fleet_asked::{Fleet, PEOPLE, Place, fleet, open, texts};
use super::model::{BOTH, Mode};
use super::scores;
use fleet::tools::{self, Tool};
use kit::principal::Permission;
use kit::tool::Effect;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

/// Calls in one turn.
const BATCH: usize = 12;

/// Speaks of devices, and with every word that brings a group of tools.
const QUESTION: &str = "Look after our devices: report software, restart services, see missing patches, \
                        schedule checks, and move what stands in the wrong place.";

/// What became of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Came {
    Ran,
    Proposed,
    /// The gate let it pass, and nothing of that name was there.
    NotThere,
    /// Where nothing at all may be called, a step that calls is no step: it is not even judged.
    Unheard,
    Refused(String),
}

impl fmt::Display for Came {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ran => f.write_str("ran"),
            Self::Proposed => f.write_str("proposed"),
            Self::NotThere => f.write_str("not there"),
            Self::Unheard => f.write_str("unheard"),
            Self::Refused(key) => f.write_str(key),
        }
    }
}

/// One call of one tool.
#[derive(Clone, Debug)]
struct Call {
    tool: &'static Tool,
    arguments: Value,
    /// What is special about it, for the table.
    about: &'static str,
    /// Something of another client is named.
    elsewhere: bool,
    /// A person let in what it would act on, or the case itself made it.
    leave: bool,
}

struct Who {
    name: &'static str,
    permissions: BTreeSet<Permission>,
    scoped: bool,
}

/// The permissions of a word that a person gives; not the program's own reading of it.
fn permissions(words: &str) -> BTreeSet<Permission> {
    const READS: [&str; 7] = [
        "devices.view",
        "clients.view",
        "jobs.view",
        "reports.view",
        "patches.view",
        "tasks.view",
        "checks.view",
    ];
    Permission::ALL
        .into_iter()
        .filter(|p| match words {
            "all" => true,
            "read-only" => READS.contains(&p.name()),
            "jobs.*" => p.name().starts_with("jobs."),
            _ => false,
        })
        .collect()
}

/// The rules, as the documents state them.
fn expected(mode: Mode, who: &Who, call: &Call) -> Came {
    let tool = call.tool;
    if mode == Mode::Constrained && who.permissions.is_empty() {
        return Came::Unheard;
    }
    // What a person may not use does not exist for their model.
    if !who.permissions.contains(&tool.permission) || tool.unscoped_only && who.scoped {
        return Came::Refused("not-a-tool".into());
    }
    if who.scoped && call.elsewhere {
        // Reading looks and finds nothing of that name; whatever leaves a trail is stopped by the gate.
        return if tool.trail {
            Came::Refused("scope".into())
        } else {
            Came::NotThere
        };
    }
    match tool.effect {
        Effect::Read => Came::Ran,
        Effect::Propose => Came::Proposed,
        Effect::Control if call.leave => Came::Ran,
        Effect::Control => Came::Proposed,
        Effect::ActOnApproved if call.leave => Came::Ran,
        Effect::ActOnApproved => Came::Refused("not-approved".into()),
    }
}

/// Arguments for a tool; a tool without a line here fails the test.
fn arguments(tool: &Tool, at: &Place, who: &str, by_patch: bool) -> Value {
    let device = at.device.as_str();
    match tool.name {
        "list_devices" => json!({"client": at.client}),
        "list_org" => json!({"client": at.client}),
        "get_inventory" => json!({"device": device}),
        "get_job_status" => json!({"job": at.job}),
        "fleet_summary" | "list_tasks" | "list_policies" | "query_audit" | "export_audit" => {
            json!({})
        }
        "inventory_report" => json!({"report_type": "software", "client": at.client}),
        "find_on_fleet" => json!({"indicator": at.ip}),
        "list_patches" | "list_checks" => json!({"device": device}),
        "export_inventory" => json!({"report_type": "machines", "client": at.client}),
        "propose_script" | "propose_bulk_deploy" => json!({
            "devices": [device], "name": "look at the load", "shell": "sh", "script": "uptime",
            "expected_effect": "prints the load",
        }),
        "install_software" | "uninstall_software" => {
            json!({"devices": [device], "package": "htop"})
        }
        "restart_service" => json!({"devices": [device], "service": "nginx"}),
        "install_printer" => json!({"devices": [device], "name": "desk", "host": "192.0.2.5"}),
        "flush_dns" | "reboot_device" | "propose_delete_devices" => json!({"devices": [device]}),
        "propose_task" => json!({
            "name": format!("clean {who}"), "schedule": "30 2 * * 1", "shell": "sh", "script": "true", "device": device,
        }),
        "propose_check" => {
            json!({"name": format!("cpu {who}"), "kind": "cpu", "error": 95, "device": device})
        }
        "propose_policy" => {
            json!({"name": format!("{who} of {}", at.client), "settings": {"interval": 5}, "client": at.client})
        }
        "propose_move_devices" => json!({"devices": [device], "site": at.site}),
        "install_patches" if by_patch => {
            json!({"devices": [device], "patches": [format!("{}-{who}", at.patch)]})
        }
        "install_patches" => {
            json!({"devices": [device], "patches": [format!("{}-open", at.patch)]})
        }
        "cancel_job" => json!({"job": at.job}),
        other => panic!("a new tool, {other}: say here how it is called"),
    }
}

/// Every call for one principal.
fn calls(here: &Place, there: &Place, who: &str) -> Vec<Call> {
    let mut out = Vec::new();
    for tool in tools::all() {
        let call = |at: &Place, about, leave| Call {
            tool,
            arguments: arguments(tool, at, who, leave),
            about,
            elsewhere: std::ptr::eq(at, there),
            leave,
        };
        out.push(call(here, "", false));
        let other = call(there, "other client", false);
        let same = other.arguments == call(here, "", false).arguments;
        // An address is looked for; it names nothing. What is found is another matter: see `leaks`.
        if tool.name == "find_on_fleet" {
            out.push(Call {
                elsewhere: false,
                ..other
            });
        } else if !same {
            out.push(other);
        }
        if tool.effect == Effect::ActOnApproved {
            out.push(call(here, "approved", true));
            out.push(call(there, "approved, other client", true));
        }
    }
    out
}

/// What of other clients must be seen nowhere: names of machines, serial numbers, users, places, titles.
fn secrets(db: &rusqlite::Connection, client: &str) -> Vec<String> {
    let id = client.trim_start_matches("c-");
    let all = |condition: &str| {
        texts(
            db,
            &format!(
                "SELECT x FROM (SELECT hostname x, client_id c FROM devices UNION SELECT serial, client_id FROM devices
                 UNION SELECT c.name, c.id FROM clients c UNION SELECT s.name, s.client_id FROM sites s)
                 WHERE c {condition} {id} AND length(x) > 3"
            ),
        )
    };
    let own = all("=");
    let mut out = all("<>");
    out.retain(|s| !own.iter().any(|o| o.contains(s.as_str())) && !QUESTION.contains(s.as_str()));
    assert!(
        out.len() > 10 && out.iter().any(|s| s == "graz-web"),
        "{out:?}"
    );
    out
}

/// Everything that an unapproved call must leave as it is.
fn stands(db: &rusqlite::Connection) -> Vec<String> {
    texts(
        db,
        "SELECT 'd' || id || hostname || client_id || site_id || ifnull(department_id, '') || ifnull(deleted_ms, '') FROM devices
         UNION ALL SELECT 'enabled task ' || id FROM tasks WHERE enabled
         UNION ALL SELECT 'enabled check ' || id FROM checks WHERE enabled
         UNION ALL SELECT 'enabled policy ' || id FROM policies WHERE enabled
         UNION ALL SELECT 'let in ' || device_id || ' ' || patch_id || approved_by FROM device_patches WHERE approved_by <> ''
         UNION ALL SELECT 'patch ' || device_id || ' ' || patch_id || state FROM device_patches WHERE approved_by = ''
         UNION ALL SELECT 'person ' || id || name || disabled || scope_all FROM principals
         UNION ALL SELECT 'may ' || principal_id || permission FROM principal_permissions
         UNION ALL SELECT 'job ' || id || status FROM jobs WHERE status <> 'awaiting_approval' AND kind <> 'install_patches' AND status <> 'rejected'
         UNION ALL SELECT 'operation ' || id || status FROM device_operations WHERE status <> 'awaiting_approval'
         UNION ALL SELECT 'target ' || t.job_id || ' ' || t.device_id || t.status FROM job_targets t JOIN jobs j ON j.id = t.job_id
                          WHERE t.status <> 'pending' AND j.kind <> 'install_patches' AND j.status <> 'rejected'
         ORDER BY 1",
    )
}

/// What became of the calls of one turn, in their order.
fn came(v: &Value, asked: &[Call]) -> Vec<Came> {
    let ledger = v["ledger"].as_array().unwrap();
    if ledger.is_empty() {
        assert_eq!(v["budget"]["turn_used"], 0, "{v}");
        return asked.iter().map(|_| Came::Unheard).collect();
    }
    assert_eq!(ledger.len(), asked.len(), "{v}");
    let mut charged = 0;
    let came = ledger
        .iter()
        .zip(asked)
        .map(|(l, call)| {
            assert_eq!(l["tool"], call.tool.name, "{l}");
            charged += u64::from(l["verdict"] != "refuse");
            match (l["verdict"].as_str().unwrap(), l["status"].as_str()) {
                ("refuse", _) => Came::Refused(l["reason"].as_str().unwrap().to_owned()),
                ("ask", _) => Came::Proposed,
                ("permit", Some("found")) => Came::Ran,
                ("permit", Some("could_not_look")) => Came::NotThere,
                other => panic!("{other:?}: {l}"),
            }
        })
        .collect();
    assert_eq!(
        v["budget"]["turn_used"].as_u64(),
        Some(charged),
        "what is refused costs nothing: {v}"
    );
    came
}

/// The names of fleet tools that a request puts before the model.
fn offered(request: &Value) -> BTreeSet<String> {
    let native = request["tools"].as_array().into_iter().flatten();
    let mut names: BTreeSet<String> = native
        .filter_map(|t| t["function"]["name"].as_str().map(str::to_owned))
        .collect();
    let schema = request["response_format"].to_string();
    names.extend(
        tools::all()
            .map(|t| t.name.to_owned())
            .filter(|n| schema.contains(&format!("\"{n}\""))),
    );
    names.retain(|n| tools::find(n).is_some());
    names
}

type Table = BTreeMap<(usize, &'static str), BTreeMap<&'static str, String>>;

/// All calls of one principal; gives the case.
fn ask(fleet: &Fleet, mode: Mode, who: &Who, table: &mut Table) {
    let before = fleet.model.rounds().len();
    let mut seen = String::new();
    let mut case = String::new();
    let mut turn = |calls: &[Call]| {
        let mut plan = fleet.plan.lock().unwrap();
        *plan = calls
            .iter()
            .map(|c| (c.tool.name.to_owned(), c.arguments.clone()))
            .collect();
        drop(plan);
        let mut args = vec!["--as", who.name, "ask", "--json", "--no-input"];
        if !case.is_empty() {
            args.extend(["--case", &case]);
        }
        args.push(QUESTION);
        let ran = fleet.world.run(&args);
        assert!(
            [0, 6].contains(&ran.code()),
            "{} {}",
            ran.stdout(),
            ran.stderr()
        );
        let v = ran.json();
        super::contract::holds(&v);
        seen.push_str(&ran.stdout());
        seen.push_str(&ran.stderr());
        case = v["case"].as_str().unwrap().to_owned();
        for (call, came) in calls.iter().zip(came(&v, calls)) {
            let wanted = expected(mode, who, call);
            assert_eq!(
                came,
                wanted,
                "{} {} {} {}: {v}",
                mode.name(),
                who.name,
                call.tool.name,
                call.about
            );
            let at = tools::all().position(|t| t.name == call.tool.name).unwrap();
            let cell = table
                .entry((at, call.about))
                .or_default()
                .entry(who.name)
                .or_default();
            let came = came.to_string();
            if cell.is_empty() {
                *cell = came;
            } else if *cell != came {
                *cell = format!("{cell} / {came}");
            }
        }
    };
    let all = calls(&fleet.here, &fleet.there, who.name);
    for batch in all.chunks(BATCH) {
        turn(batch);
    }
    // A job that this case proposed is taken back by it, without asking.
    let own: Option<i64> = open(&fleet.world.db())
        .query_row(
            "SELECT max(id) FROM jobs WHERE status = 'awaiting_approval' AND proposed_by = ?1",
            [who.name],
            |r| r.get(0),
        )
        .unwrap();
    turn(&[Call {
        tool: tools::find("cancel_job").unwrap(),
        arguments: json!({"job": format!("j-{}", own.unwrap_or(1))}),
        about: "of this case",
        elsewhere: false,
        leave: true,
    }]);
    let rounds = fleet.model.rounds().split_off(before);
    // Nothing stands in a request that this person may not use, and all that they may use did.
    let mut names = BTreeSet::new();
    for request in &rounds {
        names.append(&mut offered(request));
    }
    let may: BTreeSet<String> = tools::all()
        .filter(|t| who.permissions.contains(&t.permission) && !(t.unscoped_only && who.scoped))
        .map(|t| t.name.to_owned())
        .collect();
    assert_eq!(names, may, "{} {}", mode.name(), who.name);
    if who.name == "analyst" {
        // The control: without a scope the same calls do show it.
        assert!(rounds.iter().any(|r| r.to_string().contains("graz-web")));
    }
    if who.scoped {
        leaks(fleet, who, &case, &seen, &rounds);
    }
    fleet.world.verify(&case);
}

/// Nothing of another client went to the model, to the screen or into the evidence.
fn leaks(fleet: &Fleet, who: &Who, case: &str, seen: &str, rounds: &[Value]) {
    let shown = fleet
        .world
        .run(&["--as", who.name, "case", "export", case, "--format", "json"])
        .exits(0)
        .stdout();
    assert!(
        shown.contains("kiel-web"),
        "the export holds the evidence: {shown}"
    );
    let requests: Vec<String> = rounds.iter().map(Value::to_string).collect();
    assert!(
        requests.iter().any(|r| r.contains("kiel-web")),
        "a look at one's own devices finds them"
    );
    let db = open(&fleet.world.db());
    for secret in secrets(&db, &fleet.here.client) {
        assert!(!seen.contains(&secret), "{secret} on the screen");
        assert!(!shown.contains(&secret), "{secret} in the evidence");
        assert!(
            !requests.iter().any(|r| r.contains(&secret)),
            "{secret} in a request"
        );
    }
}

fn print(table: &Table) -> String {
    let mut out = String::from(
        "What became of a model's call of each fleet tool: ran, proposed, or the key of the refusal (native / constrained where they differ)\n",
    );
    let line = |out: &mut String, first: &str, cells: [&str; 5]| {
        let [a, b, c, d, e] = cells;
        writeln!(out, "{first:<46}{a:<14}{b:<14}{c:<14}{d:<14}{e}",).unwrap();
    };
    line(
        &mut out,
        "tool",
        [
            "unrestricted",
            "one client",
            "read-only",
            "jobs only",
            "nothing",
        ],
    );
    for ((at, about), cells) in table {
        let tool = tools::all().nth(*at).unwrap();
        let name = if about.is_empty() {
            tool.name.to_owned()
        } else {
            format!("{} ({about})", tool.name)
        };
        line(&mut out, &name, PEOPLE.map(|p| cells[p.0].as_str()));
    }
    out
}

#[test]
fn every_tool_under_every_principal_in_both_modes() {
    let mut table = Table::new();
    for mode in BOTH {
        let fleet = fleet(mode);
        let before = stands(&open(&fleet.world.db()));
        assert!(before.len() > 40);
        for (name, allow, client) in PEOPLE {
            let who = Who {
                name,
                permissions: permissions(allow),
                scoped: client.is_some(),
            };
            ask(&fleet, mode, &who, &mut table);
        }
        let db = open(&fleet.world.db());
        assert_eq!(
            stands(&db),
            before,
            "nothing changes before a person approves it"
        );
        // What acts on approvals ran for those that a person gave, and only so.
        let installs = texts(
            &db,
            "SELECT approved_by || ' ' || proposed_by FROM jobs WHERE kind = 'install_patches' ORDER BY id",
        );
        assert_eq!(
            installs,
            ["analyst analyst", "analyst analyst", "analyst fay"],
            "{}",
            mode.name()
        );
        let waits = texts(
            &db,
            "SELECT DISTINCT status FROM fleet_proposals ORDER BY 1",
        );
        assert_eq!(
            waits,
            ["awaiting_approval", "rejected"],
            "only what the cases took back is decided"
        );
        drop(db);
        fleet.world.run(&["audit", "verify"]).exits(0);
    }
    scores::write("fleet", &print(&table));
}
