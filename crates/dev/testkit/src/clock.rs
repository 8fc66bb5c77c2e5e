//! A clock that tests move, and reproducible randomness.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    time::Duration,
};

use atelier_domain::{Clock, Entropy, Timestamp};

/// A clock that stands still until a test moves it.
#[derive(Debug)]
pub struct TestClock(AtomicI64);

impl TestClock {
    /// At 2026-11-21T09:30:00Z.
    pub const START: Timestamp = Timestamp(1_795_253_400_000_000);

    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(by.as_micros() as i64, Ordering::SeqCst);
    }
}

impl Default for TestClock {
    fn default() -> Self {
        Self(AtomicI64::new(Self::START.0))
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// Counts instead of drawing random numbers: all values differ, and every run gives the same ones.
#[derive(Debug, Default)]
pub struct CountingEntropy(AtomicU64);

impl Entropy for CountingEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let count = self.0.fetch_add(1, Ordering::SeqCst).to_be_bytes();
            chunk.copy_from_slice(&count[8 - chunk.len()..]);
        }
    }
}
