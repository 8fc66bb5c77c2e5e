//! Forms carry a token that only our own pages can know: a hash of the secret cookie. The token does not have to be
//! stored, and it expires with the cookie.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// The hidden field of forms.
pub(crate) const FIELD: &str = "csrf";
/// The header that scripts send instead.
pub(crate) const HEADER: &str = "x-csrf-token";

/// The token of the forms shown to the browser that holds this secret.
pub(crate) fn token(secret: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(b"atelier form\0");
    hash.update(secret.as_bytes());
    URL_SAFE_NO_PAD.encode(hash.finalize())
}

/// Whether the token belongs to the secret, compared in constant time.
pub(crate) fn is_valid(secret: &str, given: &str) -> bool {
    let expected = token(secret);
    let differ = expected
        .bytes()
        .zip(given.bytes())
        .fold(0, |differ, (left, right)| differ | (left ^ right));
    expected.len() == given.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_matches_only_its_own_secret_and_does_not_reveal_it() {
        let token = token("secret");
        assert!(is_valid("secret", &token));
        assert!(!is_valid("other", &token));
        assert!(!is_valid("secret", ""));
        assert!(!is_valid("secret", &token[1..]));
        assert!(!token.contains("secret"));
    }
}
