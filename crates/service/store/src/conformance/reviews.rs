//! Generations that wait until a person decides, and decisions that were mistakes.

use std::{collections::HashMap, time::Duration};

use atelier_domain::{Generation, State, Timestamp};
use uuid::Uuid;

use super::world::{LANE, Shared, World, at, change, end, id};
use crate::{
    APPROVED, Decision, DecisionFilter, Ended, Expire, Expired, Finished, OVERTURNED, Place, REFUSED,
    REVIEW_LANE, Review, ReviewHold, Said, Verdict, WITHDRAWN,
};

fn decision(job: &Generation, now: Timestamp) -> Decision {
    Decision {
        id: id(),
        at: now,
        rule: "weapons".to_owned(),
        stage: "prompt".to_owned(),
        decision: "review".to_owned(),
        account: job.account,
        model: job.model.clone(),
        generation: job.id,
        review: Some(Review {
            part: "prompt".to_owned(),
            until: now.plus(Duration::from_secs(1_000)),
            approves: false,
            settled_at: None,
        }),
        said: None,
    }
}

/// Takes the oldest queued generation out of the queue at `now`.
async fn held(world: &World, now: Timestamp) -> (Generation, Decision) {
    let claimed = world.claimed(now).await;
    let decision = decision(&claimed, now);
    let hold = ReviewHold {
        decision: decision.clone(),
        epoch: claimed.epoch,
        now,
    };
    assert!(world.store.hold_for_review(&hold).await.unwrap());
    (claimed, decision)
}

fn verdict(id: Uuid, verdict: &'static str, now: Timestamp) -> Verdict {
    Verdict {
        id,
        verdict,
        now,
        note: "looked at it".to_owned(),
        record: change(),
    }
}

async fn listed(store: &Shared, filter: DecisionFilter) -> Vec<Decision> {
    store.decisions(filter, None, 10).await.unwrap()
}

fn waiting() -> DecisionFilter {
    DecisionFilter {
        waiting: true,
        ..DecisionFilter::default()
    }
}

pub async fn a_held_generation_waits_for_a_person_and_returns_to_its_place(store: &Shared) {
    let world = World::new(store, 100).await;
    let (first, second) = (world.accepted(10).await, world.accepted(10).await);
    let (claimed, decision) = held(&world, at(100)).await;
    assert_eq!(claimed.id, first.id);
    let waits = world.get(first.id).await;
    assert_eq!(
        (waits.state, waits.attempt, waits.deadline),
        (State::Queued, 0, at(1_300)),
        "the attempt does not count, and 200 s are left after the wait"
    );
    assert_eq!(world.balance().await, (80, 20), "the credits stay held");
    assert_eq!(listed(store, waiting()).await, std::slice::from_ref(&decision));

    // It takes no place of others, and nobody moves or claims it.
    let place = store.queue_place(world.account, first.id).await.unwrap().unwrap();
    assert_eq!(place.lane, REVIEW_LANE);
    let place = store
        .queue_place(world.account, second.id)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((&*place.lane, place.ahead), (LANE, 0));
    let lanes = HashMap::from([(first.model.clone(), vec!["gpu".to_owned()])]);
    assert_eq!(
        store.assign_lanes(&lanes).await.unwrap(),
        1,
        "only the second one"
    );
    let back = HashMap::from([(first.model.clone(), vec![LANE.to_owned()])]);
    assert_eq!(store.assign_lanes(&back).await.unwrap(), 1);
    assert_eq!(store.requeue_lost(at(900), 3, 10).await.unwrap(), 0);
    assert!(store.overdue(at(290), 3, 10).await.unwrap().is_empty());
    assert_eq!(store.stats().await.unwrap().queued[REVIEW_LANE], 1);
    // The attempt that held it has nothing to say any more.
    assert!(matches!(world.fail(&claimed, at(101)).await, Finished::Stale));
    let again = ReviewHold {
        decision: decision.clone(),
        epoch: claimed.epoch,
        now: at(101),
    };
    assert!(
        !store.hold_for_review(&again).await.unwrap(),
        "it is held already"
    );

    assert!(
        !store.release_review(first.id, LANE, at(150)).await.unwrap(),
        "nobody approved it"
    );
    let approved = store
        .decide_review(&verdict(decision.id, APPROVED, at(150)))
        .await;
    assert!(approved.unwrap().is_some());
    world.audited().await;
    assert!(store.release_review(first.id, LANE, at(160)).await.unwrap());
    assert!(
        !store.release_review(first.id, LANE, at(161)).await.unwrap(),
        "once"
    );
    assert_eq!(listed(store, waiting()).await, []);
    let claimed = world.claimed(at(170)).await;
    assert_eq!(
        (claimed.id, claimed.attempt),
        (first.id, 1),
        "the older one comes first"
    );
    assert_eq!(
        (claimed.deadline, claimed.started_at),
        (at(360), Some(at(160))),
        "the wait does not count"
    );
    assert!(matches!(
        world.complete(&claimed, 7, at(171)).await,
        Finished::Ended { .. }
    ));
    assert_eq!(world.claimed(at(172)).await.id, second.id);
    world.audited().await;
}

