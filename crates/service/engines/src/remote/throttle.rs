//! Spaces new requests evenly, so that a provider's limit per minute is kept.

use std::time::Duration;

use tokio::{
    sync::Mutex,
    time::{Instant, sleep_until},
};

#[derive(Debug)]
pub(crate) struct Throttle {
    interval: Option<Duration>,
    next: Mutex<Option<Instant>>,
}

impl Throttle {
    /// Without a number, requests never wait.
    pub(crate) fn new(per_minute: Option<u32>) -> Self {
        let interval = per_minute
            .filter(|count| *count > 0)
            .map(|count| Duration::from_mins(1) / count);
        Self {
            interval,
            next: Mutex::new(None),
        }
    }

    /// Waits until the next request may start.
    pub(crate) async fn wait(&self) {
        let Some(interval) = self.interval else { return };
        let start = {
            let mut next = self.next.lock().await;
            let start = next.unwrap_or_else(Instant::now).max(Instant::now());
            *next = Some(start + interval);
            start
        };
        sleep_until(start).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_start_at_even_intervals() {
        let throttle = Throttle::new(Some(60));
        let begun = Instant::now();
        for _ in 0..3 {
            throttle.wait().await;
        }
        assert_eq!(begun.elapsed().as_secs(), 2);
        let unlimited = Throttle::new(None);
        unlimited.wait().await;
        assert_eq!(begun.elapsed().as_secs(), 2);
    }
}
