//! Webhook endpoints, and what they are told.

use std::sync::Arc;

use atelier_domain::{
    Account, DeliveryId, DeliveryState, Endpoint, EndpointId, Event, GenerationId, SigningSecrets,
};
use futures::future::join_all;

use super::world::{START, Shared, World, accept, at, change, generation, id, record};
use crate::{
    Deletion, DeliveryFilter, EndpointChange, Happening, NewDelivery, NextAttempt, OpenEvent, Removal, Told,
};

fn endpoint(world: &World) -> Endpoint {
    Endpoint {
        id: EndpointId(id()),
        account: world.account,
        url: "https://hooks.example.com/all".to_owned(),
        events: vec![Event::Completed, Event::LowBalance],
        enabled: true,
        secrets: SigningSecrets::new("whsec_own".to_owned()),
        created_at: START,
    }
}

pub(super) async fn registered(world: &World) -> Endpoint {
    let new = endpoint(world);
    assert!(
        world
            .store
            .create_endpoint(new.clone(), 10, change())
            .await
            .unwrap()
    );
    new
}

fn delivery(endpoint: &Endpoint, event: Event) -> NewDelivery {
    NewDelivery {
        id: DeliveryId(id()),
        event,
        url: endpoint.url.clone(),
        host: "hooks.example.com:443".to_owned(),
        endpoint: Some(endpoint.id),
        body: b"{}".to_vec(),
    }
}

fn told(event: &OpenEvent, about: Option<GenerationId>, deliveries: Vec<NewDelivery>) -> Told {
    Told {
        event: event.id,
        account: event.account,
        about,
        deliveries,
    }
}

async fn threshold(world: &World, threshold: Option<i64>) -> Account {
    let set = world
        .store
        .set_low_balance(world.account, threshold, at(1), change());
    set.await.unwrap().unwrap()
}

async fn is_low(world: &World) -> bool {
    let account = world.store.account(world.account).await.unwrap().unwrap();
    account.low_balance.since.is_some()
}

async fn open(world: &World) -> Vec<Happening> {
    let open = world.store.open_events(100).await.unwrap();
    open.iter().map(|event| event.what).collect()
}

pub async fn an_endpoint_is_kept_changed_and_deleted(store: &Shared) {
    let world = World::new(store, 10).await;
    let other = world.beside("bob", 10).await;
    let (first, second) = (registered(&world).await, registered(&world).await);
    assert_eq!(
        store.endpoints(world.account).await.unwrap(),
        [first.clone(), second.clone()]
    );
    let change_of = EndpointChange {
        url: Some("https://hooks.example.com/new".to_owned()),
        events: Some(vec![Event::Failed]),
        enabled: Some(false),
        secret: Some(("whsec_new".to_owned(), at(60))),
    };
    let update = |account, id| store.update_endpoint(account, id, change_of.clone(), change());
    assert_eq!(update(other.account, first.id).await.unwrap(), None, "not theirs");
    let changed = update(world.account, first.id).await.unwrap().unwrap();
    let expected = Endpoint {
        url: "https://hooks.example.com/new".to_owned(),
        events: vec![Event::Failed],
        enabled: false,
        secrets: first.secrets.clone().rotated("whsec_new", at(60)),
        ..first.clone()
    };
    assert_eq!(changed, expected);
    assert_eq!(store.endpoints(world.account).await.unwrap()[0], expected);
    let delete = |account, id| store.delete_endpoint(account, id, at(2), change());
    assert!(!delete(other.account, first.id).await.unwrap());
    assert!(delete(world.account, first.id).await.unwrap());
    assert!(!delete(world.account, first.id).await.unwrap(), "only once");
    assert_eq!(update(world.account, first.id).await.unwrap(), None);
    assert_eq!(store.endpoints(world.account).await.unwrap(), [second]);
    let kept = store.endpoint_secrets(world.account, first.id).await.unwrap();
    assert_eq!(kept, Some(expected.secrets), "its deliveries are still shown");
}

pub async fn an_account_has_so_many_endpoints_and_no_more(store: &Shared) {
    let world = World::new(store, 10).await;
    let all = join_all((0..8).map(|_| store.create_endpoint(endpoint(&world), 3, change()))).await;
    assert_eq!(all.iter().filter(|made| *made.as_ref().unwrap()).count(), 3);
    assert_eq!(store.endpoints(world.account).await.unwrap().len(), 3);
}

