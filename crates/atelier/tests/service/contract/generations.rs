//! Creating, reading, waiting for and cancelling jobs.

use std::time::{Duration, Instant};

use atelier_testkit::Receiver;
use serde_json::json;

use crate::setup::{ECHO, World, assert_wire, cheap, echo, until};

#[tokio::test]
async fn the_answer_to_a_created_job_has_four_fields_and_the_path_to_poll() {
    let world = echo();
    let account = world.account(100);
    let answer = account.http.post("/generations", &cheap()).await;
    assert_wire!("create", answer);
    let id = answer.json()["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        answer.header("location"),
        Some(format!("/dev/v1/generations/{id}").as_str())
    );
    let polled = account.http.get(&format!("/generations/{id}")).await;
    assert_eq!(polled.json()["data"]["id"], id);
}

#[tokio::test]
async fn a_completed_job_has_its_cost_and_its_files() {
    let world = echo();
    let account = world.account(100);
    let request =
        json!({ "model": "image-gen-4", "prompt": "a fox", "params": { "n": 2, "resolution": "1K" } });
    let id = account.http.create(&request).await;
    let answer = account.http.get(&format!("/generations/{id}?wait=60")).await;
    assert_wire!("completed_image", answer);
    let output = &answer.json()["data"]["output"];
    assert_eq!(output["assets"].as_array().unwrap().len(), 2);
    for (asset, image) in std::iter::zip(
        output["assets"].as_array().unwrap(),
        output["images"].as_array().unwrap(),
    ) {
        assert_eq!(asset["url"], image["url"], "images repeat the assets");
    }
    let job = answer.json()["data"].clone();
    let at = |field: &str| job[field].as_str().unwrap().to_owned();
    assert!(
        at("created_at") <= at("started_at") && at("started_at") <= at("completed_at"),
        "{job}"
    );
    assert_eq!(account.credits().await, 92);
}

#[tokio::test]
async fn only_image_jobs_have_images_in_their_output() {
    let world = echo();
    let account = world.account(1_000);
    let video = json!({ "model": "video-fast-2", "prompt": "a fox runs", "duration_seconds": 4 });
    let video = account.http.create(&video).await;
    let audio = account
        .http
        .create(&json!({ "model": "music-gen", "prompt": "a fox sings" }))
        .await;
    let tool = json!({ "model": "upscale", "image_urls": [upload(&account.http).await] });
    let tool = account.http.create(&tool).await;
    assert_wire!(
        "completed_video",
        account.http.get(&format!("/generations/{video}?wait=60")).await
    );
    assert_wire!(
        "completed_audio",
        account.http.get(&format!("/generations/{audio}?wait=60")).await
    );
    assert_wire!(
        "completed_tool",
        account.http.get(&format!("/generations/{tool}?wait=60")).await
    );
}

async fn upload(http: &atelier_testkit::Http) -> String {
    let answer = http.upload(crate::files::PNG.to_vec(), "fox.png").await;
    answer.json()["data"]["url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_failed_job_has_a_code_and_a_message_and_costs_nothing() {
    let world = echo();
    let account = world.account(100);
    let id = account
        .http
        .create(&json!({ "model": "image-gen-4", "prompt": "csam" }))
        .await;
    let answer = account.http.get(&format!("/generations/{id}?wait=60")).await;
    assert_wire!("failed", answer);
    assert_eq!(account.credits().await, 100);
}

#[tokio::test]
async fn a_processing_job_shows_its_progress_and_holds_its_estimate() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    assert_wire!(
        "processing",
        account.http.get(&format!("/generations/{id}")).await
    );
    assert_eq!(account.credits().await, 96);

    let begun = Instant::now();
    let waited = account.http.get(&format!("/generations/{id}?wait=1")).await;
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(waited.json()["data"]["status"], "processing");
}

#[tokio::test]
async fn a_cancelled_job_fails_releases_its_hold_and_ends_every_wait() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    let waiting = tokio::spawn({
        let http = account.http.clone();
        let id = id.clone();
        async move { http.wait(&id).await }
    });
    until("the wait has begun", async || account.credits().await == 96).await;

    let answer = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_wire!("cancelled", answer);
    assert_eq!(account.credits().await, 100);
    let waited = waiting.await.unwrap();
    assert_eq!(
        (&waited["status"], &waited["error"]["message"]),
        (&json!("failed"), &json!("cancelled"))
    );

    let again = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_wire!("cancelled_twice", again);
}

#[tokio::test]
async fn a_cancellation_needs_no_body() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    let request = account
        .http
        .request(reqwest::Method::POST, &format!("/generations/{id}/cancel"));
    assert_eq!(account.http.send(request).await.status, 200);
}

#[tokio::test]
async fn a_cancelled_job_sends_generation_failed() {
    // The job waits in the queue of a service without workers.
    let mut world = World::without_workers(ECHO);
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let mut request = cheap();
    request["webhook_url"] = json!(receiver.url("/hook"));
    let id = account.http.create(&request).await;
    account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    world.server.terminate();
    world.server.more_arguments([]);
    world.server.start();
    let came = receiver.wait_for(1).await;
    assert_eq!(came[0].header("x-service-event"), "generation.failed");
    assert_eq!(
        came[0].json()["data"]["error"],
        json!({ "code": "generation_failed", "message": "cancelled" })
    );
}

#[tokio::test]
async fn a_completed_job_cannot_be_cancelled_and_stays_charged() {
    let world = echo();
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    account.http.wait(&id).await;
    let answer = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (400, "invalid_request")
    );
    assert_eq!(account.credits().await, 96);
}

#[tokio::test]
async fn a_wait_is_a_whole_number_of_seconds_up_to_60() {
    let world = echo();
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    account.http.wait(&id).await;
    for (wait, status) in [
        ("0", 200),
        ("1", 200),
        ("60", 200),
        ("61", 400),
        ("-1", 400),
        ("x", 400),
        ("", 400),
    ] {
        let answer = account.http.get(&format!("/generations/{id}?wait={wait}")).await;
        assert_eq!(answer.status, status, "{wait}: {:?}", answer.bytes);
        assert!(
            status == 200 || answer.message().contains("wait"),
            "{}",
            answer.message()
        );
    }
}

#[tokio::test]
async fn jobs_of_other_accounts_are_not_found() {
    let world = echo();
    let (owner, other) = (world.account(100), world.account(100));
    let id = owner.http.create(&cheap()).await;
    owner.http.wait(&id).await;
    let seen = other.http.get(&format!("/generations/{id}")).await;
    let unknown = other
        .http
        .get("/generations/01890000-0000-7000-8000-000000000000")
        .await;
    assert_eq!((seen.status, seen.code()), (unknown.status, unknown.code()));
    assert_eq!((seen.status.as_u16(), seen.code().as_str()), (404, "not_found"));
    let cancelled = other
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_eq!(
        (cancelled.status.as_u16(), cancelled.code().as_str()),
        (404, "not_found")
    );
    assert_eq!(other.http.get("/generations").await.json()["meta"]["total"], 0);
}

#[tokio::test]
async fn an_invalid_id_is_not_found() {
    let world = echo();
    let account = world.account(0);
    for id in [
        "x",
        "%00",
        "..",
        "0",
        &"a".repeat(3_000),
        "%F0%9F%A6%8A",
        "01890000-0000-7000-8000-00000000000",
    ] {
        let answer = account.http.get(&format!("/generations/{id}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (404, "not_found"),
            "{id}"
        );
    }
}
