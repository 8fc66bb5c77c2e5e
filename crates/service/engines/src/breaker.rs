//! The breaker of an external engine. After several failures in a row it opens, and jobs go elsewhere for a while.
//! Then one new job at a time probes whether the engine works again.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use atelier_domain::Timestamp;

/// How many failures in a row within [`WINDOW`] open the breaker.
const FAILURES: u32 = 5;
const WINDOW: Duration = Duration::from_mins(1);
/// How long the breaker stays open at first. Each failed probe doubles it, up to the longest.
const COOL_DOWN: Duration = Duration::from_secs(15);
const LONGEST: Duration = Duration::from_mins(10);

/// The failures of one engine in this process.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<State>);

/// The position of a breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Jobs go to the engine.
    Closed,
    /// No jobs go to the engine until then.
    Open { until: Timestamp },
    /// One job at a time probes the engine.
    HalfOpen,
}

impl Position {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open { .. } => "open",
            Self::HalfOpen => "half_open",
        }
    }
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    first_failure: Timestamp,
    /// Jobs go elsewhere until then.
    open_until: Option<Timestamp>,
    cool_down: Option<Duration>,
    /// When the probe started.
    probe_since: Option<Timestamp>,
    /// Nobody is there to run the engine's jobs.
    is_absent: bool,
}

impl Breaker {
    pub fn succeeded(&self) {
        let mut state = self.state();
        *state = State {
            is_absent: state.is_absent,
            ..State::default()
        };
    }

    /// Counts a failure of the engine. Returns true if this opens the breaker.
    pub fn failed(&self, now: Timestamp) -> bool {
        let mut state = self.state();
        if let Some(until) = state.open_until {
            // Jobs that started before the breaker opened tell nothing new. After the cool-down, this is the probe.
            if now < until {
                return false;
            }
            let longer = state
                .cool_down
                .map_or(COOL_DOWN, |before| (before * 2).min(LONGEST));
            (state.open_until, state.cool_down) = (Some(now.plus(longer)), Some(longer));
            state.probe_since = None;
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

    /// Says whether somebody is there to run the engine's jobs. Without anybody, the breaker is open. Returns true if
    /// this is a change.
    pub fn set_absent(&self, is_absent: bool) -> bool {
        let mut state = self.state();
        std::mem::replace(&mut state.is_absent, is_absent) != is_absent
    }

    /// Whether jobs go to the engine as usual.
    pub fn is_closed(&self) -> bool {
        let state = self.state();
        state.open_until.is_none() && !state.is_absent
    }

    /// Whether a new job may go to the engine: any job while the breaker is closed, and one probe at a time after the
    /// cool-down. If a probe has no result for another cool-down, because it is slow or was cancelled, another one
    /// starts.
    pub fn admits(&self, now: Timestamp) -> bool {
        let mut state = self.state();
        if state.is_absent {
            return false;
        }
        let Some(until) = state.open_until else {
            return true;
        };
        let patience = state.cool_down.unwrap_or(COOL_DOWN);
        let is_probed = state.probe_since.is_some_and(|since| now.since(since) < patience);
        if now < until || is_probed {
            return false;
        }
        state.probe_since = Some(now);
        true
    }

    /// The position now.
    pub fn position(&self, now: Timestamp) -> Position {
        let state = self.state();
        if state.is_absent {
            // It is looked for again shortly.
            return Position::Open {
                until: now.plus(COOL_DOWN),
            };
        }
        match state.open_until {
            None => Position::Closed,
            Some(until) if now < until => Position::Open { until },
            Some(_) => Position::HalfOpen,
        }
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
    fn an_engine_without_workers_gets_no_jobs_until_one_comes() {
        let breaker = Breaker::default();
        assert!(
            breaker.set_absent(true) && !breaker.set_absent(true),
            "one change"
        );
        // A job that a worker ended before it left.
        breaker.succeeded();
        assert!(!breaker.is_closed() && !breaker.admits(at(1_000)));
        assert!(matches!(breaker.position(at(5)), Position::Open { until } if until > at(5)));
        assert!(breaker.set_absent(false));
        assert!(breaker.is_closed() && breaker.admits(at(1_000)));
    }

    #[test]
    fn five_failures_in_a_row_open_the_breaker_for_a_while() {
        let breaker = Breaker::default();
        for second in 0..4 {
            assert!(!breaker.failed(at(second)));
            assert!(breaker.is_closed() && breaker.admits(at(second)));
        }
        assert!(breaker.failed(at(4)));
        assert_eq!(breaker.position(at(4)), Position::Open { until: at(19) });
        assert!(!breaker.admits(at(18)) && !breaker.is_closed());
        assert!(
            !breaker.failed(at(5)),
            "a job that ran when it opened changes nothing"
        );
        assert_eq!(breaker.position(at(19)), Position::HalfOpen);
    }

    #[test]
    fn a_success_or_a_minute_without_failures_resets_the_count() {
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

    /// A breaker that is open from second 4 to second 19.
    fn opened() -> Breaker {
        let breaker = Breaker::default();
        for second in 0..5 {
            breaker.failed(at(second));
        }
        breaker
    }

    #[test]
    fn after_the_cool_down_one_job_probes_and_the_others_go_elsewhere() {
        let breaker = opened();
        assert!(breaker.admits(at(20)));
        assert!(!breaker.admits(at(20)) && !breaker.admits(at(34)));
        breaker.succeeded();
        assert!(breaker.admits(at(35)) && breaker.admits(at(35)));
    }

    #[test]
    fn a_failed_probe_doubles_the_cool_down() {
        let breaker = opened();
        assert!(breaker.admits(at(20)));
        assert!(breaker.failed(at(21)));
        assert_eq!(breaker.position(at(21)), Position::Open { until: at(51) });
        assert!(!breaker.admits(at(50)));
        assert!(breaker.admits(at(51)) && !breaker.admits(at(52)));
    }

    #[test]
    fn a_probe_without_a_result_is_followed_by_another() {
        let breaker = opened();
        assert!(breaker.admits(at(20)) && !breaker.admits(at(34)));
        assert!(breaker.admits(at(35)) && !breaker.admits(at(36)));
    }
}
