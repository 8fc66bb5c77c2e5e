//! Acceptance: holds, idempotency, the rate limit.

use std::time::Duration;

use atelier_domain::{AccountId, GenerationId, State, Timestamp};

use super::world::{START, Shared, World, accept, account, at, change, generation, id, key};
use crate::{Accept, Accepted, EntryKind, Idempotency};

fn with_key(generation: atelier_domain::Generation, body: u8) -> Accept {
    let valid_since = generation.created_at.minus(Duration::from_hours(24));
    let idempotency = Idempotency {
        key: "order-1".to_owned(),
        body_hash: [body; 32],
        valid_since,
    };
    Accept {
        idempotency: Some(idempotency),
        ..accept(generation)
    }
}

pub async fn an_accepted_generation_is_queued_as_it_came_and_held_for(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut sent = generation(world.account, 12);
    sent.webhook_url = Some("https://hooks.example.com/in".to_owned());
    world.accept(sent.clone()).await;
    assert_eq!(world.get(sent.id).await, sent);
    assert_eq!(world.balance().await, (88, 12));
    let hold = store.ledger(world.account, 1).await.unwrap().remove(0);
    assert_eq!((hold.kind, hold.generation), (EntryKind::Hold, Some(sent.id)));
    assert_eq!(
        (hold.issued, hold.available, hold.held, hold.spent),
        (0, -12, 12, 0)
    );
    world.audited().await;
}

pub async fn another_accounts_generation_is_not_found(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(1).await;
    assert_eq!(
        store.generation(AccountId(id()), accepted.id).await.unwrap(),
        None
    );
    assert_eq!(
        store.generation(world.account, GenerationId(id())).await.unwrap(),
        None
    );
}

pub async fn what_is_not_covered_is_not_accepted(store: &Shared) {
    let world = World::new(store, 10).await;
    world.accepted(7).await;
    let refused = generation(world.account, 4);
    let outcome = store.accept(accept(refused.clone())).await.unwrap();
    assert!(
        matches!(outcome, Accepted::Uncovered { available: 3 }),
        "{outcome:?}"
    );
    assert_eq!(store.generation(world.account, refused.id).await.unwrap(), None);
    world.accepted(3).await;
    assert_eq!(world.balance().await, (0, 10));
    world.accepted(0).await;
    world.audited().await;
}

pub async fn an_unknown_account_gets_nothing_accepted(store: &Shared) {
    let outcome = store
        .accept(accept(generation(AccountId(id()), 0)))
        .await
        .unwrap();
    assert!(matches!(outcome, Accepted::NoAccount), "{outcome:?}");
}

pub async fn the_same_key_and_body_answer_the_first_generation(store: &Shared) {
    let world = World::new(store, 100).await;
    let first = generation(world.account, 10);
    assert!(matches!(
        store.accept(with_key(first.clone(), 1)).await.unwrap(),
        Accepted::Accepted(_)
    ));
    let tat = store
        .caller(&world.key.hash)
        .await
        .unwrap()
        .unwrap()
        .generation_tat;
    let again = store
        .accept(with_key(generation(world.account, 10), 1))
        .await
        .unwrap();
    let Accepted::Replayed(replayed) = again else {
        panic!("{again:?}")
    };
    assert_eq!(*replayed, first);
    assert_eq!(world.balance().await, (90, 10));
    assert_eq!(
        store
            .caller(&world.key.hash)
            .await
            .unwrap()
            .unwrap()
            .generation_tat,
        tat,
        "no token was taken"
    );

    let claimed = world.claimed(at(1)).await;
    world.complete(&claimed, 10, at(2)).await;
    let Accepted::Replayed(now) = store
        .accept(with_key(generation(world.account, 10), 1))
        .await
        .unwrap()
    else {
        panic!("not replayed")
    };
    assert_eq!((now.id, now.state), (first.id, State::Completed));
    world.audited().await;
}

pub async fn an_earlier_use_of_a_key_is_found_without_a_request(store: &Shared) {
    let world = World::new(store, 100).await;
    let first = generation(world.account, 10);
    let used = with_key(first.clone(), 1);
    let key = used.idempotency.clone().unwrap();
    assert!(store.earlier_use(world.account, &key).await.unwrap().is_none());
    store.accept(used).await.unwrap();
    let found = store.earlier_use(world.account, &key).await.unwrap();
    assert!(
        matches!(&found, Some(Accepted::Replayed(found)) if **found == first),
        "{found:?}"
    );
    let another_body = Idempotency {
        body_hash: [2; 32],
        ..key.clone()
    };
    let reused = store.earlier_use(world.account, &another_body).await.unwrap();
    assert!(matches!(reused, Some(Accepted::KeyReused)), "{reused:?}");
    let later = Idempotency {
        valid_since: START.plus(Duration::from_micros(1)),
        ..key.clone()
    };
    assert!(store.earlier_use(world.account, &later).await.unwrap().is_none());
    let stranger = AccountId(id());
    assert!(store.earlier_use(stranger, &key).await.unwrap().is_none());
}

