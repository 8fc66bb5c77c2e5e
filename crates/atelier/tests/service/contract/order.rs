//! The order of checks: key, account, rate limit, body, model, parameters, balance.

use reqwest::Method;
use serde_json::{Value, json};

use crate::setup::{Account, cheap, echo};

/// A request that passes the first `right` checks and fails all later ones.
async fn create(account: &Account, key: Option<&str>, body: &str) -> (u16, String) {
    let http = account.http.with_key(key);
    let request = http
        .request(Method::POST, "/generations")
        .header("content-type", "application/json");
    let answer = http.send(request.body(body.to_owned())).await;
    (answer.status.as_u16(), answer.code())
}

const UNREADABLE: &str = "{";
const NO_MODEL: &str = r#"{"model": "nothing", "n": "x"}"#;
const WRONG: &str = r#"{"model": "image-gen-4", "n": "x"}"#;
const DEAR: &str = r#"{"model": "image-gen-4", "prompt": "a fox", "n": 15}"#;

#[tokio::test]
async fn the_answer_is_that_of_the_first_failed_check() {
    let world = echo();
    let refused = |status: u16, code: &str| (status, code.to_owned());
    let account = world.account_with(20, &["--generations-per-minute", "1"]);
    let key = Some(account.key.as_str());

    // Each request also fails all later checks.
    assert_eq!(
        create(&account, None, UNREADABLE).await,
        refused(401, "invalid_api_key")
    );
    assert_eq!(
        create(&account, key, UNREADABLE).await,
        refused(400, "invalid_request")
    );
    assert_eq!(create(&account, key, NO_MODEL).await, refused(404, "not_found"));
    assert_eq!(
        create(&account, key, WRONG).await,
        refused(400, "invalid_request")
    );
    assert_eq!(
        create(&account, key, DEAR).await,
        refused(400, "insufficient_credits")
    );

    // Refused requests do not count, so this is the first of the minute.
    account.http.create(&cheap()).await;
    assert_eq!(
        create(&account, None, UNREADABLE).await,
        refused(401, "invalid_api_key")
    );
    for body in [UNREADABLE, NO_MODEL, WRONG, DEAR] {
        assert_eq!(
            create(&account, key, body).await,
            refused(429, "rate_limit"),
            "{body}"
        );
    }

    world
        .server
        .json(&["account", "update", &account.name, "--no-beta"]);
    assert_eq!(
        create(&account, None, UNREADABLE).await,
        refused(401, "invalid_api_key")
    );
    for body in [UNREADABLE, NO_MODEL, WRONG, DEAR] {
        assert_eq!(
            create(&account, key, body).await,
            refused(403, "api_disabled"),
            "{body}"
        );
    }
}

#[tokio::test]
async fn access_is_checked_before_the_path() {
    let world = echo();
    let account = world.account_with(0, &["--no-beta"]);
    for path in ["/nothing", "/models/nothing", "/generations/x", "/balance"] {
        let answer = account.http.get(path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (403, "api_disabled"),
            "{path}"
        );
    }
    assert_eq!(
        account
            .http
            .send(account.http.request(Method::PUT, "/balance"))
            .await
            .status,
        403
    );
}

#[tokio::test]
async fn all_problems_are_reported_together() {
    let world = echo();
    let account = world.account(100);
    let body = json!({
        "model": "image-gen-4", "n": "5", "size": "5:4", "resolution": null, "colour": "red",
        "webhook_url": "ftp://example.com/", "params": { "prompt": 7 },
    });
    let answer = account.http.post("/generations", &body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (400, "invalid_request")
    );
    let details = answer.json()["error"]["details"].clone();
    let mut named: Vec<&str> = details
        .as_array()
        .unwrap()
        .iter()
        .map(|detail| detail["parameter"].as_str().unwrap())
        .collect();
    named.sort_unstable();
    assert_eq!(
        named,
        ["colour", "n", "prompt", "size", "webhook_url"],
        "{details}"
    );
    for detail in details.as_array().unwrap() {
        assert!(
            answer.message().contains(detail["message"].as_str().unwrap()),
            "{detail}"
        );
    }
    assert!(
        answer.message().contains("resolution"),
        "the message lists the known fields: {}",
        answer.message()
    );
}

#[tokio::test]
async fn fields_are_accepted_at_the_top_or_in_params_and_common_names_map_to_the_models_own() {
    let world = echo();
    let account = world.account(10_000);
    let accepted = |body: Value| {
        let http = account.http.clone();
        async move { http.post("/generations", &body).await }
    };
    for body in [
        json!({ "model": "image-gen-4", "prompt": "a fox", "aspect_ratio": "16:9" }),
        json!({ "model": "image-gen-4", "params": { "prompt": "a fox", "size": "16:9" } }),
        json!({ "model": "image-gen-4", "prompt": "a fox", "params": { "prompt": "a fox" } }),
        json!({ "model": "image-gen-4", "prompt": "a fox", "n": null, "webhook_url": null, "params": null }),
        json!({ "model": "tts-v3", "text": "hello" }),
        json!({ "model": "tts-v3", "prompt": "hello" }),
        json!({ "model": "video-fast-2", "prompt": "a fox", "duration_seconds": 4 }),
        json!({ "model": "video-fast-2", "prompt": "a fox" }),
    ] {
        let answer = accepted(body.clone()).await;
        assert_eq!(answer.status, 201, "{body}: {:?}", answer.bytes);
    }
    for (body, named) in [
        (
            json!({ "model": "image-gen-4", "prompt": "a fox", "params": { "prompt": "an owl" } }),
            "prompt",
        ),
        (
            json!({ "model": "image-gen-4", "prompt": "a fox", "size": "1:1", "aspect_ratio": "16:9" }),
            "aspect_ratio",
        ),
        (
            json!({ "model": "tts-v3", "text": "hello", "prompt": "goodbye" }),
            "text",
        ),
        (
            json!({ "model": "video-fast-2", "prompt": "a fox", "duration": 5, "duration_seconds": 6 }),
            "duration",
        ),
        (
            json!({ "model": "video-fast-2", "prompt": "a fox", "end_frame_url": "https://example.com/a.png" }),
            "start_frame_url",
        ),
        (
            json!({ "model": "image-gen-4", "prompt": "a fox", "quality": "high" }),
            "quality",
        ),
        (
            json!({ "model": "image-gen-4", "prompt": "a fox", "params": [] }),
            "params",
        ),
        (
            json!({ "model": "image-gen-4", "prompt": "a fox", "n": 1.5 }),
            "n",
        ),
        (json!({ "model": 4 }), "model"),
        (json!({ "prompt": "a fox" }), "model"),
    ] {
        let answer = accepted(body.clone()).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{body}"
        );
        assert!(answer.message().contains(named), "{body}: {}", answer.message());
    }
}
