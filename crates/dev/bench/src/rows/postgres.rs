//! The service on PostgreSQL, on one node and on two, beside the service on SQLite, in turns, so that other load on
//! the machine affects all of them. Then acceptance alone, which leaves its jobs in the queue.

use std::time::{Duration, Instant};

use futures::future::try_join;

use super::{complete::arrivals, generation::generation};
use crate::{
    context::Context,
    database::{self, Database, Used},
    error::Result,
    figure::Figure,
    http,
    load::{CLIENTS, Clients},
    receiver::Receiver,
    reference::Kind,
    server::{BASE, Data, Server},
};

const ACCEPTING: Duration = Duration::from_secs(6);
const WARM_UP: Duration = Duration::from_millis(300);
const TURNS: u32 = 3;
/// A batch locks the rows of many of them.
const ACCOUNTS: usize = 64;
/// Jobs of one turn of each.
const JOBS: u64 = 20_000;
/// A node has prepared and planned its statements on its connections after these.
const WARM_UP_JOBS: u64 = 10_000;
/// Submission ends after this time, however few jobs there are.
const SUBMITTING: Duration = Duration::from_secs(10);
/// The longest time between two webhooks.
const LATEST: Duration = Duration::from_secs(30);

pub(super) async fn run(context: &Context) -> Result<Vec<Figure>> {
    let Some(url) = &context.postgres else {
        return Ok(Vec::new());
    };
    let data = Data::postgres(context, url).await?;
    let mut figures = completed(context, &data, url).await?;
    figures.extend(accepted(context, &data).await?);
    database::clear(url).await?;
    Ok(figures)
}

/// The resources used for a number of jobs, from the first submission to the last webhook.
#[derive(Debug, Default)]
struct Sum {
    jobs: u64,
    elapsed: Duration,
    /// By the service on all nodes.
    cpu: Duration,
    database: Used,
}

impl Sum {
    fn per_second(&self) -> f64 {
        self.jobs as f64 / self.elapsed.as_secs_f64()
    }

    fn figures(&self, nodes: &str, rate: Figure) -> Vec<Figure> {
        let jobs = self.jobs as f64;
        let of = |what: &str| format!("{what} per job, {nodes}");
        let used = &self.database;
        let mut figures = vec![
            rate,
            Figure::millis(of("the service's processor time"), self.cpu.div_f64(jobs)).at_most(0.25),
        ];
        if let Some(cpu) = used.cpu {
            figures.push(Figure::millis(of("PostgreSQL's processor time"), cpu.div_f64(jobs)).at_most(0.25));
        }
        figures.push(Figure::new(
            of("bytes of its log"),
            used.log_bytes as f64 / jobs,
            "B",
        ));
        if let Some((statements, commits)) = used.statements {
            figures.push(Figure::new(of("statements"), statements as f64 / jobs, ""));
            figures.push(Figure::new(of("commits"), commits as f64 / jobs, ""));
        }
        figures
    }
}

/// What each kind of service did.
#[derive(Debug, Default)]
struct Sums {
    on_sqlite: Sum,
    one: Sum,
    two: Sum,
    /// Two services, each with half of the clients.
    apart: [Sum; 2],
    one_twice: Sum,
    two_twice: Sum,
    one_many: Sum,
    two_many: Sum,
    two_limited: Sum,
    one_accounts: Sum,
    two_accounts: Sum,
    one_least: Sum,
    two_least: Sum,
}

