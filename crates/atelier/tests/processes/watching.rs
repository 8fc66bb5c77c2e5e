//! The view of a model while it loads.

use atelier_testkit::{Http, free_port};
use serde_json::{Value, json};

use super::{COMMON, Place, asking, route};
use crate::setup::{World, cheap, until};

#[tokio::test]
async fn the_event_stream_says_when_loading_begins_and_ends() {
    let place = Place::new();
    let config = COMMON.to_owned()
        + &place.engine("worker", "sd-server", "memory_mb = 600")
        + &route("image-gen-4", "worker");
    let world = World::start(&config);
    let account = world.account(100);
    let mut request = cheap();
    // Longer than the stream needs to see that loading has ended.
    request["prompt"] = "a fox that takes 1 s".into();
    let id = account.http.create(&request).await;
    let answer = account.http.get(&format!("/generations/{id}/events")).await;
    let text = String::from_utf8(answer.bytes.to_vec()).unwrap();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let jobs: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
    let loading: Vec<bool> = jobs.iter().map(|job| job["loading"].is_object()).collect();
    let begins = loading.iter().position(|is_loading| *is_loading);
    let begins = begins.unwrap_or_else(|| panic!("no event says that the model is loading: {text}"));
    assert!(
        jobs[begins..]
            .iter()
            .any(|job| job["loading"].is_null() && job["status"] == "processing"),
        "an event says that the model is loaded: {text}"
    );
    let last = jobs.last().unwrap();
    assert_eq!(last["status"], "completed");
    assert!(last["loading"].is_null(), "{text}");
}

#[tokio::test]
async fn a_job_whose_program_makes_room_for_another_says_that_it_waits_for_a_load() {
    let place = Place::new();
    let metrics = free_port();
    let config = COMMON.replace("listen = \"\"", &format!("listen = \"127.0.0.1:{metrics}\""))
        + "[workers]\nturn_seconds = 1\n"
        + &place.engine("one", "sd-server", "memory_mb = 600")
        + &place.engine("two", "sd-server", "memory_mb = 600")
        + &route("image-gen-4", "one")
        + &route("flux-1-schnell", "two");
    let world = World::start(&config);
    let account = world.account(1_000);
    let asked = || place.log("one").iter().any(|line| line.starts_with("asked "));
    account.http.create(&asking("a fox that takes 4 s")).await;
    until("the program works", async || asked()).await;
    let waits = account.http.create(&asking("a boat that takes 1 s")).await;
    let shown = Http::new(&format!("http://127.0.0.1:{metrics}"), None);
    until("the second job waits for the first", async || {
        let text = shown.get("//metrics").await.bytes.to_vec();
        let line = "atelier_program_waiting{engine=\"one\"} 1";
        String::from_utf8(text).unwrap().contains(line)
    })
    .await;
    let job = account.http.get(&format!("/generations/{waits}")).await.json();
    assert!(job["data"]["loading"].is_null(), "{job}");
    let other = json!({ "model": "flux-1-schnell", "prompt": "a fox" });
    account.http.create(&other).await;
    until("it waits for a load", async || {
        let job = account.http.get(&format!("/generations/{waits}")).await.json();
        job["data"]["loading"]["estimated_seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds >= 0.3)
    })
    .await;
    let job = account.http.wait(&waits).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert!(job["loading"].is_null(), "{job}");
    assert_eq!((place.pids("one").len(), place.pids("two").len()), (2, 1));
}
