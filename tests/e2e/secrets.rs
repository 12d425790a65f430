//! A configured key that a source echoes in every form is nowhere to be found afterwards, but in the
//! request that had to carry it.

use super::model::{BOTH, Model, answer, call};
use super::source::{Source, reported};
use super::support_model::Reply;
use super::world::World;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};

const KEY: &str = "kv+9/Zq7\"Tr4pLw2&Xm8sNd6Bh3";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn percent(text: &str, upper: bool) -> String {
    text.bytes()
        .map(|b| match b {
            b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
            b if upper => format!("%{b:02X}"),
            b => format!("%{b:02x}"),
        })
        .collect()
}

/// The forms in which the key may come back, by name.
fn forms() -> Vec<(&'static str, String)> {
    let escaped: String = KEY
        .chars()
        .map(|c| format!("\\u{:04x}", c as u32))
        .collect();
    let json = serde_json::to_string(KEY).unwrap();
    vec![
        ("raw", KEY.to_owned()),
        ("base64", STANDARD.encode(KEY)),
        ("base64 without padding", STANDARD_NO_PAD.encode(KEY)),
        ("base64 for URLs", URL_SAFE.encode(KEY)),
        (
            "base64 within more",
            STANDARD.encode(format!("user:{KEY}:x")),
        ),
        ("percent", percent(KEY, true)),
        ("percent, lower case", percent(KEY, false)),
        ("hex", hex(KEY.as_bytes())),
        ("hex, upper case", hex(KEY.as_bytes()).to_uppercase()),
        ("JSON", json[1..json.len() - 1].to_owned()),
        ("JSON, every character", escaped),
    ]
}

fn find(what: &str, bytes: &[u8], wrong: &mut Vec<String>) {
    for (name, form) in forms() {
        if bytes.windows(form.len()).any(|w| w == form.as_bytes()) {
            wrong.push(format!("{what} holds the key: {name}"));
        }
        // A text inside JSON has its quotes and backslashes escaped once more.
        let twice = serde_json::to_string(&form).unwrap();
        let twice = &twice[1..twice.len() - 1];
        if twice != form && bytes.windows(twice.len()).any(|w| w == twice.as_bytes()) {
            wrong.push(format!("{what} holds the key in JSON: {name}"));
        }
    }
}

