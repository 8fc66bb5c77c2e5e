//! A whole job with nothing but its request, its writes and its webhook, on the service's own tables: no key, checks,
//! price, queue or engine, and nothing is read before it is written. A job without a webhook is accepted and does not
//! run. What the service uses beyond this is its own work.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use atelier_domain::{Clock as _, clock::SystemClock};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde_json::{Value, json};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};
use uuid::Uuid;

use crate::{error::Result, http};

mod postgres;
mod sqlite;

/// Steps that wait for the writer; each ends in a commit.
type Queue = mpsc::UnboundedSender<Step>;
type Steps = mpsc::UnboundedReceiver<Step>;

enum Step {
    Accept(Job, oneshot::Sender<Uuid>),
    Claim(Job),
    Finish(Job),
    Deliver(Job),
}

struct Job {
    id: Uuid,
    body: String,
    webhook: Option<Webhook>,
}

struct Webhook {
    url: String,
    port: u16,
}

impl Webhook {
    /// A receiver on this machine: `http://127.0.0.1:PORT/…`.
    fn at(url: &str) -> Option<Self> {
        let port = url.rsplit_once(':')?.1.split('/').next()?.parse().ok()?;
        Some(Self {
            url: url.to_owned(),
            port,
        })
    }
}

impl Job {
    /// For the column.
    fn webhook_url(&self) -> Option<&str> {
        Some(self.webhook.as_ref()?.url.as_str())
    }
}

struct Shared {
    queue: Queue,
    next: AtomicU64,
    /// Open connections to the receiver of webhooks.
    connections: Mutex<Vec<http::Connection>>,
    runtime: Handle,
}

impl Shared {
    fn new() -> (Arc<Self>, Steps) {
        let (queue, steps) = mpsc::unbounded_channel();
        let shared = Self {
            queue,
            next: AtomicU64::new(0),
            connections: Mutex::default(),
            runtime: Handle::current(),
        };
        (Arc::new(shared), steps)
    }

    /// In the order of time, as the service's, and not that of another process.
    fn id(&self) -> Uuid {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        Uuid::from_u64_pair(
            SystemClock.now().0.unsigned_abs(),
            u64::from(std::process::id()) << 32 | number,
        )
    }
}

/// The routes. The folder has the database of a service with one account.
pub(super) fn on_sqlite(folder: &Path) -> Result<Router> {
    let (shared, steps) = Shared::new();
    sqlite::start(folder, steps, Arc::clone(&shared))?;
    Ok(router(shared))
}

/// The same with a PostgreSQL database. It may have several accounts, and jobs of the service itself.
pub(super) async fn on_postgres(url: &str) -> Result<Router> {
    let (shared, steps) = Shared::new();
    postgres::start(url, steps, Arc::clone(&shared)).await?;
    Ok(router(shared))
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new().route("/job", post(submit)).with_state(shared)
}

async fn submit(State(shared): State<Arc<Shared>>, body: String) -> Response {
    let Ok(request) = serde_json::from_str::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, "not JSON").into_response();
    };
    let webhook = request["webhook_url"].as_str().and_then(Webhook::at);
    let job = Job {
        id: shared.id(),
        body,
        webhook,
    };
    let (done, accepted) = oneshot::channel();
    if shared.queue.send(Step::Accept(job, done)).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    match accepted.await {
        Ok(id) => (
            StatusCode::CREATED,
            Json(json!({ "data": { "id": id.to_string(), "status": "processing" } })),
        )
            .into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Goes on with the jobs of a batch after its commit. An error ends the writer; then the clients see that nothing is
/// answered.
fn written(batch: &mut Vec<Step>, written: Result<()>, shared: &Arc<Shared>) -> Result<()> {
    if let Err(error) = &written {
        crate::tell(&format!("the reference server cannot write: {error}"));
        return written;
    }
    for step in batch.drain(..) {
        go_on(step, shared);
    }
    Ok(())
}

fn go_on(step: Step, shared: &Arc<Shared>) {
    let next = match step {
        Step::Accept(job, done) => {
            // The client may be gone.
            let _ = done.send(job.id);
            if job.webhook.is_none() {
                return;
            }
            Step::Claim(job)
        }
        Step::Claim(job) => Step::Finish(job),
        Step::Finish(job) => {
            let of_task = Arc::clone(shared);
            shared.runtime.spawn(async move {
                if send(&of_task, &job).await.is_ok() {
                    // Only fails when the writer has ended.
                    let _ = of_task.queue.send(Step::Deliver(job));
                }
            });
            return;
        }
        Step::Deliver(_) => return,
    };
    // Only fails when the writer has ended.
    let _ = shared.queue.send(next);
}

/// Sends the webhook.
async fn send(shared: &Shared, job: &Job) -> Result<()> {
    let Some(webhook) = &job.webhook else {
        return Ok(());
    };
    let free = || shared.connections.lock().unwrap_or_else(PoisonError::into_inner);
    let open = free().pop();
    let mut connection = match open {
        Some(connection) => connection,
        None => http::Connection::open(webhook.port).await?,
    };
    let body = json!({ "event": "generation.completed", "data": { "id": job.id.to_string(), "status": "completed" } })
        .to_string();
    let request = format!(
        "POST /hook HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-service-delivery: {}\r\n\
         content-length: {}\r\n\r\n{body}",
        job.id,
        body.len()
    );
    connection.expect(200, request.as_bytes()).await?;
    free().push(connection);
    Ok(())
}

/// The time of every write: its value costs nothing. It is in the future, so that a service beside it has nothing to
/// do with these jobs.
const NOW: i64 = 1_900_000_000_000_000;
const LATER: i64 = NOW + 60_000_000;
/// No worker serves it.
const LANE: &str = "reference";
const FILE: &str = "0707070707070707070707070707070707070707070707070707070707070707.png";

fn output() -> String {
    format!("[{{\"file\":\"{FILE}\",\"kind\":\"image\"}}]")
}
