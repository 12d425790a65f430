//! A small HTTP/1.1 server over real sockets on loopback. It answers what a test scripted for a path,
//! well formed or broken on purpose, and keeps every request byte for byte.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How the body goes out.
#[derive(Clone, Debug)]
enum Payload {
    /// With a right `content-length`.
    Whole(Vec<u8>),
    /// Chunked, these pieces, ended as it should be.
    Chunked(Vec<Vec<u8>>),
    /// `content-length` promises more than is sent, then the connection closes.
    ShortLength(Vec<u8>, usize),
    /// Chunked without the last chunk, then the connection closes.
    ShortChunked(Vec<u8>),
    /// No length at all; the end of the connection is the end of the body.
    UntilClose(Vec<u8>),
    /// The same piece, chunked, until the client goes away.
    Endless(Vec<u8>),
    /// No answer; waits until the client goes away.
    Silence,
    /// Closes the connection without a byte.
    Close,
}

/// One scripted answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    payload: Payload,
    delay: Duration,
}

impl Answer {
    /// Status and body with a right `content-length`.
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            payload: Payload::Whole(body.into()),
            delay: Duration::ZERO,
        }
    }

    /// 200 with a JSON body.
    pub(crate) fn json(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body).header("content-type", "application/json")
    }

    /// A page of HTML.
    pub(crate) fn html(status: u16) -> Self {
        Self::new(status, "<!DOCTYPE html>\n<html><head><title>Just a moment</title></head><body>no</body></html>")
            .header("content-type", "text/html; charset=utf-8")
    }

    /// A redirect.
    pub(crate) fn redirect(status: u16, to: &str) -> Self {
        Self::new(status, "").header("location", to)
    }

    /// Never answers; waits for the client to go away.
    pub(crate) fn silence() -> Self {
        Self {
            payload: Payload::Silence,
            ..Self::new(200, "")
        }
    }

    /// Closes the connection without an answer.
    pub(crate) fn close() -> Self {
        Self {
            payload: Payload::Close,
            ..Self::new(200, "")
        }
    }

    /// Adds a header.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Waits before answering (or until the client goes away).
    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    fn bytes(&self) -> Vec<u8> {
        match &self.payload {
            Payload::Whole(b)
            | Payload::ShortLength(b, _)
            | Payload::ShortChunked(b)
            | Payload::UntilClose(b) => b.clone(),
            Payload::Chunked(parts) => parts.concat(),
            Payload::Endless(_) | Payload::Silence | Payload::Close => Vec::new(),
        }
    }

    /// The same body in chunks of this size.
    pub(crate) fn chunked(mut self, size: usize) -> Self {
        self.payload = Payload::Chunked(
            self.bytes()
                .chunks(size.max(1))
                .map(<[u8]>::to_vec)
                .collect(),
        );
        self
    }

    /// Announces the whole body, sends the first `keep` bytes, closes.
    pub(crate) fn cut_after(mut self, keep: usize) -> Self {
        let body = self.bytes();
        let declared = body.len();
        self.payload = Payload::ShortLength(body.into_iter().take(keep).collect(), declared);
        self
    }

    /// Chunked, the first `keep` bytes, no last chunk, closes.
    pub(crate) fn cut_chunked_after(mut self, keep: usize) -> Self {
        self.payload = Payload::ShortChunked(self.bytes().into_iter().take(keep).collect());
        self
    }

    /// No length; the first `keep` bytes, closes.
    pub(crate) fn cut_close_after(mut self, keep: usize) -> Self {
        self.payload = Payload::UntilClose(self.bytes().into_iter().take(keep).collect());
        self
    }

    /// No length; the connection's end is the body's end.
    pub(crate) fn until_close(mut self) -> Self {
        self.payload = Payload::UntilClose(self.bytes());
        self
    }

    /// The body again and again until the client goes away.
    pub(crate) fn endless(mut self) -> Self {
        self.payload = Payload::Endless(self.bytes());
        self
    }
}

/// One request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Everything, byte for byte.
    pub(crate) raw: Vec<u8>,
    /// Method.
    pub(crate) method: String,
    /// Path and query as sent.
    pub(crate) target: String,
    /// Header names (lower case) and values.
    pub(crate) headers: Vec<(String, String)>,
    /// Body.
    pub(crate) body: Vec<u8>,
}

impl Seen {
    /// The first value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }

    /// The path without the query.
    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

#[derive(Default)]
struct Shared {
    routes: Mutex<HashMap<String, Vec<Answer>>>,
    seen: Mutex<Vec<Seen>>,
    gone: AtomicUsize,
    stop: AtomicBool,
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The server; it ends when dropped.
pub(crate) struct Server {
    addr: SocketAddr,
    shared: Arc<Shared>,
    accept: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts on a free port of 127.0.0.1.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port on loopback");
        let addr = listener.local_addr().expect("the port");
        let shared = Arc::new(Shared::default());
        let inner = Arc::clone(&shared);
        let accept = thread::spawn(move || {
            for stream in listener.incoming() {
                if inner.stop.load(Ordering::SeqCst) {
                    return;
                }
                if let Ok(stream) = stream {
                    let shared = Arc::clone(&inner);
                    thread::spawn(move || serve(stream, &shared));
                }
            }
        });
        Self {
            addr,
            shared,
            accept: Some(accept),
        }
    }

    /// `127.0.0.1:port`.
    pub(crate) fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// `http://127.0.0.1:port`, without a trailing slash.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Scripts an answer for a path (without query), after those scripted before; the last one repeats.
    /// The path `*` answers every path that has no script of its own.
    pub(crate) fn on(&self, path: &str, answer: Answer) {
        lock(&self.shared.routes)
            .entry(path.into())
            .or_default()
            .push(answer);
    }

