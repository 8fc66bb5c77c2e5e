//! Ends an attempt: with another one, or with the end of the generation and its charge, files and webhook in one
//! transaction.

use std::collections::HashMap;

use atelier_domain::{Failure, FailureCode, FileFacts, Generation, Output, State, Timestamp, WorkerId};
use atelier_store::{Ended, Ending, Finish, Finished, Outcome, Retry};

use crate::{
    App, MAX_ATTEMPTS, Result, System, private::Links, webhooks::event, webhooks::sending::DueDelivery,
};

/// The rule in records of what the safety check refused.
const SAFETY: &str = "safety";

/// The result of an attempt.
#[derive(Debug)]
pub enum AttemptResult {
    /// The files are stored durably. `input_facts` belong to the parameters' URLs, in the catalog's order.
    Made {
        output: Output,
        input_facts: Vec<Option<FileFacts>>,
    },
    Failed(Failure),
}

impl AttemptResult {
    /// The failure's code, if it failed.
    pub fn code(&self) -> Option<FailureCode> {
        match self {
            Self::Made { .. } => None,
            Self::Failed(failure) => Some(failure.code),
        }
    }
}

/// The outcome for the generation.
#[derive(Debug)]
pub enum Concluded {
    /// It ended; the delivery, if one is due, is leased to the worker.
    Ended {
        state: State,
        code: Option<FailureCode>,
        delivery: Option<Box<DueDelivery>>,
    },
    /// It is back in the queue.
    Retried,
    /// The worker no longer held it: the result is discarded.
    Stale,
}

/// The end of one attempt, about to be written. The engine's breaker has counted the result; writing may be
/// tried as often as it takes.
#[derive(Debug)]
pub struct Conclusion<'a> {
    system: &'a System,
    claimed: &'a Generation,
    served_by: &'a str,
    result: AttemptResult,
    /// The breaker has just opened: jobs that wait for this engine move to others.
    lanes_change: bool,
}

impl System {
    /// Counts the result of the attempt that `claimed` describes, once, and returns what is left to write.
    pub fn conclude<'a>(
        &'a self,
        claimed: &'a Generation,
        served_by: &'a str,
        result: AttemptResult,
    ) -> Conclusion<'a> {
        let breaker = self.routes().breaker(served_by);
        let opened = breaker.is_some_and(|breaker| match &result {
            AttemptResult::Made { .. } => {
                breaker.succeeded();
                false
            }
            AttemptResult::Failed(failure) => failure.is_retryable() && breaker.failed(self.app.now()),
        });
        if opened {
            tracing::warn!(
                engine = served_by,
                "an engine fails repeatedly: its jobs go elsewhere for a while"
            );
        }
        Conclusion {
            system: self,
            claimed,
            served_by,
            result,
            lanes_change: opened,
        }
    }
}

