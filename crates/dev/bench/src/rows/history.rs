//! A store with a long history: ended jobs of the last year, written as the service would write them, but without
//! the service.

use std::{fs, path::PathBuf, sync::Arc, time::Duration};

use atelier_domain::{
    AccountId, Asset, Clock as _, DeliveryId, Event, Failure, FailureCode, FileName, Generation,
    GenerationId, MediaKind, MediaType, NewGeneration, Output, Timestamp, WorkerId, clock::SystemClock,
};
use atelier_store::{
    Accept, Accepted, Claim, Ending, Finish, Finished, NewDelivery, Outcome, Store, postgres::PostgresStore,
    sqlite::SqliteStore,
};
use futures::future::try_join_all;
use serde_json::{Map, json};
use uuid::Uuid;

use crate::{
    error::{Error, Result},
    server::Data,
};

mod postgres;
mod sqlite;

/// How many jobs are written at the same time: at most the length of the store's queue.
const AT_A_TIME: u64 = 2_000;
const LANE: &str = "echo";

/// The jobs are spread over the last year.
const SPAN: Duration = Duration::from_hours(8760);
/// One job in this many has failed, and one in this many has a webhook.
pub(super) const SOME: u64 = 10;

/// Writes ended jobs. The deliveries of jobs with a webhook wait for a server that sends them to this URL.
pub(super) async fn fill(data: &Data, jobs: u64, webhook: Option<&str>) -> Result<()> {
    let store = open(data).await?;
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
pub(super) async fn multiply(data: &Data, jobs: u64, accounts: u64) -> Result<()> {
    match data.database() {
        None => sqlite::multiply(&file(data), jobs, accounts),
        Some(url) => postgres::multiply(url, jobs, accounts).await,
    }
}

/// Adds what deletion takes away besides the jobs: a file of its own for each completed job, here an empty one, and the
/// end of each delivery after one attempt.
pub(super) async fn add_belongings(data: &Data) -> Result<()> {
    let files = match data.database() {
        None => sqlite::add_belongings(&file(data))?,
        Some(url) => postgres::add_belongings(url).await?,
    };
    for name in files {
        let folder = data.path().join("media").join(&name[..2]);
        fs::create_dir_all(&folder)?;
        fs::File::create(folder.join(name))?;
    }
    Ok(())
}

/// The statements for that. `hex`: an id in SQL, as 32 digits. The last ones differ most, and name a file's folder.
fn belongings(hex: &str) -> String {
    format!(
        "CREATE TEMP TABLE made AS
             SELECT id, substr({hex}, 31) || substr({hex}, 1, 30) || {hex} || '.png' AS file, ended_at AS at
             FROM generations WHERE state = 'completed';
         INSERT INTO files (name, media_type, size, width, height, recorded_at)
             SELECT file, 'image/png', 1000, 64, 64, at FROM made;
         INSERT INTO file_uses (holder, file, kind, at) SELECT id, file, 'output', at FROM made;
         INSERT INTO attempts (delivery, number, at, latency_ms, status)
             SELECT id, 1, created_at, 20, 200 FROM deliveries;
         UPDATE deliveries SET state = 'delivered', attempts = 1, ended_at = created_at;"
    )
}

/// Puts jobs of the account into the queue of a lane, a little before now.
pub(super) async fn queue(data: &Data, jobs: u64, lane: &str) -> Result<()> {
    let store = open(data).await?;
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

async fn open(data: &Data) -> Result<Arc<dyn Store>> {
    let Some(url) = data.database() else {
        let options = atelier_store::sqlite::Options::new(file(data));
        return Ok(Arc::new(SqliteStore::open(options)?));
    };
    let options = atelier_store::postgres::Options::new(url.parse().map_err(Error::Unexpected)?);
    Ok(Arc::new(PostgresStore::open(options).await?))
}

fn file(data: &Data) -> PathBuf {
    data.path().join("atelier.db")
}

/// The columns of a copy of the job `g` for the owner `o` and the moment `n`, in SQL. `id`: that of the copy.
fn copy_of_job(columns: &str, id: &str) -> String {
    let copy = |column| match column {
        "seq" => "NULL".to_owned(),
        "id" => id.to_owned(),
        "account" => "o.id".to_owned(),
        "created_at" | "started_at" | "ended_at" => format!("n.at + g.{column} - g.created_at"),
        other => format!("g.{other}"),
    };
    columns.split(", ").map(copy).collect::<Vec<_>>().join(", ")
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
