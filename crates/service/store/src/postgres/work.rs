//! The queue: leases, and what returns to the queue. Several generations are locked in the order of their ids.

use std::collections::{HashMap, HashSet};

use atelier_domain::{GenerationId, Timestamp};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    error::Result,
    row::{get, optional_text, text},
    write::{BY_ENTRY, Db, execute, is_open, rows},
};
use crate::{Beat, REVIEW_LANE, Retry, Unrenewed, values};

/// The most idempotency keys removed in one write, so that other writes wait only this long.
pub(super) const PURGE: u32 = 5_000;

/// Rows that others have locked are not waited for, so that one of them does not end all attempts of the worker.
pub(super) async fn heartbeat(db: &Db, beats: &[Beat], lease_until: Timestamp) -> Result<Unrenewed> {
    let ids: Vec<Uuid> = beats.iter().map(|beat| beat.id.0).collect();
    let epochs: Vec<i64> = beats.iter().map(|beat| beat.epoch).collect();
    let progress: Vec<f64> = beats.iter().map(Beat::clamped_progress).collect();
    let renewed = rows(
        db,
        "WITH held AS MATERIALIZED (
             SELECT g.id, t.progress FROM generations g
             JOIN unnest($1::uuid[], $2::bigint[], $3::double precision[]) AS t (id, epoch, progress)
                 ON g.id = t.id AND g.epoch = t.epoch
             WHERE g.state = 'running' ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED)
         UPDATE generations g SET lease_until = $4, progress = held.progress FROM held WHERE g.id = held.id
         RETURNING g.id",
        &[&ids, &epochs, &progress, &lease_until.0],
    )
    .await?;
    if renewed.len() == beats.len() {
        return Ok(Unrenewed::default());
    }
    let held = rows(
        db,
        "SELECT g.id FROM generations g JOIN unnest($1::uuid[], $2::bigint[]) AS t (id, epoch)
             ON g.id = t.id AND g.epoch = t.epoch WHERE g.state = 'running'",
        &[&ids, &epochs],
    )
    .await?;
    let set = |rows: &[Row]| {
        rows.iter()
            .map(|row| get(row, 0))
            .collect::<Result<HashSet<Uuid>>>()
    };
    let (renewed, held) = (set(&renewed)?, set(&held)?);
    let rest = beats
        .iter()
        .map(|beat| beat.id)
        .filter(|id| !renewed.contains(&id.0));
    let (locked, lost) = rest.partition(|id| held.contains(&id.0));
    Ok(Unrenewed { lost, locked })
}

pub(super) async fn note_request(db: &Db, id: GenerationId, epoch: i64, request: &str) -> Result<bool> {
    let changed = execute(
        db,
        "UPDATE generations SET request = $3 WHERE id = $1 AND epoch = $2 AND state = 'running'",
        &[&id.0, &epoch, &text(request)],
    )
    .await?;
    Ok(changed > 0)
}

/// The running attempt as an item of `past_attempts`: `$1` is now, `$2` its outcome.
macro_rules! with_this_attempt {
    () => {
        "(coalesce(g.past_attempts, '[]')::jsonb || jsonb_build_array(jsonb_build_object(
             'engine', g.served_by, 'started_at', g.attempt_started_at, 'ended_at', $1::bigint, 'outcome', $2::text,
             'request', g.request)))::text"
    };
}

/// A request to a provider ends with the attempt that made it, unless the next attempt resumes it.
pub(super) async fn retry(db: &Db, retry: &Retry) -> Result<bool> {
    const RETRY: &str = concat!(
        "UPDATE generations g SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, run_at = $5,
                                  last_failure = $6, lane = coalesce($7, g.lane),
                                  request = CASE WHEN $8 THEN g.request END, past_attempts = ",
        with_this_attempt!(),
        " WHERE g.id = $3 AND g.epoch = $4 AND g.state = 'running'"
    );
    let changed = execute(
        db,
        RETRY,
        &[
            &retry.now.0,
            &retry.failure.code.as_str(),
            &retry.id.0,
            &retry.epoch,
            &retry.run_at.0,
            &values::to_json(&retry.failure)?,
            &optional_text(retry.lane.as_ref()),
            &retry.failure.resumes,
        ],
    )
    .await?;
    Ok(changed > 0)
}

