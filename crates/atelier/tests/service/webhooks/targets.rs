//! The URLs that webhooks may have.

use serde_json::json;

use super::with_hook;
use crate::setup::{ECHO, echo, shared};

/// The default guard.
pub(crate) const GUARDED: &str = r#"
routes = [{ model = "*", engine = "echo" }]
[metrics]
listen = ""
[limits]
requests_per_minute = 60000
"#;

#[tokio::test]
async fn only_public_https_urls_are_accepted() {
    let world = shared(GUARDED);
    let account = world.account(1_000);
    for url in [
        "http://example.com/hook",
        "ftp://example.com/hook",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://a.localhost/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://0x7f.1/",
        "https://0177.0.0.1/",
        "https://2130706433/",
        "https://0/",
        "https://0.0.0.0/",
        "https://10.1.2.3/",
        "https://172.16.0.1/",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://100.64.0.1/",
        "https://224.0.0.1/",
        "https://255.255.255.255/",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://[fe80::1]/",
        "https://[fc00::1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://printer.local/",
        "https://intranet/",
        "https://metadata.google.internal/",
        "https://user@example.com/",
        "https://",
        "https:///hook",
        "https:example.com/hook",
        "/hook",
        "hook",
        "",
        " https://example.com/",
        "https://example.com/\n",
        "https://１２７.0.0.1/",
        &format!("https://example.com/{}", "x".repeat(2_048)),
    ] {
        let answer = account.http.post("/generations", &with_hook(url)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{url:?}"
        );
        assert!(
            answer.message().contains("webhook_url"),
            "{url}: {}",
            answer.message()
        );
        assert_eq!(
            answer.json()["error"]["details"][0]["parameter"],
            json!("webhook_url")
        );
    }
    assert_eq!(account.credits().await, 1_000);
    assert_eq!(
        account
            .http
            .post("/generations", &with_hook("https://hooks.example.com:8443/a?b=c"))
            .await
            .status,
        201
    );
}

#[tokio::test]
async fn one_setting_allows_private_addresses_but_not_other_schemes() {
    assert!(ECHO.contains("allow_private = true"));
    let world = echo();
    let account = world.account(1_000);
    for url in ["http://127.0.0.1:1/", "http://localhost:1/", "https://[::1]:1/"] {
        assert_eq!(
            account.http.post("/generations", &with_hook(url)).await.status,
            201,
            "{url}"
        );
    }
    for url in [
        "ftp://127.0.0.1/",
        "http://user:secret@127.0.0.1/",
        "127.0.0.1",
        "file:///etc/passwd",
    ] {
        assert_eq!(
            account.http.post("/generations", &with_hook(url)).await.status,
            400,
            "{url}"
        );
    }
}
