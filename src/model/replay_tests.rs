//! Every recorded stream, cut at every place: the readers must not notice.

use super::error::ModelError;
use super::ollama;
use super::openai;
use super::types::ChatReply;
use std::path::Path;

type Outcome = Result<ChatReply, ModelError>;

fn openai_read(pieces: &[&[u8]]) -> Outcome {
    let mut reader = openai::Reader::new("m", None);
    for piece in pieces {
        if reader.done() {
            break;
        }
        reader.push(piece, &mut |_| {})?;
    }
    reader.end(&mut |_| {})
}

fn ollama_read(pieces: &[&[u8]]) -> Outcome {
    let mut reader = ollama::Reader::new("m", None, true);
    for piece in pieces {
        if reader.done() {
            break;
        }
        reader.push(piece, &mut |_| {})?;
    }
    reader.end(&mut |_| {})
}

/// Cuts in two at every place, and into pieces of one to nine bytes.
fn check(name: &str, body: &[u8], read: fn(&[&[u8]]) -> Outcome) {
    let whole = read(&[body]);
    for at in 0..=body.len() {
        assert_eq!(
            read(&[&body[..at], &body[at..]]),
            whole,
            "{name} cut at {at}"
        );
    }
    for size in 1..10 {
        let pieces: Vec<&[u8]> = body.chunks(size).collect();
        assert_eq!(read(&pieces), whole, "{name} in pieces of {size}");
    }
    // Ends early: never a panic, and never an answer where the end had not been reached.
    let finish = ["\"finish_reason\":\"", "[DONE]", "\"done\":true"];
    for at in 0..body.len() {
        let head = String::from_utf8_lossy(&body[..at]);
        let may_end = finish.iter().any(|f| head.contains(f));
        let got = read(&[&body[..at]]);
        assert!(may_end || got.is_err(), "{name} cut off at {at}: {got:?}");
    }
}

fn bodies(folder: &str, suffix: &str) -> Vec<(String, Vec<u8>)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/wire")
        .join(folder);
    let mut all: Vec<(String, Vec<u8>)> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.to_string_lossy().ends_with(suffix))
        .map(|p| (p.display().to_string(), std::fs::read(&p).unwrap()))
        .collect();
    all.sort();
    all
}

fn streamed(folder: &str) -> Vec<(String, Vec<u8>)> {
    bodies(folder, ".body")
        .into_iter()
        .filter(|(_, b)| b.starts_with(b"data:") || b.starts_with(b":"))
        .collect()
}

#[test]
fn llamacpp_streams_cut_everywhere() {
    let all = streamed("llamacpp-qwen2.5-coder-0.5b");
    assert!(all.len() >= 6, "{}", all.len());
    for (name, body) in all {
        check(&name, &body, openai_read);
    }
}

#[test]
fn vllm_streams_cut_everywhere() {
    let all = streamed("vllm-tiny");
    assert!(all.len() >= 3, "{}", all.len());
    for (name, body) in all {
        // The call of random weights is long and says nothing new after a while.
        if body.len() < 20_000 {
            check(&name, &body, openai_read);
        }
    }
}

#[test]
fn ollama_streams_cut_everywhere() {
    let (mut native, mut v1) = (0, 0);
    for (name, file) in bodies("ollama-from-source", ".txt") {
        let text = String::from_utf8(file).unwrap();
        let Some(at) = text.find("\nHTTP/1.1 200") else {
            continue;
        };
        let Some((_, body)) = text[at..].split_once("\r\n\r\n") else {
            continue;
        };
        if text.starts_with("POST /api/chat") {
            native += 1;
            check(&name, body.as_bytes(), ollama_read);
        } else if text.starts_with("POST /v1/chat") && body.starts_with("data:") {
            v1 += 1;
            check(&name, body.as_bytes(), openai_read);
        }
    }
    assert!(native >= 10 && v1 >= 5, "{native} {v1}");
}
