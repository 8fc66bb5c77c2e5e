//! Every rule of the audit, broken by hand in the database, is reported.

use futures::{StreamExt as _, stream};

use super::{fresh, raw};
use crate::{
    NextAttempt,
    conformance::world::{World, at, end, record},
};

/// Removes what prevents the violations, in the session and in the schema.
const UNGUARD: &str = "SET session_replication_role = replica;
    DROP INDEX entries_hold; DROP INDEX entries_end;
    DO $$ DECLARE guard record; BEGIN
        FOR guard IN SELECT conrelid::regclass AS place, conname FROM pg_constraint
                     WHERE contype = 'c' AND connamespace = current_schema()::regnamespace
        LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', guard.place, guard.conname); END LOOP;
    END $$;";

/// A statement, in which `:completed`, `:failed`, `:running` and `:queued` stand for the generations, and a part of a
/// violation after it.
const BROKEN: &[(&str, &str)] = &[
    (
        "UPDATE accounts SET available = 74",
        "available and held are 74 and 20, its entries add up to 73 and 20",
    ),
    (
        "UPDATE accounts SET held = 21",
        "holds 21, its unfinished generations hold 20",
    ),
    (
        "UPDATE accounts SET available = -1",
        "a balance is negative (available -1, held 20)",
    ),
    (
        "UPDATE entries SET available = available + 1 WHERE kind = 'grant'",
        "its sides add up to 1 instead of 0",
    ),
    (
        "UPDATE entries SET account = '00000000-0000-0000-0000-000000000000'::uuid WHERE generation = :queued",
        "names generation QUEUED of another account",
    ),
    (
        "DELETE FROM entries WHERE generation = :queued",
        "generation QUEUED: has 0 entries that hold for it instead of 1",
    ),
    (
        "INSERT INTO entries (account, generation, kind, issued, available, held, spent, reason, at) SELECT \
         account, generation, kind, issued, available, held, spent, reason, at FROM entries WHERE generation = \
         :queued",
        "generation QUEUED: has 2 entries that hold for it",
    ),
    (
        "UPDATE generations SET hold = 11 WHERE id = :queued",
        "generation QUEUED: its hold is 11, its entry holds 10",
    ),
    (
        "DELETE FROM entries WHERE generation = :failed AND kind = 'release'",
        "generation FAILED: has ended and was settled or released 0 times instead of once",
    ),
    (
        "INSERT INTO entries (account, generation, kind, issued, available, held, spent, reason, at) SELECT \
         account, generation, 'release', 0, 10, -10, 0, NULL, at FROM entries WHERE generation = :completed AND \
         kind = 'settle'",
        "generation COMPLETED: has ended and was settled or released 2 times",
    ),
    (
        "INSERT INTO entries (account, generation, kind, issued, available, held, spent, reason, at) SELECT \
         account, generation, 'settle', 0, 0, -10, 10, NULL, at FROM entries WHERE generation = :running",
        "generation RUNNING: has not ended, but was settled or released",
    ),
    (
        "UPDATE entries SET kind = 'release' WHERE generation = :completed AND kind = 'settle'",
        "generation COMPLETED: is completed, but its last entry is a release",
    ),
    (
        "UPDATE entries SET held = -9, available = 9 WHERE generation = :failed AND kind = 'release'",
        "generation FAILED: holds 10, but 9 came back from its hold",
    ),
    (
        "UPDATE generations SET charged = 8 WHERE id = :completed",
        "generation COMPLETED: is charged 8, its entry spends 7",
    ),
    (
        "UPDATE entries SET spent = 4, available = 6 WHERE generation = :failed AND kind = 'release'",
        "generation FAILED: has failed, but its entry spends 4",
    ),
    (
        "UPDATE generations SET lease_until = NULL WHERE id = :running",
        "generation RUNNING: is running, which goes with neither its end nor its lease",
    ),
    (
        "UPDATE generations SET ended_at = NULL WHERE id = :failed",
        "generation FAILED: is failed, which goes with neither",
    ),
    (
        "UPDATE generations SET output = NULL WHERE id = :completed",
        "generation COMPLETED: is completed, which does not go with its output or its charge",
    ),
    (
        "UPDATE generations SET failure = '{}' WHERE id = :queued",
        "generation QUEUED: is queued, which does not go with its failure",
    ),
    (
        "UPDATE generations SET attempt = 5, epoch = 1 WHERE id = :running",
        "generation RUNNING: is running after 5 attempts under epoch 1",
    ),
    (
        "DELETE FROM attempts; DELETE FROM deliveries",
        "generation COMPLETED: has ended and asked for a webhook, but has 0 deliveries instead of 1",
    ),
    (
        "UPDATE deliveries SET generation = :queued",
        "generation QUEUED: has not ended or asked for no webhook, but has delivery",
    ),
    (
        "UPDATE deliveries SET event = 'generation.failed'",
        "tells generation.failed of generation COMPLETED, which is completed",
    ),
    (
        "UPDATE deliveries SET account = '00000000-0000-0000-0000-000000000000'::uuid",
        "belongs to another account than its generation COMPLETED",
    ),
    ("DELETE FROM attempts", "counts 1 attempts, 0 are recorded"),
    (
        "INSERT INTO attempts SELECT delivery, 2, at, latency_ms, status, error, response FROM attempts",
        "counts 1 attempts, 2 are recorded",
    ),
    (
        "UPDATE entries SET account = '00000000-0000-0000-0000-000000000000'::uuid WHERE generation = :completed \
         AND kind = 'settle'",
        "names generation COMPLETED of another account",
    ),
    (
        "INSERT INTO entries (account, generation, kind, issued, available, held, spent, at) VALUES \
         ('00000000-0000-0000-0000-000000000000'::uuid, NULL, 'grant', -5, 5, 0, 0, 0)",
        "do not add up, and no rule says where",
    ),
    (
        "INSERT INTO deleted_generations SELECT id, account, model, kind, state, hold, charged, created_at, \
         ended_at, 0 FROM generations WHERE id = :completed",
        "generation COMPLETED: was deleted and is still there",
    ),
    (
        "INSERT INTO folded SELECT id, 1, 1, 0, 0, 0, 0, 0 FROM accounts",
        "its folded entries add up to 0 and hold 0 instead of 0",
    ),
    (
        "UPDATE usage_totals SET generations = 3 WHERE outcome = 'completed'",
        "with the outcome completed, the total is 3",
    ),
    (
        "UPDATE usage SET credits = credits + 1 WHERE outcome = 'completed'",
        "2 generations have ended and cost 7 credits, its days count 2 and 8",
    ),
    (
        "DELETE FROM attempts; UPDATE deliveries SET attempts = 0",
        "is delivered after 0 attempts under epoch 1",
    ),
    (
        "INSERT INTO idempotency SELECT id, 'k', decode(repeat('00', 32), 'hex'), \
         '00000000-0000-0000-0000-000000000000'::uuid, 0 FROM accounts",
        "its idempotency key `k` leads to generation 00000000-0000-0000-0000-000000000000",
    ),
];

