//! What stands before every route: who may ask, how often, how long. A web page that the user visits must reach nothing: no foreign
//! `Host` (a name rebound to this machine), no foreign `Origin`, no preflight. Read [`guard`] first.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use super::Shared;
use super::answers::Refusal;
use super::routes::Route;

/// Lets a request through to its route, or refuses it.
pub(super) async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = Route::of(request.uri().path());
    let name = route.map_or("other", Route::name);
    let response = match admit(&shared, route, &request) {
        Ok(()) => answered(&shared, route, request, next).await,
        Err(refusal) => refusal.into_response(),
    };
    shared.metrics.note(name, started.elapsed(), response.status().as_u16() >= 400);
    tracing::debug!(route = name, status = response.status().as_u16(), "request");
    response
}

async fn answered(shared: &Shared, route: Option<Route>, request: Request, next: Next) -> Response {
    let is_probe = route.is_none_or(|route| !route.is_hook());
    let limit = if is_probe { shared.limits.probes } else { shared.limits.hooks };
    let answer = tokio::time::timeout(limit, next.run(request)).await;
    answer.unwrap_or_else(|_| Refusal::Timeout.into_response())
}

fn admit(shared: &Shared, route: Option<Route>, request: &Request) -> Result<(), Refusal> {
    let headers = request.headers();
    if request.method() == Method::OPTIONS {
        return Err(Refusal::Forbidden("no other origin may ask"));
    }
    if !is_local_host(headers) {
        return Err(Refusal::Forbidden("the host is not this machine"));
    }
    if !is_local_origin(headers) {
        return Err(Refusal::Forbidden("no other origin may ask"));
    }
    let needs_token = route.is_some_and(Route::needs_token);
    let authenticated = needs_token && has_token(headers, &shared.token);
    // Whoever does not know the token cannot use up what is there for those who do.
    let gate = if authenticated { &shared.authenticated } else { &shared.anonymous };
    gate.pass(Instant::now()).map_err(Refusal::RateLimited)?;
    let route = route.ok_or(Refusal::NotFound)?;
    if needs_token && !authenticated {
        return Err(Refusal::Unauthorized);
    }
    if request.method() != route.method() {
        return Err(Refusal::MethodNotAllowed);
    }
    if authenticated {
        shared.touch();
    }
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > shared.limits.body) { Err(Refusal::TooLarge) } else { Ok(()) }
}

/// In constant time, whatever was sent.
fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let sent = headers.get(header::AUTHORIZATION).map(axum::http::HeaderValue::as_bytes).unwrap_or_default();
    let expected = format!("Bearer {token}");
    sent.ct_eq(expected.as_bytes()).into()
}

fn is_local_host(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().is_ok_and(is_loopback),
        (_, _) => false,
    }
}

/// Only browsers send one.
fn is_local_origin(headers: &HeaderMap) -> bool {
    let local = |origin: &axum::http::HeaderValue| {
        let origin = origin.to_str().ok()?;
        Some(is_loopback(origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))?))
    };
    let cross_site = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    !cross_site && headers.get_all(header::ORIGIN).iter().all(|origin| local(origin) == Some(true))
}

/// A host, with a port or without.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.strip_prefix("[::1]") {
        Some(rest) => ("::1", rest),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let port = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    port && (matches!(name, "127.0.0.1" | "::1") || name.eq_ignore_ascii_case("localhost"))
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_names_of_this_machine_are_local() {
        for local in ["127.0.0.1", "127.0.0.1:37222", "localhost", "LOCALHOST:1", "[::1]", "[::1]:80"] {
            assert!(is_loopback(local), "{local}");
        }
        let foreign = [
            "",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:80",
            "127.0.0.1:x",
            "127.0.0.1@evil",
            "[::1]evil",
            "10.0.0.1",
            "0.0.0.0",
            "127.0.0.1:80:80",
        ];
        for foreign in foreign {
            assert!(!is_loopback(foreign), "{foreign}");
        }
    }
}
