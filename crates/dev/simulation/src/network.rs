//! A network of queues: stations with servers, and jobs that pass through them. Discrete events, one clock.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use crate::random::{Random, Time};

/// Servers that share one queue, first come, first served.
#[derive(Debug)]
pub(crate) struct Station {
    pub(crate) name: &'static str,
    pub(crate) servers: usize,
    busy: usize,
    queue: VecDeque<usize>,
    /// The time that its servers were busy, summed over all of them.
    worked: f64,
    waits: Vec<f64>,
    longest: usize,
}

impl Station {
    pub(crate) fn new(name: &'static str, servers: usize) -> Self {
        Self {
            name,
            servers,
            busy: 0,
            queue: VecDeque::new(),
            worked: 0.0,
            waits: Vec::new(),
            longest: 0,
        }
    }
}

/// One visit of a job to a station.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) station: usize,
    /// How long it takes there.
    pub(crate) time: Time,
    /// The next step does not wait for it: work beside the job, such as the renewal of its lease.
    pub(crate) beside: bool,
}

/// The observations at a station.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    /// The share of its servers that were busy, 0 to 1.
    pub(crate) used: f64,
    /// In seconds.
    pub(crate) mean_wait: f64,
    pub(crate) p99_wait: f64,
    pub(crate) longest_queue: usize,
}

#[derive(Debug)]
struct Job {
    step: usize,
    /// It ends after its step.
    beside: bool,
    since: f64,
}

/// A moment and what happens then, in nanoseconds, so that it can be ordered. The number keeps equal moments in order.
type Event = Reverse<(u64, u64, What)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Arrival,
    Done(usize),
}

/// Runs `jobs` jobs, which arrive at random with this rate per second, through the steps. The first tenth fills the
/// stations and is not counted.
pub(crate) fn run(stations: Vec<Station>, steps: &[Step], rate: f64, jobs: usize, seed: u64) -> Vec<Seen> {
    let mut network = Network {
        stations,
        steps,
        random: Random::new(seed),
        now: 0.0,
        events: BinaryHeap::new(),
        jobs: Vec::with_capacity(jobs),
        free: Vec::new(),
        number: 0,
    };
    network.schedule(0.0, What::Arrival);
    let warm_up = jobs / 10;
    let (mut arrived, mut counted_from) = (0, 0.0);
    while let Some(Reverse((at, _, what))) = network.events.pop() {
        network.now = at as f64 / 1e9;
        match what {
            What::Arrival => {
                if arrived == warm_up {
                    counted_from = network.now;
                    network.forget();
                }
                arrived += 1;
                network.begin(0, false);
                if arrived < jobs {
                    let pause = network.random.exponential(1.0 / rate);
                    network.schedule(pause, What::Arrival);
                } else {
                    break;
                }
            }
            What::Done(job) => network.done(job),
        }
    }
    let elapsed = network.now - counted_from;
    network
        .stations
        .iter_mut()
        .map(|station| station.seen(elapsed))
        .collect()
}

struct Network<'a> {
    stations: Vec<Station>,
    steps: &'a [Step],
    random: Random,
    now: f64,
    events: BinaryHeap<Event>,
    jobs: Vec<Job>,
    /// Places in `jobs` of those that have ended.
    free: Vec<usize>,
    number: u64,
}

impl Network<'_> {
    fn schedule(&mut self, after: f64, what: What) {
        self.number += 1;
        let at = ((self.now + after) * 1e9) as u64;
        self.events.push(Reverse((at, self.number, what)));
    }

    /// A job comes to a step, which may have others beside it.
    fn begin(&mut self, step: usize, beside: bool) {
        let job = Job {
            step,
            beside,
            since: self.now,
        };
        let place = if let Some(place) = self.free.pop() {
            self.jobs[place] = job;
            place
        } else {
            self.jobs.push(job);
            self.jobs.len() - 1
        };
        self.enter(place);
    }

    fn enter(&mut self, job: usize) {
        let step = self.steps[self.jobs[job].step];
        if step.beside && !self.jobs[job].beside {
            // The job itself goes on with the next step.
            let number = self.jobs[job].step;
            self.begin(number, true);
            self.next(job);
            return;
        }
        self.jobs[job].since = self.now;
        let station = &mut self.stations[step.station];
        if station.busy < station.servers {
            self.serve(job);
        } else {
            station.queue.push_back(job);
            station.longest = station.longest.max(station.queue.len());
        }
    }

    fn serve(&mut self, job: usize) {
        let step = self.steps[self.jobs[job].step];
        let takes = self.random.time(step.time);
        let station = &mut self.stations[step.station];
        station.busy += 1;
        station.worked += takes;
        station.waits.push(self.now - self.jobs[job].since);
        self.schedule(takes, What::Done(job));
    }

    fn done(&mut self, job: usize) {
        let station = self.steps[self.jobs[job].step].station;
        self.stations[station].busy -= 1;
        if let Some(waiting) = self.stations[station].queue.pop_front() {
            self.serve(waiting);
        }
        if self.jobs[job].beside {
            self.free.push(job);
        } else {
            self.next(job);
        }
    }

    fn next(&mut self, job: usize) {
        self.jobs[job].step += 1;
        if self.jobs[job].step < self.steps.len() {
            self.enter(job);
        } else {
            self.free.push(job);
        }
    }

    /// Counts from now on.
    fn forget(&mut self) {
        for station in &mut self.stations {
            station.worked = 0.0;
            station.waits.clear();
            station.longest = station.queue.len();
        }
    }
}

