//! OpenAI's interface: what the client libraries of `scripts/check-clients` do not reach.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::Method;
use serde_json::{Value, json};

use crate::setup::{Account, World, assert_wire, echo, until};

async fn picture(account: &Account, body: &Value) -> atelier_testkit::Answer {
    let request = account.http.request(Method::POST, "//v1/images/generations");
    account.http.send(request.json(body)).await
}

#[tokio::test]
async fn a_picture_is_the_answer_to_its_request_and_an_ordinary_job() {
    let world = echo();
    let account = world.account(100);
    let answer = picture(
        &account,
        &json!({ "model": "dall-e-3", "prompt": "a fox", "size": "1024x1024" }),
    )
    .await;
    assert_eq!(answer.status, 200);
    let id = answer.header("x-generation-id").unwrap();
    let job = account.http.get(&format!("/generations/{id}")).await.json();
    assert_eq!(
        (&job["data"]["model"], &job["data"]["credits_charged"]),
        (&json!("image-gen-4"), &json!(4))
    );
    assert_eq!(
        answer.json()["data"],
        json!([{ "url": job["data"]["output"]["assets"][0]["url"] }])
    );
    assert_eq!(account.credits().await, 96);
}

#[tokio::test]
async fn a_field_that_cannot_be_followed_is_named_as_the_request_names_it() {
    let world = echo();
    let account = world.account(100);
    let asked = json!({ "model": "image-gen-4", "prompt": "a fox", "size": "3000x1000" });
    assert_wire!("openai_refused", picture(&account, &asked).await);
    let asked = json!({ "model": "image-gen-4", "size": "1024x1024" });
    let answer = picture(&account, &asked).await.json();
    assert_eq!(answer["error"]["param"], "prompt", "{answer}");
    assert_eq!(account.credits().await, 100);
}

#[tokio::test]
async fn a_full_queue_is_a_rate_limit_for_their_clients() {
    let world = World::without_workers(crate::setup::ECHO);
    let account = world.account_with(100, &[]);
    let limit = ["account", "update", &account.name, "--max-queued", "1"];
    world.server.json(&limit);
    account.http.create(&crate::setup::cheap()).await;
    let answer = picture(&account, &json!({ "model": "image-gen-4", "prompt": "a fox" })).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("retry-after")),
        (429, Some("5"))
    );
    let error = &answer.json()["error"];
    assert_eq!(
        (&error["type"], &error["code"]),
        (&json!("rate_limit_error"), &json!("rate_limit_exceeded"))
    );
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("the queue of the account is full"), "{error}");
}

#[tokio::test]
async fn a_video_is_deleted_with_its_file_and_other_jobs_and_running_ones_are_not() {
    let world = World::without_workers(crate::setup::ECHO);
    let account = world.account(100);
    let video = account
        .http
        .create(&json!({ "model": "video-fast-2", "prompt": "a fox runs" }))
        .await;
    let picture = account
        .http
        .create(&json!({ "model": "image-gen-4", "prompt": "a fox" }))
        .await;
    let delete = async |id: &str| {
        let request = account.http.request(Method::DELETE, &format!("//v1/videos/{id}"));
        account.http.send(request).await
    };
    assert_eq!(delete(&video).await.status, 409);
    assert_eq!(delete(&picture).await.status, 404);
    let cancel = format!("/generations/{video}/cancel");
    assert_eq!(account.http.post(&cancel, &json!({})).await.status, 200);
    let deleted = delete(&video).await;
    assert_eq!(deleted.status, 200);
    let expected = json!({ "id": video, "object": "video.deleted", "deleted": true });
    assert_eq!(deleted.json(), expected);
    assert_eq!(
        account.http.get(&format!("/generations/{video}")).await.status,
        410
    );
}

#[tokio::test]
async fn anybody_can_ask_for_the_voices_of_a_model() {
    let world = echo();
    let anybody = world.anonymous();
    let voices = async |query: &str| {
        let answer = anybody.get(&format!("//v1/audio/voices{query}")).await;
        (answer.status.as_u16(), answer.json())
    };
    let (status, of_tts) = voices("?model=tts-v3").await;
    assert_eq!(status, 200);
    let listed = of_tts["voices"].as_array().unwrap();
    for voice in [
        json!({ "id": "alloy", "name": "alloy (Wren)" }),
        json!({ "id": "Wren", "name": "Wren" }),
    ] {
        assert!(listed.contains(&voice), "{of_tts}");
    }
    let (_, of_none) = voices("").await;
    assert_eq!(of_none["voices"][0]["id"], "alloy", "{of_none}");
    let (_, of_kokoro) = voices("?model=kokoro-82m").await;
    assert!(
        of_kokoro["voices"]
            .as_array()
            .unwrap()
            .contains(&json!({ "id": "af_heart", "name": "af_heart" }))
    );
    let (status, unknown) = voices("?model=gpt-9").await;
    assert_eq!(
        (status, &unknown["error"]["code"]),
        (404, &json!("model_not_found"))
    );
    let (_, mistyped) = voices("?model=tts-2").await;
    let message = mistyped["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("the model `tts-2` does not exist; did you mean `tts-1` or "),
        "{message}"
    );
}

