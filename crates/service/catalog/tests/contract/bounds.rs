//! Every row of the parameter tables, from both sides of each bound.

use serde_json::{Value, json};

use crate::{FILE, accepted, check, least, model, refused, tables::rows, urls, with};

#[test]
fn every_bound_holds_from_both_sides_in_params_and_first_class() {
    for (slug, name, fitting, wrong) in rows() {
        for value in fitting {
            let params = accepted(slug, with(slug, name, value.clone()));
            let first_class = crate::check_first_class(slug, with(slug, name, value)).unwrap();
            assert_eq!(params, first_class.params, "{slug} {name}");
        }
        for value in wrong {
            let shown: String = value.to_string().chars().take(40).collect();
            let problem = refused(slug, with(slug, name, value.clone()));
            assert_eq!(problem.parameter, name, "{slug} {name} {shown}");
            assert!(
                problem.message.contains(&format!("`{name}")),
                "{}",
                problem.message
            );
            let first_class = crate::check_first_class(slug, with(slug, name, value)).unwrap_err();
            assert_eq!(first_class, [problem], "{slug} {name} {shown}");
        }
    }
}

#[test]
fn at_most_three_reference_sounds_are_accepted() {
    for slug in ["video-fast-2", "video-mini-2"] {
        let request = |count| {
            let sounds = urls(count);
            json!({ "prompt": "abc", "reference_image_urls": [FILE], "reference_audio_urls": sounds })
        };
        accepted(slug, request(3));
        assert_eq!(
            refused(slug, request(4)).message,
            "`reference_audio_urls` must have at most 3 URLs (got 4)"
        );
    }
}

#[test]
fn every_parameter_is_covered_by_a_row() {
    let others = [
        ("music-gen", "custom_mode"),
        ("music-gen", "persona_id"),
        ("music-replace-section", "end_seconds"),
        ("video-fast-2", "reference_audio_urls"),
        ("video-mini-2", "reference_audio_urls"),
        ("video-gen-1-0", "audio_setting"),
        ("video-edit-1-0", "audio_setting"),
    ];
    let rows = rows();
    for model in crate::of_the_contract() {
        for parameter in &model.parameters {
            let covered = rows
                .iter()
                .any(|row| (row.0, row.1) == (model.slug.as_str(), parameter.name.as_str()))
                || others.contains(&(model.slug.as_str(), parameter.name.as_str()));
            assert!(covered, "{} {}", model.slug, parameter.name);
        }
    }
}

#[test]
fn required_fields_must_not_be_missing_null_or_empty() {
    let rows = [
        ("image-gen-4", "prompt"),
        ("music-gen", "prompt"),
        ("music-replace-section", "audio_url"),
        ("music-replace-section", "start_seconds"),
        ("music-replace-section", "end_seconds"),
        ("music-replace-section", "prompt"),
        ("tts-v3", "text"),
        ("video-fast-2", "prompt"),
        ("video-mini-2", "prompt"),
        ("upscale", "image_urls"),
        ("enhancer", "image_urls"),
        ("background-removal", "image_urls"),
        ("inpaint", "image_urls"),
        ("inpaint", "mask_url"),
        ("relight", "image_urls"),
        ("camera-angle", "image_urls"),
    ];
    for (slug, name) in rows {
        let mut params = least(slug);
        params.remove(name);
        let missing = refused(slug, Value::Object(params));
        assert_eq!(missing.message, format!("`{name}` is required"), "{slug}");
        assert_eq!(refused(slug, with(slug, name, Value::Null)), missing, "{slug}");
        if least(slug)[name].is_string() && !name.ends_with("_url") {
            let empty = refused(slug, with(slug, name, json!("")));
            assert_eq!(
                empty.message,
                format!("`{name}` is required (an empty value is treated as missing)")
            );
        }
        let required = model(slug)
            .parameters
            .iter()
            .filter(|parameter| parameter.required && parameter.default.is_none());
        assert!(
            required
                .into_iter()
                .all(|parameter| rows.contains(&(slug, parameter.name.as_str()))),
            "{slug}"
        );
    }
}

