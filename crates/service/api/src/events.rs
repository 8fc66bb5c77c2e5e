//! `GET /generations/{id}/events`: the progress of a job as server-sent events (WHATWG HTML, section 9.2).

use std::{convert::Infallible, time::Duration};

use atelier_app::{
    App,
    generations::{
        follow::{self, Follow, Told},
        view::GenerationView,
    },
    private::Links,
};
use atelier_domain::GenerationId;
use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::{Stream, stream};
use serde_json::json;
use utoipa::ToSchema;

use crate::{error::ApiError, gate::Authenticated, segment::Segment};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Asks proxies not to buffer events.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// After this time without an event, a comment is sent so that no proxy closes the stream as idle.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long a browser waits before it reconnects to a stream that has ended.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// One event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the lines of the stream")]
pub(crate) struct StreamEvent {
    /// For `Last-Event-ID`.
    id: Option<String>,
    /// `generation.progress`, `generation.partial_image`, `generation.completed` or `generation.failed`.
    event: Option<String>,
    /// The generation as `GET /generations/{id}` shows it, as JSON; or of a partial image `id` and `partial_image`, a
    /// `data:` URL.
    data: Option<String>,
    /// How long to wait before reconnecting, in milliseconds.
    retry: Option<u64>,
}

/// Streams the progress of a job as server-sent events until it ends: `generation.progress`, then
/// `generation.completed` or `generation.failed`. The data of each event is the job as `GET /generations/{id}` shows
/// it. Some engines show the unfinished result: `generation.partial_image` has a `data:` URL as `partial_image`.
#[utoipa::path(get, path = "/generations/{id}/events", operation_id = "follow_generation", tag = "Generations",
    params(("id" = String, Path, description = "The job's id."), ("Last-Event-ID" = Option<String>, Header,
    description = "The `id` of the last event received. Only newer events are sent.")), responses((status = 200,
    description = "The stream of events.", content_type = "text/event-stream", body = StreamEvent), (status = 204,
    description = "You already received the job's last event. Do not reconnect.")))]
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

/// Turns the events of a job into a response. The console uses it for readers who have a session instead of a key.
pub fn stream_of(app: App, follow: Follow) -> Response {
    let events = stream::unfold((app, follow), |(app, mut follow)| async move {
        match follow.next_event().await? {
            Ok(event) => {
                let event = match event {
                    follow::Event::Told(told) => change(&app, &told, &follow.links()),
                    follow::Event::PartialImage { id, url } => partial_image(id, &url),
                };
                Some((Ok::<_, Infallible>(event), (app, follow)))
            }
            Err(error) => {
                tracing::warn!(%error, "the event stream of a generation ended early");
                None
            }
        }
    });
    answer(events)
}

/// Events as an answer that no proxy keeps back or ends while it is silent.
pub(crate) fn answer(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    let mut response = Sse::new(events)
        .keep_alive(KeepAlive::new().interval(HEARTBEAT))
        .into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// Has no id: a client that comes back does not miss it.
fn partial_image(id: GenerationId, url: &str) -> Event {
    let data = json!({"id": id.to_string(), "partial_image": url});
    Event::default()
        .event("generation.partial_image")
        .data(data.to_string())
}

fn change(app: &App, told: &Told, links: &Links) -> Event {
    let view = GenerationView {
        queue: told.queue.clone(),
        review: told.review.clone(),
        ..app.view(&told.generation, links)
    };
    let data = serde_json::to_string(&view).unwrap_or_default();
    Event::default()
        .id(&told.id)
        .event(told.event)
        .retry(RECONNECT_DELAY)
        .data(data)
}
