//! External engines: a job is bought from a provider only once, whatever happens here. If one fails, the next is used.

mod again;
mod room;

use std::{
    collections::VecDeque,
    net::TcpListener,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::Path,
    http::StatusCode,
    routing::{get, post},
};
use serde_json::{Value, json};

use crate::{
    planned::{self, Plan},
    setup::World,
};

const PNG: &[u8] = include_bytes!("../../../service/engines/assets/echo.png");

/// A provider with the interface of Replicate.
#[derive(Debug)]
struct Provider {
    url: String,
    counts: Arc<Counts>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Counts {
    bought: AtomicU32,
    asked: AtomicU32,
    cancelled: AtomicU32,
    done: AtomicBool,
    broken: AtomicBool,
    files: Files,
}

/// The answers to the next downloads of the made file before the file itself, and how many there were.
#[derive(Debug, Default)]
struct Files {
    answers: Mutex<VecDeque<(u16, &'static str)>>,
    downloads: AtomicU32,
}

impl Provider {
    fn start() -> Self {
        let counts = Arc::new(Counts::default());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let router = Self::router(&counts);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, counts, task }
    }

    fn router(counts: &Arc<Counts>) -> Router {
        let [buys, asks, cancels, serves] = std::array::from_fn(|_| Arc::clone(counts));
        let submit = move || async move {
            if buys.broken.load(Ordering::SeqCst) {
                return (StatusCode::SERVICE_UNAVAILABLE, Json(json!({"detail": "down"})));
            }
            let id = buys.bought.fetch_add(1, Ordering::SeqCst);
            (
                StatusCode::CREATED,
                Json(json!({"id": format!("p{id}"), "status": "starting"})),
            )
        };
        let poll = move |Path(id): Path<String>| async move {
            asks.asked.fetch_add(1, Ordering::SeqCst);
            Json(if asks.done.load(Ordering::SeqCst) {
                json!({"id": id, "status": "succeeded", "output": "/file.png"})
            } else {
                json!({"id": id, "status": "processing"})
            })
        };
        let cancel = move || async move {
            cancels.cancelled.fetch_add(1, Ordering::SeqCst);
            StatusCode::OK
        };
        let serve = move || async move {
            serves.files.downloads.fetch_add(1, Ordering::SeqCst);
            match serves.files.answers.lock().unwrap().pop_front() {
                Some((status, text)) => (StatusCode::from_u16(status).unwrap(), text.as_bytes()),
                None => (StatusCode::OK, PNG),
            }
        };
        Router::new()
            .route("/v1/models/a/b/predictions", post(submit))
            .route("/v1/predictions/{id}", get(poll))
            .route("/v1/predictions/{id}/cancel", post(cancel))
            .route("/file.png", get(serve))
    }

