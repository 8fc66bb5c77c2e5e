//! Inputs from other servers are fetched through the guard, within limits, and identified by their bytes.

use std::time::Duration;

use axum::{
    Router,
    body::Body,
    http::{StatusCode, header},
    response::{IntoResponse as _, Redirect},
    routing::get,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{
    files,
    planned::{self, Plan},
    setup::{Account, ECHO, World, echo, shared},
    webhooks::GUARDED,
};

/// A host that serves files, some of them badly.
async fn host() -> String {
    let router = Router::new()
        .route("/a.png", get(|| async { files::PNG }))
        .route(
            "/typed",
            get(|| async { ([(header::CONTENT_TYPE, "text/html")], files::PNG) }),
        )
        .route(
            "/page.png",
            get(|| async { ([(header::CONTENT_TYPE, "image/png")], "<html></html>") }),
        )
        .route("/video.png", get(|| async { files::MP4 }))
        .route("/empty.png", get(|| async { "" }))
        .route("/missing.png", get(|| async { StatusCode::NOT_FOUND }))
        .route("/once", get(|| async { Redirect::temporary("/a.png") }))
        .route("/loop", get(|| async { Redirect::temporary("/loop") }))
        .route(
            "/file",
            get(|| async { (StatusCode::FOUND, [(header::LOCATION, "file:///etc/passwd")]).into_response() }),
        )
        .route("/large.png", get(|| async { files::png_of((1 << 20) + 1) }))
        .route(
            "/endless.png",
            get(|| async {
                let chunks = futures::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![0; 65_536]));
                Body::from_stream(futures::StreamExt::chain(
                    futures::stream::iter([Ok(files::PNG.to_vec())]),
                    chunks,
                ))
            }),
        )
        .route(
            "/slow.png",
            get(|| async {
                let slow = futures::stream::unfold(0, |index| async move {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    Some((
                        Ok::<_, std::io::Error>(vec![files::PNG[index % files::PNG.len()]]),
                        index + 1,
                    ))
                });
                Body::from_stream(slow)
            }),
        );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    origin
}

async fn job_with(account: &Account, url: &str) -> Value {
    let id = account
        .http
        .create(&json!({ "model": "upscale", "image_urls": [url] }))
        .await;
    account.http.wait(&id).await
}

async fn fails_with_invalid_input(account: &Account, url: &str) {
    let job = job_with(account, url).await;
    assert_eq!(
        (&job["status"], &job["error"]["code"]),
        (&json!("failed"), &json!("invalid_input")),
        "{url}: {job}"
    );
    let message = job["error"]["message"].as_str().unwrap();
    assert!(message.contains("image_urls"), "{url}: {message}");
}

#[tokio::test]
async fn an_input_is_fetched_through_redirects_and_identified_by_its_bytes() {
    let world = echo();
    let account = world.account(100);
    let host = host().await;
    for path in ["/a.png", "/typed", "/once"] {
        let job = job_with(&account, &format!("{host}{path}")).await;
        assert_eq!(job["status"], "completed", "{path}: {job}");
    }
}

#[tokio::test]
async fn an_input_of_the_wrong_type_or_a_missing_input_fails_the_job() {
    let world = echo();
    let account = world.account(100);
    let host = host().await;
    for path in [
        "/page.png",
        "/video.png",
        "/empty.png",
        "/missing.png",
        "/loop",
        "/file",
    ] {
        fails_with_invalid_input(&account, &format!("{host}{path}")).await;
    }
    assert_eq!(account.credits().await, 100);
    assert_eq!(world.scratch(), Vec::<String>::new());
}

#[tokio::test]
async fn an_input_that_is_too_large_or_too_slow_fails_the_job() {
    let mut world = World::prepare(ECHO);
    planned::start(
        &mut world.server,
        &Plan {
            input_timeout_seconds: 1,
            ..Plan::calm()
        },
    );
    let account = world.account(100);
    let host = host().await;
    for path in ["/large.png", "/endless.png"] {
        fails_with_invalid_input(&account, &format!("{host}{path}")).await;
    }
    let slow = job_with(&account, &format!("{host}/slow.png")).await;
    assert_eq!(slow["error"]["code"], "invalid_input", "{slow}");
    assert_eq!(account.credits().await, 100);
    assert_eq!(world.scratch(), Vec::<String>::new());
}

#[tokio::test]
async fn private_addresses_are_never_fetched() {
    let world = shared(GUARDED);
    let account = world.account(1_000);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    for name in [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "10.0.0.1",
        "169.254.169.254",
        "[fe80::1]",
    ] {
        let url = format!("http://{name}:{port}/a.png");
        let answer = account
            .http
            .post(
                "/generations",
                &json!({ "model": "upscale", "image_urls": [url] }),
            )
            .await;
        // Such a URL may already be refused at submission.
        if answer.status == 400 {
            assert!(
                answer.message().contains("image_urls"),
                "{name}: {}",
                answer.message()
            );
            continue;
        }
        let job = account
            .http
            .wait(answer.json()["data"]["id"].as_str().unwrap())
            .await;
        assert_eq!(
            (&job["status"], &job["error"]["code"]),
            (&json!("failed"), &json!("invalid_input")),
            "{name}: {job}"
        );
    }
    let came = tokio::time::timeout(Duration::from_millis(300), listener.accept()).await;
    assert!(came.is_err(), "somebody connected");
    assert_eq!(account.credits().await, 1_000);
}
