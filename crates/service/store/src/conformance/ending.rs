//! Completion, failure and cancellation, and their effect on the credits.

use atelier_domain::{AccountId, Event, GenerationId, State, WorkerId};

use super::world::{
    LANE, Shared, World, at, completed, end, failed, failure, finish, generation, id, output,
};
use crate::{End, Ended, EntryKind, Finish, Finished};

pub async fn a_completed_generation_is_charged_and_the_rest_comes_back(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    let claimed = world.claimed(at(1)).await;
    let finished = world.complete(&claimed, 7, at(2)).await;
    assert!(
        matches!(
            finished,
            Finished::Ended {
                uncovered: false,
                delivery: None
            }
        ),
        "{finished:?}"
    );
    let done = world.get(claimed.id).await;
    assert_eq!(
        (done.state, done.charged, done.ended_at),
        (State::Completed, Some(7), Some(at(2)))
    );
    assert_eq!((done.output, done.failure), (Some(output()), None));
    assert_eq!(done.served_by.as_deref(), Some("echo-1"));
    assert_eq!(world.balance().await, (93, 0));
    let settle = store.ledger(world.account, 1).await.unwrap().remove(0);
    assert_eq!(
        (settle.kind, settle.generation),
        (EntryKind::Settle, Some(claimed.id))
    );
    assert_eq!(
        (settle.issued, settle.available, settle.held, settle.spent),
        (0, 3, -10, 7)
    );
    world.audited().await;
}

pub async fn a_failed_generation_releases_its_hold(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    let claimed = world.claimed(at(1)).await;
    world.fail(&claimed, at(2)).await;
    let lost = world.get(claimed.id).await;
    assert_eq!(
        (lost.state, lost.charged, lost.output),
        (State::Failed, None, None)
    );
    assert_eq!((lost.failure, lost.ended_at), (Some(failure()), Some(at(2))));
    assert_eq!(world.balance().await, (100, 0));
    let release = store.ledger(world.account, 1).await.unwrap().remove(0);
    assert_eq!(
        (release.kind, release.available, release.held, release.spent),
        (EntryKind::Release, 10, -10, 0)
    );
    world.audited().await;
}

pub async fn a_charge_beyond_the_hold_takes_from_the_balance(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    let claimed = world.claimed(at(1)).await;
    world.complete(&claimed, 100, at(2)).await;
    assert_eq!(world.balance().await, (0, 0));
    world.audited().await;
}

pub async fn a_charge_beyond_everything_ends_as_the_failure_given_for_it(store: &Shared) {
    let world = World::new(store, 20).await;
    let accepted = world.accepted_with_webhook(10).await;
    let claimed = world.claimed(at(1)).await;
    let request = Finish {
        if_uncovered: Some(failed(&claimed)),
        deliver_now: Some((world.worker, at(30))),
        ..finish(&claimed, completed(&claimed, 21), at(2))
    };
    let Finished::Ended {
        uncovered: true,
        delivery: Some(delivery),
    } = store.finish(request).await.unwrap()
    else {
        panic!("covered")
    };
    assert_eq!(delivery.delivery.event, Event::Failed);
    let ended = world.get(accepted.id).await;
    assert_eq!(
        (ended.state, ended.output, ended.failure),
        (State::Failed, None, Some(failure()))
    );
    assert_eq!(world.balance().await, (20, 0));
    world.audited().await;
}

pub async fn a_charge_beyond_everything_with_no_failure_given_changes_nothing(store: &Shared) {
    let world = World::new(store, 20).await;
    let accepted = world.accepted(10).await;
    let claimed = world.claimed(at(1)).await;
    for charge in [21, -1] {
        assert!(
            store
                .finish(finish(&claimed, completed(&claimed, charge), at(2)))
                .await
                .is_err()
        );
    }
    assert_eq!(world.get(accepted.id).await.state, State::Running);
    assert_eq!(world.balance().await, (10, 10));
    world.audited().await;
}

pub async fn finishing_twice_counts_once(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted_with_webhook(10).await;
    let claimed = world.claimed(at(1)).await;
    world.complete(&claimed, 7, at(2)).await;
    assert!(matches!(
        world.complete(&claimed, 7, at(3)).await,
        Finished::Stale
    ));
    assert!(matches!(world.fail(&claimed, at(3)).await, Finished::Stale));
    assert_eq!(world.balance().await, (93, 0));
    assert_eq!(store.deliveries(claimed.id).await.unwrap().len(), 1);
    world.audited().await;
}

