//! How long the service takes to take back the jobs of workers that were killed.

use std::{collections::HashMap, time::Duration};

use atelier_domain::{Clock as _, Timestamp, clock::SystemClock};
use serde_json::Value;

use super::Worker;

/// A worker that was killed, and the attempts that it ran at that moment.
pub(super) struct Kill {
    at: Timestamp,
    attempts: Vec<Attempt>,
}

struct Attempt {
    job: String,
    began: Timestamp,
}

impl Kill {
    /// Kills the worker. Its folder still has the work folder of each attempt that it ran.
    pub(super) fn of(worker: &mut Worker) -> Self {
        let at = SystemClock.now();
        worker.kill();
        let folders = worker.scratch();
        let names = folders.iter().filter_map(|folder| folder.file_name()?.to_str());
        Self {
            at,
            attempts: names.map(Attempt::of_folder).collect(),
        }
    }

    pub(super) fn attempts(&self) -> usize {
        self.attempts.len()
    }
}

impl Attempt {
    /// A work folder is named by the job and the epoch of its claim, which is the time of the claim.
    fn of_folder(name: &str) -> Self {
        let (job, epoch) = name.rsplit_once('-').unwrap();
        Self {
            job: job.to_owned(),
            began: Timestamp(epoch.parse().unwrap()),
        }
    }
}

/// A job that was taken from a worker that was killed.
#[derive(Debug)]
pub(super) struct Takeover {
    /// From the kill until the attempt counted as lost. At that moment, the job is in the queue again (or has failed,
    /// if it was the last attempt), and any worker may begin it: this is the takeover. What follows is the queue, at
    /// whose end a lost job waits like every other: it depends on the load and on the number of workers.
    pub(super) took: Duration,
    /// From then on until the next attempt began; `None` if there was none.
    pub(super) waited: Option<Duration>,
    /// How much earlier a job began that was accepted while this one waited in the queue. It is zero if nothing but the
    /// queue held it up.
    pub(super) overtaken: Duration,
}

/// What became of the attempts that the killed workers ran, except those whose ends had reached the service. The jobs
/// are as their account sees them.
pub(super) fn takeovers(kills: &[Kill], jobs: &HashMap<String, Value>) -> Vec<Takeover> {
    let queue = Queue::of(jobs);
    let each = kills
        .iter()
        .flat_map(|kill| kill.attempts.iter().map(move |attempt| (kill, attempt)));
    each.filter_map(|(kill, attempt)| {
        // The attempts of a job are left out if there was only one, which then did not get lost.
        let attempts = jobs[&attempt.job]["attempts"].as_array()?;
        let began = attempt.began.rfc3339();
        let place = attempts.iter().position(|shown| shown["started_at"] == *began);
        let place = place.unwrap_or_else(|| panic!("no attempt began at {began}: {}", jobs[&attempt.job]));
        let ended = time(&attempts[place]["ended_at"]);
        let was_held = attempts[place]["outcome"] != "completed" && ended > kill.at;
        let next = attempts.get(place + 1).map(|next| time(&next["started_at"]));
        was_held.then(|| Takeover {
            took: ended.since(kill.at),
            waited: next.map(|next| next.since(ended)),
            overtaken: next
                .zip(queue.first_after(ended))
                .map(|(next, other)| next.since(other))
                .unwrap_or_default(),
        })
    })
    .collect()
}

/// When each job was accepted, in order, and when the first began of those that were accepted no earlier.
struct Queue(Vec<(Timestamp, Timestamp)>);

impl Queue {
    fn of(jobs: &HashMap<String, Value>) -> Self {
        let times = jobs
            .values()
            .map(|job| (time(&job["created_at"]), time(&job["started_at"])));
        let mut times: Vec<_> = times.collect();
        times.sort();
        let mut first = Timestamp(i64::MAX);
        for (_, began) in times.iter_mut().rev() {
            first = first.min(*began);
            *began = first;
        }
        Self(times)
    }

    /// When the first began of the jobs that were accepted after this moment.
    fn first_after(&self, moment: Timestamp) -> Option<Timestamp> {
        let place = self.0.partition_point(|(accepted, _)| *accepted <= moment);
        self.0.get(place).map(|(_, began)| *began)
    }
}

fn time(shown: &Value) -> Timestamp {
    Timestamp::of_text(shown.as_str().unwrap()).unwrap()
}
