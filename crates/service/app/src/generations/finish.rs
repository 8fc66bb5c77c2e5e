//! Ends an attempt: another one, or the end of the generation with its charge, files and webhook in one
//! transaction.

use atelier_domain::{Failure, FailureCode, FileFacts, Generation, Output, State, Timestamp, WorkerId};
use atelier_store::{ClaimedDelivery, Ended, Ending, Finish, Finished, Outcome, Retry};

use crate::{App, MAX_ATTEMPTS, Result, webhooks::event};

/// What an attempt came to.
#[derive(Debug)]
pub enum AttemptResult {
    /// The files are stored durably. `input_facts` belong to the parameters' URLs, in the catalog's order.
    Made {
        output: Output,
        input_facts: Vec<Option<FileFacts>>,
    },
    Failed(Failure),
}

/// What became of the generation.
#[derive(Debug)]
pub enum Concluded {
    /// It ended; the delivery, if one is due, is leased to the worker.
    Ended {
        state: State,
        code: Option<FailureCode>,
        delivery: Option<Box<ClaimedDelivery>>,
    },
    /// It is back in the queue.
    Retried,
    /// The worker did not hold it any more: the result is discarded.
    Stale,
}

impl App {
    /// Ends the attempt that `claimed` describes. `deliver_until`: lease a delivery to the worker until then.
    pub async fn conclude(
        &self,
        claimed: &Generation,
        served_by: &str,
        result: AttemptResult,
        deliver_now: Option<(WorkerId, Timestamp)>,
    ) -> Result<Concluded> {
        let now = self.now();
        let failure = match result {
            AttemptResult::Made { output, input_facts } => {
                if let Some(breaker) = self.routes().breaker(served_by) {
                    breaker.succeeded();
                }
                return self
                    .complete(claimed, served_by, output, &input_facts, deliver_now, now)
                    .await;
            }
            AttemptResult::Failed(failure) => failure,
        };
        if failure.is_retryable()
            && self
                .routes()
                .breaker(served_by)
                .is_some_and(|breaker| breaker.failed(now))
        {
            tracing::warn!(
                engine = served_by,
                "an engine fails time after time: its jobs go elsewhere for a while"
            );
            self.store().assign_lanes(&self.lanes()).await?;
        }
        let lane = self.next_lane(&claimed.model, served_by);
        let again = next_attempt(claimed.attempt, &failure, lane != served_by, now);
        if let Some(run_at) = again.filter(|run_at| *run_at < claimed.deadline) {
            let retry = Retry {
                id: claimed.id,
                epoch: claimed.epoch,
                now,
                run_at,
                failure,
                lane: Some(lane.clone()),
            };
            if !self.store().retry(retry).await? {
                return Ok(Concluded::Stale);
            }
            self.hints().work(&lane);
            return Ok(Concluded::Retried);
        }
        let failed = self.ending(claimed, served_by, Outcome::Failed(failure), now);
        self.finish(claimed, served_by, failed, None, deliver_now, now)
            .await
    }

    async fn complete(
        &self,
        claimed: &Generation,
        served_by: &str,
        output: Output,
        input_facts: &[Option<FileFacts>],
        deliver_now: Option<(WorkerId, Timestamp)>,
        now: Timestamp,
    ) -> Result<Concluded> {
        let charge = self.catalog().get(&claimed.model).map_or(claimed.hold, |model| {
            let inputs = model.inputs(&claimed.params);
            model.charge(&claimed.params, &inputs, input_facts, output.assets.len())
        });
        let completed = self.ending(claimed, served_by, Outcome::Completed { output, charge }, now);
        let uncovered = (charge > claimed.hold).then(|| {
            let message =
                format!("the job cost {charge} credits, more than was held and left on the account");
            let failure = Failure::fail(FailureCode::InsufficientCredits, message);
            self.ending(claimed, served_by, Outcome::Failed(failure), now)
        });
        self.finish(claimed, served_by, completed, uncovered, deliver_now, now)
            .await
    }

