//! Follows a job: tells its progress, cancels it if the client gives up, and shows what it made.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{Exchange, Refused, Result, Service, message::notification};

/// How long one look at the job takes at most.
const LOOK: Duration = Duration::from_secs(1);
/// Previews in one answer. A context has room for a few.
const PREVIEWS: usize = 4;

/// Waits for the job as long as asked, and answers with what it is then. `None`: the client gave up. The job ends with
/// it if this request `owns` the job.
pub(crate) async fn follow(
    service: &dyn Service,
    id: &str,
    longest: Duration,
    exchange: &Exchange,
    token: Option<&Value>,
    owns: bool,
) -> Result<Option<Value>> {
    let until = Instant::now() + longest;
    let mut told = None;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let job = tokio::select! {
            biased;
            () = exchange.cancelled.cancelled() => {
                if owns {
                    give_up(service, id).await?;
                }
                return Ok(None);
            }
            job = service.job(id, left.min(LOOK)) => job?,
        };
        if job["status"] != "processing" || Instant::now() >= until {
            return Ok(Some(shown(service, job).await));
        }
        if let Some(token) = token {
            tell(exchange, token, &job, &mut told);
        }
    }
}

async fn give_up(service: &dyn Service, id: &str) -> Result<()> {
    match service.cancel(id).await {
        // It has ended already.
        Err(Refused { code, .. }) if code == "invalid_request" => Ok(()),
        done => done,
    }
}

/// Tells the progress if it is news. It must rise with every notification.
fn tell(exchange: &Exchange, token: &Value, job: &Value, told: &mut Option<f64>) {
    let done = job["progress"].as_f64().unwrap_or_default();
    if told.is_some_and(|told| told >= done) {
        return;
    }
    *told = Some(done);
    let message = if job["loading"].is_object() {
        "loading the model"
    } else if job["started_at"].is_string() {
        "running"
    } else {
        "queued"
    };
    let params = json!({ "progressToken": token, "progress": done, "total": 1, "message": message });
    // A client that is gone hears nothing.
    let _ = exchange
        .notify
        .send(notification("notifications/progress", params));
}

/// The job as a result: its facts, links to its files, and small pictures of them.
async fn shown(service: &dyn Service, job: Value) -> Value {
    let mut content = vec![json!({ "type": "text", "text": job.to_string() })];
    let assets = job["output"]["assets"].as_array().cloned().unwrap_or_default();
    for (index, asset) in assets.iter().enumerate() {
        let Some(url) = asset["url"].as_str() else {
            continue;
        };
        let mut link = json!({ "type": "resource_link", "uri": url, "name": name(url) });
        if let Some(mime) = mime_type(url) {
            link["mimeType"] = mime.into();
        }
        content.push(link);
        let has_looks = matches!(asset["type"].as_str(), Some("image" | "video"));
        if has_looks && index < PREVIEWS {
            content.extend(preview(service, url).await);
        }
    }
    let mut result = json!({ "content": content, "isError": job["status"] == "failed" });
    result["structuredContent"] = job;
    result
}

/// A small picture of a file. A job is done without it, so what goes wrong is left out.
pub(crate) async fn preview(service: &dyn Service, url: &str) -> Option<Value> {
    let preview = service.preview(url).await.ok()??;
    Some(json!({ "type": "image", "data": STANDARD.encode(&preview.bytes), "mimeType": preview.mime_type }))
}

/// The name of the file. A signed link has a query.
fn name(url: &str) -> &str {
    let path = url.split('?').next().unwrap_or(url);
    path.rsplit('/').next().unwrap_or(path)
}

/// By the extension, which the service gives by content.
fn mime_type(url: &str) -> Option<&'static str> {
    let (_, extension) = name(url).rsplit_once('.')?;
    Some(match extension {
        "png" => "image/png",
        "jpg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "mp4" => "video/mp4",
        "mov" => "video/quicktime",
        "webm" => "video/webm",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "flac" => "audio/flac",
        "ogg" => "audio/ogg",
        _ => return None,
    })
}

/// The beginning of what a client sent, for a message.
pub(crate) fn clip(text: &str, longest: usize) -> String {
    text.chars().take(longest).collect()
}
