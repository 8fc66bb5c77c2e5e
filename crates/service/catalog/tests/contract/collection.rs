//! The catalog as a whole: the number of models, and what is true of each of them.

use std::collections::HashSet;

use atelier_catalog::{Commercial, Hosting, ModelType, Unit};
use serde_json::{Map, Value, json};

use crate::{CATALOG, FILE};

/// The tasks of the embedded engines; docs/models.md describes them.
const DRAFT_TASKS: [&str; 26] = [
    "image",
    "layers",
    "upscale",
    "enhancer",
    "background-removal",
    "inpaint",
    "relight",
    "camera-angle",
    "video",
    "video-edit",
    "video-inpaint",
    "video-upscale",
    "motion-transfer",
    "control-to-video",
    "audio-to-video",
    "lip-sync",
    "speech",
    "voice-clone",
    "voice-conversion",
    "dubbing",
    "music",
    "music-section",
    "sound-effects",
    "video-to-audio",
    "stems",
    "echo",
];

#[test]
fn there_are_24_image_41_video_and_21_audio_models_and_6_tools() {
    let count = |wanted| CATALOG.iter().filter(|model| model.model_type == wanted).count();
    let counts = [
        ModelType::Image,
        ModelType::Video,
        ModelType::Audio,
        ModelType::Tool,
    ]
    .map(count);
    assert_eq!(counts, [24, 41, 21, 6]);
}

#[test]
fn the_list_equals_its_snapshot() {
    let line = |model: &atelier_catalog::Model| {
        let tasks = model.capabilities["tasks"].as_array().unwrap();
        let tasks: Vec<_> = tasks.iter().map(|task| task.as_str().unwrap()).collect();
        let routes: Vec<_> = model
            .routes
            .iter()
            .map(|route| format!("{}:{}", route.engine, route.task))
            .collect();
        format!(
            "{} {} | {} | {} | {} | {}",
            model.model_type.as_str(),
            model.slug,
            model.category,
            tasks.join(" "),
            model.pricing.description,
            routes.join(" ")
        )
    };
    let lines: Vec<_> = CATALOG.iter().map(line).collect();
    insta::assert_snapshot!("list", lines.join("\n"));
}

#[test]
fn every_model_has_tasks_and_a_route_to_the_embedded_engines() {
    for model in CATALOG.iter() {
        assert!(!model.tasks.is_empty(), "{}", model.slug);
        let route = &model.routes[0];
        assert!(
            route.engine == "draft" && DRAFT_TASKS.contains(&route.task.as_str()),
            "{}: {route:?}",
            model.slug
        );
        assert!(
            ["Create", "Edit", "Music", "Text-to-speech"].contains(&model.category.as_str()),
            "{}: {}",
            model.slug,
            model.category
        );
    }
}

#[test]
fn a_model_with_weights_names_its_vendor_and_licence() {
    for model in CATALOG.iter() {
        let told = [
            model.vendor.is_some(),
            model.hosting.is_some(),
            model.license.is_some(),
        ];
        assert!(
            told == [true; 3] || told == [false; 3],
            "{}: {told:?}",
            model.slug
        );
        let Some(license) = &model.license else {
            continue;
        };
        // An uncertain licence has no id, and open weights can be found somewhere.
        if license.commercial == Commercial::Unknown {
            assert_eq!(license.id, None, "{}", model.slug);
        }
        if model.hosting == Some(Hosting::OpenWeights) {
            assert!(!model.upstream.is_empty(), "{}", model.slug);
        }
    }
}

#[test]
fn descriptions_are_short_distinct_sentences() {
    let mut seen = HashSet::new();
    for model in CATALOG.iter() {
        let text = &model.description;
        assert!(text.ends_with('.') && text.len() <= 140, "{}: {text}", model.slug);
        assert!(seen.insert(text), "{}", model.slug);
        for parameter in &model.parameters {
            let told = parameter.description.as_deref();
            // A few fields of the contract are explained by their label.
            assert!(
                told.is_some() || model.vendor.is_none(),
                "{}.{}",
                model.slug,
                parameter.name
            );
            assert!(
                told.is_none_or(|told| told.ends_with('.')),
                "{}.{}",
                model.slug,
                parameter.name
            );
        }
    }
}