impl Sums {
    fn figures(&self) -> Vec<Figure> {
        let rate = |name: &str, sum: &Sum| {
            Figure::per_second(format!("completed and delivered, {name}"), sum.per_second())
        };
        let mut figures = self.one.figures(
            "1 node",
            rate("64 clients, 1 node; reference: on SQLite", &self.one)
                .share_of(self.on_sqlite.per_second(), 0.6),
        );
        figures.extend(self.two.figures(
            "2 nodes",
            rate("64 clients, 2 nodes; reference: 1 node", &self.two).share_of(self.one.per_second(), 1.0),
        ));
        let apart = "64 clients, 2 nodes; reference: 2 services that share only the database server";
        figures.push(rate(apart, &self.two).share_of(self.apart.iter().map(Sum::per_second).sum(), 0.95));
        figures.push(
            rate("128 clients, 2 nodes; reference: 1 node", &self.two_twice)
                .share_of(self.one_twice.per_second(), 1.0),
        );
        figures.push(
            rate("256 clients, 2 nodes; reference: 1 node", &self.two_many)
                .share_of(self.one_many.per_second(), 1.0),
        );
        figures.push(
            rate(
                "128 clients of an account with limits, 2 nodes; reference: without",
                &self.two_limited,
            )
            .share_of(self.two_twice.per_second(), 0.8),
        );
        figures.extend(
            self.two_accounts.figures(
                "128 clients of 64 accounts, 2 nodes",
                rate(
                    "128 clients of 64 accounts, 2 nodes; reference: 1 node",
                    &self.two_accounts,
                )
                .share_of(self.one_accounts.per_second(), 1.0),
            ),
        );
        figures.extend(self.one_least.figures(
            "1 node, its writes alone",
            rate("64 clients, 1 node, its writes alone", &self.one_least),
        ));
        figures.extend(
            self.two_least.figures(
                "2 nodes, its writes alone",
                rate(
                    "64 clients, 2 nodes, its writes alone; reference: 1 node",
                    &self.two_least,
                )
                .share_of(self.one_least.per_second(), 1.0),
            ),
        );
        figures.push(Figure::millis(
            "the service's processor time per job, on SQLite",
            self.on_sqlite.cpu.div_f64(self.on_sqlite.jobs as f64),
        ));
        figures
    }
}

/// Clients and a receiver of one kind of service, which has one node or more.
struct Load {
    clients: usize,
    /// Of one account or several.
    requests: Vec<Vec<u8>>,
    receiver: Receiver,
}

impl Load {
    async fn new(clients: usize, keys: &[String]) -> Result<Self> {
        Self::of(&format!("{BASE}/generations"), clients, keys).await
    }

    /// Of reference servers.
    async fn least() -> Result<Self> {
        Self::of("/job", CLIENTS, &[String::new()]).await
    }

    async fn of(path: &str, clients: usize, keys: &[String]) -> Result<Self> {
        let receiver = Receiver::start().await?;
        let body = generation(Some(&receiver.url()));
        let request = |key: &String| http::request("POST", path, key, Some(&body));
        Ok(Self {
            clients,
            requests: keys.iter().map(request).collect(),
            receiver,
        })
    }

    /// One turn: jobs that end, and what was used for them.
    async fn turn(
        &mut self,
        nodes: &[&Server],
        database: Option<&Database>,
        jobs: u64,
        sum: &mut Sum,
    ) -> Result<()> {
        let ports: Vec<u16> = nodes.iter().map(|node| node.port).collect();
        let mut clients = Clients::of_nodes(&ports, self.clients, self.requests.clone(), 201).await?;
        let warm = clients.run(SUBMITTING, WARM_UP_JOBS).await?;
        arrivals(&mut self.receiver, warm.answers, LATEST).await?;

        let used = used(database).await?;
        let (begun, before) = (Instant::now(), cpu(nodes)?);
        let submitted = clients.run(SUBMITTING, jobs).await?;
        let last = arrivals(&mut self.receiver, submitted.answers, LATEST).await?;
        sum.cpu += cpu(nodes)?.saturating_sub(before);
        sum.jobs += submitted.answers;
        sum.elapsed += last - begun;
        sum.database.add(self::used(database).await?.since(used));
        Ok(())
    }
}

async fn used(database: Option<&Database>) -> Result<Used> {
    match database {
        Some(database) => database.used().await,
        None => Ok(Used::default()),
    }
}

fn cpu(nodes: &[&Server]) -> Result<Duration> {
    nodes.iter().map(|node| node.cpu_time()).sum()
}

