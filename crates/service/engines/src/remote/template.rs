//! Request templates: JSON in which tables with `from` or `format` stand for the job's fields. Fields that the job
//! lacks are left out of the request, so that the provider's defaults apply. A member named `*` stands for all fields
//! that nothing else in the template names.

use serde::{Deserialize, de::Error as _};
use serde_json::{Map, Value};

use super::source::{As, Source, Taken};

mod field;

use field::Field;

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
    /// The first that gives a value.
    First(Vec<Node>),
    /// Left out on purpose: removes what a profile sets.
    Absent,
}

/// The member that stands for all other fields.
const REST: &str = "*";
/// The member with alternatives.
const FIRST: &str = "first";

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
            Value::Object(mut object)
                if object.len() == 1 && object.get(FIRST).is_some_and(Value::is_array) =>
            {
                match object.remove(FIRST) {
                    Some(Value::Array(nodes)) => nodes
                        .into_iter()
                        .map(Self::read)
                        .collect::<Result<_, _>>()
                        .map(Self::First),
                    _ => Ok(Self::Absent),
                }
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
            Self::First(nodes) => nodes.iter().find_map(|node| node.fill(source, rest)),
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
            Self::List(nodes) | Self::First(nodes) => nodes.iter().for_each(|node| node.visit(see)),
        }
    }
}

/// Whether a table stands for one value of the job.
fn is_field(object: &Map<String, Value>) -> bool {
    let fits = object.get("fit").is_some_and(Value::is_object);
    fits || object.contains_key("from") || object.contains_key("format")
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