impl Conclusion<'_> {
    /// Writes the end. `deliver_now`: lease the delivery to this worker until then. After an error, nothing or
    /// everything was written; both can be tried again.
    pub async fn write(&mut self, deliver_now: Option<(WorkerId, Timestamp)>) -> Result<Concluded> {
        if self.lanes_change {
            self.system.assign_lanes().await?;
            self.lanes_change = false;
        }
        let now = self.app().now();
        let links = match self.claimed.webhook_url {
            Some(_) => Some(self.app().links_of(self.claimed.account).await?),
            None => None,
        };
        let links = links.as_ref();
        let failure = match &self.result {
            AttemptResult::Made { output, input_facts } => {
                let (ending, if_uncovered) = self.completed(output, input_facts, links, now);
                return self.finish(ending, if_uncovered, deliver_now, now).await;
            }
            AttemptResult::Failed(failure) => failure,
        };
        let lane = self.app().next_lane(&self.claimed.model, self.served_by);
        let elsewhere = lane != self.served_by;
        let run_at = next_attempt(self.claimed.attempt, failure, elsewhere, now)
            .filter(|run_at| *run_at < self.claimed.deadline);
        if let Some(run_at) = run_at {
            return self.retry(failure.clone(), lane, run_at, now).await;
        }
        let failed = self.ending(Outcome::Failed(failure.clone()), links, now);
        let concluded = self.finish(failed, None, deliver_now, now).await?;
        if let (Some(refused), Concluded::Ended { .. }) = (failure.refused, &concluded) {
            self.system
                .note(self.claimed, SAFETY, refused.as_str(), "refused")
                .await;
        }
        Ok(concluded)
    }

    const fn app(&self) -> &App {
        self.system.app()
    }

    async fn retry(
        &self,
        failure: Failure,
        lane: String,
        run_at: Timestamp,
        now: Timestamp,
    ) -> Result<Concluded> {
        let retry = Retry {
            id: self.claimed.id,
            epoch: self.claimed.epoch,
            now,
            run_at,
            failure,
            lane: Some(lane.clone()),
        };
        if !self.app().store().retry(retry).await? {
            return Ok(Concluded::Stale);
        }
        self.app().hints().work(&lane);
        Ok(Concluded::Retried)
    }

    /// The end of a generation that made something, and its end if the account cannot pay for it.
    fn completed(
        &self,
        output: &Output,
        input_facts: &[Option<FileFacts>],
        links: Option<&Links>,
        now: Timestamp,
    ) -> (Ending, Option<Ending>) {
        let claimed = self.claimed;
        let model = self.app().catalog().get(&claimed.model);
        let charge = model.map_or(claimed.hold, |model| {
            let inputs = model.inputs(&claimed.params);
            model.charge(&claimed.params, &inputs, input_facts, output.assets.len())
        });
        let output = output.clone();
        let completed = self.ending(Outcome::Completed { output, charge }, links, now);
        let uncovered = (charge > claimed.hold).then(|| {
            let message =
                format!("the job cost {charge} credits, more than was held and left on the account");
            let failure = Failure::fail(FailureCode::InsufficientCredits, message);
            self.ending(Outcome::Failed(failure), links, now)
        });
        (completed, uncovered)
    }

    async fn finish(
        &self,
        ending: Ending,
        if_uncovered: Option<Ending>,
        deliver_now: Option<(WorkerId, Timestamp)>,
        now: Timestamp,
    ) -> Result<Concluded> {
        let (state, code) = ended_as(&ending);
        let or_else = if_uncovered.as_ref().map(ended_as);
        let finish = Finish {
            id: self.claimed.id,
            account: self.claimed.account,
            epoch: self.claimed.epoch,
            now,
            served_by: self.served_by.to_owned(),
            ending,
            if_uncovered,
            deliver_now,
        };
        match self.app().store().finish(finish).await? {
            Finished::Stale => Ok(Concluded::Stale),
            Finished::Ended { uncovered, delivery } => {
                self.app().hints().changed(self.claimed.id);
                if self.claimed.webhook_url.is_some() && delivery.is_none() {
                    self.app().hints().delivery();
                }
                let (state, code) = or_else.filter(|_| uncovered).unwrap_or((state, code));
                Ok(Concluded::Ended {
                    state,
                    code,
                    delivery: delivery.map(|claimed| Box::new(DueDelivery::from(*claimed))),
                })
            }
        }
    }

    /// The generation's end as the store writes it, with the webhook's final bytes; `links` only if there is one.
    fn ending(&self, outcome: Outcome, links: Option<&Links>, now: Timestamp) -> Ending {
        let Some(links) = links else {
            return Ending {
                outcome,
                delivery: None,
            };
        };
        let mut ended = Generation {
            ended_at: Some(now),
            served_by: Some(self.served_by.to_owned()),
            ..self.claimed.clone()
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
            delivery: event::delivery(self.app(), &ended, links, now),
        }
    }
}

