//! Claims and attempts of deliveries.

use std::collections::HashMap;

use atelier_domain::{DeliveryState, GenerationId};

use super::world::{Shared, World, at, claim_deliveries, id, record};
use crate::{ClaimDeliveries, NextAttempt};

pub async fn a_delivery_is_claimed_with_its_bytes_and_its_secret(store: &Shared) {
    let world = World::new(store, 100).await;
    let id = world.delivery_to("a:443", at(2)).await;
    assert_eq!(store.next_delivery_due(at(9_999)).await.unwrap(), Some(at(2)));
    assert_eq!(store.next_delivery_due(at(1)).await.unwrap(), None);
    assert!(
        world.claim_deliveries(9, 9, at(1)).await.is_empty(),
        "not due yet"
    );
    let claimed = world.claim_deliveries(9, 9, at(2)).await.remove(0);
    assert_eq!(claimed.delivery.id, id);
    assert_eq!(
        (claimed.delivery.state, claimed.delivery.attempts),
        (DeliveryState::Sending, 0)
    );
    assert_eq!(claimed.delivery.url, "https://hooks.example.com/in");
    assert_eq!(
        claimed.delivery.body,
        format!("{{\"id\":\"{}\"}}", claimed.delivery.generation.unwrap()).into_bytes()
    );
    assert_eq!(
        (
            claimed.host.as_str(),
            claimed.secrets.current.as_str(),
            claimed.epoch
        ),
        ("a:443", "whsec_ada", 1)
    );
    assert!(
        world.claim_deliveries(9, 9, at(2)).await.is_empty(),
        "it is taken"
    );
    world.audited().await;
}

pub async fn a_delivered_delivery_is_over(store: &Shared) {
    let world = World::new(store, 100).await;
    world.delivery_to("a:443", at(0)).await;
    let claimed = world.claim_deliveries(9, 9, at(0)).await.remove(0);
    let attempt = record(&claimed, NextAttempt::Delivered, at(1));
    assert!(store.record_attempt(attempt.clone()).await.unwrap());
    let deliveries = store
        .deliveries(claimed.delivery.generation.unwrap())
        .await
        .unwrap();
    let (delivery, attempts) = &deliveries[0];
    assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Delivered, 1));
    assert_eq!(attempts.as_slice(), std::slice::from_ref(&attempt.attempt));
    assert_eq!(store.next_delivery_due(at(9_999)).await.unwrap(), None);
    assert!(world.claim_deliveries(9, 9, at(9_999)).await.is_empty());
    assert!(!store.record_attempt(attempt).await.unwrap(), "recorded once");
    assert!(store.deliveries(GenerationId(id())).await.unwrap().is_empty());
    world.audited().await;
}

pub async fn a_delivery_is_tried_again_when_it_is_due_and_given_up_at_last(store: &Shared) {
    let world = World::new(store, 100).await;
    world.delivery_to("a:443", at(0)).await;
    let first = world.claim_deliveries(9, 9, at(0)).await.remove(0);
    assert!(
        store
            .record_attempt(record(&first, NextAttempt::At(at(5)), at(1)))
            .await
            .unwrap()
    );
    assert_eq!(store.next_delivery_due(at(9_999)).await.unwrap(), Some(at(5)));
    assert!(world.claim_deliveries(9, 9, at(4)).await.is_empty());
    let second = world.claim_deliveries(9, 9, at(5)).await.remove(0);
    assert_eq!((second.delivery.attempts, second.epoch), (1, 2));
    assert_eq!(second.delivery.body, first.delivery.body, "the same bytes");
    assert!(
        store
            .record_attempt(record(&second, NextAttempt::GivenUp, at(6)))
            .await
            .unwrap()
    );
    let deliveries = store
        .deliveries(first.delivery.generation.unwrap())
        .await
        .unwrap();
    assert_eq!(deliveries[0].0.state, DeliveryState::Failed);
    assert_eq!(
        deliveries[0]
            .1
            .iter()
            .map(|attempt| attempt.at)
            .collect::<Vec<_>>(),
        [at(1), at(6)]
    );
    world.audited().await;
}

