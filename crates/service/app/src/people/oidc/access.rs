//! Access tokens of the provider: programs that the user authorized there need no API key (the authorization of the
//! Model Context Protocol; RFC 9068, RFC 9728).

use serde::Serialize;

use super::OidcSettings;
use crate::{App, Caller, Error, Result, requests::Asker};

/// The metadata that leads programs to the provider (RFC 9728).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResourceMetadata {
    pub resource: String,
    pub resource_name: &'static str,
    pub authorization_servers: Vec<String>,
    pub scopes_supported: Vec<String>,
    pub bearer_methods_supported: [&'static str; 1],
}

impl App {
    /// The metadata of a resource that accepts access tokens; `None` without a provider.
    pub fn resource_metadata(&self, resource: &str) -> Option<ResourceMetadata> {
        let settings = &self.0.oidc.as_ref()?.settings;
        Some(ResourceMetadata {
            resource: resource.to_owned(),
            resource_name: "atelier",
            authorization_servers: vec![settings.issuer.clone()],
            scopes_supported: settings.mcp_scopes.clone(),
            bearer_methods_supported: ["header"],
        })
    }

    /// Whether this may be an access token: there is a provider, and the text has the three parts of a signed token.
    pub fn may_be_access_token(&self, text: &str) -> bool {
        self.0.oidc.is_some() && text.bytes().filter(|byte| *byte == b'.').count() == 2
    }

    /// The caller with an access token for this resource, if they may use the API. They act in the account that a new
    /// session would show, with their role there. Sets `asker` to their account, even if they are refused.
    pub async fn authenticate_token(
        &self,
        token: &str,
        resource: &str,
        asker: &mut Option<Asker>,
    ) -> Result<Caller> {
        let provider = self.0.oidc.as_ref().ok_or(Error::InvalidApiKey)?;
        let settings = &provider.settings;
        let audience = settings.mcp_audience.as_deref().unwrap_or(resource);
        let subject = provider.subject(token, audience, self.now()).await?;
        let found = self
            .store()
            .member_by_identity(&settings.issuer, &subject)
            .await?;
        let Some(found) = found else {
            return Err(self.stranger(settings, &subject).await?);
        };
        *asker = Some(Asker {
            account: found.account.id,
            key: None,
        });
        let caller = Caller::of_identity(found);
        match caller.barred() {
            Some(why) => Err(Error::ApiDisabled(why)),
            None => Ok(caller),
        }
    }

    /// The reason why an identity belongs to no member of an account.
    async fn stranger(&self, settings: &OidcSettings, subject: &str) -> Result<Error> {
        let user = self.store().user_by_identity(&settings.issuer, subject).await?;
        Ok(Error::Stranger(match user {
            None => format!(
                "no user is linked to the identity of this access token: sign in once on this service's page with {}, \
                 or connect it in Settings",
                settings.name
            ),
            Some(user) if user.disabled_at.is_some() => {
                "the user of this access token is disabled".to_owned()
            }
            Some(_) => "the user of this access token does not belong to an account".to_owned(),
        }))
    }
}
