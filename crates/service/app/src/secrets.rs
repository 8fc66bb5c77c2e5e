//! Keys and signing secrets: how they are made, and what is kept of a key.

use atelier_domain::Entropy;
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// What every API key begins with, so that a leaked one is recognised for what it is.
pub const KEY_PREFIX: &str = "atl_";
/// How much of a key is kept in clear, for its owner to recognise it by.
const SHOWN: usize = KEY_PREFIX.len() + 8;

/// A new API key: the prefix and the Base64 (URL alphabet) of 32 random bytes.
pub fn new_api_key(entropy: &dyn Entropy) -> String {
    let mut random = [0; 32];
    entropy.fill(&mut random);
    format!("{KEY_PREFIX}{}", URL_SAFE_NO_PAD.encode(random))
}

/// The part of a key that may be shown again.
pub fn shown_prefix(key: &str) -> String {
    key.chars().take(SHOWN).collect()
}

/// What is stored of a key. A fast hash is right here: a key has 256 bits of its own, so that guessing
/// is hopeless without any stretching.
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

/// A new link's or cookie's text: the Base64 (URL alphabet) of 32 random bytes. What is stored of it is its
/// hash, as of a key.
pub fn new_token(entropy: &dyn Entropy) -> String {
    let mut random = [0; 32];
    entropy.fill(&mut random);
    URL_SAFE_NO_PAD.encode(random)
}

/// Whether this could be one of our tokens at all.
pub fn is_token(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(is_url_safe)
}

/// What the forms of a session carry, derived from its cookie's text: nothing needs to be stored, and whoever
/// does not have the cookie cannot make it.
pub fn csrf_token(token: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes()).expect("HMAC takes keys of every length");
    mac.update(b"csrf");
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}

/// Whether two texts are the same, in a time that does not tell where they differ.
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