impl Station {
    fn seen(&mut self, elapsed: f64) -> Seen {
        self.waits.sort_by(f64::total_cmp);
        let count = self.waits.len();
        // Those that still wait have waited too, but not to the end: a queue that grows shows by its length.
        Seen {
            used: (self.worked / elapsed / self.servers as f64).min(1.0),
            mean_wait: self.waits.iter().sum::<f64>() / count.max(1) as f64,
            p99_wait: self.waits.get(count * 99 / 100).copied().unwrap_or_default(),
            longest_queue: self.longest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOBS: usize = 400_000;

    /// One station at which jobs arrive so often that `load` of its servers are busy; each takes a second.
    fn one(servers: usize, load: f64, time: Time) -> Seen {
        let step = Step {
            station: 0,
            time,
            beside: false,
        };
        let stations = vec![Station::new("it", servers)];
        run(stations, &[step], load * servers as f64, JOBS, 7)[0]
    }

    /// The mean wait of M/M/c by Erlang's formula C, for service times of a second.
    fn erlang(servers: usize, load: f64) -> f64 {
        let offered = load * servers as f64;
        // The probability that all servers are busy if nobody waits (formula B), by its recursion.
        let blocked = (1..=servers).fold(1.0, |b, c| offered * b / (c as f64 + offered * b));
        let waits = blocked / (1.0 - load * (1.0 - blocked));
        waits / (servers as f64 - offered)
    }

    fn is_near(found: f64, expected: f64, share: f64) {
        let off = (found / expected - 1.0).abs();
        assert!(off < share, "{found} is not within {share} of {expected}");
    }

    #[test]
    fn jobs_wait_for_one_server_as_the_theory_of_queues_says() {
        // M/M/1: load / (1 - load) service times.
        is_near(erlang(1, 0.8), 4.0, 1e-9);
        let seen = one(1, 0.8, Time::Random(1.0));
        is_near(seen.mean_wait, 4.0, 0.05);
        is_near(seen.used, 0.8, 0.01);
        // The wait of those who wait is exponential with the mean 1 / (1 - load): 0.8 exp(-0.2 t) = 0.01.
        is_near(seen.p99_wait, 80.0_f64.ln() / 0.2, 0.06);
        // M/D/1: half of it.
        is_near(one(1, 0.8, Time::Fixed(1.0)).mean_wait, 2.0, 0.05);
    }

    #[test]
    fn jobs_wait_for_many_servers_as_erlangs_formula_says() {
        for (servers, load) in [(2, 0.7), (10, 0.9), (50, 0.9)] {
            let seen = one(servers, load, Time::Random(1.0));
            is_near(seen.mean_wait, erlang(servers, load), 0.08);
            is_near(seen.used, load, 0.01);
        }
    }

    #[test]
    fn steps_add_up_and_work_beside_a_job_delays_only_others() {
        let step = |station, beside| Step {
            station,
            time: Time::Random(1.0),
            beside,
        };
        let stations = || vec![Station::new("first", 1), Station::new("second", 1)];
        // Jackson: each station of a series behaves as if it were alone.
        let seen = run(stations(), &[step(0, false), step(1, false)], 0.5, JOBS, 3);
        is_near(seen[0].mean_wait, 1.0, 0.05);
        is_near(seen[1].mean_wait, 1.0, 0.05);
        // Beside the jobs of the first station, the second one has twice as much to do.
        let steps = [step(0, false), step(1, true), step(1, false)];
        let seen = run(stations(), &steps, 0.4, JOBS, 3);
        is_near(seen[0].mean_wait, 0.4 / 0.6, 0.05);
        is_near(seen[1].used, 0.8, 0.02);
    }

    #[test]
    fn a_station_with_too_much_to_do_shows_a_queue_that_grows() {
        let step = Step {
            station: 0,
            time: Time::Fixed(1.0),
            beside: false,
        };
        let seen = run(vec![Station::new("it", 1)], &[step], 2.0, 10_000, 1)[0];
        assert!(seen.used > 0.99, "{seen:?}");
        assert!(seen.longest_queue > 4_000, "{seen:?}");
    }
}
