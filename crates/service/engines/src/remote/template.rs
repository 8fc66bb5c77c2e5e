//! Request templates: JSON in which tables with `from` or `format` stand for the job's fields. Fields that the job
//! lacks are left out of the request, so that the provider's defaults apply. A member named `*` stands for all fields
//! that nothing else in the template names.

use std::collections::BTreeMap;

use serde::{Deserialize, de::Error as _};
use serde_json::{Map, Value, json};

use super::{
    fit::Fit,
    source::{As, Source, Taken},
};

/// A request body, or the fields of a form.
#[derive(Debug, Clone)]
pub struct Template(Node);

/// A part of a template: how one value of a request is made.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Constant(Value),
    Field(Box<Field>),
    Object(Vec<(String, Node)>),
    List(Vec<Node>),
    /// Left out on purpose: removes what a profile sets.
    Absent,
}

/// The member that stands for all other fields.
const REST: &str = "*";

/// One value taken from the job.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Field {
    /// The first of these fields that the job has.
    #[serde(default)]
    from: Names,
    /// A text with fields in braces; if the job lacks one of them, `from` is used.
    format: Option<String>,
    /// How a file in the field is sent.
    #[serde(default, rename = "as")]
    as_what: As,
    /// The item at this index of a list.
    at: Option<usize>,
    /// The provider's values for ours; other values are sent unchanged.
    map: Option<BTreeMap<String, Value>>,
    /// Sent if the job has none of the fields.
    default: Option<Value>,
    /// Multiplies a number by this and rounds it to an integer.
    times: Option<Factor>,
    /// Rounds a number to the nearest multiple of this, after `times`.
    step: Option<f64>,
    /// Added to a number last.
    plus: Option<f64>,
    /// The most that is sent of a number.
    most: Option<f64>,
    /// One side of the size that the job asks for, as the model takes it.
    fit: Option<Fit>,
    /// Sent as a string.
    #[serde(default)]
    text: bool,
}

/// The factor of a number: a number, or the name of a field.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Factor {
    Number(f64),
    Field(String),
}

#[derive(Debug, Clone, Default)]
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one_or_many(deserializer).map(Self)
    }
}

impl Template {
    /// The request body for a job.
    pub fn fill(&self, source: &dyn Source) -> Value {
        let mut named = Vec::new();
        self.0
            .visit(&mut |field| named.extend(field.from.0.iter().cloned()));
        let rest = source
            .names()
            .into_iter()
            .filter(|name| !named.contains(name))
            .collect::<Vec<_>>();
        let filled = self.0.fill(source, &rest);
        filled.unwrap_or_else(|| Value::Object(Map::new()))
    }

    /// This template with another one laid over it: tables are merged, `{drop = true}` removes a value.
    pub fn overlaid(&self, over: &Self) -> Self {
        Self(self.0.clone().overlaid(&over.0))
    }

    /// The parameters whose files must be uploaded first.
    pub fn uploaded_fields(&self) -> Vec<&str> {
        self.0.uploaded_fields()
    }

    /// Whether the template uses a field of this name.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.0.names(name)
    }

    /// All that the template takes of a job; `None` if it takes every field.
    pub(crate) fn taken(&self) -> Option<Vec<Taken<'_>>> {
        let (mut taken, mut takes_all) = (Vec::new(), false);
        self.0.visit(&mut |field| {
            takes_all |= field.from.0.is_empty() && field.format.is_none() && field.fit.is_none();
            field.taken(&mut taken);
        });
        (!takes_all).then_some(taken)
    }

    pub(crate) fn uploads(&self) -> bool {
        !self.uploaded_fields().is_empty()
    }

    pub(crate) fn sends_files(&self) -> bool {
        let mut sends = false;
        self.0.visit(&mut |field| sends |= field.as_what == As::File);
        sends
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if !value.is_object() {
            return Err(D::Error::custom("a template must be a table"));
        }
        Node::read(value).map(Self).map_err(D::Error::custom)
    }
}

