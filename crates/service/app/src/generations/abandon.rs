//! Cancels what a generation asked of a provider, once nobody wants it any more.

use atelier_domain::{AccountId, GenerationId, Noted};

use crate::{App, System};

impl System {
    /// See `App::abandon`.
    pub fn abandon(&self, account: AccountId, id: GenerationId) {
        self.app.abandon(account, id);
    }
}

impl App {
    /// Cancels the request that an ended generation made at a provider, if it made one. This happens in the
    /// background, so that nobody waits for a provider. If the generation has only moved to another worker, its
    /// request goes on.
    pub(crate) fn abandon(&self, account: AccountId, id: GenerationId) {
        if !self.routes().engines().iter().any(|engine| engine.is_remote()) {
            return;
        }
        let app = self.clone();
        tokio::spawn(async move {
            let ended = match app.store().generation(account, id).await {
                Ok(found) => found.filter(|found| found.state.is_ended()),
                Err(error) => {
                    tracing::warn!(%id, %error, "a request could not be cancelled at its provider");
                    None
                }
            };
            let noted = ended.and_then(|ended| serde_json::from_str::<Noted>(&ended.request?).ok());
            let Some(noted) = noted else { return };
            if let Some(engine) = app.routes().engine(&noted.engine) {
                engine.abandon(&noted.request).await;
            }
        });
    }
}
