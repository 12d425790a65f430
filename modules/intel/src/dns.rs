//! `dns`: asks the system's resolver. Active: the owner of the name's servers, or of a sinkhole, may see
//! the question, so it is for people only and no model is ever offered it.

use crate::special::{reverse_v4, reverse_v6};
use kit::ports::{DnsAnswer, DnsError, DnsRecord, Fut, RecordType};
use kit::{
    Activity, Context, CouldNot, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec,
    Outcome, Report, Table, Untrusted, Verdict,
};
use std::future::poll_fn;
use std::net::IpAddr;
use std::task::Poll;

/// Rows shown.
const MAX_ROWS: usize = 200;

/// What is asked of a name, at the same time.
const ASKED: [(RecordType, &str); 7] = [
    (RecordType::A, "A"),
    (RecordType::Aaaa, "AAAA"),
    (RecordType::Cname, "CNAME"),
    (RecordType::Mx, "MX"),
    (RecordType::Ns, "NS"),
    (RecordType::Txt, "TXT"),
    (RecordType::Soa, "SOA"),
];

/// What is asked of an address.
const ASKED_OF_ADDRESS: [(RecordType, &str); 1] = [(RecordType::Ptr, "PTR")];

/// The module.
pub struct Dns;

static SPEC: ModuleSpec = ModuleSpec {
    name: "dns",
    types: &[
        IndicatorType::Domain,
        IndicatorType::Ip,
        IndicatorType::Ipv6,
    ],
    ai_tool: false,
    activity: Activity::Active,
    local_model_only: false,
    key: KeyNeed::None,
    secrets: &[],
    base_url: "",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    rate: &[],
    ttl_s: 60,
    help: Help {
        what: "DNS records of a name, or the reverse name of an address, from the system's resolver. The owner may see the question.",
        example: "example.com",
        get_key: "",
    },
};

type Answers = Vec<(&'static str, Result<DnsAnswer, DnsError>)>;

impl Module for Dns {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move {
            let (name, asked): (String, &[(RecordType, &str)]) =
                match subject.value().parse::<IpAddr>() {
                    Ok(IpAddr::V4(ip)) => (reverse_v4(ip), &ASKED_OF_ADDRESS),
                    Ok(IpAddr::V6(ip)) => (reverse_v6(ip), &ASKED_OF_ADDRESS),
                    Err(_) => (subject.value().to_owned(), &ASKED),
                };
            let questions = asked
                .iter()
                .map(|(rtype, _)| cx.dns.query(&name, *rtype))
                .collect();
            let answers = together(questions).await;
            outcome(
                &name,
                asked.iter().map(|(_, label)| *label).zip(answers).collect(),
            )
        })
    }
}

