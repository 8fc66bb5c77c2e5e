//! `atelier api disable | enable`: the global switch.

use std::sync::Arc;

use atelier_app::desk::switch::switch;
use atelier_domain::Actor;
use serde_json::json;

use super::OnStore;
use crate::{cli, failure::Failure};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Api) -> Result<(), Failure> {
    let enabled = matches!(command, cli::Api::Enable);
    switch(&*session.store, &session.clock, &Actor::Cli, enabled).await?;
    Ok(session.output.result(&json!({ "enabled": enabled }), || {
        let state = if enabled {
            "The API is enabled."
        } else {
            "The API is disabled: every request is refused with api_disabled. Jobs that were accepted still run."
        };
        state.to_owned()
    })?)
}
