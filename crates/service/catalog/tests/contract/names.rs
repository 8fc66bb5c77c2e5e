//! The places where a field may be given, and the common names of a model's fields.

use serde_json::{Value, json};

use crate::{FILE, check, check_first_class, model, object, one};

const OTHER: &str = "https://files.example/b.bin";

fn both(slug: &str, fields: Value, params: Value) -> Result<Value, Vec<atelier_catalog::Problem>> {
    model(slug)
        .check(&object(fields), &object(params))
        .map(|checked| Value::Object(checked.params))
}

#[test]
fn a_field_may_be_given_in_both_places_with_one_value() {
    let params = both(
        "image-gen-4",
        json!({ "prompt": "x", "n": 3 }),
        json!({ "n": 3.0, "size": "3:2" }),
    )
    .unwrap();
    assert_eq!((&params["n"], &params["size"]), (&json!(3), &json!("3:2")));
    let problem = one(both("image-gen-4", json!({ "prompt": "x", "n": 3 }), json!({ "n": 4 })).unwrap_err());
    assert_eq!(
        problem.message,
        "`n` and `params.n` have different values: 3 and 4"
    );
    both(
        "image-gen-4",
        json!({ "prompt": "x", "n": null }),
        json!({ "n": 4 }),
    )
    .unwrap();
}

#[test]
fn the_same_mistake_in_both_places_is_named_once() {
    one(both(
        "image-gen-4",
        json!({ "prompt": "x", "n": 99 }),
        json!({ "n": 99 }),
    )
    .unwrap_err());
}

#[test]
fn duration_seconds_is_the_duration() {
    for slug in ["video-fast-2", "video-mini-2", "video-gen-1-0", "video-edit-1-0"] {
        let params = both(slug, json!({ "prompt": "abc", "duration_seconds": 7 }), json!({})).unwrap();
        assert_eq!(params["duration"], json!(7));
        both(
            slug,
            json!({ "prompt": "abc", "duration_seconds": 7 }),
            json!({ "duration": 7 }),
        )
        .unwrap();
        let problem = one(both(
            slug,
            json!({ "prompt": "abc", "duration_seconds": 7 }),
            json!({ "duration": 8 }),
        )
        .unwrap_err());
        assert_eq!(
            problem.message,
            "`duration_seconds` and `params.duration` have different values: 7 and 8"
        );
        let problem =
            one(check_first_class(slug, json!({ "prompt": "abc", "duration_seconds": 99 })).unwrap_err());
        assert_eq!(problem.parameter, "duration_seconds");
    }
}

#[test]
fn aspect_ratio_is_the_size_if_the_model_has_no_such_field() {
    let params = check_first_class("image-gen-4", json!({ "prompt": "x", "aspect_ratio": "21:9" }))
        .unwrap()
        .params;
    assert_eq!(params["size"], "21:9");
    assert!(!params.contains_key("aspect_ratio"));
    let different = json!({ "prompt": "x", "aspect_ratio": "21:9", "size": "1:1" });
    let problem = one(check_first_class("image-gen-4", different).unwrap_err());
    assert_eq!(
        problem.message,
        "`aspect_ratio` and `size` have different values: \"21:9\" and \"1:1\""
    );
    let params = check_first_class("video-fast-2", json!({ "prompt": "abc", "aspect_ratio": "21:9" }))
        .unwrap()
        .params;
    assert_eq!(params["aspect_ratio"], "21:9");
}

#[test]
fn start_and_end_frame_are_the_first_and_second_image() {
    let frames = |fields: Value| {
        let mut fields = object(fields);
        fields.insert("prompt".to_owned(), json!("abc"));
        check_first_class("video-fast-2", Value::Object(fields))
            .map(|checked| checked.params["image_urls"].clone())
    };
    assert_eq!(frames(json!({ "start_frame_url": FILE })), Ok(json!([FILE])));
    assert_eq!(
        frames(json!({ "start_frame_url": FILE, "end_frame_url": OTHER })),
        Ok(json!([FILE, OTHER]))
    );
    let same = json!({ "start_frame_url": FILE, "end_frame_url": OTHER, "image_urls": [FILE, OTHER] });
    assert_eq!(frames(same), Ok(json!([FILE, OTHER])));
    assert_eq!(
        frames(json!({ "end_frame_url": OTHER, "image_urls": [FILE, OTHER] })),
        Ok(json!([FILE, OTHER]))
    );
    let refusals = [
        (
            json!({ "end_frame_url": FILE }),
            "`end_frame_url` requires `start_frame_url`: a last frame requires a first one",
        ),
        (
            json!({ "start_frame_url": FILE, "image_urls": [OTHER] }),
            "`start_frame_url` and `image_urls` have different values: entry 0 of `image_urls` is \
             \"https://files.example/b.bin\", not \"https://files.example/a.bin\"",
        ),
        (
            json!({ "start_frame_url": FILE, "end_frame_url": OTHER, "image_urls": [FILE] }),
            "`end_frame_url` and `image_urls` have different values: entry 1 of `image_urls` is missing, not \
             \"https://files.example/b.bin\"",
        ),
        (
            json!({ "start_frame_url": 5 }),
            "`start_frame_url` must be a URL string (got 5)",
        ),
        (
            json!({ "start_frame_url": FILE, "reference_image_urls": [FILE] }),
            "`reference_image_urls` cannot be combined with `image_urls`: use one of them",
        ),
    ];
    for (fields, message) in refusals {
        assert_eq!(one(frames(fields).unwrap_err()).message, message);
    }
}