    async fn until(&self, count: impl Fn(&Counts) -> u32, least: u32) {
        let until = Instant::now() + Duration::from_secs(30);
        while count(&self.counts) < least {
            assert!(Instant::now() < until, "{:?}", self.counts);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Routes `image-gen-4` to these providers, in this order.
fn config(providers: &[(&str, &Provider)]) -> String {
    use std::fmt::Write as _;
    let mut config = "[metrics]\nlisten = \"\"\n".to_owned();
    for (name, provider) in providers {
        write!(
            config,
            "[engines.{name}]\nkind = \"http\"\nprofile = \"replicate\"\nurl = \"{}\"\n",
            provider.url
        )
        .unwrap();
    }
    for (name, _) in providers {
        write!(
            config,
            "[[routes]]\nmodel = \"image-gen-4\"\nengine = \"{name}\"\ntarget = \"a/b\"\n"
        )
        .unwrap();
    }
    config
}

fn request() -> Value {
    json!({"model": "image-gen-4", "prompt": "a boat"})
}

#[tokio::test]
async fn a_job_resumes_its_request_after_its_server_was_killed() {
    let provider = Provider::start();
    let mut world = World::prepare(&config(&[("gpu", &provider)]));
    planned::start(&mut world.server, &Plan::calm());
    let account = world.account(100);
    let id = account.http.create(&request()).await;
    provider
        .until(|counts| counts.asked.load(Ordering::SeqCst), 1)
        .await;
    world.server.kill();
    provider.counts.done.store(true, Ordering::SeqCst);
    planned::start(&mut world.server, &Plan::calm());
    // The connections of the previous client ended with the server.
    let job = world.server.http(&account.key).wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(provider.counts.bought.load(Ordering::SeqCst), 1);
    let attempts = job["attempts"].as_array().unwrap();
    let seen: Vec<_> = attempts
        .iter()
        .map(|attempt| (&attempt["outcome"], &attempt["provider_id"]))
        .collect();
    assert_eq!(
        seen,
        [
            (&json!("lost"), &json!("p0")),
            (&json!("completed"), &json!("p0"))
        ]
    );
}

#[tokio::test]
async fn the_next_engine_takes_over_and_the_breaker_skips_a_failing_engine() {
    let (broken, good) = (Provider::start(), Provider::start());
    broken.counts.broken.store(true, Ordering::SeqCst);
    good.counts.done.store(true, Ordering::SeqCst);
    let world = World::start(&config(&[("first", &broken), ("second", &good)]));
    let account = world.account(1_000);
    for _ in 0..5 {
        let id = account.http.create(&request()).await;
        let job = account.http.wait(&id).await;
        assert_eq!(
            (&job["status"], &job["served_by"]),
            (&json!("completed"), &json!("second")),
            "{job}"
        );
        let attempts = job["attempts"].as_array().unwrap();
        assert_eq!(
            (&attempts[0]["engine"], &attempts[0]["outcome"]),
            (&json!("first"), &json!("generation_failed"))
        );
        assert_eq!(
            (&attempts[1]["engine"], &attempts[1]["outcome"]),
            (&json!("second"), &json!("completed"))
        );
    }
    // After five failures in a row, the first is skipped for a while.
    let id = account.http.create(&request()).await;
    let job = account.http.wait(&id).await;
    let engines: Vec<_> = job["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| &attempt["engine"])
        .collect();
    assert_eq!(engines, [&json!("second")], "{job}");
}

#[tokio::test]
async fn unreachable_engines_are_skipped_in_order() {
    let nobody = "http://127.0.0.1:9";
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n\
         [engines.first]\nkind = \"http\"\nprofile = \"cog\"\nurl = \"{nobody}\"\n\
         [engines.second]\nkind = \"comfyui\"\nurl = \"{nobody}\"\n\
         [[routes]]\nmodel = \"sdxl-1-0\"\nengine = \"first\"\n\
         [[routes]]\nmodel = \"sdxl-1-0\"\nengine = \"second\"\nworkflow = \"checkpoint.json\"\n\
         [[routes]]\nmodel = \"sdxl-1-0\"\nengine = \"echo\"\n"
    ));
    let account = world.account(100);
    let id = account
        .http
        .create(&json!({"model": "sdxl-1-0", "prompt": "a boat"}))
        .await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    let attempts = job["attempts"].as_array().unwrap().iter();
    let seen: Vec<_> = attempts
        .map(|attempt| (&attempt["engine"], &attempt["outcome"]))
        .collect();
    assert_eq!(
        seen,
        [
            (&json!("first"), &json!("generation_failed")),
            (&json!("second"), &json!("generation_failed")),
            (&json!("echo"), &json!("completed")),
        ]
    );
}

#[tokio::test]
async fn cancelling_a_job_cancels_its_request() {
    let provider = Provider::start();
    let world = World::start(&config(&[("gpu", &provider)]));
    let account = world.account(100);
    let id = account.http.create(&request()).await;
    provider
        .until(|counts| counts.asked.load(Ordering::SeqCst), 1)
        .await;
    let cancelled = account
        .http
        .post(&format!("/generations/{id}/cancel"), &json!({}))
        .await;
    assert_eq!(cancelled.status, 200);
    provider
        .until(|counts| counts.cancelled.load(Ordering::SeqCst), 1)
        .await;
    let job = account.http.wait(&id).await;
    assert_eq!(
        (&job["status"], &job["attempts"][0]["provider_id"]),
        (&json!("failed"), &json!("p0")),
        "{job}"
    );
}

#[tokio::test]
async fn cancelling_a_job_without_a_worker_also_cancels_its_request() {
    let provider = Provider::start();
    let mut world = World::prepare(&config(&[("gpu", &provider)]));
    world.server.start();
    let account = world.account(100);
    let id = account.http.create(&request()).await;
    provider
        .until(|counts| counts.asked.load(Ordering::SeqCst), 1)
        .await;
    world.server.kill();
    world.server.more_arguments(["--no-workers"]);
    world.server.start();
    let http = world.server.http(&account.key);
    let cancelled = http.post(&format!("/generations/{id}/cancel"), &json!({})).await;
    assert_eq!(cancelled.status, 200);
    provider
        .until(|counts| counts.cancelled.load(Ordering::SeqCst), 1)
        .await;
}

#[tokio::test]
async fn an_unknown_or_invalid_callback_gets_an_ordinary_error() {
    let world = crate::setup::echo();
    let http = world.anonymous();
    let unknown = http.post("//callbacks/guess", &json!({"logs": "1/2"})).await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.code().as_str()),
        (404, "not_found")
    );
    let request = http.request(reqwest::Method::POST, "//callbacks/guess");
    let request = request.header("content-type", "application/json").body("{");
    let broken = http.send(request).await;
    assert_eq!(
        (broken.status.as_u16(), broken.code().as_str()),
        (400, "invalid_request")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_tries_an_engine_and_readyz_shows_its_breaker() {
    let provider = Provider::start();
    provider.counts.done.store(true, Ordering::SeqCst);
    let mut config = config(&[("gpu", &provider)]);
    let metrics = atelier_testkit::free_port();
    config = config.replace("listen = \"\"", &format!("listen = \"127.0.0.1:{metrics}\""));
    let world = World::start(&config);
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let try_it = |engine: &str, model: &str| {
        let arguments = ["engines", "try", engine, model, "a boat", "--out", folder];
        world.server.command(&arguments)
    };
    // The provider answers on the runtime of this thread.
    let (code, told, error) = tokio::task::block_in_place(|| try_it("gpu", "image-gen-4"));
    assert_eq!(code, 0, "{told}{error}");
    let made = std::fs::read(out.path().join("gpu-image-gen-4-1.png")).unwrap();
    // The received picture with its mark.
    let data = PNG.windows(4).position(|found| found == b"IDAT").unwrap();
    assert!(made.starts_with(&PNG[..33]) && made.ends_with(&PNG[data..]));
    let mark = b"digitalsourcetype/trainedAlgorithmicMedia";
    assert!(made.windows(mark.len()).any(|found| found == mark));
    let (code, _, error) = try_it("nowhere", "image-gen-4");
    assert!(
        code != 0
            && error.contains("unknown engine `nowhere`; known engines: draft, echo,")
            && error.contains("gpu"),
        "{error}"
    );
    let (code, _, error) = try_it("gpu", "flux-1-dev");
    assert!(
        code != 0 && error.contains("has no route to the engine"),
        "{error}"
    );

    let account = world.account(100);
    let id = account.http.create(&request()).await;
    assert_eq!(account.http.wait(&id).await["status"], "completed");
    let ready = account.http.get("//readyz").await.json();
    assert_eq!(ready["data"]["engines"], json!({"gpu": "closed"}));
    for stranger in [world.anonymous(), account.http.with_key(Some("atl_unknown"))] {
        let ready = stranger.get("//readyz").await.json();
        assert_eq!(
            ready["data"],
            json!({ "status": "ready", "store": "ok", "media": "ok", "scratch": "ok" })
        );
    }
    let page = atelier_testkit::Http::new(&format!("http://127.0.0.1:{metrics}"), None);
    let page = page.get("//metrics").await;
    let page = String::from_utf8_lossy(&page.bytes);
    for line in [
        "atelier_engine_attempts_total{engine=\"gpu\",outcome=\"completed\"} 1",
        "atelier_engine_seconds_count{engine=\"gpu\"} 1",
        "atelier_engine_breaker{engine=\"gpu\"} 0",
    ] {
        assert!(page.contains(line), "{line} is not in {page}");
    }
}
