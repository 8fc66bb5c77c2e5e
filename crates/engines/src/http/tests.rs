//! Each shipped profile against a stand-in that is strict about what it is sent.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU32, Ordering},
};

use atelier_domain::{FailureCode, FileFacts, GenerationId, MediaType};
use axum::{
    Json, Router,
    extract::{Multipart, Path, Request, State},
    http::{HeaderMap, StatusCode},
    response::IntoResponse,
    routing::{any, get, post, put},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{Asked, Input, Memory};

const PNG: &[u8] = include_bytes!("../../assets/echo.png");
const MP4: &[u8] = include_bytes!("../../assets/echo.mp4");
const WAV: &[u8] = include_bytes!("../../assets/echo.wav");

/// A server on loopback, ended when it is dropped.
struct StandIn {
    url: String,
    task: tokio::task::JoinHandle<()>,
}

impl StandIn {
    async fn serve(router: Router) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, task }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An engine of a shipped profile that asks again quickly.
fn engine(profile: &str, url: &str) -> HttpEngine {
    let mut profile = Profile::shipped(profile).unwrap().unwrap();
    if let Some(poll) = &mut profile.poll {
        (poll.first_ms, poll.most_ms) = (5, 20);
    }
    of(profile, url, Arc::default())
}

fn of(profile: Profile, url: &str, callbacks: Arc<Callbacks>) -> HttpEngine {
    HttpEngine::new(HttpOptions {
        name: "provider".to_owned(),
        profile,
        url: url.parse().unwrap(),
        key: Some("sesame".to_owned()),
        concurrency: 4,
        requests_per_minute: None,
        guard: Guard { allow_private: false },
        callbacks,
    })
    .unwrap()
}

struct Case {
    job: Job,
    context: Context,
    progress: Arc<Mutex<Vec<f64>>>,
    remembered: Arc<Mutex<Vec<String>>>,
    _scratch: tempfile::TempDir,
}

struct Notes(Arc<Mutex<Vec<String>>>);

#[async_trait]
impl Memory for Notes {
    async fn remember(&self, request: &str) -> Result<(), Failure> {
        self.0.lock().unwrap().push(request.to_owned());
        Ok(())
    }
}

/// A job with the id `0000…07`, attempt 1.
fn case(kind: MediaKind, target: &str, params: impl Into<Value>) -> Case {
    let scratch = tempfile::tempdir().unwrap();
    let progress = Arc::new(Mutex::new(Vec::new()));
    let remembered = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&progress);
    Case {
        job: Job {
            id: GenerationId(uuid::Uuid::from_u128(7)),
            attempt: 1,
            model: "our-model".to_owned(),
            task: "any".to_owned(),
            kind,
            params: params.into().as_object().unwrap().clone(),
            inputs: Vec::new(),
            seed: 42,
            asked: Asked {
                target: Some(target.to_owned()),
                body: None,
            },
            resume: None,
            scratch: scratch.path().to_owned(),
        },
        context: Context::new(CancellationToken::new(), move |done| {
            seen.lock().unwrap().push(done);
        })
        .with_memory(Arc::new(Notes(Arc::clone(&remembered)))),
        progress,
        remembered,
        _scratch: scratch,
    }
}

impl Case {
    fn with_input(mut self, parameter: &str, bytes: &[u8]) -> Self {
        let path = self.job.scratch.join(format!("input-{}", self.job.inputs.len()));
        std::fs::write(&path, bytes).unwrap();
        let facts = FileFacts {
            media_type: MediaType::Png,
            size: bytes.len() as u64,
            width: Some(16),
            height: Some(16),
            duration: None,
        };
        self.job.inputs.push(Input {
            parameter: parameter.to_owned(),
            path,
            facts,
        });
        self
    }

    async fn run(&self, engine: &HttpEngine) -> Result<Made, Failure> {
        engine.run(self.job.clone(), self.context.clone()).await
    }
}

fn bytes(made: &Made) -> Vec<Vec<u8>> {
    let read = |file: &crate::MadeFile| match file {
        crate::MadeFile::Path(path) => std::fs::read(path).unwrap(),
        crate::MadeFile::Bytes(bytes) => bytes.to_vec(),
    };
    made.files.iter().map(read).collect()
}

fn asserts_key(headers: &HeaderMap, name: &str, expected: &str) {
    assert_eq!(headers.get(name).unwrap(), expected);
}

async fn unexpected(request: Request) -> StatusCode {
    panic!("{} was asked", request.uri())
}

/// Our id of the job's first request.
fn our_id() -> String {
    format!("{}-1", GenerationId(uuid::Uuid::from_u128(7)))
}

#[tokio::test]
async fn replicate_is_asked_until_it_is_done() {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&asked);
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
    case.job.asked.body = Some(json!({"input": {"num_outputs": {"from": "n"}}}));
    let made = case.run(&engine("replicate", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [PNG, PNG]);
    assert_eq!(
        Value::Object(made.metadata),
        json!({"engine": "provider", "provider_id": "p1", "provider_cost": 1.5})
    );
    assert_eq!(*case.progress.lock().unwrap(), [0.5]);
    let taken = Taken {
        id: Some("p1".to_owned()),
        ..Taken::new(our_id())
    };
    assert_eq!(*case.remembered.lock().unwrap(), [text(&taken)]);
}

