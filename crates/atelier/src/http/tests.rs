//! Connections without a request are closed after the idle timeout, whatever the client does with them.

use std::time::{Duration, Instant};

use axum::{Router, body::Body, routing::get};
use futures::stream;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{Http, bind};

const IDLE: Duration = Duration::from_millis(600);
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// An empty SETTINGS frame.
const SETTINGS: &[u8] = b"\0\0\0\x04\0\0\0\0\0";
/// A PING frame.
const PING: &[u8] = b"\0\0\x08\x06\0\0\0\0\0pingping";

/// A server with two pages: `/`, and `/slow`, which sends a byte every 300 ms for 1.5 s.
async fn serve() -> Http {
    let slow = || async {
        let bytes = stream::unfold(0, |sent| async move {
            sleep(Duration::from_millis(300)).await;
            (sent < 5).then_some((Ok::<_, std::io::Error>("x"), sent + 1))
        });
        Body::from_stream(bytes)
    };
    let router = Router::new()
        .route("/", get(|| async { "hello" }))
        .route("/slow", get(slow));
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    Http::serve_with(listener, router, IDLE).unwrap()
}

async fn connect(http: &Http) -> TcpStream {
    TcpStream::connect(http.address()).await.unwrap()
}

/// Reads until the server closes the connection. Returns what it sent, and how long that took.
async fn read_to_end(stream: &mut TcpStream) -> (Vec<u8>, Duration) {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    let mut chunk = [0; 4_096];
    let reading = async {
        // A reset is an end too.
        while let Ok(count @ 1..) = stream.read(&mut chunk).await {
            bytes.extend_from_slice(&chunk[..count]);
        }
    };
    timeout(Duration::from_secs(20), reading)
        .await
        .expect("the server closes the connection");
    (bytes, begun.elapsed())
}

/// Sends these bytes again and again while the connection is open. Returns how long that was.
async fn keep_sending(mut stream: TcpStream, bytes: &[u8], pause: Duration) -> Duration {
    let begun = Instant::now();
    let (mut reading, mut writing) = stream.split();
    let sending = async {
        while writing.write_all(bytes).await.is_ok() {
            sleep(pause).await;
        }
    };
    let closed = async {
        let mut chunk = [0; 4_096];
        while let Ok(1..) = reading.read(&mut chunk).await {}
    };
    timeout(Duration::from_secs(20), async {
        tokio::select! {
            () = sending => (),
            () = closed => (),
        }
    })
    .await
    .expect("the server closes the connection");
    begun.elapsed()
}

#[tokio::test]
async fn a_connection_without_a_complete_head_is_closed() {
    let http = serve().await;
    for sent in [
        &b""[..],
        b"G",
        b"PRI * HTT",
        PREFACE,
        &[PREFACE, SETTINGS].concat(),
        b"GET / HTTP/1.1\r\nhost: x\r\n",
    ] {
        let mut stream = connect(&http).await;
        stream.write_all(sent).await.unwrap();
        let (_, time) = read_to_end(&mut stream).await;
        let sent = String::from_utf8_lossy(sent);
        assert!(time >= Duration::from_millis(500), "{sent:?} after {time:?}");
        assert!(time < Duration::from_secs(10), "{sent:?} after {time:?}");
    }
}

#[tokio::test]
async fn slow_heads_do_not_keep_a_connection_open() {
    let http = serve().await;
    let pause = Duration::from_millis(100);
    let mut stream = connect(&http).await;
    stream.write_all(b"GET / HTTP/1.1\r\nx: ").await.unwrap();
    let time = keep_sending(stream, b"a", pause).await;
    assert!(time < Duration::from_secs(10), "HTTP/1.1: {time:?}");

    // An HTTP/2 request whose head is continued with a frame of one byte again and again.
    let mut stream = connect(&http).await;
    let headers = b"\0\0\x01\x01\x01\0\0\0\x01\x82";
    stream
        .write_all(&[PREFACE, SETTINGS, headers].concat())
        .await
        .unwrap();
    let time = keep_sending(stream, b"\0\0\x01\x09\0\0\0\0\x01\x84", pause).await;
    assert!(time < Duration::from_secs(10), "HTTP/2: {time:?}");
}

#[tokio::test]
async fn pings_do_not_keep_an_idle_connection_open() {
    let http = serve().await;
    let mut stream = connect(&http).await;
    stream.write_all(&[PREFACE, SETTINGS].concat()).await.unwrap();
    let time = keep_sending(stream, PING, Duration::from_millis(100)).await;
    assert!(time < Duration::from_secs(10), "{time:?}");
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_its_request() {
    let http = serve().await;
    let mut stream = connect(&http).await;
    for _ in 0..3 {
        sleep(IDLE / 2).await;
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut chunk = [0; 4_096];
        let count = stream.read(&mut chunk).await.unwrap();
        assert!(chunk[..count].starts_with(b"HTTP/1.1 200 OK"));
    }
    let (rest, time) = read_to_end(&mut stream).await;
    assert_eq!(rest, b"");
    assert!(
        time >= Duration::from_millis(500) && time < Duration::from_secs(10),
        "{time:?}"
    );
}

#[tokio::test]
async fn a_response_may_take_longer_than_the_idle_timeout() {
    let http = serve().await;
    let mut stream = connect(&http).await;
    stream
        .write_all(b"GET /slow HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    let (bytes, time) = read_to_end(&mut stream).await;
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.matches("1\r\nx\r\n").count(), 5, "{text}");
    assert!(text.ends_with("0\r\n\r\n"), "{text}");
    assert!(time >= Duration::from_secs(2), "{time:?}");
}

#[tokio::test]
async fn closing_waits_for_requests_and_not_for_idle_connections() {
    let http = serve().await;
    let (mut idle, mut busy) = (connect(&http).await, connect(&http).await);
    idle.write_all(b"G").await.unwrap();
    busy.write_all(b"GET /slow HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    sleep(Duration::from_millis(200)).await;
    let closing = tokio::spawn(http.close(Duration::from_secs(10)));
    let (bytes, _) = read_to_end(&mut busy).await;
    assert!(
        bytes.ends_with(b"0\r\n\r\n"),
        "{}",
        String::from_utf8_lossy(&bytes)
    );
    read_to_end(&mut idle).await;
    closing.await.unwrap();
}
