//! Named places at which a crash test can pull the plug. A store opened without faults never asks.

use std::fmt;

/// What happens at a named place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The process ends at once, as if it were killed.
    Abort,
    /// The commit fails as if the disk were full. Only before a commit.
    DiskFull,
}

/// Decides what happens at the places `METHOD.before_commit` and `METHOD.after_commit` of every writing
/// method of the store: `accept.before_commit`, `record_attempt.after_commit`. After a commit is before
/// anybody was answered.
pub trait Faults: Send + Sync + fmt::Debug {
    fn reach(&self, place: &'static str) -> Option<Fault>;
}
