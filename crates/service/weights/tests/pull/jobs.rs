//! Pulls of a service: durable, shown, cancelled.

use std::time::Duration;

use atelier_weights::{Commercial, Error, Pulls, State};

use crate::{Reply, Server, Setup, file};

const SIZE: usize = 2_000_000;

/// A server that takes its time, and a setup that pulls from it.
async fn slow() -> (Server, Setup) {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        pause: Some(Duration::from_millis(30)),
        ..Reply::of(request, &served)
    })
    .await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    (server, setup)
}

async fn until(pulls: &Pulls, what: impl Fn(&Pulls) -> bool) {
    for _ in 0..500 {
        if what(pulls) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it did not come: {:?}", pulls.list());
}

fn is_here(pulls: &Pulls) -> bool {
    pulls.puller().store.find("tiny").unwrap().is_some()
}

#[tokio::test]
async fn a_pull_goes_on_after_a_restart() {
    let (server, setup) = slow().await;
    let pulls = Pulls::start(setup.puller()).unwrap();
    pulls.ask("tiny", "ada", false).unwrap();
    until(&pulls, |pulls| pulls.list()[0].verified_bytes > 0).await;
    let shown = pulls.list().remove(0);
    assert_eq!(
        (shown.name.as_str(), shown.by.as_str(), shown.state),
        ("tiny", "ada", State::Running)
    );
    assert_eq!(shown.total_bytes, SIZE as u64);
    pulls.stop();
    assert!(!is_here(&pulls));

    let pulls = Pulls::start(setup.puller()).unwrap();
    let mut models = pulls.models();
    assert_eq!(pulls.list()[0].by, "ada");
    models.changed().await.unwrap();
    until(&pulls, is_here).await;
    until(&pulls, |pulls| pulls.list().is_empty()).await;
    assert!(server.sent() < 2 * SIZE as u64);
    // The record is gone: another restart pulls nothing.
    pulls.stop();
    assert!(Pulls::start(setup.puller()).unwrap().list().is_empty());
}

#[tokio::test]
async fn progress_is_told_and_a_cancelled_pull_ends() {
    let (_server, setup) = slow().await;
    let pulls = Pulls::start(setup.puller()).unwrap();
    let mut progress = pulls.progress();
    pulls.ask("tiny", "ada", false).unwrap();
    pulls.ask("tiny", "bob", false).unwrap();
    assert_eq!(pulls.list().len(), 1);
    progress.changed().await.unwrap();
    assert!(pulls.cancel("tiny").unwrap());
    assert!(!pulls.cancel("tiny").unwrap());
    assert!(pulls.list().is_empty());
    tokio::time::sleep(Duration::from_millis(100)).await;
    pulls.stop();
    assert!(!is_here(&pulls));
    assert!(Pulls::start(setup.puller()).unwrap().list().is_empty());
}

#[tokio::test]
async fn a_failed_pull_is_shown_until_somebody_asks_again() {
    let bytes = file(SIZE);
    let server = Server::start(|_| Reply::status(404)).await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    let pulls = Pulls::start(setup.puller()).unwrap();
    pulls.ask("tiny", "ada", false).unwrap();
    until(&pulls, |pulls| pulls.list()[0].state == State::Failed).await;
    pulls.stop();
    let good = Server::good(bytes.clone()).await;
    setup.index.add(crate::entry("tiny", &bytes, &[&good.url()]));
    let pulls = Pulls::start(setup.puller()).unwrap();
    let error = pulls.list()[0].error.clone().unwrap();
    assert!(error.ends_with("the server answers with status 404"), "{error}");
    pulls.ask("tiny", "bob", false).unwrap();
    until(&pulls, is_here).await;
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_tried_again_later() {
    let bytes = file(SIZE);
    let server = Server::start(|_| Reply::status(503)).await;
    let pulls = Pulls::start(Setup::new(&bytes, &[&server.url()]).puller()).unwrap();
    pulls.ask("tiny", "ada", false).unwrap();
    until(&pulls, |pulls| pulls.list()[0].state == State::Retrying).await;
    assert!(pulls.list()[0].error.as_ref().unwrap().contains("status 503"));
    pulls.stop();
}

#[tokio::test]
async fn licences_are_accepted_before_a_pull_begins() {
    let (_server, mut setup) = slow().await;
    let mut own = setup.index.get("tiny").unwrap().clone();
    own.licence.commercial = Commercial::No;
    setup.index.add(own);
    let pulls = Pulls::start(setup.puller()).unwrap();
    let error = pulls.ask("tiny", "ada", false).unwrap_err();
    assert!(
        matches!(&error, Error::NotAccepted { name, .. } if name == "tiny"),
        "{error}"
    );
    pulls.ask("tiny", "ada", true).unwrap();
    assert_eq!(pulls.list().len(), 1);
    pulls.stop();
}

#[tokio::test]
async fn a_model_that_another_process_pulled_is_noticed() {
    let (_server, setup) = slow().await;
    let pulls = Pulls::start(setup.puller()).unwrap();
    let mut models = pulls.models();
    setup.pull().await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), models.changed())
        .await
        .unwrap()
        .unwrap();
    models.mark_unchanged();
    pulls.remove("tiny").unwrap();
    assert!(models.has_changed().unwrap());
    pulls.stop();
}
