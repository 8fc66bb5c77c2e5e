//! Wrong passwords are counted on this node, so that guessing is slow and nobody can lock others out.
//!
//! Guesses at one login from one network are refused beyond a limit. Guesses at many logins from one network, and
//! guesses at one login from many networks, only get slower: other people may be behind the same counter.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use atelier_domain::{Limited, RateState, Timestamp};

use crate::{Error, Result};

/// Wrong guesses in a row at one login from one network.
const PER_PAIR: Allowance = Allowance {
    guesses: 10,
    comes_back: Duration::from_mins(1),
};
/// Wrong guesses in a row from one network, at all logins. Many people may share one.
const PER_NETWORK: Allowance = Allowance {
    guesses: 30,
    comes_back: Duration::from_secs(20),
};
/// Wrong guesses in a row at one login, from all networks.
const PER_LOGIN: Allowance = Allowance {
    guesses: 60,
    comes_back: Duration::from_secs(20),
};
/// Wrong codes in a row for one login, from all networks: who tries them knows the password already.
const PER_CODE: Allowance = Allowance {
    guesses: 10,
    comes_back: Duration::from_mins(5),
};
/// Mails that one network asks for, that go to one login, and that one user sends. More are refused.
const PER_MAIL_FROM: Allowance = Allowance {
    guesses: 10,
    comes_back: Duration::from_mins(1),
};
const PER_MAIL_TO: Allowance = Allowance {
    guesses: 3,
    comes_back: Duration::from_mins(20),
};
const PER_MAIL_BY: Allowance = Allowance {
    guesses: 20,
    comes_back: Duration::from_mins(3),
};
/// How much slower each guess beyond an allowance is than the one before, and the most that a guess waits.
const SLOWER: Duration = Duration::from_millis(100);
const SLOWEST: Duration = Duration::from_secs(3);
/// Counters kept before those that have run out are removed.
const KEPT: usize = 20_000;

/// How many guesses are free, and how long it takes for one to come back.
struct Allowance {
    guesses: u32,
    comes_back: Duration,
}

/// Per counter, the moment at which all its guesses have come back (a token bucket kept as one moment, the generic
/// cell rate algorithm of ITU-T I.371).
#[derive(Debug, Default)]
pub(crate) struct Guesses(Mutex<Counters>);

#[derive(Debug, Default)]
struct Counters {
    full: HashMap<Counter, Timestamp>,
    /// The counters that were left when the others were removed.
    left: usize,
}

