//! Lists of what pictures look like.

use super::world::{Shared, World, at, change};
use crate::{HashList, ListedHash};

fn hash(byte: u8) -> ListedHash {
    ListedHash {
        hash: [byte; 32],
        note: format!("case {byte}"),
    }
}

pub async fn an_import_replaces_a_list_when_it_is_complete(store: &Shared) {
    let world = World::new(store, 0).await;
    let names = async || store.hash_lists().await.unwrap();
    let bytes = async |list: &str| {
        let mut found: Vec<u8> = store
            .hashes(list)
            .await
            .unwrap()
            .iter()
            .map(|hash| hash[0])
            .collect();
        found.sort_unstable();
        found
    };
    store
        .add_hashes("a", vec![hash(1), hash(2)], at(1))
        .await
        .unwrap();
    assert_eq!(names().await, [], "the import may end here");
    store
        .add_hashes("a", vec![hash(2), hash(3), hash(3)], at(1))
        .await
        .unwrap();
    assert_eq!(store.complete_hashes("a", at(1), change()).await.unwrap(), 3);
    store.add_hashes("b", vec![hash(9)], at(2)).await.unwrap();
    assert_eq!(store.complete_hashes("b", at(2), change()).await.unwrap(), 1);
    let list = |name: &str, hashes, imported_at| HashList {
        name: name.to_owned(),
        hashes,
        imported_at,
    };
    assert_eq!(names().await, [list("a", 3, at(1)), list("b", 1, at(2))]);
    assert_eq!(bytes("a").await, [1, 2, 3]);

    store
        .add_hashes("a", vec![hash(3), hash(4)], at(3))
        .await
        .unwrap();
    assert_eq!(store.complete_hashes("a", at(3), change()).await.unwrap(), 2);
    assert_eq!(bytes("a").await, [3, 4]);
    assert_eq!(names().await, [list("a", 2, at(3)), list("b", 1, at(2))]);

    assert!(store.remove_hashes("a", change()).await.unwrap());
    assert!(!store.remove_hashes("a", change()).await.unwrap());
    assert_eq!(bytes("a").await, [0; 0]);
    assert_eq!(names().await, [list("b", 1, at(2))]);
    world.audited().await;
}
