//! Errors: one envelope for every code, on every path.

use reqwest::Method;
use serde_json::json;

use crate::setup::{ECHO, World, assert_wire, cheap, echo};

#[tokio::test]
async fn a_missing_malformed_unknown_or_revoked_key_is_401() {
    let world = echo();
    let account = world.account(0);
    assert_wire!("error_invalid_api_key", world.anonymous().get("/balance").await);
    let unknown = format!("atl_{}", "A".repeat(43));
    let key = &account.key;
    let lowered = key.to_lowercase();
    for header in [
        "",
        "Bearer",
        "Bearer ",
        &format!("Basic {key}"),
        key,
        &format!("Bearer {unknown}"),
        "Bearer atl_short",
        &format!("Bearer {key}x"),
        &format!("Bearer {lowered}"),
        &format!("Bearer {key} {key}"),
        "Bearer \u{e9}",
    ] {
        let request = world
            .anonymous()
            .request(Method::GET, "/balance")
            .header("authorization", header);
        let answer = account.http.send(request).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (401, "invalid_api_key"),
            "{header:?}"
        );
    }
    let twice = account
        .http
        .request(Method::GET, "/balance")
        .header("authorization", format!("Bearer {key}"));
    assert_eq!(account.http.send(twice).await.status, 401, "two headers");
    let lower_scheme = world
        .anonymous()
        .request(Method::GET, "/balance")
        .header("authorization", format!("bearer {key}"));
    assert_eq!(
        account.http.send(lower_scheme).await.status,
        200,
        "schemes have no case"
    );
    world.server.json(&["key", "revoke", &account.key_id]);
    assert_eq!(account.http.get("/balance").await.code(), "invalid_api_key");
}

#[tokio::test]
async fn every_error_code_has_the_same_envelope() {
    let world = echo();
    let account = world.account(4);
    assert_wire!(
        "error_api_disabled",
        world
            .account_with(0, &["--plan", "none"])
            .http
            .get("/balance")
            .await
    );
    let wrong = json!({ "model": "image-gen-4", "n": 16, "size": "5:4", "colour": "red" });
    assert_wire!(
        "error_invalid_request",
        account.http.post("/generations", &wrong).await
    );
    let dear = json!({ "model": "image-gen-4", "prompt": "a fox", "n": 2, "resolution": "1K" });
    assert_wire!(
        "error_insufficient_credits",
        account.http.post("/generations", &dear).await
    );
    assert_wire!(
        "error_not_found_generation",
        account
            .http
            .get("/generations/01890000-0000-7000-8000-000000000000")
            .await
    );
    assert_wire!(
        "error_not_found_model",
        account.http.get("/models/image-gen-5").await
    );
    assert_wire!("error_not_found_path", account.http.get("/nothing").await);
    let limited = world.account_with(100, &["--generations-per-minute", "1"]);
    limited.http.create(&cheap()).await;
    assert_wire!(
        "error_rate_limit",
        limited.http.post("/generations", &cheap()).await
    );
    assert_eq!(account.credits().await, 4);
}

#[tokio::test]
async fn a_wrong_method_is_405_and_says_which_are_right() {
    let world = echo();
    let account = world.account(0);
    for (method, path, allow) in [
        (Method::PUT, "/generations", "GET,HEAD,POST"),
        (
            Method::PUT,
            "/generations/01890000-0000-7000-8000-000000000000",
            "DELETE,GET,HEAD",
        ),
        (
            Method::GET,
            "/generations/01890000-0000-7000-8000-000000000000/cancel",
            "POST",
        ),
        (Method::POST, "/models", "GET,HEAD"),
        (Method::PATCH, "/models/image-gen-4", "GET,HEAD"),
        (Method::GET, "/uploads", "POST"),
        (Method::POST, "/balance", "GET,HEAD"),
        (Method::OPTIONS, "/balance", "GET,HEAD"),
        (Method::POST, "//healthz", "GET,HEAD"),
        (Method::POST, "//openapi.json", "GET,HEAD"),
        (Method::POST, "//media/x.png", "GET,HEAD,OPTIONS"),
    ] {
        let answer = account
            .http
            .send(account.http.request(method.clone(), path))
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (405, "invalid_request"),
            "{method} {path}"
        );
        let mut allowed: Vec<_> = answer
            .header("allow")
            .unwrap()
            .split(',')
            .map(str::trim)
            .collect();
        allowed.sort_unstable();
        assert_eq!(allowed.join(","), allow, "{method} {path}");
    }
    assert_wire!(
        "error_wrong_method",
        account
            .http
            .send(account.http.request(Method::DELETE, "/balance"))
            .await
    );
}

