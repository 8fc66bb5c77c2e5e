//! Tests of the end of an attempt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use atelier_domain::{Failure, FailureCode, Generation, WorkerId};
use atelier_engines::{Context, Engine, Job, Made, Position};
use atelier_store::{Fault, Faults};
use serde_json::json;

use super::World;
use crate::{
    Caller,
    generations::{
        create::CreateGeneration,
        finish::{AttemptResult, Concluded},
    },
};

/// An external engine that is never asked.
#[derive(Debug)]
struct Remote;

#[async_trait]
impl Engine for Remote {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn concurrency(&self) -> usize {
        1
    }

    fn is_remote(&self) -> bool {
        true
    }

    async fn run(&self, _: Job, _: Context) -> Result<Made, Failure> {
        Ok(Made::default())
    }
}

/// A disk that is full while this is set.
#[derive(Debug, Default)]
struct Full(AtomicBool);

impl Faults for Full {
    fn reach(&self, place: &'static str) -> Option<Fault> {
        (place == "retry.before_commit" && self.0.load(Ordering::SeqCst)).then_some(Fault::DiskFull)
    }
}

pub(super) async fn job(world: &World, caller: &Caller) -> Generation {
    let fields = json!({ "model": "image-gen-4", "prompt": "a lighthouse" });
    let body = fields.to_string();
    let fields = fields.as_object().unwrap().clone();
    let request = CreateGeneration::new(fields, body.as_bytes(), None);
    let created = world.app.create_generation(caller, request).await.unwrap();
    created.generation
}

async fn claim(world: &World, lane: &str) -> Generation {
    let worker = WorkerId(world.app.entropy().uuid(world.app.now()));
    let claimed = world.system.claim(worker, lane, 1, Duration::from_secs(30)).await;
    claimed.unwrap().remove(0)
}

#[tokio::test]
async fn one_failure_of_an_engine_counts_once_however_often_its_end_is_written() {
    let faults = Arc::new(Full::default());
    let world = World::with(Arc::new(Remote), Some(Arc::clone(&faults) as Arc<_>));
    let operator = world.operator().await;
    let by = world.app.operator(&operator).unwrap();
    job(&world, &operator.caller).await;
    let claimed = claim(&world, "gpu").await;
    let breaker = || world.app.remote_engines(&by).remove(0).breaker;

    faults.0.store(true, Ordering::SeqCst);
    let failure = Failure::retry(FailureCode::GenerationFailed, "no answer", Duration::from_secs(1));
    let mut end = world
        .system
        .conclude(&claimed, "gpu", AttemptResult::Failed(failure));
    for _ in 0..10 {
        end.write(None).await.unwrap_err();
    }
    assert_eq!(
        breaker(),
        Position::Closed,
        "five failures open it, and this was one"
    );
    faults.0.store(false, Ordering::SeqCst);
    let written = end.write(None).await.unwrap();
    assert!(matches!(written, Concluded::Retried), "{written:?}");
}
