//! Plans: limits and weights that accounts share.

use std::sync::Arc;

use atelier_domain::{Generation, Plan, PlanChange, PlanLimits, QueueLimits, Timestamp};
use tokio::task::JoinSet;

use super::world::{START, Shared, World, accept, at, change, claim, generation};
use crate::{Accepted, AccountChange, Claim, TokenTaken};

/// The plan of the accounts of a [`World`].
const STUDIO: &str = "studio";

async fn set(world: &World, name: &str, set: PlanChange) {
    world.store.set_plan(name, set, change()).await.unwrap();
}

async fn limit_running(world: &World, max: Option<u32>) {
    let limits = PlanChange {
        max_running: Some(max),
        ..PlanChange::default()
    };
    set(world, STUDIO, limits).await;
}

/// A plan of this name and weight, and the account on it.
async fn weighs(world: &World, name: &str, weight: u32) {
    let plan = PlanChange {
        weight: Some(weight),
        ..PlanChange::default()
    };
    set(world, name, plan).await;
    let on_it = AccountChange {
        plan: Some(Some(Plan {
            name: name.to_owned(),
            active: true,
        })),
        ..AccountChange::default()
    };
    update(world, on_it).await;
}

async fn update(world: &World, update: AccountChange) {
    let updated = world.store.update_account(world.account, update, change());
    updated.await.unwrap().unwrap();
}

/// Asks for a generation where 50 per minute are the default.
async fn try_one(world: &World, now: Timestamp) -> Accepted {
    let mut request = accept(generation(world.account, 1));
    request.generation.created_at = now;
    request.default_per_minute = 50;
    world.store.accept(request).await.unwrap()
}

/// Three accounts, each with this many generations that wait.
async fn three(store: &Shared, generations: u32) -> (World, [World; 2]) {
    let world = World::new(store, 1_000).await;
    let others = [
        world.beside("grace", 1_000).await,
        world.beside("edsger", 1_000).await,
    ];
    for world in [&world, &others[0], &others[1]] {
        for _ in 0..generations {
            world.accepted(1).await;
        }
    }
    (world, others)
}

fn count(claimed: &[Generation], world: &World) -> usize {
    let own = claimed.iter().filter(|one| one.account == world.account);
    own.count()
}

pub async fn a_plan_is_set_changed_listed_and_removed(store: &Shared) {
    let world = World::new(store, 0).await;
    assert_eq!(store.plans().await.unwrap(), []);
    assert_eq!(store.plan("free").await.unwrap(), None);
    let first = PlanChange {
        max_queued: Some(Some(10)),
        generations_per_minute: Some(Some(3)),
        ..PlanChange::default()
    };
    let made = store.set_plan("free", first, change()).await.unwrap();
    let free = PlanLimits {
        name: "free".to_owned(),
        generations_per_minute: Some(3),
        queue: QueueLimits {
            max_queued: Some(10),
            max_running: None,
        },
        weight: 1,
    };
    assert_eq!(made, free);
    let second = PlanChange {
        max_queued: Some(None),
        max_running: Some(Some(2)),
        weight: Some(7),
        ..PlanChange::default()
    };
    let changed = store.set_plan("free", second, change()).await.unwrap();
    let free = PlanLimits {
        queue: QueueLimits {
            max_queued: None,
            max_running: Some(2),
        },
        weight: 7,
        ..free
    };
    assert_eq!(changed, free);
    set(&world, "Pro", PlanChange::default()).await;
    let pro = PlanLimits::none("Pro".to_owned());
    assert_eq!(store.plans().await.unwrap(), [pro.clone(), free.clone()]);
    assert_eq!(store.plan("free").await.unwrap(), Some(free));
    assert!(store.remove_plan("free", change()).await.unwrap());
    assert!(!store.remove_plan("free", change()).await.unwrap());
    assert_eq!(store.plans().await.unwrap(), [pro]);
    world.audited().await;
}

