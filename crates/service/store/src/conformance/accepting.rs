//! Acceptance: holds, idempotency, the rate limit; and reads of what was accepted.

use std::time::Duration;

use atelier_domain::{AccountId, GenerationId, MediaKind, State, Status, Timestamp};

use super::world::{START, Shared, World, accept, account, at, change, generation, id, key};
use crate::{Accept, Accepted, EntryKind, GenerationFilter, Idempotency, PageRequest};

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

pub async fn the_list_has_an_order_and_pages_meet_without_gap(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.push(world.accepted(1).await.id);
    }
    for oldest_first in [true, false] {
        let page = async |before| {
            let request = PageRequest { limit: 2, before };
            let filter = GenerationFilter {
                oldest_first,
                ..GenerationFilter::default()
            };
            store.generations(world.account, filter, request).await.unwrap()
        };
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = page(before).await;
            assert_eq!(page.total, 5);
            seen.extend(page.items.iter().map(|generation| generation.id));
            before = seen.last().copied();
            if !page.more {
                break;
            }
        }
        assert_eq!(seen, sent);
        // Without a wish, the newest come first.
        sent.reverse();
    }
    let others = PageRequest {
        limit: 10,
        before: None,
    };
    let empty = store
        .generations(AccountId(id()), GenerationFilter::default(), others)
        .await
        .unwrap();
    assert_eq!((empty.items.len(), empty.total, empty.more), (0, 0, false));
}

pub async fn the_list_is_filtered_by_status_model_and_kind(store: &Shared) {
    let world = World::new(store, 100).await;
    let done = world.accepted(1).await;
    world.complete(&world.claimed(at(1)).await, 1, at(2)).await;
    let lost = world.accepted(1).await;
    world.fail(&world.claimed(at(3)).await, at(4)).await;
    let running = world.accepted(1).await;
    world.claimed(at(5)).await;
    let mut song = generation(world.account, 1);
    (song.model, song.kind) = ("music-2".to_owned(), MediaKind::Audio);
    world.accept(song.clone()).await;

    let matching = async |filter: GenerationFilter| {
        let page = store
            .generations(
                world.account,
                filter,
                PageRequest {
                    limit: 1,
                    before: None,
                },
            )
            .await
            .unwrap();
        let newest = page.items.first().map(|generation| generation.id);
        (newest, page.total, page.more)
    };
    let status = |status| GenerationFilter {
        status: Some(status),
        ..GenerationFilter::default()
    };
    assert_eq!(
        matching(status(Status::Completed)).await,
        (Some(done.id), 1, false)
    );
    assert_eq!(matching(status(Status::Failed)).await, (Some(lost.id), 1, false));
    assert_eq!(
        matching(status(Status::Processing)).await,
        (Some(song.id), 2, true)
    );
    let model = GenerationFilter {
        model: Some("image-gen-4".to_owned()),
        ..GenerationFilter::default()
    };
    assert_eq!(matching(model.clone()).await, (Some(running.id), 3, true));
    let kind = GenerationFilter {
        kind: Some(MediaKind::Audio),
        ..GenerationFilter::default()
    };
    assert_eq!(matching(kind).await, (Some(song.id), 1, false));
    let both = GenerationFilter {
        status: Some(Status::Failed),
        ..model
    };
    assert_eq!(matching(both).await, (Some(lost.id), 1, false));
    let neither = GenerationFilter {
        model: Some("none".to_owned()),
        ..GenerationFilter::default()
    };
    assert_eq!(matching(neither).await, (None, 0, false));
}

pub async fn every_combination_of_filters_finds_its_own(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let mut all = Vec::new();
    for round in 0..3_u64 {
        for (model, kind) in [
            ("a", MediaKind::Image),
            ("b", MediaKind::Image),
            ("c", MediaKind::Video),
        ] {
            for end in [Status::Completed, Status::Failed, Status::Processing] {
                let mut asked = generation(world.account, 1);
                (asked.model, asked.kind) = (model.to_owned(), kind);
                world.accept(asked.clone()).await;
                let claimed = world.claimed(at(round)).await;
                assert_eq!(claimed.id, asked.id);
                match end {
                    Status::Completed => drop(world.complete(&claimed, 1, at(round)).await),
                    Status::Failed => drop(world.fail(&claimed, at(round)).await),
                    Status::Processing => {}
                }
                all.push((asked.id, model, kind, end));
            }
        }
    }
    all.reverse();
    let statuses = [Status::Completed, Status::Failed, Status::Processing].map(Some);
    for status in statuses.into_iter().chain([None]) {
        for model in [None, Some("a"), Some("c"), Some("d")] {
            for kind in [None, Some(MediaKind::Image), Some(MediaKind::Audio)] {
                let mut wanted: Vec<_> = all
                    .iter()
                    .filter(|(_, own, ..)| model.is_none_or(|model| model == *own))
                    .filter(|(.., own, _)| kind.is_none_or(|kind| kind == *own))
                    .filter(|(.., own)| status.is_none_or(|status| status == *own))
                    .map(|(id, ..)| *id)
                    .collect();
                let filter = GenerationFilter {
                    status,
                    model: model.map(str::to_owned),
                    kind,
                    ..GenerationFilter::default()
                };
                let (total, mut before) = (wanted.len() as u64, None);
                loop {
                    let page = PageRequest { limit: 4, before };
                    let page = store
                        .generations(world.account, filter.clone(), page)
                        .await
                        .unwrap();
                    let found: Vec<_> = page.items.iter().map(|generation| generation.id).collect();
                    let rest = wanted.split_off(wanted.len().min(4));
                    assert_eq!(found, wanted, "{filter:?}");
                    assert_eq!((page.total, page.more), (total, !rest.is_empty()), "{filter:?}");
                    if rest.is_empty() {
                        break;
                    }
                    before = found.last().copied();
                    wanted = rest;
                }
            }
        }
    }
}
