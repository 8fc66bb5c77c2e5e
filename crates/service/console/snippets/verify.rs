use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Whether the service sent this body within five minutes of `now`, in seconds since 1970.
/// The texts are the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
pub fn verify(secret: &str, id: &str, sent: &str, signatures: &str, body: &[u8], now: u64) -> bool {
    let Ok(seconds) = sent.parse::<u64>() else {
        return false;
    };
    let Ok(key) = STANDARD.decode(secret.trim_start_matches("whsec_")) else {
        return false;
    };
    if now.abs_diff(seconds) > 300 {
        return false;
    }
    signatures.split(' ').any(|signature| {
        let encoded = signature.strip_prefix("v1,").unwrap_or_default();
        let Ok(given) = STANDARD.decode(encoded) else {
            return false;
        };
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else {
            return false;
        };
        mac.update(format!("{id}.{sent}.").as_bytes());
        mac.update(body);
        mac.verify_slice(&given).is_ok()
    })
}
