//! The right of a job to use a program.

use std::{sync::Arc, time::Instant};

use tokio::sync::{oneshot, watch};

use super::{Current, Inner};
use crate::{
    child::Listener,
    scheduler::{Event, JobId, ProgramId, Refusal},
};

/// A job's right to use a program, until dropped.
#[derive(Debug)]
pub struct Ticket {
    place: Place,
    current: Current,
    made: bool,
}

/// A job's place in the queue or at the program.
struct Place {
    inner: Arc<Inner>,
    program: ProgramId,
    job: JobId,
    made: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.inner.lock().jobs.remove(&self.job);
        self.inner.tell(Event::Left {
            job: self.job,
            made: self.made,
        });
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Place")
            .field("job", &self.job)
            .finish_non_exhaustive()
    }
}

pub(super) async fn admit(inner: &Arc<Inner>, program: ProgramId, patient: bool) -> Result<Ticket, Refusal> {
    inner.watch();
    let begun = Instant::now();
    let (waiter, answer) = oneshot::channel();
    let job = {
        let mut state = inner.lock();
        if state.is_closed {
            return Err(Refusal::Recovering);
        }
        let job = state.next_job;
        state.next_job += 1;
        state.jobs.insert(job, (program, waiter));
        job
    };
    let place = Place {
        inner: Arc::clone(inner),
        program,
        job,
        made: false,
    };
    inner.tell(Event::Arrived {
        job,
        program,
        patient,
    });
    let current = answer.await.unwrap_or(Err(Refusal::Recovering))?;
    let name = inner.description(program).name.clone();
    metrics::histogram!("atelier_program_wait_seconds", "engine" => name).record(begun.elapsed());
    Ok(Ticket {
        place,
        current,
        made: false,
    })
}

impl Ticket {
    /// The port of the program on this machine's loopback address.
    pub fn port(&self) -> u16 {
        self.current.port
    }

    /// The number of the process; another process of the program has another.
    pub fn process(&self) -> u64 {
        self.current.number
    }

    /// Returns the output of the process from now on.
    pub fn output(&self) -> Listener {
        self.current.output.clone().starting_now()
    }

    /// Waits until the process is gone.
    pub async fn gone(&self) {
        let mut is_gone: watch::Receiver<bool> = self.current.is_gone.clone();
        // If nobody can say it any more, it is gone too.
        let _ = is_gone.wait_for(|is_gone| *is_gone).await;
    }

    /// The program has done its work.
    pub fn made(mut self) {
        self.made = true;
    }

    /// Kills the program, for a cancelled job that the program cannot cancel itself.
    pub fn kill(&self) {
        self.place.inner.tell(Event::Kill(self.place.program));
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.place.made = self.made;
    }
}
