//! Passwords: what is allowed, and how they are hashed and checked. Argon2id (RFC 9106) with the parameters that
//! OWASP recommends: 19 MiB, two passes, one lane.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, Salt},
};
use atelier_domain::Entropy;
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use tokio::sync::Semaphore;

use crate::{Error, Result};

/// The shortest password, in characters.
pub const MIN_LENGTH: usize = 10;
/// The longest. Hashing takes the same time whatever the length; this limits what is read.
pub const MAX_LENGTH: usize = 200;
/// Hashes made at once: each takes 19 MiB and a core for tens of milliseconds.
const AT_ONCE: usize = 2;
/// How many requests of one network may wait for their turn.
const WAITING: usize = 16;

/// The common passwords that are long enough to be allowed otherwise, one a line, in lower case.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("common_passwords.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
});

/// The queue of passwords to hash, away from the threads that answer.
///
/// Each network has one turn at a time, so one that sends many passwords waits for itself and not others for it.
#[derive(Debug, Clone)]
pub(crate) struct Hashing {
    slots: Arc<Semaphore>,
    networks: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

impl Default for Hashing {
    fn default() -> Self {
        Self {
            slots: Arc::new(Semaphore::new(AT_ONCE)),
            networks: Arc::default(),
        }
    }
}

/// A place in the queue of one network, until dropped.
#[derive(Debug)]
pub(crate) struct Place {
    hashing: Hashing,
    network: String,
    turns: Arc<Semaphore>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut networks = self.hashing.networks();
        // The map's own and this one: nobody else waits.
        if Arc::strong_count(&self.turns) <= 2 {
            networks.remove(&self.network);
        }
    }
}

