//! The targets of requests: back to the page, to the page of a form, to the sign-in and back.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};

use crate::visit::Visit;

const ORIGIN: &str = "https://atelier.example";

#[tokio::test]
async fn the_theme_is_set_and_the_page_stays_with_its_query() {
    let mut visit = Visit::new(ORIGIN);
    for (referer, back) in [
        ("/docs?x=1", "/docs?x=1"),
        (
            "/account/gallery?type=image&q=a%20b",
            "/account/gallery?type=image&q=a%20b",
        ),
        ("//evil.example/", "/account"),
    ] {
        let request = Request::post("/account/theme")
            .header(header::ORIGIN, ORIGIN)
            .header(header::REFERER, format!("{ORIGIN}{referer}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = visit.send(request, Body::from("theme=dark")).await;
        assert_eq!(answer.header(header::LOCATION), back);
        assert!(answer.set_cookie("atelier-theme").contains("atelier-theme=dark"));
    }
}

#[tokio::test]
async fn the_address_of_a_form_leads_to_its_page() {
    let mut visit = Visit::new(ORIGIN);
    visit.join().await;
    for (form, page) in [
        ("/account/apps/keys", "/account/apps"),
        ("/account/settings/password", "/account/settings"),
        ("/account/operator/takedowns", "/account/operator"),
        ("/account/theme", "/account"),
    ] {
        let answer = visit.get(form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{form}");
        assert_eq!(answer.header(header::LOCATION), page);
        assert_eq!(visit.get(page).await.status, StatusCode::OK);
    }
    let request = Request::builder().method(Method::DELETE).uri("/account/usage");
    let answer = visit.send(request, Body::empty()).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(answer.text.contains("<h1>Not possible</h1>"), "{}", answer.text);
}

#[tokio::test]
async fn a_request_without_a_session_leads_to_sign_in_and_back_to_the_page_it_came_from() {
    let mut visit = Visit::new(ORIGIN);
    let page = format!("{ORIGIN}/account/playground/image-gen-4?from=1");
    let next = "/account/sign-in?next=%2Faccount%2Fplayground%2Fimage-gen-4%3Ffrom%3D1";
    let form = Request::post("/account/playground/image-gen-4").header(header::REFERER, &page);
    let answer = visit.send(form, Body::empty()).await;
    assert_eq!(answer.header(header::LOCATION), next);
    let script = Request::post("/account/playground/image-gen-4/quote")
        .header("hx-request", "true")
        .header("hx-current-url", &page);
    let answer = visit.send(script, Body::empty()).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.headers["hx-redirect"], next);
    let elsewhere = visit
        .get("/account/sign-in?next=https%3A%2F%2Fevil.example%2F")
        .await;
    assert!(
        elsewhere.text.contains("name=\"next\" value=\"/account\""),
        "{}",
        elsewhere.text
    );
}

#[tokio::test]
async fn what_cannot_be_undone_or_stops_others_asks_first() {
    let mut visit = Visit::new(ORIGIN);
    visit.join().await;
    let page = visit.get("/account/operator").await.text;
    for (summary, button) in [
        ("Switch the API off", "Switch the API off"),
        ("Take down", "Take the file down"),
    ] {
        let start =
            format!("<details class=\"confirm\"><summary class=\"button danger\">{summary}</summary>");
        let asked = page.split(&start);
        let asked = asked.last().unwrap().split("</details>").next().unwrap();
        assert!(
            asked.contains(&format!("<button class=\"button danger\">{button}</button>")),
            "{page}"
        );
    }
    let csrf = visit.get("/account/operator").await.csrf();
    let fields = [("csrf", csrf.as_str()), ("enabled", "false")];
    let off = visit.submit("/account/operator/api", &fields).await;
    assert!(
        off.text
            .contains("<button class=\"button primary\">Switch the API on</button>"),
        "{}",
        off.text
    );
}

#[tokio::test]
async fn the_balance_is_the_same_in_all_places_of_the_page() {
    let mut visit = Visit::new(ORIGIN);
    visit.join().await;
    let csrf = visit.get("/account/usage").await.csrf();
    let set = [("csrf", csrf.as_str()), ("threshold", "1000")];
    visit.post("/account/usage/alert", &set).await;
    visit.make("a cat").await;
    let fields = [("csrf", csrf.as_str()), ("p.prompt", "a fox")];
    let quote = visit
        .post("/account/playground/image-gen-4/quote", &fields)
        .await
        .text;
    for place in [
        "<strong>6 credits</strong> <span class=\"muted\">of 994 credits</span>",
        "<span id=\"balance\" data-follows hx-swap-oob=\"true\">994 credits</span>",
        "Your balance is low: 994 credits are left",
    ] {
        assert!(quote.contains(place), "{place}: {quote}");
    }
}
