//! Reads one generation, immediately or when it has ended.

use std::time::Duration;

use atelier_domain::{Generation, GenerationId, Scope};
use tokio::time::{Instant, timeout_at};

use super::view::GenerationView;
use crate::{App, Caller, Error, Result, private::Links};

/// How soon at the latest the end of a generation on another node is noticed.
const POLL: Duration = Duration::from_secs(1);

/// A caller that creates jobs must be able to follow them.
pub(super) const READING: [Scope; 2] = [Scope::Read, Scope::Generate];

impl App {
    /// The caller's generation of this id.
    pub async fn generation(&self, caller: &Caller, id: &str) -> Result<Generation> {
        let missing = || Error::NotFound(format!("there is no generation with the id `{}`", clip(id)));
        let id: GenerationId = id.parse().map_err(|_| missing())?;
        match self
            .store()
            .generation(caller.account_for(&READING)?.id, id)
            .await?
        {
            Some(found) => Ok(found),
            None => Err(self.not_found(caller, id).await),
        }
    }

    /// The same, as soon as it has ended, the time is up or the service stops.
    pub async fn wait_for_generation(&self, caller: &Caller, id: &str, wait: Duration) -> Result<Generation> {
        let mut generation = self.generation(caller, id).await?;
        let until = Instant::now() + wait;
        while !generation.state.is_ended() && Instant::now() < until {
            let waiting = self.hints().wait_for(generation.id);
            let ended = waiting.notify.notified();
            tokio::pin!(ended);
            // From here on no end is missed; an earlier one is seen by reading once more.
            ended.as_mut().enable();
            generation = self.generation(caller, id).await?;
            if generation.state.is_ended() {
                break;
            }
            tokio::select! {
                () = self.hints().closed() => return Ok(generation),
                _ = timeout_at(until.min(Instant::now() + POLL), ended) => {}
            }
            generation = self.generation(caller, id).await?;
        }
        Ok(generation)
    }

    /// The job as its owner sees it, with its place while it waits, and its review.
    pub async fn view_with_place(&self, generation: &Generation, links: &Links) -> Result<GenerationView> {
        Ok(GenerationView {
            queue: self.queue_view(generation).await?,
            review: self.review_view(generation).await?,
            ..self.view(generation, links)
        })
    }

    /// Whether the service stops.
    pub fn is_closing(&self) -> bool {
        self.hints().is_closed()
    }
}

/// The part of a foreign id that a message shows.
fn clip(id: &str) -> String {
    id.chars().take(64).collect()
}
