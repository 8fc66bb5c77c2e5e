//! The uploads that are accepted or refused, and the cleanup after incomplete ones.

use std::time::Duration;

use atelier_testkit::{Answer, Http};
use futures::future::join_all;
use reqwest::Method;
use serde_json::json;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::{
    files,
    setup::{ECHO, World, assert_wire, cheap, echo, until},
};

const LARGEST: usize = 26_214_400;

async fn send(http: &Http, content_type: &str, body: impl Into<reqwest::Body>) -> Answer {
    let request = http
        .request(Method::POST, "/uploads")
        .header("content-type", content_type)
        .body(body);
    http.send(request).await
}

/// A part of a form.
fn part(name: &str, content: &[u8]) -> Vec<u8> {
    [
        b"--x\r\ncontent-disposition: form-data; name=\"",
        name.as_bytes(),
        b"\"; filename=\"f\"\r\n\r\n",
        content,
        b"\r\n",
    ]
    .concat()
}

fn form(parts: &[Vec<u8>]) -> Vec<u8> {
    [&parts.concat()[..], b"--x--\r\n"].concat()
}

const FORM: &str = "multipart/form-data; boundary=x";

#[tokio::test]
async fn the_type_is_detected_from_the_bytes_whatever_the_client_says() {
    let world = echo();
    let account = world.account(0);
    let types = files::every_type();
    assert_eq!(types.len(), 13);
    for (mime, extension, bytes) in types {
        let size = bytes.len();
        let lie = reqwest::multipart::Part::bytes(bytes)
            .file_name("page.html")
            .mime_str("text/html")
            .unwrap();
        let form = reqwest::multipart::Form::new().part("file", lie);
        let answer = account
            .http
            .send(account.http.request(Method::POST, "/uploads").multipart(form))
            .await;
        assert_eq!(answer.status, 201, "{mime}: {:?}", answer.bytes);
        let data = &answer.json()["data"];
        assert_eq!((&data["mime_type"], &data["size"]), (&json!(mime), &json!(size)));
        let url = data["url"].as_str().unwrap();
        assert!(url.ends_with(&format!(".{extension}")), "{mime}: {url}");
        let path = url.strip_prefix(&world.server.origin()).unwrap();
        let served = world.anonymous().get(&format!("/{path}")).await;
        assert_eq!(
            (served.header("content-type"), served.bytes.len()),
            (Some(mime), size)
        );
    }
}

#[tokio::test]
async fn files_that_are_not_media_are_refused_whatever_their_name() {
    let world = World::start(ECHO);
    let account = world.account(0);
    for (what, name, bytes) in files::refused() {
        let answer = account.http.upload(bytes, name).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{what}"
        );
    }
    assert_wire!(
        "error_upload_refused",
        account.http.upload(b"<svg/>".to_vec(), "a.png").await
    );
    assert_eq!(world.scratch(), Vec::<String>::new());
    assert_eq!(world.stored(), Vec::<String>::new());
}

