//! The behaviour that all profiles share.

use super::*;

#[tokio::test]
async fn a_remembered_request_is_polled_and_not_sent_again() {
    let router = Router::new()
        .route(
            "/v1/predictions/p1",
            get(|| async { Json(json!({"id": "p1", "status": "succeeded", "output": "/file"})) }),
        )
        .route("/file", get(|| async { PNG }))
        .fallback(any(unexpected));
    let server = StandIn::serve(router).await;
    let mut case = case(MediaKind::Image, "a/b", json!({"prompt": "a boat"}));
    let request = ProviderRequest {
        id: Some("p1".to_owned()),
        ..ProviderRequest::new("before-1".to_owned())
    };
    case.job.resume = Some(as_text(&request));
    let made = case.run(&engine("replicate", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [PNG]);
    assert_eq!(made.metadata["provider_id"], "p1");
}

#[tokio::test]
async fn a_request_that_may_have_been_accepted_is_not_sent_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        // Accepts the request and closes the connection.
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut [0; 4096]).await;
    });
    let case = case(MediaKind::Image, "a/b", json!({"prompt": "a boat"}));
    let failure = case.run(&engine("replicate", &url)).await.unwrap_err();
    assert!(
        !failure.is_retryable() && failure.message.contains("not repeated"),
        "{failure}"
    );
    task.await.unwrap();
    // Without a connection it was certainly not accepted.
    let nobody = engine("replicate", "http://127.0.0.1:9");
    let failure = case.run(&nobody).await.unwrap_err();
    assert!(failure.is_retryable(), "{failure}");
}

#[tokio::test]
async fn an_answer_of_another_kind_is_refused() {
    let router = Router::new().route(
        "/v1/images/generations",
        post(|| async { Json(json!({"data": [{"b64_json": STANDARD.encode(b"<html>sorry</html>")}]})) }),
    );
    let server = StandIn::serve(router).await;
    let failure = case(MediaKind::Image, "m", json!({"prompt": "x"}))
        .run(&engine("openai-images", &server.url))
        .await
        .unwrap_err();
    assert_eq!(
        failure.message,
        "the engine's answer cannot be used: expected an image, but a file is of an unknown type"
    );
}

#[tokio::test]
async fn files_elsewhere_are_fetched_through_the_guard_and_without_the_key() {
    let elsewhere = StandIn::serve(Router::new().route(
        "/x.png",
        get(|headers: HeaderMap| async move {
            assert!(
                headers.get("authorization").is_none(),
                "the key left the provider"
            );
            PNG
        }),
    ))
    .await;
    let address = format!("{}/x.png", elsewhere.url);
    let router = Router::new().route(
        "/v1/images/generations",
        post(move || {
            let address = address.clone();
            async move { Json(json!({"data": [{"url": address}]})) }
        }),
    );
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Image, "m", json!({"prompt": "x"}));
    let mut engine = engine("openai-images", &server.url);
    let failure = case.run(&engine).await.unwrap_err();
    assert!(failure.message.contains("is not a public host"), "{failure}");
    engine.provider.server.guarded =
        Outbound::new(Guard { allow_private: true }, Timeouts::default()).unwrap();
    assert_eq!(bytes(&case.run(&engine).await.unwrap()), [PNG]);
}

#[tokio::test]
async fn cancelling_reaches_the_provider() {
    let cancelled = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&cancelled);
    let router = Router::new().route(
        "/v1/predictions/{id}/cancel",
        post(move |Path(id): Path<String>| async move {
            seen.lock().unwrap().push(id);
            StatusCode::OK
        }),
    );
    let server = StandIn::serve(router).await;
    let request = ProviderRequest {
        id: Some("p1".to_owned()),
        ..ProviderRequest::new("x-1".to_owned())
    };
    engine("replicate", &server.url).abandon(&as_text(&request)).await;
    assert_eq!(*cancelled.lock().unwrap(), ["p1"]);
}

#[tokio::test]
async fn a_hundred_requests_run_at_a_provider_without_delaying_each_other() {
    let router = Router::new()
        .route(
            "/v1/models/a/b/predictions",
            post(|| async { Json(json!({"id": "p", "status": "starting"})) }),
        )
        .route(
            "/v1/predictions/p",
            get(|| async { Json(json!({"status": "succeeded", "output": "/f"})) }),
        )
        .route("/f", get(|| async { PNG }));
    let server = StandIn::serve(router).await;
    let engine = Arc::new(engine("replicate", &server.url));
    let jobs = (0..100).map(|_| {
        let engine = Arc::clone(&engine);
        async move {
            bytes(
                &case(MediaKind::Image, "a/b", json!({"prompt": "x"}))
                    .run(&*engine)
                    .await
                    .unwrap(),
            )
        }
    });
    for made in futures::future::join_all(jobs).await {
        assert_eq!(made, [PNG]);
    }
}

