//! The Model Context Protocol at `/mcp`: streamable HTTP, one message per POST. `atelier-mcp` answers the messages.
//!
//! Nothing is kept between requests, so every node answers every request. A session is only a name, which makes a call
//! and its cancellation the same job: the session and the request's id are the job's idempotency key.

mod account;
mod authorization;

use std::{convert::Infallible, sync::Arc};

use atelier_app::App;
use atelier_mcp::{Exchange, Failed, INVALID_REQUEST, Message, Request, failure};
use axum::{
    Extension, Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State, rejection::BytesRejection},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware,
    response::{IntoResponse as _, Response, sse::Event},
    routing::post,
};
use futures::stream;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use self::account::{Account, Created};
use crate::{
    error::ApiError,
    gate::{self, Authenticated},
    openai,
};

pub(crate) const PATH: &str = "/mcp";

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
/// A message is read as a whole, with the file of an upload in base64.
const MAX_BYTES: usize = 8 << 20;

/// The origin of the service's own pages.
#[derive(Debug, Clone)]
pub(crate) struct OwnOrigin(pub(crate) Arc<str>);

pub(crate) fn router(app: &App, public_url: &str) -> Router<App> {
    let own = OwnOrigin(public_url.into());
    let resource: Arc<str> = format!("{public_url}{PATH}").into();
    let gate = middleware::from_fn_with_state((app.clone(), resource), gate::gate_of_resource);
    let messages = Router::new()
        .route(
            PATH,
            post(receive)
                .delete(end_session)
                .layer(DefaultBodyLimit::max(MAX_BYTES)),
        )
        .method_not_allowed_fallback(|| async { ApiError::method_not_allowed() })
        .layer(Extension(own))
        .layer(gate);
    authorization::add(messages, app, public_url)
}

/// Answers one message.
async fn receive(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Extension(own): Extension<OwnOrigin>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    if !is_allowed_origin(&headers, &own.0) {
        return refused(StatusCode::FORBIDDEN, "requests of this `Origin` are not allowed");
    }
    let body = match body {
        Ok(body) => body,
        Err(error) => return refused(error.status(), &error.body_text()),
    };
    let account = Account::new(app, caller);
    let message = match Message::parse(&body) {
        Ok(message) => message,
        Err(answer) => return json(StatusCode::BAD_REQUEST, answer),
    };
    if let Some(id) = message.cancels() {
        if let Some(key) = job_key(&headers, id) {
            account.cancel_job_of(key).await;
        }
        return StatusCode::ACCEPTED.into_response();
    }
    let Message::Request { id, method, params } = message else {
        return StatusCode::ACCEPTED.into_response();
    };
    let key = job_key(&headers, &id);
    let request = Request::new(id, method, params).and_then(|request| {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        request.check_headers(text(&VERSION), text(&METHOD), text(&NAME))?;
        Ok(request)
    });
    match request {
        Ok(request) => answer(account, request, key, accepts_events(&headers)).await,
        Err((failed, answer)) => json(status(&failed), answer),
    }
}

async fn answer(account: Account, request: Request, key: Option<String>, accepts_events: bool) -> Response {
    let (notify, told) = mpsc::unbounded_channel();
    let cancelled = CancellationToken::new();
    let stands_alone = request.stands_alone();
    // Since requests stand alone, a client cancels one by closing its connection. Before, a connection that breaks
    // means nothing.
    let guard = stands_alone.then(|| cancelled.clone().drop_guard());
    let exchange = Exchange {
        cancelled,
        notify: notify.clone(),
        key,
    };
    let session = (request.is_initialize() && !stands_alone).then(|| account.new_session());
    let as_events = request.takes_time() && accepts_events;
    let (creates_a_job, created) = (request.creates_a_job(), account.created());
    // A task of its own: what it does for a client that is gone is done nevertheless.
    let mut task = tokio::spawn(async move {
        let answered = request.answer(&account, exchange).await;
        if let Some(Ok(answer) | Err((_, answer))) = &answered {
            let _ = notify.send(answer.clone());
        }
        answered
    });
    if as_events {
        // The head of the answer names the job, which the log of requests shows.
        if creates_a_job {
            tokio::select! {
                () = created.decided() => {}
                _ = &mut task => {}
            }
        }
        return naming(&created, events(told, guard));
    }
    let answered = task.await;
    drop(guard);
    let mut response = match answered {
        Ok(Some(Err((failed, answer)))) if stands_alone => json(status(&failed), answer),
        Ok(Some(Ok(answer) | Err((_, answer)))) => json(StatusCode::OK, answer),
        Ok(None) => StatusCode::ACCEPTED.into_response(),
        Err(_) => ApiError::internal().into_response(),
    };
    if let Some(Ok(session)) = session.map(HeaderValue::try_from) {
        response.headers_mut().insert(SESSION, session);
    }
    naming(&created, response)
}

