//! Resources: the account's jobs, newest first.

use serde_json::{Map, Value, json};

use crate::{Refused, Result, Service, generate};

const PREFIX: &str = "atelier://generations/";
const PAGE: u32 = 20;

pub(crate) async fn list(service: &dyn Service, params: &Map<String, Value>) -> Result<Value> {
    let cursor = params.get("cursor").and_then(Value::as_str).map(str::to_owned);
    let page = service.jobs(PAGE, cursor).await?;
    let resources: Vec<Value> = page.jobs.iter().map(resource).collect();
    let mut listed = json!({ "resources": resources });
    if let Some(cursor) = page.next_cursor {
        listed["nextCursor"] = cursor.into();
    }
    Ok(listed)
}

fn resource(job: &Value) -> Value {
    let text = |name: &str| job[name].as_str().unwrap_or_default();
    json!({
        "uri": format!("{PREFIX}{}", text("id")),
        "name": text("id"),
        "title": format!("{} of {}", text("model"), text("created_at")),
        "description": format!("{}, {}", text("type"), text("status")),
        "mimeType": "application/json",
    })
}

pub(crate) fn templates() -> Value {
    json!({ "resourceTemplates": [{
        "uriTemplate": format!("{PREFIX}{{id}}"),
        "name": "generation",
        "title": "A generation",
        "description": "A job of the account: its status, files and cost, and a small picture of the first file.",
        "mimeType": "application/json",
    }] })
}

/// A job and a small picture of its first file; `None` if there is no such job.
pub(crate) async fn read(service: &dyn Service, params: &Map<String, Value>) -> Result<Option<Value>> {
    let uri = params
        .get("uri")
        .and_then(Value::as_str)
        .ok_or_else(|| Refused::argument("uri", "`params.uri` must be a string"))?;
    let Some(id) = uri.strip_prefix(PREFIX) else {
        return Ok(None);
    };
    let job = match service.job(id, std::time::Duration::ZERO).await {
        Err(Refused { code, .. }) if code == "not_found" => return Ok(None),
        job => job?,
    };
    let mut contents = vec![json!({ "uri": uri, "mimeType": "application/json", "text": job.to_string() })];
    let first = &job["output"]["assets"][0];
    if let (Some(url), Some("image" | "video")) = (first["url"].as_str(), first["type"].as_str())
        && let Some(preview) = generate::preview(service, url).await
    {
        contents.push(json!({
            "uri": format!("{uri}/preview"),
            "mimeType": preview["mimeType"],
            "blob": preview["data"],
        }));
    }
    Ok(Some(json!({ "contents": contents })))
}