/// Each returns to its place in the queue: its age does not change.
pub(super) async fn give_back(db: &Db, held: &[(GenerationId, i64)], now: Timestamp) -> Result<()> {
    let (ids, epochs): (Vec<Uuid>, Vec<i64>) = held.iter().map(|(id, epoch)| (id.0, *epoch)).unzip();
    execute(
        db,
        "WITH held AS MATERIALIZED (
             SELECT g.id FROM generations g JOIN unnest($1::uuid[], $2::bigint[]) AS t (id, epoch)
                 ON g.id = t.id AND g.epoch = t.epoch
             WHERE g.state = 'running' ORDER BY g.id FOR NO KEY UPDATE OF g)
         UPDATE generations g SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0,
                                  attempt = g.attempt - 1, run_at = least(g.run_at, $3)
         FROM held WHERE g.id = held.id",
        &[&ids, &epochs, &now.0],
    )
    .await?;
    Ok(())
}

pub(super) const REQUEUE: &str = concat!(
    "WITH lost AS MATERIALIZED (
         SELECT id FROM generations
         WHERE ",
    is_open!(),
    " AND state = 'running' AND lease_until <= $1 AND attempt < $3
         ORDER BY lease_until LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED)
     UPDATE generations g SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0, run_at = $1,
                              past_attempts = ",
    with_this_attempt!(),
    " FROM lost WHERE g.id = lost.id"
);

/// Each goes to the end of the queue: a job that kills its worker every time must not block all others.
pub(super) async fn requeue_lost(db: &Db, now: Timestamp, max_attempts: u32, limit: u32) -> Result<u32> {
    db.batch_execute(BY_ENTRY).await?;
    let changed = execute(
        db,
        REQUEUE,
        &[&now.0, &"lost", &i64::from(max_attempts), &i64::from(limit)],
    )
    .await?;
    Ok(u32::try_from(changed).unwrap_or(u32::MAX))
}

/// Skips what another node is claiming or moving now: that node decides where it goes.
pub(super) async fn assign_lanes(db: &Db, lanes: &HashMap<String, Vec<String>>) -> Result<u32> {
    let (mut models, mut firsts, mut served, mut serving) = (vec![], vec![], vec![], vec![]);
    for (model, lanes) in lanes {
        if let Some(first) = lanes.first() {
            models.push(text(model));
            firsts.push(text(first));
        }
        for lane in lanes {
            served.push(text(model));
            serving.push(text(lane));
        }
    }
    let moved = execute(
        db,
        "WITH elsewhere AS MATERIALIZED (
             SELECT g.id, t.lane FROM generations g JOIN unnest($1::text[], $2::text[]) AS t (model, lane)
                 ON g.model = t.model AND g.lane <> t.lane
             WHERE g.state = 'queued' AND g.lane <> $3 AND (g.attempt = 0 OR NOT EXISTS (
                 SELECT 1 FROM unnest($4::text[], $5::text[]) AS o (model, lane)
                 WHERE o.model = g.model AND o.lane = g.lane))
             FOR NO KEY UPDATE OF g SKIP LOCKED)
         UPDATE generations g SET lane = elsewhere.lane FROM elsewhere WHERE g.id = elsewhere.id",
        &[&models, &firsts, &REVIEW_LANE, &served, &serving],
    )
    .await?;
    Ok(u32::try_from(moved).unwrap_or(u32::MAX))
}

/// Removes at most [`PURGE`] keys and returns how many.
pub(super) async fn purge_idempotency(db: &Db, before: Timestamp) -> Result<u32> {
    let purged = execute(
        db,
        "WITH old AS MATERIALIZED (
             SELECT account, key FROM idempotency WHERE used_at < $1 ORDER BY used_at LIMIT $2
             FOR UPDATE SKIP LOCKED)
         DELETE FROM idempotency i USING old WHERE i.account = old.account AND i.key = old.key",
        &[&before.0, &i64::from(PURGE)],
    )
    .await?;
    Ok(u32::try_from(purged).unwrap_or(u32::MAX))
}