impl Counters {
    /// Removes what has run out whenever the number has doubled: looking at all of them for every guess would let a
    /// flood of guesses hold up everybody's.
    fn sweep(&mut self, now: Timestamp) {
        if self.full.len() >= KEPT.max(self.left * 2) {
            self.full.retain(|_, full| *full > now);
            self.left = self.full.len();
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Counter {
    Pair { login: String, network: String },
    Network(String),
    Login(String),
    Code(String),
    MailFrom(String),
    MailTo(String),
    MailBy(String),
}

impl Counter {
    const fn allowance(&self) -> Allowance {
        match self {
            Self::Pair { .. } => PER_PAIR,
            Self::Network(_) => PER_NETWORK,
            Self::Login(_) => PER_LOGIN,
            Self::Code(_) => PER_CODE,
            Self::MailFrom(_) => PER_MAIL_FROM,
            Self::MailTo(_) => PER_MAIL_TO,
            Self::MailBy(_) => PER_MAIL_BY,
        }
    }

    /// Whether what is beyond the allowance is refused, and not only slower.
    const fn refuses(&self) -> bool {
        !matches!(self, Self::Network(_) | Self::Login(_))
    }

    /// When all guesses have come back, and never later than after the slowest guess: a clock that was set back, or
    /// a flood of guesses, makes nobody wait longer. A later moment is pulled back where it is stored, because a
    /// refused guess stores nothing.
    fn full(&self, guesses: &mut HashMap<Self, Timestamp>, now: Timestamp) -> Timestamp {
        let Allowance {
            guesses: free,
            comes_back,
        } = self.allowance();
        let over = match self {
            counter if counter.refuses() => 0,
            _ => (SLOWEST.as_millis() / SLOWER.as_millis()) as u32,
        };
        let latest = now.plus(comes_back * (free + over));
        let Some(full) = guesses.get_mut(self) else {
            return Timestamp::default();
        };
        *full = (*full).min(latest);
        *full
    }
}

/// A guess that counts as wrong until [`Guesses::right`] says otherwise, so that guesses made at once do not pass the
/// limit.
#[derive(Debug)]
pub(crate) struct Guess {
    counters: Vec<Counter>,
    /// How long to wait before it is checked.
    pub(crate) slow_down: Duration,
}

impl Guesses {
    /// Takes one guess at this login from this address, or says how long to wait.
    pub(crate) fn take(&self, login: &str, address: &str, now: Timestamp) -> Result<Guess> {
        let (login, network) = (login.to_owned(), network(address));
        let counters = vec![
            Counter::Network(network.clone()),
            Counter::Login(login.clone()),
            Counter::Pair { login, network },
        ];
        self.take_from(counters, now)
    }

    /// Takes one guess at the code of this login.
    pub(crate) fn take_code(&self, login: &str, address: &str, now: Timestamp) -> Result<Guess> {
        let (login, network) = (login.to_owned(), network(address));
        let counters = vec![
            Counter::Network(network.clone()),
            Counter::Code(login.clone()),
            Counter::Pair { login, network },
        ];
        self.take_from(counters, now)
    }

    /// Counts a mail that this address asks for.
    pub(crate) fn take_mail_from(&self, address: &str, now: Timestamp) -> Result<Guess> {
        self.take_from(vec![Counter::MailFrom(network(address))], now)
    }

    /// Counts a mail to this login.
    pub(crate) fn take_mail_to(&self, login: &str, now: Timestamp) -> Result<Guess> {
        self.take_from(vec![Counter::MailTo(login.to_owned())], now)
    }

    /// Counts a mail that this user sends.
    pub(crate) fn take_mail_by(&self, login: &str, now: Timestamp) -> Result<Guess> {
        self.take_from(vec![Counter::MailBy(login.to_owned())], now)
    }

    fn take_from(&self, counters: Vec<Counter>, now: Timestamp) -> Result<Guess> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.sweep(now);
        let guesses = &mut kept.full;
        let mut slow_down = Duration::ZERO;
        for counter in &counters {
            let full = counter.full(guesses, now);
            let over = counter.allowance().over(full, now);
            if over == Duration::ZERO {
                continue;
            }
            if counter.refuses() {
                return Err(too_many(over.as_secs() + 1));
            }
            let guesses_over = over
                .as_millis()
                .div_ceil(counter.allowance().comes_back.as_millis());
            let slower = SLOWER.saturating_mul(u32::try_from(guesses_over).unwrap_or(u32::MAX));
            slow_down = slow_down.max(slower.min(SLOWEST));
        }
        for counter in &counters {
            let full = counter.full(guesses, now).max(now);
            guesses.insert(counter.clone(), full.plus(counter.allowance().comes_back));
        }
        Ok(Guess { counters, slow_down })
    }

    /// The guess was right: it is given back.
    pub(crate) fn right(&self, guess: Guess) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for counter in guess.counters {
            let comes_back = counter.allowance().comes_back;
            if let Some(full) = kept.full.get_mut(&counter) {
                *full = full.minus(comes_back);
            }
        }
    }
}

impl Allowance {
    /// How long it takes until the next guess is free.
    fn over(&self, full: Timestamp, now: Timestamp) -> Duration {
        full.since(now.plus(self.comes_back * self.guesses.saturating_sub(1)))
    }
}

/// Returns the network by which guesses are counted: the address, or for IPv6 the /64 that one site has.
pub(crate) fn network(address: &str) -> String {
    match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => address.to_owned(),
    }
}

