//! The rules across fields.

use serde_json::{Value, json};

use crate::{FILE, accepted, check, refused, urls};

#[test]
fn references_and_outputs_are_at_most_fifteen_together() {
    let request = |images, n| json!({ "prompt": "x", "image_urls": urls(images), "n": n });
    accepted("image-gen-4", request(10, 5));
    accepted("image-gen-4", request(0, 15));
    accepted("image-gen-4", request(1, 14));
    let problem = refused("image-gen-4", request(10, 6));
    assert_eq!(
        problem.message,
        "the count of `image_urls` (10) plus `n` (6) must not exceed 15 (got 16)"
    );
    refused("image-gen-4", request(1, 15));
}

#[test]
fn custom_mode_requires_style_and_title() {
    accepted(
        "music-gen",
        json!({ "prompt": "x", "custom_mode": true, "style": "folk", "title": "Sea" }),
    );
    let problems = check(
        "music-gen",
        json!({ "prompt": "x", "custom_mode": true, "title": "" }),
    )
    .unwrap_err();
    let messages: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let expected = [
        "`style` is required when `custom_mode` is true",
        "`title` is required when `custom_mode` is true (an empty value is treated as missing)",
    ];
    assert_eq!(messages, expected);
    accepted("music-gen", json!({ "prompt": "x", "style": "folk" }));
}

#[test]
fn a_song_idea_has_500_characters_and_lyrics_have_5000() {
    let idea = |length| json!({ "prompt": "ö".repeat(length) });
    let lyrics =
        |length| json!({ "prompt": "ö".repeat(length), "custom_mode": true, "style": "a", "title": "b" });
    accepted("music-gen", idea(500));
    let problem = refused("music-gen", idea(501));
    assert_eq!(
        problem.message,
        "`prompt` must have at most 500 characters when `custom_mode` is false (got 501)"
    );
    accepted("music-gen", lyrics(5_000));
    refused("music-gen", lyrics(5_001));
}

#[test]
fn a_persona_requires_custom_mode() {
    accepted(
        "music-gen",
        json!({ "prompt": "x", "custom_mode": true, "style": "a", "title": "b", "persona_id": "p" }),
    );
    let problem = refused("music-gen", json!({ "prompt": "x", "persona_id": "p" }));
    assert_eq!(problem.parameter, "persona_id");
    assert_eq!(problem.message, "`persona_id` requires `custom_mode` to be true");
}

#[test]
fn a_voice_for_an_instrumental_is_accepted() {
    accepted(
        "music-gen",
        json!({ "prompt": "x", "make_instrumental": true, "vocal_gender": "female" }),
    );
}

#[test]
fn a_section_ends_after_it_starts() {
    let section = json!({ "audio_url": FILE, "prompt": "x" });
    let request = |start: f64, end: f64| {
        let mut params = section.clone();
        params["start_seconds"] = json!(start);
        params["end_seconds"] = json!(end);
        params
    };
    accepted("music-replace-section", request(0.0, 0.5));
    let problem = refused("music-replace-section", request(5.0, 5.0));
    assert_eq!(
        problem.message,
        "`end_seconds` must be greater than `start_seconds`, which is 5 (got 5)"
    );
    refused("music-replace-section", request(5.0, 4.5));
}

#[test]
fn frames_and_references_exclude_each_other() {
    for slug in ["video-fast-2", "video-mini-2"] {
        for other in ["reference_image_urls", "reference_video_urls"] {
            let problem = refused(
                slug,
                json!({ "prompt": "abc", "image_urls": [FILE], other: [FILE] }),
            );
            assert_eq!(
                problem.message,
                format!("`{other}` cannot be combined with `image_urls`: use one of them")
            );
            accepted(slug, json!({ "prompt": "abc", "image_urls": [], other: [FILE] }));
        }
        check(
            slug,
            json!({ "prompt": "abc", "image_urls": [FILE], "reference_audio_urls": [FILE] }),
        )
        .unwrap_err();
    }
    refused(
        "video-gen-1-0",
        json!({ "image_urls": [FILE], "reference_image_urls": [FILE] }),
    );
    accepted(
        "video-edit-1-0",
        json!({ "image_urls": [FILE], "reference_image_urls": [FILE] }),
    );
}

