//! The origin of a file or an id, and the secrets of the whole service.

use atelier_domain::{FileFacts, FileName, GenerationId, MediaType};
use uuid::Uuid;

use super::world::{Shared, World, at, change};
use crate::{Deletion, Holder, Removal};

pub async fn a_secret_is_made_once(store: &Shared) {
    assert_eq!(store.known_secret("marks").await.unwrap(), None);
    assert_eq!(store.secret("marks", &[1; 32], at(0)).await.unwrap(), [1; 32]);
    assert_eq!(store.known_secret("marks").await.unwrap(), Some(vec![1; 32]));
    assert_eq!(store.secret("marks", &[2; 32], at(1)).await.unwrap(), [1; 32]);
    assert_eq!(store.secret("other", &[3], at(1)).await.unwrap(), [3]);
    let mut asking = tokio::task::JoinSet::new();
    for number in 0..16_u8 {
        let store = std::sync::Arc::clone(store);
        asking.spawn(async move { store.secret("raced", &[number; 8], at(2)).await.unwrap() });
    }
    let answers = asking.join_all().await;
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
}

pub async fn what_made_a_file_is_found_by_the_file_and_by_a_range_of_ids(store: &Shared) {
    let world = World::new(store, 100).await;
    let file = FileName::new(&[9; 32], MediaType::Png);
    let facts = FileFacts {
        media_type: MediaType::Png,
        size: 100,
        width: Some(10),
        height: Some(10),
        duration: None,
    };
    let [first, second] = [world.accepted(0).await, world.accepted(0).await];
    for _ in 0..2 {
        let claimed = world.claimed(at(1)).await;
        let holder = Holder::Output(claimed.id);
        // The second makes the same file later.
        let now = at(if claimed.id == first.id { 2 } else { 3 });
        store.record_file(&file, &facts, holder, now).await.unwrap();
        world.complete(&claimed, 0, now).await;
    }
    let maker = store.maker_of(&file).await.unwrap().unwrap();
    assert_eq!((maker.id, maker.account), (first.id, world.account));
    assert_eq!((maker.model.as_str(), maker.is_deleted), ("image-gen-4", false));
    assert_eq!(maker.created_at, first.created_at);

    let ids = |found: Vec<crate::Origin>| {
        found
            .into_iter()
            .map(|origin| (origin.id, origin.is_deleted))
            .collect::<Vec<_>>()
    };
    let all = (GenerationId(Uuid::nil()), GenerationId(Uuid::max()));
    let found = store.made_between(all.0, all.1, 10).await.unwrap();
    assert_eq!(ids(found), [(first.id, false), (second.id, false)]);
    let found = store.made_between(second.id, second.id, 10).await.unwrap();
    assert_eq!(ids(found), [(second.id, false)]);
    assert_eq!(store.made_between(all.0, all.1, 1).await.unwrap().len(), 1);

    let deletion = Deletion {
        now: at(9),
        lease_until: at(600),
        record: None,
    };
    let removed = store.delete_generation(world.account, first.id, deletion).await;
    assert_eq!(
        removed.unwrap(),
        Removal::Removed(Vec::new()),
        "the second uses the file"
    );
    let found = store.made_between(first.id, first.id, 10).await.unwrap();
    assert_eq!(ids(found), [(first.id, true)]);
    assert_eq!(store.maker_of(&file).await.unwrap().unwrap().id, second.id);
    let unknown = FileName::new(&[8; 32], MediaType::Png);
    assert_eq!(store.maker_of(&unknown).await.unwrap(), None);
}

pub async fn a_takedown_remembers_what_the_file_looked_like(store: &Shared) {
    let file = |byte| FileName::new(&[byte; 32], MediaType::Png);
    for byte in [1, 2] {
        assert!(
            store
                .take_down(&file(byte), "asked for", at(1), change())
                .await
                .unwrap()
        );
    }
    assert_eq!(store.likenesses().await.unwrap(), []);
    store.note_likeness(&file(2), [7; 32]).await.unwrap();
    store.note_likeness(&file(3), [8; 32]).await.unwrap();
    let known = store.likenesses().await.unwrap();
    assert_eq!(known, [(file(2), vec![7; 32])], "only of what was taken down");
}
