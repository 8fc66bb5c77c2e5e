//! Compiles the parameters of a model file: keys must apply to the type, bounds must be in order, and
//! defaults within them.

use std::{collections::HashSet, ops::Range};

use atelier_domain::{MediaKind, MediaType};
use serde_json::Value;
use toml::Spanned;

use super::{Result, Scope};
use crate::{
    error::{CatalogError, Source},
    file::ParameterFile,
    language,
    parameter::{FileRules, Format, Parameter, ParameterType, Role},
    value::{self, Reading},
};

pub(super) fn compile(source: Source<'_>, files: Vec<ParameterFile>) -> Result<Vec<Parameter>> {
    let mut parameters: Vec<Parameter> = Vec::with_capacity(files.len());
    // Conditions may name a later parameter, so they are resolved when all are known.
    let mut conditions = Vec::new();
    let mut names = HashSet::new();
    let mut places = Vec::with_capacity(files.len());
    for file in files {
        let at = file.name.span();
        if !names.insert(file.name.get_ref().clone()) {
            return Err(source.error(
                at.start,
                format!("the parameter `{}` is defined twice", file.name.get_ref()),
            ));
        }
        let role = file.role;
        if let Some(role) = role
            && let Some(other) = parameters.iter().find(|other| {
                other
                    .role
                    .is_some_and(|other| other.standard_name() == role.standard_name())
            })
        {
            let reason = if other.role == Some(role) {
                "two parameters have the same `role`".to_owned()
            } else {
                format!(
                    "its `role` and that of `{}` have the same standard name `{}`",
                    other.name,
                    role.standard_name()
                )
            };
            return Err(source.error(at.start, reason));
        }
        places.push(at.clone());
        conditions.push(file.required_when.as_ref().map(Spanned::span));
        parameters.push(
            One {
                source,
                at: at.clone(),
                file: &file,
            }
            .compile()?,
        );
    }
    for (parameter, at) in parameters.iter().zip(&places) {
        let taken =
            |other: &&Parameter| other.name == parameter.standard_name() && other.name != parameter.name;
        if let Some(other) = parameters.iter().find(taken) {
            let reason = format!(
                "parameter `{}`: the standard name of its `role`, `{}`, is the name of another parameter",
                parameter.name, other.name
            );
            return Err(source.error(at.start, reason));
        }
    }
    let resolved: Vec<_> = conditions
        .into_iter()
        .zip(&parameters)
        .map(|(at, parameter)| match (at, &parameter.required_when) {
            (Some(at), Some(when)) => Scope {
                source,
                parameters: &parameters,
            }
            .conditions(&at, when),
            _ => Ok(Vec::new()),
        })
        .collect::<Result<_>>()?;
    for (parameter, conditions) in parameters.iter_mut().zip(resolved) {
        parameter.required_conditions = conditions;
    }
    Ok(parameters)
}

/// One parameter while it is compiled.
struct One<'a> {
    source: Source<'a>,
    at: Range<usize>,
    file: &'a ParameterFile,
}

