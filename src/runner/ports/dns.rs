//! The system's resolver, asked directly: one question over UDP, over TCP when the answer was cut.
//!
//! Name servers come from `/etc/resolv.conf` (`resolv.conf(5)`: at most three; without any, the one on
//! this machine) and are read anew for each question, so that a laptop that changes networks is followed.
//! Search lists are not used: an indicator is an absolute name. The messages are built and read by the
//! crate `domain`; what it cannot know is checked here: an answer counts only when it comes from the
//! server that was asked (connected socket), carries the random id and repeats the question (RFC 5452).

use domain::base::iana::{Class, Rcode, Rtype};
use domain::base::{Message, MessageBuilder, Name};
use domain::rdata::AllRecordData;
use kit::ports::{DnsAnswer, DnsError, DnsPort, DnsRecord, Fut, RecordType};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::{Instant, timeout_at};

/// How long one try with one server may take.
pub const TRY_TIMEOUT: Duration = Duration::from_secs(2);
/// Tries per server.
const ROUNDS: usize = 2;
/// Servers that `resolv.conf(5)` allows (`MAXNS`).
const MAX_SERVERS: usize = 3;
/// UDP size that we announce (DNS flag day 2020: no fragments).
const UDP_SIZE: u16 = 1232;
/// Records kept of one answer; more than any honest name has.
const MAX_RECORDS: usize = 500;
/// Datagrams looked at in one try before it counts as unanswered (a flood of forged ones).
const MAX_STRAYS: usize = 64;
/// Where the system keeps its name servers.
const RESOLV_CONF: &str = "/etc/resolv.conf";

enum Servers {
    System,
    Fixed(Vec<SocketAddr>),
}

/// Asks the system's resolvers, or those named.
pub struct Resolver {
    servers: Servers,
    timeout: Duration,
}

impl Resolver {
    /// The servers of `/etc/resolv.conf`, read at each question.
    #[must_use]
    pub const fn system() -> Self {
        Self {
            servers: Servers::System,
            timeout: TRY_TIMEOUT,
        }
    }

    /// These servers, in this order, with this time for one try with one server.
    #[must_use]
    pub const fn with_servers(servers: Vec<SocketAddr>, timeout: Duration) -> Self {
        Self {
            servers: Servers::Fixed(servers),
            timeout,
        }
    }

    fn servers(&self) -> Result<Vec<SocketAddr>, DnsError> {
        let list = match &self.servers {
            Servers::Fixed(list) => list.clone(),
            Servers::System => match std::fs::read(RESOLV_CONF) {
                Ok(bytes) => parse_resolv_conf(&String::from_utf8_lossy(&bytes)),
                Err(_) => Vec::new(),
            },
        };
        if list.is_empty() {
            Err(DnsError::Unreachable("no name server is configured".into()))
        } else {
            Ok(list)
        }
    }

    async fn ask(&self, name: &str, rtype: RecordType) -> Result<DnsAnswer, DnsError> {
        let servers = self.servers()?;
        let name = Name::<Vec<u8>>::from_str(name)
            .map_err(|e| DnsError::Unreachable(format!("not a name that DNS can carry: {e}")))?;
        let question = Question {
            name,
            rtype: wire_type(rtype),
        };
        let mut last = DnsError::TimedOut;
        for _ in 0..ROUNDS {
            for server in &servers {
                match self.try_server(*server, &question).await {
                    Ok(answer) => return Ok(answer),
                    // A server that answered says more than one that did not.
                    Err(e) => last = worse(last, e),
                }
            }
        }
        Err(last)
    }

    async fn try_server(
        &self,
        server: SocketAddr,
        question: &Question,
    ) -> Result<DnsAnswer, DnsError> {
        let deadline = Instant::now() + self.timeout;
        let reply = match udp(server, question, true, deadline).await {
            // Servers from before EDNS answer FORMERR or NOTIMP to the OPT record (RFC 6891, 7).
            Ok(m) if matches!(m.header().rcode(), Rcode::FORMERR | Rcode::NOTIMP) => {
                udp(server, question, false, deadline).await?
            }
            other => other?,
        };
        let reply = if reply.header().tc() {
            tcp(server, question, Instant::now() + self.timeout).await?
        } else {
            reply
        };
        read_answer(&reply)
    }
}

impl DnsPort for Resolver {
    fn query<'a>(
        &'a self,
        name: &'a str,
        rtype: RecordType,
    ) -> Fut<'a, Result<DnsAnswer, DnsError>> {
        Box::pin(self.ask(name, rtype))
    }
}

struct Question {
    name: Name<Vec<u8>>,
    rtype: Rtype,
}

const fn wire_type(rtype: RecordType) -> Rtype {
    match rtype {
        RecordType::A => Rtype::A,
        RecordType::Aaaa => Rtype::AAAA,
        RecordType::Mx => Rtype::MX,
        RecordType::Ns => Rtype::NS,
        RecordType::Txt => Rtype::TXT,
        RecordType::Soa => Rtype::SOA,
        RecordType::Cname => Rtype::CNAME,
        RecordType::Ptr => Rtype::PTR,
    }
}

