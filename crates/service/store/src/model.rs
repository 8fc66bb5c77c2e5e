//! Random lives of a store, with crashes, compared to a small model of what must result.

mod steps;

use std::{collections::HashMap, time::Duration};

use atelier_domain::{Generation, GenerationId, State, Timestamp};
use proptest::prelude::*;

use self::steps::{Charge, Step, step};
use crate::{
    Accept, Accepted, Ended, EntryKind, Finish, Finished, Granted, Idempotency,
    conformance::world::{
        START, Shared, World, accept, at, change, claim, completed, end, failed, failure, finish, generation,
    },
};

const MAX_ATTEMPTS: u32 = 3;
const LEASE: u64 = 60;

/// The place of a store during one life.
pub(crate) trait Ground: Sized {
    /// An empty place.
    async fn new() -> Self;
    /// Opens the store at this place.
    async fn open(&self) -> Shared;
    /// Ends everything that has the store open, as if it were killed.
    async fn crash(&mut self);
}

/// The expected state of a generation.
#[derive(Debug)]
struct Job {
    sent: Generation,
    state: State,
    epoch: i64,
    attempt: u32,
    run_at: Timestamp,
    charged: Option<i64>,
}

struct Life<G> {
    ground: G,
    store: Shared,
    world: World,
    now: u64,
    available: i64,
    held: i64,
    jobs: Vec<Job>,
    keys: HashMap<u8, (u8, GenerationId)>,
}

impl<G: Ground> Life<G> {
    async fn new() -> Self {
        let ground = G::new().await;
        let store = ground.open().await;
        let world = World::new(&store, 100).await;
        Self {
            ground,
            store,
            world,
            now: 1,
            available: 100,
            held: 0,
            jobs: Vec::new(),
            keys: HashMap::new(),
        }
    }

    async fn take(&mut self, step: &Step) {
        self.now += 1;
        let picked = |which: usize| which.checked_rem(self.jobs.len());
        match *step {
            Step::Accept { hold, webhook, key } => self.accept(hold, webhook, key).await,
            Step::Claim { max } => self.claim(max).await,
            Step::Grant { credits } => self.grant(credits).await,
            Step::Lapse => self.lapse().await,
            Step::Crash => self.crash().await,
            Step::Complete { which, charge, stale } => {
                if let Some(index) = picked(which) {
                    self.complete(index, charge, stale).await;
                }
            }
            Step::Fail { which } => {
                if let Some(index) = picked(which) {
                    self.fail(index).await;
                }
            }
            Step::End { which } => {
                if let Some(index) = picked(which) {
                    self.end(index).await;
                }
            }
            Step::Retry { which } => {
                if let Some(index) = picked(which) {
                    self.retry(index).await;
                }
            }
            Step::GiveBack { which } => {
                if let Some(index) = picked(which) {
                    self.give_back(index).await;
                }
            }
        }
    }

    async fn fail(&mut self, index: usize) {
        let running = self.jobs[index].state == State::Running;
        let current = self.current(index);
        let request = finish(&current, failed(&current), at(self.now));
        let finished = self.store.finish(request).await.unwrap();
        assert_eq!(matches!(finished, Finished::Ended { .. }), running);
        if running {
            self.ended(index, None);
        }
    }

    async fn end(&mut self, index: usize) {
        let open = !self.jobs[index].state.is_ended();
        let request = end(&self.jobs[index].sent, at(self.now));
        let ended = self.store.end(request).await.unwrap();
        assert_eq!(ended, if open { Ended::Ended } else { Ended::NotProcessing });
        if open {
            self.ended(index, None);
        }
    }

    async fn retry(&mut self, index: usize) {
        let now = at(self.now);
        let job = &mut self.jobs[index];
        let running = job.state == State::Running;
        let run_at = now.plus(Duration::from_secs(3));
        let request = crate::Retry {
            id: job.sent.id,
            epoch: job.epoch,
            now,
            run_at,
            failure: failure(),
            lane: None,
        };
        assert_eq!(self.store.retry(request).await.unwrap(), running);
        if running {
            (job.state, job.run_at) = (State::Queued, run_at);
        }
    }

