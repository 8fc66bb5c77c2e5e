//! What one client waits for: from sending a request until the webhook of its job is there.

use std::time::{Duration, Instant};

use super::generation;
use crate::{
    Context,
    error::{Error, Result},
    http::{self, Connection},
    load::percentile,
    receiver::Receiver,
    report::Figure,
    server::{BASE, Data},
};

const JOBS: u64 = 1_000;
const WARM_UP: u64 = 50;
/// The whole row ends after this long, however few jobs there are then.
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
        let late = |_| Error::Unexpected(format!("the webhook of job {number} does not come"));
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
    Ok(vec![
        Figure::millis(format!("submission to webhook, half of {jobs} jobs"), half).at_most(3.0),
        Figure::millis("99 of 100", most).at_most(10.0),
    ])
}
