//! The rate limit: a token bucket of one minute's requests, kept as one number.
//!
//! This is the generic cell rate algorithm (ITU-T I.371, "virtual scheduling"): `tat` is the moment at
//! which the bucket would be full again, so a bucket never used is any moment in the past.

use std::time::Duration;

use crate::Timestamp;

/// So many requests per minute, all of which may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    pub per_minute: u32,
}

/// Where a bucket stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateState {
    pub per_minute: u32,
    /// Requests that would be allowed right now.
    pub remaining: u32,
    /// Whole seconds until one more than `remaining` is allowed.
    pub reset_seconds: u64,
}

/// The bucket is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limited {
    pub state: RateState,
    /// Whole seconds to wait before the next request can pass; at least 1.
    pub retry_after_seconds: u64,
}

impl RateLimit {
    fn interval(self) -> i64 {
        60_000_000 / i64::from(self.per_minute.max(1))
    }

    /// Where the bucket stands at `now`, taking nothing.
    pub fn peek(self, tat: Timestamp, now: Timestamp) -> Result<RateState, Limited> {
        let state = self.state(tat, now);
        if state.remaining > 0 {
            return Ok(state);
        }
        Err(Limited {
            state,
            retry_after_seconds: state.reset_seconds.max(1),
        })
    }

    /// Takes one token: the bucket's new `tat`, and where it stands after that.
    pub fn take(self, tat: Timestamp, now: Timestamp) -> Result<(Timestamp, RateState), Limited> {
        self.peek(tat, now)?;
        let next = Timestamp(tat.max(now).0 + self.interval());
        Ok((next, self.state(next, now)))
    }

    fn state(self, tat: Timestamp, now: Timestamp) -> RateState {
        let capacity = self.interval() * i64::from(self.per_minute);
        // A clock set back must not lock anybody out for longer than a full bucket takes.
        let used = (tat.0 - now.0).clamp(0, capacity);
        let free = capacity - used;
        let remaining = free / self.interval();
        let to_next = if used == 0 {
            0
        } else {
            (remaining + 1) * self.interval() - free
        };
        RateState {
            per_minute: self.per_minute,
            remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
            reset_seconds: u64::try_from(to_next).unwrap_or(0).div_ceil(1_000_000),
        }
    }
}

impl Limited {
    pub fn retry_after(&self) -> Duration {
        Duration::from_secs(self.retry_after_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: RateLimit = RateLimit { per_minute: 20 };

    #[test]
    fn twenty_pass_at_once_and_the_next_waits_three_seconds() {
        let now = Timestamp(1_000_000_000_000);
        let mut tat = Timestamp(0);
        for left in (0..20).rev() {
            let (next, state) = LIMIT.take(tat, now).unwrap();
            assert_eq!(state.remaining, left);
            tat = next;
        }
        let limited = LIMIT.take(tat, now).unwrap_err();
        assert_eq!(limited.retry_after_seconds, 3);
        assert_eq!(limited.state.remaining, 0);
        assert!(LIMIT.take(tat, now.plus(Duration::from_secs(3))).is_ok());
        assert!(LIMIT.take(tat, now.plus(Duration::from_millis(2_999))).is_err());
    }

    #[test]
    fn a_full_bucket_says_that_nothing_resets() {
        let state = LIMIT.peek(Timestamp(0), Timestamp(5_000_000)).unwrap();
        assert_eq!((state.remaining, state.reset_seconds), (20, 0));
    }

    #[test]
    fn no_minute_passes_more_than_a_burst_and_a_minutes_tokens() {
        let (mut tat, mut passed) = (Timestamp(0), 0);
        for millis in 0..60_000 {
            if let Ok((next, _)) = LIMIT.take(tat, Timestamp(1_000_000_000 + millis * 1_000)) {
                tat = next;
                passed += 1;
            }
        }
        assert_eq!(passed, 39);
    }

    #[test]
    fn a_clock_set_back_locks_out_for_a_minute_at_most() {
        let limited = LIMIT
            .take(Timestamp(9_000_000_000_000), Timestamp(1_000_000))
            .unwrap_err();
        assert!(limited.retry_after_seconds <= 3);
    }
}
