//! Deliveries as clients see them, days of usage, pages of the ledger, nodes.

use atelier_domain::{DeliveryId, DeliveryState, Event, Failure, FailureCode, GenerationId};

use super::world::{START, Shared, World, at, change, end, generation, id, record};
use crate::{
    DeliveryFilter, Ended, GenerationFilter, NewDelivery, NextAttempt, Node, NodeEngine, PageRequest,
    Redelivered,
};

fn test_delivery() -> NewDelivery {
    NewDelivery {
        id: DeliveryId(id()),
        event: Event::Test,
        url: "https://hooks.example.com/test".to_owned(),
        host: "hooks.example.com:443".to_owned(),
        endpoint: None,
        body: b"{\"event\":\"webhook.test\"}".to_vec(),
    }
}

pub async fn a_test_belongs_to_no_generation_and_is_delivered_like_any_other(store: &Shared) {
    let world = World::new(store, 10).await;
    let new = test_delivery();
    store
        .deliver_test(world.account, new.clone(), at(1), Some(change()))
        .await
        .unwrap();
    let claimed = world.claim_deliveries(8, 8, at(1)).await.remove(0);
    assert_eq!(
        (claimed.delivery.generation, claimed.delivery.event),
        (None, Event::Test)
    );
    assert_eq!(claimed.delivery.body, new.body);
    store
        .record_attempt(record(&claimed, NextAttempt::Delivered, at(2)))
        .await
        .unwrap();
    let (found, attempts) = store.delivery(world.account, new.id).await.unwrap().unwrap();
    assert_eq!((found.state, attempts.len()), (DeliveryState::Delivered, 1));
    world.audited().await;
}

pub async fn an_ended_delivery_is_sent_again_with_the_same_bytes(store: &Shared) {
    let world = World::new(store, 10).await;
    let delivery = world.delivery_to("a:443", at(1)).await;
    let again = |account, now| store.redeliver(account, delivery, now, None);
    assert_eq!(again(world.account, at(1)).await.unwrap(), Redelivered::NotEnded);
    let first = world.claim_deliveries(8, 8, at(1)).await.remove(0);
    store
        .record_attempt(record(&first, NextAttempt::GivenUp, at(2)))
        .await
        .unwrap();
    let stranger = atelier_domain::AccountId(id());
    assert_eq!(again(stranger, at(3)).await.unwrap(), Redelivered::NotFound);
    assert_eq!(again(world.account, at(3)).await.unwrap(), Redelivered::Due);
    let second = world.claim_deliveries(8, 8, at(3)).await.remove(0);
    assert_eq!(
        (
            second.delivery.id,
            &second.delivery.body,
            second.delivery.attempts_before
        ),
        (delivery, &first.delivery.body, 1)
    );
    store
        .record_attempt(record(&second, NextAttempt::Delivered, at(4)))
        .await
        .unwrap();
    let (found, attempts) = store.delivery(world.account, delivery).await.unwrap().unwrap();
    assert_eq!(
        (found.state, found.attempts, attempts.len()),
        (DeliveryState::Delivered, 2, 2)
    );
    world.audited().await;
}

pub async fn all_failed_deliveries_are_sent_again_up_to_a_limit(store: &Shared) {
    let world = World::new(store, 10).await;
    world.deliveries_to("a:443", 5, at(1)).await;
    for claimed in world.claim_deliveries(8, 8, at(1)).await.into_iter().take(4) {
        let next = record(&claimed, NextAttempt::GivenUp, at(2));
        store.record_attempt(next).await.unwrap();
    }
    let before = store.changes(None, None, 100).await.unwrap().len();
    let again = |limit| store.redeliver_failed(world.account, limit, at(3), Some(change()));
    assert_eq!(again(3).await.unwrap(), 3);
    assert_eq!(again(9).await.unwrap(), 1);
    assert_eq!(again(9).await.unwrap(), 0);
    let after = store.changes(None, None, 100).await.unwrap().len();
    assert_eq!(after, before + 2, "what did nothing is not written down");
    world.audited().await;
}

pub async fn deliveries_are_listed_newest_first_and_filtered(store: &Shared) {
    let world = World::new(store, 10).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(world.delivery_to("a:443", at(1)).await);
    }
    store
        .deliver_test(world.account, test_delivery(), at(2), None)
        .await
        .unwrap();
    let first = world.claim_deliveries(1, 8, at(3)).await.remove(0);
    store
        .record_attempt(record(&first, NextAttempt::GivenUp, at(3)))
        .await
        .unwrap();
    let list = |filter, before, limit| store.list_deliveries(world.account, filter, before, limit);
    let page = list(DeliveryFilter::default(), None, 3).await.unwrap();
    assert_eq!((page.total, page.more, page.items.len()), (4, true, 3));
    let last = page.items[2].0.id;
    let rest = list(DeliveryFilter::default(), Some(last), 3).await.unwrap();
    assert_eq!((rest.total, rest.more, rest.items.len()), (4, false, 1));
    let failed = DeliveryFilter {
        state: Some(DeliveryState::Failed),
        ..DeliveryFilter::default()
    };
    let failed = list(failed, None, 9).await.unwrap();
    assert_eq!((failed.total, failed.items[0].0.id), (1, first.delivery.id));
    assert_eq!(failed.items[0].1.as_ref().unwrap().status, Some(503));
    let tests = DeliveryFilter {
        event: Some(Event::Test),
        ..DeliveryFilter::default()
    };
    assert_eq!(list(tests, None, 9).await.unwrap().total, 1);
    let of_one = DeliveryFilter {
        generation: first.delivery.generation,
        ..DeliveryFilter::default()
    };
    assert_eq!(
        list(of_one, None, 9).await.unwrap().items[0].0.id,
        first.delivery.id
    );
    let of_none = DeliveryFilter {
        generation: Some(GenerationId(id())),
        ..DeliveryFilter::default()
    };
    assert_eq!(list(of_none, None, 9).await.unwrap().total, 0);
}