pub async fn accounts_have_the_queue_and_the_rate_of_their_plan_unless_they_have_their_own(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let other = world.beside("grace", 1_000).await;
    let limits = PlanChange {
        max_queued: Some(Some(2)),
        generations_per_minute: Some(Some(3)),
        ..PlanChange::default()
    };
    set(&world, STUDIO, limits).await;
    for world in [&world, &other] {
        for left in [2, 1] {
            let accepted = try_one(world, START).await;
            let Accepted::Accepted(rate) = accepted else {
                panic!("{accepted:?}")
            };
            assert_eq!((rate.per_minute, rate.remaining), (3, left));
        }
        let refused = try_one(world, START).await;
        assert!(matches!(refused, Accepted::QueueFull { max: 2 }), "{refused:?}");
        assert_eq!(world.balance().await, (998, 2), "nothing was held for it");
    }
    let caller = store.caller(&world.key.hash).await.unwrap().unwrap();
    let account = caller.account;
    assert_eq!(
        (account.generations_per_minute, account.per_minute()),
        (None, Some(3))
    );
    let token = async || store.take_token(world.account, 50, START).await.unwrap();
    assert!(matches!(token().await, TokenTaken::Taken(rate) if rate.per_minute == 3));
    assert!(matches!(token().await, TokenTaken::Limited(_)));

    let own = AccountChange {
        max_queued: Some(Some(3)),
        generations_per_minute: Some(Some(100)),
        ..AccountChange::default()
    };
    update(&world, own).await;
    let accepted = try_one(&world, at(60)).await;
    assert!(
        matches!(accepted, Accepted::Accepted(rate) if rate.per_minute == 100),
        "{accepted:?}"
    );
    let refused = try_one(&world, at(60)).await;
    assert!(matches!(refused, Accepted::QueueFull { max: 3 }), "{refused:?}");
    let caller = store.caller(&world.key.hash).await.unwrap().unwrap();
    assert_eq!(caller.account.per_minute(), Some(100));

    assert!(store.remove_plan(STUDIO, change()).await.unwrap());
    let accepted = try_one(&other, at(60)).await;
    assert!(
        matches!(accepted, Accepted::Accepted(rate) if rate.per_minute == 50),
        "{accepted:?}"
    );
    let kept = store.account(other.account).await.unwrap().unwrap();
    assert_eq!(kept.plan.map(|plan| plan.name).as_deref(), Some(STUDIO));
    assert_eq!(kept.plan_per_minute, None);
    world.audited().await;
}

pub async fn a_plan_limits_the_running_generations_of_each_of_its_accounts(store: &Shared) {
    let (world, others) = three(store, 5).await;
    limit_running(&world, Some(2)).await;
    let own = AccountChange {
        max_running: Some(Some(3)),
        ..AccountChange::default()
    };
    update(&others[1], own).await;
    let claimed = world.claim(100, START).await;
    let of = |claimed: &[Generation]| [&world, &others[0], &others[1]].map(|world| count(claimed, world));
    assert_eq!(of(&claimed), [2, 2, 3]);
    assert_eq!(world.claim(100, START).await, []);

    let ended = claimed.iter().find(|one| one.account == others[0].account);
    others[0].complete(ended.unwrap(), 1, at(1)).await;
    let next = world.claim(100, at(1)).await;
    assert_eq!(of(&next), [0, 1, 0]);
    limit_running(&world, Some(3)).await;
    assert_eq!(of(&world.claim(100, at(1)).await), [1, 1, 0]);
    store.remove_plan(STUDIO, change()).await.unwrap();
    assert_eq!(of(&world.claim(100, at(1)).await), [2, 1, 0]);
    world.audited().await;
}

pub async fn the_limit_of_a_plan_is_exact_under_concurrency(store: &Shared) {
    let (world, others) = three(store, 20).await;
    limit_running(&world, Some(3)).await;
    let mut tasks = JoinSet::new();
    for _ in 0..16 {
        let (store, worker) = (Arc::clone(store), world.worker);
        tasks.spawn(async move { store.claim(claim(worker, 4, START)).await.unwrap() });
    }
    let mut claimed: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
    // Claims that met skip what another one counts. Later ones find it.
    claimed.extend(world.claim(100, START).await);
    for world in [&world, &others[0], &others[1]] {
        assert_eq!(count(&claimed, world), 3);
    }
    world.audited().await;
}