#[test]
fn defaults_are_filled_in() {
    let cases = [
        (
            "image-gen-4",
            json!({ "prompt": "a lighthouse", "resolution": "2K", "size": "1:1", "n": 1 }),
        ),
        (
            "music-gen",
            json!({ "prompt": "a lighthouse", "custom_mode": false, "make_instrumental": false, "vocal_gender": "auto",
                "model_version": "v5_5" }),
        ),
        (
            "music-replace-section",
            json!({ "audio_url": FILE, "start_seconds": 5, "end_seconds": 10, "prompt": "drums" }),
        ),
        (
            "tts-v3",
            json!({ "text": "Hello.", "voice": "Wren", "stability": 0.5, "apply_text_normalization": "auto",
                "timestamps": false }),
        ),
        (
            "video-fast-2",
            json!({ "prompt": "a lighthouse", "duration": 5, "resolution": "720p", "aspect_ratio": "16:9",
                "generate_audio": false }),
        ),
        (
            "video-mini-2",
            json!({ "prompt": "a lighthouse", "duration": 5, "resolution": "720p", "aspect_ratio": "16:9",
                "generate_audio": false }),
        ),
        (
            "video-gen-1-0",
            json!({ "prompt": "a lighthouse", "audio_setting": "auto", "resolution": "1080p", "duration": 5,
                "aspect_ratio": "16:9" }),
        ),
        (
            "video-edit-1-0",
            json!({ "prompt": "a lighthouse", "audio_setting": "auto", "resolution": "1080p", "duration": 5,
                "aspect_ratio": "16:9" }),
        ),
        (
            "upscale",
            json!({ "image_urls": [FILE], "factor": 2, "mode": "auto" }),
        ),
        (
            "enhancer",
            json!({ "image_urls": [FILE], "strength": 0.5, "denoise": true, "sharpen": true, "color": true }),
        ),
    ];
    for (slug, expected) in cases {
        assert_eq!(
            Value::Object(accepted(slug, Value::Object(least(slug)))),
            expected,
            "{slug}"
        );
    }
}

#[test]
fn null_and_empty_values_are_treated_as_absent() {
    let given = json!({ "prompt": "x", "resolution": null, "size": null, "n": null, "image_urls": [] });
    assert_eq!(
        accepted("image-gen-4", given),
        accepted("image-gen-4", json!({ "prompt": "x" }))
    );
    let given = json!({ "prompt": "x", "style": "", "persona_id": "", "negative_tags": null });
    assert_eq!(
        accepted("music-gen", given),
        accepted("music-gen", json!({ "prompt": "x" }))
    );
}

#[test]
fn values_come_back_in_normal_form() {
    let params = accepted(
        "video-fast-2",
        json!({ "prompt": "abc", "duration": 5.0, "seed": 1e3 }),
    );
    assert_eq!((&params["duration"], &params["seed"]), (&json!(5), &json!(1_000)));
    assert_eq!(
        accepted("tts-v3", json!({ "text": "a", "language_code": "DE" }))["language_code"],
        "de"
    );
    assert_eq!(
        accepted("relight", json!({ "image_urls": [FILE], "color": "FD0" }))["color"],
        "#ffdd00"
    );
    assert_eq!(
        accepted("upscale", json!({ "image_urls": [FILE], "factor": 4.0 }))["factor"],
        json!(4)
    );
}

#[test]
fn messages_name_the_field_the_value_and_what_is_allowed() {
    let cases = [
        (
            "image-gen-4",
            "n",
            json!(16),
            "`n` must be an integer between 1 and 15 (got 16)",
        ),
        (
            "image-gen-4",
            "n",
            json!("5"),
            "`n` must be an integer between 1 and 15 (got \"5\")",
        ),
        (
            "image-gen-4",
            "resolution",
            json!("8K"),
            "`resolution` must be one of 1K, 2K, 4K (got \"8K\")",
        ),
        (
            "video-fast-2",
            "prompt",
            json!("ab"),
            "`prompt` must have 3 to 20,000 characters (got 2)",
        ),
        (
            "video-gen-1-0",
            "reference_image_urls",
            json!([]),
            "`reference_image_urls` must have 1 to 9 URLs (got none)",
        ),
        (
            "music-gen",
            "custom_mode",
            json!("yes"),
            "`custom_mode` must be true or false (got \"yes\")",
        ),
        (
            "image-gen-4",
            "image_urls",
            json!(["x"]),
            "`image_urls[0]` must be an absolute http or https URL (got \"x\")",
        ),
        (
            "image-gen-4",
            "prompt",
            json!(7),
            "`prompt` must be a string (got 7)",
        ),
        (
            "upscale",
            "image_urls",
            urls(2),
            "`image_urls` must have exactly 1 URL (got 2)",
        ),
    ];
    for (slug, name, value, message) in cases {
        assert_eq!(refused(slug, with(slug, name, value)).message, message);
    }
}

#[test]
fn all_problems_are_named_at_once() {
    let problems = check(
        "image-gen-4",
        json!({ "n": 0, "size": "5:4", "mood": "dark", "image_urls": ["a", "b"] }),
    )
    .unwrap_err();
    let mut named: Vec<_> = problems
        .iter()
        .map(|problem| problem.parameter.as_str())
        .collect();
    named.sort_unstable();
    assert_eq!(named, ["image_urls", "image_urls", "mood", "n", "prompt", "size"]);
}
