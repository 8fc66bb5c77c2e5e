//! The log of API requests, on a real server.

use std::time::Duration;

use serde_json::{Value, json};

use crate::setup::{Account, ECHO, World, cheap};

/// The log, once it has this many entries.
async fn log(account: &Account, query: &str, entries: u64) -> Vec<Value> {
    let until = tokio::time::Instant::now() + Duration::from_secs(10);
    loop {
        let answer = account.http.get(&format!("/requests{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        let page = answer.json();
        if page["meta"]["total"].as_u64() >= Some(entries) || tokio::time::Instant::now() > until {
            return page["data"].as_array().unwrap().clone();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
async fn requests_are_logged_with_key_code_and_job_and_polls_are_counted_together() {
    let world = World::without_workers(ECHO);
    let account = world.account(1_000);
    let id = account.http.create(&cheap()).await;
    let poll = format!("/generations/{id}");
    for _ in 0..20 {
        assert_eq!(account.http.get(&poll).await.status, 200);
    }
    let wrong = json!({ "model": "image-gen-4", "prompt": "a fox", "n": 99 });
    let refused = account.http.post("/generations", &wrong).await;
    assert_eq!(refused.status, 400);
    let unknown = account.http.get("/generations/nothing?wait=1").await;
    assert_eq!(unknown.status, 404);
    assert_eq!(account.http.get("//v1/videos/nothing").await.status, 404);
    let failed = log(&account, "?status=4xx", 3).await;
    let shown: Vec<_> = failed
        .iter()
        .map(|one| {
            (
                one["path"].as_str().unwrap(),
                one["status"].as_u64(),
                one["code"].as_str(),
            )
        })
        .collect();
    let base = "/dev/v1";
    assert_eq!(
        shown,
        [
            ("/v1/videos/nothing", Some(404), Some("not_found")),
            (
                &*format!("{base}/generations/nothing"),
                Some(404),
                Some("not_found")
            ),
            (
                &*format!("{base}/generations"),
                Some(400),
                Some("invalid_request")
            ),
        ],
        "newest first, and without queries"
    );
    assert_eq!(failed[2]["request_id"].as_str(), refused.header("x-request-id"));
    let all = log(&account, &format!("?key={}&limit=100", account.key_id), 5).await;
    let created = all.iter().find(|one| one["status"] == 201).unwrap();
    assert_eq!(
        (created["method"].as_str(), created["generation"].as_str()),
        (Some("POST"), Some(&*id))
    );
    assert_eq!(created["key"]["id"], account.key_id.as_str());
    let polls: Vec<_> = all
        .iter()
        .filter(|one| one["path"] == format!("{base}{poll}").as_str())
        .collect();
    let counted: u64 = polls.iter().map(|one| one["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, 20);
    assert!(polls.len() <= 2, "one for each minute: {polls:?}");
    let other = world.account(0);
    assert_eq!(
        log(&other, "", 0).await,
        Vec::<Value>::new(),
        "an account sees its own requests only"
    );
    let none = account.http.get("/requests?status=404").await;
    assert_eq!(
        (none.status.as_u16(), none.code()),
        (400, "invalid_request".to_owned())
    );
}

#[tokio::test]
async fn a_key_that_is_refused_is_logged_and_a_stop_writes_what_is_left() {
    let mut world = World::without_workers(ECHO);
    let account = world.account(1_000);
    let made = world.server.json(&[
        "key",
        "create",
        &account.name,
        "--scopes",
        "read",
        "--networks",
        "192.0.2.0/24",
    ]);
    let refused = account.http.with_key(made["api_key"].as_str());
    assert_eq!(refused.get("/balance").await.status, 403);
    assert!(world.server.terminate().success());
    world.server.start();
    let account = Account {
        http: world.server.http(&account.key),
        ..account
    };
    let failed = log(&account, "?status=4xx", 1).await;
    assert_eq!(failed[0]["code"], "api_disabled");
    assert_eq!(failed[0]["key"]["id"], made["id"]);
}
