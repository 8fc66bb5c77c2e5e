//! Retention: removes what is older than the operator wants to keep it, in small steps with pauses between them.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use atelier_domain::{AccountId, Timestamp};
use atelier_store::{Expire, Expired, Place};

use crate::{App, Operator, Result, System};

/// Rows of one step: other writes wait as long as it takes to remove them.
const STEP: u32 = 10;
/// The pause after a step is so many times as long as the step, so that most of the time belongs to others.
const PAUSE: u32 = 9;
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const DAY: Duration = Duration::from_hours(24);

/// After what time things are removed; `None`: never. Accounts may have a time of their own for jobs and uploads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// Jobs with everything that belongs to them, since they were accepted. At least two days, so that no idempotency
    /// key leads to one that is gone.
    pub jobs: Option<Duration>,
    /// The files of jobs, since the jobs were accepted.
    pub media: Option<Duration>,
    /// Uploads, since they were sent last.
    pub uploads: Option<Duration>,
    /// Bodies of deliveries and the answers to them, since the delivery was made.
    pub deliveries: Option<Duration>,
    /// The log of requests.
    pub requests: Option<Duration>,
    /// The decisions of the content policy.
    pub decisions: Option<Duration>,
}

impl Retention {
    const fn after(&self, what: Expired) -> Option<Duration> {
        match what {
            Expired::Jobs => self.jobs,
            Expired::Media => self.media,
            Expired::Uploads => self.uploads,
            Expired::DeliveryBodies => self.deliveries,
            Expired::Requests => self.requests,
            Expired::Decisions => self.decisions,
        }
    }
}

const ALL: [Expired; 6] = [
    Expired::Jobs,
    Expired::Media,
    Expired::Uploads,
    Expired::DeliveryBodies,
    Expired::Requests,
    Expired::Decisions,
];

/// The counts of what retention has removed since this process started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    pub jobs: u64,
    /// Uses of files by jobs.
    pub media: u64,
    pub uploads: u64,
    pub deliveries: u64,
    /// Entries of the log of requests.
    pub requests: u64,
    /// Decisions of the content policy.
    pub decisions: u64,
    /// Files without users.
    pub files: u64,
    /// When the last pass ended.
    pub last: Option<Timestamp>,
}

impl Removed {
    const fn of(&mut self, what: Expired) -> &mut u64 {
        match what {
            Expired::Jobs => &mut self.jobs,
            Expired::Media => &mut self.media,
            Expired::Uploads => &mut self.uploads,
            Expired::DeliveryBodies => &mut self.deliveries,
            Expired::Requests => &mut self.requests,
            Expired::Decisions => &mut self.decisions,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Progress(Mutex<(Removed, Place)>);

impl Progress {
    fn change<T>(&self, change: impl FnOnce(&mut (Removed, Place)) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl System {
    /// Removes everything that is too old now. If this is dropped, the next pass goes on.
    pub async fn retain(&self) -> Result<()> {
        let app = &self.app;
        let retention = app.settings().retention;
        for what in ALL {
            if let Some(age) = retention.after(what) {
                self.expire(what, None, app.now().minus(age)).await?;
            }
        }
        for account in app.store().accounts().await? {
            if let Some(days) = account.retention_days {
                let before = app.now().minus(DAY * days);
                self.expire(Expired::Jobs, Some(account.id), before).await?;
                self.expire(Expired::Uploads, Some(account.id), before).await?;
            }
        }
        app.0
            .retained
            .change(|(removed, _)| removed.last = Some(app.now()));
        Ok(())
    }

    async fn expire(&self, what: Expired, account: Option<AccountId>, before: Timestamp) -> Result<()> {
        let app = &self.app;
        let progress = &app.0.retained;
        // Emptied deliveries stay, so a pass begins where the last one ended.
        let is_kept = what == Expired::DeliveryBodies;
        let mut after = progress.change(|(_, emptied)| if is_kept { *emptied } else { Place::nil() });
        loop {
            let deletion = app.deletion(None);
            let begun = Instant::now();
            let step = Expire {
                what,
                account,
                before,
                after,
                limit: STEP,
                now: deletion.now,
                lease_until: deletion.lease_until,
            };
            let done = app.store().expire(step).await?;
            let took = begun.elapsed();
            app.remove_bytes(&done.files).await;
            progress.change(|(removed, _)| {
                *removed.of(what) += u64::from(done.removed);
                removed.files += done.files.len() as u64;
            });
            let Some(next) = done.next else {
                return Ok(());
            };
            after = next;
            if is_kept {
                progress.change(|(_, emptied)| *emptied = next);
            }
            tokio::time::sleep((took * PAUSE).max(SHORTEST_PAUSE)).await;
        }
    }

    /// Returns the totals that this process has removed because of age.
    pub fn removed(&self) -> Removed {
        self.app.0.retained.change(|(removed, _)| *removed)
    }
}

impl App {
    /// After what time things are removed, and what this process has removed.
    pub fn retention(&self, _: &Operator) -> (Retention, Removed) {
        let removed = self.0.retained.change(|(removed, _)| *removed);
        (self.settings().retention, removed)
    }
}
