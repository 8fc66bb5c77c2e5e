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
    reference::Kind,
    server::{BASE, Data, Server},
};

const JOBS: u64 = 60_000;
const TURNS: u64 = 4;
/// Submission ends after this time, however few jobs there are.
const SUBMITTING: Duration = Duration::from_secs(10);
/// The longest time between the last submission and the last webhook.
const LATEST: Duration = Duration::from_secs(30);
const WARM_UP: u64 = 640;

/// In turns with a server that only takes requests, writes and sends webhooks, so that other load on the machine
/// affects both.
pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let (data, plain) = (Data::echo(context)?, Data::echo(context)?);
    let service = data.serve(&[]).await?;
    let reference = Server::reference_on(context, Kind::Job, &plain).await?;
    let mut ours = Load::new(service.port, &format!("{BASE}/generations"), &data.key).await?;
    let mut floor = Load::new(reference.port, "/job", "").await?;
    let jobs = context.amount(JOBS) / TURNS;
    let (mut completed, mut least) = (Done::default(), Done::default());
    for _ in 0..TURNS {
        floor.run(&reference, jobs, &mut least).await?;
        ours.run(&service, jobs, &mut completed).await?;
    }
    Ok(vec![
        Figure::per_second("completed and delivered, 64 clients", completed.per_second())
            .share_of(least.per_second(), 0.5),
        Figure::millis("processor time per job", completed.cpu_per_job()).at_most(0.15),
        Figure::millis("its request, writes and webhook alone", least.cpu_per_job()),
    ])
}

/// The jobs that ended, in how long, and the processor time of their server.
#[derive(Debug, Default)]
struct Done {
    jobs: u64,
    elapsed: Duration,
    cpu: Duration,
}

impl Done {
    fn per_second(&self) -> f64 {
        self.jobs as f64 / self.elapsed.as_secs_f64()
    }

    fn cpu_per_job(&self) -> Duration {
        self.cpu.div_f64(self.jobs as f64)
    }
}

/// The clients of one server, and the receiver of its webhooks.
struct Load {
    clients: Clients,
    receiver: Receiver,
}

impl Load {
    /// Warmed up.
    async fn new(port: u16, path: &str, key: &str) -> Result<Self> {
        let mut receiver = Receiver::start().await?;
        let body = generation(Some(&receiver.url()));
        let request = http::request("POST", path, key, Some(&body));
        let mut clients = Clients::connect(port, vec![request], 201).await?;
        let warm = clients.run(SUBMITTING, WARM_UP).await?;
        arrivals(&mut receiver, warm.answers, LATEST).await?;
        Ok(Self { clients, receiver })
    }

    async fn run(&mut self, server: &Server, jobs: u64, sum: &mut Done) -> Result<()> {
        let (begun, before) = (Instant::now(), server.cpu_time()?);
        let submitted = self.clients.run(SUBMITTING, jobs).await?;
        let last = arrivals(&mut self.receiver, submitted.answers, LATEST).await?;
        sum.cpu += server.cpu_time()?.saturating_sub(before);
        sum.elapsed += last - begun;
        sum.jobs += submitted.answers;
        Ok(())
    }
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
