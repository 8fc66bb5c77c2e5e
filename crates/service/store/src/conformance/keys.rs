//! Keys with limits on credits, budgets of accounts, and texts that work for a while after a rotation.

use std::sync::Arc;

use atelier_domain::{CreditLimit, Generation, KeyChange, KeyLimits, Scope, Timestamp};
use tokio::task::JoinSet;

use super::world::{
    START, Shared, World, accept, at, change, completed, end, failed, finish, generation, id, key,
};
use crate::{Accept, Accepted, AccountChange, KeySpending, KeyUse, NewKeyText};

/// One day.
const DAY: u64 = 86_400;

fn per_day(world: &World, credits: i64) -> KeyUse {
    KeyUse {
        id: world.key.record.id,
        credits_per_day: Some(credits),
        credits_per_month: None,
    }
}

fn per_month(world: &World, credits: i64) -> KeyUse {
    KeyUse {
        credits_per_day: None,
        credits_per_month: Some(credits),
        ..per_day(world, 0)
    }
}

fn unlimited(world: &World) -> KeyUse {
    KeyUse {
        credits_per_day: None,
        ..per_day(world, 0)
    }
}

async fn try_at(world: &World, key: KeyUse, hold: i64, now: Timestamp) -> (Generation, Accepted) {
    let generation = Generation {
        created_at: now,
        deadline: now.plus(std::time::Duration::from_mins(5)),
        ..generation(world.account, hold)
    };
    let request = Accept {
        key: Some(key),
        ..accept(generation.clone())
    };
    (generation, world.store.accept(request).await.unwrap())
}

async fn accepted(world: &World, key: KeyUse, hold: i64) -> Generation {
    let (generation, accepted) = try_at(world, key, hold, START).await;
    assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
    generation
}

/// Returns the limit that refuses this hold, its credits, and those that count against it.
async fn refused(world: &World, key: KeyUse, hold: i64, now: Timestamp) -> (CreditLimit, i64, i64) {
    match try_at(world, key, hold, now).await.1 {
        Accepted::Exceeded {
            limit,
            allowed,
            spent,
        } => (limit, allowed, spent),
        other => panic!("{other:?}"),
    }
}

async fn budget(world: &World, monthly_budget: Option<i64>) {
    let change_it = AccountChange {
        monthly_budget: Some(monthly_budget),
        ..AccountChange::default()
    };
    let changed = world
        .store
        .update_account(world.account, change_it, change())
        .await;
    assert_eq!(changed.unwrap().unwrap().monthly_budget, monthly_budget);
}

pub async fn the_limits_of_a_key_are_kept_and_changed_one_by_one(store: &Shared) {
    let world = World::new(store, 10).await;
    let found = store.caller(&world.key.hash).await.unwrap().unwrap();
    assert!(found.limits.is_none() && found.until.is_none());
    let limits = KeyLimits {
        scopes: vec![Scope::Read, Scope::Upload],
        models: vec!["flux-*".to_owned()],
        credits_per_day: Some(5),
        credits_per_month: Some(50),
        requests_per_minute: Some(7),
        networks: vec!["192.0.2.0/24".to_owned()],
        expires_at: Some(at(100)),
    };
    let mut second = key(world.account);
    second.record.limits = limits.clone();
    store.create_key(second.clone(), change()).await.unwrap();
    let found = store.caller(&second.hash).await.unwrap().unwrap();
    assert_eq!(found.limits, limits);
    assert_eq!(store.keys(world.account).await.unwrap()[1].limits, limits);
    let change_it = KeyChange {
        name: Some("other".to_owned()),
        models: Some(Vec::new()),
        expires_at: Some(None),
        ..KeyChange::default()
    };
    let updated = store
        .update_key(Some(world.account), second.record.id, change_it, change())
        .await;
    let updated = updated.unwrap().unwrap();
    let expected = KeyLimits {
        models: Vec::new(),
        expires_at: None,
        ..limits
    };
    assert_eq!((updated.name.as_str(), &updated.limits), ("other", &expected));
    let none = KeyChange::to(KeyLimits::default());
    let stranger = Some(atelier_domain::AccountId(id()));
    let theirs = store.update_key(stranger, second.record.id, none.clone(), change());
    assert_eq!(theirs.await.unwrap(), None);
    store
        .revoke_key(None, second.record.id, at(1), change())
        .await
        .unwrap();
    let revoked = store.update_key(None, second.record.id, none, change());
    assert_eq!(revoked.await.unwrap(), None, "a revoked key stays as it is");
}

