//! Clients in a closed loop: each sends its next request after the answer to the previous one.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use crate::{
    error::{Error, Result},
    http::Connection,
};

/// The number of clients in the targets.
pub(crate) const CLIENTS: usize = 64;

/// Connected clients that send the same requests, each starting at a different one.
#[derive(Debug)]
pub(crate) struct Clients {
    connections: Vec<Connection>,
    requests: Arc<[Vec<u8>]>,
    wanted: u16,
}

/// The result of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) answers: u64,
    pub(crate) elapsed: Duration,
}

impl Tally {
    pub(crate) fn per_second(self) -> f64 {
        self.answers as f64 / self.elapsed.as_secs_f64()
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.elapsed += other.elapsed;
    }
}

impl Clients {
    /// Connects [`CLIENTS`] clients. Every answer must have the status `wanted`.
    pub(crate) async fn connect(port: u16, requests: Vec<Vec<u8>>, wanted: u16) -> Result<Self> {
        Self::of_nodes(&[port], CLIENTS, requests, wanted).await
    }

    /// Connects this many clients, spread over the nodes at these ports.
    pub(crate) async fn of_nodes(
        ports: &[u16],
        clients: usize,
        requests: Vec<Vec<u8>>,
        wanted: u16,
    ) -> Result<Self> {
        let mut connections = Vec::with_capacity(clients);
        for port in ports.iter().cycle().take(clients) {
            connections.push(Connection::open(*port).await?);
        }
        Ok(Self {
            connections,
            requests: requests.into(),
            wanted,
        })
    }

    /// Sends requests for this time, but at most this many.
    pub(crate) async fn run(&mut self, longest: Duration, most: u64) -> Result<Tally> {
        let begun = Instant::now();
        let share = most.div_ceil(self.connections.len() as u64);
        let mut running = JoinSet::new();
        for (number, mut connection) in self.connections.drain(..).enumerate() {
            let (requests, wanted) = (Arc::clone(&self.requests), self.wanted);
            running.spawn(async move {
                let mut answers = 0;
                while answers < share && begun.elapsed() < longest {
                    let next = (number * 17 + answers as usize) % requests.len();
                    connection.expect(wanted, &requests[next]).await?;
                    answers += 1;
                }
                Ok::<_, Error>((connection, answers))
            });
        }
        let mut tally = Tally::default();
        while let Some(ended) = running.join_next().await {
            let ended = ended.map_err(|error| Error::Unexpected(format!("a client failed: {error}")))?;
            let (connection, answers) = ended?;
            self.connections.push(connection);
            tally.answers += answers;
        }
        tally.elapsed = begun.elapsed();
        Ok(tally)
    }
}

/// The percentile of the samples by nearest rank. Sorts the samples.
pub(crate) fn percentile(samples: &mut [Duration], share: f64) -> Duration {
    samples.sort_unstable();
    let rank = (samples.len() as f64 * share).ceil().max(1.0) as usize;
    samples.get(rank - 1).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_by_nearest_rank() {
        let mut samples: Vec<_> = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut samples, 0.5), Duration::from_millis(100));
        assert_eq!(percentile(&mut samples, 0.99), Duration::from_millis(198));
        assert_eq!(percentile(&mut samples[..1], 0.99), Duration::from_millis(1));
        assert_eq!(percentile(&mut [], 0.5), Duration::ZERO);
    }
}
