//! Private media: whose a stored file is.

use super::{
    history::{file, made, recorded},
    world::{Shared, World, at, change},
};
use crate::{AccountChange, Holder, Preview};

async fn set(store: &Shared, world: &World, private_media: bool) {
    let private = AccountChange {
        private_media: Some(private_media),
        ..AccountChange::default()
    };
    let changed = store
        .update_account(world.account, private, change())
        .await
        .unwrap();
    assert_eq!(changed.unwrap().private_media, private_media);
}

/// Returns those of these files that need a signed link.
async fn private(store: &Shared, files: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    for byte in files {
        if store.is_private(&file(*byte)).await.unwrap() {
            found.push(*byte);
        }
    }
    found
}

pub async fn a_file_is_private_if_all_its_owners_keep_their_media_private(store: &Shared) {
    let world = World::new(store, 100).await;
    let other = world.beside("grace", 100).await;
    // 1 is an upload of both, 2 of the first alone and an input of both; 3 and 4 are outputs of one each, 5 of
    // both.
    recorded(store, 1, Holder::Upload(world.account), 1).await;
    recorded(store, 1, Holder::Upload(other.account), 1).await;
    recorded(store, 2, Holder::Upload(world.account), 1).await;
    made(&world, &[2], 3).await;
    made(&other, &[2], 4).await;
    made(&world, &[], 5).await;
    made(&other, &[], 5).await;
    recorded(store, 6, Holder::Program, 1).await;
    made(&world, &[], 6).await;
    for (of, preview) in [(3, 13), (2, 12), (4, 12)] {
        let made = Preview::Made(file(preview));
        store.record_preview(&file(of), made, at(3)).await.unwrap();
    }
    let all = [1, 2, 3, 4, 5, 6, 12, 13, 99];
    assert_eq!(private(store, &all).await, Vec::<u8>::new());
    set(store, &world, true).await;
    assert_eq!(private(store, &all).await, [2, 3, 13]);
    set(store, &other, true).await;
    assert_eq!(private(store, &all).await, [1, 2, 3, 4, 5, 12, 13]);
    set(store, &world, false).await;
    assert_eq!(private(store, &all).await, [4]);
    let of_other = |byte| async move { store.is_file_of(&file(byte), other.account).await.unwrap() };
    let mut own = Vec::new();
    for byte in all {
        if of_other(byte).await {
            own.push(byte);
        }
    }
    assert_eq!(own, [1, 2, 4, 5]);
    world.audited().await;
}
