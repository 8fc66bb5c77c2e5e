//! Every model as clients see it, in full.

use crate::CATALOG;

#[test]
fn every_model_is_described_as_its_snapshot_says() {
    for model in CATALOG.iter() {
        let described: serde_json::Value = serde_json::from_str(model.described()).unwrap();
        assert_eq!(described, serde_json::to_value(model.describe()).unwrap());
        insta::assert_json_snapshot!(model.slug.as_str(), model.describe());
    }
}

#[test]
fn models_are_ordered_by_type_and_slug() {
    let slugs: Vec<_> = CATALOG.iter().map(|model| model.slug.as_str()).collect();
    let expected = [
        "image-gen-4",
        "video-edit-1-0",
        "video-fast-2",
        "video-gen-1-0",
        "video-mini-2",
        "music-gen",
        "music-replace-section",
        "tts-v3",
        "background-removal",
        "camera-angle",
        "enhancer",
        "inpaint",
        "relight",
        "upscale",
    ];
    assert_eq!(slugs, expected);
}
