//! What each kind of proposal is made of, before it is written. A draft is values only: nothing is read or
//! written here.

use super::COUNT_FROM;
use super::device::Device;
use super::digest::Content;
use super::ledger::Kind;
use crate::model::{CheckKind, JobKind, OperationKind, Shell};
use crate::sql::{int, text};
use kit::principal::Permission;
use rusqlite::types::Value;

/// Characters of a title at most.
const TITLE_MAX: usize = 200;

/// A proposal that could be written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) title: String,
    pub(crate) why: String,
    pub(crate) findings: Vec<String>,
    pub(crate) content: Content,
    pub(crate) devices: u32,
    pub(crate) count: bool,
    pub(crate) state: String,
    pub(crate) client: Option<i64>,
    /// Of a stop: the job.
    pub(crate) subject: i64,
}

impl Draft {
    fn new(kind: Kind, title: &str, content: Content) -> Self {
        Self {
            kind,
            title: one_line(title),
            why: String::new(),
            findings: Vec::new(),
            content,
            devices: 0,
            count: false,
            state: String::new(),
            client: None,
            subject: 0,
        }
    }

    /// What deciding it needs.
    pub(crate) fn permission(&self) -> Permission {
        self.kind.decided_with(self.content.deletes())
    }

    pub(crate) fn why(mut self, why: Option<&str>) -> Self {
        self.why = why.unwrap_or_default().trim().to_owned();
        self
    }

    pub(crate) fn findings(mut self, findings: Vec<String>) -> Self {
        self.findings = findings;
        self
    }
}

/// One line of at most [`TITLE_MAX`] characters. Everything else stays as it is: text becomes safe where it is
/// shown, not where it is kept.
pub(crate) fn one_line(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c })
        .collect();
    match line.char_indices().nth(TITLE_MAX) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn number(n: usize) -> Value {
    int(i64::try_from(n).unwrap_or(i64::MAX))
}

pub(crate) fn count_of(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

pub(crate) fn optional(id: Option<i64>) -> Value {
    id.map_or(Value::Null, int)
}

/// `d-12 web-01 (Contoso / Berlin)`, or `3 devices of Contoso`.
pub(crate) fn on_what(devices: &[Device]) -> String {
    match devices {
        [one] => format!("{} ({})", one.plain_name(), one.plain_place()),
        [first, ..] => {
            let mut clients: Vec<i64> = devices.iter().map(|d| d.client).collect();
            clients.sort_unstable();
            clients.dedup();
            match clients.len() {
                1 => format!("{} devices of {}", devices.len(), first.client_name),
                n => format!("{} devices of {n} clients", devices.len()),
            }
        }
        [] => String::from("no device"),
    }
}

/// Something to run on devices of one client and one backend.
#[derive(Clone, Debug)]
pub(crate) struct Job<'a> {
    pub(crate) kind: JobKind,
    pub(crate) what: &'a str,
    /// `None`: nothing is run by a shell.
    pub(crate) shell: Option<Shell>,
    pub(crate) body: &'a str,
    pub(crate) params: serde_json::Value,
    pub(crate) effect: &'a str,
    pub(crate) timeout_s: u32,
    pub(crate) canary: u32,
    pub(crate) batch: &'a str,
    /// One approval covers many machines: their number is typed.
    pub(crate) bulk: bool,
    pub(crate) targets: &'a [Device],
}

impl Job<'_> {
    pub(crate) fn draft(&self) -> Draft {
        let first = self.targets.first();
        let n = self.targets.len();
        let canary = match usize::try_from(self.canary) {
            Ok(c) if c < n => c,
            _ => 0,
        };
        let title = format!("{} on {}", self.what, on_what(self.targets));
        // The canary runs where it can be seen to work: online devices first.
        let mut order: Vec<&Device> = self.targets.iter().collect();
        order.sort_by_key(|d| (d.status != crate::model::DeviceStatus::Online, d.id));
        let targets = order
            .iter()
            .enumerate()
            .map(|(at, device)| {
                let stage = if canary == 0 || at < canary { 1 } else { 2 };
                vec![int(device.id.0), int(stage), text(device.state())]
            })
            .collect();
        let head = vec![
            text(first.map_or("", |d| d.backend.as_str())),
            optional(first.map(|d| d.client)),
            text(self.kind.name()),
            text(one_line(&title)),
            text(self.shell.map_or("none", Shell::name)),
            text(self.body),
            text(self.params.to_string()),
            text(self.effect),
            int(self.timeout_s),
            number(canary),
            number(n),
            text(self.batch),
        ];
        let mut draft = Draft::new(Kind::Job, &title, Content::new(Kind::Job, head, targets));
        draft.devices = count_of(n);
        draft.count = self.bulk || n >= COUNT_FROM;
        draft.client = first.map(|d| d.client);
        draft
    }
}

