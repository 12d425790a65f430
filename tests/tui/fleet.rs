//! An action from the model's call to its news, through the real session: the card's content comes by itself, a
//! decision names its digest, and what changes on the fleet changes the card.

use crate::session::{World, world_with};
use crate::support_model::{Asked, Kind, Reply, Scripted};
use rmm_analyst::config::Config;
use rmm_analyst::engine::connect::ModelWish;
use rmm_analyst::engine::session::{Order, Update};
use rmm_analyst::engine::view::{ActionView, Body};
use rmm_analyst::engine::{AskInput, CaseChoice, Choices};
use serde_json::json;

/// Proposes once what the question asks for, then answers.
fn server() -> Scripted {
    Kind::Vllm.serve(|asked: &Asked| {
        let body = asked.json();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let user = messages
            .iter()
            .rposition(|m| m["role"] == "user")
            .unwrap_or_default();
        let text = messages
            .get(user)
            .and_then(|m| m["content"].as_str())
            .unwrap_or_default();
        let told = messages[user..].iter().any(|m| m["role"] == "tool");
        let call = |name: &str, arguments: serde_json::Value| {
            json!({"role": "assistant", "tool_calls": [{"index": 0, "id": "c1", "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()}}]})
        };
        let message = if asked.body.contains("lookup_domain") {
            call("lookup_domain", json!({"query": "example.com"}))
        } else if told || body.get("tools").is_none() {
            json!({"role": "assistant", "content": "I proposed it."})
        } else if text.contains("delete") {
            call("propose_delete_devices", json!({"devices": ["d-1"]}))
        } else {
            call(
                "restart_service",
                json!({"devices": ["d-1"], "service": "nginx"}),
            )
        };
        let finish = if message.get("tool_calls").is_some() {
            "tool_calls"
        } else {
            "stop"
        };
        let delta = json!({"choices": [{"index": 0, "delta": message, "finish_reason": null}]});
        let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
        Reply::sse(&format!(
            "data: {delta}\n\ndata: {last}\n\ndata: [DONE]\n\n"
        ))
    })
}

fn fleet(server: &Scripted) -> World {
    let config: Config =
        toml::from_str(&format!("[model]\nbase_url = \"{}\"\n", server.url())).unwrap();
    let w = world_with(config);
    let engine = w.engine();
    // The first owner is a person of this database from here on.
    rmm_analyst::engine::by_hand::people::acting(&engine.store, "ana", None, 1).unwrap();
    let row = json!({"hostname": "web-01", "client": "Contoso", "site": "Berlin", "os": "Debian GNU/Linux"});
    engine.runner().import_row(&row).unwrap();
    w
}

/// Asks, and gives the card's content once it came.
async fn propose(w: &mut World, question: &str) -> ActionView {
    let input = AskInput {
        case: CaseChoice::New,
        text: question.to_owned(),
        attachments: Vec::new(),
        authorize_input: false,
        continuation: false,
        mode: None,
        fresh: false,
        as_is: false,
        model: ModelWish::default(),
        surface: "tui",
    };
    w.session
        .order(Order::Ask(1, Box::new(input), Choices::default()));
    let told = w
        .until(|u| matches!(u, Update::Ended(..) | Update::Failed(..)))
        .await;
    let view = told.iter().rev().find_map(|u| match u {
        Update::Action(1, view) => Some((**view).clone()),
        _ => None,
    });
    view.unwrap_or_else(|| panic!("the card's content did not come: {told:#?}"))
}

fn act(w: &World, view: &ActionView, count: Option<u32>) {
    w.session.order(Order::Act {
        room: 1,
        n: view.n,
        digest: view.digest.clone(),
        count,
    });
}

fn bodies(told: &[Update]) -> Vec<&Body> {
    told.iter()
        .filter_map(|u| match u {
            Update::Events(1, events) => Some(events.iter().map(|e| &e.body)),
            _ => None,
        })
        .flatten()
        .collect()
}

#[tokio::test]
async fn an_action_is_approved_on_its_card_and_its_news_come() {
    let server = server();
    let mut w = fleet(&server);
    let view = propose(&mut w, "restart nginx on the server web-01").await;
    assert_eq!(view.devices.len(), 1, "{view:?}");
    assert_eq!(view.devices[0].client.as_str(), "Contoso");
    assert!(
        view.devices[0].note.as_str().contains("no executor"),
        "{view:?}"
    );
    assert!(
        view.script
            .as_ref()
            .unwrap()
            .text
            .as_str()
            .contains("systemctl restart")
    );
    assert_eq!(view.digest.len(), 64);
    assert!(view.changed.is_empty(), "{view:?}");

    // Another digest: nothing happens, and it is said.
    let wrong = ActionView {
        digest: "0".repeat(64),
        ..view.clone()
    };
    act(&w, &wrong, None);
    let told = w.until(|u| matches!(u, Update::Failed(..))).await;
    assert!(
        matches!(told.last(), Some(Update::Failed(_, why)) if why.message.contains("digest")),
        "{told:?}"
    );

    act(&w, &view, None);
    let told = w
        .until(|u| matches!(u, Update::Events(1, e) if e.iter().any(|e| matches!(e.body, Body::ActionNews { .. }))))
        .await;
    let bodies = bodies(&told);
    assert!(
        bodies.iter().any(
            |b| matches!(b, Body::Decided { approve: true, surface, principal, .. }
            if surface == "tui" && principal == "ana")
        ),
        "{bodies:?}"
    );
    assert!(
        bodies.iter().any(|b| matches!(b, Body::ActionNews { news }
            if news.status == "failed" && news.detail.as_str().contains("no executor"))),
        "{bodies:?}"
    );
    act(&w, &view, None);
    let told = w.until(|u| matches!(u, Update::Failed(..))).await;
    assert!(
        matches!(told.last(), Some(Update::Failed(_, why)) if why.message.contains("ana was first")),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_deletion_wants_its_count_and_a_device_that_moved_changes_the_card() {
    let server = server();
    let mut w = fleet(&server);
    let view = propose(&mut w, "delete the server web-01").await;
    act(&w, &view, None);
    let told = w.until(|u| matches!(u, Update::Failed(..))).await;
    assert!(
        matches!(told.last(), Some(Update::Failed(_, why)) if why.message.contains("typed")),
        "{told:?}"
    );
    // It moves: the card says so by itself, and the approval does not count any more.
    w.store
        .write(|tx| {
            tx.fleet().execute_batch(
                "INSERT INTO sites (name, created_ms, client_id) VALUES ('Bonn', 1, 1);
                 UPDATE devices SET site_id = 2, department_id = NULL WHERE id = 1;",
            )?;
            Ok(())
        })
        .unwrap();
    let told = w.until(|u| matches!(u, Update::Action(..))).await;
    let Some(Update::Action(1, moved)) = told.last() else {
        panic!("{told:?}")
    };
    assert!(
        !moved.changed.is_empty() && moved.stamp() != view.stamp(),
        "{moved:?}"
    );
    act(&w, moved, Some(1));
    let told = w.until(|u| matches!(u, Update::Failed(..))).await;
    assert!(
        matches!(told.last(), Some(Update::Failed(_, why)) if why.message.contains("things have changed")),
        "{told:?}"
    );
    // It is denied like a look-up.
    w.session.order(Order::Decide {
        room: 1,
        numbers: vec![view.n],
        approve: false,
        reason: Some("not any more".into()),
    });
    let told = w
        .until(|u| matches!(u, Update::Events(1, e) if e.iter().any(|e| matches!(e.body, Body::Decided { .. }))))
        .await;
    assert!(
        bodies(&told).iter().any(
            |b| matches!(b, Body::Decided { approve: false, reason: Some(r), .. }
            if r.as_str() == "not any more")
        ),
        "{told:?}"
    );
}

#[tokio::test]
async fn what_another_process_decides_shows_at_once() {
    let server = server();
    let mut w = fleet(&server);
    let view = propose(&mut w, "restart nginx on the server web-01").await;
    let other = w.engine();
    other
        .deny_action(None, view.n, "by command", "cli")
        .unwrap();
    let told = w
        .until(|u| matches!(u, Update::Events(1, e) if e.iter().any(|e| matches!(e.body, Body::Decided { .. }))))
        .await;
    assert!(
        bodies(&told).iter().any(
            |b| matches!(b, Body::Decided { approve: false, surface, .. } if surface == "cli")
        ),
        "{told:?}"
    );
}
