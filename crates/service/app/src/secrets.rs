//! Keys and signing secrets: how they are made, and what is kept of a key.

use atelier_domain::Entropy;
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The beginning of every API key, so that leaked ones can be recognised.
pub const KEY_PREFIX: &str = "atl_";
/// How many characters of a key are kept, so that its owner can recognise it.
const SHOWN: usize = KEY_PREFIX.len() + 8;

/// A new API key: the prefix and the Base64 (URL alphabet) of 32 random bytes.
pub fn new_api_key(entropy: &dyn Entropy) -> String {
    let mut random = [0; 32];
    entropy.fill(&mut random);
    format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(random))
}

/// The beginning of every token of remote workers.
pub const WORKER_PREFIX: &str = "atw_";

/// A new token of remote workers: the prefix and the Base64 (URL alphabet) of 32 random bytes.
pub fn new_worker_token(entropy: &dyn Entropy) -> String {
    format!("{WORKER_PREFIX}{}", new_token(entropy))
}

/// The part of a key that may be shown again.
pub fn shown_prefix(key: &str) -> String {
    key.chars().take(SHOWN).collect()
}

/// Returns the stored form of a key. A fast hash is enough: a key has 256 random bits, so guessing is hopeless.
pub fn key_hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

/// Whether this could be one of our keys at all.
pub fn is_well_formed(key: &str) -> bool {
    key.strip_prefix(KEY_PREFIX).is_some_and(is_token)
}

const fn is_url_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// The text of a new link or cookie: the Base64 (URL alphabet) of 32 random bytes. As for a key, only its hash is
/// stored.
pub fn new_token(entropy: &dyn Entropy) -> String {
    let mut random = [0; 32];
    entropy.fill(&mut random);
    URL_SAFE_NO_PAD.encode(random)
}

/// Whether this could be one of our tokens at all.
pub fn is_token(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(is_url_safe)
}

/// The token in the forms of a session. It is derived from the cookie's text: nothing needs to be stored, and nobody
/// without the cookie can make it.
pub fn csrf_token(token: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes()).expect("HMAC takes keys of every length");
    mac.update(b"csrf");
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}

/// Whether two texts are the same, in constant time.
pub fn equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// A new signing secret: `whsec_` and the Base64 of 32 random bytes.
pub fn new_signing_secret(entropy: &dyn Entropy) -> String {
    let mut random = [0; 32];
    entropy.fill(&mut random);
    format!("whsec_{}", STANDARD.encode(random))
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

    #[test]
    fn a_new_key_is_well_formed_and_shows_only_its_beginning() {
        let key = new_api_key(&Sevens);
        assert!(is_well_formed(&key), "{key}");
        assert_eq!(shown_prefix(&key), "atl_BwcHBwcH");
        assert!(!is_well_formed("atl_short"));
        assert!(!is_well_formed(&key.replace("atl_", "sk_x")));
    }

    #[test]
    fn a_sessions_csrf_token_belongs_to_its_cookie_alone() {
        let token = new_token(&Sevens);
        assert!(is_token(&token) && !is_token("short") && !is_token(&token.replace('B', "+")));
        let csrf = csrf_token(&token);
        assert_ne!(csrf, token);
        assert!(equal(csrf.as_bytes(), csrf_token(&token).as_bytes()));
        assert!(!equal(
            csrf.as_bytes(),
            csrf_token(&token.replace('B', "C")).as_bytes()
        ));
        assert!(!equal(b"abc", b"abcd"));
    }

    #[test]
    fn a_signing_secret_carries_32_bytes() {
        let secret = new_signing_secret(&Sevens);
        let encoded = secret.strip_prefix("whsec_").unwrap();
        assert_eq!(STANDARD.decode(encoded).unwrap(), vec![7; 32]);
    }
}
