//! The log of API requests.

use std::time::Duration;

use atelier_domain::{GenerationId, KeyId, RequestId, Timestamp};

use super::world::{START, Shared, World, at, id};
use crate::{Expire, Expired, LoggedRequest, Place, RequestFilter};

pub(super) fn request(world: &World, status: u16) -> LoggedRequest {
    LoggedRequest {
        id: RequestId(id()),
        account: world.account,
        key: Some(world.key.record.id),
        at: at(1),
        method: "POST".to_owned(),
        path: "/dev/v1/generations".to_owned(),
        status,
        code: (status >= 400).then(|| "invalid_request".to_owned()),
        latency_ms: 12,
        request_id: "a-request".to_owned(),
        generation: (status == 201).then(|| GenerationId(id())),
        count: 1,
    }
}

async fn listed(world: &World, filter: RequestFilter) -> Vec<LoggedRequest> {
    let page = world.store.list_requests(world.account, filter, None, 100).await;
    let page = page.unwrap();
    assert_eq!((page.total, page.more), (page.items.len() as u64, false));
    page.items
}

pub async fn requests_are_listed_newest_first_with_what_was_asked_and_answered(store: &Shared) {
    let world = World::new(store, 0).await;
    let other = world.beside("bob", 0).await;
    let mut made = [request(&world, 201), request(&world, 400), request(&world, 404)];
    made[2].key = None;
    let theirs = request(&other, 201);
    let all = made.iter().cloned().chain([theirs.clone()]).collect();
    store.log_requests(all).await.unwrap();
    store.log_requests(Vec::new()).await.unwrap();
    let newest_first: Vec<_> = made.iter().rev().cloned().collect();
    assert_eq!(listed(&world, RequestFilter::default()).await, newest_first);
    assert_eq!(listed(&other, RequestFilter::default()).await, [theirs]);
    let page = |before| store.list_requests(world.account, RequestFilter::default(), before, 2);
    let first = page(None).await.unwrap();
    assert_eq!((first.items.len(), first.total, first.more), (2, 3, true));
    let rest = page(Some(first.items[1].id)).await.unwrap();
    assert_eq!(
        (rest.items, rest.total, rest.more),
        (vec![made[0].clone()], 3, false)
    );
}

pub async fn a_row_that_comes_again_counts_on(store: &Shared) {
    let world = World::new(store, 0).await;
    let first = request(&world, 200);
    let later = LoggedRequest {
        count: 7,
        latency_ms: 90,
        ..first.clone()
    };
    store.log_requests(vec![first.clone()]).await.unwrap();
    store.log_requests(vec![later.clone()]).await.unwrap();
    // A write whose outcome was unknown is repeated, and may arrive after a newer one.
    store.log_requests(vec![first]).await.unwrap();
    assert_eq!(listed(&world, RequestFilter::default()).await, [later]);
}

pub async fn requests_are_filtered_by_status_key_and_time(store: &Shared) {
    let world = World::new(store, 0).await;
    let made: Vec<_> = [200, 201, 400, 404, 503]
        .into_iter()
        .map(|status| request(&world, status))
        .collect();
    store.log_requests(made.clone()).await.unwrap();
    let statuses = |rows: Vec<LoggedRequest>| rows.iter().map(|row| row.status).collect::<Vec<_>>();
    for (class, expected) in [
        (2, vec![201, 200]),
        (4, vec![404, 400]),
        (5, vec![503]),
        (3, vec![]),
    ] {
        let filter = RequestFilter {
            class: Some(class),
            ..RequestFilter::default()
        };
        assert_eq!(statuses(listed(&world, filter).await), expected);
    }
    let of_key = |key| RequestFilter {
        key: Some(key),
        ..RequestFilter::default()
    };
    assert_eq!(listed(&world, of_key(world.key.record.id)).await.len(), 5);
    assert_eq!(listed(&world, of_key(KeyId(id()))).await, []);
    let millis = |id: RequestId| {
        let (seconds, nanos) = id.0.get_timestamp().unwrap().to_unix();
        Timestamp(i64::try_from(seconds).unwrap() * 1_000_000 + i64::from(nanos) / 1_000)
    };
    let between = RequestFilter {
        from: Some(millis(made[1].id)),
        until: Some(millis(made[3].id)),
        ..RequestFilter::default()
    };
    assert_eq!(statuses(listed(&world, between).await), [400, 201]);
}

pub async fn old_requests_go_and_young_ones_stay(store: &Shared) {
    let world = World::new(store, 0).await;
    let old: Vec<_> = (0..30).map(|_| request(&world, 200)).collect();
    let mut young = request(&world, 200);
    let day = START.plus(Duration::from_hours(24));
    young.id = RequestId(uuid::Uuid::from_u128(
        u128::from(day.millis().unsigned_abs()) << 80,
    ));
    store.log_requests(old).await.unwrap();
    store.log_requests(vec![young.clone()]).await.unwrap();
    let step = Expire {
        what: Expired::Requests,
        account: None,
        before: day,
        after: Place::nil(),
        limit: 1,
        now: day,
        lease_until: day,
    };
    let first = store.expire(step).await.unwrap();
    assert_eq!((first.removed, first.next), (20, Some(Place::nil())));
    let last = store.expire(step).await.unwrap();
    assert_eq!((last.removed, last.next), (10, None));
    assert_eq!(listed(&world, RequestFilter::default()).await, [young]);
}