#[test]
fn a_model_with_only_a_first_frame_accepts_no_last_one() {
    for slug in ["video-gen-1-0", "video-edit-1-0"] {
        let params = check_first_class(slug, json!({ "start_frame_url": FILE }))
            .unwrap()
            .params;
        assert_eq!(params["image_urls"], json!([FILE]));
        let two = json!({ "start_frame_url": FILE, "end_frame_url": OTHER });
        let problem = one(check_first_class(slug, two).unwrap_err());
        assert_eq!(
            problem.message,
            format!("`end_frame_url` is not supported: `{slug}` accepts a first frame only")
        );
    }
}

#[test]
fn audio_url_is_the_conditioning_audio() {
    let request = json!({ "prompt": "abc", "reference_image_urls": [FILE], "audio_url": OTHER });
    assert_eq!(
        check_first_class("video-fast-2", request).unwrap().params["reference_audio_urls"],
        json!([OTHER])
    );
    let same = json!({ "prompt": "abc", "reference_image_urls": [FILE], "audio_url": OTHER,
        "reference_audio_urls": [OTHER] });
    check_first_class("video-mini-2", same).unwrap();
    let different = json!({ "prompt": "abc", "reference_image_urls": [FILE], "audio_url": OTHER,
        "reference_audio_urls": [FILE] });
    assert_eq!(
        one(check_first_class("video-mini-2", different).unwrap_err()).parameter,
        "reference_audio_urls"
    );
    let own = json!({ "audio_url": FILE, "start_seconds": 0, "end_seconds": 1, "prompt": "x" });
    assert_eq!(
        check_first_class("music-replace-section", own).unwrap().params["audio_url"],
        FILE
    );
}

#[test]
fn a_prompt_is_the_text_of_speech() {
    let params = check_first_class("tts-v3", json!({ "prompt": "Hello." }))
        .unwrap()
        .params;
    assert_eq!(params["text"], "Hello.");
    check_first_class("tts-v3", json!({ "text": "Hello.", "prompt": "Hello." })).unwrap();
    let problem =
        one(check_first_class("tts-v3", json!({ "text": "Hello.", "prompt": "Bye." })).unwrap_err());
    assert!(
        problem
            .message
            .contains("`prompt` and `text` have different values"),
        "{}",
        problem.message
    );
}

#[test]
fn an_unknown_field_is_named_with_the_fields_of_the_model() {
    let problem = one(check("image-gen-4", json!({ "prompt": "x", "strength": 1 })).unwrap_err());
    assert_eq!(problem.parameter, "strength");
    let message = "unknown field `strength`: \
        `image-gen-4` accepts `prompt`, `resolution`, `size`, `n`, `image_urls`";
    assert_eq!(problem.message, message);
}

#[test]
fn common_fields_that_a_model_does_not_have_are_unknown_unless_null() {
    let cases = [
        ("image-gen-4", "quality", json!("high")),
        ("image-gen-4", "duration_seconds", json!(5)),
        ("image-gen-4", "start_frame_url", json!(FILE)),
        ("image-gen-4", "audio_url", json!(FILE)),
        ("video-fast-2", "n", json!(1)),
        ("video-fast-2", "quality", json!("high")),
        ("video-gen-1-0", "audio_url", json!(FILE)),
        ("tts-v3", "resolution", json!("2K")),
        ("music-gen", "image_urls", json!([FILE])),
        ("upscale", "aspect_ratio", json!("1:1")),
    ];
    for (slug, name, value) in cases {
        let mut fields = crate::least(slug);
        fields.insert(name.to_owned(), value);
        let problem = one(check_first_class(slug, Value::Object(fields.clone())).unwrap_err());
        assert!(
            problem
                .message
                .starts_with(&format!("unknown field `{name}`: `{slug}` accepts")),
            "{}",
            problem.message
        );
        fields.insert(name.to_owned(), Value::Null);
        check_first_class(slug, Value::Object(fields)).unwrap();
    }
}

