//! API and workers as separate processes on one store, as on several nodes.

use std::{
    fs,
    process::{Child, Command, Stdio},
};

use atelier_testkit::Receiver;
use serde_json::json;
use tokio::net::TcpListener;

use crate::setup::{ECHO, PROGRAM, World, cheap, until};

/// A running `atelier worker`. It is killed when it is dropped.
struct Worker(Child);

impl Worker {
    fn start(world: &World) -> Self {
        Self::logging_to(world, Stdio::null())
    }

    fn logging_to(world: &World, log: impl Into<Stdio>) -> Self {
        let child = Command::new(PROGRAM)
            .arg("worker")
            .arg("--data")
            .arg(world.server.data())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ = self.0.kill();
        self.0.wait().unwrap();
    }
}

#[tokio::test]
async fn a_worker_runs_the_jobs_of_an_api_node_and_reports_their_ends() {
    let world = World::without_workers(ECHO);
    let _worker = Worker::start(&world);
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let mut request = cheap();
    request["webhook_url"] = json!(receiver.url("/hook"));
    let id = account.http.create(&request).await;
    // The wait is answered, although the job ends in another process.
    assert_eq!(account.http.wait(&id).await["status"], "completed");
    let came = receiver.wait_for(1).await;
    assert_eq!(came[0].json()["data"]["id"], json!(id));
}

#[tokio::test]
async fn a_worker_does_not_ask_for_an_account() {
    let world = World::without_workers(ECHO);
    let log = world.server.data().join("worker.log");
    let mut worker = Worker::logging_to(&world, fs::File::create(&log).unwrap());
    let said = || fs::read_to_string(&log).unwrap();
    until("the worker has started", async || said().contains("  data ")).await;
    let asked = Command::new("kill").arg(worker.0.id().to_string()).status();
    assert!(asked.unwrap().success());
    assert!(worker.0.wait().unwrap().success());
    let said = said();
    assert!(said.contains("Stopping."), "{said}");
    assert!(!said.contains("account"), "{said}");
}

#[tokio::test]
async fn a_cancellation_on_one_node_takes_effect_on_all() {
    let world = World::without_workers(ECHO);
    let _worker = Worker::start(&world);
    let account = world.account(100);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/never.png", listener.local_addr().unwrap());
    let request = json!({ "model": "upscale", "image_urls": [url] });
    let id = account.http.create(&request).await;
    let (connection, _) = listener.accept().await.unwrap();
    let cancelled = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_eq!(cancelled.json()["data"]["status"], "failed");
    assert_eq!(account.credits().await, 100);
    drop(connection);
    // The worker is free for other jobs, and the result of the cancelled job is dropped.
    let next = account.http.create(&cheap()).await;
    assert_eq!(account.http.wait(&next).await["status"], "completed");
    let job = account.http.get(&format!("/generations/{id}")).await.json();
    assert_eq!(job["data"]["error"]["message"], "cancelled");
    assert_eq!(account.credits().await, 96);
}

#[tokio::test]
async fn two_workers_share_the_jobs_and_run_none_twice() {
    let world = World::without_workers(ECHO);
    let account = world.account(10_000);
    let receiver = Receiver::start().await;
    let mut request = cheap();
    request["webhook_url"] = json!(receiver.url("/hook"));
    for _ in 0..100 {
        account.http.create(&request).await;
    }
    let _workers = (Worker::start(&world), Worker::start(&world));
    until("all jobs have ended", async || {
        account
            .http
            .get("/generations?status=completed&limit=1")
            .await
            .json()["meta"]["total"]
            == 100
    })
    .await;
    assert_eq!(account.credits().await, 10_000 - 400);
    receiver.wait_for(100).await;
    let mut told: Vec<String> = receiver
        .received()
        .iter()
        .map(|came| came.json()["data"]["id"].to_string())
        .collect();
    told.sort();
    told.dedup();
    assert_eq!(told.len(), 100);
}
