//! The requests of one job to its provider: upload, submit, poll, result, cancel.

use std::{collections::HashMap, path::PathBuf, time::Duration};

use atelier_domain::{Failure, FailureCode};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    profile::{Ask, Method, Profile, Upload},
    remote::Remote,
    source::FILE,
    template::{self, Template},
};

/// How long short exchanges may take: questions, uploads of small files, cancellations.
const SHORT: Duration = Duration::from_secs(30);
/// How long it may take to say that it is there.
const REACH: Duration = Duration::from_secs(10);
/// How long an upload may take.
const UPLOAD: Duration = Duration::from_secs(120);

/// A request that the provider has taken, as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Taken {
    /// Our id of it.
    pub request: String,
    /// The provider's id of it; none until it has answered, where repeating the request is the same request.
    pub id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_url: Option<String>,
}

/// An answer that was not a refusal.
#[derive(Debug)]
pub(super) enum Said {
    Json(Value),
    /// A body that is no JSON: the file itself. It has not been read yet.
    Body(Response),
    /// Server-sent events, which have not been read yet.
    Events(Response),
}

/// A provider: where it is, and the profile that it speaks.
#[derive(Debug)]
pub(super) struct Provider {
    pub profile: Profile,
    pub remote: Remote,
}

impl Provider {
    /// Sends the request of a job. `body` and `form` are filled templates.
    pub(super) async fn submit(
        &self,
        taken: &Taken,
        fields: &(dyn Fn(&str) -> Option<String> + Sync),
        body: Option<Value>,
        form: Option<Value>,
    ) -> Result<Said, Failure> {
        let submit = &self.profile.submit;
        let path = template::expand(&submit.path, fields).ok_or_else(|| {
            misconfigured(&format!(
                "`submit.path` needs a field that the job lacks: {}",
                submit.path
            ))
        })?;
        let mut request = self
            .request(submit.method, &path)?
            .timeout(Duration::from_secs(submit.timeout_seconds));
        for (name, value) in &submit.headers {
            if let Some(value) = template::expand(value, fields) {
                request = request.header(name, value);
            }
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        if let Some(form) = form {
            request = request.multipart(multipart(&form).await?);
        }
        let answer = request.send().await.map_err(|error| self.unsent(&error, taken))?;
        self.said(answer).await
    }

    /// Asks how a request stands. `Ok(None)`: no answer at the moment, ask again.
    pub(super) async fn poll(&self, taken: &Taken, path: &str) -> Result<Option<Value>, Failure> {
        let address = taken.poll_url.clone().or_else(|| expand_id(path, taken));
        let Some(address) = address else {
            return Err(misconfigured("the provider gave no id to ask for"));
        };
        let Ok(answer) = self.request(Method::Get, &address)?.timeout(SHORT).send().await else {
            return Ok(None);
        };
        let status = answer.status();
        if status.is_server_error()
            || status == StatusCode::TOO_MANY_REQUESTS
            || status == StatusCode::REQUEST_TIMEOUT
        {
            return Ok(None);
        }
        match self.said(answer).await? {
            Said::Json(answer) => Ok(Some(answer)),
            Said::Body(_) | Said::Events(_) => Err(misread("an answer to a question is no JSON")),
        }
    }

    /// Fetches what is there once a request is done.
    pub(super) async fn result(&self, taken: &Taken, ask: &Ask) -> Result<Said, Failure> {
        let address = taken.result_url.clone().or_else(|| expand_id(&ask.path, taken));
        let Some(address) = address else {
            return Err(misconfigured("the provider gave no id to fetch the result of"));
        };
        let answer = self
            .request(ask.method, &address)?
            .timeout(UPLOAD)
            .send()
            .await
            .map_err(|error| unreachable(&error))?;
        self.said(answer).await
    }

    /// Ends a request at the provider; nobody waits for it, so it is only logged when it cannot be.
    pub(super) async fn cancel(&self, taken: &Taken) {
        let Some(ask) = &self.profile.cancel else { return };
        let Some(address) = taken.cancel_url.clone().or_else(|| expand_id(&ask.path, taken)) else {
            return;
        };
        let sent = match self.request(ask.method, &address) {
            Ok(request) => request
                .timeout(SHORT)
                .send()
                .await
                .map_err(|error| error.to_string()),
            Err(failure) => Err(failure.message),
        };
        match sent {
            Ok(answer) => tracing::debug!(
                request = taken.request,
                status = answer.status().as_u16(),
                "a request was cancelled"
            ),
            Err(error) => tracing::warn!(
                request = taken.request,
                error,
                "a request could not be cancelled at the provider"
            ),
        }
    }

    /// Whether it answers, and is well where the profile says how to tell.
    pub(super) async fn reach(&self) -> Result<String, String> {
        let at = &self.remote.url;
        let health = self.profile.health.as_ref();
        let path = health.map_or("", |health| health.path.as_str());
        let request = self
            .request(Method::Get, path)
            .map_err(|failure| failure.message)?;
        let answer = match request.timeout(REACH).send().await {
            Ok(answer) => answer,
            Err(error) if error.is_timeout() => {
                return Err(format!("{at} does not answer in {} s", REACH.as_secs()));
            }
            Err(_) => return Err(format!("{at} cannot be reached")),
        };
        let status = answer.status();
        let Some(health) = health else {
            return Ok(format!("{at} answers (status {})", status.as_u16()));
        };
        let body: Value = serde_json::from_slice(
            &self
                .remote
                .read(answer)
                .await
                .map_err(|failure| failure.message)?,
        )
        .unwrap_or_default();
        let state = body.pointer(&health.state).and_then(template::plain);
        let state = state.unwrap_or_else(|| format!("status {}", status.as_u16()));
        if health.ready.contains(&state) {
            Ok(format!("{at} is {state}"))
        } else {
            Err(format!("{at} is {state}"))
        }
    }

    /// Brings a file to the provider and returns its address there.
    pub(super) async fn upload(&self, how: &Upload, path: &PathBuf, mime: &str) -> Result<String, Failure> {
        let bytes = tokio::fs::read(path)
            .await
            .map_err(|error| misread(&format!("an input cannot be read: {error}")))?;
        let request = self.request(how.method, &how.path)?.timeout(UPLOAD);
        let request = match &how.field {
            None => request.header("content-type", mime).body(bytes),
            Some(field) => {
                let mut form = reqwest::multipart::Form::new().part(field.clone(), part(bytes, path, mime)?);
                for (name, value) in &how.fields {
                    form = form.text(name.clone(), value.clone());
                }
                request.multipart(form)
            }
        };
        let answer = request.send().await.map_err(|error| unreachable(&error))?;
        let Said::Json(answer) = self.said(answer).await? else {
            return Err(misread("the answer to an upload is no JSON"));
        };
        answer
            .pointer(&how.url)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .ok_or_else(|| misread("the answer to an upload names no address"))
    }

    fn request(&self, method: Method, address: &str) -> Result<RequestBuilder, Failure> {
        let method = match method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Delete => reqwest::Method::DELETE,
        };
        self.remote.request(method, address)
    }