pub async fn an_account_has_as_many_turns_in_a_row_as_its_plan_weighs(store: &Shared) {
    let world = World::new(store, 100).await;
    let other = world.beside("grace", 100).await;
    for world in [&world, &other] {
        for _ in 0..12 {
            world.accepted(1).await;
        }
    }
    weighs(&world, "large", 3).await;
    let mut order = Vec::new();
    for _ in 0..8 {
        order.push(world.claimed(START).await);
    }
    assert_eq!((count(&order, &world), count(&order, &other)), (6, 2));
    for four in order.chunks(4) {
        assert_eq!(count(four, &other), 1, "{order:?}");
    }
    // What an account does not need, others have.
    weighs(&world, "large", 1).await;
    weighs(&other, "small", 100).await;
    let rest = world.claim(100, START).await;
    assert_eq!((count(&rest, &world), count(&rest, &other)), (6, 10));
    world.accepted(1).await;
    assert_eq!(world.claimed(START).await.account, world.account);
    world.audited().await;
}

pub async fn a_claim_of_many_is_divided_by_the_weights(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let others = [
        world.beside("grace", 1_000).await,
        world.beside("edsger", 1_000).await,
    ];
    for world in [&world, &others[0], &others[1]] {
        for _ in 0..40 {
            world.accepted(1).await;
        }
    }
    weighs(&world, "large", 3).await;
    weighs(&others[1], "middle", 2).await;
    let of = |claimed: &[Generation]| [&world, &others[0], &others[1]].map(|world| count(claimed, world));
    assert_eq!(of(&world.claim(12, START).await), [6, 2, 4]);
    // Claims that end within the turns of an account go on with it.
    let mut claimed = Vec::new();
    for max in [5, 1, 4, 7, 1] {
        let some = world.claim(max, START).await;
        assert_eq!(some.len(), max as usize);
        claimed.extend(some);
    }
    assert_eq!(of(&claimed), [9, 3, 6]);
    world.audited().await;
}

pub async fn a_place_in_the_queue_goes_by_the_weights(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let grace = world.beside("grace", 1_000).await;
    weighs(&world, "large", 3).await;
    let mut ids = Vec::new();
    for _ in 0..7 {
        grace.accepted(1).await;
    }
    for _ in 0..7 {
        ids.push(world.accepted(1).await.id);
    }
    let last = grace.accepted(1).await.id;
    let ahead = async |world: &World, id| {
        let place = store.queue_place(world.account, id).await.unwrap();
        place.unwrap().ahead
    };
    // Three of hers, then one of the other account, which has waited longer.
    let mut places = Vec::new();
    for id in &ids {
        places.push(ahead(&world, *id).await);
    }
    assert_eq!(places, [1, 2, 3, 5, 6, 7, 9]);
    // The eighth of the other account waits for all of hers.
    assert_eq!(ahead(&grace, last).await, 7 + 7);
    // They are claimed in this order.
    let mut order = Vec::new();
    for _ in 0..15 {
        order.push(world.claimed(START).await.id);
    }
    for (id, place) in ids.iter().zip(places) {
        let claimed = order.iter().position(|other| other == id).unwrap() as u32;
        assert!(claimed.abs_diff(place) <= 1, "{place}: {claimed}");
    }
}

pub async fn claims_of_some_models_go_by_the_weights_too(store: &Shared) {
    let world = World::new(store, 100).await;
    let others = [
        world.beside("grace", 100).await,
        world.beside("edsger", 100).await,
    ];
    for (world, model) in [(&world, "mine"), (&others[0], "other"), (&others[1], "mine")] {
        for _ in 0..6 {
            let mut generation = generation(world.account, 1);
            model.clone_into(&mut generation.model);
            world.accept(generation).await;
        }
    }
    weighs(&world, "large", 3).await;
    let some = |max, now: Timestamp| Claim {
        models: Some(vec!["mine".to_owned()]),
        ..claim(world.worker, max, now)
    };
    let mut claimed = Vec::new();
    for _ in 0..4 {
        claimed.extend(store.claim(some(1, START)).await.unwrap());
    }
    assert_eq!((count(&claimed, &world), count(&claimed, &others[1])), (3, 1));
    let claimed = store.claim(some(4, START)).await.unwrap();
    assert_eq!((count(&claimed, &world), count(&claimed, &others[1])), (3, 1));
    let rest = store.claim(some(100, START)).await.unwrap();
    assert_eq!((count(&rest, &world), count(&rest, &others[1])), (0, 4));
    assert_eq!(world.claim(100, START).await.len(), 6);
    world.audited().await;
}