impl One<'_> {
    fn compile(self) -> Result<Parameter> {
        self.check_name()?;
        self.check_keys()?;
        self.check_bounds()?;
        let file = self.file;
        let mut parameter = Parameter {
            name: file.name.get_ref().clone(),
            label: file.label.clone(),
            kind: file.kind,
            required: file.required,
            default: None,
            options: self.options()?,
            min: file.min,
            max: file.max,
            description: file.description.clone(),
            integer: file.integer,
            min_length: file.min_length,
            max_length: file.max_length,
            max_items: file.max_items,
            accepts: self.accepts()?,
            required_when: file.required_when.as_ref().map(|when| when.get_ref().clone()),
            min_items: file.min_items,
            format: file.format,
            role: file.role,
            files: FileRules {
                max_bytes: file.max_bytes,
                below_bytes: file.below_bytes,
                min_seconds: file.min_seconds,
                max_seconds: file.max_seconds,
                combined_min_seconds: file.combined_min_seconds,
                combined_max_seconds: file.combined_max_seconds,
            },
            required_conditions: Vec::new(),
        };
        parameter.default = self.default(&parameter)?;
        self.check_role(&parameter)?;
        Ok(parameter)
    }

    fn error(&self, reason: impl std::fmt::Display) -> CatalogError {
        self.source.error(
            self.at.start,
            format!("parameter `{}`: {reason}", self.file.name.get_ref()),
        )
    }

    fn error_at<T>(&self, spanned: &Spanned<T>, reason: impl std::fmt::Display) -> CatalogError {
        self.source.error(
            spanned.span().start,
            format!("parameter `{}`: {reason}", self.file.name.get_ref()),
        )
    }

    fn check_name(&self) -> Result<()> {
        let name = self.file.name.get_ref();
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.bytes().all(fits) {
            return Err(self
                .error("a name must be lower-case letters, digits and underscores, starting with a letter"));
        }
        if ["model", "params", "webhook_url"].contains(&name.as_str()) {
            return Err(self.error("the name is reserved: every request has a field of this name"));
        }
        if self.file.required && self.file.required_when.is_some() {
            return Err(self.error("`required` and `required_when` exclude each other"));
        }
        Ok(())
    }

    /// Refuses keys that do not apply to the type: they would be silently ignored.
    fn check_keys(&self) -> Result<()> {
        let file = self.file;
        let number = file.kind == ParameterType::Number;
        let text = matches!(file.kind, ParameterType::Text | ParameterType::Textarea);
        let list = file.kind == ParameterType::MultiSelect;
        let files = file.kind == ParameterType::Url || (list && file.options.is_none());
        let timed = [
            file.min_seconds,
            file.max_seconds,
            file.combined_min_seconds,
            file.combined_max_seconds,
        ];
        let keys = [
            (
                "options",
                file.options.is_some(),
                list || file.kind == ParameterType::Select || (text && file.format == Some(Format::Language)),
            ),
            ("min", file.min.is_some(), number),
            ("max", file.max.is_some(), number),
            ("integer", file.integer, number),
            ("min_length", file.min_length.is_some(), text),
            ("max_length", file.max_length.is_some(), text),
            ("format", file.format.is_some(), text),
            ("min_items", file.min_items.is_some(), list),
            ("max_items", file.max_items.is_some(), list),
            ("accepts", file.accepts.is_some(), files),
            ("max_bytes", file.max_bytes.is_some(), files),
            ("below_bytes", file.below_bytes.is_some(), files),
            ("…_seconds", timed.iter().any(Option::is_some), files),
            ("default", file.default.is_some(), !files),
        ];
        if let Some((key, ..)) = keys.iter().find(|(_, given, applies)| *given && !applies) {
            return Err(self.error(format!(
                "`{key}` does not apply to a parameter of type {}",
                file.kind.as_str()
            )));
        }
        if files && file.accepts.is_none() {
            return Err(self.error("`accepts` is missing: name media types, or image, video, audio"));
        }
        if file.kind == ParameterType::Select && file.options.is_none() {
            return Err(self.error("`options` is missing"));
        }
        Ok(())
    }

    fn check_bounds(&self) -> Result<()> {
        let file = self.file;
        let pairs = [
            ("min", file.min, file.max),
            (
                "min_length",
                file.min_length.map(|min| min as f64),
                file.max_length.map(|max| max as f64),
            ),
            (
                "min_items",
                file.min_items.map(|min| min as f64),
                file.max_items.map(|max| max as f64),
            ),
            ("min_seconds", file.min_seconds, file.max_seconds),
            (
                "combined_min_seconds",
                file.combined_min_seconds,
                file.combined_max_seconds,
            ),
        ];
        for (key, min, max) in pairs {
            if [min, max].into_iter().flatten().any(|bound| !bound.is_finite()) {
                return Err(self.error(format!("`{key}` and its counterpart must be finite")));
            }
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                return Err(self.error(format!(
                    "`{key}` is {min}, above {} ({max})",
                    key.replace("min", "max")
                )));
            }
        }
        Ok(())
    }

    fn options(&self) -> Result<Option<Vec<Value>>> {
        let Some(options) = &self.file.options else {
            return Ok(None);
        };
        let given = options.get_ref();
        if given.is_empty() {
            return Err(self.error_at(options, "`options` is empty"));
        }
        for (index, option) in given.iter().enumerate() {
            if !option.is_string() && !option.is_number() {
                return Err(self.error_at(
                    options,
                    format!("an option must be a string or a number (got {option})"),
                ));
            }
            if self.file.format == Some(Format::Language)
                && option.as_str().and_then(language::code) != option.as_str()
            {
                return Err(self.error_at(
                    options,
                    format!("{option} is not a lower-case ISO 639-1 language code"),
                ));
            }
            if given[..index].iter().any(|other| value::same(other, option)) {
                return Err(self.error_at(options, format!("the option {option} is listed twice")));
            }
        }
        Ok(Some(given.clone()))
    }

    fn accepts(&self) -> Result<Vec<MediaType>> {
        let Some(accepts) = &self.file.accepts else {
            return Ok(Vec::new());
        };
        let mut types = Vec::new();
        for entry in accepts.get_ref() {
            if let Ok(kind) = entry.parse::<MediaKind>() {
                types.extend(
                    MediaType::UPLOADABLE
                        .iter()
                        .filter(|media_type| media_type.kind() == Some(kind)),
                );
            } else if let Some(media_type) =
                MediaType::from_mime(entry).filter(|found| found.kind().is_some())
            {
                types.push(media_type);
            } else {
                let reason = format!(
                    "unknown media type `{entry}`; use one that can be stored, or image, video or audio"
                );
                return Err(self.error_at(accepts, reason));
            }
        }
        if types.is_empty() {
            return Err(self.error_at(accepts, "`accepts` is empty"));
        }
        Ok(types)
    }

    fn default(&self, parameter: &Parameter) -> Result<Option<Value>> {
        let Some(default) = &self.file.default else {
            return Ok(None);
        };
        match value::read(parameter, "default", default.get_ref()) {
            Reading::Value(value) => Ok(Some(value)),
            Reading::Empty => {
                Err(self.error_at(default, "`default` must not be empty: leave it out instead"))
            }
            Reading::Wrong(messages) => Err(self.error_at(default, messages.join("; "))),
        }
    }

    fn check_role(&self, parameter: &Parameter) -> Result<()> {
        let file = |kind: MediaKind| {
            parameter
                .accepts
                .iter()
                .any(|accepted| accepted.kind() == Some(kind))
        };
        let fits = match parameter.role {
            None => true,
            Some(Role::Text | Role::NegativeText | Role::Lyrics) => {
                matches!(parameter.kind, ParameterType::Text | ParameterType::Textarea)
            }
            Some(Role::Voice | Role::Language) => {
                matches!(parameter.kind, ParameterType::Text | ParameterType::Select)
            }
            Some(Role::Duration) => parameter.is_number(),
            Some(Role::Count | Role::Seed | Role::Strength) => parameter.kind == ParameterType::Number,
            Some(Role::Size | Role::Resolution) => parameter.kind == ParameterType::Select,
            Some(Role::Images | Role::References) => file(MediaKind::Image),
            Some(Role::Frames) => parameter.kind == ParameterType::MultiSelect && file(MediaKind::Image),
            Some(Role::Mask) => file(MediaKind::Image) || file(MediaKind::Video),
            Some(Role::SourceVideo) => file(MediaKind::Video),
            Some(Role::ConditioningAudio | Role::ReferenceAudio | Role::VoiceSample) => {
                file(MediaKind::Audio)
            }
        };
        if fits {
            Ok(())
        } else {
            Err(self.error("its type does not match its `role`"))
        }
    }
}
