//! Plans: limits and a weight that many accounts share.

use async_trait::async_trait;
use atelier_domain::{AuditRecord, PlanChange, PlanLimits};
use rusqlite::{Connection, Row, params};

use super::{SqliteStore, changes, row::one, writer::durable};
use crate::{
    Plans, Result,
    plans::{self, plan_columns},
};

#[async_trait]
impl Plans for SqliteStore {
    async fn plans(&self) -> Result<Vec<PlanLimits>> {
        const ALL: &str = concat!("SELECT ", plan_columns!(), " FROM plans p ORDER BY p.name");
        self.readers.read(|db| {
            db.prepare_cached(ALL)?
                .query_and_then([], |row: &Row<'_>| plans::plan(row))?
                .collect()
        })
    }

    async fn plan(&self, name: &str) -> Result<Option<PlanLimits>> {
        self.readers.read(|db| named(db, name))
    }

    async fn set_plan(&self, name: &str, change: PlanChange, record: AuditRecord) -> Result<PlanLimits> {
        let name = name.to_owned();
        self.writer
            .write(durable!("set_plan"), move |db| set(db, &name, &change, &record))
            .await
    }

    async fn remove_plan(&self, name: &str, record: AuditRecord) -> Result<bool> {
        let name = name.to_owned();
        self.writer
            .write(durable!("remove_plan"), move |db| remove(db, &name, &record))
            .await
    }
}

fn named(db: &Connection, name: &str) -> Result<Option<PlanLimits>> {
    const NAMED: &str = concat!("SELECT ", plan_columns!(), " FROM plans p WHERE p.name = ?1");
    let mut found = db.prepare_cached(NAMED)?;
    one(found.query_and_then([name], |row: &Row<'_>| plans::plan(row))?)
}

fn set(db: &Connection, name: &str, change: &PlanChange, record: &AuditRecord) -> Result<PlanLimits> {
    let found = named(db, name)?;
    let mut plan = found.unwrap_or_else(|| PlanLimits::none(name.to_owned()));
    change.apply(&mut plan);
    db.prepare_cached(
        "INSERT OR REPLACE INTO plans (name, generations_per_minute, max_queued, max_running, weight)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        plan.name,
        plan.generations_per_minute,
        plan.queue.max_queued,
        plan.queue.max_running,
        plan.weight,
    ])?;
    changes::record(db, record)?;
    Ok(plan)
}

fn remove(db: &Connection, name: &str, record: &AuditRecord) -> Result<bool> {
    let removed = db
        .prepare_cached("DELETE FROM plans WHERE name = ?1")?
        .execute([name])?;
    if removed > 0 {
        changes::record(db, record)?;
    }
    Ok(removed > 0)
}
