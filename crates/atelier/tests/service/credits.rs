//! Credits and idempotency: nothing is spent twice, and no account spends more than it has.

use atelier_testkit::Receiver;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::setup::{ECHO, World, cheap, echo};

fn total(listed: &Value) -> u64 {
    listed["meta"]["total"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_clients_spend_exactly_the_last_credits() {
    let world = echo();
    // Enough for 10 jobs of 4 credits, with 3 credits left.
    let account = world.account(43);
    let answers = join_all((0..64).map(|_| {
        let http = account.http.clone();
        async move { http.post("/generations", &cheap()).await }
    }))
    .await;
    let accepted: Vec<_> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(accepted.len(), 10);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "insufficient_credits")
        );
    }
    for answer in accepted {
        let job = account
            .http
            .wait(answer.json()["data"]["id"].as_str().unwrap())
            .await;
        assert_eq!(
            (&job["status"], &job["credits_charged"]),
            (&json!("completed"), &json!(4))
        );
    }
    assert_eq!(account.credits().await, 3);
    assert_eq!(total(&account.http.get("/generations").await.json()), 10);
    world.audit();
}

#[tokio::test]
async fn running_jobs_hold_credits_and_ended_jobs_have_spent_them() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let kept = account
        .http
        .create(&json!({ "model": "image-gen-4", "prompt": "a fox", "n": 3 }))
        .await;
    let cancelled = account.http.create(&cheap()).await;
    let shown = world.shown(&account);
    assert_eq!((&shown["credits"], &shown["held"]), (&json!(78), &json!(22)));
    account
        .http
        .post(&format!("/generations/{cancelled}/cancel"), &json!({}))
        .await;
    let shown = world.shown(&account);
    assert_eq!((&shown["credits"], &shown["held"]), (&json!(82), &json!(18)));

    world
        .server
        .json(&["account", "update", &account.name, "--credits", "+10"]);
    assert_eq!(account.credits().await, 92);
    let (code, _, complaint) =
        world
            .server
            .command(&["account", "update", &account.name, "--credits", "-93"]);
    assert_eq!(code, 1, "{complaint}");
    world
        .server
        .json(&["account", "update", &account.name, "--credits", "-92"]);
    assert_eq!(account.credits().await, 0);
    let refused = account.http.post("/generations", &cheap()).await;
    assert_eq!(
        refused.code(),
        "insufficient_credits",
        "held credits cannot be spent"
    );
    account
        .http
        .post(&format!("/generations/{kept}/cancel"), &json!({}))
        .await;
    assert_eq!(account.credits().await, 18);
}

