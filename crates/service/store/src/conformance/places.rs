//! Places in the queue.

use std::time::Duration;

use super::world::{Shared, World, at, generation};
use crate::{MOST_AHEAD, QueuePlace};

async fn place(world: &World, id: atelier_domain::GenerationId) -> Option<(u32, bool, u32)> {
    let place = world.store.queue_place(world.account, id).await.unwrap();
    place.map(
        |QueuePlace {
             ahead, more, running, ..
         }| (ahead, more, running),
    )
}

pub async fn a_place_in_the_queue_counts_what_comes_before_it_in_the_round_of_accounts(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let grace = world.beside("grace", 100).await;
    let edsger = world.beside("edsger", 100).await;
    let first = world.accepted(1).await.id;
    let second = world.accepted(1).await.id;
    let third = world.accepted(1).await.id;
    let graces = [grace.accepted(1).await.id, grace.accepted(1).await.id];
    let edsgers = edsger.accepted(1).await.id;
    assert_eq!(place(&world, first).await, Some((0, false, 0)));
    assert_eq!(
        place(&grace, graces[0]).await,
        Some((1, false, 0)),
        "one of ada waited longer"
    );
    assert_eq!(
        place(&edsger, edsgers).await,
        Some((2, false, 0)),
        "one each of ada and grace"
    );
    assert_eq!(
        place(&world, second).await,
        Some((3, false, 0)),
        "one of each comes before it"
    );
    assert_eq!(place(&grace, graces[1]).await, Some((4, false, 0)));
    assert_eq!(
        place(&world, third).await,
        Some((5, false, 0)),
        "all others come before it"
    );
    let own = async |id| store.queue_place(world.account, id).await.unwrap().unwrap().own;
    assert_eq!(own(first).await, []);
    assert_eq!(own(third).await, [("image-gen-4".to_owned(), 2)]);
    let claimed = world.claimed(at(1)).await;
    assert_eq!(
        store.queue_place(claimed.account, claimed.id).await.unwrap(),
        None,
        "it runs"
    );
    assert_eq!(place(&grace, third).await, None, "it belongs to another account");
    assert_eq!(
        place(&world, third).await.map(|place| place.2),
        Some(1),
        "one runs"
    );
    for _ in 0..=MOST_AHEAD {
        world.accepted(1).await;
    }
    let last = world.accepted(1).await.id;
    assert_eq!(
        place(&world, last).await,
        Some((MOST_AHEAD, true, 1)),
        "it is not counted further"
    );
    // Another lane has a queue of its own.
    let mut other = super::world::accept(generation(world.account, 1));
    let id = other.generation.id;
    "elsewhere".clone_into(&mut other.lane);
    store.accept(other).await.unwrap();
    assert_eq!(place(&world, id).await, Some((0, false, 0)));
}

pub async fn recent_runs_are_those_that_completed_in_one_attempt(store: &Shared) {
    let world = World::new(store, 100).await;
    for took in [4, 8] {
        world.accepted(1).await;
        let claimed = world.claimed(at(10)).await;
        world.complete(&claimed, 1, at(10 + took)).await;
    }
    world.accepted(1).await;
    let failing = world.claimed(at(10)).await;
    world.fail(&failing, at(11)).await;
    let runs = store.recent_runs().await.unwrap();
    let mut took: Vec<Duration> = runs.iter().map(|run| run.took).collect();
    took.sort_unstable();
    assert_eq!(took, [Duration::from_secs(4), Duration::from_secs(8)]);
    assert!(
        runs.iter()
            .all(|run| run.lane == "echo" && run.model == "image-gen-4"),
        "{runs:?}"
    );
    // The first row that waits and is due is where the past begins.
    world.accepted(1).await;
    assert_eq!(store.recent_runs().await.unwrap().len(), 4);
}
