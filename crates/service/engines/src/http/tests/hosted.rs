//! Profiles of hosted providers.

use super::*;

#[tokio::test]
async fn replicate_is_polled_until_the_prediction_is_done() {
    let polls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&polls);
    let router = Router::new()
        .route(
            "/v1/models/black-forest-labs/flux-schnell/predictions",
            post(|headers: HeaderMap, Json(body): Json<Value>| async move {
                asserts_key(&headers, "authorization", "Bearer sesame");
                assert_eq!(body, json!({"input": {"prompt": "a boat", "num_outputs": 2}}));
                (
                    StatusCode::CREATED,
                    Json(json!({"id": "p1", "status": "starting"})),
                )
            }),
        )
        .route(
            "/v1/predictions/p1",
            get(move || async move {
                Json(match counted.fetch_add(1, Ordering::SeqCst) {
                    0 => json!({"id": "p1", "status": "processing", "logs": "1/4\n2/4"}),
                    _ => json!({
                        "id": "p1", "status": "succeeded", "output": ["/files/0", "/files/1"],
                        "metrics": {"predict_time": 1.5},
                    }),
                })
            }),
        )
        .route("/files/{n}", get(|| async { PNG }));
    let server = StandIn::serve(router).await;
    let mut case = case(
        MediaKind::Image,
        "black-forest-labs/flux-schnell",
        json!({"prompt": "a boat", "n": 2, "seed": null}),
    );
    case.job.options.body = Some(json!({"input": {"num_outputs": {"from": "n"}}}));
    let made = case.run(&engine("replicate", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [PNG, PNG]);
    assert_eq!(
        Value::Object(made.metadata),
        json!({"engine": "provider", "provider_id": "p1", "provider_cost": 1.5})
    );
    assert_eq!(*case.progress.lock().unwrap(), [0.5]);
    let request = ProviderRequest {
        id: Some("p1".to_owned()),
        ..ProviderRequest::new(our_id())
    };
    assert_eq!(*case.remembered.lock().unwrap(), [as_text(&request)]);
}

#[tokio::test]
async fn fal_names_the_addresses_of_a_request_itself() {
    let router = Router::new()
        .route(
            "/fal-ai/wan/image-to-video",
            post(|State(url): State<Arc<Mutex<String>>>, headers: HeaderMap, Json(body): Json<Value>| async move {
                asserts_key(&headers, "authorization", "Key sesame");
                assert_eq!(body, json!({"prompt": "go", "image_url": "https://a.example/x.png"}));
                let url = url.lock().unwrap().clone();
                Json(json!({
                    "request_id": "r1", "status_url": format!("{url}/s"), "response_url": format!("{url}/r"),
                    "cancel_url": format!("{url}/c"),
                }))
            }),
        )
        .route("/s", get(|| async { Json(json!({"status": "COMPLETED"})) }))
        .route("/r", get(|State(url): State<Arc<Mutex<String>>>| async move {
            let url = url.lock().unwrap().clone();
            Json(json!({"video": {"url": format!("{url}/v.mp4")}}))
        }))
        .route("/v.mp4", get(|| async { MP4 }));
    let url = Arc::new(Mutex::new(String::new()));
    let server = StandIn::serve(router.with_state(Arc::clone(&url))).await;
    *url.lock().unwrap() = server.url.clone();
    let params = json!({"prompt": "go", "image_urls": ["https://a.example/x.png"]});
    let mut case = case(MediaKind::Video, "fal-ai/wan/image-to-video", params);
    case.job.options.body = Some(json!({"image_url": {"from": "image_urls", "at": 0}}));
    let made = case.run(&engine("fal", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [MP4]);
}

#[tokio::test]
async fn kie_returns_results_and_refusals_inside_its_answers() {
    let refused = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&refused);
    let router = Router::new()
        .route(
            "/api/v1/jobs/createTask",
            post(move |Json(body): Json<Value>| async move {
                assert_eq!(body, json!({"model": "suno", "input": {"prompt": "a song"}}));
                Json(match counted.fetch_add(1, Ordering::SeqCst) {
                    0 => json!({"code": 429, "msg": "slow down"}),
                    _ => json!({"code": 200, "msg": "success", "data": {"taskId": "t1"}}),
                })
            }),
        )
        .route(
            "/api/v1/jobs/recordInfo",
            get(|request: Request| async move {
                assert_eq!(request.uri().query(), Some("taskId=t1"));
                let result = json!({"resultUrls": ["/song"]}).to_string();
                Json(json!({"code": 200, "data": {"state": "success", "resultJson": result, "creditsConsumed": 12}}))
            }),
        )
        .route("/song", get(|| async { WAV }));
    let server = StandIn::serve(router).await;
    let case = case(MediaKind::Audio, "suno", json!({"prompt": "a song"}));
    let engine = engine("kie", &server.url);
    let failure = case.run(&engine).await.unwrap_err();
    assert_eq!(
        (failure.code, failure.is_retryable()),
        (FailureCode::RateLimited, true)
    );
    let made = case.run(&engine).await.unwrap();
    assert_eq!(bytes(&made), [WAV]);
    assert_eq!(made.metadata["provider_cost"], 12);
}

#[tokio::test]
async fn elevenlabs_returns_word_times() {
    let router = Router::new().route(
        "/v1/text-to-speech/Wren/with-timestamps",
        post(|headers: HeaderMap, Json(body): Json<Value>| async move {
            asserts_key(&headers, "xi-api-key", "sesame");
            assert_eq!(
                body,
                json!({"text": "Hi you", "model_id": "v3", "voice_settings": {"stability": 0.5}})
            );
            Json(json!({
                "audio_base64": STANDARD.encode(WAV),
                "alignment": {
                    "characters": ["H", "i", " ", "y", "o", "u"],
                    "character_start_times_seconds": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5],
                    "character_end_times_seconds": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
                },
            }))
        }),
    );
    let server = StandIn::serve(router).await;
    let params = json!({"text": "Hi you", "voice": "Wren", "stability": 0.5});
    let case = case(MediaKind::Audio, "v3", params);
    let made = case.run(&engine("elevenlabs", &server.url)).await.unwrap();
    let files = bytes(&made);
    assert_eq!(files[0], WAV);
    let expected = json!({"words": [
        {"word": "Hi", "start": 0.0, "end": 0.2, "from": 0, "to": 2},
        {"word": "you", "start": 0.3, "end": 0.6, "from": 3, "to": 6},
    ]});
    assert_eq!(serde_json::from_slice::<Value>(&files[1]).unwrap(), expected);
}