/// The violations in a store in which every state occurs, after this statement.
async fn violations_after(sql: &str) -> Option<Vec<String>> {
    let (store, url) = fresh().await?;
    let world = World::new(&store, 100).await;
    let completed = world.accepted_with_webhook(10).await;
    world.complete(&world.claimed(at(1)).await, 7, at(2)).await;
    let sending = world.claim_deliveries(9, 9, at(2)).await.remove(0);
    let delivered = record(&sending, NextAttempt::Delivered, at(3));
    store.record_attempt(delivered).await.unwrap();
    let failed = world.accepted(10).await;
    store.end(end(&failed, at(3))).await.unwrap();
    let running = world.accepted(10).await;
    world.claimed(at(4)).await;
    let queued = world.accepted_with_webhook(10).await;
    world.audited().await;
    let names = [
        (completed.id, ":completed", "COMPLETED"),
        (failed.id, ":failed", "FAILED"),
        (running.id, ":running", "RUNNING"),
        (queued.id, ":queued", "QUEUED"),
    ];
    let sql = names.iter().fold(sql.to_owned(), |sql, (id, word, _)| {
        sql.replace(word, &format!("'{id}'"))
    });
    raw(&url, &format!("{UNGUARD} {sql}"));
    let violations = store.audit().await.unwrap().violations;
    let named = |violation: String| {
        names.iter().fold(violation, |text, (id, _, name)| {
            text.replace(&id.to_string(), name)
        })
    };
    store.close().await.unwrap();
    Some(violations.into_iter().map(named).collect())
}

#[tokio::test]
async fn whatever_is_broken_is_named() {
    let named = async |(sql, sentence): &(&str, &str)| {
        let Some(violations) = violations_after(sql).await else {
            return;
        };
        assert!(
            violations.iter().any(|violation| violation.contains(sentence)),
            "{sql}: {violations:#?}"
        );
    };
    // A few at a time: each makes a schema.
    let all = stream::iter(BROKEN).map(named).buffer_unordered(4);
    all.collect::<()>().await;
}
