//! What the guided setup orders, carried out by the real session: a model tried over a real socket, a key
//! in the 0600 file, settings written in order.

use crate::support_model::{Asked, Kind, Reply, Scripted};
use rmm_analyst::config::{Config, edit};
use rmm_analyst::engine::session::{Order, Rebuild, Session, Update};
use rmm_analyst::engine::view::{Ability, TrialStep};
use rmm_analyst::engine::{Engine, Parts};
use rmm_analyst::redact::Redact;
use rmm_analyst::secrets::{Env, Secrets};
use rmm_analyst::store::{Store, StoreOptions};
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

const LIMIT: Duration = Duration::from_secs(20);

pub(crate) struct World {
    pub(crate) session: Session,
    updates: UnboundedReceiver<Update>,
    pub(crate) store: Store,
    config: Config,
    file: Arc<Mutex<String>>,
    dir: tempfile::TempDir,
}

fn secrets_file(dir: &Path) -> PathBuf {
    dir.join("secrets.toml")
}

fn engine(store: &Store, dir: &Path, config: Config) -> Engine {
    Engine::new(Parts {
        config: Arc::new(config),
        store: store.clone(),
        secrets: Arc::new(Secrets::with_layers(
            Env::empty(),
            false,
            Some(secrets_file(dir)),
        )),
        redact: Arc::new(Redact::new(&[], &[]).unwrap()),
        principal: kit::principal::Principal::owner("ana"),
        data_dir: dir.to_path_buf(),
    })
    .unwrap()
}

fn world() -> World {
    world_with(Config::default())
}

pub(crate) fn world_with(config: Config) -> World {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("a.db"), StoreOptions::default()).unwrap();
    let file = Arc::new(Mutex::new(String::new()));
    let first = engine(&store, dir.path(), config.clone());
    let rebuild: Rebuild = {
        let (store, dir, file) = (store.clone(), dir.path().to_path_buf(), file.clone());
        Box::new(move |change| {
            let mut text = file.lock().unwrap();
            if let Some((key, value)) = change {
                *text = edit::change(&text, Path::new("config.toml"), key, value, &[])
                    .map_err(|p| p[0].to_string())?;
            }
            let config = toml::from_str(&text).map_err(|e| e.to_string())?;
            Ok(engine(&store, &dir, config))
        })
    };
    let (session, updates) = Session::start(first, rebuild, "tui").unwrap();
    World {
        session,
        updates,
        store,
        config,
        file,
        dir,
    }
}

impl World {
    /// Another engine over the same database, as another process has one.
    pub(crate) fn engine(&self) -> Engine {
        engine(&self.store, self.dir.path(), self.config.clone())
    }

    /// The updates up to the first that is wanted.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Update) -> bool) -> Vec<Update> {
        let mut out = Vec::new();
        loop {
            let next = tokio::time::timeout(LIMIT, self.updates.recv()).await;
            let update = next.expect("the update comes").expect("the session runs");
            let last = wanted(&update);
            out.push(update);
            if last {
                return out;
            }
        }
    }
}

fn server(call: bool) -> Scripted {
    Kind::Vllm.serve(move |asked: &Asked| {
        let message = if call && asked.json().get("tools").is_some() {
            r#"{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"lookup_domain","arguments":"{\"query\":\"example.com\"}"}}]}"#
        } else {
            r#"{"role":"assistant","content":"I would rather not."}"#
        };
        let finish = if call { "tool_calls" } else { "stop" };
        Reply::sse(&format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{message},\"finish_reason\":null}}]}}\n\n\
             data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{finish}\"}}]}}\n\ndata: [DONE]\n\n"
        ))
    })
}

