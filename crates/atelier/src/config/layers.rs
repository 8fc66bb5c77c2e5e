//! The sources of values: the defaults, one file, the environment, flags. Later sources win. Unknown settings are
//! refused here, where their place is known. figment merges the values and remembers the source of each.

use std::{
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
};

use figment::{
    Figment, Metadata, Profile, Provider, Source,
    value::{Dict, Map, Value},
};
use toml::{Spanned, Table, de::DeTable, de::DeValue};

use super::{
    environment::Environment,
    keys::{self, KEYS},
};

const DEFAULTS: &str = include_str!("default.toml");

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Default,
    File { path: PathBuf, line: usize },
    Variable(String),
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Variable(name) => write!(f, "variable {name}"),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

/// All layers, merged.
#[derive(Debug)]
pub(super) struct Layers {
    merged: Figment,
    defaults: Figment,
    file: Option<PathBuf>,
    /// The line of each setting in the file.
    lines: HashMap<String, usize>,
    /// One sentence for each unknown setting.
    pub(super) problems: Vec<String>,
}

impl Layers {
    pub(super) fn defaults() -> Self {
        let table: Table = DEFAULTS.parse().expect("a test reads the defaults file");
        let defaults = Figment::from(Layer::new(Metadata::named("default"), dict(&table)));
        Self {
            merged: defaults.clone(),
            defaults,
            file: None,
            lines: HashMap::new(),
            problems: Vec::new(),
        }
    }

    /// Merges the settings of the file.
    pub(super) fn file(&mut self, path: &Path, text: &str) {
        let at = |offset: usize| 1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
        let document = match DeTable::parse(text) {
            Ok(document) => document.into_inner(),
            Err(error) => {
                let line = error.span().map_or(1, |span| at(span.start));
                let message = error.message().lines().collect::<Vec<_>>().join(", ");
                self.problems
                    .push(format!("{}:{line}: invalid TOML: {message}", path.display()));
                return;
            }
        };
        let mut known = Table::new();
        for (name, value) in &document {
            let line = at(name.span().start);
            let section = keys::is_section(name.get_ref());
            match value.get_ref() {
                DeValue::Table(entries) if section => {
                    let values = self.section(path, name.get_ref(), entries, &at);
                    known.insert(name.get_ref().to_string(), toml::Value::Table(values));
                }
                _ if section => self.problems.push(format!(
                    "{}:{line}: `{}` is a section; write [{}] and its settings below",
                    path.display(),
                    name.get_ref(),
                    name.get_ref()
                )),
                value if keys::find(name.get_ref()).is_some() => {
                    self.lines.insert(name.get_ref().to_string(), line);
                    known.insert(name.get_ref().to_string(), plain(value));
                }
                _ => self
                    .problems
                    .push(unknown(&format!("{}:{line}", path.display()), name.get_ref())),
            }
        }
        self.file = Some(path.to_owned());
        self.lay(
            Metadata::from("file", Source::File(path.to_owned())),
            dict(&known),
        );
    }

    fn section(
        &mut self,
        path: &Path,
        section: &str,
        entries: &DeTable<'_>,
        line_at: &dyn Fn(usize) -> usize,
    ) -> Table {
        let mut known = Table::new();
        for (name, value) in entries {
            let (line, full) = (
                line_at(name.span().start),
                format!("{section}.{}", name.get_ref()),
            );
            if keys::find(&full).is_none() {
                self.problems
                    .push(unknown(&format!("{}:{line}", path.display()), &full));
                continue;
            }
            self.lines.insert(full, line);
            known.insert(name.get_ref().to_string(), plain(value.get_ref()));
        }
        known
    }

    /// Merges the settings of the environment.
    pub(super) fn environment(&mut self, environment: &Environment) {
        for (name, text) in &environment.settings {
            let Some(key) = KEYS.iter().find(|key| keys::variable(key.path) == *name) else {
                let path = name
                    .strip_prefix("ATELIER_")
                    .unwrap_or(name)
                    .to_ascii_lowercase()
                    .replace("__", ".");
                self.problems.push(unknown(&format!("variable {name}"), &path));
                continue;
            };
            let value = self.value_of(key.path, text);
            self.lay(
                Metadata::from("variable", Source::Custom(name.clone())),
                nested(key.path, value),
            );
        }
    }

