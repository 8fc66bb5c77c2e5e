//! The pool of connections and their settings.

use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod, Runtime};
use tokio_postgres::SimpleQueryMessage;

use super::{PostgresUrl, error::Result, write::Db};
use crate::StoreError;

/// How long an operation waits for a connection to become free, and then for a new one.
const FREE: Duration = Duration::from_secs(4);

/// No statement, lock or forgotten transaction may hold others up without limit. The limits are [`LOCK`] and a little
/// more than the longest [`DEADLINE`]: whoever waits longer is not there any more. A server that does not sync would
/// break the guarantee of durable writes.
///
/// [`LOCK`]: super::write::LOCK
/// [`DEADLINE`]: super::write::DEADLINE
const SETTINGS: &str = "SET statement_timeout = '12s';
    SET lock_timeout = '1500ms';
    SET idle_in_transaction_session_timeout = '12s';
    SET client_min_messages = 'warning';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

pub(super) fn pool(url: &PostgresUrl, connections: usize) -> Result<Pool, StoreError> {
    let config = url.config()?;
    let tls = url.tls(&config)?;
    let manager = Manager::from_config(
        config,
        tls,
        ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        },
    );
    let set = Hook::async_fn(|connection, _| {
        Box::pin(async move {
            connection
                .batch_execute(SETTINGS)
                .await
                .map_err(HookError::Backend)
        })
    });
    Pool::builder(manager)
        .max_size(connections)
        // The connection that was used last has its statements prepared and planned, and its server process is awake.
        .queue_mode(QueueMode::Lifo)
        .wait_timeout(Some(FREE))
        .create_timeout(Some(FREE))
        .runtime(Runtime::Tokio1)
        .post_create(set)
        .build()
        .map_err(|error| StoreError::Internal(format!("cannot use {url}: {error}")))
}

/// Refuses a pooler that gives a session to others between two transactions: prepared statements, settings and
/// notifications belong to a session.
///
/// Another connection takes any process of the server that is free now. If it gets the one of this session, this
/// session goes on with another process.
pub(super) async fn keeps_its_session(url: &PostgresUrl, pool: &Pool) -> Result<()> {
    let (session, others) = (pool.get().await?, self::pool(url, 1)?);
    let process = server_process(&session).await?;
    let other = others.get().await?;
    other.batch_execute("BEGIN").await?;
    let later = server_process(&session).await?;
    other.batch_execute("ROLLBACK").await?;
    if later == process {
        return Ok(());
    }
    Err(StoreError::Internal(
        "a pooler in between does not keep sessions: set its `pool_mode` to `session`, or connect to PostgreSQL itself"
            .to_owned(),
    )
    .into())
}

/// The process of the server that serves this connection, asked without a prepared statement.
async fn server_process(db: &Db) -> Result<Option<String>> {
    let answer = db.simple_query("SELECT pg_backend_pid()").await?;
    Ok(answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