#[tokio::test]
async fn a_job_that_fails_is_an_error_that_clients_do_not_repeat() {
    let world = echo();
    let account = world.account(100);
    let asked = json!({ "model": "image-gen-4", "prompt": "csam" });
    let answer = picture(&account, &asked).await;
    assert_eq!(answer.status, 400);
    assert_eq!(answer.header("x-should-retry"), Some("false"));
    let error = answer.json();
    assert_eq!(error["error"]["code"], "content_policy_violation", "{error}");
    assert_eq!(account.credits().await, 100);
}

#[tokio::test]
async fn the_job_of_a_client_that_leaves_is_found_by_its_key() {
    let world = World::without_workers(crate::setup::ECHO);
    let account = world.account(100);
    let asked = json!({ "model": "image-gen-4", "prompt": "a fox" });
    let request = account
        .http
        .request(Method::POST, "//v1/images/generations")
        .header("idempotency-key", "once")
        .json(&asked);
    let client = tokio::spawn(request.send());
    until("the job is accepted", async || {
        account.http.get("/generations").await.json()["meta"]["total"] == 1
    })
    .await;
    client.abort();
    let jobs = account.http.get("/generations").await.json();
    assert_eq!(jobs["data"][0]["status"], "processing");

    // A service that stops lets its clients go, and says that the job continues.
    let request = account
        .http
        .request(Method::POST, "//v1/images/generations")
        .header("idempotency-key", "once")
        .json(&asked);
    let (answer, ()) = tokio::join!(account.http.send(request), async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        world.server.ask_to_end();
    });
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("x-generation-id"), jobs["data"][0]["id"].as_str());
}

/// The events of a stream: their names and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split("\n\n").filter(|block| block.contains("data: "));
    let read = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        let data = serde_json::from_str(field("data: ").unwrap()).unwrap();
        (field("event: ").unwrap().to_owned(), data)
    };
    blocks.map(read).collect()
}

fn speech(account: &Account, text: &str) -> reqwest::RequestBuilder {
    let asked = json!({ "model": "tts-v3", "voice": "alloy", "input": text, "stream_format": "sse" });
    let request = account.http.request(Method::POST, "//v1/audio/speech");
    request.json(&asked)
}

#[tokio::test]
async fn speech_in_events_is_the_file_of_the_job() {
    let world = echo();
    let account = world.account(100);
    let answer = account.http.send(speech(&account, "Hello there.")).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("content-type")),
        (200, Some("text/event-stream"))
    );
    let id = answer.header("x-generation-id").unwrap();
    let job = account.http.get(&format!("/generations/{id}")).await.json();
    let mut told = events(std::str::from_utf8(&answer.bytes).unwrap());
    let (name, done) = told.pop().unwrap();
    assert_eq!(name, "speech.audio.done");
    let usage = json!({
        "input_tokens": 0, "output_tokens": 0, "total_tokens": 0, "credits": job["data"]["credits_charged"],
    });
    assert_eq!(done, json!({ "type": "speech.audio.done", "usage": usage }));
    let mut sound = Vec::new();
    for (name, data) in told {
        assert_eq!(
            (name.as_str(), &data["type"]),
            ("speech.audio.delta", &json!(name))
        );
        sound.extend(STANDARD.decode(data["audio"].as_str().unwrap()).unwrap());
    }
    let url = job["data"]["output"]["assets"][0]["url"].as_str().unwrap();
    let file = reqwest::get(url).await.unwrap().bytes().await.unwrap();
    assert!(sound.len() > 100 && sound == file, "{} bytes", sound.len());
}

#[tokio::test]
async fn a_stream_is_kept_alive_and_tells_that_its_job_failed() {
    let world = World::without_workers(crate::setup::ECHO);
    let account = world.account(100);
    let mut answer = speech(&account, "Hello there.").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let id = answer.headers()["x-generation-id"].to_str().unwrap().to_owned();
    // The first comment comes before clients that wait half a minute give up.
    let first = tokio::time::timeout(Duration::from_secs(25), answer.chunk()).await;
    let first = first.unwrap().unwrap().unwrap();
    assert!(first.starts_with(b":"), "{first:?}");
    let cancelled = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_eq!(cancelled.status, 200);
    let rest = answer.text().await.unwrap();
    let error = json!({
        "message": "cancelled", "type": "server_error", "param": null, "code": "generation_failed",
    });
    assert_eq!(
        events(&rest),
        [("error".to_owned(), json!({ "type": "error", "error": error }))]
    );
}
