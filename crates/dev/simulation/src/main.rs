//! The queues of a large service, simulated: what a number of GPUs asks of the nodes, the database and the webhooks.
//! `docs/scaling.md` has the figures.

use std::io::Write as _;

use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};

mod network;
mod random;

use network::{Station, Step, run};
use random::Time;

/// Simulates a service under load and prints how busy each part is and how long jobs wait for it.
///
/// Costs are processor time, as `just bench postgres` measures it.
#[derive(Debug, Parser)]
#[command(name = "atelier-simulation", version)]
struct Options {
    /// GPUs, with one job at a time each
    #[arg(long, default_value_t = 100)]
    gpus: usize,
    /// How long a job takes on a GPU, on average: exponentially distributed, unless `--fixed` is given
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    job: f64,
    /// All jobs take the same time on a GPU
    #[arg(long)]
    fixed: bool,
    /// The share of the GPUs that the jobs keep busy, 0 to 1
    #[arg(long, default_value_t = 0.9)]
    load: f64,
    /// Nodes of the service
    #[arg(long, default_value_t = 2)]
    nodes: usize,
    /// Processor cores of each node
    #[arg(long, default_value_t = 2)]
    node_cores: usize,
    /// Processor cores of the database's primary
    #[arg(long, default_value_t = 2)]
    database_cores: usize,
    /// The cost of a job for the service
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0.2)]
    service_cost: f64,
    /// The cost of a job for the database
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0.21)]
    database_cost: f64,
    /// The cost of renewing a lease or progress for the database, once a second for each running job
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0.017)]
    renewal_cost: f64,
    /// How long receivers of webhooks take to answer, on average
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 200.0)]
    webhook: f64,
    /// Webhooks that each node sends at a time
    #[arg(long, default_value_t = 512)]
    webhooks_in_flight: usize,
    /// Jobs to simulate
    #[arg(long, default_value_t = 300_000)]
    jobs: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const NODES: usize = 0;
const DATABASE: usize = 1;
const GPUS: usize = 2;
const WEBHOOKS: usize = 3;

impl Options {
    fn stations(&self) -> Vec<Station> {
        vec![
            Station::new("nodes (cores)", self.nodes * self.node_cores),
            Station::new("database (cores)", self.database_cores),
            Station::new("GPUs", self.gpus),
            Station::new("webhooks (in flight)", self.nodes * self.webhooks_in_flight),
        ]
    }

    /// The way of a job: accepted, claimed, made, ended, delivered, recorded.
    fn steps(&self) -> Vec<Step> {
        let step = |station, seconds| Step {
            station,
            time: Time::Random(seconds),
            beside: false,
        };
        let service = |share: f64| step(NODES, self.service_cost * share / 1e3);
        let database = |share: f64| step(DATABASE, self.database_cost * share / 1e3);
        let renewals = Step {
            beside: true,
            ..step(DATABASE, self.renewal_cost * self.job / 1e3)
        };
        vec![
            service(0.4),
            database(0.3),
            database(0.2),
            Step {
                time: if self.fixed {
                    Time::Fixed(self.job)
                } else {
                    Time::Random(self.job)
                },
                ..step(GPUS, self.job)
            },
            renewals,
            service(0.3),
            database(0.35),
            step(WEBHOOKS, self.webhook / 1e3),
            service(0.3),
            database(0.15),
        ]
    }

    fn per_second(&self) -> f64 {
        self.load * self.gpus as f64 / self.job
    }

    /// The most jobs per second that each station can do, in the order of the stations.
    fn limits(&self) -> Vec<f64> {
        let mut each = vec![0.0; 4];
        for step in self.steps() {
            let (Time::Random(mean) | Time::Fixed(mean)) = step.time;
            each[step.station] += mean;
        }
        let stations = self.stations();
        stations
            .iter()
            .zip(each)
            .map(|(station, seconds)| station.servers as f64 / seconds)
            .collect()
    }
}

fn main() {
    let options = Options::parse();
    let seen = run(
        options.stations(),
        &options.steps(),
        options.per_second(),
        options.jobs,
        options.seed,
    );
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "",
        "servers",
        "busy",
        "mean wait",
        "p99",
        "longest queue",
        "limit, jobs/s",
    ]);
    for ((station, seen), limit) in options.stations().iter().zip(&seen).zip(options.limits()) {
        table.add_row([
            station.name.to_owned(),
            station.servers.to_string(),
            format!("{:.0} %", seen.used * 100.0),
            millis(seen.mean_wait),
            millis(seen.p99_wait),
            seen.longest_queue.to_string(),
            format!("{limit:.0}"),
        ]);
    }
    for number in 1..7 {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let text = format!("{:.1} jobs per second\n{table}\n", options.per_second());
    // The reader may have gone.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn millis(seconds: f64) -> String {
    format!("{:.1} ms", seconds * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_station_to_saturate_is_the_one_with_the_least_limit() {
        let asked = "simulation --gpus 10000 --job 0.5 --webhook 50 --jobs 50000";
        let options = Options::parse_from(asked.split(' '));
        let limits = options.limits();
        // 2 cores, and 0.21 ms for the job with 0.0085 ms for the renewals of its half second.
        assert!((limits[DATABASE] - 2.0 / 0.000_218_5).abs() < 1.0, "{limits:?}");
        assert!((limits[GPUS] - 20_000.0).abs() < 1e-6);
        assert!((limits[WEBHOOKS] - 20_480.0).abs() < 1e-6);
        let seen = run(
            options.stations(),
            &options.steps(),
            options.per_second(),
            options.jobs,
            1,
        );
        assert!(seen[DATABASE].used > 0.99 && seen[GPUS].used < 0.6, "{seen:?}");
        assert!(seen[DATABASE].longest_queue > 10_000, "{seen:?}");
    }
}
