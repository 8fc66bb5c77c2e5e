//! The certificate and key that sign results.

use atelier_engines::{Credentials, credentials::Signer};
use url::Url;

use crate::{App, Error, Result};

/// The name of the self-made certificate and its key in the store.
const SECRET: &str = "credentials";

impl App {
    /// The certificate and key of all signatures: those of the configuration, or else those that the first node
    /// created.
    pub async fn signer(&self, credentials: &Credentials) -> Result<Signer> {
        if let Some(signer) = credentials.configured() {
            return Ok(signer.clone());
        }
        let signer = self.0.signer.get_or_try_init(async || {
            let address = Url::parse(&self.settings().media_url).ok();
            let host = address.as_ref().and_then(Url::host_str).unwrap_or("localhost");
            let fresh = credentials.make_signer(&format!("atelier at {host}")).await;
            let fresh = serde_json::to_vec(&fresh.map_err(Error::Internal)?);
            let fresh = fresh.map_err(|error| Error::Internal(error.to_string()))?;
            let known = self.store().secret(SECRET, &fresh, self.now()).await?;
            serde_json::from_slice(&known)
                .map_err(|_| Error::Internal("the stored certificate cannot be read".to_owned()))
        });
        signer.await.cloned()
    }

    /// Those who have signed for this service: whoever signs now, and the self-made certificate from before the
    /// configuration named one.
    pub(crate) async fn signers(&self, credentials: &Credentials) -> Result<Vec<Signer>> {
        let mut signers = vec![self.signer(credentials).await?];
        if credentials.configured().is_some()
            && let Some(made) = self.store().known_secret(SECRET).await?
        {
            signers.extend(serde_json::from_slice::<Signer>(&made).ok());
        }
        Ok(signers)
    }
}
