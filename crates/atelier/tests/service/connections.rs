//! Broken connections: an incomplete request does nothing, a complete request is done completely.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::{
    files,
    setup::{Account, ECHO, World, cheap, echo, until},
};

fn request(account: &Account) -> Vec<u8> {
    let body = cheap().to_string();
    format!(
        "POST /dev/v1/generations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        account.key,
        body.len()
    )
    .into_bytes()
}

/// Sends these bytes and disconnects.
async fn send_and_drop(world: &World, bytes: &[u8], reset: bool) {
    let mut stream = TcpStream::connect(world.server.address()).await.unwrap();
    if reset {
        stream.set_zero_linger().unwrap();
    }
    stream.write_all(bytes).await.unwrap();
    drop(stream);
}

#[tokio::test]
async fn an_incomplete_request_does_nothing() {
    let world = echo();
    let account = world.account(100);
    let whole = request(&account);
    for length in [0, 1, 20, 60, 150, whole.len() - 30, whole.len() - 1] {
        for reset in [false, true] {
            send_and_drop(&world, &whole[..length], reset).await;
        }
    }
    account.http.create(&cheap()).await;
    assert_eq!(account.http.get("/generations").await.json()["meta"]["total"], 1);
    assert_eq!(account.credits().await, 96);
}

#[tokio::test]
async fn a_request_whose_client_disconnects_is_done_completely_or_not_at_all() {
    let world = echo();
    let account = world.account(1_000);
    for index in 0..30 {
        send_and_drop(&world, &request(&account), index % 2 == 0).await;
    }
    // Later requests are answered later.
    account.http.create(&cheap()).await;
    until("everything has ended", async || {
        account.http.get("/generations?status=processing").await.json()["meta"]["total"] == 0
    })
    .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let jobs = account.http.get("/generations?limit=100").await.json();
    let total = jobs["meta"]["total"].as_i64().unwrap();
    assert!((1..=31).contains(&total));
    assert!(
        jobs["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|job| job["status"] == "completed"),
        "{jobs}"
    );
    assert_eq!(account.credits().await, 1_000 - 4 * total);
}

#[tokio::test]
async fn a_client_that_disconnects_while_it_waits_does_not_affect_the_job() {
    let world = echo();
    let account = world.account(100);
    let id = account.http.create(&cheap()).await;
    let wait = format!(
        "GET /dev/v1/generations/{id}?wait=60 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\r\n",
        account.key
    );
    for _ in 0..10 {
        send_and_drop(&world, wait.as_bytes(), true).await;
    }
    assert_eq!(account.http.wait(&id).await["status"], "completed");
}

/// Checks that the answer has the body of every error.
fn assert_error(answer: &str) {
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
    assert_eq!(body["success"], false, "{answer}");
    assert!(!body["error"]["message"].as_str().unwrap().is_empty(), "{answer}");
}

#[tokio::test]
async fn malformed_requests_get_the_body_of_every_error() {
    let world = echo();
    for (bytes, status, message) in [
        (
            "GARBAGE\r\n\r\n".to_owned(),
            "400 Bad Request",
            "malformed HTTP request",
        ),
        (
            format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(200)),
            "431 Request Header Fields Too Large",
            "the headers of the request are too large",
        ),
    ] {
        let mut stream = TcpStream::connect(world.server.address()).await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        let mut answer = String::new();
        timeout(Duration::from_mins(1), stream.read_to_string(&mut answer))
            .await
            .expect("the connection ends")
            .unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{answer}");
        assert_error(&answer);
        assert!(answer.contains(message), "{answer}");
    }
}

#[tokio::test]
async fn malformed_requests_do_no_harm() {
    let world = echo();
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(100_000));
    let many = format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(1_000));
    for bytes in [
        &b"GARBAGE\r\n\r\n"[..],
        b"\0\0\0\0\0\0\0\0",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
        b"POST /dev/v1/generations HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        b"POST /dev/v1/generations HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef",
        b"POST /dev/v1/generations HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ] {
        let mut stream = TcpStream::connect(world.server.address()).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = Vec::new();
        // The connection may be cut instead.
        let _ = timeout(Duration::from_secs(20), stream.read_to_end(&mut answer))
            .await
            .expect("the connection ends");
        let answer = String::from_utf8_lossy(&answer);
        if !answer.is_empty() {
            assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
            assert_error(&answer);
        }
    }
    assert_eq!(world.anonymous().get("//healthz").await.status, 200);
}