pub async fn a_rotated_key_works_with_both_texts_for_its_time(store: &Shared) {
    let world = World::new(store, 10).await;
    let key = world.key.record.id;
    let rotate = |hash: u8, now: u64, until: u64| NewKeyText {
        hash: [hash; 32],
        prefix: format!("ak_{hash}"),
        now: at(now),
        previous_until: at(until),
    };
    let rotated = store.rotate_key(None, key, rotate(1, 10, 100), change()).await;
    let rotated = rotated.unwrap().unwrap();
    assert_eq!(
        (rotated.prefix.as_str(), rotated.previous_until),
        ("ak_1", Some(at(100)))
    );
    let until = async |hash: &[u8; 32]| {
        let found = store.caller(hash).await.unwrap()?;
        assert_eq!(found.key, key);
        Some(found.until)
    };
    assert_eq!(until(&[1; 32]).await, Some(None));
    assert_eq!(until(&world.key.hash).await, Some(Some(at(100))));
    // A second rotation, because the key leaked: no earlier text works longer than it says.
    store
        .rotate_key(None, key, rotate(2, 20, 20), change())
        .await
        .unwrap();
    assert_eq!(until(&[2; 32]).await, Some(None));
    assert_eq!(until(&[1; 32]).await, Some(Some(at(20))));
    assert_eq!(until(&world.key.hash).await, Some(Some(at(20))));
    store
        .rotate_key(None, key, rotate(3, 30, 90), change())
        .await
        .unwrap();
    assert_eq!(until(&[1; 32]).await, None, "texts that ended are forgotten");
    store.revoke_key(None, key, at(40), change()).await.unwrap();
    for hash in [[2; 32], [3; 32]] {
        assert_eq!(until(&hash).await, None, "a revoked key has no text that works");
    }
    let again = store.rotate_key(None, key, rotate(4, 50, 60), change()).await;
    assert_eq!(again.unwrap(), None);
}

pub async fn a_key_takes_no_more_credits_on_a_day_than_its_limit(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let key = per_day(&world, 10);
    accepted(&world, key, 6).await;
    assert_eq!(refused(&world, key, 5, START).await, (CreditLimit::KeyDay, 10, 6));
    assert_eq!(world.balance().await, (994, 6), "nothing was held for it");
    accepted(&world, key, 4).await;
    accepted(&world, key, 0).await;
    let (_, next_day) = try_at(&world, key, 10, at(DAY)).await;
    assert!(matches!(next_day, Accepted::Accepted(_)), "{next_day:?}");
    accepted(&world, unlimited(&world), 100).await;
    world.audited().await;
}

pub async fn a_month_ends_with_its_last_day(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let key = per_month(&world, 10);
    // START is 2027-01-15: 16 days before February.
    accepted(&world, key, 4).await;
    let (_, later) = try_at(&world, key, 4, at(10 * DAY)).await;
    assert!(matches!(later, Accepted::Accepted(_)), "{later:?}");
    let exceeded = refused(&world, key, 3, at(16 * DAY)).await;
    assert_eq!(exceeded, (CreditLimit::KeyMonth, 10, 8));
    let (_, february) = try_at(&world, key, 10, at(17 * DAY)).await;
    assert!(matches!(february, Accepted::Accepted(_)), "{february:?}");
}

