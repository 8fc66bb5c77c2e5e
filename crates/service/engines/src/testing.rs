//! The common parts of the tests of the external engines.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use atelier_domain::{Failure, FileFacts, GenerationId, MediaKind, MediaType};
use atelier_media::{Scratch, scratch::Quota};
use atelier_outbound::Guard;
use axum::Router;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{Context, Endpoint, Engine, Input, Job, Made, MadeFile, Memory, RouteOptions};

pub(crate) const PNG: &[u8] = include_bytes!("../assets/echo.png");
pub(crate) const MP4: &[u8] = include_bytes!("../assets/echo.mp4");
pub(crate) const WAV: &[u8] = include_bytes!("../assets/echo.wav");

/// A server on loopback that stops when this is dropped.
pub(crate) struct StandIn {
    pub url: String,
    task: tokio::task::JoinHandle<()>,
}

impl StandIn {
    pub(crate) async fn serve(router: Router) -> Self {
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

pub(crate) struct Case {
    pub job: Job,
    pub context: Context,
    pub progress: Arc<Mutex<Vec<f64>>>,
    pub remembered: Arc<Mutex<Vec<String>>>,
    pub folder: tempfile::TempDir,
}

struct Notes(Arc<Mutex<Vec<String>>>);

#[async_trait]
impl Memory for Notes {
    async fn remember(&self, request: &str) -> Result<(), Failure> {
        self.0.lock().unwrap().push(request.to_owned());
        Ok(())
    }
}

/// The endpoint of a stand-in that requires a key.
pub(crate) fn endpoint(name: &str, url: &str) -> Endpoint {
    Endpoint {
        name: name.to_owned(),
        url: url.parse().unwrap(),
        key: Some("sesame".to_owned()),
        concurrency: 4,
        requests_per_minute: None,
        guard: Guard { allow_private: false },
    }
}

/// A job with the id `0000…07`, attempt 1.
pub(crate) fn case(kind: MediaKind, target: &str, params: impl Into<Value>) -> Case {
    let scratch = tempfile::tempdir().unwrap();
    let progress = Arc::new(Mutex::new(Vec::new()));
    let remembered = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&progress);
    Case {
        job: Job {
            id: GenerationId(uuid::Uuid::from_u128(7)),
            attempt: 1,
            asked: Vec::new(),
            model: "our-model".to_owned(),
            task: "any".to_owned(),
            kind,
            params: params.into().as_object().unwrap().clone(),
            inputs: Vec::new(),
            seed: 42,
            options: RouteOptions {
                target: Some(target.to_owned()),
                ..RouteOptions::default()
            },
            resume: None,
            scratch: Scratch::new(scratch.path(), Quota::NONE),
        },
        context: Context::new(CancellationToken::new(), move |done| {
            seen.lock().unwrap().push(done);
        })
        .with_memory(Arc::new(Notes(Arc::clone(&remembered)))),
        progress,
        remembered,
        folder: scratch,
    }
}

impl Case {
    /// The same job with a scratch folder that has room for `most` bytes.
    pub(crate) fn with_room(mut self, most: u64) -> Self {
        self.job.scratch = Scratch::new(self.folder.path(), Quota { most, reserve: 0 });
        self
    }

    pub(crate) fn with_input(mut self, parameter: &str, bytes: &[u8]) -> Self {
        let path = self
            .job
            .scratch
            .path()
            .join(format!("input-{}", self.job.inputs.len()));
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

    pub(crate) async fn run(&self, engine: &dyn Engine) -> Result<Made, Failure> {
        engine.run(self.job.clone(), self.context.clone()).await
    }
}

pub(crate) fn bytes(made: &Made) -> Vec<Vec<u8>> {
    let read = |file: &MadeFile| match file {
        MadeFile::Path(path) => std::fs::read(path).unwrap(),
        MadeFile::Bytes(bytes) => bytes.to_vec(),
    };
    made.files.iter().map(read).collect()
}
