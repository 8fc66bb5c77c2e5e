//! Lists: pages, filters and their errors.

use serde_json::{Value, json};

use crate::setup::{Account, assert_wire, cheap, echo};

fn ids(page: &Value) -> Vec<String> {
    page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| job["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Every page from the first to the last.
async fn pages(account: &Account, query: &str) -> Vec<Value> {
    let mut pages = vec![account.http.get(&format!("/generations?{query}")).await.json()];
    while let Some(cursor) = pages.last().unwrap()["meta"]["next_cursor"].as_str() {
        let next = account
            .http
            .get(&format!("/generations?{query}&cursor={cursor}"))
            .await
            .json();
        pages.push(next);
        assert!(pages.len() < 20, "the pages do not end");
    }
    pages
}

#[tokio::test]
async fn jobs_are_listed_newest_first_page_by_page() {
    let world = echo();
    let account = world.account(1_000);
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(account.http.create(&cheap()).await);
    }
    for id in &made {
        account.http.wait(id).await;
    }
    made.reverse();
    assert_wire!("list", account.http.get("/generations?limit=1").await);
    let pages = pages(&account, "limit=2").await;
    assert_eq!(
        pages.iter().map(|page| ids(page).len()).collect::<Vec<_>>(),
        [2, 2, 1]
    );
    assert_eq!(pages.iter().flat_map(ids).collect::<Vec<_>>(), made);
    for page in &pages {
        assert_eq!(
            (&page["meta"]["total"], &page["meta"]["limit"]),
            (&json!(5), &json!(2))
        );
    }
    let all = account.http.get("/generations").await.json();
    assert_eq!(
        all["meta"],
        json!({ "total": 5, "limit": 20, "next_cursor": null })
    );
}

#[tokio::test]
async fn a_page_does_not_move_when_jobs_are_added_before_it() {
    let world = echo();
    let account = world.account(1_000);
    let mut made = Vec::new();
    for _ in 0..4 {
        made.push(account.http.create(&cheap()).await);
    }
    let first = account.http.get("/generations?limit=2").await.json();
    account.http.create(&cheap()).await;
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    let second = account
        .http
        .get(&format!("/generations?limit=2&cursor={cursor}"))
        .await
        .json();
    assert_eq!(ids(&second), [made[1].clone(), made[0].clone()]);
}

#[tokio::test]
async fn jobs_are_filtered_by_status_model_and_type() {
    let world = echo();
    let account = world.account(1_000);
    let image = account.http.create(&cheap()).await;
    let song = account
        .http
        .create(&json!({ "model": "music-gen", "prompt": "a fox sings" }))
        .await;
    let refused = account
        .http
        .create(&json!({ "model": "image-gen-4", "prompt": "csam" }))
        .await;
    for id in [&image, &song, &refused] {
        account.http.wait(id).await;
    }
    for (query, expected) in [
        ("status=completed", vec![&song, &image]),
        ("status=failed", vec![&refused]),
        ("status=processing", vec![]),
        ("model=image-gen-4", vec![&refused, &image]),
        ("model=nothing", vec![]),
        ("type=audio", vec![&song]),
        ("type=image&status=completed", vec![&image]),
        ("type=video", vec![]),
    ] {
        let page = account.http.get(&format!("/generations?{query}")).await.json();
        assert_eq!(ids(&page).iter().collect::<Vec<_>>(), expected, "{query}");
        assert_eq!(page["meta"]["total"], expected.len(), "{query}");
    }
}

#[tokio::test]
async fn an_invalid_query_is_refused_with_the_name_of_its_field() {
    let world = echo();
    let account = world.account(0);
    for (query, named) in [
        ("/generations?limit=0", "limit"),
        ("/generations?limit=101", "limit"),
        ("/generations?limit=x", "limit"),
        ("/generations?status=done", "done"),
        ("/generations?type=tool", "tool"),
        ("/generations?cursor=x", "cursor"),
        ("/generations?page=2", "page"),
        ("/models?limit=0", "limit"),
        ("/models?limit=201", "limit"),
        ("/models?type=song", "type"),
        ("/models?cursor=nothing", "cursor"),
        ("/models?page=2", "page"),
    ] {
        let answer = account.http.get(query).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{query}"
        );
        assert!(answer.message().contains(named), "{query}: {}", answer.message());
    }
    for limit in [
        "/generations?limit=1",
        "/generations?limit=100",
        "/models?limit=1",
        "/models?limit=200",
    ] {
        assert_eq!(account.http.get(limit).await.status, 200, "{limit}");
    }
}

#[tokio::test]
async fn the_whole_catalog_fits_on_one_page() {
    let world = echo();
    let account = world.account(0);
    let all = account.http.get("/models").await.json();
    let models = all["data"].as_array().unwrap();
    assert_eq!(
        all["meta"],
        json!({ "total": models.len(), "limit": 200, "next_cursor": null })
    );
    for slug in [
        "image-gen-4",
        "music-gen",
        "music-replace-section",
        "tts-v3",
        "video-fast-2",
        "video-mini-2",
        "video-gen-1-0",
        "video-edit-1-0",
        "upscale",
        "enhancer",
        "background-removal",
        "inpaint",
        "relight",
        "camera-angle",
    ] {
        assert!(models.iter().any(|model| model["slug"] == slug), "{slug}");
    }
    for model in models {
        let fields: Vec<_> = model.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            [
                "category",
                "description",
                "draft",
                "name",
                "price",
                "slug",
                "type"
            ],
            "{model}"
        );
        assert_eq!(model["draft"], false, "{model}");
        let mut texts = model
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| *name != "draft");
        assert!(texts.all(|(_, value)| value.is_string()), "{model}");
        assert!(
            ["image", "video", "audio", "tool"].contains(&model["type"].as_str().unwrap()),
            "{model}"
        );
        let category = model["category"].as_str().unwrap();
        assert!(
            ["Create", "Edit", "Music", "Text-to-speech"].contains(&category),
            "{model}"
        );
    }
}

#[tokio::test]
async fn the_catalog_is_paged_and_filtered() {
    let world = echo();
    let account = world.account(0);
    let slugs = |page: &Value| -> Vec<String> {
        page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|model| model["slug"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = slugs(&account.http.get("/models").await.json());
    let mut paged = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = account.http.get(&format!("/models?limit=5{cursor}")).await.json();
        paged.extend(slugs(&page));
        match page["meta"]["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(paged, all);

    let tools = account.http.get("/models?type=tool").await.json();
    assert_eq!(tools["meta"]["total"], 6);
    assert!(
        tools["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|model| model["type"] == "tool" && model["category"] == "Edit")
    );
    let speech = account.http.get("/models?category=Text-to-speech").await.json();
    assert!(slugs(&speech).contains(&"tts-v3".to_owned()));
    assert!(
        speech["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|model| model["category"] == "Text-to-speech")
    );
    assert_wire!("models", account.http.get("/models?q=IMAGE-gen-4").await);
    assert_eq!(
        account.http.get("/models?q=nothingofthekind").await.json()["data"],
        json!([])
    );
}
