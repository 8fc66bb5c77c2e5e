//! Long reads: they run on threads of their own, few at a time, and for a limited time.

use std::{sync::Arc, time::Duration};

use atelier_domain::AccountId;
use rusqlite::Connection;
use tokio::time::timeout;

use super::SqliteStore;
use crate::{Result, StoreError};

/// How long a long read may take, and how long it may wait for its turn.
const SCAN: Duration = Duration::from_secs(10);
/// The limit of an operator's command.
const COMMAND: Duration = Duration::from_hours(1);

impl SqliteStore {
    /// Runs a long read on one state of the database. One that takes too long is given up.
    pub(super) async fn scan<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.scan_for(SCAN, work).await
    }

    /// Does the same for an account, within its share: whoever reads much waits for themselves.
    pub(super) async fn scan_of<T, F>(&self, account: AccountId, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let _share = timeout(SCAN, self.shares.take(account))
            .await
            .ok()
            .flatten()
            .ok_or(StoreError::Busy)?;
        self.scan(work).await
    }

    /// Runs an operator's command.
    pub(super) async fn scan_long<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.scan_for(COMMAND, work).await
    }

    async fn scan_for<T, F>(&self, longest: Duration, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let _turn = timeout(SCAN, self.readers.scans.acquire())
            .await
            .map_err(|_| StoreError::Busy)?
            .map_err(|_| StoreError::Internal("the store is closed".to_owned()))?;
        let readers = Arc::clone(&self.readers);
        let read: Box<dyn FnOnce() -> Result<T> + Send> = Box::new(move || readers.limited(longest, work));
        tokio::task::spawn_blocking(read)
            .await
            .map_err(|error| StoreError::Internal(format!("a read ended early: {error}")))?
    }
}
