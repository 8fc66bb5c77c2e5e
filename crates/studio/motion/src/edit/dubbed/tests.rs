use std::path::{Path, PathBuf};

use atelier_film::{Picture, Rate, Sound, Tags, Video, Writer};
use atelier_protocol::Input;
use atelier_sound::{dsp::resample::resample, dub::RATE, file::decode};

use super::*;

fn request(out: &Path, path: PathBuf, params: &Value) -> Request {
    Request {
        task: "dubbing".to_owned(),
        params: params.as_object().cloned().unwrap_or_default(),
        inputs: vec![Input {
            parameter: "video_url".to_owned(),
            path,
            media_type: "video/mp4".to_owned(),
            seconds: None,
        }],
        seed: 1,
        out: out.to_owned(),
    }
}

/// Two sentences with silence around each, a second or more, at [`RATE`].
fn scene(folder: &Path) -> Vec<f32> {
    let mut all = vec![0.0; RATE as usize];
    for text in [
        "The boat leaves at noon, and it never waits for us.",
        "Nobody came down to the harbour today.",
    ] {
        let speech = Request {
            task: "speech".to_owned(),
            params: json!({ "text": text, "voice": "Omar" })
                .as_object()
                .cloned()
                .unwrap(),
            inputs: Vec::new(),
            seed: 2,
            out: folder.to_owned(),
        };
        let spoken = atelier_audio::speech::run(&speech, &mut |_| {}).unwrap();
        let spoken = decode(&spoken.files[0]).unwrap();
        all.extend(resample(&spoken.downmix(), spoken.rate, RATE));
        all.extend(vec![0.0; RATE as usize]);
    }
    all
}

#[test]
fn a_dubbed_film_keeps_its_picture_and_says_what_its_prompt_quotes() {
    let folder = tempfile::tempdir().unwrap();
    let all = scene(folder.path());
    let path = folder.path().join("film.mp4");
    let mut video = Video::new(96, 64);
    video.rate = Rate::whole(10);
    let sound = Sound::Stereo { rate: 48_000 };
    let mut film = Writer::create(&path, video, Some(sound), Tags::default()).unwrap();
    let frames = all.len() * 10 / RATE as usize;
    for number in 0..frames {
        film.frame(Picture::Rgb(&vec![(number * 4) as u8; 96 * 64 * 3]))
            .unwrap();
    }
    let fast = resample(&all, RATE, 48_000);
    let both: Vec<f32> = fast.iter().flat_map(|x| [*x, *x]).collect();
    film.samples(&both).unwrap();
    film.finish().unwrap();
    let params = json!({ "prompt": "A man says \"We leave tonight\" and \"nobody knows\".",
        "width": 96, "height": 64 });
    let response = run(&request(folder.path(), path, &params), &mut |_| {}).unwrap();
    let told = &response.metadata;
    assert_eq!(told["words"], json!("those of the request"));
    let texts: Vec<&str> = told["phrases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|phrase| phrase["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts.join(" "), "We leave tonight nobody knows");
    let mut film = atelier_film::Reader::open(&response.files[0], &atelier_film::Limits::default()).unwrap();
    assert_eq!(film.facts().frames, frames as u64);
    film.seek(20).unwrap();
    let frame = film.next(None).unwrap().unwrap();
    let luma = frame.picture.planes().y[32 * 96 + 48];
    assert!(luma.abs_diff((16 + 80 * 219 / 255) as u8) < 4, "{luma}");
}

#[test]
fn a_file_that_is_not_a_video_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.mp4");
    std::fs::write(&broken, b"\0\0\0\x18ftypisom nothing").unwrap();
    let params = json!({ "prompt": "Hello" });
    let error = run(&request(folder.path(), broken, &params), &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::InvalidInput(_)), "{error}");
}
