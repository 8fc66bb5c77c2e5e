//! Retention of single accounts.

use super::{
    history::{expire, expire_of, file, listed, made, recorded},
    world::{Shared, World, change},
};
use crate::{AccountChange, Expired, Holder};

pub async fn an_account_with_a_retention_of_its_own_is_left_to_it(store: &Shared) {
    let world = World::new(store, 100).await;
    let other = world.beside("grace", 100).await;
    for byte in 1..=3 {
        made(&world, &[], byte).await;
        made(&other, &[], byte + 10).await;
    }
    recorded(store, 20, Holder::Upload(world.account), 1).await;
    recorded(store, 21, Holder::Upload(other.account), 1).await;
    let own = AccountChange {
        retention_days: Some(Some(60)),
        ..AccountChange::default()
    };
    let changed = store.update_account(world.account, own, change()).await.unwrap();
    assert_eq!(changed.unwrap().retention_days, Some(60));
    assert_eq!(expire(store, Expired::Media, 30, 2).await.0, 3);
    assert_eq!(expire(store, Expired::Uploads, 30, 2).await, (1, vec![file(21)]));
    assert_eq!(expire(store, Expired::Jobs, 30, 2).await.0, 3);
    assert_eq!((listed(&world).await, listed(&other).await), ((3, 3), (0, 0)));
    let of_own = |what, days| expire_of(store, what, Some(world.account), days, 2);
    assert_eq!(of_own(Expired::Jobs, 0).await.0, 0);
    let (removed, mut files) = of_own(Expired::Jobs, 60).await;
    files.sort();
    let mut expected: Vec<_> = (1..=3).map(file).collect();
    expected.sort();
    assert_eq!((removed, files), (3, expected));
    assert_eq!(of_own(Expired::Uploads, 60).await, (1, vec![file(20)]));
    assert_eq!(listed(&world).await, (0, 0));
    world.audited().await;
}
