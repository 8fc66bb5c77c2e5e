//! Signed tokens (RFC 7515, RFC 7519): signature, issuer, audience and times. ID tokens are for sign-ins (OpenID
//! Connect Core 1.0, section 3.1.3.7), access tokens for calls (RFC 9068).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::signature::{self, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The largest difference between the clocks of the provider and of this machine, in seconds.
const LEEWAY: i64 = 60;

/// The reason why a token is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Flaw {
    #[error("the token is malformed")]
    Malformed,
    #[error("the token is signed with `{0}`; only RS256 and ES256 are accepted")]
    Algorithm(String),
    #[error("the token is signed with a key that the provider does not publish")]
    UnknownKey,
    #[error("the signature of the token is wrong")]
    Signature,
    #[error("the token is from another issuer")]
    Issuer,
    #[error("the token is for another client")]
    Audience,
    #[error("the token is for another resource; its `aud` must be {0}")]
    Resource(String),
    #[error("the token is not an access token but `{0}`")]
    Type(String),
    #[error("the token is bound to a key of its client, which is not supported")]
    Bound,
    #[error("the token has expired")]
    Expired,
    #[error("the token is not valid yet")]
    NotYet,
    #[error("the token does not belong to this sign-in")]
    Nonce,
}

/// The requirements on a token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) purpose: Purpose<'a>,
    /// Seconds since 1970.
    pub(super) now: i64,
}

/// The purpose of a token.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose<'a> {
    /// An ID token for this client, with the nonce of the sign-in.
    SignIn { client_id: &'a str, nonce: &'a str },
    /// An access token for this audience.
    Access { audience: &'a str },
}

/// A published key (RFC 7517).
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Key {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
}

/// The types that access tokens have in their headers. Providers that do not follow RFC 9068 write `JWT`, or nothing.
const ACCESS_TYPES: [&str; 3] = ["at+jwt", "application/at+jwt", "jwt"];

/// The claims of a valid token.
pub(super) fn verify(token: &str, keys: &[Key], expected: Expected<'_>) -> Result<Map<String, Value>, Flaw> {
    let (signed, signature) = token.rsplit_once('.').ok_or(Flaw::Malformed)?;
    let (header, payload) = signed.split_once('.').ok_or(Flaw::Malformed)?;
    let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| Flaw::Malformed)?;
    let family = match header.alg.as_str() {
        "RS256" => "RSA",
        "ES256" => "EC",
        _ => return Err(Flaw::Algorithm(header.alg.chars().take(20).collect())),
    };
    if let (Purpose::Access { .. }, Some(typ)) = (expected.purpose, &header.typ)
        && !ACCESS_TYPES.iter().any(|known| typ.eq_ignore_ascii_case(known))
    {
        return Err(Flaw::Type(typ.chars().take(40).collect()));
    }
    let signature = decoded(signature)?;
    let mut candidates = keys.iter().filter(|key| key.fits(family, &header)).peekable();
    if candidates.peek().is_none() {
        return Err(Flaw::UnknownKey);
    }
    if !candidates.any(|key| key.has_signed(signed.as_bytes(), &signature)) {
        return Err(Flaw::Signature);
    }
    let claims: Map<String, Value> =
        serde_json::from_slice(&decoded(payload)?).map_err(|_| Flaw::Malformed)?;
    check(&claims, expected)?;
    Ok(claims)
}

fn check(claims: &Map<String, Value>, expected: Expected<'_>) -> Result<(), Flaw> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("iss") != Some(expected.issuer) {
        return Err(Flaw::Issuer);
    }
    let audience: Vec<&str> = match claims.get("aud") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    match expected.purpose {
        Purpose::SignIn { client_id, .. } => {
            let party = text("azp");
            let is_ours = audience.contains(&client_id)
                && party.is_none_or(|party| party == client_id)
                && (audience.len() == 1 || party.is_some());
            if !is_ours {
                return Err(Flaw::Audience);
            }
        }
        Purpose::Access { audience: ours } if !audience.contains(&ours) => {
            return Err(Flaw::Resource(ours.to_owned()));
        }
        Purpose::Access { .. } if claims.contains_key("cnf") => return Err(Flaw::Bound),
        Purpose::Access { .. } => {}
    }
    let seconds = |name: &str| claims.get(name).and_then(Value::as_f64);
    let now = expected.now as f64;
    if seconds("exp").is_none_or(|end| end + LEEWAY as f64 <= now) {
        return Err(Flaw::Expired);
    }
    if ["iat", "nbf"]
        .into_iter()
        .filter_map(seconds)
        .any(|begin| begin - LEEWAY as f64 > now)
    {
        return Err(Flaw::NotYet);
    }
    if let Purpose::SignIn { nonce, .. } = expected.purpose
        && text("nonce") != Some(nonce)
    {
        return Err(Flaw::Nonce);
    }
    match text("sub") {
        Some(subject) if (1..=255).contains(&subject.len()) => Ok(()),
        _ => Err(Flaw::Malformed),
    }
}

