//! The decisions of the content policy.

use async_trait::async_trait;
use atelier_domain::{GenerationId, Timestamp};
use uuid::Uuid;

use super::{
    PostgresStore,
    error::Result,
    reviews,
    row::{get, text},
    write::{Db, durable, execute, fenced, read, rows, snapshot, write},
};
use crate::{
    Decision, DecisionCount, DecisionFilter, Decisions, MarkCount, News, ReviewHold, Verdict,
    decisions::{decision, decision_columns},
    history::first_id,
};

#[async_trait]
impl Decisions for PostgresStore {
    async fn note_decision(&self, decision: &Decision) -> crate::Result<()> {
        let decision = decision.clone();
        write!(self, fenced!("note_decision"), |db| note(db, &decision))
    }

    // If a connection breaks during a commit, the second try finds that nothing is held: the caller's work is over
    // either way.
    async fn hold_for_review(&self, hold: &ReviewHold) -> crate::Result<bool> {
        let hold = hold.clone();
        write!(self, fenced!("hold_for_review"), |db| reviews::hold(db, &hold))
    }

    async fn decide_review(&self, verdict: &Verdict) -> crate::Result<Option<Decision>> {
        let verdict = verdict.clone();
        write!(self, durable!("decide_review"), |db| reviews::decide(
            db, &verdict
        ))
    }

    async fn reviews_due(&self, now: Timestamp, limit: u32) -> crate::Result<Vec<Decision>> {
        read!(self, |db| reviews::due(db, now, limit))
    }

    async fn release_review(&self, id: GenerationId, lane: &str, now: Timestamp) -> crate::Result<bool> {
        let to = lane.to_owned();
        let released = write!(self, fenced!("release_review"), |db| reviews::release(
            db, id, &to, now
        ))?;
        if released {
            self.inner.teller.tell(News::Work(lane.to_owned()));
        }
        Ok(released)
    }

    async fn overturn_decision(&self, verdict: &Verdict) -> crate::Result<Option<Decision>> {
        let verdict = verdict.clone();
        write!(self, durable!("overturn_decision"), |db| reviews::overturn(
            db, &verdict
        ))
    }

    async fn decisions(
        &self,
        filter: DecisionFilter,
        before: Option<Uuid>,
        limit: u32,
    ) -> crate::Result<Vec<Decision>> {
        read!(self, |db| list(db, &filter, before, limit))
    }

    async fn decision_counts(&self, from: Timestamp, until: Timestamp) -> crate::Result<Vec<DecisionCount>> {
        read!(self, |db| counts(db, from, until))
    }

    async fn marks(&self, from: Timestamp, until: Timestamp) -> crate::Result<Vec<MarkCount>> {
        snapshot!(self, long, |db| marks(db, from, until))
    }
}

async fn note(db: &Db, one: &Decision) -> Result<()> {
    execute(
        db,
        "INSERT INTO policy_decisions (id, at, rule, stage, decision, account, model, generation)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
        &[
            &one.id,
            &one.at.0,
            &text(&one.rule),
            &one.stage,
            &one.decision,
            &one.account.0,
            &text(&one.model),
            &one.generation.0,
        ],
    )
    .await?;
    Ok(())
}

async fn list(db: &Db, filter: &DecisionFilter, before: Option<Uuid>, limit: u32) -> Result<Vec<Decision>> {
    const LIST: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions
         WHERE id < $1 AND ($2::uuid IS NULL OR account = $2) AND ($3::text IS NULL OR rule = $3)
             AND ($5::uuid IS NULL OR id = $5) AND ($6::text IS NULL OR decision = $6)
             AND ($7::text IS NULL OR verdict = $7)
         ORDER BY id DESC LIMIT $4"
    );
    const WAITING: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions WHERE review_until IS NOT NULL AND settled_at IS NULL AND verdict IS NULL
         ORDER BY review_until, id LIMIT $1"
    );
    const OF_GENERATION: &str = concat!(
        "SELECT ",
        decision_columns!(),
        " FROM policy_decisions WHERE generation = $1 ORDER BY id DESC LIMIT $2"
    );
    let most = i64::from(limit);
    let found = if filter.waiting {
        rows(db, WAITING, &[&most]).await?
    } else if let Some(generation) = filter.generation {
        rows(db, OF_GENERATION, &[&generation.0, &most]).await?
    } else {
        let account = filter.account.map(|account| account.0);
        rows(
            db,
            LIST,
            &[
                &before.unwrap_or(Uuid::max()),
                &account,
                &filter.rule,
                &most,
                &filter.id,
                &filter.decision,
                &filter.verdict,
            ],
        )
        .await?
    };
    found.iter().map(decision).collect()
}

async fn counts(db: &Db, from: Timestamp, until: Timestamp) -> Result<Vec<DecisionCount>> {
    let found = rows(
        db,
        "SELECT rule, stage, decision, count(*),
                count(CASE WHEN verdict = 'overturned' THEN 1 END) FROM policy_decisions WHERE id >= $1 AND id < $2
         GROUP BY rule, stage, decision ORDER BY rule, stage, decision",
        &[&first_id(from), &first_id(until)],
    )
    .await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(DecisionCount {
            rule: get(row, 0)?,
            stage: get(row, 1)?,
            decision: get(row, 2)?,
            count: get::<i64>(row, 3)?.unsigned_abs(),
            overturned: get::<i64>(row, 4)?.unsigned_abs(),
        })
    };
    found.iter().map(read).collect()
}

async fn marks(db: &Db, from: Timestamp, until: Timestamp) -> Result<Vec<MarkCount>> {
    let found = rows(
        db,
        "SELECT model, coalesce(served_by, ''), (output::jsonb #> '{metadata,watermark}')::text,
                (output::jsonb #> '{metadata,credentials}')::text, count(*)
         FROM generations WHERE id >= $1 AND id < $2 AND state = 'completed'
         GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
        &[&first_id(from), &first_id(until)],
    )
    .await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(MarkCount {
            model: get(row, 0)?,
            engine: get(row, 1)?,
            watermark: get(row, 2)?,
            credentials: get(row, 3)?,
            jobs: get::<i64>(row, 4)?.unsigned_abs(),
        })
    };
    found.iter().map(read).collect()
}
