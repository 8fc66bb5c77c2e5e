//! The rate limit: a token bucket of one minute's requests, stored as one moment.
//!
//! This is the generic cell rate algorithm (ITU-T I.371, "virtual scheduling"): `tat` is the moment at
//! which the bucket is full again, so a bucket that was never used is any moment in the past.

use std::time::Duration;

use crate::Timestamp;

/// How far a stored `tat` may be ahead of what the limit can have stored before it counts as written under a
/// clock that was set back since. Writes that overtake each other are apart by less.
const OUT_OF_ORDER: Duration = Duration::from_secs(10);

/// A number of requests per minute, all of which may come at once.
///
/// Every number works. A token takes whole microseconds, rounded up, so limits of many millions refill a little
/// more slowly than they say, and no bucket refills faster than a million tokens a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    pub per_minute: u32,
}

/// The state of a bucket.
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
    /// An account's own limit, or the default if it has none.
    pub fn own_or(own: Option<u32>, default: u32) -> Self {
        Self {
            per_minute: own.unwrap_or(default),
        }
    }

    /// Microseconds per token, rounded up.
    const fn interval(self) -> i64 {
        let per_minute = if self.per_minute == 0 { 1 } else { self.per_minute } as i64;
        (60_000_000 + per_minute - 1) / per_minute
    }

    /// Microseconds in which an empty bucket fills up.
    const fn capacity(self) -> i64 {
        self.interval() * self.per_minute as i64
    }

    /// The state of the bucket at `now`, taking nothing.
    pub fn peek(self, tat: Timestamp, now: Timestamp) -> Result<RateState, Limited> {
        let state = self.state(self.corrected(tat, now), now);
        if state.remaining > 0 {
            return Ok(state);
        }
        Err(Limited {
            state,
            retry_after_seconds: state.reset_seconds.max(1),
        })
    }

    /// Takes one token: the bucket's new `tat`, and its state after that.
    pub fn take(self, tat: Timestamp, now: Timestamp) -> Result<(Timestamp, RateState), Limited> {
        self.peek(tat, now)?;
        let next = Timestamp(self.corrected(tat, now).0.saturating_add(self.interval()));
        Ok((next, self.state(next, now)))
    }

    /// The `tat` between a full bucket, which is `now`, and an empty one.
    ///
    /// A moment far beyond an empty bucket was stored before the clock was set back, or under a much higher
    /// limit. It says nothing about now, so the bucket is full: otherwise nobody would pass for as long as the
    /// clock was set back, because a refused request stores nothing.
    fn corrected(self, tat: Timestamp, now: Timestamp) -> Timestamp {
        let empty = now.plus(Duration::from_micros(self.capacity().unsigned_abs()));
        if tat > empty.plus(OUT_OF_ORDER) {
            return now;
        }
        tat.clamp(now, empty)
    }

    fn state(self, tat: Timestamp, now: Timestamp) -> RateState {
        let used = tat.0.saturating_sub(now.0).clamp(0, self.capacity());
        let free = self.capacity() - used;
        let remaining = free / self.interval();
        let to_next = if used == 0 {
            0
        } else {
            (remaining + 1) * self.interval() - free
        };
        RateState {
            per_minute: self.per_minute,
            remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
            reset_seconds: to_next.unsigned_abs().div_ceil(1_000_000),
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
    use proptest::prelude::*;

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
    fn requests_pass_at_once_after_the_clock_was_set_back() {
        let before = Timestamp(9_000_000_000_000);
        let mut tat = Timestamp(0);
        for _ in 0..20 {
            tat = LIMIT.take(tat, before).unwrap().0;
        }
        for back in [Duration::from_secs(71), Duration::from_hours(1)] {
            let now = before.minus(back);
            let (next, state) = LIMIT.take(tat, now).unwrap();
            assert_eq!(state.remaining, 19);
            assert_eq!(
                next,
                now.plus(Duration::from_secs(3)),
                "the stored moment moves back too"
            );
        }
    }

    #[test]
    fn a_write_that_comes_late_gains_no_tokens() {
        let now = Timestamp(9_000_000_000_000);
        let mut tat = Timestamp(0);
        for _ in 0..20 {
            tat = LIMIT.take(tat, now).unwrap().0;
        }
        for late in [Duration::from_millis(1), Duration::from_secs(9)] {
            LIMIT.take(tat, now.minus(late)).unwrap_err();
        }
    }

    /// Limits over the whole range, the small ones as likely as the large ones.
    fn limits() -> impl Strategy<Value = RateLimit> {
        let of_bits = |bits: u32| 1_u64 << (bits - 1)..1_u64 << bits;
        let any = (1..=32_u32).prop_flat_map(of_bits);
        prop_oneof![8 => any, 1 => Just(60_000_001), 1 => Just(u64::from(u32::MAX))].prop_map(|number| {
            RateLimit {
                per_minute: u32::try_from(number).unwrap(),
            }
        })
    }

    proptest! {
        #[test]
        fn any_limit_lets_its_burst_pass(limit in limits(), now in 0..4_000_000_000_000_000_i64) {
            let now = Timestamp(now);
            let fresh = limit.peek(Timestamp(0), now).unwrap();
            prop_assert_eq!((fresh.remaining, fresh.reset_seconds), (limit.per_minute, 0));
            let (next, state) = limit.take(Timestamp(0), now).unwrap();
            prop_assert_eq!(state.remaining, limit.per_minute - 1);
            let all_but_one = i64::from(limit.per_minute - 1) * limit.interval();
            let (last, state) = limit.take(now.plus(Duration::from_micros(all_but_one.unsigned_abs())), now).unwrap();
            prop_assert_eq!(state.remaining, 0);
            prop_assert!(next <= last);
            prop_assert!(limit.take(last, now).is_err());
        }

        #[test]
        fn any_stored_moment_gives_a_sound_answer(limit in limits(), tat in any::<i64>(), now in any::<i64>()) {
            let (tat, now) = (Timestamp(tat), Timestamp(now));
            match limit.take(tat, now) {
                Ok((next, state)) => {
                    prop_assert!(next >= now);
                    prop_assert!(state.remaining < limit.per_minute);
                }
                Err(limited) => {
                    prop_assert_eq!(limited.state.remaining, 0);
                    prop_assert!((1..=60).contains(&limited.retry_after_seconds));
                    let later = now.plus(limited.retry_after() + OUT_OF_ORDER);
                    prop_assert!(limit.take(tat, later).is_ok(), "it passes when it was told to come back");
                }
            }
        }

        #[test]
        fn no_more_pass_than_a_burst_and_what_refills(
            limit in limits(),
            steps in prop::collection::vec(0..2_000_000_i64, 1..200),
        ) {
            let (mut tat, mut now, mut passed) = (Timestamp(0), 1_000_000_000_000_i64, 0_i64);
            for step in &steps {
                now += step;
                if let Ok((next, _)) = limit.take(tat, Timestamp(now)) {
                    (tat, passed) = (next, passed + 1);
                }
            }
            let elapsed: i64 = steps.iter().sum();
            let refilled = i128::from(elapsed) * i128::from(limit.per_minute) / 60_000_000;
            prop_assert!(i128::from(passed) <= i128::from(limit.per_minute) + refilled + 1);
        }
    }
}
