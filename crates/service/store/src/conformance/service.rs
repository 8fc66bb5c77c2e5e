//! Files, statistics, and the store as a whole.

use std::collections::HashMap;

use atelier_domain::{FileFacts, FileName, MediaType};

use crate::Holder;

use super::world::{LANE, Shared, World, accept, at, change, generation};

pub async fn files_are_known_once_recorded(store: &Shared) {
    let name = |byte| FileName::new(&[byte; 32], MediaType::Mp4);
    let facts = FileFacts {
        media_type: MediaType::Mp4,
        size: 26_214_400,
        width: Some(1280),
        height: Some(720),
        duration: Some(4.5),
    };
    let bare = FileFacts {
        size: 1,
        width: None,
        height: None,
        duration: None,
        ..facts.clone()
    };
    store
        .record_file(&name(1), &facts, Holder::Program, at(0))
        .await
        .unwrap();
    store
        .record_file(&name(2), &bare, Holder::Program, at(0))
        .await
        .unwrap();
    store
        .record_file(&name(1), &facts, Holder::Program, at(9))
        .await
        .unwrap();
    let known = store.files(&[name(2), name(3), name(1)]).await.unwrap();
    assert_eq!(known, [Some(bare), None, Some(facts)], "in the order asked for");
    assert_eq!(store.files(&[]).await.unwrap(), []);
}

pub async fn statistics_count_what_waits_and_what_runs(store: &Shared) {
    let world = World::new(store, 100).await;
    for seconds in [3, 2] {
        let mut generation = generation(world.account, 1);
        generation.created_at = at(seconds);
        world.accept(generation).await;
    }
    world.delivery_to("a:443", at(5)).await;
    let mut other = accept(generation(world.account, 1));
    other.generation.created_at = at(6);
    "other".clone_into(&mut other.lane);
    store.accept(other).await.unwrap();
    let stats = store.stats().await.unwrap();
    assert_eq!(
        stats.queued,
        HashMap::from([(LANE.to_owned(), 2), ("other".to_owned(), 1)])
    );
    assert_eq!((stats.running, stats.deliveries_pending), (0, 1));
    world.claimed(at(7)).await;
    assert_eq!(store.stats().await.unwrap().running, 1);
}

pub async fn an_empty_store_is_sound_and_says_so(store: &Shared) {
    store.check().await.unwrap();
    assert_eq!(store.audit().await.unwrap(), crate::Audit::default());
    assert_eq!(store.stats().await.unwrap(), crate::Stats::default());
    assert_eq!(store.next_delivery_due(at(9_999)).await.unwrap(), None);
}

pub async fn a_closed_store_takes_nothing_more(store: &Shared) {
    let world = World::new(store, 10).await;
    store.close().await.unwrap();
    assert!(
        store
            .grant(world.account, 1, "late", at(1), change())
            .await
            .is_err()
    );
    assert!(store.account(world.account).await.is_err());
    store.close().await.unwrap();
}
