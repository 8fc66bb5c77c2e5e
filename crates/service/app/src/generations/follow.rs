//! Follows one generation from state to state, with its progress and its partial images, until it has ended.
//!
//! Nothing is kept per event. An event's number says how far the generation was, so a client that comes back with
//! the last number receives only newer events.

use std::time::Duration;

use atelier_domain::{AccountId, Generation, GenerationId, State};
use tokio::time::{Instant, timeout};

use super::waiting::QueueView;
use crate::{
    App, Caller, Result, generations::get::READING, hints::Waiting, policy::ReviewView, private::Links,
    remote_attempts::Following,
};

/// How often progress on this node is checked; this costs no read.
const LOOK: Duration = Duration::from_millis(150);
/// The shortest time between two partial images.
const BETWEEN_IMAGES: Duration = Duration::from_millis(500);
/// How often the store is read, for changes on other nodes.
const READ: Duration = Duration::from_secs(1);
/// The longest time of one stream. A client that comes back has its key checked again.
const LONGEST: Duration = Duration::from_mins(5);

/// How far a generation is: rises with every attempt, with the progress of an attempt, and at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    epoch: i64,
    step: u32,
}

/// A step of a running attempt is its progress in thousandths; these lie beyond.
const QUEUED_AGAIN: u32 = 2_000;
const ENDED: u32 = 9_999;

impl Place {
    fn of(generation: &Generation) -> Self {
        let step = match generation.state {
            State::Queued if generation.epoch == 0 => 0,
            State::Queued => QUEUED_AGAIN,
            State::Running => 1 + (generation.progress.clamp(0.0, 1.0) * 1_000.0) as u32,
            State::Completed | State::Failed => ENDED,
        };
        Self {
            epoch: generation.epoch,
            step,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (epoch, step) = text.split_once('-')?;
        Some(Self {
            epoch: epoch.parse().ok()?,
            step: step.parse().ok()?,
        })
    }
}

/// An event of a generation.
#[derive(Debug, Clone)]
pub enum Event {
    /// It has changed.
    Told(Box<Told>),
    /// A picture of its unfinished result. Only the node where it runs has one, or to which its remote worker sends.
    PartialImage {
        id: GenerationId,
        /// A `data:` URL.
        url: String,
    },
}

/// A change of a generation.
#[derive(Debug, Clone)]
pub struct Told {
    /// The id that a client names as its last event when it comes back.
    pub id: String,
    /// `generation.progress`, `generation.completed` or `generation.failed`.
    pub event: &'static str,
    pub generation: Generation,
    /// Its place while it waits.
    pub queue: Option<QueueView>,
    /// Its review.
    pub review: Option<ReviewView>,
}

/// One listener, until dropped. Holds no thread.
#[derive(Debug)]
pub struct Follow {
    app: App,
    account: AccountId,
    links: Links,
    id: GenerationId,
    waiting: Waiting,
    /// Asks a remote worker for partial images.
    _following: Following,
    last: Option<Place>,
    /// Whether the last event said that a model was loading.
    was_loading: bool,
    /// Its place while it waits, and the one that the last event told.
    queue: Option<QueueView>,
    told_queue: Option<QueueView>,
    /// Its review, and the one that the last event told.
    review: Option<ReviewView>,
    told_review: Option<ReviewView>,
    /// The attempt and number of the last partial image, and when it was sent.
    shown: Option<((i64, u64), Instant)>,
    /// As last read; `None` before the first time.
    known: Option<Generation>,
    read_at: Instant,
    until: Instant,
    over: bool,
}

impl App {
    /// The events of the caller's generation from now on, or since the event `last`. `None`: the client already knows
    /// the end.
    pub async fn follow_generation(
        &self,
        caller: &Caller,
        id: &str,
        last: Option<&str>,
    ) -> Result<Option<Follow>> {
        let generation = self.generation(caller, id).await?;
        let last = last.and_then(Place::parse);
        if generation.state.is_ended() && last.is_some_and(|last| last >= Place::of(&generation)) {
            return Ok(None);
        }
        let now = Instant::now();
        Ok(Some(Follow {
            app: self.clone(),
            account: caller.account_for(&READING)?.id,
            links: self.links(caller).await?,
            id: generation.id,
            waiting: self.hints().wait_for(generation.id),
            _following: self.followed().follow(generation.id),
            last,
            was_loading: false,
            queue: None,
            told_queue: None,
            review: None,
            told_review: None,
            shown: None,
            known: None,
            read_at: now,
            until: now + LONGEST,
            over: false,
        }))
    }
}

impl Follow {
    /// The links to the files of the account.
    pub fn links(&self) -> Links {
        self.app.renewed(&self.links)
    }

