//! The limits of accounts on generations that wait and that run.

use std::sync::Arc;

use atelier_domain::AccountId;
use tokio::task::JoinSet;

use super::world::{
    LANE, START, Shared, World, accept, account, at, change, claim, completed, finish, generation, key,
};
use crate::{Accepted, AccountChange, Created, NewAccount};

async fn limit(world: &World, max_queued: Option<u32>, max_running: Option<u32>) {
    let change_it = AccountChange {
        max_queued: Some(max_queued),
        max_running: Some(max_running),
        ..AccountChange::default()
    };
    let changed = world
        .store
        .update_account(world.account, change_it, change())
        .await;
    let limits = changed.unwrap().unwrap().queue;
    assert_eq!((limits.max_queued, limits.max_running), (max_queued, max_running));
}

async fn try_one(world: &World) -> Accepted {
    world
        .store
        .accept(accept(generation(world.account, 1)))
        .await
        .unwrap()
}

/// Another account with so many generations in the queue.
async fn another(world: &World, name: &str, queued: u32) -> AccountId {
    let account = account(name, 1_000);
    let id = account.id;
    let new = NewAccount {
        key: key(id),
        account,
    };
    assert_eq!(
        world.store.create_account(new, change()).await.unwrap(),
        Created::Created
    );
    for _ in 0..queued {
        let accepted = world.store.accept(accept(generation(id, 1))).await.unwrap();
        assert!(matches!(accepted, Accepted::Accepted(_)));
    }
    id
}

pub async fn an_account_with_a_full_queue_gets_nothing_accepted_until_one_runs(store: &Shared) {
    let world = World::new(store, 1_000).await;
    limit(&world, Some(2), None).await;
    for _ in 0..2 {
        assert!(matches!(try_one(&world).await, Accepted::Accepted(_)));
    }
    let refused = try_one(&world).await;
    assert!(matches!(refused, Accepted::QueueFull { max: 2 }), "{refused:?}");
    assert_eq!(world.balance().await, (998, 2), "nothing was held for it");
    let other = another(&world, "unlimited", 3).await;
    assert_ne!(other, world.account);
    assert_eq!(store.claim(claim(world.worker, 1, START)).await.unwrap().len(), 1);
    let mut accepted = 0;
    for _ in 0..3 {
        accepted += u32::from(matches!(try_one(&world).await, Accepted::Accepted(_)));
    }
    assert!(accepted <= 1, "what runs does not wait: {accepted}");
    limit(&world, None, None).await;
    assert!(matches!(try_one(&world).await, Accepted::Accepted(_)));
    world.audited().await;
}

pub async fn claims_leave_what_is_beyond_the_running_generations_of_an_account(store: &Shared) {
    let world = World::new(store, 1_000).await;
    for _ in 0..5 {
        try_one(&world).await;
    }
    limit(&world, None, Some(2)).await;
    // More of them than a claim for one generation looks at.
    let mut limited = Vec::new();
    for number in 0..8 {
        let id = another(&world, &format!("limited-{number}"), 2).await;
        let one = AccountChange {
            max_running: Some(Some(1)),
            ..AccountChange::default()
        };
        store.update_account(id, one, change()).await.unwrap().unwrap();
        limited.push(id);
    }
    let claimed = store.claim(claim(world.worker, 100, START)).await.unwrap();
    let of = |id| {
        claimed
            .iter()
            .filter(|generation| generation.account == id)
            .count()
    };
    assert_eq!(of(world.account), 2);
    assert!(limited.iter().all(|id| of(*id) == 1));
    assert_eq!(claimed.len(), 10);
    // Those that may run nothing more cost no other its turn.
    let other = another(&world, "unlimited", 1).await;
    let next = store.claim(claim(world.worker, 1, START)).await.unwrap();
    assert_eq!(next.iter().map(|next| next.account).collect::<Vec<_>>(), [other]);
    assert!(
        store
            .claim(claim(world.worker, 100, START))
            .await
            .unwrap()
            .is_empty()
    );
    let ended = claimed.iter().find(|one| one.account == world.account).unwrap();
    store
        .finish(finish(ended, completed(ended, 1), at(1)))
        .await
        .unwrap();
    let next = store.claim(claim(world.worker, 100, at(1))).await.unwrap();
    assert_eq!(
        next.iter().map(|next| next.account).collect::<Vec<_>>(),
        [world.account]
    );
    world.audited().await;
}

pub async fn the_limit_of_a_queue_is_exact_under_concurrency(store: &Shared) {
    let world = World::new(store, 1_000).await;
    limit(&world, Some(10), None).await;
    let mut tasks = JoinSet::new();
    for _ in 0..64 {
        let store = Arc::clone(store);
        let request = accept(generation(world.account, 1));
        tasks.spawn(async move { matches!(store.accept(request).await.unwrap(), Accepted::Accepted(_)) });
    }
    let accepted = tasks
        .join_all()
        .await
        .into_iter()
        .filter(|accepted| *accepted)
        .count();
    assert_eq!(accepted, 10);
    assert_eq!(world.balance().await, (990, 10));
}

pub async fn the_limit_of_running_generations_is_exact_under_concurrency(store: &Shared) {
    let world = World::new(store, 1_000).await;
    limit(&world, None, Some(3)).await;
    for _ in 0..30 {
        try_one(&world).await;
    }
    let other = another(&world, "unlimited", 20).await;
    let mut tasks = JoinSet::new();
    for _ in 0..16 {
        let (store, worker) = (Arc::clone(store), world.worker);
        tasks.spawn(async move { store.claim(claim(worker, 4, START)).await.unwrap() });
    }
    let mut claimed: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    assert!(claimed.iter().filter(|one| one.account == world.account).count() <= 3);
    // Claims that met skip what another one counts. Later ones find it.
    claimed.extend(store.claim(claim(world.worker, 100, START)).await.unwrap());
    let of = |id| claimed.iter().filter(|one| one.account == id).count();
    assert_eq!((of(world.account), of(other)), (3, 20));
}

pub async fn claims_of_two_lanes_meet_and_both_take_what_a_limited_account_has(store: &Shared) {
    const ROUNDS: usize = 40;
    let world = World::new(store, 1_000).await;
    limit(&world, None, Some(1_000)).await;
    let mut both = 0;
    for _ in 0..ROUNDS {
        for lane in [LANE, "other"] {
            let mut wanted = accept(generation(world.account, 1));
            lane.clone_into(&mut wanted.lane);
            assert!(matches!(
                store.accept(wanted).await.unwrap(),
                Accepted::Accepted(_)
            ));
        }
        let mut claims = JoinSet::new();
        for lane in [LANE, "other"] {
            let mut claim = claim(world.worker, 4, START);
            lane.clone_into(&mut claim.lane);
            claims.spawn({
                let store = Arc::clone(store);
                async move { store.claim(claim).await.unwrap().len() }
            });
        }
        both += usize::from(claims.join_all().await == [1, 1]);
    }
    // On a machine that is busy otherwise, a claim may take longer than another one tries.
    assert!(both >= ROUNDS - 4, "{both}");
}