#[tokio::test]
async fn a_remembered_request_is_asked_after_and_not_made_again() {
    let router = Router::new()
        .route(
            "/v1/predictions/p1",
            get(|| async { Json(json!({"id": "p1", "status": "succeeded", "output": "/file"})) }),
        )
        .route("/file", get(|| async { PNG }))
        .fallback(any(unexpected));
    let server = StandIn::serve(router).await;
    let mut case = case(MediaKind::Image, "a/b", json!({"prompt": "a boat"}));
    let taken = Taken {
        id: Some("p1".to_owned()),
        ..Taken::new("before-1".to_owned())
    };
    case.job.resume = Some(text(&taken));
    let made = case.run(&engine("replicate", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [PNG]);
    assert_eq!(made.metadata["provider_id"], "p1");
}

#[tokio::test]
async fn fal_gives_the_addresses_itself() {
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
    case.job.asked.body = Some(json!({"image_url": {"from": "image_urls", "at": 0}}));
    let made = case.run(&engine("fal", &server.url)).await.unwrap();
    assert_eq!(bytes(&made), [MP4]);
}

#[tokio::test]
async fn kie_hides_results_and_refusals_in_its_answers() {
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
async fn openai_images_answer_at_once_or_refuse_by_policy() {
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
    case.job.asked.body = Some(json!({"voice": {"from": "voice", "map": {"Wren": "nova"}}}));
    assert_eq!(
        bytes(&case.run(&engine("openai-speech", &server.url)).await.unwrap()),
        [WAV]
    );
}

#[tokio::test]
async fn openai_videos_take_a_form_and_give_the_file_when_asked() {
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
        "prompt": "go", "duration": 5, "resolution": "720p", "aspect_ratio": "16:9", "image_urls": ["https://a.example/x"],
    });
    let case = case(MediaKind::Video, "wan", params).with_input("image_urls", PNG);
    assert_eq!(
        bytes(&case.run(&engine("openai-videos", &server.url)).await.unwrap()),
        [MP4]
    );
}

#[tokio::test]
async fn sd_server_takes_pixels_and_a_picture_in_base64() {
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
            get(|| async { Json(json!({"status": "completed", "result": {"images": [{"b64_json": STANDARD.encode(PNG)}]}})) }),
        );
    let server = StandIn::serve(router).await;
    let params = json!({"prompt": "a boat", "width": 640, "height": 480, "steps": 4, "image_urls": ["https://a.example/x"]});
    let case = case(MediaKind::Image, "sd", params).with_input("image_urls", PNG);
    assert_eq!(
        bytes(&case.run(&engine("sd-server", &server.url)).await.unwrap()),
        [PNG]
    );
}

#[tokio::test]
async fn elevenlabs_brings_word_times() {
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

#[tokio::test]
async fn cog_holds_the_line_tells_progress_by_callback_and_takes_a_repetition_for_the_same() {
    let callbacks = Arc::new(Callbacks::default());
    callbacks.open("http://127.0.0.1:1/callbacks/".to_owned(), || "token".to_owned());
    let teller = Arc::clone(&callbacks);
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let router = Router::new().route(
        "/predictions/{id}",
        put(move |Path(id): Path<String>, Json(body): Json<Value>| async move {
            assert_eq!(id, our_id());
            assert_eq!(body["webhook"], "http://127.0.0.1:1/callbacks/token");
            assert_eq!(body["input"], json!({"prompt": "a boat", "seed": 42, "image": format!("data:image/png;base64,{}", STANDARD.encode(PNG))}));
            if counted.fetch_add(1, Ordering::SeqCst) == 0 {
                return (StatusCode::CONFLICT, Json(json!({"detail": "Already running a prediction"}))).into_response();
            }
            assert!(!teller.tell("guess", json!({})), "another token is nobody's");
            assert!(teller.tell("token", json!({"logs": "progress 1/4"})));
            tokio::time::sleep(Duration::from_millis(50)).await;
            let output = format!("data:image/png;base64,{}", STANDARD.encode(PNG));
            Json(json!({"id": id, "status": "succeeded", "output": output})).into_response()
        }),
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
    // The next attempt finds what the first one noted, and repeats that very request.
    case.job.resume = case.remembered.lock().unwrap().first().cloned();
    case.job.attempt = 2;
    assert_eq!(bytes(&case.run(&engine).await.unwrap()), [PNG]);
    assert_eq!(*case.progress.lock().unwrap(), [0.25]);
}

#[tokio::test]
async fn what_may_have_been_taken_is_not_asked_for_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        // Takes the request and hangs up.
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
    // Nobody listens there any more: this one was surely not taken.
    let failure = case.run(&engine("replicate", &url)).await.unwrap_err();
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
        "the engine's answer cannot be used: it should be a picture and is something unknown"
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
    engine.elsewhere = Outbound::new(Guard { allow_private: true }, Timeouts::default()).unwrap();
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
    let taken = Taken {
        id: Some("p1".to_owned()),
        ..Taken::new("x-1".to_owned())
    };
    engine("replicate", &server.url).abandon(&text(&taken)).await;
    assert_eq!(*cancelled.lock().unwrap(), ["p1"]);
}

#[tokio::test]
async fn a_hundred_requests_wait_at_a_provider_without_holding_each_other_up() {
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
                    .run(&engine)
                    .await
                    .unwrap(),
            )
        }
    });
    for made in futures::future::join_all(jobs).await {
        assert_eq!(made, [PNG]);
    }
}