#[tokio::test]
async fn a_client_that_stops_in_the_middle_of_a_body_gets_an_error_and_is_disconnected() {
    let world = World::start(&ECHO.replace("[metrics]", "[server]\nslow_body_seconds = 1\n[metrics]"));
    let account = world.account(100);
    let whole = request(&account);
    let upload = format!(
        "POST /dev/v1/uploads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-length: 5000000\r\n\
         content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\n\
         content-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n\x01\x02",
        account.key
    );
    for begun in [&whole[..whole.len() - 5], upload.as_bytes()] {
        let mut stream = TcpStream::connect(world.server.address()).await.unwrap();
        stream.write_all(begun).await.unwrap();
        let mut answer = String::new();
        // The client does not close the connection, so the server must.
        timeout(Duration::from_mins(1), stream.read_to_string(&mut answer))
            .await
            .expect("the connection ends")
            .unwrap();
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(
            body["error"],
            json!({
                "code": "invalid_request",
                "message": "the body arrived too slowly: at least 16 KiB are expected every 1 s",
            })
        );
    }
    assert_eq!(account.http.get("/generations").await.json()["meta"]["total"], 0);
    until("the upload is removed", async || world.scratch().is_empty()).await;
}

#[tokio::test]
async fn one_connection_can_send_several_requests() {
    let world = echo();
    let account = world.account(100);
    let mut stream = TcpStream::connect(world.server.address()).await.unwrap();
    let three = [request(&account), request(&account), request(&account)].concat();
    stream.write_all(&three).await.unwrap();
    let mut answer = String::new();
    until("three answers came", async || {
        let mut bytes = [0; 4_096];
        if let Ok(Ok(count)) = timeout(Duration::from_secs(1), stream.read(&mut bytes)).await {
            answer.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        answer.matches("HTTP/1.1 201 Created").count() == 3
    })
    .await;
    assert_eq!(
        account.http.get("/generations").await.json()["meta"]["total"],
        json!(3)
    );
}

#[tokio::test]
async fn a_refusal_arrives_while_the_client_is_still_sending_a_large_body() {
    let world = echo();
    let account = world.account_with(100, &["--generations-per-minute", "1"]);
    account.http.create(&cheap()).await;
    let no_beta = world.account_with(100, &["--no-beta"]);
    let file = || files::png_of(20 << 20);
    for _ in 0..3 {
        let anonymous = world.anonymous().upload(file(), "a.png").await;
        assert_eq!(
            (anonymous.status.as_u16(), anonymous.code().as_str()),
            (401, "invalid_api_key")
        );
        let disabled = no_beta.http.upload(file(), "a.png").await;
        assert_eq!(
            (disabled.status.as_u16(), disabled.code().as_str()),
            (403, "api_disabled")
        );
        let limited = account.http.upload(file(), "a.png").await;
        assert_eq!(
            (limited.status.as_u16(), limited.code().as_str()),
            (429, "rate_limit")
        );
        for (path, status) in [
            ("/nothing", 404),
            ("/balance", 405),
            ("//nothing", 404),
            ("/models/x", 405),
        ] {
            let request = account.http.request(reqwest::Method::POST, path).body(file());
            assert_eq!(account.http.send(request).await.status, status, "{path}");
        }
    }
}

#[tokio::test]
async fn a_small_body_that_comes_after_its_refusal_leaves_the_connection_open() {
    let world = echo();
    for path in ["/mcp", "/dev/v1/generations", "/v1/images/generations"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n"
        );
        let mut stream = TcpStream::connect(world.server.address()).await.unwrap();
        for _ in 0..3 {
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"}}") {
                let read = timeout(Duration::from_secs(10), stream.read_buf(&mut answer)).await;
                assert!(read.unwrap().unwrap() > 0, "{path}: the connection was closed");
            }
            assert!(answer.starts_with(b"HTTP/1.1 401 "), "{path}");
            // The answer came without the body; clients send it in a packet of its own.
            stream.write_all(b"{}").await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
