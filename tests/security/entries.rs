//! The places at which bytes from outside come in, each with what must hold of any bytes. Run by `any_bytes`
//! on any Rust and, longer and guided by coverage, by the fuzz targets (`fuzz/`).

use super::played::{Played, Said};
use kit::extract::extract as find;
use kit::human::{self, BareYes, OpenPivot, ReadOptions, Reply};
use kit::indicator::Indicator;
use kit::ports::{
    DataPort, DataSet, DnsAnswer, DnsError, DnsPort, DnsRecord, Fut, HistoryPort, HttpError,
    HttpPort, HttpRequest, HttpResponse, RecordType, Sighting,
};
use kit::strict::parse_strict;
use kit::text::wrap_untrusted;
use kit::{Context, ModelText, Outcome, Redacted, Redactor, ScreenText, Untrusted};
use rmm_analyst::case::{Body, CaseState, Event};
use rmm_analyst::model::{Dialect, parse_step, read_answer};
use rmm_analyst::redact::Redact;
use secrecy::SecretString;
use std::sync::{Arc, LazyLock};
use std::task::{Poll, Waker};

/// An entry point: its name and its check.
pub(crate) type Entry = (&'static str, fn(&[u8]));

/// All of them.
pub(crate) const ENTRIES: [Entry; 13] = [
    ("extract", extract),
    ("classify", classify),
    ("strict", strict),
    ("reply", reply),
    ("human", human_words),
    ("chat", chat),
    ("step", step),
    ("redact", redact),
    ("screen", screen),
    ("model_text", model_text),
    ("fold", fold),
    ("gate", gate),
    ("modules", modules),
];

struct Plain;

impl Redactor for Plain {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

fn unredacted(text: &str) -> Redacted {
    Untrusted::new(text.to_owned()).redact(&Plain)
}

fn canonical(i: &Indicator) {
    assert!(!i.value().is_empty());
    assert!(!i.value().chars().any(char::is_control), "{i:?}");
    let _ = (i.host(), i.defanged(), i.readable(), i.look_alike());
}

/// Hits stand in order, inside the text, on character boundaries.
pub(crate) fn extract(data: &[u8]) {
    let text = text(data);
    let mut end = 0;
    for f in find(&text) {
        assert!(f.start >= end && f.end > f.start, "{f:?}");
        assert!(text.get(f.start..f.end).is_some(), "{f:?}");
        end = f.end;
        canonical(&f.indicator);
    }
}

/// Refanging comes to rest; what is classified is canonical.
pub(crate) fn classify(data: &[u8]) {
    let text = text(data);
    let plain = kit::refang::refang(&text);
    if let Some(i) = kit::classify::classify(&plain) {
        canonical(&i);
    }
}

/// What is read strictly is one indicator, and is read as itself again.
pub(crate) fn strict(data: &[u8]) {
    if let Ok(i) = parse_strict(&text(data)) {
        canonical(&i);
        assert_eq!(parse_strict(i.value()).as_ref(), Ok(&i));
    }
}

fn pivots() -> [(u64, Indicator); 3] {
    [
        (3, "found-panel.shop"),
        (7, "203.0.113.9"),
        (12, "https://found-panel.shop/x"),
    ]
    .map(|(n, v)| (n, parse_strict(v).expect("an indicator")))
}

/// A reply decides only about what is open, each number one way.
pub(crate) fn reply(data: &[u8]) {
    let text = text(data);
    let open = pivots();
    let shown = open
        .each_ref()
        .map(|(n, indicator)| OpenPivot { n: *n, indicator });
    for bare in [BareYes::Single, BareYes::All] {
        if let Reply::Decide { approve, deny } = human::parse_reply(&text, &shown, bare) {
            assert!(!text.contains('?'));
            assert!(!approve.is_empty() || !deny.is_empty());
            for n in approve.iter().chain(&deny) {
                assert!(open.iter().any(|(o, _)| o == n), "{n}");
            }
            assert!(!approve.iter().any(|n| deny.contains(n)));
        }
        assert_eq!(human::parse_reply(&text, &[], bare), Reply::NotAReply);
    }
}

/// Mentions stand in the text; one entry an indicator.
pub(crate) fn human_words(data: &[u8]) {
    let text = text(data);
    let reading = human::read(&text, &ReadOptions::default());
    for (at, m) in reading.mentions.iter().enumerate() {
        assert!(text.get(m.start..m.end).is_some(), "{m:?}");
        assert!(
            !reading.mentions[..at]
                .iter()
                .any(|o| o.indicator == m.indicator)
        );
        canonical(&m.indicator);
    }
    let _ = human::mode_word(&text);
}

/// An answer is an answer or an error, wherever it was cut; both dialects.
pub(crate) fn chat(data: &[u8]) {
    let (cut, body) = data.split_first().unwrap_or((&0, &[]));
    let size = usize::from(*cut).max(1);
    for dialect in [Dialect::OpenAi, Dialect::Ollama] {
        let whole = read_answer(dialect, [body], &mut |_| {});
        let pieces = read_answer(dialect, body.chunks(size), &mut |_| {});
        if let (Ok(a), Ok(b)) = (&whole, &pieces) {
            assert_eq!((&a.text, &a.calls), (&b.text, &b.calls), "cut at {size}");
        }
    }
}

/// A constrained step, and a call as it goes to the gate.
pub(crate) fn step(data: &[u8]) {
    let text = text(data);
    if let Ok(step) = parse_step(&text) {
        let _ = step.to_call("1");
    }
    let mut case = Played::new();
    case.say("hello");
    assert!(!matches!(case.call(Some("crtsh"), &text), Said::Ran(..)));
    assert!(!matches!(
        case.call(Some(&text), r#"{"query": "a.com"}"#),
        Said::Ran(..)
    ));
}

const SECRET: &str = "kq7-Zw/4tB+9xPm=2vLs";

static REDACT: LazyLock<Redact> = LazyLock::new(|| {
    let secrets = [("module.key".to_owned(), SecretString::from(SECRET))];
    Redact::new(&secrets, &[]).expect("it is built")
});

fn percent(text: &str) -> String {
    text.bytes()
        .map(|b| {
            if b.is_ascii_alphanumeric() {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

/// The secret as it may stand in an answer.
fn encoded(kind: u8) -> String {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    match kind % 9 {
        0 => SECRET.to_owned(),
        1 => percent(SECRET),
        2 => percent(&percent(SECRET)),
        3 => STANDARD.encode(SECRET),
        4 => URL_SAFE_NO_PAD.encode(format!("u:{SECRET}")),
        5 => STANDARD.encode(format!("us:{SECRET}!")),
        6 => SECRET.bytes().map(|b| format!("{b:02x}")).collect(),
        7 => SECRET.replace('/', "\\/"),
        _ => format!("{}\u{1b}[0m{}", &SECRET[..8], &SECRET[8..]),
    }
}

/// Redaction is idempotent, and a configured secret does not come through, whatever stands around it.
pub(crate) fn redact(data: &[u8]) {
    let out = REDACT.redact(&text(data));
    assert_eq!(REDACT.redact(&out), out, "not idempotent");
    let (kind, rest) = data.split_first().unwrap_or((&0, &[]));
    let (front, back) = rest.split_at(rest.len() / 2);
    let form = encoded(*kind);
    // A letter or digit right before or behind would make other base64 or hex of it.
    let all = format!("{} {form} {}", text(front), text(back));
    let out = REDACT.redact(&all);
    assert!(!out.contains(&form), "{form} is in {out:?}");
    assert!(!out.contains(SECRET));
}

fn steers(c: char) -> bool {
    (c < ' ' && c != '\n' && c != '\t')
        || matches!(c, '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// No character that a terminal acts on, or that hides.
pub(crate) fn screen(data: &[u8]) {
    let shown = ScreenText::from(&unredacted(&text(data)));
    assert!(!shown.as_str().contains(steers), "{shown:?}");
    assert_eq!(ScreenText::from(&unredacted(shown.as_str())), shown);
    let line = shown.to_line(40);
    assert!(line.as_str().chars().count() <= 40 && !line.as_str().contains(['\n', '\t']));
}

/// Nothing that opens a tag, and one wrapper however the text imitates it.
pub(crate) fn model_text(data: &[u8]) {
    let text = text(data);
    let safe = ModelText::from(&unredacted(&text));
    assert!(!safe.as_str().contains(steers), "{safe:?}");
    assert!(!safe.as_str().contains("<|") && !safe.as_str().contains("[INST]"));
    assert_eq!(ModelText::from(&unredacted(safe.as_str())), safe);
    let wrapped = wrap_untrusted(&text, &text, "k3J9x0Qm7Lw2Zp4T", &safe);
    for tag in ["<untrusted_tool_result", "</untrusted_tool_result"] {
        assert_eq!(wrapped.as_str().matches(tag).count(), 1, "{wrapped:?}");
    }
    // A marker is random, so a text cannot hold it; a fuzzer learns this one, which stands in the code.
    if !text.contains("k3J9x0Qm7Lw2Zp4T") {
        assert_eq!(wrapped.as_str().matches("k3J9x0Qm7Lw2Zp4T").count(), 2);
    }
}

/// Any log of events that can be read folds; the budget does not shrink.
pub(crate) fn fold(data: &[u8]) {
    let mut state = CaseState::default();
    let mut used = 0;
    for (line, seq) in data.split(|b| *b == b'\n').zip(1..) {
        let Ok(body) = serde_json::from_slice::<Body>(line) else {
            continue;
        };
        state.apply(&Event {
            seq,
            at_ms: 0,
            body,
        });
        assert!(state.used >= used, "the budget shrank");
        used = state.used;
        assert!(state.open_proposals().count() <= state.proposals.len());
        assert!(
            !state
                .denied
                .iter()
                .any(|d| state.authorization(d, true).is_some())
        );
    }
}

/// Lines in turn of a person (`h …`), of a model (`m tool {arguments}`) and of a source (`e …`): what runs
/// was authorized at that moment.
pub(crate) fn gate(data: &[u8]) {
    let mut case = Played::new();
    case.say("hello");
    for line in text(data).split('\n').take(200) {
        let (who, rest) = line.split_once(' ').unwrap_or((line, ""));
        match who {
            "h" => case.say(rest),
            "e" => case.answered(rest),
            "y" | "n" => {
                if let Ok(n) = rest.parse() {
                    case.decide(n, who == "y");
                }
            }
            _ => {
                let (tool, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
                let used = case.state.used_in_turn(case.turn);
                if let Said::Ran(spec, subject) = case.call(Some(tool), arguments) {
                    let offline = spec.activity == kit::Activity::Offline;
                    assert!(case.state.authorization(&subject, true).is_some());
                    assert!(!case.state.denied.contains(&subject));
                    assert!(offline || !case.state.is_red(&subject));
                    assert!(spec.ai_tool && spec.takes(subject.kind()));
                    assert!(used < case.limits.calls_per_turn);
                }
            }
        }
    }
    assert_eq!(CaseState::fold(&case.events), case.state);
}

struct Says<'a> {
    status: u16,
    body: &'a [u8],
}

impl HttpPort for Says<'_> {
    fn send<'a>(&'a self, _request: HttpRequest) -> Fut<'a, Result<HttpResponse, HttpError>> {
        let answer = HttpResponse {
            status: self.status,
            headers: vec![("content-type".into(), "application/json".into())],
            body: self.body.to_vec(),
        };
        Box::pin(async move { Ok(answer) })
    }
}

impl DnsPort for Says<'_> {
    fn query<'a>(
        &'a self,
        name: &'a str,
        rtype: RecordType,
    ) -> Fut<'a, Result<DnsAnswer, DnsError>> {
        let record = DnsRecord {
            name: name.to_owned(),
            rtype: format!("{rtype:?}"),
            ttl_s: 1,
            data: text(self.body),
        };
        Box::pin(async move { Ok(DnsAnswer::Records(vec![record])) })
    }
}

impl DataPort for Says<'_> {
    fn get<'a>(&'a self, _name: &'a str) -> Fut<'a, Result<DataSet, HttpError>> {
        let bytes = Arc::from(self.body);
        Box::pin(async move {
            Ok(DataSet {
                bytes,
                fetched_ms: 0,
            })
        })
    }
}

impl HistoryPort for Says<'_> {
    fn sightings<'a>(
        &'a self,
        _indicator: &'a Indicator,
    ) -> Fut<'a, Result<Vec<Sighting>, String>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// Every module reads any answer; an error of the source is never a finding.
pub(crate) fn modules(data: &[u8]) {
    let (choice, body) = data.split_first().unwrap_or((&0, &[]));
    let registry = intel::registry();
    let module = registry[usize::from(choice & 15) % registry.len()];
    let status = [200, 200, 404, 200, 500, 429, 403, 302][usize::from(choice >> 5)];
    let says = Says { status, body };
    let key = SecretString::from("user:key-of-a-test-0123");
    for value in [
        "kit-panel.shop",
        "203.0.113.7",
        "2001:db8::7",
        "https://kit-panel.shop/x",
        "d41d8cd98f00b204e9800998ecf8427e",
        "203.0.113.0/24",
    ] {
        let Ok(subject) = parse_strict(value) else {
            continue;
        };
        if !module.spec().takes(subject.kind()) {
            continue;
        }
        let base = module.spec().base_url;
        let cx = Context {
            http: &says,
            dns: &says,
            data: &says,
            history: &says,
            now_ms: 1_796_058_000_000,
            key: Some(&key),
            base_url: base,
            base_url_configured: true,
        };
        let mut run = module.lookup(&subject, &cx);
        let mut task = std::task::Context::from_waker(Waker::noop());
        // The ports answer at once, so the first look is the last.
        let Poll::Ready(outcome) = run.as_mut().poll(&mut task) else {
            continue;
        };
        let asks = module.spec().activity != kit::Activity::Offline && module.spec().name != "dns";
        if asks && status >= 429 {
            assert!(
                matches!(outcome, Outcome::CouldNotLook(_)),
                "{} read {status} as {outcome:?}",
                module.spec().name
            );
        }
    }
}
