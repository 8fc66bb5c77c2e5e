//! The members of `output.metadata`: every one that a task returns is described in `docs/metadata.md`, and none is
//! described that no task returns.
#![expect(
    clippy::unwrap_used,
    reason = "what fails in here fails the test that uses it"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use atelier_protocol::{Input, Request};
use atelier_retouch::decode::Picture;
use atelier_retouch::encode::{Provenance, SourceType, write_png};
use atelier_retouch::samples::{portrait, subject};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../../../../docs/metadata.md");

/// A task, the parameters of a request for it, and its input files by parameter.
type Trial<'a> = (&'static str, Value, Vec<(&'static str, &'a Path)>);

/// The small files that tasks are tried on.
struct Files {
    folder: PathBuf,
    picture: PathBuf,
    mask: PathBuf,
    portrait: PathBuf,
    speech: PathBuf,
    music: PathBuf,
    film: PathBuf,
    film_with_sound: PathBuf,
}

impl Files {
    fn new(folder: &Path) -> Self {
        let (image, _) = subject(160, 128, 2);
        let mut mask = Picture::filled(160, 128, [0, 0, 0, 255]);
        for y in 40..70 {
            mask.rgba[4 * (160 * y + 30)..4 * (160 * y + 60)].fill(255);
        }
        let written = |name: &str, picture: &Picture| {
            let path = folder.join(name);
            let provenance = Provenance {
                tool: "test",
                source: SourceType::Composite,
            };
            write_png(&path, picture, provenance).unwrap();
            path
        };
        let made = |name: &str, task: &str, params: Value| made(folder, name, task, &params, &[]).1;
        let film = |name: &str, is_silent: bool| {
            made(
                name,
                "video",
                json!({ "prompt": "a ship at sea", "duration": 2, "width": 160, "height": 96,
                    "generate_audio": !is_silent }),
            )
        };
        Self {
            folder: folder.to_owned(),
            picture: written("picture.png", &image),
            mask: written("mask.png", &mask),
            portrait: portrait(folder),
            speech: made(
                "speech",
                "speech",
                json!({ "text": "The boat leaves at noon, and it never waits for us. Nobody came down today.",
                    "voice": "Omar" }),
            ),
            music: made(
                "music",
                "music",
                json!({ "prompt": "calm piano", "duration": 12 }),
            ),
            film: film("film", true),
            film_with_sound: film("sounding", false),
        }
    }

    /// One request for each task, with the inputs it takes.
    fn requests(&self) -> Vec<Trial<'_>> {
        [self.of_pictures(), self.of_sound(), self.of_films()].concat()
    }

    fn of_pictures(&self) -> Vec<Trial<'_>> {
        let (picture, mask) = (self.picture.as_path(), self.mask.as_path());
        vec![
            (
                "image",
                json!({ "prompt": "a boat on a lake", "width": 96, "height": 64 }),
                vec![],
            ),
            (
                "image",
                json!({ "prompt": "at night", "width": 96, "height": 64 }),
                vec![("image_urls", picture)],
            ),
            ("thumbnail", json!({}), vec![("file", picture)]),
            ("upscale", json!({ "factor": 2 }), vec![("image_urls", picture)]),
            ("enhancer", json!({}), vec![("image_urls", picture)]),
            ("background-removal", json!({}), vec![("image_urls", picture)]),
            (
                "inpaint",
                json!({ "prompt": "a balloon" }),
                vec![("image_urls", picture), ("mask_url", mask)],
            ),
            (
                "relight",
                json!({ "direction": "left" }),
                vec![("image_urls", picture)],
            ),
            (
                "camera-angle",
                json!({ "azimuth": 20 }),
                vec![("image_urls", picture)],
            ),
            ("layers", json!({}), vec![("image_urls", picture)]),
        ]
    }

    fn of_sound(&self) -> Vec<Trial<'_>> {
        let (speech, music, film) = (self.speech.as_path(), self.music.as_path(), self.film.as_path());
        vec![
            ("music", json!({ "prompt": "calm piano", "duration": 10 }), vec![]),
            (
                "music-section",
                json!({ "prompt": "drums", "start_seconds": 4, "end_seconds": 8 }),
                vec![("audio_url", music)],
            ),
            (
                "speech",
                json!({ "text": "Good morning.", "voice": "Omar" }),
                vec![],
            ),
            (
                "sound-effects",
                json!({ "prompt": "rain on a roof", "duration": 2 }),
                vec![],
            ),
            (
                "video-to-audio",
                json!({ "prompt": "waves" }),
                vec![("video_url", film)],
            ),
            ("stems", json!({}), vec![("audio_url", music)]),
            (
                "voice-conversion",
                json!({ "voice": "Omar" }),
                vec![("audio_url", speech)],
            ),
            (
                "voice-clone",
                json!({ "text": "Good morning." }),
                vec![("voice_sample_url", speech)],
            ),
            (
                "dubbing",
                json!({ "target_language": "en" }),
                vec![("audio_url", speech)],
            ),
        ]
    }

    fn of_films(&self) -> Vec<Trial<'_>> {
        let (picture, mask, face) = (
            self.picture.as_path(),
            self.mask.as_path(),
            self.portrait.as_path(),
        );
        let (speech, music) = (self.speech.as_path(), self.music.as_path());
        let (film, sounding) = (self.film.as_path(), self.film_with_sound.as_path());
        let small = json!({ "prompt": "rain", "width": 160, "height": 96, "duration": 2 });
        vec![
            ("video", small.clone(), vec![]),
            ("video", small.clone(), vec![("image_urls", picture)]),
            ("video-edit", small.clone(), vec![("video_url", sounding)]),
            (
                "motion-transfer",
                small.clone(),
                vec![("image_urls", face), ("video_url", film)],
            ),
            ("control-to-video", small.clone(), vec![("video_url", film)]),
            (
                "lip-sync",
                json!({}),
                vec![("image_urls", face), ("audio_url", speech)],
            ),
            (
                "video-inpaint",
                json!({ "width": 160, "height": 96 }),
                vec![("video_url", film), ("mask_url", mask)],
            ),
            ("video-upscale", json!({}), vec![("video_url", film)]),
            (
                "audio-to-video",
                small,
                vec![("image_urls", picture), ("audio_url", music)],
            ),
        ]
    }
}