    async fn give_back(&mut self, index: usize) {
        let job = &mut self.jobs[index];
        let held = vec![(job.sent.id, job.epoch)];
        self.store.give_back(held, at(self.now)).await.unwrap();
        if job.state == State::Running {
            (job.state, job.attempt) = (State::Queued, job.attempt - 1);
        }
    }

    async fn grant(&mut self, credits: i64) {
        let granting = self
            .store
            .grant(self.world.account, credits, "step", at(self.now), change());
        let granted = granting.await.unwrap();
        let available = self.available;
        if available + credits < 0 {
            assert_eq!(granted, Granted::Uncovered { available });
        } else {
            self.available += credits;
            let available = self.available;
            assert_eq!(granted, Granted::Done { available });
        }
    }

    async fn accept(&mut self, hold: i64, webhook: bool, key: Option<(u8, u8)>) {
        let mut sent = generation(self.world.account, hold);
        sent.created_at = at(self.now);
        sent.deadline = at(1_000_000);
        sent.webhook_url = webhook.then(|| "https://hooks.example.com/in".to_owned());
        let idempotency = key.map(|(key, body)| Idempotency {
            key: key.to_string(),
            body_hash: [body; 32],
            valid_since: START,
        });
        let request = Accept {
            idempotency,
            ..accept(sent.clone())
        };
        let accepted = self.store.accept(request).await.unwrap();
        if let Some((first_body, first)) = key.and_then(|(key, _)| self.keys.get(&key)) {
            match accepted {
                Accepted::Replayed(replayed) => {
                    assert_eq!((replayed.id, key.unwrap().1), (*first, *first_body));
                }
                Accepted::KeyReused => assert_ne!(key.unwrap().1, *first_body),
                other => panic!("{other:?}"),
            }
        } else if hold > self.available {
            assert!(matches!(accepted, Accepted::Uncovered { available } if available == self.available));
        } else {
            assert!(matches!(accepted, Accepted::Accepted(_)), "{accepted:?}");
            self.available -= hold;
            self.held += hold;
            if let Some((key, body)) = key {
                self.keys.insert(key, (body, sent.id));
            }
            let run_at = sent.created_at;
            self.jobs.push(Job {
                sent,
                state: State::Queued,
                epoch: 0,
                attempt: 0,
                run_at,
                charged: None,
            });
        }
    }

    async fn claim(&mut self, max: u32) {
        let now = at(self.now);
        let claimed = self
            .store
            .claim(claim(self.world.worker, max, now))
            .await
            .unwrap();
        let mut due: Vec<_> = self
            .jobs
            .iter_mut()
            .filter(|job| job.state == State::Queued && job.run_at <= now)
            .collect();
        due.sort_by_key(|job| (job.run_at, job.sent.id));
        due.truncate(max as usize);
        for job in &mut due {
            job.state = State::Running;
            job.epoch = crate::work::next_epoch(job.epoch, now);
            job.attempt += 1;
        }
        let expected: Vec<_> = due
            .iter()
            .map(|job| (job.sent.id, job.epoch, job.attempt))
            .collect();
        let found: Vec<_> = claimed
            .iter()
            .map(|claimed| (claimed.id, claimed.epoch, claimed.attempt))
            .collect();
        assert_eq!(found, expected);
    }

    async fn complete(&mut self, index: usize, charge: Charge, stale: bool) {
        let mut current = self.current(index);
        let hold = current.hold;
        let charge = match charge {
            Charge::Nothing => 0,
            Charge::BelowHold => hold / 2,
            Charge::Hold => hold,
            Charge::AboveHold => hold + 1,
            Charge::Everything => hold + self.available,
            Charge::TooMuch => hold + self.available + 1,
        };
        current.epoch -= i64::from(stale);
        let request = Finish {
            if_uncovered: Some(failed(&current)),
            ..finish(&current, completed(&current, charge), at(self.now))
        };
        let finished = self.store.finish(request).await.unwrap();
        if stale || self.jobs[index].state != State::Running {
            assert!(matches!(finished, Finished::Stale));
            return;
        }
        let covered = charge <= hold + self.available;
        assert!(
            matches!(finished, Finished::Ended { uncovered, .. } if uncovered != covered),
            "{finished:?}"
        );
        self.ended(index, covered.then_some(charge));
    }

