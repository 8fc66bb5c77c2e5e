//! The requests of one job to its provider: upload, submit, poll, result, cancel.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use atelier_domain::{Failure, FailureCode};
use atelier_outbound::{Refused, retry_after};
use reqwest::{RequestBuilder, Response, StatusCode, header::CONTENT_TYPE, multipart};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::profile::{FollowUp, Method, Profile, Upload};
use crate::{
    Input, Job,
    remote::{
        FILE, RemoteServer, Template, expand, misconfigured, path_segment, plain, unreachable,
        unusable_answer,
    },
};

/// How long polls and cancellations may take.
const SHORT: Duration = Duration::from_secs(30);
/// How long the answer to a health check may take.
const HEALTH: Duration = Duration::from_secs(10);
/// How long an upload, or fetching a result, may take.
const TRANSFER: Duration = Duration::from_mins(2);

/// A request at the provider, as it is remembered for later attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProviderRequest {
    /// Our id of the request.
    pub request: String,
    /// The provider's id; `None` until it has answered. Only idempotent requests are remembered without one.
    pub id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poll_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_url: Option<String>,
}

/// An answer that is not a refusal.
#[derive(Debug)]
pub(super) enum Reply {
    Json(Value),
    /// Not JSON: the body, not read yet, is the file.
    Body(Response),
    /// Server-sent events, not read yet.
    Events(Response),
}

/// A provider: its server, and the profile that describes its interface.
#[derive(Debug)]
pub(super) struct Provider {
    pub profile: Profile,
    pub server: RemoteServer,
}

impl Provider {
    /// Sends the request of a job. `body` and `form` are filled templates.
    pub(super) async fn submit(
        &self,
        request: &ProviderRequest,
        field: &(dyn Fn(&str) -> Option<String> + Sync),
        body: Option<Value>,
        form: Option<Value>,
    ) -> Result<Reply, Failure> {
        let submit = &self.profile.submit;
        let path = expand_path(&submit.path, field).ok_or_else(|| {
            let path = &submit.path;
            misconfigured(&format!("`submit.path` needs a field that the job lacks: {path}"))
        })?;
        let mut sent = self
            .server
            .request(submit.method.into(), &path)?
            .timeout(Duration::from_secs(submit.timeout_seconds));
        for (name, value) in &submit.headers {
            if let Some(value) = expand(value, field) {
                sent = sent.header(name, value);
            }
        }
        if let Some(body) = body {
            sent = sent.json(&body);
        }
        if let Some(form) = form {
            sent = sent.multipart(filled_form(&form).await?);
        }
        let answer = sent
            .send()
            .await
            .map_err(|error| self.unanswered(&error, request))?;
        self.read(answer).await
    }

    /// Sends the request that must be done before that of a job.
    pub(super) async fn prepare(
        &self,
        request: &ProviderRequest,
        path: &str,
        body: Option<Value>,
    ) -> Result<Reply, Failure> {
        let sent = self.server.request(reqwest::Method::POST, path)?;
        let sent = sent.timeout(Duration::from_secs(self.profile.submit.timeout_seconds));
        let answer = sent.json(&body.unwrap_or_default()).send().await;
        self.read(answer.map_err(|error| self.unanswered(&error, request))?)
            .await
    }

    /// Asks for the state of a request. `Ok(None)`: the provider cannot answer at the moment.
    pub(super) async fn poll(&self, request: &ProviderRequest, path: &str) -> Result<Option<Value>, Failure> {
        let poll = self.control(Method::Get, request.poll_url.as_deref(), path, request)?;
        let answer = match poll.timeout(SHORT).send().await {
            Ok(answer) => answer,
            Err(error) => return refused_by_guard(&error).map_or(Ok(None), Err),
        };
        let status = answer.status();
        let retry = [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT];
        if status.is_server_error() || retry.contains(&status) {
            return Ok(None);
        }
        match self.read(answer).await? {
            Reply::Json(answer) => Ok(Some(answer)),
            Reply::Body(_) | Reply::Events(_) => Err(unusable_answer("the state of a request is not JSON")),
        }
    }

    /// Fetches the result of a request that is done.
    pub(super) async fn result(&self, request: &ProviderRequest, how: &FollowUp) -> Result<Reply, Failure> {
        let result = self.control(how.method, request.result_url.as_deref(), &how.path, request)?;
        let answer = result.timeout(TRANSFER).send().await;
        let answer =
            answer.map_err(|error| refused_by_guard(&error).unwrap_or_else(|| unreachable(&error)))?;
        self.read(answer).await
    }

