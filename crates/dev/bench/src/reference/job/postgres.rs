//! The writes of jobs to PostgreSQL: all waiting steps in one transaction, which is sent at once, with one statement
//! for each table and kind of step.

use std::sync::Arc;

use futures::future::try_join_all;
use tokio_postgres::{Client, Statement, types::ToSql};
use uuid::Uuid;

use super::{Job, LANE, LATER, NOW, Shared, Step, Steps, output, written};
use crate::{
    database::{connect, failed},
    error::Result,
    reference::BATCH,
};

pub(super) async fn start(url: &str, steps: Steps, shared: Arc<Shared>) -> Result<()> {
    let writer = Writer::connect(url).await?;
    tokio::spawn(write(writer, steps, shared));
    Ok(())
}

async fn write(writer: Writer, mut steps: Steps, shared: Arc<Shared>) {
    let mut batch = Vec::with_capacity(BATCH);
    while steps.recv_many(&mut batch, BATCH).await > 0 {
        let committed = writer.commit(&batch).await;
        if written(&mut batch, committed, &shared).is_err() {
            return;
        }
    }
}

struct Writer {
    db: Client,
    account: Uuid,
    accept: Statement,
    claim: Statement,
    finish: Statement,
    book: Statement,
    send: Statement,
    deliver: Statement,
    note: Statement,
    count: Statement,
}

impl Writer {
    async fn connect(url: &str) -> Result<Self> {
        let db = connect(url).await?;
        db.batch_execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off")
            .await
            .map_err(failed)?;
        let first = "SELECT id FROM accounts ORDER BY id LIMIT 1";
        let account = db.query_one(first, &[]).await.map_err(failed)?;
        let of = &db;
        let prepare = |sql| async move { of.prepare(sql).await.map_err(failed) };
        Ok(Self {
            account: account.try_get(0).map_err(failed)?,
            accept: prepare(ACCEPT).await?,
            claim: prepare(CLAIM).await?,
            finish: prepare(FINISH).await?,
            book: prepare(BOOK).await?,
            send: prepare(SEND).await?,
            deliver: prepare(DELIVER).await?,
            note: prepare(NOTE).await?,
            count: prepare(COUNT).await?,
            db,
        })
    }

    async fn commit(&self, batch: &[Step]) -> Result<()> {
        let jobs = Columns::of(batch);
        let (held, settled) = (jobs.accepted.len() as i64, jobs.finished.len() as i64);
        let (account, output) = (self.account, output());
        let writes: [(bool, &Statement, &[&(dyn ToSql + Sync)]); 8] = [
            (
                jobs.accepted.is_empty(),
                &self.accept,
                &[
                    &account,
                    &LANE,
                    &NOW,
                    &LATER,
                    &jobs.accepted,
                    &jobs.webhooks,
                    &jobs.params,
                ],
            ),
            (
                jobs.claimed.is_empty(),
                &self.claim,
                &[&jobs.claimed, &account, &LATER, &NOW, &LANE],
            ),
            (
                jobs.finished.is_empty(),
                &self.finish,
                &[&jobs.finished, &NOW, &output],
            ),
            (
                jobs.booked.is_empty(),
                &self.book,
                &[
                    &account,
                    &NOW,
                    &jobs.booked,
                    &jobs.kinds,
                    &jobs.available,
                    &jobs.held,
                    &jobs.spent,
                ],
            ),
            (
                jobs.finished.is_empty(),
                &self.send,
                &[&account, &LATER, &NOW, &jobs.finished, &jobs.urls, &jobs.bodies],
            ),
            (jobs.delivered.is_empty(), &self.deliver, &[&jobs.delivered, &NOW]),
            (jobs.delivered.is_empty(), &self.note, &[&jobs.delivered, &NOW]),
            // Last, because another server waits for this row from here to the end of the commit.
            (
                jobs.booked.is_empty(),
                &self.count,
                &[&account, &held, &(held - settled)],
            ),
        ];
        let begin = self.db.batch_execute("BEGIN");
        let all = try_join_all(
            writes
                .iter()
                .filter(|(nothing, ..)| !nothing)
                .map(|(_, statement, parameters)| self.db.execute(*statement, parameters)),
        );
        let commit = self.db.batch_execute("COMMIT");
        // Polled in this order, which is the order in which they are sent.
        let ((), _, ()) = futures::future::try_join3(begin, all, commit)
            .await
            .map_err(failed)?;
        Ok(())
    }
}