pub async fn a_delivery_whose_lease_ran_out_is_due_again(store: &Shared) {
    let world = World::new(store, 100).await;
    world.delivery_to("a:443", at(0)).await;
    let lost = world.claim_deliveries(9, 9, at(0)).await.remove(0);
    assert!(world.claim_deliveries(9, 9, at(29)).await.is_empty());
    let again = world.claim_deliveries(9, 9, at(30)).await.remove(0);
    assert_eq!((again.delivery.id, again.epoch), (lost.delivery.id, 2));
    assert!(
        !store
            .record_attempt(record(&lost, NextAttempt::GivenUp, at(31)))
            .await
            .unwrap()
    );
    assert!(
        store
            .record_attempt(record(&again, NextAttempt::Delivered, at(31)))
            .await
            .unwrap()
    );
    let deliveries = store.deliveries(lost.delivery.generation.unwrap()).await.unwrap();
    assert_eq!(
        (deliveries[0].0.state, deliveries[0].1.len()),
        (DeliveryState::Delivered, 1)
    );
    world.audited().await;
}

pub async fn deliveries_are_claimed_oldest_first_and_no_more_than_asked(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut sent = Vec::new();
    for (host, seconds) in [("b:443", 1), ("a:443", 2), ("c:443", 3), ("a:443", 4)] {
        sent.push(world.delivery_to(host, at(seconds)).await);
    }
    let mut claimed: Vec<_> = world
        .claim_deliveries(3, 9, at(9))
        .await
        .into_iter()
        .map(|d| d.delivery.id)
        .collect();
    assert_eq!(claimed, sent[..3]);
    claimed.extend(
        world
            .claim_deliveries(9, 9, at(9))
            .await
            .into_iter()
            .map(|d| d.delivery.id),
    );
    assert_eq!(claimed, sent);
    assert!(world.claim_deliveries(0, 9, at(9)).await.is_empty());
}

pub async fn a_host_gets_no_more_than_it_has_room_for(store: &Shared) {
    let world = World::new(store, 100).await;
    for _ in 0..5 {
        world.delivery_to("a:443", at(1)).await;
    }
    let other = world.delivery_to("b:443", at(2)).await;
    let claim = |in_flight: &[(&str, u32)]| ClaimDeliveries {
        in_flight: in_flight
            .iter()
            .map(|(host, count)| ((*host).to_owned(), *count))
            .collect::<HashMap<_, _>>(),
        ..claim_deliveries(world.worker, 9, 3, at(9))
    };
    let hosts = |claimed: Vec<crate::ClaimedDelivery>| -> Vec<String> {
        claimed.into_iter().map(|delivery| delivery.host).collect()
    };
    let first = store.claim_deliveries(claim(&[("a:443", 1)])).await.unwrap();
    assert_eq!(
        first.last().unwrap().delivery.id,
        other,
        "the younger one of the other host too"
    );
    assert_eq!(hosts(first), ["a:443", "a:443", "b:443"]);
    assert!(
        store
            .claim_deliveries(claim(&[("a:443", 3)]))
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        hosts(store.claim_deliveries(claim(&[])).await.unwrap()),
        ["a:443", "a:443", "a:443"]
    );
    world.audited().await;
}

pub async fn a_host_with_hundreds_of_due_deliveries_starves_no_other(store: &Shared) {
    let world = World::new(store, 100).await;
    world.deliveries_to("slow:443", 400, at(1)).await;
    let fast = [
        world.delivery_to("fast:443", at(5)).await,
        world.delivery_to("zebra:443", at(6)).await,
    ];
    let claimed = world.claim_deliveries(16, 4, at(9)).await;
    let hosts: Vec<_> = claimed.iter().map(|delivery| delivery.host.as_str()).collect();
    assert_eq!(
        hosts,
        [
            "slow:443",
            "slow:443",
            "slow:443",
            "slow:443",
            "fast:443",
            "zebra:443"
        ]
    );
    assert_eq!([claimed[4].delivery.id, claimed[5].delivery.id], fast);
}

pub async fn attempts_are_recorded_only_by_who_holds_the_delivery(store: &Shared) {
    let world = World::new(store, 100).await;
    world.delivery_to("a:443", at(0)).await;
    let claimed = world.claim_deliveries(9, 9, at(0)).await.remove(0);
    let mut wrong = record(&claimed, NextAttempt::Delivered, at(1));
    wrong.epoch += 1;
    assert!(!store.record_attempt(wrong).await.unwrap());
    assert!(
        store
            .deliveries(claimed.delivery.generation.unwrap())
            .await
            .unwrap()[0]
            .1
            .is_empty()
    );
    world.audited().await;
}
