//! `atelier key`: creates, lists and revokes API keys.

use std::sync::Arc;

use atelier_domain::{KeyRecord, Timestamp};
use serde_json::{Value, json};

use super::OnStore;
use crate::{
    cli,
    failure::Failure,
    output::{fields, table},
};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Key) -> Result<(), Failure> {
    match command {
        cli::Key::Create { account, name } => {
            let key = session.admin.create_key(&account, &name).await?;
            let shown = [
                ("id", key.record.id.to_string()),
                ("name", key.record.name),
                ("api_key", key.text),
            ];
            let value: Value = shown
                .iter()
                .map(|(name, value)| ((*name).to_owned(), json!(value)))
                .collect();
            Ok(session.output.result(&value, || {
                format!("{}\nThe key is shown only once. Store it now.\n", fields(&shown))
            })?)
        }
        cli::Key::List { account } => {
            let keys = session.admin.keys(&account).await?;
            Ok(session
                .output
                .result(&keys.iter().map(as_json).collect::<Value>(), || listed(&keys))?)
        }
        cli::Key::Revoke { id } => {
            let key = session.admin.revoke_key(&id).await?;
            Ok(session
                .output
                .result(&as_json(&key), || format!("Revoked {} ({}).", key.id, key.name))?)
        }
    }
}

pub(super) fn as_json(key: &KeyRecord) -> Value {
    json!({
        "id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "created_at": key.created_at.rfc3339(),
        "last_used_at": key.last_used_at.map(Timestamp::rfc3339),
        "revoked_at": key.revoked_at.map(Timestamp::rfc3339),
    })
}

pub(super) fn listed(keys: &[KeyRecord]) -> String {
    let moment = |at: Option<Timestamp>| at.map_or_else(|| "-".to_owned(), Timestamp::rfc3339);
    let row = |key: &KeyRecord| {
        vec![
            key.id.to_string(),
            key.name.clone(),
            format!("{}…", key.prefix),
            moment(key.last_used_at),
            moment(key.revoked_at),
        ]
    };
    table(
        &["key id", "name", "prefix", "last used", "revoked"],
        keys.iter().map(row).collect(),
    )
}
