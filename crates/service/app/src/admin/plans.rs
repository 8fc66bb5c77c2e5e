//! Plans: limits and a weight that many accounts share.

use atelier_domain::{Account, PlanChange, PlanLimits};
use serde_json::json;

use crate::{Admin, Error, Result, audit};

/// The most characters of a plan's name.
const MAX_NAME: usize = 100;

impl Admin {
    /// The plans that have limits or a weight, by name.
    pub async fn plans(&self) -> Result<Vec<PlanLimits>> {
        Ok(self.store.plans().await?)
    }

    /// The limits of the plan of this account, if it has any.
    pub async fn plan_of(&self, account: &Account) -> Result<Option<PlanLimits>> {
        match &account.plan {
            Some(plan) => Ok(self.store.plan(&plan.name).await?),
            None => Ok(None),
        }
    }

    /// Changes the given values of a plan; `None` leaves a value as it is. Changes take effect immediately, on
    /// all nodes.
    pub async fn set_plan(&self, name: &str, change: PlanChange) -> Result<PlanLimits> {
        if name.trim() != name || name.is_empty() || name.chars().count() > MAX_NAME || name == "none" {
            let message = format!(
                "a plan's name must have 1 to {MAX_NAME} characters, no space at its ends, and not be `none` (got \
                 {name:?})"
            );
            return Err(Error::parameter("name", message));
        }
        for (field, limit) in [
            ("generations_per_minute", change.generations_per_minute),
            ("max_queued", change.max_queued),
            ("max_running", change.max_running),
        ] {
            if limit == Some(Some(0)) {
                let message = format!("`{field}` must be at least 1, or none (got 0)");
                return Err(Error::parameter(field, message));
            }
        }
        let most = PlanLimits::MAX_WEIGHT;
        if let Some(weight) = change.weight
            && !(1..=most).contains(&weight)
        {
            let message = format!("`weight` must be between 1 and {most} (got {weight})");
            return Err(Error::parameter("weight", message));
        }
        let record = audit::record(self.now(), &self.by, "plan.set", None, name);
        let details = [
            ("generations_per_minute", json!(change.generations_per_minute)),
            ("max_queued", json!(change.max_queued)),
            ("max_running", json!(change.max_running)),
            ("weight", json!(change.weight)),
        ];
        let record = audit::with(record, &details);
        Ok(self.store.set_plan(name, change, record).await?)
    }

    /// Removes the limits and the weight of a plan. Its accounts keep its name.
    pub async fn remove_plan(&self, name: &str) -> Result<()> {
        let record = audit::record(self.now(), &self.by, "plan.remove", None, name);
        if self.store.remove_plan(name, record).await? {
            return Ok(());
        }
        Err(Error::NotFound(format!("the plan `{name}` has no limits")))
    }
}
