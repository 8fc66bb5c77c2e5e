//! Places in the queue, and how long generations took lately.

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::SqliteStore;
use crate::{
    Places, QueuePlace, RecentRun, Result,
    places::{LOOK_BACK, MOST_ACCOUNTS, MOST_AHEAD, MOST_RUNNING},
};

#[async_trait]
impl Places for SqliteStore {
    async fn queue_place(&self, account: AccountId, id: GenerationId) -> Result<Option<QueuePlace>> {
        self.readers.snapshot(|db| queue_place(db, account, id))
    }

    async fn recent_runs(&self) -> Result<Vec<RecentRun>> {
        self.scan(recent_runs).await
    }
}

pub(super) fn queue_place(
    db: &Connection,
    account: AccountId,
    id: GenerationId,
) -> Result<Option<QueuePlace>> {
    let found: Option<(String, i64)> = db
        .prepare_cached(
            "SELECT lane, run_at FROM generations WHERE id = ?1 AND account = ?2 AND state = 'queued'",
        )?
        .query_row(params![id.0, account.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((lane, run_at)) = found else {
        return Ok(None);
    };
    let models: Vec<(String, u32)> = db
        .prepare_cached(
            "SELECT model, count(*) FROM (
                 SELECT model FROM generations INDEXED BY generations_queued_by_account
                 WHERE state = 'queued' AND lane = ?1 AND account = ?2 AND (run_at, id) < (?3, ?4) LIMIT ?5)
             GROUP BY model ORDER BY model",
        )?
        .query_map(params![lane, account.0, run_at, id.0, MOST_AHEAD + 1], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    let own: u32 = models.iter().map(|(_, count)| count).sum();
    let rounds = own / weight(db, account.0)?;
    let (mut ahead, mut accounts, mut after) = (own, 0, Uuid::nil());
    while ahead <= MOST_AHEAD && accounts <= MOST_ACCOUNTS {
        let next: Option<Uuid> = db
            .prepare_cached(
                "SELECT account FROM generations INDEXED BY generations_queued_by_account
                 WHERE state = 'queued' AND lane = ?1 AND account > ?2 ORDER BY account LIMIT 1",
            )?
            .query_row(params![lane, after], |row| row.get(0))
            .optional()?;
        let Some(other) = next else { break };
        after = other;
        accounts += 1;
        if other != account.0 {
            ahead += of_other(db, &lane, other, rounds, (run_at, id.0))?;
        }
    }
    let running = db
        .prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM generations INDEXED BY generations_running
                                   WHERE state = 'running' AND lane = ?1 LIMIT ?2)",
        )?
        .query_row(params![lane, MOST_RUNNING], |row| row.get(0))?;
    Ok(Some(QueuePlace::new(lane, ahead, accounts, running, models)))
}

/// How many of an account are claimed in one round of the accounts.
fn weight(db: &Connection, account: Uuid) -> Result<u32> {
    let weight = db
        .prepare_cached(
            "SELECT coalesce(p.weight, 1) FROM accounts a LEFT JOIN plans p ON p.name = a.plan_name WHERE a.id = ?1",
        )?
        .query_row([account], |row| row.get(0));
    Ok(weight?)
}

/// How many of another account come before a generation that waits for so many rounds: its share of each, and of the
/// next round those that are due before `place`.
fn of_other(db: &Connection, lane: &str, other: Uuid, rounds: u32, place: (i64, Uuid)) -> Result<u32> {
    let weight = weight(db, other)?;
    let sure = rounds * weight;
    let mut first = db.prepare_cached(
        "SELECT run_at, id FROM generations INDEXED BY generations_queued_by_account
         WHERE state = 'queued' AND lane = ?1 AND account = ?2 ORDER BY run_at, id LIMIT ?3",
    )?;
    let most = (sure + weight).min(MOST_AHEAD + 1);
    let mut rows = first.query(params![lane, other, most])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        let due = (row.get::<_, i64>(0)?, row.get::<_, Uuid>(1)?);
        if count < sure || due < place {
            count += 1;
        }
    }
    Ok(count)
}

pub(super) fn recent_runs(db: &Connection) -> Result<Vec<RecentRun>> {
    let due_first: Option<Uuid> = db
        .prepare_cached("SELECT id FROM generations WHERE ended_at IS NULL ORDER BY deadline LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    let mut found = Vec::new();
    for before in [Some(Uuid::max()), due_first].into_iter().flatten() {
        let mut look = db.prepare_cached(
            "SELECT lane, model, ended_at - started_at FROM (
                 SELECT lane, model, state, attempt, started_at, ended_at FROM generations
                 WHERE id < ?1 ORDER BY id DESC LIMIT ?2)
             WHERE state = 'completed' AND attempt = 1 AND started_at IS NOT NULL",
        )?;
        for row in look.query_map(params![before, LOOK_BACK], |row| {
            Ok(RecentRun::new(row.get(0)?, row.get(1)?, row.get(2)?))
        })? {
            found.push(row?);
        }
    }
    Ok(found)
}