    /// Every request so far, in the order in which they were read.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        lock(&self.shared.seen).clone()
    }

    /// Waits until `n` clients have gone away while an answer was out; false after `limit`.
    /// Asynchronous, so that the client's own tasks go on meanwhile.
    pub(crate) async fn gone(&self, n: usize, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        while Instant::now() < end {
            if self.shared.gone.load(Ordering::SeqCst) >= n {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.addr);
        if let Some(handle) = self.accept.take() {
            let _ = handle.join();
        }
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let mut rest = Vec::new();
    while let Some(seen) = read_request(&mut stream, &mut rest) {
        let path = seen.path().to_owned();
        lock(&shared.seen).push(seen);
        let answer = next_answer(shared, &path);
        if !answer.delay.is_zero() && gone_within(&stream, answer.delay, shared) {
            shared.gone.fetch_add(1, Ordering::SeqCst);
            return;
        }
        match send(&mut stream, &answer, shared) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                shared.gone.fetch_add(1, Ordering::SeqCst);
                return;
            }
        }
    }
    let _ = stream.shutdown(Shutdown::Write);
}

fn next_answer(shared: &Shared, path: &str) -> Answer {
    let mut routes = lock(&shared.routes);
    let key = if routes.contains_key(path) { path } else { "*" };
    match routes.get_mut(key) {
        Some(list) if list.len() > 1 => list.remove(0),
        Some(list) => list
            .first()
            .cloned()
            .unwrap_or_else(|| Answer::new(418, "no script")),
        None => Answer::new(418, "no script for this path"),
    }
}

fn read_request(stream: &mut TcpStream, rest: &mut Vec<u8>) -> Option<Seen> {
    let head_end = loop {
        if let Some(at) = rest.windows(4).position(|w| w == b"\r\n\r\n") {
            break at + 4;
        }
        if !more(stream, rest) {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&rest[..head_end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|l| l.split_once(':'))
        .map(|(n, v)| (n.trim().to_ascii_lowercase(), v.trim().to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(n, _)| n == "content-length")
        .and_then(|(_, v)| v.parse().ok())
        .unwrap_or(0);
    while rest.len() < head_end + length {
        if !more(stream, rest) {
            return None;
        }
    }
    let raw: Vec<u8> = rest.drain(..head_end + length).collect();
    let body = raw[head_end..].to_vec();
    Some(Seen {
        raw,
        method,
        target,
        headers,
        body,
    })
}

fn more(stream: &mut TcpStream, rest: &mut Vec<u8>) -> bool {
    let mut buf = [0_u8; 16_384];
    match stream.read(&mut buf) {
        Ok(n) if n > 0 => {
            rest.extend_from_slice(&buf[..n]);
            true
        }
        _ => false,
    }
}

/// Waits for `limit`; true when the client went away before.
fn gone_within(stream: &TcpStream, limit: Duration, shared: &Shared) -> bool {
    let end = Instant::now() + limit;
    let _ = stream.set_read_timeout(Some(Duration::from_millis(10)));
    let mut probe = [0_u8; 1];
    let mut gone = false;
    while Instant::now() < end && !shared.stop.load(Ordering::SeqCst) {
        match stream.peek(&mut probe) {
            Ok(0) => {
                gone = true;
                break;
            }
            Ok(_) => thread::sleep(Duration::from_millis(10)),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => {
                gone = true;
                break;
            }
        }
    }
    let _ = stream.set_read_timeout(None);
    gone
}

/// Sends; says whether the connection may be used again.
fn send(stream: &mut TcpStream, answer: &Answer, shared: &Shared) -> std::io::Result<bool> {
    match &answer.payload {
        Payload::Silence => {
            return if gone_within(stream, Duration::from_secs(60), shared) {
                Err(ErrorKind::ConnectionAborted.into())
            } else {
                Ok(false)
            };
        }
        Payload::Close => return Ok(false),
        _ => {}
    }
    let mut head = format!("HTTP/1.1 {} Scripted\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    match &answer.payload {
        Payload::Whole(body) => head.push_str(&format!("content-length: {}\r\n", body.len())),
        Payload::ShortLength(_, declared) => {
            head.push_str(&format!("content-length: {declared}\r\n"))
        }
        Payload::Chunked(_) | Payload::ShortChunked(_) | Payload::Endless(_) => {
            head.push_str("transfer-encoding: chunked\r\n");
        }
        Payload::UntilClose(_) | Payload::Silence | Payload::Close => {
            head.push_str("connection: close\r\n")
        }
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    let again = match &answer.payload {
        Payload::Whole(body) => {
            stream.write_all(body)?;
            true
        }
        Payload::Chunked(parts) => {
            for part in parts {
                chunk(stream, part)?;
            }
            stream.write_all(b"0\r\n\r\n")?;
            true
        }
        Payload::ShortChunked(body) => {
            chunk(stream, body)?;
            false
        }
        Payload::ShortLength(body, _) | Payload::UntilClose(body) => {
            stream.write_all(body)?;
            false
        }
        Payload::Endless(body) => loop {
            if shared.stop.load(Ordering::SeqCst) {
                break false;
            }
            chunk(stream, body)?;
        },
        Payload::Silence | Payload::Close => false,
    };
    stream.flush()?;
    Ok(again)
}

fn chunk(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    stream.write_all(format!("{:x}\r\n", bytes.len()).as_bytes())?;
    stream.write_all(bytes)?;
    stream.write_all(b"\r\n")
}
