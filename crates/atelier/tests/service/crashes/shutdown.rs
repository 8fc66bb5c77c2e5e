//! Servers that stop in order, and servers that find another one on their data folder.

use std::time::Duration;

use serde_json::json;
use tokio::{io::AsyncWriteExt as _, net::TcpListener};

use crate::{
    files,
    setup::{ECHO, World, cheap, echo, until},
};

#[tokio::test]
async fn a_running_job_may_end_before_the_server_stops() {
    let mut world = World::start(ECHO);
    let account = world.account(100);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a.png", listener.local_addr().unwrap());
    let id = account
        .http
        .create(&json!({ "model": "upscale", "image_urls": [url] }))
        .await;
    let (mut connection, _) = listener.accept().await.unwrap();
    world.server.ask_to_end();
    let http = world.anonymous();
    until("it drains", async || http.get("//readyz").await.status == 503).await;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", files::PNG.len());
    connection
        .write_all(&[head.as_bytes(), files::PNG].concat())
        .await
        .unwrap();
    let status = world.server.wait_until_ended(Duration::from_secs(30));
    assert!(status.success(), "{status}: {}", world.server.log());
    world.server.start();
    let job = world
        .server
        .http(&account.key)
        .get(&format!("/generations/{id}"))
        .await
        .json();
    assert_eq!(job["data"]["status"], "completed");
}

#[tokio::test]
async fn a_job_that_cannot_end_in_time_is_queued_again_without_losing_an_attempt() {
    let mut world = World::start(&format!("{ECHO}[server]\nshutdown_grace_seconds = 0\n"));
    let account = world.account(100);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a.png", listener.local_addr().unwrap());
    let id = account
        .http
        .create(&json!({ "model": "upscale", "image_urls": [url] }))
        .await;
    // This is more than the three attempts of a job.
    for _ in 0..4 {
        let (connection, _) = listener.accept().await.unwrap();
        let status = world.server.terminate();
        assert!(status.success(), "{status}: {}", world.server.log());
        drop(connection);
        world.server.start();
    }
    let (mut connection, _) = listener.accept().await.unwrap();
    let http = world.server.http(&account.key);
    let job = http.get(&format!("/generations/{id}")).await.json();
    assert_eq!(job["data"]["status"], "processing");
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", files::PNG.len());
    connection
        .write_all(&[head.as_bytes(), files::PNG].concat())
        .await
        .unwrap();
    assert_eq!(http.wait(&id).await["status"], "completed");
}

#[tokio::test]
async fn an_idle_server_stops_immediately_and_in_order() {
    let mut world = World::start(ECHO);
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    account.http.wait(&id).await;
    let begun = std::time::Instant::now();
    assert!(world.server.terminate().success());
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_second_server_on_the_same_folder_names_the_first() {
    let world = echo();
    // Its address is known once it answers.
    assert_eq!(world.anonymous().get("//healthz").await.status, 200);
    let other = format!("127.0.0.1:{}", atelier_testkit::free_port());
    let (code, stdout, stderr) = world.server.command(&["serve", "--listen", &other]);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    for word in [
        &format!("process id {}", world.server.pid()),
        &world.server.address(),
        "in use",
    ] {
        assert!(stderr.contains(word), "{word} is not in: {stderr}");
    }
    assert_eq!(
        world.anonymous().get("//healthz").await.status,
        200,
        "the first one goes on"
    );
}
