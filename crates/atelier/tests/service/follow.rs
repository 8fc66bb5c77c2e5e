//! Following a job with server-sent events.

use atelier_testkit::Answer;
use reqwest::Method;
use serde_json::Value;

use crate::setup::{ECHO, World, cheap, echo};

/// The events of a complete stream: id, name, data.
pub(crate) fn events(answer: &Answer) -> Vec<(String, String, Value)> {
    let text = std::str::from_utf8(&answer.bytes).unwrap();
    let field = |event: &str, name: &str| {
        let line = event.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    text.split("\n\n")
        .filter(|event| event.contains("data:"))
        .map(|event| {
            let data = serde_json::from_str(&field(event, "data:")).unwrap();
            (field(event, "id:"), field(event, "event:"), data)
        })
        .collect()
}

#[tokio::test]
async fn a_stream_reports_the_end_of_the_job_and_ends() {
    let world = echo();
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    let path = format!("/generations/{id}/events");
    let answer = account.http.get(&path).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let told = events(&answer);
    let (last, name, data) = told.last().unwrap();
    assert_eq!(name, "generation.completed");
    assert_eq!(*data, account.http.wait(&id).await, "the same as polling shows");

    let again = account
        .http
        .request(Method::GET, &path)
        .header("last-event-id", last);
    let again = account.http.send(again).await;
    assert_eq!(
        (again.status.as_u16(), again.bytes.len()),
        (204, 0),
        "nothing to come back for"
    );
    let from_before = account
        .http
        .request(Method::GET, &path)
        .header("last-event-id", "0-0");
    let from_before = events(&account.http.send(from_before).await);
    assert_eq!(from_before.len(), 1, "{from_before:?}");
}

#[tokio::test]
async fn a_place_in_the_queue_and_a_cancellation_are_reported_in_the_stream() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let before = account.http.create(&cheap()).await;
    let id = account.http.create(&cheap()).await;
    let (path, http) = (format!("/generations/{id}/events"), &account.http);
    let queue =
        async |id: &str| http.get(&format!("/generations/{id}")).await.json()["data"]["queue"].clone();
    let place =
        serde_json::json!({ "ahead": 1, "more": false, "estimated_seconds": null, "run_seconds": null });
    assert_eq!(queue(&id).await, place, "one waits before it, and nothing runs");
    assert_eq!(queue(&before).await, Value::Null, "nothing waits before it");
    let cancel = async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        http.post(&format!("/generations/{id}/cancel"), &serde_json::json!({}))
            .await
    };
    let (answer, cancelled) = tokio::join!(http.get(&path), cancel);
    assert_eq!(cancelled.status, 200);
    let told = events(&answer);
    assert_eq!(told[0].2["queue"], place);
    let names: Vec<_> = told.into_iter().map(|(_, name, _)| name).collect();
    assert_eq!(names, ["generation.progress", "generation.failed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_owner_can_follow_and_streams_end_when_the_service_stops() {
    let mut world = World::without_workers(ECHO);
    let (account, stranger) = (world.account(100), world.account(0));
    let id = account.http.create(&cheap()).await;
    let path = format!("/generations/{id}/events");
    assert_eq!(stranger.http.get(&path).await.status, 404);
    assert_eq!(world.anonymous().get(&path).await.status, 401);
    let http = account.http;
    let following = tokio::spawn(async move { http.get(&path).await });
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let begun = std::time::Instant::now();
    tokio::task::block_in_place(|| world.server.terminate());
    assert!(
        begun.elapsed().as_secs() < 10,
        "open streams keep nothing waiting"
    );
    let told = events(&following.await.unwrap());
    assert_eq!(told[0].1, "generation.progress");
    world.server.start();
}
