//! Generations that wait until a person decides. Generations are locked before decisions.

use atelier_domain::{GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    changes,
    error::Result,
    row::{get, text},
    write::{Db, execute, row, rows},
};
use crate::{
    Decision, OVERTURNED, REVIEW_LANE, ReviewHold, Verdict,
    decisions::{NEVER, decision, decision_columns},
};

pub(super) async fn hold(db: &Db, hold: &ReviewHold) -> Result<bool> {
    let one = &hold.decision;
    let found = row(
        db,
        "SELECT run_at, deadline FROM generations WHERE id = $1 AND epoch = $2 AND state = 'running'
         FOR NO KEY UPDATE",
        &[&one.generation.0, &hold.epoch],
    )
    .await?;
    let (Some(found), Some(review)) = (found, &one.review) else {
        return Ok(false);
    };
    let place: i64 = get(&found, 0)?;
    let (left, deadline) = hold.deadlines(get(&found, 1)?);
    execute(
        db,
        "UPDATE generations SET state = 'queued', worker = NULL, lease_until = NULL, progress = 0,
                                attempt = attempt - 1, lane = $2, run_at = $3, deadline = $4
         WHERE id = $1",
        &[&one.generation.0, &REVIEW_LANE, &NEVER, &deadline],
    )
    .await?;
    // An earlier attempt may have been decided about by the same rule: unchecked, for example.
    execute(
        db,
        "INSERT INTO policy_decisions (id, at, rule, stage, decision, account, model, generation, part, review_until,
                                       review_approves, queue_place, time_left)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (generation, stage, rule) DO UPDATE SET
             decision = excluded.decision, part = excluded.part, review_until = excluded.review_until,
             review_approves = excluded.review_approves, queue_place = excluded.queue_place,
             time_left = excluded.time_left, settled_at = NULL, verdict = NULL, verdict_at = NULL, note = NULL",
        &[
            &one.id,
            &one.at.0,
            &text(&one.rule),
            &one.stage,
            &one.decision,
            &one.account.0,
            &text(&one.model),
            &one.generation.0,
            &text(&review.part),
            &review.until.0,
            &review.approves,
            &place,
            &left,
        ],
    )
    .await?;
    Ok(true)
}

pub(super) async fn decide(db: &Db, verdict: &Verdict) -> Result<Option<Decision>> {
    const DECIDE: &str = concat!(
        "UPDATE policy_decisions SET verdict = $2, verdict_at = $3, note = $4
         WHERE id = $1 AND review_until IS NOT NULL AND settled_at IS NULL AND verdict IS NULL RETURNING ",
        decision_columns!()
    );
    said(db, verdict, DECIDE, verdict.verdict).await
}

pub(super) async fn overturn(db: &Db, verdict: &Verdict) -> Result<Option<Decision>> {
    const OVERTURN: &str = concat!(
        "UPDATE policy_decisions SET verdict = $2, verdict_at = $3, note = $4
         WHERE id = $1 AND ((decision = 'refused' AND verdict IS NULL)
                            OR (verdict = 'refused' AND settled_at IS NOT NULL)) RETURNING ",
        decision_columns!()
    );
    said(db, verdict, OVERTURN, OVERTURNED).await
}

/// The decision after it was changed, with its record.
async fn said(db: &Db, verdict: &Verdict, change: &str, word: &str) -> Result<Option<Decision>> {
    let note = text(&verdict.note);
    let found = row(db, change, &[&verdict.id, &word, &verdict.now.0, &note]).await?;
    let Some(found) = found else {
        return Ok(None);
    };
    changes::record(db, &verdict.record).await?;
    decision(&found).map(Some)
}

pub(super) async fn due(db: &Db, now: Timestamp, limit: u32) -> Result<Vec<Decision>> {
    const DUE: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions WHERE review_until IS NOT NULL AND settled_at IS NULL
             AND (verdict IS NOT NULL OR review_until <= $1)
         ORDER BY review_until, id LIMIT $2"
    );
    let found = rows(db, DUE, &[&now.0, &i64::from(limit)]).await?;
    found.iter().map(decision).collect()
}

pub(super) async fn release(db: &Db, id: GenerationId, lane: &str, now: Timestamp) -> Result<bool> {
    let waits = row(
        db,
        "SELECT id FROM generations WHERE id = $1 AND state = 'queued' AND run_at = $2 FOR NO KEY UPDATE",
        &[&id.0, &NEVER],
    )
    .await?;
    let found = row(
        db,
        "SELECT queue_place, time_left FROM policy_decisions
         WHERE generation = $1 AND review_until IS NOT NULL AND settled_at IS NULL AND verdict = 'approved'
         FOR NO KEY UPDATE",
        &[&id.0],
    )
    .await?;
    let Some(found) = found else {
        return Ok(false);
    };
    let (place, left): (i64, i64) = (get(&found, 0)?, get(&found, 1)?);
    if waits.is_some() {
        execute(
            db,
            "UPDATE generations SET lane = $2, run_at = $3, deadline = $4,
                                    started_at = CASE WHEN attempt = 0 THEN $5 ELSE started_at END
             WHERE id = $1",
            &[&id.0, &text(lane), &place, &now.0.saturating_add(left), &now.0],
        )
        .await?;
    }
    settle(db, id.0, now).await?;
    Ok(waits.is_some())
}

/// A generation does not wait any more.
pub(super) async fn settle(db: &Db, generation: Uuid, now: Timestamp) -> Result<()> {
    execute(
        db,
        "UPDATE policy_decisions SET settled_at = $2, verdict = coalesce(verdict, 'withdrawn'),
                                     verdict_at = coalesce(verdict_at, $2)
         WHERE generation = $1 AND review_until IS NOT NULL AND settled_at IS NULL",
        &[&generation, &now.0],
    )
    .await?;
    Ok(())
}