/// Which of two failures to report: an answered refusal beats "unreachable", which beats silence.
fn worse(a: DnsError, b: DnsError) -> DnsError {
    const fn rank(e: &DnsError) -> u8 {
        match e {
            DnsError::TimedOut => 0,
            DnsError::Unreachable(_) => 1,
            DnsError::Refused(_) => 2,
        }
    }
    if rank(&b) >= rank(&a) { b } else { a }
}

/// The name servers of a `resolv.conf`, port 53, at most three. Lines that name no address are passed
/// over; a file without any means the server on this machine (`resolv.conf(5)`). A link-local address
/// with a zone that is not a number (`fe80::1%eth0`) cannot be used without asking the system for the
/// interface's number and is passed over too.
#[must_use]
pub fn parse_resolv_conf(text: &str) -> Vec<SocketAddr> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("nameserver") {
            continue;
        }
        let Some(word) = words.next() else { continue };
        let address = match word.split_once('%') {
            Some((ip, zone)) => match (ip.parse::<Ipv6Addr>(), zone.parse::<u32>()) {
                (Ok(ip), Ok(zone)) => {
                    Some(SocketAddr::V6(std::net::SocketAddrV6::new(ip, 53, 0, zone)))
                }
                _ => None,
            },
            None => word
                .parse::<IpAddr>()
                .ok()
                .map(|ip| SocketAddr::new(ip, 53)),
        };
        if let Some(address) = address {
            out.push(address);
        }
        if out.len() == MAX_SERVERS {
            break;
        }
    }
    if out.is_empty() {
        out.push(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 53));
    }
    out
}

fn build(question: &Question, edns: bool) -> Result<(u16, Vec<u8>), DnsError> {
    let too_long = |_| DnsError::Unreachable("the question does not fit a message".into());
    let mut builder = MessageBuilder::new_vec();
    let header = builder.header_mut();
    header.set_random_id();
    header.set_rd(true);
    let id = header.id();
    let mut q = builder.question();
    q.push((&question.name, question.rtype, Class::IN))
        .map_err(too_long)?;
    if !edns {
        return Ok((id, q.finish()));
    }
    let mut additional = q.additional();
    additional
        .opt(|opt| {
            opt.set_udp_payload_size(UDP_SIZE);
            Ok(())
        })
        .map_err(too_long)?;
    Ok((id, additional.finish()))
}

/// The message, when it is the answer to this question.
fn accept(bytes: Vec<u8>, id: u16, question: &Question) -> Option<Message<Vec<u8>>> {
    let message = Message::from_octets(bytes).ok()?;
    let header = message.header();
    if !header.qr() || header.id() != id {
        return None;
    }
    // Some servers answer FORMERR with the header alone; nothing is read from such an answer.
    if message.header_counts().qdcount() == 0 && header.rcode() == Rcode::FORMERR {
        return Some(message);
    }
    let asked = message.first_question()?;
    let same = asked.qtype() == question.rtype
        && asked.qclass() == Class::IN
        && asked.qname() == &question.name;
    (same && message.header_counts().qdcount() == 1).then_some(message)
}

fn io(e: &std::io::Error) -> DnsError {
    DnsError::Unreachable(e.kind().to_string())
}

async fn udp(
    server: SocketAddr,
    question: &Question,
    edns: bool,
    deadline: Instant,
) -> Result<Message<Vec<u8>>, DnsError> {
    let (id, bytes) = build(question, edns)?;
    let local: IpAddr = if server.is_ipv4() {
        Ipv4Addr::UNSPECIFIED.into()
    } else {
        Ipv6Addr::UNSPECIFIED.into()
    };
    // Port 0: the system picks a random one.
    let socket = UdpSocket::bind(SocketAddr::new(local, 0))
        .await
        .map_err(|e| io(&e))?;
    socket.connect(server).await.map_err(|e| io(&e))?;
    socket.send(&bytes).await.map_err(|e| io(&e))?;
    let mut buffer = vec![0_u8; usize::from(u16::MAX)];
    for _ in 0..MAX_STRAYS {
        let read = timeout_at(deadline, socket.recv(&mut buffer)).await;
        let size = read.map_err(|_| DnsError::TimedOut)?.map_err(|e| io(&e))?;
        let datagram = buffer.get(..size).unwrap_or_default().to_vec();
        if let Some(message) = accept(datagram, id, question) {
            return Ok(message);
        }
    }
    Err(DnsError::TimedOut)
}

