//! Answers with their headers: JSON, never cached, never guessed at, to no other origin. Read [`Refusal`] first.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Why a request gets no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    BadRequest(String),
    Unauthorized,
    Forbidden(&'static str),
    NotFound,
    MethodNotAllowed,
    TooLarge,
    RateLimited(Duration),
    Timeout,
    NotReady(String),
    /// The number under which the log tells more.
    Internal(u64),
}

impl Refusal {
    const fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Timeout => StatusCode::GATEWAY_TIMEOUT,
            Self::NotReady(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn body(&self) -> Value {
        match self {
            Self::BadRequest(reason) => json!({"error": reason, "code": "BAD_REQUEST"}),
            Self::Unauthorized => json!({"error": "the token is missing or wrong", "code": "UNAUTHORIZED"}),
            Self::Forbidden(reason) => json!({"error": reason, "code": "FORBIDDEN"}),
            Self::NotFound => json!({"error": "there is nothing here", "code": "NOT_FOUND"}),
            Self::MethodNotAllowed => json!({"error": "not with this method", "code": "METHOD_NOT_ALLOWED"}),
            Self::TooLarge => json!({"error": "the body is too large", "code": "TOO_LARGE"}),
            Self::RateLimited(wait) => {
                let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1);
                json!({"error": "too many requests", "code": "RATE_LIMITED", "retryAfterMs": wait})
            }
            Self::Timeout => json!({"error": "no answer in time", "code": "TIMEOUT"}),
            Self::NotReady(reason) => json!({"ready": false, "error": reason, "code": "NOT_READY"}),
            Self::Internal(id) => json!({"error": "internal error", "code": "INTERNAL", "requestId": id.to_string()}),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = with_status(self.status(), &self.body());
        if let Self::RateLimited(wait) = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1));
        }
        response
    }
}

pub(super) fn ok(body: &Value) -> Response {
    with_status(StatusCode::OK, body)
}

pub(super) fn text(body: String) -> Response {
    answer(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", body)
}

fn with_status(status: StatusCode, body: &Value) -> Response {
    answer(status, "application/json", body.to_string())
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
