//! Jobs and uploads that their account deletes: what goes, what stays, and what the addresses answer.

#![cfg_attr(
    not(feature = "studio"),
    allow(
        dead_code,
        unused_imports,
        reason = "helpers of the test that needs the embedded engines"
    )
)]

use atelier_testkit::{Answer, Http, Receiver};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    files,
    setup::{ECHO, World, assert_wire, cheap, until},
};

/// Tools run in the embedded engine, so that each job has a file of its own.
const TOOLS: &str = r#"
routes = [{ model = "upscale", engine = "draft" }, { model = "*", engine = "echo" }]
[metrics]
listen = ""
[outbound]
allow_private = true
[limits]
requests_per_minute = 60000
"#;

async fn delete(http: &Http, path: &str) -> Answer {
    http.send(http.request(Method::DELETE, path)).await
}

/// The path of a stored file, for a client without a key.
fn path(world: &World, url: &Value) -> String {
    let path = url.as_str().unwrap().strip_prefix(&world.server.origin());
    format!("/{}", path.unwrap())
}

async fn status(world: &World, url: &Value) -> u16 {
    world.anonymous().get(&path(world, url)).await.status.as_u16()
}

fn name(url: &Value) -> &str {
    url.as_str().unwrap().rsplit('/').next().unwrap()
}

#[cfg(feature = "studio")]
#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_job_takes_its_files_with_it_and_leaves_the_ledger() {
    let world = World::start(TOOLS);
    let account = world.account(100);
    let http = &account.http;
    let uploaded = http.upload(files::PNG.to_vec(), "a.png").await.json();
    let input = &uploaded["data"]["url"];
    let id = http
        .create(&json!({ "model": "upscale", "image_urls": [input] }))
        .await;
    let job = http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    let output = &job["output"]["assets"][0]["url"];
    assert_eq!(
        (status(&world, input).await, status(&world, output).await),
        (200, 200)
    );
    let preview = format!("{}/preview", path(&world, output));
    assert_eq!(world.anonymous().get(&preview).await.status, 200);
    assert_eq!(world.stored().len(), 3);
    let credits = account.credits().await;

    let other = world.account(0);
    let job_path = format!("/generations/{id}");
    assert_eq!(delete(&other.http, &job_path).await.status, 404);
    let upload_path = format!("/uploads/{}", name(input));
    assert_eq!(delete(&other.http, &upload_path).await.status, 404);
    let kept = delete(http, &upload_path).await.json();
    assert_eq!(kept["data"]["file_gone"], false, "the job uses it");
    assert_eq!(status(&world, input).await, 200);

    assert_wire!("generation_deleted", delete(http, &job_path).await);
    assert_wire!("error_generation_deleted", http.get(&job_path).await);
    assert_wire!(
        "error_file_deleted",
        world.anonymous().get(&path(&world, output)).await
    );
    assert_eq!(status(&world, input).await, 410, "nobody uses it");
    assert_eq!(world.anonymous().get(&preview).await.status, 410);
    assert_eq!(world.stored(), Vec::<String>::new());
    assert_eq!(delete(http, &job_path).await.status, 200, "again");
    let list = http.get("/generations").await.json();
    assert_eq!((&list["meta"]["total"], &list["data"]), (&json!(0), &json!([])));
    assert_eq!(account.credits().await, credits);

    // The same bytes come back under the same address.
    let again = http.upload(files::PNG.to_vec(), "a.png").await.json();
    assert_eq!(&again["data"]["url"], input);
    assert_eq!(status(&world, input).await, 200);
    let gone = delete(http, &upload_path).await;
    assert_wire!("upload_deleted", gone);
    assert_eq!(status(&world, input).await, 410);
    let refused = json!({ "model": "upscale", "image_urls": [input] });
    assert_eq!(http.post("/generations", &refused).await.status, 400);
    assert_eq!(world.audit()["generations"], 0);
}

#[tokio::test]
async fn a_job_that_has_not_ended_is_cancelled_before_it_is_deleted() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    let job = format!("/generations/{id}");
    assert_wire!("error_delete_unfinished", delete(&account.http, &job).await);
    let cancelled = account.http.post(&format!("{job}/cancel"), &json!({})).await;
    assert_eq!(cancelled.status, 200);
    assert_eq!(delete(&account.http, &job).await.status, 200);
    assert_eq!(account.http.get(&job).await.status, 410);
    assert_eq!(delete(&account.http, "/generations/nonsense").await.status, 404);
    assert_eq!(account.credits().await, 100);
}

#[tokio::test]
async fn a_deleted_job_is_not_made_again_by_its_idempotency_key_and_its_deliveries_are_gone() {
    let world = World::start(ECHO);
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let mut body = cheap();
    body["webhook_url"] = json!(receiver.url("/hook"));
    let key = [("idempotency-key", "once")];
    let first = account.http.post_with("/generations", &body, &key).await.json();
    let id = first["data"]["id"].as_str().unwrap();
    account.http.wait(id).await;
    until("the webhook has come", async || {
        let page = account
            .http
            .get("/webhooks/deliveries?state=delivered")
            .await
            .json();
        page["meta"]["total"] == 1
    })
    .await;
    let deleted = delete(&account.http, &format!("/generations/{id}")).await;
    assert_eq!(deleted.status, 200);
    let again = account.http.post_with("/generations", &body, &key).await;
    assert_eq!(again.status, 201);
    assert_eq!(again.json(), first);
    assert_eq!(account.credits().await, 96);
    let page = account.http.get("/webhooks/deliveries").await.json();
    assert_eq!(page["meta"]["total"], 0);
    world.audit();
}
