//! Turns the command line into the fields of a model: reads values as the model's schema says and uploads local files.

use std::path::Path;

use atelier_client::{Client, Model, Parameter};
use serde_json::{Map, Value};

use crate::{cli, failure::Failure};

/// The generation's fields.
pub(super) async fn gather(
    client: &Client,
    model: &Model,
    asked: &cli::Generate,
) -> Result<Map<String, Value>, Failure> {
    let mut fields = Map::new();
    if let Some(prompt) = &asked.prompt {
        let name = if model.parameter("prompt").is_none() && model.parameter("text").is_some() {
            "text"
        } else {
            "prompt"
        };
        fields.insert(name.to_owned(), Value::String(prompt.clone()));
    }
    for (name, text) in &asked.params {
        let value = match model.parameter(name) {
            Some(parameter) => read(client, parameter, text).await?,
            None => guess(text),
        };
        add(&mut fields, name, value)?;
    }
    for (kind, files) in [
        ("image", &asked.images),
        ("video", &asked.videos),
        ("audio", &asked.audios),
    ] {
        if files.is_empty() {
            continue;
        }
        let parameter = taker(model, kind).ok_or_else(|| {
            Failure::usage(format!(
                "`{}` does not accept {kind} inputs; `atelier catalog {0}` shows its fields",
                model.summary.slug
            ))
        })?;
        for file in files {
            let url = Value::String(url(client, file).await?);
            let value = if is_list(parameter) {
                Value::Array(vec![url])
            } else {
                url
            };
            add(&mut fields, &parameter.name, value)?;
        }
    }
    Ok(fields)
}

/// Adds a value. Lists grow; other fields can be given only once.
fn add(fields: &mut Map<String, Value>, name: &str, value: Value) -> Result<(), Failure> {
    match (fields.get_mut(name), value) {
        (None, value) => {
            fields.insert(name.to_owned(), value);
            Ok(())
        }
        (Some(Value::Array(items)), Value::Array(more)) => {
            items.extend(more);
            Ok(())
        }
        (Some(_), _) => Err(Failure::usage(format!("`{name}` is given more than once"))),
    }
}

/// The field that accepts inputs of a kind: the common one, or else the first.
fn taker<'a>(model: &'a Model, kind: &str) -> Option<&'a Parameter> {
    let takes = |parameter: &&Parameter| {
        let below = |accepted: &String| {
            accepted == kind
                || accepted
                    .strip_prefix(kind)
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        parameter.accepts.iter().any(below)
    };
    let common = [format!("{kind}_urls"), format!("{kind}_url")];
    let named = common.iter().find_map(|name| model.parameter(name).filter(takes));
    named.or_else(|| model.parameters.iter().find(takes))
}

fn is_list(parameter: &Parameter) -> bool {
    parameter.kind == "multi_select"
}

/// A value in the type of its field. An invalid value is sent as a text, and the service's error says what is allowed.
async fn read(client: &Client, parameter: &Parameter, text: &str) -> Result<Value, Failure> {
    let is_file = !parameter.accepts.is_empty();
    if is_list(parameter) {
        if let Ok(Value::Array(items)) = serde_json::from_str(text) {
            return Ok(Value::Array(items));
        }
        let item = if is_file {
            url(client, text).await?
        } else {
            text.to_owned()
        };
        return Ok(Value::Array(vec![Value::String(item)]));
    }
    if is_file {
        return Ok(Value::String(url(client, text).await?));
    }
    Ok(typed(parameter, text))
}

fn typed(parameter: &Parameter, text: &str) -> Value {
    let as_text = || Value::String(text.to_owned());
    match parameter.kind.as_str() {
        "number" | "boolean" => match serde_json::from_str(text) {
            Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
            _ => as_text(),
        },
        // Options may be numbers: a factor of 2 or 4.
        "select" => {
            let meant: Option<Value> = serde_json::from_str(text).ok();
            let is_it = |option: &&Value| !option.is_string() && Some(*option) == meant.as_ref();
            parameter
                .options
                .iter()
                .flatten()
                .find(is_it)
                .cloned()
                .unwrap_or_else(as_text)
        }
        _ => as_text(),
    }
}

/// A value for a field that is not in the model's schema. It may be a common one, such as `duration_seconds`.
fn guess(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Number(_) | Value::Bool(_) | Value::Array(_))) => value,
        _ => Value::String(text.to_owned()),
    }
}

/// The URL of an input: the given URL, or that of the uploaded file.
async fn url(client: &Client, text: &str) -> Result<String, Failure> {
    if text.starts_with("http://") || text.starts_with("https://") {
        return Ok(text.to_owned());
    }
    Ok(client.upload(Path::new(text)).await?.url)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parameter(value: &Value) -> Parameter {
        let mut whole = json!({
            "name": "x",
            "label": "X",
            "required": false,
            "default": null,
            "options": null,
            "min": null,
            "max": null,
        });
        whole
            .as_object_mut()
            .unwrap()
            .extend(value.as_object().unwrap().clone());
        serde_json::from_value(whole).unwrap()
    }

    fn model(parameters: &Value) -> Model {
        let parameters: Vec<_> = parameters
            .as_array()
            .unwrap()
            .iter()
            .map(|value| json!(parameter(value)))
            .collect();
        serde_json::from_value(json!({
            "slug": "m", "name": "M", "type": "tool", "category": "Edit", "description": "",
            "parameters": parameters, "rules": [], "pricing": {}
        }))
        .unwrap()
    }

    #[test]
    fn values_have_the_types_of_the_schema() {
        let number = parameter(&json!({ "type": "number" }));
        assert_eq!(typed(&number, "4"), json!(4));
        assert_eq!(typed(&number, "0.5"), json!(0.5));
        assert_eq!(typed(&number, "many"), json!("many"));
        assert_eq!(
            typed(&parameter(&json!({ "type": "boolean" })), "true"),
            json!(true)
        );
        assert_eq!(typed(&parameter(&json!({ "type": "text" })), "4"), json!("4"));
        let select = parameter(&json!({ "type": "select", "options": [2, 4] }));
        assert_eq!(typed(&select, "4"), json!(4));
        let select = parameter(&json!({ "type": "select", "options": ["2", "4"] }));
        assert_eq!(typed(&select, "4"), json!("4"));
    }

    #[test]
    fn an_input_goes_to_the_common_field_or_the_first_that_accepts_its_kind() {
        let inpaint = model(&json!([
            { "name": "mask_url", "type": "url", "accepts": ["image/png"] },
            { "name": "image_urls", "type": "multi_select", "accepts": ["image/png", "image/jpeg"] }
        ]));
        assert_eq!(taker(&inpaint, "image").unwrap().name, "image_urls");
        assert!(taker(&inpaint, "video").is_none());
        let section =
            model(&json!([{ "name": "reference_audio_urls", "type": "multi_select", "accepts": ["audio"] }]));
        assert_eq!(taker(&section, "audio").unwrap().name, "reference_audio_urls");
    }

    #[test]
    fn lists_grow_and_other_fields_can_be_given_only_once() {
        let mut fields = Map::new();
        add(&mut fields, "image_urls", json!(["a"])).unwrap();
        add(&mut fields, "image_urls", json!(["b"])).unwrap();
        assert_eq!(fields["image_urls"], json!(["a", "b"]));
        add(&mut fields, "n", json!(1)).unwrap();
        let error = add(&mut fields, "n", json!(2)).unwrap_err();
        assert_eq!(
            (error.to_string().as_str(), error.exit_status()),
            ("`n` is given more than once", 2)
        );
    }
}