#[tokio::test]
async fn unknown_paths_are_401_without_a_key_below_the_base_path_and_404_with_one() {
    let world = echo();
    let account = world.account(0);
    let paths = [
        "",
        "/",
        "/nothing",
        "/generations/a/b",
        "/Models",
        "/models/",
        "/balance/x",
        "/a%00b",
    ];
    for path in paths {
        let known = account.http.get(path).await;
        assert_eq!(
            (known.status.as_u16(), known.code().as_str()),
            (404, "not_found"),
            "{path:?}"
        );
        let anonymous = world.anonymous().get(path).await;
        assert_eq!(
            (anonymous.status.as_u16(), anonymous.code().as_str()),
            (401, "invalid_api_key"),
            "{path:?}"
        );
    }
    for path in [
        "//nothing",
        "//dev",
        "//dev/v2/models",
        "//media",
        "//media/",
        "//dev/v1models",
    ] {
        let answer = world.anonymous().get(path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (404, "not_found"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_request_below_another_base_path_is_told_the_right_one() {
    let world = echo();
    let account = world.account(0);
    for path in [
        "//generations",
        "//api/v1/generations",
        "//dev/v1models",
        "//v1models",
    ] {
        let answer = world.anonymous().get(path).await;
        assert_eq!(
            answer.message(),
            format!(
                "unknown path `{}`; the API of this service is at `/dev/v1`, and OpenAI's interface at `/v1`",
                &path[1..]
            )
        );
    }
    let openai = account.http.get("//v1/generations").await;
    assert_eq!(
        openai.message(),
        "unknown path `/v1/generations`; `/v1` has OpenAI's paths for models, images, speech and videos only, and the \
         API of this service is at `/dev/v1`"
    );
}

#[tokio::test]
async fn the_answer_to_head_is_that_to_get_without_a_body() {
    let world = echo();
    let account = world.account(0);
    for (path, status) in [
        ("/balance", 200),
        ("/models", 200),
        ("/generations/x", 404),
        ("//healthz", 200),
    ] {
        let answer = account.http.send(account.http.request(Method::HEAD, path)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.bytes.len()),
            (status, 0),
            "{path}"
        );
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
    }
}

// The embedded engines make the long job.
#[cfg(feature = "studio")]
#[tokio::test]
async fn a_draining_server_is_not_ready_and_says_when_to_retry() {
    // A long job keeps it draining.
    let mut world = World::start("[metrics]\nlisten = \"\"\n[server]\nshutdown_grace_seconds = 2\n");
    let account = world.account(10_000);
    let slow = json!({ "model": "image-gen-4", "prompt": "a city of a thousand lights", "resolution": "4K", "n": 15 });
    let id = account.http.create(&slow).await;
    crate::setup::until("the job runs", async || {
        !account.http.get(&format!("/generations/{id}")).await.json()["data"]["started_at"].is_null()
    })
    .await;
    world.server.ask_to_end();
    let http = world.anonymous();
    crate::setup::until("it drains", async || http.get("//readyz").await.status == 503).await;
    assert_wire!("error_unavailable", http.get("//readyz").await);
    assert_eq!(http.get("//healthz").await.status, 200);
    let status = world.server.wait_until_ended(std::time::Duration::from_secs(30));
    assert!(status.success(), "{status}");
}

#[tokio::test]
async fn a_server_without_an_engine_for_a_model_does_not_list_the_model() {
    let config = ECHO.replace("model = \"*\"", "model = \"image-gen-4\"");
    let world = World::start(&config);
    let account = world.account(100);
    let served = account.http.get("/models").await.json();
    for slug in ["video-fast-2", "music-gen"] {
        let listed = served["data"]
            .as_array()
            .unwrap()
            .iter()
            .any(|model| model["slug"] == slug);
        let described = account.http.get(&format!("/models/{slug}")).await;
        let created = account
            .http
            .post("/generations", &json!({ "model": slug, "prompt": "a fox" }))
            .await;
        if listed {
            assert_eq!(described.status, 200, "{slug}");
        } else {
            assert_eq!(
                (described.status.as_u16(), described.code().as_str()),
                (404, "not_found"),
                "{slug}"
            );
            assert_eq!(
                (created.status.as_u16(), created.code().as_str()),
                (404, "not_found"),
                "{slug}"
            );
        }
    }
}

#[tokio::test]
async fn a_path_or_query_that_is_not_utf_8_gets_an_ordinary_error() {
    let world = echo();
    let account = world.account(0);
    for path in [
        "/generations/%FF",
        "/generations/%FF/cancel",
        "/models/%FF",
        "/%FF",
        "//media/%FF",
        "//media/%FF.png",
        "//%FF",
    ] {
        let method = if path.ends_with("cancel") {
            Method::POST
        } else {
            Method::GET
        };
        let answer = account.http.send(account.http.request(method, path)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (404, "not_found"),
            "{path}: {:?}",
            answer.bytes
        );
    }
    for path in [
        "/generations?limit=%FF",
        "/generations?cursor=%FF",
        "/models?q=%FF",
        "/models?%FF=1",
        "/generations?limit=1&limit=2",
    ] {
        let answer = account.http.get(path).await;
        assert!(
            [200, 400].contains(&answer.status.as_u16()),
            "{path}: {}",
            answer.status
        );
        answer.json();
    }
}
