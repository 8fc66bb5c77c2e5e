//! The reports for operators: usage by account, and changes by kind.

use atelier_domain::{Actor, AuditRecord};
use serde_json::Map;

use super::world::{START, Shared, World, at};
use crate::AccountUsage;

const DAY_MICROS: i64 = 86_400_000_000;

pub async fn usage_by_account_has_those_that_spent_most_first(store: &Shared) {
    let world = World::new(store, 100).await;
    let grace = world.beside("grace", 100).await;
    world.beside("idle", 100).await;
    for (owner, charge) in [(&world, 3), (&world, 2), (&grace, 9)] {
        owner.accepted(10).await;
        let claimed = world.claimed(at(1)).await;
        owner.complete(&claimed, charge, at(2)).await;
    }
    world.accepted(10).await;
    let failing = world.claimed(at(1)).await;
    world.fail(&failing, at(2)).await;
    let day = START.0 / DAY_MICROS;
    let row = |world: &World, name: &str, completed, failed, credits| AccountUsage {
        account: world.account,
        name: name.to_owned(),
        completed,
        failed,
        cancelled: 0,
        credits,
    };
    let (graces, own) = (row(&grace, "grace", 1, 0, 9), row(&world, "ada", 2, 1, 5));
    let found = store.usage_by_account((day, day), 10).await.unwrap();
    assert_eq!(found, [graces.clone(), own]);
    assert_eq!(store.usage_by_account((day, day), 1).await.unwrap(), [graces]);
    assert_eq!(store.usage_by_account((day + 1, day + 9), 10).await.unwrap(), []);
}

pub async fn changes_are_found_by_their_kind_and_account(store: &Shared) {
    let world = World::new(store, 100).await;
    let grace = world.beside("grace", 100).await;
    let record = |action, world: &World| AuditRecord {
        at: START,
        actor: Actor::Cli,
        action,
        account: Some(world.account),
        object: "something".to_owned(),
        details: Map::new(),
    };
    for (action, world) in [
        ("key.create", &world),
        ("key.revoke", &grace),
        ("keys.other", &world),
        ("key.update", &world),
        ("media.takedown", &world),
    ] {
        store.record(record(action, world)).await.unwrap();
    }
    let found = async |account, before, limit| {
        let found = store
            .changes_of_kind("key", account, before, limit)
            .await
            .unwrap();
        let last = found.last().map(|last| last.id);
        (found.into_iter().map(|one| one.action).collect::<Vec<_>>(), last)
    };
    let (all, _) = found(None, None, 10).await;
    assert_eq!(all, ["key.update", "key.revoke", "key.create"]);
    let (newest, last) = found(None, None, 1).await;
    assert_eq!(newest, ["key.update"]);
    assert_eq!(found(None, last, 10).await.0, ["key.revoke", "key.create"]);
    assert_eq!(
        found(Some(world.account), None, 10).await.0,
        ["key.update", "key.create"]
    );
}
