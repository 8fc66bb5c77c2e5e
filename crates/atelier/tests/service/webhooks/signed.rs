//! The contents of a delivery, and its two signatures.

use atelier_testkit::{Received, Receiver};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;

use super::told;
use crate::setup::echo;

/// Verifies as the contract says: HMAC-SHA256 of the raw body, keyed with the whole secret.
fn service_signature(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(body);
    format!("sha256={}", hex::encode(mac.finalize().into_bytes()))
}

pub(super) fn verify(secret: &str, came: &Received) {
    assert_eq!(
        came.header("x-service-signature"),
        service_signature(secret, &came.body)
    );
    standardwebhooks::Webhook::new(secret)
        .unwrap()
        .verify(&came.body, &came.headers)
        .unwrap();
}

#[tokio::test]
async fn the_delivery_of_a_completed_job_has_everything_that_polling_shows() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let id = account.http.create(&told(&receiver)).await;
    let came = receiver.wait_for(1).await;
    let [came] = &came[..] else { panic!("{came:?}") };
    assert_eq!(came.path, "/hook");
    for (name, value) in [
        ("x-service-event", "generation.completed"),
        ("content-type", "application/json"),
        ("x-service-delivery", came.header("webhook-id")),
    ] {
        assert_eq!(came.header(name), value, "{name}");
    }
    assert!(came.header("user-agent").starts_with("atelier/"), "{came:?}");
    verify(&account.secret, came);

    let event = came.json();
    let polled = account.http.wait(&id).await;
    assert_eq!(
        event,
        json!({ "event": "generation.completed", "created_at": polled["completed_at"], "data": polled })
    );
    assert_eq!(polled["credits_charged"], 4);
}

#[tokio::test]
async fn the_delivery_of_a_failed_job_has_its_error() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let mut request = told(&receiver);
    request["prompt"] = json!("csam");
    let id = account.http.create(&request).await;
    let came = receiver.wait_for(1).await;
    assert_eq!(came[0].header("x-service-event"), "generation.failed");
    verify(&account.secret, &came[0]);
    let polled = account.http.wait(&id).await;
    assert_eq!(
        came[0].json(),
        json!({ "event": "generation.failed", "created_at": polled["completed_at"], "data": polled })
    );
    assert_eq!(polled["error"]["code"], "content_policy_violation");
}

#[tokio::test]
async fn a_new_secret_signs_after_its_rotation() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let rotated = world.server.json(&["secret", "rotate", &account.name]);
    let secret = rotated["signing_secret"].as_str().unwrap();
    assert_ne!(secret, account.secret);
    account.http.create(&told(&receiver)).await;
    let came = receiver.wait_for(1).await;
    verify(secret, &came[0]);
}

#[tokio::test]
async fn a_changed_body_does_not_verify() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    account.http.create(&told(&receiver)).await;
    let came = receiver.wait_for(1).await;
    let changed = [&came[0].body[..], b" "].concat();
    assert_ne!(
        came[0].header("x-service-signature"),
        service_signature(&account.secret, &changed)
    );
}

#[tokio::test]
async fn the_url_is_called_exactly_as_given() {
    let world = echo();
    let account = world.account(100);
    let receiver = Receiver::start().await;
    let mut request = told(&receiver);
    request["webhook_url"] = json!(receiver.url("/a/b?token=x&y=%20z"));
    account.http.create(&request).await;
    assert_eq!(receiver.wait_for(1).await[0].path, "/a/b?token=x&y=%20z");
}
