//! The tasks that follow the passage of time: the scheduler is woken, and engines learn which programs are in memory.

use std::{
    sync::{Arc, Weak, atomic::Ordering},
    time::Duration,
};

use tokio::{sync::watch, time::sleep_until};

use super::{Inner, Program};
use crate::scheduler::{Event, Residence};

impl Program {
    /// Whether it is in memory, and how long it took to load last time.
    pub fn is_resident(&self) -> (bool, Option<Duration>) {
        let state = self.programs.0.lock();
        let residence = state.scheduler.residence(self.id);
        (residence == Residence::Resident, state.last_loads[self.id])
    }

    /// Changes whenever a program may have been loaded or stopped.
    pub fn moves(&self) -> watch::Receiver<()> {
        self.programs.0.moved.subscribe()
    }
}

impl Inner {
    /// Starts to wake the scheduler.
    pub(super) fn watch(self: &Arc<Self>) {
        if self.is_watched.swap(true, Ordering::Relaxed) {
            return;
        }
        tokio::spawn(wake(Arc::downgrade(self)));
    }
}

/// Wakes the scheduler when it is due, for as long as somebody needs the programs.
async fn wake(inner: Weak<Inner>) {
    while let Some(inner) = inner.upgrade() {
        let due = inner.lock().scheduler.next_wake();
        let changed = inner.changed.notified();
        match due.map(|due| inner.begun + due) {
            Some(due) => tokio::select! {
                () = sleep_until(due) => inner.tell(Event::Tick),
                () = changed => {}
            },
            None => changed.await,
        }
    }
}
