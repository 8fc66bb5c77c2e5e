//! The schemas of the requests for models, from the catalog.

use atelier_app::App;
use serde_json::{Map, Value, json};

/// The general form, which covers every model.
const ANY_MODEL: &str = "AnyModelRequest";

/// Adds two schemas per served model: the fields (`Params.<slug>`) and a request with all of them in `params`
/// (`Request.<slug>`). A request that is valid by the latter is accepted. The body of `POST /generations` may be any
/// of them, or the general form, whose fields may also be beside `model`.
///
/// Generators of clients name types after `title`, so these schemas have none: their names are unique, the titles
/// of models are not.
pub(super) fn add(document: &mut Value, app: &App) {
    let schemas = &mut document["components"]["schemas"];
    let general = schemas["GenerationRequest"].take();
    schemas[ANY_MODEL] = general;
    let mut forms = Vec::new();
    for model in app.catalog().iter().filter(|model| app.is_served(&model.slug)) {
        let (params, request) = (
            format!("Params.{}", model.slug),
            format!("Request.{}", model.slug),
        );
        let mut schema = model.json_schema();
        if let Some(object) = schema.as_object_mut() {
            for key in ["$schema", "$id", "title"] {
                object.remove(key);
            }
            object.insert(
                "description".to_owned(),
                json!(format!("The fields of {}.", model.name)),
            );
        }
        describe_defaults(&mut schema);
        schemas[&params] = schema;
        schemas[&request] = json!({
            "description": format!("A request for {}.", model.name),
            "type": "object",
            "required": ["model", "params"],
            "properties": {
                "model": { "const": model.slug, "description": "The model's slug." },
                "params": { "$ref": reference(&params) },
                "webhook_url": {
                    "type": ["string", "null"],
                    "format": "uri",
                    "description": "A public https URL that receives a signed POST on completion."
                }
            },
            "additionalProperties": false
        });
        forms.push(json!({ "$ref": reference(&request) }));
    }
    forms.push(json!({ "$ref": reference(ANY_MODEL) }));
    schemas["GenerationRequest"] = json!({
        "description": "A model and its fields: all in `params` (one schema per model), or beside `model`.",
        "anyOf": forms
    });
}

/// Says the defaults in words: generators of clients take `default` for a promise that the field is there, and would
/// have callers set every field.
fn describe_defaults(schema: &mut Value) {
    let fields = schema["properties"].as_object_mut();
    for field in fields
        .into_iter()
        .flat_map(Map::values_mut)
        .filter_map(Value::as_object_mut)
    {
        if let Some(default) = field.remove("default") {
            let told = field
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let told = format!("{told} Default: {default}.").trim().to_owned();
            field.insert("description".to_owned(), told.into());
        }
    }
}

pub(super) fn reference(schema: &str) -> String {
    format!("#/components/schemas/{schema}")
}
