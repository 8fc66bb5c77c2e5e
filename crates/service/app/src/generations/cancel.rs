//! Ends a processing generation at its owner's request.

use atelier_domain::{AuditRecord, Failure, Generation, Scope, State};
use atelier_store::{End, Ended};

use crate::{App, Caller, Error, Result, audit, webhooks::event};

impl App {
    pub async fn cancel_generation(&self, caller: &Caller, id: &str) -> Result<Generation> {
        let account = caller.account(Scope::Generate)?.id;
        let cancelled = Failure::cancelled();
        loop {
            let generation = self.generation(caller, id).await?;
            if generation.state.is_ended() {
                return Err(already_ended(&generation));
            }
            // Fenced by the epoch, so that the webhook shows the generation as it was when it ended.
            let epoch = Some(generation.epoch);
            let record = caller
                .user()
                .map(|by| audit::record(self.now(), by, "generation.cancel", Some(account), generation.id));
            match self.end(&generation, cancelled.clone(), epoch, record).await? {
                Ended::Ended => return self.generation(caller, id).await,
                // It has ended, or an attempt has begun: reading it again tells which.
                Ended::NotProcessing => {}
                Ended::NotFound => {
                    return Err(Error::NotFound(format!(
                        "there is no generation with the id `{id}`"
                    )));
                }
            }
        }
    }

    /// Ends a generation from outside of its attempt, and wakes everyone who waits for it.
    pub(crate) async fn end(
        &self,
        generation: &Generation,
        failure: Failure,
        epoch: Option<i64>,
        record: Option<AuditRecord>,
    ) -> Result<Ended> {
        let now = self.now();
        let as_failed = Generation {
            state: State::Failed,
            failure: Some(failure.clone()),
            ended_at: Some(now),
            ..generation.clone()
        };
        let delivery = match generation.webhook_url {
            Some(_) => {
                let links = self.links_of(generation.account).await?;
                event::delivery(self, &as_failed, &links, now)
            }
            None => None,
        };
        let end = End {
            account: Some(generation.account),
            id: generation.id,
            now,
            epoch,
            failure,
            delivery,
            record,
        };
        let ended = self.store().end(end).await?;
        if ended == Ended::Ended {
            self.attempts().cancel(generation.id);
            self.hints().changed(generation.id);
            self.abandon(generation.account, generation.id);
            if generation.webhook_url.is_some() {
                self.hints().delivery();
            }
        }
        Ok(ended)
    }
}

fn already_ended(generation: &Generation) -> Error {
    let status = generation.status().as_str();
    Error::invalid(format!(
        "generation `{}` has ended as `{status}` and cannot be cancelled",
        generation.id
    ))
}
