//! The hosts there are. A host is idle, or in use by one job; after the job it is kept or poisoned, and a
//! host in use that is simply dropped is killed: no path leads back to idle but [`InUse::keep`].

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep_until},
};

use super::{
    DraftOptions,
    host::{Host, Remains},
};

#[derive(Debug)]
pub(super) struct Pool {
    options: DraftOptions,
    slots: Arc<Semaphore>,
    resting: Mutex<Resting>,
}

/// A host that runs a job, and the slot it takes.
#[derive(Debug)]
pub(super) struct InUse {
    host: Host,
    pool: Arc<Pool>,
    _slot: OwnedSemaphorePermit,
}

#[derive(Debug, Default)]
struct Resting {
    /// Longest idle first.
    hosts: Vec<Idle>,
    /// A task is there that ends hosts whose time is over.
    watched: bool,
    closed: bool,
}

#[derive(Debug)]
struct Idle {
    host: Host,
    since: Instant,
}

impl Pool {
    pub(super) fn new(options: DraftOptions) -> Self {
        let slots = Arc::new(Semaphore::new(options.concurrency.max(1)));
        Self {
            options,
            slots,
            resting: Mutex::default(),
        }
    }

    pub(super) fn options(&self) -> &DraftOptions {
        &self.options
    }

    /// Waits for a free slot, then takes the host that was used last, or starts one.
    pub(super) async fn take(self: &Arc<Self>) -> io::Result<InUse> {
        let closed = |_| io::Error::other("the engine is closed");
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(closed)?;
        let host = match self.take_idle() {
            Some(host) => host,
            None => Host::start(&self.options).await?,
        };
        Ok(InUse {
            host,
            pool: Arc::clone(self),
            _slot: slot,
        })
    }

    /// Ends the idle hosts and lets no new job in. Hosts in use end with their jobs.
    pub(super) async fn close(&self) {
        self.slots.close();
        let hosts = {
            let mut resting = self.resting();
            resting.closed = true;
            std::mem::take(&mut resting.hosts)
        };
        for idle in hosts {
            idle.host.end(Duration::ZERO).await;
        }
    }

    fn take_idle(&self) -> Option<Host> {
        let mut resting = self.resting();
        while let Some(mut idle) = resting.hosts.pop() {
            // It may have ended meanwhile: the system kills idle processes too when memory is short.
            if idle.host.is_ready() {
                return Some(idle.host);
            }
        }
        None
    }

    /// The hosts whose time is over, and when to look again; never, when no idle one is left.
    fn take_overdue(&self, now: Instant) -> (Vec<Idle>, Option<Instant>) {
        let mut resting = self.resting();
        let end = |idle: &Idle| idle.since + self.options.idle_timeout;
        let fresh = resting.hosts.partition_point(|idle| end(idle) <= now);
        let overdue = resting.hosts.drain(..fresh).collect();
        let then = resting.hosts.first().map(end);
        resting.watched = then.is_some();
        (overdue, then)
    }

    fn resting(&self) -> MutexGuard<'_, Resting> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InUse {
    pub(super) fn host(&mut self) -> &mut Host {
        &mut self.host
    }

    /// The job ended cleanly: the host is there for the next one.
    pub(super) fn keep(mut self) {
        if !self.host.is_ready() {
            return;
        }
        let Self { host, pool, _slot } = self;
        let mut resting = pool.resting();
        if resting.closed {
            return;
        }
        resting.hosts.push(Idle {
            host,
            since: Instant::now(),
        });
        if !resting.watched {
            resting.watched = true;
            tokio::spawn(end_idle_hosts(
                Arc::downgrade(&pool),
                Instant::now() + pool.options.idle_timeout,
            ));
        }
    }

    /// The host cannot be trusted any more, or is not wanted: it ends, killed after `grace`.
    pub(super) async fn poison(self, grace: Duration) -> Remains {
        self.host.end(grace).await
    }
}

/// Ends hosts whose time is over, for as long as there are idle ones.
async fn end_idle_hosts(pool: Weak<Pool>, mut next: Instant) {
    loop {
        sleep_until(next).await;
        let Some(pool) = pool.upgrade() else { return };
        let (overdue, then) = pool.take_overdue(Instant::now());
        drop(overdue);
        match then {
            Some(then) => next = then,
            None => return,
        }
    }
}