    async fn finish(
        &self,
        claimed: &Generation,
        served_by: &str,
        ending: Ending,
        if_uncovered: Option<Ending>,
        deliver_now: Option<(WorkerId, Timestamp)>,
        now: Timestamp,
    ) -> Result<Concluded> {
        let (state, code) = ended_as(&ending);
        let or_else = if_uncovered.as_ref().map(ended_as);
        let finish = Finish {
            id: claimed.id,
            epoch: claimed.epoch,
            now,
            served_by: served_by.to_owned(),
            ending,
            if_uncovered,
            deliver_now,
        };
        match self.store().finish(finish).await? {
            Finished::Stale => Ok(Concluded::Stale),
            Finished::Ended { uncovered, delivery } => {
                self.hints().ended(claimed.id);
                if claimed.webhook_url.is_some() && delivery.is_none() {
                    self.hints().delivery();
                }
                let (state, code) = or_else.filter(|_| uncovered).unwrap_or((state, code));
                Ok(Concluded::Ended {
                    state,
                    code,
                    delivery,
                })
            }
        }
    }

    /// The generation's end as the store is asked to write it, with the webhook's final bytes.
    fn ending(&self, claimed: &Generation, served_by: &str, outcome: Outcome, now: Timestamp) -> Ending {
        if claimed.webhook_url.is_none() {
            return Ending {
                outcome,
                delivery: None,
            };
        }
        let mut ended = Generation {
            ended_at: Some(now),
            served_by: Some(served_by.to_owned()),
            ..claimed.clone()
        };
        match &outcome {
            Outcome::Completed { output, charge } => {
                ended.state = State::Completed;
                ended.charged = Some(*charge);
                ended.output = Some(output.clone());
            }
            Outcome::Failed(failure) => {
                ended.state = State::Failed;
                ended.failure = Some(failure.clone());
            }
        }
        Ending {
            outcome,
            delivery: event::delivery(self, &ended, now),
        }
    }

    /// Takes care of what nobody holds any more: lost leases go back into the queue, and what is past its
    /// deadline or its last attempt ends. How many were found.
    pub async fn reap(&self) -> Result<u32> {
        const BATCH: u32 = 500;
        let now = self.now();
        let mut found = self.store().requeue_lost(now, MAX_ATTEMPTS, BATCH).await?;
        if found > 0 {
            for lane in self.lanes().values() {
                self.hints().work(lane);
            }
        }
        for overdue in self.store().overdue(now, MAX_ATTEMPTS, BATCH).await? {
            let failure = if overdue.timed_out {
                timeout_failure(&overdue.generation)
            } else {
                let message =
                    format!("the job was lost {MAX_ATTEMPTS} times while it ran; nothing was charged");
                Failure::fail(FailureCode::GenerationFailed, message)
            };
            let epoch = Some(overdue.generation.epoch);
            if self.end(&overdue.generation, failure, epoch, None).await? == Ended::Ended {
                found += 1;
            }
        }
        Ok(found)
    }
}

/// The failure of a generation whose time is over.
pub fn timeout_failure(generation: &Generation) -> Failure {
    let seconds = generation.deadline.since(generation.created_at).as_secs();
    Failure::fail(
        FailureCode::GenerationTimeout,
        format!("the job took longer than the {seconds} s that its model may; nothing was charged"),
    )
}

/// When to try again after the `attempt`th, if that is worth it: the failure says so, and attempts are left.
fn next_attempt(attempt: u32, failure: &Failure, elsewhere: bool, now: Timestamp) -> Option<Timestamp> {
    let after = failure.retry_after?;
    // Another engine need not wait for what held this one up. Later attempts of the same one wait longer, in case it
    // takes a while to pass.
    let run_at = if elsewhere {
        now
    } else {
        now.plus(after * (1 << attempt.saturating_sub(1).min(5)))
    };
    (attempt < MAX_ATTEMPTS).then_some(run_at)
}

fn ended_as(ending: &Ending) -> (State, Option<FailureCode>) {
    match &ending.outcome {
        Outcome::Completed { .. } => (State::Completed, None),
        Outcome::Failed(failure) => (State::Failed, Some(failure.code)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn another_engine_is_asked_at_once_and_the_same_one_after_a_growing_wait() {
        let now = Timestamp(1_000);
        let wait = Duration::from_secs(2);
        let failure = Failure::retry(FailureCode::GenerationFailed, "it is not there", wait);
        assert_eq!(next_attempt(1, &failure, true, now), Some(now));
        assert_eq!(next_attempt(1, &failure, false, now), Some(now.plus(wait)));
        assert_eq!(next_attempt(2, &failure, false, now), Some(now.plus(2 * wait)));
        assert_eq!(next_attempt(MAX_ATTEMPTS, &failure, true, now), None);
        let refused = Failure::fail(FailureCode::InvalidInput, "no");
        assert_eq!(next_attempt(1, &refused, true, now), None);
    }
}
