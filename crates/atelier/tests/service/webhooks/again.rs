//! When and how deliveries are retried.

use std::time::{Duration, Instant};

use atelier_testkit::{Received, Receiver, Reply};
use tokio::net::TcpListener;

use super::{told, with_hook};
use crate::setup::{ECHO, World, echo};

/// Long enough for another attempt, if there were one: waits between attempts are at most 0.12 s.
const QUIET: Duration = Duration::from_millis(700);

pub(super) fn same_delivery(attempts: &[Received]) {
    for attempt in attempts {
        assert_eq!(attempt.body, attempts[0].body);
        for name in [
            "x-service-delivery",
            "webhook-id",
            "x-service-signature",
            "x-service-event",
        ] {
            assert_eq!(attempt.header(name), attempts[0].header(name), "{name}");
        }
    }
}

#[tokio::test]
async fn errors_of_the_receiver_and_429_are_tried_again_with_the_same_bytes() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    receiver.reply([Reply::status(500), Reply::status(429), Reply::status(503)]);
    account.http.create(&told(&receiver)).await;
    same_delivery(&receiver.wait_for(4).await);
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.received().len(), 4, "the fourth was answered with 200");
}

#[tokio::test]
async fn there_are_at_most_four_attempts() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    receiver.always(Reply::status(500));
    account.http.create(&told(&receiver)).await;
    receiver.wait_for(4).await;
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.received().len(), 4);
}

#[tokio::test]
async fn a_refusal_ends_the_delivery() {
    let world = echo();
    let account = world.account(1_000);
    let elsewhere = Receiver::start().await;
    let mut receivers = Vec::new();
    for status in [
        200, 201, 204, 400, 401, 404, 410, 422, 300, 301, 302, 303, 304, 307, 308,
    ] {
        let receiver = Receiver::start().await;
        receiver.always(Reply::status(status).header("location", elsewhere.url("/stolen")));
        account.http.create(&told(&receiver)).await;
        receivers.push((status, receiver));
    }
    for (_, receiver) in &receivers {
        receiver.wait_for(1).await;
    }
    tokio::time::sleep(QUIET).await;
    for (status, receiver) in &receivers {
        assert_eq!(receiver.received().len(), 1, "{status}");
    }
    assert_eq!(elsewhere.received().len(), 0, "redirects are never followed");
}

#[tokio::test]
async fn a_broken_connection_is_retried() {
    let world = echo();
    let account = world.account(100);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    account
        .http
        .create(&with_hook(&format!("http://{address}/hook")))
        .await;
    for _ in 0..2 {
        let (connection, _) = listener.accept().await.unwrap();
        drop(connection);
    }
    let receiver = Receiver::on(listener);
    assert_eq!(receiver.wait_for(1).await[0].path, "/hook");
}

#[tokio::test]
async fn retry_after_is_honored() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    receiver.reply([Reply::status(429).header("retry-after", "2")]);
    account.http.create(&told(&receiver)).await;
    receiver.wait_for(1).await;
    let first = Instant::now();
    receiver.wait_for(2).await;
    assert!(
        first.elapsed() >= Duration::from_millis(1_800),
        "{:?}",
        first.elapsed()
    );
}

#[tokio::test]
async fn deliveries_survive_a_server_that_is_killed_between_attempts() {
    let mut world = World::start(&ECHO.replace("[0.1, 0.1, 0.1]", "[2, 2, 2]"));
    let account = world.account(100);
    let receiver = Receiver::start().await;
    receiver.reply([Reply::status(500), Reply::status(500)]);
    account.http.create(&told(&receiver)).await;
    receiver.wait_for(1).await;
    // The answer is recorded before the next attempt is due.
    tokio::time::sleep(Duration::from_millis(500)).await;
    world.server.kill();
    world.server.start();
    receiver.wait_for(2).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    world.server.kill();
    world.server.start();
    same_delivery(&receiver.wait_for(3).await);
}

#[tokio::test]
async fn a_slow_receiver_does_not_delay_others() {
    let world = World::start(ECHO);
    let account = world.account(10_000);
    let slow = Receiver::start().await;
    slow.always(Reply::status(200).after(Duration::from_secs(9)));
    // More deliveries than one host may have in progress, and more than the sender has slots in total.
    for _ in 0..100 {
        account.http.create(&told(&slow)).await;
    }
    slow.wait_for(64).await;
    let begun = Instant::now();
    let quick = Receiver::start().await;
    for _ in 0..10 {
        account.http.create(&told(&quick)).await;
    }
    quick.wait_for(10).await;
    assert!(begun.elapsed() < Duration::from_secs(7), "{:?}", begun.elapsed());
    assert_eq!(slow.received().len(), 64, "no more than its share at a time");
}
