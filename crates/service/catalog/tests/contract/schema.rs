//! The JSON Schema of a model agrees with checking, as far as a schema can express the rules.

use std::{collections::HashMap, sync::LazyLock};

use atelier_catalog::{Model, Parameter, ParameterType};
use jsonschema::Validator;
use proptest::{prelude::*, sample::select};
use serde_json::{Map, Value, json};

use crate::{CATALOG, check, model};

static SCHEMAS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
    let schema = |model: &'static Model| {
        (
            model.slug.as_str(),
            jsonschema::draft202012::new(&model.json_schema()).unwrap(),
        )
    };
    CATALOG.iter().map(schema).collect()
});

#[test]
fn every_schema_is_one_of_2020_12_and_closed() {
    for model in CATALOG.iter() {
        let schema = model.json_schema();
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{}", model.slug);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["additionalProperties"], json!(false));
    }
}

#[test]
fn requests_at_the_bounds_of_rules_agree() {
    let urls = crate::urls;
    let requests = [
        (
            "image-gen-4",
            json!({ "prompt": "x", "image_urls": urls(10), "n": 5 }),
        ),
        (
            "image-gen-4",
            json!({ "prompt": "x", "image_urls": urls(10), "n": 6 }),
        ),
        (
            "image-gen-4",
            json!({ "prompt": "x", "image_urls": urls(1), "n": 15 }),
        ),
        (
            "video-mini-2",
            json!({ "prompt": "abc", "reference_image_urls": urls(9), "reference_video_urls": urls(3) }),
        ),
        (
            "video-mini-2",
            json!({ "prompt": "abc", "reference_image_urls": urls(7), "reference_video_urls": urls(3),
                "reference_audio_urls": urls(3) }),
        ),
        ("music-gen", json!({ "prompt": "x".repeat(501) })),
        (
            "music-gen",
            json!({ "prompt": "x".repeat(501), "custom_mode": null }),
        ),
        (
            "music-gen",
            json!({ "prompt": "x".repeat(501), "custom_mode": true, "style": "a", "title": "b" }),
        ),
        (
            "music-gen",
            json!({ "prompt": "x", "custom_mode": true, "style": "a", "title": "" }),
        ),
        ("music-gen", json!({ "prompt": "x", "persona_id": "p" })),
        ("music-gen", json!({ "prompt": "x", "persona_id": "" })),
        ("tts-v3", json!({ "text": "x", "language_code": "Zh" })),
        ("tts-v3", json!({ "text": "x", "language_code": "zq" })),
        ("tts-v3", json!({ "text": "x", "language_code": "" })),
        ("video-edit-1-0", json!({ "video_url": "http://a/b" })),
        (
            "video-edit-1-0",
            json!({ "audio_setting": "origin", "prompt": "x" }),
        ),
        ("video-gen-1-0", json!({})),
    ];
    for (slug, params) in requests {
        let accepted = check(slug, params.clone()).is_ok();
        assert_eq!(SCHEMAS[slug].is_valid(&params), accepted, "{slug} {params}");
    }
}

fn link() -> impl Strategy<Value = Value> {
    select(vec![
        "https://a.example/x.png",
        "HTTP://b/",
        "http:/a",
        "ftp://a/b",
        "x",
        "",
        "https:///x",
    ])
    .prop_map(Value::from)
}

/// Mostly values that fit or nearly so, and now and then something else altogether.
fn value(parameter: &Parameter) -> BoxedStrategy<Value> {
    let good_link = Just(json!("https://a.example/x.png"));
    let apt = match parameter.kind {
        ParameterType::Select => select(parameter.options.clone().unwrap()).boxed(),
        ParameterType::Boolean => any::<bool>().prop_map(Value::from).boxed(),
        ParameterType::Number => {
            let (min, max) = (parameter.min.unwrap_or(-3.0), parameter.max.unwrap_or(100.0));
            let edges = vec![
                json!(min),
                json!(max),
                json!(min as i64),
                json!(max as i64),
                json!(min - 1.0),
                json!(max + 1.0),
            ];
            prop_oneof![
                select(edges),
                (min..=max).prop_map(Value::from),
                (min as i64..=max as i64).prop_map(Value::from)
            ]
            .boxed()
        }
        ParameterType::Text | ParameterType::Textarea => {
            let max = parameter.max_length.unwrap_or(50);
            let lengths = select(vec![0, 1, 2, 3, 499, 500, 501, max, max + 1]);
            prop_oneof![
                lengths.prop_map(|length| Value::from("é".repeat(length))),
                select(vec!["en", "DE", "xx", "#fff", "#ab12CD", "fff", "#ff"]).prop_map(Value::from),
            ]
            .boxed()
        }
        ParameterType::Url => prop_oneof![3 => good_link, 1 => link()].boxed(),
        ParameterType::MultiSelect => {
            let max = parameter.max_items.unwrap_or(3);
            prop_oneof![
                4 => prop::collection::vec(good_link, 0..=max + 1),
                1 => prop::collection::vec(link(), 0..=2),
            ]
            .prop_map(Value::from)
            .boxed()
        }
    };
    let odd = select(vec![
        Value::Null,
        json!(5),
        json!("5"),
        json!(true),
        json!([]),
        json!({}),
        json!([1]),
        json!(1.5),
    ]);
    prop_oneof![12 => apt, 1 => odd].boxed()
}

fn request() -> impl Strategy<Value = (&'static str, Map<String, Value>)> {
    let slugs: Vec<&'static str> = crate::of_the_contract()
        .map(|model| model.slug.as_str())
        .collect();
    select(slugs).prop_flat_map(|slug| {
        let fields: Vec<_> = model(slug)
            .parameters
            .iter()
            .map(|parameter| {
                let share = if parameter.required { 0.95 } else { 0.3 };
                prop::option::weighted(share, value(parameter))
                    .prop_map(|value| (parameter.name.clone(), value))
            })
            .collect();
        let extra = prop::option::weighted(0.03, Just(("surprise".to_owned(), json!(1))));
        (fields, extra).prop_map(move |(fields, extra)| {
            let given = fields
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)));
            (slug, given.chain(extra).collect::<Map<_, _>>())
        })
    })
}

/// A rule that compares two values, which a schema cannot express.
fn beyond_schemas(slug: &str, params: &Map<String, Value>) -> bool {
    let seconds = |name: &str| params.get(name).and_then(Value::as_f64);
    slug == "music-replace-section"
        && matches!((seconds("start_seconds"), seconds("end_seconds")), (Some(start), Some(end)) if end <= start)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn checking_and_the_schema_agree((slug, params) in request()) {
        let checked = check(slug, Value::Object(params.clone()));
        let valid = SCHEMAS[slug].is_valid(&Value::Object(params.clone()));
        if checked.is_ok() {
            prop_assert!(valid, "{slug}: accepted, but not by its schema");
        } else if !beyond_schemas(slug, &params) {
            prop_assert!(!valid, "{slug}: {:?}", checked.unwrap_err());
        }
    }

    #[test]
    fn checked_params_check_to_themselves((slug, params) in request()) {
        if let Ok(checked) = check(slug, Value::Object(params)) {
            prop_assert_eq!(check(slug, Value::Object(checked.params.clone())), Ok(checked));
        }
    }
}