/// Runs a task in a folder of its own: the names of what its metadata holds, and its first file. A failure takes the
/// place of the names.
fn made(
    root: &Path,
    name: &str,
    task: &str,
    params: &Value,
    inputs: &[(&str, &Path)],
) -> (BTreeSet<String>, PathBuf) {
    let out = root.join(name);
    std::fs::create_dir_all(&out).unwrap();
    let inputs = inputs.iter().map(|(parameter, path)| Input {
        parameter: (*parameter).to_owned(),
        path: path.to_path_buf(),
        seconds: None,
        media_type: match path.extension().and_then(|extension| extension.to_str()) {
            Some("mp4") => "video/mp4",
            Some("png") => "image/png",
            Some("jpg") => "image/jpeg",
            _ => "audio/mpeg",
        }
        .to_owned(),
    });
    let request = Request {
        task: task.to_owned(),
        params: params.as_object().cloned().unwrap(),
        inputs: inputs.collect(),
        seed: 3,
        out,
    };
    match atelier_tasks::run(&request, &mut |_| {}) {
        Ok(response) => (
            response.metadata.keys().cloned().collect(),
            response.files[0].clone(),
        ),
        Err(error) => (BTreeSet::from([format!("(failed: {error})")]), PathBuf::new()),
    }
}

/// The members that the page describes: those of every task, and those of each.
fn described() -> BTreeMap<String, BTreeSet<String>> {
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut tasks = Vec::new();
    for line in PAGE.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            tasks = title
                .split(", ")
                .map(|task| task.trim_matches('`').to_owned())
                .collect();
            for task in &tasks {
                sections.entry(task.clone()).or_default();
            }
        } else if let Some(row) = line.strip_prefix("| `") {
            let name = row.split('`').next().unwrap();
            for task in &tasks {
                sections.entry(task.clone()).or_default().insert(name.to_owned());
            }
        }
    }
    sections
}

#[test]
fn every_member_of_a_tasks_metadata_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path());
    let described = described();
    let mut missing = Vec::new();
    for (at, (task, params, inputs)) in files.requests().into_iter().enumerate() {
        let (members, _) = made(&files.folder, &format!("{at}-{task}"), task, &params, &inputs);
        let known = |member: &String| {
            [task, "Every task"].iter().any(|section| {
                described
                    .get(*section)
                    .is_some_and(|known| known.contains(member))
            })
        };
        missing.extend(
            members
                .iter()
                .filter(|member| !known(member))
                .map(|member| format!("{task}: {member}")),
        );
    }
    assert!(
        missing.is_empty(),
        "not described in docs/metadata.md: {missing:#?}"
    );
}

#[test]
fn every_task_has_its_section() {
    let described = described();
    let without: Vec<&str> = atelier_tasks::names()
        .filter(|task| *task != "thumbnail" && *task != "mask" && !described.contains_key(*task))
        .collect();
    assert!(
        without.is_empty(),
        "docs/metadata.md has no section for {without:?}"
    );
}