    async fn lapse(&mut self) {
        self.now += LEASE;
        let now = at(self.now);
        let requeued = self.store.requeue_lost(now, MAX_ATTEMPTS, 1_000).await.unwrap();
        let mut expected = 0;
        for job in self
            .jobs
            .iter_mut()
            .filter(|job| job.state == State::Running && job.attempt < MAX_ATTEMPTS)
        {
            (job.state, job.run_at) = (State::Queued, now);
            expected += 1;
        }
        assert_eq!(requeued, expected);
        let mut lost = self.store.overdue(now, MAX_ATTEMPTS, 1_000).await.unwrap();
        lost.sort_by_key(|lost| lost.generation.id);
        let expected: Vec<_> = (0..self.jobs.len())
            .filter(|index| self.jobs[*index].state == State::Running)
            .collect();
        assert_eq!(
            lost.iter().map(|lost| lost.generation.id).collect::<Vec<_>>(),
            expected
                .iter()
                .map(|index| self.jobs[*index].sent.id)
                .collect::<Vec<_>>()
        );
        for index in expected {
            let request = crate::End {
                epoch: Some(self.jobs[index].epoch),
                ..end(&self.jobs[index].sent, now)
            };
            assert_eq!(self.store.end(request).await.unwrap(), Ended::Ended);
            self.ended(index, None);
        }
    }

    async fn crash(&mut self) {
        self.ground.crash().await;
        self.store = self.ground.open().await;
        self.world.store = std::sync::Arc::clone(&self.store);
    }

    /// The generation as its worker knows it.
    fn current(&self, index: usize) -> Generation {
        let job = &self.jobs[index];
        Generation {
            epoch: job.epoch,
            ..job.sent.clone()
        }
    }

    fn ended(&mut self, index: usize, charge: Option<i64>) {
        let job = &mut self.jobs[index];
        job.state = if charge.is_some() {
            State::Completed
        } else {
            State::Failed
        };
        job.charged = charge;
        self.held -= job.sent.hold;
        self.available += job.sent.hold - charge.unwrap_or(0);
    }

    async fn judge(&self) {
        self.world.audited().await;
        assert!(self.available >= 0 && self.held >= 0);
        assert_eq!(self.world.balance().await, (self.available, self.held));
        let entries = self.store.ledger(self.world.account, 10_000).await.unwrap();
        let mut ends: HashMap<GenerationId, Vec<EntryKind>> = HashMap::new();
        for entry in entries
            .iter()
            .filter(|entry| matches!(entry.kind, EntryKind::Settle | EntryKind::Release))
        {
            ends.entry(entry.generation.unwrap())
                .or_default()
                .push(entry.kind);
        }
        for job in &self.jobs {
            let stored = self.world.get(job.sent.id).await;
            assert_eq!(
                (stored.state, stored.epoch, stored.attempt, stored.charged),
                (job.state, job.epoch, job.attempt, job.charged)
            );
            let expected: &[EntryKind] = match job.state {
                State::Completed => &[EntryKind::Settle],
                State::Failed => &[EntryKind::Release],
                State::Queued | State::Running => &[],
            };
            assert_eq!(ends.get(&job.sent.id).map_or(&[][..], Vec::as_slice), expected);
            let deliveries = usize::from(job.state.is_ended() && job.sent.webhook_url.is_some());
            assert_eq!(
                self.store.deliveries(job.sent.id).await.unwrap().len(),
                deliveries
            );
        }
    }
}

/// Runs a number of random lives, and checks each at its end and after a crash.
pub(crate) fn every_life_of_a_store_keeps_its_books<G: Ground>(lives: u32) {
    let config = ProptestConfig {
        cases: lives,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let live = |steps: Vec<Step>| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut life = Life::<G>::new().await;
            for step in &steps {
                life.take(step).await;
            }
            life.judge().await;
            life.crash().await;
            life.judge().await;
        });
        Ok(())
    };
    proptest::test_runner::TestRunner::new(config)
        .run(&prop::collection::vec(step(), 1..60), live)
        .unwrap();
}
