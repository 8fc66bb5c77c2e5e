//! Requests at a steady rate while retention removes old jobs, and while it does not, in turns. Retention begins when
//! the program starts, so each turn is a new start on the same data.

use std::{
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval, sleep},
};

use super::{generation::generation, history};
use crate::{
    context::Context,
    database,
    error::{Error, Result},
    figure::Figure,
    http::{self, Connection},
    load::percentile,
    server::{BASE, Data},
};

const JOBS: u64 = 200_000;
/// The shortest time that jobs can be kept: nearly all of the history is older.
const DAYS: u32 = 2;
/// Pairs of a turn without retention and a turn with it.
const TURNS: usize = 6;
const TURN: Duration = Duration::from_secs(10);
const WARM_UP: Duration = Duration::from_secs(2);
/// Between two requests of the same kind: far fewer than two cores can answer.
const APART: Duration = Duration::from_millis(5);
/// A step with its pause takes less, also on a busy machine.
const LONGEST_STEP: Duration = Duration::from_secs(10);
/// Jobs that are read, which are too young to be removed.
const READ: usize = 200;

const KINDS: [&str; 3] = ["list of 20 jobs", "one job", "acceptance of a job"];
type Times = [Vec<Duration>; KINDS.len()];

/// On SQLite, and on PostgreSQL if there is a database.
pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let mut figures = beside_retention(context, &Data::echo(context)?, "").await?;
    if let Some(url) = &context.postgres {
        let data = Data::postgres(context, url).await?;
        figures.extend(beside_retention(context, &data, ", on PostgreSQL").await?);
        database::clear(url).await?;
    }
    Ok(figures)
}

async fn beside_retention(context: &Context, data: &Data, store: &str) -> Result<Vec<Figure>> {
    let jobs = context.jobs.unwrap_or_else(|| context.amount(JOBS));
    history::fill(data, jobs, Some("http://127.0.0.1:9/")).await?;
    history::add_belongings(data).await?;
    let file = data.path().join("atelier.toml");
    let configuration = fs::read_to_string(&file)?;
    let turn = if context.quick { TURN / 10 } else { TURN };
    // By whether retention removes jobs: the 99th percentiles of the turns, for each kind.
    let mut found = [Times::default(), Times::default()];
    let (mut removed, mut lasted) = (0, Duration::ZERO);
    for _ in 0..TURNS {
        for (days, found) in [0, DAYS].into_iter().zip(&mut found) {
            // Nothing else is removed meanwhile.
            let retention =
                format!("[retention]\njobs_days = {days}\ndeliveries_days = 0\nrequests_days = 0\n");
            fs::write(&file, format!("{configuration}{retention}"))?;
            let service = data.serve(&[]).await?;
            let requests = requests(data, service.port).await?;
            load(service.port, &requests, WARM_UP).await?;
            let before = total(data, service.port).await?;
            let begun = Instant::now();
            let mut times = load(service.port, &requests, turn).await?;
            lasted += if days > 0 { begun.elapsed() } else { Duration::ZERO };
            let [.., accepted] = &times;
            let accepted = accepted.len() as u64;
            let gone = (before + accepted).saturating_sub(total(data, service.port).await?);
            if days > 0 && !is_going_on(data, service.port).await? {
                let message = "retention ended before the row did: the history is too short";
                return Err(Error::Unexpected(message.to_owned()));
            }
            removed += gone;
            for (found, times) in found.iter_mut().zip(&mut times) {
                found.push(percentile(times, 0.99));
            }
            service.stop()?;
        }
    }
    let [without, with] = &mut found;
    let mut figures = vec![Figure::per_second(
        format!("jobs removed, of {jobs}{store}"),
        removed as f64 / lasted.as_secs_f64(),
    )];
    for ((kind, without), with) in KINDS.iter().zip(without).zip(with) {
        let what = format!("{kind} while jobs are removed, p99, median of {TURNS} turns{store}");
        let figure = Figure::millis(what, percentile(with, 0.5));
        figures.push(figure.at_most_times(percentile(without, 0.5), 2.0));
    }
    Ok(figures)
}

/// The requests of each kind, and the status of their answers.
async fn requests(data: &Data, port: u16) -> Result<[(u16, Arc<[Vec<u8>]>); KINDS.len()]> {
    let path = format!("{BASE}/generations");
    let accept = http::request("POST", &path, &data.key, Some(&generation(None)));
    let mut client = Connection::open(port).await?;
    let mut reads = Vec::with_capacity(READ);
    for _ in 0..READ {
        let created: Value = serde_json::from_slice(client.expect(201, &accept).await?)?;
        let id = created["data"]["id"].as_str().unwrap_or_default();
        reads.push(http::request("GET", &format!("{path}/{id}"), &data.key, None));
    }
    let list = http::request("GET", &format!("{path}?limit=20"), &data.key, None);
    Ok([(200, [list].into()), (200, reads.into()), (201, [accept].into())])
}

/// How many jobs the account has.
async fn total(data: &Data, port: u16) -> Result<u64> {
    let request = http::request("GET", &format!("{BASE}/generations?limit=1"), &data.key, None);
    let mut client = Connection::open(port).await?;
    let page: Value = serde_json::from_slice(client.expect(200, &request).await?)?;
    let total = page["meta"]["total"].as_u64();
    total.ok_or_else(|| Error::Unexpected(format!("a list without a total: {page}")))
}

/// Whether jobs are still being removed. No others may be accepted meanwhile.
async fn is_going_on(data: &Data, port: u16) -> Result<bool> {
    let before = total(data, port).await?;
    let begun = Instant::now();
    while begun.elapsed() < LONGEST_STEP {
        sleep(Duration::from_millis(100)).await;
        if total(data, port).await? < before {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sends the requests of all kinds at the same time. Returns how long each took.
async fn load(port: u16, requests: &[(u16, Arc<[Vec<u8>]>); KINDS.len()], lasts: Duration) -> Result<Times> {
    let [list, read, accept] = requests;
    let (list, read, accept) = tokio::try_join!(
        steady(port, list, lasts),
        steady(port, read, lasts),
        steady(port, accept, lasts),
    )?;
    Ok([list, read, accept])
}

/// Sends requests one by one, each on a free connection: they do not wait for the answers to earlier ones, which may be
/// slow.
async fn steady(
    port: u16,
    (wanted, requests): &(u16, Arc<[Vec<u8>]>),
    lasts: Duration,
) -> Result<Vec<Duration>> {
    let mut ticks = interval(APART);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut running, mut free, mut times) = (JoinSet::new(), Vec::<Connection>::new(), Vec::new());
    let (mut sent, begun) = (0, Instant::now());
    loop {
        let is_over = begun.elapsed() >= lasts;
        tokio::select! {
            Some(ended) = running.join_next() => {
                let ended: Result<_> = ended.map_err(|error| Error::Unexpected(format!("a client failed: {error}")))?;
                let (connection, took) = ended?;
                free.push(connection);
                times.push(took);
            }
            _ = ticks.tick(), if !is_over => {
                let mut connection = match free.pop() {
                    Some(connection) => connection,
                    None => Connection::open(port).await?,
                };
                let (requests, wanted) = (Arc::clone(requests), *wanted);
                running.spawn(async move {
                    let begun = Instant::now();
                    connection.expect(wanted, &requests[sent % requests.len()]).await?;
                    Ok((connection, begun.elapsed()))
                });
                sent += 1;
            }
            else => return Ok(times),
        }
    }
}
