//! The reference servers: an axum server that does nothing, one that inserts the request into SQLite, durably, with
//! many requests in one commit, and one that does so with all writes of a job and its webhook. They have no keys,
//! checks, credits or queue.

use std::{path::Path, sync::Arc, thread};

use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    routing::{get, post},
    serve::ListenerExt as _,
};
use clap::ValueEnum;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
};

use crate::{error::Result, http::local};

mod job;

/// The largest number of inserts in one commit, the same as the store's.
const BATCH: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// `POST /insert`: one row per request, answered after its commit.
    Insert,
    /// `POST /job`: all writes of a job, and its webhook, or without one what accepting it writes. The place is the
    /// folder of a service's database.
    Job,
    /// The same on PostgreSQL. The place is the URL of a database of a service.
    JobPostgres,
    /// `GET /noop`: a small JSON answer.
    Noop,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Job => "job",
            Self::JobPostgres => "job-postgres",
            Self::Noop => "noop",
        }
    }
}

/// Serves until killed.
pub(crate) fn serve(kind: Kind, port: u16, place: &str) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        // The same path as in the service, so that the start of both is measured alike.
        let router = router(kind, place)
            .await?
            .route("/readyz", get(|| async { "ready" }));
        let listener = TcpListener::bind(local(port)).await?.tap_io(|stream| {
            // It only reduces the latency.
            let _ = stream.set_nodelay(true);
        });
        Ok(axum::serve(listener, router).await?)
    })
}

async fn router(kind: Kind, place: &str) -> Result<Router> {
    Ok(match kind {
        Kind::Insert => {
            let (queue, inserts) = mpsc::channel(4_096);
            let db = open(Path::new(place))?;
            thread::spawn(move || write(&db, inserts));
            Router::new()
                .route("/insert", post(insert))
                .with_state(Arc::new(queue))
        }
        Kind::Job => job::on_sqlite(Path::new(place))?,
        Kind::JobPostgres => job::on_postgres(place).await?,
        Kind::Noop => Router::new().route("/noop", get(noop)),
    })
}

struct Insert {
    body: String,
    done: oneshot::Sender<i64>,
}

async fn insert(State(queue): State<Arc<mpsc::Sender<Insert>>>, body: String) -> (StatusCode, Json<Value>) {
    let (done, id) = oneshot::channel();
    if queue.send(Insert { body, done }).await.is_err() {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            Json(json!({ "error": "closed" })),
        );
    }
    match id.await {
        Ok(id) => (
            StatusCode::CREATED,
            Json(json!({ "data": { "id": id, "status": "processing" } })),
        ),
        Err(_) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            Json(json!({ "error": "not inserted" })),
        ),
    }
}

async fn noop() -> Json<Value> {
    Json(json!({ "data": { "id": "0190c7e0-5b2e-7cc1-9c0a-7f1d2e3a4b5c", "status": "completed" } }))
}

fn open(folder: &Path) -> Result<Connection> {
    let db = Connection::open(folder.join("reference.db"))?;
    db.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE jobs (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;",
    )?;
    Ok(db)
}

/// Inserts all queued requests in one transaction and answers after the commit. Failed requests are not
/// answered, and their clients receive an error.
fn write(db: &Connection, mut inserts: mpsc::Receiver<Insert>) {
    let mut batch = Vec::with_capacity(BATCH);
    while inserts.blocking_recv_many(&mut batch, BATCH) > 0 {
        if let Ok(ids) = commit(db, &batch) {
            for (insert, id) in batch.drain(..).zip(ids) {
                // The client may be gone.
                let _ = insert.done.send(id);
            }
        }
        batch.clear();
    }
}

fn commit(db: &Connection, batch: &[Insert]) -> rusqlite::Result<Vec<i64>> {
    let transaction = db.unchecked_transaction()?;
    let mut ids = Vec::with_capacity(batch.len());
    for insert in batch {
        transaction
            .prepare_cached("INSERT INTO jobs (body) VALUES (?1)")?
            .execute(params![insert.body])?;
        ids.push(transaction.last_insert_rowid());
    }
    transaction.commit()?;
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_answered_is_in_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let db = open(folder.path()).unwrap();
        let batch: Vec<_> = ["a", "b"]
            .map(|body| Insert {
                body: body.to_owned(),
                done: oneshot::channel().0,
            })
            .into();
        assert_eq!(commit(&db, &batch).unwrap(), [1, 2]);
        let stored: String = db
            .query_row("SELECT body FROM jobs WHERE id = 2", [], |row| row.get(0))
            .unwrap();
        assert_eq!(stored, "b");
        let synchronous: i64 = db
            .pragma_query_value(None, "synchronous", |row| row.get(0))
            .unwrap();
        assert_eq!(synchronous, 2, "FULL");
    }
}
