//! A claim that the database forgot, while the worker that made it goes on.

use super::{fresh, raw};
use crate::{
    Finished,
    conformance::world::{World, at, completed, finish},
};

#[tokio::test]
async fn a_worker_whose_claim_was_lost_ends_nothing_for_the_next_one() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    world.accepted_with_webhook(10).await;
    let lost = world.claimed(at(1)).await;
    raw(folder.path())
        .execute_batch(crate::conformance::world::LOSE_CLAIMS)
        .unwrap();
    let next = world.claimed(at(2)).await;
    assert_eq!((next.id, next.attempt), (lost.id, 1));
    let late = finish(&lost, completed(&lost, 7), at(3));
    assert!(matches!(store.finish(late).await.unwrap(), Finished::Stale));
    world.complete(&next, 7, at(4)).await;
    assert_eq!(world.get(next.id).await.started_at, Some(at(2)));
    world.audited().await;
}
