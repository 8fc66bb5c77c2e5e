//! Named collections of results.

use atelier_domain::{AccountId, Collection, CollectionId, GenerationId, Status};

use super::world::{Shared, World, at, id};
use crate::{Collected, Deletion, GenerationFilter, MOST_COLLECTIONS, Named, PageRequest, Removal};

async fn made(world: &World) -> GenerationId {
    world.accepted(1).await;
    let claimed = world.claimed(at(1)).await;
    world.complete(&claimed, 1, at(2)).await;
    claimed.id
}

fn new(name: &str) -> Collection {
    Collection {
        id: CollectionId(id()),
        name: name.to_owned(),
        generations: 0,
        created_at: at(4),
    }
}

async fn created(store: &Shared, account: AccountId, name: &str) -> Collection {
    let new = new(name);
    let named = store.create_collection(account, new.clone()).await.unwrap();
    assert_eq!(named, Named::Named(new.clone()));
    new
}

async fn listed(world: &World, filter: GenerationFilter, limit: u32) -> (Vec<GenerationId>, u64, bool) {
    let page = PageRequest { limit, before: None };
    let page = world
        .store
        .generations(world.account, filter, page)
        .await
        .unwrap();
    let ids = page.items.iter().map(|one| one.id).collect();
    (ids, page.total, page.more)
}

/// Those in this collection.
fn of(id: CollectionId) -> GenerationFilter {
    GenerationFilter {
        collection: Some(id),
        ..GenerationFilter::default()
    }
}

/// The lists of a collection with the first and the last of these.
async fn lists(world: &World, grace: &World, boats: CollectionId, made: [GenerationId; 3]) {
    assert_eq!(
        listed(world, of(boats), 10).await,
        (vec![made[2], made[0]], 2, false)
    );
    assert_eq!(listed(world, of(boats), 1).await, (vec![made[2]], 2, true));
    let after = PageRequest {
        limit: 10,
        before: Some(made[2]),
    };
    let rest = world
        .store
        .generations(world.account, of(boats), after)
        .await
        .unwrap();
    assert_eq!(rest.items.iter().map(|one| one.id).collect::<Vec<_>>(), [made[0]]);
    assert_eq!(listed(grace, of(boats), 10).await, (vec![], 0, false));
    for (filter, found) in [
        (
            GenerationFilter {
                status: Some(Status::Failed),
                ..of(boats)
            },
            0,
        ),
        (
            GenerationFilter {
                model: Some("tts-v3".to_owned()),
                ..of(boats)
            },
            0,
        ),
        (
            GenerationFilter {
                model: Some("image-gen-4".to_owned()),
                status: Some(Status::Completed),
                ..of(boats)
            },
            2,
        ),
        (
            GenerationFilter {
                favourite: true,
                ..of(boats)
            },
            0,
        ),
    ] {
        assert_eq!(listed(world, filter.clone(), 10).await.1, found, "{filter:?}");
    }
}

pub async fn results_are_collected_listed_and_gone_with_their_generation(store: &Shared) {
    let world = World::new(store, 100).await;
    let grace = world.beside("grace", 100).await;
    let made = [made(&world).await, made(&world).await, made(&world).await];
    let theirs = {
        grace.accepted(1).await;
        let claimed = grace.claimed(at(1)).await;
        grace.complete(&claimed, 1, at(2)).await;
        claimed.id
    };
    let waiting = world.accepted(1).await.id;
    let boats = created(store, world.account, "boats").await;
    let birds = created(store, world.account, "birds").await;
    let collect = |ids: &[GenerationId]| store.collect(world.account, boats.id, ids.to_vec(), at(5));
    let with = |generations| {
        Collected::Changed(Collection {
            generations,
            ..boats.clone()
        })
    };
    assert_eq!(collect(&[made[0], made[2], made[0]]).await.unwrap(), with(2));
    assert_eq!(collect(&[made[0]]).await.unwrap(), with(2), "twice is once");
    for wrong in [waiting, theirs, GenerationId(id())] {
        let refused = collect(&[made[1], wrong]).await.unwrap();
        assert_eq!(refused, Collected::NoGeneration(wrong), "nothing of it is added");
    }
    let other = store.collect(grace.account, boats.id, vec![theirs], at(5)).await;
    assert_eq!(
        other.unwrap(),
        Collected::Missing,
        "it belongs to another account"
    );
    store
        .collect(world.account, birds.id, vec![made[2]], at(6))
        .await
        .unwrap();

    lists(&world, &grace, boats.id, made).await;
    let known = store.collections_with(world.account, made[2]).await.unwrap();
    let names: Vec<_> = known
        .iter()
        .map(|one| (one.name.as_str(), one.generations))
        .collect();
    assert_eq!(names, [("birds", 1), ("boats", 2)]);
    assert_eq!(store.collections_with(grace.account, made[2]).await.unwrap(), []);

    let deletion = Deletion {
        now: at(9),
        lease_until: at(99),
        record: None,
    };
    let removed = store.delete_generation(world.account, made[2], deletion).await;
    assert!(matches!(removed.unwrap(), Removal::Removed(_)));
    assert_eq!(listed(&world, of(boats.id), 10).await, (vec![made[0]], 1, false));
    let removed = store
        .uncollect(world.account, boats.id, vec![made[0], made[1]])
        .await;
    assert_eq!(removed.unwrap(), with(0));
    assert!(store.delete_collection(world.account, birds.id).await.unwrap());
    assert!(!store.delete_collection(world.account, birds.id).await.unwrap());
    assert!(!store.delete_collection(grace.account, boats.id).await.unwrap());
    assert_eq!(
        store.collections(world.account).await.unwrap(),
        std::slice::from_ref(&boats)
    );
    assert!(store.generation(world.account, made[0]).await.unwrap().is_some());
    world.audited().await;
}

pub async fn collections_have_names_of_their_own_and_a_limit(store: &Shared) {
    let world = World::new(store, 100).await;
    let grace = world.beside("grace", 100).await;
    let boats = created(store, world.account, "boats").await;
    created(store, grace.account, "boats").await;
    let again = store.create_collection(world.account, new("boats")).await;
    assert_eq!(again.unwrap(), Named::Taken);
    let birds = created(store, world.account, "birds").await;
    let rename = |id, name: &str| store.rename_collection(world.account, id, name.to_owned());
    assert_eq!(rename(birds.id, "boats").await.unwrap(), Named::Taken);
    assert_eq!(
        rename(boats.id, "boats").await.unwrap(),
        Named::Named(boats.clone())
    );
    assert_eq!(rename(CollectionId(id()), "fish").await.unwrap(), Named::Missing);
    let theirs = store
        .rename_collection(grace.account, birds.id, "fish".to_owned())
        .await;
    assert_eq!(theirs.unwrap(), Named::Missing);
    let ships = Collection {
        name: "ships".to_owned(),
        ..boats.clone()
    };
    assert_eq!(
        rename(boats.id, "ships").await.unwrap(),
        Named::Named(ships.clone())
    );
    let found = store.collection(world.account, boats.id).await.unwrap();
    assert_eq!(found, Some(ships.clone()));
    assert_eq!(store.collection(grace.account, boats.id).await.unwrap(), None);
    assert_eq!(store.collections(world.account).await.unwrap(), [birds, ships]);
    for number in 2..MOST_COLLECTIONS {
        created(store, world.account, &number.to_string()).await;
    }
    let full = store.create_collection(world.account, new("one too many")).await;
    assert_eq!(full.unwrap(), Named::Full);
    world.audited().await;
}
