//! `GET /generations/{id}/events`: what happens to a job, as server-sent events (WHATWG HTML, section 9.2).

use std::{convert::Infallible, time::Duration};

use atelier_app::{
    App,
    generations::follow::{Follow, Told},
};
use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::stream;
use utoipa::ToSchema;

use crate::{
    error::{ApiError, ErrorBody},
    gate::Authenticated,
    segment::Segment,
};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Proxies that would hold events back are asked not to.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// A comment is sent after so long without an event, so that nothing in between takes the stream for dead.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How soon a browser comes back after a stream has ended.
const COME_BACK: Duration = Duration::from_secs(1);

/// One event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the stream says line by line")]
pub(crate) struct StreamEvent {
    /// For `Last-Event-ID`.
    id: Option<String>,
    /// `generation.progress`, `generation.completed` or `generation.failed`.
    event: Option<String>,
    /// The generation as `GET /generations/{id}` shows it, as JSON.
    data: Option<String>,
    /// How long to wait before listening again after a break, in milliseconds.
    retry: Option<u64>,
}

/// What happens to a job, as server-sent events, until it has ended: `generation.progress`, then
/// `generation.completed` or `generation.failed`. The data of each is the job as `GET /generations/{id}` shows it.
#[utoipa::path(get, path = "/generations/{id}/events", tag = "Generations",
    params(("id" = String, Path), ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event \
    received: what came before it is not told again.")),
    responses((status = 200, content_type = "text/event-stream", body = StreamEvent), (status = 204, description = "The job's \
    end has been told already: there is nothing to come back for."), (status = "4XX", body = ErrorBody),
    (status = "5XX", body = ErrorBody)))]
pub(crate) async fn follow(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Segment(id): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let last = headers.get(LAST_EVENT_ID).and_then(|value| value.to_str().ok());
    Ok(match app.follow_generation(&caller, &id, last).await? {
        Some(follow) => stream_of(app, follow),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// The answer that tells what a listener hears. Also for listeners with a session instead of a key.
pub fn stream_of(app: App, follow: Follow) -> Response {
    let events = stream::unfold((app, follow), |(app, mut follow)| async move {
        match follow.next().await? {
            Ok(told) => Some((Ok::<_, Infallible>(event(&app, &told)), (app, follow))),
            Err(error) => {
                tracing::warn!(%error, "a generation could not be followed further");
                None
            }
        }
    });
    let mut response = Sse::new(events)
        .keep_alive(KeepAlive::new().interval(HEARTBEAT))
        .into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

fn event(app: &App, told: &Told) -> Event {
    let data = serde_json::to_string(&app.view(&told.generation)).unwrap_or_default();
    Event::default()
        .id(&told.id)
        .event(told.event)
        .retry(COME_BACK)
        .data(data)
}
