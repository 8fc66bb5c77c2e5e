//! The pauses between the claims of a node.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Keeps claims apart that find fewer than they ask for. Many jobs that arrive together come with as many hints, and
/// those of jobs that another claim has taken lead to claims that find nothing. A job that comes alone does not wait.
#[derive(Debug, Default)]
pub(super) struct Spacing(Mutex<HashMap<String, Instant>>);

impl Spacing {
    const APART: Duration = Duration::from_millis(10);

    /// Waits until a claim in this lane may begin.
    pub(super) async fn wait(&self, lane: &str) {
        if let Some(next) = self.next(lane) {
            tokio::time::sleep_until(next.into()).await;
        }
    }

    fn next(&self, lane: &str) -> Option<Instant> {
        self.lanes().get(lane).map(|last| *last + Self::APART)
    }

    /// A claim began then that found several jobs or none, and left none.
    pub(super) fn begun(&self, lane: String, at: Instant) {
        self.lanes().insert(lane, at);
    }

    /// The map is valid after a panic at any point.
    fn lanes(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_waits_for_the_one_before_it_in_its_lane_alone() {
        let spacing = Spacing::default();
        let begun = Instant::now();
        assert_eq!(spacing.next("fast"), None);
        spacing.begun("fast".to_owned(), begun);
        assert_eq!(spacing.next("fast"), Some(begun + Duration::from_millis(10)));
        assert_eq!(spacing.next("slow"), None);
    }
}
