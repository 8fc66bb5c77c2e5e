//! Records of changes, as they are written with each change.

use atelier_domain::{AccountId, Actor, AuditRecord, Timestamp};
use serde_json::{Map, Value};

/// A new record.
pub(crate) fn record(
    at: Timestamp,
    actor: &Actor,
    action: &'static str,
    account: Option<AccountId>,
    object: impl std::fmt::Display,
) -> AuditRecord {
    AuditRecord {
        at,
        actor: actor.clone(),
        action,
        account,
        object: object.to_string(),
        details: Map::new(),
    }
}

/// The same record with details.
pub(crate) fn with(mut record: AuditRecord, details: &[(&str, Value)]) -> AuditRecord {
    for (name, value) in details {
        record.details.insert((*name).to_owned(), value.clone());
    }
    record
}
