//! Plans: limits and a weight that many accounts share. All nodes read them in the statements that they are about.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, PlanChange, PlanLimits};

use crate::{
    Result,
    values::{Fields, queue_limits},
};

/// A limit of the account `a`: its own, or that of its plan.
macro_rules! own_or_plan {
    ($limit:literal) => {
        concat!(
            "coalesce(a.",
            $limit,
            ", (SELECT p.",
            $limit,
            " FROM plans p WHERE p.name = a.plan_name))"
        )
    };
}

/// The columns that [`plan`] reads.
macro_rules! plan_columns {
    () => {
        "p.name, p.generations_per_minute, p.max_queued, p.max_running, p.weight"
    };
}

pub(crate) use {own_or_plan, plan_columns};

#[async_trait]
pub trait Plans: Send + Sync + std::fmt::Debug {
    /// The plans that have limits or a weight, by name.
    async fn plans(&self) -> Result<Vec<PlanLimits>>;
    /// The limits of the plan of this name, if it has any. A point read.
    async fn plan(&self, name: &str) -> Result<Option<PlanLimits>>;
    /// Changes what is set in `change`, whether accounts have the plan or not. Durable.
    async fn set_plan(&self, name: &str, change: PlanChange, record: AuditRecord) -> Result<PlanLimits>;
    /// Removes the limits and the weight of a plan; its accounts keep its name. False if it has none. Durable.
    async fn remove_plan(&self, name: &str, record: AuditRecord) -> Result<bool>;
}

pub(crate) fn plan<R: Fields>(row: &R) -> Result<PlanLimits, R::Error> {
    Ok(PlanLimits {
        name: row.string(0)?,
        generations_per_minute: row.optional_number(1)?,
        queue: queue_limits(row, 2)?,
        weight: row.number(4)?,
    })
}
