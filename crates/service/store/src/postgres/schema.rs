//! The schema: numbered migrations, embedded, forward only. A migration has the same number here and in the embedded
//! store. This store began when the embedded one had six, so its first migration contains all of them.

use deadpool_postgres::Pool;

use super::{
    error::Result,
    write::{Db, READ, Tries},
};
use crate::StoreError;

/// In order, each with its number. A migration that has been released is never edited.
pub(super) const MIGRATIONS: &[(i64, &str)] = &[
    (6, include_str!("migrations/0006_initial.sql")),
    (7, include_str!("migrations/0007_invitations.sql")),
];

/// The numbers of the locks that keep transactions from doing the same work together.
pub(super) mod locks {
    pub(in crate::postgres) const MIGRATE: i32 = 0x6174_0001;
    pub(in crate::postgres) const PEOPLE: i32 = 0x6174_0002;
    pub(in crate::postgres) const FILE: i32 = 0x6174_0003;
}

/// Whether the database has this program's tables. It reads the rows of the catalog, because names are resolved in a
/// cache that may not know yet what another node committed.
const OURS: &str = "SELECT EXISTS (SELECT 1 FROM pg_tables
                    WHERE schemaname = current_schema() AND tablename = 'atelier_schema')";

/// Brings the database up to the newest schema.
///
/// Other nodes may do the same, so the version is read again under a lock.
pub(super) async fn migrate(pool: &Pool) -> Result<()> {
    let mut connection = pool.get().await?;
    let tries = Tries::new(READ);
    if tries.within(Box::pin(version(&connection))).await? == Some(known()) {
        return Ok(());
    }
    let transaction = connection.transaction().await?;
    transaction
        .batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        .await?;
    transaction
        .execute("SELECT pg_advisory_xact_lock($1, 0)", &[&locks::MIGRATE])
        .await?;
    let ours: bool = transaction.query_one(OURS, &[]).await?.try_get(0)?;
    let found = if ours {
        transaction
            .query_one("SELECT version FROM atelier_schema", &[])
            .await?
            .try_get(0)?
    } else {
        refuse_others(&transaction).await?;
        0
    };
    if found > known() {
        return Err(too_new(found).into());
    }
    for (_, migration) in MIGRATIONS.iter().filter(|(number, _)| *number > found) {
        transaction.batch_execute(migration).await?;
    }
    transaction
        .execute("UPDATE atelier_schema SET version = $1", &[&known()])
        .await?;
    transaction.commit().await?;
    Ok(())
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