#[test]
fn an_echoed_key_is_found_nowhere() {
    let echo: Vec<String> = forms().into_iter().map(|(_, f)| f).collect();
    for mode in BOTH {
        let echo = echo.clone();
        let source = Source::start(move |l| {
            let mut v = reported("198.51.100.7");
            v["data"]["isp"] = echo.join(" | ").into();
            v["data"]["domain"] = echo[0].clone().into();
            v["data"]["countryCode"] = echo[5].clone().into();
            (l.module == "abuseipdb").then(|| Reply::json(200, &v.to_string()))
        });
        let text = format!(
            "Reported 41 times. The key is {KEY} or {}.",
            STANDARD.encode(KEY)
        );
        let model = Model::saying(mode, vec![call("abuseipdb", "198.51.100.7"), answer(&text)]);
        let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_ABUSEIPDB", KEY);
        let mut wrong = Vec::new();
        let mut outputs = Vec::new();
        let question = format!(
            "what is 198.51.100.7? my key is {KEY} and http://x.example/?k={}",
            percent(KEY, true)
        );
        outputs.push(
            world
                .run(&["-v", "ask", "--no-input", "--full", &question])
                .exits(0),
        );
        let list = world.run(&["case", "list", "--json"]).exits(0);
        let id = list.json()[0]["case"]
            .as_str()
            .or(list.json()[0]["id"].as_str())
            .unwrap()
            .to_owned();
        outputs.push(list);
        outputs.push(
            world.run_with(
                &["ask", "--json", "--case", &id, "and this?"],
                forms()
                    .iter()
                    .map(|(_, f)| f.as_str())
                    .collect::<Vec<_>>()
                    .join("\n")
                    .as_bytes(),
            ),
        );
        for args in [
            &["evidence", &id, "1"][..],
            &["evidence", &id, "1", "--raw"],
            &["evidence", &id, "1", "--json"],
            &["case", "show", &id],
            &["case", "export", &id],
            &["case", "export", &id, "--format", "json"],
            &["case", "export", &id, "--format", "stix"],
            &["lookup", "abuseipdb", "198.51.100.7", "--json"],
            &["lookup", "abuseipdb", "198.51.100.7", "--fresh"],
            &["secret", "list"],
            &["config", "show"],
            &["doctor", "--json"],
        ] {
            let ran = world.run(args);
            outputs.push(ran);
        }
        for (i, ran) in outputs.iter().enumerate() {
            find(&format!("stdout {i}"), &ran.out, &mut wrong);
            find(&format!("stderr {i}"), &ran.err, &mut wrong);
        }
        assert!(
            outputs[0].stdout().contains("Test Hosting") || outputs[0].stdout().contains("93 %"),
            "{}",
            outputs[0].stdout()
        );
        let files = world.files();
        assert!(files.iter().any(|(p, _)| p.ends_with("rmm-analyst.db")));
        assert!(
            files
                .iter()
                .any(|(p, b)| p.to_string_lossy().contains("/log/") && !b.is_empty()),
            "there is a log"
        );
        for (path, bytes) in files {
            find(&path.display().to_string(), &bytes, &mut wrong);
        }
        for asked in model.everything() {
            find(
                &format!("model {}", asked.path),
                asked.body.as_bytes(),
                &mut wrong,
            );
            for (_, v) in &asked.headers {
                find("a header to the model", v.as_bytes(), &mut wrong);
            }
        }
        wrong.sort();
        wrong.dedup();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        // The source did get it.
        let asked = source.asked();
        assert!(
            asked
                .iter()
                .all(|l| l.module != "abuseipdb" || l.asked.header("key") == Some(KEY))
        );
        assert!(asked.iter().any(|l| l.module == "abuseipdb"));
    }
}

#[test]
fn the_key_of_a_model_goes_to_the_model_and_nowhere_else() {
    let key = "sk-model-0123456789abcdefXYZ";
    let source = Source::usual();
    let model = Model::saying(
        super::model::Mode::Native,
        vec![
            call("crtsh", "kit-panel.shop"),
            answer("The key is sk-model-0123456789abcdefXYZ."),
        ],
    );
    let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_MODEL", key);
    let v = world.ask(0, &["what is kit-panel.shop?"]);
    assert!(!v.to_string().contains(key), "{v}");
    let chats: Vec<_> = model
        .everything()
        .into_iter()
        .filter(|a| a.path.ends_with("completions"))
        .collect();
    assert!(
        chats
            .iter()
            .all(|a| a.header("authorization") == Some(&format!("Bearer {key}")))
    );
    assert!(chats.iter().all(|a| !a.body.contains(key)));
    for (path, bytes) in world.files() {
        assert!(
            !bytes.windows(key.len()).any(|w| w == key.as_bytes()),
            "{}",
            path.display()
        );
    }
    for l in source.asked() {
        assert!(!format!("{:?}", l.asked).contains(key));
    }
}

#[test]
fn an_indicator_that_holds_a_secret_is_not_kept() {
    let key = "Zq7Tr4pLw2Xm8sNd6Bh3";
    let source = Source::usual();
    let model = Model::saying(super::model::Mode::Native, vec![answer("Nothing.")]);
    let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_ABUSEIPDB", key);
    let v = world.ask(
        0,
        &[&format!("look up https://kit-panel.shop/?token={key}")],
    );
    assert!(!v.to_string().contains(key), "{v}");
    for (path, bytes) in world.files() {
        assert!(
            !bytes.windows(key.len()).any(|w| w == key.as_bytes()),
            "{}",
            path.display()
        );
    }
}