const STREAMING: &str = r#"
about = "answers in events"
url = "http://127.0.0.1:1"
[submit]
path = "/make"
body = { prompt = { from = "prompt" }, stream = true }
[answer]
state = "/type"
error = ["/message"]
progress = { at = "/step", of = 4 }
states = { waiting = ["step"], done = ["completed"], failed = ["error"] }
[outputs]
at = ["/b64_json"]
"#;

#[tokio::test]
async fn events_report_progress_and_end_with_the_file_or_the_error() {
    let router = Router::new().route(
        "/make",
        post(|Json(body): Json<Value>| async move {
            assert_eq!(body["stream"], true);
            let last = match body["prompt"].as_str() {
                Some("bad") => json!({"type": "error", "message": "out of memory"}),
                Some("leak") => json!({"type": "error", "message": "the key sesame is used up"}),
                _ => json!({"type": "completed", "b64_json": STANDARD.encode(PNG)}),
            };
            let events = [
                json!({"type": "step", "step": 1}),
                json!({"type": "step", "step": 3}),
                last,
            ];
            let text = events.map(|event| format!("data: {event}\n\n")).concat();
            ([("content-type", "text/event-stream")], text + "data: [DONE]\n\n")
        }),
    );
    let server = StandIn::serve(router).await;
    let profile = Profile::parse("streaming", STREAMING).unwrap();
    let engine = of(profile, &server.url, Arc::default());
    let good = case(MediaKind::Image, "m", json!({"prompt": "a boat"}));
    assert_eq!(bytes(&good.run(&engine).await.unwrap()), [PNG]);
    assert_eq!(*good.progress.lock().unwrap(), [0.25, 0.75]);
    let bad = case(MediaKind::Image, "m", json!({"prompt": "bad"}));
    let failure = bad.run(&engine).await.unwrap_err();
    assert_eq!(failure.message, "the engine failed: out of memory");
    let leaking = case(MediaKind::Image, "m", json!({"prompt": "leak"}));
    let failure = leaking.run(&engine).await.unwrap_err();
    assert_eq!(failure.message, "the engine failed: the key *** is used up");
}

#[tokio::test]
async fn a_key_that_a_provider_repeats_is_masked() {
    let failed = json!({"id": "p1", "status": "failed", "error": "quota of sesame exceeded"});
    let router = Router::new().route(
        "/v1/models/a/b/predictions",
        post(move || async move { (StatusCode::CREATED, Json(failed)) }),
    );
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Image, "a/b", json!({"prompt": "a boat"}));
    let failure = case.run(&engine("replicate", &server.url)).await.unwrap_err();
    assert_eq!(failure.message, "the engine failed: quota of *** exceeded");
}

#[tokio::test]
async fn an_idempotent_request_without_a_poll_is_polled_by_repeating_it() {
    let polls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&polls);
    let router = Router::new().route(
        "/predictions/{id}",
        put(move |Path(id): Path<String>| async move {
            assert_eq!(id, our_id());
            if counted.fetch_add(1, Ordering::SeqCst) == 0 {
                let waiting = json!({"id": id, "status": "processing"});
                return (StatusCode::ACCEPTED, Json(waiting));
            }
            let output = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
            let done = json!({"id": id, "status": "succeeded", "output": output});
            (StatusCode::OK, Json(done))
        }),
    );
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Image, "m", json!({"prompt": "a boat"}));
    let made = case.run(&engine("cog", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [PNG]);
    assert_eq!(polls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_unhealthy_provider_is_reported() {
    for (status, is_healthy) in [("READY", true), ("UNHEALTHY", false)] {
        let answer = move || async move { Json(json!({"status": status})) };
        let server = StandIn::serve(Router::new().route("/health-check", get(answer))).await;
        let said = engine("cog", &server.url).health().await;
        assert_eq!(said.is_ok(), is_healthy, "{said:?}");
        assert!(said.unwrap_or_else(|said| said).ends_with(status));
    }
}
