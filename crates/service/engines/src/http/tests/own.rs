//! Profiles of servers that operators run themselves.

use super::*;

#[tokio::test]
async fn openai_images_answer_immediately_or_reject_by_policy() {
    let router = Router::new().route(
        "/v1/images/generations",
        post(|Json(body): Json<Value>| async move {
            if body["prompt"] == "bad" {
                let error = json!({"error": {"message": "Rejected by our safety system", "code": "x"}});
                return (StatusCode::BAD_REQUEST, Json(error)).into_response();
            }
            let expected = json!({
                "model": "gpt-image", "prompt": "a boat", "n": 1, "size": "1024x1024", "response_format": "b64_json",
            });
            assert_eq!(body, expected);
            Json(json!({"data": [{"b64_json": STANDARD.encode(PNG)}]})).into_response()
        }),
    );
    let server = StandIn::serve(router).await;
    let engine = engine("openai-images", &server.url);
    let good = json!({"prompt": "a boat", "n": 1, "size": "1:1", "resolution": "1K"});
    let good = case(MediaKind::Image, "gpt-image", good);
    let made = good.run(&engine).await.unwrap();
    assert_eq!(bytes(&made), [PNG]);
    let failure = case(MediaKind::Image, "gpt-image", json!({"prompt": "bad"}))
        .run(&engine)
        .await
        .unwrap_err();
    assert_eq!(
        (failure.code, failure.is_retryable()),
        (FailureCode::ContentPolicyViolation, false)
    );
}

#[tokio::test]
async fn openai_speech_is_the_body_of_the_answer() {
    let router = Router::new().route(
        "/v1/audio/speech",
        post(|Json(body): Json<Value>| async move {
            assert_eq!(
                body,
                json!({"model": "tts", "input": "Hello.", "voice": "nova", "response_format": "mp3"})
            );
            ([("content-type", "audio/wav")], WAV)
        }),
    );
    let server = StandIn::serve(router).await;
    let mut case = case(
        MediaKind::Audio,
        "tts",
        json!({"text": "Hello.", "voice": "Wren"}),
    );
    case.job.options.body = Some(json!({"voice": {"from": "voice", "map": {"Wren": "nova"}}}));
    assert_eq!(
        bytes(&case.run(&engine("openai-speech", &server.url)).await.unwrap()),
        [WAV]
    );
}

#[tokio::test]
async fn openai_videos_take_a_form_and_return_the_file_on_request() {
    let router = Router::new()
        .route(
            "/v1/videos",
            post(|mut form: Multipart| async move {
                let mut fields = Vec::new();
                while let Some(field) = form.next_field().await.unwrap() {
                    let name = field.name().unwrap().to_owned();
                    let kind = field.content_type().map(str::to_owned);
                    let bytes = field.bytes().await.unwrap();
                    match kind {
                        Some(kind) => {
                            assert_eq!((kind.as_str(), &bytes[..]), ("image/png", PNG));
                            fields.push((name, "file".to_owned()));
                        }
                        None => fields.push((name, String::from_utf8(bytes.to_vec()).unwrap())),
                    }
                }
                fields.sort();
                let expected = [
                    ("input_reference", "file"),
                    ("model", "wan"),
                    ("prompt", "go"),
                    ("seconds", "5"),
                    ("size", "1280x720"),
                ];
                assert_eq!(
                    fields,
                    expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
                );
                Json(json!({"id": "v1", "status": "queued"}))
            }),
        )
        .route(
            "/v1/videos/v1",
            get(|| async { Json(json!({"id": "v1", "status": "completed", "progress": 100})) }),
        )
        .route(
            "/v1/videos/v1/content",
            get(|| async { ([("content-type", "video/mp4")], MP4) }),
        );
    let server = StandIn::serve(router).await;
    let params = json!({
        "prompt": "go", "duration": 5, "resolution": "720p", "aspect_ratio": "16:9",
        "image_urls": ["https://a.example/x"],
    });
    let case = case(MediaKind::Video, "wan", params).with_input("image_urls", PNG);
    assert_eq!(
        bytes(&case.run(&engine("openai-videos", &server.url)).await.unwrap()),
        [MP4]
    );
}

#[tokio::test]
async fn sd_server_takes_a_size_in_pixels_and_a_picture_as_base64() {
    let router = Router::new()
        .route(
            "/sdcpp/v1/img_gen",
            post(|Json(body): Json<Value>| async move {
                let expected = json!({
                    "prompt": "a boat", "width": 640, "height": 480, "seed": 42, "init_image": STANDARD.encode(PNG),
                    "sample_params": {"sample_steps": 4},
                });
                assert_eq!(body, expected);
                Json(json!({"id": "j", "status": "queued", "poll_url": "/sdcpp/v1/jobs/j"}))
            }),
        )
        .route(
            "/sdcpp/v1/jobs/j",
            get(|| async {
                let image = json!({"b64_json": STANDARD.encode(PNG)});
                Json(json!({"status": "completed", "result": {"images": [image]}}))
            }),
        );
    let server = StandIn::serve(router).await;
    let params = json!({
        "prompt": "a boat", "width": 640, "height": 480, "steps": 4, "image_urls": ["https://a.example/x"],
    });
    let case = case(MediaKind::Image, "sd", params).with_input("image_urls", PNG);
    assert_eq!(
        bytes(&case.run(&engine("sd-server", &server.url)).await.unwrap()),
        [PNG]
    );
}

