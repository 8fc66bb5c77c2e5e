//! `atelier key`: creates, limits, rotates, lists and revokes API keys.

use std::{collections::HashMap, sync::Arc};

use atelier_app::accounts::keys::{KeySpending, NewKey};
use atelier_domain::{
    Clock as _, KeyChange, KeyId, KeyLimits, KeyRecord, Scope, Timestamp, clock::SystemClock,
};
use serde_json::{Value, json};

use super::OnStore;
use crate::{
    cli::{self, Limits},
    failure::Failure,
    output::{fields, table},
};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Key) -> Result<(), Failure> {
    match command {
        cli::Key::Create {
            account,
            name,
            limits,
        } => {
            let limits = change(limits).apply(KeyLimits::default());
            let key = session.admin.create_key(&account, &name, limits).await?;
            show_new(&session, &key)
        }
        cli::Key::List { account } => {
            let keys = session.admin.keys(&account).await?;
            let spending = session.admin.key_spending(&account).await?;
            let spent: HashMap<_, _> = spending
                .into_iter()
                .filter_map(|of| Some((of.key?, of)))
                .collect();
            let value: Value = keys.iter().map(|key| with_spending(key, &spent)).collect();
            Ok(session.output.result(&value, || listed_with(&keys, &spent))?)
        }
        cli::Key::Update { id, name, limits } => {
            let change = KeyChange {
                name,
                ..change(limits)
            };
            let key = session.admin.update_key(&id, change).await?;
            Ok(session
                .output
                .result(&as_json(&key), || fields(&described(&key)))?)
        }
        cli::Key::Rotate { id, overlap } => {
            let key = session.admin.rotate_key(&id, overlap).await?;
            show_new(&session, &key)
        }
        cli::Key::Revoke { id } => {
            let key = session.admin.revoke_key(&id).await?;
            Ok(session
                .output
                .result(&as_json(&key), || format!("Revoked {} ({}).", key.id, key.name))?)
        }
    }
}

fn show_new(session: &OnStore, key: &NewKey) -> Result<(), Failure> {
    let mut value = as_json(&key.record);
    value["api_key"] = json!(key.text);
    Ok(session.output.result(&value, || {
        let mut shown = described(&key.record);
        shown.push(("api_key", key.text.clone()));
        format!("{}\nThe key is shown only once. Store it now.\n", fields(&shown))
    })?)
}

fn change(limits: Limits) -> KeyChange {
    let now = SystemClock.now();
    KeyChange {
        name: None,
        scopes: limits.scopes.map(|list| list.0),
        models: limits.models.map(|list| list.0),
        credits_per_day: limits.credits_per_day.map(|most| most.0),
        credits_per_month: limits.credits_per_month.map(|most| most.0),
        requests_per_minute: limits.requests_per_minute.map(|most| most.0),
        networks: limits.networks.map(|list| list.0),
        expires_at: limits.expires.map(|expiry| expiry.at(now)),
    }
}

pub(super) fn as_json(key: &KeyRecord) -> Value {
    let limits = &key.limits;
    json!({
        "id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "created_at": key.created_at.rfc3339(),
        "last_used_at": key.last_used_at.map(Timestamp::rfc3339),
        "revoked_at": key.revoked_at.map(Timestamp::rfc3339),
        "previous_until": key.previous_until.map(Timestamp::rfc3339),
        "limits": {
            "scopes": limits.scopes,
            "models": limits.models,
            "credits_per_day": limits.credits_per_day,
            "credits_per_month": limits.credits_per_month,
            "requests_per_minute": limits.requests_per_minute,
            "networks": limits.networks,
            "expires_at": limits.expires_at.map(Timestamp::rfc3339),
        },
    })
}

fn with_spending(key: &KeyRecord, spent: &HashMap<KeyId, KeySpending>) -> Value {
    let mut value = as_json(key);
    let of = spent.get(&key.id);
    value["credits_today"] = json!(of.map_or(0, |of| of.credits_of_day));
    value["credits_this_month"] = json!(of.map_or(0, |of| of.credits_of_month));
    value["generations_this_month"] = json!(of.map_or(0, |of| of.generations_of_month));
    value
}

fn described(key: &KeyRecord) -> Vec<(&'static str, String)> {
    let mut shown = vec![("id", key.id.to_string()), ("name", key.name.clone())];
    if !key.limits.is_none() {
        shown.push(("limits", in_words(&key.limits)));
    }
    if let Some(until) = key.previous_until {
        shown.push(("previous text until", until.rfc3339()));
    }
    shown
}

/// The limits of a key in one line.
fn in_words(limits: &KeyLimits) -> String {
    let mut parts = Vec::new();
    if !limits.scopes.is_empty() {
        let scopes: Vec<_> = limits.scopes.iter().map(|scope: &Scope| scope.as_str()).collect();
        parts.push(scopes.join(","));
    }
    if !limits.models.is_empty() {
        parts.push(format!("models {}", limits.models.join(",")));
    }
    parts.extend(limits.credits_per_day.map(|credits| format!("{credits}/day")));
    parts.extend(limits.credits_per_month.map(|credits| format!("{credits}/month")));
    parts.extend(
        limits
            .requests_per_minute
            .map(|requests| format!("{requests} requests/min")),
    );
    if !limits.networks.is_empty() {
        parts.push(format!("from {}", limits.networks.join(",")));
    }
    parts.extend(limits.expires_at.map(|at| format!("until {at}")));
    if parts.is_empty() {
        return "-".to_owned();
    }
    parts.join("; ")
}

pub(super) fn listed(keys: &[KeyRecord]) -> String {
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

fn listed_with(keys: &[KeyRecord], spent: &HashMap<KeyId, KeySpending>) -> String {
    let row = |key: &KeyRecord| {
        let of = spent.get(&key.id);
        vec![
            key.id.to_string(),
            key.name.clone(),
            format!("{}…", key.prefix),
            moment(key.last_used_at),
            of.map_or(0, |of| of.credits_of_day).to_string(),
            of.map_or(0, |of| of.credits_of_month).to_string(),
            in_words(&key.limits),
            moment(key.revoked_at),
        ]
    };
    let header = [
        "key id",
        "name",
        "prefix",
        "last used",
        "today",
        "month",
        "limits",
        "revoked",
    ];
    table(&header, keys.iter().map(row).collect())
}

fn moment(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "-".to_owned(), Timestamp::rfc3339)
}
