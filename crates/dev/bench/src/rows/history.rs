//! A store with a long history: ended jobs of the last year, written as the service would write them, but without
//! the service.

use std::{sync::Arc, time::Duration};

use atelier_domain::{
    AccountId, Asset, Clock as _, DeliveryId, Event, Failure, FailureCode, FileName, Generation,
    GenerationId, MediaKind, MediaType, NewGeneration, Output, Timestamp, WorkerId, clock::SystemClock,
};
use atelier_store::{
    Accept, Accepted, Claim, Ending, Finish, Finished, NewDelivery, Outcome, Store,
    sqlite::{Options, SqliteStore},
};
use futures::future::try_join_all;
use rusqlite::Connection;
use serde_json::{Map, json};
use uuid::Uuid;

use crate::{
    error::{Error, Result},
    server::Data,
};

/// How many jobs are written at the same time: at most the length of the store's queue.
const AT_A_TIME: u64 = 2_000;
const LANE: &str = "echo";

/// The jobs are spread over the last year.
const SPAN: Duration = Duration::from_hours(8760);
/// One job in this many has failed, and one in this many has a webhook.
pub(super) const SOME: u64 = 10;

/// Writes ended jobs. The deliveries of jobs with a webhook wait for a server that sends them to this URL.
pub(super) async fn fill(data: &Data, jobs: u64, webhook: Option<&str>) -> Result<()> {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(Options::new(data.path().join("atelier.db")))?);
    let account = store.account_by_name("bench").await?;
    let account = account
        .ok_or_else(|| Error::Unexpected("the account is missing".to_owned()))?
        .id;
    let begun = SystemClock.now().minus(SPAN);
    let at = |number: u64| begun.plus(SPAN.mul_f64(number as f64 / jobs as f64));
    let mut written = 0;
    while written < jobs {
        let now = AT_A_TIME.min(jobs - written);
        let accepts = (written..written + now).map(|number| {
            let webhook = webhook.filter(|_| number % SOME == 1);
            store.accept(accept(account, number, at(number), webhook))
        });
        if try_join_all(accepts)
            .await?
            .iter()
            .any(|accepted| !matches!(accepted, Accepted::Accepted(_)))
        {
            return Err(Error::Unexpected("the store does not accept jobs".to_owned()));
        }
        let claimed_at = at(written + now);
        let claimed = store.claim(Claim {
            models: None,
            worker: WorkerId(Uuid::nil()),
            lane: LANE.to_owned(),
            max: now as u32,
            now: claimed_at,
            lease_until: claimed_at.plus(Duration::from_mins(1)),
        });
        let finishes = (written..)
            .zip(claimed.await?)
            .map(|(number, claimed)| store.finish(finish(&claimed, number, claimed_at)));
        let finished = try_join_all(finishes).await?;
        let ended = finished
            .iter()
            .filter(|finished| matches!(finished, Finished::Ended { .. }))
            .count();
        if ended as u64 != now {
            return Err(Error::Unexpected(format!("{ended} of {now} jobs ended")));
        }
        written += now;
    }
    Ok(store.close().await?)
}

