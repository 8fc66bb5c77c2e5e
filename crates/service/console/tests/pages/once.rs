//! The texts that pages show only once, after a redirect.

use axum::http::{StatusCode, header};

use crate::visit::{Answer, Visit};

const ORIGIN: &str = "https://atelier.example";

/// The element with this id, if the page has it.
fn has(answer: &Answer, id: &str) -> bool {
    answer.text.contains(&format!("id=\"{id}\">"))
}

#[tokio::test]
async fn every_form_that_makes_a_secret_leads_to_a_page_that_shows_it_once() {
    let mut visit = Visit::new(ORIGIN);
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let forms = [
        ("/account/apps/keys", [("name", "shop"), ("x", "")], "new-key"),
        ("/account/apps/secret/reveal", [("x", ""); 2], "signing-secret"),
        ("/account/apps/secret/rotate", [("x", ""); 2], "signing-secret"),
        (
            "/account/settings/invite",
            [("role", "viewer"), ("x", "")],
            "invitation",
        ),
        (
            "/account/webhooks/endpoints",
            [
                ("url", "https://example.com/hook"),
                ("events", "generation.failed"),
            ],
            "new-secret",
        ),
        (
            "/account/operator/accounts",
            [("name", "house"), ("x", "")],
            "account-key",
        ),
        (
            "/account/operator/accounts/house/invite",
            [("role", "viewer"), ("x", "")],
            "invitation",
        ),
    ];
    for (form, fields, id) in forms {
        let fields = [("csrf", csrf.as_str()), fields[0], fields[1]];
        let done = visit.post(form, &fields).await;
        assert_eq!(done.status, StatusCode::SEE_OTHER, "{form}: {}", done.text);
        let cookie = done.set_cookie("__Host-atelier-once");
        assert!(
            cookie.contains("; HttpOnly") && cookie.contains("; Max-Age=60"),
            "{cookie}"
        );
        let location = done
            .header(header::LOCATION)
            .split('#')
            .next()
            .unwrap()
            .to_owned();
        // Another page neither shows it nor takes it away.
        assert!(!has(&visit.get("/account/usage").await, id), "{form}");
        let page = visit.get(&location).await;
        assert!(has(&page, id), "{form}: {}", page.text);
        assert!(
            !has(&visit.get(&location).await, id),
            "{form}: a reload shows nothing"
        );
    }
    let keys = visit.get("/account/apps").await.text;
    assert_eq!(keys.matches("<td><code>atl_").count(), 1, "{keys}");
}

#[tokio::test]
async fn another_session_cannot_open_what_was_made_in_one() {
    let mut visit = Visit::new(ORIGIN);
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let fields = [("csrf", csrf.as_str()), ("name", "shop")];
    visit.post("/account/apps/keys", &fields).await;
    let taken: Vec<_> = visit.cookies.clone();
    visit.cookies.clear();
    let csrf = visit.get("/account/sign-in").await.csrf();
    let fields = [
        ("csrf", csrf.as_str()),
        ("login", "ada"),
        ("password", "a quiet long password"),
    ];
    visit.post("/account/sign-in", &fields).await;
    visit
        .cookies
        .extend(taken.into_iter().filter(|(name, _)| name.ends_with("-once")));
    let page = visit.get("/account/apps").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!has(&page, "new-key"), "{}", page.text);
}
