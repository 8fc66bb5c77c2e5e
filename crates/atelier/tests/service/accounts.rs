//! Commands change accounts, keys and the API switch while the server runs, with immediate effect.

use futures::future::join_all;
use serde_json::json;

use crate::{
    files,
    setup::{ECHO, World, cheap, echo},
};

#[tokio::test]
async fn a_revoked_key_stops_working_immediately_and_other_keys_do_not() {
    let world = echo();
    let account = world.account(100);
    let second = world
        .server
        .json(&["key", "create", &account.name, "--name", "second"]);
    let other = account.http.with_key(second["api_key"].as_str());
    assert_eq!(account.http.get("/balance").await.status, 200);
    assert_eq!(other.get("/balance").await.status, 200);
    let id = account.http.create(&cheap()).await;

    let revoked = world.server.json(&["key", "revoke", &account.key_id]);
    assert!(revoked["revoked_at"].is_string(), "{revoked}");
    for answer in [
        account.http.get("/balance").await,
        account.http.post("/generations", &cheap()).await,
        account.http.upload(files::PNG.to_vec(), "a.png").await,
        account.http.get(&format!("/generations/{id}")).await,
    ] {
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (401, "invalid_api_key")
        );
    }
    assert_eq!(
        other.wait(&id).await["status"],
        "completed",
        "jobs belong to the account"
    );
    let (code, _, complaint) = world.server.command(&["key", "revoke", "nothing"]);
    assert_eq!(code, 1, "{complaint}");
}

#[tokio::test]
async fn an_account_with_a_full_queue_is_refused_until_its_limit_is_raised() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let limits = ["--max-queued", "2", "--max-running", "1"];
    let limited = world
        .server
        .json(&[&["account", "update", &account.name][..], &limits].concat());
    assert_eq!(
        (&limited["max_queued"], &limited["max_running"]),
        (&json!(2), &json!(1))
    );
    for _ in 0..2 {
        account.http.create(&cheap()).await;
    }
    account.queue_is_full(2).await;
    assert_eq!(account.credits().await, 92, "nothing was held for it");
    let unlimited = ["account", "update", &account.name, "--max-queued", "none"];
    assert_eq!(world.server.json(&unlimited)["max_queued"], json!(null));
    account.http.create(&cheap()).await;
    let (code, _, complaint) =
        world
            .server
            .command(&["account", "update", &account.name, "--max-running", "0"]);
    assert_eq!(code, 2, "{complaint}");
}

#[tokio::test]
async fn a_key_is_shown_once_and_never_stored() {
    let world = World::start(ECHO);
    let account = world.account(0);
    assert_eq!(account.http.get("/balance").await.status, 200);
    let shown = world.shown(&account);
    let listed = world.server.json(&["key", "list", &account.name]);
    assert!(account.key.starts_with("atl_"));
    for text in [shown.to_string(), listed.to_string(), world.server.log()] {
        assert!(!text.contains(&account.key), "{text}");
    }
    assert!(
        account.key.starts_with(listed[0]["prefix"].as_str().unwrap()),
        "{listed}"
    );
    for entry in std::fs::read_dir(world.server.data()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes
                .windows(account.key.len())
                .any(|window| window == account.key.as_bytes());
            assert!(!found, "{} holds the key", path.display());
        }
    }
}

#[tokio::test]
async fn the_switch_refuses_all_requests_and_lets_jobs_end() {
    let world = World::start(ECHO);
    let (one, two) = (world.account(100), world.account(100));
    let id = one.http.create(&cheap()).await;
    world.server.json(&["api", "disable"]);
    for http in [&one.http, &two.http] {
        let answer = http.get("/balance").await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (403, "api_disabled")
        );
        assert_eq!(http.post("/generations", &cheap()).await.code(), "api_disabled");
    }
    assert_eq!(
        world.anonymous().get("/balance").await.status,
        401,
        "whose key it is comes first"
    );
    assert_eq!(world.anonymous().get("//healthz").await.status, 200);
    world.server.json(&["api", "enable"]);
    assert_eq!(one.http.wait(&id).await["status"], "completed");
}

