//! Signatures over the raw bytes of a delivery: the service's own header, and the three of the Standard
//! Webhooks specification 1.0.0 (<https://www.standardwebhooks.com>).

use atelier_domain::{DeliveryId, SigningSecrets, Timestamp};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The headers that sign one attempt, by name. The service's own one is signed with the current secret. The Standard
/// Webhooks one has a signature by each secret that is still valid, the current one first.
pub fn headers(
    secrets: &SigningSecrets,
    id: DeliveryId,
    at: Timestamp,
    body: &[u8],
) -> [(&'static str, String); 4] {
    let (message_id, seconds) = (id.to_string(), (at.millis() / 1_000).to_string());
    [
        (
            "x-service-signature",
            format!(
                "sha256={}",
                hex::encode(hmac(secrets.current.as_bytes(), &[body]))
            ),
        ),
        (
            "webhook-signature",
            secrets
                .at(at)
                .map(|secret| standard(secret, &message_id, &seconds, body))
                .map(|signature| format!("v1,{}", STANDARD.encode(signature)))
                .collect::<Vec<_>>()
                .join(" "),
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
        let headers = headers(
            &SigningSecrets::new(SECRET.to_owned()),
            id,
            Timestamp(1_000_000),
            b"{}",
        );
        let expected = hex::encode(hmac(SECRET.as_bytes(), &[b"{}"]));
        assert_eq!(headers[0], ("x-service-signature", format!("sha256={expected}")));
        assert_eq!(headers[3].1, "1");
    }

    #[test]
    fn an_independent_verifier_accepts_the_standard_webhooks_headers() {
        let id = DeliveryId("0190c7e0-0000-7000-8000-000000000001".parse().unwrap());
        let body = br#"{"event":"generation.completed"}"#;
        let now = atelier_domain::clock::SystemClock;
        let secrets = SigningSecrets::new(SECRET.to_owned());
        let headers = headers(&secrets, id, atelier_domain::Clock::now(&now), body);
        let mut map = http::HeaderMap::new();
        for (name, value) in headers {
            map.insert(name, value.parse().unwrap());
        }
        let verifier = standardwebhooks::Webhook::new(SECRET).unwrap();
        verifier.verify(body, &map).unwrap();
        assert!(verifier.verify(b"{}", &map).is_err());
    }

    #[test]
    fn both_secrets_sign_while_they_overlap_and_the_old_one_no_longer() {
        const OLD: &str = "whsec_OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2NTQzMjEwOTg=";
        let id = DeliveryId("0190c7e0-0000-7000-8000-000000000001".parse().unwrap());
        let now = atelier_domain::Clock::now(&atelier_domain::clock::SystemClock);
        let rotated = |until| SigningSecrets {
            current: SECRET.to_owned(),
            previous: Some((OLD.to_owned(), until)),
        };
        let accepted = |secrets: &SigningSecrets, by: &str| {
            let mut map = http::HeaderMap::new();
            for (name, value) in headers(secrets, id, now, b"{}") {
                map.insert(name, value.parse().unwrap());
            }
            standardwebhooks::Webhook::new(by)
                .unwrap()
                .verify(b"{}", &map)
                .is_ok()
        };
        let overlapping = rotated(now.plus(std::time::Duration::from_secs(1)));
        assert!(accepted(&overlapping, SECRET) && accepted(&overlapping, OLD));
        let over = rotated(now);
        assert!(accepted(&over, SECRET) && !accepted(&over, OLD));
        let own = &headers(&overlapping, id, now, b"{}")[0].1;
        assert_eq!(
            own,
            &headers(&SigningSecrets::new(SECRET.to_owned()), id, now, b"{}")[0].1
        );
    }
}
