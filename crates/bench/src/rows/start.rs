//! From the start of the process until it is ready, with a store that has seen a lot.

use std::{sync::Arc, time::Duration};

use atelier_domain::{
    AccountId, Asset, Clock as _, FileName, Generation, GenerationId, MediaKind, MediaType, Output, State,
    WorkerId, clock::SystemClock,
};
use atelier_store::{
    Accept, Accepted, Claim, Ending, Finish, Finished, Outcome, Store,
    sqlite::{Options, SqliteStore},
};
use futures::future::try_join_all;
use serde_json::{Map, json};
use uuid::Uuid;

use crate::{
    Context,
    error::{Error, Result},
    load::percentile,
    report::Figure,
    server::Data,
};

const JOBS: u64 = 100_000;
/// Jobs that are written at a time: no more than may wait in the store.
const AT_A_TIME: u64 = 2_000;
const STARTS: usize = 5;
const LANE: &str = "echo";

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::echo(context)?;
    let jobs = context.amount(JOBS);
    fill(&data, jobs).await?;
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let server = data.serve(&[]).await?;
        times.push(server.started_in);
        server.stop()?;
    }
    let longest = percentile(&mut times, 1.0);
    Ok(vec![
        Figure::seconds(
            format!("start to ready with {jobs} jobs, half of {STARTS}"),
            percentile(&mut times, 0.5),
        )
        .at_most(0.5),
        Figure::seconds("the longest", longest),
    ])
}

/// Writes ended jobs into the store as the service would, without going through it.
async fn fill(data: &Data, jobs: u64) -> Result<()> {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(Options::new(data.path().join("atelier.db")))?);
    let account = store.account_by_name("bench").await?;
    let account = account
        .ok_or_else(|| Error::Unexpected("the account is missing".to_owned()))?
        .id;
    let mut written = 0;
    while written < jobs {
        let now = AT_A_TIME.min(jobs - written);
        let accepts = (written..written + now).map(|number| store.accept(accept(account, number)));
        if try_join_all(accepts)
            .await?
            .iter()
            .any(|accepted| !matches!(accepted, Accepted::Accepted(_)))
        {
            return Err(Error::Unexpected("the store does not accept jobs".to_owned()));
        }
        let now_at = SystemClock.now();
        let claimed = store.claim(Claim {
            worker: WorkerId(Uuid::nil()),
            lane: LANE.to_owned(),
            max: now as u32,
            now: now_at,
            lease_until: now_at.plus(Duration::from_secs(60)),
        });
        let finishes = claimed
            .await?
            .into_iter()
            .map(|claimed| store.finish(finish(&claimed)));
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

fn accept(account: AccountId, number: u64) -> Accept {
    let now = SystemClock.now();
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
        generation: Generation {
            id: GenerationId(id),
            account,
            model: "image-gen-4".to_owned(),
            kind: MediaKind::Image,
            state: State::Queued,
            params,
            webhook_url: None,
            hold: 1,
            charged: None,
            output: None,
            failure: None,
            progress: 0.0,
            served_by: None,
            attempt: 0,
            epoch: 0,
            created_at: now,
            started_at: None,
            ended_at: None,
            deadline: now.plus(Duration::from_secs(300)),
            attempt_started_at: None,
            request: None,
            past_attempts: Vec::new(),
        },
        lane: LANE.to_owned(),
        idempotency: None,
        default_per_minute: 60_000_000,
    }
}

fn finish(claimed: &Generation) -> Finish {
    let file = FileName::new(&[7; 32], MediaType::Png);
    let output = Output {
        assets: vec![Asset {
            file,
            kind: MediaKind::Image,
        }],
        timestamps: None,
        metadata: None,
    };
    Finish {
        id: claimed.id,
        epoch: claimed.epoch,
        now: SystemClock.now(),
        served_by: LANE.to_owned(),
        ending: Ending {
            outcome: Outcome::Completed {
                output,
                charge: claimed.hold,
            },
            delivery: None,
        },
        if_uncovered: None,
        deliver_now: None,
    }
}
