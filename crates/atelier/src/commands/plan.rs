//! `atelier plan`: limits and weights of plans.

use std::sync::Arc;

use atelier_domain::{Account, PlanChange, PlanLimits};
use serde_json::{Value, json};

use super::OnStore;
use crate::{
    cli::{self, Maximum},
    failure::Failure,
    output::{fields, table},
};

const COLUMNS: [&str; 5] = ["plan", "per minute", "max queued", "max running", "weight"];

pub(super) async fn run(session: Arc<OnStore>, command: cli::Plan) -> Result<(), Failure> {
    match command {
        cli::Plan::List => list(&session).await,
        cli::Plan::Set(set) => {
            let change = PlanChange {
                generations_per_minute: set.generations_per_minute.map(|Maximum(max)| max),
                max_queued: set.max_queued.map(|Maximum(max)| max),
                max_running: set.max_running.map(|Maximum(max)| max),
                weight: set.weight,
            };
            let plan = session.admin.set_plan(&set.name, change).await?;
            let rows: Vec<_> = COLUMNS.into_iter().zip(row(&plan)).collect();
            Ok(session.output.result(&as_json(&plan), || fields(&rows))?)
        }
        cli::Plan::Remove { name } => {
            session.admin.remove_plan(&name).await?;
            let value = json!({ "name": name });
            Ok(session
                .output
                .result(&value, || format!("The plan {name} has no limits now."))?)
        }
    }
}

async fn list(session: &OnStore) -> Result<(), Failure> {
    let plans = session.admin.plans().await?;
    let value: Value = plans.iter().map(as_json).collect();
    Ok(session.output.result(&value, || {
        if plans.is_empty() {
            return "No plan has limits. Set some: atelier plan set NAME --max-queued 100".to_owned();
        }
        table(&COLUMNS, plans.iter().map(row).collect())
    })?)
}

/// A plan as people read it, by [`COLUMNS`].
fn row(plan: &PlanLimits) -> Vec<String> {
    vec![
        plan.name.clone(),
        shown(plan.generations_per_minute, None, "default"),
        shown(plan.queue.max_queued, None, "any"),
        shown(plan.queue.max_running, None, "any"),
        plan.weight.to_string(),
    ]
}

fn as_json(plan: &PlanLimits) -> Value {
    json!({
        "name": plan.name,
        "generations_per_minute": plan.generations_per_minute,
        "max_queued": plan.queue.max_queued,
        "max_running": plan.queue.max_running,
        "weight": plan.weight,
    })
}

/// The limits of an account, its own or those of its plan, as JSON. `null` is the service's default.
pub(super) fn effective(account: &Account, plan: Option<&PlanLimits>) -> Value {
    let limit = |own: Option<u32>, of_plan: Option<u32>| {
        let from = own.map(|_| "account").or(of_plan.map(|_| "plan"));
        json!({ "value": own.or(of_plan), "from": from.unwrap_or("service") })
    };
    let queue = plan.map(|plan| plan.queue).unwrap_or_default();
    let per_minute = plan.and_then(|plan| plan.generations_per_minute);
    json!({
        "generations_per_minute": limit(account.generations_per_minute, per_minute),
        "max_queued": limit(account.queue.max_queued, queue.max_queued),
        "max_running": limit(account.queue.max_running, queue.max_running),
        "weight": { "value": plan.map_or(1, |plan| plan.weight), "from": plan.map_or("service", |_| "plan") },
    })
}

/// A limit as people read it: the account's own, that of its plan, or what holds without one.
pub(super) fn shown(own: Option<u32>, of_plan: Option<u32>, otherwise: &str) -> String {
    match (own, of_plan) {
        (Some(own), _) => own.to_string(),
        (None, Some(of_plan)) => format!("{of_plan} (of the plan)"),
        (None, None) => otherwise.to_owned(),
    }
}
