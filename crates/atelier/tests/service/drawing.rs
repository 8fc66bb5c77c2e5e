//! Pictures of the embedded engine, through the API.

use serde_json::json;

use crate::{
    files,
    setup::{shared, until},
};

/// The default configuration, except for the limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

/// The width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn variations_have_the_requested_size_and_differ() {
    let world = shared(DRAFT);
    let account = world.account(100);
    let request = json!({
        "model": "image-gen-4", "prompt": "a lighthouse at dusk",
        "resolution": "1K", "size": "16:9", "n": 2,
    });
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["served_by"], &job["credits_charged"]),
        (&json!("completed"), &json!("draft"), &json!(8))
    );
    let mut pictures = Vec::new();
    for asset in job["output"]["assets"].as_array().unwrap() {
        assert_eq!(asset["type"], "image");
        let path = asset["url"]
            .as_str()
            .unwrap()
            .strip_prefix(&world.server.origin())
            .unwrap()
            .to_owned();
        pictures.push(world.anonymous().get(&format!("/{path}")).await.bytes);
    }
    assert_eq!(pictures.len(), 2);
    assert_ne!(pictures[0], pictures[1]);
    for picture in &pictures {
        let (width, height) = size(picture);
        assert_eq!((width % 16, height % 16), (0, 0));
        assert!(
            (f64::from(width) / f64::from(height) - 16.0 / 9.0).abs() < 0.05,
            "{width} × {height}"
        );
        assert!(
            (900_000..1_200_000).contains(&(width * height)),
            "{width} × {height}"
        );
    }
}

#[tokio::test]
async fn an_upload_is_enlarged() {
    let world = shared(DRAFT);
    let account = world.account(100);
    let url = account.http.upload(files::PNG.to_vec(), "a.png").await.json()["data"]["url"].clone();
    let id = account
        .http
        .create(&json!({ "model": "upscale", "image_urls": [url], "factor": 4 }))
        .await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(job["credits_charged"], 6);
    let path = job["output"]["assets"][0]["url"]
        .as_str()
        .unwrap()
        .strip_prefix(&world.server.origin())
        .unwrap()
        .to_owned();
    let picture = world.anonymous().get(&format!("/{path}")).await.bytes;
    assert_eq!(size(&picture), (64, 64));
}

#[tokio::test]
async fn a_cancellation_stops_a_running_job_which_costs_nothing() {
    let world = shared(DRAFT);
    let account = world.account(1_000);
    let request = json!({
        "model": "image-gen-4", "prompt": "a city of a thousand lights",
        "resolution": "4K", "n": 15,
    });
    let id = account.http.create(&request).await;
    let path = format!("/generations/{id}");
    until("it runs", async || {
        !account.http.get(&path).await.json()["data"]["started_at"].is_null()
    })
    .await;
    let cancelled = account.http.post(&format!("{path}/cancel"), &json!({})).await;
    assert_eq!(cancelled.json()["data"]["error"]["message"], "cancelled");
    assert_eq!(account.credits().await, 1_000);
    // Its slot is free for the next job.
    let next = json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "1K" });
    let id = account.http.create(&next).await;
    assert_eq!(account.http.wait(&id).await["status"], "completed");
    assert_eq!(account.credits().await, 996);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_killed_child_process_costs_an_attempt_but_not_the_job() {
    let world = crate::setup::World::start(DRAFT);
    let account = world.account(1_000);
    let request = json!({
        "model": "image-gen-4", "prompt": "a city of a thousand lights",
        "resolution": "2K", "n": 1,
    });
    let id = account.http.create(&request).await;
    let mut hosts = Vec::new();
    until("a child process is at work", async || {
        hosts = children(world.server.pid());
        !hosts.is_empty()
    })
    .await;
    for host in hosts {
        // It may have ended on its own.
        std::process::Command::new("kill")
            .args(["-KILL", &host.to_string()])
            .status()
            .unwrap();
    }
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["credits_charged"]),
        (&json!("completed"), &json!(6)),
        "{job}"
    );
    assert_eq!(account.credits().await, 994);
}

/// The child processes of a process.
#[cfg(target_os = "linux")]
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let tasks = format!("/proc/{parent}/task");
    let mut found = Vec::new();
    for task in std::fs::read_dir(tasks).unwrap() {
        let children = std::fs::read_to_string(task.unwrap().path().join("children")).unwrap_or_default();
        found.extend(children.split_whitespace().map(|pid| pid.parse::<u32>().unwrap()));
    }
    found
}

#[tokio::test]
async fn a_preview_is_a_small_picture_that_is_made_once() {
    let world = shared(DRAFT);
    let account = world.account(100);
    let request =
        json!({ "model": "image-gen-4", "prompt": "a red barn", "resolution": "1K", "size": "16:9" });
    let id = account.http.create(&request).await;
    let job = account.http.wait(&id).await;
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = format!("/{}/preview", url.strip_prefix(&world.server.origin()).unwrap());
    let preview = world.anonymous().get(&path).await;
    assert_eq!(preview.status, 200);
    assert_eq!(preview.header("content-type"), Some("image/jpeg"));
    assert!(preview.bytes.len() < 100_000, "{} bytes", preview.bytes.len());
    let again = world.anonymous().get(&path).await;
    assert_eq!(
        (again.header("etag"), again.bytes.clone()),
        (preview.header("etag"), preview.bytes.clone())
    );
    let none = format!("//media/{}.png/preview", "0".repeat(64));
    assert_eq!(world.anonymous().get(&none).await.status, 404);
}
