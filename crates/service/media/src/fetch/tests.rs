//! Downloads from servers on loopback that answer with what a test tells them.

use std::{fs, io, net::IpAddr, sync::Arc};

use atelier_domain::MediaType;
use futures_util::future::BoxFuture;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use super::*;
use crate::guard::{Guard, Lookup, Timeouts};

const OPEN: Guard = Guard { allow_private: true };
const PATIENT: Duration = Duration::from_secs(30);
const MAX: u64 = 1 << 20;
const GIF: &[u8] = b"GIF89a\x20\0\x10\0\0\0\0;";

/// A server that hands each connection's path to `answer`, and closes it afterwards.
async fn server<F>(answer: impl Fn(String, TcpStream) -> F + Send + 'static) -> String
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                match stream.read_u8().await {
                    Ok(byte) => request.push(byte),
                    Err(_) => break,
                }
            }
            let request = String::from_utf8(request).unwrap();
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            tokio::spawn(answer(path, stream));
        }
    });
    origin
}

/// A server that answers every request with the same bytes.
async fn fixed(answer: Vec<u8>) -> String {
    server(move |_, mut stream| {
        let answer = answer.clone();
        async move {
            // The client may hang up early.
            let _ = stream.write_all(&answer).await;
        }
    })
    .await
}

fn ok(body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn redirect(status: u16, target: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} Moved\r\nlocation: {target}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        .into()
}

struct Download {
    scratch: tempfile::TempDir,
    outbound: Outbound,
    deadline: Duration,
}

impl Download {
    fn new() -> Self {
        Self::through(Outbound::new(OPEN, Timeouts::default()).unwrap())
    }

    fn through(outbound: Outbound) -> Self {
        Self {
            scratch: tempfile::tempdir().unwrap(),
            outbound,
            deadline: PATIENT,
        }
    }

    async fn of(&self, url: &str) -> Result<Received, FetchError> {
        let url = Url::parse(url).unwrap();
        fetch(&self.outbound, &url, MAX, self.deadline, self.scratch.path()).await
    }

    /// The error of a download that must fail, after which nothing may be left.
    async fn failing(&self, url: &str) -> FetchError {
        let error = self.of(url).await.unwrap_err();
        assert_eq!(fs::read_dir(self.scratch.path()).unwrap().count(), 0);
        error
    }
}

#[tokio::test]
async fn the_type_is_read_from_the_bytes() {
    let origin = fixed(ok(GIF)).await;
    let download = Download::new();
    let received = download.of(&format!("{origin}/page.html")).await.unwrap();
    assert_eq!(received.facts.media_type, MediaType::Gif);
    assert_eq!(
        (received.facts.width, received.facts.height),
        (Some(32), Some(16))
    );
    assert_eq!(fs::read(received.path()).unwrap(), GIF);
}

#[tokio::test]
async fn redirects_are_followed_five_times() {
    let origin = server(|path, mut stream| async move {
        let hop: u32 = path.trim_start_matches('/').parse().unwrap();
        let answer = if hop == 0 {
            ok(GIF)
        } else {
            redirect(302, &format!("/{}", hop - 1))
        };
        stream.write_all(&answer).await.unwrap();
    })
    .await;
    let download = Download::new();
    assert!(download.of(&format!("{origin}/5")).await.is_ok());
    let error = download.failing(&format!("{origin}/6")).await;
    assert!(
        matches!(error, FetchError::TooManyRedirects) && !error.is_retryable(),
        "{error}"
    );
}

#[tokio::test]
async fn a_redirect_to_a_forbidden_scheme_is_refused() {
    for target in [
        "file:///etc/passwd",
        "ftp://example.com/a",
        "data:image/gif;base64,AAAA",
        "http://a:b@example.com/",
    ] {
        let origin = fixed(redirect(301, target)).await;
        let error = Download::new().failing(&origin).await;
        assert!(
            matches!(error, FetchError::Refused(_)) && !error.is_retryable(),
            "{target}: {error}"
        );
    }
}

/// Says that every name lives at one address.
struct At(IpAddr);

impl Lookup for At {
    fn lookup(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let address = self.0;
        Box::pin(async move { Ok(vec![address]) })
    }
}

