//! The limit of a collection.

use atelier_domain::{Collection, CollectionId};
use rusqlite::params;

use super::{fresh, raw};
use crate::{
    Collected, MOST_COLLECTED,
    conformance::world::{World, at, id},
};

#[tokio::test]
async fn a_full_collection_takes_what_it_contains_and_nothing_else() {
    let (store, folder) = fresh();
    let world = World::new(&store, 100).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        world.accepted(1).await;
        let claimed = world.claimed(at(1)).await;
        world.complete(&claimed, 1, at(2)).await;
        made.push(claimed.id);
    }
    let boats = Collection {
        id: CollectionId(id()),
        name: "boats".to_owned(),
        generations: 0,
        created_at: at(3),
    };
    store
        .create_collection(world.account, boats.clone())
        .await
        .unwrap();
    let db = raw(folder.path());
    db.execute_batch("BEGIN").unwrap();
    for _ in 1..MOST_COLLECTED {
        db.prepare_cached("INSERT INTO collected VALUES (?1, ?2, 0)")
            .unwrap()
            .execute(params![boats.id.0, id()])
            .unwrap();
    }
    db.execute_batch("COMMIT").unwrap();
    let collect = |ids: &[_]| store.collect(world.account, boats.id, ids.to_vec(), at(4));
    assert_eq!(collect(&made[..2]).await.unwrap(), Collected::Full);
    let full = Collected::Changed(Collection {
        generations: MOST_COLLECTED,
        ..boats.clone()
    });
    assert_eq!(collect(&made[..1]).await.unwrap(), full);
    assert_eq!(collect(&made[..1]).await.unwrap(), full, "it contains that one");
    assert_eq!(collect(&made[2..]).await.unwrap(), Collected::Full);
}