/// Runs futures at the same time and gives their results in order. They all end by the port's own limits.
async fn together<T>(futures: Vec<Fut<'_, T>>) -> Vec<T> {
    let mut running: Vec<Result<T, Fut<'_, T>>> = futures.into_iter().map(Err).collect();
    poll_fn(|cx| {
        let mut waiting = false;
        for slot in &mut running {
            if let Err(future) = slot {
                match future.as_mut().poll(cx) {
                    Poll::Ready(value) => *slot = Ok(value),
                    Poll::Pending => waiting = true,
                }
            }
        }
        if waiting {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
    running.into_iter().filter_map(Result::ok).collect()
}

fn outcome(name: &str, answers: Answers) -> Outcome {
    let mut records: Vec<DnsRecord> = Vec::new();
    let mut failures: Vec<(&str, DnsError)> = Vec::new();
    let mut no_such_name = false;
    for (label, answer) in answers {
        match answer {
            Ok(DnsAnswer::Records(found)) => {
                for record in found {
                    // Every answer about an alias repeats the alias.
                    if !records.iter().any(|r| {
                        r.name == record.name && r.rtype == record.rtype && r.data == record.data
                    }) {
                        records.push(record);
                    }
                }
            }
            Ok(DnsAnswer::NoSuchName) => no_such_name = true,
            Err(e) => failures.push((label, e)),
        }
    }
    if records.is_empty() {
        // Some servers answer NXDOMAIN to every AAAA question; without the first answer (A, or PTR for an
        // address) the name is not declared missing.
        let first_failed = failures
            .iter()
            .any(|(label, _)| matches!(*label, "A" | "PTR"));
        if no_such_name && !first_failed {
            return Outcome::NotFound;
        }
        if let Some((_, first)) = failures.into_iter().next() {
            return Outcome::CouldNotLook(could_not(first));
        }
        return Outcome::Found(report(name, &records, &[]));
    }
    Outcome::Found(report(name, &records, &failures))
}

fn could_not(error: DnsError) -> CouldNot {
    match error {
        DnsError::TimedOut => CouldNot::TimedOut,
        DnsError::Unreachable(detail) => CouldNot::Unreachable { detail },
        DnsError::Refused(code) => CouldNot::Unreachable {
            detail: format!("the resolver answered {code}"),
        },
    }
}

fn report(name: &str, records: &[DnsRecord], failures: &[(&str, DnsError)]) -> Report {
    let mut table = Table::new(&["Type", "Name", "Data", "TTL"]);
    let mut raw = String::new();
    for r in records {
        raw.push_str(&format!(
            "{} {} IN {} {}\n",
            r.name, r.ttl_s, r.rtype, r.data
        ));
    }
    for r in records.iter().take(MAX_ROWS) {
        table.push([
            r.rtype.clone(),
            r.name.clone(),
            r.data.clone(),
            format!("{} s", r.ttl_s),
        ]);
    }
    if records.is_empty() {
        let note = "the name exists, but has no records of the types asked";
        table.push(["-", name, note]);
        raw.push_str(&format!("; {name}: {note}\n"));
    }
    for (label, error) in failures {
        let note = format!("could not be asked: {}", could_not(error.clone()));
        raw.push_str(&format!("; {label} {note}\n"));
        table.push([(*label).to_owned(), name.to_owned(), note]);
    }
    Report {
        table,
        raw: Untrusted::new(raw),
        verdict: Verdict::Unknown,
        verdict_basis: "DNS gives records, no judgement".into(),
        // A dns: URI as RFC 4501 has it.
        source_url: format!("dns:{name}"),
        source_date: None,
        total_rows: u64::try_from(records.len())
            .ok()
            .filter(|n| *n > MAX_ROWS as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::ports::DnsPort;
    use std::sync::Mutex;

    fn record(rtype: &str, data: &str) -> DnsRecord {
        DnsRecord {
            name: "example.com".into(),
            rtype: rtype.into(),
            ttl_s: 60,
            data: data.into(),
        }
    }

    fn none() -> Result<DnsAnswer, DnsError> {
        Ok(DnsAnswer::Records(vec![]))
    }

    #[test]
    fn the_three_outcomes_are_kept_apart() {
        let gone = || Ok(DnsAnswer::NoSuchName);
        assert!(matches!(
            outcome("x", vec![("A", gone()), ("MX", gone())]),
            Outcome::NotFound
        ));
        assert!(matches!(
            outcome(
                "x",
                vec![
                    ("A", Err(DnsError::TimedOut)),
                    ("MX", Err(DnsError::TimedOut))
                ]
            ),
            Outcome::CouldNotLook(CouldNot::TimedOut)
        ));
        // Nothing found, and something could not be asked: not "not found".
        assert!(matches!(
            outcome(
                "x",
                vec![
                    ("A", Err(DnsError::Refused("SERVFAIL".into()))),
                    ("MX", none())
                ]
            ),
            Outcome::CouldNotLook(CouldNot::Unreachable { .. })
        ));
        assert!(matches!(
            outcome("x", vec![("A", Err(DnsError::TimedOut)), ("AAAA", gone())]),
            Outcome::CouldNotLook(_)
        ));
        // A name without records exists.
        match outcome("x", vec![("A", none()), ("MX", none())]) {
            Outcome::Found(r) => assert_eq!(r.table.rows.len(), 1),
            other => panic!("{other:?}"),
        }
        // What was found is shown, with what could not be asked.
        let some = Ok(DnsAnswer::Records(vec![record("A", "192.0.2.1")]));
        match outcome("x", vec![("A", some), ("MX", Err(DnsError::TimedOut))]) {
            Outcome::Found(r) => assert_eq!(r.table.rows.len(), 2),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_alias_is_shown_once() {
        let alias = || Ok(DnsAnswer::Records(vec![record("CNAME", "a.example")]));
        match outcome(
            "x",
            vec![("A", alias()), ("AAAA", alias()), ("CNAME", alias())],
        ) {
            Outcome::Found(r) => assert_eq!(r.table.rows.len(), 1),
            other => panic!("{other:?}"),
        }
    }

    /// Notes what is asked, and answers when everything has been asked.
    #[derive(Default)]
    struct Noting(Mutex<Vec<String>>);

    impl DnsPort for Noting {
        fn query<'a>(
            &'a self,
            name: &'a str,
            rtype: RecordType,
        ) -> Fut<'a, Result<DnsAnswer, DnsError>> {
            let mut first = true;
            Box::pin(poll_fn(move |cx| {
                let mut asked = self.0.lock().unwrap();
                if first {
                    first = false;
                    asked.push(format!("{name} {rtype:?}"));
                }
                if asked.len() == ASKED.len() {
                    return Poll::Ready(none());
                }
                cx.waker().wake_by_ref();
                Poll::Pending
            }))
        }
    }

    #[test]
    fn every_question_is_out_at_the_same_time() {
        let port = Noting::default();
        let questions = ASKED
            .iter()
            .map(|(t, _)| port.query("example.com", *t))
            .collect();
        let mut all = Box::pin(together(questions));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        let done = (0..3).find_map(|_| match all.as_mut().poll(&mut cx) {
            Poll::Ready(answers) => Some(answers.len()),
            Poll::Pending => None,
        });
        assert_eq!(done, Some(ASKED.len()));
        assert!(
            port.0
                .lock()
                .unwrap()
                .iter()
                .any(|q| q == "example.com Soa")
        );
    }
}
