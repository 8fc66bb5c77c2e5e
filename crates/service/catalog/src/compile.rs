//! Compiles a model file into a model. An invalid file is refused with the line and the reason.

mod parameters;
mod pricing;
mod rules;

use std::{collections::HashMap, ops::Range};

use serde_json::{Map, Value};
use toml::Spanned;

use crate::{
    error::{CatalogError, Source},
    file::ModelFile,
    model::{Limits, Model, OpenAi, Target},
    origin::License,
    parameter::{Parameter, Role},
    rule::Condition,
    schema, task,
    value::{self, Reading},
};

type Result<T> = std::result::Result<T, CatalogError>;

/// A model and the position of the slug in its file.
pub(crate) struct Compiled {
    pub(crate) model: Model,
    pub(crate) slug_at: usize,
}

pub(crate) fn compile(source: Source<'_>) -> Result<Compiled> {
    let file: ModelFile = toml::from_str(source.text)
        .map_err(|error| source.error(error.span().map_or(0, |span| span.start), error.message()))?;
    let slug_at = file.slug.span().start;
    check_head(source, &file)?;
    let parameters = parameters::compile(source, file.parameters)?;
    let scope = Scope {
        source,
        parameters: &parameters,
    };
    let rules = rules::compile(scope, file.rules)?;
    let pricing = pricing::compile(scope, file.pricing)?;
    let openai = openai(scope, file.openai)?;
    let names = names(&parameters);
    let tasks = task::read(file.capabilities.get("tasks")).map_err(|reason| source.error(slug_at, reason))?;
    let limits = Limits {
        max_processing_seconds: file
            .limits
            .max_processing_seconds
            .unwrap_or_else(|| file.model_type.max_processing_seconds()),
    };
    let mut model = Model {
        slug: file.slug.into_inner(),
        name: file.name,
        model_type: file.model_type,
        category: file.category,
        description: file.description,
        output: file.model_type.output(),
        vendor: file.vendor,
        hosting: file.hosting,
        license: file.license,
        upstream: file.upstream,
        capabilities: file.capabilities,
        tasks,
        parameters,
        pricing,
        limits,
        routes: file.routes,
        openai,
        rules,
        names,
        json_schema: Value::Null,
    };
    model.json_schema = schema::of(&model);
    Ok(Compiled { model, slug_at })
}

fn check_head(source: Source<'_>, file: &ModelFile) -> Result<()> {
    let at = file.slug.span().start;
    let slug = file.slug.get_ref();
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if slug.is_empty() || slug.len() > 100 || !slug.bytes().all(fits) {
        let reason = format!("the slug `{slug}` must be 1 to 100 lower-case letters, digits and hyphens");
        return Err(source.error(at, reason));
    }
    if let Some(fault) = file.license.as_ref().and_then(License::fault) {
        return Err(source.error(at, fault));
    }
    let texts = [
        ("name", &file.name),
        ("category", &file.category),
        ("description", &file.description),
    ];
    if let Some((key, _)) = texts.iter().find(|(_, text)| text.trim().is_empty()) {
        return Err(source.error(at, format!("`{key}` must not be empty")));
    }
    if file.limits.max_processing_seconds == Some(0) {
        return Err(source.error(at, "`limits.max_processing_seconds` must be at least 1"));
    }
    if file
        .routes
        .iter()
        .any(|route| route.engine.is_empty() || route.task.is_empty())
    {
        return Err(source.error(at, "a route requires an `engine` and a `task`"));
    }
    Ok(())
}

/// The parameters that the rest of a file refers to.
#[derive(Clone, Copy)]
struct Scope<'a> {
    source: Source<'a>,
    parameters: &'a [Parameter],
}

impl Scope<'_> {
    fn error(self, at: &Range<usize>, reason: impl Into<String>) -> CatalogError {
        self.source.error(at.start, reason)
    }

    /// The index of a parameter that a rule or price names.
    fn find(self, at: &Range<usize>, name: &str) -> Result<usize> {
        self.parameters
            .iter()
            .position(|parameter| parameter.name == name)
            .ok_or_else(|| self.error(at, format!("unknown parameter `{name}`")))
    }

    fn find_all(self, at: &Range<usize>, names: &[String]) -> Result<Vec<usize>> {
        names.iter().map(|name| self.find(at, name)).collect()
    }

    fn conditions(self, at: &Range<usize>, when: &Map<String, Value>) -> Result<Vec<Condition>> {
        when.iter()
            .map(|(name, wanted)| self.condition(at, name, wanted))
            .collect()
    }

    /// `name = value`, or `name = { set = true }`.
    fn condition(self, at: &Range<usize>, name: &str, wanted: &Value) -> Result<Condition> {
        let index = self.find(at, name)?;
        if let Value::Object(table) = wanted {
            let set = table
                .get("set")
                .and_then(Value::as_bool)
                .filter(|_| table.len() == 1);
            let unclear = || {
                self.error(
                    at,
                    format!("the condition on `{name}` must be a value or {{ set = true|false }}"),
                )
            };
            return set.map(|set| Condition::Set(index, set)).ok_or_else(unclear);
        }
        Ok(Condition::Equals(index, self.fitting(at, index, wanted)?))
    }

    /// Checks that the parameter could have this value, and returns it in normal form.
    fn fitting(self, at: &Range<usize>, index: usize, wanted: &Value) -> Result<Value> {
        let parameter = &self.parameters[index];
        match value::read(parameter, &parameter.name, wanted) {
            Reading::Value(value) => Ok(value),
            Reading::Empty => Err(self.error(
                at,
                format!("an empty value of `{}` is treated as absent", parameter.name),
            )),
            Reading::Wrong(messages) => Err(self.error(at, messages.join("; "))),
        }
    }
}

/// Checks that the fields and voices of the section fit the model's parameters.
fn openai(scope: Scope<'_>, section: Option<Spanned<OpenAi>>) -> Result<OpenAi> {
    let Some(section) = section else {
        return Ok(OpenAi::default());
    };
    let at = section.span();
    let mut section = section.into_inner();
    for fields in section.sizes.values_mut().chain(section.qualities.values_mut()) {
        for (name, value) in fields {
            *value = scope.fitting(&at, scope.find(&at, name)?, value)?;
        }
    }
    let voice = crate::openai::meaning(scope.parameters, Role::Voice);
    for voice_name in section.voices.values() {
        let Some(voice) = voice else {
            return Err(scope.error(
                &at,
                "`openai.voices` requires a parameter with the role or name `voice`",
            ));
        };
        scope.fitting(&at, voice, &Value::from(voice_name.as_str()))?;
    }
    Ok(section)
}

/// Every name a request may use: the parameters' own, and the common ones that are not taken.
fn names(parameters: &[Parameter]) -> HashMap<String, Target> {
    let own = parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| (parameter.name.clone(), Target::Own(index)));
    let mut names: HashMap<_, _> = own.collect();
    for (index, parameter) in parameters.iter().enumerate() {
        let common = parameter
            .role
            .map_or_else(Vec::new, |role| role.common_names(index));
        for (name, target) in common {
            names.entry(name.to_owned()).or_insert(target);
        }
    }
    names
}
