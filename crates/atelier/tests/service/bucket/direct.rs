//! Uploads that go to the bucket by a signed form.

use atelier_testkit::Answer;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use super::s3::S3;
use crate::{
    files,
    setup::{Account, ECHO, World, cheap, echo, until},
};

fn service() -> (S3, World, Account) {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}", bucket.config_with_uploads()));
    let account = world.account(100);
    (bucket, world, account)
}

async fn begin(account: &Account, bytes: &[u8]) -> Value {
    let body = json!({ "content_type": "image/png", "size": bytes.len() });
    let answer = account.http.post("/uploads/direct", &body).await;
    assert_eq!(answer.status, 201, "{}", answer.json());
    answer.json()["data"].clone()
}

/// Sends a file by a form, as a client does that knows nothing but the form. Returns the status and the error of S3.
async fn send(form: &Value, bytes: &[u8]) -> (u16, String) {
    let mut body = Form::new();
    for (name, value) in form["fields"].as_object().unwrap() {
        body = body.text(name.clone(), value.as_str().unwrap().to_owned());
    }
    let body = body.part("file", Part::bytes(bytes.to_vec()).file_name("a.png"));
    let url = form["url"].as_str().unwrap();
    let answer = reqwest::Client::new()
        .post(url)
        .multipart(body)
        .send()
        .await
        .unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

async fn complete(account: &Account, form: &Value) -> Answer {
    let id = form["upload_id"].as_str().unwrap();
    let path = format!("/uploads/direct/{id}/complete");
    account.http.post(&path, &json!({})).await
}

fn key(form: &Value) -> &str {
    form["fields"]["key"].as_str().unwrap()
}

/// Status, code and message of a refusal.
fn refusal(answer: &Answer) -> (u16, String, String) {
    (answer.status.as_u16(), answer.code(), answer.message())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_sent_to_the_bucket_becomes_an_ordinary_upload() {
    let (bucket, world, account) = service();
    let bytes = files::png_of(9 << 20);
    let form = begin(&account, &bytes).await;
    assert_eq!(send(&form, &bytes).await, (204, String::new()));
    let key = key(&form);
    assert!(key.starts_with("some/media/incoming/"), "{key}");
    assert!(bucket.objects()[key].bytes == bytes);
    // Nothing serves it before it is checked.
    let name = key.rsplit('/').next().unwrap();
    for path in [format!("//media/{name}"), format!("//media/incoming/{name}")] {
        assert_eq!(world.anonymous().get(&path).await.status, 404, "{path}");
    }

    let completed = complete(&account, &form).await;
    assert_eq!(completed.status, 201, "{}", completed.json());
    assert!(!bucket.objects().contains_key(key));
    let ordinary = account.http.upload(bytes.clone(), "a.png").await;
    assert_eq!(completed.json(), ordinary.json());
    assert_eq!(completed.json()["data"]["size"], bytes.len());
    assert_eq!(completed.json()["data"]["mime_type"], "image/png");

    let url = completed.json()["data"]["url"].as_str().unwrap().to_owned();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let served = world.anonymous().get(&format!("/{path}")).await;
    assert!(served.status == 200 && served.bytes == bytes);
    let job = json!({ "model": "upscale", "image_urls": [url] });
    let ended = account.http.wait(&account.http.create(&job).await).await;
    assert_eq!(ended["status"], "completed", "{ended}");
    until("the work files are gone", async || world.scratch().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn completing_an_upload_again_answers_the_same_until_it_is_deleted() {
    let (bucket, _world, account) = service();
    let form = begin(&account, files::PNG).await;
    send(&form, files::PNG).await;
    let first = complete(&account, &form).await;
    assert_eq!(first.status, 201);
    bucket.done();
    let again = complete(&account, &form).await;
    assert_eq!((again.status, again.json()), (first.status, first.json()));
    let note = format!("GET {}.note", key(&form));
    assert_eq!(bucket.done(), [note], "the file is not read again");
    // The form is still valid, but a second file changes nothing.
    let other = files::png_with("another");
    assert_eq!(
        other.len() == files::PNG.len(),
        send(&form, &other).await.0 == 204
    );
    assert_eq!(complete(&account, &form).await.json(), first.json());

    let name = first.json()["data"]["url"].as_str().unwrap().to_owned();
    let path = format!("/uploads/{}", name.rsplit('/').next().unwrap());
    let deletion = account.http.request(reqwest::Method::DELETE, &path);
    assert_eq!(account.http.send(deletion).await.status, 200);
    assert_eq!(
        refusal(&complete(&account, &form).await),
        (410, "not_found".to_owned(), "this file was deleted".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_complete_one_upload_at_the_same_time_get_the_same_answer() {
    let (_bucket, _world, account) = service();
    let form = begin(&account, files::PNG).await;
    send(&form, files::PNG).await;
    let answers = futures::future::join_all((0..4).map(|_| complete(&account, &form))).await;
    for answer in &answers {
        assert_eq!((answer.status.as_u16(), answer.json()), (201, answers[0].json()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_of_another_account_and_an_invented_one_are_unknown() {
    let (bucket, world, account) = service();
    let form = begin(&account, files::PNG).await;
    send(&form, files::PNG).await;
    let id = form["upload_id"].as_str().unwrap();
    let message = |id: &str| format!("there is no upload with the id `{id}`");
    let stranger = world.account(100);
    assert_eq!(
        refusal(&complete(&stranger, &form).await),
        (404, "not_found".to_owned(), message(id))
    );
    let invented = json!({ "upload_id": "AZrLxE0a" });
    assert_eq!(
        refusal(&complete(&account, &invented).await),
        (404, "not_found".to_owned(), message("AZrLxE0a"))
    );
    assert!(bucket.objects().contains_key(key(&form)));
    assert_eq!(complete(&account, &form).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_cannot_be_completed_before_its_file_has_arrived() {
    let (_bucket, _world, account) = service();
    let form = begin(&account, files::PNG).await;
    let message = "no file has arrived at the bucket for this upload: send it with the form first";
    assert_eq!(
        refusal(&complete(&account, &form).await),
        (409, "invalid_request".to_owned(), message.to_owned())
    );
    send(&form, files::PNG).await;
    assert_eq!(complete(&account, &form).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bucket_takes_nothing_but_what_the_form_allows() {
    let (bucket, _world, account) = service();
    let form = begin(&account, files::PNG).await;
    let larger = [files::PNG, b"x"].concat();
    for (bytes, code) in [
        (&larger[..], "EntityTooLarge"),
        (&files::PNG[1..], "EntityTooSmall"),
    ] {
        let (status, error) = send(&form, bytes).await;
        assert_eq!((status, error.contains(code)), (400, true), "{error}");
    }
    for (field, value) in [
        ("key", "some/media/incoming/other"),
        ("Content-Type", "text/html"),
        ("acl", "public-read"),
        ("x-amz-signature", "00"),
    ] {
        let mut changed = form.clone();
        changed["fields"][field] = json!(value);
        assert_eq!(send(&changed, files::PNG).await.0, 403, "{field}");
    }
    assert!(bucket.objects().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_announced_file_that_cannot_be_taken_is_refused_with_what_is_allowed() {
    let (_bucket, _world, account) = service();
    let png = |size: u64| json!({ "content_type": "image/png", "size": size });
    for (body, status, message) in [
        (
            png(26_214_401),
            413,
            "`size` must be at most 26214400 bytes (got 26214401)",
        ),
        (png(0), 400, "`size` must be between 1 and 26214400 bytes (got 0)"),
        (
            json!({ "content_type": "text/html", "size": 1 }),
            400,
            "`content_type` must be one of image/png, image/jpeg, image/webp, image/gif, video/mp4, video/quicktime, \
             video/webm, audio/mpeg, audio/wav, audio/flac, audio/ogg, audio/mp4, audio/aac (got `text/html`)",
        ),
        (
            json!({ "content_type": "image/png", "size": 1, "sha256": "abc" }),
            400,
            "`sha256` must have 64 hexadecimal digits (got `abc`)",
        ),
        (
            json!({ "size": 1 }),
            400,
            "`content_type` is required: a media type, such as `image/png`",
        ),
        (
            json!({ "content_type": "image/png", "size": "1" }),
            400,
            "`size` is required: a whole number of bytes",
        ),
        (
            json!({ "content_type": "image/png", "size": 1, "name": "a.png" }),
            400,
            "unknown field `name`; known fields: `content_type`, `size`, `sha256`",
        ),
    ] {
        let answer = account.http.post("/uploads/direct", &body).await;
        let expected = (status, "invalid_request".to_owned(), message.to_owned());
        assert_eq!(refusal(&answer), expected, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_media_is_refused_and_removed_whatever_was_announced() {
    let (bucket, _world, account) = service();
    let page = b"<html>not a picture</html>";
    let form = begin(&account, page).await;
    assert_eq!(send(&form, page).await.0, 204);
    let refused = complete(&account, &form).await;
    assert_eq!(
        (refused.status.as_u16(), refused.code().as_str()),
        (400, "invalid_request")
    );
    let message = refused.message();
    assert!(
        message.starts_with("the file is not one of the accepted types: PNG"),
        "{message}"
    );
    let ordinary = account.http.upload(page.to_vec(), "a.png").await;
    assert_eq!(refusal(&ordinary), refusal(&refused));
    assert!(!bucket.objects().contains_key(key(&form)));
    assert_eq!(refusal(&complete(&account, &form).await), refusal(&refused));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_taken_down_cannot_come_back_through_the_bucket() {
    let (bucket, world, account) = service();
    let form = begin(&account, files::PNG).await;
    send(&form, files::PNG).await;
    let url = complete(&account, &form).await.json()["data"]["url"].clone();
    let takedown = [
        "media",
        "takedown",
        url.as_str().unwrap(),
        "--reason",
        "asked for",
    ];
    world.server.json(&takedown);
    let form = begin(&account, files::PNG).await;
    send(&form, files::PNG).await;
    let message = "this file was taken down and cannot be stored again";
    assert_eq!(
        refusal(&complete(&account, &form).await),
        (400, "invalid_request".to_owned(), message.to_owned())
    );
    assert!(!bucket.objects().contains_key(key(&form)));
    let media = bucket
        .objects()
        .into_keys()
        .find(|key| !key.contains("/incoming/"));
    assert_eq!(media, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_differs_from_the_announced_one_is_refused() {
    let (bucket, _world, account) = service();
    let ordinary = account.http.upload(files::PNG.to_vec(), "a.png").await.json();
    let url = ordinary["data"]["url"].as_str().unwrap();
    let hash = url.rsplit('/').next().unwrap().strip_suffix(".png").unwrap();
    let other = "0".repeat(64);
    let announce = async |sha256: &str| {
        let body = json!({ "content_type": "image/png", "size": files::PNG.len(), "sha256": sha256 });
        let answer = account.http.post("/uploads/direct", &body).await;
        assert_eq!(answer.status, 201, "{}", answer.json());
        answer.json()["data"].clone()
    };
    let form = announce(&other).await;
    send(&form, files::PNG).await;
    let refused = complete(&account, &form).await;
    let message =
        format!("`sha256` was {other}, and the file in the bucket has {hash}: begin another upload");
    assert_eq!(refusal(&refused), (400, "invalid_request".to_owned(), message));
    assert_eq!(refused.json()["error"]["details"][0]["parameter"], "sha256");
    assert_eq!(complete(&account, &form).await.json(), refused.json());

    let form = announce(&hash.to_uppercase()).await;
    send(&form, files::PNG).await;
    assert_eq!(complete(&account, &form).await.json(), ordinary);

    // A bucket that does not keep to the size in the form.
    let form = begin(&account, files::PNG).await;
    bucket.put(key(&form), &[files::PNG, b"x"].concat());
    let size = files::PNG.len();
    let message = format!(
        "`size` was {size} bytes, and the file in the bucket has {}: begin another upload",
        size + 1
    );
    assert_eq!(
        refusal(&complete(&account, &form).await),
        (400, "invalid_request".to_owned(), message)
    );
}

#[tokio::test]
async fn a_service_without_a_bucket_says_what_to_use_instead() {
    let world = echo();
    let account = world.account(100);
    let body = json!({ "content_type": "image/png", "size": 1 });
    let message = "this service takes no uploads at a bucket: send the file to `POST /uploads`. The operator allows \
                   them with `media.url` (a bucket) and `media.upload_url`";
    for path in ["/uploads/direct", "/uploads/direct/AZrLxE0a/complete"] {
        let answer = account.http.post(path, &body).await;
        assert_eq!(
            refusal(&answer),
            (400, "invalid_request".to_owned(), message.to_owned()),
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_takes_no_uploads_unless_the_operator_allows_them() {
    let bucket = S3::start();
    let world = World::start(&format!("{ECHO}{}", bucket.config(super::SECRET)));
    let body = json!({ "content_type": "image/png", "size": 1 });
    let refused = world.account(100).http.post("/uploads/direct", &body).await;
    assert_eq!(refused.status, 400);
    assert!(
        refused.message().contains("`media.upload_url`"),
        "{}",
        refused.message()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_counts_once_towards_the_limit_on_generations() {
    let (_bucket, world, _) = service();
    let account = world.account_with(100, &["--generations-per-minute", "2"]);
    let form = begin(&account, files::PNG).await;
    send(&form, files::PNG).await;
    assert_eq!(complete(&account, &form).await.status, 201);
    account.http.create(&cheap()).await;
    let body = json!({ "content_type": "image/png", "size": 1 });
    let limited = account.http.post("/uploads/direct", &body).await;
    assert_eq!(
        (limited.status.as_u16(), limited.code().as_str()),
        (429, "rate_limit")
    );
    assert_eq!(complete(&account, &form).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_that_nobody_completed_are_removed_after_two_hours() {
    let bucket = S3::start();
    let old = "some/media/incoming/019a00000000-000102030405060708090a0b0c0d0e0f";
    let (note, others) = (format!("{old}.note"), "some/media/incoming/of-others");
    for key in [old, &note, others] {
        bucket.put(key, b"x");
    }
    let world = World::start(&format!("{ECHO}{}", bucket.config_with_uploads()));
    let account = world.account(100);
    let form = begin(&account, files::PNG).await;
    send(&form, files::PNG).await;
    until("the old ones are gone", async || {
        !bucket.objects().contains_key(old) && !bucket.objects().contains_key(&note)
    })
    .await;
    let kept: Vec<_> = bucket.objects().into_keys().collect();
    assert_eq!(kept, [key(&form).to_owned(), others.to_owned()]);
}

#[tokio::test]
async fn an_address_for_uploads_without_a_bucket_is_refused_at_start() {
    let world = World::prepare(&format!(
        "{ECHO}[media]\nupload_url = \"https://bucket.example.com\"\n"
    ));
    let (code, _, said) = world.server.command(&["serve"]);
    let why = "`media.upload_url`: clients can upload straight to a bucket only: the media storage must be \
               s3://bucket/prefix";
    assert_eq!((code, said.contains(why)), (1, true), "{said}");
}
