//! Real edits of films from the embedded engine, over the wire.

use atelier_film::{I420, Limits, Picture, Rate, Reader, Sound, Tags, Video, Writer};
use serde_json::json;

use crate::setup::shared;

/// As the program is without any configuration, but for its limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

/// Three seconds in which a bright bar goes to the right, with a quiet tone.
fn clip() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clip.mp4");
    let mut video = Video::new(160, 96);
    video.rate = Rate::whole(10);
    let sound = Sound::Stereo { rate: 48_000 };
    let mut film = Writer::create(&path, video, Some(sound), Tags::default()).unwrap();
    let tone = |i: u32| 0.2 * (i as f32 * 0.05).sin();
    film.samples(&(0..144_000).flat_map(|i| [tone(i); 2]).collect::<Vec<f32>>())
        .unwrap();
    for number in 0..30 {
        let mut frame = I420::new(160, 96);
        for (i, value) in frame.data[..160 * 96].iter_mut().enumerate() {
            *value = if (i % 160) / 5 == number { 220 } else { 90 };
        }
        film.frame(Picture::I420(frame.planes())).unwrap();
    }
    film.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[tokio::test]
async fn a_film_is_edited_in_its_own_length_and_with_its_own_sound() {
    let world = shared(DRAFT);
    let account = world.account(1_000);
    let url = account.http.upload(clip(), "clip.mp4").await.json()["data"]["url"].clone();
    let request = json!({ "model": "video-edit-1-0", "video_url": url, "prompt": "black and white, in reverse",
        "params": { "resolution": "720p", "audio_setting": "origin", "seed": 7 } });
    let id = account.http.create(&request).await;
    let mut job = account.http.wait(&id).await;
    while job["status"] == "processing" {
        job = account.http.wait(&id).await;
    }
    assert_eq!(
        (&job["status"], &job["served_by"]),
        (&json!("completed"), &json!("draft")),
        "{job}"
    );
    // Three seconds at 12 credits.
    assert_eq!(job["credits_charged"], 36, "{job}");
    let told = &job["output"]["metadata"];
    assert_eq!(told["edits"], json!(["backwards", "monochrome"]), "{told}");
    assert_eq!(told["sound"], "the source's own stream", "{told}");
    let asset = &job["output"]["assets"][0];
    assert_eq!(asset["type"], "video");
    let url = asset["url"].as_str().unwrap();
    let path = url.strip_prefix(&world.server.origin()).unwrap();
    let bytes = world.anonymous().get(&format!("/{path}")).await.bytes.to_vec();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("edit.mp4");
    std::fs::write(&file, bytes).unwrap();
    let mut film = Reader::open(&file, &Limits::default()).unwrap();
    let facts = *film.facts();
    assert_eq!((facts.width, facts.height, facts.frames), (1200, 720, 30));
    assert!(facts.has_sound && (facts.seconds - 3.0).abs() < 0.05);
    // The bar, which went to the right, stands on the right at first.
    let first = film.next(None).unwrap().unwrap().picture;
    let row = &first.planes().y[300 * 1200..301 * 1200];
    let brightest = (0..1200).max_by_key(|x| row[*x]).unwrap();
    assert!((1_060..1_160).contains(&brightest), "{brightest}");
}
