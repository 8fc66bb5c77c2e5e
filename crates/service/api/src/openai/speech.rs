//! `POST /v1/audio/speech`: the answer is the file itself, or the file in server-sent events.

use std::convert::Infallible;

use atelier_app::{App, Caller};
use atelier_catalog::ModelType;
use atelier_domain::Generation;
use atelier_media::Blob;
use axum::{
    extract::State,
    http::HeaderMap,
    response::{Response, sse::Event},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};

use super::{answer, error, form::Form, jobs, translate};
use crate::{
    body::JsonObject,
    error::ApiError,
    events,
    gate::{Authenticated, Rate},
};

/// The model of requests that name none.
pub(super) const DEFAULT_MODEL: &str = "tts-1";

pub(super) async fn speak(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    rate: Rate,
    headers: HeaderMap,
    body: JsonObject,
) -> Result<Response, ApiError> {
    let mut form = Form::of_json(body.fields);
    let name = form.text("model")?.unwrap_or_else(|| DEFAULT_MODEL.to_owned());
    let model = translate::model(&app, &name)?;
    translate::check_kind(model, &[ModelType::Audio], "/v1/audio/speech")?;
    let mut request = translate::Request::new(model);
    request.words(&mut form, "input")?;
    request.voice(&mut form)?;
    request.speed(&mut form)?;
    let file_type = translate::file_type(&app, model);
    request.choice(&mut form, "response_format", file_type, &["mp3"])?;
    let format = form.only("stream_format", &["audio", "sse"])?;
    if model.parameter("instructions").is_none() {
        // OpenAI's first models ignore them too.
        form.text("instructions")?;
    }
    let request = request.finish(&mut form);
    let job = jobs::create(&app, &caller, &rate, &headers, request).await?;
    let id = job.id.to_string();
    if format.as_deref() == Some("sse") {
        return Ok(jobs::named(&id, in_events(app, caller, job)));
    }
    let job = match jobs::wait(&app, &caller, job).await {
        Ok(job) => job,
        Err(failed) => return Ok(failed),
    };
    let sound = job.output.iter().flat_map(|output| &output.assets).next();
    let sound = sound.ok_or_else(ApiError::internal)?;
    Ok(jobs::named(&id, answer::file(&app, &sound.file).await?))
}

/// The file in events of OpenAI's interface: `speech.audio.delta` with pieces in base64, then `speech.audio.done`. The
/// stream begins at once, and is silent but for comments until the job has ended, as engines answer with whole files.
fn in_events(app: App, caller: Caller, job: Generation) -> Response {
    let ending = async move {
        match sound(&app, &caller, job).await {
            Ok((file, done)) => deltas(file, done).boxed(),
            Err(error) => stream::iter([told("error", &error::event(error))]).boxed(),
        }
    };
    events::answer(stream::once(ending).flatten().map(Ok::<_, Infallible>))
}

/// The file of a job when it has ended, and the event after it.
async fn sound(app: &App, caller: &Caller, job: Generation) -> Result<(Blob, Event), ApiError> {
    let job = jobs::end(app, caller, job).await.map_err(jobs::NoResult::error)?;
    let sound = job.output.iter().flat_map(|output| &output.assets).next();
    let sound = sound.ok_or_else(ApiError::internal)?;
    app.still_up(&sound.file).await?;
    let blob = app.media(&sound.file, None).await?;
    let blob = blob.ok_or_else(|| ApiError::not_found("the file is missing"))?;
    // Nothing here counts tokens; the field is there because clients read it.
    let usage = json!({
        "input_tokens": 0,
        "output_tokens": 0,
        "total_tokens": 0,
        "credits": job.charged,
    });
    let done = json!({ "type": "speech.audio.done", "usage": usage });
    Ok((blob, told("speech.audio.done", &done)))
}

fn deltas(file: Blob, done: Event) -> impl Stream<Item = Event> + Send {
    let pieces = file.stream.map(|piece| match piece {
        Ok(bytes) => {
            let audio = STANDARD.encode(bytes);
            (
                told(
                    "speech.audio.delta",
                    &json!({ "type": "speech.audio.delta", "audio": audio }),
                ),
                true,
            )
        }
        Err(error) => {
            tracing::error!(%error, "a file could not be read to its end");
            (told("error", &error::event(ApiError::internal())), false)
        }
    });
    let done = stream::once(async move { (done, false) });
    // Nothing comes after an error, or after the end.
    pieces.chain(done).scan(true, |goes_on, (event, more)| {
        let event = goes_on.then_some(event);
        *goes_on &= more;
        std::future::ready(event)
    })
}

fn told(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}
