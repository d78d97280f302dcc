//! What each route answers. What takes the index runs on a blocking thread, so one slow question holds up no other and never
//! `/health`. Read [`router`] first.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::{Value, json};

use super::Shared;
use super::answers::{Refusal, ok, text};
use super::guard::guard;
use crate::engine::{Code, Engine, Fault, Freshness, Stats};
use crate::hook::{self, Answer, Client, Event, Input};

/// All that can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    Health,
    Ready,
    Metrics,
    Status,
    /// Ends the daemon.
    Stop,
    Hook(Event),
}

/// Routes under the names of other versions.
const EVENTS: [(&str, Event); 10] = [
    ("/hooks/session-start", Event::SessionStart),
    ("/hooks/prompt-context", Event::Prompt),
    ("/hooks/pre-tool-use", Event::PreToolUse),
    ("/hooks/post-tool-use", Event::PostToolUse),
    ("/hooks/post-tool-batch", Event::PostToolUse),
    ("/hooks/stop", Event::Stop),
    ("/hooks/subagent-stop", Event::SubagentStop),
    ("/hooks/pre-compact", Event::PreCompact),
    ("/hooks/post-compact", Event::PostCompact),
    ("/hooks/session-end", Event::SessionEnd),
];

impl Route {
    pub(super) fn of(path: &str) -> Option<Self> {
        match path {
            "/health" => Some(Self::Health),
            "/ready" => Some(Self::Ready),
            "/metrics" => Some(Self::Metrics),
            "/status" => Some(Self::Status),
            "/stop" => Some(Self::Stop),
            _ => EVENTS.iter().find(|(known, _)| *known == path).map(|(_, event)| Self::Hook(*event)),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Health => "/health",
            Self::Ready => "/ready",
            Self::Metrics => "/metrics",
            Self::Status => "/status",
            Self::Stop => "/stop",
            Self::Hook(event) => EVENTS.iter().find(|(_, known)| *known == event).map_or("/hooks", |(path, _)| path),
        }
    }

    pub(super) const fn method(self) -> Method {
        match self {
            Self::Health | Self::Ready | Self::Metrics | Self::Status => Method::GET,
            Self::Stop | Self::Hook(_) => Method::POST,
        }
    }

    pub(super) const fn needs_token(self) -> bool {
        !matches!(self, Self::Health | Self::Ready)
    }

    pub(super) const fn is_hook(self) -> bool {
        matches!(self, Self::Hook(_))
    }
}

pub(super) fn router(shared: &Arc<Shared>) -> Router {
    let paths = ["/health", "/ready", "/metrics", "/status", "/stop", "/hooks/{event}"];
    let router = paths.into_iter().fold(Router::new(), |router, path| router.route(path, any(answer)));
    router
        .fallback(|| async { Refusal::NotFound })
        .layer(from_fn_with_state(Arc::clone(shared), guard))
        .with_state(Arc::clone(shared))
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let Some(route) = Route::of(request.uri().path()) else { return Refusal::NotFound.into_response() };
    match route {
        Route::Health => ok(&json!({"status": "ok"})),
        Route::Ready => ready(shared).await,
        Route::Metrics => metrics(&shared, &request),
        Route::Status => status(shared).await,
        Route::Stop => {
            shared.stop.notify_one();
            ok(&json!({"stopping": true}))
        }
        Route::Hook(event) => match read(request.into_body(), shared.limits.body).await {
            Ok(body) => hook(shared, event, &body).await,
            Err(refusal) => refusal.into_response(),
        },
    }
}

async fn read(body: Body, limit: usize) -> Result<Bytes, Refusal> {
    axum::body::to_bytes(body, limit).await.map_err(|_| Refusal::TooLarge)
}

async fn ready(shared: Arc<Shared>) -> Response {
    let counted = blocking(&shared, |shared| shared.desk.ask(Engine::counts_with)).await;
    match counted {
        Ok(counts) => ok(&json!({"ready": true, "chunks": counts.chunks, "files": counts.files})),
        Err(error) => {
            let building = shared.indexer.state().indexing.then(|| "the index is being made".to_owned());
            Refusal::NotReady(building.unwrap_or_else(|| Fault::of(&error).message)).into_response()
        }
    }
}

