//! `atelier secret rotate`: a new signing secret.

use std::sync::Arc;

use atelier_app::accounts::update::rotate_secret;
use serde_json::json;

use super::OnStore;
use crate::{cli, failure::Failure, output::fields};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Secret) -> Result<(), Failure> {
    let cli::Secret::Rotate { account } = command;
    let account = rotate_secret(&*session.store, &session.entropy, &account).await?;
    let value = json!({ "id": account.id, "name": account.name, "signing_secret": account.signing_secret });
    let shown = [("name", account.name), ("signing_secret", account.signing_secret)];
    Ok(session.output.result(&value, || {
        format!(
            "{}\nWebhooks sent from now on are signed with it, those still to be retried too.\n",
            fields(&shown)
        )
    })?)
}