pub async fn a_refused_or_cancelled_generation_waits_no_more_and_its_hold_is_released(store: &Shared) {
    let world = World::new(store, 100).await;
    for (said, shown) in [(Some(REFUSED), REFUSED), (None, WITHDRAWN)] {
        let job = world.accepted(10).await;
        let (_, decision) = held(&world, at(10)).await;
        if let Some(said) = said {
            let decided = store.decide_review(&verdict(decision.id, said, at(20))).await;
            assert!(decided.unwrap().is_some());
        }
        let ended = store.end(end(&world.get(job.id).await, at(30))).await.unwrap();
        assert_eq!(ended, Ended::Ended);
        assert_eq!(world.balance().await, (100, 0));
        let of_job = DecisionFilter {
            generation: Some(job.id),
            ..DecisionFilter::default()
        };
        let found = listed(store, of_job).await.remove(0);
        assert_eq!(found.review.unwrap().settled_at, Some(at(30)));
        assert_eq!(found.said.unwrap().verdict, shown);
        let late = store.decide_review(&verdict(decision.id, APPROVED, at(40))).await;
        assert_eq!(late.unwrap(), None, "it has ended");
        assert!(!store.release_review(job.id, LANE, at(40)).await.unwrap());
        assert_eq!(store.reviews_due(at(9_999), 10).await.unwrap(), []);
    }
    world.audited().await;
}

pub async fn a_review_is_decided_once_and_due_when_decided_or_when_its_time_is_up(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    let (_, decision) = held(&world, at(10)).await;
    let old = Expire {
        what: Expired::Decisions,
        account: None,
        before: at(9_999_999),
        after: Place::nil(),
        limit: 50,
        now: at(9_999_999),
        lease_until: at(9_999_999),
    };
    assert_eq!(store.expire(old).await.unwrap().removed, 0, "what waits is kept");
    let due = async |now| store.reviews_due(now, 10).await.unwrap();
    assert_eq!(due(at(1_009)).await, []);
    assert_eq!(due(at(1_010)).await, std::slice::from_ref(&decision));
    let decided = store
        .decide_review(&verdict(decision.id, APPROVED, at(20)))
        .await
        .unwrap()
        .unwrap();
    let said = Said {
        verdict: APPROVED.to_owned(),
        at: at(20),
        note: "looked at it".to_owned(),
    };
    assert_eq!(
        decided,
        Decision {
            said: Some(said),
            ..decision.clone()
        }
    );
    assert_eq!(due(at(21)).await, [decided]);
    assert_eq!(
        listed(store, waiting()).await,
        [],
        "nobody need look at it any more"
    );
    let second = store.decide_review(&verdict(decision.id, REFUSED, at(21))).await;
    assert_eq!(second.unwrap(), None);
    let changes = store.changes(Some(world.account), None, 10).await.unwrap();
    assert_eq!(changes.len(), 0, "the record of a test names no account");
}

pub async fn a_refusal_is_overturned_once(store: &Shared) {
    let world = World::new(store, 100).await;
    let job = world.accepted(10).await;
    let refused = Decision {
        decision: "refused".to_owned(),
        review: None,
        ..decision(&job, at(1))
    };
    store.note_decision(&refused).await.unwrap();
    let overturned = store
        .overturn_decision(&verdict(refused.id, OVERTURNED, at(5)))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(overturned.said.as_ref().unwrap().verdict, OVERTURNED);
    let filter = DecisionFilter {
        verdict: Some(OVERTURNED.to_owned()),
        decision: Some("refused".to_owned()),
        ..DecisionFilter::default()
    };
    assert_eq!(listed(store, filter).await, [overturned]);
    let again = store
        .overturn_decision(&verdict(refused.id, OVERTURNED, at(6)))
        .await;
    assert_eq!(again.unwrap(), None);
    let counts = store.decision_counts(at(0), at(9_999_999)).await.unwrap();
    assert_eq!((counts.len(), counts[0].count, counts[0].overturned), (1, 1, 1));
    // A held job is not refused.
    let (_, waits) = held(&world, at(10)).await;
    let waits = store
        .overturn_decision(&verdict(waits.id, OVERTURNED, at(11)))
        .await;
    assert_eq!(waits.unwrap(), None);
}