#[test]
fn reference_sound_requires_a_reference_picture_or_video() {
    for slug in ["video-fast-2", "video-mini-2"] {
        let problem = refused(slug, json!({ "prompt": "abc", "reference_audio_urls": [FILE] }));
        let needs = "`reference_audio_urls` requires at least one of `reference_image_urls` or `reference_video_urls`";
        assert_eq!(problem.message, needs);
        accepted(
            slug,
            json!({ "prompt": "abc", "reference_audio_urls": [FILE], "reference_image_urls": [FILE] }),
        );
        accepted(
            slug,
            json!({ "prompt": "abc", "reference_audio_urls": [FILE], "reference_video_urls": [FILE] }),
        );
    }
}

#[test]
fn only_the_mini_model_limits_references_to_twelve() {
    let request = |images, videos, sounds| {
        json!({ "prompt": "abc", "reference_image_urls": urls(images), "reference_video_urls": urls(videos),
            "reference_audio_urls": urls(sounds) })
    };
    accepted("video-mini-2", request(9, 3, 0));
    accepted("video-mini-2", request(6, 3, 3));
    refused("video-mini-2", request(9, 3, 1));
    refused("video-mini-2", request(7, 3, 3));
    accepted("video-fast-2", request(9, 3, 3));
}

#[test]
fn a_video_is_made_from_something() {
    for slug in ["video-gen-1-0", "video-edit-1-0"] {
        for nothing in [
            json!({}),
            json!({ "prompt": "", "image_urls": [] }),
            json!({ "duration": 5 }),
        ] {
            let problem = refused(slug, nothing);
            assert!(
                problem.message.starts_with("at least one of `"),
                "{}",
                problem.message
            );
        }
        for something in [
            json!({ "prompt": "x" }),
            json!({ "image_urls": [FILE] }),
            json!({ "reference_image_urls": [FILE] }),
        ] {
            accepted(slug, something);
        }
    }
    accepted("video-gen-1-0", json!({ "video_url": FILE }));
}

#[test]
fn an_edit_needs_its_instruction() {
    let problem = refused("video-edit-1-0", json!({ "video_url": FILE }));
    assert_eq!(problem.message, "`prompt` is required when `video_url` is given");
    accepted(
        "video-edit-1-0",
        json!({ "video_url": FILE, "prompt": "make it night", "duration": 12 }),
    );
}

#[test]
fn the_original_sound_requires_a_source_video() {
    for slug in ["video-gen-1-0", "video-edit-1-0"] {
        let problem = refused(slug, json!({ "prompt": "x", "audio_setting": "origin" }));
        assert_eq!(problem.message, "`audio_setting` origin requires `video_url`");
        accepted(
            slug,
            json!({ "prompt": "x", "audio_setting": "origin", "video_url": FILE }),
        );
        accepted(slug, json!({ "prompt": "x", "audio_setting": "auto" }));
        refused(slug, json!({ "prompt": "x", "audio_setting": "original" }));
    }
}

#[test]
fn a_chinese_prompt_has_half_the_length() {
    let prompt = |han: usize, latin: usize| json!({ "prompt": "灯".repeat(han) + &"a".repeat(latin) });
    accepted("video-gen-1-0", prompt(2_500, 0));
    let problem = refused("video-gen-1-0", prompt(2_501, 0));
    let message = "`prompt` must have at most 2,500 characters \
        when most of its letters are Chinese characters (got 2,501)";
    assert_eq!(problem.message, message);
    accepted("video-gen-1-0", prompt(1_300, 1_300));
    refused("video-gen-1-0", prompt(1_301, 1_300));
    accepted("video-edit-1-0", prompt(5_000, 0));
}

#[test]
fn a_shape_that_does_not_apply_is_accepted() {
    accepted(
        "video-gen-1-0",
        json!({ "image_urls": [FILE], "aspect_ratio": "9:16" }),
    );
    accepted(
        "video-gen-1-0",
        json!({ "video_url": FILE, "aspect_ratio": "9:16" }),
    );
}

#[test]
fn rules_leave_alone_what_is_wrong_already() {
    let problem = refused(
        "image-gen-4",
        json!({ "prompt": "x", "image_urls": urls(10), "n": 99 }),
    );
    assert_eq!(problem.parameter, "n");
    let problem = refused(
        "music-gen",
        json!({ "prompt": "x".repeat(600), "custom_mode": "true" }),
    );
    assert_eq!(problem.parameter, "custom_mode");
    let problem = refused("video-gen-1-0", json!({ "prompt": Value::from(5) }));
    assert_eq!(problem.parameter, "prompt");
}
