//! Named collections: through the API, with keys of limited scopes, and on the pages.

use atelier_testkit::Http;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    oidc::{Browser, text},
    setup::{ECHO, World, cheap},
};

const PASSWORD: &str = "a quiet long password";
const NOTHING: &str = "01890000-0000-7000-8000-000000000000";

async fn send(http: &Http, method: Method, path: &str, body: &Value) -> (u16, Value) {
    let answer = http.send(http.request(method, path).json(body)).await;
    (answer.status.as_u16(), answer.json())
}

/// The ids of a page of generations, and how many there are in all.
async fn listed(http: &Http, query: &str) -> (Vec<String>, u64) {
    let page = http.get(&format!("/generations?{query}")).await.json();
    let ids = page["data"].as_array().unwrap().iter();
    let ids = ids.map(|job| job["id"].as_str().unwrap().to_owned());
    (ids.collect(), page["meta"]["total"].as_u64().unwrap())
}

async fn made(http: &Http, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let id = http.create(&cheap()).await;
        http.wait(&id).await;
        ids.push(id);
    }
    ids
}

/// Requests that are refused, with what the message says.
async fn refusals(http: &Http, path: &str, ids: &[String], theirs: &[String]) {
    let (add, nothing) = (&format!("{path}/add"), &format!("/collections/{NOTHING}"));
    let many = vec![NOTHING; 101];
    for (method, path, body, status, message) in [
        (Method::POST, "/collections", json!({}), 400, "`name` is required"),
        (
            Method::POST,
            "/collections",
            json!({ "name": " " }),
            400,
            "1 to 100 characters",
        ),
        (
            Method::POST,
            "/collections",
            json!({ "name": "Boats" }),
            400,
            "already exists",
        ),
        (
            Method::POST,
            "/collections",
            json!({ "name": "a", "size": 1 }),
            400,
            "unknown field `size`",
        ),
        (
            Method::PATCH,
            nothing,
            json!({ "name": "a" }),
            404,
            "no collection",
        ),
        (
            Method::POST,
            add,
            json!({ "generations": [] }),
            400,
            "1 to 100 generations (got 0)",
        ),
        (
            Method::POST,
            add,
            json!({ "generations": many }),
            400,
            "(got 101)",
        ),
        (
            Method::POST,
            add,
            json!({ "generations": "x" }),
            400,
            "a list of the ids",
        ),
        (
            Method::POST,
            add,
            json!({ "generations": [ids[1], theirs[0]] }),
            404,
            theirs[0].as_str(),
        ),
        (Method::POST, add, json!({ "generations": ["x"] }), 404, "`x`"),
    ] {
        let (got, answer) = send(http, method.clone(), path, &body).await;
        let said = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(
            got == status && said.contains(message),
            "{method} {path} {body}: {got} {answer}"
        );
    }
}

/// Another account sees nothing of a collection.
async fn strangers(http: &Http, path: &str, ids: &[String], theirs: &[String]) {
    let id = path.strip_prefix("/collections/").unwrap();
    for (method, path, body) in [
        (Method::GET, path.to_owned(), json!({})),
        (Method::PATCH, path.to_owned(), json!({ "name": "mine" })),
        (Method::DELETE, path.to_owned(), json!({})),
        (
            Method::POST,
            format!("{path}/add"),
            json!({ "generations": theirs }),
        ),
        (
            Method::POST,
            format!("{path}/remove"),
            json!({ "generations": [ids[0]] }),
        ),
        (Method::GET, format!("/generations?collection={id}"), json!({})),
    ] {
        assert_eq!(send(http, method, &path, &body).await.0, 404, "{path}");
    }
    let none = http.get("/collections").await.json();
    assert_eq!(
        none,
        json!({ "data": [], "meta": { "total": 0, "limit": 200, "next_cursor": null } })
    );
}

#[tokio::test]
async fn a_program_sorts_results_into_collections() {
    let world = World::start(ECHO);
    let (account, stranger) = (world.account(1_000), world.account(1_000));
    let http = &account.http;
    let ids = made(http, 3).await;
    let theirs = made(&stranger.http, 1).await;
    let (status, boats) = send(http, Method::POST, "/collections", &json!({ "name": " Boats " })).await;
    assert_eq!(status, 201, "{boats}");
    let boats = boats["data"].clone();
    assert_eq!(
        (&boats["object"], &boats["name"], &boats["generations"]),
        (&json!("collection"), &json!("Boats"), &json!(0))
    );
    let path = format!("/collections/{}", boats["id"].as_str().unwrap());
    let add = format!("{path}/add");
    let (status, filled) = send(
        http,
        Method::POST,
        &add,
        &json!({ "generations": [ids[0], ids[2]] }),
    )
    .await;
    assert_eq!((status, &filled["data"]["generations"]), (200, &json!(2)));
    let filter = format!("collection={}", boats["id"].as_str().unwrap());
    assert_eq!(
        listed(http, &filter).await,
        (vec![ids[2].clone(), ids[0].clone()], 2)
    );
    assert_eq!(
        listed(http, &format!("{filter}&limit=1")).await,
        (vec![ids[2].clone()], 2)
    );
    assert_eq!(
        listed(http, &format!("{filter}&status=failed")).await,
        (vec![], 0)
    );
    assert_eq!(listed(http, &format!("{filter}&type=video")).await, (vec![], 0));

    refusals(http, &path, &ids, &theirs).await;
    strangers(&stranger.http, &path, &ids, &theirs).await;

    // A deleted job leaves, a removed one stays in the account.
    assert_eq!(
        send(
            http,
            Method::DELETE,
            &format!("/generations/{}", ids[2]),
            &json!({})
        )
        .await
        .0,
        200
    );
    assert_eq!(listed(http, &filter).await, (vec![ids[0].clone()], 1));
    let body = json!({ "generations": [ids[0], ids[1]] });
    let (_, emptied) = send(http, Method::POST, &format!("{path}/remove"), &body).await;
    assert_eq!(emptied["data"]["generations"], 0);
    let (_, renamed) = send(http, Method::PATCH, &path, &json!({ "name": "Ships" })).await;
    assert_eq!(renamed["data"]["name"], "Ships");
    let (status, deleted) = send(http, Method::DELETE, &path, &json!({})).await;
    assert_eq!(
        (status, &deleted["data"]),
        (
            200,
            &json!({ "id": boats["id"], "object": "collection", "deleted": true })
        )
    );
    assert_eq!(http.get(&path).await.status, 404);
    assert_eq!(listed(http, "").await.1, 2, "the results stay");
}

