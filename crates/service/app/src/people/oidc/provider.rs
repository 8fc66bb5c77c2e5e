//! Requests to the provider: its addresses, its keys, and the exchange of a code for a token.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use atelier_domain::Timestamp;
use atelier_outbound::{ExchangeError, Guard, Outbound, Timeouts, exchange};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

use super::{
    Discovery, OidcSettings, Visit,
    token::{self, Expected, Flaw, Key, Purpose},
};
use crate::{Error, Result};

/// How long the provider's addresses and keys are cached.
const FRESH: Duration = Duration::from_hours(1);
/// The shortest time between two requests for keys because of tokens with unknown ones.
const AGAIN: Duration = Duration::from_secs(10);
/// How long a state is remembered after its use.
const USED: Duration = Duration::from_hours(1);
/// The longest answer.
const MAX_BYTES: usize = 1 << 20;

const UNREACHABLE: Error =
    Error::Unavailable("the sign-in provider cannot be reached: try again shortly, or use a password");

/// The provider, with its cached addresses and keys.
#[derive(Debug)]
pub(crate) struct Provider {
    pub(super) settings: OidcSettings,
    http: Option<Outbound>,
    known: tokio::sync::Mutex<Option<Known>>,
    used: Mutex<HashMap<String, Timestamp>>,
}

#[derive(Debug, Clone)]
struct Known {
    discovery: Discovery,
    keys: Vec<Key>,
    at: Timestamp,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: Option<String>,
    access_token: Option<String>,
}

impl Provider {
    pub(crate) fn new(settings: OidcSettings) -> Self {
        // The operator configured it, so it may be in a private network.
        let guard = Guard { allow_private: true };
        let http = Outbound::new(guard, Timeouts::default());
        Self {
            settings,
            http: http
                .inspect_err(|error| tracing::error!(%error, "the sign-in provider cannot be used"))
                .ok(),
            known: tokio::sync::Mutex::default(),
            used: Mutex::default(),
        }
    }

