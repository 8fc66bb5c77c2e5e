//! How far a pull is. A display reads it as often as it likes.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

/// The present step of a pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Another process downloads the same file, or the pull has not begun.
    Waiting,
    Downloading,
    /// Reading whole files to compare their digests.
    Checking,
    /// A file has a wrong byte somewhere: its pieces are downloaded again until the digest fits.
    Searching,
    /// Unpacking, converting, linking.
    Preparing,
}

const STEPS: [Step; 5] = [
    Step::Waiting,
    Step::Downloading,
    Step::Checking,
    Step::Searching,
    Step::Preparing,
];

/// The progress of one pull.
#[derive(Debug, Default)]
pub struct Meter {
    total: AtomicU64,
    verified: AtomicU64,
    received: AtomicU64,
    step: AtomicU8,
}

impl Meter {
    /// The bytes of all files of the pull.
    pub fn total(&self) -> u64 {
        self.total.load(Relaxed)
    }

    /// The bytes that are on disk in pieces that came whole. This is the progress.
    pub fn verified(&self) -> u64 {
        self.verified.load(Relaxed)
    }

    /// The bytes that came over the network, including those that came again.
    pub fn received(&self) -> u64 {
        self.received.load(Relaxed)
    }

    pub fn step(&self) -> Step {
        STEPS[usize::from(self.step.load(Relaxed))]
    }

    pub(crate) fn expect(&self, total: u64) {
        self.total.store(total, Relaxed);
        self.verified.store(0, Relaxed);
    }

    pub(crate) fn set_verified(&self, bytes: u64) {
        self.verified.store(bytes, Relaxed);
    }

    pub(crate) fn land(&self, bytes: u64) {
        self.verified.fetch_add(bytes, Relaxed);
    }

    pub(crate) fn receive(&self, bytes: u64) {
        self.received.fetch_add(bytes, Relaxed);
    }

    pub(crate) fn enter(&self, step: Step) {
        self.step.store(step as u8, Relaxed);
    }
}