impl Key {
    fn fits(&self, family: &str, header: &Header) -> bool {
        self.kty == family
            && self.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
            && self.alg.as_deref().is_none_or(|alg| alg == header.alg)
            && (header.kid.is_none() || self.kid == header.kid)
    }

    fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let number = |text: &Option<String>| text.as_deref().and_then(|text| decoded(text).ok());
        if self.kty == "RSA" {
            let (Some(n), Some(e)) = (number(&self.n), number(&self.e)) else {
                return false;
            };
            let key = RsaPublicKeyComponents { n, e };
            return key
                .verify(&signature::RSA_PKCS1_2048_8192_SHA256, message, signature)
                .is_ok();
        }
        let (Some(x), Some(y)) = (number(&self.x), number(&self.y)) else {
            return false;
        };
        if self.crv.as_deref() != Some("P-256") || x.len() != 32 || y.len() != 32 {
            return false;
        }
        let point = [&[4], x.as_slice(), y.as_slice()].concat();
        UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, point)
            .verify(message, signature)
            .is_ok()
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, Flaw> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| Flaw::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with another program and a key that exists no more.
    const HEADER: &str = "eyJhbGciOiAiUlMyNTYiLCAia2lkIjogInIxIn0";
    const CLAIMS: &str = "\
     eyJpc3MiOiAiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZSIsICJhdWQiOiAiYXRlbGllciIsICJzdWIiOiAiMSIsICJleHAiOiAxODAw\
     MDAwNjAwLCAiaWF0IjogMTgwMDAwMDAwMCwgIm5vbmNlIjogIm4ifQ";
    const SIGNATURE: &str = "\
     cIpTVY_AXgZWVm_5n0dnkg_8szwIrv9__Vn97BO8fhlfChG4ekr9Sy_PxuKRvwM7uznWxFLW7ApD8kPhM26XIoTMRCcTGaCeLtJH\
     flPWY8aqO0_CKUNyZfKwYFCEkyYtjJ8wMuofpNmdMLUvCRrGt37w_IFAH4Om1gcg61mcxdh4_aOxCw3hfqT_Bk9KgSx209tUVlbo\
     9HAe_41gHtqL_slyE1j7TPOBhGKTvX1OclLZpmXlHczZKYAy6qHvnMAheeJI_1g-5b0ozkuT85xApMipLKlHBsV0Vjy_VxbmXBup\
     XrmIdAEuVo33OtixSAqXWryH2lq-aNtqFACX4Np9xg";
    const MODULUS: &str = "\
     hN_vkLMAJoxpGjjNnA6zD9rH31urzZyEYowzbcKogAoTmNen0nFRtj9kd8kk718mmJBswMGB1iYiCB4Wg-vX8-P3wf8Xib2_QbOf\
     8XZy96G6i3IwAwyvJBattaNPwK0l_d5tCo9R1cXRHkAktiUxkDJNbM3IX8tLySrMLObmSxBiYwf3tQ9vQILdcLyAnmxyLZiMI-y9\
     J_iMj4XlU372K2XNDmq3cCPngic4g-SNneP6deljaJ1w0Bryz1wEkF-45b5sjY8-ZExQRCZg8aUiCFbvoAznAC_vdHNFA0-osQKm\
     LXW320Jh8ovSFgKV8gXauMlYfuf4drRe_sdxMtWwrw";

    const EXPECTED: Expected<'_> = Expected {
        issuer: "https://issuer.example",
        purpose: Purpose::SignIn {
            client_id: "atelier",
            nonce: "n",
        },
        now: 1_800_000_300,
    };

    const fn access(audience: &str) -> Expected<'_> {
        Expected {
            purpose: Purpose::Access { audience },
            ..EXPECTED
        }
    }

    fn keys(kid: &str, alg: &str) -> Vec<Key> {
        let key = serde_json::json!({ "kty": "RSA", "kid": kid, "alg": alg, "n": MODULUS, "e": "AQAB" });
        vec![serde_json::from_value(key).unwrap()]
    }

    fn token() -> String {
        format!("{HEADER}.{CLAIMS}.{SIGNATURE}")
    }

    #[test]
    fn a_token_with_rs256_is_believed_only_if_everything_fits() {
        let verified = |expected| verify(&token(), &keys("r1", "RS256"), expected);
        assert_eq!(verified(EXPECTED).unwrap()["sub"], "1");
        let flaw = |expected| verified(expected).unwrap_err();
        assert_eq!(
            flaw(Expected {
                issuer: "https://issuer.example/",
                ..EXPECTED
            }),
            Flaw::Issuer
        );
        assert_eq!(
            flaw(Expected {
                purpose: Purpose::SignIn {
                    client_id: "other",
                    nonce: "n"
                },
                ..EXPECTED
            }),
            Flaw::Audience
        );
        assert_eq!(
            flaw(Expected {
                purpose: Purpose::SignIn {
                    client_id: "atelier",
                    nonce: ""
                },
                ..EXPECTED
            }),
            Flaw::Nonce
        );
        assert_eq!(
            flaw(Expected {
                now: 1_800_000_660,
                ..EXPECTED
            }),
            Flaw::Expired
        );
        assert_eq!(
            flaw(Expected {
                now: 1_799_999_900,
                ..EXPECTED
            }),
            Flaw::NotYet
        );
    }

    #[test]
    fn a_key_serves_only_its_own_algorithm_and_name() {
        let flaw = |keys: &[Key]| verify(&token(), keys, EXPECTED).unwrap_err();
        assert_eq!(flaw(&keys("r2", "RS256")), Flaw::UnknownKey);
        assert_eq!(flaw(&keys("r1", "RS512")), Flaw::UnknownKey);
        assert_eq!(flaw(&[]), Flaw::UnknownKey);
        let shorter = format!("{HEADER}.{CLAIMS}.AAAA");
        assert_eq!(
            verify(&shorter, &keys("r1", "RS256"), EXPECTED),
            Err(Flaw::Signature)
        );
        for malformed in ["", "a.b", "a.b.c", "..", &format!("{HEADER}.{CLAIMS}")] {
            let flaw = verify(malformed, &keys("r1", "RS256"), EXPECTED);
            assert_eq!(flaw, Err(Flaw::Malformed), "{malformed}");
        }
        // HS256 with the public key as the secret is an old trick.
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","kid":"r1"}"#);
        let flaw = verify(&format!("{header}.{CLAIMS}.AAAA"), &keys("r1", "RS256"), EXPECTED);
        assert_eq!(flaw, Err(Flaw::Algorithm("HS256".to_owned())));
    }

    #[test]
    fn several_audiences_need_the_party_that_was_authorized() {
        let claims = |more: serde_json::Value| {
            let mut claims = serde_json::json!({
                "iss": EXPECTED.issuer, "sub": "1", "nonce": "n", "exp": 1_800_000_600,
            });
            for (name, value) in more.as_object().unwrap() {
                claims[name] = value.clone();
            }
            check(claims.as_object().unwrap(), EXPECTED)
        };
        let json = |text: &str| serde_json::from_str(text).unwrap();
        assert_eq!(claims(json(r#"{"aud":["atelier"]}"#)), Ok(()));
        assert_eq!(claims(json(r#"{"aud":["atelier","x"]}"#)), Err(Flaw::Audience));
        assert_eq!(claims(json(r#"{"aud":["atelier","x"],"azp":"atelier"}"#)), Ok(()));
        assert_eq!(
            claims(json(r#"{"aud":"atelier","azp":"x"}"#)),
            Err(Flaw::Audience)
        );
        assert_eq!(claims(json(r#"{"aud":[]}"#)), Err(Flaw::Audience));
        assert_eq!(
            claims(json(r#"{"aud":"atelier","sub":""}"#)),
            Err(Flaw::Malformed)
        );
    }

    #[test]
    fn an_access_token_needs_its_audience_and_no_nonce() {
        let keys = keys("r1", "RS256");
        assert_eq!(verify(&token(), &keys, access("atelier")).unwrap()["sub"], "1");
        let other = verify(&token(), &keys, access("https://media.example/mcp"));
        assert_eq!(other, Err(Flaw::Resource("https://media.example/mcp".to_owned())));
        let claims = |more: &str| {
            let text = format!(r#"{{"iss":"https://issuer.example","sub":"1","exp":1800000600,{more}}}"#);
            check(&serde_json::from_str(&text).unwrap(), access("api"))
        };
        assert_eq!(claims(r#""aud":"api""#), Ok(()));
        assert_eq!(claims(r#""aud":["account","api"],"azp":"assistant""#), Ok(()));
        assert_eq!(claims(r#""aud":"api","nbf":1800000361"#), Err(Flaw::NotYet));
        assert_eq!(claims(r#""aud":"api","cnf":{"jkt":"x"}"#), Err(Flaw::Bound));
    }

    #[test]
    fn a_signed_text_of_another_type_is_not_an_access_token() {
        let refused = |typ: &str| {
            let header = URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"RS256","kid":"r1","typ":"{typ}"}}"#));
            let token = format!("{header}.{CLAIMS}.{SIGNATURE}");
            verify(&token, &keys("r1", "RS256"), access("atelier")).unwrap_err()
        };
        assert_eq!(refused("logout+jwt"), Flaw::Type("logout+jwt".to_owned()));
        for known in ["at+jwt", "JWT"] {
            assert_eq!(
                refused(known),
                Flaw::Signature,
                "only the changed header is wrong"
            );
        }
    }
}