fn metrics(shared: &Shared, request: &Request) -> Response {
    let accept = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if accept.contains("text/plain") { text(shared.metrics.prometheus()) } else { ok(&shared.metrics.json()) }
}

async fn status(shared: Arc<Shared>) -> Response {
    match blocking(&shared, |shared| shared.desk.engine()?.stats()).await {
        Ok(stats) => ok(&status_json(&shared, Some(&stats))),
        Err(error) if Fault::of(&error).code == Code::NoIndex => ok(&status_json(&shared, None)),
        Err(error) => internal(&shared, &error),
    }
}

fn status_json(shared: &Shared, stats: Option<&Stats>) -> Value {
    let index = shared.indexer.state();
    json!({
        "files": stats.map_or(0, |stats| stats.files),
        "chunks": stats.map_or(0, |stats| stats.chunks),
        "languages": stats.map(|stats| &stats.languages),
        "lastIndexedAt": stats.and_then(|stats| stats.freshness.last_indexed_at),
        "freshness": stats.map_or("empty", |stats| stats.freshness.level.as_str()),
        "staleness": stats.map(|stats| staleness(shared, &stats.freshness)),
        "indexing": index.indexing,
        "pending": index.watch.pending,
        "polling": index.watch.polling,
        "fault": index.fault,
    })
}

async fn hook(shared: Arc<Shared>, event: Event, body: &[u8]) -> Response {
    let input = match Input::read_any(body) {
        Ok(input) => input,
        Err(error) => return Refusal::BadRequest(error.to_string()).into_response(),
    };
    if shared.debug {
        tracing::debug!(?event, prompt = input.prompt, session = input.session, "hook");
    }
    let blocks = shared.max_chunks;
    let said = blocking(&shared, move |shared| {
        hook::note(&*shared.desk.engine()?, event, &input)?;
        if !event.is_question() {
            return Ok(None);
        }
        shared.desk.ask(|engine, searcher| hook::answer(engine, searcher, event, (&input, blocks))).map(Some)
    });
    match said.await {
        Ok(Some(answer)) => ok(&said_json(&shared, event, &answer)),
        Ok(None) => ok(&json!({})),
        Err(error) if Fault::of(&error).code == Code::NoIndex => ok(&empty_json(&shared)),
        Err(error) => internal(&shared, &error),
    }
}

fn said_json(shared: &Shared, event: Event, answer: &Answer) -> Value {
    let mut reply = hook::reply(Client::Claude, event, &answer.text);
    reply["reporecall"] = json!({"staleness": staleness(shared, &answer.freshness)});
    if shared.debug {
        reply["_debug"] = answer.debug.clone();
    }
    reply
}

fn empty_json(shared: &Shared) -> Value {
    json!({"reporecall": {"staleness": {"level": "empty", "dirtyFiles": [], "root": shared.root}}})
}

fn staleness(shared: &Shared, freshness: &Freshness) -> Value {
    json!({
        "level": freshness.level.as_str(),
        "indexedCommit": freshness.indexed_commit,
        "currentCommit": freshness.current_commit,
        "dirtyFiles": freshness.dirty_files,
        "lastIndexedAt": freshness.last_indexed_at,
        "root": shared.root,
    })
}

/// Runs what waits for the disk where it holds nobody up.
async fn blocking<T: Send + 'static>(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Shared) -> anyhow::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    let shared = Arc::clone(shared);
    let done = tokio::task::spawn_blocking(move || work(&shared)).await;
    done.unwrap_or_else(|error| Err(anyhow::anyhow!("a request failed: {error}")))
}

/// Says nothing of what is inside; the log does.
fn internal(shared: &Shared, error: &anyhow::Error) -> Response {
    let id = shared.faults.fetch_add(1, Ordering::Relaxed) + 1;
    tracing::error!(request = id, "{}", Fault::of(error).message);
    Refusal::Internal(id).into_response()
}
