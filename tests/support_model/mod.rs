//! A model server that answers by script, over a real socket on loopback. It sends exactly the bytes it is
//! told to, cut where it is told to, and remembers what was asked of it.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
    }

    pub(crate) fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }
}

/// What is answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reply {
    /// Pieces, each sent by itself.
    pub(crate) pieces: Vec<Vec<u8>>,
    /// Pause between two pieces.
    pub(crate) gap: Duration,
    /// Afterwards keep the connection open until the client closes it.
    pub(crate) hold: bool,
}

impl Reply {
    /// Raw bytes in one piece.
    pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            pieces: vec![bytes.into()],
            ..Self::default()
        }
    }

    /// A whole answer with a length.
    pub(crate) fn body(status: u16, content_type: &str, body: &str) -> Self {
        Self::raw(format!(
            "HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ))
    }

    pub(crate) fn json(status: u16, body: &str) -> Self {
        Self::body(status, "application/json", body)
    }

    /// A stream without a length: it ends when the connection closes.
    pub(crate) fn stream(content_type: &str, body: &str) -> Self {
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nConnection: close\r\n\r\n");
        Self {
            pieces: vec![head.into_bytes(), body.as_bytes().to_vec()],
            ..Self::default()
        }
    }

    pub(crate) fn sse(body: &str) -> Self {
        Self::stream("text/event-stream", body)
    }

    pub(crate) fn ndjson(body: &str) -> Self {
        Self::stream("application/x-ndjson", body)
    }

    /// The same bytes, cut at these places.
    pub(crate) fn cut(self, cuts: &[usize]) -> Self {
        let all = self.pieces.concat();
        let mut cuts: Vec<usize> = cuts.iter().map(|c| c % (all.len() + 1)).collect();
        cuts.push(all.len());
        cuts.sort_unstable();
        cuts.dedup();
        let mut pieces = Vec::new();
        let mut at = 0;
        for cut in cuts {
            pieces.push(all[at..cut].to_vec());
            at = cut;
        }
        Self { pieces, ..self }
    }

    pub(crate) fn hold(self) -> Self {
        Self { hold: true, ..self }
    }

    pub(crate) fn gap(self, gap: Duration) -> Self {
        Self { gap, ..self }
    }
}

/// The server. Ends when dropped.
pub(crate) struct Scripted {
    pub(crate) addr: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    hung_up: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Scripted {
    pub(crate) fn start(script: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            addr: listener.local_addr().unwrap(),
            asked: Arc::default(),
            hung_up: Arc::default(),
            stop: Arc::default(),
        };
        let (asked, hung_up, stop) = (
            server.asked.clone(),
            server.hung_up.clone(),
            server.stop.clone(),
        );
        let script = Arc::new(script);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (asked, hung_up, script) = (asked.clone(), hung_up.clone(), script.clone());
                std::thread::spawn(move || serve(stream, &asked, &hung_up, &*script));
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Requests to a path.
    pub(crate) fn asked_at(&self, path: &str) -> Vec<Asked> {
        self.asked()
            .into_iter()
            .filter(|a| a.path == path)
            .collect()
    }

    /// Waits until a held connection was closed by the client. The client's runtime goes on meanwhile: it
    /// is a task of it that closes the socket.
    pub(crate) async fn wait_hung_up(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        while Instant::now() < end {
            if self.hung_up.load(Ordering::SeqCst) > 0 {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        false
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.addr);
    }
}

fn serve(
    mut stream: TcpStream,
    asked: &Mutex<Vec<Asked>>,
    hung_up: &AtomicUsize,
    script: &(impl Fn(&Asked) -> Reply + ?Sized),
) {
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    stream.set_nodelay(true).unwrap();
    let Some(request) = read_request(&mut stream) else {
        return;
    };
    asked.lock().unwrap().push(request.clone());
    let reply = script(&request);
    for (n, piece) in reply.pieces.iter().enumerate() {
        if n > 0 && !reply.gap.is_zero() {
            std::thread::sleep(reply.gap);
        }
        if stream
            .write_all(piece)
            .and_then(|()| stream.flush())
            .is_err()
        {
            hung_up.fetch_add(1, Ordering::SeqCst);
            return;
        }
    }
    if reply.hold {
        let mut rest = [0u8; 64];
        loop {
            match stream.read(&mut rest) {
                Ok(0) => break,
                Ok(_) => {}
                Err(e) if e.kind() == std::io::ErrorKind::ConnectionReset => break,
                Err(_) => return,
            }
        }
        hung_up.fetch_add(1, Ordering::SeqCst);
        return;
    }
    // Let the client read to the end before the port is closed.
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(500)));
    let mut rest = [0u8; 64];
    while matches!(stream.read(&mut rest), Ok(n) if n > 0) {}
}

fn read_request(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut block = [0u8; 4096];
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break at;
        }
        match stream.read(&mut block) {
            Ok(n) if n > 0 => bytes.extend_from_slice(&block[..n]),
            _ => return None,
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|l| l.split_once(": "))
        .map(|(n, v)| (n.to_owned(), v.to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, v)| v.parse::<usize>().ok())
        .unwrap_or(0);
    let mut body = bytes[head_end + 4..].to_vec();
    while body.len() < length {
        match stream.read(&mut block) {
            Ok(n) if n > 0 => body.extend_from_slice(&block[..n]),
            _ => return None,
        }
    }
    Some(Asked {
        method,
        path,
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}

// ---- servers by kind

/// How a kind of server answers the questions of detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    LlamaCpp,
    Vllm,
    Ollama,
}

impl Kind {
    /// The kind of a folder of recordings.
    pub(crate) fn of(folder: &str) -> Self {
        if folder.starts_with("llamacpp") {
            Self::LlamaCpp
        } else if folder.starts_with("vllm") {
            Self::Vllm
        } else {
            Self::Ollama
        }
    }

    /// The answer to a question of detection, from recordings and transcripts; `None` for a chat.
    pub(crate) fn answer(self, asked: &Asked) -> Option<Reply> {
        if asked.path.ends_with("/chat") && asked.method == "POST" {
            let loads = asked.json()["messages"]
                .as_array()
                .is_some_and(Vec::is_empty);
            return loads.then(|| transcript("21-load-only.txt").1);
        }
        if asked.path == "/v1/chat/completions" {
            return None;
        }
        Some(match (self, asked.path.as_str()) {
            (Self::LlamaCpp, "/v1/models") => recorded("llamacpp-qwen2.5-coder-0.5b", "models"),
            (Self::LlamaCpp, "/props") => Reply::json(
                200,
                r#"{"default_generation_settings":{"n_ctx":2048},"build_info":"b1-x","chat_template_caps":{"supports_tools":true}}"#,
            ),
            (Self::LlamaCpp, _) => recorded("llamacpp-qwen2.5-coder-0.5b", "err_404"),
            (Self::Vllm, "/v1/models") => recorded("vllm-tiny", "models"),
            (Self::Vllm, "/version") => Reply::json(200, r#"{"version":"0.32.0"}"#),
            (Self::Vllm, _) => recorded("vllm-tiny", "err_404"),
            (Self::Ollama, "/api/version") => transcript("00-version.txt").1,
            (Self::Ollama, "/api/tags") => transcript("00-tags.txt").1,
            (Self::Ollama, "/api/show") => transcript("12-show.txt").1,
            (Self::Ollama, "/api/ps") => transcript("13-ps.txt").1,
            (Self::Ollama, "/api/status") => transcript("00-status.txt").1,
            (Self::Ollama, "/v1/models") => transcript("22-v1-models.txt").1,
            (Self::Ollama, _) => transcript("00-unknown-path.txt").1,
        })
    }

    /// A server of this kind that answers every chat like this.
    pub(crate) fn serve(self, chat: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Scripted {
        Scripted::start(move |asked| self.answer(asked).unwrap_or_else(|| chat(asked)))
    }
}

pub(crate) fn wire() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wire")
}

/// A recording, byte for byte, chunk framing included.
pub(crate) fn recorded(folder: &str, name: &str) -> Reply {
    Reply::raw(std::fs::read(wire().join(folder).join(format!("{name}.response.http"))).unwrap())
}

/// A transcript of Ollama: the request, and the answer with its chunk framing put back.
pub(crate) fn transcript(name: &str) -> (String, Reply) {
    let text = std::fs::read_to_string(wire().join("ollama-from-source").join(name)).unwrap();
    let at = text.find("\nHTTP/1.1 ").unwrap() + 1;
    let (head, body) = text[at..].split_once("\r\n\r\n").unwrap();
    let chunked = head.contains("Transfer-Encoding: chunked");
    let mut pieces = vec![format!("{head}\r\nConnection: close\r\n\r\n").into_bytes()];
    if chunked {
        for line in body.split_inclusive('\n') {
            pieces.push(format!("{:x}\r\n{line}\r\n", line.len()).into_bytes());
        }
        pieces.push(b"0\r\n\r\n".to_vec());
    } else {
        pieces.push(body.as_bytes().to_vec());
    }
    (
        text[..at].to_owned(),
        Reply {
            pieces,
            ..Reply::default()
        },
    )
}
