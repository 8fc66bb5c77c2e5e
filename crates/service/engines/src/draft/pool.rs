//! The pool of hosts. A host is idle or in use by one job. Only [`InUse::keep`] makes it idle again; a host in use
//! that is dropped is killed.

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
    idle: Mutex<IdleHosts>,
}

/// A host that runs a job, and its slot.
#[derive(Debug)]
pub(super) struct InUse {
    host: Host,
    pool: Arc<Pool>,
    _slot: OwnedSemaphorePermit,
}

#[derive(Debug, Default)]
struct IdleHosts {
    /// Longest idle first.
    hosts: Vec<Idle>,
    /// Whether a task is running that ends overdue hosts.
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
            idle: Mutex::default(),
        }
    }

    pub(super) fn options(&self) -> &DraftOptions {
        &self.options
    }

    /// Waits for a free slot, then takes the most recently used host or starts one.
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

    /// Ends the idle hosts and accepts no further jobs. Hosts in use end with their jobs.
    pub(super) async fn close(&self) {
        self.slots.close();
        let hosts = {
            let mut idle = self.idle();
            idle.closed = true;
            std::mem::take(&mut idle.hosts)
        };
        for idle in hosts {
            idle.host.end(Duration::ZERO).await;
        }
    }

    fn take_idle(&self) -> Option<Host> {
        let mut idle = self.idle();
        while let Some(Idle { mut host, .. }) = idle.hosts.pop() {
            // It may have ended: the system kills idle processes if memory is short.
            if host.is_ready() {
                return Some(host);
            }
        }
        None
    }

    /// The overdue hosts, and the time of the next check; `None` if there are no other idle hosts.
    fn take_overdue(&self, now: Instant) -> (Vec<Idle>, Option<Instant>) {
        let mut idle = self.idle();
        let end = |idle: &Idle| idle.since + self.options.idle_timeout;
        let fresh = idle.hosts.partition_point(|idle| end(idle) <= now);
        let overdue = idle.hosts.drain(..fresh).collect();
        let then = idle.hosts.first().map(end);
        idle.watched = then.is_some();
        (overdue, then)
    }

    fn idle(&self) -> MutexGuard<'_, IdleHosts> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InUse {
    pub(super) fn host(&mut self) -> &mut Host {
        &mut self.host
    }

    /// Makes the host idle after a clean job.
    pub(super) fn keep(mut self) {
        if !self.host.is_ready() {
            return;
        }
        let Self { host, pool, _slot } = self;
        let mut idle = pool.idle();
        if idle.closed {
            return;
        }
        idle.hosts.push(Idle {
            host,
            since: Instant::now(),
        });
        if !idle.watched {
            idle.watched = true;
            tokio::spawn(end_idle_hosts(
                Arc::downgrade(&pool),
                Instant::now() + pool.options.idle_timeout,
            ));
        }
    }

    /// Ends a host that cannot be trusted or is no longer wanted. It is killed after `grace`.
    pub(super) async fn end(self, grace: Duration) -> Remains {
        self.host.end(grace).await
    }
}

/// Ends overdue hosts, for as long as there are idle hosts.
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
