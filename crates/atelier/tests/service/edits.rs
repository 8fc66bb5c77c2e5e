//! Video edits of the embedded engine, through the API.

use atelier_film::{I420, Limits, Picture, Rate, Reader, Sound, Tags, Video, Writer};
use serde_json::json;

use crate::setup::shared;

/// The default configuration, except for the limits.
const DRAFT: &str =
    "[metrics]\nlisten = \"\"\n[limits]\nrequests_per_minute = 60000\n[workers]\nconcurrency = 2\n";

/// A video of three seconds in which a bright bar moves to the right, with a quiet tone.
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
async fn an_edited_video_keeps_its_length_and_sound() {
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
    // The bar moved to the right, so in the reversed video it starts on the right.
    let first = film.next(None).unwrap().unwrap().picture;
    let row = &first.planes().y[300 * 1200..301 * 1200];
    let brightest = (0..1200).max_by_key(|x| row[*x]).unwrap();
    assert!((1_060..1_160).contains(&brightest), "{brightest}");
}

/// Three seconds of a body without clothes, as far as the checker can tell: trunk and limbs in the colours of skin.
fn bare() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bare.mp4");
    let mut video = Video::new(160, 120);
    video.rate = Rate::whole(10);
    // Start, end and thickness.
    let limbs: [[f32; 5]; 5] = [
        [70.0, 30.0, 90.0, 75.0, 17.0],
        [70.0, 35.0, 30.0, 70.0, 8.0],
        [82.0, 30.0, 125.0, 52.0, 8.0],
        [85.0, 75.0, 60.0, 116.0, 10.0],
        [95.0, 75.0, 130.0, 112.0, 10.0],
    ];
    let mut rgb = Vec::new();
    for i in 0..160 * 120 {
        let (x, y) = ((i % 160) as f32, (i / 160) as f32);
        let off = |[ax, ay, bx, by, thick]: [f32; 5]| {
            let (dx, dy) = (bx - ax, by - ay);
            let t = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            (x - ax - t * dx).hypot(y - ay - t * dy) / thick
        };
        let off = limbs.into_iter().map(off).fold(f32::MAX, f32::min);
        let shade = off * off;
        rgb.extend(if off < 1.0 {
            [232.0 - 70.0 * shade, 178.0 - 62.0 * shade, 150.0 - 58.0 * shade].map(|v| v as u8)
        } else {
            [40, 84, 120]
        });
    }
    let mut film = Writer::create(&path, video, None, Tags::default()).unwrap();
    for _ in 0..30 {
        film.frame(Picture::Rgb(&rgb)).unwrap();
    }
    film.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[tokio::test]
async fn the_safety_checker_refuses_a_result_and_releases_the_credits() {
    let world = shared(DRAFT);
    let account = world.account(100);
    let url = account.http.upload(bare(), "bare.mp4").await.json()["data"]["url"].clone();
    for (checks, status, left) in [(true, "failed", 100), (false, "completed", 64)] {
        let request = json!({ "model": "video-edit-1-0", "video_url": url, "prompt": "mirrored",
            "params": { "resolution": "720p", "enable_safety_checker": checks } });
        let id = account.http.create(&request).await;
        let mut job = account.http.wait(&id).await;
        while job["status"] == "processing" {
            job = account.http.wait(&id).await;
        }
        assert_eq!(job["status"], status, "{job}");
        if checks {
            assert_eq!(job["error"]["code"], "content_policy_violation", "{job}");
            assert_eq!(job["output"], json!(null), "{job}");
        }
        let balance = account.http.get("/balance").await.json();
        assert_eq!(balance["data"]["credits"], left, "{balance}");
    }
}
