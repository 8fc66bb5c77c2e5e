//! Reads values from a command line or a form, where everything is text, by the parameter's type.

use serde_json::Value;

use crate::{
    model::Model,
    parameter::{Parameter, ParameterType},
};

impl Model {
    /// The JSON value of `text` for a field, for a request with the same field name. Text that is invalid for
    /// the type, or for an unknown name, stays text: checking the request reports the problem.
    pub fn argument(&self, name: &str, text: &str) -> Value {
        match (name, self.parameter(name)) {
            // A frame is one URL, although its parameter is a list.
            ("start_frame_url" | "end_frame_url", _) | (_, None) => Value::from(text),
            (_, Some(parameter)) if parameter.name != name && parameter.is_file() => Value::from(text),
            (_, Some(parameter)) => parameter.argument(text),
        }
    }
}

impl Parameter {
    /// The JSON value of `text` for this parameter. Lists are JSON, or separated by commas.
    pub fn argument(&self, text: &str) -> Value {
        let scalar = || serde_json::from_str::<Value>(text.trim());
        match self.kind {
            ParameterType::Number | ParameterType::Boolean => match scalar() {
                Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
                _ => Value::from(text),
            },
            ParameterType::Select => self.option(text),
            ParameterType::MultiSelect => match scalar() {
                Ok(list @ Value::Array(_)) => list,
                _ if text.trim().is_empty() => Value::Array(Vec::new()),
                // A comma can be part of a URL, so a new URL starts at its scheme.
                _ if self.is_file() => Value::Array(split_urls(text)),
                _ => Value::Array(text.split(',').map(|entry| self.option(entry.trim())).collect()),
            },
            ParameterType::Text | ParameterType::Textarea | ParameterType::Url => Value::from(text),
        }
    }

    fn option(&self, text: &str) -> Value {
        let options = self.options.as_deref().unwrap_or_default();
        let found = options
            .iter()
            .find(|option| crate::sentence::plain(option) == text);
        found.cloned().unwrap_or_else(|| Value::from(text))
    }
}

fn split_urls(text: &str) -> Vec<Value> {
    let mut urls: Vec<String> = Vec::new();
    for part in text.split(',') {
        match urls.last_mut() {
            Some(last) if !part.trim_start().starts_with("http") => {
                last.push(',');
                last.push_str(part);
            }
            _ => urls.push(part.trim().to_owned()),
        }
    }
    urls.into_iter().map(Value::from).collect()
}
