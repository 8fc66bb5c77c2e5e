//! The queue.

use super::world::*;

pub async fn an_accepted_generation_is_claimed_completed_and_charged(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted_with_webhook(10).await;
    assert_eq!(world.balance().await, (90, 10));
    let claimed = world.claimed(at(1)).await;
    assert_eq!(claimed.id, accepted.id);
    world.complete(&claimed, 7, at(2)).await;
    assert_eq!(world.balance().await, (93, 0));
    assert_eq!(world.get(accepted.id).await.charged, Some(7));
    world.audited().await;
}
