//! The decisions of the content policy.

use async_trait::async_trait;
use atelier_domain::{GenerationId, Timestamp};
use rusqlite::{Connection, Row, params};
use uuid::Uuid;

use super::{SqliteStore, reviews, writer::durable};
use crate::{
    Decision, DecisionCount, DecisionFilter, Decisions, MarkCount, Result, ReviewHold, Verdict,
    decisions::{decision, decision_columns},
    history::first_id,
};

#[async_trait]
impl Decisions for SqliteStore {
    async fn note_decision(&self, decision: &Decision) -> Result<()> {
        let decision = decision.clone();
        self.writer
            .write(durable!("note_decision"), move |db| note(db, &decision))
            .await
    }

    async fn hold_for_review(&self, hold: &ReviewHold) -> Result<bool> {
        let hold = hold.clone();
        self.writer
            .write(durable!("hold_for_review"), move |db| reviews::hold(db, &hold))
            .await
    }

    async fn decide_review(&self, verdict: &Verdict) -> Result<Option<Decision>> {
        let verdict = verdict.clone();
        self.writer
            .write(durable!("decide_review"), move |db| reviews::decide(db, &verdict))
            .await
    }

    async fn reviews_due(&self, now: Timestamp, limit: u32) -> Result<Vec<Decision>> {
        self.scan(move |db| reviews::due(db, now, limit)).await
    }

    async fn release_review(&self, id: GenerationId, lane: &str, now: Timestamp) -> Result<bool> {
        let lane = lane.to_owned();
        self.writer
            .write(durable!("release_review"), move |db| {
                reviews::release(db, id, &lane, now)
            })
            .await
    }

    async fn overturn_decision(&self, verdict: &Verdict) -> Result<Option<Decision>> {
        let verdict = verdict.clone();
        self.writer
            .write(durable!("overturn_decision"), move |db| {
                reviews::overturn(db, &verdict)
            })
            .await
    }

    async fn decisions(
        &self,
        filter: DecisionFilter,
        before: Option<Uuid>,
        limit: u32,
    ) -> Result<Vec<Decision>> {
        self.scan(move |db| list(db, &filter, before, limit)).await
    }

    async fn decision_counts(&self, from: Timestamp, until: Timestamp) -> Result<Vec<DecisionCount>> {
        self.scan(move |db| counts(db, from, until)).await
    }

    async fn marks(&self, from: Timestamp, until: Timestamp) -> Result<Vec<MarkCount>> {
        self.scan_long(move |db| marks(db, from, until)).await
    }
}

fn note(db: &Connection, one: &Decision) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO policy_decisions (id, at, rule, stage, decision, account, model, generation)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
    )?
    .execute(params![
        one.id,
        one.at.0,
        one.rule,
        one.stage,
        one.decision,
        one.account.0,
        one.model,
        one.generation.0
    ])?;
    Ok(())
}

fn list(db: &Connection, filter: &DecisionFilter, before: Option<Uuid>, limit: u32) -> Result<Vec<Decision>> {
    const LIST: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions
         WHERE id < ?1 AND (?2 IS NULL OR account = ?2) AND (?3 IS NULL OR rule = ?3)
             AND (?5 IS NULL OR id = ?5) AND (?6 IS NULL OR decision = ?6) AND (?7 IS NULL OR verdict = ?7)
         ORDER BY id DESC LIMIT ?4"
    );
    const WAITING: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions WHERE review_until IS NOT NULL AND settled_at IS NULL AND verdict IS NULL
         ORDER BY review_until, id LIMIT ?1"
    );
    const OF_GENERATION: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions WHERE generation = ?1 ORDER BY id DESC LIMIT ?2"
    );
    let read = |row: &Row<'_>| decision(row);
    if filter.waiting {
        let mut found = db.prepare_cached(WAITING)?;
        return found.query_and_then([limit], read)?.collect();
    }
    if let Some(generation) = filter.generation {
        let mut found = db.prepare_cached(OF_GENERATION)?;
        return found
            .query_and_then(params![generation.0, limit], read)?
            .collect();
    }
    db.prepare_cached(LIST)?
        .query_and_then(
            params![
                before.unwrap_or(Uuid::max()),
                filter.account.map(|account| account.0),
                filter.rule,
                limit,
                filter.id,
                filter.decision,
                filter.verdict,
            ],
            read,
        )?
        .collect()
}

fn counts(db: &Connection, from: Timestamp, until: Timestamp) -> Result<Vec<DecisionCount>> {
    db.prepare_cached(
        "SELECT rule, stage, decision, count(*),
                count(CASE WHEN verdict = 'overturned' THEN 1 END) FROM policy_decisions WHERE id >= ?1 AND id < ?2
         GROUP BY rule, stage, decision ORDER BY rule, stage, decision",
    )?
    .query_and_then(params![first_id(from), first_id(until)], |row: &Row<'_>| {
        Ok(DecisionCount {
            rule: row.get(0)?,
            stage: row.get(1)?,
            decision: row.get(2)?,
            count: row.get::<_, i64>(3)?.unsigned_abs(),
            overturned: row.get::<_, i64>(4)?.unsigned_abs(),
        })
    })?
    .collect()
}

fn marks(db: &Connection, from: Timestamp, until: Timestamp) -> Result<Vec<MarkCount>> {
    db.prepare_cached(
        "SELECT model, coalesce(served_by, ''), json_extract(output, '$.metadata.watermark') AS mark,
                json_extract(output, '$.metadata.credentials') AS signed, count(*)
         FROM generations WHERE id >= ?1 AND id < ?2 AND state = 'completed'
         GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
    )?
    .query_and_then(params![first_id(from), first_id(until)], |row: &Row<'_>| {
        Ok(MarkCount {
            model: row.get(0)?,
            engine: row.get(1)?,
            watermark: row.get(2)?,
            credentials: row.get(3)?,
            jobs: row.get::<_, i64>(4)?.unsigned_abs(),
        })
    })?
    .collect()
}