#[tokio::test]
async fn a_failed_job_releases_its_hold() {
    let world = echo();
    let account = world.account(10);
    for _ in 0..5 {
        let id = account
            .http
            .create(&json!({ "model": "image-gen-4", "prompt": "csam", "resolution": "1K", "n": 2 }))
            .await;
        assert_eq!(
            account.http.wait(&id).await["error"]["code"],
            "content_policy_violation"
        );
        assert_eq!(account.credits().await, 10);
    }
    let shown = world.shown(&account);
    assert_eq!(shown["held"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_with_one_idempotency_key_create_one_job() {
    let world = echo();
    let account = world.account(1_000);
    let answers = join_all((0..32).map(|_| {
        let http = account.http.clone();
        async move {
            http.post_with("/generations", &cheap(), &[("idempotency-key", "order-7")])
                .await
        }
    }))
    .await;
    let first = answers[0].json();
    for answer in &answers {
        assert_eq!(answer.status, 201);
        assert_eq!(answer.json(), first);
    }
    let originals = answers
        .iter()
        .filter(|answer| answer.header("idempotency-replayed").is_none())
        .count();
    assert_eq!(originals, 1);
    account.http.wait(first["data"]["id"].as_str().unwrap()).await;
    assert_eq!(total(&account.http.get("/generations").await.json()), 1);
    assert_eq!(account.credits().await, 996);
}

#[tokio::test]
async fn a_repeated_key_returns_the_first_job_even_after_its_end_and_without_credits() {
    let world = echo();
    let account = world.account_with(4, &["--generations-per-minute", "2"]);
    let again = async || {
        account
            .http
            .post_with("/generations", &cheap(), &[("Idempotency-Key", "k")])
            .await
    };
    let first = again().await.json();
    account.http.wait(first["data"]["id"].as_str().unwrap()).await;
    for _ in 0..3 {
        let answer = again().await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("idempotency-replayed")),
            (201, Some("true"))
        );
        assert_eq!(answer.json()["data"]["id"], first["data"]["id"]);
        assert!(
            answer
                .header("location")
                .unwrap()
                .ends_with(first["data"]["id"].as_str().unwrap())
        );
    }
    assert_eq!(account.credits().await, 0);
}

#[tokio::test]
async fn a_key_with_another_body_is_refused_and_keys_of_accounts_are_independent() {
    let world = echo();
    let (account, other) = (world.account(100), world.account(100));
    let key = [("idempotency-key", "k")];
    let first = account.http.post_with("/generations", &cheap(), &key).await;
    assert_eq!(first.status, 201);
    let mut body = cheap();
    body["prompt"] = json!("an owl");
    let reused = account.http.post_with("/generations", &body, &key).await;
    assert_eq!(
        (reused.status.as_u16(), reused.code().as_str()),
        (400, "invalid_request")
    );
    assert!(
        reused.message().contains("Idempotency-Key"),
        "{}",
        reused.message()
    );
    assert_eq!(account.credits().await, 96);

    let theirs = other.http.post_with("/generations", &body, &key).await;
    assert_eq!(theirs.status, 201);
    assert_ne!(theirs.json()["data"]["id"], first.json()["data"]["id"]);
}

#[tokio::test]
async fn a_refused_request_does_not_use_its_key() {
    let world = echo();
    let account = world.account(3);
    let key = [("idempotency-key", "k")];
    assert_eq!(
        account
            .http
            .post_with("/generations", &cheap(), &key)
            .await
            .code(),
        "insufficient_credits"
    );
    world
        .server
        .json(&["account", "update", &account.name, "--credits", "+1"]);
    let accepted = account.http.post_with("/generations", &cheap(), &key).await;
    assert_eq!(
        (accepted.status.as_u16(), accepted.header("idempotency-replayed")),
        (201, None)
    );
}

#[tokio::test]
async fn an_idempotency_key_is_visible_ascii_of_at_most_255_characters() {
    let world = echo();
    let account = world.account(100);
    for (key, status) in [
        ("k", 201),
        ("!~", 201),
        (&"k".repeat(255), 201),
        ("", 400),
        (&"k".repeat(256), 400),
        ("two words", 400),
        ("schl\u{fc}ssel", 400),
    ] {
        let answer = account
            .http
            .post_with("/generations", &cheap(), &[("idempotency-key", key)])
            .await;
        assert_eq!(answer.status, status, "{key}: {:?}", answer.bytes);
        assert!(
            status == 201 || answer.message().contains("Idempotency-Key"),
            "{}",
            answer.message()
        );
    }
    let twice = account
        .http
        .post_with(
            "/generations",
            &cheap(),
            &[("idempotency-key", "a"), ("idempotency-key", "b")],
        )
        .await;
    assert_eq!(twice.status, 400);
    assert_eq!(account.credits().await, 88);
}

#[tokio::test]
async fn the_charge_follows_the_price_rule() {
    let world = echo();
    let account = world.account(10_000);
    for (request, cost) in [
        (
            json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "1K" }),
            4,
        ),
        (json!({ "model": "image-gen-4", "prompt": "a fox" }), 6),
        (
            json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "4K", "n": 15 }),
            180,
        ),
        (json!({ "model": "tts-v3", "text": "x".repeat(1_001) }), 11),
        (json!({ "model": "tts-v3", "text": "x" }), 1),
    ] {
        let before = account.credits().await;
        let id = account.http.create(&request).await;
        let job = account.http.wait(&id).await;
        assert_eq!(job["credits_charged"], cost, "{request}");
        assert_eq!(account.credits().await, before - cost, "{request}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_ends_while_it_is_cancelled_is_either_completed_or_cancelled() {
    let world = echo();
    let account = world.account(1_000);
    let receiver = Receiver::start().await;
    let mut request = cheap();
    request["webhook_url"] = json!(receiver.url("/hook"));
    let ended = join_all((0..40).map(|_| {
        let (http, request) = (account.http.clone(), request.clone());
        async move {
            let id = http.create(&request).await;
            let cancelled = http.post(&format!("/generations/{id}/cancel"), &json!({})).await;
            let job = http.wait(&id).await;
            assert_eq!(cancelled.status == 200, job["status"] == "failed", "{job}");
            job
        }
    }))
    .await;
    let completed = ended.iter().filter(|job| job["status"] == "completed").count();
    assert_eq!(account.credits().await, 1_000 - 4 * completed as i64);
    let came = receiver.wait_for(40).await;
    for job in &ended {
        let told: Vec<_> = came
            .iter()
            .filter(|came| came.json()["data"]["id"] == job["id"])
            .collect();
        assert_eq!(told.len(), 1, "{job}");
        assert_eq!(told[0].json()["data"], *job);
    }
}
