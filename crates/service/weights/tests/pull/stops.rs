//! Stalls, refusals, pauses, and those who ask at the same time.

use std::time::{Duration, Instant, SystemTime};

use atelier_weights::Meter;

use crate::{PIECE, Reply, Server, Setup, file};

const SIZE: usize = 2_000_000;

#[tokio::test]
async fn a_connection_that_stalls_is_replaced() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        stall: (request.number % 3 == 1).then_some(200_000),
        ..Reply::of(request, &served)
    })
    .await;
    let meter = Meter::default();
    Setup::new(&bytes, &[&server.url()])
        .pull_with(&meter)
        .await
        .unwrap();
    assert_eq!(meter.received(), SIZE as u64);
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_after_six_tries() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| match request.method.as_str() {
        "head" => Reply::of(request, &served),
        _ => Reply::status(503),
    })
    .await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    setup.options.ranges = 1;
    let error = setup.refusal().await;
    assert!(error.contains("status 503"), "{error}");
    assert_eq!(server.requests().len(), 1 + 6);
}

#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "a date of the real world")]
async fn a_pause_that_the_server_asks_for_by_date_is_kept() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| {
        if request.number != 1 {
            return Reply::of(request, &served);
        }
        let date = |seconds| httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(seconds));
        Reply::status(429)
            .with("date", &date(0))
            .with("retry-after", &date(2))
    })
    .await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    setup.options.ranges = 1;
    let begin = Instant::now();
    setup.pull().await.unwrap();
    assert!(
        begin.elapsed() > Duration::from_millis(1900),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn a_pause_of_hours_is_an_error_that_says_so() {
    let bytes = file(SIZE);
    let server = Server::start(|_| Reply::status(429).with("retry-after", "7200")).await;
    let error = Setup::new(&bytes, &[&server.url()]).refusal().await;
    assert!(error.contains("asks to wait for 120 minutes"), "{error}");
}

#[tokio::test]
async fn a_range_that_the_server_does_not_have_is_refused_at_once() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| match request.method.as_str() {
        "head" => Reply::of(request, &served),
        _ => Reply::status(416),
    })
    .await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    setup.options.ranges = 1;
    let error = setup.refusal().await;
    assert!(error.contains("does not have the bytes 0 to"), "{error}");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn two_who_ask_share_one_download() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        pause: Some(Duration::from_millis(10)),
        ..Reply::of(request, &served)
    })
    .await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    let (one, other) = tokio::join!(setup.pull(), setup.pull());
    assert_eq!(one.unwrap().entry, other.unwrap().entry);
    assert_eq!(server.sent(), SIZE as u64);
}

#[tokio::test]
async fn a_pull_that_is_dropped_and_asked_again_goes_on() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        pause: Some(Duration::from_millis(5)),
        ..Reply::of(request, &served)
    })
    .await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    let mut received = 0;
    for _ in 0..20 {
        let meter = Meter::default();
        let done = tokio::time::timeout(Duration::from_millis(60), setup.pull_with(&meter)).await;
        received += meter.received();
        if done.is_ok() {
            break;
        }
    }
    setup.pull().await.unwrap();
    // Each time at most one piece of each of the four connections is lost.
    assert!(received <= SIZE as u64 + 20 * 4 * PIECE, "{received}");
    let before = server.sent();
    setup.pull().await.unwrap();
    assert_eq!(server.sent(), before);
}

#[tokio::test]
async fn bandwidth_is_limited_for_everything_together() {
    let bytes = file(SIZE);
    let server = Server::good(bytes.clone()).await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    setup.options.bandwidth = Some(2_000_000);
    let begin = Instant::now();
    setup.pull().await.unwrap();
    assert!(
        begin.elapsed() > Duration::from_millis(800),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn offline_never_connects() {
    let bytes = file(SIZE);
    let server = Server::good(bytes.clone()).await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    setup.options.offline = true;
    let error = setup.refusal().await;
    assert_eq!(
        error,
        "`models.offline` is on: tiny is not downloaded; use `atelier models import`"
    );
    assert!(server.requests().is_empty());
}
