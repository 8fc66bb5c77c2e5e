//! An OpenID provider on loopback that signs in one person without asking, signs real tokens (ES256), checks PKCE and
//! the client's secret, and can be told to sign something wrong.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Query, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Redirect, Response},
    routing::{get, post},
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{net::TcpListener, task::JoinHandle};

pub const CLIENT: &str = "atelier";
pub const SECRET: &str = "a secret: with/characters";

/// The fault of the next token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wrong {
    #[default]
    Nothing,
    Nonce,
    Audience,
    Issuer,
    Expired,
    /// Its time begins later.
    NotYet,
    /// The algorithm is `none`, and there is no signature.
    Unsigned,
    /// The key is not published.
    Key,
    /// One claim was changed after signing.
    Signature,
}

/// Runs until dropped.
#[derive(Debug)]
pub struct OidcProvider {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    address: SocketAddr,
    key: EcdsaKeyPair,
    other: EcdsaKeyPair,
    /// Whether `second` has replaced `key`.
    rotated: AtomicBool,
    second: EcdsaKeyPair,
    claims: Mutex<Value>,
    wrong: Mutex<Wrong>,
    /// The nonce and the challenge of each code.
    codes: Mutex<HashMap<String, (String, String)>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

fn key_pair() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap()
}

impl OidcProvider {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let shared = Arc::new(Shared {
            address: listener.local_addr().unwrap(),
            key: key_pair(),
            other: key_pair(),
            rotated: AtomicBool::new(false),
            second: key_pair(),
            claims: Mutex::default(),
            wrong: Mutex::default(),
            codes: Mutex::default(),
        });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { shared, task }
    }

    pub fn issuer(&self) -> String {
        self.shared.issuer()
    }

    /// Sets the person who signs in from now on: `sub` and other claims.
    pub fn person(&self, claims: Value) {
        *self.shared.claims.lock().unwrap() = claims;
    }

    /// An access token for this audience, of the person who signs in.
    pub fn access_token(&self, audience: &str) -> String {
        self.shared.signed(&json!({ "aud": audience }), "at+jwt")
    }

    /// Signs with a new key from now on, which the provider publishes instead of the first.
    pub fn rotate_key(&self) {
        self.shared.rotated.store(true, Ordering::Relaxed);
    }

    pub fn sign_wrong(&self, wrong: Wrong) {
        *self.shared.wrong.lock().unwrap() = wrong;
    }
}

impl Drop for OidcProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The key that signs and is published, with its name.
    fn current_key(&self) -> (&EcdsaKeyPair, &'static str) {
        if self.rotated.load(Ordering::Relaxed) {
            (&self.second, "two")
        } else {
            (&self.key, "one")
        }
    }

    fn id_token(&self, nonce: &str) -> String {
        self.signed(&json!({ "aud": CLIENT, "nonce": nonce }), "JWT")
    }

    /// A token about the person, with these claims.
    #[expect(
        clippy::disallowed_methods,
        reason = "the program checks the times by the real clock"
    )]
    fn signed(&self, more: &Value, typ: &str) -> String {
        let wrong = *self.wrong.lock().unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let mut claims = json!({ "iss": self.issuer(), "iat": now, "exp": now + 300 });
        let person = self.claims.lock().unwrap().clone();
        for claim in [&person, more] {
            for (name, value) in claim.as_object().into_iter().flatten() {
                claims[name] = value.clone();
            }
        }
        match wrong {
            Wrong::Nonce => claims["nonce"] = json!("another"),
            Wrong::Audience => claims["aud"] = json!("somebody-else"),
            Wrong::Issuer => claims["iss"] = json!("http://evil.example"),
            Wrong::Expired => claims["exp"] = json!(now - 3_600),
            Wrong::NotYet => claims["nbf"] = json!(now + 3_600),
            _ => {}
        }
        let algorithm = if wrong == Wrong::Unsigned { "none" } else { "ES256" };
        let (key, kid) = if wrong == Wrong::Key {
            (&self.other, "unknown")
        } else {
            self.current_key()
        };
        let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!(
            "{}.{}",
            encoded(&json!({ "alg": algorithm, "kid": kid, "typ": typ })),
            encoded(&claims)
        );
        let signature = key.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        match wrong {
            Wrong::Unsigned => format!("{signed}."),
            Wrong::Signature => {
                claims["sub"] = json!("somebody-else");
                let header = signed.split('.').next().unwrap();
                format!(
                    "{header}.{}.{}",
                    encoded(&claims),
                    URL_SAFE_NO_PAD.encode(signature)
                )
            }
            _ => format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)),
        }
    }
}

async fn discovery(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let issuer = shared.issuer();
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
        "id_token_signing_alg_values_supported": ["ES256"],
    }))
}

async fn jwks(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let (key, kid) = shared.current_key();
    let (x, y) = key.public_key().as_ref()[1..].split_at(32);
    let encoded = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    Json(json!({ "keys": [
        { "kty": "OKP", "crv": "Ed25519", "kid": "other", "x": "AA" },
        { "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": kid, "x": encoded(x), "y": encoded(y) },
    ] }))
}

async fn authorize(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let given = |name: &str| query.get(name).cloned().unwrap_or_default();
    let asked = (
        given("response_type"),
        given("client_id"),
        given("code_challenge_method"),
    );
    let expected = ("code".to_owned(), CLIENT.to_owned(), "S256".to_owned());
    if asked != expected || !given("scope").split(' ').any(|scope| scope == "openid") {
        return (StatusCode::BAD_REQUEST, format!("{query:?}")).into_response();
    }
    let mut codes = shared.codes.lock().unwrap();
    let code = format!("code-{}", codes.len());
    codes.insert(code.clone(), (given("nonce"), given("code_challenge")));
    Redirect::to(&format!(
        "{}?code={code}&state={}",
        given("redirect_uri"),
        given("state")
    ))
    .into_response()
}

async fn token(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let refused = |why: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": why }))).into_response();
    // Percent-encoding of the fields: only what this client sends.
    let form: HashMap<String, String> =
        reqwest::Url::parse(&format!("http://form/?{}", String::from_utf8_lossy(&body)))
            .unwrap()
            .query_pairs()
            .into_owned()
            .collect();
    let given = |name: &str| form.get(name).cloned().unwrap_or_default();
    // Both parts are encoded as in a form before they are joined (RFC 6749, section 2.3.1).
    let pair = format!("{CLIENT}:a+secret%3A+with%2Fcharacters");
    let expected = format!("Basic {}", STANDARD.encode(pair));
    if headers.get("authorization").and_then(|value| value.to_str().ok()) != Some(&expected) {
        return refused("invalid_client");
    }
    let Some((nonce, challenge)) = shared
        .codes
        .lock()
        .unwrap()
        .insert(given("code"), Default::default())
    else {
        return refused("invalid_grant");
    };
    let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(given("code_verifier")));
    if given("grant_type") != "authorization_code" || hash != challenge {
        return refused("invalid_grant");
    }
    let answer = json!({ "access_token": "x", "token_type": "Bearer", "id_token": shared.id_token(&nonce) });
    Json(answer).into_response()
}
