//! The gallery: searching, and files to save.

use std::collections::HashSet;

use serde_json::json;

use crate::{
    oidc::{Browser, text},
    setup::{Account, ECHO, World},
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
    favourites(&mut browser, &ids, &theirs).await;
    taken_down(&world, &account, &mut browser, &ids[0]).await;
}

/// The last of `ids` is marked on its page, the first in the gallery.
async fn favourites(browser: &mut Browser, ids: &[String], theirs: &str) {
    let gallery = "/account/gallery";
    let page = browser.get(&format!("{gallery}/{}", ids[2])).await;
    assert!(
        text(&page).contains("value=\"on\" form=\"favourites\""),
        "{}",
        text(&page)
    );
    // Without scripts, the form comes back to the filter and the place in the list that it was sent from.
    let filtered = browser.get(&format!("{gallery}?type=image&q=cliff")).await;
    assert!(
        text(&filtered).contains("name=\"back\" value=\"type=image&#38;q=cliff\""),
        "{}",
        text(&filtered)
    );
    let cursor = &ids[1];
    for (id, value, from, back) in [
        (&ids[2], "on", String::new(), format!("{gallery}/{}", ids[2])),
        (
            &ids[0],
            "gallery-on",
            "type=image&q=cliff".to_owned(),
            format!("{gallery}?type=image&q=cliff#g-{}", ids[0]),
        ),
        (
            &ids[0],
            "gallery-on",
            format!("//evil.example/&cursor={cursor}"),
            format!("{gallery}?cursor={cursor}#g-{}", ids[0]),
        ),
        (
            &ids[0],
            "gallery-on",
            String::new(),
            format!("{gallery}#g-{}", ids[0]),
        ),
    ] {
        let path = format!("{gallery}/{id}/favourite");
        let fields = [("favourite", value), ("back", &from)];
        let marked = browser.submit(&page, &path, &fields).await;
        assert_eq!(
            (marked.status.as_u16(), marked.header("location")),
            (303, Some(&*back))
        );
    }
    let path = format!("{gallery}/{theirs}/favourite");
    let refused = browser.submit(&page, &path, &[("favourite", "on")]).await;
    assert_eq!(refused.status, 404, "it belongs to another account");
    let shown = async |browser: &mut Browser| {
        let page = text(&browser.get(&format!("{gallery}?favourite=true")).await);
        let listed = ids
            .iter()
            .map(|id| page.contains(&format!("{gallery}/{id}\"")))
            .collect();
        let total = page.split("<h1>Gallery</h1><p>").nth(1).unwrap();
        (listed, total.split(" matching").next().unwrap().to_owned())
    };
    let two: (Vec<bool>, String) = shown(browser).await;
    assert_eq!(two, (vec![true, false, true], "2".to_owned()));
    let path = format!("{gallery}/{}/favourite", ids[2]);
    assert_eq!(
        browser.submit(&page, &path, &[("favourite", "off")]).await.status,
        303
    );
    assert_eq!(shown(browser).await, (vec![true, false, false], "1".to_owned()));
}

/// A picture that is taken down is shown as that in the gallery, on its page, and where it was an input.
async fn taken_down(world: &World, account: &Account, browser: &mut Browser, id: &str) {
    let made = account.http.wait(id).await;
    let url = made["output"]["assets"][0]["url"].as_str().unwrap();
    let body = json!({ "model": "image-gen-4", "prompt": "again", "image_urls": [url] });
    let again = account.http.create(&body).await;
    account.http.wait(&again).await;
    let page = async |browser: &mut Browser, path: &str| {
        text(&browser.get(&format!("/account/gallery{path}")).await)
    };
    let input = page(browser, &format!("/{again}")).await;
    assert!(
        input.contains("class=\"input-file\"") && !input.contains("taken down"),
        "{input}"
    );
    world
        .server
        .json(&["media", "takedown", url, "--reason", "a test"]);
    let input = page(browser, &format!("/{again}")).await;
    assert!(
        input.contains("<span class=\"badge\">taken down</span>"),
        "{input}"
    );
    let own = page(browser, &format!("/{id}")).await;
    assert!(
        own.contains("This file was taken down.") && !own.contains("Use as input"),
        "{own}"
    );
    let tiles = page(browser, "").await;
    assert!(tiles.contains("<span>taken down</span>"), "{tiles}");
}