    /// Cancels a request at the provider. A failure is only logged: nobody waits for the outcome.
    pub(super) async fn cancel(&self, request: &ProviderRequest) {
        let Some(how) = &self.profile.cancel else { return };
        let sent = match self.control(how.method, request.cancel_url.as_deref(), &how.path, request) {
            Ok(cancel) => cancel
                .timeout(SHORT)
                .send()
                .await
                .map_err(|error| error.to_string()),
            Err(failure) => Err(failure.message),
        };
        let id = &request.request;
        match sent {
            Ok(answer) => {
                let status = answer.status().as_u16();
                tracing::debug!(request = id, status, "cancelled a request at its provider");
            }
            Err(error) => tracing::warn!(request = id, error, "cannot cancel a request at its provider"),
        }
    }

    /// A request about a job's request: to the address that the provider named, else to the profile's path.
    fn control(
        &self,
        method: Method,
        named: Option<&str>,
        path: &str,
        request: &ProviderRequest,
    ) -> Result<RequestBuilder, Failure> {
        if let Some(address) = named {
            return self.server.control_request(method.into(), address);
        }
        let path = expand_path(path, &|name| match name {
            "id" => request.id.clone(),
            "job" => Some(request.request.clone()),
            _ => None,
        });
        let path = path.ok_or_else(|| misconfigured("the provider returned no id for a request"))?;
        self.server.request(method.into(), &path)
    }

    /// Whether the provider answers and, if the profile says how to tell, is healthy.
    pub(super) async fn health(&self) -> Result<String, String> {
        let at = &self.server.url;
        let health = self.profile.health.as_ref();
        let path = health.map_or("", |health| health.path.as_str());
        let request = self
            .server
            .request(reqwest::Method::GET, path)
            .map_err(|failure| failure.message)?;
        let answer = match request.timeout(HEALTH).send().await {
            Ok(answer) => answer,
            Err(error) if error.is_timeout() => {
                return Err(format!("{at} did not answer within {} s", HEALTH.as_secs()));
            }
            Err(_) => return Err(format!("{at} cannot be reached")),
        };
        let status = answer.status();
        let Some(health) = health else {
            return Ok(format!("{at} answers (status {})", status.as_u16()));
        };
        let read = self.server.read(answer).await;
        let body: Value =
            serde_json::from_slice(&read.map_err(|failure| failure.message)?).unwrap_or_default();
        let state = body.pointer(&health.state).and_then(plain);
        let state = state.unwrap_or_else(|| format!("status {}", status.as_u16()));
        if health.ready.contains(&state) {
            Ok(format!("{at} is {state}"))
        } else {
            Err(format!("{at} is {state}"))
        }
    }

    /// Uploads a file and returns its address at the provider.
    pub(super) async fn upload(&self, how: &Upload, path: &Path, mime: &str) -> Result<String, Failure> {
        let bytes = read_input(path).await?;
        let request = self.server.request(how.method.into(), &how.path)?;
        let request = request.timeout(TRANSFER);
        let request = match &how.field {
            None => request.header(CONTENT_TYPE, mime).body(bytes),
            Some(field) => {
                let mut form = multipart::Form::new().part(field.clone(), file_part(bytes, path, mime)?);
                for (name, value) in &how.fields {
                    form = form.text(name.clone(), value.clone());
                }
                request.multipart(form)
            }
        };
        let answer = request.send().await.map_err(|error| unreachable(&error))?;
        let Reply::Json(answer) = self.read(answer).await? else {
            return Err(unusable_answer("the answer to an upload is not JSON"));
        };
        answer
            .pointer(&how.url)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .ok_or_else(|| unusable_answer("the answer to an upload names no address"))
    }

    async fn read(&self, answer: Response) -> Result<Reply, Failure> {
        let status = answer.status();
        let delay = retry_after(answer.headers());
        let content_type = answer.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let is_stream = content_type.is_some_and(|text| text.starts_with("text/event-stream"));
        let is_json = content_type.is_none_or(|text| text.contains("json") || text.starts_with("text/"));
        if status.is_success() && is_stream {
            return Ok(Reply::Events(answer));
        }
        if status.is_success() && !is_json {
            return Ok(Reply::Body(answer));
        }
        let text = self.server.read(answer).await?;
        let json: Option<Value> = serde_json::from_slice(&text).ok();
        if !status.is_success() {
            let said = json.as_ref().and_then(|json| self.profile.error(json));
            let status = status.as_u16();
            tracing::warn!(status, said, url = %self.server.url, "a provider refused a request");
            return Err(self.profile.refusal(status, said, delay));
        }
        let json = json.ok_or_else(|| unusable_answer("it is not JSON"))?;
        match self.profile.hidden_failure(&json) {
            Some(failure) => Err(failure),
            None => Ok(Reply::Json(json)),
        }
    }

