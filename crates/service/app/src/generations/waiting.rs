//! The place of a queued job, and its estimated wait.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use atelier_domain::{Generation, State, Timestamp};
use atelier_store::{QueuePlace, REVIEW_LANE, RecentRun};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{App, Result};

/// How long the times of recent runs are used.
const FRESH: Duration = Duration::from_secs(10);

/// The place of a queued job.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct QueueView {
    /// About how many jobs start before it, 100 at most. Accounts take turns, so a job that is sent later can start
    /// earlier.
    #[schema(example = 3)]
    pub ahead: u32,
    /// Whether there are more than that.
    pub more: bool,
    /// About how many seconds it waits, from the times of recent jobs of the models before it. Null if unknown.
    #[schema(example = 12.5)]
    pub estimated_seconds: Option<f64>,
    /// About how many seconds it then runs: the median of recent jobs of its model, or the mean of all recent jobs of
    /// its engine. Null if unknown.
    #[schema(example = 4.2)]
    pub run_seconds: Option<f64>,
}

/// The times of recent jobs, and when they were read.
#[derive(Debug, Default)]
pub(crate) struct Means(Mutex<Option<(Timestamp, Arc<Times>)>>);

/// The times of recent jobs.
#[derive(Debug, Default)]
struct Times {
    /// The mean of each lane.
    lanes: HashMap<String, Duration>,
    /// The median of each model in a lane.
    models: HashMap<(String, String), Duration>,
}

impl Times {
    fn new(runs: &[RecentRun]) -> Self {
        let mut lanes: HashMap<&str, Vec<Duration>> = HashMap::new();
        let mut models: HashMap<(String, String), Vec<Duration>> = HashMap::new();
        for run in runs {
            lanes.entry(&run.lane).or_default().push(run.took);
            let model = (run.lane.clone(), run.model.clone());
            models.entry(model).or_default().push(run.took);
        }
        let mean = |(lane, took): (&str, Vec<Duration>)| {
            let count = u32::try_from(took.len()).unwrap_or(u32::MAX);
            (lane.to_owned(), took.iter().sum::<Duration>() / count)
        };
        Self {
            lanes: lanes.into_iter().map(mean).collect(),
            models: models
                .into_iter()
                .map(|(model, took)| (model, median(took)))
                .collect(),
        }
    }

    /// About how long a job of this model takes in a lane, in seconds.
    fn of(&self, lane: &str, model: &str) -> Option<f64> {
        let model = self.models.get(&(lane.to_owned(), model.to_owned()));
        model.or_else(|| self.lanes.get(lane)).map(Duration::as_secs_f64)
    }

    fn view(&self, place: &QueuePlace, model: &str) -> QueueView {
        // If nothing runs, the start of the next job is unknown.
        let is_known = place.running > 0 && !place.more;
        QueueView {
            ahead: place.ahead,
            more: place.more,
            estimated_seconds: self.wait(place).filter(|_| is_known).map(tenths),
            run_seconds: self.of(&place.lane, model).map(tenths),
        }
    }

    /// About how long the jobs before a place take, and one that runs. Those of other accounts count as the mean of
    /// the lane.
    fn wait(&self, place: &QueuePlace) -> Option<f64> {
        let mean = self.lanes.get(&place.lane)?.as_secs_f64();
        let own: u32 = place.own.iter().map(|(_, count)| count).sum();
        let others = place.ahead.saturating_sub(own) + 1;
        let of_own = place.own.iter();
        let of_own: f64 = of_own
            .map(|(model, count)| self.of(&place.lane, model).unwrap_or(mean) * f64::from(*count))
            .sum();
        Some((of_own + mean * f64::from(others)) / f64::from(place.running.max(1)))
    }
}

/// The median of some times; zero if there are none.
fn median(mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    let at = |index: usize| took.get(index).copied().unwrap_or_default();
    let upper = took.len() / 2;
    if took.len() % 2 == 1 {
        at(upper)
    } else {
        (at(upper) + at(upper.saturating_sub(1))) / 2
    }
}

fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

impl App {
    /// The place of a queued job; `None` if no other job comes before it.
    pub async fn queue_view(&self, generation: &Generation) -> Result<Option<QueueView>> {
        if generation.state != State::Queued {
            return Ok(None);
        }
        let found = self
            .store()
            .queue_place(generation.account, generation.id)
            .await?;
        // A job that waits for a review is not in the queue.
        let place = found.filter(|place| place.ahead > 0 && place.lane != REVIEW_LANE);
        let Some(place) = place else {
            return Ok(None);
        };
        // The place is useful even without an estimate.
        let times = self.recent_times().await.unwrap_or_default();
        Ok(Some(times.view(&place, &generation.model)))
    }

    /// The times of recent jobs, read every few seconds at most.
    async fn recent_times(&self) -> Result<Arc<Times>> {
        let now = self.now();
        let kept = self
            .0
            .means
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some((at, times)) = kept
            && now.since(at) < FRESH
        {
            return Ok(times);
        }
        let times = Arc::new(Times::new(&self.store().recent_runs().await?));
        *self.0.means.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&times)));
        Ok(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times() -> Times {
        let run = |model: &str, seconds| RecentRun {
            lane: "a".to_owned(),
            model: model.to_owned(),
            took: Duration::from_secs(seconds),
        };
        Times::new(&[
            run("film", 60),
            run("film", 2),
            run("film", 40),
            run("picture", 2),
            run("picture", 6),
        ])
    }

    fn place(ahead: u32, running: u32, own: &[(&str, u32)]) -> QueuePlace {
        QueuePlace {
            lane: "a".to_owned(),
            ahead,
            more: false,
            running,
            own: own
                .iter()
                .map(|(model, count)| ((*model).to_owned(), *count))
                .collect(),
        }
    }

    #[test]
    fn a_job_runs_as_long_as_the_median_of_its_model_or_else_as_the_mean_of_its_lane() {
        let times = times();
        let run = |model: &str| times.view(&place(1, 1, &[]), model).run_seconds;
        assert_eq!(run("film"), Some(40.0));
        assert_eq!(run("picture"), Some(4.0));
        assert_eq!(run("new"), Some(22.0));
        let elsewhere = QueuePlace {
            lane: "b".to_owned(),
            ..place(1, 1, &[])
        };
        let view = times.view(&elsewhere, "film");
        assert_eq!((view.run_seconds, view.estimated_seconds), (None, None));
    }

    #[test]
    fn a_wait_counts_each_own_job_by_its_model_and_others_by_the_lane_shared_by_what_runs() {
        let times = times();
        let wait = |place: &QueuePlace| times.view(place, "picture").estimated_seconds;
        // The one that runs counts as the mean.
        assert_eq!(wait(&place(3, 1, &[("picture", 3)])), Some(34.0));
        assert_eq!(wait(&place(3, 2, &[("picture", 3)])), Some(17.0));
        assert_eq!(wait(&place(3, 1, &[("film", 1), ("picture", 1)])), Some(88.0));
        assert_eq!(wait(&place(3, 0, &[])), None, "nothing runs");
        let long = QueuePlace {
            more: true,
            ..place(100, 2, &[])
        };
        assert_eq!(wait(&long), None, "there are more than were counted");
    }
}
