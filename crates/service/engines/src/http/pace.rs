//! New requests a minute, one after the other at even distances.

use std::time::Duration;

use tokio::{
    sync::Mutex,
    time::{Instant, sleep_until},
};

#[derive(Debug)]
pub(crate) struct Pace {
    distance: Option<Duration>,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    pub(crate) fn new(per_minute: Option<u32>) -> Self {
        let distance = per_minute
            .filter(|count| *count > 0)
            .map(|count| Duration::from_secs(60) / count);
        Self {
            distance,
            next: Mutex::new(None),
        }
    }

    /// Waits for one's turn.
    pub(crate) async fn turn(&self) {
        let Some(distance) = self.distance else { return };
        let mine = {
            let mut next = self.next.lock().await;
            let mine = next.unwrap_or_else(Instant::now).max(Instant::now());
            *next = Some(mine + distance);
            mine
        };
        sleep_until(mine).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_begin_at_even_distances() {
        let pace = Pace::new(Some(60));
        let begun = Instant::now();
        for _ in 0..3 {
            pace.turn().await;
        }
        assert_eq!(begun.elapsed().as_secs(), 2);
        let unlimited = Pace::new(None);
        unlimited.turn().await;
        assert_eq!(begun.elapsed().as_secs(), 2);
    }
}
