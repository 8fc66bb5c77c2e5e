//! Creates a job and waits for it.

use std::time::Duration;

use atelier_app::{App, Caller, Error, generations::create::CreateGeneration};
use atelier_domain::{Generation, State};
use axum::{
    http::{HeaderMap, HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use serde_json::Value;

use super::{error, translate::Finished};
use crate::{error::ApiError, gate::Rate, generations::idempotency_key};

/// The job behind an answer, which the account's gallery and `GET /generations/{id}` show.
pub(crate) const GENERATION_ID: HeaderName = HeaderName::from_static("x-generation-id");
/// How long one wait is; then the next one begins.
const WAIT: Duration = Duration::from_mins(1);

/// Accepts the job of a translated request. The same `Idempotency-Key` with the same fields and files finds it again.
pub(super) async fn create(
    app: &App,
    caller: &Caller,
    rate: &Rate,
    headers: &HeaderMap,
    request: Finished,
) -> Result<Generation, ApiError> {
    let key = idempotency_key(headers)?;
    let (fields, renamed) = request.into_parts();
    // Not the bytes as they came: those of a form differ from time to time.
    let bytes = Value::Object(fields.clone()).to_string();
    let created = app
        .create_generation(caller, CreateGeneration::new(fields, bytes.as_bytes(), key))
        .await
        .map_err(|error| Finished::in_their_words(&renamed, error))?;
    rate.set(created.rate);
    Ok(created.generation)
}

/// Why there is no result.
#[derive(Debug)]
pub(super) enum NoResult {
    /// The job failed.
    Failed(ApiError),
    /// The job may still end, and this service does not see it.
    Unseen(ApiError),
}

impl NoResult {
    /// Returns the error to report inside an answer that has begun.
    pub(super) fn error(self) -> ApiError {
        match self {
            Self::Failed(error) | Self::Unseen(error) => error,
        }
    }
}

/// Waits until the job has ended, which it does by its deadline at the latest. A client that goes away does not end the
/// job.
pub(super) async fn end(app: &App, caller: &Caller, job: Generation) -> Result<Generation, NoResult> {
    let id = job.id.to_string();
    let mut job = job;
    while !job.state.is_ended() && !app.is_closing() {
        let waited = app.wait_for_generation(caller, &id, WAIT).await;
        job = waited.map_err(|error| NoResult::Unseen(error.into()))?;
    }
    match (&job.failure, job.state) {
        (_, State::Completed) => Ok(job),
        (Some(failure), State::Failed) => Err(NoResult::Failed(error::of_job(failure))),
        _ => {
            let stopping =
                Error::Unavailable("the service is restarting; the job continues and is in the gallery");
            Err(NoResult::Unseen(stopping.into()))
        }
    }
}

/// The same; `Err` is the answer for a job without a result.
pub(super) async fn wait(app: &App, caller: &Caller, job: Generation) -> Result<Generation, Response> {
    let id = job.id.to_string();
    end(app, caller, job).await.map_err(|without| {
        let answer = match without {
            NoResult::Failed(error) => error::failed(error),
            NoResult::Unseen(error) => error.into_response(),
        };
        named(&id, answer)
    })
}

/// Adds the job's id to an answer.
pub(super) fn named(id: &str, mut response: Response) -> Response {
    if let Ok(value) = HeaderValue::from_str(id) {
        response.headers_mut().insert(GENERATION_ID, value);
    }
    response
}
