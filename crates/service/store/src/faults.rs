//! Named points at which a crash test can inject a fault. A store opened without faults has none.

use std::fmt;

/// The fault at a named point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The process ends immediately, as if it were killed.
    Abort,
    /// The commit fails as if the disk were full; only before a commit.
    DiskFull,
}

/// Decides what happens at the points `METHOD.before_commit` and `METHOD.after_commit` of every method that
/// writes, such as `accept.before_commit`. The point after a commit is before the caller gets its answer.
pub trait Faults: Send + Sync + fmt::Debug {
    fn reach(&self, place: &'static str) -> Option<Fault>;
}
