//! Registered webhook endpoints and the low balance, as a receiver gets them.

use std::{collections::BTreeMap, time::Duration};

use atelier_testkit::{Http, Receiver};
use reqwest::Method;
use serde_json::{Value, json};

use crate::setup::{Account, ECHO, World, cheap, echo};

async fn send(http: &Http, method: Method, path: &str, body: &Value) -> (u16, Value) {
    let answer = http.send(http.request(method, path).json(body)).await;
    (answer.status.as_u16(), answer.json())
}

/// Registers an endpoint and returns its id and its secret.
async fn register(account: &Account, body: &Value) -> (String, String) {
    let made = account.http.post("/webhook-endpoints", body).await;
    assert_eq!(made.status, 201, "{}", made.json());
    let made = made.json()["data"].clone();
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

/// Whether an independent verifier accepts a delivery with this secret.
fn verifies(received: &atelier_testkit::Received, secret: &str) -> bool {
    standardwebhooks::Webhook::new(secret)
        .unwrap()
        .verify(&received.body, &received.headers)
        .is_ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endpoint_is_told_of_its_events_with_its_own_secret_beside_the_url_of_the_request() {
    let world = echo();
    let account = world.account(1_000);
    let (ends, theirs) = (Receiver::start().await, Receiver::start().await);
    let (id, secret) = register(
        &account,
        &json!({ "url": ends.url("/ends"), "events": ["generation.completed"] }),
    )
    .await;
    let mut body = cheap();
    body["webhook_url"] = json!(theirs.url("/hook"));
    let job = account.http.create(&body).await;
    let (own, asked) = (
        ends.wait_for(1).await.remove(0),
        theirs.wait_for(1).await.remove(0),
    );
    assert_eq!(own.header("x-service-event"), "generation.completed");
    assert_eq!(own.json()["data"]["id"], job.as_str());
    assert_eq!(own.json(), asked.json(), "the same body");
    assert!(verifies(&own, &secret) && !verifies(&own, &account.secret));
    assert!(verifies(&asked, &account.secret) && !verifies(&asked, &secret));

    let (status, rotated) = send(
        &account.http,
        Method::POST,
        &format!("/webhook-endpoints/{id}/rotate-secret"),
        &json!({}),
    )
    .await;
    assert_eq!(status, 200);
    let new = rotated["data"]["secret"].as_str().unwrap();
    let tested = account
        .http
        .post(&format!("/webhook-endpoints/{id}/test"), &json!({}))
        .await;
    assert_eq!(tested.status, 201);
    let test = ends.wait_for(2).await.remove(1);
    assert_eq!(test.header("x-service-event"), "webhook.test");
    assert!(
        verifies(&test, new) && verifies(&test, &secret),
        "both, for 24 hours"
    );
    let delivery = tested.json()["data"]["id"].as_str().unwrap().to_owned();
    let shown = account
        .http
        .get(&format!("/webhooks/deliveries/{delivery}"))
        .await
        .json();
    assert_eq!(shown["data"]["endpoint"], id.as_str());
    let of_job = account
        .http
        .get(&format!("/webhooks/deliveries?generation={job}"))
        .await
        .json();
    assert_eq!(of_job["meta"]["total"], 2);

    let path = format!("/webhook-endpoints/{id}");
    let (status, changed) = send(&account.http, Method::PATCH, &path, &json!({ "enabled": false })).await;
    assert_eq!((status, &changed["data"]["enabled"]), (200, &json!(false)));
    assert_eq!(changed["data"]["secret"], Value::Null, "shown once");
    assert_eq!(
        send(&account.http, Method::DELETE, &path, &json!({})).await.0,
        200
    );
    assert_eq!(account.http.get(&path).await.status, 404);
    world.audit();
}

#[tokio::test]
async fn a_cancelled_job_is_told_as_such_and_a_low_balance_once() {
    let mut world = World::without_workers(ECHO);
    let account = world.account(9);
    let receiver = Receiver::start().await;
    register(&account, &json!({ "url": receiver.url("/all") })).await;
    let (status, set) = send(
        &account.http,
        Method::PUT,
        "/balance/alert",
        &json!({ "threshold": 6 }),
    )
    .await;
    assert_eq!((status, &set["data"]["low_since"]), (200, &Value::Null));
    let job = account.http.create(&cheap()).await;
    let second = account.http.create(&cheap()).await;
    let alert = account.http.get("/balance/alert").await.json();
    assert!(alert["data"]["low_since"].is_string(), "{alert}");
    for job in [&job, &second] {
        let cancelled = account
            .http
            .post(&format!("/generations/{job}/cancel"), &json!({}))
            .await;
        assert_eq!(cancelled.json()["data"]["status"], "failed", "as the API says it");
    }
    let alert = account.http.get("/balance/alert").await.json();
    assert_eq!(alert["data"]["low_since"], Value::Null);
    // Events are kept until a server with workers comes.
    assert!(world.server.terminate().success());
    world.server.more_arguments([]);
    world.server.start();
    let received = receiver.wait_for(3).await;
    let mut by_event: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for one in &received {
        by_event
            .entry(one.header("x-service-event").to_owned())
            .or_default()
            .push(one.json());
    }
    let low = &by_event["account.low_balance"];
    assert_eq!(low.len(), 1);
    assert_eq!(low[0]["event"], "account.low_balance");
    assert_eq!(
        low[0]["data"],
        json!({ "object": "balance", "credits": 5, "threshold": 6 })
    );
    let cancelled = &by_event["generation.cancelled"];
    assert_eq!(cancelled.len(), 2);
    assert_eq!(cancelled[0]["data"]["status"], "failed");
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(receiver.received().len(), 3, "each once");
    world.audit();
}

#[tokio::test]
async fn what_no_endpoint_may_be_is_refused_by_name() {
    let world = echo();
    let account = world.account(100);
    let refused = async |body: Value| {
        let answer = account.http.post("/webhook-endpoints", &body).await;
        assert_eq!(answer.status, 400, "{}", answer.json());
        let error = answer.json()["error"].clone();
        (
            error["details"][0]["parameter"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            error["message"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(refused(json!({})).await.0, "url");
    assert_eq!(refused(json!({ "url": "ftp://example.com" })).await.0, "url");
    let (name, message) = refused(json!({ "url": "https://example.com", "events": ["webhook.test"] })).await;
    assert_eq!(name, "events");
    assert!(
        message.contains("unknown event `webhook.test`; allowed: generation.completed"),
        "{message}"
    );
    assert_eq!(
        refused(json!({ "url": "https://example.com", "events": [] }))
            .await
            .0,
        "events"
    );
    assert_eq!(
        refused(json!({ "url": "https://example.com", "secret": "s" }))
            .await
            .0,
        "secret"
    );
    for _ in 0..10 {
        register(&account, &json!({ "url": "https://example.com" })).await;
    }
    let (_, message) = refused(json!({ "url": "https://example.com" })).await;
    assert!(message.contains("10 webhook endpoints already"), "{message}");
    for body in [json!({ "threshold": -1 }), json!({ "threshold": "5" }), json!({})] {
        let (status, _) = send(&account.http, Method::PUT, "/balance/alert", &body).await;
        assert_eq!(status, 400, "{body}");
    }
}
