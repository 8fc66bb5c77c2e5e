//! Stored files as browsers get them: complete or in ranges, never changing, harmless.

use atelier_testkit::{Answer, Http};
use reqwest::Method;
use sha2::{Digest as _, Sha256};

use crate::{
    files,
    setup::{World, assert_wire, echo},
};

/// The path of an upload, for a client without a key.
async fn stored(world: &World, bytes: &[u8]) -> String {
    let url = world.account(0).http.upload(bytes.to_vec(), "a").await.json()["data"]["url"].clone();
    format!(
        "/{}",
        url.as_str()
            .unwrap()
            .strip_prefix(&world.server.origin())
            .unwrap()
    )
}

async fn fetch(http: &Http, method: Method, path: &str, headers: &[(&'static str, &str)]) -> Answer {
    let mut request = http.request(method, path);
    for &(name, value) in headers {
        request = request.header(name, value);
    }
    http.send(request).await
}

#[tokio::test]
async fn a_file_is_served_to_anybody_and_may_be_cached_forever() {
    let world = echo();
    let path = stored(&world, files::PNG).await;
    let http = world.anonymous();
    let answer = http.get(&path).await;
    assert_eq!((answer.status.as_u16(), &answer.bytes[..]), (200, files::PNG));
    let hash = hex::encode(Sha256::digest(files::PNG));
    assert_eq!(path, format!("//media/{hash}.png"));
    for (name, value) in [
        ("content-type", "image/png"),
        ("content-length", &files::PNG.len().to_string()),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("accept-ranges", "bytes"),
        ("access-control-allow-origin", "*"),
        ("etag", &format!("\"{hash}\"")),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
}

#[tokio::test]
async fn head_returns_the_headers_of_get() {
    let world = echo();
    let path = stored(&world, files::PNG).await;
    let http = world.anonymous();
    let (get, head) = (
        http.get(&path).await,
        fetch(&http, Method::HEAD, &path, &[]).await,
    );
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    for name in [
        "content-type",
        "content-length",
        "etag",
        "accept-ranges",
        "cache-control",
        "x-content-type-options",
    ] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
}

#[tokio::test]
async fn ranges_are_parts_of_the_file() {
    let world = echo();
    let bytes: Vec<u8> = files::png_of(1_000);
    let path = stored(&world, &bytes).await;
    let http = world.anonymous();
    for (range, part, says) in [
        ("bytes=0-0", 0..1, "bytes 0-0/1000"),
        ("bytes=0-9", 0..10, "bytes 0-9/1000"),
        ("bytes=990-", 990..1_000, "bytes 990-999/1000"),
        ("bytes=-5", 995..1_000, "bytes 995-999/1000"),
        ("bytes=0-100000", 0..1_000, "bytes 0-999/1000"),
    ] {
        let answer = fetch(&http, Method::GET, &path, &[("range", range)]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-range")),
            (206, Some(says)),
            "{range}"
        );
        assert_eq!(answer.bytes[..], bytes[part], "{range}");
        let head = fetch(&http, Method::HEAD, &path, &[("range", range)]).await;
        assert_eq!(head.bytes.len(), 0);
    }
    for range in ["bytes=0-1,5-6", "lines=1-2", "bytes=x", "bytes=9-1", "bytes="] {
        let answer = fetch(&http, Method::GET, &path, &[("range", range)]).await;
        assert!(
            [200, 416].contains(&answer.status.as_u16()),
            "{range}: {}",
            answer.status
        );
    }
    let outside = fetch(&http, Method::GET, &path, &[("range", "bytes=1000-")]).await;
    assert_wire!("error_range", outside);
    let current = http.get(&path).await.header("etag").unwrap().to_owned();
    let same = fetch(
        &http,
        Method::GET,
        &path,
        &[("range", "bytes=0-9"), ("if-range", &current)],
    )
    .await;
    assert_eq!(same.status, 206);
    let changed = fetch(
        &http,
        Method::GET,
        &path,
        &[("range", "bytes=0-9"), ("if-range", "\"other\"")],
    )
    .await;
    assert_eq!((changed.status.as_u16(), changed.bytes.len()), (200, 1_000));
}

#[tokio::test]
async fn a_cached_copy_is_not_sent_again() {
    let world = echo();
    let path = stored(&world, files::PNG).await;
    let http = world.anonymous();
    let etag = http.get(&path).await.header("etag").unwrap().to_owned();
    let (weak, among) = (format!("W/{etag}"), format!("\"a\", {etag}"));
    for tags in [etag.as_str(), "*", &weak, &among] {
        let answer = fetch(&http, Method::GET, &path, &[("if-none-match", tags)]).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.len()), (304, 0), "{tags}");
        assert_eq!(answer.header("etag"), Some(etag.as_str()));
    }
    let other = fetch(&http, Method::GET, &path, &[("if-none-match", "\"other\"")]).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn pages_of_every_origin_may_read_files() {
    let world = echo();
    let path = stored(&world, files::PNG).await;
    let asked = [
        ("origin", "https://example.com"),
        ("access-control-request-method", "GET"),
        ("access-control-request-headers", "range"),
    ];
    let preflight = fetch(&world.anonymous(), Method::OPTIONS, &path, &asked).await;
    assert_wire!("media_preflight", preflight);
    let answer = fetch(&world.anonymous(), Method::GET, &path, &asked[..1]).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn there_are_no_listings_and_paths_cannot_leave_the_folder() {
    let world = echo();
    stored(&world, files::PNG).await;
    let http = world.anonymous();
    let hash = "0".repeat(64);
    for path in [
        "//media",
        "//media/",
        "//media/.",
        "//media/..%2f..%2fatelier.db",
        "//media/%2fetc%2fpasswd",
        "//media/..%5catelier.db",
        "//media/x",
        "//media/.png",
        "//media/%00.png",
        &format!("//media/{hash}.png"),
        &format!("//media/{hash}.html"),
        &format!("//media/{hash}"),
        &format!("//media/{}.PNG", hex::encode(Sha256::digest(files::PNG))),
        &format!("//media/{}.jpg", hex::encode(Sha256::digest(files::PNG))),
    ] {
        let answer = http.get(path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (404, "not_found"),
            "{path}"
        );
    }
    assert!(
        world.server.data().join("atelier.db").exists(),
        "there was something to find"
    );
}

#[tokio::test]
async fn the_output_of_a_job_is_served_like_an_upload() {
    let world = echo();
    let account = world.account(100);
    let id = account.http.create(&crate::setup::cheap()).await;
    let job = account.http.wait(&id).await;
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = format!("/{}", url.strip_prefix(&world.server.origin()).unwrap());
    let answer = world.anonymous().get(&path).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("content-type")),
        (200, Some("image/png"))
    );
    assert_eq!(answer.bytes[..], *files::PNG);
}
