//! Lists of hashes: pictures that look like what is on one are refused or reviewed, wherever they come from.

use std::io::Cursor;

use atelier_testkit::Http;
use axum::{Router, routing::get};
use image::{codecs::jpeg::JpegEncoder, imageops::FilterType};
use serde_json::{Value, json};

use crate::{marks::StandIn, setup::World};

const PICTURE: &[u8] = include_bytes!("../../../../docs/images/lighthouse.jpg");
const OTHER: &[u8] = include_bytes!("../../../../docs/images/films.jpg");

/// The picture, smaller and compressed once more.
fn copy_of(picture: &[u8]) -> Vec<u8> {
    let picture = image::load_from_memory(picture).unwrap();
    let smaller = picture.resize_exact(300, 300, FilterType::Triangle);
    let mut file = Cursor::new(Vec::new());
    let encoder = JpegEncoder::new_with_quality(&mut file, 70);
    smaller.write_with_encoder(encoder).unwrap();
    file.into_inner()
}

/// A host that serves a file.
async fn host(file: Vec<u8>) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a.jpg", listener.local_addr().unwrap());
    let router = Router::new().route("/a.jpg", get(move || async move { file }));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

/// Makes the list `name` of the picture.
fn import(world: &World, name: &str, picture: &[u8]) {
    let file = world.server.data().join("picture.jpg");
    std::fs::write(&file, picture).unwrap();
    let file = file.to_str().unwrap();
    let made = world.server.json(&["policy", "hashes", "of", file]);
    let list = world.server.data().join("list.csv");
    let hash = made[0]["hash"].as_str().unwrap();
    assert_eq!(hash.len(), 64, "{made}");
    std::fs::write(&list, format!("hash,comment\n{hash},from a partner\n")).unwrap();
    let imported = [
        "policy",
        "hashes",
        "import",
        list.to_str().unwrap(),
        "--list",
        name,
    ];
    assert_eq!(world.server.json(&imported), json!({ "list": name, "hashes": 1 }));
}

fn edit(url: &str) -> Value {
    json!({ "model": "image-gen-4", "prompt": "a boat", "resolution": "1K", "image_urls": [url] })
}

#[tokio::test]
async fn pictures_that_look_like_what_is_on_a_list_are_refused_or_reviewed() {
    let server = StandIn::comfy(PICTURE.to_vec()).await;
    let mut world = World::prepare(&format!(
        "routes = [{{ model = \"sdxl-1-0\", engine = \"cellar\", workflow = \"checkpoint.json\" }},\n\
         {{ model = \"*\", engine = \"echo\" }}]\n[metrics]\nlisten = \"\"\n[outbound]\nallow_private = true\n\
         [engines.cellar]\nkind = \"comfyui\"\nurl = \"{}\"\n",
        server.url
    ));
    std::fs::create_dir_all(world.server.data()).unwrap();
    let rules = "[[hashes]]\nlist = \"doubtful-*\"\naction = \"review\"\n";
    std::fs::write(world.server.data().join("policy.toml"), rules).unwrap();
    world.server.start();
    let http = world.account(1_000).http;
    let copy = copy_of(PICTURE);
    let before = http.upload(copy.clone(), "before.jpg").await.json()["data"]["url"].take();
    import(&world, "known", PICTURE);
    let lists = world.server.json(&["policy", "hashes", "list"]);
    assert_eq!(
        (&lists[0]["list"], &lists[0]["hashes"]),
        (&json!("known"), &json!(1))
    );

    // Uploads, inputs that were uploaded before or lie elsewhere, and results.
    let upload = http.upload(copy_of(&copy), "copy.jpg").await;
    assert_eq!(
        (upload.status.as_u16(), upload.message().as_str()),
        (
            400,
            "this service's content policy does not allow this file (rule `known`)"
        )
    );
    let elsewhere = host(copy.clone()).await;
    for url in [before.as_str().unwrap(), elsewhere.as_str()] {
        let job = http.wait(&http.create(&edit(url)).await).await;
        assert_eq!(job["error"]["code"], "content_policy_violation", "{job}");
        assert_eq!(
            job["error"]["message"],
            "`image_urls` names a file that this service's content policy does not allow (rule `known`)"
        );
    }
    let drawn = json!({ "model": "sdxl-1-0", "prompt": "a boat" });
    let job = http.wait(&http.create(&drawn).await).await;
    assert_eq!(
        job["error"]["message"], "this service's content policy does not allow the output (rule `known`)",
        "{job}"
    );
    let decisions = world.server.json(&["policy", "decisions", "--rule", "known"]);
    let stages = decisions
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["stage"].as_str().unwrap());
    assert_eq!(stages.collect::<Vec<_>>(), ["result", "input", "input", "upload"]);
    assert!(!decisions.to_string().contains("partner"), "{decisions}");

    // A job that uses an input for review waits, and the input is stored.
    import(&world, "doubtful-faces", OTHER);
    let upload = http.upload(copy_of(OTHER), "other.jpg").await;
    assert_eq!(upload.status, 201);
    let url = upload.json()["data"]["url"].take();
    let id = http.create(&edit(url.as_str().unwrap())).await;
    crate::policy::until_waiting(&http, &id).await;
    world.server.json(&["policy", "review", &id, "--approve"]);
    assert_eq!(http.wait(&id).await["status"], "completed");

    // A list can be removed, and hashes of another length are refused.
    world.server.json(&["policy", "hashes", "remove", "known"]);
    assert_eq!(http.wait(&http.create(&drawn).await).await["status"], "completed");
    let file = world.server.data().join("list.csv");
    std::fs::write(&file, "d41d8cd98f00b204e9800998ecf8427e\n").unwrap();
    let (status, _, said) = world.server.command(&[
        "policy",
        "hashes",
        "import",
        file.to_str().unwrap(),
        "--list",
        "md5",
    ]);
    assert_eq!(status, 1);
    assert!(said.contains("a hash must have 64 hexadecimal digits"), "{said}");
}