/// What a batch writes, as columns.
#[derive(Default)]
struct Columns<'a> {
    accepted: Vec<Uuid>,
    webhooks: Vec<Option<&'a str>>,
    params: Vec<&'a str>,
    claimed: Vec<Uuid>,
    finished: Vec<Uuid>,
    urls: Vec<Option<&'a str>>,
    bodies: Vec<&'a [u8]>,
    delivered: Vec<Uuid>,
    booked: Vec<Uuid>,
    kinds: Vec<&'static str>,
    available: Vec<i64>,
    held: Vec<i64>,
    spent: Vec<i64>,
}

impl<'a> Columns<'a> {
    fn of(batch: &'a [Step]) -> Self {
        let mut columns = Self::default();
        for step in batch {
            match step {
                Step::Accept(job, _) => {
                    columns.accepted.push(job.id);
                    columns.webhooks.push(job.webhook_url());
                    columns.params.push(&job.body);
                    columns.book(job, ("hold", -1, 1, 0));
                }
                Step::Claim(job) => columns.claimed.push(job.id),
                Step::Finish(job) => {
                    columns.finished.push(job.id);
                    columns.urls.push(job.webhook_url());
                    columns.bodies.push(job.body.as_bytes());
                    columns.book(job, ("settle", 0, -1, 1));
                }
                Step::Deliver(job) => columns.delivered.push(job.id),
            }
        }
        columns
    }

    fn book(&mut self, job: &Job, (kind, available, held, spent): (&'static str, i64, i64, i64)) {
        self.booked.push(job.id);
        self.kinds.push(kind);
        self.available.push(available);
        self.held.push(held);
        self.spent.push(spent);
    }
}

const ACCEPT: &str =
    "INSERT INTO generations (id, account, state, epoch, attempt, lane, run_at, deadline, hold, progress,
                              created_at, model, kind, webhook_url, params)
     SELECT id, $1, 'queued', 0, 0, $2, $3, $4, 1, 0, $3, 'image-gen-4', 'image', webhook, params
     FROM unnest($5::uuid[], $6::text[], $7::text[]) AS t (id, webhook, params)";

const CLAIM: &str =
    "UPDATE generations SET state = 'running', epoch = 1, attempt = 1, worker = $2, lease_until = $3,
                            started_at = $4, served_by = $5, progress = 0, attempt_started_at = $4
     WHERE id = ANY($1)";

const FINISH: &str =
    "UPDATE generations SET state = 'completed', worker = NULL, lease_until = NULL, ended_at = $2, charged = 1,
                            output = $3
     WHERE id = ANY($1)";

const BOOK: &str = "INSERT INTO entries (account, generation, kind, issued, available, held, spent, at)
     SELECT $1, id, kind, 0, available, held, spent, $2
     FROM unnest($3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
          AS t (id, kind, available, held, spent)";

const SEND: &str =
    "INSERT INTO deliveries (id, generation, account, state, epoch, attempts, due_at, worker, created_at, event,
                             host, url, body)
     SELECT id, id, $1, 'sending', 1, 0, $2, id, $3, 'generation.completed', '127.0.0.1', url, body
     FROM unnest($4::uuid[], $5::text[], $6::bytea[]) AS t (id, url, body)";

const DELIVER: &str = "UPDATE deliveries SET state = 'delivered', ended_at = $2, attempts = 1, worker = NULL
     WHERE id = ANY($1)";

const NOTE: &str = "INSERT INTO attempts (delivery, number, at, latency_ms, status)
     SELECT id, 1, $2, 1, 200 FROM unnest($1::uuid[]) AS t (id)";

const COUNT: &str = "UPDATE accounts SET available = available - $2, held = held + $3 WHERE id = $1";
