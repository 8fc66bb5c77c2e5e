//! Downloads from a server on loopback that never ends.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use atelier_media::scratch::Quota;
use atelier_outbound::{Guard, Timeouts};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::*;

const GIF: &[u8] = b"GIF89a\x20\0\x10\0\0\0\0";
const PATIENT: Duration = Duration::from_secs(30);

/// A server that begins every answer with `head` and goes on for as long as somebody listens, and the bytes it has
/// sent.
async fn endless(head: &'static [u8]) -> (Url, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let sent = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&sent);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let counter = Arc::clone(&counter);
            tokio::spawn(async move {
                let mut request = [0; 1024];
                let _ = stream.read(&mut request).await;
                let mut outcome = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
                if outcome.is_ok() {
                    outcome = stream.write_all(head).await;
                }
                while outcome.is_ok() {
                    outcome = stream.write_all(&[7; 8_192]).await;
                    counter.fetch_add(8_192, Ordering::Relaxed);
                }
            });
        }
    });
    (url.parse().unwrap(), sent)
}

struct Attempted {
    error: DownloadError,
    sent: u64,
    left: usize,
}

async fn attempted(head: &'static [u8], rules: Rules<'_>, most: u64, quota: u64) -> Attempted {
    let (url, sent) = endless(head).await;
    let scratch = tempfile::tempdir().unwrap();
    let quota = Quota {
        most: quota,
        reserve: 0,
    };
    let budget = Budget::new(most);
    let client = Outbound::new(Guard { allow_private: true }, Timeouts::default()).unwrap();
    let error = download(
        &client,
        &url,
        &rules,
        &budget,
        &Scratch::new(scratch.path(), quota),
    )
    .await
    .unwrap_err();
    // A write that nobody waits for removes its file when it ends.
    tokio::time::sleep(Duration::from_millis(200)).await;
    Attempted {
        error,
        sent: sent.load(Ordering::Relaxed),
        left: std::fs::read_dir(scratch.path()).unwrap().count(),
    }
}

fn rules(max_bytes: u64, accepts: &[MediaType]) -> Rules<'_> {
    Rules {
        max_bytes,
        time: PATIENT,
        accepts: Some(accepts),
    }
}

/// The bytes that the sockets between the two ends may hold.
const ON_THE_WAY: u64 = 16 << 20;

#[tokio::test]
async fn a_server_that_never_ends_is_left_at_the_limit_of_the_field() {
    let tried = attempted(GIF, rules(1 << 20, &[MediaType::Gif]), u64::MAX, u64::MAX).await;
    assert!(
        matches!(
            tried.error,
            DownloadError::Fetch(FetchError::TooLarge { max_bytes: 1_048_576 })
        ),
        "{:?}",
        tried.error
    );
    assert!(tried.sent < ON_THE_WAY, "{}", tried.sent);
    assert_eq!(tried.left, 0);
}

#[tokio::test]
async fn a_wrong_type_is_refused_before_the_rest_is_downloaded() {
    let tried = attempted(GIF, rules(1 << 40, &[MediaType::Png]), u64::MAX, u64::MAX).await;
    assert!(
        matches!(tried.error, DownloadError::Type(MediaType::Gif)),
        "{:?}",
        tried.error
    );
    assert!(tried.sent < ON_THE_WAY, "{}", tried.sent);
    let tried = attempted(b"<html>", rules(1 << 40, &[MediaType::Png]), u64::MAX, u64::MAX).await;
    assert!(
        matches!(tried.error, DownloadError::File(IntakeError::Unrecognised)),
        "{:?}",
        tried.error
    );
    assert!(tried.sent < ON_THE_WAY, "{}", tried.sent);
    assert_eq!(tried.left, 0);
}

#[tokio::test]
async fn the_inputs_of_a_job_have_a_limit_together() {
    let tried = attempted(GIF, rules(1 << 40, &[MediaType::Gif]), 2 << 20, u64::MAX).await;
    assert!(
        matches!(tried.error, DownloadError::Spent(Spent { most: 2_097_152 })),
        "{:?}",
        tried.error
    );
    assert_eq!(tried.left, 0);
}

#[tokio::test]
async fn the_quota_of_the_scratch_folder_ends_a_download() {
    let tried = attempted(GIF, rules(1 << 40, &[MediaType::Gif]), u64::MAX, 20 << 20).await;
    assert!(
        matches!(tried.error, DownloadError::File(IntakeError::DiskFull)),
        "{:?}",
        tried.error
    );
    assert!(tried.sent < (20 << 20) + ON_THE_WAY, "{}", tried.sent);
    assert_eq!(tried.left, 0);
}

#[test]
fn a_type_is_refused_early_only_if_it_cannot_become_another() {
    let takes = |accepts: &[MediaType], seen| rules(1, accepts).may_be(seen);
    assert!(
        takes(&[MediaType::M4a], MediaType::Mp4),
        "a film without pictures"
    );
    assert!(takes(&[MediaType::Mp4], MediaType::M4a), "sound with pictures");
    assert!(takes(&[MediaType::Flac], MediaType::Mp3), "behind a long tag");
    assert!(!takes(&[MediaType::Mp4], MediaType::Mp3));
    assert!(!takes(&[MediaType::Png], MediaType::Jpeg));
    assert!(!takes(&[MediaType::Webm], MediaType::Mp4));
}