#[test]
fn a_common_name_inside_params_is_pointed_to_the_models_own() {
    let problem = one(check("video-fast-2", json!({ "prompt": "abc", "duration_seconds": 5 })).unwrap_err());
    assert!(
        problem
            .message
            .contains("inside `params` the field is called `duration`"),
        "{}",
        problem.message
    );
}

#[test]
fn inputs_are_listed_in_the_order_of_the_parameters() {
    let request = json!({ "prompt": "x", "reference_image_urls": [OTHER, FILE, OTHER], "video_url": FILE });
    let checked = check("video-gen-1-0", request).unwrap();
    let inputs: Vec<_> = checked
        .inputs
        .iter()
        .map(|input| (input.parameter.as_str(), input.index, input.url.as_str()))
        .collect();
    let expected = [
        ("reference_image_urls", 0, OTHER),
        ("reference_image_urls", 1, FILE),
        ("reference_image_urls", 2, OTHER),
        ("video_url", 0, FILE),
    ];
    assert_eq!(inputs, expected);
    assert_eq!(model("video-gen-1-0").inputs(&checked.params), checked.inputs);
}

#[test]
fn arguments_of_a_command_line_become_values_of_the_fields_type() {
    let cases = [
        ("image-gen-4", "n", "3", json!(3)),
        ("image-gen-4", "n", "many", json!("many")),
        ("image-gen-4", "prompt", "5", json!("5")),
        ("image-gen-4", "aspect_ratio", "3:2", json!("3:2")),
        (
            "image-gen-4",
            "image_urls",
            "http://a/1,2.png,http://a/b.png",
            json!(["http://a/1,2.png", "http://a/b.png"]),
        ),
        (
            "image-gen-4",
            "image_urls",
            "[\"http://a/b\"]",
            json!(["http://a/b"]),
        ),
        ("upscale", "factor", "4", json!(4)),
        ("music-gen", "custom_mode", "true", json!(true)),
        ("video-fast-2", "duration_seconds", "7", json!(7)),
        (
            "video-fast-2",
            "start_frame_url",
            "http://a/b",
            json!("http://a/b"),
        ),
        ("video-fast-2", "audio_url", "http://a/b", json!("http://a/b")),
        ("video-fast-2", "unknown", "7", json!("7")),
    ];
    for (slug, name, text, value) in cases {
        assert_eq!(model(slug).argument(name, text), value, "{slug} {name}");
    }
}

#[test]
fn speech_has_twenty_one_voices_and_the_last_is_the_default() {
    let voice = model("tts-v3").parameter("voice").unwrap();
    let options = voice.options.as_ref().unwrap();
    assert_eq!((options.len(), options.last()), (21, voice.default.as_ref()));
    let profiles = model("tts-v3").capabilities["voice_profiles"].as_array().unwrap();
    let names: Vec<_> = profiles.iter().map(|profile| profile["name"].clone()).collect();
    assert_eq!(names, *options);
}

#[test]
fn every_model_has_its_category_limit_and_route() {
    let rows = [
        ("image-gen-4", "Create", 300, "image"),
        ("video-edit-1-0", "Edit", 1_200, "video-edit"),
        ("video-fast-2", "Create", 1_200, "video"),
        ("video-gen-1-0", "Create", 1_200, "video"),
        ("video-mini-2", "Create", 1_200, "video"),
        ("music-gen", "Music", 600, "music"),
        ("music-replace-section", "Music", 600, "music-section"),
        ("tts-v3", "Text-to-speech", 600, "speech"),
        ("background-removal", "Edit", 300, "background-removal"),
        ("camera-angle", "Edit", 300, "camera-angle"),
        ("enhancer", "Edit", 300, "enhancer"),
        ("inpaint", "Edit", 300, "inpaint"),
        ("relight", "Edit", 300, "relight"),
        ("upscale", "Edit", 300, "upscale"),
    ];
    let found: Vec<_> = crate::of_the_contract()
        .map(|model| {
            assert_eq!(
                (model.routes.len(), model.routes[0].engine.as_str()),
                (1, "draft")
            );
            let seconds = model.limits.max_processing_seconds;
            (
                model.slug.as_str(),
                model.category.as_str(),
                seconds,
                model.routes[0].task.as_str(),
            )
        })
        .collect();
    assert_eq!(found, rows);
}
