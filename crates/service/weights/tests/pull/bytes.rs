//! Cuts, wrong bytes, wrong lengths.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use atelier_weights::Meter;

use crate::{PIECE, Reply, Server, Setup, file};

const SIZE: usize = 3_000_000;

#[tokio::test]
async fn a_file_comes_in_ranges_and_each_byte_once() {
    let bytes = file(SIZE);
    let server = Server::good(bytes.clone()).await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    let installed = setup.pull().await.unwrap();
    assert_eq!(server.sent(), SIZE as u64);
    assert!(installed.folder.join("model.onnx").exists());
    let described = std::fs::read_to_string(installed.folder.join("model.json")).unwrap();
    assert!(described.contains("\"kind\": \"image\"") && described.contains("\"name\": \"Tiny\""));
    // Again, there is nothing to do.
    setup.pull().await.unwrap();
    assert_eq!(server.sent(), SIZE as u64);
}

#[tokio::test]
async fn a_connection_that_breaks_every_100_kb_costs_no_byte_twice() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| Reply {
        cut: Some(100_000),
        ..Reply::of(request, &served)
    })
    .await;
    let meter = Meter::default();
    Setup::new(&bytes, &[&server.url()])
        .pull_with(&meter)
        .await
        .unwrap();
    // Bytes in a socket may be lost when it breaks.
    assert!(meter.received() <= SIZE as u64, "{}", meter.received());
    assert!(server.sent() < SIZE as u64 * 11 / 10, "{}", server.sent());
}

#[tokio::test]
async fn a_server_without_ranges_sends_the_file_once() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| {
        let mut whole = request.clone();
        whole.range = None;
        Reply::of(&whole, &served)
    })
    .await;
    Setup::new(&bytes, &[&server.url()]).pull().await.unwrap();
    // The requests for ranges were dropped when their answers began.
    let whole = server
        .requests()
        .iter()
        .filter(|request| request.method == "get" && request.range.is_none())
        .count();
    assert_eq!(whole, 1);
}

#[tokio::test]
async fn without_ranges_a_broken_download_keeps_its_pieces_and_gives_up_plainly() {
    let bytes = file(SIZE);
    let served = bytes.clone();
    let server = Server::start(move |request| {
        let mut whole = request.clone();
        whole.range = None;
        Reply {
            cut: Some(1_000_000),
            ..Reply::of(&whole, &served)
        }
    })
    .await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    let error = setup.refusal().await;
    assert!(
        error.contains("does not answer") && error.contains("goes on from there"),
        "{error}"
    );
    let plan = setup.puller().plan(&["tiny".to_owned()]).unwrap();
    // Three pieces of 256 KiB are in the first million bytes.
    assert_eq!(plan.missing_bytes, SIZE as u64 - 3 * PIECE);
}

#[tokio::test]
async fn a_byte_that_is_wrong_once_costs_at_most_the_file_once_more() {
    let bytes = file(SIZE);
    let (served, left) = (bytes.clone(), AtomicU64::new(1));
    let place = 5 * PIECE as usize + 17;
    let server = Server::start(move |request| {
        let mut reply = Reply::of(request, &served);
        let (from, last) = request.range.unwrap_or_default();
        if request.method == "get"
            && (from..=last).contains(&(place as u64))
            && left
                .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1))
                .is_ok()
        {
            reply.body[place - from as usize] ^= 1;
        }
        reply
    })
    .await;
    Setup::new(&bytes, &[&server.url()]).pull().await.unwrap();
    // The first download, the pieces up to the wrong one and those on their way, and that one a third time.
    assert!(server.sent() <= (SIZE as u64) + 11 * PIECE, "{}", server.sent());
}

#[tokio::test]
async fn a_wrong_byte_beside_a_broken_connection_costs_its_piece() {
    let bytes = file(SIZE);
    let (served, left) = (bytes.clone(), AtomicU64::new(1));
    let place = 5 * PIECE as usize + 17;
    let server = Server::start(move |request| {
        let mut reply = Reply::of(request, &served);
        let (from, last) = request.range.unwrap_or_default();
        if request.method == "get"
            && (from..=last).contains(&(place as u64))
            && left
                .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1))
                .is_ok()
        {
            reply.body[place - from as usize] ^= 1;
            reply.cut = Some(place - from as usize + 5_000);
        }
        reply
    })
    .await;
    let mut setup = Setup::new(&bytes, &[&server.url()]);
    setup.options.ranges = 1;
    setup.pull().await.unwrap();
    assert!(server.sent() <= SIZE as u64 + 4 * PIECE, "{}", server.sent());
}

#[tokio::test]
async fn a_server_that_always_sends_another_file_is_refused_with_both_digests() {
    let bytes = file(SIZE);
    let mut wrong = bytes.clone();
    wrong[SIZE / 2] ^= 1;
    let server = Server::good(wrong).await;
    let setup = Setup::new(&bytes, &[&server.url()]);
    let error = setup.refusal().await;
    assert!(
        error.contains("serves other bytes than the index says: SHA-256"),
        "{error}"
    );
    assert_eq!(server.sent(), 2 * SIZE as u64);
    // Nothing of it is kept.
    let plan = setup.puller().plan(&["tiny".to_owned()]).unwrap();
    assert_eq!(plan.missing_bytes, SIZE as u64);
}

#[tokio::test]
async fn a_mirror_repairs_what_the_first_server_sends_wrongly() {
    let bytes = file(SIZE);
    let mut wrong = bytes.clone();
    wrong[17] ^= 1;
    let (first, mirror) = (Server::good(wrong).await, Server::good(bytes.clone()).await);
    Setup::new(&bytes, &[&first.url(), &mirror.url()])
        .pull()
        .await
        .unwrap();
    assert_eq!(first.sent(), SIZE as u64);
    assert!(mirror.sent() <= 7 * PIECE, "{}", mirror.sent());
}

#[tokio::test]
async fn a_file_of_another_length_or_digest_is_refused_before_it_comes() {
    let bytes = file(SIZE);
    let longer = Server::good(file(SIZE + 1)).await;
    let error = Setup::new(&bytes, &[&longer.url()]).refusal().await;
    assert!(
        error.contains("has 3000001 bytes, but the index says 3000000"),
        "{error}"
    );
    let served = bytes.clone();
    let other =
        Server::start(move |request| Reply::of(request, &served).with("x-linked-etag", &"0".repeat(64)))
            .await;
    let error = Setup::new(&bytes, &[&other.url()]).refusal().await;
    assert!(
        error.contains("the server says that the file has the SHA-256 000"),
        "{error}"
    );
    assert_eq!((longer.sent(), other.sent()), (0, 0));
}

#[tokio::test]
async fn a_server_that_hides_its_length_and_sends_too_little_is_refused() {
    let bytes = file(SIZE);
    let short = bytes[..SIZE / 2].to_vec();
    let server = Server::start(move |request| match request.method.as_str() {
        "head" => Reply::status(405),
        _ if request.range == Some((0, 0)) => Reply::of(request, &short).with("content-range", "bytes 0-0/*"),
        _ => Reply::of(request, &short),
    })
    .await;
    let error = Setup::new(&bytes, &[&server.url()]).refusal().await;
    assert!(
        error.contains("1500000 bytes") || error.contains("does not have the bytes"),
        "{error}"
    );
}
