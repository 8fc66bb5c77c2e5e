//! The meaning of sizes in pixels, in requests of OpenAI's interface.

use serde_json::{Map, Value, json};

use crate::{CATALOG, model};

fn size(slug: &str, size: &str) -> Option<Value> {
    model(slug).openai_size(size).map(Value::Object)
}

#[test]
fn a_size_is_the_models_own_or_the_nearest_shape_and_resolution() {
    for (model, asked, fields) in [
        (
            "image-gen-4",
            "1024x1024",
            json!({ "size": "1:1", "resolution": "1K" }),
        ),
        (
            "image-gen-4",
            "512x512",
            json!({ "size": "1:1", "resolution": "1K" }),
        ),
        (
            "image-gen-4",
            "2048x2048",
            json!({ "size": "1:1", "resolution": "2K" }),
        ),
        (
            "image-gen-4",
            "1792x1024",
            json!({ "size": "16:9", "resolution": "1K" }),
        ),
        ("flux-1-schnell", "1024x1536", json!({ "aspect_ratio": "2:3" })),
        ("gpt-image-2-5-flare", "3840x2160", json!({ "size": "3840x2160" })),
        (
            "video-fast-2",
            "1280x720",
            json!({ "aspect_ratio": "16:9", "resolution": "720p" }),
        ),
        ("wan-2-2-t2v-a14b", "720x1280", json!({ "size": "720x1280" })),
    ] {
        assert_eq!(size(model, asked), Some(fields), "{model} {asked}");
    }
    for (model, asked) in [
        ("image-gen-4", "3000x1000"),
        ("sdxl-turbo", "1024x1024"),
        ("video-fast-2", "1792x1024"),
        ("chroma1-hd", "1024x1024"),
        ("image-gen-4", "large"),
    ] {
        assert_eq!(size(model, asked), None, "{model} {asked}");
    }
}

#[test]
fn every_size_that_a_model_lists_is_one_that_it_accepts() {
    for model in CATALOG.iter() {
        for size in model.openai_sizes() {
            let fields = model.openai_size(&size).unwrap();
            let problems = model.check(&fields, &Map::new()).err().unwrap_or_default();
            let about: Vec<_> = problems
                .iter()
                .filter(|problem| fields.contains_key(&problem.parameter))
                .collect();
            assert!(about.is_empty(), "{} {size}: {about:?}", model.slug);
        }
    }
}
