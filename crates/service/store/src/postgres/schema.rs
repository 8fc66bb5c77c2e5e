//! The schema: numbered migrations, embedded, forward only. A migration has the same number here and in the embedded
//! store. This store began when the embedded one had six, so its first migration contains all of them.

use std::time::{Duration, Instant};

use deadpool_postgres::Pool;
use tokio::time::{sleep, timeout};

use super::{
    PostgresUrl, connection,
    error::{Error, Result},
    write::{Db, PATIENCE},
};
use crate::StoreError;

/// In order, each with its number. A migration that has been released is never edited.
pub(super) const MIGRATIONS: &[(i64, &str)] = &[
    (6, include_str!("migrations/0006_initial.sql")),
    (7, include_str!("migrations/0007_invitations.sql")),
    (8, include_str!("migrations/0008_lists.sql")),
    (9, include_str!("migrations/0009_turns.sql")),
    (10, include_str!("migrations/0010_remote_workers.sql")),
    (11, include_str!("migrations/0011_queue_limits.sql")),
    (12, include_str!("migrations/0012_history.sql")),
    (13, include_str!("migrations/0013_key_limits.sql")),
    (14, include_str!("migrations/0014_references.sql")),
    (15, include_str!("migrations/0015_members.sql")),
    (16, include_str!("migrations/0016_cancelled.sql")),
    (17, include_str!("migrations/0017_requests.sql")),
    (18, include_str!("migrations/0018_endpoints.sql")),
    (19, include_str!("migrations/0019_identities.sql")),
    (20, include_str!("migrations/0020_secrets.sql")),
    (21, include_str!("migrations/0021_second_factors.sql")),
    (22, include_str!("migrations/0022_erasure.sql")),
    (23, include_str!("migrations/0023_likenesses.sql")),
    (24, include_str!("migrations/0024_account_retention.sql")),
    (25, include_str!("migrations/0025_favourites.sql")),
    (26, include_str!("migrations/0026_reports.sql")),
    (27, include_str!("migrations/0027_policy_decisions.sql")),
    (28, include_str!("migrations/0028_private_media.sql")),
    (29, include_str!("migrations/0029_collections.sql")),
    (30, include_str!("migrations/0030_policy_reviews.sql")),
    (31, include_str!("migrations/0031_policy_hashes.sql")),
    (32, include_str!("migrations/0032_prompt_in_files.sql")),
    (33, include_str!("migrations/0033_usage_totals.sql")),
    (34, include_str!("migrations/0034_plans.sql")),
    (35, include_str!("migrations/0035_open.sql")),
    (36, include_str!("migrations/0036_open.sql")),
];

/// The numbers of the locks that keep transactions from doing the same work together.
pub(super) mod locks {
    pub(in crate::postgres) const MIGRATE: i32 = 0x6174_0001;
    pub(in crate::postgres) const PEOPLE: i32 = 0x6174_0002;
    pub(in crate::postgres) const FILE: i32 = 0x6174_0003;
    /// With the hash of an account's id.
    pub(in crate::postgres) const RUNNING: i32 = 0x6174_0004;
}

/// How long other nodes may take to change the schema.
const OTHERS: Duration = Duration::from_mins(10);
const ASK_FOR_LOCK: Duration = Duration::from_millis(200);
/// The pause between looks at a migration.
const LOOK: Duration = Duration::from_secs(2);
/// Whether a process of the server works on a statement. A server that keeps no record says neither.
const WORKS: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                     WHERE pid = $1 AND coalesce(state, '') NOT LIKE 'idle%')";

/// Whether the database has this program's tables. It reads the rows of the catalog, because names are resolved in a
/// cache that may not know yet what another node committed.
const OURS: &str = "SELECT EXISTS (SELECT 1 FROM pg_tables
                    WHERE schemaname = current_schema() AND tablename = 'atelier_schema')";

/// Brings the database up to the newest schema.
///
/// Other nodes may do the same, so the version is read again under a lock. A migration may take as long as the server
/// works on it; everything else has [`PATIENCE`].
pub(super) async fn migrate(url: &PostgresUrl, pool: &Pool) -> Result<()> {
    answered(connection::keeps_its_session(url, pool)).await?;
    let found = answered(async {
        let connection = pool.get().await?;
        let found = version(&connection).await?;
        Ok((connection, found))
    });
    let (mut connection, found) = found.await?;
    if found == Some(known()) {
        return Ok(());
    }
    let process: i32 = answered(async {
        let found = connection.query_one("SELECT pg_backend_pid()", &[]).await?;
        Ok(found.try_get(0)?)
    })
    .await?;
    let transaction = answered(async {
        let transaction = connection.transaction().await?;
        transaction
            .batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
            .await?;
        Ok(transaction)
    })
    .await?;
    lock(&transaction).await?;
    let found = answered(found_under_lock(&transaction)).await?;
    if found > known() {
        return Err(too_new(found).into());
    }
    let watch = Watch::new(url, process)?;
    for (_, migration) in MIGRATIONS.iter().filter(|(number, _)| *number > found) {
        watch.over(transaction.batch_execute(migration)).await?;
    }
    answered(async {
        let known = known();
        transaction
            .execute("UPDATE atelier_schema SET version = $1", &[&known])
            .await?;
        Ok(())
    })
    .await?;
    watch.over(transaction.commit()).await
}