#[tokio::test]
async fn an_input_from_elsewhere_may_not_be_a_copy_of_what_was_taken_down() {
    let (port, settings) = (atelier_testkit::free_port(), crate::setup::ECHO);
    let world = World::start(&settings.replace("listen = \"\"", &format!("listen = \"127.0.0.1:{port}\"")));
    let http = world.account(1_000).http;
    let url = http.upload(PICTURE.to_vec(), "a.jpg").await.json()["data"]["url"].take();
    world.server.json(&[
        "media",
        "takedown",
        url.as_str().unwrap(),
        "--reason",
        "asked for",
    ]);
    for (file, says) in [
        (PICTURE.to_vec(), "`image_urls` names a file that was taken down"),
        (
            copy_of(PICTURE),
            "`image_urls` names a file that looks like one that was taken down",
        ),
    ] {
        let job = http.wait(&http.create(&edit(&host(file).await)).await).await;
        assert_eq!(
            (&job["error"]["code"], &job["error"]["message"]),
            (&json!("content_policy_violation"), &json!(says))
        );
    }
    let job = http
        .wait(&http.create(&edit(&host(OTHER.to_vec()).await)).await)
        .await;
    assert_eq!(job["status"], "completed", "{job}");

    // The same bytes and a copy of them, uploaded: refused, written down and counted, like the two inputs.
    for file in [PICTURE.to_vec(), copy_of(PICTURE)] {
        assert_eq!(http.upload(file, "a.jpg").await.status, 400);
    }
    let decisions = world.server.json(&["policy", "decisions", "--rule", "takedown"]);
    let stages = decisions.as_array().unwrap().iter().map(|one| {
        assert_eq!(one["decision"], "refused", "{one}");
        one["stage"].as_str().unwrap()
    });
    assert_eq!(stages.collect::<Vec<_>>(), ["upload", "upload", "input", "input"]);
    let metrics = Http::new(&format!("http://127.0.0.1:{port}"), None);
    let page = String::from_utf8(metrics.get("//metrics").await.bytes.to_vec()).unwrap();
    let counted = "atelier_policy_decisions_total{rule=\"takedown\",decision=\"refused\"} 4";
    assert!(page.contains(counted), "{page}");
}
