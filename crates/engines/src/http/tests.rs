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

mod behaviour;
mod hosted;
mod own;

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