impl Node {
    pub(crate) fn read(value: Value) -> Result<Self, String> {
        match value {
            Value::Object(object) if object.len() == 1 && object.get("drop") == Some(&Value::Bool(true)) => {
                Ok(Self::Absent)
            }
            Value::Object(object) if is_field(&object) => {
                let field: Field =
                    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())?;
                Ok(Self::Field(Box::new(field)))
            }
            Value::Object(object) => object
                .into_iter()
                .map(|(name, value)| match value {
                    Value::Object(how) if name == REST => {
                        let field =
                            serde_json::from_value(Value::Object(how)).map_err(|error| error.to_string())?;
                        Ok((name, Self::Field(Box::new(field))))
                    }
                    value => Ok((name, Self::read(value)?)),
                })
                .collect::<Result<_, String>>()
                .map(Self::Object),
            Value::Array(items) => items
                .into_iter()
                .map(Self::read)
                .collect::<Result<_, _>>()
                .map(Self::List),
            constant => Ok(Self::Constant(constant)),
        }
    }

    pub(crate) fn fill(&self, source: &dyn Source, rest: &[String]) -> Option<Value> {
        match self {
            Self::Constant(value) => Some(value.clone()),
            Self::Field(field) => field.fill(source),
            Self::Object(members) => {
                let mut filled = Map::new();
                let is_dropped = |name: &String| {
                    let node = members.iter().find(|(member, _)| member == name);
                    matches!(node, Some((_, Self::Absent)))
                };
                for (name, node) in members {
                    match node {
                        Self::Field(how) if name == REST => {
                            let rest: Vec<_> =
                                rest.iter().filter(|name| !is_dropped(name)).cloned().collect();
                            filled.extend(how.fill_each(source, &rest));
                        }
                        node => filled.extend(node.fill(source, rest).map(|value| (name.clone(), value))),
                    }
                }
                (!filled.is_empty() || members.is_empty()).then_some(Value::Object(filled))
            }
            Self::List(items) => {
                let filled: Vec<_> = items.iter().filter_map(|item| item.fill(source, rest)).collect();
                (!filled.is_empty() || items.is_empty()).then_some(Value::Array(filled))
            }
            Self::Absent => None,
        }
    }

    fn overlaid(self, over: &Self) -> Self {
        match (self, over) {
            (Self::Object(mut members), Self::Object(others)) => {
                for (name, other) in others {
                    match members.iter_mut().find(|(known, _)| known == name) {
                        Some((_, node)) => *node = node.clone().overlaid(other),
                        None => members.push((name.clone(), other.clone())),
                    }
                }
                Self::Object(members)
            }
            (_, over) => over.clone(),
        }
    }

    pub(crate) fn is_constant(&self) -> bool {
        let mut is_constant = true;
        self.visit(&mut |_| is_constant = false);
        is_constant
    }

    /// Whether the template uses a field of this name.
    pub(crate) fn names(&self, name: &str) -> bool {
        let mut found = false;
        self.visit(&mut |field| {
            let in_text = || {
                let text = field.format.as_deref().unwrap_or_default();
                text.contains(&format!("{{{name}}}"))
            };
            found |= field.from.0.iter().any(|from| from == name) || in_text();
        });
        found
    }

    /// The value, if it is the same for every job.
    pub(crate) fn constant(&self) -> Option<&Value> {
        match self {
            Self::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The fields whose files are sent as uploads.
    pub(crate) fn uploaded_fields(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.visit(&mut |field| {
            if field.as_what == As::Upload {
                found.extend(field.from.0.iter().map(String::as_str));
            }
        });
        found
    }

    fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Field)) {
        match self {
            Self::Constant(_) | Self::Absent => {}
            Self::Field(field) => see(field),
            Self::Object(members) => members.iter().for_each(|(_, node)| node.visit(see)),
            Self::List(items) => items.iter().for_each(|node| node.visit(see)),
        }
    }
}

/// Whether a table stands for one value of the job.
fn is_field(object: &Map<String, Value>) -> bool {
    let fits = object.get("fit").is_some_and(Value::is_object);
    fits || object.contains_key("from") || object.contains_key("format")
}