#[tokio::test]
async fn a_key_that_only_reads_sees_collections_and_changes_none() {
    let world = World::start(ECHO);
    let account = world.account(1_000);
    let key = |scopes: &str| {
        let created = world
            .server
            .json(&["key", "create", &account.name, "--scopes", scopes]);
        account.http.with_key(created["api_key"].as_str())
    };
    let (reads, uploads) = (key("read"), key("upload"));
    let boats = json!({ "name": "Boats" });
    assert_eq!(
        send(&account.http, Method::POST, "/collections", &boats).await.0,
        201
    );
    assert_eq!(reads.get("/collections").await.json()["meta"]["total"], 1);
    let refused = send(&reads, Method::POST, "/collections", &json!({ "name": "Birds" })).await;
    assert_eq!(
        (refused.0, &refused.1["error"]["code"]),
        (403, &json!("api_disabled"))
    );
    assert_eq!(uploads.get("/collections").await.status, 403);
}

#[tokio::test]
async fn without_scripts_selected_results_are_collected_shown_downloaded_and_removed() {
    let world = World::start(ECHO);
    let account = world.account(1_000);
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
    let ids = made(&account.http, 3).await;

    let page = browser.get("/account/gallery?type=image").await;
    let fields = [
        ("back", "type=image"),
        ("id", ids[0].as_str()),
        ("id", &ids[1]),
        ("name", "Old & new"),
        ("do", "new"),
    ];
    let selected = "/account/gallery/selected";
    let made = browser.submit(&page, selected, &fields).await;
    let there = made.header("location").unwrap().to_owned();
    let (start, id) = there.split_once("added=").unwrap();
    assert_eq!(start, "/account/gallery?type=image&");
    let page = text(&browser.get(&there).await);
    let link = format!("Added to <a href=\"/account/gallery?collection={id}\">Old &#38; new</a>.");
    assert!(page.contains(&link), "{page}");
    let shows = async |browser: &mut Browser, path: &str| {
        let page = text(&browser.get(path).await);
        let shown = ids.iter().map(|id| page.contains(&format!("id=\"g-{id}\"")));
        shown.collect::<Vec<bool>>()
    };
    let filtered = format!("/account/gallery?collection={id}");
    assert_eq!(shows(&mut browser, &filtered).await, [true, true, false]);

    // The third is added on its own page, and leads back there.
    let own = format!("/account/gallery/{}", ids[2]);
    let page = browser.get(&own).await;
    let fields = [
        ("alone", "true"),
        ("id", ids[2].as_str()),
        ("collection", id),
        ("do", "add"),
    ];
    let added = browser.submit(&page, selected, &fields).await;
    assert_eq!(added.header("location"), Some(&*own));
    assert!(text(&browser.get(&own).await).contains("from Old &#38; new</span>"));
    let page = browser.get(&filtered).await;
    let from = format!("collection={id}");
    let fields = [
        ("back", from.as_str()),
        ("from", id),
        ("id", &ids[0]),
        ("do", "remove"),
    ];
    let removed = browser.submit(&page, selected, &fields).await;
    let back = format!("{filtered}#g-{}", ids[0]);
    assert_eq!(removed.header("location"), Some(&*back));
    assert_eq!(shows(&mut browser, &filtered).await, [false, true, true]);

    let zip = browser
        .get(&format!("/account/gallery/files.zip?collection={id}"))
        .await;
    assert_eq!(
        zip.header("content-disposition"),
        Some("attachment; filename=\"old---new.zip\"")
    );
    assert_eq!(
        zip.bytes
            .windows(4)
            .filter(|bytes| *bytes == b"PK\x01\x02")
            .count(),
        2
    );

    let list = "/account/collections";
    let page = browser.get(list).await;
    assert!(text(&page).contains("Old &#38; new</a></th><td data-label=\"Results\" class=\"number\">2<"));
    let again = browser.submit(&page, list, &[("name", "Old & new")]).await;
    assert_eq!(again.status, 400);
    assert!(text(&again).contains("already exists"), "{}", text(&again));
    let renamed = browser
        .submit(&page, &format!("{list}/{id}"), &[("name", "New")])
        .await;
    assert_eq!(renamed.header("location"), Some(list));
    let deleted = browser.submit(&page, &format!("{list}/{id}/delete"), &[]).await;
    assert_eq!(deleted.header("location"), Some(list));
    assert!(text(&browser.get(list).await).contains("No collections yet"));
    assert_eq!(shows(&mut browser, "/account/gallery").await, [true, true, true]);
}
