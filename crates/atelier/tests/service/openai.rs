//! OpenAI's interface: what the client libraries of `scripts/check-clients` do not reach.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::setup::{Account, World, assert_wire, echo};

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
        .json(&asked)
        .timeout(Duration::from_millis(500));
    assert!(request.send().await.unwrap_err().is_timeout());
    let jobs = account.http.get("/generations").await.json();
    assert_eq!(jobs["meta"]["total"], 1);
    assert_eq!(jobs["data"][0]["status"], "processing");

    // A service that stops lets its clients go, and says that the job continues.
    let request = account
        .http
        .request(Method::POST, "//v1/images/generations")
        .header("idempotency-key", "once")
        .json(&asked);
    let (answer, ()) = tokio::join!(account.http.send(request), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        world.server.ask_to_end();
    });
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("x-generation-id"), jobs["data"][0]["id"].as_str());
}
