//! The scopes that routes ask for, beside those in `keys.rs`: collections, endpoints, deletions, streams.

use reqwest::Method;
use serde_json::{Value, json};

use crate::setup::{ECHO, World, cheap};

/// An id that nothing has.
const NOTHING: &str = "01a1fc60-b087-74aa-9ac4-bdbca49fe86d";

/// A request, and the scopes one of which it asks for. `{job}` is a job that has ended, `{nothing}` an unknown id.
const ROUTES: [(&[&str], &str, &str); 27] = [
    (&["read", "generate"], "GET", "/generations/{job}/events"),
    (&["read"], "GET", "/collections"),
    (&["read"], "GET", "/collections/{nothing}"),
    (&["generate"], "POST", "/collections"),
    (&["generate"], "PATCH", "/collections/{nothing}"),
    (&["generate"], "POST", "/collections/{nothing}/add"),
    (&["generate"], "POST", "/collections/{nothing}/remove"),
    (&["generate"], "DELETE", "/collections/{nothing}"),
    (&["read", "webhooks"], "GET", "/webhook-endpoints"),
    (&["read", "webhooks"], "GET", "/webhook-endpoints/{nothing}"),
    (&["webhooks"], "POST", "/webhook-endpoints"),
    (&["webhooks"], "PATCH", "/webhook-endpoints/{nothing}"),
    (
        &["webhooks"],
        "POST",
        "/webhook-endpoints/{nothing}/rotate-secret",
    ),
    (&["webhooks"], "POST", "/webhook-endpoints/{nothing}/test"),
    (&["webhooks"], "DELETE", "/webhook-endpoints/{nothing}"),
    (&["webhooks"], "POST", "/webhooks/test"),
    (&["webhooks"], "POST", "/webhooks/deliveries/{nothing}/redeliver"),
    (&["read", "webhooks"], "GET", "/balance/alert"),
    (&["webhooks"], "PUT", "/balance/alert"),
    (&["read", "generate"], "GET", "//v1/videos/{nothing}"),
    (&["read", "generate"], "GET", "//v1/videos/{nothing}/content"),
    (&["upload"], "DELETE", "/uploads/{file}"),
    (&["upload"], "POST", "/uploads/direct"),
    (&["upload"], "POST", "/uploads/direct/{nothing}/complete"),
    (&["generate"], "DELETE", "//v1/videos/{video}"),
    (&["generate"], "DELETE", "/generations/{job}"),
    (
        &["read", "generate", "upload", "webhooks"],
        "GET",
        "/models/image-gen-4",
    ),
];

/// A body that the request can have.
fn body(path: &str) -> Value {
    match path.rsplit('/').next() {
        Some("add" | "remove") => json!({ "generations": [NOTHING] }),
        Some("webhook-endpoints") => {
            json!({ "url": "http://127.0.0.1:9/hook", "events": ["generation.completed"] })
        }
        Some("test") if path.starts_with("/webhooks") => json!({ "url": "http://127.0.0.1:9/hook" }),
        Some("alert") => json!({ "threshold": 5 }),
        _ if path.starts_with("/collections") => json!({ "name": "boats" }),
        _ if path.ends_with(NOTHING) => json!({ "enabled": false }),
        _ => json!({}),
    }
}

#[tokio::test]
async fn collections_endpoints_deletions_and_streams_ask_for_their_scope() {
    let world = World::without_workers(ECHO);
    let account = world.account(1_000);
    let ended = async |body: &Value| {
        let id = account.http.create(body).await;
        let cancel = format!("/generations/{id}/cancel");
        assert_eq!(account.http.post(&cancel, &json!({})).await.status, 200);
        id
    };
    for scope in ["read", "generate", "upload", "webhooks"] {
        let created = world
            .server
            .json(&["key", "create", &account.name, "--scopes", scope]);
        let http = account.http.with_key(created["api_key"].as_str());
        let job = ended(&cheap()).await;
        let video = ended(&json!({ "model": "video-fast-2", "prompt": "a fox runs" })).await;
        for (scopes, method, path) in ROUTES {
            let path = path
                .replace("{job}", &job)
                .replace("{video}", &video)
                .replace("{file}", &format!("{:064}.png", 0))
                .replace("{nothing}", NOTHING);
            let mut request = http.request(Method::from_bytes(method.as_bytes()).unwrap(), &path);
            if ["POST", "PATCH", "PUT"].contains(&method) {
                request = request.json(&body(&path));
            }
            let answer = http.send(request).await;
            let refused = answer.status == 403;
            let shown = String::from_utf8_lossy(&answer.bytes);
            assert_eq!(
                refused,
                !scopes.contains(&scope),
                "{scope}: {method} {path}: {shown}"
            );
            let expected = format!("its scopes are `{scope}`");
            assert!(!refused || shown.contains(&expected), "{method} {path}: {shown}");
        }
    }
}