#[tokio::test]
async fn beta_and_plan_open_and_close_the_api_immediately() {
    let world = echo();
    let account = world.account(100);
    for (arguments, status) in [
        (vec!["--no-beta"], 403),
        (vec!["--beta"], 200),
        (vec!["--plan", "none"], 403),
        (vec!["--plan", "pro"], 200),
        (vec!["--no-beta", "--plan", "none"], 403),
        (vec!["--plan", "pro"], 403),
        (vec!["--beta"], 200),
    ] {
        world
            .server
            .json(&[&["account", "update", &account.name], &arguments[..]].concat());
        let answer = account.http.get("/balance").await;
        assert_eq!(answer.status, status, "{arguments:?}");
        assert!(status == 200 || answer.code() == "api_disabled", "{arguments:?}");
    }
}

#[tokio::test]
async fn twenty_generations_a_minute_pass_and_the_next_is_told_when_to_retry() {
    let world = echo();
    let account = world.account_with(1_000, &[]);
    let answers = join_all((0..40).map(|_| {
        let http = account.http.clone();
        async move { http.post("/generations", &cheap()).await }
    }))
    .await;
    // One more may pass for every three seconds that this takes.
    let accepted = answers.iter().filter(|answer| answer.status == 201).count();
    assert!((20..=22).contains(&accepted), "{accepted}");
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (429, "rate_limit")
        );
        let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=3).contains(&seconds), "{seconds}");
        assert!(
            answer
                .header("ratelimit")
                .unwrap()
                .starts_with("\"generations\";r=0;"),
            "{answer:?}"
        );
    }
    assert_eq!(
        account.http.get("/generations").await.json()["meta"]["total"],
        accepted
    );
}

#[tokio::test]
async fn an_accounts_own_limit_is_exact_and_can_be_changed() {
    let world = echo();
    let account = world.account_with(1_000, &["--generations-per-minute", "2"]);
    for status in [201, 201, 429, 429] {
        assert_eq!(account.http.post("/generations", &cheap()).await.status, status);
    }
    let limited = account.http.post("/generations", &cheap()).await;
    let seconds: u64 = limited.header("retry-after").unwrap().parse().unwrap();
    assert!(
        (20..=30).contains(&seconds),
        "two a minute are one every 30 s: {seconds}"
    );
    world.server.json(&[
        "account",
        "update",
        &account.name,
        "--generations-per-minute",
        "6000",
    ]);
    assert_eq!(account.http.post("/generations", &cheap()).await.status, 201);
}

#[tokio::test]
async fn an_hour_of_waiting_saves_no_more_than_the_requests_of_a_minute() {
    let world = echo();
    let account = world.account_with(1_000, &["--generations-per-minute", "3"]);
    let mut passed = 0;
    for _ in 0..6 {
        passed += usize::from(account.http.post("/generations", &cheap()).await.status == 201);
    }
    assert_eq!(passed, 3, "a bucket that was never used is full, not more");
}

#[tokio::test]
async fn a_refused_request_does_not_count_against_the_limit() {
    let world = echo();
    let account = world.account_with(8, &["--generations-per-minute", "2"]);
    for _ in 0..5 {
        let wrong = account
            .http
            .post("/generations", &json!({ "model": "image-gen-4" }))
            .await;
        assert_eq!(wrong.status, 400);
        assert!(
            wrong
                .header("ratelimit")
                .unwrap()
                .starts_with("\"generations\";r=2;"),
            "{wrong:?}"
        );
    }
    assert_eq!(account.http.post("/generations", &cheap()).await.status, 201);
    assert_eq!(account.http.post("/generations", &cheap()).await.status, 201);
}