/// Devices that are moved or deleted.
#[derive(Clone, Debug)]
pub(crate) struct Operation<'a> {
    pub(crate) kind: OperationKind,
    pub(crate) destination: Option<(i64, Option<i64>)>,
    /// `Contoso / Berlin`, for the title.
    pub(crate) destination_name: &'a str,
    pub(crate) targets: &'a [Device],
}

impl Operation<'_> {
    pub(crate) fn draft(&self) -> Draft {
        let n = self.targets.len();
        let on = on_what(self.targets);
        let title = match self.kind {
            OperationKind::Move => format!("Move {on} to {}", self.destination_name),
            OperationKind::Delete => format!("Delete {on}"),
        };
        let head = vec![
            text(self.targets.first().map_or("", |d| d.backend.as_str())),
            text(self.kind.name()),
            optional(self.destination.map(|(site, _)| site)),
            optional(self.destination.and_then(|(_, department)| department)),
            number(n),
        ];
        let targets = self
            .targets
            .iter()
            .map(|d| vec![int(d.id.0), text(d.state())])
            .collect();
        let mut draft = Draft::new(
            Kind::Operation,
            &title,
            Content::new(Kind::Operation, head, targets),
        );
        draft.devices = count_of(n);
        draft.count = self.kind == OperationKind::Delete;
        let mut clients = self.targets.iter().map(|d| d.client);
        let first = clients.next();
        draft.client = first.filter(|c| clients.all(|other| other == *c));
        draft
    }
}

/// What monitoring is aimed at: as it is, not as it will be. Sites and clients take in what joins them later.
#[derive(Clone, Debug)]
pub(crate) struct Aim {
    pub(crate) client: Option<i64>,
    pub(crate) site: Option<i64>,
    pub(crate) device: Option<i64>,
    /// In words, for the title.
    pub(crate) name: String,
    /// The client of it, where it is of one.
    pub(crate) of_client: Option<i64>,
    /// Devices in it now.
    pub(crate) devices: u32,
    /// State of the one device.
    pub(crate) state: String,
}

impl Aim {
    fn columns(&self) -> [Value; 3] {
        [
            optional(self.client),
            optional(self.site),
            optional(self.device),
        ]
    }

    fn draft(&self, kind: Kind, title: &str, head: Vec<Value>) -> Draft {
        let mut draft = Draft::new(kind, title, Content::new(kind, head, Vec::new()));
        draft.devices = self.devices;
        draft.client = self.of_client;
        draft.state.clone_from(&self.state);
        draft
    }
}

/// A scheduled task.
pub(crate) fn task(
    name: &str,
    schedule: &str,
    shell: Shell,
    body: &str,
    timeout_s: u32,
    aim: &Aim,
) -> Draft {
    let [client, site, device] = aim.columns();
    let head = vec![
        text(name),
        client,
        site,
        device,
        text(schedule),
        text(shell.name()),
        text(body),
        int(timeout_s),
    ];
    let title = format!("Task \"{name}\" ({schedule}, UTC) on {}", aim.name);
    aim.draft(Kind::Task, &title, head)
}

/// A check.
#[derive(Clone, Debug)]
pub(crate) struct Check<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: CheckKind,
    pub(crate) settings: serde_json::Value,
    pub(crate) warning: Option<f64>,
    pub(crate) error: Option<f64>,
    pub(crate) fails_before_alert: u32,
    pub(crate) every_s: u32,
}

impl Check<'_> {
    pub(crate) fn draft(&self, aim: &Aim) -> Draft {
        let [client, site, device] = aim.columns();
        let real = |x: Option<f64>| x.map_or(Value::Null, Value::Real);
        let head = vec![
            text(self.name),
            client,
            site,
            device,
            text(self.kind.name()),
            text(self.settings.to_string()),
            real(self.warning),
            real(self.error),
            int(self.fails_before_alert),
            int(self.every_s),
        ];
        let title = format!("Check \"{}\" ({}) on {}", self.name, self.kind, aim.name);
        aim.draft(Kind::Check, &title, head)
    }
}

/// A policy.
pub(crate) fn policy(name: &str, settings: &serde_json::Value, aim: &Aim) -> Draft {
    let [client, site, device] = aim.columns();
    let head = vec![text(name), client, site, device, text(settings.to_string())];
    let title = format!("Policy \"{name}\" for {}", aim.name);
    aim.draft(Kind::Policy, &title, head)
}

/// A stop of a job that this case did not start.
pub(crate) fn cancel(job: i64, job_title: &str, job_digest: &str, devices: u32) -> Draft {
    let head = vec![int(job), text(job_digest)];
    let title = format!("Stop {}: {job_title}", crate::model::JobId(job));
    let mut draft = Draft::new(
        Kind::Cancel,
        &title,
        Content::new(Kind::Cancel, head, Vec::new()),
    );
    draft.devices = devices;
    draft.subject = job;
    draft
}
