//! Passwords: what one must be, how it is kept, how a guess is checked. Argon2id (RFC 9106) with the
//! parameters that OWASP recommends: 19 MiB, two passes, one lane.

use std::sync::Arc;

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
/// The longest. Hashing takes the same time whatever the length; this bounds what is read.
pub const MAX_LENGTH: usize = 200;
/// Hashes made at once: each takes 19 MiB and a core for tens of milliseconds.
const AT_ONCE: usize = 2;

/// Where passwords are hashed, away from the threads that answer.
#[derive(Debug, Clone)]
pub(crate) struct Hashing(Arc<Semaphore>);

impl Default for Hashing {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Hashing {
    /// What is stored of a password, in PHC form.
    pub(crate) async fn hash(&self, password: &str, entropy: &dyn Entropy) -> Result<String> {
        let mut salt = [0; 16];
        entropy.fill(&mut salt);
        let (password, salt) = (password.to_owned(), STANDARD_NO_PAD.encode(salt));
        self.run(move || {
            let salt = Salt::from_b64(&salt).map_err(failed)?;
            let hash = argon2()
                .hash_password(password.as_bytes(), salt)
                .map_err(failed)?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Whether this is the password. Without a hash to compare with, the same time is taken for nothing, so
    /// that the time tells nobody which logins there are.
    pub(crate) async fn verify(&self, password: &str, stored: Option<String>) -> Result<bool> {
        let password = password.to_owned();
        self.run(move || {
            let Some(stored) = stored else {
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

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
        let _turn = self
            .0
            .acquire()
            .await
            .map_err(|error| Error::Internal(error.to_string()))?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| Error::Internal(format!("hashing ended early: {error}")))?
    }
}

/// Refuses what is too short or too long, or is the login itself.
pub(crate) fn check(password: &str, login: &str) -> Result<()> {
    let length = password.chars().count();
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(Error::parameter(
            "password",
            format!("the password must have {MIN_LENGTH} to {MAX_LENGTH} characters, not {length}"),
        ));
    }
    if password.to_lowercase().contains(login) && length < login.chars().count() + 6 {
        return Err(Error::parameter(
            "password",
            "the password must not be little more than the login".to_owned(),
        ));
    }
    Ok(())
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
        let stored = hashing.hash("correct horse", &Sevens).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(
            hashing
                .verify("correct horse", Some(stored.clone()))
                .await
                .unwrap()
        );
        assert!(!hashing.verify("correct horsf", Some(stored)).await.unwrap());
        assert!(!hashing.verify("correct horse", None).await.unwrap());
    }

    #[test]
    fn short_passwords_and_the_login_are_refused() {
        assert!(check("123456789", "ada").is_err());
        assert!(check("1234567890", "ada").is_ok());
        assert!(check(&"x".repeat(201), "ada").is_err());
        assert!(check("ada@example.com1", "ada@example.com").is_err());
        assert!(check("ada and a long sentence", "ada").is_ok());
    }
}
