//! `atelier store move`: copies everything from SQLite to the PostgreSQL database of the configuration.

use atelier_store::{lock::DataLock, transfer};
use serde_json::{Map, json};

use super::Session;
use crate::{
    cli::{MoveStore, Store},
    config::StorePlace,
    data,
    failure::Failure,
    output::say,
};

pub(super) fn run(session: &Session, command: &Store) -> Result<(), Failure> {
    match command {
        Store::Move(asked) => to_postgres(session, asked),
    }
}

fn to_postgres(session: &Session, asked: &MoveStore) -> Result<(), Failure> {
    let config = &session.config;
    let StorePlace::Postgres(url) = &config.store else {
        return Err(Failure::new(
            "set `store.url` to the new PostgreSQL database first (docs/operating.md)",
        ));
    };
    let from = asked
        .from
        .clone()
        .unwrap_or_else(|| config.data.join("atelier.db"));
    if !from.is_file() {
        return Err(Failure::new(format!(
            "there is no database at {}",
            from.display()
        )));
    }
    data::prepare(&config.data)?;
    // No server may use the data folder, whatever its configuration was when it started.
    let folder = from.parent().filter(|folder| !folder.as_os_str().is_empty());
    let _lock = DataLock::acquire(folder.unwrap_or(&config.data), "")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let moved = runtime.block_on(transfer::to_postgres(&from, url, |table, rows| {
        say(&format!("{table}: {rows} rows"));
    }))?;
    let rows: Map<_, _> = moved
        .rows
        .iter()
        .map(|(table, rows)| ((*table).to_owned(), (*rows).into()))
        .collect();
    let value =
        json!({ "from": from, "to": url.to_string(), "rows": rows, "violations": moved.audit.violations });
    session.output.result(&value, || {
        format!(
            "{url} has everything from {}: {} accounts, {} generations, {} ledger entries; the audit found no \
             problems. Start the server. The old database was not changed; remove it when you no longer need it.",
            from.display(),
            moved.audit.accounts,
            moved.audit.generations,
            moved.audit.entries
        )
    })?;
    Ok(())
}
