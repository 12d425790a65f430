//! What the tests of this crate share.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each test file uses a part of it, and helpers of tests fail like tests"
)]

use fleet::backend::Directory;
use fleet::inventory::{self, Facts, Found};
use fleet::model::{DeviceId, SoftwareSource};
use fleet::tools::{self, Answer, Ctx, Refusal};
use kit::principal::Principal;
use kit::text::{Redacted, Redactor, Untrusted};
use rusqlite::Connection;
use serde_json::Value;

pub(crate) const NOW: i64 = 1_760_000_000_000;

/// Lets everything through, so that a test can look at it.
pub(crate) struct Open;

impl Redactor for Open {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

pub(crate) fn open(text: &Untrusted) -> String {
    text.redact(&Open).as_str().to_owned()
}

pub(crate) fn redacted(text: &str) -> Redacted {
    Untrusted::new(text.to_owned()).redact(&Open)
}

pub(crate) fn empty() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    fleet::schema::create(&connection).unwrap();
    connection
}

pub(crate) fn device(
    connection: &Connection,
    host: &str,
    client: &str,
    site: &str,
    dept: &str,
) -> DeviceId {
    let place = inventory::place(connection, client, site, dept, NOW).unwrap();
    let mut facts = Facts::named(host, place);
    facts.external_id = format!("{client}/{site}/{dept}/{host}");
    inventory::put_device(connection, &facts, true, NOW).unwrap()
}

pub(crate) fn software(name: &str, version: &str) -> Found {
    Found {
        name: name.into(),
        version: version.into(),
        publisher: String::new(),
        source: SoftwareSource::Dpkg,
    }
}

pub(crate) fn call(
    connection: &Connection,
    who: &Principal,
    tool: &str,
    args: &Value,
) -> Result<Answer, Refusal> {
    let backends = Directory::default();
    let ctx = Ctx {
        connection,
        principal: who,
        backends: &backends,
        now_ms: NOW,
        case: None,
        by_model: true,
        random: [7; 32],
    };
    tools::call(&ctx, tools::find(tool).unwrap(), &args.to_string())
}

pub(crate) fn json_of(answer: &Answer) -> Value {
    serde_json::from_str(&open(&answer.raw)).unwrap()
}