    /// Returns the address at which the browser signs in.
    pub(super) async fn departure(&self, visit: &Visit, redirect: &str, now: Timestamp) -> Result<Url> {
        let known = self.known(now, FRESH).await?;
        let challenge = super::sign_in::challenge(&visit.verifier);
        let mut url = known.discovery.authorization_endpoint;
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", redirect),
            ("scope", &self.settings.scopes.join(" ")),
            ("state", &visit.state),
            ("nonce", &visit.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        Ok(url)
    }

    /// Whether this state was not used on this node before.
    pub(super) fn use_state(&self, state: &str, now: Timestamp) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, at| now.since(*at) < USED);
        used.insert(state.to_owned(), now).is_none()
    }

    /// The claims that the provider signs for a code.
    pub(super) async fn claims(
        &self,
        visit: &Visit,
        code: &str,
        redirect: &str,
        now: Timestamp,
    ) -> Result<Map<String, Value>> {
        let known = self.known(now, FRESH).await?;
        let (token, access) = self.exchange(&known.discovery, visit, code, redirect).await?;
        let purpose = Purpose::SignIn {
            client_id: &self.settings.client_id,
            nonce: &visit.nonce,
        };
        let mut claims = self.verified(&token, purpose, now).await?.map_err(|flaw| {
            tracing::warn!(%flaw, "an ID token was refused");
            Error::invalid(format!("the sign-in was refused: {flaw}"))
        })?;
        let OidcSettings {
            login_claim,
            groups_claim,
            groups,
            ..
        } = &self.settings;
        let lacks =
            !claims.contains_key(login_claim) || !groups.is_empty() && !claims.contains_key(groups_claim);
        if let (true, Some(place), Some(access)) = (lacks, &known.discovery.userinfo_endpoint, access) {
            self.add_what_the_token_lacks(&mut claims, place, &access).await?;
        }
        Ok(claims)
    }

    /// The subject of an access token for this audience.
    pub(super) async fn subject(&self, token: &str, audience: &str, now: Timestamp) -> Result<String> {
        let purpose = Purpose::Access { audience };
        let claims = self
            .verified(token, purpose, now)
            .await?
            .map_err(|flaw| Error::InvalidToken(flaw.to_string()))?;
        let subject = claims.get("sub").and_then(Value::as_str);
        Ok(subject.unwrap_or_default().to_owned())
    }

    async fn verified(
        &self,
        token: &str,
        purpose: Purpose<'_>,
        now: Timestamp,
    ) -> Result<Result<Map<String, Value>, Flaw>> {
        let expected = Expected {
            issuer: &self.settings.issuer,
            purpose,
            now: now.0 / 1_000_000,
        };
        let known = self.known(now, FRESH).await?;
        Ok(match token::verify(token, &known.keys, expected) {
            // The provider may have changed its keys.
            Err(Flaw::UnknownKey) => {
                let known = self.known(now, AGAIN).await?;
                token::verify(token, &known.keys, expected)
            }
            verified => verified,
        })
    }

    /// Adds claims from the provider's userinfo endpoint (OpenID Connect Core 1.0, section 5.3).
    async fn add_what_the_token_lacks(
        &self,
        claims: &mut Map<String, Value>,
        place: &Url,
        access: &str,
    ) -> Result<()> {
        let http = self.http.as_ref().ok_or(UNREACHABLE)?;
        let request = http.get(place).map_err(|error| refused(&error))?;
        let request = request
            .header("accept", "application/json")
            .header("authorization", format!("Bearer {access}"));
        let (status, bytes) = exchange(request, MAX_BYTES).await.map_err(|error| lost(&error))?;
        if status != 200 {
            // Without the groups, the user would lose accounts.
            tracing::warn!(status, "the userinfo endpoint of the provider gave no claims");
            return Err(UNREACHABLE);
        }
        let more: Map<String, Value> = parsed(&bytes)?;
        // The answer must be about the same person.
        if more.get("sub") != claims.get("sub") {
            return Err(Error::invalid(
                "the sign-in was refused: the provider's answers are about two different people",
            ));
        }
        for (name, value) in more {
            claims.entry(name).or_insert(value);
        }
        Ok(())
    }

    async fn exchange(
        &self,
        discovery: &Discovery,
        visit: &Visit,
        code: &str,
        redirect: &str,
    ) -> Result<(String, Option<String>)> {
        let OidcSettings {
            client_id,
            client_secret,
            ..
        } = &self.settings;
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect),
            ("code_verifier", &visit.verifier),
        ];
        let methods = &discovery.token_endpoint_auth_methods_supported;
        let offers = |method: &str| methods.iter().any(|offered| offered == method);
        let mut basic = None;
        match client_secret {
            Some(secret) if offers("client_secret_post") && !offers("client_secret_basic") => {
                fields.extend([("client_id", client_id.as_str()), ("client_secret", secret)]);
            }
            Some(secret) => {
                let encoded =
                    |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
                let pair = format!("{}:{}", encoded(client_id), encoded(secret));
                basic = Some(format!("Basic {}", STANDARD.encode(pair)));
            }
            None => fields.push(("client_id", client_id)),
        }
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let http = self.http.as_ref().ok_or(UNREACHABLE)?;
        let request = http
            .post(&discovery.token_endpoint)
            .map_err(|error| refused(&error))?;
        let mut request = request
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .body(body);
        if let Some(basic) = basic {
            request = request.header("authorization", basic);
        }
        let (status, bytes) = exchange(request, MAX_BYTES).await.map_err(|error| lost(&error))?;
        if !(200..300).contains(&status) {
            let said = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned();
            tracing::warn!(status, said, "the provider refused a code");
            return Err(Error::invalid(
                "the sign-in was refused: the provider does not accept the code; start again",
            ));
        }
        let tokens: Tokens = parsed(&bytes)?;
        let token = tokens.id_token.ok_or_else(|| {
            Error::invalid(
                "the sign-in was refused: the provider sent no ID token; is the scope `openid` set?",
            )
        })?;
        Ok((token, tokens.access_token))
    }

    /// The provider's addresses and keys, not older than `age`.
    async fn known(&self, now: Timestamp, age: Duration) -> Result<Known> {
        let mut known = self.known.lock().await;
        if let Some(known) = known.as_ref().filter(|known| now.since(known.at) < age) {
            return Ok(known.clone());
        }
        let issuer = &self.settings.issuer;
        let place = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let place = Url::parse(&place).map_err(|error| Error::Internal(error.to_string()))?;
        let discovery: Discovery = self.get(&place).await?;
        if discovery.issuer != *issuer {
            tracing::error!(
                configured = issuer,
                found = discovery.issuer,
                "the provider has another issuer"
            );
            return Err(Error::invalid(
                "the sign-in provider names another issuer than the configured one: tell the operator",
            ));
        }
        let set: KeySet = self.get(&discovery.jwks_uri).await?;
        // Keys of other kinds may have other members.
        let keys = set
            .keys
            .into_iter()
            .filter_map(|key| serde_json::from_value(key).ok());
        let fresh = Known {
            keys: keys.collect(),
            discovery,
            at: now,
        };
        *known = Some(fresh.clone());
        Ok(fresh)
    }

    async fn get<T: DeserializeOwned>(&self, url: &Url) -> Result<T> {
        let http = self.http.as_ref().ok_or(UNREACHABLE)?;
        let request = http
            .get(url)
            .map_err(|error| refused(&error))?
            .header("accept", "application/json");
        let (status, bytes) = exchange(request, MAX_BYTES).await.map_err(|error| lost(&error))?;
        if status != 200 {
            tracing::warn!(status, %url, "the sign-in provider answered with an unexpected status");
            return Err(UNREACHABLE);
        }
        parsed(&bytes)
    }
}

fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        tracing::warn!(%error, "an answer of the sign-in provider cannot be read");
        UNREACHABLE
    })
}

fn lost(error: &ExchangeError) -> Error {
    tracing::warn!(%error, "the sign-in provider cannot be reached");
    UNREACHABLE
}

fn refused(refused: &atelier_outbound::Refused) -> Error {
    Error::Internal(format!(
        "an address of the sign-in provider is refused: {refused}"
    ))
}
