//! A full scratch folder: jobs wait, and what was bought from a provider is neither lost nor bought again.

use super::*;
use crate::{scratch::fill, setup::until};

const QUOTA: &str = "[workers]\nscratch_mib = 4\n";

/// A service with this provider and a scratch folder of 4 MiB.
fn limited(provider: &Provider) -> World {
    World::start(&format!("{}{QUOTA}", config(&[("gpu", provider)])))
}

#[tokio::test]
async fn jobs_wait_in_the_queue_while_the_scratch_folder_is_full() {
    let provider = Provider::start();
    provider.counts.done.store(true, Ordering::SeqCst);
    let world = limited(&provider);
    let account = world.account(100);
    fill(&world, 4 << 20).await;
    let id = account.http.create(&request()).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let waiting = account.http.get(&format!("/generations/{id}")).await.json();
    assert_eq!(waiting["data"]["status"], "processing", "{waiting}");
    assert_eq!(waiting["data"]["attempts"], Value::Null, "no attempt is used up");
    assert_eq!(provider.counts.bought.load(Ordering::SeqCst), 0);
    assert!(
        world.server.log().contains("jobs wait in the queue"),
        "{}",
        world.server.log()
    );
    fill(&world, 0).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    until("the work files are gone", async || world.scratch().is_empty()).await;
}

#[tokio::test]
async fn an_output_that_finds_no_room_is_fetched_later_and_not_bought_again() {
    let provider = Provider::start();
    let world = limited(&provider);
    let account = world.account(100);
    let id = account.http.create(&request()).await;
    provider
        .until(|counts| counts.asked.load(Ordering::SeqCst), 1)
        .await;
    fill(&world, 4 << 20).await;
    provider.counts.done.store(true, Ordering::SeqCst);
    until("the attempt failed", async || {
        world.server.log().contains("could not be written")
    })
    .await;
    fill(&world, 0).await;
    let job = account.http.wait(&id).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(provider.counts.bought.load(Ordering::SeqCst), 1);
    let charged = job["credits_charged"].as_i64().unwrap();
    assert_eq!(account.credits().await, 100 - charged, "charged once");
    until("the work files are gone", async || world.scratch().is_empty()).await;
}
