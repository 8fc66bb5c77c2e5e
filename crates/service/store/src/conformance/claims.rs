//! The accounts whose generations a claim takes.

use std::collections::HashMap;

use super::world::{Shared, World, at, failure};
use crate::Retry;

pub async fn claims_go_round_the_accounts_and_take_the_oldest_of_each(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut sent = HashMap::<_, Vec<_>>::new();
    let others = [
        world.beside("grace", 100).await,
        world.beside("edsger", 100).await,
    ];
    for (world, count) in [(&world, 6), (&others[0], 3), (&others[1], 1)] {
        for _ in 0..count {
            sent.entry(world.account)
                .or_default()
                .push(world.accepted(1).await.id);
        }
    }
    let mut order = Vec::new();
    let mut taken = HashMap::<_, Vec<_>>::new();
    for _ in 0..10 {
        let claimed = world.claimed(at(1)).await;
        order.push(claimed.account);
        taken.entry(claimed.account).or_default().push(claimed.id);
    }
    assert_eq!(world.claim(1, at(1)).await, []);
    assert_eq!(taken, sent, "the oldest of each account first");
    let of =
        |account, turns: std::ops::Range<usize>| order[turns].iter().filter(|had| **had == account).count();
    for world in [&world, &others[0], &others[1]] {
        assert_eq!(of(world.account, 0..3), 1, "each has a turn: {order:?}");
    }
    assert_eq!(of(others[0].account, 3..5), 1, "{order:?}");
    assert_eq!(of(others[0].account, 5..7), 1, "{order:?}");
    assert_eq!(of(world.account, 7..10), 3, "{order:?}");
}

pub async fn a_claim_of_many_is_shared_among_the_accounts_that_wait(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let others = [
        world.beside("grace", 100).await,
        world.beside("edsger", 100).await,
    ];
    for _ in 0..20 {
        world.accepted(1).await;
    }
    let late = [others[0].accepted(1).await, others[1].accepted(1).await];
    let claimed = world.claim(8, at(1)).await;
    assert_eq!(claimed.len(), 8, "no place stays empty");
    for late in &late {
        assert!(claimed.iter().any(|claimed| claimed.id == late.id), "{claimed:?}");
    }
    assert_eq!(world.claim(100, at(1)).await.len(), 14);
}

pub async fn an_account_whose_work_is_not_due_misses_no_turn_of_others(store: &Shared) {
    let world = World::new(store, 100).await;
    let others = [
        world.beside("grace", 100).await,
        world.beside("edsger", 100).await,
    ];
    // All but one wait for another attempt.
    for world in [&world, &others[0], &others[1]] {
        world.accepted(1).await;
    }
    let waiting = world.claim(3, at(1)).await;
    for held in &waiting {
        let retry = Retry {
            id: held.id,
            epoch: held.epoch,
            now: at(1),
            run_at: at(50),
            failure: failure(),
            lane: None,
        };
        assert!(store.retry(retry).await.unwrap());
    }
    for world in [&others[1], &others[0], &world] {
        let due = world.accepted(1).await;
        assert_eq!(world.claimed(at(2)).await.id, due.id);
        assert_eq!(world.claim(1, at(2)).await, []);
    }
    assert_eq!(world.claim(9, at(50)).await.len(), 3);
}
