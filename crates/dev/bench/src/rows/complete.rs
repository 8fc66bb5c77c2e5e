//! Complete jobs: from the first submission to the last webhook, with the engine that answers immediately.

use std::time::{Duration, Instant};

use super::generation::generation;
use crate::{
    context::Context,
    error::{Error, Result},
    figure::Figure,
    http,
    load::Clients,
    receiver::Receiver,
    server::{BASE, Data},
};

const JOBS: u64 = 30_000;
/// Submission ends after this time, however few jobs there are.
const SUBMITTING: Duration = Duration::from_secs(10);
/// The longest time between the last submission and the last webhook.
const LATEST: Duration = Duration::from_secs(30);
const WARM_UP: u64 = 640;

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    measure(context, &Data::echo(context)?).await
}

pub(super) async fn measure(context: &Context, data: &Data) -> Result<Vec<Figure>> {
    let mut receiver = Receiver::start().await?;
    let service = data.serve(&[]).await?;
    let body = generation(Some(&receiver.url()));
    let request = http::request("POST", &format!("{BASE}/generations"), &data.key, Some(&body));
    let mut clients = Clients::connect(service.port, vec![request], 201).await?;

    let warm = clients.run(SUBMITTING, WARM_UP).await?;
    arrivals(&mut receiver, warm.answers, LATEST).await?;

    let (begun, before) = (Instant::now(), service.cpu_time()?);
    let submitted = clients.run(SUBMITTING, context.amount(JOBS)).await?;
    let last = arrivals(&mut receiver, submitted.answers, LATEST).await?;
    let cpu = service.cpu_time()?.saturating_sub(before);
    let jobs = submitted.answers as f64;
    Ok(vec![
        Figure::per_second(
            "completed and delivered, 64 clients",
            jobs / (last - begun).as_secs_f64(),
        )
        .at_least(4_000.0),
        Figure::millis("processor time per job", cpu.div_f64(jobs)).at_most(0.35),
        Figure::per_second("submitted in the same time", submitted.per_second()),
    ])
}

/// When the last of these deliveries arrived. Each must arrive within `latest` after the previous one.
pub(super) async fn arrivals(receiver: &mut Receiver, count: u64, latest: Duration) -> Result<Instant> {
    let mut last = Instant::now();
    for came in 0..count {
        let late = |_| Error::Unexpected(format!("{came} of {count} webhooks came, and then no more"));
        last = tokio::time::timeout(latest, receiver.next())
            .await
            .map_err(late)??;
    }
    Ok(last)
}
