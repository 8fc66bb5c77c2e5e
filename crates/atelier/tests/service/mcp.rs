//! The Model Context Protocol at `/mcp`: what the clients of `scripts/check-clients` do not reach.

use serde_json::{Value, json};

use crate::setup::{Account, ECHO, World, echo, until};

const PATH: &str = "//mcp";

/// A call of `generate`.
fn generate(id: u32) -> Value {
    let arguments = json!({ "model": "image-gen-4", "prompt": "a fox", "wait_seconds": 0 });
    let params = json!({ "name": "generate", "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

async fn session(account: &Account) -> String {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let answer = account.http.post(PATH, &body).await;
    assert_eq!(answer.json()["result"]["protocolVersion"], "2025-11-25");
    answer.header("mcp-session-id").unwrap().to_owned()
}

/// Sends a message of a session and returns the status and the job in the answer.
async fn send(account: &Account, session: &str, body: &Value) -> (u16, Value) {
    let headers = [("mcp-session-id", session), ("accept", "application/json")];
    let answer = account.http.post_with(PATH, body, &headers).await;
    let status = answer.status.as_u16();
    if answer.bytes.is_empty() {
        return (status, Value::Null);
    }
    (status, answer.json()["result"]["structuredContent"].clone())
}

#[tokio::test]
async fn a_cancellation_finds_its_job_by_session_and_id() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let (first, second) = (session(&account).await, session(&account).await);
    let (_, job) = send(&account, &first, &generate(1)).await;
    let (_, other) = send(&account, &second, &generate(1)).await;
    assert_ne!(job["id"], other["id"]);
    // A client that did not hear the answer sends the same request again.
    let (_, again) = send(&account, &first, &generate(1)).await;
    assert_eq!(again["id"], job["id"]);

    let params = json!({ "requestId": 1 });
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(send(&account, &first, &body).await, (202, Value::Null));
    let path = |job: &Value| format!("/generations/{}", job["id"].as_str().unwrap());
    let ended = account.http.get(&path(&job)).await.json();
    assert_eq!(ended["data"]["error"]["message"], "cancelled", "{ended}");
    let still = account.http.get(&path(&other)).await.json();
    assert_eq!(still["data"]["status"], "processing", "{still}");

    // The log of requests names the jobs.
    until("the requests are logged", async || {
        let log = account.http.get("/requests?limit=50").await.json();
        let made = |job: &Value| {
            let entries = log["data"].as_array().unwrap().iter();
            let mut named = entries.filter(|entry| entry["generation"] == job["id"]);
            named.any(|entry| entry["path"] == "/mcp")
        };
        made(&job) && made(&other)
    })
    .await;

    // Nothing is cancelled by another account, in an unknown session, or twice.
    let stranger = world.account(100);
    assert_eq!(send(&stranger, &second, &body).await.0, 202);
    assert_eq!(send(&account, "unknown", &body).await.0, 202);
    assert_eq!(send(&account, &first, &body).await.0, 202);
    let still = account.http.get(&path(&other)).await.json();
    assert_eq!(still["data"]["status"], "processing", "{still}");
}

#[tokio::test]
async fn a_full_queue_is_named_in_the_result_of_the_tool() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let limit = ["account", "update", &account.name, "--max-queued", "1"];
    world.server.json(&limit);
    let session = session(&account).await;
    send(&account, &session, &generate(1)).await;
    let (status, refused) = send(&account, &session, &generate(2)).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (200, &json!("queue_full")),
        "{refused}"
    );
    assert_eq!(refused["error"]["details"][0]["parameter"], "max_queued");
}

#[tokio::test]
async fn a_connection_that_closes_cancels_only_requests_that_stand_alone() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let mut body = generate(1);
    body["params"]["arguments"]["wait_seconds"] = json!(30);
    // The answer is a stream. A client that leaves once the job exists does not see its end.
    let leave = async |body: Value, version: &'static str, jobs: u64| {
        let request = account.http.request(reqwest::Method::POST, PATH).json(&body);
        let headers = [
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", version),
            ("mcp-method", "tools/call"),
            ("mcp-name", "generate"),
        ];
        let request = headers
            .into_iter()
            .fold(request, |request, (name, value)| request.header(name, value));
        let answer = request.send().await.unwrap();
        let listed = account.http.get("/generations").await.json();
        assert_eq!(
            listed["meta"]["total"], jobs,
            "the job exists once the answer begins"
        );
        let named = answer.headers().get("x-generation-id").unwrap().to_str();
        assert_eq!(listed["data"][0]["id"], named.unwrap());
        drop(answer);
    };
    leave(body.clone(), "2025-11-25", 1).await;
    body["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    leave(body, "2026-07-28", 2).await;
    let jobs = async || account.http.get("/generations").await.json();
    until("the job has ended", async || {
        jobs().await["data"][0]["status"] == "failed"
    })
    .await;
    let jobs = jobs().await;
    assert_eq!(jobs["data"][0]["error"]["message"], "cancelled", "{jobs}");
    assert_eq!(jobs["data"][1]["status"], "processing", "{jobs}");
}

#[tokio::test]
async fn what_is_not_a_message_of_a_client_is_refused() {
    let world = echo();
    let account = world.account(100);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let status = async |body: &Value, headers: &[(&str, &str)]| {
        account.http.post_with(PATH, body, headers).await.status.as_u16()
    };
    assert_eq!(status(&ping, &[]).await, 200);
    assert_eq!(status(&ping, &[("origin", "http://localhost:6274")]).await, 200);
    assert_eq!(status(&ping, &[("origin", "http://evil.example")]).await, 403);
    assert_eq!(
        status(&ping, &[("mcp-protocol-version", "1999-01-01")]).await,
        400
    );
    assert_eq!(status(&json!([ping]), &[]).await, 400);
    assert_eq!(status(&json!("x".repeat(9 << 20)), &[]).await, 413);
    assert_eq!(account.http.get(PATH).await.status, 405);
    let answer = world.anonymous().post(PATH, &ping).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("www-authenticate")),
        (401, Some("Bearer"))
    );
}
