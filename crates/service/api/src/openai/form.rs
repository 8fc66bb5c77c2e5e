//! A request's fields, from JSON or from a multipart form.

use atelier_app::Error;
use serde_json::{Map, Value};

/// The fields of a request. Null is treated as absent.
#[derive(Debug, Default)]
pub(super) struct Form {
    fields: Map<String, Value>,
    /// The URLs of the files that came with it, by the name of their part.
    pub(super) files: Vec<(String, String)>,
    /// Forms have texts only.
    is_text: bool,
}

/// Fields that need not be followed: they say something about the user, or how a result is checked or polished.
const IGNORED: [&str; 7] = [
    "user",
    "safety_identifier",
    "moderation",
    "input_fidelity",
    "partial_images",
    "style",
    "metadata",
];

impl Form {
    pub(super) fn of_json(fields: Map<String, Value>) -> Self {
        Self::new(fields, Vec::new(), false)
    }

    pub(super) fn of_parts(fields: Map<String, Value>, files: Vec<(String, String)>) -> Self {
        Self::new(fields, files, true)
    }

    fn new(mut fields: Map<String, Value>, files: Vec<(String, String)>, is_text: bool) -> Self {
        fields.retain(|name, value| !value.is_null() && !IGNORED.contains(&name.as_str()));
        Self {
            fields,
            files,
            is_text,
        }
    }

    /// Takes a text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Error> {
        match self.fields.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(Error::parameter(
                name,
                format!("`{name}` must be a string (got {other})"),
            )),
        }
    }

    /// Takes a number, which may be written as a text.
    pub(super) fn number(&mut self, name: &str) -> Result<Option<Value>, Error> {
        let Some(value) = self.fields.remove(name) else {
            return Ok(None);
        };
        let number = match &value {
            Value::Number(_) => Some(value.clone()),
            Value::String(text) => number(text),
            _ => None,
        };
        let refused = || Error::parameter(name, format!("`{name}` must be a number (got {value})"));
        number.map(Some).ok_or_else(refused)
    }

    /// Takes a text of which only some values can be followed: those in `allowed`.
    pub(super) fn only(&mut self, name: &str, allowed: &[&str]) -> Result<Option<String>, Error> {
        let given = self.text(name)?;
        if let Some(given) = &given
            && !allowed.contains(&given.as_str())
        {
            return Err(not_allowed(name, given, allowed));
        }
        Ok(given)
    }

    /// Refuses a field that would change the answer's form; false is the default.
    pub(super) fn off(&mut self, name: &str) -> Result<(), Error> {
        match self.fields.remove(name) {
            None | Some(Value::Bool(false)) => Ok(()),
            Some(Value::String(text)) if text == "false" => Ok(()),
            Some(_) => Err(Error::parameter(name, format!("`{name}` is not supported"))),
        }
    }

    /// The fields that are left: those of the model itself.
    pub(super) fn rest(&mut self) -> impl Iterator<Item = (String, Value)> {
        let is_text = self.is_text;
        std::mem::take(&mut self.fields)
            .into_iter()
            .map(move |(name, value)| match value.as_str().filter(|_| is_text) {
                Some("true") => (name, Value::Bool(true)),
                Some("false") => (name, Value::Bool(false)),
                Some(text) => {
                    let read = number(text).unwrap_or_else(|| Value::from(text));
                    (name, read)
                }
                None => (name, value),
            })
    }
}

fn number(text: &str) -> Option<Value> {
    text.parse::<i64>().map(Value::from).ok().or_else(|| {
        let number = text.parse::<f64>().ok()?;
        serde_json::Number::from_f64(number).map(Value::Number)
    })
}

/// The refusal of a value, with those that are allowed.
pub(super) fn not_allowed(name: &str, given: &str, allowed: &[impl AsRef<str>]) -> Error {
    let given: String = given.chars().take(60).collect();
    let allowed: Vec<&str> = allowed.iter().map(AsRef::as_ref).collect();
    Error::parameter(
        name,
        format!("`{name}` must be one of {} (got {given})", allowed.join(", ")),
    )
}
