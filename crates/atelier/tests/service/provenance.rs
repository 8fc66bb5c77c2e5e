//! Pictures of trained models carry an invisible mark, and `POST /verify` leads from it back to their generation.

use std::io::Cursor;

use atelier_film::{Limits, Picture, Reader, Tags, Video, Writer};
use atelier_testkit::{Answer, Http};
use image::{DynamicImage, codecs::jpeg::JpegEncoder, imageops::FilterType};
use reqwest::{
    Method,
    multipart::{Form, Part},
};
use serde_json::{Value, json};

use crate::{
    marks::StandIn,
    setup::{Account, World},
};

const PICTURE: &[u8] = include_bytes!("../../../../docs/images/lighthouse.jpg");
const PROMPT: &str = "a boat that nobody must know of";

async fn ask(http: &Http, form: Form) -> Answer {
    let request = http.request(Method::POST, "/verify").multipart(form);
    http.send(request).await
}

async fn verified(http: &Http, file: &[u8]) -> Value {
    let part = Part::bytes(file.to_vec()).file_name("picture.jpg");
    let answer = ask(http, Form::new().part("file", part)).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["data"].clone()
}

/// The picture as somebody else would pass it on: with quality 70, and without metadata.
fn saved_again(picture: &DynamicImage) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let encoder = JpegEncoder::new_with_quality(&mut file, 70);
    picture.write_with_encoder(encoder).unwrap();
    file.into_inner()
}

/// A second of the picture, panned.
fn film() -> Vec<u8> {
    let picture = image::load_from_memory(PICTURE).unwrap().to_rgb8();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    let mut film = Writer::create(&path, Video::new(480, 320), None, Tags::default()).unwrap();
    for number in 0..24 {
        let frame = image::imageops::crop_imm(&picture, 2 * number, 100 + number, 480, 320).to_image();
        film.frame(Picture::Rgb(&frame)).unwrap();
    }
    film.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[tokio::test]
async fn a_video_of_a_trained_model_leads_back_to_its_generation_without_its_metadata() {
    let server = StandIn::replicate("file.mp4", film()).await;
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n[engines.cloud]\nkind = \"http\"\nprofile = \"replicate\"\nurl = \"{}\"\n\
         [[routes]]\nmodel = \"wan-2-2-t2v-a14b\"\nengine = \"cloud\"\ntarget = \"a/b\"\n",
        server.url
    ));
    let (owner, anybody) = (world.account(1_000), world.anonymous());
    let request = json!({"model": "wan-2-2-t2v-a14b", "prompt": PROMPT});
    let id = owner.http.create(&request).await;
    let job = owner.http.wait(&id).await;
    assert_eq!(
        job["output"]["metadata"]["watermark"],
        json!(["written"]),
        "{job}"
    );
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = anybody.get(&format!("/{path}")).await.bytes;

    // The frames again, in a file that says nothing about itself.
    let folder = tempfile::tempdir().unwrap();
    let (marked, bare) = (folder.path().join("marked.mp4"), folder.path().join("bare.mp4"));
    std::fs::write(&marked, &file).unwrap();
    let mut frames = Reader::open(&marked, &Limits::default()).unwrap();
    let mut copy = Writer::create(&bare, Video::new(480, 320), None, Tags::default()).unwrap();
    while let Some(frame) = frames.next(None).unwrap() {
        copy.frame(Picture::I420(frame.picture.planes())).unwrap();
    }
    copy.finish().unwrap();
    let found = verified(&anybody, &std::fs::read(&bare).unwrap()).await;
    assert_eq!(
        (&found["result"], &found["declared"]),
        (&json!("made_here"), &Value::Null)
    );
    assert_eq!(found["watermark"]["made_by"]["id"], id, "{found}");

    // The video that the provider sent has no mark.
    let found = verified(&anybody, &film()).await;
    assert_eq!(found["watermark"]["found"], false, "{found}");
}

