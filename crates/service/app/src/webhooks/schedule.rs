//! The schedule of retries: an attempt leads to success, the end, or another attempt at a certain time.

use std::time::Duration;

use atelier_domain::{Entropy, Timestamp};
use atelier_store::NextAttempt;

/// `Retry-After` of a receiver is honoured up to this.
const LONGEST_RETRY_AFTER: Duration = Duration::from_mins(10);

/// The outcome of an attempt, as far as the schedule cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// No answer: a network error or a timeout.
    Nothing,
    /// An answer with this status, and the seconds of its `Retry-After`.
    Answer { status: u16, retry_after: Option<u64> },
    /// The target may not be called at all.
    Refused,
}

/// Delays after the first, second, … attempt. The last attempt is the one after the last delay.
#[derive(Debug, Clone)]
pub struct Schedule {
    delays: Vec<Duration>,
}

impl Schedule {
    pub fn new(seconds: &[f64]) -> Self {
        Self {
            delays: seconds
                .iter()
                .map(|&delay| Duration::from_secs_f64(delay.max(0.0)))
                .collect(),
        }
    }

    /// Returns the outcome of the attempt number `attempt` (the first is 1) that ended at `now`.
    pub fn next(&self, attempt: u32, met: Met, now: Timestamp, entropy: &dyn Entropy) -> NextAttempt {
        let retry_after = match met {
            Met::Answer {
                status: 200..=299, ..
            } => return NextAttempt::Delivered,
            Met::Answer {
                status: 429,
                retry_after,
            } => retry_after.map(Duration::from_secs),
            Met::Answer {
                status: 500..=599, ..
            }
            | Met::Nothing => None,
            Met::Answer { .. } | Met::Refused => return NextAttempt::GivenUp,
        };
        let Some(&delay) = self.delays.get(attempt.saturating_sub(1) as usize) else {
            return NextAttempt::GivenUp;
        };
        let jittered = delay.mul_f64(0.8 + 0.4 * fraction(entropy));
        let asked = retry_after.unwrap_or_default().min(LONGEST_RETRY_AFTER);
        NextAttempt::At(now.plus(jittered.max(asked)))
    }
}

/// A number from 0 to 1.
fn fraction(entropy: &dyn Entropy) -> f64 {
    let mut random = [0; 2];
    entropy.fill(&mut random);
    f64::from(u16::from_le_bytes(random)) / f64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Constant(u8);

    impl Entropy for Constant {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    fn next(attempt: u32, met: Met, random: u8) -> NextAttempt {
        Schedule::new(&[5.0, 30.0, 180.0]).next(attempt, met, Timestamp(0), &Constant(random))
    }

    const fn answer(status: u16) -> Met {
        Met::Answer {
            status,
            retry_after: None,
        }
    }

    #[test]
    fn a_2xx_answer_delivers() {
        assert_eq!(next(1, answer(200), 0), NextAttempt::Delivered);
        assert_eq!(next(4, answer(204), 0), NextAttempt::Delivered);
    }

    #[test]
    fn network_errors_5xx_and_429_are_tried_again_three_times_with_20_percent_of_jitter() {
        for met in [Met::Nothing, answer(500), answer(503), answer(429)] {
            assert_eq!(next(1, met, 0), NextAttempt::At(Timestamp(4_000_000)));
            assert_eq!(next(1, met, 255), NextAttempt::At(Timestamp(6_000_000)));
            assert_eq!(next(2, met, 0), NextAttempt::At(Timestamp(24_000_000)));
            assert_eq!(next(3, met, 255), NextAttempt::At(Timestamp(216_000_000)));
            assert_eq!(next(4, met, 0), NextAttempt::GivenUp);
        }
    }

    #[test]
    fn other_answers_redirects_included_end_the_delivery() {
        for status in [301, 302, 307, 400, 401, 404, 410, 413] {
            assert_eq!(next(1, answer(status), 0), NextAttempt::GivenUp, "{status}");
        }
        assert_eq!(next(1, Met::Refused, 0), NextAttempt::GivenUp);
    }

    #[test]
    fn retry_after_on_a_429_is_honoured_up_to_ten_minutes() {
        let asked = |seconds| {
            next(
                1,
                Met::Answer {
                    status: 429,
                    retry_after: Some(seconds),
                },
                0,
            )
        };
        assert_eq!(asked(60), NextAttempt::At(Timestamp(60_000_000)));
        assert_eq!(asked(1), NextAttempt::At(Timestamp(4_000_000)));
        assert_eq!(asked(86_400), NextAttempt::At(Timestamp(600_000_000)));
        let on_503 = next(
            1,
            Met::Answer {
                status: 503,
                retry_after: Some(60),
            },
            0,
        );
        assert_eq!(on_503, NextAttempt::At(Timestamp(4_000_000)));
    }
}