    /// Merges the value of one flag.
    pub(super) fn flag(&mut self, name: &str, path: &str, value: &str) {
        let value = Value::from(value);
        self.lay(
            Metadata::from("flag", Source::Custom(name.to_owned())),
            nested(path, value),
        );
    }

    pub(super) fn value(&self, path: &str) -> Value {
        self.merged
            .find_value(path)
            .unwrap_or_else(|_| self.default_value(path))
    }

    pub(super) fn default_value(&self, path: &str) -> Value {
        self.defaults
            .find_value(path)
            .expect("a test finds every setting in the defaults file")
    }

    pub(super) fn origin(&self, path: &str) -> Origin {
        let metadata = self.merged.find_metadata(path);
        let custom = || {
            metadata
                .and_then(|metadata| metadata.source.as_ref()?.custom())
                .unwrap_or_default()
                .to_owned()
        };
        match (metadata.map(|metadata| metadata.name.as_ref()), &self.file) {
            (Some("file"), Some(file)) => Origin::File {
                path: file.clone(),
                line: self.lines.get(path).copied().unwrap_or(1),
            },
            (Some("variable"), _) => Origin::Variable(custom()),
            (Some("flag"), _) => Origin::Flag(custom()),
            _ => Origin::Default,
        }
    }

    /// The text of a variable as a value of the setting's type.
    fn value_of(&self, path: &str, text: &str) -> Value {
        if matches!(self.default_value(path), Value::String(..)) {
            return Value::from(text);
        }
        let document: Result<Table, _> = format!("value = {text}").parse();
        let value = document.ok().and_then(|mut table| table.remove("value"));
        value.map_or_else(|| Value::from(text), |value| to_figment(&value))
    }

    fn lay(&mut self, metadata: Metadata, data: Dict) {
        let merged = std::mem::take(&mut self.merged);
        self.merged = merged.merge(Layer::new(metadata, data));
    }
}

/// The values of one source, for figment.
struct Layer {
    metadata: Metadata,
    data: Dict,
}

impl Layer {
    const fn new(metadata: Metadata, data: Dict) -> Self {
        Self { metadata, data }
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        self.metadata.clone()
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Profile::Default.collect(self.data.clone()))
    }
}

fn unknown(place: &str, path: &str) -> String {
    let close = KEYS
        .iter()
        .map(|key| (strsim::jaro_winkler(key.path, path), key.path))
        .filter(|(likeness, _)| *likeness > 0.9)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = close
        .map(|(_, close)| format!(" (did you mean `{close}`?)"))
        .unwrap_or_default();
    format!(
        "{place}: unknown setting `{path}`{hint}; {}",
        keys::siblings(path)
    )
}

fn plain(value: &DeValue<'_>) -> toml::Value {
    match value {
        DeValue::String(text) => toml::Value::String(text.to_string()),
        DeValue::Boolean(value) => toml::Value::Boolean(*value),
        DeValue::Datetime(value) => toml::Value::Datetime(*value),
        DeValue::Array(items) => toml::Value::Array(items.iter().map(Spanned::get_ref).map(plain).collect()),
        DeValue::Table(table) => toml::Value::Table(
            table
                .iter()
                .map(|(name, value)| (name.get_ref().to_string(), plain(value.get_ref())))
                .collect(),
        ),
        // A number that is too large for its type stays a text, which numeric settings refuse.
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix()).map_or_else(
            |_| toml::Value::String(digits.as_str().to_owned()),
            toml::Value::Integer,
        ),
        DeValue::Float(digits) => digits.as_str().parse().map_or_else(
            |_| toml::Value::String(digits.as_str().to_owned()),
            toml::Value::Float,
        ),
    }
}

fn dict(table: &Table) -> Dict {
    table
        .iter()
        .map(|(name, value)| (name.clone(), to_figment(value)))
        .collect()
}

fn to_figment(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::from(text.clone()),
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Float(number) => Value::from(*number),
        toml::Value::Boolean(value) => Value::from(*value),
        toml::Value::Datetime(value) => Value::from(value.to_string()),
        toml::Value::Array(items) => Value::from(items.iter().map(to_figment).collect::<Vec<_>>()),
        toml::Value::Table(table) => Value::from(dict(table)),
    }
}

fn nested(path: &str, value: Value) -> Dict {
    match path.split_once('.') {
        None => Dict::from([(path.to_owned(), value)]),
        Some((section, key)) => Dict::from([(
            section.to_owned(),
            Value::from(Dict::from([(key.to_owned(), value)])),
        )]),
    }
}
