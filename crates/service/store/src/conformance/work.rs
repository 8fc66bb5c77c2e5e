//! The queue: claims, leases, and what returns to the queue.

use std::{collections::HashMap, time::Duration};

use atelier_domain::{Failure, FailureCode, GenerationId, PastAttempt, State, WorkerId};

use super::world::{LANE, Shared, World, at, claim, end, failure, id};
use crate::{Beat, Claim, Finished, Retry, work::next_epoch};

pub async fn a_claimed_generation_runs_under_a_new_epoch(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    let claimed = world.claimed(at(1)).await;
    assert_eq!(
        (claimed.state, claimed.epoch, claimed.attempt),
        (State::Running, next_epoch(0, at(1)), 1)
    );
    assert_eq!(claimed.started_at, Some(at(1)));
    assert_eq!(claimed.served_by.as_deref(), Some(LANE));
    assert_eq!(claimed.params, accepted.params);
    assert_eq!(world.get(accepted.id).await, claimed);
    assert_eq!(world.claim(1, at(1)).await, [], "it is taken");
    world.audited().await;
}

pub async fn claims_take_the_oldest_first_and_no_more_than_asked(store: &Shared) {
    let world = World::new(store, 100).await;
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.push(world.accepted(1).await.id);
    }
    let mut taken: Vec<_> = world
        .claim(2, at(1))
        .await
        .into_iter()
        .map(|generation| generation.id)
        .collect();
    assert_eq!(taken, sent[..2]);
    taken.extend(
        world
            .claim(10, at(1))
            .await
            .into_iter()
            .map(|generation| generation.id),
    );
    assert_eq!(taken, sent);
}

pub async fn a_lane_gets_only_its_own(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(1).await;
    let elsewhere = Claim {
        lane: "other".to_owned(),
        ..claim(world.worker, 9, at(1))
    };
    assert_eq!(store.claim(elsewhere).await.unwrap(), []);
    assert_eq!(world.claim(9, at(1)).await.len(), 1);
}

pub async fn queued_generations_move_to_the_lane_that_serves_their_model(store: &Shared) {
    let world = World::new(store, 100).await;
    let running = world.accepted(1).await;
    world.claimed(at(1)).await;
    let moved = world.accepted(1).await;
    let lanes = HashMap::from([
        ("image-gen-4".to_owned(), vec!["draft".to_owned()]),
        ("music-2".to_owned(), vec!["else".to_owned()]),
    ]);
    assert_eq!(store.assign_lanes(&lanes).await.unwrap(), 1);
    assert_eq!(store.assign_lanes(&lanes).await.unwrap(), 0);
    assert_eq!(world.claim(9, at(2)).await, []);
    let there = Claim {
        lane: "draft".to_owned(),
        ..claim(world.worker, 9, at(2))
    };
    let claimed = store.claim(there).await.unwrap();
    assert_eq!(
        claimed.iter().map(|generation| generation.id).collect::<Vec<_>>(),
        [moved.id]
    );
    assert_eq!(world.get(running.id).await.state, State::Running);
}

pub async fn a_heartbeat_renews_the_lease_and_notes_progress(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(1).await;
    let claimed = world.claimed(at(0)).await;
    let beat = |progress| Beat {
        id: claimed.id,
        epoch: claimed.epoch,
        progress,
    };
    assert_eq!(store.heartbeat(vec![beat(0.4)], at(500)).await.unwrap().lost, []);
    assert!((world.get(claimed.id).await.progress - 0.4).abs() < 1e-9);
    assert_eq!(
        store.requeue_lost(at(499), 3, 9).await.unwrap(),
        0,
        "the first lease ended long before"
    );
    assert_eq!(store.requeue_lost(at(500), 3, 9).await.unwrap(), 1);
}

pub async fn a_heartbeat_tells_which_are_lost(store: &Shared) {
    let world = World::new(store, 100).await;
    for _ in 0..4 {
        world.accepted(1).await;
    }
    let held = world.claim(4, at(0)).await;
    store.end(end(&held[0], at(1))).await.unwrap();
    store
        .give_back(vec![(held[1].id, held[1].epoch)], at(1))
        .await
        .unwrap();
    let again = world.claimed(at(1)).await;
    assert_eq!(again.id, held[1].id);
    let unknown = GenerationId(id());
    let mut beats: Vec<_> = held
        .iter()
        .map(|held| Beat {
            id: held.id,
            epoch: held.epoch,
            progress: 0.5,
        })
        .collect();
    beats.push(Beat {
        id: unknown,
        epoch: 1,
        progress: 0.5,
    });
    let lost = store.heartbeat(beats, at(90)).await.unwrap().lost;
    assert_eq!(lost, [held[0].id, held[1].id, unknown]);
    let fresh = Beat {
        id: again.id,
        epoch: again.epoch,
        progress: 0.1,
    };
    assert_eq!(
        store.heartbeat(vec![fresh], at(90)).await.unwrap().lost,
        [],
        "its new attempt is held"
    );
}

