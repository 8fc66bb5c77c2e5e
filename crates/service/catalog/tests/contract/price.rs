//! What generations cost: estimate and charge from one rule.

use atelier_domain::{FileFacts, MediaType};
use serde_json::{Value, json};

use crate::{FILE, check, model};

fn estimate(slug: &str, params: Value) -> i64 {
    let checked = check(slug, params).unwrap();
    let facts = vec![None; checked.inputs.len()];
    model(slug).estimate(&checked.params, &checked.inputs, &facts)
}

#[test]
fn pictures_cost_by_number_and_resolution() {
    assert_eq!(estimate("image-gen-4", json!({ "prompt": "x" })), 6);
    assert_eq!(
        estimate(
            "image-gen-4",
            json!({ "prompt": "x", "resolution": "1K", "n": 15 })
        ),
        60
    );
    assert_eq!(
        estimate(
            "image-gen-4",
            json!({ "prompt": "x", "resolution": "4K", "n": 2 })
        ),
        24
    );
}

#[test]
fn videos_cost_by_second_resolution_and_sound() {
    assert_eq!(
        estimate("video-fast-2", json!({ "prompt": "abc", "resolution": "480p" })),
        40
    );
    assert_eq!(
        estimate("video-fast-2", json!({ "prompt": "abc", "duration": 15 })),
        180
    );
    assert_eq!(
        estimate("video-mini-2", json!({ "prompt": "abc", "duration": 15 })),
        90
    );
    // 4 × 5 × 1.5 × 1.25 = 37.5, rounded up.
    assert_eq!(
        estimate("video-mini-2", json!({ "prompt": "abc", "generate_audio": true })),
        38
    );
}

#[test]
fn speech_costs_by_character_and_is_rounded_up_once() {
    for (length, credits) in [(1, 1), (100, 1), (101, 2), (1_000, 10), (1_001, 11), (5_000, 50)] {
        assert_eq!(
            estimate("tts-v3", json!({ "text": "字".repeat(length) })),
            credits,
            "{length}"
        );
    }
}

#[test]
fn music_and_tools_have_a_price_per_job() {
    assert_eq!(estimate("music-gen", json!({ "prompt": "x" })), 20);
    assert_eq!(
        estimate("music-gen", json!({ "prompt": "x", "model_version": "v4" })),
        12
    );
    assert_eq!(estimate("upscale", json!({ "image_urls": [FILE] })), 3);
    assert_eq!(
        estimate("upscale", json!({ "image_urls": [FILE], "factor": 4 })),
        6
    );
    assert_eq!(estimate("background-removal", json!({ "image_urls": [FILE] })), 2);
}

#[test]
fn an_edit_costs_by_its_source_and_fifteen_seconds_at_most() {
    for (slug, per_second) in [("video-gen-1-0", 10), ("video-edit-1-0", 12)] {
        let params = json!({ "prompt": "x", "video_url": FILE, "resolution": "720p", "duration": 3 });
        assert_eq!(
            estimate(slug, params.clone()),
            15 * per_second,
            "the cap, while the source is unknown"
        );
        let checked = check(slug, params).unwrap();
        for (seconds, billed) in [(4.0, 4), (5.003, 5), (15.0, 15), (60.0, 15)] {
            let facts = FileFacts {
                media_type: MediaType::Mp4,
                size: 1,
                width: None,
                height: None,
                duration: Some(seconds),
            };
            let charge = model(slug).charge(&checked.params, &checked.inputs, &[Some(facts)]);
            assert_eq!(charge, billed * per_second, "{slug} {seconds}");
        }
    }
    assert_eq!(
        estimate(
            "video-gen-1-0",
            json!({ "prompt": "x", "resolution": "720p", "duration": 3 })
        ),
        30
    );
    assert_eq!(
        estimate("video-gen-1-0", json!({ "prompt": "x", "duration": 3 })),
        45
    );
}
