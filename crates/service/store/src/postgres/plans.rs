//! Plans: limits and a weight that many accounts share.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, PlanChange, PlanLimits};

use super::{
    PostgresStore, changes,
    error::Result,
    row::text,
    write::{Db, execute, fenced, read, row, rows, the_row, write},
};
use crate::{
    Plans,
    plans::{self, plan_columns},
};

#[async_trait]
impl Plans for PostgresStore {
    async fn plans(&self) -> crate::Result<Vec<PlanLimits>> {
        read!(self, |db| all(db))
    }

    async fn plan(&self, name: &str) -> crate::Result<Option<PlanLimits>> {
        read!(self, |db| named(db, name))
    }

    async fn set_plan(
        &self,
        name: &str,
        change: PlanChange,
        record: AuditRecord,
    ) -> crate::Result<PlanLimits> {
        let name = name.to_owned();
        write!(self, fenced!("set_plan"), |db| set(db, &name, &change, &record))
    }

    async fn remove_plan(&self, name: &str, record: AuditRecord) -> crate::Result<bool> {
        let name = name.to_owned();
        write!(self, fenced!("remove_plan"), |db| remove(db, &name, &record))
    }
}

async fn all(db: &Db) -> Result<Vec<PlanLimits>> {
    const ALL: &str = concat!(
        "SELECT ",
        plan_columns!(),
        " FROM plans p ORDER BY p.name COLLATE \"C\""
    );
    rows(db, ALL, &[]).await?.iter().map(plans::plan).collect()
}

async fn named(db: &Db, name: &str) -> Result<Option<PlanLimits>> {
    const NAMED: &str = concat!("SELECT ", plan_columns!(), " FROM plans p WHERE p.name = $1");
    let found = row(db, NAMED, &[&text(name)]).await?;
    found.as_ref().map(plans::plan).transpose()
}

/// Of two changes at the same time, the later one begins with what the earlier one wrote.
async fn set(db: &Db, name: &str, change: &PlanChange, record: &AuditRecord) -> Result<PlanLimits> {
    const LOCK: &str = concat!(
        "INSERT INTO plans AS p (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING ",
        plan_columns!()
    );
    let mut plan = plans::plan(&the_row(db, LOCK, &[&text(name)]).await?)?;
    change.apply(&mut plan);
    execute(
        db,
        "UPDATE plans SET generations_per_minute = $2, max_queued = $3, max_running = $4, weight = $5
         WHERE name = $1",
        &[
            &text(name),
            &plan.generations_per_minute.map(i64::from),
            &plan.queue.max_queued.map(i64::from),
            &plan.queue.max_running.map(i64::from),
            &i64::from(plan.weight),
        ],
    )
    .await?;
    changes::record(db, record).await?;
    Ok(plan)
}

async fn remove(db: &Db, name: &str, record: &AuditRecord) -> Result<bool> {
    let removed = execute(db, "DELETE FROM plans WHERE name = $1", &[&text(name)]).await?;
    if removed > 0 {
        changes::record(db, record).await?;
    }
    Ok(removed > 0)
}
