//! Downloads from loopback servers that answer as each test says.

use std::{io, net::IpAddr, sync::Arc};

use futures_util::future::BoxFuture;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use super::*;
use crate::{Guard, Lookup, Timeouts};

const OPEN: Guard = Guard { allow_private: true };
const PATIENT: Duration = Duration::from_secs(30);
const MAX: u64 = 1 << 20;
const BODY: &[u8] = b"GIF89a\x20\0\x10\0\0\0\0;";

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

struct Client {
    outbound: Outbound,
    time: Duration,
}

impl Client {
    fn new() -> Self {
        Self::through(Outbound::new(OPEN, Timeouts::default()).unwrap())
    }

    fn through(outbound: Outbound) -> Self {
        Self {
            outbound,
            time: PATIENT,
        }
    }

    /// All bytes of a download.
    async fn get(&self, url: &str) -> Result<Vec<u8>, FetchError> {
        let limits = Limits {
            max_bytes: MAX,
            time: self.time,
        };
        let mut download = fetch(&self.outbound, &Url::parse(url).unwrap(), limits).await?;
        let mut bytes = Vec::new();
        while let Some(chunk) = download.chunk().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// The error of a download that must fail.
    async fn failing(&self, url: &str) -> FetchError {
        self.get(url).await.unwrap_err()
    }
}

#[tokio::test]
async fn a_download_yields_the_bytes_of_the_host() {
    let origin = fixed(ok(BODY)).await;
    assert_eq!(
        Client::new().get(&format!("{origin}/a.html")).await.unwrap(),
        BODY
    );
}

#[tokio::test]
async fn redirects_are_followed_five_times() {
    let origin = server(|path, mut stream| async move {
        let hop: u32 = path.trim_start_matches('/').parse().unwrap();
        let answer = if hop == 0 {
            ok(BODY)
        } else {
            redirect(302, &format!("/{}", hop - 1))
        };
        stream.write_all(&answer).await.unwrap();
    })
    .await;
    let client = Client::new();
    assert!(client.get(&format!("{origin}/5")).await.is_ok());
    let error = client.failing(&format!("{origin}/6")).await;
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
        let error = Client::new().failing(&origin).await;
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
    // Tests the step between two hops alone: a strict guard would refuse the server of this test.
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
    let client = Client::through(Outbound::with_lookup(strict, Timeouts::default(), lookup).unwrap());
    let error = client.failing("http://127.0.0.1/a.png").await;
    assert!(
        matches!(error, FetchError::Refused(Refused::PrivateHost(_))),
        "{error}"
    );
    let error = client.failing("http://pictures.example.com/a.png").await;
    assert_eq!(
        error.to_string(),
        "`pictures.example.com` does not lead to a public address"
    );
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_announced_or_not() {
    let body = [BODY, &vec![0; MAX as usize]].concat();
    let endless = [b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", &body[..]].concat();
    for answer in [ok(&body), endless] {
        let error = Client::new().failing(&fixed(answer).await).await;
        assert!(
            matches!(error, FetchError::TooLarge { max_bytes: MAX }),
            "{error}"
        );
        assert!(!error.is_retryable());
    }
}

#[tokio::test]
async fn a_server_that_sends_slowly_hits_the_time_limit() {
    let origin = server(|_, mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nGIF89a";
        let mut sent = stream.write_all(head).await;
        while sent.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            sent = stream.write_all(b"x").await;
        }
    })
    .await;
    let mut client = Client::new();
    client.time = Duration::from_millis(500);
    let error = client.failing(&origin).await;
    assert!(
        matches!(error, FetchError::TooSlow(_)) && error.is_retryable(),
        "{error}"
    );
}

#[tokio::test]
async fn only_failures_that_may_pass_are_retryable() {
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
        let error = Client::new().failing(&fixed(answer.into()).await).await;
        assert!(matches!(error, FetchError::Status { .. }), "{status}: {error}");
        assert_eq!(error.is_retryable(), retryable, "{status}");
    }
    // Nobody listens on this port.
    let closed = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let error = Client::new().failing(&format!("http://{closed}/")).await;
    assert!(
        matches!(error, FetchError::Network(_)) && error.is_retryable(),
        "{error}"
    );
    let short = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nGIF89a".to_vec();
    let error = Client::new().failing(&fixed(short).await).await;
    assert!(
        matches!(error, FetchError::Network(_)) && error.is_retryable(),
        "{error}"
    );
}

#[tokio::test]
async fn the_wait_that_a_host_asks_for_is_kept_with_the_failure() {
    for (value, expected) in [
        ("7", Some(7)),
        ("Sun, 06 Nov 1994 08:50:07 GMT", Some(30)),
        ("soon", None),
    ] {
        let answer = format!(
            "HTTP/1.1 503 x\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\nretry-after: {value}\r\n\
             content-length: 0\r\nconnection: close\r\n\r\n"
        );
        let error = Client::new().failing(&fixed(answer.into()).await).await;
        assert_eq!(
            error.retry_after().map(|wait| wait.as_secs()),
            expected,
            "{value}"
        );
    }
}

#[tokio::test]
async fn a_server_that_never_ends_is_left_at_the_limit() {
    let origin = server(|_, mut stream| async move {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
        while sent.is_ok() {
            sent = stream.write_all(&[7; 8192]).await;
        }
    })
    .await;
    let limits = Limits {
        max_bytes: MAX,
        time: PATIENT,
    };
    let client = Client::new();
    let mut download = fetch(&client.outbound, &Url::parse(&origin).unwrap(), limits)
        .await
        .unwrap();
    let mut received = 0;
    let error = loop {
        match download.chunk().await {
            Ok(chunk) => received += chunk.unwrap().len() as u64,
            Err(error) => break error,
        }
    };
    assert!(
        matches!(error, FetchError::TooLarge { max_bytes: MAX }),
        "{error}"
    );
    assert!(received <= MAX, "{received}");
}
