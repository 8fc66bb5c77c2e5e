//! What those who watch a job of a remote worker see: that a model loads, and pictures of the unfinished result.

use atelier_testkit::{Answer, Http, Receiver, Reply, free_port};
use serde_json::{Value, json};

use super::{
    REMOTE, Worker, picture, token,
    wire::{Hand, code},
};
use crate::{
    cog::{self, Cog},
    follow::events,
    setup::{World, cheap, until},
};

fn events_of(http: &Http, id: &str) -> tokio::task::JoinHandle<Answer> {
    let (http, path) = (http.clone(), format!("/generations/{id}/events"));
    tokio::spawn(async move { http.get(&path).await })
}

/// What the service answers when the worker renews its lease.
async fn renewed(hand: &Hand, job: &Value) -> Value {
    let held = json!({ "held": [{ "id": job["id"], "epoch": job["epoch"], "progress": 0.5 }] });
    hand.post("renew", &held).await.json()
}

#[tokio::test]
async fn a_model_that_loads_on_a_remote_worker_is_shown() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let hand = Hand::join(&world, &token).await;
    let id = account.http.create(&cheap()).await;
    let job = hand.claim(&["image-gen-4"]).await[0].take();
    let renewed = async |loading: Value| {
        let mut beat = json!({ "id": job["id"], "epoch": job["epoch"], "progress": 0.0 });
        beat["loading"] = loading;
        hand.post("renew", &json!({ "held": [beat] })).await;
        let shown = account.http.get(&format!("/generations/{id}")).await.json();
        shown["data"]["loading"].clone()
    };
    assert_eq!(
        renewed(json!({ "estimate_ms": 40_000 })).await,
        json!({ "estimated_seconds": 40.0 })
    );
    assert_eq!(renewed(json!({})).await, json!({ "estimated_seconds": null }));
    assert_eq!(renewed(Value::Null).await, Value::Null);
}

#[tokio::test]
async fn a_worker_is_asked_for_partial_images_only_while_somebody_follows_the_job() {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let (hand, other) = (Hand::join(&world, &token).await, Hand::join(&world, &token).await);
    let id = account.http.create(&cheap()).await;
    let job = hand.claim(&["image-gen-4"]).await[0].take();
    assert_eq!(job["shows_partial_images"], true, "{job}");
    assert_eq!(renewed(&hand, &job).await["followed"], json!([]));
    let of = |rest: &str| format!("attempts/{id}/{}/{rest}", job["epoch"]);
    let path = of("partial-image");
    let unseen = hand.put(&path, picture(5), "").await;
    assert_eq!(
        unseen.status, 200,
        "an image that nobody waits for is not an error"
    );

    let stream = events_of(&account.http, &id);
    until("the job is followed", async || {
        renewed(&hand, &job).await["followed"] == json!([id])
    })
    .await;
    let foreign = other.put(&path, picture(6), "").await;
    assert_eq!(code(&foreign), (410, "lost".to_owned()));
    let text = hand.put(&path, b"GIF89a".to_vec(), "").await;
    assert_eq!(code(&text), (400, "invalid".to_owned()));
    assert_eq!(hand.put(&path, picture(7), "").await.status, 200);
    // The stream looks for it several times a second.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let failure = json!({ "failure": { "code": "generation_failed", "message": "no" } });
    assert_eq!(hand.post(&of("finish"), &failure).await.status, 200);
    let (partial, end) = cog::partial_images(&stream.await.unwrap(), &id);
    assert_eq!(end["status"], "failed");
    let shown = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, picture(7));
    assert_eq!(partial, [format!("data:image/png;base64,{shown}")]);
}

#[tokio::test]
async fn no_partial_image_is_taken_if_the_operators_check_sees_results() {
    let receiver = Receiver::start().await;
    receiver.reply([Reply::json(&json!({ "decision": "allow" }))]);
    let config = format!("{REMOTE}\n[policy]\ncheck_secret = \"whsec_b3duIGNoZWNr\"");
    let mut world = World::prepare(&config);
    cog::check_results(&world, &receiver);
    world.server.start();
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let hand = Hand::join(&world, &token).await;
    let id = account.http.create(&cheap()).await;
    let job = hand.claim(&["image-gen-4"]).await[0].take();
    assert_eq!(job["id"], id.as_str(), "{job}");
    assert_eq!(job["shows_partial_images"], false, "{job}");
    let path = format!("attempts/{id}/{}/partial-image", job["epoch"]);
    let refused = hand.put(&path, picture(5), "").await;
    assert_eq!(code(&refused), (400, "invalid".to_owned()));
}

/// The events of a job that a worker with this configuration runs by cog: all progress beyond 0, and the unfinished
/// pictures.
async fn followed(config: &str) -> (Vec<f64>, Vec<String>) {
    let world = World::start(REMOTE);
    let account = world.account(100);
    let (token, _) = token(&world, &[]);
    let worker = Worker::join(&world.server.origin(), &token, "box", config);
    let id = account.http.create(&cog::request("a slow boat, shown")).await;
    let stream = account.http.get(&format!("/generations/{id}/events")).await;
    let (partial, end) = cog::partial_images(&stream, &id);
    assert_eq!(end["status"], "completed", "{end} {}", worker.log());
    let progress = events(&stream)
        .into_iter()
        .map(|(_, _, data)| data["progress"].as_f64());
    let progress = progress
        .flatten()
        .filter(|done| *done > 0.0 && *done < 1.0)
        .collect();
    (progress, partial)
}

/// The configuration of a worker that serves pictures by this cog server.
fn by(cog: &Cog) -> String {
    format!("{}[outbound]\nallow_private = true\n", cog.config("", ""))
}

#[tokio::test]
async fn progress_and_the_unfinished_picture_of_a_remote_worker_are_in_the_event_stream() {
    let Some(cog) = Cog::start().await else { return };
    let (progress, partial) = followed(&by(&cog)).await;
    assert!(progress.len() >= 2, "{progress:?}");
    assert!(partial.len() >= 2, "{partial:?}");
    assert!(
        partial.windows(2).all(|pair| pair[0] != pair[1]),
        "each is told once"
    );
}

#[tokio::test]
async fn a_server_on_another_machine_than_its_worker_reports_to_the_listener_for_callbacks() {
    let Some(cog) = Cog::start().await else { return };
    // To atelier, this address is not its own machine.
    let elsewhere = by(&cog).replace("http://127.0.0.1:", "http://0.0.0.0:");
    assert_ne!(elsewhere, by(&cog));
    let (progress, partial) = followed(&elsewhere).await;
    assert_eq!((progress, partial), (vec![], vec![]), "it knows no address");
    let port = free_port();
    let reached = format!(
        "{elsewhere}[workers]\ncallback_listen = \"0.0.0.0:{port}\"\ncallback_url = \"http://127.0.0.1:{port}\"\n"
    );
    let (progress, partial) = followed(&reached).await;
    assert!(progress.len() >= 2, "{progress:?}");
    assert!(partial.len() >= 2, "{partial:?}");
}