    /// The next change; `None` after the end, when the stream's time is over, or when the service stops.
    pub async fn next(&mut self) -> Option<Result<Told>> {
        loop {
            match self.next_event().await? {
                Ok(Event::Told(told)) => return Some(Ok(*told)),
                Ok(Event::PartialImage { .. }) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// The next change or partial image; `None` as in [`next`](Self::next).
    pub async fn next_event(&mut self) -> Option<Result<Event>> {
        let mut woken = true;
        while !self.over {
            let notify = std::sync::Arc::clone(&self.waiting.notify);
            let notified = notify.notified();
            tokio::pin!(notified);
            // From here on no change is missed; an earlier one is seen by reading.
            notified.as_mut().enable();
            let due = woken || self.known.is_none() || self.read_at.elapsed() >= READ;
            if due && let Err(error) = self.read().await {
                self.over = true;
                return Some(Err(error));
            }
            if let Some(told) = self.news() {
                return Some(Ok(Event::Told(Box::new(told))));
            }
            if let Some(url) = self.partial_image() {
                return Some(Ok(Event::PartialImage { id: self.id, url }));
            }
            if self.over || Instant::now() >= self.until {
                return None;
            }
            woken = tokio::select! {
                () = self.app.hints().closed() => return None,
                woken = timeout(LOOK, notified) => woken.is_ok(),
            };
        }
        None
    }

    async fn read(&mut self) -> Result<()> {
        self.known = self.app.store().generation(self.account, self.id).await?;
        self.read_at = Instant::now();
        (self.queue, self.review) = match &self.known {
            Some(generation) => (
                self.app.queue_view(generation).await?,
                self.app.review_view(generation).await?,
            ),
            None => (None, None),
        };
        Ok(())
    }

    /// A partial image that is newer than the last one, as a `data:` URL.
    fn partial_image(&mut self) -> Option<String> {
        let generation = self.known.as_ref()?;
        let own = self.app.attempts().partial_image(self.id, generation.epoch);
        let (number, image) = own.or_else(|| self.app.followed().last(self.id, generation.epoch))?;
        let number = (generation.epoch, number);
        let is_due = self
            .shown
            .is_none_or(|(last, at)| last < number && at.elapsed() >= BETWEEN_IMAGES);
        is_due.then(|| {
            self.shown = Some((number, Instant::now()));
            image.data_url()
        })
    }

    fn news(&mut self) -> Option<Told> {
        let generation = self.known.as_mut()?;
        if generation.state == State::Running
            && let Some(done) = self.app.attempts().progress(self.id, generation.epoch)
        {
            generation.progress = generation.progress.max(done);
        }
        let place = Place::of(generation);
        self.over = generation.state.is_ended();
        let is_loading = self.app.loading(generation).is_some();
        // A model that begins or ends to load, and a place in the queue, are news without a new place.
        let has_moved = place_of(self.queue.as_ref()) != place_of(self.told_queue.as_ref())
            || self.review != self.told_review;
        let is_known = (is_loading == self.was_loading && !has_moved) || self.over;
        if is_known && self.last.is_some_and(|last| last >= place) {
            return None;
        }
        self.last = self.last.max(Some(place));
        self.was_loading = is_loading;
        self.told_queue.clone_from(&self.queue);
        self.told_review.clone_from(&self.review);
        Some(Told {
            id: format!("{}-{}", place.epoch, place.step),
            event: match generation.state {
                State::Queued | State::Running => "generation.progress",
                State::Completed => "generation.completed",
                State::Failed => "generation.failed",
            },
            generation: generation.clone(),
            queue: self.queue.clone(),
            review: self.review.clone(),
        })
    }
}

/// Returns the part of a place that is worth an event. Estimates alone are not.
fn place_of(queue: Option<&QueueView>) -> Option<(u32, bool)> {
    queue.map(|queue| (queue.ahead, queue.more))
}
