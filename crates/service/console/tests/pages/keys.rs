//! The page of a key: limits, rotation, what it spent.

use axum::http::{StatusCode, header};

use crate::visit::Visit;

/// The path of the first key in the table.
fn page_of_key(text: &str) -> String {
    let start = text.find("/account/apps/keys/").unwrap();
    let path = &text[start..];
    path[..path.find('"').unwrap()].to_owned()
}

#[tokio::test]
async fn a_key_is_created_with_limits_edited_and_rotated() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let create = |limit| [("csrf", csrf.as_str()), ("name", "shop"), limit];
    let wrong = create(("credits_per_day", "many"));
    let answer = visit.post("/account/apps/keys", &wrong).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(
        answer.text.contains("must be a whole number (got many)"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("value=\"many\""), "what was typed stays");
    let limited = [
        ("csrf", csrf.as_str()),
        ("name", "shop"),
        ("scopes", "read"),
        ("scopes", "generate"),
        ("models", "flux-*, image-gen-4"),
        ("credits_per_day", "40"),
    ];
    let created = visit.submit("/account/apps/keys", &limited).await;
    assert!(created.text.contains("0 of 40"), "{}", created.text);
    assert!(created.text.contains("read, generate<br>flux-*, image-gen-4"));
    let key = page_of_key(&visit.get("/account/apps").await.text);
    let shown = visit.get(&key).await;
    assert!(
        shown.text.contains("name=\"scopes\" value=\"read\" checked"),
        "{}",
        shown.text
    );
    assert!(shown.text.contains("name=\"scopes\" value=\"upload\">"));
    let change = [
        ("csrf", csrf.as_str()),
        ("name", "store"),
        ("networks", "192.0.2.7"),
        ("expires", "2199-12-31"),
    ];
    let saved = visit.post(&key, &change).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.text);
    let shown = visit.get(saved.header(header::LOCATION)).await;
    assert!(shown.text.contains("The limits are saved"));
    for value in ["192.0.2.7/32", "2199-12-31", "store"] {
        assert!(shown.text.contains(&format!("value=\"{value}\"")), "{value}");
    }
    assert!(
        !shown.text.contains("value=\"read\" checked"),
        "a form without scopes removes that limit"
    );
    let refused = visit
        .post(&key, &[("csrf", &csrf), ("name", "store"), ("networks", "home")])
        .await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(
        refused.text.contains("(got <code>home</code>)"),
        "{}",
        refused.text
    );
    let rotate = format!("{key}/rotate");
    let rotated = visit.submit(&rotate, &[("csrf", &csrf), ("overlap", "24")]).await;
    assert!(
        rotated.text.contains("The one before works until"),
        "{}",
        rotated.text
    );
    assert!(rotated.text.contains("id=\"new-key\">atl_"), "{}", rotated.text);
    let theirs = visit
        .get("/account/apps/keys/01a1fc60-b087-74aa-9ac4-bdbca49fe86d")
        .await;
    assert_eq!(theirs.status, StatusCode::NOT_FOUND);
}