#[tokio::test]
async fn a_file_of_25_mebibytes_passes_and_one_byte_more_leaves_nothing() {
    let world = World::start(ECHO);
    let account = world.account(0);
    let large = account.http.upload(files::png_of(LARGEST + 1), "a.png").await;
    assert_wire!("error_upload_too_large", large);
    assert_eq!(world.scratch(), Vec::<String>::new());
    assert_eq!(world.stored(), Vec::<String>::new());

    let largest = account.http.upload(files::png_of(LARGEST), "a.png").await;
    assert_eq!(
        (largest.status.as_u16(), &largest.json()["data"]["size"]),
        (201, &json!(LARGEST))
    );
    assert_eq!(world.scratch(), Vec::<String>::new());
    let far = account.http.upload(files::png_of(80 << 20), "a.png");
    let far = tokio::time::timeout(Duration::from_mins(1), far).await.unwrap();
    assert_eq!(
        (far.status.as_u16(), far.code().as_str()),
        (413, "invalid_request")
    );
    assert_eq!(world.scratch(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_uploads_of_the_same_bytes_have_one_url() {
    let world = echo();
    let account = world.account(0);
    let bytes = files::png_with("uploaded at once");
    let answers = join_all((0..16).map(|index| {
        let (http, bytes) = (account.http.clone(), bytes.clone());
        async move { http.upload(bytes, &format!("{index}.png")).await }
    }))
    .await;
    for answer in &answers {
        assert_eq!(answer.status, 201);
        assert_eq!(answer.json(), answers[0].json());
    }
    let later = world.account(0).http.upload(bytes, "later.png").await;
    assert_eq!((later.status.as_u16(), later.json()), (201, answers[0].json()));
}

#[tokio::test]
async fn a_form_has_one_part_named_file() {
    let world = echo();
    let account = world.account(0);
    for (what, body, says) in [
        ("no part", form(&[]), "no part named `file`"),
        (
            "another name",
            form(&[part("image", files::PNG)]),
            "no part named `file`",
        ),
        (
            "two files",
            form(&[part("file", files::PNG), part("file", files::PNG)]),
            "more than one",
        ),
        (
            "three files",
            form(&[
                part("file", files::PNG),
                part("file", b"x"),
                part("file", files::PNG),
            ]),
            "more than one",
        ),
        ("no end", part("file", files::PNG), "incomplete"),
        ("no form", b"just bytes".to_vec(), "malformed"),
        ("nothing", Vec::new(), "malformed"),
        (
            "a part without a name",
            b"--x\r\n\r\nabc\r\n--x--\r\n".to_vec(),
            "malformed",
        ),
    ] {
        let answer = send(&account.http, FORM, body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{what}"
        );
        assert!(answer.message().contains(says), "{what}: {}", answer.message());
    }
    for content_type in [
        "application/json",
        "multipart/form-data",
        "text/plain",
        "image/png",
    ] {
        let answer = send(&account.http, content_type, form(&[part("file", files::PNG)])).await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{content_type}"
        );
        assert!(
            answer.message().contains("multipart/form-data"),
            "{}",
            answer.message()
        );
    }
    let with_others = form(&[
        part("purpose", b"input"),
        part("file", files::PNG),
        part("note", b"x"),
    ]);
    assert_eq!(send(&account.http, FORM, with_others).await.status, 201);
}

#[tokio::test]
async fn a_connection_that_breaks_during_an_upload_leaves_no_files() {
    let world = World::start(ECHO);
    let account = world.account(0);
    for sent in [0, 1_000, 3 << 20] {
        let mut stream = TcpStream::connect(world.server.address()).await.unwrap();
        let head = format!(
            "POST /dev/v1/uploads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
             content-type: {FORM}\r\ncontent-length: {}\r\n\r\n",
            account.key,
            10 << 20
        );
        let body = part("file", &files::png_of(sent + 64));
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
            .write_all(&body[..body.len().min(sent + 100)])
            .await
            .unwrap();
        if sent == 3 << 20 {
            until("the bytes have reached the scratch folder", async || {
                !world.scratch().is_empty()
            })
            .await;
        }
        drop(stream);
    }
    until("the scratch folder is empty again", async || {
        world.scratch().is_empty()
    })
    .await;
    assert_eq!(world.stored(), Vec::<String>::new());
    assert_eq!(
        account.http.upload(files::PNG.to_vec(), "a.png").await.status,
        201
    );
}

#[tokio::test]
async fn uploads_and_generations_share_one_limit() {
    let world = echo();
    let account = world.account_with(100, &["--generations-per-minute", "3"]);
    assert_eq!(
        account.http.upload(files::PNG.to_vec(), "a.png").await.status,
        201
    );
    assert_eq!(account.http.post("/generations", &cheap()).await.status, 201);
    assert_eq!(
        account.http.upload(files::PNG.to_vec(), "a.png").await.status,
        201
    );
    let upload = account.http.upload(files::PNG.to_vec(), "a.png").await;
    assert_eq!(
        (upload.status.as_u16(), upload.code().as_str()),
        (429, "rate_limit")
    );
    let create = account.http.post("/generations", &cheap()).await;
    assert_eq!(
        (create.status.as_u16(), create.code().as_str()),
        (429, "rate_limit")
    );
    assert!(upload.header("retry-after").is_some() && create.header("retry-after").is_some());
}

#[tokio::test]
async fn an_upload_can_be_an_input() {
    let world = echo();
    let account = world.account(1_000);
    let url = account.http.upload(files::PNG.to_vec(), "a.png").await.json()["data"]["url"].clone();
    let video = account.http.upload(files::MP4.to_vec(), "a.mp4").await.json()["data"]["url"].clone();
    for request in [
        json!({ "model": "upscale", "image_urls": [url] }),
        json!({ "model": "image-gen-4", "prompt": "a fox", "image_urls": [url, url] }),
        json!({ "model": "video-fast-2", "prompt": "a fox runs", "start_frame_url": url }),
    ] {
        let id = account.http.create(&request).await;
        assert_eq!(account.http.wait(&id).await["status"], "completed", "{request}");
    }
    let kind = account
        .http
        .post(
            "/generations",
            &json!({ "model": "upscale", "image_urls": [video] }),
        )
        .await;
    assert_eq!(
        (kind.status.as_u16(), kind.code().as_str()),
        (400, "invalid_request"),
        "a video is no image"
    );
    assert!(kind.message().contains("image_urls"), "{}", kind.message());
}

#[tokio::test]
async fn a_url_of_this_service_without_a_file_is_refused_immediately() {
    let world = echo();
    let account = world.account(100);
    let media = format!("{}/media", world.server.origin());
    for url in [
        format!("{media}/{}.png", "0".repeat(64)),
        format!("{media}/x.png"),
        format!("{media}/"),
        format!("{media}/../media/{}.png", "0".repeat(64)),
        format!("{media}/{}.png?x=1", "0".repeat(64)),
    ] {
        let answer = account
            .http
            .post(
                "/generations",
                &json!({ "model": "upscale", "image_urls": [url] }),
            )
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.code().as_str()),
            (400, "invalid_request"),
            "{url}"
        );
        assert!(answer.message().contains("image_urls"), "{}", answer.message());
    }
    assert_eq!(account.credits().await, 100);
}