pub async fn an_end_is_told_once_to_each_endpoint_and_signed_with_its_secret(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    world.complete(&world.claimed(at(1)).await, 4, at(2)).await;
    assert_eq!(open(&world).await, [], "nobody wanted to be told");
    let (first, second) = (registered(&world).await, registered(&world).await);
    let job = world.accepted_with_webhook(10).await;
    world.complete(&world.claimed(at(3)).await, 4, at(4)).await;
    let events = store.open_events(100).await.unwrap();
    assert_eq!(
        events.iter().map(|event| event.what).collect::<Vec<_>>(),
        [Happening::End(job.id)]
    );
    let tell = |deliveries| store.tell(vec![told(&events[0], Some(job.id), deliveries)], at(5));
    let to = [&first, &second].map(|endpoint| delivery(endpoint, Event::Completed));
    assert_eq!(tell(to.to_vec()).await.unwrap(), 2);
    let again = [&first, &second].map(|endpoint| delivery(endpoint, Event::Completed));
    assert_eq!(tell(again.to_vec()).await.unwrap(), 0, "another node was later");
    let claimed = world.claim_deliveries(9, 9, at(5)).await;
    let seen: Vec<_> = claimed
        .iter()
        .map(|one| {
            (
                one.delivery.endpoint,
                one.delivery.generation,
                one.secrets.current.as_str(),
            )
        })
        .collect();
    assert_eq!(seen.len(), 3, "the URL of the request is told too");
    assert!(seen.contains(&(None, Some(job.id), "whsec_ada")), "{seen:?}");
    assert!(
        seen.contains(&(Some(first.id), Some(job.id), "whsec_own")),
        "{seen:?}"
    );
    let about = DeliveryFilter {
        generation: Some(job.id),
        ..DeliveryFilter::default()
    };
    let listed = store
        .list_deliveries(world.account, about, None, 9)
        .await
        .unwrap();
    assert_eq!((listed.items.len(), listed.total), (3, 3));
    let unsent = claimed
        .iter()
        .find(|one| one.delivery.endpoint == Some(second.id))
        .unwrap();
    let one = claimed
        .iter()
        .find(|one| one.delivery.endpoint == Some(first.id))
        .unwrap();
    let recorded = store
        .record_attempt(record(one, NextAttempt::At(at(60)), at(6)))
        .await;
    assert!(recorded.unwrap());
    assert!(
        store
            .delete_endpoint(world.account, first.id, at(7), change())
            .await
            .unwrap()
    );
    let (ended, _) = store
        .delivery(world.account, one.delivery.id)
        .await
        .unwrap()
        .unwrap();
    let gone = store.delete_endpoint(world.account, second.id, at(7), change());
    assert!(gone.await.unwrap());
    let unsent = store.delivery(world.account, unsent.delivery.id).await.unwrap();
    assert!(unsent.is_none(), "no attempt was made");
    assert_eq!(
        ended.state,
        DeliveryState::Failed,
        "what waited is not sent any more"
    );
    world.audited().await;
    let deletion = Deletion {
        now: at(8),
        lease_until: at(9),
        record: None,
    };
    let removed = store
        .delete_generation(world.account, job.id, deletion)
        .await
        .unwrap();
    assert!(matches!(removed, Removal::Removed(_)), "{removed:?}");
    assert!(store.deliveries(job.id).await.unwrap().is_empty());
    world.audited().await;
}

pub async fn a_low_balance_is_told_once_until_it_was_above(store: &Shared) {
    let world = World::new(store, 100).await;
    let account = threshold(&world, Some(50)).await;
    assert_eq!(
        (account.low_balance.threshold, account.low_balance.since),
        (Some(50), None)
    );
    world.accepted(50).await;
    assert_eq!(
        (is_low(&world).await, open(&world).await),
        (false, vec![]),
        "50 is not below 50"
    );
    world.accepted(1).await;
    assert!(is_low(&world).await);
    let low = Happening::LowBalance {
        available: 49,
        threshold: 50,
    };
    assert_eq!(open(&world).await, [low]);
    world.accepted(1).await;
    assert_eq!(open(&world).await, [low], "once");
    world.fail(&world.claimed(at(1)).await, at(2)).await;
    assert!(!is_low(&world).await, "the hold came back");
    world.accepted(60).await;
    assert_eq!(open(&world).await.len(), 2, "it was above, so it is told again");
    threshold(&world, None).await;
    assert!(!is_low(&world).await);
    let already = threshold(&world, Some(90)).await;
    assert!(
        already.low_balance.since.is_some(),
        "it is low, but has not fallen"
    );
    assert_eq!(open(&world).await.len(), 2);
    world.audited().await;
}

pub async fn a_charge_beyond_the_hold_can_make_the_balance_low(store: &Shared) {
    let world = World::new(store, 100).await;
    threshold(&world, Some(80)).await;
    world.accepted(10).await;
    world.complete(&world.claimed(at(1)).await, 25, at(2)).await;
    let low = Happening::LowBalance {
        available: 75,
        threshold: 80,
    };
    assert_eq!(open(&world).await, [low]);
    let granted = store.grant(world.account, 5, "more", at(3), change()).await;
    assert!(granted.is_ok());
    assert!(!is_low(&world).await, "80 is not below 80");
}

pub async fn sixty_four_race_below_the_threshold_and_one_event_is_told(store: &Shared) {
    let world = World::new(store, 64).await;
    threshold(&world, Some(32)).await;
    let accepting = (0..64).map(|_| {
        let (store, new) = (Arc::clone(store), accept(generation(world.account, 1)));
        tokio::spawn(async move { store.accept(new).await.unwrap() })
    });
    for accepted in join_all(accepting).await {
        accepted.unwrap();
    }
    assert_eq!(world.balance().await, (0, 64));
    assert_eq!(open(&world).await.len(), 1);
    world.audited().await;
}