async fn tcp(
    server: SocketAddr,
    question: &Question,
    deadline: Instant,
) -> Result<Message<Vec<u8>>, DnsError> {
    let (id, bytes) = build(question, true)?;
    let exchange = async {
        let mut stream = TcpStream::connect(server).await?;
        let length = u16::try_from(bytes.len()).map_err(|_| std::io::ErrorKind::InvalidInput)?;
        let mut framed = length.to_be_bytes().to_vec();
        framed.extend_from_slice(&bytes);
        stream.write_all(&framed).await?;
        let size = stream.read_u16().await?;
        let mut reply = vec![0_u8; usize::from(size)];
        stream.read_exact(&mut reply).await?;
        Ok::<_, std::io::Error>(reply)
    };
    let reply = timeout_at(deadline, exchange)
        .await
        .map_err(|_| DnsError::TimedOut)?
        .map_err(|e| io(&e))?;
    accept(reply, id, question)
        .ok_or_else(|| DnsError::Unreachable("the resolver answered another question".into()))
}

fn read_answer(message: &Message<Vec<u8>>) -> Result<DnsAnswer, DnsError> {
    let rcode = message.header().rcode();
    if !matches!(rcode, Rcode::NOERROR | Rcode::NXDOMAIN) {
        return Err(DnsError::Refused(rcode.to_string()));
    }
    let unreadable = || DnsError::Refused("something unreadable".into());
    let section = message.answer().map_err(|_| unreadable())?;
    let mut records = Vec::new();
    for record in section
        .limit_to_in::<AllRecordData<_, _>>()
        .take(MAX_RECORDS)
    {
        let record = record.map_err(|_| unreadable())?;
        if !matches!(record.rtype(), Rtype::RRSIG) {
            records.push(DnsRecord {
                name: record.owner().to_string().to_ascii_lowercase(),
                rtype: record.rtype().to_string(),
                ttl_s: record.ttl().as_secs(),
                data: presentation(record.rtype(), &record.data().to_string()),
            });
        }
    }
    // NXDOMAIN is about the end of an alias chain (RFC 6604): when the name asked for is an alias, it
    // exists, and a person wants to see where it points.
    if rcode == Rcode::NXDOMAIN && records.is_empty() {
        return Ok(DnsAnswer::NoSuchName);
    }
    Ok(DnsAnswer::Records(records))
}

/// Data as a person and the extractor read it: names in lower case and without the final dot. Text stays
/// as it is.
fn presentation(rtype: Rtype, data: &str) -> String {
    if matches!(
        rtype,
        Rtype::MX | Rtype::NS | Rtype::CNAME | Rtype::DNAME | Rtype::PTR | Rtype::SOA | Rtype::SRV
    ) {
        let words = data.split(' ').map(|w| {
            if w.len() > 1 {
                w.strip_suffix('.').unwrap_or(w)
            } else {
                w
            }
        });
        return words.collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    }
    data.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn question() -> Question {
        Question {
            name: "example.com".parse().unwrap(),
            rtype: Rtype::A,
        }
    }

    #[test]
    fn resolv_conf_is_read_as_the_manual_says() {
        let text = "# comment\nsearch corp\nnameserver 192.0.2.1\nnameserver  2001:db8::1 \n;x\nnameserver fe80::1%eth0\n\
                    nameserver junk\nnameserver\nnameserver fe80::2%3\nnameserver 192.0.2.9\n";
        let got: Vec<String> = parse_resolv_conf(text)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(got, ["192.0.2.1:53", "[2001:db8::1]:53", "[fe80::2%3]:53"]);
        assert_eq!(parse_resolv_conf(""), ["127.0.0.1:53".parse().unwrap()]);
    }

    #[test]
    fn only_the_answer_to_the_question_is_accepted() {
        let (id, bytes) = build(&question(), true).unwrap();
        let mut reply = bytes.clone();
        assert!(
            accept(reply.clone(), id, &question()).is_none(),
            "a question is no answer"
        );
        reply[2] |= 0x80;
        assert!(accept(reply.clone(), id, &question()).is_some());
        assert!(
            accept(reply.clone(), id.wrapping_add(1), &question()).is_none(),
            "another id"
        );
        let other = Question {
            name: "example.net".parse().unwrap(),
            rtype: Rtype::A,
        };
        assert!(accept(reply.clone(), id, &other).is_none(), "another name");
        let other = Question {
            name: "EXAMPLE.com".parse().unwrap(),
            rtype: Rtype::AAAA,
        };
        assert!(accept(reply, id, &other).is_none(), "another type");
    }

    #[test]
    fn a_refusal_is_reported_before_silence() {
        assert_eq!(
            worse(DnsError::Refused("SERVFAIL".into()), DnsError::TimedOut),
            DnsError::Refused("SERVFAIL".into())
        );
        assert_eq!(
            worse(DnsError::TimedOut, DnsError::Unreachable("x".into())),
            DnsError::Unreachable("x".into())
        );
    }

    proptest! {
        #[test]
        fn no_answer_makes_the_reader_panic(tail in proptest::collection::vec(any::<u8>(), 0..300), at in 0usize..60, byte: u8) {
            let (id, mut bytes) = build(&question(), true).unwrap();
            bytes[2] |= 0x80;
            bytes[7] = 2;
            bytes.extend(tail);
            let at = at % bytes.len();
            bytes[at] = byte;
            if let Some(m) = accept(bytes, id, &question()) {
                let _ = read_answer(&m);
            }
        }
    }
}
