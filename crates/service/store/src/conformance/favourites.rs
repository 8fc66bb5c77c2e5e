//! Favourites.

use atelier_domain::{GenerationId, Status};

use super::world::{Shared, World, at};
use crate::{Deletion, GenerationFilter, Marked, PageRequest, Removal};

async fn listed(world: &World, filter: GenerationFilter) -> (Vec<GenerationId>, u64) {
    let page = PageRequest {
        limit: 10,
        before: None,
    };
    let page = world
        .store
        .generations(world.account, filter, page)
        .await
        .unwrap();
    (page.items.iter().map(|one| one.id).collect(), page.total)
}

pub async fn a_favourite_is_marked_listed_and_gone_with_its_generation(store: &Shared) {
    let world = World::new(store, 100).await;
    let grace = world.beside("grace", 100).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        world.accepted(1).await;
        let claimed = world.claimed(at(1)).await;
        world.complete(&claimed, 1, at(2)).await;
        made.push(claimed.id);
    }
    let waiting = world.accepted(1).await.id;
    let mark = |id| store.set_favourite(world.account, id, Some(at(5)));
    assert_eq!(mark(made[0]).await.unwrap(), Marked::Marked);
    assert_eq!(mark(made[0]).await.unwrap(), Marked::Marked, "twice is once");
    assert_eq!(mark(made[2]).await.unwrap(), Marked::Marked);
    assert_eq!(
        mark(waiting).await.unwrap(),
        Marked::Missing,
        "it has made nothing yet"
    );
    let other = store
        .set_favourite(grace.account, made[1], Some(at(5)))
        .await
        .unwrap();
    assert_eq!(other, Marked::Missing, "it belongs to another account");
    let known = store.favourites(world.account, &made).await.unwrap();
    assert_eq!(known, [made[0], made[2]].into());
    assert_eq!(store.favourites(grace.account, &made).await.unwrap(), [].into());

    let filter = |model: Option<&str>, status| GenerationFilter {
        favourite: true,
        model: model.map(str::to_owned),
        status,
        ..GenerationFilter::default()
    };
    assert_eq!(
        listed(&world, filter(None, None)).await,
        (vec![made[2], made[0]], 2)
    );
    let of_model = listed(&world, filter(Some("image-gen-4"), Some(Status::Completed))).await;
    assert_eq!(of_model, (vec![made[2], made[0]], 2));
    assert_eq!(listed(&world, filter(Some("tts-v3"), None)).await, (vec![], 0));
    assert_eq!(
        listed(&world, filter(None, Some(Status::Failed))).await,
        (vec![], 0)
    );
    assert_eq!(listed(&grace, filter(None, None)).await, (vec![], 0));

    let unmarked = store.set_favourite(world.account, made[2], None).await.unwrap();
    assert_eq!(unmarked, Marked::Marked);
    let deletion = Deletion {
        now: at(9),
        lease_until: at(99),
        record: None,
    };
    let removed = store
        .delete_generation(world.account, made[0], deletion)
        .await
        .unwrap();
    assert!(matches!(removed, Removal::Removed(_)), "{removed:?}");
    assert_eq!(listed(&world, filter(None, None)).await, (vec![], 0));
    world.audited().await;
}
