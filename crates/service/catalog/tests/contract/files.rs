//! The rules for input files, checked as far as the facts of the files are known.

use atelier_domain::{FileFacts, MediaType};
use serde_json::{Value, json};

use crate::{FILE, check, model, one, urls};

#[expect(clippy::unnecessary_wraps, reason = "facts are given as known or not")]
fn known(media_type: MediaType, size: u64, duration: Option<f64>) -> Option<FileFacts> {
    Some(FileFacts {
        media_type,
        size,
        width: None,
        height: None,
        duration,
    })
}

fn problems_of(slug: &str, params: Value, facts: &[Option<FileFacts>]) -> Vec<String> {
    let checked = check(slug, params).unwrap();
    assert_eq!(checked.inputs.len(), facts.len());
    let problems = model(slug).check_files(&checked.params, &checked.inputs, facts);
    problems.into_iter().map(|problem| problem.message).collect()
}

fn videos(durations: &[Option<f64>]) -> Vec<String> {
    let facts: Vec<_> = durations
        .iter()
        .map(|&duration| duration.and_then(|seconds| known(MediaType::Mp4, 1, Some(seconds))))
        .collect();
    problems_of(
        "video-fast-2",
        json!({ "prompt": "abc", "reference_video_urls": urls(facts.len()) }),
        &facts,
    )
}

#[test]
fn unknown_facts_are_not_checked() {
    assert!(
        problems_of(
            "video-edit-1-0",
            json!({ "prompt": "x", "video_url": FILE }),
            &[None]
        )
        .is_empty()
    );
    assert!(videos(&[None, Some(1.0)]).is_empty());
}

#[test]
fn a_file_must_have_an_accepted_type() {
    let request = || json!({ "prompt": "abc", "reference_image_urls": [FILE] });
    for fitting in [MediaType::Jpeg, MediaType::Png, MediaType::Webp] {
        assert!(problems_of("video-fast-2", request(), &[known(fitting, 1, None)]).is_empty());
    }
    let wrong = problems_of("video-fast-2", request(), &[known(MediaType::Gif, 1, None)]);
    assert_eq!(
        wrong,
        ["`reference_image_urls[0]` must be image/jpeg, image/png or image/webp (got image/gif)"]
    );
    assert!(problems_of("video-mini-2", request(), &[known(MediaType::Gif, 1, None)]).is_empty());
    let request =
        || json!({ "prompt": "abc", "reference_image_urls": [FILE], "reference_audio_urls": [FILE] });
    for (media_type, problems) in [
        (MediaType::Mp3, 0),
        (MediaType::Wav, 0),
        (MediaType::Flac, 1),
        (MediaType::Png, 1),
    ] {
        let facts = [known(MediaType::Png, 1, None), known(media_type, 1, Some(3.0))];
        assert_eq!(
            problems_of("video-mini-2", request(), &facts).len(),
            problems,
            "{media_type}"
        );
    }
    let request = || json!({ "prompt": "abc", "reference_video_urls": [FILE] });
    for (media_type, problems) in [(MediaType::Mp4, 0), (MediaType::Mov, 0), (MediaType::Webm, 1)] {
        assert_eq!(
            problems_of("video-mini-2", request(), &[known(media_type, 1, Some(3.0))]).len(),
            problems,
            "{media_type}"
        );
    }
    let audio = known(MediaType::Mp3, 1, Some(3.0));
    assert_eq!(
        problems_of("upscale", json!({ "image_urls": [FILE] }), &[audio]).len(),
        1
    );
}

#[test]
fn reference_images_are_30_mib_at_most_and_videos_under_50() {
    let image = |size| {
        problems_of(
            "video-fast-2",
            json!({ "prompt": "abc", "reference_image_urls": [FILE] }),
            &[known(MediaType::Png, size, None)],
        )
    };
    assert!(image(31_457_280).is_empty());
    assert_eq!(
        image(31_457_281),
        ["`reference_image_urls[0]` must be at most 30 MiB (got 30.1 MiB)"]
    );
    let video = |size| {
        problems_of(
            "video-fast-2",
            json!({ "prompt": "abc", "reference_video_urls": [FILE] }),
            &[known(MediaType::Mp4, size, Some(5.0))],
        )
    };
    assert!(video(52_428_799).is_empty());
    assert_eq!(
        video(52_428_800),
        ["`reference_video_urls[0]` must be under 50 MiB (got 50 MiB)"]
    );
}

#[test]
fn reference_videos_have_2_to_15_seconds_together() {
    assert!(videos(&[Some(2.0)]).is_empty());
    assert!(videos(&[Some(1.0), Some(1.0)]).is_empty());
    assert!(videos(&[Some(5.0), Some(5.0), Some(5.0)]).is_empty());
    assert_eq!(
        videos(&[Some(1.9)]),
        ["`reference_video_urls` must be 2 to 15 s combined (got 1.90 s)"]
    );
    assert_eq!(
        videos(&[Some(8.0), Some(7.5)]),
        ["`reference_video_urls` must be 2 to 15 s combined (got 15.50 s)"]
    );
    assert_eq!(videos(&[Some(16.0), None]).len(), 1);
}

#[test]
fn each_reference_sound_has_15_seconds_at_most() {
    let sounds = |seconds: Option<f64>| {
        let params =
            json!({ "prompt": "abc", "reference_image_urls": [FILE], "reference_audio_urls": urls(2) });
        let facts = [
            None,
            known(MediaType::Wav, 1, Some(15.0)),
            known(MediaType::Wav, 1, seconds),
        ];
        problems_of("video-mini-2", params, &facts)
    };
    assert!(sounds(Some(15.0)).is_empty());
    assert_eq!(
        sounds(Some(15.2)),
        ["`reference_audio_urls[1]` must be at most 15 s long (got 15.20 s)"]
    );
    assert_eq!(sounds(None).len(), 1);
}

#[test]
fn a_video_to_edit_has_3_to_60_seconds() {
    let edit = |seconds| {
        problems_of(
            "video-edit-1-0",
            json!({ "prompt": "x", "video_url": FILE }),
            &[known(MediaType::Mp4, 1, Some(seconds))],
        )
    };
    assert!(edit(3.0).is_empty());
    assert!(edit(60.0).is_empty());
    assert_eq!(edit(2.9), ["`video_url` must be 3 to 60 s long (got 2.90 s)"]);
    assert_eq!(edit(60.1), ["`video_url` must be 3 to 60 s long (got 60.10 s)"]);
}

#[test]
fn a_section_lies_within_its_track() {
    let request = json!({ "audio_url": FILE, "start_seconds": 5, "end_seconds": 30, "prompt": "x" });
    let checked = check("music-replace-section", request).unwrap();
    let section = |seconds| {
        let facts = [known(MediaType::Mp3, 1, Some(seconds))];
        model("music-replace-section").check_files(&checked.params, &checked.inputs, &facts)
    };
    assert!(section(30.0).is_empty());
    let problem = one(section(29.5));
    assert_eq!(problem.parameter, "end_seconds");
    assert_eq!(
        problem.message,
        "`end_seconds` must be within the duration of `audio_url`, which is 29.50 s (got 30)"
    );
}
