//! Signatures over the raw bytes of a delivery: the service's own header, and the three of the Standard
//! Webhooks specification 1.0.0 (<https://www.standardwebhooks.com>).

use atelier_domain::{DeliveryId, Timestamp};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The headers that sign one attempt, by name.
pub fn headers(secret: &str, id: DeliveryId, at: Timestamp, body: &[u8]) -> [(&'static str, String); 4] {
    let (message_id, seconds) = (id.to_string(), (at.millis() / 1_000).to_string());
    [
        (
            "x-service-signature",
            format!("sha256={}", hex::encode(hmac(secret.as_bytes(), &[body]))),
        ),
        (
            "webhook-signature",
            format!(
                "v1,{}",
                STANDARD.encode(standard(secret, &message_id, &seconds, body))
            ),
        ),
        ("webhook-id", message_id),
        ("webhook-timestamp", seconds),
    ]
}

fn standard(secret: &str, id: &str, seconds: &str, body: &[u8]) -> [u8; 32] {
    let text = secret.strip_prefix("whsec_").unwrap_or(secret);
    // Secrets are made by this service and always decode; one put into the database by hand signs as text.
    let key = STANDARD.decode(text).unwrap_or_else(|_| text.as_bytes().to_vec());
    hmac(&key, &[id.as_bytes(), b".", seconds.as_bytes(), b".", body])
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    #[test]
    fn the_services_own_signature_is_keyed_with_the_whole_secret_text() {
        let id = DeliveryId("0190c7e0-0000-7000-8000-000000000001".parse().unwrap());
        let headers = headers(SECRET, id, Timestamp(1_000_000), b"{}");
        let expected = hex::encode(hmac(SECRET.as_bytes(), &[b"{}"]));
        assert_eq!(headers[0], ("x-service-signature", format!("sha256={expected}")));
        assert_eq!(headers[3].1, "1");
    }

    #[test]
    fn an_independent_verifier_accepts_the_standard_webhooks_headers() {
        let id = DeliveryId("0190c7e0-0000-7000-8000-000000000001".parse().unwrap());
        let body = br#"{"event":"generation.completed"}"#;
        let now = atelier_domain::clock::SystemClock;
        let headers = headers(SECRET, id, atelier_domain::Clock::now(&now), body);
        let mut map = http::HeaderMap::new();
        for (name, value) in headers {
            map.insert(name, value.parse().unwrap());
        }
        let verifier = standardwebhooks::Webhook::new(SECRET).unwrap();
        verifier.verify(body, &map).unwrap();
        assert!(verifier.verify(b"{}", &map).is_err());
    }
}