#[test]
fn the_smallest_request_that_a_schema_allows_is_accepted_and_costs_something() {
    for model in CATALOG.iter() {
        let schema = model.json_schema();
        let least = least_of(&schema);
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(
            validator.is_valid(&Value::Object(least.clone())),
            "{}: {least:?}",
            model.slug
        );
        let checked = model.check(&Map::new(), &least).unwrap_or_else(|problems| {
            panic!("{} refuses {least:?}: {problems:?}", model.slug);
        });
        let facts = vec![None; checked.inputs.len()];
        let credits = model.estimate(&checked.params, &checked.inputs, &facts);
        assert!(
            (1..=1_000).contains(&credits),
            "{}: {credits} credits",
            model.slug
        );
        assert!(model.limits.max_processing_seconds >= 300, "{}", model.slug);
    }
}

#[test]
fn a_missing_required_field_is_a_problem() {
    for model in CATALOG.iter() {
        let schema = model.json_schema();
        let least = least_of(&schema);
        for name in schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            let mut without = least.clone();
            without.remove(name);
            let problems = model.check(&Map::new(), &without).unwrap_err();
            assert!(
                problems.iter().any(|problem| problem.parameter == name),
                "{} without {name}: {problems:?}",
                model.slug
            );
        }
    }
}

#[test]
fn prices_follow_the_duration_the_text_or_the_number_of_images() {
    for model in CATALOG.iter().filter(|model| model.vendor.is_some()) {
        let has = |name: &str| model.parameters.iter().any(|parameter| parameter.name == name);
        let expected: &[Unit] = match model.model_type {
            ModelType::Image if has("n") => &[Unit::Image],
            ModelType::Image | ModelType::Tool => &[Unit::Job],
            _ if has("text") => &[Unit::ThousandCharacters],
            _ if has("duration") => &[Unit::Second],
            _ => &[Unit::Second, Unit::Job],
        };
        assert!(
            expected.contains(&model.pricing.unit),
            "{}: {:?}",
            model.slug,
            model.pricing.unit
        );
    }
}

/// The fields that a schema requires, and the first of each group of which it requires one, each with the
/// smallest value that its property allows.
fn least_of(schema: &Value) -> Map<String, Value> {
    let of_any = schema["allOf"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|clause| {
            let any = clause["anyOf"].as_array()?;
            any.first()?["required"].as_array()
        });
    let required = schema["required"].as_array();
    let names = required
        .into_iter()
        .chain(of_any)
        .flatten()
        .filter_map(Value::as_str);
    let value = |name: &str| (name.to_owned(), least_value(&schema["properties"][name]));
    let mut least: Map<String, Value> = names.map(value).collect();
    // Fields that are required by other fields.
    for clause in schema["allOf"].as_array().into_iter().flatten() {
        let needed = clause["then"]["required"].as_array();
        let holds = |clause: &Value| {
            let condition = jsonschema::validator_for(&clause["if"]).unwrap();
            condition.is_valid(&Value::Object(least.clone()))
        };
        if needed.is_some() && holds(clause) {
            least.extend(needed.into_iter().flatten().filter_map(Value::as_str).map(value));
        }
    }
    least
}

fn least_value(property: &Value) -> Value {
    if let Some(options) = property["enum"].as_array() {
        return options[0].clone();
    }
    let types = &property["type"];
    let is = |name: &str| types == name || types.as_array().is_some_and(|types| types.contains(&json!(name)));
    if is("array") {
        let count = property["minItems"].as_u64().unwrap_or(1);
        return (0..count).map(|_| least_value(&property["items"])).collect();
    }
    if property["format"] == "uri" {
        return json!(FILE);
    }
    if is("boolean") {
        return json!(false);
    }
    if is("number") || is("integer") {
        return property["minimum"]
            .as_f64()
            .map_or(json!(1), |least| json!(least));
    }
    json!("x".repeat(property["minLength"].as_u64().unwrap_or(1) as usize))
}
