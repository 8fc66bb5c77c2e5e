//! `atelier secret rotate`: creates a new signing secret.

use std::sync::Arc;

use serde_json::json;

use super::OnStore;
use crate::{cli, failure::Failure, output::fields};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Secret) -> Result<(), Failure> {
    let cli::Secret::Rotate { account } = command;
    let account = session.admin.rotate_secret(&account).await?;
    let until = account.signing.previous.map(|(_, until)| until.rfc3339());
    let until = until.unwrap_or_default();
    let secret = account.signing.current;
    let value = json!({
        "id": account.id,
        "name": account.name,
        "signing_secret": secret,
        "previous_signs_until": until,
    });
    let shown = [("name", account.name), ("signing_secret", secret)];
    Ok(session.output.result(&value, || {
        format!(
            "{}\nAll webhooks are now signed with the new secret, including retries. Until {until},\n\
             `webhook-signature` also contains a signature with the previous secret; `X-Service-Signature` does not.\n",
            fields(&shown)
        )
    })?)
}
