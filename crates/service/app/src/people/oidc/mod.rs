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

/// The settings of the provider.
#[derive(Clone)]
pub struct OidcSettings {
    /// The provider's name for itself in its tokens.
    pub issuer: String,
    /// The provider's name on the sign-in page.
    pub name: String,
    pub client_id: String,
    pub client_secret: Option<String>,
    pub scopes: Vec<String>,
    /// The claim that becomes the login of a new user.
    pub login_claim: String,
    pub groups_claim: String,
    /// The accounts and roles of groups.
    pub groups: Vec<GroupRole>,
    /// Whether new people become users.
    pub create: bool,
    /// The account of new users without such a group.
    pub account: Option<(String, AccountRole)>,
    /// The audience of access tokens for `/mcp`; `None`: its URL.
    pub mcp_audience: Option<String>,
    /// The scopes that programs request for `/mcp`.
    pub mcp_scopes: Vec<String>,
}

/// The role of a group in an account.
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

/// The content of the browser's cookie between its departure and its return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    state: String,
    nonce: String,
    /// The secret whose hash the provider got (RFC 7636).
    verifier: String,
    /// The page to open afterwards.
    pub next: String,
    /// Whether the identity is connected to the user who is signed in.
    pub connect: bool,
}

/// The claims about a person, signed by the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    subject: String,
    login: Option<String>,
    /// `None` if the claim is missing.
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
