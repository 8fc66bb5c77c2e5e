//! The gallery: searching, and files to save.

use std::collections::HashSet;

use serde_json::json;

use crate::{
    oidc::{Browser, text},
    setup::{ECHO, World},
};

const PASSWORD: &str = "a quiet long password";

#[tokio::test]
async fn jobs_are_found_by_their_words_and_their_files_are_saved_under_them() {
    let world = World::start(ECHO);
    let account = world.account(100);
    let invited = world.server.json(&["account", "invite", &account.name]);
    let path = invited["url"]
        .as_str()
        .unwrap()
        .split_once("/account/")
        .unwrap()
        .1;
    let path = format!("/account/{path}");
    let mut browser = Browser::new(&world);
    let page = browser.get(&path).await;
    let fields = [("login", "ada"), ("password", PASSWORD), ("again", PASSWORD)];
    assert_eq!(browser.submit(&page, &path, &fields).await.status, 303);

    let mut ids = Vec::new();
    for prompt in ["A Lighthouse, on a cliff!", "a fox on a cliff", "a fox at sea"] {
        let body = json!({ "model": "image-gen-4", "prompt": prompt });
        ids.push(account.http.create(&body).await);
    }
    for id in &ids {
        account.http.wait(id).await;
    }
    let mut found = async |query: &str| {
        let page = text(&browser.get(&format!("/account/gallery?{query}")).await);
        let shown: HashSet<usize> = (0..3)
            .filter(|at| page.contains(&format!("/account/gallery/{}\"", ids[*at])))
            .collect();
        (shown, page)
    };
    assert_eq!(found("").await.0.len(), 3);
    let (shown, page) = found("q=CLIFF+fox").await;
    assert_eq!(shown, HashSet::from([1]));
    assert!(page.contains("1 found among all 3"), "{page}");
    assert_eq!(found("q=cliff").await.0, HashSet::from([0, 1]));
    assert_eq!(found("q=cliff&type=video").await.0, HashSet::new());
    let (shown, page) = found("q=%3Cb%3E").await;
    assert!(
        shown.is_empty() && page.contains("No generations match") && !page.contains("<b>"),
        "{page}"
    );

    let name = format!("a-lighthouse-on-a-cliff-{}.", &ids[0][30..]);
    let page = text(&browser.get(&format!("/account/gallery/{}", ids[0])).await);
    assert!(page.contains(&format!("download=\"{name}")), "{page}");
    let zip = browser
        .get(&format!("/account/gallery/files.zip?id={}&id={}", ids[0], ids[1]))
        .await;
    assert_eq!(
        (zip.status.as_u16(), zip.header("content-type")),
        (200, Some("application/zip"))
    );
    assert!(zip.bytes.starts_with(b"PK\x03\x04"));
    let has = |part: &[u8]| zip.bytes.windows(part.len()).any(|window| window == part);
    assert!(has(name.as_bytes()) && has(b"a-fox-on-a-cliff-") && !has(b"a-fox-at-sea"));

    let stranger = world.account(100);
    let theirs = stranger
        .http
        .create(&json!({ "model": "image-gen-4", "prompt": "a door" }))
        .await;
    for (query, status) in [("", 400), ("?id=nothing", 404), (&*format!("?id={theirs}"), 404)] {
        let refused = browser.get(&format!("/account/gallery/files.zip{query}")).await;
        assert_eq!(refused.status, status, "{query}");
    }
}
