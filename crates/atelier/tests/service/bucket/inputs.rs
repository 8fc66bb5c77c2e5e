//! Inputs in a bucket are copied into the scratch folder, within its quota.

use serde_json::{Value, json};

use super::s3::{S3, SECRET};
use crate::{
    files,
    scratch::fill,
    setup::{Account, ECHO, World, until},
};

const SIZE: usize = 5 << 20;

/// A service with these limits and a bucket that holds one picture.
async fn with_a_picture(limits: &str) -> (S3, World, Account, Value) {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}[workers]\n{limits}\n", bucket.config(SECRET)));
    let account = world.account(100);
    let uploaded = account.http.upload(files::png_of(SIZE), "a.png").await;
    assert_eq!(uploaded.status, 201, "{}", uploaded.json());
    let job = json!({ "model": "upscale", "image_urls": [uploaded.json()["data"]["url"]] });
    bucket.done();
    (bucket, world, account, job)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_is_copied_when_there_is_room_for_it() {
    let (_bucket, world, account, job) = with_a_picture("scratch_mib = 8").await;
    fill(&world, 6 << 20).await;
    let id = account.http.create(&job).await;
    until("the copy found no room", async || {
        world.server.log().contains("a stored input could not be read")
    })
    .await;
    fill(&world, 0).await;
    let ended = account.http.wait(&id).await;
    assert_eq!(
        (&ended["status"], &ended["credits_charged"]),
        (&json!("completed"), &json!(3)),
        "{ended}"
    );
    assert_eq!(account.credits().await, 97, "charged once");
    until("the copies are gone", async || world.scratch().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_beyond_the_limit_of_a_job_is_not_copied() {
    let (bucket, _world, account, job) = with_a_picture("job_input_mib = 4").await;
    let id = account.http.create(&job).await;
    let ended = account.http.wait(&id).await;
    assert_eq!(
        (&ended["status"], &ended["error"]["code"]),
        (&json!("failed"), &json!("invalid_input"))
    );
    assert_eq!(account.credits().await, 100);
    let copied = bucket.done().into_iter().find(|done| done.starts_with("GET "));
    assert_eq!(copied, None);
}
