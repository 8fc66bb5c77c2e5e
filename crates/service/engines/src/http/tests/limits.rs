//! Limits on what one job may take from a server, with servers that never end.

use axum::body::Body;

use super::*;

/// A body without an end, which starts like a PNG.
fn endless() -> Body {
    let first = Ok::<_, std::io::Error>(PNG.to_vec());
    let rest = std::iter::repeat_with(|| Ok(vec![0_u8; 64 << 10]));
    Body::from_stream(futures::stream::iter(std::iter::once(first).chain(rest)))
}

/// An engine that takes at most 1 MiB in files, 4 files, and answers of 64 KiB.
fn limited(profile: &str, url: &str) -> HttpEngine {
    let mut engine = engine(profile, url);
    let limits = &mut engine.provider.server.limits;
    (limits.bytes, limits.files, limits.answer) = (1 << 20, 4, 64 << 10);
    engine
}

/// The failure of a job whose provider answers with these images.
async fn failure_of(images: Vec<Value>, router: Router) -> String {
    let images = json!({ "data": images });
    let router = router.route(
        "/v1/images/generations",
        post(move || {
            let images = images.clone();
            async move { Json(images) }
        }),
    );
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Image, "m", json!({"prompt": "x"}));
    let engine = limited("openai-images", &server.url);
    let ended = tokio::time::timeout(Duration::from_secs(20), case.run(&engine)).await;
    let failure = ended.expect("the download ends").unwrap_err();
    let stored: u64 = std::fs::read_dir(case.job.scratch.path())
        .unwrap()
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    assert!(stored <= 1 << 20, "{stored} bytes were stored");
    failure.message
}

#[tokio::test]
async fn a_file_without_an_end_is_refused() {
    let router = Router::new().route("/endless", get(|| async { endless() }));
    let message = failure_of(vec![json!({"url": "/endless"})], router).await;
    let expected = "the engine's answer cannot be used: its files are larger than 1048576 bytes together";
    assert_eq!(message, expected);
}

#[tokio::test]
async fn the_files_of_a_job_are_limited_together() {
    let part = || async {
        let mut bytes = PNG.to_vec();
        bytes.resize(400 << 10, 0);
        bytes
    };
    let router = Router::new().route("/part", get(part));
    let message = failure_of(vec![json!({"url": "/part"}); 3], router).await;
    assert!(
        message.contains("larger than 1048576 bytes together"),
        "{message}"
    );
}

/// A server with one picture of 400 KiB.
async fn server_of_one() -> StandIn {
    let router = Router::new()
        .route(
            "/v1/images/generations",
            post(|| async { Json(json!({ "data": [{"url": "/part"}] })) }),
        )
        .route(
            "/part",
            get(|| async {
                let mut bytes = PNG.to_vec();
                bytes.resize(400 << 10, 0);
                bytes
            }),
        );
    StandIn::serve(router).await
}

#[tokio::test]
async fn an_output_that_finds_no_room_is_left_to_a_later_attempt() {
    let server = server_of_one().await;
    let case = case(MediaKind::Image, "m", json!({"prompt": "x"})).with_room(300 << 10);
    let failure = case
        .run(&limited("openai-images", &server.url))
        .await
        .unwrap_err();
    assert!(failure.is_retryable(), "{failure}");
    assert_eq!(failure.code, atelier_domain::FailureCode::GenerationFailed);
    let said = "the output files could not be stored: the service has no room for them now";
    assert_eq!(failure.message, said);
    let stored = std::fs::metadata(case.folder.path().join("output-0")).unwrap();
    assert!(stored.len() <= 300 << 10, "{} bytes", stored.len());

    let case = case.with_room(500 << 10);
    let made = case.run(&limited("openai-images", &server.url)).await.unwrap();
    assert_eq!(bytes(&made)[0].len(), 400 << 10);
}

#[tokio::test]
async fn an_output_in_the_answer_itself_needs_room_too() {
    let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, PNG);
    let answer = json!({ "data": [{"b64_json": encoded}] });
    let router = Router::new().route(
        "/v1/images/generations",
        post(move || async move { Json(answer) }),
    );
    let server = StandIn::serve(router).await;
    let engine = limited("openai-images", &server.url);
    let case = case(MediaKind::Image, "m", json!({"prompt": "x"})).with_room(PNG.len() as u64 - 1);
    assert!(case.run(&engine).await.unwrap_err().is_retryable());
    let case = case.with_room(PNG.len() as u64);
    assert_eq!(bytes(&case.run(&engine).await.unwrap()), [PNG]);
}

#[tokio::test]
async fn too_many_files_are_refused_before_the_first_is_downloaded() {
    let router = Router::new().fallback(any(unexpected));
    let message = failure_of(vec![json!({"url": "/any"}); 5], router).await;
    let expected = "the engine's answer cannot be used: it has 5 files; a job may have 4";
    assert_eq!(message, expected);
}

#[tokio::test]
async fn an_answer_without_an_end_is_refused() {
    let router = Router::new().route(
        "/v1/images/generations",
        post(|| async { ([("content-type", "application/json")], endless()) }),
    );
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Image, "m", json!({"prompt": "x"}));
    let failure = case
        .run(&limited("openai-images", &server.url))
        .await
        .unwrap_err();
    assert!(failure.message.contains("longer than 65536 bytes"), "{failure}");
}

#[tokio::test]
async fn an_event_without_an_end_is_refused() {
    let router = Router::new().route(
        "/v1/images/generations",
        post(|| async { ([("content-type", "text/event-stream")], endless()) }),
    );
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Image, "m", json!({"prompt": "x"}));
    let failure = case
        .run(&limited("openai-images", &server.url))
        .await
        .unwrap_err();
    assert_eq!(
        failure.message,
        "the engine's answer cannot be used: an event in it is longer than 65536 bytes"
    );
}

#[tokio::test]
async fn a_body_that_is_the_file_is_limited_too() {
    let router = Router::new().route(
        "/v1/audio/speech",
        post(|| async { ([("content-type", "audio/wav")], endless()) }),
    );
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Audio, "m", json!({"text": "x"}));
    let failure = case
        .run(&limited("openai-speech", &server.url))
        .await
        .unwrap_err();
    assert!(
        failure.message.contains("larger than 1048576 bytes together"),
        "{failure}"
    );
}

#[test]
fn a_user_name_or_password_in_the_url_of_an_engine_is_refused_and_masked() {
    for url in [
        "https://ada:secret@gpu.example/base",
        "https://secret@gpu.example/base",
    ] {
        let error = HttpEngine::new(HttpOptions {
            endpoint: endpoint("provider", url),
            profile: Profile::shipped("cog").unwrap().unwrap(),
            callbacks: Arc::default(),
            rewriter: None,
        })
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "`url` must not contain a user name or password (got https://***@gpu.example/base); \
             use `key_env` or `key_file`"
        );
    }
}
