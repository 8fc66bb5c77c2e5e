//! Files in a bucket instead of a folder.

mod direct;
mod inputs;
mod s3;
#[cfg(feature = "studio")]
mod weights;

use std::time::Duration;

use serde_json::json;

use self::s3::{S3, SECRET};
use crate::{
    files,
    setup::{ECHO, World, cheap, until},
};

/// The path of the file for the client, and the name of its object.
fn places(world: &World, url: &str) -> (String, String) {
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let name = path.strip_prefix("/media/").unwrap();
    (format!("/{path}"), format!("some/media/{name}"))
}

// The bucket answers while commands of the service run.
#[tokio::test(flavor = "multi_thread")]
async fn an_upload_is_stored_once_read_in_ranges_and_deleted() {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}", bucket.config(SECRET)));
    let account = world.account(100);
    // Larger than one request, so it is sent in parts.
    let mut bytes = files::png_of(9 << 20);
    for (index, byte) in bytes.iter_mut().enumerate().skip(files::PNG.len()) {
        *byte = (index % 251) as u8;
    }
    let uploaded = account.http.upload(bytes.clone(), "a.png").await;
    assert_eq!(uploaded.status, 201);
    let url = uploaded.json()["data"]["url"].as_str().unwrap().to_owned();
    let (path, key) = places(&world, &url);
    let object = bucket.objects()[&key].clone();
    assert!(object.bytes == bytes, "the object's bytes are the file's");
    assert_eq!(
        (object.content_type.as_str(), object.cache_control.as_str()),
        ("image/png", "public, max-age=31536000, immutable")
    );
    let done = bucket.done();
    let steps = ["begin", "part 1", "part 2", "complete"].map(|step| format!("{step} {key}"));
    assert!(steps.iter().all(|step| done.contains(step)), "{done:?}");
    assert_eq!(bucket.unfinished(), 0);

    let whole = world.anonymous().get(&path).await;
    assert!(whole.status == 200 && whole.bytes == bytes);
    bucket.done();
    let ranged = world.anonymous().request(reqwest::Method::GET, &path);
    let part = world
        .anonymous()
        .send(ranged.header("range", "bytes=8388600-8388615"))
        .await;
    assert_eq!(part.status, 206);
    assert!(part.bytes == bytes[8_388_600..=8_388_615]);
    // Only the part was fetched.
    assert!(
        bucket.done().contains(&format!("GET {key} 8388600..8388616")),
        "the range goes to the bucket"
    );
    let outside = world.anonymous().request(reqwest::Method::GET, &path);
    let outside = outside.header("range", "bytes=99999999-");
    assert_eq!(world.anonymous().send(outside).await.status, 416);

    bucket.done();
    let again = account.http.upload(bytes, "b.png").await.json();
    assert_eq!(again["data"]["url"], url);
    let done = bucket.done();
    assert!(!done.iter().any(|what| what.starts_with("part")), "{done:?}");

    world
        .server
        .json(&["media", "takedown", &url, "--reason", "asked for by its owner"]);
    assert!(bucket.objects().is_empty());
    assert_eq!(world.anonymous().get(&path).await.status, 410);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_output_of_a_job_is_stored_in_the_bucket() {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}", bucket.config(SECRET)));
    let account = world.account(100);
    let job = account.http.wait(&account.http.create(&cheap()).await).await;
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let (path, key) = places(&world, url);
    let read = world.anonymous().get(&path).await;
    assert_eq!(read.status, 200);
    assert!(bucket.objects()[&key].bytes == read.bytes);
    assert_eq!(world.stored(), Vec::<String>::new());
    assert_eq!(world.anonymous().get("//readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_wrong_secret_nothing_is_stored_and_the_service_is_not_ready() {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}", bucket.config("another secret")));
    let account = world.account(100);
    let ready = world.anonymous().get("//readyz").await;
    assert_eq!(ready.status, 503, "{}", ready.json());
    let upload = account.http.upload(files::PNG.to_vec(), "a.png").await;
    assert!(upload.status.is_server_error(), "{}", upload.status);
    assert!(!upload.json().to_string().contains("another secret"));
    assert_eq!(upload.json()["success"], json!(false));
    assert_eq!((bucket.objects().len(), bucket.done()), (0, Vec::new()));
}

// The bucket answers while commands of the service run.
#[tokio::test(flavor = "multi_thread")]
async fn jobs_wait_while_the_bucket_fails_and_use_up_no_attempts() {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}", bucket.config(SECRET)));
    let account = world.account(100);
    let stored = account.http.upload(files::PNG.to_vec(), "a.png").await.json();
    let edit = json!({ "model": "upscale", "image_urls": [stored["data"]["url"]] });
    bucket.close(true);
    let jobs = [
        account.http.create(&cheap()).await,
        account.http.create(&edit).await,
    ];
    // The other one may not have begun by then.
    until("one of them has found no place", async || {
        let log = world.server.log();
        log.contains("found no place: it goes back into the queue")
    })
    .await;
    until("it is not ready", async || {
        account.http.get("//readyz").await.status == 503
    })
    .await;
    assert_eq!(
        account.http.get("//readyz").await.message(),
        "store: ok, media: failing"
    );
    let upload = account.http.upload(files::png_of(1_000), "b.png").await;
    assert_eq!(
        (upload.status.as_u16(), upload.message().as_str()),
        (503, "the media storage fails: try again shortly")
    );
    assert!(upload.header("retry-after").is_some());
    let (path, _) = places(&world, stored["data"]["url"].as_str().unwrap());
    assert_eq!(world.anonymous().get(&path).await.status, 503);
    // Long enough for three attempts with their waits.
    tokio::time::sleep(Duration::from_secs(8)).await;
    let tries = world.server.log().matches("outputs could not be stored").count();
    assert!(tries <= 4, "no job is begun before the bucket works: {tries}");
    for id in &jobs {
        let job = account.http.get(&format!("/generations/{id}")).await.json();
        assert_eq!(job["data"]["status"], "processing", "{job}");
    }
    bucket.close(false);
    for id in &jobs {
        assert_eq!(account.http.wait(id).await["status"], "completed");
    }
    assert_eq!(account.credits().await, 93, "each is charged once");
    assert_eq!(account.http.get("//readyz").await.status, 200);
}

// The bucket answers while commands of the service run.
#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_upload_leaves_the_bucket() {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}", bucket.config(SECRET)));
    let account = world.account(100);
    let uploaded = account.http.upload(files::PNG.to_vec(), "a.png").await.json();
    let (path, _) = places(&world, uploaded["data"]["url"].as_str().unwrap());
    assert_eq!(bucket.objects().len(), 1);
    let upload = format!("/uploads/{}", path.rsplit('/').next().unwrap());
    let deletion = account.http.request(reqwest::Method::DELETE, &upload);
    let deleted = account.http.send(deletion).await.json();
    assert_eq!(deleted["data"]["file_gone"], true);
    assert_eq!(bucket.objects().len(), 0);
    assert_eq!(world.anonymous().get(&path).await.status, 410);
    account.http.upload(files::PNG.to_vec(), "a.png").await;
    assert_eq!(bucket.objects().len(), 1);
    assert_eq!(world.anonymous().get(&path).await.status, 200);
}