pub async fn progress_stays_between_none_and_all(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(1).await;
    let claimed = world.claimed(at(0)).await;
    for (reported, noted) in [(7.0, 1.0), (-1.0, 0.0), (f64::NAN, 0.0), (0.25, 0.25)] {
        let beat = Beat {
            id: claimed.id,
            epoch: claimed.epoch,
            progress: reported,
        };
        store.heartbeat(vec![beat], at(90)).await.unwrap();
        assert!(
            (world.get(claimed.id).await.progress - noted).abs() < 1e-9,
            "{reported}"
        );
    }
}

pub async fn a_retry_waits_for_its_time_and_counts_its_attempts(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    let first = world.claimed(at(0)).await;
    let failure = Failure::retry(FailureCode::RateLimited, "slow down", Duration::from_secs(5));
    assert!(
        store
            .note_request(first.id, first.epoch, "r1".to_owned())
            .await
            .unwrap()
    );
    let retry = Retry {
        id: first.id,
        epoch: first.epoch,
        now: at(3),
        run_at: at(5),
        failure,
        lane: None,
    };
    assert!(store.retry(retry.clone()).await.unwrap());
    let waiting = world.get(accepted.id).await;
    let past = PastAttempt {
        engine: LANE.to_owned(),
        started_at: at(0),
        ended_at: at(3),
        outcome: "rate_limited".to_owned(),
        request: Some("r1".to_owned()),
    };
    assert_eq!(
        (waiting.past_attempts.clone(), waiting.request.clone()),
        (vec![past], None)
    );
    assert_eq!(
        (waiting.state, waiting.failure.clone(), waiting.attempt),
        (State::Queued, None, 1)
    );
    assert_eq!(world.balance().await, (90, 10), "still held for");
    assert_eq!(world.claim(1, at(4)).await, []);
    let second = world.claimed(at(5)).await;
    assert_eq!(
        (second.epoch, second.attempt),
        (next_epoch(first.epoch, at(5)), 2)
    );
    assert_eq!(
        second.started_at, first.started_at,
        "it began with its first attempt"
    );
    assert_eq!(second.attempt_started_at, Some(at(5)));
    assert!(!store.retry(retry).await.unwrap(), "the first attempt is over");
    assert_eq!(world.get(accepted.id).await.state, State::Running);
    world.audited().await;
}

pub async fn a_retry_can_go_to_another_lane(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    let first = world.claimed(at(0)).await;
    let retry = Retry {
        id: first.id,
        epoch: first.epoch,
        now: at(1),
        run_at: at(1),
        failure: failure(),
        lane: Some("elsewhere".to_owned()),
    };
    assert!(store.retry(retry).await.unwrap());
    let both = vec![LANE.to_owned(), "elsewhere".to_owned()];
    let lanes = HashMap::from([(first.model.clone(), both)]);
    assert_eq!(store.assign_lanes(&lanes).await.unwrap(), 0, "it stays there");
    assert_eq!(world.claim(1, at(2)).await, []);
    let elsewhere = Claim {
        models: None,
        worker: WorkerId(id()),
        lane: "elsewhere".to_owned(),
        max: 1,
        now: at(2),
        lease_until: at(30),
    };
    let second = store.claim(elsewhere).await.unwrap().remove(0);
    assert_eq!(
        (second.id, second.served_by.as_deref()),
        (first.id, Some("elsewhere"))
    );
}

pub async fn a_noted_request_outlives_a_failure_that_resumes_it(store: &Shared) {
    let world = World::new(store, 100).await;
    world.accepted(10).await;
    for (resumes, left) in [(true, Some("r1")), (false, None)] {
        let running = world.claimed(at(1)).await;
        let noted = store
            .note_request(running.id, running.epoch, "r1".to_owned())
            .await;
        assert!(noted.unwrap());
        let retry = Retry {
            id: running.id,
            epoch: running.epoch,
            now: at(1),
            run_at: at(1),
            failure: Failure { resumes, ..failure() },
            lane: None,
        };
        assert!(store.retry(retry).await.unwrap());
        assert_eq!(world.get(running.id).await.request.as_deref(), left);
    }
}

pub async fn a_noted_request_outlives_a_lost_lease_and_is_fenced_by_the_epoch(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    let first = world.claimed(at(0)).await;
    assert_eq!(first.request, None);
    assert!(
        store
            .note_request(first.id, first.epoch, "r1".to_owned())
            .await
            .unwrap()
    );
    assert_eq!(store.requeue_lost(at(1_000), 3, 8).await.unwrap(), 1);
    assert!(
        !store
            .note_request(first.id, first.epoch, "r2".to_owned())
            .await
            .unwrap()
    );
    let second = world.claimed(at(1_000)).await;
    assert_eq!(second.request.as_deref(), Some("r1"));
    assert!(
        !store
            .note_request(first.id, first.epoch, "r2".to_owned())
            .await
            .unwrap()
    );
    let past = world.get(accepted.id).await.past_attempts;
    assert_eq!(past.len(), 1);
    assert_eq!((past[0].outcome.as_str(), past[0].ended_at), ("lost", at(1_000)));
    store
        .give_back(vec![(second.id, second.epoch)], at(1_001))
        .await
        .unwrap();
    assert_eq!(world.claimed(at(1_001)).await.request.as_deref(), Some("r1"));
}

