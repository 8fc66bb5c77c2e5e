//! The time limits of models, and operators' own models.

use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;

use crate::{
    files,
    setup::{ECHO, World, echo, until},
};

/// An operator's tool with a time limit of one second.
const HASTY: &str = r#"
slug = "hasty"
name = "Hasty"
type = "tool"
category = "Edit"
description = "A tool that has one second."

[capabilities]

[[parameters]]
name = "image_urls"
label = "Image"
type = "multi_select"
required = true
accepts = ["image"]
min_items = 1
max_items = 1

[pricing]
unit = "job"
credits = 7

[limits]
max_processing_seconds = 1
"#;

/// A service with this model beside the built-in ones.
fn with_model(text: &str) -> World {
    let mut world = World::prepare(ECHO);
    let folder = world.server.data().join("catalog");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("own.toml"), text).unwrap();
    world.server.start();
    world
}

#[tokio::test]
async fn a_job_that_exceeds_the_time_limit_of_its_model_fails_and_costs_nothing() {
    let world = with_model(HASTY);
    let account = world.account(100);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/never.png", listener.local_addr().unwrap());
    let id = account
        .http
        .create(&json!({ "model": "hasty", "image_urls": [url] }))
        .await;
    assert_eq!(account.credits().await, 93);
    let job = account.http.wait(&id).await;
    assert_eq!(job["error"]["code"], "generation_timeout", "{job}");
    assert_eq!(account.credits().await, 100);
    until("its work files are gone", async || world.scratch().is_empty()).await;
}

#[tokio::test]
async fn time_counts_from_acceptance_even_without_a_worker() {
    let mut world = with_model(HASTY);
    world.server.terminate();
    world.server.more_arguments(["--no-workers"]);
    world.server.start();
    let account = world.account(100);
    let url = account.http.upload(files::PNG.to_vec(), "a.png").await.json()["data"]["url"].clone();
    let id = account
        .http
        .create(&json!({ "model": "hasty", "image_urls": [url] }))
        .await;
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    world.server.terminate();
    world.server.more_arguments([]);
    world.server.start();
    let job = world.server.http(&account.key).wait(&id).await;
    assert_eq!(job["error"]["code"], "generation_timeout", "{job}");
}

#[tokio::test]
async fn an_operators_model_is_listed_and_can_be_used() {
    let world = with_model(HASTY);
    let account = world.account(100);
    let listed = account.http.get("/models?q=hasty").await.json();
    assert_eq!(listed["data"][0]["name"], "Hasty");
    let described = account.http.get("/models/hasty").await.json();
    assert_eq!(described["data"]["limits"]["max_processing_seconds"], 1);
    let url = account.http.upload(files::PNG.to_vec(), "a.png").await.json()["data"]["url"].clone();
    let id = account
        .http
        .create(&json!({ "model": "hasty", "image_urls": [url] }))
        .await;
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["credits_charged"]),
        (&json!("completed"), &json!(7))
    );
}

#[tokio::test]
async fn an_operators_model_with_a_known_slug_replaces_the_built_in_one() {
    let world = with_model(
        &HASTY
            .replace("\"hasty\"", "\"upscale\"")
            .replace("max_processing_seconds = 1", "max_processing_seconds = 60"),
    );
    let account = world.account(100);
    assert_eq!(
        account.http.get("/models/upscale").await.json()["data"]["name"],
        "Hasty"
    );
    let total = echo().account(0).http.get("/models").await.json()["meta"]["total"].clone();
    assert_eq!(account.http.get("/models").await.json()["meta"]["total"], total);
}

#[tokio::test]
async fn an_invalid_model_file_is_reported_at_the_start_with_its_place() {
    let world = World::prepare(ECHO);
    let folder = world.server.data().join("catalog");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(
        folder.join("own.toml"),
        HASTY.replace("unit = \"job\"", "unit = \"lightyear\""),
    )
    .unwrap();
    let (code, _, complaint) = world.server.command(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(code, 1, "{complaint}");
    for word in ["lightyear", "own.toml:20"] {
        assert!(complaint.contains(word), "{word} is not in: {complaint}");
    }
}