pub async fn a_day_counts_what_ended_on_it(store: &Shared) {
    let world = World::new(store, 100).await;
    for _ in 0..3 {
        world.accepted(10).await;
    }
    world.complete(&world.claimed(at(1)).await, 4, at(2)).await;
    world.complete(&world.claimed(at(1)).await, 6, at(2)).await;
    world.fail(&world.claimed(at(1)).await, at(2)).await;
    let unwanted = world.accepted(10).await;
    let mut cancelled = end(&unwanted, at(2));
    cancelled.failure = Failure::cancelled();
    assert_eq!(store.end(cancelled).await.unwrap(), Ended::Ended);
    let day = at(2).micros() / 86_400_000_000;
    let rows = store.usage(Some(world.account), (day, day)).await.unwrap();
    let shown: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.day,
                row.outcome.as_str(),
                row.generations,
                row.cancelled,
                row.credits,
            )
        })
        .collect();
    let failed = FailureCode::GenerationFailed.as_str();
    assert_eq!(
        shown,
        [(day, "completed", 2, 0, 10), (day, failed, 2, 1, 0)],
        "what was cancelled is among the failures, and counted apart"
    );
    assert_eq!(store.usage(None, (day, day)).await.unwrap(), rows);
    assert_eq!(store.usage(None, (day + 1, day + 9)).await.unwrap(), []);
    let all = PageRequest {
        limit: 1,
        before: None,
    };
    let page = store
        .generations(world.account, GenerationFilter::default(), all)
        .await
        .unwrap();
    assert_eq!(page.total, 4);
    world.audited().await;
}

pub async fn pages_of_the_ledger_carry_the_balance_along(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    world.complete(&world.claimed(at(1)).await, 4, at(2)).await;
    let first = store.ledger_page(world.account, None, 2).await.unwrap();
    let balances: Vec<_> = first.items.iter().map(|(_, after)| *after).collect();
    assert_eq!(balances, [96, 90]);
    let rest = store.ledger_page(world.account, first.next, 2).await.unwrap();
    assert_eq!((rest.items[0].1, rest.next), (100, None));
    let forward = store.ledger_after(world.account, 0, 9).await.unwrap();
    assert_eq!(forward.iter().map(|entry| entry.available).sum::<i64>(), 96);
    let detail = store
        .generation_detail(world.account, accepted.id)
        .await
        .unwrap()
        .unwrap();
    let kinds: Vec<_> = detail.entries.iter().map(|entry| entry.kind.as_str()).collect();
    assert_eq!(kinds, ["hold", "settle"]);
    let stranger = atelier_domain::AccountId(id());
    assert!(
        store
            .generation_detail(stranger, accepted.id)
            .await
            .unwrap()
            .is_none()
    );
}

pub async fn nodes_are_there_until_they_go_or_fall_silent(store: &Shared) {
    let node = |seen| Node {
        id: atelier_domain::WorkerId(id()),
        pid: 7,
        version: "0.1.0".to_owned(),
        started_at: START,
        seen_at: seen,
        engines: vec![NodeEngine {
            without_room: true,
            name: "echo".to_owned(),
            slots: 4,
            running: 1,
        }],
    };
    let (one, two) = (node(at(1)), node(at(50)));
    store.note_node(one.clone(), START).await.unwrap();
    store.note_node(two.clone(), START).await.unwrap();
    assert_eq!(store.nodes().await.unwrap(), [one, two.clone()]);
    store.note_node(two.clone(), at(2)).await.unwrap();
    assert_eq!(
        store.nodes().await.unwrap(),
        std::slice::from_ref(&two),
        "the other fell silent"
    );
    store.forget_node(two.id).await.unwrap();
    assert_eq!(store.nodes().await.unwrap(), []);
}

pub async fn the_queue_is_counted_by_model(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(1).await;
    world.claimed(at(1)).await;
    world.accepted(1).await;
    let other = atelier_domain::Generation {
        model: "music-gen".to_owned(),
        ..generation(world.account, 1)
    };
    world.accept(other).await;
    let queue = store.queue().await.unwrap();
    let rows: Vec<_> = queue
        .iter()
        .map(|row| (row.model.as_str(), row.queued, row.running))
        .collect();
    assert_eq!(rows, [("image-gen-4", 1, 1), ("music-gen", 1, 0)]);
    assert_eq!(queue[0].oldest_queued, Some(START));
}
