//! Jobs in progress at a slow provider: how much longer they take together than one takes alone.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use super::generation::generation;
use crate::{
    context::Context,
    error::Result,
    figure::Figure,
    http::{self, local},
    load::Clients,
    machine,
    receiver::Receiver,
    server::{BASE, Data},
};

const JOBS: u64 = 1_000;
/// How long the provider takes for each job, however many there are.
const WORK: Duration = Duration::from_secs(30);
const SUBMITTING: Duration = Duration::from_secs(30);
/// The prompt of every job here.
const PROMPT: &str = "a lighthouse";
const PICTURE: &[u8] = include_bytes!("../../../../service/engines/assets/echo.png");

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let jobs = context.amount(JOBS);
    let provider = Provider::start(WORK, PROMPT).await?;
    // The clients stop a few jobs late, and all of these must be in progress too.
    let data = Data::provider(context, provider.port, 2 * jobs)?;
    let mut receiver = Receiver::start().await?;
    let service = data.serve(&[]).await?;
    let body = generation(Some(&receiver.url()));
    let request = http::request("POST", &format!("{BASE}/generations"), &data.key, Some(&body));
    let mut clients = Clients::connect(service.port, vec![request], 201).await?;
    let (begun, before) = (Instant::now(), service.cpu_time()?);
    let submitted = clients.run(SUBMITTING, jobs).await?;
    let last = super::complete::arrivals(&mut receiver, submitted.answers, 2 * WORK).await?;
    let cpu = service.cpu_time()?.saturating_sub(before);
    let answers = submitted.answers as f64;
    let asked = provider.counts.asked.load(Ordering::Relaxed) as f64;
    Ok(vec![
        Figure::seconds(
            format!(
                "{answers:.0} jobs of {} s at once, to the last webhook",
                WORK.as_secs()
            ),
            last - begun,
        )
        .at_most(1.05 * WORK.as_secs_f64()),
        Figure::millis("processor time per job", cpu.div_f64(answers)),
        Figure::new("polls per job", asked / answers, ""),
        Figure::mebibytes("peak memory", machine::peak(service.pid())?),
    ])
}

#[derive(Debug)]
struct Counts {
    work: Duration,
    /// A job with this in its prompt is looked for.
    wanted: &'static str,
    found: Mutex<Option<Instant>>,
    next: AtomicU64,
    asked: AtomicU64,
    begun: Mutex<HashMap<String, Instant>>,
}

/// A provider with the interface of Replicate.
#[derive(Debug)]
pub(super) struct Provider {
    pub(super) port: u16,
    counts: Arc<Counts>,
    serving: JoinHandle<()>,
}

impl Provider {
    /// One that takes this long for each job, however many there are, and notes when the first job with `wanted` in
    /// its prompt began.
    pub(super) async fn start(work: Duration, wanted: &'static str) -> Result<Self> {
        let listener = TcpListener::bind(local(0)).await?;
        let port = listener.local_addr()?.port();
        let counts = Arc::new(Counts {
            work,
            wanted,
            found: Mutex::default(),
            next: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            begun: Mutex::default(),
        });
        let router = Router::new()
            .route("/v1/models/a/b/predictions", post(take))
            .route("/v1/predictions/{id}", get(tell))
            .route("/file.png", get(|| async { PICTURE }))
            .with_state(Arc::clone(&counts));
        let serving = tokio::spawn(async move {
            // It ends with the task.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self {
            port,
            counts,
            serving,
        })
    }
}

impl Provider {
    /// When the job that is looked for began.
    pub(super) fn found_at(&self) -> Option<Instant> {
        *lock(&self.counts.found)
    }

    /// How many jobs have begun.
    pub(super) fn begun(&self) -> u64 {
        self.counts.next.load(Ordering::Relaxed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn take(State(counts): State<Arc<Counts>>, body: String) -> Json<Value> {
    let (id, now) = (
        format!("p{}", counts.next.fetch_add(1, Ordering::Relaxed)),
        Instant::now(),
    );
    if body.contains(counts.wanted) {
        lock(&counts.found).get_or_insert(now);
    }
    lock(&counts.begun).insert(id.clone(), now);
    Json(json!({ "id": id, "status": "starting" }))
}

async fn tell(State(counts): State<Arc<Counts>>, Path(id): Path<String>) -> Json<Value> {
    counts.asked.fetch_add(1, Ordering::Relaxed);
    let begun = lock(&counts.begun);
    let is_done = begun.get(&id).is_some_and(|begun| begun.elapsed() >= counts.work);
    Json(if is_done {
        json!({ "id": id, "status": "succeeded", "output": "/file.png" })
    } else {
        json!({ "id": id, "status": "processing" })
    })
}