    /// The failure of a request that got no answer. The provider may have accepted it all the same, so it is repeated
    /// only if a repetition counts as the same request, or if there was no connection.
    pub(super) fn unanswered(&self, error: &reqwest::Error, request: &ProviderRequest) -> Failure {
        let id = &request.request;
        let cause = error as &dyn std::error::Error;
        tracing::warn!(request = id, error = cause, "a provider did not answer");
        if error.is_connect() || self.profile.submit.idempotent {
            return unreachable(error);
        }
        Failure::fail(
            FailureCode::GenerationFailed,
            "the engine did not answer the request; it is not repeated, because the engine may have accepted it",
        )
    }
}

impl ProviderRequest {
    pub(super) fn new(request: String) -> Self {
        Self {
            request,
            id: None,
            poll_url: None,
            result_url: None,
            cancel_url: None,
        }
    }

    /// Notes the id and the addresses in the provider's answer.
    pub(super) fn note(&mut self, profile: &Profile, answer: &Value) {
        let text = |at: &Option<String>| at.as_ref().and_then(|at| plain(answer.pointer(at)?));
        self.id = match &profile.answer.id {
            Some(_) => text(&profile.answer.id).or_else(|| self.id.clone()),
            None => Some(self.request.clone()),
        };
        self.poll_url = text(&profile.answer.poll_url);
        self.result_url = text(&profile.answer.result_url);
        self.cancel_url = text(&profile.answer.cancel_url);
    }
}

impl From<Method> for reqwest::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Get => Self::GET,
            Method::Post => Self::POST,
            Method::Put => Self::PUT,
            Method::Delete => Self::DELETE,
        }
    }
}

/// The inputs that must be uploaded for a job, by the templates of its request.
pub(super) fn inputs_to_upload<'a>(job: &'a Job, templates: &[&Template]) -> Vec<&'a Input> {
    let fields: Vec<&str> = templates
        .iter()
        .flat_map(|template| template.uploaded_fields())
        .collect();
    job.inputs
        .iter()
        .filter(|input| fields.contains(&input.parameter.as_str()))
        .collect()
}

/// Fills in a path. Values cannot leave their place in it, except `{target}`, which is the operator's and may have
/// slashes.
fn expand_path(path: &str, field: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    expand(path, &|name| {
        let value = field(name)?;
        match name {
            "target" => Some(value),
            _ if matches!(value.as_str(), "." | "..") => None,
            _ => Some(path_segment(&value)),
        }
    })
}

/// The failure of a request that the outbound guard has stopped.
fn refused_by_guard(error: &reqwest::Error) -> Option<Failure> {
    Refused::within(error).map(|refused| unusable_answer(&refused.to_string()))
}

async fn filled_form(form: &Value) -> Result<multipart::Form, Failure> {
    let mut filled = multipart::Form::new();
    for (name, value) in form.as_object().into_iter().flatten() {
        let single = std::slice::from_ref(value);
        for value in value.as_array().map_or(single, Vec::as_slice) {
            filled = match value.get(FILE).and_then(Value::as_str) {
                Some(path) => {
                    let mime = value.get("type").and_then(Value::as_str);
                    let mime = mime.unwrap_or("application/octet-stream");
                    let path = PathBuf::from(path);
                    let bytes = read_input(&path).await?;
                    filled.part(name.clone(), file_part(bytes, &path, mime)?)
                }
                None => filled.text(name.clone(), plain(value).unwrap_or_else(|| value.to_string())),
            };
        }
    }
    Ok(filled)
}

async fn read_input(path: &Path) -> Result<Vec<u8>, Failure> {
    tokio::fs::read(path).await.map_err(|error| {
        let delay = Duration::from_secs(2);
        let message = format!("an input file could not be read: {error}");
        Failure::retry(FailureCode::GenerationFailed, message, delay)
    })
}

fn file_part(bytes: Vec<u8>, path: &Path, mime: &str) -> Result<multipart::Part, Failure> {
    let extension = mime.rsplit('/').next().unwrap_or("bin");
    let stem = path
        .file_stem()
        .map_or_else(|| "input".into(), |stem| stem.to_string_lossy());
    multipart::Part::bytes(bytes)
        .file_name(format!("{stem}.{extension}"))
        .mime_str(mime)
        .map_err(|error| misconfigured(&error.to_string()))
}
