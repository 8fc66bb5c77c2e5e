//! `atelier api disable | enable`: switches the API off and on.

use std::sync::Arc;

use serde_json::json;

use super::OnStore;
use crate::{cli, failure::Failure};

pub(super) async fn run(session: Arc<OnStore>, command: cli::Api) -> Result<(), Failure> {
    let enabled = matches!(command, cli::Api::Enable);
    session.admin.set_api_enabled(enabled).await?;
    Ok(session.output.result(&json!({ "enabled": enabled }), || {
        let state = if enabled {
            "The API is enabled."
        } else {
            "The API is disabled: every request is refused with api_disabled. Accepted jobs still run."
        };
        state.to_owned()
    })?)
}
