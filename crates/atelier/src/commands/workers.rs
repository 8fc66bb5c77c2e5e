//! `atelier workers`: lists remote workers, and manages their tokens.

use std::sync::Arc;

use atelier_domain::{Timestamp, WorkerSeen, WorkerToken};
use serde_json::{Value, json};

use super::OnStore;
use crate::{
    cli,
    failure::Failure,
    output::{fields, table},
};

pub(super) async fn run(session: Arc<OnStore>, command: cli::RemoteWorkers) -> Result<(), Failure> {
    match command {
        cli::RemoteWorkers::List => {
            let workers = session.admin.remote_workers().await?;
            let value: Value = workers.iter().map(worker_as_json).collect();
            Ok(session.output.result(&value, || listed(&workers))?)
        }
        cli::RemoteWorkers::CreateToken {
            name,
            engines,
            models,
        } => {
            let new = session.admin.create_worker_token(&name, engines, models).await?;
            let mut value = as_json(&new.token);
            value["token"] = json!(new.text);
            let shown = [
                ("id", new.token.id.to_string()),
                ("name", new.token.name),
                ("token", new.text),
            ];
            Ok(session.output.result(&value, || {
                format!(
                    "{}\nThe token is shown only once. Store it now.\n",
                    fields(&shown)
                )
            })?)
        }
        cli::RemoteWorkers::Tokens => {
            let tokens = session.admin.worker_tokens().await?;
            let value: Value = tokens.iter().map(as_json).collect();
            Ok(session.output.result(&value, || listed_tokens(&tokens))?)
        }
        cli::RemoteWorkers::RevokeToken { id } => {
            let token = session.admin.revoke_worker_token(&id).await?;
            Ok(session.output.result(&as_json(&token), || {
                format!("Revoked {} ({}).", token.id, token.name)
            })?)
        }
    }
}

fn as_json(token: &WorkerToken) -> Value {
    json!({
        "id": token.id,
        "name": token.name,
        "prefix": token.prefix,
        "engines": token.engines,
        "models": token.models,
        "created_at": token.created_at.rfc3339(),
        "revoked_at": token.revoked_at.map(Timestamp::rfc3339),
    })
}

fn worker_as_json(seen: &WorkerSeen) -> Value {
    json!({
        "id": seen.worker.id,
        "name": seen.worker.name,
        "token": seen.token,
        "version": seen.worker.version,
        "joined_at": seen.worker.joined_at.rfc3339(),
        "seen_at": seen.worker.seen_at.rfc3339(),
        "engines": seen.worker.offer.engines,
        "memory_bytes": seen.worker.offer.memory,
        "running": seen.running,
    })
}

fn listed(workers: &[WorkerSeen]) -> String {
    let row = |seen: &WorkerSeen| {
        let engines = seen.worker.offer.engines.iter();
        let engines: Vec<_> = engines
            .map(|engine| format!("{} ({} models)", engine.name, engine.models))
            .collect();
        vec![
            seen.worker.name.clone(),
            seen.token.clone(),
            seen.worker.version.clone(),
            engines.join(", "),
            seen.worker.seen_at.rfc3339(),
            seen.running.len().to_string(),
        ]
    };
    table(
        &["name", "token", "version", "engines", "last seen", "running"],
        workers.iter().map(row).collect(),
    )
}

fn listed_tokens(tokens: &[WorkerToken]) -> String {
    let all = |names: &[String]| match names {
        [] => "all".to_owned(),
        names => names.join(", "),
    };
    let row = |token: &WorkerToken| {
        vec![
            token.id.to_string(),
            token.name.clone(),
            format!("{}…", token.prefix),
            all(&token.engines),
            all(&token.models),
            token
                .revoked_at
                .map_or_else(|| "-".to_owned(), Timestamp::rfc3339),
        ]
    };
    table(
        &["token id", "name", "prefix", "engines", "models", "revoked"],
        tokens.iter().map(row).collect(),
    )
}
