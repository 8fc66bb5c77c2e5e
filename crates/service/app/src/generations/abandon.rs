//! Ends what a generation asked of a provider, where nobody wants it any more.

use atelier_domain::{AccountId, GenerationId, Noted};

use crate::App;

impl App {
    /// Cancels the request that an ended generation made elsewhere, if it made one, in the background: whoever ends the
    /// generation does not wait for a provider. One that has only changed hands goes on there.
    pub fn abandon(&self, account: AccountId, id: GenerationId) {
        let is_asked_of_others = self.routes().engines().iter().any(|engine| engine.is_remote());
        if !is_asked_of_others {
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