pub async fn a_replay_needs_neither_credits_nor_tokens(store: &Shared) {
    let world = World::new(store, 10).await;
    let only_one = |generation| Accept {
        default_per_minute: 1,
        ..with_key(generation, 1)
    };
    assert!(matches!(
        store
            .accept(only_one(generation(world.account, 10)))
            .await
            .unwrap(),
        Accepted::Accepted(_)
    ));
    let again = store
        .accept(only_one(generation(world.account, 10)))
        .await
        .unwrap();
    assert!(matches!(again, Accepted::Replayed(_)), "{again:?}");
}

pub async fn the_same_key_with_another_body_is_refused(store: &Shared) {
    let world = World::new(store, 100).await;
    store
        .accept(with_key(generation(world.account, 10), 1))
        .await
        .unwrap();
    let other = store
        .accept(with_key(generation(world.account, 10), 2))
        .await
        .unwrap();
    assert!(matches!(other, Accepted::KeyReused), "{other:?}");
    assert_eq!(world.balance().await, (90, 10));
}

pub async fn keys_of_two_accounts_do_not_meet(store: &Shared) {
    let world = World::new(store, 100).await;
    let other = account("grace", 100);
    store
        .create_account(
            crate::NewAccount {
                key: key(other.id),
                account: other.clone(),
            },
            change(),
        )
        .await
        .unwrap();
    store
        .accept(with_key(generation(world.account, 10), 1))
        .await
        .unwrap();
    let theirs = store.accept(with_key(generation(other.id, 10), 2)).await.unwrap();
    assert!(matches!(theirs, Accepted::Accepted(_)), "{theirs:?}");
}

pub async fn an_idempotency_key_is_forgotten_after_its_time(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut late = generation(world.account, 10);
    store
        .accept(with_key(generation(world.account, 10), 1))
        .await
        .unwrap();
    late.created_at = START
        .plus(Duration::from_hours(24))
        .plus(Duration::from_micros(1));
    let accepted = store.accept(with_key(late.clone(), 2)).await.unwrap();
    assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
    let mut again = generation(world.account, 10);
    again.created_at = late.created_at;
    let Accepted::Replayed(newest) = store.accept(with_key(again, 2)).await.unwrap() else {
        panic!("not replayed")
    };
    assert_eq!(newest.id, late.id, "the key leads to its newest use");
    world.audited().await;
}

pub async fn old_idempotency_keys_are_purged_and_young_ones_stay(store: &Shared) {
    let world = World::new(store, 100).await;
    store
        .accept(with_key(generation(world.account, 1), 1))
        .await
        .unwrap();
    assert_eq!(store.purge_idempotency(START).await.unwrap(), 0);
    assert_eq!(store.purge_idempotency(at(1)).await.unwrap(), 1);
    let again = store
        .accept(with_key(generation(world.account, 1), 2))
        .await
        .unwrap();
    assert!(matches!(again, Accepted::Accepted(_)), "{again:?}");
}

pub async fn the_rate_limit_refuses_before_the_balance_does(store: &Shared) {
    let world = World::new(store, 10).await;
    let limited = |hold, now: Timestamp| {
        let mut generation = generation(world.account, hold);
        generation.created_at = now;
        store.accept(Accept {
            default_per_minute: 1,
            ..accept(generation)
        })
    };
    let Accepted::Accepted(state) = limited(1, at(0)).await.unwrap() else {
        panic!("not accepted")
    };
    assert_eq!((state.per_minute, state.remaining), (1, 0));
    let Accepted::Limited(refused) = limited(1_000, at(0)).await.unwrap() else {
        panic!("not limited")
    };
    assert_eq!(refused.retry_after_seconds, 60);
    assert_eq!(world.balance().await, (9, 1));
    assert!(matches!(limited(1, at(60)).await.unwrap(), Accepted::Accepted(_)));
}

pub async fn what_is_not_accepted_takes_no_token(store: &Shared) {
    let world = World::new(store, 10).await;
    let one_a_minute = |hold| Accept {
        default_per_minute: 1,
        ..accept(generation(world.account, hold))
    };
    assert!(matches!(
        store.accept(one_a_minute(11)).await.unwrap(),
        Accepted::Uncovered { .. }
    ));
    assert!(matches!(
        store.accept(one_a_minute(10)).await.unwrap(),
        Accepted::Accepted(_)
    ));
}

pub async fn an_id_is_accepted_once(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    assert!(store.accept(accept(accepted.clone())).await.is_err());
    assert_eq!(
        world.balance().await,
        (90, 10),
        "the second has left nothing behind"
    );
    world.audited().await;
}