#[test]
fn a_redirect_to_a_private_address_is_refused() {
    // The step between two hops is tested by itself: under a strict guard no server of a test could give the first answer.
    let strict = Outbound::new(Guard { allow_private: false }, Timeouts::default()).unwrap();
    let from = Url::parse("http://example.com/a/b").unwrap();
    for target in [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "http://LOCALHOST:8080/",
        "//0x7f.1/",
        "//2130706433",
        "/\\127.1/",
    ] {
        let outcome = next_hop(&strict, &from, Some(target));
        assert!(
            matches!(outcome, Err(FetchError::Refused(Refused::PrivateHost(_)))),
            "{target}: {outcome:?}"
        );
    }
    for (target, expected) in [
        ("c?d", "http://example.com/a/c?d"),
        ("/c", "http://example.com/c"),
        ("//example.org/c", "http://example.org/c"),
        ("https://example.org/", "https://example.org/"),
    ] {
        assert_eq!(next_hop(&strict, &from, Some(target)).unwrap().as_str(), expected);
    }
    assert!(matches!(
        next_hop(&strict, &from, None),
        Err(FetchError::Redirect(_))
    ));
    assert!(matches!(
        next_hop(&strict, &from, Some("http://[")),
        Err(FetchError::Redirect(_))
    ));
}

#[tokio::test]
async fn a_url_that_leads_to_a_private_address_is_refused() {
    let strict = Guard { allow_private: false };
    let lookup = Arc::new(At("127.0.0.1".parse().unwrap()));
    let download = Download::through(Outbound::with_lookup(strict, Timeouts::default(), lookup).unwrap());
    let error = download.failing("http://127.0.0.1/a.png").await;
    assert!(
        matches!(error, FetchError::Refused(Refused::PrivateHost(_))),
        "{error}"
    );
    let error = download.failing("http://pictures.example.com/a.png").await;
    assert_eq!(
        error.to_string(),
        "`pictures.example.com` does not lead to a public address"
    );
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn a_body_over_the_cap_is_refused_announced_or_not() {
    let body = [GIF, &vec![0; MAX as usize]].concat();
    let endless = [b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", &body[..]].concat();
    for answer in [ok(&body), endless] {
        let error = Download::new().failing(&fixed(answer).await).await;
        assert!(
            matches!(error, FetchError::File(IntakeError::TooLarge { max_bytes: MAX })),
            "{error}"
        );
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn a_server_that_trickles_hits_the_time_cap() {
    let origin = server(|_, mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nGIF89a";
        let mut sent = stream.write_all(head).await;
        while sent.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            sent = stream.write_all(b"x").await;
        }
    })
    .await;
    let mut download = Download::new();
    download.deadline = Duration::from_millis(300);
    let url = Url::parse(&origin).unwrap();
    let error = fetch(
        &download.outbound,
        &url,
        MAX,
        download.deadline,
        download.scratch.path(),
    )
    .await
    .unwrap_err();
    assert!(error.is_retryable(), "{error}");
    // The last write may still be under way in the background; it removes the file.
    for _ in 0..500 {
        if fs::read_dir(download.scratch.path()).unwrap().count() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the file is still there");
}

#[tokio::test]
async fn what_may_pass_is_told_from_what_will_not() {
    for (status, retryable) in [
        (400, false),
        (401, false),
        (403, false),
        (404, false),
        (410, false),
        (204, false),
        (206, false),
        (304, false),
        (408, true),
        (429, true),
        (500, true),
        (502, true),
        (503, true),
    ] {
        let answer = format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        let error = Download::new().failing(&fixed(answer.into()).await).await;
        assert!(matches!(error, FetchError::Status(_)), "{status}: {error}");
        assert_eq!(error.is_retryable(), retryable, "{status}");
    }
    // Nobody listens; the connection breaks off.
    let closed = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let error = Download::new().failing(&format!("http://{closed}/")).await;
    assert!(
        matches!(error, FetchError::Network(_)) && error.is_retryable(),
        "{error}"
    );
    let short = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nGIF89a".to_vec();
    let error = Download::new().failing(&fixed(short).await).await;
    assert!(
        matches!(error, FetchError::Network(_)) && error.is_retryable(),
        "{error}"
    );
}

#[tokio::test]
async fn what_is_no_media_is_refused() {
    for body in [&b"<!DOCTYPE html><html></html>"[..], b"<svg/>", b""] {
        let error = Download::new().failing(&fixed(ok(body)).await).await;
        assert!(
            matches!(
                error,
                FetchError::File(IntakeError::Unrecognised | IntakeError::Empty)
            ),
            "{error}"
        );
        assert!(!error.is_retryable() && !error.is_ours());
    }
}
