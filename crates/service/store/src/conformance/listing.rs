//! Lists of generations: their order, their pages and their filters.

use atelier_domain::{AccountId, MediaKind, Status};

use super::world::{Shared, World, at, generation, id};
use crate::{GenerationFilter, PageRequest};

pub async fn the_list_has_an_order_and_pages_meet_without_gap(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.push(world.accepted(1).await.id);
    }
    for oldest_first in [true, false] {
        let page = async |before| {
            let request = PageRequest { limit: 2, before };
            let filter = GenerationFilter {
                oldest_first,
                ..GenerationFilter::default()
            };
            store.generations(world.account, filter, request).await.unwrap()
        };
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = page(before).await;
            assert_eq!(page.total, 5);
            seen.extend(page.items.iter().map(|generation| generation.id));
            before = seen.last().copied();
            if !page.more {
                break;
            }
        }
        assert_eq!(seen, sent);
        // Without a wish, the newest come first.
        sent.reverse();
    }
    let others = PageRequest {
        limit: 10,
        before: None,
    };
    let empty = store
        .generations(AccountId(id()), GenerationFilter::default(), others)
        .await
        .unwrap();
    assert_eq!((empty.items.len(), empty.total, empty.more), (0, 0, false));
}

pub async fn the_list_is_filtered_by_status_model_and_kind(store: &Shared) {
    let world = World::new(store, 100).await;
    let done = world.accepted(1).await;
    world.complete(&world.claimed(at(1)).await, 1, at(2)).await;
    let lost = world.accepted(1).await;
    world.fail(&world.claimed(at(3)).await, at(4)).await;
    let running = world.accepted(1).await;
    world.claimed(at(5)).await;
    let mut song = generation(world.account, 1);
    (song.model, song.kind) = ("music-2".to_owned(), MediaKind::Audio);
    world.accept(song.clone()).await;

    let matching = async |filter: GenerationFilter| {
        let page = store
            .generations(
                world.account,
                filter,
                PageRequest {
                    limit: 1,
                    before: None,
                },
            )
            .await
            .unwrap();
        let newest = page.items.first().map(|generation| generation.id);
        (newest, page.total, page.more)
    };
    let status = |status| GenerationFilter {
        status: Some(status),
        ..GenerationFilter::default()
    };
    assert_eq!(
        matching(status(Status::Completed)).await,
        (Some(done.id), 1, false)
    );
    assert_eq!(matching(status(Status::Failed)).await, (Some(lost.id), 1, false));
    assert_eq!(
        matching(status(Status::Processing)).await,
        (Some(song.id), 2, true)
    );
    let model = GenerationFilter {
        model: Some("image-gen-4".to_owned()),
        ..GenerationFilter::default()
    };
    assert_eq!(matching(model.clone()).await, (Some(running.id), 3, true));
    let kind = GenerationFilter {
        kind: Some(MediaKind::Audio),
        ..GenerationFilter::default()
    };
    assert_eq!(matching(kind).await, (Some(song.id), 1, false));
    let both = GenerationFilter {
        status: Some(Status::Failed),
        ..model
    };
    assert_eq!(matching(both).await, (Some(lost.id), 1, false));
    let neither = GenerationFilter {
        model: Some("none".to_owned()),
        ..GenerationFilter::default()
    };
    assert_eq!(matching(neither).await, (None, 0, false));
}

pub async fn every_combination_of_filters_finds_its_own(store: &Shared) {
    let world = World::new(store, 1_000).await;
    let mut all = Vec::new();
    for round in 0..3_u64 {
        for (model, kind) in [
            ("a", MediaKind::Image),
            ("b", MediaKind::Image),
            ("c", MediaKind::Video),
        ] {
            for end in [Status::Completed, Status::Failed, Status::Processing] {
                let mut asked = generation(world.account, 1);
                (asked.model, asked.kind) = (model.to_owned(), kind);
                world.accept(asked.clone()).await;
                let claimed = world.claimed(at(round)).await;
                assert_eq!(claimed.id, asked.id);
                match end {
                    Status::Completed => drop(world.complete(&claimed, 1, at(round)).await),
                    Status::Failed => drop(world.fail(&claimed, at(round)).await),
                    Status::Processing => {}
                }
                all.push((asked.id, model, kind, end));
            }
        }
    }
    all.reverse();
    let statuses = [Status::Completed, Status::Failed, Status::Processing].map(Some);
    for status in statuses.into_iter().chain([None]) {
        for model in [None, Some("a"), Some("c"), Some("d")] {
            for kind in [None, Some(MediaKind::Image), Some(MediaKind::Audio)] {
                let mut wanted: Vec<_> = all
                    .iter()
                    .filter(|(_, own, ..)| model.is_none_or(|model| model == *own))
                    .filter(|(.., own, _)| kind.is_none_or(|kind| kind == *own))
                    .filter(|(.., own)| status.is_none_or(|status| status == *own))
                    .map(|(id, ..)| *id)
                    .collect();
                let filter = GenerationFilter {
                    status,
                    model: model.map(str::to_owned),
                    kind,
                    ..GenerationFilter::default()
                };
                let (total, mut before) = (wanted.len() as u64, None);
                loop {
                    let page = PageRequest { limit: 4, before };
                    let page = store
                        .generations(world.account, filter.clone(), page)
                        .await
                        .unwrap();
                    let found: Vec<_> = page.items.iter().map(|generation| generation.id).collect();
                    let rest = wanted.split_off(wanted.len().min(4));
                    assert_eq!(found, wanted, "{filter:?}");
                    assert_eq!((page.total, page.more), (total, !rest.is_empty()), "{filter:?}");
                    if rest.is_empty() {
                        break;
                    }
                    before = found.last().copied();
                    wanted = rest;
                }
            }
        }
    }
}
