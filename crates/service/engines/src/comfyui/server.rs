//! What is said to a ComfyUI server over HTTP.

use std::time::{Duration, Instant};

use atelier_domain::{Failure, FailureCode};
use reqwest::{Method, RequestBuilder, Response, StatusCode, multipart::Part};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::verdict;
use crate::{
    Input,
    http::{
        exchange::{is_refused, misread, unreachable},
        remote::Remote,
    },
};

/// How long short exchanges may take.
const SHORT: Duration = Duration::from_secs(30);
/// How long an upload may take.
const UPLOAD: Duration = Duration::from_secs(120);
/// How long it may take to say that it is there.
const REACH: Duration = Duration::from_secs(10);
/// The folder, in the server's own, that uploads are kept in.
const FOLDER: &str = "atelier";

/// A server with its queue.
#[derive(Debug)]
pub(super) struct Server {
    pub remote: Remote,
}

/// Where a request stands at the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Queued,
    Running,
    /// Neither in the queue nor at work.
    Nowhere,
}

/// Why a graph was not queued.
#[derive(Debug)]
pub(super) enum Unqueued {
    /// No answer: it may have been taken all the same.
    Unanswered(Failure),
    /// The server says what is wrong with the graph.
    Invalid(Value),
    Refused(Failure),
}

impl Server {
    /// Brings a file to the server and returns the name under which graphs load it. The same file always has the same name.
    pub(super) async fn upload(&self, input: &Input) -> Result<String, Failure> {
        let bytes = tokio::fs::read(&input.path)
            .await
            .map_err(|error| misread(&format!("an input cannot be read: {error}")))?;
        let name = hex::encode(&Sha256::digest(&bytes)[..16]);
        let part = Part::bytes(bytes)
            .file_name(format!("{name}.{}", input.facts.media_type.extension()))
            .mime_str(input.facts.media_type.mime())
            .map_err(|error| misread(&error.to_string()))?;
        let form = reqwest::multipart::Form::new()
            .part("image", part)
            .text("type", "input")
            .text("subfolder", FOLDER)
            .text("overwrite", "true");
        let answer = self.post("upload/image")?.timeout(UPLOAD).multipart(form);
        let answer = self.json(answer).await?;
        let text = |name: &str| answer.get(name).and_then(Value::as_str);
        match (text("subfolder").unwrap_or_default(), text("name")) {
            ("", Some(name)) => Ok(name.to_owned()),
            (folder, Some(name)) => Ok(format!("{folder}/{name}")),
            (_, None) => Err(misread("the answer to an upload names no file")),
        }
    }

    /// Puts a graph into the queue under an id of ours.
    pub(super) async fn queue(&self, id: &str, graph: &Map<String, Value>) -> Result<(), Unqueued> {
        let body = json!({"prompt": graph, "prompt_id": id, "client_id": id});
        let request = self.post("prompt").map_err(Unqueued::Refused)?;
        let answer = request.timeout(SHORT).json(&body).send().await;
        let answer = answer.map_err(|error| {
            let failure = unreachable(&error);
            if error.is_connect() {
                Unqueued::Refused(failure)
            } else {
                Unqueued::Unanswered(failure)
            }
        })?;
        let status = answer.status();
        let bytes = self.remote.read(answer).await.map_err(Unqueued::Unanswered)?;
        let said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        match status {
            StatusCode::BAD_REQUEST => Err(Unqueued::Invalid(said)),
            status if status.is_success() && said.get("prompt_id").is_some() => Ok(()),
            status if status.is_success() => Err(Unqueued::Unanswered(misread("it names no request"))),
            status => Err(Unqueued::Refused(refused(status))),
        }
    }

    /// What the server remembers of an ended request; none while it has not ended.
    pub(super) async fn history(&self, id: &str) -> Result<Option<Value>, Failure> {
        let mut answer = self
            .json(self.get(&format!("history/{id}"))?.timeout(SHORT))
            .await?;
        Ok(answer.get_mut(id).map(Value::take))
    }

    pub(super) async fn place(&self, id: &str) -> Result<Place, Failure> {
        let answer = self.json(self.get("queue")?.timeout(SHORT)).await?;
        let holds = |list: &str| {
            let items = answer.get(list).and_then(Value::as_array);
            items.is_some_and(|items| {
                items
                    .iter()
                    .any(|item| item.get(1).and_then(Value::as_str) == Some(id))
            })
        };
        Ok(match (holds("queue_running"), holds("queue_pending")) {
            (true, _) => Place::Running,
            (false, true) => Place::Queued,
            (false, false) => Place::Nowhere,
        })
    }

    /// Takes a request out of the queue, or ends it where it runs. Another's request is left alone.
    pub(super) async fn cancel(&self, id: &str) -> Result<(), Failure> {
        let delete = self.post("queue")?.timeout(SHORT).json(&json!({"delete": [id]}));
        self.sent(delete).await?;
        if self.place(id).await? == Place::Running {
            let interrupt = self
                .post("interrupt")?
                .timeout(SHORT)
                .json(&json!({"prompt_id": id}));
            self.sent(interrupt).await?;
        }
        Ok(())
    }

    /// Whether nothing listens at its address: it has ended, and its queue, which it keeps in memory, with it.
    pub(super) async fn is_gone(&self) -> bool {
        let Ok(asked) = self.get("system_stats") else {
            return false;
        };
        let answer = asked.timeout(REACH).send().await;
        answer.is_err_and(|error| is_refused(&error))
    }

    /// What it is, for an operator.
    pub(super) async fn reach(&self) -> Result<String, String> {
        let at = &self.remote.url;
        let said = |failure: Failure| format!("{at}: {}", failure.message);
        let asked = self.get("system_stats").map_err(said)?.timeout(REACH);
        let begun = Instant::now();
        let stats = self.json(asked).await.map_err(said)?;
        let version = stats.pointer("/system/comfyui_version").and_then(Value::as_str);
        let version = version.ok_or_else(|| format!("{at} answers, but not as ComfyUI does"))?;
        let device = stats.pointer("/devices/0/name").and_then(Value::as_str);
        let device = device.unwrap_or("an unknown device");
        let took = begun.elapsed().as_millis();
        Ok(format!("{at} is ComfyUI {version} on {device} ({took} ms)"))
    }

    /// The types of nodes that it has.
    pub(super) async fn object_info(&self) -> Result<Value, Failure> {
        self.json(self.get("object_info")?.timeout(UPLOAD)).await
    }

    pub(super) fn get(&self, path: &str) -> Result<RequestBuilder, Failure> {
        self.remote.request(Method::GET, path)
    }

    fn post(&self, path: &str) -> Result<RequestBuilder, Failure> {
        self.remote.request(Method::POST, path)
    }

    async fn sent(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let answer = request.send().await.map_err(|error| unreachable(&error))?;
        match answer.status() {
            status if status.is_success() => Ok(answer),
            status => Err(refused(status)),
        }
    }

    async fn json(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let bytes = self.remote.read(self.sent(request).await?).await?;
        serde_json::from_slice(&bytes).map_err(|_| misread("the answer is no JSON"))
    }
}

fn refused(status: StatusCode) -> Failure {
    let code = if status == StatusCode::TOO_MANY_REQUESTS {
        FailureCode::RateLimited
    } else {
        FailureCode::GenerationFailed
    };
    let message = format!(
        "the engine cannot serve this at the moment (status {})",
        status.as_u16()
    );
    Failure::retry(code, message, verdict::PAUSE)
}