pub async fn what_a_key_did_not_spend_in_the_end_can_be_spent_again(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let key = per_day(&world, 10);
    for _ in 0..2 {
        accepted(&world, key, 5).await;
    }
    assert_eq!(refused(&world, key, 1, START).await.2, 10);
    let first = world.claimed(at(1)).await;
    store
        .finish(finish(&first, completed(&first, 2), at(1)))
        .await
        .unwrap();
    assert_eq!(refused(&world, key, 4, START).await.2, 7, "it was charged 2 of 5");
    let second = world.claimed(at(1)).await;
    store
        .finish(finish(&second, failed(&second), at(1)))
        .await
        .unwrap();
    assert_eq!(
        refused(&world, key, 9, START).await.2,
        2,
        "a failure costs nothing"
    );
    let cancelled = accepted(&world, key, 8).await;
    store.end(end(&cancelled, at(2))).await.unwrap();
    accepted(&world, key, 8).await;
    assert_eq!(refused(&world, key, 1, START).await.2, 10);
}

pub async fn a_limit_counts_what_was_spent_before_it_was_set(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let free = unlimited(&world);
    accepted(&world, free, 4).await;
    let done = world.claimed(at(1)).await;
    store
        .finish(finish(&done, completed(&done, 3), at(1)))
        .await
        .unwrap();
    let open = accepted(&world, free, 5).await;
    let id = world.key.record.id;
    let limit = KeyChange {
        credits_per_day: Some(Some(10)),
        ..KeyChange::default()
    };
    let at_start = || atelier_domain::AuditRecord {
        at: START,
        ..change()
    };
    store
        .update_key(None, id, limit, at_start())
        .await
        .unwrap()
        .unwrap();
    let key = per_day(&world, 10);
    assert_eq!(refused(&world, key, 3, START).await, (CreditLimit::KeyDay, 10, 8));
    store.end(end(&open, at(2))).await.unwrap();
    assert_eq!(refused(&world, key, 8, START).await.2, 3, "its end gives back");
    budget(&world, Some(12)).await;
    assert_eq!(
        refused(&world, free, 10, START).await,
        (CreditLimit::AccountMonth, 12, 3)
    );
}

pub async fn a_budget_holds_for_all_keys_and_sessions_of_an_account(store: &Shared) {
    let world = World::new(store, 1_000).await;
    budget(&world, Some(10)).await;
    accepted(&world, unlimited(&world), 6).await;
    world.accepted(3).await;
    let session = store.accept(accept(generation(world.account, 2))).await.unwrap();
    assert!(
        matches!(
            session,
            Accepted::Exceeded {
                limit: CreditLimit::AccountMonth,
                allowed: 10,
                spent: 9
            }
        ),
        "{session:?}"
    );
    budget(&world, None).await;
    world.accepted(100).await;
    world.audited().await;
}

pub async fn what_keys_spent_is_told_by_day_and_month(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let key = unlimited(&world);
    world.accepted(7).await;
    accepted(&world, key, 5).await;
    try_at(&world, key, 2, at(DAY)).await;
    let failing = accepted(&world, key, 50).await;
    store.end(end(&failing, at(2))).await.unwrap();
    let mut spending = store.key_spending(world.account, at(DAY)).await.unwrap();
    spending.sort_by_key(|of| of.key.is_some());
    let of = |key, generations_of_month, credits_of_day, credits_of_month| KeySpending {
        key,
        generations_of_month,
        credits_of_day,
        credits_of_month,
    };
    assert_eq!(spending, [of(None, 1, 0, 7), of(Some(key.id), 3, 2, 7)]);
}

pub async fn sixty_four_race_for_the_last_credits_of_a_key(store: &Shared) {
    let world = Arc::new(World::new(store, 1_000_000).await);
    for (limit, key) in [
        (CreditLimit::KeyDay, per_day(&world, 30)),
        (CreditLimit::KeyMonth, per_month(&world, 60)),
    ] {
        let mut racing = JoinSet::new();
        for _ in 0..64 {
            let world = Arc::clone(&world);
            racing.spawn(async move { try_at(&world, key, 3, START).await.1 });
        }
        let answers = racing.join_all().await;
        let taken = answers
            .iter()
            .filter(|answer| matches!(answer, Accepted::Accepted(_)))
            .count();
        assert_eq!(taken, 10, "{limit:?}");
        for answer in answers {
            match answer {
                Accepted::Accepted(_) => {}
                Accepted::Exceeded { limit: named, .. } => assert_eq!(named, limit),
                other => panic!("{other:?}"),
            }
        }
    }
    world.audited().await;
}
