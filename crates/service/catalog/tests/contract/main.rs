//! The contract of the catalog: what each model accepts, from both sides of every bound.

#![expect(
    clippy::unwrap_used,
    reason = "tests and their helpers stop if something is missing"
)]

mod bounds;
mod collection;
mod describe;
mod documented;
mod files;
mod names;
mod openai;
mod operator;
mod price;
mod roles;
mod rules;
mod schema;
mod tables;

use std::sync::LazyLock;

use atelier_catalog::{Catalog, Checked, Model, Problem};
use serde_json::{Map, Value};

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::builtin().unwrap());

/// The models that the contract of the service specifies field by field. All others have a vendor.
fn of_the_contract() -> impl Iterator<Item = &'static Model> {
    CATALOG.iter().filter(|model| model.vendor.is_none())
}

fn model(slug: &str) -> &'static Model {
    CATALOG.get(slug).unwrap()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is not an object"),
    }
}

/// Checks a request with all fields in `params`.
fn check(slug: &str, params: Value) -> Result<Checked, Vec<Problem>> {
    model(slug).check(&Map::new(), &object(params))
}

/// Checks a request with all fields beside `model`.
fn check_first_class(slug: &str, fields: Value) -> Result<Checked, Vec<Problem>> {
    model(slug).check(&object(fields), &Map::new())
}

#[track_caller]
fn accepted(slug: &str, params: Value) -> Map<String, Value> {
    let shown = params.to_string().chars().take(300).collect::<String>();
    match check(slug, params) {
        Ok(checked) => checked.params,
        Err(problems) => panic!("{slug} refuses {shown}: {problems:?}"),
    }
}

/// The only problem of a request.
#[track_caller]
fn refused(slug: &str, params: Value) -> Problem {
    let shown = params.to_string().chars().take(300).collect::<String>();
    match check(slug, params) {
        Ok(_) => panic!("{slug} accepts {shown}"),
        Err(problems) => one(problems),
    }
}

#[track_caller]
fn one(mut problems: Vec<Problem>) -> Problem {
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.remove(0)
}

/// The URL of any file, valid for every parameter.
const FILE: &str = "https://files.example/a.bin";

fn urls(count: usize) -> Value {
    (0..count)
        .map(|index| format!("https://files.example/{index}.bin"))
        .collect()
}

/// A minimal valid request.
fn least(slug: &str) -> Map<String, Value> {
    object(match slug {
        "music-replace-section" => {
            serde_json::json!({ "audio_url": FILE, "start_seconds": 5, "end_seconds": 10, "prompt": "drums" })
        }
        "tts-v3" => serde_json::json!({ "text": "Hello." }),
        "image-gen-4" | "music-gen" | "video-fast-2" | "video-mini-2" | "video-gen-1-0"
        | "video-edit-1-0" => {
            serde_json::json!({ "prompt": "a lighthouse" })
        }
        "inpaint" => serde_json::json!({ "image_urls": [FILE], "mask_url": FILE }),
        _ => serde_json::json!({ "image_urls": [FILE] }),
    })
}

fn with(slug: &str, name: &str, value: Value) -> Value {
    let mut params = least(slug);
    params.insert(name.to_owned(), value);
    Value::Object(params)
}
