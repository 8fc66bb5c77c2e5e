//! The latency for one client: from sending a request until the arrival of its job's webhook.

use std::time::{Duration, Instant};

use super::generation::generation;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http::{self, Connection},
    load::percentile,
    receiver::Receiver,
    reference::Kind,
    server::{BASE, Data, Server},
};

const JOBS: u64 = 1_000;
const WARM_UP: u64 = 50;
/// Plain inserts, which show how long one durable write takes on this disk. A job takes two of them.
const INSERTS: u64 = 300;
/// The row ends after this time, however few jobs there are.
const LONGEST: Duration = Duration::from_secs(12);
const LATEST: Duration = Duration::from_secs(5);

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let data = Data::echo(context)?;
    let mut receiver = Receiver::start().await?;
    let service = data.serve(&[]).await?;
    let body = generation(Some(&receiver.url()));
    let request = http::request("POST", &format!("{BASE}/generations"), &data.key, Some(&body));
    let mut client = Connection::open(service.port).await?;

    let started = Instant::now();
    let mut samples = Vec::new();
    for number in 0..WARM_UP + context.amount(JOBS) {
        let begun = Instant::now();
        client.expect(201, &request).await?;
        let late = |_| Error::Unexpected(format!("the webhook of job {number} did not arrive"));
        let came = tokio::time::timeout(LATEST, receiver.next())
            .await
            .map_err(late)??;
        if number >= WARM_UP {
            samples.push(came - begun);
        }
        if started.elapsed() > LONGEST {
            break;
        }
    }
    let jobs = samples.len();
    let half = percentile(&mut samples, 0.50);
    let most = percentile(&mut samples, 0.99);
    let insert = plain_insert(context, &body).await?;
    Ok(vec![
        Figure::millis(format!("submission to webhook, median of {jobs} jobs"), half).at_most(3.0),
        Figure::millis("99 of 100", most).at_most(10.0),
        Figure::millis("one durable insert of the reference server, median", insert),
    ])
}

async fn plain_insert(context: &Context, body: &str) -> Result<Duration> {
    let reference = Server::reference(context, Kind::Insert).await?;
    let request = http::request("POST", "/insert", "", Some(body));
    let mut client = Connection::open(reference.port).await?;
    let mut samples = Vec::new();
    for _ in 0..context.amount(INSERTS) {
        let begun = Instant::now();
        client.expect(201, &request).await?;
        samples.push(begun.elapsed());
    }
    Ok(percentile(&mut samples, 0.5))
}
