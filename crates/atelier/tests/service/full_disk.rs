//! A full disk: new work is refused, nothing is lost, and the service recovers when there is space.

use std::{sync::Arc, time::Duration};

use axum::{Router, routing::get};
use serde_json::json;
use tokio::{net::TcpListener, sync::Semaphore};

use crate::{
    files,
    planned::{self, Plan},
    setup::{ECHO, World, assert_wire, cheap, until},
};

/// A URL whose picture is sent when the test allows it, and the number of requests for it.
async fn held_back() -> (String, Arc<Semaphore>, Arc<Semaphore>) {
    let (go, asked) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let picture = {
        let (go, asked) = (Arc::clone(&go), Arc::clone(&asked));
        move || async move {
            asked.add_permits(1);
            let _passed = go.acquire().await.unwrap();
            files::PNG
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a.png", listener.local_addr().unwrap());
    let router = Router::new().route("/a.png", get(picture));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, go, asked)
}

#[tokio::test]
async fn with_a_full_disk_new_work_is_refused_nothing_is_lost_and_the_service_recovers() {
    let mut world = World::prepare(ECHO);
    planned::start(
        &mut world.server,
        &Plan {
            lease_seconds: 30,
            ..Plan::calm()
        },
    );
    let account = world.account(100);
    // A job that ends while there is no space.
    let (url, go, asked) = held_back().await;
    let running = account
        .http
        .create(&json!({ "model": "upscale", "image_urls": [url] }))
        .await;
    asked.acquire().await.unwrap().forget();

    planned::fill(&world.server, true);
    let refused = account.http.post("/generations", &cheap()).await;
    assert_wire!("error_disk_full", refused);
    let upload = account.http.upload(files::PNG.to_vec(), "a.png").await;
    assert_eq!(
        (upload.status.as_u16(), upload.code().as_str()),
        (503, "unavailable")
    );
    assert!(upload.header("retry-after").is_some());
    let cancelled = account
        .http
        .post(&format!("/generations/{running}/cancel"), &json!({}))
        .await;
    assert_eq!(
        (cancelled.status.as_u16(), cancelled.code().as_str()),
        (503, "unavailable")
    );
    assert_eq!(account.credits().await, 97, "reading works");
    until("it is not ready", async || {
        account.http.get("//readyz").await.status == 503
    })
    .await;
    assert_eq!(account.http.get("//healthz").await.status, 200);
    go.add_permits(10);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let job = account.http.get(&format!("/generations/{running}")).await.json();
    assert_eq!(
        job["data"]["status"], "processing",
        "its end cannot be written yet"
    );

    planned::fill(&world.server, false);
    assert_eq!(account.http.wait(&running).await["status"], "completed");
    until("it is ready", async || {
        account.http.get("//readyz").await.status == 200
    })
    .await;
    let id = account.http.create(&cheap()).await;
    assert_eq!(account.http.wait(&id).await["credits_charged"], 4);
    assert_eq!(account.credits().await, 93);
    assert_eq!(
        account.http.upload(files::PNG.to_vec(), "a.png").await.status,
        201
    );
}
