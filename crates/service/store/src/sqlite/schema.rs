//! The schema: numbered migrations, embedded, forward only. The database's `user_version` is the number of its
//! last migration.

use rusqlite::{Connection, TransactionBehavior};

use crate::{Result, StoreError};

/// In order; the first is number 1. A migration that has been released is never edited.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_initial.sql"),
    include_str!("migrations/0002_people.sql"),
    include_str!("migrations/0003_outbox.sql"),
    include_str!("migrations/0004_usage.sql"),
    include_str!("migrations/0005_desk.sql"),
    include_str!("migrations/0006_attempts.sql"),
    include_str!("migrations/0007_invitations.sql"),
    include_str!("migrations/0008_lists.sql"),
    include_str!("migrations/0009_turns.sql"),
    include_str!("migrations/0010_remote_workers.sql"),
    include_str!("migrations/0011_queue_limits.sql"),
    include_str!("migrations/0012_history.sql"),
    include_str!("migrations/0013_key_limits.sql"),
    include_str!("migrations/0014_references.sql"),
    include_str!("migrations/0015_members.sql"),
    include_str!("migrations/0016_cancelled.sql"),
    include_str!("migrations/0017_requests.sql"),
    include_str!("migrations/0018_endpoints.sql"),
    include_str!("migrations/0019_identities.sql"),
    include_str!("migrations/0020_secrets.sql"),
    include_str!("migrations/0021_second_factors.sql"),
    include_str!("migrations/0022_erasure.sql"),
    include_str!("migrations/0023_likenesses.sql"),
    include_str!("migrations/0024_account_retention.sql"),
    include_str!("migrations/0025_favourites.sql"),
    include_str!("migrations/0026_reports.sql"),
    include_str!("migrations/0027_policy_decisions.sql"),
    include_str!("migrations/0028_private_media.sql"),
    include_str!("migrations/0029_collections.sql"),
    include_str!("migrations/0030_policy_reviews.sql"),
    include_str!("migrations/0031_policy_hashes.sql"),
    include_str!("migrations/0032_prompt_in_files.sql"),
    include_str!("migrations/0033_usage_totals.sql"),
    include_str!("migrations/0034_plans.sql"),
    include_str!("migrations/0035_open.sql"),
    include_str!("migrations/0036_open.sql"),
];

/// Identifies the file for `file` and other tools: "atel".
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"atel");

/// Brings the database up to the newest schema.
///
/// Another process may do the same, so the version is read again under the write lock.
pub(super) fn migrate(db: &mut Connection) -> Result<()> {
    if version(db)? == known() {
        return Ok(());
    }
    // A migration that creates a table again under the same name breaks references to it for a moment. Foreign keys
    // cannot be turned off inside the transaction.
    db.pragma_update(None, "foreign_keys", false)?;
    let migrated = migrate_in_one(db);
    db.pragma_update(None, "foreign_keys", true)?;
    migrated
}

