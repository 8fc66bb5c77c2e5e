//! The price of generations: estimate and charge from one rule.

use std::sync::LazyLock;

use atelier_catalog::Catalog;
use atelier_domain::{FileFacts, MediaType};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{FILE, check, model, object};

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
fn a_table_has_the_price_of_each_combination() {
    let table = model("veo-3-1").price_table().unwrap();
    assert_eq!(table.labels, ["Sound", "Resolution"]);
    let rows = table.rows.iter();
    let rows: Vec<_> = rows
        .map(|(values, credits)| format!("{} = {credits}", values.join(" ")))
        .collect();
    assert_eq!(
        rows,
        [
            "no 720p = 20",
            "no 1080p = 30",
            "no 4k = 60",
            "yes 720p = 25",
            "yes 1080p = 37.5",
            "yes 4k = 75"
        ]
    );
    assert_eq!(model("relight").price_table(), None);
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

fn video_of(seconds: Option<f64>) -> FileFacts {
    FileFacts {
        media_type: MediaType::Mp4,
        size: 1,
        width: None,
        height: None,
        duration: seconds,
    }
}

/// The price of a completed job that asked for `params`, had a source of `seconds` and made `made` files.
fn charge(slug: &str, params: Value, seconds: Option<f64>, made: usize) -> i64 {
    let checked = check(slug, params).unwrap();
    let facts = vec![Some(video_of(seconds)); checked.inputs.len()];
    model(slug).charge(&checked.params, &checked.inputs, &facts, made)
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
        for (seconds, billed) in [(4.0, 4), (5.003, 5), (15.0, 15), (60.0, 15)] {
            let charged = charge(slug, params.clone(), Some(seconds), 1);
            assert_eq!(charged, billed * per_second, "{slug} {seconds}");
        }
        assert_eq!(charge(slug, params, None, 1), 15 * per_second, "{slug}");
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

#[test]
fn a_source_counts_at_least_a_tenth_of_a_second() {
    let params = json!({ "prompt": "x", "video_url": FILE, "resolution": "720p", "duration": 3 });
    for seconds in [0.0, 0.001, 0.049, 0.1, -1.0] {
        // 10 credits a second: a tenth is one credit.
        assert_eq!(
            charge("video-gen-1-0", params.clone(), Some(seconds), 1),
            1,
            "{seconds}"
        );
    }
}

#[test]
fn images_are_charged_by_the_number_made() {
    let params = json!({ "prompt": "x", "resolution": "1K", "n": 4 });
    for (made, credits) in [(1, 4), (3, 12), (4, 16), (9, 16)] {
        assert_eq!(
            charge("image-gen-4", params.clone(), None, made),
            credits,
            "{made} made of 4 asked for"
        );
    }
    assert_eq!(charge("music-gen", json!({ "prompt": "x" }), None, 1), 20);
    assert_eq!(charge("music-gen", json!({ "prompt": "x" }), None, 2), 20);
}

/// Price rules by the slug of the model that has them.
const RULES: [(&str, &str); 6] = [
    ("free", "unit = \"second\"\ncredits = 0\nparameter = \"duration\""),
    (
        "free-previews",
        "unit = \"second\"\ncredits = 1\nparameter = \"duration\"\nfactors.quality.preview = 0",
    ),
    (
        "second",
        "unit = \"second\"\ncredits = 20\nparameter = \"duration\"",
    ),
    (
        "thousandth",
        "unit = \"second\"\ncredits = 0.001\nparameter = \"duration\"\n\
         source = { parameter = \"video_url\", max_seconds = 15 }",
    ),
    (
        "one",
        "unit = \"second\"\ncredits = 1\nparameter = \"duration\"\n\
         source = { parameter = \"video_url\", max_seconds = 15 }",
    ),
    (
        "thousand",
        "unit = \"second\"\ncredits = 1000\nparameter = \"duration\"\n\
         source = { parameter = \"video_url\", max_seconds = 0.01 }",
    ),
];

/// Models that differ in their price rules alone.
static PRICED: LazyLock<Catalog> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    for (slug, rule) in RULES {
        let text = format!(
            r#"
slug = "{slug}"
name = "Priced"
type = "video"
category = "Create"
description = "Has a price rule."
[[parameters]]
name = "duration"
label = "Duration"
type = "number"
default = 1
min = 0
max = 100
[[parameters]]
name = "quality"
label = "Quality"
type = "select"
default = "full"
options = ["full", "preview"]
[[parameters]]
name = "video_url"
label = "Video"
type = "url"
accepts = ["video"]
[pricing]
{rule}
"#
        );
        std::fs::write(folder.path().join(format!("{slug}.toml")), text).unwrap();
    }
    Catalog::load(Some(folder.path())).unwrap()
});

/// The charge of a completed job, which is its estimate too once the facts are known.
fn charged(slug: &str, params: Value, seconds: Option<f64>) -> i64 {
    let priced = PRICED.get(slug).unwrap();
    let checked = priced.check(&Map::new(), &object(params)).unwrap();
    let facts = vec![Some(video_of(seconds)); checked.inputs.len()];
    let estimate = priced.estimate(&checked.params, &checked.inputs, &facts);
    let charge = priced.charge(&checked.params, &checked.inputs, &facts, 1);
    assert_eq!(estimate, charge, "{slug}");
    charge
}

proptest! {
    #[test]
    fn a_rule_with_a_price_never_charges_nothing(
        seconds in prop_oneof![0.0..=0.2_f64, 0.0..=100_000.0_f64, any::<f64>()],
        asked in prop_oneof![0.0..=0.2_f64, 0.0..=100.0_f64],
    ) {
        for slug in ["thousandth", "one", "thousand"] {
            let source = json!({ "video_url": FILE });
            let prices = [
                charged(slug, json!({ "duration": asked }), None),
                charged(slug, source.clone(), Some(seconds)),
                charged(slug, source, None),
            ];
            prop_assert!(prices.iter().all(|price| *price > 0), "{}: {:?}", slug, prices);
        }
    }
}

#[test]
fn a_request_for_less_than_a_step_costs_one_step() {
    assert_eq!(charged("second", json!({ "duration": 0 }), None), 2);
    assert_eq!(charged("second", json!({ "duration": 0.01 }), None), 2);
}

#[test]
fn only_a_rule_that_says_so_is_free() {
    assert_eq!(charged("free", json!({ "duration": 50 }), None), 0);
    let previews = |quality| {
        charged(
            "free-previews",
            json!({ "duration": 50, "quality": quality }),
            None,
        )
    };
    assert_eq!(previews("preview"), 0);
    assert_eq!(previews("full"), 50);
}