    async fn said(&self, answer: Response) -> Result<Said, Failure> {
        let status = answer.status();
        let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
        let retry_after = atelier_outbound::retry_after(answer.headers());
        let content_type = header(reqwest::header::CONTENT_TYPE);
        let is_stream = content_type.is_some_and(|text| text.starts_with("text/event-stream"));
        let is_json = content_type.is_none_or(|text| text.contains("json") || text.starts_with("text/"));
        if status.is_success() && is_stream {
            return Ok(Said::Events(answer));
        }
        if status.is_success() && !is_json {
            return Ok(Said::Body(answer));
        }
        let text = self.remote.read(answer).await?;
        let json: Option<Value> = serde_json::from_slice(&text).ok();
        if !status.is_success() {
            let said = json.as_ref().and_then(|json| self.profile.error(json));
            tracing::warn!(status = status.as_u16(), said, url = %self.remote.url, "a provider refuses a request");
            return Err(self.profile.refusal(status.as_u16(), said, retry_after));
        }
        let json = json.ok_or_else(|| misread("the answer is no JSON"))?;
        match self.profile.hidden_failure(&json) {
            Some(failure) => Err(failure),
            None => Ok(Said::Json(json)),
        }
    }

    /// What it means that a request got no answer. It may have arrived all the same: only where repeating it is the same
    /// request, or where no connection was made, is it repeated.
    pub(super) fn unsent(&self, error: &reqwest::Error, taken: &Taken) -> Failure {
        tracing::warn!(
            request = taken.request,
            error = error as &dyn std::error::Error,
            "a provider gave no answer"
        );
        if error.is_connect() || self.profile.submit.idempotent {
            return unreachable(error);
        }
        Failure::fail(
            FailureCode::GenerationFailed,
            "the engine gave no answer to the request; it is not repeated, because it may have been taken",
        )
    }
}

