//! Private media: links that are signed and expire.

use atelier_testkit::{Answer, Receiver};
use serde_json::{Value, json};

use crate::{
    files,
    setup::{Account, World},
};

/// The embedded engines, and webhooks to loopback addresses.
const CONFIG: &str = "[metrics]\nlisten = \"\"\n[outbound]\nallow_private = true\n[limits]\n\
                      requests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

async fn uploaded(account: &Account, bytes: &[u8]) -> String {
    let answer = account.http.upload(bytes.to_vec(), "file.png").await;
    answer.json()["data"]["url"].as_str().unwrap().to_owned()
}

/// Returns the answer at this URL for somebody without a key.
async fn opened(world: &World, url: &str) -> Answer {
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    // One slash more: not below the address of the API.
    world.anonymous().get(&format!("/{path}")).await
}

async fn status(world: &World, url: &str) -> u16 {
    opened(world, url).await.status.as_u16()
}

/// A URL without its query.
fn bare(url: &str) -> &str {
    url.split('?').next().unwrap()
}

/// The URL of the preview of the file of this link.
fn preview(url: &str) -> String {
    let (file, query) = url.split_once('?').unwrap_or((url, ""));
    format!("{file}/preview?{query}")
}

fn edit(url: &str) -> Value {
    json!({ "model": "enhancer", "image_urls": [url], "strength": 0.5 })
}

/// A signed link has ranges and a tag, as a public one has.
async fn answers_in_parts(world: &World, url: &str, whole: &Answer) {
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let anonymous = world.anonymous();
    let get = |path: String| anonymous.request(reqwest::Method::GET, &path);
    let part = get(format!("/{path}")).header("range", "bytes=0-3");
    let part = anonymous.send(part).await;
    assert_eq!((part.status.as_u16(), &part.bytes[..]), (206, &whole.bytes[..4]));
    let same = get(format!("/{path}")).header("if-none-match", whole.header("etag").unwrap());
    assert_eq!(anonymous.send(same).await.status, 304);
}

#[tokio::test]
async fn the_files_of_a_private_account_are_opened_by_its_links_alone() {
    let world = World::start(CONFIG);
    let account = world.account_with(100, &["--generations-per-minute", "60000", "--private-media"]);
    let other = world.account(100);
    let receiver = Receiver::start().await;
    let upload = uploaded(&account, &files::png_with("private")).await;
    assert!(
        upload.contains("?expires=") && upload.contains("&signature="),
        "{upload}"
    );
    let refused = opened(&world, bare(&upload)).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (404, "not_found")
    );
    let whole = opened(&world, &upload).await;
    assert_eq!(whole.bytes, files::png_with("private"));
    let cache = whole.header("cache-control").unwrap();
    assert!(cache.starts_with("private, max-age="), "{cache}");
    answers_in_parts(&world, &upload, &whole).await;
    let forged = upload.replace("signature=", "signature=A");
    assert_eq!(status(&world, &forged).await, 404);

    // Nobody else can use it without a link, not even as an input.
    let stolen = other.http.post("/generations", &edit(bare(&upload))).await;
    assert_eq!(
        (stolen.status.as_u16(), stolen.code().as_str()),
        (400, "invalid_request")
    );
    let question = reqwest::multipart::Form::new().text("url", bare(&upload).to_owned());
    let anonymous = world.anonymous();
    let question = anonymous
        .request(reqwest::Method::POST, "/verify")
        .multipart(question);
    assert_eq!(anonymous.send(question).await.status, 404);

    let mut body = edit(bare(&upload));
    body["webhook_url"] = json!(receiver.url("/hook"));
    let id = account.http.create(&body).await;
    let job = account.http.wait(&id).await;
    let output = job["output"]["assets"][0]["url"].as_str().unwrap();
    assert_eq!(job["output"]["images"][0]["url"], output);
    let told = receiver.wait_for(1).await[0].json();
    for link in [
        output,
        told["data"]["output"]["assets"][0]["url"].as_str().unwrap(),
    ] {
        assert_eq!(bare(link), bare(output));
        assert_eq!(
            (status(&world, link).await, status(&world, bare(link)).await),
            (200, 404)
        );
    }
    let shown = opened(&world, &preview(output)).await;
    assert_eq!(shown.status, 200);
    assert_eq!(status(&world, &preview(bare(output))).await, 404);
    // A preview is a file of its own, whose name its tag tells.
    let own = format!(
        "{}/media/{}.jpg",
        world.server.origin(),
        shown.header("etag").unwrap().trim_matches('"')
    );
    assert_eq!(status(&world, &own).await, 404);
    let request = account
        .http
        .get(&format!("/generations/{id}/request"))
        .await
        .json();
    let input = request["data"]["params"]["image_urls"][0].as_str().unwrap();
    assert_eq!((bare(input), status(&world, input).await), (bare(&upload), 200));
    let listed = account.http.get("/generations").await.json();
    assert!(
        listed["data"][0]["output"]["assets"][0]["url"]
            .as_str()
            .unwrap()
            .contains("&signature=")
    );
    // Anyone with a link may work with the file. The job keeps its address, without the signature.
    let lent = other.http.create(&edit(output)).await;
    let lent_output = other.http.wait(&lent).await["output"]["assets"][0]["url"].clone();
    assert_eq!(status(&world, lent_output.as_str().unwrap()).await, 200);
    let request = other
        .http
        .get(&format!("/generations/{lent}/request"))
        .await
        .json();
    assert_eq!(request["data"]["params"]["image_urls"], json!([bare(output)]));
    assert_eq!(status(&world, bare(output)).await, 404);

    // The same bytes of a public account have one permanent address.
    assert_eq!(uploaded(&other, &files::png_with("private")).await, bare(&upload));
    assert_eq!(status(&world, bare(&upload)).await, 200);
    let shown = world
        .server
        .json(&["account", "update", &account.name, "--no-private-media"]);
    assert_eq!(shown["private_media"], false);
    assert_eq!(status(&world, bare(output)).await, 200);
    let job = account.http.get(&format!("/generations/{id}")).await.json();
    assert_eq!(job["data"]["output"]["assets"][0]["url"], bare(output));
}