/// A step that the server answers at once, if it answers at all.
async fn answered<T>(step: impl Future<Output = Result<T>>) -> Result<T> {
    match timeout(PATIENCE, step).await {
        Ok(Err(Error::NoConnection)) | Err(_) => Err(silent()),
        Ok(done) => done,
    }
}

fn silent() -> Error {
    StoreError::Unavailable("the database does not answer".to_owned()).into()
}

/// Takes the lock of this schema's migrations. It is asked for again and again, because a server that hangs looks like
/// a node that migrates for long to somebody who waits for the lock.
async fn lock(transaction: &deadpool_postgres::Transaction<'_>) -> Result<()> {
    let begun = Instant::now();
    while begun.elapsed() < OTHERS {
        let taken = answered(async {
            let sql = "SELECT pg_try_advisory_xact_lock($1, hashtext(coalesce(current_schema(), '')))";
            let taken = transaction.query_one(sql, &[&locks::MIGRATE]).await?;
            Ok(taken.try_get(0)?)
        });
        if taken.await? {
            return Ok(());
        }
        sleep(ASK_FOR_LOCK).await;
    }
    let minutes = OTHERS.as_secs() / 60;
    Err(StoreError::Unavailable(format!(
        "another node has been changing the schema for {minutes} minutes"
    ))
    .into())
}

/// Looks after the statements of a connection that may take long.
struct Watch {
    /// A connection beside the one that is watched.
    pool: Pool,
    /// The server's process of the watched connection.
    process: i32,
}

impl Watch {
    fn new(url: &PostgresUrl, process: i32) -> Result<Self> {
        let pool = connection::pool(url, 1)?;
        Ok(Self { pool, process })
    }

    /// Waits for a statement as long as the server works on it.
    async fn over<T>(&self, statement: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T> {
        tokio::select! {
            biased;
            done = statement => Ok(done?),
            () = self.idle() => Err(silent()),
        }
    }

    /// Returns when the server does not answer, or was found twice not to work on the statement: its answer is lost.
    async fn idle(&self) {
        let mut idle = 0;
        while idle < 2 {
            sleep(LOOK).await;
            match answered(self.works()).await {
                Ok(true) => idle = 0,
                Err(Error::Store(_)) => return,
                // The server answers. It may allow at the next look what it refuses now.
                Err(Error::Postgres(error)) if error.code().is_some() => {}
                Ok(false) | Err(_) => idle += 1,
            }
        }
    }

    async fn works(&self) -> Result<bool> {
        let connection = self.pool.get().await?;
        Ok(connection.query_one(WORKS, &[&self.process]).await?.try_get(0)?)
    }
}

/// The version of a database, 0 for an empty one, read under the lock.
async fn found_under_lock(transaction: &deadpool_postgres::Transaction<'_>) -> Result<i64> {
    let ours: bool = transaction.query_one(OURS, &[]).await?.try_get(0)?;
    if !ours {
        refuse_others(transaction).await?;
        return Ok(0);
    }
    let found = transaction.query_one("SELECT version FROM atelier_schema", &[]);
    Ok(found.await?.try_get(0)?)
}

async fn refuse_others(transaction: &deadpool_postgres::Transaction<'_>) -> Result<()> {
    let tables: i64 = transaction
        .query_one(
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()",
            &[],
        )
        .await?
        .try_get(0)?;
    if tables > 0 {
        return Err(StoreError::Internal(
            "the database contains tables of another program: use a separate database or schema".to_owned(),
        )
        .into());
    }
    Ok(())
}

pub(super) const fn known() -> i64 {
    MIGRATIONS[MIGRATIONS.len() - 1].0
}

/// The newest migration of the database; `None` before the first.
async fn version(db: &Db) -> Result<Option<i64>> {
    let ours: bool = db.query_one(OURS, &[]).await?.try_get(0)?;
    if !ours {
        return Ok(None);
    }
    // Not cached, because the table may change.
    let version = db.query_one("SELECT version FROM atelier_schema", &[]).await?;
    Ok(Some(version.try_get(0)?))
}

const fn too_new(found: i64) -> StoreError {
    StoreError::TooNew {
        found,
        known: known(),
    }
}