async fn completed(context: &Context, data: &Data, url: &str) -> Result<Vec<Figure>> {
    let other = data.node(context)?;
    let sqlite = Data::echo(context)?;
    let beside = sqlite.serve(&[]).await?;
    let node = data.serve(&[]).await?;
    let database = Database::connect(url).await?;
    let apart = Data::postgres(context, &database::beside(url).await?).await?;
    let mut loads_apart = [
        Load::new(CLIENTS / 2, std::slice::from_ref(&data.key)).await?,
        Load::new(CLIENTS / 2, std::slice::from_ref(&apart.key)).await?,
    ];
    let key = std::slice::from_ref(&data.key);
    let accounts = (1..ACCOUNTS).map(|number| data.account(&format!("bench-{number}")));
    let mut keys: Vec<String> = accounts.collect::<Result<_>>()?;
    keys.push(data.key.clone());
    let mut load_beside = Load::new(CLIENTS, std::slice::from_ref(&sqlite.key)).await?;
    let mut load = Load::new(CLIENTS, key).await?;
    let mut load_twice = Load::new(2 * CLIENTS, key).await?;
    let mut load_many = Load::new(4 * CLIENTS, key).await?;
    let limited = data.account("bench-limited")?;
    data.ask(&[
        "account",
        "update",
        "bench-limited",
        "--max-queued",
        "1000000",
        "--max-running",
        "100000",
        "--json",
    ])?;
    let mut load_limited = Load::new(2 * CLIENTS, &[limited]).await?;
    let mut load_accounts = Load::new(2 * CLIENTS, &keys).await?;
    let mut sums = Sums::default();
    let first_least = Server::reference_on(context, Kind::JobPostgres, data).await?;
    let second_least = Server::reference_on(context, Kind::JobPostgres, &other).await?;
    let mut load_least = Load::least().await?;
    let jobs = context.amount(JOBS);
    for _ in 0..TURNS {
        load_beside
            .turn(&[&beside], None, jobs, &mut sums.on_sqlite)
            .await?;
        let (database, first) = (Some(&database), &node);
        load.turn(&[first], database, jobs, &mut sums.one).await?;
        load_twice
            .turn(&[first], database, jobs, &mut sums.one_twice)
            .await?;
        load_many
            .turn(&[first], database, jobs, &mut sums.one_many)
            .await?;
        load_accounts
            .turn(&[first], database, jobs, &mut sums.one_accounts)
            .await?;
        let second = other.serve(&[]).await?;
        let both = &[first, &second];
        load.turn(both, database, jobs, &mut sums.two).await?;
        load_twice.turn(both, database, jobs, &mut sums.two_twice).await?;
        load_many.turn(both, database, jobs, &mut sums.two_many).await?;
        load_limited
            .turn(both, database, jobs, &mut sums.two_limited)
            .await?;
        load_accounts
            .turn(both, database, jobs, &mut sums.two_accounts)
            .await?;
        second.stop()?;
        let second = apart.serve(&[]).await?;
        let ([one, two], [of_one, of_two]) = (&mut loads_apart, &mut sums.apart);
        try_join(
            one.turn(&[first], None, jobs / 2, of_one),
            two.turn(&[&second], None, jobs / 2, of_two),
        )
        .await?;
        second.stop()?;
        load_least
            .turn(&[&first_least], database, jobs, &mut sums.one_least)
            .await?;
        let both = &[&first_least, &second_least];
        load_least.turn(both, database, jobs, &mut sums.two_least).await?;
    }
    node.stop()?;
    beside.stop()?;
    Ok(sums.figures())
}

async fn accepted(context: &Context, data: &Data) -> Result<Vec<Figure>> {
    let service = data.serve(&["--no-workers"]).await?;
    let body = generation(None);
    let request = http::request("POST", &format!("{BASE}/generations"), &data.key, Some(&body));
    let mut clients = Clients::connect(service.port, vec![request], 201).await?;
    let most = context.amount(1_000_000);
    clients.run(WARM_UP, most).await?;
    let before = service.cpu_time()?;
    let time = if context.quick { ACCEPTING / 10 } else { ACCEPTING };
    let accepted = clients.run(time, most).await?;
    let cpu = service.cpu_time()?.saturating_sub(before);
    Ok(vec![
        Figure::per_second("accepted, 64 clients", accepted.per_second()),
        Figure::millis(
            "the service's processor time per accepted job",
            cpu.div_f64(accepted.answers as f64),
        ),
    ])
}
