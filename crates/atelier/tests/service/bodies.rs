//! Invalid bodies of every kind are answered with a JSON error, cost nothing and do no harm.

use atelier_testkit::Answer;
use reqwest::Method;
use serde_json::json;

use crate::setup::{Account, assert_wire, cheap, echo};

async fn send(account: &Account, content_type: Option<&str>, body: impl Into<reqwest::Body>) -> Answer {
    let mut request = account.http.request(Method::POST, "/generations").body(body);
    if let Some(content_type) = content_type {
        request = request.header("content-type", content_type);
    }
    account.http.send(request).await
}

async fn refused(account: &Account, body: impl Into<reqwest::Body>, status: u16, says: &str) {
    let answer = send(account, Some("application/json"), body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.code().as_str()),
        (status, "invalid_request"),
        "{}",
        answer.message()
    );
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert!(
        answer.message().contains(says),
        "{says:?} is not in: {}",
        answer.message()
    );
}

/// Checks that nothing was charged or created, and that the next request is answered.
async fn unharmed(account: &Account, credits: i64) {
    assert_eq!(account.credits().await, credits);
    assert_eq!(account.http.get("/generations").await.json()["meta"]["total"], 0);
    account.http.create(&cheap()).await;
}

#[tokio::test]
async fn a_body_that_is_not_a_json_object_is_refused_with_the_reason() {
    let world = echo();
    let account = world.account(100);
    for (body, says) in [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("{'model': 'image-gen-4'}", "not valid JSON"),
        (r#"{"model": "image-gen-4",}"#, "not valid JSON"),
        (r#"{"model": "image-gen-4"} {}"#, "not valid JSON"),
        (r#"{"model": NaN}"#, "not valid JSON"),
        ("\u{feff}{}", "not valid JSON"),
        ("<html></html>", "not valid JSON"),
        ("model=image-gen-4&prompt=fox", "not valid JSON"),
        ("[]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("\"image-gen-4\"", "must be a JSON object"),
        ("7", "must be a JSON object"),
        ("true", "must be a JSON object"),
        ("{}", "`model` is required"),
        (r#"{"model": null}"#, "`model` is required"),
        (r#"{"model": ["image-gen-4"]}"#, "`model` must be a string"),
        (r#"{"model": "image-gen-4", "model": "image-gen-4"}"#, "twice"),
        (r#"{"model": "image-gen-4", "params": {"n": 1, "n": 1}}"#, "twice"),
        (r#"{"model": "image-gen-4", "params": "n=1"}"#, "params"),
        (
            r#"{"model": "image-gen-4", "prompt": "a \ud800 fox"}"#,
            "not valid JSON",
        ),
        (
            r#"{"model": "image-gen-4", "prompt": "a fox", "n": 1e400}"#,
            "not valid JSON",
        ),
    ] {
        refused(&account, body, 400, says).await;
    }
    unharmed(&account, 100).await;
}

#[tokio::test]
async fn bytes_that_are_not_utf_8_are_refused() {
    let world = echo();
    let account = world.account(100);
    for body in [
        &b"{\"model\": \"image-gen-4\", \"prompt\": \"\xff\xfe\"}"[..],
        b"\xff\xfe{\0}\0",
        b"\0",
        &[0x80; 64],
    ] {
        refused(&account, body, 400, "not valid JSON").await;
    }
    unharmed(&account, 100).await;
}

#[tokio::test]
async fn deeply_nested_bodies_are_refused() {
    let world = echo();
    let account = world.account(100);
    for open in [
        "[",
        "{\"a\":",
        "{\"model\":\"image-gen-4\",\"prompt\":[",
        "{\"params\":{\"prompt\":[[[",
    ] {
        refused(&account, open.repeat(20_000), 400, "not valid JSON").await;
    }
    let nested = format!(
        "{{\"model\":\"image-gen-4\",\"prompt\":{}{}}}",
        "[".repeat(100),
        "]".repeat(100)
    );
    refused(&account, nested, 400, "prompt").await;
    unharmed(&account, 100).await;
}

#[tokio::test]
async fn a_body_may_have_at_most_one_mebibyte() {
    let world = echo();
    let account = world.account(100);
    let padded = |size: usize| {
        let body = json!({ "model": "image-gen-4", "prompt": "a fox", "resolution": "1K" }).to_string();
        format!("{body}{}", " ".repeat(size - body.len()))
    };
    for size in [(1 << 20) + 1, 3 << 20] {
        refused(&account, padded(size), 413, "1 MiB").await;
    }
    let large = send(&account, Some("application/json"), padded((1 << 20) + 1)).await;
    assert_wire!("error_too_large", large);
    let streamed = futures::stream::iter((0..40).map(|_| Ok::<_, std::io::Error>(vec![b' '; 65_536])));
    refused(&account, reqwest::Body::wrap_stream(streamed), 413, "1 MiB").await;
    assert_eq!(account.credits().await, 100);
    assert_eq!(
        send(&account, Some("application/json"), padded(1 << 20))
            .await
            .status,
        201
    );
}

#[tokio::test]
async fn the_content_type_must_be_json() {
    let world = echo();
    let account = world.account(100);
    let body = cheap().to_string();
    for content_type in [
        None,
        Some("text/plain"),
        Some("text/json"),
        Some("application/x-www-form-urlencoded"),
        Some("application/jsonp"),
        Some("multipart/form-data; boundary=x"),
        Some("application"),
        Some(""),
        Some("application/xml;application/json"),
    ] {
        let answer = send(&account, content_type, body.clone()).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{content_type:?}"
        );
        assert!(
            answer.message().contains("Content-Type: application/json"),
            "{}",
            answer.message()
        );
    }
    assert_eq!(account.credits().await, 100);
    for content_type in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON;charset=UTF-8",
    ] {
        assert_eq!(
            send(&account, Some(content_type), body.clone()).await.status,
            201,
            "{content_type}"
        );
    }
}

#[tokio::test]
async fn values_of_wrong_types_are_named() {
    let world = echo();
    let account = world.account(100);
    for (field, value) in [
        ("prompt", json!(7)),
        ("prompt", json!(["a fox"])),
        ("prompt", json!({ "text": "a fox" })),
        ("prompt", json!(true)),
        ("n", json!("1")),
        ("n", json!(1.5)),
        ("n", json!(-1)),
        ("n", json!(1e300)),
        ("n", json!(18_446_744_073_709_551_615_u64)),
        ("n", json!([1])),
        ("resolution", json!(1)),
        ("resolution", json!("1k")),
        ("image_urls", json!("https://example.com/a.png")),
        ("image_urls", json!([7])),
        ("image_urls", json!([["https://example.com/a.png"]])),
        ("image_urls", json!(["not a URL"])),
        ("image_urls", json!(["file:///etc/passwd"])),
        ("image_urls", json!(["//example.com/a.png"])),
        (
            "image_urls",
            json!([format!("https://example.com/{}", "a".repeat(2_048))]),
        ),
        ("webhook_url", json!(7)),
        ("webhook_url", json!("example.com")),
        ("webhook_url", json!("javascript:alert(1)")),
        ("webhook_url", json!("https://user:secret@example.com/")),
        ("no_such_field", json!(1)),
        ("constructor", json!(null)),
        ("__proto__", json!({})),
    ] {
        let mut body = cheap();
        body[field] = value.clone();
        let answer = account.http.post("/generations", &body).await;
        if field == "constructor" {
            // `null` is treated as absent, whatever the name.
            assert!([201, 400].contains(&answer.status.as_u16()));
            continue;
        }
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{field}: {value}"
        );
        assert!(answer.message().contains(field), "{field}: {}", answer.message());
    }
    assert!(account.credits().await >= 96);
}

#[tokio::test]
async fn an_unknown_field_is_reported_with_the_known_fields() {
    let world = echo();
    let account = world.account(100);
    let mut body = cheap();
    body["params"] = json!({ "colour": "red" });
    let message = account.http.post("/generations", &body).await.message();
    for word in ["colour", "prompt", "resolution", "size", "n", "image_urls"] {
        assert!(message.contains(word), "{word}: {message}");
    }
    unharmed(&account, 100).await;
}

#[tokio::test]
async fn texts_with_any_characters_pass_unchanged() {
    let world = echo();
    let account = world.account(100);
    for prompt in [
        "ein Füchslein",
        "狐狸在雪中",
        "🦊".repeat(500).as_str(),
        "a\0fox\u{202e}\n\t\"'<script>",
        "'; DROP TABLE generations; --",
    ] {
        let id = account
            .http
            .create(&json!({ "model": "image-gen-4", "prompt": prompt, "resolution": "1K" }))
            .await;
        assert_eq!(account.http.wait(&id).await["status"], "completed", "{prompt}");
    }
    assert_eq!(account.http.get("/generations").await.json()["meta"]["total"], 5);
}
