//! Places in the queue, and how long generations took lately.

use async_trait::async_trait;
use atelier_domain::{AccountId, GenerationId};
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    row::{get, text},
    write::{Db, is_open, read, row, rows, snapshot, the_row},
};
use crate::{
    Places, QueuePlace, RecentRun,
    places::{LOOK_BACK, MOST_ACCOUNTS, MOST_AHEAD, MOST_RUNNING},
};

#[async_trait]
impl Places for PostgresStore {
    async fn queue_place(&self, account: AccountId, id: GenerationId) -> crate::Result<Option<QueuePlace>> {
        snapshot!(self, |db| queue_place(db, account, id))
    }

    async fn recent_runs(&self) -> crate::Result<Vec<RecentRun>> {
        read!(self, |db| recent_runs(db))
    }
}

/// The generation, how many of its account come before it, how many run in its lane, and the weight of its account.
pub(super) const OWN: &str = concat!(
    "SELECT m.lane, m.run_at,
        (SELECT count(*) FROM (
             SELECT 1 FROM generations g WHERE g.state = 'queued' AND g.lane = m.lane AND g.account = m.account
                 AND (g.run_at, g.id) < (m.run_at, m.id) LIMIT $3) own),
        (SELECT count(*) FROM (
             SELECT 1 FROM generations g WHERE ",
    is_open!(),
    " AND g.state = 'running' AND g.lane = m.lane
             LIMIT $4) running),
        (SELECT coalesce(p.weight, 1)::bigint
         FROM accounts a LEFT JOIN plans p ON p.name = a.plan_name WHERE a.id = m.account)
    FROM generations m WHERE m.id = $1 AND m.account = $2 AND m.state = 'queued'"
);

/// The models of those of an account that come before a place in a lane.
pub(super) const MODELS: &str = "SELECT model, count(*) FROM (
        SELECT model FROM generations
        WHERE state = 'queued' AND lane = $1 AND account = $2 AND (run_at, id) < ($3::bigint, $4::uuid) LIMIT $5) own
    GROUP BY model ORDER BY model";

/// One seek in the index for each account, until enough come before the generation. Of each other account these are
/// as many as it weighs in each of `$8` rounds, and of the next round those that are due before it.
pub(super) const OTHERS: &str = "WITH RECURSIVE seen (account, accounts, ahead) AS (
        SELECT '00000000-0000-0000-0000-000000000000'::uuid, 0::bigint, $2::bigint
        UNION ALL
        SELECT n.account, seen.accounts + 1, seen.ahead + CASE WHEN n.account = $5 THEN 0 ELSE (
            SELECT count(*) FROM (
                SELECT f.run_at, f.id, row_number() OVER (ORDER BY f.run_at, f.id) AS nth FROM (
                    SELECT run_at, id FROM generations
                    WHERE state = 'queued' AND lane = $1 AND account = n.account
                    ORDER BY run_at, id LIMIT LEAST(($8::bigint + 1) * n.weight, $6::bigint + 1)) f) w
            WHERE w.nth <= $8::bigint * n.weight OR (w.run_at, w.id) < ($3::bigint, $4::uuid)) END
        FROM seen CROSS JOIN LATERAL (
            SELECT g.account, coalesce(p.weight, 1)::bigint AS weight FROM (
                SELECT account FROM generations
                WHERE state = 'queued' AND lane = $1 AND account > seen.account ORDER BY account LIMIT 1) g
            JOIN accounts a ON a.id = g.account LEFT JOIN plans p ON p.name = a.plan_name) n
        WHERE seen.ahead <= $6::bigint AND seen.accounts <= $7::bigint)
    SELECT max(ahead), max(accounts) FROM seen";

async fn queue_place(db: &Db, account: AccountId, id: GenerationId) -> Result<Option<QueuePlace>> {
    let (most, running) = (i64::from(MOST_AHEAD) + 1, i64::from(MOST_RUNNING));
    let Some(found) = row(db, OWN, &[&id.0, &account.0, &most, &running]).await? else {
        return Ok(None);
    };
    let (lane, run_at): (String, i64) = (get(&found, 0)?, get(&found, 1)?);
    let (own, running): (i64, i64) = (get(&found, 2)?, get(&found, 3)?);
    let rounds = own / get::<i64>(&found, 4)?.max(1);
    let (ahead, accounts) = (i64::from(MOST_AHEAD), i64::from(MOST_ACCOUNTS));
    let lane_text = text(&lane);
    let others = the_row(
        db,
        OTHERS,
        &[
            &lane_text, &own, &run_at, &id.0, &account.0, &ahead, &accounts, &rounds,
        ],
    )
    .await?;
    let found = rows(db, MODELS, &[&lane_text, &account.0, &run_at, &id.0, &most]).await?;
    let model = |found| Ok::<_, super::error::Error>((get(found, 0)?, get::<i64>(found, 1)? as u32));
    let models = found.iter().map(model).collect::<Result<_>>()?;
    let number = |column| Ok::<_, super::error::Error>(get::<i64>(&others, column)? as u32);
    Ok(Some(QueuePlace::new(
        lane,
        number(0)?,
        number(1)?,
        running as u32,
        models,
    )))
}

/// The times of those of the newest generations before `$1` that completed in their first attempt.
pub(super) const NEWEST: &str = "SELECT lane, model, ended_at - started_at FROM (
        SELECT lane, model, state, attempt, started_at, ended_at FROM generations
        WHERE id < $1 ORDER BY id DESC LIMIT $2) newest
    WHERE state = 'completed' AND attempt = 1 AND started_at IS NOT NULL";

async fn recent_runs(db: &Db) -> Result<Vec<RecentRun>> {
    let due_first = row(
        db,
        "SELECT id FROM generations WHERE ended_at IS NULL ORDER BY deadline LIMIT 1",
        &[],
    )
    .await?;
    let due_first: Option<Uuid> = due_first.as_ref().map(|found| get(found, 0)).transpose()?;
    let mut runs = Vec::new();
    for before in [Some(Uuid::max()), due_first].into_iter().flatten() {
        let found = rows(db, NEWEST, &[&before, &i64::from(LOOK_BACK)]).await?;
        for one in &found {
            runs.push(RecentRun::new(get(one, 0)?, get(one, 1)?, get(one, 2)?));
        }
    }
    Ok(runs)
}
