//! One value of a request, taken from a job: which field, and how it is sent.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    super::{
        fit::Fit,
        source::{As, Source, Taken},
    },
    expand, one_or_many, plain,
};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Field {
    /// The first of these fields that the job has.
    #[serde(default)]
    pub(super) from: Names,
    /// A text with fields in braces; if the job lacks one of them, `from` is used.
    pub(super) format: Option<String>,
    /// How a file in the field is sent.
    #[serde(default, rename = "as")]
    pub(super) as_what: As,
    /// Sent only if these fields have these values.
    #[serde(default)]
    when: BTreeMap<String, Value>,
    /// The item at this index of a list.
    at: Option<usize>,
    /// The values to ask for instead of those that the provider lacks; clients are told.
    #[serde(default)]
    nearest: BTreeMap<String, Value>,
    /// The provider's values for ours; other values are sent unchanged.
    map: Option<BTreeMap<String, Value>>,
    /// Sent if the job has none of the fields.
    default: Option<Value>,
    /// Sent unless the client chose one of the fields: what the weights do best, where the model's default is another.
    native: Option<Value>,
    /// Multiplies a number by this and rounds it to an integer.
    times: Option<Factor>,
    /// Rounds a number to the nearest multiple of this, after `times`.
    step: Option<f64>,
    /// Added to a number last.
    plus: Option<f64>,
    /// The most that is sent of a number.
    most: Option<f64>,
    /// One side of the size that the job asks for, as the model takes it.
    pub(super) fit: Option<Fit>,
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
pub(super) struct Names(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one_or_many(deserializer).map(Self)
    }
}

impl Field {
    pub(super) fn taken<'a>(&'a self, taken: &mut Vec<Taken<'a>>) {
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
        taken.extend(self.when.keys().map(|name| Taken::Field(name)));
    }

    /// Each of these fields under its own name, sent as this field says.
    pub(super) fn fill_each(&self, source: &dyn Source, names: &[String]) -> Vec<(String, Value)> {
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

    pub(super) fn fill(&self, source: &dyn Source) -> Option<Value> {
        let is = |(name, value): (&String, &Value)| source.field(name).as_ref() == Some(value);
        if !self.when.iter().all(is) {
            return None;
        }
        if let Some(fit) = &self.fit {
            return Some(fit.fill(source));
        }
        let value = self
            .native(source)
            .or_else(|| self.value(source))
            .or_else(|| self.default.clone())?;
        let value = match plain(&value).and_then(|text| self.nearest.get(&text)) {
            Some(nearest) => {
                self.tell(&value, nearest, source);
                nearest.clone()
            }
            None => value,
        };
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

    /// Returns the value to send instead of `sent` if that is too much. `asked` is the job's value, before `times` and
    /// `plus`.
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
        self.tell(asked, &number(in_its_unit), source);
        number(most)
    }

    /// Notes that another value is sent than the job asks for.
    fn tell(&self, asked: &Value, sent: &Value, source: &dyn Source) {
        let name = self.from.0.iter().find(|name| source.field(name).is_some());
        source.changed(name.map_or("", String::as_str), asked, sent);
    }

    fn native(&self, source: &dyn Source) -> Option<Value> {
        let is_chosen = |name: &String| source.field(name).is_some() && source.is_chosen(name);
        self.native.clone().filter(|_| !self.from.0.iter().any(is_chosen))
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
