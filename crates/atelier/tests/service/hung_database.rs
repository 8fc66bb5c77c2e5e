//! A database that neither answers nor breaks its connections: requests are refused in time, and every accepted job
//! ends once and is charged once.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use atelier_testkit::{Answer, Http, Receiver, own_postgres};
use axum::{Router, routing::get};
use serde_json::json;
use tokio::{net::TcpListener, sync::Semaphore, time::sleep};

use crate::{
    files,
    planned::{self, Plan},
    setup::{ECHO, World, until},
};

/// Longer than two tries of an operation, and than the leases.
const HANGS: Duration = Duration::from_secs(14);
const LEASE_SECONDS: u64 = 8;
/// The deadline of an operation and what a loaded machine needs.
const IN_TIME: Duration = Duration::from_secs(13);
const JOBS: usize = 8;
/// The price of one job.
const PRICE: i64 = 3;

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

/// An answer and how long it took.
async fn timed(answer: impl Future<Output = Answer>) -> (Answer, Duration) {
    let begun = Instant::now();
    (answer.await, begun.elapsed())
}

/// Requests of every kind, all refused in time.
async fn is_refused(http: &Http, job: &serde_json::Value) {
    let keyed = [("idempotency-key", "while-it-hangs")];
    let (nothing, unknown) = (
        json!({}),
        "/generations/01a00000-0000-7000-8000-000000000000/cancel",
    );
    let (read, list, create, cancel, upload) = tokio::join!(
        timed(http.get("/balance")),
        timed(http.get("/generations?limit=5")),
        timed(http.post_with("/generations", job, &keyed)),
        timed(http.post(unknown, &nothing)),
        timed(http.upload(files::PNG.to_vec(), "a.png")),
    );
    for (answer, took) in [read, list, create, cancel, upload] {
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (503, "unavailable")
        );
        assert!(answer.header("retry-after").is_some());
        assert!(took < IN_TIME, "{took:?}");
    }
}

async fn is_not_ready(http: &Http) {
    for _ in 0..3 {
        let (ready, took) = timed(http.get("//readyz")).await;
        assert_eq!(ready.status, 503);
        assert!(took < Duration::from_secs(3), "{took:?}");
        sleep(Duration::from_millis(700)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_hangs_requests_are_refused_and_afterwards_every_job_ends_once() {
    let Some(postgres) = own_postgres() else { return };
    let url = postgres.schema();
    let mut world = World::prepare(&format!("{ECHO}[store]\nurl = \"{url}\"\nconnections = 8\n"));
    let plan = Plan {
        lease_seconds: LEASE_SECONDS,
        ..Plan::calm()
    };
    planned::start(&mut world.server, &plan);
    let account = world.account(1_000);
    let receiver = Receiver::start().await;
    let (url, go, asked) = held_back().await;
    let mut job = json!({ "model": "upscale", "image_urls": [url] });
    job["webhook_url"] = json!(receiver.url("/hook"));
    let mut ids = Vec::new();
    for _ in 0..JOBS {
        ids.push(account.http.create(&job).await);
    }
    // All of them run.
    asked.acquire_many(JOBS as u32).await.unwrap().forget();

    let suspended = postgres.suspend();
    let hung = Instant::now();
    // The last result of a check may be a second old.
    sleep(Duration::from_millis(1_200)).await;
    tokio::join!(is_refused(&account.http, &job), is_not_ready(&account.http));
    assert_eq!(account.http.get("//healthz").await.status, 200);
    sleep(HANGS.saturating_sub(hung.elapsed())).await;
    drop(suspended);
    go.add_permits(1_000);

    until("it is ready", async || {
        account.http.get("//readyz").await.status == 200
    })
    .await;
    // The one whose acceptance was refused exists once, whether or not the first request made it.
    let keyed = [("idempotency-key", "while-it-hangs")];
    let repeated = account.http.post_with("/generations", &job, &keyed).await;
    ids.push(repeated.json()["data"]["id"].as_str().unwrap().to_owned());
    for id in &ids {
        let ended = account.http.wait(id).await;
        assert_eq!(
            (&ended["status"], &ended["credits_charged"]),
            (&json!("completed"), &json!(PRICE))
        );
    }
    assert_eq!(account.credits().await, 1_000 - PRICE * ids.len() as i64);
    let listed = account.http.get("/generations?limit=1").await.json();
    assert_eq!(listed["meta"]["total"], ids.len());
    let mut told: Vec<String> = receiver
        .wait_for(ids.len())
        .await
        .iter()
        .map(|came| came.json()["data"]["id"].as_str().unwrap().to_owned())
        .collect();
    told.sort();
    ids.sort();
    assert_eq!(told, ids);
    world.audit();
    // The commands of the audit need the database, which ends with this test.
    drop(world);
    drop(postgres);
}
