//! Keys with limits, set by commands and seen through HTTP.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::{
    files,
    setup::{Account, ECHO, World, cheap, echo},
};

/// Creates a key with these limits and returns its client and its id.
fn key(world: &World, account: &Account, limits: &[&str]) -> (atelier_testkit::Http, String) {
    let created = world
        .server
        .json(&[&["key", "create", &account.name][..], limits].concat());
    let id = created["id"].as_str().unwrap().to_owned();
    (account.http.with_key(created["api_key"].as_str()), id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_clients_spend_exactly_the_last_credits_of_a_key() {
    let world = echo();
    let account = world.account(10_000);
    // Enough for 10 jobs of 4 credits, with 3 credits left.
    let (http, id) = key(&world, &account, &["--credits-per-day", "43"]);
    let answers = join_all((0..64).map(|_| {
        let http = http.clone();
        async move { http.post("/generations", &cheap()).await }
    }))
    .await;
    let accepted = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(accepted, 10);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        let got = (answer.status.as_u16(), answer.code());
        assert_eq!(got, (400, "insufficient_credits".to_owned()));
        assert_eq!(
            answer.message(),
            "the job is estimated at 4 credits, and the limit `credits_per_day` of this key allows 43, of which 40 \
             are spent or held: wait for the next day (UTC), or ask for a higher limit"
        );
        assert_eq!(
            answer.json()["error"]["details"][0]["parameter"],
            "credits_per_day"
        );
    }
    assert_eq!(account.http.post("/generations", &cheap()).await.status, 201);
    let raised = world
        .server
        .json(&["key", "update", &id, "--credits-per-day", "44"]);
    assert_eq!(raised["limits"]["credits_per_day"], 44);
    assert_eq!(http.post("/generations", &cheap()).await.status, 201);
    assert_eq!(http.post("/generations", &cheap()).await.status, 400);
    let listed = world.server.json(&["key", "list", &account.name]);
    let of_key = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|key| key["id"] == id.as_str());
    assert_eq!(of_key.unwrap()["credits_today"], 44);
    assert_eq!(of_key.unwrap()["generations_this_month"], 11);
    world.audit();
}

#[tokio::test]
async fn every_route_asks_for_its_scope_also_in_openais_form() {
    let world = World::without_workers(ECHO);
    let account = world.account(1_000);
    let id = account.http.create(&cheap()).await;
    let job = format!("/generations/{id}");
    let picture = json!({ "model": "image-gen-4", "prompt": "a fox" });
    for scope in ["read", "generate", "upload", "webhooks"] {
        let (http, _) = key(&world, &account, &["--scopes", scope]);
        let may = |scopes: &[&str]| scopes.contains(&scope);
        let upload = http.upload(files::PNG.to_vec(), "a.png").await;
        let cancelled = account.http.create(&cheap()).await;
        let cancel = format!("/generations/{cancelled}/cancel");
        let unknown = "/webhooks/deliveries/01a1fc60-b087-74aa-9ac4-bdbca49fe86d";
        let videos = http.request(reqwest::Method::GET, "//v1/videos");
        let seen = [
            ("list", may(&["read"]), http.get("/generations").await),
            ("requests", may(&["read"]), http.get("/requests").await),
            ("balance", may(&["read"]), http.get("/balance").await),
            (
                "deliveries",
                may(&["read"]),
                http.get("/webhooks/deliveries").await,
            ),
            ("delivery", may(&["read", "webhooks"]), http.get(unknown).await),
            ("one", may(&["read", "generate"]), http.get(&job).await),
            (
                "its request",
                may(&["read", "generate"]),
                http.get(&format!("{job}/request")).await,
            ),
            (
                "create",
                may(&["generate"]),
                http.post("/generations", &cheap()).await,
            ),
            ("cancel", may(&["generate"]), http.post(&cancel, &json!({})).await),
            ("upload", may(&["upload"]), upload),
            (
                "redeliver",
                may(&["webhooks"]),
                http.post("/webhooks/deliveries/redeliver-failed", &json!({}))
                    .await,
            ),
            ("videos in OpenAI's form", may(&["read"]), http.send(videos).await),
            ("models", true, http.get("/models").await),
        ];
        for (what, allowed, answer) in seen {
            let refused = answer.status == 403;
            assert_eq!(refused, !allowed, "{scope}: {what}: {}", answer.status);
            if refused && !what.contains("OpenAI") {
                assert_eq!(answer.code(), "api_disabled");
                assert_eq!(answer.json()["error"]["details"][0]["parameter"], "scopes");
                let says = format!("its scopes are `{scope}`");
                assert!(answer.message().ends_with(&says), "{}", answer.message());
            }
        }
        let made = http.request(reqwest::Method::POST, "//v1/images/generations");
        let made = http.send(made.json(&picture));
        // Without workers, the answer to an accepted one does not come.
        let made = tokio::time::timeout(std::time::Duration::from_millis(300), made).await;
        assert_eq!(made.is_ok_and(|answer| answer.status == 403), scope != "generate");
    }
}

