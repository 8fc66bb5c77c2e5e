//! Signing in at an OpenID provider (OpenID Connect Core 1.0, the authorization code flow with PKCE): the browser is
//! sent there with a state and a nonce, comes back with a code, and the code is exchanged for a signed ID token.

mod access;
mod provider;
pub(crate) mod sign_in;
mod token;

use atelier_domain::AccountRole;
use serde::{Deserialize, Serialize};
use url::Url;

pub use access::ResourceMetadata;
pub(crate) use provider::Provider;
pub use sign_in::{Arrived, Begun, CallbackQuery};

/// The provider, and who its users are here.
#[derive(Clone)]
pub struct OidcSettings {
    /// As the provider names itself in its tokens.
    pub issuer: String,
    /// What the button on the sign-in page calls it.
    pub name: String,
    pub client_id: String,
    pub client_secret: Option<String>,
    pub scopes: Vec<String>,
    /// The claim that becomes the login of a new user.
    pub login_claim: String,
    pub groups_claim: String,
    /// Which role in which account the members of a group have.
    pub groups: Vec<GroupRole>,
    /// Whether people who are not users yet become users.
    pub create: bool,
    /// The account of new users whom no group gives one.
    pub account: Option<(String, AccountRole)>,
    /// What access tokens for `/mcp` name as their audience; `None`: its URL.
    pub mcp_audience: Option<String>,
    /// What programs ask the provider for, to use `/mcp`.
    pub mcp_scopes: Vec<String>,
}

/// What the members of a group are in an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRole {
    pub group: String,
    pub account: String,
    pub role: AccountRole,
}

impl std::fmt::Debug for OidcSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OidcSettings")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

/// What the browser keeps in a cookie between its departure and its return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    state: String,
    nonce: String,
    /// The secret whose hash the provider got (RFC 7636).
    verifier: String,
    /// Where to go afterwards.
    pub next: String,
    /// Whether the identity is connected to the user who is signed in.
    pub connect: bool,
}

/// Who somebody is, as the provider has signed it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    subject: String,
    login: Option<String>,
    /// `None` if the provider does not say.
    groups: Option<Vec<String>>,
}

/// The addresses of a provider (OpenID Connect Discovery 1.0).
#[derive(Debug, Clone, Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    userinfo_endpoint: Option<Url>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}
