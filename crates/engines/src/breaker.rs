//! The breaker of an engine that others run: after several failures in a row, jobs go elsewhere for a while; then one
//! job tries whether it works again.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use atelier_domain::Timestamp;

/// Failures in a row, none of them older than [`WINDOW`], that open it.
const FAILURES: u32 = 5;
const WINDOW: Duration = Duration::from_secs(60);
/// How long it stays open at first; each probe that fails doubles it, up to the longest.
const COOL_DOWN: Duration = Duration::from_secs(15);
const LONGEST: Duration = Duration::from_secs(600);

/// Failures of one engine, as this process sees them.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    first_failure: Timestamp,
    /// Jobs go elsewhere until then.
    open_until: Option<Timestamp>,
    cool_down: Option<Duration>,
}

impl Breaker {
    pub fn succeeded(&self) {
        *self.state() = State::default();
    }

    /// Counts a failure that is the engine's own. True: it has just opened.
    pub fn failed(&self, now: Timestamp) -> bool {
        let mut state = self.state();
        if let Some(until) = state.open_until {
            // Jobs that began before it opened tell nothing new; one after the cool-down was the probe.
            if now < until {
                return false;
            }
            let longer = state
                .cool_down
                .map_or(COOL_DOWN, |before| (before * 2).min(LONGEST));
            (state.open_until, state.cool_down) = (Some(now.plus(longer)), Some(longer));
            return true;
        }
        if state.failures == 0 || now.since(state.first_failure) > WINDOW {
            (state.failures, state.first_failure) = (0, now);
        }
        state.failures += 1;
        if state.failures < FAILURES {
            return false;
        }
        (state.open_until, state.cool_down) = (Some(now.plus(COOL_DOWN)), Some(COOL_DOWN));
        true
    }

    /// Until when jobs go elsewhere; `None` when the engine may be asked.
    pub fn open_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.state().open_until.filter(|until| now < *until)
    }

    /// Whether one job at a time tries if it works again.
    pub fn is_probing(&self, now: Timestamp) -> bool {
        self.state().open_until.is_some_and(|until| now >= until)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp(0).plus(Duration::from_secs(seconds))
    }

    #[test]
    fn five_failures_in_a_row_open_it_for_a_while() {
        let breaker = Breaker::default();
        for second in 0..4 {
            assert!(!breaker.failed(at(second)));
            assert_eq!(breaker.open_until(at(second)), None);
        }
        assert!(breaker.failed(at(4)));
        assert_eq!(breaker.open_until(at(4)), Some(at(19)));
        assert!(!breaker.failed(at(5)), "what ran when it opened changes nothing");
        assert_eq!(
            (breaker.open_until(at(19)), breaker.is_probing(at(19))),
            (None, true)
        );
    }

    #[test]
    fn a_success_or_a_quiet_minute_forgets_failures() {
        let breaker = Breaker::default();
        for second in 0..4 {
            breaker.failed(at(second));
        }
        breaker.succeeded();
        assert!(!breaker.failed(at(5)));
        for second in [70, 71, 72] {
            assert!(!breaker.failed(at(second)), "{second}");
        }
    }

    #[test]
    fn a_probe_that_fails_waits_twice_as_long_and_one_that_succeeds_closes_it() {
        let breaker = Breaker::default();
        for second in 0..5 {
            breaker.failed(at(second));
        }
        assert!(breaker.failed(at(20)));
        assert_eq!(breaker.open_until(at(20)), Some(at(50)));
        breaker.succeeded();
        assert_eq!(
            (breaker.open_until(at(21)), breaker.is_probing(at(60))),
            (None, false)
        );
    }
}
