//! Requests to a ComfyUI server.

use std::time::{Duration, Instant};

use atelier_domain::{Failure, FailureCode};
use atelier_outbound::retry_after;
use reqwest::{Method, RequestBuilder, Response, StatusCode, multipart::Part};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::verdict;
use crate::{
    Input,
    remote::{RemoteServer, is_connection_refused, misconfigured, unreachable, unusable_answer},
};

/// How long short requests may take.
const SHORT: Duration = Duration::from_secs(30);
/// How long an upload may take.
const UPLOAD: Duration = Duration::from_mins(2);
/// How long the answer to a health check may take.
const HEALTH: Duration = Duration::from_secs(10);
/// The folder for uploads, within the server's input folder.
const FOLDER: &str = "atelier";

/// A ComfyUI server and its queue.
#[derive(Debug)]
pub(super) struct Server {
    pub remote: RemoteServer,
}

/// The place of a request at the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Queued,
    Running,
    /// Neither queued nor running.
    Nowhere,
}

/// Why a graph was not queued.
#[derive(Debug)]
pub(super) enum Unqueued {
    /// The server did not answer. It may have accepted the graph all the same.
    Unanswered(Failure),
    /// The server explains what is wrong with the graph.
    Invalid(Value),
    Refused(Failure),
}

impl Server {
    /// Uploads a file and returns the name under which graphs load it. The same file always gets the same name.
    pub(super) async fn upload(&self, input: &Input) -> Result<String, Failure> {
        let bytes = tokio::fs::read(&input.path).await.map_err(|error| {
            let message = format!("an input file could not be read: {error}");
            Failure::retry(FailureCode::GenerationFailed, message, verdict::DELAY)
        })?;
        let name = hex::encode(&Sha256::digest(&bytes)[..16]);
        let part = Part::bytes(bytes)
            .file_name(format!("{name}.{}", input.facts.media_type.extension()))
            .mime_str(input.facts.media_type.mime())
            .map_err(|error| misconfigured(&error.to_string()))?;
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
            (_, None) => Err(unusable_answer("the answer to an upload names no file")),
        }
    }

    /// Queues a graph under our id.
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
        let (status, delay) = (answer.status(), retry_after(answer.headers()));
        let bytes = self.remote.read(answer).await.map_err(Unqueued::Unanswered)?;
        let said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        match status {
            StatusCode::BAD_REQUEST => Err(Unqueued::Invalid(said)),
            status if status.is_success() && said.get("prompt_id").is_some() => Ok(()),
            status if status.is_success() => {
                Err(Unqueued::Unanswered(unusable_answer("it has no `prompt_id`")))
            }
            status => Err(Unqueued::Refused(refusal(status, delay))),
        }
    }

    /// The history entry of an ended request; `None` before its end.
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

    /// Removes a request from the queue, or interrupts it if it runs. Other requests are not touched.
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

    /// Whether nothing listens at the server's address. Then its queue is lost, too: it exists only in memory.
    pub(super) async fn is_gone(&self) -> bool {
        let Ok(request) = self.get("system_stats") else {
            return false;
        };
        let answer = request.timeout(HEALTH).send().await;
        answer.is_err_and(|error| is_connection_refused(&error))
    }

    /// The server's version and device, for operators.
    pub(super) async fn health(&self) -> Result<String, String> {
        let at = &self.remote.url;
        let said = |failure: Failure| format!("{at}: {}", failure.message);
        let request = self.get("system_stats").map_err(said)?.timeout(HEALTH);
        let begun = Instant::now();
        let stats = self.json(request).await.map_err(said)?;
        let version = stats.pointer("/system/comfyui_version").and_then(Value::as_str);
        let version = version.ok_or_else(|| format!("{at} answers, but is not a ComfyUI server"))?;
        let device = stats.pointer("/devices/0/name").and_then(Value::as_str);
        let device = device.unwrap_or("an unknown device");
        let took = begun.elapsed().as_millis();
        Ok(format!("{at} is ComfyUI {version} on {device} ({took} ms)"))
    }

    /// The server's node types.
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
            status => Err(refusal(status, retry_after(answer.headers()))),
        }
    }

    async fn json(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let bytes = self.remote.read(self.sent(request).await?).await?;
        serde_json::from_slice(&bytes).map_err(|_| unusable_answer("it is not JSON"))
    }
}

fn refusal(status: StatusCode, delay: Option<Duration>) -> Failure {
    let code = if status == StatusCode::TOO_MANY_REQUESTS {
        FailureCode::RateLimited
    } else {
        FailureCode::GenerationFailed
    };
    let message = format!(
        "the engine cannot serve this request at the moment (status {})",
        status.as_u16()
    );
    Failure::retry(code, message, delay.unwrap_or(verdict::DELAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_server_decides_when_the_next_attempt_starts() {
        let wait = Duration::from_secs(7);
        let failure = refusal(StatusCode::TOO_MANY_REQUESTS, Some(wait));
        assert_eq!(
            (failure.code, failure.retry_after),
            (FailureCode::RateLimited, Some(wait))
        );
        let failure = refusal(StatusCode::BAD_GATEWAY, None);
        assert_eq!(failure.retry_after, Some(verdict::DELAY));
    }
}
