//! Listing, resending and testing deliveries, through the API and by commands.

use atelier_testkit::{Receiver, Reply};
use serde_json::{Value, json};

use super::{again::same_delivery, told};
use crate::setup::{Account, echo, until};

/// Waits until the newest delivery of the account is in this state.
async fn newest(account: &Account, state: &str) -> Value {
    let mut found = Value::Null;
    until("the delivery has come so far", async || {
        let answer = account.http.get("/webhooks/deliveries?limit=1").await.json();
        found = answer["data"][0].clone();
        found["state"] == state
    })
    .await;
    found
}

#[tokio::test]
async fn a_failed_delivery_is_shown_with_its_attempts_and_can_be_sent_again() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    receiver.reply([Reply::status(404)]);
    let generation = account.http.create(&told(&receiver)).await;
    let failed = newest(&account, "failed").await;
    assert_eq!(
        (&failed["generation"], &failed["attempt_count"]),
        (&json!(generation), &json!(1))
    );
    let id = failed["id"].as_str().unwrap();
    let path = format!("/webhooks/deliveries/{id}");
    let detail = account.http.get(&path).await.json()["data"].clone();
    assert_eq!(detail["attempts"][0]["status"], 404);
    let first = &receiver.wait_for(1).await[0];
    assert_eq!(
        detail["body"].as_str().unwrap().as_bytes(),
        &first.body[..],
        "the exact bytes"
    );
    for header in detail["headers"].as_array().unwrap() {
        let name = header["name"].as_str().unwrap();
        assert_eq!(first.header(name), header["value"].as_str().unwrap(), "{name}");
    }

    let again = account.http.post(&format!("{path}/redeliver"), &json!({})).await;
    assert_eq!(again.status, 200);
    same_delivery(&receiver.wait_for(2).await);
    let delivered = newest(&account, "delivered").await;
    assert_eq!(
        (&delivered["id"], &delivered["attempt_count"]),
        (&json!(id), &json!(2))
    );
    let command = ["webhook", "redeliver", &account.name, id];
    world.server.json(&command);
    same_delivery(&receiver.wait_for(3).await);

    let stranger = world.account(0);
    for answer in [
        stranger.http.get(&path).await,
        stranger.http.post(&format!("{path}/redeliver"), &json!({})).await,
        stranger.http.get("/webhooks/deliveries/nonsense").await,
    ] {
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (404, "not_found")
        );
    }
    let theirs = stranger.http.get("/webhooks/deliveries").await.json();
    assert_eq!(theirs["meta"]["total"], 0);
}

#[tokio::test]
async fn all_failed_deliveries_can_be_sent_again_together() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    receiver.reply([Reply::status(410), Reply::status(410)]);
    for _ in 0..2 {
        account.http.create(&told(&receiver)).await;
    }
    until("both have failed", async || {
        let failed = account.http.get("/webhooks/deliveries?state=failed").await.json();
        failed["meta"]["total"] == 2
    })
    .await;
    let answer = account
        .http
        .post("/webhooks/deliveries/redeliver-failed", &json!({}))
        .await;
    assert_eq!(answer.json(), json!({ "data": { "redelivered": 2 } }));
    receiver.wait_for(4).await;
    until("both are delivered", async || {
        let delivered = account
            .http
            .get("/webhooks/deliveries?state=delivered")
            .await
            .json();
        delivered["meta"]["total"] == 2
    })
    .await;
}

#[tokio::test]
async fn a_test_event_is_signed_and_listed() {
    let world = echo();
    let account = world.account(0);
    let receiver = Receiver::start().await;
    let body = json!({ "url": receiver.url("/hook") });
    let sent = account.http.post("/webhooks/test", &body).await;
    assert_eq!(sent.status, 201, "{}", sent.json());
    let came = receiver.wait_for(1).await;
    super::signed::verify(&account.secret, &came[0]);
    assert_eq!(came[0].header("x-service-event"), "webhook.test");
    assert_eq!(came[0].json()["event"], "webhook.test");
    let delivered = newest(&account, "delivered").await;
    assert_eq!(delivered["generation"], Value::Null);
    let tests = account.http.get("/webhooks/deliveries?event=webhook.test").await;
    assert_eq!(tests.json()["meta"]["total"], 1);
    let by_command = world
        .server
        .json(&["webhook", "test", &account.name, &receiver.url("/cli")]);
    assert_eq!(by_command["event"], "webhook.test");
    assert_eq!(receiver.wait_for(2).await[1].path, "/cli");
    for (body, what) in [
        (json!({}), "required"),
        (json!({ "url": 5 }), "must be a string"),
        (json!({ "url": "ftp://example.com" }), "https"),
        (
            json!({ "url": receiver.url("/"), "more": 1 }),
            "unknown field `more`",
        ),
    ] {
        let answer = account.http.post("/webhooks/test", &body).await;
        assert_eq!(answer.status, 400);
        assert!(answer.message().contains(what), "{}", answer.message());
    }
}

#[tokio::test]
async fn invalid_filters_are_reported() {
    let world = echo();
    let account = world.account(0);
    for (query, word) in [
        ("state=lost", "state"),
        ("event=x", "event"),
        ("generation=x", "generation"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=x", "cursor"),
        ("other=1", "other"),
    ] {
        let answer = account.http.get(&format!("/webhooks/deliveries?{query}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request")
        );
        assert!(answer.message().contains(word), "{query}: {}", answer.message());
    }
}

#[tokio::test]
async fn the_previous_secret_also_signs_after_a_rotation() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let rotated = world.server.json(&["secret", "rotate", &account.name]);
    account.http.create(&told(&receiver)).await;
    let came = &receiver.wait_for(1).await[0];
    super::signed::verify(rotated["signing_secret"].as_str().unwrap(), came);
    let signatures: Vec<_> = came.header("webhook-signature").split(' ').collect();
    assert_eq!(signatures.len(), 2, "{signatures:?}");
    standardwebhooks::Webhook::new(&account.secret)
        .unwrap()
        .verify(&came.body, &came.headers)
        .expect("the old secret still verifies");
}