#[tokio::test]
async fn models_networks_requests_and_expiry_limit_a_key() {
    let world = World::without_workers(ECHO);
    let account = world.account(1_000);
    let (http, _) = key(&world, &account, &["--models", "music-*,upscale"]);
    let refused = http.post("/generations", &cheap()).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (403, "api_disabled")
    );
    assert_eq!(
        refused.message(),
        "this key may not use the model `image-gen-4`; its limit `models` allows `music-*`, `upscale`"
    );
    let music = json!({ "model": "music-gen", "prompt": "a waltz" });
    assert_eq!(http.post("/generations", &music).await.status, 201);

    let (http, id) = key(&world, &account, &["--networks", "192.0.2.0/24"]);
    let refused = http.get("/balance").await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (403, "api_disabled")
    );
    assert_eq!(
        refused.message(),
        "this key may not be used from `127.0.0.1`; its limit `networks` allows `192.0.2.0/24`"
    );
    world
        .server
        .json(&["key", "update", &id, "--networks", "127.0.0.0/8"]);
    assert_eq!(http.get("/balance").await.status, 200);

    let (http, _) = key(&world, &account, &["--requests-per-minute", "2"]);
    for _ in 0..2 {
        assert_eq!(http.get("/balance").await.status, 200);
    }
    let refused = http.get("/balance").await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (429, "rate_limit")
    );
    assert_eq!(refused.header("retry-after"), Some("30"));
    assert!(refused.message().contains("`requests_per_minute` is 2"));

    let (http, id) = key(&world, &account, &["--expires", "1d"]);
    assert_eq!(http.get("/balance").await.status, 200);
    let past = ["key", "update", &id, "--expires", "2020-01-01"];
    let (code, _, complaint) = world.server.command(&past);
    assert_eq!(code, 1, "{complaint}");
    assert!(
        complaint.contains("`expires_at` must be in the future"),
        "{complaint}"
    );
    let (code, _, complaint) = world
        .server
        .command(&["key", "create", &account.name, "--scopes", "write"]);
    assert_eq!(code, 2, "{complaint}");
}

#[tokio::test]
async fn a_rotated_key_and_the_one_before_work_side_by_side() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let (old, id) = key(&world, &account, &["--scopes", "read"]);
    let rotated = world.server.json(&["key", "rotate", &id, "--overlap", "24h"]);
    assert_eq!(rotated["id"], id.as_str());
    assert_eq!(rotated["limits"]["scopes"], json!(["read"]), "limits stay");
    let new = old.with_key(rotated["api_key"].as_str());
    for http in [&old, &new] {
        assert_eq!(http.get("/balance").await.status, 200);
        assert_eq!(http.post("/generations", &cheap()).await.status, 403);
    }
    let newest = world.server.json(&["key", "rotate", &id, "--overlap", "0m"]);
    for http in [&old, &new] {
        let refused = http.get("/balance").await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (401, "invalid_api_key")
        );
    }
    assert_eq!(
        old.with_key(newest["api_key"].as_str())
            .get("/balance")
            .await
            .status,
        200
    );
    let (code, _, complaint) = world.server.command(&["key", "rotate", &id, "--overlap", "31d"]);
    assert_eq!(code, 1, "{complaint}");
}

#[tokio::test]
async fn a_monthly_budget_stops_all_keys_of_an_account() {
    let world = World::without_workers(ECHO);
    let account = world.account(1_000);
    account.http.create(&cheap()).await;
    let budget = |credits: &str| -> Value {
        let update = ["account", "update", &account.name, "--monthly-budget", credits];
        world.server.json(&update)
    };
    assert_eq!(budget("8")["monthly_budget"], 8);
    account.http.create(&cheap()).await;
    let refused = account.http.post("/generations", &cheap()).await;
    let got = (refused.status.as_u16(), refused.code());
    assert_eq!(got, (400, "insufficient_credits".to_owned()));
    assert!(
        refused
            .message()
            .contains("the limit `monthly_budget` of the account allows 8, of which 8 are spent or held"),
        "{}",
        refused.message()
    );
    assert_eq!(budget("none")["monthly_budget"], json!(null));
    account.http.create(&cheap()).await;
    world.audit();
}

#[tokio::test]
async fn what_a_job_was_asked_for_can_be_read_again() {
    let world = World::without_workers(ECHO);
    let account = world.account(100);
    let asked = json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "1K", "n": 2 });
    let id = account.http.create(&asked).await;
    let told = account
        .http
        .get(&format!("/generations/{id}/request"))
        .await
        .json();
    let expected = json!({
        "id": id,
        "model": "image-gen-4",
        "params": { "prompt": "a fox", "resolution": "1K", "size": "1:1", "n": 2 },
        "webhook_url": null,
        "credits_estimated": 8,
        "credits_charged": null,
    });
    assert_eq!(told["data"], expected);
    let other = world.account(0);
    let theirs = other.http.get(&format!("/generations/{id}/request")).await;
    assert_eq!(theirs.status, 404);
}