impl Field {
    fn taken<'a>(&'a self, taken: &mut Vec<Taken<'a>>) {
        if self.fit.is_some() {
            taken.push(Taken::Size);
        }
        taken.extend(self.from.0.iter().map(|name| match (self.as_what, self.at) {
            (As::Value, _) => Taken::Field(name),
            (_, None) => Taken::Files(name),
            (_, Some(at)) => Taken::FileAt(name, at),
        }));
        let format = self.format.as_deref().unwrap_or_default();
        let named = format.split('{').skip(1).filter_map(|part| part.split_once('}'));
        taken.extend(named.map(|(name, _)| Taken::Field(name)));
    }

    /// Each of these fields under its own name, sent as this field says.
    fn fill_each(&self, source: &dyn Source, names: &[String]) -> Vec<(String, Value)> {
        let one = |name: &String| {
            let as_files = Self {
                from: Names(vec![name.clone()]),
                ..self.clone()
            };
            let as_value = || {
                Self {
                    as_what: As::Value,
                    ..as_files.clone()
                }
                .fill(source)
            };
            Some((name.clone(), as_files.fill(source).or_else(as_value)?))
        };
        names.iter().filter_map(one).collect()
    }

    fn fill(&self, source: &dyn Source) -> Option<Value> {
        if let Some(fit) = &self.fit {
            return Some(fit.fill(source));
        }
        let value = self.value(source).or_else(|| self.default.clone())?;
        let value = match (&self.map, plain(&value)) {
            (Some(map), Some(text)) => map.get(&text).cloned().unwrap_or(value),
            _ => value,
        };
        let value = match value.as_f64() {
            Some(number) if self.is_computed() => {
                let sent = Value::from(self.computed(number, source)?);
                self.limited(&value, sent, source)
            }
            _ => self.limited(&value, value.clone(), source),
        };
        if self.text {
            return plain(&value).map(Value::String);
        }
        Some(value)
    }

    fn is_computed(&self) -> bool {
        self.times.is_some() || self.step.is_some() || self.plus.is_some()
    }

    /// The integer that is sent for a number; `None` if the job lacks the factor.
    fn computed(&self, number: f64, source: &dyn Source) -> Option<i64> {
        let times = match &self.times {
            None => 1.0,
            Some(Factor::Number(times)) => *times,
            Some(Factor::Field(name)) => source.field(name)?.as_f64()?,
        };
        let step = self.step.filter(|step| *step > 0.0).unwrap_or(1.0);
        Some(((number * times / step).round() * step + self.plus.unwrap_or_default()).round() as i64)
    }

    /// What is sent instead of `sent` if that is too much. `asked` is the job's value, before `times` and `plus`.
    fn limited(&self, asked: &Value, sent: Value, source: &dyn Source) -> Value {
        let (Some(most), Some(number)) = (self.most, sent.as_f64()) else {
            return sent;
        };
        if number <= most {
            return sent;
        }
        let number = |number: f64| {
            if number.fract() == 0.0 {
                json!(number as i64)
            } else {
                json!(number)
            }
        };
        let times = match &self.times {
            Some(Factor::Number(times)) => *times,
            Some(Factor::Field(name)) => source.field(name).and_then(|times| times.as_f64()).unwrap_or(1.0),
            None => 1.0,
        };
        let in_its_unit = (most - self.plus.unwrap_or_default()) / times;
        let name = self.from.0.iter().find(|name| source.field(name).is_some());
        source.changed(name.map_or("", String::as_str), asked, &number(in_its_unit));
        number(most)
    }

    fn value(&self, source: &dyn Source) -> Option<Value> {
        let text = |format: &String| expand(format, &|name| plain(&source.field(name)?));
        if let Some(text) = self.format.as_ref().and_then(text) {
            return Some(Value::String(text));
        }
        if self.as_what != As::Value {
            return self.from.0.iter().find_map(|name| self.file(source, name));
        }
        let value = self.from.0.iter().find_map(|name| source.field(name))?;
        match self.at {
            Some(at) => value.as_array().map_or_else(
                || (at == 0).then(|| value.clone()),
                |items| items.get(at).cloned(),
            ),
            None => Some(value),
        }
    }

    /// The field's files: one if the field is a single address or `at` selects one, else a list.
    fn file(&self, source: &dyn Source, name: &str) -> Option<Value> {
        let value = source.field(name)?;
        if let Some(at) = self.at {
            return source.file(name, at, self.as_what);
        }
        let Some(items) = value.as_array() else {
            return source.file(name, 0, self.as_what);
        };
        let files: Option<Vec<_>> = (0..items.len())
            .map(|index| source.file(name, index, self.as_what))
            .collect();
        files.filter(|files| !files.is_empty()).map(Value::Array)
    }
}

/// Replaces each `{name}` by its value; `None` if a name is unknown.
pub(crate) fn expand(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        expanded.push_str(before);
        expanded.push_str(&value(name)?);
        rest = after;
    }
    expanded.push_str(rest);
    Some(expanded)
}

/// A single value as text; `None` for lists and objects.
pub(crate) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Reads one string or a list of them.
pub(crate) fn one_or_many<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}

#[cfg(test)]
mod tests;
