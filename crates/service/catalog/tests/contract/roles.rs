//! Standard names for engines, whatever models call their fields.

use serde_json::json;

use crate::{FILE, accepted, check_first_class, model};

fn by_role(slug: &str, params: serde_json::Value) -> serde_json::Map<String, serde_json::Value> {
    model(slug).by_role(&accepted(slug, params))
}

#[test]
fn a_ratio_is_the_aspect_ratio_and_a_size_in_pixels_is_width_and_height() {
    let ratio = by_role("image-gen-4", json!({ "prompt": "x", "size": "21:9" }));
    assert_eq!(
        (&ratio["aspect_ratio"], ratio.get("width")),
        (&json!("21:9"), None)
    );
    let pixels = by_role("qwen-image-2512", json!({ "prompt": "x", "size": "1664x928" }));
    assert_eq!(
        (&pixels["width"], &pixels["height"]),
        (&json!(1_664), &json!(928))
    );
    assert!(!pixels.contains_key("aspect_ratio"));
    // The model's own name is kept.
    assert_eq!(pixels["size"], "1664x928");
}

#[test]
fn the_text_to_speak_is_the_prompt() {
    let params = by_role("kokoro-82m", json!({ "text": "Good morning." }));
    assert_eq!(params["prompt"], "Good morning.");
}

#[test]
fn a_duration_from_options_is_a_number() {
    let params = by_role("veo-3-1", json!({ "prompt": "x", "duration": 6.0 }));
    assert_eq!(params["duration"], json!(6));
    assert_eq!(
        check_first_class("veo-3-1", json!({ "prompt": "x", "duration_seconds": 4 }))
            .unwrap()
            .params["duration"],
        json!(4)
    );
}

#[test]
fn reference_pictures_have_one_name_for_requests_and_one_for_engines() {
    let checked = check_first_class("flux-2-dev", json!({ "prompt": "x", "image_urls": [FILE] })).unwrap();
    assert_eq!(checked.params["reference_image_urls"], json!([FILE]));
    let name = |slug: &str, name: &str| model(slug).parameter(name).unwrap().standard_name();
    assert_eq!(name("flux-2-dev", "reference_image_urls"), "image_urls");
    assert_eq!(name("minimax-h3", "reference_image_urls"), "reference_image_urls");
    assert_eq!(name("xtts-v2", "reference_audio_urls"), "voice_sample_url");
    assert_eq!(name("wan-2-2-s2v-14b", "audio_url"), "audio_url");
}
