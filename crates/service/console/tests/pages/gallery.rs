//! The gallery and its filters.

use atelier_domain::{Failure, FailureCode};

use crate::visit::Visit;

#[tokio::test]
async fn cancelled_jobs_have_a_filter_of_their_own_and_are_not_among_the_failed_ones() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let cancelled = visit.make("a cat").await;
    let csrf = visit.get("/account/apps").await.csrf();
    visit
        .post(&format!("{cancelled}/cancel"), &[("csrf", &csrf)])
        .await;
    let failed = visit.make("a dog").await;
    visit
        .fail_next(Failure::fail(FailureCode::GenerationFailed, "it broke"))
        .await;
    let waiting = visit.make("a fox").await;
    let shown = async |visit: &mut Visit, query: &str| {
        let page = visit.get(&format!("/account/gallery?{query}")).await.text;
        let has = |path: &str| page.contains(&format!("href=\"{path}\""));
        (page.clone(), [has(&cancelled), has(&failed), has(&waiting)])
    };
    let (page, found) = shown(&mut visit, "status=cancelled").await;
    assert_eq!(found, [true, false, false], "{page}");
    assert!(page.contains("<option selected>cancelled</option>"), "{page}");
    assert!(page.contains("1 found among all 2"), "{page}");
    assert_eq!(shown(&mut visit, "status=failed").await.1, [false, true, false]);
    assert_eq!(
        shown(&mut visit, "status=processing").await.1,
        [false, false, true]
    );
    assert_eq!(shown(&mut visit, "").await.1, [true, true, true]);
    let (_, found) = shown(&mut visit, "status=cancelled&q=dog").await;
    assert_eq!(found, [false, false, false]);
}

#[tokio::test]
async fn the_tiles_of_unfinished_jobs_are_asked_for_until_they_have_ended() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let job = visit.make("a cat").await;
    let id = job.rsplit('/').next().unwrap();
    let page = visit.get("/account/gallery").await.text;
    let path = format!("/account/gallery/following?id={id}");
    assert!(
        page.contains(&format!("hx-get=\"{path}\" hx-trigger=\"every 2s\"")),
        "{page}"
    );
    let running = visit.get(&path).await.text;
    assert!(
        running.contains(&format!("id=\"g-{id}\" hx-swap-oob=\"true\"")),
        "{running}"
    );
    assert!(running.contains("<li hidden hx-get="), "it asks again: {running}");
    visit
        .fail_next(Failure::fail(FailureCode::GenerationFailed, "it broke"))
        .await;
    let ended = visit.get(&path).await.text;
    assert!(
        ended.contains("<span class=\"badge bad\">failed</span>"),
        "{ended}"
    );
    assert!(!ended.contains("hx-get"), "nothing more to ask for: {ended}");
    assert!(!visit.get("/account/gallery").await.text.contains("/following"));
}

#[tokio::test]
async fn the_page_of_a_delivery_follows_it_while_it_is_not_delivered() {
    let mut visit = Visit::new("http://127.0.0.1:8080");
    visit.join().await;
    let csrf = visit.get("/account/webhooks").await.csrf();
    let fields = [("csrf", csrf.as_str()), ("url", "http://127.0.0.1:9/hook")];
    let page = visit.submit("/account/webhooks/test", &fields).await.text;
    let state = page
        .split("id=\"state\"")
        .nth(1)
        .unwrap()
        .split('>')
        .next()
        .unwrap();
    assert!(
        state.contains("hx-trigger=\"every 2s\" hx-select=\"#state\""),
        "{page}"
    );
    assert!(page.contains("/htmx.min.js"), "{page}");
}