fn migrate_in_one(db: &mut Connection) -> Result<()> {
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    if found > known() {
        return Err(StoreError::TooNew {
            found,
            known: known(),
        });
    }
    if found == 0 && has_tables(&transaction)? {
        return Err(StoreError::Internal(
            "the database belongs to another program".to_owned(),
        ));
    }
    for migration in &MIGRATIONS[usize::try_from(found).unwrap_or(0)..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", known())?;
    transaction.commit()?;
    Ok(())
}

pub(crate) fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

pub(super) fn version(db: &Connection) -> Result<i64> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn has_tables(db: &Connection) -> Result<bool> {
    Ok(
        db.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| {
            row.get(0)
        })?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_database_gets_every_migration_and_an_old_one_the_rest() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        assert_eq!(version(&db).unwrap(), known());
        migrate(&mut db).unwrap();
        let enabled: bool = db
            .query_row("SELECT api_enabled FROM settings", [], |row| row.get(0))
            .unwrap();
        assert!(enabled);
    }

    #[test]
    fn what_was_there_before_is_there_after_a_migration() {
        let mut db = Connection::open_in_memory().unwrap();
        db.execute_batch(MIGRATIONS[0]).unwrap();
        db.pragma_update(None, "user_version", 1).unwrap();
        db.execute_batch(
            "INSERT INTO accounts VALUES (zeroblob(16), 'a', 1, NULL, NULL, 5, 0, 's', NULL, 0, 0);
             INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, charged,
                                      progress, created_at, started_at, ended_at, model, kind, params, output)
             VALUES (zeroblob(16), zeroblob(16), 'completed', 1, 1, 'echo', 0, 0, 5, 3, 1, 0, 0, 86400000000, 'm',
                     'image', '{}', '{}');
             INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, created_at, ended_at,
                                     event, host, url, body)
             VALUES (zeroblob(16), zeroblob(16), zeroblob(16), 'failed', 1, 1, 0, 0, 0, 'generation.completed', 'h',
                     'u', x'7b7d');
             INSERT INTO attempts VALUES (zeroblob(16), 1, 0, 1, 500, NULL, NULL);
             INSERT INTO files VALUES ('f', 'image/png', 42, 1, 1, NULL, 0);",
        )
        .unwrap();
        migrate(&mut db).unwrap();
        let one = |sql: &str| -> i64 { db.query_row(sql, [], |row| row.get(0)).unwrap() };
        assert_eq!(
            one(
                "SELECT count(*) FROM deliveries d JOIN attempts t ON t.delivery = d.id WHERE d.body = x'7b7d'"
            ),
            1
        );
        assert_eq!(
            one("SELECT credits FROM usage WHERE day = 1 AND outcome = 'completed'"),
            3
        );
        assert_eq!(
            one("SELECT generations FROM usage_totals WHERE model = 'm' AND outcome = 'completed'"),
            1
        );
        assert_eq!(
            one("SELECT bytes FROM storage WHERE media_type = 'image/png'"),
            42
        );
        assert_eq!(one("SELECT count(*) FROM pragma_foreign_key_check"), 0);
        assert_eq!(one("PRAGMA foreign_keys"), 1, "it holds again");
        let orphan = "INSERT INTO attempts VALUES (randomblob(16), 1, 0, 1, 500, NULL, NULL)";
        assert!(db.execute_batch(orphan).is_err());
    }

    #[test]
    fn a_newer_database_is_refused_and_left_alone() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        db.pragma_update(None, "user_version", known() + 1).unwrap();
        let error = migrate(&mut db).unwrap_err();
        assert!(
            matches!(error, StoreError::TooNew { found, known: k } if found == k + 1),
            "{error}"
        );
        assert_eq!(version(&db).unwrap(), known() + 1);
    }

    #[test]
    fn another_programs_database_is_refused() {
        let mut db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE theirs (x)").unwrap();
        assert!(matches!(migrate(&mut db), Err(StoreError::Internal(_))));
    }

    #[test]
    fn the_ledger_cannot_be_changed_or_deleted_from() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        db.execute_batch(
            "INSERT INTO accounts VALUES (zeroblob(16), 'a', 1, NULL, NULL, 5, 0, 's', NULL, 0, 0, NULL, NULL, NULL,
                                       NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 'none');
             INSERT INTO entries VALUES (NULL, zeroblob(16), NULL, 'grant', -5, 5, 0, 0, NULL, 0);",
        )
        .unwrap();
        for change in ["UPDATE entries SET reason = 'x'", "DELETE FROM entries"] {
            assert_eq!(
                db.execute_batch(change).unwrap_err().to_string(),
                "the ledger is append-only"
            );
        }
        let unbalanced =
            "INSERT INTO entries VALUES (NULL, zeroblob(16), NULL, 'grant', -5, 6, 0, 0, NULL, 0)";
        assert!(
            db.execute_batch(unbalanced)
                .unwrap_err()
                .to_string()
                .contains("CHECK constraint failed")
        );
    }
}
