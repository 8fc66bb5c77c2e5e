//! Tests of the registry of running attempts.

use atelier_domain::GenerationId;
use tokio::time::Instant;

use crate::attempts::{Attempts, Stop};

fn claimed(id: u128, epoch: i64) -> (GenerationId, i64) {
    let id = format!("0190c7e0-0000-7000-8000-{id:012}").parse().unwrap();
    (id, epoch)
}

#[test]
fn the_end_of_a_stale_attempt_leaves_its_successor_registered() {
    let attempts = Attempts::default();
    let now = Instant::now();
    let stale = attempts.hold(claimed(1, 1), "echo", now);
    let current = attempts.hold(claimed(1, 2), "echo", now);
    current.share().set_progress(0.5);
    assert_eq!(stale.stopped(), Some(Stop::Lost), "a new claim ends the old one");
    drop(stale);
    assert_eq!(attempts.progress(current.id(), 2), Some(0.5));
    assert_eq!(attempts.by_lane()["echo"], 1);
    attempts.cancel(current.id());
    assert!(current.cancel().is_cancelled(), "a cancellation still reaches it");
}

#[test]
fn only_attempts_that_hold_their_generation_ask_for_a_longer_lease() {
    let attempts = Attempts::default();
    let now = Instant::now();
    let held =
        [(1, 1), (1, 2), (2, 1), (3, 1)].map(|(id, epoch)| attempts.hold(claimed(id, epoch), "a", now));
    held[2].stop(Stop::Shutdown);
    attempts.cancel(held[3].id());
    let leased: Vec<_> = attempts
        .held()
        .iter()
        .map(|attempt| (attempt.id(), attempt.epoch()))
        .collect();
    let (second, third) = (&held[1], &held[2]);
    assert_eq!(
        leased,
        [(second.id(), 2), (third.id(), 1)],
        "one that shuts down keeps its lease"
    );
    drop(held);
    assert!(attempts.held().is_empty());
}
