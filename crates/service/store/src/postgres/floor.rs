//! The time before which no delivery is due. Ended deliveries leave entries in the index until a vacuum, which a large
//! table seldom has, and whoever looks for the first ones would read through all of them: 4 to 5 ms after 460,000.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use atelier_domain::Timestamp;

/// What this node knows about the beginning of the index.
#[derive(Debug, Default)]
pub(super) struct Floor(Mutex<Option<Known>>);

/// The time from which to read a part of an index, because there was nothing before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// When it was read from its beginning.
    pub(super) read: Instant,
    pub(super) from: Timestamp,
}

impl Known {
    /// What is known once a look that began at `read` found `first`, or nothing. Entries after `late` may still come.
    /// `jumped`: the look read only what is after the time known before.
    pub(super) fn found(
        before: Option<Self>,
        jumped: bool,
        read: Instant,
        (first, late): (Option<Timestamp>, Timestamp),
    ) -> Option<Self> {
        let from = first.map_or(late, |first| first.min(late));
        if !jumped {
            return Some(Self { read, from });
        }
        before.map(|known| Self {
            from: from.max(known.from),
            ..known
        })
    }
}

/// Where the index begins.
const BEGINNING: Timestamp = Timestamp(i64::MIN);

impl Floor {
    /// A delivery may be committed so long after it is due: by a node whose clock is behind, for example.
    const LATE: Duration = Duration::from_secs(10);
    /// How often the index is read from its beginning, so that one that comes later still is sent, too.
    const ALL: Duration = Duration::from_secs(10);

    /// The time from which to read.
    pub(super) fn begin(&self) -> Timestamp {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .filter(|known| known.read.elapsed() < Self::ALL)
            .map_or(BEGINNING, |known| known.from)
    }

    /// The first delivery due from `from` on is due at `first`. It was read at `read`, when it was `now`.
    pub(super) fn found(&self, from: Timestamp, first: Option<Timestamp>, read: Instant, now: Timestamp) {
        let late = now.minus(Self::LATE);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Known::found(*known, from > BEGINNING, read, (first, late));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp(second * 1_000_000)
    }

    #[test]
    fn what_is_due_since_long_is_read_again_and_what_has_ended_is_not() {
        let (floor, begun) = (Floor::default(), Instant::now());
        assert_eq!(floor.begin(), BEGINNING);
        floor.found(BEGINNING, Some(at(50)), begun, at(100));
        assert_eq!(floor.begin(), at(50));
        // Whoever has just accepted one may commit it later.
        floor.found(at(50), None, begun, at(101));
        assert_eq!(floor.begin(), at(91));
        // A claim that took longer says nothing new.
        floor.found(at(50), Some(at(60)), begun, at(101));
        assert_eq!(floor.begin(), at(91));
    }

    #[test]
    fn everything_is_read_again_after_some_time() {
        let floor = Floor::default();
        let long_ago = Instant::now().checked_sub(Floor::ALL).unwrap();
        floor.found(BEGINNING, None, long_ago, at(100));
        assert_eq!(floor.begin(), BEGINNING);
        floor.found(at(90), None, Instant::now(), at(101));
        assert_eq!(floor.begin(), BEGINNING, "only the end was read");
    }
}
