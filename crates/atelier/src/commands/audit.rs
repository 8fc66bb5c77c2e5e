//! `atelier audit`: checks that the queue, the ledger and the webhooks are consistent, even while servers run.

use std::sync::Arc;

use serde_json::json;

use super::OnStore;
use crate::failure::Failure;

pub(super) async fn run(session: Arc<OnStore>) -> Result<(), Failure> {
    let audit = session.admin.audit().await?;
    let value = json!({
        "ok": audit.violations.is_empty(),
        "accounts": audit.accounts,
        "generations": audit.generations,
        "entries": audit.entries,
        "deliveries": audit.deliveries,
        "violations": audit.violations,
    });
    session.output.result(&value, || {
        let seen = format!(
            "{} accounts, {} generations, {} ledger entries, {} deliveries",
            audit.accounts, audit.generations, audit.entries, audit.deliveries
        );
        match audit.violations.as_slice() {
            [] => format!("{seen}: no problems found."),
            violations => format!(
                "{seen}; {} problems:\n- {}",
                violations.len(),
                violations.join("\n- ")
            ),
        }
    })?;
    if audit.violations.is_empty() {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}