impl System {
    /// The failure of a generation whose deadline has passed. Its time does not include a wait for a review.
    pub fn timeout_failure(&self, generation: &Generation) -> Failure {
        let model = self.app.catalog().get(&generation.model);
        let seconds = model.map_or_else(
            || generation.deadline.since(generation.created_at).as_secs(),
            |model| model.limits.max_processing_seconds,
        );
        Failure::fail(
            FailureCode::GenerationTimeout,
            format!("the job took longer than its model's limit of {seconds} s; nothing was charged"),
        )
    }

    /// Takes care of generations that nobody holds: those with lost leases go back into the queue, and those past
    /// their deadline or their last attempt end. Returns how many there were.
    pub async fn reap(&self) -> Result<u32> {
        const BATCH: u32 = 500;
        // With more, it is not these accounts but the store.
        const REFUSED: usize = 3;
        let (app, store) = (&self.app, self.app.store());
        let now = app.now();
        let mut found = store.requeue_lost(now, MAX_ATTEMPTS, BATCH).await?;
        let lost = found > 0;
        found += self.settle_reviews().await?;
        if lost {
            for lane in app.lanes().values().flatten() {
                app.hints().work(lane);
            }
        }
        let mut refused = HashMap::new();
        for overdue in store.overdue(now, MAX_ATTEMPTS, BATCH).await? {
            // One account that is held up must not keep the jobs of others.
            if refused.contains_key(&overdue.generation.account) {
                continue;
            }
            let failure = if overdue.timed_out {
                self.timeout_failure(&overdue.generation)
            } else {
                let message =
                    format!("the job was lost {MAX_ATTEMPTS} times while it ran; nothing was charged");
                Failure::fail(FailureCode::GenerationFailed, message)
            };
            let epoch = Some(overdue.generation.epoch);
            match app.end(&overdue.generation, failure, epoch, None).await {
                Ok(Ended::Ended) => found += 1,
                Ok(_) => {}
                Err(error) if refused.len() < REFUSED => {
                    refused.insert(overdue.generation.account, error);
                }
                Err(error) => return Err(error),
            }
        }
        refused.into_values().next().map_or(Ok(found), Err)
    }
}

/// When to try again after the `attempt`th, if the failure allows it and attempts are left.
fn next_attempt(attempt: u32, failure: &Failure, elsewhere: bool, now: Timestamp) -> Option<Timestamp> {
    let after = failure.retry_after?;
    // Another engine need not wait for what held this one up. Later attempts of the same one wait longer, in case it
    // takes a while to pass.
    let run_at = if elsewhere {
        now
    } else {
        // A server may ask for any wait.
        now.plus(after.saturating_mul(1 << attempt.saturating_sub(1).min(5)))
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
    fn another_engine_is_asked_immediately_and_the_same_one_after_a_growing_wait() {
        let now = Timestamp(1_000);
        let wait = Duration::from_secs(2);
        let failure = Failure::retry(FailureCode::GenerationFailed, "it does not answer", wait);
        assert_eq!(next_attempt(1, &failure, true, now), Some(now));
        assert_eq!(next_attempt(1, &failure, false, now), Some(now.plus(wait)));
        assert_eq!(next_attempt(2, &failure, false, now), Some(now.plus(2 * wait)));
        assert_eq!(next_attempt(MAX_ATTEMPTS, &failure, true, now), None);
        let refused = Failure::fail(FailureCode::InvalidInput, "no");
        assert_eq!(next_attempt(1, &refused, true, now), None);
    }

    #[test]
    fn a_server_that_asks_for_ages_gets_no_other_attempt_within_them() {
        let now = Timestamp(1_000);
        for wait in [Duration::MAX, Duration::from_secs(u64::MAX)] {
            let failure = Failure::retry(FailureCode::InvalidInput, "busy", wait);
            for attempt in 1..MAX_ATTEMPTS {
                assert_eq!(
                    next_attempt(attempt, &failure, false, now),
                    Some(Timestamp(i64::MAX))
                );
            }
        }
    }
}
