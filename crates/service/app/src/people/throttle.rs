//! Guesses at passwords and links are counted, per login and per address, on this node.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use atelier_domain::{Limited, RateState, Timestamp};

use crate::{Error, Result};

/// Wrong guesses in a row that one login bears; one more comes back each minute.
const PER_LOGIN: u32 = 10;
/// Wrong guesses in a row from one address, at whichever logins; as many people may share one.
const PER_ADDRESS: u32 = 30;
const COMES_BACK: Duration = Duration::from_secs(60);
/// Counters kept; the ones that have run out go first.
const KEPT: usize = 20_000;

/// Per counter, the moment at which all its guesses have come back (a token bucket kept as one moment, the
/// generic cell rate algorithm of ITU-T I.371).
#[derive(Debug, Default)]
pub(crate) struct Guesses(Mutex<HashMap<String, Timestamp>>);

/// A guess that counts as wrong until [`Guesses::right`] says otherwise, so that no number of guesses made at
/// once passes the limit.
#[derive(Debug)]
pub(crate) struct Guess([String; 2]);

impl Guesses {
    /// Takes one guess of the login's and of the address's, or says how long to wait.
    pub(crate) fn take(&self, login: &str, address: &str, now: Timestamp) -> Result<Guess> {
        let counters = [
            (format!("login {login}"), PER_LOGIN),
            (format!("address {address}"), PER_ADDRESS),
        ];
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (counter, allowed) in &counters {
            let full = guesses.get(counter).copied().unwrap_or_default();
            let room = now.plus(COMES_BACK * allowed.saturating_sub(1));
            if full > room {
                return Err(too_many(*allowed, full.since(room).as_secs() + 1));
            }
        }
        if guesses.len() >= KEPT {
            guesses.retain(|_, full| *full > now);
        }
        for (counter, _) in &counters {
            let full = guesses.entry(counter.clone()).or_default();
            *full = (*full).max(now).plus(COMES_BACK);
        }
        Ok(Guess(counters.map(|(counter, _)| counter)))
    }

    /// The guess was right: it is given back.
    pub(crate) fn right(&self, guess: Guess) {
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for counter in guess.0 {
            if let Some(full) = guesses.get_mut(&counter) {
                *full = full.minus(COMES_BACK);
            }
        }
    }
}

fn too_many(allowed: u32, seconds: u64) -> Error {
    Error::RateLimited(Limited {
        retry_after_seconds: seconds,
        state: RateState {
            per_minute: allowed,
            remaining: 0,
            reset_seconds: seconds,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_800_000_000_000_000);

    #[test]
    fn the_eleventh_wrong_guess_at_a_login_waits_for_a_minute_to_pass() {
        let guesses = Guesses::default();
        for number in 0..PER_LOGIN {
            guesses.take("ada", &format!("10.0.0.{number}"), NOW).unwrap();
        }
        let Err(Error::RateLimited(limited)) = guesses.take("ada", "10.0.0.99", NOW) else {
            panic!("not limited")
        };
        assert!((60..=61).contains(&limited.retry_after_seconds), "{limited:?}");
        guesses.take("grace", "10.0.0.99", NOW).unwrap();
        guesses
            .take("ada", "10.0.0.99", NOW.plus(Duration::from_secs(61)))
            .unwrap();
    }

    #[test]
    fn one_address_may_not_go_through_many_logins() {
        let guesses = Guesses::default();
        for number in 0..PER_ADDRESS {
            guesses.take(&format!("user{number}"), "10.0.0.1", NOW).unwrap();
        }
        assert!(guesses.take("another", "10.0.0.1", NOW).is_err());
        assert!(guesses.take("another", "10.0.0.2", NOW).is_ok());
    }

    #[test]
    fn right_guesses_cost_nothing() {
        let guesses = Guesses::default();
        for _ in 0..100 {
            let guess = guesses.take("ada", "10.0.0.1", NOW).unwrap();
            guesses.right(guess);
        }
    }
}
