//! The decisions of the content policy.

use std::time::Duration;

use atelier_domain::{GenerationId, Timestamp};

use serde_json::json;

use super::world::{Shared, World, at, completed, finish, id};
use crate::{Decision, DecisionCount, DecisionFilter, Expire, Expired, MarkCount, Outcome, Place};

/// An id of this moment.
fn id_at(at: Timestamp, number: u128) -> uuid::Uuid {
    uuid::Uuid::from_u128((u128::from(at.millis().unsigned_abs()) << 80) + number)
}

fn decided(world: &World, number: u128, rule: &str) -> Decision {
    let at = at(1).plus(Duration::from_hours(24 * u64::try_from(number).unwrap()));
    Decision {
        id: id_at(at, number),
        at,
        rule: rule.to_owned(),
        stage: "prompt".to_owned(),
        decision: "refused".to_owned(),
        account: world.account,
        model: "image-gen-4".to_owned(),
        generation: GenerationId(id()),
        review: None,
        said: None,
    }
}

pub async fn decisions_are_written_once_listed_counted_and_removed(store: &Shared) {
    let world = World::new(store, 0).await;
    let other = world.beside("bob", 0).await;
    let made = [
        decided(&world, 0, "a"),
        decided(&world, 1, "b"),
        decided(&other, 2, "a"),
    ];
    for one in &made {
        store.note_decision(one).await.unwrap();
    }
    let mut again = made[0].clone();
    again.id = id_at(at(500), 9);
    store.note_decision(&again).await.unwrap();

    let listed = async |filter, before, limit| store.decisions(filter, before, limit).await.unwrap();
    let [first, second, third] = made.clone();
    let everything = DecisionFilter::default();
    assert_eq!(
        listed(everything.clone(), None, 10).await,
        [third.clone(), second.clone(), first.clone()]
    );
    assert_eq!(
        listed(everything.clone(), Some(third.id), 1).await,
        std::slice::from_ref(&second)
    );
    let of_rule = DecisionFilter {
        rule: Some("a".to_owned()),
        ..DecisionFilter::default()
    };
    assert_eq!(listed(of_rule, None, 10).await, [third.clone(), first.clone()]);
    let of_account = DecisionFilter {
        account: Some(world.account),
        ..DecisionFilter::default()
    };
    assert_eq!(listed(of_account, None, 10).await, [second.clone(), first]);

    let count = |rule: &str, count| DecisionCount {
        rule: rule.to_owned(),
        stage: "prompt".to_owned(),
        decision: "refused".to_owned(),
        count,
        overturned: 0,
    };
    let counts = store
        .decision_counts(at(0), third.at.plus(Duration::from_hours(1)))
        .await;
    assert_eq!(counts.unwrap(), [count("a", 2), count("b", 1)]);
    let counts = store.decision_counts(second.at, third.at).await;
    assert_eq!(counts.unwrap(), [count("b", 1)]);

    let step = Expire {
        what: Expired::Decisions,
        account: None,
        before: third.at,
        after: Place::nil(),
        limit: 50,
        now: third.at,
        lease_until: third.at,
    };
    let removed = store.expire(step).await.unwrap();
    assert_eq!((removed.removed, removed.next), (2, None));
    assert_eq!(listed(everything, None, 10).await, [third]);
}

pub async fn results_are_counted_by_model_engine_watermark_and_signature(store: &Shared) {
    let world = World::new(store, 100).await;
    let marks = json!(["written", "too_plain"]);
    for watermark in [None, Some(&marks), Some(&marks)] {
        let job = world.accepted(1).await;
        let claimed = world.claimed(at(1)).await;
        assert_eq!(claimed.id, job.id);
        let mut ending = completed(&claimed, 1);
        if let (Outcome::Completed { output, .. }, Some(marks)) = (&mut ending.outcome, watermark) {
            let metadata = output.metadata.get_or_insert_default();
            metadata.insert("watermark".to_owned(), marks.clone());
            metadata.insert("credentials".to_owned(), json!(["written"]));
        }
        store.finish(finish(&claimed, ending, at(2))).await.unwrap();
    }
    world.accepted(1).await;
    let failed = world.claimed(at(3)).await;
    world.fail(&failed, at(4)).await;

    let hour = Duration::from_hours(1);
    let found = store.marks(at(0), at(0).plus(hour)).await.unwrap();
    let read = |row: &MarkCount| {
        assert_eq!((&*row.model, &*row.engine), (&*failed.model, "echo-1"), "{row:?}");
        let said = [&row.watermark, &row.credentials].map(|text| {
            let text = text.as_deref();
            text.map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap())
        });
        (said, row.jobs)
    };
    let mut found: Vec<_> = found.iter().map(read).collect();
    found.sort_by_key(|(_, jobs)| *jobs);
    assert_eq!(
        found,
        [([None, None], 1), ([Some(marks), Some(json!(["written"]))], 2)]
    );
    let later = store.marks(at(0).plus(hour), at(0).plus(hour * 2)).await;
    assert_eq!(later.unwrap(), []);
}
