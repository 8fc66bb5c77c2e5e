//! Jobs completed by a worker that joined over HTTP, beside those of the service's own workers, in the same run.

use std::time::{Duration, Instant};

use super::{complete::arrivals, generation::generation};
use crate::{
    context::Context,
    error::Result,
    figure::Figure,
    http,
    load::Clients,
    receiver::Receiver,
    server::{BASE, Data, Server},
};

const JOBS: u64 = 5_000;
const WARM_UP: u64 = 320;
const SUBMITTING: Duration = Duration::from_secs(20);
const LATEST: Duration = Duration::from_secs(30);

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let own = Data::echo(context)?;
    let service = own.serve(&[]).await?;
    let (local, _) = completed(context, &own, &service).await?;
    drop(service);

    let data = Data::remote(context)?;
    let service = data.serve(&[]).await?;
    let worker = data.join(context, &service).await?;
    let before = (service.cpu_time()?, worker.cpu_time()?);
    let (remote, jobs) = completed(context, &data, &service).await?;
    let used = |after: Duration, before: Duration| after.saturating_sub(before).div_f64(jobs);
    Ok(vec![
        Figure::per_second(
            "completed and delivered by one remote worker, against own workers",
            remote,
        )
        .share_of(local, 0.25),
        Figure::millis(
            "the service's processor time per job",
            used(service.cpu_time()?, before.0),
        ),
        Figure::millis(
            "the worker's processor time per job",
            used(worker.cpu_time()?, before.1),
        ),
    ])
}

/// Jobs per second, from the first submission to the last webhook, and how many there were in all.
async fn completed(context: &Context, data: &Data, service: &Server) -> Result<(f64, f64)> {
    let mut receiver = Receiver::start().await?;
    let body = generation(Some(&receiver.url()));
    let request = http::request("POST", &format!("{BASE}/generations"), &data.key, Some(&body));
    let mut clients = Clients::connect(service.port, vec![request], 201).await?;
    let warm = clients.run(SUBMITTING, WARM_UP).await?;
    arrivals(&mut receiver, warm.answers, LATEST).await?;
    let begun = Instant::now();
    let submitted = clients.run(SUBMITTING, context.amount(JOBS)).await?;
    let last = arrivals(&mut receiver, submitted.answers, LATEST).await?;
    let jobs = submitted.answers as f64;
    Ok((jobs / (last - begun).as_secs_f64(), jobs + warm.answers as f64))
}
