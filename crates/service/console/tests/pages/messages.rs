//! Messages name fields and values between backticks, which pages show as code.

use std::time::Duration;

use atelier_domain::{Failure, FailureCode};

use crate::visit::{Answer, Visit};

/// The text around the first backtick outside of code and fields.
fn raw_backtick(page: &str) -> Option<String> {
    let mut rest = page.to_owned();
    for tag in ["pre", "code", "textarea"] {
        let mut kept = String::new();
        for (index, part) in rest.split(&format!("<{tag}")).enumerate() {
            let after = part.split_once(&format!("</{tag}>"));
            kept.push_str(if index == 0 {
                part
            } else {
                after.map_or("", |(_, after)| after)
            });
        }
        rest = kept;
    }
    let at = rest.find('`')?;
    let before: String = rest[..at].chars().rev().take(60).collect();
    let after: String = rest[at..].chars().take(60).collect();
    Some(before.chars().rev().collect::<String>() + &after)
}

fn check(what: &str, answer: &Answer) {
    assert_eq!(raw_backtick(&answer.text), None, "{what}");
}

#[test]
fn backticks_are_found_outside_of_code_only() {
    assert_eq!(raw_backtick("a <pre class=\"x\">`</pre> <code>`</code> b"), None);
    assert_eq!(raw_backtick("<p>a `b` c</p>").as_deref(), Some("<p>a `b` c</p>"));
}

#[tokio::test]
async fn no_page_shows_a_backtick_outside_of_code() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let csrf = visit.get("/account/apps").await.csrf();
    let models = visit.get("/account/playground").await;
    check("the list of models", &models);
    let slugs = atelier_catalog::Catalog::load(None).unwrap();
    let slugs: Vec<String> = slugs.iter().map(|model| model.slug.clone()).collect();
    for slug in &slugs {
        let path = format!("/account/playground/{slug}");
        check(&path, &visit.get(&path).await);
        check(&path, &visit.post(&path, &[("csrf", &csrf)]).await);
        let path = format!("/docs/models/{slug}");
        let page = visit.get(&path).await;
        assert_eq!(page.status.as_u16(), 200, "{path}");
        assert!(page.text.len() < 60_000, "{path} has {} bytes", page.text.len());
        check(&path, &page);
    }
    let unknown = [
        "/docs/nothing",
        "/account/gallery/nothing",
        "/account/playground/nothing",
    ];
    for path in unknown {
        let answer = visit.get(path).await;
        assert_eq!(answer.status.as_u16(), 404, "{path}");
        check(path, &answer);
    }
    let forms = [
        ("/account/apps/keys", ("networks", "home")),
        ("/account/webhooks/endpoints", ("url", "nowhere")),
        ("/account/webhooks/test", ("url", "nowhere")),
        ("/account/collections", ("name", "")),
        ("/account/operator/accounts", ("credits", "-5")),
        ("/account/operator/accounts/ada/credits", ("credits", "-5000")),
        ("/account/operator/accounts/ada", ("max_queued", "0")),
        ("/account/operator/takedowns", ("file", "nothing.png")),
        ("/account/usage/alert", ("threshold", "many")),
    ];
    for (path, field) in forms {
        let answer = visit.post(path, &[("csrf", &csrf), ("name", "x"), field]).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
        check(path, &answer);
    }
}

#[tokio::test]
async fn failures_show_what_they_name_as_code() {
    let mut visit = Visit::new("https://atelier.example");
    visit.join().await;
    let job = visit.make("a cat").await;
    let again = Failure::retry(
        FailureCode::GenerationFailed,
        "the engine said `busy`",
        Duration::from_mins(1),
    );
    visit.fail_next(again).await;
    let shown = visit.get(&job).await;
    assert!(shown.text.contains("Previous attempt"), "{}", shown.text);
    assert!(
        shown.text.contains("The engine said <code>busy</code>"),
        "{}",
        shown.text
    );
    check("a job that is tried again", &shown);
}