fn too_many(seconds: u64) -> Error {
    Error::RateLimited(Limited {
        retry_after_seconds: seconds,
        state: RateState {
            per_minute: PER_PAIR.guesses,
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
    fn the_eleventh_wrong_guess_from_one_network_waits_for_a_minute_to_pass() {
        let guesses = Guesses::default();
        for _ in 0..10 {
            guesses.take("ada", "10.0.0.1", NOW).unwrap();
        }
        let Err(Error::RateLimited(limited)) = guesses.take("ada", "10.0.0.1", NOW) else {
            panic!("not limited")
        };
        assert!((60..=61).contains(&limited.retry_after_seconds), "{limited:?}");
        guesses.take("grace", "10.0.0.1", NOW).unwrap();
        let later = NOW.plus(Duration::from_secs(61));
        guesses.take("ada", "10.0.0.1", later).unwrap();
    }

    #[test]
    fn nobody_locks_a_login_out_for_other_networks() {
        let guesses = Guesses::default();
        for attacker in 0..200 {
            for _ in 0..10 {
                let address = format!("10.0.{attacker}.1");
                guesses.take("ada", &address, NOW).unwrap();
            }
        }
        let own = guesses.take("ada", "192.0.2.1", NOW).unwrap();
        assert_eq!(own.slow_down, SLOWEST, "it waits, and is let in");
    }

    #[test]
    fn guesses_at_many_logins_from_one_network_get_slower_and_only_there() {
        let guesses = Guesses::default();
        let take = |login: u32, address: &str| guesses.take(&format!("user{login}"), address, NOW).unwrap();
        for login in 0..30 {
            assert_eq!(take(login, "10.0.0.1").slow_down, Duration::ZERO);
        }
        assert_eq!(take(30, "10.0.0.1").slow_down, SLOWER);
        assert_eq!(take(31, "10.0.0.1").slow_down, SLOWER * 2);
        for login in 32..200 {
            take(login, "10.0.0.1");
        }
        assert_eq!(take(200, "10.0.0.1").slow_down, SLOWEST);
        assert_eq!(take(0, "10.0.0.2").slow_down, Duration::ZERO);
    }

    #[test]
    fn ipv6_addresses_of_one_site_count_together() {
        assert_eq!(network("2001:db8:1:2:3::4"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2:ffff::"), network("2001:db8:1:2:3::4"));
        assert_ne!(network("2001:db8:1:3::4"), network("2001:db8:1:2::4"));
        assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(network(""), "");
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out() {
        let guesses = Guesses::default();
        for _ in 0..10 {
            guesses.take("ada", "10.0.0.1", NOW).unwrap();
        }
        let earlier = NOW.minus(Duration::from_hours(24));
        let Err(Error::RateLimited(limited)) = guesses.take("ada", "10.0.0.1", earlier) else {
            panic!("not limited")
        };
        assert!(limited.retry_after_seconds <= 61, "{limited:?}");
        let minute = earlier.plus(Duration::from_secs(61));
        guesses.take("ada", "10.0.0.1", minute).unwrap();
    }

    #[test]
    fn a_flood_of_guesses_leaves_no_more_counters_than_are_needed() {
        let guesses = Guesses::default();
        let mut now = NOW;
        for number in 0..4 * KEPT {
            now = NOW.plus(Duration::from_millis(10 * number as u64));
            let address = format!("10.{}.{}.{}", number >> 16, number >> 8 & 0xff, number & 0xff);
            guesses.take(&format!("user{number}"), &address, now).unwrap();
        }
        // A minute of this flood takes 6,000 counters of pairs and fewer others.
        let kept = guesses.0.lock().unwrap();
        assert!(kept.full.len() <= 2 * KEPT, "{}", kept.full.len());
        assert!(kept.full.values().filter(|full| **full > now).count() > 6_000);
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