pub async fn only_a_running_generation_is_finished(store: &Shared) {
    let world = World::new(store, 100).await;
    let queued = world.accepted(10).await;
    assert!(matches!(world.complete(&queued, 7, at(2)).await, Finished::Stale));
    let unknown = generation(world.account, 1);
    assert!(matches!(
        world.complete(&unknown, 1, at(2)).await,
        Finished::Stale
    ));
    assert_eq!(world.get(queued.id).await.state, State::Queued);
    world.audited().await;
}

pub async fn a_queued_generation_is_ended_and_never_claimed(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted_with_webhook(10).await;
    assert_eq!(store.end(end(&accepted, at(1))).await.unwrap(), Ended::Ended);
    let ended = world.get(accepted.id).await;
    assert_eq!(
        (ended.state, ended.failure, ended.served_by),
        (State::Failed, Some(failure()), None)
    );
    assert_eq!(world.balance().await, (100, 0));
    assert_eq!(world.claim(1, at(2)).await, []);
    assert_eq!(store.deliveries(accepted.id).await.unwrap().len(), 1);
    assert_eq!(
        store.end(end(&accepted, at(2))).await.unwrap(),
        Ended::NotProcessing
    );
    world.audited().await;
}

pub async fn a_running_generation_is_ended_whoever_runs_it(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    let claimed = world.claimed(at(1)).await;
    assert_eq!(store.end(end(&claimed, at(2))).await.unwrap(), Ended::Ended);
    assert!(matches!(
        world.complete(&claimed, 5, at(3)).await,
        Finished::Stale
    ));
    assert_eq!(world.get(claimed.id).await.served_by.as_deref(), Some(LANE));
    assert_eq!(world.balance().await, (100, 0));
    world.audited().await;
}

pub async fn only_the_owner_ends_what_is_asked_for_by_an_account(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    let by = |account| End {
        account: Some(account),
        ..end(&accepted, at(1))
    };
    assert_eq!(store.end(by(AccountId(id()))).await.unwrap(), Ended::NotFound);
    assert_eq!(world.get(accepted.id).await.state, State::Queued);
    assert_eq!(store.end(by(world.account)).await.unwrap(), Ended::Ended);
    let unknown = End {
        id: GenerationId(id()),
        ..end(&accepted, at(1))
    };
    assert_eq!(store.end(unknown).await.unwrap(), Ended::NotFound);
}

pub async fn an_end_meant_for_an_earlier_epoch_does_nothing(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    let claimed = world.claimed(at(1)).await;
    let meant_for = |epoch| End {
        epoch: Some(epoch),
        ..end(&accepted, at(2))
    };
    assert_eq!(store.end(meant_for(0)).await.unwrap(), Ended::NotProcessing);
    assert_eq!(world.get(accepted.id).await.state, State::Running);
    assert_eq!(store.end(meant_for(claimed.epoch)).await.unwrap(), Ended::Ended);
    world.audited().await;
}

pub async fn the_delivery_is_leased_at_once_where_a_worker_asks_for_it(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted_with_webhook(1).await;
    let claimed = world.claimed(at(1)).await;
    let worker = WorkerId(id());
    let request = Finish {
        deliver_now: Some((worker, at(32))),
        ..finish(&claimed, completed(&claimed, 1), at(2))
    };
    let Finished::Ended {
        delivery: Some(delivery),
        ..
    } = store.finish(request).await.unwrap()
    else {
        panic!("no delivery")
    };
    assert_eq!(delivery.delivery.generation, Some(claimed.id));
    assert_eq!(
        delivery.delivery.body,
        format!("{{\"id\":\"{}\"}}", claimed.id).into_bytes()
    );
    assert_eq!(
        (delivery.secrets.current.as_str(), delivery.host.as_str()),
        ("whsec_ada", "hooks.example.com:443")
    );
    assert!(
        world.claim_deliveries(9, 9, at(31)).await.is_empty(),
        "it is leased"
    );
    assert_eq!(
        world.claim_deliveries(9, 9, at(32)).await.len(),
        1,
        "its lease is over"
    );
    world.audited().await;
}
