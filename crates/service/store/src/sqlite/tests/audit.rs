//! Every rule of the audit, broken by hand in the database, is reported.

use atelier_domain::Generation;

use super::{fresh, raw};
use crate::NextAttempt;
use crate::conformance::world::{World, at, end, record};

/// A store in which every state occurs.
async fn busy_world(store: &std::sync::Arc<dyn crate::Store>) -> (World, [Generation; 4]) {
    let world = World::new(store, 100).await;
    let completed = world.accepted_with_webhook(10).await;
    world.complete(&world.claimed(at(1)).await, 7, at(2)).await;
    let sending = world.claim_deliveries(9, 9, at(2)).await.remove(0);
    store
        .record_attempt(record(&sending, NextAttempt::Delivered, at(3)))
        .await
        .unwrap();
    let failed = world.accepted(10).await;
    store.end(end(&failed, at(3))).await.unwrap();
    let running = world.accepted(10).await;
    world.claimed(at(4)).await;
    let queued = world.accepted_with_webhook(10).await;
    world.audited().await;
    (world, [completed, failed, running, queued])
}

/// The violations after this SQL, in which `:completed`, `:failed`, `:running` and `:queued` stand for the
/// generations.
async fn violations_after(sql: &str) -> Vec<String> {
    let (store, folder) = fresh();
    let (_, [completed, failed, running, queued]) = busy_world(&store).await;
    let db = raw(folder.path());
    db.execute_batch(
        "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
         DROP TRIGGER entries_are_never_changed; DROP TRIGGER entries_are_never_deleted;
         DROP INDEX entries_hold; DROP INDEX entries_end;",
    )
    .unwrap();
    let mut sql = sql.to_owned();
    for (name, generation) in [
        (":completed", &completed),
        (":failed", &failed),
        (":running", &running),
        (":queued", &queued),
    ] {
        sql = sql.replace(name, &format!("x'{}'", generation.id.0.simple()));
    }
    db.execute_batch(&sql).unwrap();
    let names = [
        (&completed, "COMPLETED"),
        (&failed, "FAILED"),
        (&running, "RUNNING"),
        (&queued, "QUEUED"),
    ];
    let audit = store.audit().await.unwrap();
    audit
        .violations
        .into_iter()
        .map(|violation| {
            names.iter().fold(violation, |text, (generation, name)| {
                text.replace(&generation.id.to_string(), name)
            })
        })
        .collect()
}

macro_rules! broken {
    ($($name:ident: $sql:literal => $sentence:literal;)*) => {
        $(#[tokio::test]
        async fn $name() {
            let violations = violations_after($sql).await;
            assert!(violations.iter().any(|violation| violation.contains($sentence)), "{violations:#?}");
        })*
    };
}