#[tokio::test]
async fn a_model_is_tried_over_the_wire() {
    for call in [true, false] {
        let mut w = world();
        let server = server(call);
        w.session
            .order(Order::Try(7, server.url(), "tiny-qwen2".into()));
        let told = w.until(|u| matches!(u, Update::Tried(7, _))).await;
        let steps: Vec<TrialStep> = told
            .iter()
            .filter_map(|u| match u {
                Update::Trying(7, step) => Some(*step),
                _ => None,
            })
            .collect();
        assert_eq!(steps, [TrialStep::Connecting, TrialStep::Asking]);
        let Some(Update::Tried(_, ability)) = told.last() else {
            panic!("{told:?}")
        };
        match ability {
            Ability::Native => assert!(call),
            Ability::NoTools(hint) => assert!(!call && hint.contains("Choose a model")),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn nobody_there_is_said_with_what_to_do() {
    let mut w = world();
    let gone = server(true).url();
    w.session.order(Order::Try(1, gone, "tiny-qwen2".into()));
    let told = w.until(|u| matches!(u, Update::Tried(..))).await;
    let Some(Update::Tried(1, Ability::Failed(why, hint))) = told.last() else {
        panic!("{told:?}")
    };
    assert!(!why.is_empty() && !hint.is_empty());
}

#[tokio::test]
async fn a_trial_that_is_stopped_drops_its_request() {
    let mut w = world();
    let server = Kind::Vllm.serve(|_| {
        Reply::raw(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
        )
        .hold()
    });
    w.session
        .order(Order::Try(1, server.url(), "tiny-qwen2".into()));
    w.until(|u| matches!(u, Update::Trying(_, TrialStep::Asking)))
        .await;
    let asked = || !server.asked_at("/v1/chat/completions").is_empty();
    let end = std::time::Instant::now() + LIMIT;
    while !asked() {
        assert!(std::time::Instant::now() < end, "the model was asked");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    w.session.order(Order::StopTrying);
    assert!(server.wait_hung_up(LIMIT).await, "the stream is closed");
}

#[tokio::test]
async fn a_key_goes_into_the_private_file_and_nowhere_else() {
    let mut w = world();
    let key = "sekret-4711-abcdef";
    w.session.order(Order::KeepSecret(
        "abuseipdb".into(),
        SecretString::from(key.to_owned()),
    ));
    let told = w.until(|u| matches!(u, Update::Kept(..))).await;
    let Some(Update::Kept(name, Ok(place))) = told.last() else {
        panic!("{told:?}")
    };
    assert_eq!(name, "abuseipdb");
    assert!(place.contains("file that only you can read"), "{place}");
    // Its module works from now on.
    let ready = told.iter().any(|u| match u {
        Update::Modules(all) => all.iter().any(|m| m.name == "abuseipdb" && m.ready),
        _ => false,
    });
    assert!(ready);
    assert!(!format!("{told:?}").contains("sekret"));
    for entry in std::fs::read_dir(w.dir.path()).unwrap() {
        let path = entry.unwrap().path();
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let holds = bytes.windows(6).any(|b| b == b"sekret");
        assert_eq!(holds, path == secrets_file(w.dir.path()), "{path:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(secrets_file(w.dir.path()))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // An empty value is refused in words.
    w.session.order(Order::KeepSecret(
        "abuseipdb".into(),
        SecretString::default(),
    ));
    let told = w.until(|u| matches!(u, Update::Kept(..))).await;
    assert!(matches!(told.last(), Some(Update::Kept(_, Err(_)))));
}

#[tokio::test]
async fn settings_are_written_in_order_up_to_the_first_that_is_refused() {
    let mut w = world();
    let set = |all: &[(&str, &str)]| {
        Order::SetAll(
            all.iter()
                .map(|(k, v)| ((*k).to_owned(), Some((*v).to_owned())))
                .collect(),
        )
    };
    w.session.order(set(&[
        ("model.base_url", "http://127.0.0.1:8080"),
        ("model.name", "m"),
    ]));
    let told = w.until(|u| matches!(u, Update::Settings(_))).await;
    let Some(Update::Settings(config)) = told.last() else {
        panic!("{told:?}")
    };
    assert_eq!(config.model.name.as_deref(), Some("m"));
    let settings = told.iter().filter(|u| matches!(u, Update::Settings(_)));
    assert_eq!(settings.count(), 1, "told once");
    w.session.order(set(&[
        ("ui.notify", "desktop"),
        ("ui.notify", "loud"),
        ("ui.defang", "false"),
    ]));
    let told = w.until(|u| matches!(u, Update::NotSet(..))).await;
    let Some(Update::NotSet(key, why)) = told.last() else {
        panic!("{told:?}")
    };
    assert_eq!(key, "ui.notify");
    assert!(why.message.contains("loud"), "{why:?}");
    let text = w.file.lock().unwrap().clone();
    assert!(
        text.contains("desktop") && !text.contains("defang"),
        "{text}"
    );
}

#[tokio::test]
async fn that_the_setup_is_over_is_remembered() {
    let mut w = world();
    let over = |w: &World| engine(&w.store, w.dir.path(), Config::default()).setup_is_over();
    assert!(!over(&w));
    w.session.order(Order::SetupOver(false));
    // Orders are obeyed in turn: when the next is answered, it is written.
    w.session.order(Order::Modules);
    w.until(|u| matches!(u, Update::Modules(_))).await;
    assert!(over(&w));
}

#[tokio::test]
async fn a_module_names_the_host_that_it_is_configured_to_ask() {
    let config: Config = toml::from_str(
        "[modules.crtsh]\nbase_url = \"http://someone:hush@mirror.example:9000/crt\"\n",
    )
    .unwrap();
    let facts = world_with(config).engine().module_facts();
    let host = |name: &str| facts.iter().find(|m| m.name == name).unwrap().host.clone();
    assert_eq!(host("crtsh"), "mirror.example:9000");
    assert_eq!(host("abuseipdb"), "api.abuseipdb.com");
    assert_eq!(host("special"), "");
}

#[tokio::test]
async fn the_tables_of_an_answer_become_csv_files() {
    use rmm_analyst::case::Body;
    let mut world = world();
    let answer =
        "Two machines:\n\n| device | note |\n|---|---|\n| web-01 | =1+1 |\n| db-01 | plain |\n";
    let text = kit::text::Untrusted::new(answer.to_owned()).redact(&Redact::new(&[], &[]).unwrap());
    let case = world
        .store
        .write(move |tx| {
            let case = tx.create_case(1, "tables", "ana")?;
            let answer = Body::Answer {
                turn: 1,
                text,
                unsupported: Vec::new(),
                mentioned: Vec::new(),
            };
            tx.append(&case, 2, &[answer])?;
            Ok(case)
        })
        .unwrap();
    let file = world.dir.path().join("out.csv");
    world
        .session
        .order(Order::Export(case, "tables".into(), file.clone()));
    let told = world.until(|u| matches!(u, Update::Done(_))).await;
    let Some(Update::Done(said)) = told.last() else {
        panic!("{told:?}")
    };
    let written = world.dir.path().join("out-turn1-table1.csv");
    assert!(said.contains("out-turn1-table1.csv"), "{said}");
    let text = std::fs::read_to_string(written).unwrap();
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        ["device,note", "web-01,'=1+1", "db-01,plain"]
    );
}
