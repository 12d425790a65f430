//! A model server behind TLS: trusted only with the configured authority, and never without a check.

#![cfg(test)]

use rmm_analyst::config::settings::{ModelConfig, NetworkConfig};
use rmm_analyst::model::{ChatRequest, Message, ModelClient, ModelError, RequestMode, ServerKind};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/tls")
        .join(name)
}

/// A vLLM with two routes; ends with the process.
fn serve() -> u16 {
    let certs = CertificateDer::pem_file_iter(fixture("server.pem"))
        .unwrap()
        .collect::<Result<Vec<_>, _>>()
        .unwrap();
    let key = PrivateKeyDer::from_pem_file(fixture("server.key")).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(
        rustls::crypto::ring::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_no_client_auth()
    .with_single_cert(certs, key)
    .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = config.clone();
            std::thread::spawn(move || {
                let mut tls = rustls::StreamOwned::new(
                    rustls::ServerConnection::new(config).unwrap(),
                    stream,
                );
                let mut head = Vec::new();
                let mut block = [0u8; 2048];
                while !head.windows(4).any(|w| w == b"\r\n\r\n") {
                    match tls.read(&mut block) {
                        Ok(n) if n > 0 => head.extend_from_slice(&block[..n]),
                        _ => return,
                    }
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let (status, body) = if head.starts_with("GET /v1/models") {
                    (
                        200,
                        r#"{"object":"list","data":[{"id":"m","owned_by":"vllm","max_model_len":512}]}"#,
                    )
                } else if head.starts_with("POST /v1/chat/completions") {
                    (
                        200,
                        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"fine\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
                    )
                } else {
                    (404, "{}")
                };
                let length = body.len();
                let _ = write!(
                    tls,
                    "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
                tls.conn.send_close_notify();
                let _ = tls.flush();
            });
        }
    });
    port
}

#[tokio::test]
async fn the_configured_authority_is_trusted_and_nothing_else() {
    let port = serve();
    let ca = NetworkConfig {
        ca_file: Some(fixture("ca.pem").display().to_string()),
        ..NetworkConfig::default()
    };
    for host in ["127.0.0.1", "localhost"] {
        let settings = ModelConfig {
            base_url: Some(format!("https://{host}:{port}/v1")),
            ..ModelConfig::default()
        };
        let client = ModelClient::connect(&settings, None, &ca).await.unwrap();
        assert_eq!(
            (client.info().kind, client.info().context),
            (ServerKind::Vllm, Some(512))
        );
        let request = ChatRequest {
            messages: vec![Message::User("u".into())],
            mode: RequestMode::Text,
            max_tokens: 4,
            temperature: 0.0,
        };
        assert_eq!(
            client.chat(&request, &mut |_| {}).await.unwrap().text,
            "fine"
        );
        let error = ModelClient::connect(&settings, None, &NetworkConfig::default())
            .await
            .unwrap_err();
        // With no system store at all the client cannot even be built; both name the cause.
        assert!(
            matches!(
                error,
                ModelError::Unreachable { .. } | ModelError::Setting { .. }
            ),
            "{error:?}"
        );
        assert!(error.to_string().contains("certificate"), "{error}");
        assert!(error.hint().contains("ca_file"), "{}", error.hint());
    }
    // Spoken to without TLS it is no model server, and nothing hangs.
    let plain = ModelConfig {
        base_url: Some(format!("http://127.0.0.1:{port}")),
        ..ModelConfig::default()
    };
    assert!(ModelClient::connect(&plain, None, &ca).await.is_err());
    for (file, text) in [
        (fixture("none.pem"), "No such file"),
        (fixture("README.md"), "PEM"),
    ] {
        let net = NetworkConfig {
            ca_file: Some(file.display().to_string()),
            ..NetworkConfig::default()
        };
        let settings = ModelConfig {
            base_url: Some(format!("https://127.0.0.1:{port}")),
            ..ModelConfig::default()
        };
        let error = ModelClient::connect(&settings, None, &net)
            .await
            .unwrap_err();
        assert!(
            matches!(
                error,
                ModelError::Setting {
                    key: "[network] ca_file",
                    ..
                }
            ),
            "{error:?}"
        );
        assert!(error.to_string().contains(text), "{error}");
    }
}
