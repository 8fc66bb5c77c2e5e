//! Webhook endpoints, the low balance, and the log of requests.

use axum::http::{StatusCode, header};

use crate::visit::Visit;

#[tokio::test]
async fn an_endpoint_is_added_edited_rotated_and_deleted() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/webhooks/endpoints/new").await.csrf();
    let path = "/account/webhooks/endpoints";
    let wrong = [
        ("csrf", csrf.as_str()),
        ("url", "ftp://127.0.0.1/"),
        ("events", "generation.failed"),
    ];
    let refused = visit.post(path, &wrong).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(
        refused.text.contains("value=\"ftp://127.0.0.1/\""),
        "what was typed stays"
    );
    assert!(refused.text.contains("value=\"generation.failed\" checked"));
    let right = [
        ("csrf", csrf.as_str()),
        ("url", "https://example.com/hooks"),
        ("events", "generation.completed"),
        ("events", "account.low_balance"),
        ("enabled", "true"),
    ];
    let created = visit.submit(path, &right).await;
    assert!(
        created.text.contains("id=\"new-secret\">whsec_"),
        "{}",
        created.text
    );
    let listed = visit.get("/account/webhooks").await.text;
    assert!(
        listed.contains("generation.completed, account.low_balance"),
        "{listed}"
    );
    let start = listed.find("/account/webhooks/endpoints/0").unwrap();
    let own = listed[start..].split('"').next().unwrap().to_owned();
    let shown = visit.get(&own).await.text;
    assert!(
        shown.contains("value=\"generation.cancelled\"> "),
        "not ticked: {shown}"
    );
    assert!(!shown.contains("whsec_"), "the secret is shown once");
    let off = [
        ("csrf", csrf.as_str()),
        ("url", "https://example.com/new"),
        ("events", "generation.failed"),
    ];
    let saved = visit.post(&own, &off).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER);
    let shown = visit.get(saved.header(header::LOCATION)).await.text;
    assert!(shown.contains("The changes are saved.") && shown.contains("https://example.com/new"));
    assert!(
        visit
            .get("/account/webhooks")
            .await
            .text
            .contains("badge\">disabled")
    );
    let rotated = visit.submit(&format!("{own}/rotate"), &[("csrf", &csrf)]).await;
    assert!(
        rotated.text.contains("The one before also signs"),
        "{}",
        rotated.text
    );
    visit.post(&format!("{own}/delete"), &[("csrf", &csrf)]).await;
    assert_eq!(visit.get(&own).await.status, StatusCode::NOT_FOUND);
    assert!(
        visit
            .get("/account/webhooks")
            .await
            .text
            .contains("No endpoints yet")
    );
}

#[tokio::test]
async fn every_page_says_that_the_balance_is_low() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/usage").await.csrf();
    assert!(!visit.get("/account").await.text.contains("Your balance is low"));
    let set = [("csrf", csrf.as_str()), ("threshold", "1000000000")];
    assert_eq!(
        visit.post("/account/usage/alert", &set).await.status,
        StatusCode::SEE_OTHER
    );
    for path in [
        "/account",
        "/account/usage",
        "/account/gallery",
        "/account/requests",
    ] {
        let text = visit.get(path).await.text;
        assert!(text.contains("Your balance is low"), "{path}: {text}");
    }
    assert!(
        visit
            .get("/account/usage")
            .await
            .text
            .contains("value=\"1000000000\"")
    );
    let none = [("csrf", csrf.as_str()), ("threshold", "")];
    visit.post("/account/usage/alert", &none).await;
    assert!(!visit.get("/account").await.text.contains("Your balance is low"));
}

#[tokio::test]
async fn the_log_of_requests_has_filters_for_status_key_and_time() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let text = visit.get("/account/requests").await.text;
    assert!(text.contains("No requests yet"), "{text}");
    let text = visit.get("/account/requests?status=4xx&hours=24").await.text;
    assert!(text.contains("No requests match the filter"), "{text}");
    assert!(
        text.contains("value=\"4xx\" checked") && text.contains("value=\"24\" selected"),
        "{text}"
    );
    let wrong = visit.get("/account/requests?status=teapot").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}
