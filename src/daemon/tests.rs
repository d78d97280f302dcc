//! What needs a daemon with smaller bounds than the real one: time.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Notify;

use super::desk::Desk;
use super::indexer::Indexer;
use super::limits::{Gate, Limits};
use super::metrics::Metrics;
use super::{Shared, routes, server};
use crate::project::Project;

fn shared(project: &Project, limits: Limits) -> Arc<Shared> {
    project.ensure_memory_dir().unwrap();
    let desk = Arc::new(Desk::new(project.root.clone()));
    Arc::new(Shared {
        root: project.root.clone(),
        token: "t".into(),
        debug: false,
        max_chunks: None,
        authenticated: Gate::new(limits.authenticated),
        anonymous: Gate::new(limits.anonymous),
        limits,
        metrics: Metrics::new(),
        indexer: Indexer::start(&desk).unwrap(),
        desk,
        stop: Notify::new(),
        touched: std::sync::Mutex::new(Instant::now()),
        faults: AtomicU64::new(0),
    })
}

/// What a daemon with `limits` answers to `request`, whose sender does not hang up.
fn answer(limits: Limits, request: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let project = Project::at(dir.path()).unwrap();
    let shared = shared(&project, limits);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = async {
            let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.unwrap();
            shared.stop.notify_one();
            String::from_utf8(answer).unwrap()
        };
        let server = server::run(listener, routes::router(&shared), &shared, shared.stop.notified());
        tokio::join!(client, server).0
    });
    shared.indexer.stop(Duration::from_secs(10));
    answer
}

#[test]
fn a_body_that_never_comes_is_a_timeout() {
    let limits = Limits { hooks: Duration::from_millis(50), ..Limits::new(100) };
    let head =
        "POST /hooks/prompt-context HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\nConnection: close\r\n";
    let answer = answer(limits, &format!("{head}Content-Length: 10\r\n\r\nhalf"));
    assert!(answer.starts_with("HTTP/1.1 504 ") && answer.contains("\"TIMEOUT\""), "{answer}");
}

#[test]
fn a_head_that_never_ends_is_hung_up_on() {
    let limits = Limits { head: Duration::from_millis(50), ..Limits::new(100) };
    let answer = answer(limits, "GET /health HTTP/1.1\r\nHost: loc");
    assert!(!answer.contains(" 200 "), "{answer}");
}