/// Copies the account's ended jobs until there are so many, over the last year and these accounts. The first account
/// gets a tenth. Only the rows that lists read: no entries, no deliveries.
pub(super) fn multiply(data: &Data, jobs: u64, accounts: u64) -> Result<()> {
    let mut db = Connection::open(data.path().join("atelier.db"))?;
    db.execute_batch("PRAGMA synchronous = off; PRAGMA cache_size = -500000")?;
    let columns = |table: &str| -> Result<Vec<String>> {
        let mut named = db.prepare("SELECT name FROM pragma_table_info(?1)")?;
        let names = named.query_map([table], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
    };
    let of_accounts = columns("accounts")?.join(", ");
    let of_jobs = columns("generations")?.join(", ");
    let begun = SystemClock.now().minus(SPAN).micros();
    let span = SPAN.as_micros() as i64;
    let write = db.transaction()?;
    // The first account comes first.
    write.execute_batch(
        "CREATE TEMP TABLE owners (number INTEGER PRIMARY KEY, id BLOB);
         INSERT INTO owners (number, id) SELECT 0, id FROM accounts WHERE name = 'bench';
         CREATE TEMP TABLE patterns (number INTEGER PRIMARY KEY, seq INTEGER);
         INSERT INTO patterns (number, seq)
             SELECT row_number() OVER (ORDER BY seq) - 1, seq FROM generations;",
    )?;
    for number in 1..accounts {
        let copy = of_accounts
            .replacen("id", "?1", 1)
            .replacen("name", "'account ' || ?2", 1);
        let id = Uuid::from_u128(u128::from(number));
        let sql =
            format!("INSERT INTO accounts ({of_accounts}) SELECT {copy} FROM accounts WHERE name = 'bench'");
        write.execute(&sql, (id.as_bytes(), number as i64))?;
        write.execute(
            "INSERT INTO owners (number, id) VALUES (?2, ?1)",
            (id.as_bytes(), number as i64),
        )?;
    }
    let job = of_jobs
        .split(", ")
        .map(|column| match column {
            "seq" => "NULL".to_owned(),
            "id" => "CAST(unhex(printf('%012x', n.at / 1000)) || randomblob(10) AS BLOB)".to_owned(),
            "account" => "o.id".to_owned(),
            "created_at" | "started_at" | "ended_at" => format!("n.at + g.{column} - g.created_at"),
            other => format!("g.{other}"),
        })
        .collect::<Vec<_>>()
        .join(", ");
    // The multiplications by primes spread accounts and patterns.
    let sql = format!(
        "WITH RECURSIVE n (i, at) AS
             (SELECT 0, ?2 UNION ALL SELECT i + 1, ?2 + ?3 / ?1 * (i + 1) FROM n WHERE i + 1 < ?1)
         INSERT INTO generations ({of_jobs}) SELECT {job} FROM n
         JOIN owners o ON o.number = iif(i % 10 = 0, 0, i * 7919 % ?4)
         JOIN patterns p ON p.number = i * 104729 % (SELECT count(*) FROM patterns)
         JOIN generations g ON g.seq = p.seq"
    );
    write.execute(&sql, (jobs as i64, begun, span, accounts as i64))?;
    write.execute_batch(
        "DELETE FROM usage;
         INSERT INTO usage (account, day, model, outcome, kind, generations, credits)
             SELECT account, ended_at / 86400000000, model,
                    iif(state = 'completed', state, json_extract(failure, '$.code')), kind, count(*),
                    sum(coalesce(charged, 0))
             FROM generations GROUP BY 1, 2, 3, 4;",
    )?;
    write.commit()?;
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(())
}

/// Puts jobs of the account into the queue of a lane, a little before now.
pub(super) async fn queue(data: &Data, jobs: u64, lane: &str) -> Result<()> {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(Options::new(data.path().join("atelier.db")))?);
    let account = store.account_by_name("bench").await?;
    let account = account
        .ok_or_else(|| Error::Unexpected("the account is missing".to_owned()))?
        .id;
    let now = SystemClock.now().minus(Duration::from_secs(1));
    let mut written = 0;
    while written < jobs {
        let next = AT_A_TIME.min(jobs - written);
        let accepts = (written..written + next).map(|number| {
            let mut accept = accept(account, number, now, None);
            lane.clone_into(&mut accept.lane);
            accept.generation.deadline = now.plus(Duration::from_hours(1));
            store.accept(accept)
        });
        try_join_all(accepts).await?;
        written += next;
    }
    Ok(store.close().await?)
}

fn accept(account: AccountId, number: u64, now: Timestamp, webhook: Option<&str>) -> Accept {
    let mut distinct = [0; 10];
    distinct[2..].copy_from_slice(&number.to_be_bytes());
    let id = uuid::Builder::from_unix_timestamp_millis(now.millis().unsigned_abs(), &distinct).into_uuid();
    let mut params = Map::new();
    params.insert(
        "prompt".to_owned(),
        json!("a lighthouse on a cliff at dusk, watercolor"),
    );
    params.insert("resolution".to_owned(), json!("2K"));
    params.insert("n".to_owned(), json!(1));
    Accept {
        generation: Generation::queued(NewGeneration {
            id: GenerationId(id),
            account,
            model: "image-gen-4".to_owned(),
            kind: MediaKind::Image,
            params,
            webhook_url: webhook.map(ToOwned::to_owned),
            hold: 1,
            created_at: now,
            deadline: now.plus(Duration::from_mins(5)),
        }),
        lane: LANE.to_owned(),
        idempotency: None,
        files: Vec::new(),
        default_per_minute: 60_000_000,
        key: None,
    }
}

fn finish(claimed: &Generation, number: u64, now: Timestamp) -> Finish {
    let (event, outcome) = if number.is_multiple_of(SOME) {
        let message = "the input picture cannot be read";
        (
            Event::Failed,
            Outcome::Failed(Failure::fail(FailureCode::InvalidInput, message)),
        )
    } else {
        let file = FileName::new(&[7; 32], MediaType::Png);
        let assets = vec![Asset {
            file,
            kind: MediaKind::Image,
        }];
        let output = Output {
            assets,
            timestamps: None,
            metadata: None,
        };
        let charge = claimed.hold;
        (Event::Completed, Outcome::Completed { output, charge })
    };
    let delivery = claimed.webhook_url.as_ref().map(|url| NewDelivery {
        id: DeliveryId(claimed.id.0),
        event,
        url: url.clone(),
        host: "127.0.0.1".to_owned(),
        endpoint: None,
        body: br#"{"event":"generation.completed"}"#.to_vec(),
    });
    Finish {
        id: claimed.id,
        account: claimed.account,
        epoch: claimed.epoch,
        now,
        served_by: LANE.to_owned(),
        ending: Ending { outcome, delivery },
        if_uncovered: None,
        deliver_now: None,
    }
}
