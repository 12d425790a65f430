//! The sources of `dev eval`: one HTTP server on loopback that answers as the real ones do, and keeps
//! what it was asked, so that a look-up that should not have left is seen where it would arrive.

use super::scenario::{Answer, Says};
use crate::cli::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Largest request that is read, in bytes.
const REQUEST: usize = 64 * 1024;
/// Longest wait for a whole request.
const PATIENCE: Duration = Duration::from_secs(10);

/// The server. It stops with the runtime that it was started on.
pub(super) struct Sources {
    port: u16,
    said: Arc<Mutex<Script>>,
}

/// What is answered now, and what was asked since.
#[derive(Default)]
struct Script {
    answers: &'static [Answer],
    asked: Vec<String>,
}

impl Sources {
    /// Starts on a free port of loopback.
    ///
    /// # Errors
    /// The operating system gives no port.
    pub(super) async fn start() -> Result<Self, Error> {
        let failed = |e: std::io::Error| {
            Error::network("the local server for the sources could not be started")
                .why(e.to_string())
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let said = Arc::new(Mutex::new(Script::default()));
        let script = Arc::clone(&said);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let script = Arc::clone(&script);
                tokio::spawn(async move {
                    // A client that goes away or sends nonsense gets no answer; nothing depends on it.
                    let _ = tokio::time::timeout(PATIENCE, serve(stream, script)).await;
                });
            }
        });
        Ok(Self { port, said })
    }

    /// The base URL under which one module finds its source.
    pub(super) fn base_url(&self, tool: &str) -> String {
        format!("http://127.0.0.1:{}/{tool}", self.port)
    }

    /// What the sources say from here on.
    pub(super) fn script(&self, answers: &'static [Answer]) {
        let mut script = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        *script = Script {
            answers,
            asked: Vec::new(),
        };
    }

    /// What they were asked since [`Sources::script`]: path and body, decoded.
    pub(super) fn asked(&self) -> Vec<String> {
        let script = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        script.asked.clone()
    }
}

async fn serve(mut stream: TcpStream, script: Arc<Mutex<Script>>) -> std::io::Result<()> {
    let Some(asked) = read(&mut stream).await? else {
        return Ok(());
    };
    let (status, body) = {
        let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = answer(&asked, script.answers);
        script.asked.push(asked);
        answer
    };
    let head = format!(
        "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

/// Path and body of a request in one decoded text; `None` for what is no request.
async fn read(stream: &mut TcpStream) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut piece = [0_u8; 4096];
    let head = loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break at;
        }
        let n = stream.read(&mut piece).await?;
        if n == 0 || bytes.len() > REQUEST {
            return Ok(None);
        }
        bytes.extend(piece.iter().take(n));
    };
    let text = String::from_utf8_lossy(bytes.get(..head).unwrap_or_default()).into_owned();
    let length = text
        .lines()
        .filter_map(|l| l.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, v)| v.trim().parse::<usize>().ok())
        .unwrap_or(0);
    if length > REQUEST {
        return Ok(None);
    }
    while bytes.len() < head + 4 + length {
        let n = stream.read(&mut piece).await?;
        if n == 0 {
            return Ok(None);
        }
        bytes.extend(piece.iter().take(n));
    }
    let Some(target) = text.lines().next().and_then(|l| l.split(' ').nth(1)) else {
        return Ok(None);
    };
    let body = String::from_utf8_lossy(bytes.get(head + 4..).unwrap_or_default()).into_owned();
    Ok(Some(format!("{} {}", decoded(target), decoded(&body))))
}

fn decoded(text: &str) -> String {
    let text = text.replace('+', " ");
    percent_encoding::percent_decode_str(&text)
        .decode_utf8_lossy()
        .into_owned()
}

/// Status and body for a request: what is scripted for the tool and the value, else that it is not known.
fn answer(asked: &str, answers: &[Answer]) -> (u16, String) {
    let path = asked.trim_start_matches('/');
    let tool = path.split(['/', ' ', '?']).next().unwrap_or_default();
    let scripted = answers
        .iter()
        .filter(|a| a.tool == tool && asked.contains(a.about))
        .max_by_key(|a| a.about.len());
    match scripted.map(|a| a.says) {
        Some(Says::Body(body)) => (200, body.to_owned()),
        Some(Says::Status(status)) => (status, "{}".to_owned()),
        None => not_known(tool, asked),
    }
}

/// How each source says that it does not know a value.
fn not_known(tool: &str, asked: &str) -> (u16, String) {
    let body = match tool {
        "abuseipdb" => {
            let address = asked
                .split_once("ipAddress=")
                .map(|(_, rest)| rest.split(['&', ' ']).next().unwrap_or_default())
                .unwrap_or_default();
            return (
                200,
                serde_json::json!({"data": {
                    "ipAddress": address, "isPublic": true, "ipVersion": 4, "isWhitelisted": null,
                    "abuseConfidenceScore": 0, "totalReports": 0, "numDistinctUsers": 0,
                    "lastReportedAt": null, "reports": []
                }})
                .to_string(),
            );
        }
        "internetdb" => return (404, r#"{"detail":"No information available"}"#.to_owned()),
        "crtsh" => "[]",
        "threatfox" => {
            r#"{"query_status":"no_result","data":"Your search did not yield any results"}"#
        }
        "urlhaus" => r#"{"query_status":"no_results"}"#,
        "malwarebazaar" => r#"{"query_status":"hash_not_found"}"#,
        "circlpdns" => "",
        _ => return (404, "{}".to_owned()),
    };
    (200, body.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_its_tool_and_its_value() {
        const SAID: &[Answer] = &[
            Answer::body("crtsh", "a.example", "[1]"),
            Answer::body("crtsh", "b.a.example", "[2]"),
            Answer::status("internetdb", "a.example", 429),
        ];
        assert_eq!(answer("/crtsh/?q=a.example ", SAID), (200, "[1]".into()));
        assert_eq!(answer("/crtsh/?q=b.a.example ", SAID), (200, "[2]".into()));
        assert_eq!(answer("/internetdb/a.example ", SAID).0, 429);
        assert_eq!(answer("/crtsh/?q=c.example ", SAID), (200, "[]".into()));
        assert_eq!(answer("/nothing/a.example ", SAID).0, 404);
    }
}
