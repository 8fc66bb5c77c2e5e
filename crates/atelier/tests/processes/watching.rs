//! What is seen while a model loads.

use serde_json::Value;

use super::{COMMON, Place, route};
use crate::setup::{World, cheap};

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
