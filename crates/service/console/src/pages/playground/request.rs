//! A filled-in form as a request, under the model's own field names.

use atelier_catalog::{Model, Parameter, ParameterType};
use atelier_domain::MediaType;
use serde_json::{Map, Value};

use crate::form::Form;

/// The prefix of a model's fields in the form, which keeps them apart from the console's own fields.
pub(super) const PREFIX: &str = "p.";

/// The values in a model's form.
#[derive(Debug, Clone, Default)]
pub(super) struct FilledForm {
    /// Only the given values. The catalog adds the defaults.
    pub params: Map<String, Value>,
    pub webhook_url: String,
}

impl FilledForm {
    /// The form at first: defaults are filled in, so that the snippets show every relevant field.
    pub(super) fn defaults(model: &Model) -> Self {
        let defaults = model.parameters.iter().filter_map(|parameter| {
            let default = parameter.default.clone()?;
            Some((parameter.name.clone(), default))
        });
        Self {
            params: defaults.collect(),
            webhook_url: String::new(),
        }
    }

    /// The form with the values of an earlier generation.
    pub(super) fn of_generation(model: &Model, params: &Map<String, Value>) -> Self {
        let known = |name: &String| model.parameters.iter().any(|parameter| parameter.name == *name);
        let kept = params.iter().filter(|(name, _)| known(name));
        Self {
            params: kept.map(|(name, value)| (name.clone(), value.clone())).collect(),
            webhook_url: String::new(),
        }
    }

    pub(super) fn read(model: &Model, form: &Form) -> Self {
        let given = model.parameters.iter().filter_map(|parameter| {
            let value = read(parameter, form)?;
            Some((parameter.name.clone(), value))
        });
        Self {
            params: given.collect(),
            webhook_url: form.given("webhook_url").unwrap_or_default().to_owned(),
        }
    }

    /// Puts a file into the first field that accepts its type.
    pub(super) fn add_input(&mut self, model: &Model, url: &str) {
        let Some(parameter) = field_for(model, url) else {
            return;
        };
        let value = match parameter.kind {
            ParameterType::MultiSelect => Value::from(vec![url]),
            _ => Value::from(url),
        };
        self.params.insert(parameter.name.clone(), value);
    }

    /// The request's body for the API.
    pub(super) fn body(&self, model: &Model) -> Map<String, Value> {
        let mut body = Map::new();
        body.insert("model".to_owned(), Value::from(model.slug.as_str()));
        body.insert("params".to_owned(), Value::Object(self.params.clone()));
        if !self.webhook_url.is_empty() {
            body.insert("webhook_url".to_owned(), Value::from(self.webhook_url.as_str()));
        }
        body
    }
}

/// The first field that accepts this file. Only the extension of its name is known.
pub(super) fn field_for<'a>(model: &'a Model, url: &str) -> Option<&'a Parameter> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit('.').next()?.to_ascii_lowercase();
    let media_type = MediaType::from_extension(&extension)?;
    model
        .parameters
        .iter()
        .find(|parameter| parameter.accepts.contains(&media_type))
}

fn read(parameter: &Parameter, form: &Form) -> Option<Value> {
    let name = format!("{PREFIX}{}", parameter.name);
    if parameter.kind == ParameterType::MultiSelect {
        let lines = form.all(&name).flat_map(str::lines).map(str::trim);
        let entries: Vec<Value> = lines
            .filter(|line| !line.is_empty())
            .map(|line| option(parameter, line))
            .collect();
        return (!entries.is_empty()).then_some(Value::Array(entries));
    }
    // Browsers end lines with CR LF.
    let text = form.get(&name).replace("\r\n", "\n");
    if text.trim().is_empty() {
        return None;
    }
    Some(match parameter.kind {
        ParameterType::Url => Value::from(text.trim()),
        _ => parameter.argument(&text),
    })
}

/// The option that a text stands for. It may be a number.
fn option(parameter: &Parameter, text: &str) -> Value {
    let options = parameter.options.as_deref().unwrap_or_default();
    let found = options.iter().find(|option| plain(option) == text);
    found.cloned().unwrap_or_else(|| Value::from(text))
}

/// A scalar as text, without quotation marks.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