#[tokio::test]
async fn cog_answers_at_the_end_reports_progress_by_callback_and_recognises_repetitions() {
    let callbacks = Arc::new(Callbacks::default());
    callbacks.open("http://127.0.0.1:1/callbacks/".to_owned(), || "token".to_owned());
    let provider = Arc::clone(&callbacks);
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let router = Router::new().route(
        "/predictions/{id}",
        put(
            move |Path(id): Path<String>, Json(body): Json<Value>| async move {
                assert_eq!(id, our_id());
                assert_eq!(body["webhook"], "http://127.0.0.1:1/callbacks/token");
                let image = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
                assert_eq!(
                    body["input"],
                    json!({"prompt": "a boat", "seed": 42, "image": image})
                );
                if counted.fetch_add(1, Ordering::SeqCst) == 0 {
                    return (
                        StatusCode::CONFLICT,
                        Json(json!({"detail": "Already running a prediction"})),
                    )
                        .into_response();
                }
                assert!(
                    !provider.deliver("guess", json!({})),
                    "an unknown token is rejected"
                );
                assert!(provider.deliver("token", json!({"logs": "progress 1/4"})));
                tokio::time::sleep(Duration::from_millis(50)).await;
                let output = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
                Json(json!({"id": id, "status": "succeeded", "output": output})).into_response()
            },
        ),
    );
    let server = StandIn::serve(router).await;
    let profile = Profile::shipped("cog").unwrap().unwrap();
    let engine = of(profile, &server.url, callbacks);
    let params = json!({"prompt": "a boat", "image": "https://a.example/x.png"});
    let mut case = case(MediaKind::Image, "x", params).with_input("image", PNG);
    let busy = case.run(&engine).await.unwrap_err();
    assert_eq!(
        (busy.code, busy.is_retryable()),
        (FailureCode::GenerationFailed, true)
    );
    // The next attempt finds the remembered request and repeats it.
    case.job.resume = case.remembered.lock().unwrap().first().cloned();
    case.job.attempt = 2;
    assert_eq!(bytes(&case.run(&engine).await.unwrap()), [PNG]);
    assert_eq!(*case.progress.lock().unwrap(), [0.25]);
}

/// Two songs and what they were made from.
fn songs() -> Vec<u8> {
    let head = |kind: &str| format!("--b\r\nContent-Type: {kind}\r\n\r\n").into_bytes();
    let mut body = Vec::new();
    for (kind, content) in [
        ("audio/wav", WAV),
        ("application/octet-stream", b"\0\x01"),
        ("audio/wav", WAV),
    ] {
        body.extend([&head(kind), content, b"\r\n"].concat());
    }
    body.extend(b"--b--\r\n");
    body
}

#[tokio::test]
async fn acestep_composes_a_song_first_and_answers_with_several_parts() {
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let noted = Arc::clone(&asked);
    let job = |request: Request| async move {
        match request.uri().query().unwrap() {
            "id=1" | "id=2" => Json(json!({"status": "done"})).into_response(),
            "id=1&result=1" => Json(json!([{"caption": "enriched", "audio_codes": "7"}])).into_response(),
            "id=2&result=1" => ([("content-type", "multipart/mixed; boundary=b")], songs()).into_response(),
            other => panic!("{other}"),
        }
    };
    let composing = Arc::clone(&asked);
    let router = Router::new()
        .route(
            "/lm",
            post(|Json(body): Json<Value>| async move {
                composing.lock().unwrap().push(body);
                Json(json!({"id": "1"}))
            }),
        )
        .route(
            "/synth",
            post(|Json(body): Json<Value>| async move {
                noted.lock().unwrap().push(body);
                Json(json!({"id": "2"}))
            }),
        )
        .route("/job", get(job));
    let server = StandIn::serve(router).await;
    let case = case(
        MediaKind::Audio,
        "song",
        json!({"prompt": "rain", "make_instrumental": true}),
    );
    let made = case.run(&engine("acestep-cpp", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [WAV, WAV], "the latents are no file");
    let first = json!({"caption": "rain", "lyrics": "[Instrumental]", "seed": 42, "lm_seed": 42});
    let second = json!({"caption": "enriched", "audio_codes": "7"});
    assert_eq!(*asked.lock().unwrap(), [first, second]);
}