impl Hashing {
    /// Returns the text to store for a password, in PHC form.
    pub(crate) async fn hash(&self, place: &Place, password: &str, entropy: &dyn Entropy) -> Result<String> {
        let mut salt = [0; 16];
        entropy.fill(&mut salt);
        let (password, salt) = (password.to_owned(), STANDARD_NO_PAD.encode(salt));
        self.run(place, Duration::ZERO, move || {
            let salt = Salt::from_b64(&salt).map_err(failed)?;
            let hash = argon2()
                .hash_password(password.as_bytes(), salt)
                .map_err(failed)?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Whether this is the password. Without a hash to compare with, it takes the same time, so that the time does
    /// not reveal which logins exist. `slow_down` is waited in the network's turn.
    pub(crate) async fn verify(
        &self,
        place: &Place,
        slow_down: Duration,
        password: &str,
        stored: Option<String>,
    ) -> Result<bool> {
        let password = password.to_owned();
        self.run(place, slow_down, move || {
            // Users of an OpenID provider have no password.
            let Some(stored) = stored.filter(|stored| !stored.is_empty()) else {
                let salt = Salt::from_b64("AAAAAAAAAAAAAAAAAAAAAA").map_err(failed)?;
                argon2()
                    .hash_password(password.as_bytes(), salt)
                    .map_err(failed)?;
                return Ok(false);
            };
            let hash = PasswordHash::new(&stored).map_err(failed)?;
            Ok(argon2().verify_password(password.as_bytes(), &hash).is_ok())
        })
        .await
    }

    /// Waits in the network's turn.
    pub(crate) async fn wait(&self, place: &Place, slow_down: Duration) -> Result<()> {
        let closed = |error: tokio::sync::AcquireError| Error::Internal(error.to_string());
        let _turn = place.turns.acquire().await.map_err(closed)?;
        tokio::time::sleep(slow_down).await;
        Ok(())
    }

    async fn run<T: Send + 'static>(
        &self,
        place: &Place,
        slow_down: Duration,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let closed = |error: tokio::sync::AcquireError| Error::Internal(error.to_string());
        let _turn = place.turns.acquire().await.map_err(closed)?;
        tokio::time::sleep(slow_down).await;
        let _slot = self.slots.acquire().await.map_err(closed)?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| Error::Internal(format!("hashing ended early: {error}")))?
    }

    /// A place in the queue of this network, or `Unavailable` if too many wait there.
    pub(crate) fn place(&self, network: &str) -> Result<Place> {
        let mut networks = self.networks();
        let turns = networks
            .entry(network.to_owned())
            .or_insert_with(|| Arc::new(Semaphore::new(1)));
        if Arc::strong_count(turns) > WAITING {
            return Err(Error::Unavailable(
                "too many sign-ins from your network are waiting: try again shortly",
            ));
        }
        let turns = Arc::clone(turns);
        Ok(Place {
            hashing: self.clone(),
            network: network.to_owned(),
            turns,
        })
    }

    fn networks(&self) -> MutexGuard<'_, HashMap<String, Arc<Semaphore>>> {
        self.networks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses passwords that are too short, too long, common, or little more than the login.
pub(crate) fn check(password: &str, login: &str) -> Result<()> {
    let refused = |message: String| Err(Error::parameter("password", message));
    let length = password.chars().count();
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return refused(format!(
            "the password must have {MIN_LENGTH} to {MAX_LENGTH} characters (got {length})"
        ));
    }
    let lower = password.to_lowercase();
    if COMMON.contains(lower.as_str()) || is_monotonous(&lower) {
        return refused("the password is one of the most common ones: choose another".to_owned());
    }
    if lower.contains(login) && length < login.chars().count() + 6 {
        return refused("the password must not be little more than the login".to_owned());
    }
    Ok(())
}

/// Whether it consists of one or two characters only, such as `aaaaaaaaaa` and `1212121212`.
fn is_monotonous(password: &str) -> bool {
    password.chars().collect::<HashSet<_>>().len() <= 2
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(19 * 1_024, 2, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("a password cannot be hashed: {error}"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[derive(Debug)]
    struct Sevens;

    impl Entropy for Sevens {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    #[tokio::test]
    async fn a_password_is_kept_as_argon2id_and_only_itself_matches() {
        let hashing = Hashing::default();
        let place = hashing.place("a").unwrap();
        let stored = hashing.hash(&place, "correct horse", &Sevens).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        for (password, stored, is_right) in [
            ("correct horse", Some(stored.clone()), true),
            ("correct horsf", Some(stored), false),
            ("correct horse", None, false),
        ] {
            let verified = hashing.verify(&place, Duration::ZERO, password, stored).await;
            assert_eq!(verified.unwrap(), is_right);
        }
    }

    #[test]
    fn short_common_and_monotonous_passwords_and_the_login_are_refused() {
        for password in [
            "123456789",
            "1234567890",
            "Qwertyuiop",
            "PASSWORD123",
            "aaaaaaaaaaaa",
            "ababababab",
            &"xyz".repeat(67),
        ] {
            assert!(check(password, "ada").is_err(), "{password}");
        }
        assert!(check("ada@example.com1", "ada@example.com").is_err());
        assert!(check("ada and a long sentence", "ada").is_ok());
        assert!(check("tin lamp 42", "ada").is_ok());
    }

    #[tokio::test]
    async fn a_network_with_many_passwords_takes_one_slot_and_others_do_not_wait_for_it() {
        let hashing = Hashing::default();
        let done = Arc::new(AtomicUsize::new(0));
        let flood = |number: usize| {
            let (hashing, done) = (hashing.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                let work = move || {
                    std::thread::sleep(Duration::from_millis(20));
                    done.fetch_add(1, Ordering::SeqCst);
                    Ok(number)
                };
                let place = hashing.place("flood")?;
                hashing.run(&place, Duration::ZERO, work).await
            })
        };
        let flooding: Vec<_> = (0..100).map(flood).collect();
        while done.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let before = done.load(Ordering::SeqCst);
        let place = hashing.place("quiet").unwrap();
        hashing.run(&place, Duration::ZERO, || Ok(())).await.unwrap();
        drop(place);
        let waited = done.load(Ordering::SeqCst) - before;
        assert!(
            waited <= WAITING / 2,
            "{waited} hashes of the other network came first"
        );
        let mut refused = 0;
        for one in flooding {
            refused += usize::from(one.await.unwrap().is_err());
        }
        assert!((1..=100 - WAITING).contains(&refused), "{refused} were refused");
        assert!(hashing.networks().is_empty());
    }
}