pub async fn what_is_given_back_is_next_and_has_lost_no_attempt(store: &Shared) {
    let world = World::new(store, 100).await;
    let first = world.accepted(1).await;
    world.accepted(1).await;
    let claimed = world.claimed(at(1)).await;
    store
        .give_back(vec![(claimed.id, claimed.epoch), (GenerationId(id()), 1)], at(2))
        .await
        .unwrap();
    let queued = world.get(first.id).await;
    assert_eq!(
        (queued.state, queued.attempt, queued.epoch),
        (State::Queued, 0, claimed.epoch)
    );
    let again = world.claimed(at(2)).await;
    assert_eq!((again.id, again.attempt), (first.id, 1));
    assert!(again.epoch > claimed.epoch, "{} {}", again.epoch, claimed.epoch);
    store
        .give_back(vec![(claimed.id, claimed.epoch)], at(3))
        .await
        .unwrap();
    assert_eq!(
        world.get(first.id).await.state,
        State::Running,
        "an old epoch gives nothing back"
    );
    world.audited().await;
}

pub async fn a_lost_lease_returns_to_the_queue_while_attempts_are_left(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(1).await;
    for attempt in 1..=2 {
        let now = at(u64::from(attempt) * 100);
        let claimed = world.claimed(now).await;
        assert_eq!(claimed.attempt, attempt);
        assert_eq!(
            store
                .requeue_lost(now.plus(Duration::from_secs(59)), 2, 9)
                .await
                .unwrap(),
            0
        );
        let over = now.plus(Duration::from_mins(1));
        assert_eq!(
            store.requeue_lost(over, 2, 9).await.unwrap(),
            u32::from(attempt < 2)
        );
    }
    assert_eq!(
        world.get(accepted.id).await.state,
        State::Running,
        "its attempts are used up"
    );
    let overdue = store.overdue(at(260), 2, 9).await.unwrap();
    assert_eq!(overdue.len(), 1);
    assert_eq!(
        (overdue[0].generation.id, overdue[0].timed_out),
        (accepted.id, false)
    );
    assert!(store.overdue(at(259), 2, 9).await.unwrap().is_empty());
    world.audited().await;
}

pub async fn the_loser_of_a_lease_can_write_nothing_more(store: &Shared) {
    let world = World::new(store, 100).await;
    let accepted = world.accepted(10).await;
    let lost = world.claimed(at(0)).await;
    store.requeue_lost(at(60), 3, 9).await.unwrap();
    assert!(matches!(world.complete(&lost, 5, at(61)).await, Finished::Stale));
    assert_eq!(world.get(accepted.id).await.state, State::Queued);
    let next = world.claimed(at(62)).await;
    assert!(matches!(world.complete(&lost, 5, at(63)).await, Finished::Stale));
    assert!(matches!(
        world.complete(&next, 4, at(64)).await,
        Finished::Ended { .. }
    ));
    assert_eq!(
        world.balance().await,
        (96, 0),
        "charged once, by the attempt that held it"
    );
    world.audited().await;
}

pub async fn no_more_are_requeued_than_asked(store: &Shared) {
    let world = World::new(store, 100).await;
    for _ in 0..3 {
        world.accepted(1).await;
    }
    world.claim(3, at(0)).await;
    assert_eq!(store.requeue_lost(at(60), 3, 2).await.unwrap(), 2);
    assert_eq!(store.requeue_lost(at(60), 3, 2).await.unwrap(), 1);
}

pub async fn a_generation_past_its_deadline_is_overdue_queued_or_running(store: &Shared) {
    let world = World::new(store, 100).await;
    let running = world.accepted(1).await;
    world.claimed(at(290)).await;
    let queued = world.accepted(1).await;
    let ended = world.accepted(1).await;
    store.end(end(&ended, at(1))).await.unwrap();
    assert!(store.overdue(at(299), 3, 9).await.unwrap().is_empty());
    let overdue = store.overdue(at(300), 3, 9).await.unwrap();
    let mut found: Vec<_> = overdue
        .iter()
        .map(|overdue| (overdue.generation.id, overdue.timed_out))
        .collect();
    found.sort();
    assert_eq!(found, [(running.id, true), (queued.id, true)]);
    assert_eq!(store.overdue(at(300), 3, 1).await.unwrap().len(), 1);
}

pub async fn two_workers_never_claim_the_same(store: &Shared) {
    let world = World::new(store, 1_000).await;
    for _ in 0..60 {
        world.accepted(1).await;
    }
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let store = std::sync::Arc::clone(store);
        tasks.spawn(async move { store.claim(claim(WorkerId(id()), 5, at(1))).await.unwrap() });
    }
    let mut ids: Vec<_> = tasks
        .join_all()
        .await
        .into_iter()
        .flatten()
        .map(|generation| generation.id)
        .collect();
    assert_eq!(ids.len(), 60);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 60);
}