broken! {
    a_balance_that_is_not_the_sum_of_its_entries:
        "UPDATE accounts SET available = 74" => "available and held are 74 and 20, its entries add up to 73 and 20";
    a_hold_that_no_unfinished_generation_has:
        "UPDATE accounts SET held = 21" => "holds 21, its unfinished generations hold 20";
    a_negative_balance:
        "UPDATE accounts SET available = -1" => "a balance is negative (available -1, held 20)";
    an_unbalanced_entry:
        "UPDATE entries SET available = available + 1 WHERE kind = 'grant'" => "its sides add up to 1 instead of 0";
    an_entry_of_another_accounts_generation:
        "UPDATE entries SET account = zeroblob(16) WHERE generation = :queued"
        => "names generation QUEUED of another account";
    a_generation_without_a_hold:
        "DELETE FROM entries WHERE generation = :queued"
        => "generation QUEUED: has 0 entries that hold for it instead of 1";
    a_generation_held_for_twice:
        "INSERT INTO entries SELECT NULL, account, generation, kind, issued, available, held, spent, reason, at
         FROM entries WHERE generation = :queued" => "generation QUEUED: has 2 entries that hold for it";
    a_hold_of_another_size:
        "UPDATE generations SET hold = 11 WHERE id = :queued" => "generation QUEUED: its hold is 11, its entry \
         holds 10";
    an_end_without_an_entry:
        "DELETE FROM entries WHERE generation = :failed AND kind = 'release'"
        => "generation FAILED: has ended and was settled or released 0 times instead of once";
    an_end_with_two_entries:
        "INSERT INTO entries SELECT NULL, account, generation, 'release', 0, 10, -10, 0, NULL, at
         FROM entries WHERE generation = :completed AND kind = 'settle'"
        => "generation COMPLETED: has ended and was settled or released 2 times";
    a_settlement_before_the_end:
        "INSERT INTO entries SELECT NULL, account, generation, 'settle', 0, 0, -10, 10, NULL, at
         FROM entries WHERE generation = :running" => "generation RUNNING: has not ended, but was settled or released";
    a_release_of_what_was_completed:
        "UPDATE entries SET kind = 'release' WHERE generation = :completed AND kind = 'settle'"
        => "generation COMPLETED: is completed, but its last entry is a release";
    a_hold_that_came_back_in_part:
        "UPDATE entries SET held = -9, available = 9 WHERE generation = :failed AND kind = 'release'"
        => "generation FAILED: holds 10, but 9 came back from its hold";
    a_charge_that_is_not_the_entrys:
        "UPDATE generations SET charged = 8 WHERE id = :completed"
        => "generation COMPLETED: is charged 8, its entry spends 7";
    a_failure_that_cost_something:
        "UPDATE entries SET spent = 4, available = 6 WHERE generation = :failed AND kind = 'release'"
        => "generation FAILED: has failed, but its entry spends 4";
    a_running_generation_without_a_lease:
        "UPDATE generations SET lease_until = NULL WHERE id = :running"
        => "generation RUNNING: is running, which goes with neither its end nor its lease";
    an_ended_generation_without_an_end:
        "UPDATE generations SET ended_at = NULL WHERE id = :failed"
        => "generation FAILED: is failed, which goes with neither";
    a_completed_generation_without_output:
        "UPDATE generations SET output = NULL WHERE id = :completed"
        => "generation COMPLETED: is completed, which does not go with its output or its charge";
    a_queued_generation_with_a_failure:
        "UPDATE generations SET failure = '{}' WHERE id = :queued"
        => "generation QUEUED: is queued, which does not go with its failure";
    more_attempts_than_epochs:
        "UPDATE generations SET attempt = 5, epoch = 1 WHERE id = :running"
        => "generation RUNNING: is running after 5 attempts under epoch 1";
    an_end_that_was_not_told:
        "DELETE FROM attempts; DELETE FROM deliveries"
        => "generation COMPLETED: has ended and asked for a webhook, but has 0 deliveries instead of 1";
    a_delivery_before_the_end:
        "UPDATE deliveries SET generation = :queued"
        => "generation QUEUED: has not ended or asked for no webhook, but has delivery";
    a_delivery_that_tells_something_else:
        "UPDATE deliveries SET event = 'generation.failed'"
        => "tells generation.failed of generation COMPLETED, which is completed";
    a_delivery_of_another_account:
        "UPDATE deliveries SET account = zeroblob(16)" => "belongs to another account than its generation COMPLETED";
    an_attempt_that_was_not_recorded:
        "DELETE FROM attempts" => "counts 1 attempts, 0 are recorded";
    an_attempt_that_was_not_counted:
        "INSERT INTO attempts SELECT delivery, 2, at, latency_ms, status, error, response FROM attempts"
        => "counts 1 attempts, 2 are recorded";
    an_end_on_another_account:
        "UPDATE entries SET account = zeroblob(16) WHERE generation = :completed AND kind = 'settle'"
        => "names generation COMPLETED of another account";
    an_entry_of_no_generation:
        "INSERT INTO entries SELECT NULL, account, zeroblob(16), 'hold', 0, 0, 0, 0, NULL, at
         FROM entries WHERE generation = :queued"
        => "names generation 00000000-0000-0000-0000-000000000000 of another account, or none that exists";
    a_grant_to_nobody:
        "INSERT INTO entries VALUES (NULL, zeroblob(16), NULL, 'grant', -5, 5, 0, 0, NULL, 0)"
        => "do not add up, and no rule says where";
    a_deleted_generation_that_is_there:
        "INSERT INTO deleted_generations SELECT id, account, model, kind, state, hold, charged, created_at, ended_at, 0
         FROM generations WHERE id = :completed" => "generation COMPLETED: was deleted and is still there";
    a_deleted_generation_that_cost_something_else:
        "DELETE FROM attempts; DELETE FROM deliveries; UPDATE usage SET removed = 1 WHERE outcome = 'completed';
         INSERT INTO deleted_generations SELECT id, account, model, kind, state, hold, 8, created_at, ended_at, 0
         FROM generations WHERE id = :completed; DELETE FROM generations WHERE id = :completed"
        => "generation COMPLETED: was deleted and cost 8, its entry spends 7";
    folded_entries_in_the_wrong_number:
        "INSERT INTO folded SELECT id, 1, 1, 0, 0, 0, 0, 0 FROM accounts"
        => "its folded entries add up to 0 and hold 0 instead of 0";
    a_day_that_counts_too_much:
        "UPDATE usage SET credits = credits + 1 WHERE outcome = 'completed'"
        => "2 generations have ended and cost 7 credits, its days count 2 and 8";
    a_total_that_is_not_the_sum_of_its_days:
        "UPDATE usage_totals SET generations = 3 WHERE outcome = 'completed'"
        => "with the outcome completed, the total is 3";
    a_day_that_counts_removed_ones:
        "UPDATE usage SET removed = 1 WHERE outcome = 'completed'"
        => "its days count 1 generations that are not listed any more, 0 are gone";
    a_delivery_over_without_an_attempt:
        "DELETE FROM attempts; UPDATE deliveries SET attempts = 0" => "is delivered after 0 attempts under epoch 1";
    an_idempotency_key_that_leads_nowhere:
        "INSERT INTO idempotency SELECT id, 'k', zeroblob(32), zeroblob(16), 0 FROM accounts"
        => "its idempotency key `k` leads to generation 00000000-0000-0000-0000-000000000000";
}

#[tokio::test]
async fn a_rule_broken_often_is_named_often_enough() {
    let (store, folder) = fresh();
    let world = World::new(&store, 1_000).await;
    for _ in 0..25 {
        world.accepted(1).await;
    }
    let db = raw(folder.path());
    db.execute_batch("UPDATE generations SET hold = 2").unwrap();
    let violations = store.audit().await.unwrap().violations;
    assert_eq!(
        violations
            .iter()
            .filter(|violation| violation.contains("its hold is 2, its entry holds 1"))
            .count(),
        20
    );
    assert!(
        violations
            .iter()
            .any(|violation| violation == "… and 5 more like the last one"),
        "{violations:#?}"
    );
}
