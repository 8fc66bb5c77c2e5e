//! Results of a provider are fetched again, and not bought again, if its answer could not be used.

use super::*;

/// Runs a job at a provider whose first downloads get these answers.
async fn run(answers: &[(u16, &'static str)]) -> (Provider, Value) {
    let provider = Provider::start();
    provider.counts.done.store(true, Ordering::SeqCst);
    provider.counts.files.answers.lock().unwrap().extend(answers);
    let world = World::start(&config(&[("gpu", &provider)]));
    let account = world.account(100);
    let id = account.http.create(&request()).await;
    let job = account.http.wait(&id).await;
    let charged = job["credits_charged"].as_i64().unwrap_or_default();
    assert_eq!(account.credits().await, 100 - charged, "{job}");
    (provider, job)
}

fn bought_and_fetched(provider: &Provider) -> (u32, u32) {
    let counts = &provider.counts;
    let bought = counts.bought.load(Ordering::SeqCst);
    (bought, counts.files.downloads.load(Ordering::SeqCst))
}

#[tokio::test]
async fn a_file_that_cannot_be_downloaded_is_fetched_again_and_not_bought_again() {
    let (provider, job) = run(&[(503, "busy")]).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(bought_and_fetched(&provider), (1, 2));
    let attempts = job["attempts"].as_array().unwrap().iter();
    let ids: Vec<_> = attempts.map(|attempt| &attempt["provider_id"]).collect();
    assert_eq!(ids, ["p0", "p0"], "{job}");
}

#[tokio::test]
async fn a_file_of_another_kind_ends_the_job_without_a_charge_and_is_not_bought_again() {
    let page = (200, "<html>an error page</html>");
    let (provider, job) = run(&[page; 9]).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "generation_failed", "{job}");
    let (bought, fetched) = bought_and_fetched(&provider);
    assert_eq!(bought, 1);
    assert!(fetched > 1, "the file may have come right: {fetched}");
}

#[tokio::test]
async fn a_file_that_the_provider_no_longer_has_is_made_again() {
    let (provider, job) = run(&[(404, "gone")]).await;
    assert_eq!(job["status"], "completed", "{job}");
    assert_eq!(bought_and_fetched(&provider), (2, 2));
}
