//! A made-up fleet with two clients of known names, five people, and a model that makes exactly the calls that a
//! test hands it.

use super::model::{Mode, Model, Say, answer, stream};
use super::world::{World, base, modelled};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Who asks: name, what `--allow` gives, the one client that it sees.
pub(crate) const PEOPLE: [(&str, &str, Option<&str>); 5] = [
    ("analyst", "all", None),
    ("fay", "all", Some("Alder Logistics")),
    ("vera", "read-only", None),
    ("jo", "jobs.*", None),
    ("nil", "", None),
];

/// Rows of one client by their ids.
pub(crate) struct Place {
    pub(crate) client: String,
    /// Where devices are moved to.
    pub(crate) site: String,
    pub(crate) device: String,
    /// A job that another case proposed.
    pub(crate) job: String,
    pub(crate) ip: &'static str,
    /// A patch that a person let in on the device, for each principal.
    pub(crate) patch: &'static str,
}

/// Calls that the model is to make.
pub(crate) type Plan = Arc<Mutex<VecDeque<(String, Value)>>>;

/// A model that makes the calls of the plan: at once where calls are native, one a round otherwise.
fn model(mode: Mode, plan: &Plan) -> Model {
    let plan = Arc::clone(plan);
    Model::start(mode, move |_| {
        let mut plan = plan.lock().unwrap();
        if mode == Mode::Native && !plan.is_empty() {
            return Say::Calls(
                plan.drain(..)
                    .map(|(tool, a)| (json!(tool), a.to_string()))
                    .collect(),
            );
        }
        match plan.pop_front() {
            Some((tool, arguments)) => {
                let step = json!({"action": "call", "tool": tool, "arguments": arguments});
                Say::Raw(stream(&[json!({"content": step.to_string()})], "stop"))
            }
            None => answer("That is what I asked for."),
        }
    })
}

pub(crate) struct Fleet {
    pub(crate) plan: Plan,
    pub(crate) model: Model,
    pub(crate) world: World,
    pub(crate) here: Place,
    pub(crate) there: Place,
}

/// A made-up fleet, two clients with a device of known names each, a job of each that waits, and five people.
pub(crate) fn fleet(mode: Mode) -> Fleet {
    let plan = Plan::default();
    let model = model(mode, &plan);
    let config = modelled(base(), &model)
        .set("model", "context", "131072")
        .set("limits", "calls_per_turn", "100")
        .set("limits", "calls_per_case", "1000")
        .set("limits", "refusals_per_turn", "100")
        .set("limits", "rounds", "40")
        .set("limits", "proposals_per_turn", "100")
        .set("limits", "proposals_open", "1000");
    let world = World::new(&config);
    world.run(&["dev", "seed-fleet", "--size", "s"]).exits(0);
    let file = |name: &str, text: &str| {
        let path = world.data_dir().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let devices = file(
        "fleet.csv",
        "hostname,client,site,os,os_version,ip,serial\n\
         kiel-web,Alder Logistics,Kiel,Debian GNU/Linux,12,10.77.1.1,KIELSN1\n\
         kiel-spare,Alder Logistics,Kiel Two,Debian GNU/Linux,12,10.77.1.2,KIELSN2\n\
         graz-web,Birch Logistics,Graz,Debian GNU/Linux,12,10.78.1.1,GRAZSN1\n\
         graz-spare,Birch Logistics,Graz Two,Debian GNU/Linux,12,10.78.1.2,GRAZSN2\n",
    );
    let mut rows = String::from("hostname,identifier,client\n");
    for (host, patch, client) in [
        ("kiel-web", "KP", "Alder Logistics"),
        ("graz-web", "GP", "Birch Logistics"),
    ] {
        for who in PEOPLE.map(|p| p.0).iter().chain(&["open"]) {
            writeln!(rows, "{host},{patch}-{who},{client}").unwrap();
        }
    }
    let patches = file("patches.csv", &rows);
    world
        .run(&["device", "import", &devices, "--patches", &patches])
        .exits(0);
    for (host, patch) in [("kiel-web", "KP"), ("graz-web", "GP")] {
        let names = PEOPLE.map(|p| format!("{patch}-{}", p.0));
        let mut args = vec!["patches", "approve"];
        args.extend(names.iter().map(String::as_str));
        args.extend(["--device", host]);
        world.run(&args).exits(0);
    }
    for (name, allow, client) in &PEOPLE[1..] {
        let allowed = if allow.is_empty() {
            "lookups.run"
        } else {
            allow
        };
        let mut args = vec![
            "principal",
            "add",
            name,
            "--allow",
            allowed,
            "--os-user",
            "analyst",
        ];
        args.extend(client.map_or(vec!["--whole-fleet"], |c| vec!["--client", c]));
        world.run(&args).exits(0);
        if allow.is_empty() {
            world
                .run(&["principal", "edit", name, "--revoke", "lookups.run"])
                .exits(0);
        }
    }
    let db = world.db();
    let mut fleet = Fleet {
        plan,
        model,
        here: place(&db, "kiel-web", "Kiel Two", "10.77.1.1", "KP"),
        there: place(&db, "graz-web", "Graz Two", "10.78.1.1", "GP"),
        world,
    };
    // One job of each client waits, from another case.
    for host in ["kiel-web", "graz-web"] {
        fleet.plan.lock().unwrap().push_back((
            "restart_service".into(),
            json!({"devices": [host], "service": "nginx", "why": format!("{host} does not answer")}),
        ));
        let v = fleet.world.ask(6, &["restart nginx on the server"]);
        // The report names the proposal; the job has a number of its own.
        let proposal = v["jobs_created"][0].as_i64().unwrap();
        let job: i64 = open(&fleet.world.db())
            .query_row("SELECT id FROM jobs WHERE proposal = ?1", [proposal], |r| {
                r.get(0)
            })
            .unwrap();
        let job = format!("j-{job}");
        match host {
            "kiel-web" => fleet.here.job = job,
            _ => fleet.there.job = job,
        }
    }
    fleet
}

fn place(db: &Path, host: &str, site: &str, ip: &'static str, patch: &'static str) -> Place {
    let db = open(db);
    let (device, client): (i64, i64) = db
        .query_row(
            "SELECT id, client_id FROM devices WHERE hostname = ?1",
            [host],
            |r| Ok((r.get(0)?, r.get(1)?)),
        )
        .unwrap();
    let site: i64 = db
        .query_row("SELECT id FROM sites WHERE name = ?1", [site], |r| r.get(0))
        .unwrap();
    Place {
        client: format!("c-{client}"),
        site: format!("s-{site}"),
        device: format!("d-{device}"),
        job: String::new(),
        ip,
        patch,
    }
}

pub(crate) fn open(db: &Path) -> rusqlite::Connection {
    let db = rusqlite::Connection::open(db).unwrap();
    db.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    db
}

pub(crate) fn texts(db: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut query = db.prepare(sql).unwrap();
    query
        .query_map([], |r| r.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}
