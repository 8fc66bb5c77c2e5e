//! `POST /v1/audio/speech`: the file itself is the answer.

use atelier_app::App;
use atelier_catalog::ModelType;
use axum::{extract::State, http::HeaderMap, response::Response};

use super::{answer, form::Form, jobs, translate};
use crate::{
    body::JsonObject,
    error::ApiError,
    gate::{Authenticated, Rate},
};

/// The model of requests that name none.
const DEFAULT_MODEL: &str = "tts-1";

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
    form.only("stream_format", &["audio"])?;
    if model.parameter("instructions").is_none() {
        // OpenAI's first models ignore them too.
        form.text("instructions")?;
    }
    let request = request.finish(&mut form);
    let job = jobs::create(&app, &caller, &rate, &headers, request).await?;
    let id = job.id.to_string();
    let job = match jobs::wait(&app, &caller, job).await {
        Ok(job) => job,
        Err(failed) => return Ok(failed),
    };
    let sound = job.output.iter().flat_map(|output| &output.assets).next();
    let sound = sound.ok_or_else(ApiError::internal)?;
    Ok(jobs::named(&id, answer::file(&app, &sound.file).await?))
}
