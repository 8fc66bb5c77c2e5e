//! A whole job with nothing but its request, its writes and its webhook, on the service's own tables: no key, checks,
//! price, queue or engine, and nothing is read before it is written. A job without a webhook is accepted and does not
//! run. What the service uses beyond this is its own work.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::post,
};
use rusqlite::{Connection, Transaction, params};
use serde_json::{Value, json};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};
use uuid::Uuid;

use super::BATCH;
use crate::{error::Result, http};

/// Steps that wait for the writer; each ends in a commit.
type Queue = mpsc::UnboundedSender<Step>;

enum Step {
    Accept(Job, oneshot::Sender<Uuid>),
    Claim(Job),
    Record(Job),
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
}

/// The routes. The folder has the database of a service with one account.
pub(super) fn router(folder: &Path) -> Result<Router> {
    let db = Connection::open(folder.join("atelier.db"))?;
    db.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = 1; PRAGMA cache_size = -16384;
         PRAGMA temp_store = MEMORY;",
    )?;
    db.set_prepared_statement_cache_capacity(32);
    let account: Uuid = db.query_row("SELECT id FROM accounts", [], |row| row.get(0))?;
    let (queue, steps) = mpsc::unbounded_channel();
    let shared = Arc::new(Shared {
        queue,
        next: AtomicU64::new(0),
        connections: Mutex::default(),
    });
    let of_writer = Arc::clone(&shared);
    let runtime = Handle::current();
    thread::spawn(move || write(db, account, steps, &of_writer, &runtime));
    Ok(Router::new().route("/job", post(submit)).with_state(shared))
}

async fn submit(State(shared): State<Arc<Shared>>, body: String) -> Response {
    let Ok(request) = serde_json::from_str::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, "not JSON").into_response();
    };
    let webhook = request["webhook_url"].as_str().and_then(Webhook::at);
    let job = Job {
        // In order, which is the cheapest for the indexes.
        id: Uuid::from_u64_pair(1, shared.next.fetch_add(1, Ordering::Relaxed)),
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

/// Writes all waiting steps in one transaction, and goes on with their jobs after the commit.
fn write(
    mut db: Connection,
    account: Uuid,
    mut steps: mpsc::UnboundedReceiver<Step>,
    shared: &Arc<Shared>,
    runtime: &Handle,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while steps.blocking_recv_many(&mut batch, BATCH) > 0 {
        if let Err(error) = commit(&mut db, account, &batch) {
            // The clients see that nothing is answered.
            crate::tell(&format!("the reference server cannot write: {error}"));
            return;
        }
        for step in batch.drain(..) {
            go_on(step, shared, runtime);
        }
    }
}

fn go_on(step: Step, shared: &Arc<Shared>, runtime: &Handle) {
    let next = match step {
        Step::Accept(job, done) => {
            // The client may be gone.
            let _ = done.send(job.id);
            if job.webhook.is_none() {
                return;
            }
            Step::Claim(job)
        }
        Step::Claim(job) => Step::Record(job),
        Step::Record(job) => Step::Finish(job),
        Step::Finish(job) => {
            let shared = Arc::clone(shared);
            runtime.spawn(async move {
                if send(&shared, &job).await.is_ok() {
                    // Only fails when the writer has ended.
                    let _ = shared.queue.send(Step::Deliver(job));
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

fn commit(db: &mut Connection, account: Uuid, batch: &[Step]) -> rusqlite::Result<()> {
    let transaction = db.transaction()?;
    for step in batch {
        match step {
            Step::Accept(job, _) => accept(&transaction, account, job)?,
            Step::Claim(job) => claim(&transaction, job)?,
            Step::Record(job) => record(&transaction, job)?,
            Step::Finish(job) => finish(&transaction, account, job)?,
            Step::Deliver(job) => deliver(&transaction, job)?,
        }
    }
    transaction.commit()
}

/// The time of every write: its value costs nothing.
const NOW: i64 = 1_800_000_000_000_000;
const LATER: i64 = NOW + 60_000_000;
const LANE: &str = "echo";
const FILE: &str = "0707070707070707070707070707070707070707070707070707070707070707.png";

fn accept(db: &Transaction<'_>, account: Uuid, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                                  created_at, model, kind, webhook_url, params)
         VALUES (?1, ?2, 'queued', 0, 0, ?3, ?4, ?5, 1, 0, ?4, 'image-gen-4', 'image', ?6, ?7)",
    )?
    .execute(params![
        job.id,
        account,
        LANE,
        NOW,
        LATER,
        job.webhook_url(),
        job.body
    ])?;
    db.prepare_cached(
        "UPDATE accounts SET available = available - 1, held = held + 1, generation_tat = ?2 WHERE id = ?1",
    )?
    .execute(params![account, NOW])?;
    book(db, account, job, ("hold", -1, 1, 0))
}

fn claim(db: &Transaction<'_>, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE generations SET state = 'running', epoch = 1, attempt = 1, worker = ?1, lease_until = ?2,
                                started_at = ?3, served_by = ?4, progress = 0, attempt_started_at = ?3
         WHERE id = ?1",
    )?
    .execute(params![job.id, LATER, NOW, LANE])?;
    Ok(())
}

fn record(db: &Transaction<'_>, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO files (name, media_type, size, width, height, recorded_at)
         VALUES (?1, 'image/png', 1000, 64, 64, ?2) ON CONFLICT (name) DO NOTHING",
    )?
    .execute(params![FILE, NOW])?;
    db.prepare_cached("INSERT INTO file_uses (holder, file, kind, at) VALUES (?1, ?2, 'output', ?3)")?
        .execute(params![job.id, FILE, NOW])?;
    Ok(())
}

fn finish(db: &Transaction<'_>, account: Uuid, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE generations SET state = 'completed', worker = NULL, lease_until = NULL, ended_at = ?2, charged = 1,
                                output = ?3
         WHERE id = ?1",
    )?
    .execute(params![job.id, NOW, format!("[{{\"file\":\"{FILE}\",\"kind\":\"image\"}}]")])?;
    db.prepare_cached("UPDATE accounts SET held = held - 1 WHERE id = ?1")?
        .execute([account])?;
    book(db, account, job, ("settle", 0, -1, 1))?;
    db.prepare_cached(
        "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, worker, created_at, event,
                                 host, url, body)
         VALUES (?1, ?1, ?2, 'sending', 1, 0, ?3, ?1, ?4, 'generation.completed', '127.0.0.1', ?5, ?6)",
    )?
    .execute(params![job.id, account, LATER, NOW, job.webhook_url(), job.body.as_bytes()])?;
    Ok(())
}

fn deliver(db: &Transaction<'_>, job: &Job) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE deliveries SET state = 'delivered', ended_at = ?2, attempts = 1, worker = NULL WHERE id = ?1",
    )?
    .execute(params![job.id, NOW])?;
    db.prepare_cached(
        "INSERT INTO attempts (delivery, number, at, latency_ms, status) VALUES (?1, 1, ?2, 1, 200)",
    )?
    .execute(params![job.id, NOW])?;
    Ok(())
}

fn book(
    db: &Transaction<'_>,
    account: Uuid,
    job: &Job,
    (kind, available, held, spent): (&str, i64, i64, i64),
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO entries (account, generation, kind, issued, available, held, spent, at)
         VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![account, job.id, kind, available, held, spent, NOW])?;
    Ok(())
}
