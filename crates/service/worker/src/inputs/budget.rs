//! How many bytes the inputs of one job may bring together.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

/// Shared by the inputs of one job, which arrive side by side.
#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    taken: AtomicU64,
}

/// The inputs of the job are larger together than `most` bytes.
#[derive(Debug)]
pub(super) struct Spent {
    pub(super) most: u64,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the input files of a job may have {} bytes together",
            self.most
        )
    }
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        Self {
            most,
            taken: AtomicU64::new(0),
        }
    }

    /// Counts bytes that one of the inputs is about to bring.
    pub(super) fn count(&self, bytes: u64) -> Result<(), Spent> {
        let taken = self
            .taken
            .fetch_add(bytes, Ordering::Relaxed)
            .saturating_add(bytes);
        if taken > self.most {
            return Err(Spent { most: self.most });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_share_what_a_job_may_bring() {
        let budget = Budget::new(100);
        budget.count(60).unwrap();
        budget.count(40).unwrap();
        let spent = budget.count(1).unwrap_err();
        assert_eq!(
            spent.to_string(),
            "the input files of a job may have 100 bytes together"
        );
    }
}