#[tokio::test]
async fn a_picture_of_a_trained_model_leads_back_to_its_generation_after_it_was_saved_again() {
    let server = StandIn::comfy(PICTURE.to_vec()).await;
    let world = World::start(&format!(
        "[metrics]\nlisten = \"\"\n[engines.cellar]\nkind = \"comfyui\"\nurl = \"{}\"\n\
         [[routes]]\nmodel = \"sdxl-1-0\"\nengine = \"cellar\"\nworkflow = \"checkpoint.json\"\n",
        server.url
    ));
    let (owner, other, anybody) = (world.account(1_000), world.account(1_000), world.anonymous());
    let id = owner
        .http
        .create(&json!({"model": "sdxl-1-0", "prompt": PROMPT}))
        .await;
    let job = owner.http.wait(&id).await;
    assert_eq!(
        job["output"]["metadata"]["watermark"],
        json!(["written"]),
        "{job}"
    );
    let url = job["output"]["assets"][0]["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let file = anybody.get(&format!("/{path}")).await.bytes;

    // Exactly this file, for a stranger: the model and the time, and nothing about its owner.
    let found = verified(&anybody, &file).await;
    assert_eq!(found["result"], "made_here", "{found}");
    let maker = json!({
        "id": id, "model": "sdxl-1-0", "created_at": job["created_at"], "deleted": false,
    });
    assert_eq!(found["made_by"], maker);
    assert_eq!(found["watermark"]["made_by"], maker);
    assert_eq!(found["declared"]["source_type"], "trainedAlgorithmicMedia");
    assert!(!found.to_string().contains(PROMPT) && !found.to_string().contains(&owner.name));

    // Saved again, also at half the size: only the mark is left of where it came from.
    let picture = image::load_from_memory(&file).unwrap();
    let (width, height) = (picture.width() / 2, picture.height() / 2);
    let half = picture.resize_exact(width, height, FilterType::Triangle);
    for copy in [saved_again(&picture), saved_again(&half)] {
        let found = verified(&anybody, &copy).await;
        assert_eq!(found["result"], "made_here", "{found}");
        assert_eq!(
            (&found["made_by"], &found["declared"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(found["watermark"]["made_by"], maker);
    }
    // The owner's key also leads to the job, and nobody else's.
    let copy = saved_again(&half);
    let found = verified(&owner.http, &copy).await;
    let own = format!("/dev/v1/generations/{id}");
    assert_eq!(found["watermark"]["made_by"]["path"], own.as_str());
    assert_eq!(verified(&other.http, &copy).await["watermark"]["made_by"], maker);

    // The picture that the engine sent has no mark.
    let found = verified(&anybody, PICTURE).await;
    assert_eq!(
        (&found["watermark"]["found"], &found["made_by"]),
        (&json!(false), &Value::Null)
    );
    // By its URL, and from the command line.
    let answer = ask(&anybody, Form::new().text("url", url.to_owned())).await;
    assert_eq!(answer.json()["data"]["made_by"], maker);
    let copied = world.server.data().join("copy.jpg");
    std::fs::write(&copied, &copy).unwrap();
    let origin = world.server.origin();
    let (status, said, failed) =
        world
            .server
            .command(&["verify", copied.to_str().unwrap(), "--server", &origin]);
    assert_eq!(status, 0, "{failed}");
    assert!(said.contains("changed since") && said.contains(&id), "{said}");
    assert_eq!(
        world.scratch(),
        Vec::<String>::new(),
        "nothing of the files is kept"
    );
    strangers_are_limited(&anybody).await;
    copies_of_what_was_taken_down_are_refused(&world, &owner, &other, (url, &copy)).await;
}

/// After a takedown, neither somebody's upload nor another result may look like the picture.
async fn copies_of_what_was_taken_down_are_refused(
    world: &World,
    owner: &Account,
    other: &Account,
    (url, copy): (&str, &[u8]),
) {
    let before = other.http.upload(copy.to_vec(), "copy.jpg").await;
    assert_eq!(before.status, 201);
    world
        .server
        .json(&["media", "takedown", url, "--reason", "asked for"]);
    let smaller = image::load_from_memory(copy).unwrap();
    let smaller = saved_again(&smaller.resize_exact(300, 300, FilterType::Triangle));
    let refused = other.http.upload(smaller, "smaller.jpg").await;
    assert_eq!(refused.status, 400);
    assert!(
        refused.json()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("taken down")
    );
    let unlike = include_bytes!("../../../../docs/images/films.jpg");
    assert_eq!(other.http.upload(unlike.to_vec(), "films.jpg").await.status, 201);
    let again = json!({"model": "sdxl-1-0", "prompt": PROMPT});
    let job = owner.http.wait(&owner.http.create(&again).await).await;
    assert_eq!(job["status"], "failed", "{job}");
    assert_eq!(job["error"]["code"], "content_policy_violation", "{job}");
    let decisions = world.server.json(&["policy", "decisions", "--rule", "takedown"]);
    let stages: Vec<_> = decisions
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["stage"])
        .collect();
    assert_eq!(stages, ["result", "upload"]);
}

/// A stranger may ask ten times a minute, whatever the answer was.
async fn strangers_are_limited(anybody: &Http) {
    let part = Part::bytes(Vec::new()).file_name("file");
    let empty = ask(anybody, Form::new().part("file", part)).await.json();
    assert_eq!(
        empty["error"]["message"],
        "the part `file` is missing or empty; send a file in it, or its URL in a part `url`"
    );
    for _ in 0..12 {
        let part = Part::bytes(b"no picture".to_vec()).file_name("file");
        let answer = ask(anybody, Form::new().part("file", part)).await;
        if answer.status == 429 {
            assert_eq!(answer.json()["error"]["code"], "rate_limit");
            assert!(answer.headers.contains_key("retry-after"));
            return;
        }
        assert_eq!(answer.status, 400);
        assert_eq!(answer.json()["error"]["code"], "invalid_request");
    }
    panic!("nobody was limited");
}