/// Adds the header with the id of the job, if the request has created one.
fn naming(created: &Created, mut response: Response) -> Response {
    if let Some(Ok(id)) = created.id().map(HeaderValue::from_str) {
        response.headers_mut().insert(openai::GENERATION_ID, id);
    }
    response
}

/// The notifications and the answer as server-sent events.
fn events(told: mpsc::UnboundedReceiver<Value>, guard: Option<tokio_util::sync::DropGuard>) -> Response {
    let events = stream::unfold((told, guard), |(mut told, guard)| async move {
        let message = told.recv().await?;
        let event = Event::default().event("message").data(message.to_string());
        Some((Ok::<_, Infallible>(event), (told, guard)))
    });
    crate::events::answer(events)
}

/// Nothing is kept for a session, so that nothing ends with it.
async fn end_session(headers: HeaderMap) -> Response {
    if headers.contains_key(SESSION) {
        StatusCode::NO_CONTENT.into_response()
    } else {
        ApiError::method_not_allowed().into_response()
    }
}

/// Returns the key that makes a request and its cancellation the same job: session and id together are unique.
fn job_key(headers: &HeaderMap, id: &Value) -> Option<String> {
    let session = headers.get(SESSION)?.to_str().ok()?;
    let key = format!("mcp-{session}-{id}");
    (key.len() <= 255 && key.bytes().all(|byte| byte.is_ascii_graphic())).then_some(key)
}

/// Browsers say which page sends a request. A page elsewhere must not use a service on this machine or network, even if
/// its name resolves to it.
fn is_allowed_origin(headers: &HeaderMap, own: &str) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else { return false };
    if origin.eq_ignore_ascii_case(own) {
        return true;
    }
    let Some((_, authority)) = origin.split_once("://") else {
        return false;
    };
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&host)
}

fn accepts_events(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("text/event-stream") || value.contains("*/*"))
}

fn status(failed: &Failed) -> StatusCode {
    StatusCode::from_u16(failed.status()).unwrap_or(StatusCode::BAD_REQUEST)
}

fn refused(status: StatusCode, message: &str) -> Response {
    json(
        status,
        failure(&Value::Null, &Failed::new(INVALID_REQUEST, message)),
    )
}

fn json(status: StatusCode, value: Value) -> Response {
    (status, Json(value)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_others_may_not_call() {
        let allowed = |origin: &'static str| {
            let headers = HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(origin))]);
            is_allowed_origin(&headers, "https://media.example")
        };
        for origin in [
            "https://media.example",
            "http://localhost:6274",
            "http://127.0.0.1",
            "http://[::1]:80",
        ] {
            assert!(allowed(origin), "{origin}");
        }
        for origin in [
            "https://evil.example",
            "null",
            "http://localhost.evil.example",
            "http://media.example",
            "http://evil.example:8080",
        ] {
            assert!(!allowed(origin), "{origin}");
        }
        assert!(is_allowed_origin(&HeaderMap::new(), "https://media.example"));
    }

    #[test]
    fn ids_that_look_alike_are_not_the_same_job() {
        let headers = HeaderMap::from_iter([(SESSION, HeaderValue::from_static("s"))]);
        let key = |id: Value| job_key(&headers, &id);
        assert_eq!(key(1.into()).as_deref(), Some("mcp-s-1"));
        assert_eq!(key("1".into()).as_deref(), Some("mcp-s-\"1\""));
        assert_eq!(key("x y".into()), None);
        assert_eq!(job_key(&HeaderMap::new(), &1.into()), None);
    }
}