impl Taken {
    pub(super) fn new(request: String) -> Self {
        Self {
            request,
            id: None,
            poll_url: None,
            result_url: None,
            cancel_url: None,
        }
    }

    /// Notes what the provider's answer says about the request.
    pub(super) fn note(&mut self, profile: &Profile, answer: &Value) {
        let text = |at: &Option<String>| at.as_ref().and_then(|at| template::plain(answer.pointer(at)?));
        let own = || Some(self.request.clone());
        self.id = match &profile.answer.id {
            Some(_) => text(&profile.answer.id).or_else(|| self.id.clone()),
            None => own(),
        };
        self.poll_url = text(&profile.answer.poll_url);
        self.result_url = text(&profile.answer.result_url);
        self.cancel_url = text(&profile.answer.cancel_url);
    }
}

fn expand_id(path: &str, taken: &Taken) -> Option<String> {
    template::expand(path, &|name| match name {
        "id" => taken.id.clone(),
        "job" => Some(taken.request.clone()),
        _ => None,
    })
}

async fn multipart(form: &Value) -> Result<reqwest::multipart::Form, Failure> {
    let mut filled = reqwest::multipart::Form::new();
    for (name, value) in form.as_object().into_iter().flatten() {
        let single = std::slice::from_ref(value);
        for value in value.as_array().map_or(single, Vec::as_slice) {
            filled = match value.get(FILE).and_then(Value::as_str) {
                Some(path) => {
                    let mime = value
                        .get("type")
                        .and_then(Value::as_str)
                        .unwrap_or("application/octet-stream");
                    let bytes = tokio::fs::read(path)
                        .await
                        .map_err(|error| misread(&format!("an input cannot be read: {error}")))?;
                    filled.part(name.clone(), part(bytes, &PathBuf::from(path), mime)?)
                }
                None => filled.text(
                    name.clone(),
                    template::plain(value).unwrap_or_else(|| value.to_string()),
                ),
            };
        }
    }
    Ok(filled)
}

fn part(bytes: Vec<u8>, path: &std::path::Path, mime: &str) -> Result<reqwest::multipart::Part, Failure> {
    let extension = mime.rsplit('/').next().unwrap_or("bin");
    let stem = path
        .file_stem()
        .map_or_else(|| "input".into(), |stem| stem.to_string_lossy());
    reqwest::multipart::Part::bytes(bytes)
        .file_name(format!("{stem}.{extension}"))
        .mime_str(mime)
        .map_err(|error| misread(&error.to_string()))
}

pub(crate) fn unreachable(error: &reqwest::Error) -> Failure {
    let what = if error.is_timeout() {
        "did not answer in time"
    } else {
        "cannot be reached"
    };
    Failure::retry(
        FailureCode::GenerationFailed,
        format!("the engine {what}"),
        Duration::from_secs(2),
    )
}

/// Whether nothing listens there: the program that did is gone.
pub(crate) fn is_refused(error: &reqwest::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(this) = cause {
        if let Some(io) = this.downcast_ref::<std::io::Error>()
            && io.kind() == std::io::ErrorKind::ConnectionRefused
        {
            return true;
        }
        cause = this.source();
    }
    false
}

/// The operator's mistake: the client learns only that another attempt or engine may do.
pub(crate) fn misconfigured(why: &str) -> Failure {
    tracing::error!(why, "an engine is not configured right");
    Failure::retry(
        FailureCode::GenerationFailed,
        "the engine is not available",
        Duration::from_secs(2),
    )
}

/// The provider answers with something that its profile does not describe.
pub(crate) fn misread(why: &str) -> Failure {
    tracing::warn!(why, "an engine's answer cannot be used");
    Failure::retry(
        FailureCode::GenerationFailed,
        format!("the engine's answer cannot be used: {why}"),
        Duration::from_secs(2),
    )
}

/// The files that have to be uploaded for a job, by the templates that are filled for it.
pub(super) fn to_upload<'a>(job: &'a crate::Job, templates: &[&Template]) -> Vec<&'a crate::Input> {
    let fields: Vec<&str> = templates
        .iter()
        .flat_map(|template| template.uploaded_fields())
        .collect();
    job.inputs
        .iter()
        .filter(|input| fields.contains(&input.parameter.as_str()))
        .collect()
}

/// Addresses of uploaded files by their paths.
pub(crate) type Uploaded = HashMap<PathBuf, String>;
